# SPDX-License-Identifier: MIT
"""One line per operation and form: a statement and the line it becomes, in every recorded flavor that has it."""

from __future__ import annotations

from typing import Any

import pytest

from kernels import FLAVORS, flavor_names, stmt, target_of, text
from twinir_emit import emit, load_flavor
from twinir_emit.ops import OPS

Row = tuple[dict[str, Any], str]


def binary(op: str, t: str, *flags: str) -> Row:
    word = {"f16": "half", "bf16": "bfloat", "f32": "float", "v4i32": "<4 x i32>", "v4f32": "<4 x float>"}.get(t, t)
    given = {"f": list(flags)} if flags else {}
    return stmt(op, t, t, n="v", t=t, **given), f"%v = {' '.join((op, *flags))} {word} %{t}, %{t}"


def call(op: str, arguments: list[Any], t: str, line: str, **attributes: Any) -> Row:
    prefix = "%v = " if t else ""
    return stmt(op, *arguments, n="v" if t else "", t=t, **attributes), f"{prefix}call {line}"


def cast(op: str, a: str, t: str, line: str) -> Row:
    return stmt(op, a, n="v", t=t), f"%v = {op} {line}"


def atomic(op: str, where: str, t: str, line: str, /, *how: str, **others: Any) -> Row:
    order, scope = how
    values = [t, t] if op == "atomic.compare" else [t]
    return stmt(op, where, *values, n="v", t=t, **others, order=order, scope=scope), line


def matrix(op: str, fragment: str, sums: str, line: str, **attributes: Any) -> Row:
    operands = [[fragment, "0"], [fragment, "0"], [sums, "0"]]
    return call(op, operands, sums, line.replace("{zero}", "zeroinitializer"), **attributes)


PAIRS = ("fp8.fp8", "fp8.bf8", "bf8.fp8", "bf8.bf8")


