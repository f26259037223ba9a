//! Instructions of a module in words: which of their operands are ids.
//!
//! The table is made once per process from rspirv's grammar, in a form that costs a few
//! instructions per operand. rspirv's own parser allocates memory for each instruction.

use std::sync::OnceLock;

use rspirv::grammar::{self, LogicalOperand, OperandKind, OperandQuantifier};
use rspirv::spirv::{MemoryAccess, Op, Word};

use super::Failure;
use super::rules::{Rule, rule};
use crate::error::VerifyRule;

/// The operands after those that are always present.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rest {
    /// Nothing.
    Nothing,
    /// Any number of ids.
    Ids,
    /// At most so many ids.
    OptionalIds(u8),
    /// Any number of words that are no ids: literals, enumerants, strings after a decoration.
    Words,
    /// A string; if the flag is set, any number of ids after it.
    Text(bool),
    /// Pairs of a literal, as wide as the first operand's type, and a label (`OpSwitch`).
    Cases,
    /// Pairs of ids (`OpPhi`).
    Pairs,
    /// Perhaps a mask of memory operands with what its bits add: an alignment, then ids.
    Memory,
    /// A mask of image operands with an id or more for each bit; it may be missing if the flag is
    /// set.
    Image(bool),
    /// More than the verifier can read.
    Unknown,
}

/// Operands of the instructions of one opcode.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub(super) op: Op,
    pub(super) terminator: bool,
    pub(super) rule: Rule,
    result_type: bool,
    result: bool,
    /// Words of the shortest instruction of this opcode.
    least: u32,
    /// Number of one-word operands that are always present.
    fixed: u8,
    /// Those that are ids, by bit.
    ids: u16,
    rest: Rest,
}

/// More words than an instruction may have.
const NEVER: u32 = u32::MAX;

/// Layouts, and the index of the one of each opcode.
struct Table {
    /// The first is for all numbers that are not opcodes.
    layouts: Vec<Layout>,
    /// 0 for a number that is not an opcode.
    by_opcode: Vec<u16>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let unknown = Layout {
            op: Op::Nop,
            terminator: false,
            rule: Rule::Any,
            result_type: false,
            result: false,
            least: NEVER,
            fixed: 0,
            ids: 0,
            rest: Rest::Unknown,
        };
        let mut table = Table {
            layouts: vec![unknown],
            by_opcode: Vec::new(),
        };
        for inst in grammar::INSTRUCTION_TABLE.iter() {
            let code = inst.opcode as usize;
            if table.by_opcode.len() <= code {
                table.by_opcode.resize(code + 1, 0);
            }
            table.by_opcode[code] = table.layouts.len() as u16;
            table.layouts.push(layout(inst.opcode, inst.operands));
        }
        table
    })
}

/// Returns true if an instruction ends its block (SPIR-V 1.6, section 2.2.5).
fn is_terminator(op: Op) -> bool {
    matches!(
        op,
        Op::Branch
            | Op::BranchConditional
            | Op::Switch
            | Op::Return
            | Op::ReturnValue
            | Op::Kill
            | Op::Unreachable
            | Op::TerminateInvocation
            | Op::TerminateRayKHR
            | Op::IgnoreIntersectionKHR
            | Op::EmitMeshTasksEXT
    )
}

