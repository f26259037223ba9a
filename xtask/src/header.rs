//! The comment at the top of a corpus shader: its compiler's options, and its topic.
//!
//! ```text
//! // trellis: cs_6_0 main -O3
//! // trellis.od: cs_6_0 main -Od
//! // Two nested loops; the inner one returns.
//! ```
//!
//! Each `trellis` line makes one compiled file: profile, entry point, options. A suffix after the
//! dot is part of the file's name, `name.od.dxil`. The comment lines that follow describe the
//! shader; the first line that is not a comment ends the header.

use trellis_corpus::manifest::{ShaderEntry, Stage};

/// Returns the entries of the header of `text`; `source` is the file's path relative to the
/// corpus folder and ends in `.hlsl`.
///
/// # Errors
/// The line, from 1 on, and the expected text there.
pub(crate) fn parse(source: &str, text: &str) -> Result<Vec<ShaderEntry>, String> {
    let mut entries: Vec<ShaderEntry> = Vec::new();
    let mut about = Vec::new();
    let mut line = 0;
    for content in text.lines() {
        line += 1;
        let Some(comment) = content.strip_prefix("//").map(str::trim) else {
            break;
        };
        if let Some(rest) = comment.strip_prefix("trellis") {
            let entry = parse_line(source, rest);
            entries.push(entry.map_err(|problem| format!("line {line}: {problem}"))?);
        } else if !comment.is_empty() {
            about.push(comment);
        }
    }
    if entries.is_empty() {
        return Err("line 1: expected `// trellis: PROFILE ENTRY OPTIONS…`".to_owned());
    }
    if about.is_empty() {
        return Err(format!(
            "line {line}: expected a comment that describes the shader"
        ));
    }
    for entry in &mut entries {
        entry.about = about.join(" ");
    }
    Ok(entries)
}

/// Parses one `trellis` line, after that word.
fn parse_line(source: &str, rest: &str) -> Result<ShaderEntry, String> {
    const EXPECTED: &str = "expected `// trellis[.SUFFIX]: PROFILE ENTRY OPTIONS…`";
    let (suffix, command) = rest.split_once(':').ok_or(EXPECTED)?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !suffix.is_empty() {
        let name = suffix.strip_prefix('.').ok_or(EXPECTED)?;
        if name.is_empty() || !name.chars().all(plain) {
            return Err(EXPECTED.to_owned());
        }
    }
    let mut words = command.split_whitespace().map(str::to_owned);
    let (Some(profile), Some(entry)) = (words.next(), words.next()) else {
        return Err(EXPECTED.to_owned());
    };
    let stage = Stage::of_profile(&profile)
        .ok_or_else(|| format!("`{profile}` is not a profile; expected one like `cs_6_0`"))?;
    let stem = source.strip_suffix(".hlsl").unwrap_or(source);
    Ok(ShaderEntry {
        path: format!("{stem}{suffix}.dxil"),
        source: source.to_owned(),
        stage,
        profile,
        entry,
        options: words.collect(),
        about: String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::parse;
    use trellis_corpus::manifest::Stage;

    #[test]
    fn each_line_makes_a_file() {
        let text = "// trellis: cs_6_0 main\n// trellis.od: cs_6_0 main -Od -Zi\n// One\n// thing.\n\nint x; // trellis: no\n";
        let entries = parse("a/b.hlsl", text).unwrap();
        let paths: Vec<&str> = entries.iter().map(|e| e.path.as_str()).collect();
        assert_eq!(paths, ["a/b.dxil", "a/b.od.dxil"]);
        assert_eq!(entries[1].options, ["-Od", "-Zi"]);
        assert_eq!(entries[1].stage, Stage::Compute);
        assert_eq!(entries[1].about, "One thing.");
        assert_eq!(entries[0].source, "a/b.hlsl");
    }

    #[test]
    fn errors_say_the_line() {
        for (text, problem) in [
            ("int x;", "line 1: expected `// trellis: "),
            (
                "// trellis cs_6_0 main",
                "line 1: expected `// trellis[.SUFFIX]: ",
            ),
            (
                "// x\n// trellis: cs_6_0",
                "line 2: expected `// trellis[.SUFFIX]: ",
            ),
            (
                "// trellis./x: cs_6_0 main",
                "line 1: expected `// trellis[.SUFFIX]: ",
            ),
            ("// trellis: cs_6 main", "line 1: `cs_6` is not a profile; "),
            (
                "// trellis: cs_6_0 main\n\nint x;",
                "line 2: expected a comment ",
            ),
        ] {
            let found = parse("a.hlsl", text).unwrap_err();
            assert!(found.starts_with(problem), "{found}");
        }
    }
}
