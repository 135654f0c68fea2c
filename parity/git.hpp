// SPDX-License-Identifier: MIT
// What TwinIR asks git about the folder of the goldens; it changes nothing there.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace twinir {

class Git {
public:
  /// `folder` may be a link into a checkout.
  explicit Git(const std::filesystem::path& folder);
  /// Changed files outside `folder`; empty: clean. No value: no git tree (or no git).
  [[nodiscard]] std::optional<std::vector<std::string>> changed_elsewhere() const;
  /// The full name of a revision; UserError bad_usage.
  [[nodiscard]] std::string resolve(const std::string& revision) const;
  /// Files below the folder in that revision, relative to it.
  [[nodiscard]] std::vector<std::string> files(const std::string& commit) const;
  [[nodiscard]] std::string show(const std::string& commit, const std::string& file) const;

private:
  [[nodiscard]] std::vector<std::string> command(std::vector<std::string> arguments) const;
  std::filesystem::path folder_;
};

} // namespace twinir
