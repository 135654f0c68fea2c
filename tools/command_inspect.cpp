// SPDX-License-Identifier: MIT
// `twinir inspect`: registers, spills, LDS and arguments of a code object.
#include "emit/compile_pool.hpp"
#include "emit/files.hpp"
#include "parity/flavors.hpp"
#include "tools/commands.hpp"
#include "tools/resources.hpp"

namespace twinir::tools {

std::vector<std::string> resource_columns() {
  return {"VGPRs", "SGPRs", "spills", "scratch", "LDS", "code bytes", "instructions", "matrix", "kernel"};
}

std::vector<std::string> resource_cells(const Json& k) {
  const auto number = [&](const char* key) { return k.value(key, std::uint64_t(0)); };
  const auto text = [&](const char* key) { return std::to_string(number(key)); };
  return {
      text("vgprs"),         text("sgprs"),     std::to_string(number("vgpr_spills") + number("sgpr_spills")),
      text("scratch_bytes"), text("lds_bytes"), text("code_bytes"),
      text("instructions"),  text("matrix"),    k.value("name", std::string())};
}

namespace {

struct Options {
  std::string file;
  bool json = false;
};

void print_report(const Json& report) {
  print("arch " + report.value("arch", std::string()) + ", ABI " + std::to_string(report.value("abi", 0)) +
        ", " + std::to_string(report.value("bytes", std::uint64_t(0))) + " bytes\n");
  Table table(resource_columns());
  for (const auto& k : report.at("kernels")) table.add(resource_cells(k));
  print(table.text());
}

void run(const Options& options) {
  const auto bytes = read_file(options.file);
  const auto found = find_flavors(find_places());
  CompilePool pool({1, {}, {}, {}});
  const auto report = Json::parse(pool.inspect(newest_flavor(found, {}).name, bytes).json);
  if (options.json)
    print_json(report);
  else
    print_report(report);
}

} // namespace

void add_inspect(CLI::App& app, Session&) {
  auto* command = add_command(
      app, "inspect", "Shows what a code object needs",
      "twinir inspect saxpy.hsaco\ntwinir inspect saxpy.hsaco --json      with arguments and counts");
  auto options = std::make_shared<Options>();
  command->add_option("file", options->file, "an AMDGPU code object")->required();
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options] { run(*options); });
}

} // namespace twinir::tools
