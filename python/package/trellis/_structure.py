"""The structurizer on graphs of Python's, and its results."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Hashable,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Union,
)

from . import _native
from ._arguments import _is_unicode
from ._errors import GraphError, _graph_error, _option_error
from ._options import _nested, _to_json

if TYPE_CHECKING:
    import networkx

#: How an exit of a graph ends.
_ENDS = ("return", "kill", "unreachable")
#: The key of the default case of a switch.
DEFAULT = "default"
#: A block as the native module takes it.
_Spec = Dict[str, Any]


@dataclass(frozen=True)
class Block:
    """A block of a graph, where its successors alone do not say enough.

    ``successors`` is a sequence: none for an exit, one for a branch, two for a branch on a condition (the
    first if it holds), more for a switch (the default first, then the cases 0, 1, ...). Or it is a mapping:
    of ``True`` and ``False``, or of literals and ``"default"``.
    """

    successors: Union[Sequence[Hashable], Mapping[Any, Hashable]] = ()
    #: The condition of the branch at the end, for pseudo-code.
    condition: Optional[str] = None
    #: Lines of code, for pseudo-code; or a text of several lines.
    code: Union[str, Sequence[str]] = ()
    #: The name, if it is not the node itself.
    name: Optional[str] = None
    #: How a block without successors ends: ``return``, ``kill`` or ``unreachable``.
    end: str = "return"
    #: Its result depends on which invocations run it together.
    convergent: bool = False
    #: It has no effect that can be observed.
    pure: bool = False
    #: It does nothing: it may be removed.
    empty: bool = False
    #: All invocations that run it together take the same edge.
    uniform: bool = False


class Remark(NamedTuple):
    """A decision of a stage."""

    #: The stage that decided.
    stage: str
    #: The block that it is about: its name, or its number as ``b7``.
    block: str
    #: The sort of decision, such as ``selector``.
    decision: str
    #: Another block that the decision names.
    other: Optional[str]
    #: A number that the decision has, such as the number of targets of a dispatch.
    number: Optional[int]
    #: Edges of the input that are the reason.
    edges: Tuple[Tuple[str, str], ...]
    #: The decision as a sentence, with numbers of blocks.
    text: str


class StructuredBlock(NamedTuple):
    """A block of the result."""

    #: The number, as pseudo-code and pictures show it after ``b``.
    number: int
    #: The name; the number as ``b7`` for a block that has none.
    name: str
    #: Whether the structurizer inserted it.
    inserted: bool
    #: ``selection`` or ``loop`` for a header.
    header: Optional[str]
    #: The merge block of a header, by name.
    merge: Optional[str]
    #: The continue target of a loop header, by name.
    continue_target: Optional[str]
    #: The successors, by name.
    successors: Tuple[str, ...]


@dataclass(eq=False, repr=False)
class Node:
    """A node of the tree of ifs, loops and switches."""

    #: ``block``, ``if``, ``then``, ``else``, ``loop``, ``body``, ``continue-part``, ``switch``,
    #: ``breakable-block``, ``case``, ``break``, ``continue``, ``fall-through``, ``return``, ``kill`` or
    #: ``unreachable``.
    kind: str
    #: The block, the header of an ``if``, a loop or a switch, or the exited or continued construct.
    block: Optional[str] = None
    #: The condition of an ``if``, the value of a ``switch``, or the hint of a ``loop``.
    condition: Optional[str] = None
    #: The literals of a ``case``.
    literals: Tuple[int, ...] = ()
    #: Whether a ``case`` is the default one, too.
    default: bool = False
    children: List[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        """Return this node and all nodes below it, in preorder. Does not recurse."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))

    def __repr__(self) -> str:
        about = "" if self.block is None else f" {self.block}"
        return f"<trellis.Node {self.kind}{about}, {len(self.children)} children>"


class _Origin(NamedTuple):
    """The parts of a structure, for another process: a function, its arguments, and a number."""

    make: Callable[..., Sequence[_native.Trace]]
    arguments: Tuple[Any, ...]
    number: int


def _restore(origin: _Origin) -> Structure:
    """Structurize again."""
    return Structure(origin.make(*origin.arguments)[origin.number], origin)


