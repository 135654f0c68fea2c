# SPDX-License-Identifier: MIT
"""The verifier: every code has cases that are refused with it, each beside a twin that is good."""

from __future__ import annotations

import re
from typing import Any

import pytest
from test_reader import code_of

from kernels import PARAMS, ROOT, stmt, text
from twinir_emit.ops import OPS
from twinir_emit.targets import TARGETS

I1, F32 = ["i1", "1"], ["f32", "3f800000"]


def loop(*body: Any, carry: Any = (), **others: Any) -> dict[str, Any]:
    entries = [["i", ["i32", "0"], "i.next"], *carry]
    return stmt("for", ["i32", "0"], "i32", ["i32", "1"], n="l", carry=entries, body=list(body), **others)


def param(**changes: Any) -> list[dict[str, Any]]:
    return [{"n": "q", "t": "p1", "k": "in", "align": 16, "deref": 0, **changes}]


def value(t: str) -> list[dict[str, Any]]:
    return [{"n": "q", "t": t, "k": "value"}]


def lds(*arrays: tuple[str, str, int, int]) -> list[dict[str, Any]]:
    return [{"n": n, "t": t, "count": count, "align": align} for n, t, count, align in arrays]


def neg(operand: Any, n: str = "v", t: str = "f32") -> dict[str, Any]:
    return stmt("fneg", operand, n=n, t=t)


def iu8(**signs: int) -> dict[str, Any]:
    fragment, sums = ["v8i32", "0"], ["v8i32", "1"]
    return stmt("wmma.i32.16x16x64.iu8", fragment, fragment, sums, n="v", t="v8i32", **signs)


LIMITS = {name: target.lds_bytes for name, target in TARGETS.items()}

GOOD = [
    text(name="A" * 200),
    text(name="_0"),
    text(neg("f32")),
    text(neg("f32"), neg("v", n="w")),
    text(block=[1024, 1, 1]),
    text(block=[8, 8, 16]),
    text(loop(neg("f32"))),
    text(loop(neg("c", n="d"), carry=[["c", F32, "d"]]), neg("c", n="e"), stmt("add", "i", "i", n="g", t="i32")),
    text(loop(carry=[["a", F32, "b"], ["b", F32, "a"]])),
    text(stmt("if", I1, n="c", results=[["r", "f32", "f32", F32]], body=[], orelse=[]), neg("r")),
    text(stmt("if", I1, n="c", results=[["r", "p3", "@s", "@s"]], body=[], orelse=[])),
    text(params=param(t="p4")),
    text(params=value("v32f64")),
    text(params=param(align=4096, deref=1 << 62)),
    text(stmt("load", "@s", n="v", t="f32", align=4096)),
    text(stmt("shl", "i32", ["i32", "1f"], n="v", t="i32")),
    text(iu8(signed_a=1, signed_b=0)),
    text(stmt("load.lds.b96", "x", "@s", offset=4095, aux=0), target="gfx950"),
    text(stmt("shl", "i32", ["i32", "poison"], n="v", t="i32")),
    text(stmt("udiv", "i32", ["i32", "1"], n="v", t="i32")),
    text(neg(["f32", "7f800000"])),
    *(text(neg(["f32", w])) for w in ("7fc00000", "7fa00000", "7fc00055", "ffffffff")),
    text(neg(["f64", "7ff0000000000001"], t="f64")),
    text(neg(["v2f16", "0", "7e00"], t="v2f16")),
    text(loop(carry=[["c", F32, ["f32", "7fc00000"]]])),
    text(neg(["v2f32", "1", "2"], t="v2f32")),
    text(stmt("extract", "v4f32", ["i32", "3"], n="v", t="f32")),
    text(stmt("shuffle", "v4f32", "v4f32", n="v", t="v2f32", mask=[7, -1])),
    text(stmt("classify", "f32", n="v", t="i1", mask=1023)),
    text(stmt("sched.barrier", mask=2047)),
    text(lds=lds(("s", "f32", 1, 1), ("f32", "i8", 1, 4096))),  # the names of arrays are apart from those of values
    *(text(target=t, lds=lds(("s", "i8", n, 1)), params=[]) for t, n in LIMITS.items()),
]

