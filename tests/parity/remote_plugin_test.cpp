// SPDX-License-Identifier: MIT
// A plugin behind a loader: the same answers as in this process. The loader is the system's own, so that no
// other C library is needed.
#include "dsl/json.hpp"
#include "emit/environment.hpp"
#include "emit/llvm_plugin.hpp"
#include "emit/plugins.hpp"
#include "gate_support.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace twinir;
using namespace twinir::test;
namespace fs = std::filesystem;

namespace {

constexpr const char* flavor = "llvm22";
constexpr const char* loader = "/lib64/ld-linux-x86-64.so.2";

bool available() {
  const auto flavors = installed_flavors();
  const bool plugin = std::ranges::find(flavors, flavor) != flavors.end();
  if (!plugin) WARN("SKIP: no plugin of " << flavor);
  if (!fs::exists(loader)) WARN("SKIP: no " << loader);
  return plugin && fs::exists(loader);
}

/// A folder with the plugin and a file .loader beside it.
struct Behind : Folder {
  explicit Behind(const std::string& command = std::string(loader) + "\n") {
    fs::create_symlink(fs::canonical(plugin_folder() / "twinir-llvm-22.so"), plugin());
    std::ofstream(path() / "twinir-llvm-22.loader") << command;
  }
  [[nodiscard]] std::string plugin() const { return (path() / "twinir-llvm-22.so").string(); }
};

std::string kernel(const char* target = "gfx1250") {
  return write_json(find_family("saxpy").build(Json::object(), find_target(target)));
}

Diagnostic refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const UserError& e) {
    return e.diagnostic();
  }
  throw std::runtime_error("no refusal");
}

/// Ends the children of this process that are workers; how many.
int kill_workers() {
  int killed = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const auto name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream status(entry.path() / "status"), line(entry.path() / "cmdline");
    const std::string words{std::istreambuf_iterator<char>(status), {}},
        command{std::istreambuf_iterator<char>(line), {}};
    const bool ours = words.find("\nPPid:\t" + std::to_string(::getpid()) + "\n") != std::string::npos;
    if (ours && command.find("worker") != std::string::npos) killed += ::kill(std::stoi(name), SIGKILL) == 0;
  }
  return killed;
}

} // namespace

TEST_CASE("a plugin behind a loader answers as one in this process", "[remote]") {
  if (!available()) return;
  const Behind folder;
  const auto here = LlvmPlugin::open_here(folder.plugin()), there = LlvmPlugin::open(folder.plugin());
  CHECK(!here.info().remote);
  CHECK(there.info().remote);
  CHECK(plugin_info_json(there.info()) == plugin_info_json(here.info()));
  const auto text = here.emit(kernel());
  CHECK(there.emit(kernel()) == text);
  CHECK(there.reprint(text) == text);
  for (const auto output : {Output::code_object, Output::object, Output::assembly, Output::optimised_ir}) {
    const CompileOptions options{"gfx1250", 2, output};
    const auto one = here.compile(text, options), two = there.compile(text, options);
    CHECK(two.bytes == one.bytes);
    CHECK(two.report.json == one.report.json);
    if (output == Output::code_object) CHECK(there.inspect(one.bytes).json == one.report.json);
  }
}

TEST_CASE("what is recorded behind a loader is the same", "[remote]") {
  if (!available()) return;
  const Behind folder;
  const auto here = LlvmPlugin::open_here(folder.plugin()), there = LlvmPlugin::open(folder.plugin());
  CHECK(there.record() == here.record());
  std::string one, two;
  here.literals([&](std::string_view part) { one += part; });
  there.literals([&](std::string_view part) { two += part; });
  CHECK(two == one);
}

TEST_CASE("refusals are the same behind a loader", "[remote]") {
  if (!available()) return;
  const Behind folder;
  const auto here = LlvmPlugin::open_here(folder.plugin()), there = LlvmPlugin::open(folder.plugin());
  const auto text = here.emit(kernel());
  const std::function<void(const LlvmPlugin&)> calls[] = {
      [](const LlvmPlugin& p) { (void)p.emit("{}"); }, [](const LlvmPlugin& p) { (void)p.reprint("no IR"); },
      [](const LlvmPlugin& p) { (void)p.inspect("no code object"); },
      [&](const LlvmPlugin& p) { (void)p.compile(text, {"gfx1150"}); },
      [&](const LlvmPlugin& p) { (void)p.compile(text, {"gfx9999"}); }};
  for (const auto& call : calls) {
    const auto one = refusal([&] { call(here); }), two = refusal([&] { call(there); });
    CHECK(two.code == one.code);
    CHECK(two.text() == one.text());
  }
}

TEST_CASE("many threads behind one loader", "[remote]") {
  if (!available()) return;
  const Behind folder;
  const auto there = LlvmPlugin::open(folder.plugin());
  const auto expected = LlvmPlugin::open_here(folder.plugin()).emit(kernel());
  std::vector<std::thread> threads;
  std::atomic<int> same = 0;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&] {
      for (int n = 0; n < 5; ++n) same += there.emit(kernel()) == expected;
    });
  for (auto& t : threads) t.join();
  CHECK(same == 30);
}

TEST_CASE("a worker that dies is an error and is replaced", "[remote]") {
  if (!available()) return;
  const Behind folder;
  ::setenv("TWINIR_REPRODUCER_DIR", folder.path().c_str(), 1);
  const auto there = LlvmPlugin::open(folder.plugin());
  REQUIRE(kill_workers() >= 1);
  const auto crashed = refusal([&] { (void)there.emit(kernel()); });
  ::unsetenv("TWINIR_REPRODUCER_DIR");
  CHECK(crashed.code == Code::llvm_crashed);
  CHECK(crashed.found.find("SIGKILL") != std::string::npos);
  CHECK(there.emit(kernel()).starts_with("; ModuleID"));
}

TEST_CASE("a loader that is none is refused when the plugin is opened", "[remote]") {
  if (!available()) return;
  const std::string command =
      GENERATE("/no/such/loader\n", "/bin/false\n", "\n", "/bin/sh\n-c\nkill -SEGV $$\n");
  INFO(command);
  const Behind folder(command);
  CHECK(refusal([&] { (void)LlvmPlugin::open(folder.plugin()); }).code == Code::toolchain_missing);
}
