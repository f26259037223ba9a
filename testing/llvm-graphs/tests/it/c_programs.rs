//! The functions of the C files, compiled at three levels, as the structurizer's graphs: valid,
//! equivalent, and with the report of `c/report.txt`.
//!
//! `TRELLIS_BLESS=1 cargo test -p llvm-graphs --features llvm --test it c_programs::` rewrites that
//! file: review the difference.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use llvm_graphs::program::Program;
use llvm_graphs::read::{self, Error, Settings, functions};
use structurizer_testkit::check::{self, Checks};
use structurizer_testkit::simt::is_reducible;
use trellis_structurizer::verify::verify;
use trellis_structurizer::{Options, structurize};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("c")
}

/// Returns the names of the C files.
fn sources() -> Vec<String> {
    let entries = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut names: Vec<String> = entries
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

/// Returns a row of the report: one function at one level.
fn row(program: &Program) -> String {
    let mut options = Options::default();
    options.remarks = true;
    let structured = structurize(program.func.clone(), &options).unwrap();
    verify(&structured).unwrap();
    let checks = Checks {
        runs: 8,
        ..Checks::default()
    };
    check::check_function(&program.func, &checks).unwrap();
    let report = &structured.report;
    let mut stages: BTreeMap<String, usize> = BTreeMap::new();
    for remark in &report.remarks {
        *stages.entry(format!("{:?}", remark.stage)).or_default() += 1;
    }
    let mut text = format!(
        "blocks {:3} -> {:3}, ladders {:2}, selectors {:2}, breakable blocks {:2}, phis {:3}, copies {:2}",
        program.func.num_blocks(),
        structured.order.len(),
        report.ladders,
        report.selectors,
        report.breakable_blocks,
        report.phis,
        report.copies
    );
    if !is_reducible(&program.func) {
        let _ = write!(text, ", dispatch headers {}", report.dispatch_headers);
    }
    let remarks: Vec<String> = stages
        .iter()
        .map(|(stage, count)| format!("{stage} {count}"))
        .collect();
    let _ = write!(text, " | {}", remarks.join(" "));
    text
}

#[test]
fn functions_of_c_programs_are_structured() {
    let mut report = String::new();
    let sources = sources();
    assert!(sources.len() > 15, "{sources:?}");
    let mut count = 0;
    for name in &sources {
        for level in ["O0", "O1", "O2"] {
            let module = read::open(&folder().join(level).join(format!("{name}.bc"))).unwrap();
            for function in functions(&module) {
                let row = match read::read(&module, function, Settings::default()) {
                    Ok(program) => row(&program),
                    Err(error) => format!("error: {error}"),
                };
                let title = format!("{name}.c {level} {}", function.name);
                writeln!(report, "{title:29} {row}").unwrap();
                count += 1;
            }
        }
    }
    assert!(count > 80, "{count}");
    let path = folder().join("report.txt");
    if std::env::var_os("TRELLIS_BLESS").is_some() {
        std::fs::write(&path, &report).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap();
    let differs: Vec<String> = report
        .lines()
        .zip(expected.lines())
        .filter(|(a, b)| a != b)
        .map(|(a, b)| format!("-{b}\n+{a}"))
        .collect();
    assert!(
        report == expected,
        "c/report.txt differs from the structurizer's results (TRELLIS_BLESS=1 rewrites it):\n{}",
        differs.join("\n")
    );
}

#[test]
fn c_programs_match_their_sources() {
    // Not byte by byte, as that needs the compiler: each file has its bitcode at each level, and
    // nothing else has.
    for level in ["O0", "O1", "O2"] {
        let entries = std::fs::read_dir(folder().join(level)).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| {
                entry
                    .unwrap()
                    .path()
                    .file_stem()
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned()
            })
            .collect();
        names.sort();
        assert_eq!(names, sources());
    }
}

const INVOKE: &str = "
define i32 @caller() personality i8* null {
entry:
  %x = invoke i32 @callee() to label %fine unwind label %pad
fine:
  ret i32 %x
pad:
  %l = landingpad { i8*, i32 } cleanup
  resume { i8*, i32 } %l
}
declare i32 @callee()
";

#[test]
fn unsupported_terminators_are_typed_errors() {
    let path = folder().join("O0/computed_goto.bc");
    let module = read::open(&path).unwrap();
    let error = read::read_named(&module, "run", Settings::default()).unwrap_err();
    assert!(
        matches!(&error, Error::Terminator { function, terminator: "indirectbr", .. } if function == "run"),
        "{error}"
    );
    let module = read::parse(INVOKE).unwrap();
    let error = read::read_named(&module, "caller", Settings::default()).unwrap_err();
    assert!(
        matches!(
            error,
            Error::Terminator {
                terminator: "invoke",
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn unreadable_files_are_typed_errors() {
    assert!(matches!(
        read::open(Path::new("no such file.bc")),
        Err(Error::File { .. })
    ));
    assert!(matches!(
        read::parse("define i32 @f( {"),
        Err(Error::Module(_))
    ));
    let module = read::parse("define void @f() { ret void }").unwrap();
    assert!(matches!(
        read::read_named(&module, "g", Settings::default()),
        Err(Error::Malformed { .. })
    ));
    let wide = "define void @f(i128 %x) {\n  switch i128 %x, label %a [ i128 5, label %b ]\na:\n  ret void\nb:\n  ret void\n}";
    let module = read::parse(wide).unwrap();
    let error = read::read_named(&module, "f", Settings::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("not an integer of up to 64 bits"),
        "{error}"
    );
}
