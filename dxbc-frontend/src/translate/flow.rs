//! Control flow: the walk over the instructions.
//!
//! Scopes are on a stack. A call continues at the called label and returns at the end of its body,
//! so a body is translated once per call. D3D limits the depth of calls, and forbids recursion.

use rustc_hash::{FxHashMap, FxHashSet};
use trellis_dxil_frontend::module::{BinaryOp, BlockId, FunctionId, Predicate};
use trellis_dxil_frontend::shader::ShaderKind;

use super::{Translator, limit, too_large};
use crate::build::{Overload, Value};
use crate::error::{Error, ProgramErrorKind};
use crate::tokens::{Declaration, Instruction, ItemKind, Op, OpKind, Operand, RegisterFile};

/// D3D's limit of the depth of calls.
const MAX_CALLS: usize = 32;
/// D3D's limit of nested scopes, 64 in each body, for the most calls.
const MAX_SCOPES: usize = 64 * (MAX_CALLS + 1);
/// Methods of interfaces, whose classes D3D11 takes with the shader.
pub(super) const CLASS_LINKAGE: &str = "class linkage: Direct3D 12 has no class instances";
/// The variable that has the number of the instance of a hull shader's phase.
pub(super) const INSTANCE: u32 = 1 << 24;

/// State of the walk, and results of the scan before it.
#[derive(Default)]
pub(super) struct Flow {
    /// `if`s that have an `else`.
    with_else: FxHashSet<usize>,
    /// Labels of switches.
    switches: FxHashMap<usize, Cases>,
    /// Ifs and switches whose ends were not scanned yet.
    open: Vec<usize>,
    /// The item after each label.
    labels: FxHashMap<u32, usize>,
    scopes: Vec<Scope>,
    /// Number of calls among the scopes.
    calls: usize,
    /// Items that were translated, and labels of switches.
    steps: usize,
}

/// The labels of a switch in order.
#[derive(Default, Clone)]
struct Cases {
    /// Place of each label's group: labels with no instruction between them are one group. `None`
    /// for `default`.
    labels: Vec<(Option<u32>, usize)>,
    groups: usize,
    /// The item after the last label.
    next: usize,
}

enum Scope {
    If {
        else_: Option<BlockId>,
        end: BlockId,
    },
    Loop {
        head: BlockId,
        end: BlockId,
    },
    Switch {
        /// Blocks of groups that were not begun yet, last first, and the labels of each.
        groups: Vec<BlockId>,
        /// The groups of labels to come, last first.
        labels: Vec<usize>,
        current: Option<usize>,
        end: BlockId,
    },
    Call {
        return_to: usize,
        end: BlockId,
    },
    /// A phase of a hull shader's patch-constant function.
    Phase {
        head: Option<BlockId>,
        end: BlockId,
        instances: u32,
    },
}

