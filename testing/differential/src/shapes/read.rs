//! DXIL's control flow with the meaning of its instructions, as `llvm_graphs` compares it.
//!
//! The function is the one that the conversion structurizes ([`control_flow`]). It leaves out
//! operands that are constants; here each integer operation has all of its operands.

use std::collections::HashMap;

use llvm_graphs::program::{Binary, FIRST_OTHER, Op, Predicate, Program, bits};
use trellis_dxil_frontend::module::{
    self as dxil, BinaryOp, CallArg, CastOp, InstId, InstKind, Module, TypeId, ValueId,
};
use trellis_spirv_backend::{ControlFlow, control_flow};
use trellis_structurizer::analysis::FlowGraph;
use trellis_structurizer::ir::{
    Block, Inst, InstKind as IrInst, Terminator, Type, Value, ValueKind,
};

/// Why a shader cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It is not DXIL.
    #[error("DXIL: {0}")]
    Dxil(#[from] trellis_dxil_frontend::Error),
    /// It is not converted.
    #[error("conversion: {0}")]
    Conversion(#[from] trellis_spirv_backend::Error),
    /// It has something that these programs do not have.
    #[error("the function has {0}")]
    Unexpected(&'static str),
}

/// The number of `dx.op.atomicBinOp`.
const ATOMIC: u64 = 78;

/// Returns the function of a compute shader in a container.
///
/// # Errors
/// See [`Error`].
pub fn read(container: &[u8]) -> Result<Program, Error> {
    let input = trellis_dxil_frontend::read(container)?;
    let functions = control_flow(container, &trellis_spirv_backend::Options::default())?;
    let [lowered] = &functions[..] else {
        return Err(Error::Unexpected("calls of other functions"));
    };
    let body = input
        .module
        .functions
        .values()
        .find(|function| function.name == lowered.name.as_str() && !function.is_declaration)
        .ok_or(Error::Unexpected("no body"))?;
    let mut reader = Reader {
        module: &input.module,
        body,
        lowered,
        program: Program::default(),
        values: HashMap::new(),
    };
    reader.run()?;
    Ok(reader.program)
}

struct Reader<'a> {
    module: &'a Module,
    body: &'a dxil::Function,
    lowered: &'a ControlFlow,
    program: Program,
    /// The value of each value of the lowered function.
    values: HashMap<Value, Value>,
}

impl Reader<'_> {
    fn run(&mut self) -> Result<(), Error> {
        let from = &self.lowered.function;
        for _ in from.blocks() {
            self.program.func.add_block();
        }
        // Each block before those that it dominates.
        let order: Vec<Block> = FlowGraph::of(from).reverse_post_order().collect();
        for &block in &order {
            for phi in from.phis(block) {
                let made = self
                    .program
                    .func
                    .add_phi(block, self.ty(from.value_type(phi)));
                self.values.insert(phi, made);
            }
        }
        // A value is defined before it is used in this order.
        for &block in &order {
            for inst in from.insts(block) {
                self.inst(block, inst)?;
            }
            self.terminator(block)?;
            self.program
                .func
                .set_loop_hint(block, from.loop_hint(block));
        }
        for &block in &order {
            for phi in from.phis(block) {
                let made = self.value(phi)?;
                for operand in from.phi_operands(phi) {
                    let value = self.value(operand.value)?;
                    self.program.func.add_phi_operand(made, operand.pred, value);
                }
            }
        }
        Ok(())
    }

    fn ty(&self, ty: Type) -> Type {
        match self.module.ty(TypeId::from_u32(ty.0)) {
            dxil::Type::Int(width) => bits(*width),
            _ => Type(FIRST_OTHER + ty.0),
        }
    }

    fn value(&mut self, value: Value) -> Result<Value, Error> {
        if let Some(&made) = self.values.get(&value) {
            return Ok(made);
        }
        let from = &self.lowered.function;
        let ty = self.ty(from.value_type(value));
        let made = match from.value_kind(value) {
            ValueKind::Constant { payload } => self.constant(ValueId::from_u32(payload), ty)?,
            ValueKind::Undef => self.program.func.undef(ty),
            _ => return Err(Error::Unexpected("a use before its definition")),
        };
        self.values.insert(value, made);
        Ok(made)
    }

    fn constant(&mut self, value: ValueId, ty: Type) -> Result<Value, Error> {
        let number = self
            .module
            .const_int(Some(self.body), value)
            .ok_or(Error::Unexpected("a constant that is not an integer"))?;
        let payload = self.program.constants.len() as u32;
        self.program.constants.push(number);
        Ok(self.program.func.add_constant(payload, ty))
    }

    fn inst(&mut self, block: Block, inst: Inst) -> Result<(), Error> {
        let from = &self.lowered.function;
        let IrInst::Client(payload) = from.inst_kind(inst) else {
            return Err(Error::Unexpected("a test of a selector"));
        };
        let kind = self
            .body
            .insts
            .get(InstId::from_u32(payload))
            .ok_or(Error::Unexpected("an instruction without a counterpart"))?
            .kind;
        let used: Vec<Value> = from
            .uses(inst)
            .iter()
            .map(|&value| self.value(value))
            .collect::<Result<_, _>>()?;
        let (op, uses) = match (self.call(&kind)?, operation(&kind)) {
            (Some(id), _) => (Op::Call(id), used),
            (None, Some(op)) => (op, self.operands(&kind, &used)?),
            (None, None) => (Op::Opaque("other"), used),
        };
        let types: Vec<Type> = from
            .results(inst)
            .map(|result| self.ty(from.value_type(result)))
            .collect();
        let number = self.program.ops.len() as u32;
        self.program.ops.push(op);
        let func = &mut self.program.func;
        let made = func.append_inst(block, number, from.effects(inst), &uses, &types);
        for (result, made) in from.results(inst).zip(func.results(made)) {
            self.values.insert(result, made);
        }
        Ok(())
    }

    /// Returns the operands of an operation on integers: those that are used, and the constants
    /// between them.
    fn operands(&mut self, kind: &InstKind, used: &[Value]) -> Result<Vec<Value>, Error> {
        let mut used = used.iter();
        let mut all = Vec::with_capacity(3);
        for operand in self.body.operands(kind) {
            all.push(match self.module.constant(Some(self.body), operand) {
                None => *used
                    .next()
                    .ok_or(Error::Unexpected("operands of another instruction"))?,
                Some(constant) => {
                    let dxil::Type::Int(width) = *self.module.ty(constant.ty) else {
                        return Err(Error::Unexpected("an operation on other than integers"));
                    };
                    if constant.value == dxil::Constant::Undef {
                        self.program.func.undef(bits(width))
                    } else {
                        self.constant(operand, bits(width))?
                    }
                }
            });
        }
        match used.next() {
            None => Ok(all),
            Some(_) => Err(Error::Unexpected("operands of another instruction")),
        }
    }

    /// Returns the number of the call that an atomic operation is.
    fn call(&self, kind: &InstKind) -> Result<Option<u32>, Error> {
        let InstKind::Call { args, .. } = *kind else {
            return Ok(None);
        };
        let number = |index: usize| match self.body.call_args(args).nth(index)? {
            CallArg::Value(value) => self.module.const_int(Some(self.body), value),
            CallArg::Metadata(_) => None,
        };
        if number(0) != Some(ATOMIC) {
            return Ok(None);
        }
        // Operation, handle, atomic operation, and the offset in bytes.
        match number(3) {
            Some(offset) => Ok(Some((offset / 4) as u32)),
            None => Err(Error::Unexpected("a call of which the number is computed")),
        }
    }

    fn terminator(&mut self, block: Block) -> Result<(), Error> {
        let from = &self.lowered.function;
        let end = from.terminator(block);
        let mut terminator = end.ok_or(Error::Unexpected("a block without an end"))?;
        match &mut terminator {
            Terminator::CondBranch { cond, .. } => *cond = self.value(*cond)?,
            Terminator::Switch { value, cases, .. } => {
                let all = from.cases(*cases).iter();
                let all: Vec<_> = all.map(|case| (case.literal, case.target)).collect();
                (*value, *cases) = (self.value(*value)?, self.program.func.add_cases(&all));
            }
            Terminator::Return(Some(_)) => return Err(Error::Unexpected("a result")),
            _ => {}
        }
        self.program.func.set_terminator(block, terminator);
        Ok(())
    }
}

