//! Properties of the primitives of geometry, hull and domain shaders.

use serde::Serialize;
use trellis_dxil_frontend::shader::{
    EntryPoint, GeometryProperties, InputPrimitive, PrimitiveTopology, TessellatorDomain,
    TessellatorOutputPrimitive, TessellatorPartitioning,
};

use crate::interface::patch_location;
use crate::options::Options;

/// Primitives of a geometry shader.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct GeometryReflection {
    /// `point`, `line`, `triangle`, `line adjacency`, `triangle adjacency` or `patch`.
    pub input: &'static str,
    /// `point`, `line strip` or `triangle strip`.
    pub output: &'static str,
    /// Most vertices that an instance emits.
    pub max_vertices: u32,
    /// Mask of the streams that it writes.
    pub streams: u32,
    /// Instances for each primitive.
    pub instances: u32,
}

/// Patches of a hull or domain shader.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct TessellationReflection {
    /// `isoline`, `triangle` or `quad`.
    pub domain: &'static str,
    /// Control points of a patch that comes in.
    pub input_control_points: u32,
    /// Control points that a hull shader makes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_control_points: Option<u32>,
    /// `integer`, `pow2`, `fractional_odd` or `fractional_even`, of a hull shader.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partitioning: Option<&'static str>,
    /// `point`, `line`, `triangle_cw` or `triangle_ccw`, of a hull shader.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_topology: Option<&'static str>,
    /// The Vulkan location of register 0 of the patch constants.
    pub patch_location: u32,
}

/// Name of a number that D3D does not define.
pub(super) const UNKNOWN: &str = "unknown";

pub(super) fn geometry(properties: GeometryProperties) -> GeometryReflection {
    GeometryReflection {
        input: match properties.input {
            InputPrimitive::Point => "point",
            InputPrimitive::Line => "line",
            InputPrimitive::Triangle => "triangle",
            InputPrimitive::LineAdjacency => "line adjacency",
            InputPrimitive::TriangleAdjacency => "triangle adjacency",
            InputPrimitive::Patch(_) => "patch",
            InputPrimitive::Unknown(_) => UNKNOWN,
        },
        output: match properties.output {
            PrimitiveTopology::PointList => "point",
            PrimitiveTopology::LineList => "line",
            PrimitiveTopology::LineStrip => "line strip",
            PrimitiveTopology::TriangleList => "triangle",
            PrimitiveTopology::TriangleStrip => "triangle strip",
            PrimitiveTopology::Unknown(_) => UNKNOWN,
        },
        max_vertices: properties.max_vertices,
        streams: properties.streams,
        instances: properties.instances,
    }
}

fn domain_name(domain: TessellatorDomain) -> &'static str {
    match domain {
        TessellatorDomain::IsoLine => "isoline",
        TessellatorDomain::Triangle => "triangle",
        TessellatorDomain::Quad => "quad",
        TessellatorDomain::Unknown(_) => UNKNOWN,
    }
}

pub(super) fn tessellation(e: &EntryPoint, options: &Options) -> Option<TessellationReflection> {
    let patch_location = patch_location(e, options);
    if let Some(hull) = e.properties.hull {
        return Some(TessellationReflection {
            domain: domain_name(hull.domain),
            input_control_points: hull.input_control_points,
            output_control_points: Some(hull.output_control_points),
            partitioning: Some(match hull.partitioning {
                TessellatorPartitioning::Integer => "integer",
                TessellatorPartitioning::Pow2 => "pow2",
                TessellatorPartitioning::FractionalOdd => "fractional_odd",
                TessellatorPartitioning::FractionalEven => "fractional_even",
                TessellatorPartitioning::Unknown(_) => UNKNOWN,
            }),
            output_topology: Some(match hull.output_primitive {
                TessellatorOutputPrimitive::Point => "point",
                TessellatorOutputPrimitive::Line => "line",
                TessellatorOutputPrimitive::TriangleCw => "triangle_cw",
                TessellatorOutputPrimitive::TriangleCcw => "triangle_ccw",
                TessellatorOutputPrimitive::Unknown(_) => UNKNOWN,
            }),
            patch_location,
        });
    }
    let domain = e.properties.domain?;
    Some(TessellationReflection {
        domain: domain_name(domain.domain),
        input_control_points: domain.input_control_points,
        output_control_points: None,
        partitioning: None,
        output_topology: None,
        patch_location,
    })
}

#[cfg(test)]
mod tests {
    use super::GeometryReflection;
    use crate::options::Options;
    use crate::reflect::reflect;

    #[test]
    fn patches_and_primitives() {
        let read = |shader: &[u8]| {
            reflect(shader, &Options::default())
                .unwrap()
                .entry_points
                .remove(0)
        };
        let hull = read(include_bytes!(
            "../../../corpus/shaders/tessellation/more_points.dxil"
        ))
        .tessellation
        .unwrap();
        assert_eq!(
            (
                hull.domain,
                hull.input_control_points,
                hull.output_control_points
            ),
            ("triangle", 3, Some(6))
        );
        assert_eq!(
            (hull.partitioning, hull.output_topology),
            (Some("integer"), Some("triangle_cw"))
        );
        let (hull, domain) = (
            read(include_bytes!(
                "../../../corpus/shaders/tessellation/all_stages.dxil"
            ))
            .tessellation
            .unwrap(),
            read(include_bytes!(
                "../../../corpus/shaders/tessellation/all_stages.ds.dxil"
            ))
            .tessellation
            .unwrap(),
        );
        assert_eq!(
            (
                domain.domain,
                domain.input_control_points,
                domain.output_control_points
            ),
            ("quad", 4, None)
        );
        assert_eq!(hull.patch_location, domain.patch_location);
        let entry = read(include_bytes!(
            "../../../corpus/shaders/geometry/streams.dxil"
        ));
        assert_eq!(
            entry.geometry,
            Some(GeometryReflection {
                input: "point",
                output: "point",
                max_vertices: 4,
                streams: 3,
                instances: 1
            })
        );
        assert!(
            entry
                .outputs
                .iter()
                .any(|e| e.semantic == "KIND" && e.stream == Some(1))
        );
    }
}
