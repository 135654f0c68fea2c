// SPDX-License-Identifier: MIT
// The Python emitter's processes.
#include "dsl/json.hpp"
#include "emit/environment.hpp"
#include "gate_support.hpp"
#include "parity/flavors.hpp"
#include "parity/python_engine.hpp"

#include <cstdlib>

using namespace twinir;
using namespace twinir::test;

namespace {

FlavorInfo some_flavor() {
  for (const auto& f : find_flavors(find_places()))
    if (!f.file.empty()) return f;
  throw std::runtime_error("no flavor file");
}

std::string kernel() {
  return write_json(find_family("saxpy").build(Json::object(), find_target("gfx1250")));
}

} // namespace

TEST_CASE("the Python emitter answers", "[python]") {
  PythonEngine engine(find_places().python);
  const auto e = engine.emit(kernel(), some_flavor());
  INFO((e.refusal ? e.refusal->text() : ""));
  REQUIRE(!e.refusal);
  CHECK(e.text.starts_with("; ModuleID"));
  CHECK(engine.emit("{}", some_flavor()).refusal->code == Code::malformed_kernel);
  CHECK(engine.emit(kernel(), some_flavor()).text == e.text);
}

TEST_CASE("a worker that dies is TIR6005, and is replaced", "[python]") {
  const Folder folder;
  const auto flag = folder.path() / "once";
  write_file(folder.path() / "serve.sh", "[ -e " + flag.string() + " ] || { touch " + flag.string() +
                                             "; echo why >&2; exit 9; }\nexec /usr/bin/python3 -I -S -B " +
                                             (find_places().python / "serve.py").string() + "\n");
  PythonEngine engine(std::vector<std::string>{"/bin/sh", (folder.path() / "serve.sh").string()});
  const auto first = engine.emit(kernel(), some_flavor());
  REQUIRE(first.refusal);
  CHECK(first.refusal->code == Code::engine_failed);
  CHECK_THAT(first.refusal->found, Catch::Contains("exit status 9") && Catch::Contains("why"));
  CHECK(!engine.emit(kernel(), some_flavor()).refusal);
}

TEST_CASE("an interpreter that is none or too old is TIR6005", "[python]") {
  const Folder folder;
  const auto fake = folder.path() / "python";
  SECTION("none") {}
  SECTION("too old") { write_file(fake, "#!/bin/sh\necho 3.6.1\nexit 1\n"); }
  std::error_code error;
  std::filesystem::permissions(fake, std::filesystem::perms::owner_all, error);
  ::setenv("TWINIR_PYTHON", fake.c_str(), 1);
  PythonEngine engine(find_places().python);
  ::unsetenv("TWINIR_PYTHON");
  const auto e = engine.emit(kernel(), some_flavor());
  REQUIRE(e.refusal);
  CHECK(e.refusal->code == Code::engine_failed);
}

TEST_CASE("a reply that is nonsense is TIR6005", "[python]") {
  PythonEngine engine(std::vector<std::string>{"/bin/sh", "-c", "printf '\\003\\000\\000\\000abc'; sleep 5"});
  CHECK(engine.emit(kernel(), some_flavor()).refusal->code == Code::engine_failed);
}
