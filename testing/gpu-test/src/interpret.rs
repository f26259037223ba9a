//! The DXIL interpreter as a reference: its results, in the form of a run on a device.

use trellis_dxil_interpreter::dispatch::{Class, Dispatch};
use trellis_dxil_interpreter::{Error, Inputs, Options};

use crate::execute::Observed;

/// Instructions of all lanes together after which a shader counts as endless.
const STEPS: u64 = 1 << 26;

/// Runs a compute shader on the CPU. The second value counts accesses of buffers out of bounds: on
/// a device without robust access their effect is undefined.
///
/// # Errors
/// The interpreter's answer.
pub fn run(dxil: &[u8], dispatch: &Dispatch, wave: Option<u32>) -> Result<(Observed, u64), Error> {
    let inputs = Inputs::try_from(dispatch)?;
    let outputs = trellis_dxil_interpreter::run(dxil, &inputs, &Options { wave, steps: STEPS })?;
    let mut observed = Observed::default();
    for binding in &dispatch.bindings {
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
