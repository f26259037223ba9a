//! The states: which blocks of both functions control reaches, and over which ways.

use super::decisions::{Source, has_select};
use super::values::Claim;
use super::{Checker, Condition, Difference, Functions, State, StateData, Step, Target, WayData};
use crate::entity::EntityRef;
use crate::ir::{Block, Effects, Function, Inst, InstKind, Terminator, Type, Value};
use trellis_entity::ReservedValue;

impl Checker {
    /// Adds a way to the state of a block and a target.
    pub(super) fn reach(
        &mut self,
        funcs: Functions<'_>,
        from: Option<State>,
        step: Step,
        (at, is_decided): (Block, bool),
        to: Target,
    ) -> Result<(), Difference> {
        self.step()?;
        let is_of_input = at.index() < funcs.input.num_blocks();
        let new = |selectors| StateData {
            at,
            to,
            selectors,
            is_decided,
            first: None.into(),
            last: None.into(),
        };
        let state = match (
            is_of_input && to == Target::Block(at),
            self.pairs[at].expand(),
        ) {
            (true, Some(state)) => state,
            (true, None) => {
                let state = self.states.push(new([0; 2]));
                self.pairs[at] = state.into();
                if compare_instructions(funcs, at)? {
                    self.convergent.push(at);
                }
                state
            }
            (false, _) if !is_of_input && client_insts(funcs.result, at).next().is_some() => {
                return Err(Difference::Instructions(at));
            }
            (false, _) => {
                let selectors = self.selectors(funcs, from, step, at)?;
                let states = &mut self.states;
                let passing = self.passing.entry((at, to, selectors, is_decided));
                *passing.or_insert_with(|| states.push(new(selectors)))
            }
        };
        let way = self.ways.push(WayData {
            from: from.into(),
            step,
            next: None.into(),
        });
        let data = &mut self.states[state];
        match data.last.expand() {
            Some(last) => self.ways[last].next = way.into(),
            None => data.first = way.into(),
        }
        data.last = way.into();
        Ok(())
    }

    /// Returns the selectors at a block that is reached: the constants that the step gives its phis, or the
    /// selectors of the state before.
    pub(super) fn selectors(
        &mut self,
        funcs: Functions<'_>,
        from: Option<State>,
        step: Step,
        at: Block,
    ) -> Result<[u32; 2], Difference> {
        let Some(from) = from else {
            return Ok([0; 2]);
        };
        let mut selectors = match step {
            Step::Both(_) => [0; 2],
            Step::Result | Step::Input => self.states[from].selectors,
        };
        let is_selector = |&phi: &Value| funcs.result.value_type(phi) == Type::SELECTOR;
        let phis = funcs.result.phis(at).filter(is_selector);
        for (phi, selector) in phis.zip(&mut selectors) {
            let pred = self.states[from].at;
            let value = self.claims.found(funcs.result, pred, at, phi);
            let known = match step {
                Step::Both(condition) => Some(self.known_at_end(funcs, from, condition, value)?),
                Step::Result | Step::Input => self.known(funcs, from, value)?,
            };
            if let Some((Condition::Case(Some(number)), Source::Constant)) = known {
                *selector = number as u32;
            }
        }
        Ok(selectors)
    }

    /// Follows control out of a state.
    pub(super) fn leave(&mut self, funcs: Functions<'_>, state: State) -> Result<(), Difference> {
        let StateData {
            at, to, is_decided, ..
        } = self.states[state];
        if let Target::Block(block) = to
            && self.is_pair(state)
        {
            return self.leave_pair(funcs, state, at, block);
        }
        let end = end(funcs.result, at);
        if at.index() < funcs.input.num_blocks() || end.is_some() {
            return self.wait(funcs, state, end);
        }
        let (selects, is_of_edge) = self.selects(funcs, state, at)?;
        let is_passed = selects && (is_decided || !is_of_edge);
        let branch = match is_passed && self.is_branch_next(funcs.input, to)? {
            true => None,
            false => self.branch(funcs, state, at, None)?,
        };
        match (branch, to) {
            (Some((next, decides)), _) => {
                let decides = decides || selects;
                let next = (next, is_decided || decides);
                self.reach(funcs, Some(state), Step::Result, next, to)
            }
            // The result runs an empty block that branches as this one.
            (None, Target::Block(block)) if self.is_branch_next(funcs.input, to)? => {
                self.is_elsewhere[block] = true;
                match empty_step(funcs.input, block) {
                    Some(next) => {
                        let (step, to) = (Step::Input, Target::Block(next));
                        self.reach(funcs, Some(state), step, (at, is_decided), to)
                    }
                    None => self.leave_pair(funcs, state, at, block),
                }
            }
            _ => Err(Difference::Branch(at)),
        }
    }

