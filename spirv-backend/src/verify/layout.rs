//! Which operands the instructions of an opcode have, and which of them are ids.
//!
//! The table is made once per process from rspirv's grammar, in a form that costs a few
//! instructions per operand. rspirv's own parser allocates memory for each instruction.

use std::sync::OnceLock;

use rspirv::grammar::{self, LogicalOperand, OperandKind, OperandQuantifier};
use rspirv::spirv::{MemoryAccess, Op, Word};

use super::module::section;
use super::rules::{Rule, rule};
use crate::error::ModuleSection;

/// The operands after those that are always present.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rest {
    /// Nothing.
    Nothing,
    /// Any number of ids.
    Ids,
    /// At most this number of ids.
    OptionalIds(u8),
    /// Any number of words that are not ids: literals, enumerants, strings after a decoration.
    Words,
    /// A string; if the flag is set, any number of ids after it.
    Text(bool),
    /// Pairs of a literal, as wide as the first operand's type, and a label (`OpSwitch`).
    Cases,
    /// Pairs of ids (`OpPhi`).
    Pairs,
    /// An optional mask of memory operands with the operands of its bits: an alignment, then ids.
    Memory,
    /// A mask of image operands with an id or more for each bit; it may be missing if the flag is
    /// set.
    Image(bool),
    /// More than the verifier can read.
    Unknown,
}

/// The role of an instruction within a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// An instruction that only computes.
    Plain,
    Phi,
    /// A call. The function is not one of its ids, as it may come later.
    Call,
    /// A merge instruction.
    Merge,
    /// `OpBranch`, `OpBranchConditional` and `OpSwitch`: operands after the first are labels.
    Branch,
    /// Another terminator.
    End,
    /// A label, or the end of the function.
    Boundary,
}

/// Operands of the instructions of one opcode. Of a size that is a power of two, as the index of one
/// is looked up for each instruction.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Layout {
    pub(super) op: Op,
    pub(super) role: Role,
    pub(super) rule: Rule,
    pub(super) section: ModuleSection,
    pub(super) result_type: bool,
    pub(super) result: bool,
    /// Words before the operands: the first word, result type and result.
    pub(super) skipped: u8,
    /// Words of the shortest and of the longest instruction of this opcode.
    pub(super) least: u32,
    pub(super) most: u16,
    /// In an instruction of at most `plain` words, this range of words has the ids among the operands;
    /// in a longer one, each operand has to be looked at.
    pub(super) plain: u16,
    pub(super) ids_start: u16,
    pub(super) ids_end: u16,
    /// Number of one-word operands that are always present.
    fixed: u8,
    /// Those that are ids, by bit.
    pub(super) ids: u16,
    rest: Rest,
}

/// More words than an instruction may have.
const NEVER: u32 = u32::MAX;

/// Layouts, and their indices by opcode.
pub(super) struct Table {
    /// The first is for all numbers that are not opcodes.
    pub(super) layouts: Vec<Layout>,
    /// 0 for a number that is not an opcode.
    pub(super) by_opcode: Box<[u16; 1 << 16]>,
}

pub(super) fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let unknown = Layout {
            op: Op::Nop,
            role: Role::Plain,
            rule: Rule::Own,
            section: ModuleSection::Declarations,
            result_type: false,
            result: false,
            skipped: 1,
            least: NEVER,
            most: 0,
            plain: 0,
            ids_start: 0,
            ids_end: 0,
            fixed: 0,
            ids: 0,
            rest: Rest::Unknown,
        };
        let mut table = Table {
            layouts: vec![unknown],
            by_opcode: Box::new([0; 1 << 16]),
        };
        for inst in grammar::INSTRUCTION_TABLE.iter() {
            table.by_opcode[usize::from(inst.opcode as u16)] = table.layouts.len() as u16;
            table.layouts.push(layout(inst.opcode, inst.operands));
        }
        table
    })
}

/// Returns whether an instruction ends a block.
pub(crate) fn is_terminator(op: Op) -> bool {
    matches!(role(op), Role::Branch | Role::End)
}

