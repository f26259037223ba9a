//! Execution modes of geometry, hull and domain shaders. Numbers are those of DXIL's metadata:
//! D3D's primitives, domains, partitionings and topologies.

use rspirv::spirv::{Capability, ExecutionMode};
use trellis_dxil_frontend::shader::ShaderKind;

use crate::error::{Error, InterfaceFeature, InvalidKind};
use crate::interface::primitive_vertices;
use crate::values::Emitter;

/// Declares them, before anything else is emitted: the rest relies on these properties.
///
/// # Errors
/// The properties are missing, make no sense, or have no form in Vulkan.
pub(super) fn declare(e: &mut Emitter<'_>) -> Result<(), Error> {
    match e.entry.kind {
        ShaderKind::Geometry => geometry(e),
        ShaderKind::Hull => hull(e),
        ShaderKind::Domain => domain(e),
        _ => Ok(()),
    }
}

/// Input and output primitives, vertices, instances.
fn geometry(e: &mut Emitter<'_>) -> Result<(), Error> {
    let Some([primitive, vertices, _, topology, instances]) = e.entry.properties.geometry else {
        return Err(e.invalid(
            InvalidKind::StageProperty,
            "a geometry shader without its properties",
        ));
    };
    e.b.caps.add(Capability::Geometry);
    let input = match (primitive_vertices(primitive), primitive) {
        (Some(1), _) => ExecutionMode::InputPoints,
        (Some(2), _) => ExecutionMode::InputLines,
        (Some(3), _) => ExecutionMode::Triangles,
        (Some(4), _) => ExecutionMode::InputLinesAdjacency,
        (Some(6), _) => ExecutionMode::InputTrianglesAdjacency,
        (_, 8..=39) => {
            return Err(e.unsupported(InterfaceFeature::PatchInput {
                points: primitive - 7,
            }));
        }
        _ => {
            return Err(e.invalid(
                InvalidKind::StageProperty,
                format!("a geometry shader with input primitive {primitive}"),
            ));
        }
    };
    let output = match topology {
        1 => ExecutionMode::OutputPoints,
        2 | 3 => ExecutionMode::OutputLineStrip,
        4 | 5 => ExecutionMode::OutputTriangleStrip,
        other => {
            return Err(e.invalid(
                InvalidKind::StageProperty,
                format!("a geometry shader with output topology {other}"),
            ));
        }
    };
    if vertices == 0 {
        return Err(e.unsupported(InterfaceFeature::NoVertices));
    }
    e.b.execution_mode(input, &[]);
    e.b.execution_mode(ExecutionMode::Invocations, &[instances.max(1)]);
    e.b.execution_mode(output, &[]);
    e.b.execution_mode(ExecutionMode::OutputVertices, &[vertices]);
    Ok(())
}

/// Domain, partitioning, topology and output control points: Vulkan reads them from either
/// tessellation stage, DXIL has them here.
fn hull(e: &mut Emitter<'_>) -> Result<(), Error> {
    let Some((_, [_, points, domain, partitioning, topology, _])) = e.entry.properties.hull else {
        return Err(e.invalid(
            InvalidKind::StageProperty,
            "a hull shader without its properties",
        ));
    };
    e.b.caps.add(Capability::Tessellation);
    let spacing = match partitioning {
        // The tessellator takes powers of two for integers: rounding to them is the hull shader's
        // own matter.
        1 | 2 => ExecutionMode::SpacingEqual,
        3 => ExecutionMode::SpacingFractionalOdd,
        4 => ExecutionMode::SpacingFractionalEven,
        other => {
            return Err(e.invalid(
                InvalidKind::StageProperty,
                format!("a hull shader with partitioning {other}"),
            ));
        }
    };
    let subdivision = subdivision(e, domain)?;
    e.b.execution_mode(subdivision, &[]);
    e.b.execution_mode(spacing, &[]);
    match topology {
        // Vulkan wants an order of the vertices, whatever becomes of them.
        1 => {
            e.b.execution_mode(ExecutionMode::VertexOrderCw, &[]);
            e.b.execution_mode(ExecutionMode::PointMode, &[]);
        }
        2 | 3 => e.b.execution_mode(ExecutionMode::VertexOrderCw, &[]),
        4 => e.b.execution_mode(ExecutionMode::VertexOrderCcw, &[]),
        other => {
            return Err(e.invalid(
                InvalidKind::StageProperty,
                format!("a hull shader with output topology {other}"),
            ));
        }
    }
    e.b.execution_mode(ExecutionMode::OutputVertices, &[points.max(1)]);
    Ok(())
}

/// The domain, which has to be that of the hull shader.
fn domain(e: &mut Emitter<'_>) -> Result<(), Error> {
    let Some([domain, _]) = e.entry.properties.domain else {
        return Err(e.invalid(
            InvalidKind::StageProperty,
            "a domain shader without its properties",
        ));
    };
    e.b.caps.add(Capability::Tessellation);
    let subdivision = subdivision(e, domain)?;
    e.b.execution_mode(subdivision, &[]);
    Ok(())
}

fn subdivision(e: &Emitter<'_>, domain: u32) -> Result<ExecutionMode, Error> {
    match domain {
        1 => Ok(ExecutionMode::Isolines),
        2 => Ok(ExecutionMode::Triangles),
        3 => Ok(ExecutionMode::Quads),
        other => Err(e.invalid(
            InvalidKind::StageProperty,
            format!("tessellation of domain {other}"),
        )),
    }
}
