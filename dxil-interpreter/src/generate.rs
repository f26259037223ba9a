//! Makes a dispatch for any compute shader, and a draw for any shader of the graphics pipeline: each
//! resource and input that it declares, filled with numbers that differ.

use trellis_dxil_frontend::module::{Module, Type, TypeId};
use trellis_dxil_frontend::shader::{
    ComponentType, EntryPoint, Properties, Resource, ResourceKind, SamplerKind, SemanticKind,
    Shader, ShaderKind, SignatureElement, UNBOUNDED,
};

use crate::dispatch::{
    Address, Binding, Class, Compare, Data, Dispatch, DispatchError, Draw, Filter, Geometry, Input,
    Instance, Kind, Number, Output, Scene, Target, split_mix,
};
use crate::error::Error;
use crate::exec::{is_generated, is_multisampled, kind_of};
use crate::format::Format;
use crate::program::{View, class_of};

/// Elements of a generated buffer.
const ELEMENTS: u64 = 256;
/// Greatest number of a render target.
const MAX_TARGETS: u32 = 7;
/// Greatest index of a heap: greater ones are floats.
pub const MAX_HEAP: u32 = 1 << 12;
/// Number of small integers in resources of shaders that use a heap: most are indices of the heap,
/// which has one resource each.
const INDICES: u32 = 1 << 8;
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
    let (bindings, scenes) = resources(module, shader, below);
    Dispatch {
        groups,
        bindings,
        scenes,
        ..Dispatch::default()
    }
}

/// Returns a draw of one primitive with the shader of an entry point, or of a pixel shader over 16 by
/// 16 pixels: random numbers for each input, floats from 0 to 1 and integers from 0 to 7; a target or
/// output for each output; bindings as [`dispatch`] makes them.
pub fn draw(module: &Module, shader: &Shader, entry: &EntryPoint) -> Draw {
    let (bindings, scenes) = resources(module, shader, 64);
    let mut draw = Draw {
        vertices: vertices(entry),
        instances: 1,
        bindings,
        scenes,
        ..Draw::default()
    };
    let signatures = &entry.signatures;
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    inputs.extend(signatures.input.iter().filter(|e| !is_given(entry, e)));
    outputs.extend(&signatures.output);
    if entry.kind == ShaderKind::Domain {
        inputs.extend(&signatures.patch_constant);
    } else {
        outputs.extend(&signatures.patch_constant);
    }
    draw.inputs = named_inputs(&inputs);
    if entry.kind == ShaderKind::Pixel {
        draw.size = [16, 16];
    }
    if matches!(entry.kind, ShaderKind::Mesh | ShaderKind::Amplification) {
        draw.groups = Some([1; 3]);
    }
    for element in outputs {
        let indices = indices(element);
        let target = |components: u32| Target {
            format: number_format(Some(element.ty), components),
            expect: None,
            tolerance: None,
        };
        match element.semantic {
            SemanticKind::Target => {
                for index in indices.map(|index| index.min(MAX_TARGETS) as usize) {
                    let count = draw.targets.len().max(index + 1);
                    draw.targets.resize(count, target(4));
                    draw.targets[index] = target(4);
                }
            }
            SemanticKind::Depth
            | SemanticKind::DepthLessEqual
            | SemanticKind::DepthGreaterEqual => {
                draw.depth = Some(target(1));
            }
            // All of one kind are an array.
            SemanticKind::ClipDistance | SemanticKind::CullDistance
                if draw
                    .outputs
                    .iter()
                    .any(|output| *output.semantic == *element.name) => {}
            _ => draw.outputs.extend(indices.map(|index| Output {
                semantic: element.name.to_string(),
                index,
                stream: element.stream.into(),
                expect: None,
                tolerance: None,
            })),
        }
    }
    draw
}

