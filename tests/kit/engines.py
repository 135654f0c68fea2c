# SPDX-License-Identifier: MIT
"""The C++ engine, through the C interface of its plugins (emit/cpp/plugin.h)."""

from __future__ import annotations

import ctypes
import json
import os
from pathlib import Path
from typing import Any

_SINK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_char), ctypes.c_size_t)


class PluginError(Exception):
    """What the plugin refused, as its code and the whole object."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error)
        self.error = error
        self.code: str = error["code"]


class Plugin:
    """One LLVM's plugin."""

    def __init__(self, path: Path) -> None:
        self.name = "llvm" + path.stem.rsplit("-", 1)[1]
        self._library = ctypes.CDLL(str(path))

    def emit(self, kernel: str | bytes) -> str:
        return self._call("twinir_emit", kernel.encode("utf-8") if isinstance(kernel, str) else kernel)

    def reprint(self, text: str) -> str:
        return self._call("twinir_reprint", text.encode("utf-8"))

    def literals(self) -> list[str]:
        return self._call("twinir_literals", None).splitlines()

    def _call(self, function: str, data: bytes | None) -> str:
        good: list[bytes] = []
        bad: list[bytes] = []
        sinks = [_SINK(lambda _, at, size, to=to: to.append(ctypes.string_at(at, size))) for to in (good, bad)]
        given = [] if data is None else [data, ctypes.c_size_t(len(data))]
        status = getattr(self._library, function)(*given, *sinks, None)
        if status != 0:
            raise PluginError(json.loads(b"".join(bad)))
        return b"".join(good).decode("utf-8")


def plugin_paths() -> list[Path]:
    """The plugins in $TWINIR_PLUGIN_DIR."""
    folder = os.environ.get("TWINIR_PLUGIN_DIR", "")
    if not folder:
        return []
    return sorted(Path(folder).glob("twinir-llvm-*.so"))


NO_PLUGINS = "no plugin was built ($TWINIR_PLUGIN_DIR names no folder with twinir-llvm-*.so)"
