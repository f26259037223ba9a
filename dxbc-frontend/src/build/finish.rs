//! The end of construction: removes redundant phis and dead instructions, decides the types of
//! phis, and numbers values, blocks and instructions as a [`Module`] has them.
//!
//! Phis that are joined by phis have one type: float if more of the values that they join, and of
//! their users, are floats than integers.

use std::collections::VecDeque;

use trellis_dxil_frontend::dxop::{Effects, Op};
use trellis_dxil_frontend::module::{
    BlockData, BlockId, CastOp, Function, FunctionId, Inst, InstId, InstKind, Module, TypeId,
    ValueData, ValueId, ValueKind, append_list, copy_kind,
};
use trellis_entity::EntityRange;

use super::{Body, Builder, LOCAL, Origin, Overload, TooLarge, Value};

/// The decisions about a function. Lists are indexed by local values, instructions or phis.
#[derive(Default)]
struct Plan {
    /// The value that is written for each local value.
    renamed: Vec<Value>,
    /// Local values that are operands.
    used: Vec<bool>,
    /// Instructions, allocations and phis that are written.
    insts: Vec<bool>,
    allocas: Vec<bool>,
    phis: Vec<bool>,
    /// By phi: the uses and operands that are floats, less those that are integers.
    score: Vec<i64>,
    /// Values that are used and whose operands are not marked yet.
    pending: Vec<Value>,
}

/// An instruction to write.
enum Item {
    Phi(usize),
    Cast { from: Value, to: Value },
    Alloca(usize),
    Inst(usize),
}

fn index(local: Value) -> usize {
    (local.as_u32() & !LOCAL) as usize
}

fn is_local(value: Value) -> bool {
    value.as_u32() & LOCAL != 0
}

