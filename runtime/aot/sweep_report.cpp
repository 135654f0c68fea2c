// SPDX-License-Identifier: MIT
#include "runtime/aot/sweep_report.hpp"

#include "emit/diagnostic_json.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace twinir::aot {
namespace {

/// A number of a binary, under its name in CSV and JSON.
struct Number {
  const char* name;
  std::uint64_t KernelReport::*value;
};
constexpr std::array numbers{Number{"items", &KernelReport::max_items},
                             Number{"vgprs", &KernelReport::vgprs},
                             Number{"sgprs", &KernelReport::sgprs},
                             Number{"vgpr_spills", &KernelReport::vgpr_spills},
                             Number{"sgpr_spills", &KernelReport::sgpr_spills},
                             Number{"scratch_bytes", &KernelReport::scratch_bytes},
                             Number{"lds_bytes", &KernelReport::lds_bytes},
                             Number{"code_bytes", &KernelReport::code_bytes},
                             Number{"flat", &KernelReport::flat},
                             Number{"scratch", &KernelReport::scratch}};

std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string out = "\"";
  for (const char c : cell) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string out;
  for (const auto& cell : cells) out += (&cell == cells.data() ? "" : ",") + quoted(cell);
  return out + "\n";
}

Json row_json(const SweepRow& row) {
  Json out = {{"family", row.entry.family}, {"kernel", row.entry.kernel}, {"spec", row.entry.spec}};
  for (const auto& n : numbers) out[n.name] = row.kernel.*n.value;
  out["occupancy"] = row.occupancy;
  if (row.problem) out["problem"] = diagnostic_json(*row.problem);
  return out;
}

} // namespace

std::vector<std::string> row_columns() {
  std::vector<std::string> out{"family", "kernel", "spec"};
  for (const auto& n : numbers) out.emplace_back(n.name);
  out.insert(out.end(), {"occupancy", "problem"});
  return out;
}

std::vector<std::string> row_cells(const SweepRow& row) {
  std::vector<std::string> out{row.entry.family, row.entry.kernel, spec_text(row.entry.spec)};
  for (const auto& n : numbers) out.push_back(std::to_string(row.kernel.*n.value));
  out.push_back(std::to_string(row.occupancy));
  out.push_back(row.problem ? std::string(to_string(row.problem->code)) : "");
  return out;
}

std::string sweep_csv(const Sweep& sweep) {
  std::string out = csv_line(row_columns());
  for (const auto& row : sweep.rows) out += csv_line(row_cells(row));
  return out;
}

Json sweep_json(const Sweep& sweep) {
  Json out = {{"schema", "twinir-aot-sweep-1"}, {"target", sweep.target},        {"flavor", sweep.flavor},
              {"green", sweep.good()},          {"binaries", sweep.rows.size()}, {"spill", sweep.spilling()},
              {"failed", sweep.failed()},       {"rows", Json::array()}};
  for (const auto& row : sweep.rows) out["rows"].push_back(row_json(row));
  return out;
}

std::string sweep_summary(const Sweep& sweep) {
  int fewest = 0;
  std::uint64_t most = 0, bytes = 0;
  for (const auto& row : sweep.rows) {
    if (row.occupancy != 0) fewest = fewest == 0 ? row.occupancy : std::min(fewest, row.occupancy);
    most = std::max(most, row.kernel.vgprs), bytes += row.kernel.code_bytes;
  }
  return fmt::format(
      "{}: {} binaries, {} spill{} ({}, {}); at most {} VGPRs, at least {} waves of a SIMD, {} code bytes",
      sweep.good() ? "GREEN" : "RED", sweep.rows.size(), sweep.spilling(),
      sweep.failed() == 0 ? "" : fmt::format(", {} failed", sweep.failed()), sweep.target, sweep.flavor, most,
      fewest, bytes);
}

} // namespace twinir::aot
