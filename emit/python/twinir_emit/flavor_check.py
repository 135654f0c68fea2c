# SPDX-License-Identifier: MIT
"""Checks a flavor file against its format (emit/flavors/README.md); refuses with TIR3003."""

from __future__ import annotations

import re
from typing import Any, NoReturn

from .errors import Refusal, shown
from .ops import OPS, Op
from .rules import RULES
from .targets import TARGETS

SCHEMA = "twinir-flavor-1"
PLACEHOLDER = re.compile(r"\{([a-z]+[0-9]?)\}", re.ASCII)
_KEYS = ("schema", "flavor", "llvm", "datalayout", "targets", "style", "kernel", "params", "intrinsics")
_PARAM_KEYS = ("value", "in", "in.deref", "out", "out.deref", "inout", "inout.deref")
_PARAM_PLACES: dict[str, frozenset[str]] = {
    "value": frozenset(),
    "plain": frozenset(("align",)),
    "deref": frozenset(("align", "deref")),
}
_KERNEL_PLACES = {"plain": frozenset(("items", "target")), "waves": frozenset(("items", "target", "waves"))}
_INTRINSIC_KEYS = ("symbol", "declare", "ret", "params", "immediate", "overloads", "comment", "group")


def refuse_flavor(found: str, expected: str) -> NoReturn:
    raise Refusal("TIR3003", found, expected, "record the flavor again (twinir flavor record)")


def check_table(value: Any) -> None:
    """Refuses a table that is not of the schema."""
    table = _object(value, "the file", _KEYS)
    if table["schema"] != SCHEMA:
        refuse_flavor(f"schema {shown(table['schema'])}", f"'{SCHEMA}'")
    for key in ("flavor", "llvm", "datalayout"):
        _text(table[key], key)
    for name, target in _object(table["targets"], "targets", tuple(TARGETS)).items():
        _target(target, f"target {name}")
    _style(_object(table["style"], "style", ("float", "splat", "metadata")))
    for name, entry in _object(table["kernel"], "kernel", tuple(_KERNEL_PLACES)).items():
        _kernel(entry, _KERNEL_PLACES[name], f"kernel {name}")
    for name, text in _object(table["params"], "params", _PARAM_KEYS).items():
        kind = "value" if name == "value" else "deref" if name.endswith(".deref") else "plain"
        _placeholders(_text(text, f"params {name}"), _PARAM_PLACES[kind], f"params {name}")
    for op, entry in _object(table["intrinsics"], "intrinsics").items():
        if op not in OPS:
            refuse_flavor(f"intrinsic {shown(op)}", "only operations of the op table")
        if entry is not None:
            _intrinsic(entry, OPS[op], f"intrinsic {op}")


# -- values


def _object(
    value: Any, what: str, keys: tuple[str, ...] | None = None, optional: tuple[str, ...] = ()
) -> dict[str, Any]:
    if not isinstance(value, dict):
        refuse_flavor(f"{shown(value)} for {what}", "an object")
    if keys is not None and set(value) - set(optional) != set(keys):
        refuse_flavor(f"keys {shown(sorted(value))} in {what}", ", ".join(keys))
    return value


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        refuse_flavor(f"{shown(value)} for {what}", "a string")
    return value


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        refuse_flavor(f"{shown(value)} in {what}", "a list")
    return value


def _bool(value: Any, what: str) -> None:
    if not isinstance(value, bool):
        refuse_flavor(f"{shown(value)} for {what}", "true or false")


def _placeholders(text: str, allowed: frozenset[str], what: str) -> None:
    unknown = sorted(set(PLACEHOLDER.findall(text)) - allowed)
    if unknown:
        refuse_flavor(f"placeholders {shown(unknown)} in {what}", f"only {', '.join(sorted(allowed)) or 'none'}")


# -- entries


def _target(value: Any, what: str) -> None:
    entry = _object(value, what, ("known", "triple"))
    _text(entry["triple"], what)
    _bool(entry["known"], what)


def _style(style: dict[str, Any]) -> None:
    if style["float"] not in ("hex", "decimal") or style["metadata"] not in ("preorder", "postorder"):
        refuse_flavor(f"style {shown(style, 120)}", "float hex or decimal, metadata preorder or postorder")
    _bool(style["splat"], "splat")


def _kernel(value: Any, allowed: frozenset[str], what: str) -> None:
    entry = _object(value, what, ("comment", "group"))
    _placeholders(_text(entry["comment"], what), frozenset(), what)
    _placeholders(_text(entry["group"], what), allowed, what)


def _intrinsic(value: Any, op: Op, what: str) -> None:
    entry = _object(value, what, _INTRINSIC_KEYS, ("immediate_comment",))
    params, immediate, overloads = (_list(entry[key], what) for key in ("params", "immediate", "overloads"))
    operands = tuple(map(str, range(RULES[op.rule][0])))
    if not all(name in ("r", *operands) for name in overloads):
        refuse_flavor(f"{shown(overloads)} for the overloads of {what}", f"r, or an operand of {len(operands)}")
    allowed = frozenset(f"{letter}{n}" for letter in "tmb" for n in range(len(overloads)))
    for text in (entry["symbol"], entry["declare"], entry["ret"], *params):
        _placeholders(_text(text, what), allowed, what)
    for key in ("comment", "group"):
        _placeholders(_text(entry[key], what), frozenset(), what)
    for flag in immediate:
        _bool(flag, f"the immediates of {what}")
    if "immediate_comment" in entry:
        _immediate_comment(entry["immediate_comment"], f"the comment of the immediates of {what}")
    _declaration(entry, what)


def _immediate_comment(value: Any, what: str) -> None:
    entry = _object(value, what, ("open", "close", "none", "words"))
    for key in ("open", "close", "none"):
        _text(entry[key], what)
    for pair in _list(entry["words"], what):
        bits, word = pair if isinstance(pair, list) and len(pair) == 2 else (None, None)
        if type(bits) is not int or bits <= 0 or not isinstance(word, str):
            refuse_flavor(f"{shown(pair)} in {what}", "pairs of bits and their word")


def _declaration(entry: dict[str, Any], what: str) -> None:
    """The declaration must say the same as `ret`, `symbol`, `params` and `immediate`."""
    head, bracket, rest = entry["declare"].partition(f" @{entry['symbol']}(")
    agrees = bracket and rest.endswith(")") and head.startswith("declare ") and head.endswith(" " + entry["ret"])
    given = _split(rest[:-1])
    kinds = list(zip(entry["params"], entry["immediate"]))
    if not agrees or not len(given) == len(entry["params"]) == len(entry["immediate"]):
        refuse_flavor(f"declaration {shown(entry['declare'], 160)} of {what}", "the one of its symbol and types")
    for text, (kind, immediate) in zip(given, kinds):
        if not (text == kind or text.startswith(kind + " ")) or ("immarg" in text.split()) is not immediate:
            refuse_flavor(f"parameter {shown(text)} in the declaration of {what}", f"the type {shown(kind)}")


def _split(params: str) -> list[str]:
    """Splits at the commas that are outside parentheses."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(params):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append(params[start:at])
            start = at + 2
    return [*parts, params[start:]] if params else []
