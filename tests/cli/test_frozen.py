# SPDX-License-Identifier: MIT
"""Frozen kernels in the gate, and their goldens."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Result

Twinir = Callable[..., Result]
FAST = ("--no-codegen", "--flavor", "llvm22")


@pytest.fixture
def frozen(twinir: Twinir, tmp_path: Path) -> Path:
    """saxpy in a file of its own, recorded on llvm22."""
    folder = tmp_path / "kernels"
    folder.mkdir()
    file = folder / "k.json"
    file.write_text(twinir("show", "saxpy", "--json").stdout)
    recorded = twinir("golden", "record", "--kernel", str(file), "--flavor", "llvm22")
    assert recorded.returncode == 0, recorded.stderr
    assert "llvm22: nothing -> " in recorded.stdout
    assert "1 of 1 goldens written" in recorded.stdout
    return file


def test_recorded_kernels_are_green(twinir: Twinir, frozen: Path) -> None:
    golden = frozen.with_name("k.golden.json")
    before = golden.read_bytes()
    for path in (frozen, frozen.parent):
        report = json.loads(twinir("gate", "--kernel", str(path), *FAST, "--json").stdout)
        (case,) = report["flavors"][0]["results"]
        assert (case["id"], case["family"]) == ("gfx1250/saxpy_f32_b256", "frozen")
        assert (case["verdict"], case["golden"], case["reprint"]) == ("IDENTICAL", "MATCH", "passed")
    assert twinir("gate", "--kernel", str(frozen), "--flavor", "llvm22").returncode == 0
    assert twinir("golden", "check", "--kernel", str(frozen), "--flavor", "llvm22").returncode == 0
    again = twinir("golden", "record", "--kernel", str(frozen), "--flavor", "llvm22")
    assert "0 of 1 goldens written" in again.stdout
    assert golden.read_bytes() == before
    assert json.loads(before)["flavors"]["llvm22"]["sha256"] == case["sha256"]


def test_without_a_golden_it_is_red_unless_not_asked(twinir: Twinir, frozen: Path) -> None:
    frozen.with_name("k.golden.json").unlink()
    red = twinir("gate", "--kernel", str(frozen), *FAST)
    assert red.returncode == 1
    assert "UNRECORDED llvm22 gfx1250/saxpy_f32_b256" in red.stdout
    assert twinir("gate", "--kernel", str(frozen), "--no-golden", *FAST).returncode == 0
    assert twinir("gate", "--no-golden", *FAST).returncode == 2
    assert twinir("gate", "--kernel", str(frozen), "--against", "HEAD", *FAST).returncode == 2


def test_every_changed_byte_of_the_golden_that_says_something_is_red(twinir: Twinir, frozen: Path) -> None:
    golden = frozen.with_name("k.golden.json")
    text = golden.read_text()
    at = text.index('"sha256":"') + 10
    other = "0" if text[at] != "0" else "1"
    for changed, says in (
        (text[:at] + other + text[at + 1 :], "DRIFT"),
        (text.replace('"kernel":"', '"kernel":"0', 1), "TIR6003"),
        (text.replace("gfx1250/", "gfx1150/"), "TIR6003"),
        (text.replace("\n", " \n", 1), "TIR6003"),
        (text.replace("llvm22", "llvm23"), "UNRECORDED"),
        (text[: len(text) // 2], "TIR6003"),
        ("", "TIR6003"),
    ):
        assert changed != text
        golden.write_text(changed)
        red = twinir("gate", "--kernel", str(frozen), *FAST)
        assert red.returncode == 1, changed
        assert says in red.stdout


def test_a_changed_byte_of_the_kernel_is_red(twinir: Twinir, frozen: Path) -> None:
    text = frozen.read_text()
    for changed in (text.replace('"align":4', '"align":8', 1), text.replace(",\n", ", \n", 1), text[:-2] + " }\n"):
        assert changed != text
        frozen.write_text(changed)
        red = twinir("gate", "--kernel", str(frozen), *FAST)
        assert red.returncode == 1, red.stdout
        assert "RED" in red.stdout


def test_a_file_that_is_no_kernel_is_an_error_case(twinir: Twinir, frozen: Path) -> None:
    bad = frozen.with_name("bad.json")
    bad.write_text(frozen.read_text()[:200])
    result = twinir("gate", "--kernel", str(frozen.parent), *FAST, "--json")
    assert result.returncode == 1
    cases = {case["id"]: case for case in json.loads(result.stdout)["flavors"][0]["results"]}
    assert cases[f"frozen?{bad}"]["verdict"] == "ERROR"
    assert cases[f"frozen?{bad}"]["problems"][0]["code"] == "TIR1014"
    assert cases["gfx1250/saxpy_f32_b256"]["good"]
    recorded = twinir("golden", "record", "--kernel", str(bad), "--flavor", "llvm22")
    assert recorded.returncode == 1
    assert not frozen.with_name("bad.golden.json").exists()


def test_a_golden_that_lost_its_kernel_is_red(twinir: Twinir, frozen: Path) -> None:
    frozen.with_name("lost.golden.json").write_bytes(frozen.with_name("k.golden.json").read_bytes())
    red = twinir("gate", "--kernel", str(frozen.parent), *FAST)
    assert red.returncode == 1
    assert "a golden without its kernel" in red.stdout


def test_what_does_not_name_kernels_is_refused(twinir: Twinir, frozen: Path, tmp_path: Path) -> None:
    missing = twinir("gate", "--kernel", str(tmp_path / "none.json"), *FAST)
    assert (missing.returncode, missing.stdout) == (1, "")
    assert "TIR7002" in missing.stderr
    twin = frozen.with_name("twin.json")
    twin.write_text(frozen.read_text())
    two = twinir("gate", "--kernel", str(frozen), "--kernel", str(twin), *FAST)
    assert two.returncode == 2
    assert "two kernels gfx1250/saxpy_f32_b256" in two.stderr
    (tmp_path / "empty").mkdir()
    empty = twinir("gate", "--kernel", str(tmp_path / "empty"), *FAST)
    assert empty.returncode == 4
    assert "TIR6001" in empty.stderr
    assert twinir("gate", "--kernel", str(frozen), "--kernel", str(frozen), *FAST).returncode == 0
