//! Sections of a module as words: instructions are appended in their final order, and only their
//! words are kept.

use rspirv::spirv::{Op, Word};

use crate::error::VerifyRule;

/// The longest instruction in words: the length is half a word (SPIR-V 1.6, section 2.3).
const MAX_WORDS: usize = 0xFFFF;

/// From so many words on a list grows by a quarter at a time.
const LARGE: usize = 1 << 12;

/// Returns the first word of an instruction of that many words.
#[inline]
pub(super) fn first_word(op: Op, length: usize) -> Word {
    (length as Word) << 16 | op as Word
}

/// A sequence of instructions.
#[derive(Default)]
pub(crate) struct Code {
    words: Vec<Word>,
    /// The first instruction that the format cannot encode, and the reason.
    fault: Option<VerifyRule>,
}

impl Code {
    pub(crate) fn with_capacity(words: usize) -> Self {
        Self {
            words: Vec::with_capacity(words),
            fault: None,
        }
    }
    /// Returns where the next instruction will start.
    pub(crate) fn position(&self) -> usize {
        self.words.len()
    }

    /// Appends an instruction: the words of `head`, and operands. All are ids, enumerants and literals.
    pub(crate) fn push<const N: usize>(&mut self, op: Op, head: [Word; N], operands: &[Word]) {
        let length = 1 + N + operands.len();
        if length > MAX_WORDS {
            self.fault(|| VerifyRule::InstructionLength { opcode: op as Word });
        }
        self.make_room(length);
        self.words.push(first_word(op, length));
        self.words.extend_from_slice(&head);
        // A copy of a known number of words needs no call.
        match *operands {
            [] => {}
            [a] => self.words.push(a),
            [a, b] => self.words.extend_from_slice(&[a, b]),
            [a, b, c] => self.words.extend_from_slice(&[a, b, c]),
            _ => self.words.extend_from_slice(operands),
        }
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
        let length = before.len() + text.len() / 4 + 1 + after.len();
        let start = self.begin(length);
        self.words.extend_from_slice(before);
        // Four bytes are one word, the first is the lowest; the last word has at least one zero.
        let (words, rest) = text.as_bytes().as_chunks::<4>();
        self.words
            .extend(words.iter().map(|&word| Word::from_le_bytes(word)));
        let mut last = [0; 4];
        last[..rest.len()].copy_from_slice(rest);
        self.words.push(Word::from_le_bytes(last));
        self.words.extend_from_slice(after);
        self.end(op, start);
    }
    /// Appends an instruction: the words of `head`, and `count` operand words that [`Code::set`] fills in
    /// later. Returns the position of the first.
    pub(crate) fn push_open<const N: usize>(
        &mut self,
        op: Op,
        head: [Word; N],
        count: usize,
    ) -> usize {
        let start = self.begin(N + count);
        self.words.extend_from_slice(&head);
        let open = self.words.len();
        self.words.resize(open + count, 0);
        self.end(op, start);
        open
    }
    /// Fills in a word of an instruction.
    pub(crate) fn set(&mut self, at: usize, word: Word) {
        if let Some(slot) = self.words.get_mut(at) {
            *slot = word;
        }
    }
    /// Puts the instructions of `other` before the one at `at`, and leaves `other` empty.
    pub(crate) fn insert(&mut self, at: usize, other: &mut Code) {
        self.words.splice(at..at, other.words.drain(..));
        if let Some(fault) = other.fault.take() {
            self.fault(|| fault);
        }
    }
    /// Appends the instructions of `other`, and leaves `other` empty.
    pub(super) fn append(&mut self, other: &mut Code) {
        self.words.extend_from_slice(&other.words);
        other.words.clear();
        if let Some(fault) = other.fault.take() {
            self.fault(|| fault);
        }
    }
    /// Appends words that are no instruction (the module's header).
    pub(crate) fn raw(&mut self, words: &[Word]) {
        self.words.extend_from_slice(words);
    }

    /// Returns the words from `start` on.
    pub(super) fn words(&self, start: usize) -> &[Word] {
        self.words.get(start..).unwrap_or_default()
    }
    /// Returns the instructions from `start` on: opcode, words.
    pub(crate) fn since(&self, start: usize) -> impl Iterator<Item = (Word, &[Word])> {
        let mut rest = self.words.get(start..).unwrap_or_default();
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
    pub(crate) fn finish(self) -> Result<Vec<Word>, VerifyRule> {
        self.fault.map_or(Ok(self.words), Err)
    }

    /// Makes room for so many more words.
    #[inline(always)]
    fn make_room(&mut self, words: usize) {
        if self.words.capacity() - self.words.len() < words {
            self.grow(words);
        }
    }
    /// Grows by a quarter from some size on, instead of twofold: the words of a large module are the
    /// longest list of its conversion.
    #[cold]
    fn grow(&mut self, words: usize) {
        let length = self.words.len();
        let more = if length < LARGE { length } else { length / 4 };
        self.words.reserve_exact(words.max(more).max(64));
    }
    #[inline]
    fn begin(&mut self, operands: usize) -> usize {
        let start = self.words.len();
        self.make_room(operands + 1);
        self.words.push(0);
        start
    }
    fn end(&mut self, op: Op, start: usize) {
        let length = self.words.len() - start;
        if length > MAX_WORDS {
            self.fault(|| VerifyRule::InstructionLength { opcode: op as Word });
        }
        self.words[start] = first_word(op, length);
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
        let open = code.push_open(Op::Phi, [5, 8], 2);
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
        longest.push_open(Op::Switch, [], 0xFFFE);
        assert!(longest.finish().is_ok());
        let mut too_long = Code::default();
        too_long.push_open(Op::Switch, [], 0xFFFF);
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
