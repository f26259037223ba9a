//! Resources before and after a run.

use crate::dispatch::{Binding, Class, Dispatch, DispatchError, Kind, Place};
use crate::format::Format;

/// A resource with its contents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resource {
    /// Where it is bound.
    pub place: Place,
    /// Shape.
    pub kind: Kind,
    /// Bytes of a structure of a structured buffer; 0 for others.
    pub stride: u32,
    /// Format of texels of typed buffers and textures.
    pub format: Option<Format>,
    /// Width, height and depth of a texture's first mip level; 1 for others.
    pub size: [u32; 3],
    /// Layers of a texture.
    pub layers: u32,
    /// Mip levels of a texture.
    pub mips: u32,
    /// Contents; a texture's by layer, in it by mip level, slice, row and column.
    pub bytes: Vec<u8>,
    /// The UAV's hidden counter, if it has one.
    pub counter: Option<u32>,
}

impl Resource {
    /// A buffer without format at a register.
    ///
    /// ```
    /// use dxil_interpreter::{Resource, dispatch::{Class, Kind}};
    /// let buffer = Resource::buffer(Class::Uav, 0, 3, Kind::Raw, vec![0; 64]);
    /// assert_eq!(buffer.place.to_string(), "u3, space0");
    /// ```
    pub fn buffer(class: Class, space: u32, register: u32, kind: Kind, bytes: Vec<u8>) -> Self {
        Self { place: Place { class, space, register, heap: None }, kind, stride: 0, format: None, size: [1; 3], layers: 1, mips: 1, bytes, counter: None }
    }
}

impl TryFrom<&Binding> for Resource {
    type Error = DispatchError;
    fn try_from(binding: &Binding) -> Result<Self, DispatchError> {
        Ok(Self {
            place: binding.place,
            kind: binding.kind,
            stride: binding.stride.unwrap_or(0),
            format: binding.format,
            size: binding.size.unwrap_or([1; 3]),
            layers: binding.layers,
            mips: binding.mips,
            bytes: binding.contents()?,
            counter: binding.counter,
        })
    }
}

/// What a compute shader is run with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// Entry point; the shader's only compute shader if empty.
    pub entry: String,
    /// Groups in each direction.
    pub groups: [u32; 3],
    /// Resources.
    pub resources: Vec<Resource>,
}

impl TryFrom<&Dispatch> for Inputs {
    type Error = DispatchError;
    fn try_from(dispatch: &Dispatch) -> Result<Self, DispatchError> {
        dispatch.check()?;
        let resources = dispatch.bindings.iter().map(Resource::try_from).collect::<Result<_, _>>()?;
        Ok(Self { entry: dispatch.entry.clone(), groups: dispatch.groups, resources })
    }
}

/// What a run left.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outputs {
    /// The UAVs of the inputs, in their order, with their contents now.
    pub resources: Vec<Resource>,
    /// Instructions that ran, counted by lane.
    pub steps: u64,
}

impl Outputs {
    /// The UAV at a register.
    pub fn uav(&self, space: u32, register: u32) -> Option<&Resource> {
        self.resources.iter().find(|resource| resource.place == Place { class: Class::Uav, space, register, heap: None })
    }
}
