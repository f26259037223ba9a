//! The rules of structured control flow (SPIR-V 1.6, section 2.11) on a bare graph.
//!
//! Constructs nest, so each block has one innermost construct, and the constructs form a tree. It
//! follows from the structural dominator tree: a block lies where its immediate dominator lies,
//! but a merge block lies outside its header's construct, a continue target starts the continue
//! construct and a case target starts a case construct. (Each of these three has its header as
//! immediate dominator, since the header has an edge to it.) Then each rule about exits is a
//! question about one edge: in which construct does it start, in which does it end, and what is
//! the innermost loop or switch of its start. No sets are built; the cost is that of the
//! dominator tree.
//!
//! A construct's header may leave several ways to read the rules on nested constructs. Read here:
//! an edge that leaves a nested selection may leave it to the innermost loop's merge block or
//! continue target or to the innermost switch's merge block, but neither to another case nor with
//! a back edge.

use super::dominators::{Dominators, NONE};
use super::rule::{CfgError, Rule, broken};

/// How a block ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockEnd {
    /// A function termination instruction.
    Exit,
    /// `OpBranch`: one successor.
    Branch,
    /// `OpBranchConditional`: two successors.
    Conditional,
    /// `OpSwitch`: the default, then the targets in the order of the operands.
    Switch,
}

/// The merge instruction of a block, with blocks as positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockMerge {
    /// There is none.
    None,
    /// `OpSelectionMerge`
    Selection {
        /// The merge block.
        merge: u32,
    },
    /// `OpLoopMerge`
    Loop {
        /// The merge block.
        merge: u32,
        /// The continue target.
        continue_target: u32,
    },
}

#[derive(Clone, Copy, Debug)]
struct BlockInfo {
    end: BlockEnd,
    merge: BlockMerge,
    /// Edges: from `start` merge and continue edges, from `branches` to `stop` branch edges.
    start: u32,
    branches: u32,
    stop: u32,
}

/// The blocks of one function in the order in which they stand in the module, the entry first.
#[derive(Clone, Debug, Default)]
pub struct Cfg {
    blocks: Vec<BlockInfo>,
    edges: Vec<u32>,
}

impl Cfg {
    /// No blocks yet, but room for so many.
    pub fn with_capacity(blocks: usize) -> Self {
        Cfg {
            blocks: Vec::with_capacity(blocks),
            edges: Vec::with_capacity(blocks * 3),
        }
    }

    /// Adds the next block; blocks are named by their position.
    pub fn add_block(
        &mut self,
        end: BlockEnd,
        merge: BlockMerge,
        successors: impl IntoIterator<Item = u32>,
    ) {
        let start = self.edges.len() as u32;
        match merge {
            BlockMerge::None => {}
            BlockMerge::Selection { merge } => self.edges.push(merge),
            BlockMerge::Loop {
                merge,
                continue_target,
            } => self.edges.extend([merge, continue_target]),
        }
        let branches = self.edges.len() as u32;
        self.edges.extend(successors);
        self.blocks.push(BlockInfo {
            end,
            merge,
            start,
            branches,
            stop: self.edges.len() as u32,
        });
    }

    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether there is no block.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The targets of a block's branches.
    pub(super) fn successors(&self, block: u32) -> &[u32] {
        let info = &self.blocks[block as usize];
        &self.edges[info.branches as usize..info.stop as usize]
    }

    /// The targets of a block's structured control-flow edges.
    fn structural(&self, block: u32) -> &[u32] {
        let info = &self.blocks[block as usize];
        &self.edges[info.start as usize..info.stop as usize]
    }

    fn merge(&self, block: u32) -> BlockMerge {
        self.blocks[block as usize].merge
    }

    /// The dominator tree over branch edges alone.
    pub(super) fn plain_dominators(&self) -> Dominators {
        Dominators::compute(self.len(), |block| self.successors(block))
    }
}

/// Checks every rule on the blocks of one function. Also wants each block to be structurally
/// reachable, which the specification does not.
pub fn verify_cfg(cfg: &Cfg) -> Result<(), CfgError> {
    check(cfg).map(|_| ())
}

/// The same, and gives the structural dominator tree.
pub(super) fn check(cfg: &Cfg) -> Result<Dominators, CfgError> {
    let roles = Roles::read(cfg)?;
    let dominators = Dominators::compute(cfg.len(), |block| cfg.structural(block));
    let mut constructs = Constructs::build(cfg, &roles, &dominators)?;
    constructs.find_back_edges(cfg, &dominators)?;
    constructs.check_edges(cfg, &roles, &dominators)?;
    constructs.check_case_order(cfg, &roles)?;
    Ok(dominators)
}

