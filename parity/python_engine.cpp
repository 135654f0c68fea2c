// SPDX-License-Identifier: MIT
#include "parity/python_engine.hpp"

#include "emit/diagnostic_json.hpp"
#include "emit/environment.hpp"

#include <nlohmann/json.hpp>

namespace twinir {
namespace {

using Json = nlohmann::ordered_json;
constexpr auto time_limit = std::chrono::seconds(120);

Diagnostic failure(const std::string& found, const std::string& expected, const std::string& action) {
  return {Code::engine_failed, found, expected, action, {}};
}

std::string default_python() {
  if (const auto given = environment("TWINIR_PYTHON")) return *given;
  std::error_code error;
  return std::filesystem::exists("/usr/bin/python3", error) ? "/usr/bin/python3" : "python3";
}

/// The last line of an interpreter's complaint.
std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const auto at = text.rfind('\n');
  return text.substr(at == std::string::npos ? 0 : at + 1).substr(0, 300);
}

Emission read_reply(const std::string& frame) {
  auto reply = Json::parse(frame, nullptr, false);
  if (reply.is_object() && reply.contains("text") && reply["text"].is_string())
    return {std::move(reply["text"].get_ref<std::string&>()), {}};
  if (reply.is_object() && reply.contains("error")) return {{}, read_diagnostic(reply["error"])};
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

PythonEngine::PythonEngine(std::vector<std::string> command) : command_(std::move(command)) {}

PythonEngine::PythonEngine(const std::filesystem::path& folder) {
  const auto python = find_python();
  problem_ = python.problem;
  command_ = {python.program, "-I", "-S", "-B", (folder / "serve.py").string()};
}

PythonEngine::~PythonEngine() = default;

Emission PythonEngine::emit(const std::string& kernel_json, const FlavorInfo& flavor) {
  if (problem_) return {{}, problem_};
  if (flavor.file.empty())
    return {{},
            Diagnostic{Code::bad_flavor_file,
                       "no file for flavor " + flavor.name,
                       flavor.name + ".json",
                       "record it (twinir flavor record)",
                       {}}};
  try {
    auto worker = take();
    const auto deadline = std::chrono::steady_clock::now() + time_limit;
    worker->send_frame(Json({{"id", 1}, {"flavor", flavor.file.string()}, {"kernel", kernel_json}}).dump(),
                       deadline);
    auto reply = worker->receive_frame(deadline);
    give(std::move(worker));
    return read_reply(reply);
  } catch (const ChildFailed& e) {
    return {{},
            failure("the Python emitter ended: " + std::string(e.what()) +
                        (e.errors().empty() ? "" : ", saying '" + last_line(e.errors()) + "'"),
                    "a worker that answers", "see that " + command_.back() + " runs")};
  }
}

std::unique_ptr<ChildProcess> PythonEngine::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto worker = std::move(idle_.back());
      idle_.pop_back();
      return worker;
    }
  }
  return std::make_unique<ChildProcess>(command_);
}

void PythonEngine::give(std::unique_ptr<ChildProcess> worker) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(worker));
}

} // namespace twinir
