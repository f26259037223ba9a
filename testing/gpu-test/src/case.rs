//! The test file `NAME.run.json` of a shader: how to run it, and the expected contents afterwards.
//!
//! ```
//! let file = gpu_test::case::TestFile::from_json(r#"{ "cases": [ {
//!   "name": "one group",
//!   "dispatch": {
//!     "groups": [1, 1, 1],
//!     "bindings": [{ "class": "uav", "register": 0, "kind": "structured", "stride": 4, "bytes": 8, "expect": {"u32": [1, 2]} }]
//!   }
//! } ] }"#)?;
//! assert_eq!(file.cases[0].name, "one group");
//! # Ok::<(), String>(())
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use trellis_dxil_interpreter::dispatch::{Binding, Dispatch, Scene};
pub use trellis_dxil_interpreter::dispatch::{Draw, Input, Output, Target};

use crate::graph::Graph;
use crate::rays::Rays;

/// A test file.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestFile {
    /// A comment for readers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Runs in a separate process, because a driver cannot handle the state after the test.
    #[serde(default, skip_serializing_if = "is_default")]
    pub alone: bool,
    /// Runs.
    pub cases: Vec<Case>,
}

/// Source of a reference result, other than the converted shader on the device.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reference {
    /// The DXIL interpreter.
    Interpreter,
    /// DXC's own SPIR-V of the same HLSL, on the same device.
    Dxc,
}

/// One run: a dispatch, a draw, a dispatch of rays, or a work graph.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Name, unique in the file.
    pub name: String,
    /// References that are not run, each with the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub without: BTreeMap<Reference, String>,
    /// A dispatch of a compute shader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dispatch: Option<Dispatch>,
    /// A draw with a shader of another stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<Draw>,
    /// A dispatch of rays through a pipeline of a library's shaders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rays: Option<Rays>,
    /// A work graph of a library's nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<Graph>,
    /// Acceleration structures, in addition to the scenes of the dispatch or draw.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scenes: Vec<Scene>,
}

pub(crate) fn one() -> u32 {
    1
}

pub(crate) fn is_one(number: &u32) -> bool {
    *number == 1
}

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Checks resources.
pub(crate) fn check_bindings(bindings: &[Binding]) -> Result<(), String> {
    let dispatch = Dispatch {
        groups: [1; 3],
        bindings: bindings.to_vec(),
        ..Dispatch::default()
    };
    dispatch.check().map_err(|error| error.to_string())
}

impl TestFile {
    /// Reads and checks a file's text.
    ///
    /// # Errors
    /// It is not JSON of this form, a case is not one of a dispatch, a draw, a dispatch of rays and a
    /// work graph, names repeat, or a binding or scene makes no sense.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let file: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        for (index, case) in file.cases.iter().enumerate() {
            let fail = |what: &str| Err(format!("case `{}`: {what}", case.name));
            let kinds = [
                case.dispatch.is_some(),
                case.draw.is_some(),
                case.rays.is_some(),
                case.graph.is_some(),
            ];
            if kinds.iter().filter(|is| **is).count() != 1 {
                return fail("a case is a dispatch, a draw, a dispatch of rays or a work graph");
            }
            let before = &file.cases[..index];
            if before.iter().any(|other| other.name == case.name) {
                return fail("the name is used twice");
            }
            let checks = [
                (case.dispatch.as_ref())
                    .map(|dispatch| dispatch.check().map_err(|e| e.to_string())),
                (case.draw.as_ref()).map(|draw| draw.check().map_err(|e| e.to_string())),
                case.rays.as_ref().map(Rays::check),
                case.graph.as_ref().map(Graph::check),
            ];
            let scenes = (case.scenes.iter()).map(|scene| scene.check().map_err(|e| e.to_string()));
            for check in checks.into_iter().flatten().chain(scenes) {
                check.map_err(|error| format!("case `{}`: {error}", case.name))?;
            }
        }
        Ok(file)
    }

    /// Returns the file's text: one field per line, long lists of numbers broken.
    pub fn to_json(&self) -> String {
        crate::pretty::pretty(&serde_json::to_string(self).unwrap_or_default())
    }
}

impl Case {
    /// Returns the resources.
    pub fn bindings(&self) -> &[Binding] {
        let of_dispatch = self.dispatch.iter().map(|dispatch| &dispatch.bindings);
        let of_draw = self.draw.iter().map(|draw| &draw.bindings);
        let of_rays = self.rays.iter().map(|rays| &rays.bindings);
        let of_graph = self.graph.iter().map(|graph| &graph.bindings);
        let mut all = of_dispatch.chain(of_draw).chain(of_rays).chain(of_graph);
        all.next().map_or(&[], Vec::as_slice)
    }
    /// Returns the resources.
    pub fn bindings_mut(&mut self) -> &mut [Binding] {
        let of_dispatch = self
            .dispatch
            .iter_mut()
            .map(|dispatch| &mut dispatch.bindings);
        let of_draw = self.draw.iter_mut().map(|draw| &mut draw.bindings);
        let of_rays = self.rays.iter_mut().map(|rays| &mut rays.bindings);
        let of_graph = self.graph.iter_mut().map(|graph| &mut graph.bindings);
        let mut all = of_dispatch.chain(of_draw).chain(of_rays).chain(of_graph);
        all.next().map_or(&mut [], Vec::as_mut_slice)
    }
    /// Returns the acceleration structures.
    pub fn scenes(&self) -> impl Iterator<Item = &Scene> {
        let of_dispatch = self.dispatch.iter().flat_map(|dispatch| &dispatch.scenes);
        let of_draw = self.draw.iter().flat_map(|draw| &draw.scenes);
        self.scenes.iter().chain(of_dispatch).chain(of_draw)
    }
    /// Lanes of a wave that the expectations hold for.
    pub fn wave(&self) -> Option<u32> {
        self.dispatch
            .as_ref()
            .and_then(|d| d.wave)
            .or_else(|| self.draw.as_ref().and_then(|d| d.wave))
    }
}

#[cfg(test)]
mod tests {
    use super::TestFile;

    #[test]
    fn targets_that_cannot_be_are_errors() {
        let read = |field: &str| {
            TestFile::from_json(&format!(
                r#"{{"cases": [{{"name": "a", "draw": {{"size": [4, 4], {field}}}}}]}}"#
            ))
        };
        for good in [
            r#""samples": 4"#,
            r#""samples": 1"#,
            r#""layers": 3, "viewports": 4"#,
        ] {
            assert!(read(good).is_ok(), "{good}");
        }
        let twice = r#"{"class": "srv", "register": 0, "kind": "raw", "bytes": 4}"#;
        for (bad, word) in [
            (r#""samples": 3"#.to_owned(), "power of two"),
            (r#""samples": 64"#.to_owned(), "power of two"),
            (r#""viewports": 5"#.to_owned(), "viewports"),
            (r#""layers": 4294967295"#.to_owned(), "texels"),
            (format!(r#""bindings": [{twice}, {twice}]"#), "bound twice"),
        ] {
            assert!(read(&bad).is_err_and(|error| error.contains(word)), "{bad}");
        }
    }
}
