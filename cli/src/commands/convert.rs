//! `trellis convert`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use trellis_corpus::failure::Failure;
use trellis_corpus::guard::guarded;
use trellis_dxil::disassemble;

use crate::color::ColorArgs;
use crate::files;
use crate::problem::Problem;
use crate::translation::{self, TranslationArgs};

const CONVERT_EXAMPLES: &str = "\
Examples:
  trellis convert shader.dxil -o shader.spv
  trellis convert shader.dxil --asm                      print assembly text
  trellis convert lib.dxil --entry main -o main.spv      one of several entry points
  trellis link a.dxil b.dxil --entry main -o main.spv    of libraries that import from each other
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

/// Arguments of `trellis convert`.
#[derive(Args)]
#[command(after_help = CONVERT_EXAMPLES)]
pub(crate) struct ConvertArgs {
    /// The shader: a DXBC container or LLVM bitcode; - for standard input. Several libraries are linked
    #[arg(value_name = "IN", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) inputs: Vec<PathBuf>,
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
    pub(crate) color: ColorArgs,
    #[command(flatten)]
    pub(crate) translation: TranslationArgs,
}

/// Converts one shader.
pub(crate) fn run(args: &ConvertArgs) -> Result<ExitCode, Problem> {
    let output = args.output.as_deref();
    for input in &args.inputs {
        files::check_output(input, output, !args.asm)?;
    }
    let mut options = translation::options(&args.translation)?;
    if args.entry.is_some() {
        options.entry.clone_from(&args.entry);
    }
    let mut inputs = Vec::new();
    for input in &args.inputs {
        let bytes = files::read(input)?;
        let name = files::name_of(input);
        for wrong in trellis_dxil::frontend::wrong_sizes(&bytes) {
            files::note(&format!("warning: {name}: {wrong}"));
        }
        inputs.push(bytes);
    }
    let inputs: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
    let convert = || {
        let converted = match inputs[..] {
            [only] => trellis_dxil::convert(only, &options),
            _ => trellis_dxil::convert_linked(&inputs, &options),
        };
        converted.map_err(|e| Failure::from(&e))
    };
    let failed = || Problem::failed("convert", &args.inputs[0]);
    let converted = guarded(convert).map_err(failed())?;
    if args.asm {
        let text = || disassemble(&converted.words).map_err(|e| Failure::from(&e));
        let text = guarded(text).map_err(failed())?;
        args.color.write(output, &text)?;
    } else {
        files::write(output, &converted.bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}
