// SPDX-License-Identifier: MIT
// KernelBuilder. The `with` forms of if and for are in twinir/_builder.py, over begin_ and end_ here.
#include "dsl/error.hpp"
#include "dsl/target.hpp"
#include "python/bind/handles.hpp"

namespace twinir::python {
namespace {

using Class = py::class_<AuthoredKernel, Owner>;
using K = AuthoredKernel;

Owner make(const std::string& name, const std::string& arch, std::array<int, 3> block) {
  return std::make_shared<K>(KernelIdentity(name), find_target(arch), Workgroup{block[0], block[1], block[2]});
}

MatrixNumber number(const std::string& word) {
  if (const auto known = parse_matrix_number(word)) return *known;
  throw UserError({Code::unsupported_dtype,
                   "matrix elements of '" + word + "'",
                   "f16, bf16, fp8, bf8, i8 or u8",
                   "take one of these",
                   {}});
}

PyPointer owned(const Pointer& p, K& k) { return {p, k.shared_from_this()}; }

/// A pointer parameter; its element type is kept for launches.
PyPointer parameter(const Pointer& p, K& k, const std::string& name) {
  k.elements[name] = p.element();
  return owned(p, k);
}

void bind_parameters(Class& c) {
  using Make = Pointer (KernelBuilder::*)(std::string, Type, PointerOptions);
  const std::tuple<const char*, Make, const char*> kinds[] = {
      {"global_in", &KernelBuilder::global_in, "A global pointer that the kernel only reads."},
      {"global_out", &KernelBuilder::global_out, "A global pointer that the kernel only writes."},
      {"global_inout", &KernelBuilder::global, "A global pointer that the kernel reads and writes."},
      {"constant_in", &KernelBuilder::constant_in, "A pointer to constant memory."}};
  for (const auto& [name, f, help] : kinds)
    c.def(name, [f = f](K& k, std::string n, const Type& t, int align, std::int64_t deref) { return parameter((k.*f)(n, t, {align, deref}), k, n); },
          py::arg("name"), py::arg("type"), py::kw_only(), py::arg("align") = 0, py::arg("dereferenceable") = 0, help);
  c.def("arg", [](K& k, std::string n, const Type& t) { return PyValue(k.arg(std::move(n), t)); }, py::arg("name"), py::arg("type"), "A parameter passed by value.")
      .def("waves_per_eu", &K::waves_per_eu, py::arg("waves"), "Register hint: at least so many waves per SIMD.")
      .def("lds", [](K& k, std::string n, const Type& t, std::int64_t count, int align) { return owned(k.lds(std::move(n), t, count, align), k); },
           py::arg("name"), py::arg("type"), py::arg("count"), py::kw_only(), py::arg("align") = 16, "An array of `count` elements in the group's LDS.")
      .def("buffer", [](K& k, const PyPointer& p, py::handle bytes) { return PyBuffer{k.buffer(p.pointer, to_arg(bytes)), k.shared_from_this()}; },
           py::arg("pointer"), py::arg("bytes"), "A buffer resource over [pointer, pointer + bytes).");
}

void bind_values(Class& c) {
  c.def(
       "constant",
       [](K& k, const Type& t, py::handle number) { return PyValue(k.constant(t, to_arg(number))); },
       py::arg("type"), py::arg("number"), "A constant; a splat for vectors.")
      .def(
          "bits",
          [](K& k, const Type& t, std::vector<std::uint64_t> words) {
            return PyValue(k.constant(t, std::move(words)));
          },
          py::arg("type"), py::arg("words"),
          "A constant by its bit patterns: one word, or one for each lane.")
      .def(
          "zero", [](K& k, const Type& t) { return PyValue(k.zero(t)); }, py::arg("type"),
          "0 of the type, in every element.")
      .def(
          "poison", [](K& k, const Type& t) { return PyValue(k.poison(t)); }, py::arg("type"),
          "A value that must not be used; the executor reports a use.");
  using Dimension = Value (KernelBuilder::*)(int);
  const std::tuple<const char*, Dimension, const char*> dimensions[] = {
      {"workitem", &KernelBuilder::workitem, "Work-item in its group."},
      {"workgroup", &KernelBuilder::workgroup, "Group in the grid."},
      {"num_groups", &KernelBuilder::num_groups, "Groups of the launch."},
      {"global_id", &KernelBuilder::global_id, "workgroup * block + workitem."},
      {"global_size", &KernelBuilder::global_size, "num_groups * block."}};
  for (const auto& [name, f, help] : dimensions)
    c.def(name, [f = f](K& k, int d) { return PyValue((k.*f)(d)); }, py::arg("dimension") = 0, help);
  c.def("flat_item", [](K& k) { return PyValue(k.flat_item()); }, "Work-item of the group as one number, x fastest.")
      .def("lane", [](K& k) { return PyValue(k.lane()); }, "Lane of the wave.")
      .def("wave", [](K& k) { return PyValue(k.wave()); }, "Index of the wave in its group, uniform.");
}

void bind_control(Class& c) {
  c.def("_begin_if", [](K& k, py::handle condition) { k.begin_if(to_arg(condition)); })
      .def("_begin_else", [](K& k, const std::vector<PyValue>& v) { k.begin_else(to_values(v)); })
      .def("_end_if", [](K& k, const std::vector<PyValue>& v) { return from_values(k.end_if(to_values(v))); })
      .def("_begin_for", [](K& k, py::handle low, py::handle high, py::handle step, const std::vector<PyValue>& first, std::string name, bool unroll) {
        return from_values(k.begin_for(to_arg(low), to_arg(high), to_arg(step), to_values(first), {std::move(name), unroll}));
      })
      .def("_end_for", [](K& k, const std::vector<PyValue>& next) { return from_values(k.end_for(to_values(next))); })
      .def("return_if", [](K& k, py::handle condition) { k.return_if(to_arg(condition)); }, py::arg("condition"),
           "Ends the work-item where the condition holds; only at the top level, and not before a barrier.");
}

void bind_groups(Class& c) {
  c.def(
       "barrier", [](K& k) { k.barrier(); },
       "Every item of the group arrives, and sees the group's writes from before.")
      .def(
          "barrier_signal", [](K& k) { k.barrier_signal(); }, "Arrives at the group's barrier and goes on.")
      .def(
          "barrier_wait", [](K& k) { k.barrier_wait(); },
          "Waits until every item of the group has signalled.")
      .def(
          "fence",
          [](K& k, std::string order, std::string scope) { k.fence(std::move(order), std::move(scope)); },
          py::arg("order"), py::arg("scope"),
          "Orders memory: acquire release acq_rel; workgroup agent wavefront system.")
      .def(
          "async_load",
          [](K& k, const PyPointer& from, const PyPointer& to, int bytes, int offset) {
            k.async_load(from.pointer, to.pointer, bytes, offset);
          },
          py::arg("source"), py::arg("destination"), py::arg("bytes"), py::arg("offset") = 0,
          "Copies 4, 8 or 16 bytes from global to LDS without registers.")
      .def(
          "wait_async", [](K& k, int pending) { k.wait_async(pending); }, py::arg("pending"),
          "Waits until at most so many of the wave's copies are pending.")
      .def(
          "load_lds",
          [](K& k, const PyPointer& from, const PyPointer& base, int bytes, int offset) {
            k.load_lds(from.pointer, base.pointer, bytes, offset);
          },
          py::arg("source"), py::arg("base"), py::arg("bytes"), py::arg("offset") = 0,
          "gfx950: copies 4, 12 or 16 bytes from global to LDS byte base + bytes * lane; `base` is uniform.")
      .def(
          "wait_load_lds", [](K& k, int pending) { k.wait_load_lds(pending); }, py::arg("pending"),
          "Waits until at most so many of the wave's load_lds are pending.")
      .def(
          "readfirstlane", [](K& k, py::handle v) { return PyValue(k.readfirstlane(to_arg(v))); },
          py::arg("value"), "The value of the first active lane, uniform.")
      .def(
          "readlane",
          [](K& k, py::handle v, py::handle lane) { return PyValue(k.readlane(to_arg(v), to_arg(lane))); },
          py::arg("value"), py::arg("lane"),
          "The value of lane `lane`: the same number in every lane, of a lane that is active.")
      .def(
          "bpermute",
          [](K& k, py::handle byte, py::handle v) { return PyValue(k.bpermute(to_arg(byte), to_arg(v))); },
          py::arg("byte"), py::arg("value"),
          "The i32 `value` of lane byte / 4, modulo the wave; 0 from a lane that is off.")
      .def(
          "ballot", [](K& k, py::handle c2) { return PyValue(k.ballot(to_arg(c2))); }, py::arg("condition"),
          "One bit per lane, as i32 or, on targets with 64 lanes, i64.")
      .def(
          "assert_that",
          [](K& k, py::handle c2, const std::string& name) { k.assert_that(to_arg(c2), name); },
          py::arg("condition"), py::arg("name"),
          "Reported by the host executor (TIR5014) where the condition does not hold; on a device the wave "
          "ends.")
      .def(
          "trap", [](K& k) { k.trap(); }, "A place that must not be reached.")
      .def(
          "mma",
          [](K& k, py::handle a, py::handle b, py::handle sums) {
            return PyValue(k.mma(to_arg(a), to_arg(b), to_arg(sums)));
          },
          py::arg("a"), py::arg("b"), py::arg("c"),
          "a * b + c on the target's matrix fragments of f16 or bf16 (docs/matrix.md).")
      .def(
          "mma_of",
          [](K& k, py::handle a, py::handle b, py::handle sums, const std::string& of_a,
             const std::string& of_b, int side) {
            return PyValue(k.mma(to_arg(a), to_arg(b), to_arg(sums), number(of_a), number(of_b), side));
          },
          py::arg("a"), py::arg("b"), py::arg("c"), py::arg("of_a"), py::arg("of_b"), py::arg("side") = 0,
          "a * b + c on fragments of `of_a` and `of_b` (docs/matrix.md); `side` rows and columns, 0: the "
          "largest.")
      .def(
          "pin", [](K& k, py::handle v) { return PyValue(k.pin(to_arg(v))); }, py::arg("value"),
          "Computes the value here, not where it is first used.")
      .def(
          "opaque", [](K& k, py::handle v, bool uniform) { return PyValue(k.opaque(to_arg(v), uniform)); },
          py::arg("value"), py::arg("uniform") = false, "A copy that the optimiser cannot see through.")
      .def(
          "sched_barrier", [](K& k, int mask) { k.sched_barrier(mask); }, py::arg("mask") = 0,
          "Instructions do not move across, but those of `mask` (bits of LLVM's amdgcn.sched.barrier; 0: "
          "none).")
      .def(
          "setprio", [](K& k, int priority) { k.setprio(priority); }, py::arg("priority"),
          "Wave priority, 0 to 3.")
      .def(
          "let", [](K& k, const std::string& name, py::handle v) { return PyValue(k.let(name, to_arg(v))); },
          py::arg("name"), py::arg("value"), "Gives a value a name in the text; a taken name gets a number.");
}

} // namespace

void bind_builder(py::module_& m) {
  Class c(m, "KernelBuilder", "A kernel under construction.");
  c.def(py::init(&make), py::arg("name"), py::arg("arch"), py::arg("block"));
  bind_parameters(c);
  bind_values(c);
  bind_control(c);
  bind_groups(c);
  c.def_property_readonly(
       "arch", [](const K& k) { return std::string(k.target().name); }, "Target, for example \"gfx1250\".")
      .def_property_readonly(
          "block", [](const K& k) { return py::make_tuple(k.block().x, k.block().y, k.block().z); },
          "Work-items of a group, as (x, y, z).")
      .def_property_readonly("_lines", [](const K& k) { return k.lines(); })
      .def_property_readonly("_elements", [](const K& k) { return k.elements; })
      .def("_finish", [](K& k) { return std::make_shared<KernelDef>(k.finish_authored()); });
}

} // namespace twinir::python
