//! Renders a report as one self-contained HTML page: a table with a filter.

use std::fmt::Write;

use crate::report::{Report, ShaderReport, Status};

/// The style sheet, for light and dark colour schemes. Rows have the class `failed` or
/// `converted`, numbers `n`, messages `error`.
pub const STYLE: &str = "\
:root{color-scheme:light dark}
body{font:14px/1.5 system-ui,sans-serif;margin:2rem}
h1{font-size:1.3rem}
dl{display:flex;flex-wrap:wrap;gap:.5rem 2rem}
dt{opacity:.7}dd{margin:0;font-size:1.2rem;font-variant-numeric:tabular-nums}
input[type=search]{width:24rem;max-width:100%;padding:.4rem}
table{border-collapse:collapse;margin-top:1rem;width:100%}
th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #8884;vertical-align:top}
th{position:sticky;top:0;background:Canvas}
.n{text-align:right;font-variant-numeric:tabular-nums}
.failed td:first-child{border-left:4px solid #d33}
.converted td:first-child{border-left:4px solid #3a3}
.error{font-family:ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
";

/// Hides the rows that do not contain the text in the element `text` and, if `only` is checked, the
/// rows that did not fail; `count` shows the number of visible rows.
pub const SCRIPT: &str = "\
const rows=[...document.querySelectorAll('tbody tr')],text=document.getElementById('text'),
only=document.getElementById('only'),count=document.getElementById('count');
function show(){const t=text.value.toLowerCase();let n=0;
for(const r of rows){const on=(!only.checked||r.className==='failed')&&r.textContent.toLowerCase().includes(t);r.hidden=!on;n+=on}
count.textContent=n+' of '+rows.length}
text.oninput=only.onchange=show;show();
";

/// Returns the page of a report.
pub fn render(report: &Report) -> String {
    let mut page = String::with_capacity(4096 + 256 * report.shaders.len());
    // Writing to a string cannot fail.
    let _ = write_page(&mut page, report);
    page
}

fn write_page(page: &mut String, report: &Report) -> std::fmt::Result {
    let totals = &report.totals;
    write!(
        page,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Trellis: {totals}</title>\n<style>{STYLE}</style></head><body>\n\
         <h1>{totals}</h1>\n<dl>"
    )?;
    let facts = [
        ("Trellis", report.version.clone()),
        ("target", report.target.clone()),
        ("input bytes", totals.input_bytes.to_string()),
        ("SPIR-V words", totals.words.to_string()),
        (
            "conversion time",
            format!("{:.1} ms", totals.time_us as f64 / 1e3),
        ),
        (
            "wall time",
            format!("{:.1} ms", totals.wall_us as f64 / 1e3),
        ),
    ];
    let counts = totals
        .structurizer
        .named()
        .map(|(name, count)| (name, count.to_string()));
    for (name, value) in facts.into_iter().chain(counts) {
        write!(
            page,
            "<div><dt>{}</dt><dd>{}</dd></div>",
            Escaped(name),
            Escaped(&value)
        )?;
    }
    page.push_str(
        "</dl>\n<p><input type=\"search\" id=\"text\" placeholder=\"filter by any text\" aria-label=\"filter\"> \
         <label><input type=\"checkbox\" id=\"only\"> failed only</label> <span id=\"count\"></span></p>\n\
         <table><thead><tr><th>input</th><th>stage</th><th>entry</th><th class=\"n\">bytes</th><th class=\"n\">words</th><th class=\"n\">µs</th>\
         <th>structurizer</th><th>result</th></tr></thead>\n<tbody>\n",
    );
    for shader in &report.shaders {
        write_row(page, shader)?;
    }
    write!(
        page,
        "</tbody></table>\n<script>{SCRIPT}</script></body></html>\n"
    )
}

fn write_row(page: &mut String, shader: &ShaderReport) -> std::fmt::Result {
    let class = match shader.status {
        Status::Converted => "converted",
        Status::Failed => "failed",
        Status::Skipped => "skipped",
    };
    let (stage, entry) = (
        shader.stage.as_deref().unwrap_or(""),
        shader.entry.as_deref().unwrap_or(""),
    );
    write!(
        page,
        "<tr class=\"{class}\"><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>",
        Escaped(&shader.input),
        Escaped(stage),
        Escaped(entry),
        shader.input_bytes,
        shader.words,
        shader.time_us
    )?;
    let done = shader
        .structurizer
        .iter()
        .flat_map(trellis_dxil::structurizer::Counters::named)
        .filter(|(_, count)| *count > 0);
    for (i, (name, count)) in done.enumerate() {
        write!(page, "{}{name} {count}", if i > 0 { ", " } else { "" })?;
    }
    match &shader.error {
        None => {
            let output = shader.output.as_deref().unwrap_or(match shader.status {
                Status::Skipped => "no entry points",
                _ => "converted",
            });
            write!(page, "</td><td>{}", Escaped(output))?;
            if let Some(reason) = &shader.not_validated {
                write!(page, "<br>not validated: {}", Escaped(reason))?;
            }
            writeln!(page, "</td></tr>")
        }
        Some(error) => {
            write!(
                page,
                "</td><td class=\"error\">{}: {}",
                error.kind.name(),
                Escaped(&error.message)
            )?;
            if !error.location.is_empty() {
                write!(page, " ({})", Escaped(&error.location.to_string()))?;
            }
            page.push_str("</td></tr>\n");
            Ok(())
        }
    }
}

/// Text with the characters escaped that have a meaning in HTML.
pub struct Escaped<'a>(pub &'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                // Entry points of libraries may hold control characters, which HTML does not
                // permit.
                c if c.is_control() && c != '\n' => write!(f, "\\x{:02x}", c as u32)?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::render;
    use trellis_dxil::error::ErrorKind;

    use crate::failure::Failure;
    use crate::report::{Report, SCHEMA, ShaderReport, Status, Totals, Validator};

    #[test]
    fn names_are_escaped_and_nothing_is_loaded() {
        let shader = ShaderReport {
            input: "<script>alert('x')</script>".into(),
            output: None,
            clashes_with: None,
            status: Status::Failed,
            stage: Some("compute".into()),
            entry: Some("\u{1}?a&b".into()),
            input_bytes: 1,
            words: 0,
            time_us: 0,
            cached: false,
            not_validated: None,
            error: Some(Failure::new(ErrorKind::Read, "no \"DXIL\"")),
            structurizer: None,
        };
        let shaders = vec![shader];
        let report = Report {
            schema: SCHEMA,
            version: "1".into(),
            target: "t".into(),
            validator: Validator::Trellis,
            totals: Totals::of(&shaders),
            shaders,
        };
        let page = render(&report);
        assert!(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"));
        assert!(page.contains("\\x01?a&amp;b"));
        assert!(page.contains("read: no &quot;DXIL&quot;"));
        assert_eq!(page.matches("<script>").count(), 1, "only our own");
        for external in ["http:", "https:", "src=", "@import", "url("] {
            assert!(!page.contains(external), "{external}");
        }
    }
}
