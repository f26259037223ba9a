//! The page: one file of HTML that loads nothing.
//!
//! `web/page.html` has a place for each part. A policy in the page forbids all connections (but to the server that it
//! came from), and all scripts and styles without the page's nonce. Names and texts of inputs are data, never markup.

use std::collections::BTreeMap;
use std::io::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;
use serde_json::json;
use trellis_dxil::structurizer::Stage;
use trellis_structurizer_view::{DARK, LIGHT};

use crate::Answer;

const HTML: &str = include_str!("../web/page.html");
/// In the order in which they are in the page, after the pictures' styles.
const STYLES: [&str; 4] = [
    include_str!("../web/base.css"),
    include_str!("../web/shader.css"),
    include_str!("../web/report.css"),
    include_str!("../web/print.css"),
];
/// In the order in which they are in the page.
const SCRIPTS: [&str; 12] = [
    include_str!("../web/dom.js"),
    include_str!("../web/list.js"),
    include_str!("../web/wasi.js"),
    include_str!("../web/engine.js"),
    include_str!("../web/diff.js"),
    include_str!("../web/graph.js"),
    include_str!("../web/lines.js"),
    include_str!("../web/text.js"),
    include_str!("../web/panes.js"),
    include_str!("../web/shader.js"),
    include_str!("../web/link.js"),
    include_str!("../web/explorer.js"),
];
/// The scripts of a report, which are one function.
const REPORT: [&str; 6] = [
    include_str!("../web/report/model.js"),
    include_str!("../web/report/charts.js"),
    include_str!("../web/report/overview.js"),
    include_str!("../web/report/shaders.js"),
    include_str!("../web/report/shader.js"),
    include_str!("../web/report/main.js"),
];

/// The receiver of the page's requests.
#[derive(Clone, Copy, Debug)]
pub enum Engine<'a> {
    /// The program `trellis-explorer`, compiled for WASI: the page needs no server.
    Wasm(&'a [u8]),
    /// The server that the page came from: it answers `POST explore`, lists its shaders as an array of
    /// names at `shaders`, and has their bytes at `shader?name=…`.
    Server,
}

/// A shader that the page offers.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Its name.
    pub name: String,
    /// The shader.
    pub bytes: Vec<u8>,
    /// Its source, if there is one.
    pub source: Option<String>,
}

/// Makes the page of the explorer. The same arguments give the same bytes.
pub fn page(engine: Engine<'_>, samples: &[Sample]) -> String {
    let samples = samples.iter().map(|sample| {
        json!({
            "name": sample.name,
            "bytes": packed(&sample.bytes),
            "source": sample.source.as_deref(),
        })
    });
    let stages = Stage::OPTIONAL
        .iter()
        .map(|stage| json!({ "name": stage.name(), "about": stage.summary() }));
    let (name, policy, wasm) = match engine {
        Engine::Wasm(module) => ("wasm", " 'wasm-unsafe-eval'", Some(("wasm", module))),
        Engine::Server => ("server", "; connect-src 'self'", None),
    };
    let data = json!({
        "kind": "explorer",
        "samples": samples.collect::<Vec<_>>(),
        "stages": stages.collect::<Vec<_>>(),
        "targets": trellis_dxil::Target::ALL.map(trellis_dxil::Target::name),
        "engine": name,
    });
    let wasm = wasm.map(|(id, module)| (id.to_owned(), packed(module)));
    assemble(
        "Trellis explorer",
        "This page needs scripts.",
        policy,
        &data,
        wasm.iter().map(|(id, text)| (id, text)),
    )
}

/// Returns the content security policy in a page, which a server also sends as a header: a header may have
/// `frame-ancestors` in addition.
pub fn policy_of(page: &str) -> &str {
    let start = page.split_once("Content-Security-Policy\" content=\"");
    let policy = start.and_then(|(_, rest)| rest.split_once('"'));
    policy.map_or("", |(policy, _)| policy)
}

/// Makes a page that shows an answer about the input with this name.
pub fn of_answer(name: &str, answer: &Answer) -> String {
    let data = json!({ "kind": "answer", "name": name, "answer": answer });
    let note = "This page needs scripts.";
    assemble(name, note, "", &data, std::iter::empty::<(&str, &String)>())
}

