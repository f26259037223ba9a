//! Arguments of the commands that show what the structurizer does: `cfg`, `tree`, `explain`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use trellis_structurizer::{Stage, Stages};

pub(crate) const CFG_EXAMPLES: &str = "\
Examples:
  trellis cfg shader.dxil -o DIR                  then open DIR/index.html
  trellis cfg graph.cfg -o DIR                    the same for a graph as text
  trellis cfg lib.dxil --entry main -o DIR        one of several entry points
  trellis cfg shader.dxil -o DIR --layout dot     Graphviz places the blocks

DIR gets a picture (.svg) and a Graphviz file (.dot) for the input and for each stage that changed the graph, \
before-after.svg with the input and the result side by side, and index.html: all pictures with the remarks next to them, \
to step through with the arrow keys. A graph of more than 2000 blocks is written as .dot only.";

pub(crate) const TREE_EXAMPLES: &str = "\
Examples:
  trellis tree shader.dxil                    ifs, loops and switches of the result
  trellis tree shader.dxil --instructions     with the DXIL of each block
  trellis tree graph.cfg                      the same for a graph as text
  trellis tree shader.dxil --without loop-exits

After // are the blocks of the structured function, with the DXIL's labels in parentheses. A `block` is a breakable block: a \
switch with a default case only, made to break from.";

pub(crate) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  trellis explain shader.dxil               what each stage decided, and about which block
  trellis explain shader.dxil --json
  trellis explain graph.cfg --without breakable-blocks

Stages are listed in the order in which they run. A selector or a breakable block names the edges that force it.

The JSON is a list of { function, stage, block, decision, text } and, where a decision has them, `other` (another block), \
`count`, and `edges` (pairs of blocks).";

/// Stages that are switched off.
#[derive(Args)]
#[command(next_help_heading = "Structurizer")]
pub(crate) struct StageArgs {
    /// Switch a stage off; may be given several times. The output stays valid and equivalent
    #[arg(long, value_name = "STAGE", value_parser = stage_parser())]
    without: Vec<Stage>,
}

impl StageArgs {
    /// The structurizer's options: those of the converter, so that what is shown is what `convert`
    /// does.
    pub(crate) fn options(&self) -> trellis_structurizer::Options {
        let mut options = trellis_spirv_backend::Options::default().structurizer;
        options.verify = true;
        options.stages = self
            .without
            .iter()
            .fold(Stages::ALL, |stages, &stage| stages.without(stage));
        options
    }
}

fn stage_parser() -> impl TypedValueParser<Value = Stage> {
    PossibleValuesParser::new(Stage::OPTIONAL.map(Stage::name)).try_map(|name| {
        Stage::from_name(&name).ok_or_else(|| format!("there is no stage `{name}`"))
    })
}

/// What is looked at.
#[derive(Args)]
pub(crate) struct SubjectArgs {
    /// The shader (DXBC container, LLVM bitcode) or a graph as text; - for standard input
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// Entry point of a shader; needed if there are several
    #[arg(short, long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    #[command(flatten)]
    pub(crate) stages: StageArgs,
}

/// Who places the blocks of a picture.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutBy {
    /// Trellis itself: the same everywhere
    Own,
    /// Graphviz's program `dot`, which must be installed
    Dot,
}

/// Arguments of `trellis cfg`.
#[derive(Args)]
pub(crate) struct CfgArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    /// Folder to write the pictures to; it is made if need be
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: PathBuf,
    /// Who places the blocks
    #[arg(long, value_name = "WHO", default_value = "own")]
    pub(crate) layout: LayoutBy,
}

/// Arguments of `trellis tree`.
#[derive(Args)]
pub(crate) struct TreeArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    /// Show phis and instructions, those of a shader as `trellis dis` prints them
    #[arg(short = 'I', long)]
    pub(crate) instructions: bool,
    /// Where to write the text; - (the default) for standard output
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
    /// Where to write the text; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}
