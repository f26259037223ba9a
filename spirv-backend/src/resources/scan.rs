//! Properties of the whole module that are needed before the first resource is used.

use trellis_dxil_frontend::dxop::{DxCall, Op as Dx};
use trellis_dxil_frontend::module::{Function, InstKind, Type};
use trellis_dxil_frontend::shader::Shader;

use super::handle::{resolve, struct_words};
use crate::handles::{Handle, Origin, RangeId, ResourceDesc};
use crate::lower::Source;
use crate::options::Quirks;
use crate::values::{AtomicViews, FunctionContext};
use crate::vendor::FloatAtomic;

/// The atomic operations.
const ATOMICS: [Dx; 2] = [Dx::AtomicBinOp, Dx::AtomicCompareExchange];

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

/// Returns true if the shader may have images at all: else no call has to be looked at.
fn may_have_images(source: &Source<'_>, shader: &Shader) -> bool {
    let mut resources = shader.resources.iter();
    resources.any(|r| ResourceDesc::of_resource(r).is_image())
        || source.ops.calls(Dx::CreateHandleFromHeap)
}

/// Calls `visit` with each call of the given operations. These are found by opcode: the name of a
/// declaration has no meaning.
fn each_call<'m>(
    source: &Source<'m>,
    operations: &[Dx],
    mut visit: impl FnMut(&'m Function, DxCall<'m>),
) {
    if !operations.iter().any(|&op| source.ops.calls(op)) {
        return;
    }
    for function in source.module.functions.values() {
        for (id, inst) in function.insts.iter() {
            // An unreadable call is reported where the call is emitted.
            if matches!(inst.kind, InstKind::Call { .. })
                && let Ok(Some(call)) = source.ops.parse(source.module, function, id)
                && operations.contains(&call.op)
            {
                visit(function, call);
            }
        }
    }
}

/// Finds the images whose texels atomic operations access as other numbers than declared.
pub(crate) fn atomic_views(source: &Source<'_>, shader: &Shader) -> AtomicViews {
    let mut views = AtomicViews::default();
    if !may_have_images(source, shader) {
        return views;
    }
    let module = source.module;
    each_call(source, &ATOMICS, |function, call| {
        let Some(Ok(handle)) = call
            .operand(0)
            .map(|h| resolve(module, shader, function, h))
        else {
            return;
        };
        let Some(&Type::Int(bits)) = module.types.get(call.ty) else {
            return;
        };
        let operation = (bits, call.op == Dx::AtomicCompareExchange);
        let view = handle.atomic_view(module, function, operation, &mut views);
        if let Some((list, key)) = view {
            list.push(key);
        }
    });
    for list in [&mut views.wide, &mut views.words] {
        list.sort_unstable();
        list.dedup();
    }
    views
}

/// Finds the images with atomic operations.
pub(super) fn atomics(e: &FunctionContext<'_>) -> Images {
    images(e, &ATOMICS, |_, _| true)
}

/// Finds the images with atomic operations on halves.
pub(super) fn halves(e: &FunctionContext<'_>) -> Images {
    images(e, &[Dx::AtomicBinOp], |function, call| {
        let number = call.operand(1);
        let number = number.and_then(|value| e.module.const_int(Some(function), value));
        number
            .and_then(FloatAtomic::from_number)
            .is_some_and(|op| op != FloatAtomic::Add)
    })
}

/// Finds the images that are read without a sampler.
pub(super) fn reads(e: &FunctionContext<'_>) -> Images {
    images(e, &[Dx::BufferLoad, Dx::TextureLoad], |_, _| true)
}

fn images(
    e: &FunctionContext<'_>,
    operations: &[Dx],
    is_one: impl Fn(&Function, &DxCall<'_>) -> bool,
) -> Images {
    let (module, shader) = (e.module, e.shader);
    let mut found = Images::default();
    if !may_have_images(e.source, shader) {
        return found;
    }
    each_call(e.source, operations, |function, call| {
        if !is_one(function, &call) {
            return;
        }
        let Some(Ok(mut handle)) = call
            .operand(0)
            .map(|h| resolve(module, shader, function, h))
        else {
            return;
        };
        handle.add_views(module, function, e.views);
        let Handle { origin, desc, .. } = handle;
        if desc.is_image() && !found.has(origin, &desc) {
            match origin {
                Origin::Range(at) => found.ranges.push(at),
                Origin::ResourceHeap | Origin::SamplerHeap => found.heap.push(desc),
            }
        }
    });
    found
}

/// Returns true if barriers that wait for the group order accesses to UAVs for the device by a
/// quirk.
pub(super) fn promotes_barriers(source: &Source<'_>, quirks: &Quirks) -> bool {
    if quirks.device_barriers || !quirks.group_coherent_barriers {
        return quirks.device_barriers;
    }
    let barriers = [
        Dx::Barrier,
        Dx::BarrierByMemoryType,
        Dx::BarrierByMemoryHandle,
    ];
    let mut found = false;
    each_call(source, &barriers, |function, call| {
        let operand = call.operand(0);
        let operand = operand.and_then(|value| source.module.const_int(Some(function), value));
        found |= match (call.op, operand) {
            (Dx::Barrier, Some(mode)) => mode & 6 != 0,
            (Dx::BarrierByMemoryType, Some(memory)) => memory & 1 != 0,
            (Dx::BarrierByMemoryHandle, _) => true,
            _ => false,
        };
    });
    found
}

/// Returns true if the shader has rasterizer-ordered views.
pub(super) fn interlock(source: &Source<'_>, shader: &Shader) -> bool {
    let mut found = shader.resources.iter().any(|r| r.rasterizer_ordered);
    if source.ops.calls(Dx::CreateHandleFromHeap) {
        each_call(source, &[Dx::AnnotateHandle], |function, call| {
            let properties = call.operand(1);
            let words = properties.and_then(|p| struct_words(source.module, function, p));
            let desc = words.and_then(ResourceDesc::of_properties);
            found |= desc.is_some_and(|desc| desc.rasterizer_ordered);
        });
    }
    found
}
