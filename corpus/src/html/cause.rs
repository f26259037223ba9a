//! Causes of failures: common properties by which failures are grouped.

use crate::failure::Failure;

/// Longest cause, in characters.
const LONGEST: usize = 160;

/// Prefixes of messages that repeat the kind of the failure.
const KINDS: [&str; 3] = [
    "not supported: ",
    "invalid shader: ",
    "cannot read the input: ",
];

/// How a location of the backend, at the end of a message, begins.
const OF_BACKEND: &str = " (function ";

/// Part of a location of the reader, which may begin with a block of the bitcode.
const OF_READER: &str = "byte offset 0x";

/// Returns the cause of a failure: the operation or the broken rule, if it has one, else the message
/// without its location, numbers and names, so that failures that differ only in these are one group.
pub(crate) fn of(failure: &Failure) -> String {
    if let Some(operation) = &failure.operation {
        return format!("operation {operation}");
    }
    if let Some(invalid) = failure.invalid {
        return format!("rule {}", invalid.name());
    }
    failure.shape()
}

impl Failure {
    /// Returns the message without its kind and location, with `N` for numbers and `…` for names: failures that
    /// differ only in these have the same.
    pub fn shape(&self) -> String {
        general(what(self))
    }
}

/// Returns the message of a failure without its kind and location.
pub(crate) fn what(failure: &Failure) -> &str {
    let message = failure.message.as_str();
    let start = KINDS.iter().find_map(|kind| message.strip_prefix(kind));
    let message = start.unwrap_or(message);
    if !message.ends_with(')') {
        return message;
    }
    let end = message.rfind(OF_BACKEND).or_else(|| {
        // Messages may have other parentheses: only a location of the reader has an offset.
        let end = message.rfind(" (")?;
        message[end..].contains(OF_READER).then_some(end)
    });
    end.map_or(message, |end| &message[..end])
}

/// Returns a message with `N` for each word that begins with a digit and `…` for quoted text.
fn general(message: &str) -> String {
    let mut text = String::new();
    let mut rest = message.chars().peekable();
    while let Some(c) = rest.next() {
        let is_word = |c: &char| c.is_alphanumeric() || *c == '_' || *c == '.';
        let is_number = c.is_ascii_digit();
        text.push(if is_number { 'N' } else { c });
        if is_word(&c) {
            while let Some(c) = rest.next_if(is_word) {
                // The end of a sentence is not a part of the number before it.
                if !is_number || (c == '.' && rest.peek().is_none_or(char::is_ascii_whitespace)) {
                    text.push(c);
                }
            }
        } else if matches!(c, '`' | '"') {
            text.push('…');
            if rest.any(|end| end == c) {
                text.push(c);
            }
        }
        if text.chars().count() > LONGEST {
            text.push('…');
            break;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use trellis_dxil::error::ErrorKind;

    use super::{general, what};
    use crate::failure::Failure;

    #[test]
    fn kind_and_location_are_not_part_of_a_cause() {
        let cases = [
            (
                "not supported: a (b) of `c` (function `main`, block 2)",
                "a (b) of `c`",
            ),
            (
                "cannot read the input: too short (byte offset 0x18)",
                "too short",
            ),
            (
                "block ends 8 bits after its start (METADATA block, byte offset 0x1f)",
                "block ends 8 bits after its start",
            ),
            (
                "a (wrapper) is short (function 0, basic block 8, FUNCTION block, byte offset 0x1f)",
                "a (wrapper) is short",
            ),
            ("of UAV (entry 16)", "of UAV (entry 16)"),
            ("a (function `f`) call", "a (function `f`) call"),
        ];
        for (message, expected) in cases {
            assert_eq!(what(&Failure::new(ErrorKind::Read, message)), expected);
        }
    }

    #[test]
    fn alike_messages_differ_in_names_and_numbers_only() {
        for message in [
            "not supported: a call of `f` with 3 arguments (function `main`, block 2)",
            "not supported: a call of `g2` with 14 arguments (function without a name)",
        ] {
            let failure = Failure::new(ErrorKind::Unsupported, message);
            assert_eq!(failure.shape(), "a call of `…` with N arguments");
        }
    }

    #[test]
    fn numbers_and_names_are_not_part_of_a_cause() {
        let cases = [
            (
                "container needs 3772 bytes, 50 remain",
                "container needs N bytes, N remain",
            ),
            (
                "offset 0x1f of \"nons\" and `main`",
                "offset N of \"…\" and `…`",
            ),
            (
                "before SPIR-V 1.4: vulkan1.2.",
                "before SPIR-V N: vulkan1.2.",
            ),
            ("has 3. Needs 4.", "has N. Needs N."),
            ("an i32 of float3", "an i32 of float3"),
            ("an open `quote", "an open `…"),
        ];
        for (message, expected) in cases {
            assert_eq!(general(message), expected);
        }
        assert!(general(&"x ".repeat(1000)).chars().count() < 200);
    }
}
