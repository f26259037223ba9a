//! A program in C that is linked with the library, shared and static.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use c_testkit::{check_exports, compiler, corpus, library, output, run, shader};
use trellis_spirv_backend::bindings::DefaultBindings;
use trellis_spirv_backend::{Options, convert_entry};

/// The shader that the program converts.
const SHADER: &str = "cbuffers/dynamic_index.dxil";

/// Returns the expected output of the program.
fn expected() -> Vec<u8> {
    let bytes = shader(SHADER);
    let input = trellis_dxil_frontend::read(&bytes).unwrap();
    let bindings = DefaultBindings {
        cbv: 0,
        srv: 100,
        uav: 200,
        ..DefaultBindings::default()
    };
    let options = Options::default()
        .with_bindings(Arc::new(bindings))
        .with_preserve_nan(false)
        .with_entry_point_name(Some("main".to_owned()));
    let entry = input.shader.shaders().next().unwrap();
    convert_entry(&input, entry, &options).unwrap().bytes()
}

/// Returns a file of the programs in C.
fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/c")
        .join(name)
}

/// Compiles the program with arguments for the library, and runs it.
fn check(folder: &Path, link: &[&OsStr]) {
    let (program, output) = (folder.join("client"), folder.join("out.spv"));
    let mut cc = compiler(&source("client.c"));
    run(cc.arg("-o").arg(&program).args(link), folder);
    let mut client = Command::new(&program);
    run(client.arg(corpus().join(SHADER)).arg(&output), folder);
    assert!(std::fs::read(output).unwrap() == expected());
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_in_c_uses_the_shared_library() {
    let folder = tempfile::tempdir().unwrap();
    let library = library("libdxil_spirv_c_shared.so");
    // The program needs the library by its soname, not by its file name.
    let soname = folder.path().join("libdxil-spirv-c-shared.so.2");
    std::fs::copy(&library, &soname).unwrap();
    check(folder.path(), &[soname.as_ref()]);
    std::fs::rename(&soname, folder.path().join("other.so")).unwrap();
    let mut client = Command::new(folder.path().join("client"));
    let succeeded = output(&mut client, folder.path()).status.success();
    assert!(!succeeded, "the name is the one that is needed");
}

#[cfg(unix)]
#[test]
fn a_program_in_c_uses_the_static_library() {
    let folder = tempfile::tempdir().unwrap();
    let library = library("libdxil_spirv_c_shared.a");
    let libraries = ["-lpthread", "-ldl", "-lm"].map(OsStr::new);
    check(
        folder.path(),
        &[&[library.as_os_str()], &libraries[..]].concat(),
    );
}

#[cfg(target_os = "linux")]
#[test]
fn dxbc_is_passed_to_the_library_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let soname = folder.path().join("libdxil-spirv-c-shared.so.2");
    std::fs::copy(library("libdxil_spirv_c_shared.so"), &soname).unwrap();
    let foreign = folder.path().join("libforeign.so");
    let mut cc = compiler(&source("foreign.c"));
    cc.args(["-std=gnu11", "-shared", "-fPIC", "-fsemantic-interposition"]);
    cc.args(["-Wno-builtin-declaration-mismatch", "-o"]);
    run(
        cc.arg(&foreign).arg(source("foreign_stubs.c")),
        folder.path(),
    );
    let program = folder.path().join("dxbc");
    let mut cc = compiler(&source("dxbc.c"));
    run(
        cc.args(["-std=gnu11", "-o"]).args([&program, &soname]),
        folder.path(),
    );

    let shader = folder.path().join("shader.dxbc");
    let mut bytes = b"DXBC".to_vec();
    bytes.extend([0; 16]);
    for word in [1u32, 48, 1, 36, u32::from_le_bytes(*b"SHEX"), 4] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(b"ping");
    std::fs::write(&shader, &bytes).unwrap();

    let pass = |library: &Path, none: bool| {
        let mut program = Command::new(&program);
        program.arg(&shader).args(none.then_some("none"));
        program.env("TRELLIS_DXBC_LIBRARY", library);
        run(&mut program, folder.path())
    };
    pass(&foreign, false);
    assert!(pass(&soname, true).contains("is this library"));
    let absent = folder.path().join("absent.so");
    assert!(pass(&absent, true).contains("cannot use"));
    // A library without the interface.
    let other = pass(Path::new("libm.so.6"), true);
    assert!(other.contains("cannot use"), "{other}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_library_exports_the_interface_only() {
    let header = std::fs::read_to_string(source("functions.h")).unwrap();
    let lines = header
        .lines()
        .filter_map(|line| line.strip_prefix("FUNCTION("));
    let names = lines.map(|line| format!("dxil_spv_{}", line.split(", ").nth(1).unwrap()));
    let names: Vec<String> = names.collect();
    let mut declared: Vec<&str> = names.iter().map(String::as_str).collect();
    declared.push("_ZN8dxil_spv23get_thread_log_callbackEv");
    declared.push("_ZN8dxil_spv32get_thread_log_callback_userdataEv");
    check_exports(&library("libdxil_spirv_c_shared.so"), declared);
}
