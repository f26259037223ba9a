//! Converts one shader: `cargo run -p trellis-spirv-backend --example convert -- IN.dxil OUT.spv`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [input, output] = args.as_slice() else {
        eprintln!("usage: convert IN.dxil OUT.spv");
        return ExitCode::from(2);
    };
    match run(input, output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{input}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(input: &str, output: &str) -> Result<(), Box<dyn std::error::Error>> {
    let bytes = std::fs::read(input)?;
    let converted =
        trellis_spirv_backend::convert(&bytes, &trellis_spirv_backend::Options::default())?;
    std::fs::write(output, converted.bytes())?;
    Ok(())
}
