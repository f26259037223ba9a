//! Resources before and after a run.

use crate::Step;
use crate::dispatch::{
    Address, Binding, Class, Compare, Data, Dispatch, DispatchError, Dispatched, Draw, Filter,
    Kind, Mismatch, Number, Place, Scene, first_difference,
};
use crate::format::{Encoding, Format};

/// State of a sampler.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sampler {
    /// Filter, also between mip levels.
    pub filter: Filter,
    /// Addressing outside the texture, in all directions.
    pub address: Address,
    /// The comparison of a comparison sampler.
    pub compare: Option<Compare>,
}

/// A resource with its contents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resource {
    /// Binding of the resource.
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
    /// Samples of a texel of a texture.
    pub samples: u32,
    /// Contents; a texture's by layer, in it by mip level, slice, row, column and sample.
    pub bytes: Vec<u8>,
    /// The UAV's hidden counter, if it has one.
    pub counter: Option<u32>,
    /// State of a sampler; of no use to others.
    pub sampler: Sampler,
}

impl Resource {
    /// Returns a buffer without format at a register.
    ///
    /// ```
    /// use trellis_dxil_interpreter::{Resource, dispatch::{Class, Kind}};
    /// let buffer = Resource::buffer(Class::Uav, 0, 3, Kind::Raw, vec![0; 64]);
    /// assert_eq!(buffer.place.to_string(), "u3, space0");
    /// ```
    pub fn buffer(class: Class, space: u32, register: u32, kind: Kind, bytes: Vec<u8>) -> Self {
        Self {
            place: Place::at(class, space, register),
            kind,
            stride: 0,
            format: None,
            size: [1; 3],
            layers: 1,
            mips: 1,
            samples: 1,
            bytes,
            counter: None,
            sampler: Sampler::default(),
        }
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
            samples: binding.samples,
            bytes: binding.contents()?,
            counter: binding.counter,
            sampler: Sampler {
                filter: binding.filter.unwrap_or_default(),
                address: binding.address.unwrap_or_default(),
                compare: binding.compare,
            },
        })
    }
}

/// Inputs of a run of a compute shader.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Inputs {
    /// Entry point; the shader's only compute shader if empty.
    pub entry: String,
    /// Groups in each direction.
    pub groups: [u32; 3],
    /// Resources.
    pub resources: Vec<Resource>,
    /// Acceleration structures.
    pub scenes: Vec<Scene>,
}

impl TryFrom<&Dispatch> for Inputs {
    type Error = DispatchError;
    fn try_from(dispatch: &Dispatch) -> Result<Self, DispatchError> {
        dispatch.check()?;
        let resources = dispatch
            .bindings
            .iter()
            .map(Resource::try_from)
            .collect::<Result<_, _>>()?;
        Ok(Self {
            entry: dispatch.entry.clone(),
            groups: dispatch.groups,
            resources,
            scenes: dispatch.scenes.clone(),
        })
    }
}

fn is_float32(format: Format) -> bool {
    format.encoding() == Encoding::Float && format.bits().iter().all(|&bits| bits == 32)
}

/// Results of a draw.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DrawOutputs {
    /// Contents of the render targets.
    pub targets: Vec<Vec<u8>>,
    /// Contents of the depth buffer, if the draw has one: `f32`.
    pub depth: Vec<u8>,
    /// Values of the outputs that the draw names, with 32 bits per component, and whether they are
    /// floats: of each vertex, or of each sample of a target for a pixel shader.
    pub outputs: Vec<(Vec<u8>, bool)>,
    /// Vertices of each stream that the last stage before the rasterizer emits, if it is the last.
    pub emitted: Vec<u32>,
    /// Groups and payload of each dispatch of an amplification shader, if it is the last stage.
    pub dispatched: Vec<([u32; 3], Vec<u8>)>,
    /// The UAVs, and counts.
    pub resources: Outputs,
}

/// Results of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outputs {
    /// The UAVs of the inputs, in their order, with their contents now.
    pub resources: Vec<Resource>,
    /// Instructions that ran, counted by lane.
    pub steps: u64,
    /// Loads, stores and atomic operations on buffers, by lane, that were out of bounds. Direct3D
    /// defines their results; Vulkan without robust access does not.
    pub out_of_bounds: u64,
    /// The steps of the invocation of [`Options::trace`](crate::Options::trace), in order.
    pub trace: Vec<Step>,
}

impl DrawOutputs {
    /// Returns the outputs in the form of a draw file: the UAVs as [`Outputs::to_bindings`] gives
    /// them, and the contents of targets, depth buffer and outputs as its expectations.
    pub fn to_draw(&self, draw: &Draw) -> Draw {
        let mut made = draw.clone();
        made.emitted.clone_from(&self.emitted);
        let dispatched = self.dispatched.iter();
        made.dispatched = dispatched
            .map(|(groups, payload)| Dispatched {
                groups: *groups,
                payload: Data::of_bytes(payload, Number::U32),
            })
            .collect();
        made.bindings = self.resources.to_bindings(&draw.bindings);
        for (target, bytes) in made.targets.iter_mut().zip(&self.targets) {
            let number = if is_float32(target.format) {
                Number::F32
            } else if target.format.bytes().is_multiple_of(4) {
                Number::U32
            } else {
                Number::U8
            };
            target.expect = Some(Data::of_bytes(bytes, number));
        }
        if let Some(depth) = &mut made.depth {
            depth.expect = Some(Data::of_bytes(&self.depth, Number::F32));
        }
        for (output, (bytes, is_float)) in made.outputs.iter_mut().zip(&self.outputs) {
            let number = if *is_float { Number::F32 } else { Number::U32 };
            output.expect = Some(Data::of_bytes(bytes, number));
        }
        made
    }

