// SPDX-License-Identifier: MIT
// Refusal: why the plugin says no, in the words of dsl/codes.def.
#pragma once
// Thrown inside the plugin only; plugin.cpp turns it into JSON before anything crosses the C interface.
#include <string>
#include <utility>

namespace twinir::exec {

/// The error numbers this room hands out (the list is dsl/codes.def).
enum class ExecCode : int {
  lds_too_large = 1005,
  verify_failed = 3004,
  codegen_failed = 4003,
  unsupported = 5001,
  bad_launch = 5002,
  out_of_bounds = 5003,
  uninitialised = 5004,
  race = 5005,
  divergent_barrier = 5006,
  poison = 5007,
  division_by_zero = 5008,
  async_pending = 5009,
  partial_wave = 5010,
  out_of_memory = 5011,
  misaligned = 5012,
  trap = 5014,
};

/// "TIR5001" for a code.
[[nodiscard]] inline std::string text(ExecCode code) {
  return "TIR" + std::to_string(static_cast<int>(code));
}

/// A load, launch or allocation that is not done.
struct Refusal {
  ExecCode code;
  std::string found;
  std::string expected;
  std::string action;
};

/// Throws TIR5001 for something the executor has no meaning for.
[[noreturn]] inline void refuse_unsupported(std::string what) {
  throw Refusal{ExecCode::unsupported, std::move(what), "an instruction or intrinsic the host executor knows",
                "use another operation, or add a handler to runtime/host"};
}

} // namespace twinir::exec
