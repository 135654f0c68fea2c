// SPDX-License-Identifier: MIT
// What the tests of ahead-of-time building share: the flavor, a pool, families made for a test.
#pragma once
#include "emit/compile_pool.hpp"
#include "instances/family.hpp"

#include <catch2/catch.hpp>
#include <functional>

namespace twinir::aot_test {

constexpr const char* flavor = "llvm22";

/// Whether its plugin is here; says SKIP when not.
[[nodiscard]] bool available();
[[nodiscard]] CompilePool::Options pool_options();

/// A family with one spec (`{"block": 1024}`) and this build.
[[nodiscard]] Family made_family(const std::string& name,
                                 std::function<KernelDef(const Target&, const std::string& name)> build);

/// Holds `values` loaded values over a barrier, in a group of `items`.
[[nodiscard]] Family hungry_family(int values, int items = 1024);

} // namespace twinir::aot_test
