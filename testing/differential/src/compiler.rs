//! The HLSL compiler: DXC's library in this process (a few milliseconds a program), or any command
//! that takes DXC's arguments.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hassle_rs::{Dxc, DxcCompiler, DxcLibrary};

use crate::hlsl;
use crate::program::Compilation;

/// The hint if there is no compiler.
pub const HINT: &str =
    "install one with xtask/scripts/install-dxc.sh, or name one with --dxc-library or --dxc";

/// An error of the compiler.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no compiler.
    #[error("no HLSL compiler: {what}; {HINT}")]
    None {
        /// The paths that were tried.
        what: String,
    },
    /// It does not take the program.
    #[error("{0}")]
    Rejected(String),
    /// It could not be started, or its files not be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// File or command.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
}

/// A compiler, for all threads.
pub enum Compiler {
    /// The library.
    Library(Dxc),
    /// A command.
    Command(PathBuf),
}

/// A compiler for one thread.
pub enum Session<'c> {
    /// Objects of the library, which lives as long as the compiler.
    Library(&'c Compiler, DxcLibrary, DxcCompiler),
    /// A command, and a folder for its files.
    Command(&'c Path, tempfile::TempDir),
}

/// Returns where `install-dxc.sh` puts the library: `trellis-dxc/libdxcompiler.so` in the user's
/// cache. `None` if there is no home folder.
pub fn default_library() -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache")))?;
    Some(cache.join("trellis-dxc").join("libdxcompiler.so"))
}

impl Compiler {
    /// Loads the library.
    ///
    /// # Errors
    /// It does not exist, or cannot be loaded.
    pub fn library(path: &Path) -> Result<Self, Error> {
        let none = |what: String| Error::None { what };
        if !path.is_file() {
            return Err(none(format!("{} is not there", path.display())));
        }
        Dxc::new(Some(path.to_owned()))
            .map(Self::Library)
            .map_err(|error| none(error.to_string()))
    }

    /// Returns the library at its usual path.
    ///
    /// # Errors
    /// As [`Self::library`].
    pub fn find() -> Result<Self, Error> {
        default_library().map_or_else(
            || {
                Err(Error::None {
                    what: "no home folder".to_owned(),
                })
            },
            |path| Self::library(&path),
        )
    }

    /// Returns its part for one thread.
    ///
    /// # Errors
    /// The library does not create its objects, or there is no folder for temporary files.
    pub fn session(&self) -> Result<Session<'_>, Error> {
        match self {
            Self::Library(dxc) => {
                let none = |error: hassle_rs::HassleError| Error::None {
                    what: error.to_string(),
                };
                Ok(Session::Library(
                    self,
                    dxc.create_library().map_err(none)?,
                    dxc.create_compiler().map_err(none)?,
                ))
            }
            Self::Command(path) => {
                let folder = tempfile::tempdir().map_err(|source| Error::Io {
                    path: std::env::temp_dir(),
                    source,
                })?;
                Ok(Session::Command(path, folder))
            }
        }
    }
}

impl Session<'_> {
    /// Compiles a text to a container with DXIL.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn compile(&self, text: &str, options: Compilation) -> Result<Vec<u8>, Error> {
        self.compile_as(text, &hlsl::profile(options), &hlsl::arguments(options))
    }

    /// As [`Self::compile`], for any profile (`cs_6_0`) and arguments.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn compile_as(
        &self,
        text: &str,
        profile: &str,
        arguments: &[&str],
    ) -> Result<Vec<u8>, Error> {
        match self {
            Self::Library(_, library, compiler) => {
                in_library(library, compiler, text, profile, arguments)
            }
            Self::Command(path, folder) => {
                by_command(path, folder.path(), text, profile, arguments)
            }
        }
    }
}

/// Returns the line of a compiler's message with the error.
pub fn error_line(text: &str) -> String {
    let line = text
        .lines()
        .find(|line| line.contains(": error: "))
        .or_else(|| text.lines().find(|line| line.contains("error")))
        .or_else(|| text.lines().next())
        .unwrap_or("");
    // Without position, so that the same problem has the same text. FXC's errors have a number after
    // the word.
    line.split_once("error")
        .map_or(line, |(_, what)| what.trim_start_matches([':', ' ']))
        .to_owned()
}

fn in_library(
    library: &DxcLibrary,
    compiler: &DxcCompiler,
    text: &str,
    profile: &str,
    arguments: &[&str],
) -> Result<Vec<u8>, Error> {
    let other = |error: hassle_rs::HassleError| Error::Rejected(error.to_string());
    let source = library
        .create_blob_with_encoding_from_str(text)
        .map_err(other)?;
    match compiler.compile(
        &source,
        "program.hlsl",
        "main",
        profile,
        arguments,
        None,
        &[],
    ) {
        Ok(result) => Ok(result.get_result().map_err(other)?.to_vec()),
        Err((result, code)) => {
            let said = result
                .get_error_buffer()
                .and_then(|blob| library.get_blob_as_string(&blob.into()));
            Err(Error::Rejected(said.unwrap_or_else(|_| code.to_string())))
        }
    }
}

fn by_command(
    path: &Path,
    folder: &Path,
    text: &str,
    profile: &str,
    arguments: &[&str],
) -> Result<Vec<u8>, Error> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    };
    let (source, output) = (folder.join("program.hlsl"), folder.join("program.dxil"));
    std::fs::write(&source, text).map_err(at(&source))?;
    let run = Command::new(path)
        .args(["-T", profile, "-E", "main"])
        .args(arguments)
        .arg("-Fo")
        .arg(&output)
        .arg(&source)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| {
            if error.kind() == std::io::ErrorKind::NotFound {
                Error::None {
                    what: format!("{} is not there", path.display()),
                }
            } else {
                at(path)(error)
            }
        })?;
    if !run.status.success() {
        return Err(Error::Rejected(
            String::from_utf8_lossy(&run.stderr).into_owned(),
        ));
    }
    std::fs::read(&output).map_err(at(&output))
}
