//! Text into a function: lines into a small syntax tree, then names into indices.

use rustc_hash::FxHashMap;
use trellis_entity::{EntityRef, SecondaryMap};

use super::ParseError;
use super::lex::{Line, Token};
use super::print::EFFECTS;
use crate::ir::{
    Block, Effects, Function, LoopHint, SelectionHint, SelectorOp, Terminator, Type, Value,
};
use crate::{Merge, Report, Structured};

/// The type of an implicit condition in the short form.
const IMPLICIT_BOOL: Type = Type(1);
/// The type of an implicit switch value in the short form.
const IMPLICIT_INT: Type = Type(2);
/// Payloads of implicit constants are counted from here.
const IMPLICIT_CONSTANTS: u32 = 1_000_000;

/// A name as it stands in the text.
#[derive(Clone, Copy)]
struct Name<'a> {
    text: &'a str,
    line: u32,
    column: u32,
}

enum Constant<'a> {
    Plain(Name<'a>, u32, Type),
    Undef(Name<'a>, Type),
    Selector(Name<'a>, u32),
}

enum Op {
    Client { payload: u32, effects: Effects },
    Test { op: SelectorOp, constant: u32 },
}

struct InstSyntax<'a> {
    results: Vec<(Option<Name<'a>>, Type)>,
    op: Op,
    uses: Vec<Name<'a>>,
}

#[derive(Clone, Copy)]
enum Operand<'a> {
    Named(Name<'a>),
    /// The result of the block's last instruction.
    Own,
    /// A constant for this block alone.
    Constant(Value),
}

enum End<'a> {
    Branch(Name<'a>),
    If(Operand<'a>, Name<'a>, Name<'a>, SelectionHint),
    Switch(Operand<'a>, Name<'a>, Vec<(u64, Name<'a>)>, SelectionHint),
    Break(Name<'a>, Name<'a>),
    Return(Option<Operand<'a>>),
    Kill,
    Unreachable,
}

enum MergeSyntax<'a> {
    None,
    Selection(Name<'a>, SelectionHint),
    Loop(Name<'a>, Name<'a>, LoopHint),
}

struct PhiSyntax<'a> {
    name: Name<'a>,
    ty: Type,
    operands: Vec<(Name<'a>, Name<'a>)>,
}

struct BlockSyntax<'a> {
    name: Name<'a>,
    phis: Vec<PhiSyntax<'a>>,
    insts: Vec<InstSyntax<'a>>,
    end: Option<End<'a>>,
    merge: MergeSyntax<'a>,
    hint: LoopHint,
}

#[derive(Default)]
struct Syntax<'a> {
    constants: Vec<Constant<'a>>,
    blocks: Vec<BlockSyntax<'a>>,
    implicit_constants: Vec<(u32, Type)>,
}

/// Reads a function. Merges in the text are an error, see [`parse_structured`].
pub fn parse(text: &str) -> Result<Function, ParseError> {
    let syntax = read(text)?;
    for block in &syntax.blocks {
        if let MergeSyntax::Selection(name, _) | MergeSyntax::Loop(name, ..) = block.merge {
            return Err(name.error("a function without merges"));
        }
    }
    Ok(build(&syntax)?.func)
}

/// Reads a structured function; the order of its blocks is the order of their labels.
pub fn parse_structured(text: &str) -> Result<Structured, ParseError> {
    build(&read(text)?)
}

impl<'a> Name<'a> {
    fn new(line: &Line<'a>, token: Token<'a>) -> Self {
        Name {
            text: token.text,
            line: line.number,
            column: token.column,
        }
    }

    fn error(&self, expected: &str) -> ParseError {
        ParseError {
            line: self.line,
            column: self.column,
            expected: expected.to_owned(),
            found: format!("`{}`", self.text),
        }
    }
}

// ---- lines into syntax ------------------------------------------------------------------------

fn read(text: &str) -> Result<Syntax<'_>, ParseError> {
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
        *line = ahead;
        let block = BlockSyntax {
            name,
            phis: Vec::new(),
            insts: Vec::new(),
            end: None,
            merge: MergeSyntax::None,
            hint: LoopHint::None,
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
    block.end = Some(read_end(line)?);
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
        let value = line.value().map_err(|_| {
            line.error("an effect (side, conv, reads, dup, move) or a value like `%x`")
        })?;
        uses.push(Name::new(line, value));
    }
    Ok(InstSyntax {
        results,
        op: Op::Client { payload, effects },
        uses,
    })
}

fn read_merge<'a>(block: &mut BlockSyntax<'a>, line: &mut Line<'a>) -> Result<bool, ParseError> {
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
    } else {
        return Ok(false);
    }
    Ok(true)
}

