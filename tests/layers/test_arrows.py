# SPDX-License-Identifier: MIT
"""Arrows between the rooms point one way; dsl and instances know no LLVM; the Python emitter knows nothing else."""
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ALLOWED = {
    "dsl": {"dsl"},
    "instances": {"dsl", "instances"},
    "emit": {"dsl", "emit"},
    "parity": {"dsl", "instances", "emit", "parity"},
    "runtime": {"dsl", "instances", "emit", "runtime"},
    "tools": {"dsl", "instances", "emit", "parity", "runtime", "tools"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.M)
# The plugins are where LLVM lives.
PLUGINS = (ROOT / "emit" / "cpp", ROOT / "runtime" / "host")


def sources(room: str) -> list[Path]:
    return sorted(p for p in (ROOT / room).rglob("*") if p.suffix in {".cpp", ".hpp", ".h", ".def"})


def faults(room: str, path: Path, text: str) -> list[str]:
    out = []
    for _, name in INCLUDE.findall(text):
        first = name.split("/")[0]
        if first in ALLOWED and first not in ALLOWED[room]:
            out.append(f"{path.name}: {room} must not include {name}")
        if first in {"llvm", "llvm-c", "lld", "clang"} and not any(p in path.parents for p in PLUGINS):
            out.append(f"{path.name}: {name} outside the plugins")
    return out


@pytest.mark.parametrize("room", sorted(ALLOWED))
def test_includes_point_one_way(room: str) -> None:
    files = sources(room)
    assert len(files) > 3, f"{room} has no sources: nothing was checked"
    assert [f for p in files for f in faults(room, p, p.read_text())] == []


def test_the_check_can_fail() -> None:
    dsl, tools = ROOT / "dsl" / "x.cpp", ROOT / "tools" / "x.cpp"
    assert faults("dsl", dsl, '#include "emit/llvm_plugin.hpp"\n')
    assert faults("dsl", dsl, "#include <llvm/IR/Module.h>\n")
    assert faults("parity", tools, '#include "tools/output.hpp"\n')
    assert not faults("tools", tools, '#include "dsl/json.hpp"\n')


def test_python_emitter_imports_only_itself() -> None:
    files = sorted((ROOT / "emit" / "python").rglob("*.py"))
    assert len(files) > 10
    for path in files:
        for name in re.findall(r"^\s*(?:from|import)\s+([\w.]+)", path.read_text(), re.M):
            assert not name.startswith(("llvmlite", "numpy", "twinir.", "dsl", "instances")), f"{path.name}: {name}"
