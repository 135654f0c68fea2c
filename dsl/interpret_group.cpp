// SPDX-License-Identifier: MIT
// The interpreter's work-group: values, LDS, global memory and faults.
#include "dsl/interpret_group.hpp"

#include "dsl/pretty.hpp"

#include <algorithm>
#include <cstring>

namespace twinir::interp {
namespace {

using Perform = void (*)(Group&, const Stmt&);
// In the order of Op.
constexpr Perform table[] = {
#define TWINIR_OP(id, ...) &perform<Op::id>,
#include "dsl/ops.def"
#undef TWINIR_OP
};

constexpr std::size_t hidden_bytes = 256;

std::string hex(Word word) {
  std::string out;
  do out.insert(out.begin(), "0123456789abcdef"[word & 15]);
  while ((word >>= 4) != 0);
  return "0x" + out;
}

std::string access(std::size_t bytes, const char* verb) { return std::string(verb) + " of " + std::to_string(bytes) + " bytes"; }

} // namespace

Group::Group(const KernelDef& kernel, const InterpreterLaunch& launch, InterpreterMemory& memory)
    : kernel_(kernel), memory_(memory), items_(static_cast<std::size_t>(kernel.items())),
      wave_(static_cast<std::size_t>(find_target(kernel.target).wave)), mask_(items_, 1), copies_(items_) {
  set_params(launch);
  set_hidden(launch);
  lay_out_lds();
}

// Hidden arguments of the code object: counts of groups, then the sizes of a group.
void Group::set_hidden(const InterpreterLaunch& launch) {
  hidden_.assign(hidden_bytes, std::byte{0});
  for (std::size_t i = 0; i < 3; ++i) {
    const auto size = static_cast<std::uint16_t>(kernel_.block[i]);
    std::memcpy(hidden_.data() + 4 * i, &launch.grid[i], 4);
    std::memcpy(hidden_.data() + 12 + 2 * i, &size, 2);
  }
}

Word Group::hidden_address() const { return reinterpret_cast<Word>(hidden_.data()); }

void Group::lay_out_lds() {
  std::size_t offset = 0;
  for (const auto& a : kernel_.lds) {
    const auto align = static_cast<std::size_t>(a.align);
    offset = (offset + align - 1) / align * align;
    auto& to = place("@" + a.name, Type{Scalar::p3, 1});
    for (std::size_t item = 0; item < items_; ++item) put(to, item, 0, offset);
    offset += static_cast<std::size_t>(a.count) * stride_of(a.element);
  }
  lds_.bytes.resize(offset);
}

void Group::run_group(const std::array<std::uint32_t, 3>& id) {
  id_ = id;
  signals = 0;
  lds_.written.assign(lds_.bytes.size(), 0);
  mask_.assign(items_, 1);
  run(kernel_.body);
  check_all_copied();
}

void Group::run(const std::vector<Stmt>& body) {
  for (const auto& stmt : body) {
    stmt_ = &stmt;
    table[static_cast<std::size_t>(stmt.op)](*this, stmt);
  }
}

void Group::run_masked(std::vector<std::uint8_t> mask, const std::vector<Stmt>& body) {
  if (std::ranges::find(mask, 1) == mask.end()) return;
  std::swap(mask, mask_);
  const auto* stmt = stmt_;
  run(body);
  stmt_ = stmt;
  std::swap(mask, mask_);
}

View Group::view(const Operand& o) const {
  if (o.is_constant()) {
    const bool spread = o.bits.size() > 1;
    return {o.bits.data(), nullptr, 0, spread ? std::size_t{1} : std::size_t{0}, o.poison};
  }
  const auto it = values_.find(o.name);
  if (it == values_.end()) throw InternalError("value '" + o.name + "' is used before it is made");
  const auto& v = it->second;
  return {v.bits.data(), v.poison.empty() ? nullptr : v.poison.data(), v.words, v.words > 1 ? std::size_t{1} : std::size_t{0}, false};
}

Lanes& Group::place(const std::string& name, Type type) {
  auto& v = values_[name];
  v.words = words_of(type);
  v.bits.resize(v.words * items_);
  return v;
}

Word Group::use(const View& v, std::size_t item, std::size_t i) const {
  if (v.is_poison(item, i)) poison("an operand that is poison");
  return v.word(item, i);
}

void Group::put(Lanes& to, std::size_t item, std::size_t i, Word word, bool poison) {
  const auto at = item * to.words + i;
  to.bits[at] = word;
  if (poison && to.poison.empty()) to.poison.assign(to.bits.size(), 0);
  if (!to.poison.empty()) to.poison[at] = poison ? 1 : 0;
}

void Group::fault(Code code, const std::string& found, const std::string& expected, const std::string& action) const {
  std::string where = " in kernel '" + kernel_.name + "', group (" + std::to_string(id_[0]) + ", " + std::to_string(id_[1]) + ", " +
                      std::to_string(id_[2]) + ")";
  if (item_ < items_) where += ", item " + std::to_string(item_);
  if (stmt_ != nullptr) where = " at '" + pretty(*stmt_) + "'" + where;
  throw UserError({code, found + where, expected, action, {}});
}

void Group::poison(const std::string& why) const {
  fault(Code::exec_poison, why, "operands for which the operation has a result", "guard the operation or drop its promises");
}

void Group::by_zero() const { fault(Code::exec_division_by_zero, "a division by zero", "a divisor that is not 0", "guard the division"); }

void Group::require_whole_group(const char* what) const {
  const auto on = std::ranges::count(mask_, 1);
  if (static_cast<std::size_t>(on) != items_)
    fault(Code::exec_divergent_barrier, std::string(what) + " reached by " + std::to_string(on) + " of " + std::to_string(items_) + " items",
          "every item of the group at the same barrier", "move the barrier out of divergent control flow");
}

void Group::check_aligned(Word address, std::size_t align) const {
  if (address % align != 0)
    fault(Code::exec_misaligned, "address " + hex(address), "a multiple of " + std::to_string(align), "correct the index or promise less");
}

std::byte* Group::global(Word address, std::size_t bytes, const char* verb) const {
  const auto offset = address - hidden_address();
  if (address >= hidden_address() && offset + bytes <= hidden_.size()) return const_cast<std::byte*>(hidden_.data()) + offset;
  const auto* buffer = memory_.find(address, bytes);
  if (buffer == nullptr)
    fault(Code::exec_out_of_bounds, access(bytes, verb) + " at " + hex(address) + ", outside every buffer", "an access inside a buffer",
          "correct the index or guard the access");
  return buffer->bytes.data() + (address - buffer->address);
}

void Group::check_lds(Word address, std::size_t bytes, const char* verb) const {
  if (address > lds_.bytes.size() || bytes > lds_.bytes.size() - address)
    fault(Code::exec_out_of_bounds, access(bytes, verb) + " at LDS byte " + std::to_string(address),
          "an access inside the group's " + std::to_string(lds_.bytes.size()) + " bytes", "correct the index or guard the access");
}

void Group::read(Scalar space, Word address, std::span<std::byte> to, std::size_t align) const {
  if (space != Scalar::p3) {
    std::memcpy(to.data(), global(address, to.size(), "a read"), to.size());
    return check_aligned(address, align);
  }
  check_lds(address, to.size(), "a read");
  check_aligned(address, align);
  for (std::size_t i = 0; i < to.size(); ++i)
    if (!lds_.written[address + i])
      fault(Code::exec_uninitialised, access(to.size(), "a read") + " at LDS byte " + std::to_string(address), "bytes that were written",
            "write them before, with a barrier between");
  std::memcpy(to.data(), lds_.bytes.data() + address, to.size());
}

void Group::write(Scalar space, Word address, std::span<const std::byte> from, std::size_t align) {
  if (space == Scalar::p3) check_lds(address, from.size(), "a write");
  auto* to = space == Scalar::p3 ? lds_.bytes.data() + address : global(address, from.size(), "a write");
  check_aligned(address, align);
  std::memcpy(to, from.data(), from.size());
  if (space == Scalar::p3) std::fill_n(lds_.written.begin() + static_cast<std::ptrdiff_t>(address), from.size(), std::uint8_t{1});
}

void Group::finish_copies(std::size_t item, std::size_t pending) {
  auto& queue = copies_[item];
  const std::size_t ready = queue.size() > pending ? queue.size() - pending : 0;
  for (std::size_t i = 0; i < ready; ++i) {
    std::vector<std::byte> bytes(queue[i].bytes);
    read(Scalar::p1, queue[i].from, bytes, 1);
    write(Scalar::p3, queue[i].to, bytes, 1);
  }
  queue.erase(queue.begin(), queue.begin() + static_cast<std::ptrdiff_t>(ready));
}

void Group::check_all_copied() {
  for (item_ = 0; item_ < items_; ++item_)
    if (const auto pending = copies_[item_].size(); pending != 0) {
      stmt_ = nullptr;
      fault(Code::exec_async_pending, std::to_string(pending) + " copies pending when the item ended", "a wait for every asynchronous copy",
            "wait before the copied data is used");
    }
}

} // namespace twinir::interp
