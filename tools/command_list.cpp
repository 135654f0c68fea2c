// SPDX-License-Identifier: MIT
// `twinir list`: families, their fields, targets and flavors.
#include "dsl/target.hpp"
#include "instances/family.hpp"
#include "parity/flavors.hpp"
#include "tools/commands.hpp"
#include "tools/output.hpp"

namespace twinir::tools {
namespace {

struct Options {
  std::string family;
  bool fields = false, json = false;
};

std::vector<const Family*> wanted_families(const std::string& name) {
  if (!name.empty()) return {&find_family(name)};
  std::vector<const Family*> out;
  for (const auto& f : all_families()) out.push_back(&f);
  return out;
}

Json family_json(const Family& f) {
  const auto gate = f.gate(find_target("gfx1250"));
  Json out = {{"name", f.name},
              {"summary", f.summary},
              {"accepted", gate.accepted},
              {"refused", gate.refused},
              {"fields", Json::array()}};
  for (const auto& field : f.fields())
    out["fields"].push_back(
        {{"name", field.name}, {"default", field.value}, {"allowed", field.allowed}, {"doc", field.doc}});
  return out;
}

Json targets_json() {
  Json out = Json::array();
  for (const auto& t : all_targets())
    out.push_back({{"name", t.name},
                   {"wave", t.wave},
                   {"lds_bytes", t.lds_bytes},
                   {"max_items", t.max_items},
                   {"max_vgprs", t.max_vgprs},
                   {"features", t.features}});
  return out;
}

Json flavors_json() {
  Json out = Json::array();
  for (const auto& f : find_flavors(find_places()))
    out.push_back({{"name", f.name}, {"llvm", f.llvm}, {"installed", f.installed}, {"compiles", f.compiles}});
  return out;
}

void print_fields(const Family& family) {
  Table table({"field of " + family.name, "default", "allowed", "meaning"});
  for (const auto& f : family.fields()) table.add({f.name, f.value, f.allowed, f.doc});
  print(table.text());
}

std::string joined(const std::set<std::string>& words) {
  std::string out;
  for (const auto& w : words) out += (out.empty() ? "" : " ") + w;
  return out.empty() ? "-" : out;
}

void print_families(const std::vector<const Family*>& families) {
  Table table({"family", "gate specs", "summary"});
  for (const auto* f : families) {
    const auto gate = f->gate(find_target("gfx1250"));
    table.add({f->name,
               std::to_string(gate.accepted.size()) + " + " + std::to_string(gate.refused.size()) + " refused",
               f->summary});
  }
  print(table.text());
}

void print_targets_and_flavors() {
  Table targets({"target", "wave", "LDS bytes", "items", "VGPRs", "features"});
  for (const auto& t : all_targets())
    targets.add({std::string(t.name), std::to_string(t.wave), std::to_string(t.lds_bytes),
                 std::to_string(t.max_items), std::to_string(t.max_vgprs), std::string(t.features)});
  print("\n" + targets.text() + "\n");
  Table flavors({"flavor", "LLVM", "installed", "compiles"});
  for (const auto& f : find_flavors(find_places()))
    flavors.add({f.name, f.llvm, f.installed ? "yes" : "no", joined(f.compiles)});
  print(flavors.text());
}

void run(const Options& options) {
  const auto families = wanted_families(options.family);
  if (options.json) {
    Json out = {{"schema", "twinir-list-1"},
                {"families", Json::array()},
                {"targets", targets_json()},
                {"flavors", flavors_json()}};
    for (const auto* f : families) out["families"].push_back(family_json(*f));
    return print_json(out);
  }
  print_families(families);
  const bool one = !options.family.empty();
  for (const auto* f : families)
    if (options.fields || one) {
      print("\n");
      print_fields(*f);
    }
  if (!one) print_targets_and_flavors();
}

} // namespace

void add_list(CLI::App& app, Session&) {
  auto* command = add_command(app, "list", "Lists kernel families, targets and flavors",
                              "twinir list                     families, targets, flavors\n"
                              "twinir list --fields            with the fields of every spec\n"
                              "twinir list saxpy               one family with its fields\n"
                              "twinir list --json");
  auto options = std::make_shared<Options>();
  command->add_option("family", options->family, "one family only");
  command->add_flag("--fields", options->fields, "show the fields of the specs");
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options] { run(*options); });
}

} // namespace twinir::tools
