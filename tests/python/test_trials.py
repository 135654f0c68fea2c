# SPDX-License-Identifier: MIT
"""Inputs from public reports, each with its right answer: aborting LLVMs (18), conversions and contraction (29), arrays
(33), messages (34)."""

from __future__ import annotations

import multiprocessing
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import twinir
from twinir import In, Out, bf16, f16, f32, fma, fpcast, i8, i16, i32, i64

# 18: LLVM aborts the whole process


def rounded(arch: str = "gfx1250") -> twinir.Kernel:
    """Four f32, rounded to a vector of bf16 and stored as one: LLVM 21 does not survive it."""

    @twinir.kernel(arch=arch, workgroup=64)
    def to_bf16(k, x: In[f32, 16], y: Out[bf16, 8]):
        i = k.workitem() * 4
        y.store(i, fpcast(x.load(i, f32.vec(4), align=16), bf16.vec(4)), align=8)

    return to_bf16


def test_a_store_that_llvm_21_does_not_survive() -> None:
    compiled = 0
    for flavor in twinir.flavors():
        if "gfx1250" not in flavor.compiles or not flavor.installed:
            continue
        if flavor.name == "llvm21":
            with pytest.raises(twinir.Error, match=r"TIR4003.*bfloat.*llvm21"):
                rounded().compile(flavor=flavor.name)
        else:
            compiled += len(rounded().compile(flavor=flavor.name).data) > 0
        assert len(rounded("gfx1150").compile(flavor=flavor.name).data) > 0, "the next compile works"
    assert compiled > 0


def test_a_target_that_llvm_19_does_not_know() -> None:
    with pytest.raises(twinir.Error, match="gfx1250") as caught:
        rounded().compile(flavor="llvm19")
    assert "llvm19" in str(caught.value)
    with pytest.raises(twinir.Error, match=r"TIR1016.*gfx9999"):
        rounded("gfx9999")
    assert len(rounded("gfx1150").compile(flavor="llvm19").data) > 0


# 29: f32 to bf16, contraction, max

BITS = [0x7F800001, 0x7FFF8C22, 0xFFFFFFFF, 0x7F7FFFFF, 0x7F7F7FFF, 0x3F808000, 0x3F808001, 0x3F818000, 0x3E89CCD5,
        0x00000001, 0x00018000, 0x807FFFFF]  # fmt: skip
ROUNDED = [None, None, None, 0x7F80, 0x7F7F, 0x3F80, 0x3F81, 0x3F82, 0x3E8A, 0x0000, 0x0002, 0x8080]


def test_rounding_to_bf16() -> None:
    @twinir.kernel(workgroup=32)
    def to_bf16(k, x: In[f32], y: Out[i16]):
        i = k.workitem()
        y[i] = twinir.bitcast(fpcast(x[i], bf16), i16)

    x, y = np.zeros(32, np.uint32), np.zeros(32, np.uint16)
    x[: len(BITS)] = BITS
    to_bf16.launch(1, x.view(np.float32), y)
    ml_dtypes = pytest.importorskip("ml_dtypes")
    theirs = x.view(np.float32).astype(ml_dtypes.bfloat16).view(np.uint16)
    for bits, expected, ours, numpys in zip(BITS, ROUNDED, y.tolist(), theirs.tolist()):
        if expected is None:
            assert ours & 0x7F80 == 0x7F80 and ours & 0x7F, f"{bits:08x} is no NaN any more: {ours:04x}"
        else:
            assert ours == expected == numpys, f"{bits:08x}: {ours:04x}"


@pytest.mark.parametrize("contracted, difference", [(False, 0.0), (True, 4.470348e-07)])
def test_contraction_only_where_it_is_asked_for(contracted: bool, difference: float) -> None:
    @twinir.kernel(workgroup=32)
    def residue(k, a: f32, b: f32, y: Out[f32]):
        p = a * b
        y[k.workitem()] = fma(a, b, -p) if contracted else a * b - p

    y = np.full(32, 7, np.float32)
    residue.launch(1, np.float32(0.1), np.float32(300), y)
    assert np.allclose(y, difference, rtol=1e-6, atol=0)


