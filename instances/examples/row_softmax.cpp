// SPDX-License-Identifier: MIT
// y[row] = softmax of x[row]: a group per row of any length, its maximum subtracted first.
#include "instances/examples/group_reduce.hpp"
#include "instances/family.hpp"

namespace twinir::examples {
namespace {

struct RowSoftmaxSpec {
  DType dtype = f16; ///< of x
  DType out = f16;   ///< of y; sums are f32
  int block = 256;   ///< work-items of a group

  void reflect(Fields& f) {
    f("dtype", dtype, "element type of x");
    f("out", out, "element type of y; maxima and sums are f32").tag("to_");
    f("block", block, "work-items of a group").tag("b").range(64, 1024).multiple_of(64);
  }
};

constexpr double log2_e = 1.4426950408889634;

KernelDef build(const RowSoftmaxSpec& s, const Target& target, const KernelIdentity& name) {
  KernelBuilder k{name, target, Workgroup{s.block}};
  auto x = k.global_in("x", s.dtype.type());
  auto y = k.global_out("y", s.out.type());
  auto columns = k.arg<i32>("columns");
  auto maxima = k.lds("maxima", f32, waves_of(k)), sums = k.lds("sums", f32, waves_of(k));

  const auto row = zext(k.workgroup(), Scalar::i64) * sext(columns, Scalar::i64);
  const auto from = x + row, to = y + row;
  const auto element = [&](const Value& i) { return fpcast(from[i], Scalar::f32); };
  const auto over_row = [&](const Value& first, const std::function<Value(Value, Value)>& step) {
    return k.for_carry(k.workitem(), columns, s.block, {first},
                       [&](Value i, const KernelBuilder::Values& carried) {
                         return KernelBuilder::Values{step(carried[0], element(i))};
                       })[0];
  };
  const auto largest = group_reduce(
      k, maxima, over_row(neutral(k, f32, Combine::max), [](Value a, Value b) { return maxnum(a, b); }),
      Combine::max);
  const auto power = [&](const Value& v) { return exp2((v - largest) * log2_e); };
  const auto sum = group_reduce(
      k, sums, over_row(k.zero(f32), [&](Value a, Value b) { return a + power(b); }), Combine::add);
  k.for_range(k.workitem(), columns, s.block,
              [&](Value i) { to[i] = fpcast(power(element(i)) / sum, s.out.scalar()); });
  return k.finish();
}

GateSpecs gate(const Target&) {
  return {{{{"dtype", "f16"}, {"out", "f16"}},
           {{"dtype", "f32"}, {"out", "f32"}, {"block", 64}},
           {{"dtype", "f32"}, {"out", "f16"}, {"block", 1024}}},
          {{{"block", 96}}, {{"block", 2048}}}};
}

} // namespace

Family row_softmax_family() {
  return make_family<RowSoftmaxSpec>(
      {"row_softmax", "softmax of rows of any length, a group per row", {}, build, gate});
}

} // namespace twinir::examples
