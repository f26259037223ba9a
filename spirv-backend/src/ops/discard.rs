//! `discard`. `lower.rs` made its condition into control flow; what is left is the lane's end as a
//! visible one.

use rspirv::spirv::{Capability, Op};

use crate::values::FunctionBuilder;

/// The lane that gets here becomes a helper: it computes on for its quad, but writes nothing.
pub(crate) fn demote(e: &mut FunctionBuilder<'_>) {
    e.b.caps.add(Capability::DemoteToHelperInvocation);
    e.b.op_void_words(Op::DemoteToHelperInvocation, &[]);
}
