// SPDX-License-Identifier: MIT
// Floats whose text differs between versions of LLVM: their bits arrive in memory, from literals and from integers.
#include "kernel_kit.hpp"

#include <bit>
#include <catch2/catch.hpp>

using namespace twinir;

TEST_CASE("bits of float constants arrive in memory, NaNs by way of integers") {
  KernelBuilder k{"literals", find_target("gfx1250"), Workgroup{1}};
  const auto out = k.global_out("out", i32);
  const std::uint32_t numbers[] = {0x3DCCCCCD, 0x3EAAAAAB, 0x7F800000, 0xFF800000, 0x80000000, 0x00000001, 0x7F7FFFFF, 0x3FA66666, 0x42C80000};
  const std::uint32_t nans[] = {0x7FC00000, 0x7FA00000, 0x7FC00055, 0xFFC00001};
  std::vector<std::uint32_t> right;
  for (const auto bits : numbers) {
    out.as(f32)[static_cast<int>(right.size())] = k.constant(f32, static_cast<double>(std::bit_cast<float>(bits)));
    right.push_back(bits);
  }
  for (const auto bits : nans) {
    out.as(f32)[static_cast<int>(right.size())] = bitcast(k.opaque(k.constant(i32, static_cast<std::int64_t>(static_cast<std::int32_t>(bits)))), f32);
    right.push_back(bits);
  }
  const kit::Ready ready(k.finish());
  auto y = kit::executor().alloc(right.size() * 4, "out", false);
  (void)ready.run({{"out", kit::address(y)}}, {1, 1, 1});
  const auto found = y.as<std::uint32_t>();
  for (std::size_t i = 0; i < right.size(); ++i) {
    CAPTURE(i);
    CHECK(found[i] == right[i]);
  }
}
