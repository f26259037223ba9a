//! Finds the shaders in files, folders, archives and manifests, in an order that depends only on their
//! names.
//!
//! An entry that cannot be listed, such as a link to a folder that contains it, is an input with a
//! [problem](Input::problem): it fails in its turn, and the others are converted.

pub(crate) mod archive;
mod filter;
mod walk;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::failure::{Failure, Kind};
use crate::files;
use crate::manifest::{Listed, ManifestError, Stage};
use archive::Format;
pub use filter::{Filter, PatternError};

/// Extensions of shader files in a folder, regardless of their contents; other files are shaders
/// if they begin like one.
pub const EXTENSIONS: [&str; 4] = ["dxil", "cso", "dxbc", "bc"];

/// The problem of a path that is not UTF-8.
const NOT_UTF8: &str = "the name is not UTF-8, so that an output cannot be named after it";

/// One shader to convert.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Input {
    /// Path of the file, or of the archive that it is in.
    pub path: PathBuf,
    /// The member of the archive that it is.
    pub member: Option<ArchiveMember>,
    /// Its path below the folder, archive or manifest that named it, with `/` between the parts; the
    /// file's name for a file named directly. With several of them it begins with the name of the
    /// folder or archive.
    pub relative: String,
    /// The manifest's description of the shader, if it is from a manifest.
    pub expected: Option<Expected>,
    /// Why it cannot be converted, if that was found out when it was listed.
    pub problem: Option<Box<Failure>>,
}

/// A member of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveMember {
    /// The place of its contents, counted over all members of the archive: links have their
    /// target's.
    pub place: u64,
    /// Its path in the archive, with `/` between the parts.
    pub path: String,
}

impl Input {
    /// Returns an input that is a file, with the path that its output is named after.
    pub fn file(path: impl Into<PathBuf>, relative: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            member: None,
            relative: relative.into(),
            expected: None,
            problem: None,
        }
    }

    /// Returns [`ArchiveMember::place`] of a member of an archive.
    pub(crate) fn place(&self) -> Option<u64> {
        self.member.as_ref().map(|member| member.place)
    }

    /// Reads it. A member of a tar takes the time that it takes to read the archive up to it: a batch reads
    /// archives in order.
    ///
    /// # Errors
    /// Returns its problem, or why it cannot be read.
    pub fn read(&self) -> Result<Vec<u8>, Failure> {
        match (&self.problem, self.place()) {
            (Some(problem), _) => Err((**problem).clone()),
            (None, Some(place)) => archive::read(&self.path, place),
            (None, None) => files::read(&self.path),
        }
    }

    /// Returns the same with a reason why it cannot be converted.
    pub(crate) fn with_problem(self, kind: Kind, message: impl Into<String>) -> Self {
        Self {
            problem: Some(Box::new(Failure::new(kind, message))),
            ..self
        }
    }
}

impl std::fmt::Display for Input {
    /// Writes the path of the file, or `archive!path/in/it`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.path.display())?;
        match &self.member {
            Some(member) => write!(f, "!{}", member.path),
            None => Ok(()),
        }
    }
}

/// A manifest's description of a shader, checked after the conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The stage.
    pub stage: Stage,
    /// The entry function.
    pub entry: String,
}

