// SPDX-License-Identifier: MIT
// out[g] = sum of the elements that group g visits: a loop with a carried value, then a tree in LDS.
#include "dsl/builder.hpp"
#include "instances/family.hpp"

#include <bit>

namespace twinir::examples {
namespace {

struct BlockSumSpec {
  DType dtype = f32; ///< of x; sums are f32
  int block = 256;   ///< work-items of a group, a power of two

  void reflect(Fields& f) {
    f("dtype", dtype, "element type of x; the sums are f32");
    f("block", block, "work-items of a group, a power of two").tag("b").range(64, 1024);
  }
};

void check(const BlockSumSpec& s, const Target&, Refusals& out) {
  out.require(std::has_single_bit(static_cast<unsigned>(s.block)), Code::spec_refused, "block = " + std::to_string(s.block),
              "a power of two, because the tree halves the group", "use 64, 128, 256, 512 or 1024");
}

KernelDef build(const BlockSumSpec& s, const Target& target, const KernelIdentity& name) {
  KernelBuilder k{name, target, Workgroup{s.block}};
  auto x = k.global_in("x", s.dtype.type());
  auto out = k.global_out<f32>("out");
  auto n = k.arg<i32>("n");
  auto partial = k.lds("partial", f32, s.block);

  auto item = k.workitem();
  auto sum = k.for_carry(k.global_id(), n, k.global_size(), {k.zero(f32)}, [&](Value i, const KernelBuilder::Values& carried) {
    return KernelBuilder::Values{carried[0] + fpcast(x[i], Scalar::f32)};
  });
  partial[item] = sum[0];
  k.barrier();
  for (int width = s.block / 2; width > 0; width /= 2) {
    k.if_(item < width, [&] { partial[item] = partial[item] + partial[item + width]; });
    k.barrier();
  }
  k.if_(item == 0, [&] { out[k.workgroup()] = partial[0]; });
  return k.finish();
}

GateSpecs gate(const Target&) {
  return {{{{"dtype", "f32"}}, {{"dtype", "f16"}, {"block", 64}}, {{"dtype", "bf16"}, {"block", 1024}}}, {{{"block", 96}}, {{"block", 2048}}}};
}

} // namespace

Family block_sum_family() {
  return make_family<BlockSumSpec>({"block_sum", "sum per group: loop, then a tree in LDS", check, build, gate});
}

} // namespace twinir::examples
