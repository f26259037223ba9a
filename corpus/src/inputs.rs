//! Finds the shaders in files, folders and manifests, in an order that depends only on their
//! names.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::manifest::{Manifest, ManifestError, Stage};

/// Extensions of shader files in a folder, regardless of their contents; other files are shaders
/// if they begin like one.
pub const EXTENSIONS: [&str; 4] = ["dxil", "cso", "dxbc", "bc"];

/// First bytes of a DXBC container, of raw bitcode, and of bitcode with the wrapper header.
const MAGIC: [[u8; 4]; 3] = [*b"DXBC", [b'B', b'C', 0xc0, 0xde], [0xde, 0xc0, 0x17, 0x0b]];

/// Returns true if these first bytes of a file are those of DXIL.
pub fn looks_like_dxil(start: &[u8]) -> bool {
    MAGIC.iter().any(|magic| start.starts_with(magic))
}

/// One shader to convert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Path of the file.
    pub path: PathBuf,
    /// Its path below the folder or manifest that named it, with `/` between the parts; the file's
    /// name for a file named directly. With several folders or manifests it begins with the
    /// folder's name.
    pub relative: String,
    /// The manifest's description of the shader, if it is from a manifest.
    pub expected: Option<Expected>,
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
    /// A folder without shaders, which is probably a wrong path.
    #[error("no shaders in {}", path.display())]
    Empty {
        /// Its path.
        path: PathBuf,
    },
}

/// Lists the shaders that `arguments` name, in the order of the arguments.
///
/// - A folder gives the shaders below it, sorted by path: files with one of [`EXTENSIONS`], and all
///   others that begin like DXIL. Links to folders are not followed, which also excludes cycles.
/// - A file with the extension `json` is a manifest and gives its shaders in the manifest's order.
/// - Any other file is a shader.
///
/// A shader in a manifest whose file does not exist is not an error here: only that shader fails,
/// when it is converted.
pub fn collect(arguments: &[PathBuf]) -> Result<Vec<Input>, InputError> {
    let mut sets = Vec::with_capacity(arguments.len());
    for argument in arguments {
        sets.push(expand(argument)?);
    }
    let several = sets.iter().filter(|set| set.root.is_some()).count() > 1;
    let mut inputs = Vec::new();
    for set in sets {
        let prefix = set.root.filter(|_| several);
        inputs.extend(set.inputs.into_iter().map(|mut input| {
            if let Some(prefix) = &prefix {
                input.relative = format!("{prefix}/{}", input.relative);
            }
            input
        }));
    }
    Ok(inputs)
}

/// The shaders of one argument.
struct Set {
    /// Name of the folder that the relative paths start in; `None` for a single file.
    root: Option<String>,
    inputs: Vec<Input>,
}

fn expand(argument: &Path) -> Result<Set, InputError> {
    let io = |source| InputError::Io {
        path: argument.to_owned(),
        source,
    };
    let metadata = std::fs::metadata(argument).map_err(io)?;
    if metadata.is_dir() {
        let inputs = walk(argument)?;
        if inputs.is_empty() {
            return Err(InputError::Empty {
                path: argument.to_owned(),
            });
        }
        return Ok(Set {
            root: Some(folder_name(argument)),
            inputs,
        });
    }
    if argument
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("json"))
    {
        return from_manifest(argument);
    }
    let relative = argument
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    Ok(Set {
        root: None,
        inputs: vec![Input {
            path: argument.to_owned(),
            relative,
            expected: None,
        }],
    })
}

