//! The time of each phase: the corpus through the public parts of a conversion, one at a time.

use std::hint::black_box;

use benches::{convertible, load_corpus};
use criterion::{Criterion, Throughput};
use trellis_dxil_frontend::bitcode::read_module;
use trellis_dxil_frontend::container::Container;
use trellis_dxil_frontend::shader::Shader;
use trellis_spirv_backend::Options;

fn phases(c: &mut Criterion) {
    let options = Options::default();
    let shaders = convertible(load_corpus().expect("the corpus is checked in"), &options);
    let containers: Vec<Container<'_>> = shaders
        .iter()
        .map(|(shader, _)| {
            Container::open(&shader.bytes).expect("the corpus is made of containers")
        })
        .collect();
    let programs: Vec<_> = containers
        .iter()
        .map(|container| container.main_program().expect("with a program each"))
        .collect();
    let modules: Vec<_> = programs
        .iter()
        .map(|program| read_module(program.bitcode, program.offset).expect("that can be read"))
        .collect();

    let mut group = c.benchmark_group("phases");
    group
        .sample_size(20)
        .throughput(Throughput::Elements(shaders.len() as u64));
    group.bench_function("container", |b| {
        b.iter(|| {
            for (shader, _) in &shaders {
                let container =
                    Container::open(black_box(&shader.bytes)).expect("it opened before");
                black_box(container.main_program().expect("it was there before"));
            }
        });
    });
    group.bench_function("bitcode", |b| {
        b.iter(|| {
            for program in &programs {
                black_box(
                    read_module(black_box(program.bitcode), program.offset)
                        .expect("it was read before"),
                );
            }
        });
    });
    group.bench_function("shader", |b| {
        b.iter(|| {
            for (module, container) in modules.iter().zip(&containers) {
                black_box(
                    Shader::read(black_box(module), Some(container)).expect("it was read before"),
                );
            }
        });
    });
    group.bench_function("read (container, bitcode, shader)", |b| {
        b.iter(|| {
            for (shader, _) in &shaders {
                black_box(
                    trellis_dxil_frontend::read(black_box(&shader.bytes))
                        .expect("it was read before"),
                );
            }
        });
    });
    group.bench_function("convert (read, lower, structurize, emit, verify)", |b| {
        b.iter(|| {
            for (shader, _) in &shaders {
                black_box(
                    trellis_spirv_backend::convert(black_box(&shader.bytes), &options)
                        .expect("it converted before"),
                );
            }
        });
    });
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    phases(&mut criterion);
    criterion.final_summary();
}
