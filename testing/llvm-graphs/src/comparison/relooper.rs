//! Binaryen's Relooper (Zakai, "Emscripten: an LLVM-to-JavaScript compiler", 2011), through its C
//! interface.
//!
//! `relooper.c` is compiled where Binaryen is installed, and runs as a process on skeletons of the
//! functions (see [`super::webassembly`]).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use trellis_structurizer::ir::{Block, Function};

use super::pipe;
use super::run::targets;

/// Rounds of which the shortest time is taken.
const TIMED: usize = 100;

/// A program that runs Relooper.
#[derive(Clone, Debug)]
pub struct Relooper {
    program: PathBuf,
}

impl Relooper {
    /// Looks for Binaryen's library and header in the folder of the environment variable
    /// `TRELLIS_BINARYEN` or in the usual ones, and compiles a program with it to a folder.
    ///
    /// # Errors
    /// It is not installed, or the C compiler `cc` fails: a message.
    pub fn find(folder: &Path) -> Result<Self, String> {
        let given = std::env::var_os("TRELLIS_BINARYEN").map(PathBuf::from);
        let usual = ["/usr", "/usr/local", "/opt/homebrew"].map(PathBuf::from);
        for prefix in given.into_iter().chain(usual) {
            if !prefix.join("include/binaryen-c.h").is_file() {
                continue;
            }
            if let Some(library) = libraries(&prefix) {
                return compile(&prefix.join("include"), &library, folder);
            }
        }
        let missing = "Binaryen's library and binaryen-c.h are not installed (Debian: binaryen; elsewhere: TRELLIS_BINARYEN)";
        Err(missing.to_owned())
    }

    /// Returns a WebAssembly module with the functions, in order.
    ///
    /// # Errors
    /// The program fails: its message.
    pub fn run(&self, functions: &[&Function]) -> Result<Vec<u8>, String> {
        self.process(functions, None)
    }

    /// Returns the time for all functions.
    ///
    /// # Errors
    /// The program fails: its message.
    pub fn time(&self, functions: &[&Function]) -> Result<Duration, String> {
        let output = self.process(functions, Some(TIMED))?;
        let text = String::from_utf8_lossy(&output);
        let nanoseconds = text.trim().parse();
        nanoseconds
            .map(Duration::from_nanos)
            .map_err(|_| format!("not a time: {text}"))
    }

    fn process(&self, functions: &[&Function], rounds: Option<usize>) -> Result<Vec<u8>, String> {
        let mut command = Command::new(&self.program);
        command.args(rounds.map(|rounds| rounds.to_string()));
        Ok(pipe(&mut command, &graphs(functions))?.0)
    }
}

/// Returns the folder of a prefix with Binaryen's library; Debian has it in one for the machine.
fn libraries(prefix: &Path) -> Option<PathBuf> {
    let lib = prefix.join("lib");
    let mut folders = vec![lib.clone(), prefix.join("lib64")];
    if let Ok(entries) = std::fs::read_dir(&lib) {
        folders.extend(entries.flatten().map(|entry| entry.path()));
    }
    let names = ["libbinaryen.so", "libbinaryen.dylib"];
    folders
        .into_iter()
        .find(|folder| names.iter().any(|name| folder.join(name).is_file()))
}

fn compile(include: &Path, library: &Path, folder: &Path) -> Result<Relooper, String> {
    let program = folder.join("relooper");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/comparison/relooper.c");
    let output = Command::new("cc")
        .arg("-O2")
        .arg("-I")
        .arg(include)
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(library)
        .arg("-lbinaryen")
        .arg(format!("-Wl,-rpath,{}", library.display()))
        .output()
        .map_err(|error| format!("the C compiler cc: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(Relooper { program })
}

/// Returns the functions' skeletons in the form that the program reads.
fn graphs(functions: &[&Function]) -> String {
    let mut text = format!("{}\n", functions.len());
    for func in functions {
        let blocks: Vec<Block> = func.blocks().collect();
        let _ = writeln!(text, "{}", blocks.len());
        for &block in &blocks {
            let targets = targets(func, block);
            let _ = write!(text, "{}", targets.len());
            for to in targets {
                let _ = write!(text, " {}", to.as_u32());
            }
            text.push('\n');
        }
    }
    text
}
