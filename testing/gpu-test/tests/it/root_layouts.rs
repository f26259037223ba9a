//! The pipeline layout of a root signature has each descriptor of the converted shader, with the kind
//! that the shader declares. No device is needed: every shader of the corpus is converted with root
//! signatures that are made for it.

use std::sync::Arc;

use gpu_test::spirv_module::{self, Count};
use gpu_test::vulkan::vk;
use trellis_corpus::manifest::Manifest;
use trellis_dxil_frontend::shader::{Resource, ResourceClass, Shader, UNBOUNDED};
use trellis_spirv_backend::bindings::{DescriptorKind, PipelineLayout, RootSignatureBindings};
use trellis_spirv_backend::{Options, convert_all};

/// Returns a serialized root signature (version 1.0) of tables with one range each: of the resource's
/// own registers, or without end.
fn signature(resources: &[Resource], unbounded: bool) -> Vec<u8> {
    let count = resources.len() as u32;
    let (header, parameters) = (24, 12 * count);
    let tables = header + parameters;
    let mut words = vec![1, count, header, 0, header, 0];
    // A table has two words and its range five.
    for number in 0..count {
        words.extend([0, 0, tables + 28 * number]);
    }
    for (number, resource) in (0..).zip(resources) {
        let class = match resource.class {
            ResourceClass::Srv => 0,
            ResourceClass::Uav => 1,
            ResourceClass::CBuffer => 2,
            ResourceClass::Sampler => 3,
        };
        let registers = if unbounded {
            UNBOUNDED
        } else {
            resource.range_size
        };
        words.extend([1, tables + 28 * number + 8]);
        words.extend([class, registers, resource.lower_bound, resource.space, 0]);
    }
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn ty(kind: DescriptorKind) -> vk::DescriptorType {
    use vk::DescriptorType as T;
    match kind {
        DescriptorKind::UniformBuffer => T::UNIFORM_BUFFER,
        DescriptorKind::StorageBuffer | DescriptorKind::DeviceAddress => T::STORAGE_BUFFER,
        DescriptorKind::UniformTexelBuffer => T::UNIFORM_TEXEL_BUFFER,
        DescriptorKind::StorageTexelBuffer => T::STORAGE_TEXEL_BUFFER,
        DescriptorKind::SampledImage => T::SAMPLED_IMAGE,
        DescriptorKind::StorageImage => T::STORAGE_IMAGE,
        DescriptorKind::Sampler => T::SAMPLER,
        DescriptorKind::AccelerationStructure => T::ACCELERATION_STRUCTURE_KHR,
    }
}

/// Returns the descriptors of a module that are not in the layout, and the number of those that are.
/// Those of the descriptor heaps are in neither.
fn compare(layout: &PipelineLayout, words: &[u32]) -> (Vec<String>, usize) {
    let module = spirv_module::read(words).unwrap();
    let fits = |resource: &&spirv_module::Resource| {
        let binding = &layout.sets[resource.set as usize].bindings[resource.binding as usize];
        let count = match resource.count {
            Count::One => binding.count == 1,
            Count::Array(_) => false,
            Count::Unbounded => binding.count > 1,
        };
        // The module's reader takes variables of several kinds at one binding for mutable descriptors.
        // A shader of a library may use some of its resources.
        let kind = match resource.ty {
            vk::DescriptorType::MUTABLE_EXT => binding.kinds.len() > 1,
            declared => binding.kinds.iter().any(|kind| ty(*kind) == declared),
        };
        count && kind && binding.binding == resource.binding
    };
    let tables = module.resources.iter();
    let tables = tables.filter(|r| (r.set as usize) < layout.sets.len());
    let (good, bad): (Vec<_>, Vec<_>) = tables.partition(fits);
    (bad.iter().map(|r| format!("{r:?}")).collect(), good.len())
}

fn check(dxil: &[u8], shader: &Shader, unbounded: bool) -> Result<usize, String> {
    let signature = signature(&shader.resources, unbounded);
    let model = RootSignatureBindings::read(&signature).map_err(|error| error.to_string())?;
    let layout = model.pipeline_layout([shader]);
    let options = Options::default()
        .with_debug_info(false)
        .with_bindings(Arc::new(model));
    let mut descriptors = 0;
    for output in convert_all(dxil, &options).map_err(|error| error.to_string())? {
        let output = output.map_err(|error| error.to_string())?;
        let (missing, found) = compare(&layout, &output.words);
        if !missing.is_empty() {
            return Err(missing.join("\n"));
        }
        descriptors += found;
    }
    Ok(descriptors)
}

#[test]
fn layouts_have_the_descriptors_of_the_shaders() {
    let shaders = crate::common::corpus();
    let manifest = Manifest::load(&shaders.join("manifest.json")).unwrap();
    let (mut descriptors, mut wrong) = (0, Vec::new());
    for entry in &manifest.shaders {
        let dxil = std::fs::read(shaders.join(&entry.path)).unwrap();
        let input = trellis_dxil_frontend::read(&dxil).unwrap();
        for unbounded in [false, true] {
            match check(&dxil, &input.shader, unbounded) {
                Ok(found) => descriptors += found,
                Err(why) => wrong.push(format!("{}, {unbounded}: {why}", entry.path)),
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    println!("{descriptors} descriptors");
    assert!(descriptors > 1000, "{descriptors}");
}
