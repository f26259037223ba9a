//! Ids that may be missing.

use std::num::NonZero;

use rspirv::spirv::Word;

/// An optional SPIR-V id of the size of an id, as 0 is never one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct OptionalId(Option<NonZero<Word>>);

impl OptionalId {
    /// No id.
    pub(crate) const NONE: Self = Self(None);

    /// Returns the ordinary option.
    #[inline]
    pub(crate) fn expand(self) -> Option<Word> {
        self.0.map(NonZero::get)
    }
}

impl From<Word> for OptionalId {
    #[inline]
    fn from(id: Word) -> Self {
        debug_assert!(id != 0, "0 as an id");
        Self(NonZero::new(id))
    }
}