class Structure:
    """A structured function: its tree, pseudo-code, remarks and pictures.

    Another process gets the input, and structurizes it again.
    """

    def __init__(self, trace: _native.Trace, origin: _Origin) -> None:
        self._trace = trace
        self._origin = origin
        self._names: Dict[int, str] = {}

    def _name(self, block: int) -> str:
        name = self._names.get(block)
        if name is None:
            name = self._trace.block_name(block) or f"b{block}"
            self._names[block] = name
        return name

    def _names_of(self, blocks: Iterable[int]) -> Tuple[str, ...]:
        return tuple(self._name(block) for block in blocks)

    @property
    def name(self) -> str:
        """The function's name; empty for a graph without one."""
        return self._trace.name

    @property
    def blocks(self) -> List[StructuredBlock]:
        """The blocks of the result, in an order that SPIR-V accepts."""

        def named(block: Optional[int]) -> Optional[str]:
            return None if block is None else self._name(block)

        return [
            StructuredBlock(
                number,
                self._name(number),
                inserted,
                header,
                named(merge),
                named(continue_target),
                self._names_of(successors),
            )
            for number, _, inserted, header, merge, continue_target, successors in self._trace.blocks()
        ]

    @property
    def tree(self) -> List[Node]:
        """The result as nested nodes."""
        roots: List[Node] = []
        # The ends of the subtrees that are open, and their lists of children.
        open_nodes: List[Tuple[int, List[Node]]] = []
        for index, row in enumerate(self._trace.nodes()):
            kind, end, block, condition, literals, default = row
            while open_nodes and open_nodes[-1][0] <= index:
                open_nodes.pop()
            name = None if block is None else self._name(block)
            node = Node(kind, name, condition, tuple(literals), default)
            (open_nodes[-1][1] if open_nodes else roots).append(node)
            open_nodes.append((end, node.children))
        return roots

    @property
    def remarks(self) -> List[Remark]:
        """The decisions of each stage, with reasons."""
        return [
            Remark(
                stage,
                self._name(block),
                decision,
                None if other is None else self._name(other),
                count,
                tuple((self._name(a), self._name(b)) for a, b in edges),
                text,
            )
            for stage, block, decision, other, count, edges, text in self._trace.remarks()
        ]

    @property
    def counters(self) -> Dict[str, int]:
        """Counters of the structurizer."""
        return dict(self._trace.counters())

    @property
    def stages(self) -> List[str]:
        """The stages that changed the graph, after ``input``; the last one is the result."""
        return self._trace.stages()

    @property
    def text(self) -> str:
        """The structured function in the text form of ``trellis structurize``."""
        return self._trace.text()

    def pseudo_code(self, *, instructions: bool = False) -> str:
        """Return the result as ifs, loops and switches, with the code of blocks if it is asked for."""
        return self._trace.pseudo_code(instructions)

    def svg(self, stage: Optional[str] = None) -> str:
        """Draw the graph after a stage (the last one of that name), or the input next to the result."""
        return self._trace.before_after() if stage is None else self._trace.svg(self._index(stage))

    def dot(self, stage: Optional[str] = None) -> str:
        """Return the graph after a stage, or the result, in the language of Graphviz."""
        last = len(self._trace.stages()) - 1
        return self._trace.dot(last if stage is None else self._index(stage))

    def page(self, title: Optional[str] = None) -> str:
        """Return a page of HTML that steps through the stages."""
        return self._trace.page(_unicode("the title", title or self.name or "graph"))

    def _index(self, stage: str) -> int:
        stages = self._trace.stages()
        if stage not in stages:
            raise _graph_error(f"`{stage}` is not one of the stages: {', '.join(stages)}")
        return len(stages) - 1 - stages[::-1].index(stage)

    def to_networkx(self) -> networkx.DiGraph:
        """Return the result as a graph of NetworkX, whose nodes have the fields of its blocks."""
        import networkx

        graph = networkx.DiGraph(name=self.name)
        blocks = self.blocks
        for block in blocks:
            fields = block._asdict()
            del fields["name"], fields["successors"]
            graph.add_node(block.name, **fields)
        for block in blocks:
            graph.add_edges_from((block.name, to) for to in block.successors)
        return graph

    def __reduce__(self) -> Tuple[Any, ...]:
        return _restore, (self._origin,)

    # It does not change, so that it is its own copy.
    def __copy__(self) -> Structure:
        return self

    def __deepcopy__(self, memo: Dict[int, Any]) -> Structure:
        return self

    def __str__(self) -> str:
        return self.pseudo_code()

    def __repr__(self) -> str:
        counters = self.counters
        what = ", ".join(f"{count} {name}" for name, count in counters.items() if count)
        name = f" `{self.name}`" if self.name else ""
        return f"<trellis.Structure{name}: {what or 'nothing inserted'}>"

    def _repr_svg_(self) -> Optional[str]:
        try:
            return self.svg()
        except GraphError:
            # The graph is too large to draw.
            return None

    def _repr_html_(self) -> str:
        svg = self._repr_svg_()
        picture = f"<div>{svg}</div>" if svg else "<p>The graph is too large to draw.</p>"
        code = f"<pre>{escape(self.pseudo_code())}</pre>"
        items = "".join(
            f"<li>{escape(remark.stage)}: {escape(remark.block)}: {escape(remark.text)}</li>"
            for remark in self.remarks
        )
        remarks = f"<details><summary>remarks</summary><ol>{items}</ol></details>" if items else ""
        return f"{picture}{code}{remarks}"


