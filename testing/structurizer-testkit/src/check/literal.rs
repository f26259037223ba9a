//! The specification's rules, read literally: dominance by leaving a block out, each construct a
//! set of blocks, each rule checked for all pairs. The slow twin of
//! [`verify_cfg`](trellis_structurizer::verify::verify_cfg).

use trellis_entity::{EntityRef, SecondaryMap};
use trellis_structurizer::ir::{Block, Terminator};
use trellis_structurizer::verify::{BlockEnd, BlockMerge, Cfg, Position};
use trellis_structurizer::{Merge, Structured, Target};

/// The blocks of a function in order; a block is named by its position.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Terminator of each block.
    pub ends: Vec<BlockEnd>,
    /// The merge instruction of each block.
    pub merges: Vec<BlockMerge>,
    /// The targets of each block's branches, repeated where an edge is.
    pub successors: Vec<Vec<Position>>,
}

impl Graph {
    /// Returns the graph of a structured function. A target that is not in its order gets the
    /// position after all blocks, which no rule allows.
    pub fn of(structured: &Structured) -> Graph {
        let after_all = Position::new(structured.order.len());
        let mut positions: SecondaryMap<Block, Position> = SecondaryMap::with_default(after_all);
        for (position, &block) in structured.order.iter().enumerate() {
            positions[block] = Position::new(position);
        }
        let position = |block: Block| positions[block];
        let mut graph = Graph::default();
        for &block in structured
            .order
            .iter()
            .filter(|block| block.index() < structured.func.num_blocks())
        {
            graph.ends.push(match structured.func.terminator(block) {
                Some(Terminator::Branch(_)) => BlockEnd::Branch,
                Some(Terminator::CondBranch { .. }) => BlockEnd::Conditional,
                Some(Terminator::Switch { .. }) => BlockEnd::Switch,
                _ => BlockEnd::Exit,
            });
            graph.merges.push(match structured.merges[block] {
                Merge::None => BlockMerge::None,
                Merge::Selection { merge, .. } => BlockMerge::Selection {
                    merge: position(merge),
                },
                Merge::Loop {
                    merge,
                    continue_target,
                    ..
                } => BlockMerge::Loop {
                    merge: position(merge),
                    continue_target: position(continue_target),
                },
            });
            graph
                .successors
                .push(structured.func.successors(block).map(position).collect());
        }
        graph
    }

