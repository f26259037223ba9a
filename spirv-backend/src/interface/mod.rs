//! Stage inputs and outputs.

/// Variables of the stage interface.
#[derive(Default)]
pub(crate) struct Interface {}
