//! Writes the instructions that intrinsics become.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::{DxCall, DxDeclarations, Op};
use trellis_dxil_frontend::module::{
    BinaryOp, CastOp, Constant, Inst, InstId, InstKind, Predicate, Type, TypeId, ValueId,
};

use super::super::rewriter::{FunctionRewriter, binary, compare};
use super::super::type_id;
use crate::error::Error;
use crate::vendor::{MATRIX, Private};

/// A function that is being rewritten, at one of its instructions.
pub(super) struct Writer<'a> {
    pub(super) rewriter: FunctionRewriter<'a>,
    ops: &'a DxDeclarations,
    /// The instruction.
    pub(super) at: InstId,
    /// A call of an operation, whose callee new calls get: a new declaration would renumber all values.
    model: InstKind,
    pub(super) int: TypeId,
    pub(super) long: TypeId,
    pub(super) float: TypeId,
    boolean: TypeId,
    byte: TypeId,
    /// The hit object that each word of the old function names.
    pub(super) hit_objects: FxHashMap<ValueId, ValueId>,
    /// The fields of loads of results.
    pub(super) loads: FxHashMap<ValueId, SmallVec<[Option<ValueId>; 4]>>,
    /// For each word of a matrix in the old function, the matrix and the word's index.
    pub(super) matrix_words: FxHashMap<ValueId, (ValueId, usize)>,
    /// The pointer to the attributes of a hit that is being made.
    pub(super) attributes: Option<ValueId>,
    /// The object that the next result of an intrinsic names.
    pub(super) made_object: Option<ValueId>,
}

impl<'a> Writer<'a> {
    /// Creates the writer of a function with the call `model`.
    pub(super) fn new(
        rewriter: FunctionRewriter<'a>,
        ops: &'a DxDeclarations,
        model: InstId,
    ) -> Self {
        let mut of = |ty: Type| type_id(rewriter.module, &ty);
        let (int, long, byte) = (of(Type::Int(32)), of(Type::Int(64)), of(Type::Int(8)));
        let (boolean, float) = (of(Type::Int(1)), of(Type::Float));
        Self {
            ops,
            at: model,
            model: rewriter.old.insts[model].kind,
            rewriter,
            int,
            long,
            float,
            boolean,
            byte,
            hit_objects: FxHashMap::default(),
            loads: FxHashMap::default(),
            matrix_words: FxHashMap::default(),
            attributes: None,
            made_object: None,
        }
    }

