// SPDX-License-Identifier: MIT
#include "runtime/host/poison.hpp"

#include <string>

#include "runtime/host/entry_points.hpp"
#include "runtime/host/worker.hpp"

namespace twinir::exec {
namespace {

struct Case {
  unsigned width;
  bool is_signed;
  std::uint64_t a;
  std::uint64_t b;
};

std::string number(const Case& c, std::uint64_t value) {
  if (!c.is_signed || c.width == 0 || c.width > 64) return std::to_string(value);
  return std::to_string(static_cast<std::int64_t>(value << (64 - c.width)) >> (64 - c.width));
}

FaultText wraps(const Case& c, const char* sign) {
  return {"poison: i" + std::to_string(c.width) + " " + number(c, c.a) + sign + number(c, c.b) + " wraps",
          c.is_signed ? "no signed wrap (nsw)" : "no unsigned wrap (nuw)",
          "widen the arithmetic, or drop the flag if the wrap is meant"};
}

FaultText add(const Case& c) { return wraps(c, " + "); }
FaultText sub(const Case& c) { return wraps(c, " - "); }
FaultText mul(const Case& c) { return wraps(c, " * "); }
FaultText shl(const Case& c) { return wraps(c, " << "); }

FaultText shift(const Case& c) {
  return {"poison: shift " + std::to_string(c.b) + " of " + std::to_string(c.width) + " bits",
          "a shift by less than the width", "mask or clamp the amount"};
}

FaultText exact(const Case& c) {
  return {"poison: an exact operation on " + number(c, c.a) + " and " + number(c, c.b) + " loses bits",
          "no remainder (exact)", "drop the flag"};
}

FaultText division_by_zero(const Case& c) {
  return {"division of " + number(c, c.a) + " by 0", "a divisor other than 0", "guard the division"};
}

FaultText division_overflow(const Case& c) {
  return {"poison: i" + std::to_string(c.width) + " " + number(c, c.a) + " / -1 wraps",
          "a quotient that fits", "guard the division"};
}

FaultText assume(const Case&) {
  return {"poison: an assumption is false", "llvm.assume of a true condition", "correct the assumption"};
}

FaultText to_integer(const Case& c) {
  return {"poison: a float does not fit i" + std::to_string(c.width),
          "a value in the range of the integer type", "clamp the value, or use the saturating conversion"};
}

using Describe = FaultText (*)(const Case&);
constexpr Describe table[] = {add,    sub,       mul, shl, shift, exact, division_by_zero, division_overflow,
                              assume, to_integer};

} // namespace

void report_poison(LaneContext& lane, std::uint32_t kind, std::uint64_t a, std::uint64_t b,
                   std::uint32_t site) {
  const auto op = static_cast<PoisonOp>(kind & 255);
  const Case c{kind >> 16, (kind >> 8 & 1) != 0, a, b};
  const ExecCode code = op == PoisonOp::division_by_zero ? ExecCode::division_by_zero : ExecCode::poison;
  lane.worker->report(code, site, lane, [&] { return table[static_cast<unsigned>(op)](c); });
}

} // namespace twinir::exec
