//! `trellis explain`

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use serde_json::json;
use trellis_dxil::structurizer::Remark;
use trellis_structurizer_view::{about, title};

use crate::files;
use crate::problem::Problem;
use crate::subject::{Subject, SubjectArgs, subjects};

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  trellis explain shader.dxil               the decisions of each stage, with their blocks
  trellis explain shader.dxil --json
  trellis explain graph.cfg --without breakable-blocks

Stages are listed in the order in which they run. A remark about a selector or a breakable block lists the edges that require it.

The JSON is a list of { function, stage, block, decision, text } and, where a decision has them, `other` (another block), \
`count`, and `edges` (pairs of blocks).";

/// Arguments of `trellis explain`.
#[derive(Args)]
#[command(after_help = EXPLAIN_EXAMPLES)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Output file for the text; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

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
            let mut one = json!({
                "function": subject.name,
                "stage": remark.stage.name(),
                "block": remark.block.to_string(),
                "decision": remark.decision.name(),
                "text": remark.decision.to_string(),
            });
            if let Some(name) = subject.names.block(remark.block) {
                one["name"] = json!(name);
            }
            if let Some(other) = remark.decision.other_block() {
                one["other"] = json!(other.to_string());
            }
            if let Some(count) = remark.decision.count() {
                one["count"] = json!(count);
            }
            if !remark.edges.is_empty() {
                let edges = remark.edges.iter();
                let edges = edges.map(|(from, to)| [from.to_string(), to.to_string()]);
                one["edges"] = edges.collect();
            }
            list.push(one);
        }
    }
    files::json(&list)
}
