# SPDX-License-Identifier: MIT
"""Elements and shuffles of vectors."""

from __future__ import annotations

from ..emission import Emission, Handler
from ..kernel import Shuffle, Stmt
from ..literals import mask_text


def _extract(out: Emission, stmt: Stmt) -> str:
    typed = out.typed
    vector, index = stmt.args
    return f"extractelement {typed[vector]}, {typed[index]}"


def _insert(out: Emission, stmt: Stmt) -> str:
    typed = out.typed
    vector, element, index = stmt.args
    return f"insertelement {typed[vector]}, {typed[element]}, {typed[index]}"


def _shuffle(out: Emission, stmt: Stmt) -> str:
    assert isinstance(stmt, Shuffle)
    typed = out.typed
    a, b = stmt.args
    return f"shufflevector {typed[a]}, {typed[b]}, {mask_text(stmt.mask)}"


HANDLERS: dict[str, Handler] = {"extract": _extract, "insert": _insert, "shuffle": _shuffle}
