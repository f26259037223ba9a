//! The structurizer on families of graphs by size: the time per block must not grow with the size.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput};
use structurizer_testkit::generate::Family;
use trellis_structurizer::{Options, structurize};

/// Sizes: each is four times the one before, so that quadratic cost appears as a quarter of the
/// throughput.
const SIZES: [usize; 5] = [16, 64, 256, 1024, 4096];

fn families(c: &mut Criterion) {
    let options = Options::default();
    for family in Family::ALL {
        let mut group = c.benchmark_group(format!("{family:?}"));
        group
            .sample_size(10)
            .warm_up_time(Duration::from_millis(200))
            .measurement_time(Duration::from_millis(600));
        for n in SIZES {
            let function = family.function(n);
            group.throughput(Throughput::Elements(function.num_blocks() as u64));
            group.bench_function(BenchmarkId::from_parameter(n), |b| {
                let run = |function| {
                    black_box(structurize(function, &options).expect("every graph has a result"))
                };
                b.iter_batched(|| function.clone(), run, BatchSize::SmallInput);
            });
        }
        group.finish();
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    families(&mut criterion);
    criterion.final_summary();
}
