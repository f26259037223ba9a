//! The functions of the C files at -O2 with this structurizer and others: `c/comparison.md`.
//!
//! `TRELLIS_BLESS=1 cargo test -p llvm-graphs --features llvm --test comparison` writes that file
//! anew: review the difference. Times are printed only.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use llvm_graphs::comparison::{Numbers, as_it_is, beyond_relooper, ours, structurize_cfg};
use llvm_graphs::passes::Machine;
use llvm_graphs::read::{self, Settings, functions};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("c")
}

const HEAD: &str = "\
| function | input: blocks | branches | Trellis: blocks | branches | StructurizeCFG: blocks | branches | Beyond Relooper: blocks | copies | labels | depth |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
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
}

impl Ratios {
    fn add(&mut self, before: &Numbers, after: &Numbers) {
        self.functions += 1.0;
        self.blocks += after.blocks as f64 / before.blocks as f64;
        let ratio = after.branches / before.branches;
        if ratio.is_finite() {
            self.running += 1.0;
            self.branches += ratio;
            self.most = self.most.max(ratio);
        }
    }
}

impl std::fmt::Display for Ratios {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} functions, {:.2} × the blocks, {:.2} × the branches, {:.2} × at most",
            self.functions,
            self.blocks / self.functions,
            self.branches / self.running,
            self.most
        )
    }
}

#[test]
fn functions_of_c_programs_with_other_structurizers() {
    let machine = Machine::open().unwrap();
    let mut names: Vec<PathBuf> = std::fs::read_dir(folder().join("O2"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    names.sort();
    let mut table = HEAD.to_owned();
    let (mut own_time, mut llvm_time) = (Duration::ZERO, Duration::ZERO);
    let [mut trellis, mut llvm, mut relooper] = [Ratios::default(); 3];
    for path in &names {
        let module = read::open(path).unwrap();
        let file = path.file_stem().unwrap().to_str().unwrap();
        let readable: Vec<_> = functions(&module)
            .filter_map(|f| Some((f, read::read(&module, f, Settings::default()).ok()?)))
            .collect();
        for (function, program) in &readable {
            let before = as_it_is(program, function.parameters.len());
            let own = ours(program, function.parameters.len()).unwrap();
            own_time += own.time;
            let nested = beyond_relooper(&program.func).unwrap();
            let other = structurize_cfg(&machine, path, &function.name, function.parameters.len());
            write!(
                table,
                "| {file}.c {} | {} | {:.2} | {} | {:.2} |",
                function.name, before.blocks, before.branches, own.blocks, own.branches
            )
            .unwrap();
            match &other {
                Ok(other) => {
                    llvm_time += other.time / readable.len() as u32;
                    write!(table, " {} | {:.2} |", other.blocks, other.branches).unwrap();
                    llvm.add(&before, other);
                }
                Err(error) => {
                    let error = error.lines().next().unwrap_or_default();
                    println!("{file}.c {}: {error}", function.name);
                    table.push_str(" fails | |");
                }
            }
            writeln!(
                table,
                " {} | {} | {} | {} |",
                nested.blocks, nested.copies, nested.labels, nested.depth
            )
            .unwrap();
            trellis.add(&before, &own);
            relooper.add(
                &before,
                &Numbers {
                    blocks: nested.blocks,
                    ..before
                },
            );
        }
    }
    table.push_str("\nAverages of the ratios to the input:\n\n");
    for (name, ratios) in [
        ("Trellis", trellis),
        ("StructurizeCFG", llvm),
        ("Beyond Relooper", relooper),
    ] {
        writeln!(table, "* {name}: {ratios}").unwrap();
    }
    let table = table.replace("NaN", "-");
    println!("{table}\ntime: {own_time:?}, LLVM {llvm_time:?}");
    assert!(trellis.functions > 20.0);
    let path = folder().join("comparison.md");
    if std::env::var_os("TRELLIS_BLESS").is_some() {
        std::fs::write(&path, &table).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap();
    assert!(
        table == expected,
        "c/comparison.md differs (TRELLIS_BLESS=1 rewrites it):\n{table}"
    );
}
