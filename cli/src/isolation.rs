//! Worker processes of a batch: this program with the one argument [`WORKER`].

use std::io;

use trellis_corpus::backend::Setup;
use trellis_corpus::converter::Converter;
use trellis_corpus::isolate::{Isolated, Limits, Program, serve};

use crate::problem::Problem;

/// The argument that makes this program a worker.
pub(crate) const WORKER: &str = "batch-worker";

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
    let backend = Setup::backend(setup)?;
    #[cfg(debug_assertions)]
    if std::env::var_os(faults::VARIABLE).is_some() {
        return Ok(Box::new(faults::Faulty(backend)));
    }
    Ok(Box::new(backend))
}

#[cfg(debug_assertions)]
mod faults;
