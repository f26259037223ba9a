//! Damaged files: each file of the corpus and of `tests/data`, cut off at each 64th byte, and with bits flipped at random
//! places. Nothing panics, and no reading takes more than 64 MB.
//!
//! `TRELLIS_FLIPS` sets the number of flipped files (default 20,000), `TRELLIS_SEED` the seed,
//! which the test prints.
//!
//! A separate program: its allocator measures everything that the program allocates.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::alloc::System;
use std::path::Path;

use cap::Cap;
use shader_testkit::{Random, containers, containers_in, number, programs};
use trellis_dxil_frontend::Error;

#[path = "it/fuzzing.rs"]
mod fuzzing;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Most bytes that the reading of one file may hold at once.
const MOST_GROWTH: usize = 64 << 20;

/// Reads a damaged file; a panic names it.
fn read(
    what: &dyn Fn() -> String,
    target: fn(&[u8]) -> Result<(), Error>,
    file: &[u8],
    outcomes: &mut [usize; 2],
) {
    let result = std::panic::catch_unwind(|| target(file).is_ok());
    let accepted = result.unwrap_or_else(|_| panic!("{}", what()));
    outcomes[usize::from(accepted)] += 1;
    let most = ALLOCATOR.max_allocated();
    assert!(
        most < MOST_GROWTH,
        "{}: {most} bytes were allocated at once",
        what()
    );
}

#[test]
fn damaged_files_are_errors_and_take_little_memory() {
    let seed = number("TRELLIS_SEED", 0x5eed_0001) | 1;
    let flips = number("TRELLIS_FLIPS", 20_000) as usize;
    println!("TRELLIS_SEED={seed} TRELLIS_FLIPS={flips}");
    let mut files = containers();
    files.extend(containers_in(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data"),
    ));
    // Refused, accepted.
    let (mut cut, mut flipped) = ([0; 2], [0; 2]);
    for (name, file) in &files {
        for len in (0..file.len()).step_by(64) {
            read(
                &|| format!("{name} cut off at byte {len}"),
                fuzzing::container,
                &file[..len],
                &mut cut,
            );
        }
        for program in programs(name, file) {
            for len in (0..program.bytes.len()).step_by(64) {
                read(
                    &|| format!("bitcode of {} cut off at byte {len}", program.name),
                    fuzzing::bitcode,
                    &program.bytes[..len],
                    &mut cut,
                );
            }
        }
    }
    let mut random = Random(seed);
    let mut copy = Vec::new();
    for round in 0..flips {
        let (name, file) = &files[round % files.len()];
        copy.clone_from(file);
        let bits: Vec<usize> = (0..=random.below(3))
            .map(|_| random.below(file.len() * 8))
            .collect();
        for &bit in &bits {
            copy[bit / 8] ^= 1 << (bit % 8);
        }
        read(
            &|| format!("{name} with bits {bits:?} flipped"),
            fuzzing::container,
            &copy,
            &mut flipped,
        );
    }
    println!(
        "cut off: {} refused, {} accepted; flipped: {} refused, {} accepted; most memory {} bytes",
        cut[0],
        cut[1],
        flipped[0],
        flipped[1],
        ALLOCATOR.max_allocated()
    );
    assert_eq!(cut[1], 0, "a file that was cut off was accepted");
    assert!(flipped[0] > flips / 4, "hardly any flip was noticed");
}
