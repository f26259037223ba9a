//! Images whose texels atomic operations access as other numbers than declared.

use trellis_dxil_frontend::module::ValueId;

/// A descriptor of an image, as far as it is known before the code is emitted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum ViewKey {
    /// The descriptors of a declared range, by its number.
    Range(usize),
    /// A descriptor of the heap with a constant index.
    HeapEntry(u64),
    /// A descriptor of the heap, by the value of the index.
    HeapValue {
        /// The function.
        function: ValueId,
        /// The index.
        index: ValueId,
    },
}

/// The images of a shader whose texels differ from their declarations, each list sorted.
#[derive(Default, Debug)]
pub(crate) struct AtomicViews {
    /// Of the heap, declared as pairs of words, with atomic operations on 64 bits.
    pub(crate) wide: Vec<ViewKey>,
    /// Declared as floats, with a compare-exchange of their bits.
    pub(crate) words: Vec<ViewKey>,
}
