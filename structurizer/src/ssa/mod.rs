//! SSA construction: phis, values and selectors, inserted over the built graph.
//!
//! An edge of the input is an assignment of *arguments* to its target: the operands of the target's
//! phis, and the values that are live there and whose definitions no longer dominate it. Where the
//! output leads an edge through inserted blocks, its arguments have to be carried along, and at an
//! inserted block invocations with different targets meet. An invocation that is on its way has one
//! target at a time, so the arguments of all targets share *slots*: the k-th argument of a type is
//! in the k-th slot of that type, whichever block it is for. A merge block then needs one phi per
//! slot, not one per argument of every target, which keeps the output linear in the edges of the
//! input and their arguments. Selectors are slots too, that the edges set which need one.
//!
//! For each slot the blocks from which a reader can look back to an assignment form its live
//! region. Within it, values are propagated optimistically in block order: a block where two
//! different ones meet gets a phi, and no other block does. Where a path does not assign the slot,
//! the invocations that take it do not read it, so any value that dominates the block serves; only
//! if there is none, the operand is undefined. For a selector that is a bug and an error.
//!
//! Phis that have only one value are removed at the end, as in Braun et al., "Simple and Efficient
//! Construction of Static Single Assignment Form", 2013.

mod redundant;
mod slots;
mod solve;
mod values;

use alloc::vec::Vec;

use crate::analysis::forward_dominators::ForwardDominators;
use crate::build::Built;
use crate::entity::{Adjacency, EntityRef, PackedOption, PrimaryMap, entity_impl};
use crate::ir::{Block, SelectionHint, SelectorOp, Terminator, Type, Value, ValueKind};
use crate::maps::FxHashMap;
use crate::plan::blocks::{OutEdge, Selector, SelectorSwitch, Test};
use crate::remark::{Decision, Remarks};
use crate::result::StageError;
use crate::stage::Stage;

/// A block of the order, by its index there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Placed(u32);
entity_impl!(Placed, "at");

/// A variable that is solved for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Variable {
    /// The slot that [`Memory::given`] is about.
    Slot,
    Selector(Selector),
}

/// Lattice value of a variable, or of the name of a value, at the start of a block of its region.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lattice {
    Nothing,
    /// No path that matters assigns it.
    Undefined,
    Is(Value),
    /// A phi at this block of the order.
    PhiAt(Placed),
}

struct Repair<'a> {
    e: &'a mut Built,
    state: &'a mut Memory,
}

/// The state of a construction in lists, which keep their memory between functions.
#[derive(Default)]
pub(crate) struct Memory {
    /// The blocks of the order.
    order: PrimaryMap<Placed, Block>,
    /// Index of each block in the order.
    number: PrimaryMap<Block, PackedOption<Placed>>,
    /// The ends of each edge, by their indices in the order.
    ends: PrimaryMap<OutEdge, (Placed, Placed)>,
    /// Edges by target.
    incoming: Adjacency<Placed, OutEdge>,
    /// Edges by the block whose phis they assign. Those of an empty block that is bypassed assign
    /// the phis of the block after it, too.
    assigning: Adjacency<Placed, OutEdge>,
    /// The value that each edge gives the slot that is being worked on.
    given: PrimaryMap<OutEdge, PackedOption<Value>>,
    known: PrimaryMap<Placed, Lattice>,
    in_region: PrimaryMap<Placed, bool>,
    region: Vec<Placed>,
    /// The dominators of the built graph: see [`Repair::dominators`].
    dominators: Option<ForwardDominators<Placed>>,
    /// Operands of the phi that is being worked on, by predecessor.
    operand: PrimaryMap<Block, PackedOption<Value>>,
    /// The constants of selectors that are in use, by their numbers.
    constants: Vec<PackedOption<Value>>,
    /// Replacement of an original value as an operand of phis, by predecessor.
    replaced: FxHashMap<(Value, Block), Value>,
    arguments: slots::Arguments,
    /// The blocks that read the slot that is being worked on.
    readers: Vec<Placed>,
    /// The phis that were added for a variable.
    made: Vec<(Placed, Value)>,
    /// See [`Repair::operands`].
    operands: Vec<(Block, Value)>,
    replacements: redundant::Replacements,
    /// The phis of the current block.
    phis: Vec<Value>,
}

