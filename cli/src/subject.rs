//! The input of `cfg`, `tree` and `explain`: the functions of a shader, or the text form of a
//! graph.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use trellis_corpus::failure::{Failure, Kind};
use trellis_corpus::guard::guarded;
use trellis_dxil::ControlFlow;
use trellis_dxil::frontend::is_dxil;
use trellis_dxil::structurizer::ir::Function;
use trellis_dxil::structurizer::text::{ParseError, parse};
use trellis_dxil::structurizer::tree::Names;
use trellis_dxil::structurizer::{Stage, Stages, Target, Trace, trace};
use trellis_explorer::{Labels, graph_of};

use crate::files;
use crate::problem::Problem;

/// Disabled stages.
#[derive(Args)]
#[command(next_help_heading = "Structurizer")]
pub(crate) struct StageArgs {
    /// Disable a stage; may be given several times. The output remains valid and equivalent
    #[arg(long, value_name = "STAGE", value_parser = stage_parser())]
    without: Vec<Stage>,
    /// Language whose exits the output may use [default: spirv]
    #[arg(long, value_name = "LANGUAGE", value_parser = target_parser())]
    target: Option<Target>,
    /// Merge returns, so that at most one block returns
    #[arg(long)]
    single_return: bool,
}

impl StageArgs {
    /// Returns true if none of the options is given.
    pub(crate) fn is_default(&self) -> bool {
        self.without.is_empty() && self.target.is_none() && !self.single_return
    }

    /// Returns the structurizer's options: the converter's, so that the output is the same as
    /// `convert`'s, without the disabled stages.
    pub(crate) fn options(&self) -> trellis_dxil::structurizer::Options {
        let mut options = trellis_dxil::Options::default().structurizer_options();
        options.verify = true;
        options.stages = self
            .without
            .iter()
            .fold(Stages::ALL, |stages, &stage| stages.without(stage));
        let target = self.target.unwrap_or_default();
        options.target = target.with_single_return(self.single_return);
        options
    }
}

fn target_parser() -> impl TypedValueParser<Value = Target> {
    PossibleValuesParser::new(Target::PROFILES.map(|profile| profile.0))
        .try_map(|name| Target::from_name(&name).ok_or_else(|| format!("unknown target `{name}`")))
}

fn stage_parser() -> impl TypedValueParser<Value = Stage> {
    PossibleValuesParser::new(Stage::OPTIONAL.map(Stage::name))
        .try_map(|name| Stage::from_name(&name).ok_or_else(|| format!("unknown stage `{name}`")))
}

/// The shader or graph to show.
#[derive(Args)]
pub(crate) struct SubjectArgs {
    /// The shader (DXBC container, LLVM bitcode) or the text form of a graph; - for standard input
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// Entry point of a shader; required if there are several
    #[arg(short, long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    #[command(flatten)]
    pub(crate) stages: StageArgs,
}

/// A function with the names from its source and the trace of its structurization.
pub(crate) struct Subject {
    /// The function's name; empty for the text form of a graph.
    pub(crate) name: String,
    pub(crate) names: Box<dyn Names>,
    pub(crate) trace: Trace,
}

/// Reads the input that the arguments name and structurizes its functions.
pub(crate) fn subjects(args: &SubjectArgs) -> Result<Vec<Subject>, Problem> {
    subjects_of(args, &files::read(&args.input)?)
}

/// As [`subjects`], of an input that was read.
pub(crate) fn subjects_of(args: &SubjectArgs, bytes: &[u8]) -> Result<Vec<Subject>, Problem> {
    let name = files::name_of(&args.input);
    let options = args.stages.options();
    let failed = Problem::failed("structurize", &args.input);
    let traced = |function: &str, func: Function| {
        trace(func, &options).map_err(|source| {
            // Reuse the message of the backend's error.
            Failure::from(&trellis_dxil::Error::Structurize {
                function: function.to_owned(),
                source,
            })
        })
    };
    let text = (!is_dxil(bytes))
        .then(|| std::str::from_utf8(bytes).ok())
        .flatten();
    if let Some(text) = text.filter(|text| !text.contains('\0')) {
        let text = graph_of(text);
        if args.entry.is_some() {
            return Err(Problem::usage_error(format!(
                "{name} is the text form of a graph, which has no entry points"
            ))
            .help("remove --entry"));
        }
        let func = graph(&name, text)?;
        let names = Box::new(Labels::of(text, func.num_blocks()));
        let trace = guarded(|| traced("graph", func)).map_err(failed)?;
        return Ok(vec![Subject {
            name: String::new(),
            names,
            trace,
        }]);
    }
    let work = || {
        let options = trellis_dxil::Options::default().with_entry(args.entry.clone());
        let functions: Vec<ControlFlow> =
            trellis_dxil::control_flow(bytes, &options).map_err(|error| Failure::from(&error))?;
        let subjects = functions.into_iter().map(|f| {
            let trace = traced(&f.name, f.function.clone())?;
            Ok(Subject {
                name: f.name.clone(),
                names: Box::new(f),
                trace,
            })
        });
        let subjects = subjects.collect::<Result<Vec<_>, Failure>>()?;
        match subjects.is_empty() {
            true => Err(Failure::new(Kind::Other, "the entry point has no function")),
            false => Ok(subjects),
        }
    };
    guarded(work).map_err(failed)
}

/// Parses the text form of a graph.
pub(crate) fn graph(name: &str, text: &str) -> Result<Function, Problem> {
    parse(text).map_err(|error| parse_problem(name, text, &error))
}

/// Converts a parser's error to a problem that shows the line in question.
fn parse_problem(name: &str, text: &str, error: &ParseError) -> Problem {
    let problem = Problem::input_error(format!(
        "{name} is not a control-flow graph: line {}, column {}",
        error.line, error.column
    ));
    let wanted = format!("expected {}, found {}", error.expected, error.found);
    // An empty text has no line to show.
    let problem = if text.is_empty() {
        problem.because(error)
    } else {
        problem.at(
            name,
            text,
            error.line as usize,
            error.column as usize,
            wanted,
        )
    };
    problem.help("text is read as a graph: a line is `block: successor successor`, for example `a: b c`, or the long form that `trellis structurize` prints; HLSL must be compiled")
}
