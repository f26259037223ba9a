//! Batches: runs one while Python can be interrupted, and reports it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use trellis_corpus::backend::Backend;
use trellis_corpus::cache::CacheSettings;
use trellis_corpus::files::remove_all_leftovers;
use trellis_corpus::inputs::{Filter, Input, collect};
use trellis_corpus::report::{Report, ShaderReport, Summary, Validator};
use trellis_corpus::{html, junit, sarif};

use crate::fault::{BATCH, Fault, INPUTS};
use crate::run::run;
use crate::settings::Settings;

/// How often Python's signals are looked for, and the progress is reported.
const TICK: Duration = Duration::from_millis(100);

/// The parameters of a batch, as a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Request {
    inputs: Vec<PathBuf>,
    output: Option<PathBuf>,
    include: Vec<String>,
    exclude: Vec<String>,
    jobs: Option<usize>,
    shard: Option<String>,
    /// The folder, and a name for this program.
    cache: Option<(PathBuf, String)>,
    fail_fast: bool,
    sync: bool,
    progress: Option<Py<PyAny>>,
}

/// Lists the inputs that paths name.
fn inputs(paths: &[PathBuf], include: &[String], exclude: &[String]) -> Result<Vec<Input>, Fault> {
    let filter = Filter::new(include, exclude).map_err(|e| Fault::new(INPUTS, e.to_string()))?;
    collect(paths, &filter).map_err(|error| {
        let cause = std::error::Error::source(&error);
        let cause = cause.map(|cause| format!(": {cause}")).unwrap_or_default();
        Fault::new(INPUTS, format!("{error}{cause}"))
    })
}

/// Progress that the threads of a batch report while it runs.
#[derive(Default)]
struct State {
    done: AtomicU64,
    failed: AtomicU64,
    is_over: Mutex<bool>,
    over: Condvar,
}

impl State {
    fn count(&self, shaders: &[ShaderReport]) {
        let failed = shaders.iter().filter(|shader| shader.error.is_some());
        self.failed
            .fetch_add(failed.count() as u64, Ordering::Relaxed);
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn finish(&self) {
        *self.is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.over.notify_all();
    }

    /// Waits for the end, for a [`TICK`] at most.
    fn wait(&self) -> bool {
        let is_over = self.is_over.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.over.wait_timeout_while(is_over, TICK, |over| !*over);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// Converts inputs on a pool of threads, and returns the report in JSON. A signal's handler that raises
/// an exception ends the batch, as does a progress function: shaders that are being converted are
/// finished, and no more are taken.
#[pyfunction]
pub(crate) fn batch(
    py: Python<'_>,
    request: Request,
    settings: &Bound<'_, Settings>,
) -> PyResult<String> {
    let options = settings.get().options(None);
    let target = options.target;
    let backend = Backend::new(options).with_bindings_name(settings.get().bindings_name());
    let inputs = run(py, || {
        inputs(&request.inputs, &request.include, &request.exclude)
    })?;
    let stop = Arc::new(AtomicBool::new(false));
    let mut batch = trellis_corpus::batch::Settings::default();
    batch.output.clone_from(&request.output);
    // More threads than inputs have nothing to do.
    batch.jobs = request.jobs.map(|jobs| jobs.min(inputs.len().max(1)));
    let shard = request.shard.as_deref().map(str::parse).transpose();
    batch.shard = shard.map_err(|e: trellis_corpus::shard::ShardError| {
        Fault::new(BATCH, e.to_string()).raise(py)
    })?;
    batch.cache = request
        .cache
        .clone()
        .map(|(folder, program)| CacheSettings {
            folder,
            program,
            limit: None,
        });
    batch.fail_fast = request.fail_fast;
    batch.sync = request.sync;
    batch.stop = Some(Arc::clone(&stop));
    let total = inputs.len();
    let state = State::default();
    let result = std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let finished = |shaders: &[ShaderReport]| state.count(shaders);
            let result = trellis_corpus::batch::run_spooled(&inputs, &backend, &batch, &finished);
            state.finish();
            result
        });
        let mut interrupted = Ok(());
        while !py.detach(|| state.wait()) {
            if thread.is_finished() {
                break;
            }
            if interrupted.is_ok() {
                interrupted = py
                    .check_signals()
                    .and_then(|()| report_progress(py, &request, &state, total));
                stop.store(interrupted.is_err(), Ordering::Relaxed);
            }
        }
        let result = py.detach(|| thread.join());
        interrupted.map(|()| result)
    })?;
    let failed = |message: String| Fault::new(BATCH, message).raise(py);
    let (totals, mut spool) = result
        .map_err(|_| failed("the batch panicked, which is a bug in Trellis".to_owned()))?
        .map_err(|error| failed(format!("cannot run the batch: {error}")))?;
    report_progress(py, &request, &state, total)?;
    let summary = Summary {
        target: target.name().to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        validator: Validator::Trellis,
        totals,
    };
    let mut json = Vec::new();
    let written = py.detach(|| summary.write_json(spool.iter()?, &mut json));
    written.map_err(|error| failed(format!("cannot read the results: {error}")))?;
    String::from_utf8(json).map_err(|error| failed(error.to_string()))
}

