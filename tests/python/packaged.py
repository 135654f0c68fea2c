# SPDX-License-Identifier: MIT
"""What an installed package must do; run by an environment that has nothing but the wheel and what it depends on."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import twinir
from twinir import In, InOut, f32, families, fma, i32

HOME = Path(twinir.__file__).parent


def saxpy(k: twinir.KernelBuilder, x: In[f32], y: InOut[f32], a: f32, n: i32) -> None:  # type: ignore[valid-type]
    with k.for_(k.global_id(), n, k.global_size()) as i:
        y[i] = fma(a, x[i], y[i])


def golden(flavor: str) -> str:
    """The recorded hash of the family's kernel, which is the one above."""
    text = (HOME / "share" / "twinir" / "golden" / flavor / "saxpy.json").read_text(encoding="utf-8")
    return str(json.loads(text)["cases"]["gfx1250/saxpy_f32_b256"])


def main() -> None:
    k = twinir.kernel(saxpy, name="saxpy_f32_b256")
    assert k == families.saxpy().build()
    check = k.check()
    assert len(check.verdicts) == 6, check
    for v in check.verdicts:
        assert v.sha256 == golden(v.flavor), v
        text = k.emit(v.flavor, engine="python")
        assert hashlib.sha256(text.encode()).hexdigest() == v.sha256
    print(check)
    assert any(v.verdict == "identical" for v in check.verdicts)

    code = k.compile()
    assert code.data[:4] == b"\x7fELF" and code.vgprs > 0 and code.spills == 0
    x, y = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32)
    k.launch(4, x, y, 2.0, 1000)
    np.testing.assert_array_equal(y, 2 * x + 1)

    rng = np.random.default_rng(1)
    image, filters = (rng.standard_normal(s).astype(np.float16) for s in ((1, 8, 8, 8), (8, 8, 3, 3)))
    answer = twinir.conv2d(image, filters, padding=1)
    padded = np.pad(image, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    exact = np.einsum("nchwyx,kcyx->nkhw", windows.astype(np.float64), filters.astype(np.float64))
    assert np.abs(answer - exact).max() < 0.05 * max(np.abs(exact).max(), 1)

    program = [str(Path(sys.executable).parent / "twinir")]
    for arguments in (["doctor"], ["gate", "--only", "saxpy", "--no-codegen"]):
        for start in (program, [sys.executable, "-m", "twinir"]):
            ran = subprocess.run([*start, *arguments], capture_output=True, text=True, check=False)
            assert ran.returncode == 0, (start, arguments, ran.stdout, ran.stderr)
    assert "GREEN" in ran.stdout, ran.stdout
    print("good:", twinir.__version__, HOME)


if __name__ == "__main__":
    main()
