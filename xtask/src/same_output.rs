//! `cargo xtask same-output --against REV`: checks that every output is the same as another
//! revision's, to the byte. It is the test of a change that is to leave all output as it is.
//!
//! Both programs write their outputs to a folder each, with the same names, and git compares the folders.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};

use gpu_test::worker_process::parse_seeds;
use rayon::prelude::*;
use structurizer_testkit::generate::{Family, mixed_size, random_function};
use trellis_structurizer::Stage;
use trellis_structurizer::text::print;

use crate::{files_below, root, target_folder};

/// The options that the corpus is converted with.
const OPTION_SETS: [&[&str]; 5] = [
    &[],
    &["--target=vulkan1.1"],
    &["--target=vulkan1.2", "--no-point-size"],
    &[
        "--target=vulkan1.4",
        "--dynamic-offsets",
        "--shift=srv=0,uav=100",
    ],
    &["--strip-names", "--min-precision=native"],
];

/// The most blocks of a random graph, like the default of `cargo campaign stress`.
const MAX_BLOCKS: usize = 200;

/// The sizes of each family's graphs.
const FAMILY_SIZES: [usize; 2] = [16, 64];

/// Lines of differences that are printed.
const PRINTED: usize = 60;

/// Arguments of `same-output`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The revision to compare with, anything that `git rev-parse` takes, or a program.
    #[arg(long, value_name = "REV")]
    against: String,
    /// The program to compare, instead of the working tree's.
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
    /// The seeds of random graphs, like 1..1000; the last one is not among them.
    #[arg(long, value_name = "A..B", default_value = "1..4001", value_parser = parse_seeds)]
    seeds: Range<u64>,
    /// Compare the `.cfg` files below this folder, too; may be given several times.
    #[arg(long, value_name = "FOLDER")]
    graphs: Vec<PathBuf>,
    /// Write the graphs and all outputs to this folder, which must not exist.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// The reason why outputs cannot be compared.
type Problem = Box<dyn std::error::Error + Send + Sync>;

/// A graph that both programs structurize.
struct Input {
    /// Path below the folder of the graphs, and of the outputs.
    name: String,
    /// The stage that is disabled.
    without: Option<&'static str>,
    /// Both programs may refuse it. The built-in graphs must be accepted, else nothing would be compared.
    may_refuse: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let is_same = compare_all(arguments).map_err(|problem| problem.to_string())?;
    Ok(crate::status(is_same))
}

fn compare_all(arguments: &Arguments) -> Result<bool, Problem> {
    let scratch = tempfile::tempdir()?;
    let folder = arguments
        .keep
        .clone()
        .unwrap_or(scratch.path().join("outputs"));
    std::fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let folder = folder.canonicalize()?;
    // Before minutes are spent on building.
    let mut inputs = write_graphs(arguments, &folder.join("graphs"))?;
    let old = match Path::new(&arguments.against) {
        program if program.is_file() => program.to_owned(),
        _ => build_revision(&arguments.against)?,
    };
    let new = match &arguments.program {
        Some(program) => program.clone(),
        None => build(&root(), &target_folder())?,
    };
    // A copy, since a build meanwhile would put another program under the same name.
    let programs = [(old, folder.join("old")), (new, folder.join("new"))];
    for (program, outputs) in &programs {
        std::fs::create_dir(outputs)?;
        std::fs::copy(program, outputs.with_extension("program"))?;
    }
    let programs = programs.map(|(_, outputs)| (outputs.with_extension("program"), outputs));
    for stage in Stage::OPTIONAL.map(Stage::name) {
        if !programs
            .iter()
            .all(|(program, _)| has_stage(program, stage))
        {
            println!("graphs without `{stage}` are not compared: a program lacks that stage");
            inputs.retain(|input| input.without != Some(stage));
        }
    }
    for (program, outputs) in &programs {
        convert(program, outputs)?;
        inputs
            .par_iter()
            .try_for_each(|input| structurize(program, &folder, outputs, input))?;
    }
    println!(
        "{} graphs, and the corpus with {} sets of options",
        inputs.len(),
        OPTION_SETS.len()
    );
    let is_same = compare(&programs[0].1, &programs[1].1)?;
    let not = if is_same { "every" } else { "NOT every" };
    println!("{not} output is the same as that of {}", arguments.against);
    Ok(is_same)
}

/// Compares two folders, and prints the first differences.
fn compare(old: &Path, new: &Path) -> Result<bool, Problem> {
    let mut command = Command::new("git");
    command.args([
        "diff",
        "--no-index",
        "--no-renames",
        "--unified=0",
        "--patch-with-stat",
    ]);
    let output = command.arg(old).arg(new).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines()
        .take(PRINTED)
        .for_each(|line| println!("{line}"));
    match output.status.code() {
        Some(0) => Ok(true),
        Some(1) => Ok(false),
        _ => Err(problem(&command, &output)),
    }
}

