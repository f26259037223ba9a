//! Translates a root signature to the structures from which Vulkan's layouts are created. No device
//! is needed.
//!
//! Trellis says where everything is ([`PipelineLayout`]); this module writes it in Vulkan's terms:
//!
//! * root constants and root descriptors (as device addresses) are one range of push constants,
//! * each descriptor table is a descriptor set, with a binding for each range; one without end is an
//!   array of [`UNBOUNDED_COUNT`] descriptors of which any may be missing,
//! * static samplers are immutable samplers in set 0.

use ash::vk;
use trellis_dxil::bindings::{DescriptorKind, PipelineLayout, RootParameterPlace, SetBinding};
use trellis_dxil::frontend::container::StaticSampler;

use crate::error::Error;

/// Number of descriptors of an array that the root signature does not bound.
pub const UNBOUNDED_COUNT: u32 = 64;

/// The layout of a pipeline.
#[derive(Debug)]
pub struct RootLayout {
    /// Root constants and root descriptors.
    pub push_constants: Option<vk::PushConstantRange>,
    /// Descriptor sets, by number.
    pub sets: Vec<Vec<Slot>>,
    /// Root parameters, by number.
    pub parameters: Vec<RootParameterPlace>,
}

/// A binding of a descriptor set.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// Number.
    pub binding: u32,
    /// Type of the descriptors.
    pub ty: vk::DescriptorType,
    /// Number of descriptors.
    pub count: u32,
    /// Stages that see them.
    pub stages: vk::ShaderStageFlags,
    /// Number of the range in the descriptor table; `None` for a static sampler.
    pub range: Option<u32>,
    /// The sampler that is always there.
    pub sampler: Option<StaticSampler>,
}

impl RootLayout {
    /// Translates the layout of a pipeline with shaders of these stages.
    ///
    /// # Errors
    /// It has something that this engine leaves out.
    pub fn new(layout: &PipelineLayout, stages: vk::ShaderStageFlags) -> Result<Self, Error> {
        if layout.heap_set.is_some() {
            return Err(Error::Unsupported(
                "shaders that index the descriptor heaps (shader model 6.6)",
            ));
        }
        let mut sets = Vec::new();
        for (number, set) in layout.sets.iter().enumerate() {
            let mut slots = Vec::new();
            for binding in &set.bindings {
                match binding.kinds[..] {
                    // No shader of the pipeline uses it.
                    [] => {}
                    [kind] => slots.push(slot(binding, kind, stages)?),
                    _ => {
                        return Err(Error::SeveralKinds {
                            set: number,
                            binding: binding.binding,
                            kinds: binding.kinds.clone(),
                        });
                    }
                }
            }
            sets.push(slots);
        }
        let size = layout.push_constant_size;
        Ok(Self {
            push_constants: (size > 0).then(|| {
                vk::PushConstantRange::default()
                    .stage_flags(stages)
                    .size(size)
            }),
            sets,
            parameters: layout.parameters.clone(),
        })
    }

    /// Returns whether a root parameter has to be set: not a table that no shader uses.
    pub fn is_used(&self, parameter: usize) -> bool {
        match self.parameters.get(parameter) {
            Some(RootParameterPlace::Table { set }) => !self.sets[*set as usize].is_empty(),
            other => other.is_some(),
        }
    }
}

fn slot(
    binding: &SetBinding,
    kind: DescriptorKind,
    stages: vk::ShaderStageFlags,
) -> Result<Slot, Error> {
    if binding.range.is_some_and(|range| range.counters) {
        return Err(Error::Unsupported("UAVs with counters"));
    }
    use vk::DescriptorType as T;
    Ok(Slot {
        binding: binding.binding,
        ty: match kind {
            DescriptorKind::UniformBuffer => T::UNIFORM_BUFFER,
            DescriptorKind::StorageBuffer => T::STORAGE_BUFFER,
            DescriptorKind::SampledImage => T::SAMPLED_IMAGE,
            DescriptorKind::StorageImage => T::STORAGE_IMAGE,
            DescriptorKind::Sampler => T::SAMPLER,
            _ => return Err(Error::Unsupported("typed buffers and ray tracing")),
        },
        count: match binding.count {
            u32::MAX => UNBOUNDED_COUNT,
            count => count,
        },
        // As D3D12_SHADER_VISIBILITY.
        stages: match binding.visibility {
            1 => vk::ShaderStageFlags::VERTEX,
            2 => vk::ShaderStageFlags::TESSELLATION_CONTROL,
            3 => vk::ShaderStageFlags::TESSELLATION_EVALUATION,
            4 => vk::ShaderStageFlags::GEOMETRY,
            5 => vk::ShaderStageFlags::FRAGMENT,
            _ => stages,
        },
        range: binding.range.map(|range| range.number),
        sampler: binding.static_sampler,
    })
}

