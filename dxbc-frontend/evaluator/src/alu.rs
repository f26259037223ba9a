//! Arithmetic on the values of one component.

use trellis_dxbc_frontend::tokens::Op;

/// Returns the results (most opcodes have one); `None` without a rule.
pub(crate) fn results(op: Op, [a, b, c, d]: [u32; 4]) -> Option<[u32; 2]> {
    let [x, y, z] = [a, b, c].map(f32::from_bits);
    let [i, j] = [a, b].map(|value| value as i32);
    let mask = |holds: bool| u32::from(holds).wrapping_neg();
    // Of a number without bits the masks are -1.
    let bit = |zeros: u32, number: u32| if zeros == 32 { u32::MAX } else { number };
    let one = match op {
        Op::Mov => a,
        Op::Movc => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Not => !a,
        Op::Iadd => a.wrapping_add(b),
        Op::Ineg => a.wrapping_neg(),
        Op::Imad | Op::Umad => a.wrapping_mul(b).wrapping_add(c),
        Op::Ishl => a.wrapping_shl(b),
        Op::Ishr => i.wrapping_shr(b) as u32,
        Op::Ushr => a.wrapping_shr(b),
        Op::Ieq => mask(a == b),
        Op::Ine => mask(a != b),
        Op::Ilt => mask(i < j),
        Op::Ige => mask(i >= j),
        Op::Ult => mask(a < b),
        Op::Uge => mask(a >= b),
        Op::Imin => i.min(j) as u32,
        Op::Imax => i.max(j) as u32,
        Op::Umin => a.min(b),
        Op::Umax => a.max(b),
        Op::Countbits => a.count_ones(),
        Op::Bfrev => a.reverse_bits(),
        Op::FirstbitHi => bit(a.leading_zeros(), a.leading_zeros()),
        Op::FirstbitLo => bit(a.trailing_zeros(), a.trailing_zeros()),
        Op::FirstbitShi => {
            let zeros = if i < 0 { !a } else { a }.leading_zeros();
            bit(zeros, zeros)
        }
        Op::Ubfe | Op::Ibfe => field(op, a & 31, b & 31, c),
        Op::Bfi => {
            let mask = (((1u64 << (a & 31)) - 1) << (b & 31)) as u32;
            c.wrapping_shl(b) & mask | d & !mask
        }
        Op::Eq => mask(x == y),
        Op::Ne => mask(x != y),
        Op::Lt => mask(x < y),
        Op::Ge => mask(x >= y),
        Op::Add => (x + y).to_bits(),
        Op::Mul => (x * y).to_bits(),
        Op::Mad => (x * y + z).to_bits(),
        Op::Div => (x / y).to_bits(),
        Op::Min => x.min(y).to_bits(),
        Op::Max => x.max(y).to_bits(),
        Op::RoundNe => x.round_ties_even().to_bits(),
        Op::RoundNi => x.floor().to_bits(),
        Op::RoundPi => x.ceil().to_bits(),
        Op::RoundZ => x.trunc().to_bits(),
        Op::Itof => (i as f32).to_bits(),
        Op::Utof => (a as f32).to_bits(),
        Op::Ftoi => x as i32 as u32,
        Op::Ftou => x as u32,
        Op::Imul => {
            let product = i64::from(i) * i64::from(j);
            return Some([(product >> 32) as u32, product as u32]);
        }
        Op::Umul => {
            let product = u64::from(a) * u64::from(b);
            return Some([(product >> 32) as u32, product as u32]);
        }
        Op::Udiv => {
            let results = [a.checked_div(b), a.checked_rem(b)];
            return Some(results.map(|result| result.unwrap_or(u32::MAX)));
        }
        Op::Uaddc => {
            let (sum, carry) = a.overflowing_add(b);
            return Some([sum, carry.into()]);
        }
        Op::Usubb => {
            let (difference, borrow) = a.overflowing_sub(b);
            return Some([difference, borrow.into()]);
        }
        Op::Swapc => return Some(if a != 0 { [c, b] } else { [b, c] }),
        _ => return None,
    };
    Some([one, 0])
}

/// Returns `width` bits of a number from bit `offset` on.
fn field(op: Op, width: u32, offset: u32, value: u32) -> u32 {
    if width == 0 {
        return 0;
    }
    // A field that reaches beyond the last bit is the rest of the number.
    let up = 32 - (width + offset).min(32);
    let down = offset + up;
    if op == Op::Ibfe {
        ((value << up) as i32 >> down) as u32
    } else {
        value << up >> down
    }
}
