//! The binding model of the command line: a JSON file.
//!
//! ```json
//! {
//!   "strict": false,
//!   "shifts": { "cbv": 0, "srv": 1000, "uav": 2000, "sampler": 3000, "counter": 4000 },
//!   "heaps": {
//!     "resource": { "set": 0, "binding": 5000 },
//!     "sampler":  { "set": 0, "binding": 6000 },
//!     "counter":  { "set": 0, "binding": 7000 }
//!   },
//!   "free": { "set": 0, "binding": 8000 },
//!   "bindings": [
//!     { "class": "srv", "space": 0, "register": 3, "range": 4, "set": 1, "binding": 7 },
//!     { "class": "cbv", "register": 0, "set": 2, "binding": 0, "kind": "storage_buffer" },
//!     { "class": "uav", "space": 1, "register": 0, "range": "unbounded", "set": 3, "binding": 0 },
//!     { "class": "cbv", "space": 7, "register": 0, "place": { "shader_record": { "offset": 16 } } }
//!   ]
//! }
//! ```
//!
//! An entry has a `class`, a `register`, and either `set` and `binding` or a `place`; every other
//! field may be left out. `class` is `cbv`, `srv`, `uav`, `sampler` or `counter` (the hidden
//! counter of the UAV at that register). An entry covers `range` registers (1 when not given);
//! register `r` gets binding `binding + (r - register)`, and an array of registers to one binding,
//! its first register's. `kind` is `uniform_buffer`, `storage_buffer`, `uniform_texel_buffer`,
//! `storage_texel_buffer`, `sampled_image`, `storage_image`, `sampler`, `acceleration_structure` or
//! `device_address` (a storage buffer of addresses). A `place` is one of [`Place`]:
//! `{ "shader_record": { "offset": 16 } }` are constants of a ray tracing shader's record in the
//! shader table, at this offset in bytes after the identifier;
//! `{ "root_constants": { "offset": 4 } }` are root constants;
//! `{ "device_address": { "root_descriptor": 0 } }` is a root descriptor, the first of the entry's
//! registers; `{ "heap": { "set": 0, "binding": 0, "offset": 8, "root_constant": 2 } }` is a part
//! of a descriptor heap, where register `r` has index `offset + (r - register)` plus the value of
//! that root constant. `offsets` names the buffer of offsets of a heap's buffers
//! ([`OffsetLayout`](super::OffsetLayout)); a heap may have it, and a `kind`, too. A resource
//! without an entry gets set = space and binding = register + the shift of its class; with `strict`
//! it is an error. Resources that have no register, or whose register plus shift exceeds 32 bits,
//! get the bindings from `free` on that no other has.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use trellis_dxil_frontend::shader::{ResourceClass, UNBOUNDED};

use super::{
    Binding, BindingError, BindingModel, DefaultBindings, DescriptorKind, FreeBindings,
    HeapBinding, HeapPlace, HeapQuery, Place, ResourceQuery,
};

