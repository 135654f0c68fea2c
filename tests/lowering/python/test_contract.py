# SPDX-License-Identifier: MIT
"""docs/ir_text_contract.md, clause by clause: exact text in the recorded flavors and in the styles of newer ones."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest

from kernels import FLAVORS, ROOT, flavor_names, flavor_table, stmt, text
from twinir_emit import Flavor, Refusal, emit, load_flavor

RECORDED = [load_flavor(str(FLAVORS / f"{name}.json")) for name in flavor_names()]
BY_NAME = {flavor.name: flavor for flavor in RECORDED}
every_flavor = pytest.mark.parametrize("flavor", RECORDED, ids=lambda flavor: flavor.name)

I1 = ["i1", "1"]
NO_PARAMS: dict[str, Any] = {"params": [], "lds": []}


def styled(name: str, **style: Any) -> Flavor:
    """A recorded flavor with another style."""
    table = copy.deepcopy(flavor_table(name))
    table["style"].update(style)
    return Flavor(table)


def lines_of(flavor: Flavor, *body: Any, **changes: Any) -> list[str]:
    return emit(text(*body, **changes), flavor).splitlines()


def function_of(flavor: Flavor, *body: Any, **changes: Any) -> list[str]:
    """The lines from the first label to the return."""
    lines = lines_of(flavor, *body, **changes)
    return lines[lines.index("entry:") : lines.index("}")]


def loop(name: str = "l", counter: str = "i", *body: Any, carry: Any = (), **others: Any) -> dict[str, Any]:
    entries = [[counter, ["i32", "0"], counter + ".next"], *carry]
    return stmt("for", ["i32", "0"], "i32", ["i32", "1"], n=name, carry=entries, body=list(body), **others)


@every_flavor
def test_c01_module(flavor: Flavor) -> None:
    table = flavor_table(flavor.name)
    assert lines_of(flavor, name="my_kernel", target="gfx950", **NO_PARAMS)[:6] == [
        "; ModuleID = 'my_kernel'",
        'source_filename = "my_kernel"',
        f'target datalayout = "{table["datalayout"]}"',
        f'target triple = "{table["targets"]["gfx950"]["triple"]}"',
        "",
        "; Function Attrs: mustprogress norecurse nounwind willreturn",
    ]


@every_flavor
def test_c02_lds(flavor: Flavor) -> None:
    lds = [{"n": "a", "t": "f32", "count": 256, "align": 16}, {"n": "b", "t": "v8f16", "count": 3, "align": 1}]
    assert lines_of(flavor, name="q", lds=lds)[4:8] == [
        "",
        "@q.a = internal addrspace(3) global [256 x float] poison, align 16",
        "@q.b = internal addrspace(3) global [3 x <8 x half>] poison, align 1",
        "",
    ]


@every_flavor
def test_c03_function_order(flavor: Flavor) -> None:
    body = [
        stmt("barrier"),
        stmt("sqrt", "f32", n="a", t="f32"),
        stmt("sqrt", "f64", n="b", t="f64"),
        stmt("barrier"),
        stmt("sqrt", "a", n="c", t="f32"),
        stmt("workitem.x", n="d", t="i32"),
    ]
    lines = [line for line in lines_of(flavor, *body) if line.startswith(("define", "declare"))]
    symbols = [re.search(r"@([\w.]+)\(", line)[1] for line in lines]  # type: ignore[index]
    assert symbols == ["k", "llvm.amdgcn.s.barrier", "llvm.sqrt.f32", "llvm.sqrt.f64", "llvm.amdgcn.workitem.id.x"]


@every_flavor
@pytest.mark.parametrize("waves", [0, 2])
def test_c04_kernel(flavor: Flavor, waves: int) -> None:
    lines = lines_of(flavor, block=[32, 4, 2], waves_per_eu=waves, target="gfx1201", **NO_PARAMS)
    assert "define amdgpu_kernel void @k() #0 !reqd_work_group_size !1 {" in lines
    hint = f'"amdgpu-waves-per-eu"="{waves}" ' if waves else ""
    assert (
        'attributes #0 = { mustprogress norecurse nounwind willreturn "amdgpu-flat-work-group-size"="256,256" '
        + hint
        + '"target-cpu"="gfx1201" "uniform-work-group-size"="true" }'
    ) in lines
    assert lines[-4:] == [
        "!llvm.module.flags = !{!0}",
        "",
        '!0 = !{i32 1, !"amdhsa_code_object_version", i32 600}',
        "!1 = !{i32 32, i32 4, i32 2}",
    ]


PARAM_FORM = "noalias noundef{kind} align {align} captures(none){deref}"
PARAM_FORMS = {
    "llvm19": "noalias nocapture noundef{kind} align {align}{deref}",
    **dict.fromkeys(("llvm21", "llvm22", "llvm23", "llvm24"), PARAM_FORM),
    "llvm20": "noalias nocapture noundef{kind} align {align}{deref}",
}


@pytest.mark.parametrize("name", sorted(PARAM_FORMS))
@pytest.mark.parametrize("kind, word", [("in", " readonly"), ("out", " writeonly"), ("inout", "")])
@pytest.mark.parametrize("deref", [0, 1 << 33])
def test_c05_parameters(name: str, kind: str, word: str, deref: int) -> None:
    params = [{"n": "a", "t": "f32", "k": "value"}, {"n": "p", "t": "p1", "k": kind, "align": 64, "deref": deref}]
    promise = f" dereferenceable({deref})" if deref else ""
    attributes = PARAM_FORMS[name].format(kind=word, align=64, deref=promise)
    line = next(line for line in lines_of(BY_NAME[name], params=params, lds=[]) if line.startswith("define"))
    assert line.startswith(f"define amdgpu_kernel void @k(float noundef %a, ptr addrspace(1) {attributes} %p) #0")


@every_flavor
def test_c06_attribute_groups(flavor: Flavor) -> None:
    body = [
        stmt("barrier"),
        stmt("workitem.x", n="a", t="i32"),
        stmt("workitem.y", n="b", t="i32"),
        stmt("sched.barrier", mask=0),
    ]
    lines = lines_of(flavor, *body)
    declares = {at: line for at, line in enumerate(lines) if line.startswith("declare")}
    numbers = [int(line.rsplit("#", 1)[1]) for line in declares.values()]
    assert numbers == [1, 2, 2, 1]  # in order of first use, equal ones shared
    groups = dict(re.findall(r"^attributes #(\d+) = \{ (.*) \}$", "\n".join(lines), re.M))
    assert list(groups) == ["0", "1", "2"]
    for at, line in declares.items():
        assert lines[at - 1] == "; Function Attrs: " + groups[line.rsplit("#", 1)[1]]
        assert lines[at - 2] == ""


def test_c06_no_comment_without_attributes() -> None:
    table = copy.deepcopy(flavor_table("llvm22"))
    table["intrinsics"]["barrier"].update(comment="", group="")
    table["intrinsics"]["setprio"].update(comment="")
    lines = lines_of(Flavor(table), stmt("barrier"), stmt("setprio", priority=0))
    at = lines.index("declare void @llvm.amdgcn.s.barrier()")
    assert lines[at - 2 : at + 3] == ["}", "", lines[at], "", "declare void @llvm.amdgcn.s.setprio(i16 immarg) #1"]


@every_flavor
def test_c07_names(flavor: Flavor) -> None:
    inner = stmt("if", I1, n="c", body=[], orelse=[])
    text_lines = function_of(flavor, loop("L", "count", inner), stmt("rsrc", "x", "i32", n="r", t="p8", flags=0))
    labels = [line.split(":")[0] for line in text_lines if re.match(r"[\w.]+:", line)]
    assert labels == ["entry", "L.head", "L.body", "c.then", "c.else", "c.end", "L.end"]
    values = re.findall(r"^  %([\w.]+) = ", "\n".join(text_lines), re.M)
    assert values == ["count", "L.cond", "count.next", *(["r.n"] if counts_in_i64(flavor.name) else []), "r"]


def counts_in_i64(name: str) -> bool:
    """Does make.buffer.rsrc take the number of its records as an i64?"""
    return "i64" in flavor_table(name)["intrinsics"]["rsrc"]["params"]


def at_50(label: str, predecessors: str) -> str:
    return f"{label}:".ljust(50) + f"; preds = {predecessors}"


@every_flavor
def test_c08_if_without_else(flavor: Flavor) -> None:
    assert function_of(flavor, stmt("if", I1, n="c", body=[stmt("fence", order="release", scope="system")])) == [
        "entry:",
        "  br i1 true, label %c.then, label %c.end",
        "",
        at_50("c.then", "%entry"),
        "  fence release",
        "  br label %c.end",
        "",
        at_50("c.end", "%c.then, %entry"),
        "  ret void",
    ]


@every_flavor
def test_c08_if_with_results(flavor: Flavor) -> None:
    neg = stmt("fneg", "f64", n="d", t="f64")
    results = [["r", "f64", "d", "f64"], ["q", "v2i32", ["v2i32", "poison"], ["v2i32", "1", "2"]]]
    nested = stmt("if", I1, n="in", body=[])
    assert function_of(flavor, stmt("if", I1, n="c", results=results, body=[neg, nested], orelse=[])) == [
        "entry:",
        "  br i1 true, label %c.then, label %c.else",
        "",
        at_50("c.then", "%entry"),
        "  %d = fneg double %f64",
        "  br i1 true, label %in.then, label %in.end",
        "",
        at_50("in.then", "%c.then"),
        "  br label %in.end",
        "",
        at_50("in.end", "%in.then, %c.then"),
        "  br label %c.end",
        "",
        at_50("c.else", "%entry"),
        "  br label %c.end",
        "",
        at_50("c.end", "%c.else, %in.end"),
        "  %r = phi double [ %d, %in.end ], [ %f64, %c.else ]",
        "  %q = phi <2 x i32> [ poison, %in.end ], [ <i32 1, i32 2>, %c.else ]",
        "  ret void",
    ]


@every_flavor
def test_c08_for(flavor: Flavor) -> None:
    carry = [["s", ["i32", "5"], "s2"], ["p", "x", "y"]]
    statement = loop("l", "i", stmt("add", "s", "i", n="s2", t="i32"), stmt("if", I1, n="c", body=[]), carry=carry)
    assert function_of(flavor, statement, stmt("sub", "s", "i", n="z", t="i32")) == [
        "entry:",
        "  br label %l.head",
        "",
        at_50("l.head", "%c.end, %entry"),
        "  %i = phi i32 [ 0, %entry ], [ %i.next, %c.end ]",
        "  %s = phi i32 [ 5, %entry ], [ %s2, %c.end ]",
        "  %p = phi ptr addrspace(1) [ %x, %entry ], [ %y, %c.end ]",
        "  %l.cond = icmp slt i32 %i, %i32",
        "  br i1 %l.cond, label %l.body, label %l.end",
        "",
        at_50("l.body", "%l.head"),
        "  %s2 = add i32 %s, %i",
        "  br i1 true, label %c.then, label %c.end",
        "",
        at_50("c.then", "%l.body"),
        "  br label %c.end",
        "",
        at_50("c.end", "%c.then, %l.body"),
        "  %i.next = add i32 %i, 1",
        "  br label %l.head",
        "",
        at_50("l.end", "%l.head"),
        "  %z = sub i32 %s, %i",
        "  ret void",
    ]


@every_flavor
def test_c08_for_with_an_i64_counter(flavor: Flavor) -> None:
    statement = stmt("for", "i64", "i64", "i64", n="l", carry=[["i", "i64", "i.next"]], body=[])
    lines = function_of(flavor, statement)
    assert "  %i = phi i64 [ %i64, %entry ], [ %i.next, %l.body ]" in lines
    assert "  %l.cond = icmp slt i64 %i, %i64" in lines
    assert "  %i.next = add i64 %i, %i64" in lines


@every_flavor
@pytest.mark.parametrize("length", [1, 40, 43, 44, 45, 46, 100, 200])
def test_c09_predecessors(flavor: Flavor, length: int) -> None:
    name = "c" * length
    label = f"{name}.then:"
    blanks = " " * max(50 - len(label), 1)
    assert f"{label}{blanks}; preds = %entry" in function_of(flavor, stmt("if", I1, n=name, body=[]))


METADATA_BODY = [
    stmt("load", "x", n="a", t="f32", f=["invariant", "nontemporal"], align=4),
    loop("l1", "i1", f=["nounroll"]),
    loop("l2", "i2", f=["nounroll"]),
    loop("l3", "i3"),
    stmt("store", "f32", "y", f=["nontemporal"], align=4),
    stmt("load", "x", n="b", t="f32", f=["invariant"], align=4),
]


def attachments(lines: list[str]) -> list[str]:
    return [found for line in lines if line.startswith("  ") for found in re.findall(r"!([\w.]+ !\d+)", line)]


@pytest.mark.parametrize("name", flavor_names())
@pytest.mark.parametrize("order, loop_one, loop_two", [("preorder", (4, 5), (6, 5)), ("postorder", (5, 4), (6, 4))])
def test_c10_metadata(name: str, order: str, loop_one: tuple[int, int], loop_two: tuple[int, int]) -> None:
    lines = lines_of(styled(name, metadata=order), *METADATA_BODY)
    loops = [f"llvm.loop !{loop_one[0]}", f"llvm.loop !{loop_two[0]}"]
    expected = ["invariant.load !2", "nontemporal !3", *loops, "nontemporal !3", "invariant.load !2"]
    assert attachments(lines) == expected
    nodes = {
        0: '!{i32 1, !"amdhsa_code_object_version", i32 600}',
        1: "!{i32 64, i32 1, i32 1}",
        2: "!{}",
        3: "!{i32 1}",
        loop_one[1]: '!{!"llvm.loop.unroll.disable"}',
        **{loop: f"distinct !{{!{loop}, !{option}}}" for loop, option in (loop_one, loop_two)},
    }
    assert lines[-7:] == [f"!{number} = {node}" for number, node in sorted(nodes.items())]


CONSTANTS = [
    # constant, style hex without splat, style hex with splat, style decimal
    (["i32", "ffffffff"], "-1", "-1", "-1"),
    (["i1", "1"], "true", "true", "true"),
    (["i8", "80"], "-128", "-128", "-128"),
    (["i64", "8000000000000000"], "-9223372036854775808", "-9223372036854775808", "-9223372036854775808"),
    (["f16", "3c00"], "0xH3C00", "0xH3C00", "1.000000e+00"),
    (["bf16", "3dcd"], "0xR3DCD", "0xR3DCD", "1.000980e-01"),
    (["f32", "3dcccccd"], "0x3FB99999A0000000", "0x3FB99999A0000000", "1.000000e-01"),
    (["f32", "40490fdb"], "0x400921FB60000000", "0x400921FB60000000", "f0x40490FDB"),
    (["f32", "ff800000"], "0xFFF0000000000000", "0xFFF0000000000000", "-inf"),
    (["f32", "80000000"], "-0.000000e+00", "-0.000000e+00", "-0.000000e+00"),
    (["f32", "7fc00000"], "0x7FF8000000000000", "0x7FF8000000000000", "+qnan"),
    (["f32", "7fa00000"], "0x7FF4000000000000", "0x7FF4000000000000", "+snan(0x200000)"),
    (["f32", "ffc00055"], "0xFFF8000AA0000000", "0xFFF8000AA0000000", "-nan(0x55)"),
    (["f16", "7c01"], "0xH7C01", "0xH7C01", "+snan(0x1)"),
    (["bf16", "7fc0"], "0xR7FC0", "0xR7FC0", "+qnan"),
    (["f64", "fff8000000000000"], "0xFFF8000000000000", "0xFFF8000000000000", "-qnan"),
    (["v2f16", "7e00"], "<half 0xH7E00, half 0xH7E00>", "splat (half 0xH7E00)", "splat (half +qnan)"),
    (["f64", "3ff8000000000000"], "1.500000e+00", "1.500000e+00", "1.500000e+00"),
    (["f32", "poison"], "poison", "poison", "poison"),
    (["v2f32", "poison"], "poison", "poison", "poison"),
    (["v2f32", "0"], "zeroinitializer", "zeroinitializer", "zeroinitializer"),
    (["v2i32", "7"], "<i32 7, i32 7>", "splat (i32 7)", "splat (i32 7)"),
    (["v2i1", "1"], "<i1 true, i1 true>", "splat (i1 true)", "splat (i1 true)"),
    (
        ["v2f16", "3c00", "0"],
        "<half 0xH3C00, half 0xH0000>",
        "<half 0xH3C00, half 0xH0000>",
        "<half 1.000000e+00, half 0.000000e+00>",
    ),
    (
        ["v2f32", "80000000"],
        "<float -0.000000e+00, float -0.000000e+00>",
        "splat (float -0.000000e+00)",
        "splat (float -0.000000e+00)",
    ),
]


@pytest.mark.parametrize("constant, plain, splat, decimal", CONSTANTS)
def test_c11_constants(constant: list[str], plain: str, splat: str, decimal: str) -> None:
    kind = constant[0]
    statement = stmt("select", I1, constant, constant, n="v", t=kind)
    for flavor, expected in (
        (styled("llvm22", float="hex", splat=False), plain),
        (styled("llvm22", float="hex", splat=True), splat),
        (styled("llvm22", float="decimal", splat=True), decimal),
    ):
        line = next(line for line in lines_of(flavor, statement) if line.startswith("  %v = "))
        assert line.endswith(f" {expected}"), line
        assert line.count(expected) >= 2


@pytest.mark.parametrize(
    "name, written",
    [
        ("llvm19", "<half 0xH3C00, half 0xH3C00>"),
        ("llvm21", "splat (half 0xH3C00)"),
        ("llvm22", "splat (half 0xH3C00)"),
        ("llvm23", "splat (half 1.000000e+00)"),
        ("llvm24", "splat (half 1.000000e+00)"),
    ],
)
def test_c11_styles_of_the_recorded_flavors(name: str, written: str) -> None:
    line = function_of(BY_NAME[name], stmt("fneg", ["v2f16", "3c00"], n="v", t="v2f16"))[1]
    assert line == "  %v = fneg <2 x half> " + written


CLASSES = [(0, "none"), (3, "nan"), (1, "snan"), (2, "qnan"), (0x204, "inf"), (0x3FF, "all"), (0x208, "pinf nnorm")]


@pytest.mark.parametrize("name", ["llvm23", "llvm24"])
@pytest.mark.parametrize("mask, words", CLASSES)
def test_c12_comments_of_immediates(name: str, mask: int, words: str) -> None:
    line = function_of(BY_NAME[name], stmt("classify", "f32", n="c", t="i1", mask=mask))[1]
    assert line == f"  %c = call i1 @llvm.is.fpclass.f32(float %f32, /* ({words}) */ i32 {mask})"


@every_flavor
def test_c12_calls(flavor: Flavor) -> None:
    lines = function_of(flavor, stmt("ctlz", "i32", n="a", t="i32"), stmt("barrier.signal"), stmt("barrier.wait"))
    assert lines[1:4] == [
        "  %a = call i32 @llvm.ctlz.i32(i32 %i32, i1 false)",
        "  call void @llvm.amdgcn.s.barrier.signal(i32 -1)",  # the group's own barrier
        "  call void @llvm.amdgcn.s.barrier.wait(i16 -1)",
    ]


@pytest.mark.parametrize("records, written", [("i32", "%i32"), (["i32", "ffffffff"], "-1")])
def test_c13_buffer_resources(records: Any, written: str) -> None:
    statement = stmt("rsrc", "x", records, n="r", t="p8", flags=0xFFFFFFFF)
    call = "  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc"
    assert function_of(BY_NAME["llvm19"], statement)[1:-1] == [
        f"{call}.p1(ptr addrspace(1) %x, i16 0, i32 {written}, i32 -1)"
    ]
    assert function_of(BY_NAME["llvm21"], statement)[1:-1] == [
        f"{call}.p8.p1(ptr addrspace(1) %x, i16 0, i32 {written}, i32 -1)"
    ]
    for name, types in (("llvm22", "p8.p1"), ("llvm23", "p8.p1"), ("llvm24", "p8.p1.i64")):
        assert function_of(BY_NAME[name], statement)[1:-1] == [
            f"  %r.n = zext i32 {written} to i64",
            f"{call}.{types}(ptr addrspace(1) %x, i16 0, i64 %r.n, i32 -1)",
        ]


@every_flavor
@pytest.mark.parametrize("order", ["acquire", "release", "acq_rel"])
def test_c14_fences(flavor: Flavor, order: str) -> None:
    for scope in ("workgroup", "agent", "wavefront"):
        assert f'  fence syncscope("{scope}") {order}' in lines_of(flavor, stmt("fence", order=order, scope=scope))
    assert f"  fence {order}" in lines_of(flavor, stmt("fence", order=order, scope="system"))


@every_flavor
@pytest.mark.parametrize("register", ["v", "s"])
def test_c15_opaque(flavor: Flavor, register: str) -> None:
    line = function_of(flavor, stmt("opaque", "v4f32", n="v", t="v4f32", register=register))[1]
    assert line == f'  %v = call <4 x float> asm sideeffect "", "={register},0"(<4 x float> %v4f32)'


def test_c16_refusals() -> None:
    wait = stmt("wait.async", count=0)
    copy_ = stmt("async.load.b64", "x", "@s", offset=0, aux=0)
    first_in_a_body = stmt("if", I1, n="c", body=[copy_], orelse=[])
    with pytest.raises(Refusal) as refusal:
        emit(text(first_in_a_body, wait, name="late"), BY_NAME["llvm19"])
    assert refusal.value.as_dict() == {
        "code": "TIR3001",
        "found": "operation 'async.load.b64' in kernel 'late'",
        "expected": "an operation that flavor llvm19 has",
        "action": "choose a flavor that has it (docs/flavors.md), or a spec that does not need it",
    }
    contract = " ".join((ROOT / "docs" / "ir_text_contract.md").read_text(encoding="utf-8").split())
    for part in (
        "operation '<op>' in kernel '<kernel>'",
        "an operation that flavor <flavor> has",
        refusal.value.action,
    ):
        assert f"`{part}`" in contract


def test_c16_a_kernel_that_is_wrong_is_refused_for_that() -> None:
    with pytest.raises(Refusal) as refusal:
        emit(text(stmt("wait.async", count=99)), BY_NAME["llvm19"])
    assert refusal.value.code == "TIR1013"


@every_flavor
@pytest.mark.parametrize("body", [[], METADATA_BODY, [stmt("barrier")]])
def test_c17_end(flavor: Flavor, body: list[Any]) -> None:
    written = emit(text(*body), flavor)
    assert written.endswith("}\n")
    assert not written.endswith("\n\n")
    assert written.isascii()
    assert "\r" not in written
    assert all(line == line.rstrip() for line in written.splitlines())


@every_flavor
def test_c18_atomics(flavor: Flavor) -> None:
    kept = stmt("atomic.fadd", "y", "f32", n="v", t="f32", f=["coarse"], order="acq_rel", scope="agent")
    lines = function_of(flavor, kept, stmt("load", "x", n="w", t="f32", f=["invariant"], align=4))
    place = 'ptr addrspace(1) %y, float %f32 syncscope("agent") acq_rel, align 4'
    assert lines[1] == f"  %v = atomicrmw fadd {place}, !amdgpu.no.fine.grained.memory !2"
    assert lines[2].endswith(", align 4, !invariant.load !2")


@every_flavor
def test_c19_assertions(flavor: Flavor) -> None:
    body = (stmt("assert", ["i1", "0"], n="sure"), stmt("trap"))
    assert function_of(flavor, *body) == [
        "entry:",
        "  br i1 false, label %sure.end, label %sure.fail",
        "",
        at_50("sure.fail", "%entry"),
        "  call void @llvm.trap()",
        "  br label %sure.end",
        "",
        at_50("sure.end", "%sure.fail, %entry"),
        "  call void @llvm.trap()",
        "  ret void",
    ]
    assert emit(text(*body), flavor).count("declare void @llvm.trap()") == 1


def test_every_clause_has_a_test() -> None:
    clauses = re.findall(r"^\*\*C(\d+) ", (ROOT / "docs" / "ir_text_contract.md").read_text(encoding="utf-8"), re.M)
    tested = {int(name[6:8]) for name in globals() if re.match(r"test_c\d\d_", name)}
    assert tested == {int(clause) for clause in clauses}
