#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Models the steady loop of the GEMM on one WGP of gfx1250: which part of the clocks its matrix units are busy.

Rates and latencies are assumptions (docs/performance.md), not measurements of hardware; the instructions are those of
the compiled kernel. Prints the table of docs/performance.md:

    bench/gemm_model.py build/release/bin/twinir
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field

from asm_loop import Body, Instruction, counts, metadata, steady_loop

SIMDS = 4
LDS_BYTES = 327680
REGISTERS = 1024  # of a lane, per SIMD
COPY_BYTES = 512  # of a wave, 16 bytes a lane


@dataclass(frozen=True)
class Rates:
    """Clocks and bytes per clock; a matrix product keeps its unit for 8 clocks."""

    lds_bytes: int = 256
    lds_latency: int = 64
    global_bytes: int = 128
    global_latency: int = 800
    barrier: int = 20
    matrix: int = 8
    vector: int = 5


@dataclass
class Wave:
    """An in-order wave: what it issues next, and when its registers and counters are ready."""

    group: int
    simd: int
    at: int = 0
    step: int = 0
    free: int = 0
    signals: int = 0
    waits: int = 0
    ready: dict[int, int] = field(default_factory=dict)
    pending: dict[str, list[int]] = field(default_factory=lambda: {"ds": [], "async": [], "load": []})


def wait_of(text: str) -> list[tuple[str, int]]:
    """The counters that a wait instruction waits for, and how many may stay pending."""
    m = re.match(r"s_wait_(ds|async|load)cnt (\w+)", text)
    if m:
        return [(m[1], int(m[2], 0))]
    m = re.match(r"s_wait_loadcnt_dscnt (\w+)", text)
    return [("load", int(m[1], 0) >> 8), ("ds", int(m[1], 0) & 63)] if m else []


