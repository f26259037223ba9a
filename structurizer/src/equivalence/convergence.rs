//! The loops around convergent instructions. Invocations run one together if they are in the same iteration of
//! each loop around it, so these loops must be the input's.
//!
//! A loop of the result is the loop of the input to whose header its back edge leads. Loops of both functions
//! without such an edge run once, and do not count. Irreducible inputs and those with uniform branches, which may keep
//! convergent instructions in more loops, are not checked. Linear.

use alloc::vec::Vec;

use super::{Checker, Difference, Functions, State, Step};
use crate::analysis::cfg::Cfg;
use crate::analysis::dfs::Dfs;
use crate::analysis::loops::{Loop, Loops};
use crate::entity::{EntityRef, PackedOption, PrimaryMap, entity_impl};
use crate::ir::Block;
use crate::result::{Merge, Structured};

/// A loop of the result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Construct(u32);
entity_impl!(Construct, "construct");

/// The loop of the input that a loop of the result is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Is {
    /// Control does not take the back edge.
    Once,
    Loop(Loop),
    None,
}

#[derive(Clone, Copy)]
struct ConstructData {
    /// The loop around it.
    parent: PackedOption<Construct>,
    is: Is,
}

/// A block of the result.
#[derive(Clone, Copy)]
struct BlockData {
    position: usize,
    /// The innermost loop that contains it, with the loop that it heads.
    innermost: PackedOption<Construct>,
    is_placed: bool,
}

/// The loops of both functions.
#[derive(Default)]
pub(super) struct Nesting {
    cfg: Cfg<Block>,
    dfs: Dfs<Block>,
    loops: Loops<Block>,
    constructs: PrimaryMap<Construct, ConstructData>,
    blocks: PrimaryMap<Block, BlockData>,
    /// Ways over empty blocks of the input, each with the states before and after it.
    passing: Vec<(State, State)>,
    /// The states after back edges that are not handled yet.
    after_back_edges: Vec<(State, Construct)>,
    /// For each loop of the input the innermost one around it, or itself, that control repeats.
    repeated: PrimaryMap<Loop, PackedOption<Loop>>,
    /// The same for each loop of the result, with none if it is not a loop of the input.
    around: PrimaryMap<Construct, Option<PackedOption<Loop>>>,
}

impl Checker {
    /// Checks the loops around the convergent instructions of all pairs.
    pub(super) fn check_convergence(
        &mut self,
        funcs: Functions<'_>,
        structured: &Structured,
    ) -> Result<(), Difference> {
        let input = funcs.input;
        let is_loop = |block: &Block| matches!(structured.merges[*block], Merge::Loop { .. });
        if self.convergent.is_empty()
            || !structured.order.iter().any(is_loop)
            || input.blocks().any(|block| input.is_uniform(block))
        {
            return Ok(());
        }
        let mut nesting = core::mem::take(&mut self.nesting);
        let checked = nesting.check(self, funcs, structured);
        self.nesting = nesting;
        checked
    }
}

impl Nesting {
    fn check(
        &mut self,
        checker: &mut Checker,
        funcs: Functions<'_>,
        structured: &Structured,
    ) -> Result<(), Difference> {
        let input = funcs.input;
        self.cfg.compute(|succs| {
            for block in input.blocks() {
                succs.extend(input.successors(block));
                succs.extend(input.convergence_region(block));
                succs.end_list();
            }
        });
        self.dfs.compute(&self.cfg, Block::new(0));
        self.loops.compute(&self.cfg, &self.dfs);
        if self.loops.any_irreducible() {
            return Ok(());
        }
        self.find_constructs(structured);
        self.find_loops(checker)?;
        self.find_repeated();
        for &block in &checker.convergent {
            let repeated =
                |l: PackedOption<Loop>| l.expand().and_then(|l| self.repeated[l].expand());
            let expected = repeated(self.loops.innermost(block));
            let found = match self.blocks[block].innermost.expand() {
                None => Some(None.into()),
                Some(construct) => self.around[construct],
            };
            if found != Some(expected.into()) {
                return Err(Difference::Loops(block));
            }
        }
        Ok(())
    }

