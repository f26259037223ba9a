//! `trellis validate`: SPIR-V modules of any compiler, checked by our verifier and by spirv-val.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use serde::Serialize;
use trellis_corpus::failure::Failure;
use trellis_corpus::modules::{self, ModuleFile, words_of};
use trellis_dxil::check::{self, SpirvValError};
use trellis_dxil::{Target, VerifyRule};

use super::stat::{no_threads, unlisted};
use crate::files::{self, printable};
use crate::problem::Problem;
use crate::translation::target_parser;

const VALIDATE_EXAMPLES: &str = "\
Examples:
  trellis validate shader.spv
  trellis validate spirv/ --target vulkan1.2
  trellis validate a.spv b.spv --json

Two validators check each module: Trellis's own verifier, and spirv-val if it is built in (feature `validate`); the \
last line names those that ran. SPIR-V may be of any compiler. Trellis's verifier checks the layout, ids and their \
dominance, structured control flow, phis, the types of common instructions, entry points and the rules of shader stages, \
not each operand of each instruction; spirv-val checks the rest, for Vulkan with scalar block layout.

A message has the word of the instruction in the module, and the instruction as text. The last line on standard output \
is

  valid N, invalid N, not read N

followed by \", not validated N\" if the built-in spirv-val is too old for an extension of N modules. The exit status \
is 1 if a module is invalid or cannot be read.";

/// Arguments of `trellis validate`.
#[derive(Args)]
#[command(after_help = VALIDATE_EXAMPLES)]
pub(crate) struct ValidateArgs {
    /// SPIR-V files, and folders of them
    #[arg(required = true, value_name = "FILE|DIR", value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Vulkan version for spirv-val
    #[arg(long, value_name = "TARGET", default_value = "vulkan1.3",
          value_parser = target_parser())]
    pub(crate) target: Target,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Number of threads [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

/// The result of a module.
#[derive(Serialize)]
struct Checked {
    path: String,
    valid: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    messages: Vec<Message>,
    /// Why spirv-val could not check it.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_validated: Option<String>,
    /// Why it could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_read: Option<String>,
}

/// A rule that a module breaks.
#[derive(Serialize)]
struct Message {
    validator: &'static str,
    message: String,
    /// The position of the instruction, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<usize>,
    /// The id of its function.
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<u32>,
    /// The instruction as text.
    #[serde(skip_serializing_if = "String::is_empty")]
    instruction: String,
}

#[derive(Default, Serialize)]
struct Totals {
    valid: usize,
    invalid: usize,
    not_read: usize,
    not_validated: usize,
}

#[derive(Serialize)]
struct Report {
    target: &'static str,
    validators: &'static [&'static str],
    totals: Totals,
    modules: Vec<Checked>,
}

/// Checks the modules.
pub(crate) fn run(args: &ValidateArgs) -> Result<ExitCode, Problem> {
    let list = modules::list(&args.inputs).map_err(|error| unlisted(&error))?;
    let jobs = args.jobs.map(usize::from);
    let work = |_: &ModuleFile, bytes: &[u8]| check_module(bytes, args.target);
    let results = modules::for_each(&list, jobs, work).map_err(|error| no_threads(&error))?;
    let mut totals = Totals::default();
    let mut checked = Vec::with_capacity(list.len());
    for (file, result) in list.iter().zip(results) {
        let module = Checked {
            path: file.name.clone(),
            ..result.unwrap_or_else(|failure| unread(&failure))
        };
        *(match (&module.not_read, module.valid) {
            (Some(_), _) => &mut totals.not_read,
            (None, true) => &mut totals.valid,
            (None, false) => &mut totals.invalid,
        }) += 1;
        totals.not_validated += usize::from(module.not_validated.is_some());
        checked.push(module);
    }
    let report = Report {
        target: args.target.name(),
        validators: if check::has_spirv_val() {
            &["trellis", "spirv-val"]
        } else {
            &["trellis"]
        },
        totals,
        modules: checked,
    };
    let text = if args.json {
        files::json(&report)?
    } else {
        text_of(&report)
    };
    files::write_standard(text.as_bytes())?;
    Ok(ExitCode::from(u8::from(
        report.totals.invalid + report.totals.not_read > 0,
    )))
}

fn unread(failure: &Failure) -> Checked {
    Checked {
        path: String::new(),
        valid: false,
        messages: Vec::new(),
        not_validated: None,
        not_read: Some(failure.message.clone()),
    }
}

/// Runs both validators, so that a message of one can be compared with the other's.
fn check_module(bytes: &[u8], target: Target) -> Result<Checked, Failure> {
    let words = words_of(bytes)?;
    let mut messages = Vec::new();
    if let Err(error) = check::verify(&words) {
        let at = error.at.as_ref();
        let word = match error.rule {
            VerifyRule::Truncated { word } | VerifyRule::WordCount { word, .. } => Some(word),
            _ => at.map(|at| at.word),
        };
        messages.push(Message {
            validator: "trellis",
            message: error.rule.to_string(),
            word: word.map(|word| word as usize),
            function: at.and_then(|at| at.function),
            instruction: at.map(|at| at.text.clone()).unwrap_or_default(),
        });
    }
    let mut not_validated = None;
    match check::spirv_val(&words, target) {
        Err(SpirvValError::Rejected {
            message,
            word,
            text,
        }) => messages.push(Message {
            validator: "spirv-val",
            message,
            word,
            function: None,
            instruction: text,
        }),
        Err(SpirvValError::Missing) | Ok(()) => {}
        Err(error) => not_validated = Some(error.to_string()),
    }
    Ok(Checked {
        path: String::new(),
        valid: messages.is_empty(),
        messages,
        not_validated,
        not_read: None,
    })
}

fn text_of(report: &Report) -> String {
    let mut text = String::new();
    for module in &report.modules {
        let path = printable(&module.path);
        for message in &module.messages {
            // Writing to a string cannot fail.
            let _ = write!(text, "invalid: {path}: {}: ", message.validator);
            if let Some(word) = message.word {
                let _ = write!(text, "word {word}: ");
            }
            text.push_str(&printable(&message.message));
            if !message.instruction.is_empty() {
                let _ = write!(text, "\n  {}", printable(&message.instruction));
                if let Some(function) = message.function {
                    let _ = write!(text, " (function %{function})");
                }
            }
            text.push('\n');
        }
        if let Some(reason) = &module.not_validated {
            let _ = writeln!(text, "not validated: {path}: {reason}");
        }
        if let Some(reason) = &module.not_read {
            let _ = writeln!(text, "not read: {path}: {reason}");
        }
    }
    let validators = match report.validators {
        [_] => "Trellis's verifier; spirv-val is not in this build".to_owned(),
        _ => format!("Trellis's verifier and spirv-val for {}", report.target),
    };
    let totals = &report.totals;
    let _ = write!(text, "checked by {validators}\nvalid {}", totals.valid);
    let _ = write!(
        text,
        ", invalid {}, not read {}",
        totals.invalid, totals.not_read
    );
    if totals.not_validated > 0 {
        let _ = write!(text, ", not validated {}", totals.not_validated);
    }
    text.push('\n');
    text
}
