"""Batches."""

import os
import pickle
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import List, Tuple

import pytest

import trellis


@pytest.fixture
def shaders(corpus: Path, tmp_path: Path) -> Path:
    """A folder with good shaders, a library, and a file that is none."""
    folder = tmp_path / "shaders"
    (folder / "more").mkdir(parents=True)
    for path in sorted((corpus / "waves").glob("*.dxil"))[:5]:
        (folder / path.name).write_bytes(path.read_bytes())
    library = corpus / "raytracing" / "any_hit_loop.dxil"
    (folder / "more" / "library.dxil").write_bytes(library.read_bytes())
    (folder / "bad.dxil").write_bytes(b"not a shader")
    return folder


def test_a_report_has_each_entry_point(shaders: Path, tmp_path: Path) -> None:
    calls: List[Tuple[int, int, int]] = []
    report = trellis.batch(
        shaders, tmp_path / "out", progress=lambda *numbers: calls.append(numbers)
    )
    entries = len(trellis.entry_points((shaders / "more" / "library.dxil").read_bytes()))
    assert len(report) == len(report.shaders) == 6 + entries
    assert list(report) == report.shaders == report[:] and report[-1] in report
    assert report.totals["converted"] == 5 + entries and report.totals["failed"] == 1
    assert str(report) == f"converted {5 + entries}, valid {5 + entries}, failed 1"
    assert calls[-1] == (7, 1, 7)
    for result in report.shaders:
        if result.error is None:
            assert result.output is not None and result.status == "converted"
            data = Path(result.input).read_bytes()
            words = (tmp_path / "out" / result.output).read_bytes()
            assert words == trellis.convert(data, entry_point=result.entry_point).spirv
    (bad,) = report.failures
    assert isinstance(bad.error, trellis.ReadError) and bad.error.byte_offset == 0
    with pytest.raises(trellis.ReadError):
        report.raise_for_failures()


def test_reports_have_other_forms(shaders: Path) -> None:
    report = trellis.batch(shaders, exclude=["more/**"])
    assert report.html().startswith("<!DOCTYPE html>")
    assert "<testsuite" in report.junit() and '"2.1.0"' in report.sarif()
    assert "bad.dxil" in report._repr_html_() and report.json().startswith("{")
    assert pickle.loads(pickle.dumps(report)).raw == report.raw
    assert len(trellis.batch([shaders], include=["bad.*"])) == 1
    good = trellis.batch([shaders], exclude=["bad.*"])
    good.raise_for_failures()
    assert "<table>" not in good._repr_html_()


def test_results_are_values(shaders: Path) -> None:
    report = trellis.batch(shaders)
    same = pickle.loads(pickle.dumps(report))
    assert same.shaders == report.shaders and report.failures
    assert set(same.shaders) == set(report.shaders)
    assert len(set(report.shaders)) == len(report)


def test_shards_and_the_cache_have_the_same_results(shaders: Path, tmp_path: Path) -> None:
    whole = trellis.batch(shaders, cache=tmp_path / "cache")
    again = trellis.batch(shaders, cache=tmp_path / "cache", jobs=1)
    assert whole.totals["cached"] == 0 and again.totals["cached"] > 0
    parts = [trellis.batch(shaders, shard=(number, 2)) for number in (1, 2)]
    names = [result.input for part in parts for result in part.shaders]
    assert sorted(names) == sorted(result.input for result in whole.shaders)


def test_a_batch_that_cannot_be_run_is_an_error(shaders: Path, tmp_path: Path) -> None:
    with pytest.raises(trellis.InputError, match="cannot read"):
        trellis.batch(tmp_path / "none")
    with pytest.raises(trellis.InputError, match="not a pattern"):
        trellis.batch(shaders, include=["["])
    with pytest.raises(trellis.BatchError, match="I/N"):
        trellis.batch(shaders, shard=(3, 2))
    (tmp_path / "file").write_text("")
    with pytest.raises(trellis.BatchError, match="cannot run"):
        trellis.batch(shaders, tmp_path / "file")
    with pytest.raises(trellis.OptionError):
        trellis.batch(shaders, jobs=0)
    with pytest.raises(trellis.OptionError):
        trellis.batch(shaders, include="*.dxil")
    with pytest.raises(ZeroDivisionError):
        trellis.batch(shaders, progress=lambda *_: 1 / 0)


@pytest.mark.skipif(os.name != "posix", reason="sends a signal of Unix")
def test_an_interrupt_ends_a_batch(corpus: Path, tmp_path: Path) -> None:
    # So many inputs that it takes longer than the time until the signal comes.
    program = textwrap.dedent(
        """
        import os, signal, sys, trellis
        # A process that was started in the background ignores it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        shaders, out = sys.argv[1:]
        state = []
        def progress(done, failed, total):
            if done and not state:
                state.append((done, total))
                os.kill(os.getpid(), signal.SIGINT)
        try:
            trellis.batch([shaders] * 40, out, jobs=1, progress=progress)
        except KeyboardInterrupt:
            written = sum(name.endswith(".spv") for _, _, names in os.walk(out) for name in names)
            print("interrupted", 0 < written < state[0][1], written, state)
        """
    )
    arguments = [sys.executable, "-c", program, str(corpus), str(tmp_path / "out")]
    run = subprocess.run(arguments, capture_output=True, text=True, timeout=300, check=False)
    assert run.stdout.startswith("interrupted True"), run.stdout + run.stderr
    # What was written is whole.
    outputs = list((tmp_path / "out").rglob("*.spv"))
    assert outputs and all(trellis.statistics(path.read_bytes()) for path in outputs[:50])
    assert not list((tmp_path / "out").rglob("*.tmp"))
    assert signal.getsignal(signal.SIGINT) is not None
