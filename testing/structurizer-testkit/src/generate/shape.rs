//! The bare shape of a graph: how each block ends, before there are instructions and values.

use super::Rng;

/// Terminator of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// To these blocks: one is a branch, two a conditional branch, more a switch (the default
    /// first). A target may be repeated.
    To(Vec<usize>),
    /// A switch: the default, then literals and targets.
    Switch(usize, Vec<(u64, usize)>),
    /// A break branch: the target, then the edge that is never taken.
    Break(usize, usize),
    /// Control returns from the function.
    Return,
    /// The lane is killed.
    Kill,
    /// Control never reaches this.
    Unreachable,
}

impl End {
    /// Returns the targets.
    pub fn targets(&self) -> Vec<usize> {
        match self {
            End::To(targets) => targets.clone(),
            End::Switch(default, cases) => std::iter::once(*default)
                .chain(cases.iter().map(|case| case.1))
                .collect(),
            End::Break(target, stay) => vec![*target, *stay],
            End::Return | End::Kill | End::Unreachable => Vec::new(),
        }
    }

    fn retarget(&mut self, change: impl Fn(usize) -> usize) {
        match self {
            End::To(targets) => {
                for to in targets {
                    *to = change(*to);
                }
            }
            End::Switch(default, cases) => {
                *default = change(*default);
                for case in cases {
                    case.1 = change(case.1);
                }
            }
            End::Break(target, stay) => {
                *target = change(*target);
                *stay = change(*stay);
            }
            End::Return | End::Kill | End::Unreachable => {}
        }
    }
}

/// The shape of a graph; block 0 is the entry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shape {
    /// Terminator of each block.
    pub ends: Vec<End>,
    /// True if a block has no instructions.
    pub empty: Vec<bool>,
}

impl Shape {
    /// Adds a block, with an instruction and for now a return.
    pub fn add(&mut self) -> usize {
        self.ends.push(End::Return);
        self.empty.push(false);
        self.ends.len() - 1
    }

    /// Adds a block without an instruction.
    pub fn add_empty(&mut self) -> usize {
        let block = self.add();
        self.empty[block] = true;
        block
    }

    /// Sets the targets of a block.
    pub fn to(&mut self, block: usize, targets: &[usize]) {
        self.ends[block] = End::To(targets.to_vec());
    }

    /// Returns the number of blocks.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no blocks.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Leads all returns to one block, as LLVM does.
    pub fn merge_returns(&mut self) {
        let merged = self.add_empty();
        for block in 0..merged {
            if self.ends[block] == End::Return {
                self.to(block, &[merged]);
            }
        }
    }

    /// Folds blocks that are empty and only branch on into their predecessors, as compilers do.
    /// They have no predecessors then and are removed.
    pub fn fold_empty(&mut self) {
        let next: Vec<usize> = (0..self.len())
            .map(|block| match &self.ends[block] {
                End::To(targets) if self.empty[block] && targets.len() == 1 && block != 0 => {
                    targets[0]
                }
                _ => block,
            })
            .collect();
        let last = |mut block: usize| {
            // A cycle of empty blocks is an infinite loop and stays.
            for _ in 0..next.len() {
                if next[block] == block {
                    return Some(block);
                }
                block = next[block];
            }
            None
        };
        for end in &mut self.ends {
            end.retarget(|to| last(to).unwrap_or(to));
            if let End::To(targets) = end
                && targets.len() == 2
                && targets[0] == targets[1]
            {
                targets.pop();
            }
        }
        self.remove_unreachable();
    }

    /// Removes blocks that the entry does not reach; the others keep their order. Returns the new
    /// number of each block, [`usize::MAX`] for a removed one.
    pub fn remove_unreachable(&mut self) -> Vec<usize> {
        let mut seen = vec![false; self.len()];
        let mut stack = vec![0];
        while let Some(block) = stack.pop() {
            if !std::mem::replace(&mut seen[block], true) {
                stack.extend(self.ends[block].targets());
            }
        }
        let mut number = vec![usize::MAX; self.len()];
        let mut kept = Shape::default();
        for block in 0..self.len() {
            if seen[block] {
                number[block] = kept.len();
                kept.ends.push(self.ends[block].clone());
                kept.empty.push(self.empty[block]);
            }
        }
        kept.ends
            .iter_mut()
            .for_each(|end| end.retarget(|to| number[to]));
        *self = kept;
        number
    }

