# SPDX-License-Identifier: MIT
"""Flavor files that are not of the format are refused with TIR3003, before anything is emitted."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kernels import FLAVORS, flavor_names, flavor_table, stmt, target_of, text
from twinir_emit import Flavor, Refusal, emit, load_flavor

Table = dict[str, Any]
TABLE = flavor_table(flavor_names()[-1])


def changed(change: Callable[[Table], Any]) -> Table:
    table = copy.deepcopy(TABLE)
    change(table)
    return table


def fma(**changes: Any) -> Callable[[Table], Any]:
    return lambda table: table["intrinsics"]["fma"].update(changes)


BAD: list[Any] = [
    [],
    None,
    {},
    changed(lambda t: t.update(schema="twinir-flavor-2")),
    changed(lambda t: t.update(extra=1)),
    changed(lambda t: t.pop("params")),
    changed(lambda t: t.update(datalayout=1)),
    changed(lambda t: t["targets"].pop("gfx950")),
    changed(lambda t: t["targets"]["gfx950"].pop("triple")),
    changed(lambda t: t["targets"]["gfx950"].update(known=1)),
    changed(lambda t: t["style"].update(float="octal")),
    changed(lambda t: t["style"].update(metadata="random")),
    changed(lambda t: t["style"].update(splat="yes")),
    changed(lambda t: t["kernel"].pop("waves")),
    changed(lambda t: t["kernel"]["plain"].update(group="{waves}")),
    changed(lambda t: t["kernel"]["plain"].update(comment="{items}")),
    changed(lambda t: t["params"].pop("in")),
    changed(lambda t: t["params"].update({"value": "align {align}"})),
    changed(lambda t: t["params"].update({"in": "{deref}"})),
    changed(lambda t: t["intrinsics"].update({"no.such.op": None})),
    changed(lambda t: t["intrinsics"].update(fma=7)),
    changed(fma(symbol="llvm.fma.{m1}")),
    changed(fma(symbol="llvm.fmb.{m0}")),
    changed(fma(params=["{t0}", "{t0}"])),
    changed(fma(params="{t0}")),
    changed(fma(immediate=[False, False])),
    changed(fma(immediate=[False, False, True])),
    changed(fma(immediate=[0, 0, 0])),
    changed(fma(overloads=[])),
    changed(fma(overloads=["3"])),
    changed(fma(overloads=["x"])),
    changed(fma(ret="float")),
    changed(fma(declare="declare {t0} @llvm.fma.{m0}({t0}, {t0})")),
    changed(fma(comment=None)),
    changed(fma(immediate_comment=None)),
    changed(fma(immediate_comment={"open": "", "close": "", "none": ""})),
    changed(fma(immediate_comment={"open": 1, "close": "", "none": "", "words": []})),
    changed(fma(immediate_comment={"open": "", "close": "", "none": "", "words": [[1]]})),
    changed(fma(immediate_comment={"open": "", "close": "", "none": "", "words": [[0, "zero"]]})),
    changed(fma(immediate_comment={"open": "", "close": "", "none": "", "words": [["1", "one"]]})),
    changed(fma(immediate_comment={"open": "", "close": "", "none": "", "words": [[True, "one"]]})),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_refused(number: int) -> None:
    with pytest.raises(Refusal) as refusal:
        Flavor(BAD[number])
    assert refusal.value.code == "TIR3003"


@pytest.mark.parametrize("name", flavor_names())
def test_recorded_files_are_good(name: str) -> None:
    assert load_flavor(str(FLAVORS / f"{name}.json")).name == name


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[" * 100000])
def test_no_json(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "flavor.json"
    path.write_bytes(data)
    with pytest.raises(Refusal) as refusal:
        load_flavor(str(path))
    assert refusal.value.code == "TIR3003"


def test_a_missing_file_is_another_fault(tmp_path: Path) -> None:
    with pytest.raises(Refusal) as refusal:
        load_flavor(str(tmp_path / "none.json"))
    assert refusal.value.code == "TIR7002"


MISFITS = {
    "fma": {"params": ["{t0}"] * 2, "immediate": [False] * 2, "declare": "declare {t0} @llvm.fma.{m0}({t0}, {t0})"},
    "rsrc": {"params": ["i32"], "immediate": [False]},
    "barrier.signal": {"params": ["float"], "immediate": [True]},
    "setprio": {"params": ["i16", "i16"], "immediate": [False, True]},
    "sched.barrier": {"overloads": ["r"]},
    "wait.async": {"params": [], "immediate": []},
    "load.lds.b96": {"params": ["ptr addrspace(1)", "ptr addrspace(3)", "i32"], "immediate": [False, False, True]},
    "wait.load.lds": {"params": ["i32", "i32"], "immediate": [True, True]},
}
STATEMENTS = [
    stmt("fma", "f32", "f32", "f32", n="v", t="f32"),
    stmt("rsrc", "x", "i32", n="v", t="p8", flags=0),
    stmt("barrier.signal"),
    stmt("setprio", priority=1),
    stmt("sched.barrier", mask=0),
    stmt("wait.async", count=0),
    stmt("load.lds.b96", "x", "@s", offset=0, aux=0),
    stmt("wait.load.lds", count=0),
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_an_intrinsic_that_is_not_the_operations_is_refused(statement: dict[str, Any]) -> None:
    table = copy.deepcopy(flavor_table("llvm22"))
    entry = table["intrinsics"][statement["op"]]
    entry.update(MISFITS[statement["op"]])
    if "declare" not in MISFITS[statement["op"]]:
        pairs = zip(entry["params"], entry["immediate"])
        params = ", ".join(kind + (" immarg" if immediate else "") for kind, immediate in pairs)
        entry["declare"] = f"declare {entry['ret']} @{entry['symbol']}({params})"
    with pytest.raises(Refusal) as refusal:
        emit(text(statement, target=target_of(statement["op"])), Flavor(table))
    assert refusal.value.code == "TIR3003"


def test_an_op_that_is_not_in_the_file_is_refused() -> None:
    table = changed(lambda t: t["intrinsics"].pop("fma"))
    with pytest.raises(Refusal) as refusal:
        emit(text(STATEMENTS[0]), Flavor(table))
    assert refusal.value.code == "TIR3003"
    assert json.dumps(refusal.value.as_dict())
