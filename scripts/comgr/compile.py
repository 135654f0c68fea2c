# SPDX-License-Identifier: MIT
"""Compiles LLVM IR with libamd_comgr: compile.py LIBRARY HEADER ISA IN.ll OUT.hsaco. A process of its own: an unknown
option would end it. The numbers of kinds and actions come from the library's own header."""

from __future__ import annotations

import ctypes
import re
import sys
from pathlib import Path


class Comgr:
    """The few calls that lead from IR text to a code object; a status other than 0 is a fault."""

    def __init__(self, library: str, header: str) -> None:
        self._library = ctypes.CDLL(library)
        text = Path(header).read_text(encoding="utf-8")
        numbers = re.findall(r"\b(AMD_COMGR_\w+) = (0x[0-9a-fA-F]+|\d+)", text)
        self._numbers = {name: int(value, 0) for name, value in numbers}

    def call(self, name: str, *arguments: object) -> None:
        status = getattr(self._library, f"amd_comgr_{name}")(*arguments)
        if status != 0:
            raise RuntimeError(f"amd_comgr_{name} gives status {status}")

    def handle(self, name: str, *arguments: object) -> ctypes.c_uint64:
        """What a call writes to its last argument."""
        out = ctypes.c_uint64()
        self.call(name, *arguments, ctypes.byref(out))
        return out

    def number(self, name: str) -> int:
        return self._numbers[f"AMD_COMGR_{name}"]

    def act(self, action: str, info: ctypes.c_uint64, given: ctypes.c_uint64) -> ctypes.c_uint64:
        result = self.handle("create_data_set")
        self.call("do_action", self.number(f"ACTION_{action}"), info, given, result)
        return result

    def bytes_of(self, data_set: ctypes.c_uint64, kind: str) -> bytes:
        data = self.handle("action_data_get_data", data_set, self.number(f"DATA_KIND_{kind}"), ctypes.c_size_t(0))
        size = ctypes.c_size_t()
        self.call("get_data", data, ctypes.byref(size), None)
        buffer = ctypes.create_string_buffer(size.value)
        self.call("get_data", data, ctypes.byref(size), buffer)
        return buffer.raw


def compile_text(comgr: Comgr, isa: str, text: bytes) -> bytes:
    """The code object of IR text, at -O3."""
    data = comgr.handle("create_data", comgr.number("DATA_KIND_BC"))
    comgr.call("set_data", data, ctypes.c_size_t(len(text)), text)
    comgr.call("set_data_name", data, b"in.ll")
    given = comgr.handle("create_data_set")
    comgr.call("data_set_add", given, data)
    info = comgr.handle("create_action_info")
    comgr.call("action_info_set_isa_name", info, isa.encode())
    options = (ctypes.c_char_p * 1)(b"-O3")
    comgr.call("action_info_set_option_list", info, options, ctypes.c_size_t(1))
    objects = comgr.act("CODEGEN_BC_TO_RELOCATABLE", info, given)
    comgr.call("action_info_set_option_list", info, None, ctypes.c_size_t(0))
    return comgr.bytes_of(comgr.act("LINK_RELOCATABLE_TO_EXECUTABLE", info, objects), "EXECUTABLE")


if __name__ == "__main__":
    library_path, header_path, isa_name, source, out = sys.argv[1:]
    Path(out).write_bytes(compile_text(Comgr(library_path, header_path), isa_name, Path(source).read_bytes()))
