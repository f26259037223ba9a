//! Time of reading shaders, from the container's bytes to module and metadata:
//! `cargo run --release -p trellis-dxil-frontend --example read_speed -- FILE.dxil…`
use std::time::{Duration, Instant};

use trellis_dxil_frontend::bitcode::read_module;
use trellis_dxil_frontend::container::Container;
use trellis_dxil_frontend::shader::Shader;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files = std::env::args()
        .skip(1)
        .map(std::fs::read)
        .collect::<Result<Vec<_>, _>>()?;
    let mut bytes = 0;
    for file in &files {
        bytes += Container::open(file)?.main_program()?.bitcode.len();
    }
    let rounds = std::env::var("ROUNDS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(200_u32);
    let mut best = Duration::MAX;
    for _ in 0..rounds {
        let start = Instant::now();
        for file in &files {
            let container = Container::open(file)?;
            let program = container.main_program()?;
            let module = read_module(program.bitcode, program.offset)?;
            std::hint::black_box(Shader::read(&module, Some(&container))?);
        }
        best = best.min(start.elapsed());
    }
    let (count, nanoseconds) = (files.len().max(1), best.as_nanos());
    println!(
        "{count} programs of {} bytes in the mean: {} ns each, {:.1} MB/s",
        bytes / count,
        nanoseconds / count as u128,
        bytes as f64 * 1e3 / nanoseconds as f64
    );
    Ok(())
}
