//! Instructions, appended to the selected block.

use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::Op;
use trellis_dxil_frontend::module::{
    ArithFlags, BinaryOp, BlockId, CastOp, FunctionId, Inst, InstKind, Ordering, PoolRange,
    Predicate, RmwOp, Type, TypeId, append_list,
};
use trellis_entity::PackedOption;

use super::{Block, Builder, LOCAL, Origin, Overload, Value};

impl Builder {
    /// Sets whether optimizations may change float operations that follow and are not `precise`.
    pub fn set_refactoring(&mut self, allowed: bool) {
        self.refactoring = allowed;
    }

    /// Sets whether the float operations that follow are `precise`.
    pub fn set_precise(&mut self, precise: bool) {
        self.precise = precise;
    }

    /// Returns whether more was built than may be; `finish` will report it.
    pub fn is_too_large(&self) -> bool {
        self.size > self.limit
    }

    fn push(&mut self, kind: InstKind, ty: TypeId) -> Value {
        if self.body.current.is_none() || self.is_too_large() {
            return self.add_local(ty, Origin::Dropped);
        }
        self.size += 1;
        let index = self.body.insts.len() as u32;
        let result = match ty == self.scalar(Overload::None) {
            true => None,
            false => Some(self.add_local(ty, Origin::Inst(index))),
        };
        self.body.insts.push(Inst {
            kind,
            ty,
            result: result.into(),
            debug_loc: 0,
        });
        result.unwrap_or_default()
    }

    fn push_void(&mut self, kind: InstKind) {
        self.push(kind, self.scalar(Overload::None));
    }

    fn list(&mut self, values: &[Value]) -> PoolRange {
        append_list(&mut self.body.pool, values.iter().map(|v| v.as_u32()))
    }

    /// Appends a call of an operation that has a result. The operands come after the opcode, in the
    /// order of the table; a handle is an operand like any other.
    pub fn op(&mut self, op: Op, overload: Overload, args: &[Value]) -> Value {
        debug_assert_eq!(args.len(), op.info().params.len(), "operands of {op}");
        let (callee, ret) = self.declare(op, overload);
        let opcode = self.i32(op.code());
        let list = std::iter::once(opcode).chain(args.iter().copied());
        let args = append_list(&mut self.body.pool, list.map(Value::as_u32));
        if self.precise && overload.is_float() && self.body.current.is_some() {
            self.body.precise.push(self.body.insts.len() as u32);
        }
        self.push(
            InstKind::Call {
                callee,
                args,
                flags: ArithFlags::default(),
                cc: 0,
                tail: 0,
                attributes: 0,
            },
            ret,
        )
    }

    /// Appends a call of an operation whose result depends on its operands alone, as [`Self::op`],
    /// unless the block has such a call: then the result is that call's.
    pub fn op_once(&mut self, op: Op, overload: Overload, args: &[Value]) -> Value {
        let key = (op.code(), overload, SmallVec::from_slice(args));
        if let Some(&known) = self.body.once.get(&key) {
            return known;
        }
        let value = self.op(op, overload, args);
        self.body.once.insert(key, value);
        value
    }

    /// Appends a call of an operation without result.
    pub fn op_void(&mut self, op: Op, overload: Overload, args: &[Value]) {
        self.op(op, overload, args);
    }

    /// Appends `extractvalue` of a field: a component or the status of a structure that an
    /// operation returns.
    pub fn extract(&mut self, aggregate: Value, index: u32) -> Value {
        let ty = self.element(self.type_of(aggregate), index as usize);
        let indices = append_list(&mut self.body.pool, [index]);
        self.push(InstKind::ExtractValue { aggregate, indices }, ty)
    }

    fn element(&self, ty: TypeId, index: usize) -> TypeId {
        match self.module.ty(ty) {
            Type::Array { element, .. } | Type::Vector { element, .. } => *element,
            Type::Struct { fields, .. } => fields.get(index).copied().unwrap_or_default(),
            _ => TypeId::default(),
        }
    }

