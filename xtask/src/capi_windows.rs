//! `cargo xtask capi-windows`: the C libraries for Windows.
//!
//! Builds both for `x86_64-pc-windows-gnu` and `i686-pc-windows-gnu`, compiles their programs in C with
//! mingw-w64, with the static library and with the DLL, runs those of 64 bits in Wine, and compares what
//! they write with the Rust API. What is not installed is skipped with a message.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Instant;

use trellis_dxil::bindings::DefaultBindings;
use trellis_dxil::{Options, Target, convert_entry};

/// A target and its C compiler.
struct Toolchain {
    target: &'static str,
    compiler: &'static str,
    /// Wine of 64 bits runs its programs.
    runs: bool,
}

const TOOLCHAINS: [Toolchain; 2] = [
    Toolchain {
        target: "x86_64-pc-windows-gnu",
        compiler: "x86_64-w64-mingw32-gcc",
        runs: true,
    },
    Toolchain {
        target: "i686-pc-windows-gnu",
        compiler: "i686-w64-mingw32-gcc",
        runs: false,
    },
];

/// A program in C that uses a library: it translates its first argument to its second.
struct Client {
    /// Name of the library in Rust.
    library: &'static str,
    /// Folder of the headers, and the source.
    headers: &'static str,
    source: &'static str,
    shader: &'static str,
    options: fn() -> Options,
}

const CLIENTS: [Client; 2] = [
    Client {
        library: "trellis",
        headers: "capi/libtrellis/include",
        source: "capi/libtrellis/examples/convert.c",
        shader: "corpus/shaders/buffers/counters.dxil",
        options: || {
            let options = Options::default().with_target(Target::Vulkan1_2);
            bindings(options.with_names(false))
        },
    },
    Client {
        library: "dxil_spirv_c_shared",
        headers: "capi/dxil-spirv/tests/c",
        source: "capi/dxil-spirv/tests/c/client.c",
        shader: "corpus/shaders/cbuffers/dynamic_index.dxil",
        options: || {
            let name = Some("main".to_owned());
            let options = Options::default().with_entry_point_name(name);
            bindings(options.with_preserve_nan(false))
        },
    },
];

/// Gives resources the places that the programs give them.
fn bindings(options: Options) -> Options {
    options.with_bindings(Arc::new(DefaultBindings {
        cbv: 0,
        srv: 100,
        uav: 200,
        sampler: 300,
        counter: 400,
        ..DefaultBindings::default()
    }))
}

/// What Rust's library needs of Windows (`rustc --print native-static-libs`).
const SYSTEM: [&str; 5] = [
    "-lkernel32",
    "-lntdll",
    "-luserenv",
    "-lws2_32",
    "-ldbghelp",
];

