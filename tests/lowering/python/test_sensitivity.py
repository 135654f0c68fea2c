# SPDX-License-Identifier: MIT
"""Every entry of a flavor file matters: changed once, it changes a text or is refused; the exceptions are listed."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from kernels import flavor_names, flavor_table, stmt, target_of, text
from twinir_emit import Flavor, Refusal, emit
from twinir_emit.ops import OPS
from twinir_emit.targets import TARGETS

Path = tuple[Any, ...]


def matrix(op: str, fragment: str, sums: str, **attributes: Any) -> dict[str, Any]:
    return stmt(op, [fragment, "0"], [fragment, "0"], [sums, "0"], n="v", t=sums, **attributes)


PAIRS = ("fp8.fp8", "fp8.bf8", "bf8.fp8", "bf8.bf8")


#: Read by others than the emitter: which LLVM it was, and for which targets it can generate code.
NOT_IN_ANY_TEXT: set[Path] = {("llvm",), *(("targets", name, "known") for name in TARGETS)}

# A statement of every operation that calls an intrinsic.
CALLS = {
    **{op: stmt(op, "i32", "i32", n="v", t="i32") for op in ("umin", "umax", "smin", "smax", "mbcnt.lo", "mbcnt.hi")},
    **{op: stmt(op, "i32", n="v", t="i32") for op in ("ctpop", "ctlz", "cttz", "bitreverse", "readfirstlane")},
    **{
        op: stmt(op, "f32", "f32", n="v", t="f32")
        for op in ("minnum", "maxnum", "minimumnum", "maximumnum", "copysign")
    },
    **{
        op: stmt(op, "f32", n="v", t="f32")
        for op in (
            *("fabs", "floor", "ceil", "ftrunc", "rint", "sqrt", "rsq", "rcp", "exp2", "log2", "canonicalize"),
            "frexp.mant",
        )
    },
    "frexp.exp": stmt("frexp.exp", "f64", n="v", t="i32"),
    "fma": stmt("fma", "f32", "f32", "f32", n="v", t="f32"),
    "ldexp": stmt("ldexp", "f64", "i32", n="v", t="f64"),
    "classify": stmt("classify", "f32", n="v", t="i1", mask=3),
    "fptoui.sat": stmt("fptoui.sat", "f32", n="v", t="i16"),
    "fptosi.sat": stmt("fptosi.sat", "f32", n="v", t="i64"),
    "cvt.f32.fp8": stmt("cvt.f32.fp8", "i32", n="v", t="f32", byte=1),
    "cvt.f32.bf8": stmt("cvt.f32.bf8", "i32", n="v", t="f32", byte=1),
    "cvt.pk.fp8.f32": stmt("cvt.pk.fp8.f32", "f32", "f32", "i32", n="v", t="i32", word=1),
    "cvt.pk.bf8.f32": stmt("cvt.pk.bf8.f32", "f32", "f32", "i32", n="v", t="i32", word=1),
    **{
        f"{what}.{axis}": stmt(f"{what}.{axis}", n="v", t="i32") for what in ("workitem", "workgroup") for axis in "xyz"
    },
    "implicit.args": stmt("implicit.args", n="v", t="p4"),
    "rsrc": stmt("rsrc", "x", "i32", n="v", t="p8", flags=1),
    "buffer.load": stmt("buffer.load", "r", "i32", "i32", n="v", t="f32", aux=1),
    "buffer.store": stmt("buffer.store", "f32", "r", "i32", "i32", aux=1),
    **{f"async.load.{w}": stmt(f"async.load.{w}", "x", "@s", offset=1, aux=1) for w in ("b32", "b64", "b128")},
    "wait.async": stmt("wait.async", count=1),
    **{f"load.lds.{w}": stmt(f"load.lds.{w}", "x", "@s", offset=1, aux=1) for w in ("b32", "b96", "b128")},
    "wait.load.lds": stmt("wait.load.lds", count=17),
    "barrier": stmt("barrier"),
    "barrier.signal": stmt("barrier.signal"),
    "barrier.wait": stmt("barrier.wait"),
    "trap": stmt("trap"),
    "assert": stmt("assert", ["i1", "0"], n="sure"),
    "readlane": stmt("readlane", "f32", "i32", n="v", t="f32"),
    "bpermute": stmt("bpermute", "i32", "i32", n="v", t="i32"),
    "ballot.b32": stmt("ballot.b32", ["i1", "1"], n="v", t="i32"),
    "ballot.b64": stmt("ballot.b64", ["i1", "1"], n="v", t="i64"),
    "wmma.f32.16x16x32.f16": stmt("wmma.f32.16x16x32.f16", "v16f16", "v16f16", "v8f32", n="v", t="v8f32"),
    "wmma.f32.16x16x32.bf16": stmt("wmma.f32.16x16x32.bf16", "v16bf16", "v16bf16", "v8f32", n="v", t="v8f32"),
    "wmma.f32.16x16x16.f16": matrix("wmma.f32.16x16x16.f16", "v16f16", "v8f32"),
    "wmma.f32.16x16x16.bf16": matrix("wmma.f32.16x16x16.bf16", "v16i16", "v8f32"),
    "mfma.f32.32x32x16.f16": matrix("mfma.f32.32x32x16.f16", "v8f16", "v16f32"),
    "mfma.f32.32x32x16.bf16": matrix("mfma.f32.32x32x16.bf16", "v8bf16", "v16f32"),
    **{f"mfma.f32.32x32x16.{p}": matrix(f"mfma.f32.32x32x16.{p}", "i64", "v16f32") for p in PAIRS},
    "mfma.f32.16x16x32.f16": matrix("mfma.f32.16x16x32.f16", "v8f16", "v4f32"),
    "mfma.f32.16x16x32.bf16": matrix("mfma.f32.16x16x32.bf16", "v8bf16", "v4f32"),
    "mfma.i32.32x32x32.i8": matrix("mfma.i32.32x32x32.i8", "v4i32", "v16i32"),
    "wmma.f32.16x16x16.f16.gfx12": matrix("wmma.f32.16x16x16.f16.gfx12", "v8f16", "v8f32"),
    "wmma.f32.16x16x16.bf16.gfx12": matrix("wmma.f32.16x16x16.bf16.gfx12", "v8i16", "v8f32"),
    **{f"wmma.f32.16x16x16.{p}": matrix(f"wmma.f32.16x16x16.{p}", "v2i32", "v8f32") for p in PAIRS},
    **{f"wmma.f32.16x16x64.{p}": matrix(f"wmma.f32.16x16x64.{p}", "v8i32", "v8f32") for p in PAIRS},
    **{
        op: matrix(op, fragment, "v8i32", signed_a=1, signed_b=0)
        for op, fragment in (
            ("wmma.i32.16x16x16.iu8", "v4i32"),
            ("wmma.i32.16x16x16.iu8.gfx12", "v2i32"),
            ("wmma.i32.16x16x64.iu8", "v8i32"),
        )
    },
    "sched.barrier": stmt("sched.barrier", mask=1),
    "setprio": stmt("setprio", priority=1),
}
RESOURCE = stmt("rsrc", "x", "i32", n="r", t="p8", flags=0)
LOOP = stmt(
    "for",
    *(["i32", "0"], "i32", ["i32", "1"]),
    n="l",
    carry=[["i", ["i32", "0"], "i.next"]],
    body=[],
    f=["nounroll"],
)
CONSTANTS = [
    stmt("fneg", ["f16", "3c00"], n="c1", t="f16"),
    stmt("fneg", ["v4f32", "3f800000"], n="c2", t="v4f32"),
]
POINTERS = [
    {"n": f"p{number}", "t": "p1", "k": kind, "align": 16, "deref": deref}
    for number, (kind, deref) in enumerate((kind, deref) for kind in ("in", "out", "inout") for deref in (0, 64))
]


#: Every class by itself, the pairs of both signs, all and none.
MASKS = [*(1 << bit for bit in range(10)), 3, 0x204, 0x60, 0x90, 0x108, 0x3FF, 0]


def kernels() -> Iterator[tuple[Path, str]]:
    """Kernels that use everything, each with the part of the table that it is for."""
    yield (), text(*CONSTANTS, LOOP)
    yield ("params",), text(params=[*POINTERS, {"n": "a", "t": "f32", "k": "value"}], lds=[])
    yield ("kernel",), text(waves_per_eu=2)
    yield ("intrinsics", "classify"), text(*(stmt("classify", "f32", n=f"m{m}", t="i1", mask=m) for m in MASKS))
    for target in TARGETS:
        yield ("targets", target), text(target=target)
    for op, statement in CALLS.items():
        before = [RESOURCE] if "r" in statement.get("a", ()) else []
        named = {**statement, **({"n": "v"} if "t" in statement else {})}
        yield ("intrinsics", op), text(*before, named, target=target_of(op))


KERNELS = list(kernels())


def outcome(flavor: Flavor | None, kernel: str) -> str:
    if flavor is None:
        return "no flavor"
    try:
        return emit(kernel, flavor)
    except Refusal as refusal:
        return str(refusal)


@cache
def texts(name: str) -> list[str]:
    """What the flavor as recorded gives for every kernel."""
    flavor = Flavor(flavor_table(name))
    return [outcome(flavor, kernel) for _, kernel in KERNELS]


def entries(value: Any, path: Path = ()) -> Iterator[Path]:
    """The path of every leaf."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from entries(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from entries(inner, (*path, index))
    else:
        yield path


