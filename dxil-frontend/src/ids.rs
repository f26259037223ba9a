//! The numbers by which the parts of a module refer to each other.

use std::ops::Range;

use trellis_entity::entity_impl;

/// A name: without an allocation up to 23 bytes, which nearly all are.
pub type Name = smol_str::SmolStr;

/// An LLVM type in [`Module::types`](crate::module::Module::types).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct TypeId(u32);
entity_impl!(TypeId, "ty");

/// A value number: below [`Module::values`](crate::module::Module::values)`.len()` module-level, from there on local to a
/// function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ValueId(u32);
entity_impl!(ValueId, "v");

/// A global variable in [`Module::globals`](crate::module::Module::globals).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(u32);
entity_impl!(GlobalId, "global");

/// A function (definition or declaration) in [`Module::functions`](crate::module::Module::functions).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(u32);
entity_impl!(FunctionId, "fn");

/// A constant in [`Module::constants`](crate::module::Module::constants); function-local constants live there too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstId(u32);
entity_impl!(ConstId, "const");

/// A basic block of one function; the entry is block 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(u32);
entity_impl!(BlockId, "bb");

/// An instruction of one function, in program order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstId(u32);
entity_impl!(InstId, "inst");

/// A range of a pool of `u32`-like entries (operands, elements, cases); `start..end` are pool
/// indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct PoolRange {
    /// First entry.
    pub start: u32,
    /// One past the last entry.
    pub end: u32,
}

impl PoolRange {
    /// Returns the range of these indices.
    pub(crate) const fn new(start: usize, end: usize) -> Self {
        Self {
            start: start as u32,
            end: end as u32,
        }
    }
    /// Returns the range as `usize` indices.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
    /// Returns the number of entries.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }
    /// Returns whether the range is empty.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// A metadata entry in [`Metadata::nodes`](crate::metadata::Metadata::nodes); module-level entries come first, function-local ones
/// after.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MdId(u32);
entity_impl!(MdId, "!");
