//! One function: its blocks in structured order.

use dxil_frontend::module::{ArithFlags, BinaryOp, InstId, InstKind, Type, TypeId, ValueId, ValueKind};
use rspirv::dr::{self, Operand};
use rspirv::spirv::{Decoration, FunctionControl, LoopControl, Op, SelectionControl, Word};
use structurizer::Merge;
use structurizer::ir::{self, LoopHint, SelectionHint, SelectorOp, Terminator};

use super::Body;
use crate::builder::inst;
use crate::emitter::Emitter;
use crate::error::Error;
use crate::lower::{Helper, OWN, attached};
use crate::memory::Memory;
use crate::ops::{discard, llvm};
use crate::resources::Resources;

/// A phi whose operands are filled in when the whole function is there.
struct OpenPhi {
    value: ir::Value,
    block: usize,
    instruction: usize,
}

/// Emits one function.
pub(super) fn emit<'a>(e: &mut Emitter<'a>, body: &'a Body<'a>) -> Result<(), Error> {
    let func = &body.structured.func;
    e.function = body.function;
    e.lowered = &body.lowered;
    e.structured = func;
    e.current = None;
    e.ids.clear();
    e.ids.resize(func.num_values(), 0);
    Memory::enter_function(e);
    begin(e, body)?;
    Resources::begin_body(e, body.id);

    let mut labels: Vec<Word> = vec![0; func.num_blocks()];
    for &block in &body.structured.order {
        labels[block.as_u32() as usize] = e.b.id();
    }
    let mut open = Vec::new();
    for (index, &block) in body.structured.order.iter().enumerate() {
        for value in func.phis(block) {
            let ty = e.structured_type(func.value_type(value))?;
            open.push(OpenPhi { value, block: index, instruction: e.b.body_len() });
            let id = e.b.op(Op::Phi, ty, Vec::new());
            e.ids[value.as_u32() as usize] = id;
        }
        for instruction in func.insts(block) {
            instruction_of(e, func, instruction)?;
        }
        e.current = None;
        let selector = selector(e, func, block)?;
        merge(e, body.structured.merges[block], &labels);
        terminator(e, func, block, selector, &labels)?;
        e.b.finish_block(labels[block.as_u32() as usize], Vec::new());
    }
    for phi in open {
        let mut operands = Vec::new();
        for operand in func.phi_operands(phi.value) {
            operands.push(Operand::IdRef(e.structured_id(operand.value)?));
            operands.push(Operand::IdRef(labels[operand.pred.as_u32() as usize]));
        }
        e.b.function_mut().blocks[phi.block].instructions[phi.instruction].operands = operands;
    }
    let locals = std::mem::take(&mut e.locals);
    if let Some(first) = e.b.function_mut().blocks.first_mut()
        && !locals.is_empty()
    {
        first.instructions.splice(0..0, locals);
    }
    names(e);
    e.b.finish_function();
    Ok(())
}

/// `OpFunction` and its parameters.
fn begin(e: &mut Emitter<'_>, body: &Body<'_>) -> Result<(), Error> {
    let Type::Function { ret, params, .. } = e.module.ty(body.function.ty) else {
        return Err(e.invalid("the function has no function type"));
    };
    let ret = match e.module.ty(*ret) {
        Type::Void => e.b.ty_void(),
        _ => e.spirv_type(*ret)?,
    };
    let params = params.iter().map(|&p| e.spirv_type(p)).collect::<Result<Vec<_>, _>>()?;
    let ty = e.b.ty_function(ret, &params);
    let id = e.function_ids[body.id.as_u32() as usize];
    let def = inst(Op::Function, Some(ret), Some(id), vec![Operand::FunctionControl(FunctionControl::NONE), Operand::IdRef(ty)]);
    let mut parameters = Vec::with_capacity(params.len());
    for &ty in &params {
        let id = e.b.id();
        parameters.push(inst(Op::FunctionParameter, Some(ty), Some(id), vec![]));
    }
    for (index, data) in body.function.values.iter().enumerate() {
        if let ValueKind::Argument(n) = data.kind
            && let (Some(value), Some(parameter)) = (body.lowered.values[index].expand(), parameters.get(n as usize))
        {
            e.ids[value.as_u32() as usize] = parameter.result_id.unwrap_or(0);
        }
    }
    e.b.begin_function(def, parameters);
    Ok(())
}

