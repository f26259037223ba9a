//! Reads a text: tokens into a syntax tree, line by line.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use super::build::build;
use super::lex::Line;
use super::print::EFFECTS;
use super::short::read_edges;
use super::syntax::{
    BlockSyntax, Constant, End, InstSyntax, MergeSyntax, Name, Op, Operand, PhiSyntax, Syntax,
};
use super::{MAX_BLOCKS, MAX_BYTES, ParseError};
use crate::Structured;
use crate::ir::{Effects, Function, LoopHint, SelectionHint, SelectorOp, Type};

/// Reads a function.
///
/// # Errors
/// The first thing in the text that is not expected. Merges are an error, see [`parse_structured`].
pub fn parse(text: &str) -> Result<Function, ParseError> {
    let syntax = read(text)?;
    for block in &syntax.blocks {
        if let MergeSyntax::Selection(name, _) | MergeSyntax::Loop(name, ..) = block.merge {
            return Err(name.error("a function without merges"));
        }
    }
    Ok(build(&syntax)?.func)
}

/// Reads a structured function; the order of its blocks is the order of their labels. It is not
/// verified: see [`verify`](crate::verify::verify).
///
/// # Errors
/// The first thing in the text that is not expected.
pub fn parse_structured(text: &str) -> Result<Structured, ParseError> {
    build(&read(text)?)
}

fn read(text: &str) -> Result<Syntax<'_>, ParseError> {
    if text.len() > MAX_BYTES {
        return Err(ParseError {
            line: 1,
            column: 1,
            expected: format!("at most {MAX_BYTES} bytes"),
            found: format!("{}", text.len()),
        });
    }
    let mut syntax = Syntax::default();
    let mut last_line = 0;
    for (index, text) in text.lines().enumerate() {
        last_line = index as u32 + 1;
        let mut line = Line::new(text, last_line);
        if line.peek().is_some() {
            read_line(&mut syntax, &mut line)?;
            line.end()?;
        }
    }
    match syntax.blocks.last() {
        Some(block) if block.end.is_some() => Ok(syntax),
        _ => {
            let expected = if syntax.blocks.is_empty() {
                "a block like `a: b c`"
            } else {
                "a terminator"
            };
            Err(ParseError {
                line: last_line + 1,
                column: 1,
                expected: expected.to_owned(),
                found: "the end of the text".to_owned(),
            })
        }
    }
}

fn read_line<'a>(syntax: &mut Syntax<'a>, line: &mut Line<'a>) -> Result<(), ParseError> {
    // A label starts a block; everything but a constant needs an open block.
    let mut ahead = line.clone();
    if let Ok(token) = ahead.name("")
        && ahead.accept(":")
    {
        let name = Name::new(line, token);
        if syntax
            .blocks
            .last()
            .is_some_and(|block| block.end.is_none())
        {
            return Err(line.error("a terminator before the next block"));
        }
        if syntax.blocks.len() == MAX_BLOCKS {
            return Err(line.error(&format!("at most {MAX_BLOCKS} blocks")));
        }
        *line = ahead;
        let block = BlockSyntax {
            name,
            phis: Vec::new(),
            insts: Vec::new(),
            end: None,
            is_uniform: false,
            merge: MergeSyntax::None,
            hint: LoopHint::None,
            region: None,
        };
        syntax.blocks.push(block);
        return if line.peek().is_some() {
            read_edges(syntax, line)
        } else {
            Ok(())
        };
    }
    if line.peek().is_some_and(|token| token.text.starts_with('%')) && read_constant(syntax, line)?
    {
        return Ok(());
    }
    match syntax.blocks.last_mut() {
        Some(block) if block.end.is_none() => read_item(block, line),
        _ => Err(line.error("a label like `a:`")),
    }
}

/// Takes a constant's line, or leaves the line alone if it is something else.
fn read_constant<'a>(syntax: &mut Syntax<'a>, line: &mut Line<'a>) -> Result<bool, ParseError> {
    let mut ahead = line.clone();
    let name = Name::new(line, ahead.value()?);
    if !ahead.accept("=") {
        return Ok(false);
    }
    let constant = if ahead.accept("const") {
        let payload = ahead.number("the client's number of the constant")?;
        Constant::Plain(name, payload, read_type(&mut ahead)?)
    } else if ahead.accept("undef") {
        Constant::Undef(name, read_type(&mut ahead)?)
    } else if ahead.accept("bool") {
        let is_true = ahead.accept("true");
        if !is_true && !ahead.accept("false") {
            return Err(ahead.error("`true` or `false`"));
        }
        Constant::Bool(name, is_true, read_type(&mut ahead)?)
    } else if ahead.accept("selector") {
        Constant::Selector(name, ahead.number("the selector's number")?)
    } else {
        return Ok(false);
    };
    syntax.constants.push(constant);
    *line = ahead;
    Ok(true)
}

