//! Payloads of nodes: the rules of `SPV_AMDX_shader_enqueue` for their types, decorations, execution
//! modes and instructions, and Vulkan's for atomic operations.

use rspirv::spirv::{Capability, Decoration, ExecutionMode as Mode, Op, StorageClass, Word};
use smallvec::SmallVec;

use super::decorations::{Decorated, Decorations};
use super::forms::misfit;
use super::read::Inst;
use super::types::Ty;
use super::{Failure, Verifier, broken};
use crate::error::{PayloadRule, VerifyRule};

const CLASS: StorageClass = StorageClass::NodePayloadAMDX;

fn fails(rule: PayloadRule) -> Failure {
    VerifyRule::Payload { rule }.into()
}

/// Returns the opcode and the signature of an execution mode of the extension, see [`super::forms`].
fn form(mode: Mode) -> Option<(Op, &'static str)> {
    Some(match mode {
        Mode::CoalescingAMDX => (Op::ExecutionMode, ""),
        Mode::StaticNumWorkgroupsAMDX | Mode::MaxNumWorkgroupsAMDX => (Op::ExecutionModeId, "kkk"),
        Mode::ShaderIndexAMDX | Mode::MaxNodeRecursionAMDX => (Op::ExecutionModeId, "k"),
        Mode::SharesInputWithAMDX => (Op::ExecutionModeId, "tk"),
        Mode::IsApiEntryAMDX => (Op::ExecutionModeId, "B"),
        _ => return None,
    })
}

/// Returns an execution mode of the extension, with its form.
fn payload_mode(inst: &Inst<'_>) -> Option<(Mode, (Op, &'static str))> {
    let is_mode = matches!(inst.op(), Op::ExecutionMode | Op::ExecutionModeId);
    let mode = Mode::from_u32(*inst.operands.get(1).filter(|_| is_mode)?)?;
    Some((mode, form(mode)?))
}

