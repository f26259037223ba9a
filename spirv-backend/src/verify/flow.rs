//! Functions: blocks, structured control flow, dominance, phis.

use rspirv::spirv::{Op, Word};
use smallvec::SmallVec;
use trellis_entity::{EntityRange, EntityRef, PrimaryMap, ReservedValue, entity_impl};
use trellis_structurizer::verify::{self, BlockEnd, BlockMerge, Cfg, Position};

use super::read::Inst;
use super::types::Ty;
use super::{Block, EVERYWHERE, Failure, Id, MODULE, Range, Verifier, broken};
use crate::error::VerifyRule;

/// A block in reverse post-order, without those that control never reaches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Rank(u32);
entity_impl!(Rank, "rank");

/// An edge in [`Graph::targets`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Edge(u32);
entity_impl!(Edge, "edge");

/// In place of the numbers of a block that control never reaches.
const UNREACHED: (u32, u32) = (u32::MAX, 0);

/// What the check of a function allocates, for the next one.
#[derive(Default)]
pub(super) struct Buffers {
    /// The rules of structured control flow.
    structure: verify::Verifier,
    graph: Graph,
    preds: Graph,
    /// See [`Graph::reverse`].
    next: PrimaryMap<Position, Edge>,
    dominators: Dominators,
    walk: Walk,
}

impl Buffers {
    /// Returns the bytes that it keeps.
    pub(super) fn bytes(&self) -> usize {
        self.structure.kept_bytes()
            + self.graph.bytes()
            + self.preds.bytes()
            + self.next.capacity() * size_of::<Edge>()
            + self.dominators.range.capacity() * size_of::<(u32, u32)>()
            + self.walk.bytes()
    }
}

/// Makes a map of `len` equal values, in the memory that it has.
fn refill<K: EntityRef, V: Clone>(map: &mut PrimaryMap<K, V>, len: usize, value: V) {
    let mut values = Vec::from(std::mem::take(map));
    values.clear();
    values.resize(len, value);
    *map = values.into();
}

/// Dominators of a function's blocks: numbers of a walk over the dominator tree.
#[derive(Default)]
struct Dominators {
    /// First and last preorder number in the subtree; [`UNREACHED`] for a block that control never
    /// reaches.
    range: PrimaryMap<Position, (u32, u32)>,
}

impl Dominators {
    fn reached(&self, block: Position) -> bool {
        self.range[block] != UNREACHED
    }
    fn dominates(&self, a: Position, b: Position) -> bool {
        let (a, b) = (self.range[a], self.range[b]);
        a.0 <= b.0 && b.1 <= a.1
    }
}

/// Successors and predecessors of blocks, by number.
#[derive(Default)]
struct Graph {
    lists: PrimaryMap<Position, EntityRange<Edge>>,
    targets: PrimaryMap<Edge, Position>,
    /// The same with merge instructions, for the check of the structure.
    cfg: Cfg,
}

impl Graph {
    fn of(&self, block: Position) -> &[Position] {
        &self.targets[self.lists[block]]
    }

    fn bytes(&self) -> usize {
        self.lists.capacity() * size_of::<EntityRange<Edge>>()
            + self.targets.capacity() * size_of::<Position>()
            + self.cfg.kept_bytes()
    }

