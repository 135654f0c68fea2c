# SPDX-License-Identifier: MIT
"""The reader refuses whatever is no kernel with TIR1014, and nothing ends in another exception."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels import kernel, stmt, text
from twinir_emit.errors import Refusal
from twinir_emit.reader import MAX_DEPTH, read
from twinir_emit.verify import verify


def code_of(source: str | bytes) -> str:
    """The code with which a kernel is refused, or "good"."""
    try:
        verify(read(source))
    except Refusal as refusal:
        assert all(isinstance(part, str) and part for part in refusal.as_dict().values())
        return refusal.code
    return "good"


def nested(depth: int) -> str:
    body: list[dict[str, Any]] = []
    for level in range(depth):
        body = [stmt("if", ["i1", "1"], n=f"if{level}", body=body)]
    return text(*body)


LOAD = stmt("load", "x", n="v", t="f32", align=4)
IF = stmt("if", ["i1", "1"], n="c", body=[])
FOR = stmt("for", ["i32", "0"], "i32", ["i32", "1"], n="l", carry=[["i", ["i32", "0"], "i.next"]], body=[])

GOOD = [
    text(),
    text(LOAD),
    text(IF),
    text(FOR),
    text(LOAD) + "\n\n",
    json.dumps(kernel([LOAD]), indent=2),  # blanks and another order of keys are JSON all the same
    json.dumps(kernel([LOAD]), sort_keys=True),
    text(LOAD).encode(),
    text().replace('"k"', '"\\u006b"', 1),
    nested(MAX_DEPTH - 1),
]

BAD: list[str | bytes] = [
    "",
    "{",
    "[]",
    "null",
    "17",
    '"text"',
    "{}",
    text() + "x",
    "\ufeff" + text(),
    b"\xff" + text().encode(),
    text().replace('"k"', '"\\ud800"', 1),
    text(schema="twinir-kernel-2"),
    text(extra=1),
    text(block=[1, 1]),
    text(block=[1, 1, 1.0]),
    text(block=[True, 1, 1]),
    text(block=[1 << 40, 1, 1]),
    text(waves_per_eu=17),
    text(waves_per_eu=-1),
    text(name=1),
    text(params={}),
    text(params=[1]),
    text(params=[{"n": "q", "t": "f32"}]),
    text(params=[{"n": "q", "t": "f32", "k": "value", "align": 4}]),
    text(params=[{"n": "q", "t": "p1", "k": "in", "align": 4}]),
    text(params=[{"n": "q", "t": "p1", "k": "both", "align": 4, "deref": 0}]),
    text(params=[{"n": "q", "t": "p1", "k": "in", "align": 4, "deref": -1}]),
    text(params=[{"n": "q", "t": "void", "k": "value"}]),
    text(lds=[{"n": "s", "t": "f32", "count": -1, "align": 4}]),
    text(lds=[{"n": "s", "t": "f32", "count": (1 << 30) + 1, "align": 4}]),
    text(lds=[{"n": "s", "t": "f32", "count": 1}]),
    text().replace('"body":[]', '"body":{}'),
    text({"n": "v"}),
    text({"op": "no.such.op"}),
    text({"op": ["add"]}),
    text({"op": None}),
    text({**LOAD, "x": 1}),
    text({**LOAD, "e": "f32"}),
    text({**LOAD, "mask": [0]}),
    text({**LOAD, "n": 3}),
    text({**LOAD, "t": 3}),
    text({**LOAD, "t": "f33"}),
    text({**LOAD, "a": "x"}),
    text({**LOAD, "a": [1]}),
    text({**LOAD, "a": [{}]}),
    text({**LOAD, "f": "invariant"}),
    text({**LOAD, "f": [1]}),
    text({**LOAD, "f": [["invariant"]]}),
    text({**LOAD, "align": 4.0}),
    text({**LOAD, "align": None}),
    text({**LOAD, "align": True}),
    text({**LOAD, "align": ""}),
    text({**LOAD, "align": [4]}),
    text({**LOAD, "align": 1 << 63}),
    text(LOAD).replace('"align":4', '"align":4,"align":4'),
    text(LOAD).replace('"align":4', '"align":NaN'),
    text(LOAD).replace('"align":4', '"align":1e2'),
    text(LOAD).replace('"align":4', '"align":1' + "0" * 5000),
    text(stmt("store", "f32", "y", n="v", align=4)),
    text(stmt("fneg", ["f32"], n="v", t="f32")),
    text(stmt("fneg", ["f32", 0], n="v", t="f32")),
    text(stmt("fneg", ["f32", ["0"]], n="v", t="f32")),
    text(stmt("fneg", [["f32"], "0"], n="v", t="f32")),
    text(stmt("fneg", ["f32", "01"], n="v", t="f32")),
    text(stmt("fneg", ["f32", "FF"], n="v", t="f32")),
    text(stmt("fneg", ["f32", ""], n="v", t="f32")),
    text(stmt("fneg", ["f32", "-1"], n="v", t="f32")),
    text(stmt("fneg", ["f32", "10000000000000000"], n="v", t="f32")),
    text(stmt("shuffle", "v4f32", "v4f32", n="v", t="v2f32", mask=[0, 1 << 40])),
    text(stmt("shuffle", "v4f32", "v4f32", n="v", t="v2f32", mask=[0, "1"])),
    text({**IF, "results": [["r", "f32", "f32", "f32"]]}),  # no else branch
    text({**IF, "results": [["r", "f32", "f32"]], "else": []}),
    text({**IF, "body": 1}),
    text({**IF, "else": None}),
    text({**FOR, "carry": []}),
    text({**FOR, "carry": [["i", ["i32", "0"]]]}),
    text({**FOR, "carry": [["i", ["i32", "1"], "i.next"]]}),  # not the lower bound
    text({**FOR, "carry": [["i", ["i32", "0"], "i"]]}),
    nested(MAX_DEPTH),
    nested(300),
    text().replace('"body":[]', '"body":' + "[" * 100000 + "]" * 100000),
]


@pytest.mark.parametrize("source", GOOD)
def test_good(source: str | bytes) -> None:
    assert code_of(source) == "good"


@pytest.mark.parametrize("number", range(len(BAD)))
def test_malformed(number: int) -> None:
    assert code_of(BAD[number]) == "TIR1014", BAD[number][:300]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(JSON)
def test_any_json_is_refused_with_a_code(value: Any) -> None:
    assert code_of(json.dumps(value)) == "TIR1014"


@settings(max_examples=300, deadline=None)
@given(JSON, st.sampled_from(sorted(kernel())))
def test_any_member_gives_a_code(value: Any, key: str) -> None:
    code = code_of(json.dumps({**kernel([LOAD, IF, FOR]), key: value}))
    assert code == "good" or code.startswith("TIR1")


@settings(max_examples=500, deadline=None)
@given(
    JSON, st.sampled_from([LOAD, IF, FOR]), st.sampled_from(["op", "n", "t", "e", "a", "f", "align", "carry", "body"])
)
def test_any_value_in_a_statement_gives_a_code(value: Any, base: dict[str, Any], key: str) -> None:
    code = code_of(json.dumps(kernel([{**base, key: value}])))
    assert code == "good" or code.startswith("TIR1")


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_refused(data: bytes) -> None:
    assert code_of(data) == "TIR1014"


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2000), st.binary(min_size=1, max_size=3))
def test_damaged_text_gives_a_code(at: int, piece: bytes) -> None:
    source = text(LOAD, IF, FOR).encode()
    at %= len(source)
    code = code_of(source[:at] + piece + source[at + len(piece) :])
    assert code == "good" or code.startswith("TIR1")
