# SPDX-License-Identifier: MIT
"""Checks on constant operands that a type cannot show: shifts, divisors, lane numbers, loop steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Optional

from .kernel import Constant, Operand, Shuffle, Stmt
from .types import Type

#: (code, found, expected, action)
Trouble = tuple[str, str, str, str]
Check = Callable[[Stmt, list[Type]], Optional[Trouble]]


def _words(operand: Operand) -> tuple[int, ...]:
    """The words of a constant; none for a value and for poison."""
    return operand.words if isinstance(operand, Constant) else ()


def _shift(stmt: Stmt, types: list[Type]) -> Trouble | None:
    width = types[1].width
    for amount in _words(stmt.args[1]):
        if amount >= width:
            found = f"a shift by {amount} of {width} bits"
            return (
                "TIR1008",
                found,
                "an amount below the width",
                "shift by less, or select the result you mean",
            )
    return None


def _divisor(stmt: Stmt, _types: list[Type]) -> Trouble | None:
    if 0 in _words(stmt.args[1]):
        return "TIR1018", "a division by the constant 0", "another divisor", "correct it"
    return None


def _outside(indices: Iterable[int], low: int, lanes: int, what: str) -> Trouble | None:
    for index in indices:
        if not low <= index < lanes:
            return "TIR1019", f"{what} {index}", f"{low} to {lanes - 1}", f"correct the {what}"
    return None


def _extract(stmt: Stmt, types: list[Type]) -> Trouble | None:
    return _outside(_words(stmt.args[1]), 0, types[0].lanes, "vector index")


def _insert(stmt: Stmt, types: list[Type]) -> Trouble | None:
    return _outside(_words(stmt.args[2]), 0, types[0].lanes, "vector index")


def _shuffle(stmt: Stmt, types: list[Type]) -> Trouble | None:
    assert isinstance(stmt, Shuffle)
    return _outside(stmt.mask, -1, 2 * types[0].lanes, "mask entry")


def _step(stmt: Stmt, types: list[Type]) -> Trouble | None:
    for step in _words(stmt.args[2]):
        if step == 0 or step >> types[2].width - 1:
            return "TIR1015", "a loop step that is not positive", "a step of 1 or more", "count upwards"
    return None


CONSTANT_CHECKS: dict[str, Check] = {
    **dict.fromkeys(("shl", "lshr", "ashr"), _shift),
    **dict.fromkeys(("udiv", "sdiv", "urem", "srem"), _divisor),
    "extract": _extract,
    "insert": _insert,
    "shuffle": _shuffle,
    "for": _step,
}
