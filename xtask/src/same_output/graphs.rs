//! The graphs that both programs structurize, each a file in the scratch folder.

use std::ops::Range;
use std::path::{Path, PathBuf};

use structurizer_testkit::generate::{Family, mixed_size, random_function};
use trellis_structurizer::ir::Function;
use trellis_structurizer::text::print;

use super::Error;
use super::programs::STAGES;

/// The most blocks of a random graph, like the default of `cargo xtask stress`.
const MAX_BLOCKS: usize = 200;

/// The sizes of each family's graphs.
const FAMILY_SIZES: [usize; 2] = [16, 64];

/// One run of each program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Input {
    /// Name in reports and file names.
    pub(super) name: String,
    /// The graph.
    pub(super) file: PathBuf,
    /// The stage that is switched off, as an index into [`STAGES`].
    pub(super) without: Option<usize>,
}

/// Inputs of one kind, a row of the table.
#[derive(Clone, Debug, Default)]
pub(super) struct Kind {
    pub(super) name: String,
    pub(super) inputs: Vec<Input>,
    /// Both programs may refuse an input. Those that this command brings must be accepted, else
    /// nothing would be compared.
    pub(super) may_refuse: bool,
    /// Why there are no inputs, or fewer than there could be.
    pub(super) notes: Vec<String>,
}

/// The kinds of inputs, one row of the table per kind, or the error of reading or writing them.
type Kinds = Result<Vec<Kind>, Error>;

/// Writes the graphs of one kind into a folder.
struct Writer {
    folder: PathBuf,
    kind: Kind,
}

impl Writer {
    fn new(scratch: &Path, folder: &str, name: &str) -> Result<Self, Error> {
        let folder = scratch.join(folder);
        std::fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        Ok(Self {
            folder,
            kind: Kind {
                name: name.to_owned(),
                ..Kind::default()
            },
        })
    }

    /// Adds a graph. The file is numbered, since names of functions may not suit as file names.
    fn add(&mut self, name: String, graph: &str) -> Result<(), Error> {
        let file = self.folder.join(format!("{}.cfg", self.kind.inputs.len()));
        std::fs::write(&file, graph).map_err(Error::io(&file))?;
        self.kind.inputs.push(Input {
            name,
            file,
            without: None,
        });
        Ok(())
    }

    fn add_function(&mut self, name: String, function: &Function) -> Result<(), Error> {
        self.add(name, &print(function))
    }
}

/// Writes the graphs that need no folder of the user's, and returns them by kind.
pub(super) fn built_in(root: &Path, scratch: &Path, seeds: &Range<u64>) -> Kinds {
    let filetests = root.join("structurizer/tests/filetests");
    let filetests = folder(scratch, "filetests", &filetests, "filetests")?;
    let switched = without_stages(&filetests);
    let random = random(scratch, seeds)?;
    Ok(vec![
        filetests,
        switched,
        random,
        families(scratch)?,
        c_programs(root, scratch)?,
    ])
}

/// Writes the graphs below the folders of the command line and returns them, a kind a folder.
///
/// # Errors
/// [`Error::Folder`] for a folder that cannot be read or has no graphs.
pub(super) fn from_folders(scratch: &Path, folders: &[PathBuf]) -> Kinds {
    let kinds = folders.iter().enumerate().map(|(index, path)| {
        let name = format!("graphs {}", path.display());
        let kind = folder(scratch, &format!("graphs{index}"), path, &name);
        let kind = kind.map_err(|error| Error::Folder(Box::new(error)))?;
        Ok(Kind {
            may_refuse: true,
            ..kind
        })
    });
    kinds.collect()
}

/// Writes the graphs of all `.cfg` files below a folder, without what follows them.
fn folder(scratch: &Path, to: &str, from: &Path, name: &str) -> Result<Kind, Error> {
    let mut writer = Writer::new(scratch, to, name)?;
    for path in files_below(from)? {
        if path.extension().is_some_and(|extension| extension == "cfg") {
            let text = std::fs::read_to_string(&path).map_err(Error::io(&path))?;
            let name = path
                .strip_prefix(from)
                .unwrap_or(&path)
                .display()
                .to_string();
            writer.add(name, graph_of(&text))?;
        }
    }
    if writer.kind.inputs.is_empty() {
        return Err(Error::NoGraphs(from.to_owned()));
    }
    Ok(writer.kind)
}

/// Returns all files below a folder, sorted.
pub(super) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(Error::io(&folder))? {
            let path = entry.map_err(Error::io(&folder))?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Returns the graph of a filetest: the text before the first line `---`.
fn graph_of(text: &str) -> &str {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end() == "---" {
            break;
        }
        end += line.len();
    }
    &text[..end]
}

/// Returns the inputs of a kind once for each stage, which is switched off.
fn without_stages(kind: &Kind) -> Kind {
    let stages = STAGES.iter().enumerate();
    let inputs = stages.flat_map(|(stage, names)| {
        kind.inputs.iter().map(move |input| {
            let name = format!("{} --without {}", input.name, names.0);
            Input {
                name,
                without: Some(stage),
                ..input.clone()
            }
        })
    });
    Kind {
        name: format!("{}, a stage off", kind.name),
        inputs: inputs.collect(),
        ..kind.clone()
    }
}

