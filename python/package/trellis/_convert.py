"""Conversion of shaders."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

from . import _native
from ._arguments import _optional_text
from ._errors import Error
from ._options import Buffer, Options, _Settings, _to_bytes
from ._structure import Structure, _Origin

#: The result of a conversion by the native module.
_Converted = Tuple[bytes, str, str, List[Tuple[str, int]], Optional[int]]


class EntryPoint(NamedTuple):
    """An entry point of a module."""

    #: The name, as ``entry_point`` takes it.
    name: str
    #: The stage, such as ``compute``.
    stage: str


@dataclass(frozen=True, repr=False)
class Output:
    """A converted entry point: SPIR-V that has passed Trellis's verifier.

    It keeps the bytes of the shader, for properties that are computed on first access.
    """

    #: The module as files have it: words in little-endian order.
    spirv: bytes
    #: The name of the entry point.
    entry_point: str
    #: Its stage.
    stage: str
    #: Counters of the structurizer.
    counters: Mapping[str, int] = field(hash=False)
    #: The location of register 0 of the patch constants of a hull or domain shader.
    patch_location: Optional[int]
    #: The shader that was converted.
    source: bytes
    _settings: _Settings

    @property
    def words(self) -> memoryview:
        """The words of the module, in the machine's byte order."""
        spirv = self.spirv
        if sys.byteorder == "big":
            swapped = bytearray(len(spirv))
            for byte in range(4):
                swapped[byte::4] = spirv[3 - byte :: 4]
            spirv = bytes(swapped)
        return memoryview(spirv).cast("I")

    @cached_property
    def assembly(self) -> str:
        """The module as text."""
        return _native.assembly(self.spirv)

    @cached_property
    def statistics(self) -> Dict[str, Any]:
        """Sizes and structure of the module, as ``trellis stat --json`` prints them."""
        return statistics(self.spirv)

    @cached_property
    def reflection(self) -> Dict[str, Any]:
        """The description of the shader, as ``trellis reflect`` prints it."""
        reflection: Dict[str, Any] = json.loads(
            _native.reflect(self.source, self._settings.native)
        )
        return reflection

    @cached_property
    def functions(self) -> Tuple[Structure, ...]:
        """The functions of the entry point as they were structurized."""
        return tuple(_functions(self.source, self._settings, self.entry_point))

    def __bytes__(self) -> bytes:
        return self.spirv

    def __len__(self) -> int:
        """The number of words."""
        return len(self.spirv) // 4

    def __getstate__(self) -> Dict[str, Any]:
        # Properties on demand are computed again; some belong to the process.
        computed = ("assembly", "statistics", "reflection", "functions")
        return {name: value for name, value in vars(self).items() if name not in computed}

    def __repr__(self) -> str:
        return f"<trellis.Output {self.stage} `{self.entry_point}`, {len(self)} words>"

    def _repr_svg_(self) -> Optional[str]:
        return self.functions[0]._repr_svg_() if self.functions else None

    def _repr_html_(self) -> str:
        counts = self.statistics["total"]
        rows = {
            "stage": self.stage,
            "words": len(self),
            "instructions": counts["instructions"],
            "blocks": counts["blocks"],
            **{name: count for name, count in self.counters.items() if count},
        }
        cells = "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>"
            for name, value in rows.items()
        )
        parts = [f"<h4>{escape(self.entry_point)}</h4><table>{cells}</table>"]
        parts.extend(function._repr_html_() for function in self.functions)
        return "".join(parts)


def _output(converted: _Converted, source: bytes, settings: _Settings) -> Output:
    spirv, entry_point, stage, counters, patch_location = converted
    return Output(spirv, entry_point, stage, dict(counters), patch_location, source, settings)


def convert(
    data: Buffer,
    options: Optional[Options] = None,
    *,
    entry_point: Optional[str] = None,
    target: Optional[str] = None,
    root_signature: Optional[Buffer] = None,
    root_addresses: bool = False,
    mesh: Optional[Buffer] = None,
) -> Output:
    """Convert an entry point of a DXBC container or of DXIL bitcode: the named one, or the only one.

    ``target`` is the option of that name. ``root_signature`` (a container with one, or its bytes) gives
    resources their bindings, with ``root_addresses`` root descriptors are device addresses. ``mesh`` is
    the mesh shader before a pixel shader.

    The interpreter lock is released. Raises :class:`Error`.
    """
    settings = _Settings.of(options, target, root_signature, root_addresses, mesh)
    source = _to_bytes(data)
    entry_point = _optional_text("entry_point", entry_point)
    return _output(_native.convert(source, settings.native, entry_point), source, settings)


