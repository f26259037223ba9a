//! Properties of an entry point: a tag-value list.

use super::cursor::Tuple;
use super::{
    AmplificationProperties, DomainProperties, GeometryProperties, HullProperties, InputPrimitive,
    MeshProperties, MeshTopology, PrimitiveTopology, Properties, ShaderError, ShaderKind,
    TessellatorDomain, TessellatorOutputPrimitive, TessellatorPartitioning, WaveSize, nodes,
};
use crate::module::{Constant, Module, ValueId};

type Result<T> = std::result::Result<T, ShaderError>;

pub(super) fn read(list: Tuple<'_>) -> Result<Properties> {
    let mut p = Properties::default();
    for tag in list.tags() {
        let (tag, at) = tag?;
        match tag {
            0 => p.flags = list.int(at, "shader flags")?,
            1 => p.geometry = Some(geometry(&list, at)?),
            2 => p.domain = Some(domain(&list, at)?),
            3 => p.hull = Some(hull(&list, at)?),
            4 => p.num_threads = Some(list.ints(at, "thread counts", "3")?),
            5 => {
                let [space] = list.ints(at, "automatic binding space", "1")?;
                p.auto_binding_space = Some(space);
            }
            6 => p.payload_size = Some(list.u32(at, "ray payload size")?),
            7 => {
                p.attribute_size = Some(list.u32(at, "ray attribute size")?);
            }
            8 => {
                let expected = "a shader kind, 0 to 15";
                p.kind = Some(list.code(at, "shader kind", ShaderKind::from_code, expected)?);
            }
            9 => {
                let t = list.required_tuple(at, "mesh state")?.at_least(5, "5")?;
                p.num_threads = Some(t.ints(0, "thread counts", "3")?);
                p.mesh = Some(MeshProperties {
                    max_vertices: t.u32(1, "vertex count")?,
                    max_primitives: t.u32(2, "primitive count")?,
                    topology: MeshTopology::from_code(t.u32(3, "topology")?),
                    payload_size: t.u32(4, "payload size")?,
                });
            }
            10 => {
                let t = list.required_tuple(at, "amplification state")?;
                let t = t.at_least(2, "2")?;
                p.num_threads = Some(t.ints(0, "thread counts", "3")?);
                p.amplification = Some(AmplificationProperties {
                    payload_size: t.u32(1, "payload size")?,
                });
            }
            11 => {
                let [lanes] = list.ints(at, "wave size", "1")?;
                p.wave_size = Some(WaveSize::exactly(lanes));
            }
            12 => p.root_signature = Some(root_signature(&list, at)?),
            23 => {
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
    let t = list.required_tuple(at, "hull state")?.at_least(7, "7")?;
    let number = |index| t.bits(index, "number").map(|bits| bits as u32);
    Ok(HullProperties {
        input_control_points: number(1)?,
        output_control_points: number(2)?,
        domain: TessellatorDomain::from_code(number(3)?),
        partitioning: TessellatorPartitioning::from_code(number(4)?),
        output_primitive: TessellatorOutputPrimitive::from_code(number(5)?),
        max_factor: f32::from_bits(number(6)?),
        patch_constant_function: t.function(0, "patch-constant function")?,
    })
}

/// Returns the serialized root signature: an `i8` array, by itself or as the only element of a
/// tuple.
fn root_signature(list: &Tuple<'_>, at: usize) -> Result<Box<[u8]>> {
    let bad = || list.not("root signature", "an i8 array");
    let module = list.module();
    let id = list.get(at).ok_or_else(bad)?;
    let value = match module.metadata.value(id) {
        None => list
            .required_tuple(at, "root signature")?
            .value(0, "content")?,
        value => value,
    };
    let bytes = value.and_then(|(_, value)| bytes(module, value));
    bytes.ok_or_else(bad)
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
