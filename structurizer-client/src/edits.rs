//! The result: for each block of the structured graph whatever a client writes or changes there.

use alloc::vec::Vec;

use trellis_entity::SecondaryMap;
use trellis_structurizer::ir::{self, Block, Function, InstKind, SelectorOp, Type, ValueKind};
use trellis_structurizer::{Merge, Report, Structured, Tree};
use trellis_structurizer_analysis::variables::{self, Source, Variables};

use crate::Terminator;
use crate::lower::Lowered;

/// The structured graph: additions to each block that the client's graph may lack.
///
/// A client that writes code walks [`blocks`](Self::blocks) or the [tree](Self::tree). One that changes
/// its graph in place adds the new blocks, and then changes the blocks in the order of the list; the
/// order does not matter otherwise, as no edit depends on another one.
#[derive(Clone, Debug)]
pub struct Edits {
    /// The blocks of the result, the entry first, in an order that SPIR-V accepts. Blocks of the client's that are not
    /// in it are removed: the entry does not reach them, or they are empty.
    pub blocks: Vec<BlockEdit>,
    /// The types of the [new values](Value::New), by number: phis, or without SSA variables. Selectors
    /// have the type [`Type::SELECTOR`].
    pub new_values: Vec<Type>,
    /// Position in `blocks` of each block.
    positions: SecondaryMap<Block, Option<u32>>,
    structured: Structured,
}

/// A block of the result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockEdit {
    /// The block.
    pub block: Block,
    /// Whether it is inserted: it has no instructions of the client's.
    pub is_new: bool,
    /// All phis of the block, the client's and new ones. Empty without SSA.
    pub phis: Vec<Phi>,
    /// The values of the client's that the instructions of this block read no more, each with the value
    /// in its place. Empty without SSA.
    pub replaced: Vec<(u32, Value)>,
    /// Assignments to variables at the end of the block, before the terminator, in this order. Empty
    /// in SSA form.
    pub assignments: Vec<Assignment>,
    /// Assignments to variables on the edges of a [`Terminator::Branch`], if the condition is true and
    /// if it is false. The branch evaluates its condition before them.
    pub on_edges: [Vec<Assignment>; 2],
    /// Merge instruction.
    pub merge: Merge,
    /// Terminator.
    pub terminator: Terminator<Value>,
}

/// A phi.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phi {
    /// The value that it defines: one of the client's phis, perhaps of another block, or a new value.
    pub value: Value,
    /// Its type.
    pub ty: Type,
    /// One operand per predecessor.
    pub operands: Vec<(Block, Value)>,
}

/// An assignment to a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// The number of the variable.
    pub to: u32,
    /// The value that it gets.
    pub value: Value,
}

/// A value of the result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// A value of the client's.
    Client(u32),
    /// A new value: a phi, or without SSA a variable. Numbers are the indices of
    /// [`Edits::new_values`].
    New(u32),
    /// A constant for a selector: an unsigned integer of 32 bits.
    Selector(u32),
    /// A boolean constant, of the type of the client's conditions.
    Bool(bool),
    /// A comparison of a selector with a constant, unsigned. Only as the condition of a
    /// [`Terminator::Branch`].
    Test {
        /// The number of the new value on the left-hand side.
        selector: u32,
        /// The comparison.
        op: SelectorOp,
        /// The right-hand side.
        constant: u32,
    },
    /// Any value of a type: nothing depends on it.
    Undef(Type),
}

impl Edits {
    /// Returns a block of the result; none if it is not in it.
    pub fn block(&self, block: Block) -> Option<&BlockEdit> {
        let position = self.positions.get(block).copied().flatten();
        position.and_then(|position| self.blocks.get(position as usize))
    }

    /// Returns the result as nested lists. Its conditions and values are the structurizer's: a
    /// client reads them from the header's [terminator](BlockEdit::terminator), which the tree
    /// negates if the condition is negated.
    pub fn tree(&self) -> Tree<'_> {
        Tree::of(&self.structured)
    }

    /// Returns statistics and remarks.
    pub fn report(&self) -> &Report {
        &self.structured.report
    }
}

/// Returns the result for a graph whose code is in variables.
pub(crate) fn with_variables(lowered: Lowered, structured: Structured) -> Edits {
    let variables = Variables::of(&structured);
    let mut maker = Maker::new(&lowered, &structured.func);
    for variable in variables.all() {
        maker.new_values.push(variables.ty(variable));
    }
    for value in structured.func.values() {
        if let Some(variable) = variables.variable(value) {
            maker.numbers[value] = Some(variable.as_u32());
        }
    }
    let mut blocks = maker.blocks(&structured);
    for edit in &mut blocks {
        edit.phis.clear();
        edit.assignments = maker.assignments(variables.at_end(edit.block));
        if let Terminator::Branch { then, else_, .. } = edit.terminator {
            edit.on_edges =
                [then, else_].map(|to| maker.assignments(variables.on_edge(edit.block, to)));
        }
    }
    let new_values = maker.new_values;
    Edits::new(blocks, new_values, structured)
}

/// Returns the result for a graph in SSA form.
pub(crate) fn with_phis(lowered: Lowered, structured: Structured) -> Edits {
    let mut maker = Maker::new(&lowered, &structured.func);
    let phis = structured
        .order
        .iter()
        .flat_map(|&b| structured.func.phis(b));
    for phi in phis.filter(|&phi| lowered.ids.get(phi).is_none()) {
        maker.numbers[phi] = Some(maker.new_values.len() as u32);
        maker.new_values.push(structured.func.value_type(phi));
    }
    let blocks = maker.blocks(&structured);
    let new_values = maker.new_values;
    Edits::new(blocks, new_values, structured)
}

