//! The published schema of the report, `docs/schema/report.schema.json`, describes what is written:
//! no field more, no field less, and the required fields are those that every report has. A validator
//! of JSON schemas accepts what is written, too.

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

/// Checks values against a schema and collects the names of their fields.
struct Checker<'a> {
    root: &'a Value,
    /// By the path of the schema in the document.
    names: BTreeMap<String, Names>,
    errors: Vec<String>,
}

impl<'a> Checker<'a> {
    fn new(root: &'a Value) -> Self {
        Self {
            root,
            names: BTreeMap::new(),
            errors: Vec::new(),
        }
    }

    /// Checks a value against the schema at a JSON pointer. Only the keywords that the document uses
    /// are known, so that none is passed over.
    fn check(&mut self, pointer: &str, value: &Value) {
        let Some(Value::Object(schema)) = self.root.pointer(pointer) else {
            self.errors.push(format!("no schema at `{pointer}`"));
            return;
        };
        for (keyword, argument) in schema {
            let right = match keyword.as_str() {
                "$schema" | "$defs" | "title" | "description" => true,
                "$ref" => {
                    let target = argument.as_str().unwrap().strip_prefix('#').unwrap();
                    self.check(target, value);
                    true
                }
                "type" => match argument.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_u64() || value.is_i64(),
                    _ => false,
                },
                "minimum" => value.as_f64() >= argument.as_f64(),
                "const" => value == argument,
                "enum" => argument.as_array().unwrap().contains(value),
                "items" => {
                    for item in value.as_array().into_iter().flatten() {
                        self.check(&format!("{pointer}/items"), item);
                    }
                    true
                }
                "required" => argument
                    .as_array()
                    .unwrap()
                    .iter()
                    .all(|name| value.get(name.as_str().unwrap()).is_some()),
                "properties" => {
                    self.check_fields(pointer, value);
                    true
                }
                _ => false,
            };
            if !right {
                self.errors
                    .push(format!("`{keyword}` at `{pointer}` rejects {value}"));
            }
        }
    }

    fn check_fields(&mut self, pointer: &str, value: &Value) {
        let fields = value.as_object().into_iter().flatten();
        let present: BTreeSet<String> = fields.clone().map(|(name, _)| name.clone()).collect();
        let names = self.names.entry(pointer.to_owned()).or_default();
        names.some.extend(present.iter().cloned());
        names.all = Some(match names.all.take() {
            Some(all) => all.intersection(&present).cloned().collect(),
            None => present,
        });
        for (name, field) in fields {
            self.check(&format!("{pointer}/properties/{name}"), field);
        }
    }
}

fn json(report: &Report) -> Value {
    serde_json::to_value(report).unwrap()
}

#[test]
fn the_schema_describes_the_report() {
    let schema = schema();
    let mut checker = Checker::new(&schema);
    let real = real();
    assert!(
        real.totals.converted >= 1 && real.totals.failed >= 3,
        "{}",
        real.totals
    );
    checker.check("", &json(&sample::report()));
    checker.check("", &json(&real));
    assert!(checker.errors.is_empty(), "{:#?}", checker.errors);
    let objects = [
        "", "totals", "shader", "measured", "failure", "location", "counters",
    ];
    assert_eq!(checker.names.len(), objects.len());
    for (pointer, names) in &checker.names {
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

/// The checker finds what is wrong with a report, or the tests above would pass for nothing.
#[test]
fn the_checker_rejects_other_reports() {
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
        let mut checker = Checker::new(&schema);
        checker.check("", &report);
        assert!(!checker.errors.is_empty(), "{pointer}");
        assert!(validator.check(&report).is_err(), "{pointer}");
    }
    // A field that the schema lacks is one that it must get; readers of reports ignore it.
    let mut report = good;
    report["shaders"][0]["line"] = 1.into();
    let mut checker = Checker::new(&schema);
    checker.check("", &report);
    assert!(!checker.errors.is_empty());
    validator.check(&report).unwrap();
}

/// The checker above knows only what the document uses; a validator reads it as others do.
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
