// SPDX-License-Identifier: MIT
// The interpreter's identities, addresses, memory accesses and copies to LDS.
#include "dsl/constant.hpp"
#include "dsl/interpret_group.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace twinir::interp {
namespace {

template <class F> void per_item(Group& g, const Stmt& s, const F& f) {
  auto& out = g.place(s.name, s.type);
  g.each_item([&](std::size_t item) { Group::put(out, item, 0, f(item)); });
}

template <std::size_t dimension> Word position(const Group& g, std::size_t item) {
  const auto* block = g.kernel().block;
  for (std::size_t i = 0; i < dimension; ++i) item /= static_cast<std::size_t>(block[i]);
  return item % static_cast<std::size_t>(block[dimension]);
}

/// The elements of a value, packed as in memory.
std::vector<std::byte> packed(Group& g, const View& v, std::size_t item, Type t) {
  std::vector<std::byte> out(t.bytes());
  const std::size_t size = byte_size(t.scalar);
  for (std::size_t i = 0; i < t.lanes; ++i) {
    const Word word = g.use(v, item, i);
    std::memcpy(out.data() + i * size, &word, size);
  }
  return out;
}

void unpack(Lanes& to, std::size_t item, Type t, const std::vector<std::byte>& bytes) {
  const std::size_t size = byte_size(t.scalar);
  for (std::size_t i = 0; i < t.lanes; ++i) {
    Word word = 0;
    std::memcpy(&word, bytes.data() + i * size, size);
    Group::put(to, item, i, word);
  }
}

/// The address of an access to a resource; false when it is out of range. The two offsets do not wrap.
bool buffer_address(Group& g, const View& resource, std::size_t item, Word offset, std::size_t bytes, Word& address) {
  const Word records = g.use(resource, item, 1);
  address = g.use(resource, item, 0) + offset;
  return offset <= records && bytes <= records - offset;
}

void async_load(Group& g, const Stmt& s, std::size_t bytes) {
  const auto from = g.view(s.args[0]), to = g.view(s.args[1]);
  const auto offset = static_cast<Word>(s.value("offset"));
  g.each_item([&](std::size_t item) {
    g.copies(item).push_back({g.use(from, item) + offset, truncated(Scalar::p3, g.use(to, item) + offset), bytes});
  });
}

// The base comes from a scalar register; a lane's bytes lie behind those of the lanes before it, active or
// not.
void load_lds(Group& g, const Stmt& s, std::size_t bytes) {
  const auto from = g.view(s.args[0]), base = g.view(s.args[1]);
  const auto offset = static_cast<Word>(s.value("offset"));
  std::size_t first = g.items();
  g.each_item([&](std::size_t item) {
    if (first == g.items() || item / g.wave() != first / g.wave()) first = item;
    if (g.use(base, item) != g.use(base, first))
      g.poison("an LDS base that is not the same in the whole wave");
    const Word to = g.use(base, item) + offset + item % g.wave() * bytes;
    g.copies(item).push_back({g.use(from, item) + offset, truncated(Scalar::p3, to), bytes});
  });
}

} // namespace

template <> void perform<Op::workitem_x>(Group& g, const Stmt& s) {
  per_item(g, s, [&](std::size_t item) { return position<0>(g, item); });
}
template <> void perform<Op::workitem_y>(Group& g, const Stmt& s) {
  per_item(g, s, [&](std::size_t item) { return position<1>(g, item); });
}
template <> void perform<Op::workitem_z>(Group& g, const Stmt& s) {
  per_item(g, s, [&](std::size_t item) { return position<2>(g, item); });
}
template <> void perform<Op::workgroup_x>(Group& g, const Stmt& s) {
  per_item(g, s, [&](std::size_t) -> Word { return g.id()[0]; });
}
template <> void perform<Op::workgroup_y>(Group& g, const Stmt& s) {
  per_item(g, s, [&](std::size_t) -> Word { return g.id()[1]; });
}
template <> void perform<Op::workgroup_z>(Group& g, const Stmt& s) {
  per_item(g, s, [&](std::size_t) -> Word { return g.id()[2]; });
}
template <> void perform<Op::implicit_args>(Group& g, const Stmt& s) {
  per_item(g, s, [&](std::size_t) { return g.hidden_address(); });
}

namespace {

/// Counts the bits of a that belong to lanes [first, first + 32) below the item's own.
void mbcnt(Group& g, const Stmt& s, std::size_t first) {
  const auto a = g.view(s.args[0]), b = g.view(s.args[1]);
  per_item(g, s, [&](std::size_t item) {
    const std::size_t lane = item % g.wave(), below = std::min<std::size_t>(lane > first ? lane - first : 0, 32);
    const Word bits = g.use(a, item) & ((Word{1} << below) - 1);
    return truncated(Scalar::i32, g.use(b, item) + static_cast<Word>(std::popcount(bits)));
  });
}

} // namespace