    /// Returns the graph in the form of the verifier.
    pub fn to_cfg(&self) -> Cfg {
        let mut cfg = Cfg::with_capacity(self.ends.len());
        for block in 0..self.ends.len() {
            cfg.add_block(
                self.ends[block],
                self.merges[block],
                self.successors[block].iter().copied(),
            );
        }
        cfg
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn merge(&self, block: usize) -> Option<usize> {
        match self.merges[block] {
            BlockMerge::None => None,
            BlockMerge::Selection { merge } | BlockMerge::Loop { merge, .. } => Some(merge.index()),
        }
    }

    fn continue_target(&self, block: usize) -> Option<usize> {
        match self.merges[block] {
            BlockMerge::Loop {
                continue_target, ..
            } => Some(continue_target.index()),
            _ => None,
        }
    }

    fn branches(&self, block: usize) -> impl Iterator<Item = usize> {
        self.successors[block].iter().map(|to| to.index())
    }

    fn structural(&self, block: usize) -> Vec<usize> {
        self.merge(block)
            .into_iter()
            .chain(self.continue_target(block))
            .chain(self.branches(block))
            .collect()
    }

    /// Returns the blocks that `from` reaches without passing through `without`.
    fn reach(&self, from: usize, without: usize) -> Vec<bool> {
        let mut seen = vec![false; self.len()];
        let mut stack = if from == without {
            Vec::new()
        } else {
            vec![from]
        };
        while let Some(block) = stack.pop() {
            if block != without && !std::mem::replace(&mut seen[block], true) {
                stack.extend(self.structural(block));
            }
        }
        seen
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Selection,
    Switch,
    Case,
    Loop,
    Continue,
}

#[derive(Debug)]
struct Construct {
    kind: Kind,
    /// The selection, switch or loop header.
    of: usize,
    /// The construct's own header block.
    header: usize,
    blocks: Vec<bool>,
}

/// Checks every rule of structured control flow (SPIR-V 1.6, section 2.11); the error names the
/// broken rule.
///
/// Costs at least the square of the number of blocks, for small graphs only.
pub fn check(graph: &Graph) -> Result<(), &'static str> {
    check_for(graph, Target::SPIRV)
}

/// Does the same with the exits of a target.
pub fn check_for(graph: &Graph, target: Target) -> Result<(), &'static str> {
    let n = graph.len();
    check_blocks(graph)?;
    if graph.reach(0, n).contains(&false) {
        return Err("unreachable");
    }
    let without: Vec<Vec<bool>> = (0..n).map(|block| graph.reach(0, block)).collect();
    let dom = |a: usize, b: usize| !without[a][b];
    let exits =
        |seen: &[bool]| (0..n).any(|block| seen[block] && graph.ends[block] == BlockEnd::Exit);
    let pdom = |a: usize, b: usize| a == b || !exits(&graph.reach(b, a));
    if (0..n).any(|a| (0..a).any(|b| a != b && dom(a, b))) {
        return Err("order");
    }
    let back = check_declarations(graph, &dom, &pdom)?;
    let constructs = constructs(graph, &back, &dom, &pdom);
    for a in 0..n {
        check_edges(graph, &constructs, &back, &dom, a, target)?;
    }
    for s in &constructs {
        for h in (0..n).filter(|&h| s.blocks[h] && s.of != h) {
            if graph.merge(h).is_some_and(|merge| !s.blocks[merge]) {
                return Err("contains a header without its merge block");
            }
        }
    }
    check_switches(graph, &constructs, &dom)?;
    let is_only_branch = |h: usize| {
        let to = graph.continue_target(h);
        to == back[h] && to.is_none_or(|to| graph.ends[to] == BlockEnd::Branch)
    };
    let has_merge = |block: usize| {
        let is_latch = || (0..n).any(|header| back[header] == Some(block));
        graph.ends[block] != BlockEnd::Conditional
            || graph.merges[block] != BlockMerge::None
            || is_latch()
    };
    if target.branch_merges && !(0..n).all(has_merge) {
        return Err("branch without merge");
    }
    let is_loop = |block: usize| matches!(graph.merges[block], BlockMerge::Loop { .. });
    let mut merges = (0..n).filter_map(|header| graph.merge(header));
    if target.branch_merges && merges.any(is_loop) {
        return Err("loop at a merge block");
    }
    if !target.continue_parts && !(0..n).all(is_only_branch) {
        return Err("continue part");
    }
    Ok(())
}

fn check_blocks(graph: &Graph) -> Result<(), &'static str> {
    let n = graph.len();
    let mut merges = Vec::new();
    for block in 0..n {
        let successors = &graph.successors[block];
        if graph.structural(block).iter().any(|&to| to >= n) {
            return Err("missing block");
        }
        if successors.contains(&Position::ENTRY) {
            return Err("entry is a target");
        }
        let fits = match graph.ends[block] {
            BlockEnd::Exit => successors.is_empty(),
            BlockEnd::Branch => successors.len() == 1,
            BlockEnd::Conditional => successors.len() == 2 && successors[0] != successors[1],
            BlockEnd::Switch => !successors.is_empty(),
        };
        let merge_fits = match graph.merges[block] {
            BlockMerge::None => graph.ends[block] != BlockEnd::Switch,
            BlockMerge::Selection { .. } => {
                matches!(graph.ends[block], BlockEnd::Conditional | BlockEnd::Switch)
            }
            BlockMerge::Loop { .. } => {
                matches!(graph.ends[block], BlockEnd::Conditional | BlockEnd::Branch)
            }
        };
        if !fits || !merge_fits {
            return Err("terminator");
        }
        if let Some(merge) = graph.merge(block) {
            if merges.contains(&merge) {
                return Err("shared merge block");
            }
            merges.push(merge);
        }
    }
    Ok(())
}