class Machine:
    def __init__(self, body: Body, waves: int, groups: int, rates: Rates) -> None:
        self.body = body
        self.rates = rates
        self.waves_per_group = waves
        self.waves = [Wave(group=i // waves, simd=i % SIMDS) for i in range(waves * groups)]
        self.matrix_free = [0] * SIMDS
        self.lds_free = self.global_free = 0.0
        self.arrivals: dict[tuple[int, int], list[int]] = {}
        self.products = 0

    def issue(self, w: Wave, i: Instruction, now: int) -> bool:
        """Issues an instruction, or leaves everything as it is."""
        late = any(w.ready.get(r, 0) > now for r in (*i.reads, *i.writes))
        if late and i.kind in {"matrix", "vector", "lds", "memory"}:
            return False
        if i.kind == "matrix":
            return self.multiply(w, i, now)
        if i.kind == "vector":
            w.ready |= dict.fromkeys(i.writes, now + self.rates.vector)
        elif i.kind == "lds":
            self.access_lds(w, i, now)
        elif i.kind == "memory":
            self.copy(w, i, now)
        elif i.kind == "wait":
            return self.wait(w, i, now)
        return True

    def multiply(self, w: Wave, i: Instruction, now: int) -> bool:
        if self.matrix_free[w.simd] > now:
            return False
        self.matrix_free[w.simd] = now + self.rates.matrix
        w.ready |= dict.fromkeys(i.writes, now + self.rates.matrix + 1)
        self.products += 1
        return True

    def pend(self, w: Wave, counter: str, end: float) -> int:
        """Counters count down in order."""
        queue = w.pending[counter]
        queue.append(max(round(end), queue[-1] if queue else 0))
        return queue[-1]

    def access_lds(self, w: Wave, i: Instruction, now: int) -> None:
        self.lds_free = max(self.lds_free, now) + COPY_BYTES / self.rates.lds_bytes
        w.ready |= dict.fromkeys(i.writes, self.pend(w, "ds", self.lds_free + self.rates.lds_latency))

    def copy(self, w: Wave, i: Instruction, now: int) -> None:
        self.global_free = max(self.global_free, now) + COPY_BYTES / self.rates.global_bytes
        end = self.global_free + self.rates.global_latency
        if "async" in i.op:  # writes LDS without the wave
            self.lds_free = max(self.lds_free, now) + COPY_BYTES / self.rates.lds_bytes
            self.pend(w, "async", end)
        else:
            w.ready |= dict.fromkeys(i.writes, self.pend(w, "load", end))

    def wait(self, w: Wave, i: Instruction, now: int) -> bool:
        if i.op == "s_barrier_signal":
            self.arrivals.setdefault((w.group, w.signals), []).append(now)
            w.signals += 1
            return True
        if i.op == "s_barrier_wait":
            arrived = self.arrivals.get((w.group, w.waits), [])
            if len(arrived) < self.waves_per_group or max(arrived) + self.rates.barrier > now:
                return False
            w.waits += 1
            return True
        for counter, allowed in wait_of(i.text):
            w.pending[counter] = [end for end in w.pending[counter] if end > now]
            if len(w.pending[counter]) > allowed:
                return False
        return True

    def clock(self, now: int) -> None:
        """Every SIMD issues at most one instruction of each class, from another wave first in every clock."""
        for simd in range(SIMDS):
            waves = [w for w in self.waves if w.simd == simd]
            used: set[str] = set()
            for w in waves[now % len(waves) :] + waves[: now % len(waves)]:
                i = self.body[w.at]
                unit = i.kind if i.kind in {"matrix", "vector", "lds", "memory"} else "scalar"
                if unit in used or w.free > now or not self.issue(w, i, now):
                    continue
                used.add(unit)
                w.free = now + 1
                w.at = (w.at + 1) % len(self.body)
                w.step += w.at == 0


ASSUMED = Rates()


def busy_share(body: Body, waves: int, groups: int = 1, rates: Rates = ASSUMED, steps: int = 12) -> float:
    """Clocks in which the matrix units are busy, from the third step of the loop on; 1.0 is all of them."""
    machine = Machine(body, waves, groups, rates)
    start = products = now = 0
    while all(w.step < steps for w in machine.waves):
        if start == 0 and any(w.step >= 3 for w in machine.waves):
            start, products = now, machine.products
        machine.clock(now)
        now += 1
        if now > 1_000_000:
            raise ValueError("the loop does not come to an end")
    return (machine.products - products) * rates.matrix / (SIMDS * (now - start))


def groups_per_wgp(assembly: str, waves: int) -> int:
    """Work-groups that LDS and registers of a WGP hold."""
    held = -(-metadata(assembly, "vgpr_count") // 16) * 16
    return min(LDS_BYTES // metadata(assembly, "group_segment_fixed_size"), REGISTERS // held * SIMDS // waves)


#: Name and fields of the specs of the table: the tiles that default_spec chooses.
TILES = {
    "64x64, 4 waves": "stages=4",
    "128x128, 8 waves": "stages=3 block_t=128 block_n=128 waves_n=4",
    "256x256, 8 waves": "stages=3 block_t=256 block_n=256 waves_t=4",
}


def compile_tile(program: str, fields: Iterable[str]) -> str:
    command = [program, "compile", "gemm", "--flavor", "llvm22", "--form", "assembly", "-o", "-"]
    for spec in ("mode=async2", *fields):
        command += ["--spec", spec]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def row(name: str, assembly: str) -> str:
    body = steady_loop(assembly)
    kinds = counts(body)
    waves = metadata(assembly, "max_flat_workgroup_size") // 32
    most = groups_per_wgp(assembly, waves)
    shares = [
        " / ".join(f"{100 * busy_share(body, waves, n, Rates(lds_bytes=rate)):.0f}" for n in sorted({1, most}))
        for rate in (256, 128)
    ]
    columns = (
        *(
            name,
            metadata(assembly, "vgpr_count"),
            metadata(assembly, "vgpr_spill_count"),
            most,
            len(body),
            kinds["matrix"],
        ),
        *(f"{len(body) / kinds['matrix']:.1f}", kinds["lds"], kinds["memory"], kinds["bank"], *shares),
    )
    return "| " + " | ".join(map(str, columns)) + " |"


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: bench/gemm_model.py PROGRAM", file=sys.stderr)
        return 2
    head = "tile|VGPRs|spills|groups a WGP|instructions a step|products|per product|LDS reads|copies|bank switches"
    names = [*head.split("|"), "matrix units busy, %, LDS 256 B/clk", "128 B/clk"]
    print("| " + " | ".join(names) + " |")
    print("|---" * len(names) + "|")
    for name, fields in TILES.items():
        print(row(name, compile_tile(arguments[0], fields.split())))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
