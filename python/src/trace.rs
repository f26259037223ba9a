//! A structured function and how it came about, for `trellis.Structure`.

use pyo3::prelude::*;
use trellis_explorer::page::of_answer;
use trellis_explorer::{Answer, FunctionView};
use trellis_structurizer::ir::{Block, LoopHint, SelectorOp, Value};
use trellis_structurizer::text::print_structured;
use trellis_structurizer::tree::{Kind, Names, Node, Pretty, TestOf};
use trellis_structurizer::{Counters, Merge, Tree};
use trellis_structurizer_view::{Figure, Picture, dot, side_by_side};

use crate::fault::{Fault, GRAPH};
use crate::run::run;

/// A structured function, with the graph after each stage.
#[pyclass(frozen, module = "trellis._native")]
pub(crate) struct Trace {
    name: String,
    trace: trellis_structurizer::Trace,
    names: Box<dyn Names + Send + Sync>,
}

/// A node of a tree: its kind, the index after its subtree, the block that it is about, the condition of
/// an `if` or the value of a `switch`, and of a case its literals and whether it is the default.
type NodeRow = (
    &'static str,
    u32,
    Option<u32>,
    Option<String>,
    Vec<u64>,
    bool,
);

/// A block: its number, its name, whether it was inserted, its merge instruction with the merge block and
/// the continue target, and its successors.
type BlockRow = (
    u32,
    Option<String>,
    bool,
    Option<&'static str>,
    Option<u32>,
    Option<u32>,
    Vec<u32>,
);

/// A remark: stage, block, decision, another block, a number, edges, and the sentence.
type RemarkRow = (
    &'static str,
    u32,
    &'static str,
    Option<u32>,
    Option<u32>,
    Vec<(u32, u32)>,
    String,
);

impl Trace {
    pub(crate) fn new(
        name: String,
        trace: trellis_structurizer::Trace,
        names: Box<dyn Names + Send + Sync>,
    ) -> Self {
        Self { name, trace, names }
    }

    fn value(&self, value: Value) -> String {
        let name = self.names.value(value);
        name.map_or_else(|| value.to_string(), std::borrow::Cow::into_owned)
    }

    fn condition(&self, test: TestOf, negated: bool) -> String {
        match test {
            TestOf::Value(value) => {
                let sign = if negated { "!" } else { "" };
                format!("{sign}{}", self.value(value))
            }
            TestOf::Selector {
                selector,
                op,
                constant,
            } => {
                let sign = match (op, negated) {
                    (SelectorOp::LessEqual, false) => "<=",
                    (SelectorOp::LessEqual, true) => ">",
                    (SelectorOp::Equal, false) => "==",
                    (SelectorOp::Equal, true) => "!=",
                };
                format!("{} {sign} {constant}", self.value(selector))
            }
        }
    }

    fn node(&self, tree: &Tree<'_>, index: usize, node: &Node) -> NodeRow {
        let number = |block: Block| Some(block.as_u32());
        let (name, block, condition) = match node.kind {
            Kind::Block(block) => ("block", number(block), None),
            Kind::If { header, condition } => {
                let text = self.condition(condition.test, condition.negated);
                ("if", number(header), Some(text))
            }
            Kind::Then => ("then", None, None),
            Kind::Else => ("else", None, None),
            Kind::Loop { header, hint } => {
                let hint = match hint {
                    LoopHint::None => None,
                    LoopHint::Unroll => Some("unroll".to_owned()),
                    LoopHint::DontUnroll => Some("loop".to_owned()),
                    LoopHint::UnrollCount(count) => Some(format!("unroll({count})")),
                };
                ("loop", number(header), hint)
            }
            Kind::Body => ("body", None, None),
            Kind::ContinuePart => ("continue-part", None, None),
            Kind::Switch { header, .. } if tree.is_breakable_block(index) => {
                ("breakable-block", number(header), None)
            }
            Kind::Switch { header, value } => ("switch", number(header), Some(self.value(value))),
            Kind::Case { target, .. } => ("case", number(target), None),
            Kind::Break(header) => ("break", number(header), None),
            Kind::Continue(header) => ("continue", number(header), None),
            Kind::FallThrough(to) => ("fall-through", number(to), None),
            Kind::Return(value) => ("return", None, value.map(|value| self.value(value))),
            Kind::Kill | Kind::Exit(_) => ("kill", None, None),
            Kind::Unreachable => ("unreachable", None, None),
            Kind::Goto(to) => ("goto", number(to), None),
        };
        let is_default = matches!(node.kind, Kind::Case { default: true, .. });
        let literals = tree.literals(node.kind).to_vec();
        (name, node.end, block, condition, literals, is_default)
    }

    /// Returns the graph after a stage and its picture.
    fn drawn(&self, index: usize) -> Result<(Figure, Picture), Fault> {
        let figure = self.figure(index)?;
        let picture = Picture::of(&figure).map_err(|e| Fault::new(GRAPH, e.to_string()))?;
        Ok((figure, picture))
    }

