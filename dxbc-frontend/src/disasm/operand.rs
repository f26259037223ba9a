//! Operands: registers with indices, components and precision, and immediates.

use std::fmt::Write as _;

use super::Listing;
use crate::tokens::{Components, MinPrecision, Operand, OperandType, RegisterFile};

/// Largest absolute value of an integer that is printed in decimal.
const MAX_DECIMAL: u32 = 10_000;

impl Listing<'_> {
    /// Prints an operand that an instruction reads; `used` is the precision to which it converts
    /// the value.
    pub(super) fn source(&mut self, operand: &Operand, ty: OperandType, used: MinPrecision) {
        if operand.neg {
            self.out.push('-');
        }
        if operand.abs {
            self.out.push('|');
        }
        self.value(operand, ty);
        self.precision(operand.min_precision, used);
        if operand.abs {
            self.out.push('|');
        }
        if operand.nonuniform {
            self.out.push_str(" { nonuniform }");
        }
    }

    /// Prints an operand that an instruction writes, or a declaration declares.
    pub(super) fn dest(&mut self, operand: &Operand) {
        self.value(operand, OperandType::Any);
        self.precision(operand.min_precision, operand.min_precision);
    }

    /// Prints the precision of an operand, and the precision as which it is used if that differs.
    fn precision(&mut self, stored: MinPrecision, used: MinPrecision) {
        let name = |precision| match precision {
            MinPrecision::Default => "def32",
            other => other.name(),
        };
        if used != stored {
            let _ = write!(self.out, " {{{} as {}}}", name(stored), name(used));
        } else if used != MinPrecision::Default {
            let _ = write!(self.out, " {{{}}}", name(used));
        }
    }

    /// Prints an operand without modifiers.
    fn value(&mut self, operand: &Operand, ty: OperandType) {
        match operand.file {
            RegisterFile::Immediate32 => {
                let count = if operand.components == Components::One {
                    1
                } else {
                    4
                };
                self.immediate(
                    "l",
                    operand.immediate[..count].iter(),
                    ty,
                    |out, &bits, ty| {
                        immediate(out, bits, ty);
                    },
                );
            }
            RegisterFile::Immediate64 => {
                let words = operand.immediate.chunks_exact(2);
                let count = if operand.components == Components::One {
                    1
                } else {
                    2
                };
                self.immediate("d", words.take(count), ty, |out, words, _| {
                    let bits = u64::from(words[0]) | u64::from(words[1]) << 32;
                    float(out, f64::from_bits(bits));
                    out.push('l');
                });
            }
            _ => {
                self.register(operand);
                self.components(operand.components);
            }
        }
    }

    /// Prints the values of an immediate.
    fn immediate<T>(
        &mut self,
        name: &str,
        values: impl Iterator<Item = T>,
        ty: OperandType,
        print: impl Fn(&mut String, T, OperandType),
    ) {
        self.out.push_str(name);
        self.out.push('(');
        for (i, value) in values.enumerate() {
            if i > 0 {
                self.out
                    .push_str(if ty == OperandType::Any { "," } else { ", " });
            }
            print(&mut self.out, value, ty);
        }
        self.out.push(')');
    }

    /// Prints a register with its indices.
    fn register(&mut self, operand: &Operand) {
        use RegisterFile as F;
        let file = operand.file;
        self.out.push_str(self.file(file));
        let indices = operand.indices();
        let all_in_brackets = match file {
            F::Input | F::Output => indices.len() > 1,
            F::InputControlPoint
            | F::OutputControlPoint
            | F::ImmediateConstantBuffer
            | F::ThisPointer => true,
            _ => false,
        };
        for (i, index) in indices.iter().enumerate() {
            let Some(&relative) = index
                .relative
                .expand()
                .and_then(|r| self.program.operands.get(r))
            else {
                let _ = if i == 0 && !all_in_brackets {
                    write!(self.out, "{}", index.base)
                } else {
                    write!(self.out, "[{}]", index.base)
                };
                continue;
            };
            self.out.push('[');
            self.source(&relative, OperandType::Uint, relative.min_precision);
            let _ = write!(self.out, " + {}]", index.base);
        }
    }

    /// Returns the name of a file. Files of ranges are in upper case.
    pub(super) fn file(&self, file: RegisterFile) -> &'static str {
        match file {
            _ if !self.program.has_ranges() => file.name(),
            RegisterFile::Sampler => "S",
            RegisterFile::Resource => "T",
            RegisterFile::ConstantBuffer => "CB",
            RegisterFile::UnorderedAccessView => "U",
            _ => file.name(),
        }
    }

    fn components(&mut self, components: Components) {
        match components {
            Components::None | Components::One | Components::Mask(0) => {}
            Components::Mask(mask) => {
                self.out.push('.');
                self.mask(mask);
            }
            Components::Swizzle(swizzle) => {
                self.out.push('.');
                for component in swizzle {
                    self.mask(1 << component);
                }
            }
            Components::Select(component) => {
                self.out.push('.');
                self.mask(1 << component);
            }
        }
    }
}

/// Prints a 32-bit immediate. One of unknown type is a small integer, else a float unless that is
/// denormal or not finite.
pub(super) fn immediate(out: &mut String, bits: u32, ty: OperandType) {
    let value = f32::from_bits(bits);
    let _ = match ty {
        OperandType::Float | OperandType::Double => return float(out, value.into()),
        _ if bits.cast_signed().unsigned_abs() <= MAX_DECIMAL => {
            write!(out, "{}", bits.cast_signed())
        }
        OperandType::Any if value.is_normal() || value == 0.0 => return float(out, value.into()),
        _ => write!(out, "{bits:#010x}"),
    };
}

/// Prints a float as Microsoft's C library does with `%f`.
fn float(out: &mut String, value: f64) {
    if value.is_finite() {
        let _ = write!(out, "{value:.6}");
        return;
    }
    if value.is_sign_negative() {
        out.push('-');
    }
    // The default NaN of x86.
    let is_indefinite = value.to_bits() == 0xfff8 << 48;
    out.push_str(match (value.is_nan(), is_indefinite) {
        (false, _) => "1.#INF00",
        (true, true) => "1.#IND00",
        (true, false) => "1.#QNAN0",
    });
}
