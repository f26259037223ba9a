//! A program in C that is linked with the library, shared and static.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use trellis_spirv_backend::bindings::DefaultBindings;
use trellis_spirv_backend::{Options, convert_entry};

use crate::common;

/// The shader that the program converts.
const SHADER: &str = "cbuffers/dynamic_index.dxil";

/// Returns the folder where Cargo put the library that this test was built with.
fn libraries() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().to_owned()
}

/// Returns what the program should write.
fn expected() -> Vec<u8> {
    let bytes = common::shader(SHADER);
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

/// Compiles the program with arguments for the library, and runs it.
fn run(folder: &Path, link: impl FnOnce(&mut Command)) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let (program, output) = (folder.join("client"), folder.join("out.spv"));
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program);
    cc.arg("-I").arg(&tests).arg(tests.join("client.c"));
    link(&mut cc);
    let compiled = cc.output().expect("there is a C compiler, `cc`");
    let message = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{message}");
    let run = Command::new(&program)
        .arg(common::corpus().join(SHADER))
        .arg(&output)
        .env("LD_LIBRARY_PATH", folder)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{message}");
    assert!(std::fs::read(output).unwrap() == expected());
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_in_c_uses_the_shared_library() {
    let folder = tempfile::tempdir().unwrap();
    let library = libraries().join("libdxil_spirv_c_shared.so");
    // The program asks for the name that the library has inside, not for that of the file.
    let soname = folder.path().join("libdxil-spirv-c-shared.so.2");
    std::fs::copy(&library, &soname).unwrap();
    run(folder.path(), |cc| {
        cc.arg(&soname);
    });
    std::fs::rename(&soname, folder.path().join("other.so")).unwrap();
    let output = Command::new(folder.path().join("client"))
        .env("LD_LIBRARY_PATH", folder.path())
        .output()
        .unwrap();
    assert!(
        !output.status.success(),
        "the name is the one that is needed"
    );
}

#[cfg(unix)]
#[test]
fn a_program_in_c_uses_the_static_library() {
    let folder = tempfile::tempdir().unwrap();
    let library = libraries().join("libdxil_spirv_c_shared.a");
    run(folder.path(), |cc| {
        cc.arg(library).args(["-lpthread", "-ldl", "-lm"]);
    });
}

/// Runs `cc` in the folder of the programs in C.
#[cfg(target_os = "linux")]
fn compile(arguments: &[&std::ffi::OsStr]) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let mut cc = Command::new("cc");
    cc.current_dir(tests);
    cc.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror"]);
    let output = cc.args(arguments).output().expect("there is a C compiler");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn dxbc_is_passed_to_the_library_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let soname = folder.path().join("libdxil-spirv-c-shared.so.2");
    std::fs::copy(libraries().join("libdxil_spirv_c_shared.so"), &soname).unwrap();
    let foreign = folder.path().join("libforeign.so");
    let stubs = "-Wno-builtin-declaration-mismatch";
    compile(&[
        "-shared".as_ref(),
        "-fPIC".as_ref(),
        "-fsemantic-interposition".as_ref(),
        stubs.as_ref(),
        "-o".as_ref(),
        foreign.as_ref(),
        "foreign.c".as_ref(),
        "foreign_stubs.c".as_ref(),
    ]);
    let program = folder.path().join("dxbc");
    let output = ["-o".as_ref(), program.as_os_str(), "dxbc.c".as_ref()];
    compile(&[&output[..], &[soname.as_ref()]].concat());

    let shader = folder.path().join("shader.dxbc");
    let mut bytes = b"DXBC".to_vec();
    bytes.extend([0; 16]);
    for word in [1u32, 48, 1, 36, u32::from_le_bytes(*b"SHEX"), 4] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(b"ping");
    std::fs::write(&shader, &bytes).unwrap();

    let run = |library: Option<&Path>, none: bool| {
        let mut program = Command::new(&program);
        program.arg(&shader).args(none.then_some("none"));
        program.env("LD_LIBRARY_PATH", folder.path());
        program.env_remove("TRELLIS_DXBC_LIBRARY");
        if let Some(library) = library {
            program.env("TRELLIS_DXBC_LIBRARY", library);
        }
        let output = program.output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{message}");
        String::from_utf8(output.stdout).unwrap()
    };
    run(Some(&foreign), false);
    assert!(run(None, true).contains("TRELLIS_DXBC_LIBRARY may name"));
    assert!(run(Some(&soname), true).contains("is this library"));
    let absent = folder.path().join("absent.so");
    assert!(run(Some(&absent), true).contains("cannot use"));
    // A library without the interface.
    let other = run(Some(Path::new("libm.so.6")), true);
    assert!(other.contains("cannot use"), "{other}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_library_exports_the_interface_only() {
    let library = libraries().join("libdxil_spirv_c_shared.so");
    let output = Command::new("nm")
        .arg("-D")
        .arg("--defined-only")
        .arg(library)
        .output();
    let Ok(output) = output else {
        eprintln!("skipped: there is no nm");
        return;
    };
    let text = String::from_utf8(output.stdout).unwrap();
    let mut names: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split(' ').nth(2))
        .collect();
    names.sort_unstable();
    let (functions, others): (Vec<&str>, Vec<&str>) = names
        .into_iter()
        .partition(|name| name.starts_with("dxil_spv_"));
    let header =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/functions.h"))
            .unwrap();
    let mut declared: Vec<String> = header
        .lines()
        .filter_map(|line| line.strip_prefix("FUNCTION("))
        .map(|line| format!("dxil_spv_{}", line.split(", ").nth(1).unwrap()))
        .collect();
    declared.sort();
    assert_eq!(functions, declared);
    assert_eq!(
        others,
        [
            "_ZN8dxil_spv23get_thread_log_callbackEv",
            "_ZN8dxil_spv32get_thread_log_callback_userdataEv"
        ]
    );
}
