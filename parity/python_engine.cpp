// SPDX-License-Identifier: MIT
#include "parity/python_engine.hpp"

#include "emit/diagnostic_json.hpp"
#include "emit/environment.hpp"

#include <nlohmann/json.hpp>

namespace twinir {
namespace {

using Json = nlohmann::ordered_json;

Diagnostic failure(const std::string& found, const std::string& expected, const std::string& action) {
  return {Code::engine_failed, found, expected, action, {}};
}

std::string default_python() {
  if (const auto given = environment("TWINIR_PYTHON")) return *given;
  std::error_code error;
  return std::filesystem::exists("/usr/bin/python3", error) ? "/usr/bin/python3" : "python3";
}

/// A line of JSON, then the text (twinir_emit/serve.py).
Emission read_reply(const std::string& frame) {
  const auto end = std::min(frame.find('\n'), frame.size());
  const auto reply =
      Json::parse(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
  if (reply.is_object() && reply.contains("error")) return {{}, read_diagnostic(reply["error"])};
  if (reply.is_object() && reply.contains("id") && end < frame.size()) return {frame.substr(end + 1), {}};
  return {{}, failure("the reply " + frame.substr(0, 100), "a text or an error", "please report it")};
}

} // namespace

PythonFound find_python() {
  PythonFound out{default_python(), {}, {}};
  const auto run = run_command(
      {out.program, "-I", "-S", "-B", "-c",
       "import sys; print('%d.%d.%d' % sys.version_info[:3]); sys.exit(sys.version_info < (3, 9))"},
      std::chrono::seconds(20));
  out.version = run.out.substr(0, run.out.find('\n'));
  if (run.status != 0) {
    const auto found = "'" + out.program + "' (" +
                       (out.version.empty() ? last_line(run.errors) : "version " + out.version) + ")";
    out.problem = failure(found, "Python 3.9 or newer", "install python3, or set TWINIR_PYTHON");
  }
  return out;
}

PythonEngine::PythonEngine(std::vector<std::string> command) : workers_(std::move(command)) {}

PythonEngine::PythonEngine(const PythonFound& python, const std::filesystem::path& folder)
    : workers_({python.program, "-I", "-S", "-B", (folder / "serve.py").string()}), problem_(python.problem) {}

Emission PythonEngine::emit(const std::string& kernel_json, const FlavorInfo& flavor) {
  if (problem_) return {{}, problem_};
  if (flavor.file.empty())
    return {{},
            Diagnostic{Code::bad_flavor_file,
                       "no file for flavor " + flavor.name,
                       flavor.name + ".json",
                       "record it (twinir flavor record, docs/flavors.md)",
                       {}}};
  try {
    const Json request = {{"id", 1}, {"flavor", flavor.file.string()}};
    return read_reply(workers_.ask(request.dump() + '\n' + kernel_json));
  } catch (const ChildFailed& e) {
    return {{},
            failure("the Python emitter ended: " + std::string(e.what()) +
                        (e.errors().empty() ? "" : ", saying '" + last_line(e.errors()) + "'"),
                    "a worker that answers", "see that " + workers_.command().back() + " runs")};
  }
}

} // namespace twinir
