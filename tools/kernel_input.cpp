// SPDX-License-Identifier: MIT
#include "tools/kernel_input.hpp"

#include "dsl/json.hpp"
#include "emit/files.hpp"
#include "instances/family.hpp"
#include "tools/output.hpp"

namespace twinir::tools {
namespace {

[[noreturn]] void refuse(const std::string& found, const std::string& expected, const std::string& action) {
  throw UserError({Code::bad_usage, found, expected, action, {}});
}

/// A number, true, false or quoted string as such; anything else is a word.
Json parse_value(const std::string& text) {
  auto value = Json::parse(text, nullptr, false);
  return value.is_discarded() ? Json(text) : value;
}

void add_argument(Json& spec, const std::string& argument) {
  const auto equals = argument.find('=');
  if (!argument.starts_with('{')) {
    if (equals == 0 || equals == std::string::npos)
      refuse("--spec " + argument.substr(0, 60), "field=value, or a JSON object", "write --spec block=64");
    spec[argument.substr(0, equals)] = parse_value(argument.substr(equals + 1));
    return;
  }
  const auto object = Json::parse(argument, nullptr, false);
  if (!object.is_object())
    refuse("--spec " + argument.substr(0, 60), "field=value, or a JSON object",
           "write --spec '{\"block\":64}'");
  spec.update(object);
}

} // namespace

void KernelInput::add_to(CLI::App& command, const std::string& what) {
  command.add_option("kernel", input, what)->required();
  command
      .add_option("--spec", spec,
                  "fields of the family's spec: field=value, or a JSON object (may be repeated)")
      ->allow_extra_args();
  command.add_option("--target", target, "GPU (gfx1250)");
}

bool KernelInput::is_file() const {
  return input.find('/') != std::string::npos || input.ends_with(".json") || input == "-";
}

KernelDef KernelInput::kernel() const {
  if (!is_file())
    return find_family(input).build(parse_spec_arguments(spec),
                                    find_target(target.empty() ? "gfx1250" : target));
  if (!spec.empty())
    refuse("--spec with a kernel file", "a family", "leave --spec out, or name a family (twinir list)");
  auto kernel = read_json(read_file(input == "-" ? "/dev/stdin" : input));
  if (!target.empty() && target != kernel.target)
    refuse("--target " + target.substr(0, 60) + " with a kernel for " + kernel.target, kernel.target,
           "leave --target out");
  return kernel;
}

Json parse_spec_arguments(const std::vector<std::string>& arguments) {
  Json spec = Json::object();
  for (const auto& a : arguments) add_argument(spec, a);
  return spec;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t start = 0; start <= text.size();) {
    const auto end = std::min(text.find(',', start), text.size());
    if (end == start)
      refuse("an empty name in '" + text.substr(0, 60) + "'", "names with commas between",
             "write llvm19,llvm22");
    out.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return out;
}

void write_output(const std::string& path, std::string_view bytes) {
  if (path.empty() || path == "-")
    print(bytes);
  else
    write_file(path, bytes);
}

} // namespace twinir::tools
