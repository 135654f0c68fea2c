// SPDX-License-Identifier: MIT
// The Python emitter: warm `serve` processes, one per thread that asks.
#pragma once
// Guarantees: an interpreter that is too old, does not start or dies is engine_failed (TIR6005) and never
// anything else; a process that died is replaced by the next call.
#include "parity/engine.hpp"
#include "parity/warm_workers.hpp"

namespace twinir {

/// An interpreter, or why there is none.
struct PythonFound {
  std::string program, version; ///< "/usr/bin/python3", "3.11.2"
  std::optional<Diagnostic> problem;
};
/// $TWINIR_PYTHON, else /usr/bin/python3, else python3 in PATH; it must be 3.9 or newer.
[[nodiscard]] PythonFound find_python();

class PythonEngine : public Engine {
public:
  /// `command` starts a worker.
  explicit PythonEngine(std::vector<std::string> command);
  /// With the interpreter that find_python finds; `folder` holds serve.py.
  explicit PythonEngine(const std::filesystem::path& folder) : PythonEngine(find_python(), folder) {}
  [[nodiscard]] Emission emit(const std::string& kernel_json, const FlavorInfo& flavor) override;

private:
  PythonEngine(const PythonFound& python, const std::filesystem::path& folder);

  WarmWorkers workers_;
  std::optional<Diagnostic> problem_;
};

} // namespace twinir
