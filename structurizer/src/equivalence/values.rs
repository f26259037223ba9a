//! Claims about values: that a value of the result is one of the input, or decides a branch.

use alloc::vec::Vec;

use super::decisions::{constant, select};
use super::states::is_same_branch;
use super::{Checker, Condition, Difference, Functions, State, StateData, Step, Target, WayData};
use crate::entity::{EntityRef, PrimaryMap};
use crate::ir::{Block, Function, InstKind, SelectorOp, Value, ValueKind};
use crate::maps::{FxHashMap, FxHashSet};

/// A claim about a value of the result.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Claim {
    /// It is this value of the input.
    Input(Value),
    /// It is the boolean.
    Is(bool),
    /// It is a selector for which the comparison is true or false.
    Test {
        op: SelectorOp,
        bound: u32,
        is_true: bool,
    },
    /// The switch in a block of the result continues with another block for it.
    Case(Block, Block),
    /// It is the value that the input returns.
    Returned,
}

/// The claims of a check.
#[derive(Default)]
pub(super) struct Claims {
    /// Claims to be followed.
    open: Vec<(State, Claim, Value)>,
    known: FxHashSet<(State, Claim, Value)>,
    /// Claims at the ends of pairs, which are checked when all pairs are known.
    at_ends: Vec<(State, Condition, Claim, Value)>,
    /// The phis of the input that are claimed to be themselves in their own pairs.
    is_itself: PrimaryMap<Value, bool>,
    input_operands: Operands,
    result_operands: Operands,
}

impl Claims {
    /// Forgets the functions before.
    pub(super) fn start(&mut self, input: &Function) {
        self.open.clear();
        self.known.clear();
        self.at_ends.clear();
        self.is_itself.reset(input.num_values());
        self.input_operands.clear();
        self.result_operands.clear();
    }

    /// Returns the equivalent, at the end of a predecessor, of an input value after the phis of a
    /// block.
    pub(super) fn expected(
        &mut self,
        input: &Function,
        pred: Block,
        block: Block,
        value: Value,
    ) -> Value {
        self.input_operands.before(input, pred, block, value)
    }

    /// Does the same with a value of the result.
    pub(super) fn found(
        &mut self,
        result: &Function,
        pred: Block,
        block: Block,
        value: Value,
    ) -> Value {
        self.result_operands.before(result, pred, block, value)
    }

    /// Adds a claim about a value at the end of a pair, for the edge of the input with a condition.
    pub(super) fn add_at_end(
        &mut self,
        pair: State,
        condition: Condition,
        claim: Claim,
        value: Value,
    ) {
        self.at_ends.push((pair, condition, claim, value));
    }
}

impl Checker {
    /// Adds a claim about a value in a state.
    pub(super) fn claim(
        &mut self,
        result: &Function,
        state: State,
        claim: Claim,
        value: Value,
    ) -> Result<(), Difference> {
        let StateData { at, to, .. } = self.states[state];
        // A result of the block has its value of the last time still.
        if let ValueKind::Result { inst, .. } = result.value_kind(value)
            && result.inst_block(inst) == at
            && !matches!(to, Target::Last(_))
        {
            return match claim {
                Claim::Input(expected) => self.differ(Some(state), expected, value),
                _ => Err(Difference::Branch(at)),
            };
        }
        if self.claims.known.insert((state, claim, value)) {
            self.claims.open.push((state, claim, value));
        }
        Ok(())
    }

    /// Checks the operands of instructions, and all claims.
    pub(super) fn check_values(&mut self, funcs: Functions<'_>) -> Result<(), Difference> {
        let Functions { input, result } = funcs;
        for state in self.states.keys() {
            let StateData { at, to, .. } = self.states[state];
            if to == Target::Block(at) && self.is_pair(state) {
                for inst in input.insts(at) {
                    for (&expected, &found) in input.uses(inst).iter().zip(result.uses(inst)) {
                        self.equal_in_pair(funcs, state, expected, found)?;
                    }
                }
                if let Some(cond) = input.term(at).value()
                    && is_same_branch(funcs, at, at)
                {
                    self.equal_in_pair(funcs, state, cond, cond)?;
                }
            }
        }
        loop {
            if let Some((pair, condition, claim, value)) = self.claims.at_ends.pop() {
                self.at_end(funcs, pair, condition, claim, value)?;
            } else if let Some((state, claim, value)) = self.claims.open.pop() {
                self.follow(funcs, state, claim, value)?;
            } else {
                return Ok(());
            }
        }
    }

