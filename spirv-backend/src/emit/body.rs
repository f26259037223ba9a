//! One function: its blocks in structured order.

use rspirv::spirv::{Decoration, LoopControl, Op, SelectionControl, Word};
use smallvec::{SmallVec, smallvec};
use trellis_dxil_frontend::module::{Type, TypeId, ValueKind};
use trellis_dxil_frontend::shader::source_name;
use trellis_entity::EntityRef;
use trellis_structurizer::Merge;
use trellis_structurizer::ir::{self, LoopHint, SelectionHint, SelectorOp, Terminator};

use super::Body;
use super::debug::Debug;
use crate::error::{Error, InternalError, InvalidKind};
use crate::lower::{Local, Run, SYNTHETIC, SyntheticInst};
use crate::ops::Emitter;
use crate::ops::{discard, llvm, value_check};
use crate::values::{Numbering, Scalar, Shape};

/// The value of a switch.
type Selector = (Word, Shape);

/// A phi whose operands are set after the whole function is emitted.
struct OpenPhi {
    block: ir::Block,
    value: ir::Value,
    /// Position of its operands, for [`crate::module::Builder::set_phi`].
    operands: u32,
}

/// Emits one function.
pub(super) fn emit<'a>(
    e: &mut Emitter<'a>,
    body: &'a Body<'a>,
    debug: &mut Option<Debug<'a>>,
) -> Result<(), Error> {
    let func = &body.structured.func;
    e.context.function = body.function;
    e.context.lowered = &body.lowered;
    e.context.structured = func;
    e.context.order = &body.structured.order;
    e.context.current = None;
    e.single_predecessors.begin_function();
    e.begin_body();
    e.ids.clear();
    e.ids.resize(func.num_values());
    e.locals.clear();
    e.locals.resize(body.lowered.structured.len());
    e.handles.clear();
    let precise = e.source.kinds.precise;
    let marked = body.function.inst_metadata.iter();
    e.precise.clear();
    (e.precise).extend(marked.filter(|m| Some(m.1) == precise).map(|m| m.0));
    e.memory.enter_function(&mut e.f)?;
    begin(e, body)?;
    if let Some(debug) = debug {
        debug.begin_body(e, body, e.function_ids[body.id.index()]);
    }
    e.resources.begin_body(&mut e.f, body.id);
    crate::interface::begin_body(&mut e.f, &mut e.interface, body.id)?;
    crate::memory::ray_data::begin_body(&mut e.f, &mut e.memory)?;

    let mut labels = vec![0; func.num_blocks()];
    let references = count_references(body);
    // Functions have about one phi per block.
    let mut open = Vec::with_capacity(body.structured.order.len());
    let mut before = None;
    for &block in &body.structured.order {
        let label = before.filter(|&b| continues(body, &references, b, block));
        labels[block.index()] = label.map_or_else(|| e.b.id(), |b: ir::Block| labels[b.index()]);
        before = Some(block);
    }
    let order = &body.structured.order;
    for (at, &block) in order.iter().enumerate() {
        let label = labels[block.index()];
        if at == 0 || label != labels[order[at - 1].index()] {
            e.b.begin_block(label);
        }
        let number = e.b.block_number();
        e.numbering.begin_block(block, number);
        for value in func.phis(block) {
            let ty = e.structured_type(func.value_type(value))?;
            let (id, operands) = e.b.phi(ty, func.phi_operands(value).count());
            open.push(OpenPhi {
                block,
                value,
                operands: operands as u32,
            });
            e.ids[value] = id.into();
        }
        if let Some(debug) = debug {
            debug.begin_block(e, block);
        }
        for instruction in func.insts(block) {
            if let Some(debug) = debug {
                debug.before(e, instruction, block);
            }
            instruction_of(e, func, instruction, debug)?;
        }
        crate::interface::end_block(&mut e.f, &mut e.interface);
        e.resources.enter_section(&mut e.f);
        e.context.current = None;
        if let Some(debug) = debug {
            debug.end_block(e, block);
        }
        if let Some(&next) = order.get(at + 1)
            && labels[next.index()] == label
        {
            continue;
        }
        // Before the merge instruction, which must be directly before the branch.
        let selector = selector(e, func, block)?;
        merge(e, body.structured.merges[block], &labels);
        terminator(e, func, block, selector, &labels)?;
    }
    if let Some(debug) = debug {
        debug.end_body(e);
    }
    // All values have ids now: operands may be defined in later blocks.
    for phi in open {
        for (index, operand) in func.phi_operands(phi.value).enumerate() {
            let value = match is_undefined_start(e, body, &phi, operand) {
                true => {
                    let ty = e.structured_type(func.value_type(phi.value))?;
                    e.b.const_null(ty)
                }
                false => e.structured_id(operand.value)?,
            };
            e.b.set_phi(
                phi.operands as usize,
                index,
                value,
                labels[operand.pred.index()],
            );
        }
    }
    names(e, body);
    if e.options.debug.block_names {
        // A block that continues the previous one has no label: the previous label is named after
        // both, up to a limit of length.
        let mut name = String::new();
        for (at, &block) in order.iter().enumerate() {
            let label = labels[block.index()];
            if name.len() < MAX_BLOCK_NAME {
                name.push_str(&block.to_string());
            }
            let next = order.get(at + 1).map(|next| labels[next.index()]);
            if next != Some(label) {
                e.b.name_block(label, &name);
                name.clear();
            }
        }
    }
    e.b.finish_function();
    e.numbering = Numbering::default();
    Ok(())
}

