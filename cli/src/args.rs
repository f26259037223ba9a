//! The grammar of the command line and its help texts.

use clap::{Parser, Subcommand};

use crate::commands::{
    batch, cfg, compare, completions, convert, explain, inspect, man, minimize, options, reduce,
    restructure, run, serve, stat, structurize, tree, try_shaders, validate,
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
    "\ninput:     DXIL in a DXBC container or as LLVM bitcode, shader models 6.0 to 6.9, or DXBC, 4.0 to 5.1; all stages and nodes of work graphs",
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

/// Translates Direct3D 12 shaders (DXIL, DXBC) to Vulkan shaders (SPIR-V)
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
    /// Convert one shader to SPIR-V, or libraries that are linked
    #[command(visible_alias = "link")]
    Convert(convert::ConvertArgs),
    /// Convert many shaders in parallel: files, folders, manifests
    Batch(batch::BatchArgs),
    /// Compare two batches: their reports, or the folders of their outputs
    Compare(compare::CompareArgs),
    /// Print sizes and structure of SPIR-V modules of any compiler, side by side
    Stat(stat::StatArgs),
    /// Check SPIR-V modules of any compiler with Trellis's verifier and spirv-val
    Validate(validate::ValidateArgs),
    /// Choose few shaders of a set that together have all its features
    MinimizeCorpus(minimize::MinimizeArgs),
    /// Reduce a failing shader to a small one with the same failure
    Reduce(reduce::ReduceArgs),
    /// Disassemble a shader: DXIL as an LLVM listing, DXBC and SPIR-V as assembly
    Dis(inspect::DisArgs),
    /// Print a shader's resources, signatures and other properties
    Reflect(inspect::ReflectArgs),
    /// Print the stage and name of each entry point, one per line
    List(inspect::ListArgs),
    /// Run a shader on the CPU and print the final contents of its UAVs, targets and outputs
    Run(run::RunArgs),
    /// Run shaders with made-up resources on the CPU and on a Vulkan device, and compare the results
    Try(try_shaders::TryArgs),
    /// Structurize a control-flow graph that is written as text
    Structurize(structurize::StructurizeArgs),
    /// Give SPIR-V of any compiler valid structured control flow
    Restructure(restructure::RestructureArgs),
    /// Print a shader's structured control flow as pseudo-code with ifs, loops and switches
    Tree(tree::TreeArgs),
    /// Draw a shader's control-flow graph after each stage of the structurizer, with an HTML page
    /// to step through them
    Cfg(cfg::CfgArgs),
    /// Print the decisions of each stage of the structurizer for a shader, with their reasons
    Explain(explain::ExplainArgs),
    /// Serve a page that steps through the translation of shaders, for this machine only
    Serve(serve::ServeArgs),
    /// List the translation options with their defaults
    Options(options::OptionsArgs),
    /// Print a completion script for a shell
    Completions(completions::CompletionsArgs),
    /// Print the manual page, or write the pages of all commands to a folder
    Man(man::ManArgs),
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
        let options = crate::translation::options(&convert.translation).expect("good arguments");
        assert_eq!(options.target, trellis_dxil::Target::Vulkan1_3);
    }
}
