//! `discard`. Lowering has turned its condition into control flow; this emits the demotion of the
//! invocation to a helper invocation.

use crate::ops::Emitter;
use rspirv::spirv::{Capability, Op};

/// Emits the demotion of an invocation to a helper invocation: it continues to compute for its
/// quad, but writes nothing.
pub(crate) fn demote(e: &mut Emitter<'_>) {
    e.b.caps.add(Capability::DemoteToHelperInvocation);
    e.b.op_void(Op::DemoteToHelperInvocation, &[]);
}
