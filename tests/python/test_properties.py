# SPDX-License-Identifier: MIT
"""Random arrays, loops, specs and frozen kernels through the package, each against what numpy says."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import twinir
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from twinir import In, Out, families, i32

TYPES = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "f16": np.float16, "f32": np.float32,
         "f64": np.float64}  # fmt: skip
EXAMPLES = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def copies(type_name: str) -> twinir.Kernel:
    element = twinir.Type(type_name)

    @twinir.kernel(workgroup=64, name=f"copy_{type_name}")
    def copy(k, x: In[element], y: Out[element], n: i32):  # type: ignore[valid-type]
        with k.for_(k.global_id(), n, k.global_size()) as i:
            y[i] = x[i]

    return copy


#: that know gfx1250's operations
INSTALLED = [f.name for f in twinir.flavors() if f.installed and "gfx1250" in f.compiles]
COPIES = {name: copies(name) for name in TYPES}


@st.composite
def views(draw: st.DrawFn) -> tuple[str, np.ndarray]:
    """An array of some type and up to three dimensions: a view with steps of either sign, its axes in any order."""
    name = draw(st.sampled_from(sorted(TYPES)))
    shape = draw(st.lists(st.integers(0, 9), min_size=1, max_size=3))
    base = np.random.default_rng(draw(st.integers(0, 99))).integers(-100, 100, shape).astype(TYPES[name])
    steps = [slice(None, None, draw(st.sampled_from([1, 2, 3, -1, -2]))) for _ in shape]
    return name, base[tuple(steps)].transpose(draw(st.permutations(range(len(shape)))))


@EXAMPLES
@given(views(), st.integers(1, 5), st.integers(0, 1 << 30))
def test_any_view_is_read_in_its_own_order(view: tuple[str, np.ndarray], groups: int, order: int) -> None:
    name, x = view
    y = np.full(x.size, 77, TYPES[name])
    COPIES[name].launch(groups, x, y, x.size, lane_order=order)
    assert np.array_equal(y, np.ascontiguousarray(x).reshape(-1))


@EXAMPLES
@given(st.lists(st.integers(-(2**31), 2**31 - 1), min_size=64, max_size=64), st.integers(0, 7), st.integers(1, 3))
def test_loops_with_bounds_of_the_lane(words: list[int], first: int, step: int) -> None:
    """Sums of x over a range that every lane has for itself."""

    @twinir.kernel(workgroup=64, name=f"ranges_{first}_{step}")
    def ranges(k, x: In[i32], y: Out[i32]):
        i = k.workitem()
        with k.loop(first, i, step=step, carry=[k.constant(i32, 0)]) as loop:
            loop.next(loop.values[0] + x[loop.i])
        y[i] = loop.results[0]

    x, y = np.array(words, np.int64).astype(np.int32), np.zeros(64, np.int32)
    ranges.launch(1, x, y)
    expected = [int(np.sum(x[first:i:step], dtype=np.int64)) for i in range(64)]
    assert np.array_equal(y, np.array(expected, np.int64).astype(np.int32))


def random_spec(family: str, draw: st.DataObject) -> families.Spec:
    """A spec of the gate with one field of another one: often refused, never a crash."""
    specs = families.gate_specs(family)
    spec, other = draw.draw(st.sampled_from(specs)), draw.draw(st.sampled_from(specs))
    field = draw.draw(st.sampled_from(dataclasses.fields(spec))).name
    return dataclasses.replace(spec, **{field: getattr(other, field)})


@pytest.mark.skipif(not INSTALLED, reason="no LLVM for gfx1250 is installed")
@EXAMPLES
@given(st.data())
def test_specs_build_or_are_refused(tmp_path: Path, data: st.DataObject) -> None:
    """What builds is emitted alike by both engines and comes back from its file; what does not says why."""
    try:
        kernel = random_spec(data.draw(st.sampled_from(families.names())), data).build("gfx1250")
    except twinir.Error as error:
        assert error.code.startswith("TIR") and error.found and error.expected and error.action
        return
    flavor = data.draw(st.sampled_from(INSTALLED))
    assert kernel.emit(flavor, engine="cpp") == kernel.emit(flavor, engine="python")
    path = tmp_path / "kernel.json"
    kernel.freeze(path)
    assert twinir.Kernel.load(path) == kernel
