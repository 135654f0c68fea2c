// SPDX-License-Identifier: MIT
#include "emit/worker.hpp"

#include "dsl/error.hpp"
#include "emit/child_process.hpp"
#include "emit/diagnostic_json.hpp"
#include "emit/plugins.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <sys/resource.h>
#include <unistd.h>

namespace twinir {
namespace {

using Json = nlohmann::ordered_json;

/// All of `size` bytes from the input; false at its end.
bool read_all(char* data, std::size_t size) {
  while (size > 0) {
    const auto n = ::read(STDIN_FILENO, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n, size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

std::optional<std::string> read_frame() {
  unsigned char head[4];
  if (!read_all(reinterpret_cast<char*>(head), 4)) return std::nullopt;
  const auto size = std::size_t(head[0]) | std::size_t(head[1]) << 8 | std::size_t(head[2]) << 16 |
                    std::size_t(head[3]) << 24;
  if (size > longest_frame) return std::nullopt;
  std::string bytes(size, '\0');
  if (!read_all(bytes.data(), size)) return std::nullopt;
  return bytes;
}

bool write_frame(std::string_view bytes) { return write_all(frame_head(bytes.size())) && write_all(bytes); }

/// Ends the process after so many seconds, unless it goes out of scope before.
class Alarm {
public:
  explicit Alarm(unsigned seconds) { ::alarm(seconds); }
  ~Alarm() { ::alarm(0); }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
};

struct Answer {
  Json header;
  std::string payload;
};

Answer refusal(const Diagnostic& d) { return {{{"error", diagnostic_json(d)}}, {}}; }

Answer compile(const LlvmPlugin& llvm, const Json& request, const std::string& text) {
  const auto output = static_cast<Output>(request.at("output").get<int>());
  auto compiled =
      llvm.compile(text, {request.at("target").get<std::string>(), request.at("opt").get<unsigned>(), output,
                          request.at("reprint").get<bool>(), request.at("counts").get<bool>()});
  Json report = output == Output::code_object ? Json::parse(compiled.report.json) : Json::object();
  report["ms"] = stage_times_json(compiled.ms);
  report["reprints"] = compiled.reprints;
  return {{{"report", std::move(report)}}, std::move(compiled.bytes)};
}

Answer literals(const LlvmPlugin& llvm) {
  Answer out{{{"report", nullptr}}, {}};
  llvm.literals([&](std::string_view part) { out.payload += part; });
  return out;
}

Answer work(const LlvmPlugin& llvm, const Json& request, const std::string& payload) {
  const auto what = request.at("do").get<std::string>();
  if (what == "emit") return {{{"report", nullptr}}, llvm.emit(payload)};
  if (what == "record") return {{{"report", nullptr}}, llvm.record()};
  if (what == "literals") return literals(llvm);
  if (what == "info") return {{{"report", nullptr}}, plugin_info_json(llvm.info())};
  if (what == "compile") return compile(llvm, request, payload);
  if (what == "reprint") return {{{"report", nullptr}}, llvm.reprint(payload)};
  if (what == "inspect") return {{{"report", Json::parse(llvm.inspect(payload).json)}}, {}};
  return refusal(
      {Code::bad_usage, "request '" + what + "'", "one that a plugin answers", "correct the request", {}});
}

const LlvmPlugin& find_plugin(const Served& served) {
  if (served.plugin.empty()) return plugin_of(served.flavor);
  static const auto opened =
      LlvmPlugin::open_here(served.plugin); // every request of a process is for the same one
  return opened;
}

Answer answer(const Served& served, const std::string& header, const std::string& payload) {
  try {
    const auto request = Json::parse(header);
    const Alarm alarm(request.at("seconds").get<unsigned>() + 10); // the caller gives up before that
    return work(find_plugin(served), request, payload);
  } catch (const UserError& e) {
    return refusal(e.diagnostic());
  } catch (const std::exception& e) {
    return refusal({Code::internal, e.what(), "a request that can be answered", "please report it", {}});
  }
}

void fail_on_purpose(WorkerFault fault) {
  switch (fault) {
  case WorkerFault::none: return;
  case WorkerFault::abort: std::abort();
  case WorkerFault::segv: std::raise(SIGSEGV); return;
  case WorkerFault::hang:
    for (;;) ::pause();
  case WorkerFault::exit: ::_exit(3);
  }
}

} // namespace

int serve_worker(const Served& served, WorkerFault fault) {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  while (const auto header = read_frame()) {
    const auto payload = read_frame();
    if (!payload) break;
    fail_on_purpose(fault);
    const auto reply = answer(served, *header, *payload);
    const auto text = reply.header.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (!write_frame(text) || !write_frame(reply.payload)) break;
  }
  ::_exit(0); // LLVM's destructors have nothing to do
}

} // namespace twinir