fn from_manifest(path: &Path) -> Result<Set, InputError> {
    let manifest = Manifest::load(path).map_err(|source| InputError::Manifest {
        path: path.to_owned(),
        source,
    })?;
    if manifest.shaders.is_empty() {
        return Err(InputError::Empty {
            path: path.to_owned(),
        });
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let inputs = manifest
        .shaders
        .into_iter()
        .map(|shader| Input {
            path: folder.join(&shader.path),
            relative: shader.path,
            expected: Some(Expected {
                stage: shader.stage,
                entry: shader.entry,
            }),
        })
        .collect();
    Ok(Set {
        root: Some(folder_name(folder)),
        inputs,
    })
}

/// Returns the name of a folder, also for `.` and `..`; empty for the root.
fn folder_name(folder: &Path) -> String {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let named = |path: &Path| {
        path.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    named(folder)
        .or_else(|| folder.canonicalize().ok().and_then(|path| named(&path)))
        .unwrap_or_else(|| "root".to_owned())
}

/// Returns all shaders below `root`, sorted by their relative paths.
fn walk(root: &Path) -> Result<Vec<Input>, InputError> {
    let mut found = Vec::new();
    let mut folders = vec![(root.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        let io = |source| InputError::Io {
            path: folder.clone(),
            source,
        };
        for entry in std::fs::read_dir(&folder).map_err(io)? {
            let entry = entry.map_err(io)?;
            let path = entry.path();
            let relative = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let kind = entry.file_type().map_err(io)?;
            if kind.is_dir() {
                folders.push((path, format!("{relative}/")));
            // The kind of what a link leads to is not in the folder.
            } else if (kind.is_file() || path.is_file()) && is_shader(&path)? {
                found.push(Input {
                    path,
                    relative,
                    expected: None,
                });
            }
        }
    }
    found.sort_by(|a, b| (&a.relative, &a.path).cmp(&(&b.relative, &b.path)));
    Ok(found)
}

/// Returns true if a file in a folder is a shader, by its extension or its first bytes.
fn is_shader(path: &Path) -> Result<bool, InputError> {
    if path.extension().is_some_and(|extension| {
        EXTENSIONS
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    }) {
        return Ok(true);
    }
    let io = |source| InputError::Io {
        path: path.to_owned(),
        source,
    };
    let mut start = Vec::with_capacity(4);
    File::open(path)
        .map_err(io)?
        .take(4)
        .read_to_end(&mut start)
        .map_err(io)?;
    Ok(looks_like_dxil(&start))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::{InputError, collect};

    /// Creates the files in a new temporary folder; the contents are those of a shader only where
    /// the test specifies it.
    fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, contents) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, contents).unwrap();
        }
        folder
    }

    fn names(arguments: &[PathBuf]) -> Vec<String> {
        collect(arguments)
            .unwrap()
            .into_iter()
            .map(|input| input.relative)
            .collect()
    }

    #[test]
    fn a_folder_gives_only_its_shaders_sorted() {
        let files: &[(&str, &[u8])] = &[
            ("z.dxil", b"whatever"),
            ("a/b.CSO", b""),
            ("a/c.txt", b"text"),
            ("a/container", b"DXBC...."),
            ("a/raw.bin", b"BC\xc0\xde"),
            ("a/wrapped.bin", b"\xde\xc0\x17\x0b"),
            ("a/short.bin", b"DX"),
            ("a.dxil", b""),
        ];
        let folder = folder(files);
        assert_eq!(
            names(&[folder.path().to_owned()]),
            [
                "a.dxil",
                "a/b.CSO",
                "a/container",
                "a/raw.bin",
                "a/wrapped.bin",
                "z.dxil"
            ]
        );
    }

    #[test]
    fn several_folders_give_distinct_paths() {
        let folder = folder(&[("one/x.dxil", b""), ("two/x.dxil", b""), ("y.bin", b"")]);
        let at = |name: &str| folder.path().join(name);
        assert_eq!(
            names(&[at("two"), at("y.bin"), at("one")]),
            ["two/x.dxil", "y.bin", "one/x.dxil"]
        );
        assert_eq!(names(&[at("two"), at("y.bin")]), ["x.dxil", "y.bin"]);
    }

    #[test]
    fn a_manifest_gives_its_shaders() {
        let text = br#"{"shaders": [{"path": "b/x.dxil", "source": "b/x.hlsl", "stage": "pixel", "profile": "ps_6_0", "entry": "main", "options": [], "about": "x"}]}"#;
        let folder = folder(&[("m.json", text)]);
        let inputs = collect(&[folder.path().join("m.json")]).unwrap();
        assert_eq!(inputs.len(), 1);
        assert_eq!(inputs[0].relative, "b/x.dxil");
        assert_eq!(inputs[0].path, folder.path().join("b/x.dxil"));
        assert_eq!(inputs[0].expected.as_ref().unwrap().entry, "main");
    }

    #[test]
    fn missing_empty_and_malformed_inputs_are_errors() {
        let folder = folder(&[
            ("m.json", b"{}"),
            ("none/a.txt", b""),
            ("empty.json", br#"{"shaders": []}"#),
        ]);
        let at = |name: &str| [folder.path().join(name)];
        assert!(matches!(
            collect(&at("nowhere")),
            Err(InputError::Io { .. })
        ));
        assert!(matches!(
            collect(&at("m.json")),
            Err(InputError::Manifest { .. })
        ));
        assert!(matches!(
            collect(&at("none")),
            Err(InputError::Empty { .. })
        ));
        assert!(matches!(
            collect(&at("empty.json")),
            Err(InputError::Empty { .. })
        ));
    }

    #[cfg(unix)]
    #[test]
    fn a_cycle_of_links_is_not_followed() {
        let folder = folder(&[("a/x.dxil", b"")]);
        std::os::unix::fs::symlink(folder.path(), folder.path().join("a/up")).unwrap();
        std::os::unix::fs::symlink(
            folder.path().join("nowhere"),
            folder.path().join("a/dangling.dxil"),
        )
        .unwrap();
        assert_eq!(names(&[folder.path().to_owned()]), ["a/x.dxil"]);
    }
}
