// SPDX-License-Identifier: MIT
// Pointers to global, LDS and constant memory, and buffer resources.
#pragma once
// Guarantees: loads keep their order against stores to the same address space. Offsets count elements for pointers
// and bytes for buffers. Refuses stores through read-only pointers and loads through write-only ones.
#include "dsl/value.hpp"

#include <functional>

namespace twinir {

class Ref;
enum class ParamKind : std::uint8_t;

/// How an access may be cached.
enum class Cache : std::uint8_t { normal, non_temporal };

/// Among whom an atomic is one step: a wave, a work-group, the device, or the host as well.
enum class Scope : std::uint8_t { wavefront, workgroup, agent, system };
/// What an atomic orders besides its own element; all but monotonic are fences too.
enum class Order : std::uint8_t { monotonic, acquire, release, acq_rel };
/// What is known of the memory of a float atomic. Coarse promises that the host did not allocate it
/// fine-grained: then gfx11 has an instruction for what is a compare-exchange loop elsewise.
enum class Grain : std::uint8_t { any, coarse };

/// A pointer to elements of one type.
class Pointer {
public:
  Pointer() = default;
  Pointer(Value address, Type element, ParamKind kind) : address_(address), element_(element), kind_(kind) {}

  /// The element at `index` (i32 or i64): reading loads it, assigning stores it.
  [[nodiscard]] Ref operator[](Arg index) const;
  [[nodiscard]] Pointer operator+(Arg index) const;
  /// The same, but the address may lie outside the object until a further offset brings it back.
  [[nodiscard]] Pointer shifted(Arg index) const;
  /// The same address as a pointer to elements of another type.
  [[nodiscard]] Pointer as(Type element) const { return {address_, element, kind_}; }

  /// A value of `type` at element `index`; `align` in bytes, 0: the size of a scalar of `type`.
  [[nodiscard]] Value load(Type type, Arg index, int align = 0, Cache cache = Cache::normal) const;
  /// Of the element type, or a vector of it; through a pointer to i8 (raw bytes) anything.
  void store(Arg index, Arg value, int align = 0, Cache cache = Cache::normal) const;
  /// The masked forms: `otherwise` where the condition does not hold; nothing is stored there.
  [[nodiscard]] Value load_if(Arg condition, Type type, Arg index, Arg otherwise, int align = 0) const;
  void store_if(Arg condition, Arg index, Arg value, int align = 0) const;

  // Atomics on the element at `index`, of the pointer's own type (i32 or i64; f32 or f64 for the float ones
  // and exchange). They are statements, in the order of the program, and give the old value.
  Value atomic_add(Arg index, Arg value, Scope scope, Order order = Order::monotonic) const;
  Value atomic_sub(Arg index, Arg value, Scope scope, Order order = Order::monotonic) const;
  Value atomic_umin(Arg index, Arg value, Scope scope, Order order = Order::monotonic) const;
  Value atomic_umax(Arg index, Arg value, Scope scope, Order order = Order::monotonic) const;
  Value atomic_smin(Arg index, Arg value, Scope scope, Order order = Order::monotonic) const;
  Value atomic_smax(Arg index, Arg value, Scope scope, Order order = Order::monotonic) const;
  Value atomic_and(Arg index, Arg value, Scope scope, Order order = Order::monotonic) const;
  Value atomic_or(Arg index, Arg value, Scope scope, Order order = Order::monotonic) const;
  Value atomic_xor(Arg index, Arg value, Scope scope, Order order = Order::monotonic) const;
  Value atomic_exchange(Arg index, Arg value, Scope scope, Order order = Order::monotonic) const;
  /// Stores `desired` where the element equals `expected`; that it did shows in the old value.
  Value atomic_compare(Arg index, Arg expected, Arg desired, Scope scope,
                       Order order = Order::monotonic) const;
  Value atomic_fadd(Arg index, Arg value, Scope scope, Order order = Order::monotonic,
                    Grain grain = Grain::any) const;
  Value atomic_fmin(Arg index, Arg value, Scope scope, Order order = Order::monotonic,
                    Grain grain = Grain::any) const;
  Value atomic_fmax(Arg index, Arg value, Scope scope, Order order = Order::monotonic,
                    Grain grain = Grain::any) const;

  [[nodiscard]] Value address() const { return address_; }
  [[nodiscard]] Type element() const { return element_; }
  [[nodiscard]] ParamKind kind() const { return kind_; }

private:
  struct Atomic; ///< which operation, and how
  [[nodiscard]] Value element_address(Arg index, bool inbounds = true) const;
  [[nodiscard]] Value atomic(const Atomic& how, const Arg& index, std::initializer_list<Arg> values) const;

  Value address_;
  Type element_;
  ParamKind kind_{};
};

/// One element in memory.
class Ref {
public:
  Ref(Pointer pointer, Arg index) : pointer_(pointer), index_(index) {}
  operator Value() const { return pointer_.load(pointer_.element(), index_); } // NOLINT: reads like an array
  void operator=(Arg value) const { pointer_.store(index_, value); }
  void operator=(const Ref& other) const { pointer_.store(index_, Value(other)); }
  void operator+=(Arg value) const { pointer_.store(index_, Value(*this) + value); }

private:
  Pointer pointer_;
  Arg index_;
};

/// A raw buffer resource: every access is checked against its size by the hardware.
class Buffer {
public:
  Buffer() = default;
  Buffer(Value resource, ParamKind kind) : resource_(resource), kind_(kind) {}

  /// A value at byte `offset` plus the wave-uniform byte offset `uniform`; all zero bits when out of range.
  [[nodiscard]] Value load(Type type, Arg offset, Arg uniform = 0) const;
  /// Writes nothing when out of range.
  void store(Arg offset, Arg value, Arg uniform = 0) const;

private:
  Value resource_;
  ParamKind kind_{};
};

} // namespace twinir
