//! Growth of the structurizer's time and output with the size of a graph.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use structurizer_testkit::generate::Family;
use trellis_structurizer::{Error, Options, structurize};

/// Sizes that are measured: `2^6` to `2^14`.
pub const SIZES: [usize; 5] = [1 << 6, 1 << 8, 1 << 10, 1 << 12, 1 << 14];

/// The cost of one family at one size.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Blocks of the graph.
    pub blocks: usize,
    /// Blocks of the result.
    pub output: usize,
    /// Time of one run, the best of several.
    pub time: Duration,
}

/// Measures a family at each of [`SIZES`].
///
/// # Errors
/// That of the structurizer, which has a result for every graph: an error would be a bug there.
pub fn measure(family: Family) -> Result<Vec<Sample>, Error> {
    let options = Options::default();
    let mut samples = Vec::new();
    for n in SIZES {
        let input = family.function(n);
        // Short runs are repeated more often, since one interrupt would double them.
        let runs = (200_000 / n).clamp(3, 400);
        let mut best = Duration::MAX;
        let mut output = 0;
        for _ in 0..runs {
            let copy = input.clone();
            let start = Instant::now();
            let result = structurize(black_box(copy), &options)?;
            best = best.min(start.elapsed());
            output = result.order.len();
        }
        samples.push(Sample {
            blocks: input.num_blocks(),
            output,
            time: best,
        });
    }
    Ok(samples)
}

/// Returns the exponent of growth: the slope of a line through the logarithms of time over those of
/// blocks, by least squares. 1 is linear, 2 quadratic.
pub fn exponent(samples: &[Sample]) -> f64 {
    let points: Vec<(f64, f64)> = samples
        .iter()
        .map(|s| ((s.blocks as f64).ln(), s.time.as_secs_f64().max(1e-9).ln()))
        .collect();
    let n = points.len() as f64;
    let (mean_x, mean_y) = points
        .iter()
        .fold((0.0, 0.0), |(x, y), p| (x + p.0 / n, y + p.1 / n));
    let (sxy, sxx) = points.iter().fold((0.0, 0.0), |(sxy, sxx), p| {
        (
            sxy + (p.0 - mean_x) * (p.1 - mean_y),
            sxx + (p.0 - mean_x).powi(2),
        )
    });
    if sxx == 0.0 { 0.0 } else { sxy / sxx }
}

/// Returns the heading of the table that [`row`] fills.
pub fn heading() -> String {
    let mut text = String::from("| family |");
    for n in SIZES {
        let _ = write!(text, " {n} |");
    }
    text.push_str(" exponent | blocks out / in | ns per block at the last size |\n|---|");
    text.push_str(&"--:|".repeat(SIZES.len() + 3));
    text
}

/// Returns one line of the table: microseconds at each size, the exponent, the greatest ratio of
/// output blocks to input blocks.
pub fn row(family: Family, samples: &[Sample]) -> String {
    let mut text = format!("| {family:?} |");
    for s in samples {
        let micros = s.time.as_secs_f64() * 1e6;
        let _ = if micros < 100.0 {
            write!(text, " {micros:.1} |")
        } else {
            write!(text, " {micros:.0} |")
        };
    }
    let ratio = samples
        .iter()
        .map(|s| s.output as f64 / s.blocks as f64)
        .fold(0.0, f64::max);
    let a_block = samples
        .last()
        .map_or(0.0, |s| s.time.as_secs_f64() * 1e9 / s.blocks as f64);
    let _ = write!(
        text,
        " {:.2} | {ratio:.2} | {a_block:.0} |",
        exponent(samples)
    );
    text
}

#[cfg(test)]
mod tests {
    use super::{Duration, Sample, exponent};

    #[test]
    fn exponents_of_known_curves() {
        let curve = |power: i32| {
            let sample = |n: u64| Sample {
                blocks: n as usize,
                output: 0,
                time: Duration::from_nanos(n.pow(power as u32) * 7),
            };
            exponent(&[64, 256, 1024, 4096].map(sample))
        };
        assert!((curve(1) - 1.0).abs() < 1e-6);
        assert!((curve(2) - 2.0).abs() < 1e-6);
    }
}
