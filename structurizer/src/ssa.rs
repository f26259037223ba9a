//! Stage 9: phis, values and selectors, put back by SSA construction over the emitted graph.
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
use trellis_entity::{EntityRef, PackedOption, SecondaryMap};

use crate::construct::emit::{Emitted, Selector, Test};
use crate::construct::transfer::Branch;
use crate::graph::{Cfg, NONE, dfs::Dfs, dominators::Dominators};
use crate::ir::{Block, Inst, SelectionHint, SelectorOp, Terminator, Type, Value, ValueKind};
use crate::result::Error;
use crate::stage::{Decision, Stage};

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
    PhiAt(u32),
}

struct Repair<'a> {
    e: &'a mut Emitted,
    /// Position of each block in the order.
    number: SecondaryMap<Block, u32>,
    /// Branches by target: ranges of `incoming`.
    start: Vec<u32>,
    incoming: Vec<u32>,
    known: Vec<Known>,
    in_region: Vec<bool>,
    region: Vec<u32>,
    dominators: Option<Dominators>,
    /// Operands of the phi that is being worked on, by predecessor.
    operand: SecondaryMap<Block, PackedOption<Value>>,
    /// The constants of selectors that have been asked for.
    constants: Vec<PackedOption<Value>>,
    /// Replacement of an original value at the end of a block.
    replaced: FxHashMap<(Value, Block), Value>,
}

/// Puts phis, values and selectors back.
pub(crate) fn repair(e: &mut Emitted) -> Result<(), Error> {
    let n = e.order.len();
    let mut number = SecondaryMap::with_default(NONE);
    number.resize(e.func.num_blocks());
    for (i, &block) in e.order.iter().enumerate() {
        number[block] = i as u32;
    }
    let mut start = vec![0u32; n + 1];
    for b in &e.branches {
        if number[b.to] == NONE || number[b.from] == NONE {
            return Err(Error::Internal {
                what: "a branch to or from a block that was not emitted",
            });
        }
        start[number[b.to] as usize + 1] += 1;
    }
    for i in 0..n {
        start[i + 1] += start[i];
    }
    let mut fill = start.clone();
    let mut incoming = vec![0u32; e.branches.len()];
    for (i, b) in e.branches.iter().enumerate() {
        let to = number[b.to] as usize;
        incoming[fill[to] as usize] = i as u32;
        fill[to] += 1;
    }
    let mut r = Repair {
        e,
        number,
        start,
        incoming,
        known: vec![Known::Nothing; n],
        in_region: vec![false; n],
        region: Vec::new(),
        dominators: None,
        operand: SecondaryMap::new(),
        constants: Vec::new(),
        replaced: FxHashMap::default(),
    };
    if r.e.mixes_paths {
        r.values()?;
    }
    r.phis()?;
    r.selectors()?;
    if r.e.remarks.wanted() {
        for i in 0..r.e.order.len() {
            let block = r.e.order[i];
            let count = r.e.func.phis(block).filter(|&phi| r.is_new(phi)).count() as u32;
            if count > 0 {
                r.e.remarks
                    .add(Stage::Phis, block, Decision::PhisInserted { count });
            }
        }
    }
    Ok(())
}