fn layout(op: Op, operands: &[LogicalOperand]) -> Layout {
    use OperandKind as K;
    let mut layout = Layout {
        op,
        terminator: is_terminator(op),
        rule: rule(op),
        result_type: false,
        result: false,
        least: NEVER,
        fixed: 0,
        ids: 0,
        rest: Rest::Nothing,
    };
    let mut operands = operands.iter();
    while let Some(LogicalOperand { kind, quantifier }) = operands.next() {
        // The stride of a cooperative matrix, which only layouts that nothing here uses do not have.
        let is_stride = *kind == K::IdRef
            && matches!(
                op,
                Op::CooperativeMatrixLoadKHR | Op::CooperativeMatrixStoreKHR
            );
        if *quantifier != OperandQuantifier::One && !is_stride {
            // What may be missing is last.
            layout.rest = if operands.as_slice().iter().all(|o| o.kind == *kind) {
                match optional(kind, *quantifier) {
                    Rest::OptionalIds(_) => Rest::OptionalIds(1 + operands.as_slice().len() as u8),
                    rest => rest,
                }
            } else {
                Rest::Unknown
            };
            break;
        }
        match kind {
            K::IdResultType => layout.result_type = true,
            K::IdResult => layout.result = true,
            K::IdRef | K::IdScope | K::IdMemorySemantics if layout.fixed < 16 => {
                layout.ids |= 1 << layout.fixed;
                layout.fixed += 1;
            }
            K::LiteralString => {
                let ids = operands
                    .as_slice()
                    .iter()
                    .all(|o| o.kind == K::IdRef && o.quantifier == OperandQuantifier::ZeroOrMore);
                layout.rest = if ids {
                    Rest::Text(!operands.as_slice().is_empty())
                } else {
                    Rest::Unknown
                };
                break;
            }
            K::LiteralContextDependentNumber => {
                layout.rest = Rest::Words;
                break;
            }
            K::Decoration | K::ExecutionMode | K::LoopControl | K::LiteralSpecConstantOpInteger => {
                layout.fixed += 1;
                let ids = matches!(
                    op,
                    Op::DecorateId | Op::ExecutionModeId | Op::SpecConstantOp
                );
                layout.rest = if ids { Rest::Ids } else { Rest::Words };
                break;
            }
            K::ImageOperands => {
                layout.rest = Rest::Image(false);
                break;
            }
            K::PairLiteralIntegerIdRef
            | K::PairIdRefLiteralInteger
            | K::PairIdRefIdRef
            | K::MemoryAccess
            | K::TensorOperands => {
                layout.rest = Rest::Unknown;
                break;
            }
            _ => layout.fixed += 1,
        }
    }
    if layout.rest != Rest::Unknown {
        layout.least =
            1 + u32::from(layout.result_type) + u32::from(layout.result) + u32::from(layout.fixed);
    }
    layout
}

/// Returns the form of the last operand of an instruction, which may be missing.
fn optional(kind: &OperandKind, quantifier: OperandQuantifier) -> Rest {
    use OperandKind as K;
    match (kind, quantifier) {
        (K::IdRef, OperandQuantifier::ZeroOrMore) => Rest::Ids,
        (K::IdRef | K::IdScope | K::IdMemorySemantics, _) => Rest::OptionalIds(1),
        (K::PairLiteralIntegerIdRef, _) => Rest::Cases,
        (K::PairIdRefIdRef, _) => Rest::Pairs,
        (K::MemoryAccess, _) => Rest::Memory,
        (K::ImageOperands, _) => Rest::Image(true),
        (
            K::LiteralInteger
            | K::AccessQualifier
            | K::PackedVectorFormat
            | K::FPEncoding
            | K::CooperativeMatrixOperands
            | K::Capability
            | K::LiteralString,
            _,
        ) => Rest::Words,
        _ => Rest::Unknown,
    }
}

/// An instruction of the module.
#[derive(Clone, Copy)]
pub(super) struct Inst<'a> {
    pub(super) layout: &'static Layout,
    /// Its first word in the module.
    pub(super) at: u32,
    /// The word after it.
    pub(super) next: u32,
    /// 0 without one.
    pub(super) result_type: Word,
    /// 0 without one.
    pub(super) result: Word,
    /// Operands after result type and result, at least as many as are always there.
    pub(super) operands: &'a [Word],
    /// Words of a literal of a switch.
    pub(super) literal: u32,
}

impl<'a> Inst<'a> {
    /// Its opcode.
    #[inline]
    pub(super) fn op(&self) -> Op {
        self.layout.op
    }

