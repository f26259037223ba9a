//! Functions after all words are read: structured control flow, dominance, phis.

use rspirv::spirv::{Op, Word};
use smallvec::SmallVec;
use trellis_entity::{EntityRange, EntityRef, PrimaryMap, ReservedValue, entity_impl};
use trellis_structurizer::verify::{self, BlockEnd, BlockMerge, Cfg, Position};

use super::layout::Role;
use super::read::Inst;
use super::types::Ty;
use super::{Block, Failure, Id, Place, Range, Verifier, broken};
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
    /// Checks the rules of a function.
    pub(super) fn function_body(
        &mut self,
        index: usize,
        buffers: &mut Buffers,
    ) -> Result<(), Failure> {
        self.function = self.functions[index];
        let def = self.read(self.function.start)?;
        self.signature(&def)?;
        let Range { later, crosses, .. } = self.function;
        let is_done = later.0 == later.1 && crosses.0 == crosses.1;
        if is_done && self.is_straight() {
            return Ok(());
        }
        let Buffers {
            structure,
            graph,
            preds,
            next,
            dominators,
            walk,
        } = buffers;
        self.structure(graph, structure)?;
        if is_done {
            return Ok(());
        }
        graph.reverse(preds, next);
        walk.dominators(graph, preds, dominators);
        let first = self.function.blocks.0;
        for cross in self.crosses.get(crosses.0..crosses.1).unwrap_or_default() {
            let position = |place: Place| Position::new(place.index() - first);
            let (from, to) = (position(cross.from), position(cross.to));
            if dominators.reached(to) && !dominators.dominates(from, to) {
                self.uses(&self.read(cross.at)?, to, dominators)?;
            }
        }
        for later in self.later.get(later.0..later.1).unwrap_or_default() {
            let inst = self.read(later.at)?;
            let block = Position::from_u32(later.block);
            if inst.op() == Op::Phi {
                self.phi(&inst, preds.of(block), dominators)?;
            } else {
                self.uses(&inst, block, dominators)?;
                self.rules(&inst, self.shapes(&inst))?;
            }
        }
        Ok(())
    }

    /// Returns true for a function of one block that leaves it, so without edges to check.
    fn is_straight(&self) -> bool {
        let &[block] = self.blocks() else {
            return false;
        };
        let end = self.read(block.end);
        block.merge == 0 && end.is_ok_and(|end| end.layout.role == Role::End)
    }

    /// Returns the blocks of the current function.
    fn blocks(&self) -> &[Block] {
        &self.blocks[self.function.blocks.0..self.function.blocks.1]
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
    pub(super) fn is_local(&self, def: &Id) -> bool {
        (self.function.start..self.function.end).contains(&def.at)
    }

    /// Returns the block in the current function that a definition is in.
    fn position(&self, def: &Id) -> Option<Position> {
        (def.place >= Place::block(0) && self.is_local(def))
            .then(|| Position::new(def.place.index() - self.function.blocks.0))
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
            let merge = match data.merge {
                0 => BlockMerge::None,
                at => {
                    let m = &self.read(at)?;
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
            let last = &self.read(data.end)?;
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
        Ok(verified.map_err(|error| VerifyRule::ControlFlow { error })?)
    }

    /// Checks that each operand is defined, in this function or at module level, and that its
    /// definition dominates.
    fn uses(
        &self,
        inst: &Inst<'_>,
        block: Position,
        dominators: &Dominators,
    ) -> Result<(), Failure> {
        let reaches = |id: Word| {
            self.id(id).is_some_and(|def| match self.position(def) {
                Some(own) if own == block => def.at < inst.at,
                Some(own) => !dominators.reached(block) || dominators.dominates(own, block),
                None => def.place == Place::MODULE || self.is_local(def),
            })
        };
        let mut ids = inst.result_type().into_iter().chain(inst.ids());
        let Some(wrong) = ids.find(|&id| !reaches(id)) else {
            return Ok(());
        };
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
            if def.ty != inst.result_type || def.is(Op::Label) {
                return Err(broken(inst, VerifyRule::PhiType { value }));
            }
            let fine = match self.position(def) {
                Some(own) => !dominators.reached(pred) || dominators.dominates(own, pred),
                None => def.place == Place::MODULE || self.is_local(def),
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
