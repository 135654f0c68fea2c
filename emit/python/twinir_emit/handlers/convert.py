# SPDX-License-Identifier: MIT
"""Conversions."""

from __future__ import annotations

from ..emission import Emission, Handler
from ..kernel import Stmt
from .calls import intrinsic


def _cast(out: Emission, stmt: Stmt) -> str:
    """`zext i32 %a to i64`"""
    assert stmt.type is not None
    return f"{stmt.op.name} {out.typed[stmt.args[0]]} to {stmt.type.text}"


_CASTS = (
    *("trunc", "zext", "sext", "fptrunc", "fpext", "bitcast"),
    *("fptoui", "fptosi", "uitofp", "sitofp"),
)

HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(_CASTS, _cast),
    **dict.fromkeys(("fptoui.sat", "fptosi.sat"), intrinsic),
    **dict.fromkeys(("cvt.f32.fp8", "cvt.f32.bf8", "cvt.pk.fp8.f32", "cvt.pk.bf8.f32"), intrinsic),
}
