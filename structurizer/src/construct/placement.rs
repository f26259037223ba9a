//! The placement tree: which node follows which, and inside which loop.
//!
//! Each node is a child of its immediate dominator, or, where it leaves loops, an *after-child* of
//! the header of the outermost loop that it leaves. The loop that a node is placed in, its *scope*,
//! must contain the node's natural loop and lie in every scope of its forward predecessors; any
//! scope between is right. Which one is taken is a matter of shape: a short way out of a loop that
//! leads to where the loop goes anyway (`if (c) { x; break; }`) stays inside, the rest goes after
//! the loop.

use crate::canonicalize::{Graph, Node, NodeKind};
use crate::construct::follow::{self, Follows};
use crate::graph::{
    NONE,
    ancestors::Ancestors,
    dominators::Dominators,
    loops::Loop,
    postdominators::{End, level_of},
};
use crate::ir::{Effects, Function, Terminator};
use crate::result::Options;
use crate::stage::{Decision, Remarks, Stage};

/// The placement tree. Children are in reverse post-order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placement {
    /// Loop that a node is placed in; for a header the one around its own.
    pub(crate) scope: Vec<Loop>,
    /// Parent in the tree; [`NONE`] for the entry.
    pub(crate) parent: Vec<Node>,
    /// Whether a node comes after the loop that its parent heads.
    pub(crate) is_after: Vec<bool>,
    first_child: Vec<Node>,
    last_child: Vec<Node>,
    next_sibling: Vec<Node>,
    /// Which scope is in which (differs from the loop forest where a loop stands on a way out of
    /// another).
    scopes: Ancestors,
    /// Whether a node stays in a loop that it is not part of together with all that it dominates.
    stays_whole: Vec<bool>,
    /// What hangs on each node in the dominator tree. Empty if there are neither loops nor
    /// switches.
    pub(crate) subtrees: Vec<Subtree>,
    /// Where control goes after each loop.
    pub(crate) follows: Follows,
    /// The node that serves as continue target itself; [`NONE`] where a fresh block does.
    pub(crate) continue_node: Vec<Node>,
}

/// How many scopes a node tries to stay in, innermost first, before it goes where its natural loop
/// puts it.
const MAX_SCOPES_TRIED: u32 = 64;

/// What the subtree of the dominator tree below a node holds, and where it leads.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Subtree {
    insts: u32,
    convergent: bool,
    /// Whether some lane returns in it.
    pub(crate) returns: bool,
    /// Edges that leave the subtree, with the sums of their targets' numbers and squares: all
    /// targets are the same exactly if `count * squares == sum²`.
    count: u64,
    sum: u64,
    squares: u64,
}

impl Subtree {
    /// Whether it may stay in a loop that it leaves.
    pub(crate) fn stays_cheaply(&self, options: &Options) -> bool {
        !self.convergent && self.insts <= options.max_break_path
    }
    /// The one target of all edges that leave: `Ok(None)` if none leaves, `Err` if there are
    /// several.
    pub(crate) fn target(&self) -> Result<Option<u64>, ()> {
        if self.count == 0 {
            Ok(None)
        } else if self.count.wrapping_mul(self.squares) == self.sum.wrapping_mul(self.sum) {
            Ok(Some(self.sum / self.count))
        } else {
            Err(())
        }
    }
}

/// Builds the placement tree.
pub(crate) fn place(
    func: &Function,
    graph: &Graph,
    options: &Options,
    remarks: &mut Remarks,
) -> Placement {
    let dominators = Dominators::new(&graph.cfg, &graph.dfs);
    let loops = graph.loops.len();
    let n = graph.len();
    let mut p = Placement {
        scope: vec![NONE; n],
        parent: vec![NONE; n],
        stays_whole: vec![false; n],
        is_after: vec![false; n],
        first_child: vec![NONE; n * 2],
        last_child: vec![NONE; n * 2],
        next_sibling: vec![NONE; n],
        scopes: Ancestors::new(loops),
        subtrees: Vec::new(),
        follows: Follows::default(),
        continue_node: vec![NONE; loops],
    };
    let mut subtrees = Vec::new();
    let has_switch = |&kind: &NodeKind| matches!(kind, NodeKind::Block(b) if matches!(func.term(b), Terminator::Switch { .. }));
    if loops != 0 || graph.kinds.iter().any(has_switch) {
        subtrees = self::subtrees(func, graph, &dominators);
        p.follows = follow::choose(func, graph, &subtrees, options, remarks);
    }
    for &w in &graph.dfs.rpo {
        let own = graph.loops.of[w as usize];
        let is_header = own != NONE && graph.loops.headers[own as usize] == w;
        let natural = level_of(&graph.loops, w);
        let idom = dominators.idom[w as usize];
        let scope = if idom == NONE || loops == 0 {
            natural
        } else {
            p.choose_scope(graph, &subtrees, options, w, idom, natural)
        };
        p.scope[w as usize] = scope;
        if scope != natural && remarks.wanted() {
            let header = graph.name(graph.loops.headers[scope as usize]);
            remarks.add(
                Stage::LoopTransposition,
                graph.name(w),
                Decision::StaysInLoop { header },
            );
        }
        if is_header {
            p.scopes.set_parent(own, scope);
        }
        if idom != NONE {
            p.attach(graph, w, idom, scope);
        }
    }
    p.subtrees = subtrees;
    if options.stages.contains(Stage::ContinueLadders) {
        p.choose_continue_nodes(func, graph, remarks);
    }
    p
}

