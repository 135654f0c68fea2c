# SPDX-License-Identifier: MIT
"""Wrong input: a code, an exit status, nothing on standard output, no file, no crash."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Result, program

Twinir = Callable[..., Result]

CASES = (
    ((), "TIR7001", 2),
    (("nothing",), "TIR7001", 2),
    (("show",), "TIR7001", 2),
    (("emit",), "TIR7001", 2),
    (("show", "saxpy", "--colour"), "TIR7001", 2),
    (("show", "no_such"), "TIR2001", 2),
    (("show", ""), "TIR2001", 2),
    (("show", "saxpy", "--spec", "blok=64"), "TIR2002", 2),
    (("show", "saxpy", "--spec", "block=33"), "TIR2003", 2),
    (("show", "saxpy", "--spec", "block=99999999999999999999"), "TIR2003", 2),
    (("show", "saxpy", "--spec", "block=18446744073709551615"), "TIR2003", 2),
    (("show", "saxpy", "--spec", "dtype=f77"), "TIR2003", 2),
    (("show", "saxpy", "--spec", "block"), "TIR7001", 2),
    (("show", "saxpy", "--spec", "{"), "TIR7001", 2),
    (("show", "saxpy", "--spec", "{}x"), "TIR7001", 2),
    (("show", "block_sum", "--spec", "block=96"), "TIR2004", 2),
    (("show", "saxpy", "--target", "gfx9999"), "TIR1016", 2),
    (("show", "missing.json"), "TIR7002", 1),
    (("show", "/"), "TIR7002", 1),
    (("emit", "saxpy", "--flavor", "llvm99"), "TIR3002", 3),
    (("emit", "saxpy", "--flavor", "../llvm22"), "TIR3002", 3),
    (("emit", "saxpy", "--flavor", "llvm20"), "TIR4006", 3),
    (("emit", "saxpy", "--engine", "fortran"), "TIR7001", 2),
    (("compile", "saxpy", "--flavor", "llvm19"), "TIR4001", 1),
    (("compile", "saxpy", "--flavor", "llvm19,"), "TIR7001", 2),
    (("compile", "missing.ll"), "TIR7002", 1),
    (("compile", "saxpy", "-O", "4"), "TIR7001", 2),
    (("inspect", "missing.hsaco"), "TIR7002", 1),
    (("gate", "--only", "no such case"), "TIR6001", 4),
    (("aot",), "TIR7001", 2),
    (("support", "--target", "gfx9999"), "TIR1016", 2),
    (("support", "--flavor", "llvm99"), "TIR3002", 3),
    (("support", "--json", "--markdown"), "TIR7001", 2),
    (("aot", "sweep", "--only", "no such kernel"), "TIR6006", 4),
    (("aot", "sweep", "--target", "gfx9999"), "TIR1016", 2),
    (("aot", "sweep", "--flavor", "llvm19"), "TIR4001", 1),
    (("aot", "sweep", "--flavor", "llvm99"), "TIR3002", 3),
    (("gate", "--only", "saxpy!"), "TIR6002", 4),
    (("gate", "--flavor", "llvm99"), "TIR3002", 3),
    (("gate", "--flavor", "llvm20"), "TIR4006", 3),
    (("gate", "--jobs", "0"), "TIR7001", 2),
    (("gate", "--jobs", "-1"), "TIR7001", 2),
    (("gate", "--only", "saxpy", "--no-codegen", "--against", "--output=x"), "TIR7001", 2),
    (("gate", "--only", "saxpy", "--no-codegen", "--against", "no-such-revision"), "TIR7001", 2),
    (("flavor", "record", "--llvm", "99"), "TIR3002", 3),
    (("explain", "TIR1"), "TIR7001", 2),
)


@pytest.mark.parametrize(("arguments", "code", "status"), CASES, ids=[" ".join(case[0]) or "nothing" for case in CASES])
def test_refusals(twinir: Twinir, tmp_path: Path, arguments: tuple[str, ...], code: str, status: int) -> None:
    result = twinir(*arguments, cwd=tmp_path)
    assert code in result.stderr
    assert result.returncode == status
    assert result.stdout == ""
    assert "expected:" in result.stderr
    assert list(tmp_path.iterdir()) == []


DAMAGED = {
    "empty": "",
    "cut": '{"schema":"twinir-kernel-1","name":"k"',
    "array": "[]",
    "deep": "[" * 100_000,
    "deep objects": '{"a":' * 100_000,
    "number": "1e999999",
    "not UTF-8": b"\xff\xfe\x00",
    "other schema": '{"schema":"twinir-kernel-9"}',
}


@pytest.mark.parametrize("name", DAMAGED)
@pytest.mark.parametrize("engine", ("cpp", "python"))
def test_malformed_kernel_json(twinir: Twinir, tmp_path: Path, name: str, engine: str) -> None:
    file, out = tmp_path / "k.json", tmp_path / "k.ll"
    data = DAMAGED[name]
    file.write_bytes(data if isinstance(data, bytes) else data.encode())
    result = twinir("emit", str(file), "--engine", engine, "-o", str(out))
    assert result.returncode == 1
    assert "TIR1014" in result.stderr
    assert not out.exists()


@pytest.mark.parametrize("data", (b"", b"\x7fELF", b"no code object", b"\x7fELF" + b"\0" * 200, os.urandom(5000)))
def test_what_is_no_code_object(twinir: Twinir, tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "x.hsaco"
    file.write_bytes(data)
    result = twinir("inspect", str(file))
    assert result.returncode == 1
    assert "TIR4005" in result.stderr


def test_damaged_code_objects(twinir: Twinir, tmp_path: Path) -> None:
    good = twinir("compile", "saxpy", "-o", "-", binary=True).stdout
    for length in (64, 200, len(good) // 2, len(good) - 1):
        file = tmp_path / "cut.hsaco"
        file.write_bytes(good[:length])
        result = twinir("inspect", str(file))
        assert (result.returncode, result.stdout) == (1, "") or length == len(good) - 1
        assert "TIR4005" in result.stderr or length == len(good) - 1


def test_no_partial_file(twinir: Twinir, tmp_path: Path) -> None:
    """A file that was there stays as it was when the command fails; nothing else appears."""
    out = tmp_path / "out.ll"
    out.write_text("before")
    assert twinir("emit", "saxpy", "--flavor", "llvm99", "-o", str(out)).returncode == 3
    assert twinir("emit", "saxpy", "-o", str(tmp_path / "no" / "folder.ll")).returncode == 1
    assert twinir("emit", "saxpy", "-o", str(tmp_path)).returncode == 1
    assert out.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["out.ll"]


def test_output_to_a_device_and_through_a_link(twinir: Twinir, tmp_path: Path) -> None:
    assert twinir("emit", "saxpy", "-o", "/dev/null").returncode == 0
    assert Path("/dev/null").is_char_device()
    link = tmp_path / "link.ll"
    link.symlink_to(tmp_path / "file.ll")
    (tmp_path / "file.ll").write_text("")
    assert twinir("emit", "saxpy", "-o", str(link)).returncode == 0
    assert link.is_symlink()
    assert (tmp_path / "file.ll").read_text().startswith("; ModuleID")


def test_an_unknown_command_is_named_with_those_that_exist(twinir: Twinir) -> None:
    error = twinir("nosuch").stderr
    assert "command 'nosuch'" in error
    assert "one of aot, compile" in error.replace("\n", " ")
    assert "worker" not in error
    error = twinir("golden", "nosuch", "--json").stderr
    assert "command 'nosuch'" in error
    assert "one of check, record" in error
    assert "one of check, record" in twinir("golden").stderr
    assert "--colour" in twinir("show", "saxpy", "--colour").stderr


def test_standard_output_that_is_full(twinir: Twinir) -> None:
    with open("/dev/full", "w") as full:
        result = subprocess.run([str(program()), "list"], check=False, stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1
    assert "TIR7002" in result.stderr


@pytest.mark.parametrize(
    ("name", "value", "arguments", "code"),
    (
        ("TWINIR_PYTHON", "/no/python", ("emit", "saxpy", "--engine", "python"), "TIR6005"),
        ("TWINIR_PLUGIN_DIR", "/no/folder", ("emit", "saxpy"), "TIR7003"),
        ("TWINIR_COMPILE_TIMEOUT", "soon", ("compile", "saxpy"), "TIR7003"),
        ("TWINIR_EXECUTABLE", "/no/twinir", ("compile", "saxpy"), "TIR4006"),
    ),
)
def test_bad_environment(twinir: Twinir, name: str, value: str, arguments: tuple[str, ...], code: str) -> None:
    result = twinir(*arguments, env={name: value})
    assert code in result.stderr
    assert result.returncode in (1, 2, 3)


def test_no_plugins_at_all(twinir: Twinir, tmp_path: Path) -> None:
    result = twinir("compile", "saxpy", env={"TWINIR_PLUGIN_DIR": str(tmp_path)})
    assert (result.returncode, result.stdout) == (3, "")
    assert "TIR4006" in result.stderr
    (tmp_path / "twinir-llvm-22.so").write_text("no library")
    result = twinir("emit", "saxpy", "--flavor", "llvm22", env={"TWINIR_PLUGIN_DIR": str(tmp_path)})
    assert result.returncode == 3
    gate = twinir("gate", "--only", "saxpy", "--json", env={"TWINIR_PLUGIN_DIR": str(tmp_path)})
    assert all(not flavor["installed"] for flavor in json.loads(gate.stdout)["flavors"])
    both = twinir("gate", "--only", "saxpy", "--require-both", env={"TWINIR_PLUGIN_DIR": str(tmp_path)})
    assert both.returncode in (1, 3)
