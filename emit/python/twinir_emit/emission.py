# SPDX-License-Identifier: MIT
"""The state of emitting one function: its lines, the texts of its values, its current block, its declarations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Optional

from .flavor import Call, Flavor, Style
from .kernel import Constant, Kernel, Operand, Stmt
from .metadata import Metadata
from .types import Type, type_of

#: Writes a statement: gives the text behind "%name = ", or None when it has written its lines itself.
Handler = Callable[["Emission", Stmt], Optional[str]]

_PREDECESSORS_AT = 50  # the column of "; preds ="
_P3 = type_of("p3")


class _Bare(dict[Operand, str]):
    """Operand to its text without its type; constants are rendered when they are asked for."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style

    def __missing__(self, operand: Operand) -> str:
        assert isinstance(operand, Constant), operand
        return self._style.texts(operand)[0]


class _Typed(_Bare):
    """Operand to its text with its type."""

    def __missing__(self, operand: Operand) -> str:
        assert isinstance(operand, Constant), operand
        return self._style.texts(operand)[1]


class Emission:
    """One function being written. Handlers use its tables and methods and nothing else."""

    __slots__ = (
        "_handlers",
        "_types",
        "bare",
        "block",
        "declared",
        "flavor",
        "kernel",
        "lines",
        "metadata",
        "typed",
    )

    def __init__(self, kernel: Kernel, flavor: Flavor, metadata: Metadata, handlers: dict[str, Handler]) -> None:
        self.kernel = kernel
        self.flavor = flavor
        self.metadata = metadata
        self.lines: list[str] = ["entry:"]
        self.block = "entry"  # the label of the block that is being written
        self.bare = _Bare(flavor.style)
        self.typed = _Typed(flavor.style)
        self.declared: dict[str, Call] = {}  # by symbol, in order of first use
        self._types: dict[str, Type] = {}
        self._handlers = handlers

    def function(self) -> Emission:
        """Writes everything from the first label to the return."""
        for param in self.kernel.params:
            self.define(param.name, param.type)
        for array in self.kernel.lds:
            self._name("@" + array.name, _P3, f"@{self.kernel.name}.{array.name}")
        self.statements(self.kernel.body)
        self.lines.append("  ret void")
        return self

    def statements(self, body: list[Stmt]) -> None:
        """Writes statements into the current block and those they open."""
        handlers, write = self._handlers, self.lines.append
        bare, typed, types = self.bare, self.typed, self._types
        for stmt in body:
            text = handlers[stmt.op.name](self, stmt)
            if text is None:
                continue
            kind = stmt.type
            if kind is None:
                write("  " + text)
                continue
            name = stmt.name
            bare[name] = value = "%" + name
            typed[name] = f"{kind.text} {value}"
            types[name] = kind
            write(f"  {value} = {text}")

    def define(self, name: str, kind: Type) -> None:
        """Makes a value known."""
        self._name(name, kind, "%" + name)

    def _name(self, name: str, kind: Type, text: str) -> None:
        self.bare[name] = text
        self.typed[name] = f"{kind.text} {text}"
        self._types[name] = kind

    def type_of(self, operand: Operand) -> Type:
        return operand.type if isinstance(operand, Constant) else self._types[operand]

    def start_block(self, label: str, *predecessors: str) -> int:
        """Opens a block; gives the number of its line. Predecessors in the order of the text of their branches."""
        self.lines.append(label_line(label, predecessors))
        self.block = label
        return len(self.lines) - 1


def label_line(label: str, predecessors: tuple[str, ...]) -> str:
    """The line of a block's label, with the empty line before it (clause C9)."""
    names = ", ".join("%" + name for name in reversed(predecessors))
    return "\n" + f"{label}:".ljust(_PREDECESSORS_AT - 1) + f" ; preds = {names}"
