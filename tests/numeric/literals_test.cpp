// SPDX-License-Identifier: MIT
// Floats whose text differs between versions of LLVM: the bits of constants arrive in memory, from the
// emitted text on the host executor and from the interpreter. NaNs keep sign, payload and the quiet bit.
#include "dsl/interpreter.hpp"
#include "kernel_kit.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <span>

using namespace twinir;

namespace {

struct Row {
  Type type;
  std::vector<std::uint64_t> bits; ///< of the lanes
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> out;
    const auto add = [&](Type type, std::initializer_list<std::uint64_t> words) {
      for (const auto bits : words) out.push_back({type, {bits}});
    };
    add(f32, {0x3DCCCCCD, 0x3EAAAAAB, 0x7F800000, 0xFF800000, 0x80000000, 0x00000001, 0x7F7FFFFF, 0x3FA66666,
              0x42C80000});
    add(f32, {0x7FC00000, 0x7FA00000, 0x7FC00055, 0xFFC00001, 0x7F800001, 0xFF800101, 0xFFFFFFFF});
    add(f16, {0x2E66, 0x7BFF, 0x7E00, 0x7C01, 0xFD01, 0xFFFF});
    add(bf16, {0x3DCD, 0x7FC0, 0x7F81, 0xFFA0, 0xFFFF});
    add(f64,
        {0x7FF8000000000000, 0x7FF0000000000001, 0xFFF8000000000055, 0x7FF4000000000000, 0xFFFFFFFFFFFFFFFF});
    out.push_back({vec(f32, 2), {0x7FA00000, 0xFFC00055}});
    out.push_back({vec(f32, 4), {0x7F800001, 0x7F800001, 0x7F800001, 0x7F800001}});
    out.push_back({vec(f16, 4), {0x7C01, 0x3C00, 0xFE01, 0x7E00}});
    out.push_back({vec(bf16, 2), {0x7F81, 0x7F81}});
    out.push_back({vec(f64, 2), {0xFFF0000000000001, 0x7FF8000000000000}});
    return out;
  }();
  return all;
}

constexpr std::size_t slot = 16; // bytes

KernelDef stores() {
  KernelBuilder k{"literals", find_target("gfx1250"), Workgroup{1}};
  const auto out = k.global_out("out", i32);
  for (std::size_t i = 0; i < rows().size(); ++i) {
    const auto& [type, bits] = rows()[i];
    const auto at = static_cast<int>(i * slot / type.bytes());
    out.as(type)[at] = k.constant(type, bits);
  }
  return k.finish();
}

std::vector<std::uint8_t> expected() {
  std::vector<std::uint8_t> out(rows().size() * slot);
  for (std::size_t i = 0; i < rows().size(); ++i) {
    const auto& [type, bits] = rows()[i];
    const auto size = byte_size(type.scalar);
    for (std::size_t lane = 0; lane < type.lanes; ++lane)
      std::memcpy(&out[i * slot + lane * size], &bits[lane < bits.size() ? lane : 0], size);
  }
  return out;
}

void check(std::span<const std::uint8_t> found) {
  const auto right = expected();
  for (std::size_t i = 0; i < right.size(); ++i) {
    CAPTURE(i / slot, i % slot);
    CHECK(int{found[i]} == int{right[i]});
  }
}

} // namespace

TEST_CASE("bits of float constants arrive in memory, on every level of the executor") {
  const auto def = stores();
  const auto text = kit::plugin().emit(write_json(def));
  for (const unsigned level : {0u, 1u, 2u, 3u}) {
    CAPTURE(level);
    const auto kernel = kit::executor().load(text, {.checked = true, .opt_level = level});
    auto y = kit::executor().alloc(rows().size() * slot, "out", false);
    y.write(std::vector<std::uint8_t>(rows().size() * slot));
    kernel.run(pack_kernargs(def, {{"out", kit::address(y)}}), {}).require_clean();
    check(y.as<std::uint8_t>());
  }
}

TEST_CASE("bits of float constants arrive in memory, interpreted") {
  const auto def = stores();
  std::vector<std::uint8_t> out(rows().size() * slot);
  InterpreterMemory memory;
  const auto y = memory.add("out", out);
  interpret(def, {{1, 1, 1}, interpreter_kernargs(def, {{"out", y}})}, memory);
  check(out);
}
