// SPDX-License-Identifier: MIT
#include "parity/frozen.hpp"

#include "dsl/json.hpp"
#include "emit/diagnostic_json.hpp"
#include "emit/files.hpp"
#include "parity/record.hpp"

#include <algorithm>

namespace twinir {
namespace {
namespace fs = std::filesystem;

constexpr std::string_view schema = "twinir-frozen-golden-1", ending = ".golden.json";

Diagnostic bad_golden(const std::string& found, const std::string& expected, const fs::path& file) {
  return {Code::bad_shard,
          found + " in " + file.string(),
          expected,
          "take it from version control, or record it again (twinir golden record --kernel)",
          {}};
}

bool is_golden(const fs::path& file) { return file.filename().string().ends_with(ending); }

bool is_answer(const std::string& value) {
  const auto hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return parse_code(value) || (value.size() == 64 && std::ranges::all_of(value, hex));
}

const char* key_of(const std::string& value) { return value.size() == 64 ? "sha256" : "code"; }

std::string text_at(const Json& json, const char* key) {
  const auto it = json.is_object() ? json.find(key) : json.end();
  return json.is_object() && it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
}

/// The *.json of a folder: kernels, and goldens that have lost theirs.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const auto name = entry.path().string();
    if (entry.path().extension() != ".json" || entry.path().filename().string().starts_with('.')) continue;
    if (!is_golden(name) || !fs::exists(name.substr(0, name.size() - ending.size()) + ".json"))
      out.push_back(entry.path());
  }
  if (out.empty())
    throw UserError({Code::gate_no_cases,
                     "no *.json in " + folder.string(),
                     "frozen kernels",
                     "freeze one (Kernel.freeze, twinir show --json), or name another folder",
                     {}});
  return out;
}

std::vector<fs::path> files_of(const std::vector<std::string>& paths) {
  std::vector<fs::path> out;
  for (const fs::path path : paths) {
    std::error_code error; // read_file tells
    const auto files = fs::is_directory(path, error) ? files_in(path) : std::vector{path};
    for (const auto& f : files)
      if (std::ranges::none_of(out, [&](const fs::path& known) { return fs::equivalent(known, f, error); }))
        out.push_back(f);
  }
  return out;
}

void load_golden(Frozen& frozen, const std::string& id) {
  const auto file = golden_of(frozen.file);
  std::error_code error;
  if (fs::symlink_status(file, error).type() == fs::file_type::not_found) return;
  try {
    frozen.golden = read_frozen_golden(read_file(file), id, frozen.sha256, file);
  } catch (const UserError& e) {
    frozen.problem = e.diagnostic();
    frozen.problem->code = Code::bad_shard;
  }
}

Case frozen_case(const fs::path& file) {
  Case c{"frozen?" + file.string(), std::string(frozen_family), {}, {{"file", file.string()}}, false, {}};
  const auto text = read_file(file);
  if (is_golden(file)) {
    c.fault = bad_golden("a golden without its kernel", "the kernel beside it", file);
    return c;
  }
  try {
    Frozen frozen{file, read_json(text), sha256(text), {}, {}};
    c.target = frozen.kernel.target;
    c.id = c.target + "/" + frozen.kernel.name;
    load_golden(frozen, c.id);
    c.frozen = std::make_shared<const Frozen>(std::move(frozen));
  } catch (const UserError& e) {
    c.fault = e.diagnostic();
  }
  return c;
}

void put(FrozenGolden& after, const FlavorReport& f, const std::string& id) {
  const auto bad = unrecordable(f);
  for (const auto& r : f.results)
    if (r.id == id && std::ranges::find(bad, &r) == bad.end())
      after.flavors[f.flavor.name] = {f.flavor.llvm, r.code.empty() ? r.sha256 : r.code};
}

} // namespace

