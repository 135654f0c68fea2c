// SPDX-License-Identifier: MIT
// The state of one work-group in the interpreter, and the function that every operation has there.
#pragma once
#include "dsl/error.hpp"
#include "dsl/interpreter.hpp"
#include "dsl/target.hpp"

#include <unordered_map>
#include <utility>

namespace twinir::interp {

using Word = std::uint64_t;

/// One value for every item of the group: `words` words each (two for a buffer resource, else one per element).
struct Lanes {
  std::size_t words = 1;
  std::vector<Word> bits;
  std::vector<std::uint8_t> poison; ///< one per word; empty when no word is poison
};

/// An operand as the items see it. A scalar answers for every element of a vector.
struct View {
  const Word* bits = nullptr;
  const std::uint8_t* poison = nullptr;
  std::size_t per_item = 0, per_word = 0;
  bool all_poison = false;

  [[nodiscard]] Word word(std::size_t item, std::size_t i) const { return all_poison ? 0 : bits[item * per_item + i * per_word]; }
  [[nodiscard]] bool is_poison(std::size_t item, std::size_t i) const {
    return all_poison || (poison != nullptr && poison[item * per_item + i * per_word] != 0);
  }
};

/// The LDS of a group. Bytes are readable once they were written.
struct Lds {
  std::vector<std::byte> bytes;
  std::vector<std::uint8_t> written;
};

/// An asynchronous copy that was issued and is done when a wait forces it.
struct Copy {
  Word from = 0, to = 0;
  std::size_t bytes = 0;
};

/// A statement is evaluated for all active items before the next one starts.
class Group {
public:
  Group(const KernelDef& kernel, const InterpreterLaunch& launch, InterpreterMemory& memory);

  /// Runs work-group `id` from its first statement to its last.
  void run_group(const std::array<std::uint32_t, 3>& id);
  /// Runs statements under the present mask.
  void run(const std::vector<Stmt>& body);
  /// Runs statements for the items of `mask` only; nothing when there are none.
  void run_masked(std::vector<std::uint8_t> mask, const std::vector<Stmt>& body);

  // Values.
  [[nodiscard]] View view(const Operand& operand) const;
  /// The place of a value; made on first use.
  Lanes& place(const std::string& name, Type type);
  /// A word of the present statement's operand; poison is refused.
  [[nodiscard]] Word use(const View& v, std::size_t item, std::size_t i = 0) const;
  /// Calls f(item) for every active item; faults then name that item.
  template <class F> void each_item(const F& f) {
    for (item_ = 0; item_ < items_; ++item_)
      if (mask_[item_]) f(item_);
  }
  static void put(Lanes& to, std::size_t item, std::size_t i, Word word, bool poison = false);

  // Memory. Addresses of address space 3 are offsets into the group's LDS.
  void read(Scalar space, Word address, std::span<std::byte> to, std::size_t align) const;
  void write(Scalar space, Word address, std::span<const std::byte> from, std::size_t align);
  void finish_copies(std::size_t item, std::size_t pending);

  [[noreturn]] void fault(Code code, const std::string& found, const std::string& expected, const std::string& action) const;
  [[noreturn]] void poison(const std::string& why) const;
  [[noreturn]] void by_zero() const;

  [[nodiscard]] std::size_t items() const { return items_; }
  [[nodiscard]] std::size_t wave() const { return wave_; }
  [[nodiscard]] const std::vector<std::uint8_t>& mask() const { return mask_; }
  [[nodiscard]] const std::array<std::uint32_t, 3>& id() const { return id_; }
  [[nodiscard]] const KernelDef& kernel() const { return kernel_; }
  [[nodiscard]] Word hidden_address() const;
  [[nodiscard]] std::vector<Copy>& copies(std::size_t item) { return copies_[item]; }
  void require_whole_group(const char* what) const;

  int signals = 0; ///< arrivals at the split barrier that were not waited for

private:
  void set_params(const InterpreterLaunch& launch);
  void set_hidden(const InterpreterLaunch& launch);
  void lay_out_lds();
  void check_all_copied();
  [[nodiscard]] std::byte* global(Word address, std::size_t bytes, const char* verb) const;
  void check_lds(Word address, std::size_t bytes, const char* verb) const;
  void check_aligned(Word address, std::size_t align) const;

  const KernelDef& kernel_;
  InterpreterMemory& memory_;
  std::size_t items_, wave_, item_ = 0;
  std::array<std::uint32_t, 3> id_{};
  std::vector<std::uint8_t> mask_;
  std::unordered_map<std::string, Lanes> values_;
  std::vector<std::byte> hidden_;
  std::vector<std::vector<Copy>> copies_;
  Lds lds_;
  const Stmt* stmt_ = nullptr;
};

/// The meaning of an operation, for every active item; one specialisation per row of ops.def.
template <Op op> void perform(Group& group, const Stmt& stmt);
#define TWINIR_OP(id, ...) template <> void perform<Op::id>(Group & group, const Stmt& stmt);
#include "dsl/ops.def"
#undef TWINIR_OP

[[nodiscard]] constexpr std::size_t words_of(Type t) { return t.scalar == Scalar::p8 ? 2 : t.lanes; }
/// Bytes from one element of an array to the next: vectors are padded to a power of two.
[[nodiscard]] std::size_t stride_of(Type t);

/// result = f(a, b, ...) per item and element; poison in an operand is refused.
template <std::size_t n, class F> void map_elements(Group& g, const Stmt& s, const F& f) {
  std::array<View, n> v;
  for (std::size_t k = 0; k < n; ++k) v[k] = g.view(s.args[k]);
  auto& out = g.place(s.name, s.type);
  g.each_item([&](std::size_t item) {
    for (std::size_t i = 0; i < out.words; ++i)
      [&]<std::size_t... k>(std::index_sequence<k...>) {
        Group::put(out, item, i, f(g.use(v[k], item, i)...));
      }(std::make_index_sequence<n>());
  });
}

} // namespace twinir::interp
