# SPDX-License-Identifier: MIT
"""What LLVM would end its process for is refused before LLVM, with target, intrinsic and flavor named; the next
compile works."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Result

Twinir = Callable[..., Result]


def flavors(twinir: Twinir) -> dict[str, list[str]]:
    """Installed flavors and what they compile for."""
    listed = json.loads(twinir("list", "--json").stdout)["flavors"]
    return {f["name"]: f["compiles"] for f in listed if f["installed"]}


def works(twinir: Twinir) -> None:
    result = twinir("compile", "saxpy", "--target", "gfx1150")
    assert result.returncode == 0, result.stderr


def test_rounded_bfloat_vectors(twinir: Twinir, tmp_path: Path) -> None:
    """LLVM 21 does not survive this store on gfx1250; others compile it."""
    kernel = {
        "schema": "twinir-kernel-1", "name": "k", "target": "gfx1250", "block": [64, 1, 1], "waves_per_eu": 0,
        "params": [
            {"n": "x", "t": "p1", "k": "in", "align": 16, "deref": 0},
            {"n": "y", "t": "p1", "k": "out", "align": 16, "deref": 0},
        ],
        "lds": [],
        "body": [
            {"op": "load", "n": "v", "t": "v4f32", "a": ["x"], "align": 16},
            {"op": "fptrunc", "n": "n", "t": "v4bf16", "a": ["v"]},
            {"op": "store", "a": ["n", "y"], "align": 8},
        ],
    }  # fmt: skip
    path = tmp_path / "k.json"
    path.write_text(json.dumps(kernel))
    tried = 0
    for flavor, targets in flavors(twinir).items():
        if "gfx1250" not in targets:
            continue
        tried += 1
        result = twinir("compile", str(path), "--flavor", flavor)
        if flavor == "llvm21":
            assert result.returncode == 1
            assert re.search(r"TIR4003.*bfloat", result.stderr)
            assert "llvm21" in result.stderr
        else:
            assert result.returncode == 0, result.stderr
    works(twinir)
    if tried == 0:
        pytest.skip("no installed flavor compiles for gfx1250")


def test_a_target_that_the_flavor_does_not_know(twinir: Twinir) -> None:
    lacking = [flavor for flavor, targets in flavors(twinir).items() if "gfx1250" not in targets]
    if not lacking:
        pytest.skip("every installed flavor knows gfx1250")
    for flavor in lacking:
        result = twinir("compile", "saxpy", "--target", "gfx1250", "--flavor", flavor)
        assert result.returncode == 1
        assert "TIR4001" in result.stderr
        assert "gfx1250" in result.stderr
        assert flavor in result.stderr
    works(twinir)


def test_a_made_up_target(twinir: Twinir, tmp_path: Path) -> None:
    result = twinir("compile", "saxpy", "--target", "gfx9999")
    assert result.returncode == 2  # the command line is wrong
    assert "TIR1016" in result.stderr
    text = twinir("emit", "saxpy", "--target", "gfx1150").stdout.replace("gfx1150", "gfx9999")
    (tmp_path / "k.ll").write_text(text)
    for flavor in flavors(twinir):
        result = twinir("compile", str(tmp_path / "k.ll"), "--flavor", flavor)
        assert result.returncode == 1
        assert "TIR4001" in result.stderr
        assert "gfx9999" in result.stderr
    works(twinir)


OTHER_GENERATIONS = (
    (
        "%extra = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half> zeroinitializer,"
        " <8 x half> zeroinitializer, <8 x float> zeroinitializer)",
        "declare <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16(<8 x half>, <8 x half>, <8 x float>)",
        ("gfx1250", "gfx1150"),
    ),
    (  # a narrower D than C: LLVM misses a hazard on its operands (llvm#222932), so it is not offered at all
        "%extra = call <8 x bfloat> @llvm.amdgcn.wmma.bf16f32.16x16x32.bf16.v8bf16.v16bf16.v8f32(i1 false, <16 x bfloat> zeroinitializer, "
        "i1 false, <16 x bfloat> zeroinitializer, i16 0, <8 x float> zeroinitializer, i1 false, i1 false)",
        "declare <8 x bfloat> @llvm.amdgcn.wmma.bf16f32.16x16x32.bf16.v8bf16.v16bf16.v8f32(i1 immarg, <16 x bfloat>, i1 immarg, "
        "<16 x bfloat>, i16 immarg, <8 x float>, i1 immarg, i1 immarg)",
        ("gfx1250",),
    ),
    (
        "call void @llvm.amdgcn.s.barrier.signal(i32 -1)",
        "declare void @llvm.amdgcn.s.barrier.signal(i32 immarg)",
        ("gfx1150", "gfx950"),
    ),
    (
        "%extra = call float @llvm.amdgcn.cvt.f32.fp8(i32 5, i32 0)",
        "declare float @llvm.amdgcn.cvt.f32.fp8(i32, i32 immarg)",
        ("gfx1150",),
    ),
)


@pytest.mark.parametrize(("call", "declaration", "targets"), OTHER_GENERATIONS, ids=("wmma", "wmma_bf16f32", "barrier", "fp8"))
def test_an_intrinsic_of_another_generation(
    twinir: Twinir, tmp_path: Path, call: str, declaration: str, targets: tuple[str, ...]
) -> None:
    for target in targets:
        text = twinir("emit", "saxpy", "--target", target, "--flavor", "llvm22").stdout
        assert text, "llvm22"
        text = text.replace("  ret void", f"  {call}\n  ret void").replace("declare", f"{declaration}\ndeclare", 1)
        (tmp_path / "k.ll").write_text(text)
        result = twinir("compile", str(tmp_path / "k.ll"), "--flavor", "llvm22")
        assert result.returncode == 1
        assert "TIR1010" in result.stderr
        assert target in result.stderr
        assert re.search(r"llvm\.amdgcn\.[a-z0-9.]+", result.stderr)
    works(twinir)


def test_an_operation_of_another_target_in_a_kernel(twinir: Twinir, tmp_path: Path) -> None:
    kernel = json.loads(
        '{"schema":"twinir-kernel-1","name":"k","target":"gfx1150","block":[64,1,1],"waves_per_eu":0,"params":[],"lds":[],'
        '"body":[{"op":"barrier.signal"}]}'
    )
    (tmp_path / "k.json").write_text(json.dumps(kernel))
    result = twinir("compile", str(tmp_path / "k.json"))
    assert result.returncode == 1
    assert "TIR1010" in result.stderr
    assert "barrier.signal" in result.stderr
    works(twinir)
