// SPDX-License-Identifier: MIT
// The installed LLVMs as judges: re-printing in this process, code generation in workers; a reader re-prints for a
// flavor without a plugin.
#pragma once
#include "emit/compile_pool.hpp"
#include "parity/engine.hpp"
#include "parity/reader.hpp"

namespace twinir {

class LlvmJudge : public Judge {
public:
  explicit LlvmJudge(CompilePool& pool, Reader* reader = nullptr) : pool_(pool), reader_(reader) {}
  [[nodiscard]] Judgement reprint(const std::string& text, const FlavorInfo& flavor) override;
  [[nodiscard]] Judgement compile(const std::string& text, const std::string& kernel,
                                  const std::string& target, const FlavorInfo& flavor) override;

private:
  [[nodiscard]] std::string again(const std::string& text, const FlavorInfo& flavor);

  CompilePool& pool_;
  Reader* reader_;
};

} // namespace twinir
