//! The whole corpus from bytes to verified words, on one core.

use std::hint::black_box;

use benches::{convertible, load_corpus};
use criterion::{Criterion, Throughput};
use trellis_spirv_backend::Options;

fn convert(c: &mut Criterion) {
    let options = Options::default();
    let shaders = convertible(load_corpus().expect("the corpus is checked in"), &options);
    let words: usize = shaders.iter().map(|(_, words)| words).sum();
    let bytes: usize = shaders.iter().map(|(shader, _)| shader.bytes.len()).sum();
    let mut group = c.benchmark_group("convert");
    group.sample_size(20);
    // The same work three times, since Criterion relates a time to one quantity.
    for (name, throughput) in [
        ("words", Throughput::Elements(words as u64)),
        ("shaders", Throughput::Elements(shaders.len() as u64)),
        ("bytes", Throughput::Bytes(bytes as u64)),
    ] {
        group.throughput(throughput);
        group.bench_function(name, |b| {
            b.iter(|| {
                for (shader, _) in &shaders {
                    black_box(
                        trellis_spirv_backend::convert(black_box(&shader.bytes), &options)
                            .expect("it converted before"),
                    );
                }
            });
        });
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    convert(&mut criterion);
    criterion.final_summary();
}
