//! The grammar of the command line and its help texts.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use trellis_dxil::options::IntrinsicsUav;
use trellis_dxil::{MinPrecision, Target};

use crate::batch_args::{BATCH_EXAMPLES, BatchArgs};
use crate::commands::man::{MAN_EXAMPLES, ManArgs};
use crate::commands::serve::{SERVE_EXAMPLES, ServeArgs};
use crate::compare_args::{COMPARE_EXAMPLES, CompareArgs};
use crate::shift::Shifts;
use crate::tool_args::{
    MINIMIZE_EXAMPLES, MinimizeArgs, REDUCE_EXAMPLES, RESTRUCTURE_EXAMPLES, ReduceArgs,
    RestructureArgs, STAT_EXAMPLES, StatArgs, VALIDATE_EXAMPLES, ValidateArgs,
};
use crate::view_args::{
    CFG_EXAMPLES, CfgArgs, EXPLAIN_EXAMPLES, ExplainArgs, StageArgs, TREE_EXAMPLES, TreeArgs,
};

/// Describes whether spirv-val is built in.
#[cfg(feature = "validate")]
macro_rules! validator {
    () => {
        "built in"
    };
}
/// Describes whether spirv-val is built in.
#[cfg(not(feature = "validate"))]
macro_rules! validator {
    () => {
        "not in this build (it needs the feature `validate`); Trellis's own verifier always runs"
    };
}

/// The text of `--version` after the program's name; `-V` prints only the version number.
const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ninput:     DXIL in a DXBC container or as LLVM bitcode; shader models 6.0 to 6.9; all stages and nodes of work graphs",
    "\ntargets:   vulkan1.1 (SPIR-V 1.3), vulkan1.2 (SPIR-V 1.5), vulkan1.3 (SPIR-V 1.6, default), vulkan1.4 (SPIR-V 1.6)",
    "\nspirv-val: ",
    validator!()
);

const AFTER_HELP: &str = "\
Examples:
  trellis convert shader.dxil -o shader.spv    convert one shader to a SPIR-V file
  trellis convert shader.dxil --asm            print the SPIR-V as assembly text
  trellis batch shaders/ -o spirv/             convert a folder of shaders in parallel
  trellis dis shader.dxil                      print the shader's DXIL as an LLVM listing
  trellis reflect shader.dxil                  print its resources and signatures as JSON

Every output is verified before it is written; output that fails verification is never written.
`-` is standard input or standard output.

Exit status: 0 success; 1 a shader failed; 2 incorrect usage, or a file cannot be read or written.
`trellis help COMMAND` explains a command, with examples.";

/// Translates Direct3D 12 shaders (DXIL) to Vulkan shaders (SPIR-V)
#[derive(Parser)]
#[command(name = "trellis", version, long_version = LONG_VERSION, after_help = AFTER_HELP, max_term_width = 100)]
#[command(arg_required_else_help = true)]
pub(crate) struct Arguments {
    /// The command to run.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Convert one shader to SPIR-V
    #[command(after_help = CONVERT_EXAMPLES)]
    Convert(ConvertArgs),
    /// Convert many shaders in parallel: files, folders, manifests
    #[command(after_help = BATCH_EXAMPLES)]
    Batch(BatchArgs),
    /// Compare two batches: their reports, or the folders of their outputs
    #[command(after_help = COMPARE_EXAMPLES)]
    Compare(CompareArgs),
    /// Print sizes and structure of SPIR-V modules of any compiler, side by side
    #[command(after_help = STAT_EXAMPLES)]
    Stat(StatArgs),
    /// Check SPIR-V modules of any compiler with Trellis's verifier and spirv-val
    #[command(after_help = VALIDATE_EXAMPLES)]
    Validate(ValidateArgs),
    /// Choose few shaders of a set that together have all its features
    #[command(after_help = MINIMIZE_EXAMPLES)]
    MinimizeCorpus(MinimizeArgs),
    /// Reduce a failing shader to a small one with the same failure
    #[command(after_help = REDUCE_EXAMPLES)]
    Reduce(ReduceArgs),
    /// Disassemble a shader: DXIL as an LLVM listing, SPIR-V as assembly
    #[command(after_help = DIS_EXAMPLES)]
    Dis(DisArgs),
    /// Print a shader's resources, signatures and other properties as JSON
    #[command(after_help = REFLECT_EXAMPLES)]
    Reflect(ReflectArgs),
    /// Print the stage and name of each entry point, one per line
    #[command(after_help = LIST_EXAMPLES)]
    List(ListArgs),
    /// Run a compute shader on the CPU and print the final contents of its UAVs
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunArgs),
    /// Structurize a control-flow graph that is written as text
    #[command(after_help = STRUCTURIZE_EXAMPLES)]
    Structurize(StructurizeArgs),
    /// Give SPIR-V of any compiler valid structured control flow
    #[command(after_help = RESTRUCTURE_EXAMPLES)]
    Restructure(RestructureArgs),
    /// Print a shader's structured control flow as pseudo-code with ifs, loops and switches
    #[command(after_help = TREE_EXAMPLES)]
    Tree(TreeArgs),
    /// Draw a shader's control-flow graph after each stage of the structurizer, with an HTML page
    /// to step through them
    #[command(after_help = CFG_EXAMPLES)]
    Cfg(CfgArgs),
    /// Print the decisions of each stage of the structurizer for a shader, with their reasons
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain(ExplainArgs),
    /// Serve a page that steps through the translation of shaders, for this machine only
    #[command(after_help = SERVE_EXAMPLES)]
    Serve(ServeArgs),
    /// List the translation options with their defaults
    #[command(after_help = OPTIONS_EXAMPLES)]
    Options(OptionsArgs),
    /// Print a completion script for a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell to generate completions for
        shell: Shell,
    },
    /// Print the manual page, or write the pages of all commands to a folder
    #[command(after_help = MAN_EXAMPLES)]
    Man(ManArgs),
}

