//! Payloads of nodes: the rules of `SPV_AMDX_shader_enqueue` for their types, decorations, execution
//! modes and instructions, and Vulkan's for atomic operations.

use rspirv::spirv::{
    Capability, Decoration, ExecutionMode as Mode, ExecutionModel, Op, Scope, StorageClass, Word,
};
use smallvec::SmallVec;

use super::read::Inst;
use super::types::Ty;
use super::{Failure, Verifier, broken};
use crate::error::{PayloadRule, VerifyRule};

const CLASS: StorageClass = StorageClass::NodePayloadAMDX;
const COMPUTE: Word = ExecutionModel::GLCompute as Word;

/// A decoration, or an execution mode, of the extension.
#[derive(Clone, Copy)]
struct Decorated {
    target: Word,
    decoration: Decoration,
    /// The member, of `OpMemberDecorate`.
    member: Option<Word>,
    /// The first operand.
    operand: Option<Word>,
    op: Op,
}

impl Decorated {
    fn key(&self) -> (Word, Word, Option<Word>) {
        (self.target, self.decoration as Word, self.member)
    }
}

/// The decorations of a module, sorted by [`Decorated::key`].
struct List(Vec<Decorated>);

impl List {
    fn has(&self, target: Word, member: Option<Word>, decoration: Decoration) -> bool {
        let wanted = (target, decoration as Word, member);
        self.0.binary_search_by_key(&wanted, Decorated::key).is_ok()
    }
}

fn fails(rule: PayloadRule) -> Failure {
    VerifyRule::Payload { rule }.into()
}

/// Returns true for an execution mode of the extension.
fn is_mode(mode: Mode) -> bool {
    matches!(
        mode,
        Mode::CoalescingAMDX
            | Mode::IsApiEntryAMDX
            | Mode::MaxNodeRecursionAMDX
            | Mode::StaticNumWorkgroupsAMDX
            | Mode::ShaderIndexAMDX
            | Mode::MaxNumWorkgroupsAMDX
            | Mode::SharesInputWithAMDX
    )
}

