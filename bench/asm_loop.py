# SPDX-License-Identifier: MIT
"""Loops of a kernel in the assembly that `twinir compile --form assembly` gives: what they execute, class by class."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

# First match wins. A class is what one SIMD issues one of per clock (bench/gemm_model.py).
_KINDS = (
    ("matrix", ("v_wmma", "v_swmmac", "v_mfma", "v_smfmac")),
    ("lds", ("ds_",)),
    ("memory", ("global_", "buffer_", "flat_", "scratch_")),
    ("wait", ("s_wait", "s_barrier")),
    ("bank", ("s_set_vgpr_msb",)),
    ("none", ("s_delay_alu", "s_nop", "s_clause", "v_nop")),
    ("branch", ("s_cbranch", "s_branch")),
    ("vector", ("v_",)),
    ("scalar", ("s_",)),
)
# "v[0:7] /*v[256:263]*/" is v256 to v263: above the first bank the comment has the number.
_REGISTERS = re.compile(r"\bv\[(\d+):(\d+)\](?: /\*v\[(\d+):(\d+)\]\*/)?|\bv(\d+)\b(?: /\*v(\d+)\*/)?")


def kind_of(op: str) -> str:
    for kind, starts in _KINDS:
        if op.startswith(starts):
            return kind
    raise ValueError(f"an instruction of no known class: {op}")


def registers(text: str) -> list[tuple[int, ...]]:
    """The vector registers of each operand, in the order of the text."""
    out = []
    for m in _REGISTERS.finditer(text):
        low, high = (m[3] or m[1], m[4] or m[2]) if m[1] else (m[6] or m[5],) * 2
        out.append(tuple(range(int(low), int(high) + 1)))
    return out


@dataclass(frozen=True)
class Instruction:
    """One instruction, or two that issue together (`::`)."""

    text: str
    op: str = field(init=False)
    kind: str = field(init=False)
    writes: tuple[int, ...] = field(init=False)
    reads: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        op = self.text.split()[0]
        writes: list[int] = []
        reads: list[int] = []
        for part in self.text.split(" :: "):
            operands = registers(part.partition(" ")[2])
            stores = op.startswith(("ds_store", "global_store")) or "async" in op
            given = operands if stores else operands[1:]
            writes += () if stores or not operands else operands[0]
            reads += (r for operand in given for r in operand)
        for name, value in (("op", op), ("kind", kind_of(op)), ("writes", tuple(writes)), ("reads", tuple(reads))):
            object.__setattr__(self, name, value)


Body = list[Instruction]


def _lines(assembly: str) -> Iterator[str]:
    """Labels and instructions of the first kernel."""
    for line in assembly.splitlines():
        text = line.split(";")[0].strip()
        if text.startswith(".Lfunc_end"):
            return
        if text and (text.endswith(":") or not text.startswith(".")):
            yield text


def loops(assembly: str) -> list[Body]:
    """From each label to the last branch back to it, loops inside others before these."""
    starts: dict[str, int] = {}
    code: list[str] = []
    found: dict[int, tuple[int, int]] = {}
    for text in _lines(assembly):
        if text.endswith(":"):
            starts[text[:-1]] = len(code)
            continue
        code.append(text)
        target = text.split()[-1]
        if kind_of(text.split()[0]) == "branch" and target in starts:
            found[starts[target]] = (starts[target], len(code))
    spans = sorted(found.values(), key=lambda span: span[1] - span[0])
    return [[Instruction(text) for text in code[first:last]] for first, last in spans]


def steady_loop(assembly: str) -> Body:
    """The shortest loop that multiplies and copies; the one without copies only drains the buffers."""
    for body in loops(assembly):
        kinds = {i.kind for i in body}
        if {"matrix", "memory"} <= kinds:
            return body
    raise ValueError("no loop has matrix products and copies")


def counts(body: Body) -> Counter[str]:
    return Counter(i.kind for i in body)


def metadata(assembly: str, name: str) -> int:
    """A number of the kernel's metadata, for example vgpr_count."""
    found = re.search(rf"\.{name}:\s+(\d+)", assembly)
    if found is None:
        raise ValueError(f"no .{name} in the assembly")
    return int(found[1])
