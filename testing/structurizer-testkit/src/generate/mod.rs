//! Seeded random graphs, random structured programs, and families of a given size: the inputs of
//! the tests, the benches and the stress command.

mod breaks;
mod dominators;
mod families;
mod fill;
mod program;
mod regions;
mod shape;

use trellis_structurizer::ir::{Effects, Function};

pub use breaks::random_breaks;
pub use families::{Family, Values};
pub use fill::{FillOptions, fill, mark_uniform, plain};
pub use program::{Program, ProgramOptions, Statement};
pub use regions::mark_regions;
pub use shape::{End, Shape, random, random_reducible};

/// A small generator of random numbers (splitmix64): the same seed, the same numbers, for ever.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Creates a generator from a seed.
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// Returns the next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Returns a number below `bound`; 0 if that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (((self.next_u64() >> 32) * bound as u64) >> 32) as usize
    }

    /// Returns true in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent as usize
    }
}

/// Returns the maximum size of the graph of a seed, at most `max_blocks`. Most are small, since
/// small graphs are quick and find most bugs.
pub fn mixed_size(seed: u64, max_blocks: usize) -> usize {
    if seed.is_multiple_of(4) {
        max_blocks
    } else {
        max_blocks.min(4 + (seed % 16) as usize)
    }
}

/// Returns the graph of a seed as the tests and the stress command make them: a mix of structured,
/// reducible and irreducible graphs of `2..=max_blocks` blocks, with switches, kills, break
/// branches, unreachable blocks, phis, values that live across blocks, uniform terminators, and
/// convergence regions.
pub fn random_function(seed: u64, max_blocks: usize) -> Function {
    let mut rng = Rng::new(seed);
    let blocks = 2 + rng.below(max_blocks.max(3) - 2);
    let shape = match rng.below(8) {
        0 | 1 => random(&mut rng, blocks),
        2..=4 => random_reducible(&mut rng, blocks),
        kind => {
            // A structured program, unchanged, with empty blocks folded, or with gotos added.
            let options = ProgramOptions {
                statements: blocks / 2,
                multi_level: rng.chance(50),
                ..ProgramOptions::default()
            };
            let mut shape = Program::random(&mut rng, &options).lower();
            if kind >= 6 {
                shape.fold_empty();
            }
            if kind == 7 {
                for _ in 0..=rng.below(2) {
                    shape.add_goto(&mut rng);
                }
            }
            shape
        }
    };
    let options = FillOptions {
        // Values that other blocks use are in the way of copies.
        plain: seed % 12 == 6,
        plain_effects: Effects::SIDE_EFFECT | Effects::CONVERGENT,
        ..FillOptions::default()
    };
    let mut func = fill(&shape, &mut rng, &options);
    // Half of those whose blocks may be copied: uniform branches matter for copies of convergent
    // blocks, and for convergent exits of loops.
    if seed.is_multiple_of(6) {
        let percent = [30, 80, 100][rng.below(3)];
        mark_uniform(&mut func, &mut rng, percent);
    }
    if seed % 5 == 4 {
        let percent = [10, 40, 100][rng.below(3)];
        mark_regions(&mut func, &mut rng, percent);
    }
    func
}
