# SPDX-License-Identifier: MIT
"""Atomics and fences (clauses C14 and C18)."""

from __future__ import annotations

from ..emission import Emission, Handler
from ..kernel import Stmt
from .memory import attachments

# The orders that a failed comparison can have: it stores nothing, so nothing is released.
_FAILURE = {"monotonic": "monotonic", "acquire": "acquire", "release": "monotonic", "acq_rel": "acquire"}
_OPERATIONS = {
    **{op: op for op in ("add", "sub", "umin", "umax", "and", "or", "xor", "fadd", "fmin", "fmax")},
    **{"smin": "min", "smax": "max", "exchange": "xchg"},
}


def _scoped(stmt: Stmt) -> str:
    """`syncscope("agent") acq_rel`"""
    order, scope = stmt.attributes
    return f"{order}" if scope == "system" else f'syncscope("{scope}") {order}'


def _fence(_out: Emission, stmt: Stmt) -> str:
    return f"fence {_scoped(stmt)}"


def _update(out: Emission, stmt: Stmt) -> str:
    assert stmt.type is not None
    pointer, value = stmt.args
    operation = _OPERATIONS[stmt.op.name.partition(".")[2]]
    text = f"atomicrmw {operation} {out.typed[pointer]}, {out.typed[value]} {_scoped(stmt)}, align {stmt.type.bytes}"
    return text + attachments(out, stmt.flags) if stmt.flags else text


def _compare(out: Emission, stmt: Stmt) -> str:
    """The old value is the first part of what cmpxchg gives."""
    assert stmt.type is not None
    operands = ", ".join(out.typed[operand] for operand in stmt.args)
    orders = f"{_scoped(stmt)} {_FAILURE[str(stmt.attributes[0])]}"
    out.lines.append(f"  %{stmt.name}.pair = cmpxchg {operands} {orders}, align {stmt.type.bytes}")
    return f"extractvalue {{ {stmt.type.text}, i1 }} %{stmt.name}.pair, 0"


HANDLERS: dict[str, Handler] = {
    "fence": _fence,
    **{f"atomic.{op}": _update for op in _OPERATIONS},
    "atomic.compare": _compare,
}
