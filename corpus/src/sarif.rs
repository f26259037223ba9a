//! Renders the failures of a report as SARIF 2.1.0 (OASIS), which code hosts and editors show as the
//! results of an analysis.
//!
//! A log has one run. Its rules are the kinds of failures, whether the report has them or not, so that
//! a rule's index does not depend on the shaders; its results are the failures in input order.

use serde_json::{Map, Value, json};
use trellis_dxil::error::{ErrorKind, InputLocation, InvalidKind};

use crate::failure::{Failure, Kind};
use crate::report::{Report, ShaderReport};

/// The JSON schema of the format.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Returns the SARIF log of a report as JSON text that ends in a newline.
///
/// # Errors
/// Returns an error if the values cannot be written as JSON.
pub fn render(report: &Report) -> serde_json::Result<String> {
    let mut text = serde_json::to_string_pretty(&log(report))?;
    text.push('\n');
    Ok(text)
}

fn log(report: &Report) -> Value {
    let rules: Vec<Value> = Kind::all().map(rule).collect();
    let results: Vec<Value> = report
        .failures()
        .map(|(shader, failure)| result(shader, failure))
        .collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "Trellis",
                    "version": report.version,
                    "informationUri": env!("CARGO_PKG_REPOSITORY"),
                    "rules": rules,
                }
            },
            "properties": { "target": report.target },
            "results": results,
        }],
    })
}

fn rule(kind: Kind) -> Value {
    json!({
        "id": kind.name(),
        "shortDescription": { "text": summary(kind) },
        "help": { "text": message(kind.help()) },
        "defaultConfiguration": { "level": "error" },
    })
}

/// Returns a sentence that describes failures of a kind.
fn summary(kind: Kind) -> &'static str {
    let kind = match kind {
        Kind::Conversion(kind) => kind,
        Kind::Io => return "A file cannot be read or written.",
        Kind::Archive => return "An archive or its contents cannot be read.",
        Kind::Link => return "A link leads nowhere, or to a folder that it is in.",
        Kind::Name => return "The name of an input cannot be used for an output.",
        Kind::SpirV => return "The words are not readable SPIR-V.",
        Kind::Manifest => return "The shader does not match its manifest.",
        Kind::Panic => return "The conversion panicked.",
        Kind::TimeLimit => return "The conversion took too long.",
        Kind::MemoryLimit => return "The conversion needed too much memory.",
        Kind::Crashed => return "The process that converted the shader ended.",
        Kind::DiskFull => return "The disk is full.",
        Kind::Other => return "The shader was not converted.",
    };
    match kind {
        ErrorKind::Read => "The input is not a readable shader.",
        ErrorKind::EntryPoint => "The entry point does not exist, or is not the only one.",
        ErrorKind::Unsupported => "The shader uses a feature that is not supported.",
        ErrorKind::Invalid => "The shader breaks a rule of DXIL.",
        ErrorKind::Binding => "A resource has no valid binding.",
        ErrorKind::StageIo => "An input or output of the stage has no valid location.",
        ErrorKind::Structurize => "The control flow was not structurized.",
        ErrorKind::Internal => "The conversion contradicts itself.",
        ErrorKind::Verify => "Trellis's own verifier rejects the output.",
        ErrorKind::Validate => "spirv-val rejects the output.",
        ErrorKind::NoValidator => "This build has no spirv-val.",
        _ => "The shader was not converted.",
    }
}

fn result(shader: &ShaderReport, failure: &Failure) -> Value {
    let mut result = json!({
        "ruleId": failure.kind.name(),
        "level": "error",
        "message": { "text": message(&failure.message) },
        "locations": [location(&shader.input, &failure.location)],
    });
    if let Some(index) = Kind::all().position(|kind| kind == failure.kind) {
        result["ruleIndex"] = index.into();
    }
    let mut properties = Map::new();
    let texts = [
        ("entry", shader.entry.as_deref()),
        ("stage", shader.stage.as_deref()),
        ("feature", failure.feature.as_deref()),
        ("operation", failure.operation.as_deref()),
        ("invalid", failure.invalid.map(InvalidKind::name)),
    ];
    for (name, text) in texts {
        if let Some(text) = text {
            properties.insert(name.to_owned(), text.into());
        }
    }
    if !failure.location.is_empty() {
        properties.insert("location".to_owned(), json!(failure.location));
    }
    if !properties.is_empty() {
        result["properties"] = properties.into();
    }
    result
}

/// Returns the location of a failure: the file, the byte in it if it is known, and the function.
fn location(input: &str, at: &InputLocation) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(input) } });
    if let Some(offset) = at.byte_offset {
        physical["region"] = json!({ "byteOffset": offset, "byteLength": 0 });
    }
    let mut location = json!({ "physicalLocation": physical });
    if let Some(function) = &at.function {
        location["logicalLocations"] =
            json!([{ "fullyQualifiedName": function, "kind": "function" }]);
    }
    location
}

