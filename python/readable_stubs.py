# SPDX-License-Identifier: MIT
"""Makes the stubs of pybind11-stubgen readable: operands, numbers and the contents of tables get their types.

Usage: readable_stubs.py FILE    (prints the result)
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HEAD = '''\
# SPDX-License-Identifier: MIT
# Written by scripts/stubs; change python/bind instead.
"""The compiled part of twinir; use the package."""

from __future__ import annotations

import collections.abc
import typing

import numpy
import typing_extensions

Operand: typing.TypeAlias = Value | int | float
Memory: typing.TypeAlias = typing_extensions.Buffer | numpy.ndarray[typing.Any, typing.Any]
'''

#: In this order.
EVERYWHERE = (
    (r'typing\.Annotated\[collections\.abc\.Sequence\[(.*?)\], "FixedSize\(3\)"\]', r"collections.abc.Sequence[\1]"),
    (r"typing\.SupportsInt \| typing\.SupportsIndex", "int"),
    (r"def (\w+)\(self: typing_extensions\.Buffer", r"def \1(self"),  # the class of this module, not Python's
    (r"(def buffer\(.*) -> typing_extensions\.Buffer", r"\1 -> Buffer"),
    (r": typing_extensions\.Buffer", ": Memory"),
    (r"__hash__: typing\.ClassVar\[None\] = None", "__hash__: typing.ClassVar[None]  # type: ignore[assignment]"),
    (r"(def __\w+__\(self, arg0): typing\.Any\) -> typing\.Any", r"\1: Operand) -> Value"),
    (r"(def __iter__\(self\)) -> typing\.Any", r"\1 -> typing.NoReturn"),
    (r"(def __(?:bool|index|int|float)__\(self\)) -> \w+", r"\1 -> typing.NoReturn"),
    (r": typing\.Any\b", ": Operand"),
    (r"(def __(?:eq|ne)__\(self, arg0: Operand\) -> Value:)", r"\1  # type: ignore[override]"),
    (r"def __eq__\(self, arg0: \w+\) -> bool", "def __eq__(self, other: object, /) -> bool"),
    (r"\barg0\b", "other"),
)

#: What the extension's signatures leave open, or name badly.
SIGNATURES = {
    "_begin_if": "(self, condition: Operand) -> None",
    "_begin_else": "(self, values: collections.abc.Sequence[Value]) -> None",
    "_begin_for": "(self, low: Operand, high: Operand, step: Operand, first: collections.abc.Sequence[Value], "
    "name: str, unroll: bool, /) -> list[Value]",
    "_end_if": "(self, values: collections.abc.Sequence[Value]) -> list[Value]",
    "_end_for": "(self, next: collections.abc.Sequence[Value]) -> list[Value]",
    "compile": "(self, flavor: str, kernel: str, text: str, arch: str, opt: int, form: str) -> tuple[bytes, str]",
    "run": "(self, grid: collections.abc.Sequence[int], arguments: dict[str, typing.Any], threads: int, "
    "lane_order: int) -> dict[str, typing.Any]",
    "flavors": "() -> list[dict[str, typing.Any]]",
    "places": "() -> dict[str, str]",
    "params": "(self) -> list[dict[str, str]]",
    "_lines": "(self) -> dict[str, tuple[str, int]]",
    "family_refusals": "(family: str, spec: str, arch: str) -> list[tuple[str, str, str, str]]",
    "summary": "(code: str) -> str",
    "refuse_host_control": "(found: str, action: str) -> typing.NoReturn",
}


def readable(text: str) -> str:
    body = text[text.index("__all__") :].split("\n", 1)[1]
    for pattern, answer in EVERYWHERE:
        body = re.sub(pattern, answer, body)
    return HEAD + "\n".join(_line(line) for line in body.split("\n"))


def _line(line: str) -> str:
    found = re.match(r"( *def (\w+))\(.*:$", line)
    if found is None or found[2] not in SIGNATURES or "-> bytes:" in line:  # Plan.run has its types
        return line
    return f"{found[1]}{SIGNATURES[found[2]]}:"


if __name__ == "__main__":
    sys.stdout.write(readable(Path(sys.argv[1]).read_text(encoding="utf-8")))