def test_the_four_maxima() -> None:
    @twinir.kernel(workgroup=32)
    def maxima(k, a: f32, b: f32, y: Out[f32]):
        with k.if_(k.workitem() == 0):
            y[0], y[1] = twinir.maxnum(a, b), twinir.maximumnum(a, b)
            y[2], y[3] = twinir.minnum(a, b), twinir.minimumnum(a, b)

    for a, b in ((np.nan, 1.0), (1.0, np.nan)):
        y = np.zeros(4, np.float32)
        maxima.launch(1, a, b, y)
        assert list(y) == [1, 1, 1, 1], "the other operand, whatever the order"
    for a, b in ((-0.0, 0.0), (0.0, -0.0)):
        y = np.zeros(4, np.float32)
        maxima.launch(1, a, b, y)
        assert not np.signbit(y[1]) and np.signbit(y[3]), "the -num forms order the zeros"


# 33: arrays


@twinir.kernel(workgroup=64)
def doubled(k, x: In[f32], y: Out[f32], n: i32):
    i = k.global_id()
    with k.if_(i < n):
        y[i] = x[i] * 2.0


def run(x: Any, y: Any = None, n: Any = None) -> np.ndarray:
    size = int(np.size(x))
    y = np.zeros(size, np.float32) if y is None else y
    doubled.launch(max(1, -(-size // 64)), x, y, size if n is None else n)
    return np.asarray(y)


GRID = np.arange(48, dtype=np.float32).reshape(6, 8)
FIELDS = np.zeros(10, np.dtype({"names": ["h", "f"], "formats": ["<u2", "<f4"], "offsets": [0, 2], "itemsize": 6}))
FIELDS["f"] = np.arange(10)

READ = {
    "negative stride": GRID[:, ::-1],
    "transposed": GRID.T,
    "every second": GRID.reshape(-1)[::2],
    "a field with a stride of 6 bytes": FIELDS["f"],
    "Fortran order": np.asfortranarray(GRID),
    "read-only": np.broadcast_to(np.float32(3), (5, 4)),
    "no dimension": np.array(3, np.float32),
}


@pytest.mark.parametrize("name", READ)
def test_arrays_that_are_read(name: str) -> None:
    x = READ[name]
    assert np.array_equal(run(x), np.ascontiguousarray(x).reshape(-1) * 2)


def test_the_same_memory_in_another_order() -> None:
    """It is read as a copy, in its own order."""
    y = np.arange(48, dtype=np.float32)
    assert np.array_equal(run(y[::-1], y), np.arange(48)[::-1] * 2)


def test_nothing_to_do() -> None:
    x = np.zeros((0, 3, 4, 4), np.float32)
    assert run(x, np.zeros_like(x), 0).size == 0


Y = np.zeros(48, np.float32)
REFUSED = {
    "big-endian": (lambda: run(GRID.astype(">f4")), "big-endian.*'x'"),
    "big-endian output": (lambda: run(GRID, np.zeros(48, ">f4")), "big-endian.*'y'"),
    "a read-only output": (lambda: run(GRID, np.broadcast_to(np.float32(0), 48)), "'y' that is not writable"),
    "a strided output": (lambda: run(GRID, np.zeros(96, np.float32)[::2]), "'y' that is not contiguous"),
    "the input as output": (lambda: run(Y, Y), "'x' and 'y'"),
    "a part of the input as output": (lambda: run(Y, Y[8:], 40), "'x' and 'y'"),
    "float64": (lambda: run(GRID.astype(np.float64)), "float64 for 'x'.*f32"),
    "a list": (lambda: run([1.0, 2.0]), "list for 'x'"),
    "a number for an array": (lambda: run(2.0), "float for 'x'"),
    "a number too large": (lambda: run(GRID, None, np.int64(2**31)), "2147483648.*'n'"),
    "a float for an integer": (lambda: run(GRID, None, np.float32(3)), "float32 for 'n'"),
    "an array for a number": (lambda: run(GRID, None, np.array([3, 4])), "ndarray for 'n'"),
    "objects": (lambda: run(np.array([None] * 4)), "object for 'x'"),
    "text": (lambda: run(np.array(["a", "b"])), "'x'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_arrays_that_are_refused(name: str) -> None:
    use, words = REFUSED[name]
    with pytest.raises(twinir.Error, match="TIR5002.*" + words) as caught:
        use()
    assert caught.value.file == __file__
    assert not Y.any()


def test_integers_of_numpy() -> None:
    y = np.zeros(48, np.float32)
    for n in (np.int32(5), np.int64(48), np.uint8(3), np.array(4)):
        run(GRID, y, n)
    assert np.array_equal(y, GRID.reshape(-1) * 2)


def test_bits_of_unsigned_numbers() -> None:
    @twinir.kernel(workgroup=32)
    def words(k, a: i32, b: i64, y: Out[i64]):
        with k.if_(k.workitem() == 0):
            y[0], y[1] = twinir.sext(a, i64), b

    y = np.zeros(2, np.int64)
    words.launch(1, np.uint32(0xDEADBEEF), np.uint64(2**64 - 1), y)
    assert list(y) == [0xDEADBEEF - 2**32, -1]


def test_a_vector_is_no_argument() -> None:
    k = twinir.KernelBuilder("vector", "gfx1250", 64)
    a, y = k.arg("a", f32.vec(4)), k.global_out("y", f32.vec(4))
    y[k.workitem()] = a
    with pytest.raises(twinir.Error, match=r"TIR5002.*'a' of type v4f32"):
        k.finish().launch(1, 2.0, np.zeros((64, 4), np.float32))


def test_many_kernels_that_do_not_live_on() -> None:
    """Each launch gives its memory back, also when the C++ emitter ran before the first one."""
    code = """
import numpy as np, twinir
from twinir import In, Out, i32
for j in range(40):
    @twinir.kernel(workgroup=64)
    def add(k, x: In[i32], y: Out[i32]):
        y[k.workitem()] = x[k.workitem()] + j
    add.emit(22)
    y = np.zeros(64, np.int32)
    add.launch(1, np.zeros(64, np.int32), y)
    assert np.all(y == j)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_no_double_is_rounded_silently_to_half() -> None:
    @twinir.kernel(workgroup=64)
    def halves(k, x: In[f16], y: Out[f16]):
        y[k.workitem()] = x[k.workitem()]

    x = np.arange(64, dtype=np.float64)
    with pytest.raises(twinir.Error, match=r"float64 for 'x'.*f16"):
        halves.launch(1, x, np.zeros(64, np.float16))


def test_words_that_are_meant_as_bf16() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")

    @twinir.kernel(workgroup=64)
    def widen(k, x: In[bf16], y: Out[f32]):
        y[k.workitem()] = fpcast(x[k.workitem()], f32)

    bits, y = np.full(64, 0x4049, np.uint16), np.zeros(64, np.float32)
    with pytest.raises(twinir.Error, match=r"uint16 for 'x'.*bf16.*view\(ml_dtypes.bfloat16\)"):
        widen.launch(1, bits, y)
    widen.launch(1, bits.view(ml_dtypes.bfloat16), y)
    assert np.all(y == 3.140625)


def test_an_array_that_nobody_else_holds() -> None:
    """The launch keeps it while it runs, in whatever thread."""
    sums: list[float] = []

    def work() -> None:
        y = np.zeros(1 << 16, np.float32)
        doubled.launch(1 << 10, np.ones(1 << 16, np.float32), y, 1 << 16)
        sums.append(float(y.sum()))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sums == [1 << 17] * 4


# 34: messages


def branch_value_used_outside(k: Any, y: Any, i: Any) -> None:
    with k.if_(i > 3):
        inner = y[i]  # the line that is named
    y[i] = inner
    k.finish()


def builder_used_after_its_end(k: Any, y: Any, i: Any) -> None:
    k.finish()
    y[i] = 1


MESSAGES: list[tuple[str, Callable[[Any, Any, Any], object], str]] = [
    ("TIR1015", lambda k, y, i: k.for_(0, 2.0).__enter__(), "2.0.*i32|i32.*2.0|float"),
    ("TIR1003", lambda k, y, i: twinir.add(i, twinir.sitofp(i, f32)), "i32.*f32|f32.*i32"),
    ("TIR1003", lambda k, y, i: y.store(i, twinir.sitofp(i, f32)), "f32.*i32"),
    ("TIR1012", lambda k, y, i: i + twinir.KernelBuilder("other").workitem(), "other"),
    ("TIR1006", branch_value_used_outside, "outside the region.*(?s:.*)the line that is named"),
    ("TIR1023", lambda k, y, i: (k._begin_if(i > 3), k.finish()), "if"),
    ("TIR1003", lambda k, y, i: y.load_if(twinir.vector_of([i > 0, i > 1]), i, 0), "v2i1"),
    ("TIR1011", builder_used_after_its_end, "finish"),
]


@pytest.mark.parametrize("code, body, words", MESSAGES, ids=[str(n) for n in range(len(MESSAGES))])
def test_messages(code: str, body: Callable[[Any, Any, Any], object], words: str) -> None:
    k = twinir.KernelBuilder("wrong", "gfx1250", 64)
    y = k.global_inout("y", i32)
    with pytest.raises(twinir.Error, match=words) as caught:
        body(k, y, k.workitem())
    assert caught.value.code == code
    assert caught.value.file == __file__ and caught.value.line
    assert caught.value.action


def test_a_float_does_not_fit_bytes_by_accident() -> None:
    """Bytes take any value on purpose: what is stored is its bits, never a converted number."""

    @twinir.kernel(workgroup=32)
    def bits(k, x: In[f32], y: Out[i8, 4]):
        y.store(k.workitem() * 4, x[k.workitem()], align=4)

    x, y = np.linspace(-1, 1, 32, dtype=np.float32), np.zeros(128, np.uint8)
    bits.launch(1, x, y)
    assert np.array_equal(y.view(np.float32), x)


def test_a_pure_value_of_a_branch_is_a_value_everywhere() -> None:
    """Arithmetic belongs to no branch: it is computed where it is used."""

    @twinir.kernel(workgroup=64)
    def hoisted(k, y: Out[i32]):
        i = k.workitem()
        with k.if_(i > 3):
            inner = i * 2
            y[i] = inner
        y[i] = inner

    y = np.zeros(64, np.int32)
    hoisted.launch(1, y)
    assert np.array_equal(y, np.arange(64) * 2)


def test_a_method_that_does_not_exist() -> None:
    k = twinir.KernelBuilder("misspelt", "gfx1250", 64)
    with pytest.raises(AttributeError, match="'KernelBuilder' object has no attribute 'wrokitem'"):
        k.wrokitem()


def fails_in_a_worker(_: int) -> None:
    k = twinir.KernelBuilder("worker", "gfx1250", 64)
    k.workitem() + twinir.sitofp(k.workitem(), f32)


def test_errors_travel_between_processes() -> None:
    with pytest.raises(twinir.Error) as here:
        fails_in_a_worker(0)
    again = pickle.loads(pickle.dumps(here.value))
    assert str(again) == str(here.value) and vars(again) == vars(here.value)
    with multiprocessing.get_context("spawn").Pool(1) as pool, pytest.raises(twinir.Error) as there:
        pool.map(fails_in_a_worker, [0])
    assert str(there.value) == str(here.value)


def test_a_type_that_changes_in_a_loop() -> None:
    k = twinir.KernelBuilder("carried", "gfx1250", 64)
    with pytest.raises(twinir.Error, match=r"TIR1003.*(i32.*f32|f32.*i32)"), k.loop(0, 4, carry=[k.workitem()]) as loop:
        loop.next(twinir.sitofp(loop.values[0], f32))


def test_a_type_that_changes_in_a_branch() -> None:
    k = twinir.KernelBuilder("arms", "gfx1250", 64)
    with pytest.raises(twinir.Error, match=r"TIR1003.*(i32.*f32|f32.*i32)"), k.if_else(k.workitem() > 3) as arms:
        arms.give(k.workitem())
        arms.otherwise()
        arms.give(twinir.sitofp(k.workitem(), f32))
