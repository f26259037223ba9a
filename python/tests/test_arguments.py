"""Arguments that are not what they should be, of batches and of the pipeline for clusters."""

import os
from pathlib import Path
from typing import Any, Dict

import pytest

import trellis
from trellis import _native, _table, cluster


@pytest.mark.parametrize(
    "wrong",
    [
        {"jobs": 0},
        {"jobs": 1025},
        {"jobs": 1 << 80},
        {"jobs": 2.0},
        {"jobs": "2"},
        {"shard": (1,)},
        {"shard": (1, 2, 3)},
        {"shard": "1/2"},
        {"shard": 1},
        {"shard": (1.0, 2)},
        {"shard": (0, 2)},
        {"include": "*.dxil"},
        {"exclude": "*.dxil"},
        {"include": 3},
        {"include": ["\ud800"]},
        {"output": "\ud800"},
    ],
)
def test_wrong_values_of_a_batch_are_option_errors(corpus: Path, wrong: Dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(trellis.OptionError, match=name) as caught:
        trellis.batch(corpus / "barriers", **wrong)
    assert caught.value.kind == "options"


@pytest.mark.parametrize(
    "wrong",
    [
        {"output": b"out"},
        {"output": 3},
        {"cache": b"cache"},
        {"include": [3]},
        {"inputs": b"shaders"},
        {"inputs": [b"shaders"]},
        {"inputs": 3},
        {"progress": 3},
    ],
)
def test_wrong_types_of_a_batch_are_named(corpus: Path, wrong: Dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(TypeError, match=name) as caught:
        trellis.batch(**{"inputs": corpus / "barriers", **wrong})
    assert "extract" not in str(caught.value)


def test_numbers_may_be_of_another_type(corpus: Path) -> None:
    class Number:
        """An integer of another library."""

        def __index__(self) -> int:
            return 64

    jobs: Any = Number()
    report = trellis.batch(corpus / "barriers", jobs=jobs, shard=(1, 1))
    assert report.totals["failed"] == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"shards": 0},
        {"shards": 2.5},
        {"retries": -1},
        {"retries": 1.5},
        {"num_cpus": "many"},
        {"num_cpus": -1},
        {"num_cpus": float("nan")},
        {"include": "*.dxil"},
        {"exclude": "*.dxil"},
    ],
)
def test_wrong_values_of_the_pipeline_are_option_errors(
    corpus: Path, tmp_path: Path, wrong: Dict[str, Any]
) -> None:
    (name,) = wrong
    table = tmp_path / "results.parquet"
    with pytest.raises(trellis.OptionError, match=name):
        cluster.convert_corpus(corpus / "barriers", table=table, **wrong)


def test_what_cannot_be_the_table_is_an_error_before_the_conversion(
    corpus: Path, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to("folder")
    wrong = [tmp_path / "folder", tmp_path / "link", tmp_path / "file" / "table", tmp_path / ("x" * 256)]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        wrong.append(tmp_path / "pipe")
    for table in wrong:
        with pytest.raises(trellis.BatchError, match="cannot write the table") as caught:
            cluster.convert_corpus(corpus / "barriers", tmp_path / "out", table=table)
        assert caught.value.kind == "batch"
        assert not (tmp_path / "out").exists()
    if hasattr(os, "mkfifo"):
        assert (tmp_path / "pipe").is_fifo()
    with pytest.raises(trellis.BatchError, match="output folder"):
        cluster.convert_corpus(corpus / "barriers", tmp_path / "file", table=tmp_path / "t.parquet")
    wrong_type: Any = b"table"
    with pytest.raises(TypeError, match="table"):
        cluster.convert_corpus(corpus / "barriers", table=wrong_type)


@pytest.mark.parametrize(
    "name", ["a.parquet", "x" * 100, "x" * 101, "x" * 250, "ä" * 120, "x" + "ä" * 120]
)
def test_the_command_finds_temporary_files_by_the_name(tmp_path: Path, name: str) -> None:
    temporary = _table._temporary(tmp_path / name)
    assert temporary.parent == tmp_path and len(os.fsencode(temporary.name)) <= 143
    temporary.write_bytes(b"half")
    (tmp_path / name).write_bytes(b"whole")
    _native.remove_leftovers(str(tmp_path), [name])
    assert [path.name for path in tmp_path.iterdir()] == [name]
