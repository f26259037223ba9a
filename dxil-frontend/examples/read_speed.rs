//! Time and heap allocations of reading bitcode: `cargo run --release -p dxil-frontend --example read_speed -- FILE.dxil…`
use std::time::{Duration, Instant};

use dxil_frontend::bitcode::read_module;
use dxil_frontend::container::Container;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files = std::env::args().skip(1).map(std::fs::read).collect::<Result<Vec<_>, _>>()?;
    let programs = files.iter().map(|file| Container::open(file)?.main_program()).collect::<Result<Vec<_>, _>>()?;
    let bytes: usize = programs.iter().map(|p| p.bitcode.len()).sum();
    let rounds = std::env::var("ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(200_u32);
    let mut best = Duration::MAX;
    for _ in 0..rounds {
        let start = Instant::now();
        for program in &programs {
            std::hint::black_box(read_module(program.bitcode, program.offset)?);
        }
        best = best.min(start.elapsed());
    }
    let (count, nanoseconds) = (programs.len().max(1), best.as_nanos());
    println!(
        "{count} programs of {} bytes in the mean: {} ns each, {:.1} MB/s",
        bytes / count,
        nanoseconds / count as u128,
        bytes as f64 * 1e3 / nanoseconds as f64
    );
    Ok(())
}
