//! A tree as pseudo-code.

use alloc::borrow::Cow;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Write};

use super::{Condition, Kind, Node, TestOf, Tree};
use crate::ir::{
    Block, Effects, Function, Inst, InstKind, LoopHint, SelectorOp, Terminator, Type, Value,
    ValueKind,
};

/// Lines nested deeper than this name their depth instead of being indented further: otherwise the
/// text of a deep nest would be quadratic in its depth.
const DEEPEST: usize = 40;

/// A [`Tree`] that `Display` prints as pseudo-code.
#[derive(Clone, Copy, Debug)]
pub struct Pretty<'a> {
    tree: &'a Tree<'a>,
    instructions: bool,
    names: &'a dyn Names,
}

/// A client's names for the entities of its function, for pseudo-code. Entities without a name are
/// printed by number.
///
/// Names are printed as they are; they should have no line breaks.
pub trait Names: fmt::Debug {
    /// Returns a block's name, shown in parentheses after its number.
    fn block(&self, block: Block) -> Option<Cow<'_, str>> {
        let _ = block;
        None
    }
    /// Returns a value where it is read.
    fn value(&self, value: Value) -> Option<Cow<'_, str>> {
        let _ = value;
        None
    }
    /// Returns the line that shows an instruction, with its results.
    fn instruction(&self, inst: Inst) -> Option<Cow<'_, str>> {
        let _ = inst;
        None
    }
    /// Returns extra lines of a block before an instruction, or at its end for `None`, for code
    /// that is not an instruction of the client.
    fn lines(&self, block: Block, next: Option<Inst>) -> &[String] {
        let _ = (block, next);
        &[]
    }
    /// Returns the expression of a value, if it is short enough for an `if` or a `switch` whose
    /// instructions are not shown.
    fn computation(&self, value: Value) -> Option<Cow<'_, str>> {
        let _ = value;
        None
    }
}

/// No names.
#[derive(Debug)]
struct NoNames;

impl Names for NoNames {}

impl Display for Tree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Pretty::of(self).fmt(f)
    }
}

impl Display for Pretty<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer {
            pretty: *self,
            out: f,
            open: Vec::new(),
            breakable: Vec::new(),
            loops: Vec::new(),
            depth: 0,
            blocks: 0,
            closed: false,
        }
        .print()
    }
}

impl<'a> Pretty<'a> {
    /// Returns the pseudo-code without instructions.
    pub fn of(tree: &'a Tree<'a>) -> Self {
        Self {
            tree,
            instructions: false,
            names: &NoNames,
        }
    }

    /// Shows phis and instructions, or not.
    #[must_use]
    pub fn instructions(self, instructions: bool) -> Self {
        Self {
            instructions,
            ..self
        }
    }

    /// Shows the client's names.
    #[must_use]
    pub fn names(self, names: &'a dyn Names) -> Self {
        Self { names, ..self }
    }

    /// Returns a value where it is read.
    fn value(self, value: Value) -> Operand<'a> {
        Operand {
            names: self.names,
            func: &self.tree.structured.func,
            value,
        }
    }

    /// Returns a value that a branch reads, with its expression unless that is shown above.
    fn branch_operand(self, value: Value) -> BranchOperand<'a> {
        BranchOperand(
            self.value(value),
            if self.instructions {
                None
            } else {
                self.names.computation(value)
            },
        )
    }

    /// Returns a block with its name.
    fn block(self, block: Block) -> Named<'a> {
        Named(block, self.names.block(block))
    }

    /// Returns whether a phi is shown. Selectors always are, since the tests of them are.
    fn shows(&self, phi: Value) -> bool {
        self.instructions || self.tree.structured.func.value_type(phi) == Type::SELECTOR
    }

    /// Returns whether a block shows more than its name.
    fn has_lines(&self, block: Block) -> bool {
        let func = &self.tree.structured.func;
        func.phis(block).any(|phi| self.shows(phi))
            || func.insts(block).any(|inst| self.shows_inst(inst))
            || self.instructions && !self.names.lines(block, None).is_empty()
    }

    /// Returns whether an instruction is shown. Selects of selectors always are, as phis of them.
    fn shows_inst(&self, inst: Inst) -> bool {
        let func = &self.tree.structured.func;
        let is_selector = |value| func.value_type(value) == Type::SELECTOR;
        self.instructions
            || func.inst_kind(inst) == InstKind::Select && func.results(inst).any(is_selector)
    }
}

