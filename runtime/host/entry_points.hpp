// SPDX-License-Identifier: MIT
// The functions that generated code calls, by name.
#pragma once
#include <string_view>
#include <vector>

namespace twinir::exec {

/// A function of the run time or of the C library.
struct EntryPoint {
  std::string_view name;
  void* address;
};

/// All of them.
[[nodiscard]] const std::vector<EntryPoint>& entry_points();

/// Kinds of poison, as generated code reports them: a number that packs operation, signedness and width.
enum class PoisonOp : unsigned {
  add,
  sub,
  mul,
  shl,
  shift,
  exact,
  division_by_zero,
  division_overflow,
  assume,
  to_integer
};
/// operation | is_signed << 8 | width << 16
[[nodiscard]] constexpr unsigned pack_poison(PoisonOp op, bool is_signed, unsigned width) {
  return static_cast<unsigned>(op) | static_cast<unsigned>(is_signed) << 8 | width << 16;
}

} // namespace twinir::exec
