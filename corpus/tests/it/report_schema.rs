//! The published schema of the report, `docs/schema/report.schema.json`, describes the written
//! reports: no field more, no field less, and the required fields are in every report. A validator
//! of JSON schemas accepts the reports, too.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use trellis_corpus::report::{Report, SCHEMA};
use trellis_corpus::{failure, report};
use trellis_dxil::error::InvalidKind;

use crate::sample;
use crate::support::{self, real, repository};

fn schema() -> Value {
    let path = repository().join("docs/schema/report.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The names that objects of one schema have.
#[derive(Default)]
struct Names {
    /// Those that at least one object has.
    some: BTreeSet<String>,
    /// Those that every object has, once there is one.
    all: Option<BTreeSet<String>>,
}

/// Names of fields.
struct Collector<'a> {
    root: &'a Value,
    /// By the path of the schema in the document.
    names: BTreeMap<String, Names>,
    /// Paths where a schema is missing.
    missing: Vec<String>,
}

impl<'a> Collector<'a> {
    fn new(root: &'a Value) -> Self {
        Self {
            root,
            names: BTreeMap::new(),
            missing: Vec::new(),
        }
    }

    /// Collects the names in a value with the schema at a JSON pointer.
    fn collect(&mut self, pointer: &str, value: &Value) {
        let Some(schema) = self.root.pointer(pointer) else {
            self.missing.push(pointer.to_owned());
            return;
        };
        if let Some(target) = schema["$ref"].as_str() {
            self.collect(target.strip_prefix('#').unwrap(), value);
        }
        for item in value.as_array().into_iter().flatten() {
            self.collect(&format!("{pointer}/items"), item);
        }
        if schema["properties"].is_null() {
            return;
        }
        let fields = value.as_object().into_iter().flatten();
        let present: BTreeSet<String> = fields.clone().map(|(name, _)| name.clone()).collect();
        let names = self.names.entry(pointer.to_owned()).or_default();
        names.some.extend(present.iter().cloned());
        names.all = Some(match names.all.take() {
            Some(all) => all.intersection(&present).cloned().collect(),
            None => present,
        });
        for (name, field) in fields {
            self.collect(&format!("{pointer}/properties/{name}"), field);
        }
    }
}

fn json(report: &Report) -> Value {
    serde_json::to_value(report).unwrap()
}

#[test]
fn the_schema_describes_the_report() {
    let schema = schema();
    let mut collector = Collector::new(&schema);
    let real = real();
    assert!(
        real.totals.converted >= 1 && real.totals.failed >= 3,
        "{}",
        real.totals
    );
    collector.collect("", &json(&sample::report()));
    collector.collect("", &json(&real));
    assert_eq!(collector.missing, Vec::<String>::new());
    let objects = [
        "", "totals", "shader", "measured", "failure", "location", "counters",
    ];
    assert_eq!(collector.names.len(), objects.len());
    for (pointer, names) in &collector.names {
        let described = schema.pointer(pointer).unwrap();
        let properties: BTreeSet<String> = described["properties"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        assert_eq!(properties, names.some, "fields at `{pointer}`");
        let required = described["required"].as_array().unwrap().iter();
        let required: BTreeSet<String> = required
            .map(|name| name.as_str().unwrap().to_owned())
            .collect();
        assert_eq!(Some(required), names.all, "required at `{pointer}`");
    }
}

#[test]
fn the_schema_lists_the_kinds() {
    let schema = schema();
    let failure = &schema["$defs"]["failure"]["properties"];
    let kinds: Vec<&str> = failure::Kind::all().map(failure::Kind::name).collect();
    assert_eq!(failure["kind"]["enum"], serde_json::json!(kinds));
    let invalid = InvalidKind::ALL.map(InvalidKind::name);
    assert_eq!(failure["invalid"]["enum"], serde_json::json!(invalid));
    assert_eq!(schema["properties"]["schema"]["const"], SCHEMA);
    let statuses = [
        report::Status::Converted,
        report::Status::Failed,
        report::Status::Skipped,
    ];
    assert_eq!(
        schema["$defs"]["shader"]["properties"]["status"]["enum"],
        serde_json::json!(statuses)
    );
}

#[test]
fn other_reports_are_rejected() {
    let schema = schema();
    let validator = support::Validator::new(schema.clone());
    let good = json(&sample::report());
    let wrong: [(&str, Value); 6] = [
        ("/schema", 2.into()),
        ("/totals/words", (-1).into()),
        ("/totals/words", "1".into()),
        ("/shaders/0/status", "lost".into()),
        (
            "/shaders/2/error/location",
            serde_json::json!({ "block": -1 }),
        ),
        ("/shaders/2/error", serde_json::json!({ "kind": "read" })),
    ];
    for (pointer, value) in wrong {
        let mut report = good.clone();
        *report.pointer_mut(pointer).unwrap() = value;
        assert!(validator.check(&report).is_err(), "{pointer}");
    }
    // A field that the schema lacks is one that it must get; readers of reports ignore it.
    let mut report = good;
    report["shaders"][0]["line"] = 1.into();
    let mut collector = Collector::new(&schema);
    collector.collect("", &report);
    assert!(!collector.missing.is_empty());
    validator.check(&report).unwrap();
}

#[test]
fn a_validator_accepts_reports() {
    let validator = support::Validator::new(schema());
    for report in [
        sample::report(),
        sample::report_with_text("\u{1F}{\"ä"),
        real(),
    ] {
        validator.check(&json(&report)).unwrap();
    }
}
