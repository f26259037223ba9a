//! Makes a dispatch for any compute shader: each resource that it declares, filled with numbers
//! that differ.

use trellis_dxil_frontend::module::{Module, Type, TypeId};
use trellis_dxil_frontend::shader::{ComponentType, Resource, ResourceKind, Shader, UNBOUNDED};

use crate::dispatch::{Binding, Data, Dispatch, Geometry, Instance, Kind, Scene};
use crate::exec::{is_multisampled, kind_of};
use crate::format::Format;
use crate::program::class_of;

/// Elements of a generated buffer.
const ELEMENTS: u64 = 256;
/// Most registers of a range that get a resource.
const MAX_RANGE: u32 = 64;

/// Returns a dispatch of `groups` with a binding for each register that a shader declares (of a
/// range, the first 64), filled with the numbers `(5 * i + 7) % 64 % below` for `i` from 0 to 63
/// over and over; floats with a quarter of them. Ranges of shapes that the dispatch file does not
/// support are omitted. An acceleration structure has a few triangles and boxes, opaque and not.
///
/// A walk `at = data[at]` comes through all numbers from 0 to 63 if `below` is 64: loops that wait
/// for a certain one end. `below` 0 counts as 1.
pub fn dispatch(module: &Module, shader: &Shader, groups: [u32; 3], below: u32) -> Dispatch {
    let (mut bindings, mut scenes) = (Vec::new(), Vec::new());
    for resource in &shader.resources {
        let count = if resource.range_size == UNBOUNDED {
            MAX_RANGE
        } else {
            resource.range_size.min(MAX_RANGE)
        };
        if resource.kind == ResourceKind::RTAccelerationStructure {
            let register = |offset| resource.lower_bound.saturating_add(offset);
            scenes.extend((0..count).map(|offset| scene(resource.space, register(offset))));
            continue;
        }
        let Some(kind) = kind_of(resource.kind) else {
            continue;
        };
        for offset in 0..count {
            let register = resource.lower_bound.saturating_add(offset);
            let mut binding = binding(module, resource, kind, register);
            if kind != Kind::Sampler {
                let float = binding.format.is_some_and(|format| !format.is_integer());
                binding.data = Some(pattern(below.max(1), float));
            }
            bindings.push(binding);
        }
    }
    Dispatch {
        groups,
        bindings,
        scenes,
        ..Dispatch::default()
    }
}

fn binding(module: &Module, resource: &Resource, kind: Kind, register: u32) -> Binding {
    let class = class_of(resource.class);
    let mut binding = Binding::new(class, resource.space, register, kind);
    match kind {
        Kind::Constants => {
            binding.bytes = Some(u64::from(resource.cbuffer_size.div_ceil(16).max(1)) * 16);
        }
        Kind::Raw => binding.bytes = Some(ELEMENTS * 4),
        Kind::Structured => {
            let stride = resource.stride.unwrap_or(4).max(1);
            binding.stride = Some(stride);
            binding.bytes = Some(u64::from(stride).min(1 << 16) * ELEMENTS);
            binding.counter = resource.has_counter.then_some(0);
        }
        Kind::Sampler => return binding,
        _ => {
            let feedback = matches!(
                resource.kind,
                ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray
            );
            let format = if feedback {
                Format::R32G32_UINT
            } else {
                format(resource, components(module, resource))
            };
            binding.format = Some(format);
            if kind == Kind::Typed {
                binding.bytes = Some(ELEMENTS * format.bytes() as u64);
            } else {
                let (size, layers) = match kind {
                    Kind::Texture1D => ([16, 1, 1], 1),
                    Kind::Texture1DArray => ([16, 1, 1], 4),
                    Kind::Texture2DArray => ([16, 16, 1], 4),
                    Kind::Texture3D => ([16, 16, 4], 1),
                    Kind::TextureCube => ([16, 16, 1], 6),
                    Kind::TextureCubeArray => ([16, 16, 1], 12),
                    _ => ([16, 16, 1], 1),
                };
                // Regions of 4 x 4 texels.
                let size = if feedback { [18, 18, 1] } else { size };
                (binding.size, binding.layers) = (Some(size), layers);
                if is_multisampled(resource.kind) {
                    binding.samples = 4;
                }
            }
        }
    }
    binding
}