ROWS: list[Row] = [
    # integer
    binary("add", "i32"),
    binary("add", "i32", "nuw", "nsw"),
    binary("sub", "i64", "nsw"),
    binary("mul", "v4i32", "nuw"),
    binary("udiv", "i32", "exact"),
    binary("sdiv", "i16"),
    binary("urem", "i8"),
    binary("srem", "i64"),
    binary("and", "i32"),
    binary("or", "i32"),
    binary("xor", "v4i32"),
    binary("shl", "i32", "nuw", "nsw"),
    binary("lshr", "i32", "exact"),
    binary("ashr", "i8"),
    call("umin", ["i32", "i32"], "i32", "i32 @llvm.umin.i32(i32 %i32, i32 %i32)"),
    call("umax", ["i64", "i64"], "i64", "i64 @llvm.umax.i64(i64 %i64, i64 %i64)"),
    call("smin", ["v4i32", "v4i32"], "v4i32", "<4 x i32> @llvm.smin.v4i32(<4 x i32> %v4i32, <4 x i32> %v4i32)"),
    call("smax", ["i16", "i16"], "i16", "i16 @llvm.smax.i16(i16 %i16, i16 %i16)"),
    call("ctpop", ["i32"], "i32", "i32 @llvm.ctpop.i32(i32 %i32)"),
    call("ctlz", ["i32"], "i32", "i32 @llvm.ctlz.i32(i32 %i32, i1 false)"),
    call("cttz", ["i64"], "i64", "i64 @llvm.cttz.i64(i64 %i64, i1 false)"),
    call("bitreverse", ["i8"], "i8", "i8 @llvm.bitreverse.i8(i8 %i8)"),
    # float
    binary("fadd", "f32"),
    binary("fadd", "f32", "contract"),
    binary("fsub", "f16"),
    binary("fmul", "bf16", "contract"),
    binary("fdiv", "v4f32"),
    *(
        call(op, ["f32", "f32"], "f32", f"float @llvm.{op}.f32(float %f32, float %f32)")
        for op in ("minnum", "maxnum", "minimumnum", "maximumnum", "copysign")
    ),
    cast("fneg", "f32", "f32", "float %f32"),
    *(
        call(op, ["f32"], "f32", f"float @llvm.{name}.f32(float %f32)")
        for op, name in [
            *((op, op) for op in ("fabs", "floor", "ceil", "rint", "sqrt", "exp2", "log2", "canonicalize")),
            *(("ftrunc", "trunc"), ("rsq", "amdgcn.rsq"), ("rcp", "amdgcn.rcp"), ("frexp.mant", "amdgcn.frexp.mant")),
        ]
    ),
    call("sqrt", ["v2f16"], "v2f16", "<2 x half> @llvm.sqrt.v2f16(<2 x half> %v2f16)"),
    call("frexp.exp", ["f32"], "i32", "i32 @llvm.amdgcn.frexp.exp.i32.f32(float %f32)"),
    call("frexp.exp", ["f16"], "i16", "i16 @llvm.amdgcn.frexp.exp.i16.f16(half %f16)"),
    call("fma", ["f32"] * 3, "f32", "float @llvm.fma.f32(float %f32, float %f32, float %f32)"),
    call(
        *("fma", ["v16bf16"] * 3, "v16bf16"),
        "<16 x bfloat> @llvm.fma.v16bf16(<16 x bfloat> %v16bf16, <16 x bfloat> %v16bf16, <16 x bfloat> %v16bf16)",
    ),
    call("ldexp", ["f64", "i32"], "f64", "double @llvm.ldexp.f64.i32(double %f64, i32 %i32)"),
    call(
        *("ldexp", ["v4f32", "v4i32"], "v4f32"),
        "<4 x float> @llvm.ldexp.v4f32.v4i32(<4 x float> %v4f32, <4 x i32> %v4i32)",
    ),
    # compare
    *(
        (stmt("icmp", "i32", "i32", n="v", t="i1", pred=p), f"%v = icmp {p} i32 %i32, %i32")
        for p in "eq ne ugt uge ult ule sgt sge slt sle".split()
    ),
    (stmt("icmp", "x", "y", n="v", t="i1", pred="eq"), "%v = icmp eq ptr addrspace(1) %x, %y"),
    (stmt("icmp", "v4i32", ["v4i32", "7"], n="v", t="v4i1", pred="slt"), "%v = icmp slt <4 x i32> %v4i32, {splat}"),
    *(
        (stmt("fcmp", "f32", "f32", n="v", t="i1", pred=p), f"%v = fcmp {p} float %f32, %f32")
        for p in "oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno".split()
    ),
    (stmt("select", ["i1", "1"], "f32", "f32", n="v", t="f32"), "%v = select i1 true, float %f32, float %f32"),
    (
        stmt("select", ["i1", "0"], "x", "y", n="v", t="p1"),
        "%v = select i1 false, ptr addrspace(1) %x, ptr addrspace(1) %y",
    ),
    call("classify", ["f32"], "i1", "i1 @llvm.is.fpclass.f32(float %f32, {all}i32 1023)", mask=1023),
    call("classify", ["v2f16"], "v2i1", "<2 x i1> @llvm.is.fpclass.v2f16(<2 x half> %v2f16, {nan}i32 3)", mask=3),
    # convert
    cast("trunc", "i64", "i32", "i64 %i64 to i32"),
    cast("trunc", "v4i32", "v4i1", "<4 x i32> %v4i32 to <4 x i1>"),
    cast("zext", "i8", "i64", "i8 %i8 to i64"),
    (stmt("zext", ["i1", "1"], n="v", t="i32"), "%v = zext i1 true to i32"),
    cast("sext", "i32", "i64", "i32 %i32 to i64"),
    cast("fptrunc", "f32", "bf16", "float %f32 to bfloat"),
    cast("fpext", "f16", "f64", "half %f16 to double"),
    cast("fptoui", "f32", "i32", "float %f32 to i32"),
    cast("fptosi", "v4f32", "v4i32", "<4 x float> %v4f32 to <4 x i32>"),
    call("fptoui.sat", ["f32"], "i8", "i8 @llvm.fptoui.sat.i8.f32(float %f32)"),
    call("fptosi.sat", ["v4f32"], "v4i32", "<4 x i32> @llvm.fptosi.sat.v4i32.v4f32(<4 x float> %v4f32)"),
    cast("uitofp", "i32", "f32", "i32 %i32 to float"),
    cast("sitofp", "i64", "f16", "i64 %i64 to half"),
    cast("bitcast", "f32", "i32", "float %f32 to i32"),
    cast("bitcast", "v4f32", "v16i8", "<4 x float> %v4f32 to <16 x i8>"),
    call("cvt.f32.fp8", ["i32"], "f32", "float @llvm.amdgcn.cvt.f32.fp8(i32 %i32, i32 3)", byte=3),
    call("cvt.f32.bf8", ["i32"], "f32", "float @llvm.amdgcn.cvt.f32.bf8(i32 %i32, i32 0)", byte=0),
    call(
        *("cvt.pk.fp8.f32", ["f32", "f32", "i32"], "i32"),
        "i32 @llvm.amdgcn.cvt.pk.fp8.f32(float %f32, float %f32, i32 %i32, i1 true)",
        word=1,
    ),
    call(
        *("cvt.pk.bf8.f32", ["f32", "f32", "i32"], "i32"),
        "i32 @llvm.amdgcn.cvt.pk.bf8.f32(float %f32, float %f32, i32 %i32, i1 false)",
        word=0,
    ),
    # vector
    (stmt("extract", "v4f32", ["i32", "2"], n="v", t="f32"), "%v = extractelement <4 x float> %v4f32, i32 2"),
    (stmt("extract", "v4f32", "i32", n="v", t="f32"), "%v = extractelement <4 x float> %v4f32, i32 %i32"),
    (
        stmt("insert", ["v4f32", "poison"], "f32", ["i32", "0"], n="v", t="v4f32"),
        "%v = insertelement <4 x float> poison, float %f32, i32 0",
    ),
    (
        stmt("shuffle", "v4f32", ["v4f32", "poison"], n="v", t="v2f32", mask=[3, -1]),
        "%v = shufflevector <4 x float> %v4f32, <4 x float> poison, <2 x i32> <i32 3, i32 poison>",
    ),
    (
        stmt("shuffle", "v4f32", "v4f32", n="v", t="v8f32", mask=[0] * 8),
        "%v = shufflevector <4 x float> %v4f32, <4 x float> %v4f32, <8 x i32> zeroinitializer",
    ),
    (
        stmt("shuffle", "v4f32", "v4f32", n="v", t="v2f32", mask=[-1, -1]),
        "%v = shufflevector <4 x float> %v4f32, <4 x float> %v4f32, <2 x i32> poison",
    ),
    # identity
    *(
        call(f"{what}.{axis}", [], "i32", f"i32 @llvm.amdgcn.{what}.id.{axis}()")
        for what in ("workitem", "workgroup")
        for axis in "xyz"
    ),
    call("mbcnt.lo", [["i32", "ffffffff"], "i32"], "i32", "i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 %i32)"),
    call("mbcnt.hi", ["i32", ["i32", "0"]], "i32", "i32 @llvm.amdgcn.mbcnt.hi(i32 %i32, i32 0)"),
    call("implicit.args", [], "p4", "ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()"),
    # memory
    (stmt("gep", "x", "i32", n="v", t="p1", e="f32"), "%v = getelementptr float, ptr addrspace(1) %x, i32 %i32"),
    (
        stmt("gep", "@s", ["i32", "4"], n="v", t="p3", e="v4f16", f=["inbounds"]),
        "%v = getelementptr inbounds <4 x half>, ptr addrspace(3) @k.s, i32 4",
    ),
    (stmt("gep", "k4", "i64", n="v", t="p4", e="i8"), "%v = getelementptr i8, ptr addrspace(4) %k4, i64 %i64"),
    (stmt("load", "x", n="v", t="v8f16", align=16), "%v = load <8 x half>, ptr addrspace(1) %x, align 16"),
    (
        stmt("load", "k4", n="v", t="i32", f=["invariant"], align=4),
        "%v = load i32, ptr addrspace(4) %k4, align 4, !invariant.load !2",
    ),
    (
        stmt("load", "x", n="v", t="i32", f=["invariant", "nontemporal"], align=4),
        "%v = load i32, ptr addrspace(1) %x, align 4, !invariant.load !2, !nontemporal !3",
    ),
    (stmt("store", "f32", "@s", align=4), "store float %f32, ptr addrspace(3) @k.s, align 4"),
    (
        stmt("store", ["i8", "80"], "y", f=["nontemporal"], align=1),
        "store i8 -128, ptr addrspace(1) %y, align 1, !nontemporal !2",
    ),
    call(
        *("rsrc", ["x", "i32"], "p8"),
        "ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.{rsrc}(ptr addrspace(1) %x, i16 0, {records}, i32 822099968)",
        flags=0x31004000,
    ),
    # atomics
    *(
        atomic(
            *(f"atomic.{op}", "y", "i32"),
            f'%v = atomicrmw {name} ptr addrspace(1) %y, i32 %i32 syncscope("agent") monotonic, align 4',
            *("monotonic", "agent"),
        )
        for op, name in [
            *((op, op) for op in ("add", "sub", "umin", "umax", "and", "or", "xor")),
            *(("smin", "min"), ("smax", "max"), ("exchange", "xchg")),
        ]
    ),
    atomic(
        *("atomic.exchange", "@s", "f64"),
        "%v = atomicrmw xchg ptr addrspace(3) @k.s, double %f64 acquire, align 8",
        *("acquire", "system"),
    ),
    *(
        atomic(
            *("atomic.compare", "@s", "i64"),
            '%v.pair = cmpxchg ptr addrspace(3) @k.s, i64 %i64, i64 %i64 syncscope("workgroup") '
            f"{order} {failure}, align 8\n  %v = extractvalue {{ i64, i1 }} %v.pair, 0",
            *(order, "workgroup"),
        )
        for order, failure in [
            *(("monotonic", "monotonic"), ("acquire", "acquire")),
            *(("release", "monotonic"), ("acq_rel", "acquire")),
        ]
    ),
    *(
        atomic(
            *(f"atomic.{op}", "y", "f32"),
            f'%v = atomicrmw {op} ptr addrspace(1) %y, float %f32 syncscope("agent") release, align 4'
            ", !amdgpu.no.fine.grained.memory !2",
            *("release", "agent"),
            f=["coarse"],
        )
        for op in ("fadd", "fmin", "fmax")
    ),
    atomic(
        *("atomic.fadd", "@s", "f64"),
        '%v = atomicrmw fadd ptr addrspace(3) @k.s, double %f64 syncscope("wavefront") monotonic, align 8',
        *("monotonic", "wavefront"),
    ),
    call(
        *("async.load.b32", ["x", "@s"], ""),
        "void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) %x, ptr addrspace(3) @k.s, i32 16, i32 1)",
        **{"offset": 16, "aux": 1},
    ),
    *(
        call(
            *(f"async.load.{width}", ["x", "@s"], ""),
            f"void @llvm.amdgcn.global.load.async.to.lds.{width}"
            "(ptr addrspace(1) %x, ptr addrspace(3) @k.s, i32 0, i32 0)",
            **{"offset": 0, "aux": 0},
        )
        for width in ("b64", "b128")
    ),
    call("wait.async", [], "", "void @llvm.amdgcn.s.wait.asynccnt(i16 63)", count=63),
    *(
        call(
            *(f"load.lds.b{8 * size}", ["x", "@s"], ""),
            "void @llvm.amdgcn.global.load.lds"
            f"(ptr addrspace(1) %x, ptr addrspace(3) @k.s, i32 {size}, i32 {offset}, i32 {aux})",
            **{"offset": offset, "aux": aux},
        )
        for size, offset, aux in ((4, 0, 0), (12, 4095, 1), (16, 16, 0))
    ),
    *(
        call("wait.load.lds", [], "", f"void @llvm.amdgcn.s.waitcnt(i32 {packed})", count=count)
        for count, packed in ((0, 0x0F70), (15, 0x0F7F), (16, 0x4F70), (63, 0xCF7F))
    ),
    # synchronisation
    call("barrier", [], "", "void @llvm.amdgcn.s.barrier()"),
    call("barrier.signal", [], "", "void @llvm.amdgcn.s.barrier.signal(i32 -1)"),
    call("barrier.wait", [], "", "void @llvm.amdgcn.s.barrier.wait(i16 -1)"),
    (stmt("fence", order="release", scope="workgroup"), 'fence syncscope("workgroup") release'),
    (stmt("fence", order="acquire", scope="agent"), 'fence syncscope("agent") acquire'),
    (stmt("fence", order="acq_rel", scope="wavefront"), 'fence syncscope("wavefront") acq_rel'),
    (stmt("fence", order="acq_rel", scope="system"), "fence acq_rel"),
    # wave, matrix, scheduling
    call("readfirstlane", ["i32"], "i32", "i32 @llvm.amdgcn.readfirstlane.i32(i32 %i32)"),
    call("readfirstlane", ["f32"], "f32", "float @llvm.amdgcn.readfirstlane.f32(float %f32)"),
    call("readlane", ["i32", "i32"], "i32", "i32 @llvm.amdgcn.readlane.i32(i32 %i32, i32 %i32)"),
    call("readlane", ["f32", ["i32", "3"]], "f32", "float @llvm.amdgcn.readlane.f32(float %f32, i32 3)"),
    call("bpermute", ["i32", ["i32", "4"]], "i32", "i32 @llvm.amdgcn.ds.bpermute(i32 %i32, i32 4)"),
    call("ballot.b32", [["i1", "1"]], "i32", "i32 @llvm.amdgcn.ballot.i32(i1 true)"),
    call("ballot.b64", [["i1", "0"]], "i64", "i64 @llvm.amdgcn.ballot.i64(i1 false)"),
    call("wmma.f32.16x16x32.f16", ["v16f16", "v16f16", "v8f32"], "v8f32", "{wmma f16 half}"),
    call("wmma.f32.16x16x32.bf16", ["v16bf16", "v16bf16", "v8f32"], "v8f32", "{wmma bf16 bfloat}"),
    matrix(
        *("wmma.f32.16x16x16.f16", "v16f16", "v8f32"),
        "<8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16"
        "(<16 x half> {zero}, <16 x half> {zero}, <8 x float> {zero})",
    ),
    matrix(
        *("wmma.f32.16x16x16.bf16", "v16i16", "v8f32"),
        "<8 x float> @llvm.amdgcn.wmma.f32.16x16x16.bf16.v8f32.v16i16"
        "(<16 x i16> {zero}, <16 x i16> {zero}, <8 x float> {zero})",
    ),
    matrix(
        *("mfma.f32.32x32x16.f16", "v8f16", "v16f32"),
        "<16 x float> @llvm.amdgcn.mfma.f32.32x32x16.f16"
        "(<8 x half> {zero}, <8 x half> {zero}, <16 x float> {zero}, i32 0, i32 0, i32 0)",
    ),
    matrix(
        *("mfma.f32.32x32x16.bf16", "v8bf16", "v16f32"),
        "<16 x float> @llvm.amdgcn.mfma.f32.32x32x16.bf16"
        "(<8 x bfloat> {zero}, <8 x bfloat> {zero}, <16 x float> {zero}, i32 0, i32 0, i32 0)",
    ),
    *(
        matrix(
            *(f"mfma.f32.32x32x16.{pair}", "i64", "v16f32"),
            f"<16 x float> @llvm.amdgcn.mfma.f32.32x32x16.{pair}"
            "(i64 0, i64 0, <16 x float> {zero}, i32 0, i32 0, i32 0)",
        )
        for pair in PAIRS
    ),
    *(
        matrix(
            *(f"mfma.f32.16x16x32.{kind}", f"v8{kind}", "v4f32"),
            f"<4 x float> @llvm.amdgcn.mfma.f32.16x16x32.{kind}"
            f"(<8 x {word}> {{zero}}, <8 x {word}> {{zero}}, <4 x float> {{zero}}, i32 0, i32 0, i32 0)",
        )
        for kind, word in (("f16", "half"), ("bf16", "bfloat"))
    ),
    matrix(
        *("mfma.i32.32x32x32.i8", "v4i32", "v16i32"),
        "<16 x i32> @llvm.amdgcn.mfma.i32.32x32x32.i8"
        "(<4 x i32> {zero}, <4 x i32> {zero}, <16 x i32> {zero}, i32 0, i32 0, i32 0)",
    ),
    *(
        matrix(
            *(op, f"v{n}i32", "v8i32"),
            f"<8 x i32> @llvm.amdgcn.{op.removesuffix('.gfx12')}.v8i32.v{n}i32(i1 {signs[0]}, <{n} x i32> {{zero}}, "
            f"i1 {signs[1]}, <{n} x i32> {{zero}}, <8 x i32> {{zero}}, {tail})",
            signed_a=int(signs[0] == "true"),
            signed_b=int(signs[1] == "true"),
        )
        for op, n, tail in (
            ("wmma.i32.16x16x16.iu8", 4, "i1 false"),
            ("wmma.i32.16x16x16.iu8.gfx12", 2, "i1 false"),
            ("wmma.i32.16x16x64.iu8", 8, "i1 false, i1 false, i1 false"),
        )
        for signs in (("true", "true"), ("false", "true"), ("true", "false"))
    ),
    *(
        matrix(
            *(f"wmma.f32.16x16x16.{kind}.gfx12", f"v8{name}", "v8f32"),
            f"<8 x float> @llvm.amdgcn.wmma.f32.16x16x16.{kind}.v8f32.v8{name}"
            f"(<8 x {word}> {{zero}}, <8 x {word}> {{zero}}, <8 x float> {{zero}})",
        )
        for kind, name, word in (("f16", "f16", "half"), ("bf16", "i16", "i16"))
    ),
    *(
        matrix(
            *(f"wmma.f32.16x16x16.{pair}", "v2i32", "v8f32"),
            f"<8 x float> @llvm.amdgcn.wmma.f32.16x16x16.{pair}.v8f32.v2i32"
            "(<2 x i32> {zero}, <2 x i32> {zero}, <8 x float> {zero})",
        )
        for pair in PAIRS
    ),
    *(
        matrix(
            *(f"wmma.f32.16x16x64.{pair}", "v8i32", "v8f32"),
            f"<8 x float> @llvm.amdgcn.wmma.f32.16x16x64.{pair}.v8f32.v8i32"
            "(<8 x i32> {zero}, <8 x i32> {zero}, i16 0, <8 x float> {zero}, i1 false, i1 false)",
        )
        for pair in PAIRS
    ),
    call("opaque", ["f32"], "f32", 'float asm sideeffect "", "=v,0"(float %f32)', register="v"),
    call("opaque", ["i32"], "i32", 'i32 asm sideeffect "", "=s,0"(i32 %i32)', register="s"),
    call("sched.barrier", [], "", "void @llvm.amdgcn.sched.barrier(i32 2047)", mask=2047),
    call("setprio", [], "", "void @llvm.amdgcn.s.setprio(i16 3)", priority=3),
    # diagnosis
    call("trap", [], "", "void @llvm.trap()"),
]
#: These need a resource; the rest is below.
BUFFER_ROWS: list[Row] = [
    call(
        *("buffer.load", ["r", "i32", ["i32", "10"]], "v4f32"),
        "<4 x float> @llvm.amdgcn.raw.ptr.buffer.load.v4f32(ptr addrspace(8) %r, i32 %i32, i32 16, i32 0)",
        aux=0,
    ),
    call(
        *("buffer.store", ["f16", "r", "i32", "i32"], ""),
        "void @llvm.amdgcn.raw.ptr.buffer.store.f16(half %f16, ptr addrspace(8) %r, i32 %i32, i32 %i32, i32 3)",
        aux=3,
    ),
]

