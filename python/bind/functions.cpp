// SPDX-License-Identifier: MIT
// The functions of dsl/value.hpp.
#include "python/bind/handles.hpp"

namespace twinir::python {
namespace {

using Unary = Value (*)(Arg);
using Binary = Value (*)(Arg, Arg);
using Ternary = Value (*)(Arg, Arg, Arg);
using Conversion = Value (*)(Arg, Scalar);

template <class F> struct Row {
  const char* name;
  F function;
  const char* help;
};

constexpr Row<Unary> unary[] = {
    {"ctpop", ctpop, "Number of one bits."},
    {"ctlz", ctlz, "Leading zero bits; the width for 0."},
    {"cttz", cttz, "Trailing zero bits; the width for 0."},
    {"bitreverse", bitreverse, "The bits in reverse order."},
    {"fabs", fabs, "The sign bit cleared."},
    {"sqrt", sqrt, "Square root, correctly rounded."},
    {"rsq", rsq, "1 / sqrt(a), the hardware's approximation (1 ulp in f32)."},
    {"rcp", rcp, "1 / a, the hardware's approximation (1 ulp in f32)."},
    {"exp2", exp2, "2 to the power a (f16, f32)."},
    {"log2", log2, "Logarithm to base 2 (f16, f32)."},
    {"floor", floor, "Rounded towards minus infinity."},
    {"ceil", ceil, "Rounded towards plus infinity."},
    {"ftrunc", ftrunc, "Rounded towards zero."},
    {"rint", rint, "Rounded to the nearest, ties to even."},
    {"canonicalize", canonicalize, "The canonical form: quiet NaN."},
    {"frexp_mant", frexp_mant, "Significand in [0.5, 1)."},
    {"frexp_exp", frexp_exp, "Exponent for frexp_mant, as i32 (i16 for f16)."},
    {"is_nan", is_nan, "i1: is it a NaN?"},
    {"is_inf", is_inf, "i1: is it an infinity?"},
    {"reduce_add", reduce_add, "Sum of the elements of a vector, as a tree of pairs."},
    {"reduce_max", reduce_max, "Largest element of a vector."},
    {"reduce_min", reduce_min, "Smallest element of a vector."},
};

constexpr Row<Binary> binary[] = {
    {"udiv", udiv, "Unsigned quotient; b must not be 0."},
    {"urem", urem, "Unsigned remainder; b must not be 0."},
    {"lshr", lshr, "a >> b with zeros; b below the width."},
    {"umulh", umulh, "High 32 bits of the product of two unsigned i32."},
    {"smulh", smulh, "High 32 bits of the product of two signed i32."},
    {"umin", umin, "Unsigned minimum."},
    {"umax", umax, "Unsigned maximum."},
    {"smin", smin, "Signed minimum."},
    {"smax", smax, "Signed maximum."},
    {"copysign", copysign, "Magnitude of a with the sign of b."},
    {"ldexp", ldexp, "a * 2**b, b of i32."},
    {"minnum", minnum, "Smaller; the other operand when one is NaN (IEEE 754-2008)."},
    {"maxnum", maxnum, "Larger; the other operand when one is NaN (IEEE 754-2008)."},
    {"minimumnum", minimumnum, "Smaller; ignores NaN, -0 < +0 (IEEE 754-2019)."},
    {"maximumnum", maximumnum, "Larger; ignores NaN, -0 < +0 (IEEE 754-2019)."},
    {"ult", ult, "Unsigned a < b."},
    {"ule", ule, "Unsigned a <= b."},
    {"ugt", ugt, "Unsigned a > b."},
    {"uge", uge, "Unsigned a >= b."},
    {"extract", extract, "Element b (a kernel value of i32) of the vector a."},
    {"concat", concat, "All elements of a, then all of b."},
};

constexpr Row<Ternary> ternary[] = {
    {"fma", fma, "a * b + c with one rounding."},
    {"contract", contract, "a * b + c that the code generator may contract."},
    {"select", select, "b where the condition a holds, else c."},
    {"insert", insert, "Vector a with element c (i32) replaced by b."},
};

constexpr Row<Conversion> conversions[] = {
    {"zext", zext, "Extends an integer with zeros."},
    {"sext", sext, "Extends an integer with the sign."},
    {"trunc", trunc, "Drops high bits of an integer."},
    {"fpcast", fpcast, "Float to another float type, to the nearest, ties to even."},
    {"sitofp", sitofp, "Signed integer to the nearest float."},
    {"uitofp", uitofp, "Unsigned integer to the nearest float."},
    {"fptosi", fptosi, "Float to signed integer, towards zero; poison out of range."},
    {"fptoui", fptoui, "Float to unsigned integer, towards zero; poison out of range."},
    {"fptosi_sat", fptosi_sat, "Float to signed integer, towards zero, saturating; NaN gives 0."},
    {"fptoui_sat", fptoui_sat, "Float to unsigned integer, towards zero, saturating; NaN gives 0."},
};

void bind_tables(py::module_& m) {
  for (const auto& r : unary)
    m.def(r.name, [f = r.function](py::handle a) { return PyValue(f(to_arg(a))); }, py::arg("a"), r.help);
  for (const auto& r : binary)
    m.def(r.name, [f = r.function](py::handle a, py::handle b) { return PyValue(f(to_arg(a), to_arg(b))); }, py::arg("a"), py::arg("b"), r.help);
  for (const auto& r : ternary)
    m.def(r.name, [f = r.function](py::handle a, py::handle b, py::handle c) { return PyValue(f(to_arg(a), to_arg(b), to_arg(c))); },
          py::arg("a"), py::arg("b"), py::arg("c"), r.help);
  for (const auto& r : conversions)
    m.def(r.name, [f = r.function](py::handle a, const Type& to) { return PyValue(f(to_arg(a), to.scalar)); }, py::arg("a"), py::arg("type"), r.help);
}

Wrap wrap_of(bool nuw, bool nsw) { return nuw && nsw ? Wrap::nuw_nsw : nuw ? Wrap::nuw : nsw ? Wrap::nsw : Wrap::free; }

using Wrapping = Value (*)(Arg, Arg, Wrap);

void bind_wrapping(py::module_& m) {
  for (const auto& [name, f] : {std::pair<const char*, Wrapping>{"add", add}, {"sub", sub}, {"mul", mul}})
    m.def(name, [f = f](py::handle a, py::handle b, bool nuw, bool nsw) { return PyValue(f(to_arg(a), to_arg(b), wrap_of(nuw, nsw))); },
          py::arg("a"), py::arg("b"), py::kw_only(), py::arg("nuw") = false, py::arg("nsw") = false,
          "With the promise that it does not wrap, unsigned (nuw) or signed (nsw); a broken promise gives poison.");
}

void bind_vectors(py::module_& m) {
  m.def("splat", [](py::handle a, int lanes) { return PyValue(splat(to_arg(a), lanes)); }, py::arg("a"), py::arg("lanes"), "A vector of `lanes` equal elements.");
  m.def("vector_of", [](const std::vector<PyValue>& elements) { return PyValue(vector_of(to_values(elements))); }, py::arg("elements"), "A vector of these elements.");
  m.def("shuffle", [](py::handle a, py::handle b, std::vector<int> mask) { return PyValue(shuffle(to_arg(a), to_arg(b), std::move(mask))); },
        py::arg("a"), py::arg("b"), py::arg("mask"), "Elements of a, then b, in the order of the mask; -1 for one that does not matter.");
  m.def("slice", [](py::handle a, int first, int count) { return PyValue(slice(to_arg(a), first, count)); }, py::arg("a"), py::arg("first"), py::arg("count"),
        "`count` elements from element `first` on; a scalar when count is 1.");
  m.def("bitcast", [](py::handle a, const Type& to) { return PyValue(bitcast(to_arg(a), to)); }, py::arg("a"), py::arg("type"), "The same bits as another type of the same size.");
}

using Unpack = Value (*)(Arg, int);
using Pack = Value (*)(Arg, Arg, Arg, int);

void bind_rest(py::module_& m) {
  m.def("bitfield", [](py::handle a, int low, int width) { return PyValue(bitfield(to_arg(a), low, width)); }, py::arg("a"), py::arg("low"), py::arg("width"),
        "`width` bits of a from bit `low`, extended with zeros.");
  m.def("compare", [](const std::string& predicate, py::handle a, py::handle b) { return PyValue(compare(predicate, to_arg(a), to_arg(b))); },
        py::arg("predicate"), py::arg("a"), py::arg("b"), "Any predicate of icmp or fcmp by its name.");
  for (const auto& [name, f] : {std::pair<const char*, Unpack>{"fp8_to_f32", fp8_to_f32}, {"bf8_to_f32", bf8_to_f32}})
    m.def(name, [f = f](py::handle packed, int byte) { return PyValue(f(to_arg(packed), byte)); }, py::arg("packed"), py::arg("byte"),
          "Byte 0 to 3 of an i32 (fp8: e4m3, bf8: e5m2) to f32, on targets that have it.");
  for (const auto& [name, f] : {std::pair<const char*, Pack>{"f32_to_fp8", f32_to_fp8}, {"f32_to_bf8", f32_to_bf8}})
    m.def(name, [f = f](py::handle a, py::handle b, py::handle packed, int word) { return PyValue(f(to_arg(a), to_arg(b), to_arg(packed), word)); },
          py::arg("a"), py::arg("b"), py::arg("packed"), py::arg("word"), "Two f32 into half `word` of the i32 `packed`, on targets that have it.");
}

} // namespace

void bind_functions(py::module_& m) {
  bind_tables(m);
  bind_wrapping(m);
  bind_vectors(m);
  bind_rest(m);
}

} // namespace twinir::python
