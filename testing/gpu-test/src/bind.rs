//! Maps a test file's resources to a module's descriptors.

use ash::vk;
use spirv::ImageFormat;
use trellis_dxil_interpreter::dispatch::{Binding, Class, Compare, Kind, Place, Scene};
use trellis_dxil_interpreter::format::Format;
use trellis_spirv_backend::bindings::DefaultBindings;

use crate::case::Case;
use crate::formats;
use crate::spirv_module::{Count, Resource, SpirvModule};
use crate::vulkan::{self, Element, Image, Object, Sampler, View};

/// Objects of a case and the descriptors of one module over them.
#[derive(Debug)]
pub struct Bound {
    /// Objects: one for each binding of the file, then one for each counter.
    pub objects: Vec<Object>,
    /// Descriptors.
    pub bindings: Vec<vulkan::Binding>,
    /// For each binding of the file the object of its counter.
    pub counters: Vec<Option<usize>>,
}

/// Binds the resources of a case to the descriptors of a module: set = space, binding = register +
/// the default shift of its class.
///
/// # Errors
/// The module uses a resource that the file lacks, or the file's resource cannot be created.
pub fn bind(module: &SpirvModule, case: &Case) -> Result<Bound, String> {
    let file = case.bindings();
    let compares = file.iter().any(|b| b.compare.is_some());
    let mut objects = file
        .iter()
        .map(|b| object(b, compares))
        .collect::<Result<Vec<_>, _>>()?;
    let mut counters = Vec::new();
    for binding in file {
        counters.push(binding.counter.map(|value| {
            objects.push(Object::Buffer(value.to_le_bytes().to_vec()));
            objects.len() - 1
        }));
    }
    let first_scene = objects.len();
    objects.extend(case.scenes().cloned().map(Object::Scene));
    let descriptors = |resource: &Resource| {
        if resource.ty == vk::DescriptorType::ACCELERATION_STRUCTURE_KHR {
            structures(resource, case, first_scene)
        } else {
            descriptors(resource, file, &counters)
        }
    };
    let mut bindings = module
        .resources
        .iter()
        .map(descriptors)
        .collect::<Result<Vec<_>, _>>()?;
    for (resource, binding) in module.resources.iter().zip(&mut bindings) {
        widen(resource, binding, &mut objects);
    }
    Ok(Bound {
        objects,
        bindings,
        counters,
    })
}

/// Direct3D has no format of 64-bit integers: their atomic operations work on textures and buffers
/// of two words per texel. Vulkan has 64-bit formats. Floats whose bits are compared are words.
fn widen(resource: &Resource, binding: &mut vulkan::Binding, objects: &mut [Object]) {
    for element in binding.elements.iter_mut().flatten() {
        let image = match objects.get_mut(element.object) {
            Some(Object::Image(image)) => Some(&mut image.format),
            _ => None,
        };
        let declared = image.as_ref().map_or(element.format, |format| **format);
        let format = match (resource.format, declared) {
            (Some(ImageFormat::R64ui), _) => vk::Format::R64_UINT,
            (Some(ImageFormat::R64i), _) => vk::Format::R64_SINT,
            (Some(ImageFormat::R32ui), vk::Format::R32_SFLOAT) => vk::Format::R32_UINT,
            _ => continue,
        };
        element.format = format;
        if let Some(image) = image {
            *image = format;
        }
    }
}

/// The meaning of a binding number.
enum Meaning {
    Register(Class, u32),
    Counter(u32),
    Heap { sampler: bool },
    CounterHeap,
}

fn meaning(resource: &Resource) -> Meaning {
    let d = DefaultBindings::default();
    let at = resource.binding;
    if resource.set == d.heap.0 && resource.count == Count::Unbounded {
        match at {
            _ if at == d.heap.1 => return Meaning::Heap { sampler: false },
            _ if at == d.heap.2 => return Meaning::Heap { sampler: true },
            _ if at == d.counter_heap => return Meaning::CounterHeap,
            _ => {}
        }
    }
    match at {
        _ if at >= d.counter => Meaning::Counter(at - d.counter),
        _ if at >= d.sampler => Meaning::Register(Class::Sampler, at - d.sampler),
        _ if at >= d.uav => Meaning::Register(Class::Uav, at - d.uav),
        _ if at >= d.srv => Meaning::Register(Class::Srv, at - d.srv),
        _ => Meaning::Register(Class::Cbv, at - d.cbv),
    }
}

