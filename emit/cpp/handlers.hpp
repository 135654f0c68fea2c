// SPDX-License-Identifier: MIT
// The table of handlers: what the emitter does for each operation.
#pragma once
// A new operation needs one line in the table (handlers.cpp), or one in intrinsics.def, and nothing else.
#include "emit/cpp/emitter.hpp"

namespace twinir {

using Handler = void (*)(Emitter& emitter, const Stmt& stmt);
[[nodiscard]] Handler find_handler(Op op);

namespace handlers {
// arith.cpp
void binary(Emitter& e, const Stmt& s);
void fneg(Emitter& e, const Stmt& s);
// compare.cpp
void icmp(Emitter& e, const Stmt& s);
void fcmp(Emitter& e, const Stmt& s);
void select(Emitter& e, const Stmt& s);
// convert.cpp
void cast(Emitter& e, const Stmt& s);
// vector.cpp
void extract(Emitter& e, const Stmt& s);
void insert(Emitter& e, const Stmt& s);
void shuffle(Emitter& e, const Stmt& s);
// memory.cpp
void gep(Emitter& e, const Stmt& s);
void load(Emitter& e, const Stmt& s);
void store(Emitter& e, const Stmt& s);
void rsrc(Emitter& e, const Stmt& s);
// atomic.cpp
void fence(Emitter& e, const Stmt& s);
void atomic(Emitter& e, const Stmt& s);
void atomic_compare(Emitter& e, const Stmt& s);
// calls.cpp
void call(Emitter& e, const Stmt& s);
void wait_load_lds(Emitter& e, const Stmt& s);
void opaque(Emitter& e, const Stmt& s);
// control.cpp
void assertion(Emitter& e, const Stmt& s);
void branch(Emitter& e, const Stmt& s);
void loop(Emitter& e, const Stmt& s);
} // namespace handlers

} // namespace twinir