    /// Makes the graph with all edges reversed. `next` is memory for the number of edges to each
    /// block, then the next free one in its list.
    fn reverse(&self, into: &mut Graph, next: &mut PrimaryMap<Position, Edge>) {
        refill(next, self.lists.len(), Edge(0));
        for &to in self.targets.values() {
            next[to].0 += 1;
        }
        let mut end = Edge(0);
        let Graph { lists, targets, .. } = into;
        lists.clear();
        lists.reserve(self.lists.len());
        for next in next.values_mut() {
            let start = end;
            end.0 += next.0;
            lists.push(EntityRange::new(start, end));
            *next = start;
        }
        refill(targets, self.targets.len(), Position::ENTRY);
        for block in self.lists.keys() {
            for &to in self.of(block) {
                targets[next[to]] = block;
                next[to].0 += 1;
            }
        }
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
            let first_block = self.blocks.len();
            while inst.op() != Op::FunctionEnd {
                at = self.block(&inst, Position::new(self.blocks.len() - first_block))?;
                inst = self.read(at)?;
            }
            inst.check()?;
            at = inst.next;
            self.functions.push(Range {
                start: def.at,
                end: at,
                blocks: (first_block, self.blocks.len()),
            });
        }
        Ok(())
    }

    /// Reads a block from its label to its terminator; returns the position of the word after it.
    fn block(&mut self, label: &Inst<'_>, number: Position) -> Result<u32, Failure> {
        if label.op() != Op::Label {
            return Err(broken(label, VerifyRule::OutsideBlock));
        }
        label.check()?;
        self.define(label, EVERYWHERE)?;
        // A label has no type, so this field holds the number of its block.
        if let Some(id) = self.ids.get_mut(label.result as usize) {
            id.ty = number.as_u32();
        }
        let start = self.insts.next_key();
        let mut merge = false;
        let mut at = label.next;
        loop {
            let inst = self.read_next(at)?;
            inst.check()?;
            self.insts.push(inst);
            if inst.layout.terminator {
                self.blocks.push(Block {
                    insts: EntityRange::new(start, self.insts.next_key()),
                    merge,
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
    pub(super) fn function_body(
        &mut self,
        index: usize,
        buffers: &mut Buffers,
    ) -> Result<(), Failure> {
        self.function = self.functions[index];
        let def = self.read(self.function.start)?;
        self.signature(&def)?;
        let Buffers {
            structure,
            graph,
            preds,
            next,
            dominators,
            walk,
        } = buffers;
        self.structure(graph, structure)?;
        graph.reverse(preds, next);
        walk.dominators(graph, preds, dominators);
        for (index, data) in self.blocks().iter().enumerate() {
            let block = Position::new(index);
            let mut phis = true;
            for inst in self.insts(*data) {
                if inst.op() == Op::Phi {
                    if !phis {
                        return Err(broken(inst, VerifyRule::PhiOrder));
                    }
                    self.phi(inst, preds.of(block), dominators)?;
                } else {
                    phis = false;
                    self.uses(inst, block, dominators)?;
                    self.rules(inst, def.result_type)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the blocks of the current function.
    fn blocks(&self) -> &[Block] {
        &self.blocks[self.function.blocks.0..self.function.blocks.1]
    }

    /// Instructions of a block, without its label.
    fn insts(&self, block: Block) -> &[Inst<'_>] {
        &self.insts[block.insts]
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

    /// Returns the block with a label, in the current function.
    fn block_of(&self, label: Word) -> Option<Position> {
        self.id(label)
            .filter(|def| def.op == Op::Label && self.is_local(def))
            .map(|def| Position::from_u32(def.ty))
    }

    /// Reads labels, merge instructions and terminators, and checks the structure.
    fn structure(
        &self,
        graph: &mut Graph,
        structure: &mut verify::Verifier,
    ) -> Result<(), Failure> {
        let number = |inst: &Inst<'_>, label: Word| {
            self.block_of(label)
                .ok_or_else(|| broken(inst, VerifyRule::NotALabel { id: label }))
        };
        let blocks = self.blocks();
        let mut cfg = std::mem::take(&mut graph.cfg);
        cfg.clear();
        graph.lists.clear();
        graph.lists.reserve(blocks.len());
        graph.targets.clear();
        graph.targets.reserve(blocks.len() * 2);
        for data in blocks {
            // A block has its terminator, and a merge instruction before it where one was seen.
            let [before @ .., last] = self.insts(*data) else {
                return Err(VerifyRule::NoTerminator { label: 0 }.into());
            };
            let merge = match before.last().filter(|_| data.merge) {
                None => BlockMerge::None,
                Some(m) => {
                    let merge = number(m, Self::operand(m, 0)?)?;
                    match m.op() {
                        Op::LoopMerge => BlockMerge::Loop {
                            merge,
                            continue_target: number(m, Self::operand(m, 1)?)?,
                        },
                        _ => BlockMerge::Selection { merge },
                    }
                }
            };
            let start = graph.targets.next_key();
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
            let list = EntityRange::new(start, graph.targets.next_key());
            cfg.add_block(end, merge, graph.targets[list].iter().copied());
            graph.lists.push(list);
        }
        let verified = structure.verify_cfg(&cfg);
        graph.cfg = cfg;
        Ok(verified.map_err(VerifyRule::ControlFlow)?)
    }

    /// Checks that each operand is defined, in this function or at module level, and that its
    /// definition dominates.
    fn uses(
        &self,
        inst: &Inst<'_>,
        block: Position,
        dominators: &Dominators,
    ) -> Result<(), Failure> {
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

    fn phi(
        &self,
        inst: &Inst<'_>,
        preds: &[Position],
        dominators: &Dominators,
    ) -> Result<(), Failure> {
        let mut expected: SmallVec<[Position; 8]> = preds.into();
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
            expected[slot] = Position::reserved_value();
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

/// What [`Walk::dominators`] allocates.
#[derive(Default)]
struct Walk {
    /// The blocks that control reaches in reverse post-order.
    order: PrimaryMap<Rank, Position>,
    /// The rank of each block in it, the reserved value for one that is not reached.
    rank: PrimaryMap<Position, Rank>,
    stack: Vec<(Position, usize)>,
    idom: PrimaryMap<Rank, Rank>,
    /// Size of each subtree of the dominator tree.
    size: PrimaryMap<Rank, u32>,
    start: PrimaryMap<Rank, u32>,
    /// The next free number within each subtree.
    free: PrimaryMap<Rank, u32>,
}

impl Walk {
    fn bytes(&self) -> usize {
        self.order.capacity() * size_of::<Position>()
            + (self.rank.capacity() + self.idom.capacity()) * size_of::<Rank>()
            + self.stack.capacity() * size_of::<(Position, usize)>()
            + (self.size.capacity() + self.start.capacity() + self.free.capacity())
                * size_of::<u32>()
    }

    /// Dominators by Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm"), then a
    /// numbering of the tree.
    fn dominators(&mut self, graph: &Graph, preds: &Graph, result: &mut Dominators) {
        let count = graph.lists.len();
        if count <= 1 {
            refill(&mut result.range, count, (0, 0));
            return;
        }
        self.reverse_post_order(graph);
        let Self {
            order, rank, idom, ..
        } = self;
        // An entry of its own for each rank; the reserved value before it is known.
        let unknown = Rank::reserved_value();
        refill(idom, order.len(), unknown);
        let entry = Rank(0);
        idom[entry] = entry;
        loop {
            let mut changed = false;
            for at in order.keys().skip(1) {
                let mut new = unknown;
                for &pred in preds.of(order[at]) {
                    let mut p = rank[pred];
                    if p == unknown || idom[p] == unknown {
                        continue;
                    }
                    if new != unknown {
                        let mut q = new;
                        while p != q {
                            while p > q {
                                p = idom[p];
                            }
                            while q > p {
                                q = idom[q];
                            }
                        }
                    }
                    new = p;
                }
                if idom[at] != new {
                    idom[at] = new;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        self.number(count, &mut result.range);
    }

    /// Fills the order and the ranks.
    fn reverse_post_order(&mut self, graph: &Graph) {
        let Self {
            order, rank, stack, ..
        } = self;
        refill(rank, graph.lists.len(), Rank::reserved_value());
        let mut blocks = Vec::from(std::mem::take(order));
        blocks.clear();
        blocks.reserve(graph.lists.len());
        stack.clear();
        stack.push((Position::ENTRY, 0));
        rank[Position::ENTRY] = Rank(0);
        while let Some((block, next)) = stack.last_mut() {
            match graph.of(*block).get(*next) {
                Some(&to) => {
                    *next += 1;
                    if rank[to].is_reserved_value() {
                        rank[to] = Rank(0);
                        stack.push((to, 0));
                    }
                }
                None => {
                    blocks.push(*block);
                    stack.pop();
                }
            }
        }
        blocks.reverse();
        *order = blocks.into();
        for (at, &block) in order.iter() {
            rank[block] = at;
        }
    }

    /// Numbers the dominator tree without a walk: sizes of subtrees bottom-up, then preorder numbers
    /// top-down.
    fn number(&mut self, count: usize, range: &mut PrimaryMap<Position, (u32, u32)>) {
        let Self {
            order,
            idom,
            size,
            start,
            free,
            ..
        } = self;
        refill(size, order.len(), 1);
        for at in order.keys().skip(1).rev() {
            let below = size[at];
            size[idom[at]] += below;
        }
        refill(range, count, UNREACHED);
        refill(start, order.len(), 0);
        refill(free, order.len(), 1);
        for (at, &block) in order.iter() {
            if at != Rank(0) {
                let parent = idom[at];
                start[at] = free[parent];
                free[parent] += size[at];
                free[at] = start[at] + 1;
            }
            range[block] = (start[at], start[at] + size[at] - 1);
        }
    }
}
