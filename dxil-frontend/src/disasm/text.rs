//! The output of the listing: a string with a limit, and LLVM's ways to write names, strings and
//! floats.

use std::fmt::{self, Write};

/// Text that stops growing at a limit, so that a few bytes of nested constants or types cannot
/// expand to gigabytes of listing.
#[derive(Debug, Default)]
pub(super) struct Text {
    pub(super) out: String,
    limit: usize,
    /// The limit was met; further text is dropped.
    pub(super) full: bool,
}

impl Text {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            out: String::new(),
            limit,
            full: false,
        }
    }
    pub(super) fn push(&mut self, s: &str) {
        if self.full || self.out.len() + s.len() > self.limit {
            self.full = true;
        } else {
            self.out.push_str(s);
        }
    }
    pub(super) fn char(&mut self, c: char) {
        self.push(c.encode_utf8(&mut [0; 4]));
    }
    /// Writes the name of a variant in lower case: LLVM's name of an operation.
    pub(super) fn lower_case(&mut self, variant: &impl fmt::Debug) {
        self.push(&format!("{variant:?}").to_ascii_lowercase());
    }
    pub(super) fn fmt(&mut self, args: fmt::Arguments<'_>) {
        // `write_str` below does not fail.
        let _ = self.write_fmt(args);
    }
    /// Pads with spaces up to a column of the current line, at least one.
    pub(super) fn pad_to(&mut self, column: usize) {
        let line = self.out.len() - self.out.rfind('\n').map_or(0, |n| n + 1);
        for _ in line..column.max(line + 1) {
            self.push(" ");
        }
    }
    /// Writes a name after its sigil (`%`, `@`, or none for a label), in quotes where LLVM's lexer
    /// needs them.
    pub(super) fn name(&mut self, sigil: &str, name: &str) {
        self.push(sigil);
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_');
        if name.as_bytes().first().is_some_and(|b| !b.is_ascii_digit()) && name.bytes().all(plain) {
            self.push(name);
        } else {
            self.quoted(name.as_bytes());
        }
    }
    /// Writes a string in quotes, with `\XX` for bytes that are not printable ASCII.
    pub(super) fn quoted(&mut self, bytes: &[u8]) {
        self.push("\"");
        for &b in bytes {
            if (b' '..=b'~').contains(&b) && b != b'\\' && b != b'"' {
                self.char(char::from(b));
            } else {
                self.fmt(format_args!("\\{b:02X}"));
            }
            if self.full {
                return;
            }
        }
        self.push("\"");
    }
}

impl Write for Text {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        self.push(s);
        Ok(())
    }
}

/// Returns a float of C's `%e`: six digits, a sign and at least two digits of exponent.
fn scientific(value: f64) -> String {
    let text = format!("{value:.6e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => {
            let (sign, digits) = exponent
                .strip_prefix('-')
                .map_or(('+', exponent), |d| ('-', d));
            format!("{mantissa}e{sign}{digits:0>2}")
        }
        None => text,
    }
}

/// Returns a `float` or `double` constant as LLVM writes it: decimal where that reads back to the
/// same value, else the bits of the double in hexadecimal.
pub(super) fn float(value: f64) -> String {
    if value.is_finite() {
        let text = scientific(value);
        if text
            .parse::<f64>()
            .is_ok_and(|back| back.to_bits() == value.to_bits() || back == value)
        {
            return text;
        }
    }
    format!("0x{:X}", value.to_bits())
}

/// Returns the double with the value of a `float`'s bits. A NaN keeps its payload and its quiet
/// bit, which a conversion by the processor would not.
pub(super) fn widen(bits: u32) -> f64 {
    let value = f32::from_bits(bits);
    if !value.is_nan() {
        return f64::from(value);
    }
    let (sign, payload) = (u64::from(bits >> 31), u64::from(bits & 0x007F_FFFF));
    f64::from_bits(sign << 63 | 0x7FF << 52 | payload << 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_as_llvm_writes_them() {
        assert_eq!(float(0.0), "0.000000e+00");
        assert_eq!(float(-0.0), "-0.000000e+00");
        assert_eq!(float(2.25), "2.250000e+00");
        assert_eq!(float(widen(0.1f32.to_bits())), "0x3FB99999A0000000");
        assert_eq!(float(1e300), "1.000000e+300");
        assert_eq!(float(f64::INFINITY), "0x7FF0000000000000");
        assert_eq!(float(widen(f32::NAN.to_bits())), "0x7FF8000000000000");
    }

    #[test]
    fn names_and_strings() {
        let mut t = Text::new(100);
        t.name("%", "dx.types.Handle");
        t.name(" @", "\u{1}?a@@");
        t.name(" %", "0a");
        t.name(" %", "class.A<b>");
        assert_eq!(t.out, r#"%dx.types.Handle @"\01?a@@" %"0a" %"class.A<b>""#);
        let mut t = Text::new(3);
        t.push("ab");
        t.push("cd");
        t.push("e");
        assert!(t.full);
        assert_eq!(t.out, "ab");
    }
}
