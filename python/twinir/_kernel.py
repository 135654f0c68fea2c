# SPDX-License-Identifier: MIT
"""Kernel: a finished kernel, and what can be done with it."""

from __future__ import annotations

import html
import os
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from . import _core
from ._errors import make_error
from ._launch import Launch, bind, launch
from ._parity import Check, check
from ._toolchain import CodeObject, code_object, compile_text, emit, find_flavor, installed_flavor


class Kernel:
    """A finished kernel; immutable, and safe to use from several threads.

    `repr` prints it for reading; notebooks show the same. What a builder knows and kernel JSON does not: `elements`, the
    element types of pointer parameters, which arrays of a launch are held against; `lines`, the author's file and line of
    each value, which faults of a launch name.
    """

    def __init__(
        self,
        definition: _core.KernelDef,
        elements: Mapping[str, _core.Type] | None = None,
        lines: Mapping[str, tuple[str, int]] | None = None,
    ) -> None:
        self._def = definition
        self._elements = dict(elements or {})
        self._lines = dict(lines or {})
        self._lock = threading.Lock()
        self._loaded: dict[bool, _core.LoadedKernel] = {}

    @classmethod
    def from_json(cls, text: str) -> Kernel:
        """The kernel of a kernel JSON text (docs/kernel_json.md); twinir.Error TIR1014 and others when it is not valid."""
        return cls(_core.KernelDef.from_json(text))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Kernel:
        """The kernel of a file that `freeze` or `twinir show --json` wrote."""
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        except (OSError, UnicodeDecodeError, ValueError) as error:
            raise make_error("TIR7002", f"'{path}' ({error})", "a file with kernel JSON", "name one") from None
        return cls.from_json(text)

    @property
    def name(self) -> str:
        """Name of the kernel, which is that of its function in the code object."""
        return self._def.name

    @property
    def arch(self) -> str:
        """The GPU it is written for."""
        return self._def.target

    @property
    def block(self) -> tuple[int, int, int]:
        """Work-items of a group, x, y and z."""
        return self._def.block

    @property
    def params(self) -> list[dict[str, str]]:
        """name, type and kind (value, in, out, inout) of each parameter, in order."""
        return self._def.params

    @property
    def json(self) -> str:
        """The kernel JSON that both emitters read: canonical, so that equal kernels have equal texts."""
        return self._def.json

    def emit(self, flavor: int | str | None = None, engine: str = "cpp") -> str:
        """LLVM IR text for an LLVM: 22, "llvm22", a name; by default the newest installed that knows the GPU.

        engine "cpp" (LLVM's IRBuilder; that LLVM must be installed) or "python" (needs no LLVM; the default is then 22).
        Raises twinir.Error TIR3001 when that LLVM lacks an operation of the kernel.
        """
        if flavor is None:
            found = find_flavor(22) if engine == "python" else installed_flavor(None, self.arch)
        else:
            found = find_flavor(flavor)
        return emit(self.json, found, engine)

    def check(self, flavors: int | str | Sequence[int | str] | None = None) -> Check:
        """Emits for every flavor (or those named) by both emitters and compares byte by byte.

        Raises twinir.Error TIR6007 with the first difference. A flavor whose LLVM is not installed is emitted by the Python
        emitter alone, and the answer says so.
        """
        return check(self.name, self.json, flavors)

    def compile(self, arch: str | None = None, *, flavor: int | str | None = None, opt: int = 3) -> CodeObject:
        """Compiles and links, in a worker process; gives the code object with its registers.

        `arch` must be the kernel's own (TIR4008); without a flavor the newest LLVM that knows it (TIR4006 when none
        does). opt: 0 to 3. Raises twinir.Error TIR4xxx for what LLVM refuses or does not survive.
        """
        found = installed_flavor(flavor, self.arch)
        data, report = self._compile(arch, found.name, opt, "code-object")
        return code_object(data, report, found.name)

    def asm(self, arch: str | None = None, *, flavor: int | str | None = None, opt: int = 3) -> str:
        """The ISA as LLVM prints it, with its comments on registers and occupancy; arguments and errors as compile."""
        return self._compile(arch, installed_flavor(flavor, self.arch).name, opt, "assembly")[0].decode()

    def launch(
        self,
        grid: int | Sequence[int],
        *args: Any,
        checked: bool = True,
        threads: int = 0,
        lane_order: int = 0,
        **named: Any,
    ) -> Launch:
        """Runs the exact emitted IR on this machine (the host executor), over numpy arrays and the like.

        grid: work-groups, up to three extents. Arguments in the order of the parameters, or by name: arrays (numpy, the
        buffer protocol, __dlpack__ on the CPU), contiguous, for pointers; numbers for values. Arrays of out and inout
        parameters are written in place. Checked (the default), a race, an access out of bounds or a read of memory that
        nobody wrote raises twinir.Error TIR5xxx with the lane and the statement; then no array is changed. threads: 0 is one
        per core; lane_order: a seed that shuffles the order in which lanes run.
        """
        values = bind(self.params, self._elements, args, named)
        return launch(self._load(checked), values, self._lines, grid, threads, lane_order)

    def freeze(self, path: str | os.PathLike[str]) -> None:
        """Writes the kernel JSON: `twinir emit FILE`, `twinir gate --kernel FILE` and Kernel.load read it."""
        name = os.fspath(path)
        if "\0" in name:
            raise make_error("TIR7002", f"the path {name!r}", "a path without zero bytes", "correct it")
        _core.write_file(name, self.json)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kernel) and self._def == other._def

    def __hash__(self) -> int:
        return hash(self.json)

    def __repr__(self) -> str:
        return self._def.text

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._def.text)}</pre>"

    def _compile(self, arch: str | None, flavor: str, opt: int, form: str) -> tuple[bytes, str]:
        found = find_flavor(flavor)
        text = emit(self.json, found, "cpp")
        return compile_text(text, self.name, arch or self.arch, found, opt, form)

    def _load(self, checked: bool) -> _core.LoadedKernel:
        with self._lock:
            if checked not in self._loaded:
                executor = _core.HostExecutor()
                text = _core.emit(executor.flavor, self.json)
                self._loaded[checked] = executor.load(self._def, text, checked)
            return self._loaded[checked]
