//! Dispatch headers: one entry for a loop that has several.
//!
//! Every edge that enters an irreducible loop, and every back edge to its header, leads to the
//! loop's *dispatch header* with the code of its target as dispatch selector. One comparison leads
//! on to one of two targets, and a switch to one of more. Codes follow the loop forest's preorder,
//! so that a loop nested inside is one interval of codes. The target with the most codes is the
//! default of its switch, so that all switches together have at most n log n cases. Where no
//! exit of a loop may leave a switch, a balanced tree of comparisons takes its place. Nodes are never
//! split: that would copy convergent operations.

use alloc::vec;
use alloc::vec::Vec;

use super::graph::{Code, DispatchCase, Edit, Graph, Node, NodeKind};
use crate::analysis::{ancestors::Ancestors, loops::Loop};
use crate::entity::{EntityRef, PackedOption, PrimaryMap};
use crate::ir::Block;
use crate::remark::{Decision, Remarks};
use crate::stage::Stage;

/// An edge that enters an irreducible loop, the outermost one that it enters.
type Reason = (Loop, (Block, Block));

/// The most edges that a remark names.
const MAX_NAMED: usize = 16;

/// How a dispatch header with more than two targets decides.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// By a switch on the dispatch selector.
    Switch,
    /// By a balanced tree of comparisons.
    Tree,
}

/// Makes dispatch headers for the irreducible loops, and returns how many.
pub(super) fn run(graph: &Graph, edit: &mut Edit, form: Form, remarks: &mut Remarks) -> u32 {
    let codes = Codes::new(graph);
    let mut made = 0;
    for l in graph.loops().all() {
        if graph.loops().is_irreducible(l) {
            edit.headers[l] = edit.add_node(DIRECT).into();
            made += 1;
        }
    }
    let mut reasons = remarks.wanted().then(Vec::new);
    let mut hops = redirect(graph, edit, &codes, reasons.as_mut());
    hops.sort_unstable();
    hops.dedup();
    let mut used: Vec<Code> = hops
        .iter()
        .filter(|h| !h.leads_to_loop)
        .map(|h| h.bound)
        .collect();
    used.sort_unstable();
    for list in hops.chunk_by(|a, b| a.header == b.header) {
        let l = list[0].header;
        if remarks.wanted() {
            let targets = list.len() as u32;
            let header = graph.name(graph.header(l));
            let edges = reasons.iter().flatten().filter(|reason| reason.0 == l);
            let edges = edges.map(|reason| reason.1).take(MAX_NAMED).collect();
            let decision = Decision::DispatchHeader { targets };
            remarks.add_for_edges(Stage::Reducibility, header, decision, edges);
        }
        let Some(node) = edit.headers[l].expand() else {
            continue;
        };
        if form == Form::Switch && list.len() > 2 {
            add_switch(edit, node, list, &used);
        } else {
            add_tree(edit, node, list);
        }
    }
    made
}

/// A dispatch node without a comparison, until one is added.
const DIRECT: NodeKind = NodeKind::Dispatch { bound: None };

/// Makes a balanced tree of comparisons of a dispatch header and its targets, by code.
fn add_tree(edit: &mut Edit, node: Node, list: &[Hop]) {
    let mut stack = vec![(node, list)];
    while let Some((node, list)) = stack.pop() {
        let halves = list.split_at(list.len().div_ceil(2));
        for half in [halves.0, halves.1] {
            match half {
                [] => {}
                [hop] => edit.add_edge(node, hop.to),
                _ => {
                    let next = edit.add_node(DIRECT);
                    edit.add_edge(node, next);
                    stack.push((next, half));
                }
            }
        }
        // Codes up to the last one of the first half take the first edge.
        if let (Some(last), [_, ..]) = (halves.0.last(), halves.1) {
            let bound = Some(last.bound);
            edit.set_kind(node, NodeKind::Dispatch { bound });
        }
    }
}

/// Makes a switch of a dispatch header. `used` are the codes that edges set, in order.
fn add_switch(edit: &mut Edit, node: Node, list: &[Hop], used: &[Code]) {
    let codes_of = |hop: &Hop| {
        let start = used.partition_point(|&code| code < hop.first);
        let end = used.partition_point(|&code| code <= hop.bound);
        used.get(start..end).unwrap_or(&[])
    };
    // The target with most codes is the default: so the switch has the fewest cases.
    let Some(default) = list.iter().max_by_key(|hop| codes_of(hop).len()) else {
        return;
    };
    edit.set_kind(node, NodeKind::DispatchSwitch);
    edit.add_edge(node, default.to);
    for hop in list.iter().filter(|hop| hop.to != default.to) {
        edit.add_edge(node, hop.to);
        for &code in codes_of(hop) {
            edit.add_dispatch_case(DispatchCase {
                from: node,
                code,
                to: hop.to,
            });
        }
    }
}

