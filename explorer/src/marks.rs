//! The lines of texts at which blocks begin.

use std::collections::HashMap;

use serde::Serialize;
use trellis_dxil::ControlFlow;
use trellis_dxil::frontend::module::BlockId;
use trellis_dxil::structurizer::tree::Names as _;

/// The lines from one up to the next mark belong to these blocks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Mark {
    /// Number of the line, from 0.
    pub line: usize,
    /// Index of the function.
    pub function: usize,
    /// The structurizer's numbers, such as `b3`; none for lines that belong to no block.
    pub blocks: Vec<String>,
}

/// Returns the marks of pseudo-code: comments that name blocks.
pub(crate) fn of_pseudo_code(text: &str, function: usize) -> Vec<Mark> {
    let of_line = |(line, text): (usize, &str)| {
        let names = text.trim_start().strip_prefix("// ")?;
        let blocks: Vec<String> = names
            .split_whitespace()
            .filter(|word| is_block(word))
            .map(str::to_owned)
            .collect();
        (names.split_whitespace().next().is_some_and(is_block)).then_some(Mark {
            line,
            function,
            blocks,
        })
    };
    text.lines().enumerate().filter_map(of_line).collect()
}

/// Returns true for the structurizer's name of a block.
fn is_block(word: &str) -> bool {
    let digits = word.strip_prefix('b');
    digits.is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Returns the marks of a text whose blocks begin with lines such as `b3:`, and its function at line 0.
pub(crate) fn of_labels(text: &str) -> Vec<Mark> {
    let of_line = |(line, text): (usize, &str)| {
        let label = text.strip_suffix(':').filter(|label| is_block(label))?;
        Some(Mark {
            line,
            function: 0,
            blocks: vec![label.to_owned()],
        })
    };
    text.lines().enumerate().filter_map(of_line).collect()
}

/// Returns the marks of a listing of DXIL: the lines between `define` and `}` of each function.
pub(crate) fn of_listing(text: &str, functions: &[ControlFlow]) -> Vec<Mark> {
    let labels: Vec<HashMap<String, String>> = functions.iter().map(labels_of).collect();
    let mut marks = Vec::new();
    let mut current: Option<usize> = None;
    for (line, text) in text.lines().enumerate() {
        if let Some(header) = text.strip_prefix("define ") {
            current = functions
                .iter()
                .position(|function| defines(header, &function.name));
            if let Some(function) = current {
                // The first block has no label.
                marks.push(Mark {
                    line,
                    function,
                    blocks: vec!["b0".to_owned()],
                });
            }
        } else if text == "}" {
            if let Some(function) = current.take() {
                marks.push(Mark {
                    line,
                    function,
                    blocks: Vec::new(),
                });
            }
        } else if let (Some(function), Some(label)) = (current, label(text)) {
            let block = labels[function].get(label);
            marks.push(Mark {
                line,
                function,
                blocks: block.cloned().into_iter().collect(),
            });
        }
    }
    marks
}

/// Returns the marks of a text from the blocks of its lines, which have the names of their functions. Lines
/// of blocks that the functions do not have belong to none.
pub(crate) fn of_places<'a>(
    places: impl Iterator<Item = (usize, &'a str, BlockId)>,
    functions: &[ControlFlow],
) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    for (line, name, block) in places {
        let function = functions.iter().position(|function| function.name == name);
        let index = function.unwrap_or(0);
        let is_there =
            |function: &ControlFlow| (block.as_u32() as usize) < function.function.num_blocks();
        let blocks: Vec<String> = functions
            .get(index)
            .filter(|f| function.is_some() && is_there(f))
            .iter()
            .map(|_| format!("b{}", block.as_u32()))
            .collect();
        match marks.last_mut() {
            Some(last) if last.line == line => last.blocks.extend(blocks),
            Some(last) if last.function == index && last.blocks == blocks => {}
            _ => marks.push(Mark {
                line,
                function: index,
                blocks,
            }),
        }
    }
    marks
}

/// Returns the structurizer's names of a function's blocks by their labels in the listing.
fn labels_of(function: &ControlFlow) -> HashMap<String, String> {
    let blocks = function.function.blocks();
    let named = blocks.filter_map(|block| {
        let label = function.block(block)?;
        Some((label.trim_start_matches('%').to_owned(), block.to_string()))
    });
    named.collect()
}

