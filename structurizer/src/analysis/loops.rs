//! The loop nesting forest of any graph, reducible or not, in near-linear time: Havlak's forest by
//! Ramalingam's method ("Identifying loops in almost linear time", 1999): cross and forward edges
//! are recorded at the least common ancestor of their ends, so that no edge is visited twice.

use alloc::vec::Vec;

use crate::analysis::{ancestors::Ancestors, cfg::Cfg, dfs::Dfs};
use crate::entity::{Entity, PackedOption, PrimaryMap, entity_impl};

/// A loop of [`Loops`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Loop(u32);
entity_impl!(Loop, "loop");

/// Loops of a graph. The header of an irreducible loop is the entry that the search met first.
#[derive(Clone, Debug)]
pub(crate) struct Loops<N: Entity> {
    /// Header of each loop; outer loops come before inner ones.
    headers: PrimaryMap<Loop, N>,
    parent: PrimaryMap<Loop, PackedOption<Loop>>,
    depth: PrimaryMap<Loop, u32>,
    innermost: PrimaryMap<N, PackedOption<Loop>>,
    irreducible: PrimaryMap<Loop, bool>,
    search: Search<N>,
}

impl<N: Entity> Default for Loops<N> {
    fn default() -> Self {
        Self {
            headers: PrimaryMap::default(),
            parent: PrimaryMap::default(),
            depth: PrimaryMap::default(),
            innermost: PrimaryMap::default(),
            irreducible: PrimaryMap::default(),
            search: Search::default(),
        }
    }
}

impl<N: Entity> Loops<N> {
    /// Finds the loops among the nodes that the search reaches.
    pub(crate) fn new(cfg: &Cfg<N>, dfs: &Dfs<N>) -> Self {
        let mut loops = Self::default();
        loops.compute(cfg, dfs);
        loops.search = Search::default();
        loops
    }

    /// Makes it the loops of a graph, as [`Loops::new`].
    pub(crate) fn compute(&mut self, cfg: &Cfg<N>, dfs: &Dfs<N>) {
        self.headers.clear();
        self.parent.clear();
        self.depth.clear();
        self.irreducible.clear();
        self.innermost.reset(cfg.len());
        if has_back_edge(cfg, dfs) {
            let mut found = core::mem::take(&mut self.search);
            found.run(cfg, dfs);
            self.collect(dfs, &found);
            self.search = found;
        }
    }

    fn collect(&mut self, dfs: &Dfs<N>, found: &Search<N>) {
        for &node in dfs.preorder().values() {
            let outer = found.nodes[node]
                .header
                .expand()
                .map_or(None.into(), |header| self.innermost[header]);
            self.innermost[node] = if found.nodes[node].is_header {
                self.parent.push(outer);
                self.depth.push(self.depth_of(outer) + 1);
                self.irreducible.push(found.nodes[node].is_irreducible);
                self.headers.push(node).into()
            } else {
                outer
            };
        }
    }

