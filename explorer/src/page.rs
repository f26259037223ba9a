//! The page: one file of HTML that loads nothing.

use std::fmt::Write as _;
use std::io::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::json;
use trellis_dxil::structurizer::Stage;

const HTML: &str = include_str!("../web/explorer.html");
const STYLE: &str = include_str!("../web/explorer.css");
/// In the order in which they are in the page.
const SCRIPTS: [&str; 7] = [
    include_str!("../web/wasi.js"),
    include_str!("../web/engine.js"),
    include_str!("../web/diff.js"),
    include_str!("../web/views.js"),
    include_str!("../web/graph.js"),
    include_str!("../web/link.js"),
    include_str!("../web/explorer.js"),
];

/// How the dark colours of the pictures begin, and the same for a page whose reader chooses the colours.
const DARK: [&str; 2] = ["@media (prefers-color-scheme:dark){", ":root.dark{"];

/// What answers the page's requests.
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

/// Makes the page. The same arguments give the same bytes.
pub fn page(engine: Engine<'_>, samples: &[Sample]) -> String {
    let mut scripts = String::new();
    for script in SCRIPTS {
        scripts.push_str(script);
        scripts.push('\n');
    }
    let samples: Vec<_> = samples
        .iter()
        .map(|sample| {
            json!({
                "name": sample.name,
                "bytes": packed(&sample.bytes),
                "source": sample.source.as_deref(),
            })
        })
        .collect();
    let stages: Vec<_> = Stage::OPTIONAL
        .iter()
        .map(|stage| json!({ "name": stage.name(), "about": stage.summary() }))
        .collect();
    let targets = trellis_dxil::Target::ALL.map(trellis_dxil::Target::name);
    let data = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "samples": samples,
        "stages": stages,
        "targets": targets,
        "engine": match engine {
            Engine::Wasm(_) => "wasm",
            Engine::Server => "server",
        },
    });
    // The end of the element may not be in it.
    let data = data.to_string().replace('<', "\\u003c");
    let mut wasm = String::new();
    if let Engine::Wasm(module) = engine {
        let _ = write!(
            wasm,
            "<script type=\"application/octet-stream\" id=\"wasm\">{}</script>",
            packed(module)
        );
    }
    let pictures = trellis_structurizer_view::CSS.replace(DARK[0], DARK[1]);
    // In one pass, since what is inserted may have the same words.
    let mut out = String::with_capacity(HTML.len() + scripts.len() + data.len() + wasm.len());
    let mut rest = HTML;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let Some((name, after)) = after.split_once("}}") else {
            break;
        };
        out.push_str(match name {
            "style" => STYLE,
            "pictures" => &pictures,
            "data" => &data,
            "wasm" => &wasm,
            "script" => &scripts,
            _ => "",
        });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Compresses bytes (raw deflate, which browsers can decompress) and writes them in base64.
fn packed(bytes: &[u8]) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(bytes);
    BASE64_STANDARD.encode(encoder.finish().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{Engine, Sample, page};

    #[test]
    fn all_parts_are_in_the_page_and_nothing_is_loaded() {
        let sample = Sample {
            name: "</script>{{data}}".to_owned(),
            bytes: vec![1, 2, 3],
            source: Some("<b>".to_owned()),
        };
        for engine in [Engine::Server, Engine::Wasm(b"\0asm")] {
            let page = page(engine, std::slice::from_ref(&sample));
            assert!(page.contains(r#""name":"\u003c/script>{{data}}""#));
            // The reader's choice of colours is that of the pictures, too.
            assert!(
                page.contains(":root.dark{\n.tv-bg") && !page.contains("@media (prefers-color")
            );
            assert!(!page.contains("{{style}}") && !page.contains("{{script}}"));
            assert_eq!(
                page.matches("</script>").count(),
                2 + usize::from(matches!(engine, Engine::Wasm(_)))
            );
            for external in ["http:", "https:", "src=", "@import", "url("] {
                let found = page
                    .replace("http://www.w3.org/2000/svg", "")
                    .contains(external);
                assert!(!found, "{external}");
            }
        }
    }
}
