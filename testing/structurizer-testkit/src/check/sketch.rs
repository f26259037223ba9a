//! A function in a form that is easy to cut: lists of owned parts. Values keep the numbers that
//! they had.

use std::collections::BTreeMap;

use trellis_entity::EntityRef;
use trellis_structurizer::ir::{
    Block, Effects, Function, InstKind, LoopHint, SelectionHint, Terminator, Type, Value, ValueKind,
};

/// Payloads of the constants that replace removed values are counted from here.
const STAND_INS: u32 = 2_000_000;

/// A function; blocks are named by index, block 0 is the entry.
#[derive(Clone, Debug)]
pub(super) struct Sketch<'a> {
    func: &'a Function,
    pub(super) blocks: Vec<Part>,
    /// True if a block is kept even without predecessors.
    pub(super) roots: Vec<bool>,
}

#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) phis: Vec<Phi>,
    pub(super) insts: Vec<Inst>,
    pub(super) end: End,
    pub(super) is_uniform: bool,
    pub(super) hint: LoopHint,
    /// The header of the loop to whose convergence region the block belongs.
    pub(super) region: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Phi {
    value: Value,
    ty: Type,
    operands: Vec<(usize, Value)>,
}

#[derive(Clone, Debug)]
pub(super) struct Inst {
    kind: InstKind,
    pub(super) effects: Effects,
    pub(super) uses: Vec<Value>,
    results: Vec<(Value, Type)>,
}

/// Terminator of a block.
#[derive(Clone, Debug)]
pub(super) enum End {
    Branch(usize),
    Cond(Value, [usize; 2], SelectionHint),
    Break([usize; 2]),
    /// The value, the default, the cases.
    Switch(Value, usize, Vec<(u64, usize)>, SelectionHint),
    Return(Option<Value>),
    Kill,
    Exit(u32),
    Unreachable,
}

impl End {
    pub(super) fn targets(&self) -> Vec<usize> {
        match self {
            End::Branch(to) => vec![*to],
            End::Cond(_, targets, _) | End::Break(targets) => targets.to_vec(),
            End::Switch(_, default, cases, _) => std::iter::once(*default)
                .chain(cases.iter().map(|case| case.1))
                .collect(),
            End::Return(_) | End::Kill | End::Exit(_) | End::Unreachable => Vec::new(),
        }
    }

    /// Turns all branches to one block into branches to another.
    pub(super) fn retarget(&mut self, from: usize, to: usize) {
        let change = |target: &mut usize| {
            if *target == from {
                *target = to;
            }
        };
        match self {
            End::Branch(target) => change(target),
            End::Cond(_, targets, _) | End::Break(targets) => targets.iter_mut().for_each(change),
            End::Switch(_, default, cases, _) => std::iter::once(default)
                .chain(cases.iter_mut().map(|case| &mut case.1))
                .for_each(change),
            End::Return(_) | End::Kill | End::Exit(_) | End::Unreachable => {}
        }
    }

    fn value(&self) -> Option<Value> {
        match self {
            End::Cond(value, ..) | End::Switch(value, ..) | End::Return(Some(value)) => {
                Some(*value)
            }
            _ => None,
        }
    }

    fn value_mut(&mut self) -> Option<&mut Value> {
        match self {
            End::Cond(value, ..) | End::Switch(value, ..) | End::Return(Some(value)) => Some(value),
            _ => None,
        }
    }
}

impl<'a> Sketch<'a> {
    /// Reads the function as it is; a missing terminator is read as unreachable. `all` determines
    /// whether blocks that nothing leads to are kept.
    pub(super) fn of(func: &'a Function, all: bool) -> Self {
        let blocks = func.blocks().map(|block| Part::of(func, block)).collect();
        Sketch {
            func,
            blocks,
            roots: vec![all; func.num_blocks()],
        }
    }

