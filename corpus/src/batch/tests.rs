//! Tests of batches with a converter of text.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::{Settings, Single, run};
use trellis_dxil::error::ErrorKind;
use trellis_dxil::frontend::shader::ShaderKind;
use trellis_dxil::structurizer::Counters;
use trellis_dxil::{Entry, Output};

use crate::converter::{Converted, Converter, Opened, Worker};
use crate::failure::{Failure, Kind};
use crate::inputs::{ArchiveMember, Expected, Input};
use crate::manifest::Stage;
use crate::outputs::plan;
use crate::report::{Report, ShaderReport, Status, Validator};

/// Returns a distinct number in each counter.
fn counters() -> Counters {
    let mut number = 0;
    Counters::from_fn(|_| {
        number += 1;
        number
    })
}

/// Converts text: `ok N` to N words; `lib A B` has entry points A and B, where an entry point
/// named `bad` fails and one named `panic` panics; `none` has no entry point; any other text fails.
struct Fake;

struct Text<'a>(&'a str, Vec<&'a str>);

impl Converter for Fake {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Self)
    }
}

impl Worker for Fake {
    fn open<'a>(&'a mut self, bytes: &'a [u8]) -> Result<Box<dyn Opened + 'a>, Failure> {
        let text = std::str::from_utf8(bytes).unwrap();
        match text.split_once(' ') {
            Some(("ok", number)) => Ok(Box::new(Text(number, vec!["main"]))),
            Some(("lib", names)) => Ok(Box::new(Text("3", names.split_terminator(' ').collect()))),
            Some(("none", _)) => Ok(Box::new(Text("0", Vec::new()))),
            Some(("panic", _)) => panic!("{text}"),
            _ => Err(Failure::new(ErrorKind::Read, "unknown text")),
        }
    }
}

impl Opened for Text<'_> {
    fn entries(&self) -> Vec<Entry> {
        self.1
            .iter()
            .map(|name| Entry {
                name: (*name).to_owned(),
                stage: ShaderKind::Compute,
            })
            .collect()
    }

    fn is_library(&self) -> bool {
        self.0 == "3"
    }

    fn convert(&mut self, entry: usize) -> Result<Converted, Failure> {
        match self.1[entry] {
            "bad" => Err(Failure::new(ErrorKind::Unsupported, "bad")),
            "panic" => panic!("panic in an entry"),
            name => {
                let words = vec![7; self.0.parse().unwrap()];
                let mut output = Output::new(words, name, ShaderKind::Compute);
                output.structurizer = counters();
                let not_validated = (name == "new").then(|| "too new".to_owned());
                Ok(Converted {
                    output,
                    not_validated,
                })
            }
        }
    }
}

/// Creates inputs in a new temporary folder, which is also the output folder's parent.
fn inputs(files: &[(&str, &str)]) -> (tempfile::TempDir, Vec<Input>) {
    let folder = tempfile::tempdir().unwrap();
    let list = files.iter().map(|(name, text)| {
        let path = folder.path().join("in").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        Input::file(path, *name)
    });
    let list = list.collect();
    (folder, list)
}

/// Returns all files below a folder with their lengths, sorted.
fn files(folder: &std::path::Path) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push((
                    path.strip_prefix(folder)
                        .unwrap()
                        .to_string_lossy()
                        .into_owned(),
                    path.metadata().unwrap().len(),
                ));
            }
        }
    }
    found.sort();
    found
}

fn to(folder: &tempfile::TempDir, jobs: usize) -> Settings {
    Settings {
        output: Some(folder.path().join("out")),
        jobs: Some(jobs),
        ..Settings::default()
    }
}

fn without_times(mut shaders: Vec<ShaderReport>) -> Vec<ShaderReport> {
    for shader in &mut shaders {
        shader.time_us = 0;
    }
    shaders
}

