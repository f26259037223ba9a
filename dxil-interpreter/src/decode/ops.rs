//! Calls of `dx.op` functions: handles are resolved to views, barriers end blocks, every other
//! operation becomes an [`Action`].

use trellis_dxil_frontend::dxop::{
    BarrierOp, DxCall, FamilyOp, HandleOp, MeshOp, NodeOp, Op, RayQueryOp, SignatureOp,
};
use trellis_dxil_frontend::module::Inst;
use trellis_dxil_frontend::shader::{
    ComponentType, ResourceClass, ResourceKind, ShaderKind, Version,
};
use trellis_entity::EntityRange;

use super::Decoder;
use super::body::Body;
use crate::action::Action;
use crate::error::{Error, Feature, InvalidKind, invalid, unsupported};
use crate::program::{Access, Compute, HandleSource, Instr, Operand, Slot, View};
use crate::scalar::Scalar;
use crate::signature::Signature;

/// Bit of `Barrier`'s mode and of the semantic flags of the newer barriers: the threads of the
/// group wait for each other.
const GROUP_SYNC: u64 = 1;

/// First shader model in which quad operations of compute shaders use the quads of derivatives.
const SQUARE_QUADS: Version = Version { major: 6, minor: 6 };

/// Operands of a call: the scalars of all of them in a row.
struct Args {
    op: Op,
    scalars: Vec<Operand>,
}

impl Args {
    /// Returns operand `index`.
    fn value(&self, index: usize) -> Result<Operand, Error> {
        self.scalars
            .get(index)
            .copied()
            .ok_or_else(|| invalid(InvalidKind::MissingOperand { op: self.op }))
    }

    /// Returns the operands with the position of an element in place of its number, the first
    /// operand.
    fn with_element(mut self, signature: &Signature) -> Result<Self, Error> {
        let id = self.constant(0)? as u32;
        let position = signature.position(id);
        let position = position.ok_or_else(|| invalid(InvalidKind::UndeclaredElement { id }))?;
        self.scalars[0] = Operand::Const(position as u64);
        Ok(self)
    }

    /// Returns operand `index`, which must be constant.
    fn constant(&self, index: usize) -> Result<u64, Error> {
        match self.scalars.get(index) {
            Some(&Operand::Const(value)) => Ok(value),
            _ => Err(invalid(InvalidKind::OperandNotConstant {
                op: self.op,
                operand: index,
            })),
        }
    }
}

impl<'m> Decoder<'m> {
    pub(super) fn dx(
        &mut self,
        body: &mut Body<'m>,
        inst: &Inst,
        call: &DxCall<'m>,
    ) -> Result<(), Error> {
        let outs = self.result(body, inst).unwrap_or_default();
        let out = self.first_slot(outs);
        let mut scalars = Vec::new();
        for index in 0..call.args.len() {
            let Some(value) = call.operand(index) else {
                continue;
            };
            let leaves = self.operand(body, value)?;
            scalars.extend_from_slice(self.get(leaves));
        }
        // Resources and views are searched from the start.
        self.spend(scalars.len() + self.shader.resources.len() + self.program.views.len())?;
        let args = Args {
            op: call.op,
            scalars,
        };
        match call.op.classify() {
            FamilyOp::Handle(op) => self.handle(body, op, out, &args),
            FamilyOp::Barrier(op) => {
                let semantics = match op {
                    BarrierOp::Barrier => 0,
                    BarrierOp::BarrierByMemoryType
                    | BarrierOp::BarrierByMemoryHandle
                    | BarrierOp::BarrierByNodeRecordHandle => 1,
                };
                if args.constant(semantics)? & GROUP_SYNC != 0 {
                    return self.barrier(body);
                }
                // Lanes see each other's memory at once, so a fence has no effect.
                Ok(())
            }
            FamilyOp::RayQuery(RayQueryOp::AllocateRayQuery | RayQueryOp::AllocateRayQuery2) => {
                // The allocation's number is the query; undefined ones are 0. Whether a query
                // allows opacity micromaps has no effect: no structure of the inputs has them.
                self.program.queries.push(args.constant(0)? as u32);
                let a = Operand::Const(self.program.queries.len() as u64);
                self.emit(body, Instr::Compute(out, Compute::Copy(a)))
            }
            FamilyOp::Node(op) if self.kind == ShaderKind::Node => {
                let out = EntityRange::new(out, out.after(outs.len()));
                self.node(body, op, out, args)
            }
            FamilyOp::Node(_) => Err(unsupported(Feature::Operation(call.op))),
            FamilyOp::Signature(op) => {
                let out = EntityRange::new(out, out.after(outs.len()));
                // The control points that a domain shader reads are its inputs.
                let op = match op {
                    SignatureOp::LoadOutputControlPoint if self.kind == ShaderKind::Domain => {
                        SignatureOp::LoadInput
                    }
                    op => op,
                };
                let args = args.with_element(self.program.signatures.of(op))?;
                self.action(body, call, FamilyOp::Signature(op), out, args)
            }
            FamilyOp::Mesh(op) => {
                let out = EntityRange::new(out, out.after(outs.len()));
                self.mesh(body, call, op, out, args)
            }
            family => {
                let out = EntityRange::new(out, out.after(outs.len()));
                self.action(body, call, family, out, args)
            }
        }
    }

