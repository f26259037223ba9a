//! Descriptors.

/// Variables of the resources in use.
#[derive(Default)]
pub(crate) struct Resources {}
