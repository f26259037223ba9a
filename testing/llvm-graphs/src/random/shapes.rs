//! The shapes that plans are made of: structured regions, with gotos, state machines and switches
//! into loops among them.

use super::{Block, End, Events, Operation, Plan, Random, Source, Step, Test, Variable};
use crate::program::Predicate;

/// The variable that state machines switch on.
const STATE: Variable = 1;

const OPERATIONS: [Operation; 12] = {
    use Operation::*;
    [
        Add, Sub, Mul, And, Or, Xor, Shl, LShr, AShr, UDiv, URem, SRem,
    ]
};

struct Planner {
    random: Random,
    blocks: Vec<Block>,
    variables: usize,
    /// Blocks that code inside may jump to: ends and headers of the regions around.
    labels: Vec<usize>,
    /// Probability that a block jumps to one of these labels, in percent.
    jumpy: usize,
}

/// A part of the plan: its first block, how many blocks, and the target at its end.
#[derive(Clone, Copy)]
struct Region {
    start: usize,
    count: usize,
    exit: usize,
}

impl Region {
    fn new(start: usize, count: usize, exit: usize) -> Self {
        Self { start, count, exit }
    }

    fn end(self) -> usize {
        self.start + self.count
    }
}

/// Returns the plan of a seed. Sizes are from 4 to about 60 blocks.
pub fn plan(seed: u64) -> Plan {
    let mut random = Random::new(seed);
    let count = 4
        + random.below(8)
        + if random.percent(50) {
            random.below(16)
        } else {
            0
        }
        + if random.percent(12) {
            random.below(36)
        } else {
            0
        };
    let variables = 2 + random.below(4);
    let jumpy = *random.pick(&[0, 5, 15, 40]);
    let events = Events {
        pure: random.percent(50),
        convergent: random.percent(15),
    };
    let fuel = 6 + random.below(40) as u32;
    let blank = Block {
        steps: Vec::new(),
        end: End::Return,
        out: 0,
        tests_first: false,
    };
    let mut planner = Planner {
        random,
        blocks: vec![blank; count],
        variables,
        labels: Vec::new(),
        jumpy,
    };
    planner.prologue();
    planner.region(Region::new(1, count - 2, count - 1), 0);
    let strays = *planner.random.pick(&[0, 0, 0, 1, 2, 5]);
    for _ in 0..strays {
        planner.stray();
    }
    planner.finish();
    Plan {
        blocks: planner.blocks,
        variables,
        fuel,
        events,
    }
}

impl Planner {
    /// Adds the first block, which reads the input into all variables.
    fn prologue(&mut self) {
        let steps = (0..self.variables).map(|variable| {
            if self.random.percent(25) {
                Step::Set(variable, Source::Constant(self.random.below(4) as u32))
            } else {
                Step::Read(
                    variable,
                    Source::Constant(variable as u32 + self.random.below(8) as u32),
                )
            }
        });
        self.blocks[0].steps = steps.collect();
        self.blocks[0].end = End::Jump(1);
    }

    fn variable(&mut self) -> Variable {
        self.random.below(self.variables)
    }

    fn source(&mut self) -> Source {
        if self.random.percent(65) {
            Source::Variable(self.variable())
        } else {
            Source::Constant(self.random.below(10) as u32)
        }
    }

    fn test(&mut self) -> Test {
        let predicate = if self.random.percent(40) {
            Predicate::Eq
        } else {
            *self.random.pick(&Predicate::ALL)
        };
        Test {
            predicate,
            a: Source::Variable(self.variable()),
            b: self.source(),
        }
    }

    fn steps(&mut self, block: usize) {
        for _ in 0..self.random.below(3) {
            let to = self.variable();
            let step = match self.random.below(10) {
                0..4 => Step::Compute(
                    to,
                    *self.random.pick(&OPERATIONS),
                    self.source(),
                    self.source(),
                ),
                // Conditions that jump threading follows.
                4..7 => Step::Set(to, Source::Constant(self.random.below(5) as u32)),
                7 => Step::Set(to, self.source()),
                8 => Step::Read(to, self.source()),
                _ => Step::Choose(to, self.test(), self.source(), self.source()),
            };
            self.blocks[block].steps.push(step);
        }
        if self.random.percent(60) {
            // Few ids, so that tails merge.
            let id = if self.random.percent(70) {
                block as u32
            } else {
                self.random.below(3) as u32
            };
            let value = self.source();
            self.blocks[block].steps.push(Step::Event(id, value));
        }
    }