/// Returns true if a line `define …` defines the function `name`.
fn defines(header: &str, name: &str) -> bool {
    let Some((_, rest)) = header.split_once('@') else {
        return false;
    };
    match rest.strip_prefix('"') {
        // The names of libraries' functions have characters that are escaped.
        Some(quoted) => quoted
            .split('"')
            .next()
            .is_some_and(|text| unescaped(text) == name.as_bytes()),
        None => rest.split('(').next() == Some(name),
    }
}

/// Returns the bytes of a quoted name, in which `\01` is the byte 1.
fn unescaped(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escape = (bytes[at] == b'\\')
            .then(|| text.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(escape.unwrap_or(bytes[at]));
        at += if escape.is_some() { 3 } else { 1 };
    }
    out
}

/// Returns the label of a line of a function, if it is one: `; <label>:8`, or `name:`.
fn label(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix("; <label>:") {
        return rest.split_whitespace().next();
    }
    if line.starts_with([' ', ';', '}']) {
        return None;
    }
    // A quoted label may have a colon.
    match line.strip_prefix('"') {
        Some(rest) => rest.find("\":").map(|end| &line[..end + 2]),
        None => line.split_once(':').map(|(label, _)| label),
    }
}

/// Returns the marks of SPIR-V assembly whose blocks are named `b3`, or `b3b4` if they are two of the
/// structurizer.
pub(crate) fn of_assembly(text: &str, functions: usize) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut function = 0;
    for (line, text) in text.lines().enumerate() {
        let mark = |blocks| Mark {
            line,
            function,
            blocks,
        };
        if let Some((label, _)) = text.split_once(" = OpLabel") {
            let name = label.trim().trim_start_matches('%');
            // Blocks of several functions have one name: the assembly adds the id.
            let name = name.split('_').next().unwrap_or_default();
            let numbers = name.strip_prefix('b').unwrap_or_default().split('b');
            let blocks: Vec<String> = numbers.map(|number| format!("b{number}")).collect();
            // Other blocks are parts of the one before, or of functions that Trellis adds.
            if function < functions && blocks.iter().all(|block| is_block(block)) {
                marks.push(mark(blocks));
            }
        } else if text.trim_start().starts_with("OpFunctionEnd") {
            marks.push(mark(Vec::new()));
            function += 1;
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::{Mark, defines, label, of_assembly, of_pseudo_code, unescaped};

    fn shown(marks: &[Mark]) -> Vec<String> {
        let text = |mark: &Mark| format!("{}: {}", mark.line, mark.blocks.join(" "));
        marks.iter().map(text).collect()
    }

    #[test]
    fn comments_of_pseudo_code_name_blocks() {
        let text = "// b0 (%0)\nloop {\n    // b1 (%6) b28\n    x\n} // continues with b7\n// a note\n// b2\nreturn\n";
        assert_eq!(
            shown(&of_pseudo_code(text, 0)),
            ["0: b0", "2: b1 b28", "6: b2"]
        );
    }

    #[test]
    fn labels_of_a_listing() {
        for (line, expected) in [
            ("; <label>:8                 ; preds = %0", Some("8")),
            ("entry:", Some("entry")),
            ("for.body:       ; preds = %x", Some("for.body")),
            ("\"a:b\":      ; preds", Some("\"a:b\"")),
            ("  %9 = add i32 1, 2  ; a: b", None),
            ("}", None),
            ("", None),
        ] {
            assert_eq!(label(line), expected, "{line}");
        }
    }

    #[test]
    fn functions_with_quoted_names_are_found() {
        assert!(defines("void @main() {", "main"));
        assert!(!defines("void @main2() {", "main"));
        assert!(defines("void @\"\\01?f@@YAXXZ\"() #0 {", "\u{1}?f@@YAXXZ"));
        assert_eq!(unescaped("\\5Cx\\"), b"\\x\\");
    }

    #[test]
    fn blocks_without_a_name_belong_to_the_one_before() {
        let text = "%main = OpFunction\n  %b0 = OpLabel\nx\n  %12 = OpLabel\n  OpFunctionEnd\n%f = OpFunction\n %b0_14 = OpLabel\n OpFunctionEnd\n%g = OpFunction\n%b1 = OpLabel\n";
        assert_eq!(
            shown(&of_assembly(text, 2)),
            ["1: b0", "4: ", "6: b0", "7: "]
        );
    }
}
