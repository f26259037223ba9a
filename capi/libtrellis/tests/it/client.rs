//! The examples in C and C++, linked with the library, shared and static.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use c_testkit::{check_exports, compiler, corpus, library, run, shader};
use trellis_dxil::bindings::DefaultBindings;
use trellis_dxil::{Options, Target, convert};

/// Compiles an example for a library, and returns the program.
fn compile(folder: &Path, source: &str, library: &Path) -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = folder.join(source.replace('.', "_"));
    let mut compile = compiler(&package.join("examples").join(source));
    compile
        .arg("-pedantic")
        .arg("-I")
        .arg(package.join("include"));
    compile.arg("-o").args([&program, library]);
    run(compile.args(["-lpthread", "-ldl", "-lm"]), folder);
    program
}

/// Compiles and runs the example in C, and checks what it writes.
fn check_c(folder: &Path, library: &Path) {
    let program = compile(folder, "convert.c", library);
    let name = "buffers/counters.dxil";
    let (input, output) = (corpus().join(name), folder.join("out.spv"));
    let printed = run(Command::new(&program).args([&input, &output]), folder);
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
    let expected = convert(&shader(name), &options).unwrap();
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
    let failed = c_testkit::output(Command::new(program).args([&text, &output]), folder);
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
    let paths = names.map(|name| corpus().join(name));
    let printed = run(Command::new(program).args(&paths), folder);
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
    std::fs::copy(library("libtrellis.so"), &soname).unwrap();
    check_c(folder.path(), &soname);
    check_cpp(folder.path(), &soname);
}

#[test]
fn the_examples_use_the_static_library() {
    let folder = tempfile::tempdir().unwrap();
    let library = library("libtrellis.a");
    check_c(folder.path(), &library);
    check_cpp(folder.path(), &library);
}

#[cfg(target_os = "linux")]
#[test]
fn the_library_exports_the_header_only() {
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/trellis.h");
    let header = std::fs::read_to_string(header).unwrap();
    let declared: Vec<&str> = header
        .lines()
        .filter(|line| !line.starts_with(['/', '#', ' ', '}']) && !line.starts_with("typedef"))
        .filter_map(|line| line.split_once('('))
        .filter_map(|(before, _)| before.rsplit([' ', '*']).next())
        .filter(|name| name.starts_with("trellis_"))
        .collect();
    check_exports(&library("libtrellis.so"), declared);
}
