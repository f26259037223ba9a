//! Arguments of the commands that show what the structurizer does: `cfg`, `tree`, `explain`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use trellis_dxil::structurizer::{Stage, Stages, Target};

pub(crate) const CFG_EXAMPLES: &str = "\
Examples:
  trellis cfg shader.dxil -o DIR                  write the pictures and DIR/index.html
  trellis cfg graph.cfg -o DIR                    from the text form of a graph
  trellis cfg lib.dxil --entry main -o DIR        one of several entry points
  trellis cfg shader.dxil -o DIR --layout dot     use Graphviz for the layout

The output folder receives a picture (.svg) and a Graphviz file (.dot) of the input and of the result of each stage that \
changed the graph; before-after.svg with the input and the result side by side; and index.html, which shows all pictures \
with their remarks (step through them with the arrow keys). A graph of more than 2000 blocks is written as .dot only.";

pub(crate) const TREE_EXAMPLES: &str = "\
Examples:
  trellis tree shader.dxil                    the structured control flow
  trellis tree shader.dxil --instructions     with the DXIL of each block
  trellis tree graph.cfg                      from the text form of a graph
  trellis tree shader.dxil --without loop-exits
  trellis tree graph.cfg --target rust        with labels in place of selectors

Comments (//) name the blocks of the structured function, with the DXIL's labels in parentheses. A `block` is a breakable \
block: a switch with only a default case, which serves as the target of breaks.";

pub(crate) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  trellis explain shader.dxil               the decisions of each stage, with their blocks
  trellis explain shader.dxil --json
  trellis explain graph.cfg --without breakable-blocks

Stages are listed in the order in which they run. A remark about a selector or a breakable block lists the edges that require it.

The JSON is a list of { function, stage, block, decision, text } and, where a decision has them, `other` (another block), \
`count`, and `edges` (pairs of blocks).";

/// Disabled stages.
#[derive(Args)]
#[command(next_help_heading = "Structurizer")]
pub(crate) struct StageArgs {
    /// Disable a stage; may be given several times. The output remains valid and equivalent
    #[arg(long, value_name = "STAGE", value_parser = stage_parser())]
    without: Vec<Stage>,
    /// Language whose exits the output may use
    #[arg(long, value_name = "LANGUAGE", value_parser = target_parser(), default_value = "spirv")]
    target: Target,
    /// Merge returns, so that at most one block returns
    #[arg(long)]
    single_return: bool,
}

impl StageArgs {
    /// Returns the structurizer's options: the converter's own, so that the output shows what
    /// `convert` does, less the disabled stages.
    pub(crate) fn options(&self) -> trellis_dxil::structurizer::Options {
        let mut options = trellis_dxil::Options::default().structurizer_options();
        options.verify = true;
        options.stages = self
            .without
            .iter()
            .fold(Stages::ALL, |stages, &stage| stages.without(stage));
        options.target = self.target.with_single_return(self.single_return);
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

/// The layout engine of a picture.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutBy {
    /// Trellis's own layout, which does not depend on the machine
    Own,
    /// Graphviz's `dot`, which must be installed
    Dot,
}

/// Arguments of `trellis cfg`.
#[derive(Args)]
pub(crate) struct CfgArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    /// Folder for the pictures; created if it does not exist
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: PathBuf,
    /// The layout engine
    #[arg(long, value_name = "ENGINE", default_value = "own")]
    pub(crate) layout: LayoutBy,
}

/// Arguments of `trellis tree`.
#[derive(Args)]
pub(crate) struct TreeArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    /// Print phis and instructions; a shader's are printed as by `trellis dis`
    #[arg(short = 'I', long)]
    pub(crate) instructions: bool,
    /// Output file for the text; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

/// Arguments of `trellis explain`.
#[derive(Args)]
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
