//! Properties of an entry point: a tag-value list.

use super::cursor::Tuple;
use super::fields::{amplification, hull, mesh, property};
use super::{
    AmplificationProperties, DomainProperties, GeometryProperties, HullProperties, InputPrimitive,
    MeshProperties, MeshTopology, PrimitiveTopology, Properties, ShaderError, ShaderErrorKind,
    ShaderKind, TessellatorDomain, TessellatorOutputPrimitive, TessellatorPartitioning, WaveSize,
    nodes,
};
use crate::module::{Constant, Module, ValueId};

type Result<T> = std::result::Result<T, ShaderError>;

pub(super) fn read(list: Tuple<'_>) -> Result<Properties> {
    let mut p = Properties::default();
    for tag in list.tags() {
        let (tag, at) = tag?;
        match tag {
            property::SHADER_FLAGS => p.flags = list.int(at, "shader flags")?,
            property::GEOMETRY => p.geometry = Some(geometry(&list, at)?),
            property::DOMAIN => p.domain = Some(domain(&list, at)?),
            property::HULL => p.hull = Some(hull(&list, at)?),
            property::NUM_THREADS => p.num_threads = Some(list.ints(at, "thread counts", "3")?),
            property::AUTO_BINDING_SPACE => {
                let [space] = list.ints(at, "automatic binding space", "1")?;
                p.auto_binding_space = Some(space);
            }
            property::RAY_PAYLOAD_SIZE => p.payload_size = Some(list.u32(at, "ray payload size")?),
            property::RAY_ATTRIBUTE_SIZE => {
                p.attribute_size = Some(list.u32(at, "ray attribute size")?);
            }
            property::SHADER_KIND => {
                p.kind = Some(list.code(
                    at,
                    "shader kind",
                    ShaderKind::from_code,
                    "a shader kind, 0 to 15",
                )?);
            }
            property::MESH => {
                let t = state(&list, at, "mesh state")?.at_least(mesh::COUNT, "5")?;
                p.num_threads = Some(t.ints(mesh::NUM_THREADS, "thread counts", "3")?);
                p.mesh = Some(MeshProperties {
                    max_vertices: t.u32(mesh::MAX_VERTICES, "vertex count")?,
                    max_primitives: t.u32(mesh::MAX_PRIMITIVES, "primitive count")?,
                    topology: MeshTopology::from_code(t.u32(mesh::TOPOLOGY, "topology")?),
                    payload_size: t.u32(mesh::PAYLOAD_SIZE, "payload size")?,
                });
            }
            property::AMPLIFICATION => {
                let t = state(&list, at, "amplification state")?;
                let t = t.at_least(amplification::COUNT, "2")?;
                p.num_threads = Some(t.ints(amplification::NUM_THREADS, "thread counts", "3")?);
                p.amplification = Some(AmplificationProperties {
                    payload_size: t.u32(amplification::PAYLOAD_SIZE, "payload size")?,
                });
            }
            property::WAVE_SIZE => {
                let [lanes] = list.ints(at, "wave size", "1")?;
                p.wave_size = Some(WaveSize::exactly(lanes));
            }
            property::ROOT_SIGNATURE => p.root_signature = Some(root_signature(&list, at)?),
            property::WAVE_SIZE_RANGE => {
                let [minimum, maximum, preferred] =
                    list.ints(at, "wave size range", "3: minimum, maximum, preferred")?;
                p.wave_size = Some(WaveSize {
                    minimum,
                    maximum,
                    preferred,
                });
            }
            _ if nodes::read(&list, (tag, at), &mut p.node)? => {}
            _ => {
                if let Some(id) = list.get(at) {
                    p.other.push((tag, id));
                }
            }
        }
    }
    Ok(p)
}

fn geometry(list: &Tuple<'_>, at: usize) -> Result<GeometryProperties> {
    let [input, max_vertices, streams, output, instances] = list.ints(at, "geometry state", "5")?;
    Ok(GeometryProperties {
        input: InputPrimitive::from_code(input),
        max_vertices,
        streams,
        output: PrimitiveTopology::from_code(output),
        instances,
    })
}

fn domain(list: &Tuple<'_>, at: usize) -> Result<DomainProperties> {
    let [domain, input_control_points] = list.ints(at, "domain state", "2")?;
    Ok(DomainProperties {
        domain: TessellatorDomain::from_code(domain),
        input_control_points,
    })
}

fn hull(list: &Tuple<'_>, at: usize) -> Result<HullProperties> {
    let t = state(list, at, "hull state")?.at_least(hull::COUNT, "7")?;
    let number = |index| t.bits(index, "number").map(|bits| bits as u32);
    let input_control_points = number(hull::INPUT_CONTROL_POINTS)?;
    let output_control_points = number(hull::OUTPUT_CONTROL_POINTS)?;
    let domain = number(hull::DOMAIN)?;
    let partitioning = number(hull::PARTITIONING)?;
    let output_primitive = number(hull::OUTPUT_PRIMITIVE)?;
    let max_factor = number(hull::MAX_FACTOR)?;
    Ok(HullProperties {
        patch_constant_function: t
            .function(hull::PATCH_CONSTANT_FUNCTION, "patch-constant function")?,
        input_control_points,
        output_control_points,
        domain: TessellatorDomain::from_code(domain),
        partitioning: TessellatorPartitioning::from_code(partitioning),
        output_primitive: TessellatorOutputPrimitive::from_code(output_primitive),
        max_factor: f32::from_bits(max_factor),
    })
}

fn state<'m>(list: &Tuple<'m>, at: usize, what: &'static str) -> Result<Tuple<'m>> {
    list.tuple(at, what)?
        .ok_or_else(|| list.fail(what, ShaderErrorKind::Missing))
}

/// Returns the serialized root signature: an `i8` array, by itself or as the only element of a
/// tuple.
fn root_signature(list: &Tuple<'_>, at: usize) -> Result<Box<[u8]>> {
    let bad = || {
        list.fail(
            "root signature",
            ShaderErrorKind::Kind {
                expected: "an i8 array",
            },
        )
    };
    let module = list.module();
    let id = list.get(at).ok_or_else(bad)?;
    let value = match module.metadata.value(id) {
        Some((_, value)) => value,
        None => {
            state(list, at, "root signature")?
                .value(0, "content")?
                .ok_or_else(bad)?
                .1
        }
    };
    bytes(module, value).ok_or_else(bad)
}

fn bytes(module: &Module, value: ValueId) -> Option<Box<[u8]>> {
    match &module.constant(None, value)?.value {
        Constant::String(text, nul) => {
            let mut bytes = text.to_vec();
            if *nul {
                bytes.push(0);
            }
            Some(bytes.into())
        }
        Constant::Data(elements) => Some(elements.iter().map(|&e| e as u8).collect()),
        _ => None,
    }
}
