//! Assigns each input a unique path below the output folder.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{Hash, Hasher};
use std::ops::Bound;

/// The output paths of a batch. Created by [`plan`]; the same inputs always give the same plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan<'a> {
    /// For each input the path without `.spv`, with `/` between the parts: nearly always a
    /// substring of the input's path.
    stems: Vec<Cow<'a, str>>,
    /// The outputs of other inputs that some would have had, and folders, which end with `/`.
    clashes: BTreeMap<usize, String>,
    /// All stems, since a file system may ignore case.
    taken: HashSet<AnyCase<'a>>,
    folders: Folders,
}

/// Extension of all outputs.
const EXTENSION: &str = ".spv";

/// Maximum length of an entry point's name in a file name, in bytes.
const LONGEST_ENTRY: usize = 80;

/// Bytes of a path that are hashed at a time.
const PIECE: usize = 64;

/// Plans the outputs: `a/b.dxil` becomes `a/b.spv`. Where the paths of two inputs would collide,
/// such as `b.dxil` and `b.cso`, the later ones in input order keep their extension (`b.cso.spv`),
/// and are numbered if they still collide. An output that would have the path of a folder of outputs,
/// as `a.dxil` next to `a.spv/b.dxil`, is named like a later one, wherever it is in the order.
pub fn plan<'a>(relative_inputs: impl IntoIterator<Item = &'a str, IntoIter: Clone>) -> Plan<'a> {
    let relative_inputs = relative_inputs.into_iter();
    let (count, _) = relative_inputs.size_hint();
    let mut plan = Plan {
        stems: Vec::with_capacity(count),
        clashes: BTreeMap::new(),
        taken: HashSet::with_capacity(count),
        folders: Folders::of(relative_inputs.clone()),
    };
    // The last number used for each name: without it, n inputs of one name would take n² steps.
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    for relative in relative_inputs {
        let mut stem = Cow::Borrowed(without_extension(relative));
        if !plan.take(stem.clone()) {
            let mut clash = file(&stem);
            if plan.folders.have(&stem) {
                clash.push('/');
            }
            plan.clashes.insert(plan.stems.len(), clash);
            stem = Cow::Borrowed(relative);
            let number = numbers.entry(lower(relative)).or_insert(1);
            while !plan.take(stem.clone()) {
                *number += 1;
                stem = Cow::Owned(format!("{relative}-{number}"));
            }
        }
        plan.stems.push(stem);
    }
    plan
}

impl<'a> Plan<'a> {
    fn take(&mut self, stem: Cow<'a, str>) -> bool {
        !self.folders.have(&stem) && self.taken.insert(AnyCase(stem))
    }

    /// Returns the same plan, which does not borrow the paths.
    pub fn into_owned(self) -> Plan<'static> {
        let own = |stem: Cow<'a, str>| Cow::Owned(stem.into_owned());
        Plan {
            stems: self.stems.into_iter().map(own).collect(),
            clashes: self.clashes,
            taken: (self
                .taken
                .into_iter()
                .map(|AnyCase(stem)| AnyCase(own(stem))))
            .collect(),
            folders: self.folders,
        }
    }

    /// Returns the output that an input would have had, if another one has it; with a `/` at its end if
    /// another one's output is in a folder of that name.
    pub fn clash(&self, input: usize) -> Option<&str> {
        self.clashes.get(&input).map(String::as_str)
    }

    /// Returns the output of an input with one entry point; `None` if the index is out of range.
    pub fn single(&self, input: usize) -> Option<String> {
        self.stems.get(input).map(|stem| file(stem))
    }

    /// Returns the outputs of an input with several entry points, named `stem.ENTRY.spv`. They do
    /// not collide with each other or with another input's: the part between the last two
    /// dots has no dot, so two stems never give the same name.
    pub fn several(&self, input: usize, entries: &[&str]) -> Option<Vec<String>> {
        let stem = self.stems.get(input)?;
        let mut own = BTreeSet::new();
        let mut paths = Vec::with_capacity(entries.len());
        for entry in entries {
            let name = sanitized(entry);
            let mut path = format!("{stem}.{name}");
            let mut number = 1u32;
            while self.taken.contains(&AnyCase(Cow::Borrowed(&path)))
                || self.folders.have(&path)
                || !own.insert(lower(&path))
            {
                number += 1;
                path = format!("{stem}.{name}-{number}");
            }
            paths.push(file(&path));
        }
        Some(paths)
    }
}

/// Folders of outputs that are named like an output. They are folders of inputs, as each output is
/// in the folder of its input. Nearly always there are none.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Folders {
    /// For each input in such a folder, the path of the innermost one with a `/`, in small letters. An
    /// outer one is the beginning of a path: with a path for each, a long input could have very many.
    innermost: BTreeSet<String>,
}

impl Folders {
    fn of<'a>(relative_inputs: impl Iterator<Item = &'a str>) -> Self {
        let innermost = relative_inputs.filter_map(|input| {
            let bytes = input.as_bytes();
            let is_output = |at: usize| {
                let start = at.checked_sub(EXTENSION.len());
                start.is_some_and(|start| {
                    bytes[start..at].eq_ignore_ascii_case(EXTENSION.as_bytes())
                })
            };
            // Most paths have few slashes: nothing else is compared.
            let mut positions = (0..bytes.len()).rev();
            let slash = positions.find(|&at| bytes[at] == b'/' && is_output(at))?;
            Some(lower(&input[..=slash]))
        });
        Self {
            innermost: innermost.collect(),
        }
    }

    /// Returns true if the output with this stem would have the path of a folder.
    fn have(&self, stem: &str) -> bool {
        if self.innermost.is_empty() {
            return false;
        }
        let path = format!("{}{EXTENSION}/", lower(stem));
        let from = (Bound::Included(path.as_str()), Bound::Unbounded);
        let mut next = self.innermost.range::<str, _>(from);
        next.next().is_some_and(|folder| folder.starts_with(&path))
    }
}

