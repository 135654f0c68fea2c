// SPDX-License-Identifier: MIT
#include "runtime/host_executor.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "dsl/error.hpp"
#include "runtime/host/exec_plugin.h"

namespace twinir::host {

using Json = nlohmann::json;

namespace detail {

/// The plugin's functions. The shared object stays loaded: its memory for buffers and its handlers of signals
/// are the process's.
struct ExecPlugin {
  std::unique_ptr<void, int (*)(void*)> library{nullptr, &dlclose};
  decltype(&twinir_exec_abi) abi = nullptr;
  decltype(&twinir_exec_llvm) llvm = nullptr;
  decltype(&twinir_exec_load) load = nullptr;
  decltype(&twinir_exec_unload) unload = nullptr;
  decltype(&twinir_exec_alloc) alloc = nullptr;
  decltype(&twinir_exec_mark) mark = nullptr;
  decltype(&twinir_exec_free) free = nullptr;
  decltype(&twinir_exec_run) run = nullptr;
};

void BufferDeleter::operator()(std::byte* data) const noexcept { plugin->free(data); }
void KernelDeleter::operator()(void* kernel) const noexcept {
  plugin->unload(static_cast<twinir_exec_kernel*>(kernel));
}

} // namespace detail

namespace {

using detail::ExecPlugin;

// What the plugin writes: an answer or an error, each in pieces.
struct Answer {
  std::string text;
  std::string error;
  static void take_text(void* user, const char* data, std::size_t size) {
    static_cast<Answer*>(user)->text.append(data, size);
  }
  static void take_error(void* user, const char* data, std::size_t size) {
    static_cast<Answer*>(user)->error.append(data, size);
  }
};

[[noreturn]] void missing(std::string found, std::string expected) {
  throw UserError({Code::toolchain_missing, std::move(found), std::move(expected),
                   "build the plugin for that LLVM, or set TWINIR_PLUGIN_DIR to its folder", ""});
}

[[noreturn]] void throw_error(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) throw InternalError("the executor plugin failed without saying why");
  const std::string code = json.value("code", "TIR5001");
  throw UserError({static_cast<Code>(std::stoi(code.substr(3))), json.value("found", ""),
                   json.value("expected", ""), json.value("action", ""), ""});
}

template <class Function> void bind(const ExecPlugin& plugin, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(plugin.library.get(), name));
  if (function == nullptr)
    missing(std::string("no function ") + name + " in the plugin", "an executor plugin");
}

void bind_all(ExecPlugin& plugin) {
  bind(plugin, "twinir_exec_abi", plugin.abi);
  bind(plugin, "twinir_exec_llvm", plugin.llvm);
  bind(plugin, "twinir_exec_load", plugin.load);
  bind(plugin, "twinir_exec_unload", plugin.unload);
  bind(plugin, "twinir_exec_alloc", plugin.alloc);
  bind(plugin, "twinir_exec_mark", plugin.mark);
  bind(plugin, "twinir_exec_free", plugin.free);
  bind(plugin, "twinir_exec_run", plugin.run);
}

KernelInfo read_info(const std::string& text) {
  const Json json = Json::parse(text);
  KernelInfo info;
  info.name = json.at("kernel");
  info.wave = json.at("wave");
  info.block = json.at("block");
  info.lds_bytes = json.at("lds_bytes");
  info.kernarg_bytes = json.at("kernarg_bytes");
  for (const Json& argument : json.at("args"))
    info.arguments.push_back(
        {argument.at("name"), argument.at("offset"), argument.at("size"), argument.at("type")});
  const Json& ms = json.at("ms");
  info.ms = {ms.at("parse"), ms.at("lower"), ms.at("optimise"), ms.at("codegen")};
  return info;
}

Fault read_fault(const Json& json) {
  Fault fault;
  fault.code = json.at("code");
  fault.count = json.at("count");
  fault.group = json.at("group");
  fault.item = json.at("item");
  fault.wave = json.at("wave");
  fault.lane = json.at("lane");
  fault.ir = json.at("ir");
  fault.found = json.at("found");
  fault.expected = json.at("expected");
  fault.action = json.at("action");
  return fault;
}

LaunchReport read_report(const std::string& text) {
  const Json json = Json::parse(text);
  LaunchReport report;
  report.work_items = json.at("work_items");
  report.ms = json.at("ms");
  report.switches = json.at("switches");
  report.collectives = json.at("collectives");
  report.checks = json.at("checks");
  report.clamped_buffer_accesses = json.at("clamped_buffer_accesses");
  for (const Json& fault : json.at("faults")) report.faults.push_back(read_fault(fault));
  return report;
}

std::filesystem::path folder_of_library() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&read_info), &info) == 0 || info.dli_fname == nullptr) return {};
  return std::filesystem::absolute(info.dli_fname).parent_path();
}

std::vector<std::filesystem::path> plugin_folders() {
  if (const char* folder = std::getenv("TWINIR_PLUGIN_DIR"); folder != nullptr && *folder != 0)
    return {folder};
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const std::filesystem::path library = folder_of_library();
  return {program.parent_path() / ".." / "lib" / "twinir", library / "twinir", library / "lib" / "twinir",
          library / ".." / "lib" / "twinir", library};
}

} // namespace

std::string Fault::text() const {
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  return code + ": found " + found + "; expected " + expected + "; to do: " + action + "\n  at group " +
         number(group[0]) + "," + number(group[1]) + "," + number(group[2]) + " item " + number(item) +
         " (wave " + number(wave) + " lane " + number(lane) + "), " + std::to_string(count) + " times: " + ir;
}

