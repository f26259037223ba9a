//! From merge instructions to a tree.
//!
//! The walk starts at the entry and inlines each branch target that no enclosing construct names. A
//! target that one names is an exit: the block after the position (for example the merge block of
//! the selection that it is in) is reached without a jump, the others by break, continue or
//! fall-through. After a construct the walk continues at its merge block as if the construct
//! branched there.

use alloc::vec::Vec;

use trellis_entity::PackedOption;
use trellis_entity::SecondaryMap;

use super::{Condition, Kind, Node, TestOf, Tree};
use crate::ir::{Block, CaseRange, InstKind, Terminator, Value, ValueKind};
use crate::result::{Merge, Structured};

/// The constructs around a position, as far as a branch may name them.
#[derive(Clone, Copy, Default)]
struct Context {
    /// The block after the end of the sequence.
    follow: Option<Block>,
    /// The innermost loop.
    looping: Option<LoopContext>,
    /// The header and merge block of the innermost switch, unless a loop lies between.
    switch: Option<(Block, Block)>,
}

#[derive(Clone, Copy)]
struct LoopContext {
    header: Block,
    merge: Block,
    continue_target: Block,
}

/// The remaining work, the next item on top of the stack.
enum Step {
    Open(Kind),
    Close,
    /// A branch to a block.
    Branch(Block, Context),
    /// A block that starts here, whatever constructs name it.
    Enter(Block, Context),
    Leaf(Kind),
    /// The end of a header's construct, and a branch to its merge block.
    After(Block, Block, Context),
}

/// The meaning of a branch.
#[derive(Clone, Copy, PartialEq)]
enum Jump {
    /// Control continues with the next node.
    Follow,
    /// It leaves a construct.
    Out(Kind),
    /// It leads to a block that comes next.
    Inline,
}

struct Builder<'a> {
    tree: Tree<'a>,
    open: Vec<u32>,
    steps: Vec<Step>,
    placed: SecondaryMap<Block, bool>,
    /// Of a case target: its switch.
    case_of: SecondaryMap<Block, PackedOption<Block>>,
    position: SecondaryMap<Block, u32>,
    labels: Option<Labels>,
}

/// Labels of enclosing constructs that jumps may name, for targets with multi-level exits.
#[derive(Default)]
struct Labels {
    merge_of: SecondaryMap<Block, PackedOption<Block>>,
    continue_of: SecondaryMap<Block, PackedOption<Block>>,
    /// Whether the walk is in a header's construct.
    is_open: SecondaryMap<Block, bool>,
}

impl Labels {
    fn of(structured: &Structured) -> Self {
        let mut labels = Self::default();
        for &block in &structured.order {
            match structured.merges[block] {
                Merge::None => {}
                Merge::Selection { merge, .. } => labels.merge_of[merge] = block.into(),
                Merge::Loop {
                    merge,
                    continue_target,
                    ..
                } => {
                    labels.merge_of[merge] = block.into();
                    labels.continue_of[continue_target] = block.into();
                }
            }
        }
        labels
    }

    /// Returns the jump to a block, if a construct around names it.
    fn exit(&self, to: Block) -> Option<Kind> {
        let open = |header: PackedOption<Block>| header.expand().filter(|&h| self.is_open[h]);
        open(self.merge_of[to])
            .map(Kind::Break)
            .or_else(|| open(self.continue_of[to]).map(Kind::Continue))
    }
}

