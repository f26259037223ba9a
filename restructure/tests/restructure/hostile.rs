//! Damaged modules: an error or a module, and never a panic or a result that does not verify where
//! the input's other parts do.

use shader_testkit::Random;
use trellis_restructure::{Profile, restructure};

use crate::common::{corpus, without_merges};

/// Changes a few words, or removes or repeats some.
fn damage(words: &mut Vec<u32>, rng: &mut Random) {
    for _ in 0..=rng.below(4) {
        let at = rng.below(words.len());
        match rng.below(8) {
            0 => words[at] ^= 1 << rng.below(32),
            1 => words[at] = words[rng.below(words.len())],
            2 => words[at] = [0, 1, u32::MAX, 0x8000_0000][rng.below(4)],
            3 => words[at] = words[at].wrapping_add(rng.below(5) as u32).wrapping_sub(2),
            4 => words[at] = words[at] & 0xffff_0000 | rng.below(450) as u32,
            5 => words.truncate(at.max(1)),
            6 => drop(words.drain(at..(at + 1 + rng.below(5)).min(words.len() - 1).max(at))),
            _ => {
                let end = (at + 1 + rng.below(20)).min(words.len());
                let part = words[at..end].to_vec();
                let to = rng.below(words.len());
                words.splice(to..to, part);
            }
        }
        if words.is_empty() {
            words.push(0);
        }
    }
}

#[test]
fn mutants_do_not_panic() {
    let setting = |name: &str, default: u64| {
        let text = std::env::var(name).ok();
        text.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (seed, count) = (
        setting("TRELLIS_SEED", 1),
        setting("TRELLIS_MUTANTS", 10_000),
    );
    println!("TRELLIS_SEED={seed} TRELLIS_MUTANTS={count}");
    let inputs: Vec<Vec<u32>> = corpus()
        .into_iter()
        .flat_map(|(_, words)| [without_merges(&words), words])
        .filter(|words| words.len() < 3000)
        .collect();
    let mut converted = 0;
    for seed in seed..seed + count {
        let mut rng = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut words = inputs[rng.below(inputs.len())].clone();
        damage(&mut words, &mut rng);
        let profile = Profile::ALL[rng.below(2)].1;
        let result = std::panic::catch_unwind(|| restructure(&words, profile));
        let result = result.unwrap_or_else(|_| panic!("seed {seed} panics"));
        converted += u64::from(result.is_ok());
    }
    assert!(converted > count / 20, "{converted}");
}
