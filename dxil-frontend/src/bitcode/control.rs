//! Instructions of control flow: terminators, phi, call; and the rules between blocks.

use std::iter::successors;

use trellis_entity::EntityRef;

use crate::error::Place;
use crate::limits;
use crate::module::{
    ArithFlags, BlockId, InstKind, METADATA_ARG, PoolRange, Type, TypeId, ValueId,
};

use super::Result;
use super::errors::{
    bad_field, control_flow, length_error, operand_type, same_type, too_many, unresolved,
    unsupported,
};
use super::fields::{Fields, signed};
use super::function::Body;
use super::operators::fast_math;

/// `switch` of LLVM 3.3 with case ranges is marked by this number in the upper half of its first
/// field.
const SWITCH_MAGIC: u64 = 0x4b5;

/// Scratch memory of [`Body::check_phis`].
#[derive(Default)]
pub(super) struct PhiCheck {
    /// Source of each edge, and the number (index + 1) of the edge before it with the same target.
    edges: Vec<(BlockId, u32)>,
    blocks: Vec<EdgesOf>,
}

/// The edges of a block.
#[derive(Clone, Copy, Default)]
struct EdgesOf {
    /// Number of the last edge to it.
    last: u32,
    /// Edges from it to the current block.
    expected: u32,
    /// Number of these that the phi has so far, and its value for them.
    found: u32,
    value: ValueId,
}

