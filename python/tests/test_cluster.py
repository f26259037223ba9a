"""The pipeline on a local Ray with several workers."""

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

import pytest

import trellis
from trellis import _native, _table, cluster
from trellis._options import _DEFAULT

ray = pytest.importorskip("ray", reason="Ray is not installed")
duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
parquet = pytest.importorskip("pyarrow.parquet", reason="Arrow is not installed")

# Ray's own; its deprecations stay errors.
pytestmark = pytest.mark.filterwarnings(
    "default::ResourceWarning", "default::pytest.PytestUnraisableExceptionWarning"
)


@pytest.fixture(scope="module", autouse=True)
def local_ray() -> Iterator[None]:
    """Three workers on this machine."""
    ray.init(num_cpus=3, include_dashboard=False, object_store_memory=200 << 20, log_to_driver=False)
    yield
    ray.shutdown()


def without_time(table: Any) -> List[Dict[str, Any]]:
    rows: List[Dict[str, Any]] = table.drop_columns(["time_us"]).to_pylist()
    return rows


def expected_rows(inputs: Path, output: Path) -> List[Dict[str, Any]]:
    """Return the rows that one process makes."""
    files, relatives = cluster._list(inputs, (), ())
    rows = _native.Rows(_DEFAULT.native, relatives, str(output))
    table = _table._to_arrow(cluster._results(files, rows))
    return without_time(table.drop_columns([_table._INDEX]))


def contents(folder: Path) -> Dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def contents_of_batch(inputs: Path, tmp_path: Path) -> Dict[str, bytes]:
    trellis.batch(inputs, tmp_path / "batch")
    return contents(tmp_path / "batch")


@pytest.fixture
def shaders(corpus: Path, tmp_path: Path) -> Path:
    """A folder with clashes of names, a library, and what is not a shader."""
    folder = tmp_path / "shaders"
    folder.mkdir()
    for path in sorted((corpus / "waves").glob("*.dxil"))[:6]:
        (folder / path.name).write_bytes(path.read_bytes())
        (folder / path.with_suffix(".cso").name).write_bytes(path.read_bytes())
    library = corpus / "raytracing" / "any_hit_loop.dxil"
    (folder / "library.dxil").write_bytes(library.read_bytes())
    (folder / "bad.dxil").write_bytes(b"not a shader")
    (folder / "gone.dxil").symlink_to(folder / "nowhere")
    return folder


def test_the_table_is_that_of_a_batch(shaders: Path, tmp_path: Path) -> None:
    table = tmp_path / "results.parquet"
    report = cluster.convert_corpus(shaders, tmp_path / "out", table=table, shards=4)
    batch = trellis.batch(shaders, tmp_path / "batch")
    assert contents(tmp_path / "out") == contents(tmp_path / "batch")
    assert report.counts == {
        status: count
        for status in ("converted", "failed", "skipped")
        if (count := batch.totals[status])
    }
    assert str(report).startswith(f"{report.inputs} inputs: converted ")
    arrow = report.arrow()
    assert arrow.schema.equals(cluster.schema())
    rows = arrow.to_pylist()
    assert len(rows) == len(batch) == report.rows
    for row, shader in zip(rows, batch.shaders):
        failure = shader.raw.get("error", {})
        assert row["input"] == shader.input and row["status"] == shader.status
        assert row["entry_point"] == shader.entry_point and row["stage"] == shader.stage
        assert row["output"] == shader.output and (row["input_bytes"] or 0) == shader.input_bytes
        assert (row["input_bytes"] is None) == (row["input_hash"] is None)
        assert (row["words"] or 0) == shader.words
        assert row["failure_kind"] == failure.get("kind")
        assert row["failure_message"] == failure.get("message")
        if shader.output is None:
            assert row["output_hash"] is None
            continue
        words = (tmp_path / "out" / shader.output).read_bytes()
        total = trellis.statistics(words)["total"]
        assert row["output_hash"] == _native.fingerprint(words)
        assert row["input_hash"] == _native.fingerprint(Path(row["input"]).read_bytes())
        assert (row["instructions"], row["blocks"]) == (total["instructions"], total["blocks"])
        assert row["output_bytes"] == len(words) and row["time_us"] > 0
        counters = shader.counters
        assert row["selectors"] == counters["selectors"]
        assert row["breakable_blocks"] == counters["breakable_blocks"]
        assert row["copied_blocks"] == counters["copies"]
        assert row["shader_model"].startswith("6.")