/// Returns a text as a message of the format, where braces have a meaning and are doubled to have none
/// (section 3.11.5).
fn message(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// Returns a path as a URI reference (RFC 3986): a relative one for a relative path, otherwise one of
/// the scheme `file`. All bytes but unreserved ones and the separators are percent-encoded, a colon in
/// the first part too, which would end the name of a scheme.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len() + 8);
    let drive = cfg!(windows) && path.as_bytes().get(1) == Some(&b':');
    if drive {
        uri.push_str("file:///");
    } else if path.starts_with(std::path::is_separator) {
        uri.push_str("file://");
    }
    for (at, byte) in path.bytes().enumerate() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'!' => {
                uri.push(char::from(byte));
            }
            b':' if drive && at == 1 => uri.push(':'),
            byte if std::path::is_separator(char::from(byte)) => uri.push('/'),
            byte => {
                uri.push('%');
                for digit in [byte >> 4, byte & 15] {
                    uri.push(char::from(b"0123456789ABCDEF"[usize::from(digit)]));
                }
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::{Kind, SCHEMA, Value, log, message, render, summary, uri};
    use crate::sample;

    #[test]
    fn a_result_per_failure_with_its_rule() {
        let log = log(&sample::report());
        assert_eq!(
            (&log["$schema"], &log["version"]),
            (&SCHEMA.into(), &"2.1.0".into())
        );
        let run = &log["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
        let results = run["results"].as_array().expect("results");
        assert_eq!(results.len(), 2);
        for result in results {
            let index = result["ruleIndex"].as_u64().expect("an index") as usize;
            assert_eq!(rules[index]["id"], result["ruleId"]);
            assert_eq!(result["level"], "error");
        }
        let first = serde_json::json!({
            "ruleId": "unsupported",
            "ruleIndex": 2,
            "level": "error",
            "message": { "text": "no sampling" },
            "locations": [{
                "physicalLocation": {
                    "artifactLocation": { "uri": "in/b.dxil" },
                    "region": { "byteOffset": 32, "byteLength": 0 },
                },
                "logicalLocations": [{ "fullyQualifiedName": "main", "kind": "function" }],
            }],
            "properties": {
                "entry": "main",
                "stage": "compute",
                "feature": "operation",
                "operation": "SampleLevel",
                "invalid": "recursion",
                "location": {
                    "part": "DXIL", "byte_offset": 32, "function": "main", "block": 2, "instruction": 7
                },
            },
        });
        assert_eq!(results[0], first);
        let second = &results[1];
        assert_eq!(second["message"]["text"], "too {{0}} short");
        assert!(second.get("properties").is_none(), "{second}");
    }

    #[test]
    fn each_kind_has_a_rule_with_help() {
        let log = log(&sample::report());
        let rules = log["runs"][0]["tool"]["driver"]["rules"]
            .as_array()
            .expect("rules");
        let names: Vec<&str> = rules
            .iter()
            .filter_map(|rule| rule["id"].as_str())
            .collect();
        assert_eq!(names, Kind::all().map(Kind::name).collect::<Vec<_>>());
        for (rule, kind) in rules.iter().zip(Kind::all()) {
            assert_eq!(rule["help"]["text"], message(kind.help()));
            assert_eq!(
                summary(kind) == "The shader was not converted.",
                kind == Kind::Other,
                "{} has no summary",
                kind.name()
            );
        }
    }

    #[test]
    fn any_name_gives_json_with_a_valid_uri() {
        let everything: String = (0..=0x1_0010).filter_map(char::from_u32).collect();
        for name in ["", "a b?c#d%e", "\"}]", everything.as_str()] {
            let text = render(&sample::report_with_text(name)).expect("JSON");
            let log: Value = serde_json::from_str(&text).expect("JSON");
            for result in log["runs"][0]["results"].as_array().expect("results") {
                let artifact = &result["locations"][0]["physicalLocation"]["artifactLocation"];
                let uri = artifact["uri"].as_str().expect("a URI");
                assert!(
                    uri.bytes()
                        .all(|b| b.is_ascii_alphanumeric() || b"-._~!/%:".contains(&b)),
                    "{uri}"
                );
                assert_eq!(result["message"]["text"], message(name));
            }
        }
    }

    #[test]
    fn paths_are_uris() {
        assert_eq!(uri("in/deep er/ä%.dxil"), "in/deep%20er/%C3%A4%25.dxil");
        assert_eq!(uri("ab:x/y"), "ab%3Ax/y");
        assert_eq!(uri("game.zip!a/b.dxil"), "game.zip!a/b.dxil");
        if cfg!(windows) {
            assert_eq!(uri("C:\\a\\b"), "file:///C:/a/b");
        } else {
            assert_eq!(uri("/tmp/a b"), "file:///tmp/a%20b");
        }
    }
}
