// SPDX-License-Identifier: MIT
// Sites: the places of the IR text that can be reported.
#pragma once
#include <cstdint>
#include <map>
#include <string>

namespace twinir::exec {

/// Site number -> IR text. A site's number is the ordinal of its instruction in the text, so numbers order as
/// the text does.
class Sites {
public:
  void add(std::uint32_t site, std::string ir) { text_.emplace(site, std::move(ir)); }
  [[nodiscard]] const std::string& text(std::uint32_t site) const {
    static const std::string unknown = "?";
    const auto found = text_.find(site);
    return found == text_.end() ? unknown : found->second;
  }

  /// Names the assertion whose trap a site is.
  void name_assertion(std::uint32_t site, std::string name) { assertions_.emplace(site, std::move(name)); }
  /// The assertion's name; empty for a trap of its own.
  [[nodiscard]] std::string assertion(std::uint32_t site) const {
    const auto found = assertions_.find(site);
    return found == assertions_.end() ? "" : found->second;
  }

private:
  std::map<std::uint32_t, std::string> text_;
  std::map<std::uint32_t, std::string> assertions_;
};

/// The site of a fault that has no place in the text.
inline constexpr std::uint32_t no_site = 0xffffffff;

} // namespace twinir::exec
