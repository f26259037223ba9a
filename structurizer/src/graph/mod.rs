//! Analyses of a plain directed graph: one a file, each a value computed from a borrowed graph and
//! never patched.

pub(crate) mod ancestors;
pub(crate) mod dfs;
pub(crate) mod dominators;
pub(crate) mod loops;
pub(crate) mod postdominators;

/// A node without a value: no parent, no loop, not visited.
pub(crate) const NONE: u32 = u32::MAX;

/// A directed graph in compressed form: nodes `0..len`, successor and predecessor lists as ranges
/// of two pools.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cfg {
    succ_start: Vec<u32>,
    succs: Vec<u32>,
    pred_start: Vec<u32>,
    preds: Vec<u32>,
}

impl Cfg {
    /// From the edges of each node in node order: `degrees[n]` edges leave node `n`, their targets
    /// stand one after the other in `targets`.
    pub(crate) fn new(succ_start: Vec<u32>, succs: Vec<u32>) -> Self {
        let len = succ_start.len() - 1;
        let mut pred_start = vec![0u32; len + 1];
        for &to in &succs {
            pred_start[to as usize + 1] += 1;
        }
        for i in 0..len {
            pred_start[i + 1] += pred_start[i];
        }
        let mut fill = pred_start.clone();
        let mut preds = vec![0u32; succs.len()];
        for from in 0..len {
            for &to in &succs[succ_start[from] as usize..succ_start[from + 1] as usize] {
                preds[fill[to as usize] as usize] = from as u32;
                fill[to as usize] += 1;
            }
        }
        Self {
            succ_start,
            succs,
            pred_start,
            preds,
        }
    }
    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.succ_start.len() - 1
    }
    /// Successors in edge order.
    pub(crate) fn succs(&self, node: u32) -> &[u32] {
        &self.succs
            [self.succ_start[node as usize] as usize..self.succ_start[node as usize + 1] as usize]
    }
    /// Predecessors, by node number.
    pub(crate) fn preds(&self, node: u32) -> &[u32] {
        &self.preds
            [self.pred_start[node as usize] as usize..self.pred_start[node as usize + 1] as usize]
    }
}
