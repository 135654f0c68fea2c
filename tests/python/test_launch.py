# SPDX-License-Identifier: MIT
"""Launches over numpy: results in place, and every fault with its lane."""

from __future__ import annotations

import array
import threading

import numpy as np
import pytest
import twinir
from twinir import In, InOut, Out, f16, f32, fma, fpcast, i8, i32


@twinir.kernel(workgroup=64)
def saxpy(k, x: In[f32], y: InOut[f32], a: f32, n: i32):
    with k.for_(k.global_id(), n, k.global_size()) as i:
        y[i] = fma(a, x[i], y[i])


def data(n: int = 1000) -> tuple[np.ndarray, np.ndarray]:
    return np.arange(n, dtype=np.float32), np.ones(n, np.float32)


@pytest.mark.parametrize("checked", [True, False])
def test_in_place(checked: bool) -> None:
    x, y = data()
    done = saxpy.launch(4, x, y, 2.0, 1000, checked=checked)
    assert np.array_equal(y, 2 * x + 1)
    assert done.work_items == 256 and (done.checks > 0) == checked


def test_by_name_and_three_extents() -> None:
    x, y = data()
    saxpy.launch((4, 1, 1), x, y, n=1000, a=np.float32(2))
    assert np.array_equal(y, 2 * x + 1)


def test_threads_and_lane_order_change_nothing() -> None:
    answers = []
    for threads, order in ((1, 0), (2, 7), (0, 12345)):
        x, y = data()
        saxpy.launch(4, x, y, 0.3, 1000, threads=threads, lane_order=order)
        answers.append(y.tobytes())
    assert len(set(answers)) == 1


def test_the_buffer_protocol_and_dlpack() -> None:
    class Exported:
        """An array that speaks DLPack only."""

        def __init__(self, inner: np.ndarray) -> None:
            self.inner = inner

        def __dlpack__(self, **options: object) -> object:
            return self.inner.__dlpack__(**options)

        def __dlpack_device__(self) -> tuple[int, int]:
            return self.inner.__dlpack_device__()

    x, y = data()
    other = array.array("f", [1.0] * 1000)
    saxpy.launch(4, Exported(x), other, 2.0, 1000)
    assert np.array_equal(np.asarray(other), 2 * x + 1)
    saxpy.launch(4, x, Exported(y), 2.0, 1000)
    assert np.array_equal(y, 2 * x + 1)


def test_an_out_parameter_keeps_what_is_not_written() -> None:
    @twinir.kernel(workgroup=64)
    def half(k, y: Out[i32]):
        with k.if_(k.workitem() < 32):
            y[k.workitem()] = 5

    y = np.arange(64, dtype=np.int32)
    half.launch(1, y)
    assert list(y[30:34]) == [5, 5, 32, 33]


def test_strided_input_is_copied() -> None:
    x, y = data(2000)
    y = np.ones(1000, np.float32)
    saxpy.launch(4, x[::2], y, 1.0, 1000)
    assert np.array_equal(y, x[::2] + 1)


def test_bfloat16_and_fp8() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")

    @twinir.kernel(workgroup=64)
    def widen(k, x: In[twinir.bf16], y: Out[f32]):
        y[k.workitem()] = fpcast(x[k.workitem()], f32)

    x = np.linspace(-3, 3, 64).astype(ml_dtypes.bfloat16)
    y = np.zeros(64, np.float32)
    widen.launch(1, x, y)
    assert np.array_equal(y, x.astype(np.float32))

    @twinir.kernel(arch="gfx1250", workgroup=64)
    def unpack(k, x: In[i8, 4], y: Out[f32]):
        word = x.as_type(i32)[k.workitem()]
        for byte in range(4):
            y[k.workitem() * 4 + byte] = twinir.fp8_to_f32(word, byte)

    x = np.linspace(-3, 3, 256).astype(ml_dtypes.float8_e4m3fn)
    y = np.zeros(256, np.float32)
    unpack.launch(1, x, y)
    assert np.array_equal(y, x.astype(np.float32))


def fault(code: str, kernel: twinir.Kernel, *args: object, grid: int = 1) -> twinir.Error:
    before = [a.copy() for a in args if isinstance(a, np.ndarray)]
    with pytest.raises(twinir.Error) as caught:
        kernel.launch(grid, *args)
    assert caught.value.code == code
    assert "lane" in str(caught.value) and caught.value.file == __file__
    after = [a for a in args if isinstance(a, np.ndarray)]
    assert all(np.array_equal(a, b) for a, b in zip(before, after)), "a faulty launch changes nothing"
    return caught.value


