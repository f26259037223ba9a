//! A structured function as a tree: sequences, ifs, loops and switches, read off the merge
//! instructions, and printed as pseudo-code.
//!
//! The tree is a list of nodes in preorder, each with the index at which its subtree ends, so
//! neither building, walking, printing nor dropping one needs a stack as deep as the nesting.

mod build;
mod print;

use alloc::vec::Vec;

use trellis_entity::SecondaryMap;

use crate::ir::{Block, LoopHint, SelectorOp, Terminator, Value};
use crate::result::{Merge, Structured};

pub use print::{Names, Pretty};

/// A structured function as a tree. See [`Tree::of`].
///
/// `Display` prints pseudo-code without the instructions; [`Tree::with_instructions`] prints them
/// too. A `switch` ends at the end of a case unless the case has `(falls through)`; a `block` is a
/// switch with a default case only, for the breaks inside; after `//` are the blocks of the
/// structured function. [`Pretty`] has more to choose.
#[derive(Clone, Debug)]
pub struct Tree<'a> {
    structured: &'a Structured,
    nodes: Vec<Node>,
    literals: Vec<u64>,
    /// Whether a header's construct has a label: see [`Tree::label`].
    labels: SecondaryMap<Block, bool>,
}

/// A node of a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// Kind of the node.
    pub kind: Kind,
    /// The index after its subtree, which is its next sibling's if it has one.
    pub end: u32,
}

/// Kind of a [`Node`]. The children of a sequence run one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The phis and instructions of a block.
    Block(Block),
    /// A selection. Its children are a [`Kind::Then`] and perhaps a [`Kind::Else`].
    If {
        /// The block that branches.
        header: Block,
        /// When the first child runs.
        condition: Condition,
    },
    /// Of an `If`: the sequence that runs where the condition holds.
    Then,
    /// Of an `If`: the sequence that runs where the condition does not hold.
    Else,
    /// A loop, endless except for breaks. Its children are a [`Kind::Body`] and, unless the loop is
    /// one block, a [`Kind::ContinuePart`].
    Loop {
        /// The loop header, the first block of the body.
        header: Block,
        /// The hint in the source.
        hint: LoopHint,
    },
    /// Of a `Loop`: the sequence from the header on.
    Body,
    /// Of a `Loop`: the sequence that runs after the body and after each `continue`.
    ContinuePart,
    /// A switch. Its children are [`Kind::Case`]s.
    Switch {
        /// The block that switches.
        header: Block,
        /// Value that the switch tests.
        value: Value,
    },
    /// Of a `Switch`: the sequence for some literals. See [`Tree::literals`].
    Case {
        /// The block that the case starts with; the merge block for a case that does nothing.
        target: Block,
        /// True if it is also the default case.
        default: bool,
        /// The literals, a range of the tree's pool.
        literals: (u32, u32),
    },
    /// Breaks out of the loop or switch with this header; for a target with
    /// [multi-level exits](crate::Target::multi_level) out of any construct around, also the `If`
    /// with this header, if it does not head a loop.
    Break(Block),
    /// Continues the loop with this header: the innermost one, but for such a target.
    Continue(Block),
    /// Falls through to the case of the innermost switch that starts with this block.
    FallThrough(Block),
    /// Returns from the function.
    Return(Option<Value>),
    /// Terminates the invocation.
    Kill,
    /// Terminates the invocation in the client's way with this payload.
    Exit(u32),
    /// Control never reaches this.
    Unreachable,
    /// A branch that the merge instructions do not explain. Never in a tree of a function that
    /// [`verify`](crate::verify::verify) accepts and [`structurize`](crate::structurize) made.
    Goto(Block),
}

/// When an [`Kind::If`] runs its first child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// The test.
    pub test: TestOf,
    /// True if the first child runs when the test fails.
    pub negated: bool,
}

/// The test of a [`Condition`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestOf {
    /// A boolean is true.
    Value(Value),
    /// A comparison of a selector with a constant.
    Selector {
        /// The selector.
        selector: Value,
        /// The comparison.
        op: SelectorOp,
        /// The right-hand side.
        constant: u32,
    },
}

