# SPDX-License-Identifier: MIT
"""Small kernels for tests, and where things lie in the repository."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from twinir_emit.ops import OPS
from twinir_emit.targets import TARGETS

ROOT = Path(__file__).resolve().parents[2]
FLAVORS = ROOT / "emit" / "flavors"
Stmt = dict[str, Any]

#: One value of everything that a line of a test may need, by name.
PARAMS: list[Stmt] = [
    {"n": "x", "t": "p1", "k": "in", "align": 16, "deref": 0},
    {"n": "y", "t": "p1", "k": "inout", "align": 4, "deref": 0},
    {"n": "k4", "t": "p4", "k": "in", "align": 8, "deref": 0},
    *({"n": t, "t": t, "k": "value"} for t in ("i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64")),
    *({"n": t, "t": t, "k": "value"} for t in ("v4i32", "v4f32", "v2f16", "v16f16", "v16bf16", "v8f32")),
]
LDS: list[Stmt] = [{"n": "s", "t": "f32", "count": 256, "align": 16}]


def stmt(op: str, *args: Any, n: str = "", t: str = "", **others: Any) -> Stmt:
    """A statement with its keys in order; `orelse` stands for the key "else"."""
    out: Stmt = {"op": op}
    if n:
        out["n"] = n
    if t:
        out["t"] = t
    if "e" in others:
        out["e"] = others.pop("e")
    if args:
        out["a"] = list(args)
    if "orelse" in others:
        others["else"] = others.pop("orelse")
    return {**out, **others}


def kernel(body: Iterable[Stmt] = (), **changes: Any) -> Stmt:
    """A valid kernel around a body; `changes` replaces members."""
    base: Stmt = {"schema": "twinir-kernel-1", "name": "k", "target": "gfx1250", "block": [64, 1, 1], "waves_per_eu": 0}
    return {**base, "params": PARAMS, "lds": LDS, "body": list(body), **changes}


def text(*body: Stmt, **changes: Any) -> str:
    """The JSON of `kernel`."""
    return json.dumps(kernel(body, **changes), separators=(",", ":"))


def target_of(op: str) -> str:
    """A target that has the operation."""
    feature = OPS[op].feature
    order = ("gfx1250", "gfx1150", "gfx950", "gfx1201")
    return next(name for name in order if not feature or feature in TARGETS[name].features)


def flavor_table(name: str) -> dict[str, Any]:
    """The recorded table of a flavor ("llvm22")."""
    table: dict[str, Any] = json.loads((FLAVORS / f"{name}.json").read_text(encoding="utf-8"))
    return table


def flavor_names() -> list[str]:
    return sorted(path.stem for path in FLAVORS.glob("llvm*.json"))
