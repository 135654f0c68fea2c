// SPDX-License-Identifier: MIT
// What the commands print: data on standard output, messages on standard error.
#pragma once
// Guarantees: colours and the progress bar only on a terminal, and not under NO_COLOR or TERM=dumb; one
// meaning per exit status.
#include "dsl/error.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace twinir::tools {

using Json = nlohmann::ordered_json;

/// Exit statuses of every command.
enum Exit : int {
  good = 0,
  different = 1,         ///< a difference, a wrong number, a refused input
  usage = 2,             ///< the command line, a spec or a variable is wrong
  missing_toolchain = 3, ///< an LLVM or Python that was needed is not there
  nothing_compared = 4,  ///< the gate had no case or nothing but refusals, a sweep no binary
};
[[nodiscard]] int exit_status(const UserError& error);

enum class Colour { plain, red, green, yellow, bold, dim };
/// The text, coloured when `stream` may have colours.
[[nodiscard]] std::string coloured(Colour colour, const std::string& text, std::FILE* stream);
[[nodiscard]] bool is_terminal(std::FILE* stream);

/// Writes to standard output.
void print(std::string_view text);
void print_json(const Json& json);
/// Writes a line to standard error.
void note(const std::string& text);
void print_error(const UserError& error);

/// Columns as wide as their widest cell; the last one is not padded.
class Table {
public:
  explicit Table(std::vector<std::string> head) : rows_{std::move(head)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  [[nodiscard]] bool empty() const { return rows_.size() == 1; }
  [[nodiscard]] std::string text() const;

private:
  std::vector<std::vector<std::string>> rows_;
};

/// A bar on standard error, when that is a terminal; it leaves nothing behind.
class ProgressBar {
public:
  explicit ProgressBar(bool wanted);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void update(std::size_t done, std::size_t all);

private:
  bool shown_;
};

} // namespace twinir::tools
