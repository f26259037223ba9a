//! What a binding model answers: where a resource is.

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
}

impl Binding {
    /// Returns a resource at a place, without a counter.
    pub const fn new(place: Place) -> Self {
        Self {
            place,
            counter: None,
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
    /// An element of an array that holds all descriptors of a heap, or some of it for each register of
    /// a range: for the descriptor tables of a root signature. The index is that of the register within
    /// the range, plus `offset`, plus the root constant.
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
    /// The constants after a shader's identifier in the shader table, where D3D's local root
    /// signatures put 32-bit constants. For constant buffers of ray tracing shaders.
    ShaderRecord {
        /// Bytes between the identifier and the constants, a multiple of 4.
        offset: u32,
    },
}

impl Place {
    /// Returns the descriptor of its natural kind at a set and binding.
    pub const fn descriptor(set: u32, binding: u32) -> Self {
        Self::Descriptor {
            set,
            binding,
            kind: None,
        }
    }
}

/// Descriptor set and binding of views of a descriptor heap (`ResourceDescriptorHeap`,
/// `SamplerDescriptorHeap`, SM 6.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeapBinding {
    /// Descriptor set.
    pub set: u32,
    /// Binding; views of several kinds may alias it (mutable descriptors) as runtime arrays.
    pub binding: u32,
}
