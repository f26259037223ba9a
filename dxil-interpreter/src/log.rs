//! A log of the values that each thread computes, in the order in which it computes them:
//! instructions that store them to a buffer, added to a shader.
//!
//! The buffer has a row of entries per thread. An entry is two words: the number of the instruction
//! plus one, and its value, truncated if it is wider.

use std::cmp::Ordering::{Equal, Greater, Less};

use trellis_dxil_frontend::dxop::{Op, is_dx_op};
use trellis_dxil_frontend::module::{
    ArithFlags, BinaryOp, BlockData, CastOp, Constant, ConstantData, Function, Inst, InstId,
    InstKind, Module, Ordering, Predicate, Type, TypeId, ValueData, ValueId, ValueKind,
    append_list,
};
use trellis_dxil_frontend::shader::{
    ComponentType, EntryPoint, InterpolationMode, Resource, ResourceClass, ResourceKind,
    SemanticKind, Shader, ShaderKind, SignatureElement,
};
use trellis_entity::{EntityRange, EntityRef, PrimaryMap};

use crate::dispatch::{Binding, Class, Kind, Place};

/// Registers that the buffer may have: the greatest one that the shader does not use.
const REGISTERS: u32 = 1000;
/// Entries of all threads together.
const ENTRIES: u32 = 1 << 18;
/// Threads of a pixel shader in each direction.
const PIXELS: u32 = 16;
/// Most threads of a group.
const MAX_THREADS: u32 = 1024;
/// Bytes of an entry.
const ENTRY: u32 = 8;

/// The shape of the buffer.
#[derive(Clone, Copy, Debug)]
pub struct Log {
    /// Threads.
    pub threads: u32,
    /// Entries of a thread.
    pub entries: u32,
    /// Entries of a thread before the first one that is stored.
    pub skipped: u32,
    /// Register of the buffer, in space 0.
    register: u32,
}

impl Log {
    /// Returns a log for an entry point; `None` for stages whose threads have no number.
    pub fn new(shader: &Shader, entry: &EntryPoint) -> Option<Self> {
        let is_used = |register: &u32| {
            let has = |r: &Resource| register.wrapping_sub(r.lower_bound) < r.range_size;
            let mut uavs = shader
                .resources
                .iter()
                .filter(|r| r.class == ResourceClass::Uav);
            uavs.any(|r| r.space == 0 && has(r))
        };
        let register = (0..REGISTERS).rev().find(|register| !is_used(register))?;
        let threads = match entry.kind {
            ShaderKind::Compute => {
                let [x, y, z] = entry.properties.num_threads?;
                let threads = x.checked_mul(y)?.checked_mul(z)?;
                Some(threads).filter(|threads| (1..=MAX_THREADS).contains(threads))?
            }
            ShaderKind::Pixel => PIXELS * PIXELS,
            ShaderKind::Vertex => 4,
            _ => return None,
        };
        Some(Self {
            threads,
            entries: ENTRIES / threads,
            skipped: 0,
            register,
        })
    }

    /// Place of the buffer.
    pub fn place(self) -> Place {
        Place::at(Class::Uav, 0, self.register)
    }

    /// Bytes of the buffer. The last entry takes those that are not stored.
    fn bytes(self) -> u64 {
        (u64::from(self.threads) * u64::from(self.entries) + 1) * u64::from(ENTRY)
    }

    /// Returns the buffer.
    pub fn binding(self) -> Binding {
        let mut binding = Binding::new(Class::Uav, 0, self.register, Kind::Raw);
        binding.bytes = Some(self.bytes());
        binding
    }

