//! Integers whose width SPIR-V lacks: LLVM narrows the induction variable `x % 8` to an `i3`, and
//! computes closed forms of sums in `i33`. Each is widened to `i32`, or to `i64` if it has more
//! than 32 bits; the bits beyond its width are kept zero.

use trellis_dxil_frontend::module::{
    BinaryOp, CastOp, Constant, Function, Inst, InstId, InstKind, PoolRange, Predicate, Type,
    TypeId, ValueId,
};
use trellis_entity::EntityRef;

use super::rewriter::{FunctionRewriter, binary};
use super::{Context, type_id, unsupported};
use crate::error::{ConstantFeature, Error, Feature, TypePosition};

/// Returns true for an integer type of a width that SPIR-V lacks and a wider type can hold, so at
/// most 64 bits.
pub(super) fn is_odd(ty: &Type) -> bool {
    matches!(ty, Type::Int(2..=63)) && !matches!(ty, Type::Int(8 | 16 | 32))
}

/// Rewrites one function.
///
/// # Errors
/// Such integers in memory, in signatures or in constant expressions.
pub(super) fn run(_: &Context<'_>, w: FunctionRewriter<'_>) -> Result<Function, Error> {
    let types = [w.int, type_id(w.module, &Type::Int(64))];
    let base = w.module.values.len();
    let mut this = OddInts { w, types, base };
    for (id, block) in this.w.old.blocks.iter() {
        for inst in block.insts {
            this.instruction(inst, this.w.old.insts[inst])?;
        }
        this.w.end_block(id);
    }
    this.w.finish()
}

struct OddInts<'a> {
    w: FunctionRewriter<'a>,
    /// `i32`, `i64`.
    types: [TypeId; 2],
    /// Values of the module.
    base: usize,
}

/// A width, and the type that holds it with its own width.
#[derive(Clone, Copy)]
struct Odd {
    width: u32,
    holder: TypeId,
    held: u32,
}

impl Odd {
    fn mask(self) -> u64 {
        u64::MAX >> (64 - self.width)
    }
}

