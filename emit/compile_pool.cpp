// SPDX-License-Identifier: MIT
#include "emit/compile_pool.hpp"

#include "dsl/error.hpp"
#include "emit/diagnostic_json.hpp"
#include "emit/environment.hpp"
#include "emit/reproducer.hpp"

#include <algorithm>
#include <thread>

namespace twinir {

struct CompilePool::Request {
  Json header;
  std::string_view payload;
  std::string flavor, target, kernel, extension;
};

struct CompilePool::Reply {
  Json header;
  std::string payload;
};

namespace {

/// The first line of what LLVM said that tells something.
std::string reason(const std::string& errors) {
  const auto at = errors.find("LLVM ERROR:");
  if (at == std::string::npos) return {};
  const auto end = errors.find('\n', at);
  return ", saying '" +
         errors.substr(at, std::min<std::size_t>(end == std::string::npos ? end : end - at, 300)) + "'";
}

} // namespace

CompilePool::CompilePool() : CompilePool(Options{}) {}

CompilePool::CompilePool(Options options) : options_(std::move(options)) {
  if (options_.workers == 0) options_.workers = std::max(1u, std::thread::hardware_concurrency());
  if (options_.timeout.count() == 0) options_.timeout = compile_timeout();
  if (options_.program.empty()) options_.program = worker_program();
}

CompilePool::~CompilePool() = default;

Compiled CompilePool::compile(const CompileJob& job) {
  const auto& o = job.options;
  const Json header = {{"do", "compile"},      {"target", o.target},
                       {"opt", o.opt_level},   {"output", static_cast<int>(o.output)},
                       {"reprint", o.reprint}, {"counts", o.counts}};
  auto reply = ask({header, job.text, job.flavor, o.target, job.kernel, "ll"});
  const auto report = reply.header.at("report").dump();
  Compiled out{std::move(reply.payload), {}, parse_stage_times(report), parse_reprints(report)};
  if (o.output == Output::code_object) out.report = parse_code_object_report(report);
  return out;
}

CodeObjectReport CompilePool::inspect(const std::string& flavor, const std::string& code_object) {
  return parse_code_object_report(
      ask({{{"do", "inspect"}}, code_object, flavor, {}, {}, "hsaco"}).header.at("report").dump());
}

std::string CompilePool::reprint(const std::string& flavor, const std::string& text) {
  return std::move(ask({{{"do", "reprint"}}, text, flavor, {}, {}, "ll"}).payload);
}

std::string CompilePool::emit(const std::string& flavor, const std::string& kernel_json) {
  return std::move(ask({{{"do", "emit"}}, kernel_json, flavor, {}, {}, "json"}).payload);
}

/// A request that needs no input.
std::string CompilePool::ask_for(const char* what, const std::string& flavor) {
  return std::move(ask({{{"do", what}}, {}, flavor, {}, {}, {}}).payload);
}

std::string CompilePool::record(const std::string& flavor) { return ask_for("record", flavor); }

std::string CompilePool::literals(const std::string& flavor) { return ask_for("literals", flavor); }

PluginInfo CompilePool::info(const std::string& flavor) { return parse_plugin_info(ask_for("info", flavor)); }

/// The plugin that needs a loader; without a path when the flavor's does not.
PluginFile CompilePool::behind_loader(const std::string& flavor) const {
  if (!options_.plugin.path.empty()) return options_.plugin;
  for (auto& file : LlvmPlugin::discover())
    if (file.flavor == flavor && !file.loader.empty()) return file;
  return {};
}

/// How a worker of the flavor is started.
std::vector<std::string> CompilePool::command(const std::string& flavor) const {
  std::vector<std::string> out{options_.program.string(), "worker", "--flavor", flavor};
  const auto file = behind_loader(flavor);
  out.insert(out.begin(), file.loader.begin(), file.loader.end());
  if (!file.path.empty()) out.insert(out.end(), {"--plugin", file.path});
  out.insert(out.end(), options_.arguments.begin(), options_.arguments.end());
  return out;
}

std::unique_ptr<ChildProcess> CompilePool::start(const std::string& flavor) const {
  try {
    std::error_code error;
    if (!std::filesystem::exists(options_.program, error))
      throw ChildFailed("no program " + options_.program.string(), {}, false);
    return std::make_unique<ChildProcess>(command(flavor));
  } catch (const ChildFailed& e) {
    throw UserError({Code::toolchain_missing,
                     std::string("a compile worker that does not start: ") + e.what(),
                     "the program twinir, and the loader of " + flavor + " where it has one",
                     "set TWINIR_EXECUTABLE to it; scripts/flavors makes loaders",
                     {}});
  }
}

std::unique_ptr<ChildProcess> CompilePool::take(const std::string& flavor) {
  std::unique_lock lock(mutex_);
  freed_.wait(lock, [&] { return busy_ < options_.workers; });
  ++busy_;
  auto& idle = idle_[flavor];
  if (idle.empty()) return nullptr;
  auto worker = std::move(idle.back());
  idle.pop_back();
  return worker;
}

void CompilePool::give(const std::string& flavor, std::unique_ptr<ChildProcess> worker) {
  {
    const std::lock_guard lock(mutex_);
    --busy_;
    if (worker) idle_[flavor].push_back(std::move(worker));
  }
  freed_.notify_one();
}

CompilePool::Reply CompilePool::ask(ChildProcess& worker, const Request& request) const {
  const auto deadline = std::chrono::steady_clock::now() + options_.timeout;
  auto header = request.header;
  header["seconds"] = std::chrono::ceil<std::chrono::seconds>(options_.timeout).count();
  worker.send_frame(header.dump(), deadline);
  worker.send_frame(request.payload, deadline);
  const auto answer = worker.receive_frame(deadline);
  Reply reply{Json::parse(answer, nullptr, false), worker.receive_frame(deadline)};
  if (reply.header.is_object()) return reply;
  throw ChildFailed("a reply that is no JSON", {}, false);
}

CompilePool::Reply CompilePool::ask(const Request& request) {
  auto worker = take(request.flavor);
  Reply reply;
  try {
    if (!worker) worker = start(request.flavor);
    reply = ask(*worker, request);
  } catch (const ChildFailed& failure) {
    give(request.flavor, nullptr);
    fail(request, failure);
  } catch (...) {
    give(request.flavor, nullptr);
    throw;
  }
  give(request.flavor, std::move(worker));
  if (reply.header.contains("error")) throw UserError(read_diagnostic(reply.header["error"]));
  return reply;
}

void CompilePool::fail(const Request& request, const ChildFailed& failure) const {
  const bool input = !request.extension.empty();
  const auto saved = input
                         ? save_reproducer(request.flavor, request.target, request.payload, request.extension)
                         : std::string();
  std::string subject = !input ? "request '" + request.header.at("do").get<std::string>() + "'"
                        : request.kernel.empty() ? "the input"
                                                 : "kernel '" + request.kernel + "'";
  if (!request.target.empty()) subject += " for " + request.target;
  const auto action = input ? "choose another flavor, or change the kernel; the input is in " + saved
                            : "build this LLVM's plugin again, or choose another flavor";
  if (failure.timed_out())
    throw UserError({Code::llvm_timeout,
                     request.flavor + " not done with " + subject + " after " +
                         std::to_string(options_.timeout.count()) + " ms",
                     "an answer in time",
                     action + "; TWINIR_COMPILE_TIMEOUT sets the limit",
                     {}});
  throw UserError(
      {Code::llvm_crashed,
       request.flavor + " ended with " + failure.what() + " on " + subject + reason(failure.errors()),
       "LLVM to survive it",
       action,
       {}});
}

} // namespace twinir
