//! `dx.resources`: the ranges of SRVs, UAVs, constant buffers and samplers.

use super::cursor::Tuple;
use super::{ComponentType, Resource, ResourceClass, ResourceKind, SamplerKind, ShaderError};

type Result<T> = std::result::Result<T, ShaderError>;

/// Reads the four lists; they come out sorted by class, then number.
pub(super) fn read(lists: Tuple<'_>) -> Result<Vec<Resource>> {
    let lists = lists.at_least(4, "4: SRVs, UAVs, constant buffers, samplers")?;
    let classes = [
        (ResourceClass::Srv, "SRV list", "SRV"),
        (ResourceClass::Uav, "UAV list", "UAV"),
        (
            ResourceClass::CBuffer,
            "constant buffer list",
            "constant buffer",
        ),
        (ResourceClass::Sampler, "sampler list", "sampler"),
    ];
    let mut out = Vec::with_capacity(8);
    for (i, (class, what, one)) in classes.into_iter().enumerate() {
        let Some(list) = lists.tuple(i, what)? else {
            continue;
        };
        for r in 0..list.len() {
            if let Some(node) = list.tuple(r, one)? {
                out.push(resource(class, node)?);
            }
        }
    }
    if !out.is_sorted_by_key(|r| (r.class, r.id)) {
        out.sort_by_key(|r| (r.class, r.id));
    }
    Ok(out)
}

fn resource(class: ResourceClass, t: Tuple<'_>) -> Result<Resource> {
    let t = t.at_least(7, "at least 7")?;
    let (symbol_type, global) = t.pointer(1, "variable")?;
    let mut r = Resource {
        class,
        kind: ResourceKind::Invalid,
        id: t.u32(0, "number")?,
        name: t.text(2, "name")?.into(),
        space: t.u32(3, "space")?,
        lower_bound: t.u32(4, "lower bound")?,
        range_size: t.u32(5, "range size")?,
        global,
        symbol_type,
        component: None,
        stride: None,
        sample_count: 0,
        globally_coherent: false,
        has_counter: false,
        rasterizer_ordered: false,
        cbuffer_size: 0,
        sampler_kind: SamplerKind::Default,
        feedback_kind: None,
        atomic64: false,
        reorder_coherent: false,
    };
    let shape = |t: Tuple<'_>| {
        t.code(
            6,
            "shape",
            ResourceKind::from_code,
            "a resource kind, 0 to 18",
        )
    };
    let tags = match class {
        ResourceClass::Srv => {
            r.kind = shape(t)?;
            r.sample_count = if t.get(7).is_some() {
                t.u32(7, "sample count")?
            } else {
                0
            };
            8
        }
        ResourceClass::Uav => {
            r.kind = shape(t)?;
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
                0 => {
                    r.component = Some(list.code(
                        at,
                        "element type",
                        ComponentType::from_code,
                        "a component type, 0 to 18",
                    )?);
                }
                1 => r.stride = Some(list.u32(at, "stride")?),
                2 => r.feedback_kind = Some(list.u32(at, "feedback kind")?),
                3 => r.atomic64 = list.bool(at, "64-bit atomics")?,
                4 => r.reorder_coherent = list.bool(at, "reorder coherent")?,
                // Tags are meant to grow; an unknown one says nothing that the call sites do not.
                _ => {}
            }
        }
    }
    Ok(r)
}
