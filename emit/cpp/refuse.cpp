// SPDX-License-Identifier: MIT
#include "emit/cpp/refuse.hpp"

#include "dsl/error.hpp"
#include "emit/cpp/compat.hpp"
#include "emit/cpp/intrinsics.hpp"
#include "emit/cpp/llvm_target.hpp"
#include "emit/cpp/matrix.hpp"

#include <charconv>

namespace twinir {
namespace {

[[noreturn]] void refuse(Code code, std::string found, std::string expected, std::string action) {
  throw UserError({code, std::move(found), std::move(expected), std::move(action), {}});
}

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

void check_machine(const llvm::Module& module, const Target& target) {
  const auto triple = compat::triple_of(module);
  if (!triple.isAMDGCN())
    refuse(Code::wrong_arch, "IR text for " + in_quotes(triple.str()), "a text for an AMD GPU", "compile what TwinIR emitted");
  if (module.getDataLayout() != data_layout())
    refuse(Code::verify_failed, "a data layout that is not that of " + flavor_name(), "a text of this flavor",
           "emit the kernel for " + flavor_name() + " on " + std::string(target.name));
}

void check_kernel(const llvm::Module& module) {
  for (const auto& function : module.functions())
    if (!function.isDeclaration() && function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL) return;
  refuse(Code::verify_failed, "IR text without a kernel", "a function of calling convention amdgpu_kernel", "compile what TwinIR emitted");
}

std::string attribute(const llvm::Function& function, llvm::StringRef key) {
  return function.getFnAttribute(key).getValueAsString().str();
}

void check_processor(const llvm::Function& function, const Target& target) {
  const auto cpu = attribute(function, "target-cpu");
  if (cpu != target.name)
    refuse(Code::wrong_arch, "function " + in_quotes(function.getName()) + " for target-cpu " + in_quotes(cpu),
           "target-cpu " + in_quotes(target.name), "compile for the target that the text was emitted for");
  const auto tune = attribute(function, "tune-cpu");
  if (!tune.empty() && !knows_target(tune))
    refuse(Code::target_unknown_to_flavor, "tune-cpu " + in_quotes(tune), "a processor that " + flavor_name() + " knows", "leave tune-cpu out");
}

/// LLVM prints a warning for each feature it does not know, and goes on.
void check_features(const llvm::Function& function) {
  const auto list = attribute(function, "target-features");
  llvm::SmallVector<llvm::StringRef> words;
  llvm::StringRef(list).split(words, ',', -1, false);
  for (const auto word : words)
    if (word.size() < 2 || (word[0] != '+' && word[0] != '-') || !knows_feature(std::string_view(word).substr(1)))
      refuse(Code::codegen_failed, "target feature " + in_quotes(word), "a feature that " + flavor_name() + " knows", "leave it out");
}

/// "64,256" as two numbers; false when it is something else.
bool parse_pair(std::string_view text, int& low, int& high) {
  const auto comma = text.find(',');
  if (comma == std::string_view::npos) return false;
  const auto number = [](std::string_view part, int& out) {
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), out);
    return error == std::errc{} && end == part.data() + part.size();
  };
  return number(text.substr(0, comma), low) && number(text.substr(comma + 1), high);
}

/// LLVM takes an impossible size for none at all and compiles for 1 to 1024 items.
void check_group(const llvm::Function& function, const Target& target) {
  const auto size = attribute(function, "amdgpu-flat-work-group-size");
  if (size.empty()) return;
  int low = 0, high = 0;
  if (!parse_pair(size, low, high) || low < 1 || low > high || high > target.max_items)
    refuse(Code::workgroup_too_large, "work-group size " + in_quotes(size) + " of " + in_quotes(function.getName()),
           "\"least,most\" items, 1 to " + std::to_string(target.max_items), "correct amdgpu-flat-work-group-size");
}

/// The arrays together; what padding adds between them is LLVM's to judge.
void check_lds(const llvm::Module& module, const Target& target) {
  constexpr unsigned lds = 3;
  const auto limit = static_cast<std::uint64_t>(target.lds_bytes);
  std::uint64_t bytes = 0;
  for (const auto& global : module.globals()) {
    if (global.getAddressSpace() != lds) continue;
    const std::uint64_t size = module.getDataLayout().getTypeAllocSize(global.getValueType());
    bytes += std::min(size, limit + 1); // no sum of these can wrap
  }
  if (bytes > limit)
    refuse(Code::lds_too_large, std::to_string(bytes) + " bytes or more of LDS",
           "at most " + std::to_string(limit) + " on " + std::string(target.name), "use smaller arrays");
}

/// Matrix instructions of another generation end the process in instruction selection.
void check_matrix(const llvm::Module& module, const Target& target) {
  for (const auto& function : module.functions())
    if (is_matrix_symbol(function.getName()) && !has_matrix_symbol(target.name, function.getName()))
      refuse(Code::op_not_on_target, "intrinsic " + in_quotes(function.getName()),
             "a matrix operation that " + std::string(target.name) + " has in the forms TwinIR knows",
             "use the form of the target, or another target");
}

/// The operation behind an intrinsic that only some targets have; null for all others. Matrix forms are above.
const OpInfo* special_operation(llvm::StringRef symbol) {
  for (const auto& op : all_ops())
    if (const auto* intrinsic = op.feature.empty() ? nullptr : find_intrinsic(op.op); intrinsic != nullptr && symbol == llvm::StringRef(intrinsic->name)) return &op;
  return nullptr;
}

/// What our own target table says a target lacks is refused before LLVM sees it.
void check_operations(const llvm::Module& module, const Target& target) {
  for (const auto& function : module.functions()) {
    const auto* op = special_operation(function.getName());
    if (op != nullptr && !target.has(op->feature))
      refuse(Code::op_not_on_target, "intrinsic " + in_quotes(function.getName()),
             "an operation that " + std::string(target.name) + " has ('" + std::string(op->name) + "' needs " + std::string(op->feature) + ")",
             "choose another target or another way");
  }
}

} // namespace

const Target& usable_target(std::string_view name) {
  if (knows_target(name)) return find_target(name);
  std::string known;
  for (const auto& t : all_targets())
    if (knows_target(t.name)) known.append(known.empty() ? "" : ", ").append(t.name);
  refuse(Code::target_unknown_to_flavor, "target " + in_quotes(name), "a target that " + flavor_name() + " generates code for: " + known,
         "choose another flavor or target (docs/flavors.md)");
}

void refuse_unsafe(const llvm::Module& module, const Target& target) {
  check_machine(module, target);
  check_kernel(module);
  for (const auto& function : module.functions()) {
    if (function.isDeclaration()) continue;
    check_processor(function, target);
    check_features(function);
    check_group(function, target);
  }
  check_lds(module, target);
  check_matrix(module, target);
  check_operations(module, target);
}

} // namespace twinir
