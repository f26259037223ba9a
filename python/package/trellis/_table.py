"""The file of a cluster's table: where it may be, and its rows in groups."""

from __future__ import annotations

import os
import stat
from collections import Counter
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Tuple

from . import _native
from ._arguments import PathLike, _path
from ._errors import BatchError, _make

if TYPE_CHECKING:
    import pyarrow

#: The columns of the table: name, type, and whether it may be null.
COLUMNS: Tuple[Tuple[str, str, bool], ...] = tuple(_native.table_columns())

#: The column with the number of the input, which the table does not have.
_INDEX = "_index"

#: Rows of a group, as in the table of the command: readers skip and read groups as a whole.
_GROUP = 1 << 14


def schema() -> pyarrow.Schema:
    """Return the schema of the table."""
    import pyarrow

    return pyarrow.schema(
        [
            pyarrow.field(name, pyarrow.type_for_alias(kind), nullable=nullable)
            for name, kind, nullable in COLUMNS
        ]
    )


def _to_arrow(rows: List[Dict[str, Any]]) -> pyarrow.Table:
    """Return rows with the numbers of their inputs."""
    import pyarrow

    index = pyarrow.field(_INDEX, pyarrow.int64(), nullable=False)
    return pyarrow.Table.from_pylist(rows, schema=pyarrow.schema([index, *schema()]))


@contextmanager
def _files(what: str) -> Iterator[None]:
    """Turn an error of the file system into an error of a batch."""
    try:
        yield
    except OSError as error:
        raise BatchError(f"cannot {what}: {error}", kind="batch") from error


def _prepare(table: PathLike) -> Path:
    """Return the path of the table, and make its folder. Called before anything is converted.

    A folder cannot be replaced by a file; a device or a pipe must not be.
    """
    path = Path(_path("table", table))
    with _files("write the table"):
        try:
            is_file = stat.S_ISREG(path.stat().st_mode)
        except FileNotFoundError:
            is_file = True
        except ValueError as error:
            raise BatchError(f"cannot write the table: {error}", kind="batch") from None
        if not is_file:
            raise BatchError(f"cannot write the table: {path} is not a file", kind="batch")
        path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _temporary(path: Path) -> Path:
    """Return a name in the folder of a file that nobody else takes, as the command makes them."""
    return Path(_native.temporary_path(str(path)))


class _Writer:
    """Writes rows to a file in groups of one size. At most one group is in memory."""

    def __init__(self, path: Path) -> None:
        import pyarrow.parquet

        with _files("write the table"):
            self._writer = pyarrow.parquet.ParquetWriter(path, schema())
        self._parts: List[pyarrow.Table] = []
        self._rows = 0

    def add(self, rows: pyarrow.Table) -> None:
        """Add rows to the last group, and to further ones if it becomes full."""
        while rows.num_rows:
            part = rows.slice(0, _GROUP - self._rows)
            rows = rows.slice(part.num_rows)
            self._parts.append(part)
            self._rows += part.num_rows
            if self._rows == _GROUP:
                self._write_group()

    def _write_group(self) -> None:
        import pyarrow

        group = pyarrow.concat_tables(self._parts)
        with _files("write the table"):
            self._writer.write_table(group, row_group_size=_GROUP)
        self._parts, self._rows = [], 0

    def finish(self) -> None:
        """Write the last group and the end of the file."""
        if self._parts:
            self._write_group()
        with _files("write the table"):
            self._writer.close()

    def abandon(self) -> None:
        """Close the file, which is not whole and is removed."""
        with suppress(OSError):
            self._writer.close()


def _write(batches: Iterable[pyarrow.Table], inputs: int, path: Path) -> Dict[str, int]:
    """Write the rows to a file that is there as a whole or not at all, and count them by status."""
    temporary = _temporary(path)
    counts: Counter[str] = Counter()
    following = 0
    try:
        writer = _Writer(temporary)
        try:
            for batch in batches:
                for index in batch[_INDEX].to_pylist():
                    if index not in (following - 1, following):
                        raise _make("batch", f"no result for input {following}", {})
                    following = index + 1
                counts.update(batch["status"].to_pylist())
                writer.add(batch.drop_columns([_INDEX]).cast(schema()))
            writer.finish()
        except BaseException:
            writer.abandon()
            raise
        if following != inputs:
            raise _make("batch", f"results for {following} of {inputs} inputs", {})
        with _files("write the table"):
            os.replace(temporary, path)
    finally:
        # The first error is reported.
        with suppress(OSError):
            temporary.unlink()
    return dict(counts)