# What the flavors do differently; the rest of every line is the same in all.
OLD = {"{splat}": "<i32 7, i32 7, i32 7, i32 7>", "{rsrc}": "p1", "{records}": "i32 %i32", "{all}": "", "{nan}": ""}
NEW = {**OLD, "{splat}": "splat (i32 7)", "{rsrc}": "p8.p1", "{records}": "i64 %v.n"}
OF_21 = {**NEW, "{records}": "i32 %i32"}
OF_23 = {**NEW, "{all}": "/* (all) */ ", "{nan}": "/* (nan) */ "}
for _kind, _word in (("f16", "half"), ("bf16", "bfloat")):
    _a = f"<16 x {_word}> %v16{_kind}"
    _head = f"<8 x float> @llvm.amdgcn.wmma.f32.16x16x32.{_kind}.v8f32.v16{_kind}"
    _tail = "i16 0, <8 x float> %v8f32, i1 false, i1 false)"
    NEW[f"{{wmma {_kind} {_word}}}"] = f"{_head}(i1 false, {_a}, i1 false, {_a}, {_tail}"
    OF_23[f"{{wmma {_kind} {_word}}}"] = f"{_head}({_a}, {_a}, {_tail}"
OF_24 = {**OF_23, "{rsrc}": "p8.p1.i64"}
OF_20 = {**OLD, "{splat}": NEW["{splat}"]}
FORMS = {"llvm19": OLD, "llvm20": OF_20, "llvm21": OF_21, "llvm22": NEW, "llvm23": OF_23, "llvm24": OF_24}
TESTED = [name for name in flavor_names() if name in FORMS]
RESOURCE = stmt("rsrc", "x", "i32", n="r", t="p8", flags=0)