impl Memory {
    /// Makes it the state before a construction.
    fn start(&mut self, e: &Built) -> Result<(), StageError> {
        let n = e.plan.order.len();
        self.order
            .refill_with(n, |at: Placed| e.plan.order[at.index()]);
        self.number.reset(e.func.num_blocks());
        for (at, &block) in self.order.iter() {
            self.number[block] = at.into();
        }
        self.ends.clear();
        self.ends.reserve_all(e.plan.edges.len());
        for edge in e.plan.edges.values() {
            let ends = (
                self.number[edge.from].expand(),
                self.number[edge.to].expand(),
            );
            let (Some(from), Some(to)) = ends else {
                return Err(StageError::Internal {
                    what: "an edge from or to a block that is not in the order",
                });
            };
            self.ends.push((from, to));
        }
        let Self {
            ends,
            number,
            incoming,
            assigning,
            ..
        } = self;
        incoming.regroup(n, || ends.iter().map(|(edge, &(_, to))| (to, edge)));
        group_assigning(e, number, n, assigning);
        self.given.reset(e.plan.edges.len());
        self.known.refill(Lattice::Nothing, n);
        self.in_region.reset(n);
        self.region.clear();
        self.dominators = None;
        self.operand.reset(e.func.num_blocks());
        self.constants.clear();
        self.replaced.clear();
        Ok(())
    }
}

/// Inserts phis, replaces values and makes selectors.
pub(crate) fn repair(
    e: &mut Built,
    memory: &mut Memory,
    remarks: &mut Remarks,
) -> Result<(), StageError> {
    if has_no_arguments(e) {
        return Ok(());
    }
    memory.start(e)?;
    let mut r = Repair { e, state: memory };
    // Without selectors and dispatch headers, definitions dominate their uses as before.
    let carried = if r.e.plan.needs_ssa_repair {
        r.carried_values()?
    } else {
        Vec::new()
    };
    r.slots(carried)?;
    r.selectors()?;
    r.remove_redundant_phis();
    if remarks.wanted() {
        for i in r.state.order.keys() {
            let block = r.state.order[i];
            let count = r.e.func.phis(block).filter(|&phi| r.is_new(phi)).count() as u32;
            if count > 0 {
                remarks.add(Stage::Ssa, block, Decision::PhisInserted { count });
            }
        }
    }
    Ok(())
}

/// Returns whether no edge carries anything: there are no phis and no selectors, and definitions
/// dominate their uses as before.
fn has_no_arguments(e: &Built) -> bool {
    let has_selectors = !e.plan.tests.is_empty() || !e.plan.selector_switches.is_empty();
    !e.plan.needs_ssa_repair
        && !has_selectors
        && !e.plan.order.iter().any(|&block| e.func.has_phis(block))
}

/// Makes it the edges by the block whose phis they assign. See [`Memory::assigning`].
fn group_assigning(
    e: &Built,
    number: &PrimaryMap<Block, PackedOption<Placed>>,
    len: usize,
    assigning: &mut Adjacency<Placed, OutEdge>,
) {
    let after = |block: &Block| e.plan.bypassed.get(block).map(|link| link.to);
    assigning.regroup(len, || {
        e.plan.edges.iter().flat_map(|(i, edge)| {
            let first = edge.assigns.expand().map(|a| a.target);
            let blocks = core::iter::successors(first, after);
            blocks.filter_map(move |block| Some((number[block].expand()?, i)))
        })
    });
}