#[test]
fn one_input_at_a_time_has_the_results_of_a_batch() {
    let (folder, mut inputs) = inputs(&[
        ("a.dxil", "ok 2"),
        ("A.cso", "lib x bad y"),
        ("bad.dxil", "what"),
        ("none.dxil", "none "),
        ("p.dxil", "panic now"),
    ]);
    inputs[3].expected = Some(Expected {
        stage: Stage::Pixel,
        entry: "main".to_owned(),
    });
    inputs.push(Input::file(folder.path().join("gone"), "gone"));
    inputs.push(Input::file("loop", "loop").with_problem(Kind::Link, "a loop"));
    let mut settings = to(&folder, 1);
    settings.measure = true;
    let (_, expected) = run(&inputs, &Fake, &settings, &|_| ()).unwrap();
    let written = files(&folder.path().join("out"));
    settings.output = Some(folder.path().join("single"));
    let plan = plan(inputs.iter().map(|input| input.relative.as_str()));
    let mut single = Single::new(&plan, &Fake, &settings).unwrap();
    let mut results = Vec::new();
    // In any order.
    for (index, input) in inputs.iter().enumerate().rev() {
        let mut reports = single.convert(index, input);
        reports.append(&mut results);
        results = reports;
    }
    assert_eq!(without_times(results), without_times(expected));
    assert_eq!(files(&folder.path().join("single")), written);
    let member = Input {
        member: Some(ArchiveMember {
            place: 1,
            path: "x.dxil".to_owned(),
        }),
        ..inputs[0].clone()
    };
    let failure = single.convert(0, &member).remove(0).error.unwrap();
    assert_eq!(failure.kind, Kind::Archive);
}

#[test]
fn outputs_mirror_inputs_and_failures_write_nothing() {
    let (folder, inputs) = inputs(&[
        ("a/x.dxil", "ok 2"),
        ("bad.dxil", "what"),
        ("a/y.dxil", "ok 5"),
        ("p.dxil", "panic now"),
    ]);
    let calls = AtomicUsize::new(0);
    let count = |reports: &[ShaderReport]| {
        calls.fetch_add(reports.len(), Ordering::Relaxed);
    };
    let (totals, shaders) = run(&inputs, &Fake, &to(&folder, 2), &count).unwrap();
    assert_eq!(totals.to_string(), "converted 2, valid 2, failed 2");
    assert_eq!((totals.words, calls.into_inner()), (7, 4));
    assert_eq!(
        files(&folder.path().join("out")),
        [("a/x.spv".into(), 8), ("a/y.spv".into(), 20)]
    );
    assert_eq!(
        shaders[1].error.as_ref().unwrap().kind,
        ErrorKind::Read.into()
    );
    let panic = shaders[3].error.as_ref().unwrap();
    assert_eq!(
        (panic.kind, panic.message.as_str()),
        (Kind::Panic, "the conversion panicked: panic now")
    );
}

#[test]
fn each_entry_of_a_library_is_a_shader() {
    let (folder, inputs) = inputs(&[
        ("l.dxil", "lib one bad panic two"),
        ("one.dxil", "lib new"),
        ("none.dxil", "lib "),
        ("shader.dxil", "none "),
    ]);
    let (totals, shaders) = run(&inputs, &Fake, &to(&folder, 1), &|_| {}).unwrap();
    assert_eq!(
        totals.to_string(),
        "converted 3, valid 2, failed 3, not validated 1, without entry points 1"
    );
    assert_eq!(
        files(&folder.path().join("out")),
        [
            ("l.one.spv".into(), 12),
            ("l.two.spv".into(), 12),
            ("one.spv".into(), 12)
        ]
    );
    let results: Vec<(Option<&str>, Option<Kind>)> = shaders
        .iter()
        .map(|shader| {
            (
                shader.entry.as_deref(),
                shader.error.as_ref().map(|error| error.kind),
            )
        })
        .collect();
    let entry = |name, error| (Some(name), error);
    assert_eq!(
        results,
        [
            entry("one", None),
            entry("bad", Some(ErrorKind::Unsupported.into())),
            entry("panic", Some(Kind::Panic)),
            entry("two", None),
            entry("new", None),
            (None, None),
            (None, Some(ErrorKind::EntryPoint.into()))
        ]
    );
    assert_eq!(shaders[5].status, Status::Skipped);
    assert_eq!(shaders[5].stage.as_deref(), Some("library"));
}

