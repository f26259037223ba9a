//! Raw and structured memory: buffers and groupshared memory. Loads and stores, atomic operations,
//! counters and barriers.

use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::Op as Dx;
use trellis_dxil_frontend::module::RmwOp;
use trellis_dxil_frontend::shader::ResourceKind;

use super::Translator;
use super::operands::written;
use crate::build::{Overload, Value};
use crate::error::Error;
use crate::tokens::{Instruction, Op, Operand, OperandRole, RegisterFile};

/// An atomic operation.
#[derive(Clone, Copy)]
pub(super) enum Atomic {
    /// DXIL's number of the operation, and LLVM's operation.
    Binary(u32, RmwOp),
    /// Compare and exchange.
    Compare,
}

impl Atomic {
    /// Returns the atomic operation of an instruction, if it is one. The opcode alone decides how numbers
    /// are compared: for `InterlockedMin` of an unsigned number with an element of `RWBuffer<int>` FXC writes
    /// `atomic_umin`, which is an unsigned minimum on views of either sign (Microsoft's reference of the
    /// instruction; dxilconv makes `UMin` of it, too).
    pub(super) fn of(op: Op) -> Option<Self> {
        Some(match op {
            Op::AtomicIadd | Op::ImmAtomicIadd => Self::Binary(0, RmwOp::Add),
            Op::AtomicAnd | Op::ImmAtomicAnd => Self::Binary(1, RmwOp::And),
            Op::AtomicOr | Op::ImmAtomicOr => Self::Binary(2, RmwOp::Or),
            Op::AtomicXor | Op::ImmAtomicXor => Self::Binary(3, RmwOp::Xor),
            Op::AtomicImin | Op::ImmAtomicImin => Self::Binary(4, RmwOp::Min),
            Op::AtomicImax | Op::ImmAtomicImax => Self::Binary(5, RmwOp::Max),
            Op::AtomicUmin | Op::ImmAtomicUmin => Self::Binary(6, RmwOp::UMin),
            Op::AtomicUmax | Op::ImmAtomicUmax => Self::Binary(7, RmwOp::UMax),
            Op::ImmAtomicExch => Self::Binary(8, RmwOp::Xchg),
            Op::AtomicCmpStore | Op::ImmAtomicCmpExch => Self::Compare,
            _ => return None,
        })
    }
}

fn is_shared(memory: &Operand) -> bool {
    memory.file == RegisterFile::ThreadGroupSharedMemory
}