/// What each block is to a header: position of the header or [`NONE`].
struct Roles {
    merge_of: Vec<u32>,
    continue_of: Vec<u32>,
    case_of: Vec<u32>,
    /// Of a case target: the number of its run among the labels; [`NONE`] if it is only the
    /// default.
    run: Vec<u32>,
}

impl Roles {
    fn read(cfg: &Cfg) -> Result<Self, CfgError> {
        let count = cfg.len();
        if count == 0 {
            return Err(broken(Rule::NoBlock, 0, NONE));
        }
        let none = || vec![NONE; count];
        let mut roles = Roles {
            merge_of: none(),
            continue_of: none(),
            case_of: none(),
            run: none(),
        };
        for block in 0..count as u32 {
            let info = &cfg.blocks[block as usize];
            if let Some(&to) = cfg
                .structural(block)
                .iter()
                .find(|&&to| to as usize >= count)
            {
                return Err(broken(Rule::MissingBlock, block, to));
            }
            let successors = cfg.successors(block);
            if successors.contains(&0) {
                return Err(broken(Rule::EntryIsTarget, block, 0));
            }
            let fits = match info.end {
                BlockEnd::Exit => successors.is_empty(),
                BlockEnd::Branch => successors.len() == 1,
                BlockEnd::Conditional => successors.len() == 2,
                BlockEnd::Switch => !successors.is_empty(),
            };
            if !fits {
                return Err(broken(Rule::SuccessorCount, block, NONE));
            }
            if info.end == BlockEnd::Conditional && successors[0] == successors[1] {
                return Err(broken(Rule::EqualTargets, block, successors[0]));
            }
            roles.read_merge(block, info)?;
            if info.end == BlockEnd::Switch {
                roles.read_switch(block, info.merge, successors)?;
            }
        }
        Ok(roles)
    }

    fn read_merge(&mut self, block: u32, info: &BlockInfo) -> Result<(), CfgError> {
        let merge = match (info.merge, info.end) {
            (BlockMerge::None, BlockEnd::Switch) => {
                return Err(broken(Rule::SwitchWithoutMerge, block, NONE));
            }
            (BlockMerge::None, _) => return Ok(()),
            (BlockMerge::Selection { merge }, BlockEnd::Conditional | BlockEnd::Switch) => merge,
            (
                BlockMerge::Loop {
                    merge,
                    continue_target,
                },
                BlockEnd::Branch | BlockEnd::Conditional,
            ) => {
                if merge == continue_target {
                    return Err(broken(Rule::MergeIsContinueTarget, block, merge));
                }
                // A second loop with this continue target cannot dominate it and is refused then.
                self.continue_of[continue_target as usize] = block;
                merge
            }
            _ => return Err(broken(Rule::MergeBeforeTerminator, block, NONE)),
        };
        match std::mem::replace(&mut self.merge_of[merge as usize], block) {
            NONE => Ok(()),
            first => Err(broken(Rule::SharedMergeBlock, block, first)),
        }
    }

    fn read_switch(
        &mut self,
        block: u32,
        merge: BlockMerge,
        successors: &[u32],
    ) -> Result<(), CfgError> {
        let mut last = NONE;
        let mut run = 0;
        for &target in &successors[1..] {
            if target != last {
                if self.run[target as usize] != NONE {
                    // Also where it is a label of another switch: two switches cannot both
                    // dominate it, unless it is the merge block of one of them.
                    let rule = if self.case_of[target as usize] == block {
                        Rule::LabelsApart
                    } else {
                        Rule::CaseNotDominated
                    };
                    return Err(broken(rule, block, target));
                }
                self.run[target as usize] = run;
                run += 1;
                last = target;
            }
            self.case_of[target as usize] = block;
        }
        let _ = merge;
        self.case_of[successors[0] as usize] = block;
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Function,
    Selection,
    Switch,
    Case,
    Loop,
    Continue,
}

/// A construct. Node `2 * b` starts at `b` as a continue target or case target, node `2 * b + 1`
/// has `b` as its header, the last node is the function itself.
#[derive(Clone, Copy, Debug)]
struct Node {
    kind: Kind,
    /// The selection, loop or switch header.
    header: u32,
    /// The innermost loop or continue construct around, itself included.
    looping: u32,
    /// The innermost loop, continue or switch construct around, itself included.
    breakable: u32,
    /// The header of the innermost loop whose continue construct this is in.
    continuing: u32,
}

struct Constructs {
    nodes: Vec<Node>,
    /// The innermost construct that contains each block, its own included.
    inner: Vec<u32>,
    /// The innermost construct around each block, its own not included.
    outer: Vec<u32>,
    /// Of each loop header: its back-edge block.
    back: Vec<u32>,
    /// Of each case target: the case that it falls through to, and the one that falls to it.
    falls_to: Vec<u32>,
    falls_from: Vec<u32>,
}

impl Constructs {
    fn build(cfg: &Cfg, roles: &Roles, dominators: &Dominators) -> Result<Self, CfgError> {
        let count = cfg.len();
        let root = Node {
            kind: Kind::Function,
            header: NONE,
            looping: NONE,
            breakable: NONE,
            continuing: NONE,
        };
        let none = || vec![NONE; count];
        let mut this = Constructs {
            nodes: vec![root; 2 * count + 1],
            inner: none(),
            outer: none(),
            back: none(),
            falls_to: none(),
            falls_from: none(),
        };
        if dominators.order.len() != count {
            let block = (0..count as u32)
                .find(|&block| !dominators.reached(block))
                .unwrap_or(0);
            return Err(broken(Rule::Unreachable, block, NONE));
        }
        // Immediate dominators come first in a depth-first preorder.
        for &block in &dominators.order {
            this.place(cfg, roles, dominators, block)?;
        }
        Ok(this)
    }

