//! The interface's types, as C has them: numbers, structs and callbacks of API 2.68.
//!
//! Enumerations are numbers, since a caller may pass any. Tests compare the sizes, offsets and numbers
//! with a C compiler's.

#![expect(
    missing_docs,
    reason = "the interface's own names; its header documents them"
)]

/// Declares structs, and for the tests a function that has the fields of all of them.
macro_rules! structs {
    ($list:ident: $(
        $(#[$meta:meta])*
        $name:ident { $($(#[$doc:meta])* $field:ident: $ty:ty),+ $(,)? }
    )+) => {
        $(
            #[repr(C)]
            #[derive(Clone, Copy, Debug)]
            $(#[$meta])*
            pub struct $name {
                $($(#[$doc])* pub $field: $ty,)+
            }
        )+

        /// Calls a function with the name, the size and the alignment of each struct, and the names and
        /// the offsets of its fields.
        #[cfg(test)]
        pub(super) fn $list(mut each: impl FnMut(&str, [usize; 2], &[(&str, usize)])) {
            $(each(
                stringify!($name),
                [size_of::<$name>(), align_of::<$name>()],
                &[$((stringify!($field), std::mem::offset_of!($name, $field))),+],
            );)+
        }
    };
}

mod numbers;
mod options;
mod structs;
#[cfg(test)]
mod tests;

pub use numbers::*;
pub use options::*;
pub use structs::*;
