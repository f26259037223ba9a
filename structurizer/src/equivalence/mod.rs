//! Checks that a structured function does what its input does, from the two functions alone.
//!
//! Translation validation: the check follows both functions at once. A *state* is a block of the result
//! that control has reached, and the block of the input that it is on the way to. Where both hold the same
//! instructions they are a *pair*: an invocation runs the one for the other. From a pair, each edge of the
//! input is followed with the condition that it is taken for. Blocks of the result without instructions of the client
//! are passed: the condition and the constants that phis have on the way decide their branches, so that
//! selectors, dispatches and breakable blocks need no rule. Empty blocks of the input are passed, too.
//!
//! A branch is decided for the first way into a state, and *claimed* for all. Where a pair uses a value,
//! the claim is that it is the input's. Claims are followed backwards over all ways into a state, until both values
//! are the same constant or the same result of a pair. One that leads back to itself holds, by
//! induction over the steps of a run.
//!
//! The check shares nothing with passes, plan, construction and SSA construction. It relies on SSA form,
//! which [`ir::check`](crate::ir::check()) checks in the input and [`verify`](crate::verify) in the result.
//! Time and memory are linear in the states and claims: nearly always one for each block and phi, but if
//! many targets pass many inserted blocks, one for each target at each block. Their number is limited. That
//! an accepted result has the input's traces is proved in `structurizer/proof`.

mod values;

use alloc::vec::Vec;

use thiserror::Error;
use trellis_entity::ReservedValue;

use crate::entity::{EntityRef, EntityVec, PackedOption, entity_impl};
use crate::ir::{Block, Function, Inst, InstKind, SelectorOp, Terminator, Type, Value, ValueKind};
use crate::maps::FxHashMap;
use crate::memory::sum_of_kept_bytes;
use crate::result::Structured;

use values::{Claim, Claims};

/// The first place at which a result differs from its input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Difference {
    /// Control reaches a block of the result where the input leads elsewhere.
    #[error("control reaches {0} where the input leads elsewhere")]
    Path(Block),
    /// A block of the result branches on a condition that does not follow from the input's.
    #[error("{0} branches on a condition that does not follow from the input's")]
    Branch(Block),
    /// A block of the result has other instructions than the input.
    #[error("{0} has other instructions than the input")]
    Instructions(Block),
    /// A block of the result ends the invocation otherwise than the input.
    #[error("{0} ends the invocation otherwise than the input")]
    End(Block),
    /// A value of the result is not the input's.
    #[error("{found} in {block} is not {expected} of the input")]
    Value {
        /// The block of the result.
        block: Block,
        /// The value of the input.
        expected: Value,
        /// The value of the result.
        found: Value,
    },
    /// There are too many states and claims to check: more than 2^10, and 2 for each entry of the result
    /// ([`Function::num_entries`]).
    #[error("too many paths lead through inserted blocks")]
    TooLarge,
}

/// Checks that a structured function does what `input` does: which instructions each invocation runs, in
/// which order and with which operands, and how it ends.
///
/// # Errors
/// The first difference; [`Difference::TooLarge`] if there is no answer within the limits.
///
/// # Examples
///
/// ```
/// use trellis_structurizer::{Options, equivalence, ir::Terminator, structurize, text};
///
/// let input = text::parse("a: b c\nb: {} d\nc: {} d\nd: ret").unwrap();
/// let mut result = structurize(input.clone(), &Options::default())?;
/// assert!(equivalence::check(&input, &result).is_ok());
///
/// let entry = input.entry().unwrap();
/// if let Some(Terminator::CondBranch { cond, then, else_, hint }) = result.func.terminator(entry) {
///     let swapped = Terminator::CondBranch { cond, then: else_, else_: then, hint };
///     result.func.set_terminator(entry, swapped);
/// }
/// assert!(equivalence::check(&input, &result).is_err());
/// # Ok::<(), trellis_structurizer::Error>(())
/// ```
pub fn check(input: &Function, result: &Structured) -> Result<(), Difference> {
    Checker::default().check(input, result)
}

/// The most states and claims for a result of any size, and for each of its entries.
const MIN_STEPS: usize = 1 << 10;
const STEPS_PER_ENTRY: usize = 2;

/// A block of the result that control has reached, and the block of the input that it is on the way to: after the
/// phis of both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct State(u32);
entity_impl!(State, "state");

#[derive(Clone, Copy)]
struct StateData {
    at: Block,
    to: Target,
    /// The selectors that were set last: a result may lead to one target in two ways.
    selectors: [u32; 2],
    /// Whether the result has branched on the condition of the edge of the input.
    is_decided: bool,
    /// The first way into it; the others follow.
    first: PackedOption<Way>,
    last: PackedOption<Way>,
}

