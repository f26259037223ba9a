//! Single instructions, for the lanes that run together.

use super::{Machine, Wave};
use crate::alu;
use crate::dispatch::{Class, Place};
use crate::error::{Error, InvalidKind, invalid};
use crate::memory::{self, Pointer, Space};
use crate::program::{HandleSource, Instr, Slot, View, ViewId, place};
use crate::scalar::Scalar;

impl Machine<'_> {
    /// Runs an instruction for the lanes that are together here.
    pub(super) fn step(
        &mut self,
        wave: &mut Wave,
        instr: &Instr,
        lanes: &[usize],
    ) -> Result<(), Error> {
        if let Instr::Dx {
            action,
            ty,
            out,
            args,
        } = *instr
        {
            return self.dx(wave, action, ty, out, args, lanes);
        }
        for &lane in lanes {
            let result = match self.value(wave, instr, lane) {
                Some(result) => Some(result),
                None => self.effect(wave, instr, lane)?,
            };
            if let Some((out, value)) = result {
                wave.set(out, lane, value);
            }
        }
        Ok(())
    }

    /// Computes the result of an instruction that depends on its operands alone: slot and value.
    /// `None` for other instructions.
    #[inline]
    fn value(&self, wave: &Wave, instr: &Instr, lane: usize) -> Option<(Slot, u64)> {
        let (flush, get) = (self.program.flush, |operand| wave.get(operand, lane));
        Some(match *instr {
            Instr::Binary { op, ty, out, a, b } => {
                (out, alu::binary(op, ty, get(a), get(b), flush))
            }
            Instr::Compare {
                predicate,
                ty,
                out,
                a,
                b,
            } => (
                out,
                u64::from(alu::compare(predicate, ty, get(a), get(b), flush)),
            ),
            Instr::Cast {
                op,
                from,
                to,
                out,
                a,
            } => (out, alu::cast(op, from, to, get(a), flush)),
            Instr::Select {
                out,
                cond,
                then,
                other,
            } => (
                out,
                if get(cond) & 1 == 1 {
                    get(then)
                } else {
                    get(other)
                },
            ),
            Instr::Copy { out, a } => (out, get(a)),
            Instr::Element { out, index, parts } => {
                let parts = &self.program.operands[parts];
                let part = parts.get(get(index) as usize);
                (out, part.map_or(0, |&part| get(part)))
            }
            Instr::Replace {
                out,
                a,
                value,
                index,
                number,
            } => (
                out,
                if get(index) == u64::from(number) {
                    get(value)
                } else {
                    get(a)
                },
            ),
            Instr::Address {
                out,
                base,
                bytes,
                terms,
            } => {
                let terms = &self.program.terms[terms];
                let offset = |term: &crate::program::Term| {
                    (term.ty.signed(get(term.index)) as u64).wrapping_mul(term.stride)
                };
                let bytes = terms.iter().map(offset).fold(bytes, u64::wrapping_add);
                (out, Pointer(get(base)).add(bytes).0)
            }
            Instr::Annotate { out, handle, view } => (
                out,
                (get(handle) & 0xffff_ffff) | (u64::from(view.as_u32()) + 1) << 32,
            ),
            Instr::Load { .. }
            | Instr::Store { .. }
            | Instr::AtomicRmw { .. }
            | Instr::CompareExchange { .. }
            | Instr::Handle { .. }
            | Instr::LibraryHandle { .. }
            | Instr::Dx { .. } => return None,
        })
    }

    /// Runs an instruction on memory or the bound resources for one lane; slot and value of its
    /// result, if it has one.
    fn effect(
        &mut self,
        wave: &mut Wave,
        instr: &Instr,
        lane: usize,
    ) -> Result<Option<(Slot, u64)>, Error> {
        Ok(match *instr {
            Instr::Load {
                ty,
                out,
                pointer,
                offset,
            } => {
                let pointer = Pointer(wave.get(pointer, lane));
                Some((out, self.load(wave, lane, pointer, offset, ty)))
            }
            Instr::Store {
                ty,
                value,
                pointer,
                offset,
            } => {
                let (pointer, value) = (Pointer(wave.get(pointer, lane)), wave.get(value, lane));
                self.store(wave, lane, pointer, offset, ty, value);
                None
            }
            Instr::AtomicRmw {
                op,
                ty,
                out,
                pointer,
                value,
            } => {
                let (pointer, operand) = (Pointer(wave.get(pointer, lane)), wave.get(value, lane));
                let old = self.load(wave, lane, pointer, 0, ty);
                let new = alu::atomic(op, ty, old, operand);
                self.store(wave, lane, pointer, 0, ty, new);
                Some((out, old))
            }
            Instr::CompareExchange {
                ty,
                out,
                pointer,
                compare,
                new,
            } => {
                let pointer = Pointer(wave.get(pointer, lane));
                let (compare, new) = (wave.get(compare, lane), wave.get(new, lane));
                let old = self.load(wave, lane, pointer, 0, ty);
                if old == compare {
                    self.store(wave, lane, pointer, 0, ty, new);
                }
                wave.set(out.after(1), lane, u64::from(old == compare));
                Some((out, old))
            }
            Instr::Handle { out, source, index } => {
                Some((out, self.handle(source, wave.get(index, lane) as u32)?))
            }
            Instr::LibraryHandle { out, pointer } => {
                let pointer = Pointer(wave.get(pointer, lane));
                Some((out, self.library_handle(pointer)?))
            }
            Instr::Binary { .. }
            | Instr::Compare { .. }
            | Instr::Cast { .. }
            | Instr::Select { .. }
            | Instr::Copy { .. }
            | Instr::Element { .. }
            | Instr::Replace { .. }
            | Instr::Address { .. }
            | Instr::Annotate { .. }
            | Instr::Dx { .. } => None,
        })
    }

    /// Returns the object that a pointer points into.
    fn memory<'w>(
        &'w mut self,
        wave: &'w mut Wave,
        lane: usize,
        pointer: Pointer,
    ) -> Option<&'w mut [u8]> {
        let (objects, bytes, base) = match pointer.space() {
            Space::Record => return self.graph.record(pointer.object()).map(Vec::as_mut_slice),
            Space::Local => {
                let size = wave.local.len() / wave.width;
                (&self.program.locals, &mut wave.local, lane * size)
            }
            Space::Shared => (&self.program.shared, &mut self.shared, 0),
            Space::Table | Space::Resource | Space::Null => return None,
        };
        let object = objects.get(pointer.object())?;
        bytes.get_mut(base + object.start..base + object.start + object.size)
    }

    fn load(
        &mut self,
        wave: &mut Wave,
        lane: usize,
        pointer: Pointer,
        offset: u32,
        ty: Scalar,
    ) -> u64 {
        let at = u64::from(pointer.offset()) + u64::from(offset);
        match pointer.space() {
            Space::Table => self
                .program
                .tables
                .get(pointer.object())
                .filter(|object| at < object.size as u64)
                .map_or(0, |object| memory::read(&object.init, at, ty)),
            // A library's resource is its own pointer until it becomes a handle.
            Space::Resource => pointer.0,
            _ => self
                .memory(wave, lane, pointer)
                .map_or(0, |bytes| memory::read(bytes, at, ty)),
        }
    }

    fn store(
        &mut self,
        wave: &mut Wave,
        lane: usize,
        pointer: Pointer,
        offset: u32,
        ty: Scalar,
        value: u64,
    ) {
        let at = u64::from(pointer.offset()) + u64::from(offset);
        if let Some(bytes) = self.memory(wave, lane, pointer) {
            memory::write(bytes, at, ty, value);
        }
    }

    /// Returns a handle: number of the resource plus one in the low half, of the view plus one in
    /// the high half.
    fn handle(&self, source: HandleSource, index: u32) -> Result<u64, Error> {
        match source {
            HandleSource::Register { class, space, view } => {
                let place = place(class, space, index);
                let resource = self.lookup.get(&place).ok_or(Error::Unbound { place })?;
                Ok((u64::from(*resource) + 1) | (u64::from(view.as_u32()) + 1) << 32)
            }
            HandleSource::ResourceHeap | HandleSource::SamplerHeap => {
                let sampler = source == HandleSource::SamplerHeap;
                let place = Place {
                    class: if sampler { Class::Sampler } else { Class::Srv },
                    space: 0,
                    register: 0,
                    heap: Some(index),
                };
                let resource = self
                    .heap
                    .get(&(index, sampler))
                    .ok_or(Error::Unbound { place })?;
                Ok(u64::from(*resource) + 1)
            }
        }
    }

    fn library_handle(&self, pointer: Pointer) -> Result<u64, Error> {
        let variable = (pointer.space() == Space::Resource)
            .then(|| self.program.variables.get(pointer.object()))
            .flatten();
        let variable = variable.ok_or_else(|| invalid(InvalidKind::NotAResource))?;
        let index = variable
            .lower_bound
            .wrapping_add(pointer.offset() / variable.element);
        self.handle(
            HandleSource::Register {
                class: variable.class,
                space: variable.space,
                view: variable.view,
            },
            index,
        )
    }

    /// Returns the number of the acceleration structure of a handle.
    pub(super) fn structure(&self, handle: u64) -> Result<usize, Error> {
        let index = (handle as u32 as usize).checked_sub(1);
        let index = index.ok_or_else(|| invalid(InvalidKind::UndefinedHandle))?;
        if let Some(resource) = self.resources.get(index) {
            return Err(Error::Mismatch {
                place: resource.place,
                declared: "an acceleration structure".to_owned(),
                bound: format!("{:?}", resource.kind),
            });
        }
        Some(index - self.resources.len())
            .filter(|&number| number < self.structures.len())
            .ok_or_else(|| invalid(InvalidKind::UndefinedHandle))
    }

    /// Returns the number and view of the resource of a handle, if the bound one is what the shader
    /// declares.
    pub(super) fn resource(&self, handle: u64) -> Result<(usize, View), Error> {
        let index = (handle as u32 as usize)
            .checked_sub(1)
            .filter(|&index| index < self.resources.len())
            .ok_or_else(|| invalid(InvalidKind::UndefinedHandle))?;
        let view = ((handle >> 32) as u32)
            .checked_sub(1)
            .and_then(|view| self.program.views.get(ViewId::from_u32(view)))
            .ok_or_else(|| invalid(InvalidKind::UnannotatedHandle))?;
        super::buffer::check(&self.resources[index], view)?;
        Ok((index, *view))
    }
}
