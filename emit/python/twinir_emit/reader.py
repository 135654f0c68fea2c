# SPDX-License-Identifier: MIT
"""Reads the kernel JSON strictly: a Kernel, or a refusal TIR1014; never another exception.

What the schema decides is decided here (keys, kinds of values, known operations and types, nesting); what a kernel
means (names, types, scopes, ranges) is the verifier's.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from .errors import shown
from .json_text import INT32, check_keys, decode, int_of, list_of, members, refuse, text_of
from .kernel import Carry, Constant, For, Gep, If, Kernel, LdsArray, Operand, Param, Result, Shuffle, Stmt
from .ops import OPS, Op
from .types import Type, parse_type

SCHEMA = "twinir-kernel-1"
MAX_DEPTH = 64  # of nested bodies, the kernel's own counted
_WORD = re.compile(r"0|[1-9a-f][0-9a-f]{0,15}", re.ASCII)
_KERNEL_KEYS = ("schema", "name", "target", "block", "waves_per_eu", "params", "lds", "body")


@lru_cache(maxsize=1024)
def _known_type(name: Any) -> Type:
    found = parse_type(name) if name.__class__ is str else None
    if found is None:
        refuse(f"type {shown(name)}", "a type such as f32, v8f16 or p1")
    return found


def _type(value: Any) -> Type:
    try:
        return _known_type(value)
    except TypeError:  # a list or an object: not hashable
        refuse(f"type {shown(value)}", "a type such as f32, v8f16 or p1")


@lru_cache(maxsize=1024)
def _known_op(name: Any) -> Op:
    op = OPS.get(name) if name.__class__ is str else None
    if op is None:
        refuse(f"operation {shown(name)}", "an operation of the op table")
    return op


def _op(name: Any) -> Op:
    try:
        return _known_op(name)
    except TypeError:
        refuse(f"operation {shown(name)}", "an operation of the op table")


# -- operands


def _word(value: Any) -> int:
    if not isinstance(value, str) or _WORD.fullmatch(value) is None:
        refuse(f"constant word {shown(value)}", "lower-case hexadecimal without leading zeros")
    return int(value, 16)


def _constant_fault(kind: Type, words: tuple[int, ...]) -> str:
    """The code of what is wrong with a constant that is no poison."""
    counted = len(words) == 1 or (len(words) == kind.lanes and len(set(words)) > 1)
    if not counted or any(word >> kind.width for word in words):
        return "TIR1015"
    return ""


@lru_cache(maxsize=16384)
def _constant(*spelling: Any) -> Constant:
    if len(spelling) < 2:
        refuse(f"constant {shown(spelling)}", "a type and its words")
    kind = _type(spelling[0])
    numeric = "" if kind.is_number else "TIR1015"
    if spelling[1:] == ("poison",):
        return Constant(kind, (), numeric)
    words = tuple(map(_word, spelling[1:]))
    return Constant(kind, words, numeric or _constant_fault(kind, words))


def _operand(value: Any) -> Operand:
    if isinstance(value, str):
        return value
    spelling = list_of(value, "an operand")
    try:
        return _constant(*spelling)
    except TypeError:  # a list or an object inside: not hashable
        refuse(f"constant {shown(spelling)}", "a type and its words")


# -- flags and attributes


def _flags(value: Any) -> tuple[str, ...]:
    for flag in list_of(value, "f"):
        if flag.__class__ is not str:
            refuse(f"{shown(flag)} for a flag", "a string")
    return tuple(value)


@lru_cache(maxsize=4096, typed=True)
def _attributes(op: Op, *values: Any) -> tuple[int | str | None, ...]:
    """Values in the order of the operation's attributes; None for one that is missing."""
    for key, value in zip(op.attributes, values):
        if value is not None and not (isinstance(value, str) and value):
            int_of(value, key)
    return values


# -- statements