fn report_progress(py: Python<'_>, request: &Request, state: &State, total: usize) -> PyResult<()> {
    let Some(progress) = &request.progress else {
        return Ok(());
    };
    let done = state.done.load(Ordering::Relaxed);
    let failed = state.failed.load(Ordering::Relaxed);
    progress.call1(py, (done, failed, total)).map(drop)
}

/// Returns a report in JSON as another kind of report: `html`, `junit`, `sarif`, or the `summary`.
#[pyfunction]
pub(crate) fn render(py: Python<'_>, report: &str, kind: &str) -> PyResult<String> {
    run(py, || {
        let wrong = |error: serde_json::Error| Fault::new(BATCH, error.to_string());
        let report: Report = serde_json::from_str(report).map_err(wrong)?;
        match kind {
            "html" => Ok(html::render(&report)),
            "junit" => Ok(junit::render(&report)),
            "sarif" => sarif::render(&report).map_err(wrong),
            "summary" => Ok(report.totals.to_string()),
            _ => Err(Fault::new(
                BATCH,
                format!("`{kind}` is not a kind of report"),
            )),
        }
    })
}

/// An input: its name in reports, the path of its file, the path that its output is named after, whether
/// it is in an archive, the stage and entry point of its manifest, and the kind and text of its problem.
pub(crate) type InputRow = (
    String,
    OsString,
    String,
    bool,
    Option<(String, String)>,
    Option<(String, String)>,
);

/// Lists the inputs that paths name.
#[pyfunction]
pub(crate) fn list_inputs(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    include: Vec<String>,
    exclude: Vec<String>,
) -> PyResult<Vec<InputRow>> {
    let inputs = run(py, || inputs(&paths, &include, &exclude))?;
    let row = |input: Input| {
        let expected = input.expected.as_ref();
        let expected = expected.map(|e| (e.stage.name().to_owned(), e.entry.clone()));
        let problem = input.problem.as_ref();
        let problem = problem.map(|p| (p.kind.name().to_owned(), p.message.clone()));
        let name = input.to_string();
        (
            name,
            input.path.into_os_string(),
            input.relative,
            input.member.is_some(),
            expected,
            problem,
        )
    };
    Ok(inputs.into_iter().map(row).collect())
}

/// Returns the path of a temporary file for a file, unique among all processes.
#[pyfunction]
pub(crate) fn temporary_path(path: PathBuf) -> PyResult<OsString> {
    Ok(trellis_corpus::files::temporary_path(&path)?.into_os_string())
}

/// Removes temporary files of outputs that killed workers left in a folder. No process may be
/// writing them.
#[pyfunction]
pub(crate) fn remove_leftovers(py: Python<'_>, folder: PathBuf, outputs: Vec<PathBuf>) {
    py.detach(|| {
        let outputs: Vec<PathBuf> = outputs.iter().map(|output| folder.join(output)).collect();
        remove_all_leftovers(outputs.iter().map(PathBuf::as_path));
    });
}

/// Returns the BLAKE3 hash of bytes, in hexadecimal.
#[pyfunction]
pub(crate) fn fingerprint(py: Python<'_>, data: &[u8]) -> String {
    py.detach(|| trellis_corpus::cache::fingerprint(data))
}
