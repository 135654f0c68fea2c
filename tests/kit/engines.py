# SPDX-License-Identifier: MIT
"""The C++ engine, through the C interface of its plugins (emit/cpp/plugin.h) or, behind a loader, its workers."""

from __future__ import annotations

import ctypes
import json
import os
import struct
import subprocess
from pathlib import Path
from typing import Any

from kernels import FLAVORS

_SINK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_char), ctypes.c_size_t)


class PluginError(Exception):
    """What the plugin refused, as its code and the whole object."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error)
        self.error = error
        self.code: str = error["code"]


def flavor_of(path: Path) -> str:
    """ "llvm22" of twinir-llvm-22.so, "rocm" of twinir-llvm-rocm.so."""
    build = path.stem.removeprefix("twinir-llvm-")
    return f"llvm{build}" if build.isdecimal() else build


class Worker:
    """A worker behind a loader (emit/worker.hpp)."""

    def __init__(self, loader: Path, path: Path, flavor: str) -> None:
        program = os.environ["TWINIR_PROGRAM"]
        command = [*loader.read_text().split("\n")[:-1], program, "worker", "--flavor", flavor, "--plugin", str(path)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def call(self, what: str, data: bytes | None) -> str:
        assert self._process.stdin is not None
        for frame in (json.dumps({"do": what, "seconds": 120}).encode(), data or b""):
            self._process.stdin.write(struct.pack("<I", len(frame)) + frame)
        self._process.stdin.flush()
        header, payload = json.loads(self._frame()), self._frame()
        if "error" in header:
            raise PluginError(header["error"])
        return payload.decode("utf-8")

    def _frame(self) -> bytes:
        assert self._process.stdout is not None
        (size,) = struct.unpack("<I", self._process.stdout.read(4))
        return self._process.stdout.read(size)


class Plugin:
    """One LLVM's plugin."""

    def __init__(self, path: Path) -> None:
        self.name = flavor_of(path)
        loader = path.with_suffix(".loader")
        self._worker = Worker(loader, path, self.name) if loader.exists() else None
        self._library = None if self._worker else ctypes.CDLL(str(path))

    def emit(self, kernel: str | bytes) -> str:
        return self._call("twinir_emit", kernel.encode("utf-8") if isinstance(kernel, str) else kernel)

    def reprint(self, text: str) -> str:
        return self._call("twinir_reprint", text.encode("utf-8"))

    def literals(self) -> list[str]:
        return self._call("twinir_literals", None).splitlines()

    def _call(self, function: str, data: bytes | None) -> str:
        if self._worker:
            return self._worker.call(function.removeprefix("twinir_"), data)
        good: list[bytes] = []
        bad: list[bytes] = []
        sinks = [_SINK(lambda _, at, size, to=to: to.append(ctypes.string_at(at, size))) for to in (good, bad)]
        given = [] if data is None else [data, ctypes.c_size_t(len(data))]
        status = getattr(self._library, function)(*given, *sinks, None)
        if status != 0:
            raise PluginError(json.loads(b"".join(bad)))
        return b"".join(good).decode("utf-8")


def plugin_paths() -> list[Path]:
    """The plugins in $TWINIR_PLUGIN_DIR whose flavor is recorded."""
    folder = os.environ.get("TWINIR_PLUGIN_DIR", "")
    if not folder:
        return []
    found = sorted(Path(folder).glob("twinir-llvm-*.so"))
    return [path for path in found if (FLAVORS / f"{flavor_of(path)}.json").exists()]


NO_PLUGINS = "no plugin was built ($TWINIR_PLUGIN_DIR names no folder with twinir-llvm-*.so of a recorded flavor)"
