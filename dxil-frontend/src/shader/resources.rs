//! `dx.resources`: the ranges of SRVs, UAVs, constant buffers and samplers.

use super::cursor::Tuple;
use super::fields::{cbuffer, resource, resource_lists, resource_tag, sampler, srv, uav};
use super::{ComponentType, Resource, ResourceClass, ResourceKind, SamplerKind, ShaderError};

type Result<T> = std::result::Result<T, ShaderError>;

/// Reads the four lists into one, sorted by class, then number.
pub(super) fn read(lists: Tuple<'_>) -> Result<Vec<Resource>> {
    let lists = lists.at_least(
        resource_lists::COUNT,
        "4: SRVs, UAVs, constant buffers, samplers",
    )?;
    let classes = [
        (resource_lists::SRVS, ResourceClass::Srv, "SRV list", "SRV"),
        (resource_lists::UAVS, ResourceClass::Uav, "UAV list", "UAV"),
        (
            resource_lists::CBUFFERS,
            ResourceClass::CBuffer,
            "constant buffer list",
            "constant buffer",
        ),
        (
            resource_lists::SAMPLERS,
            ResourceClass::Sampler,
            "sampler list",
            "sampler",
        ),
    ];
    let mut out = Vec::with_capacity(8);
    for (i, class, what, one) in classes {
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
    let t = t.at_least(resource::COUNT, "at least 7")?;
    let (symbol_type, global) = t.pointer(resource::VARIABLE, "variable")?;
    let mut r = Resource {
        class,
        kind: ResourceKind::Invalid,
        id: t.u32(resource::ID, "number")?,
        name: t.text(resource::NAME, "name")?.into(),
        space: t.u32(resource::SPACE, "space")?,
        lower_bound: t.u32(resource::LOWER_BOUND, "lower bound")?,
        range_size: t.u32(resource::RANGE_SIZE, "range size")?,
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
            r.kind = shape(srv::SHAPE)?;
            if t.get(srv::SAMPLE_COUNT).is_some() {
                r.sample_count = t.u32(srv::SAMPLE_COUNT, "sample count")?;
            }
            srv::TAGS
        }
        ResourceClass::Uav => {
            r.kind = shape(uav::SHAPE)?;
            let t = t.at_least(uav::COUNT, "at least 10")?;
            r.globally_coherent = t.bool(uav::GLOBALLY_COHERENT, "globally coherent")?;
            r.has_counter = t.bool(uav::COUNTER, "counter")?;
            r.rasterizer_ordered = t.bool(uav::RASTERIZER_ORDERED, "rasterizer ordered")?;
            uav::TAGS
        }
        ResourceClass::CBuffer => {
            r.kind = ResourceKind::CBuffer;
            r.cbuffer_size = t.u32(cbuffer::SIZE, "size")?;
            return Ok(r);
        }
        ResourceClass::Sampler => {
            r.kind = ResourceKind::Sampler;
            r.sampler_kind = t.code(
                sampler::KIND,
                "sampler kind",
                SamplerKind::from_code,
                "0 to 2",
            )?;
            return Ok(r);
        }
    };
    if let Some(list) = t.tuple(tags, "resource tags")? {
        for tag in list.tags() {
            let (tag, at) = tag?;
            match tag {
                resource_tag::ELEMENT_TYPE => {
                    r.component = Some(list.code(
                        at,
                        "element type",
                        ComponentType::from_code,
                        "a component type, 0 to 18",
                    )?);
                }
                resource_tag::STRUCTURE_STRIDE => r.stride = Some(list.u32(at, "stride")?),
                resource_tag::SAMPLER_FEEDBACK_KIND => {
                    r.feedback_kind = Some(list.u32(at, "feedback kind")?);
                }
                resource_tag::ATOMIC64 => r.atomic64 = list.bool(at, "64-bit atomics")?,
                resource_tag::REORDER_COHERENT => {
                    r.reorder_coherent = list.bool(at, "reorder coherent")?;
                }
                // Later versions add tags. The calls that use the resource repeat their contents.
                _ => {}
            }
        }
    }
    Ok(r)
}
