//! How the structurizer's time, memory and output grow with the size of a graph.
//!
//! Sizes count reachable blocks and edges: much of a random graph is unreachable. A graph that does
//! not fit in the caches costs any algorithm more per block, so a depth-first walk, which looks at
//! each edge once, is measured for comparison.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;

use structurizer_testkit::generate::{Family, Values};
use trellis_structurizer::ir::{Block, Function};
use trellis_structurizer::{Error, Options, structurize};

use crate::allocations;

/// Sizes that are measured: `2^6` to `2^14`.
pub const SIZES: [usize; 5] = [1 << 6, 1 << 8, 1 << 10, 1 << 12, 1 << 14];
/// Sizes for a measurement up to a million blocks: `2^10` to `2^20`.
pub const LARGE_SIZES: [usize; 6] = [1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20];

/// The cost of one family at one size.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sample {
    /// Reachable edges of the graph, the size of a family with few blocks.
    pub edges: usize,
    /// Blocks of the graph that are reached.
    pub blocks: usize,
    /// Operands of their phis, and other uses of values in them.
    pub operands: usize,
    /// Blocks of the result.
    pub output_blocks: usize,
    /// Operands of the result's phis, and other uses of values.
    pub output_operands: usize,
    /// Time that the processor took for one run, the best of several.
    pub time: Duration,
    /// Time that a depth-first walk over the graph took, the best of the same number of runs.
    pub walk: Duration,
    /// Bytes that one run requested from the allocator. Zero where nothing counts them.
    pub bytes: u64,
    /// Excluded from the exponents: a small random graph often needs no selectors, a large one does.
    pub is_too_small: bool,
}

/// The fewest blocks that a random graph needs to be in the exponents.
const TYPICAL: usize = 1 << 10;

impl Sample {
    /// The size of the input: edges and uses of values.
    pub fn input_size(&self) -> usize {
        self.edges + self.operands
    }
    /// The size of the output: blocks and uses of values.
    pub fn output_size(&self) -> usize {
        self.output_blocks + self.output_operands
    }
}

/// Returns the number of operands of phis, and of other uses of values, in some blocks.
fn operands(func: &Function, blocks: impl Iterator<Item = Block>) -> usize {
    let of_block = |block: Block| {
        let phis = func.phis(block);
        let uses = func.insts(block).map(|inst| func.uses(inst).len());
        phis.map(|phi| func.phi_operands(phi).count())
            .sum::<usize>()
            + uses.sum::<usize>()
    };
    blocks.map(of_block).sum()
}

/// Returns the time that this thread has run so far, which does not count other programs' time.
#[cfg(unix)]
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// Returns the time since the first call.
#[cfg(not(unix))]
fn now() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// Returns the blocks that are reached from the entry, in post-order; reads each edge, and each use of
/// a value with its type, once.
fn walk(func: &Function) -> Vec<Block> {
    let entry = Block::from_u32(0);
    let mut is_reached = vec![false; func.num_blocks()];
    is_reached[0] = true;
    let mut post_order = Vec::with_capacity(func.num_blocks());
    let mut stack = vec![(entry, func.successors(entry))];
    while let Some((block, successors)) = stack.last_mut() {
        let Some(next) = successors.next() else {
            read_uses(func, *block);
            post_order.push(*block);
            stack.pop();
            continue;
        };
        let is_new = !std::mem::replace(&mut is_reached[next.as_u32() as usize], true);
        if is_new {
            stack.push((next, func.successors(next)));
        }
    }
    post_order
}

fn read_uses(func: &Function, block: Block) {
    for phi in func.phis(block) {
        for operand in func.phi_operands(phi) {
            black_box(func.value_type(operand.value));
        }
    }
    for inst in func.insts(block) {
        for &value in func.uses(inst) {
            black_box(func.value_type(value));
        }
    }
}

/// Measures a family at some sizes.
///
/// # Errors
/// That of the structurizer, which has a result for every graph: an error would be a bug there.
pub fn measure(family: Family, values: Values, sizes: &[usize]) -> Result<Vec<Sample>, Error> {
    let mut samples = Vec::new();
    for &n in sizes {
        // Small random graphs differ much from each other.
        let is_random = matches!(family, Family::RandomReducible | Family::RandomAny);
        let graphs = if is_random {
            (16_384 / n).clamp(1, 64)
        } else {
            1
        };
        let mut sum = Sample::default();
        for n in n..n + graphs {
            let sample = measure_one(&family.function_with(n, values), n, graphs)?;
            sum.edges += sample.edges;
            sum.blocks += sample.blocks;
            sum.operands += sample.operands;
            sum.output_blocks += sample.output_blocks;
            sum.output_operands += sample.output_operands;
            sum.time += sample.time;
            sum.walk += sample.walk;
            sum.bytes += sample.bytes;
        }
        samples.push(Sample {
            edges: sum.edges / graphs,
            blocks: sum.blocks / graphs,
            operands: sum.operands / graphs,
            output_blocks: sum.output_blocks / graphs,
            output_operands: sum.output_operands / graphs,
            time: sum.time / graphs as u32,
            walk: sum.walk / graphs as u32,
            bytes: sum.bytes / graphs as u64,
            is_too_small: is_random && n < TYPICAL,
        });
    }
    Ok(samples)
}