/// How long the name of a block may get before the next block is not added to it.
const MAX_BLOCK_NAME: usize = 1 << 10;

/// Counts how many edges lead to each block, and how many merge instructions name it.
fn count_references(body: &Body<'_>) -> Vec<u32> {
    let structured = &body.structured;
    let mut references = vec![0; structured.func.num_blocks()];
    for &block in &structured.order {
        let named = match structured.merges[block] {
            Merge::None => [None, None],
            Merge::Selection { merge, .. } => [Some(merge), None],
            Merge::Loop {
                merge,
                continue_target,
                ..
            } => [Some(merge), Some(continue_target)],
        };
        for to in structured
            .func
            .successors(block)
            .chain(named.into_iter().flatten())
        {
            references[to.index()] += 1;
        }
    }
    references
}

/// Returns whether a block only continues the previous one in the order: the two are one block in
/// SPIR-V.
fn continues(body: &Body<'_>, references: &[u32], before: ir::Block, block: ir::Block) -> bool {
    let structured = &body.structured;
    references[block.index()] == 1
        && structured.func.terminator(before) == Some(Terminator::Branch(block))
        && structured.merges[before] == Merge::None
        && !structured.func.has_phis(block)
}

/// Returns true if a phi of a loop has an undefined value when the loop is entered, and a quirk
/// requires 0 for it.
fn is_undefined_start(
    e: &Emitter<'_>,
    body: &Body<'_>,
    phi: &OpenPhi,
    operand: ir::PhiOperand,
) -> bool {
    let Merge::Loop {
        continue_target, ..
    } = body.structured.merges[phi.block]
    else {
        return false;
    };
    e.options.quirks.undefined_loop_phis
        && operand.pred != continue_target
        && e.is_undefined(operand.value)
}

/// Emits `OpFunction` and its parameters.
fn begin(e: &mut Emitter<'_>, body: &Body<'_>) -> Result<(), Error> {
    let Type::Function { ret, params, .. } = e.module.ty(body.function.ty) else {
        return Err(e.invalid(InvalidKind::Function, "the function has no function type"));
    };
    let ret = match e.module.ty(*ret) {
        Type::Void => e.b.ty_void(),
        _ if e.is_ray_entry() => {
            return Err(e.invalid(
                InvalidKind::Function,
                "a ray tracing shader that returns a value",
            ));
        }
        _ => e.spirv_type(*ret)?,
    };
    // The parameters of a ray tracing shader are variables.
    let params: &[TypeId] = if e.is_ray_entry() { &[] } else { params };
    let params = params
        .iter()
        .map(|&p| e.spirv_type(p))
        .collect::<Result<Vec<_>, _>>()?;
    let ty = e.b.ty_function(ret, &params);
    let id = e.function_ids[body.id.index()];
    let parameters = e.b.begin_function(id, ret, ty, &params);
    let arguments = body.function.values.iter().take(params.len());
    for (index, data) in arguments.enumerate() {
        if let ValueKind::Argument(n) = data.kind
            && let (Some(local), Some(&parameter)) = (
                body.lowered.values[index].expand(),
                parameters.get(n as usize),
            )
        {
            e.locals[local] = parameter.into();
            if let Some(value) = body.lowered.structured[local].expand() {
                e.ids[value] = parameter.into();
            }
        }
    }
    Ok(())
}

