//! Constant folding of `dx.break.cond` and of values that are computed from it.
//!
//! DXC marks the condition of a `break` that a wave operation depends on: `load @dx.break.cond`
//! (always 0) is compared with 0, and the branch on the result keeps the block inside its loop
//! although the break is always taken. Optimization may wrap the comparison in `and`, `xor`,
//! extensions and selects; all of these are folded.

use trellis_dxil_frontend::module::{
    BinaryOp, CastOp, Constant, Function, Global, GlobalId, InstKind, Linkage, Module, Type,
    ValueId, ValueKind,
};

use crate::integer::{compare, mask, sign_extend};

/// Returns the global `dx.break.cond`, by its name or, when names are stripped, by its form: an
/// internal constant `[1 x i32] zeroinitializer`.
pub(super) fn break_global(module: &Module) -> Option<GlobalId> {
    module.globals.position(|g| is_break_global(module, g))
}

fn is_break_global(module: &Module, global: &Global) -> bool {
    let zero = global.init.is_some_and(
        |init| matches!(module.constant(None, init), Some(c) if c.value == Constant::Null),
    );
    let form = matches!(module.ty(global.ty), Type::Array { element, len: 1 } if *module.ty(*element) == Type::Int(32));
    let internal = matches!(global.linkage, Linkage::Internal | Linkage::Private);
    &*global.name == "dx.break.cond"
        || (global.name.is_empty() && zero && form && global.is_const && internal)
}

/// Returns true if an address is in the global: the global itself, or constant or instruction
/// address arithmetic on it.
pub(super) fn points_to(
    module: &Module,
    function: &Function,
    global: GlobalId,
    address: ValueId,
) -> bool {
    let base = |operands: Option<&u32>| operands.map(|&base| ValueId::from_u32(base));
    let below = |value: ValueId| match module.value(Some(function), value)?.kind {
        ValueKind::Constant(c) => match module.constants[c].value {
            Constant::Gep { operands, .. } => {
                base(module.const_operands.get(operands.start as usize))
            }
            Constant::Cast {
                op: CastOp::BitCast,
                value,
            } => Some(value),
            _ => None,
        },
        ValueKind::Inst(i) => match function.insts[i].kind {
            InstKind::Gep { operands, .. } => base(function.pool.get(operands.start as usize)),
            InstKind::Cast {
                op: CastOp::BitCast,
                value,
            } => Some(value),
            _ => None,
        },
        _ => None,
    };
    let is_it = |value: ValueId| {
        let data = module.value(Some(function), value);
        data.is_some_and(|data| data.kind == ValueKind::Global(global))
    };
    // Longer chains do not occur: DXC makes the address itself.
    let mut chain = std::iter::successors(Some(address), |&value| below(value)).take(8);
    chain.any(is_it)
}

/// The result of folding an instruction with known operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Folded {
    /// A number, zero-extended.
    Number(u64),
    /// The same as another value.
    Same(ValueId),
}

/// Folds an instruction at least one of whose operands came from `dx.break.cond`. `number` returns
/// the numbers of constants and folded values; `width` is the width in bits of a value's type.
/// `None`: it stays an instruction (its operands are then constants).
pub(super) fn fold(
    kind: &InstKind,
    number: impl Fn(ValueId) -> Option<u64>,
    width: impl Fn(ValueId) -> Option<u32>,
    result_width: u32,
) -> Option<Folded> {
    match *kind {
        InstKind::Cmp {
            predicate,
            lhs,
            rhs,
            ..
        } => {
            let (a, b, w) = (number(lhs)?, number(rhs)?, width(lhs)?);
            compare(predicate, a, b, w).map(|r| Folded::Number(u64::from(r)))
        }
        InstKind::Binary { op, lhs, rhs, .. } => {
            let all = mask(result_width);
            match (op, number(lhs), number(rhs)) {
                (BinaryOp::And, Some(a), Some(b)) => Some(Folded::Number(a & b)),
                (BinaryOp::Or, Some(a), Some(b)) => Some(Folded::Number(a | b)),
                (BinaryOp::Xor, Some(a), Some(b)) => Some(Folded::Number(a ^ b)),
                (BinaryOp::And, Some(0), None) | (BinaryOp::And, None, Some(0)) => {
                    Some(Folded::Number(0))
                }
                (BinaryOp::And, Some(a), None) if a == all => Some(Folded::Same(rhs)),
                (BinaryOp::And, None, Some(b)) if b == all => Some(Folded::Same(lhs)),
                (BinaryOp::Or, Some(a), None) | (BinaryOp::Or, None, Some(a)) if a == all => {
                    Some(Folded::Number(all))
                }
                (BinaryOp::Or | BinaryOp::Xor, Some(0), None) => Some(Folded::Same(rhs)),
                (BinaryOp::Or | BinaryOp::Xor, None, Some(0)) => Some(Folded::Same(lhs)),
                _ => None,
            }
        }
        InstKind::Cast { op, value } => {
            let (v, w) = (number(value)?, width(value)?);
            match op {
                CastOp::ZExt | CastOp::Trunc => Some(Folded::Number(v & mask(result_width))),
                CastOp::SExt => Some(Folded::Number(
                    sign_extend(v, w) as u64 & mask(result_width),
                )),
                _ => None,
            }
        }
        InstKind::Select { cond, then, else_ } => {
            let taken = if number(cond)? != 0 { then } else { else_ };
            Some(number(taken).map_or(Folded::Same(taken), Folded::Number))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Folded, fold};
    use trellis_dxil_frontend::module::{
        ArithFlags, BinaryOp, CastOp, InstKind, Predicate, ValueId,
    };

    /// Returns the value 0 is unknown, value n is the number n - 1.
    fn run(kind: InstKind, width: u32, result_width: u32) -> Option<Folded> {
        fold(
            &kind,
            |v| v.as_u32().checked_sub(1).map(u64::from),
            |_| Some(width),
            result_width,
        )
    }
    fn v(n: u32) -> ValueId {
        ValueId::from_u32(n)
    }

    #[test]
    fn the_plain_form() {
        let cmp = InstKind::Cmp {
            predicate: Predicate::IEq,
            lhs: v(1),
            rhs: v(1),
            flags: ArithFlags(0),
        };
        assert_eq!(run(cmp, 32, 1), Some(Folded::Number(1)));
    }

    #[test]
    fn what_unoptimized_code_puts_around_it() {
        let and = InstKind::Binary {
            op: BinaryOp::And,
            lhs: v(0),
            rhs: v(2),
            flags: ArithFlags(0),
        };
        assert_eq!(run(and, 1, 1), Some(Folded::Same(v(0))), "x & true");
        let not = InstKind::Binary {
            op: BinaryOp::Xor,
            lhs: v(2),
            rhs: v(2),
            flags: ArithFlags(0),
        };
        assert_eq!(run(not, 1, 1), Some(Folded::Number(0)), "true ^ true");
        assert_eq!(
            run(
                InstKind::Cast {
                    op: CastOp::SExt,
                    value: v(2)
                },
                1,
                32
            ),
            Some(Folded::Number(0xFFFF_FFFF))
        );
        assert_eq!(
            run(
                InstKind::Select {
                    cond: v(2),
                    then: v(0),
                    else_: v(1)
                },
                32,
                32
            ),
            Some(Folded::Same(v(0)))
        );
    }

    #[test]
    fn the_rest_stays() {
        let add = InstKind::Binary {
            op: BinaryOp::Add,
            lhs: v(0),
            rhs: v(2),
            flags: ArithFlags(0),
        };
        assert_eq!(run(add, 32, 32), None);
    }
}