    /// Follows the input over empty blocks until it arrives where the result is, or ends as it does.
    pub(super) fn wait(
        &mut self,
        funcs: Functions<'_>,
        state: State,
        end: Option<(Terminator, Option<Value>)>,
    ) -> Result<(), Difference> {
        let StateData {
            at, to, is_decided, ..
        } = self.states[state];
        let input = funcs.input;
        let block = to.block();
        if block.is_some_and(|block| input.insts(block).next().is_some()) {
            return Err(Difference::Path(at));
        }
        let expected = block.and_then(|block| self::end(input, block));
        if let (Some(block), None) = (block, expected) {
            self.is_elsewhere[block] = true;
            let is_break = matches!(input.term(block), Terminator::BreakBranch { .. });
            let successors = if is_break { 1 } else { usize::MAX };
            for next in input.successors(block).take(successors) {
                let next = match to {
                    Target::Last(_) => Target::Last(next),
                    _ => Target::Block(next),
                };
                self.reach(funcs, Some(state), Step::Input, (at, is_decided), next)?;
            }
            return Ok(());
        }
        if at.index() < input.num_blocks() && !matches!(to, Target::Last(_)) {
            return Err(Difference::Path(at));
        }
        let (expected, claim) = match (to, expected) {
            (Target::End(expected), _) => (Some(expected), Some(Claim::Returned)),
            (_, Some((expected, value))) => (Some(expected), value.map(Claim::Input)),
            _ => (None, None),
        };
        match (end, claim) {
            (Some((end, _)), _) if Some(end) != expected => Err(Difference::End(at)),
            (Some((_, Some(found))), Some(claim)) => self.claim(funcs.result, state, claim, found),
            (Some(_), _) => Ok(()),
            (None, _) => Err(Difference::Path(at)),
        }
    }

    /// Follows all edges of the input out of a pair, or its end.
    pub(super) fn leave_pair(
        &mut self,
        funcs: Functions<'_>,
        state: State,
        at: Block,
        block: Block,
    ) -> Result<(), Difference> {
        let is_same = is_same_branch(funcs, at, block);
        let mut follow = |to, condition| {
            if is_same {
                let (step, next) = (Step::Both(condition), Target::Block(to));
                return self.reach(funcs, Some(state), step, (to, true), next);
            }
            if end(funcs.result, at).is_some() {
                let (step, to) = (Step::Both(condition), Target::Last(to));
                return self.reach(funcs, Some(state), step, (at, true), to);
            }
            let to = Target::Block(to);
            self.follow_edge(funcs, state, at, condition, to)
        };
        match funcs.input.term(block) {
            Terminator::Branch(to) | Terminator::BreakBranch { target: to, .. } => {
                follow(to, Condition::Always)
            }
            Terminator::CondBranch { then, else_, .. } if then == else_ => {
                follow(then, Condition::Always)
            }
            Terminator::CondBranch { then, else_, .. } => {
                follow(then, Condition::Is(true))?;
                follow(else_, Condition::Is(false))
            }
            Terminator::Switch { default, cases, .. } => {
                for case in funcs.input.cases(cases) {
                    let condition = Condition::Case(Some(case.literal));
                    follow(case.target, condition)?;
                }
                follow(default, Condition::Case(None))
            }
            Terminator::Return(_)
            | Terminator::Kill
            | Terminator::Exit(_)
            | Terminator::Unreachable => {
                let Some((expected, value)) = end(funcs.input, block) else {
                    return Ok(());
                };
                match end(funcs.result, at) {
                    None => {
                        let to = Target::End(expected);
                        self.follow_edge(funcs, state, at, Condition::Always, to)
                    }
                    Some((end, found)) if end == expected => {
                        if let (Some(expected), Some(found)) = (value, found) {
                            let (condition, claim) = (Condition::Always, Claim::Input(expected));
                            self.claims.add_at_end(state, condition, claim, found);
                        }
                        Ok(())
                    }
                    Some(_) => Err(Difference::End(at)),
                }
            }
        }
    }

    /// Follows an edge of the input out of a pair, or its end.
    pub(super) fn follow_edge(
        &mut self,
        funcs: Functions<'_>,
        pair: State,
        at: Block,
        condition: Condition,
        to: Target,
    ) -> Result<(), Difference> {
        let next = self.branch(funcs, pair, at, Some(condition))?;
        let (next, decides) = next.ok_or(Difference::Branch(at))?;
        let selects = has_select(funcs.result, at);
        let is_decided = decides || selects || matches!(condition, Condition::Always);
        self.reach(
            funcs,
            Some(pair),
            Step::Both(condition),
            (next, is_decided),
            to,
        )
    }

    /// Returns whether an empty block that branches comes next in the input.
    pub(super) fn is_branch_next(
        &mut self,
        input: &Function,
        to: Target,
    ) -> Result<bool, Difference> {
        let next = self.after_steps(input, to)?;
        Ok(next.is_some_and(|block| {
            input.insts(block).next().is_none() && end(input, block).is_none()
        }))
    }

