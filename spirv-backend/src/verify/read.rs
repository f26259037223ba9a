//! Instructions of a module in words: their operands, and which of these are ids.

use rspirv::spirv::{Op, Word};

use super::Failure;
use super::layout::{Layout, Table, table, tail};
use crate::error::VerifyRule;

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
    /// Operands after result type and result, at least the required ones.
    pub(super) operands: &'a [Word],
    /// Words of a literal of a switch.
    pub(super) literal: u32,
}

impl<'a> Inst<'a> {
    /// Its opcode.
    pub(super) fn op(&self) -> Op {
        self.layout.op
    }

    /// Returns the ids among the operands, in order.
    pub(super) fn ids(&self) -> Ids<'a> {
        let found = tail(self.layout, self.operands, self.literal);
        Ids::new(self.layout, self.operands, found.unwrap_or((usize::MAX, 1)))
    }

    /// Returns the result type, if it has one.
    pub(super) fn result_type(&self) -> Option<Word> {
        Some(self.result_type).filter(|&ty| ty != 0)
    }

    /// Checks that the opcode permits this number of operands.
    ///
    /// # Errors
    /// They are not.
    pub(super) fn check(&self) -> Result<(), Failure> {
        match tail(self.layout, self.operands, self.literal) {
            Some(_) => Ok(()),
            None => {
                let opcode = self.layout.op as Word;
                Err(malformed(opcode, self.next - self.at, self.at))
            }
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

impl<'a> Ids<'a> {
    fn new(layout: &Layout, operands: &'a [Word], (tail, step): (usize, usize)) -> Self {
        Self {
            operands,
            fixed: layout.ids,
            tail,
            step,
        }
    }
}

impl Iterator for Ids<'_> {
    type Item = Word;

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

/// An instruction whose parts are not read yet: the loops over all instructions read few.
#[derive(Clone, Copy)]
pub(super) struct Head<'a> {
    pub(super) layout: &'static Layout,
    /// All of its words.
    pub(super) words: &'a [Word],
}

impl<'a> Head<'a> {
    /// Returns the operands after result type and result.
    #[inline(always)]
    pub(super) fn operands(self) -> &'a [Word] {
        let skipped = usize::from(self.layout.skipped);
        self.words.get(skipped..).unwrap_or_default()
    }

    /// Returns the ids among the operands if they are next to each other; `None` if it has to be
    /// looked at the words.
    #[inline(always)]
    pub(super) fn simple_ids(self) -> Option<&'a [Word]> {
        let (layout, count) = (self.layout, self.words.len());
        if count > usize::from(layout.plain) {
            return None;
        }
        let end = count.min(usize::from(layout.ids_end));
        self.words.get(usize::from(layout.ids_start)..end)
    }

    /// Returns the ids among the operands, in order; `None` if the opcode does not permit this
    /// number of operands.
    #[inline]
    pub(super) fn ids(self) -> Option<Ids<'a>> {
        let operands = self.operands();
        let found = tail(self.layout, operands, 1)?;
        Some(Ids::new(self.layout, operands, found))
    }

    /// Returns its parts, with its result type and its result.
    #[inline(always)]
    pub(super) fn inst(self, at: u32, result_type: Word, result: Word) -> Inst<'a> {
        Inst {
            layout: self.layout,
            at,
            next: at + self.words.len() as u32,
            result_type,
            result,
            operands: self.operands(),
            literal: 1,
        }
    }

    /// Returns its parts; `None` if its type or its result is 0, which is not an id.
    #[inline]
    pub(super) fn parts(self, at: u32) -> Option<Inst<'a>> {
        let layout = self.layout;
        // Of an instruction with `least` words all are there.
        let word = |has: bool, index: usize| match has {
            true => self.words.get(index).copied().filter(|&id| id != 0),
            false => Some(0),
        };
        let result_type = word(layout.result_type, 1)?;
        let result = word(layout.result, usize::from(layout.skipped) - 1)?;
        Some(self.inst(at, result_type, result))
    }
}

/// The words of a module, read instruction by instruction.
#[derive(Clone, Copy)]
pub(super) struct Reader {
    layouts: &'static [Layout],
    by_opcode: &'static [u16; 1 << 16],
}

impl Reader {
    pub(super) fn new() -> Self {
        let Table { layouts, by_opcode } = table();
        Self { layouts, by_opcode }
    }

    /// Returns the instruction at a word. Its words are within the module, and it has the operands
    /// that are always there.
    ///
    /// # Errors
    /// Fails if there is none.
    #[inline(always)]
    pub(super) fn head<'a>(self, words: &'a [Word], at: u32) -> Result<Head<'a>, Failure> {
        self.next(&mut words.get(at as usize..).unwrap_or_default(), at)
    }

    /// Returns the first instruction of the rest of the words, which are at `at`, and removes it.
    ///
    /// # Errors
    /// Fails as [`Self::head`].
    #[inline(always)]
    pub(super) fn next<'a>(self, rest: &mut &'a [Word], at: u32) -> Result<Head<'a>, Failure> {
        let Some(&first) = rest.first() else {
            return Err(past_end(at));
        };
        let (opcode, count) = (first & 0xFFFF, first >> 16);
        let index = self.by_opcode[usize::from(first as u16)];
        let layout = self.layouts.get(usize::from(index));
        let Some(layout) = layout.filter(|l| l.least <= count && count <= u32::from(l.most)) else {
            return Err(malformed(opcode, count, at));
        };
        let Some((words, after)) = rest.split_at_checked(count as usize) else {
            return Err(past_end(at));
        };
        *rest = after;
        Ok(Head { layout, words })
    }

    /// Returns the instruction at a word in parts; [`Inst::check`] checks the optional operands.
    ///
    /// # Errors
    /// Fails if there is none.
    pub(super) fn read<'a>(self, words: &'a [Word], at: u32) -> Result<Inst<'a>, Failure> {
        let head = self.head(words, at)?;
        head.parts(at).ok_or_else(|| malformed_head(head, at))
    }
}

/// Returns the error of an instruction whose operands do not fit its opcode.
#[cold]
pub(super) fn malformed_head(head: Head<'_>, at: u32) -> Failure {
    malformed(head.layout.op as Word, head.words.len() as u32, at)
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
        assert_eq!(ids(Op::ExtInst, &[1, 2, 3, 31, 4]), Some(vec![4]));
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