    /// Returns where the ids after the fixed operands start, and how far apart they are.
    #[inline]
    fn tail(&self) -> (usize, usize) {
        match self.layout.rest {
            // A missing operand is not an id.
            Rest::Nothing | Rest::Ids | Rest::OptionalIds(_) | Rest::Pairs => {
                (self.layout.fixed.into(), 1)
            }
            Rest::Words | Rest::Text(false) => (self.operands.len(), 1),
            _ => tail(self.layout, self.operands, self.literal).unwrap_or((self.operands.len(), 1)),
        }
    }

    /// Returns the ids among the operands, in order.
    #[inline]
    pub(super) fn ids(&self) -> Ids<'a> {
        let (tail, step) = self.tail();
        Ids {
            operands: self.operands,
            fixed: self.layout.ids,
            tail,
            step,
        }
    }

    /// Returns true if `predicate` holds for each of [`Inst::ids`]; two loops instead of an
    /// iterator's state.
    #[inline]
    pub(super) fn all_ids(&self, holds: impl Fn(Word) -> bool) -> bool {
        let mut fixed = self.layout.ids;
        while fixed != 0 {
            if !self
                .operands
                .get(fixed.trailing_zeros() as usize)
                .is_some_and(|&id| holds(id))
            {
                return false;
            }
            fixed &= fixed - 1;
        }
        match self.tail() {
            (tail, 1) => self
                .operands
                .get(tail..)
                .unwrap_or_default()
                .iter()
                .all(|&id| holds(id)),
            (tail, step) => self
                .operands
                .iter()
                .skip(tail)
                .step_by(step)
                .all(|&id| holds(id)),
        }
    }

    /// Returns the result type, if it has one.
    #[inline]
    pub(super) fn result_type(&self) -> Option<Word> {
        Some(self.result_type).filter(|&ty| ty != 0)
    }

    /// Checks that the operands are as many as the opcode may have.
    ///
    /// # Errors
    /// They are not.
    #[inline]
    pub(super) fn check(&self) -> Result<(), Failure> {
        let fits = match self.layout.rest {
            Rest::Nothing => self.operands.len() == usize::from(self.layout.fixed),
            Rest::Ids | Rest::Words => true,
            _ => tail(self.layout, self.operands, self.literal).is_some(),
        };
        if fits {
            Ok(())
        } else {
            Err(malformed(
                self.layout.op as Word,
                self.next - self.at,
                self.at,
            ))
        }
    }
}

/// Ids among the operands of an instruction.
#[derive(Clone)]
pub(super) struct Ids<'a> {
    operands: &'a [Word],
    fixed: u16,
    tail: usize,
    step: usize,
}

impl Iterator for Ids<'_> {
    type Item = Word;

    #[inline]
    fn next(&mut self) -> Option<Word> {
        if self.fixed != 0 {
            let index = self.fixed.trailing_zeros();
            self.fixed &= self.fixed - 1;
            return self.operands.get(index as usize).copied();
        }
        let id = *self.operands.get(self.tail)?;
        self.tail += self.step;
        Some(id)
    }
}

/// The words of a module, read instruction by instruction.
pub(super) struct Reader {
    table: &'static Table,
}

impl Reader {
    pub(super) fn new() -> Self {
        Self { table: table() }
    }

