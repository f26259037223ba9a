//! Writes the program that a search found as a plan of the output: construct for construct.
//!
//! A *label* is a place that branches lead to before its block is known: the first block of a node, or a
//! fresh one. Each edge of the input carries its target as selector, and whatever tests it reads it.

mod branches;
mod finish;

use alloc::vec;
use alloc::vec::Vec;

use super::Chains;
use super::graph::{Set, nodes};
use super::solve::Search;
use super::state::{Choice, State};
use crate::entity::EntityVec;
use crate::ir::{Block, Function, LoopHint, SelectionHint};
use crate::plan::blocks::{Assigning, Blocks, Ending, OutEdge, OutEdgeData, PlannedBlock};
use crate::remark::Remarks;

/// A place that branches lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Label(usize);

/// A merge instruction.
#[derive(Clone, Copy)]
enum Header {
    Selection(Label, SelectionHint),
    Loop {
        merge: Label,
        continue_target: Label,
        hint: LoopHint,
    },
}

/// Where the places of a state are.
#[derive(Clone, Copy, Default)]
struct Labels {
    next: Label,
    /// True if that is a case that the sequence falls through to: by one branch, which decides nothing.
    is_next_case: bool,
    breaks: Label,
    continues: Label,
    leaves: Label,
    latch: Label,
}

/// Something that is still to be written.
#[derive(Clone, Copy)]
enum Task {
    Sequence(Start),
    Empty(Empty),
}

/// An empty block.
#[derive(Clone, Copy)]
struct Empty {
    at: Label,
    /// Where it leads if something leads to it.
    to: Option<Label>,
    /// Where it leads if nothing does, with a node of that place: in a continue construct, where no
    /// invocation may end.
    otherwise: Option<(Label, usize)>,
}

/// Where a sequence begins.
#[derive(Clone, Copy)]
struct Start {
    state: State,
    at: Label,
    labels: Labels,
    /// The loop that begins here.
    header: Option<Header>,
    /// True if no back edge may lead to the first block.
    is_case: bool,
}

/// The edges of a test, with the nodes that they lead on to.
struct Decided {
    block: Block,
    arms: Vec<(Set, OutEdge)>,
    is_switch: bool,
}

struct Writer<'a> {
    search: &'a Search<'a>,
    func: &'a Function,
    chains: &'a Chains,
    out: Blocks,
    labels: Vec<Option<Block>>,
    tasks: Vec<Task>,
    /// Of each edge its label, and the node that it is for, if it is one of the input.
    leads: EntityVec<OutEdge, (Label, Option<usize>)>,
    headers: Vec<(Block, Header)>,
    decided: Vec<Decided>,
    breakable: Vec<(Block, Label)>,
    /// The empty blocks, and where each leads.
    empty: Vec<(Block, Empty)>,
    /// The nodes in the order in which they were written.
    order: Vec<usize>,
}

/// Writes the program of a graph whose cost was found; none if its tests cannot be comparisons.
pub(super) fn write(
    search: &Search<'_>,
    func: &Function,
    chains: &Chains,
    remarks: &mut Remarks,
) -> Option<Blocks> {
    let mut out = Blocks {
        needs_ssa_repair: true,
        ..Blocks::default()
    };
    for _ in func.blocks() {
        out.blocks.push(PlannedBlock::default());
    }
    let mut writer = Writer {
        search,
        func,
        chains,
        out,
        labels: vec![None],
        tasks: Vec::new(),
        leads: EntityVec::default(),
        headers: Vec::new(),
        decided: Vec::new(),
        breakable: Vec::new(),
        empty: Vec::new(),
        order: Vec::new(),
    };
    let graph = search.cx.graph;
    let first = writer.label();
    if graph.preds_of(1) != 0 {
        // No block leads to the entry of a function.
        let entry = writer.fresh();
        let edge = writer.edge(entry, None, first);
        writer.end(entry, Ending::Branch(edge));
    }
    writer.sequence_at(super::root(graph), first, Labels::default());
    while let Some(task) = writer.tasks.pop() {
        match task {
            Task::Sequence(start) => writer.sequence(start)?,
            Task::Empty(empty) => writer.empty(empty),
        }
    }
    writer.finish(remarks)
}

