//! The meaning, operands and effects of an LLVM instruction.

use either::Either;
use llvm_ir::function::FunctionAttribute;
use llvm_ir::instruction::{Call, groups};
use llvm_ir::{Constant, Instruction, IntPredicate, Module, Name, Operand};

use crate::lower::EVENT;
use crate::program::{Binary, Op, Predicate};

/// The effect of an opaque instruction on memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Memory {
    /// Nothing.
    None,
    /// It reads.
    Reads,
    /// It writes, or the outside sees it.
    Writes,
    /// It calls something that may do anything.
    Calls,
}

/// Returns the name of the function that a call calls.
fn callee(call: &Call) -> Option<&str> {
    let Either::Right(Operand::ConstantOperand(constant)) = &call.function else {
        return None;
    };
    match constant.as_ref() {
        Constant::GlobalReference {
            name: Name::Name(name),
            ..
        } => Some(name),
        _ => None,
    }
}

/// Calls that only inform the compiler.
const NOTHING: [&str; 7] = [
    "llvm.dbg.",
    "llvm.assume",
    "llvm.lifetime.",
    "llvm.experimental.noalias.scope.decl",
    "llvm.invariant.",
    "llvm.donothing",
    "llvm.sideeffect",
];

/// Returns whether an instruction can be left out.
pub(super) fn is_nothing(inst: &Instruction) -> bool {
    match inst {
        Instruction::Call(call) => {
            callee(call).is_some_and(|name| NOTHING.iter().any(|nothing| name.starts_with(nothing)))
        }
        _ => false,
    }
}

/// Intrinsics that compute and touch no memory, as far as programs in C give them.
const PURE: [&str; 14] = [
    "llvm.abs.",
    "llvm.smin.",
    "llvm.smax.",
    "llvm.umin.",
    "llvm.umax.",
    "llvm.ctpop.",
    "llvm.ctlz.",
    "llvm.cttz.",
    "llvm.bswap.",
    "llvm.fsh",
    "llvm.usub.",
    "llvm.uadd.",
    "llvm.umul.",
    "llvm.vector.",
];

pub(super) fn memory(inst: &Instruction) -> Memory {
    match inst {
        Instruction::Load(load) if load.volatile || load.atomicity.is_some() => Memory::Writes,
        Instruction::Load(_) => Memory::Reads,
        Instruction::Store(_)
        | Instruction::Fence(_)
        | Instruction::CmpXchg(_)
        | Instruction::AtomicRMW(_)
        | Instruction::VAArg(_) => Memory::Writes,
        Instruction::Call(call)
            if callee(call).is_some_and(|name| PURE.iter().any(|pure| name.starts_with(pure))) =>
        {
            Memory::None
        }
        Instruction::Call(_) => Memory::Calls,
        _ => Memory::None,
    }
}

/// Returns whether a call or its callee is marked as convergent.
pub(super) fn is_convergent(module: &Module, inst: &Instruction) -> bool {
    let Instruction::Call(call) = inst else {
        return false;
    };
    let declared = callee(call)
        .and_then(|name| module.get_func_by_name(name))
        .is_some_and(|f| {
            f.function_attributes
                .contains(&FunctionAttribute::Convergent)
        });
    // `llvm-ir` has no attributes of declarations: for those there is `Settings::convergent`.
    declared
        || call
            .function_attributes
            .contains(&FunctionAttribute::Convergent)
}

/// Returns the operands, in LLVM's order; of a call the arguments, then the callee unless that is a
/// name.
pub(super) fn operands(inst: &Instruction) -> Vec<&Operand> {
    if let Some(binary) = two(inst) {
        return binary;
    }
    match inst {
        Instruction::ExtractElement(i) => vec![&i.vector, &i.index],
        Instruction::InsertElement(i) => vec![&i.vector, &i.element, &i.index],
        Instruction::ShuffleVector(i) => vec![&i.operand0, &i.operand1],
        Instruction::ExtractValue(i) => vec![&i.aggregate],
        Instruction::InsertValue(i) => vec![&i.aggregate, &i.element],
        Instruction::Alloca(i) => vec![&i.num_elements],
        Instruction::Load(i) => vec![&i.address],
        Instruction::Store(i) => vec![&i.address, &i.value],
        Instruction::CmpXchg(i) => vec![&i.address, &i.expected, &i.replacement],
        Instruction::AtomicRMW(i) => vec![&i.address, &i.value],
        Instruction::GetElementPtr(i) => std::iter::once(&i.address).chain(&i.indices).collect(),
        Instruction::ICmp(i) => vec![&i.operand0, &i.operand1],
        Instruction::FCmp(i) => vec![&i.operand0, &i.operand1],
        Instruction::Select(i) => vec![&i.condition, &i.true_value, &i.false_value],
        Instruction::Call(i) => {
            let pointer = match &i.function {
                Either::Right(operand @ Operand::LocalOperand { .. }) => Some(operand),
                _ => None,
            };
            i.arguments
                .iter()
                .map(|argument| &argument.0)
                .chain(pointer)
                .collect()
        }
        Instruction::VAArg(i) => vec![&i.arg_list],
        Instruction::Trunc(i) => vec![&i.operand],
        Instruction::ZExt(i) => vec![&i.operand],
        Instruction::SExt(i) => vec![&i.operand],
        Instruction::FPTrunc(i) => vec![&i.operand],
        Instruction::FPExt(i) => vec![&i.operand],
        Instruction::FPToUI(i) => vec![&i.operand],
        Instruction::FPToSI(i) => vec![&i.operand],
        Instruction::UIToFP(i) => vec![&i.operand],
        Instruction::SIToFP(i) => vec![&i.operand],
        Instruction::PtrToInt(i) => vec![&i.operand],
        Instruction::IntToPtr(i) => vec![&i.operand],
        Instruction::BitCast(i) => vec![&i.operand],
        Instruction::AddrSpaceCast(i) => vec![&i.operand],
        Instruction::FNeg(i) => vec![&i.operand],
        Instruction::Freeze(i) => vec![&i.operand],
        // Phis are read elsewhere; the others have no operands that are values, or come after
        // terminators that are refused.
        _ => Vec::new(),
    }
}

