"""Exceptions and their fields, and input that is not what it should be."""

import copy
import pickle
import random
import re
import threading
from pathlib import Path
from typing import Any, Callable, List

import pytest

import trellis
from conftest import REPOSITORY
from trellis import _errors

CALLS: List[Callable[[Any], Any]] = [
    trellis.convert,
    trellis.convert_all,
    trellis.entry_points,
    trellis.reflect,
    trellis.disassemble,
    trellis.control_flow,
    trellis.statistics,
    trellis.Converter().convert,
]


def test_an_error_has_its_fields(shader: bytes) -> None:
    with pytest.raises(trellis.ReadError) as caught:
        trellis.convert(shader[:1000])
    error = caught.value
    assert isinstance(error, trellis.Error)
    assert error.kind == "read" and str(error) == error.message and not error.is_bug
    assert error.byte_offset is not None and error.part is not None and error.help
    assert error.fields()["byte_offset"] == error.byte_offset
    assert "function" not in error.fields() and "available" not in error.fields()


def test_an_unsupported_feature_is_named(library: bytes) -> None:
    entry = trellis.entry_points(library)[0]
    with pytest.raises(trellis.UnsupportedError) as caught:
        trellis.convert(library, target="vulkan1.1", entry_point=entry.name)
    error = caught.value
    assert (error.kind, error.feature, error.entry_point) == ("unsupported", "target", entry.name)
    assert error.function is not None and error.extension is None


def test_messages_have_the_terms_of_the_package(library: bytes, shader: bytes) -> None:
    with pytest.raises(trellis.EntryPointError) as caught:
        trellis.convert(library)
    assert caught.value.help == "choose one of `available` with `entry_point`"
    with pytest.raises(trellis.OptionError) as wrong:
        trellis.convert(shader, {"debug": {"no": 1}})
    assert "unknown field `no`" in str(wrong.value) and "column" not in str(wrong.value)


def test_errors_can_be_sent_to_another_process(shader: bytes) -> None:
    with pytest.raises(trellis.ReadError) as caught:
        trellis.convert(shader[:1000])
    same = pickle.loads(pickle.dumps(caught.value))
    assert type(same) is trellis.ReadError and same.fields() == caught.value.fields()
    with pytest.raises(trellis.OptionError) as wrong:
        trellis.convert(shader, {"no": 1})
    assert type(pickle.loads(pickle.dumps(wrong.value))) is trellis.OptionError
    with pytest.raises(TypeError, match="unknown fields: x"):
        trellis.Error("text", x=1)


def test_validation_needs_another_build(shader: bytes) -> None:
    with pytest.raises(trellis.OptionError) as caught:
        trellis.convert(shader, {"debug.validate": True})
    assert caught.value.kind == "no-validator"


class Wrapped(trellis.UnsupportedError):
    """A caller's class with its own constructor."""

    def __init__(self, path: str, error: trellis.Error) -> None:
        super().__init__(f"{path}: {error}", kind="unsupported", feature="stage")
        self.path = path


def test_what_callers_add_to_an_error_is_sent_too(shader: bytes) -> None:
    with pytest.raises(trellis.ReadError) as caught:
        trellis.convert(shader[:1000])
    error: Any = caught.value
    error.path = "a.dxil"
    if hasattr(error, "add_note"):
        error.add_note("of a.dxil")
    assert not {"path", "__notes__"} & set(error.fields())
    for same in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(same) is trellis.ReadError and vars(same) == vars(error)
        assert same.fields() == error.fields() and same.args == error.args
    wrapped = Wrapped("b.dxil", error)
    again = pickle.loads(pickle.dumps(wrapped))
    assert type(again) is Wrapped and again.path == "b.dxil" and again.feature == "stage"
    assert str(again) == str(wrapped) and vars(again) == vars(wrapped)


def test_the_page_of_errors_has_each_kind() -> None:
    page = (REPOSITORY / "docs" / "using" / "errors.md").read_text(encoding="utf-8")
    sections = {section.split("\n", 1)[0]: section for section in page.split("\n## ")}
    named = {
        heading: set(re.findall(r"^\| `([^`]+)` \|", sections[heading], re.MULTILINE))
        for heading in ("Kinds", "Kinds in Python")
    }
    assert named["Kinds in Python"] == {"options", "graph", "inputs", "batch"}
    assert set(_errors._CLASSES) <= named["Kinds"] | named["Kinds in Python"]


def test_the_fields_are_those_of_the_class() -> None:
    assert set(_errors._FIELDS) == set(vars(trellis.Error("x")))


@pytest.mark.parametrize("call", CALLS)
def test_what_is_not_bytes_is_a_type_error(call: Callable[[Any], Any]) -> None:
    for data in (None, "text", 3, [1, 2]):
        with pytest.raises(TypeError):
            call(data)


@pytest.mark.parametrize("call", CALLS)
def test_hostile_bytes_are_errors(call: Callable[[Any], Any], corpus: Path) -> None:
    rng = random.Random(7)
    shaders = sorted((corpus / "control_flow").glob("*.dxil"))
    seeds = [path.read_bytes() for path in rng.sample(shaders, 6)]
    failed = 0
    for number in range(60):
        data = bytearray(rng.choice(seeds))
        for _ in range(rng.choice((1, 3, 50))):
            data[rng.randrange(len(data))] = rng.randrange(256)
        if number % 3 == 0:
            del data[rng.randrange(len(data)) :]
        try:
            call(data)
        except trellis.Error as error:
            assert not error.is_bug, error
            failed += 1
    assert failed > 10


def test_a_small_stack_is_large_enough(corpus: Path) -> None:
    shaders = sorted(corpus.glob("*/fig_*.dxil")) + sorted((corpus / "algorithms").glob("*.dxil"))
    deep = {str(number): [str(number + 1), "end"] for number in range(20_000)}
    results: List[object] = []

    def work() -> None:
        for path in shaders[:20]:
            results.append(trellis.convert(path.read_bytes()))
            trellis.control_flow(path.read_bytes())
        results.append(trellis.structurize(deep).pseudo_code())

    before = threading.stack_size(128 << 10)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert len(results) == len(shaders[:20]) + 1
