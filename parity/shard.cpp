// SPDX-License-Identifier: MIT
#include "parity/shard.hpp"

#include "emit/diagnostic_json.hpp"
#include "emit/files.hpp"
#include "emit/llvm_plugin.hpp"

#include <algorithm>

namespace twinir {
namespace {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view schema = "twinir-golden-1";

[[noreturn]] void refuse(const std::string& what, const std::string& flavor, const std::string& family,
                         const std::string& expected) {
  throw UserError({Code::bad_shard,
                   what + " in golden/" + flavor + "/" + family + ".json",
                   expected,
                   "take it from version control, or record it again (twinir golden record)",
                   {}});
}

std::string quoted(const std::string& text) { return Json(text).dump(); }

void append_map(std::string& out, const char* key, const std::map<std::string, std::string>& map) {
  out += std::string(",\n\"") + key + "\":{";
  const char* between = "\n";
  for (const auto& [id, value] : map) {
    out += between + quoted(id) + ":" + quoted(value);
    between = ",\n";
  }
  out += "}";
}

bool is_hash(const std::string& text) {
  return text.size() == 64 &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

/// "22.1.8" is of "llvm22"; a flavor with a name of its own may be any LLVM.
bool belongs(const std::string& llvm, const std::string& flavor) {
  return flavor_major(flavor) == 0 ? !llvm.empty() : flavor == "llvm" + llvm.substr(0, llvm.find('.'));
}

std::string text_of(const Json& json, const char* key) {
  const auto it = json.find(key);
  return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
}

std::map<std::string, std::string> map_of(const Json& json, const char* key) {
  std::map<std::string, std::string> out;
  const auto it = json.find(key);
  if (it == json.end() || !it->is_object()) return out;
  for (const auto& [id, value] : it->items())
    if (value.is_string()) out[id] = value.get<std::string>();
  return out;
}

void check_values(const Shard& s) {
  for (const auto& [id, hash] : s.cases)
    if (!is_hash(hash))
      refuse("'" + hash.substr(0, 80) + "' for " + id, s.flavor, s.family, "a SHA-256 in lower-case hex");
  for (const auto& [id, code] : s.rejected)
    if (!parse_code(code))
      refuse("'" + code.substr(0, 80) + "' for " + id, s.flavor, s.family, "an error code");
}

} // namespace

std::string write_shard(const Shard& s) {
  std::string out = "{\"schema\":\"" + std::string(schema) + "\",\"flavor\":" + quoted(s.flavor) +
                    ",\"llvm\":" + quoted(s.llvm) + ",\"family\":" + quoted(s.family);
  append_map(out, "cases", s.cases);
  append_map(out, "rejected", s.rejected);
  return out + "}\n";
}

Shard read_shard(std::string_view text, const std::string& flavor, const std::string& family) {
  const auto json = Json::parse(text, nullptr, false);
  if (!json.is_object()) refuse("no JSON object", flavor, family, "a shard");
  if (text_of(json, "schema") != schema)
    refuse("schema '" + text_of(json, "schema") + "'", flavor, family, "'" + std::string(schema) + "'");
  Shard s{text_of(json, "flavor"), text_of(json, "llvm"), text_of(json, "family"), map_of(json, "cases"),
          map_of(json, "rejected")};
  if (s.flavor != flavor || s.family != family)
    refuse("a shard of family '" + s.family + "' for flavor '" + s.flavor + "'", flavor, family,
           "one of '" + family + "' for '" + flavor + "'");
  if (!belongs(s.llvm, flavor)) refuse("LLVM '" + s.llvm + "'", flavor, family, "a version of " + flavor);
  check_values(s);
  if (write_shard(s) != text)
    refuse("a text that is not canonical", flavor, family, "sorted cases, one a line, and nothing else");
  return s;
}

std::vector<std::string> Golden::flavors() const {
  std::vector<std::string> out;
  if (folder_.empty()) return out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error))
    if (entry.is_directory(error) && !entry.path().filename().string().starts_with('.'))
      out.push_back(entry.path().filename().string());
  std::ranges::sort(out);
  return out;
}

std::vector<std::string> Golden::families(const std::string& flavor) const {
  std::vector<std::string> out;
  if (folder_.empty()) return out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_ / flavor, error))
    if (entry.path().extension() == ".json" && entry.path().stem() != resources_name &&
        !entry.path().filename().string().starts_with('.'))
      out.push_back(entry.path().stem().string());
  std::ranges::sort(out);
  return out;
}

LoadedShard Golden::load(const std::string& flavor, const std::string& family) const {
  LoadedShard out;
  if (folder_.empty()) return out;
  std::error_code error;
  const auto status = fs::symlink_status(path(flavor, family), error);
  if (status.type() == fs::file_type::not_found) return out;
  try {
    out.shard = read_shard(read_file(path(flavor, family)), flavor, family);
  } catch (const UserError& e) {
    out.problem = e.diagnostic();
    out.problem->code = Code::bad_shard;
  }
  return out;
}

void Golden::save(const Shard& shard) const {
  std::error_code error; // write_file tells
  fs::create_directories(folder_ / shard.flavor, error);
  write_file(path(shard.flavor, shard.family), write_shard(shard));
}

void Golden::remove(const std::string& flavor, const std::string& family) const {
  std::error_code error;
  fs::remove(path(flavor, family), error);
}

fs::path Golden::path(const std::string& flavor, const std::string& family) const {
  return folder_ / flavor / (family + ".json");
}

} // namespace twinir
