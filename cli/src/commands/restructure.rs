//! `trellis restructure`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use trellis_corpus::modules::words_of;
use trellis_dxil::check::{self, SpirvValError};
use trellis_restructure::{Profile, restructure};

use crate::files;
use crate::problem::Problem;

const RESTRUCTURE_EXAMPLES: &str = "\
Examples:
  trellis restructure shader.spv -o structured.spv
  trellis restructure shader.spv -o structured.spv --target wgsl    for naga

Merge instructions of the module may be missing, wrong or valid. The result is checked by Trellis's verifier, and by \
spirv-val if it is built in; of a kernel (capability Kernel) only the control flow is. An invalid one is not written.";

/// Arguments of `trellis restructure`.
#[derive(Args)]
#[command(after_help = RESTRUCTURE_EXAMPLES)]
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

/// Gives a SPIR-V module valid structured control flow.
pub(crate) fn run(args: &RestructureArgs) -> Result<ExitCode, Problem> {
    let output = args.output.as_deref();
    files::check_output(&args.input, output, true)?;
    let name = files::name_of(&args.input);
    let what = format!("cannot restructure {name}");
    let bytes = files::read(&args.input)?;
    let words = words_of(&bytes).map_err(Problem::failed("restructure", &args.input))?;
    let result = restructure(&words, args.target)
        .map_err(|error| Problem::input_error(&what).because(&error))?;
    validate(&result).map_err(|error| {
        Problem::input_error(&what)
            .because(&*error)
            .help("run `trellis validate` on it: more than control flow may be invalid")
    })?;
    let bytes: Vec<u8> = result.iter().flat_map(|word| word.to_le_bytes()).collect();
    files::write(output, &bytes)?;
    Ok(ExitCode::SUCCESS)
}

/// Checks the result: blocks, phis and ids with our verifier, whose rules of types and stages are for our
/// own output, and all of it with spirv-val where that is built in. Both have Vulkan's rules: of a kernel,
/// only the control flow was verified.
fn validate(words: &[u32]) -> Result<(), Box<dyn std::error::Error>> {
    if is_kernel(words) {
        return Ok(());
    }
    if let Err(error) = check::verify(words)
        && error.rule.is_of_graph()
    {
        return Err(error.into());
    }
    match check::spirv_val(words, trellis_dxil::Target::default()) {
        Err(error @ SpirvValError::Rejected { .. }) => Err(error.into()),
        _ => Ok(()),
    }
}

/// Returns whether a module declares the capability of kernels.
fn is_kernel(words: &[u32]) -> bool {
    const KERNEL: [u32; 2] = [2 << 16 | 17, 6];
    // Capabilities come first, of two words each.
    let capabilities = words.get(5..).unwrap_or_default().chunks_exact(2);
    let mut capabilities = capabilities.take_while(|inst| inst[0] == KERNEL[0]);
    capabilities.any(|inst| inst == KERNEL)
}
