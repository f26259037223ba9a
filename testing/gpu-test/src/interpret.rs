//! The DXIL interpreter as a reference: its results, in the form of a run on a device.

use trellis_dxil_interpreter::dispatch::{Binding, Class, Dispatch};
use trellis_dxil_interpreter::{
    Error, GraphEntry, GraphInputs, Inputs, Options, Outputs, Resource, run_graph,
};

use crate::case::Case;
use crate::execute::Observed;
use crate::graph::Graph;

/// Instructions of all lanes together after which a shader counts as endless.
const STEPS: u64 = 1 << 26;

/// Runs a compute shader on the CPU. The second value counts accesses of buffers out of bounds: on
/// a device without robust access their effect is undefined.
///
/// # Errors
/// The interpreter's answer.
pub fn run(dxil: &[u8], dispatch: &Dispatch, wave: Option<u32>) -> Result<(Observed, u64), Error> {
    let inputs = Inputs::try_from(dispatch)?;
    let options = Options {
        wave,
        steps: STEPS,
        ..Options::default()
    };
    let outputs = trellis_dxil_interpreter::run(dxil, &inputs, &options)?;
    observe(&dispatch.bindings, &outputs)
}

/// Runs a work graph on the CPU, as [`run`].
///
/// # Errors
/// The interpreter's answer.
pub fn graph(dxil: &[u8], case: &Case, graph: &Graph) -> Result<(Observed, u64), Error> {
    let entries = graph.entries.iter().map(|entry| GraphEntry {
        node: entry.node.clone(),
        index: entry.index,
        count: entry.count,
        records: entry.records.iter().flat_map(|w| w.to_le_bytes()).collect(),
    });
    let resources = graph.bindings.iter().map(Resource::try_from);
    let inputs = GraphInputs {
        entries: entries.collect(),
        resources: resources.collect::<Result<_, _>>()?,
        scenes: case.scenes().cloned().collect(),
    };
    let options = Options {
        steps: STEPS,
        ..Options::default()
    };
    let outputs = run_graph(dxil, &inputs, &options)?;
    observe(&graph.bindings, &outputs)
}

/// Returns the results in the form of a run on a device, and the accesses out of bounds.
fn observe(bindings: &[Binding], outputs: &Outputs) -> Result<(Observed, u64), Error> {
    let mut observed = Observed::default();
    for binding in bindings {
        let uav = outputs
            .resources
            .iter()
            .find(|r| r.place == binding.place && binding.place.class == Class::Uav);
        observed.resources.push(match uav {
            Some(resource) => (resource.bytes.clone(), resource.counter),
            None => (binding.contents()?, binding.counter),
        });
    }
    Ok((observed, outputs.out_of_bounds))
}
