//! The tests of each operation of DXIL: `corpus/coverage.txt`, without the names of shaders, which
//! change often.
//!
//! A call counts if the entry point's function, or one that it calls, reaches its block: the converter translates no
//! others. A test on a device runs the entry points that its cases name. The interpreter runs the dispatches and graphs
//! that do not omit it, and `corpus.rs` and `graphs.rs` in `dxil-interpreter/tests/it` compare its results. An
//! operation without a translation has the backend's reason, which `spirv-backend/tests/it/untranslated.rs` tests; one
//! that no compiler emits is called in `spirv-backend/tests/it/assembled.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use gpu_test::case::{Case, Reference, TestFile};
use gpu_test::rays::{General, HitGroup};
use trellis_corpus::manifest::Manifest;
use trellis_dxil_frontend::dxop::{ALL_OPS, Effects, Op, Reached};
use trellis_dxil_frontend::shader::source_name;
use trellis_spirv_backend::error::untranslated;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the shaders that a case runs: the files, without extension, and the names of their entry points; no names
/// are all entry points.
fn runs(file: &str, case: &Case) -> (Vec<String>, BTreeSet<String>) {
    let general = |shader: &General| match shader {
        General::Name(name) | General::Record { shader: name, .. } => name.clone(),
    };
    let hit =
        |group: &HitGroup| [&group.closest, &group.any, &group.intersection].map(Clone::clone);
    let mut names = BTreeSet::new();
    let mut neighbours = Vec::new();
    if let Some(dispatch) = &case.dispatch {
        names.extend(Some(dispatch.entry.clone()).filter(|entry| !entry.is_empty()));
    }
    if let Some(draw) = &case.draw {
        neighbours.extend(&draw.stages);
    }
    if let Some(rays) = &case.rays {
        neighbours.extend(&rays.libraries);
        names.extend(
            [&rays.raygen]
                .into_iter()
                .chain(&rays.miss)
                .chain(&rays.callable)
                .map(general),
        );
        names.extend(rays.hit.iter().flat_map(hit).flatten());
    }
    let path = |name: &String| Path::new(file).with_file_name(name.trim_end_matches(".dxil"));
    let files = neighbours
        .into_iter()
        .map(|name| path(name).to_string_lossy().into_owned());
    (files.chain([file.to_owned()]).collect(), names)
}

/// The tests of each operation, and the numbers of shaders by stage, and of files by shader model.
#[derive(Default)]
struct Coverage {
    tests: BTreeMap<Op, BTreeSet<&'static str>>,
    stages: BTreeMap<&'static str, usize>,
    models: BTreeMap<(u32, u32), usize>,
}

fn coverage() -> Coverage {
    let folder = root().join("corpus/shaders");
    let manifest = Manifest::load(&folder.join("manifest.json")).unwrap();
    let mut cases = Vec::new();
    for entry in &manifest.shaders {
        let path = folder.join(&entry.path);
        if let Ok(text) = fs::read_to_string(path.with_extension("run.json")) {
            let file = entry.path.trim_end_matches(".dxil");
            for case in TestFile::from_json(&text).unwrap().cases {
                let is_interpreted = (case.dispatch.is_some() || case.graph.is_some())
                    && !case.without.contains_key(&Reference::Interpreter);
                cases.push((runs(file, &case), is_interpreted));
            }
        }
    }
    let mut coverage = Coverage::default();
    for entry in &manifest.shaders {
        let file = entry.path.trim_end_matches(".dxil").to_owned();
        let bytes = fs::read(folder.join(&entry.path)).unwrap();
        let input = trellis_dxil_frontend::read(&bytes).unwrap();
        let model = (input.shader.model.major, input.shader.model.minor);
        *coverage.models.entry(model).or_default() += 1;
        for point in input
            .shader
            .entry_points
            .iter()
            .filter(|point| point.function.is_some())
        {
            *coverage.stages.entry(point.kind.name()).or_default() += 1;
            let reached = Reached::of(&input.module, point);
            assert!(reached.error.is_none(), "{file}: {:?}", reached.error);
            let is_its = |name: &String| *name == *point.name || *name == *source_name(&point.name);
            let mut tests = BTreeSet::from(["corpus"]);
            for ((files, names), is_interpreted) in &cases {
                if files.contains(&file) && (names.is_empty() || names.iter().any(is_its)) {
                    tests.insert("gpu-test");
                    tests.extend(is_interpreted.then_some("interpreter"));
                }
            }
            for op in reached.calls.into_keys() {
                coverage.tests.entry(op).or_default().extend(&tests);
            }
        }
    }
    coverage
}

#[test]
fn every_operation_keeps_its_tests() {
    let mut coverage = coverage();
    let assembled = fs::read_to_string(root().join("spirv-backend/tests/it/assembled.rs")).unwrap();
    let mut text =
        String::from("# What tests each operation of DXIL; TRELLIS_BLESS=1 writes it.\n");
    for op in ALL_OPS {
        let tests = coverage.tests.entry(op).or_default();
        let is_refused = op.effects().any(Effects::RESERVED) || untranslated(op).is_some();
        assert!(
            !is_refused || tests.is_empty(),
            "{op} has no translation, and a shader has it"
        );
        tests.extend(is_refused.then_some("error"));
        // A row of the table there begins with the operation.
        tests.extend(
            assembled
                .contains(&format!("Op::{op:?},"))
                .then_some("assembled"),
        );
        assert!(!tests.is_empty(), "{op} has no test");
        let tests: Vec<&str> = tests.iter().copied().collect();
        text += &format!("{} {}: {}\n", op.code(), op.name(), tests.join(" "));
    }
    let path = root().join("corpus/coverage.txt");
    if std::env::var_os("TRELLIS_BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap();
    for (found, expected) in text.lines().zip(expected.lines()) {
        assert_eq!(
            found, expected,
            "corpus/coverage.txt; TRELLIS_BLESS=1 writes it"
        );
    }
    assert_eq!(text.len(), expected.len());
}

#[test]
fn the_corpus_has_every_stage_and_shader_model() {
    let Coverage { stages, models, .. } = coverage();
    assert!(
        stages.len() == 15 && stages.values().all(|&count| count >= 30),
        "{stages:?}"
    );
    assert!(
        models.len() == 10 && models.values().all(|&count| count >= 10),
        "{models:?}"
    );
    assert!(models.values().sum::<usize>() >= 1000, "{models:?}");
}

#[test]
fn tests_run_the_entry_points_that_they_name() {
    let runs_of = |text: &str| {
        let text = format!(r#"{{"cases": [{{"name": "n", {text}}}]}}"#);
        let (files, names) = runs("a/b", &TestFile::from_json(&text).unwrap().cases[0]);
        (
            files.join(" "),
            names.into_iter().collect::<Vec<_>>().join(" "),
        )
    };
    let pair = |files: &str, names: &str| (files.to_owned(), names.to_owned());
    let rays = r#""rays": {"size": [1, 1, 1], "raygen": "two", "libraries": ["c.dxil"]}"#;
    assert_eq!(runs_of(rays), pair("a/c a/b", "two"));
    let run = r#""dispatch": {"entry": "one", "groups": [1, 1, 1], "bindings": []}"#;
    assert_eq!(runs_of(run), pair("a/b", "one"));
}
