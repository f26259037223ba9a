//! The manifest of a folder of shaders: its files and how each was compiled.
//!
//! A manifest is a JSON object with one list, `shaders`; each entry names a compiled shader, the
//! HLSL source it came from, and the stage, profile, entry point and compiler options it was built
//! with. Paths use `/`, are relative to the manifest's folder, and never leave it.
//!
//! The corpus has all of that ([`Manifest`]). A batch needs the paths alone ([`Listed`]).

mod listed;

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use listed::Listed;

/// A pipeline stage, as the first letters of an HLSL profile name it (`cs_6_0` is
/// [`Stage::Compute`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// `vs`
    Vertex,
    /// `hs`
    Hull,
    /// `ds`
    Domain,
    /// `gs`
    Geometry,
    /// `ps`
    Pixel,
    /// `cs`
    Compute,
    /// `as`
    Amplification,
    /// `ms`
    Mesh,
    /// `lib`: ray tracing, or functions to link.
    Library,
}

/// Every stage with its name in a manifest and its prefix in a profile.
const STAGES: [(Stage, &str, &str); 9] = [
    (Stage::Vertex, "vertex", "vs"),
    (Stage::Hull, "hull", "hs"),
    (Stage::Domain, "domain", "ds"),
    (Stage::Geometry, "geometry", "gs"),
    (Stage::Pixel, "pixel", "ps"),
    (Stage::Compute, "compute", "cs"),
    (Stage::Amplification, "amplification", "as"),
    (Stage::Mesh, "mesh", "ms"),
    (Stage::Library, "library", "lib"),
];

/// An unknown stage name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown stage `{0}`")]
pub struct UnknownStage(pub String);

impl Stage {
    /// Returns the stage that a profile (`ps_6_6`) compiles for; `None` if the profile is not one
    /// of `<stage>_<major>_<minor>` with a known stage and decimal numbers.
    pub fn of_profile(profile: &str) -> Option<Self> {
        let mut parts = profile.split('_');
        let (prefix, major, minor) = (parts.next()?, parts.next()?, parts.next()?);
        let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if parts.next().is_some() || !number(major) || !number(minor) {
            return None;
        }
        STAGES
            .iter()
            .find(|(_, _, p)| *p == prefix)
            .map(|(stage, _, _)| *stage)
    }

    /// Returns the stage's name in a manifest: `compute`, `pixel`, …
    pub fn name(self) -> &'static str {
        STAGES
            .iter()
            .find(|(stage, _, _)| *stage == self)
            .map_or("", |(_, name, _)| name)
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Stage {
    type Err = UnknownStage;

    fn from_str(text: &str) -> Result<Self, UnknownStage> {
        STAGES
            .iter()
            .find(|(_, name, _)| *name == text)
            .map(|(stage, _, _)| *stage)
            .ok_or_else(|| UnknownStage(text.to_owned()))
    }
}

/// One compiled shader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShaderEntry {
    /// The compiled file, relative to the manifest's folder, with `/` between the parts.
    pub path: String,
    /// The HLSL file that it was compiled from, written like `path`.
    pub source: String,
    /// The pipeline stage.
    pub stage: Stage,
    /// The HLSL profile: stage and shader model, `cs_6_0`.
    pub profile: String,
    /// The entry function in the source.
    pub entry: String,
    /// Further compiler options, in order.
    pub options: Vec<String>,
    /// Description of the shader, in one or two sentences.
    pub about: String,
}

/// A list of shaders, sorted by path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The shaders, each path once.
    pub shaders: Vec<ShaderEntry>,
}

/// The reason why a manifest was rejected.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// The file could not be read.
    #[error("cannot read manifest {}", path.display())]
    Read {
        /// The manifest's path.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The text is not JSON, or does not have the form of a manifest; the source gives line and
    /// column.
    #[error("line {line}, column {column}: not a manifest")]
    Json {
        /// The line, from 1; 0 for an empty text.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The expected JSON at that position.
        source: serde_json::Error,
    },
    /// A path that is empty, absolute, has `..`, `.` or empty parts, or uses `\`.
    #[error(
        "shader {index}: `path` is `{path}`, expected a path below the manifest's folder, with `/` and without `..`"
    )]
    BadPath {
        /// The entry's position in `shaders`, from 0.
        index: usize,
        /// The path found.
        path: String,
    },
    /// An entry that a batch would check has a stage or an entry point without the other.
    #[error("shader {index}: `stage` and `entry` must be given together, or both left out")]
    Half {
        /// The entry's position in `shaders`, from 0.
        index: usize,
    },
    /// Two entries have the same path.
    #[error("shader {index}: `{path}` is listed twice")]
    Duplicate {
        /// The second entry's position in `shaders`, from 0.
        index: usize,
        /// The path of both.
        path: String,
    },
}

fn read(path: &Path) -> Result<String, ManifestError> {
    std::fs::read_to_string(path).map_err(|source| ManifestError::Read {
        path: path.to_owned(),
        source,
    })
}

fn json<T: DeserializeOwned>(text: &str) -> Result<T, ManifestError> {
    serde_json::from_str(text).map_err(|source| ManifestError::Json {
        line: source.line(),
        column: source.column(),
        source,
    })
}

impl Manifest {
    /// Reads and checks the manifest at `path`.
    pub fn load(path: &Path) -> Result<Self, ManifestError> {
        Self::parse(&read(path)?)
    }

    /// Reads and checks a manifest's text.
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        let manifest: Self = json(text)?;
        manifest.check()?;
        Ok(manifest)
    }

    /// Checks rules that the JSON form does not express: paths stay below the folder, and are
    /// unique.
    ///
    /// # Errors
    /// [`ManifestError::BadPath`] and [`ManifestError::Duplicate`].
    pub fn check(&self) -> Result<(), ManifestError> {
        check_paths(self.shaders.iter().map(|shader| shader.path.as_str()))
    }

    /// Returns the manifest as JSON text that ends in a newline; [`Manifest::parse`] reads it back.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

