# SPDX-License-Identifier: MIT
"""Random kernels: both engines print the same bytes, and the LLVM of the flavor prints that text again as it is.

$TWINIR_TEST_SEED is the first seed, $TWINIR_TEST_KERNELS how many kernels; a failure names its seed."""

from __future__ import annotations

import difflib
import json
import os
import re
from pathlib import Path

import pytest

from engines import NO_PLUGINS, Plugin, PluginError, plugin_paths
from kernels import FLAVORS, ROOT, flavor_table
from random_kernels import FEATURES, random_kernel, read_ops
from twinir_emit import Flavor, Refusal, emit, load_flavor
from twinir_emit.reader import read
from twinir_emit.verify import verify

SEED = int(os.environ.get("TWINIR_TEST_SEED", "0"))
COUNT = int(os.environ.get("TWINIR_TEST_KERNELS", "2000"))
SEEDS_A_TEST = 250


def load(path: Path) -> tuple[Plugin, Flavor]:
    plugin = Plugin(path)
    return plugin, load_flavor(str(FLAVORS / f"{plugin.name}.json"))


def lacking(flavor: str) -> list[str]:
    return [op for op, entry in flavor_table(flavor)["intrinsics"].items() if entry is None]


def compare(kernel: str, plugin: Plugin, flavor: Flavor, seed: int) -> str:
    """The text of both engines; fails with the first lines that differ."""
    theirs, ours = plugin.emit(kernel), emit(kernel, flavor)
    if theirs != ours:
        lines = difflib.unified_diff(theirs.splitlines(), ours.splitlines(), "C++", "Python", lineterm="", n=0)
        pytest.fail(f"seed {seed}\n" + "\n".join(list(lines)[:20]) + "\n" + kernel)
    return ours


@pytest.mark.skipif(not plugin_paths(), reason=NO_PLUGINS)
@pytest.mark.parametrize("path", plugin_paths(), ids=lambda path: path.stem)
@pytest.mark.parametrize("start", range(SEED, SEED + COUNT, SEEDS_A_TEST))
def test_both_engines_print_the_same(path: Path, start: int) -> None:
    plugin, flavor = load(path)
    missing = lacking(plugin.name)
    for seed in range(start, min(start + SEEDS_A_TEST, SEED + COUNT)):
        text = compare(random_kernel(seed, without=missing), plugin, flavor, seed)
        assert plugin.reprint(text) == text, f"seed {seed}: LLVM prints the text differently"


@pytest.mark.skipif(not plugin_paths(), reason=NO_PLUGINS)
@pytest.mark.parametrize("path", plugin_paths(), ids=lambda path: path.stem)
def test_large_and_deep_kernels(path: Path) -> None:
    plugin, flavor = load(path)
    missing = lacking(plugin.name)
    for seed in range(4):
        compare(random_kernel(seed, target="gfx1250", without=missing, size=1500, depth=12), plugin, flavor, seed)


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
def test_every_operation_and_type_of_a_target_is_drawn(target: str) -> None:
    seen: set[str] = set()
    words: set[str] = set()
    for seed in range(60):
        text = random_kernel(seed, target=target)
        seen |= set(read(text).ops)
        words |= set(re.findall(r'"t":"([a-z0-9]+)"', text))
    features = FEATURES[target].split()
    assert seen == {name for name, row in read_ops().items() if not row["feature"] or row["feature"] in features}
    scalars = ("i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "p1", "p3", "p4", "p8")
    assert words >= {*scalars, *(f"v{n}{s}" for n in (2, 3, 4, 5, 8, 16, 32) for s in ("f16", "f32", "i32", "i1"))}


def test_the_features_of_targets_are_those_of_the_table() -> None:
    table = (ROOT / "dsl" / "target.cpp").read_text(encoding="utf-8")
    rows = re.findall(r'Target\{"(\w+)", \d+, \d+, \d+, \d+, "([^"]*)"', table)
    assert dict(rows) == FEATURES


@pytest.mark.parametrize("target", sorted(FEATURES))
def test_a_kernel_is_for_its_target(target: str) -> None:
    described = json.loads(random_kernel(5, target=target))
    assert described["target"] == target


def test_operations_can_be_left_out() -> None:
    for seed in range(40):
        assert "fma" not in read(random_kernel(seed, without=["fma"])).ops