    /// Returns a measure that each accepted change lowers.
    pub(super) fn size(&self) -> usize {
        let part = |part: &Part| {
            let insts: usize = part
                .insts
                .iter()
                .map(|inst| 3 + inst.uses.len() + inst.effects.bits().count_ones() as usize)
                .sum();
            let phis: usize = part.phis.iter().map(|phi| 3 + phi.operands.len()).sum();
            let end = match part.end {
                End::Break(_)
                | End::Switch(..)
                | End::Return(Some(_))
                | End::Cond(_, _, SelectionHint::Flatten | SelectionHint::DontFlatten) => 1,
                _ => 0,
            };
            10 + 4 * part.end.targets().len()
                + insts
                + phis
                + end
                + usize::from(part.is_uniform)
                + usize::from(part.hint != LoopHint::None)
                + usize::from(part.region.is_some())
        };
        self.blocks.iter().map(part).sum()
    }

    /// Bypasses a block: its predecessors branch to its target, and phis there get operands for the
    /// new predecessors.
    pub(super) fn bypass(&mut self, block: usize, to: usize) {
        let preds: Vec<usize> = (0..self.blocks.len())
            .filter(|&pred| self.blocks[pred].end.targets().contains(&block))
            .collect();
        for &pred in &preds {
            self.blocks[pred].end.retarget(block, to);
        }
        for phi in &mut self.blocks[to].phis {
            if let Some(value) = phi
                .operands
                .iter()
                .find(|operand| operand.0 == block)
                .map(|operand| operand.1)
            {
                for &pred in &preds {
                    if phi.operands.iter().all(|operand| operand.0 != pred) {
                        phi.operands.push((pred, value));
                    }
                }
            }
        }
    }

    /// Appends a block to its predecessor if that is the only one and only branches there.
    pub(super) fn join(&mut self, block: usize, next: usize) {
        let only = |pred: usize| pred == block || !self.blocks[pred].end.targets().contains(&next);
        if next == 0 || next == block || !(0..self.blocks.len()).all(only) {
            return;
        }
        let Part {
            phis,
            insts,
            end,
            is_uniform,
            hint,
            region: _,
        } = std::mem::replace(&mut self.blocks[next], Part::with_end(End::Unreachable));
        self.blocks[block].insts.extend(insts);
        self.blocks[block].end = end;
        self.blocks[block].is_uniform = is_uniform;
        if hint != LoopHint::None {
            self.blocks[block].hint = hint;
        }
        let renamed: BTreeMap<Value, Value> = phis
            .iter()
            .map(|phi| (phi.value, phi.operand(block)))
            .collect();
        let rename = |value: &mut Value| {
            // A phi may read another one that is removed, but not in a cycle: there is no path back
            // to the first.
            for _ in 0..=renamed.len() {
                *value = renamed.get(value).copied().unwrap_or(*value);
            }
        };
        for part in &mut self.blocks {
            for phi in &mut part.phis {
                for operand in &mut phi.operands {
                    rename(&mut operand.1);
                    if operand.0 == next {
                        operand.0 = block;
                    }
                }
            }
            part.insts
                .iter_mut()
                .flat_map(|inst| &mut inst.uses)
                .for_each(rename);
            part.end.value_mut().into_iter().for_each(rename);
        }
    }

    /// Splits each block in a convergence region: it gets an edge to the loop's header that is never
    /// taken, and a fresh block gets its end.
    pub(super) fn split_regions(&mut self) {
        for block in 0..self.blocks.len() {
            let Some(header) = self.blocks[block].region.take() else {
                continue;
            };
            let rest = self.blocks.len();
            let end = std::mem::replace(&mut self.blocks[block].end, End::Break([rest, header]));
            let mut targets = end.targets();
            targets.sort_unstable();
            targets.dedup();
            for to in targets {
                let phis = self.blocks[to].phis.iter_mut();
                let operands = phis.flat_map(|phi| &mut phi.operands);
                operands
                    .filter(|operand| operand.0 == block)
                    .for_each(|operand| operand.0 = rest);
            }
            for phi in &mut self.blocks[header].phis {
                phi.operands.push((block, phi.value));
            }
            let is_uniform = std::mem::take(&mut self.blocks[block].is_uniform);
            self.blocks.push(Part {
                is_uniform,
                ..Part::with_end(end)
            });
            self.roots.push(self.roots[block]);
        }
    }