    fn figure(&self, index: usize) -> Result<Figure, Fault> {
        let snapshot = self.trace.snapshots.get(index);
        let snapshot = snapshot.ok_or_else(|| Fault::new(GRAPH, "there is no such stage"))?;
        Ok(Figure::with_names(snapshot, &*self.names))
    }
}

#[pymethods]
impl Trace {
    /// The function's name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Returns the pseudo-code.
    fn pseudo_code(&self, py: Python<'_>, instructions: bool) -> PyResult<String> {
        run(py, || {
            let tree = Tree::of(&self.trace.structured);
            let pretty = Pretty::of(&tree).names(&*self.names);
            Ok(pretty.instructions(instructions).to_string())
        })
    }

    /// Returns the structured function in text form.
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        run(py, || Ok(print_structured(&self.trace.structured)))
    }

    /// Returns the nodes of the tree in preorder.
    fn nodes(&self, py: Python<'_>) -> PyResult<Vec<NodeRow>> {
        run(py, || {
            let tree = Tree::of(&self.trace.structured);
            let nodes = tree.nodes().iter().enumerate();
            Ok(nodes.map(|(i, node)| self.node(&tree, i, node)).collect())
        })
    }

    /// Returns the blocks of the result, in their order.
    fn blocks(&self) -> Vec<BlockRow> {
        let structured = &self.trace.structured;
        let func = &structured.func;
        let inputs = func.num_blocks() - structured.report.blocks as usize;
        let row = |&block: &Block| {
            let (kind, merge, target) = match structured.merges[block] {
                Merge::None => (None, None, None),
                Merge::Selection { merge, .. } => (Some("selection"), Some(merge), None),
                Merge::Loop {
                    merge,
                    continue_target,
                    ..
                } => (Some("loop"), Some(merge), Some(continue_target)),
            };
            (
                block.as_u32(),
                self.block_name(block.as_u32()),
                block.as_u32() as usize >= inputs,
                kind,
                merge.map(Block::as_u32),
                target.map(Block::as_u32),
                func.successors(block).map(Block::as_u32).collect(),
            )
        };
        structured.order.iter().map(row).collect()
    }

    /// Returns the name of a block, if it has one.
    fn block_name(&self, block: u32) -> Option<String> {
        // The entity's largest number is reserved.
        let block = (block < u32::MAX).then(|| Block::from_u32(block))?;
        self.names.block(block).map(std::borrow::Cow::into_owned)
    }

    /// Returns the decisions of all stages.
    fn remarks(&self) -> Vec<RemarkRow> {
        let remarks = self.trace.structured.report.remarks.iter();
        let row = |remark: &trellis_structurizer::Remark| {
            let edges = remark.edges.iter();
            (
                remark.stage.name(),
                remark.block.as_u32(),
                remark.decision.name(),
                remark.decision.other_block().map(Block::as_u32),
                remark.decision.count(),
                edges.map(|(a, b)| (a.as_u32(), b.as_u32())).collect(),
                remark.sentence(),
            )
        };
        remarks.map(row).collect()
    }

    /// Returns the counters of the structurizer by name.
    fn counters(&self) -> Vec<(&'static str, u64)> {
        Counters::from(&self.trace.structured.report)
            .named()
            .to_vec()
    }

    /// Returns the stages that changed the graph, after `input`.
    fn stages(&self) -> Vec<&'static str> {
        let snapshots = self.trace.snapshots.iter();
        snapshots
            .map(|snapshot| snapshot.stage.map_or("input", |stage| stage.name()))
            .collect()
    }

    /// Draws the graph after a stage, by its index among them.
    fn svg(&self, py: Python<'_>, index: usize) -> PyResult<String> {
        run(py, || {
            let (figure, picture) = self.drawn(index)?;
            Ok(picture.svg(&figure))
        })
    }

    /// Draws the input and the result next to each other.
    fn before_after(&self, py: Python<'_>) -> PyResult<String> {
        run(py, || {
            let (before, at_first) = self.drawn(0)?;
            let last = self.trace.snapshots.len().saturating_sub(1);
            let (after, at_last) = self.drawn(last)?;
            let parts = [("before", &before, &at_first), ("after", &after, &at_last)];
            Ok(side_by_side(&parts))
        })
    }

    /// Returns the graph after a stage for Graphviz.
    fn dot(&self, py: Python<'_>, index: usize) -> PyResult<String> {
        run(py, || Ok(dot(&self.figure(index)?)))
    }

    /// Returns a page of HTML that steps through the stages.
    fn page(&self, py: Python<'_>, title: &str) -> PyResult<String> {
        run(py, || {
            let view = FunctionView::of(&self.name, 0, &self.trace, &*self.names, |snapshot| {
                Picture::element(snapshot, &*self.names).map_err(|error| error.to_string())
            });
            let answer = Answer {
                functions: vec![view],
                ..Answer::default()
            };
            Ok(of_answer(title, &answer))
        })
    }
}
