//! `trellis stat`: sizes and structure of SPIR-V modules, as a table or as JSON.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use serde::Serialize;
use trellis_corpus::failure::{Failure, Kind};
use trellis_corpus::modules::{self, ListError, ModuleFile, words_of};
use trellis_dxil::Options;
use trellis_dxil::statistics::{Class, Counts, Statistics, statistics};

use crate::files::{self, printable};
use crate::problem::Problem;

const STAT_EXAMPLES: &str = "\
Examples:
  trellis stat shader.spv                     one column for the module, and one per function
  trellis stat ours.spv theirs.spv            side by side
  trellis stat shader.dxil dxc.spv            DXIL is converted first, with the default options
  trellis stat spirv/                         the sums of a folder, and its largest modules
  trellis stat spirv/ --top 5 --sort loops
  trellis stat shader.spv --json

SPIR-V may be of any compiler: instructions of unknown extensions are counted by their numbers. Of a folder the files \
are taken that are named *.spv or begin with SPIR-V's magic number. Files and folders can be mixed; the exit status is \
1 if one of them cannot be read.

A break is an edge to the merge block of a loop or switch, unless it comes from the loop's header or the block with its \
back edge, or is the unconditional branch at the end of a case; loop exits are all edges to merge blocks of loops. A \
continue is an edge to a continue target that does not end the loop's body. A breakable block is a switch with only a \
default, a one-trip loop one whose back edge is never taken. Switches and branches on selectors are those on a phi of \
constants, or on a variable that only constants are stored to. Unreachable blocks are counted, \
but not their instructions.";

/// Arguments of `trellis stat`.
#[derive(Args)]
#[command(after_help = STAT_EXAMPLES)]
pub(crate) struct StatArgs {
    /// SPIR-V or DXIL files, and folders of SPIR-V files
    #[arg(required = true, value_name = "FILE|DIR", value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Print JSON, with all opcodes and functions
    #[arg(long)]
    pub(crate) json: bool,
    /// Maximum number of modules of a folder, or of functions of a module, that are listed
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
    /// Number to sort by, such as words, loops or selector_branches
    #[arg(long, value_name = "NAME", default_value = "words",
          value_parser = PossibleValuesParser::new(numbers()).map(|name| name.to_owned()))]
    pub(crate) sort: String,
    /// Number of threads [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

/// Returns the names of the numbers.
fn numbers() -> Vec<&'static str> {
    let counts = Counts::default();
    counts.named().map(|(name, _)| name).to_vec()
}

/// Width of the names of rows in columns.
const NAME: usize = 20;
/// Maximum width of the name of a column.
const TITLE: usize = 24;

/// Statistics of one argument.
#[derive(Serialize)]
struct Input {
    path: String,
    #[serde(flatten)]
    contents: Contents,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Contents {
    /// The module of a file, or those that its DXIL was converted to.
    Modules(Vec<Module>),
    /// Sums of a folder.
    Folder(Box<Folder>),
}

#[derive(Serialize)]
struct Module {
    /// The entry point that was converted.
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<String>,
    #[serde(flatten)]
    statistics: Statistics,
}

#[derive(Serialize, Default)]
struct Folder {
    modules: u64,
    functions: u64,
    total: Counts,
    /// The largest ones first.
    largest: Vec<Largest>,
}

#[derive(Serialize)]
struct Largest {
    path: String,
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Serialize)]
struct Failed {
    path: String,
    message: String,
}

#[derive(Serialize)]
struct Report {
    inputs: Vec<Input>,
    failed: Vec<Failed>,
}

/// Prints the statistics.
pub(crate) fn run(args: &StatArgs) -> Result<ExitCode, Problem> {
    let mut report = Report {
        inputs: Vec::new(),
        failed: Vec::new(),
    };
    for path in &args.inputs {
        let list = modules::list(std::slice::from_ref(path)).map_err(|error| unlisted(&error))?;
        report.add(path, &list, args)?;
    }
    let text = if args.json {
        files::json(&report)?
    } else {
        text_of(&report.inputs, args)
    };
    files::write_standard(text.as_bytes())?;
    for failed in &report.failed {
        files::note(&format!("failed: {}: {}", failed.path, failed.message));
    }
    Ok(ExitCode::from(u8::from(!report.failed.is_empty())))
}