impl Translator<'_> {
    /// Returns the address of an access: a byte offset, of structured memory after the number of
    /// the structure.
    fn place(&mut self, operands: &[Operand]) -> Result<SmallVec<[Value; 2]>, Error> {
        let mut place = SmallVec::new();
        for operand in operands {
            place.push(self.source(operand, 0, Overload::I32)?);
        }
        Ok(place)
    }

    /// Translates `ld_raw` and `ld_structured`.
    pub(super) fn load_words(&mut self, op: Op, inst: &Instruction) -> Result<(), Error> {
        let results = self.results(op, inst)?;
        let [place @ .., memory] = results.sources else {
            return Err(self.missing_operand());
        };
        let mut place = self.place(place)?;
        if is_shared(memory) {
            let words = self.shared_words(memory, &place)?;
            return self.write_lanes(inst, results.value, |t, lane| {
                let pointer = t.shared_word(words, memory.component(lane));
                t.b.load(pointer)
            });
        }
        let buffer = self.untyped_buffer(memory, &mut place)?;
        if results.status.is_some_and(|status| written(status) != 0) {
            self.resources.note_status(memory);
        }
        let args = [&[buffer], place.as_slice()].concat();
        let loaded = self.b.op(Dx::BufferLoad, Overload::I32, &args);
        self.write_results(inst, &results, memory, loaded)
    }

    /// Translates `store_raw` and `store_structured`.
    pub(super) fn store_words(&mut self, inst: &Instruction) -> Result<(), Error> {
        let [memory, place @ .., value] = self.program.operands(inst) else {
            return Err(self.missing_operand());
        };
        let mut place = self.place(place)?;
        if is_shared(memory) {
            let words = self.shared_words(memory, &place)?;
            for lane in (0..4).filter(|lane| memory.mask() >> lane & 1 != 0) {
                let value = self.source(value, lane, Overload::I32)?;
                let pointer = self.shared_word(words, lane);
                self.b.store(pointer, value);
            }
            return Ok(());
        }
        let buffer = self.untyped_buffer(memory, &mut place)?;
        let mut args = SmallVec::from_slice(&[buffer]);
        args.extend(place);
        self.push_stored(&mut args, memory, value, Overload::I32)?;
        self.b.op_void(Dx::BufferStore, Overload::I32, &args);
        Ok(())
    }

    /// Returns the handle of a raw or structured buffer, whose address gets two operands.
    fn untyped_buffer(
        &mut self,
        memory: &Operand,
        place: &mut SmallVec<[Value; 2]>,
    ) -> Result<Value, Error> {
        let buffer = self.resource(memory)?;
        match (buffer.kind, place.len()) {
            (ResourceKind::RawBuffer, 1) => place.push(self.unused(Overload::I32)),
            (ResourceKind::StructuredBuffer, 2) => {}
            _ => return Err(self.invalid("the address does not fit the buffer")),
        }
        Ok(buffer.handle)
    }

    /// Translates an atomic operation; `imm_` ones yield the value before.
    pub(super) fn atomic(
        &mut self,
        op: Op,
        atomic: Atomic,
        inst: &Instruction,
    ) -> Result<(), Error> {
        let operands = self.program.operands(inst);
        let has_result = matches!(op.info().operands.first(), Some(OperandRole::Dest(_)));
        let (result, operands) = operands
            .split_at_checked(has_result.into())
            .unwrap_or_default();
        let [memory, address, values @ ..] = operands else {
            return Err(self.missing_operand());
        };
        let values = self.place(values)?;
        let old = match is_shared(memory) {
            true => self.atomic_shared(memory, address, atomic, &values)?,
            false => self.atomic_uav(memory, address, atomic, &values)?,
        };
        match result {
            [result] => self.write_lanes(inst, result, |_, _| old),
            _ => Ok(()),
        }
    }

    fn atomic_shared(
        &mut self,
        memory: &Operand,
        address: &Operand,
        atomic: Atomic,
        values: &[Value],
    ) -> Result<Value, Error> {
        let first = self.source(address, 0, Overload::I32)?;
        let second = self.source(address, 1, Overload::I32)?;
        let words = self.shared_words(memory, &[first, second])?;
        let pointer = self.shared_word(words, 0);
        match (atomic, values) {
            (Atomic::Binary(_, op), &[value]) => Ok(self.b.atomic_rmw(op, pointer, value)),
            (Atomic::Compare, &[compare, new]) => Ok(self.b.cmp_xchg(pointer, compare, new)),
            _ => Err(self.missing_operand()),
        }
    }

    fn atomic_uav(
        &mut self,
        memory: &Operand,
        address: &Operand,
        atomic: Atomic,
        values: &[Value],
    ) -> Result<Value, Error> {
        let uav = self.resource(memory)?;
        let coords = match uav.kind {
            ResourceKind::RawBuffer => 1,
            ResourceKind::StructuredBuffer => 2,
            _ => self.dimensions(&uav)?.coords.min(3),
        };
        let mut args = SmallVec::from_slice(&[uav.handle]);
        let dx = match atomic {
            Atomic::Binary(number, _) => {
                args.push(self.b.i32(number));
                Dx::AtomicBinOp
            }
            Atomic::Compare => Dx::AtomicCompareExchange,
        };
        self.push_vector(&mut args, address, (coords, 3), Overload::I32)?;
        args.extend_from_slice(values);
        Ok(self.b.op(dx, Overload::I32, &args))
    }

    /// Translates `imm_atomic_alloc`, which yields the counter before, and `imm_atomic_consume`,
    /// which yields it after.
    pub(super) fn update_counter(&mut self, op: Op, inst: &Instruction) -> Result<(), Error> {
        let results = self.results(op, inst)?;
        let [uav] = results.sources else {
            return Err(self.missing_operand());
        };
        let handle = self.resource(uav)?.handle;
        if let Some(id) = uav.register() {
            self.resources.note_counter(id);
        }
        let step = if op == Op::ImmAtomicAlloc { 1 } else { -1_i8 };
        let step = self.b.i8(step as u8);
        let args = [handle, step];
        let count = self.b.op(Dx::BufferUpdateCounter, Overload::None, &args);
        self.write_lanes(inst, results.value, |_, _| count)
    }

    /// Translates `sync`.
    pub(super) fn sync(&mut self, inst: &Instruction) {
        let sync = inst.sync;
        let mode = u32::from(sync.threads_in_group)
            | u32::from(sync.uav_global) << 1
            | u32::from(sync.uav_group) << 2
            | u32::from(sync.groupshared) << 3;
        let mode = self.b.i32(mode);
        self.b.op_void(Dx::Barrier, Overload::None, &[mode]);
    }
}