    fn place(
        &mut self,
        cfg: &Cfg,
        roles: &Roles,
        dominators: &Dominators,
        block: u32,
    ) -> Result<(), CfgError> {
        let at = block as usize;
        let up = dominators.idom[at];
        if up != NONE && up >= block {
            return Err(broken(Rule::BlockOrder, block, up));
        }
        check_header(cfg, dominators, block)?;
        let outer = if up == NONE {
            self.nodes.len() as u32 - 1
        } else if roles.merge_of[at] == up {
            self.outer[up as usize]
        } else if roles.continue_of[at] == up {
            // The continue construct is beside the loop construct, not in it.
            self.open(2 * block, Kind::Continue, up, self.outer[up as usize])
        } else if roles.case_of[at] == up {
            self.open(2 * block, Kind::Case, up, self.inner[up as usize])
        } else {
            self.inner[up as usize]
        };
        self.outer[at] = outer;
        let kind = match cfg.merge(block) {
            BlockMerge::None => None,
            BlockMerge::Selection { .. } if cfg.blocks[at].end == BlockEnd::Switch => {
                Some(Kind::Switch)
            }
            BlockMerge::Selection { .. } => Some(Kind::Selection),
            BlockMerge::Loop {
                continue_target, ..
            } if continue_target == block => Some(Kind::Continue),
            BlockMerge::Loop { .. } => Some(Kind::Loop),
        };
        self.inner[at] = kind.map_or(outer, |kind| self.open(2 * block + 1, kind, block, outer));
        Ok(())
    }

    fn open(&mut self, node: u32, kind: Kind, header: u32, parent: u32) -> u32 {
        let around = self.nodes[parent as usize];
        let is_loop = matches!(kind, Kind::Loop | Kind::Continue);
        self.nodes[node as usize] = Node {
            kind,
            header,
            looping: if is_loop { node } else { around.looping },
            breakable: if is_loop || kind == Kind::Switch {
                node
            } else {
                around.breakable
            },
            continuing: if kind == Kind::Continue {
                header
            } else {
                around.continuing
            },
        };
        node
    }

