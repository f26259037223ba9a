//! Compares two batches: two reports, or two folders of SPIR-V files.
//!
//! Shaders are matched by the path of the input and the entry point, or by the path of the file below
//! its folder. A report has numbers of words; of files the contents are compared, too. The result
//! depends only on the two sides: its differences are in the order of the names.

mod read;
#[cfg(test)]
mod tests;

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

pub use read::{ReadError, read};

/// The name of a shader, by which the two sides are matched.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    /// Path of the input, or of the file below its folder.
    path: String,
    /// Entry point, if it is known.
    entry: Option<String>,
    /// Number of shaders before it with the same path and entry point.
    repeated: u64,
}

/// The result of a shader on one side.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    /// An output.
    Converted {
        words: u64,
        /// A digest of the file; reports of older versions have none.
        digest: Option<[u8; 32]>,
    },
    /// A failure.
    Failed { kind: String, message: String },
}

/// One side of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Side {
    shaders: BTreeMap<Name, State>,
}

impl Side {
    /// Replaces inputs that failed before their entry points were known by failures of the entry points
    /// that the other side has of them.
    fn expanded(&self, other: &Self) -> Self {
        let mut shaders = BTreeMap::new();
        for (name, state) in &self.shaders {
            let mut known = false;
            // Only the first of a path, so that the time is linear.
            let first = name.entry.is_none() && name.repeated == 0;
            if first && matches!(state, State::Failed { .. }) {
                let entries = other
                    .shaders
                    .range(name.clone()..)
                    .map(|(entry, _)| entry)
                    .take_while(|entry| entry.path == name.path)
                    .filter(|entry| entry.entry.is_some() && entry.repeated == 0)
                    .filter(|entry| !self.shaders.contains_key(entry));
                for entry in entries {
                    shaders.insert(entry.clone(), state.clone());
                    known = true;
                }
            }
            if !known {
                shaders.insert(name.clone(), state.clone());
            }
        }
        Self { shaders }
    }
}

/// How a shader differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// It was converted before and fails now.
    Fails,
    /// It failed before and is converted now.
    Converts,
    /// It fails for another reason.
    OtherFailure,
    /// It has more words.
    Grew,
    /// It has fewer words.
    Shrank,
    /// It has the same number of words, but different ones.
    Changed,
    /// Only the first side has it.
    Missing,
    /// Only the second side has it.
    New,
}

/// A shader that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Path of the input, or of the file below its folder.
    pub path: String,
    /// Entry point, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// How it differs.
    pub change: Change,
    /// Words in the first side, if it was converted there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
    /// Words in the second side, if it was converted there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// The growth in percent, if it was converted in both; none from nothing to something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percent: Option<f64>,
    /// Why it fails in the second side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

impl Difference {
    /// Returns by how many words it grew, negative if it shrank, if it was converted in both.
    pub fn growth(&self) -> Option<i128> {
        Some(i128::from(self.after?) - i128::from(self.before?))
    }
}

/// Numbers of shaders.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Shaders that either side has.
    pub shaders: u64,
    /// Shaders that do not differ.
    pub same: u64,
    /// Those that were converted before and fail now.
    pub fails: u64,
    /// Those that failed before and are converted now.
    pub converts: u64,
    /// Those that fail for another reason.
    pub other_failure: u64,
    /// Those that have more words.
    pub grew: u64,
    /// Those that have fewer words.
    pub shrank: u64,
    /// Those that have the same number of words, but different ones.
    pub changed: u64,
    /// Those that only the first side has.
    pub missing: u64,
    /// Those that only the second side has.
    pub new: u64,
    /// Those of `new` that fail.
    pub new_failures: u64,
    /// Shaders among `same` whose numbers of words alone are known: a report has no hash of the
    /// output.
    pub same_size: u64,
}

/// Words of several shaders in both sides.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Words {
    /// Sum of the first side.
    pub before: u64,
    /// Sum of the second side.
    pub after: u64,
    /// The growth in percent; none from nothing to something.
    pub percent: Option<f64>,
}

impl Words {
    fn add(&mut self, before: Option<u64>, after: Option<u64>) {
        self.before = self.before.saturating_add(before.unwrap_or(0));
        self.after = self.after.saturating_add(after.unwrap_or(0));
        self.percent = percent(self.before, self.after);
    }

    /// Returns true if the growth is more than a number of percent.
    pub fn grew_more_than(&self, limit: f64) -> bool {
        // Without a division, so that exactly `limit` percent are not more due to rounding.
        (self.after as f64 - self.before as f64) * 100.0 > limit * self.before as f64
    }
}

/// The result of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// True if no shader differs.
    pub equal: bool,
    /// Numbers of shaders.
    pub counts: Counts,
    /// Words of all shaders.
    pub all: Words,
    /// Words of the shaders that both sides converted.
    pub common: Words,
    /// The shaders that differ, in the order of their paths.
    pub differences: Vec<Difference>,
}

/// Returns the growth in percent, rounded to hundredths; none from nothing to something.
fn percent(before: u64, after: u64) -> Option<f64> {
    match (before, after) {
        (0, 0) => Some(0.0),
        (0, _) => None,
        _ => Some(((after as f64 - before as f64) * 1e4 / before as f64).round() / 100.0),
    }
}