class _Reader:
    """Reads the statements of one kernel; notes its operations and counts the keys of all objects."""

    def __init__(self, kernel: Kernel, keys: int) -> None:
        self._ops = kernel.ops
        self.keys = keys

    def statements(self, value: Any, depth: int) -> list[Stmt]:
        if depth > MAX_DEPTH:
            refuse(f"regions nested more than {MAX_DEPTH} deep", "less nesting")
        return [self._statement(item, depth) for item in list_of(value, "a body")]

    def _statement(self, value: Any, depth: int) -> Stmt:
        if value.__class__ is not dict:
            refuse(f"{shown(value)} for a statement", "an object")
        op = _op(value.get("op"))
        if not op.keys.issuperset(value):
            unknown = shown(sorted(set(value) - op.keys))
            refuse(f"unknown keys {unknown} of '{op.name}'", "only the keys of the schema")
        self._ops[op.name] = None
        self.keys += len(value)
        args = value.get("a", ())
        if args.__class__ is list:
            args = [x if x.__class__ is str else _operand(x) for x in args]
        elif "a" in value:
            refuse(f"{shown(args)} for a", "a list")
        name = value.get("n", "")
        if name.__class__ is not str:
            refuse(f"{shown(name)} for n", "a string")
        stmt = Stmt(op, name, _type(value["t"]) if "t" in value else None, args)
        special = _SPECIAL.get(op.name)
        if special is not None:
            stmt = special(self, stmt, value, depth)
        if "f" in value:
            stmt.flags = _flags(value["f"])
        if op.attributes:
            stmt.attributes = self._attributes(op, value)
        return stmt

    @staticmethod
    def _attributes(op: Op, value: dict[str, Any]) -> tuple[int | str | None, ...]:
        values = [value.get(key) for key in op.attributes]
        if None in values and None in value.values():
            refuse(f"null on '{op.name}'", "a value")
        try:
            return _attributes(op, *values)
        except TypeError:  # a list or an object: not hashable
            refuse(f"{shown(values)} for the attributes of '{op.name}'", "integers or words")

    def _gep(self, stmt: Stmt, value: dict[str, Any], _depth: int) -> Stmt:
        return Gep(stmt, _type(value["e"]) if "e" in value else None)

    def _shuffle(self, stmt: Stmt, value: dict[str, Any], _depth: int) -> Stmt:
        mask = list_of(value.get("mask", []), "mask")
        return Shuffle(stmt, tuple([int_of(entry, "a mask entry", *INT32) for entry in mask]))

    def _if(self, stmt: Stmt, value: dict[str, Any], depth: int) -> Stmt:
        results = [self._result(entry) for entry in list_of(value.get("results", []), "results")]
        body = self.statements(value.get("body", []), depth + 1)
        return If(stmt, results, body, self.statements(value["else"], depth + 1) if "else" in value else None)

    def _for(self, stmt: Stmt, value: dict[str, Any], depth: int) -> Stmt:
        carry = [self._carry(entry) for entry in list_of(value.get("carry", []), "carry")]
        return For(stmt, carry, self.statements(value.get("body", []), depth + 1))

    @staticmethod
    def _result(entry: Any) -> Result:
        name, kind, body_value, else_value = list_of(entry, "a results entry", 4)
        return Result(text_of(name, "a result name"), _type(kind), _operand(body_value), _operand(else_value))

    @staticmethod
    def _carry(entry: Any) -> Carry:
        name, init, following = list_of(entry, "a carry entry", 3)
        return Carry(text_of(name, "a carried name"), _operand(init), _operand(following))


_SPECIAL = {"gep": _Reader._gep, "shuffle": _Reader._shuffle, "if": _Reader._if, "for": _Reader._for}


# -- the kernel


def _param(value: Any) -> Param:
    by_value = isinstance(value, dict) and value.get("k") == "value"
    given = members(value, ("n", "t", "k") if by_value else ("n", "t", "k", "align", "deref"), "a parameter")
    kind = text_of(given["k"], "k")
    if kind not in ("value", "in", "out", "inout"):
        refuse(f"parameter kind {shown(kind)}", "value, in, out or inout")
    align = 0 if by_value else int_of(given["align"], "align", *INT32)
    deref = 0 if by_value else int_of(given["deref"], "deref", 0)
    return Param(text_of(given["n"], "n"), _type(given["t"]), kind, align, deref)


def _lds_array(value: Any) -> LdsArray:
    given = members(value, ("n", "t", "count", "align"), "an LDS array")
    count, align = int_of(given["count"], "count", 0, 1 << 30), int_of(given["align"], "align", *INT32)
    return LdsArray(text_of(given["n"], "n"), _type(given["t"]), count, align)


def read(source: str | bytes) -> Kernel:
    """Reads one kernel; refuses what the schema does not allow."""
    try:
        text = source if isinstance(source, str) else source.decode("utf-8")
    except UnicodeDecodeError:
        refuse("text that is no UTF-8", "a kernel in JSON")
    given = members(decode(text), _KERNEL_KEYS, "a kernel")
    if text_of(given["schema"], "schema") != SCHEMA:
        refuse(f"schema {shown(given['schema'])}", f"'{SCHEMA}'")
    block = [int_of(extent, "a block extent", *INT32) for extent in list_of(given["block"], "block", 3)]
    waves = int_of(given["waves_per_eu"], "waves_per_eu", 0, 16)
    kernel = Kernel(text_of(given["name"], "name"), text_of(given["target"], "target"), block, waves)
    kernel.params = [_param(value) for value in list_of(given["params"], "params")]
    kernel.lds = [_lds_array(value) for value in list_of(given["lds"], "lds")]
    reader = _Reader(kernel, len(given) + sum(map(len, given["params"])) + sum(map(len, given["lds"])))
    kernel.body = reader.statements(given["body"], 1)
    check_keys(text, reader.keys)
    return kernel
