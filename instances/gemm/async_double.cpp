// SPDX-License-Identifier: MIT
// The pipelined loop: asynchronous copies `stages` steps ahead, fragments one slice ahead, a split barrier.
#include "instances/gemm/loops.hpp"

namespace twinir::gemm {
namespace {

using Bodies = std::vector<KernelBuilder::Body>;

class Pipeline {
public:
  Pipeline(KernelBuilder& b, const GemmSpec& spec, const GemmParts& parts)
      : b_(b), stages_(spec.stages), parts_(parts) {}

  Values run() {
    fill_buffers(b_, parts_, stages_);
    const int copies = parts_.facts().passes();
    b_.if_(
        parts_.steps() >= stages_, [&] { b_.wait_async((stages_ - 1) * copies); }, [&] { b_.wait_async(0); });
    b_.barrier();
    const auto buffer = b_.zero(i32);
    const Carried start{parts_.zero_sums(), parts_.offsets(stages_),
                        singles(buffer, pinned(parts_.fragments(buffer, 0)))};
    const auto last_copy = parts_.steps() - stages_;
    const auto steady = loop(b_, 0, last_copy, start, [&](const Carried& now) { return step(now, true); });
    const Carried rest{steady.sums, {}, steady.singles};
    const auto drained = loop(b_, smax(last_copy, 0), parts_.steps() - 1, rest,
                              [&](const Carried& now) { return step(now, false); });
    return last_step(drained);
  }

private:
  /// One buffer. Its last slice multiplies while the first fragments of the next buffer are read and, in the
  /// steady state, the buffer that was just left is filled again.
  Carried step(const Carried& now, bool steady) {
    const auto buffer = now.singles[0];
    auto [sums, fragments] = slices(now, [&] { arrive(steady); });
    b_.barrier_wait();
    const auto ahead = next_buffer(parts_.facts(), buffer);
    Fragments next;
    auto fill = reads(ahead, 0, next);
    if (steady)
      for (auto& copy : parts_.copies(now.offsets, buffer)) fill.push_back(std::move(copy));
    sums = products(fragments, std::move(sums), fill, {});
    return {std::move(sums), steady ? parts_.advance(now.offsets) : Values{}, singles(ahead, next)};
  }

  Values last_step(const Carried& now) {
    auto [sums, fragments] = slices(now, {});
    return parts_.multiply(fragments, std::move(sums));
  }

  /// All slices but the last; gives the fragments of the last one. `arrive` runs when all of the buffer is
  /// read.
  std::pair<Values, Fragments> slices(const Carried& now, const KernelBuilder::Body& arrive) {
    auto sums = now.sums;
    auto fragments = fragments_of(now);
    const int last = parts_.facts().slices - 1;
    for (int slice = 0; slice < last; ++slice) {
      Fragments next;
      const auto fill = reads(now.singles[0], slice + 1, next);
      sums = products(fragments, std::move(sums), fill, slice + 1 == last ? arrive : KernelBuilder::Body{});
      fragments = std::move(next);
    }
    if (last == 0 && arrive) arrive();
    return {std::move(sums), std::move(fragments)};
  }

  /// The wave's copies for the next step are there, and it has read all of its buffer.
  void arrive(bool steady) {
    b_.wait_async(steady ? (stages_ - 2) * parts_.facts().passes() : 0);
    b_.barrier_signal();
  }

  /// The reads of a slice, one action each.
  Bodies reads(const Value& buffer, int slice, Fragments& into) {
    into.a.resize(static_cast<std::size_t>(parts_.facts().matrices_n));
    into.b.resize(static_cast<std::size_t>(parts_.facts().matrices_t));
    Bodies out;
    for (std::size_t i = 0; i < into.a.size(); ++i)
      out.emplace_back(
          [=, this, &into] { into.a[i] = b_.pin(parts_.fragment_a(buffer, slice, static_cast<int>(i))); });
    for (std::size_t j = 0; j < into.b.size(); ++j)
      out.emplace_back(
          [=, this, &into] { into.b[j] = b_.pin(parts_.fragment_b(buffer, slice, static_cast<int>(j))); });
    return out;
  }

  /// Products with `fill` spread over the first three quarters, then `arrive`. The scheduling barriers keep
  /// the code generator from collecting the fill in one place.
  Values products(const Fragments& f, Values sums, const Bodies& fill, const KernelBuilder::Body& arrive) {
    const int total = static_cast<int>(sums.size()), count = static_cast<int>(fill.size());
    const int spread = std::max(1, total * 3 / 4), arrival = std::min(total, spread + std::max(1, total / 8));
    int filled = 0;
    return parts_.multiply(f, std::move(sums), [&](int done) {
      const int due = std::min(count, (count * done + spread - 1) / spread);
      const bool some = filled < due;
      while (filled < due) fill[static_cast<std::size_t>(filled++)]();
      const bool arrives = arrive && done == arrival;
      if (arrives) arrive();
      if (some || arrives) b_.sched_barrier();
    });
  }

  Fragments pinned(const Fragments& f) {
    for (const auto& x : f.a) b_.pin(x);
    for (const auto& x : f.b) b_.pin(x);
    return f;
  }

  static Values singles(const Value& buffer, const Fragments& f) {
    Values out{buffer};
    out.insert(out.end(), f.a.begin(), f.a.end());
    out.insert(out.end(), f.b.begin(), f.b.end());
    return out;
  }
  [[nodiscard]] Fragments fragments_of(const Carried& now) const {
    const auto first = now.singles.begin() + 1, second = first + parts_.facts().matrices_n;
    return {{first, second}, {second, now.singles.end()}};
  }

  KernelBuilder& b_;
  int stages_;
  const GemmParts& parts_;
};

} // namespace

Values through_async_double(KernelBuilder& b, const GemmSpec& spec, const GemmParts& parts) {
  return Pipeline(b, spec, parts).run();
}

} // namespace twinir::gemm
