//! Batches with worker processes: the same results as without, and what shaders that bring their
//! process down do to the others.
//!
//! A debug build of the worker has faults happen that a line before a shader names
//! (`cli/src/isolation/faults.rs`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::files;
use serde_json::Value;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/shaders")
}

/// A batch in a temporary folder.
struct Batch(tempfile::TempDir);

impl Batch {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("in")).unwrap();
        Self(folder)
    }

    /// Adds a shader of the corpus, with a line before it.
    fn add(&self, name: &str, line: &str, shader: &str) {
        let mut bytes = line.as_bytes().to_vec();
        bytes.extend(fs::read(corpus().join(shader)).unwrap());
        fs::write(self.0.path().join("in").join(name), bytes).unwrap();
    }

    fn good(&self, name: &str) {
        self.add(name, "", "control_flow/if_else_nested.dxil");
    }

    fn faulty(&self, name: &str, fault: &str) {
        let line = format!("fault {fault}\n");
        self.add(name, &line, "control_flow/if_else_nested.dxil");
    }

    /// Runs the batch and returns its report without times.
    fn run(&self, input: &Path, arguments: &[&str]) -> Value {
        let report = self.0.path().join("report.json");
        let output = Command::new(env!("CARGO_BIN_EXE_trellis"))
            .arg("batch")
            .arg(input)
            .arg("-o")
            .arg(self.0.path().join("out"))
            .arg("--report")
            .arg(&report)
            .args(arguments)
            .env("TRELLIS_TEST_FAULTS", "1")
            .output()
            .unwrap();
        let mut value: Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
        let failed = value["totals"]["failed"].as_u64().unwrap() > 0;
        assert_eq!(output.status.code(), Some(i32::from(failed)), "{output:?}");
        for shader in value["shaders"].as_array_mut().unwrap() {
            shader.as_object_mut().unwrap().remove("time_us");
        }
        let totals = value["totals"].as_object_mut().unwrap();
        totals.remove("time_us");
        totals.remove("wall_us");
        value
    }

    /// Runs the batch, and returns for each shader its file, its entry point's number and why it failed.
    fn results(&self, arguments: &[&str]) -> Vec<String> {
        let report = self.run(&self.0.path().join("in"), arguments);
        let shaders = report["shaders"].as_array().unwrap().iter();
        let line = |shader: &Value| {
            let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
            let name = text(&shader["input"]);
            let error = &shader["error"];
            let name = name.rsplit('/').next().unwrap();
            match error.is_null() {
                true => format!("{name} {}", text(&shader["output"])),
                false => format!(
                    "{name} {}: {}",
                    text(&error["kind"]),
                    text(&error["message"])
                ),
            }
        };
        shaders.map(line).collect()
    }
}

#[test]
fn results_are_those_of_a_batch_without_processes() {
    // Shaders of all stages, libraries, and failures.
    for (folder, target) in [
        ("control_flow", "vulkan1.3"),
        ("raytracing", "vulkan1.1"),
        ("raytracing", "vulkan1.3"),
        ("mesh", "vulkan1.2"),
    ] {
        let batch = Batch::new();
        let input = corpus().join(folder);
        let out = batch.0.path().join("out");
        let target = ["--target", target];
        let plain = batch.run(&input, &target);
        let outputs = files(&out);
        assert!(plain["shaders"].as_array().unwrap().len() > 5);
        fs::remove_dir_all(&out).unwrap();
        let limits = ["--time-limit", "60", "--jobs", "2"];
        let isolated = batch.run(&input, &[target.as_slice(), &limits].concat());
        assert!(isolated == plain, "reports differ for {folder}");
        assert!(files(&out) == outputs, "outputs differ for {folder}");
    }
}

#[test]
fn a_root_signature_reaches_the_processes() {
    let batch = Batch::new();
    let shaders = corpus().join("root_signature");
    let is_dxil = |path: &Path| path.extension().is_some_and(|end| end == "dxil");
    let mut converted = 0;
    let names = files(&shaders).into_keys();
    for path in names
        .filter(|path| is_dxil(path))
        .map(|name| shaders.join(name))
    {
        let out = batch.0.path().join("out");
        let path_text = path.to_str().unwrap();
        let arguments = ["--root-signature", path_text, "--root-addresses"];
        let has_signature = Command::new(env!("CARGO_BIN_EXE_trellis"))
            .args(["reflect", "--root-signature", path_text, path_text])
            .output()
            .unwrap();
        if !has_signature.status.success() {
            continue;
        }
        let plain = batch.run(&path, &arguments);
        let outputs = files(&out);
        fs::remove_dir_all(&out).unwrap();
        let isolated = batch.run(&path, &[arguments.as_slice(), &["--isolate"]].concat());
        assert!(isolated == plain && files(&out) == outputs, "{path_text}");
        fs::remove_dir_all(&out).unwrap();
        converted += plain["totals"]["converted"].as_u64().unwrap();
    }
    assert!(converted > 0, "no shader has a root signature");
}

