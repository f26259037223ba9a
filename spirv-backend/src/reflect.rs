//! Reflection: properties of a shader, and the descriptors of its resources, as plain data for
//! `serde`.

mod stages;

use std::collections::BTreeSet;

use serde::Serialize;
use trellis_dxil_frontend::Input;
use trellis_dxil_frontend::container::{
    DescriptorRange, RootDescriptor, RootParameterKind, RootSignature,
};
use trellis_dxil_frontend::shader::{
    EntryPoint, MeshTopology, Resource, ResourceClass, ResourceKind, SamplerKind, SignatureElement,
    UNBOUNDED, Version,
};

use crate::bindings::ResourceQuery;
use crate::error::Error;
use crate::mesh_outputs::primitive_location;
use crate::options::Options;
pub use stages::{GeometryReflection, TessellationReflection};
use stages::{geometry, tessellation};

/// A shader's description. Serializes to the JSON that `trellis reflect` prints; absent facts are
/// left out.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reflection {
    /// Stage of the module (`library` for several).
    pub stage: &'static str,
    /// Shader model, such as `6.6`.
    pub shader_model: String,
    /// DXIL version.
    pub dxil_version: String,
    /// Validator version.
    pub validator_version: String,
    /// 16-bit types are native rather than minimum precision.
    pub native_16bit: bool,
    /// Denormals of 32-bit floats: `any`, `preserve` or `flush`.
    pub denormals: &'static str,
    /// D3D features that the shader requires (`SFI0`).
    pub features: Vec<String>,
    /// Entry points.
    pub entry_points: Vec<EntryReflection>,
    /// Resources of the module.
    pub resources: Vec<ResourceReflection>,
    /// Root signature, if the container or the metadata has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_signature: Option<RootSignatureReflection>,
}

/// One entry point.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EntryReflection {
    /// Name.
    pub name: String,
    /// Stage.
    pub stage: &'static str,
    /// Threads of a group: x, y, z.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workgroup_size: Option<[u32; 3]>,
    /// Wave sizes that the shader accepts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wave_size: Option<WaveSize>,
    /// Primitives, streams and instances of a geometry shader.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geometry: Option<GeometryReflection>,
    /// Properties of the patches of a hull or domain shader.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tessellation: Option<TessellationReflection>,
    /// Output of a mesh shader.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshReflection>,
    /// Bytes of the payload: between amplification and mesh shader, of a ray, or of a callable
    /// shader's data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload_size: Option<u32>,
    /// Bytes of the hit attributes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute_size: Option<u32>,
    /// Inputs.
    pub inputs: Vec<ElementReflection>,
    /// Outputs.
    pub outputs: Vec<ElementReflection>,
    /// Patch constants or per-primitive outputs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub patch_constants: Vec<ElementReflection>,
}

/// Outputs of a mesh shader.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct MeshReflection {
    /// `line` or `triangle`.
    pub topology: &'static str,
    /// Most vertices of a group.
    pub max_vertices: u32,
    /// Most primitives of a group.
    pub max_primitives: u32,
    /// The Vulkan location of register 0 of the per-primitive outputs (`patch_constants`).
    pub primitive_location: u32,
}

/// Wave sizes (`[WaveSize]`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct WaveSize {
    /// Smallest.
    pub min: u32,
    /// Largest.
    pub max: u32,
    /// Preferred, 0 for none.
    pub preferred: u32,
}

/// One element of a signature.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ElementReflection {
    /// Semantic name.
    pub semantic: String,
    /// Semantic index of each row.
    pub indices: Vec<u32>,
    /// System value, such as `Position`; absent for user semantics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_value: Option<String>,
    /// Component type, such as `F32`.
    pub component: String,
    /// Rows.
    pub rows: u32,
    /// Components of a row.
    pub columns: u8,
    /// Stream of a geometry shader's output, if it is not the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<u8>,
    /// First register, if the element is packed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub register: Option<u32>,
    /// First component in the register.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_column: Option<u32>,
    /// Interpolation mode of an input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interpolation: Option<String>,
}

/// One resource range and where the binding model puts it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ResourceReflection {
    /// Name, if known.
    pub name: String,
    /// `srv`, `uav`, `cbuffer` or `sampler`.
    pub class: &'static str,
    /// Shape, such as `Texture2D`.
    pub kind: String,
    /// Register space.
    pub space: u32,
    /// First register.
    pub register: u32,
    /// Number of registers; absent for an unbounded range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Element type of a typed resource.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<String>,
    /// Stride of a structured buffer in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stride: Option<u32>,
    /// Size of a constant buffer in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u32>,
    /// `globallycoherent`, `rasterizer_ordered`, `comparison`, …
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<&'static str>,
    /// Place in Vulkan.
    pub vulkan: PlaceReflection,
    /// Place of the hidden counter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counter: Option<PlaceReflection>,
}

