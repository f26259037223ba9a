//! Damaged files: each shader of `tests/shaders`, cut off at each 4th byte, with bits flipped at
//! random places, and with tokens of its program replaced by others. Nothing panics, and no reading
//! takes more than 16 MB.
//!
//! `TRELLIS_FLIPS` sets the number of damaged files (default 20,000), `TRELLIS_SEED` the seed,
//! which the test prints.
//!
//! A separate program: its allocator measures everything that the program allocates.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::alloc::System;
use std::path::Path;

use cap::Cap;
use shader_testkit::{Random, files, number};
use trellis_dxbc_frontend::{Error, disassemble};
use trellis_dxil_frontend::container::{Container, FourCC};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Most bytes that the reading of one file may hold at once.
const MOST_GROWTH: usize = 16 << 20;

/// Reads and translates all of a file.
fn read(file: &[u8]) -> Result<(), Error> {
    disassemble(file)?;
    // Some shaders are valid and refused: those with class linkage.
    drop(trellis_dxbc_frontend::read(file));
    Ok(())
}

/// Reads a damaged file, and counts it as refused or accepted; a panic names it.
fn check(what: &dyn Fn() -> String, file: &[u8], outcomes: &mut [usize; 2]) {
    let result = std::panic::catch_unwind(|| read(file).is_ok());
    let accepted = result.unwrap_or_else(|_| panic!("{}", what()));
    outcomes[usize::from(accepted)] += 1;
    let most = ALLOCATOR.max_allocated();
    assert!(
        most < MOST_GROWTH,
        "{}: {most} bytes were allocated at once",
        what()
    );
}

/// Returns the range of bytes of the token stream after its version and length.
fn tokens(file: &[u8]) -> std::ops::Range<usize> {
    let container = Container::open(file).unwrap();
    let part = container.part(FourCC::SHADER_EX);
    let part = part.or_else(|| container.part(FourCC::SHADER)).unwrap();
    part.offset + 8..part.offset + part.data.len()
}

#[test]
fn damaged_files_are_errors_and_take_little_memory() {
    let seed = number("TRELLIS_SEED", 0x5eed_0001) | 1;
    let rounds = number("TRELLIS_FLIPS", 20_000) as usize;
    println!("TRELLIS_SEED={seed} TRELLIS_FLIPS={rounds}");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shaders");
    let paths = files(&folder, "dxbc");
    let shaders: Vec<_> = paths.iter().map(|p| std::fs::read(p).unwrap()).collect();
    // Refused, accepted.
    let (mut cut, mut flipped) = ([0; 2], [0; 2]);
    for (path, file) in paths.iter().zip(&shaders) {
        read(file).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for len in (0..file.len()).step_by(4) {
            let what = || format!("{} cut off at byte {len}", path.display());
            check(&what, &file[..len], &mut cut);
        }
    }
    let mut random = Random(seed);
    let mut copy = Vec::new();
    for round in 0..rounds {
        let index = round % shaders.len();
        let file = &shaders[index];
        copy.clone_from(file);
        let mut edits = Vec::new();
        for _ in 0..=random.below(3) {
            if random.one_in(2) {
                let bit = random.below(file.len() * 8);
                copy[bit / 8] ^= 1 << (bit % 8);
                edits.push(format!("bit {bit} flipped"));
            } else {
                // A token of this or another shader, or a number that is likely to matter.
                let donor = &shaders[random.below(shaders.len())];
                let (to, from) = (tokens(file), tokens(donor));
                let at = to.start + random.below(to.len() / 4) * 4;
                let token = match random.below(4) {
                    0 => random.number(),
                    _ => {
                        let from = from.start + random.below(from.len() / 4) * 4;
                        u32::from_le_bytes(*donor[from..].first_chunk().unwrap())
                    }
                };
                copy[at..at + 4].copy_from_slice(&token.to_le_bytes());
                edits.push(format!("{token:#x} at byte {at}"));
            }
        }
        let what = || format!("{} with {edits:?}", paths[index].display());
        check(&what, &copy, &mut flipped);
    }
    println!(
        "cut off: {} refused, {} accepted; damaged: {} refused, {} accepted; most memory {} bytes",
        cut[0],
        cut[1],
        flipped[0],
        flipped[1],
        ALLOCATOR.max_allocated()
    );
    assert_eq!(cut[1], 0, "a file that was cut off was accepted");
    assert!(flipped[0] > rounds / 4, "hardly any damage was noticed");
    assert!(
        flipped[1] > rounds / 16,
        "hardly any damage got past the decoder"
    );
}