/// Adds the resource that a shader has at an index of a heap, as [`dispatch`] makes it. The index is
/// at most [`MAX_HEAP`].
///
/// # Errors
/// There is no resource of this shape.
pub fn add_to_heap(
    index: u32,
    view: &View,
    bindings: &mut Vec<Binding>,
    scenes: &mut Vec<Scene>,
) -> Result<(), Error> {
    let not_in_heap = || Error::NotInHeap { index, view: *view };
    let mut resource = Resource::new(view.class, view.kind, 0, 0);
    resource.component = Some(view.component);
    resource.stride = Some(view.stride);
    resource.has_counter = view.compares_or_counts;
    resource.cbuffer_size = 1 << 16;
    if view.kind == ResourceKind::RTAccelerationStructure {
        let heap = Some(index);
        scenes.push(Scene {
            heap,
            ..scene(0, 0)
        });
        return Ok(());
    }
    let kind = kind_of(view.kind).ok_or_else(not_in_heap)?;
    let mut binding = binding(&resource, view.components, kind, 0);
    binding.place.heap = Some(index);
    let compares = kind == Kind::Sampler && view.compares_or_counts;
    binding.compare = compares.then_some(Compare::LessEqual);
    bindings.push(binding);
    Ok(())
}

/// Fills the resources that [`dispatch`] and [`draw`] make with random numbers, and gives comparison
/// samplers a comparison. Floats are from 0.25 to 1.75, integers from 0 to 7. Words of buffers without
/// a format are one or the other at random, all floats, or all integers, by the seed modulo 3.
pub fn fill(shader: &Shader, bindings: &mut [Binding], seed: u64) {
    let is_filtered = |b: &Binding| b.kind.is_texture() && b.format.is_some_and(Format::is_integer);
    let linear = seed.is_multiple_of(2) && !bindings.iter().any(is_filtered);
    let compares = |binding: &Binding| {
        shader.resources.iter().any(|resource| {
            resource.sampler_kind == SamplerKind::Comparison
                && class_of(resource.class) == Class::Sampler
                && resource.space == binding.place.space
                && (resource.lower_bound..=resource.lower_bound.saturating_add(MAX_RANGE))
                    .contains(&binding.place.register)
        })
    };
    let has_heap = bindings.iter().any(|b| b.place.heap.is_some());
    let integers = if has_heap { INDICES } else { 8 };
    for (number, binding) in bindings.iter_mut().enumerate() {
        if binding.kind == Kind::Sampler {
            let compares = compares(binding).then_some(Compare::LessEqual);
            binding.compare = binding.compare.or(compares);
            if linear {
                (binding.filter, binding.address) = (Some(Filter::Linear), Some(Address::Wrap));
            }
            continue;
        }
        let seed_of_binding = seed.wrapping_mul(1000).wrapping_add(number as u64);
        let random = |is_float: bool| Data::Random {
            number: if is_float { Number::F32 } else { Number::U32 },
            seed: seed_of_binding,
            min: if is_float { 0.25 } else { 0.0 },
            max: if is_float {
                1.75
            } else {
                f64::from(integers - 1)
            },
        };
        binding.data = Some(match (binding.format, seed % 3) {
            (Some(format), _) => random(!format.is_integer()),
            (None, 1) => random(true),
            (None, 2) => random(false),
            (None, _) => Data::Fill(Box::new(mixture(seed_of_binding, integers))),
        });
    }
}

/// Replaces words of buffers that a shader takes for indices of a heap by small ones.
pub fn rename(bindings: &mut [Binding], words: &[u32]) -> Result<(), DispatchError> {
    let is_buffer =
        |b: &&mut Binding| matches!(b.kind, Kind::Constants | Kind::Raw | Kind::Structured);
    for binding in bindings.iter_mut().filter(is_buffer) {
        let mut bytes = binding.contents()?;
        for word in bytes.as_chunks_mut().0 {
            let at = words
                .iter()
                .position(|&old| old == u32::from_le_bytes(*word));
            if let Some(at) = at {
                *word = (INDICES + at as u32).to_le_bytes();
            }
        }
        binding.data = Some(Data::of_bytes(&bytes, Number::U32));
    }
    Ok(())
}

/// Returns words that are floats or small integers.
fn mixture(seed: u64, integers: u32) -> Data {
    let word = |index: u64| {
        let bits = split_mix(seed.wrapping_mul(1 << 32).wrapping_add(index));
        if bits >> 63 == 0 {
            (bits % u64::from(integers)) as u32
        } else if integers == INDICES {
            // As many that each is one word.
            (((bits % 1536 + 256) as f32) / 1024.0).to_bits()
        } else {
            // A quarter to seven quarters, in steps of a sixteenth.
            (((bits % 25) as f32 + 4.0) / 16.0).to_bits()
        }
    };
    Data::U32((0..1021).map(word).collect())
}