/// A place in a descriptor set, or why there is none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum PlaceReflection {
    /// The place.
    Bound {
        /// Descriptor set.
        set: u32,
        /// Binding.
        binding: u32,
        /// Kind of descriptor.
        descriptor: String,
    },
    /// The binding model has none.
    Unbound {
        /// Its answer.
        error: String,
    },
}

/// A root signature.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RootSignatureReflection {
    /// Version, such as `1.1`.
    pub version: String,
    /// `D3D12_ROOT_SIGNATURE_FLAGS`.
    pub flags: u32,
    /// Parameters in order.
    pub parameters: Vec<RootParameterReflection>,
    /// Static samplers.
    pub static_samplers: Vec<StaticSamplerReflection>,
}

/// A root parameter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RootParameterReflection {
    /// Stages that see it, such as `all` or `pixel`.
    pub visibility: &'static str,
    /// Kind of the parameter.
    #[serde(flatten)]
    pub kind: RootKindReflection,
}

/// Kind of a root parameter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RootKindReflection {
    /// Descriptor table.
    Table {
        /// Ranges.
        ranges: Vec<RangeReflection>,
    },
    /// 32-bit constants.
    Constants {
        /// Register.
        register: u32,
        /// Register space.
        space: u32,
        /// Number of values.
        count: u32,
    },
    /// A descriptor in the root.
    Descriptor {
        /// Class.
        class: &'static str,
        /// Register.
        register: u32,
        /// Register space.
        space: u32,
    },
}

/// A range of a descriptor table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RangeReflection {
    /// Class.
    pub class: &'static str,
    /// First register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// Number of descriptors; absent for an unbounded range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
}

/// A static sampler's place and filter.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StaticSamplerReflection {
    /// Register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// `D3D12_FILTER`.
    pub filter: u32,
    /// `D3D12_TEXTURE_ADDRESS_MODE` of u, v, w.
    pub address: [u32; 3],
}

/// Reads a shader and describes it; resources are placed by [`Options::bindings`].
///
/// ```
/// let dxil = include_bytes!("../tests/data/collatz.dxil");
/// let reflection = trellis_spirv_backend::reflect(dxil, &trellis_spirv_backend::Options::default())?;
/// assert_eq!(reflection.entry_points[0].name, "main");
/// assert_eq!(reflection.stage, "compute");
/// # Ok::<(), trellis_spirv_backend::Error>(())
/// ```
///
/// # Errors
/// The input cannot be read.
pub fn reflect(bytes: &[u8], options: &Options) -> Result<Reflection, Error> {
    let mut input = trellis_dxil_frontend::read(bytes)?;
    if let Some(container) = &input.container {
        trellis_dxil_frontend::names_from_stat(container, &mut input.shader)?;
    }
    reflect_input(&input, options)
}

/// Describes a shader that was read before.
///
/// # Errors
/// The root signature is malformed.
pub fn reflect_input(input: &Input<'_>, options: &Options) -> Result<Reflection, Error> {
    let shader = &input.shader;
    let root = match &input.container {
        Some(container) => container
            .root_signature()
            .map_err(trellis_dxil_frontend::Error::from)?,
        None => None,
    };
    Ok(Reflection {
        stage: shader.kind.name(),
        shader_model: version(shader.model),
        dxil_version: version(shader.dxil_version),
        validator_version: version(shader.validator_version),
        native_16bit: shader.native_low_precision,
        denormals: match shader.denorm_mode {
            1 => "preserve",
            2 => "flush",
            _ => "any",
        },
        features: features(shader.feature_flags),
        entry_points: shader
            .exports()
            .into_iter()
            .map(|e| entry(e, options))
            .collect(),
        resources: shader
            .resources
            .iter()
            .map(|r| resource(r, options))
            .collect(),
        root_signature: root.as_ref().map(root_signature),
    })
}

fn version(v: Version) -> String {
    format!("{}.{}", v.major, v.minor)
}

