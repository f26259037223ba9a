//! Reflection: properties of a shader, and the descriptors of its resources, as plain data for
//! `serde`.

mod entry;
mod node;
mod resource;
mod root_signature;
mod stages;

use std::collections::BTreeSet;

use serde::Serialize;
use trellis_dxil_frontend::Input;
use trellis_dxil_frontend::shader::{EntryPoint, Resource, ResourceClass, Version};

use crate::bindings::{Place, RootSlot};
use crate::entry::choose;
use crate::error::Error;
use crate::options::Options;
pub use entry::{ElementReflection, EntryReflection, MeshReflection, WaveSize};
pub use node::{
    GridReflection, NodeIdReflection, NodeInputReflection, NodeOutputReflection, NodeReflection,
};
pub use resource::{BindingReflection, ResourceReflection};
pub use root_signature::{
    RangeReflection, RootKindReflection, RootParameterReflection, RootSignatureReflection,
    StaticSamplerReflection,
};
pub use stages::{GeometryReflection, TessellationReflection};

/// A shader's description. Serializes to the JSON that `trellis reflect` prints; absent facts are
/// omitted.
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
    /// Entry points; only the entry point that [`Options::entry`] names, if set.
    pub entry_points: Vec<EntryReflection>,
    /// Resources of the module; of a library with runtime data, where [`Options::entry`] names an entry
    /// point, those that it uses.
    pub resources: Vec<ResourceReflection>,
    /// Root signature, if the container or the metadata has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_signature: Option<RootSignatureReflection>,
    /// Where the binding model puts the parameters of a root signature, if it is made of one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layout: Vec<RootSlot>,
}

/// Reads a shader and describes it; resources are placed by [`Options::bindings`].
///
/// ```
/// let dxil = include_bytes!("../../tests/data/collatz.dxil");
/// let reflection = trellis_spirv_backend::reflect(dxil, &trellis_spirv_backend::Options::default())?;
/// assert_eq!(reflection.entry_points[0].name, "main");
/// assert_eq!(reflection.stage, "compute");
/// # Ok::<(), trellis_spirv_backend::Error>(())
/// ```
///
/// # Errors
/// The input cannot be read.
pub fn reflect(bytes: &[u8], options: &Options) -> Result<Reflection, Error> {
    let mut input = trellis_dxbc_frontend::read(bytes)?;
    if let Some(container) = &input.container {
        trellis_dxil_frontend::names_from_stat(container, &mut input.shader)?;
    }
    reflect_input(&input, options)
}

/// Describes a shader that was read before.
///
/// # Errors
/// The root signature or the runtime data is malformed, or there is no entry point as
/// [`Options::entry`] names it.
pub fn reflect_input(input: &Input<'_>, options: &Options) -> Result<Reflection, Error> {
    let shader = &input.shader;
    let root = match &input.container {
        Some(container) => container
            .root_signature()
            .map_err(trellis_dxil_frontend::Error::from)?,
        None => None,
    };
    let chosen = match &options.entry {
        Some(name) => Some(choose(shader, Some(name))?),
        None => None,
    };
    let used = chosen.map(|entry| used_resources(input, entry));
    let used = used.transpose()?.flatten();
    let is_used = |r: &Resource| used.as_ref().is_none_or(|u| u.contains(&(r.class, r.id)));
    let is_chosen = |e: &EntryPoint| chosen.is_none_or(|chosen| std::ptr::eq(chosen, e));
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
            .filter(|(e, _)| is_chosen(e))
            .map(|e| entry::entry(e, options))
            .collect(),
        resources: resource::resources(shader, options, is_used),
        root_signature: root.as_ref().map(root_signature::root_signature),
        layout: options.bindings.root_layout().to_vec(),
    })
}

/// Returns the class and number of each resource that an entry point of a library uses; `None` without
/// runtime data about it.
fn used_resources(
    input: &Input<'_>,
    entry: &EntryPoint,
) -> Result<Option<Vec<(ResourceClass, u32)>>, trellis_dxil_frontend::Error> {
    let data = match &input.container {
        Some(container) => container.runtime_data()?,
        None => None,
    };
    let Some(data) = data else { return Ok(None) };
    let resources = data.resources().collect::<Result<Vec<_>, _>>()?;
    for function in data.functions() {
        let function = function?;
        if function.name == entry.name {
            let used = function.resources.iter();
            let used = used.filter_map(|index| resources.get(index as usize));
            return Ok(Some(used.map(|r| (r.class, r.id)).collect()));
        }
    }
    Ok(None)
}

fn version(v: Version) -> String {
    format!("{}.{}", v.major, v.minor)
}

/// Names of the `SFI0` bits (`DxilShaderFeatureInfo`).
fn features(bits: u64) -> Vec<String> {
    const NAMES: &str = "\
        Doubles ComputeShadersPlusRawAndStructuredBuffers UAVsAtEveryStage 64UAVs MinimumPrecision \
        11_1_DoubleExtensions 11_1_ShaderExtensions Level9ComparisonFiltering TiledResources \
        StencilRef InnerCoverage TypedUAVLoadAdditionalFormats ROVs \
        ViewportAndRTArrayIndexFromAnyShader WaveOps Int64Ops ViewID Barycentrics NativeLowPrecision \
        ShadingRate RaytracingTier1_1 SamplerFeedback AtomicInt64OnTypedResource \
        AtomicInt64OnGroupShared DerivativesInMeshAndAmpShaders ResourceDescriptorHeapIndexing \
        SamplerDescriptorHeapIndexing Reserved AtomicInt64OnHeapResource AdvancedTextureOps \
        WriteableMSAATextures SampleCmpWithGradientOrBias ExtendedCommandInfo";
    let name = |bit| {
        let name = NAMES.split(' ').nth(bit);
        name.map_or_else(|| format!("Bit{bit}"), str::to_owned)
    };
    let set = (0..64).filter(|bit| bits >> bit & 1 != 0);
    set.map(name).collect()
}

impl Reflection {
    /// Returns the descriptor sets that the resources use, in order.
    pub fn sets(&self) -> Vec<u32> {
        let bindings = self
            .resources
            .iter()
            .flat_map(|r| std::iter::once(&r.vulkan).chain(&r.counter));
        let sets: BTreeSet<u32> = bindings
            .filter_map(|b| match b {
                BindingReflection::Bound { set, .. }
                | BindingReflection::Elsewhere {
                    place: Place::Heap { set, .. },
                } => Some(*set),
                _ => None,
            })
            .collect();
        sets.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_entry_point_has_its_own_resources() {
        let dxil = include_bytes!("../../../corpus/shaders/raytracing/any_hit_loop.dxil");
        let of = |entry: &str| {
            let options = crate::Options::default().with_entry(Some(entry.to_owned()));
            super::reflect(dxil, &options)
        };
        let any = of("Any").expect("it exists");
        let names = |r: &super::Reflection| {
            let names = r.entry_points.iter().map(|e| e.name.clone());
            names
                .chain(r.resources.iter().map(|r| r.name.clone()))
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&any), ["Any", "Holes"]);
        assert_eq!(names(&of("Missed").expect("it exists")), ["Missed"]);
        assert!(of("None").is_err());
    }

    #[test]
    fn features_by_bit() {
        assert_eq!(super::features(1 << 14 | 1), ["Doubles", "WaveOps"]);
        assert_eq!(super::features(1 << 63), ["Bit63"]);
    }
}