fn check_paths<'a>(paths: impl Iterator<Item = &'a str>) -> Result<(), ManifestError> {
    let mut seen = BTreeSet::new();
    for (index, text) in paths.enumerate() {
        let path = || text.to_owned();
        if !is_inner_path(text) {
            return Err(ManifestError::BadPath {
                index,
                path: path(),
            });
        }
        if !seen.insert(text) {
            return Err(ManifestError::Duplicate {
                index,
                path: path(),
            });
        }
    }
    Ok(())
}

/// Returns true if `path` is relative and consists of plain parts separated by `/` on every system.
pub(crate) fn is_inner_path(path: &str) -> bool {
    path.split('/')
        .all(|part| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0']))
}

#[cfg(test)]
mod tests {
    use super::{Manifest, ManifestError, ShaderEntry, Stage};

    /// Returns a manifest of one entry, with one field's JSON value replaced.
    pub(super) fn with(field: &str, value: &str) -> String {
        let mut entry = String::new();
        for (name, normal) in [
            ("path", r#""a/b.dxil""#),
            ("source", r#""a/b.hlsl""#),
            ("stage", r#""compute""#),
            ("profile", r#""cs_6_0""#),
            ("entry", r#""main""#),
            ("options", r#"["-O3"]"#),
            ("about", r#""One thing.""#),
        ] {
            let value = if name == field { value } else { normal };
            entry.push_str(&format!("\"{name}\": {value},\n"));
        }
        let entry = entry.trim_end_matches(",\n");
        format!("{{\"shaders\": [{{{entry}}}]}}")
    }

    #[test]
    fn a_valid_manifest_round_trips() {
        let manifest = Manifest::parse(&with("", "")).unwrap();
        assert_eq!(
            manifest.shaders,
            [ShaderEntry {
                path: "a/b.dxil".into(),
                source: "a/b.hlsl".into(),
                stage: Stage::Compute,
                profile: "cs_6_0".into(),
                entry: "main".into(),
                options: vec!["-O3".into()],
                about: "One thing.".into(),
            }]
        );
        assert_eq!(Manifest::parse(&manifest.to_json()).unwrap(), manifest);
    }

    #[test]
    fn malformed_json_is_reported_with_line_and_column() {
        let Err(error) = Manifest::parse("{\n  \"shaders\": [,]\n}") else {
            panic!("accepted");
        };
        assert!(matches!(error, ManifestError::Json { line: 2, .. }));
        assert!(
            error.to_string().starts_with("line 2, column 15: "),
            "{error}"
        );
    }

    #[test]
    fn missing_unknown_and_mistyped_fields_are_json_errors() {
        let without = with("", "").replace("\"entry\": \"main\",\n", "");
        let unknown = with("about", "\"x\", \"colour\": 1");
        for text in [
            without,
            unknown,
            with("options", "\"-O3\""),
            "[]".into(),
            String::new(),
        ] {
            assert!(
                matches!(Manifest::parse(&text), Err(ManifestError::Json { .. })),
                "{text}"
            );
        }
    }

    #[test]
    fn paths_stay_below_the_folder() {
        for bad in [
            "/etc/x.dxil",
            "../x.dxil",
            "a/../../x.dxil",
            "a//b.dxil",
            "./a.dxil",
            "",
            "a/",
            "C:/x.dxil",
            "a\\\\b.dxil",
        ] {
            let text = with("path", &format!("\"{bad}\""));
            let error = Manifest::parse(&text).unwrap_err();
            assert!(
                matches!(error, ManifestError::BadPath { index: 0, .. }),
                "{bad}"
            );
        }
    }

    #[test]
    fn an_unknown_stage_is_an_error() {
        let error = Manifest::parse(&with("stage", "\"callable\"")).unwrap_err();
        let ManifestError::Json { source, .. } = error else {
            panic!("{error}");
        };
        let source = source.to_string();
        assert!(
            source.starts_with(
                "unknown variant `callable`, expected one of `vertex`, `hull`, `domain`, \
                 `geometry`, `pixel`, `compute`, `amplification`, `mesh`, `library` at line 3"
            ),
            "{source}"
        );
    }

    #[test]
    fn a_duplicate_path_is_an_error() {
        let mut manifest = Manifest::parse(&with("", "")).unwrap();
        manifest.shaders.push(manifest.shaders[0].clone());
        assert!(matches!(
            Manifest::parse(&manifest.to_json()),
            Err(ManifestError::Duplicate { index: 1, .. })
        ));
    }

    #[test]
    fn the_committed_manifest_is_sorted_and_its_files_exist() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
        let manifest = Manifest::load(&folder.join("manifest.json")).unwrap();
        assert!(manifest.shaders.is_sorted_by(|a, b| a.path < b.path));
        for shader in &manifest.shaders {
            let bytes = std::fs::read(folder.join(&shader.path)).unwrap();
            assert!(bytes.starts_with(b"DXBC"), "{}", shader.path);
            assert!(folder.join(&shader.source).is_file(), "{}", shader.source);
        }
        // A quarter of a thousand is a floor, so that a lost folder is noticed.
        assert!(manifest.shaders.len() > 250, "{}", manifest.shaders.len());
    }

    #[test]
    fn a_missing_file_is_a_read_error() {
        let error = Manifest::load(std::path::Path::new("no-such-folder/manifest.json"));
        assert!(matches!(error, Err(ManifestError::Read { .. })));
    }
}