fn instruction_of<'a>(
    e: &mut Emitter<'a>,
    func: &ir::Function,
    instruction: ir::Inst,
    debug: &mut Option<Debug<'a>>,
) -> Result<(), Error> {
    match func.inst_kind(instruction) {
        ir::InstKind::SelectorTest { op, constant } => {
            let selector = match func.uses(instruction) {
                [selector] => e.structured_id(*selector)?,
                _ => return Err(e.internal(InternalError::SelectorTest)),
            };
            let constant = e.b.const_u32(constant);
            let op = match op {
                SelectorOp::LessEqual => Op::ULessThanEqual,
                SelectorOp::Equal => Op::IEqual,
            };
            let id = e.b.flag(op, &[selector, constant]);
            for result in func.results(instruction) {
                e.ids[result] = id.into();
            }
            Ok(())
        }
        ir::InstKind::Select => select(e, func, instruction, debug),
        ir::InstKind::Client(payload) if payload == SyntheticInst::Demote.payload() => {
            discard::demote(e);
            Ok(())
        }
        ir::InstKind::Client(payload) if SyntheticInst::end_of_hit(payload).is_some() => Ok(()),
        ir::InstKind::Client(payload) if payload & SYNTHETIC != 0 => {
            Err(e.internal(InternalError::UnknownInstruction))
        }
        ir::InstKind::Client(payload) => {
            let original = original_of(e, func, instruction, payload);
            find_renames(e, func, instruction, original);
            if original == instruction {
                run(e, (instruction, original), debug)?;
            } else {
                copy_of(e, (instruction, original), debug)?;
            }
            e.renames.clear();
            Ok(())
        }
    }
}

/// Emits a select that the structurizer put in place of a branch. Its values are of a type that a phi
/// may have: a number, a boolean, or a vector of them.
fn select(
    e: &mut Emitter<'_>,
    func: &ir::Function,
    instruction: ir::Inst,
    debug: &mut Option<Debug<'_>>,
) -> Result<(), Error> {
    let (&[cond, then, otherwise], Some(result)) =
        (func.uses(instruction), func.results(instruction).next())
    else {
        return Err(e.internal(InternalError::Select));
    };
    let ty = func.value_type(result);
    let mut cond = e.structured_id(cond)?;
    let (then, otherwise) = (e.structured_id(then)?, e.structured_id(otherwise)?);
    // The structurizer's own types are not types of DXIL.
    if ty != ir::Type::SELECTOR
        && let Some(&Type::Vector { .. }) = e.module.types.get(TypeId::from_u32(ty.0))
    {
        // SPIR-V before 1.4 requires a condition for each component.
        let shape = e.shape(TypeId::from_u32(ty.0))?;
        cond = e.splat(shape.with(Scalar::Bool), cond);
    }
    let ty = e.structured_type(ty)?;
    let id = e.b.op(Op::Select, ty, &[cond, then, otherwise]);
    e.ids[result] = id.into();
    if let Some(debug) = debug {
        debug.define(result);
    }
    Ok(())
}

/// Finds the values that have other names in a run than where it was lowered from.
fn find_renames(
    e: &mut Emitter<'_>,
    func: &ir::Function,
    instruction: ir::Inst,
    original: ir::Inst,
) {
    let lowered = e.lowered;
    e.renames.clear();
    for (&local, &now) in lowered.uses_of(original).iter().zip(func.uses(instruction)) {
        if lowered.structured[local].expand() != Some(now) {
            e.renames.push((local, now));
        }
    }
}