/// Why a binding file cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BindingFileError {
    /// No JSON, or not of the form that [`BindingFile`] describes.
    #[error("the binding file cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// An entry covers no register, or leaves the 32 bits of register or binding numbers.
    #[error(
        "entry {index} of `bindings` covers registers {register} to {register} + {range}, bindings from {binding}: expected at least one, below 2^32"
    )]
    Range {
        /// Entry, from 0.
        index: usize,
        /// First register.
        register: u32,
        /// Number of registers.
        range: u32,
        /// First binding.
        binding: u32,
    },
    /// An entry has two locations of its resource, or none.
    #[error("entry {index} of `bindings` needs either `set` and `binding` or `place`")]
    Place {
        /// Entry, from 0.
        index: usize,
    },
    /// Two entries cover the same register.
    #[error(
        "entries {first} and {second} of `bindings` cover the same register {register} of space {space}"
    )]
    Overlap {
        /// One entry, from 0.
        first: usize,
        /// The other.
        second: usize,
        /// A register of both.
        register: u32,
        /// Its space.
        space: u32,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Class {
    Cbv,
    Srv,
    Uav,
    Sampler,
    Counter,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    Unbounded,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum RangeSize {
    Number(u32),
    Word(Word),
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    class: Class,
    #[serde(default)]
    space: u32,
    register: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<RangeSize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    set: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    binding: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<DescriptorKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offsets: Option<HeapBinding>,
}

impl Entry {
    /// Returns where the first register is; `None` if that is said twice, or not at all.
    fn place(&self) -> Option<Place> {
        match (self.place, self.set, self.binding, self.kind) {
            (Some(place), None, None, None) => Some(place),
            (None, Some(set), Some(binding), kind) => {
                Some(Place::Descriptor { set, binding, kind })
            }
            _ => None,
        }
    }
    /// Returns where a register of the entry is.
    fn place_of(&self, register: u32) -> Result<Place, BindingError> {
        let mut place = self.place().ok_or(BindingError::NoEntry)?;
        let register = register - self.register;
        match &mut place {
            Place::Heap { offset, .. } | Place::RecordTable { offset, .. } => {
                let (sum, offset_of_entry) = (offset.checked_add(register), *offset);
                *offset = sum.ok_or(BindingError::HeapOverflow {
                    register,
                    offset: offset_of_entry,
                })?;
            }
            Place::DeviceAddress {
                root_descriptor: number,
            }
            | Place::Descriptor {
                binding: number, ..
            } => {
                let (sum, shift) = (number.checked_add(register), *number);
                *number = sum.ok_or(BindingError::Overflow { register, shift })?;
            }
            _ => {}
        }
        Ok(place)
    }
    fn range(&self) -> u32 {
        match self.range {
            None => 1,
            Some(RangeSize::Number(n)) => n,
            Some(RangeSize::Word(Word::Unbounded)) => UNBOUNDED,
        }
    }
    /// Returns the last register.
    fn last(&self) -> u32 {
        last(self.register, self.range())
    }
}

/// Returns the last register of a range; an unbounded range extends to the last register of all.
fn last(register: u32, range: u32) -> u32 {
    if range == UNBOUNDED {
        u32::MAX
    } else {
        register.saturating_add(range.saturating_sub(1))
    }
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Shifts {
    cbv: Option<u32>,
    srv: Option<u32>,
    uav: Option<u32>,
    sampler: Option<u32>,
    counter: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Heaps {
    resource: Option<HeapEntry>,
    sampler: Option<HeapEntry>,
    counter: Option<HeapEntry>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeapEntry {
    set: u32,
    binding: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<DescriptorKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    offsets: Option<HeapBinding>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Document {
    strict: bool,
    shifts: Shifts,
    heaps: Heaps,
    #[serde(skip_serializing_if = "Option::is_none")]
    free: Option<FreeBindings>,
    bindings: Vec<Entry>,
}

/// A binding model read from JSON; the source of this module shows its form.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Document", into = "Document")]
pub struct BindingFile {
    strict: bool,
    default: DefaultBindings,
    heaps: Heaps,
    /// Sorted by class, space, register.
    entries: Vec<Entry>,
}

impl BindingFile {
    /// Reads the JSON text; absent fields come from `default`.
    pub fn parse(text: &str, default: DefaultBindings) -> Result<Self, BindingFileError> {
        Self::new(serde_json::from_str(text)?, default)
    }

    /// Returns the model of resources that have no entry.
    pub fn default_bindings(&self) -> DefaultBindings {
        self.default
    }

    /// Sets the model of resources that have no entry.
    #[must_use]
    pub fn with_default_bindings(mut self, default: DefaultBindings) -> Self {
        self.default = default;
        self
    }

    fn new(document: Document, default: DefaultBindings) -> Result<Self, BindingFileError> {
        let mut order: Vec<usize> = (0..document.bindings.len()).collect();
        for (index, e) in document.bindings.iter().enumerate() {
            let range = e.range();
            let fits = |start: u32| {
                range == UNBOUNDED
                    || range
                        .checked_sub(1)
                        .is_some_and(|more| start.checked_add(more).is_some())
            };
            let place = e.place().ok_or(BindingFileError::Place { index })?;
            let binding = match place {
                Place::Descriptor { binding, .. } => binding,
                _ => 0,
            };
            if !fits(e.register) || !fits(binding) {
                return Err(BindingFileError::Range {
                    index,
                    register: e.register,
                    range,
                    binding,
                });
            }
        }
        order.sort_by_key(|&i| {
            (
                document.bindings[i].class,
                document.bindings[i].space,
                document.bindings[i].register,
            )
        });
        for pair in order.windows(2) {
            let (a, b) = (&document.bindings[pair[0]], &document.bindings[pair[1]]);
            if a.class == b.class && a.space == b.space && b.register <= a.last() {
                let (first, second) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
                return Err(BindingFileError::Overlap {
                    first,
                    second,
                    register: b.register,
                    space: b.space,
                });
            }
        }
        let s = document.shifts;
        let default = DefaultBindings {
            cbv: s.cbv.unwrap_or(default.cbv),
            srv: s.srv.unwrap_or(default.srv),
            uav: s.uav.unwrap_or(default.uav),
            sampler: s.sampler.unwrap_or(default.sampler),
            counter: s.counter.unwrap_or(default.counter),
            free: document.free.unwrap_or(default.free),
            ..default
        };
        let entries = order.iter().map(|&i| document.bindings[i]).collect();
        Ok(Self {
            strict: document.strict,
            default,
            heaps: document.heaps,
            entries,
        })
    }
}

impl From<DefaultBindings> for BindingFile {
    fn from(default: DefaultBindings) -> Self {
        Self {
            strict: false,
            default,
            heaps: Heaps::default(),
            entries: Vec::new(),
        }
    }
}

impl TryFrom<Document> for BindingFile {
    type Error = BindingFileError;

    fn try_from(document: Document) -> Result<Self, BindingFileError> {
        Self::new(document, DefaultBindings::default())
    }
}

impl From<BindingFile> for Document {
    fn from(file: BindingFile) -> Self {
        let default = file.default;
        Self {
            strict: file.strict,
            shifts: Shifts {
                cbv: Some(default.cbv),
                srv: Some(default.srv),
                uav: Some(default.uav),
                sampler: Some(default.sampler),
                counter: Some(default.counter),
            },
            heaps: Heaps {
                resource: file.heap_or(file.heaps.resource, default.heap.1).ok(),
                sampler: file.heap_or(file.heaps.sampler, default.heap.2).ok(),
                counter: { file.heap_or(file.heaps.counter, default.counter_heap) }.ok(),
            },
            free: Some(default.free).filter(|_| !file.strict),
            bindings: file.entries,
        }
    }
}

impl BindingFile {
    /// Returns the entry of a range, if it has one.
    fn entry(
        &self,
        class: Class,
        query: &ResourceQuery<'_>,
    ) -> Result<Option<&Entry>, BindingError> {
        let key = (class, query.space, query.register);
        let before = self
            .entries
            .partition_point(|e| (e.class, e.space, e.register) <= key);
        let entry = before.checked_sub(1).map(|i| &self.entries[i]);
        let entry = entry
            .filter(|e| e.class == class && e.space == query.space && query.register <= e.last());
        let Some(e) = entry else {
            return if self.strict {
                Err(BindingError::NoEntry)
            } else {
                Ok(None)
            };
        };
        let end = last(query.register, query.range_size);
        if end > e.last() && query.range_size != 1 {
            return Err(BindingError::ArrayTooLong {
                entry: e.last(),
                array: end,
            });
        }
        Ok(Some(e))
    }

    /// Returns the heap that is given, or the default one at a binding.
    fn heap_or(&self, given: Option<HeapEntry>, binding: u32) -> Result<HeapEntry, BindingError> {
        let default = HeapEntry {
            set: self.default.heap.0,
            binding,
            kind: None,
            offsets: None,
        };
        let given = given.or((!self.strict).then_some(default));
        given.ok_or(BindingError::NoEntry)
    }
}

impl BindingModel for BindingFile {
    fn bind(&self, query: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
        let class = match query.class {
            ResourceClass::CBuffer => Class::Cbv,
            ResourceClass::Srv => Class::Srv,
            ResourceClass::Uav => Class::Uav,
            ResourceClass::Sampler => Class::Sampler,
        };
        let default = self.default.bind(query);
        let mut binding = match self.entry(class, query)? {
            Some(entry) => Binding {
                offsets: entry.offsets,
                ..Binding::new(entry.place_of(query.register)?)
            },
            None => Binding::new(default.clone()?.place),
        };
        if query.has_counter {
            // A counter without a place is an error where it is used.
            binding.counter = match self.entry(Class::Counter, query) {
                Ok(Some(entry)) => entry.place_of(query.register).ok(),
                Ok(None) => default.ok().and_then(|default| default.counter),
                Err(_) => None,
            };
        }
        Ok(binding)
    }
    fn heap(&self, query: &HeapQuery) -> Result<HeapPlace, BindingError> {
        let (_, resources, samplers) = self.default.heap;
        let heap = match query.class {
            _ if query.counter => self.heap_or(self.heaps.counter, self.default.counter_heap),
            ResourceClass::Sampler => self.heap_or(self.heaps.sampler, samplers),
            _ => self.heap_or(self.heaps.resource, resources),
        }?;
        Ok(HeapPlace {
            kind: heap.kind,
            offsets: heap.offsets,
            ..HeapPlace::new(heap.set, heap.binding)
        })
    }
    fn free_bindings(&self) -> Option<FreeBindings> {
        Some(self.default.free).filter(|_| !self.strict)
    }
    fn to_file(&self) -> Option<BindingFile> {
        Some(self.clone())
    }
}

#[cfg(test)]
mod tests;
