"""Options of a conversion: their defaults, and values that callers give."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple, Optional, Union

from . import _native
from ._errors import _option_error

#: Options: an object in the serialized form of the command line and the C library. Omitted options have
#: their defaults. A key may be a path, such as ``debug.names``.
Options = Mapping[str, Any]
if TYPE_CHECKING:
    # Type checkers have it without the package.
    from typing_extensions import Buffer as Buffer
else:
    #: Bytes of a file: any object with the buffer protocol, such as an array or ``mmap``.
    Buffer = Union[bytes, bytearray, memoryview]

#: Levels of options. The native options have fewer; a mapping may contain itself.
_MOST_LEVELS = 64


class OptionInfo(NamedTuple):
    """An option in the list of all."""

    #: The group, empty for an option that is in none.
    group: str
    name: str
    #: The type in Rust.
    type: str
    default: Any
    summary: str


def options() -> Dict[str, Any]:
    """Return all options with their defaults, as ``convert`` takes them."""
    defaults: Dict[str, Any] = json.loads(_native.options())
    return defaults


def option_list() -> List[OptionInfo]:
    """Return a description of each option."""
    infos = json.loads(_native.option_list())
    return [OptionInfo(**info) for info in infos]


def _to_bytes(data: Buffer, what: str = "data") -> bytes:
    """Return data that nobody changes while it is converted."""
    if isinstance(data, bytes):
        return data
    try:
        view = memoryview(data)
    except TypeError:
        raise TypeError(f"{what} must be bytes, not {type(data).__name__}") from None
    # The caller may close the object with the bytes, which a view would prevent.
    with view:
        return view.tobytes()


def _copied(value: Any, levels: int = _MOST_LEVELS) -> Any:
    """Return a value that shares no object with the caller's and has no mappings but dictionaries."""
    if not isinstance(value, (Mapping, list, tuple)):
        return value
    if levels == 0:
        raise _option_error(f"the options have more than {_MOST_LEVELS} levels")
    if isinstance(value, Mapping):
        return {key: _copied(inner, levels - 1) for key, inner in value.items()}
    return [_copied(inner, levels - 1) for inner in value]


def _nested(given: Options) -> Dict[str, Any]:
    """Return options with an object for each group, of those and of paths."""
    result: Dict[str, Any] = {}
    for key, value in given.items():
        if not isinstance(key, str):
            raise _option_error(f"{key!r} is not the name of an option")
        *groups, name = key.split(".")
        place = result
        for group in groups:
            place = place.setdefault(group, {})
            if not isinstance(place, dict):
                raise _option_error(f"`{key}`: `{group}` has a value already")
        if isinstance(value, Mapping):
            inner = place.setdefault(name, {})
            if not isinstance(inner, dict):
                raise _option_error(f"`{key}` has a value already")
            inner.update(_copied(value))
        else:
            place[name] = _copied(value)
    return result


def _to_json(given: Mapping[str, Any]) -> str:
    try:
        return json.dumps(given, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise _option_error(f"the options are not JSON: {error}") from None


@dataclass(frozen=True)
class _Settings:
    """Options with their models, which have no text form; can be sent to other processes."""

    json: str = "{}"
    root_signature: Optional[bytes] = None
    root_addresses: bool = False
    mesh: Optional[bytes] = None

    @cached_property
    def native(self) -> _native.Settings:
        return _native.Settings(self.json, self.root_signature, self.root_addresses, self.mesh)

    def setup(self) -> bytes:
        """Return what a worker process of Rows makes its converter of."""
        signature = None if self.root_signature is None else list(self.root_signature)
        setup = {"root_signature": signature, "root_addresses": self.root_addresses}
        return json.dumps({"options": json.loads(self.json), **setup}).encode()

    def __getstate__(self) -> Dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "native"}

    @classmethod
    def of(
        cls,
        given: Optional[Options],
        target: Optional[str],
        root_signature: Optional[Buffer],
        root_addresses: bool,
        mesh: Optional[Buffer],
    ) -> _Settings:
        if root_addresses and root_signature is None:
            raise _option_error("root_addresses needs a root_signature")
        if given is None and target is None and root_signature is None and mesh is None:
            return _DEFAULT
        if given is not None and not isinstance(given, Mapping):
            raise _option_error(f"options must be a mapping, not {type(given).__name__}")
        nested = _nested(given or {})
        if target is not None:
            nested["target"] = target
        settings = cls(
            _to_json(nested),
            None if root_signature is None else _to_bytes(root_signature, "root_signature"),
            root_addresses,
            None if mesh is None else _to_bytes(mesh, "mesh"),
        )
        settings.native  # Wrong options are an error here, not in the first call that uses them.
        return settings


_DEFAULT = _Settings()
