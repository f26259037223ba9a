//! Resolution of a handle operand to the descriptor that it names: `createHandle*` and
//! `annotateHandle` emit no instructions.

use trellis_dxil_frontend::dxop::{DxCall, Op as Dx};
use trellis_dxil_frontend::module::{Constant, Function, Module, ValueId, ValueKind};
use trellis_dxil_frontend::shader::{ComponentType, Resource, ResourceClass, Shader};
use trellis_entity::EntityRef;

use crate::error::{Cause, Error, HandleFeature, InvalidKind};
use crate::handles::{Handle, Origin, RangeId, ResourceDesc};
use crate::values::{AtomicViews, FunctionBuilder, ViewKey};

impl Handle {
    /// Returns the key of the descriptor that is known before the code is emitted.
    fn key(&self, module: &Module, function: &Function) -> ViewKey {
        match self.origin {
            Origin::Range(at) => ViewKey::Range(at.index()),
            Origin::ResourceHeap | Origin::SamplerHeap => {
                match module.const_int(Some(function), self.index) {
                    Some(index) => ViewKey::HeapEntry(index),
                    None => ViewKey::HeapValue {
                        function: function.value,
                        index: self.index,
                    },
                }
            }
        }
    }

    /// Adds the atomic views of the image to its description.
    pub(super) fn add_views(&mut self, module: &Module, function: &Function, views: &AtomicViews) {
        if views.wide.is_empty() && views.words.is_empty() || !self.desc.is_image() {
            return;
        }
        let key = self.key(module, function);
        self.desc.atomic64 |= is_word_pair(&self.desc) && views.wide.binary_search(&key).is_ok();
        self.desc.words |= is_float(&self.desc) && views.words.binary_search(&key).is_ok();
    }

    /// Returns the atomic view that an operation of `bits` bits requires of the image (`compares`
    /// if it compares): the list of views and the key to add.
    pub(super) fn atomic_view<'v>(
        &self,
        module: &Module,
        function: &Function,
        (bits, compares): (u32, bool),
        views: &'v mut AtomicViews,
    ) -> Option<(&'v mut Vec<ViewKey>, ViewKey)> {
        let list = if bits == 64 && is_word_pair(&self.desc) {
            &mut views.wide
        } else if bits == 32 && compares && is_float(&self.desc) {
            &mut views.words
        } else {
            return None;
        };
        Some((list, self.key(module, function)))
    }
}

/// Returns true for writable images that may be of numbers of 64 bits: DXIL declares these as two
/// words, and marks only declared ranges.
fn is_word_pair(desc: &ResourceDesc) -> bool {
    let word = matches!(desc.component, ComponentType::U32 | ComponentType::I32);
    desc.is_image() && desc.class == ResourceClass::Uav && word
}

/// Returns true for writable images of floats of 32 bits.
fn is_float(desc: &ResourceDesc) -> bool {
    desc.is_image() && desc.class == ResourceClass::Uav && desc.component == ComponentType::F32
}

/// Annotations can be stacked; DXC makes one.
const MAX_CHAIN: usize = 16;

/// Returns a declared range.
pub(super) fn range(shader: &Shader, id: RangeId) -> &Resource {
    &shader.resources[id.index()]
}

/// Follows a handle operand of `function` to its descriptor.
///
/// # Errors
///
/// Fails if the handle is selected at run time, or if an operand is not of the form that DXC
/// writes.
pub(super) fn resolve(
    module: &Module,
    shader: &Shader,
    function: &Function,
    handle: ValueId,
) -> Result<Handle, Cause> {
    let mut annotated = None;
    let mut current = handle;
    for _ in 0..MAX_CHAIN {
        let call = match module.value(Some(function), current).map(|v| v.kind) {
            Some(ValueKind::Inst(inst)) => DxCall::parse(module, function, inst)
                .map_err(|e| Cause::invalid(InvalidKind::Operand, e.to_string()))?,
            _ => None,
        };
        let call = call.ok_or(HandleFeature::Selected { value: current })?;
        let call = HandleCall {
            module,
            shader,
            function,
            call,
        };
        if call.call.op == Dx::AnnotateHandle {
            // The outermost annotation counts.
            let desc = call.annotation(annotated.is_none())?;
            annotated = annotated.or(desc);
            current = call.operand(0)?;
        } else {
            return call.create(annotated);
        }
    }
    Err(Cause::invalid(
        InvalidKind::Resource,
        format!("more than {MAX_CHAIN} annotations of a handle"),
    ))
}

/// Returns the declared range that a handle operand is of, as an index in [`Shader::resources`].
pub(crate) fn declared_range(
    module: &Module,
    shader: &Shader,
    function: &Function,
    handle: ValueId,
) -> Option<usize> {
    let handle = resolve(module, shader, function, handle).ok()?;
    handle.origin.range().map(EntityRef::index)
}

/// A call that creates or annotates a handle.
struct HandleCall<'a> {
    module: &'a Module,
    shader: &'a Shader,
    function: &'a Function,
    call: DxCall<'a>,
}

