// SPDX-License-Identifier: MIT
// A reader: the LLVM inside a Python wheel, which checks the texts of a flavor that has no plugin.
#pragma once
// Its LLVM shares no code with either emitter. Guarantees: a reader that does not start is no reader, with its reason;
// one that dies on a text is engine_failed (TIR6005) for that text.
#include "parity/engine.hpp"
#include "parity/warm_workers.hpp"

#include <vector>

namespace twinir {

class Reader {
public:
  /// With $TWINIR_READER, else the emitter's Python; `folder` holds serve.py.
  explicit Reader(const std::filesystem::path& folder);
  explicit Reader(std::vector<std::string> command);
  /// "llvm20"; empty when there is no reader.
  [[nodiscard]] const std::string& flavor() const { return flavor_; }
  /// "llvmlite 0.47.0"
  [[nodiscard]] const std::string& wheel() const { return wheel_; }
  /// Why there is none.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// The text as it prints it; UserError verify_failed or engine_failed.
  [[nodiscard]] std::string reprint(const std::string& text);

private:
  WarmWorkers workers_;
  std::string flavor_, wheel_, problem_;
};

/// Names the reader in the flavor that it reads, unless a plugin does.
void add_reader(std::vector<FlavorInfo>& flavors, const Reader& reader);

} // namespace twinir