/// A path that equals others whose letters are the same but for their case.
#[derive(Clone, Debug)]
struct AnyCase<'a>(Cow<'a, str>);

impl PartialEq for AnyCase<'_> {
    fn eq(&self, other: &Self) -> bool {
        // Bytes that only ASCII changes are nearly always all that there is to compare.
        match self.0.is_ascii() && other.0.is_ascii() {
            true => self.0.eq_ignore_ascii_case(&other.0),
            false => lower(&self.0) == lower(&other.0),
        }
    }
}

impl Eq for AnyCase<'_> {}

impl Hash for AnyCase<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.0.is_ascii() {
            // In pieces that are the same for all that are equal, and need no memory.
            true => self.0.as_bytes().chunks(PIECE).for_each(|piece| {
                let mut lower = [0; PIECE];
                let lower = &mut lower[..piece.len()];
                lower.copy_from_slice(piece);
                lower.make_ascii_lowercase();
                state.write(lower);
            }),
            false => {
                let lower = lower(&self.0);
                let pieces = lower.as_bytes().chunks(PIECE);
                pieces.for_each(|piece| state.write(piece));
            }
        }
    }
}

/// Returns a path with small letters, each of them alike wherever it is.
fn lower(path: &str) -> String {
    path.chars().flat_map(char::to_lowercase).collect()
}

fn file(stem: &str) -> String {
    format!("{stem}{EXTENSION}")
}

/// Returns `path` without the extension of its last part; `.hidden` has no extension.
fn without_extension(path: &str) -> &str {
    // A search by bytes: a path has few, and searches for characters are optimized for long texts.
    let find = |text: &str, byte: u8| text.bytes().rposition(|b| b == byte);
    let name = find(path, b'/').map_or(0, |slash| slash + 1);
    match find(&path[name..], b'.') {
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
    fn letters_that_differ_in_case_only_collide_in_any_script() {
        let long = "X".repeat(100);
        let (upper, lower) = (format!("{long}k"), format!("{}K", long.to_lowercase()));
        let kelvin = format!("{long}\u{212A}");
        for (a, b) in [
            (upper.as_str(), lower.as_str()),
            (&upper, &kelvin),
            ("Ä/b", "ä/B"),
            ("ΑΣ", "ασ"),
        ] {
            assert_eq!(
                singles(&[&format!("{a}.dxil"), &format!("{b}.dxil")]),
                [format!("{a}.spv"), format!("{b}.dxil.spv")]
            );
        }
        let library = plan(["lib.dxil", "LIB.MAIN.dxil"]);
        assert_eq!(library.several(0, &["main"]).unwrap(), ["lib.main-2.spv"]);
        assert_eq!(library.clone().into_owned(), library);
    }

    #[test]
    fn an_output_that_is_a_folder_of_another_is_renamed() {
        let inputs = [
            "d/a.dxil",
            "d/a.cso",
            "d/A.SPV/x.dxil",
            "d/b.dxil",
            "d/ab.dxil",
        ];
        let expected = [
            ("d/a.dxil.spv", Some("d/a.spv/")),
            ("d/a.cso.spv", Some("d/a.spv/")),
            ("d/A.SPV/x.spv", None),
            ("d/b.spv", None),
            ("d/ab.spv", None),
        ];
        // A folder has its name in any order of the inputs.
        for order in [[0, 1, 2, 3, 4], [2, 0, 1, 3, 4], [4, 3, 2, 1, 0]] {
            let plan = plan(order.map(|i| inputs[i]));
            for (index, i) in order.into_iter().enumerate() {
                let (output, clash) = expected[i];
                assert_eq!(plan.single(index).unwrap(), output);
                assert_eq!(plan.clash(index), clash);
            }
        }
    }

    #[test]
    fn longer_names_that_are_folders_are_not_used_either() {
        assert_eq!(
            singles(&[
                "a.dxil",
                "a.spv/outer.spv/x.dxil",
                "a.dxil.spv/x.dxil",
                "a.dxil-2.spv/x.dxil",
                "a.spv/outer.dxil",
            ]),
            [
                "a.dxil-3.spv",
                "a.spv/outer.spv/x.spv",
                "a.dxil.spv/x.spv",
                "a.dxil-2.spv/x.spv",
                "a.spv/outer.dxil.spv"
            ]
        );
        let library = plan(["lib.dxil", "lib.main.spv/x.dxil"]);
        assert_eq!(
            library.several(0, &["main", "other"]).unwrap(),
            ["lib.main-2.spv", "lib.other.spv"]
        );
    }

    #[test]
    fn many_inputs_and_folders_are_planned_in_time() {
        // A step per pair of inputs, or per folder of each input, would take hours.
        let mut inputs: Vec<String> = (0..50_000)
            .flat_map(|i| [format!("{i}.dxil"), format!("{i}.spv/x.dxil")])
            .collect();
        inputs.extend((0..10).map(|i| format!("{}{i}.dxil", "y.spv/".repeat(20_000))));
        let plan = plan(inputs.iter().map(String::as_str));
        assert_eq!(plan.single(99_998).unwrap(), "49999.dxil.spv");
        assert_eq!(plan.clash(99_998), Some("49999.spv/"));
        assert_eq!(plan.clash(99_999), None);
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