impl Repair<'_> {
    fn incoming(&self, block: u32) -> &[u32] {
        &self.incoming[self.start[block as usize] as usize..self.start[block as usize + 1] as usize]
    }

    // ---- the construction
    // ----------------------------------------------------------------------------------------------------------------

    /// The value that a branch gives the variable, if it assigns it.
    fn assigned(&mut self, variable: Variable, branch: Branch) -> Option<Value> {
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
                (branch.selector != NONE).then(|| self.constant(branch.selector))
            }
            Variable::Selector(Selector::Dispatch) => {
                (branch.code != NONE).then(|| self.constant(branch.code))
            }
        }
    }
    /// The constant of a position or a code: both are dense.
    fn constant(&mut self, number: u32) -> Value {
        let at = number as usize;
        if at >= self.constants.len() {
            self.constants.resize(at + 1, None.into());
        }
        if let Some(value) = self.constants[at].expand() {
            return value;
        }
        let value = self.e.func.selector_constant(number);
        self.constants[at] = value.into();
        value
    }
    /// The value at the end of a block, from what is known at its start.
    fn at_end(&self, variable: Variable, block: u32) -> Known {
        match variable {
            Variable::Value(v, def) if self.e.order[block as usize] == def => Known::Is(v),
            Variable::Phi(..) | Variable::Selector(_) if self.is_original(block) => {
                Known::Undefined
            }
            _ => self.known[block as usize],
        }
    }
    /// Whether a block is the input's. A lane that runs one is on its way to nowhere else: what a
    /// phi's variable or a selector held before is of no use any more, since from its assignment on
    /// a lane passes only blocks of our own until it reaches its target.
    fn is_original(&self, block: u32) -> bool {
        self.e.order[block as usize].index() < self.e.input_blocks
    }
    fn defines(&self, variable: Variable, block: u32) -> bool {
        matches!(variable, Variable::Value(_, def) if self.e.order[block as usize] == def)
    }
    /// Whether a block comes before the definition on every path: what the value is there cannot
    /// matter, since in the input every path from there to a use passes the definition.
    fn is_before(&self, variable: Variable, block: u32) -> bool {
        match (variable, &self.dominators) {
            (Variable::Value(_, def), Some(d)) => d.dominates(block, self.number[def]),
            _ => false,
        }
    }
    fn is_source(&self, variable: Variable, block: u32) -> bool {
        self.incoming(block).is_empty() || self.is_before(variable, block)
    }
    fn add_to_region(&mut self, block: u32) {
        if !self.in_region[block as usize] {
            self.in_region[block as usize] = true;
            self.region.push(block);
        }
    }

    /// Finds the variable's value at the start of each of the blocks `readers` (and of what lies
    /// between them and the assignments), inserting phis where different values meet. Results stay
    /// in `known` until [`Repair::clear`].
    fn solve(&mut self, variable: Variable, ty: Type, readers: &[u32]) -> Result<(), Error> {
        for &b in readers {
            self.add_to_region(b);
        }
        let mut next = 0;
        while let Some(&block) = self.region.get(next) {
            next += 1;
            if self.is_source(variable, block) {
                self.known[block as usize] = Known::Undefined;
                continue;
            }
            for i in 0..self.incoming(block).len() {
                let branch = self.e.branches[self.incoming(block)[i] as usize];
                let from = self.number[branch.from];
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
                if matches!(self.known[block as usize], Known::PhiAt(b) if b == block)
                    || (self.known[block as usize] == Known::Undefined
                        && self.is_source(variable, block))
                {
                    continue;
                }
                let mut meet = Known::Nothing;
                for k in 0..self.incoming(block).len() {
                    let branch = self.e.branches[self.incoming(block)[k] as usize];
                    let value = match self.assigned(variable, branch) {
                        Some(v) => Known::Is(v),
                        None => self.at_end(variable, self.number[branch.from]),
                    };
                    meet = match (meet, value) {
                        (m, Known::Nothing) => m,
                        (Known::Nothing, v) => v,
                        (m, v) if m == v => m,
                        _ => Known::PhiAt(block),
                    };
                }
                if meet != self.known[block as usize] {
                    self.known[block as usize] = meet;
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
        let mut made: Vec<(u32, Value)> = Vec::new();
        for i in 0..self.region.len() {
            let block = self.region[i];
            if self.known[block as usize] == Known::PhiAt(block) {
                let b = self.e.order[block as usize];
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
            if let Some(v) = value_of(self.known[block as usize]) {
                self.known[block as usize] = Known::Is(v);
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
        block: u32,
    ) -> Result<Vec<(Block, Value)>, Error> {
        let mut list = Vec::with_capacity(self.incoming(block).len());
        for k in 0..self.incoming(block).len() {
            let branch = self.e.branches[self.incoming(block)[k] as usize];
            let value = match self.assigned(variable, branch) {
                Some(v) => v,
                None => match self.at_end(variable, self.number[branch.from]) {
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
            self.known[b as usize] = Known::Nothing;
            self.in_region[b as usize] = false;
        }
        self.region.clear();
    }

    // ---- the three kinds of variables
    // ----------------------------------------------------------------------------------------------------

    fn phis(&mut self) -> Result<(), Error> {
        for at in 0..self.e.order.len() as u32 {
            let block = self.e.order[at as usize];
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
            let direct = self.incoming(at).iter().all(|&i| {
                self.e.branches[i as usize]
                    .assigns
                    .is_some_and(|a| a.1 == block)
            });
            for phi in phis {
                let variable = Variable::Phi(phi, block);
                let ty = self.e.func.value_type(phi);
                self.load_operands(phi);
                if !direct {
                    let readers: Vec<u32> = self
                        .incoming(at)
                        .iter()
                        .map(|&i| self.e.branches[i as usize])
                        .filter(|b| b.assigns.is_none_or(|a| a.1 != block))
                        .map(|b| self.number[b.from])
                        .collect();
                    // The block itself holds the phi, whatever meets there.
                    self.in_region[at as usize] = true;
                    self.known[at as usize] = Known::PhiAt(at);
                    self.region.push(at);
                    self.solve(variable, ty, &readers)?;
                    self.known[at as usize] = Known::Is(phi);
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
            let readers: Vec<u32> = tests.iter().map(|t| self.number[t.block]).collect();
            self.solve(Variable::Selector(selector), Type::SELECTOR, &readers)?;
            for t in tests {
                let Known::Is(value) = self.known[self.number[t.block] as usize] else {
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
                        then: t.then,
                        else_: t.otherwise,
                        hint: SelectionHint::None,
                    },
                );
            }
            self.clear();
        }
        Ok(())
    }

    /// Values whose definition no longer dominates a use. Needed only where paths mix.
    fn values(&mut self) -> Result<(), Error> {
        let dominators = self.compute_dominators();
        let mut broken: Vec<(Value, Use, Block)> = Vec::new();
        let check = |value: Value,
                     place: Use,
                     at: Block,
                     r: &Self,
                     broken: &mut Vec<(Value, Use, Block)>| {
            if let Some(def) = r.definition(value)
                && !dominators.dominates(r.number[def], r.number[at])
            {
                broken.push((value, place, at));
            }
        };
        for &block in &self.e.order {
            for inst in self.e.func.insts(block) {
                for (i, &v) in self.e.func.uses(inst).iter().enumerate() {
                    check(v, Use::Inst(inst, i as u32), block, self, &mut broken);
                }
            }
            if let Some(v) = self.e.func.term(block).value() {
                check(v, Use::Terminator, block, self, &mut broken);
            }
        }
        self.check_operands(&dominators, &mut broken);
        self.dominators = Some(dominators);
        broken.sort_by_key(|b| b.0);
        for list in broken.chunk_by(|a, b| a.0 == b.0) {
            let value = list[0].0;
            let Some(def) = self.definition(value) else {
                continue;
            };
            let ty = self.e.func.value_type(value);
            let readers: Vec<u32> = list.iter().map(|&(_, _, at)| self.number[at]).collect();
            self.solve(Variable::Value(value, def), ty, &readers)?;
            for &(_, place, at) in list {
                let new = match self.known[self.number[at] as usize] {
                    Known::Is(v) => v,
                    _ => {
                        self.e.report.undef_operands += 1;
                        self.e.func.undef(ty)
                    }
                };
                match place {
                    Use::Inst(inst, i) => self.e.func.uses_mut(inst)[i as usize] = new,
                    Use::Terminator => {
                        let terminator = match self.e.func.term(at) {
                            Terminator::CondBranch {
                                then, else_, hint, ..
                            } => Terminator::CondBranch {
                                cond: new,
                                then,
                                else_,
                                hint,
                            },
                            Terminator::Switch {
                                default,
                                cases,
                                hint,
                                ..
                            } => Terminator::Switch {
                                value: new,
                                default,
                                cases,
                                hint,
                            },
                            Terminator::Return(_) => Terminator::Return(Some(new)),
                            other => other,
                        };
                        self.e.func.set_terminator(at, terminator);
                    }
                    Use::Operand => {
                        self.replaced.insert((value, at), new);
                    }
                }
            }
            self.clear();
        }
        Ok(())
    }

    /// Phi operands of the input that do not reach the end of the block that branches towards the
    /// phi.
    fn check_operands(&mut self, dominators: &Dominators, broken: &mut Vec<(Value, Use, Block)>) {
        // Branches by the block whose phis they assign.
        let mut assigning: Vec<(Block, u32)> = Vec::new();
        for (i, branch) in self.e.branches.iter().enumerate() {
            if let Some((_, target)) = branch.assigns {
                assigning.push((target, i as u32));
            }
        }
        assigning.sort_unstable();
        for list in assigning.chunk_by(|a, b| a.0 == b.0) {
            let phis: Vec<Value> = self.e.func.phis(list[0].0).collect();
            for phi in phis {
                self.load_operands(phi);
                for &(_, i) in list {
                    let branch = self.e.branches[i as usize];
                    let Some(value) = branch
                        .assigns
                        .and_then(|(origin, _)| self.operand[origin].expand())
                    else {
                        continue;
                    };
                    if let Some(def) = self.definition(value)
                        && !dominators.dominates(self.number[def], self.number[branch.from])
                    {
                        broken.push((value, Use::Operand, branch.from));
                    }
                }
            }
        }
    }

    /// The block that defines a value; `None` for what is defined everywhere or was not emitted.
    fn definition(&self, value: Value) -> Option<Block> {
        let block = match self.e.func.value_kind(value) {
            ValueKind::Phi(block) => block,
            ValueKind::Result { inst, .. } => self.e.func.inst_block(inst),
            _ => return None,
        };
        (self.number[block] != NONE).then_some(block)
    }

    /// Dominators of the emitted graph, over positions in the order.
    fn compute_dominators(&self) -> Dominators {
        let n = self.e.order.len();
        let mut start = vec![0u32; n + 1];
        for b in &self.e.branches {
            start[self.number[b.from] as usize + 1] += 1;
        }
        for i in 0..n {
            start[i + 1] += start[i];
        }
        let mut fill = start.clone();
        let mut succs = vec![0; self.e.branches.len()];
        for b in &self.e.branches {
            let from = self.number[b.from] as usize;
            succs[fill[from] as usize] = self.number[b.to];
            fill[from] += 1;
        }
        let cfg = Cfg::new(start, succs);
        let dfs = Dfs::new(&cfg, 0);
        Dominators::new(&cfg, &dfs)
    }
}

/// Where a value is used.
#[derive(Clone, Copy)]
enum Use {
    Inst(Inst, u32),
    Terminator,
    /// As operand of a phi, at the end of a block that branches towards it.
    Operand,
}
