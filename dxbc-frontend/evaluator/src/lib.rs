//! Runs the token stream of a compute shader directly: an oracle for its translation, with which it
//! shares the decoder only. It has integers, single precision without transcendental functions, control
//! flow, indexable registers, raw and structured buffers, groupshared memory, and atomic operations.
//!
//! Registers are arrays of words, and jumps are numbers of items. The threads of a group run one after
//! another up to the next `sync`.

mod alu;
mod flow;
mod memory;

use std::collections::BTreeMap;

use trellis_dxbc_frontend::tokens::{
    CustomDataClass, Declaration, Index, Instruction, ItemKind, Op, Operand, OperandRole,
    OperandType, Program, RegisterFile,
};
use trellis_dxil_frontend::container::Container;
use trellis_dxil_interpreter::dispatch::{Class, Dispatch, Place};

use flow::Flow;
use memory::Memory;

/// Most items that a thread runs.
const STEPS: u32 = 1 << 20;

/// Why a shader was not run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The shader is not decoded.
    #[error("{0}")]
    Read(String),
    /// There is no rule for it.
    #[error("{0} is not evaluated")]
    Unsupported(String),
    /// A thread does not end.
    #[error("the shader does not end")]
    Endless,
    /// Its scopes do not match, or the like.
    #[error("{0}")]
    Invalid(&'static str),
}

/// Result of an evaluation.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// Words of the buffers by their registers in space 0.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    /// `t#`.
    pub(crate) resources: BTreeMap<u32, Vec<u32>>,
    /// `u#`.
    pub(crate) uavs: BTreeMap<u32, Vec<u32>>,
}

/// Runs all threads of a dispatch with groups in x; returns the UAVs after it.
///
/// # Errors
/// See [`Error`].
pub fn run(file: &[u8], dispatch: &Dispatch) -> Result<Vec<(Place, Vec<u8>)>> {
    let read = |error: String| Error::Read(error);
    let container = Container::open(file).map_err(|error| read(error.to_string()))?;
    let program = Program::read(&container).map_err(|error| read(error.to_string()))?;
    let (mut buffers, mut constants) = (Buffers::default(), BTreeMap::new());
    for binding in &dispatch.bindings {
        let bytes = match &binding.data {
            Some(data) => data.bytes(binding.bytes),
            None => Ok(vec![0; binding.bytes.unwrap_or(0) as usize]),
        };
        let bytes = bytes.map_err(|error| read(error.to_string()))?;
        let (words, _) = bytes.as_chunks::<4>();
        let words = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
        match binding.place.class {
            Class::Srv => buffers.resources.insert(binding.place.register, words),
            Class::Uav => buffers.uavs.insert(binding.place.register, words),
            Class::Cbv => constants.insert(binding.place.register, words),
            Class::Sampler => return Err(Error::Unsupported("a sampler".to_owned())),
        };
    }
    let shader = Shader::new(&program, &mut constants)?;
    for group in 0..dispatch.groups[0] {
        shader.run_group(group, &mut buffers)?;
    }
    let uavs = { dispatch.bindings.iter() }.filter(|binding| binding.place.class == Class::Uav);
    let bytes = |place: Place| {
        let words = buffers.uavs.get(&place.register).into_iter().flatten();
        words.flat_map(|word| word.to_le_bytes()).collect()
    };
    Ok(uavs.map(|b| (b.place, bytes(b.place))).collect())
}

/// A program with the tables that its execution needs.
pub(crate) struct Shader<'p> {
    pub(crate) program: &'p Program,
    flow: Flow,
    threads: [u32; 3],
    temps: usize,
    /// Numbers of registers of each `x#`.
    arrays: BTreeMap<u32, usize>,
    /// The immediate constant buffer.
    icb: &'p [u32],
    /// Words of each `cb#`.
    constants: BTreeMap<u32, Vec<u32>>,
}

