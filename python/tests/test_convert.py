"""Conversion, and what an output has."""

import array
import copy
import json
import mmap
import pickle
from pathlib import Path
from types import MappingProxyType
from typing import Any, Dict
from xml.etree import ElementTree

import pytest

import trellis

MAGIC = 0x07230203


def test_an_output_has_the_module_as_words_bytes_and_text(shader: bytes) -> None:
    output = trellis.convert(shader)
    assert output.words[0] == MAGIC
    assert len(output.words) == len(output) == len(output.spirv) // 4
    assert bytes(output) == output.spirv
    assert output.spirv[:4] == MAGIC.to_bytes(4, "little")
    assert (output.entry_point, output.stage) == ("main", "compute")
    assert "OpLoopMerge" in output.assembly
    assert output.assembly == trellis.disassemble(output.spirv)
    assert output.statistics["total"]["words"] == len(output)
    assert output.statistics["total"]["loops"] == 2
    assert output.counters["selectors"] == 1
    assert output.reflection == trellis.reflect(shader)
    assert output.reflection["entry_points"][0]["name"] == "main"
    assert repr(output) == f"<trellis.Output compute `main`, {len(output)} words>"


def test_equal_inputs_have_equal_outputs(shader: bytes) -> None:
    first, second = trellis.convert(shader), trellis.convert(bytearray(shader))
    assert first == second and hash(first) == hash(second)
    assert trellis.convert(memoryview(shader)[:]) == first
    converter = trellis.Converter()
    assert [converter.convert(shader) for _ in range(3)] == [first] * 3
    assert trellis.Converter(target="vulkan1.1").convert(shader).spirv != first.spirv


def test_what_is_changed_during_a_conversion_is_a_copy(shader: bytes) -> None:
    data = bytearray(shader)
    output = trellis.convert(data)
    data[:] = bytes(len(data))
    assert output.source == shader and output.functions


def test_what_has_the_buffer_protocol_is_bytes(corpus: Path, shader: bytes) -> None:
    first = trellis.convert(shader)
    numbers = array.array("B", shader)
    assert trellis.convert(numbers) == first
    numbers.append(0)  # Nobody keeps the buffer.
    words = array.array("I", first.spirv)
    assert trellis.statistics(words) == first.statistics
    assert trellis.convert(memoryview(shader + shader)[: len(shader)]) == first
    backwards = memoryview(shader[::-1])[::-1]
    assert trellis.convert(backwards) == first
    path = corpus / "control_flow" / "fig_nested_returns.dxil"
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        assert trellis.convert(data) == first
        assert trellis.entry_points(data) == trellis.entry_points(shader)


def test_an_output_can_be_sent_to_another_process(shader: bytes) -> None:
    output = trellis.convert(shader, {"debug.names": False})
    assert output.functions and output.assembly
    for same in (pickle.loads(pickle.dumps(output)), copy.deepcopy(output)):
        assert same == output and same.reflection == output.reflection
        assert str(same.functions[0]) == str(output.functions[0])


def test_options_are_those_of_the_command_line(shader: bytes) -> None:
    options = trellis.options()
    assert options["target"] == "vulkan1.3" and options["debug"]["names"] is True
    assert trellis.convert(shader, options).spirv == trellis.convert(shader).spirv
    nested = trellis.convert(shader, {"target": "vulkan1.2", "debug": {"names": False}})
    paths = trellis.convert(shader, {"debug.names": False}, target="vulkan1.2")
    assert nested.spirv == paths.spirv != trellis.convert(shader).spirv
    assert "OpName" not in nested.assembly
    stages = {"structurizer.stages.loop-exits": False, "structurizer": {"max_break_path": 3}}
    assert trellis.convert(shader, stages).words[0] == MAGIC
    shifted = trellis.reflect(shader, {"bindings.shifts.uav": 9})
    assert shifted["resources"][0]["vulkan"]["binding"] == 9
    names = {(info.group, info.name) for info in trellis.option_list()}
    assert ("debug", "names") in names and ("", "target") in names
    assert all(info.summary for info in trellis.option_list())


@pytest.mark.parametrize(
    "options",
    [
        {"target": "vulkan9"},
        {"debug.name": True},
        {"debug.names": 12},
        {"debug": True},
        {"target.x": 1},
        {"target": "vulkan1.3", "target.x": 1},
        {"debug": {"names": True}, "debug.names.x": 1},
        {"": 1},
        {".": 1},
        {3: 1},
        {"target": object()},
        {"interface.sample_count": float("nan")},
        [("target", "vulkan1.3")],
    ],
)
def test_wrong_options_are_named(shader: bytes, options: Any) -> None:
    for call in (trellis.convert, trellis.convert_all, trellis.reflect):
        with pytest.raises(trellis.OptionError) as caught:
            call(shader, options)
        assert caught.value.kind == "options" and isinstance(caught.value, ValueError)