/// Returns the bindings of a file that belong to a resource: index in the array of descriptors, and
/// the object.
fn members(
    resource: &Resource,
    file: &[Binding],
    counters: &[Option<usize>],
) -> Result<Vec<(u32, usize)>, String> {
    let space = resource.set;
    let place = |class, register| Place {
        class,
        space,
        register,
        heap: None,
    };
    let find = |wanted: Place| file.iter().position(|b| b.place == wanted);
    let mut found: Vec<(u32, usize)> = Vec::new();
    let limit = match resource.count {
        Count::One => 1,
        Count::Array(n) => n,
        Count::Unbounded => 4096,
    };
    match meaning(resource) {
        Meaning::Register(class, first) => {
            for (index, binding) in file.iter().enumerate() {
                let p = binding.place;
                if p.class == class
                    && p.space == space
                    && p.heap.is_none()
                    && p.register >= first
                    && p.register - first < limit
                {
                    found.push((p.register - first, index));
                }
            }
            if found.is_empty() {
                return Err(format!(
                    "the shader uses {}, which the file lacks",
                    place(class, first)
                ));
            }
        }
        Meaning::Counter(first) => {
            for index in 0..limit.min(64) {
                if let Some(counter) =
                    find(place(Class::Uav, first + index)).and_then(|at| counters[at])
                {
                    found.push((index, counter));
                }
            }
            if found.is_empty() {
                return Err(format!(
                    "the shader uses the counter of {}, which the file lacks",
                    place(Class::Uav, first)
                ));
            }
        }
        Meaning::Heap { sampler } => {
            let of_heap = |b: &Binding| {
                b.place
                    .heap
                    .filter(|_| (b.place.class == Class::Sampler) == sampler)
            };
            found.extend(
                file.iter()
                    .enumerate()
                    .filter_map(|(index, b)| Some((of_heap(b)?, index))),
            );
        }
        Meaning::CounterHeap => {
            found.extend(
                file.iter()
                    .enumerate()
                    .filter_map(|(index, b)| Some((b.place.heap?, counters[index]?))),
            );
        }
    }
    Ok(found)
}

fn descriptors(
    resource: &Resource,
    file: &[Binding],
    counters: &[Option<usize>],
) -> Result<vulkan::Binding, String> {
    let found = members(resource, file, counters)?;
    let length = match resource.count {
        Count::One => 1,
        Count::Array(n) => n,
        Count::Unbounded => found.iter().map(|(index, _)| index + 1).max().unwrap_or(1),
    };
    let mut elements = vec![None; length as usize];
    for (index, object) in found {
        if let Some(slot) = elements.get_mut(index as usize) {
            *slot = element(resource, file.get(object), object);
        }
    }
    Ok(vulkan::Binding {
        set: resource.set,
        binding: resource.binding,
        ty: resource.ty,
        elements,
    })
}

/// Returns the descriptors of acceleration structures; the case's scenes are the objects from
/// `first` on.
fn structures(resource: &Resource, case: &Case, first: usize) -> Result<vulkan::Binding, String> {
    let register = resource
        .binding
        .checked_sub(DefaultBindings::default().srv)
        .ok_or("an acceleration structure that is not an SRV")?;
    let place = |index: u32| {
        let place = |s: &Scene| (s.heap, s.space, s.register);
        case.scenes()
            .position(|s| place(s) == (None, resource.set, register + index))
            .map(|at| first + at)
    };
    let count = match resource.count {
        Count::One => 1,
        Count::Array(n) => n,
        Count::Unbounded => 64,
    };
    let elements: Vec<_> = (0..count)
        .map(|index| {
            place(index).map(|object| Element {
                object,
                ty: None,
                view: None,
                format: vk::Format::UNDEFINED,
            })
        })
        .collect();
    if elements.iter().all(Option::is_none) {
        return Err(format!(
            "the shader uses the scene t{register} (space {}), which the file lacks",
            resource.set
        ));
    }
    Ok(vulkan::Binding {
        set: resource.set,
        binding: resource.binding,
        ty: resource.ty,
        elements,
    })
}

/// Returns the descriptor of one object; `None` where a heap has another kind of resource at that
/// place.
fn element(resource: &Resource, binding: Option<&Binding>, object: usize) -> Option<Element> {
    let Some(binding) = binding else {
        // A counter.
        return Some(Element {
            object,
            ty: None,
            view: None,
            format: vk::Format::UNDEFINED,
        });
    };
    let natural = natural(binding);
    let ty = if resource.ty == vk::DescriptorType::MUTABLE_EXT {
        natural
    } else {
        resource.ty
    };
    if binding.place.heap.is_some() && ty != natural {
        return None;
    }
    let shape = resource
        .view
        .filter(|_| binding.place.heap.is_none())
        .unwrap_or(shape(binding.kind));
    let mips = if ty == vk::DescriptorType::STORAGE_IMAGE {
        1
    } else {
        binding.mips
    };
    Some(Element {
        object,
        ty: Some(ty),
        view: binding.kind.is_texture().then_some(View {
            shape,
            mips: (0, mips),
        }),
        format: binding
            .format
            .map_or(vk::Format::UNDEFINED, formats::vulkan),
    })
}

fn natural(binding: &Binding) -> vk::DescriptorType {
    use vk::DescriptorType as T;
    match (binding.place.class, binding.kind) {
        (Class::Sampler, _) => T::SAMPLER,
        (Class::Cbv, _) => T::UNIFORM_BUFFER,
        (_, Kind::Raw | Kind::Structured) => T::STORAGE_BUFFER,
        (Class::Srv, Kind::Typed) => T::UNIFORM_TEXEL_BUFFER,
        (Class::Uav, Kind::Typed) => T::STORAGE_TEXEL_BUFFER,
        (Class::Srv, _) => T::SAMPLED_IMAGE,
        (Class::Uav, _) => T::STORAGE_IMAGE,
    }
}