    /// Returns the blocks that the entry or another root reaches.
    fn reached(&self) -> Vec<bool> {
        let mut seen = vec![false; self.blocks.len()];
        let mut stack: Vec<usize> = (0..self.blocks.len())
            .filter(|&block| block == 0 || self.roots[block])
            .collect();
        while let Some(block) = stack.pop() {
            if !std::mem::replace(&mut seen[block], true) {
                stack.extend(self.blocks[block].end.targets());
            }
        }
        seen
    }

    /// Returns the function, without blocks that no root reaches. A value that is defined nowhere
    /// becomes a constant, as does the operand of a phi for a new predecessor.
    pub(super) fn build(&self) -> Function {
        let mut func = Function::new();
        if self.blocks.is_empty() {
            return func;
        }
        let seen = self.reached();
        let kept: Vec<usize> = (0..self.blocks.len())
            .filter(|&block| seen[block])
            .collect();
        let mut blocks = vec![Block::new(0); self.blocks.len()];
        for &block in &kept {
            blocks[block] = func.add_block();
        }
        let mut preds: Vec<Vec<usize>> = vec![Vec::new(); self.blocks.len()];
        for &block in &kept {
            for to in self.blocks[block].end.targets() {
                if preds[to].last() != Some(&block) {
                    preds[to].push(block);
                }
            }
        }
        let values = self.number(&mut func, &kept, &preds);
        let get = |value: Value| values.get(&value).copied().unwrap_or(value);
        for &block in &kept {
            let (part, at) = (&self.blocks[block], blocks[block]);
            func.set_loop_hint(at, part.hint);
            for phi in &part.phis {
                let copy = func.add_phi(at, phi.ty);
                for &pred in &preds[block] {
                    func.add_phi_operand(copy, blocks[pred], get(phi.operand(pred)));
                }
            }
            for inst in &part.insts {
                let uses: Vec<Value> = inst.uses.iter().map(|&value| get(value)).collect();
                let types: Vec<Type> = inst.results.iter().map(|result| result.1).collect();
                match (inst.kind, &uses[..]) {
                    (InstKind::SelectorTest { op, constant }, &[selector]) => {
                        func.append_selector_test(at, selector, op, constant);
                    }
                    (InstKind::Select, &[cond, then, otherwise]) => {
                        func.append_select(at, [cond, then, otherwise], types[0]);
                    }
                    (InstKind::Select, _) => {
                        func.append_inst(at, 0, inst.effects, &uses, &types);
                    }
                    (
                        InstKind::SelectorTest {
                            constant: payload, ..
                        }
                        | InstKind::Client(payload),
                        _,
                    ) => {
                        func.append_inst(at, payload, inst.effects, &uses, &types);
                    }
                }
            }
            let to = |block: usize| blocks[block];
            let end = match &part.end {
                End::Branch(next) => Terminator::Branch(to(*next)),
                End::Cond(cond, [then, else_], hint) => Terminator::CondBranch {
                    cond: get(*cond),
                    then: to(*then),
                    else_: to(*else_),
                    hint: *hint,
                },
                End::Break([target, stay]) => Terminator::BreakBranch {
                    target: to(*target),
                    stay: to(*stay),
                },
                End::Switch(value, default, cases, hint) => {
                    let cases: Vec<(u64, Block)> =
                        cases.iter().map(|case| (case.0, to(case.1))).collect();
                    let cases = func.add_cases(&cases);
                    Terminator::Switch {
                        value: get(*value),
                        default: to(*default),
                        cases,
                        hint: *hint,
                    }
                }
                End::Return(value) => Terminator::Return(value.map(get)),
                End::Kill => Terminator::Kill,
                End::Exit(payload) => Terminator::Exit(*payload),
                End::Unreachable => Terminator::Unreachable,
            };
            func.set_terminator(at, end);
            func.set_uniform(at, part.is_uniform);
            let region = part.region.filter(|&header| seen[header]);
            func.set_convergence_region(at, region.map(to));
        }
        func
    }

