// SPDX-License-Identifier: MIT
// Plugins: discovery, information, recorded flavors, literals.
#include "cpp_support.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace twinir::lowering {
namespace {
namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// TWINIR_PLUGIN_DIR for the life of the object.
class PluginDir {
public:
  explicit PluginDir(const std::string& value) {
    if (const char* old = std::getenv("TWINIR_PLUGIN_DIR")) saved_ = old, had_ = true;
    setenv("TWINIR_PLUGIN_DIR", value.c_str(), 1);
  }
  ~PluginDir() {
    if (had_) setenv("TWINIR_PLUGIN_DIR", saved_.c_str(), 1);
    else unsetenv("TWINIR_PLUGIN_DIR");
  }

private:
  std::string saved_;
  bool had_ = false;
};

} // namespace

TEST_CASE("plugins are found by version") {
  const auto files = LlvmPlugin::discover();
  REQUIRE(!files.empty());
  int last = 0;
  for (const auto& file : files) {
    const auto name = file.major == 0 ? file.flavor : std::to_string(file.major);
    CHECK(fs::path(file.path).filename() == "twinir-llvm-" + name + ".so");
    CHECK(file.flavor == (file.major == 0 ? name : "llvm" + name));
    CHECK((file.major > last || (file.major == 0 && last == 0)));
    last = file.major;
  }
}

TEST_CASE("TWINIR_PLUGIN_DIR is the only folder when it is set") {
  const auto folder = fs::temp_directory_path() / "twinir_test_plugins";
  fs::create_directories(folder);
  for (const char* name : {"twinir-llvm-7.so", "twinir-llvm-rocm-6.so", "twinir-llvm-.so", "other.so"}) std::ofstream(folder / name) << "x";
  std::ofstream(folder / "twinir-llvm-rocm-6.loader") << "/a/loader\n--path\nx y\n";
  {
    const PluginDir set(folder.string());
    CHECK(LlvmPlugin::discover() ==
          std::vector<PluginFile>{{0, (folder / "twinir-llvm-rocm-6.so").string(), "rocm-6", {"/a/loader", "--path", "x y"}},
                                  {7, (folder / "twinir-llvm-7.so").string(), "llvm7", {}}});
    CHECK(refusal([] { (void)LlvmPlugin::of_flavor("llvm22"); }).expected == "one of the plugins that were found: rocm-6, llvm7");
    CHECK(refusal([&] { (void)LlvmPlugin::open((folder / "twinir-llvm-7.so").string()); }).code == Code::toolchain_missing);
  }
  fs::remove_all(folder);
  const PluginDir missing((folder / "nothing").string());
  CHECK(refusal([] { (void)LlvmPlugin::discover(); }).code == Code::bad_environment);
}

TEST_CASE("plugins say what they are") {
  for (const auto& llvm : plugins()) {
    const auto& info = llvm.info();
    CHECK((info.flavor == "llvm" + info.llvm.substr(0, info.llvm.find('.')) || !info.from.empty()));
    CHECK(info.targets.size() == 4);
    CHECK(info.knows("gfx1150"));
    CHECK(!info.knows("gfx9999"));
  }
  if (const auto* llvm = plugin("llvm19")) CHECK((!llvm->info().knows("gfx1250") && !llvm->info().knows("gfx950")));
  if (const auto* llvm = plugin("llvm21")) CHECK((!llvm->info().knows("gfx1250") && llvm->info().knows("gfx950")));
  if (const auto* llvm = plugin("llvm24")) CHECK(llvm->info().llvm.starts_with("24.0.0 ("));
  if (const auto* llvm = plugin("llvm22")) CHECK((llvm->info().knows("gfx1250") && llvm->info().knows("gfx950")));
}

TEST_CASE("recorded flavors are what LLVM says") {
  for (const auto& llvm : plugins()) {
    const auto path = fs::path(TWINIR_SOURCE_DIR) / "emit" / "flavors" / (llvm.info().flavor + ".json");
    if (!fs::exists(path)) continue;
    INFO(path.filename());
    const bool same_version = read(path).find("\"llvm\":\"" + llvm.info().llvm + "\"") != std::string::npos;
    if (same_version) CHECK(llvm.record() == read(path));
    CHECK(llvm.record() == llvm.record());
  }
}

TEST_CASE("literals have every form") {
  for (const auto& llvm : plugins()) {
    std::string all;
    llvm.literals([&](std::string_view part) { all += part; });
    std::size_t count = 0;
    for (char c : all) count += c == '\n' ? 1 : 0;
    CHECK(count > 400'000);
    CHECK(all.find("\nf32 3f800000 1.000000e+00\n") != std::string::npos);
    CHECK(all.find("f16 0000 ") == 0);
    for (const char* start : {"\nf32 7f800000 ", "\nf32 ff800000 ", "\nf64 7ff0000000000000 ",
                              "\nf64 0000000000000001 ", "\nf32 00000001 ", "\nf32 7fc00000 ",
                              "\nf32 ff800001 ", "\nf64 7ff0000000000001 ", "\nf16 7c01 ", "\nbf16 ffff "})
      CHECK(all.find(start) != std::string::npos);
  }
}

} // namespace twinir::lowering
