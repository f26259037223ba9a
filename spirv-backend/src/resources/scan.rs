//! Properties of the whole module that are needed before the first resource is used.

use trellis_dxil_frontend::dxop::{DxCall, Op as Dx};
use trellis_dxil_frontend::module::{Function, InstKind, Module, ValueId};
use trellis_dxil_frontend::shader::Shader;

use super::desc::ResourceDesc;
use super::handle::{Handle, Origin, RangeId, resolve};
use crate::options::Quirks;

/// Images on which some operations are used, which need a format in their type.
#[derive(Default)]
pub(super) struct Images {
    ranges: Vec<RangeId>,
    heap: Vec<ResourceDesc>,
}

impl Images {
    /// Returns true if such an operation is used on the descriptor.
    pub(super) fn has(&self, origin: Origin, desc: &ResourceDesc) -> bool {
        match origin {
            Origin::Range(at) => self.ranges.contains(&at),
            Origin::ResourceHeap | Origin::SamplerHeap => self.heap.contains(desc),
        }
    }
}

/// Returns the value numbers of the declarations whose names start with one of `classes` (without
/// `dx.op.`).
fn declarations(module: &Module, classes: &[&str]) -> Vec<ValueId> {
    let is_one = |f: &&Function| {
        let class = f.name.strip_prefix(trellis_dxil_frontend::dxop::PREFIX);
        f.is_declaration && class.is_some_and(|name| classes.iter().any(|c| name.starts_with(c)))
    };
    module
        .functions
        .values()
        .filter(is_one)
        .map(|f| f.value)
        .collect()
}

/// Calls `visit` with each call of the given declarations.
fn each_call<'m>(
    module: &'m Module,
    callees: &[ValueId],
    mut visit: impl FnMut(&'m Function, DxCall<'m>),
) {
    if callees.is_empty() {
        return;
    }
    for function in module.functions.values().filter(|f| !f.is_declaration) {
        for (id, inst) in function.insts.iter() {
            let InstKind::Call { callee, .. } = inst.kind else {
                continue;
            };
            if !callees.contains(&callee) {
                continue;
            }
            // An unreadable call is reported where the call is emitted.
            if let Ok(Some(call)) = DxCall::parse(module, function, id) {
                visit(function, call);
            }
        }
    }
}

/// Finds the images with atomic operations.
pub(super) fn atomics(module: &Module, shader: &Shader) -> Images {
    images(module, shader, &["atomicBinOp", "atomicCompareExchange"])
}

/// Finds the images that are read without a sampler.
pub(super) fn reads(module: &Module, shader: &Shader) -> Images {
    images(module, shader, &["bufferLoad", "textureLoad"])
}

fn images(module: &Module, shader: &Shader, operations: &[&str]) -> Images {
    let mut found = Images::default();
    each_call(
        module,
        &declarations(module, operations),
        |function, call| {
            let Some(Ok(Handle { origin, desc, .. })) = call
                .operand(0)
                .map(|h| resolve(module, shader, function, h))
            else {
                return;
            };
            if desc.is_image() && !found.has(origin, &desc) {
                match origin {
                    Origin::Range(at) => found.ranges.push(at),
                    Origin::ResourceHeap | Origin::SamplerHeap => found.heap.push(desc),
                }
            }
        },
    );
    found
}

/// Returns true if barriers that wait for the group order accesses to UAVs for the device by a
/// quirk.
pub(super) fn promotes_barriers(module: &Module, quirks: &Quirks) -> bool {
    if quirks.device_barriers || !quirks.group_coherent_barriers {
        return quirks.device_barriers;
    }
    let mut found = false;
    each_call(
        module,
        &declarations(module, &["barrier"]),
        |function, call| {
            let operand = call.operand(0);
            let operand = operand.and_then(|value| module.const_int(Some(function), value));
            found |= match (call.op, operand) {
                (Dx::Barrier, Some(mode)) => mode & 6 != 0,
                (Dx::BarrierByMemoryType, Some(memory)) => memory & 1 != 0,
                (Dx::BarrierByMemoryHandle, _) => true,
                _ => false,
            };
        },
    );
    found
}

/// Returns true if the shader has rasterizer-ordered views.
pub(super) fn interlock(module: &Module, shader: &Shader) -> bool {
    let mut found = shader.resources.iter().any(|r| r.rasterizer_ordered);
    if !declarations(module, &["createHandleFromHeap"]).is_empty() {
        each_call(
            module,
            &declarations(module, &["annotateHandle"]),
            |function, call| {
                if call.op == Dx::AnnotateHandle {
                    let handle = call.result.map(|h| resolve(module, shader, function, h));
                    found |= matches!(handle, Some(Ok(h)) if h.desc.rasterizer_ordered);
                }
            },
        );
    }
    found
}