    /// Finds the back-edge block of each loop header.
    fn find_back_edges(&mut self, cfg: &Cfg, dominators: &Dominators) -> Result<(), CfgError> {
        for block in 0..cfg.len() as u32 {
            for &to in cfg.successors(block) {
                // An edge to an ancestor in the depth-first search.
                if dominators.post[to as usize] < dominators.post[block as usize] {
                    continue;
                }
                let BlockMerge::Loop { .. } = cfg.merge(to) else {
                    return Err(broken(Rule::BackEdgeToNoHeader, block, to));
                };
                let inner = &self.nodes[self.inner[block as usize] as usize];
                if inner.kind != Kind::Continue || inner.header != to {
                    return Err(broken(Rule::BackEdgeOutsideContinue, block, to));
                }
                let back = &mut self.back[to as usize];
                if *back != NONE && *back != block {
                    return Err(broken(Rule::SecondBackEdge, block, to));
                }
                *back = block;
            }
        }
        for block in 0..cfg.len() as u32 {
            if let BlockMerge::Loop {
                continue_target, ..
            } = cfg.merge(block)
            {
                match self.back[block as usize] {
                    NONE => return Err(broken(Rule::NoBackEdge, block, NONE)),
                    back if continue_target == block && back != block => {
                        return Err(broken(Rule::HeaderContinues, block, back));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn check_edges(
        &mut self,
        cfg: &Cfg,
        roles: &Roles,
        dominators: &Dominators,
    ) -> Result<(), CfgError> {
        for block in 0..cfg.len() as u32 {
            let info = &cfg.blocks[block as usize];
            let continuing = self.nodes[self.inner[block as usize] as usize].continuing;
            if info.end == BlockEnd::Exit && continuing != NONE {
                return Err(broken(Rule::ExitInContinue, block, continuing));
            }
            let mut inside = 0;
            for &to in cfg.successors(block) {
                let back = dominators.post[to as usize] >= dominators.post[block as usize];
                if !back && !self.exits(roles, block, to)? {
                    inside += 1;
                }
            }
            if info.merge == BlockMerge::None && inside > 1 {
                return Err(broken(Rule::SelectionWithoutMerge, block, NONE));
            }
        }
        Ok(())
    }

    /// Whether a forward edge is an exit of a construct. An error if it is not allowed.
    fn exits(&mut self, roles: &Roles, block: u32, to: u32) -> Result<bool, CfgError> {
        let (from, into) = (self.inner[block as usize], self.outer[to as usize]);
        let here = self.nodes[from as usize];
        let own = |header: u32| 2 * header + 1;

        let header = roles.merge_of[to as usize];
        if header != NONE {
            let legal = match self.nodes[own(header) as usize].kind {
                Kind::Selection => from == own(header),
                Kind::Switch => here.breakable == own(header),
                Kind::Loop => here.looping == own(header),
                _ => false,
            };
            let latch = here.kind == Kind::Continue
                && here.header == header
                && self.back[header as usize] == block;
            if legal || latch {
                return Ok(true);
            }
        }
        let header = roles.continue_of[to as usize];
        if header != NONE {
            if here.looping == own(header) {
                return Ok(true);
            }
            if from != into {
                return Err(broken(Rule::ContinueFromOutside, block, to));
            }
        }
        let header = roles.case_of[to as usize];
        if header != NONE
            && into == 2 * to
            && header != block
            && here.kind == Kind::Case
            && here.header == header
            && from != into
        {
            self.fall_through(from / 2, to)?;
            return Ok(true);
        }
        if header == block && into == 2 * to || from == into {
            return Ok(false);
        }
        // Leaving or entering? Where the other end is around this one, the edge leaves.
        let leaves = header != NONE && into == 2 * to || self.is_around(into, block);
        Err(broken(
            if leaves {
                Rule::IllegalExit
            } else {
                Rule::IllegalEntry
            },
            block,
            to,
        ))
    }

    /// Whether a construct is around a block; walks, for error messages only.
    fn is_around(&self, node: u32, block: u32) -> bool {
        let mut at = self.inner[block as usize];
        while at != node {
            let here = &self.nodes[at as usize];
            at = match here.kind {
                Kind::Function => return false,
                Kind::Case => self.inner[here.header as usize],
                _ => self.outer[here.header as usize],
            };
        }
        true
    }

    fn fall_through(&mut self, case: u32, to: u32) -> Result<(), CfgError> {
        let falls_to = &mut self.falls_to[case as usize];
        if *falls_to != NONE && *falls_to != to {
            return Err(broken(Rule::FallsToTwoCases, case, to));
        }
        *falls_to = to;
        let falls_from = &mut self.falls_from[to as usize];
        if *falls_from != NONE && *falls_from != case {
            return Err(broken(Rule::TwoCasesFall, case, to));
        }
        *falls_from = case;
        Ok(())
    }

    fn check_case_order(&self, cfg: &Cfg, roles: &Roles) -> Result<(), CfgError> {
        for case in 0..cfg.len() as u32 {
            let run = roles.run[case as usize];
            let mut to = self.falls_to[case as usize];
            if to == NONE || run == NONE {
                continue;
            }
            if roles.run[to as usize] == NONE {
                // Through the default, which is no label, to the next case.
                to = self.falls_to[to as usize];
                if to == NONE || roles.run[to as usize] == NONE {
                    continue;
                }
            }
            if roles.run[to as usize] != run + 1 {
                return Err(broken(Rule::CaseOrder, case, to));
            }
        }
        Ok(())
    }
}

/// A header dominates the blocks that its merge instruction and its switch name; since it has an
/// edge to each, it is then the immediate dominator.
fn check_header(cfg: &Cfg, dominators: &Dominators, block: u32) -> Result<(), CfgError> {
    let idom = |of: u32| dominators.idom[of as usize];
    let merge = match cfg.merge(block) {
        BlockMerge::None => return Ok(()),
        BlockMerge::Selection { merge } => merge,
        BlockMerge::Loop {
            merge,
            continue_target,
        } => {
            if continue_target != block && idom(continue_target) != block {
                return Err(broken(Rule::ContinueNotDominated, block, continue_target));
            }
            merge
        }
    };
    if idom(merge) != block {
        return Err(broken(Rule::MergeNotDominated, block, merge));
    }
    if cfg.blocks[block as usize].end == BlockEnd::Switch
        && let Some(&target) = cfg.successors(block).iter().find(|&&to| idom(to) != block)
    {
        return Err(broken(Rule::CaseNotDominated, block, target));
    }
    Ok(())
}
