// SPDX-License-Identifier: MIT
// The interpreter of kernel descriptions: slow and plain, the reference meaning of every operation.
#pragma once
// Guarantees: no LLVM, no code generation. All items of a work-group run statement by statement in lockstep;
// regions run under a mask of the items that are in them. Floats are rounded once, to nearest even; every NaN
// that arithmetic makes is the positive quiet one; one that is only moved, a constant too, keeps its bits.
// rcp, rsq, exp2 and log2 are exact values rounded once: hardware differs by 1 ulp. Refuses with coded
// UserErrors that name the statement, the group and the item: accesses outside every buffer or LDS,
// misaligned accesses, reads of LDS that nobody wrote, poison that is used, divisions by zero, barriers and
// matrix operations that not all items reach, async copies that nobody waits for. Races are not looked for:
// lockstep is one of the orders that the kernel allows.
#include "dsl/kernel_def.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace twinir {

/// The buffers that a kernel may touch. Addresses are those of the host memory, which the caller keeps alive.
class InterpreterMemory {
public:
  struct Buffer {
    std::string name;
    std::uint64_t address = 0;
    std::span<std::byte> bytes;
  };

  /// Returns the address to pass as the argument.
  std::uint64_t add(std::string name, std::span<std::byte> bytes);
  template <class T> std::uint64_t add(std::string name, std::vector<T>& elements) {
    return add(std::move(name), std::as_writable_bytes(std::span(elements)));
  }
  /// The buffer in which [address, address + size) lies wholly; null when there is none.
  [[nodiscard]] const Buffer* find(std::uint64_t address, std::uint64_t size) const;
  [[nodiscard]] const std::vector<Buffer>& buffers() const { return buffers_; }

private:
  std::vector<Buffer> buffers_;
};

struct InterpreterLaunch {
  std::array<std::uint32_t, 3> grid{1, 1, 1}; ///< work-groups
  std::vector<std::byte> kernargs;            ///< every parameter at its natural alignment, in order
};

/// Kernel arguments from bit patterns by name (pointers as addresses); refuses missing and unknown ones.
[[nodiscard]] std::vector<std::byte> interpreter_kernargs(const KernelDef& kernel,
                                                          const std::map<std::string, std::uint64_t>& values);

/// Runs a verified kernel to its end, one work-group after the other, x fastest. Throws UserError.
void interpret(const KernelDef& kernel, const InterpreterLaunch& launch, InterpreterMemory& memory);

} // namespace twinir
