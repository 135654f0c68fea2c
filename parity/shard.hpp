// SPDX-License-Identifier: MIT
// Golden shards: the recorded hashes of one family for one flavor.
#pragma once
// golden/<flavor>/<family>.json, one case a line, sorted:
//   {"schema":"twinir-golden-1","flavor":"llvm22","llvm":"22.1.8","family":"saxpy",
//   "cases":{
//   "gfx1250/saxpy_...":"<sha256>"},
//   "rejected":{
//   "gfx1250/saxpy!{...}":"TIR2003"}}
// Guarantees: a shard that is read is canonical, belongs to its folder and file name, and to an LLVM of its
// flavor. Refuses with bad_shard (TIR6003); one bad shard does not hide the others.
#include "dsl/error.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twinir {

/// The name of a file beside the shards that is none (parity/resources.hpp).
constexpr std::string_view resources_name = "resources";

struct Shard {
  std::string flavor, llvm, family;
  std::map<std::string, std::string> cases;    ///< id: SHA-256 of the text
  std::map<std::string, std::string> rejected; ///< id: code
  friend bool operator==(const Shard&, const Shard&) = default;
};

[[nodiscard]] std::string write_shard(const Shard& shard);
/// Throws UserError bad_shard; `flavor` and `family` are what the path says.
[[nodiscard]] Shard read_shard(std::string_view text, const std::string& flavor, const std::string& family);

/// A shard that is there, or why it cannot be used; neither when there is none.
struct LoadedShard {
  std::optional<Shard> shard;
  std::optional<Diagnostic> problem;
};

/// The folder of the shards.
class Golden {
public:
  Golden() = default; ///< nothing is recorded
  explicit Golden(std::filesystem::path folder) : folder_(std::move(folder)) {}
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// Flavors with a folder, sorted.
  [[nodiscard]] std::vector<std::string> flavors() const;
  /// Families with a shard, sorted.
  [[nodiscard]] std::vector<std::string> families(const std::string& flavor) const;
  [[nodiscard]] LoadedShard load(const std::string& flavor, const std::string& family) const;
  void save(const Shard& shard) const;
  void remove(const std::string& flavor, const std::string& family) const;

private:
  [[nodiscard]] std::filesystem::path path(const std::string& flavor, const std::string& family) const;
  std::filesystem::path folder_;
};

} // namespace twinir
