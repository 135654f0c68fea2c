// SPDX-License-Identifier: MIT
// Every case of the gate gives the same bytes whatever else the process did: built twice, on several threads, with the
// families in reverse order, after a thousand other kernels, in a program with a locale of decimal commas.
#include "dsl/json.hpp"
#include "emit/environment.hpp"
#include "emit/files.hpp"
#include "emit/parallel.hpp"
#include "emit/plugins.hpp"
#include "parity/case.hpp"
#include "parity/cpp_engine.hpp"
#include "parity/flavors.hpp"
#include "parity/python_engine.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <locale>
#include <sstream>

using namespace twinir;

namespace {

/// 1.234.567,5 in place of 1234567.5.
struct Commas : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

class WithCommas {
public:
  WithCommas() : before_(std::locale::global(std::locale(std::locale(), new Commas))) {}
  ~WithCommas() { std::locale::global(before_); }
  WithCommas(const WithCommas&) = delete;
  WithCommas& operator=(const WithCommas&) = delete;

private:
  std::locale before_;
};

struct Engines {
  std::vector<FlavorInfo> flavors = find_flavors(find_places());
  CppEngine cpp;
  PythonEngine python{find_places().python};
  Engines() {
    std::erase_if(flavors, [](const FlavorInfo& f) { return !f.installed || !f.recorded; });
  }
};

std::string shown(const Emission& e) { return e.refusal ? e.refusal->text() : sha256(e.text); }

/// One line for every case: its kernel's JSON and its texts, as hashes.
std::vector<std::string> lines(const std::vector<Family>& families, const std::vector<Case>& cases, Engines& engines, unsigned jobs) {
  std::vector<std::string> out(cases.size());
  for_each_index(cases.size(), jobs, [&](std::size_t i) {
    const auto built = build_case(cases[i], families);
    out[i] = cases[i].id + " " + (built.refusal ? built.refusal->text() : sha256(built.json));
    for (const auto& f : engines.flavors)
      if (!built.refusal) out[i] += " " + f.name + " " + shown(engines.cpp.emit(built.json, f)) + " " + shown(engines.python.emit(built.json, f));
  });
  std::ranges::sort(out);
  return out;
}

std::vector<std::string> in_order(Engines& engines) { return lines(all_families(), make_cases(all_families()), engines, 1); }

std::string compiled(const char* family, const char* target) {
  const auto& f = find_family(family);
  const auto kernel = f.build(f.gate(find_target(target)).accepted.front(), find_target(target));
  const auto& plugin = plugin_of(installed_flavors().back());
  return sha256(plugin.compile(plugin.emit(write_json(kernel)), {target}).bytes);
}

bool available() {
  if (!installed_flavors().empty()) return true;
  WARN("SKIP: no LLVM plugin");
  return false;
}

} // namespace

TEST_CASE("every gate case gives the same bytes again, reversed, on threads and under another locale", "[determinism]") {
  Engines engines;
  if (engines.flavors.empty()) WARN("SKIP: no LLVM plugin, kernels are compared and texts are not");
  const auto first = in_order(engines);
  CHECK(first.size() > 500);
  CHECK(in_order(engines) == first); // after more than a thousand other texts

  std::vector<Family> reversed(all_families().rbegin(), all_families().rend());
  auto cases = make_cases(reversed);
  std::ranges::reverse(cases);
  CHECK(lines(reversed, cases, engines, 4) == first);

  const WithCommas locale;
  std::ostringstream probe;
  probe << 1234567.5;
  REQUIRE(probe.str().find(',') != std::string::npos);
  CHECK(in_order(engines) == first);
}

TEST_CASE("code objects are the same after a thousand other kernels, and on threads", "[determinism]") {
  if (!available()) return;
  const std::pair<const char*, const char*> kernels[]{{"saxpy", "gfx1250"}, {"transpose", "gfx950"}, {"block_sum", "gfx1150"}};
  std::vector<std::string> first;
  for (const auto& [family, target] : kernels) first.push_back(compiled(family, target));
  Engines engines;
  std::size_t others = 0;
  while (others < 1000)
    for (const auto& c : make_cases(all_families())) {
      const auto built = build_case(c, all_families());
      if (built.refusal) continue;
      for (const auto& f : engines.flavors) (void)engines.cpp.emit(built.json, f), ++others;
    }
  const WithCommas locale;
  std::vector<std::string> again(4 * std::size(kernels));
  for_each_index(again.size(), 4, [&](std::size_t i) {
    const auto& [family, target] = kernels[i % std::size(kernels)];
    again[i] = compiled(family, target);
  });
  for (std::size_t i = 0; i < again.size(); ++i) CHECK(again[i] == first[i % first.size()]);
}

TEST_CASE("a change of one kernel shows in its line", "[determinism][mutation]") {
  Engines engines;
  auto families = all_families();
  const auto cases = select_cases(make_cases(families), "gfx1250/saxpy_");
  const auto first = lines(families, cases, engines, 1);
  for (auto& f : families)
    f.build = [build = f.build](const Json& spec, const Target& t) {
      auto kernel = build(spec, t);
      kernel.params.back().name += "_";
      return kernel;
    };
  CHECK(lines(families, cases, engines, 1) != first);
}