impl Verifier<'_> {
    /// Checks the rules of the module as a whole.
    pub(super) fn node_payloads(&self) -> Result<(), Failure> {
        if !self.has(Capability::ShaderEnqueueAMDX) {
            return Ok(());
        }
        let list = self.decorations();
        for decorated in &list.0 {
            self.payload_decoration(decorated, &list)?;
        }
        let has = |target, decoration| list.has(target, None, decoration);
        for (array, payload) in self.types.payload_arrays() {
            if !has(array, Decoration::NodeMaxPayloadsAMDX) {
                let decoration = Decoration::NodeMaxPayloadsAMDX as Word;
                return Err(fails(PayloadRule::Missing { array, decoration }));
            }
            self.payload_layout(payload, &list)?;
        }
        for &(id, class) in &self.variables {
            let def = self.id(id).map(|def| self.read(def.at)).transpose()?;
            let operands = def.map_or(0, |def| def.operands.len());
            let is_of_payloads = self.is_type(self.type_of(id), b'N');
            if class == CLASS as Word && (operands != 1 || !is_of_payloads) {
                return Err(fails(PayloadRule::Variable { id }));
            }
        }
        let coalesces = self.payload_modes()?;
        for inst in self.insts() {
            self.payload_use(&inst, coalesces, &has)?;
        }
        Ok(())
    }

    fn payload_decoration(&self, d: &Decorated, list: &Decorations) -> Result<(), Failure> {
        use Decoration as D;
        let of_array = self.is(d.target, b'y');
        let decoration = d.decoration as Word;
        let operand = d.operand.unwrap_or(0);
        let (target, op, valid) = match d.decoration {
            D::NodeMaxPayloadsAMDX | D::PayloadNodeBaseIndexAMDX | D::PayloadNodeArraySizeAMDX => {
                (of_array, Op::DecorateId, self.is(operand, b'k'))
            }
            D::PayloadNodeNameAMDX => (of_array, Op::DecorateId, self.is(operand, b't')),
            D::NodeSharesPayloadLimitsWithAMDX => {
                if operand == d.target || list.has(operand, None, d.decoration) {
                    let array = d.target;
                    return Err(fails(PayloadRule::SharedLimit { array }));
                }
                (of_array, Op::DecorateId, self.is(operand, b'y'))
            }
            D::PayloadNodeSparseArrayAMDX => (of_array, Op::Decorate, true),
            D::TrackFinishWritingAMDX => {
                let of_struct = matches!(self.types.get(d.target), Ty::Struct(..));
                (of_struct, Op::Decorate, true)
            }
            D::PayloadDispatchIndirectAMDX => {
                let member = self.types.part(d.target, d.member);
                let number = member.and_then(|ty| self.types.components(ty));
                let fits = matches!(number, Some((Ty::Int(8 | 16 | 32), 1..=3)));
                (fits, Op::MemberDecorate, true)
            }
            _ => return Ok(()),
        };
        if !target || d.op != op {
            return Err(fails(PayloadRule::Target { decoration }));
        }
        // The operand is declared before the decorated type.
        let at = |id| self.id(id).map_or(0, |def| def.at);
        let is_late = op == Op::DecorateId && at(operand) > at(d.target);
        if valid && !is_late {
            Ok(())
        } else {
            Err(fails(PayloadRule::Operand { decoration }))
        }
    }

    /// Checks that the struct of a payload has explicit offsets and strides.
    fn payload_layout(&self, payload: Word, list: &Decorations) -> Result<(), Failure> {
        let Ty::Struct(start, end) = self.types.get(payload) else {
            return Err(fails(PayloadRule::Layout { payload }));
        };
        for (index, &member) in (0..).zip(self.types.members(start, end)) {
            let is_array = matches!(self.types.get(member), Ty::Array(_));
            if !list.has(payload, Some(index), Decoration::Offset)
                || is_array && !list.has(member, None, Decoration::ArrayStride)
            {
                return Err(fails(PayloadRule::Layout { payload }));
            }
        }
        Ok(())
    }

    /// Checks the execution modes; gives whether payloads are coalesced.
    fn payload_modes(&self) -> Result<bool, Failure> {
        let mut grids: SmallVec<[Mode; 3]> = SmallVec::new();
        let (mut shares, mut is_entry) = (false, true);
        for inst in self.forward() {
            let Some((mode, (op, signature))) = payload_mode(&inst) else {
                continue;
            };
            let operands = inst.operands.get(2..).unwrap_or_default();
            let misfit = misfit(signature, operands, |id, letter| self.is(id, letter));
            if inst.op() != op || misfit.is_some() {
                return Err(fails(PayloadRule::Mode { mode: mode as Word }));
            }
            shares |= mode == Mode::SharesInputWithAMDX;
            if mode == Mode::IsApiEntryAMDX {
                let value = operands.first().and_then(|&id| self.id(id));
                is_entry = value.is_some_and(|value| value.is(Op::ConstantTrue));
            }
            if matches!(
                mode,
                Mode::CoalescingAMDX | Mode::StaticNumWorkgroupsAMDX | Mode::MaxNumWorkgroupsAMDX
            ) {
                grids.push(mode);
            }
        }
        if grids.len() > 1 {
            return Err(fails(PayloadRule::SeveralGrids));
        }
        if shares && is_entry {
            return Err(fails(PayloadRule::SharingEntry));
        }
        Ok(grids.contains(&Mode::CoalescingAMDX))
    }

    /// Checks an instruction's use of payloads.
    fn payload_use(
        &self,
        inst: &Inst<'_>,
        coalesces: bool,
        has: &impl Fn(Word, Decoration) -> bool,
    ) -> Result<(), Failure> {
        let pointee = |id| match self.types.get(self.type_of(id)) {
            Ty::Pointer(CLASS, pointee) => Some(pointee),
            _ => None,
        };
        let breaks = |rule| Err(broken(inst, VerifyRule::Payload { rule }));
        let op = inst.op();
        let atomic = Op::AtomicLoad as Word..=Op::AtomicXor as Word;
        let is_atomic = atomic.contains(&(op as Word)) || super::rules::is_float_atomic(op);
        let of_payload = match op {
            Op::Phi | Op::Select | Op::CopyObject | Op::Load => {
                matches!(self.types.get(inst.result_type), Ty::Pointer(CLASS, _))
            }
            _ => {
                is_atomic
                    && inst
                        .operands
                        .first()
                        .is_some_and(|&id| pointee(id).is_some())
            }
        };
        if of_payload {
            return breaks(PayloadRule::Pointer);
        }
        let array = match (op, inst.operands) {
            (Op::AllocateNodePayloadsAMDX, _) => pointee(inst.result),
            (Op::FinishWritingNodePayloadAMDX, &[payload]) => pointee(payload),
            _ => return Ok(()),
        };
        let array = array.unwrap_or(0);
        if op == Op::FinishWritingNodePayloadAMDX {
            let tracked = match self.types.get(array) {
                Ty::PayloadArray(payload) => has(payload, Decoration::TrackFinishWritingAMDX),
                _ => false,
            };
            return match tracked && !coalesces {
                true => Ok(()),
                false => breaks(PayloadRule::Untracked),
            };
        }
        let missing = |decoration| {
            let decoration = decoration as Word;
            breaks(PayloadRule::Missing { array, decoration })
        };
        if !has(array, Decoration::PayloadNodeNameAMDX) {
            return missing(Decoration::PayloadNodeNameAMDX);
        }
        if !has(array, Decoration::PayloadNodeArraySizeAMDX)
            && !has(array, Decoration::PayloadNodeSparseArrayAMDX)
        {
            return missing(Decoration::PayloadNodeArraySizeAMDX);
        }
        Ok(())
    }

    /// Checks that the module has the capability for an execution mode of the extension.
    pub(super) fn payload_mode(&self, inst: &Inst<'_>) -> Result<(), Failure> {
        match payload_mode(inst).is_some() {
            true => self.need(inst, &[Capability::ShaderEnqueueAMDX]),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
