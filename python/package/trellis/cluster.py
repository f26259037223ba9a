"""A pipeline for Ray: converts a corpus on a cluster, and makes a table of the results.

Needs the extra ``trellis-dxil[ray]``, on all machines, and folders that all of them see. The inputs are cut
into shards in their order; a shard is a task. Ray starts a task again if its worker or its machine is lost:
outputs are written as a whole or not at all, and a second run writes the same bytes under the same names. The
driver writes the rows in the order of the inputs and checks that none is missing.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from dataclasses import dataclass, replace
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from . import _native
from ._arguments import PathLike, _integer, _optional_path, _paths, _patterns
from ._errors import BatchError, InputError, _option_error
from ._options import Buffer, Options, _Settings
from ._table import _INDEX, COLUMNS, _files, _prepare, _to_arrow, _write, schema

if TYPE_CHECKING:
    import pyarrow

__all__ = ["COLUMNS", "TableReport", "convert_corpus", "schema"]

#: The most inputs of a shard, if the number of shards is not given.
_SHARD = 500


@dataclass(frozen=True)
class _File:
    """An input."""

    index: int
    path: str
    #: The stage and entry point of its manifest.
    expected: Optional[Tuple[str, str]]
    #: Kind and text of its error.
    problem: Optional[Tuple[str, str]]


#: What each worker needs: settings, paths that outputs are named after, folder, limits of time and memory.
_Work = Tuple[_Settings, List[str], Optional[str], Tuple[Optional[float], Optional[int]]]


@dataclass(frozen=True)
class TableReport:
    """The results of a pipeline."""

    #: The file with the table.
    table: Path
    #: The number of inputs.
    inputs: int
    #: The number of rows by status.
    counts: Dict[str, int]

    @property
    def rows(self) -> int:
        """The number of rows."""
        return sum(self.counts.values())

    def arrow(self) -> pyarrow.Table:
        """Read the table."""
        import pyarrow.parquet

        return pyarrow.parquet.read_table(self.table)

    def __str__(self) -> str:
        counts = ", ".join(f"{status} {count}" for status, count in sorted(self.counts.items()))
        return f"{self.inputs} inputs: {counts}"


def convert_corpus(
    inputs: Union[PathLike, Iterable[PathLike]],
    output: Optional[PathLike] = None,
    *,
    table: PathLike,
    options: Optional[Options] = None,
    target: Optional[str] = None,
    root_signature: Optional[Buffer] = None,
    root_addresses: bool = False,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    time_limit: Optional[float] = None,
    memory_limit: Optional[int] = None,
    shards: Optional[int] = None,
    retries: int = 3,
    num_cpus: float = 1,
) -> TableReport:
    """Convert shaders on the cluster that Ray is connected to, or on this machine if it is not.

    ``inputs`` are files, folders and manifests, which every machine sees under the same path; without
    ``output`` nothing but the table is written. A shard is tried ``retries`` times more if its worker is
    lost, and takes ``num_cpus`` of its machine. ``time_limit`` in seconds and ``memory_limit`` in MiB
    apply to each shader; with one, another process converts, as in ``trellis batch --isolate``.

    A shader that fails is a row of the table; of a shard that is lost for good all inputs fail as ``crashed``.
    Raises :class:`InputError` if the inputs cannot be listed, and :class:`BatchError` if no shard can be
    converted or the table cannot be written; there is no table then.
    """
    shards = None if shards is None else _integer("shards", shards, 1)
    retries = _integer("retries", retries, 0)
    if num_cpus != 0 and not _is_number(num_cpus):
        raise _option_error(f"num_cpus must be a number, 0 or more, not {num_cpus!r}")
    if time_limit is not None and not _is_number(time_limit):
        raise _option_error(f"time_limit must be a number above 0, not {time_limit!r}")
    memory_limit = None if memory_limit is None else _integer("memory_limit", memory_limit, 1)
    settings = _Settings.of(options, target, root_signature, root_addresses, None)
    files, relatives = _list(inputs, include, exclude)
    folder = _optional_path("output", output)
    # A table that cannot be written is an error now, not after hours.
    path = _prepare(table)
    if folder is not None:
        folder = os.path.abspath(folder)
        with _files("make the output folder"):
            os.makedirs(folder, exist_ok=True)
    work = (settings, relatives, folder, (time_limit, memory_limit))
    shards = shards or -(-len(files) // _SHARD)
    counts = _convert(files, shards, work, path, retries, num_cpus)
    if folder is not None:
        _remove_leftovers(folder, path)
    return TableReport(path, len(files), counts)


def _convert(
    files: List[_File],
    shards: int,
    work: _Work,
    table: Path,
    retries: int,
    num_cpus: float,
) -> Dict[str, int]:
    """Run the tasks, and return the number of rows by status."""
    import ray

    if not ray.is_initialized():
        ray.init(logging_level=logging.WARNING)
    # Once for the machine, not once for the task.
    shared = ray.put(work)
    convert = ray.remote(num_cpus=num_cpus, max_retries=retries)(_convert_shard)
    parts = list(_parts(files, shards))
    tasks = [convert.remote(part, [shared]) for part in parts]

    def results() -> Iterator[pyarrow.Table]:
        for part in parts:
            try:
                yield ray.get(tasks.pop(0))
            except ray.exceptions.RayTaskError as error:
                raise BatchError(f"a shard cannot be converted: {error}", kind="batch") from error
            except ray.exceptions.RayError as error:
                reason = str(error).splitlines()[0]
                problem = ("crashed", f"the worker of its shard is lost: {reason}")
                lost = [replace(file, problem=problem) for file in part]
                yield _to_arrow(_results(lost, _rows((*work[:3], (None, None)))))

    return _write(results(), len(files), table)


def _list(
    inputs: Union[PathLike, Iterable[PathLike]], include: Sequence[str], exclude: Sequence[str]
) -> Tuple[List[_File], List[str]]:
    """Return the inputs, and the paths that their outputs are named after."""
    paths = [os.path.abspath(path) for path in _paths(inputs)]
    patterns = (_patterns("include", include), _patterns("exclude", exclude))
    files: List[_File] = []
    relatives: List[str] = []
    for row in _native.list_inputs(paths, *patterns):
        name, path, relative, is_member, expected, problem = row
        if is_member:
            raise InputError(f"{name} is in an archive: unpack it for the cluster", kind="inputs")
        files.append(_File(len(files), path, expected, problem))
        relatives.append(relative)
    return files, relatives


def _parts(files: List[_File], count: int) -> Iterator[List[_File]]:
    """Cut a list into parts of nearly equal length, none of them empty."""
    count = min(count, len(files))
    for number in range(count):
        start, end = (len(files) * part // count for part in (number, number + 1))
        yield files[start:end]


#: The converter of this process, and its pipeline.
_worker: Optional[Tuple[str, _native.Rows]] = None


def _rows_of(shared: Any) -> _native.Rows:
    """Return the converter of this worker, which is kept between its shards."""
    import ray

    global _worker
    if _worker is None or _worker[0] != shared.hex():
        _worker = (shared.hex(), _rows(ray.get(shared)))
    return _worker[1]


def _rows(work: _Work) -> _native.Rows:
    """Return what converts, in another process if there are limits."""
    settings, relatives, folder, (time, memory) = work
    if time is None and memory is None:
        return _native.Rows(settings.native, relatives, folder)
    package = str(Path(__file__).parents[1])
    code = "import sys; sys.path.insert(0, sys.argv[1]); from trellis._native import work; work()"
    limits = (time, None if memory is None else memory << 20)
    isolation = (sys.executable, ["-c", code, package], settings.setup(), *limits)
    return _native.Rows(settings.native, relatives, folder, isolation)


def _convert_shard(files: List[_File], shared: List[Any]) -> pyarrow.Table:
    """Convert the files of a shard; runs on a worker."""
    return _to_arrow(_results(files, _rows_of(shared[0])))


def _is_number(value: float) -> bool:
    return isinstance(value, Real) and 0 < value < float("inf")


def _results(files: List[_File], rows: _native.Rows) -> List[Dict[str, Any]]:
    """Return the rows of files, with the numbers of their inputs."""
    lists = rows.convert(
        [
            (file.index, file.path, _pair(file.expected), _pair(file.problem))
            for file in files
        ]
    )
    return [
        {_INDEX: file.index, **row}
        for file, results in zip(files, json.loads(lists))
        for row in results
    ]


def _pair(value: Optional[Sequence[str]]) -> Optional[Tuple[str, str]]:
    """Return a pair that was a list in JSON."""
    return None if value is None else (value[0], value[1])


def _remove_leftovers(folder: str, table: Path) -> None:
    """Remove temporary files of outputs that killed workers left; all workers are done."""
    import pyarrow.parquet

    outputs = pyarrow.parquet.read_table(table, columns=["output"])["output"].to_pylist()
    _native.remove_leftovers(folder, [output for output in outputs if output])
