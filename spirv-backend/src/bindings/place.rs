//! The answer of a binding model: where a resource is.

use serde::{Deserialize, Serialize};

use super::DescriptorKind;

/// Where a resource is, and its hidden counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Binding {
    /// The resource.
    pub place: Place,
    /// The counter of a UAV. A shader that uses the counter of a UAV without one is an error.
    pub counter: Option<Place>,
    /// Storage buffer with the offset of each buffer in its descriptor, and its size: for raw,
    /// structured and typed buffers in a heap, whose descriptors a device can make only at coarser
    /// offsets. See [`OffsetLayout`].
    pub offsets: Option<HeapBinding>,
}

impl Binding {
    /// Returns a resource at a place, without a counter.
    pub const fn new(place: Place) -> Self {
        Self {
            place,
            counter: None,
            offsets: None,
        }
    }

    /// Returns a resource that is the descriptor of its natural kind at a set and binding.
    pub const fn descriptor(set: u32, binding: u32) -> Self {
        Self::new(Place::descriptor(set, binding))
    }

    /// Returns this with a counter.
    #[must_use]
    pub const fn with_counter(self, counter: Place) -> Self {
        Self {
            counter: Some(counter),
            ..self
        }
    }

    /// Returns this with a buffer of offsets and sizes.
    #[must_use]
    pub const fn with_offsets(self, offsets: HeapBinding) -> Self {
        Self {
            offsets: Some(offsets),
            ..self
        }
    }
}

/// Where a resource is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Place {
    /// A descriptor, or an array of descriptors for a range of several registers.
    Descriptor {
        /// Descriptor set.
        set: u32,
        /// Binding number of the first register.
        binding: u32,
        /// Kind of descriptor; `None`: the natural one of the resource.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kind: Option<DescriptorKind>,
    },
    /// An element of an array that holds all descriptors of a heap, or some of it for each register
    /// of a range: for the descriptor tables of a root signature. The index is the register's index
    /// within the range, plus `offset`, plus the root constant.
    Heap {
        /// Descriptor set of the array.
        set: u32,
        /// Binding of the array.
        binding: u32,
        /// Kind of descriptor; `None`: the natural one of the resource.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kind: Option<DescriptorKind>,
        /// Index of the first register.
        #[serde(default)]
        offset: u32,
        /// Number of the root constant, a 32-bit word, that is added to the index: where the table
        /// begins. See [`InterfaceOptions`](crate::options::InterfaceOptions) for where root constants
        /// are.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        root_constant: Option<u32>,
    },
    /// Root constants: for constant buffers of one register. Reads beyond the constants, which a
    /// computed index may do, give 0.
    RootConstants {
        /// Number of the first root constant, a 32-bit word.
        offset: u32,
    },
    /// A root descriptor: a 64-bit device address before the root constants. For raw, structured
    /// and constant buffers, counters and acceleration structures of one register. The device must
    /// have `bufferDeviceAddress`. As in D3D nothing checks the bounds of such a buffer, and the
    /// size that a shader queries is undefined: it is 0.
    DeviceAddress {
        /// Number of the root descriptor. See
        /// [`InterfaceOptions::root_descriptors`](crate::options::InterfaceOptions).
        root_descriptor: u32,
    },
    /// The constants after a shader's identifier in the shader table, where D3D's local root
    /// signatures put 32-bit constants. For constant buffers of ray tracing shaders.
    ShaderRecord {
        /// Bytes between the identifier and the constants, a multiple of 4.
        offset: u32,
        /// Number of constants, 32-bit words: reads beyond give 0. `None`: the number that the
        /// shader declares.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        words: Option<u32>,
    },
    /// As [`DeviceAddress`](Self::DeviceAddress), but the address is in the shader record: a root
    /// descriptor of a local root signature.
    RecordAddress {
        /// Bytes between the identifier and the address, a multiple of 8.
        offset: u32,
    },
    /// As [`Heap`](Self::Heap), but where the table begins is in the shader record: a descriptor table
    /// of a local root signature. The low word of the eight bytes there is the index of the table's
    /// first descriptor, times the size of a descriptor.
    RecordTable {
        /// Descriptor set of the array.
        set: u32,
        /// Binding of the array.
        binding: u32,
        /// Kind of descriptor; `None`: the natural one of the resource.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kind: Option<DescriptorKind>,
        /// Index of the first register in the table.
        #[serde(default)]
        offset: u32,
        /// Bytes between the identifier and the table's eight bytes, a multiple of 8.
        record_offset: u32,
        /// Binary logarithm of the size of a descriptor, below 32.
        size_log2: u32,
    },
}

