# SPDX-License-Identifier: MIT
"""The type rules that dsl/ops.def names: for each its number of operands, what it expects, and a predicate.

A rule sees types only, so its answer is remembered (`check_types`); rules on constants are in verify.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from .matrix import MATRIX_SHAPES
from .ops import Op
from .types import Type, type_of


class Question:
    """What a rule is asked: an operation, its result type, operand types, and what its statement adds."""

    __slots__ = ("args", "element", "lanes", "op", "result")

    def __init__(self, op: str, result: Type | None, element: Type | None, lanes: int, args: tuple[Type, ...]) -> None:
        self.op = op
        self.result = result
        self.element = element  # of a gep
        self.lanes = lanes  # of a shuffle's mask
        self.args = args


Predicate = Callable[[Question], bool]
Rule = tuple[int, str, Predicate]

_I1, _I16, _I32, _I64, _F32 = (type_of(name) for name in ("i1", "i16", "i32", "i64", "f32"))
_P1, _P3, _P4, _P8 = type_of("p1"), type_of("p3"), type_of("p4"), type_of("p8")
_HARDWARE_FLOATS = frozenset((type_of("f16"), _F32, type_of("f64")))
_ATOMIC_FLOATS = frozenset((_F32, type_of("f64")))
_ATOMIC_INTS = _INDICES = frozenset((_I32, _I64))
_BUFFER_LANES: dict[str, tuple[int, ...]] = {
    "i8": (1,),
    **dict.fromkeys(("i16", "f16", "bf16"), (1, 2, 4, 8)),
    **dict.fromkeys(("i32", "f32"), (1, 2, 3, 4)),
}


def _wide_int(kind: Type | None) -> bool:
    return kind is not None and kind.is_int and kind.width > 1


def _float(kind: Type | None) -> bool:
    return kind is not None and kind.is_float


def _in_memory(kind: Type | None) -> bool:
    return kind is not None and kind.is_number and kind.width >= 8


def _pointer(kind: Type) -> bool:
    return kind.is_pointer and kind.lanes == 1


def _buffer(kind: Type | None) -> bool:
    return kind is not None and kind.lanes in _BUFFER_LANES.get(kind.scalar, ())


def _all_result(q: Question) -> bool:
    return all(kind is q.result for kind in q.args)


def _int_binary(q: Question) -> bool:
    logic = q.op in ("and", "or", "xor")
    return _all_result(q) and (_wide_int(q.result) or (logic and q.result is not None and q.result.is_int))


def _float_unary(q: Question) -> bool:
    narrow = q.op in ("exp2", "log2")
    return (
        _all_result(q)
        and q.result is not None
        and q.result.is_float
        and (not narrow or q.result.scalar in ("f16", "f32"))
    )


def _frexp_exp(q: Question) -> bool:
    wanted = _I16 if q.args[0].name == "f16" else _I32
    return q.args[0] in _HARDWARE_FLOATS and q.result is wanted


def _ldexp(q: Question) -> bool:
    value, power = q.args
    return value.is_float and value is q.result and power is value.with_scalar("i32")


def _icmp(q: Question) -> bool:
    a, b = q.args
    return a is b and (a.is_int or _pointer(a)) and q.result is a.with_scalar("i1")


def _fcmp(q: Question) -> bool:
    a, b = q.args
    return a is b and a.is_float and q.result is a.with_scalar("i1")


def _select(q: Question) -> bool:
    condition, a, b = q.args
    return a is b and a is q.result and (condition is _I1 or condition is a.with_scalar("i1"))


def _classify(q: Question) -> bool:
    return q.args[0].is_float and q.result is q.args[0].with_scalar("i1")


def _int_width(widen: bool) -> Predicate:
    def rule(q: Question) -> bool:
        (a,), t = q.args, q.result
        fits = t is not None and a.is_int and t.is_int and a.lanes == t.lanes
        return fits and t is not None and (t.width > a.width if widen else t.width < a.width)

    return rule


def _float_width(widen: bool) -> Predicate:
    def rule(q: Question) -> bool:
        (a,), t = q.args, q.result
        fits = t is not None and a.is_float and t.is_float and a.lanes == t.lanes
        return fits and t is not None and (t.width > a.width if widen else t.width < a.width)

    return rule


def _float_to_int(q: Question) -> bool:
    return q.args[0].is_float and q.result is not None and _wide_int(q.result) and q.result.lanes == q.args[0].lanes


def _int_to_float(q: Question) -> bool:
    return _wide_int(q.args[0]) and q.result is not None and q.result.is_float and q.result.lanes == q.args[0].lanes


def _bitcast(q: Question) -> bool:
    a, t = q.args[0], q.result
    return t is not None and a.is_number and t.is_number and a.bits == t.bits


def _extract(q: Question) -> bool:
    return q.args[0].lanes > 1 and q.result is q.args[0].element and q.args[1] is _I32


def _insert(q: Question) -> bool:
    vector, element, _ = q.args
    return vector.lanes > 1 and q.result is vector and element is vector.element and q.args[2] is _I32


def _shuffle(q: Question) -> bool:
    a, b, t = q.args[0], q.args[1], q.result
    return a is b and a.lanes > 1 and t is not None and t.lanes == q.lanes > 1 and t.scalar == a.scalar


def _gep(q: Question) -> bool:
    base, index = q.args
    fits = index is _I32 if base is _P3 else index in _INDICES
    return _pointer(base) and q.result is base and fits and _in_memory(q.element)


def _store(q: Question) -> bool:
    return _in_memory(q.args[0]) and q.args[1] in (_P1, _P3) and q.result is None


def _buffer_store(q: Question) -> bool:
    return _buffer(q.args[0]) and q.args[1:] == (_P8, _I32, _I32) and q.result is None


def _atomic(kinds: frozenset[Type]) -> Predicate:
    """A pointer, then values of the result's type."""
    return lambda q: q.args[0] in (_P1, _P3) and q.result in kinds and all(kind is q.result for kind in q.args[1:])