/// Returns the program of a revision, which is kept below the target folder for the next time.
fn build_revision(revision: &str) -> Result<PathBuf, Problem> {
    let git = |arguments: &[&str]| succeed(Command::new("git").current_dir(root()).args(arguments));
    let name = format!("{revision}^{{commit}}");
    let commit = git(&["rev-parse", "--verify", "--end-of-options", &name])?;
    let commit = String::from_utf8_lossy(&commit.stdout).trim().to_owned();
    let folder = target_folder().join("same-output");
    std::fs::create_dir_all(&folder)?;
    let folder = folder.canonicalize()?;
    let program = folder.join(format!("trellis-{commit}"));
    if !program.exists() {
        let tree = folder.join(format!("rev-{commit}"));
        let path = tree.to_string_lossy();
        // Twice `-f`, since git may still list the folder of an interrupted run.
        git(&["worktree", "add", "-f", "-f", "--detach", &path, &commit])?;
        // One folder for all revisions: most of them have the same dependencies.
        let built = build(&tree, &folder.join("build"));
        git(&["worktree", "remove", "--force", &path])?;
        // An interrupted copy does not result in a broken program under the final name.
        let partial = program.with_extension("partial");
        std::fs::copy(built?, &partial)?;
        std::fs::rename(&partial, &program)?;
    }
    Ok(program)
}

/// Builds the program of a checkout and returns its path.
fn build(checkout: &Path, target: &Path) -> Result<PathBuf, Problem> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(["build", "--release", "--bin", "trellis"])
        .current_dir(checkout);
    let status = command.env("CARGO_TARGET_DIR", target).status()?;
    match status.success() {
        true => Ok(target
            .join("release/trellis")
            .with_extension(std::env::consts::EXE_EXTENSION)),
        false => Err(format!("{}: {status}", checkout.display()).into()),
    }
}

/// Writes the graphs below a folder, and returns them.
fn write_graphs(arguments: &Arguments, folder: &Path) -> Result<Vec<Input>, Problem> {
    let mut inputs = Vec::new();
    let mut add = |name: String, text: &str, may_refuse: bool| -> Result<(), Problem> {
        let file = folder.join(&name);
        std::fs::create_dir_all(file.parent().unwrap_or(folder))?;
        std::fs::write(file, text)?;
        if name.starts_with("filetests/") {
            inputs.extend(Stage::OPTIONAL.map(|stage| Input {
                name: name.clone(),
                without: Some(stage.name()),
                may_refuse,
            }));
        }
        let without = None;
        inputs.push(Input {
            name,
            without,
            may_refuse,
        });
        Ok(())
    };
    let filetests = [root().join("structurizer/tests/filetests")];
    for (number, from) in filetests.iter().chain(&arguments.graphs).enumerate() {
        let files = files_below(from)?;
        let graphs = files
            .iter()
            .filter(|file| file.extension().is_some_and(|e| e == "cfg"));
        let kind = if number == 0 {
            "filetests".to_owned()
        } else {
            format!("graphs{number}")
        };
        let mut count = 0;
        for file in graphs {
            let text = std::fs::read_to_string(file)?;
            let name = file.strip_prefix(from)?.display();
            add(format!("{kind}/{name}"), graph_of(&text), number > 0)?;
            count += 1;
        }
        if count == 0 {
            return Err(format!("no file below {} is named *.cfg", from.display()).into());
        }
    }
    for seed in arguments.seeds.clone() {
        let function = random_function(seed, mixed_size(seed, MAX_BLOCKS));
        add(format!("seeds/{seed}.cfg"), &print(&function), false)?;
    }
    for family in Family::ALL {
        for size in FAMILY_SIZES {
            add(
                format!("families/{family:?}_{size}.cfg"),
                &print(&family.function(size)),
                false,
            )?;
        }
    }
    #[cfg(feature = "llvm")]
    add_c_programs(&mut add)?;
    #[cfg(not(feature = "llvm"))]
    println!("skipped: the C programs, which need LLVM 14 and xtask's feature `llvm`");
    Ok(inputs)
}

/// Adds the functions of the C programs that are compiled at three levels.
#[cfg(feature = "llvm")]
fn add_c_programs(
    add: &mut dyn FnMut(String, &str, bool) -> Result<(), Problem>,
) -> Result<(), Problem> {
    use llvm_graphs::read::{self, Settings};

    let folder = root().join("testing/llvm-graphs/c");
    for level in ["O0", "O1", "O2"] {
        for path in files_below(&folder.join(level))? {
            let module = read::open(&path)?;
            let file = path.strip_prefix(&folder)?.display().to_string();
            for (number, function) in read::functions(&module).enumerate() {
                match read::read(&module, function, Settings::default()) {
                    Ok(program) => add(
                        format!("c/{file}/{number}.cfg"),
                        &print(&program.func),
                        false,
                    )?,
                    Err(error) => println!("no graph: {file} {}: {error}", function.name),
                }
            }
        }
    }
    Ok(())
}