    /// Returns the instruction at a word. Its words are within the module and it has the operands
    /// that are always there; [`Inst::check`] looks at the others.
    ///
    /// # Errors
    /// Fails if there is none.
    #[inline(always)]
    pub(super) fn read<'a>(&self, words: &'a [Word], at: u32) -> Result<Inst<'a>, Failure> {
        let Some(&first) = words.get(at as usize) else {
            return Err(past_end(at));
        };
        let (opcode, count) = (first & 0xFFFF, first >> 16);
        let layout = self
            .table
            .by_opcode
            .get(opcode as usize)
            .and_then(|&index| self.table.layouts.get(index as usize));
        let Some(layout) = layout.filter(|l| l.least <= count) else {
            return Err(malformed(opcode, count, at));
        };
        let Some(inst) = words.get(at as usize..(at + count) as usize) else {
            return Err(past_end(at));
        };
        // The first word, and then the type and the result where the opcode has them.
        let (result_type, result, operands) = match (layout.result_type, layout.result, inst) {
            (true, true, &[_, ty, id, ref operands @ ..]) if ty != 0 && id != 0 => {
                (ty, id, operands)
            }
            (false, true, &[_, id, ref operands @ ..]) if id != 0 => (0, id, operands),
            (true, false, &[_, ty, ref operands @ ..]) if ty != 0 => (ty, 0, operands),
            (false, false, &[_, ref operands @ ..]) => (0, 0, operands),
            _ => return Err(malformed(opcode, count, at)),
        };
        Ok(Inst {
            layout,
            at,
            next: at + count,
            result_type,
            result,
            operands,
            literal: 1,
        })
    }
}

/// Returns where the ids after the fixed operands start and how far apart they are; `None` if the
/// words do not fit the layout.
fn tail(layout: &Layout, operands: &[Word], literal: u32) -> Option<(usize, usize)> {
    let fixed = usize::from(layout.fixed);
    let rest = operands.get(fixed..)?;
    let end = operands.len();
    match layout.rest {
        Rest::Nothing => rest.is_empty().then_some((end, 1)),
        Rest::Ids => Some((fixed, 1)),
        Rest::OptionalIds(most) => (rest.len() <= usize::from(most)).then_some((fixed, 1)),
        Rest::Pairs => rest.len().is_multiple_of(2).then_some((fixed, 1)),
        Rest::Words => Some((end, 1)),
        Rest::Text(ids) => text_words(rest)
            .filter(|&words| ids || words == rest.len())
            .map(|words| (fixed + words, 1)),
        Rest::Cases => {
            let literal = literal as usize;
            rest.len()
                .is_multiple_of(literal + 1)
                .then_some((fixed + literal, literal + 1))
        }
        Rest::Memory => match rest.first() {
            None => Some((end, 1)),
            Some(mask) => {
                let aligned = mask & MemoryAccess::ALIGNED.bits() != 0;
                let ids = (mask
                    & !(MemoryAccess::ALIGNED
                        | MemoryAccess::VOLATILE
                        | MemoryAccess::NONTEMPORAL
                        | MemoryAccess::NON_PRIVATE_POINTER)
                        .bits())
                .count_ones();
                // One mask with what belongs to it: copies may have two, which nothing here makes.
                (rest.len() == 1 + usize::from(aligned) + ids as usize)
                    .then_some((fixed + 1 + usize::from(aligned), 1))
            }
        },
        Rest::Image(optional) => match rest.split_first() {
            None => optional.then_some((end, 1)),
            Some((mask, ids)) => {
                (ids.len() >= usize::from(mask & !NO_IDS != 0)).then_some((fixed + 1, 1))
            }
        },
        Rest::Unknown => None,
    }
}

/// Image operands that bring no id: `NonPrivateTexel`, `VolatileTexel`, `SignExtend`, `ZeroExtend`,
/// `Nontemporal`.
const NO_IDS: u32 = 0x400 | 0x800 | 0x1000 | 0x2000 | 0x4000;

/// Words of a string: it ends with the first one that has a zero byte.
fn text_words(words: &[Word]) -> Option<usize> {
    words
        .iter()
        .position(|word| word.to_le_bytes().contains(&0))
        .map(|last| last + 1)
}

#[cold]
fn past_end(at: u32) -> Failure {
    VerifyRule::Truncated { word: at }.into()
}

#[cold]
fn malformed(opcode: Word, count: u32, at: u32) -> Failure {
    VerifyRule::WordCount {
        opcode,
        count,
        word: at,
    }
    .into()
}

#[cfg(test)]
mod tests {
    use rspirv::spirv::Op;

    use super::Reader;

