# SPDX-License-Identifier: MIT
"""Flavors of one's own, and plugins behind a loader, as the program sees them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Result

Twinir = Callable[..., Result]
LOADER = Path("/lib64/ld-linux-x86-64.so.2")


def plugins() -> Path:
    return Path(os.environ.get("TWINIR_PLUGIN_DIR", "."))


def behind(folder: Path, loader: str) -> dict[str, str]:
    """An environment with the LLVM 22 plugin behind a loader."""
    plugin = plugins() / "twinir-llvm-22.so"
    if not plugin.exists():
        pytest.skip("no plugin of llvm22")
    (folder / plugin.name).symlink_to(plugin.resolve())
    (folder / "twinir-llvm-22.loader").write_text(loader)
    return {"TWINIR_PLUGIN_DIR": str(folder)}


def test_a_plugin_behind_a_loader_serves_every_command(twinir: Twinir, tmp_path: Path) -> None:
    if not LOADER.exists():
        pytest.skip(f"no {LOADER}")
    env = behind(tmp_path, f"{LOADER}\n")
    for command in (
        ("emit", "saxpy", "--flavor", "llvm22"),
        ("compile", "saxpy", "--flavor", "llvm22", "--form", "assembly", "-o", "-"),
        ("flavor", "record", "--llvm", "22", "-o", "-"),
    ):
        here, there = twinir(*command), twinir(*command, env=env)
        assert there.returncode == here.returncode == 0, there.stderr
        assert there.stdout == here.stdout
    assert twinir("flavor", "record", "--check", env=env).returncode == 0
    gate = json.loads(twinir("gate", "--flavor", "llvm22", "--only", "saxpy", "--json", env=env).stdout)
    assert gate["green"] is True
    assert gate["flavors"][0]["verdicts"]["IDENTICAL"] > 0


def test_a_loader_that_does_not_start_is_said(twinir: Twinir, tmp_path: Path) -> None:
    env = behind(tmp_path, "/no/such/loader\n")
    result = twinir("emit", "saxpy", "--flavor", "llvm22", "--engine", "cpp", env=env)
    assert result.returncode == 3
    assert "TIR4006" in result.stderr and "loader" in result.stderr
    report = json.loads(twinir("doctor", "--json", env=env).stdout)
    assert any("/no/such/loader" in problem for problem in report["problems"])
    assert not any(flavor["installed"] for flavor in report["flavors"])


def test_a_build_that_has_no_plugin_is_refused(twinir: Twinir) -> None:
    result = twinir("flavor", "record", "--name", "nobody", "--llvm", "/opt/nobody")
    assert result.returncode == 3
    assert "TIR4006" in result.stderr
    assert '-DTWINIR_LLVM_EXTRA="nobody=/opt/nobody"' in result.stderr
    assert "TIR3002" in twinir("emit", "saxpy", "--flavor", "nobody").stderr


def test_a_build_under_a_name_of_its_own(twinir: Twinir, tmp_path: Path) -> None:
    named = [p for p in sorted(plugins().glob("twinir-llvm-*.so")) if not p.stem.split("-", 2)[2].isdecimal()]
    if not named:
        pytest.skip("no build was configured with TWINIR_LLVM_EXTRA")
    name = named[0].stem.split("-", 2)[2]
    recorded = json.loads(twinir("flavor", "record", "--name", name, "-o", "-").stdout)
    assert recorded["flavor"] == name
    same = twinir("flavor", "record", "--llvm", recorded["llvm"].split(".")[0], "-o", "-")
    if same.returncode == 0 and json.loads(same.stdout)["llvm"] == recorded["llvm"]:
        assert {**json.loads(same.stdout), "flavor": name} == recorded
    result = twinir("flavor", "record", "--name", name, "--llvm", str(tmp_path), "-o", "-")
    assert result.returncode == 3 and "was built for" in result.stderr
    assert twinir("emit", "saxpy", "--flavor", name, "--engine", "cpp").returncode == 0