/// Returns Vulkan's form of a static sampler, on a device with this limit of anisotropy.
///
/// # Errors
/// It has something that this engine leaves out.
pub fn sampler_info(
    sampler: &StaticSampler,
    max_anisotropy: f32,
) -> Result<vk::SamplerCreateInfo<'static>, Error> {
    // D3D12_TEXTURE_ADDRESS_MODE_MIRROR_ONCE is a feature of the device that not all have.
    if sampler.address.contains(&5) {
        return Err(Error::Unsupported("textures that are mirrored once"));
    }
    // D3D12_FILTER: a bit for linear filtering of mip levels, of magnification and of minification,
    // one for anisotropy, and two for the reduction of the texels.
    let has = |bit: u32| sampler.filter & bit != 0;
    let filter = |bit| {
        if has(bit) {
            vk::Filter::LINEAR
        } else {
            vk::Filter::NEAREST
        }
    };
    let [u, v, w] = sampler.address.map(address_mode);
    let anisotropy = (sampler.max_anisotropy as f32).min(max_anisotropy);
    Ok(vk::SamplerCreateInfo::default()
        .mag_filter(filter(0x4))
        .min_filter(filter(0x10))
        .mipmap_mode(if has(0x1) {
            vk::SamplerMipmapMode::LINEAR
        } else {
            vk::SamplerMipmapMode::NEAREST
        })
        .anisotropy_enable(has(0x40) && anisotropy > 1.0)
        .max_anisotropy(anisotropy.max(1.0))
        .compare_enable(sampler.filter >> 7 & 3 == 1)
        .compare_op(compare_op(sampler.comparison))
        .address_mode_u(u)
        .address_mode_v(v)
        .address_mode_w(w)
        .mip_lod_bias(sampler.mip_lod_bias)
        .min_lod(sampler.min_lod)
        .max_lod(sampler.max_lod.min(vk::LOD_CLAMP_NONE))
        .border_color(match sampler.border_color {
            0 => vk::BorderColor::FLOAT_TRANSPARENT_BLACK,
            1 => vk::BorderColor::FLOAT_OPAQUE_BLACK,
            _ => vk::BorderColor::FLOAT_OPAQUE_WHITE,
        }))
}

/// `D3D12_TEXTURE_ADDRESS_MODE`.
fn address_mode(mode: u32) -> vk::SamplerAddressMode {
    match mode {
        2 => vk::SamplerAddressMode::MIRRORED_REPEAT,
        3 => vk::SamplerAddressMode::CLAMP_TO_EDGE,
        4 => vk::SamplerAddressMode::CLAMP_TO_BORDER,
        _ => vk::SamplerAddressMode::REPEAT,
    }
}

