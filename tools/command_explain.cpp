// SPDX-License-Identifier: MIT
// `twinir explain`: what an error code means; and `twinir version`.
#include "emit/diagnostic_json.hpp"
#include "instances/family.hpp"
#include "tools/commands.hpp"
#include "tools/output.hpp"

#include <algorithm>
#include <array>

namespace twinir::tools {
namespace {

constexpr std::array all_codes{
#define TWINIR_CODE(number, name, text) Code::name,
#include "dsl/codes.def"
#undef TWINIR_CODE
};

struct Options {
  std::string code;
  bool json = false;
};

const char* stage(Code code) {
  switch (static_cast<int>(code) / 1000) {
  case 1: return "kernel description";
  case 2: return "spec and problem";
  case 3: return "emission and flavors";
  case 4: return "compile and link";
  case 5: return "host executor";
  case 6: return "gate and goldens";
  case 7: return "command line and environment";
  default: return "TwinIR itself";
  }
}

std::vector<Code> wanted(std::string text) {
  if (text.empty()) return {all_codes.begin(), all_codes.end()};
  if (text.starts_with("tir")) text.replace(0, 3, "TIR");
  if (!text.starts_with("TIR")) text = "TIR" + text;
  if (const auto code = parse_code(text)) return {*code};
  throw UserError({Code::bad_usage,
                   "code '" + text.substr(0, 60) + "'",
                   "a code such as TIR1004",
                   "twinir explain lists them all",
                   {}});
}

void run(const Options& options) {
  const auto codes = wanted(options.code);
  Json json = Json::array();
  for (const Code code : codes) {
    json.push_back({{"code", to_string(code)}, {"stage", stage(code)}, {"meaning", summary(code)}});
    if (!options.json)
      print(to_string(code) + "  " + std::string(summary(code)) + "  [" + stage(code) + "]\n");
  }
  if (options.json) print_json(json);
}

} // namespace

void add_explain(CLI::App& app, Session&) {
  auto* command = add_command(app, "explain", "Says what an error code means",
                              "twinir explain TIR1004\ntwinir explain                  all codes");
  auto options = std::make_shared<Options>();
  command->add_option("code", options->code, "TIRnnnn; all codes when left out");
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options] { run(*options); });
}

void add_version(CLI::App& app, Session&) {
  auto* command = add_command(app, "version", "Prints the version", "twinir version\ntwinir version --json");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "print JSON");
  command->callback([json] {
    if (*json)
      print_json({{"schema", "twinir-version-1"}, {"version", TWINIR_VERSION}});
    else
      print("twinir " TWINIR_VERSION "\n");
  });
}

} // namespace twinir::tools
