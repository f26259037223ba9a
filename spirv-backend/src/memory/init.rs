//! Initializers of global variables as lists of slots.

use trellis_dxil_frontend::module::{Constant, Module, Type, TypeId, ValueId};

use super::layout::{Layouts, NoLayout};

/// Most scalars that an initializer may spell out; D3D limits the tables of a shader to far less.
const MAX_SCALARS: usize = 1 << 18;

/// A scalar of an initializer: byte offset, type, bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct InitScalar {
    pub(super) offset: u64,
    pub(super) ty: TypeId,
    pub(super) bits: u64,
}

/// Why an initializer cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BadInit {
    /// It is not made of plain numbers.
    Kind,
    /// It is too large.
    Size,
}

impl From<NoLayout> for BadInit {
    fn from(_: NoLayout) -> Self {
        Self::Kind
    }
}

/// Returns the scalars of an initializer that are neither zero by `null` nor undefined, in order of
/// their offsets.
pub(super) fn scalars(
    module: &Module,
    layouts: &mut Layouts,
    ty: TypeId,
    init: ValueId,
) -> Result<Vec<InitScalar>, BadInit> {
    let mut found = Vec::new();
    let mut work = vec![(0u64, ty, init)];
    // The budget counts aggregates too: a small constant can name a large one many times.
    let mut budget = MAX_SCALARS;
    while let Some((offset, ty, value)) = work.pop() {
        let constant = &module.constant(None, value).ok_or(BadInit::Kind)?.value;
        match constant {
            Constant::Null | Constant::Undef => {}
            Constant::Int(bits) | Constant::Float(bits) => found.push(InitScalar {
                offset,
                ty,
                bits: *bits,
            }),
            Constant::Data(numbers) => {
                let element = element_type(module, ty).ok_or(BadInit::Kind)?;
                let size = layouts.of(module, element)?.size;
                budget = budget.checked_sub(numbers.len()).ok_or(BadInit::Size)?;
                found.extend(numbers.iter().enumerate().map(|(i, &bits)| InitScalar {
                    offset: offset.wrapping_add(i as u64 * size),
                    ty: element,
                    bits,
                }));
            }
            Constant::Aggregate(parts) => {
                let parts = &module.const_operands[parts.range()];
                budget = budget.checked_sub(parts.len()).ok_or(BadInit::Size)?;
                // Pushed from the last to the first, so that they are taken in order.
                for (i, &part) in parts.iter().enumerate().rev() {
                    let part = ValueId::from_u32(part);
                    let (at, ty) = match element_type(module, ty) {
                        Some(element) => {
                            let size = layouts.of(module, element)?.size;
                            (size.wrapping_mul(i as u64), element)
                        }
                        None => layouts.field(module, ty, i as u64)?,
                    };
                    work.push((offset.wrapping_add(at), ty, part));
                }
            }
            _ => return Err(BadInit::Kind),
        }
    }
    Ok(found)
}

fn element_type(module: &Module, ty: TypeId) -> Option<TypeId> {
    match module.types.get(ty)? {
        Type::Array { element, .. } | Type::Vector { element, .. } => Some(*element),
        _ => None,
    }
}
