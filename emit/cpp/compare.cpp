// SPDX-License-Identifier: MIT
// Comparison and selection.
#include "dsl/error.hpp"
#include "emit/cpp/handlers.hpp"

#include <utility>

namespace twinir::handlers {
namespace {

using llvm::CmpInst;
using Words = std::pair<std::string_view, CmpInst::Predicate>;

constexpr Words int_words[] = {{"eq", CmpInst::ICMP_EQ},   {"ne", CmpInst::ICMP_NE},   {"ugt", CmpInst::ICMP_UGT},
                               {"uge", CmpInst::ICMP_UGE}, {"ult", CmpInst::ICMP_ULT}, {"ule", CmpInst::ICMP_ULE},
                               {"sgt", CmpInst::ICMP_SGT}, {"sge", CmpInst::ICMP_SGE}, {"slt", CmpInst::ICMP_SLT},
                               {"sle", CmpInst::ICMP_SLE}};
constexpr Words float_words[] = {{"oeq", CmpInst::FCMP_OEQ}, {"ogt", CmpInst::FCMP_OGT}, {"oge", CmpInst::FCMP_OGE},
                                 {"olt", CmpInst::FCMP_OLT}, {"ole", CmpInst::FCMP_OLE}, {"one", CmpInst::FCMP_ONE},
                                 {"ord", CmpInst::FCMP_ORD}, {"ueq", CmpInst::FCMP_UEQ}, {"ugt", CmpInst::FCMP_UGT},
                                 {"uge", CmpInst::FCMP_UGE}, {"ult", CmpInst::FCMP_ULT}, {"ule", CmpInst::FCMP_ULE},
                                 {"une", CmpInst::FCMP_UNE}, {"uno", CmpInst::FCMP_UNO}};

CmpInst::Predicate predicate(std::span<const Words> words, const std::string& word) {
  for (const auto& [text, value] : words)
    if (text == word) return value;
  throw InternalError("no predicate '" + word + "'");
}

} // namespace

void icmp(Emitter& e, const Stmt& s) {
  auto* left = e.arg(s, 0);
  e.insert(new llvm::ICmpInst(predicate(int_words, s.word("pred")), left, e.arg(s, 1)), s.name);
}

void fcmp(Emitter& e, const Stmt& s) {
  auto* left = e.arg(s, 0);
  e.insert(new llvm::FCmpInst(predicate(float_words, s.word("pred")), left, e.arg(s, 1)), s.name);
}

void select(Emitter& e, const Stmt& s) {
  auto* condition = e.arg(s, 0);
  auto* yes = e.arg(s, 1);
  e.insert(llvm::SelectInst::Create(condition, yes, e.arg(s, 2)), s.name);
}

} // namespace twinir::handlers
