# SPDX-License-Identifier: MIT
"""Random kernels leave the same bytes on the interpreter and, as emitted IR, on the host executor. NaNs are compared
as NaNs: the kernels store 7 in their place, because sign and payload of a computed NaN are nobody's promise. Those of
a NaN constant are: it is stored as it is, also after what only moves bits or changes the sign.

$TWINIR_TEST_SEED is the first seed, $TWINIR_TEST_RUNS how many kernels; both are in the message of a failure."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from random_kernels import read_ops
from runnable_kernels import EXCLUDED, TARGETS, runnable_kernel
from twinir_emit.reader import read
from twinir_emit.verify import verify

SEED = int(os.environ.get("TWINIR_TEST_SEED", "0"))
COUNT = int(os.environ.get("TWINIR_TEST_RUNS", "2000"))
AT_ONCE = 250
PROGRAM = Path(os.environ.get("TWINIR_BUILD_DIR", "/")) / "bin" / "run_kernels"
EXECUTOR = list(Path(os.environ.get("TWINIR_PLUGIN_DIR", "/no")).glob("twinir-exec-*.so"))
NO_EXECUTOR = f"no host executor was built ($TWINIR_PLUGIN_DIR), or no {PROGRAM}"
needs_executor = pytest.mark.skipif(not (EXECUTOR and PROGRAM.exists()), reason=NO_EXECUTOR)


def run(seeds: range, *arguments: str) -> subprocess.CompletedProcess[str]:
    kernels = "".join(runnable_kernel(seed) + "\0" for seed in seeds)
    return subprocess.run([str(PROGRAM), *arguments], input=kernels, capture_output=True, text=True, check=False)


@needs_executor
@pytest.mark.parametrize("start", range(SEED, SEED + COUNT, AT_ONCE))
def test_interpreter_and_executor_agree(start: int) -> None:
    seeds = range(start, min(start + AT_ONCE, SEED + COUNT))
    result = run(seeds)
    print(f"seeds {seeds.start} to {seeds.stop - 1}: {result.stdout.splitlines()[-1:]}")
    assert result.returncode == 0, f"first seed {start}\n{result.stdout}{result.stderr}"
    assert result.stdout == f"{len(seeds)} kernels, 0 wrong\n"


@needs_executor
@pytest.mark.parametrize("level", ("0", "2", "3"))
def test_at_other_levels_of_the_executor(level: str) -> None:
    result = run(range(SEED + 7000, SEED + 7040), level)
    assert result.returncode == 0, result.stdout + result.stderr


@needs_executor
@pytest.mark.parametrize(
    ("right", "wrong"),
    (
        ("icmp eq", "icmp ne"),
        ("mul <", "add <"),
        ("fadd float", "fsub float"),
        ("lshr <", "ashr <"),
        ("fdiv ", "fmul "),
        ("sitofp", "uitofp"),
        (".cond = icmp slt", ".cond = icmp sle"),
        ("i32 0, i32 0)", "i32 4, i32 0)"),
    ),
)
def test_a_wrong_text_is_found(right: str, wrong: str) -> None:
    """The comparison can go red: the text that runs is not the one that was emitted."""
    result = run(range(200), "1", right, wrong)
    assert result.returncode == 1
    assert ", 0 wrong" not in result.stdout


def test_every_operation_is_drawn_but_those_that_are_excluded() -> None:
    seen: set[str] = set()
    kinds: set[str] = set()
    targets: set[str] = set()
    for seed in range(400):  # a matrix operation needs whole waves and the top level
        text = runnable_kernel(seed)
        kernel = read(text)
        verify(kernel)
        seen |= set(kernel.ops)
        described = json.loads(text)
        targets.add(described["target"])
        kinds |= {stmt["t"] for stmt in statements(described["body"]) if "t" in stmt}
    assert targets == set(TARGETS)
    assert seen == set(read_ops()) - set(EXCLUDED)
    assert {"i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "p1", "p3", "p4", "p8", "v3f64"} <= kinds


def statements(body: list[dict[str, object]]) -> list[dict[str, object]]:
    """All of a body, nested ones too."""
    out = []
    for stmt in body:
        out.append(stmt)
        for key in ("body", "else"):
            out += statements(stmt.get(key, []))  # type: ignore[arg-type]
    return out


def test_the_same_seed_gives_the_same_kernel() -> None:
    assert runnable_kernel(3) == runnable_kernel(3) != runnable_kernel(4)