/// What an invocation is on the way to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Target {
    Block(Block),
    /// A block at or after which the invocation ends, as the result does in the block that it is at.
    Last(Block),
    /// The end of the invocation, which the pair before has: without the value that is returned.
    End(Terminator),
}

impl Target {
    fn block(self) -> Option<Block> {
        match self {
            Self::Block(block) | Self::Last(block) => Some(block),
            Self::End(_) => None,
        }
    }
}

/// A way into a state from the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Way(u32);
entity_impl!(Way, "way");

#[derive(Clone, Copy)]
struct WayData {
    /// None for the start of the function.
    from: PackedOption<State>,
    step: Step,
    next: PackedOption<Way>,
}

/// A step from one state to the next.
#[derive(Clone, Copy)]
enum Step {
    /// Over an edge of the input, out of a pair.
    Both(Condition),
    /// Over an edge of the result.
    Result,
    /// Over an empty block of the input.
    Input,
}

/// The condition of an edge of the input.
#[derive(Clone, Copy)]
enum Condition {
    Always,
    Is(bool),
    /// The literal of a case; none for the default.
    Case(Option<u64>),
}

/// The two functions.
#[derive(Clone, Copy)]
struct Functions<'a> {
    input: &'a Function,
    result: &'a Function,
}

/// A check, in lists which keep their memory between functions.
#[derive(Default)]
pub(crate) struct Checker {
    states: EntityVec<State, StateData>,
    ways: EntityVec<Way, WayData>,
    /// The states that are no pairs.
    passing: FxHashMap<(Block, Target, [u32; 2], bool), State>,
    /// The pair of each block of the result.
    pairs: EntityVec<Block, PackedOption<State>>,
    /// Whether a block of the input is passed, or the pair of another block than itself.
    is_elsewhere: EntityVec<Block, bool>,
    /// The instructions of pairs of different blocks, by the block of the result.
    copies: FxHashMap<(Block, Inst), Inst>,
    /// The cases of switches of the input and of the result.
    input_cases: Cases,
    result_cases: Cases,
    /// See [`Checker::check_progress`].
    waits_for: EntityVec<State, u32>,
    ready: Vec<State>,
    /// How many more states and claims there may be.
    steps: usize,
    claims: Claims,
}

sum_of_kept_bytes!(Checker {
    states,
    ways,
    passing,
    pairs,
    is_elsewhere,
    copies,
    input_cases,
    result_cases,
    waits_for,
    ready,
    steps,
    claims,
});

/// The targets of switches by the block and the literal.
type Cases = FxHashMap<(Block, u64), Block>;

impl Checker {
    /// Does what [`check`] does.
    pub(crate) fn check(
        &mut self,
        input: &Function,
        result: &Structured,
    ) -> Result<(), Difference> {
        let funcs = Functions {
            input,
            result: &result.func,
        };
        let (first, entry) = match (result.order.first(), input.entry()) {
            (Some(&first), Some(entry)) => (first, entry),
            (None, None) => return Ok(()),
            (Some(&block), None) | (None, Some(block)) => return Err(Difference::Path(block)),
        };
        self.start(funcs);
        let (step, to) = (Step::Both(Condition::Always), Target::Block(entry));
        self.reach(funcs, None, step, (first, true), to)?;
        let mut next = State::new(0);
        while next.index() < self.states.len() {
            self.leave(funcs, next)?;
            next = State::new(next.index() + 1);
        }
        self.check_progress(input)?;
        self.check_values(funcs)
    }

