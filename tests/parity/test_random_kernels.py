# SPDX-License-Identifier: MIT
"""Random kernels: both engines print the same bytes, and the LLVM of the flavor prints that text again as it is."""

from __future__ import annotations

import difflib
import json
import os
from pathlib import Path

import pytest

from engines import NO_PLUGINS, Plugin, PluginError, plugin_paths
from kernels import FLAVORS, flavor_table
from random_kernels import FEATURES, random_kernel, read_ops
from twinir_emit import Flavor, Refusal, emit, load_flavor
from twinir_emit.reader import read
from twinir_emit.verify import verify

COUNT = int(os.environ.get("TWINIR_TEST_KERNELS", "300"))
SEEDS_A_TEST = 50


def load(path: Path) -> tuple[Plugin, Flavor]:
    plugin = Plugin(path)
    return plugin, load_flavor(str(FLAVORS / f"{plugin.name}.json"))


def lacking(flavor: str) -> list[str]:
    return [op for op, entry in flavor_table(flavor)["intrinsics"].items() if entry is None]


def compare(kernel: str, plugin: Plugin, flavor: Flavor) -> str:
    """The text of both engines; fails with the first lines that differ."""
    theirs, ours = plugin.emit(kernel), emit(kernel, flavor)
    if theirs != ours:
        lines = difflib.unified_diff(theirs.splitlines(), ours.splitlines(), "C++", "Python", lineterm="", n=0)
        pytest.fail("\n".join(list(lines)[:20]) + "\n" + kernel)
    return ours


@pytest.mark.skipif(not plugin_paths(), reason=NO_PLUGINS)
@pytest.mark.parametrize("path", plugin_paths(), ids=lambda path: path.stem)
@pytest.mark.parametrize("start", range(0, COUNT, SEEDS_A_TEST))
def test_both_engines_print_the_same(path: Path, start: int) -> None:
    plugin, flavor = load(path)
    missing = lacking(plugin.name)
    for seed in range(start, min(start + SEEDS_A_TEST, COUNT)):
        text = compare(random_kernel(seed, without=missing), plugin, flavor)
        assert plugin.reprint(text) == text, f"seed {seed}: LLVM prints the text differently"


@pytest.mark.skipif(not plugin_paths(), reason=NO_PLUGINS)
@pytest.mark.parametrize("path", plugin_paths(), ids=lambda path: path.stem)
def test_large_and_deep_kernels(path: Path) -> None:
    plugin, flavor = load(path)
    missing = lacking(plugin.name)
    for seed in range(4):
        compare(random_kernel(seed, target="gfx1250", without=missing, size=1500, depth=12), plugin, flavor)


@pytest.mark.skipif(not plugin_paths(), reason=NO_PLUGINS)
@pytest.mark.parametrize("path", plugin_paths(), ids=lambda path: path.stem)
def test_both_engines_refuse_with_the_same_words(path: Path) -> None:
    plugin, flavor = load(path)
    if not lacking(plugin.name):
        pytest.skip(f"{plugin.name} has every operation")
    refused = 0
    for seed in range(60):
        kernel = random_kernel(seed, target="gfx1250", size=100)
        try:
            emit(kernel, flavor)
        except Refusal as refusal:
            with pytest.raises(PluginError) as error:
                plugin.emit(kernel)
            assert {key: error.value.error[key] for key in refusal.as_dict()} == refusal.as_dict()
            assert refusal.code == "TIR3001"
            refused += 1
    assert refused > 30


# -- the generator itself


def test_the_same_seed_gives_the_same_bytes() -> None:
    assert random_kernel(17) == random_kernel(17)
    assert random_kernel(17) != random_kernel(18)


def test_kernels_are_valid_and_together_use_every_operation() -> None:
    seen: set[str] = set()
    for seed in range(150):
        kernel = read(random_kernel(seed))
        verify(kernel)
        seen |= set(kernel.ops)
    assert seen == set(read_ops())


@pytest.mark.parametrize("target", sorted(FEATURES))
def test_a_kernel_is_for_its_target(target: str) -> None:
    described = json.loads(random_kernel(5, target=target))
    assert described["target"] == target


def test_operations_can_be_left_out() -> None:
    for seed in range(40):
        assert "fma" not in read(random_kernel(seed, without=["fma"])).ops