/// `D3D12_COMPARISON_FUNC`, which begins at 1 with the order of Vulkan.
fn compare_op(function: u32) -> vk::CompareOp {
    vk::CompareOp::from_raw(function.saturating_sub(1).min(7) as i32)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use ash::vk;
    use trellis_dxil::bindings::{PipelineLayout, RootParameterPlace, RootSignatureBindings};
    use trellis_dxil::frontend;

    use super::{RootLayout, sampler_info};
    use crate::error::Error;

    const SCENE: [&[u8]; 2] = [
        include_bytes!("../shaders/scene.vs.dxil"),
        include_bytes!("../shaders/scene.ps.dxil"),
    ];

    fn layout(containers: &[&[u8]]) -> PipelineLayout {
        let model = RootSignatureBindings::read(containers[0]).unwrap();
        let inputs = containers.iter().map(|dxil| frontend::read(dxil).unwrap());
        let inputs: Vec<_> = inputs.collect();
        model
            .with_addresses()
            .pipeline_layout(inputs.iter().map(|input| &input.shader))
    }

    /// Returns the descriptor sets, a line for each binding.
    fn lines(root: &RootLayout) -> Vec<String> {
        let of_set = |(number, slots): (usize, &Vec<super::Slot>)| {
            let line = move |s: &super::Slot| {
                format!(
                    "{number}.{}: {:?} * {}, {:?}",
                    s.binding, s.ty, s.count, s.stages
                )
            };
            slots.iter().map(line).collect::<Vec<_>>()
        };
        root.sets.iter().enumerate().flat_map(of_set).collect()
    }

    #[test]
    fn the_scene_has_addresses_constants_tables_and_samplers() {
        use RootParameterPlace as P;
        let stages = vk::ShaderStageFlags::VERTEX | vk::ShaderStageFlags::FRAGMENT;
        let root = RootLayout::new(&layout(&SCENE), stages).unwrap();
        // Three addresses, then three constants.
        let range = root.push_constants.unwrap();
        assert_eq!((range.offset, range.size), (0, 36));
        assert_eq!(range.stage_flags, stages);
        let expected = [
            P::Constants {
                offset: 24,
                count: 3,
            },
            P::Address { offset: 0 },
            P::Address { offset: 8 },
            P::Address { offset: 16 },
            P::Table { set: 1 },
            P::Table { set: 2 },
        ];
        assert_eq!(root.parameters, expected);
        assert_eq!(
            lines(&root),
            [
                "0.0: SAMPLER * 1, VERTEX | FRAGMENT",
                "0.1: SAMPLER * 1, VERTEX | FRAGMENT",
                "1.0: SAMPLED_IMAGE * 64, FRAGMENT",
                "2.0: SAMPLED_IMAGE * 1, FRAGMENT",
            ]
        );
        assert!((0..6).all(|parameter| root.is_used(parameter)) && !root.is_used(6));
    }

    #[test]
    fn tables_that_no_shader_uses_have_no_bindings() {
        let stages = vk::ShaderStageFlags::VERTEX;
        let root = RootLayout::new(&layout(&SCENE[..1]), stages).unwrap();
        assert_eq!(root.sets.len(), 3);
        assert!(root.sets[1].is_empty() && root.sets[2].is_empty());
        assert!(root.is_used(3) && !root.is_used(4) && !root.is_used(5));
    }

    #[test]
    fn static_samplers_keep_their_properties() {
        let layout = layout(&SCENE);
        let samplers = layout.sets[0].bindings.iter();
        let samplers = samplers.map(|b| sampler_info(&b.static_sampler.unwrap(), 4.0).unwrap());
        let [smooth, compare] = samplers.collect::<Vec<_>>().try_into().unwrap();
        assert_eq!(smooth.anisotropy_enable, vk::TRUE);
        assert_eq!(smooth.max_anisotropy, 4.0, "the limit of the device");
        assert_eq!(smooth.mipmap_mode, vk::SamplerMipmapMode::LINEAR);
        assert_eq!(smooth.address_mode_u, vk::SamplerAddressMode::REPEAT);
        assert_eq!(smooth.compare_enable, vk::FALSE);
        assert_eq!(compare.compare_enable, vk::TRUE);
        assert_eq!(compare.compare_op, vk::CompareOp::LESS_OR_EQUAL);
        assert_eq!(compare.mag_filter, vk::Filter::LINEAR);
        assert_eq!(compare.mipmap_mode, vk::SamplerMipmapMode::NEAREST);
        assert_eq!(
            compare.address_mode_v,
            vk::SamplerAddressMode::CLAMP_TO_BORDER
        );
        assert_eq!(compare.border_color, vk::BorderColor::FLOAT_OPAQUE_WHITE);
    }

    #[test]
    fn what_is_left_out_is_an_error() {
        let dxil = include_bytes!("../../../corpus/shaders/root_signature/heap_indexed.dxil");
        let error = RootLayout::new(&layout(&[dxil]), vk::ShaderStageFlags::COMPUTE).unwrap_err();
        assert!(matches!(error, Error::Unsupported(_)), "{error}");
    }
}