    /// Checks that control reaches a pair or an end from each state, unless both functions pass blocks without
    /// end.
    fn check_progress(&mut self, input: &Function) -> Result<(), Difference> {
        // How many states follow each that is no pair, and are not known to lead to a pair or an end.
        self.waits_for.reset(self.states.len());
        let passing = |way: &&WayData| !matches!(way.step, Step::Both(_));
        for way in self.ways.values().iter().filter(passing) {
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
    fn passes_without_end(&mut self, input: &Function, to: Target) -> Result<bool, Difference> {
        let Some(mut block) = to.block() else {
            return Ok(false);
        };
        for _ in 0..input.num_blocks() {
            self.step()?;
            match empty_step(input, block) {
                Some(next) => block = next,
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Forgets the functions before.
    fn start(&mut self, Functions { input, result }: Functions<'_>) {
        self.states.clear();
        self.ways.clear();
        self.passing.clear();
        self.pairs.reset(result.num_blocks());
        self.is_elsewhere.reset(input.num_blocks());
        self.copies.clear();
        let steps = STEPS_PER_ENTRY.saturating_mul(result.num_entries());
        self.steps = steps.max(MIN_STEPS);
        for (func, all) in [
            (input, &mut self.input_cases),
            (result, &mut self.result_cases),
        ] {
            all.clear();
            for block in func.blocks() {
                if let Terminator::Switch { cases, .. } = func.term(block) {
                    let cases = func.cases(cases).iter();
                    all.extend(cases.map(|case| ((block, case.literal), case.target)));
                }
            }
        }
        self.claims.start(input);
    }

    /// Takes one of the steps that are left.
    fn step(&mut self) -> Result<(), Difference> {
        self.steps = self.steps.checked_sub(1).ok_or(Difference::TooLarge)?;
        Ok(())
    }

    /// Returns whether a state is a pair.
    fn is_pair(&self, state: State) -> bool {
        self.pairs[self.states[state].at].expand() == Some(state)
    }

    /// Adds a way to the state of a block and a target.
    fn reach(
        &mut self,
        funcs: Functions<'_>,
        from: Option<State>,
        step: Step,
        (at, is_decided): (Block, bool),
        to: Target,
    ) -> Result<(), Difference> {
        self.step()?;
        let pair = match to {
            Target::Block(block) => Some(block).filter(|&block| is_pair(funcs, at, block)),
            Target::Last(_) | Target::End(_) => None,
        };
        let new = |selectors| StateData {
            at,
            to,
            selectors,
            is_decided,
            first: None.into(),
            last: None.into(),
        };
        let state = match (pair, self.pairs[at].expand()) {
            (Some(_), Some(state)) if self.states[state].to == to => state,
            (Some(_), Some(_)) => return Err(Difference::Path(at)),
            (Some(block), None) => {
                let state = self.states.push(new([0; 2]));
                self.pairs[at] = state.into();
                self.compare_instructions(funcs, at, block)?;
                state
            }
            (None, _) => {
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

    /// Returns the selectors at a block that is reached: the constants that the step gives its phis, or else
    /// those of the state before.
    fn selectors(
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
                Step::Both(condition) => {
                    Some(self.known_at_end(funcs.result, from, condition, value)?)
                }
                Step::Result | Step::Input => self.known(funcs, from, value)?,
            };
            if let Some((Condition::Case(Some(number)), true)) = known {
                *selector = number as u32;
            }
        }
        Ok(selectors)
    }

    /// Follows control out of a state.
    fn leave(&mut self, funcs: Functions<'_>, state: State) -> Result<(), Difference> {
        let StateData {
            at, to, is_decided, ..
        } = self.states[state];
        if let Target::Block(block) = to
            && self.is_pair(state)
        {
            return self.leave_pair(funcs, state, at, block);
        }
        let end = end(funcs.result, at);
        if is_of_client(funcs, at) || end.is_some() {
            return self.wait(funcs, state, end);
        }
        let selects = self.selects(funcs, state, at)?;
        let is_branch_next = self.is_branch_next(funcs.input, to)?;
        let branch = match selects && is_decided && is_branch_next {
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
            (None, Target::Block(block)) if is_branch_next => {
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
    fn wait(
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
        if is_of_client(funcs, at) && !matches!(to, Target::Last(_)) {
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
    fn leave_pair(
        &mut self,
        funcs: Functions<'_>,
        state: State,
        at: Block,
        block: Block,
    ) -> Result<(), Difference> {
        let mut follow = |to, condition| {
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
    fn follow_edge(
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
    fn is_branch_next(&mut self, input: &Function, to: Target) -> Result<bool, Difference> {
        let Some(mut block) = to.block() else {
            return Ok(false);
        };
        for _ in 0..input.num_blocks() {
            self.step()?;
            match empty_step(input, block) {
                Some(next) => block = next,
                None => break,
            }
        }
        let is_empty = input.insts(block).next().is_none();
        let is_branch = end(input, block).is_none() && empty_step(input, block).is_none();
        Ok(is_empty && is_branch)
    }

    /// Returns whether a block that is passed has a select for a condition that is no constant.
    fn selects(
        &mut self,
        funcs: Functions<'_>,
        state: State,
        at: Block,
    ) -> Result<bool, Difference> {
        for inst in funcs.result.insts(at) {
            if funcs.result.inst_kind(inst) == InstKind::Select
                && let [cond, ..] = *funcs.result.uses(inst)
                && selector_test(funcs.result, at, cond).is_none()
                && !matches!(self.known(funcs, state, cond)?, Some((_, true)))
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns where the result continues after a state, for the edge of the input with a condition if it is a
    /// pair, and whether that condition decides. None if it has decided a branch before.
    fn branch(
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
            Some(condition) => Some(self.known_at_end(result, state, condition, value)?),
            None => self.known(funcs, state, value)?,
        };
        let (known, is_constant) = known.ok_or(Difference::Branch(at))?;
        if !is_constant && condition.is_none() && self.states[state].is_decided {
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
    fn case(&self, result: &Function, switch: Block, literal: Option<u64>) -> Option<Block> {
        let own = literal.and_then(|literal| self.result_cases.get(&(switch, literal)));
        match result.term(switch) {
            Terminator::Switch { default, .. } => Some(own.copied().unwrap_or(default)),
            _ => None,
        }
    }

    /// Compares the instructions of a block of the result with its pair's.
    fn compare_instructions(
        &mut self,
        funcs: Functions<'_>,
        at: Block,
        block: Block,
    ) -> Result<(), Difference> {
        let Functions { input, result } = funcs;
        let (mut expected, mut found) = (input.insts(block), client_insts(result, at));
        loop {
            match (expected.next(), found.next()) {
                (None, None) => break,
                (Some(expected), Some(found)) if is_same(funcs, expected, found) => {
                    if at != block {
                        self.copies.insert((at, expected), found);
                    } else if expected != found {
                        return Err(Difference::Instructions(at));
                    }
                }
                _ => return Err(Difference::Instructions(at)),
            }
        }
        self.is_elsewhere[block] |= at != block;
        Ok(())
    }
}

/// Returns whether a block of the result runs as a block of the input: a block of the input as itself, and a
/// copy as a block with instructions.
fn is_pair(funcs: Functions<'_>, at: Block, to: Block) -> bool {
    match at.index() < funcs.input.num_blocks() {
        true => at == to,
        false => is_of_client(funcs, at) && funcs.input.insts(to).next().is_some(),
    }
}

/// Returns whether a block of the result is one of the input, or has instructions of the client.
fn is_of_client(Functions { input, result }: Functions<'_>, at: Block) -> bool {
    at.index() < input.num_blocks() || client_insts(result, at).next().is_some()
}

/// Returns the instructions of a block that are the client's.
fn client_insts(func: &Function, block: Block) -> impl Iterator<Item = Inst> {
    let insts = func.insts(block);
    insts.filter(|&inst| matches!(func.inst_kind(inst), InstKind::Client(_)))
}

/// Returns whether a block has a select.
fn has_select(func: &Function, block: Block) -> bool {
    let mut insts = func.insts(block);
    insts.any(|inst| func.inst_kind(inst) == InstKind::Select)
}

/// Returns where control continues after a block without instructions, if that is one block.
fn empty_step(func: &Function, block: Block) -> Option<Block> {
    let mut successors = func.successors(block);
    let to = successors.next()?;
    let is_one = matches!(func.term(block), Terminator::BreakBranch { .. })
        || successors.all(|other| other == to);
    (is_one && func.insts(block).next().is_none()).then_some(to)
}

/// Returns whether an instruction of the result is one of the input or a copy of it, but for its operands.
fn is_same(Functions { input, result }: Functions<'_>, expected: Inst, found: Inst) -> bool {
    let types = input.results(expected).map(|value| input.value_type(value));
    input.inst_kind(expected) == result.inst_kind(found)
        && input.effects(expected) == result.effects(found)
        && input.uses(expected).len() == result.uses(found).len()
        && types.eq(result.results(found).map(|value| result.value_type(value)))
}

/// Returns the selector, the comparison and the bound of a test that a block ends in.
fn selector_test(func: &Function, at: Block, value: Value) -> Option<(Value, SelectorOp, u32)> {
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

/// Returns the end of an invocation in a block, without the value that it returns, and that value.
fn end(func: &Function, block: Block) -> Option<(Terminator, Option<Value>)> {
    match func.term(block) {
        Terminator::Return(Some(value)) => Some((
            Terminator::Return(Some(Value::reserved_value())),
            Some(value),
        )),
        end if end.is_exit() => Some((end, None)),
        _ => None,
    }
}

fn compare(op: SelectorOp, number: u64, bound: u32) -> bool {
    match op {
        SelectorOp::LessEqual => number <= u64::from(bound),
        SelectorOp::Equal => number == u64::from(bound),
    }
}
