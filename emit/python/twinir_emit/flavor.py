# SPDX-License-Identifier: MIT
"""A flavor: what one LLVM decides about the text, read from the file that was recorded from it.

The emitter asks this table and never a version number. A file that does not fit the format (emit/flavors/README.md)
is refused with TIR3003, one that cannot be read with TIR7002.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from .errors import Refusal, shown
from .kernel import Constant
from .literals import constant_text
from .ops import OPS, Op
from .rules import RULES
from .types import Type

SCHEMA = "twinir-flavor-1"
_PLACEHOLDER = re.compile(r"\{([a-z]+[0-9]?)\}", re.ASCII)
_PARAM_KEYS = ("value", "in", "in.deref", "out", "out.deref", "inout", "inout.deref")
_INTRINSIC_KEYS = ("symbol", "declare", "ret", "params", "immediate", "overloads", "comment", "group")
#: Stands for the result in a list of overloaded types; other numbers are operands.
RESULT = -1


class Call:
    """An intrinsic at given types: the texts of its calls and of its declaration."""

    __slots__ = ("comment", "declare", "group", "head", "immediate", "params", "plain", "symbol")

    def __init__(self, template: dict[str, Any], types: tuple[Type, ...]) -> None:
        names: dict[str, str] = {}
        for i, kind in enumerate(types):
            names[f"t{i}"], names[f"m{i}"] = kind.text, kind.name
            names[f"b{i}"] = kind.with_scalar("i1").text

        def fill(text: str) -> str:
            return _PLACEHOLDER.sub(lambda match: names[match[1]], text)

        self.symbol = fill(template["symbol"])
        self.head = f"call {fill(template['ret'])} @{self.symbol}("
        self.declare = fill(template["declare"])
        self.comment: str = template["comment"]
        self.group: str = template["group"]
        self.params = tuple(map(fill, template["params"]))
        self.immediate: tuple[bool, ...] = tuple(template["immediate"])
        self.plain = not any(self.immediate)


class Intrinsic:
    """What an operation calls: on which types it is overloaded, and its forms at the types met so far."""

    __slots__ = ("_calls", "_template", "overloads")

    def __init__(self, template: dict[str, Any]) -> None:
        self._template = template
        self._calls: dict[tuple[Type, ...], Call] = {}
        self.overloads = tuple(RESULT if name == "r" else int(name) for name in template["overloads"])

    def at(self, types: tuple[Type, ...]) -> Call:
        """The form at the overloaded types, in LLVM's order."""
        found = self._calls.get(types)
        if found is None:
            found = self._calls[types] = Call(self._template, types)
        return found


class Style:
    """How this LLVM writes constants; compared by identity, as one flavor has one."""

    __slots__ = ("float", "splat")

    def __init__(self, floats: str, splat: bool) -> None:
        self.float = floats
        self.splat = splat

    def texts(self, constant: Constant) -> tuple[str, str]:
        """The text of a constant without and with its type."""
        found = constant.texts.get(self)
        if found is None:
            bare = constant_text(constant.type, constant.words, self.float, self.splat)
            found = constant.texts[self] = bare, f"{constant.type.text} {bare}"
        return found


class Flavor:
    """A checked flavor file."""

    def __init__(self, table: dict[str, Any]) -> None:
        _Checker(table).run()
        self.name: str = table["flavor"]
        self.datalayout: str = table["datalayout"]
        style = table["style"]
        self.style = Style(style["float"], style["splat"])
        self.preorder: bool = style["metadata"] == "preorder"
        self._targets: dict[str, dict[str, Any]] = table["targets"]
        self._kernel: dict[str, dict[str, str]] = table["kernel"]
        self._params: dict[str, str] = table["params"]
        self._intrinsics: dict[str, Intrinsic | None] = {
            op: None if template is None else Intrinsic(template) for op, template in table["intrinsics"].items()
        }

    def triple(self, target: str) -> str:
        if target not in self._targets:
            _refuse(f"no target {shown(target)} in flavor {self.name}", "every target of TwinIR")
        triple: str = self._targets[target]["triple"]
        return triple

    def lacks(self, op: str) -> bool:
        """Is the operation one that this LLVM has no intrinsic for?"""
        return op in self._intrinsics and self._intrinsics[op] is None

    def intrinsic(self, op: str) -> Intrinsic:
        """What an operation that is no plain instruction calls."""
        found = self._intrinsics.get(op)
        if found is None:
            _refuse(f"no intrinsic for '{op}' in flavor {self.name}", "every operation that is no plain instruction")
        return found

    def kernel_attributes(self, items: int, target: str, waves: int) -> tuple[str, str]:
        """The comment and the attribute group of a kernel."""
        entry = self._kernel["waves" if waves else "plain"]
        values = {"items": str(items), "target": target, "waves": str(waves)}
        return entry["comment"], _PLACEHOLDER.sub(lambda match: values[match[1]], entry["group"])

    def param_attributes(self, kind: str, align: int, deref: int) -> str:
        text = self._params[f"{kind}.deref" if deref else kind]
        return text.replace("{align}", str(align)).replace("{deref}", str(deref))