def other(value: Any, path: Path) -> Any:
    """Another value of the same kind."""
    if path[0] == "style":
        return {"hex": "decimal", "decimal": "hex", "preorder": "postorder", "postorder": "preorder"}.get(
            value, value is False
        )
    if isinstance(value, bool):
        return not value
    if value is None:
        return copy.deepcopy(flavor_table(flavor_names()[-1])["intrinsics"][path[1]])
    if isinstance(value, int):
        return value ^ 1
    if "overloads" in path:
        return "7"
    return value + "~"


def changed(table: dict[str, Any], path: Path) -> dict[str, Any]:
    out = copy.deepcopy(table)
    holder = out
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = other(holder[path[-1]], path)
    return out


def shows(name: str, table: dict[str, Any], path: Path) -> bool:
    """Does the changed table give another text for some kernel, or is it refused?"""
    try:
        flavor = Flavor(table)
    except Refusal as refusal:
        assert refusal.code == "TIR3003"
        return True
    recorded = texts(name)
    order = sorted(range(len(KERNELS)), key=lambda at: KERNELS[at][0] != path[: len(KERNELS[at][0])])
    return any(outcome(flavor, KERNELS[at][1]) != recorded[at] for at in order)


@pytest.mark.parametrize("name", flavor_names())
def test_every_entry_matters(name: str) -> None:
    table = flavor_table(name)
    paths = list(entries(table))
    assert len(paths) > 400
    silent = {path for path in paths if not shows(name, changed(table, path), path)}
    lacks_nothing = None not in table["intrinsics"].values()
    only_in_refusals: set[Path] = {("flavor",)} if lacks_nothing else set()  # clause C16 has the name
    assert silent == NOT_IN_ANY_TEXT | only_in_refusals


def test_the_kernels_use_every_operation_that_calls() -> None:
    for name in flavor_names():
        assert set(CALLS) == set(flavor_table(name)["intrinsics"])
    assert set(CALLS) <= set(OPS)


@pytest.mark.parametrize("name", flavor_names())
def test_the_kernels_are_good_where_the_flavor_has_the_operation(name: str) -> None:
    lacking = {op for op, entry in flavor_table(name)["intrinsics"].items() if entry is None}
    for (path, _), written in zip(KERNELS, texts(name)):
        refused = written.startswith("TIR")
        assert refused == (path[:1] == ("intrinsics",) and path[1] in lacking), written[:200]
