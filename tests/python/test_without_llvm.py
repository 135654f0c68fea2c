# SPDX-License-Identifier: MIT
"""Without any LLVM: kernels are authored and emitted for every flavor; what needs LLVM says what to install."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import twinir

HERE = Path(__file__).parent

SCRIPT = """
import hashlib, sys
import numpy as np
import twinir
from twinir import families
from packaged import golden, saxpy

def refused(what):
    try:
        what()
    except twinir.Error as error:
        assert error.code == "TIR4006", error
        assert "install" in error.action or "llvm-22-dev" in error.action, error
    else:
        raise AssertionError("not refused")

k = twinir.kernel(saxpy, name="saxpy_f32_b256")
known = twinir.flavors()
assert [f.name for f in known] == ["llvm19", "llvm20", "llvm21", "llvm22", "llvm23", "llvm24"], known
assert not any(f.installed for f in known), known
for f in known:
    text = k.emit(f.name, engine="python")
    assert hashlib.sha256(text.encode()).hexdigest() == golden(f.name), f
    refused(lambda: k.emit(f.name))
    refused(lambda: k.compile(flavor=f.name))
assert {v.verdict for v in k.check().verdicts} == {"python alone"}
assert twinir.Kernel.from_json(k.json) == k and "saxpy" in repr(k)
assert families.winograd_input().build().emit(engine="python")
assert twinir.plan_conv2d((1, 8, 8, 8), (8, 8, 3, 3), padding=1).kernels
x = np.ones(16, np.float32)
half = np.ones((1, 8, 8, 8), np.float16), np.ones((8, 8, 3, 3), np.float16)
refused(k.emit)
refused(k.compile)
refused(k.asm)
refused(lambda: k.launch(1, x, x.copy(), 1.0, 16))
refused(lambda: twinir.conv2d(*half))
print("good")
"""


def test_authoring_and_python_emission(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    path = os.pathsep.join([str(HERE), str(Path(twinir.__file__).parents[1])])
    env = os.environ | {"TWINIR_PLUGIN_DIR": str(tmp_path / "none"), "PYTHONPATH": path}
    command = [sys.executable, "-c", SCRIPT]
    ran = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "good\n"
