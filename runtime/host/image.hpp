// SPDX-License-Identifier: MIT
// KernelImage: what running a loaded kernel needs; no LLVM in it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/host/context.hpp"
#include "runtime/host/sites.hpp"

namespace twinir::exec {

/// An explicit kernel argument.
struct KernelArgument {
  std::string name;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::string type;     ///< as the IR prints it
  bool writable = true; ///< not marked readonly or readnone
};

/// Limits on the group that the kernel's attributes state.
struct GroupShape {
  std::uint32_t block[3] = {0, 0, 0}; ///< reqd_work_group_size; zeros: not stated
  std::uint32_t least = 1;            ///< items, from amdgpu-flat-work-group-size
  std::uint32_t most = 1024;
};

/// A constant table of the module, as the compiled code holds it.
struct ConstantRegion {
  std::string name;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
};

/// Milliseconds of the steps of loading.
struct LoadTimes {
  double parse = 0;
  double lower = 0;
  double optimise = 0;
  double codegen = 0;
};

struct KernelImage {
  std::string name;
  std::vector<KernelArgument> arguments;
  std::uint64_t kernarg_bytes = 0; ///< explicit ones
  GroupShape shape;
  std::uint32_t wave = 32;
  std::uint64_t lds_bytes = 0;
  std::uint32_t lds_granule = 2; ///< 1 when single bytes of LDS are accessed
  std::uint64_t stack_bytes = 0; ///< frame of the compiled kernel
  bool fibers = false;           ///< barriers, wave operations or asynchronous copies occur
  bool checked = false;
  KernelFunction run = nullptr;
  Sites sites;
  std::vector<ConstantRegion> constants;
  LoadTimes times;
};

} // namespace twinir::exec
