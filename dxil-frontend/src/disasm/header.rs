//! The header of a listing: comments about features, signatures, pipeline state, buffers, bindings,
//! subobjects.

use super::text::Text;
use super::{header_buffers, header_psv, header_view_id};
use crate::bitcode::read_module;
use crate::container::{Container, FourCC, PartSignatureElement, SubobjectKind};
use crate::error::Error;
use crate::module::Module;
use crate::shader::{
    ComponentType, Resource, ResourceClass, ResourceKind, Shader, TypeAnnotations, UNBOUNDED,
    ViewIdState,
};

/// Writes the header.
pub(super) fn write(
    t: &mut Text,
    module: &Module,
    shader: Option<&Shader>,
    container: Option<&Container<'_>>,
) -> Result<(), Error> {
    if let Some(c) = container {
        features(t, c.feature_flags()?);
        for (signature, title, output) in [
            (c.input_signature()?, "Input signature", false),
            (c.output_signature()?, "Output signature", true),
            (
                c.patch_constant_signature()?,
                "Patch Constant signature signature",
                true,
            ),
        ] {
            if let Some(elements) = signature {
                signature_table(t, title, &elements, output);
            }
        }
        if let Some(name) = c.debug_name()? {
            t.fmt(format_args!("; shader debug name: {name}\n"));
        }
        if let Some(hash) = c.shader_hash()? {
            t.push("; shader hash: ");
            hash.digest
                .iter()
                .for_each(|b| t.fmt(format_args!("{b:02x}")));
            t.push(if hash.includes_source {
                " (includes source)\n"
            } else {
                "\n"
            });
        }
    }
    let Some(shader) = shader else { return Ok(()) };
    if let Some(psv) = container
        .map(Container::pipeline_validation)
        .transpose()?
        .flatten()
    {
        header_psv::write(t, shader, &psv);
    }
    let view_id = ViewIdState::read(module, shader.kind)?;
    let kind = shader.kind;
    // The reflection program has names and fields that the program itself has lost.
    let reflection = match container
        .map(Container::reflection_program)
        .transpose()?
        .flatten()
    {
        Some(program) => Some(read_module(program.bitcode, program.offset)?),
        None => None,
    };
    let named = reflection
        .as_ref()
        .map(|m| Shader::read(m, None))
        .transpose()?;
    let (module, shader) = (
        reflection.as_ref().unwrap_or(module),
        named.as_ref().unwrap_or(shader),
    );
    t.push(";\n; Buffer Definitions:\n;\n");
    header_buffers::write(t, module, shader, &TypeAnnotations::read(module)?);
    bindings(t, shader);
    if let Some(state) = view_id {
        header_view_id::write(t, kind, &state);
    }
    if let Some(c) = container {
        subobjects(t, c)?;
    }
    Ok(())
}

/// Names of the features that a shader requires, by the bits of
/// [`Container::feature_flags`], as DXC's and FXC's listings have them.
pub const FEATURE_NAMES: [&str; 33] = [
    "Double-precision floating point",
    "Raw and Structured buffers",
    "UAVs at every shader stage",
    "64 UAV slots",
    "Minimum-precision data types",
    "Double-precision extensions for 11.1",
    "Shader extensions for 11.1",
    "Comparison filtering for feature level 9",
    "Tiled resources",
    "PS Output Stencil Ref",
    "PS Inner Coverage",
    "Typed UAV Load Additional Formats",
    "Raster Ordered UAVs",
    "SV_RenderTargetArrayIndex or SV_ViewportArrayIndex from any shader feeding rasterizer",
    "Wave level operations",
    "64-Bit integer",
    "View Instancing",
    "Barycentrics",
    "Use native low precision",
    "Shading Rate",
    "Raytracing tier 1.1 features",
    "Sampler feedback",
    "64-bit Atomics on Typed Resources",
    "64-bit Atomics on Group Shared",
    "Derivatives in mesh and amplification shaders",
    "Resource descriptor heap indexing",
    "Sampler descriptor heap indexing",
    "Wave matrix",
    "64-bit Atomics on Heap Resources",
    "Advanced Texture Ops",
    "Writeable MSAA Textures",
    "SampleCmp with gradient or bias",
    "Extended command info",
];

fn features(t: &mut Text, flags: u64) {
    if flags == 0 {
        return;
    }
    t.push(";\n; Note: shader requires additional functionality:\n");
    for (_, name) in FEATURE_NAMES
        .iter()
        .enumerate()
        .filter(|(i, _)| flags >> i & 1 != 0)
    {
        t.fmt(format_args!(";       {name}\n"));
    }
    let unknown = flags >> FEATURE_NAMES.len() << FEATURE_NAMES.len();
    if unknown != 0 {
        t.fmt(format_args!(";       unknown features {unknown:#x}\n"));
    }
    t.push(";\n");
}

/// Returns `xyzw` with spaces for components that are not in the mask.
pub(super) fn mask(bits: u8) -> String {
    "xyzw"
        .chars()
        .enumerate()
        .map(|(i, c)| if bits >> i & 1 != 0 { c } else { ' ' })
        .collect()
}

