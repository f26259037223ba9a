//! The options of a conversion, from their serialized form and the models that cannot be
//! serialized.

use std::sync::Arc;

use pyo3::prelude::*;
use trellis_corpus::backend::root_signature as root_signature_of;
use trellis_dxil::{MeshOutputs, Options};

use crate::fault::{Fault, OPTIONS};
use crate::run::run;

/// The options of a conversion.
#[pyclass(frozen, module = "trellis._native")]
#[derive(Debug)]
pub(crate) struct Settings {
    options: Options,
    /// Identifies the root signature, for caches.
    bindings: Option<String>,
}

impl Settings {
    /// Returns the options, with another entry point if there is one.
    pub(crate) fn options(&self, entry: Option<String>) -> Options {
        match entry {
            Some(entry) => self.options.clone().with_entry(Some(entry)),
            None => self.options.clone(),
        }
    }

    /// Returns a name for bindings that are not a part of the serialized options.
    pub(crate) fn bindings_name(&self) -> Option<String> {
        self.bindings.clone()
    }
}

#[pymethods]
impl Settings {
    /// Reads options in JSON. A root signature, if given, is the binding model; a mesh shader gives
    /// a pixel shader its inputs.
    #[new]
    #[pyo3(signature = (json, root_signature=None, root_addresses=false, mesh=None))]
    fn new(
        py: Python<'_>,
        json: &str,
        root_signature: Option<&[u8]>,
        root_addresses: bool,
        mesh: Option<&[u8]>,
    ) -> PyResult<Self> {
        run(py, || {
            let mut options: Options = serde_json::from_str(json)
                .map_err(|error| Fault::new(OPTIONS, without_place(&error)))?;
            if let Some(bytes) = root_signature {
                options.bindings = root_signature_of(bytes, root_addresses).map_err(|error| {
                    let text = format!("cannot use the root signature: {error}");
                    Fault::new(OPTIONS, text)
                })?;
            }
            if let Some(bytes) = mesh {
                options.mesh = Some(Arc::new(MeshOutputs::read(bytes, None)?));
            }
            let bindings = root_signature
                .map(trellis_corpus::cache::fingerprint)
                .map(|name| format!("{name} {root_addresses}"));
            Ok(Self { options, bindings })
        })
    }

    /// Returns the options in JSON, without a root signature.
    fn json(&self) -> PyResult<String> {
        to_json(&self.options)
    }
}

/// Returns the message of an error without its line and column: the user has written no JSON.
pub(crate) fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    // The caller gave Python objects, and did not write the JSON that a line and column refer to.
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(place.as_str())
        .unwrap_or(&text)
        .to_owned()
}

/// Returns a value in JSON.
pub(crate) fn to_json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| {
        // No type that is serialized here can fail.
        pyo3::exceptions::PyRuntimeError::new_err(error.to_string())
    })
}

/// Returns the default options in JSON.
#[pyfunction]
pub(crate) fn options() -> PyResult<String> {
    to_json(&Options::default())
}

/// Returns the list of all options in JSON.
#[pyfunction]
pub(crate) fn option_list() -> PyResult<String> {
    let list = trellis_dxil::options::list();
    let list = list.map_err(|e| pyo3::exceptions::PyRuntimeError::new_err(e.to_string()))?;
    to_json(&list)
}
