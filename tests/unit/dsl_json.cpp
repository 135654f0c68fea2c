// SPDX-License-Identifier: MIT
#include "dsl/error.hpp"
#include "dsl/json.hpp"
#include "instances/family.hpp"

#include <catch2/catch.hpp>
#include <random>

using namespace twinir;

namespace {
std::vector<std::string> registered() {
  std::vector<std::string> out;
  for (const auto& family : all_families())
    for (const auto& spec : family.gate(find_target("gfx1250")).accepted) out.push_back(write_json(family.build(spec, find_target("gfx1250"))));
  return out;
}
} // namespace

TEST_CASE("reading gives back what was written") {
  const auto kernels = registered();
  REQUIRE(kernels.size() > 30);
  for (const auto& text : kernels) CHECK(write_json(read_json(text)) == text);
}

TEST_CASE("a kernel builds the same twice, whatever was built before") {
  const auto first = registered();
  CHECK(first == registered());
}

TEST_CASE("cut or damaged kernels are refused, never worse") {
  const auto text = registered().front();
  for (std::size_t cut = 0; cut < text.size() - 1; cut += 37) CHECK_THROWS_AS((void)read_json(text.substr(0, cut)), UserError);
  std::mt19937 generator(3);
  for (int i = 0; i < 3000; ++i) {
    auto damaged = text;
    for (int j = 0; j < 1 + i % 4; ++j) damaged[generator() % damaged.size()] = static_cast<char>(32 + generator() % 95);
    try {
      (void)read_json(damaged);
    } catch (const UserError&) {
    }
  }
}

TEST_CASE("deep nesting is refused") {
  CHECK_THROWS_AS((void)read_json(std::string(200000, '[')), UserError);
  std::string body = "[]";
  for (int i = 0; i < 200; ++i) body = "[{\"op\":\"if\",\"n\":\"i" + std::to_string(i) + "\",\"a\":[[\"i1\",\"1\"]],\"body\":" + body + "}]";
  const auto text = "{\"schema\":\"twinir-kernel-1\",\"name\":\"k\",\"target\":\"gfx1250\",\"block\":[64,1,1],\"waves_per_eu\":0,\"params\":[],\"lds\":[],\"body\":" + body + "}";
  CHECK_THROWS_AS((void)read_json(text), UserError);
}
