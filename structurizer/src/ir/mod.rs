//! The input and output of the structurizer: a function as a graph of blocks.
//!
//! Everything is a dense index into pools that [`Function`] owns: [`Block`], [`Inst`], [`Value`].
//! Instructions are opaque: the structurizer sees uses, results, a client's `payload` and
//! [`Effects`], and does not depend on the semantics of instructions.

mod function;
mod terminator;

use trellis_entity::entity_impl;

pub use function::{Function, Insts, PhiOperand, PhiOperands, Phis, Results};
pub use terminator::{Case, CaseRange, LoopHint, SelectionHint, Successors, Terminator};

/// A basic block: phis, instructions and one [`Terminator`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block(u32);
entity_impl!(Block, "b");

/// An instruction that is neither a phi nor a terminator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Inst(u32);
entity_impl!(Inst, "i");

/// An SSA value: a constant, an undefined value, a phi, or an instruction's result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(u32);
entity_impl!(Value, "v");

/// A type, as an id of the client's: the structurizer only copies it to the phis it inserts.
///
/// The two highest ids are reserved for the values that the structurizer makes itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Type(pub u32);

impl Type {
    /// The type of selectors: an unsigned integer of 32 bits.
    pub const SELECTOR: Type = Type(u32::MAX);
    /// The type of selector tests: a boolean.
    pub const BOOL: Type = Type(u32::MAX - 1);
}

/// The effects of an instruction in addition to computing its results.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Effects(u8);

impl Effects {
    /// No effect at all.
    pub const NONE: Effects = Effects(0);
    /// Its execution is observable: a store, an atomic, a kill flag.
    pub const SIDE_EFFECT: Effects = Effects(1);
    /// Its result depends on which invocations run it together: derivatives, implicit-LOD samples,
    /// wave and quad operations, barriers. Those are the invocations in the same iteration of each
    /// natural loop around it, and of loops to whose convergence regions the block belongs
    /// ([`Function::set_convergence_region`]).
    pub const CONVERGENT: Effects = Effects(2);
    /// It reads memory that other instructions may write.
    pub const READS_MEMORY: Effects = Effects(4);

    /// Returns the effects of both sets.
    #[must_use]
    pub const fn union(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }

    /// Returns whether every effect of `other` is in this set.
    pub const fn contains(self, other: Effects) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the set as bits, stable for the text form.
    pub const fn bits(self) -> u8 {
        self.0
    }
}

impl core::ops::BitOr for Effects {
    type Output = Effects;
    fn bitor(self, rhs: Effects) -> Effects {
        self.union(rhs)
    }
}

impl core::ops::BitOrAssign for Effects {
    fn bitor_assign(&mut self, rhs: Effects) {
        *self = self.union(rhs);
    }
}

/// The kind of an [`Inst`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InstKind {
    /// An instruction of the client's, with the payload given to [`Function::append_inst`].
    Client(u32),
    /// A comparison that the structurizer inserted. Its one use is a value of type
    /// [`Type::SELECTOR`], its one result has [`Type::BOOL`]: `result = use OP constant`.
    SelectorTest {
        /// The comparison, unsigned.
        op: SelectorOp,
        /// The right-hand side.
        constant: u32,
    },
    /// A choice between two values that the structurizer inserted in place of a selection
    /// ([`Target::selects`](crate::Target::selects)). Its three uses are the condition, the value if
    /// that is true, and the value if it is false; its one result has the type of the values.
    Select,
}

/// The comparison of a [`InstKind::SelectorTest`], over unsigned integers of 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SelectorOp {
    /// `selector <= constant`
    LessEqual,
    /// `selector == constant`
    Equal,
}

/// The definition of a [`Value`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValueKind {
    /// Defined everywhere: a constant, an argument, a global. The payload is the client's.
    Constant {
        /// The client's own id.
        payload: u32,
    },
    /// An integer constant of type [`Type::SELECTOR`] that the structurizer made.
    SelectorConstant(u32),
    /// A boolean constant that the structurizer made, of the type of the conditions it is used with.
    BoolConstant(bool),
    /// An undefined value.
    Undef,
    /// A phi at the start of this block.
    Phi(Block),
    /// Result number `index` of an instruction.
    Result {
        /// The instruction.
        inst: Inst,
        /// The index among its results.
        index: u32,
    },
}
