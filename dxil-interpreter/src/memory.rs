//! Pointers to local arrays, groupshared memory, constant tables and the resource variables of
//! libraries, and checked access to the memory that they point to.

use crate::scalar::Scalar;

/// Memory that an address refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Space {
    /// Nothing: the null pointer.
    Null,
    /// A lane's own memory.
    Local,
    /// Memory of the group.
    Shared,
    /// A table that nothing writes.
    Table,
    /// A resource variable of a library: the offset selects an element of an array of
    /// resources.
    Resource,
    /// A record of a node of a work graph.
    Record,
}

/// A pointer as the `u64` of a value: space (4 bits), object (28 bits), byte offset (32 bits). An
/// offset wraps and never leaves its object, so that no access out of bounds reaches another
/// variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pointer(pub(crate) u64);

/// Most objects of a program.
pub(crate) const MAX_OBJECTS: usize = 1 << 28;

impl Pointer {
    /// Returns a pointer to the start of an object.
    pub(crate) fn new(space: Space, object: u32) -> Self {
        let space = match space {
            Space::Null => 0,
            Space::Local => 1,
            Space::Shared => 2,
            Space::Table => 3,
            Space::Resource => 4,
            Space::Record => 5,
        };
        Self(space << 60 | u64::from(object & (MAX_OBJECTS as u32 - 1)) << 32)
    }
    pub(crate) fn space(self) -> Space {
        match self.0 >> 60 {
            1 => Space::Local,
            2 => Space::Shared,
            3 => Space::Table,
            4 => Space::Resource,
            5 => Space::Record,
            _ => Space::Null,
        }
    }
    pub(crate) fn object(self) -> usize {
        (self.0 >> 32) as usize & (MAX_OBJECTS - 1)
    }
    pub(crate) fn offset(self) -> u32 {
        self.0 as u32
    }
    /// Returns the pointer advanced by `bytes`.
    pub(crate) fn add(self, bytes: u64) -> Self {
        Self(self.0 & !0xffff_ffff | u64::from((self.0 as u32).wrapping_add(bytes as u32)))
    }
}

/// Returns the number of up to eight bytes, the lowest first.
pub(crate) fn little_endian(bytes: &[u8]) -> u64 {
    let high_first = bytes.iter().rev();
    high_first.fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Reads a number; 0 if any of its bytes is out of bounds.
pub(crate) fn read(bytes: &[u8], at: u64, ty: Scalar) -> u64 {
    let end = at.saturating_add(u64::from(ty.bytes()));
    let range = usize::try_from(at).ok().zip(usize::try_from(end).ok());
    let bytes = range.and_then(|(at, end)| bytes.get(at..end));
    little_endian(bytes.unwrap_or_default()) & ty.mask()
}

/// Writes a number; nothing if any of its bytes is out of bounds.
pub(crate) fn write(bytes: &mut [u8], at: u64, ty: Scalar, value: u64) {
    let end = at.saturating_add(u64::from(ty.bytes()));
    let Some(range) = usize::try_from(at).ok().zip(usize::try_from(end).ok()) else {
        return;
    };
    if let Some(bytes) = bytes.get_mut(range.0..range.1) {
        bytes.copy_from_slice(&value.to_le_bytes()[..bytes.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_stays_in_its_object() {
        let pointer = Pointer::new(Space::Shared, 7).add(u64::MAX);
        assert_eq!(
            (pointer.space(), pointer.object(), pointer.offset()),
            (Space::Shared, 7, u32::MAX)
        );
        assert_eq!(pointer.add(5), Pointer::new(Space::Shared, 7).add(4));
    }

    #[test]
    fn access_out_of_bounds_reads_zero_and_writes_nothing() {
        let mut bytes = [1, 2, 3, 4, 5];
        assert_eq!(read(&bytes, 1, Scalar::I32), 0x0504_0302);
        assert_eq!(read(&bytes, 2, Scalar::I32), 0);
        assert_eq!(read(&bytes, u64::MAX, Scalar::I64), 0);
        write(&mut bytes, 2, Scalar::I32, u64::MAX);
        assert_eq!(bytes, [1, 2, 3, 4, 5]);
        write(&mut bytes, 3, Scalar::I16, 0x0908);
        assert_eq!(bytes, [1, 2, 3, 8, 9]);
    }
}
