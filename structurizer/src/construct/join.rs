//! Joins: the blocks where the lanes that left a construct meet, and what they do next.
//!
//! Everything that can arrive at a join has been emitted before it, so the targets of its lanes are
//! known. One target: control simply goes on there. Several: the selector, which holds each lane's
//! target as a position, is compared once for each thing that may follow.

use smallvec::SmallVec;

use crate::canonicalize::{Node, NodeKind};
use crate::construct::emit::{Emitter, Selector, Step, Test, internal};
use crate::construct::targets::Targets;
use crate::construct::transfer::{Context, Destination, next_change};
use crate::graph::NONE;
use crate::ir::{Block, SelectionHint, Terminator};
use crate::result::{Error, Merge};
use crate::stage::{Decision, Stage};

/// How many targets, and blocks that do nothing, are looked at for one place that they all lead to.
const MAX_THREADED: usize = 16;

impl Emitter<'_> {
    /// The block where lanes that left a construct meet. What follows is the first item that
    /// somebody heads for, the context's follow, or something further out.
    pub(super) fn join(
        &mut self,
        join: Block,
        items: (u32, u32),
        context: Context,
    ) -> Result<(), Error> {
        let (mut next, end) = items;
        let mut targets = std::mem::take(&mut self.arrivals[join]);
        if targets.is_empty() {
            if self.unowned.contains(join) {
                return Ok(());
            }
            self.order.push(join);
            self.func.set_terminator(join, Terminator::Unreachable);
            return Ok(());
        }
        self.thread(&mut targets);
        while next < end {
            let item = self.items[next as usize];
            if targets.contains(self.layout.position[item as usize])
                && !self.drop_item(item, (next + 1, end), &mut targets, context)
            {
                break;
            }
            next += 1;
        }
        if next == end {
            return self.pass_on(join, targets, context);
        }
        let item = self.items[next as usize];
        let position = self.layout.position[item as usize];
        if targets.only() == Some(position) {
            self.alias[join] = self.block(item).into();
            if next + 1 < end {
                let after = self.fresh();
                self.unowned.insert(after);
                let follow_position = self.layout.position[self.items[next as usize + 1] as usize];
                self.steps.push(Step::Join(after, (next + 1, end), context));
                self.steps.push(Step::Region(
                    item,
                    Context {
                        follow_position,
                        follow: Some(after),
                        frame: context.frame,
                    },
                ));
            } else {
                self.steps.push(Step::Region(item, context));
            }
            return Ok(());
        }
        self.guard(join, item, (next + 1, end), targets, context)
    }

    /// Lets an item that does nothing go if a selector would have to guard it, and it leads to what
    /// follows it anyway. Its lanes keep the position that they carry: no test of theirs lies
    /// between it and what follows.
    fn drop_item(
        &mut self,
        item: Node,
        rest: (u32, u32),
        targets: &mut Targets,
        context: Context,
    ) -> bool {
        let position = self.layout.position[item as usize];
        if !self.drops || targets.only() == Some(position) {
            return false;
        }
        let Some((block, to, leads_to)) = self.step(item) else {
            return false;
        };
        let follow_position = if rest.0 < rest.1 {
            self.layout.position[self.items[rest.0 as usize] as usize]
        } else {
            context.follow_position
        };
        if leads_to != follow_position || !targets.remove(position) {
            return false;
        }
        targets.insert(leads_to);
        self.remarks
            .add(Stage::DegenerateBlocks, block, Decision::Removed { to });
        true
    }

    /// A node that does nothing but go on, with where it goes and the position of that.
    fn step(&self, node: Node) -> Option<(Block, Block, u32)> {
        let NodeKind::Block(block) = *self.graph.kinds.get(node as usize)? else {
            return None;
        };
        let (Terminator::Branch(to), [edge]) = (self.func.term(block), self.graph.edges(node))
        else {
            return None;
        };
        let does_nothing = self.func.is_empty_block(block)
            && !self.func.has_phis(to)
            && edge.code == NONE
            && self.header_of(node).is_none();
        does_nothing.then(|| (block, to, self.target(node, edge.to)))
    }

    /// Lets lanes with several targets go on together, if all of these lead to one place through
    /// nothing but blocks that do nothing.
    fn thread(&mut self, targets: &mut Targets) {
        if !self.drops || !(2..=MAX_THREADED).contains(&targets.len()) {
            return;
        }
        let mut ahead = targets.clone();
        let mut passed: SmallVec<[(Block, Block); 4]> = SmallVec::new();
        for _ in 0..MAX_THREADED {
            let Some(first) = ahead.min().filter(|_| ahead.len() > 1) else {
                break;
            };
            let Some((block, to, leads_to)) = self.step(self.layout.node_at[first as usize]) else {
                return;
            };
            ahead.remove(first);
            ahead.insert(leads_to);
            passed.push((block, to));
        }
        if ahead.len() == 1 {
            *targets = ahead;
            for (block, to) in passed {
                self.remarks
                    .add(Stage::DegenerateBlocks, block, Decision::Removed { to });
            }
        }
    }

    /// Runs an item for the lanes that head for it; the others skip it.
    fn guard(
        &mut self,
        join: Block,
        item: Node,
        rest: (u32, u32),
        mut others: Targets,
        context: Context,
    ) -> Result<(), Error> {
        let position = self.layout.position[item as usize];
        // The set moves on to the next join, less this item: copying it would make long sequences
        // of items quadratic.
        if !others.remove(position) {
            return Err(internal("an item that no lane of its join heads for"));
        }
        self.order.push(join);
        self.report.selectors += 1;
        self.mixes_paths = true;
        let block = self.block(item);
        self.remarks
            .add(Stage::Constructs, join, Decision::Selector { to: block });
        self.link(join, block);
        if rest.0 == rest.1
            && let Some(way_out) = self.common_direct(&others, context)?
        {
            self.pass(join, way_out, others);
            self.tests.push(Test {
                block: join,
                selector: Selector::Escape,
                bound: position,
                then: block,
                otherwise: way_out,
            });
            self.steps.push(Step::Region(item, context));
            return Ok(());
        }
        let after = self.fresh();
        self.merges[join] = Merge::Selection {
            merge: after,
            hint: SelectionHint::None,
        };
        self.pass(join, after, others);
        self.tests.push(Test {
            block: join,
            selector: Selector::Escape,
            bound: position,
            then: block,
            otherwise: after,
        });
        let follow_position = if rest.0 < rest.1 {
            self.layout.position[self.items[rest.0 as usize] as usize]
        } else {
            context.follow_position
        };
        self.steps.push(Step::Join(after, rest, context));
        self.steps.push(Step::Region(
            item,
            Context {
                follow_position,
                follow: Some(after),
                frame: context.frame,
            },
        ));
        Ok(())
    }

    /// The one break or continue that all these targets take, if they do.
    fn common_direct(&self, targets: &Targets, context: Context) -> Result<Option<Block>, Error> {
        let mut way_out = None;
        let mut next = targets.min();
        while let Some(t) = next {
            let d = self.destination(context, t)?;
            if !d.direct || way_out.is_some_and(|w| w != d.block) {
                return Ok(None);
            }
            way_out = Some(d.block);
            next = targets.first_from(next_change(&self.layout.frames, context, t));
        }
        Ok(way_out)
    }

    /// Nothing follows here: lanes go on to the context's follow, to the continue target, or
    /// further out.
    fn pass_on(
        &mut self,
        join: Block,
        mut targets: Targets,
        context: Context,
    ) -> Result<(), Error> {
        self.order.push(join);
        // Groups of targets with the same destination, in order.
        let mut groups: Vec<(Destination, Targets)> = Vec::new();
        while let Some(t) = targets.min() {
            let d = self.destination(context, t)?;
            let part = targets.take_below(next_change(&self.layout.frames, context, t));
            match groups.last_mut() {
                Some((last, list)) if last.block == d.block => {
                    last.direct &= d.direct;
                    list.unite(part);
                }
                _ => groups.push((d, part)),
            }
        }
        // A direct way out need not be taken at once: what lies beyond a switch leaves by the
        // switch's merge block.
        if groups.len() == 1
            && let Some((d, list)) = groups.pop()
        {
            let to = d.block;
            self.mixes_paths |= list.len() > 1;
            self.report.ladders += 1;
            self.remarks.add(Stage::Constructs, join, Decision::Ladder);
            self.pass(join, to, list);
            self.func.set_terminator(join, Terminator::Branch(to));
            return Ok(());
        }
        self.report.selectors += 1;
        self.mixes_paths = true;
        self.remarks.add(
            Stage::Constructs,
            join,
            Decision::SelectorDispatch {
                ways: groups.len() as u32,
            },
        );
        self.dispatch_groups(join, groups, context)
    }

    /// Tests the selector against the groups one after the other. Direct destinations need no
    /// construct; the follow of a selection gets a merge block to fall into.
    fn dispatch_groups(
        &mut self,
        join: Block,
        groups: Vec<(Destination, Targets)>,
        context: Context,
    ) -> Result<(), Error> {
        let inner = self.fresh();
        let mut fall = Targets::default();
        let mut direct: Vec<(Block, Targets)> = Vec::new();
        for (d, list) in groups {
            if d.direct {
                match direct.iter_mut().find(|(b, _)| *b == d.block) {
                    Some((_, targets)) => targets.unite(list),
                    None => direct.push((d.block, list)),
                }
            } else {
                fall.unite(list);
            }
        }
        let mut at = join;
        if !fall.is_empty() {
            self.merges[join] = Merge::Selection {
                merge: inner,
                hint: SelectionHint::None,
            };
            self.steps.push(Step::Join(inner, (0, 0), context));
        }
        // Lowest targets first; lanes that fall through are below all others, as they stay inside
        // the frame.
        let mut list: Vec<(Block, Targets)> = Vec::new();
        if !fall.is_empty() {
            list.push((inner, fall));
        }
        list.extend(direct);
        list.sort_unstable_by_key(|(_, t)| t.max());
        let ranges_overlap = list.windows(2).any(|w| w[0].1.max() >= w[1].1.min());
        if ranges_overlap {
            return Err(internal("targets with one destination are not contiguous"));
        }
        let Some((last, last_targets)) = list.pop() else {
            return Err(internal("a join without groups"));
        };
        let mut rest = list.len();
        for (then, targets) in list {
            let bound = targets.max().unwrap_or(0);
            self.pass(at, then, targets);
            rest -= 1;
            if rest == 0 {
                self.tests.push(Test {
                    block: at,
                    selector: Selector::Escape,
                    bound,
                    then,
                    otherwise: last,
                });
                break;
            }
            let next = self.fresh();
            self.order.push(next);
            self.link(at, next);
            self.tests.push(Test {
                block: at,
                selector: Selector::Escape,
                bound,
                then,
                otherwise: next,
            });
            at = next;
        }
        self.pass(at, last, last_targets);
        Ok(())
    }
}