/// Checks the rules for declarations. Returns the back-edge block of each loop header.
fn check_declarations(
    graph: &Graph,
    dom: &dyn Fn(usize, usize) -> bool,
    pdom: &dyn Fn(usize, usize) -> bool,
) -> Result<Vec<Option<usize>>, &'static str> {
    let n = graph.len();
    let mut back = vec![None; n];
    for (h, back) in back.iter_mut().enumerate() {
        if let Some(merge) = graph.merge(h)
            && (merge == h || !dom(h, merge))
        {
            return Err("merge not dominated");
        }
        let sources: Vec<usize> = (0..n)
            .filter(|&a| graph.branches(a).any(|to| to == h) && dom(h, a))
            .collect();
        let Some(target) = graph.continue_target(h) else {
            if sources.is_empty() {
                continue;
            }
            return Err("back edge to no header");
        };
        let [source] = sources[..] else {
            return Err("not one back edge");
        };
        *back = Some(source);
        if graph.merge(h) == Some(target)
            || !dom(h, target)
            || !dom(target, source)
            || !pdom(source, target)
        {
            return Err("continue target");
        }
    }
    // A cycle without such an edge has no header that dominates it.
    let mut left: Vec<usize> = (0..n).collect();
    while let Some(at) = left.iter().position(|&b| {
        !left
            .iter()
            .any(|&a| graph.structural(a).contains(&b) && !dom(b, a))
    }) {
        left.remove(at);
    }
    if left.is_empty() {
        Ok(back)
    } else {
        Err("irreducible")
    }
}

fn constructs(
    graph: &Graph,
    back: &[Option<usize>],
    dom: &dyn Fn(usize, usize) -> bool,
    pdom: &dyn Fn(usize, usize) -> bool,
) -> Vec<Construct> {
    let n = graph.len();
    let mut all = Vec::new();
    for (h, &back) in back.iter().enumerate() {
        let Some(merge) = graph.merge(h) else {
            continue;
        };
        let region =
            |from: usize| -> Vec<bool> { (0..n).map(|b| dom(from, b) && !dom(merge, b)).collect() };
        if let (Some(target), Some(source)) = (graph.continue_target(h), back) {
            let inside: Vec<bool> = (0..n).map(|b| dom(target, b) && pdom(source, b)).collect();
            let body = region(h)
                .iter()
                .zip(&inside)
                .map(|(&a, &b)| a && !b)
                .collect();
            all.push(Construct {
                kind: Kind::Loop,
                of: h,
                header: h,
                blocks: body,
            });
            all.push(Construct {
                kind: Kind::Continue,
                of: h,
                header: target,
                blocks: inside,
            });
        } else if graph.ends[h] == BlockEnd::Switch {
            all.push(Construct {
                kind: Kind::Switch,
                of: h,
                header: h,
                blocks: region(h),
            });
            let mut targets: Vec<usize> = graph.branches(h).filter(|&to| to != merge).collect();
            targets.sort_unstable();
            targets.dedup();
            all.extend(targets.into_iter().map(|to| Construct {
                kind: Kind::Case,
                of: h,
                header: to,
                blocks: region(to),
            }));
        } else {
            all.push(Construct {
                kind: Kind::Selection,
                of: h,
                header: h,
                blocks: region(h),
            });
        }
    }
    all
}

