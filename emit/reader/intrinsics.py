# SPDX-License-Identifier: MIT
"""Declarations of intrinsics as templates: tried with one choice of types and checked with all others that the rule of
the operation allows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

from forms import Fault, printed_function, split_params
from twinir_emit.ops import OPS
from twinir_emit.rules import RULES, fault_of
from twinir_emit.types import Type, type_of, vector
from wheel import NotAccepted, reprint

Json = dict[str, Any]
Texts = list[tuple[str, str]]

# The first count of lanes is one that no declaration contains by itself, so that its type is easy to find.
_LANES = (5, 4, 3, 2, 8, 16, 32, 1)
_SCALARS = ("f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8")
_OTHERS = tuple(map(type_of, ("p8", "p1", "i32")))


def _choices(count: int) -> Iterator[tuple[Type, ...]]:
    """Types for so many overloads, which have the same number of lanes."""
    for lanes in _LANES:
        yield from product((vector(scalar, lanes) for scalar in _SCALARS), repeat=count)


def _allowed(op: str, words: list[str], types: tuple[Type, ...]) -> bool:
    """Is there a statement of the operation whose overloaded types are these?"""
    arity = RULES[OPS[op].rule][0]
    fixed = dict(zip(words, types))
    results = [fixed["r"]] if "r" in fixed else [None, *types, *(kind.with_scalar("i1") for kind in types)]
    pool = {*types, *(kind.with_scalar("i32") for kind in types), *_OTHERS}
    columns = [[fixed[str(i)]] if str(i) in fixed else sorted(pool, key=repr) for i in range(arity)]
    return any(fault_of(OPS[op], r, None, 0, *args) is None for r in results for args in product(*columns))


@cache
def _samples(op: str, words: tuple[str, ...]) -> tuple[tuple[Type, ...], ...]:
    """Every choice of overloaded types that the rule allows."""
    found = tuple(types for types in _choices(len(words)) if _allowed(op, list(words), types))
    if not found:
        raise Fault(f"no types for {op}")
    return found


def _texts(types: tuple[Type, ...]) -> Texts:
    """The placeholders of types and what they stand for."""
    out = []
    for i, kind in enumerate(types):
        out += [(f"{{t{i}}}", kind.text), (f"{{b{i}}}", kind.with_scalar("i1").text)]
    return out


def _names(types: tuple[Type, ...]) -> Texts:
    return [(f"{{m{i}}}", kind.name) for i, kind in enumerate(types)]


def _filled(text: str, texts: Texts) -> str:
    for placeholder, meaning in texts:
        text = text.replace(placeholder, meaning)
    return text


def _with_placeholders(text: str, texts: Texts) -> str:
    for placeholder, meaning in texts:
        text = text.replace(meaning, placeholder)
    return text


class Printed:
    """What LLVM prints for a declaration without attributes."""

    def __init__(self, ret: str, symbol: str, params: list[str]) -> None:
        self.line, self.comment, self.group = printed_function(
            reprint(f"declare {ret} @{symbol}({', '.join(params)})\n")
        )
        head, _, rest = self.line.partition(" @")
        self.symbol, _, rest = rest.partition("(")
        given = split_params(rest.removesuffix(")"))
        same = len(given) == len(params) and all(a == b or a.startswith(b + " ") for a, b in zip(given, params))
        if not self.group or not head.endswith(" " + ret) or not same:
            raise NotAccepted(f"{symbol} is no intrinsic with these types")
        self.ret, self.params = ret, params
        self.immediate = ["immarg" in param.split() for param in given]
        self._check_call()

    def _check_call(self) -> None:
        """LLVM's verifier looks at the types of an intrinsic where it is called only."""
        kinds = list(zip(self.params, self.immediate))
        values = [f"{kind} %a{i}" for i, (kind, immediate) in enumerate(kinds) if not immediate]
        given = [f"{kind} {'0' if immediate else f'%a{i}'}" for i, (kind, immediate) in enumerate(kinds)]
        call = f"call {self.ret} @{self.symbol}({', '.join(given)})"
        body = f"  {call}\n  ret void\n" if self.ret == "void" else f"  %r = {call}\n  ret void\n"
        declare = f"declare {self.ret} @{self.symbol}({', '.join(self.params)})\n"
        reprint(f"{declare}define void @k({', '.join(values)}) {{\n{body}}}\n")


def _ask(seed: Json, types: tuple[Type, ...]) -> Printed:
    texts = _texts(types)
    params = [_filled(param, texts) for param in seed["params"]]
    return Printed(_filled(seed["ret"], texts), _filled(seed["symbol"], _names(types)), params)


def _template(seed: Json, printed: Printed, types: tuple[Type, ...]) -> Json:
    symbol = seed["symbol"] if types else printed.symbol
    if _filled(symbol, _names(types)) != printed.symbol:
        raise Fault(f"unexpected symbol {printed.symbol}")
    texts = _texts(types)
    line = _with_placeholders(printed.line.replace(f"@{printed.symbol}(", "@("), texts)
    return {
        "symbol": symbol,
        "declare": line.replace("@(", f"@{symbol}("),
        "ret": _with_placeholders(printed.ret, texts),
        "params": [_with_placeholders(param, texts) for param in printed.params],
        "immediate": printed.immediate,
        "overloads": seed["overloads"],
        "comment": printed.comment,
        "group": printed.group,
    }


def _check(op: str, form: Json, seed: Json, types: tuple[Type, ...]) -> None:
    """The template must be what LLVM prints for other types, too."""
    printed = _ask(seed, types)
    expected = _filled(form["declare"], _texts(types) + _names(types))
    if (expected, form["comment"], form["group"]) != (printed.line, printed.comment, printed.group):
        raise Fault(f"the template of {op} does not fit '{printed.line}'")


def record_intrinsic(op: str, seeds: list[Json]) -> Json | None:
    """The entry of an operation; None: this LLVM accepts it in no form that any seed has."""
    for entry in (seed["intrinsics"].get(op) for seed in seeds):
        if entry is None:  # that LLVM has no such operation, or its file is older than the operation
            continue
        choices = _samples(op, tuple(entry["overloads"])) if entry["overloads"] else ((),)
        try:
            form = _template(entry, _ask(entry, choices[0]), choices[0])
        except NotAccepted:
            continue
        for types in choices[1:]:
            _check(op, form, entry, types)
        if "immediate_comment" in entry:
            raise Fault(f"comments on the operands of {op} cannot be recorded from a wheel")
        return form
    return None
