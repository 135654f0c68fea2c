// SPDX-License-Identifier: MIT
// The processor in e_flags of every code object is the one that was asked for.
#include "cpp_support.hpp"
#include "emit/arch_check.hpp"

#include <catch2/catch.hpp>

namespace twinir::lowering {
namespace {

constexpr std::size_t flags_at = 48; ///< of a 64-bit ELF header

std::string code_object(const LlvmPlugin& llvm, const std::string& target) {
  KernelText k{R"({"op":"store","a":["f","y"],"align":4})"};
  k.target = target;
  return llvm.compile(llvm.emit(k.json()), {target}).bytes;
}

} // namespace

TEST_CASE("code objects name the processor that was asked for", "[link]") {
  for (const auto& llvm : plugins())
    for (const auto& [target, known] : llvm.info().targets) {
      if (!known) continue;
      const auto bytes = code_object(llvm, target);
      CHECK(!find_wrong_arch(bytes, target));
      CHECK(llvm.inspect(bytes).arch == target);
    }
}

TEST_CASE("one patched byte of e_flags is another processor", "[link][mutation]") {
  for (const auto& llvm : plugins()) {
    auto bytes = code_object(llvm, "gfx1150");
    const auto whole = bytes;
    bytes[flags_at] = 0x4e;
    const auto wrong = find_wrong_arch(bytes, "gfx1150");
    REQUIRE(wrong);
    CHECK(wrong->code == Code::wrong_arch);
    CHECK(wrong->found.starts_with("a code object for gfx1201 (e_flags 0x"));
    CHECK(wrong->expected == "one for gfx1150");
    CHECK(!find_wrong_arch(bytes, "gfx1201"));
    for (int processor = 0; processor < 256; ++processor) {
      bytes[flags_at] = static_cast<char>(processor);
      CHECK(find_wrong_arch(bytes, "gfx1150").has_value() == (bytes != whole));
    }
  }
}

TEST_CASE("the other bits of e_flags differ between LLVM versions and do not count", "[link]") {
  for (const auto& llvm : plugins()) {
    auto bytes = code_object(llvm, "gfx1150");
    for (const int features : {0x00, 0x01, 0x04, 0x05}) {
      bytes[flags_at + 1] = static_cast<char>(features);
      CHECK(!find_wrong_arch(bytes, "gfx1150"));
    }
  }
}

TEST_CASE("what is too short for an ELF header names no processor", "[link]") {
  for (const std::size_t size : {0, 1, 48, 63}) CHECK(find_wrong_arch(std::string(size, '\0'), "gfx1150")->code == Code::wrong_arch);
}

} // namespace twinir::lowering
