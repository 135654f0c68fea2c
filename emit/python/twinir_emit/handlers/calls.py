# SPDX-License-Identifier: MIT
"""Calls of intrinsics: the one way in which a statement becomes `call ... @llvm...` (clauses C3 and C12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from ..emission import Emission
from ..errors import Refusal
from ..flavor import RESULT, Call
from ..kernel import Stmt
from ..literals import int_text
from ..types import Type, parse_type


def intrinsic(out: Emission, stmt: Stmt) -> str:
    """Operands become the operands, attributes the immediates, in order; an immediate without one is zero."""
    call = overloaded(out, stmt)
    typed = out.typed
    if call.plain and not stmt.attributes and len(stmt.args) == len(call.params):
        return finish(out, call, [typed[operand] for operand in stmt.args])
    operands, attributes = iter(stmt.args), iter(stmt.attributes)
    texts = []
    for kind, immediate in zip(call.params, call.immediate):
        operand = None if immediate else next(operands, None)
        if immediate:
            texts.append(_commented(call, immediate_text(out, stmt, kind, value := next(attributes, 0)), value))
        elif operand is not None:
            texts.append(typed[operand])
    if len(texts) != len(call.params) or next(operands, None) is not None or next(attributes, None) is not None:
        misfit(out, stmt)
    return finish(out, call, texts)


def _commented(call: Call, written: str, value: int | str | None) -> str:
    comment = call.immediate_comment
    return written if comment is None or not isinstance(value, int) else comment.text(value) + written


def overloaded(out: Emission, stmt: Stmt) -> Call:
    """The statement's intrinsic at its types."""
    found = out.flavor.intrinsic(stmt.op.name)
    types = [out.type_of(stmt.args[at]) if at != RESULT else _result(out, stmt) for at in found.overloads]
    return found.at(tuple(types))


def _result(out: Emission, stmt: Stmt) -> Type:
    if stmt.type is None:
        misfit(out, stmt)
    return stmt.type


def finish(out: Emission, call: Call, operands: Sequence[str]) -> str:
    """The text of a call with ready operands; declares the intrinsic."""
    out.declared.setdefault(call.symbol, call)
    return call.head + ", ".join(operands) + ")"


def immediate_text(out: Emission, stmt: Stmt, kind: str, value: int | str | None) -> str:
    """An integer constant of an LLVM integer type, given by its text."""
    known = parse_type(kind)
    if known is None or not known.is_int or not isinstance(value, int):
        misfit(out, stmt)
    return f"{kind} {int_text(value & (1 << known.width) - 1, known.width)}"


def misfit(out: Emission, stmt: Stmt) -> NoReturn:
    """Refuses a flavor file whose intrinsic is not the operation's."""
    raise Refusal(
        "TIR3003",
        f"parameters of '{stmt.op.name}' in flavor {out.flavor.name} that do not fit its operands",
        "one parameter per operand, and immediates for the attributes",
        "record the flavor again (twinir flavor record)",
    )
