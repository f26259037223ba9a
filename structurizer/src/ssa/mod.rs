//! SSA construction: phis, values and selectors, inserted over the built graph.
//!
//! Three things are *variables* here, and one mechanism serves all of them:
//!
//! * a phi of the input is assigned on every branch that carries an original edge to its block;
//! * a value whose definition no longer dominates a use is assigned at its definition;
//! * a selector is assigned on the branches that set it.
//!
//! For each variable the blocks from which a reader can look back to an assignment form its live
//! region. Within it, values are propagated optimistically in block order: a block where two
//! different ones meet gets a phi, and no other block does. Where no path assigns, the value is
//! undefined; for a selector that is a bug and an error.

mod solve;
mod values;

use rustc_hash::FxHashMap;

use crate::analysis::dominators::Dominators;
use crate::build::Built;
use crate::entity::{Adjacency, EntityRef, EntityVec, PackedOption, entity_impl};
use crate::ir::{Block, SelectionHint, SelectorOp, Terminator, Type, Value};
use crate::plan::blocks::{OutEdge, Selector, Test};
use crate::remark::{Decision, Remarks};
use crate::result::Error;
use crate::stage::Stage;

/// A block of the order, by its index there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Placed(u32);
entity_impl!(Placed, "at");

/// A variable in the sense above.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Variable {
    Phi(Value, Block),
    Value(Value, Block),
    Selector(Selector),
}

/// State of a variable at the start of a block of its region.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    /// No path that matters assigns it.
    Undefined,
    Is(Value),
    /// A phi at this block of the order.
    PhiAt(Placed),
}

struct Repair<'a> {
    e: &'a mut Built,
    /// The blocks of the order.
    order: EntityVec<Placed, Block>,
    /// Index of each block in the order.
    number: EntityVec<Block, PackedOption<Placed>>,
    /// The ends of each edge, by their indices in the order.
    ends: EntityVec<OutEdge, (Placed, Placed)>,
    /// Edges by target.
    incoming: Adjacency<Placed, OutEdge>,
    known: EntityVec<Placed, Known>,
    in_region: EntityVec<Placed, bool>,
    region: Vec<Placed>,
    dominators: Option<Dominators<Placed>>,
    /// Operands of the phi that is being worked on, by predecessor.
    operand: EntityVec<Block, PackedOption<Value>>,
    /// The constants of selectors that are in use, by their numbers.
    constants: Vec<PackedOption<Value>>,
    /// Replacement of an original value at the end of a block.
    replaced: FxHashMap<(Value, Block), Value>,
}

/// Inserts phis, replaces values and makes selectors.
pub(crate) fn repair(e: &mut Built, remarks: &mut Remarks) -> Result<(), Error> {
    let n = e.order.len();
    let order: EntityVec<Placed, Block> = e.order.clone().into();
    let mut number: EntityVec<Block, PackedOption<Placed>> = EntityVec::new(e.func.num_blocks());
    for (at, &block) in order.iter() {
        number[block] = at.into();
    }
    let mut ends: EntityVec<OutEdge, (Placed, Placed)> = EntityVec::with_capacity(e.edges.len());
    for edge in e.edges.values() {
        let (Some(from), Some(to)) = (number[edge.from].expand(), number[edge.to].expand()) else {
            return Err(Error::Internal {
                what: "an edge from or to a block that is not in the order",
            });
        };
        ends.push((from, to));
    }
    let mut r = Repair {
        number,
        incoming: Adjacency::group(n, || ends.iter().map(|(edge, &(_, to))| (to, edge))),
        known: EntityVec::filled(Known::Nothing, n),
        in_region: EntityVec::new(n),
        region: Vec::new(),
        dominators: None,
        operand: EntityVec::new(e.func.num_blocks()),
        constants: Vec::new(),
        replaced: FxHashMap::default(),
        ends,
        order,
        e,
    };
    if r.e.needs_ssa_repair {
        r.values()?;
    }
    r.phis()?;
    r.selectors()?;
    if remarks.wanted() {
        for i in r.order.keys() {
            let block = r.order[i];
            let count = r.e.func.phis(block).filter(|&phi| r.is_new(phi)).count() as u32;
            if count > 0 {
                remarks.add(Stage::Ssa, block, Decision::PhisInserted { count });
            }
        }
    }
    Ok(())
}

impl Repair<'_> {
    fn incoming(&self, block: Placed) -> &[OutEdge] {
        &self.incoming[block]
    }

    fn phis(&mut self) -> Result<(), Error> {
        for at in self.order.keys() {
            let block = self.order[at];
            if !self.e.func.has_phis(block) {
                continue;
            }
            // Phis that are inserted meanwhile are complete already; only the input's have operands
            // by original edges.
            let phis: Vec<Value> = self
                .e
                .func
                .phis(block)
                .filter(|&p| !self.is_new(p))
                .collect();
            let direct = self
                .incoming(at)
                .iter()
                .all(|&i| self.e.edges[i].assigns.is_some_and(|a| a.1 == block));
            for phi in phis {
                let variable = Variable::Phi(phi, block);
                let ty = self.e.func.value_type(phi);
                self.load_operands(phi);
                if !direct {
                    let readers: Vec<Placed> = self
                        .incoming(at)
                        .iter()
                        .filter(|&&i| self.e.edges[i].assigns.is_none_or(|a| a.1 != block))
                        .map(|&i| self.ends[i].0)
                        .collect();
                    // The block itself holds the phi, whatever meets there.
                    self.in_region[at] = true;
                    self.known[at] = Known::PhiAt(at);
                    self.region.push(at);
                    self.solve(variable, ty, &readers)?;
                    self.known[at] = Known::Is(phi);
                }
                let operands = self.operands(variable, ty, at)?;
                self.clear();
                self.e.func.set_phi_operands(phi, &operands);
            }
        }
        Ok(())
    }

    /// Makes a phi's operands known by predecessor, until the next one's are loaded.
    fn load_operands(&mut self, phi: Value) {
        for o in self.e.func.phi_operands(phi) {
            self.operand[o.pred] = o.value.into();
        }
    }

    fn is_new(&self, phi: Value) -> bool {
        phi.index() >= self.e.input_values
    }

    fn selectors(&mut self) -> Result<(), Error> {
        for selector in [Selector::Escape, Selector::Dispatch] {
            let tests: Vec<Test> = self
                .e
                .tests
                .iter()
                .copied()
                .filter(|t| t.selector == selector)
                .collect();
            if tests.is_empty() {
                continue;
            }
            let readers: Vec<Placed> = tests
                .iter()
                .filter_map(|t| self.number[t.block].expand())
                .collect();
            self.solve(Variable::Selector(selector), Type::SELECTOR, &readers)?;
            for t in tests {
                let known = self.number[t.block]
                    .expand()
                    .map_or(Known::Nothing, |at| self.known[at]);
                let Known::Is(value) = known else {
                    return Err(Error::Internal {
                        what: "a selector that no path sets",
                    });
                };
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
                        then: self.e.edges[t.then].to,
                        else_: self.e.edges[t.otherwise].to,
                        hint: SelectionHint::None,
                    },
                );
            }
            self.clear();
        }
        Ok(())
    }
}