def _readlane(q: Question) -> bool:
    return q.result in (_I32, _F32) and q.args == (q.result, _I32)


def _ballot(q: Question) -> bool:
    return q.args == (_I1,) and q.result is (_I64 if q.op == "ballot.b64" else _I32)


def _matrix(q: Question) -> bool:
    fragment, sums = MATRIX_SHAPES[q.op]
    return q.args == (fragment, fragment, sums) and q.result is sums


def _opaque(q: Question) -> bool:
    t = q.result
    return _all_result(q) and t is not None and t.is_number and t.bits % 32 == 0 and t.bits <= 512


def _exactly(result: Type | None, *args: Type) -> Predicate:
    return lambda q: q.result is result and q.args == args


def _same(kind: Callable[[Type | None], bool]) -> Predicate:
    return lambda q: _all_result(q) and kind(q.result)


RULES: dict[str, Rule] = {
    "int_binary": (2, "two integers of one type (i1 only for and, or, xor)", _int_binary),
    "int_unary": (1, "an integer of 8 bits or more", _same(_wide_int)),
    "float_binary": (2, "two floats of one type", _same(_float)),
    "float_unary": (1, "a float (f16 or f32 for exp2 and log2)", _float_unary),
    "hw_float_unary": (1, "a scalar f16, f32 or f64", _same(lambda kind: kind in _HARDWARE_FLOATS)),
    "float_ternary": (3, "three floats of one type", _same(_float)),
    "frexp_exp": (1, "a scalar float, giving i32 (i16 for f16)", _frexp_exp),
    "ldexp": (2, "a float and an i32 per lane", _ldexp),
    "icmp": (2, "two integers or pointers of one type, giving i1 per lane", _icmp),
    "fcmp": (2, "two floats of one type, giving i1 per lane", _fcmp),
    "select": (3, "an i1 (or one per lane) and two values of one type", _select),
    "classify": (1, "a float, giving i1 per lane", _classify),
    "int_narrow": (1, "an integer to a narrower one", _int_width(False)),
    "int_widen": (1, "an integer to a wider one", _int_width(True)),
    "float_narrow": (1, "a float to a narrower one", _float_width(False)),
    "float_widen": (1, "a float to a wider one", _float_width(True)),
    "float_to_int": (1, "a float to an integer of 8 bits or more", _float_to_int),
    "int_to_float": (1, "an integer of 8 bits or more to a float", _int_to_float),
    "bitcast": (1, "numbers of the same size in bits", _bitcast),
    "fp8_unpack": (1, "an i32, giving f32", _exactly(_F32, _I32)),
    "fp8_pack": (3, "two f32 and an i32, giving i32", _exactly(_I32, _F32, _F32, _I32)),
    "extract": (2, "a vector and an i32, giving its element type", _extract),
    "insert": (3, "a vector, an element and an i32", _insert),
    "shuffle": (2, "two vectors of one type and a mask as long as the result", _shuffle),
    "id": (0, "a result of i32", _exactly(_I32)),
    "mbcnt": (2, "two i32", _exactly(_I32, _I32, _I32)),
    "implicit_args": (0, "a result of p4", _exactly(_P4)),
    "gep": (2, "a pointer, an i32 or i64 index (i32 for LDS) and an element type in memory", _gep),
    "load": (
        1,
        "a pointer, giving a number of 8 bits or more",
        lambda q: _pointer(q.args[0]) and _in_memory(q.result),
    ),
    "store": (2, "a number of 8 bits or more and a pointer to global or LDS memory", _store),
    "rsrc": (2, "a global pointer and an i32, giving p8", _exactly(_P8, _P1, _I32)),
    "buffer_load": (
        3,
        "a resource and two i32, giving i8, 1, 2, 4 or 8 of 16 bits, or 1 to 4 of 32 bits",
        lambda q: q.args == (_P8, _I32, _I32) and _buffer(q.result),
    ),
    "buffer_store": (4, "such a value, a resource and two i32", _buffer_store),
    "atomic_int": (
        2,
        "a pointer to global or LDS memory and an i32 or i64, giving its type",
        _atomic(_ATOMIC_INTS),
    ),
    "atomic_float": (
        2,
        "a pointer to global or LDS memory and an f32 or f64, giving its type",
        _atomic(_ATOMIC_FLOATS),
    ),
    "atomic_exchange": (
        2,
        "a pointer to global or LDS memory and a number of 32 or 64 bits, giving its type",
        _atomic(_ATOMIC_INTS | _ATOMIC_FLOATS),
    ),
    "atomic_compare": (
        3,
        "a pointer to global or LDS memory and two i32 or two i64, giving their type",
        _atomic(_ATOMIC_INTS),
    ),
    "async_load": (2, "a global pointer and an LDS pointer", _exactly(None, _P1, _P3)),
    "no_operands": (0, "no operands and no result", _exactly(None)),
    "readfirstlane": (1, "an i32 or f32", _same(lambda kind: kind in (_I32, _F32))),
    "readlane": (2, "an i32 or f32, and an i32", _readlane),
    "bpermute": (2, "two i32", _exactly(_I32, _I32, _I32)),
    "ballot": (1, "an i1, giving a bit per lane", _ballot),
    "matrix": (3, "two fragments and the sums of this operation (docs/matrix.md)", _matrix),
    "opaque": (1, "a number of 32 to 512 bits in steps of 32", _opaque),
    "assert_": (1, "one i1 condition", _exactly(None, _I1)),
    "if_": (1, "one i1 condition", _exactly(None, _I1)),
    "for_": (
        3,
        "three i32 or three i64",
        lambda q: q.result is None and q.args[0] in _INDICES and q.args == (q.args[0],) * 3,
    ),
}


@lru_cache(maxsize=8192)
def fault_of(op: Op, result: Type | None, element: Type | None, lanes: int, *args: Type) -> tuple[str, str] | None:
    """What is wrong with the types of a statement as (found, expected); None when nothing is."""
    arity, expected, holds = RULES[op.rule]
    if len(args) != arity:
        return f"{len(args)} operands for '{op.name}'", f"{arity} operands"
    if holds(Question(op.name, result, element, lanes, args)):
        return None
    given = ", ".join(kind.name for kind in args)
    return f"'{op.name}' ({given}) -> {'no result' if result is None else result.name}", expected