/// Emits a run, which may be a copy of an original one.
fn run<'a>(
    e: &mut Emitter<'a>,
    (instruction, original): (ir::Inst, ir::Inst),
    debug: &mut Option<Debug<'a>>,
) -> Result<(), Error> {
    let lowered = e.lowered;
    let Some(insts) = lowered.insts_of(original) else {
        return Err(e.internal(InternalError::UnknownInstruction));
    };
    for &id in insts {
        e.context.current = Some(id);
        let start = e.b.position();
        llvm::emit(e, id)?;
        if e.is_precise(id) {
            no_contraction(e, start);
        }
        value_check::results(e, start);
    }
    let results = e.structured.results(instruction);
    for (&local, value) in lowered.exported_of(original).iter().zip(results) {
        e.ids[value] = e.locals[local];
    }
    if let (Some(debug), Some(id)) = (debug, e.context.current) {
        // With debug information each instruction is a run.
        debug.after(e, id, (instruction, original));
    }
    Ok(())
}

/// Returns the instruction that was lowered from an instruction of the source: the structurizer may
/// have copied it.
fn original_of(
    e: &Emitter<'_>,
    func: &ir::Function,
    instruction: ir::Inst,
    payload: u32,
) -> ir::Inst {
    let lowered = e.lowered.runs.len();
    if instruction.index() < lowered {
        return instruction;
    }
    // Copies are few.
    let mut all = (0..lowered).map(ir::Inst::new);
    let is_original = |&inst: &ir::Inst| func.payload(inst) == Some(payload);
    all.find(is_original).unwrap_or(instruction)
}

/// Emits a copy of a run, which defines new values.
fn copy_of<'a>(
    e: &mut Emitter<'a>,
    (instruction, original): (ir::Inst, ir::Inst),
    debug: &mut Option<Debug<'a>>,
) -> Result<(), Error> {
    let Some(&Run { locals, .. }) = e.lowered.runs.get(original) else {
        return Err(e.internal(InternalError::UnknownInstruction));
    };
    let saved: SmallVec<[_; 16]> = locals.into_iter().map(|local| e.locals[local]).collect();
    run(e, (instruction, original), debug)?;
    for (local, before) in locals.into_iter().zip(saved) {
        e.locals[local] = before;
    }
    Ok(())
}

/// Decorates the arithmetic of one source instruction.
fn no_contraction(e: &mut Emitter<'_>, start: usize) {
    const ARITHMETIC: [Op; 8] = [
        Op::FAdd,
        Op::FSub,
        Op::FMul,
        Op::FDiv,
        Op::FRem,
        Op::FMod,
        Op::FNegate,
        Op::Dot,
    ];
    for id in e.b.results_since(start, &ARITHMETIC) {
        e.b.decorate(id, Decoration::NoContraction, &[]);
    }
}

fn merge(e: &mut Emitter<'_>, merge: Merge, labels: &[Word]) {
    let label = |block: ir::Block| labels[block.index()];
    match merge {
        Merge::None => {}
        Merge::Selection { merge, hint } => {
            let control = match hint {
                SelectionHint::None => SelectionControl::NONE,
                SelectionHint::Flatten => SelectionControl::FLATTEN,
                SelectionHint::DontFlatten => SelectionControl::DONT_FLATTEN,
            };
            e.b.op_void(Op::SelectionMerge, &[label(merge), control.bits()]);
        }
        Merge::Loop {
            merge,
            continue_target,
            hint,
        } => {
            let (control, count) = match hint {
                LoopHint::None => (LoopControl::NONE, None),
                LoopHint::Unroll => (LoopControl::UNROLL, None),
                LoopHint::DontUnroll => (LoopControl::DONT_UNROLL, None),
                LoopHint::UnrollCount(n) if e.options.target.spirv_version() >= (1, 4) => {
                    (LoopControl::PARTIAL_COUNT, Some(n))
                }
                LoopHint::UnrollCount(_) => (LoopControl::UNROLL, None),
            };
            let mut operands: SmallVec<[Word; 4]> =
                smallvec![label(merge), label(continue_target), control.bits()];
            operands.extend(count);
            e.b.op_void(Op::LoopMerge, &operands);
        }
    }
}

