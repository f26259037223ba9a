//! Sections of a module as words: instructions are appended in their final order, and only their
//! words are kept.

use rspirv::spirv::{Op, Word};

use crate::error::VerifyRule;

/// The longest instruction in words: the length is half a word (SPIR-V 1.6, section 2.3).
const MAX_WORDS: usize = 0xFFFF;

/// Lists of at least this number of words grow by a quarter: doubling them would be the peak of a
/// conversion.
const LARGE: usize = 1 << 12;

/// Returns the first word of an instruction of that many words.
#[inline]
pub(super) fn first_word(op: Op, length: usize) -> Word {
    (length as Word) << 16 | op as Word
}

/// How many zeros are added at a time.
const ZEROS: usize = 256;

/// Most words of an instruction that is written without a loop: nearly all are as short.
const SHORT: usize = 10;

/// A sequence of instructions.
#[derive(Default)]
pub(crate) struct Code {
    /// The words, and zeros after them that the next instructions replace.
    words: Vec<Word>,
    /// How many words there are.
    length: usize,
    /// The first instruction that the format cannot encode, and the reason.
    fault: Option<VerifyRule>,
}

impl Code {
    pub(crate) fn with_capacity(words: usize) -> Self {
        Self {
            words: Vec::with_capacity(words),
            length: 0,
            fault: None,
        }
    }
    /// Returns where the next instruction will start.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.length
    }

    /// Appends an instruction: the words of `head`, and operands. All are ids, enumerants and literals.
    pub(crate) fn push<const N: usize>(&mut self, op: Op, head: [Word; N], operands: &[Word]) {
        const { assert!(N + 6 <= SHORT) };
        let rest = self.words.get_mut(self.length..).unwrap_or_default();
        let Some(words) = rest.first_chunk_mut::<SHORT>() else {
            return self.push_long(op, &head, operands);
        };
        let length = 1 + N + operands.len();
        words[0] = first_word(op, length);
        words[1..=N].copy_from_slice(&head);
        let rest = &mut words[1 + N..];
        match *operands {
            [] => {}
            [a] => rest[0] = a,
            [a, b] => [rest[0], rest[1]] = [a, b],
            [a, b, c] => [rest[0], rest[1], rest[2]] = [a, b, c],
            [a, b, c, d] => [rest[0], rest[1], rest[2], rest[3]] = [a, b, c, d],
            [a, b, c, d, e] => {
                [rest[0], rest[1], rest[2], rest[3], rest[4]] = [a, b, c, d, e];
            }
            _ => return self.push_long(op, &head, operands),
        }
        self.length += length;
    }
    #[inline(never)]
    fn push_long(&mut self, op: Op, head: &[Word], operands: &[Word]) {
        let words = self.begin(op, head.len() + operands.len());
        let (of_head, rest) = words.split_at_mut(head.len());
        of_head.copy_from_slice(head);
        rest.copy_from_slice(operands);
    }
    /// Appends an instruction with a string: the words before it (a result id too), the string, and
    /// the words after it.
    pub(crate) fn push_text(&mut self, op: Op, before: &[Word], text: &str, after: &[Word]) {
        if text.contains('\0') {
            self.fault(|| VerifyRule::StringNul {
                opcode: op as Word,
                text: text.to_owned(),
            });
        }
        // Four bytes are one word, the first is the lowest; the last word has at least one zero.
        let (words, rest) = text.as_bytes().as_chunks::<4>();
        let mut last = [0; 4];
        last[..rest.len()].copy_from_slice(rest);
        let text = words.iter().chain([&last]);
        let text = text.map(|&word| Word::from_le_bytes(word));
        let all = before.iter().copied().chain(text);
        let length = before.len() + words.len() + 1 + after.len();
        let slots = self.begin(op, length).iter_mut();
        for (slot, word) in slots.zip(all.chain(after.iter().copied())) {
            *slot = word;
        }
    }
    /// Appends an instruction: the words of `head`, and `count` operand words that [`Code::set`] fills in
    /// later. Returns the position of the first.
    pub(crate) fn push_open(&mut self, op: Op, head: &[Word], count: usize) -> usize {
        let words = self.begin(op, head.len() + count);
        words[..head.len()].copy_from_slice(head);
        self.length - count
    }
    /// Fills in a word of an instruction.
    pub(crate) fn set(&mut self, at: usize, word: Word) {
        if let Some(slot) = self.words.get_mut(at) {
            *slot = word;
        }
    }
    /// Inserts the instructions of `other` before the instruction at `at`, and leaves `other`
    /// empty.
    pub(crate) fn insert(&mut self, at: usize, other: &mut Code) {
        let words = other.words.drain(..other.length);
        self.length += words.len();
        self.words.splice(at..at, words);
        other.length = 0;
        if let Some(fault) = other.fault.take() {
            self.fault(|| fault);
        }
    }
    /// Appends words that are not an instruction (the module's header).
    pub(crate) fn raw(&mut self, words: &[Word]) {
        self.room(words.len()).copy_from_slice(words);
    }

    /// Returns the words from `start` on.
    pub(super) fn words(&self, start: usize) -> &[Word] {
        self.words.get(start..self.length).unwrap_or_default()
    }
    /// Returns the instructions from `start` on: opcode, words.
    pub(crate) fn since(&self, start: usize) -> impl Iterator<Item = (Word, &[Word])> {
        let mut rest = self.words(start);
        std::iter::from_fn(move || {
            let first = *rest.first()?;
            let (inst, after) = rest.split_at_checked((first >> 16).max(1) as usize)?;
            rest = after;
            Some((first & 0xFFFF, inst))
        })
    }

    /// Returns the words.
    ///
    /// # Errors
    /// An instruction does not fit in the format.
    pub(crate) fn finish(mut self) -> Result<Vec<Word>, VerifyRule> {
        self.words.truncate(self.length);
        self.fault.map_or(Ok(self.words), Err)
    }

    /// Appends words to fill in.
    fn room(&mut self, count: usize) -> &mut [Word] {
        let start = self.length;
        self.length += count;
        if self.words.len() < self.length + SHORT {
            self.grow();
        }
        &mut self.words[start..self.length]
    }
    /// Grows by a quarter from some size on, instead of twofold: the words of a large module are the
    /// longest list of its conversion.
    #[cold]
    fn grow(&mut self) {
        let (known, wanted) = (self.words.len(), self.length + SHORT);
        if wanted > self.words.capacity() {
            let more = if known < LARGE { known } else { known / 4 };
            self.words.reserve_exact((wanted - known).max(more).max(64));
        }
        let length = (wanted + ZEROS).min(self.words.capacity());
        self.words.resize(length, 0);
    }
    /// Appends the first word of an instruction with `count` more, to fill in; returns these.
    fn begin(&mut self, op: Op, count: usize) -> &mut [Word] {
        let length = 1 + count;
        if length > MAX_WORDS {
            self.fault(|| VerifyRule::InstructionLength { opcode: op as Word });
        }
        let words = self.room(length);
        words[0] = first_word(op, length);
        &mut words[1..]
    }
    #[cold]
    fn fault(&mut self, rule: impl FnOnce() -> VerifyRule) {
        if self.fault.is_none() {
            self.fault = Some(rule());
        }
    }
}

