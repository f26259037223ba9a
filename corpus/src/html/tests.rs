use std::collections::BTreeMap;
use std::io::Read as _;

use base64::Engine as _;
use serde_json::Value;
use trellis_dxil::Options;
use trellis_dxil::frontend::dxop::Op;

use super::{render, render_with};
use crate::backend::Backend;
use crate::batch::{Settings, run_spooled};
use crate::details::{Amount, Details, collect};
use crate::inputs::Input;
use crate::report::{Report, SCHEMA, Validator};
use crate::sample::{report, report_with_text};

/// Returns the data that the page's scripts read.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    let (json, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(json).unwrap()
}

/// Details that need no shader.
fn sample_details() -> Details {
    Details {
        operations: vec![
            vec![(Op::Sin, 2), (Op::CreateHandle, 1)],
            vec![(Op::Cos, 1)],
        ],
        pages: BTreeMap::from([(0, "q1YqAA==".to_owned())]),
        options: vec!["--shift".to_owned(), "srv=1".to_owned()],
    }
}

#[test]
fn nothing_of_an_input_is_markup() {
    let plain = render_with(&report(), &sample_details());
    for text in [
        "</script><script>alert(1)</script>",
        "<!--<script>",
        "\"><img onerror=alert(1)>",
        "{{data}} {{nonce}}",
        "&lt;/script>]]>\u{1}\u{2028}",
    ] {
        let page = render_with(&report_with_text(text), &sample_details());
        for token in ["<script", "</script", "<!--", "<img", "<"] {
            let count = |page: &str| page.matches(token).count();
            assert_eq!(count(&page), count(&plain), "{token} of {text}");
        }
        assert_eq!(data(&page)["shaders"]["input"][0], text);
        assert_eq!(data(&page)["shaders"]["message"]["2"], text);
    }
}

#[test]
fn the_data_is_the_report() {
    let report = report();
    let page = render_with(&report, &sample_details());
    let data = data(&page);
    assert_eq!(
        data["totals"],
        serde_json::to_value(&report.totals).unwrap()
    );
    assert_eq!(
        data["operations"],
        serde_json::json!(["Cos", "Sin", "CreateHandle"])
    );
    assert_eq!(data["options"], serde_json::json!(["--shift", "srv=1"]));
    let shaders = &data["shaders"];
    assert_eq!(
        shaders["operations"],
        serde_json::json!([[1, 2, 2, 1], [0, 1]])
    );
    assert_eq!(shaders["status"], "ccffs");
    assert_eq!(shaders["words"][0], 730);
    assert_eq!(shaders["stage"], serde_json::json!([0, 0, 0, -1, 1]));
    assert_eq!(data["causes"][0]["what"], "no sampling");
    assert_eq!(data["causes"][1]["what"], "too {0} short");
    assert!(data["causes"][1]["help"].as_str().unwrap().contains("DXBC"));
    assert!(page.contains("<script type=\"text/plain\" id=\"detail-0\">q1YqAA==</script>"));
}

#[test]
fn the_title_is_the_summary() {
    let report = report();
    assert!(render(&report).contains(&format!("<title>Trellis: {}</title>", report.totals)));
}

/// A page of shaders from files, with details.
fn of_files(jobs: usize, amount: Amount) -> (Report, Details) {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/shaders");
    let names = ["control_flow/fig_nested_returns.dxil", "README.md"];
    let inputs: Vec<Input> = names
        .iter()
        .map(|name| Input::file(root.join(name), *name))
        .collect();
    let backend = Backend::new(Options::default());
    let settings = Settings {
        jobs: Some(jobs),
        ..Settings::default()
    };
    let (totals, mut spool) = run_spooled(&inputs, &backend, &settings, &|_| {}).unwrap();
    let (shaders, of_input) = spool.collect_with_inputs().unwrap();
    let report = Report {
        schema: SCHEMA,
        version: "1".into(),
        target: "vulkan1.3".into(),
        validator: Validator::Trellis,
        totals,
        shaders,
    };
    let details = collect(
        &inputs,
        &backend,
        &report,
        &of_input,
        amount,
        Some(jobs),
        &|| (),
    )
    .unwrap();
    (report, details)
}

#[test]
fn details_do_not_depend_on_threads() {
    let details = |jobs| of_files(jobs, Amount::All).1;
    assert_eq!(details(1), details(4));
}

#[test]
fn details_have_all_parts() {
    let (_, details) = of_files(1, Amount::default());
    assert!(!details.operations[0].is_empty() && details.operations[1].is_empty());
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(&details.pages[&0])
        .unwrap();
    let mut text = String::new();
    flate2::read::DeflateDecoder::new(&bytes[..])
        .read_to_string(&mut text)
        .unwrap();
    let page: Value = serde_json::from_str(&text).unwrap();
    let function = &page["functions"][0];
    let steps = function["steps"].as_array().unwrap();
    let svg = |step: &Value| step["svg"].as_str().unwrap().to_owned();
    assert!(steps[0]["stage"] == "input" && svg(&steps[0]).starts_with("<svg"));
    assert!(svg(steps.last().unwrap()).contains("tv-inserted"));
    assert!(
        steps
            .iter()
            .any(|step| step["remarks"][0]["text"].is_string())
    );
    let contains = |view: &Value, text: &str| view["text"].as_str().unwrap().contains(text);
    assert!(contains(&function["pseudo_code"], "if"));
    assert!(contains(&page["output"], "OpEntryPoint"));
    assert!(contains(&page["input"], "define void @main"));
    // A file that is not DXIL has its failure only.
    let broken: Value = {
        let bytes = base64::engine::general_purpose::STANDARD
            .decode(&details.pages[&1])
            .unwrap();
        serde_json::from_reader(flate2::read::DeflateDecoder::new(&bytes[..])).unwrap()
    };
    assert!(broken["error"]["message"].is_string() && broken["output"]["text"] == "");
}

#[test]
fn the_amount_limits_details() {
    assert!(of_files(1, Amount::Shaders(0)).1.pages.is_empty());
    // Failures come first.
    let (_, details) = of_files(1, Amount::Shaders(1));
    assert_eq!(details.pages.keys().copied().collect::<Vec<_>>(), [1]);
    assert!(of_files(1, Amount::Bytes(10)).1.pages.is_empty());
    assert_eq!("7".parse(), Ok(Amount::Shaders(7)));
    assert_eq!("all".parse(), Ok(Amount::All));
    assert!("-1".parse::<Amount>().is_err());
}