fn terminator(
    e: &mut Emitter<'_>,
    func: &ir::Function,
    block: ir::Block,
    (value, shape): Selector,
    labels: &[Word],
) -> Result<(), Error> {
    let label = |block: ir::Block| labels[block.index()];
    match func.terminator(block) {
        Some(Terminator::Branch(to)) => e.b.op_void(Op::Branch, &[label(to)]),
        Some(Terminator::CondBranch {
            cond, then, else_, ..
        }) => {
            let cond = e.structured_id(cond)?;
            e.b.op_void(Op::BranchConditional, &[cond, label(then), label(else_)]);
        }
        Some(Terminator::Switch { default, cases, .. }) => {
            let mut operands: SmallVec<[Word; 16]> = smallvec![value, label(default)];
            for case in func.cases(cases) {
                match (shape.width(), shape.is_narrow()) {
                    (64, _) => operands.extend([case.literal as u32, (case.literal >> 32) as u32]),
                    (_, true) => operands.push(i32::from(case.literal as u16 as i16) as u32),
                    _ => operands.push(case.literal as u32),
                }
                operands.push(label(case.target));
            }
            e.b.op_void(Op::Switch, &operands);
        }
        Some(Terminator::Return(None)) if std::mem::take(&mut e.block_ended) => {}
        Some(Terminator::Return(None)) => {
            e.resources.end_body(&mut e.f);
            e.b.op_void(Op::Return, &[]);
        }
        Some(Terminator::Return(Some(value))) => {
            let value = e.structured_id(value)?;
            e.b.op_void(Op::ReturnValue, &[value]);
        }
        Some(Terminator::Unreachable) => e.b.op_void(Op::Unreachable, &[]),
        Some(Terminator::Kill) => end_of_lane(e, func, block)?,
        Some(Terminator::BreakBranch { .. } | Terminator::Exit(_)) | None => {
            return Err(e.internal(InternalError::Terminator {
                block: block.as_u32(),
            }));
        }
    }
    Ok(())
}

/// Emits the terminator of a block that ends the invocation: after a synthetic instruction it
/// ignores or accepts a hit, else it is a discard.
fn end_of_lane(e: &mut Emitter<'_>, func: &ir::Function, block: ir::Block) -> Result<(), Error> {
    let synthetic = func
        .insts(block)
        .last()
        .and_then(|inst| match func.inst_kind(inst) {
            ir::InstKind::Client(payload) => SyntheticInst::end_of_hit(payload),
            ir::InstKind::SelectorTest { .. } | ir::InstKind::Select => None,
        });
    let op = match synthetic {
        Some(SyntheticInst::AcceptHit) => Op::TerminateRayKHR,
        Some(_) => Op::IgnoreIntersectionKHR,
        None => Op::Kill,
    };
    e.b.op_void(op, &[]);
    Ok(())
}

/// Returns the value of a block's switch with its shape: of a minimum-precision integer only the lower
/// bits count.
fn selector(e: &mut Emitter<'_>, func: &ir::Function, block: ir::Block) -> Result<Selector, Error> {
    let Some(Terminator::Switch { value, .. }) = func.terminator(block) else {
        return Ok((0, Shape::U32));
    };
    let shape = match func.value_type(value) {
        ir::Type::SELECTOR => Shape::U32,
        ir::Type(ty) => e.shape(TypeId::from_u32(ty))?,
    };
    let id = e.structured_id(value)?;
    Ok((e.sign_extended(shape, id), shape))
}

/// Emits `OpName` for the function and for the values that the module names.
fn names(e: &mut Emitter<'_>, body: &Body<'_>) {
    if !e.options.debug.names {
        return;
    }
    let function = e.function;
    let id = e.function_ids[body.id.index()];
    e.b.name(id, source_name(&function.name));
    for (value, name) in &function.value_names {
        if let Some(local) = e.lowered.local_of(*value)
            && let Some(id) = id_of(e, local)
        {
            e.b.name(id, name);
        }
    }
}

/// Returns the id of a value of the DXIL function that is computed.
fn id_of(e: &Emitter<'_>, local: Local) -> Option<Word> {
    let Some(value) = e.lowered.structured[local].expand() else {
        return e.locals[local].expand();
    };
    match e.structured.value_kind(value) {
        ir::ValueKind::Constant { .. } | ir::ValueKind::Undef => None,
        _ => e.ids[value].expand(),
    }
}
