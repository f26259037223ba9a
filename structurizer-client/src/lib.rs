//! Structures the control flow of a compiler's own IR.
//!
//! A client implements a trait over its graph and gets [`Edits`]: for each block of the result its
//! terminator, merge instruction and whatever else changes. No function is copied, and instructions
//! stay the client's.
//!
//! | tier | the client | the result also has |
//! |---|---|---|
//! | [`structurize`] | has variables: implements [`ControlFlow`] | assignments to variables for selectors |
//! | [`structurize_ssa`] | is in SSA form: implements [`Ssa`], too | phis, and the uses that read other values |
//!
//! Blocks have numbers below [`ControlFlow::num_blocks`], and 0 is the entry; new blocks have higher
//! numbers, perhaps with gaps. Values are any numbers of the client's. Each method is called at most
//! once per block that the entry reaches, so that answers cannot contradict each other later. A graph
//! that is not well formed is an [`Error`].
//!
//! Options are as in `trellis-structurizer`, except that results have no selects
//! ([`Target::selects`](trellis_structurizer::Target::selects)), and without SSA the stage
//! `conditions` does not run: a block decides by its own condition only.
//!
//! # Examples
//!
//! A loop with two exits whose code is in variables, for WGSL:
//!
//! ```
//! use trellis_structurizer::{Options, Target, ir::Block};
//! use trellis_structurizer_client::{ControlFlow, Terminator, structurize};
//!
//! /// The successors of each block; the condition of a branch has the number of its block.
//! struct Graph(Vec<Vec<u32>>);
//!
//! impl ControlFlow for Graph {
//!     fn num_blocks(&self) -> usize {
//!         self.0.len()
//!     }
//!     fn terminator(&self, block: Block) -> Terminator<u32> {
//!         let to = |i: usize| Block::from_u32(self.0[block.as_u32() as usize][i]);
//!         match self.0[block.as_u32() as usize].len() {
//!             0 => Terminator::Return(None),
//!             1 => Terminator::Goto(to(0)),
//!             _ => Terminator::Branch { condition: block.as_u32(), then: to(0), else_: to(1) },
//!         }
//!     }
//! }
//!
//! let graph = Graph(vec![vec![1], vec![2, 4], vec![3, 5], vec![1], vec![6], vec![6], vec![]]);
//! let edits = structurize(&graph, &Options::default().with_target(Target::WGSL))?;
//! for edit in &edits.blocks {
//!     println!("{}: {:?}, then {:?} {:?}", edit.block, edit.assignments, edit.merge, edit.terminator);
//! }
//! println!("{}", edits.tree());
//! # assert_eq!(edits.tree().to_string().matches("loop {").count(), 1);
//! # Ok::<(), trellis_structurizer_client::Error>(())
//! ```

#![no_std]

extern crate alloc;

mod edits;
mod error;
mod lower;
mod regions;

use alloc::vec::Vec;

pub use trellis_structurizer::Options;
use trellis_structurizer::Stage;
use trellis_structurizer::ir::{Block, Effects, LoopHint, SelectionHint, Type};

pub use edits::{Assignment, BlockEdit, Edits, Phi, Value};
pub use error::Error;
use lower::Lowered;

/// The end of a block, with values of the type `V`: the client's numbers in its graph, and
/// [`Value`]s in the result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Terminator<V> {
    /// Control continues in one block.
    Goto(Block),
    /// Control continues in one of two blocks.
    Branch {
        /// A boolean. Without SSA the block computes it, and no other one reads it.
        condition: V,
        /// The target if it is true.
        then: Block,
        /// The target if it is false.
        else_: Block,
    },
    /// Control continues in the case with the literal that a value has, else in `default`.
    Switch {
        /// An integer. Without SSA the block computes it, and no other one reads it.
        value: V,
        /// The target if no literal matches.
        default: Block,
        /// Literals, zero-extended from the width of the value, with their targets.
        cases: Vec<(u64, Block)>,
    },
    /// The invocation returns from the function.
    Return(Option<V>),
    /// The invocation is terminated in the client's way with this number. Values that it reads are
    /// [uses](Ssa::uses) of the block.
    Exit(u32),
    /// Control never reaches this.
    Unreachable,
}

/// A client's control-flow graph. The entry is block 0.
pub trait ControlFlow {
    /// Returns the number of blocks.
    fn num_blocks(&self) -> usize;

    /// Returns the terminator of a block.
    fn terminator(&self, block: Block) -> Terminator<u32>;

    /// Returns the combined effects of a block's instructions.
    /// [`Effects::NONE`] for a block without instructions, which may be removed or copied.
    fn effects(&self, block: Block) -> Effects {
        let _ = block;
        Effects::SIDE_EFFECT
    }

    /// Returns how many instructions a block has, for
    /// [`Options::max_break_path`].
    fn size(&self, block: Block) -> u32 {
        let _ = block;
        1
    }

