# SPDX-License-Identifier: MIT
"""The GPUs that kernels are written for, and the limits that the verifier checks."""

from __future__ import annotations

from .errors import Refusal, shown


class Target:
    """What a work-group may have on one GPU, and the features that operations ask for."""

    __slots__ = ("features", "lds_bytes", "max_items", "name")

    def __init__(self, name: str, lds_bytes: int, features: str) -> None:
        self.name = name
        self.lds_bytes = lds_bytes
        self.max_items = 1024
        self.features = frozenset(features.split())


TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        Target("gfx1150", 65536, "wmma_16x16x16 wave32"),
        Target("gfx1201", 65536, "wmma_gfx12 split_barrier fp8 wave32"),
        Target("gfx1250", 327680, "wmma_16x16x32 wmma_16x16x64 async split_barrier fp8 wave32"),
        Target("gfx950", 163840, "mfma_32x32x16 mfma_16x16x32 mfma_32x32x32 load_lds fp8 wave64"),
    )
}


def find_target(name: str) -> Target:
    found = TARGETS.get(name)
    if found is None:
        known = ", ".join(TARGETS)
        raise Refusal("TIR1016", f"target {shown(name)}", f"one of {known}", "name a target from that list")
    return found
