# SPDX-License-Identifier: MIT
"""Damaged kernels: both engines agree on whether a kernel is good, and on the code when it is not.

$TWINIR_TEST_SEED is the first seed, $TWINIR_TEST_MUTATIONS how many kernels; a failure names its seed."""

from __future__ import annotations

import os
from collections import Counter
from functools import cache

import pytest

from engines import NO_PLUGINS, Plugin, PluginError, plugin_paths
from kernels import FLAVORS
from mutations import mutate
from random_kernels import random_kernel
from twinir_emit import Flavor, Refusal, emit, load_flavor

SEED = int(os.environ.get("TWINIR_TEST_SEED", "0"))
COUNT = int(os.environ.get("TWINIR_TEST_MUTATIONS", "3000"))
SEEDS_A_TEST = 500


@cache
def engines() -> tuple[Plugin, Flavor]:
    """The newest plugin; what a kernel may be does not depend on the LLVM."""
    plugin = Plugin(plugin_paths()[-1])
    return plugin, load_flavor(str(FLAVORS / f"{plugin.name}.json"))


def ours(kernel: str | bytes) -> tuple[str, str]:
    try:
        return "good", emit(kernel, engines()[1])
    except Refusal as refusal:
        return refusal.code, refusal.found


def theirs(kernel: str | bytes) -> tuple[str, str]:
    try:
        return "good", engines()[0].emit(kernel)
    except PluginError as error:
        return error.code, error.error["found"]


def agree(mine: tuple[str, str], other: tuple[str, str]) -> bool:
    if mine[0] == "good":
        return mine == other
    return mine[0] == other[0]


@pytest.mark.skipif(not plugin_paths(), reason=NO_PLUGINS)
@pytest.mark.parametrize("start", range(SEED, SEED + COUNT, SEEDS_A_TEST))
def test_both_engines_agree(start: int) -> None:
    codes: Counter[str] = Counter()
    for seed in range(start, min(start + SEEDS_A_TEST, SEED + COUNT)):
        kernel = mutate(random_kernel(seed % 400, size=(8, 25)[seed % 2], depth=3), seed)
        mine, other = ours(kernel), theirs(kernel)
        assert agree(mine, other), (
            f"seed {seed}: {mine[0]} {mine[1][:200]} but C++ {other[0]} {other[1][:200]}\n{kernel}"
        )
        codes[mine[0]] += 1
    assert codes["good"] > 20
    assert len(codes) > 6


@pytest.mark.parametrize("start", range(0, 2000, 500))
def test_damage_is_never_a_traceback(start: int) -> None:
    flavor = load_flavor(str(sorted(FLAVORS.glob("llvm*.json"))[-1]))
    for seed in range(start, start + 500):
        kernel = mutate(random_kernel(seed % 400 + 1000, size=12), seed)
        try:
            emit(kernel, flavor)
        except Refusal as refusal:
            assert refusal.code.startswith(("TIR1", "TIR3001")), kernel