    /// Returns the new number of each value: constants are made here, phis and results will be
    /// added in this order.
    fn number(
        &self,
        func: &mut Function,
        kept: &[usize],
        preds: &[Vec<usize>],
    ) -> BTreeMap<Value, Value> {
        let mut values = BTreeMap::new();
        let mut defined = Vec::new();
        let mut used = Vec::new();
        for &block in kept {
            let part = &self.blocks[block];
            for phi in &part.phis {
                defined.push(phi.value);
                used.extend(preds[block].iter().map(|&pred| phi.operand(pred)));
            }
            for inst in &part.insts {
                defined.extend(inst.results.iter().map(|result| result.0));
                used.extend(&inst.uses);
            }
            used.extend(part.end.value());
        }
        // Uses of what is defined nowhere: constants of the input, and values that were cut.
        let is_defined: std::collections::BTreeSet<Value> = defined.iter().copied().collect();
        for value in used {
            if !is_defined.contains(&value)
                && !values.contains_key(&value)
                && self.func.has_value(value)
            {
                let ty = self.func.value_type(value);
                let copy = match self.func.value_kind(value) {
                    ValueKind::Constant { payload } => func.add_constant(payload, ty),
                    ValueKind::Undef => func.undef(ty),
                    ValueKind::SelectorConstant(number) => func.selector_constant(number),
                    ValueKind::BoolConstant(is_true) => func.bool_constant(is_true, ty),
                    ValueKind::Phi(_) | ValueKind::Result { .. } => {
                        func.add_constant(STAND_INS + value.as_u32(), ty)
                    }
                };
                values.insert(value, copy);
            }
        }
        let first = func.num_values();
        values.extend(
            defined
                .into_iter()
                .enumerate()
                .map(|(index, value)| (value, Value::new(first + index))),
        );
        values
    }
}

impl Part {
    fn of(func: &Function, block: Block) -> Self {
        let index = |block: Block| block.index();
        let phis = func.phis(block).map(|value| Phi {
            value,
            ty: func.value_type(value),
            operands: func
                .phi_operands(value)
                .map(|operand| (index(operand.pred), operand.value))
                .collect(),
        });
        let insts = func.insts(block).map(|inst| Inst {
            kind: func.inst_kind(inst),
            effects: func.effects(inst),
            uses: func.uses(inst).to_vec(),
            results: func
                .results(inst)
                .map(|value| (value, func.value_type(value)))
                .collect(),
        });
        let end = match func.terminator(block).unwrap_or(Terminator::Unreachable) {
            Terminator::Branch(to) => End::Branch(index(to)),
            Terminator::CondBranch {
                cond,
                then,
                else_,
                hint,
            } => End::Cond(cond, [index(then), index(else_)], hint),
            Terminator::BreakBranch { target, stay } => End::Break([index(target), index(stay)]),
            Terminator::Switch {
                value,
                default,
                cases,
                hint,
            } => End::Switch(
                value,
                index(default),
                func.cases(cases)
                    .iter()
                    .map(|case| (case.literal, index(case.target)))
                    .collect(),
                hint,
            ),
            Terminator::Return(value) => End::Return(value),
            Terminator::Kill => End::Kill,
            Terminator::Exit(payload) => End::Exit(payload),
            Terminator::Unreachable => End::Unreachable,
        };
        Part {
            phis: phis.collect(),
            insts: insts.collect(),
            end,
            is_uniform: func.is_uniform(block),
            hint: func.loop_hint(block),
            region: func.convergence_region(block).map(index),
        }
    }

    /// Returns an empty part.
    fn with_end(end: End) -> Self {
        Part {
            phis: Vec::new(),
            insts: Vec::new(),
            end,
            is_uniform: false,
            hint: LoopHint::None,
            region: None,
        }
    }
}

impl Phi {
    /// Returns the operand for a predecessor; the phi's own number, which then is cut, if there is
    /// none.
    fn operand(&self, pred: usize) -> Value {
        let own = || {
            self.operands
                .first()
                .map_or(self.value, |operand| operand.1)
        };
        self.operands
            .iter()
            .find(|operand| operand.0 == pred)
            .map_or_else(own, |operand| operand.1)
    }
}