macro_rules! two_operands {
    ($inst:expr, $($name:ident)*) => {
        match $inst {
            $(Instruction::$name(i) => Some(vec![&i.operand0, &i.operand1]),)*
            _ => None,
        }
    };
}

fn two(inst: &Instruction) -> Option<Vec<&Operand>> {
    two_operands!(inst, Add Sub Mul UDiv SDiv URem SRem And Or Xor Shl LShr AShr FAdd FSub FMul FDiv FRem)
}

fn binary(inst: &Instruction) -> Option<Binary> {
    Some(match inst {
        Instruction::Add(_) => Binary::Add,
        Instruction::Sub(_) => Binary::Sub,
        Instruction::Mul(_) => Binary::Mul,
        Instruction::UDiv(_) => Binary::UDiv,
        Instruction::SDiv(_) => Binary::SDiv,
        Instruction::URem(_) => Binary::URem,
        Instruction::SRem(_) => Binary::SRem,
        Instruction::And(_) => Binary::And,
        Instruction::Or(_) => Binary::Or,
        Instruction::Xor(_) => Binary::Xor,
        Instruction::Shl(_) => Binary::Shl,
        Instruction::LShr(_) => Binary::LShr,
        Instruction::AShr(_) => Binary::AShr,
        Instruction::Call(call) => {
            let name = callee(call)?.strip_prefix("llvm.")?;
            match name.rsplit_once('.')?.0 {
                "umin" => Binary::UMin,
                "umax" => Binary::UMax,
                "smin" => Binary::SMin,
                "smax" => Binary::SMax,
                "usub.sat" => Binary::USubSat,
                "uadd.sat" => Binary::UAddSat,
                _ => return None,
            }
        }
        _ => return None,
    })
}

fn predicate(predicate: IntPredicate) -> Predicate {
    match predicate {
        IntPredicate::EQ => Predicate::Eq,
        IntPredicate::NE => Predicate::Ne,
        IntPredicate::UGT => Predicate::Ugt,
        IntPredicate::UGE => Predicate::Uge,
        IntPredicate::ULT => Predicate::Ult,
        IntPredicate::ULE => Predicate::Ule,
        IntPredicate::SGT => Predicate::Sgt,
        IntPredicate::SGE => Predicate::Sge,
        IntPredicate::SLT => Predicate::Slt,
        IntPredicate::SLE => Predicate::Sle,
    }
}

/// The name of a function that is a number, up to that number.
const CALL: &str = "call.";

/// Returns the meaning of an instruction. `known` is whether operands and result are integers or
/// pointers into the input, `same` whether it has one operand of the result's type.
pub(super) fn op(inst: &Instruction, known: bool, same: bool) -> Op {
    if let Instruction::Call(call) = inst
        && let Some(number) = callee(call).and_then(|name| name.strip_prefix(CALL))
        && let Ok(number) = number.parse()
    {
        return Op::Call(number);
    }
    if !known {
        return Op::Opaque(name(inst));
    }
    if let Some(binary) = binary(inst) {
        return Op::Binary(binary);
    }
    match inst {
        Instruction::ICmp(compare) => Op::Compare(predicate(compare.predicate)),
        Instruction::Select(_) => Op::Select,
        Instruction::ZExt(_) | Instruction::Trunc(_) => Op::ZeroExtend,
        Instruction::SExt(_) => Op::SignExtend,
        Instruction::Freeze(_) => Op::Copy,
        Instruction::BitCast(_) if same => Op::Copy,
        Instruction::GetElementPtr(element) if element.indices.len() == 1 => Op::Element,
        Instruction::Load(load) if !load.volatile && load.atomicity.is_none() => Op::Load,
        Instruction::Call(call) if callee(call) == Some(EVENT) && call.arguments.len() == 2 => {
            Op::Event
        }
        _ => Op::Opaque(name(inst)),
    }
}

/// Returns the name of an instruction in LLVM's text form.
fn name(inst: &Instruction) -> &'static str {
    match inst {
        Instruction::Alloca(_) => "alloca",
        Instruction::Load(_) => "load",
        Instruction::Store(_) => "store",
        Instruction::Call(_) => "call",
        Instruction::GetElementPtr(_) => "getelementptr",
        Instruction::BitCast(_) => "bitcast",
        Instruction::PtrToInt(_) => "ptrtoint",
        Instruction::IntToPtr(_) => "inttoptr",
        Instruction::ICmp(_) => "icmp",
        Instruction::FCmp(_) => "fcmp",
        Instruction::Select(_) => "select",
        Instruction::ExtractValue(_) | Instruction::InsertValue(_) => "an operation on aggregates",
        Instruction::ExtractElement(_)
        | Instruction::InsertElement(_)
        | Instruction::ShuffleVector(_) => "an operation on vectors",
        Instruction::Fence(_) | Instruction::CmpXchg(_) | Instruction::AtomicRMW(_) => {
            "an atomic operation"
        }
        inst if groups::BinaryOp::try_from(inst.clone()).is_ok() => "arithmetic of another type",
        inst if groups::UnaryOp::try_from(inst.clone()).is_ok() => "a conversion",
        _ => "another instruction",
    }
}
