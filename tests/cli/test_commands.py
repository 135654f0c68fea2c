# SPDX-License-Identifier: MIT
"""Every command: what goes where, exit statuses, JSON, help."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import ROOT, Result, program

Twinir = Callable[..., Result]
COMMANDS = ("list", "show", "emit", "compile", "inspect", "gate", "golden", "golden record", "golden check", "flavor")
COMMANDS += ("parity", "parity pair", "flavor record", "aot", "aot sweep", "support", "doctor", "explain", "version")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples_and_is_data(twinir: Twinir, command: str) -> None:
    result = twinir(*command.split(), "--help")
    assert result.returncode == 0
    assert "Examples:" in result.stdout
    assert f"twinir {command.split(maxsplit=1)[0]}" in result.stdout
    assert result.stderr == ""


def test_worker_is_hidden(twinir: Twinir) -> None:
    assert "worker" not in twinir("--help").stdout


JSON = (
    ("list",),
    ("emit", "--list-cases"),
    ("compile", "saxpy"),
    ("doctor",),
    ("explain", "TIR1004"),
    ("version",),
    ("gate", "--only", "saxpy", "--no-codegen"),
    ("golden", "check", "--only", "saxpy"),
    ("show", "saxpy"),
    ("aot", "sweep", "--only", "saxpy"),
    ("support", "--only", "saxpy", "--no-verify"),
)


@pytest.mark.parametrize("command", JSON, ids=lambda c: "-".join(c[:2]))
def test_json_is_json_and_nothing_else(twinir: Twinir, command: tuple[str, ...]) -> None:
    result = twinir(*command, "--json")
    assert result.returncode in (0, 1)
    assert json.loads(result.stdout)
    assert result.stderr == ""


def test_list(twinir: Twinir) -> None:
    out = twinir("list", "--fields").stdout
    for word in ("saxpy", "block_sum", "gfx1250", "llvm22", "work-items of a group"):
        assert word in out
    listed = json.loads(twinir("list", "--json").stdout)
    assert listed["schema"] == "twinir-list-1"
    assert {"saxpy", "transpose"} <= {family["name"] for family in listed["families"]}


def test_show_forms(twinir: Twinir) -> None:
    assert "load x[" in twinir("show", "saxpy").stdout
    assert json.loads(twinir("show", "saxpy", "--json").stdout)["schema"] == "twinir-kernel-1"
    assert twinir("show", "saxpy", "--ir").stdout.startswith("; ModuleID")
    assert "s_endpgm" in twinir("show", "saxpy", "--asm").stdout
    assert twinir("show", "saxpy", "--ir", "--asm").returncode == 2


def test_spec_forms_agree(twinir: Twinir) -> None:
    one = twinir("show", "saxpy", "--json", "--spec", "dtype=f16", "block=128").stdout
    two = twinir("show", "saxpy", "--json", "--spec", '{"block":128}', "--spec", '{"dtype":"f16"}').stdout
    assert one == two != ""


def test_a_shown_kernel_is_a_kernel_file(twinir: Twinir, tmp_path: Path) -> None:
    file = tmp_path / "k.json"
    file.write_text(twinir("show", "block_sum", "--json").stdout)
    assert twinir("show", str(file), "--json").stdout == file.read_text()
    for engine in ("cpp", "python", "both"):
        of_file = twinir("emit", str(file), "--engine", engine, "--flavor", "llvm22")
        assert of_file.returncode == 0, of_file.stderr
        assert of_file.stdout == twinir("emit", "block_sum", "--flavor", "llvm22").stdout


def test_aot_sweep(twinir: Twinir, tmp_path: Path) -> None:
    csv = tmp_path / "sweep.csv"
    result = twinir("aot", "sweep", "--only", "saxpy", "--csv", str(csv))
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines()[-1].startswith("GREEN: 3 binaries, 0 spill (gfx1250, llvm22)")
    head, *rows = csv.read_text().splitlines()
    assert head.startswith("family,kernel,spec,items,vgprs")
    assert [row.split(",")[:2] for row in sorted(rows)] == [
        ["saxpy", name] for name in ("saxpy_bf16_b1024", "saxpy_f16_b256", "saxpy_f32_b256")
    ]
    swept = json.loads(twinir("aot", "sweep", "--only", "saxpy", "--target", "gfx950", "--json").stdout)
    assert (swept["target"], swept["green"], swept["binaries"]) == ("gfx950", True, 3)
    assert swept["rows"][0]["spec"]["block"] in (256, 1024)
    no_worker = {
        "TWINIR_EXECUTABLE": "/no/twinir",
        "TWINIR_PLUGIN_DIR": str(program().parent.parent / "lib" / "twinir"),
    }
    broken = twinir("aot", "sweep", "--only", "saxpy", env=no_worker)
    assert broken.returncode == 1
    assert "RED: 3 binaries, 0 spill, 3 failed" in broken.stdout


def test_emit_compile_inspect(twinir: Twinir, tmp_path: Path) -> None:
    text, code, other = (str(tmp_path / name) for name in ("s.ll", "s.hsaco", "t.hsaco"))
    assert twinir("emit", "saxpy", "-o", text).stdout == ""
    compiled = twinir("compile", text, "-o", code)
    assert compiled.returncode == 0, compiled.stderr
    assert re.search(r"VGPRs +SGPRs +spills", compiled.stdout)
    assert twinir("compile", "saxpy", "-o", other).returncode == 0
    assert Path(code).read_bytes() == Path(other).read_bytes()
    report = json.loads(twinir("inspect", code, "--json").stdout)
    assert report["arch"] == "gfx1250"
    assert report["kernels"][0]["vgpr_spills"] == 0
    piped = twinir("compile", "saxpy", "-o", "-", binary=True)
    assert piped.stdout == Path(code).read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s.hsaco", "s.ll", "t.hsaco"]


def test_gate_report(twinir: Twinir, tmp_path: Path) -> None:
    junit = tmp_path / "gate.xml"
    result = twinir("gate", "--only", "saxpy", "--junit", str(junit), "--verbose")
    assert result.stdout.splitlines()[-1].startswith(("GREEN: ", "RED: "))
    assert (result.returncode == 0) == result.stdout.splitlines()[-1].startswith("GREEN")
    assert junit.read_text().startswith("<?xml")
    assert "IDENTICAL" in result.stdout


def test_the_gate_runs_every_flavor_and_says_who_checked_it(twinir: Twinir) -> None:
    result = twinir("gate", "--only", "saxpy", "--no-codegen", "--json", env={"TWINIR_READER": "/nonexistent/python"})
    report = json.loads(result.stdout)
    assert result.returncode == 0
    flavors = {flavor["flavor"]: flavor for flavor in report["flavors"]}
    recorded = {path.name for path in (ROOT / "golden").iterdir() if path.name.startswith("llvm")}
    assert set(flavors) >= recorded >= {"llvm20", "llvm22"}
    assert (flavors["llvm20"]["emitters"], flavors["llvm20"]["reader"]) == (["Python"], "")
    assert flavors["llvm20"]["golden"]["MATCH"] == 18
    assert flavors["llvm22"]["emitters"] == ["C++", "Python"]
    assert "llvm20 (Python alone)" in report["summary"]
    told = twinir("gate", "--only", "saxpy", "--no-codegen", env={"TWINIR_READER": "/nonexistent/python"})
    assert "SKIP: the texts of llvm20 are not read (/nonexistent/python" in told.stderr
    assert "Python emitter alone, not read" in told.stdout
    assert twinir("gate", "--only", "saxpy", "--no-codegen", "--require-both").returncode == 3


def test_gate_page(twinir: Twinir, tmp_path: Path) -> None:
    page = tmp_path / "gate.html"
    result = twinir("gate", "--only", "saxpy", "--no-codegen", "--html", str(page))
    text = page.read_text()
    assert text.startswith("<!DOCTYPE html>")
    assert text.endswith("</body></html>\n")
    assert "<h2>llvm22</h2>" in text
    assert "http" not in text
    assert result.stdout.splitlines()[-1].rpartition(";")[0] in text  # the summary, but for the seconds


def test_flavor_record(twinir: Twinir) -> None:
    result = twinir("flavor", "record", "--check")
    assert result.returncode == 0, result.stdout
    written = twinir("flavor", "record", "--llvm", "22", "-o", "-")
    assert json.loads(written.stdout)["flavor"] == "llvm22"


def test_explain(twinir: Twinir) -> None:
    assert twinir("explain", "TIR1004").stdout == twinir("explain", "1004").stdout
    assert "TIR9001" in twinir("explain").stdout


def test_doctor(twinir: Twinir) -> None:
    report = json.loads(twinir("doctor", "--json").stdout)
    flavor = next(f for f in report["flavors"] if f["flavor"] == "llvm22")
    assert re.fullmatch(r"22\.\d+\.\d+", flavor["llvm"])
    assert "gfx1250" in flavor["compile"]
    assert {v["name"] for v in report["environment"]} >= {"NO_COLOR", "TWINIR_PYTHON", "TWINIR_PLUGIN_DIR"}
    missing = twinir("doctor", env={"TWINIR_PYTHON": "/no/python"})
    assert missing.returncode == 3
    assert "python3" in missing.stdout


def on_terminal(*arguments: str, **env: str) -> str:
    """The output with both streams on a terminal."""
    main, second = pty.openpty()
    clean = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | {"TERM": "xterm"} | env
    process = subprocess.Popen([str(program()), *arguments], stdout=second, stderr=second, env=clean)
    os.close(second)
    out = b""
    try:
        while part := os.read(main, 65536):
            out += part
    except OSError:
        pass  # the terminal is gone when the program is
    process.wait(60)
    os.close(main)
    return out.decode()


def test_colours_only_on_a_terminal(twinir: Twinir) -> None:
    assert "\x1b" not in twinir("list").stdout
    assert "\x1b[1m" in on_terminal("list")
    assert "\x1b" not in on_terminal("list", NO_COLOR="1")
    assert "\x1b" not in on_terminal("list", TERM="dumb")
    assert "\x1b" not in twinir("show", "no_such").stderr
    assert "\x1b[31m" in on_terminal("show", "no_such")


def test_progress_bar_only_on_a_terminal(twinir: Twinir) -> None:
    arguments = ("gate", "--only", "saxpy", "--no-codegen")
    assert "[###" in on_terminal(*arguments)
    assert "[###" not in on_terminal(*arguments, "--json")
    assert "[###" not in twinir(*arguments).stderr
