# SPDX-License-Identifier: MIT
"""Breaks a valid kernel in one known way; the code that both emitters must refuse it with is known too."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from random_kernels import FEATURES, ROOT, read_ops

Stmt = dict[str, Any]
Break = Callable[[Stmt, random.Random], bool]  # changes the kernel; False: it has no place for this


def statements(body: list[Stmt]) -> Iterator[tuple[list[Stmt], int]]:
    """Every statement as its list and its place in it, depth first."""
    for at, stmt in enumerate(body):
        yield body, at
        for key in ("body", "else"):
            yield from statements(stmt.get(key, []))


def _all(kernel: Stmt) -> list[Stmt]:
    return [body[at] for body, at in statements(kernel["body"])]


def _pick(kernel: Stmt, rng: random.Random, fits: Callable[[Stmt], Any]) -> Stmt | None:
    found = [stmt for stmt in _all(kernel) if fits(stmt)]
    return rng.choice(found) if found else None


def _names(stmt: Stmt) -> list[int]:
    return [i for i, a in enumerate(stmt.get("a", [])) if isinstance(a, str)]


def _with_names(stmt: Stmt) -> bool:
    return bool(_names(stmt)) and stmt["op"] != "for"


def _change(fits: Callable[[Stmt], Any], change: Callable[[Stmt, random.Random], Any]) -> Break:
    def apply(kernel: Stmt, rng: random.Random) -> bool:
        stmt = _pick(kernel, rng, fits)
        if stmt is None:
            return False
        change(stmt, rng)
        return True

    return apply


def _undefined(stmt: Stmt, rng: random.Random) -> None:
    stmt["a"][rng.choice(_names(stmt))] = rng.choice(["nowhere", "@nowhere", "a.b", "9", "entry"])


def _used_before(kernel: Stmt, rng: random.Random) -> bool:
    """A statement moves in front of the one that defines its operand."""
    places = list(statements(kernel["body"]))
    defined = {body[at]["n"]: (body, at) for body, at in places if "t" in body[at]}
    pairs = []
    for body, at in places:
        for name in (body[at]["a"][i] for i in _names(body[at])):
            home, where = defined.get(name, (None, 0))
            if home is body and where < at:
                pairs.append((body, where, at))
    if not pairs:
        return False
    body, where, at = rng.choice(pairs)
    body.insert(where, body.pop(at))
    return True


def _used_outside(kernel: Stmt, rng: random.Random) -> bool:
    """A value of a region is used after the region."""
    inner = []
    for stmt in kernel["body"]:
        for key in ("body", "else"):
            inner += [s["n"] for s in stmt.get(key, []) if s.get("t") == "f32"]
    if not inner:
        return False
    name = rng.choice(inner)
    kernel["body"].append({"op": "fneg", "n": "outside_", "t": "f32", "a": [name]})
    return True


def _wrong_type(stmt: Stmt, _rng: random.Random) -> None:
    stmt["t"] = "v7f64"  # no value of a random kernel has it


def _no_operand(stmt: Stmt, rng: random.Random) -> None:
    stmt["a"].pop(rng.randrange(len(stmt["a"])))


def _twice(kernel: Stmt, rng: random.Random) -> bool:
    stmt = _pick(kernel, rng, lambda s: "t" in s)
    if stmt is None:
        return False
    stmt["n"] = rng.choice([kernel["params"][0]["n"], "entry"])
    return True


def _set(key: str, *values: Any) -> Break:
    return _change(lambda s: key in s, lambda s, rng: s.__setitem__(key, rng.choice(values)))


def _set_kernel(key: str, *values: Any) -> Break:
    def apply(kernel: Stmt, rng: random.Random) -> bool:
        kernel[key] = rng.choice(values)
        return True

    return apply


def _append(*stmts: Stmt) -> Break:
    def apply(kernel: Stmt, rng: random.Random) -> bool:
        kernel["body"].insert(rng.randrange(len(kernel["body"]) + 1), dict(rng.choice(stmts)))
        return True

    return apply


def _binary(op: str, kind: str, word: str) -> Stmt:
    return {"op": op, "n": "broken_", "t": kind, "a": [[kind, "5"], [kind, word]]}


_BAD_ATOMICS = (
    ("atomic.add", "i8", ["i8", "1"]),
    ("atomic.add", "f32", ["f32", "0"]),
    ("atomic.fadd", "i32", ["i32", "1"]),
    ("atomic.fmax", "f16", ["f16", "0"]),
    ("atomic.exchange", "v2i32", ["v2i32", "1"]),
    ("atomic.compare", "i32", ["i32", "1"], ["i64", "1"]),
    ("atomic.compare", "f32", ["f32", "0"], ["f32", "0"]),
    ("atomic.xor", "i32", ["i64", "1"]),
)


def _bad_atomic(kernel: Stmt, rng: random.Random) -> bool:
    op, kind, *args = rng.choice(_BAD_ATOMICS)
    pointer = next(p["n"] for p in kernel["params"] if p["t"] == "p1")
    stmt = {"op": op, "n": "broken_", "t": kind, "a": [pointer, *args], "order": "monotonic", "scope": "agent"}
    if rng.randrange(4) == 0:
        stmt = {**stmt, "op": "atomic.add", "t": "i32", "a": [["i32", "0"], ["i32", "1"]]}
    kernel["body"].insert(0, stmt)
    return True


def _lds(kernel: Stmt, rng: random.Random) -> bool:
    kernel["lds"].append({"n": "broken_", "t": "i32", "count": rng.choice([81921, 1 << 29]), "align": 16})
    return True


def _lds_empty(kernel: Stmt, rng: random.Random) -> bool:
    kernel["lds"].insert(
        0, {"n": "broken_", "t": "i32", "count": 0, "align": 4} | rng.choice([{}, {"t": "i1", "count": 4}])
    )
    return True


def _foreign_op(kernel: Stmt, rng: random.Random) -> bool:
    """An operation of a target that this is not; before its types are looked at."""
    have = FEATURES.get(kernel["target"], FEATURES["gfx1250"]).split()
    lacking = sorted(op for op, row in read_ops().items() if row["feature"] and row["feature"] not in have)
    kernel["body"].insert(0, {"op": rng.choice(lacking)})
    return True


def _param(kernel: Stmt, rng: random.Random) -> bool:
    kernel["params"].insert(
        0, rng.choice([{"n": "broken_", "t": "i1", "k": "value"}, {"n": "broken_", "t": "p8", "k": "value"}])
    )
    return True


#: By name: the code, and what breaks the kernel.
BREAKS: dict[str, tuple[str, Break]] = {
    "an operand that nothing defines": ("TIR1006", _change(_with_names, _undefined)),
    "a use before the definition": ("TIR1006", _used_before),
    "a value used after its region": ("TIR1006", _used_outside),
    "a result of another type": (
        "TIR1003",
        _change(
            lambda s: "t" in s and s["op"] in ("add", "fadd", "icmp", "gep", "fma", "rsrc", "workitem.x"), _wrong_type
        ),
    ),
    "an operand too few": ("TIR1003", _change(lambda s: s.get("a") and s["op"] not in ("if", "for"), _no_operand)),
    "a parameter that none can be": ("TIR1003", _param),
    "one name for two values": ("TIR1002", _twice),
    "a name that is none": (
        "TIR1001",
        _change(lambda s: "t" in s, lambda s, r: s.__setitem__("n", r.choice(["9x", "a-b", "\u00e9", "x" * 201]))),
    ),
    "an alignment that is no power of two": ("TIR1007", _set("align", 3, 0, -4, 8192)),
    "a predicate that does not exist": ("TIR1013", _set("pred", "equal", "OLT", "true")),
    "an order that does not exist": ("TIR1013", _set("order", "relaxed", "seq_cst")),
    "an order that a fence cannot have": ("TIR1013", _append({"op": "fence", "order": "monotonic", "scope": "agent"})),
    "an atomic on no pointer, of bytes or of two types": ("TIR1003", _bad_atomic),
    "a flag that the operation lacks": (
        "TIR1013",
        _change(lambda s: s["op"] in ("xor", "fabs", "select"), lambda s, _: s.__setitem__("f", ["nuw"])),
    ),
    "a work-group that is too large": (
        "TIR1004",
        _set_kernel("block", [1025, 1, 1], [1024, 2, 1], [0, 1, 1], [65537, 65537, 65537]),
    ),
    "a target that does not exist": ("TIR1016", _set_kernel("target", "gfx9999", "", "GFX1250")),
    "an operation of another target": ("TIR1010", _foreign_op),
    "more LDS than there is": ("TIR1005", _lds),
    "an LDS array of nothing": ("TIR1017", _lds_empty),
    "a shift by the width": (
        "TIR1008",
        _append(_binary("shl", "i32", "20"), _binary("ashr", "i8", "8"), _binary("lshr", "i64", "40")),
    ),
    "a division by the constant 0": ("TIR1018", _append(_binary("udiv", "i32", "0"), _binary("srem", "i64", "0"))),
    "a constant that does not fit": (
        "TIR1015",
        _append(_binary("add", "i8", "100"), _binary("and", "i1", "2"), _binary("fadd", "bf16", "13f80")),
    ),
    "an element that the vector lacks": (
        "TIR1019",
        _append({"op": "extract", "n": "broken_", "t": "f32", "a": [["v4f32", "0"], ["i32", "4"]]}),
    ),
    "an operation that does not exist": ("TIR1014", _set("op", "no.op", "", "ADD")),
    "another schema": ("TIR1014", _set_kernel("schema", "twinir-kernel-2", "", 1)),
    "a key that nobody knows": ("TIR1014", _set_kernel("more", 1)),
    "a number for a list": ("TIR1014", _set("a", 1, "x", None)),
}


def known_codes() -> set[str]:
    """The codes of a kernel's faults that kernel JSON can have."""
    text = (ROOT / "dsl" / "codes.def").read_text(encoding="utf-8")
    builder = ("1011", "1012", "1020", "1021", "1022", "1023", "1024")  # faults of programs that use the builder
    rows = [line[12:16] for line in text.splitlines() if line.startswith("TWINIR_CODE(1")]
    return {f"TIR{number}" for number in rows if number not in builder}


def break_kernel(text: str, kind: str, seed: int) -> str | None:
    """The kernel with that one fault; None when it has no place for it."""
    kernel = json.loads(text)
    if not BREAKS[kind][1](kernel, random.Random(f"{seed} {kind}")):
        return None
    return json.dumps(kernel, separators=(",", ":"))
