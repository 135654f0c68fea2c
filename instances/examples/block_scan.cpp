// SPDX-License-Identifier: MIT
// out[i] = sum of the elements of its group's piece of x up to i: each wave by shuffles, then the waves
// before it.
#include "instances/examples/group_reduce.hpp"
#include "instances/family.hpp"

namespace twinir::examples {
namespace {

/// Element type of a scan: i32 or f32.
class ScanType {
public:
  constexpr ScanType(Type type = i32) : type_(type) {}
  [[nodiscard]] Type type() const { return type_; }
  [[nodiscard]] std::string name() const { return to_string(type_); }
  [[nodiscard]] static const std::vector<ScanType>& all() {
    static const std::vector<ScanType> list{i32, f32};
    return list;
  }

private:
  Type type_;
};

struct BlockScanSpec {
  ScanType dtype;        ///< of x, out and totals
  bool inclusive = true; ///< does out[i] contain x[i]
  int block = 256;       ///< work-items of a group, and elements of its piece

  void reflect(Fields& f) {
    f("dtype", dtype, "element type of x, out and totals");
    f("inclusive", inclusive, "does out[i] contain x[i]").tag("incl");
    f("block", block, "work-items of a group, and elements of its piece")
        .tag("b")
        .range(64, 1024)
        .multiple_of(64);
  }
};

/// The sum of the waves before this one, and of all.
struct Sums {
  Value before, all;
};

Sums over_waves(KernelBuilder& k, const Pointer& of_waves, const Value& own_to_last) {
  const auto number = k.wave();
  k.if_(k.lane() == k.target().wave - 1, [&] { of_waves[number] = own_to_last; });
  k.barrier();
  Sums out{k.zero(of_waves.element()), of_waves[0]};
  for (int wave = 1; wave < waves_of(k); ++wave) {
    out.before = select(number == wave, out.all, out.before);
    out.all = out.all + Value(of_waves[wave]);
  }
  return out;
}

KernelDef build(const BlockScanSpec& s, const Target& target, const KernelIdentity& name) {
  KernelBuilder k{name, target, Workgroup{s.block}};
  const Type t = s.dtype.type();
  auto x = k.global_in("x", t);
  auto out = k.global_out("out", t), totals = k.global_out("totals", t);
  auto n = k.arg<i32>("n");
  auto of_waves = k.lds("of_waves", t, waves_of(k));

  const auto i = k.global_id();
  const auto value = x.load_if(i < n, t, i, k.zero(t));
  const auto scan = wave_inclusive_scan(value, Combine::add);
  const auto sums = over_waves(k, of_waves, scan);
  const auto own = s.inclusive ? scan : select(k.lane() == 0, k.zero(t), wave_shuffle_up(scan, 1));
  out.store_if(i < n, i, sums.before + own);
  k.if_(k.workitem() == 0, [&] { totals[k.workgroup()] = sums.all; });
  return k.finish();
}

GateSpecs gate(const Target&) {
  return {{{{"dtype", "i32"}},
           {{"dtype", "i32"}, {"inclusive", false}, {"block", 1024}},
           {{"dtype", "f32"}, {"block", 64}},
           {{"dtype", "f32"}, {"inclusive", false}}},
          {{{"block", 96}}, {{"block", 2048}}}};
}

} // namespace

Family block_scan_family() {
  return make_family<BlockScanSpec>(
      {"block_scan", "prefix sums in each group: waves by shuffles, then LDS", {}, build, gate});
}

} // namespace twinir::examples
