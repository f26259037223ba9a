//! The body of a function: statements in structured control flow.

use std::collections::BTreeMap;

use trellis_dxil_frontend::module::{BlockId, Function, FunctionId, InstId, InstKind, ValueId};
use trellis_structurizer::ir::{self, SelectorOp};
use trellis_structurizer::tree::{Condition, Kind, TestOf};
use trellis_structurizer::{Structured, Tree};
use trellis_structurizer_analysis::variables::{Assignment, Source, Variable, Variables};

use crate::expr::not;
use crate::lower::Lowered;
use crate::plan::Plan;
use crate::resource::Declared;
use crate::slots::{Slot, source_names, votes};
use crate::text::Text;
use crate::types::{Expr, Scalar, prec};
use crate::{INDENT, Printer};

pub(crate) struct Body<'p, 'a> {
    pub(crate) p: &'p mut Printer<'a>,
    pub(crate) function: &'a Function,
    pub(crate) plan: &'p Plan,
    pub(crate) structured: &'p Structured,
    pub(crate) variables: &'p Variables,
    pub(crate) lowered: &'p Lowered,
    pub(crate) tree: &'p Tree<'p>,
    /// The values that the current statement reads.
    pub(crate) leaves: Vec<(ValueId, ir::Value)>,
    pub(crate) arguments: BTreeMap<ValueId, (String, Scalar)>,
    pub(crate) variables_in_memory: BTreeMap<InstId, String>,
    /// Resources of the heap.
    pub(crate) locals: BTreeMap<ValueId, Declared>,
    /// Number of components of each aggregate that are used.
    pub(crate) used: BTreeMap<ValueId, u32>,
    /// The values of each variable.
    pub(crate) members: BTreeMap<Variable, Vec<ir::Value>>,
    /// Variables, then values.
    pub(crate) slots: Vec<Slot>,
    /// Uses of a value by instructions and phis, and by terminators.
    pub(crate) uses: Vec<(u32, u32)>,
    /// The last instruction of each block.
    pub(crate) last: Vec<Option<ir::Inst>>,
    /// For each value how often it is used as a signed integer, less as an unsigned one.
    pub(crate) votes: Vec<i32>,
    pub(crate) source_names: BTreeMap<ValueId, String>,
    /// The block that is printed, and the instructions in the current statement.
    at: (FunctionId, BlockId),
    pub(crate) insts: Vec<InstId>,
    out: Text,
    depth: usize,
    /// The else part that the next line begins: where it ends.
    else_end: Option<usize>,
    /// The open selections that began in the line of an else.
    chained: Vec<usize>,
}