fn instruction_of(e: &mut Emitter<'_>, func: &ir::Function, instruction: ir::Inst) -> Result<(), Error> {
    match func.inst_kind(instruction) {
        ir::InstKind::SelectorTest { op, constant } => {
            let selector = match func.uses(instruction) {
                [selector] => e.structured_id(*selector)?,
                _ => return Err(e.invalid("a selector test without selector")),
            };
            let constant = e.b.const_u32(constant);
            let op = match op {
                SelectorOp::LessEqual => Op::ULessThanEqual,
                SelectorOp::Equal => Op::IEqual,
            };
            let ty = e.b.ty_bool();
            let id = e.b.op_ids(op, ty, &[selector, constant]);
            for result in func.results(instruction) {
                e.ids[result.as_u32() as usize] = id;
            }
            Ok(())
        }
        ir::InstKind::Client(payload) if payload == Helper::Demote.payload() => {
            discard::demote(e);
            Ok(())
        }
        ir::InstKind::Client(payload) if payload & OWN != 0 => Err(e.invalid("an unknown helper instruction")),
        ir::InstKind::Client(payload) => {
            let id = InstId::from_u32(payload);
            e.current = Some(id);
            let (now, before) = (func.uses(instruction), e.lowered.uses_of(instruction));
            e.renames.clear();
            if now != before {
                e.renames.extend(before.iter().copied().zip(now.iter().copied()).filter(|(old, new)| old != new));
            }
            let start = e.b.body_len();
            llvm::emit(e, id)?;
            e.renames.clear();
            if is_precise(e, id) {
                no_contraction(e, start);
            }
            Ok(())
        }
    }
}

/// Whether the source asked for exact results: `precise`, or arithmetic without fast-math flags.
fn is_precise(e: &Emitter<'_>, id: InstId) -> bool {
    if let InstKind::Binary { op: BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem, flags, .. } = e.kind(id) {
        return !flags.has(ArithFlags::FAST) || attached(e.function, id, e.source.kinds.precise).is_some();
    }
    !e.function.inst_metadata.is_empty() && attached(e.function, id, e.source.kinds.precise).is_some()
}

/// Decorates the arithmetic of one source instruction.
fn no_contraction(e: &mut Emitter<'_>, start: usize) {
    let arithmetic = |op: Op| matches!(op, Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FMod | Op::FNegate | Op::Dot);
    for index in start..e.b.body_len() {
        let Some(made) = e.b.body_inst(index) else { return };
        if let (true, Some(id)) = (arithmetic(made.class.opcode), made.result_id) {
            e.b.decorate(id, Decoration::NoContraction, &[]);
        }
    }
}

fn merge(e: &mut Emitter<'_>, merge: Merge, labels: &[Word]) {
    let label = |block: ir::Block| Operand::IdRef(labels[block.as_u32() as usize]);
    match merge {
        Merge::None => {}
        Merge::Selection { merge, hint } => {
            let control = match hint {
                SelectionHint::None => SelectionControl::NONE,
                SelectionHint::Flatten => SelectionControl::FLATTEN,
                SelectionHint::DontFlatten => SelectionControl::DONT_FLATTEN,
            };
            e.b.op_void(Op::SelectionMerge, vec![label(merge), Operand::SelectionControl(control)]);
        }
        Merge::Loop { merge, continue_target, hint } => {
            let (control, count) = match hint {
                LoopHint::None => (LoopControl::NONE, None),
                LoopHint::Unroll => (LoopControl::UNROLL, None),
                LoopHint::DontUnroll => (LoopControl::DONT_UNROLL, None),
                LoopHint::UnrollCount(n) if e.options.target.spirv_version() >= (1, 4) => (LoopControl::PARTIAL_COUNT, Some(n)),
                LoopHint::UnrollCount(_) => (LoopControl::UNROLL, None),
            };
            let mut operands = vec![label(merge), label(continue_target), Operand::LoopControl(control)];
            operands.extend(count.map(Operand::LiteralBit32));
            e.b.op_void(Op::LoopMerge, operands);
        }
    }
}