impl Placement {
    /// Scope of a node's own body: the loop that it heads, else the one that it is in.
    pub(crate) fn inner_scope(&self, graph: &Graph, node: Node) -> Loop {
        let own = graph.loops.of[node as usize];
        if own != NONE && graph.loops.headers[own as usize] == node {
            own
        } else {
            self.scope[node as usize]
        }
    }
    /// The scope of a node whose forward predecessors have theirs: from the innermost that is
    /// allowed outwards, the first in which it may stay.
    fn choose_scope(
        &mut self,
        graph: &Graph,
        subtrees: &[Subtree],
        options: &Options,
        w: Node,
        idom: Node,
        natural: Loop,
    ) -> Loop {
        let number = graph.dfs.rpo_number[w as usize];
        let mut scope = None;
        for &p in graph.cfg.preds(w) {
            if graph.dfs.rpo_number[p as usize] >= number {
                continue;
            }
            let of = self.inner_scope(graph, p);
            scope = Some(scope.map_or(of, |s| self.scopes.common(s, of)));
            if scope == Some(natural) {
                break;
            }
        }
        let mut scope = scope.unwrap_or(natural);
        for _ in 0..MAX_SCOPES_TRIED {
            if scope == natural {
                break;
            }
            if self.follows.follow[scope as usize] != w
                && self.may_stay(graph, w, idom, subtrees, options, scope)
            {
                return scope;
            }
            scope = self.scopes.parent(scope);
        }
        natural
    }
    /// Whether a node may stay in a loop that it is not part of: because its dominator does with
    /// all that hangs on it, or by itself.
    fn may_stay(
        &mut self,
        graph: &Graph,
        w: Node,
        idom: Node,
        subtrees: &[Subtree],
        options: &Options,
        scope: Loop,
    ) -> bool {
        if !options.stages.contains(Stage::LoopTransposition) {
            return false;
        }
        let follow = self.follows.follow[scope as usize];
        let leads_to_follow =
            |to: u64| follow != NONE && u64::from(graph.dfs.rpo_number[follow as usize]) == to;
        let stays_whole = |node: Node| {
            let subtree = &subtrees[node as usize];
            subtree.stays_cheaply(options)
                && subtree
                    .target()
                    .is_ok_and(|to| to.is_none_or(leads_to_follow))
        };
        let with_dominator = self.scope[idom as usize] == scope && self.stays_whole[idom as usize];
        if with_dominator || stays_whole(w) {
            self.stays_whole[w as usize] = true;
            return true;
        }
        let follow_end = if follow == NONE {
            End::Endless
        } else {
            self.follows.post.end(follow)
        };
        subtrees[w as usize].stays_cheaply(options)
            && (self.follows.post.end(w) < follow_end
                || follow != NONE && self.follows.post.strictly_post_dominates(follow, w))
    }
    fn attach(&mut self, graph: &Graph, w: Node, idom: Node, scope: Loop) {
        let mut inner = self.inner_scope(graph, idom);
        let (parent, after) = if inner == scope {
            (idom, false)
        } else {
            inner = self.scopes.at_depth(inner, self.scopes.depth(scope) + 1);
            (graph.loops.headers[inner as usize], true)
        };
        self.parent[w as usize] = parent;
        self.is_after[w as usize] = after;
        let list = parent as usize * 2 + usize::from(after);
        match self.last_child[list] {
            NONE => self.first_child[list] = w,
            last => self.next_sibling[last as usize] = w,
        }
        self.last_child[list] = w;
    }
    /// Replaces the children in a node's own region.
    pub(crate) fn set_children(&mut self, node: Node, children: &[Node]) {
        let list = node as usize * 2;
        self.first_child[list] = children.first().copied().unwrap_or(NONE);
        self.last_child[list] = children.last().copied().unwrap_or(NONE);
        for (i, &child) in children.iter().enumerate() {
            self.parent[child as usize] = node;
            self.next_sibling[child as usize] = children.get(i + 1).copied().unwrap_or(NONE);
        }
    }
    /// Children in a node's own region, or, with `after`, behind the loop that it heads.
    pub(crate) fn children(&self, node: Node, after: bool) -> impl Iterator<Item = Node> + '_ {
        let mut next = self.first_child[node as usize * 2 + usize::from(after)];
        std::iter::from_fn(move || {
            let child = next;
            (child != NONE).then(|| {
                next = self.next_sibling[child as usize];
                child
            })
        })
    }

    /// A loop's latch is its continue target if it ends in the back edge, perhaps with a
    /// conditional way out, and nothing hangs on it.
    fn choose_continue_nodes(&mut self, func: &Function, graph: &Graph, remarks: &mut Remarks) {
        for l in 0..graph.loops.len() {
            let latch = graph.latch[l];
            let header = graph.loops.headers[l];
            if latch == header {
                continue;
            }
            let hangs_on_it = graph.loops.of[latch as usize] != l as Loop
                || self.first_child[latch as usize * 2] != NONE;
            let edges = graph.edges(latch);
            let suits = match graph.kinds[latch as usize] {
                NodeKind::Empty => edges.len() == 1,
                NodeKind::Dispatch { .. } => false,
                NodeKind::Block(block) => match func.term(block) {
                    Terminator::Branch(_) => true,
                    Terminator::CondBranch { .. } => edges.iter().all(|e| {
                        e.to == header
                            || (graph.dfs.rpo_number[e.to as usize] > 0
                                && self.scopes.depth(self.scope[e.to as usize])
                                    < self.scopes.depth(l as Loop))
                    }),
                    _ => false,
                },
            };
            if suits && !hangs_on_it {
                self.continue_node[l] = latch;
            }
            if !remarks.wanted() {
                continue;
            }
            if self.continue_node[l] == latch {
                remarks.add(
                    Stage::ContinueLadders,
                    graph.name(latch),
                    Decision::ContinueTarget {
                        header: graph.name(header),
                    },
                );
            } else {
                remarks.add(
                    Stage::ContinueLadders,
                    graph.name(header),
                    Decision::FreshContinueTarget,
                );
            }
        }
    }
}