/// Returns the problem of paths that cannot be listed.
pub(super) fn unlisted(error: &ListError) -> Problem {
    Problem::of(error).help(match error {
        ListError::Io { .. } => "check the path; standard input (-) is not accepted",
        _ => "they are named *.spv or begin with SPIR-V's magic number",
    })
}

/// Returns the problem of a pool whose threads cannot be started.
pub(super) fn no_threads(error: &std::io::Error) -> Problem {
    Problem::usage_error("cannot start the threads").because(error)
}

impl Report {
    /// Reads the file or folder that an argument names.
    fn add(&mut self, path: &Path, list: &[ModuleFile], args: &StatArgs) -> Result<(), Problem> {
        let jobs = args.jobs.map(usize::from);
        let is_folder = list.first().is_some_and(|file| file.is_of_folder);
        let results = if is_folder {
            let numbers = |_: &ModuleFile, bytes: &[u8]| {
                let found = read(bytes)?;
                // Of a folder only the sums are kept.
                let functions = found.functions.len() as u64;
                Ok((functions, found.total))
            };
            let results = modules::for_each(list, jobs, numbers).map_err(|e| no_threads(&e))?;
            Contents::Folder(Box::new(self.folder(list, results, args)))
        } else {
            let convert = |_: &ModuleFile, bytes: &[u8]| modules_of(bytes);
            let results = modules::for_each(list, jobs, convert).map_err(|e| no_threads(&e))?;
            let found = results.into_iter().flat_map(|result| match result {
                Ok(modules) => modules,
                Err(failure) => {
                    self.failed.push(failed(path, &failure));
                    Vec::new()
                }
            });
            let found: Vec<Module> = found.collect();
            if found.is_empty() {
                return Ok(());
            }
            Contents::Modules(found)
        };
        self.inputs.push(Input {
            path: path.display().to_string(),
            contents: results,
        });
        Ok(())
    }

    fn folder(
        &mut self,
        list: &[ModuleFile],
        results: Vec<Result<(u64, Counts), Failure>>,
        args: &StatArgs,
    ) -> Folder {
        let mut folder = Folder::default();
        for (file, result) in list.iter().zip(results) {
            match result {
                Ok((functions, counts)) => {
                    folder.modules += 1;
                    folder.functions += functions;
                    folder.total.add(&counts);
                    folder.largest.push(Largest {
                        path: file.name.clone(),
                        counts,
                    });
                }
                Err(failure) => self.failed.push(failed(&file.path, &failure)),
            }
        }
        // The sort is stable, so equal ones are in the order of the paths.
        folder
            .largest
            .sort_by_key(|module| std::cmp::Reverse(number(&module.counts, &args.sort)));
        folder.largest.truncate(args.top);
        folder
    }
}

fn failed(path: &Path, failure: &Failure) -> Failed {
    Failed {
        path: path.display().to_string(),
        message: failure.message.clone(),
    }
}

/// Returns the statistics of SPIR-V, or of the SPIR-V that DXIL converts to.
fn modules_of(bytes: &[u8]) -> Result<Vec<Module>, Failure> {
    if !trellis_dxil::frontend::is_dxil(bytes) {
        let entry = None;
        return read(bytes).map(|statistics| vec![Module { entry, statistics }]);
    }
    let entries = trellis_corpus::backend::entries(bytes)?;
    let backend = trellis_corpus::backend::Backend::new(Options::default());
    let converted = entries.iter().map(|entry| {
        let output = backend.convert(bytes, Some(&entry.name))?;
        Ok(Module {
            entry: Some(entry.name.clone()),
            statistics: of_words(&output.words)?,
        })
    });
    converted.collect()
}

/// Returns the statistics of a SPIR-V file.
fn read(bytes: &[u8]) -> Result<Statistics, Failure> {
    of_words(&words_of(bytes)?)
}

fn of_words(words: &[u32]) -> Result<Statistics, Failure> {
    statistics(words).map_err(|error| Failure::new(Kind::SpirV, error.to_string()))
}

fn number(counts: &Counts, name: &str) -> u64 {
    let named = counts.named();
    let found = named.iter().find(|(known, _)| *known == name);
    found.map_or(0, |(_, number)| *number)
}