/// Measures one of `graphs` functions of size `n`.
fn measure_one(input: &Function, n: usize, graphs: usize) -> Result<Sample, Error> {
    let options = Options::default();
    let reached = walk(input);
    let successors = reached.iter().map(|&block| input.successors(block).count());
    let mut sample = Sample {
        edges: successors.sum(),
        blocks: reached.len(),
        operands: operands(input, reached.iter().copied()),
        time: Duration::MAX,
        walk: Duration::MAX,
        ..Sample::default()
    };
    // Short runs are repeated more often, since one interrupt would double them. The first run of
    // several gets the memory from the system.
    let runs = (200_000 / n / graphs).clamp(if n > 1 << 16 { 2 } else { 3 }, 400);
    for _ in 0..runs {
        let start = now();
        black_box(walk(black_box(input)));
        sample.walk = sample.walk.min(now().saturating_sub(start));
        let copy = input.clone();
        let before = allocations::so_far().bytes;
        let start = now();
        let result = structurize(black_box(copy), &options)?;
        sample.time = sample.time.min(now().saturating_sub(start));
        sample.bytes = allocations::so_far().bytes - before;
        sample.output_blocks = result.order.len();
        sample.output_operands = operands(&result.func, result.order.iter().copied());
    }
    Ok(sample)
}

/// How a quantity grows with the size of the input: the slope of a line through the logarithms of
/// both, by least squares. 1 is linear, 2 quadratic.
pub fn exponent(samples: &[Sample], quantity: impl Fn(&Sample) -> f64) -> f64 {
    let points: Vec<(f64, f64)> = samples
        .iter()
        .filter(|s| !s.is_too_small)
        .map(|s| ((s.input_size() as f64).ln(), quantity(s).max(1e-9).ln()))
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

/// The exponents of growth of a family.
#[derive(Clone, Copy, Debug)]
pub struct Exponents {
    /// Of the time.
    pub time: f64,
    /// Of the time of a depth-first walk.
    pub walk: f64,
    /// Of the bytes requested from the allocator.
    pub memory: f64,
    /// Of the output.
    pub output: f64,
}

impl Exponents {
    /// Returns the exponents of some samples.
    pub fn of(samples: &[Sample]) -> Self {
        Self {
            time: exponent(samples, |s| s.time.as_secs_f64()),
            walk: exponent(samples, |s| s.walk.as_secs_f64()),
            memory: exponent(samples, |s| s.bytes as f64),
            output: exponent(samples, |s| s.output_size() as f64),
        }
    }

    /// Returns the exponent of time minus the effect of caches, which the walk's exponent shows.
    pub fn time_beside_walk(&self) -> f64 {
        self.time - (self.walk - 1.0).max(0.0)
    }
}

/// The heading of the table that [`row`] fills.
pub fn heading(sizes: &[usize]) -> String {
    let mut text = String::from("| family |");
    for n in sizes {
        let _ = write!(text, " {n} |");
    }
    text.push_str(" time | walk | memory | output | blocks out / in | ns per edge |\n|---|");
    text.push_str(&"--:|".repeat(sizes.len() + 6));
    text
}

/// One line of the table: microseconds at each size, the [`Exponents`], the greatest ratio of output
/// blocks to input blocks, and the time per edge at the last size.
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
        .map(|s| s.output_blocks as f64 / s.blocks as f64)
        .fold(0.0, f64::max);
    let per_edge = samples
        .last()
        .map_or(0.0, |s| s.time.as_secs_f64() * 1e9 / s.edges as f64);
    let Exponents {
        time,
        walk,
        memory,
        output,
    } = Exponents::of(samples);
    let _ = write!(
        text,
        " {time:.2} | {walk:.2} | {memory:.2} | {output:.2} | {ratio:.2} | {per_edge:.0} |"
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
                edges: n as usize,
                time: Duration::from_nanos(n.pow(power as u32) * 7),
                ..Sample::default()
            };
            exponent(&[64, 256, 1024, 4096].map(sample), |s| s.time.as_secs_f64())
        };
        assert!((curve(1) - 1.0).abs() < 1e-6);
        assert!((curve(2) - 2.0).abs() < 1e-6);
    }
}
