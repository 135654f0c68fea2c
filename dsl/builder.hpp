// SPDX-License-Identifier: MIT
// KernelBuilder: parameters, memory, control flow and synchronisation of a kernel under construction.
#pragma once
// Example:
//   KernelDef saxpy(const Target& target) {
//     KernelBuilder k{"saxpy_f32", target, Workgroup{256}};
//     auto x = k.global_in<f32>("x");
//     auto y = k.global<f32>("y");
//     auto a = k.arg<f32>("a");
//     auto n = k.arg<i32>("n");
//     k.for_range(k.global_id(), n, k.global_size(), [&](Value i) { y[i] = fma(a, x[i], y[i]); });
//     return k.finish();
//   }
// Guarantees: finish() gives the same KernelDef from every compiler; what it gives has passed the verifier.
// Refuses with coded UserErrors at the author's line: wrong types, values of another builder, use after finish(),
// values used outside their region, names that are taken.
#include "dsl/kernel_def.hpp"
#include "dsl/matrix.hpp"
#include "dsl/memory.hpp"
#include "dsl/target.hpp"
#include "dsl/value.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace twinir {

/// What a kernel is called, and which of its arguments are constants instead: a baked kernel comes from the same code
/// as the one with arguments.
struct KernelIdentity {
  std::string name;
  std::map<std::string, std::int64_t> bound{}; ///< integer argument -> value; finish() refuses names it never met

  KernelIdentity(std::string n) : name(std::move(n)) {}
  KernelIdentity(const char* n) : name(n) {}
  KernelIdentity(std::string n, std::map<std::string, std::int64_t> values) : name(std::move(n)), bound(std::move(values)) {}
};

/// Work-items of a group.
struct Workgroup {
  int x = 1, y = 1, z = 1;
};

/// How a pointer parameter may be used.
struct PointerOptions {
  int align = 0;                    ///< bytes the host promises; 0: the element's size
  std::int64_t dereferenceable = 0; ///< bytes that may be read at any time
};

struct LoopOptions {
  std::string name = "i"; ///< of the counter
  bool unroll = true;     ///< false: tell the code generator not to unroll
};

/// What an operation has besides operands.
struct OpExtra {
  std::vector<std::string> flags{};
  std::vector<Attribute> attributes{};
  std::vector<int> mask{};
  Type element{};
  int space = -1; ///< loads: graph::Space
};

class KernelBuilder {
public:
  KernelBuilder(KernelIdentity identity, const Target& target, Workgroup block,
                std::source_location where = std::source_location::current());
  ~KernelBuilder();
  KernelBuilder(const KernelBuilder&) = delete;
  KernelBuilder& operator=(const KernelBuilder&) = delete;

  [[nodiscard]] const Target& target() const { return target_; }
  [[nodiscard]] Workgroup block() const { return block_; }

  // Parameters, in the order of the calls. Pointers never alias each other.
  Pointer global_in(std::string name, Type element, PointerOptions options = {});
  Pointer global_out(std::string name, Type element, PointerOptions options = {});
  Pointer global(std::string name, Type element, PointerOptions options = {});
  Pointer constant_in(std::string name, Type element, PointerOptions options = {});
  /// A bound argument is a constant, and no parameter.
  Value arg(std::string name, Type type);
  template <Type T> Pointer global_in(std::string name, PointerOptions o = {}) { return global_in(std::move(name), T, o); }
  template <Type T> Pointer global_out(std::string name, PointerOptions o = {}) { return global_out(std::move(name), T, o); }
  template <Type T> Pointer global(std::string name, PointerOptions o = {}) { return global(std::move(name), T, o); }
  template <Type T> Value arg(std::string name) { return arg(std::move(name), T); }
  /// Register hint: at least `waves` waves per SIMD.
  void waves_per_eu(int waves);

  // Memory of the group, and buffer resources (loads out of range give 0, stores out of range vanish).
  Pointer lds(std::string name, Type element, std::int64_t count, int align = 16);
  /// `bytes` is an i32, taken as unsigned; the resource covers [pointer, pointer + bytes).
  [[nodiscard]] Buffer buffer(const Pointer& pointer, Arg bytes);

  // Constants.
  [[nodiscard]] Value constant(Type type, Arg number);
  [[nodiscard]] Value constant(Type type, std::vector<std::uint64_t> bits);
  [[nodiscard]] Value zero(Type type);
  [[nodiscard]] Value poison(Type type);

  // Identity. Dimension 0 is x.
  [[nodiscard]] Value workitem(int dimension = 0);
  [[nodiscard]] Value workgroup(int dimension = 0);
  [[nodiscard]] Value num_groups(int dimension = 0);  ///< of the launch
  [[nodiscard]] Value global_id(int dimension = 0);   ///< workgroup * block + workitem
  [[nodiscard]] Value global_size(int dimension = 0); ///< num_groups * block
  [[nodiscard]] Value flat_item();                    ///< of a group, x fastest
  [[nodiscard]] Value lane();
  /// Index of the wave in its group, uniform (a scalar register).
  [[nodiscard]] Value wave();