    /// Follows a claim over all ways into a state.
    fn follow(
        &mut self,
        funcs: Functions<'_>,
        state: State,
        claim: Claim,
        value: Value,
    ) -> Result<(), Difference> {
        let Functions { input, result } = funcs;
        let mut next = self.states[state].first;
        while let Some(way) = next.expand() {
            self.step()?;
            let WayData {
                from,
                step,
                next: following,
                ..
            } = self.ways[way];
            next = following;
            let Some(from) = from.expand() else {
                // Constants alone are defined before the function starts.
                let Claim::Input(expected) = claim else {
                    return Err(Difference::Branch(self.states[state].at));
                };
                self.equal_at_end(funcs, None, expected, value)?;
                continue;
            };
            let found = self.found_before(result, from, state, step, value);
            let claim = match claim {
                Claim::Input(expected) => {
                    Claim::Input(self.expected_before(input, from, state, step, expected))
                }
                claim => claim,
            };
            match (step, claim) {
                (Step::Both(_), Claim::Input(expected))
                    if self.is_unchanged(funcs, expected, found) => {}
                (Step::Both(condition), _) => self.at_end(funcs, from, condition, claim, found)?,
                (Step::Result | Step::Input, _) => self.in_passing(funcs, from, claim, found)?,
            }
        }
        Ok(())
    }

    /// Returns the equivalent, in the state before, of a value of the result in a state.
    pub(super) fn found_before(
        &mut self,
        result: &Function,
        from: State,
        state: State,
        step: Step,
        value: Value,
    ) -> Value {
        let (from, at) = (self.states[from].at, self.states[state].at);
        match step {
            Step::Input => value,
            _ => self.claims.found(result, from, at, value),
        }
    }

    /// Returns the equivalent, in the state before, of an input value in a state.
    fn expected_before(
        &mut self,
        input: &Function,
        from: State,
        state: State,
        step: Step,
        value: Value,
    ) -> Value {
        let (before, after) = (self.states[from].to.block(), self.states[state].to.block());
        match (step, before, after) {
            (Step::Both(_) | Step::Input, Some(before), Some(after)) => {
                self.claims.expected(input, before, after, value)
            }
            _ => value,
        }
    }

    /// Checks a claim at the end of a pair, for the edge of the input with a condition.
    fn at_end(
        &mut self,
        funcs: Functions<'_>,
        pair: State,
        condition: Condition,
        claim: Claim,
        mut found: Value,
    ) -> Result<(), Difference> {
        let StateData { at, to, .. } = self.states[pair];
        while let Some([cond, then, otherwise]) = select(funcs.result, at, found) {
            self.step()?;
            let known = constant(funcs.result, cond).unwrap_or(condition);
            let Condition::Is(is_true) = known else {
                return Err(Difference::Branch(at));
            };
            let chosen = (pair, condition, Claim::Is(is_true), cond);
            self.claims.at_ends.push(chosen);
            found = if is_true { then } else { otherwise };
        }
        if let Some(holds) = self.decides(funcs.result, claim, found) {
            return if holds {
                Ok(())
            } else {
                Err(Difference::Branch(at))
            };
        }
        let Target::Block(block) = to else {
            return Err(Difference::Branch(at));
        };
        let terminator = funcs.input.term(block);
        let holds = match (claim, condition) {
            (Claim::Input(expected), _) => {
                return self.equal_at_end(funcs, Some(pair), expected, found);
            }
            (Claim::Returned, Condition::Always) => terminator.is_exit(),
            (Claim::Is(expected), Condition::Is(is_true)) => expected == is_true,
            (Claim::Case(switch, next), Condition::Case(literal)) => {
                self.takes(funcs.result, (switch, next), block, literal)
            }
            _ => false,
        };
        match terminator.value() {
            Some(expected) if holds => self.equal_at_end(funcs, Some(pair), expected, found),
            _ => Err(Difference::Branch(at)),
        }
    }

    /// Checks a claim in a state that is not a pair.
    fn in_passing(
        &mut self,
        funcs: Functions<'_>,
        state: State,
        claim: Claim,
        mut found: Value,
    ) -> Result<(), Difference> {
        while let Some([cond, then, otherwise]) = select(funcs.result, self.states[state].at, found)
        {
            self.step()?;
            let is_true = self.chooses(funcs, state, cond)?;
            found = if is_true { then } else { otherwise };
        }
        match (self.decides(funcs.result, claim, found), claim) {
            (Some(true), _) => Ok(()),
            (Some(false), _) => Err(Difference::Branch(self.states[state].at)),
            (None, Claim::Input(expected)) => self.equal(funcs, Some(state), expected, found),
            (None, _) => self.claim(funcs.result, state, claim, found),
        }
    }

