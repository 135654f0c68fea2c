# SPDX-License-Identifier: MIT
"""Authoring from Python: the same kernels as from C++, and errors at the author's own line."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import pytest
import twinir
from twinir import In, InOut, Out, f16, f32, fma, i32, i64, select


@twinir.kernel(arch="gfx1250", workgroup=256, name="saxpy_f32_b256")
def saxpy(k, x: In[f32], y: InOut[f32], a: f32, n: i32):
    with k.for_(k.global_id(), n, k.global_size()) as i:
        y[i] = fma(a, x[i], y[i])


def test_the_same_bytes_as_the_family() -> None:
    assert saxpy.json == twinir.families.saxpy().build("gfx1250").json


def test_repr_and_notebook() -> None:
    assert repr(saxpy).startswith("kernel saxpy_f32_b256 for gfx1250, 256 items")
    assert saxpy._repr_html_().startswith("<pre>kernel saxpy_f32")
    assert saxpy.params[3] == {"name": "n", "type": "i32", "kind": "value"}
    assert (saxpy.arch, saxpy.block) == ("gfx1250", (256, 1, 1))


def test_builder_and_decorator_agree() -> None:
    k = twinir.KernelBuilder("saxpy_f32_b256", "gfx1250", 256)
    x, y = k.global_in("x", f32), k.global_inout("y", f32)
    a, n = k.arg("a", f32), k.arg("n", i32)
    with k.for_(k.global_id(), n, k.global_size()) as i:
        y[i] = fma(a, x[i], y[i])
    assert k.finish() == saxpy


def one(body: Callable[..., None], n: int = 64) -> np.ndarray:
    """What a kernel of one group writes into y[item], i32."""
    k = twinir.KernelBuilder("one", "gfx1250", n)
    y = k.global_out("y", i32)
    body(k, y, k.workitem())
    out = np.full(n, -7, np.int32)
    k.finish().launch(1, out)
    return out


def test_if() -> None:
    def body(k, y, i):
        with k.if_(i < 10):
            y[i] = i * 2

    assert list(one(body)[8:12]) == [16, 18, -7, -7]


def test_if_else_with_results() -> None:
    def body(k, y, i):
        with k.if_else(i % 2 == 0) as arms:
            arms.give(i, i + 1)
            arms.otherwise()
            arms.give(-i, i + 2)
        a, b = arms.results
        y[i] = a * 100 + b

    item = np.arange(64)
    assert np.array_equal(one(body), np.where(item % 2 == 0, item * 100 + item + 1, -item * 100 + item + 2))


@pytest.mark.parametrize("condition", [True, False])
def test_a_condition_that_is_known(condition: bool) -> None:
    def body(k, y, i):
        with k.if_else(k.constant(twinir.i1, condition)) as arms:
            y[i] = 1
            arms.give(i)
            arms.otherwise()
            y[i] = 2
            arms.give(i * 3)
        y[i] = arms.results[0] + 5
        with k.if_(k.constant(twinir.i1, condition)):
            y[i] = 11

    item = np.arange(64)
    assert np.array_equal(one(body), np.full(64, 11) if condition else item * 3 + 5)


def test_a_loop_with_carried_values() -> None:
    def body(k, y, i):
        with k.loop(0, i, carry=[k.constant(i32, 0), k.constant(i32, 1)]) as loop:
            total, power = loop.values
            loop.next(total + loop.i, power * 3)
        total, power = loop.results
        y[i] = total + power

    expected = [sum(range(n)) + np.int64(3) ** n for n in range(64)]
    assert np.array_equal(one(body), np.array(expected, np.int64).astype(np.int32))


def test_python_loops_unroll() -> None:
    def body(k, y, i):
        total = i
        for step in range(5):
            total = total + step
        y[i] = total

    assert np.array_equal(one(body), np.arange(64) + 10)


def test_operators() -> None:
    def body(k, y, i):
        a = i - 20
        y[i] = (a // 7) + (a % 5) * 10 + ((a >> 1) ^ (i << 2)) + (~a & 3) - (5 - a)

    a = np.arange(64) - 20
    expected = np.trunc(a / 7).astype(int) + np.fmod(a, 5) * 10 + ((a >> 1) ^ ((a + 20) << 2)) + (~a & 3) - (5 - a)
    assert np.array_equal(one(body), expected)


def test_vectors_and_lds() -> None:
    @twinir.kernel(workgroup=64)
    def turn(k, x: In[f32, 16], y: Out[f32, 16]):
        tile = k.lds("tile", f32, 256)
        i = k.workitem()
        tile.store(i * 4, x.load(i * 4, f32.vec(4), align=16), align=16)
        k.barrier()
        v = tile.load((63 - i) * 4, f32.vec(4), align=16)
        y.store(i * 4, twinir.vector_of([v[3], v[2], v[1], v[0]]), align=16)

    x = np.arange(256, dtype=np.float32)
    y = np.zeros(256, np.float32)
    turn.launch(1, x, y)
    assert np.array_equal(y, x[::-1])


REFUSALS = [
    ("TIR1024", lambda k, y, i: bool(i > 3), "k.if_"),
    ("TIR1024", lambda k, y, i: [1, 2, 3][i], "k.for_"),
    ("TIR1024", lambda k, y, i: list(i), "lanes"),
    ("TIR1024", lambda k, y, i: float(i), "fpcast"),
    ("TIR1003", lambda k, y, i: i + twinir.sitofp(i, f32), "convert"),
    ("TIR1003", lambda k, y, i: i / 2, "//"),
    ("TIR1003", lambda k, y, i: twinir.select(i, "a", 1), "convert"),
    ("TIR1003", lambda k, y, i: y[i], "InOut"),
    ("TIR1003", lambda k, y, i: y.store(i, twinir.sitofp(i, f32)), "fpcast"),
    ("TIR1008", lambda k, y, i: i << 32, ""),
    ("TIR1018", lambda k, y, i: i // 0, ""),
    ("TIR1015", lambda k, y, i: k.constant(twinir.i8, 300), ""),
    ("TIR1002", lambda k, y, i: k.arg("y", i32), ""),
    ("TIR1023", lambda k, y, i: k._end_for([]), ""),
    ("TIR1016", lambda k, y, i: twinir.KernelBuilder("x", "gfx1"), "gfx1250"),
    ("TIR1004", lambda k, y, i: twinir.KernelBuilder("x", "gfx1250", 2048), ""),
    ("TIR1012", lambda k, y, i: i + twinir.KernelBuilder("x").workitem(), ""),
]


@pytest.mark.parametrize("code, body, advice", REFUSALS)
def test_refusals(code: str, body: Callable[..., object], advice: str) -> None:
    k = twinir.KernelBuilder("refused", "gfx1250", 64)
    y = k.global_out("y", i32)
    with pytest.raises(twinir.Error) as caught:
        body(k, y, k.workitem())
    assert caught.value.code == code
    assert caught.value.file == __file__
    assert advice in str(caught.value)
    assert all((caught.value.found, caught.value.expected, caught.value.action))


def test_the_line_and_the_caret() -> None:
    with pytest.raises(twinir.Error) as caught:

        @twinir.kernel
        def wrong(k, x: InOut[f32], n: i32):
            x[0] = x[1] + n

    lines = str(caught.value).splitlines()
    assert lines[1].startswith("  test_authoring.py:") and lines[1].endswith("x[0] = x[1] + n")
    if sys.version_info >= (3, 11):
        at = lines[1].index("x[1] + n")
        assert lines[2] == " " * at + "^" * len("x[1] + n")
    else:
        assert set(lines[2]) == {" ", "^"}


def test_a_block_left_open() -> None:
    k = twinir.KernelBuilder("open", "gfx1250", 64)
    k._begin_if(k.workitem() > 3)
    with pytest.raises(twinir.Error, match="TIR1023"):
        k.finish()


def test_nothing_after_finish() -> None:
    k = twinir.KernelBuilder("done", "gfx1250", 64)
    y, i = k.global_out("y", i32), k.workitem()
    k.finish()
    for use in (lambda: i + 1, lambda: k.arg("n", i32), lambda: y.store(i, 1), k.workitem, k.finish):
        with pytest.raises(twinir.Error, match="TIR1011"):
            use()


def test_values_outlive_their_builder() -> None:
    value = twinir.KernelBuilder("gone", "gfx1250", 64).workitem()
    assert (value + 1).type == i32


def test_a_parameter_without_annotation() -> None:
    with pytest.raises(twinir.Error, match="no annotation on parameter 'x'"):

        @twinir.kernel
        def plain(k, x):
            pass


def no_kernel(k, *rest: In[f32]):
    pass


def only_by_name(k, *, x: In[f32]):
    pass


MISTAKES = [
    ("TIR1003", lambda k: k.loop(0, 4, carry=[0]).__enter__(), "k.constant"),
    ("TIR1003", lambda k: k.if_else(k.workitem() > 3).__enter__().give(1), "k.constant"),
    ("TIR1003", lambda k: In[5], r"In\[f32\]"),
    ("TIR1003", lambda k: In["f32"], r"In\[f32\]"),
    ("TIR1003", lambda k: In[f32, 1, 2], r"In\[f32\]"),
    ("TIR1003", lambda k: twinir.kernel(5), "a function"),
    ("TIR1003", lambda k: twinir.kernel(no_kernel), "'rest'"),
    ("TIR1003", lambda k: twinir.kernel(only_by_name), "'x'"),
    ("TIR1004", lambda k: twinir.KernelBuilder("w", "gfx1250", 64.0), "64.0"),
    ("TIR1004", lambda k: twinir.KernelBuilder("w", "gfx1250", None), "None"),
    ("TIR1004", lambda k: twinir.KernelBuilder("w", "gfx1250", (64, -1)), "-1"),
    ("TIR7002", lambda k: twinir.Kernel.load("/nowhere/k.json"), "k.json"),
    ("TIR7002", lambda k: k.finish().freeze("a\0b"), "zero bytes"),
    ("TIR7002", lambda k: k.finish().freeze("/nowhere/k.json"), "k.json"),
    ("TIR2003", lambda k: twinir.families.saxpy(block=float("nan")), "block"),
    ("TIR2003", lambda k: twinir.families.saxpy(block=object()), "block"),
    ("TIR2008", lambda k: twinir.plan_conv2d((1, 4, 8.9, 8), (8, 4, 3, 3)), "8.9"),
    ("TIR2008", lambda k: twinir.plan_conv2d((1, 4, 8, 8), (8, 4, 3, 3), padding="11"), "'11'"),
    ("TIR2008", lambda k: twinir.plan_conv2d((1, 4, 8, 8), (8, 4, 3, 3), padding=(1.7, 1)), "1.7"),
]


@pytest.mark.parametrize("code, use, words", MISTAKES, ids=[str(n) for n in range(len(MISTAKES))])
def test_natural_mistakes(code: str, use: Callable[..., object], words: str) -> None:
    with pytest.raises(twinir.Error, match=words) as caught:
        use(twinir.KernelBuilder("mistaken", "gfx1250", 64))
    assert caught.value.code == code and caught.value.file == __file__


def test_integers_of_numpy_where_integers_are_meant() -> None:
    assert twinir.KernelBuilder("sized", "gfx1250", np.int64(64)).block == (64, 1, 1)
    assert twinir.families.saxpy(block=np.int64(64)).build().block == (64, 1, 1)
    assert twinir.plan_conv2d((1, 4, 8, 8), (8, 4, 3, 3), padding=np.int64(1)).kernels
    assert saxpy.check(22).verdicts[0].flavor == "llvm22"


def test_results_need_both_arms() -> None:
    for condition in (lambda k: k.workitem() < 3, lambda k: k.constant(twinir.i1, True)):
        k = twinir.KernelBuilder("one_arm", "gfx1250", 64)
        with pytest.raises(twinir.Error, match=r"TIR1003.*without an else"), k.if_else(condition(k)) as arms:
            arms.give(k.workitem() + 5)


@pytest.mark.parametrize("other", [None, "a", object(), [1]])
def test_a_comparison_never_answers_without_an_operand(other: object) -> None:
    i = twinir.KernelBuilder("compared", "gfx1250", 64).workitem()
    for compare in (lambda: i == other, lambda: i != other, lambda: other == i):
        with pytest.raises(twinir.Error, match="TIR1003"):
            compare()


def test_functions_that_do_not_run_to_their_end() -> None:
    async def later(k):
        pass

    def yields(k):
        yield k

    for function in (later, yields):
        with pytest.raises(twinir.Error, match=r"TIR1003.*async or yields"):
            twinir.kernel(function)


@pytest.mark.parametrize("element", [f32, i64])
def test_annotations_may_name_what_is_local(element: twinir.Type) -> None:
    @twinir.kernel(workgroup=64)
    def local(k, x: In[element]):  # type: ignore[valid-type]
        pass

    assert local._elements["x"] == element


def test_an_annotation_with_a_wrong_name() -> None:
    with pytest.raises(twinir.Error, match=r"TIR1003.*elment") as caught:

        @twinir.kernel
        def wrong(k, x: In[elment]):  # noqa: F821
            pass

    assert caught.value.file == __file__


def test_types() -> None:
    assert f16.vec(8) == twinir.Type("v8f16") and f16.vec(8).scalar == f16
    assert (f16.vec(8).lanes, f16.vec(8).bytes, i64.bits) == (8, 16, 64)
    assert len({f16, f32, twinir.Type("f16")}) == 2
    with pytest.raises(twinir.Error, match="TIR1003"):
        twinir.Type("float")


def test_numpy_numbers_are_numbers() -> None:
    def body(k, y, i):
        y[i] = select(i < np.int64(5), i + np.int32(1), np.uint8(9))

    assert list(one(body)[3:7]) == [4, 5, 9, 9]
