// SPDX-License-Identifier: MIT
#include "instances/conv/command.hpp"
#include "instances/family.hpp"

#include <algorithm>

namespace twinir {

namespace examples {
Family saxpy_family();
Family block_sum_family();
Family transpose_family();
Family block_scan_family();
Family rms_norm_family();
Family row_softmax_family();
} // namespace examples
namespace winograd {
Family filter_family();
Family maxima_family();
Family exponents_family();
Family input_family();
Family input_lds_family();
Family output_family();
} // namespace winograd
namespace gemm {
Family gemm_family();
} // namespace gemm

namespace {
std::int64_t parts_of(const Json& value) {
  if (value.is_number_integer()) return value.get<std::int64_t>();
  throw UserError({Code::bad_split,
                   "batch_split = " + value.dump().substr(0, 60),
                   "a positive integer",
                   "write \"batch_split\": 2",
                   {}});
}
[[noreturn]] void bad(const char* key, const Json& value, const char* expected, const char* action) {
  throw UserError(
      {Code::bad_field, std::string(key) + " = " + value.dump().substr(0, 60), expected, action, {}});
}
} // namespace

SpecFor split_problem(const Json& spec) {
  SpecFor out{spec, {}};
  if (!spec.is_object() || !spec.contains("for")) return out;
  const auto& text = spec["for"];
  if (!text.is_string())
    bad("for", text, "a convolution as MIOpenDriver takes it", "write \"for\": \"convfp16 -n 1 ...\"");
  out.problem = conv::parse_command(text.get<std::string>()).problem;
  if (spec.contains("batch_split")) out.parts = parts_of(spec["batch_split"]);
  (void)out.part();
  if (spec.contains("layout")) out.layout = spec["layout"];
  if (!out.layout.is_object()) bad("layout", out.layout, "an object", "write \"layout\": {\"v\": \"tile\"}");
  for (const char* key : {"for", "batch_split", "layout"}) out.spec.erase(key);
  return out;
}

conv::ConvProblem SpecFor::part() const {
  auto out = problem.value();
  out.n = conv::part_size(out, parts);
  return out;
}

std::string SpecFor::name(const std::string& name) const {
  if (!problem) return name;
  auto suffix = part().text();
  std::map<std::string, Json> sorted;
  for (const auto& [key, value] : layout.items()) sorted[key] = value;
  for (const auto& [key, value] : sorted)
    suffix += " " + key + "_" + (value.is_string() ? value.get<std::string>() : value.dump());
  std::ranges::replace_if(
      suffix, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name + "_for_" + suffix;
}

KernelIdentity baked_identity(const std::string& name, const Kernargs& args) {
  std::map<std::string, std::int64_t> bound;
  for (const auto& [argument, value] : args) {
    if (const auto* i = std::get_if<std::int64_t>(&value))
      bound[argument] = *i;
    else if (const auto* u = std::get_if<std::uint64_t>(&value))
      bound[argument] = static_cast<std::int64_t>(*u);
  }
  return {name, bound};
}

const std::vector<Family>& all_families() {
  static const auto families = [] {
    std::vector<Family> list;
#define TWINIR_FAMILY(function) list.push_back(function());
#include "instances/families.def"
#undef TWINIR_FAMILY
    std::ranges::sort(list, {}, &Family::name);
    return list;
  }();
  return families;
}

const Family& find_family(const std::string& name) {
  const auto& families = all_families();
  const auto it = std::ranges::find(families, name, &Family::name);
  if (it != families.end()) return *it;
  std::string known;
  for (const auto& f : families) known += (known.empty() ? "" : ", ") + f.name;
  throw UserError({Code::unknown_family,
                   "family '" + name.substr(0, 60) + "'",
                   "one of " + known,
                   "twinir list shows them",
                   {}});
}

} // namespace twinir
