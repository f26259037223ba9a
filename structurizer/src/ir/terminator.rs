//! Terminators of blocks.

use super::{Block, Value};

/// The hint of a selection in the source (`OpSelectionMerge`'s control).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SelectionHint {
    /// Nothing.
    #[default]
    None,
    /// `[flatten]`
    Flatten,
    /// `[branch]`
    DontFlatten,
}

/// The hint of a loop in the source (`OpLoopMerge`'s control). It belongs to the loop's header.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum LoopHint {
    /// Nothing.
    #[default]
    None,
    /// `[unroll]`
    Unroll,
    /// `[loop]`
    DontUnroll,
    /// `[unroll(n)]`
    UnrollCount(u32),
}

/// One case of a switch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Case {
    /// The literal, zero-extended from the selector's width.
    pub literal: u64,
    /// The target.
    pub target: Block,
}

/// The cases of one switch: a range of the function's pool, made by
/// [`Function::add_cases`](super::Function::add_cases).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CaseRange {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl CaseRange {
    /// No cases.
    pub const EMPTY: CaseRange = CaseRange { start: 0, end: 0 };

    /// Returns the number of cases.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Returns whether the switch has only a default.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// Terminator of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Terminator {
    /// Control continues in one block.
    Branch(Block),
    /// Control continues in one of two blocks, which may be the same.
    CondBranch {
        /// A boolean.
        cond: Value,
        /// The target if it is true.
        then: Block,
        /// The target if it is false.
        else_: Block,
        /// The hint in the source.
        hint: SelectionHint,
    },
    /// DXC's `dx.break.cond`: control always continues in `target`; `stay` is an edge that is never
    /// taken but keeps the block inside its loop. Never in the output. For a block with another
    /// terminator see [`Function::set_convergence_region`](super::Function::set_convergence_region).
    BreakBranch {
        /// The target.
        target: Block,
        /// The edge that keeps the block in its loop.
        stay: Block,
    },
    /// Control continues in the case whose literal equals `value`, else in `default`.
    Switch {
        /// An integer.
        value: Value,
        /// The target if no literal matches.
        default: Block,
        /// The cases, with distinct literals.
        cases: CaseRange,
        /// The hint in the source.
        hint: SelectionHint,
    },
    /// The invocation returns from the function.
    Return(Option<Value>),
    /// Control never reaches this.
    Unreachable,
    /// The invocation is terminated (`OpKill`).
    Kill,
    /// The invocation is terminated in a way of the client's, such as `OpTerminateInvocation` or
    /// `OpEmitMeshTasksEXT`, which the payload names. As `Kill` for all decisions. Values that it
    /// reads are operands of an instruction at the end of the block.
    Exit(u32),
}

impl Terminator {
    /// Returns whether it has no successors.
    pub fn is_exit(self) -> bool {
        matches!(
            self,
            Terminator::Return(_)
                | Terminator::Unreachable
                | Terminator::Kill
                | Terminator::Exit(_)
        )
    }

    /// Returns the value that it reads, if any.
    pub fn value(self) -> Option<Value> {
        match self {
            Terminator::CondBranch { cond: v, .. }
            | Terminator::Switch { value: v, .. }
            | Terminator::Return(Some(v)) => Some(v),
            _ => None,
        }
    }
    /// Returns the value that the terminator reads, to be replaced.
    pub(crate) fn value_mut(&mut self) -> Option<&mut Value> {
        match self {
            Terminator::CondBranch { cond: v, .. }
            | Terminator::Switch { value: v, .. }
            | Terminator::Return(Some(v)) => Some(v),
            _ => None,
        }
    }
}

/// The successors of a block, in the terminator's order, repeated where an edge is repeated.
#[derive(Clone, Debug)]
pub struct Successors<'a> {
    pub(crate) fixed: [Option<Block>; 2],
    pub(crate) cases: core::slice::Iter<'a, Case>,
}

impl Iterator for Successors<'_> {
    type Item = Block;
    fn next(&mut self) -> Option<Block> {
        for slot in &mut self.fixed {
            if let Some(block) = slot.take() {
                return Some(block);
            }
        }
        self.cases.next().map(|case| case.target)
    }
}
