// SPDX-License-Identifier: MIT
#include "aot_support.hpp"

#include "dsl/builder.hpp"
#include "emit/environment.hpp"
#include "emit/plugins.hpp"

#include <algorithm>

namespace twinir::aot_test {
namespace {

struct BlockSpec {
  int block = 1024;
  void reflect(Fields& f) { f("block", block, "work-items of a group").tag("b").range(1, 1024); }
};

} // namespace

bool available() {
  const auto installed = installed_flavors();
  if (std::ranges::find(installed, flavor) != installed.end()) return true;
  WARN("SKIP: no plugin of " << flavor);
  return false;
}

CompilePool::Options pool_options() {
  return {2, std::chrono::seconds(120), executable().parent_path() / "twinir", {}};
}

Family made_family(const std::string& name,
                   std::function<KernelDef(const Target&, const std::string&)> build) {
  return make_family<BlockSpec>(
      {name,
       "made for a test",
       {},
       [build = std::move(build)](const BlockSpec&, const Target& t, const KernelIdentity& kernel) {
         return build(t, kernel.name);
       },
       [](const Target&) {
         return GateSpecs{{Json::object()}, {}};
       }});
}

Family hungry_family(int values, int items) {
  return made_family("hungry", [values, items](const Target& target, const std::string& name) {
    KernelBuilder k{name, target, Workgroup{items}};
    auto x = k.global("x", f32);
    std::vector<Value> held;
    for (int i = 0; i < values; ++i) held.push_back(k.pin(Value(x[k.global_id() + 1024 * i])));
    k.barrier();
    for (int i = 0; i < values; ++i)
      x[k.global_id() + 1024 * i] = held[static_cast<std::size_t>(values - 1 - i)];
    return k.finish();
  });
}

} // namespace twinir::aot_test
