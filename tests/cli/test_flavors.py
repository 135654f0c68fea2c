# SPDX-License-Identifier: MIT
"""Flavors of one's own, and plugins behind a loader, as the program sees them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import ROOT, Result

Twinir = Callable[..., Result]
LOADER = Path("/lib64/ld-linux-x86-64.so.2")
#: The 22 of scripts/flavors, where this machine has one of its own (cmake/TwinIRLlvm.cmake).
SECOND = "debian-sid-22"
BOTH = ("--flavor", f"llvm22,{SECOND}")


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


@pytest.fixture
def two(twinir: Twinir, tmp_path: Path) -> tuple[Twinir, Path]:
    """The program on a share folder of the test's own, where llvm22 is recorded and the other build of 22 is not."""
    if not (plugins() / f"twinir-llvm-{SECOND}.so").exists() or not (plugins() / "twinir-llvm-22.so").exists():
        pytest.skip("no two builds of LLVM 22: this machine's own and that of scripts/flavors")
    share = tmp_path / "share"
    (share / "flavors").mkdir(parents=True)
    shutil.copy(ROOT / "emit" / "flavors" / "llvm22.json", share / "flavors")
    shutil.copytree(ROOT / "golden" / "llvm22", share / "golden" / "llvm22")
    for name in ("python", "reader"):
        (share / name).symlink_to(ROOT / "emit" / name)
    return lambda *arguments, **more: twinir(*arguments, env={"TWINIR_SHARE_DIR": str(share)}, **more), share


def folder_of_second() -> Path:
    """Where scripts/flavors put it: beside the loader that starts it."""
    loader = (plugins() / f"twinir-llvm-{SECOND}.loader").read_text().splitlines()[0]
    return Path(loader.split("/root/")[0]) / "root" / "usr" / "lib" / "llvm-22"


def record_second(run: Twinir, *only: str) -> None:
    recorded = run("flavor", "record", "--name", SECOND, "--llvm", str(folder_of_second()))
    assert recorded.returncode == 0, recorded.stderr
    goldens = run("golden", "record", "--allow-dirty", "--flavor", SECOND, *only)
    assert goldens.returncode == 0, goldens.stderr


def colours(run: Twinir, *arguments: str) -> dict[str, bool]:
    """Which flavors the gate finds good."""
    result = run("gate", "--only", "saxpy", "--json", *arguments)
    report = json.loads(result.stdout)
    good = {flavor["flavor"]: flavor["good"] for flavor in report["flavors"]}
    assert report["green"] is all(good.values())
    assert result.returncode == (0 if report["green"] else 1)
    return good


def test_two_builds_of_22_are_two_libraries(twinir: Twinir, two: tuple[Twinir, Path], tmp_path: Path) -> None:
    """Every plugin is asked what it is: the loaders write down what each process starts."""
    debug = {"LD_DEBUG": "libs", "LD_DEBUG_OUTPUT": str(tmp_path / "ld")}
    assert twinir("list", env=debug).returncode == 0
    lines = "".join(file.read_text() for file in tmp_path.glob("ld.*")).splitlines()
    started = {line.split()[-1] for line in lines if "calling init:" in line and "/libLLVM.so.22" in line}
    assert [name.startswith(str(folder_of_second().parents[2])) for name in sorted(started)].count(True) == 1
    assert len(started) == 2


def test_a_second_build_of_22_is_recorded_under_its_name(two: tuple[Twinir, Path]) -> None:
    run, share = two
    assert SECOND not in run("flavor", "record", "--check").stdout
    assert f"SKIP: {SECOND} is not recorded" in run("gate", "--only", "saxpy", "--no-codegen").stderr
    assert colours(run) == {"llvm22": True}
    record_second(run, "--only", "saxpy")
    file, golden = share / "flavors" / f"{SECOND}.json", share / "golden" / SECOND / "saxpy.json"
    first = json.loads((share / "flavors" / "llvm22.json").read_text())
    assert json.loads(file.read_text())["flavor"] == SECOND
    if json.loads(file.read_text())["llvm"] == first["llvm"]:
        assert json.loads(file.read_text()) == first | {"flavor": SECOND}
        ours = json.loads((share / "golden" / "llvm22" / "saxpy.json").read_text())
        assert json.loads(golden.read_text())["cases"] == ours["cases"]
    before = file.read_bytes(), golden.read_bytes()
    record_second(run, "--only", "saxpy")
    assert (file.read_bytes(), golden.read_bytes()) == before
    checked = run("flavor", "record", "--check").stdout
    assert f"{SECOND} ({json.loads(before[0])['llvm']}): as recorded" in checked


def test_every_command_takes_a_second_build_of_22(two: tuple[Twinir, Path], tmp_path: Path) -> None:
    run, _ = two
    record_second(run, "--only", "saxpy")
    texts = [run("emit", "saxpy", "--flavor", SECOND, "--engine", e).stdout for e in ("cpp", "python", "both")]
    assert texts[0].startswith("; ModuleID") and set(texts) == {texts[0]}
    assert texts[0] in run("show", "saxpy", "--ir", "--flavor", SECOND).stdout
    code = tmp_path / "saxpy.hsaco"
    assert run("compile", "saxpy", "--flavor", SECOND, "-o", str(code)).returncode == 0
    assert run("inspect", str(code)).returncode == 0
    support = run("support", "--only", "saxpy", "--target", "gfx1250", "--flavor", SECOND, "--no-verify", "--json")
    assert json.loads(support.stdout)["rows"][0]["compiles"] == {"good": 3, "all": 3}
    for command in ("list", "doctor"):
        flavors = json.loads(run(command, "--json").stdout)["flavors"]
        assert [f["installed"] for f in flavors if SECOND in f.values()] == [True]


def test_a_planted_difference_is_red_for_its_build_alone(two: tuple[Twinir, Path]) -> None:
    run, share = two
    record_second(run, "--only", "saxpy")
    good = {"llvm22": True, SECOND: True}
    assert colours(run) == colours(run, *BOTH) == good
    for file in (share / "golden" / SECOND / "saxpy.json", share / "flavors" / f"{SECOND}.json"):
        text = file.read_text()
        case = next(iter(json.loads(text).get("cases", {}).values()), "")
        planted = text.replace(case, "0" * 64) if case else text.replace('"datalayout":"e-', '"datalayout":"e-S32-', 1)
        assert planted != text
        file.write_text(planted)
        assert colours(run, *BOTH) == good | {SECOND: False}
        file.write_text(text)
    assert colours(run, *BOTH) == good