    /// Adds the log to an entry point of a module.
    /// `None` if it has no body or calls no operation.
    pub fn add(self, module: &mut Module, shader: &mut Shader, entry: &str) -> Option<()> {
        let entry = shader.entry_points.iter_mut().find(|e| *e.name == *entry)?;
        let (class, kind) = (ResourceClass::Uav, ResourceKind::RawBuffer);
        let is_before = |r: &Resource| r.class as u8 <= class as u8;
        let uavs = shader.resources.iter().filter(|r| r.class == class);
        let resource = Resource::new(class, kind, uavs.count() as u32, self.register);
        let id = entry.function?;
        let callee = module.functions.values().find(|f| is_dx_op(f))?.value;
        let mut writer = Writer {
            types: Types::new(module),
            callee,
            function: std::mem::take(&mut module.functions[id]),
            insts: PrimaryMap::new(),
            log: self,
            module,
        };
        writer.run(entry, resource.id);
        let function = writer.function;
        module.functions[id] = function;
        // They are in the order of classes.
        let at = shader.resources.iter().take_while(|r| is_before(r)).count();
        shader.resources.insert(at, resource);
        Some(())
    }
}

/// Types that the added instructions use.
#[derive(Clone, Copy)]
struct Types {
    void: TypeId,
    bit: TypeId,
    byte: TypeId,
    int: TypeId,
    float: TypeId,
    pointer: TypeId,
    handle: TypeId,
}

impl Types {
    fn new(module: &mut Module) -> Self {
        let is_handle = |ty: &Type| matches!(ty, Type::Struct { name: Some(name), .. } if **name == *"dx.types.Handle");
        let mut find = |ty: Type| {
            let found = module.types.iter().find(|(_, other)| **other == ty);
            let found = found.map(|(id, _)| id);
            found.unwrap_or_else(|| module.types.push(ty))
        };
        let [void, byte, int] = [Type::Void, Type::Int(8), Type::Int(32)].map(&mut find);
        let [bit, float] = [Type::Int(1), Type::Float].map(&mut find);
        let mut pointer = |pointee| {
            find(Type::Pointer {
                pointee,
                address_space: 0,
            })
        };
        let (pointer, to_byte) = (pointer(int), pointer(byte));
        let handle = module.types.iter().find(|(_, ty)| is_handle(ty));
        let handle = handle.map(|(id, _)| id);
        let handle = handle.unwrap_or_else(|| {
            module.types.push(Type::Struct {
                name: Some("dx.types.Handle".into()),
                fields: [to_byte].into_iter().collect(),
                packed: false,
                opaque: false,
            })
        });
        Self {
            void,
            bit,
            byte,
            int,
            float,
            pointer,
            handle,
        }
    }
}

/// Rewrites the function.
struct Writer<'m> {
    module: &'m mut Module,
    function: Function,
    types: Types,
    /// Any operation: the first operand decides which one a call is.
    callee: ValueId,
    insts: PrimaryMap<InstId, Inst>,
    log: Log,
}

/// Values that all entries of a thread use.
#[derive(Clone, Copy)]
struct Row {
    handle: ValueId,
    /// Offset of the thread's first entry.
    start: ValueId,
    /// Variable with the number of entries so far.
    count: ValueId,
}

