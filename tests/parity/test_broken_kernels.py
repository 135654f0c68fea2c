# SPDX-License-Identifier: MIT
"""Kernels with one known fault: both emitters refuse, with the code of that fault.

$TWINIR_TEST_SEED is the first seed, $TWINIR_TEST_BROKEN how many kernels; a failure names its seed."""

from __future__ import annotations

import os
import random

import pytest

from broken_kernels import BREAKS, break_kernel, known_codes
from engines import NO_PLUGINS, plugin_paths
from random_kernels import random_kernel
from test_mutated_kernels import ours, theirs

SEED = int(os.environ.get("TWINIR_TEST_SEED", "0"))
COUNT = int(os.environ.get("TWINIR_TEST_BROKEN", "2080"))
EACH = -(-COUNT // len(BREAKS))
MOST_TRIES = 40


def broken(kind: str, seed: int) -> tuple[int, str]:
    """The first kernel from this seed that has a place for the fault."""
    for number in range(seed * MOST_TRIES, (seed + 1) * MOST_TRIES):
        text = break_kernel(random_kernel(number, size=(8, 25, 40)[number % 3], depth=3), kind, number)
        if text is not None:
            return number, text
    raise AssertionError(f"no kernel of {MOST_TRIES} has a place for {kind}")


@pytest.mark.skipif(not plugin_paths(), reason=NO_PLUGINS)
@pytest.mark.parametrize("kind", BREAKS)
def test_both_engines_refuse_with_the_code(kind: str) -> None:
    code = BREAKS[kind][0]
    for seed in range(SEED, SEED + EACH):
        number, kernel = broken(kind, seed)
        mine, other = ours(kernel), theirs(kernel)
        assert (mine[0], other[0]) == (code, code), f"seed {seed} (kernel {number}): {mine} {other}\n{kernel}"


@pytest.mark.skipif(not plugin_paths(), reason=NO_PLUGINS)
def test_damaged_bytes_are_refused_alike() -> None:
    """Texts that are cut, or have one byte changed."""
    refused = 0
    for seed in range(SEED, SEED + 400):
        rng = random.Random(seed)
        data = bytearray(random_kernel(seed, size=8).encode("utf-8"))
        if seed % 2:
            data = data[: rng.randrange(len(data) - 2)]
        else:
            data[rng.randrange(len(data))] = rng.randrange(256)
        mine, other = ours(bytes(data)), theirs(bytes(data))
        assert mine[0] == other[0], f"seed {seed}: {mine} {other}\n{bytes(data)!r}"
        assert mine[0] != "good" or mine == other
        refused += mine[0] != "good"
    assert refused > 250


def test_every_code_of_a_kernel_is_tried() -> None:
    assert {code for code, _ in BREAKS.values()} == known_codes()
