//! Functions: blocks, structured control flow, dominance, phis.

use rspirv::dr::{self, Operand};
use rspirv::spirv::{Op, Word};
use structurizer::verify::{BlockEnd, BlockMerge, Cfg, verify_cfg};

use super::module::length;
use super::types::Ty;
use super::{Failure, Id, Place, Verifier, id_operands, show};

/// No block.
const NONE: u32 = u32::MAX;

/// Dominators of a function's blocks: numbers of a walk over the dominator tree.
struct Dominators {
    /// Preorder and postorder number; `NONE` for a block that control never reaches.
    range: Vec<(u32, u32)>,
}

impl Dominators {
    fn reached(&self, block: u32) -> bool {
        self.range[block as usize].0 != NONE
    }
    fn dominates(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.range[a as usize], self.range[b as usize]);
        a.0 <= b.0 && b.1 <= a.1
    }
}

/// Successors and predecessors of blocks, by number.
struct Graph {
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Graph {
    fn of(&self, block: u32) -> &[u32] {
        &self.targets[self.starts[block as usize] as usize..self.starts[block as usize + 1] as usize]
    }

    fn reversed(&self) -> Graph {
        let count = self.starts.len() - 1;
        let mut starts = vec![0u32; count + 1];
        for &t in &self.targets {
            starts[t as usize + 1] += 1;
        }
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut targets = vec![0; self.targets.len()];
        for block in 0..count as u32 {
            for &t in self.of(block) {
                targets[next[t as usize] as usize] = block;
                next[t as usize] += 1;
            }
        }
        Graph { starts, targets }
    }
}

impl Verifier<'_> {
    pub(super) fn function_body(&mut self, function: &dr::Function) -> Result<(), Failure> {
        let def = function.def.as_ref().ok_or("a function without OpFunction")?;
        let parameters = self.signature(def, function)?;
        for (parameter, ty) in function.parameters.iter().zip(parameters) {
            if parameter.result_type != Some(ty) {
                return Err(format!("{}: wrong type", show(parameter)));
            }
            self.define(parameter, Place::Parameter)?;
        }
        for (block, data) in (0u32..).zip(&function.blocks) {
            let label = data.label.as_ref().ok_or("a block without label")?;
            self.define(label, Place::Label(block))?;
            for (index, inst) in (0u32..).zip(&data.instructions) {
                self.define(inst, Place::Body(block, index))?;
            }
        }
        let graph = self.structure(function)?;
        let preds = graph.reversed();
        let dominators = dominators(&graph, &preds);
        for (block, data) in (0u32..).zip(&function.blocks) {
            for (index, inst) in (0u32..).zip(&data.instructions) {
                length(inst)?;
                if inst.class.opcode == Op::Phi {
                    self.phi(inst, block, index, data, &preds, &dominators)?;
                } else {
                    self.uses(inst, block, index, &dominators)?;
                    self.rules(inst, def)?;
                }
            }
        }
        Ok(())
    }

    /// Parameter types of the function's type.
    fn signature(&self, def: &dr::Instruction, function: &dr::Function) -> Result<Vec<Word>, Failure> {
        let Ty::Function(ret, start, end) = self.types.get(Self::operand(def, 1)?) else {
            return Err(format!("{}: no function type", show(def)));
        };
        let parameters = self.types.members(start, end).to_vec();
        if def.result_type != Some(ret) || parameters.len() != function.parameters.len() {
            return Err(format!("{}: differs from its type", show(def)));
        }
        Ok(parameters)
    }

    /// Number of the block with a label, in the function at hand.
    fn block_of(&self, label: Word) -> Option<u32> {
        match self.id(label)? {
            Id { place: Place::Label(block), function, .. } if *function == self.function => Some(*block),
            _ => None,
        }
    }

    /// Reads labels, merge instructions and terminators, and checks the structure.
    fn structure(&self, function: &dr::Function) -> Result<Graph, Failure> {
        let number = |inst: &dr::Instruction, label: Word| self.block_of(label).ok_or_else(|| format!("{}: %{label} is no label of the function", show(inst)));
        let mut cfg = Cfg::with_capacity(function.blocks.len());
        let mut graph = Graph { starts: Vec::with_capacity(function.blocks.len() + 1), targets: Vec::with_capacity(function.blocks.len() * 2) };
        graph.starts.push(0);
        for data in &function.blocks {
            let Some((last, before)) = data.instructions.split_last() else { return Err("a block without terminator".to_owned()) };
            if let Some(early) = before.iter().find(|i| is_terminator(i.class.opcode)) {
                return Err(format!("{}: a terminator within a block", show(early)));
            }
            let merge = match before.last() {
                Some(m) if m.class.opcode == Op::SelectionMerge => BlockMerge::Selection { merge: number(m, Self::operand(m, 0)?)? },
                Some(m) if m.class.opcode == Op::LoopMerge => {
                    BlockMerge::Loop { merge: number(m, Self::operand(m, 0)?)?, continue_target: number(m, Self::operand(m, 1)?)? }
                }
                _ => BlockMerge::None,
            };
            let targets_before = graph.targets.len();
            let end = match last.class.opcode {
                Op::Branch => BlockEnd::Branch,
                Op::BranchConditional => BlockEnd::Conditional,
                Op::Switch => BlockEnd::Switch,
                op if is_terminator(op) => BlockEnd::Exit,
                _ => return Err(format!("{}: not a terminator, but the last of its block", show(last))),
            };
            let skip = usize::from(matches!(last.class.opcode, Op::BranchConditional | Op::Switch));
            if end != BlockEnd::Exit {
                for label in id_operands(last).skip(skip) {
                    graph.targets.push(number(last, label)?);
                }
            }
            cfg.add_block(end, merge, graph.targets[targets_before..].iter().copied());
            graph.starts.push(graph.targets.len() as u32);
        }
        verify_cfg(&cfg).map_err(|error| format!("structured control flow, by block numbers: {error}"))?;
        Ok(graph)
    }