#[test]
fn the_report_does_not_depend_on_the_number_of_threads() {
    let texts: Vec<(String, String)> = (0..200)
        .map(|i| {
            (
                format!("{i}.dxil"),
                if i % 7 == 0 {
                    "lib a b".to_owned()
                } else {
                    format!("ok {}", i * 50)
                },
            )
        })
        .collect();
    let list: Vec<(&str, &str)> = texts
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let (folder, inputs) = inputs(&list);
    let mut expected = None;
    for jobs in [1, 2, 8] {
        let settings = Settings {
            output: Some(folder.path().join(format!("out{jobs}"))),
            jobs: Some(jobs),
            ..Settings::default()
        };
        let (_, shaders) = run(&inputs, &Fake, &settings, &|_| {}).unwrap();
        let result = (
            without_times(shaders),
            files(settings.output.as_deref().unwrap()),
        );
        assert_eq!(result, *expected.get_or_insert_with(|| result.clone()));
    }
}

#[test]
fn all_counters_are_reported() {
    let (folder, inputs) = inputs(&[("a.dxil", "ok 1"), ("l.dxil", "lib one two")]);
    let (totals, shaders) = run(&inputs, &Fake, &to(&folder, 1), &|_| {}).unwrap();
    let report = Report {
        schema: crate::report::SCHEMA,
        version: "1".to_owned(),
        target: "vulkan1.3".to_owned(),
        validator: Validator::Trellis,
        totals,
        shaders,
    };
    let read: Report = serde_json::from_value(serde_json::to_value(&report).unwrap()).unwrap();
    let page = crate::html::render(&read);
    for (index, (name, count)) in read.totals.structurizer.named().into_iter().enumerate() {
        assert_eq!(count, 3 * (index as u64 + 1), "{name}");
        assert!(page.contains(&format!("\"{name}\"")), "{name}");
    }
    for shader in &read.shaders {
        assert_eq!(shader.structurizer, Some(counters()));
    }
}

#[test]
fn a_manifest_is_checked() {
    let (folder, mut inputs) = inputs(&[
        ("a.dxil", "ok 1"),
        ("b.dxil", "ok 1"),
        ("c.dxil", "ok 1"),
        ("gone.dxil", ""),
    ]);
    let expect = |stage, entry: &str| {
        Some(Expected {
            stage,
            entry: entry.to_owned(),
        })
    };
    inputs[0].expected = expect(Stage::Compute, "main");
    inputs[1].expected = expect(Stage::Pixel, "main");
    inputs[2].expected = expect(Stage::Compute, "other");
    fs::remove_file(&inputs[3].path).unwrap();
    let (_, shaders) = run(&inputs, &Fake, &to(&folder, 1), &|_| {}).unwrap();
    let kinds: Vec<Option<Kind>> = shaders
        .iter()
        .map(|shader| shader.error.as_ref().map(|error| error.kind))
        .collect();
    assert_eq!(
        kinds,
        [
            None,
            Some(Kind::Manifest),
            Some(Kind::Manifest),
            Some(Kind::Io)
        ]
    );
    assert_eq!(
        shaders[1].error.as_ref().unwrap().message,
        "the manifest specifies pixel shader `main`, but the file contains compute shader `main`"
    );
    assert_eq!(files(&folder.path().join("out")), [("a.spv".into(), 4)]);
}

#[test]
fn an_unwritable_output_does_not_affect_others() {
    let (folder, inputs) = inputs(&[("a.dxil", "ok 1"), ("b.dxil", "ok 1")]);
    fs::create_dir_all(folder.path().join("out/a.spv/in the way")).unwrap();
    let (totals, shaders) = run(&inputs, &Fake, &to(&folder, 1), &|_| {}).unwrap();
    assert_eq!(totals.to_string(), "converted 1, valid 1, failed 1");
    assert_eq!(shaders[0].error.as_ref().unwrap().kind, Kind::Io);
    assert_eq!(files(&folder.path().join("out")), [("b.spv".into(), 4)]);
}

#[test]
fn a_folder_may_be_named_like_an_output() {
    let (folder, inputs) = inputs(&[("d/a.dxil", "ok 1"), ("d/a.spv/x.dxil", "ok 2")]);
    for jobs in [1, 2] {
        let (totals, shaders) = run(&inputs, &Fake, &to(&folder, jobs), &|_| {}).unwrap();
        assert_eq!(totals.to_string(), "converted 2, valid 2, failed 0");
        assert_eq!(shaders[0].clashes_with.as_deref(), Some("d/a.spv/"));
        assert_eq!(shaders[1].clashes_with, None);
        assert_eq!(
            files(&folder.path().join("out")),
            [("d/a.dxil.spv".into(), 4), ("d/a.spv/x.spv".into(), 8)]
        );
    }
}