impl Writer<'_> {
    fn run(&mut self, entry: &mut EntryPoint, resource: u32) {
        let old = std::mem::take(&mut self.function.insts);
        let blocks = std::mem::take(&mut self.function.blocks);
        let mut places = Vec::with_capacity(old.len());
        let mut row = None;
        for block in blocks.into_values() {
            let start = self.insts.next_key();
            let row = *row.get_or_insert_with(|| self.row(entry, resource));
            let is_phi = |&id: &InstId| matches!(old[id].kind, InstKind::Phi { .. });
            let phis = block.insts.take_while(is_phi).count();
            for (number, id) in block.insts.enumerate() {
                places.push(self.insts.push(old[id]));
                // Phis come first in a block.
                let logged = match (number + 1).cmp(&phis) {
                    Less => 0..0,
                    Equal => 0..phis,
                    Greater => number..number + 1,
                };
                let first = block.insts.start().index();
                for id in logged.map(|number| InstId::new(first + number)) {
                    self.entry(row, id, &old[id]);
                }
            }
            let insts = EntityRange::new(start, self.insts.next_key());
            self.function.blocks.push(BlockData { insts });
        }
        for (at, inst) in self.insts.iter() {
            if let Some(result) = inst.result.expand() {
                let local = result.index() - self.module.values.len();
                self.function.values[local].kind = ValueKind::Inst(at);
            }
        }
        for (at, ..) in &mut self.function.inst_metadata {
            *at = places[at.index()];
        }
        self.function.insts = std::mem::take(&mut self.insts);
    }

    /// Appends the variables and values that the entries of a thread use.
    fn row(&mut self, entry: &mut EntryPoint, resource: u32) -> Row {
        let t = self.types;
        let (zero, one) = (self.number(0), self.number(1));
        let count = InstKind::Alloca {
            ty: t.int,
            count: one,
            align: 4,
        };
        let count = self.push(count, t.pointer);
        self.store(count, zero);
        let (class, not) = (self.constant(t.byte, 1), self.constant(t.bit, 0));
        let register = self.number(self.log.register);
        let range = self.number(resource);
        let handle = self.call(Op::CreateHandle, &[class, range, register, not], t.handle);
        let thread = match entry.kind {
            ShaderKind::Pixel => {
                let at = [0, 1].map(|column| {
                    let at = self.input(entry, SemanticKind::Position, column, t.float);
                    let op = CastOp::FPToUI;
                    self.push(InstKind::Cast { op, value: at }, t.int)
                });
                let width = self.number(PIXELS);
                let line = self.binary(BinaryOp::Mul, at[1], width);
                self.binary(BinaryOp::Add, line, at[0])
            }
            ShaderKind::Vertex => self.input(entry, SemanticKind::VertexID, 0, t.int),
            _ => self.call(Op::FlattenedThreadIdInGroup, &[], t.int),
        };
        let bytes = self.number(self.log.entries * ENTRY);
        let start = self.binary(BinaryOp::Mul, thread, bytes);
        Row {
            handle,
            start,
            count,
        }
    }

    /// Loads a component of an input, which is added to the signature if there is none.
    fn input(
        &mut self,
        entry: &mut EntryPoint,
        semantic: SemanticKind,
        column: u64,
        ty: TypeId,
    ) -> ValueId {
        let inputs = &mut entry.signatures.input;
        let id = match inputs.iter().find(|element| element.semantic == semantic) {
            Some(element) => element.id,
            None => {
                let id = inputs.iter().map(|e| e.id + 1).max().unwrap_or(0);
                let (name, ty, cols) = match semantic {
                    SemanticKind::Position => ("SV_Position", ComponentType::F32, 4),
                    _ => ("SV_VertexID", ComponentType::U32, 1),
                };
                let rows = inputs.iter().map(|e| e.start_row + e.rows as i32);
                let start_row = rows.max().unwrap_or(0);
                inputs.push(SignatureElement {
                    id,
                    name: name.into(),
                    ty,
                    semantic,
                    indices: [0].into_iter().collect(),
                    interpolation: InterpolationMode::LinearNoperspective,
                    rows: 1,
                    cols,
                    start_row,
                    start_col: 0,
                    stream: 0,
                    dynamic_mask: 0,
                    usage_mask: 0xf,
                });
                id
            }
        };
        let (id, zero) = (self.number(id), self.number(0));
        let column = self.constant(self.types.byte, column);
        let none = self.undef();
        self.call(Op::LoadInput, &[id, zero, column, none], ty)
    }

    /// Appends an entry for an instruction, if it has a number as result.
    fn entry(&mut self, row: Row, id: InstId, inst: &Inst) {
        let Some(value) = inst.result.expand() else {
            return;
        };
        let t = self.types;
        let casts: &[_] = match self.module.types[inst.ty] {
            Type::Int(32) => &[],
            Type::Int(64) => &[(CastOp::Trunc, t.int)],
            Type::Int(1 | 8 | 16) => &[(CastOp::ZExt, t.int)],
            Type::Float => &[(CastOp::BitCast, t.int)],
            Type::Half => &[(CastOp::FPExt, t.float), (CastOp::BitCast, t.int)],
            Type::Double => &[(CastOp::FPTrunc, t.float), (CastOp::BitCast, t.int)],
            _ => return,
        };
        let cast = |value, &(op, ty): &_| self.push(InstKind::Cast { op, value }, ty);
        let value = casts.iter().fold(value, cast);
        let load = InstKind::Load {
            ptr: row.count,
            align: 4,
            volatile: false,
            ordering: Ordering::NotAtomic,
        };
        let count = self.push(load, t.int);
        let [skipped, entries, size, one] =
            [self.log.skipped, self.log.entries, ENTRY, 1].map(|n| self.number(n));
        let number = self.binary(BinaryOp::Sub, count, skipped);
        let is_inside = InstKind::Cmp {
            predicate: Predicate::IUlt,
            lhs: number,
            rhs: entries,
            flags: ArithFlags(0),
        };
        let is_inside = self.push(is_inside, t.bit);
        let offset = self.binary(BinaryOp::Mul, number, size);
        let offset = self.binary(BinaryOp::Add, row.start, offset);
        let select = InstKind::Select {
            cond: is_inside,
            then: offset,
            else_: self.number((self.log.bytes() - u64::from(ENTRY)) as u32),
        };
        let offset = self.push(select, t.int);
        let (id, none) = (self.number(id.as_u32() + 1), self.undef());
        let mask = self.constant(t.byte, 3);
        let operands = [row.handle, offset, none, id, value, none, none, mask];
        self.call_void(Op::BufferStore, &operands);
        let next = self.binary(BinaryOp::Add, count, one);
        self.store(row.count, next);
    }

    fn constant(&mut self, ty: TypeId, number: u64) -> ValueId {
        let value = Constant::Int(number);
        let id = self.module.constants.push(ConstantData { ty, value });
        self.value(ty, ValueKind::Constant(id))
    }

    fn number(&mut self, number: u32) -> ValueId {
        self.constant(self.types.int, number.into())
    }

    fn undef(&mut self) -> ValueId {
        let (ty, value) = (self.types.int, Constant::Undef);
        let id = self.module.constants.push(ConstantData { ty, value });
        self.value(ty, ValueKind::Constant(id))
    }

    fn value(&mut self, ty: TypeId, kind: ValueKind) -> ValueId {
        let number = self.module.values.len() + self.function.values.len();
        self.function.values.push(ValueData { ty, kind });
        ValueId::new(number)
    }

    fn push(&mut self, kind: InstKind, ty: TypeId) -> ValueId {
        let result = self.value(ty, ValueKind::Inst(self.insts.next_key()));
        self.append(kind, ty, Some(result));
        result
    }

    fn append(&mut self, kind: InstKind, ty: TypeId, result: Option<ValueId>) {
        self.insts.push(Inst {
            kind,
            ty,
            result: result.into(),
            debug_loc: 0,
        });
    }

    fn binary(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> ValueId {
        let flags = ArithFlags(0);
        let kind = InstKind::Binary {
            op,
            lhs,
            rhs,
            flags,
        };
        self.push(kind, self.types.int)
    }

    fn store(&mut self, ptr: ValueId, value: ValueId) {
        let kind = InstKind::Store {
            ptr,
            value,
            align: 4,
            volatile: false,
            ordering: Ordering::NotAtomic,
        };
        self.append(kind, self.types.void, None);
    }

    fn call_kind(&mut self, op: Op, operands: &[ValueId]) -> InstKind {
        let opcode = self.number(op.code());
        let operands = operands.iter().map(|value| value.as_u32());
        let operands = std::iter::once(opcode.as_u32()).chain(operands);
        InstKind::Call {
            callee: self.callee,
            args: append_list(&mut self.function.pool, operands),
            flags: ArithFlags(0),
            cc: 0,
            tail: 0,
            attributes: 0,
        }
    }

    fn call(&mut self, op: Op, operands: &[ValueId], ty: TypeId) -> ValueId {
        let kind = self.call_kind(op, operands);
        self.push(kind, ty)
    }

    fn call_void(&mut self, op: Op, operands: &[ValueId]) {
        let kind = self.call_kind(op, operands);
        self.append(kind, self.types.void, None);
    }
}
