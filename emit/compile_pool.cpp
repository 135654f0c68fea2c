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
  const std::string& payload;
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
  if (options_.program.empty())
    options_.program =
        environment("TWINIR_EXECUTABLE").value_or("/proc/self/exe"); // also when that was replaced
}

CompilePool::~CompilePool() = default;

Compiled CompilePool::compile(const CompileJob& job) {
  const auto& o = job.options;
  const Json header = {
      {"do", "compile"}, {"target", o.target}, {"opt", o.opt_level}, {"output", static_cast<int>(o.output)}};
  auto reply = ask({header, job.text, job.flavor, o.target, job.kernel, "ll"});
  const auto report = reply.header.at("report").dump();
  Compiled out{std::move(reply.payload), {}, parse_stage_times(report)};
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

std::unique_ptr<ChildProcess> CompilePool::start(const std::string& flavor) const {
  std::vector<std::string> command{options_.program.string(), "worker", "--flavor", flavor};
  command.insert(command.end(), options_.arguments.begin(), options_.arguments.end());
  try {
    return std::make_unique<ChildProcess>(command);
  } catch (const ChildFailed& e) {
    throw UserError({Code::toolchain_missing,
                     std::string("a compile worker that does not start: ") + e.what(),
                     "the program twinir",
                     "set TWINIR_EXECUTABLE to it",
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
  const auto saved = save_reproducer(request.flavor, request.target, request.payload, request.extension);
  std::string subject = request.kernel.empty() ? "the input" : "kernel '" + request.kernel + "'";
  if (!request.target.empty()) subject += " for " + request.target;
  const auto action = "choose another flavor, or change the kernel; the input is in " + saved;
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