/// Writes the graphs of the seeds, those of `cargo xtask stress`.
fn random(scratch: &Path, seeds: &Range<u64>) -> Result<Kind, Error> {
    let name = format!("seeds {}..{}", seeds.start, seeds.end);
    let mut writer = Writer::new(scratch, "seeds", &name)?;
    for seed in seeds.clone() {
        let function = random_function(seed, mixed_size(seed, MAX_BLOCKS));
        writer.add_function(format!("seed {seed}"), &function)?;
    }
    Ok(writer.kind)
}

fn families(scratch: &Path) -> Result<Kind, Error> {
    let mut writer = Writer::new(scratch, "families", "families")?;
    for family in Family::ALL {
        for size in FAMILY_SIZES {
            writer.add_function(format!("{family:?} {size}"), &family.function(size))?;
        }
    }
    Ok(writer.kind)
}

#[cfg(not(feature = "llvm"))]
#[expect(clippy::unnecessary_wraps, reason = "with LLVM it can fail")]
fn c_programs(_: &Path, _: &Path) -> Result<Kind, Error> {
    let skipped = "skipped: this needs LLVM 14 and xtask's feature `llvm`".to_owned();
    Ok(Kind {
        name: "C programs".to_owned(),
        notes: vec![skipped],
        ..Kind::default()
    })
}

/// Writes the functions of the C programs that are compiled at three levels.
#[cfg(feature = "llvm")]
fn c_programs(root: &Path, scratch: &Path) -> Result<Kind, Error> {
    use llvm_graphs::read::{self, Settings};

    let folder = root.join("testing/llvm-graphs/c");
    let mut writer = Writer::new(scratch, "c", "C programs")?;
    for level in ["O0", "O1", "O2"] {
        for path in files_below(&folder.join(level))? {
            let module = read::open(&path)?;
            let file = path
                .strip_prefix(&folder)
                .unwrap_or(&path)
                .display()
                .to_string();
            for function in read::functions(&module) {
                let name = format!("{file} {}", function.name);
                match read::read(&module, function, Settings::default()) {
                    Ok(program) => writer.add_function(name, &program.func)?,
                    Err(error) => writer.kind.notes.push(format!("no graph: {name}: {error}")),
                }
            }
        }
    }
    if writer.kind.inputs.is_empty() {
        return Err(Error::NoGraphs(folder));
    }
    Ok(writer.kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_of_a_filetest_is_no_graph() {
        assert_eq!(
            graph_of("# x\na: ret\n---\nb0:\n---\n# y\n"),
            "# x\na: ret\n"
        );
        assert_eq!(graph_of("a: ret\r\n---\r\nb0:\r\n"), "a: ret\r\n");
        for whole in ["", "a: ret", "a: ret\n# --- no line of its own\n"] {
            assert_eq!(graph_of(whole), whole);
        }
        assert_eq!(graph_of("---\n"), "");
    }

    #[test]
    fn graphs_of_a_folder_are_read_at_any_depth() {
        let scratch = tempfile::tempdir().unwrap();
        let from = scratch.path().join("from");
        std::fs::create_dir_all(from.join("deep")).unwrap();
        std::fs::write(from.join("b.cfg"), "a: ret\n---\n").unwrap();
        std::fs::write(from.join("deep/a.cfg"), "a: kill\n").unwrap();
        std::fs::write(from.join("deep/a.txt"), "no graph").unwrap();
        let kinds = from_folders(scratch.path(), &[from]).unwrap();
        let [kind] = kinds.as_slice() else {
            panic!("{kinds:?}")
        };
        let text = |input: &Input| std::fs::read_to_string(&input.file).unwrap();
        assert_eq!(
            kind.inputs.iter().map(text).collect::<Vec<_>>(),
            ["a: ret\n", "a: kill\n"]
        );
        assert_eq!(
            kind.inputs[1].name,
            Path::new("deep").join("a.cfg").display().to_string()
        );
        assert!(kind.may_refuse);
    }

    #[test]
    fn a_folder_without_graphs_is_wrong_use() {
        let scratch = tempfile::tempdir().unwrap();
        let (empty, missing) = (scratch.path().join("empty"), scratch.path().join("missing"));
        std::fs::create_dir(&empty).unwrap();
        for path in [empty, missing] {
            let error = from_folders(scratch.path(), &[path]).unwrap_err();
            assert_eq!(error.status(), 2, "{error}");
        }
    }

    #[test]
    fn each_stage_is_switched_off_for_each_graph() {
        let scratch = tempfile::tempdir().unwrap();
        let kind = random(scratch.path(), &(1..4)).unwrap();
        let switched = without_stages(&kind);
        assert_eq!(switched.inputs.len(), 3 * STAGES.len());
        assert_eq!(
            switched.inputs[3].name,
            format!("seed 1 --without {}", STAGES[1].0)
        );
        assert_eq!(switched.inputs[3].file, kind.inputs[0].file);
        assert_eq!(switched.inputs[3].without, Some(1));
    }

    #[test]
    fn generated_graphs_are_read_back() {
        let scratch = tempfile::tempdir().unwrap();
        let kinds = [random(scratch.path(), &(1..30)), families(scratch.path())];
        for kind in kinds {
            for input in kind.unwrap().inputs {
                let text = std::fs::read_to_string(&input.file).unwrap();
                assert!(
                    trellis_structurizer::text::parse(&text).is_ok(),
                    "{}",
                    input.name
                );
            }
        }
    }
}