/// Sums over the dominator tree, by differences: an edge counts at its source and no more from its
/// target's dominator on.
pub(crate) fn subtrees(func: &Function, graph: &Graph, dominators: &Dominators) -> Vec<Subtree> {
    let mut all = vec![Subtree::default(); graph.len()];
    for &u in &graph.dfs.preorder {
        if let NodeKind::Block(block) = graph.kinds[u as usize] {
            all[u as usize].returns = matches!(func.term(block), Terminator::Return(_));
            for inst in func.insts(block) {
                all[u as usize].insts += 1;
                all[u as usize].convergent |= func.effects(inst).contains(Effects::CONVERGENT);
            }
        }
        for edge in graph.edges(u) {
            let t = u64::from(graph.dfs.rpo_number[edge.to as usize]);
            let stop = if dominators.dominates(edge.to, u) {
                edge.to
            } else {
                dominators.idom[edge.to as usize]
            };
            for (at, one) in [(u, 1u64), (stop, 1u64.wrapping_neg())] {
                let s = &mut all[at as usize];
                s.count = s.count.wrapping_add(one);
                s.sum = s.sum.wrapping_add(one.wrapping_mul(t));
                s.squares = s.squares.wrapping_add(one.wrapping_mul(t.wrapping_mul(t)));
            }
        }
    }
    for &w in graph.dfs.preorder.iter().rev() {
        let up = dominators.idom[w as usize];
        if up != NONE {
            let s = all[w as usize];
            let d = &mut all[up as usize];
            d.insts = d.insts.saturating_add(s.insts);
            d.convergent |= s.convergent;
            d.returns |= s.returns;
            d.count = d.count.wrapping_add(s.count);
            d.sum = d.sum.wrapping_add(s.sum);
            d.squares = d.squares.wrapping_add(s.squares);
        }
    }
    all
}
