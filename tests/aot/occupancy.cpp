// SPDX-License-Identifier: MIT
// Target::occupancy against the occupancy that LLVM prints into assembly.
#include "aot_support.hpp"
#include "dsl/json.hpp"
#include "emit/plugins.hpp"

#include <fmt/format.h>

using namespace twinir;
using namespace twinir::aot_test;

namespace {

/// The lines that say data layout and triple.
std::string head_of(const Target& target) {
  const auto text = plugin_of(flavor).emit(write_json(find_family("saxpy").build(Json::object(), target)));
  const auto start = text.find("target datalayout"), triple = text.find("target triple", start);
  return text.substr(start, text.find('\n', triple) + 1 - start);
}

/// A kernel that takes exactly this: registers by naming the last one as overwritten.
std::string text_of(const Target& target, const Resources& r) {
  const auto lds = r.lds_bytes / 4;
  return fmt::format(
      "{}{}define amdgpu_kernel void @k() #0 {{\n{}"
      "  call void asm sideeffect \"\", \"~{{v{}}},~{{s{}}}\"()\n  ret void\n}}\n"
      "attributes #0 = {{ \"amdgpu-flat-work-group-size\"=\"{},{}\" \"target-cpu\"=\"{}\" }}\n",
      head_of(target),
      lds == 0 ? "" : fmt::format("@l = internal addrspace(3) global [{} x i32] poison\n", lds),
      lds == 0 ? "" : "  store volatile i32 0, ptr addrspace(3) @l\n", r.vgprs - 1, r.sgprs - 1, r.items,
      r.items, target.name);
}

int number_after(const std::string& text, const std::string& what) {
  const auto at = text.find(what);
  REQUIRE(at != std::string::npos);
  return std::stoi(text.substr(at + what.size()));
}

/// Compares the two; LLVM counts VCC and the like as SGPRs, so theirs are read from the assembly.
void compare(const Target& target, Resources r) {
  CAPTURE(target.name, r.items, r.vgprs, r.sgprs, r.lds_bytes);
  const auto assembly =
      plugin_of(flavor).compile(text_of(target, r), {std::string(target.name), 3, Output::assembly}).bytes;
  CHECK(number_after(assembly, "; NumVgprs: ") == r.vgprs);
  CHECK(number_after(assembly, "; TotalNumSgprs: ") >= r.sgprs);
  r.sgprs = number_after(assembly, "; TotalNumSgprs: ");
  CHECK(target.occupancy(r) == number_after(assembly, "; Occupancy: "));
}

} // namespace

TEST_CASE("occupancy is LLVM's, on every target", "[occupancy]") {
  if (!available()) return;
  for (const auto& target : all_targets()) {
    for (int vgprs : {1, 24, 64, 65, 80, 81, 96, 97, 112, 128, 129, 144, 160, 168, 169, 192, 193, 256})
      compare(target, {256, vgprs, 8, 0});
    for (int items : {32, 64, 96, 128, 192, 256, 320, 384, 512, 640, 768, 1024})
      compare(target, {items, 8, 8, 0});
    for (std::int64_t lds : {4, 4096, 8192, 16640, 20480, 32768, 65536})
      for (int items : {64, 256, 1024}) compare(target, {items, 8, 8, lds});
    compare(target, {256, 8, 8, target.lds_bytes});
    compare(target, {128, 100, 8, 30000});
    for (int sgprs : {80, 88, 92, 94, 95, 96, 100}) compare(target, {256, 8, sgprs, 0});
  }
}

TEST_CASE("occupancy of a gfx1250 work-item with more than 256 registers", "[occupancy]") {
  const auto& target = find_target("gfx1250");
  CHECK(target.occupancy({128, 257, 8, 0}) == 3);
  CHECK(target.occupancy({128, 336, 8, 0}) == 3);
  CHECK(target.occupancy({128, 512, 8, 0}) == 2);
  CHECK(target.occupancy({128, 1024, 8, 0}) == 1);
}

TEST_CASE("SGPRs above 100 cost gfx950 a wave, and gfx1250 none", "[occupancy]") {
  CHECK(find_target("gfx950").occupancy({256, 8, 101, 0}) == 7);
  CHECK(find_target("gfx950").occupancy({256, 65, 101, 0}) == 7);
  CHECK(find_target("gfx1250").occupancy({256, 8, 106, 0}) == 16);
}

TEST_CASE("occupancy of compiled families is LLVM's", "[occupancy]") {
  if (!available()) return;
  for (const auto& target : all_targets())
    for (const char* name : {"block_sum", "saxpy", "transpose"})
      for (const auto& spec : find_family(name).gate(target).accepted) {
        const auto text = plugin_of(flavor).emit(write_json(find_family(name).build(spec, target)));
        const std::string cpu(target.name);
        const auto assembly = plugin_of(flavor).compile(text, {cpu, 3, Output::assembly}).bytes;
        const auto k = plugin_of(flavor).compile(text, {cpu}).report.kernels.at(0);
        CAPTURE(cpu, k.name);
        CHECK(target.occupancy({static_cast<int>(k.max_items), static_cast<int>(k.vgprs),
                                static_cast<int>(k.sgprs), static_cast<std::int64_t>(k.lds_bytes)}) ==
              number_after(assembly, "; Occupancy: "));
      }
}

TEST_CASE("the register budget of a group is what LLVM gives a kernel that wants more", "[occupancy]") {
  if (!available()) return;
  for (const auto& target : all_targets())
    for (int items : {512, 1024}) { // compiling takes long with more registers
      const int budget = target.vgpr_budget(items);
      const auto kernel = hungry_family(budget + 4, items).build(Json::object(), target);
      const auto text = plugin_of(flavor).emit(write_json(kernel));
      const auto k = plugin_of(flavor).compile(text, {std::string(target.name)}).report.kernels.at(0);
      CAPTURE(target.name, items, budget, k.agprs);
      CHECK(static_cast<int>(k.vgprs) == budget);
    }
}

TEST_CASE("the register budget of small groups is what one work-item may have", "[occupancy]") {
  const std::pair<const char*, int> rows[] = {
      {"gfx1150", 256}, {"gfx1201", 256}, {"gfx1250", 1024}, {"gfx950", 512}};
  for (const auto& [name, most] : rows) {
    CHECK(find_target(name).vgpr_budget(1) == most);
    CHECK(find_target(name).vgpr_budget(128) == most);
  }
  CHECK(find_target("gfx1250").vgpr_budget(129) == 512); // five waves: two of a SIMD
  CHECK(find_target("gfx1250").vgpr_budget(256) == 512);
}