def convert_all(
    data: Buffer,
    options: Optional[Options] = None,
    *,
    target: Optional[str] = None,
    root_signature: Optional[Buffer] = None,
    root_addresses: bool = False,
    mesh: Optional[Buffer] = None,
) -> List[Union[Output, Error]]:
    """Convert every entry point, in the module's order.

    The result of one that cannot be converted is the exception, which is not raised; a module that cannot
    be read raises.
    """
    settings = _Settings.of(options, target, root_signature, root_addresses, mesh)
    source = _to_bytes(data)
    results: List[Union[Output, Error]] = []
    for result in _native.convert_all(source, settings.native):
        if isinstance(result, Error):
            results.append(result)
        else:
            results.append(_output(result, source, settings))
    return results


class Converter:
    """Converts shaders one after another, and keeps memory between them.

    Results are the same as with :func:`convert`. Threads that convert at the same time need one
    each: calls of one converter wait for each other.
    """

    def __init__(
        self,
        options: Optional[Options] = None,
        *,
        target: Optional[str] = None,
        root_signature: Optional[Buffer] = None,
        root_addresses: bool = False,
        mesh: Optional[Buffer] = None,
    ) -> None:
        self._settings = _Settings.of(options, target, root_signature, root_addresses, mesh)
        self._converter = _native.Converter(self._settings.native)

    def convert(self, data: Buffer, *, entry_point: Optional[str] = None) -> Output:
        """Convert an entry point, as the function :func:`convert`."""
        source = _to_bytes(data)
        entry_point = _optional_text("entry_point", entry_point)
        return _output(self._converter.convert(source, entry_point), source, self._settings)


def entry_points(data: Buffer) -> List[EntryPoint]:
    """List the entry points of a module, in its order."""
    return [EntryPoint(*entry) for entry in _native.entry_points(_to_bytes(data))]


def reflect(
    data: Buffer,
    options: Optional[Options] = None,
    *,
    target: Optional[str] = None,
    root_signature: Optional[Buffer] = None,
    root_addresses: bool = False,
) -> Dict[str, Any]:
    """Describe a shader: resources with their bindings, signatures, workgroup size, root signature."""
    settings = _Settings.of(options, target, root_signature, root_addresses, None)
    reflection: Dict[str, Any] = json.loads(_native.reflect(_to_bytes(data), settings.native))
    return reflection


def disassemble(data: Buffer) -> str:
    """Return a shader as LLVM IR, or a SPIR-V module as assembly."""
    source = _to_bytes(data)
    if source[:4] in (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03"):
        return _native.assembly(source)
    return _native.disassemble(source)


def statistics(spirv: Buffer) -> Dict[str, Any]:
    """Return sizes and structure of a SPIR-V module of any compiler."""
    counted: Dict[str, Any] = json.loads(_native.statistics(_to_bytes(spirv, "spirv")))
    return counted


def control_flow(
    data: Buffer,
    options: Optional[Options] = None,
    *,
    entry_point: Optional[str] = None,
    target: Optional[str] = None,
) -> List[Structure]:
    """Structurize the functions of an entry point as a conversion does: for people who look."""
    settings = _Settings.of(options, target, None, False, None)
    return _functions(_to_bytes(data), settings, _optional_text("entry_point", entry_point))


def _traces(
    source: bytes, settings: _Settings, entry_point: Optional[str]
) -> List[_native.Trace]:
    return _native.control_flow(source, settings.native, entry_point)


def _functions(
    source: bytes, settings: _Settings, entry_point: Optional[str]
) -> List[Structure]:
    arguments = (source, settings, entry_point)
    return [
        Structure(trace, _Origin(_traces, arguments, number))
        for number, trace in enumerate(_traces(*arguments))
    ]
