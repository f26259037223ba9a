//! Graphs of one pattern in a given size, on which careless algorithms take more than linear time.

use trellis_entity::EntityRef;
use trellis_structurizer::ir::{Block, Effects, Function, Type};

use super::shape::{random_reducible_with, random_with};
use super::{End, FillOptions, Rng, Shape, fill};

/// Declares the families, and the list of all.
macro_rules! families {
    ($($(#[$doc:meta])* $name:ident,)+) => {
        /// A family of graphs.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[non_exhaustive]
        pub enum Family {
            $($(#[$doc])* $name,)+
        }

        impl Family {
            /// All families.
            pub const ALL: [Family; [$(stringify!($name)),+].len()] = [$(Family::$name),+];
        }
    };
}

families! {
    /// `n` statements, no branch.
    Straight,
    /// `n` ifs with an else in a row.
    ChainOfIfs,
    /// `n` ifs in a row, each of which may return.
    ChainOfReturns,
    /// An else-if ladder of `n`.
    ElseIfLadder,
    /// `n` ifs, each in the one before.
    NestedIfs,
    /// The same, all with one join.
    NestedIfsOneJoin,
    /// `n` loops in a row.
    LoopsInARow,
    /// `n` loops, each in the one before.
    NestedLoops,
    /// The same, with a return from the innermost.
    NestedLoopsReturn,
    /// The same, all with the same exit block.
    NestedLoopsOneExit,
    /// The same; each loop can leave to every second one around.
    NestedLoopsContinueOuter,
    /// Endless loops, each in the one before.
    NestedInfiniteLoops,
    /// `n` unrolled iterations with three breaks each, to three targets.
    UnrolledThreeBreaks,
    /// The same, inside a loop.
    UnrolledBreaksInLoop,
    /// A switch of `n` cases.
    WideSwitch,
    /// Each case falls through to the next.
    SwitchFallThrough,
    /// Pairs of cases fall through to a third.
    SwitchTwoSides,
    /// A switch in a loop; every second case continues, others break out.
    SwitchContinue,
    /// Each case is the header of a loop, every second one of the loop around.
    SwitchLoopHeaderCase,
    /// `n` switches, each in a case of the one before; cases leave to the outermost.
    NestedSwitches,
    /// Loops that exit in their back edge only.
    DoWhileRow,
    /// An inner loop whose exit is the latch of the outer one: transposed loops.
    Transposed,
    /// `n` gotos into one loop.
    GotoIntoLoop,
    /// `n` blocks in a ring, each entered from outside.
    IrreducibleRing,
    /// Irreducible pairs nested in each other.
    NestedIrreducible,
    /// `n` back edges to one header.
    ManyBackEdges,
    /// A merge that several loops in a row share.
    SharedMerge,
    /// `n` layers of two blocks, each of which leads to both blocks of the next layer.
    CrossingArms,
    /// About the square root of `n` blocks, each of which switches to all of them: `n` edges.
    MutualSwitches,
    /// Pairs of cases of a switch that share a tail.
    SharedTails,
    /// A loop with `n` exits to convergent code, each of which reads a value of the loop.
    ConvergentExits,
    /// A random reducible graph.
    RandomReducible,
    /// A random graph.
    RandomAny,
}

/// Contents of a family's functions in addition to their control flow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// One side effect per block.
    None,
    /// Instructions that use values of other blocks; one or two phis in 60 % of the blocks with
    /// several predecessors.
    SomePhis,
    /// The same, with eight phis in each block with several predecessors.
    EightPhis,
}

impl Values {
    /// All kinds.
    pub const ALL: [Values; 3] = [Values::None, Values::SomePhis, Values::EightPhis];
}

impl Family {
    /// Returns the graph of size `n`: about one to four blocks for each.
    pub fn shape(self, n: usize) -> Shape {
        let mut shape = Shape::default();
        let entry = shape.add();
        match self {
            Family::Straight
            | Family::ChainOfIfs
            | Family::ChainOfReturns
            | Family::LoopsInARow
            | Family::DoWhileRow
            | Family::SharedMerge => {
                self.row(&mut shape, entry, n);
            }
            Family::ElseIfLadder | Family::NestedIfs | Family::NestedIfsOneJoin => {
                self.ifs(&mut shape, entry, n);
            }
            Family::NestedLoops
            | Family::NestedLoopsReturn
            | Family::NestedLoopsOneExit
            | Family::NestedLoopsContinueOuter
            | Family::NestedInfiniteLoops
            | Family::Transposed => self.loops(&mut shape, entry, n),
            Family::UnrolledThreeBreaks | Family::UnrolledBreaksInLoop => {
                self.unrolled(&mut shape, entry, n);
            }
            Family::WideSwitch
            | Family::SwitchFallThrough
            | Family::SwitchTwoSides
            | Family::SwitchContinue
            | Family::SwitchLoopHeaderCase => {
                self.switch(&mut shape, entry, n);
            }
            Family::NestedSwitches => nested_switches(&mut shape, entry, n),
            Family::GotoIntoLoop
            | Family::IrreducibleRing
            | Family::NestedIrreducible
            | Family::ManyBackEdges => {
                self.gotos(&mut shape, entry, n);
            }
            Family::CrossingArms => crossing_arms(&mut shape, entry, n),
            Family::MutualSwitches => mutual_switches(&mut shape, entry, n),
            Family::SharedTails => shared_tails(&mut shape, entry, n),
            Family::ConvergentExits => convergent_exits(&mut shape, entry, n),
            // Parameters that are random elsewhere are the same for all sizes here, or growth would
            // compare different graphs.
            Family::RandomReducible => {
                let mut rng = Rng::new(n as u64);
                shape = random_reducible_with(&mut rng, n.max(2), 15, true);
                without_breaks(&mut shape);
            }
            Family::RandomAny => return random_any(n),
        }
        shape
    }

    /// The graph of size `n` with one side effect and one condition per block, and no phis. The
    /// exits of [`Family::ConvergentExits`] have their values all the same.
    pub fn function(self, n: usize) -> Function {
        self.function_with(n, Values::None)
    }

    /// The graph of size `n` with the values that a compiler's code would have.
    pub fn function_with(self, n: usize, values: Values) -> Function {
        let options = FillOptions {
            plain: values == Values::None,
            phis: if values == Values::EightPhis { 100 } else { 60 },
            phis_per_block: (values == Values::EightPhis).then_some(8),
            ..FillOptions::default()
        };
        let mut func = fill(&self.shape(n), &mut Rng::new(n as u64), &options);
        if self == Family::ConvergentExits {
            add_exit_values(&mut func, n);
        }
        func
    }

    fn row(self, shape: &mut Shape, mut at: usize, n: usize) {
        let shared = if self == Family::SharedMerge {
            Some(shape.add())
        } else {
            None
        };
        for _ in 0..n {
            let next = match self {
                Family::ChainOfIfs => {
                    let (then, else_, join) = (shape.add(), shape.add(), shape.add());
                    shape.to(at, &[then, else_]);
                    shape.to(then, &[join]);
                    shape.to(else_, &[join]);
                    join
                }
                Family::ChainOfReturns => {
                    let (ret, next) = (shape.add(), shape.add());
                    shape.to(at, &[ret, next]);
                    next
                }
                Family::LoopsInARow => {
                    let (head, body, next) = (shape.add(), shape.add(), shape.add());
                    shape.to(at, &[head]);
                    shape.to(head, &[body, next]);
                    shape.to(body, &[head]);
                    next
                }
                Family::DoWhileRow => {
                    let (head, next) = (shape.add(), shape.add());
                    shape.to(at, &[head]);
                    shape.to(head, &[head, next]);
                    next
                }
                Family::SharedMerge => {
                    let (head, body, next) = (shape.add(), shape.add(), shape.add());
                    shape.to(at, &[head]);
                    shape.to(head, &[body, next]);
                    shape.to(body, &[head, shared.unwrap_or(next)]);
                    next
                }
                _ => {
                    let next = shape.add();
                    shape.to(at, &[next]);
                    next
                }
            };
            at = next;
        }
    }

    fn ifs(self, shape: &mut Shape, entry: usize, n: usize) {
        let join = shape.add();
        let (mut at, mut follow) = (entry, join);
        for _ in 0..n {
            match self {
                Family::ElseIfLadder => {
                    let (then, else_) = (shape.add(), shape.add());
                    shape.to(at, &[then, else_]);
                    shape.to(then, &[join]);
                    at = else_;
                }
                Family::NestedIfs => {
                    let (then, end) = (shape.add(), shape.add());
                    shape.to(at, &[then, end]);
                    shape.to(end, &[follow]);
                    (at, follow) = (then, end);
                }
                _ => {
                    let then = shape.add();
                    shape.to(at, &[then, join]);
                    at = then;
                }
            }
        }
        shape.to(at, &[follow]);
    }

    fn loops(self, shape: &mut Shape, entry: usize, n: usize) {
        let exit = shape.add();
        let mut at = entry;
        let (mut after, mut latches, mut heads) = (exit, Vec::new(), Vec::new());
        for level in 0..n {
            let (head, body, latch) = (shape.add(), shape.add(), shape.add());
            shape.to(at, &[head]);
            shape.to(latch, &[head]);
            match self {
                // `while` loops: the header exits to the block after the loop.
                Family::NestedLoops | Family::NestedLoopsReturn => shape.to(head, &[body, after]),
                Family::NestedLoopsOneExit => shape.to(head, &[body, exit]),
                Family::NestedLoopsContinueOuter => {
                    let outer = if level >= 2 { latches[level / 2] } else { exit };
                    shape.to(head, &[body, outer]);
                }
                Family::Transposed => {
                    // The latch of the outer loop is the exit of the inner loop.
                    let out = latches.last().copied().unwrap_or(exit);
                    shape.to(head, &[body, out]);
                    shape.to(latch, &[head, exit]);
                }
                _ => shape.to(head, &[body]),
            }
            after = latch;
            latches.push(latch);
            heads.push(head);
            at = body;
        }
        match self {
            Family::NestedLoopsReturn => shape.to(at, &[after, exit]),
            _ => shape.to(at, &[after]),
        }
    }

    fn unrolled(self, shape: &mut Shape, entry: usize, n: usize) {
        let end = shape.add();
        let exits = [shape.add(), shape.add(), shape.add()];
        let mut at = entry;
        let mut latch = end;
        if self == Family::UnrolledBreaksInLoop {
            let head = shape.add();
            latch = shape.add();
            shape.to(entry, &[head]);
            shape.to(latch, &[head, end]);
            at = head;
        }
        // Each exit has an instruction and branches to the next exit or the end.
        shape.to(exits[0], &[exits[1], end]);
        shape.to(exits[1], &[latch]);
        shape.to(exits[2], &[end]);
        for _ in 0..n {
            for exit in exits {
                let next = shape.add();
                shape.to(at, &[exit, next]);
                at = next;
            }
        }
        shape.to(at, &[latch]);
    }

    fn switch(self, shape: &mut Shape, entry: usize, n: usize) {
        let exit = shape.add();
        let mut head = entry;
        let mut latch = exit;
        if matches!(self, Family::SwitchContinue | Family::SwitchLoopHeaderCase) {
            head = shape.add();
            latch = shape.add();
            shape.to(entry, &[head]);
            shape.to(latch, &[head, exit]);
        }
        let join = shape.add();
        shape.to(join, &[latch]);
        let cases: Vec<usize> = (0..n).map(|_| shape.add()).collect();
        for (index, &case) in cases.iter().enumerate() {
            match self {
                Family::SwitchFallThrough => {
                    shape.to(case, &[cases.get(index + 1).copied().unwrap_or(join), join]);
                }
                Family::SwitchTwoSides => match index % 3 {
                    0 => shape.to(case, &[cases.get(index + 1).copied().unwrap_or(join)]),
                    2 => shape.to(case, &[cases[index - 1]]),
                    _ => shape.to(case, &[join]),
                },
                Family::SwitchContinue => shape.to(case, &[[latch, exit, join][index % 3]]),
                Family::SwitchLoopHeaderCase => {
                    shape.to(case, &[case, if index % 2 == 0 { join } else { head }]);
                }
                _ => shape.to(case, &[join]),
            }
        }
        let labels = cases
            .iter()
            .enumerate()
            .map(|(literal, &case)| (literal as u64, case))
            .collect();
        shape.ends[head] = End::Switch(join, labels);
    }

    fn gotos(self, shape: &mut Shape, entry: usize, n: usize) {
        let exit = shape.add();
        let mut at = entry;
        match self {
            Family::GotoIntoLoop => {
                let head = shape.add();
                let body: Vec<usize> = (0..n).map(|_| shape.add()).collect();
                for &block in &body {
                    let next = shape.add();
                    shape.to(at, &[block, next]);
                    at = next;
                }
                shape.to(at, &[head]);
                let chain: Vec<usize> = std::iter::once(head).chain(body).collect();
                for pair in chain.windows(2) {
                    shape.to(pair[0], &[pair[1]]);
                }
                shape.to(chain[chain.len() - 1], &[head, exit]);
            }
            Family::IrreducibleRing => {
                let ring: Vec<usize> = (0..n).map(|_| shape.add()).collect();
                for (index, &block) in ring.iter().enumerate() {
                    shape.to(block, &[ring[(index + 1) % n], exit]);
                }
                shape.ends[entry] = End::Switch(
                    exit,
                    ring.iter()
                        .enumerate()
                        .map(|(literal, &to)| (literal as u64, to))
                        .collect(),
                );
            }
            Family::NestedIrreducible => {
                let mut back = exit;
                for _ in 0..n {
                    let (a, b) = (shape.add(), shape.add());
                    shape.to(at, &[a, b]);
                    shape.to(b, &[a, back]);
                    let next = shape.add();
                    shape.to(a, &[next]);
                    (at, back) = (next, b);
                }
                shape.to(at, &[back]);
            }
            _ => {
                let head = shape.add();
                shape.to(at, &[head]);
                at = head;
                for _ in 0..n {
                    let next = shape.add();
                    shape.to(at, &[head, next]);
                    at = next;
                }
                shape.to(at, &[head, exit]);
            }
        }
    }
}

/// Returns a random graph most of whose blocks the entry reaches: the first such of many seeds,
/// since an early return cuts off nearly all of some.
fn random_any(n: usize) -> Shape {
    let mut best = Shape::default();
    for seed in 0..200 {
        let mut rng = Rng::new(n as u64 + (seed << 32));
        let mut shape = random_with(&mut rng, n.max(2), 2 + n / 2, 8);
        without_breaks(&mut shape);
        shape.remove_unreachable();
        if shape.len() > best.len() {
            best = shape;
        }
        if best.len() * 2 > n {
            break;
        }
    }
    best
}

/// Makes branches that keep their block in a loop ordinary ones: one near the entry may lead past most
/// of a random graph.
fn without_breaks(shape: &mut Shape) {
    for end in &mut shape.ends {
        if let End::Break(target, stay) = *end {
            *end = End::To(vec![target, stay]);
        }
    }
}

fn nested_switches(shape: &mut Shape, entry: usize, n: usize) {
    let exit = shape.add();
    let (mut at, mut follow) = (entry, exit);
    for _ in 0..n {
        let (inner, out, join) = (shape.add(), shape.add(), shape.add());
        shape.ends[at] = End::Switch(join, vec![(0, inner), (1, out)]);
        shape.to(out, &[exit]);
        shape.to(join, &[follow]);
        (at, follow) = (inner, join);
    }
    shape.to(at, &[follow]);
}

fn crossing_arms(shape: &mut Shape, entry: usize, n: usize) {
    let mut layer = [shape.add(), shape.add()];
    shape.to(entry, &layer);
    for _ in 1..n {
        let next = [shape.add(), shape.add()];
        shape.to(layer[0], &next);
        shape.to(layer[1], &next);
        layer = next;
    }
    let end = shape.add();
    shape.to(layer[0], &[end]);
    shape.to(layer[1], &[end]);
}

fn mutual_switches(shape: &mut Shape, entry: usize, n: usize) {
    let exit = shape.add();
    let blocks: Vec<usize> = (0..n.isqrt().max(1)).map(|_| shape.add()).collect();
    let cases: Vec<(u64, usize)> = (0..).zip(blocks.iter().copied()).collect();
    for &block in [entry].iter().chain(&blocks) {
        shape.ends[block] = End::Switch(exit, cases.clone());
    }
}

fn shared_tails(shape: &mut Shape, entry: usize, n: usize) {
    let join = shape.add();
    let mut cases = Vec::new();
    for literal in (0..n as u64).step_by(2) {
        let (a, b, tail) = (shape.add(), shape.add(), shape.add());
        shape.to(a, &[tail]);
        shape.to(b, &[tail]);
        shape.to(tail, &[join]);
        cases.extend([(literal, a), (literal + 1, b)]);
    }
    shape.ends[entry] = End::Switch(join, cases);
}

/// The loop's blocks first, then its exits.
fn convergent_exits(shape: &mut Shape, entry: usize, n: usize) {
    let end = shape.add();
    let blocks: Vec<usize> = (0..n).map(|_| shape.add()).collect();
    for (i, &block) in blocks.iter().enumerate() {
        let exit = shape.add();
        shape.to(block, &[exit, blocks[(i + 1) % n]]);
        shape.to(exit, &[end]);
    }
    shape.to(entry, &[blocks.first().copied().unwrap_or(end)]);
}

/// Gives each exit of [`convergent_exits`] a convergent use of a value of the block that leaves.
fn add_exit_values(func: &mut Function, n: usize) {
    for i in 0..n {
        let (block, exit) = (Block::new(2 + i), Block::new(2 + n + i));
        let payload = 2_000_000 + 2 * i as u32;
        let inst = func.append_inst(block, payload, Effects::SIDE_EFFECT, &[], &[Type(3)]);
        let uses: Vec<_> = func.results(inst).collect();
        let effects = Effects::SIDE_EFFECT | Effects::CONVERGENT;
        func.append_inst(exit, payload + 1, effects, &uses, &[]);
    }
}
