//! Single instructions, for the lanes that run together.

use trellis_dxil_frontend::shader::ResourceClass;

use super::{Machine, Wave};
use crate::alu;
use crate::dispatch::{Class, Place};
use crate::error::{Error, invalid};
use crate::memory::{self, Pointer, Space};
use crate::program::{HandleSource, Instr, View, place};
use crate::scalar::Scalar;

impl Machine<'_> {
    pub(super) fn step(
        &mut self,
        wave: &mut Wave,
        instr: &Instr,
        lanes: &[usize],
    ) -> Result<(), Error> {
        let flush = self.program.flush;
        for &lane in lanes {
            let get = |operand| wave.get(operand, lane);
            let (out, value) = match *instr {
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
                Instr::Element {
                    out,
                    index,
                    ref parts,
                } => {
                    let parts = &self.program.operands[parts.start as usize..parts.end as usize];
                    (
                        out,
                        parts.get(get(index) as usize).map_or(0, |&part| get(part)),
                    )
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
                    ref terms,
                } => {
                    let terms = &self.program.terms[terms.start as usize..terms.end as usize];
                    let offset = |term: &crate::program::Term| {
                        (term.ty.signed(get(term.index)) as u64).wrapping_mul(term.stride)
                    };
                    (
                        out,
                        Pointer(get(base))
                            .add(terms.iter().map(offset).fold(bytes, u64::wrapping_add))
                            .0,
                    )
                }
                Instr::Load {
                    ty,
                    out,
                    pointer,
                    offset,
                } => {
                    let pointer = Pointer(get(pointer));
                    (out, self.load(wave, lane, pointer, offset, ty))
                }
                Instr::Store {
                    ty,
                    value,
                    pointer,
                    offset,
                } => {
                    let (pointer, value) = (Pointer(get(pointer)), get(value));
                    self.store(wave, lane, pointer, offset, ty, value);
                    continue;
                }
                Instr::AtomicRmw {
                    op,
                    ty,
                    out,
                    pointer,
                    value,
                } => {
                    let (pointer, operand) = (Pointer(get(pointer)), get(value));
                    let old = self.load(wave, lane, pointer, 0, ty);
                    self.store(
                        wave,
                        lane,
                        pointer,
                        0,
                        ty,
                        alu::atomic(op, ty, old, operand),
                    );
                    (out, old)
                }
                Instr::CompareExchange {
                    ty,
                    out,
                    pointer,
                    compare,
                    new,
                } => {
                    let (pointer, compare, new) = (Pointer(get(pointer)), get(compare), get(new));
                    let old = self.load(wave, lane, pointer, 0, ty);
                    if old == compare {
                        self.store(wave, lane, pointer, 0, ty, new);
                    }
                    wave.set(out + 1, lane, u64::from(old == compare));
                    (out, old)
                }
                Instr::Handle { out, source, index } => {
                    (out, self.handle(source, get(index) as u32)?)
                }
                Instr::Annotate { out, handle, view } => (
                    out,
                    (get(handle) & 0xffff_ffff) | (u64::from(view) + 1) << 32,
                ),
                Instr::LibraryHandle { out, pointer } => {
                    (out, self.library_handle(Pointer(get(pointer)))?)
                }
                Instr::Dx {
                    action,
                    ty,
                    ref out,
                    ref args,
                } => return self.dx(wave, action, ty, out.clone(), args.clone(), lanes),
            };
            wave.set(out, lane, value);
        }
        Ok(())
    }

    /// The memory that a pointer points into, and where.
    fn memory<'w>(
        &'w mut self,
        wave: &'w mut Wave,
        lane: usize,
        pointer: Pointer,
    ) -> Option<&'w mut [u8]> {
        let (objects, bytes, base) = match pointer.space() {
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
            // A library's resource stands for itself until it becomes a handle.
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

    /// A handle: number of the resource plus one in the low half, of the view plus one in the high
    /// half. Samplers are never looked at: 0.
    fn handle(&self, source: HandleSource, index: u32) -> Result<u64, Error> {
        match source {
            HandleSource::SamplerHeap
            | HandleSource::Register {
                class: ResourceClass::Sampler,
                ..
            } => Ok(0),
            HandleSource::Register { class, space, view } => {
                let place = place(class, space, index);
                let resource = self.lookup.get(&place).ok_or(Error::Unbound { place })?;
                Ok((u64::from(*resource) + 1) | (u64::from(view) + 1) << 32)
            }
            HandleSource::ResourceHeap => {
                let place = Place {
                    class: Class::Srv,
                    space: 0,
                    register: 0,
                    heap: Some(index),
                };
                let resource = self
                    .heap
                    .get(&(index, false))
                    .ok_or(Error::Unbound { place })?;
                Ok(u64::from(*resource) + 1)
            }
        }
    }

    fn library_handle(&self, pointer: Pointer) -> Result<u64, Error> {
        let variable = (pointer.space() == Space::Resource)
            .then(|| self.program.variables.get(pointer.object()))
            .flatten();
        let variable =
            variable.ok_or_else(|| invalid("a handle of what is no resource variable"))?;
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

    /// Number and view of the resource of a handle, if the bound one is what the shader declares.
    pub(super) fn resource(&self, handle: u64) -> Result<(usize, View), Error> {
        let index = (handle as u32 as usize)
            .checked_sub(1)
            .filter(|&index| index < self.resources.len())
            .ok_or_else(|| invalid("an undefined handle"))?;
        let view = ((handle >> 32) as usize)
            .checked_sub(1)
            .and_then(|view| self.program.views.get(view))
            .ok_or_else(|| invalid("a handle that is not annotated"))?;
        super::buffer::check(&self.resources[index], view)?;
        Ok((index, *view))
    }
}
