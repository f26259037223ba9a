//! Integers of any width in SPIR-V's booleans, words and long words.

use spirv::Word;

use super::{Emitter, Error};
use crate::program::{Binary, Predicate, truncate};

impl Emitter<'_> {
    /// Truncates a number in its holder to `width` bits.
    fn mask(&mut self, value: Word, width: u32) -> Result<Word, Error> {
        if matches!(width, 1 | 32 | 64) {
            return Ok(value);
        }
        let ty = self.holder(width);
        let mask = self.constant(ty, truncate(u64::MAX, width));
        Ok(self.b.bitwise_and(ty, None, value, mask)?)
    }

    /// Returns a number of one width in the holder of another, which it is cut to if that is
    /// narrower.
    pub(super) fn zero_extend(&mut self, value: Word, from: u32, to: u32) -> Result<Word, Error> {
        let (holder, wanted) = (self.holder(from), self.holder(to));
        let bool = self.module.bool;
        if to == 1 && from != 1 {
            let one = self.constant(holder, 1);
            let bit = self.b.bitwise_and(holder, None, value, one)?;
            return Ok(self.b.i_equal(bool, None, bit, one)?);
        }
        let value = if holder == wanted {
            value
        } else if from == 1 {
            let (one, zero) = (self.constant(wanted, 1), self.constant(wanted, 0));
            self.b.select(wanted, None, value, one, zero)?
        } else {
            self.b.u_convert(wanted, None, value)?
        };
        if to < from {
            self.mask(value, to)
        } else {
            Ok(value)
        }
    }

    /// Returns a number of one width, sign-extended to at least its width.
    pub(super) fn sign_extend(&mut self, value: Word, from: u32, to: u32) -> Result<Word, Error> {
        let wanted = self.holder(to);
        if from == to {
            return Ok(value);
        }
        if from == 1 {
            let (ones, zero) = (
                self.constant(wanted, truncate(u64::MAX, to)),
                self.constant(wanted, 0),
            );
            return Ok(self.b.select(wanted, None, value, ones, zero)?);
        }
        let bits = if to > 32 { 64 } else { 32 };
        let value = self.zero_extend(value, from, bits)?;
        let unused = self.word(bits - from);
        let up = self.b.shift_left_logical(wanted, None, value, unused)?;
        let down = self.b.shift_right_arithmetic(wanted, None, up, unused)?;
        self.mask(down, to)
    }

    /// Returns an operation on two numbers of `width` bits.
    pub(super) fn binary(
        &mut self,
        op: Binary,
        a: Word,
        b: Word,
        width: u32,
    ) -> Result<Word, Error> {
        use Binary as B;
        if width == 1 {
            let bool = self.module.bool;
            match op {
                B::And | B::Mul => return Ok(self.b.logical_and(bool, None, a, b)?),
                B::Or => return Ok(self.b.logical_or(bool, None, a, b)?),
                B::Xor | B::Add | B::Sub => {
                    return Ok(self.b.logical_not_equal(bool, None, a, b)?);
                }
                _ => {}
            }
            let (a, b) = (self.zero_extend(a, 1, 32)?, self.zero_extend(b, 1, 32)?);
            let value = self.wide(op, a, b, 1, 32)?;
            return self.zero_extend(value, 32, 1);
        }
        let bits = if width > 32 { 64 } else { 32 };
        let value = self.wide(op, a, b, width, bits)?;
        self.mask(value, width)
    }

    /// Returns the same in a holder of 32 or 64 bits, not yet cut.
    fn wide(&mut self, op: Binary, a: Word, b: Word, width: u32, bits: u32) -> Result<Word, Error> {
        use Binary as B;
        let ty = self.holder(bits);
        Ok(match op {
            B::Add => self.b.i_add(ty, None, a, b)?,
            B::Sub => self.b.i_sub(ty, None, a, b)?,
            B::Mul => self.b.i_mul(ty, None, a, b)?,
            B::UDiv => self.b.u_div(ty, None, a, b)?,
            B::URem => self.b.u_mod(ty, None, a, b)?,
            B::And => self.b.bitwise_and(ty, None, a, b)?,
            B::Or => self.b.bitwise_or(ty, None, a, b)?,
            B::Xor => self.b.bitwise_xor(ty, None, a, b)?,
            B::Shl => self.b.shift_left_logical(ty, None, a, b)?,
            B::LShr => self.b.shift_right_logical(ty, None, a, b)?,
            B::SDiv | B::SRem | B::AShr => {
                let a = self.signed(a, width, bits)?;
                match op {
                    B::SDiv => {
                        let b = self.signed(b, width, bits)?;
                        self.b.s_div(ty, None, a, b)?
                    }
                    B::SRem => {
                        let b = self.signed(b, width, bits)?;
                        self.b.s_rem(ty, None, a, b)?
                    }
                    _ => self.b.shift_right_arithmetic(ty, None, a, b)?,
                }
            }
            B::UMin => self.choose(Predicate::Ult, [a, b, a, b], width, ty)?,
            B::UMax => self.choose(Predicate::Ugt, [a, b, a, b], width, ty)?,
            B::SMin => self.choose(Predicate::Slt, [a, b, a, b], width, ty)?,
            B::SMax => self.choose(Predicate::Sgt, [a, b, a, b], width, ty)?,
            B::USubSat => {
                let zero = self.constant(ty, 0);
                let difference = self.b.i_sub(ty, None, a, b)?;
                self.choose(Predicate::Ult, [a, b, zero, difference], width, ty)?
            }
            B::UAddSat => {
                let most = self.constant(ty, truncate(u64::MAX, width));
                let room = self.b.i_sub(ty, None, most, a)?;
                let sum = self.b.i_add(ty, None, a, b)?;
                self.choose(Predicate::Ult, [room, b, most, sum], width, ty)?
            }
        })
    }

    /// Returns a number of a holder, sign-extended to all its bits.
    fn signed(&mut self, value: Word, width: u32, bits: u32) -> Result<Word, Error> {
        if width == bits {
            return Ok(value);
        }
        let unused = self.word(bits - width);
        let ty = self.holder(bits);
        let up = self.b.shift_left_logical(ty, None, value, unused)?;
        Ok(self.b.shift_right_arithmetic(ty, None, up, unused)?)
    }

    /// Returns the third number if the first two compare so, else the fourth. All have the holder's
    /// type.
    fn choose(
        &mut self,
        predicate: Predicate,
        [a, b, then, else_]: [Word; 4],
        width: u32,
        ty: Word,
    ) -> Result<Word, Error> {
        let bits = if width > 32 { 64 } else { 32 };
        let (mut a, mut b) = (a, b);
        if matches!(predicate, Predicate::Slt | Predicate::Sgt) {
            (a, b) = (self.signed(a, width, bits)?, self.signed(b, width, bits)?);
        }
        let holds = self.compare(predicate, a, b, bits)?;
        Ok(self.b.select(ty, None, holds, then, else_)?)
    }

    /// Compares two integers of the same width.
    pub(super) fn compare(
        &mut self,
        predicate: Predicate,
        a: Word,
        b: Word,
        width: u32,
    ) -> Result<Word, Error> {
        use Predicate as P;
        let bool = self.module.bool;
        if width == 1 {
            match predicate {
                P::Eq => return Ok(self.b.logical_equal(bool, None, a, b)?),
                P::Ne => return Ok(self.b.logical_not_equal(bool, None, a, b)?),
                _ => {}
            }
        }
        let (holder, mut a, mut b) = (if width > 32 { 64 } else { 32 }, a, b);
        let signed = matches!(predicate, P::Sgt | P::Sge | P::Slt | P::Sle);
        for value in [&mut a, &mut b] {
            *value = if signed {
                self.sign_extend(*value, width, holder)?
            } else {
                self.zero_extend(*value, width, holder)?
            };
        }
        Ok(match predicate {
            P::Eq => self.b.i_equal(bool, None, a, b)?,
            P::Ne => self.b.i_not_equal(bool, None, a, b)?,
            P::Ugt => self.b.u_greater_than(bool, None, a, b)?,
            P::Uge => self.b.u_greater_than_equal(bool, None, a, b)?,
            P::Ult => self.b.u_less_than(bool, None, a, b)?,
            P::Ule => self.b.u_less_than_equal(bool, None, a, b)?,
            P::Sgt => self.b.s_greater_than(bool, None, a, b)?,
            P::Sge => self.b.s_greater_than_equal(bool, None, a, b)?,
            P::Slt => self.b.s_less_than(bool, None, a, b)?,
            P::Sle => self.b.s_less_than_equal(bool, None, a, b)?,
        })
    }
}
