//! The rules of structured control flow (SPIR-V 1.6, section 2.11) on a bare graph.
//!
//! Constructs nest, so each block has one innermost construct, and the constructs form a tree. It
//! follows from the structural dominator tree: a block lies in the construct of its immediate
//! dominator, but a merge block lies outside its header's construct, a continue target starts the
//! continue construct and a case target starts a case construct. (Each of these three has its
//! header as immediate dominator, since the header has an edge to it.) Then each rule about exits
//! concerns one edge: the construct in which it starts, the one in which it ends, and the innermost
//! loop or switch around its start ([`edges`](super::edges)). No sets of blocks are built; the cost
//! is that of the dominator tree.
//!
//! The rules on nested constructs can be read in several ways. They are read like this: an edge
//! that leaves a nested selection may branch to the innermost loop's merge block or continue target
//! or to the innermost switch's merge block, but neither to another case nor along a back edge.

use alloc::vec;
use alloc::vec::Vec;

use trellis_entity::{PackedOption, PrimaryMap, entity_impl};

use super::cfg::{BlockEnd, BlockMerge, Cfg, Position};
use super::dominators::Dominators;
use super::roles::Roles;
use super::rule::{CfgError, Rule};

/// A construct. Each block has a construct that starts at it as a continue target or case target,
/// and one that has it as its header; the last construct is the function itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Construct(u32);
entity_impl!(Construct, "construct");

impl Construct {
    /// Returns the continue or case construct that starts at a block.
    pub(super) fn starting_at(block: Position) -> Self {
        Construct(2 * block.as_u32())
    }

    /// Returns the selection, switch or loop construct of a header.
    pub(super) fn headed_by(header: Position) -> Self {
        Construct(2 * header.as_u32() + 1)
    }

    /// Returns the block of [`starting_at`](Self::starting_at) or [`headed_by`](Self::headed_by).
    pub(super) fn block(self) -> Position {
        Position::from_u32(self.0 / 2)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Function,
    Selection,
    Switch,
    Case,
    Loop,
    Continue,
}

/// Data of a construct.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConstructData {
    pub(super) kind: Kind,
    /// The selection, loop or switch header; none for the function.
    pub(super) header: PackedOption<Position>,
    /// The innermost loop or continue construct around, itself included.
    pub(super) looping: PackedOption<Construct>,
    /// The innermost loop, continue or switch construct around, itself included.
    pub(super) breakable: PackedOption<Construct>,
    /// The header of the innermost loop whose continue construct this is in.
    pub(super) continuing: PackedOption<Position>,
    /// The construct around; the function's is itself.
    parent: Construct,
}

/// The tree of constructs, and what was found about their edges.
#[derive(Default)]
pub(super) struct Constructs {
    pub(super) data: PrimaryMap<Construct, ConstructData>,
    /// The innermost construct that contains each block, its own included.
    pub(super) inner: PrimaryMap<Position, Construct>,
    /// The innermost construct around each block, its own not included.
    pub(super) outer: PrimaryMap<Position, Construct>,
    /// Of each loop header: its back-edge block.
    pub(super) back: PrimaryMap<Position, PackedOption<Position>>,
    /// Of each case target: the case that it falls through to, and the one that falls through to
    /// it.
    pub(super) falls_to: PrimaryMap<Position, PackedOption<Position>>,
    pub(super) falls_from: PrimaryMap<Position, PackedOption<Position>>,
    /// The constructs but the function, each after the one around it.
    opened: Vec<Construct>,
    /// See [`find_nesting`](Self::find_nesting).
    nesting: PrimaryMap<Construct, (u32, u32)>,
}

impl Constructs {
    /// Builds the tree, and checks that headers dominate the blocks that they name.
    pub(super) fn build(
        &mut self,
        cfg: &Cfg,
        roles: &Roles,
        dominators: &Dominators,
    ) -> Result<(), CfgError> {
        let count = cfg.len();
        let function = Construct::starting_at(Position::from_u32(count as u32));
        let root = ConstructData {
            kind: Kind::Function,
            header: PackedOption::default(),
            looping: PackedOption::default(),
            breakable: PackedOption::default(),
            continuing: PackedOption::default(),
            parent: function,
        };
        self.data.refill(root, 2 * count + 1);
        self.inner.refill(function, count);
        self.outer.refill(function, count);
        self.back.refill(PackedOption::default(), count);
        self.falls_to.refill(PackedOption::default(), count);
        self.falls_from.refill(PackedOption::default(), count);
        self.opened.clear();
        self.nesting.clear();
        let mut blocks = cfg.blocks().map(|(block, _)| block);
        if let Some(block) = blocks.find(|&block| !dominators.reached(block)) {
            return Err(Rule::Unreachable.broken_at(block));
        }
        for block in dominators.order() {
            self.place(cfg, roles, dominators, block)?;
        }
        Ok(())
    }