    /// Finds the loops around the blocks of the result. Edges out of a loop lead to merge blocks and
    /// continue targets only.
    fn find_constructs(&mut self, structured: &Structured) {
        self.constructs.clear();
        let outside = BlockData {
            position: 0,
            innermost: None.into(),
            is_placed: false,
        };
        self.blocks.refill(outside, structured.func.num_blocks());
        for (position, &block) in structured.order.iter().enumerate() {
            let around = self.blocks[block].innermost;
            let mut inner = around;
            match structured.merges[block] {
                Merge::None => {}
                Merge::Selection { merge, .. } => self.place(merge, around),
                Merge::Loop {
                    merge,
                    continue_target,
                    ..
                } => {
                    let (parent, is) = (around, Is::Once);
                    inner = self.constructs.push(ConstructData { parent, is }).into();
                    self.place(merge, around);
                    self.place(continue_target, inner);
                }
            }
            self.blocks[block] = BlockData {
                position,
                innermost: inner,
                is_placed: true,
            };
            for next in structured.func.successors(block) {
                self.place(next, inner);
            }
        }
    }

    fn place(&mut self, block: Block, innermost: PackedOption<Construct>) {
        let data = &mut self.blocks[block];
        if !core::mem::replace(&mut data.is_placed, true) {
            data.innermost = innermost;
        }
    }

    /// Finds the loops of the input that the loops of the result are, from the states after their back edges.
    fn find_loops(&mut self, checker: &mut Checker) -> Result<(), Difference> {
        self.passing.clear();
        self.after_back_edges.clear();
        for state in checker.states.keys() {
            let at = checker.states[state].at;
            let Some(construct) = self.blocks[at].innermost.expand() else {
                continue;
            };
            let mut is_back_edge = false;
            let mut next = checker.states[state].first;
            while let Some(way) = next.expand().map(|way| checker.ways[way]) {
                next = way.next;
                let Some(from) = way.from.expand() else {
                    continue;
                };
                if matches!(way.step, Step::Input) {
                    self.passing.push((from, state));
                } else {
                    let from = self.blocks[checker.states[from].at];
                    is_back_edge |= from.position >= self.blocks[at].position;
                }
            }
            if is_back_edge {
                self.after_back_edges.push((state, construct));
            }
        }
        self.passing.sort_unstable();
        while let Some((state, construct)) = self.after_back_edges.pop() {
            checker.step()?;
            self.add_back_edge(checker, state, construct)?;
        }
        Ok(())
    }

    /// Adds the loop of the input to whose header control is on the way in a state, or the states after it if it
    /// passes an empty block first. Control that leaves the construct next does not repeat it.
    fn add_back_edge(
        &mut self,
        checker: &mut Checker,
        state: State,
        construct: Construct,
    ) -> Result<(), Difference> {
        let to = checker.states[state].to.block();
        let mut is = match to.and_then(|to| self.loops.headed_by(to)) {
            Some(l) => Is::Loop(l),
            None => Is::None,
        };
        if is == Is::None {
            let first = self.passing.partition_point(|&(from, _)| from < state);
            let next = self.passing[first..].iter();
            let next = next.take_while(|&&(from, _)| from == state);
            let before = self.after_back_edges.len();
            self.after_back_edges
                .extend(next.map(|&(_, to)| (to, construct)));
            if self.after_back_edges.len() > before {
                return Ok(());
            }
        }
        if let Some(to) = to
            && self.blocks[to].is_placed
        {
            let mut around = self.blocks[to].innermost.expand();
            while around.is_some_and(|around| around != construct) {
                checker.step()?;
                around = around.and_then(|around| self.constructs[around].parent.expand());
            }
            if around.is_none() {
                return Ok(());
            }
        }
        let known = &mut self.constructs[construct].is;
        if *known != Is::Once && *known != is {
            is = Is::None;
        }
        *known = is;
        Ok(())
    }

    fn find_repeated(&mut self) {
        self.repeated.refill(None.into(), self.loops.len());
        for data in self.constructs.values() {
            if let Is::Loop(l) = data.is {
                self.repeated[l] = l.into();
            }
        }
        for l in self.loops.all() {
            if self.repeated[l].is_none()
                && let Some(parent) = self.loops.parent(l).expand()
            {
                self.repeated[l] = self.repeated[parent];
            }
        }
        self.around.clear();
        for &ConstructData { parent, is } in self.constructs.values() {
            let outer = match parent.expand() {
                None => Some(None.into()),
                Some(parent) => self.around[parent],
            };
            let parent_of = |l: Loop| {
                let parent = self.loops.parent(l).expand();
                parent.and_then(|parent| self.repeated[parent].expand())
            };
            self.around.push(match is {
                Is::Once => outer,
                Is::Loop(l) if outer == Some(parent_of(l).into()) => Some(l.into()),
                _ => None,
            });
        }
    }
}