fn signature_table(t: &mut Text, title: &str, elements: &[PartSignatureElement<'_>], output: bool) {
    t.fmt(format_args!(";\n; {title}:\n;\n"));
    t.push("; Name                 Index   Mask Register SysValue  Format   Used\n");
    t.push("; -------------------- ----- ------ -------- -------- ------- ------\n");
    if elements.is_empty() {
        return t.push("; no parameters\n");
    }
    let streams = elements.iter().any(|e| e.stream != 0);
    for e in elements {
        let name = if streams {
            format!("m{}:{}", e.stream, e.name)
        } else {
            e.name.to_owned()
        };
        t.fmt(format_args!("; {name:<20} {:>5} ", e.index));
        let used = if output {
            !e.usage_mask & 15
        } else {
            e.usage_mask
        };
        let format = format_name(e);
        if e.register == u32::MAX {
            let register = match e.system_value {
                7 => "primID",
                65 => "oDepth",
                66 => "oMask",
                67 => "oDepthGE",
                68 => "oDepthLE",
                69 => "oStencilRef",
                70 => "inCover",
                _ => "special",
            };
            let used = if used != 0 { "YES" } else { "NO" };
            t.fmt(format_args!(
                "{:>6} {register:>8} {:>8} {format:>7} {used:>6}\n",
                "N/A",
                system_value(e.system_value)
            ));
        } else {
            t.fmt(format_args!(
                "{:>6} {:>8} {:>8} {format:>7} {:>6}\n",
                mask(e.mask),
                e.register,
                system_value(e.system_value),
                mask(used)
            ));
        }
    }
    t.push(";\n");
}

fn format_name(e: &PartSignatureElement<'_>) -> &'static str {
    match e.component_type {
        1 => "uint",
        2 => "int",
        3 => "float",
        4 => "uint16",
        5 => "int16",
        6 => "fp16",
        7 => "uint64",
        8 => "int64",
        9 => "double",
        _ => "unknown",
    }
}

/// Returns the short name of a `DxilProgramSigSemantic`.
fn system_value(value: u32) -> &'static str {
    match value {
        0 => "NONE",
        1 => "POS",
        2 => "CLIPDST",
        3 => "CULLDST",
        4 => "RTINDEX",
        5 => "VPINDEX",
        6 => "VERTID",
        7 => "PRIMID",
        8 => "INSTID",
        9 => "FFACE",
        10 => "SAMPLE",
        11 => "QUADEDGE",
        12 => "QUADINT",
        13 => "TRIEDGE",
        14 => "TRIINT",
        15 => "LINEDET",
        16 => "LINEDEN",
        23 => "BARYCEN",
        24 => "SHDINGRATE",
        25 => "CULLPRIM",
        64 => "TARGET",
        65 => "DEPTH",
        66 => "COVERAGE",
        67 => "DEPTHGE",
        68 => "DEPTHLE",
        69 => "STENCILREF",
        70 => "INNERCOV",
        _ => "unknown",
    }
}

fn bindings(t: &mut Text, shader: &Shader) {
    t.push(";\n; Resource Bindings:\n;\n");
    t.push("; Name                                 Type  Format         Dim      ID      HLSL Bind  Count\n");
    t.push("; ------------------------------ ---------- ------- ----------- ------- -------------- ------\n");
    for class in [
        ResourceClass::CBuffer,
        ResourceClass::Sampler,
        ResourceClass::Srv,
        ResourceClass::Uav,
    ] {
        for r in shader.resources.iter().filter(|r| r.class == class) {
            let (ty, id, register) = match class {
                ResourceClass::CBuffer => ("cbuffer", "CB", "cb"),
                ResourceClass::Sampler => ("sampler", "S", "s"),
                ResourceClass::Srv => ("texture", "T", "t"),
                ResourceClass::Uav => ("UAV", "U", "u"),
            };
            let id = format!("{id}{}", r.id);
            let bind = if r.space == 0 {
                format!("{register}{}", r.lower_bound)
            } else {
                format!("{register}{},space{}", r.lower_bound, r.space)
            };
            let count = if r.range_size == UNBOUNDED {
                "unbounded".to_owned()
            } else {
                r.range_size.to_string()
            };
            t.fmt(format_args!(
                "; {:<30} {ty:>10}{:>8}{:>12}{id:>8}{bind:>15}{count:>6}\n",
                r.name,
                format(r),
                dimension(r)
            ));
        }
    }
    t.push(";\n");
}

fn format(r: &Resource) -> &'static str {
    use ComponentType as C;
    match r.kind {
        ResourceKind::RawBuffer => "byte",
        ResourceKind::StructuredBuffer => "struct",
        ResourceKind::CBuffer | ResourceKind::Sampler => "NA",
        ResourceKind::TBuffer => "u32",
        ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray => "invalid",
        _ => match r.component {
            Some(C::I1) => "i1",
            Some(C::I16) => "i16",
            Some(C::U16) => "u16",
            Some(C::I32) => "i32",
            Some(C::U32) => "u32",
            Some(C::I64) => "i64",
            Some(C::U64) => "u64",
            Some(C::F16) => "f16",
            Some(C::F32) => "f32",
            Some(C::F64) => "f64",
            Some(C::SNormF16) => "snorm_f16",
            Some(C::UNormF16) => "unorm_f16",
            Some(C::SNormF32) => "snorm_f32",
            Some(C::UNormF32) => "unorm_f32",
            Some(C::SNormF64) => "snorm_f64",
            Some(C::UNormF64) => "unorm_f64",
            Some(C::PackedS8x32) => "p32i8",
            Some(C::PackedU8x32) => "p32u8",
            Some(C::Invalid) => "invalid",
            None => "NA",
        },
    }
}

