//! The syntax tree of a text: lines with names that are not resolved yet.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec::Vec;

use super::ParseError;
use super::lex::{Line, Token};
use crate::ir::{Effects, LoopHint, SelectionHint, SelectorOp, Type};

/// A name and its position in the text.
#[derive(Clone, Copy)]
pub(super) struct Name<'a> {
    pub(super) text: &'a str,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// A line that defines a constant.
pub(super) enum Constant<'a> {
    Plain(Name<'a>, u32, Type),
    Undef(Name<'a>, Type),
    Selector(Name<'a>, u32),
    Bool(Name<'a>, bool, Type),
}

/// Operation of an instruction.
pub(super) enum Op {
    Client { payload: u32, effects: Effects },
    Test { op: SelectorOp, constant: u32 },
    Select,
}

/// An instruction.
pub(super) struct InstSyntax<'a> {
    pub(super) results: Vec<(Option<Name<'a>>, Type)>,
    pub(super) op: Op,
    pub(super) uses: Vec<Name<'a>>,
}

/// The value that a terminator reads.
#[derive(Clone, Copy)]
pub(super) enum Operand<'a> {
    Named(Name<'a>),
    /// The result of the block's last instruction.
    LastResult,
    /// The implicit constant with this number, which one block has for itself.
    Constant(usize),
}

/// A terminator.
pub(super) enum End<'a> {
    Branch(Name<'a>),
    If(Operand<'a>, Name<'a>, Name<'a>, SelectionHint),
    Switch(Operand<'a>, Name<'a>, Vec<(u64, Name<'a>)>, SelectionHint),
    Break(Name<'a>, Name<'a>),
    Return(Option<Operand<'a>>),
    Kill,
    Exit(u32),
    Unreachable,
}

/// A merge instruction.
pub(super) enum MergeSyntax<'a> {
    None,
    Selection(Name<'a>, SelectionHint),
    Loop(Name<'a>, Name<'a>, LoopHint),
}

/// A phi.
pub(super) struct PhiSyntax<'a> {
    pub(super) name: Name<'a>,
    pub(super) ty: Type,
    pub(super) operands: Vec<(Name<'a>, Name<'a>)>,
}

/// A block.
pub(super) struct BlockSyntax<'a> {
    pub(super) name: Name<'a>,
    pub(super) phis: Vec<PhiSyntax<'a>>,
    pub(super) insts: Vec<InstSyntax<'a>>,
    pub(super) end: Option<End<'a>>,
    pub(super) is_uniform: bool,
    pub(super) merge: MergeSyntax<'a>,
    pub(super) hint: LoopHint,
    pub(super) region: Option<Name<'a>>,
}

/// A whole text.
#[derive(Default)]
pub(super) struct Syntax<'a> {
    pub(super) constants: Vec<Constant<'a>>,
    pub(super) blocks: Vec<BlockSyntax<'a>>,
    /// Payload and type of the constants that blocks in the short form branch on.
    pub(super) implicit_constants: Vec<(u32, Type)>,
}

impl<'a> Name<'a> {
    pub(super) fn new(line: &Line<'a>, token: Token<'a>) -> Self {
        Name {
            text: token.text,
            line: line.number,
            column: token.column,
        }
    }

    /// Returns the error for an unexpected name.
    pub(super) fn error(&self, expected: &str) -> ParseError {
        ParseError {
            line: self.line,
            column: self.column,
            expected: expected.to_owned(),
            found: format!("`{}`", self.text),
        }
    }
}