/// Compares two sides.
pub fn compare(before: &Side, after: &Side) -> Comparison {
    let (before, after) = (before.expanded(after), after.expanded(before));
    let mut comparison = Comparison::default();
    let names: BTreeSet<&Name> = before.shaders.keys().chain(after.shaders.keys()).collect();
    for name in names {
        comparison.add(name, before.shaders.get(name), after.shaders.get(name));
    }
    comparison.equal = comparison.differences.is_empty();
    comparison
}

impl Comparison {
    fn add(&mut self, name: &Name, before: Option<&State>, after: Option<&State>) {
        self.counts.shaders += 1;
        let words = |state: Option<&State>| match state {
            Some(State::Converted { words, .. }) => Some(*words),
            _ => None,
        };
        let (old, new) = (words(before), words(after));
        self.all.add(old, new);
        if old.is_some() && new.is_some() {
            self.common.add(old, new);
        }
        let Some(change) = change(before, after) else {
            self.counts.same += 1;
            self.counts.same_size += u64::from([before, after].into_iter().any(lacks_digest));
            return;
        };
        let failure = match after {
            Some(State::Failed { kind, message }) => Some(format!("{kind}: {message}")),
            _ => None,
        };
        let counts = &mut self.counts;
        if change == Change::New && failure.is_some() {
            counts.new_failures += 1;
        }
        *match change {
            Change::Fails => &mut counts.fails,
            Change::Converts => &mut counts.converts,
            Change::OtherFailure => &mut counts.other_failure,
            Change::Grew => &mut counts.grew,
            Change::Shrank => &mut counts.shrank,
            Change::Changed => &mut counts.changed,
            Change::Missing => &mut counts.missing,
            Change::New => &mut counts.new,
        } += 1;
        self.differences.push(Difference {
            path: name.path.clone(),
            entry: name.entry.clone(),
            change,
            before: old,
            after: new,
            percent: old.zip(new).and_then(|(old, new)| percent(old, new)),
            failure,
        });
    }

    /// Returns the shaders that differ in one way, those with the largest change of their size first,
    /// otherwise in the order of their paths.
    pub fn largest(&self, change: Change) -> Vec<&Difference> {
        let all = self.differences.iter();
        let mut list: Vec<&Difference> = all.filter(|d| d.change == change).collect();
        // The sort is stable: equal changes keep the order of the paths.
        list.sort_by_key(|d| Reverse(d.growth().map_or(0, i128::unsigned_abs)));
        list
    }

    /// Returns the reasons why the second side is not acceptable, if there are any.
    pub fn rejected(&self, gate: &Gate) -> Vec<String> {
        let mut reasons = Vec::new();
        let failures = self.counts.fails + self.counts.new_failures;
        if gate.failures && failures > 0 {
            let fail = if failures == 1 {
                "shader fails"
            } else {
                "shaders fail"
            };
            reasons.push(format!("{failures} {fail} that did not fail before"));
        }
        if gate.change && !self.equal {
            let (differ, all) = (self.differences.len(), self.counts.shaders);
            reasons.push(format!("{differ} of {all} shaders differ"));
        }
        if let Some(limit) = gate.growth
            && self.common.grew_more_than(limit)
        {
            let Words {
                before,
                after,
                percent,
            } = self.common;
            let percent = percent.map_or_else(String::new, |percent| format!(" ({percent:+.2} %)"));
            reasons.push(format!(
                "the sum of words grew from {before} to {after}{percent}, more than {limit} %"
            ));
        }
        reasons
    }
}

/// Limits of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gate {
    /// Shaders that fail and did not fail before.
    pub failures: bool,
    /// Any difference.
    pub change: bool,
    /// A growth of more than this percentage of the words of the shaders that both sides converted.
    pub growth: Option<f64>,
}

/// Returns how two states differ, if they do.
fn change(before: Option<&State>, after: Option<&State>) -> Option<Change> {
    use State::{Converted, Failed};
    let (before, after) = match (before, after) {
        (Some(before), Some(after)) => (before, after),
        (None, Some(_)) => return Some(Change::New),
        (Some(_), None) => return Some(Change::Missing),
        (None, None) => return None,
    };
    match (before, after) {
        (Converted { .. }, Failed { .. }) => Some(Change::Fails),
        (Failed { .. }, Converted { .. }) => Some(Change::Converts),
        (Failed { .. }, Failed { .. }) => (before != after).then_some(Change::OtherFailure),
        (
            Converted {
                words: old_words,
                digest: old,
            },
            Converted { words, digest: new },
        ) => match words.cmp(old_words) {
            Ordering::Greater => Some(Change::Grew),
            Ordering::Less => Some(Change::Shrank),
            // Where one is not known, the words are all that can be compared.
            Ordering::Equal => {
                let differ = old.zip(*new).is_some_and(|(old, new)| old != new);
                differ.then_some(Change::Changed)
            }
        },
    }
}

/// Returns true for an output whose contents are not known.
fn lacks_digest(state: Option<&State>) -> bool {
    matches!(state, Some(State::Converted { digest: None, .. }))
}