impl Writer<'_> {
    fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    fn bind(&mut self, label: Label, block: Block) {
        self.labels[label.0] = Some(block);
    }

    /// Returns a fresh block, which is the next one in the order.
    fn fresh(&mut self) -> Block {
        let block = self.out.blocks.push(PlannedBlock::default());
        self.out.report.blocks += 1;
        self.out.order.push(block);
        block
    }

    fn fresh_at(&mut self, label: Label) -> Block {
        let block = self.fresh();
        self.bind(label, block);
        block
    }

    fn end(&mut self, block: Block, ending: Ending) {
        self.out.blocks[block].ending = ending;
    }

    /// Adds an edge that carries an edge of the input, or one that sets nothing.
    fn edge(&mut self, from: Block, carries: Option<(Block, usize)>, to: Label) -> OutEdge {
        let target = carries.map(|(_, node)| node);
        let assigns = carries.map(|(origin, node)| Assigning {
            origin,
            target: self.chains.first(node),
        });
        self.leads.push((to, target));
        self.out.edges.push(OutEdgeData {
            from,
            to: from,
            assigns: assigns.into(),
            code: None.into(),
            selector: None.into(),
        })
    }

    fn branch(&mut self, from: Block, carries: Option<(Block, usize)>, to: Label) {
        let edge = self.edge(from, carries, to);
        self.end(from, Ending::Branch(edge));
    }

    /// Makes a block the header of a construct, if there is one.
    fn header(&mut self, block: Block, header: Option<Header>) {
        self.headers.extend(header.map(|header| (block, header)));
    }

    fn selection_header(&mut self, block: Block, merge: Label, hint: SelectionHint) {
        self.header(block, Some(Header::Selection(merge, hint)));
    }

    fn sequence_at(&mut self, state: State, at: Label, labels: Labels) {
        self.start(state, at, labels, false);
    }

    fn start(&mut self, state: State, at: Label, labels: Labels, is_case: bool) {
        self.tasks.push(Task::Sequence(Start {
            state,
            at,
            labels,
            header: None,
            is_case,
        }));
    }

    /// Returns where a state is left to for some nodes.
    fn place(state: &State, set: Set, labels: Labels) -> Option<Label> {
        let places = [
            (state.next, labels.next),
            (state.leaves, labels.leaves),
            (state.continues, labels.continues),
            (state.breaks, labels.breaks),
        ];
        let found = places.iter().find(|(place, _)| set & !place == 0);
        found.map(|(_, label)| *label)
    }

    /// Writes an empty block. Whether it leads anywhere depends on whether something leads to it.
    fn empty(&mut self, empty: Empty) {
        let block = self.fresh_at(empty.at);
        self.empty.push((block, empty));
        self.out.report.ladders += 1;
    }

    /// Returns where a block may lead that nothing leads to.
    fn otherwise(state: &State, labels: Labels) -> Option<(Label, usize)> {
        let places = [
            (state.next, labels.next),
            (state.continues, labels.continues),
            (state.breaks, labels.breaks),
        ];
        let place = places
            .iter()
            .find(|(set, _)| state.must_continue && *set != 0);
        place.map(|(set, label)| (*label, set.trailing_zeros() as usize))
    }

    /// Makes the task for what follows a construct.
    fn after(
        &mut self,
        state: &State,
        part: Option<State>,
        (merge, label): (Set, Label),
        labels: Labels,
    ) -> Option<()> {
        if let Some(part) = part {
            self.sequence_at(part, label, labels);
            return Some(());
        }
        let to = match merge {
            0 => None,
            _ => Some(Self::place(state, merge, labels)?),
        };
        self.tasks.push(Task::Empty(Empty {
            at: label,
            to,
            otherwise: Self::otherwise(state, labels),
        }));
        Some(())
    }

    fn sequence(&mut self, start: Start) -> Option<()> {
        let cx = self.search.cx;
        let mut start = start;
        start.state.normalize(cx.graph);
        let Start {
            state, at, labels, ..
        } = start;
        if state.leaves_at_once() {
            let to = Self::place(&state, state.entry, labels)?;
            self.empty(Empty {
                at,
                to: Some(to),
                otherwise: Self::otherwise(&state, labels),
            });
            return Some(());
        }
        let choice = self.search.choice(state)?;
        let mut parts = Vec::new();
        state.parts(cx, choice, &mut parts)?;
        match choice {
            Choice::Leave => return None,
            Choice::End => {
                let block = self.node(start);
                self.end(block, Ending::Unchanged);
            }
            Choice::Step => {
                let origin = self.node(start);
                let next = parts[0];
                let target = next.entry.trailing_zeros() as usize;
                let to = self.enter(next, labels)?;
                self.branch(origin, Some((origin, target)), to);
            }
            Choice::Latch => {
                let block = self.decider(start, false);
                let back = state.decision(cx.graph) & state.next;
                let out = state.decision(cx.graph) & !back;
                self.decide(block, &state, [back, out], [labels.next, labels.latch])?;
            }
            Choice::If { arms, merge } => self.selection(start, arms, merge, &parts)?,
            Choice::Switch { merge } => self.switch(start, merge, parts)?,
            Choice::Breakable { merge } => {
                let block = self.inserted(start);
                let [body, m] = [self.label(), self.label()];
                let edge = self.edge(block, None, body);
                self.end(block, Ending::Breakable(edge));
                self.out.any_breakable = true;
                self.out.report.breakable_blocks += 1;
                self.selection_header(block, m, SelectionHint::None);
                self.breakable.push((block, m));
                self.after(&state, parts.get(1).copied(), (merge, m), labels)?;
                let inside = Labels {
                    next: m,
                    is_next_case: false,
                    leaves: m,
                    ..labels
                };
                self.start(parts[0], body, inside, true);
            }
            Choice::Loop {
                header,
                merge,
                continues,
            } => self.loop_(start, [header, merge, continues], &parts)?,
        }
        Some(())
    }

    /// Returns where a part of a sequence begins: the place that it leaves to at once, or a label at
    /// which it will be written.
    fn enter(&mut self, mut state: State, labels: Labels) -> Option<Label> {
        state.normalize(self.search.cx.graph);
        if state.leaves_at_once() {
            return Self::place(&state, state.entry, labels);
        }
        let label = self.label();
        self.sequence_at(state, label, labels);
        Some(label)
    }

    /// Writes the node that a sequence begins with, and returns its last block.
    fn node(&mut self, start: Start) -> Block {
        let node = start.state.entry.trailing_zeros() as usize;
        self.order.push(node);
        let chain = &self.chains.blocks[node];
        let (first, mut last) = (chain[0], chain[0]);
        self.out.order.push(first);
        self.bind(start.at, first);
        self.header(first, start.header);
        for &block in &chain[1..] {
            let to = self.label();
            self.bind(to, block);
            self.out.order.push(block);
            self.leads.push((to, None));
            let edge = self.out.edges.push(OutEdgeData {
                from: last,
                to: block,
                assigns: Assigning {
                    origin: last,
                    target: block,
                }
                .into(),
                code: None.into(),
                selector: None.into(),
            });
            self.end(last, Ending::Branch(edge));
            last = block;
        }
        last
    }

    /// Writes a fresh block that a sequence begins with, and that may be a header of a construct of its
    /// own.
    fn inserted(&mut self, start: Start) -> Block {
        let block = self.fresh_at(start.at);
        if start.header.is_none() {
            return block;
        }
        self.header(block, start.header);
        let next = self.label();
        self.branch(block, None, next);
        self.fresh_at(next)
    }

    /// Writes the block that decides first in a sequence: the last one of a node, or a test. It is not
    /// the header of a loop if it is one of another construct.
    fn decider(&mut self, start: Start, is_header: bool) -> Block {
        if start.state.is_test() {
            if start.header.is_some() {
                self.out.report.dispatch_headers += 1;
            } else if !start.state.is_decided {
                self.out.report.selectors += 1;
            }
            if is_header {
                return self.inserted(start);
            }
            let block = self.fresh_at(start.at);
            self.header(block, start.header);
            return block;
        }
        let last = self.node(start);
        let node = start.state.entry.trailing_zeros() as usize;
        if !is_header || start.header.is_none() || self.chains.first(node) != last {
            return last;
        }
        let next = self.label();
        self.branch(last, None, next);
        self.fresh_at(next)
    }

    fn loop_(
        &mut self,
        start: Start,
        [header, merge, continues]: [Set; 3],
        parts: &[State],
    ) -> Option<()> {
        let Start { state, labels, .. } = start;
        let mut at = start.at;
        if start.is_case || start.header.is_some() {
            let block = self.fresh_at(at);
            self.header(block, start.header);
            at = self.label();
            self.branch(block, None, at);
        }
        let [m, c] = [self.label(), self.label()];
        let hint = match nodes(header).next() {
            Some(node) if header.count_ones() == 1 => self.func.loop_hint(self.chains.first(node)),
            _ => LoopHint::None,
        };
        let mut rest = &parts[1..];
        let latch = (continues != header).then(|| rest[0]);
        rest = &rest[usize::from(latch.is_some())..];
        self.after(&state, rest.first().copied(), (merge, m), labels)?;
        match latch {
            Some(latch) => {
                let inside = Labels {
                    next: at,
                    latch: m,
                    ..Labels::default()
                };
                self.start(latch, c, inside, true);
            }
            None => self.tasks.push(Task::Empty(Empty {
                at: c,
                to: Some(at),
                otherwise: None,
            })),
        }
        let inside = Labels {
            next: c,
            breaks: m,
            continues: c,
            ..Labels::default()
        };
        self.tasks.push(Task::Sequence(Start {
            state: parts[0],
            at,
            labels: inside,
            header: Some(Header::Loop {
                merge: m,
                continue_target: c,
                hint,
            }),
            is_case: false,
        }));
        Some(())
    }
}