struct Printer<'a, 'f, 'g> {
    pretty: Pretty<'a>,
    out: &'f mut fmt::Formatter<'g>,
    /// The nodes whose braces are open.
    open: Vec<Node>,
    /// The headers of the loops and switches among them.
    breakable: Vec<Block>,
    /// The headers of the loops among them.
    loops: Vec<Block>,
    depth: usize,
    /// Number of blocks in the comment line that is being written.
    blocks: u32,
    /// True if the last line closed a loop's brace on behalf of its continue part.
    closed: bool,
}

impl Printer<'_, '_, '_> {
    fn print(mut self) -> fmt::Result {
        let nodes = &self.pretty.tree.nodes;
        let mut next = 0;
        loop {
            while let Some(&node) = self.open.last()
                && node.end as usize == next
            {
                self.open.pop();
                self.close(node)?;
            }
            let Some(&node) = nodes.get(next) else { break };
            next = self.node(node, next)?;
        }
        self.end_blocks()
    }

    /// Prints a node up to its children; returns the index of the next node to print.
    fn node(&mut self, node: Node, index: usize) -> Result<usize, fmt::Error> {
        if let Kind::Block(block) = node.kind {
            self.block(block)?;
            return Ok(index + 1);
        }
        self.end_blocks()?;
        match node.kind {
            Kind::If { condition, .. } => {
                self.start()?;
                self.label(index)?;
                self.out.write_str("if ")?;
                self.condition(condition)?;
                self.out.write_str(" {")?;
                if let Some(jump) = self.only_jump(node, index) {
                    self.out.write_char(' ')?;
                    self.jump(jump)?;
                    self.out.write_str(" }\n")?;
                    return Ok(node.end as usize);
                }
                self.out.write_char('\n')?;
            }
            Kind::Else => self.line("} else {")?,
            Kind::Loop { header, hint } => {
                self.start()?;
                self.label(index)?;
                let hint = match hint {
                    LoopHint::None => String::new(),
                    LoopHint::Unroll => " [unroll]".to_owned(),
                    LoopHint::DontUnroll => " [loop]".to_owned(),
                    LoopHint::UnrollCount(count) => format!(" [unroll({count})]"),
                };
                writeln!(self.out, "loop{hint} {{")?;
                self.breakable.push(header);
                self.loops.push(header);
            }
            Kind::ContinuePart => {
                if let Some(names) = self.only_blocks(node, index) {
                    self.start()?;
                    writeln!(self.out, "}} // continues with{names}")?;
                    self.closed = true;
                    return Ok(node.end as usize);
                }
                self.line("} continue {")?;
            }
            Kind::Switch { header, value } => {
                self.start()?;
                self.label(index)?;
                let is_block = self.pretty.tree.is_breakable_block(index);
                if is_block && self.has_labels() {
                    self.out.write_str("block {\n")?;
                } else if is_block {
                    writeln!(self.out, "block {header} {{")?;
                } else {
                    writeln!(self.out, "switch {} {{", self.pretty.branch_operand(value))?;
                }
                // A labelled block is exited by its label only.
                if !is_block || !self.has_labels() {
                    self.breakable.push(header);
                }
            }
            Kind::Case { default, .. } => {
                // The case of a breakable block follows its switch.
                if !index
                    .checked_sub(1)
                    .is_some_and(|before| self.pretty.tree.is_breakable_block(before))
                {
                    self.case(node, default)?;
                }
            }
            Kind::Then | Kind::Body | Kind::Block(_) => {}
            _ => {
                self.start()?;
                self.jump(node.kind)?;
                self.out.write_char('\n')?;
                return Ok(index + 1);
            }
        }
        if matches!(
            node.kind,
            Kind::Then | Kind::Else | Kind::Body | Kind::ContinuePart | Kind::Case { .. }
        ) {
            self.depth += 1;
        }
        self.open.push(node);
        Ok(index + 1)
    }

    /// Prints the end of a node.
    fn close(&mut self, node: Node) -> fmt::Result {
        self.end_blocks()?;
        match node.kind {
            Kind::Then | Kind::Else | Kind::Body | Kind::ContinuePart | Kind::Case { .. } => {
                self.depth -= 1;
            }
            Kind::If { .. } => return self.line("}"),
            Kind::Switch { header, .. } => {
                self.breakable.pop_if(|last| *last == header);
                return self.line("}");
            }
            Kind::Loop { .. } => {
                self.breakable.pop();
                self.loops.pop();
                // A continue part of one line has closed the brace.
                if !core::mem::take(&mut self.closed) {
                    return self.line("}");
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the names of the blocks of a node that holds nothing else to show.
    fn only_blocks(&self, node: Node, index: usize) -> Option<String> {
        let nodes = self.pretty.tree.nodes.get(index + 1..node.end as usize)?;
        let mut names = String::new();
        for node in nodes {
            let Kind::Block(block) = node.kind else {
                return None;
            };
            if self.pretty.has_lines(block) {
                return None;
            }
            write!(names, " {}", self.pretty.block(block)).ok()?;
        }
        Some(names)
    }

    /// Returns the jump that is all that an `If` holds.
    fn only_jump(&self, node: Node, index: usize) -> Option<Kind> {
        match self.pretty.tree.nodes.get(index + 1..node.end as usize)? {
            [then, jump]
                if then.kind == Kind::Then
                    && !matches!(jump.kind, Kind::Block(_) | Kind::If { .. } | Kind::Else) =>
            {
                Some(jump.kind)
            }
            _ => None,
        }
    }

    fn case(&mut self, node: Node, default: bool) -> fmt::Result {
        self.start()?;
        for (index, literal) in self.pretty.tree.literals(node.kind).iter().enumerate() {
            write!(
                self.out,
                "{}{literal}",
                if index == 0 { "case " } else { ", " }
            )?;
        }
        let literals = !self.pretty.tree.literals(node.kind).is_empty();
        self.out.write_str(match (literals, default) {
            (true, true) => ", default:\n",
            (false, true) => "default:\n",
            _ => ":\n",
        })
    }

    /// Writes a statement that ends a sequence.
    fn jump(&mut self, kind: Kind) -> fmt::Result {
        match kind {
            Kind::Continue(header) if self.has_labels() && self.loops.last() != Some(&header) => {
                write!(self.out, "continue '{header}")
            }
            Kind::Break(header) if self.breakable.last() == Some(&header) => {
                self.out.write_str("break")
            }
            Kind::Break(header) if self.has_labels() => write!(self.out, "break '{header}"),
            Kind::Break(_) => self.out.write_str("break loop"),
            Kind::Continue(_) => self.out.write_str("continue"),
            Kind::FallThrough(to) if self.next_case() == Some(to) => {
                self.out.write_str("(falls through)")
            }
            Kind::FallThrough(to) => write!(self.out, "(falls through to {to})"),
            Kind::Return(None) => self.out.write_str("return"),
            Kind::Return(Some(value)) => write!(self.out, "return {}", self.pretty.value(value)),
            Kind::Kill => self.out.write_str("kill"),
            Kind::Exit(payload) => write!(self.out, "kill {payload}"),
            Kind::Unreachable => self.out.write_str("unreachable"),
            Kind::Goto(to) => write!(self.out, "goto {to}"),
            _ => Ok(()),
        }
    }

    /// Returns whether jumps may lead out of several constructs, so that these have labels.
    fn has_labels(&self) -> bool {
        self.pretty.tree.structured.target.multi_level
    }

    /// Writes a construct's label, if a jump names it.
    fn label(&mut self, index: usize) -> fmt::Result {
        match self.pretty.tree.label(index) {
            Some(header) if self.has_labels() => write!(self.out, "'{header}: "),
            _ => Ok(()),
        }
    }

    /// Returns the target of the case after the innermost open one.
    fn next_case(&self) -> Option<Block> {
        let case = self
            .open
            .iter()
            .rfind(|node| matches!(node.kind, Kind::Case { .. }))?;
        match self.pretty.tree.nodes.get(case.end as usize)?.kind {
            Kind::Case { target, .. } => Some(target),
            _ => None,
        }
    }

    // ---- blocks ---------------------------------------------------------------------------------

    /// Blocks that print no lines share a comment.
    fn block(&mut self, block: Block) -> fmt::Result {
        if self.blocks == 0 {
            self.start()?;
            self.out.write_str("//")?;
        }
        write!(self.out, " {}", self.pretty.block(block))?;
        self.blocks += 1;
        if !self.pretty.has_lines(block) {
            return Ok(());
        }
        self.end_blocks()?;
        let pretty = self.pretty;
        let func = &pretty.tree.structured.func;
        for phi in func.phis(block).filter(|&phi| pretty.shows(phi)) {
            self.phi(func, phi)?;
        }
        // A selector test is shown by the `if` or the selects that read it.
        let operand = func.terminator(block).and_then(Terminator::value);
        let is_select = |&inst: &Inst| func.inst_kind(inst) == InstKind::Select;
        let select = func.insts(block).find(is_select);
        let chosen_by = select.and_then(|inst| func.uses(inst).first().copied());
        let is_operand = |inst| {
            let reads = |result| [operand, chosen_by].contains(&Some(result));
            matches!(func.inst_kind(inst), InstKind::SelectorTest { .. })
                && func.results(inst).any(reads)
        };
        for next in func.insts(block).map(Some).chain([None]) {
            if pretty.instructions {
                for line in pretty.names.lines(block, next) {
                    self.line(line)?;
                }
            }
            if let Some(inst) = next
                && pretty.shows_inst(inst)
                && !is_operand(inst)
            {
                self.inst(func, inst)?;
            }
        }
        Ok(())
    }

    fn end_blocks(&mut self) -> fmt::Result {
        if core::mem::take(&mut self.blocks) > 0 {
            self.out.write_char('\n')?;
        }
        Ok(())
    }

    fn phi(&mut self, func: &Function, phi: Value) -> fmt::Result {
        self.start()?;
        write!(self.out, "{} = ", self.pretty.value(phi))?;
        for (index, operand) in func.phi_operands(phi).enumerate() {
            let separator = if index > 0 { ", " } else { "" };
            write!(
                self.out,
                "{separator}{} from {}",
                self.pretty.value(operand.value),
                operand.pred
            )?;
        }
        self.out.write_char('\n')
    }

    fn inst(&mut self, func: &Function, inst: Inst) -> fmt::Result {
        self.start()?;
        if let Some(line) = self.pretty.names.instruction(inst) {
            return writeln!(self.out, "{line}");
        }
        for (index, result) in func.results(inst).enumerate() {
            write!(
                self.out,
                "{}{}",
                if index > 0 { ", " } else { "" },
                self.pretty.value(result)
            )?;
        }
        if func.results(inst).len() > 0 {
            self.out.write_str(" = ")?;
        }
        match (func.inst_kind(inst), func.uses(inst)) {
            (InstKind::SelectorTest { op, constant }, &[selector]) => {
                self.condition(Condition {
                    test: TestOf::Selector {
                        selector,
                        op,
                        constant,
                    },
                    negated: false,
                })?;
            }
            (InstKind::SelectorTest { .. }, _) => self.out.write_str("test")?,
            (InstKind::Select, &[cond, then, otherwise]) => {
                self.condition(self.pretty.tree.condition(cond, false))?;
                let [then, otherwise] = [then, otherwise].map(|value| self.pretty.value(value));
                write!(self.out, " ? {then} : {otherwise}")?;
            }
            (InstKind::Select, _) => self.out.write_str("select")?,
            (InstKind::Client(payload), uses) => {
                write!(self.out, "op{payload}(")?;
                for (index, &value) in uses.iter().enumerate() {
                    write!(
                        self.out,
                        "{}{}",
                        if index > 0 { ", " } else { "" },
                        self.pretty.value(value)
                    )?;
                }
                self.out.write_char(')')?;
                if func.effects(inst).contains(Effects::CONVERGENT) {
                    self.out.write_str(" // convergent")?;
                }
            }
        }
        self.out.write_char('\n')
    }

    fn condition(&mut self, condition: Condition) -> fmt::Result {
        match condition.test {
            TestOf::Value(value) => write!(
                self.out,
                "{}{}",
                if condition.negated { "!" } else { "" },
                self.pretty.branch_operand(value)
            ),
            TestOf::Selector {
                selector,
                op,
                constant,
            } => {
                write!(
                    self.out,
                    "{} {} {constant}",
                    self.pretty.value(selector),
                    sign(op, condition.negated)
                )
            }
        }
    }

    // ---- lines ----------------------------------------------------------------------------------

    fn start(&mut self) -> fmt::Result {
        for _ in 0..self.depth.min(DEEPEST) {
            self.out.write_str("    ")?;
        }
        if self.depth > DEEPEST {
            write!(self.out, "/* {} */ ", self.depth)?;
        }
        Ok(())
    }

    fn line(&mut self, text: &str) -> fmt::Result {
        self.start()?;
        self.out.write_str(text)?;
        self.out.write_char('\n')
    }
}

/// A value where it is read.
struct Operand<'a> {
    names: &'a dyn Names,
    func: &'a Function,
    value: Value,
}

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Operand { names, func, value } = *self;
        if let Some(name) = names.value(value) {
            return f.write_str(&name);
        }
        match func.has_value(value).then(|| func.value_kind(value)) {
            Some(ValueKind::SelectorConstant(number)) => write!(f, "{number}"),
            Some(ValueKind::BoolConstant(is_true)) => write!(f, "{is_true}"),
            Some(ValueKind::Undef) => f.write_str("undef"),
            _ => write!(f, "{value}"),
        }
    }
}

/// A value that a branch reads, and its expression.
struct BranchOperand<'a>(Operand<'a>, Option<Cow<'a, str>>);

impl Display for BranchOperand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.1 {
            Some(computation) => write!(f, "({computation})"),
            None => self.0.fmt(f),
        }
    }
}

fn sign(op: SelectorOp, negated: bool) -> &'static str {
    match (op, negated) {
        (SelectorOp::LessEqual, false) => "<=",
        (SelectorOp::LessEqual, true) => ">",
        (SelectorOp::Equal, false) => "==",
        (SelectorOp::Equal, true) => "!=",
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.test {
            TestOf::Value(value) => write!(f, "{}{value}", if self.negated { "!" } else { "" }),
            TestOf::Selector {
                selector,
                op,
                constant,
            } => write!(f, "{selector} {} {constant}", sign(op, self.negated)),
        }
    }
}

/// A block and its name.
struct Named<'a>(Block, Option<Cow<'a, str>>);

impl Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.1 {
            Some(name) => write!(f, "{} ({name})", self.0),
            None => self.0.fmt(f),
        }
    }
}
