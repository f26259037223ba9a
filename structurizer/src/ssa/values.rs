//! Values whose definition no longer dominates a use.

use super::{Known, Placed, Repair, Variable};
use crate::analysis::{cfg::Cfg, dfs::Dfs, dominators::Dominators};
use crate::entity::Adjacency;
use crate::ir::{Block, Inst, Terminator, Value, ValueKind};
use crate::plan::blocks::OutEdge;
use crate::result::Error;

impl Repair<'_> {
    /// Replaces values whose definition no longer dominates a use. Needed only where paths mix.
    pub(super) fn values(&mut self) -> Result<(), Error> {
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

/// User of a value.
#[derive(Clone, Copy)]
enum User {
    /// An instruction, as its operand with this index.
    Inst(Inst, usize),
    Terminator,
    /// A phi.
    Operand,
}
