# SPDX-License-Identifier: MIT
"""The Python tables say what dsl/ops.def, dsl/codes.def and dsl/op.hpp say."""

import re

from kernels import ROOT, flavor_names, flavor_table
from twinir_emit.handlers import HANDLERS
from twinir_emit.ops import OPS
from twinir_emit.rules import RULES
from twinir_emit.targets import TARGETS

ROW = re.compile(r'^TWINIR_OP\((\w+), "([^"]+)", "(\w+)", (\w+), (\w+), "([^"]*)", "([^"]*)", "([^"]*)", ".*"\)$', re.M)
ROWS = ROW.findall((ROOT / "dsl" / "ops.def").read_text(encoding="utf-8"))


def test_the_pattern_reads_every_row() -> None:
    text = (ROOT / "dsl" / "ops.def").read_text(encoding="utf-8")
    assert len(ROWS) == len(re.findall(r"^TWINIR_OP\(", text, re.M)) > 90


def test_ops_are_those_of_the_def_file_in_order() -> None:
    ours = [(op.name, op.rule, op.attributes, op.flags, op.feature) for op in OPS.values()]
    theirs = [(r[1], r[4], tuple(r[5].split()), tuple(r[6].split()), r[7]) for r in ROWS]
    assert ours == theirs


def test_every_op_has_one_handler() -> None:
    assert set(HANDLERS) == {row[1] for row in ROWS}


def test_every_rule_is_covered() -> None:
    header = (ROOT / "dsl" / "op.hpp").read_text(encoding="utf-8")
    listed = re.search(r"enum class TypeRule[^{]*\{([^}]*)\}", header)
    assert listed is not None
    names = {name.strip() for name in listed[1].split(",") if name.strip()}
    assert set(RULES) == names == {row[4] for row in ROWS}


def test_features_belong_to_a_target() -> None:
    offered = set().union(*(target.features for target in TARGETS.values()))
    assert {row[7] for row in ROWS} - {""} == offered


def test_targets_are_those_of_the_dsl() -> None:
    source = (ROOT / "dsl" / "target.cpp").read_text(encoding="utf-8")
    rows = re.findall(r'Target\{"(\w+)", \d+, (\d+), (\d+), \d+, "([^"]*)", \{', source)
    ours = {(t.name, t.lds_bytes, t.max_items, t.features) for t in TARGETS.values()}
    assert ours == {(n, int(lds), int(items), frozenset(f.split())) for n, lds, items, f in rows}


def test_every_code_that_the_emitter_uses_is_listed() -> None:
    listed = set(re.findall(r"TWINIR_CODE\((\d+),", (ROOT / "dsl" / "codes.def").read_text(encoding="utf-8")))
    used: set[str] = set()
    for path in (ROOT / "emit" / "python").rglob("*.py"):
        used |= set(re.findall(r'"TIR(\d{4})"', path.read_text(encoding="utf-8")))
    assert used <= listed
    assert len(used) > 15


def test_every_flavor_has_an_entry_for_each_op_that_calls() -> None:
    calling = ("intrinsic", "_rsrc", "_group_barrier", "_assert", "_load_lds", "_wait_load_lds")
    plain = {name for name, handler in HANDLERS.items() if handler.__name__ not in calling}
    assert flavor_names()
    for name in flavor_names():
        assert set(flavor_table(name)["intrinsics"]) == set(OPS) - plain, name


def test_files_have_a_licence_and_a_purpose_and_are_short() -> None:
    for path in (ROOT / "emit" / "python").rglob("*.py"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0] == "# SPDX-License-Identifier: MIT", path
        assert lines[1].startswith('"""'), path
        assert len(lines) <= 300, path
