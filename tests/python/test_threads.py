# SPDX-License-Identifier: MIT
"""Several threads and processes at once; nothing of the process changes."""

from __future__ import annotations

import locale
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import twinir
from packaged import saxpy
from twinir import In, Out, _toolchain, f32, i32

THREADS = 8


def make() -> twinir.Kernel:
    return twinir.kernel(saxpy, name="saxpy_f32_b256")


def test_one_kernel_from_many_threads() -> None:
    k = make()
    start = threading.Barrier(THREADS)
    x = np.arange(4096, dtype=np.float32)

    def work(number: int) -> tuple[str, str, bytes, bytes]:
        start.wait()
        y = np.full(4096, number, np.float32)
        k.launch(16, x, y, 2.0, 4096, threads=2)
        np.testing.assert_array_equal(y, 2 * x + number)
        own = make().launch(16, x, y, -2.0, 4096, checked=number % 2 == 0)
        np.testing.assert_array_equal(y, np.full(4096, number, np.float32))
        assert own.work_items == 4096
        return k.emit(), k.emit(engine="python"), k.compile().data, repr(k.check([22])).encode()

    with ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(work, range(THREADS)))
    assert len(set(answers)) == 1
    assert answers[0][0] == answers[0][1]


def test_faults_go_to_the_thread_that_made_them() -> None:
    k = make()

    def work(number: int) -> str:
        length = 64 if number % 2 else 32
        try:
            k.launch(1, np.ones(length, np.float32), np.ones(64, np.float32), 1.0, 64)
        except twinir.Error as error:
            return error.code
        return "good"

    with ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(work, range(4 * THREADS)))
    assert answers[1::2] == ["good"] * (2 * THREADS)
    assert all(a.startswith("TIR5") for a in answers[::2])


@twinir.kernel(workgroup=64)
def slow(k: twinir.KernelBuilder, x: In[f32], y: Out[f32], n: i32) -> None:  # type: ignore[valid-type]
    i = k.global_id()
    with k.loop(0, n, carry=[x[i]], unroll=False) as loop:
        loop.next(twinir.fma(loop.values[0], 0.5, 1.0))
    y[i] = loop.results[0]


def ticks_during(work: threading.Thread) -> int:
    count = 0
    work.start()
    while work.is_alive():
        count += 1
        time.sleep(0.001)
    return count


def test_gil_is_released_while_a_kernel_runs() -> None:
    x, y = np.ones(64, np.float32), np.zeros(64, np.float32)
    slow.launch(1, x, y, 10)  # compiles
    n = 20_000
    while (took := slow.launch(1, x, y, n, threads=1).ms) < 200:
        n *= 2
    count = ticks_during(threading.Thread(target=slow.launch, args=(1, x, y, n), kwargs={"threads": 1}))
    assert count > 5, f"{count} ticks in a launch of some {took} ms"


def test_gil_is_released_while_a_kernel_compiles() -> None:
    # Several at once: each waits for a worker process.
    def work() -> None:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: make().compile(), range(4)))

    assert ticks_during(threading.Thread(target=work)) > 5


def test_forked_processes_compile_on_their_own() -> None:
    k = make()
    expected = k.compile().data  # the pool has warm workers now
    children = []
    for _ in range(2):
        with _toolchain._lock():  # as if another thread were about to compile
            pid = os.fork()
            if pid == 0:
                signal.alarm(300)
                os._exit(0 if k.compile().data == expected else 1)
        children.append(pid)
    mine = [k.compile().data for _ in range(2)]
    status = [os.waitpid(pid, 0)[1] for pid in children]
    assert status == [0, 0]
    assert mine == [expected] * 2
    assert k.compile().data == expected


def test_nothing_of_the_process_changes() -> None:
    def state() -> tuple[object, ...]:
        mask = os.umask(0o22)
        os.umask(mask)
        handlers = [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGPIPE, signal.SIGCHLD, signal.SIGSEGV)]
        return dict(os.environ), os.getcwd(), locale.setlocale(locale.LC_ALL), mask, handlers, np.geterr()

    before = state()
    k = make()
    k.emit()
    k.emit(engine="python")
    k.compile()
    x = np.ones(64, np.float32)
    k.launch(1, x, x.copy(), 1.0, 64)
    assert state() == before
