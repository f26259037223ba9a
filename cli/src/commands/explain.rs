//! `trellis explain`

use std::fmt::Write as _;
use std::process::ExitCode;

use serde_json::{Map, Value, json};
use trellis_dxil::structurizer::Remark;
use trellis_structurizer_view::{about, title};

use crate::files;
use crate::problem::Problem;
use crate::subject::{Subject, subjects};
use crate::view_args::ExplainArgs;

/// Prints the decisions of the stages.
pub(crate) fn run(args: &ExplainArgs) -> Result<ExitCode, Problem> {
    let output = args.output.as_deref();
    files::check_output(&args.subject.input, output, false)?;
    let subjects = subjects(&args.subject)?;
    let text = if args.json {
        as_json(&subjects)?
    } else {
        as_text(&subjects)
    };
    files::write(output, text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Returns one heading per stage that made a decision, and one line per decision.
fn as_text(subjects: &[Subject]) -> String {
    let mut text = String::new();
    for subject in subjects {
        let remarks = &subject.trace.structured.report.remarks;
        if subjects.len() > 1 {
            let _ = writeln!(
                text,
                "{}==== {} ====",
                if text.is_empty() { "" } else { "\n" },
                subject.name
            );
        }
        if remarks.is_empty() {
            text.push_str("No stage made a decision.\n");
        }
        for (index, group) in remarks.chunk_by(|a, b| a.stage == b.stage).enumerate() {
            let stage = Some(group[0].stage);
            let _ = writeln!(
                text,
                "{}{} - {}",
                if index > 0 { "\n" } else { "" },
                title(stage),
                about(stage)
            );
            for remark in group {
                let _ = writeln!(text, "  {}: {}", named(subject, remark), remark.sentence());
            }
        }
    }
    text
}

/// Returns the block of a remark, with its name in the source.
fn named(subject: &Subject, remark: &Remark) -> String {
    match subject.names.block(remark.block) {
        Some(name) => format!("{} ({name})", remark.block),
        None => remark.block.to_string(),
    }
}

fn as_json(subjects: &[Subject]) -> Result<String, Problem> {
    let mut list = Vec::new();
    for subject in subjects {
        for remark in &subject.trace.structured.report.remarks {
            let mut one = Map::new();
            one.insert("function".to_owned(), json!(subject.name));
            one.insert("stage".to_owned(), json!(remark.stage.name()));
            one.insert("block".to_owned(), json!(remark.block.to_string()));
            if let Some(name) = subject.names.block(remark.block) {
                one.insert("name".to_owned(), json!(name));
            }
            one.insert("decision".to_owned(), json!(remark.decision.name()));
            if let Some(other) = remark.decision.other_block() {
                one.insert("other".to_owned(), json!(other.to_string()));
            }
            if let Some(count) = remark.decision.count() {
                one.insert("count".to_owned(), json!(count));
            }
            if !remark.edges.is_empty() {
                let edges = remark.edges.iter();
                let edges: Vec<[String; 2]> = edges
                    .map(|(from, to)| [from.to_string(), to.to_string()])
                    .collect();
                one.insert("edges".to_owned(), json!(edges));
            }
            one.insert("text".to_owned(), json!(remark.decision.to_string()));
            list.push(Value::Object(one));
        }
    }
    let text = serde_json::to_string_pretty(&list)
        .map_err(|error| Problem::input_error("cannot write JSON").because(&error))?;
    Ok(text + "\n")
}
