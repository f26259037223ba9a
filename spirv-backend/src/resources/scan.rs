//! Properties of the whole module that are needed before the first resource is used.

use trellis_dxil_frontend::dxop::{DxCall, Op as Dx};
use trellis_dxil_frontend::module::{Function, InstKind, Module, Type, ValueId};
use trellis_dxil_frontend::shader::Shader;

use super::handle::{resolve, struct_words};
use crate::handles::{Handle, Origin, RangeId, ResourceDesc};
use crate::options::{Options, Quirks};
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

/// Returns true if the shader may have images at all: else no call has to be looked at.
fn may_have_images(module: &Module, shader: &Shader, options: &Options) -> bool {
    let mut resources = shader.resources.iter();
    resources.any(|r| ResourceDesc::of_resource(r).is_image())
        || !declarations(module, classes(options, shader, &["createHandleFromHeap"])).is_empty()
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

/// Returns the classes of declarations to look at: all of them where a pass made calls, which keep the
/// callees of others.
fn classes<'a>(options: &Options, shader: &Shader, of_compilers: &'a [&'a str]) -> &'a [&'a str] {
    if options.vendor.applies(shader) {
        &[""]
    } else {
        of_compilers
    }
}

/// Finds the images whose texels atomic operations see as other numbers than their declaration
/// says.
pub(crate) fn atomic_views(module: &Module, shader: &Shader, options: &Options) -> AtomicViews {
    let mut views = AtomicViews::default();
    if !may_have_images(module, shader, options) {
        return views;
    }
    let operations = classes(
        options,
        shader,
        &["atomicBinOp.i64", "atomicCompareExchange"],
    );
    each_call(
        module,
        &declarations(module, operations),
        |function, call| {
            if !ATOMICS.contains(&call.op) {
                return;
            }
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
        },
    );
    for list in [&mut views.wide, &mut views.words] {
        list.sort_unstable();
        list.dedup();
    }
    views
}

/// Finds the images with atomic operations.
pub(super) fn atomics(e: &FunctionContext<'_>) -> Images {
    images(e, &["atomicBinOp", "atomicCompareExchange"], |_, call| {
        ATOMICS.contains(&call.op)
    })
}

/// Finds the images with atomic operations on halves.
pub(super) fn halves(e: &FunctionContext<'_>) -> Images {
    images(e, &["atomicBinOp"], |function, call| {
        let number = call.operand(1).filter(|_| call.op == Dx::AtomicBinOp);
        let number = number.and_then(|value| e.module.const_int(Some(function), value));
        number
            .and_then(FloatAtomic::from_number)
            .is_some_and(|op| op != FloatAtomic::Add)
    })
}

/// Finds the images that are read without a sampler.
pub(super) fn reads(e: &FunctionContext<'_>) -> Images {
    let operations = [Dx::BufferLoad, Dx::TextureLoad];
    images(e, &["bufferLoad", "textureLoad"], |_, call| {
        operations.contains(&call.op)
    })
}

fn images(
    e: &FunctionContext<'_>,
    names: &[&str],
    is_one: impl Fn(&Function, &DxCall<'_>) -> bool,
) -> Images {
    let (module, shader) = (e.module, e.shader);
    let mut found = Images::default();
    if !may_have_images(module, shader, e.options) {
        return found;
    }
    each_call(
        module,
        &declarations(module, classes(e.options, shader, names)),
        |function, call| {
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
                let properties = call.operand(1).filter(|_| call.op == Dx::AnnotateHandle);
                let words = properties.and_then(|p| struct_words(module, function, p));
                let desc = words.and_then(ResourceDesc::of_properties);
                found |= desc.is_some_and(|desc| desc.rasterizer_ordered);
            },
        );
    }
    found
}
