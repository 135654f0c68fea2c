# SPDX-License-Identifier: MIT
"""Texts that end LLVM 22: an error with a reproducer, and the next compile works."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Result

Twinir = Callable[..., Result]

# Instructions of other generations, which instruction selection for gfx1250 does not survive.
INTERPOLATION = (
    "declare float @llvm.amdgcn.interp.p1(float, i32 immarg, i32 immarg, i32)",
    "%extra = call float @llvm.amdgcn.interp.p1(float %a, i32 0, i32 0, i32 %n)\n"
    "  store float %extra, ptr addrspace(1) %y",
)
ORDERED_ADD = (
    "declare i32 @llvm.amdgcn.ds.ordered.add(ptr addrspace(2), i32, i32 immarg, i32 immarg, i1 immarg, i32 immarg,"
    " i1 immarg, i1 immarg)",
    "%extra = call i32 @llvm.amdgcn.ds.ordered.add(ptr addrspace(2) null, i32 %n, i32 0, i32 0, i1 false, i32 1,"
    " i1 true, i1 true)\n  store i32 %extra, ptr addrspace(1) %y",
)


def with_call(text: str, declaration: str, call: str) -> str:
    """The text with one more declaration, and the call before the kernel's end."""
    return text.replace("  ret void", f"  {call}\n  ret void").replace("declare", f"{declaration}\ndeclare", 1)


@pytest.mark.parametrize(("declaration", "call"), (INTERPOLATION, ORDERED_ADD), ids=("interpolation", "ordered add"))
def test_a_crash_is_contained(twinir: Twinir, tmp_path: Path, declaration: str, call: str) -> None:
    text = with_call(twinir("emit", "saxpy", "--flavor", "llvm22").stdout, declaration, call)
    bad, out = tmp_path / "bad.ll", tmp_path / "bad.hsaco"
    bad.write_text(text)
    result = twinir("compile", str(bad), "--flavor", "llvm22", "-o", str(out))
    assert result.returncode == 1
    assert result.stdout == ""
    assert re.search(
        r"TIR4002: found llvm22 ended with signal SIG[A-Z]+ on kernel 'saxpy_f32_b256' for gfx1250", result.stderr
    )
    assert not out.exists()
    saved = list((tmp_path / "state" / "twinir" / "reproducers").iterdir())
    assert [path.read_text() for path in saved] == [text]
    assert re.fullmatch(r"llvm22-gfx1250-[0-9a-f]{16}\.ll", saved[0].name)
    assert str(saved[0]) in result.stderr
    assert twinir("compile", "saxpy", "--flavor", "llvm22").returncode == 0


def test_a_reproducer_that_cannot_be_kept_hides_nothing(twinir: Twinir, tmp_path: Path) -> None:
    bad = tmp_path / "bad.ll"
    bad.write_text(with_call(twinir("emit", "saxpy", "--flavor", "llvm22").stdout, *INTERPOLATION))
    result = twinir("compile", str(bad), "--flavor", "llvm22", env={"TWINIR_REPRODUCER_DIR": "/dev/null/no"})
    assert result.returncode == 1
    assert "TIR4002" in result.stderr
    assert "not saved" in result.stderr
