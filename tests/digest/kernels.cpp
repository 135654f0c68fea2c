// SPDX-License-Identifier: MIT
// Prints the JSON of every registered kernel, and of kernels whose arguments nest loads, products and calls: the
// order in which a compiler evaluates them must not show.
#include "dsl/builder.hpp"
#include "dsl/json.hpp"
#include "instances/family.hpp"

#include <iostream>

namespace {
using namespace twinir;

KernelDef nested_loads(const Target& t) {
  KernelBuilder k{"nested_loads", t, Workgroup{64}};
  auto x = k.global_in<f32>("x");
  auto y = k.global<f32>("y");
  auto s = k.lds("s", f32, 64);
  auto n = k.arg<i32>("n");
  auto i = k.workitem();
  s[i] = x[i] * x[n - i];
  k.barrier();
  y[i] = fma(s[i] * s[63 - i], fma(y[i], x[i + 1], s[n]), select(x[i] < y[n], x[n] * s[i ^ 1], y[i + 2] - s[i]));
  y[i + 1] = fma(y[i] * y[i + 3], x[n * n], y[i + 4]) + fma(x[i], x[n], y[i]);
  return k.finish();
}

KernelDef nested_calls(const Target& t) {
  KernelBuilder k{"nested_calls", t, Workgroup{64}};
  auto x = k.global_in<f32>("x");
  auto y = k.global<f32>("y");
  auto n = k.arg<i32>("n");
  const auto twice = [&](Value v) { return v * v + x[k.workitem() + n]; };
  const auto mixed = [&](Value a, Value b, Value c) { return fma(a, b, c) * minnum(b, maxnum(a, c)); };
  auto first = k.for_carry(0, n, 1, {k.constant(f32, 1.0), x[n]}, [&](Value i, const KernelBuilder::Values& v) {
    return KernelBuilder::Values{mixed(twice(x[i]), x[i] * y[i], twice(v[0])), mixed(v[1], twice(v[0]), sqrt(x[i]))};
  });
  y[0] = mixed(k.if_value(n > 3, [&] { return twice(y[n]) * twice(x[n]); }, [&] { return x[n] - y[1]; }), twice(first[0]), twice(first[1]));
  return k.finish();
}

KernelDef nested_vectors(const Target& t) {
  KernelBuilder k{"nested_vectors", t, Workgroup{64}};
  auto x = k.global_in<f16>("x", {.align = 16});
  auto y = k.global_out<f32>("y");
  auto i = k.workitem();
  const auto load = [&](Value at) { return fpcast(x.load(vec(f16, 4), at * 4, 8), Scalar::f32); };
  y[i] = reduce_add(fma(load(i) * load(i + 1), load(i + 2), concat(slice(load(i + 3), 0, 2), slice(load(i), 2, 2))));
  y[i + 64] = reduce_max(load(i) + load(i + 5)) * reduce_add(k.opaque(load(i)) * k.opaque(load(i)));
  return k.finish();
}

} // namespace

int main() {
  const auto& target = twinir::find_target("gfx1250");
  for (const auto& kernel : {nested_loads(target), nested_calls(target), nested_vectors(target)}) std::cout << write_json(kernel);
  for (const auto& family : all_families())
    for (const auto& spec : family.gate(target).accepted) std::cout << write_json(family.build(spec, target));
}
