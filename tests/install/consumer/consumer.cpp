// SPDX-License-Identifier: MIT
// A kernel of somebody else's, written against the installed package.
#include <dsl/builder.hpp>
#include <dsl/json.hpp>
#include <emit/llvm_plugin.hpp>
#include <instances/family.hpp>

#include <iostream>

int main() {
  using namespace twinir;
  KernelBuilder k{"scale", find_target("gfx1250"), Workgroup{64}};
  auto x = k.global<f32>("x");
  auto a = k.arg<f32>("a");
  const auto i = k.global_id();
  x[i] = x[i] * a;
  const auto json = write_json(k.finish());
  for (const auto& file : LlvmPlugin::discover()) std::cout << LlvmPlugin::open(file.path).emit(json);
  std::cout << all_families().size() << " families\n";
}
