//! The examples in C and C++, linked with the library, shared and static.

#[cfg(target_os = "linux")]
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use c_testkit::{check_exports, compiler, corpus, library, run, shader};
#[cfg(target_os = "linux")]
use tempfile::TempDir;
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

/// Compiles and runs the example in C, and checks the file that it writes.
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

/// Compiles and runs the example in C++, and checks its output.
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

/// Installs the library in a new folder.
#[cfg(target_os = "linux")]
fn installed() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let built = library("libtrellis.so");
    let mut install = Command::new("sh");
    install.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("install.sh"));
    install.args([folder.path(), built.parent().unwrap()]);
    run(&mut install, folder.path());
    folder
}

#[cfg(target_os = "linux")]
#[test]
fn the_examples_use_the_installed_library() {
    let folder = installed();
    let lib = folder.path().join("lib");
    let shared = lib.join("libtrellis.so");
    assert!(std::fs::metadata(&shared).unwrap().len() < 10 << 20);
    check_c(&lib, &shared);
    check_cpp(&lib, &shared);
}

#[cfg(target_os = "linux")]
#[test]
fn pkg_config_and_cmake_find_the_installed_library() {
    let folder = installed();
    let at = folder.path();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let has = |program: &str| {
        let found = Command::new(program).arg("--version").output().is_ok();
        if !found {
            eprintln!("skipped: there is no {program}");
        }
        found
    };
    let check = |program: &Path| {
        let shader = corpus().join("control_flow/collatz.dxil");
        let output = at.join("out.spv");
        let printed = run(
            Command::new(program).args([&shader, &output]),
            &at.join("lib"),
        );
        assert!(printed.contains("words of SPIR-V"), "{printed}");
    };
    if has("pkg-config") {
        let mut flags = Command::new("pkg-config");
        flags.args(["--cflags", "--libs", "trellis >= 0.1"]);
        let flags = run(flags.env("PKG_CONFIG_PATH", at.join("lib/pkgconfig")), at);
        let (program, source) = (at.join("program"), examples.join("convert.c"));
        let mut compile = compiler(&source);
        run(
            compile
                .arg("-o")
                .arg(&program)
                .args(flags.split_whitespace()),
            at,
        );
        check(&program);
    }
    if has("cmake") {
        let build = at.join("build");
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(examples).arg("-B").arg(&build);
        let mut prefix = OsString::from("-DCMAKE_PREFIX_PATH=");
        prefix.push(at);
        run(configure.arg(prefix), at);
        run(Command::new("cmake").arg("--build").arg(&build), at);
        check(&build.join("convert"));
        run(&mut Command::new(build.join("threads")), at);
    }
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