/// Runs the task.
pub(crate) fn run() -> ExitCode {
    let mut failed = false;
    for toolchain in &TOOLCHAINS {
        let start = Instant::now();
        let target = toolchain.target;
        match check(toolchain) {
            Ok(lines) => {
                for line in lines {
                    println!("{target}: {line}");
                }
                println!("{target}: {:.0} s", start.elapsed().as_secs_f32());
            }
            Err(problem) => {
                eprintln!("failed: {target}: {problem}");
                failed = true;
            }
        }
    }
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// Checks the libraries of a target, and returns what was done.
fn check(toolchain: &Toolchain) -> Result<Vec<String>, String> {
    let (target, compiler) = (toolchain.target, toolchain.compiler);
    if !installed(compiler) {
        return Ok(vec![format!(
            "skipped: no {compiler} (Debian: gcc-mingw-w64)"
        )]);
    }
    let libraries =
        output(Command::new("rustc").args(["--print", "target-libdir", "--target", target]))?;
    if !Path::new(libraries.trim()).is_dir() {
        return Ok(vec![format!(
            "skipped: no Rust libraries (rustup target add {target})"
        )]);
    }
    let folder = build(target)?;
    let wine = toolchain.runs.then(wine).flatten();
    // With the folder of Wine, of which each user has one of 800 MB.
    let programs = tempfile::tempdir().map_err(|error| error.to_string())?;
    let programs = programs.path();
    if wine.is_some() {
        compile_prng(compiler, programs)?;
    }
    let mut lines = Vec::new();
    for client in &CLIENTS {
        for library in [
            format!("lib{}.a", client.library),
            format!("lib{}.dll.a", client.library),
        ] {
            let program = programs.join(format!("{library}.exe"));
            compile(compiler, client, &folder.join(&library), &program)?;
            let dll = format!("{}.dll", client.library);
            fs::copy(folder.join(&dll), programs.join(&dll)).map_err(|error| error.to_string())?;
            let Some(wine) = &wine else {
                lines.push(format!("{library}: linked"));
                continue;
            };
            execute(wine, &programs.join("wine"), client, &program)?;
            lines.push(format!("{library}: linked, the words are right"));
        }
    }
    if wine.is_none() {
        let bits = if toolchain.runs { 64 } else { 32 };
        lines.push(format!(
            "skipped: no Wine that runs programs of {bits} bits"
        ));
    }
    Ok(lines)
}

/// Builds the libraries as fast as possible, and returns the folder that they are in.
fn build(target: &str) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.current_dir(root());
    build.args(["build", "--quiet", "--target", target]);
    build.args([
        "--package",
        "trellis-c",
        "--package",
        "trellis-dxil-spirv-c",
    ]);
    build.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0");
    build.env("CARGO_PROFILE_DEV_DEBUG", "0");
    build.env("CARGO_INCREMENTAL", "0");
    output(&mut build)?;
    Ok(target_folder().join(target).join("debug"))
}

/// Compiles a program in C.
fn compile(compiler: &str, client: &Client, library: &Path, program: &Path) -> Result<(), String> {
    let mut compile = Command::new(compiler);
    compile.current_dir(root());
    compile.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-static-libgcc"]);
    compile.args(["-I", client.headers, client.source, "-o"]);
    compile.arg(program).arg(library).args(SYSTEM);
    output(&mut compile).map(drop)
}

/// Compiles what Wine may lack, next to the programs.
fn compile_prng(compiler: &str, programs: &Path) -> Result<(), String> {
    let mut compile = Command::new(compiler);
    compile.current_dir(root());
    compile.args(["-std=c11", "-shared", "-o"]);
    compile.arg(programs.join("bcryptprimitives.dll"));
    compile.args(["capi/libtrellis/tests/c/bcryptprimitives.c", "-ladvapi32"]);
    output(&mut compile).map(drop)
}

/// Runs a program in Wine, and compares what it writes.
fn execute(wine: &Path, prefix: &Path, client: &Client, program: &Path) -> Result<(), String> {
    let shader = root().join(client.shader);
    let written = program.with_extension("spv");
    let mut run = Command::new(wine);
    run.env("WINEPREFIX", prefix);
    run.env("WINEDEBUG", "-all");
    output(run.args([program, &shader, &written]))?;
    let bytes = fs::read(&shader).map_err(|error| error.to_string())?;
    // Without the names that the container has elsewhere, as dxil-spirv's interface.
    let input = trellis_dxil::frontend::read(&bytes).map_err(|error| error.to_string())?;
    let entry = input.shader.shaders().next().ok_or("no entry point")?;
    let expected = convert_entry(&input, entry, &(client.options)());
    let expected = expected.map_err(|error| error.to_string())?;
    let written = fs::read(&written).map_err(|error| format!("no result: {error}"))?;
    if written != expected.bytes() {
        return Err(format!("{}: other words", program.display()));
    }
    Ok(())
}

/// Returns a Wine that runs programs of 64 bits.
fn wine() -> Option<PathBuf> {
    let places = ["wine64", "/usr/lib/wine/wine64", "wine"].map(PathBuf::from);
    places.into_iter().find(|place| installed(place))
}

/// Returns whether a program starts.
fn installed(program: impl AsRef<OsStr>) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// Runs a command, and returns what it prints.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|error| format!("{name}: {error}"))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{name}: {}\n{message}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns Cargo's target folder.
fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
