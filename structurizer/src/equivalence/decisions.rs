//! Decisions: where the branches of the result lead, by the condition of an edge of the input or by a constant.

use super::values::Claim;
use super::{Checker, Condition, Difference, Functions, State, Step};
use crate::ir::{Block, Function, InstKind, SelectorOp, Terminator, Value, ValueKind};

/// The kind of a value that decides a branch, on the first path into a state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Constant,
    /// The condition of the edge of the input.
    Edge,
    /// Another value, which may be a phi of the condition.
    Other,
}

impl Checker {
    /// Returns whether a block that is passed has a select for a condition that is not constant,
    /// and whether that is the condition of the edge of the input.
    pub(super) fn selects(
        &mut self,
        funcs: Functions<'_>,
        state: State,
        at: Block,
    ) -> Result<(bool, bool), Difference> {
        for inst in funcs.result.insts(at) {
            if funcs.result.inst_kind(inst) == InstKind::Select
                && let [cond, ..] = *funcs.result.uses(inst)
                && selector_test(funcs.result, at, cond).is_none()
                && !matches!(self.known(funcs, state, cond)?, Some((_, Source::Constant)))
            {
                return Ok((true, !self.is_of_next(funcs, state, cond)?));
            }
        }
        Ok((false, false))
    }

    /// Returns where the result continues after a state, for the edge of the input with a condition if it is a
    /// pair, and whether that condition decides. None if it has decided a branch before, or this is one of a block
    /// of the input after the edge.
    pub(super) fn branch(
        &mut self,
        funcs: Functions<'_>,
        state: State,
        at: Block,
        condition: Option<Condition>,
    ) -> Result<Option<(Block, bool)>, Difference> {
        let result = funcs.result;
        let (value, default, other) = match result.term(at) {
            Terminator::Branch(to) => return Ok(Some((to, false))),
            Terminator::CondBranch { then, else_, .. } if then == else_ => {
                return Ok(Some((then, false)));
            }
            Terminator::CondBranch {
                cond, then, else_, ..
            } => (cond, then, Some(else_)),
            Terminator::Switch { default, cases, .. } if cases.is_empty() => {
                return Ok(Some((default, false)));
            }
            Terminator::Switch { value, default, .. } => (value, default, None),
            _ => return Err(Difference::Branch(at)),
        };
        let (value, test) = match selector_test(result, at, value) {
            Some((selector, op, bound)) => (selector, Some((op, bound))),
            None => (value, None),
        };
        let known = match condition {
            Some(condition) => Some(self.known_at_end(funcs, state, condition, value)?),
            None => self.known(funcs, state, value)?,
        };
        let (known, source) = known.ok_or(Difference::Branch(at))?;
        let is_constant = source == Source::Constant;
        if !is_constant
            && condition.is_none()
            && (self.states[state].is_decided || self.is_of_next(funcs, state, value)?)
        {
            return Ok(None);
        }
        let (claim, next) = match (other, test, known) {
            (Some(other), Some((op, bound)), Condition::Case(Some(number))) => {
                let is_true = compare(op, number, bound);
                let claim = Claim::Test { op, bound, is_true };
                (claim, if is_true { default } else { other })
            }
            (Some(other), None, Condition::Is(is_true)) => {
                (Claim::Is(is_true), if is_true { default } else { other })
            }
            (None, None, Condition::Case(literal)) => {
                let next = self.case(result, at, literal).unwrap_or(default);
                (Claim::Case(at, next), next)
            }
            _ => return Err(Difference::Branch(at)),
        };
        match condition {
            Some(condition) => self.claims.add_at_end(state, condition, claim, value),
            None => self.claim(result, state, claim, value)?,
        }
        Ok(Some((next, !is_constant)))
    }