    fn place(
        &mut self,
        cfg: &Cfg,
        roles: &Roles,
        dominators: &Dominators,
        block: Position,
    ) -> Result<(), CfgError> {
        check_header(cfg, dominators, block)?;
        if let Some(up) = dominators.parent(block) {
            if up >= block {
                return Err(Rule::BlockOrder.broken_by(block, up));
            }
            let start = Construct::starting_at(block);
            self.outer[block] = if roles.merge_of[block] == up.into() {
                self.outer[up]
            } else if roles.continue_of[block] == up.into() {
                // The continue construct is next to the loop construct, not in it.
                self.open(start, Kind::Continue, up, self.outer[up])
            } else if roles.case_of[block] == up.into() {
                self.open(start, Kind::Case, up, self.inner[up])
            } else {
                self.inner[up]
            };
        }
        let kind = match cfg.merge(block) {
            BlockMerge::None => None,
            BlockMerge::Selection { .. } if cfg.end(block) == BlockEnd::Switch => {
                Some(Kind::Switch)
            }
            BlockMerge::Selection { .. } => Some(Kind::Selection),
            BlockMerge::Loop {
                continue_target, ..
            } if continue_target == block => Some(Kind::Continue),
            BlockMerge::Loop { .. } => Some(Kind::Loop),
        };
        let outer = self.outer[block];
        self.inner[block] = match kind {
            Some(kind) => self.open(Construct::headed_by(block), kind, block, outer),
            None => outer,
        };
        Ok(())
    }

    fn open(
        &mut self,
        construct: Construct,
        kind: Kind,
        header: Position,
        parent: Construct,
    ) -> Construct {
        let around = self.data[parent];
        let is_loop = matches!(kind, Kind::Loop | Kind::Continue);
        self.data[construct] = ConstructData {
            kind,
            header: header.into(),
            looping: if is_loop {
                construct.into()
            } else {
                around.looping
            },
            breakable: if is_loop || kind == Kind::Switch {
                construct.into()
            } else {
                around.breakable
            },
            continuing: if kind == Kind::Continue {
                header.into()
            } else {
                around.continuing
            },
            parent,
        };
        self.opened.push(construct);
        construct
    }

    /// Numbers the constructs in preorder, each with the end of its interval, for
    /// [`is_nested`](Self::is_nested). Linear.
    pub(super) fn find_nesting(&mut self) {
        let mut size: PrimaryMap<Construct, u32> = vec![1; self.data.len()].into();
        for &construct in self.opened.iter().rev() {
            let parent = self.data[construct].parent;
            size[parent] += size[construct];
        }
        self.nesting = vec![(0, u32::MAX); self.data.len()].into();
        let mut next: PrimaryMap<Construct, u32> = vec![1; self.data.len()].into();
        for &construct in &self.opened {
            let parent = self.data[construct].parent;
            let start = next[parent];
            next[parent] += size[construct];
            next[construct] = start + 1;
            self.nesting[construct] = (start, start + size[construct]);
        }
    }

    /// Returns whether a construct is another one or inside it.
    pub(super) fn is_nested(&self, inner: Construct, outer: Construct) -> bool {
        let (start, end) = self.nesting[outer];
        (start..end).contains(&self.nesting[inner].0)
    }
}

/// Checks that a header dominates the blocks that its merge instruction and its switch name; since
/// it has an edge to each, it is then the immediate dominator.
fn check_header(cfg: &Cfg, dominators: &Dominators, block: Position) -> Result<(), CfgError> {
    let dominated = |to: Position| dominators.parent(to) == Some(block);
    let merge = match cfg.merge(block) {
        BlockMerge::None => return Ok(()),
        BlockMerge::Selection { merge } => merge,
        BlockMerge::Loop {
            merge,
            continue_target,
        } => {
            if continue_target != block && !dominated(continue_target) {
                return Err(Rule::ContinueNotDominated.broken_by(block, continue_target));
            }
            merge
        }
    };
    if !dominated(merge) {
        return Err(Rule::MergeNotDominated.broken_by(block, merge));
    }
    if cfg.end(block) == BlockEnd::Switch
        && let Some(&target) = cfg.successors(block).iter().find(|&&to| !dominated(to))
    {
        return Err(Rule::CaseNotDominated.broken_by(block, target));
    }
    Ok(())
}
