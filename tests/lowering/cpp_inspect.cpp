// SPDX-License-Identifier: MIT
// Bytes that are no code object, and code objects that were damaged: always a refusal or a report, never a crash.
#include "cpp_support.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <random>

namespace twinir::lowering {
namespace {

std::string code_object(const LlvmPlugin& llvm) {
  KernelText k{R"({"op":"store","a":["f","y"],"align":4})"};
  k.target = "gfx1150";
  return llvm.compile(llvm.emit(k.json()), {"gfx1150"}).bytes;
}

bool refused_as_no_code_object(const LlvmPlugin& llvm, const std::string& bytes) {
  return refusal([&] { (void)llvm.inspect(bytes); }).code == Code::not_a_code_object;
}

/// Inspects whatever the bytes are; anything but a report or that refusal fails the test.
bool survives(const LlvmPlugin& llvm, const std::string& bytes) {
  try {
    (void)llvm.inspect(bytes);
    return true;
  } catch (const UserError& e) {
    return e.code() == Code::not_a_code_object;
  }
}

} // namespace

TEST_CASE("what is no code object is refused", "[link]") {
  std::ifstream self("/proc/self/exe", std::ios::binary);
  const std::string program(std::istreambuf_iterator<char>(self), {});
  std::mt19937 random(1);
  std::string noise(4096, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  for (const auto& llvm : plugins()) {
    for (const auto& bytes : {std::string(), std::string(64, '\0'), std::string("\177ELF"), noise, program, "\177ELF\2\1" + noise})
      CHECK(refused_as_no_code_object(llvm, bytes));
    CHECK(refusal([&] { (void)llvm.inspect(program); }).found.starts_with("an ELF file for machine "));
  }
}

TEST_CASE("code objects that were cut off are refused", "[link]") {
  for (const auto& llvm : plugins()) {
    const auto bytes = code_object(llvm);
    for (std::size_t size = 0; size < bytes.size(); size += 64) CHECK(refused_as_no_code_object(llvm, bytes.substr(0, size)));
    CHECK(refused_as_no_code_object(llvm, bytes.substr(0, bytes.size() - 1)));
  }
}

TEST_CASE("code objects with a wrong bit are survived", "[link]") {
  for (const auto& llvm : plugins()) {
    const auto bytes = code_object(llvm);
    int bad = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at)
      for (int bit = 0; bit < 8; ++bit) {
        auto damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 1 << bit);
        bad += survives(llvm, damaged) ? 0 : 1;
      }
    CHECK(bad == 0);
  }
}

TEST_CASE("what the header says is reported", "[link]") {
  for (const auto& llvm : plugins()) {
    auto bytes = code_object(llvm);
    CHECK(llvm.inspect(bytes).arch == "gfx1150");
    bytes[48] = 0x4f;
    CHECK(llvm.inspect(bytes).arch == "gfx950");
    bytes[48] = 0x27;
    CHECK(llvm.inspect(bytes).arch == "unknown");
    CHECK(llvm.inspect(bytes).kernels.at(0).instructions == 0);
    bytes[8] = 5;
    CHECK(llvm.inspect(bytes).abi == 5);
  }
}

} // namespace twinir::lowering