fn read_type(line: &mut Line<'_>) -> Result<Type, ParseError> {
    line.expect(":")?;
    if line.accept("bool") {
        return Ok(Type::BOOL);
    }
    if line.accept("sel") {
        return Ok(Type::SELECTOR);
    }
    Ok(Type(line.number("a type: a number, `bool` or `sel`")?))
}

fn read_item<'a>(block: &mut BlockSyntax<'a>, line: &mut Line<'a>) -> Result<(), ParseError> {
    if read_merge(block, line)? {
        return Ok(());
    }
    if line.peek().is_some_and(|token| token.text.starts_with('%')) {
        let mut results = Vec::new();
        while !line.accept("=") {
            let name = Name::new(line, line.clone().value()?);
            line.next();
            let ty = if line.clone().accept(":") {
                Some(read_type(line)?)
            } else {
                None
            };
            results.push((name, ty));
        }
        return read_definition(block, line, &results);
    }
    if line.accept("op") {
        block.insts.push(read_op(line, Vec::new())?);
        return Ok(());
    }
    let (end, is_uniform) = read_end(line)?;
    (block.end, block.is_uniform) = (Some(end), is_uniform);
    Ok(())
}

fn read_definition<'a>(
    block: &mut BlockSyntax<'a>,
    line: &mut Line<'a>,
    results: &[(Name<'a>, Option<Type>)],
) -> Result<(), ParseError> {
    if let [(name, None)] = results {
        if line.clone().accept("phi") {
            if !block.insts.is_empty() {
                return Err(line.error("phis before the instructions"));
            }
            line.accept("phi");
            block.phis.push(read_phi(line, *name)?);
            return Ok(());
        }
        if line.accept("test") {
            let op = match line.next().map(|token| token.text) {
                Some("le") => SelectorOp::LessEqual,
                Some("eq") => SelectorOp::Equal,
                _ => return Err(line.error("`le` or `eq`")),
            };
            let selector = line.value()?;
            let uses = vec![Name::new(line, selector)];
            let constant = line.number("the number to compare with")?;
            block.insts.push(InstSyntax {
                results: vec![(Some(*name), Type::BOOL)],
                op: Op::Test { op, constant },
                uses,
            });
            return Ok(());
        }
        if line.accept("select") {
            let ty = read_type(line)?;
            let mut uses = Vec::new();
            for _ in 0..3 {
                let value = line.value()?;
                uses.push(Name::new(line, value));
            }
            block.insts.push(InstSyntax {
                results: vec![(Some(*name), ty)],
                op: Op::Select,
                uses,
            });
            return Ok(());
        }
    }
    line.expect("op")?;
    let typed = results.iter().map(|(name, ty)| match ty {
        Some(ty) => Ok((Some(*name), *ty)),
        None => Err(name.error("a result with its type, like `%x:1`")),
    });
    let typed = typed.collect::<Result<Vec<_>, _>>()?;
    block.insts.push(read_op(line, typed)?);
    Ok(())
}

fn read_phi<'a>(line: &mut Line<'a>, name: Name<'a>) -> Result<PhiSyntax<'a>, ParseError> {
    let ty = read_type(line)?;
    let mut operands = Vec::new();
    while line.accept("[") {
        let pred = line.name("a predecessor's name")?;
        let value = line.value()?;
        operands.push((Name::new(line, pred), Name::new(line, value)));
        line.expect("]")?;
    }
    Ok(PhiSyntax { name, ty, operands })
}

fn read_op<'a>(
    line: &mut Line<'a>,
    results: Vec<(Option<Name<'a>>, Type)>,
) -> Result<InstSyntax<'a>, ParseError> {
    let payload = line.number("the client's number of the instruction")?;
    let mut effects = Effects::NONE;
    while let Some(&(effect, _)) = EFFECTS.iter().find(|(_, word)| line.accept(word)) {
        effects |= effect;
    }
    let mut uses = Vec::new();
    while line.peek().is_some() {
        let value = line
            .value()
            .map_err(|_| line.error("an effect (side, conv, reads) or a value like `%x`"))?;
        uses.push(Name::new(line, value));
    }
    Ok(InstSyntax {
        results,
        op: Op::Client { payload, effects },
        uses,
    })
}

