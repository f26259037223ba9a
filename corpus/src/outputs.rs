//! Assigns each input a unique path below the output folder.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The output paths of a batch. Created by [`plan`]; the same inputs always give the same plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan<'a> {
    /// For each input the path without `.spv`, with `/` between the parts: nearly always a part of
    /// its own path.
    stems: Vec<Cow<'a, str>>,
    /// The outputs of other inputs that some would have had.
    clashes: BTreeMap<usize, String>,
    /// The hashes of all [`Plan::single`] paths in lower case, since a file system may ignore case.
    taken: HashSet<u128>,
}

/// Maximum length of an entry point's name in a file name, in bytes.
const LONGEST_ENTRY: usize = 80;

/// Plans the outputs: `a/b.dxil` becomes `a/b.spv`. Where the paths of two inputs would collide,
/// such as `b.dxil` and `b.cso`, the later ones in input order keep their extension (`b.cso.spv`),
/// and are numbered if they still collide.
pub fn plan<'a>(relative_inputs: impl IntoIterator<Item = &'a str>) -> Plan<'a> {
    let mut plan = Plan {
        stems: Vec::new(),
        clashes: BTreeMap::new(),
        taken: HashSet::new(),
    };
    // The last number used for each name: without it, n inputs of one name would take n² steps.
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    for relative in relative_inputs {
        let mut stem = Cow::Borrowed(without_extension(relative));
        if !plan.take(&stem) {
            plan.clashes.insert(plan.stems.len(), file(&stem));
            stem = Cow::Borrowed(relative);
            let number = numbers.entry(relative.to_lowercase()).or_insert(1);
            while !plan.take(&stem) {
                *number += 1;
                stem = Cow::Owned(format!("{relative}-{number}"));
            }
        }
        plan.stems.push(stem);
    }
    plan
}

impl Plan<'_> {
    fn take(&mut self, stem: &str) -> bool {
        self.taken.insert(hash(&file(stem)))
    }

    /// Returns the output that an input would have had, if another one has it.
    pub fn clash(&self, input: usize) -> Option<&str> {
        self.clashes.get(&input).map(String::as_str)
    }

    /// Returns the output of an input with one entry point; `None` if the index is out of range.
    pub fn single(&self, input: usize) -> Option<String> {
        self.stems.get(input).map(|stem| file(stem))
    }

    /// Returns the outputs of an input with several entry points, named `stem.ENTRY.spv`. They do
    /// not collide with each other or with those of another input: the part between the last two
    /// dots has no dot, so two stems never give the same name.
    pub fn several(&self, input: usize, entries: &[&str]) -> Option<Vec<String>> {
        let stem = self.stems.get(input)?;
        let mut own = BTreeSet::new();
        let mut paths = Vec::with_capacity(entries.len());
        for entry in entries {
            let name = sanitized(entry);
            let mut path = file(&format!("{stem}.{name}"));
            let mut number = 1u32;
            while self.taken.contains(&hash(&path)) || !own.insert(path.to_lowercase()) {
                number += 1;
                path = file(&format!("{stem}.{name}-{number}"));
            }
            paths.push(path);
        }
        Some(paths)
    }
}

/// Returns what stands for a path, however its letters are written. Two that have the same one would have
/// to be looked for with 2^64 steps, and only get a longer name.
fn hash(path: &str) -> u128 {
    let hash = blake3::hash(path.to_lowercase().as_bytes());
    let (half, _) = hash.as_bytes().split_at(16);
    half.iter()
        .fold(0, |hash, byte| hash << 8 | u128::from(*byte))
}

fn file(stem: &str) -> String {
    format!("{stem}.spv")
}

/// Returns `path` without the extension of its last part; `.hidden` has no extension.
fn without_extension(path: &str) -> &str {
    let name = path.rfind('/').map_or(0, |slash| slash + 1);
    match path[name..].rfind('.') {
        Some(dot) if dot > 0 => &path[..name + dot],
        _ => path,
    }
}

/// Returns an entry point's name as part of a file name: letters, digits and `_`, not empty, and
/// limited in length.
fn sanitized(entry: &str) -> String {
    let mut name: String = entry
        .chars()
        .take(LONGEST_ENTRY)
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if name.is_empty() {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::plan;

    fn singles(inputs: &[&str]) -> Vec<String> {
        let plan = plan(inputs.iter().copied());
        (0..inputs.len()).map(|i| plan.single(i).unwrap()).collect()
    }

    #[test]
    fn an_output_mirrors_its_input() {
        assert_eq!(
            singles(&["a/b.dxil", "b.dxil", "c", ".hidden", "a/x.od.dxil", "a.b/c"]),
            [
                "a/b.spv",
                "b.spv",
                "c.spv",
                ".hidden.spv",
                "a/x.od.spv",
                "a.b/c.spv"
            ]
        );
    }

    #[test]
    fn collisions_keep_the_whole_name_and_then_a_number() {
        assert_eq!(
            singles(&[
                "b.dxil", "b.cso", "B.CSO", "b.dxil", "b.dxil", "b.dxil", "b.dxil-2"
            ]),
            [
                "b.spv",
                "b.cso.spv",
                "B.CSO-2.spv",
                "b.dxil.spv",
                "b.dxil-2.spv",
                "b.dxil-3.spv",
                // `b.dxil-2` without its extension is `b`, which is taken, as is its whole name.
                "b.dxil-2-2.spv"
            ]
        );
    }

    #[test]
    fn entry_names_are_suffixed_and_distinct() {
        let plan = plan(["lib.dxil", "lib.main.dxil"]);
        assert_eq!(
            plan.several(0, &["main", "\u{1}?hit@@YAX", "a.b", "a_b", "A_B", ""])
                .unwrap(),
            [
                "lib.main-2.spv",
                "lib.__hit__YAX.spv",
                "lib.a_b.spv",
                "lib.a_b-2.spv",
                "lib.A_B-3.spv",
                "lib._.spv"
            ]
        );
        assert_eq!(plan.several(2, &["main"]), None);
    }

    #[test]
    fn outputs_of_similar_names_do_not_collide() {
        let inputs = [
            "a.dxil",
            "a.b.dxil",
            "a.b.c.dxil",
            "a.dxil",
            "a.b-2.dxil",
            "a.b",
        ];
        let plan = plan(inputs);
        let entries = ["b", "b.c", "c", "b-2", "c", "B"];
        let mut seen = BTreeSet::new();
        for input in 0..inputs.len() {
            for path in plan
                .several(input, &entries)
                .unwrap()
                .into_iter()
                .chain(plan.single(input))
            {
                assert!(seen.insert(path.to_lowercase()), "{path} comes twice");
            }
        }
    }
}
