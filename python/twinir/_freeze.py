# SPDX-License-Identifier: MIT
"""`python _freeze.py FILE.py:NAME`: prints the kernel JSON of NAME, a Kernel or a function without arguments that gives one.

For `twinir parity pair`. Exit status 2: no such file or kernel; 3: the package cannot be imported. What the file prints goes
to standard error.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys


def main() -> int:
    if not __package__:  # run as a file of the package
        sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with contextlib.redirect_stdout(sys.stderr):
        try:
            from twinir import Kernel  # noqa: PLC0415 (its absence is an answer)
        except ImportError as error:
            return fail(3, f"{type(error).__name__}: {error}")
        path, _, name = sys.argv[1].rpartition(":")
        if not os.path.isfile(path) or not path.endswith(".py"):
            return fail(2, f"'{sys.argv[1]}', which names no Python file" if path else f"'{sys.argv[1]}' without :NAME")
        spec = importlib.util.spec_from_file_location("prototype", path)
        assert spec is not None and spec.loader is not None, path
        module = sys.modules["prototype"] = importlib.util.module_from_spec(spec)
        sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
        spec.loader.exec_module(module)
        found = getattr(module, name, None)
        if found is None:
            return fail(2, f"no '{name}' in {path}")
        kernel = found() if callable(found) else found
        if not isinstance(kernel, Kernel):
            return fail(2, f"{path}:{name}, which gives no twinir.Kernel but {type(kernel).__name__}")
    sys.stdout.write(kernel.json)
    return 0


def fail(status: int, text: str) -> int:
    sys.stderr.write(text + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
