# SPDX-License-Identifier: MIT
"""Emission, check, code objects, families and convolutions."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
import twinir
from hypothesis import given, settings
from hypothesis import strategies as st
from twinir import families

SAXPY = families.saxpy().build("gfx1250")
ROOT = Path(__file__).resolve().parents[2]


def test_both_engines_and_the_golden() -> None:
    import hashlib

    for flavor in twinir.flavors():
        if not flavor.file or not (ROOT / "golden" / flavor.name).is_dir():
            continue
        text = SAXPY.emit(flavor.name, engine="python")
        shard = json.loads((ROOT / "golden" / flavor.name / "saxpy.json").read_text())
        assert shard["cases"]["gfx1250/saxpy_f32_b256"] == hashlib.sha256(text.encode()).hexdigest()
        if flavor.installed:
            assert SAXPY.emit(flavor.name) == text


def test_check() -> None:
    done = SAXPY.check()
    assert {v.flavor for v in done.verdicts} >= {f"llvm{n}" for n in range(19, 25)}
    assert {v.verdict for v in done.verdicts} <= {"identical", "python alone"}
    assert [v.verdict for v in SAXPY.check([22]).verdicts] == ["identical"]
    assert "identical" in repr(done)


def test_check_sees_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    from twinir import _parity

    honest = _parity.emit
    monkeypatch.setattr(_parity, "emit", lambda j, f, e: honest(j, f, e).replace("fma", "FMA", e == "python"))
    with pytest.raises(twinir.Error, match="TIR6007") as caught:
        SAXPY.check([22])
    assert "-" in caught.value.found and "+" in caught.value.found


def test_compile_and_asm(tmp_path: Path) -> None:
    done = SAXPY.compile("gfx1250")
    assert (done.arch, done.spills, done.scratch_bytes) == ("gfx1250", 0, 0)
    assert 0 < done.vgprs < 32 and done.data[:4] == b"\x7fELF"
    done.save(tmp_path / "saxpy.hsaco")
    assert (tmp_path / "saxpy.hsaco").read_bytes() == done.data
    assert "v_fma" in SAXPY.asm() or "v_fmac" in SAXPY.asm()
    with pytest.raises(twinir.Error, match="TIR4008"):
        SAXPY.compile("gfx950")


@pytest.mark.parametrize(
    "use", [lambda: SAXPY.emit(18), lambda: SAXPY.emit("rocm"), lambda: SAXPY.emit(22, engine="rust")]
)
def test_what_is_not_there(use: object) -> None:
    with pytest.raises(twinir.Error, match=r"TIR3002|TIR7001"):
        use()  # type: ignore[operator]


def test_freeze(tmp_path: Path) -> None:
    SAXPY.freeze(tmp_path / "saxpy.json")
    assert twinir.Kernel.load(tmp_path / "saxpy.json") == SAXPY
    with pytest.raises(twinir.Error, match="TIR7002"):
        SAXPY.freeze(tmp_path / "no" / "saxpy.json")
    with pytest.raises(twinir.Error, match="TIR1014"):
        twinir.Kernel.from_json("{}")


def test_every_family() -> None:
    for name in families.names():
        made = families.find(name)
        assert made.__doc__ and made().kernel_name.startswith(name)
        for spec in families.gate_specs(name)[:2]:
            assert spec.build("gfx1250").name == spec.kernel_name


def test_specs() -> None:
    spec = families.winograd_input(tile="f4x4", vec=2)
    assert spec == families.winograd_input(tile="f4x4", vec=2) and spec.vec == 2
    assert spec.launch("convfp16 -n 1 -c 64 -H 14 -W 14 -k 64 -p 1 -q 1")["block"] == [256, 1, 1]
    with pytest.raises(twinir.Error, match="TIR2003"):
        families.winograd_input(tile="f9x9")
    with pytest.raises(TypeError):
        families.saxpy(blocks=3)
    with pytest.raises(AttributeError, match="saxpy"):
        _ = families.sapxy
    assert families.saxpy(block=33).refusals()
    with pytest.raises(twinir.Error, match="TIR2003"):
        families.saxpy(block=33).build()


def reference(x: np.ndarray, w: np.ndarray, padding: int, dilation: int, groups: int) -> np.ndarray:
    n, c, h, wide = x.shape
    k = w.shape[0]
    p = np.pad(x.astype(float), ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    ho, wo = h + 2 * padding - 2 * dilation, wide + 2 * padding - 2 * dilation
    y = np.zeros((n, k, ho, wo))
    for g in range(groups):
        cs, ks = slice(g * c // groups, (g + 1) * c // groups), slice(g * k // groups, (g + 1) * k // groups)
        for i in range(3):
            for j in range(3):
                window = p[:, cs, i * dilation : i * dilation + ho, j * dilation : j * dilation + wo]
                y[:, ks] += np.einsum("nchw,kc->nkhw", window, w[ks, :, i, j].astype(float))
    return y


@pytest.mark.parametrize(
    "tile, padding, dilation, groups, layout",
    [("f4x4", 1, 1, 1, "NCHW"), ("f2x2", 0, 1, 2, "NHWC"), ("f6x4", 2, 2, 1, "NCHW")],
)
def test_conv2d(tile: str, padding: int, dilation: int, groups: int, layout: str) -> None:
    rng = np.random.default_rng(5)
    x = rng.standard_normal((2, 16, 11, 13)).astype(np.float16)
    w = (rng.standard_normal((8, 16 // groups, 3, 3)) * 0.1).astype(np.float16)
    choices = {"padding": padding, "dilation": dilation, "groups": groups, "tile": tile}
    plan = twinir.plan_conv2d(x.shape, w.shape, **choices)
    if layout == "NCHW":
        y = twinir.conv2d(x, w, **choices)
    else:
        y = twinir.conv2d(x.transpose(0, 2, 3, 1), w.transpose(0, 2, 3, 1), layout="NHWC", **choices).transpose(
            0, 3, 1, 2
        )
    exact = reference(x, w, padding, dilation, groups)
    assert y.shape == exact.shape and y.dtype == np.float16
    assert np.abs(y - exact).max() / max(np.abs(exact).max(), 1) <= plan.goal[0]
    assert "K2" in repr(plan) and plan.workspace_bytes > 0


def test_conv2d_refusals() -> None:
    x, w = np.zeros((1, 4, 8, 8), np.float16), np.zeros((8, 4, 3, 3), np.float16)
    for call, code in [
        (lambda: twinir.conv2d(x, w.astype(np.float32)), "TIR2018"),
        (lambda: twinir.conv2d(x.astype(np.float32), w.astype(np.float32)), "TIR2013"),
        (lambda: twinir.conv2d(x[0], w), "TIR2008"),
        (lambda: twinir.conv2d(x.astype(">f2"), w.astype(">f2")), "TIR2013"),
        (lambda: twinir.conv2d(x.tolist(), w), "TIR2018"),
        (lambda: twinir.conv2d(x, w[:, :3]), "TIR2010"),
        (lambda: twinir.conv2d(x, w, stride=2), "TIR2007"),
        (lambda: twinir.conv2d(x, w, layout="CHWN"), "TIR2011"),
        (lambda: twinir.conv2d(x, w, tile="f3x3"), "TIR2003"),
    ]:
        with pytest.raises(twinir.Error, match=code):
            call()


# -- random expressions, against numpy

INTEGER = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}


def expression(rng: random.Random, leaves: list, depth: int) -> object:
    """The same tree over kernel values and over numpy arrays: a pair."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(leaves)
    a, b = expression(rng, leaves, depth - 1), expression(rng, leaves, depth - 1)
    op = INTEGER[rng.choice(sorted(INTEGER))]
    if rng.random() < 0.3:
        number = rng.randrange(-1000, 1000)
        return op(a[0], number), op(a[1], np.int32(number))
    if rng.random() < 0.2:
        return twinir.select(a[0] < b[0], a[0], b[0]), np.where(a[1] < b[1], a[1], b[1])
    return op(a[0], b[0]), op(a[1], b[1])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1 << 32))
def test_random_expressions(seed: int) -> None:
    rng = random.Random(seed)
    k = twinir.KernelBuilder("random", "gfx1250", 64)
    x, y = k.global_in("x", twinir.i32), k.global_out("y", twinir.i32)
    i = k.workitem()
    given_x = np.random.default_rng(seed).integers(-(1 << 31), 1 << 31, 64).astype(np.int32)
    with np.errstate(over="ignore"):
        value, expected = expression(rng, [(i, np.arange(64, dtype=np.int32)), (x[i], given_x)], 6)  # type: ignore[misc]
    y[i] = value
    kernel = k.finish()
    out = np.zeros(64, np.int32)
    kernel.launch(1, given_x, out)
    assert np.array_equal(out, expected)
    if seed % 8 == 0:
        kernel.check([19, 22, 24])
