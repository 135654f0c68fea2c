// SPDX-License-Identifier: MIT
// The wave operations, one function each, in one table.
#include "runtime/host/wave_ops.hpp"

#include <iterator>

#include "runtime/host/dpp.hpp"
#include "runtime/host/worker.hpp"

namespace twinir::exec {
namespace {

using Perform = void (*)(const Wave&);

std::uint32_t index_of(const LaneContext& lane, const Wave& wave) {
  return static_cast<std::uint32_t>(&lane - wave.lanes);
}

void read_first(const Wave& wave) {
  const std::uint64_t value = wave.operands(index_of(wave.first(), wave)).value;
  wave.each([&](LaneContext& lane) { wave.result(index_of(lane, wave), value); });
}

void report_inactive_source(const Wave& wave, LaneContext& lane, std::uint32_t source) {
  wave.worker.report(ExecCode::partial_wave, wave.site, lane, [&] {
    return FaultText{"lane " + std::to_string(source) + " is read while it is off", "a lane that is on",
                     "keep the lane active, or read another"};
  });
}

void report_several_sources(const Wave& wave, LaneContext& lane) {
  wave.worker.report(ExecCode::poison, wave.site, lane, [] {
    return FaultText{"a lane number that is not the same in the whole wave", "a uniform lane number",
                     "take it through readfirstlane, or shuffle"};
  });
}

void read_lane(const Wave& wave) {
  const auto first = static_cast<std::uint32_t>(wave.operands(index_of(wave.first(), wave)).other);
  wave.each([&](LaneContext& lane) {
    const std::uint32_t self = index_of(lane, wave);
    const auto number = static_cast<std::uint32_t>(wave.operands(self).other);
    const std::uint32_t source = number & (wave.size - 1);
    if (number != first) report_several_sources(wave, lane);
    if (!wave.active(source)) report_inactive_source(wave, lane, source);
    wave.result(self, wave.active(source) ? wave.operands(source).value : 0);
  });
}

void ballot(const Wave& wave) {
  std::uint64_t votes = 0;
  wave.each([&](LaneContext& lane) {
    const std::uint32_t self = index_of(lane, wave);
    votes |= (wave.operands(self).value & 1) << self;
  });
  wave.each([&](LaneContext& lane) { wave.result(index_of(lane, wave), votes); });
}

// Lanes that are off give 0, as the hardware does.
void permute(const Wave& wave) {
  wave.each([&](LaneContext& lane) {
    const std::uint32_t self = index_of(lane, wave);
    const auto source = static_cast<std::uint32_t>(wave.operands(self).other >> 2) & (wave.size - 1);
    wave.result(self, wave.active(source) ? wave.operands(source).value : 0);
  });
}

void dpp(const Wave& wave) {
  wave.each([&](LaneContext& lane) {
    const std::uint32_t self = index_of(lane, wave);
    const WaveOperands& own = wave.operands(self);
    const DppControl control = unpack_dpp(own.control);
    int source = dpp_source(control.control, self, wave.size);
    if (source >= 0 && !wave.active(static_cast<std::uint32_t>(source))) source = -1;
    if (!dpp_enabled(control, self))
      wave.result(self, own.other);
    else if (source >= 0)
      wave.result(self, wave.operands(static_cast<std::uint32_t>(source)).value);
    else
      wave.result(self, control.bound_control ? 0 : own.other);
  });
}

void wave_barrier(const Wave&) {}
void meet(const Wave&) {}

void async_wait(const Wave& wave) {
  wave.each([&](LaneContext& lane) {
    wave.worker.finish_copies(lane, static_cast<std::uint32_t>(wave.operands(index_of(lane, wave)).value));
  });
}

void report_several_bases(const Wave& wave, LaneContext& lane) {
  wave.worker.report(ExecCode::poison, wave.site, lane, [] {
    return FaultText{"an LDS base that is not the same in the whole wave",
                     "a uniform base: the instruction has one",
                     "give each lane its global address, and all lanes one base"};
  });
}

// A lane's bytes lie behind those of the lanes before it, whether those are on or not.
void load_lds(const Wave& wave) {
  const std::uint64_t base = wave.operands(index_of(wave.first(), wave)).other;
  wave.each([&](LaneContext& lane) {
    const std::uint32_t self = index_of(lane, wave);
    const WaveOperands& own = wave.operands(self);
    if (own.other != base) report_several_bases(wave, lane);
    wave.worker.async_copy(lane, AsyncCopy{reinterpret_cast<const void*>(own.value),
                                           reinterpret_cast<void*>(base + self * own.control),
                                           static_cast<std::uint32_t>(own.control), wave.site});
  });
}

using Matrix = void (*)(const MatrixOperands* const[], float* const[]);

// Lanes that are off count as zeros; the fault says that the hardware gives no defined result.
template <Matrix multiply, MatrixLayout layout> void matrix(const Wave& wave) {
  static const MatrixOperands zero{};
  if (!wave.full())
    wave.worker.report(ExecCode::partial_wave, wave.site, wave.first(), [&] {
      return FaultText{"a matrix multiply with " + std::to_string(std::popcount(wave.mask)) + " of " +
                           std::to_string(wave.size) + " lanes on",
                       "every lane of the wave", "move it out of divergent control flow; use whole waves"};
    });
  const MatrixOperands* operands[layout.wave];
  float* results[layout.wave];
  float unused[layout.sums()];
  for (std::uint32_t lane = 0; lane < layout.wave; ++lane) {
    const bool on = wave.active(lane);
    operands[lane] = on ? static_cast<const MatrixOperands*>(wave.lanes[lane].input) : &zero;
    results[lane] = on ? static_cast<float*>(wave.lanes[lane].output) : unused;
  }
  multiply(operands, results);
}

constexpr Perform table[] = {
    read_first, read_lane, ballot, permute, dpp, wave_barrier, async_wait, load_lds, meet,
#define TWINIR_MATRIX_OP(name, kind, layout) matrix<matrix_##name, layout>,
#include "runtime/host/matrix_byte_ops.def"
#include "runtime/host/matrix_ops.def"
#undef TWINIR_MATRIX_OP
};
static_assert(std::size(table) == static_cast<std::size_t>(WaveOp::count));

} // namespace

void perform(WaveOp operation, const Wave& wave) { table[static_cast<std::size_t>(operation)](wave); }

} // namespace twinir::exec