/// Returns the semantic index of each row of an element.
fn indices(element: &SignatureElement) -> impl Iterator<Item = u32> {
    (0..element.rows).map(|row| element.indices.get(row as usize).copied().unwrap_or(row))
}

/// Returns inputs for elements of a signature.
fn named_inputs(elements: &[&SignatureElement]) -> Vec<Input> {
    let mut inputs = Vec::new();
    let mut distances = [0; 2];
    for element in elements {
        let columns = u32::from(element.cols);
        let is_cull = element.semantic == SemanticKind::CullDistance;
        // Index and components of each input: all distances of one kind are an array.
        let parts: Vec<(u32, u32)> = if is_cull || element.semantic == SemanticKind::ClipDistance {
            let first = distances[usize::from(is_cull)];
            distances[usize::from(is_cull)] += element.rows * columns;
            let parts = first..distances[usize::from(is_cull)];
            parts.map(|index| (index, 1)).collect()
        } else {
            indices(element).map(|index| (index, columns)).collect()
        };
        for (index, columns) in parts {
            let format = number_format(Some(element.ty), columns);
            let (number, max) = if format.is_integer() {
                (Number::U32, 7.0)
            } else {
                (Number::F32, 1.0)
            };
            let seed = inputs.len() as u64;
            inputs.push(Input {
                semantic: element.name.to_string(),
                index,
                format,
                data: Data::Random {
                    number,
                    seed,
                    min: 0.0,
                    max,
                },
            });
        }
    }
    inputs
}

/// Returns whether the pipeline gives an input.
fn is_given(entry: &EntryPoint, element: &SignatureElement) -> bool {
    let is_position = element.semantic == SemanticKind::Position;
    is_generated(element.semantic) || entry.kind == ShaderKind::Pixel && is_position
}

/// Returns the vertices of the primitives that a shader reads.
fn vertices(entry: &EntryPoint) -> u32 {
    match &entry.properties {
        Properties {
            geometry: Some(geometry),
            ..
        } => geometry.input.vertices(),
        Properties {
            hull: Some(hull), ..
        } => hull.input_control_points,
        Properties {
            domain: Some(domain),
            ..
        } => domain.input_control_points,
        _ if matches!(entry.kind, ShaderKind::Vertex | ShaderKind::Pixel) => 3,
        _ => 0,
    }
}

fn resources(module: &Module, shader: &Shader, below: u32) -> (Vec<Binding>, Vec<Scene>) {
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
            let mut binding = binding(resource, components(module, resource), kind, register);
            if kind != Kind::Sampler {
                let float = binding.format.is_some_and(|format| !format.is_integer());
                binding.data = Some(pattern(below.max(1), float));
            }
            bindings.push(binding);
        }
    }
    (bindings, scenes)
}

fn binding(resource: &Resource, components: u32, kind: Kind, register: u32) -> Binding {
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
                format(resource, components)
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
    use Format as F;
    if resource.kind == ResourceKind::TBuffer {
        return F::R32G32B32A32_UINT;
    }
    // No typed buffer or texture has three components.
    let components = if components == 3 { 4 } else { components };
    number_format(resource.component, components)
}

/// Returns a format of 32-bit components of a type.
fn number_format(component: Option<ComponentType>, components: u32) -> Format {
    use ComponentType::*;
    use Format as F;
    let index = components.clamp(1, 4) as usize - 1;
    let unsigned = [
        F::R32_UINT,
        F::R32G32_UINT,
        F::R32G32B32_UINT,
        F::R32G32B32A32_UINT,
    ];
    match component.unwrap_or(Invalid) {
        I16 | I32 => [
            F::R32_SINT,
            F::R32G32_SINT,
            F::R32G32B32_SINT,
            F::R32G32B32A32_SINT,
        ][index],
        I1 | U16 | U32 | PackedS8x32 | PackedU8x32 => unsigned[index],
        // Two words a number.
        I64 | U64 | F64 | SNormF64 | UNormF64 => unsigned[[1, 3, 3, 3][index]],
        _ => [
            F::R32_FLOAT,
            F::R32G32_FLOAT,
            F::R32G32B32_FLOAT,
            F::R32G32B32A32_FLOAT,
        ][index],
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