fn read_selection_hint(line: &mut Line<'_>) -> SelectionHint {
    if line.accept("flatten") {
        SelectionHint::Flatten
    } else if line.accept("branch") {
        SelectionHint::DontFlatten
    } else {
        SelectionHint::None
    }
}

fn read_loop_hint(line: &mut Line<'_>) -> Result<Option<LoopHint>, ParseError> {
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

fn target<'a>(line: &mut Line<'a>) -> Result<Name<'a>, ParseError> {
    let token = line.name("a block's name")?;
    Ok(Name::new(line, token))
}

fn read_end<'a>(line: &mut Line<'a>) -> Result<End<'a>, ParseError> {
    let operand = |line: &mut Line<'a>| -> Result<Operand<'a>, ParseError> {
        let token = line.value()?;
        Ok(Operand::Named(Name::new(line, token)))
    };
    Ok(match line.peek().map(|token| token.text) {
        Some("br") => {
            line.next();
            End::Branch(target(line)?)
        }
        Some("if") => {
            line.next();
            let cond = operand(line)?;
            let (then, else_) = (target(line)?, target(line)?);
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
    })
}

/// The terminators that read no value: the same in the long and the short form.
fn read_plain_end<'a>(line: &mut Line<'a>) -> Result<Option<End<'a>>, ParseError> {
    Ok(Some(if line.accept("break") {
        End::Break(target(line)?, target(line)?)
    } else if line.accept("ret") {
        End::Return(None)
    } else if line.accept("kill") {
        End::Kill
    } else if line.accept("unreachable") {
        End::Unreachable
    } else {
        return Ok(None);
    }))
}

/// The short form of the block that was pushed last.
fn read_edges<'a>(syntax: &mut Syntax<'a>, line: &mut Line<'a>) -> Result<(), ParseError> {
    let number = syntax.blocks.len() as u32 - 1;
    let mut effects = Effects::SIDE_EFFECT;
    let (mut empty, mut selection, mut loop_hint) = (false, SelectionHint::None, LoopHint::None);
    if line.accept("{") {
        while !line.accept("}") {
            if line.accept("empty") {
                empty = true;
            } else if line.accept("conv") {
                effects |= Effects::CONVERGENT;
            } else if line.accept("pure") {
                effects = Effects::NONE;
            } else if let Some(hint) = read_loop_hint(line)? {
                loop_hint = hint;
            } else {
                selection = read_selection_hint(line);
                if selection == SelectionHint::None {
                    return Err(line.error("empty, conv, pure, flatten, branch, unroll, dont_unroll, unroll_count or `}`"));
                }
            }
        }
    }
    let (end, value) = read_tail(line, selection)?;
    let end = match value {
        Some(ty) if empty => {
            // Constants come first among the values, those of the text before these.
            syntax
                .implicit_constants
                .push((IMPLICIT_CONSTANTS + number, ty));
            let value = Operand::Constant(Value::new(syntax.implicit_constants.len() - 1));
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
        return Err(line.error("`merge` or `loop`"));
    }
    block.end = Some(end);
    if loop_hint != LoopHint::None {
        block.hint = loop_hint;
    }
    Ok(())
}

/// The tail of the short form, and the type of the value that the block must have for it.
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
            End::Switch(Operand::Own, default, cases, hint),
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
        End::If(Operand::Own, first, target(line)?, hint),
        Some(IMPLICIT_BOOL),
    ))
}

// ---- syntax into a function -------------------------------------------------------------------

struct Names<'a> {
    blocks: FxHashMap<&'a str, Block>,
    values: FxHashMap<&'a str, Value>,
}

impl Names<'_> {
    fn block(&self, name: &Name<'_>) -> Result<Block, ParseError> {
        self.blocks
            .get(name.text)
            .copied()
            .ok_or_else(|| name.error("a block that has a label"))
    }

    fn value(&self, name: &Name<'_>) -> Result<Value, ParseError> {
        self.values
            .get(name.text)
            .copied()
            .ok_or_else(|| name.error("a value that is defined"))
    }
}