fn terminator(e: &mut Emitter<'_>, func: &ir::Function, block: ir::Block, selector: Option<Word>, labels: &[Word]) -> Result<(), Error> {
    let label = |block: ir::Block| Operand::IdRef(labels[block.as_u32() as usize]);
    match func.terminator(block) {
        Some(Terminator::Branch(to)) => e.b.op_void(Op::Branch, vec![label(to)]),
        Some(Terminator::CondBranch { cond, then, else_, .. }) => {
            let cond = e.structured_id(cond)?;
            e.b.op_void(Op::BranchConditional, vec![Operand::IdRef(cond), label(then), label(else_)]);
        }
        Some(Terminator::Switch { value, default, cases, .. }) => {
            let width = selector_width(e, func, value)?;
            let relaxed = width == 32 && func.value_type(value) != ir::Type::SELECTOR && is_int16(e, func, value);
            let value = selector.map_or_else(|| e.structured_id(value), Ok)?;
            let mut operands = vec![Operand::IdRef(value), label(default)];
            for case in func.cases(cases) {
                operands.push(match (width, relaxed) {
                    (64, _) => Operand::LiteralBit64(case.literal),
                    (_, true) => Operand::LiteralBit32(case.literal as u16 as i16 as i32 as u32),
                    _ => Operand::LiteralBit32(case.literal as u32),
                });
                operands.push(label(case.target));
            }
            e.b.op_void(Op::Switch, operands);
        }
        Some(Terminator::Return(None)) => {
            Resources::end_body(e);
            e.b.op_void(Op::Return, vec![]);
        }
        Some(Terminator::Return(Some(value))) => {
            let value = e.structured_id(value)?;
            e.b.op_void(Op::ReturnValue, vec![Operand::IdRef(value)]);
        }
        Some(Terminator::Unreachable) => e.b.op_void(Op::Unreachable, vec![]),
        Some(Terminator::Kill) => e.b.op_void(Op::Kill, vec![]),
        Some(Terminator::BreakBranch { .. }) | None => return Err(e.invalid(format!("{block} has no structured terminator"))),
    }
    Ok(())
}

/// The value of a block's switch where it is not the plain one: of a minimum-precision integer only the lower bits count.
fn selector(e: &mut Emitter<'_>, func: &ir::Function, block: ir::Block) -> Result<Option<Word>, Error> {
    let Some(Terminator::Switch { value, .. }) = func.terminator(block) else { return Ok(None) };
    if func.value_type(value) == ir::Type::SELECTOR || !is_int16(e, func, value) {
        return Ok(None);
    }
    let shape = e.shape(TypeId::from_u32(func.value_type(value).0))?;
    let id = e.structured_id(value)?;
    Ok(Some(e.sign_extended(shape, id)))
}

/// Width of a switch's value in SPIR-V.
fn selector_width(e: &Emitter<'_>, func: &ir::Function, value: ir::Value) -> Result<u32, Error> {
    match func.value_type(value) {
        ir::Type::SELECTOR => Ok(32),
        ir::Type(ty) => Ok(e.scalar(TypeId::from_u32(ty))?.width()),
    }
}

fn is_int16(e: &Emitter<'_>, func: &ir::Function, value: ir::Value) -> bool {
    matches!(e.module.types.get(func.value_type(value).0 as usize), Some(Type::Int(16)))
}

/// `OpName` of the function and of the values that the module names.
fn names(e: &mut Emitter<'_>) {
    if !e.options.names {
        return;
    }
    let function = e.function;
    if let Some(id) = e.b.function_mut().def.as_ref().and_then(|d: &dr::Instruction| d.result_id) {
        e.b.name(id, &function.name);
    }
    for (value, name) in &function.value_names {
        let id = e.lowered.value_of(*value).map(|v| (v, e.ids[v.as_u32() as usize]));
        if let Some((v, id)) = id
            && id != 0
            && !matches!(e.structured.value_kind(v), ir::ValueKind::Constant { .. } | ir::ValueKind::Undef)
        {
            e.b.name(id, name);
        }
    }
}

/// `OpFunctionCall` of a function of the shader.
pub(crate) fn call(e: &mut Emitter<'_>, inst: InstId, callee: ValueId, args: &[ValueId]) -> Result<(), Error> {
    let target = match e.module.value(None, callee).map(|v| v.kind) {
        Some(ValueKind::Function(f)) => e.function_ids.get(f.as_u32() as usize).copied().unwrap_or(0),
        _ => 0,
    };
    if target == 0 {
        return Err(e.invalid("a call of a function that is not part of the shader"));
    }
    let ret = e.result_type(inst);
    let ty = match e.module.ty(ret) {
        Type::Void => e.b.ty_void(),
        _ => e.spirv_type(ret)?,
    };
    let mut operands = vec![Operand::IdRef(target)];
    for &arg in args {
        operands.push(Operand::IdRef(e.id(arg)?));
    }
    let id = e.b.op(Op::FunctionCall, ty, operands);
    e.set(inst, 0, id);
    Ok(())
}
