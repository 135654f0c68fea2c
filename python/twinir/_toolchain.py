# SPDX-License-Identifier: MIT
"""Flavors, both emitters, compiled kernels."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import threading
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from . import _core
from ._errors import make_error


@dataclass(frozen=True)
class Flavor:
    """One LLVM that kernels can be emitted for."""

    name: str
    llvm: str  #: its version, of the installed LLVM or of the flavor file
    file: str  #: flavor file, which the Python emitter reads; empty when there is none
    installed: bool  #: the C++ emitter and the compiler are there
    compiles: tuple[str, ...]  #: GPUs that it makes code objects for
    usual: bool  #: taken when none is named: a release that loads into this process


def flavors() -> list[Flavor]:
    """Every LLVM that is installed or has a flavor file."""
    return [
        Flavor(f["name"], f["llvm"], f["file"], f["installed"], tuple(f["compiles"]) if f["links"] else (), f["usual"])
        for f in _core.flavors()
    ]


def find_flavor(flavor: int | str) -> Flavor:
    """The flavor of a version (22) or name ("llvm22"); twinir.Error TIR3002 when there is none."""
    name = f"llvm{flavor}" if isinstance(flavor, int) else flavor
    known = flavors()
    for found in known:
        if found.name == name:
            return found
    raise make_error("TIR3002", f"flavor '{name}'", "one of " + ", ".join(f.name for f in known), "choose one of these")


def installed_flavor(flavor: int | str | None, arch: str = "") -> Flavor:
    """The flavor, which must have its LLVM; without one the newest that makes code objects for `arch`."""
    if flavor is not None:
        found = find_flavor(flavor)
        if found.installed and (not arch or arch in found.compiles):
            return found
        what = f"{found.name}, whose LLVM {'does not make code for ' + arch if found.installed else 'is not installed'}"
        raise make_error("TIR4001" if found.installed else "TIR4006", what, "an LLVM that can do this", _ADVICE)
    usual = [f for f in flavors() if f.installed and (not arch or arch in f.compiles)]
    if not usual:
        found_text = f"no installed LLVM{' that makes code for ' + arch if arch else ''}"
        raise make_error("TIR4006", found_text, "one of LLVM 19 to 24", _ADVICE)
    return max(usual, key=lambda f: (f.usual, _number(f.name)))


_ADVICE = "install one (docs/flavors.md) and build twinir again; emission with engine='python' needs no LLVM"


def _number(name: str) -> int:
    return int(name[4:]) if name.startswith("llvm") and name[4:].isdigit() else 0


# -- the emitters

_locks: dict[int, threading.Lock] = {}


def _lock() -> threading.Lock:
    """That of this process: one that was forked off while a thread held it must not wait for that thread."""
    return _locks.setdefault(os.getpid(), threading.Lock())


def python_emitter() -> ModuleType:
    """The Python emitter, which needs nothing but its own files."""
    name = f"{__package__}._emitter"
    with _lock():
        if name not in sys.modules:
            folder = os.path.join(_core.places()["python"], "twinir_emit")
            spec = importlib.util.spec_from_file_location(
                name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
            )
            assert spec is not None and spec.loader is not None, folder
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module
            spec.loader.exec_module(module)
    return sys.modules[name]


def emit(kernel_json: str, flavor: Flavor, engine: str) -> str:
    """IR text of a kernel; twinir.Error when the flavor lacks an operation."""
    if engine == "cpp":
        return _core.emit(installed_flavor(flavor.name).name, kernel_json)
    if engine != "python":
        raise make_error("TIR7001", f"engine '{engine}'", "'cpp' or 'python'", "choose one of them")
    if not flavor.file:
        raise make_error("TIR3003", f"no flavor file of {flavor.name}", "one", "record it (twinir flavor record)")
    emitter = python_emitter()
    try:
        return str(emitter.emit(kernel_json, emitter.load_flavor(flavor.file)))
    except emitter.Refusal as refusal:
        d = refusal.as_dict()
        raise make_error(d["code"], d["found"], d["expected"], d["action"]) from None


# -- what was compiled


@dataclass(frozen=True)
class CodeObject:
    """A compiled kernel: the bytes of an AMDGPU code object, and what it takes.

    vgprs, sgprs: registers of a wave; spills: registers kept in memory; lds_bytes of a work-group; scratch_bytes of a
    work-item; code_bytes: of instructions. `report` has everything that twinir inspect says.
    """

    arch: str
    flavor: str
    data: bytes = field(repr=False)
    report: dict[str, Any] = field(repr=False)
    vgprs: int = 0
    sgprs: int = 0
    spills: int = 0
    lds_bytes: int = 0
    scratch_bytes: int = 0
    code_bytes: int = 0

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the code object."""
        try:
            with open(path, "wb") as file:
                file.write(self.data)
        except (OSError, ValueError) as error:
            raise make_error("TIR7002", f"'{path}' ({error})", "a file that can be written", "choose another") from None


_pools: dict[int, _core.CompilePool] = {}


def _pool() -> _core.CompilePool:
    """Compile workers of this process; one that was forked off starts its own."""
    with _lock():
        if os.getpid() not in _pools:
            _pools[os.getpid()] = _core.CompilePool()
        return _pools[os.getpid()]


def compile_text(text: str, name: str, arch: str, flavor: Flavor, opt: int, form: str) -> tuple[bytes, str]:
    return _pool().compile(flavor.name, name, text, arch, opt, form)


def code_object(data: bytes, report: str, flavor: str) -> CodeObject:
    whole = json.loads(report)
    k = whole["kernels"][0]
    return CodeObject(
        whole["arch"],
        flavor,
        data,
        whole,
        k["vgprs"],
        k["sgprs"],
        k["vgpr_spills"] + k["sgpr_spills"],
        k["lds_bytes"],
        k["scratch_bytes"],
        k["code_bytes"],
    )
