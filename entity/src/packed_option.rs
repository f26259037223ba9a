//! Optional entities without a tag.

use core::fmt;

use crate::ReservedValue;

/// An `Option<T>` of the size of `T`: the reserved value of `T` means none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedOption<T: ReservedValue>(T);

impl<T: ReservedValue> PackedOption<T> {
    /// Returns the ordinary option.
    #[inline]
    pub fn expand(self) -> Option<T> {
        if self.is_none() { None } else { Some(self.0) }
    }

    /// Returns whether there is no entity.
    #[inline]
    pub fn is_none(&self) -> bool {
        self.0.is_reserved_value()
    }

    /// Returns whether there is an entity.
    #[inline]
    pub fn is_some(&self) -> bool {
        !self.is_none()
    }

    /// Takes the entity out of the option, which is `None` then.
    #[inline]
    pub fn take(&mut self) -> Option<T> {
        core::mem::take(self).expand()
    }
}

impl<T: ReservedValue> Default for PackedOption<T> {
    #[inline]
    fn default() -> Self {
        Self(T::reserved_value())
    }
}

impl<T: ReservedValue> From<T> for PackedOption<T> {
    #[inline]
    fn from(entity: T) -> Self {
        debug_assert!(
            !entity.is_reserved_value(),
            "the reserved value as an entity"
        );
        Self(entity)
    }
}

impl<T: ReservedValue> From<Option<T>> for PackedOption<T> {
    #[inline]
    fn from(option: Option<T>) -> Self {
        option.map_or_else(Self::default, Self::from)
    }
}

impl<T: ReservedValue> From<PackedOption<T>> for Option<T> {
    #[inline]
    fn from(option: PackedOption<T>) -> Self {
        option.expand()
    }
}

impl<T: ReservedValue + fmt::Debug> fmt::Debug for PackedOption<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.expand() {
            Some(entity) => write!(f, "Some({entity:?})"),
            None => f.write_str("None"),
        }
    }
}
