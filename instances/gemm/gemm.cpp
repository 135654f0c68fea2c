// SPDX-License-Identifier: MIT
// The batched GEMM: the loops over c, and the family.
#include "instances/gemm/parts.hpp"

#include "instances/family.hpp"

namespace twinir::gemm {
namespace {

/// Carried values in one list and back: sums, offsets, then single values.
struct Carried {
  Values sums, offsets, singles;

  [[nodiscard]] Values pack() const {
    Values all = sums;
    all.insert(all.end(), offsets.begin(), offsets.end());
    all.insert(all.end(), singles.begin(), singles.end());
    return all;
  }
  /// `all` in the parts of `like`.
  [[nodiscard]] static Carried unpack(const Values& all, const Carried& like) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(like.sums.size());
    const auto second = first + static_cast<std::ptrdiff_t>(like.offsets.size());
    return {{all.begin(), first}, {first, second}, {second, all.end()}};
  }
};

Carried loop(KernelBuilder& b, const Arg& low, const Value& high, const Carried& start, const std::function<Carried(Carried)>& body) {
  const auto step = [&](Value, const Values& all) { return body(Carried::unpack(all, start)).pack(); };
  return Carried::unpack(b.for_carry(low, high, 1, start.pack(), step, {"step", false}), start);
}

/// Global -> registers -> LDS. While a buffer is multiplied, the next step is on its way to registers.
Values through_registers(KernelBuilder& b, const GemmParts& parts) {
  const int buffer_bytes = parts.facts().buffer_bytes;
  parts.write(parts.load_first(), 0);
  b.barrier();
  const Carried start{parts.zero_sums(), parts.offsets(1), {b.zero(i32)}};
  const auto end = loop(b, 1, parts.steps(), start, [&](Carried now) {
    const auto pieces = parts.load(now.offsets);
    for (const auto& p : pieces) b.pin(p);
    b.sched_barrier();
    auto sums = parts.multiply_buffer(now.singles[0], now.sums);
    b.sched_barrier();
    const auto other = buffer_bytes - now.singles[0];
    parts.write(pieces, other);
    b.barrier();
    return Carried{std::move(sums), parts.advance(now.offsets), {other}};
  });
  return parts.multiply_buffer(end.singles[0], end.sums);
}

/// Asynchronous copies run `stages - 1` steps ahead; one barrier a step.
Values through_async(KernelBuilder& b, const GemmSpec& spec, const GemmParts& parts) {
  const int ahead = spec.stages - 1, buffer_bytes = parts.facts().buffer_bytes, all_bytes = parts.facts().lds_bytes;
  const auto next = [&](const Value& buffer) { return select(buffer == all_bytes - buffer_bytes, 0, buffer + buffer_bytes); };
  const auto copy = [&](const Values& offsets, const Value& buffer) { for (const auto& c : parts.copies(offsets, buffer)) c(); };

  parts.copy_first();
  for (int s = 1; s < ahead; ++s)
    b.if_(parts.steps() > s, [&] { copy(parts.offsets(s), b.constant(i32, s * buffer_bytes)); });

  const Carried start{parts.zero_sums(), parts.offsets(ahead), {b.zero(i32), b.constant(i32, ahead * buffer_bytes)}};
  const auto last_copy = parts.steps() - ahead;
  const auto steady = loop(b, 0, last_copy, start, [&](const Carried& now) {
    const auto &read = now.singles[0], &write = now.singles[1];
    b.wait_async((ahead - 1) * parts.facts().passes());
    b.barrier(); // the copies of every wave have arrived, and nobody reads the buffer that is written next
    copy(now.offsets, write);
    b.sched_barrier();
    return Carried{parts.multiply_buffer(read, now.sums), parts.advance(now.offsets), {next(read), next(write)}};
  });
  const Carried rest{steady.sums, {}, {steady.singles[0]}};
  return loop(b, smax(last_copy, 0), parts.steps(), rest, [&](const Carried& now) {
           b.wait_async(0);
           b.barrier();
           return Carried{parts.multiply_buffer(now.singles[0], now.sums), {}, {next(now.singles[0])}};
         }).sums;
}

KernelDef build(const GemmSpec& spec, const Target& target, const std::string& name) {
  KernelBuilder b{name, target, Workgroup{tile_facts(spec).items}};
  const GemmParts parts{b, spec};
  parts.store(spec.staging == Staging::registers ? through_registers(b, parts) : through_async(b, spec, parts));
  return b.finish();
}

} // namespace

Family gemm_family() {
  const Json f16_async{{"mode", "async"}, {"stages", 3}};
  return make_family<GemmSpec>({"gemm", "M[b] = V[b] * transposed U[b] for every bin, f32 accumulation", check, build,
                                {Json::object(),
                                 {{"k_step", 32}},
                                 {{"in", "bf16"}, {"block_t", 128}, {"block_n", 64}},
                                 {{"block_t", 128}, {"block_n", 128}, {"waves_n", 4}},
                                 f16_async,
                                 {{"in", "bf16"}, {"mode", "async"}, {"k_step", 32}},
                                 {{"block_t", 128}, {"block_n", 128}, {"waves_n", 4}, {"mode", "async"}, {"stages", 3}},
                                 {{"block_t", 256}, {"block_n", 128}, {"waves_t", 4}, {"mode", "async"}, {"stages", 4}}},
                                {{{"in", "f32"}},
                                 {{"out", "f16"}},
                                 {{"block_t", 96}},
                                 {{"waves_t", 8}},
                                 {{"block_t", 256}, {"block_n", 256}, {"waves_t", 8}, {"waves_n", 8}},
                                 {{"waves_t", 1}, {"waves_n", 1}},
                                 {{"stages", 3}},
                                 {{"block_t", 256}, {"block_n", 256}, {"waves_t", 4}, {"mode", "async"}, {"stages", 6}},
                                 {{"block_t", 256}, {"block_n", 256}, {"waves_t", 4}, {"waves_n", 8}}}});
}

} // namespace twinir::gemm
