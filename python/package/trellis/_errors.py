"""Exceptions: one base class with fields, and a class for each kind that callers tell apart."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple, Type


class Error(Exception):
    """Why a call fails.

    Fields that are not known, or that do not apply, are ``None``.
    """

    #: The kind, as ``trellis batch`` reports it: ``unsupported``, ``read``, ...
    kind: str
    #: The fault, and the expected input.
    message: str
    #: The part of the container (``DXIL``), or ``bitcode`` or ``metadata``.
    part: Optional[str]
    #: The absolute offset in the input, in bytes.
    byte_offset: Optional[int]
    #: The function of the input: its name, or its number as ``#3``.
    function: Optional[str]
    #: The basic block of the function, in file order.
    block: Optional[int]
    #: The instruction of the function, in file order.
    instruction: Optional[int]
    #: The entry point that was converted.
    entry_point: Optional[str]
    #: Of an unsupported feature its sort, such as ``operation``.
    feature: Optional[str]
    #: The ``dx.op`` operation that the feature is about.
    operation: Optional[str]
    #: The SPIR-V extension that a translation would need.
    extension: Optional[str]
    #: Of an invalid shader the sort of rule that is broken.
    rule: Optional[str]
    #: A suggested fix.
    help: Optional[str]
    #: The entry points among which one must be chosen.
    available: Tuple[str, ...]

    def __init__(self, message: str, *, kind: str = "other", **fields: Any) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.part = fields.pop("part", None)
        self.byte_offset = fields.pop("byte_offset", None)
        self.function = fields.pop("function", None)
        self.block = fields.pop("block", None)
        self.instruction = fields.pop("instruction", None)
        self.entry_point = fields.pop("entry_point", None)
        self.feature = fields.pop("feature", None)
        self.operation = fields.pop("operation", None)
        self.extension = fields.pop("extension", None)
        self.rule = fields.pop("rule", None)
        self.help = fields.pop("help", None)
        self.available = tuple(fields.pop("available", ()))
        if fields:
            raise TypeError(f"unknown fields: {', '.join(sorted(fields))}")

    @property
    def is_bug(self) -> bool:
        """Whether it is a bug in Trellis, whatever the input."""
        return isinstance(self, InternalError)

    def fields(self) -> Dict[str, Any]:
        """Return the fields that are known, by name."""
        known = {name: value for name, value in vars(self).items() if name in _FIELDS}
        return {name: value for name, value in known.items() if value is not None and value != ()}

    def __reduce__(self) -> Tuple[Any, ...]:
        fields = {name: value for name, value in vars(self).items() if name in _FIELDS}
        # Such as notes and attributes of callers; an exception takes them as its state.
        others = {name: value for name, value in vars(self).items() if name not in _FIELDS}
        return _restore, (type(self), self.args, fields), others or None


#: The names of the fields of an error.
_FIELDS: Tuple[str, ...] = tuple(Error.__annotations__)


class ReadError(Error):
    """The bytes are not DXIL, or not SPIR-V, that can be read."""


class EntryPointError(Error):
    """No entry point can be chosen; ``available`` has those that there are."""


class UnsupportedError(Error):
    """Something that DXIL permits and this version does not translate."""


class InvalidError(Error):
    """The module breaks a rule of DXIL."""


class BindingError(Error):
    """A resource has no binding, or a stage input or output has no place."""


class InternalError(Error):
    """A bug in Trellis, reported instead of wrong output."""


class OptionError(Error, ValueError):
    """An option, or a model that is one, is not known or has a wrong value."""


class GraphError(Error, ValueError):
    """A graph cannot be structurized or drawn."""


class InputError(Error):
    """The inputs of a batch cannot be listed."""


class BatchError(Error):
    """A batch cannot be run."""


_CLASSES: Dict[str, Type[Error]] = {
    "read": ReadError,
    "spirv": ReadError,
    "no-entry": EntryPointError,
    "unsupported": UnsupportedError,
    "invalid": InvalidError,
    "binding": BindingError,
    "stage-io": BindingError,
    "structurize": InternalError,
    "internal": InternalError,
    "verify": InternalError,
    "validate": InternalError,
    "panic": InternalError,
    "no-validator": OptionError,
    "options": OptionError,
    "graph": GraphError,
    "inputs": InputError,
    "batch": BatchError,
}


def _make(kind: str, message: str, fields: Dict[str, Any]) -> Error:
    """Return the exception of a kind; the native module calls this."""
    return _CLASSES.get(kind, Error)(message, kind=kind, **fields)


def _restore(cls: Type[Error], args: Tuple[Any, ...], fields: Dict[str, Any]) -> Error:
    """Return an exception that was sent from another process.

    The class may be derived from one of these, with a constructor that takes other arguments.
    """
    error = cls.__new__(cls, *args)
    vars(error).update(fields)
    return error


def _option_error(message: str) -> OptionError:
    return OptionError(message, kind="options")


def _graph_error(message: str) -> GraphError:
    return GraphError(message, kind="graph")


__all__: List[str] = [
    "BatchError",
    "BindingError",
    "EntryPointError",
    "Error",
    "GraphError",
    "InputError",
    "InternalError",
    "InvalidError",
    "OptionError",
    "ReadError",
    "UnsupportedError",
]