pub(super) fn build(structured: &Structured) -> Tree<'_> {
    let mut position = SecondaryMap::with_capacity(structured.func.num_blocks());
    for (index, &block) in structured.order.iter().enumerate() {
        position[block] = index as u32;
    }
    let tree = Tree {
        structured,
        nodes: Vec::with_capacity(structured.order.len() * 2),
        literals: Vec::new(),
        labels: SecondaryMap::new(),
    };
    let mut builder = Builder {
        tree,
        open: Vec::new(),
        steps: Vec::new(),
        placed: SecondaryMap::new(),
        case_of: SecondaryMap::new(),
        position,
        labels: (structured.target.multi_level).then(|| Labels::of(structured)),
    };
    // All but the first are blocks that the entry does not reach.
    for &block in &structured.order {
        if !builder.placed[block] && structured.func.has_block(block) {
            builder.steps.push(Step::Enter(block, Context::default()));
            builder.run();
        }
    }
    builder.tree.find_labels();
    builder.tree
}

impl Builder<'_> {
    fn run(&mut self) {
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Open(kind) => {
                    self.open.push(self.tree.nodes.len() as u32);
                    self.leaf(kind);
                }
                Step::Close => {
                    let end = self.tree.nodes.len() as u32;
                    if let Some(node) = self
                        .open
                        .pop()
                        .and_then(|node| self.tree.nodes.get_mut(node as usize))
                    {
                        node.end = end;
                    }
                }
                Step::Leaf(kind) => self.leaf(kind),
                Step::Branch(to, context) => match self.way(to, context) {
                    Jump::Follow => {}
                    Jump::Out(kind) => self.leaf(kind),
                    Jump::Inline => self.enter(to, context),
                },
                Step::Enter(block, context) => self.enter(block, context),
                Step::After(header, merge, context) => {
                    if let Some(labels) = &mut self.labels {
                        labels.is_open[header] = false;
                    }
                    self.steps.push(Step::Branch(merge, context));
                }
            }
        }
    }

    fn leaf(&mut self, kind: Kind) {
        let end = self.tree.nodes.len() as u32 + 1;
        self.tree.nodes.push(Node { kind, end });
    }

    /// Puts steps on the stack so that they run in this order, and before all that is planned.
    fn plan<const N: usize>(&mut self, steps: [Step; N]) {
        self.steps.extend(steps.into_iter().rev());
    }

    fn way(&self, to: Block, context: Context) -> Jump {
        match self.nearest_way(to, context) {
            Jump::Inline => {
                let labels = self.labels.as_ref();
                let exit = labels.and_then(|labels| labels.exit(to));
                exit.map_or(Jump::Inline, Jump::Out)
            }
            way => way,
        }
    }

    /// Returns the same without jumps that need a label.
    fn nearest_way(&self, to: Block, context: Context) -> Jump {
        if context.follow == Some(to) {
            return Jump::Follow;
        }
        if let Some((header, merge)) = context.switch {
            if to == merge {
                return Jump::Out(Kind::Break(header));
            }
            if self.case_of[to].expand() == Some(header) {
                return Jump::Out(Kind::FallThrough(to));
            }
        }
        match context.looping {
            Some(around) if to == around.merge => Jump::Out(Kind::Break(around.header)),
            Some(around) if to == around.continue_target => {
                Jump::Out(Kind::Continue(around.header))
            }
            _ => Jump::Inline,
        }
    }

    fn enter(&mut self, block: Block, context: Context) {
        let Structured { func, merges, .. } = self.tree.structured;
        if !func.has_block(block) || core::mem::replace(&mut self.placed[block], true) {
            return self.leaf(Kind::Goto(block));
        }
        if let (Some(labels), false) = (&mut self.labels, merges[block] == Merge::None) {
            labels.is_open[block] = true;
        }
        match merges[block] {
            Merge::Loop {
                merge,
                continue_target,
                hint,
            } => {
                let around = LoopContext {
                    header: block,
                    merge,
                    continue_target,
                };
                let inner = |follow| Context {
                    follow: Some(follow),
                    looping: Some(around),
                    switch: None,
                };
                self.plan([Step::Close, Step::After(block, merge, context)]);
                if continue_target != block {
                    self.plan([
                        Step::Open(Kind::ContinuePart),
                        Step::Enter(continue_target, inner(block)),
                        Step::Close,
                    ]);
                }
                self.steps.push(Step::Close);
                self.end(block, None, inner(continue_target));
                self.plan([
                    Step::Open(Kind::Loop {
                        header: block,
                        hint,
                    }),
                    Step::Open(Kind::Body),
                    Step::Leaf(Kind::Block(block)),
                ]);
            }
            Merge::Selection { merge, .. } => {
                self.leaf(Kind::Block(block));
                self.end(block, Some(merge), context);
            }
            Merge::None => {
                self.leaf(Kind::Block(block));
                self.end(block, None, context);
            }
        }
    }

    /// Plans a block's terminator, and its selection.
    fn end(&mut self, block: Block, merge: Option<Block>, context: Context) {
        match self.tree.structured.func.terminator(block) {
            Some(Terminator::Branch(to) | Terminator::BreakBranch { target: to, .. }) => {
                self.plan([Step::Branch(to, context)]);
            }
            Some(Terminator::CondBranch {
                cond, then, else_, ..
            }) => match merge {
                Some(merge) => self.selection(block, cond, (then, else_), merge, context),
                None => self.exits(block, cond, (then, else_), context),
            },
            Some(Terminator::Switch {
                value,
                default,
                cases,
                ..
            }) => self.switch(block, value, (default, cases), merge, context),
            Some(Terminator::Return(value)) => self.plan([Step::Leaf(Kind::Return(value))]),
            Some(Terminator::Kill) => self.plan([Step::Leaf(Kind::Kill)]),
            Some(Terminator::Exit(payload)) => self.plan([Step::Leaf(Kind::Exit(payload))]),
            Some(Terminator::Unreachable) | None => self.plan([Step::Leaf(Kind::Unreachable)]),
        }
    }

    /// Adds a conditional branch with a merge block.
    fn selection(
        &mut self,
        header: Block,
        cond: Value,
        (then, else_): (Block, Block),
        merge: Block,
        context: Context,
    ) {
        let negated = then == merge;
        let (first, second) = if negated {
            (else_, then)
        } else {
            (then, else_)
        };
        let inner = Context {
            follow: Some(merge),
            ..context
        };
        self.plan([Step::Close, Step::After(header, merge, context)]);
        if second != merge {
            self.plan([
                Step::Open(Kind::Else),
                Step::Branch(second, inner),
                Step::Close,
            ]);
        }
        let condition = self.tree.condition(cond, negated);
        self.plan([
            Step::Open(Kind::If { header, condition }),
            Step::Open(Kind::Then),
            Step::Branch(first, inner),
            Step::Close,
        ]);
    }

    /// Adds a conditional branch without a merge block: at most one side stays in the construct.
    fn exits(
        &mut self,
        header: Block,
        cond: Value,
        (then, else_): (Block, Block),
        context: Context,
    ) {
        let ways = (self.way(then, context), self.way(else_, context));
        // The side in braces; the other continues after them.
        let negated = match ways {
            (Jump::Inline, Jump::Inline) => {
                return self.selection_without_merge(header, cond, (then, else_), context);
            }
            (Jump::Inline, _) => !self.leaves(then) && self.explicit(ways.1, context).is_some(),
            (_, Jump::Inline) => self.leaves(else_) || self.explicit(ways.0, context).is_none(),
            (way, _) => way == Jump::Follow,
        };
        let (inside, way, after) = if negated {
            (else_, ways.1, then)
        } else {
            (then, ways.0, else_)
        };
        let step = match (way, self.explicit(way, context)) {
            (Jump::Inline, _) => Step::Enter(inside, context),
            (_, Some(kind)) => Step::Leaf(kind),
            (_, None) => Step::Branch(inside, context),
        };
        let condition = self.tree.condition(cond, negated);
        self.plan([
            Step::Open(Kind::If { header, condition }),
            Step::Open(Kind::Then),
            step,
            Step::Close,
            Step::Close,
            Step::Branch(after, context),
        ]);
    }

    /// Adds a branch that is not valid, so that a tree can still be shown.
    fn selection_without_merge(
        &mut self,
        header: Block,
        cond: Value,
        (then, else_): (Block, Block),
        context: Context,
    ) {
        let condition = self.tree.condition(cond, false);
        self.plan([
            Step::Open(Kind::Else),
            Step::Branch(else_, context),
            Step::Close,
            Step::Close,
        ]);
        self.plan([
            Step::Open(Kind::If { header, condition }),
            Step::Open(Kind::Then),
            Step::Branch(then, context),
            Step::Close,
        ]);
    }

    /// Returns an exit as a statement that is possible anywhere in the sequence, if there is one.
    fn explicit(&self, way: Jump, context: Context) -> Option<Kind> {
        match way {
            Jump::Out(kind) => Some(kind),
            Jump::Inline => None,
            Jump::Follow => match self.nearest_way(
                context.follow?,
                Context {
                    follow: None,
                    ..context
                },
            ) {
                Jump::Out(kind) => Some(kind),
                Jump::Follow | Jump::Inline => None,
            },
        }
    }

    /// Returns whether a block has no successors.
    fn leaves(&self, block: Block) -> bool {
        let func = &self.tree.structured.func;
        func.has_block(block) && func.terminator(block).is_some_and(Terminator::is_exit)
    }

    fn switch(
        &mut self,
        header: Block,
        value: Value,
        (default, cases): (Block, CaseRange),
        merge: Option<Block>,
        context: Context,
    ) {
        let func = &self.tree.structured.func;
        // Stable, so that literals keep their order; cases that do nothing come last.
        let mut labels: Vec<(Block, Option<u64>)> = func
            .cases(cases)
            .iter()
            .map(|case| (case.target, Some(case.literal)))
            .collect();
        if Some(default) != merge {
            labels.push((default, None));
        }
        labels.sort_by_key(|&(to, _)| (Some(to) == merge, self.position[to], to));
        let inner = Context {
            follow: merge,
            switch: merge.map(|merge| (header, merge)),
            ..context
        };
        if let Some(merge) = merge {
            self.steps.push(Step::After(header, merge, context));
        }
        self.steps.push(Step::Close);
        for group in labels.chunk_by(|a, b| a.0 == b.0).rev() {
            let target = group[0].0;
            let start = self.tree.literals.len() as u32;
            self.tree
                .literals
                .extend(group.iter().filter_map(|&(_, literal)| literal));
            let literals = (start, self.tree.literals.len() as u32);
            let kind = Kind::Case {
                target,
                default: group.iter().any(|(_, literal)| literal.is_none()),
                literals,
            };
            self.steps.push(Step::Close);
            // Must precede marking the target as a case. It may name a construct around.
            match self.way(target, inner) {
                Jump::Follow => {}
                Jump::Out(kind) => self.steps.push(Step::Leaf(kind)),
                Jump::Inline => self.steps.push(Step::Enter(target, inner)),
            }
            self.steps.push(Step::Open(kind));
        }
        for (target, _) in labels {
            if Some(target) != merge {
                self.case_of[target] = header.into();
            }
        }
        self.steps.push(Step::Open(Kind::Switch { header, value }));
    }
}

impl Tree<'_> {
    /// Returns the condition of an `if` or a select.
    pub(super) fn condition(&self, cond: Value, negated: bool) -> Condition {
        let func = &self.structured.func;
        let test = match func.has_value(cond).then(|| func.value_kind(cond)) {
            Some(ValueKind::Result { inst, .. }) => match (func.inst_kind(inst), func.uses(inst)) {
                (InstKind::SelectorTest { op, constant }, &[selector]) => TestOf::Selector {
                    selector,
                    op,
                    constant,
                },
                _ => TestOf::Value(cond),
            },
            _ => TestOf::Value(cond),
        };
        Condition { test, negated }
    }
}
