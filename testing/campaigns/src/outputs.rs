//! `cargo campaign outputs`: converted shaders of the corpus with one random edit of their words. Lists the rules that
//! spirv-val finds broken and our verifier does not.
//!
//! Emission may break a rule in that list without an error: each is either one that it cannot break, or the
//! verifier has to learn it. A seed decides the module and the edit.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use rayon::prelude::*;
use shader_testkit::{containers_in, corpus};
use structurizer_testkit::generate::Rng;
use trellis_dxil::check::{SpirvValError, spirv_val, verify};
use trellis_dxil::{Options, convert_all};

use crate::mutate::without_numbers;

/// Words of a module's header.
const HEADER: usize = 5;

/// Arguments of the command.
#[derive(Args, Clone, Debug)]
pub(crate) struct Arguments {
    /// The number of edited modules.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    count: u64,
    /// The first seed.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Write the first module of each line to this folder, named by its seed.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let options = Options::default();
    let modules: Vec<Vec<u32>> = { containers_in(&corpus()).into_par_iter() }
        .flat_map_iter(|(_, bytes)| convert_all(&bytes, &options).unwrap_or_default())
        .filter_map(|entry| entry.ok().map(|output| output.words))
        .collect();
    let seeds = arguments.seed..arguments.seed.saturating_add(arguments.count);
    let judged = { seeds.into_par_iter() }
        .map(|seed| Ok((seed, judge(&edited(&modules, seed), &options)?)))
        .collect::<Result<Vec<_>, String>>()?;
    // The number of each outcome, and its first seed.
    let mut outcomes = BTreeMap::new();
    for (seed, outcome) in judged {
        outcomes.entry(outcome).or_insert((0_u64, seed)).0 += 1;
    }
    for (outcome, (number, seed)) in &outcomes {
        println!("{number}\t{seed}\t{outcome}");
        if let Some(folder) = &arguments.out {
            let path = folder.join(format!("{seed}.spv"));
            let words = edited(&modules, *seed).into_iter();
            let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
            std::fs::create_dir_all(folder)
                .and_then(|()| std::fs::write(&path, bytes))
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns who rejects a module, and by which rule if it is one of the two.
fn judge(words: &[u32], options: &Options) -> Result<String, String> {
    Ok(match (verify(words), spirv_val(words, options.target)) {
        (_, Err(error @ SpirvValError::Missing)) => return Err(error.to_string()),
        (Ok(()), Ok(())) => "valid".to_owned(),
        (Err(_), Err(SpirvValError::Rejected { .. })) => "both".to_owned(),
        (Err(error), Ok(())) => format!("verifier: {}", without_numbers(&error.to_string())),
        (Ok(()), Err(SpirvValError::Rejected { message, .. })) => {
            format!("spirv-val: {}", rule(&message))
        }
        (_, Err(_)) => "spirv-val cannot check it".to_owned(),
    })
}

/// Returns the number that a message begins with, or the message without the parts that differ
/// between modules.
fn rule(message: &str) -> String {
    let number = message
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'));
    number.map_or_else(|| without_numbers(message), |(number, _)| number.to_owned())
}

/// Returns a module after the edit of a seed.
fn edited(modules: &[Vec<u32>], seed: u64) -> Vec<u32> {
    let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    rng.next_u64();
    let mut words = modules[rng.below(modules.len())].clone();
    let starts: Vec<usize> = std::iter::successors(Some(HEADER), |&at| {
        Some(at + (words[at] >> 16) as usize).filter(|&next| next < words.len())
    })
    .collect();
    let length = |words: &[u32], at: usize| (words[at] >> 16) as usize;
    let at = starts[rng.below(starts.len())];
    let size = length(&words, at);
    // Another instruction that a part is taken from.
    let like = |rng: &mut Rng, is_like: &dyn Fn(usize) -> bool| {
        let alike: Vec<usize> = { starts.iter().copied() }
            .filter(|&at| is_like(at))
            .collect();
        alike[rng.below(alike.len())]
    };
    let operand = 1 + rng.below(size.max(2) - 1);
    match rng.below(6) {
        0 => drop(words.drain(at..at + size)),
        1 => {
            let other = like(&mut rng, &|other| length(&words, other) == size);
            words[at] = words[other];
        }
        2 if at + size < words.len() => {
            let next = length(&words, at + size);
            words[at..at + size + next].rotate_left(size);
        }
        _ if operand >= size => drop(words.drain(at..at + size)),
        3 => words[at + operand] ^= 1 << rng.below(8),
        4 => words[at + operand] = words[HEADER + rng.below(words.len() - HEADER)],
        _ => {
            let code = words[at] & 0xffff;
            let other = like(&mut rng, &|other| {
                words[other] & 0xffff == code && length(&words, other) > operand
            });
            words[at + operand] = words[other + operand];
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::rule;

    #[test]
    fn a_rule_is_its_number_or_its_message() {
        assert_eq!(rule("[VUID-X-1] BuiltIn 7"), "VUID-X-1");
        assert_eq!(
            rule("ID '7[%x]' has 3 uses"),
            rule("ID '12[%y]' has 4 uses")
        );
    }
}
