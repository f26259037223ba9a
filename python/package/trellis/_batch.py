"""Conversion of folders and lists of shaders."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from html import escape
from pathlib import Path
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Union,
    overload,
)

from . import _native
from ._arguments import PathLike, _integer, _optional_path, _paths, _patterns
from ._errors import Error, _make, _option_error
from ._options import Buffer, Options, _Settings

#: Is called with the numbers of finished inputs, of failures, and of all inputs.
Progress = Callable[[int, int, int], object]

#: The most threads of a batch, as of the command.
_MOST_JOBS = 1024


@dataclass(frozen=True)
class ShaderReport:
    """The result of an entry point, or of an input that has none."""

    #: The path of the input.
    input: str
    #: ``converted``, ``failed`` or ``skipped``.
    status: str
    #: The path of the output below the folder.
    output: Optional[str]
    stage: Optional[str]
    entry_point: Optional[str]
    #: Bytes of the input.
    input_bytes: int
    #: Words of the output.
    words: int
    #: Time of the conversion in microseconds.
    time_us: int
    #: Whether the result is from the cache.
    cached: bool
    #: Why it failed. It is not raised.
    # Exceptions are equal only to themselves; `raw` has its fields.
    error: Optional[Error] = field(compare=False)
    #: Counters of the structurizer.
    counters: Mapping[str, int] = field(hash=False)
    #: The whole element of the report.
    raw: Mapping[str, Any] = field(hash=False)

    @classmethod
    def _of(cls, raw: Mapping[str, Any]) -> ShaderReport:
        return cls(
            raw["input"],
            raw["status"],
            raw.get("output"),
            raw.get("stage"),
            raw.get("entry"),
            raw["input_bytes"],
            raw["words"],
            raw["time_us"],
            raw.get("cached", False),
            _error_of(raw),
            raw.get("structurizer", {}),
            raw,
        )


def _error_of(raw: Mapping[str, Any]) -> Optional[Error]:
    failure = raw.get("error")
    if failure is None:
        return None
    fields = {
        "entry_point": raw.get("entry"),
        "feature": failure.get("feature"),
        "operation": failure.get("operation"),
        "rule": failure.get("invalid"),
        **failure.get("location", {}),
    }
    return _make(failure["kind"], failure["message"], fields)


class BatchReport(Sequence[ShaderReport]):
    """The results of a batch: a sequence of results of shaders."""

    #: Failures that are shown in a notebook.
    _SHOWN = 20

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def raw(self) -> Dict[str, Any]:
        """The report as ``trellis batch --report`` writes it."""
        raw: Dict[str, Any] = json.loads(self._text)
        return raw

    @property
    def totals(self) -> Dict[str, Any]:
        """Sums over the shaders."""
        totals: Dict[str, Any] = self.raw["totals"]
        return totals

    @cached_property
    def shaders(self) -> List[ShaderReport]:
        """The results in the order of the inputs, one for each entry point."""
        return [ShaderReport._of(shader) for shader in self.raw["shaders"]]

    @property
    def failures(self) -> List[ShaderReport]:
        """The results that are failures."""
        return [shader for shader in self.shaders if shader.error is not None]

    def raise_for_failures(self) -> None:
        """Raise the error of the first failure, if there is one."""
        for shader in self.failures:
            assert shader.error is not None
            raise shader.error

    def json(self) -> str:
        """Return the report in JSON."""
        return self._text

    def html(self) -> str:
        """Return a page of HTML that works from a file."""
        return _native.render(self._text, "html")

    def junit(self) -> str:
        """Return the results as JUnit XML."""
        return _native.render(self._text, "junit")

    def sarif(self) -> str:
        """Return the failures as SARIF."""
        return _native.render(self._text, "sarif")

    def __len__(self) -> int:
        return len(self.raw["shaders"])

    @overload
    def __getitem__(self, index: int) -> ShaderReport: ...

    @overload
    def __getitem__(self, index: slice) -> List[ShaderReport]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[ShaderReport, List[ShaderReport]]:
        return self.shaders[index]

    def __str__(self) -> str:
        return _native.render(self._text, "summary")

    def __repr__(self) -> str:
        return f"<trellis.BatchReport: {self}>"

    def __getstate__(self) -> Dict[str, Any]:
        return {"_text": self._text}

    def _repr_html_(self) -> str:
        failures = self.failures
        rows = "".join(
            f"<tr><td>{escape(shader.input)}</td><td>{escape(shader.entry_point or '')}</td>"
            f"<td>{escape(str(shader.error))}</td></tr>"
            for shader in failures[: self._SHOWN]
        )
        more = len(failures) - self._SHOWN
        rest = f"<p>and {more} more</p>" if more > 0 else ""
        table = f"<table><tr><th>input<th>entry point<th>failure</tr>{rows}</table>{rest}"
        return f"<p>{escape(str(self))}</p>{table if rows else ''}"


@lru_cache(maxsize=1)
def _program() -> str:
    """Return a name for the code that converts: a cache does not use results of other code."""
    return _native.fingerprint(Path(_native.__file__).read_bytes())


def _shard_text(shard: Optional[Tuple[int, int]]) -> Optional[str]:
    if shard is None:
        return None
    if not isinstance(shard, Sequence) or isinstance(shard, (str, bytes)) or len(shard) != 2:
        raise _option_error(f"shard is a pair of numbers, not {shard!r}")
    part, parts = shard
    # The native module compares them with each other.
    part, parts = _integer("the part of shard", part, 1), _integer("the parts of shard", parts, 1)
    return f"{part}/{parts}"


def batch(
    inputs: Union[PathLike, Iterable[PathLike]],
    output: Optional[PathLike] = None,
    *,
    options: Optional[Options] = None,
    target: Optional[str] = None,
    root_signature: Optional[Buffer] = None,
    root_addresses: bool = False,
    jobs: Optional[int] = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    shard: Optional[Tuple[int, int]] = None,
    cache: Optional[PathLike] = None,
    fail_fast: bool = False,
    sync: bool = False,
    progress: Optional[Progress] = None,
) -> BatchReport:
    """Convert shaders on all cores, as ``trellis batch`` does.

    ``inputs`` are files, folders, archives and manifests. Without ``output``, nothing is written. ``jobs``
    is the number of threads, at most 1,024; without it, there is one for each core. ``shard`` is the pair of a part's number, from 1, and the number of parts. A shader that fails is a part of the
    report; :class:`InputError` and :class:`BatchError` are raised if the batch as a whole cannot be run.

    An interrupt (Ctrl-C) in the main thread, or an exception of ``progress``, ends the batch: shaders that
    are being converted are finished, so that each output is there as a whole or not at all.
    """
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be a function, not {type(progress).__name__}")
    cache_folder = _optional_path("cache", cache)
    settings = _Settings.of(options, target, root_signature, root_addresses, None)
    request = {
        "inputs": _paths(inputs),
        "output": _optional_path("output", output),
        "include": _patterns("include", include),
        "exclude": _patterns("exclude", exclude),
        "jobs": None if jobs is None else _integer("jobs", jobs, 1, _MOST_JOBS),
        "shard": _shard_text(shard),
        "cache": None if cache_folder is None else (cache_folder, _program()),
        "fail_fast": bool(fail_fast),
        "sync": bool(sync),
        "progress": progress,
    }
    return BatchReport(_native.batch(request, settings.native))