/// The reason why the inputs cannot be listed.
#[derive(Debug, Error)]
pub enum InputError {
    /// A file or folder does not exist or cannot be read.
    #[error("cannot read {}", path.display())]
    Io {
        /// Its path.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A manifest is malformed.
    #[error("{} is not a manifest of shaders", path.display())]
    Manifest {
        /// Its path.
        path: PathBuf,
        /// The manifest's error.
        source: ManifestError,
    },
    /// An archive cannot be read.
    #[error("cannot read the archive {}: {message}", path.display())]
    Archive {
        /// Its path.
        path: PathBuf,
        /// The error.
        message: String,
    },
    /// A folder, archive or manifest without shaders (probably a wrong path), or with none that the
    /// filter takes.
    #[error("no shaders in {}", path.display())]
    Empty {
        /// Its path.
        path: PathBuf,
    },
}

/// Lists the shaders that `arguments` name, in the order of the arguments.
///
/// - A folder gives the shaders below it, sorted by path: files with one of [`EXTENSIONS`], and all
///   others that begin like DXIL. Links are followed unless the filter [skips](Filter::without_links)
///   them; one that leads to a folder that it is in fails.
/// - An archive (`.zip`, `.tar`, `.tar.zst`, `.tzst`, `.tar.gz`, `.tgz`) gives the shaders in it, by the same rule, in the
///   archive's order. Links to members are followed.
/// - A file with the extension `json` is a manifest and gives its shaders in the manifest's order.
/// - Any other file is a shader.
///
/// The filter applies to entries of folders, archives and manifests, by the path below them.
///
/// A shader in a manifest whose file does not exist is not an error here: only that shader fails,
/// when it is converted. So do links that loop or, in an archive, lead to a
/// folder with shaders or out of it, folders that cannot be read, and names that are not
/// UTF-8 or lead out of an archive.
///
/// # Errors
/// An argument does not exist, is a malformed manifest or archive, or has no shaders.
pub fn collect(arguments: &[PathBuf], filter: &Filter) -> Result<Vec<Input>, InputError> {
    let mut sets = Vec::with_capacity(arguments.len());
    for argument in arguments {
        sets.push(expand(argument, filter)?);
    }
    let several = sets.iter().filter(|set| set.root.is_some()).count() > 1;
    let mut inputs = Vec::new();
    for set in sets {
        let prefix = set.root.filter(|_| several);
        inputs.extend(set.inputs.into_iter().map(|mut input| {
            if let Some(prefix) = &prefix {
                input.relative = format!("{}/{}", prefix.text, input.relative);
                if !prefix.is_exact && input.problem.is_none() {
                    input = input.with_problem(Kind::Name, NOT_UTF8);
                }
            }
            input
        }));
    }
    Ok(inputs)
}

/// The shaders of one argument.
struct Set {
    /// Name of the folder that the relative paths start in; `None` for a single file.
    root: Option<Name>,
    inputs: Vec<Input>,
}

/// The name of a file or folder.
struct Name {
    /// The name, with invalid UTF-8 replaced.
    text: String,
    /// False if something was replaced.
    is_exact: bool,
}

impl Name {
    fn of(name: &OsStr) -> Self {
        Self {
            text: name.to_string_lossy().into_owned(),
            is_exact: name.to_str().is_some(),
        }
    }
}

fn expand(argument: &Path, filter: &Filter) -> Result<Set, InputError> {
    let io = |source| InputError::Io {
        path: argument.to_owned(),
        source,
    };
    let metadata = std::fs::metadata(argument).map_err(io)?;
    let set = if metadata.is_dir() {
        Set {
            root: Some(folder_name(argument)),
            inputs: walk::walk(argument, filter),
        }
    } else if let Some(format) = Format::of_path(argument) {
        Set {
            root: Some(folder_name(argument)),
            inputs: archive::list(argument, format)?,
        }
    } else if has_extension(argument, "json") {
        from_manifest(argument, filter)?
    } else {
        let name = Name::of(argument.file_name().unwrap_or_default());
        let mut input = Input::file(argument, name.text);
        if !name.is_exact {
            input = input.with_problem(Kind::Name, NOT_UTF8);
        }
        return Ok(Set {
            root: None,
            inputs: vec![input],
        });
    };
    let Set { root, mut inputs } = set;
    inputs.retain(|input| filter.takes(&input.relative));
    if inputs.is_empty() {
        return Err(InputError::Empty {
            path: argument.to_owned(),
        });
    }
    Ok(Set { root, inputs })
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

fn from_manifest(path: &Path, filter: &Filter) -> Result<Set, InputError> {
    let list = Listed::load(path).map_err(|source| InputError::Manifest {
        path: path.to_owned(),
        source,
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let inputs = list
        .into_iter()
        .map(|shader| {
            let expected = shader.expected;
            let mut parts = Path::new(&shader.path).ancestors();
            let is_linked = filter.skips_links && parts.any(|part| folder.join(part).is_symlink());
            let input = Input {
                expected: expected.map(|(stage, entry)| Expected { stage, entry }),
                ..Input::file(folder.join(&shader.path), shader.path)
            };
            match is_linked {
                true => input.with_problem(Kind::Link, "links are not followed"),
                false => input,
            }
        })
        .collect();
    Ok(Set {
        root: Some(folder_name(folder)),
        inputs,
    })
}

/// Returns the name of a folder or archive, also for `.` and `..`; `root` for the root.
fn folder_name(folder: &Path) -> Name {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let named = |path: &Path| path.file_name().map(Name::of);
    named(folder)
        .or_else(|| folder.canonicalize().ok().and_then(|path| named(&path)))
        .unwrap_or_else(|| Name::of("root".as_ref()))
}

/// Returns true if a file of this name in a folder or archive is a shader, whatever its first bytes
/// are.
fn is_named_shader(path: &Path) -> bool {
    path.extension().is_some_and(|extension| {
        let mut known = EXTENSIONS.iter();
        known.any(|known| extension.eq_ignore_ascii_case(known))
    })
}

#[cfg(test)]
mod tests;
