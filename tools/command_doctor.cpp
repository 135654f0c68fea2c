// SPDX-License-Identifier: MIT
// `twinir doctor`: what this machine can do, and what is missing.
#include "emit/plugins.hpp"
#include "parity/case.hpp"
#include "parity/flavors.hpp"
#include "parity/python_engine.hpp"
#include "parity/reader.hpp"
#include "parity/shard.hpp"
#include "tools/commands.hpp"
#include "tools/output.hpp"

namespace twinir::tools {
namespace {

constexpr int oldest = 19, newest = 24, oldest_executor = 22;

/// Why a plugin that is there does not load; empty when it does.
std::string load_problem(const std::string& flavor) {
  try {
    (void)plugin_of(flavor);
    return {};
  } catch (const UserError& e) {
    return e.what();
  }
}

bool has_executor(const std::string& flavor) {
  std::error_code error;
  return std::filesystem::exists(
      plugin_folder() / ("twinir-exec-" + std::to_string(flavor_major(flavor)) + ".so"), error);
}

Json describe_flavor(const FlavorInfo& f, const Golden& golden) {
  Json out = {{"flavor", f.name},    {"llvm", f.llvm},        {"installed", f.installed},
              {"emit", f.installed}, {"compile", f.compiles}, {"link", f.links}};
  out["execute"] = f.installed && has_executor(f.name);
  out["flavor_file"] = !f.file.empty();
  std::size_t cases = 0, refusals = 0, broken = 0;
  for (const auto& family : golden.families(f.name)) {
    const auto loaded = golden.load(f.name, family);
    broken += loaded.problem.has_value();
    if (loaded.shard) cases += loaded.shard->cases.size(), refusals += loaded.shard->rejected.size();
  }
  out["golden"] = {{"shards", golden.families(f.name).size()},
                   {"cases", cases},
                   {"refusals", refusals},
                   {"broken", broken}};
  return out;
}

void add_missing(Json& out, const std::string& what, const std::string& package, const std::string& gives) {
  out.push_back({{"what", what}, {"package", package}, {"gives", gives}});
}

/// Not in Debian 12, but scripts/flavors fetches it.
bool is_fetched(int major) { return major == 21 || major > 22; }

Json find_missing(const std::vector<FlavorInfo>& flavors, const PythonFound& python) {
  Json out = Json::array();
  for (int major = oldest; major <= newest; ++major) {
    const auto name = "llvm" + std::to_string(major), number = std::to_string(major);
    const auto it = std::ranges::find(flavors, name, &FlavorInfo::name);
    if (it == flavors.end() || !it->installed)
      add_missing(out, "LLVM " + number,
                  "llvm-" + number + "-dev liblld-" + number + "-dev" +
                      (is_fetched(major) ? " (scripts/flavors)" : ""),
                  "both emitters and code generation for " + name);
    else if (!it->links)
      add_missing(out, "lld " + number, "liblld-" + number + "-dev", "code objects by " + name);
    if (it != flavors.end() && it->installed && it->usual && major >= oldest_executor && !has_executor(name))
      add_missing(out, "host executor " + number, "llvm-" + number + "-dev",
                  "kernels on the CPU with " + name);
  }
  if (python.problem) add_missing(out, "Python 3.9 or newer", "python3", "the Python emitter");
  return out;
}

Json variables_json() {
  Json out = Json::array();
  for (const auto& v : environment_variables()) {
    const auto value = environment(v.name);
    out.push_back({{"name", v.name}, {"value", value ? Json(*value) : Json()}, {"help", v.help}});
  }
  return out;
}

Json examine() {
  const auto places = find_places();
  const Golden golden(places.golden);
  const auto flavors = find_flavors(places);
  const auto python = find_python();
  Json out = {{"schema", "twinir-doctor-1"},
              {"version", TWINIR_VERSION},
              {"program", executable().string()},
              {"plugins", plugin_folder().string()}};
  out["flavor_files"] = places.flavors.string();
  out["golden_files"] = places.golden.string();
  out["python"] = {{"program", python.program}, {"version", python.version}, {"good", !python.problem}};
  std::error_code error;
  out["python"]["emitter"] = std::filesystem::exists(places.python / "serve.py", error);
  const Reader reader(places.reader);
  out["reader"] = {{"flavor", reader.flavor()}, {"wheel", reader.wheel()}, {"problem", reader.problem()}};
  out["problems"] = Json::array();
  if (python.problem) out["problems"].push_back(python.problem->text());
  for (const auto& name : installed_flavors())
    if (const auto problem = load_problem(name); !problem.empty()) out["problems"].push_back(problem);
  out["flavors"] = Json::array();
  for (const auto& f : flavors) out["flavors"].push_back(describe_flavor(f, golden));
  out["missing"] = find_missing(flavors, python);
  out["environment"] = variables_json();
  return out;
}

std::string words(const Json& list) {
  std::string out;
  for (const auto& w : list) out += (out.empty() ? "" : " ") + w.get<std::string>();
  return out.empty() ? "-" : out;
}

const char* yes(const Json& value) { return value.get<bool>() ? "yes" : "-"; }

std::string golden_text(const Json& g) {
  if (g["shards"] == 0) return "-";
  const auto text =
      g["shards"].dump() + " shards, " + g["cases"].dump() + " texts, " + g["refusals"].dump() + " refusals";
  return g["broken"] == 0 ? text
                          : text + ", " + coloured(Colour::red, g["broken"].dump() + " broken", stdout);
}

void print_flavors(const Json& report) {
  Table table({"flavor", "LLVM", "emit", "link", "execute", "flavor file", "compile for", "golden"});
  for (const auto& f : report["flavors"])
    table.add({f["flavor"], f["llvm"], yes(f["emit"]), yes(f["link"]), yes(f["execute"]),
               yes(f["flavor_file"]), words(f["compile"]), golden_text(f["golden"])});
  print(table.text());
}

void print_rest(const Json& report) {
  const auto& python = report["python"];
  print("\nPython emitter: " + python["program"].get<std::string>() + " " +
        python["version"].get<std::string>() +
        (python["good"] && python["emitter"] ? "" : " (cannot be used)") + "\n");
  const auto wheel = report["reader"]["wheel"].get<std::string>();
  print("Reader of texts without a plugin: " +
        (wheel.empty() ? "none (" + report["reader"]["problem"].get<std::string>() + ")"
                       : wheel + " for " + report["reader"]["flavor"].get<std::string>()) +
        "\n");
  print("Plugins: " + report["plugins"].get<std::string>() +
        "\nGoldens: " + report["golden_files"].get<std::string>() + "\n");
  Table missing({"not here", "Debian package", "would give"});
  for (const auto& m : report["missing"]) missing.add({m["what"], m["package"], m["gives"]});
  if (!missing.empty()) print("\n" + missing.text());
  Table variables({"variable", "value", "meaning (default)"});
  for (const auto& v : report["environment"])
    variables.add({v["name"],
                   v["value"].is_null()  ? "-"
                   : v["name"] == "PATH" ? "(set)"
                                         : v["value"].get<std::string>(),
                   v["help"]});
  print("\n" + variables.text());
  for (const auto& p : report["problems"]) note(p.get<std::string>());
}

/// The machine is good when one LLVM emits and makes code objects, and Python emits.
bool usable(const Json& report) {
  const bool llvm = std::ranges::any_of(
      report["flavors"], [](const Json& f) { return f["emit"].get<bool>() && f["link"].get<bool>(); });
  return llvm && report["python"]["good"].get<bool>() && report["python"]["emitter"].get<bool>();
}

void run(bool json, Session& session) {
  const auto report = examine();
  if (json) {
    print_json(report);
  } else {
    print_flavors(report);
    print_rest(report);
  }
  if (!usable(report)) session.status = missing_toolchain;
}

} // namespace

void add_doctor(CLI::App& app, Session& session) {
  auto* command =
      add_command(app, "doctor", "Says which LLVMs and what else this machine has, and what each can do",
                  "twinir doctor\ntwinir doctor --json");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "print JSON");
  command->callback([json, &session] { run(*json, session); });
}

} // namespace twinir::tools
