// SPDX-License-Identifier: MIT
// Compiles, inspects and re-prints in warm worker processes: what LLVM does not survive ends a worker, not
// the caller.
#pragma once
// Guarantees: calls may come from any number of threads and run in parallel, up to `workers` at a time; a
// worker that crashed (TIR4002) or did not finish in time (TIR4009) is replaced, its input is kept as a
// reproducer, and the error names kernel, flavor, target and signal. Refusals of the plugin come through with
// their own code. The workers of a plugin with a loader are started by it.
#include "emit/child_process.hpp"
#include "emit/llvm_plugin.hpp"

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace twinir {

/// One kernel to compile.
struct CompileJob {
  std::string flavor; ///< "llvm22"
  std::string kernel; ///< its name, for messages
  std::string text;   ///< LLVM IR of that flavor
  CompileOptions options;
};

class CompilePool {
public:
  struct Options {
    unsigned workers = 0;                 ///< 0: one per core
    std::chrono::milliseconds timeout{0}; ///< 0: compile_timeout()
    std::filesystem::path program;        ///< empty: worker_program()
    std::vector<std::string> arguments;   ///< more arguments of `twinir worker`
    PluginFile plugin{}; ///< with a path: serves every request; else the flavor's is looked up
  };
  CompilePool();
  explicit CompilePool(Options options);
  ~CompilePool();
  CompilePool(const CompilePool&) = delete;
  CompilePool& operator=(const CompilePool&) = delete;

  [[nodiscard]] Compiled compile(const CompileJob& job);
  [[nodiscard]] CodeObjectReport inspect(const std::string& flavor, const std::string& code_object);
  [[nodiscard]] std::string reprint(const std::string& flavor, const std::string& text);
  /// As the functions of LlvmPlugin.
  [[nodiscard]] std::string emit(const std::string& flavor, const std::string& kernel_json);
  [[nodiscard]] std::string record(const std::string& flavor);
  [[nodiscard]] std::string literals(const std::string& flavor);
  [[nodiscard]] PluginInfo info(const std::string& flavor);

private:
  using Json = nlohmann::ordered_json;
  struct Request; ///< header, payload, and what to say about it
  struct Reply;
  [[nodiscard]] Reply ask(const Request& request);
  [[nodiscard]] Reply ask(ChildProcess& worker, const Request& request) const;
  [[nodiscard]] std::unique_ptr<ChildProcess> take(const std::string& flavor);
  void give(const std::string& flavor, std::unique_ptr<ChildProcess> worker);
  [[nodiscard]] std::string ask_for(const char* what, const std::string& flavor);
  [[nodiscard]] PluginFile behind_loader(const std::string& flavor) const;
  [[nodiscard]] std::vector<std::string> command(const std::string& flavor) const;
  [[nodiscard]] std::unique_ptr<ChildProcess> start(const std::string& flavor) const;
  [[noreturn]] void fail(const Request& request, const ChildFailed& failure) const;

  Options options_;
  std::mutex mutex_;
  std::condition_variable freed_;
  unsigned busy_ = 0;
  std::map<std::string, std::vector<std::unique_ptr<ChildProcess>>> idle_;
};

} // namespace twinir