    /// Returns the call of an operation that an instruction is.
    pub(super) fn call(&self, at: InstId) -> Result<Option<DxCall<'_>>, Error> {
        Ok(self
            .ops
            .parse(self.rewriter.module, self.rewriter.old, at)?)
    }

    /// Returns the operands of the call that the instruction is; none of another.
    pub(super) fn operands(&self, at: InstId) -> Result<SmallVec<[ValueId; 8]>, Error> {
        let call = self.call(at)?;
        Ok(call.map_or_else(SmallVec::new, |call| {
            call.args.iter().map(|&v| ValueId::from_u32(v)).collect()
        }))
    }

    /// Replaces the result of an instruction of the old function.
    pub(super) fn replace(&mut self, at: InstId, value: ValueId) {
        if let Some(result) = self.rewriter.old.insts[at].result.expand() {
            self.rewriter.replace(result, value);
        }
    }

    fn write(&mut self, kind: InstKind, ty: TypeId) -> ValueId {
        let result = self.rewriter.result(ty);
        let mut inst = self.rewriter.old.insts[self.at];
        (inst.kind, inst.ty, inst.result) = (kind, ty, result.into());
        let inst = self.rewriter.in_place_of(self.at, inst);
        self.rewriter.push(inst);
        result
    }

    /// Returns a number of 32 bits.
    pub(super) fn number(&mut self, number: u32) -> ValueId {
        self.rewriter.number(number)
    }

    /// Returns a number of 8 bits.
    pub(super) fn small(&mut self, number: u8) -> ValueId {
        self.rewriter
            .constant(self.byte, Constant::Int(number.into()))
    }

    /// Returns an undefined value.
    pub(super) fn undef(&mut self, ty: TypeId) -> ValueId {
        self.rewriter.undef(ty)
    }

    /// Appends a call of an operation.
    pub(super) fn dx(&mut self, op: Op, operands: &[ValueId], ty: TypeId) -> ValueId {
        let kind = self.dx_kind(op, operands);
        self.write(kind, ty)
    }

    fn dx_kind(&mut self, op: Op, operands: &[ValueId]) -> InstKind {
        self.rewriter
            .call_like(self.model, op, operands.iter().copied())
    }

    /// Appends a call of an operation without a result.
    pub(super) fn dx_void(&mut self, op: Op, operands: &[ValueId]) {
        let void = type_id(self.rewriter.module, &Type::Void);
        let kind = self.dx_kind(op, operands);
        let inst = Inst {
            kind,
            ty: void,
            result: None.into(),
            debug_loc: self.rewriter.old.insts[self.at].debug_loc,
        };
        let inst = self.rewriter.in_place_of(self.at, inst);
        self.rewriter.push(inst);
    }

    /// Appends a call of an operation that makes a hit object.
    pub(super) fn hit_object(&mut self, op: Op, operands: &[ValueId]) -> ValueId {
        self.words(op, operands, "dx.types.HitObject", 0)
    }

    /// Appends a private operation with up to three operands.
    pub(super) fn private(&mut self, op: Private, operands: &[ValueId], ty: TypeId) -> ValueId {
        let handle = self.handle_type();
        let (none, number) = (self.undef(handle), self.number(op.number() as u32));
        // The last two operands have the type of the result.
        let absent = self.number(0);
        let same = self.rewriter.constant(ty, Constant::Int(0));
        let operand = |i: usize, absent| operands.get(i).copied().unwrap_or(absent);
        let (first, second) = (operand(0, absent), operand(1, absent));
        let list = [none, number, first, second, operand(2, same), same];
        self.dx(Op::AtomicCompareExchange, &list, ty)
    }

    /// Appends a private operation with its number and up to four operands.
    pub(super) fn coded(
        &mut self,
        op: Private,
        code: u32,
        operands: &[ValueId],
        ty: TypeId,
    ) -> ValueId {
        let handle = self.handle_type();
        let (none, number) = (self.undef(handle), op.number() as u32 | code << 8);
        let (number, absent) = (self.number(number), self.number(0));
        let operand = |i: usize| operands.get(i).copied().unwrap_or(absent);
        let list = [none, number, operand(0), operand(1), operand(2), operand(3)];
        self.dx(Op::AtomicCompareExchange, &list, ty)
    }

    /// Appends a private operation that makes a matrix.
    pub(super) fn matrix(&mut self, op: Private, code: u32, operands: &[ValueId]) -> ValueId {
        let ty = self.words_type(MATRIX, 8);
        self.coded(op, code, operands, ty)
    }

    /// Appends the operations that make an operand of the words of a matrix.
    pub(super) fn matrix_of(&mut self, words: &[ValueId; 8]) -> ValueId {
        let mut made = self.number(0);
        for part in words.chunks(3) {
            let mut operands = SmallVec::<[ValueId; 4]>::from_slice(&[made]);
            operands.extend_from_slice(part);
            made = self.matrix(Private::MatrixWords, part.len() as u32, &operands);
        }
        made
    }

    fn handle_type(&mut self) -> TypeId {
        let of_model = match self.model {
            InstKind::Call { args, .. } => self.rewriter.old.pool.get(args.start as usize + 1),
            _ => None,
        };
        let handle = of_model.and_then(|&v| self.rewriter.data(ValueId::from_u32(v)));
        handle.map_or(self.int, |data| data.ty)
    }

    /// Appends an operation on integers or floats of one type.
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        lhs: ValueId,
        rhs: ValueId,
        ty: TypeId,
    ) -> ValueId {
        self.write(binary(op, lhs, rhs), ty)
    }

    /// Appends an operation on words.
    pub(super) fn word(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> ValueId {
        self.binary(op, lhs, rhs, self.int)
    }

    /// Appends an operation on a word and a number.
    pub(super) fn with(&mut self, op: BinaryOp, lhs: ValueId, number: u32) -> ValueId {
        let rhs = self.number(number);
        self.word(op, lhs, rhs)
    }

    /// Appends a comparison.
    pub(super) fn compare(&mut self, predicate: Predicate, lhs: ValueId, rhs: ValueId) -> ValueId {
        self.write(compare(predicate, lhs, rhs), self.boolean)
    }

    /// Appends the comparison of a word with 0.
    pub(super) fn is_set(&mut self, word: ValueId) -> ValueId {
        let zero = self.number(0);
        self.compare(Predicate::INe, word, zero)
    }

    /// Appends a selection between two words.
    pub(super) fn select(&mut self, cond: ValueId, then: ValueId, else_: ValueId) -> ValueId {
        self.write(InstKind::Select { cond, then, else_ }, self.int)
    }

    /// Appends a conversion.
    pub(super) fn cast(&mut self, op: CastOp, value: ValueId, ty: TypeId) -> ValueId {
        self.write(InstKind::Cast { op, value }, ty)
    }

    /// Appends a call of an operation without operands whose result is a word.
    pub(super) fn query(&mut self, op: Op) -> ValueId {
        self.dx(op, &[], self.int)
    }

    /// Appends a call of an operation whose result is a struct of words; returns the struct.
    pub(super) fn words(
        &mut self,
        op: Op,
        operands: &[ValueId],
        name: &str,
        len: usize,
    ) -> ValueId {
        let ty = self.words_type(name, len);
        self.dx(op, operands, ty)
    }

    /// Returns the type of a struct of words.
    fn words_type(&mut self, name: &str, len: usize) -> TypeId {
        let ty = Type::Struct {
            name: Some(name.into()),
            fields: std::iter::repeat_n(self.int, len).collect(),
            packed: false,
            opaque: false,
        };
        type_id(self.rewriter.module, &ty)
    }

    /// Appends the extraction of a word of a struct.
    pub(super) fn field(&mut self, aggregate: ValueId, index: u32) -> ValueId {
        let indices = self.rewriter.list([index]);
        self.write(InstKind::ExtractValue { aggregate, indices }, self.int)
    }

    /// Appends the join of two words.
    pub(super) fn join(&mut self, low: ValueId, high: ValueId) -> ValueId {
        let (low, high) = (
            self.cast(CastOp::ZExt, low, self.long),
            self.cast(CastOp::ZExt, high, self.long),
        );
        let half = self.rewriter.constant(self.long, Constant::Int(32));
        let high = self.binary(BinaryOp::Shl, high, half, self.long);
        self.binary(BinaryOp::Or, low, high, self.long)
    }

    /// Appends the division of 64 bits into two words.
    pub(super) fn split(&mut self, long: ValueId) -> [ValueId; 2] {
        let half = self.rewriter.constant(self.long, Constant::Int(32));
        let high = self.binary(BinaryOp::LShr, long, half, self.long);
        [
            self.cast(CastOp::Trunc, long, self.int),
            self.cast(CastOp::Trunc, high, self.int),
        ]
    }

    /// Appends a vote.
    pub(super) fn vote(&mut self, op: Op, cond: ValueId) -> ValueId {
        self.dx(op, &[cond], self.boolean)
    }

    /// Appends the bits of a vote: of the lanes for which a word is not 0.
    pub(super) fn ballot(&mut self, word: ValueId) -> ValueId {
        let cond = self.is_set(word);
        self.words(Op::WaveActiveBallot, &[cond], "dx.types.fouri32", 4)
    }
}
