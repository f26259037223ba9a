//! Parallel copies as sequences: algorithm 1 of Boissinot et al., "Revisiting Out-of-SSA
//! Translation for Correctness, Code Quality, and Efficiency", 2009.
//!
//! A variable is written once nothing reads its old value. Where all remaining ones wait for each
//! other, they form cycles: one variable of each is saved in a temporary. Linear.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::{Assignment, Source, Variable};

/// Appends the sequence to `out`. Each variable is in `parallel` at most once; if it is there more
/// often, one of the copies is kept. `temporary` returns one of the type of a variable.
pub(super) fn sequentialize(
    parallel: &[(Variable, Source)],
    mut temporary: impl FnMut(Variable) -> Variable,
    out: &mut Vec<Assignment>,
) {
    // Copies to be written; the location of each variable's old value.
    let mut left: BTreeMap<Variable, Source> = BTreeMap::default();
    let mut place: BTreeMap<Variable, Variable> = BTreeMap::default();
    let copies = parallel.iter().copied();
    for (to, from) in copies.filter(|&(to, from)| Source::Variable(to) != from) {
        left.insert(to, from);
        if let Source::Variable(from) = from {
            place.insert(from, from);
        }
    }
    let mut ready: Vec<Variable> = Vec::new();
    for &(to, _) in parallel.iter().rev() {
        if left.contains_key(&to) && !place.contains_key(&to) {
            ready.push(to);
        }
    }
    let mut rest = parallel.iter().map(|copy| copy.0);
    loop {
        while let Some(to) = ready.pop() {
            let Some(from) = left.remove(&to) else {
                continue;
            };
            let Source::Variable(variable) = from else {
                out.push(Assignment { to, from });
                continue;
            };
            let at = place.insert(variable, to).unwrap_or(variable);
            out.push(Assignment {
                to,
                from: Source::Variable(at),
            });
            // The others that read it read the new place.
            if at == variable && left.contains_key(&variable) {
                ready.push(variable);
            }
        }
        let Some(next) = rest.find(|to| left.contains_key(to)) else {
            return;
        };
        let saved = temporary(next);
        out.push(Assignment {
            to: saved,
            from: Source::Variable(next),
        });
        place.insert(next, saved);
        ready.push(next);
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use trellis_entity::EntityRef;

    use super::{Assignment, Source, Variable, sequentialize};

    fn run(parallel: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let copies: Vec<(Variable, Source)> = parallel
            .iter()
            .map(|&(to, from)| (Variable::new(to), Source::Variable(Variable::new(from))))
            .collect();
        let mut out = Vec::new();
        sequentialize(&copies, |_| Variable::new(9), &mut out);
        out.iter()
            .map(|&Assignment { to, from }| match from {
                Source::Variable(from) => (to.index(), from.index()),
                Source::Value(_) => unreachable!(),
            })
            .collect()
    }

    #[test]
    fn known_cases() {
        assert_eq!(run(&[(1, 1)]), []);
        assert_eq!(run(&[(1, 2), (2, 3)]), [(1, 2), (2, 3)]);
        assert_eq!(run(&[(2, 3), (1, 2)]), [(1, 2), (2, 3)]);
        assert_eq!(run(&[(1, 2), (2, 1)]), [(9, 1), (1, 2), (2, 9)]);
        // A copy of a variable of the cycle is its temporary.
        assert_eq!(run(&[(1, 2), (2, 1), (3, 1)]), [(3, 1), (1, 2), (2, 3)]);
    }

    /// All parallel copies among five variables, with sources among six.
    #[test]
    fn every_small_parallel_copy() {
        for number in 0..6usize.pow(5) {
            let parallel: Vec<(usize, usize)> = (0..5)
                .map(|to| (to, number / 6usize.pow(to as u32) % 6))
                .collect();
            let mut values: Vec<usize> = (0..10).collect();
            let sequence = run(&parallel);
            for &(to, from) in &sequence {
                values[to] = values[from];
            }
            for &(to, from) in &parallel {
                assert_eq!(values[to], from, "{parallel:?}: {sequence:?}");
            }
            assert!(sequence.len() <= 7, "{parallel:?}: {sequence:?}");
        }
    }
}
