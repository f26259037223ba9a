//! `trellis-device`: the Vulkan device of `trellis try`. Runs SPIR-V modules on inputs of `trellis run`,
//! and prints the results as `trellis run` does.
//!
//! ```text
//! trellis-device                               prints the device's name and wave size as JSON
//! trellis-device inputs.json a.spv [b.spv …]   prints the results as JSON
//! ```
//!
//! `TRELLIS_DEVICE` is a part of the device's name. Exit status 3: the device lacks something.

use std::process::ExitCode;

use gpu_test::case::Case;
use gpu_test::execute::{NotRun, Observed, run_stages};
use gpu_test::spirv_module::{self, SpirvModule};
use gpu_test::vulkan::{Device, vk};
use trellis_dxil_interpreter::dispatch::{Binding, Class, Dispatch, Draw};
use trellis_dxil_interpreter::{DrawOutputs, Outputs, Resource};

/// Bytes of the stack: software drivers compile on the caller's thread, by recursion over the shader.
const STACK: usize = 64 << 20;

fn main() -> ExitCode {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
    let result = thread.map_err(|error| NotRun::Failed(error.to_string()));
    let result = result.and_then(|thread| {
        let panicked = |_| Err(NotRun::Failed("a panic".to_owned()));
        thread.join().unwrap_or_else(panicked)
    });
    let (text, status) = match result {
        Ok(text) => {
            println!("{text}");
            return ExitCode::SUCCESS;
        }
        Err(NotRun::Skipped(text)) => (format!("the device lacks {text}"), 3),
        Err(NotRun::Failed(text)) => (text, 1),
    };
    eprintln!("{text}");
    ExitCode::from(status)
}

fn run() -> Result<String, NotRun> {
    let part = std::env::var("TRELLIS_DEVICE").ok();
    let device = Device::open_robust(part.as_deref())?;
    let mut arguments = std::env::args_os().skip(1);
    let Some(inputs) = arguments.next() else {
        let wave = device.features.wave_default;
        let described = serde_json::json!({ "name": device.info.name, "wave": wave });
        return Ok(described.to_string());
    };
    let failed = |error: String| NotRun::Failed(error);
    let text = std::fs::read_to_string(inputs).map_err(|error| failed(error.to_string()))?;
    let modules = arguments
        .map(|path| {
            let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
            spirv_module::read(&spirv_module::words(&bytes)?)
        })
        .collect::<Result<Vec<_>, _>>();
    let modules = modules.map_err(failed)?;
    let modules: Vec<&SpirvModule> = modules.iter().collect();
    let mut case = Case::default();
    if modules
        .iter()
        .all(|module| module.stage == vk::ShaderStageFlags::COMPUTE)
    {
        let dispatch = Dispatch::from_json(&text).map_err(|error| failed(error.to_string()))?;
        case.dispatch = Some(dispatch.clone());
        let observed = run_stages(&device, &modules, &case)?;
        let outputs = outputs(&dispatch.bindings, &observed).map_err(failed)?;
        return Ok(outputs.to_dispatch(&dispatch).to_json());
    }
    let stages = |stage| modules.iter().any(|module| module.stage == stage);
    let is_mesh = stages(vk::ShaderStageFlags::MESH_EXT) || stages(vk::ShaderStageFlags::TASK_EXT);
    if is_mesh && !stages(vk::ShaderStageFlags::FRAGMENT) {
        let text = "the outputs of a mesh shader, without a pixel shader";
        return Err(NotRun::Skipped(text.to_owned()));
    }
    let draw = Draw::from_json(&text).map_err(|error| failed(error.to_string()))?;
    case.draw = Some(draw.clone());
    let observed = run_stages(&device, &modules, &case)?;
    let made = DrawOutputs {
        resources: outputs(&draw.bindings, &observed).map_err(failed)?,
        targets: observed.targets,
        depth: observed.depth,
        outputs: observed
            .outputs
            .into_iter()
            .map(|bytes| (bytes, false))
            .collect(),
        emitted: observed.emitted,
        dispatched: Vec::new(),
    };
    Ok(made.to_draw(&draw).to_json())
}

/// Returns the contents of the UAVs.
fn outputs(bindings: &[Binding], observed: &Observed) -> Result<Outputs, String> {
    let uavs = bindings.iter().zip(&observed.resources);
    let uavs = uavs.filter(|(binding, _)| binding.place.class == Class::Uav);
    let resources = uavs.map(|(binding, (bytes, counter))| {
        let resource = Resource::try_from(binding).map_err(|error| error.to_string())?;
        Ok(Resource {
            bytes: bytes.clone(),
            counter: *counter,
            ..resource
        })
    });
    Ok(Outputs {
        resources: resources.collect::<Result<_, String>>()?,
        ..Outputs::default()
    })
}
