//! Functions: blocks, structured control flow, dominance, phis.

use rspirv::spirv::{Op, Word};
use trellis_structurizer::verify::{BlockEnd, BlockMerge, Cfg, Position, verify_cfg};

use super::read::Inst;
use super::types::Ty;
use super::{Block, EVERYWHERE, Failure, Id, MODULE, Range, Verifier, broken};
use crate::error::VerifyRule;

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
        &self.targets
            [self.starts[block as usize] as usize..self.starts[block as usize + 1] as usize]
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
    /// Reads the functions from word `at` on: defines all ids, and splits the bodies into blocks.
    pub(super) fn functions(&mut self, mut at: u32) -> Result<(), Failure> {
        while (at as usize) < self.words.len() {
            let def = self.read(at)?;
            if def.op() != Op::Function {
                return Err(broken(&def, VerifyRule::BetweenFunctions));
            }
            def.check()?;
            self.define(&def, MODULE)?;
            at = def.next;
            let mut inst = self.read(at)?;
            while inst.op() == Op::FunctionParameter {
                inst.check()?;
                self.define(&inst, EVERYWHERE)?;
                at = inst.next;
                inst = self.read(at)?;
            }
            let first_block = self.blocks.len() as u32;
            while inst.op() != Op::FunctionEnd {
                at = self.block(&inst, self.blocks.len() as u32 - first_block)?;
                inst = self.read(at)?;
            }
            inst.check()?;
            at = inst.next;
            self.functions.push(Range {
                start: def.at,
                end: at,
                blocks: (first_block, self.blocks.len() as u32),
            });
        }
        Ok(())
    }

    /// Reads a block from its label to its terminator; returns the position of the word after it.
    fn block(&mut self, label: &Inst<'_>, number: u32) -> Result<u32, Failure> {
        if label.op() != Op::Label {
            return Err(broken(label, VerifyRule::OutsideBlock));
        }
        label.check()?;
        self.define(label, EVERYWHERE)?;
        // A label has no type, so this field holds the number of its block.
        self.ids[label.result as usize].ty = number;
        let start = self.insts.len() as u32;
        let mut merge = false;
        let mut at = label.next;
        loop {
            let inst = self.read(at)?;
            inst.check()?;
            self.insts.push(inst);
            if inst.layout.terminator {
                self.blocks.push(Block {
                    start,
                    merge,
                    end: self.insts.len() as u32,
                });
                return Ok(inst.next);
            }
            match inst.op() {
                Op::Label | Op::FunctionEnd => {
                    return Err(VerifyRule::NoTerminator {
                        label: label.result,
                    }
                    .into());
                }
                _ if merge => {
                    return Err(broken(&inst, VerifyRule::AfterMerge));
                }
                Op::SelectionMerge | Op::LoopMerge => merge = true,
                _ => {}
            }
            self.define(&inst, number)?;
            at = inst.next;
        }
    }

    /// Checks the rules of a function.
    pub(super) fn function_body(&mut self, index: usize) -> Result<(), Failure> {
        self.function = self.functions[index];
        let def = self.read(self.function.start)?;
        self.signature(&def)?;
        let graph = self.structure()?;
        let preds = graph.reversed();
        let dominators = dominators(&graph, &preds);
        for (block, data) in (0u32..).zip(self.blocks()) {
            let mut phis = true;
            for inst in self.insts(*data) {
                if inst.op() == Op::Phi {
                    if !phis {
                        return Err(broken(inst, VerifyRule::PhiOrder));
                    }
                    self.phi(inst, preds.of(block), &dominators)?;
                } else {
                    phis = false;
                    self.uses(inst, block, &dominators)?;
                    self.rules(inst, def.result_type)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the blocks of the current function.
    fn blocks(&self) -> &[Block] {
        &self.blocks[self.function.blocks.0 as usize..self.function.blocks.1 as usize]
    }

    /// Instructions of a block, without its label.
    fn insts(&self, block: Block) -> &[Inst<'_>] {
        &self.insts[block.start as usize..block.end as usize]
    }

    /// Checks that a function and its parameters fit its type.
    fn signature(&self, def: &Inst<'_>) -> Result<(), Failure> {
        let Ty::Function(ret, start, end) = self.types.get(Self::operand(def, 1)?) else {
            return Err(broken(def, VerifyRule::FunctionType));
        };
        let mut inst = self.read(def.next)?;
        for &ty in self.types.members(start, end) {
            if inst.op() != Op::FunctionParameter {
                return Err(broken(def, VerifyRule::Signature));
            }
            if inst.result_type != ty {
                return Err(broken(&inst, VerifyRule::ParameterType));
            }
            inst = self.read(inst.next)?;
        }
        if inst.op() == Op::FunctionParameter || def.result_type != ret {
            Err(broken(def, VerifyRule::Signature))
        } else {
            Ok(())
        }
    }

    /// Returns true if a definition is in the current function.
    fn is_local(&self, def: &Id) -> bool {
        (self.function.start..self.function.end).contains(&def.at)
    }

    /// Returns the number of the block with a label, in the current function.
    fn block_of(&self, label: Word) -> Option<u32> {
        self.id(label)
            .filter(|def| def.op == Op::Label && self.is_local(def))
            .map(|def| def.ty)
    }

    /// Reads labels, merge instructions and terminators, and checks the structure.
    fn structure(&self) -> Result<Graph, Failure> {
        let number = |inst: &Inst<'_>, label: Word| {
            self.block_of(label)
                .ok_or_else(|| broken(inst, VerifyRule::NotALabel { id: label }))
        };
        let blocks = self.blocks();
        let mut cfg = Cfg::with_capacity(blocks.len());
        let mut graph = Graph {
            starts: Vec::with_capacity(blocks.len() + 1),
            targets: Vec::with_capacity(blocks.len() * 2),
        };
        graph.starts.push(0);
        for data in blocks {
            // A block has its terminator, and a merge instruction before it where one was seen.
            let [before @ .., last] = self.insts(*data) else {
                return Err(VerifyRule::NoTerminator { label: 0 }.into());
            };
            let merge = match before.last().filter(|_| data.merge) {
                None => BlockMerge::None,
                Some(m) => {
                    let merge = Position::from_u32(number(m, Self::operand(m, 0)?)?);
                    match m.op() {
                        Op::LoopMerge => BlockMerge::Loop {
                            merge,
                            continue_target: Position::from_u32(number(m, Self::operand(m, 1)?)?),
                        },
                        _ => BlockMerge::Selection { merge },
                    }
                }
            };
            let targets_before = graph.targets.len();
            let (end, skip) = match last.op() {
                Op::Branch => (BlockEnd::Branch, 0),
                Op::BranchConditional => (BlockEnd::Conditional, 1),
                Op::Switch => (BlockEnd::Switch, 1),
                _ => (BlockEnd::Exit, usize::MAX),
            };
            if end != BlockEnd::Exit {
                for label in last.ids().skip(skip) {
                    graph.targets.push(number(last, label)?);
                }
            }
            let targets = graph.targets[targets_before..].iter();
            cfg.add_block(end, merge, targets.map(|&to| Position::from_u32(to)));
            graph.starts.push(graph.targets.len() as u32);
        }
        verify_cfg(&cfg).map_err(VerifyRule::ControlFlow)?;
        Ok(graph)
    }

    /// Checks that each operand is defined, in this function or at module level, and that its
    /// definition dominates.
    fn uses(&self, inst: &Inst<'_>, block: u32, dominators: &Dominators) -> Result<(), Failure> {
        let reaches = |id: Word| match self.id(id) {
            None => false,
            Some(def) => match def.block {
                MODULE => true,
                _ if !self.is_local(def) => false,
                EVERYWHERE => true,
                b if b == block => def.at < inst.at,
                b => !dominators.reached(block) || dominators.dominates(b, block),
            },
        };
        if inst.result_type().is_none_or(reaches) && inst.all_ids(reaches) {
            return Ok(());
        }
        let wrong = inst
            .result_type()
            .into_iter()
            .chain(inst.ids())
            .find(|&id| !reaches(id))
            .unwrap_or(0);
        Err(match self.id(wrong) {
            None => broken(inst, VerifyRule::Undefined { id: wrong }),
            Some(_) => broken(inst, VerifyRule::NotDominated { id: wrong }),
        })
    }

    fn phi(&self, inst: &Inst<'_>, preds: &[u32], dominators: &Dominators) -> Result<(), Failure> {
        let mut expected: smallvec::SmallVec<[u32; 8]> = preds.into();
        expected.sort_unstable();
        expected.dedup();
        if inst.operands.len() != 2 * expected.len() {
            return Err(broken(
                inst,
                VerifyRule::PhiCount {
                    found: inst.operands.len() / 2,
                    expected: expected.len(),
                },
            ));
        }
        for (index, pair) in inst.operands.chunks_exact(2).enumerate() {
            let (value, label) = (pair[0], pair[1]);
            // Emission usually lists predecessors in order.
            let pred = self.block_of(label);
            let slot = match pred {
                Some(p) if expected[index] == p => Some(index),
                Some(p) => expected.iter().position(|&e| e == p),
                None => None,
            };
            let (Some(slot), Some(pred)) = (slot, pred) else {
                return Err(broken(inst, VerifyRule::PhiPredecessor { label }));
            };
            expected[slot] = NONE;
            let Some(def) = self.id(value) else {
                return Err(broken(inst, VerifyRule::Undefined { id: value }));
            };
            if def.ty != inst.result_type || def.op == Op::Label {
                return Err(broken(inst, VerifyRule::PhiType { value }));
            }
            let fine = match def.block {
                MODULE => true,
                _ if !self.is_local(def) => false,
                EVERYWHERE => true,
                b => !dominators.reached(pred) || dominators.dominates(b, pred),
            };
            if !fine {
                return Err(broken(inst, VerifyRule::PhiNotDominated { value, label }));
            }
        }
        // The type itself.
        if self.types.get(inst.result_type) == Ty::None {
            Err(broken(inst, VerifyRule::ResultType))
        } else {
            Ok(())
        }
    }
}

/// Dominators by Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm"), then a
/// numbering of the tree.
fn dominators(graph: &Graph, preds: &Graph) -> Dominators {
    let count = graph.starts.len() - 1;
    if count == 1 {
        return Dominators {
            range: vec![(0, 0)],
        };
    }
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

/// Numbers the dominator tree without a walk: sizes of subtrees bottom-up, then preorder numbers
/// top-down.
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
