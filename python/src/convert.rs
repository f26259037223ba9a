//! Conversion of shaders, and descriptions of shaders and modules.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use trellis_corpus::failure::{Failure, Kind};
use trellis_corpus::modules::words_of;
use trellis_dxil::{Error, ErrorKind, Options, Output};

use crate::fault::Fault;
use crate::run::run;
use crate::settings::{Settings, to_json};

/// The result of a conversion: the bytes of the module, the entry point, its stage, the counters of
/// the structurizer in the order of their names, and the location of patch constants.
type Converted<'py> = (
    Bound<'py, PyBytes>,
    String,
    &'static str,
    Vec<(&'static str, u64)>,
    Option<u32>,
);

fn converted<'py>(py: Python<'py>, output: Output) -> PyResult<Converted<'py>> {
    let bytes = PyBytes::new_with(py, output.words.len() * 4, |bytes| {
        for (to, word) in bytes.chunks_exact_mut(4).zip(&output.words) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        Ok(())
    })?;
    Ok((
        bytes,
        output.entry,
        output.stage.name(),
        output.structurizer.named().to_vec(),
        output.patch_location,
    ))
}

/// Returns the fault of an entry point.
fn fault_of(error: &Error, options: &Options) -> Fault {
    let fault = Fault::from(error);
    match error.kind() {
        ErrorKind::Read | ErrorKind::EntryPoint => fault,
        _ => fault.with_entry(options.entry.clone()),
    }
}

/// Converts an entry point: the one with a name, the options' one, or the only one.
#[pyfunction]
#[pyo3(signature = (data, settings, entry_point=None))]
pub(crate) fn convert<'py>(
    py: Python<'py>,
    data: &[u8],
    settings: &Bound<'_, Settings>,
    entry_point: Option<String>,
) -> PyResult<Converted<'py>> {
    let options = settings.get().options(entry_point);
    let output = run(py, || {
        trellis_dxil::convert(data, &options).map_err(|error| fault_of(&error, &options))
    })?;
    converted(py, output)
}

/// Converts all entry points: for each of them the result, or an exception, which is not raised.
#[pyfunction]
pub(crate) fn convert_all<'py>(
    py: Python<'py>,
    data: &[u8],
    settings: &Bound<'_, Settings>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let options = settings.get().options(None);
    let results = run(py, || {
        let mut converter = trellis_dxil::Converter::new();
        let input = trellis_dxil::read(data, &options)?;
        let mut results = Vec::new();
        for entry in input.shader.shaders() {
            let name = input.shader.export_name(entry);
            let output = converter.convert_entry(&input, entry, &options);
            results.push(output.map_err(|e| Fault::from(&e).with_entry(name.to_owned())));
        }
        Ok(results)
    })?;
    results
        .into_iter()
        .map(|result| match result {
            Ok(output) => Ok(converted(py, output)?.into_pyobject(py)?.into_any()),
            Err(fault) => fault.exception(py),
        })
        .collect()
}

/// Converts shaders one after another, and keeps memory between them.
#[pyclass(frozen, module = "trellis._native")]
pub(crate) struct Converter {
    options: Options,
    /// Locked only while the interpreter lock is not held.
    converter: Mutex<trellis_dxil::Converter>,
}

#[pymethods]
impl Converter {
    #[new]
    fn new(settings: &Bound<'_, Settings>) -> Self {
        Self {
            options: settings.get().options(None),
            converter: Mutex::default(),
        }
    }

    /// Converts an entry point, as the function.
    #[pyo3(signature = (data, entry_point=None))]
    fn convert<'py>(
        &self,
        py: Python<'py>,
        data: &[u8],
        entry_point: Option<String>,
    ) -> PyResult<Converted<'py>> {
        let named;
        let options = match entry_point {
            Some(entry) => {
                named = self.options.clone().with_entry(Some(entry));
                &named
            }
            None => &self.options,
        };
        let output = run(py, || {
            // A panic in another call leaves memory that a new converter does not have.
            let mut converter = self.converter.lock().unwrap_or_else(|poisoned| {
                self.converter.clear_poison();
                let mut converter = PoisonError::into_inner(poisoned);
                *converter = trellis_dxil::Converter::new();
                converter
            });
            let output = converter.convert(data, options);
            output.map_err(|error| fault_of(&error, options))
        })?;
        converted(py, output)
    }
}

/// Lists the entry points with their stages.
#[pyfunction]
pub(crate) fn entry_points(py: Python<'_>, data: &[u8]) -> PyResult<Vec<(String, &'static str)>> {
    run(py, || {
        let entries = trellis_dxil::entry_points(data)?.into_iter();
        Ok(entries.map(|e| (e.name, e.stage.name())).collect())
    })
}

/// Returns the reflection of a shader in JSON.
#[pyfunction]
pub(crate) fn reflect(
    py: Python<'_>,
    data: &[u8],
    settings: &Bound<'_, Settings>,
) -> PyResult<String> {
    let options = settings.get().options(None);
    let reflection = run(py, || Ok(trellis_dxil::reflect(data, &options)?))?;
    to_json(&reflection)
}

/// Returns the listing of a shader as LLVM IR.
#[pyfunction]
pub(crate) fn disassemble(py: Python<'_>, data: &[u8]) -> PyResult<String> {
    run(py, || {
        let listing = trellis_dxil::dxbc::disassemble(data);
        Ok(listing.map_err(Error::from)?)
    })
}

/// Returns a SPIR-V module as assembly.
#[pyfunction]
pub(crate) fn assembly(py: Python<'_>, spirv: &[u8]) -> PyResult<String> {
    run(py, || {
        let words = words_of(spirv)?;
        let text = trellis_dxil::disassemble(&words);
        Ok(text.map_err(|error| Failure::from(&error))?)
    })
}

/// Returns the sizes and the structure of a SPIR-V module in JSON.
#[pyfunction]
pub(crate) fn statistics(py: Python<'_>, spirv: &[u8]) -> PyResult<String> {
    let statistics = run(py, || {
        let words = words_of(spirv)?;
        let statistics = trellis_dxil::statistics::statistics(&words);
        Ok(statistics.map_err(|error| Failure::new(Kind::SpirV, error.to_string()))?)
    })?;
    to_json(&statistics)
}