    /// Returns where a switch of the result continues for the literal of a case, or by default.
    pub(super) fn case(
        &self,
        result: &Function,
        switch: Block,
        literal: Option<u64>,
    ) -> Option<Block> {
        let own = literal.and_then(|literal| self.result_cases.get(&(switch, literal)));
        match result.term(switch) {
            Terminator::Switch { default, .. } => Some(own.copied().unwrap_or(default)),
            _ => None,
        }
    }

    /// Returns whether a value of the result is the condition of the block that comes next in the
    /// input, and not the condition of the edge on the first way into a state: the result has no
    /// branches with equal targets.
    fn is_of_next(
        &mut self,
        funcs: Functions<'_>,
        state: State,
        value: Value,
    ) -> Result<bool, Difference> {
        let known = self.known(funcs, state, value)?;
        if !matches!(known, Some((_, Source::Other))) {
            return Ok(false);
        }
        let next = self.after_steps(funcs.input, self.states[state].to)?;
        Ok(next.is_some_and(|next| funcs.input.term(next).value() == Some(value)))
    }

    /// Returns the decision by a value of the result in a state, on the first path into it: a
    /// constant, or the condition of the input's edge on that path.
    pub(super) fn known(
        &mut self,
        funcs: Functions<'_>,
        mut state: State,
        mut value: Value,
    ) -> Result<Option<(Condition, Source)>, Difference> {
        let result = funcs.result;
        let depth = self.depth;
        if depth == MAX_DEPTH {
            return Err(Difference::TooLarge);
        }
        self.depth += 1;
        let first = self.followed.len();
        let known = loop {
            while let Some([cond, then, otherwise]) = select(result, self.states[state].at, value) {
                self.step()?;
                let is_true = self.chooses(funcs, state, cond)?;
                value = if is_true { then } else { otherwise };
            }
            if let Some(constant) = constant(result, value) {
                break Some((constant, Source::Constant));
            }
            if let Some(&known) = self.decided.get(&(state, value)) {
                break Some(known);
            }
            let way = self.states[state].first.expand().map(|way| self.ways[way]);
            let Some((step, from)) = way.and_then(|way| Some((way.step, way.from.expand()?)))
            else {
                break None;
            };
            self.followed.push((state, value));
            value = self.found_before(result, from, state, step, value);
            state = from;
            if let Step::Both(condition) = step {
                break Some(self.known_at_end(funcs, state, condition, value)?);
            }
        };
        let followed = self.followed.drain(first..);
        if let Some(known) = known {
            self.decided.extend(followed.map(|key| (key, known)));
        }
        self.depth = depth;
        Ok(known)
    }

    /// Does the same at the end of a pair, for the edge of the input with a condition.
    pub(super) fn known_at_end(
        &mut self,
        Functions { input, result }: Functions<'_>,
        pair: State,
        condition: Condition,
        mut value: Value,
    ) -> Result<(Condition, Source), Difference> {
        while let Some([cond, then, otherwise]) = select(result, self.states[pair].at, value) {
            self.step()?;
            value = match (constant(result, cond), condition) {
                (Some(Condition::Is(true)), _) | (None, Condition::Is(true)) => then,
                (Some(Condition::Is(false)), _) | (None, Condition::Is(false)) => otherwise,
                _ => return Ok((condition, Source::Edge)),
            };
        }
        if let Some(constant) = constant(result, value) {
            return Ok((constant, Source::Constant));
        }
        let block = self.states[pair].to.block();
        let own = block.and_then(|block| input.term(block).value());
        // A phi that is redundant has the name of another value.
        let is_other = |own| own != value && !matches!(input.value_kind(own), ValueKind::Phi(_));
        let is_other = own.is_some_and(is_other);
        Ok((
            condition,
            if is_other {
                Source::Other
            } else {
                Source::Edge
            },
        ))
    }

