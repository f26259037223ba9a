//! Comments after instructions, as DXC's dump has them: the source location, the variable of
//! `llvm.dbg.*`, the operation of a `dx.op` call.

use super::debug_info::expression;
use super::slots::{is_intrinsic, nullable_id};
use super::text::Text;
use crate::dxop::{DxCall, Op};
use crate::metadata::{MdId, MdNode};
use crate::module::{CallArg, Constant, DebugLoc, Function, InstId, InstKind, Module, ValueId};
use crate::shader::{ComponentType, ResourceKind};

/// Comments of one instruction.
pub(super) fn write(
    t: &mut Text,
    m: &Module,
    f: &Function,
    id: InstId,
    location: Option<&DebugLoc>,
) {
    if !variable(t, m, f, id)
        && let Some(loc) = location
    {
        t.fmt(format_args!(" ; line:{} col:{}", loc.line, loc.column));
    }
    match DxCall::parse(m, f, id) {
        Ok(Some(call)) => {
            t.push("  ; ");
            t.push(call.info().name);
            t.push("(");
            for (i, p) in call.info().params.iter().enumerate() {
                t.push(if i == 0 { "" } else { "," });
                t.push(p.name);
            }
            t.push(")");
            if call.op == Op::AnnotateHandle
                && let Some([a, b]) = call.operand(1).and_then(|p| properties(m, f, p))
            {
                t.push("  resource: ");
                resource(t, a, b);
            }
        }
        Ok(None) => {}
        // A listing shows broken calls too.
        Err(_) => t.push("  ; invalid DXIL operation"),
    }
}

/// Returns the text of a specialized node's string field.
fn string<'m>(m: &'m Module, raw: &[u64], index: usize) -> &'m str {
    raw.get(index)
        .and_then(|&v| nullable_id(v))
        .and_then(|id| m.metadata.string(id))
        .unwrap_or("")
}

fn record<'m>(m: &'m Module, id: MdId, codes: &[u32]) -> Option<(u32, &'m [u64])> {
    match m.metadata.nodes.get(id)? {
        MdNode::Debug { code, fields } if codes.contains(code) => {
            m.metadata.records.get(fields.range()).map(|r| (*code, r))
        }
        _ => None,
    }
}

/// Prints `; var:"s" !DIExpression() func:"main"` for a call of an LLVM intrinsic with a local
/// variable; returns whether the instruction is one.
fn variable(t: &mut Text, m: &Module, f: &Function, id: InstId) -> bool {
    let Some(InstKind::Call { callee, args, .. }) = f.insts.get(id).map(|i| i.kind) else {
        return false;
    };
    if !is_intrinsic(m, callee) {
        return false;
    }
    let (mut local, mut expr) = (None, None);
    for arg in f.call_args(args) {
        if let CallArg::Metadata(id) = arg {
            local = local.or_else(|| record(m, id, &[28]).map(|(_, r)| r));
            expr = expr.or_else(|| record(m, id, &[29]).map(|(_, r)| r));
        }
    }
    let Some(local) = local else { return false };
    t.fmt(format_args!(" ; var:\"{}\" ", string(m, local, 3)));
    if let Some(expr) = expr {
        t.push("!");
        expression(t, expr);
    }
    // The variable's function: up through lexical blocks. A cycle would be invalid debug
    // information; the walk is bounded in any case.
    let mut scope = local.get(2).copied().unwrap_or(0);
    for _ in 0..m.metadata.nodes.len() {
        match nullable_id(scope).and_then(|id| record(m, id, &[21, 22, 23])) {
            Some((21, raw)) => {
                t.fmt(format_args!(" func:\"{}\"", string(m, raw, 2)));
                break;
            }
            Some((_, raw)) => scope = raw.get(1).copied().unwrap_or(0),
            None => break,
        }
    }
    true
}

/// Returns the two words of a constant `%dx.types.ResourceProperties`.
fn properties(m: &Module, f: &Function, v: ValueId) -> Option<[u32; 2]> {
    match &m.constant(Some(f), v)?.value {
        Constant::Null => Some([0; 2]),
        aggregate @ Constant::Aggregate(_) => {
            let operands = aggregate.operands(&m.const_operands);
            let mut words = operands.map(|o| m.const_int(Some(f), o).map(|v| v as u32));
            Some([words.next()??, words.next()??])
        }
        _ => None,
    }
}

/// Prints resource properties. First word: kind, alignment, bit 12 UAV, 13 rasterizer-ordered, 14
/// globally coherent, 15 comparison sampler or counter. Second word: component type and count,
/// structure stride, or constant buffer size.
fn resource(t: &mut Text, a: u32, b: u32) {
    let kind = ResourceKind::from_code(a & 0xFF).unwrap_or(ResourceKind::Invalid);
    let (uav, rov, coherent, special) = (
        a >> 12 & 1 != 0,
        a >> 13 & 1 != 0,
        a >> 14 & 1 != 0,
        a >> 15 & 1 != 0,
    );
    if kind == ResourceKind::Sampler {
        return t.push(if special {
            "SamplerComparisonState"
        } else {
            "SamplerState"
        });
    }
    if uav
        && !matches!(
            kind,
            ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray
        )
    {
        t.push(if coherent { "globallycoherent " } else { "" });
        t.push(if rov { "ROV" } else { "RW" });
    }
    match kind {
        ResourceKind::CBuffer => t.push("CBuffer"),
        ResourceKind::RawBuffer => t.push("ByteAddressBuffer"),
        ResourceKind::TBuffer => t.push("TBuffer"),
        ResourceKind::StructuredBuffer => t.fmt(format_args!(
            "StructuredBuffer<stride={b}{}>",
            if special { ", counter" } else { "" }
        )),
        ResourceKind::RTAccelerationStructure => t.push("RTAccelerationStructure"),
        ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray => {
            t.fmt(format_args!(
                "{kind:?}<{}>",
                if b as u8 == 0 {
                    "MinMip"
                } else {
                    "MipRegionUsed"
                }
            ));
        }
        // A shape or component type that is not valid has its name in lower case.
        _ => {
            match kind {
                ResourceKind::Invalid => t.push("invalid<"),
                _ => t.fmt(format_args!("{kind:?}<")),
            }
            if b >> 8 & 0xFF > 1 {
                t.fmt(format_args!("{}x", b >> 8 & 0xFF));
            }
            match ComponentType::from_code(b & 0xFF) {
                None | Some(ComponentType::Invalid) => t.push("invalid>"),
                Some(ty) => t.fmt(format_args!("{ty:?}>")),
            }
        }
    }
}
