//! The official schema of SARIF 2.1.0 accepts the output of `trellis batch --sarif`. The schema is
//! in the package `serde-sarif`, whose types are made from it; cargo finds the package.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use serde_sarif::sarif::Sarif;
use trellis_corpus::report::Report;
use trellis_corpus::sarif::render;

use crate::sample;
use crate::support::{Validator, real};

/// Returns the schema of SARIF 2.1.0 by OASIS.
fn schema() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages
        .iter()
        .find(|package| package["name"] == "serde-sarif")
        .expect("the package is a dependency");
    let manifest = Path::new(package["manifest_path"].as_str().unwrap());
    let text = std::fs::read_to_string(manifest.with_file_name("src/schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    let id = schema["$id"].as_str().unwrap();
    assert!(id.contains("oasis-tcs/sarif-spec") && id.ends_with("/sarif-schema-2.1.0.json"));
    schema
}

fn log(report: &Report) -> Value {
    serde_json::from_str(&render(report).unwrap()).unwrap()
}

#[test]
fn the_schema_accepts_logs() {
    let validator = Validator::new(schema());
    let real = real();
    assert!(real.totals.failed >= 3, "{}", real.totals);
    let everything: String = (0..=0x1_0010).filter_map(char::from_u32).collect();
    let mut empty = sample::report();
    empty.shaders.clear();
    let reports = [
        sample::report(),
        sample::report_with_text(&everything),
        sample::report_with_text("a:b?c#d"),
        real,
        empty,
    ];
    for report in reports {
        let log = log(&report);
        validator.check(&log).unwrap();
        // The types of another program, which are made from the schema, take it, too.
        let parsed: Sarif = serde_json::from_value(log).unwrap();
        let results = parsed.runs[0].results.as_ref().map_or(0, Vec::len);
        assert_eq!(results, report.failures().count());
    }
}

/// The validator finds errors in a log, or the test above would prove nothing.
#[test]
fn the_schema_rejects_other_logs() {
    let validator = Validator::new(schema());
    let good = log(&sample::report());
    let result = "/runs/0/results/0";
    let wrong: [(&str, &str, Value); 6] = [
        ("", "version", "2.0.0".into()),
        ("", "lost", 1.into()),
        (result, "level", "fatal".into()),
        (result, "message", json!({})),
        (result, "ruleIndex", (-2).into()),
        (
            "/runs/0/results/0/locations/0/physicalLocation/artifactLocation",
            "uri",
            "in/a b.dxil".into(),
        ),
    ];
    for (at, name, value) in wrong {
        let mut log = good.clone();
        log.pointer_mut(at).unwrap()[name] = value;
        assert!(validator.check(&log).is_err(), "{at} {name}");
    }
}
