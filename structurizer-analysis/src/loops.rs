//! Edges of loops, induction phis, and trip counts.
//!
//! Cost: [`LoopDetails::of`] is linear in the function and in its result, which has an exit edge once
//! for each loop that it leaves. The questions about a loop are linear in the phis of its header.

use alloc::vec::Vec;

use trellis_structurizer::analysis::FlowGraph;
use trellis_structurizer::ir::{Block, Function, Terminator, Value};

use crate::joins::Loops;
use crate::lists::{predecessors, successors};
use crate::trip_count::{Test, repetitions};

/// The computation of a value, where a client knows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Meaning {
    /// An integer with this number of bits, at most 64.
    Constant {
        /// The width.
        bits: u32,
        /// The number; higher bits do not matter.
        number: u64,
    },
    /// The sum of a value and a constant, in two's complement; it may wrap around.
    Add(Value, u64),
    /// A boolean: the result of a comparison.
    Test(Test),
}

/// A phi of a loop's header to which each iteration adds a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Induction {
    /// The phi.
    pub phi: Value,
    /// Its value in the first iteration.
    pub start: Value,
    /// The value that it has in the next iteration.
    pub next: Value,
    /// The constant.
    pub step: u64,
}

/// A loop of the [loop forest](trellis_structurizer::analysis::LoopForest), with its edges.
///
/// ```
/// use trellis_structurizer::text;
/// use trellis_structurizer_analysis::{Comparison, LoopDetails, Meaning, Test};
/// // for (i = 0; i < 10; i += 2)
/// let func = text::parse(
///     "%zero = const 0 : 1\na:\n br h\nh:\n %i = phi : 1 [a %zero] [l %next]\n %c:bool = op 1 %i\n\
///      if %c l e\nl:\n %next:1 = op 2 %i\n br h\ne:\n ret",
/// )?;
/// let [zero, i, c, next] = std::array::from_fn(|i| func.values().nth(i).unwrap());
/// let [a, h, l, e] = std::array::from_fn(|i| func.blocks().nth(i).unwrap());
/// let loops = LoopDetails::of(&func);
/// assert_eq!((loops[0].header, loops[0].preheader), (h, Some(a)));
/// assert_eq!((&loops[0].latches[..], &loops[0].exits[..]), (&[l][..], &[(h, e)][..]));
/// let meaning = |value| match value {
///     _ if value == zero => Some(Meaning::Constant { bits: 32, number: 0 }),
///     _ if value == next => Some(Meaning::Add(i, 2)),
///     _ if value == c => Some(Meaning::Test(Test {
///         comparison: Comparison::Less, is_signed: true, left: i, right: 10,
///     })),
///     _ => None,
/// };
/// assert_eq!(loops[0].inductions(&func, meaning)[0].phi, i);
/// assert_eq!(loops[0].trip_count(&func, meaning), Some(6));
/// # Ok::<(), text::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopDetails {
    /// Block at which control enters it; see [`LoopInfo`](trellis_structurizer::analysis::LoopInfo).
    pub header: Block,
    /// The loop around it, as index into the list.
    pub parent: Option<usize>,
    /// 1 for an outermost loop.
    pub depth: u32,
    /// True if some edge enters it at a block other than its header.
    pub irreducible: bool,
    /// The blocks inside that lead to the header, by number.
    pub latches: Vec<Block>,
    /// The edges to blocks outside, in the order of a walk through the loop, each pair of blocks once.
    pub exits: Vec<(Block, Block)>,
    /// The only block outside that leads to the header, if it leads nowhere else and nothing enters the
    /// loop elsewhere.
    pub preheader: Option<Block>,
    /// The block of the only exit, if each iteration passes it.
    test: Option<Block>,
}