    /// Returns whether a select of a block that is passed has a true condition, and claims it.
    pub(super) fn chooses(
        &mut self,
        funcs: Functions<'_>,
        state: State,
        cond: Value,
    ) -> Result<bool, Difference> {
        let at = self.states[state].at;
        let test = selector_test(funcs.result, at, cond);
        let value = test.map_or(cond, |test| test.0);
        let (claim, is_true) = match (self.known(funcs, state, value)?, test) {
            (Some((Condition::Is(is_true), _)), None) => (Claim::Is(is_true), is_true),
            (Some((Condition::Case(Some(number)), _)), Some((_, op, bound))) => {
                let is_true = compare(op, number, bound);
                (Claim::Test { op, bound, is_true }, is_true)
            }
            _ => return Err(Difference::Branch(at)),
        };
        self.claim(funcs.result, state, claim, value)?;
        Ok(is_true)
    }

    /// Returns whether a switch of the result continues with a block for each value for which a switch of the
    /// input takes the case with a literal, or the default.
    pub(super) fn takes(
        &self,
        result: &Function,
        (switch, next): (Block, Block),
        block: Block,
        literal: Option<u64>,
    ) -> bool {
        let Terminator::Switch { cases, .. } = result.term(switch) else {
            return false;
        };
        let cases = result.cases(cases);
        let is_of_input = |literal| self.input_cases.contains_key(&(block, literal));
        self.case(result, switch, literal) == Some(next)
            // No value for which the input takes the default may have a case in the result.
            && (literal.is_some() || cases.iter().all(|case| is_of_input(case.literal)))
    }

    /// Returns whether a claim holds for a value that is a constant of the structurizer; none for
    /// others.
    pub(super) fn decides(&self, result: &Function, claim: Claim, found: Value) -> Option<bool> {
        match (claim, result.value_kind(found)) {
            (Claim::Is(expected), ValueKind::BoolConstant(is_true)) => Some(is_true == expected),
            (Claim::Test { op, bound, is_true }, ValueKind::SelectorConstant(number)) => {
                Some(compare(op, number.into(), bound) == is_true)
            }
            (Claim::Case(switch, next), ValueKind::SelectorConstant(number)) => {
                Some(self.case(result, switch, Some(number.into())) == Some(next))
            }
            _ => None,
        }
    }
}

/// Returns whether a block has a select.
pub(super) fn has_select(func: &Function, block: Block) -> bool {
    let mut insts = func.insts(block);
    insts.any(|inst| func.inst_kind(inst) == InstKind::Select)
}

/// Returns the selector, the comparison and the bound of a test that a block ends in.
pub(super) fn selector_test(
    func: &Function,
    at: Block,
    value: Value,
) -> Option<(Value, SelectorOp, u32)> {
    let ValueKind::Result { inst, .. } = func.value_kind(value) else {
        return None;
    };
    match (func.inst_kind(inst), func.uses(inst)) {
        (InstKind::SelectorTest { op, constant }, &[selector]) if func.inst_block(inst) == at => {
            Some((selector, op, constant))
        }
        _ => None,
    }
}

pub(super) fn compare(op: SelectorOp, number: u64, bound: u32) -> bool {
    match op {
        SelectorOp::LessEqual => number <= u64::from(bound),
        SelectorOp::Equal => number == u64::from(bound),
    }
}

/// Returns the decision by a constant of the structurizer.
pub(super) fn constant(func: &Function, value: Value) -> Option<Condition> {
    match func.value_kind(value) {
        ValueKind::SelectorConstant(number) => Some(Condition::Case(Some(number.into()))),
        ValueKind::BoolConstant(is_true) => Some(Condition::Is(is_true)),
        _ => None,
    }
}

/// Returns the operands of a select in a block that has a value as result: the condition, and the values
/// if it is true and if not.
pub(super) fn select(func: &Function, at: Block, value: Value) -> Option<[Value; 3]> {
    let ValueKind::Result { inst, .. } = func.value_kind(value) else {
        return None;
    };
    let is_select = func.inst_kind(inst) == InstKind::Select && func.inst_block(inst) == at;
    is_select.then(|| func.uses(inst).try_into().ok()).flatten()
}

/// How deep selects may choose the conditions of selects.
const MAX_DEPTH: usize = 64;