impl Edits {
    fn new(blocks: Vec<BlockEdit>, new_values: Vec<Type>, structured: Structured) -> Self {
        let mut positions = SecondaryMap::new();
        for (position, edit) in blocks.iter().enumerate() {
            positions[edit.block] = Some(position as u32);
        }
        Self {
            blocks,
            new_values,
            positions,
            structured,
        }
    }
}

/// Translates parts of the structurizer's function.
struct Maker<'a> {
    lowered: &'a Lowered,
    func: &'a Function,
    /// The number of each new value.
    numbers: SecondaryMap<ir::Value, Option<u32>>,
    new_values: Vec<Type>,
}

impl<'a> Maker<'a> {
    fn new(lowered: &'a Lowered, func: &'a Function) -> Self {
        Self {
            lowered,
            func,
            numbers: SecondaryMap::new(),
            new_values: Vec::new(),
        }
    }

    fn blocks(&self, structured: &Structured) -> Vec<BlockEdit> {
        let edit = |&block: &Block| BlockEdit {
            block,
            is_new: block.as_u32() as usize >= self.lowered.num_blocks,
            phis: self.func.phis(block).map(|phi| self.phi(phi)).collect(),
            replaced: self.replaced(block),
            assignments: Vec::new(),
            on_edges: [Vec::new(), Vec::new()],
            merge: structured.merges[block],
            terminator: self.terminator(block),
        };
        structured.order.iter().map(edit).collect()
    }

    fn phi(&self, phi: ir::Value) -> Phi {
        let operands = self.func.phi_operands(phi);
        Phi {
            value: self.value(phi),
            ty: self.func.value_type(phi),
            operands: operands.map(|o| (o.pred, self.value(o.value))).collect(),
        }
    }

    /// Returns the client's values that the instructions of a block no longer use, with their
    /// replacements.
    fn replaced(&self, block: Block) -> Vec<(u32, Value)> {
        let is_client = |&inst: &ir::Inst| self.func.payload(inst).is_some();
        let inst = self.func.insts(block).find(is_client);
        let now = inst.map_or(&[][..], |inst| self.func.uses(inst));
        let before = self.lowered.uses.get(block).map_or(&[][..], Vec::as_slice);
        let pairs = before.iter().zip(now).filter(|(before, now)| before != now);
        let id = |value: ir::Value| self.lowered.ids.get(value).copied();
        pairs
            .filter_map(|(&before, &now)| Some((id(before)?, self.value(now))))
            .collect()
    }

    fn value(&self, value: ir::Value) -> Value {
        if let Some(number) = self.numbers[value] {
            return Value::New(number);
        }
        if let Some(&id) = self.lowered.ids.get(value) {
            return Value::Client(id);
        }
        match self.func.value_kind(value) {
            ValueKind::SelectorConstant(number) => Value::Selector(number),
            ValueKind::BoolConstant(is_true) => Value::Bool(is_true),
            ValueKind::Result { inst, .. } => self.test(inst),
            ValueKind::Constant { .. } | ValueKind::Undef | ValueKind::Phi(_) => {
                Value::Undef(self.func.value_type(value))
            }
        }
    }

    /// Returns the value of a selector test.
    fn test(&self, inst: ir::Inst) -> Value {
        let selector = self.func.uses(inst).first().map(|&value| self.value(value));
        match (self.func.inst_kind(inst), selector) {
            (InstKind::SelectorTest { op, constant }, Some(Value::New(selector))) => Value::Test {
                selector,
                op,
                constant,
            },
            (InstKind::SelectorTest { op, constant }, Some(Value::Selector(number))) => {
                Value::Bool(match op {
                    SelectorOp::LessEqual => number <= constant,
                    SelectorOp::Equal => number == constant,
                })
            }
            // There are no selects, and each instruction of the client's has a number.
            _ => Value::Undef(Type::BOOL),
        }
    }

    fn terminator(&self, block: Block) -> Terminator<Value> {
        match self.func.terminator(block) {
            Some(ir::Terminator::Branch(to) | ir::Terminator::BreakBranch { target: to, .. }) => {
                Terminator::Goto(to)
            }
            Some(ir::Terminator::CondBranch {
                cond, then, else_, ..
            }) => Terminator::Branch {
                condition: self.value(cond),
                then,
                else_,
            },
            Some(ir::Terminator::Switch {
                value,
                default,
                cases,
                ..
            }) => Terminator::Switch {
                value: self.value(value),
                default,
                cases: { self.func.cases(cases).iter() }
                    .map(|case| (case.literal, case.target))
                    .collect(),
            },
            Some(ir::Terminator::Return(value)) => {
                Terminator::Return(value.map(|value| self.value(value)))
            }
            Some(ir::Terminator::Exit(payload)) => Terminator::Exit(payload),
            Some(ir::Terminator::Kill | ir::Terminator::Unreachable) | None => {
                Terminator::Unreachable
            }
        }
    }

    fn assignments(&self, copies: &[variables::Assignment]) -> Vec<Assignment> {
        let assignment = |copy: &variables::Assignment| Assignment {
            to: copy.to.as_u32(),
            value: match copy.from {
                Source::Variable(variable) => Value::New(variable.as_u32()),
                Source::Value(value) => self.value(value),
            },
        };
        copies.iter().map(assignment).collect()
    }
}
