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

use rustc_hash::FxHashMap;

use crate::analysis::{cfg::Cfg, dfs::Dfs, dominators::Dominators};
use crate::build::Built;
use crate::entity::{Adjacency, EntityRef, EntityVec, PackedOption, entity_impl};
use crate::ir::{Block, Inst, SelectionHint, SelectorOp, Terminator, Type, Value, ValueKind};
use crate::plan::blocks::{OutEdge, OutEdgeData, Selector, Test};
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

/// What is known of a variable at the start of a block of its region.
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

    // ---- the construction -----------------------------------------------------------------

    /// The value that a branch gives the variable, if it assigns it.
    fn assigned(&mut self, variable: Variable, branch: OutEdgeData) -> Option<Value> {
        match variable {
            Variable::Phi(_, block) => {
                let (origin, _) = branch.assigns.filter(|a| a.1 == block)?;
                let value = self.operand[origin].expand()?;
                Some(
                    self.replaced
                        .get(&(value, branch.from))
                        .copied()
                        .unwrap_or(value),
                )
            }
            Variable::Value(..) => None,
            Variable::Selector(Selector::Escape) => {
                let position = branch.selector.expand()?;
                Some(self.constant(position.as_u32()))
            }
            Variable::Selector(Selector::Dispatch) => {
                let code = branch.code.expand()?;
                Some(self.constant(code.as_u32()))
            }
        }
    }
    /// The constant of a position or a code: both are dense.
    fn constant(&mut self, number: u32) -> Value {
        let at = number as usize;
        if let Some(value) = self.constants.get(at).and_then(|value| value.expand()) {
            return value;
        }
        if at >= self.constants.len() {
            self.constants.resize(at + 1, None.into());
        }
        let value = self.e.func.selector_constant(number);
        if let Some(slot) = self.constants.get_mut(at) {
            *slot = value.into();
        }
        value
    }
    /// The value at the end of a block, from what is known at its start.
    fn at_end(&self, variable: Variable, block: Placed) -> Known {
        match variable {
            Variable::Value(v, def) if self.order[block] == def => Known::Is(v),
            Variable::Phi(..) | Variable::Selector(_) if self.is_original(block) => {
                Known::Undefined
            }
            _ => self.known[block],
        }
    }
    /// Whether a block is the input's. A lane that runs one is on its way to nowhere else: what a
    /// phi's variable or a selector held before is of no use any more, since from its assignment on
    /// a lane passes only blocks of our own until it reaches its target.
    fn is_original(&self, block: Placed) -> bool {
        self.order[block].index() < self.e.input_blocks
    }
    fn defines(&self, variable: Variable, block: Placed) -> bool {
        matches!(variable, Variable::Value(_, def) if self.order[block] == def)
    }
    /// Whether a block comes before the definition on every path: what the value is there cannot
    /// matter, since in the input every path from there to a use passes the definition.
    fn is_before(&self, variable: Variable, block: Placed) -> bool {
        match (variable, &self.dominators) {
            (Variable::Value(_, def), Some(d)) => {
                let def = self.number[def].expand();
                def.is_some_and(|def| d.dominates(block, def))
            }
            _ => false,
        }
    }
    fn is_source(&self, variable: Variable, block: Placed) -> bool {
        self.incoming(block).is_empty() || self.is_before(variable, block)
    }
    fn add_to_region(&mut self, block: Placed) {
        if !self.in_region[block] {
            self.in_region[block] = true;
            self.region.push(block);
        }
    }

    /// Finds the variable's value at the start of each of the blocks `readers` (and of what lies
    /// between them and the assignments), inserting phis where different values meet. Results stay
    /// in `known` until [`Repair::clear`].
    fn solve(&mut self, variable: Variable, ty: Type, readers: &[Placed]) -> Result<(), Error> {
        for &b in readers {
            self.add_to_region(b);
        }
        let mut next = 0;
        while let Some(&block) = self.region.get(next) {
            next += 1;
            if self.is_source(variable, block) {
                self.known[block] = Known::Undefined;
                continue;
            }
            for i in 0..self.incoming(block).len() {
                let edge = self.incoming(block)[i];
                let (branch, from) = (self.e.edges[edge], self.ends[edge].0);
                let ends = self.defines(variable, from)
                    || (!matches!(variable, Variable::Value(..)) && self.is_original(from));
                if self.assigned(variable, branch).is_none() && !ends {
                    self.add_to_region(from);
                }
            }
        }
        self.region.sort_unstable();
        loop {
            let mut changed = false;
            for i in 0..self.region.len() {
                let block = self.region[i];
                if matches!(self.known[block], Known::PhiAt(b) if b == block)
                    || (self.known[block] == Known::Undefined && self.is_source(variable, block))
                {
                    continue;
                }
                let mut meet = Known::Nothing;
                for k in 0..self.incoming(block).len() {
                    let edge = self.incoming(block)[k];
                    let value = match self.assigned(variable, self.e.edges[edge]) {
                        Some(v) => Known::Is(v),
                        None => self.at_end(variable, self.ends[edge].0),
                    };
                    meet = match (meet, value) {
                        (m, Known::Nothing) => m,
                        (Known::Nothing, v) => v,
                        (m, v) if m == v => m,
                        _ => Known::PhiAt(block),
                    };
                }
                if meet != self.known[block] {
                    self.known[block] = meet;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        self.make_phis(variable, ty)
    }

    /// Turns the blocks that need a phi into phis. The phi of the input keeps its identity in its
    /// own block.
    fn make_phis(&mut self, variable: Variable, ty: Type) -> Result<(), Error> {
        let mut made: Vec<(Placed, Value)> = Vec::new();
        for i in 0..self.region.len() {
            let block = self.region[i];
            if self.known[block] == Known::PhiAt(block) {
                let b = self.order[block];
                let phi = match variable {
                    Variable::Phi(_, own) if own == b => {
                        continue;
                    }
                    _ => self.e.func.add_phi(b, ty),
                };
                self.e.report.phis += 1;
                made.push((block, phi));
            }
        }
        let value_of = |known: Known| match known {
            Known::Nothing | Known::Undefined => None,
            Known::Is(v) => Some(v),
            Known::PhiAt(b) => match made.binary_search_by_key(&b, |m| m.0) {
                Ok(at) => Some(made[at].1),
                Err(_) => match variable {
                    Variable::Phi(phi, _) => Some(phi),
                    _ => None,
                },
            },
        };
        for i in 0..self.region.len() {
            let block = self.region[i];
            if let Some(v) = value_of(self.known[block]) {
                self.known[block] = Known::Is(v);
            }
        }
        for &(block, phi) in &made {
            let operands = self.operands(variable, ty, block)?;
            for (from, value) in operands {
                self.e.func.add_phi_operand(phi, from, value);
            }
        }
        Ok(())
    }

    /// One operand for each branch into a block.
    fn operands(
        &mut self,
        variable: Variable,
        ty: Type,
        block: Placed,
    ) -> Result<Vec<(Block, Value)>, Error> {
        let mut list = Vec::with_capacity(self.incoming(block).len());
        for k in 0..self.incoming(block).len() {
            let edge = self.incoming(block)[k];
            let branch = self.e.edges[edge];
            let value = match self.assigned(variable, branch) {
                Some(v) => v,
                None => match self.at_end(variable, self.ends[edge].0) {
                    Known::Is(v) => v,
                    // A lane that comes this way is not bound for the dispatch: any number does, as
                    // long as it is one.
                    _ if variable == Variable::Selector(Selector::Dispatch) => {
                        self.e.func.selector_constant(0)
                    }
                    _ if ty == Type::SELECTOR => {
                        return Err(Error::Internal {
                            what: "a selector that no path sets",
                        });
                    }
                    _ => {
                        self.e.report.undef_operands += 1;
                        self.e.func.undef(ty)
                    }
                },
            };
            list.push((branch.from, value));
        }
        Ok(list)
    }

    fn clear(&mut self) {
        for &b in &self.region {
            self.known[b] = Known::Nothing;
            self.in_region[b] = false;
        }
        self.region.clear();
    }

    // ---- the three kinds of variables -----------------------------------------------------

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

    /// Replaces values whose definition no longer dominates a use. Needed only where paths mix.
    fn values(&mut self) -> Result<(), Error> {
        let dominators = self.compute_dominators();
        let mut broken = self.broken_uses(&dominators);
        self.dominators = Some(dominators);
        broken.sort_by_key(|b| b.value);
        for list in broken.chunk_by(|a, b| a.value == b.value) {
            let value = list[0].value;
            let Some(def) = self.definition(value) else {
                continue;
            };
            let ty = self.e.func.value_type(value);
            let readers: Vec<Placed> = list.iter().map(|b| b.at).collect();
            self.solve(Variable::Value(value, self.order[def]), ty, &readers)?;
            for b in list {
                let new = match self.known[b.at] {
                    Known::Is(v) => v,
                    _ => {
                        self.e.report.undef_operands += 1;
                        self.e.func.undef(ty)
                    }
                };
                self.replace(b, new);
            }
            self.clear();
        }
        Ok(())
    }

    /// Finds the uses that their definitions do not dominate.
    fn broken_uses(&mut self, dominators: &Dominators<Placed>) -> Vec<BrokenUse> {
        let mut broken = Vec::new();
        for (at, &block) in self.order.iter() {
            let mut check = |value: Value, user: User| {
                if self
                    .definition(value)
                    .is_some_and(|def| !dominators.dominates(def, at))
                {
                    broken.push(BrokenUse { value, user, at });
                }
            };
            for inst in self.e.func.insts(block) {
                for (i, &v) in self.e.func.uses(inst).iter().enumerate() {
                    check(v, User::Inst(inst, i));
                }
            }
            if let Some(v) = self.e.func.term(block).value() {
                check(v, User::Terminator);
            }
        }
        self.check_operands(dominators, &mut broken);
        broken
    }

    /// Replaces the value of a use.
    fn replace(&mut self, broken: &BrokenUse, new: Value) {
        let block = self.order[broken.at];
        match broken.user {
            User::Inst(inst, i) => {
                if let Some(value) = self.e.func.uses_mut(inst).get_mut(i) {
                    *value = new;
                }
            }
            User::Operand => {
                self.replaced.insert((broken.value, block), new);
            }
            User::Terminator => {
                let mut terminator = self.e.func.term(block);
                match &mut terminator {
                    Terminator::CondBranch { cond: value, .. }
                    | Terminator::Switch { value, .. }
                    | Terminator::Return(Some(value)) => *value = new,
                    _ => {}
                }
                self.e.func.set_terminator(block, terminator);
            }
        }
    }

    /// Finds phi operands of the input that do not reach the end of the block that branches towards
    /// the phi.
    fn check_operands(&mut self, dominators: &Dominators<Placed>, broken: &mut Vec<BrokenUse>) {
        // Edges by the block whose phis they assign.
        let mut assigning: Vec<(Block, OutEdge)> = self
            .e
            .edges
            .iter()
            .filter_map(|(i, edge)| Some((edge.assigns?.1, i)))
            .collect();
        assigning.sort_unstable();
        for list in assigning.chunk_by(|a, b| a.0 == b.0) {
            let phis: Vec<Value> = self.e.func.phis(list[0].0).collect();
            for phi in phis {
                self.load_operands(phi);
                for &(_, i) in list {
                    let origin = self.e.edges[i].assigns.map(|(origin, _)| origin);
                    let Some(value) = origin.and_then(|origin| self.operand[origin].expand())
                    else {
                        continue;
                    };
                    let at = self.ends[i].0;
                    if let Some(def) = self.definition(value)
                        && !dominators.dominates(def, at)
                    {
                        let user = User::Operand;
                        broken.push(BrokenUse { value, user, at });
                    }
                }
            }
        }
    }

    /// Returns the block that defines a value; none for what is defined everywhere or is not in the
    /// order.
    fn definition(&self, value: Value) -> Option<Placed> {
        let block = match self.e.func.value_kind(value) {
            ValueKind::Phi(block) => block,
            ValueKind::Result { inst, .. } => self.e.func.inst_block(inst),
            _ => return None,
        };
        self.number[block].expand()
    }

    /// Returns the dominators of the built graph.
    fn compute_dominators(&self) -> Dominators<Placed> {
        let ends = self.ends.values();
        let cfg = Cfg::new(Adjacency::group(self.order.len(), || ends.iter().copied()));
        let dfs = Dfs::new(&cfg, Placed(0));
        Dominators::new(&cfg, &dfs)
    }
}

/// A use that its definition does not dominate.
struct BrokenUse {
    value: Value,
    user: User,
    /// The block of the use; of a phi's operand the one that branches towards the phi.
    at: Placed,
}

/// What uses a value.
#[derive(Clone, Copy)]
enum User {
    /// An instruction, as its operand with this index.
    Inst(Inst, usize),
    Terminator,
    /// A phi.
    Operand,
}