def test_out_of_bounds() -> None:
    x, y = data()
    error = fault("TIR5003", saxpy, x, y[:100], 2.0, 1000)
    assert "buffer 'y' of 400 bytes" in str(error)
    assert "y[i] = fma(a, x[i], y[i]))" in str(error), "the kernel's own line"


def test_a_fault_in_a_store_names_its_line() -> None:
    @twinir.kernel(workgroup=64)
    def beyond(k, y: Out[f32]):
        i = k.workitem()
        y[i + 1] = 2.0

    assert "y[i + 1] = 2.0)" in str(fault("TIR5003", beyond, np.zeros(64, np.float32)))


def test_uninitialised() -> None:
    @twinir.kernel(workgroup=64)
    def unset(k, y: Out[f32]):
        tile = k.lds("tile", f32, 64)
        y[k.workitem()] = tile[k.workitem()]

    fault("TIR5004", unset, np.zeros(64, np.float32))


def test_race() -> None:
    @twinir.kernel(workgroup=64)
    def race(k, y: Out[f32]):
        tile = k.lds("tile", f32, 64)
        i = k.workitem()
        tile[i] = 1.0
        k.barrier()
        tile[i] = 2.0
        y[i] = tile[63 - i]

    fault("TIR5005", race, np.zeros(64, np.float32))


def test_an_assertion() -> None:
    @twinir.kernel(workgroup=64)
    def asserted(k, y: Out[i32]):
        i = k.workitem()
        k.assert_that(i < 60, "few_items")
        y[i] = i

    assert "few_items" in str(fault("TIR5014", asserted, np.zeros(64, np.int32)))


ARRAYS = [
    (lambda x, y: (x, y, 2.0), "one for each of x, y, a, n"),
    (lambda x, y: (x, y, 2.0, 1000, 3), "one for each"),
    (lambda x, y: (x, y.astype(np.float64), 2.0, 1000), "float64 for 'y'"),
    (lambda x, y: (x.astype(np.int32), y, 2.0, 1000), "int32 for 'x'"),
    (lambda x, y: (x, np.ones(2000, np.float32)[::2], 2.0, 1000), "not contiguous"),
    (lambda x, y: (x, np.broadcast_to(np.float32(1), (1000,)), 2.0, 1000), "not "),
    (lambda x, y: ("text", y, 2.0, 1000), "str for 'x'"),
    (lambda x, y: (x, y, None, 1000), "NoneType for 'a'"),
    (lambda x, y: (x, y, 2.0, 10.5), "float for 'n'"),
]


@pytest.mark.parametrize("arguments, words", ARRAYS)
def test_arguments_that_do_not_fit(arguments: object, words: str) -> None:
    with pytest.raises(twinir.Error, match="TIR5002") as caught:
        saxpy.launch(4, *arguments(*data()))  # type: ignore[operator]
    assert words in str(caught.value)


@pytest.mark.parametrize("grid", [0, -1, (1, 1, 1, 1), (), 1 << 31, 1.5, (1, 2.9), "1", None])
def test_grids_that_do_not_fit(grid: object) -> None:
    with pytest.raises(twinir.Error, match="TIR5002"):
        saxpy.launch(grid, *data(), 2.0, 1000)  # type: ignore[arg-type]


def test_many_threads_at_once() -> None:
    kernel = twinir.Kernel.from_json(saxpy.json)
    answers: list[bytes] = []

    def work(seed: int) -> None:
        x, y = data()
        kernel.launch(4, x, y, 2.0, 1000)
        kernel.emit(22, engine="python")
        kernel.compile()
        answers.append(y.tobytes())

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(answers) == 8 and len(set(answers)) == 1


def test_half_precision_kernel() -> None:
    @twinir.kernel(workgroup=64)
    def halves(k, x: In[f32], y: Out[f16]):
        y[k.workitem()] = fpcast(x[k.workitem()], f16)

    x = np.linspace(-1, 1, 64, dtype=np.float32)
    y = np.zeros(64, np.float16)
    halves.launch(1, x, y)
    assert np.array_equal(y, x.astype(np.float16))
