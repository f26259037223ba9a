//! The short form of a block: one line with its edges.

use alloc::vec::Vec;

use super::ParseError;
use super::lex::Line;
use super::parse::{read_loop_hint, read_merge, read_plain_end, read_selection_hint, target};
use super::syntax::{End, InstSyntax, Op, Operand, Syntax};
use crate::ir::{Effects, LoopHint, SelectionHint, Type};

/// The type of an implicit condition in the short form.
const IMPLICIT_BOOL: Type = Type(1);
/// The type of an implicit switch value in the short form.
const IMPLICIT_INT: Type = Type(2);
/// Payloads of implicit constants are counted from here.
const IMPLICIT_CONSTANTS: u32 = 1_000_000;

/// Writes the short form of the block that was pushed last.
pub(super) fn read_edges<'a>(
    syntax: &mut Syntax<'a>,
    line: &mut Line<'a>,
) -> Result<(), ParseError> {
    let number = syntax.blocks.len() as u32 - 1;
    let mut effects = Effects::SIDE_EFFECT;
    let (mut empty, mut is_uniform) = (false, false);
    let (mut selection, mut loop_hint) = (SelectionHint::None, LoopHint::None);
    if line.accept("{") {
        while !line.accept("}") {
            if line.accept("empty") {
                empty = true;
            } else if line.accept("conv") {
                effects |= Effects::CONVERGENT;
            } else if line.accept("pure") {
                effects = Effects::NONE;
            } else if line.accept("uniform") {
                is_uniform = true;
            } else if let Some(hint) = read_loop_hint(line)? {
                loop_hint = hint;
            } else {
                selection = read_selection_hint(line);
                if selection == SelectionHint::None {
                    return Err(line.error("empty, conv, pure, uniform, flatten, branch, unroll, dont_unroll, unroll_count or `}`"));
                }
            }
        }
    }
    let (end, value) = read_tail(line, selection)?;
    let end = match value {
        Some(ty) if empty => {
            // These constants come after the text's constants.
            syntax
                .implicit_constants
                .push((IMPLICIT_CONSTANTS + number, ty));
            let value = Operand::Constant(syntax.implicit_constants.len() - 1);
            match end {
                End::If(_, then, else_, hint) => End::If(value, then, else_, hint),
                End::Switch(_, default, cases, hint) => End::Switch(value, default, cases, hint),
                other => other,
            }
        }
        _ => end,
    };
    let Some(block) = syntax.blocks.last_mut() else {
        return Ok(());
    };
    if !empty {
        let results = value.map(|ty| (None, ty)).into_iter().collect();
        block.insts.push(InstSyntax {
            results,
            op: Op::Client {
                payload: number,
                effects,
            },
            uses: Vec::new(),
        });
    }
    if line.accept("|") && !read_merge(block, line)? {
        return Err(line.error("`merge`, `loop`, `hint` or `region`"));
    }
    block.end = Some(end);
    block.is_uniform = is_uniform;
    if loop_hint != LoopHint::None {
        block.hint = loop_hint;
    }
    Ok(())
}

/// Returns the tail of the short form, and the type of the value that the block must have for it.
fn read_tail<'a>(
    line: &mut Line<'a>,
    hint: SelectionHint,
) -> Result<(End<'a>, Option<Type>), ParseError> {
    if let Some(end) = read_plain_end(line)? {
        return Ok((end, None));
    }
    if line.accept("switch") {
        let default = target(line)?;
        let mut cases = Vec::new();
        let mut literal: u64 = 0;
        while line.peek().is_some_and(|token| token.text != "|") {
            let mut ahead = line.clone();
            if let Ok(number) = ahead.number("")
                && ahead.accept("=")
            {
                literal = number;
                *line = ahead;
            }
            cases.push((literal, target(line)?));
            literal = literal.wrapping_add(1);
        }
        return Ok((
            End::Switch(Operand::LastResult, default, cases, hint),
            Some(IMPLICIT_INT),
        ));
    }
    let first = target(line).map_err(|_| {
        line.error("a block's name, `switch`, `break`, `ret`, `kill` or `unreachable`")
    })?;
    if line.peek().is_none_or(|token| token.text == "|") {
        return Ok((End::Branch(first), None));
    }
    Ok((
        End::If(Operand::LastResult, first, target(line)?, hint),
        Some(IMPLICIT_BOOL),
    ))
}