template <> void perform<Op::mbcnt_lo>(Group& g, const Stmt& s) { mbcnt(g, s, 0); }
template <> void perform<Op::mbcnt_hi>(Group& g, const Stmt& s) { mbcnt(g, s, 32); }

template <> void perform<Op::gep>(Group& g, const Stmt& s) {
  const auto pointer = g.view(s.args[0]), index = g.view(s.args[1]);
  const auto size = static_cast<Word>(stride_of(s.element));
  per_item(g, s, [&](std::size_t item) {
    const auto steps = static_cast<Word>(signed_value(s.args[1].type.scalar, g.use(index, item)));
    return truncated(s.type.scalar, g.use(pointer, item) + steps * size);
  });
}

template <> void perform<Op::load>(Group& g, const Stmt& s) {
  const auto pointer = g.view(s.args[0]);
  auto& out = g.place(s.name, s.type);
  std::vector<std::byte> bytes(s.type.bytes());
  g.each_item([&](std::size_t item) {
    g.read(s.args[0].type.scalar, g.use(pointer, item), bytes, static_cast<std::size_t>(s.value("align")));
    unpack(out, item, s.type, bytes);
  });
}

template <> void perform<Op::store>(Group& g, const Stmt& s) {
  const auto value = g.view(s.args[0]), pointer = g.view(s.args[1]);
  g.each_item([&](std::size_t item) {
    const auto bytes = packed(g, value, item, s.args[0].type);
    g.write(s.args[1].type.scalar, g.use(pointer, item), bytes, static_cast<std::size_t>(s.value("align")));
  });
}

// Word 0 of a resource is its address, word 1 its size in bytes.
template <> void perform<Op::rsrc>(Group& g, const Stmt& s) {
  const auto pointer = g.view(s.args[0]), bytes = g.view(s.args[1]);
  auto& out = g.place(s.name, s.type);
  g.each_item([&](std::size_t item) {
    Group::put(out, item, 0, g.use(pointer, item));
    Group::put(out, item, 1, g.use(bytes, item));
  });
}

template <> void perform<Op::buffer_load>(Group& g, const Stmt& s) {
  const auto resource = g.view(s.args[0]), offset = g.view(s.args[1]), uniform = g.view(s.args[2]);
  auto& out = g.place(s.name, s.type);
  g.each_item([&](std::size_t item) {
    std::vector<std::byte> bytes(s.type.bytes());
    Word address = 0;
    if (buffer_address(g, resource, item, g.use(offset, item) + g.use(uniform, item), bytes.size(), address))
      g.read(Scalar::p1, address, bytes, 1);
    unpack(out, item, s.type, bytes);
  });
}

template <> void perform<Op::buffer_store>(Group& g, const Stmt& s) {
  const auto value = g.view(s.args[0]), resource = g.view(s.args[1]), offset = g.view(s.args[2]), uniform = g.view(s.args[3]);
  g.each_item([&](std::size_t item) {
    const auto bytes = packed(g, value, item, s.args[0].type);
    Word address = 0;
    if (buffer_address(g, resource, item, g.use(offset, item) + g.use(uniform, item), bytes.size(), address))
      g.write(Scalar::p1, address, bytes, 1);
  });
}

template <> void perform<Op::async_load_b32>(Group& g, const Stmt& s) { async_load(g, s, 4); }
template <> void perform<Op::async_load_b64>(Group& g, const Stmt& s) { async_load(g, s, 8); }
template <> void perform<Op::async_load_b128>(Group& g, const Stmt& s) { async_load(g, s, 16); }

template <> void perform<Op::load_lds_b32>(Group& g, const Stmt& s) { load_lds(g, s, 4); }
template <> void perform<Op::load_lds_b96>(Group& g, const Stmt& s) { load_lds(g, s, 12); }
template <> void perform<Op::load_lds_b128>(Group& g, const Stmt& s) { load_lds(g, s, 16); }

namespace {

// Copies happen only when a wait forces them: done at once, a kernel without waits would still give right numbers.
void wait_for_copies(Group& g, const Stmt& s) {
  g.each_item([&](std::size_t item) { g.finish_copies(item, static_cast<std::size_t>(s.value("count"))); });
}

} // namespace

template <> void perform<Op::wait_async>(Group& g, const Stmt& s) { wait_for_copies(g, s); }
template <> void perform<Op::wait_load_lds>(Group& g, const Stmt& s) { wait_for_copies(g, s); }

} // namespace twinir::interp
