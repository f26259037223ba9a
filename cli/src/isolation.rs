//! Worker processes of a batch: this program with the one argument [`WORKER`].

use std::io;

use serde::{Deserialize, Serialize};
use trellis_corpus::backend::Backend;
use trellis_corpus::converter::Converter;
use trellis_corpus::isolate::{Isolated, Limits, Program, serve};
use trellis_dxil::Options;

use crate::problem::Problem;
use crate::translation;

/// The argument that makes this program a worker.
pub(crate) const WORKER: &str = "batch-worker";

/// The settings of a worker's converter.
#[derive(Serialize, Deserialize)]
pub(crate) struct Setup {
    /// The options, without bindings of a root signature.
    pub(crate) options: Options,
    /// The bytes of the file with the root signature.
    pub(crate) root_signature: Option<Vec<u8>>,
    /// True if its root descriptors are addresses.
    pub(crate) root_addresses: bool,
}

/// Returns a converter that has other processes convert.
pub(crate) fn start(
    setup: &Setup,
    limits: Limits,
    identity: Option<String>,
) -> Result<Isolated, Problem> {
    let cannot = || Problem::usage_error("cannot convert in other processes");
    let path = std::env::current_exe().map_err(|error| cannot().because(&error))?;
    let program = Program {
        path,
        arguments: vec![WORKER.into()],
        setup: serde_json::to_vec(setup).map_err(|error| cannot().because(&error))?,
    };
    Isolated::start(program, limits, identity)
        .map_err(|reason| cannot().because(&io::Error::other(reason)))
}

/// Converts the shaders that the batch which started this process sends.
pub(crate) fn work() -> io::Result<()> {
    serve(io::stdin(), io::stdout(), &converter)
}

fn converter(setup: &[u8]) -> Result<Box<dyn Converter>, String> {
    let setup: Setup = serde_json::from_slice(setup).map_err(|error| error.to_string())?;
    let mut options = setup.options;
    if let Some(bytes) = &setup.root_signature {
        let model = translation::root_signature(bytes, setup.root_addresses);
        options.bindings = model.map_err(|error| error.to_string())?;
    }
    let backend = Backend::new(options);
    #[cfg(debug_assertions)]
    if std::env::var_os(faults::VARIABLE).is_some() {
        return Ok(Box::new(faults::Faulty(backend)));
    }
    Ok(Box::new(backend))
}

#[cfg(debug_assertions)]
mod faults;
