//! Arguments of the commands that look at SPIR-V files of any origin, `stat` and `validate`, and of
//! `minimize-corpus` and `reduce`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use trellis_dxil::Target;
use trellis_restructure::Profile;

use crate::args::TranslationArgs;

pub(crate) const STAT_EXAMPLES: &str = "\
Examples:
  trellis stat shader.spv                     one column for the module, and one per function
  trellis stat ours.spv theirs.spv            side by side
  trellis stat shader.dxil dxc.spv            DXIL is converted first, with the default options
  trellis stat spirv/                         the sums of a folder, and its largest modules
  trellis stat spirv/ --top 5 --sort loops
  trellis stat shader.spv --json

SPIR-V may be of any compiler: instructions of unknown extensions are counted by their numbers. Of a folder the files \
are taken that are named *.spv or begin with SPIR-V's magic number. Files and folders can be mixed; the exit status is \
1 if one of them cannot be read.

A break is an edge to the merge block of a loop or switch, unless it comes from the loop's header or the block with its \
back edge, or is the unconditional branch at the end of a case; loop exits are all edges to merge blocks of loops. A \
continue is an edge to a continue target that does not end the loop's body. A breakable block is a switch with only a \
default, a one-trip loop one whose back edge is never taken. Switches and branches on selectors are those on a phi of \
constants, or on a variable that only constants are stored to. Blocks that control never reaches are counted, \
but not what is in them.";

/// Arguments of `trellis stat`.
#[derive(Args)]
pub(crate) struct StatArgs {
    /// SPIR-V or DXIL files, and folders of SPIR-V files
    #[arg(required = true, value_name = "FILE|DIR", value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Print JSON, with all opcodes and functions
    #[arg(long)]
    pub(crate) json: bool,
    /// Maximum number of modules of a folder, or of functions of a module, that are listed
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
    /// Number to sort by, such as words, loops or selector_branches
    #[arg(long, value_name = "NAME", default_value = "words",
          value_parser = PossibleValuesParser::new(numbers()).map(|name| name.to_owned()))]
    pub(crate) sort: String,
    /// Number of threads [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

/// Returns the names of the numbers.
fn numbers() -> Vec<&'static str> {
    let counts = trellis_dxil::statistics::Counts::default();
    counts.named().map(|(name, _)| name).to_vec()
}

pub(crate) const VALIDATE_EXAMPLES: &str = "\
Examples:
  trellis validate shader.spv
  trellis validate spirv/ --target vulkan1.2
  trellis validate a.spv b.spv --json

Two validators check each module: Trellis's own verifier, and spirv-val if it is built in (feature `validate`); the \
last line names those that ran. SPIR-V may be of any compiler. Trellis's verifier checks the layout, ids and their \
dominance, structured control flow, phis, the types of common instructions, entry points and what shader stages need, \
not each operand of each instruction; spirv-val checks the rest, for Vulkan with scalar block layout.

A message has the word of the instruction in the module, and the instruction as text. The last line on standard output \
is

  valid N, invalid N, not read N

followed by \", not validated N\" if the built-in spirv-val is too old for an extension of so many modules. The exit status \
is 1 if a module is invalid or cannot be read.";

/// Arguments of `trellis validate`.
#[derive(Args)]
pub(crate) struct ValidateArgs {
    /// SPIR-V files, and folders of them
    #[arg(required = true, value_name = "FILE|DIR", value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Vulkan version for spirv-val
    #[arg(long, value_name = "TARGET", default_value = "vulkan1.3",
          value_parser = PossibleValuesParser::new(Target::ALL.map(Target::name))
              .try_map(|name| name.parse::<Target>()))]
    pub(crate) target: Target,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Number of threads [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

pub(crate) const RESTRUCTURE_EXAMPLES: &str = "\
Examples:
  trellis restructure shader.spv -o structured.spv
  trellis restructure shader.spv -o structured.spv --target wgsl    for naga

Merge instructions of the module may be missing, wrong or valid. The result is checked by Trellis's verifier, and by \
spirv-val if it is built in; of a kernel (capability Kernel) only the control flow is. An invalid one is not written.";

/// Arguments of `trellis restructure`.
#[derive(Args)]
pub(crate) struct RestructureArgs {
    /// SPIR-V module; - for standard input
    #[arg(value_name = "INPUT", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// Output file; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Reader of the result: `wgsl` has no fall-through, and a merge block for each conditional branch
    #[arg(long, value_name = "TARGET", default_value = "spirv",
          value_parser = PossibleValuesParser::new(Profile::ALL.map(|profile| profile.0))
              .try_map(|name| Profile::from_name(&name).ok_or("not a target")))]
    pub(crate) target: Profile,
}

