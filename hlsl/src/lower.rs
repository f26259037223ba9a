//! A function in the structurizer's form: a client instruction per statement. The uses of one are the
//! values that its expression reads, in the order of [`Lowered::leaves`].

use std::collections::BTreeSet;

use trellis_dxil_frontend::dxop::{DxDeclarations, Effects as OpEffects};
use trellis_dxil_frontend::metadata::MdId;
use trellis_dxil_frontend::module::{
    BinaryOp, BlockId, Constant, Function, InstId, InstKind, Module, Predicate, TypeId, ValueId,
    ValueKind,
};
use trellis_structurizer::ir::{self, Effects, LoopHint, SelectionHint, Terminator};

use crate::Error;
use crate::plan::{Class, Place, Plan};

/// The structurizer's function, and how its values relate to the module's.
pub(crate) struct Lowered {
    pub(crate) func: ir::Function,
    /// The values that the expression of each instruction reads.
    pub(crate) leaves: Vec<Vec<ValueId>>,
    /// The module's value of each value.
    pub(crate) origin: Vec<Option<ValueId>>,
}

struct Lowering<'a> {
    module: &'a Module,
    function: &'a Function,
    plan: &'a Plan,
    out: Lowered,
    values: Vec<Option<ir::Value>>,
    /// Folded number of each value that is computed from `dx.break.cond`.
    known: Vec<Option<bool>>,
}

pub(crate) fn lower(
    module: &Module,
    function: &Function,
    ops: &DxDeclarations,
    plan: &Plan,
) -> Result<Lowered, Error> {
    let mut this = Lowering {
        module,
        function,
        plan,
        out: Lowered {
            func: ir::Function::new(),
            leaves: Vec::new(),
            origin: Vec::new(),
        },
        values: vec![None; function.values.len()],
        known: vec![None; function.values.len()],
    };
    for _ in function.blocks.keys() {
        this.out.func.add_block();
    }
    let order = reverse_post_order(function);
    let mut phis = Vec::new();
    for &block in &order {
        let to = ir_block(block);
        for id in function.blocks[block].insts {
            let inst = &function.insts[id];
            if let InstKind::Phi { incoming } = inst.kind {
                let phi = this.out.func.add_phi(to, ir_type(inst.ty));
                phis.push((phi, incoming));
                this.set(inst.result.expand(), phi);
                continue;
            }
            this.fold_break(inst.result.expand(), &inst.kind);
            let known = inst.result.expand().and_then(|v| this.plan.local(v));
            let is_known = known.is_some_and(|index| this.known[index].is_some());
            if this.plan.place(id) == Place::Statement && !is_known {
                this.statement(ops, to, id)?;
            }
        }
    }
    let mut is_reached = vec![false; function.blocks.len()];
    for &block in &order {
        is_reached[block.as_u32() as usize] = true;
    }
    for (phi, incoming) in phis {
        let mut seen = BTreeSet::new();
        for (value, pred) in function.phi_incoming(incoming) {
            // LLVM repeats the pair for each of several edges.
            if is_reached[pred.as_u32() as usize] && seen.insert(pred) {
                let value = this.value(value)?;
                this.out.func.add_phi_operand(phi, ir_block(pred), value);
            }
        }
    }
    for &block in &order {
        let terminator = this.terminator(&function.terminator(block).kind)?;
        this.out.func.set_terminator(ir_block(block), terminator);
    }
    this.loop_hints(&order);
    Ok(this.out)
}

pub(crate) fn ir_type(ty: TypeId) -> ir::Type {
    ir::Type(ty.as_u32())
}

fn ir_block(block: BlockId) -> ir::Block {
    ir::Block::from_u32(block.as_u32())
}

fn reverse_post_order(function: &Function) -> Vec<BlockId> {
    let (mut seen, mut order) = (vec![false; function.blocks.len()], Vec::new());
    let below = |block| function.successors(&function.terminator(block).kind);
    let mut path = Vec::new();
    if let Some(entry) = function.blocks.keys().next() {
        seen[0] = true;
        path.push((entry, below(entry)));
    }
    while let Some((block, targets)) = path.last_mut() {
        match targets.next() {
            Some(target) => {
                if !std::mem::replace(&mut seen[target.as_u32() as usize], true) {
                    path.push((target, below(target)));
                }
            }
            None => {
                order.push(*block);
                path.pop();
            }
        }
    }
    order.reverse();
    order
}

