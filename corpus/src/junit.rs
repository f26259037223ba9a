//! Renders a report as JUnit XML, which CI systems show as test results.
//!
//! The format has no standard. The elements and attributes here are those that Jenkins, GitLab and
//! the schema of Apache Ant's reports agree on: one `testsuite` with one `testcase` per shader or
//! entry point, which has a `failure` or is `skipped`.

use std::fmt::{self, Display, Formatter, Write as _};
use std::io::{self, Write};

use trellis_dxil::error::InvalidKind;

use crate::report::{Report, ShaderReport, Status, Summary, Totals};

/// Returns the XML document of a report. It is well-formed for any report: characters that XML 1.0
/// forbids are replaced by U+FFFD.
pub fn render(report: &Report) -> String {
    // Readers reject a suite whose numbers do not match its cases, and a report may have been put
    // together from several.
    let mut totals = Totals::of(&report.shaders);
    totals.wall_us = report.totals.wall_us;
    let summary = Summary {
        version: report.version.clone(),
        target: report.target.clone(),
        validator: report.validator,
        totals,
    };
    let mut text = Vec::with_capacity(1024 + 192 * report.shaders.len());
    // Writing to a vector cannot fail.
    let _ = write(&summary, report.shaders.iter().cloned().map(Ok), &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// Writes the document that [`render`] returns for the report with these shaders, one after the other.
/// The totals of the summary count the same shaders.
///
/// # Errors
/// Returns the errors of writing and of the shaders.
pub fn write(
    summary: &Summary,
    shaders: impl Iterator<Item = io::Result<ShaderReport>>,
    to: &mut dyn Write,
) -> io::Result<()> {
    let totals = &summary.totals;
    let totals = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{}\"",
        totals.converted + totals.failed + totals.skipped,
        totals.failed,
        totals.skipped,
        Seconds(totals.wall_us),
    );
    write!(
        to,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"trellis batch\" {totals}>\n\
         <testsuite name=\"trellis batch\" {totals}>\n\
         <properties>\n\
         <property name=\"version\" value=\"{}\"/>\n\
         <property name=\"target\" value=\"{}\"/>\n\
         </properties>\n",
        Escaped(&summary.version),
        Escaped(&summary.target),
    )?;
    let mut case = String::new();
    for shader in shaders {
        case.clear();
        // Writing to a string cannot fail.
        let _ = write_case(&mut case, &shader?);
        to.write_all(case.as_bytes())?;
    }
    to.write_all(b"</testsuite>\n</testsuites>\n")
}

fn write_case(text: &mut String, shader: &ShaderReport) -> fmt::Result {
    let (folder, file) = folder_and_file(&shader.input);
    write!(
        text,
        "<testcase classname=\"{}\" name=\"{}",
        Escaped(folder),
        Escaped(file)
    )?;
    if let Some(entry) = &shader.entry {
        write!(text, " ({})", Escaped(entry))?;
    }
    write!(text, "\" time=\"{}\"", Seconds(shader.time_us))?;
    match shader.status {
        Status::Converted => match &shader.not_validated {
            None => text.write_str("/>\n"),
            Some(reason) => writeln!(
                text,
                "><system-out>not validated: {}</system-out></testcase>",
                Escaped(reason)
            ),
        },
        Status::Skipped => text.write_str("><skipped/></testcase>\n"),
        Status::Failed => write_failure(text, shader),
    }
}

/// Writes the rest of a test case that failed.
fn write_failure(text: &mut String, shader: &ShaderReport) -> fmt::Result {
    let Some(failure) = &shader.error else {
        return text.write_str("><failure type=\"other\"/></testcase>\n");
    };
    let message = Escaped(&failure.message);
    writeln!(
        text,
        "><failure type=\"{}\" message=\"{message}\">{message}",
        failure.kind.name()
    )?;
    let fields = [
        ("feature", failure.feature.as_deref()),
        ("operation", failure.operation.as_deref()),
        ("rule", failure.invalid.map(InvalidKind::name)),
    ];
    for (name, value) in fields {
        if let Some(value) = value {
            writeln!(text, "{name}: {}", Escaped(value))?;
        }
    }
    if !failure.location.is_empty() {
        writeln!(text, "location: {}", Escaped(&failure.location.to_string()))?;
    }
    writeln!(
        text,
        "help: {}</failure></testcase>",
        Escaped(failure.kind.help())
    )
}

/// Returns the folder and the file's name of an input, which is a path of the system or the path of
/// an archive, `!`, and the path of a member.
fn folder_and_file(input: &str) -> (&str, &str) {
    match input.rfind(std::path::is_separator) {
        Some(0) => ("/", &input[1..]),
        // A separator is one byte long.
        Some(at) => (&input[..at], &input[at + 1..]),
        None => (".", input),
    }
}

/// A time in microseconds, written as seconds without rounding.
struct Seconds(u64);

impl Display for Seconds {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}

/// Text in an element or in a quoted attribute of XML or HTML.
pub struct Escaped<'a>(pub &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                // `]]>` is forbidden in an element.
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&apos;")?,
                // A reader turns them into spaces in an attribute unless they are references.
                '\t' | '\n' | '\r' => write!(f, "&#{};", u32::from(c))?,
                // A reference to one of these is forbidden, too.
                '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => {
                    f.write_char(char::REPLACEMENT_CHARACTER)?;
                }
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Escaped, Seconds, folder_and_file, render};
    use crate::report::Totals;
    use crate::sample;

    /// Returns the names of the elements in document order, after a check that the document is
    /// well-formed as far as this module could break it: characters, references, quotes, nesting.
    fn elements(document: &str) -> Vec<String> {
        let allowed = |c: char| {
            matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}')
                || c >= '\u{10000}'
        };
        assert!(document.chars().all(allowed), "{document:?}");
        let references = document.split('&').skip(1);
        for reference in references {
            let name = reference.split_once(';').expect("an end").0;
            let known = ["amp", "lt", "gt", "quot", "apos", "#9", "#10", "#13"];
            assert!(known.contains(&name), "&{name};");
        }
        let body = document
            .strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
            .expect("a declaration");
        let (mut names, mut open) = (Vec::new(), Vec::new());
        for tag in body.split('<').skip(1) {
            // `>` is escaped in text and attributes.
            let (tag, text) = tag.split_once('>').expect("an end");
            assert!(!text.contains('>'), "{text}");
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop().as_deref(), Some(name));
                continue;
            }
            let name = tag.split([' ', '/']).next().expect("a name").to_owned();
            let attributes = tag[name.len()..].trim_end_matches('/');
            assert_eq!(attributes.matches('"').count() % 2, 0, "{tag}");
            names.push(name.clone());
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        assert!(open.is_empty(), "{open:?}");
        names
    }

    #[test]
    fn a_case_per_shader_with_its_result() {
        let text = render(&sample::report());
        assert!(
            text.contains("<testsuite name=\"trellis batch\" tests=\"5\" failures=\"2\" errors=\"0\" skipped=\"1\" time=\"0.001500\">"),
            "{text}"
        );
        assert!(
            text.contains(
                "<testcase classname=\"in\" name=\"a.dxil (main)\" time=\"0.000060\"/>\n"
            ),
            "{text}"
        );
        assert!(text.contains("><skipped/></testcase>"), "{text}");
        assert!(
            text.contains("><system-out>not validated: too old</system-out>"),
            "{text}"
        );
        assert!(
            text.contains("<failure type=\"unsupported\" message=\"no sampling\">no sampling\nfeature: operation\noperation: SampleLevel\nrule: recursion\nlocation: part DXIL, byte offset 0x20, function main, block 2, instruction 7\nhelp: "),
            "{text}"
        );
        let names = elements(&text);
        let count = |name: &str| names.iter().filter(|n| *n == name).count();
        assert_eq!(
            (count("testcase"), count("failure"), count("skipped")),
            (5, 2, 1)
        );
    }

    #[test]
    fn any_name_gives_well_formed_xml() {
        let everything: String = (0..=0x1_0010).filter_map(char::from_u32).collect();
        let hostile = [
            "</testcase>",
            "]]>",
            "\" name=\"",
            "a&b;<!--",
            everything.as_str(),
        ];
        let expected = elements(&render(&sample::report()));
        for name in hostile {
            let text = render(&sample::report_with_text(name));
            assert_eq!(elements(&text), expected, "the name adds no element");
        }
        assert_eq!(
            Escaped("\0a\u{1b}\u{ffff}\r\n]]>").to_string(),
            "\u{fffd}a\u{fffd}\u{fffd}&#13;&#10;]]&gt;"
        );
    }

    /// A report may have been put together from several.
    #[test]
    fn numbers_are_those_of_the_cases() {
        let report = sample::report();
        let mut other = report.clone();
        other.totals = Totals {
            wall_us: report.totals.wall_us,
            ..Totals::default()
        };
        assert_eq!(render(&other), render(&report));
    }

    #[test]
    fn a_failure_without_a_reason_is_a_failure() {
        let mut report = sample::report();
        for shader in &mut report.shaders {
            shader.error = None;
        }
        let text = render(&report);
        assert!(text.contains("failures=\"2\""), "{text}");
        assert_eq!(text.matches("<failure type=\"other\"/>").count(), 2);
    }

    #[test]
    fn paths_and_times() {
        assert_eq!(folder_and_file("a/b/c.dxil"), ("a/b", "c.dxil"));
        assert_eq!(folder_and_file("set.zip!c.dxil"), (".", "set.zip!c.dxil"));
        assert_eq!(folder_and_file("/c.dxil"), ("/", "c.dxil"));
        assert_eq!(folder_and_file("ä/"), ("ä", ""));
        assert_eq!(Seconds(u64::MAX).to_string(), "18446744073709.551615");
        assert_eq!(Seconds(12).to_string(), "0.000012");
    }
}