impl LoopDetails {
    /// Returns the loops of a function, outer ones before those inside.
    pub fn of(func: &Function) -> Vec<Self> {
        let graph = FlowGraph::of(func);
        let loops = Loops::of(func, &graph);
        let preds = predecessors(func);
        let dominators = graph.dominators();
        let mut details: Vec<Self> = Vec::with_capacity(loops.len());
        for l in 0..loops.len() {
            let header = loops.header(l);
            let parent = loops.parent(l);
            let reached = preds.get(header).iter().filter(|&&p| loops.is_reached(p));
            let (latches, outside): (Vec<Block>, Vec<Block>) =
                reached.partition(|&&p| loops.contains(l, p));
            let irreducible = loops.is_irreducible(l);
            let is_single = |block: &Block| func.successors(*block).all(|to| to == header);
            let preheader = match outside[..] {
                [block] if !irreducible => Some(block).filter(is_single),
                _ => None,
            };
            details.push(Self {
                header,
                parent,
                depth: parent.map_or(1, |parent| details[parent].depth + 1),
                irreducible,
                latches,
                exits: Vec::new(),
                preheader,
                test: None,
            });
        }
        let succs = successors(func);
        for &block in loops.order() {
            for &to in succs.get(block) {
                let mut around = loops.innermost(block);
                while let Some(l) = around.filter(|&l| !loops.contains(l, to)) {
                    details[l].exits.push((block, to));
                    around = loops.parent(l);
                }
            }
        }
        for details in &mut details {
            if let [(block, _)] = details.exits[..]
                && !details.irreducible
                && (details.latches.iter()).all(|&latch| dominators.dominates(block, latch))
            {
                details.test = Some(block);
            }
        }
        details
    }

    /// Returns the phis of the header to which each iteration adds a constant; none for an irreducible
    /// loop.
    pub fn inductions(
        &self,
        func: &Function,
        meaning: impl Fn(Value) -> Option<Meaning>,
    ) -> Vec<Induction> {
        let phis = func.phis(self.header).filter(|_| !self.irreducible);
        phis.filter_map(|phi| self.induction(func, phi, &meaning))
            .collect()
    }

    fn induction(
        &self,
        func: &Function,
        phi: Value,
        meaning: impl Fn(Value) -> Option<Meaning>,
    ) -> Option<Induction> {
        let (mut start, mut next) = (None, None);
        for operand in func.phi_operands(phi) {
            let side = match self.latches.binary_search(&operand.pred) {
                Ok(_) => &mut next,
                Err(_) => &mut start,
            };
            if side
                .replace(operand.value)
                .is_some_and(|before| before != operand.value)
            {
                return None;
            }
        }
        let (start, next) = (start?, next?);
        match meaning(next)? {
            Meaning::Add(to, step) if to == phi => Some(Induction {
                phi,
                start,
                next,
                step,
            }),
            _ => None,
        }
    }

    /// Returns how often the header runs each time that the loop is entered, if that is a constant: if
    /// the loop has one exit, which each iteration passes, with a test of an induction phi that starts
    /// with a constant, or of its next value.
    pub fn trip_count(
        &self,
        func: &Function,
        meaning: impl Fn(Value) -> Option<Meaning>,
    ) -> Option<u64> {
        let Terminator::CondBranch { cond, then, .. } = func.terminator(self.test?)? else {
            return None;
        };
        let Meaning::Test(test) = meaning(cond)? else {
            return None;
        };
        let mut phis = func.phis(self.header);
        let tested = |induction: &Induction| [induction.phi, induction.next].contains(&test.left);
        let induction = phis.find_map(|phi| self.induction(func, phi, &meaning).filter(tested))?;
        let Meaning::Constant { bits, number } = meaning(induction.start)? else {
            return None;
        };
        let step = induction.step;
        let first = match test.left == induction.phi {
            true => number,
            false => number.wrapping_add(step),
        };
        let stays_if = self.exits.first().is_some_and(|exit| exit.1 != then);
        let numbers = (first, step, test.right);
        repetitions(bits, numbers, (test.comparison, test.is_signed), stays_if)?.checked_add(1)
    }
}
