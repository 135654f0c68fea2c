// SPDX-License-Identifier: MIT
// The installed LLVMs as judges: re-printing in this process, code generation in workers.
#pragma once
#include "emit/compile_pool.hpp"
#include "parity/engine.hpp"

namespace twinir {

class LlvmJudge : public Judge {
public:
  explicit LlvmJudge(CompilePool& pool) : pool_(pool) {}
  [[nodiscard]] Judgement reprint(const std::string& text, const FlavorInfo& flavor) override;
  [[nodiscard]] Judgement compile(const std::string& text, const std::string& kernel,
                                  const std::string& target, const FlavorInfo& flavor) override;

private:
  CompilePool& pool_;
};

} // namespace twinir
