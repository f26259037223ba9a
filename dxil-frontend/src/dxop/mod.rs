//! The `dx.op` operations.
//!
//! `build.rs` generates from `data/dx_ops.csv`
//! - [`Op`], all operations, with the facts about each ([`OpInfo`], [`TABLE`]);
//! - for each value of the column `family` an enum ([`MathOp`], [`WaveOp`], …), and [`FamilyOp`],
//!   which [`Op::classify`] returns. A consumer dispatches by one exhaustive `match` over families
//!   and one over the operations of each family, so that a new row of the table does not compile
//!   until every consumer handles it.
//!
//! [`DxCall`] reads a call. A DXIL operation is a call of a declared function
//! `@dx.op.<class>.<overload>` whose first argument is the constant opcode:
//!
//! ```text
//! %5 = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 0, i8 0, i32 undef)  ; LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)
//! ```
//!
//! # Examples
//!
//! ```
//! use trellis_dxil_frontend::dxop::{FamilyOp, Op, WaveOp};
//!
//! let op = Op::from_code(113).expect("an opcode of the table");
//! assert_eq!(op.name(), "WaveAnyTrue");
//! assert_eq!(op.classify(), FamilyOp::Wave(WaveOp::WaveAnyTrue));
//! ```

mod call;
mod info;
mod reached;
mod signature;

use std::fmt;

pub use crate::error::{DxOpError, DxOpErrorKind};
pub use call::{DxCall, DxDeclarations, PREFIX, is_dx_op};
pub use info::{Effects, OpInfo, Param, ParamType, Stages};
pub use reached::Reached;

use crate::kinds::Version;

include!(concat!(env!("OUT_DIR"), "/dxop_table.rs"));
include!(concat!(env!("OUT_DIR"), "/dxop_families.rs"));

impl Op {
    /// Returns the operation with this opcode.
    #[inline]
    pub fn from_code(code: u32) -> Option<Self> {
        let index = if code < CORE_OPS {
            code
        } else if code >= 1 << 31 {
            (code - (1 << 31)).checked_add(CORE_OPS)?
        } else {
            return None;
        };
        ALL_OPS.get(index as usize).copied()
    }
    /// Facts about the operation.
    #[inline]
    pub fn info(self) -> &'static OpInfo {
        // `TABLE` has an entry for each variant: both are generated from the same rows.
        &TABLE[self as usize]
    }
    /// DXIL's opcode.
    pub fn code(self) -> u32 {
        self.info().code
    }
    /// DXIL's name.
    pub fn name(self) -> &'static str {
        self.info().name
    }
    /// Effects.
    pub fn effects(self) -> Effects {
        self.info().effects
    }
}

/// Writes DXIL's name.
impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