impl HandleCall<'_> {
    fn operand(&self, i: usize) -> Result<ValueId, Cause> {
        self.call.operand(i).ok_or_else(|| {
            Cause::invalid(
                InvalidKind::Operand,
                format!("{} has no operand {i}", self.call.op.name()),
            )
        })
    }

    /// Returns the value of a constant integer operand.
    #[inline(always)]
    fn number(&self, i: usize) -> Result<u32, Cause> {
        let value = self.module.const_int(Some(self.function), self.operand(i)?);
        value.map(|v| v as u32).ok_or_else(|| {
            Cause::invalid(
                InvalidKind::Operand,
                format!(
                    "operand {i} of {} must be a constant integer",
                    self.call.op.name()
                ),
            )
        })
    }

    /// Returns the description in an `annotateHandle`, or `None` if it is not `needed`.
    fn annotation(&self, needed: bool) -> Result<Option<ResourceDesc>, Cause> {
        let words = struct_words::<2>(self.module, self.function, self.operand(1)?);
        let words = words.ok_or_else(|| {
            Cause::invalid(
                InvalidKind::Operand,
                "the properties of AnnotateHandle must be a constant struct of two i32",
            )
        })?;
        if !needed {
            return Ok(None);
        }
        match ResourceDesc::of_properties(words) {
            Some(desc) => Ok(Some(desc)),
            None => Err(Cause::invalid(
                InvalidKind::Resource,
                format!(
                    "AnnotateHandle with properties {:#x}, {:#x}",
                    words[0], words[1]
                ),
            )),
        }
    }

    /// Returns the handle that a `createHandle*` creates; `annotated` is the description from its
    /// annotations.
    fn create(&self, annotated: Option<ResourceDesc>) -> Result<Handle, Cause> {
        match self.call.op {
            Dx::CreateHandle => {
                let (class, id) = (self.number(0)?, self.number(1)?);
                // The resources are sorted by class and number.
                let found = self
                    .shader
                    .resources
                    .binary_search_by_key(&(class, id), |r| (r.class as u32, r.id))
                    .ok();
                self.in_range(found, self.operand(2)?, self.number(3)? != 0)
            }
            Dx::CreateHandleFromBinding => {
                let bind = struct_words::<4>(self.module, self.function, self.operand(0)?);
                let [lower, _, space, class] = bind.ok_or_else(|| {
                    Cause::invalid(
                        InvalidKind::Operand,
                        "the binding of CreateHandleFromBinding must be a constant struct of four \
                         integers",
                    )
                })?;
                let class = ResourceClass::from_code(class).ok_or_else(|| {
                    Cause::invalid(InvalidKind::Resource, format!("resource class {class}"))
                })?;
                let found = self
                    .shader
                    .resources
                    .iter()
                    .position(|r| r.class == class && r.space == space && covers(r, lower));
                self.in_range(found, self.operand(1)?, self.number(2)? != 0)
            }
            Dx::CreateHandleFromHeap => self.in_heap(annotated),
            other => Err(other.into()),
        }
    }

    /// Returns a handle to a register of the range that was found.
    fn in_range(
        &self,
        found: Option<usize>,
        index: ValueId,
        non_uniform: bool,
    ) -> Result<Handle, Cause> {
        let declared = found.and_then(|at| Some((at, self.shader.resources.get(at)?)));
        let (at, resource) = declared.ok_or_else(|| {
            Cause::invalid(
                InvalidKind::Resource,
                format!(
                    "{} names a resource that is not declared",
                    self.call.op.name()
                ),
            )
        })?;
        Ok(Handle {
            origin: Origin::Range(RangeId::new(at)),
            desc: ResourceDesc::of_resource(resource),
            index,
            non_uniform,
        })
    }

    /// Returns a handle to an entry of a descriptor heap.
    fn in_heap(&self, annotated: Option<ResourceDesc>) -> Result<Handle, Cause> {
        let desc = annotated.ok_or_else(|| {
            Cause::invalid(
                InvalidKind::Resource,
                "a handle from a heap has no AnnotateHandle",
            )
        })?;
        Ok(Handle {
            // The operand that names the heap is not reliable: DXC takes samplers from the resource heap.
            origin: match desc.class {
                ResourceClass::Sampler => Origin::SamplerHeap,
                _ => Origin::ResourceHeap,
            },
            desc,
            index: self.operand(0)?,
            non_uniform: self.number(2)? != 0,
        })
    }
}

fn covers(r: &Resource, register: u32) -> bool {
    register
        .checked_sub(r.lower_bound)
        .is_some_and(|offset| offset < r.range_size)
}

/// Returns the fields of a constant struct of `N` small integers.
pub(crate) fn struct_words<const N: usize>(
    module: &Module,
    function: &Function,
    value: ValueId,
) -> Option<[u32; N]> {
    let mut words = [0; N];
    match &module.constant(Some(function), value)?.value {
        Constant::Null => {}
        Constant::Aggregate(fields) => {
            let fields = module.const_operands.get(fields.range())?;
            if fields.len() != N {
                return None;
            }
            for (word, &field) in words.iter_mut().zip(fields) {
                *word = module.const_int(Some(function), ValueId::from_u32(field))? as u32;
            }
        }
        _ => return None,
    }
    Some(words)
}

/// Returns the descriptor that a handle operand names.
pub(crate) fn handle(e: &FunctionBuilder<'_>, value: ValueId) -> Result<Handle, Error> {
    if let Some(known) = e.handles.get(value) {
        return Ok(known);
    }
    let handle = follow(e, value)?;
    e.handles.set(value, handle);
    Ok(handle)
}

fn follow(e: &FunctionBuilder<'_>, value: ValueId) -> Result<Handle, Error> {
    let handle = resolve(e.module, e.shader, e.function, value);
    let mut handle = handle.map_err(|cause| cause.at(e.location()))?;
    handle.add_views(e.module, e.function, e.views);
    handle.non_uniform |=
        e.options.quirks.non_uniform_indices && e.const_int(handle.index).is_none();
    Ok(handle)
}

/// Returns the handle in operand `index` of a call.
pub(crate) fn arg_handle(e: &FunctionBuilder<'_>, index: usize) -> Result<Handle, Error> {
    let value = e.arg_value(index)?;
    handle(e, value)
}
