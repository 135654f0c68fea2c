# SPDX-License-Identifier: MIT
"""A newcomer's measure: a fused kernel from the words of the tutorial alone, short, and right on every flavor."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import numpy as np
import pytest
import twinir
from twinir import In, Out, f16, f32, fpcast, i32, maxnum

TUTORIAL = Path(__file__).resolve().parents[2] / "docs" / "python" / "tutorial.md"


def author(arch: str) -> twinir.Kernel:
    @twinir.kernel(arch=arch, workgroup=256)
    def bias_relu(k, x: In[f32], bias: In[f32], y: Out[f16], rows: i32, columns: i32):  # noqa: PLR0917
        with k.for_(k.global_id(), rows * columns, k.global_size()) as i:
            y[i] = fpcast(maxnum(x[i] + bias[i % columns], 0.0), f16)

    return bias_relu


def source_of_kernel() -> ast.FunctionDef:
    functions = [n for n in ast.walk(ast.parse(inspect.getsource(author))) if isinstance(n, ast.FunctionDef)]
    return next(n for n in functions if n.name == "bias_relu")


def words(tree: ast.AST) -> set[str]:
    nodes = list(ast.walk(tree))
    return {n.id for n in nodes if isinstance(n, ast.Name)} | {n.attr for n in nodes if isinstance(n, ast.Attribute)}


def test_it_takes_at_most_15_lines() -> None:
    function = source_of_kernel()
    first = min(d.lineno for d in function.decorator_list)
    assert function.end_lineno is not None
    assert function.end_lineno - first + 1 <= 15


def test_it_uses_only_what_the_tutorial_teaches() -> None:
    code = "\n".join(re.findall(r"```python\n(.*?)```", TUTORIAL.read_text(encoding="utf-8"), re.S))
    assert "bias" not in code, "the tutorial gives the answer away"
    function = source_of_kernel()
    own = {a.arg for a in function.args.args} | {"arch"}
    assert words(function) - own - words(ast.parse(code)) == set()


@pytest.mark.parametrize("arch", twinir.targets())
def test_both_emitters_agree_on_every_flavor(arch: str) -> None:
    verdicts = author(arch).check().verdicts
    assert {v.flavor for v in verdicts} == {f.name for f in twinir.flavors() if f.file}
    assert {v.verdict for v in verdicts} <= {"identical", "python alone"}
    assert any(v.verdict == "identical" for v in verdicts)


@pytest.mark.parametrize("shape", [(1, 1), (3, 7), (64, 256), (257, 33)])
def test_it_is_right(shape: tuple[int, int]) -> None:
    random = np.random.default_rng(sum(shape))
    x = random.standard_normal(shape, np.float32)
    bias = random.standard_normal(shape[1], np.float32)
    y = np.full(shape, -1, np.float16)
    author("gfx1250").launch(5, x, bias, y, *shape)
    np.testing.assert_array_equal(y, np.maximum(x + bias, 0).astype(np.float16))