/// Returns the whole report as text.
fn text_of(inputs: &[Input], args: &StatArgs) -> String {
    let mut text = String::new();
    let mut columns: Vec<(String, &Counts)> = Vec::new();
    let mut alone = None;
    for input in inputs {
        match &input.contents {
            Contents::Modules(modules) => {
                for module in modules {
                    let title = match &module.entry {
                        Some(entry) => format!("{} ({entry})", input.path),
                        None => input.path.clone(),
                    };
                    describe(&mut text, &printable(&title), &module.statistics);
                    columns.push((title, &module.statistics.total));
                    alone = Some(&module.statistics);
                }
            }
            Contents::Folder(folder) => {
                // Writing to a string cannot fail.
                let _ = writeln!(
                    text,
                    "{}: {} modules, {} functions",
                    printable(&input.path),
                    folder.modules,
                    folder.functions
                );
                columns.push((input.path.clone(), &folder.total));
            }
        }
    }
    if let ([(title, _)], Some(module)) = (&mut columns[..], alone) {
        "total".clone_into(title);
        columns.extend(largest(module, args));
    }
    if columns.is_empty() {
        return text;
    }
    text.push('\n');
    table(&mut text, &columns);
    for input in inputs {
        if let Contents::Folder(folder) = &input.contents {
            let _ = writeln!(
                text,
                "\nmost {} in {}:",
                args.sort.replace('_', " "),
                printable(&input.path)
            );
            for module in &folder.largest {
                let count = number(&module.counts, &args.sort);
                let _ = writeln!(text, "{count:>12}  {}", printable(&module.path));
            }
        }
    }
    text
}

/// Returns the largest functions, if there are several.
fn largest<'a>(
    module: &'a Statistics,
    args: &StatArgs,
) -> impl Iterator<Item = (String, &'a Counts)> {
    let mut functions: Vec<_> = module.functions.iter().collect();
    functions.sort_by_key(|function| std::cmp::Reverse(number(&function.counts, &args.sort)));
    let top = if functions.len() > 1 { args.top } else { 0 };
    functions.into_iter().take(top).map(|function| {
        let name = match function.name.as_str() {
            "" => format!("%{}", function.id),
            name => name.to_owned(),
        };
        (name, &function.counts)
    })
}

/// Describes a module in a few lines.
fn describe(text: &mut String, title: &str, module: &Statistics) {
    let _ = writeln!(
        text,
        "{title}: SPIR-V {}, generator {:#010x}, bound {}, functions {}, names {}",
        module.version,
        module.generator,
        module.bound,
        module.functions.len(),
        module.names
    );
    let entries: Vec<String> = { module.entry_points.iter() }
        .map(|entry| format!("{} {}", entry.model, entry.name))
        .collect();
    for (label, list) in [
        ("entry points", &entries),
        ("capabilities", &module.capabilities),
        ("extensions", &module.extensions),
        ("imports", &module.imports),
    ] {
        if !list.is_empty() {
            let _ = writeln!(text, "  {label}: {}", printable(&list.join(", ")));
        }
    }
}

/// Prints a row for each number that is not 0 in all columns, then for each class.
fn table(text: &mut String, columns: &[(String, &Counts)]) {
    let titles: Vec<String> = columns.iter().map(|(title, _)| short(title)).collect();
    let widths: Vec<usize> = titles
        .iter()
        .map(|title| title.chars().count().max(9) + 2)
        .collect();
    let mut row = |name: &str, cells: &[String]| {
        let mut line = format!("{name:NAME$}");
        for (cell, width) in cells.iter().zip(&widths) {
            let _ = write!(line, "{cell:>width$}");
        }
        let _ = writeln!(text, "{}", line.trim_end());
    };
    row("", &titles);
    let all: Vec<_> = columns.iter().map(|(_, counts)| counts.named()).collect();
    for (index, (name, _)) in Counts::default().named().iter().enumerate() {
        let cells: Vec<u64> = all.iter().map(|numbers| numbers[index].1).collect();
        if cells.iter().any(|&cell| cell > 0) {
            let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
            row(&name.replace('_', " "), &cells);
        }
    }
    row("instructions of", &[]);
    for class in Class::ALL {
        let cells = columns.iter().map(|(_, counts)| counts.classes.of(class));
        let cells: Vec<u64> = cells.collect();
        if cells.iter().any(|&cell| cell > 0) {
            let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
            row(&format!("  {}", class.name()), &cells);
        }
    }
}

/// Returns the end of a long name.
fn short(title: &str) -> String {
    let title = printable(title);
    let count = title.chars().count();
    if count <= TITLE {
        return title;
    }
    let end: String = title.chars().skip(count - (TITLE - 1)).collect();
    format!("…{end}")
}