impl Builder {
    /// Returns the module.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn finish(mut self) -> Result<Module, TooLarge> {
        let mut bodies = std::mem::take(&mut self.bodies);
        if self.is_too_large() {
            return Err(TooLarge);
        }
        let mut plans = Vec::with_capacity(bodies.len());
        for (_, body) in &mut bodies {
            std::mem::swap(&mut self.body, body);
            plans.push(self.plan());
            std::mem::swap(&mut self.body, body);
        }
        // No constant is added from here on, so that numbers of local values are known.
        for ((id, body), plan) in bodies.iter().zip(&plans) {
            self.write_function(*id, body, plan);
        }
        self.module.shrink_to_fit();
        Ok(self.module)
    }

    fn plan(&mut self) -> Plan {
        let mut replaced = self.redundant_phis();
        let mut plan = Plan {
            insts: vec![false; self.body.insts.len()],
            allocas: vec![false; self.body.allocas.len()],
            phis: vec![false; self.body.phis.len()],
            score: vec![0; self.body.phis.len()],
            ..Plan::default()
        };
        for local in 0..self.body.values.len() {
            let value = ValueId::from_u32(LOCAL | local as u32);
            let ty = self.type_of(value);
            let renamed = match self.body.values[local].origin {
                Origin::Dropped => self.undef(ty),
                Origin::Phi(_) => self.as_type(resolve(&self.body, &mut replaced, value), ty),
                Origin::View(base) => self.as_type(resolve(&self.body, &mut replaced, base), ty),
                _ => value,
            };
            plan.renamed.push(renamed);
        }
        for phi in 0..self.body.phis.len() {
            for at in 0..self.body.phis[phi].incoming.len() {
                let value = self.body.phis[phi].incoming[at].0;
                self.body.phis[phi].incoming[at].0 = resolve(&self.body, &mut replaced, value);
            }
        }
        self.mark(&mut plan);
        self.choose_types(&mut plan);
        plan
    }

    /// Returns the view of a value that has this type; the value itself if it is not 32 bits.
    fn as_type(&mut self, value: Value, ty: TypeId) -> Value {
        if ty == self.scalar(Overload::F32) {
            self.float(value)
        } else {
            self.int(value)
        }
    }

    /// Returns the replacement of each phi whose operands are the phi and one other value.
    fn redundant_phis(&mut self) -> Vec<Option<Value>> {
        let count = self.body.phis.len();
        let mut replaced = vec![None; count];
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (user, phi) in self.body.phis.iter().enumerate() {
            for &(value, _) in &phi.incoming {
                if let Some(operand) = phi_of(&self.body, value) {
                    users[operand].push(user);
                }
            }
        }
        let zero = self.i32(0);
        // First in, first out, so that a phi of many operands is looked at after most of them.
        let mut pending: VecDeque<usize> = (0..count).collect();
        let mut is_pending = vec![true; count];
        while let Some(phi) = pending.pop_front() {
            is_pending[phi] = false;
            if replaced[phi].is_some() {
                continue;
            }
            let this = self.body.phis[phi].value;
            let incoming = self.body.phis[phi].incoming.iter();
            let mut others = incoming
                .map(|&(value, _)| resolve(&self.body, &mut replaced, value))
                .filter(|&value| value != this);
            let only = others.next().unwrap_or(zero);
            if others.any(|value| value != only) {
                continue;
            }
            replaced[phi] = Some(only);
            let mut own = std::mem::take(&mut users[phi]);
            let operand = phi_of(&self.body, only);
            if let Some(operand) = operand {
                // A user of both phis is in both lists, so that the shorter one suffices.
                if users[operand].len() < own.len() {
                    std::mem::swap(&mut users[operand], &mut own);
                }
            }
            for &user in own.iter().chain(&operand) {
                if !std::mem::replace(&mut is_pending[user], true) {
                    pending.push_back(user);
                }
            }
            if let Some(operand) = operand {
                users[operand].append(&mut own);
            }
        }
        replaced
    }

    /// Marks instructions with effects, and all that they use.
    fn mark(&mut self, plan: &mut Plan) {
        plan.used.resize(self.body.values.len(), false);
        // For the iterator of operands.
        let function = Function {
            pool: std::mem::take(&mut self.body.pool),
            ..Function::default()
        };
        for inst in 0..self.body.insts.len() {
            if self.has_effect(&function, &self.body.insts[inst].kind) {
                self.mark_inst(plan, &function, inst);
            }
        }
        while let Some(value) = plan.pending.pop() {
            match self.body.values[index(value)].origin {
                Origin::Inst(inst) => self.mark_inst(plan, &function, inst as usize),
                Origin::Alloca(alloca) => plan.allocas[alloca as usize] = true,
                Origin::Phi(phi) => {
                    let phi = phi as usize;
                    if !std::mem::replace(&mut plan.phis[phi], true) {
                        let incoming = self.body.phis[phi].incoming.iter().map(|pair| pair.0);
                        plan.pending
                            .extend(incoming.filter(|&value| is_local(value)));
                    }
                }
                Origin::View(base) => plan.pending.push(base),
                Origin::Dropped => {}
            }
        }
        self.body.pool = function.pool;
    }

    fn mark_inst(&self, plan: &mut Plan, function: &Function, inst: usize) {
        if std::mem::replace(&mut plan.insts[inst], true) {
            return;
        }
        for operand in function.operands(&self.body.insts[inst].kind) {
            let value = match is_local(operand) {
                true => plan.renamed[index(operand)],
                false => continue,
            };
            if !is_local(value) {
                continue;
            }
            let (base, weight) = match self.body.values[index(value)].origin {
                Origin::View(base) => (base, 1),
                _ => (value, -1),
            };
            if let Some(phi) = phi_of(&self.body, base) {
                plan.score[phi] += weight;
            }
            if !std::mem::replace(&mut plan.used[index(value)], true) {
                plan.pending.push(value);
            }
        }
    }

    fn has_effect(&self, function: &Function, kind: &InstKind) -> bool {
        match *kind {
            InstKind::Store { .. } | InstKind::AtomicRmw { .. } | InstKind::CmpXchg { .. } => true,
            InstKind::Call { args, .. } => {
                let opcode = function.pool.get(args.start as usize);
                let opcode = opcode.and_then(|&opcode| self.bits(ValueId::from_u32(opcode)));
                let op = opcode.and_then(|code| Op::from_code(code as u32));
                let pure = Effects::READ_NONE.union(Effects::READ_ONLY);
                op.is_none_or(|op| !op.effects().any(pure))
            }
            kind => kind.is_terminator(),
        }
    }

    /// Decides the types of the phis that are written, and makes their operands fit.
    fn choose_types(&mut self, plan: &mut Plan) {
        let count = self.body.phis.len();
        let mut web: Vec<usize> = (0..count).collect();
        for phi in (0..count).filter(|&phi| plan.phis[phi]) {
            for &(value, _) in &self.body.phis[phi].incoming {
                if let Some(other) = phi_of(&self.body, value) {
                    let (a, b) = (find(&mut web, phi), find(&mut web, other));
                    web[a.max(b)] = a.min(b);
                } else if is_local(value) {
                    let is_float = self.type_of(value) == self.scalar(Overload::F32);
                    plan.score[phi] += if is_float { 1 } else { -1 };
                }
            }
        }
        let mut total = vec![0; count];
        for phi in 0..count {
            total[find(&mut web, phi)] += plan.score[phi];
        }
        for phi in (0..count).filter(|&phi| plan.phis[phi]) {
            let is_float = total[find(&mut web, phi)] > 0;
            let ty = match is_float {
                true => self.scalar(Overload::F32),
                false => self.scalar(Overload::I32),
            };
            let value = self.body.phis[phi].value;
            self.body.phis[phi].value = self.as_type(value, ty);
            for at in 0..self.body.phis[phi].incoming.len() {
                let operand = self.body.phis[phi].incoming[at].0;
                let operand = self.as_type(operand, ty);
                self.body.phis[phi].incoming[at].0 = operand;
                plan.used.resize(self.body.values.len(), false);
                if is_local(operand) {
                    plan.used[index(operand)] = true;
                }
            }
        }
        plan.used.resize(self.body.values.len(), false);
        let all = self.body.values.len() as u32;
        let rest = plan.renamed.len() as u32..all;
        { &mut plan.renamed }.extend(rest.map(|local| ValueId::from_u32(LOCAL | local)));
    }

    fn write_function(&mut self, id: FunctionId, body: &Body, plan: &Plan) {
        let blocks = items(body, plan);
        let mut block_numbers = vec![0; body.blocks.len()];
        let mut numbers = vec![0; body.values.len()];
        let base = self.module.values.len();
        let mut values = Vec::new();
        let mut insts = 0;
        for (number, (block, items)) in blocks.iter().enumerate() {
            block_numbers[block.as_u32() as usize] = number as u32;
            for item in items {
                let result = match *item {
                    Item::Phi(phi) => Some(body.phis[phi].value),
                    Item::Cast { to, .. } => Some(to),
                    Item::Alloca(alloca) => body.allocas[alloca].result.expand(),
                    Item::Inst(inst) => body.insts[inst].result.expand(),
                };
                if let Some(result) = result {
                    numbers[index(result)] = (base + values.len()) as u32;
                    values.push(ValueData {
                        ty: body.values[index(result)].ty,
                        kind: ValueKind::Inst(InstId::from_u32(insts)),
                    });
                }
                insts += 1;
            }
        }
        let number = |value: Value| match is_local(value) {
            true => ValueId::from_u32(numbers[index(value)]),
            false => value,
        };
        let renamed = |value: Value| match is_local(value) {
            true => number(plan.renamed[index(value)]),
            false => value,
        };
        let block_number =
            |block: BlockId| BlockId::from_u32(block_numbers[block.as_u32() as usize]);
        let mut is_precise = vec![false; body.insts.len()];
        for &inst in &body.precise {
            is_precise[inst as usize] = true;
        }
        let mut out = Function {
            values,
            ..std::mem::take(&mut self.module.functions[id])
        };
        let cast = |value: Value| InstKind::Cast {
            op: CastOp::BitCast,
            value,
        };
        for (_, items) in blocks {
            let start = InstId::from_u32(out.insts.len() as u32);
            for item in items {
                let (kind, result) = match item {
                    Item::Phi(phi) => {
                        let phi = &body.phis[phi];
                        let pairs = phi.incoming.iter();
                        let pairs = pairs.flat_map(|&(value, from)| {
                            [number(value).as_u32(), block_number(from).as_u32()]
                        });
                        let incoming = append_list(&mut out.pool, pairs);
                        (InstKind::Phi { incoming }, Some(phi.value))
                    }
                    Item::Cast { from, to } => (cast(number(from)), Some(to)),
                    Item::Alloca(alloca) => {
                        let alloca = &body.allocas[alloca];
                        (alloca.kind, alloca.result.expand())
                    }
                    Item::Inst(inst) => {
                        if is_precise[inst] {
                            let at = InstId::from_u32(out.insts.len() as u32);
                            out.inst_metadata
                                .push((at, self.precise_kind, self.precise_node));
                        }
                        let inst = &body.insts[inst];
                        let target = |block, _| block_number(block);
                        let (from, pool) = (&body.pool, &mut out.pool);
                        let kind = copy_kind(&inst.kind, from, pool, 0, renamed, target);
                        (kind, inst.result.expand())
                    }
                };
                out.insts.push(Inst {
                    kind,
                    ty: result.map_or(self.scalar(Overload::None), |value| {
                        body.values[index(value)].ty
                    }),
                    result: result.map(number).into(),
                    debug_loc: 0,
                });
            }
            let end = InstId::from_u32(out.insts.len() as u32);
            out.blocks.push(BlockData {
                insts: EntityRange::new(start, end),
            });
        }
        self.module.functions[id] = out;
    }
}