impl<'a> Tree<'a> {
    /// Returns the tree of a structured function, from its merge instructions, terminators and
    /// block order.
    ///
    /// Total: a function that does not verify gives a tree with [`Kind::Goto`]s. Each block of the
    /// order is in the tree once. Linear, but for sorting the cases of each switch.
    pub fn of(structured: &'a Structured) -> Tree<'a> {
        build::build(structured)
    }

    /// Returns the nodes in preorder. The root's children are a sequence; the root is not a node.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns the children of the node with this index, by index; none after the last node.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes.get(node).map_or(0, |node| node.end as usize);
        let mut next = node + 1;
        core::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.nodes.get(child)?.end as usize;
            Some(child)
        })
    }

    /// Returns the header of a loop, a switch or an `If` that needs a label, since a break of it does
    /// not leave the innermost loop or switch, or a continue of it does not continue the innermost
    /// loop. A [breakable block](Self::is_breakable_block) counts as neither, so each break of one
    /// has a label. None for nodes that need no label.
    pub fn label(&self, node: usize) -> Option<Block> {
        match self.nodes.get(node)?.kind {
            Kind::Loop { header, .. } | Kind::Switch { header, .. } => Some(header),
            // A loop header's test is not a separate construct.
            Kind::If { header, .. } => Some(header).filter(|&header| {
                matches!(self.structured.merges[header], Merge::Selection { .. })
            }),
            _ => None,
        }
        .filter(|&header| self.labels[header])
    }

    /// Returns whether a node is a breakable block: a switch with a default case only, which is
    /// there for the breaks inside. False for other nodes.
    pub fn is_breakable_block(&self, node: usize) -> bool {
        let is_switch = |node: &Node| matches!(node.kind, Kind::Switch { .. });
        self.nodes.get(node).is_some_and(is_switch)
            && {
                let mut cases = self.children(node).map(|case| self.nodes[case].kind);
                matches!(cases.next(), Some(Kind::Case { default: true, literals: (start, end), .. }) if start == end)
                    && cases.next().is_none()
            }
    }

    /// Finds the constructs that need a label. Linear.
    fn find_labels(&mut self) {
        // Loops around, and loops and switches, with the ends of their subtrees.
        let mut loops: Vec<(u32, Block)> = Vec::new();
        let mut around: Vec<(u32, Block)> = Vec::new();
        for index in 0..self.nodes.len() {
            let Node { kind, end } = self.nodes[index];
            let is_over = |last: &mut (u32, Block)| last.0 as usize <= index;
            while loops
                .pop_if(is_over)
                .or_else(|| around.pop_if(is_over))
                .is_some()
            {}
            let innermost = |list: &[(u32, Block)]| list.last().map(|last| last.1);
            match kind {
                Kind::Loop { header, .. } => {
                    loops.push((end, header));
                    around.push((end, header));
                }
                Kind::Switch { header, .. } if !self.is_breakable_block(index) => {
                    around.push((end, header));
                }
                Kind::Break(header) if innermost(&around) != Some(header) => {
                    self.labels[header] = true;
                }
                Kind::Continue(header) if innermost(&loops) != Some(header) => {
                    self.labels[header] = true;
                }
                _ => {}
            }
        }
    }

    /// Returns the literals of a [`Kind::Case`], in the order of the switch; none for other nodes.
    pub fn literals(&self, kind: Kind) -> &[u64] {
        match kind {
            Kind::Case {
                literals: (start, end),
                ..
            } => self
                .literals
                .get(start as usize..end as usize)
                .unwrap_or(&[]),
            _ => &[],
        }
    }

    /// Returns the blocks to which the branch of an [`Kind::If`] leads: the target if its first
    /// child runs, and the target if not. None for other nodes.
    pub fn arms(&self, kind: Kind) -> Option<(Block, Block)> {
        let Kind::If { header, condition } = kind else {
            return None;
        };
        match self.structured.func.terminator(header)? {
            Terminator::CondBranch { then, else_, .. } if condition.negated => Some((else_, then)),
            Terminator::CondBranch { then, else_, .. } => Some((then, else_)),
            _ => None,
        }
    }

    /// Returns the blocks in the order in which the pseudo-code shows them.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        self.nodes.iter().filter_map(|node| match node.kind {
            Kind::Block(block) => Some(block),
            _ => None,
        })
    }

    /// Returns the pseudo-code with phis and instructions.
    pub fn with_instructions(&self) -> Pretty<'_> {
        Pretty::of(self).instructions(true)
    }
}
