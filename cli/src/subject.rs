//! The input of `cfg`, `tree` and `explain`: the functions of a shader, or the text form of a
//! graph.

use trellis_corpus::failure::{Failure, Kind};
use trellis_corpus::guard::guarded;
use trellis_dxil::ControlFlow;
use trellis_dxil::frontend::is_dxil;
use trellis_dxil::structurizer::ir::Function;
use trellis_dxil::structurizer::tree::Names;
use trellis_dxil::structurizer::{Trace, trace};
use trellis_explorer::{Labels, graph_of};

use crate::files;
use crate::library;
use crate::problem::Problem;
use crate::view_args::SubjectArgs;

/// A function with the names from its source and the trace of its structurization.
pub(crate) struct Subject {
    /// The function's name; empty for the text form of a graph.
    pub(crate) name: String,
    pub(crate) names: Box<dyn Names>,
    pub(crate) trace: Trace,
}

/// Reads the input that the arguments name and structurizes its functions.
pub(crate) fn subjects(args: &SubjectArgs) -> Result<Vec<Subject>, Problem> {
    let bytes = files::read(&args.input)?;
    let name = files::name_of(&args.input);
    let options = args.stages.options();
    let failed =
        |failure: Failure| Problem::of_failure(format!("cannot structurize {name}"), &failure);
    let traced = |function: &str, func: Function| {
        trace(func, &options).map_err(|source| {
            // Reuse the message of the backend's error.
            Failure::from(&trellis_dxil::Error::Structurize {
                function: function.to_owned(),
                source,
            })
        })
    };
    let text = (!is_dxil(&bytes))
        .then(|| std::str::from_utf8(&bytes).ok())
        .flatten();
    if let Some(text) = text.filter(|text| !text.contains('\0')) {
        let text = graph_of(text);
        if args.entry.is_some() {
            return Err(Problem::usage_error(format!(
                "{name} is the text form of a graph, which has no entry points"
            ))
            .help("remove --entry"));
        }
        let func = library::graph(&name, text)?;
        let names = Box::new(Labels::of(text, func.num_blocks()));
        let trace = guarded(|| traced("graph", func)).map_err(failed)?;
        return Ok(vec![Subject {
            name: String::new(),
            names,
            trace,
        }]);
    }
    let work = || {
        let options = trellis_dxil::Options::default().with_entry(args.entry.clone());
        let functions: Vec<ControlFlow> =
            trellis_dxil::control_flow(&bytes, &options).map_err(|error| Failure::from(&error))?;
        let subjects = functions.into_iter().map(|f| {
            let trace = traced(&f.name, f.function.clone())?;
            Ok(Subject {
                name: f.name.clone(),
                names: Box::new(f),
                trace,
            })
        });
        subjects.collect::<Result<Vec<_>, Failure>>()
    };
    let subjects = guarded(work).map_err(failed)?;
    if subjects.is_empty() {
        Err(failed(Failure::new(
            Kind::Other,
            "the entry point has no function".to_owned(),
        )))
    } else {
        Ok(subjects)
    }
}
