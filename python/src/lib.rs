//! The native module of the Python package `trellis`: calls of the facade, of `trellis-corpus` and of
//! `trellis-structurizer-view`, with plain data on both sides.
//!
//! The documented and typed interface for users is Python code in `package/trellis`, which alone
//! imports this module. Each function that reads an input runs without the interpreter lock, on a
//! stack that is large enough ([`run`](mod@run)), and raises `trellis.Error` or a class derived
//! from it ([`fault`]).

mod batch;
mod convert;
mod fault;
mod graph;
mod rows;
mod run;
mod settings;
mod trace;

use pyo3::prelude::*;

/// Keeps panics of conversions quiet, which become exceptions with the same text.
fn silence_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !trellis_corpus::guard::is_active() {
            before(info);
        }
    }));
}

/// Makes the module.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    silence_panics();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("MAX_NODES", trellis_structurizer_view::MAX_NODES)?;
    module.add_class::<settings::Settings>()?;
    module.add_class::<convert::Converter>()?;
    module.add_class::<trace::Trace>()?;
    module.add_class::<rows::Rows>()?;
    module.add_function(wrap_pyfunction!(settings::options, module)?)?;
    module.add_function(wrap_pyfunction!(settings::option_list, module)?)?;
    module.add_function(wrap_pyfunction!(convert::convert, module)?)?;
    module.add_function(wrap_pyfunction!(convert::convert_all, module)?)?;
    module.add_function(wrap_pyfunction!(convert::entry_points, module)?)?;
    module.add_function(wrap_pyfunction!(convert::reflect, module)?)?;
    module.add_function(wrap_pyfunction!(convert::disassemble, module)?)?;
    module.add_function(wrap_pyfunction!(convert::assembly, module)?)?;
    module.add_function(wrap_pyfunction!(convert::statistics, module)?)?;
    module.add_function(wrap_pyfunction!(graph::structurize, module)?)?;
    module.add_function(wrap_pyfunction!(graph::structurize_text, module)?)?;
    module.add_function(wrap_pyfunction!(graph::control_flow, module)?)?;
    module.add_function(wrap_pyfunction!(graph::stages, module)?)?;
    module.add_function(wrap_pyfunction!(graph::targets, module)?)?;
    module.add_function(wrap_pyfunction!(batch::batch, module)?)?;
    module.add_function(wrap_pyfunction!(batch::render, module)?)?;
    module.add_function(wrap_pyfunction!(batch::list_inputs, module)?)?;
    module.add_function(wrap_pyfunction!(batch::remove_leftovers, module)?)?;
    module.add_function(wrap_pyfunction!(batch::temporary_path, module)?)?;
    module.add_function(wrap_pyfunction!(batch::fingerprint, module)?)?;
    module.add_function(wrap_pyfunction!(rows::table_columns, module)?)?;
    module.add_function(wrap_pyfunction!(rows::work, module)?)?;
    Ok(())
}
