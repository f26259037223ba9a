//! Reads a side of a comparison: a report, or a folder of SPIR-V files.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;
use walkdir::WalkDir;

use super::{Name, Side, State};
use crate::report::{SCHEMA, Status};

/// Maximum size of a report in bytes.
const LARGEST_REPORT: u64 = 1 << 30;

/// The reason why a side cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// A file or folder cannot be read.
    #[error("cannot read {}", path.display())]
    Io {
        /// Its path.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file is not a report.
    #[error("{} is not a report of `trellis batch`", path.display())]
    Report {
        /// Its path.
        path: PathBuf,
        /// The error in its text.
        source: serde_json::Error,
    },
    /// A file is too large for a report.
    #[error("{} has more than {LARGEST_REPORT} bytes", path.display())]
    Large {
        /// Its path.
        path: PathBuf,
    },
    /// One is a folder and the other a file.
    #[error("cannot compare the folder {} with the file {}", folder.display(), file.display())]
    Mixed {
        /// The folder.
        folder: PathBuf,
        /// The file.
        file: PathBuf,
    },
    /// A folder has no SPIR-V files, which is probably a wrong path.
    #[error("no *.spv files in {} and {}", before.display(), after.display())]
    Empty {
        /// The first folder.
        before: PathBuf,
        /// The second folder.
        after: PathBuf,
    },
}

/// The parts of a report that a comparison needs: not all, so that reports of other versions can be
/// read.
#[derive(Deserialize)]
struct AnyReport {
    #[serde(default)]
    schema: u32,
    shaders: Vec<AnyShader>,
}

#[derive(Deserialize)]
struct AnyShader {
    input: String,
    #[serde(default)]
    entry: Option<String>,
    status: Status,
    #[serde(default)]
    words: u64,
    #[serde(default)]
    error: Option<AnyFailure>,
    #[serde(default)]
    measured: Option<AnyMeasured>,
}

/// Fields of a report since its shaders are measured.
#[derive(Deserialize)]
struct AnyMeasured {
    #[serde(default)]
    output_hash: Option<String>,
}

impl AnyShader {
    /// Returns the digest of the output, if the report has it.
    fn digest(&self) -> serde_json::Result<Option<[u8; 32]>> {
        let hash = self.measured.as_ref().and_then(|m| m.output_hash.as_ref());
        hash.map(|text| match blake3::Hash::from_hex(text) {
            Ok(hash) => Ok(*hash.as_bytes()),
            Err(error) => Err(serde::de::Error::custom(format_args!(
                "the output's hash of {}: {error}",
                self.input
            ))),
        })
        .transpose()
    }
}

#[derive(Deserialize)]
struct AnyFailure {
    kind: String,
    message: String,
}

/// A side to which shaders are added.
#[derive(Default)]
struct Builder {
    side: Side,
    /// Number of shaders of each path and entry point.
    counts: BTreeMap<(String, Option<String>), u64>,
}

impl Builder {
    fn add(&mut self, path: String, entry: Option<String>, state: State) {
        let count = self
            .counts
            .entry((path.clone(), entry.clone()))
            .or_default();
        let name = Name {
            path,
            entry,
            repeated: *count,
        };
        *count += 1;
        self.side.shaders.insert(name, state);
    }
}

/// Reads two reports or two folders.
///
/// # Errors
/// Returns an error if a file or folder cannot be read, a file is not a report, one path is a folder
/// and the other is not, or both folders have no SPIR-V files.
pub fn read(before: &Path, after: &Path) -> Result<(Side, Side), ReadError> {
    let is_folder = |path: &Path| {
        fs::metadata(path)
            .map(|metadata| metadata.is_dir())
            .map_err(|source| io_error(path, source))
    };
    match (is_folder(before)?, is_folder(after)?) {
        (false, false) => Ok((report(before)?, report(after)?)),
        (true, true) => {
            let sides = (folder(before)?, folder(after)?);
            if sides.0.shaders.is_empty() && sides.1.shaders.is_empty() {
                return Err(ReadError::Empty {
                    before: before.to_owned(),
                    after: after.to_owned(),
                });
            }
            Ok(sides)
        }
        (first, _) => {
            let (folder, file) = if first {
                (before, after)
            } else {
                (after, before)
            };
            Err(ReadError::Mixed {
                folder: folder.to_owned(),
                file: file.to_owned(),
            })
        }
    }
}

fn io_error(path: &Path, source: io::Error) -> ReadError {
    ReadError::Io {
        path: path.to_owned(),
        source,
    }
}

/// Reads a report.
fn report(path: &Path) -> Result<Side, ReadError> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LARGEST_REPORT + 1).read_to_end(&mut bytes))
        .map_err(|source| io_error(path, source))?;
    if bytes.len() as u64 > LARGEST_REPORT {
        return Err(ReadError::Large {
            path: path.to_owned(),
        });
    }
    side_of(&bytes).map_err(|source| ReadError::Report {
        path: path.to_owned(),
        source,
    })
}

/// Returns the shaders of a report's text. Libraries without entry points, which have nothing to
/// convert, are none.
pub(super) fn side_of(text: &[u8]) -> serde_json::Result<Side> {
    let report: AnyReport = serde_json::from_slice(text)?;
    // A later schema may give fields another meaning: rejected rather than misread.
    if report.schema > SCHEMA {
        return Err(serde::de::Error::custom(format_args!(
            "it has schema {}, and this version reads those up to {SCHEMA}",
            report.schema
        )));
    }
    let mut builder = Builder::default();
    for shader in report.shaders {
        let state = match shader.status {
            Status::Converted => State::Converted {
                words: shader.words,
                digest: shader.digest()?,
            },
            Status::Failed => {
                let (kind, message) = shader.error.map_or_else(
                    || ("other".to_owned(), "no reason".to_owned()),
                    |error| (error.kind, error.message),
                );
                State::Failed { kind, message }
            }
            Status::Skipped => continue,
        };
        builder.add(shader.input, shader.entry, state);
    }
    Ok(builder.side)
}

/// Reads the SPIR-V files of a folder and of the folders in it; links are followed.
fn folder(folder: &Path) -> Result<Side, ReadError> {
    let mut builder = Builder::default();
    let walk = WalkDir::new(folder).follow_links(true).sort_by_file_name();
    for entry in walk {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(folder).to_owned();
            io_error(&path, error.into())
        })?;
        let path = entry.path();
        if !entry.file_type().is_file() || path.extension().is_none_or(|name| name != "spv") {
            continue;
        }
        let mut hasher = blake3::Hasher::new();
        let size = File::open(path)
            .and_then(|mut file| io::copy(&mut file, &mut hasher))
            .map_err(|source| io_error(path, source))?;
        let state = State::Converted {
            words: size.div_ceil(4),
            digest: Some(*hasher.finalize().as_bytes()),
        };
        let parts: Vec<_> = path
            .strip_prefix(folder)
            .unwrap_or(path)
            .iter()
            .map(std::ffi::OsStr::to_string_lossy)
            .collect();
        builder.add(parts.join("/"), None, state);
    }
    Ok(builder.side)
}