    /// Returns whether all invocations that run a block together leave it by the same edge. See
    /// [`set_uniform`](trellis_structurizer::ir::Function::set_uniform).
    fn is_uniform(&self, block: Block) -> bool {
        let _ = block;
        false
    }

    /// Returns the header of the loop to whose convergence region a block belongs, if it leaves that
    /// loop. See
    /// [`set_convergence_region`](trellis_structurizer::ir::Function::set_convergence_region).
    fn convergence_region(&self, block: Block) -> Option<Block> {
        let _ = block;
        None
    }

    /// Returns the merge block that the input declares for the loop with this header, in a client
    /// whose input has structure (`OpLoopMerge`). Convergent blocks of such a construct that leave the
    /// loop run with the invocations of one iteration, as if [`convergence_region`] had the header.
    /// Declarations may be wrong.
    ///
    /// [`convergence_region`]: Self::convergence_region
    fn loop_merge(&self, header: Block) -> Option<Block> {
        let _ = header;
        None
    }

    /// Returns the hint of the source for the loop with this header.
    fn loop_hint(&self, header: Block) -> LoopHint {
        let _ = header;
        LoopHint::None
    }

    /// Returns the hint of the source for the selection of a block's branch or switch.
    fn selection_hint(&self, block: Block) -> SelectionHint {
        let _ = block;
        SelectionHint::None
    }
}

/// A client's graph in SSA form: the values that blocks define and use. A value that no block
/// defines is defined everywhere, as constants and arguments are. The order inside of a block is the
/// client's affair.
pub trait Ssa: ControlFlow {
    /// Returns the phis of a block: each the value that it defines, and one operand per predecessor,
    /// with the block that control comes from. Operands for predecessors that the entry does not
    /// reach are ignored.
    fn phis(&self, block: Block) -> Vec<(u32, Vec<(Block, u32)>)>;

    /// Returns the values that the instructions of a block define, at least those that a terminator, a
    /// phi or another block reads.
    fn definitions(&self, block: Block) -> Vec<u32>;

    /// Returns the values that the instructions of a block read: at least those that other blocks and
    /// phis define.
    fn uses(&self, block: Block) -> Vec<u32>;

    /// Returns the type of a value.
    fn ty(&self, value: u32) -> Type;
}

/// Structures a graph whose code is in variables.
///
/// # Errors
/// See [`Error`]. Each well-formed graph within the limits of the options has a result.
pub fn structurize(client: &dyn ControlFlow, options: &Options) -> Result<Edits, Error> {
    let stages = options.stages.without(Stage::Conditions);
    let options = options.clone().with_stages(stages);
    let (lowered, structured) = Lowered::of(client, None, &options)?.structurize(&options)?;
    Ok(edits::with_variables(lowered, structured))
}

/// Structures a graph in SSA form.
///
/// # Errors
/// See [`Error`]. Each well-formed graph within the limits of the options has a result.
///
/// # Examples
/// ```
/// # use trellis_structurizer::ir::{Block, Type};
/// # use trellis_structurizer_client::{ControlFlow, Options, Ssa, Terminator, structurize_ssa};
/// /// Block 0 computes value 7 and branches on it to 1 or 2; both lead to 3, which returns a phi.
/// struct Choice;
///
/// impl ControlFlow for Choice {
///     fn num_blocks(&self) -> usize {
///         4
///     }
///     fn terminator(&self, block: Block) -> Terminator<u32> {
///         let [then, else_, end] = [1, 2, 3].map(Block::from_u32);
///         match block.as_u32() {
///             0 => Terminator::Branch { condition: 7, then, else_ },
///             1 | 2 => Terminator::Goto(end),
///             _ => Terminator::Return(Some(8)),
///         }
///     }
/// }
///
/// impl Ssa for Choice {
///     fn phis(&self, block: Block) -> Vec<(u32, Vec<(Block, u32)>)> {
///         let operands = vec![(Block::from_u32(1), 100), (Block::from_u32(2), 101)];
///         if block.as_u32() == 3 { vec![(8, operands)] } else { Vec::new() }
///     }
///     fn definitions(&self, block: Block) -> Vec<u32> {
///         if block.as_u32() == 0 { vec![7] } else { Vec::new() }
///     }
///     fn uses(&self, _: Block) -> Vec<u32> {
///         Vec::new()
///     }
///     fn ty(&self, value: u32) -> Type {
///         Type(u32::from(value == 7))
///     }
/// }
///
/// let edits = structurize_ssa(&Choice, &Options::default())?;
/// assert_eq!(edits.blocks.last().map(|edit| edit.phis.len()), Some(1));
/// # Ok::<(), trellis_structurizer_client::Error>(())
/// ```
pub fn structurize_ssa(client: &dyn Ssa, options: &Options) -> Result<Edits, Error> {
    let (lowered, structured) = Lowered::of(client, Some(client), options)?.structurize(options)?;
    Ok(edits::with_phis(lowered, structured))
}

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
