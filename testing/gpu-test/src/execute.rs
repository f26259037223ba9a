//! Runs the modules of one case, and compares.

use ash::vk;
use trellis_dxil_interpreter::dispatch::sort_primitives;

use crate::bind::{self, Bound};
use crate::case::Case;
use crate::draw;
use crate::graph;
use crate::rays;
use crate::spirv_module::SpirvModule;
use crate::stages::Stages;
use crate::vulkan::{self, Device, Job, Results, StageCode, Work, missing_capability};

/// The results of a module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    /// Contents of each resource of the case, in its order, with the value of the counter.
    pub resources: Vec<(Vec<u8>, Option<u32>)>,
    /// Render targets.
    pub targets: Vec<Vec<u8>>,
    /// Depth buffer.
    pub depth: Vec<u8>,
    /// Outputs of the last stage before the rasterizer, in the order of the case.
    pub outputs: Vec<Vec<u8>>,
    /// Vertices that a geometry or domain shader emitted, for each stream.
    pub emitted: Vec<u32>,
    /// Messages of the validation layer.
    pub messages: Vec<String>,
}

/// Why a module was not run to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotRun {
    /// The device lacks something: its name.
    Skipped(String),
    /// It went wrong.
    Failed(String),
}

impl From<vulkan::Error> for NotRun {
    fn from(error: vulkan::Error) -> Self {
        match error {
            vulkan::Error::Unsupported(what) => NotRun::Skipped(what),
            error => NotRun::Failed(error.to_string()),
        }
    }
}

/// Runs a module on a case.
///
/// # Errors
/// The device lacks a capability or wave size, or the run fails.
pub fn run(device: &Device, module: &SpirvModule, case: &Case) -> Result<Observed, NotRun> {
    run_stages(device, &[module], case)
}

/// Runs the modules of a draw, or the module of a dispatch, on a case.
///
/// # Errors
/// The device lacks a capability or wave size, the stages do not fit together, or the run fails.
pub fn run_stages(
    device: &Device,
    modules: &[&SpirvModule],
    case: &Case,
) -> Result<Observed, NotRun> {
    let stages = Stages::new(modules).map_err(NotRun::Failed)?;
    for module in stages.modules() {
        runs_on(device, module)?;
        if module.push_constants {
            let text = "push constants, which only nodes of work graphs get";
            return Err(NotRun::Failed(text.to_owned()));
        }
    }
    let Bound {
        objects,
        bindings,
        counters,
    } = bind::bind(
        &rays::together(stages.modules()).map_err(NotRun::Failed)?,
        case,
    )
    .map_err(NotRun::Failed)?;
    let code = stages.modules().iter().copied().map(StageCode::from);
    let mut job = Job {
        stages: code.collect(),
        objects,
        bindings,
        work: Work::Dispatch([0; 3]),
        wave_size: None,
    };
    for module in stages.modules() {
        job.wave_size = job.wave_size.or(wave(device, module, case.wave())?);
    }
    let mut capture = draw::Capture::default();
    match (&case.dispatch, &case.draw) {
        (Some(dispatch), _) => job.work = Work::Dispatch(dispatch.groups),
        (None, Some(draw)) => {
            capture = draw::prepare(&mut job, &stages, draw).map_err(NotRun::Failed)?;
        }
        (None, None) => return Err(NotRun::Failed("the case has no work".to_owned())),
    }
    let results = device.run(&job)?;
    let mut observed = observe(case, &counters, &capture, results);
    let last = stages.last().stage;
    if last == vk::ShaderStageFlags::VERTEX {
        observed.emitted.clear();
    }
    Ok(observed)
}

/// Runs a case that is a work graph.
///
/// # Errors
/// As [`run`].
pub fn run_graph(
    device: &Device,
    modules: &[SpirvModule],
    nodes: &[graph::Node],
    case: &Case,
) -> Result<Observed, NotRun> {
    let Some(graph) = &case.graph else {
        return Err(NotRun::Failed("the case has no work graph".to_owned()));
    };
    for module in modules {
        runs_on(device, module)?;
    }
    let results = graph::run(device, modules, nodes, case, graph)?;
    let counters = vec![None; case.bindings().len()];
    let capture = draw::Capture::default();
    Ok(observe(case, &counters, &capture, results))
}