#[test]
fn a_batch_may_stop_at_the_first_failure() {
    let (folder, inputs) = inputs(&[
        ("a.dxil", "ok 1"),
        ("b.dxil", "lib one bad two"),
        ("c.dxil", "ok 1"),
        ("d.dxil", "what"),
    ]);
    let mut settings = to(&folder, 1);
    settings.fail_fast = true;
    let (totals, shaders) = run(&inputs, &Fake, &settings, &|_| {}).unwrap();
    assert_eq!(
        totals.to_string(),
        "converted 3, valid 3, failed 1, not run 2"
    );
    // An input that was taken is finished.
    assert_eq!(shaders.len(), 4);
    settings.jobs = Some(4);
    let (totals, shaders) = run(&inputs, &Fake, &settings, &|_| {}).unwrap();
    let taken = inputs.len() as u64 - totals.not_run;
    assert!(totals.failed > 0 && shaders.len() as u64 >= taken);
    let (totals, _) = run(&inputs[..1], &Fake, &settings, &|_| {}).unwrap();
    assert_eq!((totals.converted, totals.not_run), (1, 0));
}

#[test]
fn a_batch_may_be_stopped_from_outside() {
    let texts = ["a.dxil", "b.dxil", "c.dxil", "d.dxil"].map(|name| (name, "ok 1"));
    let (folder, inputs) = inputs(&texts);
    let stop = Arc::new(AtomicBool::new(false));
    let mut settings = to(&folder, 1);
    settings.stop = Some(Arc::clone(&stop));
    let (totals, _) = run(&inputs, &Fake, &settings, &|_| {}).unwrap();
    assert_eq!((totals.converted, totals.not_run), (4, 0));
    let seen = AtomicUsize::new(0);
    let after_two = |_: &[ShaderReport]| {
        let is_second = seen.fetch_add(1, Ordering::Relaxed) == 1;
        stop.fetch_or(is_second, Ordering::Relaxed);
    };
    let (totals, shaders) = run(&inputs, &Fake, &settings, &after_two).unwrap();
    assert_eq!((totals.converted, totals.not_run, shaders.len()), (2, 2, 2));
}

#[test]
fn outputs_that_are_on_the_disk_first_are_the_same() {
    let (folder, inputs) = inputs(&[("deep/a.dxil", "ok 1"), ("b.dxil", "lib one two")]);
    let mut settings = to(&folder, 2);
    settings.sync = true;
    let (totals, _) = run(&inputs, &Fake, &settings, &|_| {}).unwrap();
    let synced = files(&folder.path().join("out"));
    assert_eq!((totals.converted, synced.len()), (3, 3));
    fs::remove_dir_all(folder.path().join("out")).unwrap();
    settings.sync = false;
    run(&inputs, &Fake, &settings, &|_| {}).unwrap();
    assert_eq!(files(&folder.path().join("out")), synced);
}

#[test]
fn what_a_killed_batch_left_of_an_output_is_removed() {
    let (folder, inputs) = inputs(&[("deep/a.dxil", "ok 1"), ("b.dxil", "ok 1")]);
    let out = folder.path().join("out/deep");
    fs::create_dir_all(&out).unwrap();
    let left = fs::File::create(out.join(".a.spv.4294967295.tmp")).unwrap();
    left.set_modified(std::time::SystemTime::UNIX_EPOCH)
        .unwrap();
    run(&inputs, &Fake, &to(&folder, 2), &|_| {}).unwrap();
    assert_eq!(
        files(&folder.path().join("out")),
        [("b.spv".into(), 4), ("deep/a.spv".into(), 4)]
    );
}

#[cfg(unix)]
#[test]
fn an_output_that_is_a_link_to_a_device_stays_one() {
    let (folder, inputs) = inputs(&[("a.dxil", "ok 1"), ("b.dxil", "ok 1")]);
    let out = folder.path().join("out");
    fs::create_dir_all(&out).unwrap();
    std::os::unix::fs::symlink("/dev/null", out.join("b.spv")).unwrap();
    let (totals, _) = run(&inputs, &Fake, &to(&folder, 1), &|_| {}).unwrap();
    assert_eq!(totals.converted, 2);
    let kind = |name: &str| fs::symlink_metadata(out.join(name)).unwrap().file_type();
    assert!(kind("a.spv").is_file() && kind("b.spv").is_symlink());
}
