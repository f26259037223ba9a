//! The command line's grammar and its help.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use trellis_spirv_backend::{MinPrecision, Target};

use crate::shift::Shifts;
use crate::view_args::{
    CFG_EXAMPLES, CfgArgs, EXPLAIN_EXAMPLES, ExplainArgs, StageArgs, TREE_EXAMPLES, TreeArgs,
};

/// Whether this build has spirv-val, in words.
#[cfg(feature = "validate")]
macro_rules! validator {
    () => {
        "built in"
    };
}
/// Whether this build has spirv-val, in words.
#[cfg(not(feature = "validate"))]
macro_rules! validator {
    () => {
        "not in this build (it needs the feature `validate`); Trellis's own verifier always runs"
    };
}

/// What `--version` prints after the name; `-V` prints the number alone.
const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ninput:     DXIL in a DXBC container or as LLVM bitcode; shader models 6.0 to 6.7; shaders of all stages",
    "\ntargets:   vulkan1.1 (SPIR-V 1.3), vulkan1.2 (SPIR-V 1.5), vulkan1.3 (SPIR-V 1.6, default), vulkan1.4 (SPIR-V 1.6)",
    "\nspirv-val: ",
    validator!()
);

const AFTER: &str = "\
Examples:
  trellis convert shader.dxil -o shader.spv    one shader to a SPIR-V file
  trellis convert shader.dxil --asm            the same as readable assembly
  trellis batch shaders/ -o spirv/             a folder of shaders, in parallel
  trellis dis shader.dxil                      what is in the shader
  trellis reflect shader.dxil                  its resources and signatures as JSON

Every output is verified before it is written: there is no success with invalid SPIR-V.
`-` stands for standard input or standard output.

Exit status: 0 success; 1 a shader failed; 2 wrong use, or a file cannot be read or written.
`trellis help COMMAND` explains a command, with examples.";

/// Translates Direct3D 12 shaders (DXIL) to Vulkan shaders (SPIR-V)
#[derive(Parser)]
#[command(name = "trellis", version, long_version = LONG_VERSION, after_help = AFTER, max_term_width = 100)]
#[command(arg_required_else_help = true)]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Convert one shader to SPIR-V
    #[command(after_help = CONVERT_EXAMPLES)]
    Convert(ConvertArgs),
    /// Convert many shaders in parallel: files, folders, manifests
    #[command(after_help = BATCH_EXAMPLES)]
    Batch(BatchArgs),
    /// Print what is in a shader: DXIL as an LLVM listing, SPIR-V as assembly
    #[command(after_help = DIS_EXAMPLES)]
    Dis(DisArgs),
    /// Print a shader's resources, signatures and other properties as JSON
    #[command(after_help = REFLECT_EXAMPLES)]
    Reflect(ReflectArgs),
    /// Print a shader's entry points: stage and name, a line each
    #[command(after_help = LIST_EXAMPLES)]
    List(ListArgs),
    /// Run a compute shader on the CPU and print what it leaves in its UAVs
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunArgs),
    /// Structurize a control-flow graph that is written as text
    #[command(after_help = STRUCTURIZE_EXAMPLES)]
    Structurize(StructurizeArgs),
    /// Print what becomes of a shader's control flow as pseudo-code with ifs, loops and switches
    #[command(after_help = TREE_EXAMPLES)]
    Tree(TreeArgs),
    /// Draw a shader's control-flow graph after each stage of the structurizer, and a page to step
    /// through
    #[command(after_help = CFG_EXAMPLES)]
    Cfg(CfgArgs),
    /// Print what each stage of the structurizer decided about a shader, and why
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain(ExplainArgs),
    /// List the options of a translation with their defaults
    #[command(after_help = OPTIONS_EXAMPLES)]
    Options(OptionsArgs),
    /// Print completions for a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// Which shell
        shell: Shell,
    },
}

const CONVERT_EXAMPLES: &str = "\
Examples:
  trellis convert shader.dxil -o shader.spv
  trellis convert shader.dxil --asm                      assembly on the terminal
  trellis convert lib.dxil --entry main -o main.spv      one of several entry points
  trellis convert - --target vulkan1.1 < a.dxil > a.spv  as a filter
  trellis convert a.dxil -o a.spv --shift srv=0,uav=100  other binding numbers