    fn flags(&self, of: Value) -> ArithFlags {
        let ty = self.type_of(of);
        let is_float = matches!(self.module.ty(ty), Type::Half | Type::Float | Type::Double);
        ArithFlags(match is_float && self.refactoring && !self.precise {
            true => ArithFlags::FAST,
            false => 0,
        })
    }

    /// Appends a binary operation of values of one type. A sum with a negated value is a difference, and
    /// masks are combined as conditions.
    pub fn binary(&mut self, mut op: BinaryOp, mut lhs: Value, mut rhs: Value) -> Value {
        // DXBC has no booleans: operations on masks are operations on the conditions that they come
        // from.
        if matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
            && self.type_of(lhs) == self.scalar(Overload::I32)
            && let (Some(first), Some(second)) = (self.condition(lhs), self.condition(rhs))
        {
            let both = self.binary(op, first, second);
            return self.mask(both);
        }
        // DXBC has no subtraction: it is a sum with a negated operand.
        let difference = match op {
            BinaryOp::FAdd => Some(BinaryOp::FSub),
            BinaryOp::Add => Some(BinaryOp::Sub),
            _ => None,
        };
        if let Some(difference) = difference {
            if let Some(negated) = self.negated(difference, rhs) {
                (op, rhs) = (difference, negated);
            } else if let Some(negated) = self.negated(difference, lhs) {
                (op, lhs, rhs) = (difference, rhs, negated);
            }
        }
        let (ty, flags) = (self.type_of(lhs), self.flags(lhs));
        self.push(
            InstKind::Binary {
                op,
                lhs,
                rhs,
                flags,
            },
            ty,
        )
    }

    /// Returns the instruction that computes a value, if one does.
    fn definition(&self, value: Value) -> Option<&InstKind> {
        if value.as_u32() & LOCAL == 0 {
            return None;
        }
        match self.local(value).origin {
            Origin::Inst(index) => Some(&self.body.insts[index as usize].kind),
            _ => None,
        }
    }

    /// Returns the value that a subtraction from zero negates.
    fn negated(&self, subtraction: BinaryOp, value: Value) -> Option<Value> {
        match *self.definition(value)? {
            InstKind::Binary { op, lhs, rhs, .. } if op == subtraction => {
                let zero = match *self.module.ty(self.type_of(lhs)) {
                    Type::Half => 1 << 15,
                    Type::Float => 1 << 31,
                    Type::Double => 1 << 63,
                    _ => 0,
                };
                (self.bits(lhs)? == zero).then_some(rhs)
            }
            _ => None,
        }
    }

    /// Returns the `double` whose halves are two words, if they are the halves of one.
    pub fn whole(&self, words: [Value; 2]) -> Option<Value> {
        let [low, high] = words.map(|word| match *self.definition(word)? {
            InstKind::ExtractValue { aggregate, indices } => {
                Some((aggregate, self.body.pool[indices.start as usize]))
            }
            _ => None,
        });
        let (pair, 0) = low? else { return None };
        if high? != (pair, 1) {
            return None;
        }
        let split = (Op::SplitDouble.info().class, Overload::F64);
        match *self.definition(pair)? {
            InstKind::Call { callee, args, .. } if callee == self.declarations.get(&split)?.0 => {
                Some(Value::from_u32(self.body.pool[args.start as usize + 1]))
            }
            _ => None,
        }
    }

    /// Returns the `i1` that a value is the mask of, if any.
    fn condition(&mut self, value: Value) -> Option<Value> {
        if let Some(bits @ (0 | 0xffff_ffff)) = self.bits(value) {
            return Some(self.bool(bits != 0));
        }
        match *self.definition(value)? {
            InstKind::Cast {
                op: CastOp::SExt,
                value,
            } if self.type_of(value) == self.scalar(Overload::I1) => Some(value),
            _ => None,
        }
    }

    /// Appends `icmp` or `fcmp`; the result is an `i1`.
    pub fn cmp(&mut self, predicate: Predicate, lhs: Value, rhs: Value) -> Value {
        let (ty, flags) = (self.scalar(Overload::I1), self.flags(lhs));
        self.push(
            InstKind::Cmp {
                predicate,
                lhs,
                rhs,
                flags,
            },
            ty,
        )
    }