    /// Returns the first difference of each UAV, target and output from the expectation of `draw`,
    /// with its name.
    ///
    /// # Errors
    /// An expectation is malformed.
    pub fn mismatches(&self, draw: &Draw) -> Result<Vec<(String, Mismatch)>, DispatchError> {
        let of_resources = self.resources.mismatches(&draw.bindings)?.into_iter();
        let of_resources = of_resources.map(|(place, mismatch)| (place.to_string(), mismatch));
        let mut found: Vec<_> = of_resources.collect();
        let targets = draw.targets.iter().zip(&self.targets).enumerate();
        let targets = targets.map(|(number, (target, bytes))| {
            let name = format!("target {number}");
            (name, &target.expect, target.tolerance, bytes)
        });
        let depth = draw.depth.iter().map(|depth| {
            let name = "depth".to_owned();
            (name, &depth.expect, depth.tolerance, &self.depth)
        });
        let outputs = draw.outputs.iter().zip(&self.outputs);
        let outputs = outputs.map(|(output, (bytes, _))| {
            let name = format!("output {}{}", output.semantic, output.index);
            (name, &output.expect, output.tolerance, bytes)
        });
        let bytes = |counts: &[u32]| -> Vec<u8> {
            let bytes = counts.iter().flat_map(|n| n.to_le_bytes());
            bytes.collect()
        };
        if !draw.emitted.is_empty() {
            let (expected, emitted) = (bytes(&draw.emitted), bytes(&self.emitted));
            let mismatch = first_difference(&expected, &emitted, None);
            found.extend(mismatch.map(|mismatch| ("emitted".to_owned(), mismatch)));
        }
        if !draw.dispatched.is_empty() {
            let mut lists = [Vec::new(), Vec::new()];
            for dispatched in &draw.dispatched {
                lists[0].extend(bytes(&dispatched.groups));
                lists[0].extend(dispatched.payload.bytes(None)?);
            }
            for (groups, payload) in &self.dispatched {
                lists[1].extend(bytes(groups));
                lists[1].extend(payload);
            }
            let mismatch = first_difference(&lists[0], &lists[1], None);
            found.extend(mismatch.map(|mismatch| ("dispatched".to_owned(), mismatch)));
        }
        for (name, expect, tolerance, bytes) in targets.chain(depth).chain(outputs) {
            if let Some(expect) = expect {
                let expected = match expect.bytes(Some(bytes.len() as u64)) {
                    // The run determines the number of vertices.
                    Err(DispatchError::TooLong { found, .. }) => expect.bytes(Some(found)),
                    expected => expected,
                };
                let expected = expected?;
                let mismatch = first_difference(&expected, bytes, tolerance);
                found.extend(mismatch.map(|mismatch| (name, mismatch)));
            }
        }
        Ok(found)
    }
}

impl Outputs {
    /// Returns the outputs in the form of a dispatch file; see [`to_bindings`](Self::to_bindings).
    pub fn to_dispatch(&self, dispatch: &Dispatch) -> Dispatch {
        Dispatch {
            bindings: self.to_bindings(&dispatch.bindings),
            ..dispatch.clone()
        }
    }

    /// Returns the UAVs of `bindings` with the contents that they have now, written in the numbers
    /// that these use for them.
    pub fn to_bindings(&self, bindings: &[Binding]) -> Vec<Binding> {
        let bindings = self.with_bindings(bindings).map(|(resource, binding)| {
            let like = binding.expect.as_ref().or(binding.data.as_ref());
            let number = like.and_then(Data::number).or(resource
                .format
                .filter(|format| is_float32(*format))
                .map(|_| Number::F32));
            Binding {
                data: Some(Data::of_bytes(&resource.bytes, number.unwrap_or_default())),
                counter: resource.counter,
                expect: None,
                expect_counter: None,
                tolerance: None,
                ..binding.clone()
            }
        });
        bindings.collect()
    }

    /// Returns the first difference of each UAV from the expectations of `bindings`.
    ///
    /// # Errors
    /// An expectation is malformed.
    pub fn mismatches(
        &self,
        bindings: &[Binding],
    ) -> Result<Vec<(Place, Mismatch)>, DispatchError> {
        let mut found = Vec::new();
        for (resource, binding) in self.with_bindings(bindings) {
            found.extend(
                binding
                    .mismatch(&resource.bytes, resource.counter)?
                    .map(|mismatch| (resource.place, mismatch)),
            );
        }
        Ok(found)
    }

    fn with_bindings<'a>(
        &'a self,
        bindings: &'a [Binding],
    ) -> impl Iterator<Item = (&'a Resource, &'a Binding)> {
        self.resources.iter().filter_map(|resource| {
            let mut bindings = bindings.iter();
            let binding = bindings.find(|binding| binding.place == resource.place)?;
            Some((resource, binding))
        })
    }

    /// Returns the UAV at a register.
    pub fn uav(&self, space: u32, register: u32) -> Option<&Resource> {
        let place = Place::at(Class::Uav, space, register);
        self.resources
            .iter()
            .find(|resource| resource.place == place)
    }
}
