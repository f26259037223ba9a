//! The binding model of a root signature.

use serde::Serialize;
use thiserror::Error;
use trellis_dxil_frontend::container::{
    Container, ContainerError, RootDescriptor, RootParameterKind, RootSignature, StaticSampler,
};
use trellis_dxil_frontend::shader::{ResourceClass, ShaderKind, UNBOUNDED};

use super::{
    Binding, BindingError, BindingModel, DefaultBindings, HeapPlace, HeapQuery, Place,
    ResourceQuery,
};

/// Puts each resource where a root signature has it, so that an engine creates its pipeline layout from
/// the same list: [`pipeline_layout`](Self::pipeline_layout), or [`slots`](Self::slots) without the
/// kinds of descriptors.
///
/// * Root constants are push constants, one parameter after another.
/// * Root descriptors and static samplers are in set 0, in this order, a binding for each; or root
///   descriptors are device addresses before the constants, one after another
///   ([`with_addresses`](Self::with_addresses)).
/// * Each descriptor table is a separate set, from set 1 on, with a binding for each range; a range
///   of UAVs has a second one, for the counters. A range of several descriptors is an array.
/// * The descriptor heaps of shader model 6.6 are where [`DefaultBindings`] has them, in the set after
///   the tables.
///
/// ```
/// use std::sync::Arc;
/// use trellis_spirv_backend::bindings::RootSignatureBindings;
/// use trellis_spirv_backend::{Options, convert};
///
/// let dxil = include_bytes!("../../../corpus/shaders/root_signature/version_1_0.dxil");
/// let model = RootSignatureBindings::read(dxil)?;
/// assert_eq!(model.slots().len(), 3);
/// let output = convert(dxil, &Options::default().with_bindings(Arc::new(model)))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct RootSignatureBindings {
    slots: Vec<RootSlot>,
    /// Number of root parameters.
    pub(super) parameters: u32,
    /// Static samplers, in the order of their slots.
    pub(super) static_samplers: Vec<StaticSampler>,
    /// The set of the heaps.
    pub(super) heap_set: u32,
    /// Whether shaders may index the heaps.
    pub(super) indexes_heaps: bool,
}

/// A part of the layout of a root signature: registers, and where they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct RootSlot {
    /// Number of the root parameter; `None` for a static sampler.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<u32>,
    /// Stages that see it, as `D3D12_SHADER_VISIBILITY`: 0 all, 1 vertex, 2 hull, 3 domain, 4 geometry,
    /// 5 pixel, 6 amplification, 7 mesh.
    pub visibility: u32,
    /// Class of the registers: `CBuffer` for constants.
    #[serde(serialize_with = "class_name")]
    pub class: ResourceClass,
    /// Register space.
    pub space: u32,
    /// First register.
    pub register: u32,
    /// Number of registers; `u32::MAX` for a range without end.
    pub count: u32,
    /// Where the first register is.
    pub place: Place,
    /// Number of 32-bit constants; 0 if these are descriptors.
    pub constants: u32,
    /// Where the counter of the first register is, for UAVs in tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counter: Option<Place>,
}

fn class_name<S: serde::Serializer>(class: &ResourceClass, s: S) -> Result<S::Ok, S::Error> {
    s.serialize_str(match class {
        ResourceClass::Srv => "srv",
        ResourceClass::Uav => "uav",
        ResourceClass::CBuffer => "cbuffer",
        ResourceClass::Sampler => "sampler",
    })
}

/// Why there is no model of a root signature.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RootSignatureError {
    /// The container or the root signature is malformed.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The container has no root signature.
    #[error("the container has no root signature")]
    Missing,
    /// The root signature has no layout.
    #[error(transparent)]
    Binding(#[from] BindingError),
}

/// The most 32-bit values that D3D allows in a root signature, and so the most constants.
const MAX_WORDS: u32 = 64;

/// `D3D12_ROOT_SIGNATURE_FLAG_CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED` and
/// `D3D12_ROOT_SIGNATURE_FLAG_SAMPLER_HEAP_DIRECTLY_INDEXED`.
const HEAPS_INDEXED: u32 = 0x400 | 0x800;

