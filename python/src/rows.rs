//! Rows of the table of results: one file at a time, for pipelines that hand files out themselves.
//!
//! A row has what `trellis batch` reports of an entry point: outputs have the same names, and failures
//! the same kinds and messages.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use pyo3::prelude::*;
use serde::Serialize;
use trellis_corpus::cache::fingerprint;
use trellis_corpus::failure::{Failure, Kind};
use trellis_corpus::files::{bytes_of, write_whole};
use trellis_corpus::guard::guarded;
use trellis_corpus::outputs::plan;
use trellis_dxil::frontend::Input;
use trellis_dxil::frontend::container::Container;
use trellis_dxil::{
    Converter, EntryPointError, Error, Options, Output, ShaderKind, statistics::statistics,
};

use crate::fault::Fault;
use crate::run::run;
use crate::settings::{Settings, to_json};

/// The largest file that is read, as in `trellis batch`.
const LARGEST_INPUT: u64 = 512 << 20;

/// A row of the table. The columns are those of `trellis.cluster.SCHEMA`.
#[derive(Clone, Debug, Default, Serialize)]
struct Row {
    input: String,
    entry_point: Option<String>,
    status: &'static str,
    stage: Option<String>,
    shader_model: Option<String>,
    input_bytes: Option<u64>,
    input_hash: Option<String>,
    output: Option<String>,
    output_bytes: Option<u64>,
    output_hash: Option<String>,
    words: Option<u64>,
    instructions: Option<u64>,
    blocks: Option<u64>,
    selectors: Option<u64>,
    breakable_blocks: Option<u64>,
    copied_blocks: Option<u64>,
    time_us: Option<u64>,
    failure_kind: Option<&'static str>,
    failure_message: Option<String>,
}

impl Row {
    fn failed(self, failure: Failure) -> Self {
        Self {
            status: "failed",
            failure_kind: Some(failure.kind.name()),
            failure_message: Some(failure.message),
            ..self
        }
    }
}

/// Converts files of a list, in any order.
#[pyclass(frozen, module = "trellis._native")]
pub(crate) struct Rows {
    options: Options,
    /// The paths that outputs are named after.
    relatives: Vec<String>,
    output: Option<PathBuf>,
}

#[pymethods]
impl Rows {
    /// Takes the paths of all inputs, after which outputs are named, and the folder of the outputs.
    #[new]
    #[pyo3(signature = (settings, relatives, output=None))]
    fn new(
        settings: &Bound<'_, Settings>,
        relatives: Vec<String>,
        output: Option<PathBuf>,
    ) -> Self {
        Self {
            options: settings.get().options(None).with_entry(None),
            relatives,
            output,
        }
    }

    /// Converts files: each has its index in the list, its name in the table, its path, and the stage and
    /// entry point that its manifest says. Returns lists of rows in JSON.
    fn convert(
        &self,
        py: Python<'_>,
        files: Vec<(usize, String, PathBuf, Option<(String, String)>)>,
    ) -> PyResult<String> {
        let rows = run(py, || {
            let plan = plan(self.relatives.iter().map(String::as_str));
            let mut converter = Converter::new();
            let mut rows = Vec::with_capacity(files.len());
            for (index, name, path, expected) in files {
                let mut file = File {
                    options: &self.options,
                    converter: &mut converter,
                    expected,
                };
                let outputs = |names: &[&str]| match names.len() {
                    1 => plan.single(index).map(|path| vec![path]),
                    _ => plan.several(index, names),
                };
                let blank = Row {
                    input: name,
                    ..Row::default()
                };
                rows.push(file.rows(blank, &path, self.output.as_deref(), &outputs));
            }
            Ok::<_, Fault>(rows)
        })?;
        to_json(&rows)
    }
}

/// How a file is converted.
struct File<'a> {
    options: &'a Options,
    converter: &'a mut Converter,
    /// Stage and entry point of the manifest.
    expected: Option<(String, String)>,
}

type Outputs<'a> = dyn Fn(&[&str]) -> Option<Vec<String>> + 'a;

