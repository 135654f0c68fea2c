# SPDX-License-Identifier: MIT
"""The emitter as a process: the command line, the worker, its imports, and the same bytes in every surrounding."""

from __future__ import annotations

import hashlib
import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kernels import FLAVORS, ROOT, flavor_names, stmt, text
from twinir_emit import emit, load_flavor

FOLDER = ROOT / "emit" / "python"
FLAVOR = str(FLAVORS / f"{flavor_names()[-1]}.json")
KERNEL = text(
    stmt("fma", "f32", ["f32", "3dcccccd"], "f32", n="v", t="f32"),
    stmt("sqrt", "v", n="w", t="f32"),
    stmt("store", "w", "y", f=["nontemporal"], align=4),
)
EXPECTED = emit(KERNEL, load_flavor(FLAVOR))


def run(*arguments: str, data: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    variables = {**os.environ, "PYTHONPATH": str(FOLDER), **environment}
    command = [sys.executable, "-m", "twinir_emit", *arguments]
    return subprocess.run(command, input=data, capture_output=True, env=variables, check=False, timeout=60)


@pytest.fixture
def kernel_file(tmp_path: Path) -> str:
    path = tmp_path / "kernel.json"
    path.write_text(KERNEL, encoding="utf-8")
    return str(path)


# -- the command line


def test_emit_to_standard_output(kernel_file: str) -> None:
    done = run("emit", "--flavor", FLAVOR, kernel_file)
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, EXPECTED, b"")


def test_emit_from_standard_input_to_a_file(tmp_path: Path) -> None:
    out = tmp_path / "out.ll"
    done = run("emit", "--flavor", FLAVOR, "-", "-o", str(out), data=KERNEL.encode())
    assert (done.returncode, done.stdout, out.read_bytes().decode()) == (0, b"", EXPECTED)


def test_a_refusal_ends_with_1_and_writes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out.ll"
    done = run("emit", "--flavor", FLAVOR, "-", "-o", str(out), data=text(name="3d").encode())
    assert done.returncode == 1
    assert done.stderr.startswith(b"TIR1001: found ")
    assert not out.exists()


@pytest.mark.parametrize("arguments", [["--flavor", "none.json", "-"], ["--flavor", FLAVOR, "none.json"]])
def test_a_missing_file_ends_with_1(arguments: list[str]) -> None:
    done = run("emit", *arguments, data=KERNEL.encode())
    assert done.returncode == 1
    assert done.stderr.startswith(b"TIR7002")


def test_a_folder_that_is_missing_ends_with_1(tmp_path: Path) -> None:
    done = run("emit", "--flavor", FLAVOR, "-", "-o", str(tmp_path / "no" / "out.ll"), data=KERNEL.encode())
    assert done.returncode == 1
    assert done.stderr.startswith(b"TIR7002")


@pytest.mark.parametrize("arguments", [[], ["emit"], ["emit", "--flavor", FLAVOR], ["paint"], ["serve", "extra"]])
def test_wrong_usage_ends_with_2(arguments: list[str]) -> None:
    assert run(*arguments).returncode == 2


def test_help_names_the_exit_statuses() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert b"0 good, 1 refused" in done.stdout.replace(b"\n", b" ")


# -- the worker


def frame(data: bytes) -> bytes:
    return struct.pack("<I", len(data)) + data


def ask(number: Any, kernel: str = KERNEL, flavor: str = FLAVOR) -> bytes:
    return frame(json.dumps({"id": number, "flavor": flavor}).encode() + b"\n" + kernel.encode())


def serve(data: bytes) -> tuple[int, list[Any], bytes]:
    """What the worker answers, started as the gate starts it."""
    command = [sys.executable, "-I", "-S", "-B", str(FOLDER / "serve.py")]
    done = subprocess.run(command, input=data, capture_output=True, check=False, timeout=60, cwd="/")
    replies, rest = [], done.stdout
    while rest:
        (length,) = struct.unpack("<I", rest[:4])
        head, _, answer = rest[4 : 4 + length].partition(b"\n")
        replies.append({**json.loads(head), "text": answer.decode()})
        rest = rest[4 + length :]
    return done.returncode, replies, done.stderr


def test_serve() -> None:
    status, replies, errors = serve(ask(1) + ask(2, text(block=[0, 1, 1])) + ask("third"))
    assert (status, errors) == (0, b"")
    assert replies[0] == {"id": 1, "text": EXPECTED}
    assert (replies[1]["id"], replies[1]["text"]) == (2, "")
    assert set(replies[1]["error"]) == {"code", "found", "expected", "action"}
    assert replies[1]["error"]["code"] == "TIR1004"
    assert replies[2] == {"id": "third", "text": EXPECTED}


