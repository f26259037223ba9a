//! A manifest that names files alone, as a batch takes it.

use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{ManifestError, Stage, check_paths, json, read};

/// A shader of a manifest as a batch takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// [`ShaderEntry::path`](super::ShaderEntry::path).
    pub path: String,
    /// The stage and the entry function that the shader must have, if the manifest has them.
    pub expected: Option<(Stage, String)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawList {
    shaders: Vec<RawListed>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawListed {
    path: String,
    stage: Option<Stage>,
    entry: Option<String>,
    // How it was compiled. That the names are known here makes others an error.
    #[serde(rename = "source")]
    _source: Option<IgnoredAny>,
    #[serde(rename = "profile")]
    _profile: Option<IgnoredAny>,
    #[serde(rename = "options")]
    _options: Option<IgnoredAny>,
    #[serde(rename = "about")]
    _about: Option<IgnoredAny>,
}

impl Listed {
    /// Reads and checks the manifest at `path`, whose entries need nothing but a path.
    ///
    /// # Errors
    /// As [`Manifest::load`](super::Manifest::load), except errors in fields that only it reads.
    pub fn load(path: &Path) -> Result<Vec<Self>, ManifestError> {
        Self::parse(&read(path)?)
    }

    /// Reads and checks a manifest's text.
    ///
    /// # Errors
    /// As [`Listed::load`].
    pub fn parse(text: &str) -> Result<Vec<Self>, ManifestError> {
        let raw: RawList = json(text)?;
        check_paths(raw.shaders.iter().map(|shader| shader.path.as_str()))?;
        let mut list = Vec::with_capacity(raw.shaders.len());
        for (index, shader) in raw.shaders.into_iter().enumerate() {
            let expected = match (shader.stage, shader.entry) {
                (None, None) => None,
                (Some(stage), Some(entry)) => Some((stage, entry)),
                _ => return Err(ManifestError::Half { index }),
            };
            list.push(Self {
                path: shader.path,
                expected,
            });
        }
        Ok(list)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::with;
    use super::{Listed, Stage};

    #[test]
    fn a_list_needs_the_paths_alone() {
        let list = |entries: &str| Listed::parse(&format!("{{\"shaders\": [{entries}]}}"));
        let listed = |path: &str, expected: Option<(Stage, &str)>| Listed {
            path: path.to_owned(),
            expected: expected.map(|(stage, entry)| (stage, entry.to_owned())),
        };
        assert_eq!(
            list(r#"{"path": "a.dxil"}, {"path": "b/c", "stage": "pixel", "entry": "main"}"#)
                .unwrap(),
            [
                listed("a.dxil", None),
                listed("b/c", Some((Stage::Pixel, "main")))
            ]
        );
        // A complete manifest is a list, too.
        assert_eq!(
            Listed::parse(&with("", "")).unwrap(),
            [listed("a/b.dxil", Some((Stage::Compute, "main")))]
        );
        for (entries, message) in [
            (
                r#"{"path": "../a"}"#,
                "shader 0: `path` is `../a`, expected",
            ),
            (
                r#"{"path": "a"}, {"path": "a"}"#,
                "shader 1: `a` is listed twice",
            ),
            (
                r#"{"path": "a", "entry": "main"}"#,
                "shader 0: `stage` and `entry` must",
            ),
            (
                r#"{"path": "a", "stage": "x", "entry": "main"}"#,
                "line 1, column 39: not a manifest",
            ),
            (
                r#"{"path": "a", "file": 1}"#,
                "line 1, column 33: not a manifest",
            ),
            (r#"{"stage": "pixel"}"#, "line 1, column 31: not a manifest"),
        ] {
            let error = list(entries).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
