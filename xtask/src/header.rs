//! The comment at the top of a corpus shader: how it is compiled, and what it is about.
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

use thiserror::Error;
use trellis_corpus::manifest::{ShaderEntry, Stage};

/// Why a header was not understood. Lines count from 1.
#[derive(Debug, PartialEq, Eq, Error)]
pub(crate) enum HeaderError {
    /// There is no `// trellis: …` line.
    #[error("line 1: expected `// trellis: PROFILE ENTRY OPTIONS…`")]
    Missing,
    /// A `trellis` line has no colon, an odd suffix, or lacks profile or entry.
    #[error("line {line}: expected `// trellis[.SUFFIX]: PROFILE ENTRY OPTIONS…`")]
    Malformed {
        /// Its line.
        line: usize,
    },
    /// The profile names no shader model.
    #[error("line {line}: `{profile}` is not a profile; expected one like `cs_6_0`")]
    Profile {
        /// Its line.
        line: usize,
        /// The word found.
        profile: String,
    },
    /// No comment line describes the shader.
    #[error("line {line}: expected a comment that describes the shader")]
    NoAbout {
        /// The line after the header.
        line: usize,
    },
}

/// Returns the entries of the header of `text`; `source` is the file's path relative to the
/// corpus folder and ends in `.hlsl`.
pub(crate) fn parse(source: &str, text: &str) -> Result<Vec<ShaderEntry>, HeaderError> {
    let stem = source.strip_suffix(".hlsl").unwrap_or(source);
    let mut entries: Vec<ShaderEntry> = Vec::new();
    let mut about = String::new();
    let mut line = 0;
    for content in text.lines() {
        line += 1;
        let Some(comment) = content.strip_prefix("//").map(str::trim) else {
            break;
        };
        if let Some(rest) = comment.strip_prefix("trellis") {
            entries.push(parse_line(source, stem, rest, line)?);
        } else if !comment.is_empty() {
            if !about.is_empty() {
                about.push(' ');
            }
            about.push_str(comment);
        }
    }
    if entries.is_empty() {
        return Err(HeaderError::Missing);
    }
    if about.is_empty() {
        return Err(HeaderError::NoAbout { line });
    }
    for entry in &mut entries {
        entry.about.clone_from(&about);
    }
    Ok(entries)
}

/// Parses one `trellis` line, after that word.
fn parse_line(
    source: &str,
    stem: &str,
    rest: &str,
    line: usize,
) -> Result<ShaderEntry, HeaderError> {
    let malformed = HeaderError::Malformed { line };
    let Some((suffix, command)) = rest.split_once(':') else {
        return Err(malformed);
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let path = match suffix.strip_prefix('.') {
        Some(name) if !name.is_empty() && name.chars().all(plain) => format!("{stem}.{name}.dxil"),
        None if suffix.is_empty() => format!("{stem}.dxil"),
        _ => return Err(malformed),
    };
    let mut words = command.split_whitespace();
    let (Some(profile), Some(entry)) = (words.next(), words.next()) else {
        return Err(malformed);
    };
    let Some(stage) = Stage::of_profile(profile) else {
        return Err(HeaderError::Profile {
            line,
            profile: profile.to_owned(),
        });
    };
    Ok(ShaderEntry {
        path,
        source: source.to_owned(),
        stage,
        profile: profile.to_owned(),
        entry: entry.to_owned(),
        options: words.map(str::to_owned).collect(),
        about: String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::{HeaderError, parse};
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
        let malformed = |line| Err(HeaderError::Malformed { line });
        assert_eq!(parse("a.hlsl", "int x;"), Err(HeaderError::Missing));
        assert_eq!(parse("a.hlsl", "// trellis cs_6_0 main"), malformed(1));
        assert_eq!(parse("a.hlsl", "// x\n// trellis: cs_6_0"), malformed(2));
        assert_eq!(parse("a.hlsl", "// trellis./x: cs_6_0 main"), malformed(1));
        assert_eq!(
            parse("a.hlsl", "// trellis: cs_6 main"),
            Err(HeaderError::Profile {
                line: 1,
                profile: "cs_6".into()
            })
        );
        assert_eq!(
            parse("a.hlsl", "// trellis: cs_6_0 main\n\nint x;"),
            Err(HeaderError::NoAbout { line: 2 })
        );
    }
}