impl Repair<'_> {
    fn incoming(&self, block: Placed) -> &[OutEdge] {
        &self.state.incoming[block]
    }

    /// Returns whether all edges to a block of the input come straight from blocks of the input.
    fn arrives_directly(&self, block: Placed) -> bool {
        let own = Some(self.state.order[block]);
        let edges = self.incoming(block).iter();
        edges
            .map(|&i| self.e.plan.edges[i].assigns.expand().map(|a| a.target))
            .all(|target| target == own)
    }

    /// Returns the block that defines a value; none for values that are defined everywhere or not
    /// in the order.
    fn definition(&self, value: Value) -> Option<Placed> {
        let block = match self.e.func.value_kind(value) {
            ValueKind::Phi(block) => block,
            ValueKind::Result { inst, .. } => self.e.func.inst_block(inst),
            _ => return None,
        };
        self.state.number[block].expand()
    }

    /// Returns the dominators of the built graph, in whose order all edges but back edges lead forward.
    fn dominators(&mut self) -> &ForwardDominators<Placed> {
        let Memory {
            order,
            ends,
            incoming,
            dominators,
            ..
        } = &mut *self.state;
        dominators.get_or_insert_with(|| {
            let mut dominators = ForwardDominators::default();
            dominators.start(order.len(), Placed(0));
            for at in order.keys() {
                let preds = incoming[at].iter().map(|&edge| ends[edge].0);
                dominators.add(at, preds.filter(|&from| from < at));
            }
            dominators
        })
    }

    /// Makes a phi's operands known by predecessor, until the next one's are loaded.
    fn load_operands(&mut self, phi: Value) {
        for o in self.e.func.phi_operands(phi) {
            self.state.operand[o.pred] = o.value.into();
        }
    }

    fn is_new(&self, phi: Value) -> bool {
        phi.index() >= self.e.input_values
    }

    fn selectors(&mut self) -> Result<(), StageError> {
        for selector in [Selector::Escape, Selector::Dispatch] {
            let tests = self.e.plan.tests.iter().copied();
            let tests: Vec<Test> = tests.filter(|t| t.selector == selector).collect();
            let switches = self.e.plan.selector_switches.iter();
            let switches: Vec<SelectorSwitch> = switches
                .filter(|s| s.selector == selector)
                .cloned()
                .collect();
            let blocks = tests.iter().map(|t| t.block);
            let blocks = blocks.chain(switches.iter().map(|s| s.block));
            let readers: Vec<Placed> = blocks
                .filter_map(|b| self.state.number[b].expand())
                .collect();
            if readers.is_empty() {
                continue;
            }
            self.solve(Variable::Selector(selector), Type::SELECTOR, &readers)?;
            for t in tests {
                let value = self.selector_at(t.block)?;
                let cond = self.e.func.append_selector_test(
                    t.block,
                    value,
                    SelectorOp::LessEqual,
                    t.bound,
                );
                self.e.func.set_terminator(
                    t.block,
                    Terminator::CondBranch {
                        cond,
                        then: self.e.plan.edges[t.then].to,
                        else_: self.e.plan.edges[t.otherwise].to,
                        hint: SelectionHint::None,
                    },
                );
            }
            for switch in switches {
                let value = self.selector_at(switch.block)?;
                let cases = switch.cases.iter();
                let cases: Vec<(u64, Block)> = cases
                    .map(|&(number, edge)| (u64::from(number), self.e.plan.edges[edge].to))
                    .collect();
                let cases = self.e.func.add_cases(&cases);
                self.e.func.set_terminator(
                    switch.block,
                    Terminator::Switch {
                        value,
                        default: self.e.plan.edges[switch.default].to,
                        cases,
                        hint: SelectionHint::None,
                    },
                );
            }
            self.clear();
        }
        Ok(())
    }

    /// Returns the selector at a block that reads it.
    fn selector_at(&self, block: Block) -> Result<Value, StageError> {
        let known = self.state.number[block]
            .expand()
            .map(|at| self.state.known[at]);
        match known {
            Some(Lattice::Is(value)) => Ok(value),
            _ => Err(StageError::Internal {
                what: "a selector that no path sets",
            }),
        }
    }
}
