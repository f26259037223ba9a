//! Random programs with jumps of all kinds, as plans that are independent of LLVM.
//!
//! A plan has numbered blocks over a few variables. Any block may jump to any other, but a jump to
//! a block that is not after it costs fuel and takes another target once that is spent, so every
//! run ends. `lower` makes an LLVM function of a plan.

mod shapes;

pub use shapes::plan;

/// A random number generator: splitmix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates a generator with a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Returns a number below `end`; 0 if that is 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() >> 16) as usize % end.max(1)
    }

    /// Returns whether something of this probability happens.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns one of a list that is not empty.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// A random program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The blocks; the first is where runs begin, the last one returns.
    pub blocks: Vec<Block>,
    /// Number of variables. The first is the result, the second the state of state machines.
    pub variables: usize,
    /// Maximum number of backward jumps of a run.
    pub fuel: u32,
    /// The assumptions that LLVM may make about the event function and the input.
    pub events: Events,
}

/// The assumptions that LLVM may make about the event function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Events {
    /// It returns and touches no memory that the program sees.
    pub pure: bool,
    /// It depends on the lanes that run together.
    pub convergent: bool,
}

/// A block of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Its operations, in order.
    pub steps: Vec<Step>,
    /// Its target.
    pub end: End,
    /// The target that replaces a jump back once the fuel is spent: a later block.
    pub out: usize,
    /// True if the fuel is tested by a separate branch rather than in the condition.
    pub tests_first: bool,
}

/// A variable's number.
pub type Variable = usize;

/// A variable or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A variable.
    Variable(Variable),
    /// A constant.
    Constant(u32),
}

/// One step of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// `to = from`
    Set(Variable, Source),
    /// `to = a OP b`
    Compute(Variable, Operation, Source, Source),
    /// `to = input[index % INPUTS]`
    Read(Variable, Source),
    /// `event(id, value)`
    Event(u32, Source),
    /// `to = (a COMPARES b) ? c : d`
    Choose(Variable, Test, Source, Source),
}

/// An operation that is defined for all operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift to the left by the lowest five bits.
    Shl,
    /// Unsigned shift to the right by the lowest five bits.
    LShr,
    /// Signed shift to the right by the lowest five bits.
    AShr,
    /// Unsigned quotient by an odd number: the operand with its lowest bit set.
    UDiv,
    /// Unsigned remainder by an odd number.
    URem,
    /// Signed remainder by a constant from 2 to 9.
    SRem,
}

/// A comparison of two sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Test {
    /// The comparison.
    pub predicate: crate::program::Predicate,
    /// Left.
    pub a: Source,
    /// Right.
    pub b: Source,
}

/// The target of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// To one block.
    Jump(usize),
    /// To the first block if the test holds, else to the second.
    Branch(Test, usize, usize),
    /// By a variable, modulo the number if there is one: default and cases. No case has the literal
    /// `u32::MAX`.
    Switch(Variable, Option<u32>, usize, Vec<(u32, usize)>),
    /// Out of the function, with the first variable.
    Return,
}

impl End {
    /// Returns the targets, in order, repeated where an edge is.
    pub fn targets(&self) -> Vec<usize> {
        match self {
            End::Jump(to) => vec![*to],
            End::Branch(_, then, else_) => vec![*then, *else_],
            End::Switch(_, _, default, cases) => std::iter::once(*default)
                .chain(cases.iter().map(|case| case.1))
                .collect(),
            End::Return => Vec::new(),
        }
    }

    /// Returns the targets, to be changed.
    pub fn targets_mut(&mut self) -> Vec<&mut usize> {
        match self {
            End::Jump(to) => vec![to],
            End::Branch(_, then, else_) => vec![then, else_],
            End::Switch(_, _, default, cases) => std::iter::once(default)
                .chain(cases.iter_mut().map(|case| &mut case.1))
                .collect(),
            End::Return => Vec::new(),
        }
    }
}

/// Returns the inputs of `lanes` lanes: small numbers, so that conditions hold now and then, with
/// some large ones among them.
pub fn inputs(seed: u64, lanes: usize) -> Vec<[u32; crate::program::INPUTS]> {
    let mut random = Random::new(seed ^ 0x1a9e5);
    let one = |lane: usize| {
        std::array::from_fn(|_| {
            if random.percent(15) {
                random.bits() as u32
            } else {
                random.below(4 + lane % 9) as u32
            }
        })
    };
    (0..lanes).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_end_and_their_targets_exist() {
        let mut sizes = std::collections::BTreeSet::new();
        for seed in 0..2000 {
            let plan = plan(seed);
            let count = plan.blocks.len();
            sizes.insert(count);
            assert_eq!(plan.blocks[count - 1].end, End::Return, "seed {seed}");
            for (index, block) in plan.blocks.iter().enumerate() {
                assert!(
                    block.end.targets().iter().all(|&to| to > 0 && to < count),
                    "seed {seed}: {block:?}"
                );
                assert!(
                    index == count - 1 || (index < block.out && block.out < count),
                    "seed {seed}: {block:?}"
                );
                if let End::Switch(_, _, _, cases) = &block.end {
                    let mut literals: Vec<u32> = cases.iter().map(|case| case.0).collect();
                    literals.sort_unstable();
                    literals.dedup();
                    assert!(
                        literals.len() == cases.len() && !literals.contains(&u32::MAX),
                        "seed {seed}: {block:?}"
                    );
                }
            }
        }
        assert!(sizes.len() > 20, "{sizes:?}");
    }

    #[test]
    fn a_seed_gives_one_plan() {
        assert_eq!(plan(7), plan(7));
        assert_ne!(plan(7), plan(8));
        assert_eq!(inputs(7, 4), inputs(7, 4));
    }
}