impl Place {
    /// Returns true if an address is there, rather than a descriptor or constants.
    pub(crate) fn is_address(self) -> bool {
        match self {
            Self::DeviceAddress { .. } | Self::RecordAddress { .. } => true,
            _ => self.kind() == Some(DescriptorKind::DeviceAddress),
        }
    }

    /// Returns the kind of descriptor, if it is given.
    pub(crate) fn kind(self) -> Option<DescriptorKind> {
        match self {
            Self::Descriptor { kind, .. }
            | Self::Heap { kind, .. }
            | Self::RecordTable { kind, .. } => kind,
            _ => None,
        }
    }

    /// Returns the descriptor of its natural kind at a set and binding.
    pub const fn descriptor(set: u32, binding: u32) -> Self {
        Self::Descriptor {
            set,
            binding,
            kind: None,
        }
    }
}

/// Where views of a descriptor heap are (`ResourceDescriptorHeap`, `SamplerDescriptorHeap`, SM 6.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct HeapPlace {
    /// Descriptor set and binding.
    pub at: HeapBinding,
    /// Kind of descriptor; `None`: the natural one of the view.
    pub kind: Option<DescriptorKind>,
    /// As [`Binding::offsets`].
    pub offsets: Option<HeapBinding>,
}

impl HeapPlace {
    /// Returns descriptors of their natural kind at a set and binding.
    pub const fn new(set: u32, binding: u32) -> Self {
        Self {
            at: HeapBinding { set, binding },
            kind: None,
            offsets: None,
        }
    }

    /// Returns this with a kind of descriptor.
    #[must_use]
    pub const fn with_kind(self, kind: DescriptorKind) -> Self {
        Self {
            kind: Some(kind),
            ..self
        }
    }

    /// Returns this with a buffer of offsets and sizes.
    #[must_use]
    pub const fn with_offsets(self, offsets: HeapBinding) -> Self {
        Self {
            offsets: Some(offsets),
            ..self
        }
    }
}

impl From<HeapBinding> for HeapPlace {
    fn from(at: HeapBinding) -> Self {
        Self::new(at.set, at.binding)
    }
}

/// Layout of the storage buffers that [`Binding::offsets`] and [`HeapPlace::offsets`] name: pairs
/// of 32-bit words, where a buffer begins in its descriptor, and its size. Accesses beyond the size
/// go beyond the descriptor, so that the device's robustness drops them. Offset and size are bytes
/// for raw and structured buffers, texels for typed ones and for untyped ones that are texel
/// buffers of words; the latter have the pair of typed ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OffsetLayout {
    /// Pairs for each descriptor of the heap.
    pub stride: u32,
    /// Number of the pair of a raw or structured buffer, among the pairs of its descriptor.
    pub untyped: u32,
    /// Number of the pair of a typed buffer.
    pub typed: u32,
}

impl Default for OffsetLayout {
    /// Returns one pair for each descriptor.
    fn default() -> Self {
        Self {
            stride: 1,
            untyped: 0,
            typed: 0,
        }
    }
}

/// Layout of the storage buffers that hold device addresses ([`DescriptorKind::DeviceAddress`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AddressLayout {
    /// 64-bit words for each descriptor of the heap.
    pub stride: u32,
    /// Number of the address among the words of its descriptor.
    pub offset: u32,
}

impl Default for AddressLayout {
    /// Returns one word for each descriptor: its address.
    fn default() -> Self {
        Self {
            stride: 1,
            offset: 0,
        }
    }
}

/// How a shader knows the size of the heap of resources, for the option
/// [`heap_limit`](crate::options::InterfaceOptions::heap_limit).
///
/// The size is the greatest index that is used: a null descriptor must be there, after the heap's
/// descriptors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum HeapLimit {
    /// It is this number.
    Size(u32),
    /// The root constant with this number holds it.
    RootConstant(u32),
    /// The first word of a uniform block at a set and binding is the size.
    UniformBlock(HeapBinding),
    /// From the length of a storage buffer with this number of pairs of 32-bit words per
    /// descriptor, such as the buffers of offsets and of addresses.
    BufferLength {
        /// Set and binding of the buffer.
        at: HeapBinding,
        /// Pairs for each descriptor, at least 1.
        pairs: u32,
    },
}

/// A descriptor set and a binding in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeapBinding {
    /// Descriptor set.
    pub set: u32,
    /// Binding; views of several kinds may alias it (mutable descriptors) as runtime arrays.
    pub binding: u32,
}