fn check_edges(
    graph: &Graph,
    constructs: &[Construct],
    back: &[Option<usize>],
    dom: &dyn Fn(usize, usize) -> bool,
    a: usize,
    target: Target,
) -> Result<(), &'static str> {
    let size = |s: &Construct| s.blocks.iter().filter(|&&inside| inside).count();
    let innermost = |wanted: &dyn Fn(Kind) -> bool| {
        constructs
            .iter()
            .filter(|s| s.blocks[a] && wanted(s.kind))
            .min_by_key(|s| size(s))
    };
    let around = innermost(&|_| true);
    let is = |s: Option<&Construct>, kind: Kind, of: usize| {
        s.is_some_and(|s| s.kind == kind && s.of == of)
    };
    let mut inside = 0;
    for b in graph.branches(a) {
        let is_back = dom(b, a);
        let exited: Vec<&Construct> = constructs
            .iter()
            .filter(|s| s.blocks[a] && !s.blocks[b])
            .collect();
        let merge_of = (0..graph.len()).find(|&h| graph.merge(h) == Some(b));
        let continue_of = (0..graph.len()).find(|&h| graph.continue_target(h) == Some(b));
        let the_loop = innermost(&|kind| kind == Kind::Loop);
        let the_switch = innermost(&|kind| kind == Kind::Switch);
        let leaves_switch = |s: &&Construct| {
            s.kind == Kind::Switch && the_loop.is_some_and(|l| l.blocks[s.header] && l.of != s.of)
        };
        let leaves_loop = exited.iter().any(|s| s.kind == Kind::Loop);
        let legal = merge_of.is_some_and(|h| {
            is(around, Kind::Selection, h)
                || (is(the_loop, Kind::Loop, h)
                    && (target.break_leaves_switches || !exited.iter().any(leaves_switch)))
                || (is(around, Kind::Continue, h) && back[h] == Some(a))
                || (is(the_switch, Kind::Switch, h) && !leaves_loop)
        }) || target.multi_level
            && constructs.iter().any(|s| {
                let is_merge = merge_of == Some(s.of)
                    && matches!(s.kind, Kind::Selection | Kind::Switch | Kind::Loop);
                let is_continue = continue_of == Some(s.of) && s.kind == Kind::Loop;
                s.blocks[a] && (is_merge || is_continue)
            })
            || continue_of.is_some_and(|h| is(the_loop, Kind::Loop, h))
            || (is_back && is(around, Kind::Continue, b))
            || around.is_some_and(|s| {
                s.kind == Kind::Case
                    && target.fall_through
                    && !target.multi_level
                    && graph.branches(s.of).any(|to| to == b)
            });
        if !exited.is_empty() && !legal {
            return Err("illegal exit");
        }
        if !target.multi_level
            && exited
                .iter()
                .any(|s| s.kind == Kind::Continue && s.of != b && graph.merge(s.of) != Some(b))
        {
            return Err("illegal exit of a continue construct");
        }
        // The same if the construct's header is inside it, so that the edge does not leave it.
        if is_back && !is(around, Kind::Continue, b) {
            return Err("back edge from outside the continue construct");
        }
        for h in
            (0..graph.len()).filter(|&h| graph.continue_target(h) == Some(b) && b != h && !is_back)
        {
            if !constructs
                .iter()
                .any(|s| s.kind == Kind::Loop && s.of == h && s.blocks[a])
            {
                return Err("continue target from outside the loop");
            }
        }
        let enters = |s: &&Construct| {
            matches!(s.kind, Kind::Selection | Kind::Switch | Kind::Loop)
                && !s.blocks[a]
                && s.blocks[b]
                && s.header != b
        };
        if constructs.iter().any(|s| enters(&s)) {
            return Err("illegal entry");
        }
        inside += usize::from(exited.is_empty() && !is_back);
    }
    if graph.ends[a] == BlockEnd::Conditional && graph.merge(a).is_none() && inside > 1 {
        return Err("selection without merge");
    }
    Ok(())
}

fn check_switches(
    graph: &Graph,
    constructs: &[Construct],
    dom: &dyn Fn(usize, usize) -> bool,
) -> Result<(), &'static str> {
    for h in (0..graph.len()).filter(|&h| graph.ends[h] == BlockEnd::Switch) {
        if graph.branches(h).any(|to| !dom(h, to) || to == h) {
            return Err("case not dominated");
        }
        let cases: Vec<&Construct> = constructs
            .iter()
            .filter(|s| s.kind == Kind::Case && s.of == h)
            .collect();
        let flows = |s: &Construct, t: &Construct| {
            s.header != t.header
                && (0..graph.len()).any(|a| s.blocks[a] && graph.branches(a).any(|b| t.blocks[b]))
        };
        let labels: Vec<usize> = graph.branches(h).skip(1).collect();
        let first = |t: usize| labels.iter().position(|&label| label == t);
        let last = |t: usize| labels.iter().rposition(|&label| label == t);
        for &label in &labels {
            let (Some(first), Some(last)) = (first(label), last(label)) else {
                continue;
            };
            if labels[first..=last].iter().any(|&other| other != label) {
                return Err("labels apart");
            }
        }
        for s in &cases {
            let to: Vec<&&Construct> = cases.iter().filter(|t| flows(s, t)).collect();
            let from = cases.iter().filter(|t| flows(t, s)).count();
            if to.len() > 1 || from > 1 {
                return Err("two ways to fall through");
            }
            let (Some(next), Some(end)) = (to.first(), last(s.header)) else {
                continue;
            };
            // Through a default that is not a label.
            let next = if first(next.header).is_none() {
                cases.iter().find(|t| flows(next, t))
            } else {
                Some(*next)
            };
            if let Some(start) = next.and_then(|next| first(next.header))
                && start != end + 1
            {
                return Err("case order");
            }
        }
    }
    Ok(())
}
