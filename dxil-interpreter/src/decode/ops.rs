//! Calls of `dx.op` functions: handles are resolved to views, barriers end blocks, all else is
//! taken as it is.

use trellis_dxil_frontend::dxop::{DxCall, Effects, Op};
use trellis_dxil_frontend::module::Inst;
use trellis_dxil_frontend::shader::{ComponentType, ResourceClass, ResourceKind};

use super::Decoder;
use super::body::Body;
use crate::error::{Error, invalid, unsupported};
use crate::program::{HandleSource, Instr, Operand, View};
use crate::scalar::Scalar;

/// Bit of `Barrier`'s mode and of the semantic flags of the newer barriers: the threads of the
/// group wait for each other.
const GROUP_SYNC: u64 = 1;

impl<'m> Decoder<'m> {
    pub(super) fn dx(
        &mut self,
        body: &mut Body<'m>,
        inst: &Inst,
        call: &DxCall<'m>,
    ) -> Result<(), Error> {
        let outs = self.result(body, inst).unwrap_or_default();
        let out = self.first_slot(&outs);
        let mut args = Vec::new();
        for index in 0..call.args.len() {
            let Some(value) = call.operand(index) else {
                continue;
            };
            let leaves = self.operand(body, value)?;
            args.extend_from_slice(self.get(&leaves));
        }
        // Resources and views are searched from the start.
        self.spend(args.len() + self.shader.resources.len() + self.program.views.len())?;
        let constant = |index: usize| match args.get(index) {
            Some(&Operand::Const(value)) => Ok(value),
            _ => Err(invalid(format!(
                "operand {index} of {} is not a constant",
                call.op.name()
            ))),
        };
        let value = |index: usize| {
            args.get(index)
                .copied()
                .ok_or_else(|| invalid(format!("{} lacks an operand", call.op.name())))
        };
        match call.op {
            Op::CreateHandle => {
                let class = class(constant(0)?)?;
                let id = constant(1)? as u32;
                let resource = self.shader.resource(class, id).ok_or_else(|| {
                    invalid(format!("a handle of {class:?} {id}, which is not declared"))
                })?;
                known(resource.kind)?;
                let source = HandleSource::Register {
                    class,
                    space: resource.space,
                    view: self.view_of(resource),
                };
                self.emit(
                    body,
                    Instr::Handle {
                        out,
                        source,
                        index: value(2)?,
                    },
                )
            }
            Op::CreateHandleFromBinding => {
                let (lower, space, class) = (
                    constant(0)? as u32,
                    constant(2)? as u32,
                    class(constant(3)?)?,
                );
                let resource = self
                    .shader
                    .resources
                    .iter()
                    .find(|r| (r.class, r.space, r.lower_bound) == (class, space, lower));
                // The handle is annotated before it is used; until then this is as good as any.
                let view = match resource {
                    Some(resource) => {
                        known(resource.kind)?;
                        self.view_of(resource)
                    }
                    None => self.view(View {
                        class,
                        kind: ResourceKind::Invalid,
                        component: ComponentType::Invalid,
                        stride: 0,
                    }),
                };
                self.emit(
                    body,
                    Instr::Handle {
                        out,
                        source: HandleSource::Register { class, space, view },
                        index: value(4)?,
                    },
                )
            }
            Op::CreateHandleFromHeap => {
                let source = if constant(1)? == 0 {
                    HandleSource::ResourceHeap
                } else {
                    HandleSource::SamplerHeap
                };
                self.emit(
                    body,
                    Instr::Handle {
                        out,
                        source,
                        index: value(0)?,
                    },
                )
            }
            Op::AnnotateHandle => {
                let view = properties([constant(1)? as u32, constant(2)? as u32])
                    .ok_or_else(|| invalid("resource properties of an unknown kind"))?;
                let view = self.view(view);
                self.emit(
                    body,
                    Instr::Annotate {
                        out,
                        handle: value(0)?,
                        view,
                    },
                )
            }
            Op::CreateHandleForLib => self.emit(
                body,
                Instr::LibraryHandle {
                    out,
                    pointer: value(0)?,
                },
            ),
            Op::Barrier if constant(0)? & GROUP_SYNC != 0 => self.barrier(body),
            Op::BarrierByMemoryType | Op::BarrierByMemoryHandle
                if constant(1)? & GROUP_SYNC != 0 =>
            {
                self.barrier(body)
            }
            // Lanes see each other's memory at once: a fence has nothing to do.
            Op::Barrier | Op::BarrierByMemoryType | Op::BarrierByMemoryHandle => Ok(()),
            op => {
                let ty = match call.overload(self.module, body.function) {
                    Some(ty) => self
                        .layouts
                        .leaves(ty)?
                        .first()
                        .map_or(Scalar::I32, |leaf| leaf.0),
                    None => Scalar::I32,
                };
                if call.args.len() != args.len() {
                    return Err(unsupported(format!("{} with vectors", op.name())));
                }
                if !crate::exec::is_supported(op) {
                    return Err(unsupported(op.name()));
                }
                if op.effects().any(Effects::DERIVATIVE) {
                    let [width, height, _] = self.program.threads;
                    self.program.square_quads = width % 2 == 0 && height % 2 == 0;
                }
                let start = self.program.operands.len() as u32;
                self.program.operands.extend(args);
                let args = start..self.program.operands.len() as u32;
                self.emit(
                    body,
                    Instr::Dx {
                        op,
                        ty,
                        out: out..out + outs.len() as u32,
                        args,
                    },
                )
            }
        }
    }
}

/// What this model has no resource for.
fn known(kind: ResourceKind) -> Result<(), Error> {
    crate::exec::kind_of(kind)
        .map(drop)
        .ok_or_else(|| unsupported(format!("a resource of the kind {kind:?}")))
}

fn class(code: u64) -> Result<ResourceClass, Error> {
    ResourceClass::from_code(code as u32).ok_or_else(|| invalid("a handle of an unknown class"))
}

/// The two words of `%dx.types.ResourceProperties`: kind in bits 0 to 7 and UAV in bit 12 of the
/// first; element type in bits 0 to 7, or stride, in the second (DXC, `DxilResourceProperties`).
fn properties(words: [u32; 2]) -> Option<View> {
    let kind = ResourceKind::from_code(words[0] & 0xff)?;
    let class = match kind {
        ResourceKind::CBuffer => ResourceClass::CBuffer,
        ResourceKind::Sampler => ResourceClass::Sampler,
        _ if words[0] >> 12 & 1 != 0 => ResourceClass::Uav,
        _ => ResourceClass::Srv,
    };
    let (component, stride) = match kind {
        ResourceKind::StructuredBuffer => (ComponentType::Invalid, words[1]),
        ResourceKind::CBuffer
        | ResourceKind::Sampler
        | ResourceKind::RawBuffer
        | ResourceKind::RTAccelerationStructure => (ComponentType::Invalid, 0),
        _ => (ComponentType::from_code(words[1] & 0xff)?, 0),
    };
    Some(View {
        class,
        kind,
        component,
        stride,
    })
}
