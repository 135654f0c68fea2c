// SPDX-License-Identifier: MIT
// Vector elements and shuffles.
#include "emit/cpp/handlers.hpp"

namespace twinir::handlers {

void extract(Emitter& e, const Stmt& s) {
  auto* vector = e.arg(s, 0);
  e.insert(llvm::ExtractElementInst::Create(vector, e.arg(s, 1)), s.name);
}

void insert(Emitter& e, const Stmt& s) {
  auto* vector = e.arg(s, 0);
  auto* element = e.arg(s, 1);
  e.insert(llvm::InsertElementInst::Create(vector, element, e.arg(s, 2)), s.name);
}

void shuffle(Emitter& e, const Stmt& s) {
  auto* left = e.arg(s, 0);
  e.insert(new llvm::ShuffleVectorInst(left, e.arg(s, 1), llvm::ArrayRef<int>(s.mask)), s.name);
}

} // namespace twinir::handlers
