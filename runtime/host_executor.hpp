// SPDX-License-Identifier: MIT
// HostExecutor: runs AMDGPU LLVM IR on the CPU; the C++ face of runtime/host/exec_plugin.h.
#pragma once
// The plugin is loaded at run time, so this header and its library need no LLVM. Errors are UserError with
// the code the plugin gave. Handles free themselves; buffers and kernels keep the plugin loaded.
//
//   using namespace twinir::host;
//   HostExecutor executor = HostExecutor::open(find_plugin(22));
//   Kernel kernel = executor.load(ir, {.checked = true});
//   Buffer x = executor.alloc(4096, "x", true);
//   KernelArguments arguments(kernel.info());
//   arguments.set(0, x).set(1, 1.5f);
//   LaunchReport report = kernel.run(arguments, {.grid = {16, 1, 1}, .block = {256, 1, 1}});
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace twinir::host {

/// An explicit kernel argument: where its bytes go.
struct KernelArgumentInfo {
  std::string name;
  std::uint64_t offset = 0; ///< bytes into the kernarg block
  std::uint64_t size = 0;   ///< bytes
  std::string type;         ///< as the IR prints it: "ptr addrspace(1)"
};

/// Milliseconds of the steps of loading.
struct LoadTimes {
  double parse = 0;
  double lower = 0;
  double optimise = 0;
  double codegen = 0;
  [[nodiscard]] double total() const { return parse + lower + optimise + codegen; }
};

/// What a loaded kernel says about itself.
struct KernelInfo {
  std::string name;
  std::uint32_t wave = 0;               ///< 32 or 64
  std::array<std::uint32_t, 3> block{}; ///< zeros: any block of an allowed size
  std::uint64_t lds_bytes = 0;
  std::uint64_t kernarg_bytes = 0; ///< explicit arguments only
  std::vector<KernelArgumentInfo> arguments;
  LoadTimes ms;
};

/// Something a launch did wrong; the first occurrence in (group, item) order.
struct Fault {
  std::string code;        ///< "TIR5003"
  std::uint64_t count = 0; ///< occurrences at this instruction
  std::array<std::uint32_t, 3> group{};
  std::uint32_t item = 0;
  std::uint32_t wave = 0;
  std::uint32_t lane = 0;
  std::string ir; ///< the instruction's text
  std::string found;
  std::string expected;
  std::string action;

  /// "TIR5003 ... at group 0,0,0 item 3: %v = load ...".
  [[nodiscard]] std::string text() const;
};

/// What a launch did. Everything but `ms` is the same for any number of threads.
struct LaunchReport {
  std::uint64_t work_items = 0;
  double ms = 0;
  std::uint64_t switches = 0;
  std::uint64_t collectives = 0;
  std::uint64_t checks = 0;
  std::uint64_t clamped_buffer_accesses = 0;
  std::vector<Fault> faults;

  /// Throws UserError with the first fault's code; does nothing when there is none.
  void require_clean() const;
};

/// How a kernel is compiled for the host.
struct LoadOptions {
  bool checked = false;   ///< bounds, initialisation, LDS races, poison, divergence
  unsigned opt_level = 2; ///< 0 to 3
};

/// How a kernel is run.
struct LaunchOptions {
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::uint32_t threads = 0;    ///< host threads; 0: one per core
  std::uint32_t lane_order = 0; ///< 0: lanes in order; else a seed that shuffles them
};

namespace detail {
struct ExecPlugin;
struct BufferDeleter {
  std::shared_ptr<const ExecPlugin> plugin;
  void operator()(std::byte* data) const noexcept;
};
struct KernelDeleter {
  std::shared_ptr<const ExecPlugin> plugin;
  void operator()(void* kernel) const noexcept;
};
} // namespace detail

/// A guarded buffer; starts as poison (0xFF bytes), 256-byte aligned.
class Buffer {
public:
  [[nodiscard]] std::byte* data() const noexcept { return data_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The bytes as elements; the size is rounded down to whole ones.
  template <class Element> [[nodiscard]] std::span<Element> as() const noexcept {
    return {reinterpret_cast<Element*>(data_.get()), size_ / sizeof(Element)};
  }
  /// Copies elements to the front and declares those bytes written. Throws UserError when they do not fit.
  template <class Element> void write(std::span<const Element> elements) {
    write_bytes(std::as_bytes(elements));
  }
  template <class Element> void write(const std::vector<Element>& elements) {
    write_bytes(std::as_bytes(std::span(elements)));
  }
  void write_bytes(std::span<const std::byte> bytes);
  /// Declares all bytes written, for host code that filled the buffer through data().
  void mark_written();

private:
  friend class HostExecutor;
  Buffer(std::byte* data, std::size_t size, std::shared_ptr<const detail::ExecPlugin> plugin);
  std::unique_ptr<std::byte, detail::BufferDeleter> data_;
  std::size_t size_ = 0;
};

/// The kernarg bytes of a launch, argument by argument.
class KernelArguments {
public:
  explicit KernelArguments(const KernelInfo& info);
  /// Sets argument `index`. Throws UserError (TIR5002) when the value's size is not the argument's.
  KernelArguments& set(std::size_t index, const Buffer& buffer);
  template <class Value> KernelArguments& set(std::size_t index, const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    return set_bytes(index, std::as_bytes(std::span(&value, 1)));
  }
  KernelArguments& set_bytes(std::size_t index, std::span<const std::byte> bytes);
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

private:
  std::vector<KernelArgumentInfo> layout_;
  std::vector<std::byte> bytes_;
};

/// A loaded kernel. Launches of one kernel from several threads are allowed.
class Kernel {
public:
  [[nodiscard]] const KernelInfo& info() const noexcept { return info_; }
  /// Runs a launch to its end; faults are in the report. Throws UserError when the launch is refused.
  [[nodiscard]] LaunchReport run(std::span<const std::byte> kernarg, const LaunchOptions& options) const;
  [[nodiscard]] LaunchReport run(const KernelArguments& arguments, const LaunchOptions& options) const {
    return run(arguments.bytes(), options);
  }

private:
  friend class HostExecutor;
  Kernel(void* kernel, KernelInfo info, std::shared_ptr<const detail::ExecPlugin> plugin);
  std::unique_ptr<void, detail::KernelDeleter> kernel_;
  KernelInfo info_;
};

class HostExecutor {
public:
  /// Loads a plugin. Throws UserError (TIR4006) when it cannot be loaded or speaks another interface version.
  [[nodiscard]] static HostExecutor open(const std::filesystem::path& plugin);
  /// The version of the plugin's LLVM, "22.1.8".
  [[nodiscard]] std::string llvm_version() const;
  /// Compiles a module with one kernel. Throws UserError.
  [[nodiscard]] Kernel load(std::string_view ir, const LoadOptions& options = {}) const;
  /// A buffer whose bytes count as written (`initialised`) or not. Throws UserError (TIR5011).
  [[nodiscard]] Buffer alloc(std::size_t bytes, const std::string& name, bool initialised) const;

private:
  explicit HostExecutor(std::shared_ptr<const detail::ExecPlugin> plugin) : plugin_(std::move(plugin)) {}
  std::shared_ptr<const detail::ExecPlugin> plugin_;
};

/// The executor plugin of an LLVM: in the folder TWINIR_PLUGIN_DIR when that is set, else in ../lib/twinir of
/// the running program, else beside the library that holds this function, also in lib/twinir there. Throws UserError (TIR4006) with the
/// places that were searched.
[[nodiscard]] std::filesystem::path find_plugin(unsigned llvm_major);

} // namespace twinir::host

namespace twinir {
using host::HostExecutor;
} // namespace twinir