impl<'p, 'a> Body<'p, 'a> {
    pub(crate) fn new(
        p: &'p mut Printer<'a>,
        (id, function): (FunctionId, &'a Function),
        plan: &'p Plan,
        lowered: &'p Lowered,
        (structured, tree, variables): (&'p Structured, &'p Tree<'p>, &'p Variables),
        arguments: BTreeMap<ValueId, (String, Scalar)>,
    ) -> Self {
        let slots = variables.all().len() + structured.func.num_values();
        let mut this = Self {
            votes: votes(p.module, function, plan, &p.ops),
            source_names: source_names(p.module, function),
            p,
            function,
            plan,
            structured,
            variables,
            lowered,
            tree,
            leaves: Vec::new(),
            arguments,
            variables_in_memory: BTreeMap::new(),
            locals: BTreeMap::new(),
            used: BTreeMap::new(),
            members: BTreeMap::new(),
            slots: vec![Slot::default(); slots],
            uses: vec![(0, 0); structured.func.num_values()],
            last: vec![None; structured.func.num_blocks()],
            at: (id, BlockId::from_u32(0)),
            insts: Vec::new(),
            out: Text::default(),
            depth: 1,
            else_end: None,
            chained: Vec::new(),
        };
        for inst in function.insts.values() {
            if let InstKind::ExtractValue { aggregate, indices } = inst.kind
                && let Some(&index) = function.pool.get(indices.range()).and_then(<[u32]>::first)
            {
                let used = this.used.entry(aggregate).or_insert(1);
                *used = (*used).max(index.min(3) + 1);
            }
        }
        for value in structured.func.values() {
            if let Some(variable) = variables.variable(value) {
                this.members.entry(variable).or_default().push(value);
            }
        }
        this.count_uses();
        this
    }

    fn count_uses(&mut self) {
        let func = &self.structured.func;
        for &block in &self.structured.order {
            for inst in func.insts(block) {
                self.last[block.as_u32() as usize] = Some(inst);
                for &value in func.uses(inst) {
                    self.uses[value.as_u32() as usize].0 += 1;
                }
            }
            for phi in func.phis(block) {
                for operand in func.phi_operands(phi) {
                    self.uses[operand.value.as_u32() as usize].0 += 1;
                }
            }
            if let Some(value) = func.terminator(block).and_then(ir::Terminator::value) {
                self.uses[value.as_u32() as usize].1 += 1;
            }
        }
    }

    pub(crate) fn line(&mut self, text: &str) {
        if self.else_end.take().is_some() {
            self.line_at(self.depth - 1, "} else {");
        }
        self.line_at(self.depth, text);
    }

    fn line_at(&mut self, depth: usize, text: &str) {
        // Indentation without a limit would make the text of deep nesting quadratic.
        let line = INDENT.repeat(depth.min(40)) + text;
        self.out.line(&line, self.at, &self.insts);
    }

    /// Prints the body.
    pub(crate) fn print(mut self) -> Text {
        self.find_scopes();
        let mut arrays = Vec::new();
        for (id, inst) in self.function.insts.iter() {
            if let InstKind::Alloca { ty, .. } = inst.kind {
                let name = inst
                    .result
                    .expand()
                    .and_then(|v| self.source_names.get(&v))
                    .cloned();
                let name = self.p.names.add(name.as_deref().unwrap_or("array"));
                arrays.push(format!("{};", self.p.declare_variable(ty, &name)));
                self.variables_in_memory.insert(id, name);
            }
        }
        self.walk();
        let mut text = Text::default();
        for array in arrays {
            text.push(&format!("{INDENT}{array}\n"));
        }
        for slot in &self.slots {
            if !slot.name.is_empty() && !slot.is_inline && slot.first.is_some() {
                text.push(&format!("{INDENT}{} {};\n", slot.type_name, slot.name));
            }
        }
        text.append(self.out);
        text
    }

    fn walk(&mut self) {
        let tree = self.tree;
        let nodes = tree.nodes();
        let mut open: Vec<(usize, usize)> = Vec::new();
        let (mut at, mut skipped_else) = (0, usize::MAX);
        loop {
            self.insts.clear();
            while let Some((_, node)) = open.pop_if(|o| o.0 <= at) {
                self.close(node);
            }
            let Some(node) = nodes.get(at) else {
                return;
            };
            let end = node.end as usize;
            match node.kind {
                Kind::Block(block) => {
                    self.at.1 = BlockId::from_u32(block.as_u32());
                    self.block(block);
                }
                Kind::If { condition, .. } => {
                    let (first, _) = self.variables.on_arms(tree, node.kind);
                    let then = at + 1;
                    let then_end = nodes.get(then).map_or(end, |then| then.end as usize);
                    let mut cond = self.condition(condition);
                    if first.is_empty() && then_end == then + 1 && then_end < end {
                        // Only the other part has statements.
                        cond = not(cond);
                        self.open_if(&cond, then, end);
                        open.push((end, then));
                        let (_, second) = self.variables.on_arms(tree, node.kind);
                        let second = second.to_vec();
                        self.copies(&second);
                        skipped_else = then_end;
                        at = then_end;
                        continue;
                    }
                    self.open_if(&cond, at, end);
                    open.push((end, at));
                    let first = first.to_vec();
                    self.copies(&first);
                }
                Kind::Else if at != skipped_else => {
                    self.else_end = Some(end);
                    if let Some(&(_, node)) = open.last() {
                        let (_, second) = self.variables.on_arms(tree, nodes[node].kind);
                        let second = second.to_vec();
                        self.copies(&second);
                    }
                }
                Kind::Loop { hint, .. } => {
                    if hint == ir::LoopHint::DontUnroll {
                        self.line("[loop]");
                    }
                    self.line("while (true) {");
                    self.depth += 1;
                    open.push((end, at));
                }
                Kind::ContinuePart => open.push((end, at)),
                Kind::Switch { value, .. } => {
                    let text = match tree.is_breakable_block(at) {
                        // A breakable block is a switch for its breaks alone.
                        true => "0u".to_owned(),
                        false => {
                            let value = self.branch_value(value);
                            if value.ty.bytes() == 8 {
                                self.p.note("a switch on a number of 64 bits");
                            }
                            value.text
                        }
                    };
                    self.line(&format!("switch ({text}) {{"));
                    self.depth += 1;
                    open.push((end, at));
                }
                Kind::Case { default, .. } => {
                    let signed = self.case_sign(&open);
                    let mut labels = Vec::new();
                    for &literal in tree.literals(node.kind) {
                        let text = if signed {
                            (literal as u32 as i32).to_string()
                        } else {
                            format!("{literal}u")
                        };
                        labels.push(format!("case {text}:"));
                    }
                    if default {
                        labels.push("default:".to_owned());
                    }
                    let last = labels.pop();
                    for label in &labels {
                        self.line(label);
                    }
                    self.line(&format!("{} {{", last.unwrap_or_default()));
                    self.depth += 1;
                    open.push((end, at));
                }
                Kind::Break(_) => self.line("break;"),
                Kind::Continue(header) => {
                    let copies = self.continue_copies(header);
                    self.copies(&copies);
                    self.line("continue;");
                }
                Kind::Return(value) => {
                    let is_last = end == nodes.len() && open.is_empty();
                    match value {
                        Some(value) => {
                            let value = self.branch_value(value).text;
                            self.line(&format!("return {value};"));
                        }
                        None if is_last => {}
                        None => self.line("return;"),
                    }
                }
                Kind::Kill => self.line("discard;"),
                Kind::FallThrough(_) | Kind::Goto(_) | Kind::Exit(_) => {
                    self.p.note("a jump");
                    self.line("UNWRITTEN(\"a jump\");");
                }
                Kind::Then | Kind::Else | Kind::Body | Kind::Unreachable => {}
            }
            at += 1;
        }
    }

    /// Returns whether nodes are blocks without statements.
    fn prints_nothing(&self, start: usize, end: usize) -> bool {
        let nodes = self.tree.nodes().get(start..end).unwrap_or_default();
        nodes.iter().all(|node| match node.kind {
            Kind::Block(block) => {
                let is_empty = self.structured.func.insts(block).next().is_none();
                is_empty && self.variables.at_end(block).is_empty()
            }
            _ => false,
        })
    }

    /// Begins a selection: in the line of the else around it, if that has nothing else.
    fn open_if(&mut self, cond: &Expr, node: usize, end: usize) {
        if self
            .else_end
            .is_some_and(|around| self.prints_nothing(end, around))
        {
            self.else_end = None;
            let text = format!("}} else if ({}) {{", cond.text);
            self.line_at(self.depth - 1, &text);
            self.chained.push(node);
        } else {
            self.line(&format!("if ({}) {{", cond.text));
            self.depth += 1;
        }
    }

    fn case_sign(&self, open: &[(usize, usize)]) -> bool {
        let value = open
            .iter()
            .rev()
            .find_map(|o| match self.tree.nodes()[o.1].kind {
                Kind::Switch { value, .. } => Some(value),
                _ => None,
            });
        let index = value.map(|value| self.slot_index(self.variables.source(value)));
        index.is_some_and(|index| self.slots[index].ty == Some(crate::types::INT))
    }

    fn close(&mut self, node: usize) {
        let nodes = self.tree.nodes();
        let kind = nodes[node].kind;
        match kind {
            Kind::If { .. } => {
                // It has no statement.
                self.else_end = None;
                let (_, second) = self.variables.on_arms(self.tree, kind);
                let second = second.to_vec();
                let has_else = self.tree.children(node).count() > 1;
                if !has_else && !second.is_empty() {
                    self.depth -= 1;
                    self.line("} else {");
                    self.depth += 1;
                    self.copies(&second);
                }
            }
            Kind::ContinuePart => return,
            Kind::Case { .. } => {
                let last = self.tree.children(node).last().map(|last| nodes[last].kind);
                let is_jump = matches!(
                    last,
                    Some(Kind::Break(_) | Kind::Continue(_) | Kind::Return(_) | Kind::Kill)
                );
                if !is_jump {
                    self.line("break;");
                }
            }
            _ => {}
        }
        // The else that it is in the line of has the brace.
        if self.chained.pop_if(|last| *last == node).is_none() {
            self.depth -= 1;
            self.line("}");
        }
    }

    pub(crate) fn copies(&mut self, copies: &[Assignment]) {
        for copy in copies {
            self.insts.clear();
            let from = match copy.from {
                Source::Value(value) => self.read(value),
                from @ Source::Variable(_) => {
                    let (name, ty) = self.slot_name(from);
                    Expr::atom(name, ty)
                }
            };
            let to = Source::Variable(copy.to);
            let ty = self.slot_name(to).1;
            let target = self.target(to);
            let value = if from.ty.is_int() && ty.is_int() && from.is_literal {
                from.cast(ty)
            } else {
                from
            };
            self.line(&format!("{target} = {};", value.text));
        }
    }

    fn condition(&mut self, condition: Condition) -> Expr {
        let test = match condition.test {
            TestOf::Value(value) => self.branch_value(value),
            TestOf::Selector {
                selector,
                op,
                constant,
            } => {
                let selector = self.read(selector).text;
                let sign = match op {
                    SelectorOp::LessEqual => "<=",
                    SelectorOp::Equal => "==",
                };
                Expr::new(
                    format!("{selector} {sign} {constant}u"),
                    prec::RELATION,
                    Scalar::Bool,
                )
            }
        };
        if condition.negated { not(test) } else { test }
    }

    /// Returns a value that a branch reads.
    fn branch_value(&mut self, value: ir::Value) -> Expr {
        match self.printed_at_branch(value) {
            Some(inst) => self.inst_expr(inst),
            None => self.read(value),
        }
    }
}
