//! Prints how fast the corpus converts: words per second on one core, time and allocations per
//! shader, and how a batch scales with threads.
//!
//! `cargo run --release -p benches --bin throughput [-- SECONDS]`

use std::hint::black_box;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use benches::allocations::{Allocations, Counting, during};
use benches::{Shader, convertible, load_corpus};
use trellis_corpus::backend::Backend;
use trellis_corpus::batch::{Settings, run};
use trellis_corpus::inputs::Input;
use trellis_spirv_backend::{Options, convert};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A batch repeats the corpus until it has this many shaders, so that a run takes long enough to
/// measure.
const BATCH: usize = 4000;

fn main() -> ExitCode {
    let seconds = match std::env::args().nth(1).map(|text| text.parse::<f64>()) {
        None => 3.0,
        Some(Ok(seconds)) if seconds > 0.0 && seconds < 3600.0 => seconds,
        Some(_) => {
            eprintln!("usage: throughput [SECONDS]");
            return ExitCode::from(2);
        }
    };
    let shaders = match load_corpus() {
        Ok(shaders) => shaders,
        Err(error) => {
            eprintln!("the corpus cannot be loaded: {error:?}");
            return ExitCode::from(2);
        }
    };
    let all = shaders.len();
    let options = Options::default();
    let shaders = convertible(shaders, &options);
    if shaders.is_empty() {
        eprintln!("no shader of the corpus converts: there is nothing to measure");
        return ExitCode::FAILURE;
    }
    one_core(&shaders, &options, Duration::from_secs_f64(seconds));
    let scaled = scaling(&shaders, &options);
    if let Err(error) = scaled {
        eprintln!("the batch cannot run: {error}");
        return ExitCode::FAILURE;
    }
    if shaders.len() < all {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// Converts the whole corpus again and again for `time` and prints the best pass, which other
/// programs disturbed least.
fn one_core(shaders: &[(Shader, usize)], options: &Options, time: Duration) {
    let pass = || {
        for (shader, _) in shaders {
            // It converted before.
            let _ = black_box(convert(black_box(&shader.bytes), options));
        }
    };
    let Allocations { count, bytes } = during(pass);
    let mut best = Duration::MAX;
    let mut passes = 0u32;
    let start = Instant::now();
    while passes < 3 || start.elapsed() < time {
        let before = Instant::now();
        pass();
        best = best.min(before.elapsed());
        passes += 1;
    }
    let number = shaders.len() as f64;
    let words: usize = shaders.iter().map(|(_, words)| words).sum();
    let input: usize = shaders.iter().map(|(shader, _)| shader.bytes.len()).sum();
    let seconds = best.as_secs_f64();
    println!(
        "one core: {:.2} million words/s, {:.0} shaders/s, {:.1} MB/s; mean shader: {:.0} bytes, {:.0} words, {:.1} µs, {:.0} allocations of {:.0} bytes in all ({} shaders, best of {passes} passes)",
        words as f64 / seconds / 1e6,
        number / seconds,
        input as f64 / seconds / 1e6,
        input as f64 / number,
        words as f64 / number,
        seconds / number * 1e6,
        count as f64 / number,
        bytes as f64 / number,
        shaders.len(),
    );
}

/// Runs a batch, with files read and nothing written, on 1, 2, 4, … threads and prints each one's
/// speed and its ratio to the first.
fn scaling(shaders: &[(Shader, usize)], options: &Options) -> std::io::Result<()> {
    let cores = available_parallelism().map_or(1, std::num::NonZero::get);
    let input = |(shader, _): &(Shader, usize)| Input::file(&shader.path, &shader.name);
    let inputs: Vec<Input> = shaders.iter().map(input).cycle().take(BATCH).collect();
    let converter = Backend::new(options.clone());
    let mut counts: Vec<usize> = std::iter::successors(Some(1usize), |n| n.checked_mul(2))
        .take_while(|n| *n < cores)
        .collect();
    counts.push(cores);
    print!("batch of {BATCH} shaders, files read:");
    let mut first = None;
    for (i, jobs) in counts.into_iter().enumerate() {
        let mut settings = Settings::default();
        settings.jobs = Some(jobs);
        let mut best = u64::MAX;
        for _ in 0..3 {
            let (totals, _) = run(&inputs, &converter, &settings, &|_| {})?;
            best = best.min(totals.wall_us);
        }
        let speed = BATCH as f64 / (best.max(1) as f64 / 1e6);
        let ratio = speed / *first.get_or_insert(speed);
        print!(
            "{} {jobs} threads {speed:.0} shaders/s ({ratio:.2}x)",
            if i > 0 { "," } else { "" }
        );
    }
    println!();
    Ok(())
}
