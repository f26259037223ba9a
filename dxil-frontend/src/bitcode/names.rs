//! Long names, shared with the modules before: shaders declare the same few operations and types,
//! and a name of more than 23 bytes would be an allocation each time.

use crate::module::Name;

use super::fields::text;

/// Number of names that are kept.
const COUNT: usize = 256;
/// Most bytes of a name that is kept.
const LONGEST: usize = 64;
/// Most bytes of its end that its hash is of.
const HASHED: usize = 12;
/// Most bytes of a name without memory of its own.
const INLINE: usize = 23;

/// The last long name of each hash; none before a first module is given back.
#[derive(Default)]
pub(super) struct Names {
    known: Vec<Name>,
}

impl Names {
    /// Keeps names from now on.
    pub(super) fn keep(&mut self) {
        self.known.resize(COUNT, Name::default());
    }

    /// Returns the text of one character a field, as [`text`].
    #[inline]
    pub(super) fn text(&mut self, fields: &[u64]) -> Name {
        if !(INLINE + 1..=LONGEST).contains(&fields.len()) {
            return text(fields);
        }
        // Names differ at their ends as a rule.
        let end = fields.iter().rev().take(HASHED);
        let hash = end.fold(fields.len(), |hash, &field| {
            hash.wrapping_mul(31).wrapping_add(field as usize)
        });
        let slot = self.known.get_mut(hash % COUNT);
        let Some(slot) = slot else {
            return text(fields);
        };
        let is_known = slot.len() == fields.len()
            && (slot.bytes().zip(fields)).all(|(byte, &field)| byte == field as u8);
        if !is_known {
            *slot = text(fields);
        }
        slot.clone()
    }

    /// Returns the most bytes that it keeps: each name with its text and two counts.
    pub(super) fn bytes(&self) -> usize {
        self.known.len() * (size_of::<Name>() + LONGEST + 2 * size_of::<usize>())
    }
}