impl Verifier<'_> {
    fn enqueues(&self) -> Result<(), Failure> {
        if self.has_enqueues() {
            Ok(())
        } else {
            Err(VerifyRule::capability(&[Capability::ShaderEnqueueAMDX]).into())
        }
    }

    fn has_enqueues(&self) -> bool {
        let capability = Capability::ShaderEnqueueAMDX as Word;
        self.capabilities.contains(&capability)
    }

    /// Checks an instruction on payloads.
    pub(super) fn payload_instruction(&self, inst: &Inst<'_>) -> Result<bool, Failure> {
        self.enqueues()?;
        if self.models.iter().any(|&model| model != COMPUTE) {
            return Err(broken(inst, VerifyRule::StageInstruction));
        }
        let operand = |index| Self::operand(inst, index);
        let is_word = |id| self.types.get(self.type_of(id)) == Ty::Int(32);
        let result = self.types.get(inst.result_type);
        Ok(match inst.op() {
            Op::AllocateNodePayloadsAMDX => {
                let scope = self.constant(operand(0)?);
                let scopes = [Scope::Invocation as Word, Scope::Workgroup as Word];
                self.is_payload_pointer(result)
                    && scope.is_some_and(|scope| scopes.contains(&scope))
                    && is_word(operand(1)?)
                    && is_word(operand(2)?)
            }
            Op::EnqueueNodePayloadsAMDX => self.is_allocated(operand(0)?),
            Op::NodePayloadArrayLengthAMDX => {
                let payloads = operand(0)?;
                result == Ty::Int(32)
                    && (self.is_allocated(payloads) || self.is_input_payload(payloads))
            }
            Op::IsNodePayloadValidAMDX => {
                let array = self.types.get(operand(0)?);
                result == Ty::Bool && matches!(array, Ty::PayloadArray(_)) && is_word(operand(1)?)
            }
            Op::FinishWritingNodePayloadAMDX => {
                result == Ty::Bool && self.is_input_payload(operand(0)?)
            }
            _ => true,
        })
    }

    fn is_payload_pointer(&self, pointer: Ty) -> bool {
        let Ty::Pointer(CLASS, pointee) = pointer else {
            return false;
        };
        matches!(self.types.get(pointee), Ty::PayloadArray(_))
    }

    fn is_allocated(&self, id: Word) -> bool {
        self.id(id)
            .is_some_and(|def| def.is(Op::AllocateNodePayloadsAMDX))
    }

    fn is_input_payload(&self, id: Word) -> bool {
        self.variables.contains(&(id, CLASS as Word))
    }

    /// Returns true if an id is a constant that is an integer of 32 bits.
    fn is_constant_word(&self, id: Word) -> bool {
        self.id(id).is_some_and(|def| {
            matches!(def.op(), Op::Constant | Op::SpecConstant)
                && self.types.get(def.ty) == Ty::Int(32)
        })
    }

    fn is_string(&self, id: Word) -> bool {
        self.id(id).is_some_and(|def| {
            matches!(
                def.op(),
                Op::ConstantStringAMDX | Op::SpecConstantStringAMDX
            )
        })
    }

    /// Checks the rules of the module as a whole.
    pub(super) fn node_payloads(&self) -> Result<(), Failure> {
        if !self.has_enqueues() {
            return Ok(());
        }
        let list = self.payload_decorations()?;
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
            let pointer = self.types.get(self.type_of(id));
            if class == CLASS as Word && (operands != 1 || !self.is_payload_pointer(pointer)) {
                return Err(fails(PayloadRule::Variable { id }));
            }
        }
        let coalesces = self.payload_modes()?;
        for inst in self.insts() {
            self.payload_use(&inst, coalesces, &has)?;
        }
        Ok(())
    }

    fn payload_decorations(&self) -> Result<List, Failure> {
        let mut list = Vec::new();
        for inst in self.forward() {
            let (target, member, rest) = match (inst.op(), inst.operands) {
                (Op::Decorate | Op::DecorateId, [target, rest @ ..]) => (*target, None, rest),
                (Op::MemberDecorate, [target, member, rest @ ..]) => (*target, Some(*member), rest),
                _ => continue,
            };
            let [decoration, rest @ ..] = rest else {
                continue;
            };
            if let Some(decoration) = Decoration::from_u32(*decoration) {
                list.push(Decorated {
                    target,
                    decoration,
                    member,
                    operand: rest.first().copied(),
                    op: inst.op(),
                });
            }
        }
        list.sort_by_key(Decorated::key);
        Ok(List(list))
    }

    fn payload_decoration(&self, d: &Decorated, list: &List) -> Result<(), Failure> {
        use Decoration as D;
        let of_array = matches!(self.types.get(d.target), Ty::PayloadArray(_));
        let decoration = d.decoration as Word;
        let operand = d.operand.unwrap_or(0);
        let (target, op, valid) = match d.decoration {
            D::NodeMaxPayloadsAMDX | D::PayloadNodeBaseIndexAMDX | D::PayloadNodeArraySizeAMDX => {
                (of_array, Op::DecorateId, self.is_constant_word(operand))
            }
            D::PayloadNodeNameAMDX => (of_array, Op::DecorateId, self.is_string(operand)),
            D::NodeSharesPayloadLimitsWithAMDX => {
                let is_array = matches!(self.types.get(operand), Ty::PayloadArray(_));
                if operand == d.target || list.has(operand, None, d.decoration) {
                    let array = d.target;
                    return Err(fails(PayloadRule::SharedLimit { array }));
                }
                (of_array, Op::DecorateId, is_array)
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
        // The operand is declared before what it decorates.
        let at = |id| self.id(id).map_or(0, |def| def.at);
        let is_late = op == Op::DecorateId && at(operand) > at(d.target);
        if valid && !is_late {
            Ok(())
        } else {
            Err(fails(PayloadRule::Operand { decoration }))
        }
    }

    /// Checks that the struct of a payload has explicit offsets and strides.
    fn payload_layout(&self, payload: Word, list: &List) -> Result<(), Failure> {
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
            let mode = inst.operands.get(1).copied().and_then(Mode::from_u32);
            let (Op::ExecutionMode | Op::ExecutionModeId, Some(mode)) = (inst.op(), mode) else {
                continue;
            };
            let operands = inst.operands.get(2..).unwrap_or_default();
            let words = |count| {
                operands.len() == count && operands.iter().all(|&id| self.is_constant_word(id))
            };
            let (op, valid) = match (mode, operands) {
                (Mode::CoalescingAMDX, _) => (Op::ExecutionMode, operands.is_empty()),
                (Mode::StaticNumWorkgroupsAMDX | Mode::MaxNumWorkgroupsAMDX, _) => {
                    (Op::ExecutionModeId, words(3))
                }
                (Mode::ShaderIndexAMDX | Mode::MaxNodeRecursionAMDX, _) => {
                    (Op::ExecutionModeId, words(1))
                }
                (Mode::SharesInputWithAMDX, &[name, index]) => {
                    shares = true;
                    let valid = self.is_string(name) && self.is_constant_word(index);
                    (Op::ExecutionModeId, valid)
                }
                (Mode::IsApiEntryAMDX, &[id]) => {
                    let op = self.id(id).map(super::Id::op);
                    is_entry = op == Some(Op::ConstantTrue);
                    let valid = is_entry || op == Some(Op::ConstantFalse);
                    (Op::ExecutionModeId, valid)
                }
                (mode, _) if is_mode(mode) => (Op::ExecutionModeId, false),
                _ => continue,
            };
            if inst.op() != op || !valid {
                return Err(fails(PayloadRule::Mode { mode: mode as Word }));
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

    /// Checks what an instruction does with payloads.
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
        let mode = inst.operands.get(1).copied().and_then(Mode::from_u32);
        if mode.is_some_and(is_mode) {
            self.enqueues()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
