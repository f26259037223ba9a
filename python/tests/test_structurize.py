"""The structurizer on mappings, graphs of NetworkX and texts."""

import copy
import pickle
import random
from typing import Any, Dict, List
from xml.etree import ElementTree

import networkx
import pytest

import trellis
from trellis import Block

#: A return out of two nested loops.
NESTED: Dict[str, List[str]] = {
    "entry": ["outer"],
    "outer": ["inner", "exit"],
    "inner": ["found", "step"],
    "step": ["inner", "latch"],
    "latch": ["outer"],
    "found": [],
    "exit": [],
}


def test_a_mapping_becomes_ifs_and_loops() -> None:
    result = trellis.structurize(NESTED)
    kinds = [node.kind for root in result.tree for node in root.walk()]
    assert kinds.count("loop") == 2 and "goto" not in kinds
    assert result.pseudo_code().count("loop {") == 2
    assert str(result) == result.pseudo_code()
    assert {block.name for block in result.blocks} >= set(NESTED)
    headers = {block.name: block for block in result.blocks if block.header == "loop"}
    assert set(headers) == {"outer", "inner"}
    assert all(block.merge and block.continue_target for block in headers.values())
    assert result.stages[0] == "input" and len(result.remarks) > 0
    assert all(remark.stage and remark.text for remark in result.remarks)


def test_conditions_code_and_names_are_shown() -> None:
    graph = {
        1: Block([2, 3], condition="x < 3", code=["x = load()"], name="head"),
        2: Block([1], code=["x = x + 1", "store(x)"], name="body"),
        3: Block([], name="end"),
    }
    result = trellis.structurize(graph)
    assert "if !(x < 3) { break }" in result.pseudo_code()
    with_code = result.pseudo_code(instructions=True)
    assert "x = x + 1\n" in with_code and "store(x)\n" in with_code
    (branch,) = [node for root in result.tree for node in root.walk() if node.kind == "if"]
    assert (branch.block, branch.condition) == ("head", "!(x < 3)")


def test_switches_have_their_cases() -> None:
    graph = {
        "a": Block({"default": "z", 7: "x", 9: "y", 11: "x"}, condition="mode"),
        "x": ["z"],
        "y": ["z"],
        "z": [],
    }
    result = trellis.structurize(graph)
    nodes = [node for root in result.tree for node in root.walk()]
    (switch,) = [node for node in nodes if node.kind == "switch"]
    cases = {case.block: case.literals for case in switch.children}
    assert cases["x"] == (7, 11) and cases["y"] == (9,) and switch.condition == "(mode)"
    by_position = trellis.structurize({"a": ["z", "x", "y"], "x": ["z"], "y": ["z"], "z": []})
    assert "case 0:" in str(by_position) and "case 1:" in str(by_position)
    condition = trellis.structurize({"a": {False: "z", True: "x"}, "x": ["z"]})
    assert "if test(a) {" in str(condition)


def test_graphs_of_networkx_have_attributes() -> None:
    graph = networkx.DiGraph([("head", "body"), ("body", "head"), ("head", "end")])
    graph.nodes["head"]["condition"] = "more"
    graph.nodes["body"]["code"] = "one\ntwo"
    graph.edges["head", "end"]["case"] = False
    graph.edges["head", "body"]["case"] = True
    result = trellis.structurize(graph)
    assert "if !(more) { break }" in str(result)
    assert "one\n" in result.pseudo_code(instructions=True)
    same = trellis.structurize({"head": ["body", "end"], "body": ["head"], "end": []})
    assert [b._replace(name="") for b in same.blocks] == [b._replace(name="") for b in result.blocks]
    graph.graph["entry"] = "body"
    assert trellis.structurize(graph).blocks[0].name != "head"
    assert trellis.structurize(graph, entry="head").text == result.text
    back = result.to_networkx()
    assert set(back.nodes) == {block.name for block in result.blocks}
    assert back.nodes["head"]["header"] == "loop"
    assert networkx.is_directed_acyclic_graph(back) is False


def test_parallel_edges_are_a_switch() -> None:
    graph = networkx.MultiDiGraph()
    graph.add_edge("a", "b", case="default")
    graph.add_edge("a", "b", case=4)
    graph.add_edge("a", "c", case=5)
    result = trellis.structurize(graph)
    literals = [n.literals for root in result.tree for n in root.walk() if n.kind == "case"]
    assert (5,) in literals


def test_a_text_is_that_of_the_command_line() -> None:
    result = trellis.structurize("a: b c\nb: d\nc: d\nd: ret\n")
    assert [block.name for block in result.blocks][0] == "a"
    assert "merge" in result.text


