//! Control flow: where each jump leads.

use std::collections::BTreeMap;

use trellis_dxbc_frontend::tokens::{Instruction, ItemKind, Op, Operand, OperandType, Program};

use crate::{Error, Result, Shader, Thread};

/// The items that jumps need, by the numbers of items.
pub(crate) struct Flow {
    /// Of `else`, the ends of scopes, `break` and `continue`: the start of their scope.
    start: Vec<usize>,
    /// Of the starts of scopes: their end; of an `if` with an `else` that.
    end: Vec<usize>,
    /// Cases by switch and value, and the default cases.
    cases: BTreeMap<(usize, Option<u32>), usize>,
    labels: BTreeMap<u32, usize>,
}

impl Flow {
    /// Finds the scopes of a program.
    pub(crate) fn new(program: &Program) -> Result<Self> {
        let none = vec![0; program.items.len()];
        let mut flow = Self {
            start: none.clone(),
            end: none,
            cases: BTreeMap::new(),
            labels: BTreeMap::new(),
        };
        // Starts of scopes, with their opcode.
        let mut open: Vec<(Op, usize)> = Vec::new();
        for (at, item) in program.items.iter().enumerate() {
            let innermost = |fits: &dyn Fn(Op) -> bool| {
                let found = open.iter().rev().find(|(op, _)| fits(*op));
                found.map(|(_, at)| *at).ok_or(Error::Invalid("no scope"))
            };
            let first = match item.kind {
                ItemKind::Instruction(inst) => program.operands(&inst).first(),
                ItemKind::Declaration(_) => None,
            };
            match item.op {
                Op::If | Op::Loop | Op::Switch => open.push((item.op, at)),
                Op::Else => {
                    let start = innermost(&|op| op == Op::If)?;
                    // The `else` is the end of the `if` and the start of another scope.
                    (flow.end[start], flow.start[at]) = (at, start);
                    open.pop();
                    open.push((Op::If, at));
                }
                Op::Endif | Op::Endloop | Op::Endswitch => {
                    let (_, start) = open.pop().ok_or(Error::Invalid("no scope"))?;
                    (flow.end[start], flow.start[at]) = (at, start);
                }
                Op::Break | Op::Breakc => {
                    flow.start[at] = innermost(&|op| matches!(op, Op::Loop | Op::Switch))?;
                }
                Op::Continue | Op::Continuec => flow.start[at] = innermost(&|op| op == Op::Loop)?,
                Op::Case => {
                    let start = innermost(&|op| op == Op::Switch)?;
                    let value = first.map(|operand| operand.immediate[0]);
                    flow.cases.insert((start, value), at);
                }
                Op::Default => {
                    flow.cases
                        .insert((innermost(&|op| op == Op::Switch)?, None), at);
                }
                Op::Label => {
                    let label = first.and_then(Operand::register);
                    flow.labels.extend(label.map(|label| (label, at)));
                }
                _ => {}
            }
        }
        Ok(flow)
    }

    /// Executes a jump; returns whether the opcode is one.
    pub(crate) fn step(
        &self,
        shader: &Shader<'_>,
        op: Op,
        inst: &Instruction,
        at: usize,
        thread: &mut Thread,
    ) -> Result<bool> {
        let operands = shader.program.operands(inst);
        let value = |thread: &Thread| match operands.first() {
            Some(operand) => shader.source(operand, OperandType::Uint, 0, thread),
            None => Ok(0),
        };
        let is_conditional = matches!(
            op,
            Op::If | Op::Breakc | Op::Continuec | Op::Retc | Op::Callc
        );
        let holds = !is_conditional || (value(thread)? != 0) == inst.nonzero;
        let start = self.start[at];
        match op {
            Op::If if !holds => thread.next = Some(self.end[at] + 1),
            Op::Breakc | Op::Continuec | Op::Retc | Op::Callc if !holds => {}
            Op::Else => thread.next = Some(self.end[at] + 1),
            Op::Endloop | Op::Continue | Op::Continuec => thread.next = Some(start + 1),
            Op::Break | Op::Breakc => thread.next = Some(self.end[start] + 1),
            Op::Switch => {
                let case = self.cases.get(&(at, Some(value(thread)?)));
                let case = case.or_else(|| self.cases.get(&(at, None)));
                thread.next = Some(case.copied().unwrap_or(self.end[at]) + 1);
            }
            Op::Call | Op::Callc => {
                let label = operands.last().and_then(Operand::register);
                let body = label.and_then(|label| self.labels.get(&label));
                thread.calls.push(at + 1);
                thread.next = Some(*body.ok_or(Error::Invalid("no label"))?);
            }
            Op::Ret | Op::Retc => thread.next = thread.calls.pop(),
            Op::If
            | Op::Endif
            | Op::Loop
            | Op::Endswitch
            | Op::Case
            | Op::Default
            | Op::Label
            | Op::Nop
            | Op::Sync => {}
            _ => return Ok(false),
        }
        Ok(true)
    }
}