def test_serve_one_kernel_for_every_flavor() -> None:
    flavors = [str(FLAVORS / f"{name}.json") for name in flavor_names()]
    other = KERNEL.replace('"w"', '"q"')
    order = [(KERNEL, f) for f in flavors] + [(other, f) for f in flavors] + [(KERNEL, f) for f in reversed(flavors)]
    requests = [ask(i, k, f) for i, (k, f) in enumerate(order)]
    _, replies, _ = serve(b"".join(requests))
    assert [reply["text"] for reply in replies] == [emit(k, load_flavor(f)) for k, f in order]


def test_serve_nothing() -> None:
    assert serve(b"") == (0, [], b"")


def test_serve_goes_on_after_a_bad_request() -> None:
    bad = [
        b"{",
        b"\xff",
        b"[]",
        b"{}",
        b'{"id":7}',
        b'{"id":7,"flavor":1}\n',
        b'{"id":8,"flavor":"no"}\n',
    ]
    status, replies, _ = serve(b"".join(map(frame, bad)) + ask(9))
    assert status == 0
    codes = [reply["error"]["code"] for reply in replies[:-1]]
    assert codes == ["TIR7001"] * 6 + ["TIR7002"]
    assert replies[-1] == {"id": 9, "text": EXPECTED}


@pytest.mark.parametrize("data", [b"\x05", b"\x05\x00\x00\x00ab", b"\xff\xff\xff\xff"])
def test_serve_ends_with_1_when_the_stream_is_broken(data: bytes) -> None:
    status, replies, errors = serve(ask(1) + data)
    assert (status, len(replies)) == (1, 1)
    assert b"frame" in errors


def test_a_fault_of_the_emitter_is_a_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    from twinir_emit import serve as module

    def broken(*_: object) -> str:
        raise ZeroDivisionError("half a kernel")

    monkeypatch.setattr(module, "emit", broken)
    reply = module.Worker().answer(ask(4)[4:])
    assert reply.head["error"] == {
        "code": "TIR9001",
        "found": "ZeroDivisionError: half a kernel",
        "expected": "an emitter without faults",
        "action": "report this kernel",
    }


# -- imports and surroundings


def test_only_the_standard_library_is_imported() -> None:
    script = (
        f"import sys; sys.path.insert(0, {str(FOLDER)!r}); import twinir_emit.__main__, twinir_emit.serve\n"
        "print('\\n'.join(f'{n} {getattr(m, \"__file__\", None)}' for n, m in sorted(sys.modules.items())))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-B", "-c", script], capture_output=True, text=True, check=True)
    known = set(sys.stdlib_module_names) | {"twinir_emit", "__main__"}
    for line in done.stdout.splitlines():
        name, _, file = line.partition(" ")
        assert name.split(".")[0] in known, line
        assert "site-packages" not in file and "dist-packages" not in file, line
    assert "twinir_emit.handlers.control" in done.stdout


def test_sources_import_nothing_else_and_not_the_cpp_engine() -> None:
    for path in FOLDER.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        for word in ("ctypes", "subprocess", "llvmlite", "emit.cpp", "emit/cpp", "os.environ", "locale", "time."):
            assert word not in source, (path, word)


SURROUNDINGS = [
    {"PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": language, "HOME": home}
    for seed, zone, language, home in [
        ("0", "UTC", "C", "/"),
        ("1", "Asia/Kolkata", "C.UTF-8", "/tmp"),
        ("2", "America/Caracas", "de_DE.UTF-8", "/nonexistent"),
        ("3", "", "tr_TR.UTF-8", "/"),
        ("4294967295", "Pacific/Apia", "POSIX", ""),
        ("random", "UTC", "fr_FR", "/usr"),
    ]
] * 2


def test_the_same_bytes_in_every_surrounding(kernel_file: str, tmp_path: Path) -> None:
    sums = set()
    for number, variables in enumerate(SURROUNDINGS):
        command = [sys.executable, "-m", "twinir_emit", "emit", "--flavor", FLAVOR, kernel_file]
        environment = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(FOLDER), **variables}
        folder = [str(tmp_path), "/", str(ROOT)][number % 3]
        done = subprocess.run(command, capture_output=True, env=environment, cwd=folder, check=True)
        sums.add(hashlib.sha256(done.stdout).hexdigest())
    assert sums == {hashlib.sha256(EXPECTED.encode()).hexdigest()}


def test_the_text_has_no_place_in_it() -> None:
    for word in ("/", "home", "tmp", "python"):
        assert word not in EXPECTED.replace("align", ""), word


def test_the_same_bytes_after_other_kernels() -> None:
    flavor = load_flavor(FLAVOR)
    for number in range(300):
        emit(text(stmt("fmul", "f32", ["f32", f"{number:x}"], n=f"v{number}", t="f32"), name=f"k{number}"), flavor)
    assert emit(KERNEL, flavor) == EXPECTED
