# SPDX-License-Identifier: MIT
"""Random valid kernels in canonical JSON: every operation, nested regions with results and carried values, odd
constants and odd names. The same seed gives the same bytes.

    python3 tests/parity/random_kernels.py SEED [--target gfx1250] [--without fma,rsq] > kernel.json
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

Operand = Any  # a name, or a constant as a list
Stmt = dict[str, Any]

ROOT = Path(__file__).resolve().parents[2]
WIDTH = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64}
MANTISSA = {"f16": 10, "bf16": 7, "f32": 23, "f64": 52}
INTS, FLOATS = ("i8", "i16", "i32", "i64"), ("f16", "bf16", "f32", "f64")
LANES = (1, 1, 1, 2, 3, 4, 5, 8, 16, 32)
FEATURES = {
    "gfx1150": "wmma_16x16x16 wave32",
    "gfx1201": "wmma_gfx12 split_barrier fp8 wave32",
    "gfx1250": "wmma_16x16x32 wmma_16x16x64 async split_barrier fp8 wave32",
    "gfx950": "mfma_32x32x16 mfma_16x16x32 mfma_32x32x32 load_lds fp8 wave64",
}
KEYS = ("op", "n", "t", "e", "a", "f")
LAST_KEYS = ("mask", "carry", "results", "body", "else")
INT_PREDICATES = "eq ne ugt uge ult ule sgt sge slt sle".split()
FLOAT_PREDICATES = "oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno".split()
ORDERS = ("acquire", "release", "acq_rel")
ODD_NAMES = ("true", "null", "i32", "define", "_", "x0", "label", "A", "poison", "entry_", "ret", "half", "__x__")


@cache
def read_ops() -> dict[str, dict[str, str]]:
    """The rows of dsl/ops.def by name."""
    row = re.compile(r'TWINIR_OP\(\w+, "([^"]+)", "\w+", \w+, (\w+), "([^"]*)", "([^"]*)", "([^"]*)",')
    text = (ROOT / "dsl" / "ops.def").read_text(encoding="utf-8")
    return {m[0]: dict(zip(("rule", "attributes", "flags", "feature"), m[1:])) for m in row.findall(text)}


@cache
def type_name(scalar: str, lanes: int) -> str:
    return scalar if lanes == 1 else f"v{lanes}{scalar}"


@cache
def split_type(name: str) -> tuple[str, int]:
    match = re.fullmatch(r"(?:v(\d+))?([a-z]+\d+)", name)
    assert match is not None, name
    return match[2], int(match[1] or 1)


@cache
def all_types(scalars: tuple[str, ...], lanes: tuple[int, ...]) -> list[str]:
    return sorted({type_name(s, n) for s in scalars for n in lanes})


class Generator:
    """Writes one kernel."""

    def __init__(self, seed: int, target: str, ops: dict[str, dict[str, str]], size: int, depth: int) -> None:
        self.rng = random.Random(f"{seed} {target}")
        self.seed, self.target = seed, target
        self.budget, self.max_depth = size, depth
        features = FEATURES[target].split()
        self.table = read_ops()
        self.ops = {name: row for name, row in ops.items() if not row["feature"] or row["feature"] in features}
        self.todo = [name for name in self.ops if name not in ("if", "for")]
        self.rng.shuffle(self.todo)
        self.scopes: list[dict[str, list[str]]] = [{}]
        self.used = {"entry"}
        self.lds: list[Stmt] = []
        self.before: list[Stmt] = []  # what the next statement needs
        self.poison = True  # may constants be poison

    # -- names and values

    def name(self, stem: str) -> str:
        kind = self.rng.randrange(12)
        if kind == 0:
            candidate = self.rng.choice(ODD_NAMES)
        elif kind == 1:
            candidate = stem + "_" * self.rng.randrange(1, 60)
        elif kind == 2 and self.rng.randrange(8) == 0:
            candidate = (stem + str(len(self.used)) + "L" * 200)[:200]
        else:
            candidate = f"{stem}{len(self.used)}"
        if candidate in self.used:
            candidate = f"{stem}_{len(self.used)}"
        while candidate in self.used:
            candidate += "_"
        self.used.add(candidate)
        return candidate

    def add(self, name: str, kind: str) -> str:
        self.scopes[-1].setdefault(kind, []).append(name)
        return name

    def values(self, kind: str) -> list[str]:
        return [name for scope in self.scopes for name in scope.get(kind, ())]

    def has(self, kinds: Iterable[str]) -> list[str]:
        return [kind for kind in kinds if self.values(kind)]

    def operand(self, kind: str) -> Operand:
        known = self.values(kind)
        if known and (split_type(kind)[0] not in WIDTH or self.rng.randrange(5)):
            return self.rng.choice(known)
        return self.constant(kind)

    # -- constants

    def word(self, scalar: str) -> int:
        width, rng = WIDTH[scalar], self.rng
        top = 1 << (width - 1)
        special = [0, 1, top, top - 1, 2 * top - 1, top + 1 if width > 1 else 0, rng.randrange(2 * top)]
        if scalar not in MANTISSA:
            return rng.choice(special)
        mantissa = MANTISSA[scalar]
        bias = (1 << (width - 2 - mantissa)) - 1
        infinity = top - (1 << mantissa)
        exponent = min(bias + rng.randrange(-6, 30), 2 * bias)
        ordinary = exponent << mantissa | (rng.randrange(1 << mantissa) if rng.randrange(2) else 0)
        short = (bias + rng.randrange(5)) << mantissa | rng.randrange(16) << (mantissa - 4)
        quiet = infinity | 1 << (mantissa - 1)
        nan = infinity | rng.choice([0, top]) | rng.choice([1, 1 << (mantissa - 2), rng.randrange(1, 1 << mantissa)])
        edges = [*special[:3], infinity, infinity | top, infinity - 1, 1 << mantissa, special[6]]
        return rng.choice([*edges, ordinary, short, quiet, nan])

    def constant(self, kind: str) -> list[str]:
        scalar, lanes = split_type(kind)
        if self.rng.randrange(20) == 0 and self.poison:
            return [kind, "poison"]
        words = [self.word(scalar) for _ in range(lanes)]
        if self.rng.randrange(3) == 0 or len(set(words)) == 1:
            words = words[:1]
        return self.pack(kind, words)

    @staticmethod
    def pack(kind: str, words: Iterable[int]) -> list[str]:
        return [kind, *(f"{word:x}" for word in words)]

    def lanes_of(self, kind: str, low: int, high: int) -> list[str]:
        """A constant whose lanes lie in [low, high)."""
        words = [self.rng.randrange(low, high) for _ in range(split_type(kind)[1])]
        return self.pack(kind, words if len(set(words)) > 1 else words[:1])

    def kind(self, scalars: Iterable[str], lanes: Iterable[int] = LANES) -> str:
        """A type, more often one that values of exist of."""
        options = all_types(tuple(scalars), tuple(lanes))
        known = self.has(options)
        return self.rng.choice(known) if known and self.rng.randrange(3) else self.rng.choice(options)

    # -- statements

    def statement(self, op: str) -> Stmt:
        stmt: Stmt = {"op": op, **RULES[self.table[op]["rule"]](self, op)}
        op = stmt["op"]  # a maker may have made another
        row = self.table[op]
        flags = [flag for flag in row["flags"].split() if self.rng.randrange(2)]
        if flags:
            stmt["f"] = flags
        for key in row["attributes"].split():
            stmt.setdefault(key, self.attribute(op, key))
        if "t" in stmt and "n" not in stmt:
            stmt["n"] = self.name("v")
        return stmt

    def attribute(self, op: str, key: str) -> int | str:
        rng = self.rng
        choices: dict[str, Callable[[], int | str]] = {
            "align": lambda: 1 << rng.randrange(13),
            "mask": lambda: rng.randrange(1024),
            "byte": lambda: rng.randrange(4),
            "word": lambda: rng.randrange(2),
            "flags": lambda: rng.choice([0, 0x31004000, 0xFFFFFFFF, rng.randrange(1 << 32)]),
            "aux": lambda: rng.choice([0, 1, 3, 0x7FFFFFFF]),
            "offset": lambda: rng.choice([0, 16, 0xFFF if op.startswith("load.lds") else 0x7FFFFF]),
            "count": lambda: rng.randrange(64),
            "priority": lambda: rng.randrange(4),
            "signed_a": lambda: rng.randrange(2),
            "signed_b": lambda: rng.randrange(2),
            "order": lambda: rng.choice(ORDERS if op == "fence" else ["monotonic", *ORDERS]),
            "scope": lambda: rng.choice(["workgroup", "agent", "wavefront", "system"]),
            "register": lambda: rng.choice(["v", "s"]),
            "pred": lambda: rng.choice(INT_PREDICATES if op == "icmp" else FLOAT_PREDICATES),
        }
        return choices[key]()

    def region(self, depth: int) -> list[Stmt]:
        body = []
        for _ in range(self.rng.randrange(1, 12)):
            if self.budget <= 0:
                break
            body += self.some(depth)
        return body

    def some(self, depth: int) -> list[Stmt]:
        """A statement after those that it needs."""
        stmt = self.one(depth)
        needed, self.before = self.before, []
        return [*needed, stmt]

    def one(self, depth: int) -> Stmt:
        self.budget -= 1
        if depth < self.max_depth and self.rng.randrange(9) == 0:
            return self.branch(depth) if self.rng.randrange(2) else self.loop(depth)
        op = self.todo.pop() if self.todo and self.rng.randrange(2) else self.rng.choice(sorted(self.ops))
        while op in ("if", "for"):
            op = self.rng.choice(sorted(self.ops))
        stmt = self.statement(op)
        if "t" in stmt:
            self.add(stmt["n"], stmt["t"])
        return stmt

    def inner(self, depth: int) -> list[Stmt]:
        return [] if self.rng.randrange(8) == 0 else self.region(depth + 1)

    def merged_type(self) -> str:
        return self.rng.choice(
            ["f32", "i32", "v4f16", "v8f32", *self.has(("p1", "p3", "p4", "p8", "i1", "v3f64", "i64"))]
        )

    def branch(self, depth: int) -> Stmt:
        stmt: Stmt = {"op": "if", "n": self.name("if"), "a": [self.operand("i1")]}
        kinds = [self.merged_type() for _ in range(self.rng.randrange(4))] if self.rng.randrange(2) else []
        has_else = bool(kinds) or self.rng.randrange(2) == 0
        ends = []
        for key in ("body", "else") if has_else else ("body",):
            self.scopes.append({})
            stmt[key] = self.inner(depth)
            ends.append([self.operand(kind) for kind in kinds])
            self.scopes.pop()
        if kinds:
            stmt["results"] = [[self.add(self.name("r"), kind), kind, *pair] for kind, *pair in zip(kinds, *ends)]
        return stmt

    def loop(self, depth: int) -> Stmt:
        kind = self.rng.choice(("i32", "i64"))
        step = self.operand(kind) if self.rng.randrange(3) == 0 else self.pack(kind, [self.rng.randrange(1, 9)])
        if isinstance(step, list) and step[1] != "poison":
            step = self.pack(kind, [self.rng.randrange(1, 1 << 30)])
        return self.loop_of(depth, kind, [self.operand(kind), self.operand(kind), step])

    def loop_of(self, depth: int, kind: str, bounds: list[Operand]) -> Stmt:
        first = bounds[0]
        stmt: Stmt = {"op": "for", "n": self.name("for"), "a": bounds}
        kinds = [self.merged_type() for _ in range(self.rng.randrange(4))]
        inits = [self.operand(k) for k in kinds]
        counter = self.add(self.name("i"), kind)
        names = [self.add(self.name("c"), k) for k in kinds]
        self.scopes.append({})
        stmt["body"] = self.inner(depth)
        nexts = [self.operand(k) for k in kinds]
        self.scopes.pop()
        stmt["carry"] = [[counter, first, counter + ".next"], *map(list, zip(names, inits, nexts))]
        if self.rng.randrange(2):
            stmt["f"] = ["nounroll"]
        return stmt

    # -- the kernel

    def params(self) -> list[Stmt]:
        rng = self.rng
        out = []
        for kind in ["in", "out", "inout", "in"] + [rng.choice(["in", "out", "inout"])] * rng.randrange(3):
            pointer = "p4" if kind == "in" and rng.randrange(3) == 0 else "p1"
            deref = rng.choice([0, 0, 64, 1 << 40])
            entry = {"n": self.add(self.name("p"), pointer), "t": pointer, "k": kind}
            out.append({**entry, "align": 1 << rng.randrange(13), "deref": deref})
        for kind in ("i32", "i64", "f32", self.kind((*INTS, *FLOATS)), self.kind((*INTS, *FLOATS))):
            out.append({"n": self.add(self.name("a"), kind), "t": kind, "k": "value"})
        rng.shuffle(out)
        return out

    def kernel(self) -> Stmt:
        rng = self.rng
        name = rng.choice([f"random{self.seed}", "k", "_", "K" * 200, "true", "llvm_", f"g{self.seed}_"])
        block = rng.choice([[1, 1, 1], [64, 1, 1], [1024, 1, 1], [32, 4, 2], [33, 1, 3]])
        params = self.params()
        self.lds = []
        for index in range(rng.randrange(4)):
            kind = self.kind((*INTS, *FLOATS))
            scalar, lanes = split_type(kind)
            count = rng.randrange(1, 65536 // 8 // (WIDTH[scalar] // 8 * lanes))
            self.lds.append({"n": f"s{index}", "t": kind, "count": count, "align": 1 << rng.randrange(10)})
            self.add(f"@s{index}", "p3")
        body = self.region(0)
        while self.budget > 0:
            body += self.some(0)
        waves = rng.choice([0, 0, 1, 2, 16])
        head = {"schema": "twinir-kernel-1", "name": name, "target": self.target, "block": block, "waves_per_eu": waves}
        return {**head, "params": params, "lds": self.lds, "body": body}


# -- one maker per type rule of ops.def: gives `t` (when there is a result), `a`, and what is special


def _same(scalars: Iterable[str], count: int, lanes: Iterable[int] = LANES) -> Callable[[Generator, str], Stmt]:
    def make(g: Generator, _op: str) -> Stmt:
        kind = g.kind(scalars, lanes)
        return {"t": kind, "a": [g.operand(kind) for _ in range(count)]}

    return make


def _fixed(result: str | None, *args: str) -> Callable[[Generator, str], Stmt]:
    def make(g: Generator, op: str) -> Stmt:
        operands = []
        for kind in args:
            if kind[0] == "p" and not g.values(kind):
                return pointer_instead(g)
            operands.append(g.operand(kind))
        stmt: Stmt = {} if result is None else {"t": result}
        return {**stmt, "a": operands} if operands else stmt

    return make


def pointer_instead(g: Generator) -> Stmt:
    """What is made when an operation has no pointer of its kind yet: a resource, or the next best value."""
    pointers = g.values("p1")
    if pointers:
        return {"op": "rsrc", "t": "p8", "a": [g.rng.choice(pointers), g.operand("i32")], "flags": 0}
    return {"op": "fneg", "t": "f32", "a": [g.operand("f32")]}


def _int_binary(g: Generator, op: str) -> Stmt:
    kind = g.kind(("i1", *INTS) if op in ("and", "or", "xor") else INTS)
    a, b = g.operand(kind), g.operand(kind)
    if isinstance(b, list) and b[1] != "poison":
        width = WIDTH[split_type(kind)[0]]
        if op in ("shl", "lshr", "ashr"):
            b = g.lanes_of(kind, 0, width)
        elif op in ("udiv", "sdiv", "urem", "srem"):
            b = g.lanes_of(kind, 1, 1 << width)
    return {"t": kind, "a": [a, b]}


def _frexp_exp(g: Generator, _op: str) -> Stmt:
    kind = g.rng.choice(["f16", "f32", "f64"])
    return {"t": "i16" if kind == "f16" else "i32", "a": [g.operand(kind)]}


def _ldexp(g: Generator, _op: str) -> Stmt:
    kind = g.kind(FLOATS)
    return {"t": kind, "a": [g.operand(kind), g.operand(type_name("i32", split_type(kind)[1]))]}


def _float_unary(g: Generator, op: str) -> Stmt:
    return _same(("f16", "f32") if op in ("exp2", "log2") else FLOATS, 1)(g, op)


def _compare(scalars: Iterable[str], count: int, pointers: Iterable[str] = ()) -> Callable[[Generator, str], Stmt]:
    def make(g: Generator, _op: str) -> Stmt:
        known = g.has(pointers)
        kind = g.rng.choice(known) if known and g.rng.randrange(4) == 0 else g.kind(scalars)
        return {"t": type_name("i1", split_type(kind)[1]), "a": [g.operand(kind) for _ in range(count)]}

    return make


def _select(g: Generator, _op: str) -> Stmt:
    known = g.has(("p1", "p3", "p4", "p8"))
    kind = g.rng.choice(known) if known and g.rng.randrange(4) == 0 else g.kind(WIDTH)
    lanes = split_type(kind)[1]
    condition = g.operand(type_name("i1", lanes if g.rng.randrange(2) else 1))
    return {"t": kind, "a": [condition, g.operand(kind), g.operand(kind)]}


def _cast(
    sources: Iterable[str], results: Iterable[str], fits: Callable[[int, int], bool]
) -> Callable[[Generator, str], Stmt]:
    pairs = [(a, t) for a in sources for t in results if fits(WIDTH[a], WIDTH[t])]

    def make(g: Generator, _op: str) -> Stmt:
        source, result = g.rng.choice(pairs)
        lanes = split_type(g.kind((source,)))[1]
        return {"t": type_name(result, lanes), "a": [g.operand(type_name(source, lanes))]}

    return make


def _bitcast(g: Generator, _op: str) -> Stmt:
    kind = g.kind(WIDTH)
    scalar, lanes = split_type(kind)
    bits = WIDTH[scalar] * lanes
    options = [type_name(s, bits // w) for s, w in WIDTH.items() if bits % w == 0 and 1 <= bits // w <= 32]
    return {"t": g.rng.choice(options), "a": [g.operand(kind)]}


def _index(g: Generator, lanes: int) -> Operand:
    known = g.values("i32")
    if known and g.rng.randrange(2):
        return g.rng.choice(known)
    return ["i32", "poison"] if g.rng.randrange(10) == 0 else g.lanes_of("i32", 0, lanes)


def _extract(g: Generator, _op: str) -> Stmt:
    kind = g.kind(WIDTH, LANES[3:])
    scalar, lanes = split_type(kind)
    return {"t": scalar, "a": [g.operand(kind), _index(g, lanes)]}


def _insert(g: Generator, _op: str) -> Stmt:
    kind = g.kind(WIDTH, LANES[3:])
    scalar, lanes = split_type(kind)
    return {"t": kind, "a": [g.operand(kind), g.operand(scalar), _index(g, lanes)]}


def _shuffle(g: Generator, _op: str) -> Stmt:
    kind = g.kind(WIDTH, LANES[3:])
    scalar, lanes = split_type(kind)
    count = g.rng.choice([2, 3, 4, 8, 16, 32])
    odd = {0: [0] * count, 1: [-1] * count, 2: [g.rng.randrange(2 * lanes)] * count}
    mask = odd.get(g.rng.randrange(9)) or [g.rng.randrange(-1, 2 * lanes) for _ in range(count)]
    return {"t": type_name(scalar, count), "a": [g.operand(kind), g.operand(kind)], "mask": mask}


def _gep(g: Generator, _op: str) -> Stmt:
    base = g.rng.choice(g.has(("p1", "p3", "p4")))
    index = "i32" if base == "p3" else g.rng.choice(("i32", "i64"))
    return {"t": base, "e": g.kind((*INTS, *FLOATS)), "a": [g.operand(base), g.operand(index)]}


def _load(g: Generator, _op: str) -> Stmt:
    return {"t": g.kind((*INTS, *FLOATS)), "a": [g.operand(g.rng.choice(g.has(("p1", "p3", "p4"))))]}


def _store(g: Generator, _op: str) -> Stmt:
    return {"a": [g.operand(g.kind((*INTS, *FLOATS))), g.operand(g.rng.choice(g.has(("p1", "p3"))))]}


def _atomic(kinds: tuple[str, ...], values: int) -> Callable[[Generator, str], Stmt]:
    def make(g: Generator, _op: str) -> Stmt:
        kind = g.rng.choice(kinds)
        return {
            "t": kind,
            "a": [g.operand(g.rng.choice(g.has(("p1", "p3")))), *(g.operand(kind) for _ in range(values))],
        }

    return make


def _assert(g: Generator, _op: str) -> Stmt:
    return {"n": g.name("sure"), "a": [g.operand("i1")]}


def _buffer_type(g: Generator) -> str:
    return g.rng.choice(["i8", g.kind(("i16", "f16", "bf16"), (1, 2, 4, 8)), g.kind(("i32", "f32"), (1, 2, 3, 4))])


def _buffer_load(g: Generator, _op: str) -> Stmt:
    if not g.values("p8"):
        return pointer_instead(g)
    return {"t": _buffer_type(g), "a": [g.operand("p8"), g.operand("i32"), g.operand("i32")]}


def _buffer_store(g: Generator, _op: str) -> Stmt:
    if not g.values("p8"):
        return pointer_instead(g)
    return {"a": [g.operand(_buffer_type(g)), g.operand("p8"), g.operand("i32"), g.operand("i32")]}


def _readlane(g: Generator, _op: str) -> Stmt:
    kind = g.rng.choice(("i32", "f32"))
    return {"t": kind, "a": [g.operand(kind), g.operand("i32")]}


PAIRS = ("fp8.fp8", "fp8.bf8", "bf8.fp8", "bf8.bf8")
#: Types of the fragments and of the sums; gfx1150 and gfx1201 take the bits of bf16.
MATRIX = {
    **{f"wmma.f32.16x16x32.{kind}": (f"v16{kind}", "v8f32") for kind in ("f16", "bf16")},
    **{f"wmma.f32.16x16x64.{pair}": ("v8i32", "v8f32") for pair in PAIRS},
    "wmma.i32.16x16x64.iu8": ("v8i32", "v8i32"),
    "wmma.f32.16x16x16.f16": ("v16f16", "v8f32"),
    "wmma.f32.16x16x16.bf16": ("v16i16", "v8f32"),
    "wmma.i32.16x16x16.iu8": ("v4i32", "v8i32"),
    "wmma.f32.16x16x16.f16.gfx12": ("v8f16", "v8f32"),
    "wmma.f32.16x16x16.bf16.gfx12": ("v8i16", "v8f32"),
    **{f"wmma.f32.16x16x16.{pair}": ("v2i32", "v8f32") for pair in PAIRS},
    "wmma.i32.16x16x16.iu8.gfx12": ("v2i32", "v8i32"),
    **{f"mfma.f32.32x32x16.{kind}": (f"v8{kind}", "v16f32") for kind in ("f16", "bf16")},
    **{f"mfma.f32.32x32x16.{pair}": ("i64", "v16f32") for pair in PAIRS},
    **{f"mfma.f32.16x16x32.{kind}": (f"v8{kind}", "v4f32") for kind in ("f16", "bf16")},
    "mfma.i32.32x32x32.i8": ("v4i32", "v16i32"),
}


def _matrix(g: Generator, op: str) -> Stmt:
    fragment, sums = MATRIX[op]
    return _fixed(sums, fragment, fragment, sums)(g, op)


def _opaque(g: Generator, _op: str) -> Stmt:
    options = [type_name(s, n) for s in WIDTH for n in LANES if WIDTH[s] * n % 32 == 0 and WIDTH[s] * n <= 512]
    known = g.has(options)
    kind = g.rng.choice(known or options)
    return {"t": kind, "a": [g.operand(kind)]}


RULES: dict[str, Callable[[Generator, str], Stmt]] = {
    "int_binary": _int_binary,
    "int_unary": _same(INTS, 1),
    "float_binary": _same(FLOATS, 2),
    "float_unary": _float_unary,
    "hw_float_unary": _same(("f16", "f32", "f64"), 1, (1,)),
    "float_ternary": _same(FLOATS, 3),
    "frexp_exp": _frexp_exp,
    "ldexp": _ldexp,
    "icmp": _compare(("i1", *INTS), 2, ("p1", "p3", "p4")),
    "fcmp": _compare(FLOATS, 2),
    "select": _select,
    "classify": _compare(FLOATS, 1),
    "int_narrow": _cast(("i1", *INTS), ("i1", *INTS), lambda a, t: t < a),
    "int_widen": _cast(("i1", *INTS), ("i1", *INTS), lambda a, t: t > a),
    "float_narrow": _cast(FLOATS, FLOATS, lambda a, t: t < a),
    "float_widen": _cast(FLOATS, FLOATS, lambda a, t: t > a),
    "float_to_int": _cast(FLOATS, INTS, lambda a, t: True),
    "int_to_float": _cast(INTS, FLOATS, lambda a, t: True),
    "bitcast": _bitcast,
    "fp8_unpack": _fixed("f32", "i32"),
    "fp8_pack": _fixed("i32", "f32", "f32", "i32"),
    "extract": _extract,
    "insert": _insert,
    "shuffle": _shuffle,
    "id": _fixed("i32"),
    "mbcnt": _fixed("i32", "i32", "i32"),
    "implicit_args": _fixed("p4"),
    "gep": _gep,
    "load": _load,
    "store": _store,
    "rsrc": _fixed("p8", "p1", "i32"),
    "buffer_load": _buffer_load,
    "buffer_store": _buffer_store,
    "atomic_int": _atomic(("i32", "i64"), 1),
    "atomic_float": _atomic(("f32", "f64"), 1),
    "atomic_exchange": _atomic(("i32", "i64", "f32", "f64"), 1),
    "atomic_compare": _atomic(("i32", "i64"), 2),
    "async_load": _fixed(None, "p1", "p3"),
    "no_operands": _fixed(None),
    "readfirstlane": _same(("i32", "f32"), 1, (1,)),
    "readlane": _readlane,
    "bpermute": _fixed("i32", "i32", "i32"),
    "ballot": lambda g, op: _fixed("i64" if op.endswith("64") else "i32", "i1")(g, op),
    "matrix": _matrix,
    "opaque": _opaque,
    "assert_": _assert,
}


# -- canonical JSON


def _dump(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _statement_text(stmt: Stmt, depth: int) -> str:
    attributes = [key for key in stmt if key not in KEYS and key not in LAST_KEYS]
    parts = []
    for key in (*KEYS, *attributes, *LAST_KEYS):
        if key in ("body", "else") and key in stmt:
            parts.append(f'"{key}":{_body_text(stmt[key], depth + 1)}')
        elif key in stmt:
            parts.append(f'"{key}":{_dump(stmt[key])}')
    return "{" + ",".join(parts) + "}"


def _body_text(body: list[Stmt], depth: int) -> str:
    return "[" + ",".join("\n" + " " * depth + _statement_text(stmt, depth) for stmt in body) + "]"


def to_json(kernel: Stmt) -> str:
    """The canonical text: keys in order, one statement a line."""
    head = _dump({key: kernel[key] for key in ("schema", "name", "target", "block", "waves_per_eu")})[:-1]
    params, lds = _dump(kernel["params"]), _dump(kernel["lds"])
    return f'{head},\n"params":{params},\n"lds":{lds},\n"body":{_body_text(kernel["body"], 1)}}}\n'


def random_kernel(
    seed: int, target: str | None = None, without: Iterable[str] = (), size: int | None = None, depth: int = 4
) -> str:
    """The JSON of a random kernel; `without` names operations it must not have."""
    rng = random.Random(seed)
    target = target or rng.choice(sorted(FEATURES))
    ops = {name: row for name, row in read_ops().items() if name not in set(without)}
    return to_json(Generator(seed, target, ops, size or rng.choice([10, 60, 150]), depth).kernel())


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes a random kernel.")
    parser.add_argument("seed", type=int)
    parser.add_argument("--target", choices=sorted(FEATURES))
    parser.add_argument("--without", default="", help="operations to leave out, separated by commas")
    parser.add_argument("--size", type=int, help="number of statements")
    options = parser.parse_args()
    print(random_kernel(options.seed, options.target, options.without.split(","), options.size), end="")


if __name__ == "__main__":
    main()