    /// Turns a branch somewhere into a conditional branch to somewhere else.
    pub fn add_goto(&mut self, rng: &mut Rng) {
        let (from, to) = (rng.below(self.len()), rng.below(self.len()));
        if let End::To(targets) = &mut self.ends[from] {
            targets.push(to);
        }
    }

    /// Gives the blocks some variety: kills, break branches, switches with literals, empty blocks.
    fn season(&mut self, rng: &mut Rng) {
        for block in 0..self.len() {
            self.empty[block] = rng.chance(25);
            let end = &mut self.ends[block];
            *end = match std::mem::replace(end, End::Return) {
                End::To(targets) if targets.is_empty() => match rng.below(8) {
                    0 => End::Kill,
                    1 => End::Unreachable,
                    _ => End::Return,
                },
                End::To(targets) if targets.len() == 2 && rng.chance(4) => {
                    End::Break(targets[0], targets[1])
                }
                End::To(targets) if targets.len() > 2 || (targets.len() == 2 && rng.chance(5)) => {
                    let mut literal = 0;
                    let cases = targets[1..].iter().map(|&to| {
                        literal += 1 + rng.below(2) as u64;
                        (literal, to)
                    });
                    let cases = cases.collect();
                    End::Switch(targets[0], cases)
                }
                other => other,
            };
        }
    }
}

/// Returns a random graph without any order in it: mostly irreducible.
pub fn random(rng: &mut Rng, blocks: usize) -> Shape {
    // Mostly near targets, so that loops come in all sizes.
    let reach = 2 + rng.below(blocks);
    let exits = 5 + rng.below(20) as u32;
    random_with(rng, blocks, reach, exits)
}

/// Returns such a graph. Most edges lead over fewer than `reach` blocks, of which `exits` in 100 end
/// the invocation.
pub(super) fn random_with(rng: &mut Rng, blocks: usize, reach: usize, exits: u32) -> Shape {
    let mut shape = Shape::default();
    for _ in 0..blocks {
        shape.add();
    }
    for block in 0..blocks {
        let degree = match rng.below(100) {
            n if n < exits as usize => 0,
            n if n < 45 => 1,
            n if n < 93 => 2,
            _ => 3 + rng.below(3),
        };
        let mut targets: Vec<usize> = Vec::new();
        for edge in 0..degree {
            let to = match rng.below(10) {
                0 => rng.below(blocks),
                1 | 2 => block.saturating_sub(rng.below(reach)),
                _ => (block + 1 + rng.below(reach)).min(blocks - 1),
            };
            // The first edge forwards keeps most blocks reachable.
            targets.push(if edge == 0 && block + 1 < blocks && rng.chance(60) {
                block + 1
            } else {
                to
            });
        }
        shape.to(block, &targets);
    }
    shape.season(rng);
    shape
}

/// Returns a random reducible graph: the inverses of Hecht and Ullman's T1 and T2, so that every
/// reducible graph can come out.
pub fn random_reducible(rng: &mut Rng, blocks: usize) -> Shape {
    let loops = rng.below(30) as u32;
    let wide = rng.chance(30);
    random_reducible_with(rng, blocks, loops, wide)
}

/// Returns such a graph. Of 100 steps `loops` try to add a loop; blocks have up to 5 successors if it
/// is `wide`, else 2.
pub(super) fn random_reducible_with(rng: &mut Rng, blocks: usize, loops: u32, wide: bool) -> Shape {
    let mut targets: Vec<Vec<usize>> = vec![Vec::new()];
    while targets.len() < blocks {
        let block = rng.below(targets.len());
        let degree = if wide && rng.chance(20) { 5 } else { 2 };
        if rng.chance(loops) && !targets[block].contains(&block) && targets[block].len() < degree {
            targets[block].push(block);
        }
        // Split: the new block has the old one as only predecessor; each edge moves, stays, or is
        // doubled.
        let new = targets.len();
        let mut stay = Vec::new();
        let mut along = Vec::new();
        for to in std::mem::take(&mut targets[block]) {
            match rng.below(5) {
                0 | 1 => along.push(to),
                2 if stay.len() + 1 < degree => {
                    stay.push(to);
                    along.push(to);
                }
                _ if stay.len() + 1 < degree => stay.push(to),
                _ => along.push(to),
            }
        }
        stay.insert(rng.below(stay.len() + 1), new);
        targets[block] = stay;
        targets.push(along);
    }
    let mut shape = Shape::default();
    for targets in targets {
        let block = shape.add();
        shape.to(block, &targets);
    }
    shape.season(rng);
    shape
}
