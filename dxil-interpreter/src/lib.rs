//! Runs DXIL shaders on the CPU, block by block, before any translation: the model that translations
//! are compared with. See `README.md`.
//!
//! ```
//! use trellis_dxil_interpreter::{Inputs, Options, dispatch::Dispatch, run};
//! // RWByteAddressBuffer data : register(u0); [numthreads(4, 1, 1)] void main(uint i : SV_DispatchThreadID) { data.Store(4 * i, i * i); }
//! let shader = include_bytes!("../tests/shaders/squares.dxil");
//! let dispatch = Dispatch::from_json(r#"{"groups": [2, 1, 1], "bindings": [{"class": "uav", "register": 0, "kind": "raw", "bytes": 32}]}"#)?;
//! let outputs = run(shader, &Inputs::try_from(&dispatch)?, &Options::default())?;
//! let squares: Vec<u8> = outputs.uav(0, 0).unwrap().bytes.iter().copied().step_by(4).collect();
//! assert_eq!(squares, [0, 1, 4, 9, 16, 25, 36, 49]);
//! # Ok::<(), trellis_dxil_interpreter::Error>(())
//! ```

pub mod dispatch;
pub mod format;
pub mod generate;
pub mod half;
pub mod log;

mod action;
mod alu;
mod decode;
mod error;
mod exec;
mod graph;
mod memory;
mod program;
mod resource;
mod scalar;
mod signature;
mod trace;

use trellis_dxil_frontend::module::Module;
use trellis_dxil_frontend::shader::{EntryPoint, Shader, ShaderKind};

use dispatch::Draw;
pub use error::{Error, Feature, InvalidKind, NodeRule, Quantity, WaveWidthRule};
pub use graph::{GraphEntry, GraphInputs};
pub use program::View;
pub use resource::{DrawOutputs, Inputs, Outputs, Resource, Sampler};
pub use trace::{Invocation, Step, Value};

/// Limits and options of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Lanes of a wave: a power of two from 4 to 128. `None`: the shader's `WaveSize`, else 32.
    pub wave: Option<u32>,
    /// Most instructions to run, counted by lane; where a block ends counts as one.
    pub steps: u64,
    /// Seed with which results are varied that devices may compute differently: the last digits of
    /// floats, the order of accesses. Values that are the same with several seeds are defined.
    pub noise: Option<u64>,
    /// The invocation whose values are recorded in [`Outputs::trace`].
    pub trace: Option<Invocation>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            wave: None,
            steps: 1 << 28,
            noise: None,
            trace: None,
        }
    }
}

/// Runs a compute shader: a DXBC container or bitcode.
///
/// # Errors
/// See [`Error`].
pub fn run(shader: &[u8], inputs: &Inputs, options: &Options) -> Result<Outputs, Error> {
    let input = trellis_dxbc_frontend::read(shader)?;
    run_module(&input.module, &input.shader, inputs, options)
}

/// Runs a compute shader that was read.
///
/// # Errors
/// See [`Error`].
pub fn run_module(
    module: &Module,
    shader: &Shader,
    inputs: &Inputs,
    options: &Options,
) -> Result<Outputs, Error> {
    let entry = entry_point(shader, &inputs.entry, |kind| kind == ShaderKind::Compute)?;
    let program = decode::decode(module, shader, entry, entry.function, options)?;
    exec::run(&program, inputs, options)
}

/// Runs a draw with shaders of different stages: DXBC containers or bitcode.
///
/// # Errors
/// See [`Error`].
///
/// # Examples
/// ```
/// use trellis_dxil_interpreter::{Options, dispatch::Draw, run_draw};
/// // float4 main(float4 at : SV_Position) : SV_Target { return float4(at.xy, 0, 1); }
/// let shader = include_bytes!("../tests/shaders/pixel_position.dxil");
/// let draw = Draw::from_json(r#"{"vertices": 3, "size": [2, 1], "targets": [{"format": "R32G32_FLOAT"}]}"#)?;
/// let outputs = run_draw(&[shader], &draw, &Options::default())?;
/// let numbers = outputs.targets[0].chunks(4).map(|n| f32::from_le_bytes(n.try_into().unwrap()));
/// assert_eq!(numbers.collect::<Vec<_>>(), [0.5, 0.5, 1.5, 0.5]);
/// # Ok::<(), trellis_dxil_interpreter::Error>(())
/// ```
pub fn run_draw(shaders: &[&[u8]], draw: &Draw, options: &Options) -> Result<DrawOutputs, Error> {
    let inputs = shaders
        .iter()
        .map(|bytes| trellis_dxbc_frontend::read(bytes));
    let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
    let modules: Vec<_> = inputs
        .iter()
        .map(|input| (&*input.module, &input.shader))
        .collect();
    run_draw_modules(&modules, draw, options)
}

/// Runs a draw with shaders that were read.
///
/// # Errors
/// See [`Error`].
pub fn run_draw_modules(
    shaders: &[(&Module, &Shader)],
    draw: &Draw,
    options: &Options,
) -> Result<DrawOutputs, Error> {
    exec::run_draw(shaders, draw, options)
}

/// Runs a work graph of the nodes of a library: a DXBC container or bitcode.
///
/// # Errors
/// See [`Error`].
pub fn run_graph(
    library: &[u8],
    inputs: &GraphInputs,
    options: &Options,
) -> Result<Outputs, Error> {
    let input = trellis_dxbc_frontend::read(library)?;
    run_graph_module(&input.module, &input.shader, inputs, options)
}

/// Runs a work graph of the nodes of a library that was read.
///
/// # Errors
/// See [`Error`].
pub fn run_graph_module(
    module: &Module,
    shader: &Shader,
    inputs: &GraphInputs,
    options: &Options,
) -> Result<Outputs, Error> {
    exec::run_graph(module, shader, inputs, options)
}

/// Returns the entry point of a name, or the only one of a fitting stage if the name is empty.
fn entry_point<'s>(
    shader: &'s Shader,
    name: &str,
    fits: impl Fn(ShaderKind) -> bool,
) -> Result<&'s EntryPoint, Error> {
    let mut fitting = shader.entry_points.iter().filter(|entry| {
        if name.is_empty() {
            fits(entry.kind)
        } else {
            *entry.name == *name
        }
    });
    match (fitting.next(), fitting.next()) {
        (Some(entry), None) if fits(entry.kind) => Ok(entry),
        (Some(entry), None) => Err(Error::Stage {
            entry: entry.name.to_string(),
            kind: entry.kind,
        }),
        _ => {
            let found = shader
                .entry_points
                .iter()
                .filter(|entry| fits(entry.kind))
                .map(|entry| entry.name.to_string())
                .collect();
            Err(Error::Entry {
                wanted: name.to_owned(),
                found,
            })
        }
    }
}
