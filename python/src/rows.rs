//! Rows of the table of results: one file at a time, for pipelines that distribute files themselves.
//!
//! A row matches the report of `trellis batch` on an entry point: outputs have the same names, and
//! failures the same kinds and messages.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use pyo3::prelude::*;
use trellis_corpus::backend::{Backend, Setup};
use trellis_corpus::batch::{self, Single};
use trellis_corpus::converter::Converter;
use trellis_corpus::failure::{Failure, Kind};
use trellis_corpus::inputs::{Expected, Input};
use trellis_corpus::isolate::{Isolated, Limits, Program, serve};
use trellis_corpus::outputs::{Plan, plan};
use trellis_corpus::table::{COLUMNS, Kind as ColumnKind, Row};

use crate::fault::{BATCH, Fault};
use crate::run::run;
use crate::settings::{Settings, to_json};

/// Converts files of a list, in any order.
#[pyclass(frozen, module = "trellis._native")]
pub(crate) struct Rows {
    converter: Box<dyn Converter + Send>,
    /// The paths that outputs are named after.
    relatives: Vec<String>,
    /// Made once: a worker converts many shards, each much shorter than the list.
    plan: Plan<'static>,
    settings: batch::Settings,
}

/// How files are converted in another process: its program, arguments and setup, and the limits of an entry
/// point in seconds and bytes.
type Isolation = (PathBuf, Vec<OsString>, Vec<u8>, Option<f64>, Option<u64>);

/// A file: its index in the list, its path, the stage and entry point in its manifest, and the kind
/// and text of its error.
type File = (
    usize,
    PathBuf,
    Option<(String, String)>,
    Option<(String, String)>,
);

#[pymethods]
impl Rows {
    /// Takes the paths of all inputs, after which outputs are named, the folder of the outputs, and the process
    /// that converts if this one does not.
    #[new]
    #[pyo3(signature = (settings, relatives, output=None, isolation=None))]
    fn new(
        py: Python<'_>,
        settings: &Bound<'_, Settings>,
        relatives: Vec<String>,
        output: Option<PathBuf>,
        isolation: Option<Isolation>,
    ) -> PyResult<Self> {
        let mut batch = batch::Settings::default();
        batch.output = output;
        batch.measure = true;
        let plan = plan(relatives.iter().map(String::as_str)).into_owned();
        let converter: Box<dyn Converter + Send> = match isolation {
            None => Box::new(Backend::new(settings.get().options(None))),
            Some((path, arguments, setup, seconds, memory)) => {
                let program = Program {
                    path,
                    arguments,
                    setup,
                };
                let time = seconds.map(Duration::try_from_secs_f64).transpose();
                let isolated = run(py, || {
                    let time = time.map_err(|error| Fault::new(BATCH, error.to_string()))?;
                    Isolated::start(program, Limits { time, memory }, None)
                        .map_err(|reason| Fault::new(BATCH, reason))
                });
                Box::new(isolated?)
            }
        };
        Ok(Self {
            converter,
            relatives,
            plan,
            settings: batch,
        })
    }

    /// Converts files, and returns a list of rows for each, in JSON.
    fn convert(&self, py: Python<'_>, files: Vec<File>) -> PyResult<String> {
        let rows = run(py, || {
            let single = Single::new(&self.plan, &*self.converter, &self.settings);
            let mut single = single.map_err(|error| Fault::new(BATCH, error.to_string()))?;
            let mut rows = Vec::with_capacity(files.len());
            for file in files {
                let (index, input) = self.input(file)?;
                let results = single.convert(index, &input);
                rows.push(results.into_iter().map(Row::of).collect::<Vec<_>>());
            }
            Ok::<_, Fault>(rows)
        })?;
        to_json(&rows)
    }
}

impl Rows {
    fn input(&self, file: File) -> Result<(usize, Input), Fault> {
        let (index, path, expected, problem) = file;
        let Some(relative) = self.relatives.get(index) else {
            let count = self.relatives.len();
            let message = format!("the list has {count} inputs, and none with the index {index}");
            return Err(Fault::new(BATCH, message));
        };
        let mut input = Input::file(path, relative);
        if let Some((stage, entry)) = expected {
            let stage = stage.parse();
            let stage = stage.map_err(|error| Fault::new(BATCH, format!("{error}")))?;
            input.expected = Some(Expected { stage, entry });
        }
        if let Some((kind, message)) = problem {
            input.problem = Some(Box::new(Failure::new(Kind::from(kind), message)));
        }
        Ok((index, input))
    }
}

/// Converts what the [`Rows`] of another process send on standard input, until they send no more.
#[pyfunction]
pub(crate) fn work(py: Python<'_>) -> PyResult<()> {
    let backend = |setup: &[u8]| Ok(Box::new(Setup::backend(setup)?) as Box<dyn Converter>);
    py.detach(|| serve(io::stdin(), io::stdout(), &backend))?;
    Ok(())
}

/// Returns the columns of the table: name, type, and whether there are rows without a value.
#[pyfunction]
pub(crate) fn table_columns() -> Vec<(&'static str, &'static str, bool)> {
    let column = |column: &trellis_corpus::table::Column| {
        let kind = match column.kind {
            ColumnKind::Text => "string",
            ColumnKind::Number => "int64",
        };
        (column.name, kind, column.is_nullable)
    };
    COLUMNS.iter().map(column).collect()
}