pub(super) fn read_merge<'a>(
    block: &mut BlockSyntax<'a>,
    line: &mut Line<'a>,
) -> Result<bool, ParseError> {
    if line.accept("merge") {
        let name = target(line)?;
        block.merge = MergeSyntax::Selection(name, read_selection_hint(line));
    } else if line.accept("loop") {
        let (merge, continue_target) = (target(line)?, target(line)?);
        block.merge = MergeSyntax::Loop(
            merge,
            continue_target,
            read_loop_hint(line)?.unwrap_or_default(),
        );
    } else if line.accept("hint") {
        block.hint = read_loop_hint(line)?
            .ok_or_else(|| line.error("unroll, dont_unroll or unroll_count"))?;
    } else if line.accept("region") {
        block.region = Some(target(line)?);
    } else {
        return Ok(false);
    }
    Ok(true)
}

pub(super) fn read_selection_hint(line: &mut Line<'_>) -> SelectionHint {
    if line.accept("flatten") {
        SelectionHint::Flatten
    } else if line.accept("branch") {
        SelectionHint::DontFlatten
    } else {
        SelectionHint::None
    }
}

pub(super) fn read_loop_hint(line: &mut Line<'_>) -> Result<Option<LoopHint>, ParseError> {
    Ok(if line.accept("unroll") {
        Some(LoopHint::Unroll)
    } else if line.accept("dont_unroll") {
        Some(LoopHint::DontUnroll)
    } else if line.accept("unroll_count") {
        Some(LoopHint::UnrollCount(line.number("how often to unroll")?))
    } else {
        None
    })
}

pub(super) fn target<'a>(line: &mut Line<'a>) -> Result<Name<'a>, ParseError> {
    let token = line.name("a block's name")?;
    Ok(Name::new(line, token))
}

/// Returns a terminator, and whether it is uniform.
fn read_end<'a>(line: &mut Line<'a>) -> Result<(End<'a>, bool), ParseError> {
    let operand = |line: &mut Line<'a>| -> Result<Operand<'a>, ParseError> {
        let token = line.value()?;
        Ok(Operand::Named(Name::new(line, token)))
    };
    let mut is_uniform = false;
    let end = match line.peek().map(|token| token.text) {
        Some("br") => {
            line.next();
            End::Branch(target(line)?)
        }
        Some("if") => {
            line.next();
            let cond = operand(line)?;
            let (then, else_) = (target(line)?, target(line)?);
            is_uniform = line.accept("uniform");
            End::If(cond, then, else_, read_selection_hint(line))
        }
        Some("switch") => {
            line.next();
            let value = operand(line)?;
            let default = target(line)?;
            let mut cases = Vec::new();
            while line
                .peek()
                .is_some_and(|token| token.text.parse::<u64>().is_ok())
            {
                let literal = line.number("a literal")?;
                line.expect("=")?;
                cases.push((literal, target(line)?));
            }
            is_uniform = line.accept("uniform");
            End::Switch(value, default, cases, read_selection_hint(line))
        }
        Some("ret") => {
            line.next();
            End::Return(if line.peek().is_some() {
                Some(operand(line)?)
            } else {
                None
            })
        }
        _ => read_plain_end(line)?
            .ok_or_else(|| line.error("a phi, an instruction, a merge or a terminator"))?,
    };
    Ok((end, is_uniform))
}

/// Returns the terminators that read no value: the same in the long and the short form.
pub(super) fn read_plain_end<'a>(line: &mut Line<'a>) -> Result<Option<End<'a>>, ParseError> {
    Ok(Some(if line.accept("break") {
        End::Break(target(line)?, target(line)?)
    } else if line.accept("ret") {
        End::Return(None)
    } else if line.accept("kill") {
        match line.clone().number::<u32>("") {
            Ok(_) => End::Exit(line.number("a payload")?),
            Err(_) => End::Kill,
        }
    } else if line.accept("unreachable") {
        End::Unreachable
    } else {
        return Ok(None);
    }))
}