    /// Appends a cast.
    pub fn cast(&mut self, op: CastOp, value: Value, to: Overload) -> Value {
        self.push(InstKind::Cast { op, value }, self.scalar(to))
    }

    /// Returns a `float` as a `half`, of which it may have been made; once per block.
    pub fn narrowed(&mut self, value: Value) -> Value {
        if let Some(&InstKind::Cast {
            op: CastOp::FPExt,
            value,
        }) = self.definition(value)
        {
            return value;
        }
        // No operation of DXIL has the number.
        let key = (u32::MAX, Overload::F16, SmallVec::from_slice(&[value]));
        if let Some(&known) = self.body.once.get(&key) {
            return known;
        }
        let half = self.cast(CastOp::FPTrunc, value, Overload::F16);
        self.body.once.insert(key, half);
        half
    }

    /// Returns a value that registers have: a `half` becomes a `float`.
    pub fn widened(&mut self, value: Value) -> Value {
        match self.type_of(value) == self.scalar(Overload::F16) {
            true => self.cast(CastOp::FPExt, value, Overload::F32),
            false => value,
        }
    }

    /// Appends `select` of an `i1`.
    pub fn select(&mut self, cond: Value, then: Value, else_: Value) -> Value {
        let ty = self.type_of(then);
        self.push(InstKind::Select { cond, then, else_ }, ty)
    }

    /// Returns an `i1` as the mask that DXBC's comparisons yield: all bits set if it is true.
    pub fn mask(&mut self, condition: Value) -> Value {
        self.cast(CastOp::SExt, condition, Overload::I32)
    }

    /// Returns whether a 32-bit value has a bit set, as an `i1`.
    pub fn is_nonzero(&mut self, value: Value) -> Value {
        let value = self.int(value);
        if let Some(bits) = self.bits(value) {
            return self.bool(bits != 0);
        }
        if let Some(condition) = self.condition(value) {
            return condition;
        }
        let zero = self.i32(0);
        self.cmp(Predicate::INe, value, zero)
    }

    /// Appends an allocation of local memory, in the function's first block; returns its address.
    pub fn alloca(&mut self, ty: TypeId) -> Value {
        let (pointer, count) = (self.pointer(ty, 0), self.i32(1));
        let index = self.body.allocas.len() as u32;
        let result = self.add_local(pointer, Origin::Alloca(index));
        self.body.allocas.push(Inst {
            kind: InstKind::Alloca {
                ty,
                count,
                align: 4,
            },
            ty: pointer,
            result: PackedOption::from(result),
            debug_loc: 0,
        });
        result
    }

    fn pointee(&self, pointer: Value) -> (TypeId, u32) {
        match *self.module.ty(self.type_of(pointer)) {
            Type::Pointer {
                pointee,
                address_space,
            } => (pointee, address_space),
            _ => (TypeId::default(), 0),
        }
    }

    /// Appends the address of the element `index`, an `i32`, of the array that `array` points to.
    pub fn element_ptr(&mut self, array: Value, index: Value) -> Value {
        let (source, address_space) = self.pointee(array);
        let element = self.element(source, 0);
        let (pointer, zero) = (self.pointer(element, address_space), self.i32(0));
        let operands = self.list(&[array, zero, index]);
        self.push(
            InstKind::Gep {
                inbounds: true,
                source,
                operands,
            },
            pointer,
        )
    }

    /// Appends a load.
    pub fn load(&mut self, ptr: Value) -> Value {
        let (ty, _) = self.pointee(ptr);
        self.push(
            InstKind::Load {
                ptr,
                align: 4,
                volatile: false,
                ordering: Ordering::NotAtomic,
            },
            ty,
        )
    }

    /// Appends a store.
    pub fn store(&mut self, ptr: Value, value: Value) {
        self.push_void(InstKind::Store {
            ptr,
            value,
            align: 4,
            volatile: false,
            ordering: Ordering::NotAtomic,
        });
    }

