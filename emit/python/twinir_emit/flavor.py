# SPDX-License-Identifier: MIT
"""A flavor: what one LLVM decides about the text, read from the file that was recorded from it.

The emitter asks this table and never a version number. A file that does not fit the format (emit/flavors/README.md)
is refused with TIR3003, one that cannot be read with TIR7002.
"""

from __future__ import annotations

import json
from typing import Any

from .errors import Refusal, shown
from .flavor_check import PLACEHOLDER, check_table, refuse_flavor
from .kernel import Constant
from .literals import constant_text
from .types import Type

#: Stands for the result in a list of overloaded types; other numbers are operands.
RESULT = -1


class ImmediateComment:
    """The comment that this LLVM writes before the immediate operands of a call."""

    __slots__ = ("_close", "_none", "_open", "_words")

    def __init__(self, template: dict[str, Any]) -> None:
        self._open: str = template["open"]
        self._close: str = template["close"]
        self._none: str = template["none"]
        self._words: list[tuple[int, str]] = [(bits, word) for bits, word in template["words"]]

    def text(self, value: int) -> str:
        """The words whose bits are all left in the value, in order; each takes its bits away."""
        words = [] if value else [self._none]
        for bits, word in self._words:
            if value & bits == bits:
                words.append(word)
                value &= ~bits
        return self._open + " ".join(words) + self._close


class Call:
    """An intrinsic at given types: the texts of its calls and of its declaration."""

    __slots__ = ("comment", "declare", "group", "head", "immediate", "immediate_comment", "params", "plain", "symbol")

    def __init__(self, template: dict[str, Any], types: tuple[Type, ...]) -> None:
        names: dict[str, str] = {}
        for i, kind in enumerate(types):
            names[f"t{i}"], names[f"m{i}"] = kind.text, kind.name
            names[f"b{i}"] = kind.with_scalar("i1").text

        def fill(text: str) -> str:
            return PLACEHOLDER.sub(lambda match: names[match[1]], text)

        self.symbol = fill(template["symbol"])
        self.head = f"call {fill(template['ret'])} @{self.symbol}("
        self.declare = fill(template["declare"])
        self.comment: str = template["comment"]
        self.group: str = template["group"]
        self.params = tuple(map(fill, template["params"]))
        self.immediate: tuple[bool, ...] = tuple(template["immediate"])
        self.plain = not any(self.immediate)
        words = template.get("immediate_comment")
        self.immediate_comment = None if words is None else ImmediateComment(words)


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
        check_table(table)
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
            refuse_flavor(f"no target {shown(target)} in flavor {self.name}", "every target of TwinIR")
        triple: str = self._targets[target]["triple"]
        return triple

    def lacks(self, op: str) -> bool:
        """Is the operation one that this LLVM has no intrinsic for?"""
        return op in self._intrinsics and self._intrinsics[op] is None

    def intrinsic(self, op: str) -> Intrinsic:
        """What an operation that is no plain instruction calls."""
        found = self._intrinsics.get(op)
        if found is None:
            refuse_flavor(
                f"no intrinsic for '{op}' in flavor {self.name}", "every operation that is no plain instruction"
            )
        return found

    def kernel_attributes(self, items: int, target: str, waves: int) -> tuple[str, str]:
        """The comment and the attribute group of a kernel."""
        entry = self._kernel["waves" if waves else "plain"]
        values = {"items": str(items), "target": target, "waves": str(waves)}
        return entry["comment"], PLACEHOLDER.sub(lambda match: values[match[1]], entry["group"])

    def param_attributes(self, kind: str, align: int, deref: int) -> str:
        text = self._params[f"{kind}.deref" if deref else kind]
        return text.replace("{align}", str(align)).replace("{deref}", str(deref))


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
        refuse_flavor(f"{shown(path, 200)}, which is no JSON", "a flavor in JSON")
    return Flavor(table)
