//! JSON for readers: short values on one line, long lists of numbers filled up to the width of a
//! page.

/// Columns of a line.
const WIDTH: usize = 160;

/// Lays out compact JSON. Numbers keep their spelling.
///
/// ```
/// assert_eq!(gpu_test::pretty::pretty(r#"{"a":[1,2],"b":{}}"#), "{ \"a\": [1, 2], \"b\": {} }\n");
/// ```
pub fn pretty(compact: &str) -> String {
    let mut out = String::new();
    value(&tokens(compact), 0, &mut out);
    out.push('\n');
    out
}

/// Splits at structure; strings stay whole. Malformed text gives some tokens, never a panic.
fn tokens(text: &str) -> Vec<&str> {
    let mut list = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        at += 1;
        match bytes[start] {
            b'"' => {
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
            }
            b'{' | b'}' | b'[' | b']' | b',' | b':' => {}
            byte if byte.is_ascii_whitespace() => continue,
            _ => {
                while at < bytes.len() && !matches!(bytes[at], b',' | b'}' | b']' | b':') {
                    at += 1;
                }
            }
        }
        list.extend(text.get(start..at));
    }
    list
}

/// Writes the tokens of one value at an indentation.
fn value(tokens: &[&str], indent: usize, out: &mut String) {
    let line = one_line(tokens);
    if indent + line.len() <= WIDTH || tokens.len() < 2 {
        out.push_str(&line);
        return;
    }
    let parts = parts(&tokens[1..tokens.len() - 1]);
    let scalars = tokens[0] == "[" && parts.iter().all(|part| part.len() == 1);
    let pad = " ".repeat(indent + 2);
    out.push_str(tokens[0]);
    let mut width = usize::MAX;
    for (index, part) in parts.iter().enumerate() {
        let comma = if index + 1 < parts.len() { "," } else { "" };
        if scalars && width.saturating_add(part[0].len() + 2) <= WIDTH {
            out.push(' ');
            width += part[0].len() + 2;
        } else {
            out.push('\n');
            out.push_str(&pad);
            width = indent + 2 + part[0].len() + 1;
        }
        match part {
            [key, ":", rest @ ..] => {
                out.push_str(key);
                out.push_str(": ");
                value(rest, indent + 2, out);
            }
            part => value(part, indent + 2, out),
        }
        out.push_str(comma);
    }
    out.push('\n');
    out.push_str(&" ".repeat(indent));
    out.push_str(tokens[tokens.len() - 1]);
}

/// Splits the text between brackets at its commas.
fn parts<'a, 'b>(tokens: &'b [&'a str]) -> Vec<&'b [&'a str]> {
    let (mut depth, mut start, mut list) = (0usize, 0, Vec::new());
    for (index, token) in tokens.iter().enumerate() {
        match *token {
            "{" | "[" => depth += 1,
            "}" | "]" => depth = depth.saturating_sub(1),
            "," if depth == 0 => {
                list.push(&tokens[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    if start < tokens.len() {
        list.push(&tokens[start..]);
    }
    list
}

fn one_line(tokens: &[&str]) -> String {
    let mut out = String::new();
    for (index, token) in tokens.iter().enumerate() {
        let previous = if index > 0 { tokens[index - 1] } else { "" };
        let space = match (previous, *token) {
            ("{", "}") => false,
            ("," | ":" | "{", _) | (_, "}") => true,
            _ => false,
        };
        if space {
            out.push(' ');
        }
        out.push_str(token);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_wrapped_and_keep_their_values() {
        let numbers: Vec<u32> = (0..300).collect();
        let compact = serde_json::to_string(&serde_json::json!({ "name": "a \"b\", {c}", "x": numbers, "deep": { "y": [[1.5], []] } })).unwrap();
        let text = pretty(&compact);
        let before: serde_json::Value = serde_json::from_str(&compact).unwrap();
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text).unwrap(),
            before
        );
        assert!(
            text.lines().count() < 20 && text.lines().all(|line| line.len() <= WIDTH),
            "{text}"
        );
    }
}