    /// Ends a block, with a jump to a label now and then.
    fn jump(&mut self, block: usize, to: usize) {
        self.blocks[block].end = if !self.labels.is_empty() && self.random.percent(self.jumpy) {
            let label = *self.random.pick(&self.labels);
            if self.random.percent(50) {
                End::Branch(self.test(), label, to)
            } else {
                End::Branch(self.test(), to, label)
            }
        } else {
            End::Jump(to)
        };
    }

    /// Plans the blocks of a region. The depth bounds the recursion: a region of a region is
    /// smaller.
    fn region(&mut self, region: Region, depth: usize) {
        let Region { start, count, exit } = region;
        if count == 1 || depth > 12 {
            for block in start..region.end() {
                self.steps(block);
                self.jump(
                    block,
                    if block + 1 == region.end() {
                        exit
                    } else {
                        block + 1
                    },
                );
            }
            return;
        }
        match self.random.below(100) {
            0..25 => self.sequence(region, depth),
            25..40 => self.branches(region, depth),
            40..50 => self.head_loop(region, depth),
            50..58 => self.tail_loop(region, depth),
            58..68 => self.switch(region, depth),
            68..80 => self.gotos(region),
            80..90 => self.machine(region, depth),
            _ => self.switch_into_loop(region),
        }
    }

    fn sequence(&mut self, region: Region, depth: usize) {
        let first = 1 + self.random.below(region.count - 1);
        let middle = region.start + first;
        self.labels.push(middle);
        self.region(Region::new(region.start, first, middle), depth + 1);
        self.labels.pop();
        self.region(
            Region::new(middle, region.count - first, region.exit),
            depth + 1,
        );
    }

    fn branches(&mut self, region: Region, depth: usize) {
        let Region { start, count, exit } = region;
        self.steps(start);
        let then = self.random.below(count);
        let middle = start + 1 + then;
        let else_ = if middle < region.end() { middle } else { exit };
        let first = if then > 0 { start + 1 } else { exit };
        self.blocks[start].end = End::Branch(self.test(), first, else_);
        self.labels.push(exit);
        if then > 0 {
            self.region(Region::new(start + 1, then, exit), depth + 1);
        }
        if middle < region.end() {
            self.region(Region::new(middle, region.end() - middle, exit), depth + 1);
        }
        self.labels.pop();
    }

    fn head_loop(&mut self, region: Region, depth: usize) {
        let Region { start, count, exit } = region;
        self.steps(start);
        self.blocks[start].end = End::Branch(self.test(), start + 1, exit);
        self.labels.extend([start, exit]);
        self.region(Region::new(start + 1, count - 1, start), depth + 1);
        self.labels.truncate(self.labels.len() - 2);
    }

    fn tail_loop(&mut self, region: Region, depth: usize) {
        let latch = region.end() - 1;
        self.labels.extend([latch, region.exit]);
        self.region(
            Region::new(region.start, region.count - 1, latch),
            depth + 1,
        );
        self.labels.truncate(self.labels.len() - 2);
        self.steps(latch);
        self.blocks[latch].end = End::Branch(self.test(), region.start, region.exit);
    }

    /// Adds a switch over parts that branch to the end, or fall through to the next.
    fn switch(&mut self, region: Region, depth: usize) {
        let Region { start, exit, .. } = region;
        self.steps(start);
        let mut cases = Vec::new();
        let mut at = start + 1;
        self.labels.push(exit);
        while at < region.end() {
            let count = 1 + self.random.below(region.end() - at);
            let next = at + count;
            let falls = next < region.end() && self.random.percent(30);
            cases.push(at);
            self.region(
                Region::new(at, count, if falls { next } else { exit }),
                depth + 1,
            );
            at = next;
        }
        self.labels.pop();
        self.switch_to(start, &cases, exit);
    }

