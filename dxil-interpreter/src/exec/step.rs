//! Single instructions, for the lanes that run together.

use super::noise::Noise;
use super::{Machine, Wave};
use crate::alu;
use crate::error::{Error, InvalidKind, invalid};
use crate::memory::{self, Pointer, Space};
use crate::program::{Access, Compute, HandleSource, Instr, Slot, Term, View, ViewId, place};
use crate::scalar::Scalar;

/// Bit of a handle's number that is the index of a resource that the heap lacks.
const IN_HEAP: u32 = 1 << 31;

impl Machine<'_> {
    /// Runs an instruction for the lanes that are together here.
    pub(super) fn step(
        &mut self,
        wave: &mut Wave,
        instr: &Instr,
        lanes: &[usize],
    ) -> Result<(), Error> {
        match *instr {
            Instr::Compute(out, ref op) => {
                for &lane in lanes {
                    let value = self.compute(wave, op, lane);
                    wave.set(out, lane, value);
                }
            }
            Instr::Access(out, ref op) => {
                for &lane in lanes {
                    let value = self.access(wave, out, op, lane)?;
                    wave.set(out, lane, value);
                }
            }
            Instr::Store {
                ty,
                value,
                ptr,
                offset,
            } => {
                for &lane in lanes {
                    let (ptr, value) = (Pointer(wave.get(ptr, lane)), wave.get(value, lane));
                    self.store(wave, lane, ptr, offset, ty, value);
                }
            }
            Instr::Dx {
                action,
                ty,
                out,
                args,
            } => return self.dx(wave, action, ty, out, args, lanes),
        }
        Ok(())
    }

    /// Returns whether the next operation flushes denormals.
    pub(super) fn flushes(&self) -> bool {
        self.program.flush || self.noise.as_ref().is_some_and(Noise::flip)
    }

    #[inline]
    fn compute(&self, wave: &Wave, op: &Compute, lane: usize) -> u64 {
        let get = |operand| wave.get(operand, lane);
        let flush = self.flushes();
        match *op {
            Compute::Binary { op, ty, a, b } => {
                let (a, b) = (get(a), get(b));
                let value = alu::binary(op, ty, a, b, flush);
                match &self.noise {
                    Some(noise) => noise.binary(op, ty, a, b, value),
                    None => value,
                }
            }
            Compute::Compare { by, ty, a, b } => {
                u64::from(alu::compare(by, ty, get(a), get(b), flush))
            }
            Compute::Cast { op, from, to, a } => {
                let value = alu::cast(op, from, to, get(a), flush);
                match &self.noise {
                    Some(noise) => noise.cast(op, from, to, get(a), value),
                    None => value,
                }
            }
            Compute::Select { cond, then, .. } if get(cond) & 1 == 1 => get(then),
            Compute::Select { other, .. } => get(other),
            Compute::Copy(a) => get(a),
            Compute::Element { index, parts } => {
                let part = self.program.operands[parts].get(get(index) as usize);
                part.map_or(0, |&part| get(part))
            }
            Compute::Replace {
                a,
                value,
                index,
                number,
            } => get(if get(index) == u64::from(number) {
                value
            } else {
                a
            }),
            Compute::Address { base, bytes, terms } => {
                let terms = &self.program.terms[terms];
                let offset = |term: &Term| {
                    (term.ty.signed(get(term.index)) as u64).wrapping_mul(term.stride)
                };
                let bytes = terms.iter().map(offset).fold(bytes, u64::wrapping_add);
                Pointer(get(base)).add(bytes).0
            }
            Compute::Annotate { handle, view } => {
                (get(handle) & 0xffff_ffff) | (u64::from(view.as_u32()) + 1) << 32
            }
        }
    }

    /// Runs an access for one lane, and returns its result; a second one is written.
    fn access(
        &mut self,
        wave: &mut Wave,
        out: Slot,
        op: &Access,
        lane: usize,
    ) -> Result<u64, Error> {
        let pointer = |operand| Pointer(wave.get(operand, lane));
        Ok(match *op {
            Access::Load { ty, ptr, offset } => {
                let ptr = pointer(ptr);
                self.load(wave, lane, ptr, offset, ty)
            }
            Access::AtomicRmw { op, ty, ptr, value } => {
                let (ptr, operand) = (pointer(ptr), wave.get(value, lane));
                let old = self.load(wave, lane, ptr, 0, ty);
                let new = alu::atomic(op, ty, old, operand);
                self.store(wave, lane, ptr, 0, ty, new);
                old
            }
            Access::CompareExchange {
                has_flag,
                ty,
                ptr,
                old,
                new,
            } => {
                let (ptr, expected) = (pointer(ptr), wave.get(old, lane));
                let new = wave.get(new, lane);
                let old = self.load(wave, lane, ptr, 0, ty);
                if old == expected {
                    self.store(wave, lane, ptr, 0, ty, new);
                }
                if has_flag {
                    wave.set(out.after(1), lane, u64::from(old == expected));
                }
                old
            }
            Access::Handle { source, index } => {
                self.handle(source, wave.get(index, lane) as u32)?
            }
            Access::LibraryHandle(variable) => self.library_handle(pointer(variable))?,
        })
    }

    /// Returns the object that a pointer points into.
    pub(super) fn memory<'w>(
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
        let value = match pointer.space() {
            Space::Table => {
                let object = self.program.tables.get(pointer.object());
                let object = object.filter(|object| at < object.size as u64);
                object.map(|object| memory::read(&object.init, at, ty))
            }
            // A library's resource is its own pointer until it becomes a handle.
            Space::Resource => Some(pointer.0),
            _ => {
                let elsewhere = self.elsewhere();
                let bytes = self.memory(wave, lane, pointer);
                bytes.and_then(|bytes| {
                    let at = inside(at, ty, bytes.len() as u64, elsewhere)?;
                    Some(memory::read(bytes, at, ty))
                })
            }
        };
        // Loads out of bounds are undefined.
        value.unwrap_or_else(|| self.noise.as_ref().map_or(0, |noise| noise.any(ty)))
    }

    /// Returns where an access out of bounds may be, if anywhere.
    fn elsewhere(&self) -> Option<u64> {
        let noise = self.noise.as_ref().filter(|noise| noise.below(4) > 0);
        noise.map(|noise| noise.below(1 << 16) as u64)
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
        let elsewhere = self.elsewhere();
        if let Some(bytes) = self.memory(wave, lane, pointer)
            && let Some(at) = inside(at, ty, bytes.len() as u64, elsewhere)
        {
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
                let absent = IN_HEAP | index.min(IN_HEAP - 1);
                let resource = self.heap.get(&(index, sampler));
                Ok(resource.map_or(absent, |number| number + 1).into())
            }
        }
    }

    /// Returns the number in a handle and the view.
    fn number_and_view(&self, handle: u64) -> Result<(usize, Option<View>), Error> {
        let views = &self.program.views;
        let view = ((handle >> 32) as u32).checked_sub(1);
        let view = view.and_then(|view| views.get(ViewId::from_u32(view)));
        let number = handle as u32;
        match view {
            Some(&view) if number & IN_HEAP != 0 => Err(Error::NotInHeap {
                index: number & !IN_HEAP,
                view,
            }),
            view => {
                let index = (number as usize).checked_sub(1);
                let index = index.ok_or_else(|| invalid(InvalidKind::UndefinedHandle))?;
                Ok((index, view.copied()))
            }
        }
    }

    fn library_handle(&self, pointer: Pointer) -> Result<u64, Error> {
        let variable = (pointer.space() == Space::Resource)
            .then(|| self.program.variables.get(pointer.object()))
            .flatten();
        let variable = variable.ok_or_else(|| invalid(InvalidKind::NotAResource))?;
        let element = pointer.offset() / variable.element;
        let source = HandleSource::Register {
            class: variable.class,
            space: variable.space,
            view: variable.view,
        };
        self.handle(source, variable.lower_bound.wrapping_add(element))
    }

    /// Returns the number of the acceleration structure of a handle.
    pub(super) fn structure(&self, handle: u64) -> Result<usize, Error> {
        let (index, _) = self.number_and_view(handle)?;
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

    /// Returns the number and view of the resource of a handle, if the bound one matches the
    /// shader's declaration.
    pub(super) fn resource(&self, handle: u64) -> Result<(usize, View), Error> {
        let (index, view) = self.number_and_view(handle)?;
        if index >= self.resources.len() {
            return Err(invalid(InvalidKind::UndefinedHandle));
        }
        let view = view.ok_or_else(|| invalid(InvalidKind::UnannotatedHandle))?;
        super::buffer::check(&self.resources[index], &view)?;
        Ok((index, view))
    }
}

/// Returns the offset of an access, or another one of the object if it is out of bounds.
fn inside(at: u64, ty: Scalar, size: u64, elsewhere: Option<u64>) -> Option<u64> {
    if at < size {
        return Some(at);
    }
    let unit = u64::from(ty.bytes());
    elsewhere.map(|other| other % size.max(1) / unit * unit)
}
