# SPDX-License-Identifier: MIT
"""Barriers."""

from __future__ import annotations

from ..emission import Emission, Handler
from ..kernel import Stmt
from .calls import finish, immediate_text, intrinsic, overloaded

_GROUP_BARRIER = -1  # the hardware's number of the barrier that a whole work-group shares


def _group_barrier(out: Emission, stmt: Stmt) -> str:
    """Either half of a split barrier; its only operand is which barrier."""
    call = overloaded(out, stmt)
    return finish(out, call, [immediate_text(out, stmt, kind, _GROUP_BARRIER) for kind in call.params])


HANDLERS: dict[str, Handler] = {
    "barrier": intrinsic,
    "barrier.signal": _group_barrier,
    "barrier.wait": _group_barrier,
}