impl OddInts<'_> {
    fn odd(&self, ty: TypeId) -> Option<Odd> {
        match self.w.module.types.get(ty)? {
            Type::Int(width) if is_odd(&Type::Int(*width)) => {
                let wide = usize::from(*width > 32);
                Some(Odd {
                    width: *width,
                    holder: self.types[wide],
                    held: [32, 64][wide],
                })
            }
            _ => None,
        }
    }

    fn odd_value(&self, value: ValueId) -> Result<Option<Odd>, Error> {
        Ok(self.odd(self.w.type_of(value)?))
    }

    /// Returns an integer type's width.
    fn width(&self, ty: TypeId) -> u32 {
        if let Some(Type::Int(width)) = self.w.module.types.get(ty) {
            *width
        } else {
            0
        }
    }

    fn number(&mut self, ty: TypeId, number: u64) -> ValueId {
        self.w.constant(ty, Constant::Int(number))
    }

    fn binary(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId, ty: TypeId) -> ValueId {
        self.w.value(binary(op, lhs, rhs), ty)
    }

    /// Returns the value that an operand has in its holder: instructions keep their numbers,
    /// constants get a wider type.
    fn operand(&mut self, value: ValueId) -> Result<ValueId, Error> {
        let Some(odd) = self.odd_value(value)? else {
            return Ok(value);
        };
        let Some(constant) = self.w.constant_of(value) else {
            return Ok(value);
        };
        let number = match *constant {
            Constant::Int(number) => number & odd.mask(),
            // Bits beyond the width must be zero.
            Constant::Null | Constant::Undef => 0,
            _ => {
                return Err(unsupported(
                    self.w.old,
                    ConstantFeature::IntegerExpression { width: odd.width },
                ));
            }
        };
        Ok(self.number(odd.holder, number))
    }

    /// Returns the operand with its sign in the holder's upper bits.
    fn signed(&mut self, value: ValueId) -> Result<ValueId, Error> {
        let wide = self.operand(value)?;
        let Some(odd) = self.odd_value(value)? else {
            return Ok(wide);
        };
        let unused = self.number(odd.holder, u64::from(odd.held - odd.width));
        let top = self.binary(BinaryOp::Shl, wide, unused, odd.holder);
        Ok(self.binary(BinaryOp::AShr, top, unused, odd.holder))
    }

    /// Writes an instruction's result, which is of an odd width, from a value whose upper bits may
    /// be set.
    fn masked(&mut self, result: Option<ValueId>, value: ValueId, odd: Odd) {
        let mask = self.number(odd.holder, odd.mask());
        self.define(result, binary(BinaryOp::And, value, mask), odd);
    }

    /// Writes an instruction whose result has the holder's type.
    fn define(&mut self, result: Option<ValueId>, kind: InstKind, odd: Odd) {
        if let Some(data) = result
            .and_then(|r| (r.index()).checked_sub(self.base))
            .and_then(|at| self.w.out.values.get_mut(at))
        {
            data.ty = odd.holder;
        }
        self.w.append(kind, odd.holder, result);
    }

    fn instruction(&mut self, index: InstId, inst: Inst) -> Result<(), Error> {
        let made = self.odd(inst.ty);
        match (inst.kind, made) {
            (InstKind::Binary { op, lhs, rhs, .. }, Some(odd)) => {
                return self.arithmetic(inst.result.expand(), op, [lhs, rhs], odd);
            }
            (InstKind::Cast { op, value }, _)
                if made.is_some() || self.odd_value(value)?.is_some() =>
            {
                return self.cast(&inst, op, value, made);
            }
            (InstKind::Phi { incoming }, Some(odd)) => {
                let mut entries = Vec::with_capacity(incoming.len());
                for pair in self.w.old.pool[incoming.range()].chunks_exact(2) {
                    entries.extend([self.operand(ValueId::from_u32(pair[0]))?.as_u32(), pair[1]]);
                }
                let incoming = self.w.list(entries);
                self.define(inst.result.expand(), InstKind::Phi { incoming }, odd);
                return Ok(());
            }
            (InstKind::Select { cond, then, else_ }, Some(odd)) => {
                let (then, else_) = (self.operand(then)?, self.operand(else_)?);
                self.define(
                    inst.result.expand(),
                    InstKind::Select { cond, then, else_ },
                    odd,
                );
                return Ok(());
            }
            (_, Some(odd)) => {
                return Err(unsupported(
                    self.w.old,
                    Feature::ty(format!("i{}", odd.width), TypePosition::Result),
                ));
            }
            _ => {}
        }
        let kind = match inst.kind {
            InstKind::Cmp {
                predicate,
                lhs,
                rhs,
                flags,
            } if self.odd_value(lhs)?.is_some() => {
                let signed = matches!(
                    predicate,
                    Predicate::ISgt | Predicate::ISge | Predicate::ISlt | Predicate::ISle
                );
                let (lhs, rhs) = if signed {
                    (self.signed(lhs)?, self.signed(rhs)?)
                } else {
                    (self.operand(lhs)?, self.operand(rhs)?)
                };
                InstKind::Cmp {
                    predicate,
                    lhs,
                    rhs,
                    flags,
                }
            }
            InstKind::Switch {
                value,
                default,
                cases,
            } => match self.odd_value(value)? {
                Some(odd) => InstKind::Switch {
                    value: self.operand(value)?,
                    default,
                    cases: self.cases(cases, odd),
                },
                None => inst.kind,
            },
            kind => kind,
        };
        self.w
            .push(self.w.in_place_of(index, Inst { kind, ..inst }));
        Ok(())
    }

    fn cases(&mut self, cases: PoolRange, odd: Odd) -> PoolRange {
        let triples = self.w.old.pool[cases.range()].chunks_exact(3);
        let list: Vec<u32> = triples
            .flat_map(|case| {
                [
                    case[0] & odd.mask() as u32,
                    case[1] & (odd.mask() >> 32) as u32,
                    case[2],
                ]
            })
            .collect();
        self.w.list(list)
    }

    fn arithmetic(
        &mut self,
        result: Option<ValueId>,
        op: BinaryOp,
        operands: [ValueId; 2],
        odd: Odd,
    ) -> Result<(), Error> {
        let signed = match op {
            BinaryOp::SDiv | BinaryOp::SRem => [true, true],
            BinaryOp::AShr => [true, false],
            _ => [false, false],
        };
        let mut values = operands;
        for (value, signed) in values.iter_mut().zip(signed) {
            *value = if signed {
                self.signed(*value)?
            } else {
                self.operand(*value)?
            };
        }
        let [lhs, rhs] = values;
        // Wrapping is of the narrow type: the flags do not apply to the wide one.
        let kind = binary(op, lhs, rhs);
        match op {
            BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::LShr
            | BinaryOp::UDiv
            | BinaryOp::URem => self.define(result, kind, odd),
            _ => {
                let wide = self.w.value(kind, odd.holder);
                self.masked(result, wide, odd);
            }
        }
        Ok(())
    }

    /// Rewrites a cast from or to a width that SPIR-V lacks. `made`: the width of the result.
    fn cast(
        &mut self,
        inst: &Inst,
        op: CastOp,
        value: ValueId,
        made: Option<Odd>,
    ) -> Result<(), Error> {
        let from = self.odd_value(value)?;
        let source = if matches!(op, CastOp::SExt | CastOp::SIToFP) {
            self.signed(value)?
        } else {
            self.operand(value)?
        };
        let source_type = from.map_or(self.w.type_of(value)?, |odd| odd.holder);
        let target = made.map_or(inst.ty, |odd| odd.holder);
        let (have, want) = (self.width(source_type), self.width(target));
        let cast = |op: CastOp| InstKind::Cast { op, value: source };
        let step = match op {
            CastOp::Trunc | CastOp::ZExt | CastOp::SExt if have == want => None,
            CastOp::Trunc | CastOp::ZExt | CastOp::SExt if have > want => Some(cast(CastOp::Trunc)),
            CastOp::ZExt
            | CastOp::SExt
            | CastOp::FPToUI
            | CastOp::FPToSI
            | CastOp::UIToFP
            | CastOp::SIToFP => Some(cast(op)),
            _ => {
                return Err(unsupported(
                    self.w.old,
                    Feature::instruction_on(
                        format!("{op:?}"),
                        "an integer of a width other than 1, 8, 16, 32 or 64 bits",
                    ),
                ));
            }
        };
        match (made, step) {
            (Some(odd), step) => {
                let wide = step.map_or(source, |kind| self.w.value(kind, odd.holder));
                self.masked(inst.result.expand(), wide, odd);
            }
            (None, Some(kind)) => {
                self.w.append(kind, inst.ty, inst.result.expand());
            }
            (None, None) => {
                if let Some(result) = inst.result.expand() {
                    self.w.replace(result, source);
                }
            }
        }
        Ok(())
    }
}
