# SPDX-License-Identifier: MIT
"""Reads the kernel JSON strictly: a Kernel, or a refusal TIR1014; never another exception.

What the schema decides is decided here (keys, kinds of values, known operations and types, nesting); what a kernel
means (names, types, scopes, ranges) is the verifier's.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, NoReturn

from .errors import Refusal, shown
from .kernel import Carry, Constant, For, Gep, If, Kernel, LdsArray, Operand, Param, Result, Shuffle, Stmt
from .literals import is_nan
from .ops import OPS, Op
from .types import Type, parse_type

SCHEMA = "twinir-kernel-1"
MAX_DEPTH = 64  # of nested bodies, the kernel's own counted
_WORD = re.compile(r"0|[1-9a-f][0-9a-f]{0,15}", re.ASCII)
_KERNEL_KEYS = ("schema", "name", "target", "block", "waves_per_eu", "params", "lds", "body")
_INT32 = (-(1 << 31), (1 << 31) - 1)
_INT64 = (-(1 << 63), (1 << 63) - 1)


def _refuse(found: str, expected: str) -> NoReturn:
    raise Refusal("TIR1014", found, expected, "write the kernel with TwinIR, or see docs/kernel_json.md")


# -- JSON values


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        _refuse("a key twice in one object", "every key once")
    return members


def _no_float(text: str) -> NoReturn:
    _refuse(f"the number {shown(text)}", "integers; floats are written as bits")


_decoder = json.JSONDecoder(object_pairs_hook=_object, parse_float=_no_float, parse_constant=_no_float)


def _decode(source: str | bytes) -> Any:
    try:
        text = source if isinstance(source, str) else source.decode("utf-8")
        value = _decoder.decode(text)
        if "\\u" in text:  # half of a surrogate pair is no text
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        return value
    except (ValueError, RecursionError) as error:
        _refuse(f"text that is no JSON ({type(error).__name__})", "a kernel in JSON")


def _members(value: Any, keys: tuple[str, ...], what: str) -> dict[str, Any]:
    """An object that has exactly these keys."""
    if value.__class__ is not dict:
        _refuse(f"{shown(value)} for {what}", "an object")
    for key in keys:
        if key not in value:
            _refuse(f'no key "{key}" in {what}', "the key to be there")
    if len(value) != len(keys):
        _refuse(f"unknown keys {shown(sorted(set(value) - set(keys)))} in {what}", "only the keys of the schema")
    members: dict[str, Any] = value
    return members


def _text(value: Any, what: str) -> str:
    if value.__class__ is not str:
        _refuse(f"{shown(value)} for {what}", "a string")
    text: str = value
    return text


def _int(value: Any, what: str, low: int = _INT64[0], high: int = _INT64[1]) -> int:
    if value.__class__ is not int or not low <= value <= high:
        _refuse(f"{shown(value)} for {what}", f"an integer from {low} to {high}")
    number: int = value
    return number


def _list(value: Any, what: str, length: int | None = None) -> list[Any]:
    if value.__class__ is not list or (length is not None and len(value) != length):
        _refuse(f"{shown(value)} for {what}", "a list" if length is None else f"a list of {length}")
    items: list[Any] = value
    return items


def _type(value: Any) -> Type:
    found = parse_type(value) if value.__class__ is str else None
    if found is None:
        _refuse(f"type {shown(value)}", "a type such as f32, v8f16 or p1")
    return found


# -- operands


def _word(value: Any) -> int:
    if value.__class__ is not str or _WORD.fullmatch(value) is None:
        _refuse(f"constant word {shown(value)}", "lower-case hexadecimal without leading zeros")
    return int(value, 16)


def _constant_fault(kind: Type, words: tuple[int, ...]) -> str:
    """The code of what is wrong with a constant that is no poison."""
    counted = len(words) == 1 or (len(words) == kind.lanes and len(set(words)) > 1)
    if not counted or any(word >> kind.width for word in words):
        return "TIR1015"
    if kind.is_float and any(is_nan(kind.scalar, word) for word in words):
        return "TIR1009"
    return ""


@lru_cache(maxsize=16384)
def _constant(*spelling: Any) -> Constant:
    if len(spelling) < 2:
        _refuse(f"constant {shown(spelling)}", "a type and its words")
    kind = _type(spelling[0])
    numeric = "" if kind.is_number else "TIR1015"
    if spelling[1:] == ("poison",):
        return Constant(kind, (), numeric)
    words = tuple(map(_word, spelling[1:]))
    return Constant(kind, words, numeric or _constant_fault(kind, words))


def _operand(value: Any) -> Operand:
    if value.__class__ is str:
        name: str = value
        return name
    spelling = _list(value, "an operand")
    try:
        return _constant(*spelling)
    except TypeError:  # a list or an object inside: not hashable
        _refuse(f"constant {shown(spelling)}", "a type and its words")


# -- statements


def _attribute(key: str, value: Any) -> int | str | None:
    if value is None or value.__class__ is int:
        return None if value is None else _int(value, key)
    if value.__class__ is not str or not value:
        _refuse(f"{shown(value)} for {key}", "an integer or a word")
    word: str = value
    return word


def _flags(value: Any) -> tuple[str, ...]:
    return tuple(_text(flag, "a flag") for flag in _list(value, "f"))


class _Reader:
    """Reads the statements of one kernel and notes its operations."""

    def __init__(self, kernel: Kernel) -> None:
        self._ops = kernel.ops

    def statements(self, value: Any, depth: int) -> list[Stmt]:
        if depth > MAX_DEPTH:
            _refuse(f"regions nested more than {MAX_DEPTH} deep", "less nesting")
        return [self._statement(item, depth) for item in _list(value, "a body")]

    def _statement(self, value: Any, depth: int) -> Stmt:
        if value.__class__ is not dict:
            _refuse(f"{shown(value)} for a statement", "an object")
        name = value.get("op")
        op = OPS.get(name) if isinstance(name, str) else None
        if op is None:
            _refuse(f"operation {shown(name)}", "an operation of the op table")
        if not op.keys.issuperset(value):
            _refuse(
                f"unknown keys {shown(sorted(set(value) - op.keys))} of '{op.name}'",
                "only the keys of the schema",
            )
        self._ops[op.name] = None
        stmt = self._shape(op, value)
        if "f" in value:
            stmt.flags = _flags(value["f"])
        if op.attributes:
            stmt.attributes = tuple([_attribute(key, value.get(key)) for key in op.attributes])
            if None in value.values():
                _refuse("null", "a value")
        fill = _FILL.get(op.name)
        if fill is not None:
            fill(self, stmt, value, depth)
        return stmt

    @staticmethod
    def _shape(op: Op, value: dict[str, Any]) -> Stmt:
        get = value.get
        args = get("a", ())
        if args.__class__ is list:
            args = [x if x.__class__ is str else _operand(x) for x in args]
        elif "a" in value:
            _refuse(f"{shown(args)} for a", "a list")
        name = get("n", "")
        if name.__class__ is not str:
            _refuse(f"{shown(name)} for n", "a string")
        kind = _type(value["t"]) if "t" in value else None
        return _CLASSES.get(op.name, Stmt)(op, name, kind, args)

    def _gep(self, stmt: Stmt, value: dict[str, Any], _depth: int) -> None:
        assert isinstance(stmt, Gep)
        stmt.element = _type(value["e"]) if "e" in value else None

    def _shuffle(self, stmt: Stmt, value: dict[str, Any], _depth: int) -> None:
        assert isinstance(stmt, Shuffle)
        stmt.mask = tuple(_int(m, "a mask entry", *_INT32) for m in _list(value.get("mask", []), "mask"))

    def _if(self, stmt: Stmt, value: dict[str, Any], depth: int) -> None:
        assert isinstance(stmt, If)
        stmt.results = [self._result(entry) for entry in _list(value.get("results", []), "results")]
        stmt.body = self.statements(value.get("body", []), depth + 1)
        stmt.orelse = self.statements(value["else"], depth + 1) if "else" in value else None

    def _for(self, stmt: Stmt, value: dict[str, Any], depth: int) -> None:
        assert isinstance(stmt, For)
        stmt.carry = [self._carry(entry) for entry in _list(value.get("carry", []), "carry")]
        stmt.body = self.statements(value.get("body", []), depth + 1)

    @staticmethod
    def _result(entry: Any) -> Result:
        name, kind, body_value, else_value = _list(entry, "a results entry", 4)
        return Result(_text(name, "a result name"), _type(kind), _operand(body_value), _operand(else_value))

    @staticmethod
    def _carry(entry: Any) -> Carry:
        name, init, following = _list(entry, "a carry entry", 3)
        return Carry(_text(name, "a carried name"), _operand(init), _operand(following))


_CLASSES: dict[str, type[Stmt]] = {"gep": Gep, "shuffle": Shuffle, "if": If, "for": For}
_FILL = {"gep": _Reader._gep, "shuffle": _Reader._shuffle, "if": _Reader._if, "for": _Reader._for}


# -- the kernel


def _param(value: Any) -> Param:
    by_value = value.__class__ is dict and value.get("k") == "value"
    keys = ("n", "t", "k") if by_value else ("n", "t", "k", "align", "deref")
    members = _members(value, keys, "a parameter")
    kind = _text(members["k"], "k")
    if kind not in ("value", "in", "out", "inout"):
        _refuse(f"parameter kind {shown(kind)}", "value, in, out or inout")
    align = 0 if by_value else _int(members["align"], "align", *_INT32)
    deref = 0 if by_value else _int(members["deref"], "deref", 0)
    return Param(_text(members["n"], "n"), _type(members["t"]), kind, align, deref)


def _lds_array(value: Any) -> LdsArray:
    members = _members(value, ("n", "t", "count", "align"), "an LDS array")
    count = _int(members["count"], "count", 0, 1 << 30)
    return LdsArray(_text(members["n"], "n"), _type(members["t"]), count, _int(members["align"], "align", *_INT32))


def read(source: str | bytes) -> Kernel:
    """Reads one kernel; refuses what the schema does not allow."""
    members = _members(_decode(source), _KERNEL_KEYS, "a kernel")
    if _text(members["schema"], "schema") != SCHEMA:
        _refuse(f"schema {shown(members['schema'])}", f"'{SCHEMA}'")
    block = [_int(extent, "a block extent", *_INT32) for extent in _list(members["block"], "block", 3)]
    waves = _int(members["waves_per_eu"], "waves_per_eu", 0, 16)
    kernel = Kernel(_text(members["name"], "name"), _text(members["target"], "target"), block, waves)
    kernel.params = [_param(value) for value in _list(members["params"], "params")]
    kernel.lds = [_lds_array(value) for value in _list(members["lds"], "lds")]
    kernel.body = _Reader(kernel).statements(members["body"], 1)
    return kernel