void LaunchReport::require_clean() const {
  if (faults.empty()) return;
  const Fault& first = faults.front();
  const std::string more =
      faults.size() == 1 ? "" : " (and " + std::to_string(faults.size() - 1) + " other faults)";
  throw UserError({static_cast<Code>(std::stoi(first.code.substr(3))), first.found + " at " + first.ir + more,
                   first.expected, first.action, ""});
}

Buffer::Buffer(std::byte* data, std::size_t size, std::shared_ptr<const ExecPlugin> plugin)
    : data_(data, {std::move(plugin)}), size_(size) {}

void Buffer::write_bytes(std::span<const std::byte> bytes) {
  if (bytes.size() > size_)
    throw UserError({Code::exec_bad_launch, std::to_string(bytes.size()) + " bytes for a buffer",
                     "at most " + std::to_string(size_) + " bytes", "make the buffer larger", ""});
  if (!bytes.empty()) std::memcpy(data_.get(), bytes.data(), bytes.size());
  data_.get_deleter().plugin->mark(data_.get(), bytes.size());
}

void Buffer::mark_written() { data_.get_deleter().plugin->mark(data_.get(), size_); }

KernelArguments::KernelArguments(const KernelInfo& info)
    : layout_(info.arguments), bytes_(info.kernarg_bytes) {}

KernelArguments& KernelArguments::set(std::size_t index, const Buffer& buffer) {
  const std::byte* address = buffer.data();
  return set_bytes(index, std::as_bytes(std::span(&address, 1)));
}

KernelArguments& KernelArguments::set_bytes(std::size_t index, std::span<const std::byte> bytes) {
  if (index >= layout_.size())
    throw UserError({Code::exec_bad_launch, "argument " + std::to_string(index),
                     "at most " + std::to_string(layout_.size()) + " arguments",
                     "pass the kernel's own arguments", ""});
  const KernelArgumentInfo& argument = layout_[index];
  if (bytes.size() != argument.size)
    throw UserError({Code::exec_bad_launch,
                     std::to_string(bytes.size()) + " bytes for argument " + argument.name,
                     std::to_string(argument.size) + " bytes (" + argument.type + ")",
                     "pass a value of the argument's type", ""});
  std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(argument.offset));
  return *this;
}

Kernel::Kernel(void* kernel, KernelInfo info, std::shared_ptr<const ExecPlugin> plugin)
    : kernel_(kernel, {std::move(plugin)}), info_(std::move(info)) {}

LaunchReport Kernel::run(std::span<const std::byte> kernarg, const LaunchOptions& options) const {
  twinir_exec_launch launch{};
  std::copy(options.grid.begin(), options.grid.end(), launch.grid);
  std::copy(options.block.begin(), options.block.end(), launch.block);
  launch.threads = options.threads;
  launch.lane_order = options.lane_order;
  Answer answer;
  auto* kernel = static_cast<twinir_exec_kernel*>(kernel_.get());
  if (kernel_.get_deleter().plugin->run(kernel, kernarg.data(), kernarg.size(), &launch, &Answer::take_text,
                                        &Answer::take_error, &answer) != 0)
    throw_error(answer.error);
  return read_report(answer.text);
}

HostExecutor HostExecutor::open(const std::filesystem::path& path) {
  auto plugin = std::make_shared<ExecPlugin>();
  plugin->library.reset(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE));
  if (plugin->library == nullptr) {
    const char* reason = dlerror();
    missing(reason == nullptr ? path.string() : reason, "an executor plugin");
  }
  bind_all(*plugin);
  if (plugin->abi() != TWINIR_EXEC_ABI)
    missing("interface version " + std::to_string(plugin->abi()),
            "version " + std::to_string(TWINIR_EXEC_ABI));
  return HostExecutor(std::move(plugin));
}

std::string HostExecutor::llvm_version() const { return plugin_->llvm(); }

Kernel HostExecutor::load(std::string_view ir, const LoadOptions& options) const {
  const twinir_exec_options wanted{options.checked ? 1u : 0u, options.opt_level};
  Answer answer;
  twinir_exec_kernel* kernel =
      plugin_->load(ir.data(), ir.size(), &wanted, &Answer::take_text, &Answer::take_error, &answer);
  if (kernel == nullptr) throw_error(answer.error);
  return Kernel(kernel, read_info(answer.text), plugin_);
}

Buffer HostExecutor::alloc(std::size_t bytes, const std::string& name, bool initialised) const {
  Answer answer;
  void* data = plugin_->alloc(bytes, name.c_str(), initialised ? 1 : 0, &Answer::take_error, &answer);
  if (data == nullptr) throw_error(answer.error);
  return Buffer(static_cast<std::byte*>(data), bytes, plugin_);
}

std::filesystem::path find_plugin(unsigned llvm_major) {
  const std::string file = "twinir-exec-" + std::to_string(llvm_major) + ".so";
  std::string searched;
  for (const std::filesystem::path& folder : plugin_folders()) {
    std::error_code ignored;
    if (std::filesystem::exists(folder / file, ignored))
      return std::filesystem::weakly_canonical(folder / file);
    searched += (searched.empty() ? "" : ", ") + folder.lexically_normal().string();
  }
  missing("no " + file + " in " + searched, "the executor plugin of LLVM " + std::to_string(llvm_major));
}

} // namespace twinir::host