impl Body<'_> {
    /// Returns the target of a branch: any block but the entry.
    fn target(&self, number: u64) -> Result<BlockId> {
        let id = self.block_id(number)?;
        if number == 0 {
            Err(control_flow("branch to the entry block"))
        } else {
            Ok(id)
        }
    }

    /// Reads a `ret`: `[value?]`.
    #[inline(never)]
    pub(super) fn ret(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let Type::Function { ret, .. } = *self.builder.module.ty(self.f.ty) else {
            return operand_type("function", self.f.ty, "a function type");
        };
        let value = if fields.left() == 0 {
            same_type("returned value", self.void, ret)?;
            None
        } else {
            let (value, ty) = self.value(&mut fields)?;
            same_type("returned value", ty, ret)?;
            Some(value)
        };
        fields.done("a value or none")?;
        self.push(InstKind::Ret { value }, self.void)
    }

    /// Reads a `br`: `[target]` or `[true, false, condition]`.
    #[inline(never)]
    pub(super) fn br(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let then = self.target(fields.take()?)?;
        if fields.left() == 0 {
            return self.push(InstKind::Br { target: then }, self.void);
        }
        let else_ = self.target(fields.take()?)?;
        let bool_ty = self.builder.bool_type();
        let cond = self.value_of("condition", bool_ty, &mut fields)?;
        fields.done("1 or 3 fields")?;
        self.push(InstKind::CondBr { cond, then, else_ }, self.void)
    }

    /// Reads a `switch`: `[type, condition, default, (value number of the case, block)…]`.
    #[inline(never)]
    pub(super) fn switch(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let first = fields.take()?;
        if first >> 16 == SWITCH_MAGIC {
            return self.switch_ranges(fields);
        }
        let ty = self.switch_type(first)?;
        let value = self.value_of("condition of switch", ty, &mut fields)?;
        let default = self.target(fields.take()?)?;
        if !fields.left().is_multiple_of(2) {
            return Err(length_error("a value and a block for each case"));
        }
        let start = self.f.pool.len();
        while fields.left() > 0 {
            let number = fields.index("case")?;
            let Some(&data) = self.defined(number) else {
                return Err(unresolved(number, self.next_value()));
            };
            same_type("case", data.ty, ty)?;
            let Some(literal) = self.builder.constant_int(data) else {
                return operand_type("case", data.ty, "an integer constant");
            };
            let target = self.target(fields.take()?)?;
            self.f
                .pool
                .extend([literal as u32, (literal >> 32) as u32, target.as_u32()]);
        }
        let cases = self.pool_range(start);
        self.push(
            InstKind::Switch {
                value,
                default,
                cases,
            },
            self.void,
        )
    }

    fn switch_type(&self, index: u64) -> Result<TypeId> {
        let ty = self.builder.type_at(index)?;
        if self.builder.is_int(ty) {
            Ok(ty)
        } else {
            operand_type("condition of switch", ty, "an integer")
        }
    }

    /// `[magic, type, condition, default, number of cases, (number of items, (is single, low, high?)…, block)…]`
    fn switch_ranges(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let index = fields.take()?;
        let ty = self.switch_type(index)?;
        let Type::Int(bits) = *self.builder.module.ty(ty) else {
            return operand_type("condition of switch", ty, "an integer");
        };
        let mask = u64::MAX >> (64 - bits.clamp(1, 64));
        let value = self.value_of("condition of switch", ty, &mut fields)?;
        let default = self.target(fields.take()?)?;
        let start = self.f.pool.len();
        let mut expanded = 0;
        for _ in 0..fields.take()? {
            let case_start = self.f.pool.len();
            for _ in 0..fields.take()? {
                let is_single = fields.flag("single value")?;
                let low = signed(fields.take()?) as u64 & mask;
                let high = if is_single {
                    low
                } else {
                    signed(fields.take()?) as u64 & mask
                };
                let count = high.checked_sub(low).map_or(0, |n| n.saturating_add(1));
                expanded = count.saturating_add(expanded);
                if expanded > limits::MAX_SWITCH_RANGE_CASES {
                    let limit = limits::MAX_SWITCH_RANGE_CASES;
                    return Err(too_many("cases of a switch", expanded, limit));
                }
                for literal in (low..=high).take(count as usize) {
                    self.f
                        .pool
                        .extend([literal as u32, (literal >> 32) as u32, 0]);
                }
            }
            let target = self.target(fields.take()?)?;
            let triples = self.f.pool.get_mut(case_start..).unwrap_or_default();
            triples
                .chunks_exact_mut(3)
                .for_each(|triple| triple[2] = target.as_u32());
        }
        fields.done("the cases that the record announces")?;
        let cases = self.pool_range(start);
        self.push(
            InstKind::Switch {
                value,
                default,
                cases,
            },
            self.void,
        )
    }

    /// Reads a `phi`: `[type, (value, block)…]`; values are signed relative numbers.
    #[inline(never)]
    pub(super) fn phi(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let ty = self.builder.type_at(fields.take()?)?;
        if !self.builder.is_first_class(ty) {
            return operand_type("phi", ty, "a first-class type");
        }
        if !fields.left().is_multiple_of(2) {
            return Err(length_error(
                "a type, then a value and a block for each predecessor",
            ));
        }
        if self.past_phis() {
            return Err(control_flow("phi after another instruction of its block"));
        }
        let (start, next) = (self.f.pool.len(), self.next_value());
        while fields.left() > 0 {
            let field = fields.take()?;
            let number = if self.relative_ids {
                i64::from(next).checked_sub(signed(field))
            } else {
                i64::try_from(field).ok()
            };
            let number = number.and_then(|n| u32::try_from(n).ok());
            let Some(number) = number else {
                return Err(bad_field("operand of phi", field, "a value number"));
            };
            let value = self.number_of("operand of phi", ty, number)?;
            let block = self.block_id(fields.take()?)?;
            self.f.pool.extend([value.as_u32(), block.as_u32()]);
        }
        let incoming = self.pool_range(start);
        self.has_phis = true;
        self.push(InstKind::Phi { incoming }, ty)
    }

    /// `[attributes, flags, fast-math flags?, function type?, callee, argument…]`; flags: tail 0,
    /// calling convention 1 to 10, must-tail 14, explicit type 15, no-tail 16, fast-math 17.
    #[inline(never)]
    pub(super) fn call(&mut self, fields: Fields<'_>) -> Result<()> {
        match self.usual_call(fields.rest()) {
            Some((kind, ret)) => self.push(kind, ret),
            None => self.any_call(fields),
        }
    }

    /// Returns the call if it is as LLVM writes it, of a function and with arguments that are defined
    /// before. Nearly all are: `None` is not an error.
    #[inline(always)]
    fn usual_call(&mut self, fields: &[u64]) -> Option<(InstKind, TypeId)> {
        let &[attributes, bits, written, callee, ref arguments @ ..] = fields else {
            return None;
        };
        let module = &self.builder.module;
        // Only arguments of this function can be metadata or labels.
        // Of the flags above the calling convention the explicit type alone.
        let is_usual = bits >> 14 == 2
            && attributes <= module.attributes.len().min(usize::from(u16::MAX)) as u64
            && self.relative_ids
            && !self.has_metadata_arguments;
        #[cfg(test)]
        let is_usual = is_usual && !self.builder.only_any_calls;
        if !is_usual {
            return None;
        }
        let next = u64::from(self.next_value());
        let callee = next.checked_sub(callee)?;
        let ty = self.type_of(callee as u32)?;
        let &Type::Pointer { pointee, .. } = module.types.get(ty)? else {
            return None;
        };
        let Type::Function {
            ret,
            params,
            vararg: false,
        } = module.types.get(pointee)?
        else {
            return None;
        };
        if u64::from(pointee.as_u32()) != written || params.len() != arguments.len() {
            return None;
        }
        for (&ty, &field) in params.iter().zip(arguments) {
            let number = next.checked_sub(field)?;
            if self.type_of(number as u32) != Some(ty) {
                return None;
            }
        }
        let pool = &mut self.f.pool;
        let start = pool.len();
        pool.extend(arguments.iter().map(|&field| (next - field) as u32));
        let kind = InstKind::Call {
            callee: ValueId::from_u32(callee as u32),
            args: PoolRange::new(start, pool.len()),
            flags: ArithFlags::default(),
            cc: (bits >> 1 & 0x3ff) as u16,
            tail: (bits & 1) as u8,
            attributes: attributes as u16,
        };
        Some((kind, *ret))
    }

    #[inline(never)]
    fn any_call(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let attributes = self.builder.attribute_list_of_call(fields.take()?)?;
        let bits = fields.index("flags of the call")?;
        let flags = if bits >> 17 & 1 != 0 {
            fast_math(fields.take()?)
        } else {
            ArithFlags::default()
        };
        let written = if bits >> 15 & 1 != 0 {
            Some(self.builder.type_at(fields.take()?)?)
        } else {
            None
        };
        let (callee, callee_ty) = self.value(&mut fields)?;
        let (fn_ty, _) = self.builder.pointee("callee", callee_ty)?;
        same_type("callee", written.unwrap_or(fn_ty), fn_ty)?;
        let Type::Function {
            ret,
            ref params,
            vararg,
        } = *self.builder.module.ty(fn_ty)
        else {
            return operand_type("callee", callee_ty, "a pointer to a function");
        };
        let (start, count) = (self.f.pool.len(), params.len());
        for index in 0..count {
            // The table may grow, but entries stay.
            let ty = match self.builder.module.ty(fn_ty) {
                Type::Function { params, .. } => params[index],
                _ => ret,
            };
            let number = self.absolute(fields.index("argument")?);
            let entry = match self.type_of(number) {
                Some(found)
                    if found == ty
                        && !matches!(self.builder.module.ty(ty), Type::Metadata | Type::Label) =>
                {
                    number
                }
                _ => self.unusual_argument(ty, number)?,
            };
            self.f.pool.push(entry);
        }
        while vararg && fields.left() > 0 {
            let (value, _) = self.value(&mut fields)?;
            self.f.pool.push(value.as_u32());
        }
        fields.done("one argument per parameter of the callee")?;
        let args = self.pool_range(start);
        let tail = u8::from(bits & 1 != 0)
            | u8::from(bits >> 14 & 1 != 0) << 1
            | u8::from(bits >> 16 & 1 != 0) << 2;
        let kind = InstKind::Call {
            callee,
            args,
            flags,
            cc: (bits >> 1 & 0x3ff) as u16,
            tail,
            attributes,
        };
        self.push(kind, ret)
    }

    /// Returns the argument that is not a value defined before the call: metadata, a value defined
    /// later, or an error.
    #[cold]
    fn unusual_argument(&mut self, ty: TypeId, number: u32) -> Result<u32> {
        match self.builder.module.ty(ty) {
            Type::Metadata => {
                let id = self.metadata_argument(number)?;
                self.f.metadata_operands.push(id);
                Ok((self.f.metadata_operands.len() as u32 - 1) | METADATA_ARG)
            }
            Type::Label => Err(unsupported("basic block as an argument")),
            _ if self.is_node_object(ty, number) => Ok(number),
            _ => Ok(self.number_of("argument", ty, number)?.as_u32()),
        }
    }

    /// Returns true for an object of a node, a struct of HLSL's, where a handle is expected: so
    /// compilers write exported functions whose parameters are such objects. A user of the handle
    /// does not find the operation that makes it, and is not translated.
    fn is_node_object(&self, ty: TypeId, number: u32) -> bool {
        let name = |ty| match self.builder.module.ty(ty) {
            Type::Struct {
                name: Some(name), ..
            } => Some(&**name),
            _ => None,
        };
        let is_handle = matches!(
            name(ty),
            Some("dx.types.NodeHandle" | "dx.types.NodeRecordHandle")
        );
        // A handle of another kind is a named structure, too, but of DXIL's own types.
        let is_object = |ty| name(ty).is_some_and(|name| !name.starts_with("dx.types."));
        is_handle && self.type_of(number).is_some_and(is_object)
    }

    /// Checks that each phi has one operand for each edge that enters its block.
    #[inline(never)]
    pub(super) fn check_phis(&mut self) -> Result<()> {
        if !self.has_phis {
            return Ok(());
        }
        let f = &self.f;
        let PhiCheck { edges, blocks } = &mut self.builder.phis;
        edges.clear();
        edges.reserve(2 * f.blocks.len());
        blocks.clear();
        blocks.resize(f.blocks.len(), EdgesOf::default());
        for block in f.blocks.keys() {
            for target in f.successors(&f.terminator(block).kind) {
                let last = &mut blocks[target.index()].last;
                edges.push((block, *last));
                *last = edges.len() as u32;
            }
        }
        for (block, data) in f.blocks.iter() {
            let edge = |number: u32| edges.get((number as usize).wrapping_sub(1)).copied();
            let last = blocks[block.index()].last;
            let sources = || {
                let all = successors(edge(last), move |&(_, next)| edge(next));
                all.map(|(source, _)| source.index())
            };
            let mut count = 0;
            for (index, inst) in (0..).zip(&f.insts[data.insts]) {
                let InstKind::Phi { incoming } = inst.kind else {
                    break;
                };
                let fail = |what| {
                    let place = Place {
                        basic_block: Some(block.as_u32()),
                        instruction: Some(data.insts.start().as_u32() + index),
                        ..Place::default()
                    };
                    Err(control_flow(what).within(usize::MAX, place))
                };
                if index == 0 {
                    sources().for_each(|source| blocks[source].expected += 1);
                    count = sources().count();
                }
                if incoming.len() / 2 != count {
                    return fail("phi without exactly one operand for each edge into its block");
                }
                for (value, source) in f.phi_incoming(incoming) {
                    let of = &mut blocks[source.index()];
                    if of.found > 0 && of.value != value {
                        return fail("phi with different values for the edges from one block");
                    }
                    (of.found, of.value) = (of.found + 1, value);
                    if of.found > of.expected {
                        return fail(
                            "phi without exactly one operand for each edge into its block",
                        );
                    }
                }
                f.phi_incoming(incoming)
                    .for_each(|(_, source)| blocks[source.index()].found = 0);
            }
            if count > 0 {
                sources().for_each(|source| blocks[source].expected = 0);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Builder;
    use crate::container::Container;

    /// Returns the functions, or the error.
    fn functions(bytes: &[u8], only_any_calls: bool) -> String {
        let builder = Builder {
            only_any_calls,
            ..Builder::default()
        };
        match builder.read(bytes, 0) {
            Ok(module) => format!("{:?}", module.functions),
            Err(error) => format!("{error:?}"),
        }
    }

    #[test]
    fn damaged_or_not_usual_calls_are_read_as_any_calls() {
        let files = [
            &include_bytes!("../../tests/data/compute.dxil")[..],
            include_bytes!("../../tests/data/compute_16bit.dxil"),
            include_bytes!("../../tests/data/pixel.dxil"),
        ];
        let mut seed = 5_u64;
        let mut random = move |below: usize| {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 33) as usize % below
        };
        let mut read = 0;
        for file in files {
            let container = Container::open(file).unwrap();
            for program in container.programs() {
                let mut bytes = program.unwrap().bitcode.to_vec();
                let usual = functions(&bytes, false);
                assert!(usual == functions(&bytes, true), "not damaged");
                for _ in 0..200 {
                    let (at, bit) = (random(bytes.len()), 1 << random(8));
                    bytes[at] ^= bit;
                    let usual = functions(&bytes, false);
                    read += usize::from(usual.contains("Call {"));
                    let any = functions(&bytes, true);
                    assert!(usual == any, "bit {bit:#x} of byte {at}");
                    bytes[at] ^= bit;
                }
            }
        }
        assert!(read > 100, "{read} damaged programs that are read");
    }
}