    /// Decodes an operation on a handle.
    fn handle(
        &mut self,
        body: &mut Body<'m>,
        op: HandleOp,
        out: Slot,
        args: &Args,
    ) -> Result<(), Error> {
        let (source, index) = match op {
            HandleOp::CreateHandle => {
                let class = class(args.constant(0)?)?;
                let id = args.constant(1)? as u32;
                let resource = self
                    .shader
                    .resource(class, id)
                    .ok_or_else(|| invalid(InvalidKind::UndeclaredResource { class, id }))?;
                check_kind(resource.kind)?;
                let source = HandleSource::Register {
                    class,
                    space: resource.space,
                    view: self.view_of(resource),
                };
                (source, args.value(2)?)
            }
            HandleOp::CreateHandleFromBinding => (self.binding(args)?, args.value(4)?),
            HandleOp::CreateHandleFromHeap => {
                let source = if args.constant(1)? == 0 {
                    HandleSource::ResourceHeap
                } else {
                    HandleSource::SamplerHeap
                };
                (source, args.value(0)?)
            }
            HandleOp::AnnotateHandle => {
                let view = properties([args.constant(1)? as u32, args.constant(2)? as u32])
                    .ok_or_else(|| invalid(InvalidKind::ResourceProperties))?;
                let (view, handle) = (self.view(view), args.value(0)?);
                return self.emit(
                    body,
                    Instr::Compute(out, Compute::Annotate { handle, view }),
                );
            }
            HandleOp::CreateHandleForLib => {
                let handle = Access::LibraryHandle(args.value(0)?);
                return self.emit(body, Instr::Access(out, handle));
            }
        };
        self.emit(body, Instr::Access(out, Access::Handle { source, index }))
    }

    /// Returns the source of a handle made by `CreateHandleFromBinding`.
    fn binding(&mut self, args: &Args) -> Result<HandleSource, Error> {
        let (lower, space) = (args.constant(0)? as u32, args.constant(2)? as u32);
        let class = class(args.constant(3)?)?;
        let resource = self
            .shader
            .resources
            .iter()
            .find(|r| (r.class, r.space, r.lower_bound) == (class, space, lower));
        let view = match resource {
            Some(resource) => {
                check_kind(resource.kind)?;
                self.view_of(resource)
            }
            // The handle is annotated before it is used, which replaces this view.
            None => self.view(View {
                class,
                kind: ResourceKind::Invalid,
                component: ComponentType::Invalid,
                stride: 0,
                components: 0,
                compares_or_counts: false,
            }),
        };
        Ok(HandleSource::Register { class, space, view })
    }

    /// Decodes an operation of a node of a work graph.
    fn node(
        &mut self,
        body: &mut Body<'m>,
        op: NodeOp,
        out: EntityRange<Slot>,
        mut args: Args,
    ) -> Result<(), Error> {
        let a = match op {
            NodeOp::CreateNodeOutputHandle => {
                Operand::Const(u64::from((args.constant(0)? as u32).wrapping_add(1)))
            }
            NodeOp::CreateNodeInputRecordHandle => Operand::Const(crate::exec::INPUT),
            NodeOp::AnnotateNodeHandle | NodeOp::AnnotateNodeRecordHandle => args.value(0)?,
            NodeOp::AllocateNodeOutputRecords
            | NodeOp::GetNodeRecordPtr
            | NodeOp::IncrementOutputCount
            | NodeOp::OutputComplete
            | NodeOp::GetInputRecordCount
            | NodeOp::FinishedCrossGroupSharing
            | NodeOp::IndexNodeHandle
            | NodeOp::NodeOutputIsValid
            | NodeOp::GetRemainingRecursionLevels => {
                // The last operand is the number of the call site.
                args.scalars.push(Operand::Const(self.program.sites));
                self.program.sites += 1;
                return self.dx_instr(body, Action::Node(op), Scalar::I32, out, args.scalars);
            }
        };
        self.emit(body, Instr::Compute(out.start(), Compute::Copy(a)))
    }

