//! The entry point, its execution modes, float controls and names.

use crate::ops::Emitter;
use rspirv::spirv::{Capability, ExecutionMode, StorageClass, Word};
use trellis_dxil_frontend::shader::ShaderKind;

use smallvec::SmallVec;

use crate::error::{Error, Feature, InterfaceFeature};
use crate::interface;
use crate::stage::{execution_model, is_ray_tracing};

/// Shader flag `ForceEarlyDepthStencil` (metadata tag 0).
const FORCE_EARLY_DEPTH_STENCIL: u64 = 1 << 3;

/// Declares function `id` as the entry point after everything that it uses.
pub(super) fn declare(e: &mut Emitter<'_>, id: Word) -> Result<(), Error> {
    let entry = e.entry;
    let Some(model) = execution_model(entry.kind) else {
        return Err(e.unsupported(Feature::Stage(entry.kind)));
    };
    let options = e.options;
    let own = || e.shader.export_name(entry);
    let name = options.interface.entry_point_name.as_deref();
    let name = name.unwrap_or_else(own);
    if name.contains('\0') {
        return Err(e.unsupported(InterfaceFeature::EntryName {
            name: name.to_owned(),
        }));
    }
    stage_modes(e)?;
    float_controls(e);
    if options.workarounds.force_maximal_reconvergence {
        e.b.maximally_reconverges();
    }
    let interface = interface_variables(e);
    e.b.entry_point(model, id, name, &interface);
    Ok(())
}

/// Returns the module-level variables that the entry point must list: all of them since SPIR-V 1.4,
/// before that inputs and outputs.
fn interface_variables(e: &Emitter<'_>) -> SmallVec<[Word; 16]> {
    let all = e.options.target.spirv_version() >= (1, 4);
    let listed = |class| all || matches!(class, StorageClass::Input | StorageClass::Output);
    let variables = e.b.variables().iter();
    let listed = variables.filter(|&&(_, class)| listed(class));
    listed.map(|&(id, _)| id).collect()
}

/// Returns the threads of a group in each direction, if the shader declares at least one.
pub(super) fn threads_of_group(e: &Emitter<'_>) -> Option<[u32; 3]> {
    let threads = e.entry.properties.num_threads?;
    (!threads.contains(&0)).then_some(threads)
}

fn stage_modes(e: &mut Emitter<'_>) -> Result<(), Error> {
    match e.entry.kind {
        kind @ (ShaderKind::Compute
        | ShaderKind::Node
        | ShaderKind::Mesh
        | ShaderKind::Amplification) => {
            let Some(size) = threads_of_group(e) else {
                return Err(e.invalid_property(format!(
                    "a {} shader without a thread group size",
                    kind.name()
                )));
            };
            e.b.execution_mode(ExecutionMode::LocalSize, &size);
            if matches!(kind, ShaderKind::Mesh | ShaderKind::Amplification) {
                interface::mesh_modes(e, kind == ShaderKind::Mesh)?;
            }
        }
        ShaderKind::Pixel => {
            e.b.execution_mode(ExecutionMode::OriginUpperLeft, &[]);
            if e.entry.properties.flags & FORCE_EARLY_DEPTH_STENCIL != 0 {
                e.b.execution_mode(ExecutionMode::EarlyFragmentTests, &[]);
            }
        }
        kind if is_ray_tracing(kind) => e.b.caps.add(Capability::RayTracingKHR),
        _ => {}
    }
    Ok(())
}

/// Adds the execution modes of denormal numbers. `any`, the default of `fp32-denorm-mode`, requires
/// nothing; denormals of the other widths are kept where the device can do so.
fn float_controls(e: &mut Emitter<'_>) {
    let extensions = &e.options.extensions;
    let preserves = [
        (Capability::Float16, 16, extensions.denorm_preserve_16),
        (Capability::Float64, 64, extensions.denorm_preserve_64),
    ];
    for (capability, width, preserves) in preserves {
        if preserves && e.b.caps.has(capability) {
            e.b.caps.add(Capability::DenormPreserve);
            e.b.execution_mode(ExecutionMode::DenormPreserve, &[width]);
        }
    }
    let (capability, mode) = match e.shader.denorm_mode {
        1 => (Capability::DenormPreserve, ExecutionMode::DenormPreserve),
        2 => (
            Capability::DenormFlushToZero,
            ExecutionMode::DenormFlushToZero,
        ),
        _ => return,
    };
    e.b.caps.add(capability);
    e.b.execution_mode(mode, &[32]);
}