/// The state of a thread.
pub(crate) struct Thread {
    /// The item that is next; `None` after the end.
    next: Option<usize>,
    /// The items after the calls that are running.
    calls: Vec<usize>,
    temps: Vec<[u32; 4]>,
    arrays: BTreeMap<u32, Vec<[u32; 4]>>,
    group: u32,
    in_group: [u32; 3],
    flattened: u32,
    steps: u32,
}

impl<'p> Shader<'p> {
    fn new(program: &'p Program, constants: &mut BTreeMap<u32, Vec<u32>>) -> Result<Self> {
        let mut shader = Self {
            program,
            flow: Flow::new(program)?,
            threads: [1; 3],
            temps: 0,
            arrays: BTreeMap::new(),
            icb: &[],
            constants: BTreeMap::new(),
        };
        for item in &program.items {
            let ItemKind::Declaration(declaration) = item.kind else {
                continue;
            };
            match declaration {
                Declaration::Temps { count } => shader.temps = count as usize,
                Declaration::IndexableTemp { id, registers, .. } => {
                    shader.arrays.insert(id, registers as usize);
                }
                Declaration::ThreadGroup(threads) => shader.threads = threads,
                Declaration::ConstantBuffer { binding, .. } => {
                    let words = constants.remove(&binding.lower).unwrap_or_default();
                    shader.constants.insert(binding.id, words);
                }
                Declaration::CustomData {
                    class: CustomDataClass::ImmediateConstantBuffer,
                    words,
                } => shader.icb = program.words(words),
                _ => {}
            }
        }
        Ok(shader)
    }

    fn run_group(&self, group: u32, buffers: &mut Buffers) -> Result<()> {
        let mut memory = Memory::new(self.program, buffers);
        let [x, y, z] = self.threads;
        let mut threads: Vec<Thread> = (0..x * y * z)
            .map(|flattened| Thread {
                next: Some(0),
                calls: Vec::new(),
                temps: vec![[0; 4]; self.temps],
                arrays: { self.arrays.iter() }
                    .map(|(&id, &count)| (id, vec![[0; 4]; count]))
                    .collect(),
                group,
                in_group: [flattened % x, flattened / x % y, flattened / (x * y)],
                flattened,
                steps: 0,
            })
            .collect();
        while threads.iter().any(|thread| thread.next.is_some()) {
            for thread in &mut threads {
                while let Some(at) = thread.next {
                    thread.steps += 1;
                    if thread.steps > STEPS {
                        return Err(Error::Endless);
                    }
                    thread.next = (at + 1 < self.program.items.len()).then_some(at + 1);
                    let item = &self.program.items[at];
                    let ItemKind::Instruction(inst) = &item.kind else {
                        continue;
                    };
                    if item.op == Op::Sync && inst.sync.threads_in_group {
                        break;
                    }
                    self.step(item.op, inst, at, thread, &mut memory)?;
                }
            }
        }
        Ok(())
    }

    fn step(
        &self,
        op: Op,
        inst: &Instruction,
        at: usize,
        thread: &mut Thread,
        memory: &mut Memory<'_>,
    ) -> Result<()> {
        let operands = self.program.operands(inst);
        if self.flow.step(self, op, inst, at, thread)? || memory.step(self, op, operands, thread)? {
            return Ok(());
        }
        let roles = op.info().operands;
        // All sources are read before a destination is written.
        let mut written = Vec::new();
        for (number, dest) in operands.iter().enumerate() {
            if !matches!(roles[number], OperandRole::Dest(_)) {
                continue;
            }
            for lane in (0..4).filter(|lane| dest.mask() >> lane & 1 != 0) {
                let mut values = [0; 4];
                let sources = roles.iter().zip(operands).filter_map(|(role, operand)| {
                    let &OperandRole::Source(ty) = role else {
                        return None;
                    };
                    Some((ty, operand))
                });
                for (value, (ty, operand)) in values.iter_mut().zip(sources) {
                    *value = self.source(operand, ty, lane, thread)?;
                }
                let results = alu::results(op, values);
                let results = results.ok_or_else(|| Error::Unsupported(op.to_string()))?;
                let mut value = results[number.min(1)];
                if inst.saturate {
                    // Not a number is 0.
                    let at_least = f32::from_bits(value).max(0.0);
                    value = at_least.min(1.0).to_bits();
                }
                written.push((dest, lane, value));
            }
        }
        for (dest, lane, value) in written {
            self.write(dest, lane, value, thread)?;
        }
        Ok(())
    }