fn dimension(r: &Resource) -> String {
    use ResourceKind as K;
    let uav = r.class == ResourceClass::Uav;
    match r.kind {
        K::Texture1D => "1d",
        K::Texture2D => "2d",
        K::Texture2DMS => return ms("2dMS", r),
        K::Texture3D => "3d",
        K::TextureCube => "cube",
        K::Texture1DArray => "1darray",
        K::Texture2DArray => "2darray",
        K::Texture2DMSArray => return ms("2darrayMS", r),
        K::TextureCubeArray => "cubearray",
        K::TypedBuffer => "buf",
        K::RawBuffer | K::StructuredBuffer if !uav => "r/o",
        K::StructuredBuffer if r.has_counter => "r/w+cnt",
        K::RawBuffer | K::StructuredBuffer => "r/w",
        K::RTAccelerationStructure => "ras",
        K::FeedbackTexture2D => "fbtex2d",
        K::FeedbackTexture2DArray => "fbtex2darray",
        K::CBuffer | K::Sampler => "NA",
        K::TBuffer => "tbuffer",
        K::Invalid => "invalid",
    }
    .to_owned()
}

fn ms(name: &str, r: &Resource) -> String {
    if r.sample_count == 0 {
        name.to_owned()
    } else {
        format!("{name}{}", r.sample_count)
    }
}

fn subobjects(t: &mut Text, container: &Container<'_>) -> Result<(), Error> {
    let Some(rdat) = container
        .part(FourCC::RUNTIME_DATA)
        .map(|p| crate::container::RuntimeData::read(&p))
        .transpose()?
    else {
        return Ok(());
    };
    let mut any = false;
    for s in rdat.subobjects() {
        let s = s?;
        if !std::mem::replace(&mut any, true) {
            t.push(";\n; Subobjects:\n;\n");
        }
        let n = s.name;
        match s.kind {
            SubobjectKind::StateObjectConfig { flags } => t.fmt(format_args!(
                ";  StateObjectConfig {n} = {{ Flags = {flags:#x} }};\n"
            )),
            SubobjectKind::GlobalRootSignature(bytes) => t.fmt(format_args!(
                ";  GlobalRootSignature {n} = {{ <{} bytes> }};\n",
                bytes.len()
            )),
            SubobjectKind::LocalRootSignature(bytes) => t.fmt(format_args!(
                ";  LocalRootSignature {n} = {{ <{} bytes> }};\n",
                bytes.len()
            )),
            SubobjectKind::ExportsAssociation { subobject, exports } => {
                t.fmt(format_args!(
                    ";  SubobjectToExportsAssociation {n} = {{ \"{subobject}\""
                ));
                for e in exports.iter() {
                    t.fmt(format_args!(", \"{}\"", rdat.string(e)?));
                }
                t.push(" };\n");
            }
            SubobjectKind::ShaderConfig {
                max_payload,
                max_attributes,
            } => {
                t.fmt(format_args!(
                    ";  RaytracingShaderConfig {n} = {{ MaxPayloadSizeInBytes = {max_payload}, MaxAttributeSizeInBytes = {max_attributes} }};\n"
                ));
            }
            SubobjectKind::PipelineConfig {
                max_recursion,
                flags,
            } => {
                t.fmt(format_args!(
                    ";  RaytracingPipelineConfig {n} = {{ MaxTraceRecursionDepth = {max_recursion}"
                ));
                if flags != 0 {
                    t.fmt(format_args!(", Flags = {flags:#x}"));
                }
                t.push(" };\n");
            }
            SubobjectKind::HitGroup {
                ty,
                any_hit,
                closest_hit,
                intersection,
            } => {
                let ty = if ty == 0 {
                    "Triangle"
                } else {
                    "ProceduralPrimitive"
                };
                t.fmt(format_args!(
                    ";  HitGroup {n} = {{ HitGroupType = {ty}, Anyhit = \"{any_hit}\", Closesthit = \"{closest_hit}\", Intersection = \"{intersection}\" }};\n"
                ));
            }
        }
    }
    if any {
        t.push(";\n");
    }
    Ok(())
}
