//! Execution modes of geometry, hull and domain shaders.

use crate::ops::Emitter;
use rspirv::spirv::{Capability, ExecutionMode};
use trellis_dxil_frontend::shader::{
    InputPrimitive, PrimitiveTopology, ShaderKind, TessellatorDomain, TessellatorOutputPrimitive,
    TessellatorPartitioning,
};

use crate::error::{Error, InterfaceFeature};
use crate::interface::vulkan_primitive;

/// Declares them, before anything else is emitted: the rest relies on these properties.
///
/// # Errors
/// The properties are missing or invalid, or have no form in Vulkan.
pub(super) fn declare(e: &mut Emitter<'_>) -> Result<(), Error> {
    match e.entry.kind {
        ShaderKind::Geometry => geometry(e),
        ShaderKind::Hull => hull(e),
        ShaderKind::Domain => domain(e),
        _ => Ok(()),
    }
}

/// Adds the execution modes of a geometry shader: input and output primitives, vertices, instances.
fn geometry(e: &mut Emitter<'_>) -> Result<(), Error> {
    let Some(properties) = e.entry.properties.geometry else {
        return Err(e.invalid_property("a geometry shader without its properties"));
    };
    e.b.caps.add(Capability::Geometry);
    let input = match vulkan_primitive(properties.input) {
        InputPrimitive::Point => ExecutionMode::InputPoints,
        InputPrimitive::Line => ExecutionMode::InputLines,
        InputPrimitive::Triangle => ExecutionMode::Triangles,
        InputPrimitive::LineAdjacency => ExecutionMode::InputLinesAdjacency,
        InputPrimitive::TriangleAdjacency => ExecutionMode::InputTrianglesAdjacency,
        InputPrimitive::Patch(points) => {
            return Err(e.unsupported(InterfaceFeature::PatchInput { points }));
        }
        InputPrimitive::Unknown(code) => {
            return Err(
                e.invalid_property(format!("a geometry shader with input primitive {code}"))
            );
        }
    };
    let output = match properties.output {
        PrimitiveTopology::PointList => ExecutionMode::OutputPoints,
        PrimitiveTopology::LineList | PrimitiveTopology::LineStrip => {
            ExecutionMode::OutputLineStrip
        }
        PrimitiveTopology::TriangleList | PrimitiveTopology::TriangleStrip => {
            ExecutionMode::OutputTriangleStrip
        }
        PrimitiveTopology::Unknown(code) => {
            return Err(
                e.invalid_property(format!("a geometry shader with output topology {code}"))
            );
        }
    };
    if properties.max_vertices == 0 {
        return Err(e.unsupported(InterfaceFeature::NoVertices));
    }
    e.b.execution_mode(input, &[]);
    e.b.execution_mode(ExecutionMode::Invocations, &[properties.instances.max(1)]);
    e.b.execution_mode(output, &[]);
    e.b.execution_mode(ExecutionMode::OutputVertices, &[properties.max_vertices]);
    Ok(())
}

/// Adds the execution modes of a hull shader: domain, partitioning, topology and output control
/// points. Vulkan reads them from either tessellation stage, DXIL has them here.
fn hull(e: &mut Emitter<'_>) -> Result<(), Error> {
    let Some(properties) = e.entry.properties.hull else {
        return Err(e.invalid_property("a hull shader without its properties"));
    };
    e.b.caps.add(Capability::Tessellation);
    let spacing = match properties.partitioning {
        // The tessellator rounds integer factors up; the hull shader itself rounds to powers of
        // two.
        TessellatorPartitioning::Integer | TessellatorPartitioning::Pow2 => {
            ExecutionMode::SpacingEqual
        }
        TessellatorPartitioning::FractionalOdd => ExecutionMode::SpacingFractionalOdd,
        TessellatorPartitioning::FractionalEven => ExecutionMode::SpacingFractionalEven,
        TessellatorPartitioning::Unknown(code) => {
            return Err(e.invalid_property(format!("a hull shader with partitioning {code}")));
        }
    };
    let subdivision = subdivision(e, properties.domain)?;
    e.b.execution_mode(subdivision, &[]);
    e.b.execution_mode(spacing, &[]);
    match properties.output_primitive {
        // Vulkan requires an order of the vertices in any case.
        TessellatorOutputPrimitive::Point => {
            e.b.execution_mode(ExecutionMode::VertexOrderCw, &[]);
            e.b.execution_mode(ExecutionMode::PointMode, &[]);
        }
        TessellatorOutputPrimitive::Line | TessellatorOutputPrimitive::TriangleCw => {
            e.b.execution_mode(ExecutionMode::VertexOrderCw, &[]);
        }
        TessellatorOutputPrimitive::TriangleCcw => {
            e.b.execution_mode(ExecutionMode::VertexOrderCcw, &[]);
        }
        TessellatorOutputPrimitive::Unknown(code) => {
            return Err(e.invalid_property(format!("a hull shader with output topology {code}")));
        }
    }
    let points = properties.output_control_points;
    e.b.execution_mode(ExecutionMode::OutputVertices, &[points.max(1)]);
    Ok(())
}

/// Adds the domain of a domain shader, which has to be the same as the hull shader's.
fn domain(e: &mut Emitter<'_>) -> Result<(), Error> {
    let Some(properties) = e.entry.properties.domain else {
        return Err(e.invalid_property("a domain shader without its properties"));
    };
    e.b.caps.add(Capability::Tessellation);
    let subdivision = subdivision(e, properties.domain)?;
    e.b.execution_mode(subdivision, &[]);
    Ok(())
}

fn subdivision(e: &Emitter<'_>, domain: TessellatorDomain) -> Result<ExecutionMode, Error> {
    match domain {
        TessellatorDomain::IsoLine => Ok(ExecutionMode::Isolines),
        TessellatorDomain::Triangle => Ok(ExecutionMode::Triangles),
        TessellatorDomain::Quad => Ok(ExecutionMode::Quads),
        TessellatorDomain::Unknown(code) => {
            Err(e.invalid_property(format!("tessellation of domain {code}")))
        }
    }
}