/// Makes the page of a batch: the data that `web/report/model.js` reads, with `kind`, and for some of its shaders the
/// answer as JSON, [`packed`]. `summary` is the batch in one line.
pub fn of_report(
    summary: &str,
    data: &impl Serialize,
    answers: &BTreeMap<usize, String>,
) -> String {
    let note = format!(
        "{summary}. This page needs scripts; <code>trellis batch --report FILE</code> writes the same as JSON."
    );
    let answers = answers
        .iter()
        .map(|(index, text)| (format!("detail-{index}"), text));
    assemble(&format!("Trellis: {summary}"), &note, "", data, answers)
}

/// Puts a page together. `elements` are compressed parts of the data by their ids.
fn assemble<'a>(
    title: &str,
    note: &str,
    policy: &str,
    data: &impl Serialize,
    elements: impl Iterator<Item = (impl AsRef<str>, &'a String)>,
) -> String {
    // Strings and numbers can always be written. The end of the element may not be in it.
    let data = serde_json::to_string(data).unwrap_or_default();
    let data = data.replace('<', "\\u003c");
    // An input cannot contain a hash of the data that includes it.
    let nonce = blake3::hash(data.as_bytes()).to_hex();
    let elements: String = elements
        .map(|(id, text)| {
            let id = id.as_ref();
            format!("<script type=\"text/plain\" id=\"{id}\">{text}</script>\n")
        })
        .collect();
    let style = format!(
        "{LIGHT}@media not print{{\n:root.dark{{\n{DARK}}}\n}}\n{}",
        STYLES.concat()
    );
    let script = format!(
        "{}function startReport() {{\n{}}}\n({{ explorer: startExplorer, answer: startAnswer, report: startReport }})[data.kind]();\n",
        SCRIPTS.concat(),
        REPORT.concat(),
    );
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    let mut out = String::with_capacity(HTML.len() + script.len() + data.len() + elements.len());
    // In one pass, since the inserted text may have the same words.
    let mut rest = HTML;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let Some((name, after)) = after.split_once("}}") else {
            break;
        };
        out.push_str(match name {
            "title" => &title,
            "note" => note,
            "policy" => policy,
            "nonce" => &nonce[..32],
            "style" => &style,
            "data" => &data,
            "elements" => &elements,
            "script" => &script,
            _ => "",
        });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Compresses bytes (raw deflate, which browsers can decompress) and writes them in base64.
pub fn packed(bytes: &[u8]) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(bytes);
    BASE64_STANDARD.encode(encoder.finish().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Engine, Sample, of_answer, of_report, page};
    use crate::{Request, explore};

    #[test]
    fn all_parts_are_in_the_page_and_nothing_is_loaded() {
        let sample = Sample {
            name: "</script>{{data}}".to_owned(),
            bytes: vec![1, 2, 3],
            source: Some("<b>".to_owned()),
        };
        let samples = std::slice::from_ref(&sample);
        let answer = explore(b"a: b c\nb: d\nc: d\nd: ret\n", &Request::default());
        let data = serde_json::json!({ "name": sample.name });
        let answers = BTreeMap::from([(7, "q1YqAA==".to_owned())]);
        for (page, scripts) in [
            (page(Engine::Server, samples), 2),
            (page(Engine::Wasm(b"\0asm"), samples), 3),
            (of_answer(&sample.name, &answer), 2),
            (of_report("converted 1", &data, &answers), 3),
        ] {
            assert!(page.contains(r#""name":"\u003c/script>{{data}}""#));
            // The reader's choice of colours applies to the pictures, too.
            assert!(
                page.contains(":root.dark{\n.tv-bg") && !page.contains("@media (prefers-color")
            );
            assert!(page.contains("content=\"default-src 'none'; script-src 'nonce-"));
            assert_eq!(page.matches("</script>").count(), scripts);
            for wrong in [
                "http:",
                "https:",
                "src=",
                "href=",
                "@import",
                "url(",
                "import(",
                "{{style}}",
                "{{script}}",
                "<script>",
                "<style>",
                " style=\"",
                " onclick=\"",
            ] {
                let found = page
                    .replace("http://www.w3.org/2000/svg", "")
                    .contains(wrong);
                assert!(!found, "{wrong}");
            }
        }
    }
}
