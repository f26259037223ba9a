//! The operations that the shaders of the corpus call, and the tests that run these shaders.
//!
//! A call counts if the entry point's function, or one that it calls, reaches its block: the converter
//! translates no others. A test on a device runs the entry points that its cases name. The interpreter
//! runs the dispatches and graphs that do not omit it, and `corpus.rs` and `graphs.rs` in
//! `dxil-interpreter/tests/it` compare its results.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use gpu_test::case::{Case, Reference, TestFile};
use gpu_test::rays::{General, HitGroup};
use trellis_corpus::manifest::Manifest;
use trellis_dxil_frontend::Input;
use trellis_dxil_frontend::dxop::{Op, Reached};
use trellis_dxil_frontend::shader::{EntryPoint, ShaderKind, Version, source_name};

/// What uses an operation: names of shaders, `folder/name` with `:entry` for shaders of libraries.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// Shaders of the corpus.
    pub(super) corpus: Vec<String>,
    /// Those that a test runs on a device.
    pub(super) device: Vec<String>,
    /// Those that the interpreter runs in a test with expected results.
    pub(super) interpreted: Vec<String>,
}

/// A shader of the corpus.
struct Shader {
    /// Name of the file, without extension.
    file: String,
    /// The entry point's name in the source, and its own.
    entry: [String; 2],
    is_in_library: bool,
    kind: ShaderKind,
    model: Version,
    ops: BTreeSet<Op>,
}

impl Shader {
    fn name(&self) -> String {
        match self.is_in_library {
            true => format!("{}:{}", self.file, self.entry[0]),
            false => self.file.clone(),
        }
    }
}

/// What the corpus has.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// Compiled files.
    pub(super) files: usize,
    /// Shaders by stage; a library has one for each of its entry points.
    pub(super) stages: BTreeMap<&'static str, usize>,
    /// Files by shader model.
    pub(super) models: BTreeMap<Version, usize>,
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shaders: usize = self.stages.values().sum();
        writeln!(f, "{} files with {shaders} shaders", self.files)?;
        for (stage, count) in &self.stages {
            write!(f, "{stage} {count}, ")?;
        }
        let mut separator = "files of shader model ";
        for (model, count) in &self.models {
            write!(f, "{separator}{}.{}: {count}", model.major, model.minor)?;
            separator = ", ";
        }
        writeln!(f)
    }
}

/// The shaders of the corpus.
pub(super) struct Shaders {
    list: Vec<Shader>,
    /// Numbers in `list` of what runs on a device, and in the interpreter.
    device: BTreeSet<usize>,
    interpreted: BTreeSet<usize>,
}

impl Shaders {
    /// Reads the shaders of a manifest and their test files.
    pub(super) fn read(folder: &Path) -> Result<Self, String> {
        let manifest =
            Manifest::load(&folder.join("manifest.json")).map_err(|error| error.to_string())?;
        let mut list = Vec::new();
        let mut tests = Vec::new();
        for entry in &manifest.shaders {
            let path = folder.join(&entry.path);
            let at = |error: &dyn fmt::Display| format!("{}: {error}", path.display());
            let bytes = std::fs::read(&path).map_err(|error| at(&error))?;
            let input = trellis_dxil_frontend::read(&bytes).map_err(|error| at(&error))?;
            let file = entry.path.strip_suffix(".dxil").unwrap_or(&entry.path);
            let points = { input.shader.entry_points.iter() }.filter(|e| e.function.is_some());
            for point in points {
                let is_in_library = entry.stage == trellis_corpus::manifest::Stage::Library;
                list.push(Shader {
                    file: file.to_owned(),
                    entry: [source_name(&point.name).to_owned(), point.name.to_string()],
                    is_in_library,
                    kind: point.kind,
                    model: input.shader.model,
                    ops: operations(&input, point).map_err(|error| at(&error))?,
                });
            }
            if let Ok(text) = std::fs::read_to_string(path.with_extension("run.json")) {
                let test = TestFile::from_json(&text).map_err(|error| at(&error))?;
                tests.push((file.to_owned(), test));
            }
        }
        let mut shaders = Self {
            list,
            device: BTreeSet::new(),
            interpreted: BTreeSet::new(),
        };
        let mut by_file: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (number, shader) in shaders.list.iter().enumerate() {
            by_file.entry(shader.file.clone()).or_default().push(number);
        }
        for (file, test) in &tests {
            for case in &test.cases {
                shaders.add_case(&by_file, file, case);
            }
        }
        Ok(shaders)
    }

