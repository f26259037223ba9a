//! The rules of structured control flow (SPIR-V 1.6, section 2.11) on a bare graph.
//!
//! Constructs nest, so each block has one innermost construct, and the constructs form a tree. It
//! follows from the structural dominator tree: a block lies in the construct of its immediate
//! dominator, but a merge block lies outside its header's construct, a continue target starts the
//! continue construct and a case target starts a case construct. (Each of these three has its
//! header as immediate dominator, since the header has an edge to it.) Then each rule about exits
//! concerns one edge: the construct in which it starts, the one in which it ends, and the innermost
//! loop or switch around its start ([`edges`](super::edges)). No sets of blocks are built; the
//! dominator tree dominates the cost.
//!
//! The rules on nested constructs can be read in several ways. They are read like this: an edge
//! that leaves a nested selection may branch to the innermost loop's merge block or continue target
//! or to the innermost switch's merge block, but neither to another case nor along a back edge.

use trellis_entity::{PackedOption, PrimaryMap, entity_impl};

use super::cfg::{BlockEnd, BlockMerge, Cfg, Position};
use super::dominators::Dominators;
use super::roles::Roles;
use super::rule::{CfgError, Rule};

/// A construct. The first is the function itself, and each is after the one around it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Construct(u32);
entity_impl!(Construct, "construct");

impl Construct {
    /// The function itself.
    pub(super) const FUNCTION: Self = Self(0);
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
    /// Its first block: of a case or continue construct its target.
    pub(super) start: Position,
    /// The innermost loop or continue construct around, itself included.
    pub(super) looping: PackedOption<Construct>,
    /// The innermost loop, continue or switch construct around, itself included.
    pub(super) breakable: PackedOption<Construct>,
    /// The header of the innermost loop whose continue construct this is in.
    pub(super) continuing: PackedOption<Position>,
    /// The construct around; the function's is itself.
    parent: Construct,
}

/// Facts about a block.
#[derive(Clone, Copy)]
pub(super) struct BlockData {
    /// The innermost construct that contains it, its own included.
    pub(super) inner: Construct,
    /// The innermost construct around it, its own not included.
    pub(super) outer: Construct,
    /// Of a loop header: its back-edge block.
    pub(super) back: PackedOption<Position>,
    /// Of a case target: the case that it falls through to, and the case that falls through to it.
    pub(super) falls_to: PackedOption<Position>,
    pub(super) falls_from: PackedOption<Position>,
}

/// The tree of constructs, and facts about their edges.
#[derive(Default)]
pub(super) struct Constructs {
    pub(super) data: PrimaryMap<Construct, ConstructData>,
    pub(super) blocks: PrimaryMap<Position, BlockData>,
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
        self.data.clear();
        self.data.push(ConstructData {
            kind: Kind::Function,
            header: PackedOption::default(),
            start: Position::ENTRY,
            looping: PackedOption::default(),
            breakable: PackedOption::default(),
            continuing: PackedOption::default(),
            parent: Construct::FUNCTION,
        });
        let block = BlockData {
            inner: Construct::FUNCTION,
            outer: Construct::FUNCTION,
            back: PackedOption::default(),
            falls_to: PackedOption::default(),
            falls_from: PackedOption::default(),
        };
        self.blocks.refill(block, cfg.len());
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
        let mut outer = self.blocks[block].outer;
        if let Some(up) = dominators.parent(block) {
            if up >= block {
                return Err(Rule::BlockOrder.broken_by(block, up));
            }
            let (role, above) = (&roles.of[block], self.blocks[up]);
            outer = if role.merge_of == up.into() {
                above.outer
            } else if role.continue_of == up.into() {
                // The continue construct is next to the loop construct, not in it.
                self.open(block, Kind::Continue, up, above.outer)
            } else if role.case_of == up.into() {
                self.open(block, Kind::Case, up, above.inner)
            } else {
                above.inner
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
        let inner = match kind {
            Some(kind) => self.open(block, kind, block, outer),
            None => outer,
        };
        let data = &mut self.blocks[block];
        (data.inner, data.outer) = (inner, outer);
        Ok(())
    }

    fn open(
        &mut self,
        start: Position,
        kind: Kind,
        header: Position,
        parent: Construct,
    ) -> Construct {
        let around = self.data[parent];
        let is_loop = matches!(kind, Kind::Loop | Kind::Continue);
        let construct = self.data.next_key();
        self.data.push(ConstructData {
            kind,
            header: header.into(),
            start,
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
        })
    }

    /// Numbers the constructs in preorder, each with the end of its interval, for
    /// [`is_nested`](Self::is_nested). Linear.
    pub(super) fn find_nesting(&mut self) {
        let count = self.data.len();
        let mut size: PrimaryMap<Construct, u32> = PrimaryMap::filled(1, count);
        for (construct, data) in self.data.iter().skip(1).rev() {
            size[data.parent] += size[construct];
        }
        self.nesting.refill((0, u32::MAX), count);
        let mut next: PrimaryMap<Construct, u32> = PrimaryMap::filled(1, count);
        for (construct, data) in self.data.iter().skip(1) {
            let start = next[data.parent];
            next[data.parent] += size[construct];
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