/// Returns the graph of a filetest: the text before the first line `---`.
fn graph_of(text: &str) -> &str {
    let lines = text
        .split_inclusive('\n')
        .take_while(|line| line.trim_end() != "---");
    &text[..lines.map(str::len).sum()]
}

/// Returns whether a program can disable a stage.
fn has_stage(program: &Path, stage: &str) -> bool {
    let mut command = Command::new(program);
    command.args(["structurize", "-", "--without", stage]);
    command
        .stdin(Stdio::null())
        .output()
        .is_ok_and(|output| output.status.code() != Some(2))
}

/// Converts the corpus with each set of options.
fn convert(program: &Path, outputs: &Path) -> Result<(), Problem> {
    let manifest = root().join("corpus/shaders/manifest.json");
    for (number, options) in OPTION_SETS.iter().enumerate() {
        let to = outputs.join(format!("corpus{number}"));
        let mut command = Command::new(program);
        let output = command
            .arg("batch")
            .arg(&manifest)
            .arg("-o")
            .arg(&to)
            .args(*options)
            .output()?;
        // Some shaders have no form with these options: the summary has their number.
        if !matches!(output.status.code(), Some(0 | 1)) || !to.exists() {
            return Err(problem(&command, &output));
        }
        std::fs::write(to.with_extension("txt"), &output.stdout)?;
    }
    Ok(())
}

/// Structurizes a graph.
fn structurize(
    program: &Path,
    folder: &Path,
    outputs: &Path,
    input: &Input,
) -> Result<(), Problem> {
    let mut command = Command::new(program);
    command
        .arg("structurize")
        .arg(folder.join("graphs").join(&input.name));
    let mut name = input.name.clone();
    if let Some(stage) = input.without {
        command.args(["--without", stage]);
        name += &format!(".{stage}");
    }
    let output = command.stdin(Stdio::null()).output()?;
    // Status 1 means bad input. Standard error is not compared: a refactoring may improve messages.
    let text = match output.status.code() {
        Some(0) => String::from_utf8_lossy(&output.stdout),
        Some(1) if input.may_refuse => "refused".into(),
        _ => return Err(problem(&command, &output)),
    };
    let file = outputs.join(name);
    std::fs::create_dir_all(file.parent().unwrap_or(outputs))?;
    // Comments have counts, whose words may change.
    let lines = text
        .split_inclusive('\n')
        .filter(|line| !line.starts_with('#'));
    Ok(std::fs::write(file, lines.collect::<String>())?)
}

/// Runs a command that must succeed.
fn succeed(command: &mut Command) -> Result<Output, Problem> {
    let output = command.output()?;
    match output.status.success() {
        true => Ok(output),
        false => Err(problem(command, &output)),
    }
}

fn problem(command: &Command, output: &Output) -> Problem {
    let words = String::from_utf8_lossy(&output.stderr);
    format!("{command:?}: {}\n{}", output.status, words.trim_end()).into()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_filetest_is_not_part_of_the_graph() {
        assert_eq!(
            graph_of("# x\na: ret\n---\nb0:\n---\n# y\n"),
            "# x\na: ret\n"
        );
        for whole in ["", "a: ret", "a: ret\n# --- in a comment\n"] {
            assert_eq!(graph_of(whole), whole);
        }
    }

    /// Other programs replace `trellis`; returns whether their outputs for a graph are the same.
    fn is_same(programs: [&str; 2]) -> Result<bool, Problem> {
        let scratch = tempfile::tempdir()?;
        let folder = scratch.path();
        for (program, side) in programs.into_iter().zip(["old", "new"]) {
            let (name, without, may_refuse) = ("a.cfg".to_owned(), None, false);
            let input = Input {
                name,
                without,
                may_refuse,
            };
            structurize(Path::new(program), folder, &folder.join(side), &input)?;
        }
        compare(&folder.join("old"), &folder.join("new"))
    }

    #[test]
    fn differences_and_failures_are_found() {
        assert!(is_same(["echo", "echo"]).is_ok_and(|is_same| is_same));
        assert!(is_same(["echo", "true"]).is_ok_and(|is_same| !is_same));
        assert!(is_same(["echo", "false"]).is_err());
        assert!(is_same(["echo", "no-such-program"]).is_err());
    }
}
