//! Calls of a function that reports floats that are infinite or not a number.
//! [`ValueChecks`](crate::options::ValueChecks) has the layout of the buffers.

use rspirv::spirv::{Capability, ExecutionMode, Op, StorageClass, Word};
use trellis_dxil_frontend::dxop::{Effects, FamilyOp};
use trellis_dxil_frontend::module::{Type, ValueKind};

use super::Emitter;
use super::descriptor_check::barrier;
use super::node::flow::when;
use crate::error::Error;

/// Spreads the numbers of operations over the entries.
const PRIME: u32 = 97;
/// Entries of a word of bits.
const ENTRIES: u32 = 16;

/// Checks the results of the instructions from `start` on.
pub(crate) fn results(e: &mut Emitter<'_>, start: usize) {
    let checks = e.options.debug.value_checks;
    // Nothing can follow the end of a block.
    if e.block_ended || checks.is_none_or(|checks| checks.stores_only) {
        return;
    }
    let float = e.b.ty_f32();
    for id in e.b.results_of(start, float) {
        check(e, id);
    }
}

/// Checks what the current operation stores.
pub(super) fn stores(e: &mut Emitter<'_>) -> Result<(), Error> {
    if e.options
        .debug
        .value_checks
        .is_none_or(|checks| !checks.stores_only)
    {
        return Ok(());
    }
    let is_store = matches!(
        e.call.op.classify(),
        FamilyOp::Buffer(_) | FamilyOp::Texture(_) | FamilyOp::Signature(_)
    );
    if !is_store || !e.call.op.effects().any(Effects::WRITES) {
        return Ok(());
    }
    let mut operand = 0;
    while let Some(value) = e.call.operand(operand) {
        operand += 1;
        let data = e.value_data(value)?;
        let is_float = matches!(e.module.types.get(data.ty), Some(Type::Float));
        if is_float && !matches!(data.kind, ValueKind::Constant(_)) {
            let id = e.id(value)?;
            check(e, id);
        }
    }
    Ok(())
}

fn check(e: &mut Emitter<'_>, float: Word) {
    if e.value_function == 0 {
        e.value_function = e.b.id();
        e.b.caps.add(Capability::SignedZeroInfNanPreserve);
        e.b.execution_mode(ExecutionMode::SignedZeroInfNanPreserve, &[32]);
    }
    e.checked_values += 1;
    let (function, number) = (e.value_function, e.checked_values);
    let (void, number) = (e.b.ty_void(), e.b.const_u32(number));
    e.b.op(Op::FunctionCall, void, &[function, float, number]);
}

/// Emits the function, if it is called.
pub(super) fn emit(e: &mut Emitter<'_>) {
    let function = e.value_function;
    let Some(checks) = e.options.debug.value_checks.filter(|_| function != 0) else {
        return;
    };
    let mut buffer = |at, name| e.resources.words_at(&mut e.f, at, name, true);
    let control = buffer((checks.control, 1), "ValueControl");
    let values = buffer((checks.values, 4), "Values");
    let (void, word, flag) = (e.b.ty_void(), e.b.ty_u32(), e.b.ty_bool());
    let (float, yes, no) = (e.b.ty_f32(), e.b.const_bool(true), e.b.const_bool(false));
    let reports = e.b.variable(StorageClass::Private, flag, Some(yes));
    let ty = e.b.ty_function(void, &[float, word]);
    let parameters = e.b.begin_function(function, void, ty, &[float, word]);
    let label = e.b.id();
    e.b.begin_block(label);
    if let [value, number] = parameters[..] {
        let is_nan = e.b.op(Op::IsNan, flag, &[value]);
        let is_infinite = e.b.op(Op::IsInf, flag, &[value]);
        let is_wrong = e.b.op(Op::LogicalOr, flag, &[is_nan, is_infinite]);
        let is_first = e.load(flag, reports);
        let is_reported = e.b.op(Op::LogicalAnd, flag, &[is_wrong, is_first]);
        when(e, is_reported, |e| {
            e.b.op_void(Op::Store, &[reports, no]);
            let shader = [checks.shader as u32, (checks.shader >> 32) as u32];
            let hash = e.b.word_with(Op::IMul, number, PRIME);
            let hash = e.b.word_with(Op::BitwiseXor, hash, shader[0] ^ shader[1]);
            let entries = e.b.word(Op::ArrayLength, &[values, 0]);
            let last = e.b.word_with(Op::ISub, entries, 1);
            let entry = e.b.word(Op::BitwiseAnd, &[hash, last]);
            let at = e.b.word_with(Op::UDiv, entry, ENTRIES);
            let shift = e.b.word_with(Op::UMod, entry, ENTRIES);
            let (zero, one) = (e.b.const_u32(0), e.b.const_u32(1));
            let taken = e.b.word(Op::ShiftLeftLogical, &[one, shift]);
            let class = StorageClass::StorageBuffer;
            let bits = e.b.access(class, word, control, &[zero, at]);
            let before = e.atomic(Op::AtomicOr, word, bits, &[taken]);
            let before = e.b.word(Op::BitwiseAnd, &[before, taken]);
            let is_free = e.b.flag_with(Op::IEqual, before, 0);
            when(e, is_free, |e| {
                let [low, high] = shader.map(|word| e.b.const_u32(word));
                let four = e.b.ty_words(4);
                let code = e.b.bitcast(word, value);
                let report = e.b.construct(four, &[low, high, number, code]);
                let pointer = e.b.access(class, four, values, &[zero, entry]);
                e.b.op_void(Op::Store, &[pointer, report]);
                barrier(e);
                let written = e.b.word_with(Op::ShiftLeftLogical, taken, ENTRIES);
                e.atomic(Op::AtomicOr, word, bits, &[written]);
                barrier(e);
            });
        });
    }
    e.b.op_void(Op::Return, &[]);
    e.b.finish_function();
    e.b.name(function, "check_value");
}
