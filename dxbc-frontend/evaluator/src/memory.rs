//! Raw and structured buffers, groupshared memory, and atomic operations on them.

use std::collections::BTreeMap;

use trellis_dxbc_frontend::tokens::{
    Declaration, ItemKind, Op, Operand, OperandRole, OperandType, Program, RegisterFile,
};

use crate::{Buffers, Error, Result, Shader, Thread};

/// The buffers of a group.
pub(crate) struct Memory<'b> {
    buffers: &'b mut Buffers,
    shared: BTreeMap<u32, Vec<u32>>,
    /// Registers and strides in bytes by register file and number; the stride of raw buffers is 0.
    places: BTreeMap<(u8, u32), (u32, u32)>,
}

impl<'b> Memory<'b> {
    /// Returns the buffers that a program declares, groupshared memory with zeros.
    pub(crate) fn new(program: &Program, buffers: &'b mut Buffers) -> Self {
        use RegisterFile as F;
        let mut memory = Self {
            buffers,
            shared: BTreeMap::new(),
            places: BTreeMap::new(),
        };
        for item in &program.items {
            let ItemKind::Declaration(declaration) = item.kind else {
                continue;
            };
            let (file, id, register, stride) = match declaration {
                Declaration::RawResource { binding } => (F::Resource, binding.id, binding.lower, 0),
                Declaration::StructuredResource { binding, stride } => {
                    (F::Resource, binding.id, binding.lower, stride)
                }
                Declaration::RawUav { binding, .. } => {
                    (F::UnorderedAccessView, binding.id, binding.lower, 0)
                }
                Declaration::StructuredUav {
                    binding, stride, ..
                } => (F::UnorderedAccessView, binding.id, binding.lower, stride),
                Declaration::RawGroupshared { id, size } => {
                    memory.share(id, size);
                    (F::ThreadGroupSharedMemory, id, id, 0)
                }
                Declaration::StructuredGroupshared { id, stride, count } => {
                    memory.share(id, stride.saturating_mul(count));
                    (F::ThreadGroupSharedMemory, id, id, stride)
                }
                _ => continue,
            };
            memory.places.insert((file as u8, id), (register, stride));
        }
        memory
    }

    fn share(&mut self, id: u32, size: u32) {
        self.shared.insert(id, vec![0; size as usize / 4]);
    }

    /// Returns the word of an operand at an address; `None` out of bounds.
    fn word(
        &mut self,
        operand: &Operand,
        [structure, offset]: [u32; 2],
        component: u8,
    ) -> Result<Option<&mut u32>> {
        let id = operand.register();
        let id = id.ok_or_else(|| Error::Unsupported("an indexed buffer".to_owned()))?;
        let place = self.places.get(&(operand.file as u8, id));
        let &(register, stride) =
            place.ok_or_else(|| Error::Unsupported("a typed buffer".to_owned()))?;
        let buffer = match operand.file {
            RegisterFile::Resource => self.buffers.resources.get_mut(&register),
            RegisterFile::UnorderedAccessView => self.buffers.uavs.get_mut(&register),
            _ => self.shared.get_mut(&register),
        };
        let offset = u64::from(offset) + 4 * u64::from(component);
        let address = u64::from(structure) * u64::from(stride) + offset;
        if stride != 0 && offset >= u64::from(stride) {
            return Ok(None);
        }
        let at = usize::try_from(address / 4).unwrap_or(usize::MAX);
        Ok(buffer.and_then(|buffer| buffer.get_mut(at)))
    }

    /// Executes an access; returns whether the opcode is one.
    pub(crate) fn step(
        &mut self,
        shader: &Shader<'_>,
        op: Op,
        operands: &[Operand],
        thread: &mut Thread,
    ) -> Result<bool> {
        let roles = op.info().operands;
        let Some(memory) = roles.iter().position(|&role| role == OperandRole::Memory) else {
            return Ok(false);
        };
        // The address and values that are stored.
        let sources: Vec<&Operand> = { roles.iter().zip(operands) }
            .filter(|(role, _)| matches!(role, OperandRole::Source(_)))
            .map(|(_, operand)| operand)
            .collect();
        let read = |number: usize, lane: u8, thread: &Thread| {
            let operand = sources.get(number).ok_or(Error::Invalid("operands"))?;
            shader.source(operand, OperandType::Any, lane, thread)
        };
        let place = &operands[memory];
        match op {
            Op::LdRaw | Op::LdStructured => {
                let address = match op {
                    Op::LdRaw => [0, read(0, 0, thread)?],
                    _ => [read(0, 0, thread)?, read(1, 0, thread)?],
                };
                let dest = &operands[0];
                for lane in (0..4).filter(|lane| dest.mask() >> lane & 1 != 0) {
                    let word = self.word(place, address, place.component(lane))?;
                    let value = word.map_or(0, |word| *word);
                    shader.write(dest, lane, value, thread)?;
                }
            }
            Op::StoreRaw | Op::StoreStructured => {
                let (address, value) = match op {
                    Op::StoreRaw => ([0, read(0, 0, thread)?], 1),
                    _ => ([read(0, 0, thread)?, read(1, 0, thread)?], 2),
                };
                for lane in (0..4).filter(|lane| place.mask() >> lane & 1 != 0) {
                    let value = read(value, lane, thread)?;
                    if let Some(word) = self.word(place, address, lane)? {
                        *word = value;
                    }
                }
            }
            _ => {
                let key = (place.file as u8, place.register().unwrap_or(u32::MAX));
                let is_raw = self
                    .places
                    .get(&key)
                    .is_some_and(|&(_, stride)| stride == 0);
                let first = read(0, 0, thread)?;
                let address = if is_raw {
                    [0, first]
                } else {
                    [first, read(0, 1, thread)?]
                };
                let (a, b) = (read(1, 0, thread)?, read(2, 0, thread).unwrap_or(0));
                let word = self.word(place, address, 0)?;
                let before = word.as_ref().map_or(0, |word| **word);
                let after = atomic(op, before, a, b);
                let after = after.ok_or_else(|| Error::Unsupported(op.to_string()))?;
                if let Some(word) = word {
                    *word = after;
                }
                if memory > 0 {
                    let dest = &operands[0];
                    for lane in (0..4).filter(|lane| dest.mask() >> lane & 1 != 0) {
                        shader.write(dest, lane, before, thread)?;
                    }
                }
            }
        }
        Ok(true)
    }
}

/// Returns the word after an atomic operation; `None` without a rule.
fn atomic(op: Op, before: u32, a: u32, b: u32) -> Option<u32> {
    let [x, y] = [before, a].map(|value| value as i32);
    Some(match op {
        Op::AtomicAnd | Op::ImmAtomicAnd => before & a,
        Op::AtomicOr | Op::ImmAtomicOr => before | a,
        Op::AtomicXor | Op::ImmAtomicXor => before ^ a,
        Op::AtomicIadd | Op::ImmAtomicIadd => before.wrapping_add(a),
        Op::AtomicImax | Op::ImmAtomicImax => x.max(y) as u32,
        Op::AtomicImin | Op::ImmAtomicImin => x.min(y) as u32,
        Op::AtomicUmax | Op::ImmAtomicUmax => before.max(a),
        Op::AtomicUmin | Op::ImmAtomicUmin => before.min(a),
        Op::ImmAtomicExch => a,
        Op::AtomicCmpStore | Op::ImmAtomicCmpExch => {
            if before == a {
                b
            } else {
                before
            }
        }
        _ => return None,
    })
}