/// Returns the role of an opcode (SPIR-V 1.6, section 2.2.5).
fn role(op: Op) -> Role {
    match op {
        Op::Phi => Role::Phi,
        Op::FunctionCall => Role::Call,
        Op::SelectionMerge | Op::LoopMerge => Role::Merge,
        Op::Branch | Op::BranchConditional | Op::Switch => Role::Branch,
        Op::Return
        | Op::ReturnValue
        | Op::Kill
        | Op::Unreachable
        | Op::TerminateInvocation
        | Op::TerminateRayKHR
        | Op::IgnoreIntersectionKHR
        | Op::EmitMeshTasksEXT => Role::End,
        Op::Label | Op::FunctionEnd => Role::Boundary,
        _ => Role::Plain,
    }
}

fn layout(op: Op, operands: &[LogicalOperand]) -> Layout {
    use OperandKind as K;
    let mut layout = Layout {
        op,
        role: role(op),
        rule: rule(op),
        section: section(op),
        result_type: false,
        result: false,
        skipped: 1,
        least: NEVER,
        most: u16::MAX,
        plain: 0,
        ids_start: 0,
        ids_end: 0,
        fixed: 0,
        ids: 0,
        rest: Rest::Nothing,
    };
    // Two ids that rules of these opcodes check: a function may come later, and a set is at module
    // level.
    let is_other = |fixed| fixed == 0 && matches!(op, Op::FunctionCall | Op::ExtInst);
    let mut operands = operands.iter();
    while let Some(LogicalOperand { kind, quantifier }) = operands.next() {
        // The stride of a cooperative matrix, which only layouts that nothing here uses do not have.
        let is_stride = *kind == K::IdRef
            && matches!(
                op,
                Op::CooperativeMatrixLoadKHR | Op::CooperativeMatrixStoreKHR
            );
        if *quantifier != OperandQuantifier::One && !is_stride {
            // Optional operands are last.
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
            K::IdRef | K::IdScope | K::IdMemorySemantics
                if layout.fixed < 16 && !is_other(layout.fixed) =>
            {
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
    layout.skipped = 1 + u8::from(layout.result_type) + u8::from(layout.result);
    if layout.rest != Rest::Unknown {
        layout.least = u32::from(layout.skipped) + u32::from(layout.fixed);
    }
    match layout.rest {
        Rest::Nothing => layout.most = layout.least as u16,
        Rest::OptionalIds(count) => layout.most = layout.least as u16 + u16::from(count),
        _ => {}
    }
    set_plain_ids(&mut layout);
    layout
}

/// Finds where the ids are that are next to each other.
fn set_plain_ids(layout: &mut Layout) {
    let (fixed, ids) = (u32::from(layout.fixed), layout.ids);
    let first = ids.trailing_zeros().min(fixed);
    let last = first + ids.count_ones();
    let is_range = u16::BITS - ids.leading_zeros() == last || ids == 0;
    let (plain, end) = match layout.rest {
        _ if !is_range => return,
        Rest::Ids | Rest::OptionalIds(_) if last == fixed => (u16::MAX, u16::MAX),
        Rest::Nothing | Rest::Words => (u16::MAX, last as u16),
        Rest::Memory | Rest::Image(true) => (layout.least as u16, last as u16),
        _ => return,
    };
    let skipped = u16::from(layout.skipped);
    layout.plain = plain;
    layout.ids_start = skipped + first as u16;
    layout.ids_end = end.saturating_add(skipped);
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

/// Returns where the ids after the fixed operands start and how far apart they are; `None` if the
/// words do not fit the layout.
#[inline(always)]
pub(super) fn tail(layout: &Layout, operands: &[Word], literal: u32) -> Option<(usize, usize)> {
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
                // One mask with its operands: copies may have two masks, which this converter does
                // not emit.
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
    // The subtraction borrows in the lowest zero byte, where the highest bit was not set before.
    let has_zero = |word: &Word| word.wrapping_sub(0x0101_0101) & !word & 0x8080_8080 != 0;
    words.iter().position(has_zero).map(|last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::text_words;

    #[test]
    fn strings_end_at_the_first_zero_byte() {
        let naive = |words: &[u32]| {
            let last = words.iter().position(|w| w.to_le_bytes().contains(&0));
            last.map(|last| last + 1)
        };
        let bytes = [0x00, 0x01, 0x7F, 0x80, 0x81, 0xFF];
        for index in 0..bytes.len().pow(4) {
            let byte = |at: u32| bytes[index / bytes.len().pow(at) % bytes.len()];
            let word = u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]);
            for words in [[word, 0], [0x4142_4344, word]] {
                assert_eq!(text_words(&words), naive(&words), "{word:#x}");
            }
        }
    }
}
