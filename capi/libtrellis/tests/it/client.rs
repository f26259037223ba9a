//! The examples in C and C++, linked with the library, shared and static.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use trellis_dxil::bindings::DefaultBindings;
use trellis_dxil::{Options, Target, convert};

use crate::common;

/// Returns the folder where Cargo put the library that this test was built with.
fn libraries() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().to_owned()
}

/// Compiles an example for a library, and returns the program.
fn compile(folder: &Path, source: &str, library: &Path) -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (compiler, standard) = match source.ends_with(".c") {
        true => ("cc", "-std=c11"),
        false => ("c++", "-std=c++17"),
    };
    let program = folder.join(source.replace('.', "_"));
    let mut compile = Command::new(compiler);
    compile.args([standard, "-Wall", "-Wextra", "-Werror", "-pedantic"]);
    compile.arg("-I").arg(package.join("include"));
    compile.arg("-o").arg(&program);
    compile
        .arg(package.join("examples").join(source))
        .arg(library);
    compile.args(["-lpthread", "-ldl", "-lm"]);
    let output = compile.output().expect("there are compilers of C and C++");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    program
}

/// Runs a program with a folder for libraries, and returns what it prints.
fn run(program: &Path, folder: &Path, arguments: &[&Path]) -> String {
    let mut run = Command::new(program);
    run.args(arguments).env("LD_LIBRARY_PATH", folder);
    let output = run.output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    String::from_utf8(output.stdout).unwrap()
}

/// Compiles and runs the example in C, and checks what it writes.
fn check_c(folder: &Path, library: &Path) {
    let program = compile(folder, "convert.c", library);
    let name = "buffers/counters.dxil";
    let (input, output) = (common::corpus().join(name), folder.join("out.spv"));
    let printed = run(&program, folder, &[&input, &output]);
    let bindings = DefaultBindings {
        cbv: 0,
        srv: 100,
        uav: 200,
        sampler: 300,
        counter: 400,
        ..DefaultBindings::default()
    };
    let options = Options::default()
        .with_target(Target::Vulkan1_2)
        .with_names(false)
        .with_bindings(Arc::new(bindings));
    let expected = convert(&common::shader(name), &options).unwrap();
    assert!(std::fs::read(&output).unwrap() == expected.bytes());
    assert!(
        printed.starts_with("entry point main: stage 5, group "),
        "{printed}"
    );
    let words = format!("{} words of SPIR-V", expected.words.len());
    assert!(printed.contains(&words), "{printed}");
    let json = printed.lines().next_back().unwrap();
    let json: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(json["resources"][0]["vulkan"]["binding"], 200);

    let text = folder.join("text");
    std::fs::write(&text, "no shader").unwrap();
    let failed = Command::new(&program)
        .args([&text, &output])
        .env("LD_LIBRARY_PATH", folder)
        .output()
        .unwrap();
    assert_eq!(failed.status.code(), Some(1));
    let message = String::from_utf8(failed.stderr).unwrap();
    assert!(message.contains(": unreadable: "), "{message}");
}

/// Compiles and runs the example in C++, and checks what it prints.
fn check_cpp(folder: &Path, library: &Path) {
    let program = compile(folder, "threads.cpp", library);
    let names = [
        "buffers/counters.dxil",
        "control_flow/discard_in_loop.dxil",
        "no_such_shader.dxil",
        "cbuffers/dynamic_index.dxil",
        "tessellation/more_points.dxil",
        "textures/sample_kinds.dxil",
    ];
    let paths = names.map(|name| common::corpus().join(name));
    let printed = run(&program, folder, &paths.each_ref().map(PathBuf::as_path));
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), names.len());
    for (path, line) in paths.iter().zip(lines) {
        let Ok(bytes) = std::fs::read(path) else {
            assert!(line.starts_with("cannot read the input"), "{line}");
            continue;
        };
        let words = convert(&bytes, &Options::default()).unwrap().words;
        let sum = words.iter().fold(0x811C_9DC5, |sum: u32, word| {
            (sum ^ word).wrapping_mul(0x0100_0193)
        });
        assert_eq!(line, format!("{} words, checksum {sum}", words.len()));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_examples_use_the_shared_library() {
    let folder = tempfile::tempdir().unwrap();
    // The programs ask for the name that the library has inside.
    let version = match (
        env!("CARGO_PKG_VERSION_MAJOR"),
        env!("CARGO_PKG_VERSION_MINOR"),
    ) {
        ("0", minor) => format!("0.{minor}"),
        (major, _) => major.to_owned(),
    };
    let soname = folder.path().join(format!("libtrellis.so.{version}"));
    std::fs::copy(libraries().join("libtrellis.so"), &soname).unwrap();
    check_c(folder.path(), &soname);
    check_cpp(folder.path(), &soname);
}

#[test]
fn the_examples_use_the_static_library() {
    let folder = tempfile::tempdir().unwrap();
    let library = libraries().join("libtrellis.a");
    check_c(folder.path(), &library);
    check_cpp(folder.path(), &library);
}

#[cfg(target_os = "linux")]
#[test]
fn the_library_exports_the_header_only() {
    let library = libraries().join("libtrellis.so");
    let output = Command::new("nm")
        .args(["-D", "--defined-only"])
        .arg(library)
        .output();
    let Ok(output) = output else {
        eprintln!("skipped: there is no nm");
        return;
    };
    let text = String::from_utf8(output.stdout).unwrap();
    let names = text.lines().filter_map(|line| line.split(' ').nth(2));
    let mut exported: Vec<&str> = names.collect();
    exported.sort_unstable();
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/trellis.h");
    let header = std::fs::read_to_string(header).unwrap();
    let mut declared: Vec<&str> = header
        .lines()
        .filter(|line| !line.starts_with(['/', '#', ' ', '}']) && !line.starts_with("typedef"))
        .filter_map(|line| line.split_once('('))
        .filter_map(|(before, _)| before.rsplit([' ', '*']).next())
        .filter(|name| name.starts_with("trellis_"))
        .collect();
    declared.sort_unstable();
    assert!(declared.len() > 25);
    assert_eq!(exported, declared);
}
