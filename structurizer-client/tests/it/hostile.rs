//! Clients with nonsensical answers get an error, or a result if the answers happen to be valid.

use std::cell::RefCell;

use structurizer_testkit::generate::Rng;
use trellis_structurizer::CheckError;
use trellis_structurizer::ir::{Block, Effects, Type};
use trellis_structurizer_client::{
    ControlFlow, Error, Options, Ssa, Terminator, structurize, structurize_ssa,
};

/// Answers at random.
struct Liar {
    rng: RefCell<Rng>,
    blocks: usize,
    /// How many values and blocks there may be in addition to those that exist.
    more: usize,
}

impl Liar {
    fn below(&self, bound: usize) -> usize {
        self.rng.borrow_mut().below(bound)
    }
    fn block(&self) -> Block {
        Block::from_u32(self.below(self.blocks + self.more) as u32)
    }
    fn value(&self) -> u32 {
        self.below(self.blocks * 4 + self.more) as u32
    }
    fn list<T>(&self, item: impl Fn() -> T) -> Vec<T> {
        (0..self.below(3)).map(|_| item()).collect()
    }
}

impl ControlFlow for Liar {
    fn num_blocks(&self) -> usize {
        self.blocks
    }
    fn terminator(&self, _: Block) -> Terminator<u32> {
        match self.below(7) {
            0 | 1 => Terminator::Goto(self.block()),
            2 | 3 => Terminator::Branch {
                condition: self.value(),
                then: self.block(),
                else_: self.block(),
            },
            4 => Terminator::Switch {
                value: self.value(),
                default: self.block(),
                cases: self.list(|| (self.below(4) as u64, self.block())),
            },
            5 => Terminator::Return(Some(self.value())),
            _ => Terminator::Exit(self.value()),
        }
    }
    fn effects(&self, _: Block) -> Effects {
        [Effects::NONE, Effects::SIDE_EFFECT, Effects::CONVERGENT][self.below(3)]
    }
    fn size(&self, _: Block) -> u32 {
        [0, 1, u32::MAX][self.below(3)]
    }
    fn is_uniform(&self, _: Block) -> bool {
        self.below(2) == 0
    }
    fn convergence_region(&self, _: Block) -> Option<Block> {
        (self.below(30) == 0).then(|| self.block())
    }
    fn loop_merge(&self, _: Block) -> Option<Block> {
        (self.below(4) == 0).then(|| self.block())
    }
}

impl Ssa for Liar {
    fn phis(&self, _: Block) -> Vec<(u32, Vec<(Block, u32)>)> {
        if self.below(6) != 0 {
            return Vec::new();
        }
        self.list(|| (self.value(), self.list(|| (self.block(), self.value()))))
    }
    fn definitions(&self, block: Block) -> Vec<u32> {
        match self.below(40) {
            0 => self.list(|| self.value()),
            _ => vec![block.as_u32() * 4],
        }
    }
    fn uses(&self, _: Block) -> Vec<u32> {
        self.list(|| self.value())
    }
    fn ty(&self, value: u32) -> Type {
        Type(value % 2)
    }
}

#[test]
fn contradictions_are_errors() {
    let mut found = [0; 8];
    for seed in 0..30_000 {
        let liar = Liar {
            rng: RefCell::new(Rng::new(seed)),
            blocks: 1 + seed as usize % 7,
            more: usize::from(seed % 5 == 0),
        };
        let options = Options::default().with_max_blocks(64);
        let result = match seed % 3 {
            0 => structurize(&liar, &options),
            _ => structurize_ssa(&liar, &options),
        };
        found[match result {
            Ok(_) => 0,
            Err(Error::DefinedTwice { .. }) => 1,
            Err(Error::NotDominated { .. }) => 2,
            Err(Error::Operand { .. }) => 3,
            Err(Error::OperandType { .. }) => 4,
            Err(Error::RepeatedLiteral { .. }) => 5,
            Err(Error::Structurizer(trellis_structurizer::Error::Malformed(
                CheckError::MissingTarget { .. }
                | CheckError::MissingHeader { .. }
                | CheckError::NotAHeader { .. }
                | CheckError::NotInRegion { .. },
            ))) => 6,
            Err(Error::EntryPhi { .. }) => 7,
            Err(error) => panic!("seed {seed}: {error}"),
        }] += 1;
    }
    assert!(found.iter().all(|&count| count > 20), "{found:?}");
}

/// A client with the given number of blocks.
struct Many(usize);

impl ControlFlow for Many {
    fn num_blocks(&self) -> usize {
        self.0
    }
    fn terminator(&self, block: Block) -> Terminator<u32> {
        Terminator::Goto(block)
    }
}

#[test]
fn sizes_have_limits() {
    let run = |blocks| structurize(&Many(blocks), &Options::default());
    assert!(matches!(
        run(usize::MAX),
        Err(Error::Structurizer(
            trellis_structurizer::Error::TooLarge { .. }
        ))
    ));
    assert!(matches!(
        run(0),
        Err(Error::Structurizer(trellis_structurizer::Error::Malformed(
            CheckError::Empty
        )))
    ));
    assert!(run(1).is_ok());
}
