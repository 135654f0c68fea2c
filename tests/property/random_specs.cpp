// SPDX-License-Identifier: MIT
// Random specs of every family on every target: a kernel on which both emitters agree, or a refusal with a code.
// $TWINIR_TEST_SEED is the first seed, $TWINIR_TEST_SPECS how many specs.
#include "dsl/json.hpp"
#include "emit/environment.hpp"
#include "emit/parallel.hpp"
#include "instances/family.hpp"
#include "parity/cpp_engine.hpp"
#include "parity/flavors.hpp"
#include "parity/gate.hpp"
#include "parity/python_engine.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>
#include <sstream>

using namespace twinir;

namespace {

std::size_t number_from(const char* variable, std::size_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class RandomSpec {
public:
  explicit RandomSpec(std::size_t seed) : random_(seed) {
    const auto& families = all_families();
    family = &families[seed % families.size()];
    target = &all_targets()[random_() % all_targets().size()];
    spec = start();
    const auto fields = family->fields();
    const auto changes = random_() % 4 == 0 ? fields.size() : random_() % 4;
    for (std::size_t i = 0; i < changes; ++i) {
      const auto& f = fields[random_() % fields.size()];
      spec[f.name] = random_() % 6 == 0 ? odd() : allowed(f);
    }
    if (random_() % 40 == 0) spec["no_such_field"] = 1;
    if (family->launch && random_() % 4 == 0) spec["for"] = command();
  }

  const Family* family;
  const Target* target;
  Json spec;

private:
  template <class T> const T& any(const std::vector<T>& from) { return from[random_() % from.size()]; }
  bool one_in(unsigned n) { return random_() % n == 0; }

  /// A spec that the gate accepts, more often than none.
  Json start() {
    const auto accepted = family->gate(*target).accepted;
    if (accepted.empty() || one_in(5)) return Json::object();
    auto out = any(accepted);
    out.erase("for");
    return out;
  }

  /// One of the values that the help of the field names, or for a range one near its ends or a power of two in it.
  Json allowed(const FieldInfo& f) {
    int low = 0, high = 0, step = 1;
    if (std::sscanf(f.allowed.c_str(), "%d to %d in steps of %d", &low, &high, &step) >= 2) {
      const int ends[] = {low, high, low + step, high - step, 1 << random_() % 13, low + static_cast<int>(random_() % 8) * step};
      return ends[random_() % std::size(ends)];
    }
    std::vector<std::string> words;
    std::istringstream in(f.allowed);
    for (std::string word; std::getline(in >> std::ws, word, ',');) words.push_back(word);
    if (words.size() < 2) return 1 << random_() % 10; // in the family's own words
    return value(any(words));
  }
  static Json value(const std::string& word) {
    if (word == "true" || word == "false") return word == "true";
    char* end = nullptr;
    const auto n = std::strtol(word.c_str(), &end, 10);
    return *end == 0 && !word.empty() ? Json(n) : Json(word);
  }

  Json odd() {
    const std::vector<Json> values{0, -1, 1, 2, 3, 33, 63, 65, 1000, 4096, 1 << 30, 2147483647ll, 2147483648ll, -2147483649ll, 18446744073709551615ull, 18446744073709551552ull,
                                   1.0, 1e300, nullptr, true, "", "f32", "64", "f2x2", Json::array(), Json::object(), std::string(3000, 'x'), "\xc3\xa9", "a\0b"};
    return any(values);
  }

  /// A convolution as MIOpenDriver takes it: mostly 3x3, mostly sound.
  Json command() {
    if (one_in(12)) return odd();
    const auto pick = [&](std::vector<int> from) { return std::to_string(any(from)); };
    auto text = any(std::vector<std::string>{"conv", "convfp16", "convbfp16"}) + " -F 1 -n " + pick({1, 2, 3, 16, 0, -1}) + " -c " + pick({1, 3, 4, 16, 18, 64}) + " -k " +
                pick({1, 2, 16, 31, 64, 512}) + " -H " + pick({1, 2, 5, 7, 14, 56, 2048}) + " -W " + pick({1, 3, 6, 13, 56});
    const auto filter = one_in(8) ? pick({1, 2, 5, 7}) : "3";
    text += " -y " + filter + " -x " + filter + " -p " + pick({0, 1, 1, 1, 2}) + " -q " + pick({0, 1, 1, 1, 3});
    if (one_in(4)) text += " -u " + pick({1, 2, 0});
    if (one_in(4)) text += " -g " + pick({1, 2, 4, 0, -1});
    if (one_in(10)) text += any(std::vector<std::string>{" -m trans", " --nonsense 1", " -l 2", " -x", " --spatial_dim 3"});
    return text;
  }

  std::mt19937_64 random_;
};

/// What one spec gave.
struct Outcome {
  std::string name, problem; ///< of the kernel, when there is one; what is wrong
  std::optional<Code> code;
  Json complete;
};

/// The Python emitter, with one more byte at the end when told.
class Python : public Engine {
public:
  bool spoiled = false;
  [[nodiscard]] Emission emit(const std::string& json, const FlavorInfo& flavor) override {
    auto e = inner_.emit(json, flavor);
    if (spoiled && !e.refusal) e.text += '\n';
    return e;
  }

private:
  PythonEngine inner_{find_places().python};
};

struct Engines {
  std::vector<FlavorInfo> flavors;
  CppEngine cpp;
  Python python;
  Engines() : flavors(find_flavors(find_places())) {
    std::erase_if(flavors, [](const FlavorInfo& f) { return !f.installed || !f.recorded; });
  }
};

std::string emitted(Engines& engines, const KernelDef& kernel, const FlavorInfo& flavor) {
  const auto json = write_json(kernel);
  CaseResult result;
  compare_emissions(result, engines.cpp.emit(json, flavor), engines.python.emit(json, flavor), kernel);
  const bool good = result.verdict == Verdict::identical || (result.verdict == Verdict::both_refused && result.problems.empty());
  return good ? "" : flavor.name + ": " + std::string(to_string(result.verdict));
}

/// Codes of what the caller may do wrong: the kernel's limits on the target, and the spec's own.
bool is_spec_code(Code code) { return static_cast<int>(code) < 3000; }

void build(Outcome& out, const RandomSpec& r, Engines& engines, std::size_t seed) {
  const auto refusals = r.family->validate(r.spec, *r.target);
  std::optional<KernelDef> kernel;
  try {
    kernel = r.family->build(r.spec, *r.target);
  } catch (const UserError& e) {
    out.code = e.code();
    if (!is_spec_code(e.code())) out.problem = e.what();
    if (refusals.empty() && !r.spec.contains("for")) out.problem = std::string("validate finds nothing, but build: ") + e.what();
    return;
  }
  if (!refusals.empty()) out.problem = "build accepts what validate refuses: " + refusals.list().front().text();
  out.name = kernel->name, out.complete = r.family->complete(r.spec);
  if (kernel->name != r.family->kernel_name(r.spec)) out.problem = "the kernel's name is " + kernel->name;
  if (out.problem.empty() && !engines.flavors.empty()) out.problem = emitted(engines, *kernel, engines.flavors[seed / 7 % engines.flavors.size()]);
}

Outcome outcome(std::size_t seed, Engines& engines) {
  Outcome out;
  try {
    const RandomSpec r(seed);
    try {
      build(out, r, engines, seed);
    } catch (const UserError& e) { // of validate or complete
      out.code = e.code();
      if (!is_spec_code(e.code())) out.problem = e.what();
    }
    if (!out.problem.empty()) out.problem += " for " + r.family->name + " " + r.spec.dump(-1, ' ', false, Json::error_handler_t::replace) + " on " + std::string(r.target->name);
  } catch (const std::exception& e) {
    out.problem = std::string("an exception that is no UserError: ") + e.what();
  }
  return out;
}

} // namespace

TEST_CASE("random specs build a kernel on which both emitters agree, or are refused with a code", "[specs]") {
  const auto first = number_from("TWINIR_TEST_SEED", 0), count = number_from("TWINIR_TEST_SPECS", 2000);
  Engines engines;
  if (engines.flavors.empty()) WARN("SKIP: no LLVM plugin, emitters are not compared");
  std::vector<Outcome> all(count);
  for_each_index(count, 0, [&](std::size_t i) { all[i] = outcome(first + i, engines); });
  std::map<std::string, Json> specs; // by name
  std::map<Code, std::size_t> codes;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& o = all[i];
    if (!o.problem.empty()) FAIL_CHECK("seed " << first + i << ": " << o.problem);
    if (o.code) ++codes[*o.code];
    if (o.name.empty()) continue;
    const auto [it, fresh] = specs.try_emplace(o.name, o.complete);
    if (it->second != o.complete) FAIL_CHECK("seed " << first + i << ": " << o.complete.dump() << " has the name of " << it->second.dump());
  }
  WARN("first seed " << first << ": " << count << " specs, " << specs.size() << " kernels, " << codes.size() << " codes of refusals");
  if (count < 2000) return;
  CHECK(specs.size() > count / 10);
  CHECK(codes.size() >= 6);
}

TEST_CASE("one byte of one emitter makes every spec that builds wrong", "[specs][mutation]") {
  Engines engines;
  if (engines.flavors.empty()) {
    WARN("SKIP: no LLVM plugin");
    return;
  }
  engines.flavors.erase(engines.flavors.begin(), engines.flavors.end() - 1); // the newest has every operation
  engines.python.spoiled = true;
  std::size_t built = 0, wrong = 0;
  for (std::size_t seed = 0; seed < 60; ++seed) {
    const auto o = outcome(seed, engines);
    built += !o.name.empty(), wrong += !o.problem.empty();
  }
  CHECK(built > 5);
  CHECK(wrong == built);
}