    /// Returns an index's value.
    pub(crate) fn index(&self, index: &Index, thread: &Thread) -> Result<u32> {
        let relative = index.relative.expand().map(|id| {
            let operand = &self.program.operands[id];
            self.source(operand, OperandType::Uint, 0, thread)
        });
        Ok(index.base.wrapping_add(relative.transpose()?.unwrap_or(0)))
    }

    /// Returns the operand that component `lane` of an instruction reads.
    pub(crate) fn source(
        &self,
        operand: &Operand,
        ty: OperandType,
        lane: u8,
        thread: &Thread,
    ) -> Result<u32> {
        let component = usize::from(operand.component(lane));
        let mut indices = [0; 3];
        for (value, index) in indices.iter_mut().zip(operand.indices()) {
            *value = self.index(index, thread)?;
        }
        let [first, second, third] = indices;
        let of = |registers: &[[u32; 4]], at: u32| {
            registers.get(at as usize).map_or(0, |row| row[component])
        };
        let word = |words: &[u32], row: u32| {
            let (rows, _) = words.as_chunks::<4>();
            of(rows, row)
        };
        let value = match operand.file {
            RegisterFile::Temp => of(&thread.temps, first),
            RegisterFile::IndexableTemp => {
                { thread.arrays.get(&first) }.map_or(0, |array| of(array, second))
            }
            RegisterFile::Immediate32 => operand.immediate[component],
            RegisterFile::ImmediateConstantBuffer => word(self.icb, first),
            RegisterFile::ConstantBuffer => {
                // `[id, row]`, in model 5.1 `[id, register, row]`.
                let row = if self.program.has_ranges() {
                    third
                } else {
                    second
                };
                { self.constants.get(&first) }.map_or(0, |words| word(words, row))
            }
            RegisterFile::InputThreadId => {
                let in_group = thread.in_group[component];
                if component == 0 {
                    thread.group * self.threads[0] + in_group
                } else {
                    in_group
                }
            }
            RegisterFile::InputThreadGroupId => [thread.group, 0, 0, 0][component],
            RegisterFile::InputThreadIdInGroup => thread.in_group[component],
            RegisterFile::InputThreadIdInGroupFlattened => thread.flattened,
            file => return Err(Error::Unsupported(file.name().to_owned())),
        };
        Ok(match ty {
            OperandType::Int | OperandType::Uint if operand.neg => value.wrapping_neg(),
            OperandType::Int | OperandType::Uint => value,
            _ => {
                let value = if operand.abs {
                    value & i32::MAX as u32
                } else {
                    value
                };
                value ^ u32::from(operand.neg) << 31
            }
        })
    }

    /// Writes a component of a register.
    pub(crate) fn write(
        &self,
        dest: &Operand,
        lane: u8,
        value: u32,
        thread: &mut Thread,
    ) -> Result<()> {
        let mut indices = [0; 3];
        for (value, index) in indices.iter_mut().zip(dest.indices()) {
            *value = self.index(index, thread)?;
        }
        let row = match dest.file {
            RegisterFile::Temp => thread.temps.get_mut(indices[0] as usize),
            RegisterFile::IndexableTemp => {
                let array = thread.arrays.get_mut(&indices[0]);
                array.and_then(|array| array.get_mut(indices[1] as usize))
            }
            RegisterFile::Null => None,
            file => return Err(Error::Unsupported(file.name().to_owned())),
        };
        if let Some(row) = row {
            row[usize::from(lane)] = value;
        }
        Ok(())
    }
}