/// The targets of a dispatch header.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Hop {
    header: Loop,
    /// The last code that takes this branch.
    bound: Code,
    /// The first one: another one if the target is a loop's dispatch header.
    first: Code,
    to: Node,
    /// Whether the target is a dispatch header.
    leads_to_loop: bool,
}

/// Redirects the edges into irreducible loops to dispatch headers, and returns where these lead.
/// `reasons` are the edges that enter a loop from outside.
fn redirect(
    graph: &Graph,
    edit: &mut Edit,
    codes: &Codes,
    mut reasons: Option<&mut Vec<Reason>>,
) -> Vec<Hop> {
    let mut entries = Entries::new(graph);
    let mut hops = Vec::new();
    for from in graph.nodes() {
        for (i, edge) in graph.edges(from).iter().enumerate() {
            let Some((first, last)) = entries.entered(graph, from, edge.to) else {
                continue;
            };
            if !core::mem::replace(&mut entries.node_noted[edge.to], true) {
                hops.push(Hop {
                    header: last,
                    bound: codes.of_node[edge.to],
                    first: codes.of_node[edge.to],
                    to: edge.to,
                    leads_to_loop: false,
                });
            }
            let mut next = entries.next_unnoted(last);
            while let Some((l, outer)) = entries.link_inside(next, first) {
                entries.note(l, outer);
                if let Some(to) = edit.headers[l].expand() {
                    hops.push(Hop {
                        header: outer,
                        bound: codes.of_loop[l].1,
                        first: codes.of_loop[l].0,
                        to,
                        leads_to_loop: true,
                    });
                }
                next = entries.next_unnoted(outer);
            }
            let (start, end) = codes.of_loop[first];
            if let Some(reasons) = &mut reasons
                // A back edge is inside of the loop, and not a reason for the header.
                && !(start..=end).contains(&codes.of_node[from])
                && let (Some(from), Some(to)) = (graph.block(from), edge.assigns.expand())
            {
                reasons.push((first, (from, to)));
            }
            if let Some(header) = edit.headers[first].expand() {
                // The edge enters at the header now, with the code of its target.
                let edge_now = &mut edit.edges_mut(from)[i];
                edge_now.to = header;
                edge_now.code = codes.of_node[edge.to].into();
            }
        }
    }
    hops
}

/// The irreducible loops, and which hops from one to the next one inside are noted already: each is
/// noted once, however many edges take it.
struct Entries {
    /// All loops.
    nesting: Ancestors<Loop>,
    /// The irreducible loops among each other.
    irreducible: Ancestors<Loop>,
    /// The innermost irreducible loop that a loop is, or is inside.
    around: PrimaryMap<Loop, PackedOption<Loop>>,
    /// A loop further out at which to look for a hop that is not noted; itself if its own is not.
    skip: PrimaryMap<Loop, PackedOption<Loop>>,
    node_noted: PrimaryMap<Node, bool>,
}

impl Entries {
    fn new(graph: &Graph) -> Self {
        let loops = graph.loops();
        let mut irreducible = Ancestors::new(loops.len());
        let mut around: PrimaryMap<Loop, PackedOption<Loop>> = PrimaryMap::with_len(loops.len());
        for l in loops.all() {
            let outer = match loops.parent(l).expand() {
                Some(parent) => around[parent],
                None => None.into(),
            };
            around[l] = if loops.is_irreducible(l) {
                irreducible.set_parent(l, outer);
                l.into()
            } else {
                outer
            };
        }
        Self {
            nesting: loops.nesting(),
            irreducible,
            skip: PrimaryMap::from_fn(loops.len(), |l: Loop| l.into()),
            around,
            node_noted: PrimaryMap::with_len(graph.len()),
        }
    }

    /// Returns the outermost and the innermost of the irreducible loops that an edge enters
    /// elsewhere than at their headers, or returns to.
    fn entered(&self, graph: &Graph, from: Node, to: Node) -> Option<(Loop, Loop)> {
        let loops = graph.loops();
        let last = self.around[loops.innermost(to).expand()?].expand()?;
        let common = self
            .nesting
            .common(loops.innermost(from), loops.innermost(to));
        if let Some(l) = common.expand()
            && loops.is_irreducible(l)
            && loops.header(l) == to
        {
            return Some((l, last));
        }
        let outer = match common.expand() {
            Some(l) => self.around[l],
            None => None.into(),
        };
        let depth = self.irreducible.depth(outer);
        if self.irreducible.depth(last.into()) <= depth {
            return None;
        }
        let first = self.irreducible.at_depth(last.into(), depth + 1).expand()?;
        Some((first, last))
    }

    /// Returns a loop and the irreducible one around it, if that is inside or equal to another one.
    fn link_inside(&self, l: PackedOption<Loop>, first: Loop) -> Option<(Loop, Loop)> {
        let outer = self.irreducible.parent(l);
        let depth = self.irreducible.depth(first.into());
        let is_inside = self.irreducible.depth(outer) >= depth;
        Some((l.expand()?, outer.expand()?)).filter(|_| is_inside)
    }

