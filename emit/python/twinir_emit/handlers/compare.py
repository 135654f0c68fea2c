# SPDX-License-Identifier: MIT
"""Comparison and selection."""

from __future__ import annotations

from ..emission import Emission, Handler
from ..kernel import Stmt
from .calls import intrinsic


def _compare(out: Emission, stmt: Stmt) -> str:
    """`icmp slt i32 %a, %b`"""
    a, b = stmt.args
    return f"{stmt.op.name} {stmt.attributes[0]} {out.typed[a]}, {out.bare[b]}"


def _select(out: Emission, stmt: Stmt) -> str:
    typed = out.typed
    condition, a, b = stmt.args
    return f"select {typed[condition]}, {typed[a]}, {typed[b]}"


HANDLERS: dict[str, Handler] = {
    "icmp": _compare,
    "fcmp": _compare,
    "select": _select,
    "classify": intrinsic,
}
