//! A batch that is killed leaves no half-written file, and the next one continues where it was.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::files;
use serde_json::Value;

/// Number of inputs. Each has different bytes, so that it is a separate shader for the cache.
const INPUTS: usize = 400;

/// Returns a batch of `folder/in` that writes to `folder/OUT`, with a cache.
fn batch(folder: &Path, out: &str, cache: &str, isolate: bool) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
    command
        .current_dir(folder)
        .args(["batch", "in", "-o", out, "--cache", cache, "--jobs", "2"])
        .args(["--quiet", "--report", "report.json"])
        .args(isolate.then_some("--isolate"))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Makes the inputs: shaders of the corpus, and bytes after their end, which the reader allows.
fn make_inputs(folder: &Path) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/shaders/control_flow");
    let mut shaders: Vec<PathBuf> = files(&corpus)
        .into_keys()
        .map(|name| corpus.join(name))
        .collect();
    shaders.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "dxil")
    });
    for number in 0..INPUTS {
        let shader = &shaders[number % shaders.len()];
        let mut bytes = fs::read(shader).unwrap();
        bytes.extend_from_slice(format!("{number:08}").as_bytes());
        let path = folder.join(format!("in/{}/{number}.dxil", number % 7));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// Returns the number of files below a folder that is being written.
fn count(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let count = |entry: fs::DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => count(&entry.path()),
        _ => 1,
    };
    entries.map(count).sum()
}

fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_str().unwrap();
    name.starts_with('.') && name.ends_with(".tmp")
}

/// Waits until a folder has some outputs, or the batch is done, and returns how many it has.
fn wait_for(outputs: usize, out: &Path, child: &mut Child) -> usize {
    let start = Instant::now();
    loop {
        let count = count(out);
        if count >= outputs || child.try_wait().unwrap().is_some() {
            return count;
        }
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "{count} outputs"
        );
    }
}

fn report(folder: &Path) -> Value {
    let text = fs::read(folder.join("report.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

/// Returns the folders in `/proc` of the processes that a process has started.
#[cfg(target_os = "linux")]
fn workers_of(process: u32) -> Vec<PathBuf> {
    let is_of = |folder: &PathBuf| {
        let status = fs::read_to_string(folder.join("status")).unwrap_or_default();
        status
            .lines()
            .any(|line| line == format!("PPid:\t{process}"))
    };
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.map(|entry| entry.path()).filter(is_of).collect()
}

fn kill_and_resume(isolate: bool) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    make_inputs(folder);
    assert!(
        batch(folder, "whole", "cache-of-whole", false)
            .status()
            .unwrap()
            .success()
    );
    let whole = files(&folder.join("whole"));
    assert_eq!(whole.len(), INPUTS);

    let mut interrupted = 0;
    let mut before = 0;
    for outputs in [0, 1, 20, 100, 250] {
        let mut child = batch(folder, "out", "cache", isolate).spawn().unwrap();
        let out = folder.join("out");
        // An earlier batch wrote some.
        wait_for((before + outputs).min(INPUTS), &out, &mut child);
        #[cfg(target_os = "linux")]
        let workers = workers_of(child.id());
        // SIGKILL: the process does nothing more.
        child.kill().unwrap();
        interrupted += usize::from(child.wait().unwrap().code().is_none());
        #[cfg(target_os = "linux")]
        for worker in workers {
            let start = Instant::now();
            while worker.exists() {
                assert!(
                    start.elapsed() < Duration::from_secs(20),
                    "a worker is left"
                );
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        let found = if out.is_dir() {
            files(&out)
        } else {
            BTreeMap::new()
        };
        let complete = found.iter().filter(|(path, _)| !is_temporary(path));
        for (path, bytes) in complete.clone() {
            assert!(
                whole.get(path) == Some(bytes),
                "{} is not whole",
                path.display()
            );
        }
        before = complete.count();
    }
    assert!(interrupted >= 3, "{interrupted} batches were killed");
    assert!(before > 0);

    // As if a minute had passed: files of the killed batches are removed.
    for path in files(&folder.join("out"))
        .into_keys()
        .filter(|path| is_temporary(path))
    {
        let file = fs::File::options()
            .write(true)
            .open(folder.join("out").join(path));
        file.unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    }
    assert!(
        batch(folder, "out", "cache", isolate)
            .status()
            .unwrap()
            .success()
    );
    let resumed = report(folder);
    let cached = resumed["totals"]["cached"].as_u64().unwrap();
    // The cache has what was finished, and at most what two threads were about to write.
    assert!(
        cached + 2 >= before as u64,
        "only {cached} of {before} results were kept"
    );
    assert_eq!(resumed["totals"]["converted"], INPUTS);
    assert!(files(&folder.join("out")) == whole, "the folder is another");
    // Nothing of a killed batch is in the cache under a name that is read.
    assert!(
        batch(folder, "again", "cache", false)
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(report(folder)["totals"]["cached"], INPUTS);
    assert!(files(&folder.join("again")) == whole);
}

#[test]
fn a_killed_batch_leaves_whole_outputs_and_is_resumed() {
    kill_and_resume(false);
}

#[test]
fn a_killed_batch_of_other_processes_does_so_too() {
    kill_and_resume(true);
}

#[cfg(feature = "parquet")]
#[test]
fn what_a_killed_batch_left_of_its_reports_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("in")).unwrap();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/shaders/control_flow");
    fs::copy(corpus.join("collatz.dxil"), folder.join("in/collatz.dxil")).unwrap();
    let left = ["report.json", "r.sarif", "r.xml", "r.html", "r.parquet"]
        .map(|name| folder.join(format!(".{name}.7-0123456789abcdef.tmp")));
    for path in &left {
        let file = fs::File::create(path).unwrap();
        // As if a minute had passed.
        file.set_modified(std::time::UNIX_EPOCH).unwrap();
    }
    let status = batch(folder, "out", "cache", false)
        .args(["--sarif", "r.sarif", "--junit", "r.xml"])
        .args(["--html", "r.html", "--parquet", "r.parquet"])
        .status();
    assert!(status.unwrap().success());
    for path in &left {
        assert!(!path.exists(), "{}", path.display());
    }
}