pub(crate) const MINIMIZE_EXAMPLES: &str = "\
Examples:
  trellis minimize-corpus shaders/ -o few/
  trellis minimize-corpus shaders/ more.zip --list > files.txt
  trellis minimize-corpus shaders/ --json > chosen.json
  trellis minimize-corpus shaders/ -o few/ --include 'lit/**' --target vulkan1.1

The inputs are those of `trellis batch`. Each is read and converted; its features are its DXIL operations with their \
overloads, stage, shader model, flags, metadata, resources and signature elements, the counters of the structurizer in \
buckets by powers of two, the instructions, capabilities and extensions of its SPIR-V, and the kinds of failures. A \
greedy set cover chooses shaders that together have all features; of shaders with equal features it takes the smallest. \
The result depends on the contents and the options, not on names, the order of the inputs or the number of jobs.

The files keep the paths that they have below their folder or archive. The last line on standard output is

  chosen N of N shaders, N of N bytes, features N

and a line before it for each chosen shader, with the number of features that none before it has. With --list the \
lines are the names of the chosen inputs alone. With --list or --json nothing is written unless -o is given, too. The \
JSON has for each chosen shader `brings`, the features that no shader before it has, and `alone`, those that no other has. \
The exit status is 1 if an input cannot be read.";

/// Arguments of `trellis minimize-corpus`.
#[derive(Args)]
pub(crate) struct MinimizeArgs {
    /// Shader files, folders, archives and manifests
    #[arg(required = true, value_name = "INPUT", value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Folder for copies of the chosen shaders; created if it does not exist
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath,
          required_unless_present_any = ["list", "json"])]
    pub(crate) output: Option<PathBuf>,
    /// Print only the names of the chosen inputs
    #[arg(long)]
    pub(crate) list: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Include only paths below a folder, archive or manifest that match one of these patterns
    #[arg(long, value_name = "PATTERN")]
    pub(crate) include: Vec<String>,
    /// Exclude paths that match one of these patterns
    #[arg(long, value_name = "PATTERN")]
    pub(crate) exclude: Vec<String>,
    /// Number of threads [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Do not show progress on standard error
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) translation: TranslationArgs,
}

pub(crate) const REDUCE_EXAMPLES: &str = "\
Examples:
  trellis reduce shader.dxil -o small.dxil                        the same sort of failure as the shader has
  trellis reduce shader.dxil -o small.dxil --until unsupported    any failure of that kind
  trellis reduce shader.dxil -o small.dxil --until unsupported:operation:SampleLevel
  trellis reduce shader.dxil -o small.dxil --until invalid:recursion --entry main
  trellis reduce shader.dxil -o small.dxil --command './crashes.sh {}' --timeout 10

The shader is taken apart and what the failure does not need is removed: parts of the container, bodies of functions, \
debug information, edges of branches and switches, instructions (their values become zero), metadata, and names. The \
result is always the same for a shader and a condition. Types, declarations of functions and constants of the module stay, \
as others are numbered after them; functions whose calls have metadata as arguments keep their instructions.

Without --until, the failure must have the sort and the message of the shader's own, but for names and numbers. \
A sort is the kind of the failure, then the feature and the operation that are not supported or the sort of rule that is \
broken, as in `trellis batch --report`, with `:` between them; one with fewer parts is the same for all that begin with \
it. A shader with several entry points has the failures of all, unless --entry names one.

With --command, a shader is of interest if the command exits with status 0. It is run by `sh` in the current folder, with \
{} replaced by the quoted path of a temporary file, or with the path added at the end; after --timeout seconds it \
is killed, and the shader is not of interest.

Each improvement is written at once, whole, so that the output can be used at any time. Progress is shown on standard \
error. The last line on standard output is

  N bytes -> N bytes, tests N, improvements N, rounds N";

/// Arguments of `trellis reduce`.
#[derive(Args)]
pub(crate) struct ReduceArgs {
    /// The shader
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// The file for the result
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    /// Failure that the result must have [default: the shader's failure, with its message]
    #[arg(long, value_name = "SORT", conflicts_with = "command")]
    pub(crate) until: Option<String>,
    /// Command that exits with status 0 if a shader is interesting
    #[arg(long, value_name = "COMMAND")]
    pub(crate) command: Option<String>,
    /// Seconds after which the command is killed
    #[arg(long, value_name = "SECONDS", default_value_t = 30, requires = "command",
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) timeout: u64,
    /// Convert only this entry point
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Do not show progress on standard error
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) translation: TranslationArgs,
}