def stages() -> Dict[str, str]:
    """Return the optional stages of the structurizer, with their descriptions."""
    return dict(_native.stages())


def targets() -> List[str]:
    """Return the languages for which graphs can be structurized."""
    return _native.targets()


def structurize(
    graph: Union[str, Mapping[Any, Any], networkx.DiGraph],
    options: Optional[Mapping[str, Any]] = None,
    *,
    entry: Optional[Hashable] = None,
    target: Optional[str] = None,
    name: str = "",
) -> Structure:
    """Structurize a control-flow graph.

    ``graph`` is one of:

    - a mapping of each block to its successors, or to a :class:`Block`; the first block is the entry;
    - a directed graph of NetworkX; the entry is its attribute ``entry``, or the only node without
      predecessors, or its first node. Nodes may have the attributes of :class:`Block`; the edges of a node
      may have a ``case``: ``True``, ``False``, a number or ``"default"``;
    - a text in the form of ``trellis structurize``.

    A block that is a successor only is an exit. ``options`` are ``stages``, ``max_break_path``,
    ``max_continue_switches`` and ``single_return``; ``target`` is the language of the result:
    :func:`targets`.
    """
    if options is not None and not isinstance(options, Mapping):
        raise _option_error(f"options must be a mapping, not {type(options).__name__}")
    given = _nested(options or {})
    if target is not None:
        given["target"] = target
    json = _to_json(given)
    name = _unicode("the name of the graph", name)
    if isinstance(graph, str):
        if entry is not None:
            raise _graph_error("the entry of a text is its first block")
        return _restore(_Origin(_of_text, (name, _unicode("the graph", graph), json), 0))
    if isinstance(graph, Mapping):
        blocks = _of_mapping(graph)
        first = next(iter(blocks), None) if entry is None else entry
    elif hasattr(graph, "out_edges") and hasattr(graph, "nodes"):
        blocks = _of_networkx(graph)
        first = _networkx_entry(graph) if entry is None else entry
    else:
        kind = type(graph).__name__
        raise _graph_error(f"a graph is a mapping, a directed graph of NetworkX or a text, not {kind}")
    return _restore(_Origin(_of_specs, (name, _specs(blocks, first), json), 0))


def _of_text(name: str, text: str, json: str) -> Sequence[_native.Trace]:
    return [_native.structurize_text(name, text, json)]


def _of_specs(name: str, specs: List[_Spec], json: str) -> Sequence[_native.Trace]:
    return [_native.structurize(name, specs, json)]


def _unicode(what: str, text: object) -> str:
    """Return a text that the native module accepts."""
    text = str(text)
    if not _is_unicode(text):
        raise _graph_error(f"{what} is not Unicode: {text!r}")
    return text


def _of_mapping(graph: Mapping[Any, Any]) -> Dict[Hashable, Block]:
    return {
        node: value if isinstance(value, Block) else Block(_successors(node, value))
        for node, value in graph.items()
    }


#: The attributes of a node that are fields of its block.
_ATTRIBUTES = tuple(name for name in Block.__dataclass_fields__ if name != "successors")


