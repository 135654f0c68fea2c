# SPDX-License-Identifier: MIT
"""Command line: `python3 -m twinir_emit emit --flavor FILE KERNEL.json [-o OUT]`, `python3 -m twinir_emit serve`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from . import emit
from .errors import Refusal
from .flavor import load_flavor
from .serve import internal, serve

_GOOD, _REFUSED = 0, 1  # argparse ends with 2 for wrong usage


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="twinir_emit",
        description="Prints a kernel description as LLVM IR text.",
        epilog="Exit status: 0 good, 1 refused (the reason with its code is on standard error), 2 wrong usage.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    one = commands.add_parser("emit", help="emit one kernel")
    one.add_argument(
        "--flavor", required=True, metavar="FILE", help="flavor file, for example emit/flavors/llvm22.json"
    )
    one.add_argument("-o", dest="out", metavar="OUT", help="file to write (standard output when left out)")
    one.add_argument("kernel", metavar="KERNEL.json", help="kernel JSON; - for standard input")
    commands.add_parser("serve", help="answer requests from standard input until it ends")
    return parser


def _read(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise _file_fault(path, error, "read") from None


def _write(path: str | None, text: str) -> None:
    data = text.encode("ascii")
    if path is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        with open(path, "wb") as file:
            file.write(data)
    except OSError as error:
        raise _file_fault(path, error, "written") from None


def _file_fault(path: str, error: OSError, verb: str) -> Refusal:
    return Refusal("TIR7002", f"{path!a} ({error.strerror})", f"a file that can be {verb}", "correct the path")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; gives the exit status."""
    options = _arguments().parse_args(arguments)
    if options.command == "serve":
        return serve(sys.stdin.buffer, sys.stdout.buffer)
    try:
        _write(options.out, emit(_read(options.kernel), load_flavor(options.flavor)))
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return _REFUSED
    except Exception as fault:
        print(internal(fault), file=sys.stderr)
        return _REFUSED
    return _GOOD


if __name__ == "__main__":
    sys.exit(main())
