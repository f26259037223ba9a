"""Checks of arguments: an invalid one is an error that names it, before anything is done."""

from __future__ import annotations

import operator
import os
from typing import Any, Iterable, List, Optional, Union

from ._errors import _option_error

#: A path of a file or folder.
PathLike = Union[str, "os.PathLike[str]"]


def _integer(name: str, value: Any, least: int, most: Optional[int] = None) -> int:
    """Return an integer, which may be of another type than ``int``, within bounds."""
    try:
        number = operator.index(value)
    except TypeError:
        raise _option_error(f"{name} must be an integer, not {type(value).__name__}") from None
    if number < least:
        raise _option_error(f"{name} must be {least} or more")
    if most is not None and number > most:
        raise _option_error(f"{name} must be {most} or less")
    return number


def _is_unicode(text: str) -> bool:
    """Whether a text has a form in UTF-8: Python's may have halves of surrogate pairs."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _text(name: str, value: Any) -> str:
    """Return a text that the native module accepts."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, not {type(value).__name__}")
    if not _is_unicode(value):
        raise _option_error(f"{name} is not Unicode: {value!r}")
    return value


def _optional_text(name: str, value: Any) -> Optional[str]:
    return None if value is None else _text(name, value)


def _patterns(name: str, value: Any) -> List[str]:
    """Return a list of patterns for paths."""
    # A text has items, too: its characters, which are other patterns.
    if isinstance(value, (str, bytes)):
        raise _option_error(f"{name} is a list of patterns, not a text")
    try:
        patterns = list(value)
    except TypeError:
        what = type(value).__name__
        raise _option_error(f"{name} is a list of patterns, not {what}") from None
    return [_text(f"a pattern of {name}", pattern) for pattern in patterns]


def _path(name: str, value: Any) -> str:
    """Return a path as text."""
    try:
        path: object = os.fspath(value)
    except TypeError:
        path = value
    if not isinstance(path, str):
        raise TypeError(f"{name} must be a path (a text or os.PathLike), not {type(path).__name__}")
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        raise _option_error(f"{name} cannot be a path: {path!r}") from None
    return path


def _optional_path(name: str, value: Any) -> Optional[str]:
    return None if value is None else _path(name, value)


def _paths(inputs: Union[PathLike, Iterable[PathLike]]) -> List[str]:
    """Return the paths of inputs, of which there may be one."""
    if isinstance(inputs, (str, bytes, os.PathLike)):
        return [_path("inputs", inputs)]
    try:
        paths = list(inputs)
    except TypeError:
        raise TypeError(f"inputs must be paths, not {type(inputs).__name__}") from None
    return [_path("an item of inputs", path) for path in paths]
