//! Converts a list of inputs on a pool of threads.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use trellis_dxil::error::{EntryPointError, Error, ErrorKind};
use trellis_dxil::{Entry, Output};

use crate::converter::{Converted, Converter, Worker};
use crate::failure::{Failure, Kind};
use crate::guard::guarded;
use crate::inputs::{Expected, Input};
use crate::manifest::Stage;
use crate::outputs::{self, Plan};
use crate::report::{ShaderReport, Status, Totals};

/// Prefix of the names of the pool's threads.
pub const THREAD_NAME: &str = "trellis-batch";

/// Stack of each thread, in bytes. A conversion does not recurse over its input, so this is
/// generous.
const STACK: usize = 8 << 20;

/// Maximum size of an input in bytes; a larger one fails without being read. The DXIL reader
/// accepts programs of up to 256 MiB.
const LARGEST_INPUT: u64 = 512 << 20;

/// The settings of a batch.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Folder for the outputs, created if it does not exist; `None`: convert and report, but write
    /// nothing.
    pub output: Option<PathBuf>,
    /// Number of threads; `None`: one per core.
    pub jobs: Option<usize>,
}

/// Converts all inputs and reports them in input order. A shader that fails, or whose conversion
/// panics, does not affect the others.
///
/// `finished` is called once per input with its result, from any thread and in any order.
///
/// # Errors
/// Returns an error if the pool's threads cannot be started or the output folder cannot be created.
pub fn run(
    inputs: &[Input],
    converter: &dyn Converter,
    settings: &Settings,
    finished: &(dyn Fn(&[ShaderReport]) + Sync),
) -> io::Result<(Totals, Vec<ShaderReport>)> {
    let start = Instant::now();
    let plan = outputs::plan(inputs.iter().map(|input| input.relative.as_str()));
    if let Some(folder) = &settings.output {
        fs::create_dir_all(folder)?;
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(settings.jobs.unwrap_or(0))
        .stack_size(STACK)
        .thread_name(|number| format!("{THREAD_NAME}-{number}"))
        .build()
        .map_err(io::Error::other)?;
    let batch = Batch {
        output: settings.output.as_deref(),
        plan: &plan,
    };
    // The sizes of shaders vary widely, so each thread takes one after another.
    let next = AtomicUsize::new(0);
    let on_thread = |_: rayon::BroadcastContext<'_>| {
        let mut worker = converter.worker();
        let mut results = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(input) = inputs.get(index) else {
                return results;
            };
            let reports = batch.input(index, input, &mut *worker);
            finished(&reports);
            results.push((index, reports));
        }
    };
    let mut results: Vec<(usize, Vec<ShaderReport>)> =
        pool.broadcast(on_thread).into_iter().flatten().collect();
    results.sort_by_key(|(index, _)| *index);
    let shaders: Vec<ShaderReport> = results
        .into_iter()
        .flat_map(|(_, reports)| reports)
        .collect();
    let mut totals = Totals::of(&shaders);
    totals.wall_us = micros(start);
    Ok((totals, shaders))
}

/// State shared by the jobs.
struct Batch<'a> {
    output: Option<&'a Path>,
    plan: &'a Plan,
}

impl Batch<'_> {
    /// Converts the only entry point of an input, or all entry points of a library. A library without
    /// any has nothing to convert: it is skipped.
    fn input(&self, index: usize, input: &Input, worker: &mut dyn Worker) -> Vec<ShaderReport> {
        let mut blank = ShaderReport {
            input: input.path.display().to_string(),
            output: None,
            status: Status::Failed,
            stage: None,
            entry: None,
            input_bytes: 0,
            words: 0,
            time_us: 0,
            error: None,
            not_validated: None,
            structurizer: None,
        };
        let bytes = match read(&input.path) {
            Ok(bytes) => bytes,
            Err(failure) => return vec![failed(blank, failure)],
        };
        blank.input_bytes = bytes.len() as u64;
        let expected = input.expected.as_ref();
        let start = Instant::now();
        let opened = match guarded(|| worker.open(&bytes).map(|opened| (opened.entries(), opened)))
        {
            Ok((entries, opened))
                if entries.is_empty() && opened.is_library() && !wants_shader(expected) =>
            {
                return vec![ShaderReport {
                    status: Status::Skipped,
                    stage: Some(Stage::Library.name().to_owned()),
                    time_us: micros(start),
                    ..blank
                }];
            }
            Ok((entries, _)) if entries.is_empty() => {
                Err(Failure::from(&Error::from(EntryPointError::None)))
            }
            result => result,
        };
        let (entries, mut opened) = match opened {
            Ok(opened) => opened,
            Err(failure) => {
                return vec![failed(
                    ShaderReport {
                        time_us: micros(start),
                        ..blank
                    },
                    failure,
                )];
            }
        };
        let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        let paths = if names.len() == 1 {
            self.plan.single(index).map(|path| vec![path])
        } else {
            self.plan.several(index, &names)
        };
        // The time of the first entry point includes parsing the file.
        let mut start = Some(start);
        let convert = |(number, (entry, path)): (usize, (&Entry, String))| {
            let start = start.take().unwrap_or_else(Instant::now);
            let result = guarded(|| opened.convert(number));
            let blank = ShaderReport {
                entry: Some(entry.name.clone()),
                stage: Some(entry.stage.name().to_owned()),
                time_us: micros(start),
                ..blank.clone()
            };
            self.finish(blank, result, expected, path)
        };
        let reports = entries
            .iter()
            .zip(paths.unwrap_or_default())
            .enumerate()
            .map(convert)
            .collect();
        opened.close();
        reports
    }

    /// Checks a result against the manifest, writes it, and returns its report.
    fn finish(
        &self,
        blank: ShaderReport,
        result: Result<Converted, Failure>,
        expected: Option<&Expected>,
        path: String,
    ) -> ShaderReport {
        let (converted, not_validated) = match result {
            Ok(Converted {
                output,
                not_validated,
            }) => (output, not_validated),
            Err(failure) => return failed(blank, failure),
        };
        let written = check(&converted, expected).and_then(|()| match self.output {
            Some(folder) => write(&folder.join(&path), &converted.words),
            None => Ok(()),
        });
        if let Err(failure) = written {
            return failed(blank, failure);
        }
        ShaderReport {
            output: self.output.is_some().then_some(path),
            status: Status::Converted,
            words: converted.words.len() as u64,
            not_validated,
            structurizer: Some(converted.structurizer),
            ..blank
        }
    }
}

