//! Damaged shaders through the whole conversion: a typed error or verified words, never a panic.

use std::path::Path;
use std::time::{Duration, Instant};

use spirv_backend::{Options, convert_all};

/// A small generator of pseudo-random numbers (xorshift64*), so that a failure can be had again from its seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// Shaders of different kinds; small ones, so that much of a file is code rather than text.
const SEEDS: &[&str] = &[
    "arithmetic/add_with_carry.dxil",
    "arithmetic/vector_swizzle.dxil",
    "buffers/structured.dxil",
    "buffers/byte_address.dxil",
    "control_flow/collatz.dxil",
    "control_flow/discard_in_loop.dxil",
    "control_flow/switch_fall_through.dxil",
    "control_flow/short_circuit.od.dxil",
    "cbuffers/legacy.dxil",
    "options/noinline.dxil",
];

fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/shaders");
    SEEDS.iter().map(|&name| (name, std::fs::read(root.join(name)).unwrap_or_else(|e| panic!("{name}: {e}")))).collect()
}

fn run(bytes: &[u8], what: impl Fn() -> String) -> bool {
    let options = Options::default();
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| convert_all(bytes, &options).is_ok_and(|all| all.iter().any(Result::is_ok))));
    result.unwrap_or_else(|_| panic!("a panic: {}", what()))
}

#[test]
fn truncations() {
    for (name, bytes) in seeds() {
        for len in (0..bytes.len()).step_by(64) {
            assert!(!run(&bytes[..len], || format!("{name} cut to {len} bytes")), "{name} cut to {len} bytes converts");
        }
    }
}

#[test]
fn flipped_bits() {
    let seed = std::env::var("TRELLIS_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0x5EED);
    let mut random = Random(seed);
    let seeds = seeds();
    let end = Instant::now() + Duration::from_secs(10);
    let (mut runs, mut converted) = (0u32, 0u32);
    while runs < 20_000 && Instant::now() < end {
        let (name, bytes) = &seeds[random.below(seeds.len())];
        let mut damaged = bytes.clone();
        let flips: Vec<usize> = (0..=random.below(3)).map(|_| random.below(damaged.len() * 8)).collect();
        for &bit in &flips {
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
        converted += u32::from(run(&damaged, || format!("{name} with bits {flips:?} flipped (seed {seed})")));
        runs += 1;
    }
    // Both kinds of outcome must occur, else the test tests nothing.
    assert!(runs > 100 && converted > 0 && converted < runs, "{converted} of {runs} converted");
}
