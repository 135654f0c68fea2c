# SPDX-License-Identifier: MIT
"""`twinir parity pair`: the pair of the repository, and prototypes with a fault."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import ROOT, Result, program

Twinir = Callable[..., Result]
PROTOTYPE = ROOT / "python" / "kernels" / "f4_input_transform.py"
PORT = "winograd_input/winograd_input_f4x4_f16_vf16_none_v4_b256"


@pytest.fixture
def pair(twinir: Twinir) -> Twinir:
    if not list((program().parent.parent / "python" / "twinir").glob("_core*.so")):
        pytest.skip("the Python package was not built")

    def run(prototype: str, *arguments: str) -> Result:
        return twinir("parity", "pair", prototype, *arguments, env={"TWINIR_PYTHON": sys.executable})

    return run


def test_the_pair_is_the_same_on_every_flavor(pair: Twinir) -> None:
    result = pair(f"{PROTOTYPE}:build", PORT, "--json")
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["same"]
    assert report["prototype_sha256"] == report["port_sha256"]
    flavors = {f["flavor"]: f for f in report["flavors"]}
    assert set(flavors) >= {path.stem for path in (ROOT / "emit" / "flavors").glob("llvm*.json")}
    assert flavors["llvm22"]["emitters"] == ["C++", "Python"]
    golden = json.loads((ROOT / "golden" / "llvm22" / "winograd_input.json").read_text())
    recorded = golden["cases"].get("gfx1250/" + PORT.split("/")[1])
    assert recorded in (None, flavors["llvm22"]["sha256"])
    shown = pair(f"{PROTOTYPE}:build", PORT)
    assert shown.returncode == 0
    assert flavors["llvm22"]["sha256"] in shown.stdout
    assert shown.stdout.splitlines()[-1].startswith("SAME: ")
    assert pair(f"{PROTOTYPE}:build", "winograd_input", "--flavor", "llvm22").returncode == 0
    assert pair(f"{PROTOTYPE}:build", 'winograd_input/{"vec":4}', "--flavor", "llvm22").returncode == 0


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("-97 / 36 * s", "-97 / 35 * s", "fma"),
        ("ult(self.top", "twinir.ule(self.top", "ule"),
        ("align=16", "align=8", "align"),
    ],
)
def test_a_planted_change_is_shown(pair: Twinir, tmp_path: Path, old: str, new: str, shown: str) -> None:
    text = PROTOTYPE.read_text()
    assert old in text
    copy = tmp_path / "copy.py"
    copy.write_text(text.replace(old, new))
    result = pair(f"{copy}:build", PORT, "--flavor", "llvm22")
    assert result.returncode == 1, result.stderr
    assert "the kernels: first difference at line " in result.stdout
    assert "their IR on llvm22: first difference at line " in result.stdout
    assert any(line.startswith("prototype") and shown in line for line in result.stdout.splitlines())
    assert result.stdout.splitlines()[-1].startswith("DIFFERENT: ")
    report = json.loads(pair(f"{copy}:build", PORT, "--flavor", "llvm22", "--json").stdout)
    assert not report["same"]
    assert report["difference"]["prototype"] != report["difference"]["port"]
    assert pair(f"{PROTOTYPE}:build", 'winograd_input/{"vec":2}', "--flavor", "llvm22").returncode == 1


def test_faults_of_the_prototype_come_through(pair: Twinir, tmp_path: Path) -> None:
    file = tmp_path / "p.py"
    file.write_text("print('hello')\nnumber = 1\ndef build():\n    raise ValueError('planted')\ndef none(): return 1\n")
    failed = pair(f"{file}:build", PORT)
    assert (failed.returncode, failed.stdout) == (1, "")
    assert "Traceback" in failed.stderr
    assert "ValueError: planted" in failed.stderr
    assert "hello" in failed.stderr
    for name in (f"{file}:none", f"{file}:number", f"{file}:missing", f"{tmp_path}/none.py:build", str(file)):
        refused = pair(name, PORT)
        assert refused.returncode == 2, refused.stderr
        assert "TIR7001" in refused.stderr
    for port in ("winograd_input/none", "none/none"):
        assert pair(f"{PROTOTYPE}:build", port).returncode == 2


def test_a_decorated_kernel_is_a_prototype(pair: Twinir, tmp_path: Path) -> None:
    file = tmp_path / "saxpy.py"
    file.write_text(
        "import twinir\nfrom twinir import In, InOut, f32, fma, i32\n\n@twinir.kernel(workgroup=256)\n"
        "def saxpy_f32_b256(k, x: In[f32], y: InOut[f32], a: f32, n: i32):\n"
        "    with k.for_(k.global_id(), n, k.global_size()) as i:\n        y[i] = fma(a, x[i], y[i])\n"
    )
    result = pair(f"{file}:saxpy_f32_b256", "saxpy", "--flavor", "llvm22")
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_python_without_the_package_is_a_missing_toolchain(pair: Twinir, twinir: Twinir) -> None:
    _ = pair
    missing = twinir("parity", "pair", f"{PROTOTYPE}:build", PORT, env={"TWINIR_PYTHON": os.devnull + "/python"})
    assert missing.returncode == 3
    assert "TIR4006" in missing.stderr