  // Control. Unrolling happens in the host language.
  using Body = std::function<void()>;
  using Values = std::vector<Value>;
  void if_(Arg condition, const Body& then, const Body& otherwise = {});
  /// Both bodies give values of equal types; returns the one of the branch that ran.
  [[nodiscard]] Values if_values(Arg condition, const std::function<Values()>& then, const std::function<Values()>& otherwise);
  [[nodiscard]] Value if_value(Arg condition, const std::function<Value()>& then, const std::function<Value()>& otherwise);
  /// for (i = low; i < high; i += step), signed; step must be positive.
  void for_range(Arg low, Arg high, Arg step, const std::function<void(Value)>& body, LoopOptions options = {});
  /// The same with carried values: the body gets them and gives the next ones; returns the last ones.
  [[nodiscard]] Values for_carry(Arg low, Arg high, Arg step, const Values& first,
                                 const std::function<Values(Value, const Values&)>& body, LoopOptions options = {});
  // The open forms of if_values and for_carry, for languages whose blocks are no functions (Python's `with`).
  // Blocks end in the order opposite to their beginnings; anything else is refused with open_block, also by
  // finish().
  void begin_if(Arg condition);
  /// Ends the first arm, which gives `values`, and begins the other.
  void begin_else(const Values& values = {});
  /// Ends the last arm; returns the values of the arm that ran.
  Values end_if(const Values& values = {});
  /// Returns the counter, then the carried values.
  Values begin_for(Arg low, Arg high, Arg step, const Values& first = {}, LoopOptions options = {});
  /// Takes the carried values' next ones; returns the last ones.
  Values end_for(const Values& next = {});
  /// Ends the work-item where `condition` holds; only at the top level, and not before a barrier.
  void return_if(Arg condition);

  // Synchronisation.
  /// Every item of the group arrives, and sees the group's LDS and global writes from before.
  void barrier();
  void barrier_signal(); ///< release fence, then arrival
  void barrier_wait();   ///< waits for all arrivals, then an acquire fence
  void fence(std::string order, std::string scope);
  /// Copies `bytes` (4, 8 or 16) from global to LDS without registers; `offset` is added to both addresses.
  void async_load(const Pointer& from, const Pointer& to, int bytes, int offset = 0);
  void wait_async(int pending);
  /// gfx950: every lane copies `bytes` (4, 12 or 16) from its own global address to LDS byte base + bytes *
  /// lane; `base` is the same in all lanes, `offset` (0 to 4095 bytes) is added to both addresses. Done only
  /// after wait_load_lds.
  void load_lds(const Pointer& from, const Pointer& base, int bytes, int offset = 0);
  /// Waits until at most `pending` (0 to 63) of this wave's load_lds are pending.
  void wait_load_lds(int pending);
  // The lanes of a wave; dsl/wave.hpp builds votes, shuffles, sums and scans from these.
  [[nodiscard]] Value readfirstlane(Arg value);
  /// The value of lane `lane`: the same number in every lane, of a lane that is active.
  [[nodiscard]] Value readlane(Arg value, Arg lane);
  /// The i32 `value` of lane `byte` / 4, modulo the wave; 0 from a lane that is off.
  [[nodiscard]] Value bpermute(Arg byte, Arg value);
  /// One bit per lane, as i32 or, on targets with 64 lanes, i64.
  [[nodiscard]] Value ballot(Arg condition);

  /// A * B + C on the target's fragments of f16 or bf16, with f32 sums (layouts: docs/matrix.md).
  [[nodiscard]] Value mma(Arg a, Arg b, Arg c);
  /// The same for other numbers, or of another size: `side` rows and columns, 0 for the target's largest.
  /// Fragments of 8-bit numbers may have any type of their size in bits; the sums of integers are i32.
  /// Refused (op_not_on_target) where the target has no such operation.
  [[nodiscard]] Value mma(Arg a, Arg b, Arg c, MatrixNumber of_a, MatrixNumber of_b, int side = 0);

  // Diagnosis: reported by the host executor and the interpreter (TIR5014); on a device the wave ends.
  /// `name` says what is asserted; it stands in the text and in the report.
  void assert_that(Arg condition, const std::string& name);
  /// A place that must not be reached.
  void trap();

  // Scheduling and names.
  /// Computes the value here, not where it is first used.
  Value pin(Arg value);
  /// A copy that the optimiser cannot see through; `uniform` keeps it in a scalar register.
  [[nodiscard]] Value opaque(Arg value, bool uniform = false);
  void sched_barrier(int mask = 0);
  void setprio(int priority);
  /// Gives a value a name in the text; a taken name gets a number.
  Value let(const std::string& name, Arg value);

  /// Schedules, verifies and returns the kernel; the builder cannot be used afterwards.
  [[nodiscard]] KernelDef finish();

  // For the operators of value.hpp and memory.hpp.
  Value make(Op op, Type type, std::vector<graph::Node*> args, const std::source_location& where, OpExtra extra = {});
  void act(Op op, std::vector<graph::Node*> args, const std::source_location& where, std::vector<Attribute> attributes = {},
           std::vector<std::string> flags = {});
  /// A statement that gives a value of `type`, which exists only after it.
  Value act_for(Op op, Type type, std::vector<graph::Node*> args, const std::source_location& where,
                std::vector<Attribute> attributes = {}, std::vector<std::string> flags = {});
  /// The node of an operand; a number takes the type `like`.
  graph::Node* node(const Arg& arg, Type like);

private:
  struct State;
  Pointer pointer(std::string name, Type element, ParamKind kind, Scalar space, PointerOptions options);
  Value id(Op op, const char* hint);
  Value dimension(Op x, int dimension, const char* hint);
  void check_open(const std::source_location& where) const;
  void end_arm(const Values& values);
  std::string take_name(const std::string& name, const char* what);

  const Target& target_;
  Workgroup block_;
  std::unique_ptr<State> state_;
};

} // namespace twinir