/// Returns a structure of two meshes: a wall of opaque triangles with others in front of it, and
/// boxes.
fn scene(space: u32, register: u32) -> Scene {
    let triangle = |x: f32, z: f32, size: f32| [[x, -size, z], [x, size, z], [x + size, -size, z]];
    let wall = Geometry {
        triangles: vec![triangle(-64.0, 8.0, 256.0)],
        opaque: true,
        ..Geometry::default()
    };
    let leaves = Geometry {
        triangles: (0..16_u8)
            .map(|n| triangle(f32::from(n) * 4.0, 2.0, 3.0))
            .collect(),
        ..Geometry::default()
    };
    let boxes = Geometry {
        boxes: (0..8_u8)
            .map(|n| {
                [
                    [f32::from(n) * 8.0, -1.0, 4.0],
                    [f32::from(n) * 8.0 + 2.0, 1.0, 5.0],
                ]
            })
            .collect(),
        ..Geometry::default()
    };
    let turned = Instance {
        id: 3,
        mask: 1,
        group: 5,
        transform: [
            [0.0, -1.0, 0.0, 2.0],
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 2.0, 1.0],
        ],
        ..Instance::of(0)
    };
    Scene {
        register,
        space,
        meshes: vec![vec![wall, leaves], vec![boxes]],
        instances: vec![Instance::of(0), Instance::of(1), turned],
        ..Scene::default()
    }
}

fn pattern(below: u32, float: bool) -> Data {
    let numbers = (0..64).map(|i| (5 * i + 7) % 64 % below);
    Data::Fill(Box::new(if float {
        Data::F32(numbers.map(|n| n as f32 * 0.25).collect())
    } else {
        Data::U32(numbers.collect())
    }))
}

/// Returns a format of 32-bit components that fits the element type.
fn format(resource: &Resource, components: u32) -> Format {
    use ComponentType::*;
    use Format as F;
    if resource.kind == ResourceKind::TBuffer {
        return F::R32G32B32A32_UINT;
    }
    // By one component, two, or more.
    let unsigned = [F::R32_UINT, F::R32G32_UINT, F::R32G32B32A32_UINT];
    let index = components.clamp(1, 3) as usize - 1;
    match resource.component.unwrap_or(Invalid) {
        I16 | I32 => [F::R32_SINT, F::R32G32_SINT, F::R32G32B32A32_SINT][index],
        I1 | U16 | U32 | PackedS8x32 | PackedU8x32 => unsigned[index],
        // Two words a number.
        I64 | U64 | F64 | SNormF64 | UNormF64 => unsigned[(index + 1).min(2)],
        _ => [F::R32_FLOAT, F::R32G32_FLOAT, F::R32G32B32A32_FLOAT][index],
    }
}

/// Components of a resource's texels by the type of its variable (`Texture2D<float4>` holds a
/// vector of four); 4 if the type does not determine it.
fn components(module: &Module, resource: &Resource) -> u32 {
    let ty = |id: TypeId| module.types.get(id);
    let mut at = resource.symbol_type.and_then(ty);
    // Arrays of resources, the class, its first field: a few steps down.
    for _ in 0..8 {
        at = match at {
            Some(Type::Vector { len, .. }) => return *len,
            Some(Type::Array { element, .. }) => ty(*element),
            Some(Type::Struct { fields, .. }) => fields.first().copied().and_then(ty),
            Some(Type::Int(_) | Type::Float | Type::Half | Type::Double) => return 1,
            _ => return 4,
        };
    }
    4
}