def lines_of(source: str, flavor: str) -> list[str]:
    return emit(source, load_flavor(str(FLAVORS / f"{flavor}.json"))).splitlines()


@pytest.mark.parametrize("flavor", TESTED)
@pytest.mark.parametrize(
    "statement, line", [*ROWS, *BUFFER_ROWS], ids=lambda row: row.get("op") if isinstance(row, dict) else ""
)
def test_line(statement: dict[str, Any], line: str, flavor: str) -> None:
    table = load_flavor(str(FLAVORS / f"{flavor}.json"))
    if table.lacks(statement["op"]):
        pytest.skip(f"{flavor} has no {statement['op']}")
    for form, written in FORMS[flavor].items():
        line = line.replace(form, written)
    before = [RESOURCE] if statement in [row[0] for row in BUFFER_ROWS] else []
    lines = lines_of(text(*before, statement, target=target_of(statement["op"])), flavor)
    expected = ("  " + line).splitlines()
    at = lines.index(expected[0])
    assert lines[at : at + len(expected) + 1] == [*expected, "  ret void"]
    if statement["op"] == "rsrc" and "i64" in FORMS[flavor]["{records}"]:
        assert lines[at - 1] == "  %v.n = zext i32 %i32 to i64"


def test_every_operation_has_a_line() -> None:
    regions = {"if", "for", "assert"}  # test_contract.py
    assert {row[0]["op"] for row in [*ROWS, *BUFFER_ROWS]} | regions == set(OPS)


def test_the_recorded_flavors_are_tested() -> None:
    assert set(TESTED) == set(FORMS)
