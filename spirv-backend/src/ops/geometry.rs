//! Vertices and primitives that a geometry shader emits.

use rspirv::spirv::{Capability, Op};
use trellis_dxil_frontend::dxop::GeometryOp;
use trellis_dxil_frontend::shader::{GeometryProperties, PrimitiveTopology};

use super::Emitter;
use crate::error::{Error, InvalidKind};
use crate::interface;

/// Emits one operation of this family. A shader that writes only the first stream needs
/// no stream instructions, which require the capability `GeometryStreams`.
pub(crate) fn emit(e: &mut Emitter<'_>, op: GeometryOp) -> Result<(), Error> {
    let Some(GeometryProperties {
        streams, output, ..
    }) = e.entry.properties.geometry
    else {
        return Err(e.invalid_call(
            InvalidKind::StageProperty,
            "without a geometry shader's properties",
        ));
    };
    let stream = e.arg_const(0)?;
    if stream > 3 || streams >> stream & 1 == 0 {
        return Err(e.invalid_operand(format!("of stream {stream}, of streams {streams:#b}")));
    }
    if streams != 1 && output != PrimitiveTopology::PointList {
        return Err(e.unsupported_on("streams of primitives that are not points"));
    }
    let (emits, cuts) = match op {
        GeometryOp::EmitStream => (true, false),
        GeometryOp::CutStream => (false, true),
        GeometryOp::EmitThenCutStream => (true, true),
    };
    if emits {
        if stream == 0 {
            let is_point = output == PrimitiveTopology::PointList;
            interface::before_vertex(&mut e.f, &mut e.interface, is_point)?;
        }
        instruction(
            e,
            streams,
            stream as u32,
            Op::EmitVertex,
            Op::EmitStreamVertex,
        );
    }
    if cuts {
        instruction(
            e,
            streams,
            stream as u32,
            Op::EndPrimitive,
            Op::EndStreamPrimitive,
        );
    }
    Ok(())
}

fn instruction(e: &mut Emitter<'_>, streams: u32, stream: u32, only: Op, of_stream: Op) {
    if streams == 1 {
        e.b.op_void(only, &[]);
        return;
    }
    e.b.caps.add(Capability::GeometryStreams);
    let stream = e.b.const_u32(stream);
    e.b.op_void(of_stream, &[stream]);
}
