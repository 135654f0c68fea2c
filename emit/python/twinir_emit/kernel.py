# SPDX-License-Identifier: MIT
"""The kernel description, as the reader builds it and the verifier and the handlers use it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Union

from .ops import Op
from .types import Type


class Constant:
    """Bit patterns of a type: one word for a scalar or a splat, else one per lane; no words are poison.

    `words` are as they were written; `fault` is the code of what is wrong with them, or empty. The reader makes one
    object per spelling, which also remembers its texts by style.
    """

    __slots__ = ("fault", "texts", "type", "words")

    def __init__(self, kind: Type, words: tuple[int, ...], fault: str) -> None:
        self.type = kind
        self.words = words
        self.fault = fault
        self.texts: dict[object, tuple[str, str]] = {}


#: A value by name ("x", "@s" for the LDS array s), or a constant.
Operand = Union[str, Constant]


class Stmt:
    """One statement: one instruction, or (If, For) one region."""

    __slots__ = ("args", "attributes", "flags", "name", "op", "type")

    #: What only some statements have; it takes part in the type rules of all.
    element: Type | None = None  # of a gep
    lanes = 0  # of a shuffle's mask

    def __init__(self, op: Op, name: str, kind: Type | None, args: Sequence[Operand]) -> None:
        self.op = op
        self.name = name  # of the result; for `if` and `for` the stem of the labels; "" for none
        self.type = kind  # of the result; None for none
        self.args = args
        self.flags: tuple[str, ...] = ()
        self.attributes: tuple[int | str | None, ...] = ()  # in the order of ops.def; None: missing


class Gep(Stmt):
    __slots__ = ("element",)

    def __init__(self, base: Stmt, element: Type | None) -> None:
        super().__init__(base.op, base.name, base.type, base.args)
        self.element: Type | None = element


class Shuffle(Stmt):
    __slots__ = ("lanes", "mask")

    def __init__(self, base: Stmt, mask: tuple[int, ...]) -> None:
        super().__init__(base.op, base.name, base.type, base.args)
        self.mask = mask
        self.lanes = len(mask)


class Result:
    """A result of an `if`: its name after it, and its value from either branch."""

    __slots__ = ("body_value", "else_value", "name", "type")

    def __init__(self, name: str, kind: Type, body_value: Operand, else_value: Operand) -> None:
        self.name = name
        self.type = kind
        self.body_value = body_value
        self.else_value = else_value


class If(Stmt):
    __slots__ = ("body", "orelse", "results")

    def __init__(self, base: Stmt, results: list[Result], body: list[Stmt], orelse: list[Stmt] | None) -> None:
        super().__init__(base.op, base.name, base.type, base.args)
        self.results = results
        self.body = body
        self.orelse = orelse  # None: no else branch


class Carry:
    """A carried value: its name, its first value, its value for the next round."""

    __slots__ = ("init", "name", "next")

    def __init__(self, name: str, init: Operand, following: Operand) -> None:
        self.name = name
        self.init = init
        self.next = following


class For(Stmt):
    __slots__ = ("body", "carry")

    def __init__(self, base: Stmt, carry: list[Carry], body: list[Stmt]) -> None:
        super().__init__(base.op, base.name, base.type, base.args)
        self.carry = carry
        self.body = body


class Param:
    __slots__ = ("align", "deref", "kind", "name", "type")

    def __init__(self, name: str, kind_type: Type, kind: str, align: int, deref: int) -> None:
        self.name = name
        self.type = kind_type
        self.kind = kind  # value, in, out, inout
        self.align = align
        self.deref = deref


class LdsArray:
    __slots__ = ("align", "count", "name", "type")

    def __init__(self, name: str, kind: Type, count: int, align: int) -> None:
        self.name = name
        self.type = kind
        self.count = count
        self.align = align


class Kernel:
    __slots__ = ("block", "body", "lds", "name", "ops", "params", "target", "waves")

    def __init__(self, name: str, target: str, block: Sequence[int], waves: int) -> None:
        self.name = name
        self.target = target
        self.block = block
        self.waves = waves
        self.params: list[Param] = []
        self.lds: list[LdsArray] = []
        self.body: list[Stmt] = []
        self.ops: dict[str, None] = {}  # every operation, in order of its first statement, depth first

    @property
    def items(self) -> int:
        return self.block[0] * self.block[1] * self.block[2]
