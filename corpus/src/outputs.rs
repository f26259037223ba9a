//! Assigns each input a unique path below the output folder.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{Hash, Hasher};

/// The output paths of a batch. Created by [`plan`]; the same inputs always give the same plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan<'a> {
    /// For each input the path without `.spv`, with `/` between the parts: nearly always a part of
    /// its own path.
    stems: Vec<Cow<'a, str>>,
    /// The outputs of other inputs that some would have had.
    clashes: BTreeMap<usize, String>,
    /// All stems, since a file system may ignore case.
    taken: HashSet<AnyCase<'a>>,
}

/// Maximum length of an entry point's name in a file name, in bytes.
const LONGEST_ENTRY: usize = 80;

/// Bytes of a path that are hashed at a time.
const PIECE: usize = 64;

/// Plans the outputs: `a/b.dxil` becomes `a/b.spv`. Where the paths of two inputs would collide,
/// such as `b.dxil` and `b.cso`, the later ones in input order keep their extension (`b.cso.spv`),
/// and are numbered if they still collide.
pub fn plan<'a>(relative_inputs: impl IntoIterator<Item = &'a str>) -> Plan<'a> {
    let relative_inputs = relative_inputs.into_iter();
    let (count, _) = relative_inputs.size_hint();
    let mut plan = Plan {
        stems: Vec::with_capacity(count),
        clashes: BTreeMap::new(),
        taken: HashSet::with_capacity(count),
    };
    // The last number used for each name: without it, n inputs of one name would take n² steps.
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    for relative in relative_inputs {
        let mut stem = Cow::Borrowed(without_extension(relative));
        if !plan.take(stem.clone()) {
            plan.clashes.insert(plan.stems.len(), file(&stem));
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
        self.taken.insert(AnyCase(stem))
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
            let mut path = format!("{stem}.{name}");
            let mut number = 1u32;
            while self.taken.contains(&AnyCase(Cow::Borrowed(&path))) || !own.insert(lower(&path)) {
                number += 1;
                path = format!("{stem}.{name}-{number}");
            }
            paths.push(file(&path));
        }
        Some(paths)
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
    format!("{stem}.spv")
}

/// Returns `path` without the extension of its last part; `.hidden` has no extension.
fn without_extension(path: &str) -> &str {
    // Looked for as bytes, of which a path has few: searching for characters is for long texts.
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
