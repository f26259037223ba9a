//! Prints the most memory that one conversion had allocated at a time, as a part of 12 times its input
//! and 256 KB: of the corpus and of the large shaders.
//!
//! `cargo run --release -p benches --bin memory [-- NUMBER]`, where NUMBER is how many shaders are
//! listed. The figures come from the allocator's calls, and are the same in each run.

use std::process::ExitCode;

use benches::allocations::Counting;
use benches::memory::Peak;
use benches::{LoadError, Shader, load_corpus, load_large};
use trellis_spirv_backend::Options;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    let listed = match std::env::args().nth(1).map(|text| text.parse()) {
        None => 12,
        Some(Ok(listed)) => listed,
        Some(Err(_)) => {
            eprintln!("usage: memory [NUMBER]");
            return ExitCode::from(2);
        }
    };
    let mut all_convert = true;
    for (title, shaders) in [("corpus", load_corpus()), ("benches/shaders", load_large())] {
        match print(title, shaders, listed) {
            Ok(converts) => all_convert &= converts,
            Err(error) => {
                eprintln!("{title} cannot be loaded: {error:?}");
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::from(u8::from(!all_convert))
}

/// Prints the figures of a folder, the highest first; returns whether all shaders convert.
fn print(
    title: &str,
    shaders: Result<Vec<Shader>, LoadError>,
    listed: usize,
) -> Result<bool, LoadError> {
    let options = Options::default();
    let mut peaks = Vec::new();
    let mut all_convert = true;
    for shader in shaders? {
        match Peak::of(&shader, &options) {
            Ok(peak) => peaks.push(peak),
            Err(error) => {
                eprintln!("left out: {}: {error}", shader.name);
                all_convert = false;
            }
        }
    }
    peaks.sort_by(|a, b| b.of_bound().total_cmp(&a.of_bound()));
    let Some(median) = peaks.get(peaks.len() / 2) else {
        println!("{title}: no shader");
        return Ok(all_convert);
    };
    let sum: u64 = peaks.iter().map(|peak| peak.peak).sum();
    println!(
        "{title}: {} shaders, {:.1} KB on average; median {:.2} of the bound; above it {}",
        peaks.len(),
        sum as f64 / peaks.len() as f64 / 1024.0,
        median.of_bound(),
        peaks.iter().filter(|peak| peak.peak > peak.bound()).count(),
    );
    println!("  of bound     peak    input");
    for peak in peaks.iter().take(listed) {
        println!(
            "  {:8.2} {:5.0} KB {:5.1} KB  {}",
            peak.of_bound(),
            peak.peak as f64 / 1024.0,
            peak.input as f64 / 1024.0,
            peak.name
        );
    }
    Ok(all_convert)
}