impl Lowering<'_> {
    fn set(&mut self, result: Option<ValueId>, value: ir::Value) {
        if let Some(index) = result.and_then(|v| self.plan.local(v)) {
            self.values[index] = Some(value);
            self.note(value, result);
        }
    }

    fn note(&mut self, value: ir::Value, origin: Option<ValueId>) {
        let index = value.as_u32() as usize;
        if self.out.origin.len() <= index {
            self.out.origin.resize(index + 1, None);
        }
        self.out.origin[index] = origin;
    }

    /// Returns the structurizer's value of a phi's or terminator's operand.
    fn value(&mut self, value: ValueId) -> Result<ir::Value, Error> {
        if let Some(index) = self.plan.local(value)
            && let Some(known) = self.values[index]
        {
            return Ok(known);
        }
        if let Some(known) = self.plan.local(value).and_then(|index| self.known[index]) {
            return Ok(self.out.func.bool_constant(known, ir::Type::BOOL));
        }
        let data = self.module.value(Some(self.function), value);
        let data = data.ok_or(Error::UseBeforeDefinition)?;
        let constant = match data.kind {
            ValueKind::Constant(id) => Some(&self.module.constants[id].value),
            ValueKind::Inst(id) if self.plan.place(id) == Place::Statement => {
                return Err(Error::UseBeforeDefinition);
            }
            _ => None,
        };
        let func = &mut self.out.func;
        let new = match constant {
            Some(Constant::Undef) => func.undef(ir_type(data.ty)),
            _ => func.add_constant(value.as_u32(), ir_type(data.ty)),
        };
        self.note(new, Some(value));
        if let Some(index) = self.plan.local(value) {
            self.values[index] = Some(new);
        }
        Ok(new)
    }

    fn statement(&mut self, ops: &DxDeclarations, to: ir::Block, id: InstId) -> Result<(), Error> {
        let inst = &self.function.insts[id];
        let (mut leaves, mut reads) = (Vec::new(), false);
        let mut stack: Vec<ValueId> = self.function.operands(&inst.kind).collect();
        let mut steps = 0;
        while let Some(value) = stack.pop() {
            let Some(index) = self.plan.local(value) else {
                continue;
            };
            let ValueKind::Inst(operand) = self.function.values[index].kind else {
                continue;
            };
            let data = &self.function.insts[operand];
            match self.plan.place(operand) {
                Place::Inside => {
                    steps += 1;
                    if steps > 4096 {
                        return Err(Error::TooDeep);
                    }
                    reads |= self.plan.classes[operand.as_u32() as usize] == Class::Read;
                    stack.extend(self.function.operands(&data.kind));
                }
                Place::Statement => leaves.push(value),
                Place::Nowhere if matches!(data.kind, InstKind::Phi { .. }) => leaves.push(value),
                Place::Nowhere => {}
            }
        }
        leaves.sort_unstable();
        leaves.dedup();
        let uses = leaves
            .iter()
            .map(|&leaf| self.value(leaf))
            .collect::<Result<Vec<_>, _>>()?;
        let mut effects = match self.plan.classes[id.as_u32() as usize] {
            Class::Write => Effects::SIDE_EFFECT | Effects::READS_MEMORY,
            Class::Read => Effects::READS_MEMORY,
            _ => Effects::NONE,
        };
        if reads {
            effects |= Effects::READS_MEMORY;
        }
        if let Some(call) = ops.parse(self.module, self.function, id)?
            && call.op.effects().any(OpEffects(
                OpEffects::CONVERGENT.0
                    | OpEffects::WAVE.0
                    | OpEffects::QUAD.0
                    | OpEffects::BARRIER.0
                    | OpEffects::IMPLICIT_LOD.0,
            ))
        {
            effects |= Effects::CONVERGENT;
        }
        let result = inst.result.expand();
        let types: &[ir::Type] = match result {
            Some(_) => &[ir_type(inst.ty)],
            None => &[],
        };
        let new = self
            .out
            .func
            .append_inst(to, id.as_u32(), effects, &uses, types);
        self.out.leaves.push(leaves);
        if result.is_some()
            && let Some(value) = self.out.func.results(new).next()
        {
            self.set(result, value);
        }
        Ok(())
    }

    /// Sets the hints of the loops that the source does not unroll. `llvm.loop` is attached to the branch
    /// of the back edge.
    fn loop_hints(&mut self, order: &[BlockId]) {
        let metadata = &self.module.metadata;
        let Some(kind) = metadata.kind("llvm.loop") else {
            return;
        };
        let is_disabled = |node: MdId| {
            let mut options = metadata.tuple(node).into_iter().flatten().flatten();
            options.any(|option| {
                let name = metadata
                    .operand(option, 0)
                    .and_then(|name| metadata.string(name));
                option != node && name == Some("llvm.loop.unroll.disable")
            })
        };
        let all = &self.function.inst_metadata;
        let hinted: BTreeSet<InstId> = all
            .iter()
            .filter(|entry| entry.1 == kind && is_disabled(entry.2))
            .map(|entry| entry.0)
            .collect();
        let mut seen = BTreeSet::new();
        for &block in order {
            seen.insert(block);
            let last = self.function.blocks[block].insts.last();
            if last.is_some_and(|last| hinted.contains(&last)) {
                // Of the branch, or of the next block's.
                let below = |block| {
                    let kind = &self.function.terminator(block).kind;
                    self.function.successors(kind)
                };
                let next = below(block).filter(|to| !seen.contains(to)).flat_map(below);
                for header in below(block).chain(next).filter(|to| seen.contains(to)) {
                    self.out
                        .func
                        .set_loop_hint(ir_block(header), LoopHint::DontUnroll);
                }
            }
        }
    }

    /// Folds expressions of `dx.break.cond`, which is 0: a branch on it keeps a block inside its
    /// loop.
    fn fold_break(&mut self, result: Option<ValueId>, kind: &InstKind) {
        let Some(index) = result.and_then(|v| self.plan.local(v)) else {
            return;
        };
        let number = |value: ValueId| {
            let local = self.plan.local(value).and_then(|index| self.known[index]);
            local.or_else(|| Some(self.module.const_int(Some(self.function), value)? & 1 != 0))
        };
        let is_known = |value: ValueId| {
            self.plan
                .local(value)
                .is_some_and(|index| self.known[index].is_some())
        };
        let known = match *kind {
            InstKind::Load { ptr, .. } if is_break_global(self.module, self.function, ptr) => {
                Some(false)
            }
            InstKind::Cmp {
                predicate,
                lhs,
                rhs,
                ..
            } if is_known(lhs) || is_known(rhs) => number(lhs)
                .zip(number(rhs))
                .map(|(a, b)| (a == b) == (predicate == Predicate::IEq)),
            InstKind::Binary { op, lhs, rhs, .. } if is_known(lhs) || is_known(rhs) => {
                match (op, number(lhs), number(rhs)) {
                    (BinaryOp::And, Some(a), Some(b)) => Some(a && b),
                    (BinaryOp::Or, Some(a), Some(b)) => Some(a || b),
                    (BinaryOp::Xor, Some(a), Some(b)) => Some(a != b),
                    _ => None,
                }
            }
            _ => None,
        };
        self.known[index] = known;
    }

    fn terminator(&mut self, kind: &InstKind) -> Result<Terminator, Error> {
        Ok(match *kind {
            InstKind::Br { target } => Terminator::Branch(ir_block(target)),
            InstKind::CondBr { cond, then, else_ } => {
                let known = self.plan.local(cond).and_then(|index| self.known[index]);
                match known {
                    Some(taken) if then != else_ => {
                        let (target, stay) = if taken { (then, else_) } else { (else_, then) };
                        Terminator::BreakBranch {
                            target: ir_block(target),
                            stay: ir_block(stay),
                        }
                    }
                    _ => Terminator::CondBranch {
                        cond: self.value(cond)?,
                        then: ir_block(then),
                        else_: ir_block(else_),
                        hint: SelectionHint::None,
                    },
                }
            }
            InstKind::Switch {
                value,
                default,
                cases,
            } => {
                let cases: Vec<(u64, ir::Block)> = self
                    .function
                    .switch_cases(cases)
                    .map(|(literal, block)| (literal, ir_block(block)))
                    .collect();
                Terminator::Switch {
                    value: self.value(value)?,
                    default: ir_block(default),
                    cases: self.out.func.add_cases(&cases),
                    hint: SelectionHint::None,
                }
            }
            InstKind::Ret { value: Some(value) } => Terminator::Return(Some(self.value(value)?)),
            InstKind::Ret { value: None } => Terminator::Return(None),
            _ => Terminator::Unreachable,
        })
    }
}

/// Returns true if an address is `dx.break.cond`.
fn is_break_global(module: &Module, function: &Function, address: ValueId) -> bool {
    let constant = module.constant(Some(function), address).map(|c| &c.value);
    let base = match constant {
        Some(Constant::Gep { operands, .. }) => module
            .const_operands
            .get(operands.start as usize)
            .map(|&v| ValueId::from_u32(v)),
        _ => Some(address),
    };
    match base
        .and_then(|base| module.value(Some(function), base))
        .map(|v| v.kind)
    {
        Some(ValueKind::Global(global)) => &*module.globals[global].name == "dx.break.cond",
        _ => false,
    }
}