Bindings: a resource goes to set = register space and binding = register + a shift of its class: \
cbv 0, srv 1000, uav 2000, sampler 3000, counter (of a UAV) 4000. --shift changes these numbers; \
a JSON file for --bindings places single resources, all else stays with the shifts:

  { \"bindings\": [
      { \"class\": \"srv\", \"space\": 0, \"register\": 3, \"range\": 4, \"set\": 1, \"binding\": 7 },
      { \"class\": \"cbv\", \"register\": 0, \"set\": 2, \"binding\": 0 } ] }";

const BATCH_EXAMPLES: &str = "\
Examples:
  trellis batch shaders/ -o spirv/
  trellis batch shaders/ more/x.dxil -o spirv/ --jobs 4 --report report.json
  trellis batch corpus/shaders/manifest.json -o out/ --validate --html report.html

A folder stands for all shaders below it: files named *.dxil, *.cso, *.dxbc or *.bc, and other files that begin \
like DXIL. A file named *.json is a manifest.

The outputs mirror the folders of the inputs: a/b.dxil becomes DIR/a/b.spv. With several folders, each keeps its \
name below DIR. Where two outputs would have the same name, the later one keeps its extension (b.cso.spv). Each of \
several entry points becomes a file: lib.ENTRY.spv.

A shader that fails is told on standard error and in the report, nothing is written for it, and the others go on. \
The last line on standard output is always

  converted N, valid N, failed N

`valid` counts the outputs that passed Trellis's own verifier and, with --validate, spirv-val too. An output that \
does not pass is a failure and is not written. The results are the same whatever the number of jobs.";

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
  trellis run shader.dxil --template > inputs.json    inputs for all that the shader declares, to be edited
  trellis run shader.dxil --inputs inputs.json
  trellis run shader.dxil --inputs inputs.json --wave 64

The inputs are a JSON file: groups, and for each resource its class, register, kind and contents.

  { \"groups\": [2, 1, 1], \"bindings\": [
      { \"class\": \"srv\", \"register\": 0, \"kind\": \"structured\", \"stride\": 4, \"data\": {\"u32\": [1, 2, 3]} },
      { \"class\": \"uav\", \"register\": 0, \"kind\": \"raw\", \"bytes\": 64 } ] }

The output has the same form, with the UAVs as they are then. Where a binding has `expect`, it is compared; the exit \
status is 1 if they differ.";

const STRUCTURIZE_EXAMPLES: &str = "\
Examples:
  trellis structurize graph.cfg
  trellis structurize graph.cfg --tree    as pseudo-code with ifs, loops and switches";

const OPTIONS_EXAMPLES: &str = "\
Examples:
  trellis options
  trellis options --json
  trellis convert shader.dxil -o shader.spv --options options.json

A file for --options is a JSON object with any of these options, the grouped ones in objects:

  { \"target\": \"vulkan1.2\", \"workarounds\": { \"point_size\": false } }";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  trellis completions bash > ~/.local/share/bash-completion/completions/trellis
  trellis completions zsh > ~/.zfunc/_trellis
  trellis completions fish > ~/.config/fish/completions/trellis.fish
  trellis completions powershell >> $PROFILE";

/// Where resources go.
#[derive(Args)]
#[command(next_help_heading = "Translation")]
pub(crate) struct BindingArgs {
    /// What to add to a register for its binding, by class: cbv, srv, uav, sampler, counter
    #[arg(long, value_name = "CLASS=N,…")]
    pub(crate) shift: Option<Shifts>,
    /// JSON file that says set and binding of resources
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) bindings: Option<PathBuf>,
}

/// How shaders are translated.
#[derive(Args)]
#[command(next_help_heading = "Translation")]
pub(crate) struct TranslationArgs {
    /// JSON file with options, as `trellis options` lists them; options of the command line
    /// replace those of the file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) options: Option<PathBuf>,
    /// Vulkan version that the output is for [default: vulkan1.3]
    #[arg(long, value_name = "TARGET", value_parser = target_parser())]
    pub(crate) target: Option<Target>,
    /// Check the output with spirv-val too; Trellis's own verifier always runs
    #[arg(long)]
    pub(crate) validate: bool,
    #[command(flatten)]
    pub(crate) places: BindingArgs,
    /// min16float and min16int: 32 bits with RelaxedPrecision, or 16 bits [default: relaxed]
    #[arg(long, value_name = "HOW", value_parser = min_precision_parser())]
    pub(crate) min_precision: Option<MinPrecision>,
    /// Leave the names of functions, variables and resources out
    #[arg(long)]
    pub(crate) strip_names: bool,
    /// Samples with computed offsets (SM 6.7): the device must have VK_KHR_maintenance8
    #[arg(long)]
    pub(crate) dynamic_offsets: bool,
    /// Vertex shaders, and geometry shaders that emit points, do not write PointSize: no points are
    /// drawn, or the device has maintenance5
    #[arg(long)]
    pub(crate) no_point_size: bool,
    /// Domain shaders write PointSize: for hull shaders with outputtopology("point")
    #[arg(long)]
    pub(crate) tessellation_point_size: bool,
    /// First location of patch constants; as default they follow the control points
    #[arg(long, value_name = "LOCATION")]
    pub(crate) patch_location: Option<u32>,
    /// The mesh shader in front of a pixel shader, which is linked to it by semantic
    #[arg(long, value_name = "FILE")]
    pub(crate) mesh: Option<PathBuf>,
}

fn target_parser() -> impl TypedValueParser<Value = Target> {
    PossibleValuesParser::new(Target::ALL.map(Target::name)).try_map(|name| name.parse::<Target>())
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
    /// Where to write the SPIR-V; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Entry point to convert; needed if there are several
    #[arg(short, long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Write assembly text instead of a binary
    #[arg(long)]
    pub(crate) asm: bool,
    #[command(flatten)]
    pub(crate) translation: TranslationArgs,
}

/// Arguments of `trellis batch`.
#[derive(Args)]
pub(crate) struct BatchArgs {
    /// Shaders, folders of shaders, and manifests (*.json)
    #[arg(value_name = "IN", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Folder to write the SPIR-V files to; it is made if need be
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: PathBuf,
    /// How many shaders to convert at once [default: one for each core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Write what became of each shader as JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) report: Option<PathBuf>,
    /// Write the same as an HTML page with a filter
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) translation: TranslationArgs,
}

/// Arguments of `trellis options`.
#[derive(Args)]
pub(crate) struct OptionsArgs {
    /// Print them as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `trellis dis`.
#[derive(Args)]
pub(crate) struct DisArgs {
    /// The shader: DXBC container, LLVM bitcode, or SPIR-V; - for standard input
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// Where to write the text; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

/// Arguments of `trellis reflect`.
#[derive(Args)]
pub(crate) struct ReflectArgs {
    /// The shader: a DXBC container or LLVM bitcode; - for standard input
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// Where to write the JSON; - (the default) for standard output
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
    /// Print a file for --inputs that fits the shader, and run nothing
    #[arg(long, conflicts_with = "inputs")]
    pub(crate) template: bool,
    /// Where to write the JSON; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Entry point to run; needed if there are several compute shaders
    #[arg(short, long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Lanes of a wave: a power of two from 4 to 128 [default: what the inputs or the shader say,
    /// else 32]
    #[arg(long, value_name = "N")]
    pub(crate) wave: Option<u32>,
    /// How many instructions to run at most, counted by lane
    #[arg(long, value_name = "N", default_value_t = 1 << 28)]
    pub(crate) steps: u64,
}

/// Arguments of `trellis structurize`.
#[derive(Args)]
pub(crate) struct StructurizeArgs {
    /// The function in the structurizer's text form; - for standard input
    #[arg(value_name = "GRAPH", value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// Where to write the result; - (the default) for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Print pseudo-code with ifs, loops and switches instead of the function
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
        for command in Arguments::command().get_subcommands() {
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
        assert_eq!(options.target, trellis_spirv_backend::Target::Vulkan1_3);
    }
}
