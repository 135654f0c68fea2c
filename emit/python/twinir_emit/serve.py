# SPDX-License-Identifier: MIT
"""The warm worker: frames in, frames out, until the input ends.

A frame is a length (4 bytes, little-endian) and so many bytes: a line of JSON and what follows it.
Request: {"id":n,"flavor":"/path/llvm22.json"}, then the kernel JSON.
Reply: {"id":n}, then the IR text; or {"id":n,"error":{"code":..,"found":..,"expected":..,"action":..}} alone.
"""

from __future__ import annotations

import gc
import json
import struct
import sys
from typing import Any, BinaryIO, NamedTuple

from . import emit, prepare
from .errors import Refusal, shown
from .flavor import Flavor, load_flavor
from .kernel import Kernel

_MAX_FRAME = 1 << 28
_GC_AFTER = 200_000  # objects; a kernel has no cycles, so that the collector finds nothing in it


class BrokenInput(Exception):
    """The stream ended inside a frame, or announces one that is too long: nothing after it can be read."""


def read_frame(stream: BinaryIO) -> bytes | None:
    """The next frame; None at the end of the input."""
    head = stream.read(4)
    if not head:
        return None
    length = struct.unpack("<I", head)[0] if len(head) == 4 else _MAX_FRAME + 1
    data = stream.read(length) if length <= _MAX_FRAME else b""
    if len(data) != length:
        raise BrokenInput(f"a frame of {length} bytes that ends early or is too long")
    return data


def write_frame(stream: BinaryIO, data: bytes) -> None:
    stream.write(struct.pack("<I", len(data)) + data)
    stream.flush()


class Reply(NamedTuple):
    """What is answered: the line of JSON, and the text behind it."""

    head: dict[str, Any]
    text: str = ""

    def frame(self) -> bytes:
        return (json.dumps(self.head, separators=(",", ":")) + "\n" + self.text).encode()


class Worker:
    """Answers requests; keeps the flavors it has read, by path, and the last kernel: the next flavor needs it too."""

    def __init__(self) -> None:
        self._flavors: dict[str, Flavor] = {}
        self._last: tuple[bytes, Kernel] | None = None

    def answer(self, frame: bytes) -> Reply:
        """The reply to one request: every fault becomes one."""
        request: Any = None
        try:
            head, _, kernel = frame.partition(b"\n")
            request = _request(head)
            flavor = self._flavor(request["flavor"])
            return Reply({"id": request["id"]}, emit(self._kernel(kernel), flavor))
        except Refusal as refusal:
            return Reply({"id": _id_of(request), "error": refusal.as_dict()})
        except Exception as fault:
            return Reply({"id": _id_of(request), "error": internal(fault).as_dict()})

    def _kernel(self, text: bytes) -> Kernel:
        if self._last is None or self._last[0] != text:
            self._last = (text, prepare(text))
        return self._last[1]

    def _flavor(self, path: str) -> Flavor:
        found = self._flavors.get(path)
        if found is None:
            found = self._flavors[path] = load_flavor(path)
        return found


def internal(fault: BaseException) -> Refusal:
    """What is reported when the emitter itself is wrong."""
    found = f"{type(fault).__name__}: {fault}"
    return Refusal("TIR9001", found, "an emitter without faults", "report this kernel")


def _id_of(request: Any) -> Any:
    return request.get("id") if isinstance(request, dict) else None


def _request(head: bytes) -> dict[str, Any]:
    try:
        request = json.loads(head.decode("utf-8"))
    except (ValueError, RecursionError):
        request = None
    if not isinstance(request, dict) or not isinstance(request.get("flavor"), str) or "id" not in request:
        expected = '{"id":n,"flavor":"<path>"} and a line end before the kernel JSON'
        raise Refusal("TIR7001", f"the request {shown(head)}", expected, "correct the request")
    checked: dict[str, Any] = request
    return checked


def serve(source: BinaryIO, sink: BinaryIO) -> int:
    """Answers until the input ends; gives the exit status."""
    worker = Worker()
    gc.freeze()
    gc.set_threshold(_GC_AFTER)
    try:
        while True:
            frame = read_frame(source)
            if frame is None:
                return 0
            write_frame(sink, worker.answer(frame).frame())
    except BrokenInput as broken:
        print(f"twinir_emit serve: {broken}", file=sys.stderr)
        return 1
