// SPDX-License-Identifier: MIT
#include "parity/html.hpp"

#include "parity/report.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace twinir {
namespace {

constexpr std::size_t context = 3, most_lines = 400; ///< of a side-by-side text

constexpr const char* head =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>twinir gate</title>\n<style>\n"
    "body{font:14px sans-serif;margin:2em}table{border-collapse:collapse}td,th{border:1px solid #999;padding:2px 8px;"
    "text-align:left;vertical-align:top}\n"
    "pre,.text td{font:12px monospace;white-space:pre-wrap;overflow-wrap:anywhere}.text{width:100%;table-layout:fixed}"
    ".text td:first-child,.text th:first-child{width:4em}\n"
    ".green{color:#060}.red{color:#a00}.differs{background:#fdd}\n"
    "</style></head><body>\n";

std::string cell(std::string_view text) { return fmt::format("<td>{}</td>", escaped(text)); }

std::string row(const std::vector<std::string>& cells) {
  std::string out = "<tr>";
  for (const auto& c : cells) out += cell(c);
  return out + "</tr>\n";
}

std::string header(const std::vector<std::string>& names) {
  std::string out = "<tr>";
  for (const auto& name : names) out += "<th>" + escaped(name) + "</th>";
  return out + "</tr>\n";
}

/// Equal lines at the start and at the end of two texts.
struct Frame {
  std::size_t before = 0, after = 0;
};

Frame find_frame(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  Frame f;
  const auto shorter = std::min(a.size(), b.size());
  while (f.before < shorter && a[f.before] == b[f.before]) ++f.before;
  while (f.after < shorter - f.before && a[a.size() - 1 - f.after] == b[b.size() - 1 - f.after]) ++f.after;
  return f;
}

std::string text_row(std::size_t line, std::string_view left, std::string_view right, bool differs) {
  return fmt::format("<tr{}><td>{}</td>{}{}</tr>\n", differs ? " class=\"differs\"" : "", line, cell(left), cell(right));
}

/// The two texts from a little before the first difference to a little after the last one.
std::string side_by_side(const CaseResult& r) {
  const auto a = split_lines(r.cpp_text), b = split_lines(r.text);
  const auto line = [](const std::vector<std::string_view>& lines, std::size_t i, std::size_t end) {
    return i < end ? lines[i] : std::string_view();
  };
  const auto f = find_frame(a, b);
  const auto a_end = a.size() - f.after, b_end = b.size() - f.after, longest = std::max(a_end, b_end);
  std::string out = "<table class=\"text\">\n" + header({"line", "C++", "Python"});
  for (auto i = f.before - std::min(f.before, context); i < f.before; ++i) out += text_row(i + 1, a[i], b[i], false);
  const auto end = std::min(longest, f.before + most_lines);
  for (auto i = f.before; i < end; ++i) {
    const auto left = line(a, i, a_end), right = line(b, i, b_end);
    out += text_row(i + 1, left, right, left != right);
  }
  if (end < longest) out += row({"...", fmt::format("{} more lines", longest - end), ""});
  for (std::size_t i = 0; end == longest && i < std::min(f.after, context); ++i)
    out += text_row(longest + i + 1, a[a_end + i], b[b_end + i], false);
  return out + "</table>\n";
}

std::string fault(const CaseResult& r) {
  auto out = fmt::format("<h3>{}</h3>\n<p class=\"red\">{} {}</p>\n<pre>{}</pre>\n", escaped(r.id), to_string(r.verdict),
                         to_string(r.golden), escaped(describe(r)));
  if (!r.cpp_text.empty()) out += side_by_side(r);
  return out;
}

template <class Verdict> std::string counts(const FlavorReport& f, std::initializer_list<Verdict> verdicts) {
  std::string out;
  for (const auto v : verdicts)
    if (const auto n = f.count(v); n != 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", n, to_string(v));
  return out.empty() ? "-" : out;
}

std::string flavor_row(const FlavorReport& f) {
  using enum Verdict;
  using G = GoldenVerdict;
  using R = ResourceVerdict;
  const auto emitters = counts(f, {identical, mismatch, both_refused, asymmetric, error, not_run});
  const auto golden = counts(f, {G::match, G::drift, G::new_case, G::gone, G::unrecorded,
                                 G::toolchain_differs, G::not_checked, G::not_asked});
  const auto resources = counts(f, {R::same, R::changed, R::toolchain_differs, R::unrecorded});
  return row({f.flavor.name, f.flavor.llvm, f.good() ? "good" : "bad", engines_of(f), emitters, golden, resources});
}

std::string number(const nlohmann::ordered_json& compiled, const char* key) {
  return compiled.is_object() && compiled.contains(key) ? compiled.at(key).dump() : "";
}

std::string case_row(const CaseResult& r) {
  std::vector<std::string> cells{r.id};
  for (const auto text : {to_string(r.verdict), to_string(r.golden), to_string(r.reprint), to_string(r.codegen), to_string(r.resources)})
    cells.emplace_back(text);
  for (const auto* key : {"vgprs", "sgprs", "lds_bytes", "code_bytes"}) cells.push_back(number(r.compiled, key));
  cells.push_back(r.code.empty() ? r.sha256.substr(0, 16) : r.code);
  return row(cells);
}

std::string flavor_section(const FlavorReport& f) {
  auto out = fmt::format("<h2>{}</h2>\n<p>{}</p>\n", escaped(f.flavor.name), escaped(differential_text(f)));
  for (const auto& p : f.problems) out += "<pre class=\"red\">" + escaped(p.text()) + "</pre>\n";
  for (const auto& r : f.results)
    if (!r.good()) out += fault(r);
  out += fmt::format("<details><summary>all {} cases</summary><table>\n", f.results.size());
  out += header({"case", "emitters", "golden", "re-print", "codegen", "resources", "VGPRs", "SGPRs", "LDS", "code bytes", "SHA-256 or code"});
  for (const auto& r : f.results) out += case_row(r);
  return out + "</table></details>\n";
}

} // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
    case '\'': out += "&#39;"; break;
    default: out += static_cast<unsigned char>(c) < 32 && c != '\n' && c != '\t' ? '?' : c;
    }
  return out;
}

std::string gate_html(const GateReport& report) {
  std::string out = head;
  out += fmt::format("<h1>twinir gate</h1>\n<p class=\"{}\">{}</p>\n<table>\n", report.good() ? "green" : "red", escaped(gate_summary(report)));
  out += header({"flavor", "LLVM", "", "checked by", "emitters", "golden", "resources"});
  for (const auto& f : report.flavors) out += flavor_row(f);
  out += "</table>\n";
  for (const auto& f : report.flavors) out += flavor_section(f);
  return out + "</body></html>\n";
}

} // namespace twinir