impl File<'_> {
    /// Converts all entry points of a file, and writes the outputs.
    fn rows(
        &mut self,
        mut blank: Row,
        path: &Path,
        folder: Option<&Path>,
        outputs: &Outputs<'_>,
    ) -> Vec<Row> {
        let bytes = match read(path) {
            Ok(bytes) => bytes,
            Err(failure) => {
                blank.time_us = Some(0);
                return vec![blank.failed(failure)];
            }
        };
        blank.input_bytes = Some(bytes.len() as u64);
        blank.input_hash = Some(fingerprint(&bytes));
        blank.shader_model = shader_model(&bytes);
        let start = Instant::now();
        let input = guarded(|| Ok(self.converter.read(&bytes, self.options)));
        let input = input.and_then(|input| input.map_err(|error| Failure::from(&error)));
        let input = match input {
            Ok(input) => input,
            Err(failure) => {
                blank.time_us = Some(micros(start));
                return vec![blank.failed(failure)];
            }
        };
        let rows = self.entry_points(blank, &input, start, folder, outputs);
        self.converter.recycle(input);
        rows
    }

    fn entry_points(
        &mut self,
        mut blank: Row,
        input: &Input<'_>,
        start: Instant,
        folder: Option<&Path>,
        outputs: &Outputs<'_>,
    ) -> Vec<Row> {
        let entries: Vec<_> = input.shader.shaders().collect();
        if entries.is_empty() {
            blank.time_us = Some(micros(start));
            let is_library = input.shader.kind == ShaderKind::Library;
            if is_library && self.expected_shader().is_none() {
                blank.status = "skipped";
                blank.stage = Some(ShaderKind::Library.name().to_owned());
                return vec![blank];
            }
            let failure = Failure::from(&Error::from(EntryPointError::None));
            return vec![blank.failed(failure)];
        }
        let names: Vec<&str> = entries
            .iter()
            .map(|entry| input.shader.export_name(entry))
            .collect();
        let paths = outputs(&names).unwrap_or_default();
        // The time of the first entry point includes reading the module.
        let mut start = Some(start);
        let mut rows = Vec::with_capacity(entries.len());
        for ((entry, name), path) in entries.into_iter().zip(&names).zip(paths) {
            let start = start.take().unwrap_or_else(Instant::now);
            let converter = &mut *self.converter;
            let result = guarded(|| Ok(converter.convert_entry(input, entry, self.options)));
            let result = result.and_then(|result| result.map_err(|error| Failure::from(&error)));
            let row = Row {
                entry_point: Some((*name).to_owned()),
                stage: Some(entry.kind.name().to_owned()),
                time_us: Some(micros(start)),
                ..blank.clone()
            };
            let result = result.and_then(|output| self.finish(&output, folder, &path));
            rows.push(match result {
                Ok(columns) => row.converted(columns, folder.map(|_| path)),
                Err(failure) => row.failed(failure),
            });
        }
        rows
    }

    /// Returns the stage and entry point of the manifest, unless it says that the file is a library.
    fn expected_shader(&self) -> Option<&(String, String)> {
        let is_shader = |expected: &&(String, String)| expected.0 != ShaderKind::Library.name();
        self.expected.as_ref().filter(is_shader)
    }

    /// Checks an output against the manifest and writes it.
    fn finish(
        &self,
        output: &Output,
        folder: Option<&Path>,
        path: &str,
    ) -> Result<Columns, Failure> {
        if let Some((stage, entry)) = self.expected_shader()
            && (stage != output.stage.name() || *entry != output.entry)
        {
            let message = format!(
                "the manifest specifies {stage} shader `{entry}`, but the file contains {} shader `{}`",
                output.stage, output.entry
            );
            return Err(Failure::new(Kind::Manifest, message));
        }
        let bytes = bytes_of(&output.words);
        if let Some(folder) = folder {
            let path = folder.join(path);
            write_whole(&path, &bytes).map_err(|error| {
                let message = format!("cannot write {}: {error}", path.display());
                Failure::new(Kind::Io, message)
            })?;
        }
        let counts = statistics(&output.words)
            .map_err(|error| Failure::new(Kind::SpirV, error.to_string()))?;
        Ok(Columns {
            hash: fingerprint(&bytes),
            words: output.words.len() as u64,
            instructions: counts.total.instructions,
            blocks: counts.total.blocks,
            selectors: output.structurizer.selectors,
            breakable_blocks: output.structurizer.breakable_blocks,
            copies: output.structurizer.copies,
        })
    }
}

/// What a row has of an output.
struct Columns {
    hash: String,
    words: u64,
    instructions: u64,
    blocks: u64,
    selectors: u64,
    breakable_blocks: u64,
    copies: u64,
}

impl Row {
    fn converted(self, columns: Columns, output: Option<String>) -> Self {
        Self {
            status: "converted",
            output,
            output_bytes: Some(columns.words * 4),
            output_hash: Some(columns.hash),
            words: Some(columns.words),
            instructions: Some(columns.instructions),
            blocks: Some(columns.blocks),
            selectors: Some(columns.selectors),
            breakable_blocks: Some(columns.breakable_blocks),
            copied_blocks: Some(columns.copies),
            ..self
        }
    }
}

/// Returns the shader model in the header of a container's program; bitcode alone has none.
fn shader_model(bytes: &[u8]) -> Option<String> {
    let program = Container::open(bytes).ok()?.main_program().ok()?;
    let model = program.model;
    Some(format!("{}.{}", model.major, model.minor))
}

fn micros(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX)
}

/// Reads a file, and not a larger one than [`LARGEST_INPUT`].
fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let cannot = |error| Failure::new(Kind::Io, format!("cannot read the file: {error}"));
    let metadata = fs::metadata(path).map_err(cannot)?;
    if !metadata.is_file() {
        return Err(Failure::new(Kind::Io, "not a file"));
    }
    if metadata.len() > LARGEST_INPUT {
        let size = metadata.len();
        let message = format!("the file has at least {size} bytes; the limit is {LARGEST_INPUT}");
        return Err(Failure::new(trellis_dxil::ErrorKind::Read, message));
    }
    fs::read(path).map_err(cannot)
}