    /// Each operand is defined, in this function or at module level, and its definition dominates.
    fn uses(&self, inst: &dr::Instruction, block: u32, index: u32, dominators: &Dominators) -> Result<(), Failure> {
        for id in id_operands(inst).chain(inst.result_type) {
            let Some(def) = self.id(id) else { return Err(format!("{}: id %{id} does not exist", show(inst))) };
            let fine = match def.place {
                Place::None => false,
                Place::Module => true,
                Place::Parameter | Place::Label(_) => def.function == self.function,
                Place::Body(b, i) => {
                    def.function == self.function && if b == block { i < index } else { !dominators.reached(block) || dominators.dominates(b, block) }
                }
            };
            if !fine {
                return Err(format!("{}: the definition of %{id} does not reach this use", show(inst)));
            }
        }
        Ok(())
    }

    fn phi(&self, inst: &dr::Instruction, block: u32, index: u32, data: &dr::Block, preds: &Graph, dominators: &Dominators) -> Result<(), Failure> {
        if index > 0 && !matches!(data.instructions[index as usize - 1].class.opcode, Op::Phi) {
            return Err(format!("{}: a phi after another instruction", show(inst)));
        }
        let mut expected: smallvec::SmallVec<[u32; 8]> = preds.of(block).into();
        expected.sort_unstable();
        expected.dedup();
        if inst.operands.len() != 2 * expected.len() {
            return Err(format!("{}: {} operands for {} predecessors", show(inst), inst.operands.len() / 2, expected.len()));
        }
        for pair in inst.operands.chunks_exact(2) {
            let [Operand::IdRef(value), Operand::IdRef(label)] = pair else { return Err(format!("{}: malformed", show(inst))) };
            let slot = self.block_of(*label).and_then(|p| expected.iter().position(|&e| e == p));
            let Some(slot) = slot else { return Err(format!("{}: %{label} is no predecessor, or twice", show(inst))) };
            let pred = std::mem::replace(&mut expected[slot], NONE);
            let Some(def) = self.id(*value) else { return Err(format!("{}: id %{value} does not exist", show(inst))) };
            if Some(def.ty) != inst.result_type {
                return Err(format!("{}: %{value} has another type", show(inst)));
            }
            let fine = match def.place {
                Place::Body(b, _) => def.function == self.function && (!dominators.reached(pred) || dominators.dominates(b, pred)),
                Place::Parameter => def.function == self.function,
                place => place == Place::Module,
            };
            if !fine {
                return Err(format!("{}: the definition of %{value} does not reach the end of %{label}", show(inst)));
            }
        }
        Ok(())
    }
}

fn is_terminator(op: Op) -> bool {
    matches!(
        op,
        Op::Branch
            | Op::BranchConditional
            | Op::Switch
            | Op::Return
            | Op::ReturnValue
            | Op::Kill
            | Op::Unreachable
            | Op::TerminateInvocation
            | Op::TerminateRayKHR
            | Op::IgnoreIntersectionKHR
            | Op::EmitMeshTasksEXT
    )
}

/// Dominators by Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm"), then a numbering of the tree.
fn dominators(graph: &Graph, preds: &Graph) -> Dominators {
    let count = graph.starts.len() - 1;
    let mut position = vec![NONE; count];
    let mut order: Vec<u32> = Vec::with_capacity(count);
    let mut stack = vec![(0u32, 0usize)];
    if count == 0 {
        return Dominators { range: Vec::new() };
    }
    position[0] = 0;
    while let Some((block, next)) = stack.last_mut() {
        match graph.of(*block).get(*next) {
            Some(&to) => {
                *next += 1;
                if position[to as usize] == NONE {
                    position[to as usize] = 0;
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    for (index, &block) in (0u32..).zip(&order) {
        position[block as usize] = index;
    }
    // Immediate dominators as positions in reverse post-order.
    let mut idom = vec![NONE; order.len()];
    idom[0] = 0;
    loop {
        let mut changed = false;
        for index in 1..order.len() {
            let mut new = NONE;
            for &pred in preds.of(order[index]) {
                let mut p = position[pred as usize];
                if p == NONE || idom[p as usize] == NONE {
                    continue;
                }
                if new != NONE {
                    let mut q = new;
                    while p != q {
                        while p > q {
                            p = idom[p as usize];
                        }
                        while q > p {
                            q = idom[q as usize];
                        }
                    }
                }
                new = p;
            }
            if idom[index] != new {
                idom[index] = new;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    number(&order, &idom, count)
}

/// Numbers the dominator tree without a walk: sizes of subtrees bottom-up, then preorder numbers top-down.
fn number(order: &[u32], idom: &[u32], count: usize) -> Dominators {
    let mut size = vec![1u32; order.len()];
    for index in (1..order.len()).rev() {
        size[idom[index] as usize] += size[index];
    }
    let mut range = vec![(NONE, 0); count];
    let mut start = vec![0u32; order.len()];
    // The next free number within each subtree.
    let mut free = vec![1u32; order.len()];
    for index in 0..order.len() {
        if index > 0 {
            let parent = idom[index] as usize;
            start[index] = free[parent];
            free[parent] += size[index];
            free[index] = start[index] + 1;
        }
        range[order[index] as usize] = (start[index], start[index] + size[index] - 1);
    }
    Dominators { range }
}
