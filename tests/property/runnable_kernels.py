# SPDX-License-Identifier: MIT
"""Random kernels that may be run: no poison, no race, no access out of bounds, and no computed NaN's sign or payload in
what they store; NaN constants are stored with every bit. Every item stores into its own slot of `y` and `z`; the words
of `t` all items change, by atomics only.

    python3 tests/property/runnable_kernels.py SEED [--target gfx1250] > kernel.json
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "parity"))

from random_kernels import (
    FEATURES,
    FLOATS,
    INTS,
    LANES,
    RULES,
    WIDTH,
    Generator,
    Operand,
    Stmt,
    read_ops,
    split_type,
    to_json,
    type_name,
)

TARGETS = ("gfx1250", "gfx1150", "gfx950", "gfx1201")
WAVE = {"gfx1250": 32, "gfx1150": 32, "gfx950": 64, "gfx1201": 32}
SLOT, TILE_SLOT = 512, 64  # bytes of an item in y and z, and in LDS
INPUT = 8192  # bytes of x and of c
NUMBERS = (*INTS, *FLOATS)

#: What may not be in a comparison, and why. Everything else of ops.def is drawn.
EXCLUDED: dict[str, str] = {}


def stride(kind: str) -> int:
    """Bytes from one element of an array to the next."""
    scalar, lanes = split_type(kind)
    return 1 << (WIDTH[scalar] // 8 * lanes - 1).bit_length()


class Runnable(Generator):
    """Writes one kernel; `before` collects what the next statement needs."""

    def __init__(self, seed: int, target: str, size: int, depth: int = 3) -> None:
        ops = {name: row for name, row in read_ops().items() if name not in EXCLUDED}
        super().__init__(seed, target, ops, size, depth)
        self.rules: dict[str, Callable[[Runnable, str], Stmt]] = {**RULES, **SAFE_RULES}  # type: ignore[dict-item]
        self.poison = False
        self.depth = 0
        self.block = [64, 1, 1]
        self.spent: set[str] = set()  # values that something uses
        self.free = 0  # bytes of an item's slot of y that are taken

    # -- statements that others need

    def put(self, op: str, kind: str, *args: Operand, **more: Any) -> str:
        stmt: Stmt = {"op": op, "n": self.name("h"), "t": kind}
        if "e" in more:
            stmt["e"] = more.pop("e")
        self.before.append({**stmt, **({"a": list(args)} if args else {}), **more})
        return str(stmt["n"])

    def do(self, op: str, *args: Operand, **more: Any) -> None:
        self.before.append({"op": op, **({"a": list(args)} if args else {}), **more})

    def masked(self, kind: str, mask: int) -> str:
        return self.put("and", kind, self.operand(kind), self.pack(kind, [mask]))

    def number(self, kind: str, value: Operand | None = None) -> str:
        """A float that is no NaN: 7 where `value` is one."""
        x = self.operand(kind) if value is None else value
        bits = {"f16": 0x4700, "bf16": 0x40E0, "f32": 0x40E00000, "f64": 0x401C000000000000}
        scalar, lanes = split_type(kind)
        good = self.put("fcmp", type_name("i1", lanes), x, x, pred="ord")
        return self.put("select", kind, good, x, self.pack(kind, [bits[scalar]]))

    def storable(self, kind: str) -> Operand:
        if split_type(kind)[0] not in FLOATS:
            return self.operand(kind)
        return self.moved(kind) if self.rng.randrange(3) == 0 else self.number(kind)

    def moved(self, kind: str) -> Operand:
        """A constant, NaNs among them, after operations that only move bits or change the sign: no bit is lost."""
        scalar, lanes = split_type(kind)
        value: Operand = self.constant(kind)
        if scalar == "bf16":  # on the host some of these pass through f32, which makes a NaN quiet
            return value
        steps = ("fneg", "fabs", "copysign", "select", "opaque", *(("insert", "shuffle") if lanes > 1 else ()))
        for step in self.rng.choices(steps, k=self.rng.choice((0, 0, 1, 3))):
            if step == "copysign":
                value = self.put(step, kind, value, self.constant(kind))
            elif step == "select":
                pair = (value, self.constant(kind))
                value = self.put(step, kind, self.operand("i1"), *self.rng.sample(pair, 2))
            elif step == "insert":
                value = self.put(step, kind, value, self.constant(scalar), self.index(lanes))
            elif step == "shuffle":
                mask = [self.rng.randrange(2 * lanes) for _ in range(lanes)]
                value = self.put(step, kind, value, self.constant(kind), mask=mask)
            elif step != "opaque":
                value = self.put(step, kind, value)
            elif WIDTH[scalar] * lanes % 32 == 0 and WIDTH[scalar] * lanes <= 512:
                value = self.put(step, kind, value, register="v")
        return value

    def index(self, count: int) -> Operand:
        """An i32 in [0, count)."""
        if self.rng.randrange(3) == 0:
            return self.lanes_of("i32", 0, count)
        return self.masked("i32", (1 << count.bit_length() - 1) - 1)

    def address(self, kind: str, where: str, slot: int, count: int) -> str:
        """Of element `slot` of `kind` behind a pointer; a slot is `count` of them after another."""
        at = self.put("mul", "i32", "item", self.pack("i32", [count]))
        at = self.put("add", "i32", at, self.pack("i32", [slot]))
        pointer = "p3" if where[0] == "@" else "p1"
        return self.put("gep", pointer, where, at, e=kind)

    def aligned(self, kind: str) -> int:
        return 1 << self.rng.randrange(stride(kind).bit_length())

    def store(self, kind: str, where: str, bytes_of_slot: int) -> Stmt:
        """Into the item's own slot."""
        count = bytes_of_slot // stride(kind)
        to = self.address(kind, where, self.rng.randrange(count), count)
        return {"op": "store", "a": [self.storable(kind), to], "align": self.aligned(kind)}

    def keep_unused(self, most: int) -> None:
        """Stores values of the innermost region that nothing uses: what is wrong in them must show."""
        scope = self.scopes[-1]
        unused = [(name, kind) for kind in sorted(scope) for name in scope[kind] if name not in self.spent]
        self.rng.shuffle(unused)
        for name, kind in unused[:most]:
            self.before += self.kept(name, kind)

    def kept(self, name: str, kind: str) -> list[Stmt]:
        outside, self.before = self.before, []
        scalar, lanes = split_type(kind)
        value: Operand = name
        if scalar == "i1":
            kind = type_name("i8", lanes)
            value = self.put("zext", kind, name)
        elif scalar in FLOATS:
            value = self.number(kind, name)
        size = stride(kind)
        at = -(-self.free // size)
        at = 0 if at * size + size > SLOT else at
        self.free = at * size + size
        self.do("store", value, self.address(kind, "y", at, SLOT // size), align=size)
        out, self.before = self.before, outside
        return out

    # -- regions

    def operand(self, kind: str) -> Operand:
        found = super().operand(kind)
        if isinstance(found, str):
            self.spent.add(found)
        return found

    def statement(self, op: str) -> Stmt:
        safe = SAFE.get(op)
        stmt: Stmt = {"op": op, **(safe or self.rules[self.table[op]["rule"]])(self, op)}
        op = stmt["op"]
        for key in self.table[op]["attributes"].split():
            stmt.setdefault(key, self.attribute(op, key))
        if "t" in stmt and "n" not in stmt:
            stmt["n"] = self.name("v")
        return stmt

    def one(self, depth: int) -> Stmt:
        self.depth = depth
        return super().one(depth)

    def inner(self, depth: int) -> list[Stmt]:
        outside, self.before = self.before, []
        body = super().inner(depth)
        self.keep_unused(4)
        body += self.flushed()
        self.before, self.depth = outside, depth
        return body

    def merged_type(self) -> str:
        return self.rng.choice(["f32", "i32", "v4f16", "v8f32", *self.has(("i1", "v3f64", "i64", "v2bf16"))])

    def loop(self, depth: int) -> Stmt:
        """At most seven rounds."""
        kind = self.rng.choice(("i32", "i64"))
        low = self.rng.randrange(-3, 3)
        first = self.pack(kind, [low % (1 << WIDTH[kind])]) if self.rng.randrange(2) else self.masked(kind, 3)
        last = self.masked(kind, 3)
        return self.loop_of(depth, kind, [first, last, self.pack(kind, [self.rng.randrange(1, 4)])])

    # -- the kernel

    def params(self) -> list[Stmt]:
        out: list[Stmt] = []
        for name, pointer, kind in (("x", "p1", "in"), ("w", "p1", "in"), ("c", "p4", "in")):
            out.append({"n": name, "t": pointer, "k": kind, "align": 256, "deref": self.rng.choice([0, INPUT])})
        for name, kind in (("y", "out"), ("z", "inout"), ("t", "inout")):
            out.append({"n": name, "t": "p1", "k": kind, "align": 256, "deref": 0})
        self.used |= {"x", "w", "c", "y", "z", "t", "item"}
        for kind in ("i32", "i64", "f32", self.kind(NUMBERS), self.kind(NUMBERS)):
            out.append({"n": self.add(self.name("a"), kind), "t": kind, "k": "value"})
        self.rng.shuffle(out)
        return out

    def whole_waves(self) -> bool:
        return self.items() % WAVE[self.target] == 0

    def items(self) -> int:
        x, y, z = self.block
        return x * y * z

    def start(self) -> list[Stmt]:
        """The item's number in the launch, and its slot of LDS and of y filled."""
        ids = [self.put(f"workitem.{d}", "i32") for d in "xyz"]
        row = self.put("mul", "i32", ids[2], self.pack("i32", [self.block[1]]))
        row = self.put("mul", "i32", self.put("add", "i32", row, ids[1]), self.pack("i32", [self.block[0]]))
        self.local = self.put("add", "i32", row, ids[0])
        group = self.put("mul", "i32", self.put("workgroup.x", "i32"), self.pack("i32", [self.items()]))
        self.before.append({"op": "add", "n": "item", "t": "i32", "a": [self.local, group]})
        for part in range(TILE_SLOT // 16):
            at = self.put("mul", "i32", self.local, self.pack("i32", [TILE_SLOT // 16]))
            at = self.put("add", "i32", at, self.pack("i32", [part]))
            self.do("store", self.operand("v4i32"), self.put("gep", "p3", "@tile", at, e="v4i32"), align=16)
        for name, kind in ((self.local, "i32"), (ids[0], "i32")):
            self.add(name, kind)
        return self.flushed()

    def flushed(self) -> list[Stmt]:
        out, self.before = self.before, []
        return out

    def kernel(self) -> Stmt:
        rng = self.rng
        blocks = [[64, 1, 1], [64, 1, 1], [32, 2, 1], [16, 2, 4], [33, 1, 3], [1, 1, 1]]
        self.block = rng.choice(blocks)
        params = self.params()
        self.lds = [{"n": "tile", "t": "i8", "count": self.items() * TILE_SLOT, "align": 64}]
        body = self.start()
        while self.budget > 0:
            body += self.some(0)
        self.keep_unused(40)
        body += self.flushed()
        head = {"schema": "twinir-kernel-1", "name": f"run{self.seed}", "target": self.target, "block": self.block}
        return {**head, "waves_per_eu": 0, "params": params, "lds": self.lds, "body": body}


# -- one maker per rule or operation that needs more care than in random_kernels


def _instead(g: Runnable) -> Stmt:
    kind = g.kind(INTS)
    return {"op": "add", "t": kind, "a": [g.operand(kind), g.operand(kind)]}


def _small(g: Runnable, kind: str, extra: bool = False) -> str:
    """Below 2^(w/2-1), or from there to twice that."""
    half = WIDTH[split_type(kind)[0]] // 2 - 1
    low = g.masked(kind, (1 << half) - 1)
    return g.put("or", kind, low, g.pack(kind, [1 << half])) if extra else low


def _int_binary(g: Runnable, op: str) -> Stmt:
    kind = g.kind(("i1", *INTS) if op in ("and", "or", "xor") else INTS)
    width = WIDTH[split_type(kind)[0]]
    flags = g.table[op]["flags"].split()
    if flags and g.rng.randrange(3) == 0:
        return _promised(g, op, kind, [f for f in flags if g.rng.randrange(2)])
    a, b = g.operand(kind), g.operand(kind)
    if op in ("shl", "lshr", "ashr"):
        b = g.masked(kind, width - 1) if g.rng.randrange(2) else g.lanes_of(kind, 0, width)
    elif op in ("udiv", "urem"):
        b = g.put("or", kind, b, g.pack(kind, [1]))
    elif op in ("sdiv", "srem"):  # the least number by -1 overflows
        b = g.put("or", kind, g.masked(kind, (1 << width - 1) - 1), g.pack(kind, [1]))
    return {"t": kind, "a": [a, b]}


def _promised(g: Runnable, op: str, kind: str, flags: list[str]) -> Stmt:
    """With flags that hold."""
    width = WIDTH[split_type(kind)[0]]
    shift = g.rng.randrange(width // 2)
    if op in ("lshr", "ashr"):
        a, b = g.masked(kind, (1 << width) - (1 << shift)), g.pack(kind, [shift])
    elif op == "shl":
        a, b = _small(g, kind), g.pack(kind, [shift])
    elif op in ("udiv", "sdiv"):
        by = _small(g, kind, True)
        a, b = g.put("mul", kind, _small(g, kind), by), by
    else:
        a, b = _small(g, kind, True), _small(g, kind)
    return {"t": kind, "a": [a, b], **({"f": flags} if flags else {})}


def _float_binary(g: Runnable, op: str) -> Stmt:
    kind = g.kind(FLOATS)
    b = g.number(kind) if op == "copysign" else g.operand(kind)
    return {"t": kind, "a": [g.operand(kind), b]}


def _float_to_int(g: Runnable, op: str) -> Stmt:
    stmt = RULES["float_to_int"](g, op)
    if op.endswith(".sat"):
        return stmt
    source = g.kind(FLOATS, (split_type(stmt["t"])[1],))
    bound = {"f16": 0x5640, "bf16": 0x42C8, "f32": 0x42C80000, "f64": 0x4059000000000000}[split_type(source)[0]]
    sign = 1 << WIDTH[split_type(source)[0]] - 1
    x = g.put("minimumnum", source, g.operand(source), g.pack(source, [bound]))
    low = g.pack(source, [bound | sign if op == "fptosi" else 0])
    return {**stmt, "a": [g.put("maximumnum", source, x, low)]}


def _classify(g: Runnable, op: str) -> Stmt:
    mask = g.rng.randrange(1024)  # quiet and signalling NaNs together
    return {**RULES["classify"](g, op), "mask": mask | 3 if mask & 1 else mask & ~3}


def _bitcast(g: Runnable, op: str) -> Stmt:
    kind = g.kind(WIDTH)
    scalar, lanes = split_type(kind)
    bits = WIDTH[scalar] * lanes
    options = [type_name(s, bits // w) for s, w in WIDTH.items() if bits % w == 0 and 1 <= bits // w <= 32]
    if scalar not in FLOATS:
        return {"t": g.rng.choice(options), "a": [g.operand(kind)]}
    return {"t": g.rng.choice(options), "a": [g.moved(kind) if g.rng.randrange(4) == 0 else g.number(kind)]}


def _fp8_pack(g: Runnable, _op: str) -> Stmt:
    return {"t": "i32", "a": [g.number("f32"), g.number("f32"), g.operand("i32")]}


def _select(g: Runnable, _op: str) -> Stmt:
    kind = g.kind(WIDTH)
    condition = g.operand(type_name("i1", split_type(kind)[1] if g.rng.randrange(2) else 1))
    return {"t": kind, "a": [condition, g.operand(kind), g.operand(kind)]}


def _icmp(g: Runnable, op: str) -> Stmt:
    if g.rng.randrange(6):
        kind = g.kind(("i1", *INTS))
        return {"t": type_name("i1", split_type(kind)[1]), "a": [g.operand(kind), g.operand(kind)]}
    pair = [g.put("gep", "p1", "x", g.index(INPUT // 4), e="f32") for _ in range(2)]
    return {"t": "i1", "a": pair}


def _extract(g: Runnable, op: str) -> Stmt:
    kind = g.kind(WIDTH, LANES[3:])
    scalar, lanes = split_type(kind)
    if op == "insert":
        return {"t": kind, "a": [g.operand(kind), g.operand(scalar), g.index(lanes)]}
    return {"t": scalar, "a": [g.operand(kind), g.index(lanes)]}


def _shuffle(g: Runnable, _op: str) -> Stmt:
    kind = g.kind(WIDTH, LANES[3:])
    scalar, lanes = split_type(kind)
    mask = [g.rng.randrange(2 * lanes) for _ in range(g.rng.choice([2, 3, 4, 8, 16, 32]))]
    return {"t": type_name(scalar, len(mask)), "a": [g.operand(kind), g.operand(kind)], "mask": mask}


def _load(g: Runnable, _op: str) -> Stmt:
    """From an input, the item's own slot of z or of LDS, or the hidden arguments."""
    source, kind = g.rng.randrange(8), g.kind(NUMBERS)
    if source == 0:
        hidden = g.put("implicit.args", "p4")
        return {"op": "load", "t": "i32", "a": [g.put("gep", "p4", hidden, g.index(3), e="i32")], "align": 4}
    if source < 3 and stride(kind) <= TILE_SLOT:
        where, size = ("@tile", TILE_SLOT) if source == 1 else ("z", SLOT)
        at = _own(g, kind, where, size)
        return {"op": "load", "t": kind, "a": [at], "align": g.aligned(kind)}
    base, pointer = ("c", "p4") if source == 3 else ("x", "p1")
    if source == 4:
        base = g.put("select", "p1", g.operand("i1"), "x", "w")
    at = g.put("gep", pointer, base, g.index(INPUT // stride(kind)), e=kind)
    flags = [f for f in ("invariant", "nontemporal") if g.rng.randrange(3) == 0]
    return {"op": "load", "t": kind, "a": [at], **({"f": flags} if flags else {}), "align": g.aligned(kind)}


def _own(g: Runnable, kind: str, where: str, size: int) -> str:
    count = size // stride(kind)
    if where != "@tile":
        return g.address(kind, where, g.rng.randrange(count), count)
    at = g.put("mul", "i32", g.local, g.pack("i32", [count]))
    at = g.put("add", "i32", at, g.index(count))
    return g.put("gep", "p3", where, at, e=kind)


def _store(g: Runnable, _op: str) -> Stmt:
    kind = g.kind(NUMBERS)
    if stride(kind) > TILE_SLOT or g.rng.randrange(2):
        return g.store(kind, g.rng.choice("yz"), SLOT)
    return {"op": "store", "a": [g.storable(kind), _own(g, kind, "@tile", TILE_SLOT)], "align": g.aligned(kind)}


def _buffer_type(g: Runnable) -> str:
    return g.rng.choice(["i8", g.kind(("i16", "f16", "bf16"), (1, 2, 4, 8)), g.kind(("i32", "f32"), (1, 2, 3, 4))])


def _resource(g: Runnable, base: str, size: int) -> str:
    return g.put("rsrc", "p8", base, g.pack("i32", [size]), flags=g.rng.choice([0, 0x31004000]))


def _buffer_load(g: Runnable, _op: str) -> Stmt:
    """At any offset: out of range gives 0."""
    kind = _buffer_type(g)
    resource = _resource(g, "x", g.rng.choice([INPUT, 100, 64, 0]))
    offset = g.operand("i32") if g.rng.randrange(3) == 0 else g.masked("i32", g.rng.choice([0x3C, 0x7C, 0x1FFC]))
    return {
        "op": "buffer.load",
        "t": kind,
        "a": [resource, offset, g.pack("i32", [g.rng.choice([0, 4, 64])])],
        "aux": 0,
    }


def _buffer_store(g: Runnable, _op: str) -> Stmt:
    """Into the item's own slot, or nowhere."""
    kind = _buffer_type(g)
    resource = _resource(g, g.rng.choice("yz"), g.rng.choice([1 << 30, SLOT * 3]))
    at = g.put("mul", "i32", "item", g.pack("i32", [SLOT]))
    at = g.put("add", "i32", at, g.masked("i32", SLOT - 64))
    return {
        "op": "buffer.store",
        "a": [g.storable(kind), resource, at, g.pack("i32", [g.rng.choice([0, 16])])],
        "aux": 0,
    }


def _barrier(g: Runnable, op: str) -> Stmt:
    """A barrier, any item's LDS, and a barrier again; at the top level only."""
    if g.depth > 0:
        return _instead(g)
    split = op != "barrier"
    _meet(g, split)
    for _ in range(g.rng.randrange(1, 4)):
        kind = g.kind(NUMBERS, (1, 2, 4, 8))
        at = g.put("gep", "p3", "@tile", g.index(g.items() * TILE_SLOT // stride(kind)), e=kind)
        g.add(g.put("load", kind, at, align=g.aligned(kind)), kind)
    _meet(g, split)
    return _instead(g)


def _meet(g: Runnable, split: bool) -> None:
    if g.rng.randrange(2):
        g.do("fence", order="release", scope="workgroup")
    for op in ("barrier.signal", "barrier.wait") if split else ("barrier",):
        g.do(op)
    if g.rng.randrange(2):
        g.do("fence", order="acquire", scope="workgroup")


def _async_load(g: Runnable, op: str) -> Stmt:
    """Into the item's own slot of LDS, and waited for."""
    if g.depth > 0:
        return _instead(g)
    name = op if op.startswith("async") else "async.load.b32"
    size = int(name[-2:].strip("b")) // 8 if not name.endswith("128") else 16
    element = {4: "i32", 8: "i64", 16: "v4i32"}[size]
    source = g.put("gep", "p1", "x", g.index(INPUT // size), e=element)
    g.do(name, source, _own(g, element, "@tile", TILE_SLOT), offset=0, aux=0)
    g.do("wait.async", count=0)
    return _instead(g)


def _load_lds(g: Runnable, op: str) -> Stmt:
    """Into the slots of the wave's first items, each from any place; waited for, and met before and after."""
    if g.depth > 0:
        return _instead(g)
    name = op if op.startswith("load") else "load.lds.b32"
    wave = g.put("and", "i32", g.local, g.pack("i32", [0xFFFFFFFF - (WAVE[g.target] - 1)]))
    base = g.put("mul", "i32", wave, g.pack("i32", [TILE_SLOT]))
    source = g.put("gep", "p1", "x", g.index(INPUT // 16 - WAVE[g.target] - 1), e="v4i32")
    _meet(g, False)
    for offset in (0, 16 * WAVE[g.target]) if g.whole_waves() else (0,):
        g.do(name, source, g.put("gep", "p3", "@tile", base, e="i8"), offset=offset, aux=0)
        g.do("wait.load.lds", count=g.rng.choice((0, 1, 63)))
    g.do("wait.load.lds", count=0)
    _meet(g, False)
    return _instead(g)


def _matrix(g: Runnable, op: str) -> Stmt:
    """Of whole waves only."""
    if g.depth == 0 and g.whole_waves():
        return RULES["matrix"](g, op)
    g.todo.insert(0, op)  # later, perhaps
    return _instead(g)


def _atomic(g: Runnable, op: str) -> Stmt:
    """On the item's own slot, or on a word that all items share and only this operation changes."""
    rule = g.table[op]["rule"]
    kind = g.rng.choice({"atomic_float": ("f32", "f64"), "atomic_exchange": ("i32", "f64")}.get(rule, ("i32", "i64")))
    how = {key: g.attribute(op, key) for key in ("order", "scope")}
    if rule == "atomic_int" and g.rng.randrange(2):
        word = sorted(name for name, row in g.ops.items() if row["rule"] == "atomic_int").index(op)
        at = g.put("gep", "p1", "t", g.pack("i32", [4 * word if kind == "i32" else 2 * word + 1]), e=kind)
        g.put(op, kind, at, g.operand(kind), **how)  # which item finds which old value is nobody's promise
        return _instead(g)
    where, size = g.rng.choice([("@tile", TILE_SLOT), ("z", SLOT)])
    at = _own(g, kind, where, size)
    values = [g.storable(kind) for _ in range(2 if rule == "atomic_compare" else 1)]
    if kind in FLOATS:
        return _float_atomic(g, op, kind, [at, values[0]], how)
    if rule == "atomic_compare" and g.rng.randrange(2):  # one that stores
        values[0] = g.put("load", kind, at, align=stride(kind))
    return {"t": kind, "a": [at, *values], **how}


def _float_atomic(g: Runnable, op: str, kind: str, operands: list[Operand], how: dict[str, Any]) -> Stmt:
    """The sum of two infinities is a NaN, which memory must not keep."""
    flags = ["coarse"] if g.table[op]["flags"] and g.rng.randrange(2) else []
    old = g.put(op, kind, *operands, **({"f": flags} if flags else {}), **how)
    g.add(old, kind)
    at = operands[0]
    g.do("store", g.number(kind, g.put("load", kind, at, align=stride(kind))), at, align=stride(kind))
    return _instead(g)


def _assert(g: Runnable, op: str) -> Stmt:
    """What holds."""
    return {"n": g.name("sure"), "a": [g.put("or", "i1", g.operand("i1"), ["i1", "1"])]}


def _trap(g: Runnable, _op: str) -> Stmt:
    """Where nobody comes."""
    never = g.put("and", "i1", g.operand("i1"), ["i1", "0"])
    g.before.append({"op": "if", "n": g.name("never"), "a": [never], "body": [{"op": "trap"}]})
    return _instead(g)


def _readlane(g: Runnable, _op: str) -> Stmt:
    """Any lane where every one is active; else the first that is."""
    kind = g.rng.choice(("i32", "f32"))
    if g.depth == 0 and g.whole_waves() and g.rng.randrange(3):
        return {"t": kind, "a": [g.operand(kind), g.pack("i32", [g.rng.randrange(2 * WAVE[g.target])])]}
    return {"t": kind, "a": [g.operand(kind), g.put("readfirstlane", "i32", g.local)]}


SAFE_RULES: dict[str, Callable[[Runnable, str], Stmt]] = {
    "int_binary": _int_binary,
    "float_binary": _float_binary,
    "float_to_int": _float_to_int,
    "classify": _classify,
    "bitcast": _bitcast,
    "fp8_pack": _fp8_pack,
    "select": _select,
    "icmp": _icmp,
    "extract": _extract,
    "insert": _extract,
    "shuffle": _shuffle,
    "implicit_args": _load,
    "gep": _load,
    "load": _load,
    "store": _store,
    "rsrc": _buffer_load,
    "buffer_load": _buffer_load,
    "buffer_store": _buffer_store,
    "atomic_int": _atomic,
    "atomic_float": _atomic,
    "atomic_exchange": _atomic,
    "atomic_compare": _atomic,
    "async_load": lambda g, op: (_load_lds if op.startswith("load") else _async_load)(g, op),
    "readlane": _readlane,
    "matrix": _matrix,
    "assert_": _assert,
}
SAFE: dict[str, Callable[[Runnable, str], Stmt]] = {
    "barrier": _barrier,
    "barrier.signal": _barrier,
    "barrier.wait": _barrier,
    "wait.async": _async_load,
    "wait.load.lds": _load_lds,
    "trap": _trap,
}


def runnable_kernel(seed: int, target: str | None = None, size: int | None = None) -> str:
    """The JSON of a random kernel that may be run."""
    rng = random.Random(f"run {seed}")
    target = target or TARGETS[seed % len(TARGETS)]
    return to_json(Runnable(seed, target, size or rng.choice([15, 40, 80])).kernel())


def runnable_kernels(seeds: Iterable[int]) -> list[str]:
    return [runnable_kernel(seed) for seed in seeds]


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes a random kernel that may be run.")
    parser.add_argument("seed", type=int)
    parser.add_argument("--target", choices=sorted(set(TARGETS) & set(FEATURES)))
    options = parser.parse_args()
    print(runnable_kernel(options.seed, options.target), end="")


if __name__ == "__main__":
    main()
