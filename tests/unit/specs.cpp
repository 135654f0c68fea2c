// SPDX-License-Identifier: MIT
// Families: every accepted spec builds, every refused one gives a code; names, fields, kernel arguments.
#include "dsl/error.hpp"
#include "instances/family.hpp"
#include "instances/kernarg.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>

using namespace twinir;

namespace {
template <class F> Code code_of(F f) {
  try {
    f();
  } catch (const UserError& e) {
    return e.code();
  }
  return Code::internal;
}
const Target& gfx1250() { return find_target("gfx1250"); }
} // namespace

TEST_CASE("the registry is sorted and complete") {
  std::vector<std::string> names;
  for (const auto& f : all_families()) names.push_back(f.name);
  CHECK(std::is_sorted(names.begin(), names.end()));
  for (const char* name : {"saxpy", "block_sum", "block_scan", "rms_norm", "row_softmax", "transpose", "winograd_filter", "winograd_input", "winograd_output", "gemm"})
    CHECK(std::find(names.begin(), names.end(), name) != names.end());
}

TEST_CASE("specs build or are refused as their family says") {
  for (const auto& f : all_families()) {
    CAPTURE(f.name);
    const auto gate = f.gate(gfx1250());
    CHECK(gate.accepted.size() >= 2);
    CHECK(gate.refused.size() >= 2);
    std::map<std::string, Json> names; // a spec may be listed twice: the gate takes equal ones as one case
    for (const auto& spec : gate.accepted) {
      CHECK(f.build(spec, gfx1250()).name == f.kernel_name(spec));
      CHECK(names.try_emplace(f.kernel_name(spec), f.complete(spec)).first->second == f.complete(spec));
      CHECK(f.complete(spec).size() == f.fields().size() + spec.contains("for") + spec.contains("batch_split"));
    }
    for (const auto& spec : gate.refused) CHECK_THROWS_AS((void)f.build(spec, gfx1250()), UserError);
  }
}

TEST_CASE("every field is part of the kernel's name") {
  const auto& f = find_family("winograd_input");
  std::set<std::string> names{f.kernel_name(Json::object())};
  for (const auto& spec : {Json{{"tile", "f2x2"}}, Json{{"io", "bf16"}}, Json{{"storage", "bf16"}}, Json{{"prescale", "split"}}, Json{{"vec", 8}}, Json{{"block", 512}}}) CHECK(names.insert(f.kernel_name(spec)).second);
}

TEST_CASE("bad specs are refused by name") {
  CHECK(code_of([] { (void)find_family("nonsense"); }) == Code::unknown_family);
  CHECK(code_of([] { (void)find_target("gfx9999"); }) == Code::unknown_target);
  const auto& f = find_family("saxpy");
  CHECK(code_of([&] { (void)f.build(Json{{"blok", 64}}, gfx1250()); }) == Code::unknown_field);
  CHECK(code_of([&] { (void)f.build(Json{{"block", "64"}}, gfx1250()); }) == Code::bad_field);
  CHECK(code_of([&] { (void)f.build(Json{{"block", 1e99}}, gfx1250()); }) == Code::bad_field);
  CHECK_THROWS_WITH((void)f.complete(Json{{"block", 18446744073709551615ull}}), Catch::Contains("TIR2003") && Catch::Contains("18446744073709551615")); // was read as -1
  CHECK(code_of([&] { (void)f.build(Json{{"block", 2048}}, gfx1250()); }) == Code::bad_field);
  CHECK(code_of([&] { (void)f.build(Json::array(), gfx1250()); }) == Code::bad_field);
}

TEST_CASE("kernel arguments are laid out as the calling convention has it") {
  KernelDef k;
  k.name = "k";
  k.params = {{"p", {Scalar::p1, 1}, ParamKind::in, 4, 0}, {"a", i32}, {"b", i64}, {"c", i8}, {"d", f16}, {"e", vec(f32, 3)}, {"f", i16}};
  const auto layout = kernarg_layout(k);
  const std::size_t offsets[] = {0, 8, 16, 24, 26, 32, 48};
  for (std::size_t i = 0; i < layout.size(); ++i) CHECK(layout[i].offset == offsets[i]);
  CHECK(kernarg_size(k) == 50);
}

TEST_CASE("arguments that do not fit are refused by name") {
  KernelDef k;
  k.name = "k";
  k.params = {{"n", i32}, {"a", f32}};
  CHECK(pack_kernargs(k, {{"n", std::int64_t{-1}}, {"a", 1.0}}).size() == 8);
  CHECK(code_of([&] { (void)pack_kernargs(k, {{"n", std::int64_t{1}}}); }) == Code::exec_bad_launch);
  CHECK(code_of([&] { (void)pack_kernargs(k, {{"n", std::int64_t{1} << 40}, {"a", 1.0}}); }) == Code::exec_bad_launch);
  CHECK(code_of([&] { (void)pack_kernargs(k, {{"n", 1.5}, {"a", 1.0}}); }) == Code::exec_bad_launch);
  CHECK(code_of([&] { (void)pack_kernargs(k, {{"n", std::int64_t{1}}, {"a", 1.0}, {"z", 1.0}}); }) == Code::exec_bad_launch);
}