    /// Returns whether two values in a pair are the same constant, or the same result of an instruction of one
    /// pair: the rules of [`Checker::equal`] for nearly all uses.
    fn is_unchanged(
        &self,
        Functions { input, result }: Functions<'_>,
        expected: Value,
        found: Value,
    ) -> bool {
        if expected != found {
            return false;
        }
        let kind = input.value_kind(expected);
        // Constants, and results of instructions in one pair, need no claim: nearly all uses are
        // such.
        let is_once = match kind {
            ValueKind::Phi(_) => false,
            ValueKind::Result { inst, .. } => {
                let block = input.inst_block(inst);
                !self.is_elsewhere[block] && self.pairs[block].is_some()
            }
            _ => true,
        };
        is_once && kind == result.value_kind(found)
    }

    /// Checks two values that are used in a pair.
    fn equal_in_pair(
        &mut self,
        funcs: Functions<'_>,
        pair: State,
        expected: Value,
        found: Value,
    ) -> Result<(), Difference> {
        match self.is_unchanged(funcs, expected, found) {
            true => Ok(()),
            false => self.equal_at_end(funcs, Some(pair), expected, found),
        }
    }

    /// Checks two values at the end of a pair: they are equal in it, or results of the same instruction of it.
    fn equal_at_end(
        &mut self,
        funcs: Functions<'_>,
        pair: Option<State>,
        expected: Value,
        found: Value,
    ) -> Result<(), Difference> {
        if let Some(pair) = pair
            && let kind @ ValueKind::Result { inst, .. } = funcs.input.value_kind(expected)
            && self.states[pair].to == Target::Block(funcs.input.inst_block(inst))
        {
            return match funcs.result.value_kind(found) == kind {
                true => Ok(()),
                false => self.differ(Some(pair), expected, found),
            };
        }
        self.equal(funcs, pair, expected, found)
    }

    /// Checks two values in a state, after its phis, or at the start of the function: they are the same constant,
    /// or it is a claim to be followed.
    fn equal(
        &mut self,
        Functions { input, result }: Functions<'_>,
        state: Option<State>,
        expected: Value,
        found: Value,
    ) -> Result<(), Difference> {
        let (kind, kind_found) = (input.value_kind(expected), result.value_kind(found));
        let is_same = expected == found && kind == kind_found;
        let definition = match kind {
            ValueKind::Phi(block) => block,
            ValueKind::Result { inst, .. } => input.inst_block(inst),
            _ if is_same => return Ok(()),
            _ => {
                let is_chosen = match kind_found {
                    ValueKind::Phi(_) => true,
                    ValueKind::Result { inst, .. } => result.inst_kind(inst) == InstKind::Select,
                    _ => false,
                };
                // It may be the constant on each way into the state.
                return match state {
                    Some(state) if is_chosen => {
                        self.claim(result, state, Claim::Input(expected), found)
                    }
                    _ => self.differ(state, expected, found),
                };
            }
        };
        let Some(state) = state else {
            return self.differ(state, expected, found);
        };
        // Defined in one pair: both have the value of its last run, except a phi that only one of
        // the functions has reached.
        if is_same
            && !self.is_elsewhere[definition]
            && let Some(pair) = self.pairs[definition].expand()
            && (self.is_pair(state)
                || self.states[state].at != definition
                    && self.states[state].to.block() != Some(definition))
        {
            let is_phi = matches!(kind, ValueKind::Phi(_));
            if is_phi && !core::mem::replace(&mut self.claims.is_itself[expected], true) {
                self.claims.open.push((pair, Claim::Input(expected), found));
            }
            return Ok(());
        }
        self.claim(result, state, Claim::Input(expected), found)
    }

    fn differ(
        &self,
        state: Option<State>,
        expected: Value,
        found: Value,
    ) -> Result<(), Difference> {
        let block = state.map_or(Block::new(0), |state| self.states[state].at);
        Err(Difference::Value {
            block,
            expected,
            found,
        })
    }
}

/// How many operands of a phi are looked through.
const FEW_OPERANDS: usize = 16;

/// The operands of phis with many of them.
#[derive(Default)]
struct Operands {
    of: FxHashMap<(Value, Block), Value>,
    is_listed: FxHashSet<Value>,
}

impl Operands {
    fn clear(&mut self) {
        self.of.clear();
        self.is_listed.clear();
    }

    /// Returns the equivalent, at the end of a predecessor, of a value after the phis of a block.
    fn before(&mut self, func: &Function, pred: Block, block: Block, value: Value) -> Value {
        if func.value_kind(value) != ValueKind::Phi(block) {
            return value;
        }
        let mut operands = func.phi_operands(value);
        let mut few = operands.by_ref().take(FEW_OPERANDS);
        if let Some(operand) = few.find(|operand| operand.pred == pred) {
            return operand.value;
        }
        if self.is_listed.insert(value) {
            let many = operands.map(|operand| ((value, operand.pred), operand.value));
            self.of.extend(many);
        }
        self.of.get(&(value, pred)).copied().unwrap_or(value)
    }
}
