//! Damaged shaders through the whole conversion: every corpus file, cut off at each 64th byte, and
//! with bits flipped at random places, with the default options and with a translation layer's.
//! A typed error or verified words, never a panic, and never more than 64 MB.
//!
//! `TRELLIS_FLIPS` sets the number of flipped files (default: 20,000), `TRELLIS_SEED` the seed,
//! which the test prints.
//!
//! A separate program: its allocator measures everything that the program allocates.

use std::alloc::System;
use std::sync::Arc;

use cap::Cap;
use shader_testkit::{Random, number, shaders};
use trellis_spirv_backend::bindings::{BindingFile, DefaultBindings, HeapBinding};
use trellis_spirv_backend::{Options, convert_all};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Most bytes that one conversion may hold at once, in addition to the corpus itself.
const MOST_GROWTH: usize = 64 << 20;

/// Returns options as translation layers have them: constant buffers are root descriptors, all other
/// resources are in tables, with offsets and with counters by address.
fn layer() -> Options {
    let file = r#"{
        "heaps": {
            "resource": { "set": 1, "binding": 0, "offsets": { "set": 1, "binding": 1 } },
            "counter": { "set": 1, "binding": 2, "kind": "device_address" } },
        "bindings": [
            { "class": "cbv", "register": 0, "range": 16, "place": { "device_address": { "root_descriptor": 0 } } },
            { "class": "srv", "register": 0, "range": "unbounded", "offsets": { "set": 0, "binding": 9 },
              "place": { "heap": { "set": 0, "binding": 0, "root_constant": 1 } } },
            { "class": "uav", "register": 0, "range": "unbounded", "offsets": { "set": 0, "binding": 9 },
              "place": { "heap": { "set": 0, "binding": 0, "offset": 7, "root_constant": 2 } } },
            { "class": "counter", "register": 0, "range": "unbounded", "place": {
              "heap": { "set": 0, "binding": 8, "kind": "device_address", "root_constant": 2 } } } ] }"#;
    let model = BindingFile::parse(file, DefaultBindings::default()).expect("a binding file");
    let (set, binding) = (2, 0);
    Options::default()
        .with_bindings(Arc::new(model))
        .with_root_descriptors(16)
        .with_root_constants(Some(4))
        .with_root_uniform_block(Some(HeapBinding { set, binding }))
        .with_vulkan_memory_model(true)
        .with_robust_local_arrays(true)
        .with_robust_groupshared(true)
        .with_robust_tables(true)
        .with_read_without_format(false)
        .with_dual_source(true)
}

/// Converts a damaged file and returns whether some entry point was converted; a panic or too much
/// memory names the file.
fn converts(options: &Options, before: usize, file: &[u8], what: &dyn Fn() -> String) -> bool {
    let run = || convert_all(file, options).is_ok_and(|all| all.iter().any(Result::is_ok));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    let converted = result.unwrap_or_else(|_| panic!("a panic: {}", what()));
    let most = ALLOCATOR.max_allocated();
    assert!(
        most < before + MOST_GROWTH,
        "{}: {most} bytes were allocated at once",
        what()
    );
    converted
}

#[test]
fn damaged_files_are_errors_and_take_little_memory() {
    let seed = number("TRELLIS_SEED", 0x5eed_0002) | 1;
    let flips = number("TRELLIS_FLIPS", 20_000) as usize;
    println!("TRELLIS_SEED={seed} TRELLIS_FLIPS={flips}");
    let options = [Options::default(), layer()];
    let files = shaders();
    let before = ALLOCATOR.allocated();
    for (name, file) in &files {
        for len in (0..file.len()).step_by(64) {
            let what = || format!("{name} cut off at byte {len}");
            assert!(
                !converts(&options[0], before, &file[..len], &what),
                "{} converts",
                what()
            );
        }
    }
    let mut random = Random(seed);
    let mut copy = Vec::new();
    let mut converted = [0; 2];
    for round in 0..flips {
        let (name, file) = &files[round % files.len()];
        let chosen = round / files.len() % options.len();
        copy.clone_from(file);
        let bits: Vec<usize> = (0..=random.below(3))
            .map(|_| random.below(file.len() * 8))
            .collect();
        for &bit in &bits {
            copy[bit / 8] ^= 1 << (bit % 8);
        }
        converted[chosen] += usize::from(converts(&options[chosen], before, &copy, &|| {
            format!("{name} with bits {bits:?} flipped, options {chosen}")
        }));
    }
    println!(
        "flipped: {converted:?} of {flips} converted; most memory {} bytes",
        ALLOCATOR.max_allocated()
    );
    assert!(
        converted.iter().all(|&n| n > 0) && converted.iter().sum::<usize>() < flips,
        "{converted:?} of {flips} converted: flips must be noticed, but not all"
    );
}