    /// Returns the block of the input after empty blocks from a target on; none if these have no end.
    pub(super) fn after_steps(
        &mut self,
        input: &Function,
        to: Target,
    ) -> Result<Option<Block>, Difference> {
        let mut next = to.block();
        for _ in 0..input.num_blocks() {
            let Some(block) = next else {
                break;
            };
            self.step()?;
            match empty_step(input, block) {
                None => return Ok(next),
                following => next = following,
            }
        }
        Ok(None)
    }

    /// Checks that control reaches a pair or an end from each state, unless both functions pass blocks without
    /// end.
    pub(super) fn check_progress(&mut self, input: &Function) -> Result<(), Difference> {
        // For each state that is not a pair, the number of its successors that are not known to
        // lead to a pair or an end.
        self.waits_for.reset(self.states.len());
        let passing = |way: &&WayData| !matches!(way.step, Step::Both(_));
        for way in self.ways.values().filter(passing) {
            if let Some(from) = way.from.expand() {
                self.waits_for[from] += 1;
            }
        }
        self.ready.clear();
        let waits_for = &self.waits_for;
        let leading = self.states.keys().filter(|&state| waits_for[state] == 0);
        self.ready.extend(leading);
        while let Some(state) = self.ready.pop() {
            let mut next = self.states[state].first;
            while let Some(way) = next.expand().map(|way| self.ways[way]) {
                next = way.next;
                if let Some(from) = way.from.expand().filter(|_| passing(&&way)) {
                    self.waits_for[from] -= 1;
                    if self.waits_for[from] == 0 {
                        self.ready.push(from);
                    }
                }
            }
        }
        for i in self.ways.keys() {
            let WayData { from, step, .. } = self.ways[i];
            if let Some(from) = from.expand().filter(|&from| self.waits_for[from] > 0)
                && !matches!(step, Step::Both(_))
            {
                let StateData { at, to, .. } = self.states[from];
                let is_result = matches!(step, Step::Result);
                if !is_result || !self.passes_without_end(input, to)? {
                    return Err(Difference::Path(at));
                }
            }
        }
        Ok(())
    }

    /// Returns whether the input passes empty blocks from a target on without end.
    pub(super) fn passes_without_end(
        &mut self,
        input: &Function,
        to: Target,
    ) -> Result<bool, Difference> {
        Ok(to.block().is_some() && self.after_steps(input, to)?.is_none())
    }
}

/// Compares the instructions of a block of the result with the input's, but for their operands. Returns whether
/// some are convergent.
fn compare_instructions(
    Functions { input, result }: Functions<'_>,
    block: Block,
) -> Result<bool, Difference> {
    let mut found = client_insts(result, block);
    let mut effects = Effects::NONE;
    for inst in input.insts(block) {
        let types = input.results(inst).map(|value| input.value_type(value));
        let is_same = found.next() == Some(inst)
            && input.inst_kind(inst) == result.inst_kind(inst)
            && input.effects(inst) == result.effects(inst)
            && input.uses(inst).len() == result.uses(inst).len()
            && types.eq(result.results(inst).map(|value| result.value_type(value)));
        if !is_same {
            return Err(Difference::Instructions(block));
        }
        effects |= input.effects(inst);
    }
    match found.next() {
        None => Ok(effects.contains(Effects::CONVERGENT)),
        Some(_) => Err(Difference::Instructions(block)),
    }
}

/// Returns where control continues after a block without instructions, if that is one block.
pub(super) fn empty_step(func: &Function, block: Block) -> Option<Block> {
    let mut successors = func.successors(block);
    let to = successors.next()?;
    let is_one = matches!(func.term(block), Terminator::BreakBranch { .. })
        || successors.all(|other| other == to);
    (is_one && func.insts(block).next().is_none()).then_some(to)
}

/// Returns whether a block of the result branches as the input's on the same value to the same blocks. That
/// the value is the input's is checked with the operands of instructions.
pub(super) fn is_same_branch(
    Functions { input, result }: Functions<'_>,
    at: Block,
    block: Block,
) -> bool {
    let (expected, found) = (input.term(block), result.term(at));
    at == block
        && match (expected, found) {
            (Terminator::Branch(to), Terminator::Branch(next)) => to == next,
            (
                Terminator::CondBranch {
                    cond, then, else_, ..
                },
                Terminator::CondBranch {
                    cond: found,
                    then: next,
                    else_: other,
                    ..
                },
            ) => then != else_ && (cond, then, else_) == (found, next, other),
            _ => false,
        }
}

/// Returns the end of an invocation in a block, without the value that it returns, and that value.
pub(super) fn end(func: &Function, block: Block) -> Option<(Terminator, Option<Value>)> {
    match func.term(block) {
        Terminator::Return(Some(value)) => Some((
            Terminator::Return(Some(Value::reserved_value())),
            Some(value),
        )),
        end if end.is_exit() => Some((end, None)),
        _ => None,
    }
}

/// Returns the instructions of a block that are the client's.
pub(super) fn client_insts(func: &Function, block: Block) -> impl Iterator<Item = Inst> {
    let insts = func.insts(block);
    insts.filter(|&inst| matches!(func.inst_kind(inst), InstKind::Client(_)))
}
