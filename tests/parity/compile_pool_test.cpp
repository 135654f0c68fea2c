// SPDX-License-Identifier: MIT
// Workers: what LLVM does not survive is contained.
#include "dsl/json.hpp"
#include "emit/compile_pool.hpp"
#include "emit/environment.hpp"
#include "emit/plugins.hpp"
#include "gate_support.hpp"

#include <csignal>
#include <cstdlib>
#include <dirent.h>
#include <sys/wait.h>
#include <thread>

using namespace twinir;
using namespace twinir::test;

namespace {

constexpr const char* flavor = "llvm22";

bool available() {
  for (const auto& f : installed_flavors())
    if (f == flavor) return true;
  WARN("SKIP: no plugin of " << flavor);
  return false;
}

CompilePool::Options options(std::vector<std::string> arguments = {}) {
  return {2, std::chrono::seconds(60), executable().parent_path() / "twinir", std::move(arguments)};
}

std::string text_of(const char* family) {
  return plugin_of(flavor).emit(
      write_json(find_family(family).build(Json::object(), find_target("gfx1250"))));
}

CompileJob job(const char* family = "saxpy") { return {flavor, family, text_of(family), {"gfx1250"}}; }

UserError failure(CompilePool& pool) {
  try {
    (void)pool.compile(job());
  } catch (const UserError& e) {
    return e;
  }
  throw std::runtime_error("no error");
}

std::size_t open_descriptors() {
  std::size_t n = 0;
  DIR* folder = ::opendir("/proc/self/fd");
  while (::readdir(folder) != nullptr) ++n;
  ::closedir(folder);
  return n;
}

struct ReproducerFolder : Folder {
  ReproducerFolder() { ::setenv("TWINIR_REPRODUCER_DIR", path().c_str(), 1); }
  ~ReproducerFolder() { ::unsetenv("TWINIR_REPRODUCER_DIR"); }
};

} // namespace

TEST_CASE("a worker compiles, inspects and re-prints as the plugin does", "[workers]") {
  if (!available()) return;
  CompilePool pool(options());
  const auto compiled = pool.compile(job());
  const auto here = plugin_of(flavor).compile(text_of("saxpy"), {"gfx1250"});
  CHECK(compiled.bytes == here.bytes);
  CHECK(compiled.report.json == here.report.json);
  CHECK(compiled.ms.total > 0);
  CHECK_FALSE(compiled.reprints);
  auto more = job();
  more.options.reprint = true, more.options.counts = false;
  const auto second = pool.compile(more);
  CHECK(second.reprints);
  CHECK(second.bytes == compiled.bytes);
  CHECK(second.report.json == plugin_of(flavor).compile(more.text, more.options).report.json);
  CHECK(pool.inspect(flavor, compiled.bytes).json == compiled.report.json);
  CHECK(pool.reprint(flavor, text_of("saxpy")) == text_of("saxpy"));
}

TEST_CASE("a plugin's refusal comes through", "[workers]") {
  if (!available()) return;
  CompilePool pool(options());
  auto bad = job();
  bad.options.target = "gfx9999";
  CHECK_THROWS_WITH(pool.compile(bad), Catch::Contains("TIR4001"));
  CHECK_THROWS_WITH(pool.inspect(flavor, "no code object"), Catch::Contains("TIR4005"));
  CHECK(!pool.compile(job()).bytes.empty());
}

TEST_CASE("what LLVM does not survive is refused before it is called, and the next compile works", "[workers]") {
  if (!available()) return;
  CompilePool pool(options());
  for (const auto& name : installed_flavors()) {
    auto unknown = job();
    unknown.flavor = name, unknown.options.target = "gfx9999";
    CHECK_THROWS_WITH(pool.compile(unknown), Catch::Contains("TIR4001") && Catch::Contains("gfx9999") && Catch::Contains(name));
  }
  auto foreign = job();
  const auto at = foreign.text.find("  ret void");
  REQUIRE(at != std::string::npos);
  foreign.text.insert(at, "  call void @llvm.amdgcn.s.barrier.signal(i32 -1)\n");
  foreign.text.insert(foreign.text.find("declare"), "declare void @llvm.amdgcn.s.barrier.signal(i32 immarg)\n");
  for (std::size_t i = 0; (i = foreign.text.find("gfx1250", i)) != std::string::npos;) foreign.text.replace(i, 7, "gfx1150");
  foreign.options.target = "gfx1150";
  CHECK_THROWS_WITH(pool.compile(foreign), Catch::Contains("TIR1010") && Catch::Contains("gfx1150") && Catch::Contains("llvm.amdgcn.s.barrier.signal"));
  CHECK(!pool.compile(job()).bytes.empty());
}

TEST_CASE("a crash becomes an error with a reproducer", "[workers]") {
  if (!available()) return;
  const ReproducerFolder folder;
  const auto [fault, words] = GENERATE(table<std::string, std::string>(
      {{"segv", "signal SIGSEGV"}, {"abort", "signal SIGABRT"}, {"exit", "exit status 3"}}));
  CompilePool pool(options({"--crash-for-test", fault}));
  const auto e = failure(pool);
  CHECK(e.code() == Code::llvm_crashed);
  CHECK_THAT(e.what(), Catch::Contains(words) && Catch::Contains("kernel 'saxpy' for gfx1250") &&
                           Catch::Contains("llvm22"));
  const auto file = folder.path() / ("llvm22-gfx1250-" + sha256(text_of("saxpy")).substr(0, 16) + ".ll");
  REQUIRE(std::filesystem::exists(file));
  CHECK(read_file(file) == text_of("saxpy"));
  CHECK(failure(pool).code() == Code::llvm_crashed); // the worker was replaced
}

TEST_CASE("a worker that does not answer is given up", "[workers]") {
  if (!available()) return;
  const ReproducerFolder folder;
  auto o = options({"--crash-for-test", "hang"});
  o.timeout = std::chrono::milliseconds(300);
  CompilePool pool(o);
  const auto e = failure(pool);
  CHECK(e.code() == Code::llvm_timeout);
  CHECK_THAT(e.what(), Catch::Contains("300 ms"));
}

TEST_CASE("a program that is none is an error, not a hang", "[workers]") {
  auto o = options();
  o.program = "/no/such/program";
  CompilePool pool(o);
  if (available()) CHECK(failure(pool).code() == Code::toolchain_missing);
}

TEST_CASE("many threads, few workers, the same bytes", "[workers]") {
  if (!available()) return;
  CompilePool pool(options());
  const auto expected = pool.compile(job()).bytes;
  std::atomic<int> same{0};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 6; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 4; ++i) same += pool.compile(job()).bytes == expected;
      });
  }
  CHECK(same == 24);
}

TEST_CASE("no child and no descriptor is left behind", "[workers]") {
  if (!available()) return;
  const ReproducerFolder folder;
  (void)text_of("saxpy");
  const auto before = open_descriptors();
  for (int i = 0; i < 3; ++i) {
    CompilePool good(options()), bad(options({"--crash-for-test", "abort"}));
    (void)good.compile(job());
    (void)failure(bad);
  }
  CHECK(open_descriptors() == before);
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1); // there is no child at all
}