const CONVERT_EXAMPLES: &str = "\
Examples:
  trellis convert shader.dxil -o shader.spv
  trellis convert shader.dxil --asm                      print assembly text
  trellis convert lib.dxil --entry main -o main.spv      one of several entry points
  trellis convert - --target vulkan1.1 < a.dxil > a.spv  as a filter
  trellis convert a.dxil -o a.spv --shift srv=0,uav=100  other binding numbers

Bindings: by default, set = register space and binding = register + the shift of the resource's class: \
cbv 0, srv 1000, uav 2000, sampler 3000, counter (of a UAV) 4000. --shift changes the shifts; \
a JSON file given by --bindings maps individual resources, and the shifts apply to all others:

  { \"bindings\": [
      { \"class\": \"srv\", \"space\": 0, \"register\": 3, \"range\": 4, \"set\": 1, \"binding\": 7 },
      { \"class\": \"cbv\", \"register\": 0, \"set\": 2, \"binding\": 0 } ] }

Stage inputs and outputs: by default, location = register. A JSON file given by --stage-io moves individual elements, \
and captures outputs by transform feedback (D3D's stream output):

  { \"vertex_inputs\": [ { \"semantic\": \"POSITION\", \"index\": 0, \"location\": 4 } ],
    \"inputs\": [ { \"semantic\": \"COLOR\", \"location\": 1, \"component\": 2, \"per_primitive\": true } ],
    \"outputs\": [ { \"semantic\": \"TEXCOORD\", \"index\": 3, \"location\": 0 } ],
    \"stream_output\": [
      { \"semantic\": \"SV_Position\", \"components\": 3, \"buffer\": 0, \"stride\": 12, \"offset\": 0 } ] }";

const DIS_EXAMPLES: &str = "\
Examples:
  trellis dis shader.dxil
  trellis dis shader.dxil -o shader.ll
  trellis dis shader.spv
  trellis convert shader.dxil | trellis dis -";

const REFLECT_EXAMPLES: &str = "\
Examples:
  trellis reflect shader.dxil
  trellis reflect shader.dxil -o shader.json";

const LIST_EXAMPLES: &str = "\
Examples:
  trellis list lib.dxil
  trellis list lib.dxil | grep '^compute '";

const RUN_EXAMPLES: &str = "\
Examples:
  trellis run shader.dxil --template > inputs.json    write a template with all declared resources
  trellis run shader.dxil --inputs inputs.json
  trellis run shader.dxil --inputs inputs.json --wave 64

The inputs are a JSON file: groups, and for each resource its class, register, kind and contents.

  { \"groups\": [2, 1, 1], \"bindings\": [
      { \"class\": \"srv\", \"register\": 0, \"kind\": \"structured\", \"stride\": 4, \"data\": {\"u32\": [1, 2, 3]} },
      { \"class\": \"uav\", \"register\": 0, \"kind\": \"raw\", \"bytes\": 64 } ] }

The output has the same form and holds the final contents of the UAVs. If a binding has `expect`, the result is \
compared with it; the exit status is 1 if they differ.";

const STRUCTURIZE_EXAMPLES: &str = "\
Examples:
  trellis structurize graph.cfg
  trellis structurize graph.cfg --tree    print pseudo-code with ifs, loops and switches";

const OPTIONS_EXAMPLES: &str = "\
Examples:
  trellis options
  trellis options --json
  trellis convert shader.dxil -o shader.spv --options options.json

A file given by --options is a JSON object with any subset of these options; each group is a nested object:

  { \"target\": \"vulkan1.2\",
    \"workarounds\": { \"point_size\": false },
    \"bindings\": { \"shifts\": { \"srv\": 100 } },
    \"structurizer\": { \"stages\": { \"arm-flattening\": false } } }

`bindings` has the form of a --bindings file, `stage_io` that of a --stage-io file. Command-line options override the \
file: --shift changes the shifts that it names, --bindings replaces the rest of `bindings` and the shifts that its \
file names, --stage-io replaces `stage_io`, and --mesh replaces `mesh`. `debug.debug_info` is true here, unless \
the file says otherwise or --strip-debug is given.";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  trellis completions bash > ~/.local/share/bash-completion/completions/trellis
  trellis completions zsh > ~/.zfunc/_trellis
  trellis completions fish > ~/.config/fish/completions/trellis.fish
  trellis completions powershell >> $PROFILE";

/// Mapping of resources to descriptor sets and bindings.
#[derive(Args)]
#[command(next_help_heading = "Translation")]
pub(crate) struct BindingArgs {
    /// Offset from register to binding number for each class: cbv, srv, uav, sampler, counter
    #[arg(long, value_name = "CLASS=N,…")]
    pub(crate) shift: Option<Shifts>,
    /// JSON file that maps resources to sets and bindings
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) bindings: Option<PathBuf>,
    /// Container with a root signature, such as a shader, or a serialized root signature: constants
    /// become push constants, each table a set; `trellis reflect` prints the layout
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
          conflicts_with_all = ["shift", "bindings"])]
    pub(crate) root_signature: Option<PathBuf>,
    /// Root descriptors of the root signature are device addresses before its constants, instead of
    /// descriptors
    #[arg(long, requires = "root_signature")]
    pub(crate) root_addresses: bool,
}

/// Options of the translation.
#[derive(Args)]
#[command(next_help_heading = "Translation")]
pub(crate) struct TranslationArgs {
    /// JSON file with options, as listed by `trellis options`; command-line options override it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) options: Option<PathBuf>,
    /// Target environment of the output [default: vulkan1.3]
    #[arg(long, value_name = "TARGET", value_parser = target_parser())]
    pub(crate) target: Option<Target>,
    /// Also check the output with spirv-val; Trellis's own verifier always runs
    #[arg(long)]
    pub(crate) validate: bool,
    #[command(flatten)]
    pub(crate) places: BindingArgs,
    /// min16float and min16int: 32 bits with RelaxedPrecision, or 16 bits [default: relaxed]
    #[arg(long, value_name = "HOW", value_parser = min_precision_parser())]
    pub(crate) min_precision: Option<MinPrecision>,
    /// Omit the names of functions, variables and resources
    #[arg(long)]
    pub(crate) strip_names: bool,
    /// Omit the debug information (NonSemantic.Shader.DebugInfo.100) of shaders that were compiled
    /// with -Zi -Qembed_debug
    #[arg(long)]
    pub(crate) strip_debug: bool,
    /// Allow sampling with dynamic offsets (SM 6.7); requires VK_KHR_maintenance8
    #[arg(long)]
    pub(crate) dynamic_offsets: bool,
    /// Do not write PointSize in vertex shaders and in geometry shaders that emit points; valid if
    /// no points are drawn or the device has VK_KHR_maintenance5
    #[arg(long)]
    pub(crate) no_point_size: bool,
    /// Write PointSize in domain shaders; needed for hull shaders with outputtopology("point")
    #[arg(long)]
    pub(crate) tessellation_point_size: bool,
    /// Translate intrinsics of AMD AGS; the register of their UAV if it is not the default, such as
    /// u0,space7
    #[arg(long, value_name = "REGISTER", num_args = 0..=1, require_equals = true,
          default_missing_value = "u0,space2147420894", value_parser = intrinsics_uav)]
    pub(crate) ags: Option<IntrinsicsUav>,
    /// Translate intrinsics of NVIDIA NVAPI, with the register of their UAV, such as u7,space3
    #[arg(long, value_name = "REGISTER", value_parser = intrinsics_uav)]
    pub(crate) nvapi: Option<IntrinsicsUav>,
    /// First location of patch constants [default: after the control points' locations]
    #[arg(long, value_name = "LOCATION")]
    pub(crate) patch_location: Option<u32>,
    /// JSON file with the locations of stage inputs and outputs, and the captures of stream output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) stage_io: Option<PathBuf>,
    /// Mesh shader whose outputs a pixel shader reads; they are linked by semantic
    #[arg(long, value_name = "FILE")]
    pub(crate) mesh: Option<PathBuf>,
}

fn target_parser() -> impl TypedValueParser<Value = Target> {
    PossibleValuesParser::new(Target::ALL.map(Target::name)).try_map(|name| name.parse::<Target>())
}

/// Reads a register of a UAV, and its space unless that is 0: `u7,space3`.
fn intrinsics_uav(text: &str) -> Result<IntrinsicsUav, String> {
    let (register, space) = text.split_once(',').unwrap_or((text, "space0"));
    let number = |text: &str, prefix: &str| text.trim().strip_prefix(prefix)?.parse().ok();
    match (number(register, "u"), number(space, "space")) {
        (Some(register), Some(space)) => Ok(IntrinsicsUav { register, space }),
        _ => Err("write it like u7 or u7,space3".to_owned()),
    }
}

fn min_precision_parser() -> impl TypedValueParser<Value = MinPrecision> {
    PossibleValuesParser::new(["relaxed", "native"]).map(|name| {
        if name == "native" {
            MinPrecision::Native16
        } else {
            MinPrecision::Relaxed32
        }
    })
}

/// Arguments of `trellis convert`.
#[derive(Args)]
pub(crate) struct ConvertArgs {
    /// The shader: a DXBC container or LLVM bitcode; - for standard input
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// Output file for the SPIR-V; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Entry point to convert; required if there are several
    #[arg(short, long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Write assembly text instead of a binary
    #[arg(long)]
    pub(crate) asm: bool,
    #[command(flatten)]
    pub(crate) translation: TranslationArgs,
}

/// Arguments of `trellis options`.
#[derive(Args)]
pub(crate) struct OptionsArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `trellis dis`.
#[derive(Args)]
pub(crate) struct DisArgs {
    /// The shader: DXBC container, LLVM bitcode, or SPIR-V; - for standard input
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// Output file for the text; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

/// Arguments of `trellis reflect`.
#[derive(Args)]
pub(crate) struct ReflectArgs {
    /// The shader: a DXBC container or LLVM bitcode; - for standard input
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// Output file for the JSON; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) places: BindingArgs,
}

/// Arguments of `trellis list`.
#[derive(Args)]
pub(crate) struct ListArgs {
    /// The shader: a DXBC container or LLVM bitcode; - for standard input
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
}

/// Arguments of `trellis run`.
#[derive(Args)]
pub(crate) struct RunArgs {
    /// The shader: a DXBC container or LLVM bitcode; - for standard input
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// JSON file with groups, resources and their contents
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, required_unless_present = "template")]
    pub(crate) inputs: Option<PathBuf>,
    /// Print a template of the --inputs file for the shader instead of running it
    #[arg(long, conflicts_with = "inputs")]
    pub(crate) template: bool,
    /// Output file for the JSON; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Entry point to run; required if there are several compute shaders
    #[arg(short, long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Number of lanes per wave: a power of two from 4 to 128 [default: the size that the inputs
    /// or the shader specify, otherwise 32]
    #[arg(long, value_name = "N")]
    pub(crate) wave: Option<u32>,
    /// Maximum number of executed instructions, summed over all lanes
    #[arg(long, value_name = "N", default_value_t = 1 << 28)]
    pub(crate) steps: u64,
}

/// Arguments of `trellis structurize`.
#[derive(Args)]
pub(crate) struct StructurizeArgs {
    /// The function in the structurizer's text form; - for standard input
    #[arg(value_name = "GRAPH", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// Output file for the result; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Print pseudo-code with ifs, loops and switches instead of the function's text form
    #[arg(long)]
    pub(crate) tree: bool,
    #[command(flatten)]
    pub(crate) stages: StageArgs,
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::{Arguments, Command};

    #[test]
    fn the_grammar_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_command_has_examples() {
        let command = Arguments::command();
        // A hidden one is for this program alone.
        for command in command.get_subcommands().filter(|c| !c.is_hide_set()) {
            let examples = command
                .get_after_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            let example = format!("\n  trellis {}", command.get_name());
            assert!(
                examples.starts_with("Examples:\n") && examples.contains(&example),
                "{}",
                command.get_name()
            );
        }
    }

    #[test]
    fn the_default_target_is_vulkan_1_3() {
        let Command::Convert(convert) = Arguments::parse_from(["trellis", "convert", "a"]).command
        else {
            panic!()
        };
        let options = crate::library::options(&convert.translation).expect("good arguments");
        assert_eq!(options.target, trellis_dxil::Target::Vulkan1_3);
    }
}