def _of_networkx(graph: Any) -> Dict[Hashable, Block]:
    blocks = {}
    for node, attributes in graph.nodes(data=True):
        edges = [(to, data.get("case")) for _, to, data in graph.out_edges(node, data=True)]
        successors: Any = tuple(to for to, _ in edges)
        if any(case is not None for _, case in edges):
            successors = {case: to for to, case in edges}
            if len(successors) < len(edges) or None in successors:
                raise _graph_error(f"block {node!r}: each edge needs its own case, or none has one")
        fields = {name: attributes[name] for name in _ATTRIBUTES if name in attributes}
        blocks[node] = Block(successors, **fields)
    return blocks


def _networkx_entry(graph: Any) -> Optional[Hashable]:
    if "entry" in graph.graph:
        entry: Hashable = graph.graph["entry"]
        return entry
    sources: List[Hashable] = [node for node, degree in graph.in_degree() if degree == 0]
    return sources[0] if len(sources) == 1 else next(iter(graph.nodes), None)


def _specs(blocks: Dict[Hashable, Block], entry: Optional[Hashable]) -> List[_Spec]:
    """Return blocks as the native module takes them: numbered, the entry first."""
    if not blocks:
        raise _graph_error("the graph has no block")
    _check_node("the entry", entry)
    if entry not in blocks:
        raise _graph_error(f"the entry {entry!r} is not a block of the graph")
    edges = {node: _edges(node, block) for node, block in blocks.items()}
    order: Dict[Hashable, int] = {entry: 0}
    for node in blocks:
        order.setdefault(node, len(order))
    for node, (_, targets_of, _) in edges.items():
        for to in targets_of:
            _check_node(f"block {node!r}: the successor", to)
            order.setdefault(to, len(order))
    exit_block = Block()
    specs = []
    for node in order:
        block = blocks.get(node, exit_block)
        end, targets_of, literals = edges.get(node, ("return", (), ()))
        flags = ("convergent", "pure", "empty", "uniform")
        specs.append(
            {
                "name": _unicode("a name", node if block.name is None else block.name),
                "condition": None
                if block.condition is None
                else _unicode(f"block {node!r}: the condition", block.condition),
                "code": _lines(node, block.code),
                "flags": [flag for flag in flags if getattr(block, flag)],
                "end": end,
                "targets": [order[to] for to in targets_of],
                "literals": list(literals),
            }
        )
    return specs


def _check_node(what: str, node: object) -> None:
    try:
        hash(node)
    except TypeError:
        raise _graph_error(f"{what} cannot be a node, as it has no hash: {node!r}") from None


def _lines(node: Hashable, code: object) -> List[str]:
    """Return the lines of a block's code, which may be one text."""
    if isinstance(code, str):
        code = code.splitlines()
    if not isinstance(code, Iterable):
        raise _graph_error(f"block {node!r}: {code!r} is not a list of lines of code")
    return [_unicode(f"block {node!r}: a line of code", line) for line in code]


def _successors(node: Hashable, value: object) -> Union[Tuple[Any, ...], Mapping[Any, Any]]:
    if isinstance(value, Mapping):
        return value
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise _graph_error(f"block {node!r}: {value!r} is not a list of successors")
    return tuple(value)


def _edges(node: Hashable, block: Block) -> Tuple[str, Sequence[Hashable], Sequence[int]]:
    """Return how a block ends, the targets, and the literals of a switch."""
    successors = _successors(node, block.successors)
    if not successors:
        if block.end not in _ENDS:
            raise _graph_error(f"block {node!r}: `{block.end}` is not one of {', '.join(_ENDS)}")
        return block.end, (), ()
    if not isinstance(successors, Mapping):
        kind = {1: "branch", 2: "if"}.get(len(successors), "switch")
        count = len(successors) - 1 if kind == "switch" else 0
        return kind, successors, range(count)
    cases = dict(successors)
    if any(isinstance(case, bool) for case in cases):
        if len(cases) != 2 or not all(isinstance(case, bool) for case in cases):
            raise _graph_error(f"block {node!r}: a condition has the cases True and False")
        return "if", (cases[True], cases[False]), ()
    if DEFAULT not in cases:
        raise _graph_error(f"block {node!r}: a switch needs the case {DEFAULT!r}")
    default = cases.pop(DEFAULT)
    for case in cases:
        if not isinstance(case, int) or not 0 <= case < 1 << 64:
            raise _graph_error(f"block {node!r}: {case!r} is not an integer of 64 bits")
    return "switch", (default, *cases.values()), tuple(cases)
