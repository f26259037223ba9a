//! Chooses the shaders that have details.

use std::collections::BTreeMap;

use super::{Amount, can_be_read};
use crate::html::cause;
use crate::report::{Report, ShaderReport};

/// Failures of each cause that come before all other shaders.
const OF_EACH_CAUSE: usize = 5;

/// The slowest and the largest shaders, of each, that come before the rest.
const EXTREMES: usize = 100;

/// Estimated bytes of details for each byte of a shader's input and for each word of its output: a little
/// more than most need, so that few details are made and not used.
const OF_INPUT_BYTE: u64 = 1;
const OF_WORD: u64 = 5;

/// Returns the indices of the shaders that have details, the most important first: failures of each cause,
/// then the slowest and the largest, then the other failures, then the rest in the report's order.
pub fn choose(report: &Report, amount: Amount) -> Vec<usize> {
    let all = ordered(&report.shaders);
    match amount {
        Amount::All => all,
        Amount::Shaders(count) => all.into_iter().take(count).collect(),
        Amount::Bytes(limit) => {
            let mut bytes = 0;
            let fits = |index: &usize| {
                bytes += estimated(&report.shaders[*index]);
                bytes <= limit
            };
            all.into_iter().take_while(fits).collect()
        }
    }
}

/// Returns about how many bytes the details of a shader have in the page.
fn estimated(shader: &ShaderReport) -> u64 {
    let input = shader.input_bytes.saturating_mul(OF_INPUT_BYTE);
    input.saturating_add(shader.words.saturating_mul(OF_WORD))
}

/// Returns the shaders that can have details, the most important first.
fn ordered(shaders: &[ShaderReport]) -> Vec<usize> {
    let mut taken = vec![false; shaders.len()];
    let mut order = Vec::new();
    let mut take = |index: usize| {
        if !taken[index] && can_be_read(&shaders[index]) {
            taken[index] = true;
            order.push(index);
        }
    };
    let mut of_cause: BTreeMap<String, usize> = BTreeMap::new();
    let failures = || (0..shaders.len()).filter(|&index| shaders[index].error.is_some());
    for index in failures() {
        if let Some(error) = &shaders[index].error {
            let count = of_cause.entry(cause::of(error)).or_default();
            *count += 1;
            if *count <= OF_EACH_CAUSE {
                take(index);
            }
        }
    }
    let slowest = descending(shaders, |shader| shader.time_us);
    let largest = descending(shaders, |shader| shader.words);
    for (slow, large) in slowest.into_iter().zip(largest).take(EXTREMES) {
        take(slow);
        take(large);
    }
    failures().for_each(&mut take);
    (0..shaders.len()).for_each(take);
    order
}

/// Returns all shaders, those with the largest keys first.
fn descending(shaders: &[ShaderReport], key: impl Fn(&ShaderReport) -> u64) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..shaders.len()).collect();
    indices.sort_by_key(|&index| (std::cmp::Reverse(key(&shaders[index])), index));
    indices
}