fn build(syntax: &Syntax<'_>) -> Result<Structured, ParseError> {
    let mut func = Function::new();
    let mut names = Names {
        blocks: FxHashMap::default(),
        values: FxHashMap::default(),
    };
    for block in &syntax.blocks {
        if names
            .blocks
            .insert(block.name.text, func.add_block())
            .is_some()
        {
            return Err(block.name.error("a label that is not taken"));
        }
    }
    for constant in &syntax.constants {
        let (name, value) = match *constant {
            Constant::Plain(name, payload, ty) => (name, func.add_constant(payload, ty)),
            Constant::Undef(name, ty) => (name, func.undef(ty)),
            Constant::Selector(name, number) => (name, func.selector_constant(number)),
        };
        if names.values.insert(name.text, value).is_some() {
            return Err(name.error("a value that is not taken"));
        }
    }
    let implicit: Vec<Value> = syntax
        .implicit_constants
        .iter()
        .map(|&(payload, ty)| func.add_constant(payload, ty))
        .collect();
    name_values(syntax, func.num_values(), &mut names)?;

    let mut merges = SecondaryMap::new();
    for (index, block) in syntax.blocks.iter().enumerate() {
        let at = Block::new(index);
        fill(&mut func, at, block, &names, &implicit)?;
        func.set_loop_hint(at, block.hint);
        merges[at] = match &block.merge {
            MergeSyntax::None => Merge::None,
            MergeSyntax::Selection(merge, hint) => Merge::Selection {
                merge: names.block(merge)?,
                hint: *hint,
            },
            MergeSyntax::Loop(merge, continue_target, hint) => Merge::Loop {
                merge: names.block(merge)?,
                continue_target: names.block(continue_target)?,
                hint: *hint,
            },
        };
    }
    let order = func.blocks().collect();
    Ok(Structured {
        func,
        merges,
        order,
        report: Report::default(),
    })
}

/// Gives each phi and result the index that it will have, so that uses may come before them.
fn name_values<'a>(
    syntax: &Syntax<'a>,
    first: usize,
    names: &mut Names<'a>,
) -> Result<(), ParseError> {
    let mut next = first;
    for block in &syntax.blocks {
        let results = block
            .insts
            .iter()
            .flat_map(|inst| inst.results.iter().map(|(name, _)| *name));
        for name in block.phis.iter().map(|phi| Some(phi.name)).chain(results) {
            if let Some(name) = name
                && names.values.insert(name.text, Value::new(next)).is_some()
            {
                return Err(name.error("a value that is not taken"));
            }
            next += 1;
        }
    }
    Ok(())
}

fn fill(
    func: &mut Function,
    at: Block,
    block: &BlockSyntax<'_>,
    names: &Names<'_>,
    implicit: &[Value],
) -> Result<(), ParseError> {
    for phi in &block.phis {
        let value = func.add_phi(at, phi.ty);
        for (pred, operand) in &phi.operands {
            func.add_phi_operand(value, names.block(pred)?, names.value(operand)?);
        }
    }
    let mut own = None;
    for inst in &block.insts {
        let uses = inst
            .uses
            .iter()
            .map(|name| names.value(name))
            .collect::<Result<Vec<_>, _>>()?;
        match inst.op {
            Op::Client { payload, effects } => {
                let types: Vec<Type> = inst.results.iter().map(|(_, ty)| *ty).collect();
                let inst = func.append_inst(at, payload, effects, &uses, &types);
                own = func.results(inst).next();
            }
            Op::Test { op, constant } => {
                own = Some(func.append_selector_test(at, uses[0], op, constant));
            }
        }
    }
    let missing = || block.name.error("a block with a value to branch on");
    let operand = |operand: Operand<'_>| match operand {
        Operand::Named(name) => names.value(&name),
        Operand::Own => own.ok_or_else(missing),
        Operand::Constant(value) => implicit.get(value.index()).copied().ok_or_else(missing),
    };
    let terminator = match block
        .end
        .as_ref()
        .ok_or_else(|| block.name.error("a block with a terminator"))?
    {
        End::Branch(to) => Terminator::Branch(names.block(to)?),
        End::If(cond, then, else_, hint) => Terminator::CondBranch {
            cond: operand(*cond)?,
            then: names.block(then)?,
            else_: names.block(else_)?,
            hint: *hint,
        },
        End::Switch(value, default, cases, hint) => {
            let cases = cases
                .iter()
                .map(|(literal, to)| Ok((*literal, names.block(to)?)))
                .collect::<Result<Vec<_>, _>>()?;
            let cases = func.add_cases(&cases);
            Terminator::Switch {
                value: operand(*value)?,
                default: names.block(default)?,
                cases,
                hint: *hint,
            }
        }
        End::Break(to, stay) => Terminator::BreakBranch {
            target: names.block(to)?,
            stay: names.block(stay)?,
        },
        End::Return(value) => Terminator::Return(value.map(operand).transpose()?),
        End::Kill => Terminator::Kill,
        End::Unreachable => Terminator::Unreachable,
    };
    func.set_terminator(at, terminator);
    Ok(())
}