CASES: dict[str, list[str]] = {
    "TIR1001": [
        *(
            text(name=n)
            for n in ("", "3d", "a b", "k.s", 'k 3x3/"q"', "a\\b", "é", "k\n", "llvm.foo", "main.kd", "A" * 201)
        ),
        text(neg("f32", n="a.b")),
        text(neg("f32", n="")),
        text(stmt("if", I1, n="9", body=[])),
        text(stmt("for", ["i32", "0"], "i32", ["i32", "1"], carry=[["i", ["i32", "0"], "i.next"]], body=[])),
        text(params=param(n="x-y")),
        text(lds=lds(("1", "f32", 4, 4))),
    ],
    "TIR1002": [
        text(neg("f32", n="f32")),
        text(neg("f32"), neg("f32")),
        text(neg("f32", n="entry")),
        text(stmt("if", I1, n="entry", body=[])),
        text(stmt("if", I1, n="c", body=[neg("f32", n="c")])),
        text(loop(neg("f32", n="i"))),
        text(loop(carry=[["i", F32, F32]])),
        text(stmt("if", I1, n="c", body=[neg("f32")], orelse=[neg("f32")])),
        text(params=PARAMS + PARAMS[:1]),
        text(lds=lds(("s", "f32", 1, 4), ("s", "f32", 1, 4))),
        text(name="llvm"),
    ],
    "TIR1003": [
        text(stmt("add", "i32", "f32", n="v", t="i32")),
        text(stmt("add", "i32", n="v", t="i32")),
        text(stmt("add", "i32", "i32", "i32", n="v", t="i32")),
        text(stmt("add", "i32", "i32", n="v", t="i64")),
        text(stmt("add", "i32", "i32", n="v")),
        text(stmt("add", I1, I1, n="v", t="i1")),
        text(stmt("barrier", n="v", t="i32")),
        text(stmt("store", "f32", "x", n="v", t="f32", align=4)),
        text(stmt("if", "i32", n="c", body=[])),
        text(stmt("for", ["i64", "0"], "i32", ["i32", "1"], n="l", carry=[["i", ["i64", "0"], "i.next"]], body=[])),
        text(loop(carry=[["c", F32, "i"]])),
        text(stmt("if", I1, n="c", results=[["r", "f32", "f32", "i32"]], body=[], orelse=[])),
        text(params=param(t="p3")),
        text(params=param(t="p8")),
        text(params=param(t="f32")),
        text(params=param(t="p4", k="out")),
        text(params=value("p1")),
        text(params=value("i1")),
        text(stmt("exp2", "f64", n="v", t="f64")),
        text(stmt("shuffle", "v4f32", "v4f32", n="v", t="v2f32", mask=[0, 1, 2])),
        text(stmt("gep", "@s", "i64", n="v", t="p3", e="f32")),
        text(stmt("gep", "x", "i64", n="v", t="p1")),
    ],
    "TIR1004": [text(block=b) for b in ([0, 1, 1], [1, -1, 1], [1025, 1, 1], [32, 33, 1], [2048, 1, 1], [65536] * 3)],
    "TIR1005": [
        *(text(target=t, lds=lds(("s", "i8", n + 1, 1)), params=[]) for t, n in LIMITS.items()),
        text(target="gfx1150", lds=lds(("a", "i8", 1, 1), ("b", "i8", 61441, 4096)), params=[]),  # with the gap between
        text(lds=lds(("a", "v32f64", 1 << 30, 16))),
    ],
    "TIR1006": [
        text(neg("nowhere")),
        text(neg("@nowhere")),
        text(neg("v")),
        text(neg("w"), neg("f32", n="w")),
        text(stmt("if", I1, n="c", body=[neg("f32")]), neg("v", n="w")),
        text(stmt("if", I1, n="c", body=[neg("f32")], orelse=[neg("v", n="w")])),
        text(stmt("if", I1, n="c", results=[["r", "f32", "f32", "v"]], body=[neg("f32")], orelse=[])),
        text(loop(neg("f32")), neg("v", n="w")),
        text(loop(neg("i.next", t="i32"))),
        text(stmt("for", "i", "i32", ["i32", "1"], n="l", carry=[["i", "i", "i.next"]], body=[])),
        text(loop(carry=[["c", "c", F32]])),
        text(loop(stmt("if", I1, n="c", body=[neg("f32")]), carry=[["d", F32, "v"]])),
        text(neg("l")),
    ],
    "TIR1007": [
        *(text(params=param(align=a)) for a in (0, 3, -4, 8192)),
        *(text(lds=lds(("s", "f32", 4, a))) for a in (0, 24, 8192)),
        *(text(stmt("load", "x", n="v", t="f32", align=a)) for a in (0, 6, -1, 1 << 40)),
    ],
    "TIR1008": [
        *(text(stmt(op, "i32", ["i32", "20"], n="v", t="i32")) for op in ("shl", "lshr", "ashr")),
        text(stmt("shl", "i8", ["i8", "8"], n="v", t="i8")),
        text(stmt("shl", "i64", ["i64", "40"], n="v", t="i64")),
        text(stmt("shl", "v4i32", ["v4i32", "0", "1", "2", "20"], n="v", t="v4i32")),
        text(stmt("shl", "i32", ["i32", "ffffffff"], n="v", t="i32")),
    ],
    "TIR1010": [
        *(text(stmt("barrier.signal"), target=t) for t in ("gfx1150", "gfx950")),
        text(stmt("cvt.f32.fp8", "i32", n="v", t="f32", byte=0), target="gfx1150"),
        *(text(stmt("wait.async", count=0), target=t) for t in ("gfx1150", "gfx1201", "gfx950")),
        *(text(stmt("load.lds.b128", "x", "@s", offset=0, aux=0), target=t) for t in ("gfx1150", "gfx1201", "gfx1250")),
        *(
            text(stmt("wmma.f32.16x16x32.f16", "v16f16", "v16f16", "v8f32", n="v", t="v8f32"), target=t)
            for t in ("gfx1201", "gfx1150", "gfx950")
        ),
        text(stmt("wmma.f32.16x16x16.f16", "v16f16", "v16f16", "v8f32", n="v", t="v8f32")),
        text(
            stmt("mfma.f32.32x32x16.f16", *(["v8f16", "0"],) * 2, ["v16f32", "0"], n="v", t="v16f32"), target="gfx1201"
        ),
    ],
    "TIR1013": [
        text(stmt("load", "x", n="v", t="f32")),
        text(stmt("load", "x", n="v", t="f32", align="4")),
        text(stmt("load", "x", n="v", t="f32", f=["volatile"], align=4)),
        text(stmt("load", "x", n="v", t="f32", f=["nontemporal", "invariant"], align=4)),
        text(stmt("store", "f32", "y", f=["invariant"], align=4)),
        text(stmt("add", "i32", "i32", n="v", t="i32", f=["nsw", "nsw"])),
        text(stmt("fadd", "f32", "f32", n="v", t="f32", f=["nsw"])),
        text(stmt("fadd", "f32", "f32", n="v", t="f32", f=[""])),
        text(stmt("icmp", "i32", "i32", n="v", t="i1", pred="olt")),
        text(stmt("fcmp", "f32", "f32", n="v", t="i1", pred="slt")),
        text(stmt("icmp", "i32", "i32", n="v", t="i1", pred=1)),
        text(stmt("fence", order="seq_cst", scope="agent")),
        text(stmt("fence", order="release", scope="device")),
        text(stmt("fence", order="release")),
        text(stmt("opaque", "f32", n="v", t="f32", register="a")),
        text(stmt("classify", "f32", n="v", t="i1", mask=1024)),
        text(stmt("classify", "f32", n="v", t="i1", mask=-1)),
        text(stmt("sched.barrier", mask=2048)),
        text(stmt("setprio", priority=4)),
        text(stmt("cvt.f32.fp8", "i32", n="v", t="f32", byte=4)),
        text(stmt("cvt.pk.fp8.f32", "f32", "f32", "i32", n="v", t="i32", word=2)),
        text(stmt("rsrc", "x", "i32", n="v", t="p8", flags=1 << 32)),
        text(stmt("wait.async", count=64)),
        text(stmt("async.load.b32", "x", "@s", offset=1 << 23, aux=0)),
        text(stmt("load.lds.b32", "x", "@s", offset=4096, aux=0), target="gfx950"),
        text(stmt("wait.load.lds", count=64), target="gfx950"),
        text(iu8(signed_a=2, signed_b=0)),
        text(iu8(signed_a=0)),
        text(stmt("async.load.b32", "x", "@s", offset=0, aux=1 << 31)),
        text(loop(f=["unroll"])),
    ],
    "TIR1015": [
        text(neg(["f16", "10000"], t="f16")),
        text(stmt("add", "i8", ["i8", "100"], n="v", t="i8")),
        text(stmt("and", I1, ["i1", "2"], n="v", t="i1")),
        text(neg(["v2f32", "1", "1"], t="v2f32")),  # equal lanes are written once
        text(neg(["v4f32", "1", "2"], t="v4f32")),
        text(neg(["f32", "1", "2"])),
        text(neg(["p1", "0"])),
        text(neg(["p1", "poison"])),
        text(neg("")),
        text(stmt("for", ["i32", "0"], "i32", ["i32", "0"], n="l", carry=[["i", ["i32", "0"], "i.next"]], body=[])),
        text(
            stmt("for", ["i32", "0"], "i32", ["i32", "ffffffff"], n="l", carry=[["i", ["i32", "0"], "i.next"]], body=[])
        ),
    ],
    "TIR1016": [text(target=t) for t in ("", "gfx9999", "gfx90a", "GFX1250", "gfx1250 ")],
    "TIR1017": [
        text(lds=lds(("s", "f32", 0, 4))),
        *(text(lds=lds(("s", t, 4, 4))) for t in ("i1", "v8i1", "p1", "p3", "p8", "v2p1")),
    ],
    "TIR1018": [
        *(text(stmt(op, "i32", ["i32", "0"], n="v", t="i32")) for op in ("udiv", "sdiv", "urem", "srem")),
        text(stmt("udiv", "v4i32", ["v4i32", "1", "0", "2", "3"], n="v", t="v4i32")),
    ],
    "TIR1019": [
        text(stmt("extract", "v4f32", ["i32", "4"], n="v", t="f32")),
        text(stmt("extract", "v4f32", ["i32", "ffffffff"], n="v", t="f32")),
        text(stmt("insert", "v4f32", "f32", ["i32", "4"], n="v", t="v4f32")),
        text(stmt("shuffle", "v4f32", "v4f32", n="v", t="v2f32", mask=[0, 8])),
        text(stmt("shuffle", "v4f32", "v4f32", n="v", t="v2f32", mask=[0, -2])),
    ],
}


@pytest.mark.parametrize("source", GOOD)
def test_good(source: str) -> None:
    assert code_of(source) == "good"


@pytest.mark.parametrize("code, number", [(code, n) for code, cases in CASES.items() for n in range(len(cases))])
def test_refused(code: str, number: int) -> None:
    assert code_of(CASES[code][number]) == code, CASES[code][number]


def test_every_code_of_a_kernel_description_has_a_case() -> None:
    listed = re.findall(r"TWINIR_CODE\((1\d{3}),", (ROOT / "dsl" / "codes.def").read_text(encoding="utf-8"))
    builder_only = {"1011", "1012", "1020", "1021", "1022", "1023", "1024"}  # of the C++ builder, before there is a description
    read_by = {"1014"}  # test_reader.py
    assert {f"TIR{code}" for code in set(listed) - builder_only - read_by} == set(CASES)


@pytest.mark.parametrize("name", sorted(op.name for op in OPS.values() if op.feature))
def test_an_op_with_a_feature_is_refused_where_the_target_lacks_it(name: str) -> None:
    for target in TARGETS.values():
        if OPS[name].feature not in target.features:
            assert code_of(text({"op": name}, target=target.name)) == "TIR1010"
