//! The functions of the C files at -O2 with this structurizer and others: `c/comparison.md`.
//!
//! `TRELLIS_BLESS=1 cargo test -p llvm-graphs --features llvm --test it comparison::` rewrites that
//! file and the averages in `README.md`: review the difference. Times are printed only, by release
//! builds. The sections of structurizers that are not installed are skipped with a message.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use llvm_graphs::comparison::{
    Numbers, Relooper, Stackifier, as_it_is, beyond_relooper, ours, structurize_cfg, webassembly,
};
use llvm_graphs::passes::Machine;
use llvm_graphs::program::Program;
use llvm_graphs::read::{self, Settings, functions};
use trellis_structurizer::Target;
use trellis_structurizer::ir::Function;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("c")
}

/// A function of a C file.
struct Case {
    path: PathBuf,
    function: String,
    parameters: usize,
    program: Program,
    /// As it is.
    before: Numbers,
}

impl Case {
    fn name(&self) -> String {
        let file = self.path.file_stem().unwrap().to_str().unwrap();
        format!("{file}.c {}", self.function)
    }
}

/// Returns the functions of the C files that have a form as a graph.
fn cases() -> Vec<Case> {
    let mut names: Vec<PathBuf> = std::fs::read_dir(folder().join("O2"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    names.sort();
    let mut cases = Vec::new();
    for path in names {
        let module = read::open(&path).unwrap();
        for function in functions(&module) {
            let Ok(program) = read::read(&module, function, Settings::default()) else {
                continue;
            };
            let parameters = function.parameters.len();
            cases.push(Case {
                path: path.clone(),
                function: function.name.clone(),
                parameters,
                before: as_it_is(&program, parameters),
                program,
            });
        }
    }
    cases
}

/// True if times are measured, too, which takes some seconds.
const TIMES: bool = !cfg!(debug_assertions);

const HEAD: &str = "\
| function | input: blocks | branches | Trellis: blocks | branches | copies | for WebAssembly: blocks | branches | copies | StructurizeCFG: blocks | branches | Beyond Relooper: blocks |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
";

const WEBASSEMBLY: &str = "\
| function | blocks | branches | tests |
|---|--:|--:|--:|
";

/// Sums of ratios to the input.
#[derive(Clone, Copy, Default)]
struct Ratios {
    functions: f64,
    blocks: f64,
    /// Functions with calls, reads or writes.
    running: f64,
    branches: f64,
    most: f64,
    copies: usize,
}

impl Ratios {
    fn add(&mut self, before: &Numbers, after: &Numbers) {
        self.functions += 1.0;
        self.blocks += after.blocks as f64 / before.blocks as f64;
        self.copies += after.copies;
        let ratio = after.branches / before.branches;
        if ratio.is_finite() {
            self.running += 1.0;
            self.branches += ratio;
            self.most = self.most.max(ratio);
        }
    }
}

/// Returns the table of the structurizers that need nothing else than LLVM's library.
fn table(cases: &[Case], readme: &mut String) -> String {
    let machine = Machine::open().unwrap();
    let mut table = HEAD.to_owned();
    let mut times = [Duration::ZERO; 3];
    let [mut trellis, mut labelled, mut llvm, mut relooper] = [Ratios::default(); 4];
    for case in cases {
        let (program, before) = (&case.program, &case.before);
        let own = ours(program, case.parameters, Target::SPIRV).unwrap();
        let own_labelled = ours(program, case.parameters, Target::WASM).unwrap();
        let split = beyond_relooper(&program.func).unwrap();
        let other = structurize_cfg(&machine, &case.path, &case.function, case.parameters);
        let name = case.name();
        write!(
            table,
            "| {name} | {} | {:.2} |",
            before.blocks, before.branches
        )
        .unwrap();
        for own in [&own, &own_labelled] {
            write!(
                table,
                " {} | {:.2} | {} |",
                own.blocks, own.branches, own.copies
            )
            .unwrap();
        }
        match &other {
            Ok(other) => {
                // LLVM's passes run over the whole file.
                let functions = cases.iter().filter(|other| other.path == case.path);
                times[2] += other.time / functions.count() as u32;
                write!(table, " {} | {:.2} |", other.blocks, other.branches).unwrap();
                llvm.add(before, other);
            }
            Err(error) => {
                println!("{name}: {}", error.lines().next().unwrap_or_default());
                table.push_str(" fails | |");
            }
        }
        writeln!(table, " {} |", split.blocks).unwrap();
        times[0] += own.time;
        times[1] += own_labelled.time;
        trellis.add(before, &own);
        labelled.add(before, &own_labelled);
        let model = Numbers {
            blocks: split.blocks,
            copies: split.copies,
            ..*before
        };
        relooper.add(before, &model);
    }
    for (name, ratios) in [
        ("Trellis", trellis),
        ("Trellis, `Target::WASM`", labelled),
        ("StructurizeCFG", llvm),
        ("Beyond Relooper, a model", relooper),
    ] {
        *readme = with_averages(readme, name, &ratios);
    }
    if TIMES {
        let [own, labelled, llvm] = times;
        println!("time: Trellis {own:?}, for WebAssembly {labelled:?}, StructurizeCFG {llvm:?}");
    }
    assert!(trellis.functions > 20.0);
    table
}

/// Returns the table of a structurizer that makes a WebAssembly module of the functions.
fn webassembly_table(cases: &[Case], module: &[u8]) -> (String, Ratios) {
    let mut table = WEBASSEMBLY.to_owned();
    let mut ratios = Ratios::default();
    let code = webassembly::read(module).unwrap();
    assert_eq!(code.len(), cases.len());
    for (case, code) in cases.iter().zip(code) {
        let made = code.constructs();
        let (func, name) = (&case.program.func, case.name());
        let branches = code.branches(&case.program, func, case.parameters);
        let numbers = Numbers {
            blocks: made.blocks,
            copies: made.copies,
            branches: branches.unwrap_or_else(|error| panic!("{name}: {error}")),
            ..Numbers::default()
        };
        ratios.add(&case.before, &numbers);
        writeln!(
            table,
            "| {name} | {} | {:.2} | {} |",
            made.blocks, numbers.branches, made.tests
        )
        .unwrap();
    }
    (table, ratios)
}

fn stackifier_table(cases: &[Case], functions: &[&Function]) -> Result<(String, Ratios), String> {
    let stackifier = Stackifier::find()?;
    let module = stackifier.run(functions).unwrap();
    if TIMES {
        println!("time: Stackifier {:?}", stackifier.time(functions).unwrap());
    }
    Ok(webassembly_table(cases, &module))
}

fn relooper_table(cases: &[Case], functions: &[&Function]) -> Result<(String, Ratios), String> {
    let folder = tempfile::tempdir().unwrap();
    let relooper = Relooper::find(folder.path())?;
    let module = relooper.run(functions).unwrap();
    if TIMES {
        println!("time: Relooper {:?}", relooper.time(functions).unwrap());
    }
    Ok(webassembly_table(cases, &module))
}

/// Returns the README with the averages of a structurizer in the row that starts with its name.
fn with_averages(readme: &str, name: &str, ratios: &Ratios) -> String {
    let mut lines: Vec<String> = readme.lines().map(str::to_owned).collect();
    let line = lines
        .iter_mut()
        .find(|line| line.starts_with(&format!("| {name} |")));
    let line = line.unwrap_or_else(|| panic!("README.md has no row of {name}"));
    let mut cells: Vec<String> = line.split('|').map(str::to_owned).collect();
    cells[3] = format!(" {:.2} × ", ratios.blocks / ratios.functions);
    cells[4] = format!(" {:.2} × ", ratios.branches / ratios.running);
    cells[5] = format!(" {:.2} × ", ratios.most);
    cells[6] = format!(" {} ", ratios.copies);
    *line = cells.join("|");
    lines.join("\n") + "\n"
}

#[test]
fn functions_of_c_programs_with_other_structurizers() {
    let cases = cases();
    let functions: Vec<&Function> = cases.iter().map(|case| &case.program.func).collect();
    let path = folder().join("comparison.md");
    let expected = std::fs::read_to_string(&path).unwrap();
    let readme_path = folder().join("../README.md");
    let readme = std::fs::read_to_string(&readme_path).unwrap();
    let mut new_readme = readme.clone();
    let mut text = table(&cases, &mut new_readme);
    for (name, made) in [
        ("Stackifier", stackifier_table(&cases, &functions)),
        ("Relooper", relooper_table(&cases, &functions)),
    ] {
        let heading = format!("\n## {name}\n\n");
        let section = match made {
            Ok((section, ratios)) => {
                new_readme = with_averages(&new_readme, name, &ratios);
                section
            }
            Err(error) => {
                println!("skipped: {name}: {error}");
                let rest = expected.split_once(&heading).map_or("", |(_, rest)| rest);
                rest.split("\n## ").next().unwrap_or_default().to_owned()
            }
        };
        text += &heading;
        text += &section;
    }
    let text = text.replace("NaN", "-");
    println!("{text}");
    if std::env::var_os("TRELLIS_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
        std::fs::write(&readme_path, &new_readme).unwrap();
        return;
    }
    assert!(
        text == expected,
        "c/comparison.md differs (TRELLIS_BLESS=1 rewrites it):\n{text}"
    );
    assert!(
        new_readme == readme,
        "the averages in README.md differ (TRELLIS_BLESS=1 rewrites them)"
    );
}