/// Reads the root signature of a container, or a serialized one by itself.
pub(crate) fn signature_of(bytes: &[u8]) -> Result<RootSignature, RootSignatureError> {
    if bytes.starts_with(b"DXBC") {
        let signature = Container::open(bytes)?.root_signature()?;
        return signature.ok_or(RootSignatureError::Missing);
    }
    RootSignature::read_bytes(bytes)
        .map_err(|error| ContainerError::of_other_file(bytes).unwrap_or(error).into())
}

impl RootSignatureBindings {
    /// Reads a container with a root signature, which a shader may be, or a serialized root signature,
    /// and makes its model.
    ///
    /// # Errors
    /// There is no root signature, it is malformed, or it has more constants than D3D allows.
    pub fn read(bytes: &[u8]) -> Result<Self, RootSignatureError> {
        Ok(Self::new(&signature_of(bytes)?)?)
    }

    /// Makes the model of a root signature.
    ///
    /// # Errors
    /// [`BindingError::RootTooLarge`] if it has more constants than D3D allows.
    pub fn new(signature: &RootSignature) -> Result<Self, BindingError> {
        let mut layout = Layout::default();
        for (number, parameter) in (0..).zip(&signature.parameters) {
            layout.parameter(number, parameter.visibility, &parameter.kind)?;
        }
        for sampler in &signature.static_samplers {
            let at = layout.root_binding();
            let registers = (ResourceClass::Sampler, sampler.space, sampler.register, 1);
            layout
                .slots
                .push(slot(None, sampler.visibility, registers, at));
        }
        Ok(Self {
            slots: layout.slots,
            parameters: signature.parameters.len() as u32,
            static_samplers: signature.static_samplers.clone(),
            heap_set: layout.tables + 1,
            indexes_heaps: signature.flags & HEAPS_INDEXED != 0,
        })
    }

    /// Returns this with root descriptors as device addresses before the root constants, one after
    /// another: nothing needs to be written to a descriptor set for them. The static samplers alone are
    /// in set 0 then.
    #[must_use]
    pub fn with_addresses(mut self) -> Self {
        let (mut addresses, mut bindings) = (0, 0);
        for slot in &mut self.slots {
            if !matches!(slot.place, Place::Descriptor { set: 0, .. }) {
                continue;
            }
            if slot.parameter.is_some() {
                slot.place = Place::DeviceAddress {
                    root_descriptor: addresses,
                };
                addresses += 1;
            } else {
                slot.place = Place::descriptor(0, bindings);
                bindings += 1;
            }
        }
        self
    }

    /// Returns the layout: one slot for each parameter that is not a table, for each range of the
    /// tables, and for each static sampler.
    pub fn slots(&self) -> &[RootSlot] {
        &self.slots
    }

    /// Returns the slot of a range of registers, as a stage sees it.
    fn find(&self, query: &ResourceQuery<'_>) -> Option<&RootSlot> {
        let own = visibility(query.stage);
        let last = query.register.checked_add(match query.range_size {
            UNBOUNDED => 0,
            size => size.saturating_sub(1),
        })?;
        self.slots.iter().find(|slot| {
            let seen = slot.visibility == 0 || Some(slot.visibility) == own;
            let end = slot.register.saturating_add(slot.count.saturating_sub(1));
            seen && slot.class == query.class
                && slot.space == query.space
                && (slot.register..=end).contains(&query.register)
                && (slot.count == UNBOUNDED || query.range_size != UNBOUNDED && last <= end)
        })
    }
}

/// Returns the visibility value of a stage, if D3D has one for it.
fn visibility(stage: ShaderKind) -> Option<u32> {
    Some(match stage {
        ShaderKind::Vertex => 1,
        ShaderKind::Hull => 2,
        ShaderKind::Domain => 3,
        ShaderKind::Geometry => 4,
        ShaderKind::Pixel => 5,
        ShaderKind::Amplification => 6,
        ShaderKind::Mesh => 7,
        _ => return None,
    })
}

/// A layout in the making.
#[derive(Default)]
struct Layout {
    slots: Vec<RootSlot>,
    /// Number of constants so far.
    words: u32,
    /// Number of bindings of set 0 so far.
    bindings: u32,
    /// Number of tables so far.
    tables: u32,
}