impl Translator<'_> {
    /// Notes the structure of an instruction, before the walk.
    pub(super) fn scan(&mut self, at: usize, inst: &Instruction) -> Result<(), Error> {
        match self.item.op {
            Op::If => self.flow.open.push(at),
            Op::Switch => {
                self.flow.open.push(at);
                self.flow.switches.insert(at, Cases::default());
            }
            Op::Else => {
                if let Some(&open) = self.flow.open.last() {
                    self.flow.with_else.insert(open);
                }
            }
            Op::Endif | Op::Endswitch => {
                self.flow.open.pop();
            }
            Op::Case | Op::Default => {
                let value = match self.item.op {
                    Op::Case => Some(self.case_value(self.operand(inst, 0)?)?),
                    _ => None,
                };
                let open = self.flow.open.last();
                let Some(cases) = open.and_then(|open| self.flow.switches.get_mut(open)) else {
                    return Err(self.invalid("a label outside of a switch"));
                };
                if cases.next != at {
                    cases.groups += 1;
                }
                cases.next = at + 1;
                cases.labels.push((value, cases.groups - 1));
            }
            Op::Label => {
                let label = self.operand(inst, 0)?;
                if label.file == RegisterFile::Label {
                    let number = label.register().unwrap_or(u32::MAX);
                    self.flow.labels.insert(number, at + 1);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn case_value(&self, operand: &Operand) -> Result<u32, Error> {
        match operand.file {
            RegisterFile::Immediate32 => Ok(operand.immediate[0]),
            _ => Err(self.invalid("a case without an immediate value")),
        }
    }

    /// Translates all functions; returns the entry point's, if it has one.
    pub(super) fn walk(&mut self) -> Result<Option<FunctionId>, Error> {
        let is_hull = self.program.kind == ShaderKind::Hull;
        let mut entry = None;
        if !is_hull {
            entry = Some(self.b.begin_function("main"));
        }
        let limit = limit(self.program);
        let mut at = 0;
        loop {
            let item = self.program.items.get(at);
            let item = match item {
                Some(item) if item.op != Op::Label => item,
                _ => match self.return_from_call()? {
                    Some(to) => {
                        at = to;
                        continue;
                    }
                    None => break,
                },
            };
            self.item = *item;
            self.flow.steps += 1;
            if self.flow.steps > limit || self.b.is_too_large() {
                return Err(self.error(too_large(self.program)));
            }
            at = match &item.kind {
                ItemKind::Declaration(Declaration::HullPhase) => {
                    self.begin_phase(at, &mut entry)?;
                    at + 1
                }
                ItemKind::Declaration(declaration) => {
                    self.declare_array(declaration)?;
                    at + 1
                }
                ItemKind::Instruction(inst) => {
                    if !self.b.is_in_function() {
                        return Err(self.invalid("an instruction before a phase"));
                    }
                    let place = self.b.place();
                    let next = self.step(at, inst)?;
                    // An `else` after a jump is in its own block.
                    let place = place.or_else(|| self.b.place());
                    { &mut self.places }.extend(place.map(|(id, block)| (at, id, block)));
                    next
                }
            };
        }
        self.end_phase()?;
        if self.b.is_in_function() {
            self.b.end_function();
        }
        Ok(entry)
    }

    /// Ends the body of the innermost call; returns the place to continue at.
    fn return_from_call(&mut self) -> Result<Option<usize>, Error> {
        match self.flow.scopes.pop() {
            Some(Scope::Call { return_to, end }) => {
                self.flow.calls -= 1;
                self.begin_sealed(end);
                Ok(Some(return_to))
            }
            Some(phase @ Scope::Phase { .. }) => {
                self.flow.scopes.push(phase);
                Ok(None)
            }
            Some(_) => Err(self.invalid("a scope that is not ended")),
            None => Ok(None),
        }
    }

    /// Translates an instruction; returns the place of the next one.
    fn step(&mut self, at: usize, inst: &Instruction) -> Result<usize, Error> {
        let op = self.item.op;
        let is_reached = self.b.is_reached();
        match op {
            Op::If => self.begin_if(at, inst)?,
            Op::Else => match self.flow.scopes.last_mut() {
                Some(Scope::If { else_, end }) if else_.is_some() => {
                    let (else_, end) = (else_.take(), *end);
                    self.b.br(end);
                    if let Some(else_) = else_ {
                        self.begin_sealed(else_);
                    }
                }
                _ => return Err(self.invalid("an else without an if")),
            },
            Op::Endif => match self.flow.scopes.pop() {
                Some(Scope::If { else_: None, end }) => self.begin_sealed(end),
                _ => return Err(self.invalid("an endif without an if")),
            },
            Op::Loop => {
                let (head, end) = (self.b.new_block(), self.b.new_block());
                self.b.begin(head);
                self.open_scope(Scope::Loop { head, end })?;
            }
            Op::Endloop => match self.flow.scopes.pop() {
                Some(Scope::Loop { head, end }) => {
                    self.b.br(head);
                    self.b.seal(head);
                    self.begin_sealed(end);
                }
                _ => return Err(self.invalid("an endloop without a loop")),
            },
            Op::Switch => self.begin_switch(at, inst)?,
            Op::Case | Op::Default => self.begin_case()?,
            Op::Endswitch => match self.flow.scopes.pop() {
                Some(Scope::Switch { end, .. }) => self.begin_sealed(end),
                _ => return Err(self.invalid("an endswitch without a switch")),
            },
            Op::Break | Op::Continue => {
                let to = self.target(op == Op::Continue)?;
                self.b.br(to);
            }
            Op::Breakc | Op::Continuec => {
                let to = self.target(op == Op::Continuec)?;
                self.branch_if(inst, to)?;
            }
            Op::Ret => match self.return_target() {
                Some(end) => self.b.br(end),
                None => self.b.ret(),
            },
            Op::Retc => match self.return_target() {
                Some(end) => self.branch_if(inst, end)?,
                None => {
                    let (then, end) = (self.b.new_block(), self.b.new_block());
                    self.cond_br(inst, then, end)?;
                    self.begin_sealed(then);
                    self.b.ret();
                    self.begin_sealed(end);
                }
            },
            Op::Call if is_reached => {
                let end = self.b.new_block();
                return self.call(at, self.operand(inst, 0)?, end);
            }
            Op::Callc if is_reached => {
                let (then, end) = (self.b.new_block(), self.b.new_block());
                self.cond_br(inst, then, end)?;
                self.begin_sealed(then);
                return self.call(at, self.operand(inst, 1)?, end);
            }
            Op::Fcall => return Err(self.unsupported(CLASS_LINKAGE)),
            _ if op.info().kind == OpKind::Instruction && is_reached => {
                self.instruction(op, inst)?;
            }
            _ => {}
        }
        Ok(at + 1)
    }

    fn open_scope(&mut self, scope: Scope) -> Result<(), Error> {
        if self.flow.scopes.len() == MAX_SCOPES {
            return Err(self.error(ProgramErrorKind::Limit {
                what: "nested scopes",
                count: MAX_SCOPES as u64 + 1,
                limit: MAX_SCOPES as u64,
            }));
        }
        self.flow.scopes.push(scope);
        Ok(())
    }

    /// Begins a block to which no further branch will lead.
    pub(super) fn begin_sealed(&mut self, block: BlockId) {
        self.b.begin(block);
        self.b.seal(block);
    }

    /// Returns whether the operand of a conditional instruction is not 0.
    fn nonzero(&mut self, inst: &Instruction) -> Result<Value, Error> {
        let value = self.source(self.operand(inst, 0)?, 0, Overload::I32)?;
        Ok(self.b.is_nonzero(value))
    }

    /// Returns the condition of an instruction: that its operand is 0, or that it is not.
    pub(super) fn condition(&mut self, inst: &Instruction) -> Result<Value, Error> {
        let nonzero = self.nonzero(inst)?;
        if inst.nonzero {
            return Ok(nonzero);
        }
        let true_ = self.b.bool(true);
        Ok(self.b.binary(BinaryOp::Xor, nonzero, true_))
    }

    fn cond_br(&mut self, inst: &Instruction, then: BlockId, else_: BlockId) -> Result<(), Error> {
        let nonzero = self.nonzero(inst)?;
        match inst.nonzero {
            true => self.b.cond_br(nonzero, then, else_),
            false => self.b.cond_br(nonzero, else_, then),
        }
        Ok(())
    }

    fn branch_if(&mut self, inst: &Instruction, to: BlockId) -> Result<(), Error> {
        let next = self.b.new_block();
        self.cond_br(inst, to, next)?;
        self.begin_sealed(next);
        Ok(())
    }

    fn begin_if(&mut self, at: usize, inst: &Instruction) -> Result<(), Error> {
        let (then, end) = (self.b.new_block(), self.b.new_block());
        let has_else = self.flow.with_else.contains(&at);
        let else_ = has_else.then(|| self.b.new_block());
        self.cond_br(inst, then, else_.unwrap_or(end))?;
        self.begin_sealed(then);
        self.open_scope(Scope::If { else_, end })
    }

    fn begin_switch(&mut self, at: usize, inst: &Instruction) -> Result<(), Error> {
        let selector = self.source(self.operand(inst, 0)?, 0, Overload::I32)?;
        let end = self.b.new_block();
        let empty = Cases::default();
        let cases = self.flow.switches.get(&at).unwrap_or(&empty);
        self.flow.steps += cases.labels.len();
        let groups: Vec<BlockId> = (0..cases.groups).map(|_| self.b.new_block()).collect();
        let mut default = end;
        let mut targets = Vec::with_capacity(cases.labels.len());
        for &(value, group) in &cases.labels {
            match value {
                Some(value) => targets.push((value, groups[group])),
                None => default = groups[group],
            }
        }
        let labels = cases.labels.iter().rev().map(|label| label.1).collect();
        let mut seen = FxHashSet::default();
        if !targets.iter().all(|target| seen.insert(target.0)) {
            return Err(self.invalid("two cases have one value"));
        }
        self.b.switch(selector, default, &targets);
        self.open_scope(Scope::Switch {
            groups,
            labels,
            current: None,
            end,
        })
    }

    fn begin_case(&mut self) -> Result<(), Error> {
        let Some(Scope::Switch {
            groups,
            labels,
            current,
            ..
        }) = self.flow.scopes.last_mut()
        else {
            return Err(self.invalid("a label outside of a switch"));
        };
        let group = labels.pop();
        if group != *current
            && let Some(&block) = group.and_then(|group| groups.get(group))
        {
            *current = group;
            self.begin_sealed(block);
        }
        Ok(())
    }

    /// Returns the block that a `break` or `continue` branches to.
    fn target(&self, is_continue: bool) -> Result<BlockId, Error> {
        for scope in self.flow.scopes.iter().rev() {
            match *scope {
                Scope::Loop { head, .. } if is_continue => return Ok(head),
                Scope::Loop { end, .. } | Scope::Switch { end, .. } if !is_continue => {
                    return Ok(end);
                }
                Scope::Call { .. } | Scope::Phase { .. } => break,
                _ => {}
            }
        }
        Err(self.invalid("it is not in a loop or switch"))
    }

    /// Returns the block that a `ret` branches to; `None` if it returns from the function.
    fn return_target(&self) -> Option<BlockId> {
        self.flow.scopes.iter().rev().find_map(|scope| match scope {
            Scope::Call { end, .. } | Scope::Phase { end, .. } => Some(*end),
            _ => None,
        })
    }

    /// Begins a call, after which control continues at `end`.
    fn call(&mut self, at: usize, label: &Operand, end: BlockId) -> Result<usize, Error> {
        let number = label.register();
        let body = number.and_then(|number| self.flow.labels.get(&number));
        let Some(&body) = body else {
            return Err(self.invalid("the label does not exist"));
        };
        if self.flow.calls == MAX_CALLS {
            return Err(self.invalid("more than 32 nested calls"));
        }
        let return_to = at + 1;
        self.flow.calls += 1;
        self.open_scope(Scope::Call { return_to, end })?;
        Ok(body)
    }

    /// Begins a phase of a hull shader: the control points are a function, all other phases are
    /// one.
    fn begin_phase(&mut self, at: usize, entry: &mut Option<FunctionId>) -> Result<(), Error> {
        self.end_phase()?;
        self.arrays.clear();
        match self.item.op {
            Op::HsDecls => return Ok(()),
            Op::HsControlPointPhase => {
                if self.b.is_in_function() || entry.is_some() {
                    return Err(self.invalid("not the first phase"));
                }
                *entry = Some(self.b.begin_function("main"));
                return Ok(());
            }
            _ if !self.is_patch_constant() => {
                if self.b.is_in_function() {
                    self.b.end_function();
                }
                let function = self.b.begin_function("patch_constant");
                if let Some(hull) = &mut self.interface.properties.hull {
                    hull.patch_constant_function = Some(function);
                }
            }
            _ => {}
        }
        let instances = self.instances(at);
        let end = self.b.new_block();
        let zero = self.b.i32(0);
        self.b.write(INSTANCE, zero);
        let head = (instances > 1).then(|| {
            let head = self.b.new_block();
            self.b.begin(head);
            head
        });
        self.open_scope(Scope::Phase {
            head,
            end,
            instances,
        })
    }

    /// Returns the number of instances of the phase that begins at an item.
    fn instances(&self, at: usize) -> u32 {
        let mut declarations =
            self.program.items[at + 1..]
                .iter()
                .map_while(|item| match &item.kind {
                    ItemKind::Declaration(Declaration::HullPhase) => None,
                    ItemKind::Declaration(declaration) => Some(declaration),
                    ItemKind::Instruction(_) => None,
                });
        let count = declarations.find_map(|declaration| match *declaration {
            Declaration::PhaseInstances(count) => Some(count),
            _ => None,
        });
        count.unwrap_or(1)
    }

    /// Ends the phase, if one is open: continues with its next instance or after it.
    fn end_phase(&mut self) -> Result<(), Error> {
        match self.flow.scopes.pop() {
            None => Ok(()),
            Some(Scope::Phase {
                head,
                end,
                instances,
            }) => {
                self.begin_sealed(end);
                if let Some(head) = head {
                    let (one, count) = (self.b.i32(1), self.b.i32(instances));
                    let instance = self.b.read(INSTANCE);
                    let next = self.b.binary(BinaryOp::Add, instance, one);
                    self.b.write(INSTANCE, next);
                    let more = self.b.cmp(Predicate::IUlt, next, count);
                    let after = self.b.new_block();
                    self.b.cond_br(more, head, after);
                    self.b.seal(head);
                    self.begin_sealed(after);
                }
                Ok(())
            }
            Some(_) => Err(self.invalid("a scope that is not ended")),
        }
    }
}