#[cfg(debug_assertions)]
#[test]
fn a_shader_that_ends_its_process_fails_alone() {
    let batch = Batch::new();
    batch.good("a.dxil");
    batch.faulty("b.dxil", "abort -");
    batch.faulty("c.dxil", "exit 0");
    batch.good("d.dxil");
    batch.faulty("e.dxil", "overflow 0");
    batch.faulty("f.dxil", "noise 0");
    batch.faulty("g.dxil", "panic 0");
    batch.good("h.dxil");
    let expected = [
        "a.dxil a.spv",
        "b.dxil crashed: the conversion crashed: signal: 6 (SIGABRT)",
        "c.dxil crashed: the conversion crashed: exit status: 7",
        "d.dxil d.spv",
        "e.dxil crashed: the conversion crashed: the stack overflowed",
        "f.dxil crashed: the conversion crashed: an answer that is not understood",
        "g.dxil panic: the conversion panicked: a test",
        "h.dxil h.spv",
    ];
    for jobs in ["1", "2"] {
        assert_eq!(batch.results(&["--isolate", "--jobs", jobs]), expected);
    }
}

#[cfg(debug_assertions)]
#[test]
fn a_shader_that_takes_too_long_fails() {
    let batch = Batch::new();
    batch.faulty("a.dxil", "hang -");
    batch.good("b.dxil");
    batch.faulty("c.dxil", "hang 0");
    batch.good("d.dxil");
    assert_eq!(
        batch.results(&["--time-limit", "0.5", "--jobs", "1"]),
        [
            "a.dxil time-limit: the conversion took longer than 0.5 s",
            "b.dxil b.spv",
            "c.dxil time-limit: the conversion took longer than 0.5 s",
            "d.dxil d.spv",
        ]
    );
}

#[cfg(all(debug_assertions, target_os = "linux"))]
#[test]
fn a_shader_that_needs_too_much_memory_fails() {
    let batch = Batch::new();
    batch.good("a.dxil");
    batch.faulty("b.dxil", "memory 0");
    batch.good("c.dxil");
    let limit = ["--memory-limit", "512", "--jobs", "1"];
    let expected = [
        "a.dxil a.spv",
        "b.dxil memory-limit: the conversion needed more than 512 MiB of memory",
        "c.dxil c.spv",
    ];
    assert_eq!(batch.results(&limit), expected);
    // It is the limit that refuses the memory.
    let results = batch.results(&["--memory-limit", "8192", "--jobs", "1"]);
    assert_eq!(results[1], "b.dxil b.spv");
    // The kind is in the other reports, too, and such a failure is not kept.
    let folder = batch.0.path();
    let (junit, sarif) = (folder.join("junit.xml"), folder.join("failures.sarif"));
    let cache = folder.join("cache");
    let paths = [&junit, &sarif, &cache].map(|path| path.to_str().unwrap());
    let more = [
        "--junit", paths[0], "--sarif", paths[1], "--cache", paths[2],
    ];
    // `c` is `a`.
    for cached in [1, 2] {
        let report = batch.run(&folder.join("in"), &[limit.as_slice(), &more].concat());
        assert_eq!(report["totals"]["cached"], cached);
        assert_eq!(report["totals"]["failed"], 1);
    }
    let junit = fs::read_to_string(junit).unwrap();
    assert!(junit.contains("<failure type=\"memory-limit\""), "{junit}");
    let sarif = fs::read_to_string(sarif).unwrap();
    assert!(sarif.contains("\"ruleId\": \"memory-limit\""), "{sarif}");
}

#[cfg(debug_assertions)]
#[test]
fn the_other_entry_points_of_a_library_are_converted() {
    let batch = Batch::new();
    let library = "raytracing/first_hit.dxil";
    batch.add("a.dxil", "", library);
    batch.add("b.dxil", "fault abort 1\n", library);
    batch.add("c.dxil", "fault hang 2\n", library);
    let results = batch.results(&["--time-limit", "2", "--jobs", "1"]);
    let failed: Vec<usize> = (0..results.len())
        .filter(|i| !results[*i].ends_with(".spv"))
        .collect();
    let entries = results
        .iter()
        .filter(|line| line.starts_with("a.dxil"))
        .count();
    assert!(entries >= 3 && results.len() == 3 * entries, "{results:?}");
    assert_eq!(failed, [entries + 1, 2 * entries + 2], "{results:?}");
    assert!(results[entries + 1].contains("crashed"));
    assert!(results[2 * entries + 2].contains("time-limit"));
}

/// A result does not depend on what the process converted before.
#[cfg(debug_assertions)]
#[test]
fn what_a_used_process_does_not_survive_is_tried_in_a_new_one() {
    let batch = Batch::new();
    for name in ["a.dxil", "b.dxil", "c.dxil"] {
        batch.faulty(name, "abort-if-used 0");
    }
    batch.faulty("d.dxil", "abort-if-used -");
    assert_eq!(
        batch.results(&["--isolate", "--jobs", "1"]),
        [
            "a.dxil a.spv",
            "b.dxil b.spv",
            "c.dxil c.spv",
            "d.dxil d.spv"
        ]
    );
}

#[test]
fn a_worker_needs_a_batch() {
    let output = Command::new(env!("CARGO_BIN_EXE_trellis"))
        .arg("batch-worker")
        .stdin(fs::File::open(corpus().join("manifest.json")).unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("a batch has to run this command"),
        "{message}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn an_input_that_is_larger_than_the_memory_fails() {
    let batch = Batch::new();
    batch.good("a.dxil");
    let large = fs::File::create(batch.0.path().join("in/b.dxil")).unwrap();
    large.set_len(100 << 20).unwrap();
    batch.good("c.dxil");
    assert_eq!(
        batch.results(&["--memory-limit", "64", "--jobs", "1"]),
        [
            "a.dxil a.spv",
            "b.dxil memory-limit: the conversion needed more than 64 MiB of memory",
            "c.dxil c.spv",
        ]
    );
}
