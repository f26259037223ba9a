"""The interpreter lock, and several threads."""

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Iterator, List

import pytest

import trellis


@pytest.fixture
def no_switches() -> Iterator[None]:
    """Threads run until they give the lock away."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    yield
    sys.setswitchinterval(before)


def ticks_during(call: Callable[[], Any]) -> int:
    """Return how often another thread runs during a call."""
    ticks, stop, started = 0, False, threading.Event()

    def tick() -> None:
        nonlocal ticks
        started.set()
        while not stop:
            ticks += 1
            # Gives the lock away, and waits for it.
            time.sleep(0)

    thread = threading.Thread(target=tick)
    thread.start()
    started.wait()
    before = ticks
    call()
    after = ticks
    stop = True
    thread.join()
    return after - before


def test_a_call_that_holds_the_lock_is_noticed(no_switches: None) -> None:
    assert ticks_during(lambda: sum(range(1_000_000))) == 0


def test_conversions_release_the_lock(no_switches: None, shader: bytes, corpus: Path) -> None:
    ladder = {str(i): [str(i + 1), str((i * 7919) % 3000)] for i in range(3000)}
    converter = trellis.Converter()
    calls: List[Callable[[], Any]] = [
        lambda: trellis.convert(shader),
        lambda: trellis.convert_all(shader),
        lambda: converter.convert(shader),
        lambda: trellis.disassemble(shader),
        lambda: trellis.structurize(ladder),
        lambda: trellis.batch(corpus / "barriers"),
    ]
    for number, call in enumerate(calls):
        # A short call may be over before the other thread is scheduled.
        assert any(ticks_during(call) > 0 for _ in range(100)), number


def test_threads_have_the_results_of_one(corpus: Path) -> None:
    shaders = [path.read_bytes() for path in sorted((corpus / "waves").glob("*.dxil"))[:20]]
    expected = [trellis.convert(data).spirv for data in shaders]
    shared = trellis.Converter()
    with ThreadPoolExecutor(4) as pool:
        for convert in (trellis.convert, shared.convert):
            found = list(pool.map(lambda data: convert(data).spirv, shaders * 3))
            assert found == expected * 3