def test_a_conversion_does_not_change_the_options(shader: bytes) -> None:
    options = trellis.options()
    before = copy.deepcopy(options)
    trellis.convert(shader, {**options, "structurizer.stages.conditions": False})
    trellis.convert(shader, {**options, "structurizer": options["structurizer"], "debug.names": False})
    assert options == before
    stages = MappingProxyType({"conditions": False})
    proxies = MappingProxyType({"structurizer": MappingProxyType({"stages": stages})})
    nested = trellis.convert(shader, proxies)
    assert nested.spirv == trellis.convert(shader, {"structurizer.stages.conditions": False}).spirv


def test_options_that_nest_without_end_are_an_error(shader: bytes) -> None:
    options: Dict[str, Any] = {}
    inner = options
    for _ in range(100_000):
        inner["bindings"] = {}
        inner = inner["bindings"]
    with pytest.raises(trellis.OptionError):
        trellis.convert(shader, options)
    options["bindings"] = options
    with pytest.raises(trellis.OptionError):
        trellis.convert(shader, options)


def test_entry_points_are_chosen_by_name(library: bytes) -> None:
    entries = trellis.entry_points(library)
    assert len(entries) > 1 and {"ray-generation"} <= {entry.stage for entry in entries}
    with pytest.raises(trellis.EntryPointError) as caught:
        trellis.convert(library)
    assert caught.value.available == tuple(entry.name for entry in entries)
    one = trellis.convert(library, entry_point=entries[1].name)
    assert (one.entry_point, one.stage) == entries[1]
    assert trellis.convert(library, {"entry": entries[1].name}).spirv == one.spirv
    everything = trellis.convert_all(library)
    outputs = [output for output in everything if isinstance(output, trellis.Output)]
    assert [(output.entry_point, output.stage) for output in outputs] == entries
    assert outputs[1].spirv == one.spirv


def test_one_entry_point_that_fails_does_not_affect_the_others(library: bytes) -> None:
    results = trellis.convert_all(library, target="vulkan1.1")
    assert results and all(isinstance(result, trellis.UnsupportedError) for result in results)
    names = [entry.name for entry in trellis.entry_points(library)]
    assert [result.entry_point for result in results] == names


def test_a_root_signature_places_resources(corpus: Path) -> None:
    shaders = sorted((corpus / "root_signature").glob("*.dxil"))
    placed = 0
    for path in shaders:
        data = path.read_bytes()
        if "root_signature" not in trellis.reflect(data):
            continue
        reflection = trellis.reflect(data, root_signature=data)
        assert reflection["layout"]
        placed += 1
    assert placed > 0
    with pytest.raises(trellis.OptionError, match="root signature"):
        trellis.convert(data, root_signature=b"none")
    with pytest.raises(trellis.OptionError, match="root_addresses"):
        trellis.convert(data, root_addresses=True)


def test_the_target_is_an_argument_of_what_describes_a_shader(shader: bytes, library: bytes) -> None:
    for call in (trellis.reflect, trellis.control_flow):
        with pytest.raises(trellis.OptionError, match="vulkan9"):
            call(shader, target="vulkan9")
    assert trellis.reflect(shader, target="vulkan1.1") == trellis.reflect(
        shader, {"target": "vulkan1.1"}
    )
    (function,) = trellis.control_flow(shader, target="vulkan1.1")
    assert str(function) == str(trellis.control_flow(shader)[0])


def test_functions_can_be_sent_to_another_process(shader: bytes) -> None:
    (function,) = trellis.control_flow(shader, {"structurizer.stages.conditions": False})
    (of_output,) = trellis.convert(shader).functions
    for structure in (function, of_output):
        same = pickle.loads(pickle.dumps(structure))
        assert same.name == structure.name and same.text == structure.text
        assert same.remarks == structure.remarks and same.svg() == structure.svg()


def test_an_entry_point_is_a_text(shader: bytes) -> None:
    with pytest.raises(trellis.OptionError, match="entry_point"):
        trellis.convert(shader, entry_point="\ud800")
    number: Any = 3
    for call in (trellis.convert, trellis.control_flow, trellis.Converter().convert):
        with pytest.raises(TypeError, match="entry_point must be a text"):
            call(shader, entry_point=number)


def test_listings_are_those_of_the_command_line(shader: bytes) -> None:
    listing = trellis.disassemble(shader)
    assert "define void @main()" in listing and "dx.op.threadId" in listing


def test_outputs_display_themselves(shader: bytes) -> None:
    output = trellis.convert(shader)
    svg = output._repr_svg_()
    assert svg is not None
    assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
    html = output._repr_html_()
    assert "<svg" in html and "<pre>" in html and "loop [loop] {" in html
    json.dumps(output.statistics)
