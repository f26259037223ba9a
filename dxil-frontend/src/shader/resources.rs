//! `dx.resources`: the ranges of SRVs, UAVs, constant buffers and samplers.

use super::cursor::Tuple;
use super::signatures::component_type;
use super::{Resource, ResourceClass, ResourceKind, SamplerKind, ShaderError};

type Result<T> = std::result::Result<T, ShaderError>;

/// Reads the four lists into one, sorted by class, then number.
pub(super) fn read(lists: Tuple<'_>) -> Result<Vec<Resource>> {
    use ResourceClass as C;
    let lists = lists.at_least(4, "4: SRVs, UAVs, constant buffers, samplers")?;
    let classes = [
        (C::Srv, "SRV list", "SRV"),
        (C::Uav, "UAV list", "UAV"),
        (C::CBuffer, "constant buffer list", "constant buffer"),
        (C::Sampler, "sampler list", "sampler"),
    ];
    let mut out = Vec::with_capacity(8);
    for (i, (class, what, one)) in classes.into_iter().enumerate() {
        let Some(list) = lists.tuple(i, what)? else {
            continue;
        };
        for r in 0..list.len() {
            if let Some(node) = list.tuple(r, one)? {
                out.push(read_resource(class, node)?);
            }
        }
    }
    if !out.is_sorted_by_key(|r| (r.class, r.id)) {
        out.sort_by_key(|r| (r.class, r.id));
    }
    Ok(out)
}

fn read_resource(class: ResourceClass, t: Tuple<'_>) -> Result<Resource> {
    let t = t.at_least(7, "at least 7")?;
    let (symbol_type, global) = t.pointer(1, "variable")?;
    let mut r = Resource {
        name: t.text(2, "name")?.into(),
        space: t.u32(3, "space")?,
        // Mesa's size of an unbounded range is 0.
        range_size: match t.u32(5, "range size")? {
            0 => u32::MAX,
            size => size,
        },
        global,
        symbol_type,
        ..Resource::new(
            class,
            ResourceKind::Invalid,
            t.u32(0, "number")?,
            t.u32(4, "lower bound")?,
        )
    };
    let shape = |at: usize| {
        t.code(
            at,
            "shape",
            ResourceKind::from_code,
            "a resource kind, 0 to 18",
        )
    };
    let tags = match class {
        ResourceClass::Srv => {
            r.kind = shape(6)?;
            if t.get(7).is_some() {
                r.sample_count = t.u32(7, "sample count")?;
            }
            8
        }
        ResourceClass::Uav => {
            r.kind = shape(6)?;
            let t = t.at_least(10, "at least 10")?;
            r.globally_coherent = t.bool(7, "globally coherent")?;
            r.has_counter = t.bool(8, "counter")?;
            r.rasterizer_ordered = t.bool(9, "rasterizer ordered")?;
            10
        }
        ResourceClass::CBuffer => {
            r.kind = ResourceKind::CBuffer;
            r.cbuffer_size = t.u32(6, "size")?;
            return Ok(r);
        }
        ResourceClass::Sampler => {
            r.kind = ResourceKind::Sampler;
            r.sampler_kind = t.code(6, "sampler kind", SamplerKind::from_code, "0 to 2")?;
            return Ok(r);
        }
    };
    if let Some(list) = t.tuple(tags, "resource tags")? {
        for tag in list.tags() {
            let (tag, at) = tag?;
            match tag {
                0 => r.component = Some(component_type(&list, at, "element type")?),
                1 => r.stride = Some(list.u32(at, "stride")?),
                2 => r.feedback_kind = Some(list.u32(at, "feedback kind")?),
                3 => r.atomic64 = list.bool(at, "64-bit atomics")?,
                4 => r.reorder_coherent = list.bool(at, "reorder coherent")?,
                // Later versions add tags. The calls that use the resource repeat their contents.
                _ => {}
            }
        }
    }
    Ok(r)
}