/// Class, space, first register and number of registers.
type Registers = (ResourceClass, u32, u32, u32);

fn slot(
    parameter: Option<u32>,
    visibility: u32,
    (class, space, register, count): Registers,
    place: Place,
) -> RootSlot {
    RootSlot {
        parameter,
        visibility,
        class,
        space,
        register,
        count,
        place,
        constants: 0,
        counter: None,
    }
}

impl Layout {
    /// Returns the next binding of set 0.
    fn root_binding(&mut self) -> Place {
        let binding = self.bindings;
        self.bindings += 1;
        Place::descriptor(0, binding)
    }

    fn parameter(
        &mut self,
        number: u32,
        visibility: u32,
        kind: &RootParameterKind,
    ) -> Result<(), BindingError> {
        let number = Some(number);
        let descriptor = |layout: &mut Self, class, at: &RootDescriptor| {
            let place = layout.root_binding();
            let registers = (class, at.space, at.register, 1);
            layout
                .slots
                .push(slot(number, visibility, registers, place));
        };
        match kind {
            RootParameterKind::Cbv(at) => descriptor(self, ResourceClass::CBuffer, at),
            RootParameterKind::Srv(at) => descriptor(self, ResourceClass::Srv, at),
            RootParameterKind::Uav(at) => descriptor(self, ResourceClass::Uav, at),
            &RootParameterKind::Constants {
                register,
                space,
                count,
            } => {
                let offset = self.words;
                self.words = offset.saturating_add(count);
                if self.words > MAX_WORDS {
                    return Err(BindingError::RootTooLarge {
                        word: self.words - 1,
                        descriptors: 0,
                        limit: MAX_WORDS * 4,
                    });
                }
                let registers = (ResourceClass::CBuffer, space, register, 1);
                let place = Place::RootConstants { offset };
                self.slots.push(RootSlot {
                    constants: count,
                    ..slot(number, visibility, registers, place)
                });
            }
            RootParameterKind::Table(ranges) => {
                self.tables += 1;
                let mut binding = 0;
                for range in ranges {
                    let registers = (range.kind, range.space, range.register, range.count);
                    let mut place = || {
                        binding += 1;
                        element(self.tables, binding - 1, range.count, 0)
                    };
                    let at = place();
                    let counter = (range.kind == ResourceClass::Uav).then(place);
                    self.slots.push(RootSlot {
                        counter,
                        ..slot(number, visibility, registers, at)
                    });
                }
            }
        }
        Ok(())
    }
}

/// Returns a descriptor, or an element of an array of several.
fn element(set: u32, binding: u32, count: u32, offset: u32) -> Place {
    if count == 1 {
        return Place::descriptor(set, binding);
    }
    Place::Heap {
        set,
        binding,
        kind: None,
        offset,
        root_constant: None,
    }
}

/// Returns the place of the register `more` registers after the first one.
fn after(place: Place, more: u32) -> Result<Place, BindingError> {
    let Place::Heap {
        set,
        binding,
        kind,
        offset,
        root_constant,
    } = place
    else {
        return Ok(place);
    };
    let register = more;
    let sum = offset.checked_add(more);
    Ok(Place::Heap {
        set,
        binding,
        kind,
        offset: sum.ok_or(BindingError::HeapOverflow { register, offset })?,
        root_constant,
    })
}

impl BindingModel for RootSignatureBindings {
    fn bind(&self, query: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
        let slot = self.find(query).ok_or(BindingError::NotInRootSignature)?;
        let more = query.register - slot.register;
        let mut binding = Binding::new(after(slot.place, more)?);
        if let Some(counter) = slot.counter {
            binding.counter = Some(after(counter, more)?);
        }
        Ok(binding)
    }

    fn root_layout(&self) -> &[RootSlot] {
        &self.slots
    }

    fn heap(&self, query: &HeapQuery) -> Result<HeapPlace, BindingError> {
        let heap = DefaultBindings::default().heap(query)?;
        Ok(HeapPlace::new(self.heap_set, heap.at.binding))
    }
}
