//! From a handle operand to the descriptor that it names: `createHandle*` and `annotateHandle` have
//! no code of their own.

use trellis_dxil_frontend::dxop::{DxCall, Op as Dx};
use trellis_dxil_frontend::module::{Constant, Function, Module, ValueId, ValueKind};
use trellis_dxil_frontend::shader::{Resource, ResourceClass, Shader};

use super::view::View;
use crate::error::{Cause, Error, HandleFeature, InvalidKind};
use crate::values::FunctionBuilder;

/// Where a descriptor comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// A declared range: index into [`Shader::resources`].
    Range(u32),
    /// `ResourceDescriptorHeap`.
    ResourceHeap,
    /// `SamplerDescriptorHeap`.
    SamplerHeap,
}

/// A resolved handle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Handle {
    /// Range or heap.
    pub(crate) origin: Origin,
    /// What the descriptor looks like.
    pub(crate) view: View,
    /// Register (counted from register 0 of the space) or place in the heap.
    pub(crate) index: ValueId,
    /// The index may differ between the lanes of a wave.
    pub(crate) non_uniform: bool,
}

/// Annotations can be stacked; DXC makes one.
const MAX_CHAIN: usize = 16;

/// Follows a handle operand of `function` to its descriptor.
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
        let Some(call) = call else {
            return Err(HandleFeature::Selected { value: current }.into());
        };
        let operand = |i: usize| {
            call.operand(i).ok_or_else(|| {
                Cause::invalid(
                    InvalidKind::Operand,
                    format!("{} has no operand {i}", call.op.name()),
                )
            })
        };
        let number = |i: usize| -> Result<u32, Cause> {
            let value = module.const_int(Some(function), operand(i)?);
            value.map(|v| v as u32).ok_or_else(|| {
                Cause::invalid(
                    InvalidKind::Operand,
                    format!(
                        "operand {i} of {} must be a constant integer",
                        call.op.name()
                    ),
                )
            })
        };
        let range =
            |found: Option<usize>, index: ValueId, non_uniform: bool| -> Result<Handle, Cause> {
                let at = found.ok_or_else(|| {
                    Cause::invalid(
                        InvalidKind::Resource,
                        format!("{} names a resource that is not declared", call.op.name()),
                    )
                })?;
                let view = View::of_resource(&shader.resources[at]);
                Ok(Handle {
                    origin: Origin::Range(at as u32),
                    view,
                    index,
                    non_uniform,
                })
            };
        return match call.op {
            Dx::AnnotateHandle => {
                let words = struct_words::<2>(module, function, operand(1)?).ok_or_else(|| {
                    Cause::invalid(
                        InvalidKind::Operand,
                        "the properties of AnnotateHandle must be a constant struct of two i32",
                    )
                })?;
                if annotated.is_none() {
                    let view = View::of_properties(words);
                    annotated = Some(view.ok_or_else(|| {
                        Cause::invalid(
                            InvalidKind::Resource,
                            format!(
                                "AnnotateHandle with properties {:#x}, {:#x}",
                                words[0], words[1]
                            ),
                        )
                    })?);
                }
                current = operand(0)?;
                continue;
            }
            Dx::CreateHandle => {
                let (class, id) = (number(0)?, number(1)?);
                // The resources are sorted by class and number.
                let found = shader
                    .resources
                    .binary_search_by_key(&(class, id), |r| (r.class as u32, r.id))
                    .ok();
                range(found, operand(2)?, number(3)? != 0)
            }
            Dx::CreateHandleFromBinding => {
                let bind = struct_words::<4>(module, function, operand(0)?).ok_or_else(|| {
                    Cause::invalid(InvalidKind::Operand, "the binding of CreateHandleFromBinding must be a constant struct of four integers")
                })?;
                let class = ResourceClass::from_code(bind[3]).ok_or_else(|| {
                    Cause::invalid(InvalidKind::Resource, format!("resource class {}", bind[3]))
                })?;
                let found = shader
                    .resources
                    .iter()
                    .position(|r| r.class == class && r.space == bind[2] && covers(r, bind[0]));
                range(found, operand(1)?, number(2)? != 0)
            }
            Dx::CreateHandleFromHeap => {
                let origin = if number(1)? != 0 {
                    Origin::SamplerHeap
                } else {
                    Origin::ResourceHeap
                };
                let view = annotated.ok_or_else(|| {
                    Cause::invalid(
                        InvalidKind::Resource,
                        "a handle from a heap has no AnnotateHandle",
                    )
                })?;
                if (view.class == ResourceClass::Sampler) != (origin == Origin::SamplerHeap) {
                    return Err(Cause::invalid(
                        InvalidKind::Resource,
                        "a handle from the heap of samplers is annotated as a resource, or the reverse",
                    ));
                }
                Ok(Handle {
                    origin,
                    view,
                    index: operand(0)?,
                    non_uniform: number(2)? != 0,
                })
            }
            other => Err(other.into()),
        };
    }
    Err(Cause::invalid(
        InvalidKind::Resource,
        format!("more than {MAX_CHAIN} annotations of a handle"),
    ))
}

fn covers(r: &Resource, register: u32) -> bool {
    register
        .checked_sub(r.lower_bound)
        .is_some_and(|offset| offset < r.range_size)
}

/// The fields of a constant struct of `N` small integers.
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

/// The descriptor that a handle operand names.
pub(crate) fn handle(e: &FunctionBuilder<'_>, value: ValueId) -> Result<Handle, Error> {
    resolve(e.module, e.shader, e.function, value).map_err(|cause| cause.at(e.location()))
}

/// The handle in operand `index` of a call.
pub(crate) fn arg_handle(
    e: &FunctionBuilder<'_>,
    call: &DxCall<'_>,
    index: usize,
) -> Result<Handle, Error> {
    let value = e.arg_value(call, index)?;
    handle(e, value)
}
