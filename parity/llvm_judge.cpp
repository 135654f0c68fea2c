// SPDX-License-Identifier: MIT
#include "parity/llvm_judge.hpp"

#include "emit/plugins.hpp"
#include "emit/spills.hpp"
#include "parity/difference.hpp"

namespace twinir {
namespace {

using Json = nlohmann::ordered_json;

Diagnostic not_itself(const std::string& text, const std::string& again, const FlavorInfo& flavor) {
  const auto d = find_difference(text, again, {});
  const auto line = [](const std::vector<std::string>& lines) {
    return lines.empty() ? std::string("the end") : "'" + lines.front() + "'";
  };
  return {Code::verify_failed,
          "line " + std::to_string(d.line) + " " + line(d.left) + ", which " + flavor.name + " prints as " +
              line(d.right),
          "a text that re-prints to itself",
          "correct the emitters",
          {}};
}

} // namespace

std::string LlvmJudge::again(const std::string& text, const FlavorInfo& flavor) {
  const bool read = !flavor.installed && reader_ != nullptr && reader_->flavor() == flavor.name;
  return read ? reader_->reprint(text) : plugin_of(flavor.name).reprint(text);
}

Judgement LlvmJudge::reprint(const std::string& text, const FlavorInfo& flavor) {
  try {
    const auto printed = again(text, flavor);
    return printed == text ? Judgement{} : Judgement{not_itself(text, printed, flavor), {}};
  } catch (const UserError& e) {
    return {e.diagnostic(), {}};
  }
}

Judgement LlvmJudge::compile(const std::string& text, const std::string& kernel, const std::string& target,
                             const FlavorInfo& flavor) {
  try {
    const auto compiled =
        pool_.compile({flavor.name, kernel, text, {target, 3, Output::code_object, true, false}});
    const auto& kernels = compiled.report.kernels;
    if (kernels.size() != 1)
      return {Diagnostic{Code::codegen_failed,
                         std::to_string(kernels.size()) + " kernels in the code object",
                         "one",
                         "report this kernel",
                         {}},
              {}};
    return {find_spills(kernels[0]), Json::parse(compiled.report.json).at("kernels")[0], compiled.reprints,
            compiled.ms.llvm()};
  } catch (const UserError& e) {
    return {e.diagnostic(), {}};
  }
}

} // namespace twinir