    /// Returns the number of loops.
    pub(crate) fn len(&self) -> usize {
        self.headers.len()
    }
    /// Returns whether there are no loops.
    pub(crate) fn is_empty(&self) -> bool {
        self.headers.is_empty()
    }
    /// Returns the loops, outer ones before inner ones.
    pub(crate) fn all(&self) -> impl DoubleEndedIterator<Item = Loop> + ExactSizeIterator + use<N> {
        self.headers.keys()
    }
    /// Returns the header of a loop.
    pub(crate) fn header(&self, l: Loop) -> N {
        self.headers[l]
    }
    /// Returns the loop around a loop, if any.
    pub(crate) fn parent(&self, l: Loop) -> PackedOption<Loop> {
        self.parent[l]
    }
    /// Returns whether some edge enters a loop elsewhere than at its header.
    pub(crate) fn is_irreducible(&self, l: Loop) -> bool {
        self.irreducible[l]
    }
    /// Returns whether some loop is irreducible.
    pub(crate) fn any_irreducible(&self) -> bool {
        self.irreducible.as_slice().contains(&true)
    }
    /// Returns the nesting depth of a loop: 1 for an outermost loop, 0 for none.
    pub(crate) fn depth_of(&self, l: PackedOption<Loop>) -> u32 {
        l.expand().map_or(0, |l| self.depth[l])
    }
    /// Returns the forest of the loops, for ancestor queries.
    pub(crate) fn nesting(&self) -> Ancestors<Loop> {
        let mut nesting = Ancestors::default();
        self.find_nesting(&mut nesting);
        nesting
    }
    /// Makes it the forest of the loops, as [`Loops::nesting`].
    pub(crate) fn find_nesting(&self, nesting: &mut Ancestors<Loop>) {
        nesting.reset(self.len());
        for l in self.all() {
            nesting.set_parent(l, self.parent(l));
        }
    }
    /// Returns the innermost loop that contains a node, if any; a header is in its own loop.
    pub(crate) fn innermost(&self, node: N) -> PackedOption<Loop> {
        self.innermost[node]
    }
    /// Returns the loop headed by a node, if any.
    pub(crate) fn headed_by(&self, node: N) -> Option<Loop> {
        self.innermost[node]
            .expand()
            .filter(|&l| self.headers[l] == node)
    }
    /// Returns the loop on whose level a node is, if any: for a header the loop around its own.
    pub(crate) fn level_of(&self, node: N) -> PackedOption<Loop> {
        match self.headed_by(node) {
            Some(own) => self.parent[own],
            None => self.innermost[node],
        }
    }
}

#[derive(Clone, Debug)]
struct UnionFind<N: Entity>(PrimaryMap<N, N>);

impl<N: Entity> UnionFind<N> {
    /// Makes `len` singleton sets.
    fn reset(&mut self, len: usize) {
        self.0.refill_with(len, |node| node);
    }
    fn find(&mut self, mut x: N) -> N {
        while self.0[x] != x {
            self.0[x] = self.0[self.0[x]];
            x = self.0[x];
        }
        x
    }
}

impl<N: Entity> Default for UnionFind<N> {
    fn default() -> Self {
        Self(PrimaryMap::default())
    }
}

/// Index of a cross or forward edge in [`Search::edges`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct EdgeIndex(u32);
entity_impl!(EdgeIndex, "edge");

/// A cross or forward edge, which is in one list.
#[derive(Clone, Copy, Debug)]
struct SearchEdge<N> {
    from: N,
    to: N,
    next: PackedOption<EdgeIndex>,
}

/// The search for loops: bodies are collapsed into their headers, innermost first.
#[derive(Clone, Debug)]
struct Search<N: Entity> {
    sets: UnionFind<N>,
    nodes: PrimaryMap<N, SearchNode<N>>,
    /// Headers that are known to be irreducible, joined to the header of the loop around: a walk
    /// outwards passes them at once.
    passed: UnionFind<N>,
    edges: PrimaryMap<EdgeIndex, SearchEdge<N>>,
    work: Vec<N>,
    body: Vec<N>,
}

#[derive(Clone, Copy, Debug)]
struct SearchNode<N: Entity> {
    /// Header of the innermost loop around the node, without the loop that it heads.
    header: PackedOption<N>,
    /// The header for which the node was visited last.
    mark: PackedOption<N>,
    /// The edges whose ends have this node as their least common ancestor in the search tree.
    waiting: PackedOption<EdgeIndex>,
    /// Edges that were released: further predecessors of a representative.
    released: PackedOption<EdgeIndex>,
    is_header: bool,
    is_irreducible: bool,
}

impl<N: Entity> Default for Search<N> {
    fn default() -> Self {
        Self {
            sets: UnionFind::default(),
            nodes: PrimaryMap::default(),
            passed: UnionFind::default(),
            edges: PrimaryMap::default(),
            work: Vec::new(),
            body: Vec::new(),
        }
    }
}

