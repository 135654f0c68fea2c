// SPDX-License-Identifier: MIT
#include "runtime/aot/entry.hpp"

#include <algorithm>

namespace twinir::aot {
namespace {

Entry make_entry(const Family& family, const Json& spec) {
  Entry e{family.name, {}, spec, {}};
  try {
    e.spec = family.complete(spec);
    e.kernel = family.kernel_name(spec);
  } catch (const UserError& error) {
    e.kernel = family.name + "?" + spec.dump();
    e.fault = error.diagnostic();
  }
  return e;
}

/// Equal specs are one entry; two specs with one name are a fault of the name.
void merge_equal(std::vector<Entry>& entries) {
  std::ranges::stable_sort(entries, {}, &Entry::kernel);
  const auto same = [](const Entry& a, const Entry& b) {
    return a.kernel == b.kernel && a.family == b.family && a.spec == b.spec;
  };
  entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
  for (std::size_t i = 1; i < entries.size(); ++i)
    if (entries[i].kernel == entries[i - 1].kernel)
      entries[i].fault = Diagnostic{Code::internal,
                                    "specs " + entries[i - 1].spec.dump() + " and " + entries[i].spec.dump() +
                                        " with one kernel name",
                                    "every field that changes the code in the name",
                                    "tag the field in the family's reflect()",
                                    {}};
}

} // namespace

std::vector<Entry> list_entries(const std::vector<Family>& families, const Target& target,
                                const std::string& only) {
  std::vector<Entry> entries;
  for (const auto& family : families)
    for (const auto& spec : family.aot_grid(target)) entries.push_back(make_entry(family, spec));
  std::erase_if(entries, [&](const Entry& e) { return e.kernel.find(only) == std::string::npos; });
  merge_equal(entries);
  return entries;
}

std::string spec_text(const Json& spec) {
  std::string out;
  for (const auto& [field, value] : spec.items())
    out += (out.empty() ? "" : " ") + field + "=" +
           (value.is_string() ? value.get<std::string>() : value.dump());
  return out;
}

} // namespace twinir::aot
