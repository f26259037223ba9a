//! The time over the size of a shader: each of the large shaders from bytes to verified words, with a
//! converter that is kept. Bytes per second must not fall with the size.

use std::hint::black_box;

use benches::load_large;
use criterion::{BenchmarkId, Criterion, Throughput};
use trellis_spirv_backend::{Converter, Options};

fn size(c: &mut Criterion) {
    let options = Options::default();
    let shaders = load_large().expect("the shaders are checked in");
    let mut converter = Converter::new();
    let mut group = c.benchmark_group("size");
    group.sample_size(20);
    for shader in &shaders {
        group.throughput(Throughput::Bytes(shader.bytes.len() as u64));
        let id = BenchmarkId::new(
            shader.name.trim_end_matches(".dxil"),
            shader.bytes.len() / 1024,
        );
        group.bench_function(id, |b| {
            b.iter(|| {
                black_box(
                    converter
                        .convert(black_box(&shader.bytes), &options)
                        .expect("tests/large.rs converts it"),
                );
            });
        });
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    size(&mut criterion);
    criterion.final_summary();
}
