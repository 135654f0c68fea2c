// SPDX-License-Identifier: MIT
// The checks of families (runtime/verify): right kernels pass, wrong ones do not.
#include "dsl/json.hpp"
#include "emit/plugins.hpp"
#include "instances/family.hpp"
#include "runtime/verify/support.hpp"

#include <catch2/catch.hpp>

using namespace twinir;

namespace {

constexpr const char* flavor = "llvm22";

struct Emitted {
  std::string family;
  Json spec;
  KernelDef kernel;
  std::string text;
};

Emitted emitted(const std::string& family, const Json& spec = Json::object()) {
  const auto& f = find_family(family);
  auto kernel = f.build(spec, find_target("gfx1250"));
  auto text = plugin_of(flavor).emit(write_json(kernel));
  return {family, f.complete(spec), std::move(kernel), std::move(text)};
}

/// Whether the check finds fault with a text.
bool is_red(const Emitted& e, const std::string& text) {
  try {
    return !verify(e.family, e.spec, e.kernel, text, executor_for(flavor)).value().good();
  } catch (const UserError&) {
    return true;
  }
}

/// Everywhere; both words are of one length.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  REQUIRE(text.find(from) != std::string::npos);
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at))
    text.replace(at, from.size(), to);
  return text;
}

/// The text whose last store is left out, or stores 0 instead.
std::string without_store(const std::string& text) {
  const auto at = text.rfind("  store ");
  return text.substr(0, at) + text.substr(text.find('\n', at) + 1);
}
std::string with_zero_stored(const std::string& text) {
  const auto at = text.rfind("store float %"), value = at + std::string("store float ").size();
  REQUIRE(at != std::string::npos);
  return text.substr(0, value) + "0.0" + text.substr(text.find(',', value));
}

} // namespace

TEST_CASE("kernels of families with a check give right numbers", "[verify]") {
  for (const char* family : {"block_scan", "block_sum", "rms_norm", "row_softmax", "saxpy", "transpose"})
    for (const auto& spec : find_family(family).gate(find_target("gfx1250")).accepted) {
      const auto e = emitted(family, spec);
      CAPTURE(e.kernel.name);
      CHECK(!is_red(e, e.text));
    }
  const auto gemm = emitted("gemm");
  CHECK(!is_red(gemm, gemm.text));
}

TEST_CASE("a store that is left out is found", "[verify][mutation]") {
  for (const char* family : {"block_sum", "gemm", "saxpy", "transpose"}) {
    const auto e = emitted(family);
    CAPTURE(family);
    CHECK(is_red(e, without_store(e.text)));
  }
}

TEST_CASE("a loop that goes one too far is found", "[verify][mutation]") {
  const auto saxpy = emitted("saxpy"), transpose = emitted("transpose");
  CHECK(is_red(saxpy, replaced(saxpy.text, "icmp slt", "icmp sle")));
  CHECK(is_red(transpose, replaced(transpose.text, "icmp slt", "icmp sle")));
}

TEST_CASE("a wrong number is found", "[verify][mutation]") {
  const auto sum = emitted("block_sum"), gemm = emitted("gemm");
  CHECK(is_red(sum, replaced(sum.text, "fadd", "fsub")));
  CHECK(is_red(gemm, with_zero_stored(gemm.text)));
}

TEST_CASE("a family without a check is not verified", "[verify]") {
  CHECK(!has_verifier("no_such_family"));
  const auto e = emitted("saxpy");
  CHECK(!verify("no_such_family", e.spec, e.kernel, e.text, executor_for(flavor)));
}