def test_targets_and_options_change_the_result() -> None:
    assert "wgsl" in trellis.targets() and "loop-exits" in trellis.stages()
    # The exits of the loop meet at two places.
    graph = {"a": ["b", "x"], "b": ["c", "y"], "c": ["a", "z"], "x": ["y"], "y": ["z"], "z": []}
    spirv = trellis.structurize(graph, {"stages": {name: False for name in trellis.stages()}})
    wasm = trellis.structurize(graph, target="wasm")
    assert spirv.text != wasm.text and wasm.counters["selectors"] == 0
    assert trellis.structurize(graph).counters != spirv.counters
    single = trellis.structurize(NESTED, {"single_return": True})
    ends = [node.kind for root in single.tree for node in root.walk()]
    assert ends.count("return") == 1
    for options in ({"target": "cobol"}, {"stages.no-stage": False}, {"x": 1}, {"weights": 3}, 3):
        with pytest.raises(trellis.OptionError):
            trellis.structurize(NESTED, options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "graph",
    [
        {},
        {"a": "b"},
        {"a": 3},
        {"a": {1: "b"}},
        {"a": {True: "b"}},
        {"a": {True: "b", 2: "c"}},
        {"a": {"default": "b", -1: "c"}},
        {"a": {"default": "b", 1 << 64: "c"}},
        {"a": {"default": "b", "x": "c"}},
        {"a": Block(end="jump")},
        {"a": Block(5)},  # type: ignore[arg-type]
        {"a": Block("bc")},
        {"a": Block(code=5)},  # type: ignore[arg-type]
        {"a": Block(code=["\ud800"])},
        {"a": Block(name="\ud800")},
        {"a": Block(["b", "c"], condition="\ud800")},
        {"\ud800": []},
        {"a": [["b"]]},
        {"a": {True: ["b"], False: "c"}},
        "a\ud800: ret",
        networkx.Graph([("a", "b")]),
        networkx.DiGraph(),
        "a: b",
        "",
        None,
        3,
    ],
)
def test_what_is_not_a_graph_is_an_error(graph: Any) -> None:
    with pytest.raises(trellis.GraphError) as caught:
        trellis.structurize(graph)
    assert caught.value.kind == "graph"


def test_a_structure_can_be_sent_to_another_process() -> None:
    graph = {"a": Block(["b", "c"], condition="x", code="one\ntwo"), "b": ["a"], "c": []}
    for result in (
        trellis.structurize(graph, {"single_return": True}, target="wgsl", name="graph"),
        trellis.structurize("a: b c\nb: d\nc: d\nd: ret\n", name="text"),
    ):
        same = pickle.loads(pickle.dumps(result))
        assert same.name == result.name and same.text == result.text
        assert same.remarks == result.remarks and same.page() == result.page()
        assert copy.deepcopy(result) is result and copy.copy(result) is result


def test_code_may_be_one_text() -> None:
    result = trellis.structurize({"a": Block(code="one\ntwo")})
    assert result.pseudo_code(instructions=True) == "// b0 (a)\none\ntwo\nreturn\n"


def test_texts_that_are_not_unicode_are_errors() -> None:
    with pytest.raises(trellis.GraphError, match="the name of the graph"):
        trellis.structurize(NESTED, name="\ud800")
    with pytest.raises(trellis.GraphError, match="title"):
        trellis.structurize(NESTED).page("\ud800")


def test_the_entry_is_a_block() -> None:
    with pytest.raises(trellis.GraphError, match="entry"):
        trellis.structurize(NESTED, entry=["outer"])  # type: ignore[arg-type]
    with pytest.raises(trellis.GraphError, match="entry"):
        trellis.structurize(NESTED, entry="nowhere")
    with pytest.raises(trellis.GraphError, match="entry"):
        trellis.structurize("a: ret", entry="a")


def test_random_graphs_keep_their_blocks() -> None:
    rng = random.Random(1)
    for _ in range(300):
        count = rng.randrange(1, 12)
        graph = {
            node: [rng.randrange(count) for _ in range(rng.choice((0, 1, 2, 2, 2, 4)))]
            for node in range(count)
        }
        result = trellis.structurize(graph)
        reached = {str(node) for node in networkx.descendants(networkx.DiGraph(graph), 0) | {0}}
        kept = {block.name for block in result.blocks if not block.inserted}
        # Each block of the input has code, so that none is removed; copies are new blocks.
        assert kept == reached
        kinds = {node.kind for root in result.tree for node in root.walk()}
        assert "goto" not in kinds


def test_pictures_are_svg() -> None:
    result = trellis.structurize(NESTED, name="nested")
    for svg in [result.svg(), *(result.svg(stage) for stage in result.stages)]:
        assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
    assert result._repr_svg_() == result.svg()
    assert "found" in result.svg("input")
    assert result.dot().startswith("digraph") and result.dot("input") != result.dot()
    page = result.page()
    assert "<title>nested" in page
    with pytest.raises(trellis.GraphError, match="input"):
        result.svg("nothing")
    html = result._repr_html_()
    assert "<svg" in html and "loop {" in html and repr(result).startswith("<trellis.Structure `nested`")


def test_names_are_escaped() -> None:
    name = "<script>&\n\0\u202e'\""
    result = trellis.structurize({name: Block(["b", "c"], condition=name, code=[name])}, name=name)
    assert "<script>" not in result._repr_html_()
    ElementTree.fromstring(result.svg())
    assert "\n\0" not in result.pseudo_code(instructions=True)


def test_a_graph_that_is_too_large_to_draw_has_code() -> None:
    chain = {number: [number + 1, 5000] for number in range(5000)}
    result = trellis.structurize(chain)
    assert result._repr_svg_() is None
    assert "too large" in result._repr_html_()
    with pytest.raises(trellis.GraphError, match="too large"):
        result.svg()
