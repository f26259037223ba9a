//! The DXIL operations that an entry point calls.

use trellis_dxil::dxbc::read;
use trellis_dxil::frontend::dxop::{Op, Reached};

/// Returns the operations that an entry point calls, itself or in functions that it calls, with the number
/// of calls in the code, sorted by number of the operation. Empty if the input cannot be read; a call that
/// cannot be read is omitted. Both are errors of the conversion, which the report has.
///
/// Without a name, the only entry point is meant.
pub(super) fn of_entry(bytes: &[u8], entry: Option<&str>) -> Vec<(Op, u32)> {
    let Ok(input) = read(bytes) else {
        return Vec::new();
    };
    let exports = input.shader.exports();
    let named = exports
        .iter()
        .find(|(_, name)| entry.is_none_or(|entry| entry == *name));
    named.map_or_else(Vec::new, |(entry, _)| {
        Reached::of(&input.module, entry)
            .calls
            .into_iter()
            .collect()
    })
}