std::string write_frozen_golden(const FrozenGolden& golden) {
  auto out = Json({{"schema", schema}, {"case", golden.id}, {"kernel", golden.kernel}}).dump();
  out.back() = ',';
  out += "\"flavors\":{";
  const char* between = "\n";
  for (const auto& [flavor, answer] : golden.flavors) {
    const Json line = {{"llvm", answer.llvm}, {key_of(answer.value), answer.value}};
    out += between + Json(flavor).dump() + ":" + line.dump();
    between = ",\n";
  }
  return out + "}}\n";
}

FrozenGolden read_frozen_golden(std::string_view text, const std::string& id, const std::string& kernel,
                                const fs::path& file) {
  const auto json = Json::parse(text, nullptr, false);
  const auto refuse = [&](const std::string& found, const std::string& expected) {
    throw UserError(bad_golden(found, expected, file));
  };
  if (text_at(json, "schema") != schema || !json.contains("flavors") || !json["flavors"].is_object())
    refuse("no object of schema '" + std::string(schema) + "'", "a golden of a frozen kernel");
  FrozenGolden out{text_at(json, "case"), text_at(json, "kernel"), {}};
  if (out.id != id) refuse("a golden of '" + out.id.substr(0, 80) + "'", "one of '" + id + "'");
  if (out.kernel != kernel)
    refuse("a golden of the kernel file with SHA-256 " + out.kernel.substr(0, 80),
           "one of the file beside it, " + kernel);
  for (const auto& [flavor, answer] : json["flavors"].items()) {
    const auto hash = text_at(answer, "sha256"), code = text_at(answer, "code");
    const auto value = hash.empty() ? code : hash;
    if (!is_answer(value))
      refuse("'" + value.substr(0, 80) + "' for " + flavor, "a SHA-256 in lower-case hex, or an error code");
    out.flavors[flavor] = {text_at(answer, "llvm"), value};
  }
  if (write_frozen_golden(out) != text)
    refuse("a text that is not canonical", "sorted flavors, one a line, and nothing else");
  return out;
}

fs::path golden_of(const fs::path& kernel_file) {
  auto name = kernel_file.filename().string();
  if (name.ends_with(".json")) name.resize(name.size() - 5);
  return kernel_file.parent_path() / (name + std::string(ending));
}

LoadedShard recorded_shard(const Frozen& frozen, const std::string& flavor) {
  LoadedShard out{{}, frozen.problem};
  if (!frozen.golden) return out;
  const auto it = frozen.golden->flavors.find(flavor);
  if (it == frozen.golden->flavors.end()) return out;
  const auto& [llvm, value] = it->second;
  out.shard = Shard{flavor, llvm, std::string(frozen_family), {}, {}};
  (value.size() == 64 ? out.shard->cases : out.shard->rejected)[frozen.golden->id] = value;
  return out;
}

std::vector<Case> frozen_cases(const std::vector<std::string>& paths) {
  std::vector<Case> out;
  for (const auto& file : files_of(paths)) out.push_back(frozen_case(file));
  std::ranges::stable_sort(out, {}, &Case::id);
  for (std::size_t i = 1; i < out.size(); ++i)
    if (out[i].id == out[i - 1].id)
      throw UserError({Code::bad_usage,
                       "two kernels " + out[i].id + ", in " + text_at(out[i - 1].spec, "file") + " and " +
                           text_at(out[i].spec, "file"),
                       "one",
                       "give one of them another name, or leave it out",
                       {}});
  return out;
}

std::vector<FrozenChange> plan_frozen(const GateReport& report, const std::vector<Case>& cases) {
  std::vector<FrozenChange> out;
  for (const auto& c : cases) {
    if (!c.frozen) continue;
    FrozenChange change{golden_of(c.frozen->file), c.frozen->golden.value_or(FrozenGolden()), {}};
    change.after = {c.id, c.frozen->sha256, change.before.flavors};
    for (const auto& f : report.flavors) put(change.after, f, c.id);
    if (!change.after.flavors.empty()) out.push_back(change);
  }
  return out;
}

void apply_frozen(const std::vector<FrozenChange>& changes) {
  for (const auto& c : changes)
    if (c.any()) write_file(c.file, write_frozen_golden(c.after));
}

} // namespace twinir
