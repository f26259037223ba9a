//! The decorations of a module, by target.

use rspirv::spirv::{Decoration, Op, Word};

use super::{Failure, Verifier};
use crate::error::VerifyRule;

/// A decoration.
#[derive(Clone, Copy)]
pub(super) struct Decorated {
    pub(super) target: Word,
    pub(super) decoration: Decoration,
    /// The member, of `OpMemberDecorate`.
    pub(super) member: Option<Word>,
    /// The first operand.
    pub(super) operand: Option<Word>,
    pub(super) op: Op,
}

impl Decorated {
    fn key(&self) -> (Word, Word, Option<Word>) {
        (self.target, self.decoration as Word, self.member)
    }
}

/// The decorations of a module, sorted by target.
pub(super) struct Decorations(pub(super) Vec<Decorated>);

impl Decorations {
    /// Returns a decoration; the last one, if there are several.
    fn get(&self, target: Word, member: Option<Word>, decoration: Decoration) -> Option<Decorated> {
        let key = (target, decoration as Word, member);
        let after = self.0.partition_point(|decorated| decorated.key() <= key);
        let last = self.0.get(after.checked_sub(1)?)?;
        (last.key() == key).then_some(*last)
    }

    /// Checks that nothing has a decoration twice, but for the one that names one of several attributes.
    pub(super) fn no_repetition(&self) -> Result<(), Failure> {
        let is_repeated = |pair: &&[Decorated]| {
            pair[0].key() == pair[1].key() && pair[0].decoration != Decoration::FuncParamAttr
        };
        match self.0.windows(2).find(is_repeated) {
            Some(pair) => Err(VerifyRule::DecoratedTwice { id: pair[0].target }.into()),
            None => Ok(()),
        }
    }

    /// Returns true if an id, or a member of the struct, has a decoration.
    pub(super) fn has(&self, target: Word, member: Option<Word>, decoration: Decoration) -> bool {
        self.get(target, member, decoration).is_some()
    }

    /// Returns the number in a decoration of an id.
    pub(super) fn number(&self, target: Word, decoration: Decoration) -> Option<Word> {
        self.get(target, None, decoration)?.operand
    }
}

impl Verifier<'_> {
    /// Returns the decorations of the module.
    pub(super) fn decorations(&self) -> Decorations {
        let mut list = Vec::new();
        for inst in self.forward() {
            let (target, member, rest) = match (inst.op(), inst.operands) {
                (Op::Decorate | Op::DecorateId, [target, rest @ ..]) => (*target, None, rest),
                (Op::MemberDecorate, [target, member, rest @ ..]) => (*target, Some(*member), rest),
                _ => continue,
            };
            let decoration = rest.first().copied().and_then(Decoration::from_u32);
            list.extend(decoration.map(|decoration| Decorated {
                target,
                decoration,
                member,
                operand: rest.get(1).copied(),
                op: inst.op(),
            }));
        }
        list.sort_by_key(Decorated::key);
        Decorations(list)
    }
}
