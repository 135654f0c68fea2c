// SPDX-License-Identifier: MIT
// KernelDef: the structured, LLVM-free description of one kernel that both emitters read.
#pragma once
// Guarantees: one Stmt is one IR instruction or one structured region; every name is final; the order of the
// statements is the order of the text. Emitters neither fold, reorder nor invent names ('.' in a name is theirs).
// docs/kernel_json.md describes the interchange form.
#include "dsl/op.hpp"
#include "dsl/type.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace twinir {

/// A value by name ("x", "@s" for the LDS array s), or a constant as bit patterns.
struct Operand {
  std::string name;                ///< empty for a constant
  Type type;
  std::vector<std::uint64_t> bits; ///< one entry: a scalar or a splat; else one entry per lane
  bool poison = false;

  [[nodiscard]] bool is_constant() const { return name.empty(); }
  friend bool operator==(const Operand&, const Operand&) = default;
};

/// An attribute: an integer, or a word (predicate, scope, order) when `word` is not empty.
struct Attribute {
  std::string key;
  std::int64_t value = 0;
  std::string word;
  friend bool operator==(const Attribute&, const Attribute&) = default;
};

struct Stmt {
  /// A loop-carried value: its name in the loop (and after it), its first value, its value for the next round.
  struct Carry {
    std::string name;
    Operand init, next;
    friend bool operator==(const Carry&, const Carry&) = default;
  };
  /// A result of an `if`: its name after it, its value from either branch.
  struct Result {
    std::string name;
    Type type;
    Operand then_value, else_value;
    friend bool operator==(const Result&, const Result&) = default;
  };

  Op op{};
  std::string name; ///< of the result; for `if` and `for` the stem of the block labels
  Type type;        ///< of the result; void when there is none
  Type element;     ///< gep only
  std::vector<Operand> args;
  std::vector<std::string> flags;    ///< in the order of ops.def
  std::vector<Attribute> attributes; ///< in the order of ops.def
  std::vector<int> mask;             ///< shuffle only; -1 for an element that does not matter
  std::vector<Carry> carry;          ///< for only; the first is the counter, whose `next` is "<name>.next"
  std::vector<Result> results;       ///< if only
  std::vector<Stmt> body, otherwise;
  bool has_else = false; ///< if only: there is an else branch (also an empty one, when there are results)

  [[nodiscard]] bool has(std::string_view flag) const;
  /// The integer attribute `key`; InternalError when it is absent (the verifier has seen to it).
  [[nodiscard]] std::int64_t value(std::string_view key) const;
  [[nodiscard]] const std::string& word(std::string_view key) const;
  friend bool operator==(const Stmt&, const Stmt&) = default;
};

enum class ParamKind : std::uint8_t {
  value, ///< passed by value
  in,    ///< pointer the kernel only reads
  out,   ///< pointer the kernel only writes
  inout, ///< pointer the kernel reads and writes
};
[[nodiscard]] std::string_view to_string(ParamKind kind);

/// A kernel parameter. Pointers never alias each other.
struct Param {
  std::string name;
  Type type;
  ParamKind kind = ParamKind::value;
  int align = 0;                   ///< bytes, pointers only; a power of two up to 4096
  std::int64_t dereferenceable = 0; ///< bytes that may be read at any time, pointers only; 0: none promised
  friend bool operator==(const Param&, const Param&) = default;
};

/// An array in the group's LDS.
struct LdsArray {
  std::string name;
  Type element;
  std::int64_t count = 0; ///< elements
  int align = 16;         ///< bytes
  [[nodiscard]] std::int64_t bytes() const { return count * element.bytes(); }
  friend bool operator==(const LdsArray&, const LdsArray&) = default;
};

struct KernelDef {
  std::string name;
  std::string target; ///< "gfx1250"
  int block[3] = {1, 1, 1}; ///< work-items of a group
  int waves_per_eu = 0;     ///< register hint: at least so many waves per SIMD; 0: none
  std::vector<Param> params;
  std::vector<LdsArray> lds;
  std::vector<Stmt> body;

  [[nodiscard]] int items() const { return block[0] * block[1] * block[2]; }
  friend bool operator==(const KernelDef&, const KernelDef&) = default;
};

} // namespace twinir