#[cfg(test)]
mod tests {
    use rspirv::spirv::Op;

    use super::Code;
    use crate::error::VerifyRule;

    #[test]
    fn words_of_an_instruction() {
        let mut code = Code::default();
        code.push(Op::CompositeExtract, [5, 7], &[6, 1]);
        code.push(Op::Branch, [9], &[]);
        let open = code.push_open(Op::Phi, &[5, 8], 2);
        code.set(open + 1, 4);
        let ops: Vec<_> = code.since(0).map(|(op, words)| (op, words.len())).collect();
        assert_eq!(
            ops,
            [
                (Op::CompositeExtract as u32, 5),
                (Op::Branch as u32, 2),
                (Op::Phi as u32, 5)
            ]
        );
        assert_eq!(
            code.finish().as_deref(),
            Ok([0x5_0051, 5, 7, 6, 1, 0x2_00F9, 9, 0x5_00F5, 5, 8, 0, 4].as_slice())
        );
    }

    #[test]
    fn insertion_keeps_what_follows() {
        let (mut code, mut other) = (Code::default(), Code::default());
        code.push(Op::Label, [1], &[]);
        let at = code.position();
        code.push(Op::Return, [], &[]);
        other.push(Op::Nop, [], &[]);
        code.insert(at, &mut other);
        assert_eq!(other.position(), 0);
        assert_eq!(
            code.finish().as_deref(),
            Ok([0x2_00F8, 1, 0x1_0000, 0x1_00FD].as_slice())
        );
    }

    #[test]
    fn instructions_that_the_format_cannot_encode() {
        let mut longest = Code::default();
        longest.push_open(Op::Switch, &[], 0xFFFE);
        assert!(longest.finish().is_ok());
        let mut too_long = Code::default();
        too_long.push_open(Op::Switch, &[], 0xFFFF);
        assert!(
            too_long
                .finish()
                .is_err_and(|rule| rule.to_string() == "OpSwitch is longer than 65535 words")
        );
        let mut text = Code::default();
        text.push_text(Op::String, &[1], "a\0b", &[]);
        assert!(
            text.finish()
                .is_err_and(|rule| matches!(rule, VerifyRule::StringNul { .. }))
        );
    }
}
