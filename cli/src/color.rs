//! Colours on terminals: of messages and of listings.

use std::io;
use std::path::Path;

use clap::{Args, ColorChoice};

use crate::files;

/// Codes of terminals.
pub(crate) const RED: &str = "31";
const GREEN: &str = "32";
const YELLOW: &str = "33";
const BLUE: &str = "34";
pub(crate) const CYAN: &str = "36";
pub(crate) const DIM: &str = "2";

/// Returns a text in a colour, if there are colours.
pub(crate) fn paint(colours: bool, code: &str, text: &str) -> String {
    match colours {
        true => format!("\x1b[{code}m{text}\x1b[0m"),
        false => text.to_owned(),
    }
}

/// Returns true if a stream is a terminal with colours, and the environment does not turn them off.
pub(crate) fn has_colours(stream: &impl anstream::stream::RawStream) -> bool {
    anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never
}

/// Whether a listing has colours.
#[derive(Args)]
pub(crate) struct ColorArgs {
    /// Colour the listing; `auto`: on a terminal
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
}

impl ColorArgs {
    /// Writes a listing of DXIL, SPIR-V or pseudo-code to a file or standard output.
    pub(crate) fn write(&self, output: Option<&Path>, text: &str) -> Result<(), crate::Problem> {
        let is_file = output.is_some_and(|path| !files::is_standard(path));
        let colours = match self.color {
            ColorChoice::Auto => !is_file && has_colours(&io::stdout()),
            choice => choice == ColorChoice::Always,
        };
        match colours {
            true => files::write(output, listing(text).as_bytes()),
            false => files::write(output, text.as_bytes()),
        }
    }
}

/// Returns a listing with colours: comments, strings, names of values, numbers, and the operation, which is
/// the first word of a line or after `=`.
fn listing(text: &str) -> String {
    let mut out = String::with_capacity(2 * text.len());
    for line in text.split_inclusive('\n') {
        let (mut rest, mut is_operation) = (line.trim_end(), true);
        let end = &line[rest.len()..];
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || "_.$".contains(c);
            let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let (length, code) = match first {
                // HLSL has it at the end of a statement.
                ';' if out.is_empty() || out.ends_with([' ', '\n']) => (rest.len(), DIM),
                '/' if rest.starts_with("//") => (rest.len(), DIM),
                '"' => (string(rest), GREEN),
                '%' | '@' if rest[1..].starts_with('"') => (1 + string(&rest[1..]), CYAN),
                '%' | '@' => {
                    let end = rest[1..].find(|c| !is_word(c));
                    (end.map_or(rest.len(), |end| end + 1), CYAN)
                }
                '0'..='9' => (word, YELLOW),
                _ if is_word(first) && is_operation => (word, BLUE),
                _ if is_word(first) => (word, ""),
                _ => (first.len_utf8(), ""),
            };
            let (token, after) = rest.split_at(length);
            out += &paint(!code.is_empty(), code, token);
            is_operation = match first {
                '=' => true,
                ' ' | '{' | '}' => is_operation,
                _ => false,
            };
            rest = after;
        }
        out += end;
    }
    out
}

/// Returns the length of the string that a text begins with.
fn string(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_listing_has_colours() {
        for (text, expected) in [
            (
                "  %a.b = OpConstant %3 -0.5 ; half\n",
                "  <6%a.b> = <4OpConstant> <6%3> -<30.5> <2; half>\n",
            ),
            (r#"OpName %x "a\"b" 1"#, r#"<4OpName> <6%x> <2"a\"b"> <31>"#),
            ("} else { // é", "} <4else> { <2// é>"),
            ("@\"?f\" = %\"s t\" é", "<6@\"?f\"> = <6%\"s t\"> é"),
            ("for (; a; b) c;", "<4for> (; a; b) c;"),
            ("\"open", "<2\"open>"),
            ("%", "<6%>"),
        ] {
            let expected = expected
                .replace("<2\"", "\x1b[32m\"")
                .replace('>', "\x1b[0m");
            let expected = expected.replace("<2", "\x1b[2m");
            let expected = ["3", "4", "6"].iter().fold(expected, |text, code| {
                text.replace(&format!("<{code}"), &format!("\x1b[3{code}m"))
            });
            assert_eq!(super::listing(text), expected);
        }
    }
}