/// Runs the modules of a test: a library's as the case's pipeline, or the only one.
///
/// # Errors
/// As [`run`].
pub fn run_all(device: &Device, modules: &[SpirvModule], case: &Case) -> Result<Observed, NotRun> {
    match (&case.rays, modules) {
        (Some(rays), _) => {
            let stages = rays::Stages::find(rays, modules).map_err(NotRun::Failed)?;
            for module in &stages.modules {
                runs_on(device, module)?;
            }
            let (job, counters) = rays::job(case, rays, stages)?;
            let results = device.run(&job)?;
            Ok(observe(case, &counters, &draw::Capture::default(), results))
        }
        (None, [module]) => run(device, module, case),
        (None, _) if case.dispatch.is_some() => {
            let name = case
                .dispatch
                .as_ref()
                .map_or("", |dispatch| &*dispatch.entry);
            let found = modules.iter().find(|module| module.entry == name);
            run(
                device,
                found.ok_or_else(|| NotRun::Failed(format!("no shader `{name}`")))?,
                case,
            )
        }
        (None, _) => Err(NotRun::Failed(format!(
            "the shader has {} entry points, of which a dispatch or draw runs one",
            modules.len()
        ))),
    }
}

/// Returns whether the device can run a module.
fn runs_on(device: &Device, module: &SpirvModule) -> Result<(), NotRun> {
    let features = &device.features;
    if let Some(capability) = missing_capability(features, &module.capabilities) {
        return Err(NotRun::Skipped(format!("{capability:?}")));
    }
    if module
        .capabilities
        .iter()
        .any(|c| format!("{c:?}").starts_with("GroupNonUniform"))
        && !features.subgroup_stages.contains(module.stage)
    {
        return Err(NotRun::Skipped(format!(
            "wave operations in stage {:?}",
            module.stage
        )));
    }
    if module
        .resources
        .iter()
        .any(|r| r.ty == vk::DescriptorType::ACCELERATION_STRUCTURE_KHR)
        && !features.ray_tracing
    {
        return Err(NotRun::Skipped("VK_KHR_acceleration_structure".to_owned()));
    }
    if module
        .resources
        .iter()
        .any(|r| r.ty == vk::DescriptorType::MUTABLE_EXT)
        && !features.mutable_descriptors
    {
        return Err(NotRun::Skipped("VK_EXT_mutable_descriptor_type".to_owned()));
    }
    Ok(())
}

/// Returns the wave size to require; none if the device uses it by default.
fn wave(device: &Device, module: &SpirvModule, wanted: Option<u32>) -> Result<Option<u32>, NotRun> {
    let Some(wanted) = wanted else {
        return Ok(None);
    };
    let features = &device.features;
    if features.wave_stages.contains(module.stage)
        && (features.wave[0]..=features.wave[1]).contains(&wanted)
    {
        return Ok(Some(wanted));
    }
    if features.wave_default == wanted {
        Ok(None)
    } else {
        Err(NotRun::Skipped(format!("waves of {wanted} lanes")))
    }
}

/// Layers older than the extension for derivatives in compute shaders complain of modules that use
/// it.
pub fn is_of_an_old_layer(message: &str) -> bool {
    message.contains("compute_shader_derivatives")
}

pub(crate) fn observe(
    case: &Case,
    counters: &[Option<usize>],
    capture: &draw::Capture,
    results: Results,
) -> Observed {
    let word = |bytes: &Vec<u8>| bytes.first_chunk().map(|b| u32::from_le_bytes(*b));
    let resource = |(index, counter): (usize, &Option<usize>)| {
        let counter = counter
            .and_then(|at| results.objects.get(at))
            .and_then(word);
        (
            results.objects.get(index).cloned().unwrap_or_default(),
            counter,
        )
    };
    let mut outputs: Vec<Vec<u8>> = capture
        .outputs
        .iter()
        .map(|o| o.gather(&results.captured))
        .collect();
    if case.draw.as_ref().is_some_and(|draw| draw.unordered) {
        let sizes: Vec<usize> = capture.outputs.iter().map(|o| o.size).collect();
        sort_primitives(&mut outputs, &sizes, capture.vertices);
    }
    Observed {
        resources: counters
            .iter()
            .enumerate()
            .map(resource)
            .take(case.bindings().len())
            .collect(),
        outputs,
        emitted: capture
            .strides
            .iter()
            .zip(&results.captured)
            .map(|(stride, bytes)| bytes.len() as u32 / (*stride).max(1))
            .collect(),
        targets: results.targets,
        depth: results.depth,
        messages: results
            .messages
            .into_iter()
            .filter(|text| !is_of_an_old_layer(text))
            .collect(),
    }
}