    /// Records the hop from one loop to the next one inside.
    fn note(&mut self, l: Loop, outer: Loop) {
        self.skip[l] = outer.into();
    }

    /// Returns the innermost loop, from one outwards, whose hop is not noted.
    fn next_unnoted(&mut self, l: Loop) -> PackedOption<Loop> {
        let mut last = l;
        while let Some(next) = self.skip[last].expand().filter(|&next| next != last) {
            last = next;
        }
        // Path compression, as in union-find: all walks together are near-linear.
        let mut at = l;
        while at != last {
            let next = self.skip[at].expand().unwrap_or(last);
            self.skip[at] = last.into();
            at = next;
        }
        last.into()
    }
}

/// Codes of the nodes in the loop forest's preorder.
struct Codes {
    of_node: PrimaryMap<Node, Code>,
    /// First and last code inside each loop.
    of_loop: PrimaryMap<Loop, (Code, Code)>,
}

impl Codes {
    fn new(graph: &Graph) -> Self {
        let loops = graph.loops();
        // Sizes (a loop counts its nodes and those inside), then starts from the outside in.
        let mut size: PrimaryMap<Loop, usize> = PrimaryMap::with_len(loops.len());
        for &node in graph.preorder() {
            if let Some(l) = loops.innermost(node).expand() {
                size[l] += 1;
            }
        }
        for l in loops.all().rev() {
            if let Some(outer) = loops.parent(l).expand() {
                let own = size[l];
                size[outer] += own;
            }
        }
        // The next code of each loop, and of the outermost level.
        let mut next: PrimaryMap<Loop, usize> = PrimaryMap::with_len(loops.len());
        let mut next_outside = 0;
        let mut take = |next: &mut PrimaryMap<Loop, usize>, l: Option<Loop>, count: usize| {
            let counter = match l {
                Some(l) => &mut next[l],
                None => &mut next_outside,
            };
            *counter += count;
            *counter - count
        };
        let mut of_loop = PrimaryMap::with_capacity(loops.len());
        for l in loops.all() {
            let first = take(&mut next, loops.parent(l).expand(), size[l]);
            of_loop.push((Code::new(first), Code::new(first + size[l] - 1)));
            next[l] = first;
        }
        let mut of_node = PrimaryMap::filled(Code::new(0), graph.len());
        for &node in graph.preorder() {
            of_node[node] = Code::new(take(&mut next, loops.innermost(node).expand(), 1));
        }
        Self { of_node, of_loop }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{Codes, Entries, Graph, Loop, Node};
    use crate::entity::EntityRef;
    use crate::ir::{Block, Function, Terminator, Type};
    use structurizer_testkit::generate::{Family, Rng, Shape, random};

    /// Makes a function of the blocks and edges of a shape.
    fn function(shape: &Shape) -> Function {
        let mut func = Function::new();
        let value = func.add_constant(0, Type::SELECTOR);
        for _ in 0..shape.len() {
            func.add_block();
        }
        for (block, end) in shape.ends.iter().enumerate() {
            let targets = end.targets();
            let terminator = match targets.split_first() {
                None => Terminator::Return(None),
                Some((&first, rest)) => {
                    let cases = rest.iter().map(|&to| (to as u64, Block::new(to)));
                    let cases = func.add_cases(&cases.collect::<Vec<_>>());
                    Terminator::Switch {
                        value,
                        default: Block::new(first),
                        cases,
                        hint: Default::default(),
                    }
                }
            };
            func.set_terminator(Block::new(block), terminator);
        }
        func
    }

    /// Finds the irreducible loops that an edge enters elsewhere than at their headers or returns
    /// to, outermost first, by walking outwards.
    fn entered(graph: &Graph, codes: &Codes, from: Node, to: Node) -> Vec<Loop> {
        let loops = graph.loops();
        let mut chain = Vec::new();
        let mut around = loops.innermost(to);
        while let Some(l) = around.expand() {
            let (first, last) = codes.of_loop[l];
            let is_inside = (first..=last).contains(&codes.of_node[from]);
            if is_inside && loops.header(l) != to {
                break;
            }
            if loops.is_irreducible(l) {
                chain.push(l);
            }
            if is_inside {
                break;
            }
            around = loops.parent(l);
        }
        chain.reverse();
        chain
    }

    #[test]
    fn agrees_with_walking_outwards() {
        let mut rng = Rng::new(3);
        let mut found = 0;
        let shapes = (0..2000).map(|i| random(&mut rng, 3 + i % 40));
        for shape in shapes.chain([Family::NestedIrreducible.shape(30)]) {
            let graph = Graph::of(&function(&shape));
            let codes = Codes::new(&graph);
            let entries = Entries::new(&graph);
            for from in graph.nodes() {
                for edge in graph.edges(from) {
                    let chain = entered(&graph, &codes, from, edge.to);
                    let ends = chain.first().copied().zip(chain.last().copied());
                    assert_eq!(entries.entered(&graph, from, edge.to), ends);
                    found += chain.len();
                }
            }
        }
        assert!(found > 100);
    }
}