    /// Lets a block switch to some targets, with the last one as another choice for the default.
    fn switch_to(&mut self, block: usize, targets: &[usize], other: usize) {
        let default = if self.random.percent(50) {
            other
        } else {
            *self.random.pick(targets)
        };
        let mut cases: Vec<(u32, usize)> = targets
            .iter()
            .enumerate()
            .map(|(index, &to)| (index as u32, to))
            .collect();
        if self.random.percent(30) {
            cases.push((
                targets.len() as u32 + self.random.below(4) as u32,
                *self.random.pick(targets),
            ));
        }
        let modulus = self.random.percent(60).then_some(cases.len() as u32 + 1);
        self.blocks[block].end = End::Switch(self.variable(), modulus, default, cases);
    }

    /// Blocks that jump anywhere among themselves.
    fn gotos(&mut self, region: Region) {
        for block in region.start..region.end() {
            self.steps(block);
            let to = |planner: &mut Self| match planner.random.below(10) {
                0..5 => (block + 1 + planner.random.below(3)).min(region.end()),
                5..9 => region.start + planner.random.below(region.count),
                _ => region.end(),
            };
            let target = |planner: &mut Self| {
                let to = to(planner);
                if to == region.end() { region.exit } else { to }
            };
            match self.random.below(10) {
                0..3 => self.blocks[block].end = End::Jump(target(self)),
                3..9 => {
                    self.blocks[block].end = End::Branch(self.test(), target(self), target(self));
                }
                _ => {
                    let targets: Vec<usize> = (0..2 + self.random.below(4))
                        .map(|_| target(self))
                        .collect();
                    let other = target(self);
                    self.switch_to(block, &targets, other);
                }
            }
        }
    }

    /// Adds a dispatcher that switches on the state, and parts that set it and branch back. Jump
    /// threading makes gotos of it.
    fn machine(&mut self, region: Region, depth: usize) {
        let Region { start, exit, .. } = region;
        let mut targets = Vec::new();
        let mut at = start + 1;
        self.labels.extend([start, exit]);
        while at < region.end() {
            let count = 1 + self.random.below((region.end() - at).min(3));
            targets.push(at);
            self.region(Region::new(at, count, start), depth + 1);
            at += count;
        }
        self.labels.truncate(self.labels.len() - 2);
        let states = targets.len() as u32 + 1;
        for &target in &targets {
            let next = Source::Constant(self.random.below(states as usize) as u32);
            let step = if self.random.percent(70) {
                Step::Set(STATE, next)
            } else {
                Step::Choose(STATE, self.test(), next, self.source())
            };
            let place = self.random.below(self.blocks[target].steps.len() + 1);
            self.blocks[target].steps.insert(place, step);
        }
        let cases = targets
            .iter()
            .enumerate()
            .map(|(index, &to)| (index as u32, to))
            .collect();
        self.blocks[start].end = End::Switch(STATE, None, exit, cases);
    }

    /// Duff's device: a switch that enters a loop anywhere.
    fn switch_into_loop(&mut self, region: Region) {
        let Region { start, exit, .. } = region;
        let targets: Vec<usize> = (start + 1..region.end()).collect();
        for &block in &targets {
            self.steps(block);
            self.jump(block, block + 1);
        }
        let last = region.end() - 1;
        self.blocks[last].end = End::Branch(self.test(), start + 1, exit);
        self.steps(start);
        self.switch_to(start, &targets, exit);
    }

    /// Sends one edge to any block but the first.
    fn stray(&mut self) {
        let count = self.blocks.len();
        let block = 1 + self.random.below(count - 2);
        let to = 1 + self.random.below(count - 1);
        let edge = self.random.bits() as usize;
        let mut targets = self.blocks[block].end.targets_mut();
        let edges = targets.len().max(1);
        if let Some(target) = targets.get_mut(edge % edges) {
            **target = to;
        }
    }

    /// Sets the target of each block without fuel, and the terminator of the last block.
    fn finish(&mut self) {
        let count = self.blocks.len();
        let last = count - 1;
        for index in 0..last {
            let later: Vec<usize> = self.blocks[index]
                .end
                .targets()
                .into_iter()
                .filter(|&to| to > index)
                .collect();
            let out = match later.first() {
                Some(&to) => to,
                None => index + 1 + self.random.below((last - index).min(4)),
            };
            self.blocks[index].out = out;
            self.blocks[index].tests_first = self.random.percent(40);
        }
        self.blocks[last].steps = (0..self.variables)
            .map(|variable| Step::Event(1000 + variable as u32, Source::Variable(variable)))
            .collect();
        self.blocks[last].end = End::Return;
    }
}