/// Returns the meaning of an operation on integers.
fn operation(kind: &InstKind) -> Option<Op> {
    use dxil::Predicate as P;
    Some(match *kind {
        InstKind::Binary { op, .. } => Op::Binary(match op {
            BinaryOp::Add => Binary::Add,
            BinaryOp::Sub => Binary::Sub,
            BinaryOp::Mul => Binary::Mul,
            BinaryOp::UDiv => Binary::UDiv,
            BinaryOp::URem => Binary::URem,
            BinaryOp::SDiv => Binary::SDiv,
            BinaryOp::SRem => Binary::SRem,
            BinaryOp::Shl => Binary::Shl,
            BinaryOp::LShr => Binary::LShr,
            BinaryOp::AShr => Binary::AShr,
            BinaryOp::And => Binary::And,
            BinaryOp::Or => Binary::Or,
            BinaryOp::Xor => Binary::Xor,
            _ => return None,
        }),
        InstKind::Cmp { predicate, .. } => Op::Compare(match predicate {
            P::IEq => Predicate::Eq,
            P::INe => Predicate::Ne,
            P::IUgt => Predicate::Ugt,
            P::IUge => Predicate::Uge,
            P::IUlt => Predicate::Ult,
            P::IUle => Predicate::Ule,
            P::ISgt => Predicate::Sgt,
            P::ISge => Predicate::Sge,
            P::ISlt => Predicate::Slt,
            P::ISle => Predicate::Sle,
            _ => return None,
        }),
        InstKind::Select { .. } => Op::Select,
        InstKind::Cast { op, .. } => match op {
            CastOp::Trunc | CastOp::ZExt => Op::ZeroExtend,
            CastOp::SExt => Op::SignExtend,
            _ => return None,
        },
        _ => return None,
    })
}