    /// Appends `atomicrmw`; returns the value before.
    pub fn atomic_rmw(&mut self, op: RmwOp, ptr: Value, value: Value) -> Value {
        let ty = self.type_of(value);
        self.push(
            InstKind::AtomicRmw {
                op,
                ptr,
                value,
                volatile: false,
                ordering: Ordering::Monotonic,
                single_thread: false,
            },
            ty,
        )
    }

    /// Appends `cmpxchg`; returns the value before.
    pub fn cmp_xchg(&mut self, ptr: Value, compare: Value, new: Value) -> Value {
        let ty = self.type_of(new);
        let fields = [ty, self.scalar(Overload::I1)];
        let pair = self.ty(Type::Struct {
            name: None,
            fields: fields.as_slice().into(),
            packed: false,
            opaque: false,
        });
        let result = self.push(
            InstKind::CmpXchg {
                ptr,
                compare,
                new,
                volatile: false,
                success: Ordering::Monotonic,
                failure: Ordering::Monotonic,
                single_thread: false,
                weak: false,
            },
            pair,
        );
        self.extract(result, 0)
    }

    /// Creates a block, which has no predecessors yet.
    pub fn new_block(&mut self) -> BlockId {
        self.body.blocks.push(Block::default())
    }

    /// Selects an empty block, which instructions are appended to until a terminator ends it. If no
    /// branch leads to it, none is selected, unless it is the function's first block: instructions
    /// are dropped. A block that has not ended continues there.
    pub fn begin(&mut self, block: BlockId) {
        if self.is_reached() {
            self.br(block);
        }
        self.body.once.clear();
        let end = self.body.insts.len() as u32;
        let is_entry = self.body.order.is_empty();
        let data = &mut self.body.blocks[block];
        (data.first, data.end) = (end, end);
        if is_entry || !data.predecessors.is_empty() {
            self.body.order.push(block);
            self.body.current = Some(block);
        } else {
            self.body.current = None;
        }
    }

    /// Returns whether control reaches the end of the code built so far: a block is selected.
    pub fn is_reached(&self) -> bool {
        self.body.current.is_some()
    }

    /// Returns the function and the selected block, as they are numbered in the module; `None` if
    /// control does not reach the end of the code.
    pub fn place(&self) -> Option<(FunctionId, BlockId)> {
        let number = self.body.order.len().checked_sub(1)?;
        self.body.current?;
        Some((self.current_function?, BlockId::from_u32(number as u32)))
    }

    fn end_block(&mut self, kind: InstKind, targets: &[BlockId]) {
        self.push_void(kind);
        let Some(block) = self.body.current.take() else {
            return;
        };
        self.body.blocks[block].end = self.body.insts.len() as u32;
        for &target in targets {
            let target = &mut self.body.blocks[target];
            debug_assert!(!target.sealed);
            target.predecessors.push(block);
        }
    }

    /// Ends the block with a branch.
    pub fn br(&mut self, target: BlockId) {
        self.end_block(InstKind::Br { target }, &[target]);
    }

    /// Ends the block with a branch on an `i1`.
    pub fn cond_br(&mut self, cond: Value, then: BlockId, else_: BlockId) {
        self.end_block(InstKind::CondBr { cond, then, else_ }, &[then, else_]);
    }

    /// Ends the block with a switch on an `i32`.
    pub fn switch(&mut self, value: Value, default: BlockId, cases: &[(u32, BlockId)]) {
        let mut targets: Vec<BlockId> = cases.iter().map(|case| case.1).collect();
        targets.push(default);
        let entries = cases.iter().flat_map(|&(n, to)| [n, 0, to.as_u32()]);
        let cases = append_list(&mut self.body.pool, entries);
        let kind = InstKind::Switch {
            value,
            default,
            cases,
        };
        self.end_block(kind, &targets);
    }

    /// Ends the block with a return.
    pub fn ret(&mut self) {
        self.end_block(InstKind::Ret { value: None }, &[]);
    }
}
