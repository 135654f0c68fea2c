# SPDX-License-Identifier: MIT
"""The reader as a warm worker: `python -I -B serve.py`, frames as those of the emitter's worker.

Request: {"id":n,"text":"<LLVM IR>"}, or {"id":n} for what this is.
Reply: {"id":n,"text":"<as this LLVM prints it>"}, {"id":n,"refused":"<LLVM's words>"}, or
{"id":n,"flavor":"llvm20","llvm":"20.1.8","wheel":"llvmlite 0.47.0"}.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(1, os.path.join(sys.path[0], "..", "python"))

import wheel
from twinir_emit.serve import BrokenInput, read_frame, write_frame


def answer(request: dict[str, Any]) -> dict[str, Any]:
    if "text" not in request:
        return {"id": request["id"], "flavor": wheel.FLAVOR, "llvm": wheel.VERSION, "wheel": wheel.WHEEL}
    try:
        return {"id": request["id"], "text": wheel.reprint(request["text"])}
    except wheel.NotAccepted as refusal:
        return {"id": request["id"], "refused": str(refusal)}


def serve() -> int:
    """Answers until the input ends; gives the exit status."""
    try:
        while (frame := read_frame(sys.stdin.buffer)) is not None:
            write_frame(sys.stdout.buffer, json.dumps(answer(json.loads(frame))).encode())
    except BrokenInput as broken:
        print(f"reader: {broken}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(serve())
