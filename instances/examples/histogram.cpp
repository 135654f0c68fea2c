// SPDX-License-Identifier: MIT
// counts[b] += how often b occurs in x: atomics in the group's LDS, then one global atomic for every bin that
// was met.
#include "dsl/builder.hpp"
#include "instances/family.hpp"

namespace twinir::examples {
namespace {

struct HistogramSpec {
  int bits = 8;    ///< of an element of x, which is unsigned
  int bins = 256;  ///< values from this on are not counted
  int block = 256; ///< work-items of a group

  void reflect(Fields& f) {
    f("bits", bits, "bits of an element of x, an unsigned integer").tag("u").one_of({8, 16, 32});
    f("bins", bins, "number of bins; larger values are not counted").tag("n").range(1, 16384);
    f("block", block, "work-items of a group").tag("b").range(64, 1024).multiple_of(64);
  }
};

Value as_i32(const Value& v) { return v.type() == i32 ? v : zext(v, Scalar::i32); }

KernelDef build(const HistogramSpec& s, const Target& target, const KernelIdentity& name) {
  KernelBuilder k{name, target, Workgroup{s.block}};
  auto x = k.global_in("x", s.bits == 8 ? i8 : s.bits == 16 ? i16 : i32);
  auto counts = k.global<i32>("counts");
  auto n = k.arg<i32>("n");
  auto local = k.lds("local", i32, s.bins);

  auto item = k.workitem();
  k.for_range(item, s.bins, s.block, [&](Value bin) { local[bin] = 0; }, {.name = "bin"});
  k.barrier();
  k.for_range(k.global_id(), n, k.global_size(), [&](Value i) {
    auto bin = as_i32(x[i]);
    const auto count = [&] { local.atomic_add(bin, 1, Scope::workgroup); };
    const bool all_count = s.bits < 32 && s.bins >= 1 << s.bits;
    all_count ? count() : k.if_(ult(bin, s.bins), count);
  });
  k.barrier();
  k.for_range(item, s.bins, s.block,
              [&](Value bin) {
                Value count = local[bin];
                k.if_(count != 0, [&] { counts.atomic_add(bin, count, Scope::agent); });
              },
              {.name = "bin"});
  return k.finish();
}

GateSpecs gate(const Target&) {
  return {{{{"bits", 8}},
           {{"bits", 32}, {"bins", 1000}, {"block", 1024}},
           {{"bits", 16}, {"bins", 64}, {"block", 64}}},
          {{{"bins", 0}}, {{"bits", 64}}, {{"block", 96}}}};
}

} // namespace

Family histogram_family() {
  return make_family<HistogramSpec>(
      {"histogram", "counts per bin: atomics in LDS, merged by global atomics", {}, build, gate});
}

} // namespace twinir::examples