    /// Decodes an operation of an amplification or mesh shader.
    fn mesh(
        &mut self,
        body: &mut Body<'m>,
        call: &DxCall<'m>,
        op: MeshOp,
        out: EntityRange<Slot>,
        args: Args,
    ) -> Result<(), Error> {
        let signatures = &self.program.signatures;
        let args = match op {
            MeshOp::StoreVertexOutput => args.with_element(&signatures.outputs)?,
            MeshOp::StorePrimitiveOutput => args.with_element(&signatures.patch)?,
            // The payload may be groupshared: all threads have written their part.
            MeshOp::DispatchMesh => {
                self.barrier(body)?;
                args
            }
            MeshOp::SetMeshOutputCounts | MeshOp::EmitIndices | MeshOp::GetMeshPayload => args,
        };
        self.action(body, call, FamilyOp::Mesh(op), out, args)?;
        match op {
            MeshOp::DispatchMesh => self.end(body),
            _ => Ok(()),
        }
    }

    /// Decodes an operation that has an action.
    fn action(
        &mut self,
        body: &mut Body<'m>,
        call: &DxCall<'m>,
        family: FamilyOp,
        out: EntityRange<Slot>,
        args: Args,
    ) -> Result<(), Error> {
        let ty = match call.overload(self.module, body.function) {
            Some(ty) => self
                .layouts
                .leaves(ty)?
                .first()
                .map_or(Scalar::I32, |leaf| leaf.0),
            None => Scalar::I32,
        };
        if !call.info().stages.has(self.kind) {
            return Err(unsupported(Feature::Operation(call.op)));
        }
        self.program.per_sample |= call.op == Op::SampleIndex;
        let follows_threads = match family {
            FamilyOp::Derivative(_) => true,
            FamilyOp::Sample(op) => crate::exec::is_implicit(op),
            FamilyOp::SamplerFeedback(op) => crate::exec::is_implicit_feedback(op),
            FamilyOp::Quad(_) => self.shader.model >= SQUARE_QUADS,
            _ => false,
        };
        if follows_threads {
            let [width, height, _] = self.program.threads;
            self.program.square_quads = width % 2 == 0 && height % 2 == 0;
        }
        if Self::is_vector_op(family) || call.args.len() != args.scalars.len() {
            return self.vector_op(body, call, family, ty, out);
        }
        let action = Action::of(family).ok_or_else(|| unsupported(Feature::Operation(call.op)))?;
        self.dx_instr(body, action, ty, out, args.scalars)
    }
}

/// Rejects kinds that the interpreter has no resource for.
fn check_kind(kind: ResourceKind) -> Result<(), Error> {
    if kind == ResourceKind::RTAccelerationStructure {
        return Ok(());
    }
    crate::exec::kind_of(kind)
        .map(drop)
        .ok_or_else(|| unsupported(Feature::Resource(kind)))
}

fn class(code: u64) -> Result<ResourceClass, Error> {
    ResourceClass::from_code(code as u32).ok_or_else(|| invalid(InvalidKind::ResourceClass))
}

/// Returns the two words of `%dx.types.ResourceProperties`: kind in bits 0 to 7, UAV in bit 12, and
/// comparison or counter in bit 15 of the first; element type in bits 0 to 7 and components in bits 8
/// to 15, or stride, or size, in the second (DXC, `DxilResourceProperties`).
fn properties(words: [u32; 2]) -> Option<View> {
    let kind = ResourceKind::from_code(words[0] & 0xff)?;
    let class = match kind {
        ResourceKind::CBuffer => ResourceClass::CBuffer,
        ResourceKind::Sampler => ResourceClass::Sampler,
        _ if words[0] >> 12 & 1 != 0 => ResourceClass::Uav,
        _ => ResourceClass::Srv,
    };
    let (component, components, stride) = match kind {
        ResourceKind::StructuredBuffer => (ComponentType::Invalid, 0, words[1]),
        ResourceKind::CBuffer
        | ResourceKind::TBuffer
        | ResourceKind::Sampler
        | ResourceKind::RawBuffer
        | ResourceKind::RTAccelerationStructure => (ComponentType::Invalid, 0, 0),
        _ => {
            let component = ComponentType::from_code(words[1] & 0xff)?;
            (component, words[1] >> 8 & 0xff, 0)
        }
    };
    Some(View {
        class,
        kind,
        component,
        components,
        stride,
        compares_or_counts: words[0] >> 15 & 1 != 0,
    })
}
