# SPDX-License-Identifier: MIT
"""What a wave knows and does: identity, collectives, matrices, scheduling."""

from __future__ import annotations

from ..emission import Emission, Handler
from ..kernel import Stmt
from ..matrix import MATRIX_SHAPES
from .calls import intrinsic


def _opaque(out: Emission, stmt: Stmt) -> str:
    """An empty piece of assembly that hands its operand through (clause C15)."""
    assert stmt.type is not None
    register = stmt.attributes[0]
    return f'call {stmt.type.text} asm sideeffect "", "={register},0"({out.typed[stmt.args[0]]})'


_IDENTITY = (
    *("workitem.x", "workitem.y", "workitem.z", "workgroup.x", "workgroup.y", "workgroup.z"),
    *("mbcnt.lo", "mbcnt.hi", "implicit.args"),
)

HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(_IDENTITY, intrinsic),
    **dict.fromkeys(("readfirstlane", "readlane", "bpermute", "ballot.b32", "ballot.b64"), intrinsic),
    **dict.fromkeys(MATRIX_SHAPES, intrinsic),
    "opaque": _opaque,
    **dict.fromkeys(("sched.barrier", "setprio"), intrinsic),
}
