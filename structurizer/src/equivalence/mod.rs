//! Checks that a structured function is equivalent to its input, from the two functions alone.
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
//! Convergent instructions must be in the loops of the input (`convergence.rs`).
//!
//! The check shares nothing with passes, plan, construction and SSA construction. It relies on SSA form,
//! which [`check`](crate::check()) checks in the input and [`verify`](crate::verify) in the result.
//! Time and memory are linear in the states and claims: nearly always one for each block and phi, but if
//! many targets pass many inserted blocks, one for each target at each block. Their number is limited. That
//! an accepted result has the input's traces is proved in `structurizer/proof`.

mod convergence;
mod decisions;
mod states;
mod values;

use alloc::vec::Vec;

use thiserror::Error;

use crate::entity::{EntityRef, PackedOption, PrimaryMap, entity_impl};
use crate::ir::{Block, Function, Terminator, Value};
use crate::maps::FxHashMap;
use crate::result::Structured;

use convergence::Nesting;
use values::Claims;

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
    /// A block of the result ends the invocation differently from the input.
    #[error("{0} ends the invocation differently from the input")]
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
    /// The loops around convergent instructions of the result are not the input's.
    #[error("{0} has convergent instructions and is in other loops than in the input")]
    Loops(Block),
    /// There are too many states and claims to check: more than 2^10, and one for each entry of the result
    /// ([`Function::num_entries`]), and four for each further instruction of a sequence ([`Function::size`]).
    #[error("too many paths lead through inserted blocks")]
    TooLarge,
}

/// Checks that a structured function is equivalent to `input`: each invocation runs the same
/// instructions in the same order with the same operands, and ends in the same way.
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

/// The most states and claims for a result of any size; a larger result may have one for each entry.
const MIN_STEPS: usize = 1 << 10;

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

/// The block or end that an invocation is on the way to.
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

/// A path into a state from the previous one.
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
    states: PrimaryMap<State, StateData>,
    ways: PrimaryMap<Way, WayData>,
    /// The states that are not pairs.
    passing: FxHashMap<(Block, Target, [u32; 2], bool), State>,
    /// The pair of each block of the input that was reached.
    pairs: PrimaryMap<Block, PackedOption<State>>,
    /// Whether a block of the input is passed somewhere.
    is_elsewhere: PrimaryMap<Block, bool>,
    /// The cases of switches of the input and of the result.
    input_cases: Cases,
    result_cases: Cases,
    /// See [`Checker::check_progress`].
    waits_for: PrimaryMap<State, u32>,
    ready: Vec<State>,
    /// Known facts about the values that states branch on, on the first path into them.
    decided: FxHashMap<(State, Value), (Condition, decisions::Source)>,
    /// The values that [`Checker::known`] has followed.
    followed: Vec<(State, Value)>,
    /// How deep selects choose the conditions of selects.
    depth: usize,
    /// How many more states and claims there may be.
    steps: usize,
    claims: Claims,
    /// The pairs that have convergent instructions.
    convergent: Vec<Block>,
    nesting: Nesting,
}

/// The targets of switches by the block and the literal.
type Cases = FxHashMap<(Block, u64), Block>;

impl Checker {
    /// As [`check`].
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
            // Only a function without blocks may have a result without blocks.
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
        self.check_values(funcs)?;
        self.check_convergence(funcs, result)
    }

    /// Forgets the functions before.
    fn start(&mut self, Functions { input, result }: Functions<'_>) {
        self.states.clear();
        self.ways.clear();
        self.passing.clear();
        self.pairs.reset(result.num_blocks());
        self.is_elsewhere.reset(input.num_blocks());
        // A sequence that a client adds as one instruction has few entries: each of its instructions would have
        // a result and two uses.
        let insts = result.blocks().flat_map(|block| result.insts(block));
        let inside =
            insts.map(|inst| (result.size(inst).saturating_sub(1) as usize).saturating_mul(4));
        self.steps = inside
            .fold(result.num_entries(), usize::saturating_add)
            .max(MIN_STEPS);
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
        self.decided.clear();
        self.followed.clear();
        self.depth = 0;
        self.claims.start(input);
        self.convergent.clear();
    }

    /// Takes one of the remaining steps.
    fn step(&mut self) -> Result<(), Difference> {
        self.steps = self.steps.checked_sub(1).ok_or(Difference::TooLarge)?;
        Ok(())
    }

    /// Returns whether a state is a pair.
    fn is_pair(&self, state: State) -> bool {
        self.pairs[self.states[state].at].expand() == Some(state)
    }
}