/// Names of the `SFI0` bits (`DxilShaderFeatureInfo`).
fn features(bits: u64) -> Vec<String> {
    const NAMES: [&str; 33] = [
        "Doubles",
        "ComputeShadersPlusRawAndStructuredBuffers",
        "UAVsAtEveryStage",
        "64UAVs",
        "MinimumPrecision",
        "11_1_DoubleExtensions",
        "11_1_ShaderExtensions",
        "Level9ComparisonFiltering",
        "TiledResources",
        "StencilRef",
        "InnerCoverage",
        "TypedUAVLoadAdditionalFormats",
        "ROVs",
        "ViewportAndRTArrayIndexFromAnyShader",
        "WaveOps",
        "Int64Ops",
        "ViewID",
        "Barycentrics",
        "NativeLowPrecision",
        "ShadingRate",
        "RaytracingTier1_1",
        "SamplerFeedback",
        "AtomicInt64OnTypedResource",
        "AtomicInt64OnGroupShared",
        "DerivativesInMeshAndAmpShaders",
        "ResourceDescriptorHeapIndexing",
        "SamplerDescriptorHeapIndexing",
        "Reserved",
        "AtomicInt64OnHeapResource",
        "AdvancedTextureOps",
        "WriteableMSAATextures",
        "SampleCmpWithGradientOrBias",
        "ExtendedCommandInfo",
    ];
    (0..64)
        .filter(|bit| bits >> bit & 1 != 0)
        .map(|bit| {
            NAMES
                .get(bit)
                .map_or_else(|| format!("Bit{bit}"), |name| (*name).to_owned())
        })
        .collect()
}

fn entry((e, name): (&EntryPoint, &str), options: &Options) -> EntryReflection {
    let elements = |list: &[SignatureElement], input: bool| {
        list.iter()
            .map(|element| self::element(element, input))
            .collect()
    };
    EntryReflection {
        name: name.to_owned(),
        stage: e.kind.name(),
        workgroup_size: e.properties.num_threads,
        wave_size: e.properties.wave_size.map(|size| WaveSize {
            min: size.minimum,
            max: size.maximum,
            preferred: size.preferred,
        }),
        geometry: e.properties.geometry.map(geometry),
        tessellation: tessellation(e, options),
        mesh: e.properties.mesh.map(|mesh| MeshReflection {
            topology: match mesh.topology {
                MeshTopology::Line => "line",
                MeshTopology::Triangle => "triangle",
                MeshTopology::Unknown(0) => "undefined",
                MeshTopology::Unknown(_) => stages::UNKNOWN,
            },
            max_vertices: mesh.max_vertices,
            max_primitives: mesh.max_primitives,
            primitive_location: primitive_location(&e.signatures),
        }),
        payload_size: e
            .properties
            .mesh
            .map(|mesh| mesh.payload_size)
            .or(e.properties.amplification.map(|stage| stage.payload_size))
            .or(e.properties.payload_size)
            .filter(|&bytes| bytes > 0),
        attribute_size: e.properties.attribute_size,
        inputs: elements(&e.signatures.input, true),
        outputs: elements(&e.signatures.output, false),
        patch_constants: elements(&e.signatures.patch_constant, false),
    }
}

fn element(e: &SignatureElement, input: bool) -> ElementReflection {
    use trellis_dxil_frontend::shader::{InterpolationMode, SemanticKind};
    ElementReflection {
        semantic: e.name.to_string(),
        indices: e.indices.to_vec(),
        system_value: (e.semantic != SemanticKind::Arbitrary).then(|| format!("{:?}", e.semantic)),
        component: format!("{:?}", e.ty),
        rows: e.rows,
        columns: e.cols,
        stream: (e.stream > 0).then_some(e.stream),
        register: u32::try_from(e.start_row).ok(),
        first_column: u32::try_from(e.start_col).ok(),
        interpolation: (input && e.interpolation != InterpolationMode::Undefined)
            .then(|| format!("{:?}", e.interpolation)),
    }
}

fn class_name(class: ResourceClass) -> &'static str {
    match class {
        ResourceClass::Srv => "srv",
        ResourceClass::Uav => "uav",
        ResourceClass::CBuffer => "cbuffer",
        ResourceClass::Sampler => "sampler",
    }
}

fn resource(r: &Resource, options: &Options) -> ResourceReflection {
    let mut flags = Vec::new();
    let mut flag = |on: bool, name| {
        if on {
            flags.push(name);
        }
    };
    flag(r.globally_coherent, "globally_coherent");
    flag(r.rasterizer_ordered, "rasterizer_ordered");
    flag(r.atomic64, "atomic64");
    flag(
        r.class == ResourceClass::Sampler && r.sampler_kind == SamplerKind::Comparison,
        "comparison",
    );
    ResourceReflection {
        name: r.name.to_string(),
        class: class_name(r.class),
        kind: format!("{:?}", r.kind),
        space: r.space,
        register: r.lower_bound,
        count: bounded(r.range_size),
        component: r.component.map(|c| format!("{c:?}")),
        stride: r.stride,
        size: (r.class == ResourceClass::CBuffer).then_some(r.cbuffer_size),
        flags,
        vulkan: place(r, options, false),
        counter: r.has_counter.then(|| place(r, options, true)),
    }
}