impl<N: Entity> Search<N> {
    fn run(&mut self, cfg: &Cfg<N>, dfs: &Dfs<N>) {
        let n = cfg.len();
        let node = SearchNode {
            header: None.into(),
            mark: None.into(),
            waiting: None.into(),
            released: None.into(),
            is_header: false,
            is_irreducible: false,
        };
        self.nodes.refill(node, n);
        self.passed.reset(n);
        self.find_common_ancestors(cfg, dfs);
        self.sets.reset(n);
        let mut body = core::mem::take(&mut self.body);
        for &h in dfs.preorder().values().rev() {
            let mut waiting = self.nodes[h].waiting;
            while let Some(edge) = waiting.expand() {
                waiting = self.edges[edge].next;
                self.release(edge);
            }
            self.nodes[h].mark = h.into();
            body.clear();
            let mut self_loop = false;
            for &y in cfg.preds(h) {
                if dfs.reached(y) && dfs.is_back_edge(y, h) {
                    self_loop |= y == h;
                    self.visit(y, h);
                }
            }
            while let Some(y) = self.work.pop() {
                body.push(y);
                let (mut pred, mut next) = (dfs.parent(y), self.nodes[y].released);
                while let Some(z) = pred {
                    self.visit(z, h);
                    (pred, next) = match next.expand() {
                        Some(edge) => {
                            let SearchEdge { from, next, .. } = self.edges[edge];
                            (Some(from), next)
                        }
                        None => (None, None.into()),
                    };
                }
            }
            if self_loop || !body.is_empty() {
                self.nodes[h].is_header = true;
                for &y in &body {
                    self.nodes[y].header = h.into();
                    self.sets.0[y] = h;
                }
            }
        }
        self.body = body;
    }

    /// Adds the cross and forward edges to the lists of the least common ancestors of their ends.
    /// Tarjan's offline algorithm: in post-order, a union-find over finished subtrees names the ancestor.
    fn find_common_ancestors(&mut self, cfg: &Cfg<N>, dfs: &Dfs<N>) {
        self.edges.clear();
        self.sets.reset(cfg.len());
        // When node v finishes, its children are finished and joined to it, and every edge between v
        // and an already finished node u has lca = find(u).
        for &v in dfs.rpo().iter().rev() {
            for &u in cfg.succs(v) {
                if dfs.is_back_edge(v, u) {
                    continue;
                }
                let ancestor = if !dfs.is_ancestor(v, u) {
                    self.sets.find(u)
                } else if dfs.parent(u) != Some(v) {
                    v
                } else {
                    continue;
                };
                let waiting = &mut self.nodes[ancestor].waiting;
                *waiting = self
                    .edges
                    .push(SearchEdge {
                        from: v,
                        to: u,
                        next: *waiting,
                    })
                    .into();
            }
            if let Some(p) = dfs.parent(v) {
                self.sets.0[v] = p;
            }
        }
    }

    /// Makes an edge known to the loops that contain its end.
    fn release(&mut self, edge: EdgeIndex) {
        let to = self.edges[edge].to;
        let rep = self.sets.find(to);
        let first = core::mem::replace(&mut self.nodes[rep].released, edge.into());
        self.edges[edge].next = first;
        // The edge enters every loop found so far that contains its target, except the loop that
        // its target heads.
        let mut entered = self.nodes[to].header;
        while let Some(header) = entered.expand() {
            let header = self.passed.find(header);
            self.nodes[header].is_irreducible = true;
            entered = self.nodes[header].header;
            if let Some(outer) = entered.expand() {
                self.passed.0[header] = outer;
            }
        }
    }

    fn visit(&mut self, node: N, header: N) {
        let rep = self.sets.find(node);
        let mark = &mut self.nodes[rep].mark;
        if core::mem::replace(mark, header.into()) != header.into() {
            self.work.push(rep);
        }
    }
}

fn has_back_edge<N: Entity>(cfg: &Cfg<N>, dfs: &Dfs<N>) -> bool {
    let nodes = dfs.preorder().as_slice();
    nodes
        .iter()
        .any(|&n| cfg.succs(n).iter().any(|&s| dfs.is_back_edge(n, s)))
}