def test_the_table_is_read_by_duckdb(shaders: Path, tmp_path: Path) -> None:
    table = tmp_path / "new" / "results.parquet"
    report = cluster.convert_corpus(shaders, table=table, target="vulkan1.1")
    found = duckdb.sql(
        f"select status, count(*)::int, sum(words)::bigint from '{table}' group by status"
    ).fetchall()
    assert {status: count for status, count, _ in found} == report.counts
    kinds = duckdb.sql(f"select distinct failure_kind from '{table}'").fetchall()
    assert ("unsupported",) in kinds and ("read",) in kinds and (None,) in kinds
    assert [path.name for path in table.parent.iterdir()] == ["results.parquet"]


def a_worker() -> Optional[int]:
    """Return a process that converts a shard now."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            title = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if title.startswith(b"ray::_convert_shard"):
            return int(process.name)
    return None


def test_what_killed_workers_left_of_outputs_is_removed(shaders: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    expected = contents_of_batch(shaders, tmp_path)
    name = sorted(expected)[0]
    other = ".other.spv.7-0123456789abcdef.tmp"
    out.mkdir()
    for leftover in (f".{name}.7-0123456789abcdef.tmp", f".{name}.7.tmp", other):
        (out / leftover).write_bytes(b"half")
    cluster.convert_corpus(shaders, out, table=tmp_path / "results.parquet", shards=2)
    assert contents(out) == {**expected, other: b"half"}


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds the workers in /proc")
def test_a_worker_that_is_killed_loses_nothing(corpus: Path, tmp_path: Path) -> None:
    out, killed = tmp_path / "out", []
    done = threading.Event()

    def kill() -> None:
        while not done.wait(0.002):
            if not any(out.rglob("*.spv")):
                continue
            process = a_worker()
            if process is not None:
                os.kill(process, signal.SIGKILL)
                killed.append((process, time.monotonic(), len(list(out.rglob("*.spv")))))
                return

    killer = threading.Thread(target=kill)
    killer.start()
    inputs = corpus / "control_flow"
    table = tmp_path / "results.parquet"
    try:
        report = cluster.convert_corpus(inputs, out, table=table, shards=12)
        end = time.monotonic()
    finally:
        done.set()
        killer.join()
    assert len(killed) == 1 and killed[0][1] < end
    expected = expected_rows(inputs, tmp_path / "expected")
    # It was in the middle.
    assert 0 < killed[0][2] < len(expected)
    assert without_time(report.arrow()) == expected
    assert contents(out) == contents(tmp_path / "expected")


def test_inputs_of_a_shard_that_always_loses_its_worker_fail(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    convert = cluster._convert_shard

    def die(files: List[cluster._File], shared: List[Any]) -> Any:
        if files[0].index == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return convert(files, shared)

    monkeypatch.setattr(cluster, "_convert_shard", die)
    inputs, out = corpus / "barriers", tmp_path / "out"
    report = cluster.convert_corpus(
        inputs, out, table=tmp_path / "results.parquet", retries=1, shards=2
    )
    rows = report.arrow().to_pylist()
    lost = [row["input"] for row in rows if row["failure_kind"] == "crashed"]
    assert lost == sorted(map(str, inputs.glob("*.dxil")))[: report.inputs // 2]
    assert report.counts["failed"] == len(lost)
    assert all("is lost" in row["failure_message"] for row in rows if row["input"] in lost)
    others = [row for row in without_time(report.arrow()) if row["input"] not in lost]
    expected = expected_rows(inputs, tmp_path / "expected")
    assert others == [row for row in expected if row["input"] not in lost]


def test_a_shard_that_cannot_be_converted_is_an_error(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(files: object, shared: object) -> object:
        raise OSError("the disk is full")

    monkeypatch.setattr(cluster, "_convert_shard", fail)
    with pytest.raises(trellis.BatchError, match="the disk is full"):
        cluster.convert_corpus(corpus / "barriers", table=tmp_path / "results.parquet")
    assert not list(tmp_path.iterdir())


def test_shaders_have_limits(corpus: Path, tmp_path: Path) -> None:
    def failures(inputs: Path, **limits: Any) -> List[Optional[str]]:
        table = tmp_path / "results.parquet"
        report = cluster.convert_corpus(inputs, table=table, target="vulkan1.2", **limits)
        return sorted(set(report.arrow()["failure_kind"].to_pylist()), key=str)

    large = tmp_path / "large.dxil"
    large.write_bytes(bytes(32 << 20))
    assert failures(corpus / "post", time_limit=60, memory_limit=4096) == [None]
    assert failures(corpus / "post", time_limit=1e-6) == ["time-limit"]
    assert failures(large, memory_limit=8) == ["memory-limit"]


def test_groups_have_as_many_rows_as_those_of_the_command(shaders: Path, tmp_path: Path) -> None:
    columns = {name: None for name, _, _ in cluster.COLUMNS}
    batches = (
        _table._to_arrow(
            [
                {**columns, "_index": index, "input": f"{index}", "status": "failed"}
                for index in range(start, start + 500)
            ]
        )
        for start in range(0, 35_000, 500)
    )
    path = tmp_path / "results.parquet"
    assert _table._write(batches, 35_000, path) == {"failed": 35_000}
    file = parquet.ParquetFile(path)
    groups = [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)]
    assert groups == [16_384, 16_384, 35_000 - 2 * 16_384]
    inputs = file.read(columns=["input"])["input"].to_pylist()
    assert inputs == [str(index) for index in range(35_000)]
    table = tmp_path / "corpus.parquet"
    cluster.convert_corpus(shaders, table=table, shards=5)
    assert parquet.ParquetFile(table).num_row_groups == 1


def test_the_largest_name_of_a_file_is_one_of_a_table(shaders: Path, tmp_path: Path) -> None:
    table = tmp_path / ("x" * 247 + ".parquet")
    table = table.with_name(table.name[-250:])
    cluster.convert_corpus(shaders, table=table)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == [table.name]


def test_a_table_that_cannot_be_written_is_an_error(
    shaders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "results.parquet"

    temporary = _table._temporary

    def take_the_name(path: Path) -> Path:
        path.mkdir()
        return temporary(path)

    def refuse(*_: object, **__: object) -> None:
        raise OSError("the disk is full")

    for where, name, value in (
        (_table, "_temporary", lambda path: path.parent / "none" / path.name),
        (parquet.ParquetWriter, "write_table", refuse),
        (_table, "_temporary", take_the_name),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(where, name, value)
            with pytest.raises(trellis.BatchError, match="cannot write the table: "):
                cluster.convert_corpus(shaders, table=table)
    table.rmdir()
    assert [path.name for path in tmp_path.iterdir()] == ["shaders"]


def test_a_link_to_a_file_may_be_the_table(shaders: Path, tmp_path: Path) -> None:
    (tmp_path / "old.parquet").write_bytes(b"old")
    table = tmp_path / "results.parquet"
    table.symlink_to("old.parquet")
    report = cluster.convert_corpus(shaders, table=table)
    # As the command does, which replaces the link.
    assert report.arrow().num_rows == report.rows
    assert (tmp_path / "old.parquet").read_bytes() == b"old"


def test_wrong_arguments_are_errors(corpus: Path, tmp_path: Path) -> None:
    table = tmp_path / "results.parquet"
    for wrong in (
        {"shards": 0},
        {"retries": -1},
        {"options": {"no": 1}},
        {"time_limit": 0},
        {"memory_limit": 0.5},
    ):
        with pytest.raises(trellis.OptionError):
            cluster.convert_corpus(corpus, table=table, **wrong)
    with pytest.raises(trellis.InputError):
        cluster.convert_corpus(tmp_path / "none", table=table)