/// Returns true if a manifest says that the file is a shader rather than a library.
fn wants_shader(expected: Option<&Expected>) -> bool {
    expected.is_some_and(|expected| expected.stage != Stage::Library)
}

fn failed(mut report: ShaderReport, failure: Failure) -> ShaderReport {
    report.error = Some(failure);
    report
}

fn micros(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX)
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let cannot =
        |error: io::Error| Failure::new(Kind::Io, format!("cannot read the file: {error}"));
    // Before it is opened, which waits if it is a pipe.
    let metadata = fs::metadata(path).map_err(cannot)?;
    if !metadata.is_file() {
        return Err(Failure::new(Kind::Io, "not a file"));
    }
    if metadata.len() > LARGEST_INPUT {
        return Err(Failure::new(
            ErrorKind::Read,
            format!(
                "the file has {} bytes; the limit is {LARGEST_INPUT}",
                metadata.len()
            ),
        ));
    }
    // One more byte than there are: the end is found without another buffer.
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    let file = File::open(path).map_err(cannot)?;
    file.take(LARGEST_INPUT)
        .read_to_end(&mut bytes)
        .map_err(cannot)?;
    Ok(bytes)
}

/// Checks the stage and entry point of a shader against its manifest.
fn check(converted: &Output, expected: Option<&Expected>) -> Result<(), Failure> {
    let Some(expected) = expected.filter(|expected| expected.stage != Stage::Library) else {
        return Ok(());
    };
    let (stage, entry) = (expected.stage.name(), &expected.entry);
    if stage == converted.stage.name() && *entry == converted.entry {
        return Ok(());
    }
    Err(Failure::new(
        Kind::Manifest,
        format!(
            "the manifest specifies {stage} shader `{entry}`, but the file contains {} shader `{}`",
            converted.stage, converted.entry
        ),
    ))
}

/// Returns the bytes of a SPIR-V module: its words in little-endian order.
pub fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Writes a module to a temporary file in the same folder and renames it, so that a file with the
/// final name is always complete.
fn write(path: &Path, words: &[u32]) -> Result<(), Failure> {
    write_whole(path, &bytes_of(words)).map_err(|error| {
        Failure::new(
            Kind::Io,
            format!("cannot write {}: {error}", path.display()),
        )
    })
}

/// Writes `bytes` to `path` atomically: on failure, `path` keeps its previous contents. Creates the
/// folder if it does not exist.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A device or a pipe cannot be replaced by a file and has no contents to preserve.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        return fs::write(path, bytes);
    }
    let mut name = std::ffi::OsString::from(".");
    name.push(
        path.file_name()
            .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?,
    );
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let mut written = fs::write(&temporary, bytes);
    // Nearly always the folder exists.
    if written
        .as_ref()
        .is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    {
        let folder = path.parent().unwrap_or(Path::new(""));
        written = fs::create_dir_all(folder).and_then(|()| fs::write(&temporary, bytes));
    }
    let done = written.and_then(|()| fs::rename(&temporary, path));
    if done.is_err() {
        // Report the first error; removal may fail because the file does not exist.
        let _ = fs::remove_file(&temporary);
    }
    done
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{Settings, run, write_whole};
    use trellis_dxil::error::ErrorKind;
    use trellis_dxil::frontend::shader::ShaderKind;
    use trellis_dxil::structurizer::Counters;
    use trellis_dxil::{Entry, Output};

    use crate::converter::{Converted, Converter, Opened, Worker};
    use crate::failure::{Failure, Kind};
    use crate::inputs::{Expected, Input};
    use crate::manifest::Stage;
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
                Some(("lib", names)) => {
                    Ok(Box::new(Text("3", names.split_terminator(' ').collect())))
                }
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
            Input {
                path,
                relative: (*name).to_owned(),
                expected: None,
            }
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
        }
    }

    fn without_times(mut shaders: Vec<ShaderReport>) -> Vec<ShaderReport> {
        for shader in &mut shaders {
            shader.time_us = 0;
        }
        shaders
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
            version: "1".to_owned(),
            target: "vulkan1.3".to_owned(),
            validator: Validator::Trellis,
            totals,
            shaders,
        };
        let read: Report = serde_json::from_str(&report.to_json().unwrap()).unwrap();
        let page = crate::html::render(&read);
        for (index, (name, count)) in read.totals.structurizer.named().into_iter().enumerate() {
            assert_eq!(count, 3 * (index as u64 + 1), "{name}");
            assert!(
                page.contains(&format!("<dt>{name}</dt><dd>{count}</dd>")),
                "{name}"
            );
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
    fn a_file_is_replaced_atomically() {
        let folder = tempfile::tempdir().unwrap();
        let path: PathBuf = folder.path().join("new/a.spv");
        write_whole(&path, b"one").unwrap();
        write_whole(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(files(folder.path()).len(), 1);
    }
}
