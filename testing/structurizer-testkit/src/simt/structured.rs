//! Runs a structured function under maximal reconvergence, by its merge instructions.
//!
//! A stack of constructs. Lanes that branch to the merge block, the continue target or the header
//! of a construct on the stack wait there; when no lane can run in the innermost construct,
//! the waiting lanes continue together. The block order matters only for the order in which
//! the cases of one switch run.

use trellis_entity::SecondaryMap;
use trellis_structurizer::ir::{Block, Terminator};
use trellis_structurizer::{Merge, Structured};

use super::lane::{Wave, lanes_of};
use super::{Config, SimError, Trace};

/// One construct that lanes are in.
struct Frame {
    header: Option<Block>,
    merge: Option<Block>,
    continue_target: Option<Block>,
    at_merge: u64,
    at_continue: u64,
    at_header: u64,
    /// The case targets of a switch and the lanes that wait there.
    cases: Vec<(Block, u64)>,
    /// Lanes that can run.
    ready: Vec<(Block, u64)>,
}

/// The role of a block for the frames on the stack.
#[derive(Clone, Copy, Default)]
struct Role {
    /// Frame numbers, plus one; 0 is none.
    merge: u32,
    continue_target: u32,
    header: u32,
    case: u32,
}

struct Run<'a> {
    structured: &'a Structured,
    frames: Vec<Frame>,
    roles: SecondaryMap<Block, Role>,
    position: SecondaryMap<Block, u32>,
}

/// Runs a structured function from the first block of its order.
///
/// # Errors
/// If it does not run, such as on an undefined condition.
pub fn run_structured(structured: &Structured, config: &Config) -> Result<Trace, SimError> {
    run(structured, config, None)
}

/// Runs a structured function with the decisions that its input made at uniform terminators.
///
/// # Errors
/// As [`run_structured`].
pub fn run_structured_like(
    structured: &Structured,
    config: &Config,
    before: &Trace,
) -> Result<Trace, SimError> {
    run(structured, config, Some(before))
}

fn run(
    structured: &Structured,
    config: &Config,
    before: Option<&Trace>,
) -> Result<Trace, SimError> {
    let Some(&entry) = structured.order.first() else {
        return Ok(Trace::default());
    };
    let mut wave = Wave::new(&structured.func, *config, before);
    let mut position = SecondaryMap::new();
    for (index, &block) in structured.order.iter().enumerate() {
        position[block] = index as u32;
    }
    let mut run = Run {
        structured,
        frames: Vec::new(),
        roles: SecondaryMap::new(),
        position,
    };
    run.frames.push(Frame::new(None));
    run.frames[0].ready.push((entry, wave.all()));
    while let Some((block, set)) = run.next() {
        run.enter(block);
        let mut targets: Vec<(Block, u64)> = Vec::new();
        wave.run_block(block, set, |lane, target| {
            if let Some(to) = target {
                match targets.iter_mut().find(|(block, _)| *block == to) {
                    Some((_, set)) => *set |= 1 << lane,
                    None => targets.push((to, 1 << lane)),
                }
            }
        })?;
        // The stack is taken from its end, so that the lowest lane's target runs first.
        targets.sort_by_key(|&(_, set)| std::cmp::Reverse(lanes_of(set).next()));
        for (to, set) in targets {
            run.send(to, set);
        }
    }
    Ok(wave.trace)
}

impl Frame {
    fn new(header: Option<Block>) -> Self {
        Frame {
            header,
            merge: None,
            continue_target: None,
            at_merge: 0,
            at_continue: 0,
            at_header: 0,
            cases: Vec::new(),
            ready: Vec::new(),
        }
    }
}

impl Run<'_> {
    /// Returns the next block to run and its lanes; leaves constructs in which no lane can run.
    fn next(&mut self) -> Option<(Block, u64)> {
        loop {
            let frame = self.frames.last_mut()?;
            if let Some(ready) = frame.ready.pop() {
                return Some(ready);
            }
            if let Some((block, set)) = frame.cases.iter_mut().find(|(_, set)| *set != 0) {
                return Some((*block, std::mem::take(set)));
            }
            if let Some(block) = frame.continue_target
                && frame.at_continue != 0
            {
                return Some((block, std::mem::take(&mut frame.at_continue)));
            }
            if let Some(block) = frame.header
                && frame.at_header != 0
            {
                return Some((block, std::mem::take(&mut frame.at_header)));
            }
            let (merge, set) = (frame.merge, frame.at_merge);
            self.leave();
            if let (Some(merge), true) = (merge, set != 0) {
                // The merge block may be, for example, the continue target of an outer loop.
                self.send(merge, set);
            }
        }
    }

    /// Opens the construct of a header that is not yet on top of the stack.
    fn enter(&mut self, block: Block) {
        if self.roles[block].header != 0 {
            return;
        }
        let number = self.frames.len() as u32 + 1;
        let func = &self.structured.func;
        let mut frame = Frame::new(Some(block));
        match self.structured.merges[block] {
            Merge::None => return,
            Merge::Selection { merge, .. } => frame.merge = Some(merge),
            Merge::Loop {
                merge,
                continue_target,
                ..
            } => {
                frame.merge = Some(merge);
                frame.continue_target = Some(continue_target);
                self.roles[continue_target].continue_target = number;
            }
        }
        if let Some(merge) = frame.merge {
            self.roles[merge].merge = number;
            if let Some(Terminator::Switch { .. }) = func.terminator(block) {
                frame.cases = func
                    .successors(block)
                    .filter(|&to| to != merge)
                    .map(|to| (to, 0))
                    .collect();
                frame.cases.sort_by_key(|&(to, _)| self.position[to]);
                frame.cases.dedup();
                for &(to, _) in &frame.cases {
                    self.roles[to].case = number;
                }
            }
        }
        self.roles[block].header = number;
        self.frames.push(frame);
    }

    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        if let Some(header) = frame.header {
            self.roles[header].header = 0;
        }
        if let Some(merge) = frame.merge {
            self.roles[merge].merge = 0;
        }
        if let Some(continue_target) = frame.continue_target {
            self.roles[continue_target].continue_target = 0;
        }
        for (to, _) in frame.cases {
            self.roles[to].case = 0;
        }
    }

    /// Sends lanes to a block: they wait if it belongs to a construct on the stack.
    fn send(&mut self, to: Block, set: u64) {
        let role = self.roles[to];
        let top = self.frames.len() - 1;
        let frame = |number: u32| number as usize - 1;
        if role.header != 0 {
            self.frames[frame(role.header)].at_header |= set;
        } else if role.merge != 0 {
            self.frames[frame(role.merge)].at_merge |= set;
        } else if role.continue_target != 0 {
            self.frames[frame(role.continue_target)].at_continue |= set;
        } else if role.case != 0
            && let Some((_, waiting)) = self.frames[frame(role.case)]
                .cases
                .iter_mut()
                .find(|(block, _)| *block == to)
        {
            *waiting |= set;
        } else {
            self.frames[top].ready.push((to, set));
        }
    }
}
