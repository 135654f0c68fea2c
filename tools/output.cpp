// SPDX-License-Identifier: MIT
#include "tools/output.hpp"

#include "emit/environment.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace twinir::tools {
namespace {

const char* escape(Colour colour) {
  switch (colour) {
  case Colour::red: return "\x1b[31m";
  case Colour::green: return "\x1b[32m";
  case Colour::yellow: return "\x1b[33m";
  case Colour::bold: return "\x1b[1m";
  case Colour::dim: return "\x1b[2m";
  case Colour::plain: break;
  }
  return "";
}

/// Cells hold ASCII, except for names that came from the user.
std::size_t width(const std::string& cell) {
  return static_cast<std::size_t>(
      std::ranges::count_if(cell, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

} // namespace

int exit_status(const UserError& error) {
  const int code = static_cast<int>(error.code());
  switch (error.code()) {
  case Code::toolchain_missing:
  case Code::unknown_flavor: return missing_toolchain;
  case Code::nothing_to_build:
  case Code::gate_no_cases:
  case Code::gate_all_refused: return nothing_compared;
  case Code::bad_usage:
  case Code::bad_environment:
  case Code::unknown_target: return usage;
  default: return code >= 2000 && code < 3000 ? usage : different;
  }
}

bool is_terminal(std::FILE* stream) {
  return ::isatty(::fileno(stream)) == 1 && environment("TERM").value_or("dumb") != "dumb";
}

std::string coloured(Colour colour, const std::string& text, std::FILE* stream) {
  static const bool refused = environment("NO_COLOR").has_value();
  if (colour == Colour::plain || refused || !is_terminal(stream)) return text;
  return escape(colour) + text + "\x1b[0m";
}

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void print_json(const Json& json) { print(json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"); }

void note(const std::string& text) { fmt::print(stderr, "{}\n", text); }

void print_error(const UserError& error) {
  const auto& d = error.diagnostic();
  note(coloured(Colour::red, "twinir: " + to_string(d.code), stderr) + ": found " + d.found);
  note("  expected: " + d.expected);
  note("  to do:    " + d.action);
  if (!d.where.empty()) note("  at        " + d.where);
}

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line.append(widths[i] - width(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += (&row == rows_.data() ? coloured(Colour::bold, line, stdout) : line) + "\n";
  }
  return out;
}

ProgressBar::ProgressBar(bool wanted) : shown_(wanted && is_terminal(stderr)) {}

ProgressBar::~ProgressBar() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

void ProgressBar::update(std::size_t done, std::size_t all) {
  if (!shown_ || all == 0) return;
  constexpr std::size_t cells = 30;
  const auto full = done * cells / all;
  fmt::print(stderr, "\r[{}{}] {}/{}", std::string(full, '#'), std::string(cells - full, '.'), done, all);
  std::fflush(stderr);
}

} // namespace twinir::tools
