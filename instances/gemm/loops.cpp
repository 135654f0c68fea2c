// SPDX-License-Identifier: MIT
#include "instances/gemm/loops.hpp"

namespace twinir::gemm {

Values Carried::pack() const {
  Values all = sums;
  all.insert(all.end(), offsets.begin(), offsets.end());
  all.insert(all.end(), singles.begin(), singles.end());
  return all;
}

Carried Carried::unpack(const Values& all, const Carried& like) {
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(like.sums.size());
  const auto second = first + static_cast<std::ptrdiff_t>(like.offsets.size());
  return {{all.begin(), first}, {first, second}, {second, all.end()}};
}

Carried loop(KernelBuilder& b, const Arg& low, const Value& high, const Carried& start,
             const std::function<Carried(const Carried&)>& body) {
  const auto step = [&](Value, const Values& all) { return body(Carried::unpack(all, start)).pack(); };
  return Carried::unpack(b.for_carry(low, high, 1, start.pack(), step, {"step", false}), start);
}

Value next_buffer(const TileFacts& facts, const Value& buffer) {
  return select(buffer == facts.lds_bytes - facts.buffer_bytes, 0, buffer + facts.buffer_bytes);
}

void fill_buffers(KernelBuilder& b, const GemmParts& parts, int count) {
  parts.copy_first();
  for (int s = 1; s < count; ++s)
    b.if_(parts.steps() > s, [&] {
      for (const auto& copy : parts.copies(parts.offsets(s), b.constant(i32, s * parts.facts().buffer_bytes)))
        copy();
    });
}

Values through_registers(KernelBuilder& b, const GemmParts& parts) {
  parts.write(parts.load_first(), 0);
  b.barrier();
  const Carried start{parts.zero_sums(), parts.offsets(1), {b.zero(i32)}};
  const auto end = loop(b, 1, parts.steps(), start, [&](const Carried& now) {
    const auto pieces = parts.load(now.offsets);
    for (const auto& p : pieces) b.pin(p);
    b.sched_barrier();
    auto sums = parts.multiply_buffer(now.singles[0], now.sums);
    b.sched_barrier();
    const auto other = parts.facts().buffer_bytes - now.singles[0];
    parts.write(pieces, other);
    b.barrier();
    return Carried{std::move(sums), parts.advance(now.offsets), {other}};
  });
  return parts.multiply_buffer(end.singles[0], end.sums);
}

Values through_async(KernelBuilder& b, const GemmSpec& spec, const GemmParts& parts) {
  const int ahead = spec.stages - 1;
  const auto next = [&](const Value& buffer) { return next_buffer(parts.facts(), buffer); };
  fill_buffers(b, parts, ahead);

  const Carried start{parts.zero_sums(),
                      parts.offsets(ahead),
                      {b.zero(i32), b.constant(i32, ahead * parts.facts().buffer_bytes)}};
  const auto last_copy = parts.steps() - ahead;
  const auto steady = loop(b, 0, last_copy, start, [&](const Carried& now) {
    const auto &read = now.singles[0], &write = now.singles[1];
    b.wait_async((ahead - 1) * parts.facts().passes());
    b.barrier(); // the copies of every wave have arrived, and nobody reads the buffer that is written next
    for (const auto& copy : parts.copies(now.offsets, write)) copy();
    b.sched_barrier();
    return Carried{
        parts.multiply_buffer(read, now.sums), parts.advance(now.offsets), {next(read), next(write)}};
  });

  const Carried rest{steady.sums, {}, {steady.singles[0]}};
  const auto end = loop(b, smax(last_copy, 0), parts.steps(), rest, [&](const Carried& now) {
    b.wait_async(0);
    b.barrier();
    return Carried{parts.multiply_buffer(now.singles[0], now.sums), {}, {next(now.singles[0])}};
  });
  return end.sums;
}

} // namespace twinir::gemm