    /// Returns the ids among the operands of an instruction whose literals have one word.
    fn ids(op: Op, words: &[u32]) -> Option<Vec<u32>> {
        let mut code = vec![(words.len() as u32 + 1) << 16 | op as u32];
        code.extend_from_slice(words);
        let inst = Reader::new().read(&code, 0).ok()?;
        inst.check().ok().map(|()| inst.ids().collect())
    }

    #[test]
    fn ids_by_opcode() {
        assert_eq!(ids(Op::IAdd, &[1, 2, 3, 4]), Some(vec![3, 4]));
        assert_eq!(ids(Op::CompositeExtract, &[1, 2, 3, 0, 7]), Some(vec![3]));
        assert_eq!(
            ids(Op::VectorShuffle, &[1, 2, 3, 4, 0, 1]),
            Some(vec![3, 4])
        );
        assert_eq!(
            ids(Op::Switch, &[1, 2, 100, 3, 101, 4]),
            Some(vec![1, 2, 3, 4])
        );
        assert_eq!(ids(Op::Phi, &[1, 2, 3, 4, 5, 6]), Some(vec![3, 4, 5, 6]));
        assert_eq!(ids(Op::ExtInst, &[1, 2, 3, 31, 4]), Some(vec![3, 4]));
        assert_eq!(
            ids(Op::GroupNonUniformIAdd, &[1, 2, 3, 0, 4]),
            Some(vec![3, 4])
        );
        assert_eq!(ids(Op::LoopMerge, &[1, 2, 0x100, 4]), Some(vec![1, 2]));
        assert_eq!(
            ids(Op::EntryPoint, &[5, 1, 0x6E69_616D, 0, 7, 8]),
            Some(vec![1, 7, 8])
        );
        assert_eq!(ids(Op::Decorate, &[1, 33, 9]), Some(vec![1]));
        assert_eq!(ids(Op::DecorateId, &[1, 5635, 9]), Some(vec![1, 9]));
        assert_eq!(ids(Op::TypeStruct, &[1, 2, 3]), Some(vec![2, 3]));
        assert_eq!(ids(Op::Variable, &[1, 2, 7, 5]), Some(vec![5]));
    }

    #[test]
    fn masks() {
        assert_eq!(ids(Op::Load, &[1, 2, 3]), Some(vec![3]));
        assert_eq!(ids(Op::Load, &[1, 2, 3, 2, 16]), Some(vec![3]));
        assert_eq!(ids(Op::Load, &[1, 2, 3, 2 | 16, 16, 9]), Some(vec![3, 9]));
        assert_eq!(ids(Op::Load, &[1, 2, 3, 2]), None);
        assert_eq!(
            ids(Op::ImageSampleExplicitLod, &[1, 2, 3, 4, 2, 5]),
            Some(vec![3, 4, 5])
        );
        assert_eq!(ids(Op::ImageSampleExplicitLod, &[1, 2, 3, 4]), None);
        assert_eq!(ids(Op::ImageFetch, &[1, 2, 3, 4]), Some(vec![3, 4]));
        assert_eq!(ids(Op::ImageFetch, &[1, 2, 3, 4, 2]), None);
    }

    #[test]
    fn words_that_do_not_fit() {
        assert_eq!(ids(Op::IAdd, &[1, 2, 3]), None);
        assert_eq!(ids(Op::IAdd, &[0, 2, 3, 4]), None);
        assert_eq!(ids(Op::IAdd, &[1, 0, 3, 4]), None);
        assert_eq!(ids(Op::IAdd, &[1, 2, 3, 4, 5]), None);
        assert_eq!(ids(Op::Switch, &[1, 2, 3]), None);
        assert_eq!(ids(Op::Phi, &[1, 2, 3]), None);
        assert_eq!(ids(Op::EntryPoint, &[5, 1, 0x6E69_616D]), None);
        assert!(Reader::new().read(&[0xFFFF], 0).is_err());
        assert!(Reader::new().read(&[Op::Nop as u32], 0).is_err());
        assert!(
            Reader::new()
                .read(&[2 << 16 | Op::Branch as u32], 0)
                .is_err()
        );
    }
}