    /// Adds the shaders that a case runs.
    fn add_case(&mut self, by_file: &BTreeMap<String, Vec<usize>>, file: &str, case: &Case) {
        let beside = |name: &str| match file.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/{}", name.trim_end_matches(".dxil")),
            None => name.trim_end_matches(".dxil").to_owned(),
        };
        let mut files = vec![file.to_owned()];
        // No names: all entry points of the files.
        let mut names: Vec<&str> = Vec::new();
        if let Some(dispatch) = &case.dispatch {
            names.extend(Some(dispatch.entry.as_str()).filter(|entry| !entry.is_empty()));
        }
        if let Some(draw) = &case.draw {
            files.extend(draw.stages.iter().map(|name| beside(name)));
        }
        if let Some(rays) = &case.rays {
            files.extend(rays.libraries.iter().map(|name| beside(name)));
            names.push(general(&rays.raygen));
            names.extend(rays.miss.iter().chain(&rays.callable).map(general));
            names.extend(rays.hit.iter().flat_map(hit_group));
        }
        for number in files.iter().filter_map(|file| by_file.get(file)).flatten() {
            let entry = &self.list[*number].entry;
            if names.is_empty() || entry.iter().any(|name| names.contains(&name.as_str())) {
                self.device.insert(*number);
                let is_its = case.dispatch.is_some() || case.graph.is_some();
                if is_its && !case.without.contains_key(&Reference::Interpreter) {
                    self.interpreted.insert(*number);
                }
            }
        }
    }

    /// Returns the numbers of files, of shaders by stage, and of files by shader model.
    pub(super) fn numbers(&self) -> Numbers {
        let mut numbers = Numbers::default();
        let mut files = BTreeSet::new();
        for shader in &self.list {
            *numbers.stages.entry(shader.kind.name()).or_default() += 1;
            if files.insert(&shader.file) {
                *numbers.models.entry(shader.model).or_default() += 1;
            }
        }
        numbers.files = files.len();
        numbers
    }

    /// Returns what uses `op`.
    pub(super) fn uses(&self, op: Op) -> Uses {
        let mut uses = Uses::default();
        for (number, shader) in self.list.iter().enumerate() {
            if shader.ops.contains(&op) {
                uses.corpus.push(shader.name());
                if self.device.contains(&number) {
                    uses.device.push(shader.name());
                }
                if self.interpreted.contains(&number) {
                    uses.interpreted.push(shader.name());
                }
            }
        }
        uses
    }
}

fn general(general: &General) -> &str {
    match general {
        General::Name(name) | General::Record { shader: name, .. } => name,
    }
}

fn hit_group(group: &HitGroup) -> impl Iterator<Item = &str> {
    [&group.closest, &group.any, &group.intersection]
        .into_iter()
        .flatten()
        .map(String::as_str)
}

/// Returns the operations that an entry point reaches.
fn operations(
    input: &Input<'_>,
    entry: &EntryPoint,
) -> Result<BTreeSet<Op>, trellis_dxil_frontend::Error> {
    let reached = Reached::of(&input.module, entry);
    match reached.error {
        Some(error) => Err(error),
        None => Ok(reached.calls.into_keys().collect()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn tests_run_the_entry_points_that_they_name() {
        let shader = |file: &str, entry: &str, op| Shader {
            file: file.to_owned(),
            entry: [entry.to_owned(), entry.to_owned()],
            is_in_library: true,
            kind: ShaderKind::RayGeneration,
            model: Version { major: 6, minor: 3 },
            ops: BTreeSet::from([op]),
        };
        let mut shaders = Shaders {
            list: vec![shader("a/b", "one", Op::Sin), shader("a/b", "two", Op::Cos)],
            device: BTreeSet::new(),
            interpreted: BTreeSet::new(),
        };
        let by_file = BTreeMap::from([("a/b".to_owned(), vec![0, 1])]);
        let case = |text: &str| {
            let text = format!(r#"{{"cases": [{{"name": "n", {text}}}]}}"#);
            TestFile::from_json(&text).unwrap().cases.remove(0)
        };
        let rays = case(r#""rays": {"size": [1, 1, 1], "raygen": "two"}"#);
        shaders.add_case(&by_file, "a/b", &rays);
        assert!(shaders.uses(Op::Sin).device.is_empty());
        assert_eq!(shaders.uses(Op::Cos).device, ["a/b:two"]);
        assert!(shaders.uses(Op::Cos).interpreted.is_empty());
        let run = case(r#""dispatch": {"entry": "one", "groups": [1, 1, 1], "bindings": []}"#);
        shaders.add_case(&by_file, "a/b", &run);
        assert_eq!(shaders.uses(Op::Sin).interpreted, ["a/b:one"]);
    }
}
