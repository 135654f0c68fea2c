# SPDX-License-Identifier: MIT
"""Integer arithmetic, and the binary form that float arithmetic shares."""

from __future__ import annotations

from ..emission import Emission, Handler
from ..kernel import Stmt
from .calls import intrinsic


def binary(out: Emission, stmt: Stmt) -> str:
    """`add nsw i32 %a, %b`"""
    a, b = stmt.args
    name = stmt.op.name
    head = name + " " + " ".join(stmt.flags) if stmt.flags else name
    return f"{head} {out.typed[a]}, {out.bare[b]}"


_INSTRUCTIONS = (
    "add",
    "sub",
    "mul",
    "udiv",
    "sdiv",
    "urem",
    "srem",
    "and",
    "or",
    "xor",
    "shl",
    "lshr",
    "ashr",
)
_INTRINSICS = ("umin", "umax", "smin", "smax", "ctpop", "ctlz", "cttz", "bitreverse")

HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(_INSTRUCTIONS, binary),
    **dict.fromkeys(_INTRINSICS, intrinsic),
}
