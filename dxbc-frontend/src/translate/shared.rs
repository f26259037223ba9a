//! Groupshared memory: an array of words for each `g#`.
//!
//! D3D leaves accesses outside of it undefined, and all are aligned to words.

use trellis_dxil_frontend::module::BinaryOp;

use super::Translator;
use crate::build::{Overload, Value};
use crate::error::{Error, ProgramErrorKind};
use crate::tokens::{Declaration, Operand};

/// Most bytes of one `g#`: D3D's limit for all of a shader.
const MAX_BYTES: u64 = 32768;

/// Groupshared memory that was declared.
#[derive(Clone, Copy)]
pub(super) struct Shared {
    /// Address of an array of words.
    array: Value,
    /// Words of a structure; `None` for raw memory.
    stride: Option<u32>,
}

/// Consecutive words of groupshared memory.
#[derive(Clone, Copy)]
pub(super) struct SharedWords {
    array: Value,
    /// Index of the first.
    first: Value,
}

impl Translator<'_> {
    /// Declares groupshared memory; `false` if the declaration is of something else.
    pub(super) fn declare_shared(&mut self, declaration: &Declaration) -> Result<bool, Error> {
        let (id, bytes, stride) = match *declaration {
            Declaration::RawGroupshared { id, size } => (id, u64::from(size), None),
            Declaration::StructuredGroupshared { id, stride, count } => {
                (id, u64::from(stride) * u64::from(count), Some(stride))
            }
            _ => return Ok(false),
        };
        if bytes > MAX_BYTES {
            return Err(self.error(ProgramErrorKind::Limit {
                what: "groupshared memory",
                count: bytes,
                limit: MAX_BYTES,
            }));
        }
        if bytes == 0 || bytes % 4 != 0 || stride.is_some_and(|stride| stride % 4 != 0) {
            return Err(self.invalid("the size is not a multiple of 4 bytes"));
        }
        let ty = self.b.array(self.b.scalar(Overload::I32), bytes / 4);
        let array = self.b.global(&format!("g{id}"), ty, 3, None);
        let stride = stride.map(|stride| stride / 4);
        let shared = Shared { array, stride };
        if self.resources.shared.insert(id, shared).is_some() {
            return Err(self.invalid("the memory is declared twice"));
        }
        Ok(true)
    }

    fn shared(&self, memory: &Operand) -> Result<Shared, Error> {
        let id = memory.register();
        let found = id.and_then(|id| self.resources.shared.get(&id));
        found
            .copied()
            .ok_or_else(|| self.invalid("groupshared memory is not declared"))
    }

    /// Returns the words at an address. `place` has the byte offset, of structured memory after the
    /// number of the structure.
    pub(super) fn shared_words(
        &mut self,
        memory: &Operand,
        place: &[Value],
    ) -> Result<SharedWords, Error> {
        let Shared { array, stride } = self.shared(memory)?;
        let (structure, offset) = match (place, stride) {
            (&[offset, ..], None) => (None, offset),
            (&[index, offset, ..], Some(stride)) => (Some((index, stride)), offset),
            _ => return Err(self.invalid("the address does not fit groupshared memory")),
        };
        let offset = self.divided(offset);
        let first = match structure {
            None => offset,
            Some((index, stride)) => {
                let start = self.multiplied(index, stride);
                self.sum(start, offset)
            }
        };
        Ok(SharedWords { array, first })
    }

    /// Returns the address of a component.
    pub(super) fn shared_word(&mut self, words: SharedWords, component: u8) -> Value {
        let component = self.b.i32(component.into());
        let index = self.sum(words.first, component);
        self.b.element_ptr(words.array, index)
    }

    /// Returns a number of bytes as words.
    fn divided(&mut self, bytes: Value) -> Value {
        match self.b.bits(bytes) {
            Some(bytes) => self.b.i32(bytes as u32 / 4),
            None => {
                let two = self.b.i32(2);
                self.b.binary(BinaryOp::LShr, bytes, two)
            }
        }
    }

    fn multiplied(&mut self, number: Value, by: u32) -> Value {
        match self.b.bits(number) {
            Some(number) => self.b.i32((number as u32).wrapping_mul(by)),
            None if by == 1 => number,
            None => {
                let by = self.b.i32(by);
                self.b.binary(BinaryOp::Mul, number, by)
            }
        }
    }

    fn sum(&mut self, a: Value, b: Value) -> Value {
        match (self.b.bits(a), self.b.bits(b)) {
            (Some(a), Some(b)) => self.b.i32((a as u32).wrapping_add(b as u32)),
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ => self.b.binary(BinaryOp::Add, a, b),
        }
    }
}