# -- the check of a file


def _refuse(found: str, expected: str) -> NoReturn:
    raise Refusal("TIR3003", found, expected, "record the flavor again (twinir flavor record)")


class _Checker:
    """Refuses a table that is not of the schema."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def run(self) -> None:
        keys = (
            "schema",
            "flavor",
            "llvm",
            "datalayout",
            "targets",
            "style",
            "kernel",
            "params",
            "intrinsics",
        )
        table = self._object(self._table, "the file", keys)
        if table["schema"] != SCHEMA:
            _refuse(f"schema {shown(table['schema'])}", f"'{SCHEMA}'")
        for key in ("flavor", "llvm", "datalayout"):
            self._text(table[key], key)
        for name, target in self._object(table["targets"], "targets").items():
            self._target(target, f"target {name}")
        self._style(self._object(table["style"], "style", ("float", "splat", "metadata")))
        for name, entry in self._object(table["kernel"], "kernel", ("plain", "waves")).items():
            self._texts(entry, ("comment", "group"), f"kernel {name}")
            allowed = {"items", "target", "waves"} if name == "waves" else {"items", "target"}
            self._placeholders(entry["group"], allowed, f"kernel {name}")
        for name, text in self._object(table["params"], "params", _PARAM_KEYS).items():
            self._text(text, f"params {name}")
        for op, entry in self._object(table["intrinsics"], "intrinsics").items():
            if op not in OPS:
                _refuse(f"intrinsic {shown(op)}", "only operations of the op table")
            if entry is not None:
                self._intrinsic(entry, OPS[op], f"intrinsic {op}")

    @staticmethod
    def _object(value: Any, what: str, keys: tuple[str, ...] | None = None) -> dict[str, Any]:
        if not isinstance(value, dict):
            _refuse(f"{shown(value)} for {what}", "an object")
        if keys is not None and set(value) != set(keys):
            _refuse(f"keys {shown(sorted(value))} in {what}", ", ".join(keys))
        return value

    @staticmethod
    def _text(value: Any, what: str) -> str:
        if not isinstance(value, str):
            _refuse(f"{shown(value)} for {what}", "a string")
        return value

    def _texts(self, value: Any, keys: tuple[str, ...], what: str) -> None:
        for key, text in self._object(value, what, keys).items():
            self._text(text, f"{what} {key}")

    @staticmethod
    def _placeholders(text: str, allowed: set[str] | frozenset[str], what: str) -> None:
        unknown = sorted(set(_PLACEHOLDER.findall(text)) - allowed)
        if unknown:
            _refuse(f"placeholders {shown(unknown)} in {what}", f"only {', '.join(sorted(allowed))}")

    def _target(self, value: Any, what: str) -> None:
        members = self._object(value, what, ("known", "triple"))
        self._text(members["triple"], what)
        if not isinstance(members["known"], bool):
            _refuse(f"{shown(members['known'])} for {what}", "true or false")

    @staticmethod
    def _style(style: dict[str, Any]) -> None:
        good = style["float"] in ("hex", "decimal") and style["metadata"] in ("preorder", "postorder")
        if not good or not isinstance(style["splat"], bool):
            _refuse(
                f"style {shown(style, 120)}",
                "float hex or decimal, splat a bool, metadata preorder or postorder",
            )

    def _intrinsic(self, value: Any, op: Op, what: str) -> None:
        entry = self._object(value, what, _INTRINSIC_KEYS)
        params, immediate, overloads = (self._list(entry[key], what) for key in ("params", "immediate", "overloads"))
        arity = RULES[op.rule][0]
        if not all(name == "r" or name in map(str, range(arity)) for name in overloads):
            _refuse(f"{shown(overloads)} for the overloads of {what}", f"r, or an operand below {arity}")
        allowed = {f"{letter}{n}" for letter in "tmb" for n in range(len(overloads))}
        for text in (entry["symbol"], entry["declare"], entry["ret"], *params):
            self._placeholders(self._text(text, what), allowed, what)
        for key in ("comment", "group"):
            self._text(entry[key], what)
        if not all(isinstance(flag, bool) for flag in immediate) or len(immediate) != len(params):
            _refuse(f"{shown(immediate)} for the immediates of {what}", "one bool per parameter")

    @staticmethod
    def _list(value: Any, what: str) -> list[Any]:
        if not isinstance(value, list):
            _refuse(f"{shown(value)} in {what}", "a list")
        return value


def load_flavor(path: str) -> Flavor:
    """Reads and checks a flavor file."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        found = f"{shown(path, 200)} ({error.strerror})"
        raise Refusal("TIR7002", found, "a flavor file that can be read", "correct the path") from None
    try:
        table = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        _refuse(f"{shown(path, 200)}, which is no JSON", "a flavor in JSON")
    return Flavor(table)