fn shape(kind: Kind) -> vk::ImageViewType {
    match kind {
        Kind::Texture1D => vk::ImageViewType::TYPE_1D,
        Kind::Texture1DArray => vk::ImageViewType::TYPE_1D_ARRAY,
        Kind::Texture2DArray => vk::ImageViewType::TYPE_2D_ARRAY,
        Kind::Texture3D => vk::ImageViewType::TYPE_3D,
        Kind::TextureCube => vk::ImageViewType::CUBE,
        Kind::TextureCubeArray => vk::ImageViewType::CUBE_ARRAY,
        _ => vk::ImageViewType::TYPE_2D,
    }
}

/// Returns an object with its contents. Where a sampler `compares`, textures of one float are
/// depth: Direct3D reads depth as any format, Vulkan only compares depth formats.
fn object(binding: &Binding, compares: bool) -> Result<Object, String> {
    let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", binding.place);
    if binding.kind == Kind::Sampler {
        let (filter, mip_filter) = formats::filter(binding.filter.unwrap_or_default());
        return Ok(Object::Sampler(Sampler {
            filter,
            mip_filter,
            address: [formats::address(binding.address.unwrap_or_default()); 3],
            compare: binding.compare.map(compare),
            lod_bias: 0.0,
            lod: [0.0, vk::LOD_CLAMP_NONE],
            border: vk::BorderColor::FLOAT_TRANSPARENT_BLACK,
        }));
    }
    let data = binding.contents().map_err(|error| fail(&error))?;
    let (Some(size), Some(format)) = (binding.size, binding.format) else {
        return Ok(Object::Buffer(data));
    };
    let dimension = match binding.kind {
        Kind::Texture1D | Kind::Texture1DArray => vk::ImageType::TYPE_1D,
        Kind::Texture3D => vk::ImageType::TYPE_3D,
        _ => vk::ImageType::TYPE_2D,
    };
    let depth = compares
        && binding.place.class == Class::Srv
        && format == Format::R32_FLOAT
        && dimension != vk::ImageType::TYPE_3D;
    Ok(Object::Image(Image {
        dimension,
        format: if depth {
            vk::Format::D32_SFLOAT
        } else {
            formats::vulkan(format)
        },
        extent: size,
        mips: binding.mips,
        layers: binding.layers,
        samples: binding.samples,
        cube: matches!(binding.kind, Kind::TextureCube | Kind::TextureCubeArray),
        data,
    }))
}

fn compare(compare: Compare) -> vk::CompareOp {
    match compare {
        Compare::Never => vk::CompareOp::NEVER,
        Compare::Less => vk::CompareOp::LESS,
        Compare::Equal => vk::CompareOp::EQUAL,
        Compare::LessEqual => vk::CompareOp::LESS_OR_EQUAL,
        Compare::Greater => vk::CompareOp::GREATER,
        Compare::NotEqual => vk::CompareOp::NOT_EQUAL,
        Compare::GreaterEqual => vk::CompareOp::GREATER_OR_EQUAL,
        Compare::Always => vk::CompareOp::ALWAYS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::TestFile;
    use crate::spirv_module;

    #[test]
    fn texels_of_64_bit_integers_have_a_format_of_their_own() {
        let file = |suffix: &str| {
            format!(
                "{}/../../corpus/shaders/atomics/typed_64.{suffix}",
                env!("CARGO_MANIFEST_DIR")
            )
        };
        let case = TestFile::from_json(&std::fs::read_to_string(file("run.json")).unwrap())
            .unwrap()
            .cases
            .remove(0);
        let dxil = std::fs::read(file("dxil")).unwrap();
        let ours =
            trellis_spirv_backend::convert(&dxil, &trellis_spirv_backend::Options::default())
                .unwrap()
                .words;
        let dxc = spirv_module::words(&std::fs::read(file("dxc.spv")).unwrap()).unwrap();
        // In DXIL the components of all three are unsigned, and the operation decides. DXC's SPIR-V
        // has the signed one.
        for (words, last) in [(ours, vk::Format::R64_UINT), (dxc, vk::Format::R64_SINT)] {
            let bound = bind(&spirv_module::read(&words).unwrap(), &case).unwrap();
            let image = |index: usize| {
                if let Object::Image(image) = &bound.objects[index] {
                    image.format
                } else {
                    vk::Format::UNDEFINED
                }
            };
            assert_eq!([image(1), image(2)], [vk::Format::R64_UINT, last]);
            let buffer = bound
                .bindings
                .iter()
                .find(|b| b.ty == vk::DescriptorType::STORAGE_TEXEL_BUFFER)
                .unwrap();
            assert_eq!(
                buffer.elements[0].map(|element| element.format),
                Some(vk::Format::R64_UINT)
            );
        }
    }
}