fn bounded(count: u32) -> Option<u32> {
    (count != UNBOUNDED).then_some(count)
}

fn place(r: &Resource, options: &Options, counter: bool) -> PlaceReflection {
    let query = ResourceQuery {
        class: r.class,
        kind: r.kind,
        space: r.space,
        register: r.lower_bound,
        range_size: r.range_size,
        name: &r.name,
        counter,
    };
    match options.bindings.bind(&query) {
        Ok(b) => {
            let descriptor = b.kind.map_or_else(
                || natural(r, counter).to_owned(),
                |kind| format!("{kind:?}"),
            );
            PlaceReflection::Bound {
                set: b.set,
                binding: b.binding,
                descriptor,
            }
        }
        Err(error) => PlaceReflection::Unbound {
            error: error.to_string(),
        },
    }
}

/// Returns the descriptor kind that a resource has where the model does not say another.
fn natural(r: &Resource, counter: bool) -> &'static str {
    if counter {
        return "StorageBuffer";
    }
    match (r.class, r.kind) {
        (ResourceClass::Sampler, _) => "Sampler",
        (ResourceClass::CBuffer, _) => "UniformBuffer",
        (_, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer) => "StorageBuffer",
        (_, ResourceKind::RTAccelerationStructure) => "AccelerationStructure",
        (ResourceClass::Uav, ResourceKind::TypedBuffer) => "StorageTexelBuffer",
        (_, ResourceKind::TypedBuffer | ResourceKind::TBuffer) => "UniformTexelBuffer",
        (ResourceClass::Uav, _) => "StorageImage",
        _ => "SampledImage",
    }
}

fn root_signature(r: &RootSignature) -> RootSignatureReflection {
    RootSignatureReflection {
        version: format!("1.{}", r.minor_version),
        flags: r.flags,
        parameters: r
            .parameters
            .iter()
            .map(|p| RootParameterReflection {
                visibility: visibility(p.visibility),
                kind: root_kind(&p.kind),
            })
            .collect(),
        static_samplers: r
            .static_samplers
            .iter()
            .map(|s| StaticSamplerReflection {
                register: s.register,
                space: s.space,
                filter: s.filter,
                address: s.address,
            })
            .collect(),
    }
}

fn visibility(code: u32) -> &'static str {
    const NAMES: [&str; 8] = [
        "all",
        "vertex",
        "hull",
        "domain",
        "geometry",
        "pixel",
        "amplification",
        "mesh",
    ];
    NAMES.get(code as usize).copied().unwrap_or("unknown")
}

fn root_kind(kind: &RootParameterKind) -> RootKindReflection {
    let descriptor = |class, d: &RootDescriptor| RootKindReflection::Descriptor {
        class,
        register: d.register,
        space: d.space,
    };
    match kind {
        RootParameterKind::Table(ranges) => RootKindReflection::Table {
            ranges: ranges.iter().map(range).collect(),
        },
        RootParameterKind::Constants {
            register,
            space,
            count,
        } => RootKindReflection::Constants {
            register: *register,
            space: *space,
            count: *count,
        },
        RootParameterKind::Cbv(d) => descriptor("cbuffer", d),
        RootParameterKind::Srv(d) => descriptor("srv", d),
        RootParameterKind::Uav(d) => descriptor("uav", d),
    }
}

fn range(r: &DescriptorRange) -> RangeReflection {
    RangeReflection {
        class: class_name(r.kind),
        register: r.register,
        space: r.space,
        count: bounded(r.count),
    }
}

impl Reflection {
    /// Returns the descriptor sets that the resources use, in order.
    pub fn sets(&self) -> Vec<u32> {
        let places = self
            .resources
            .iter()
            .flat_map(|r| std::iter::once(&r.vulkan).chain(&r.counter));
        let sets: BTreeSet<u32> = places
            .filter_map(|p| {
                if let PlaceReflection::Bound { set, .. } = p {
                    Some(*set)
                } else {
                    None
                }
            })
            .collect();
        sets.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::features;

    #[test]
    fn a_tbuffer_is_a_texel_buffer() {
        let dxil = include_bytes!("../../corpus/shaders/buffers/texture_buffer.dxil");
        let reflection = super::reflect(dxil, &crate::Options::default()).expect("it can be read");
        let super::PlaceReflection::Bound { descriptor, .. } = &reflection.resources[0].vulkan
        else {
            panic!("it has a place")
        };
        assert_eq!(
            descriptor, "UniformTexelBuffer",
            "as the translation declares it"
        );
    }

    #[test]
    fn features_by_bit() {
        assert_eq!(features(1 << 14 | 1), ["Doubles", "WaveOps"]);
        assert_eq!(features(1 << 63), ["Bit63"]);
    }
}