/// Returns the index of the phi that a value is.
fn phi_of(body: &Body, value: Value) -> Option<usize> {
    match is_local(value).then(|| body.values[index(value)].origin) {
        Some(Origin::Phi(phi)) => Some(phi as usize),
        _ => None,
    }
}

/// Returns the value that a value is replaced by, if it is a phi, and halves the path to it.
fn resolve(body: &Body, replaced: &mut [Option<Value>], mut value: Value) -> Value {
    while let Some(phi) = phi_of(body, value)
        && let Some(other) = replaced[phi]
    {
        value = other;
        if let Some(next) = phi_of(body, other).and_then(|next| replaced[next]) {
            replaced[phi] = Some(next);
        }
    }
    value
}

/// Returns the representative of a set, and halves the path to it.
fn find(parents: &mut [usize], mut node: usize) -> usize {
    while parents[node] != node {
        parents[node] = parents[parents[node]];
        node = parents[node];
    }
    node
}

/// Returns the instructions of a function in order, by block.
fn items(body: &Body, plan: &Plan) -> Vec<(BlockId, Vec<Item>)> {
    let view_of = |items: &mut Vec<Item>, from: Value| {
        let view = body.values[index(from)].view.expand();
        if let Some(to) = view.filter(|&view| plan.used[index(view)]) {
            items.push(Item::Cast { from, to });
        }
    };
    let mut blocks = Vec::with_capacity(body.order.len());
    for &id in &body.order {
        let block = &body.blocks[id];
        let mut items = Vec::new();
        let phis = { block.phis.iter() }.map(|&phi| phi as usize);
        let phis: Vec<usize> = phis.filter(|&phi| plan.phis[phi]).collect();
        items.extend(phis.iter().map(|&phi| Item::Phi(phi)));
        for phi in phis {
            view_of(&mut items, body.phis[phi].value);
        }
        if blocks.is_empty() {
            let written = (0..body.allocas.len()).filter(|&alloca| plan.allocas[alloca]);
            items.extend(written.map(Item::Alloca));
        }
        for inst in block.first as usize..block.end as usize {
            if plan.insts[inst] {
                items.push(Item::Inst(inst));
                if let Some(result) = body.insts[inst].result.expand() {
                    view_of(&mut items, result);
                }
            }
        }
        blocks.push((id, items));
    }
    blocks
}
