//! Out of SSA: variables and copies in place of phis, for clients that print code in a language
//! that has no phis (C, JavaScript, WGSL, WebAssembly).
//!
//! [`Variables::of`] gives each phi a variable, and lists the copies that write it on the edges to
//! the phi's block. Values that never hold different contents at once share a variable, so most
//! operands need no copy: `i = i + 1` at the end of a loop is one variable and no copy.
//!
//! # Where the copies are
//!
//! The copies of an edge run after the instructions of its predecessor, in the order of the list.
//!
//! | the predecessor ends in | its copies are |
//! |---|---|
//! | a branch | at its end: [`Variables::at_end`] |
//! | a conditional branch | on the edges: [`Variables::on_edge`], the first thing in the arm that takes the edge, even if the arm is otherwise empty (`if c { x = y; break }`) |
//! | a switch | at its end, before the switch, for all of its edges: [`Variables::at_end`] |
//!
//! A conditional branch evaluates its condition before the copies. Of a [`Kind::If`] of the
//! [`Tree`], [`Variables::on_arms`] has the copies. An `If` without a [`Kind::Else`] needs one if
//! there are copies on that edge: code after the `If` may also be reached from inside of it.
//!
//! A switch differs because control enters a case also from the case before it, which must not run
//! the copies of the switch's edge. Its copies run whichever case is taken. That is correct, since
//! then no value is live in the variables that they write.
//!
//! A client that has to branch at the end of a block with nothing after it (`break if` of WGSL's
//! `continuing`) can print such a loop only where both edges have no copies.
//!
//! # Which variables
//!
//! * A value has a variable if it is a phi, or an instruction's result that shares the variable of
//!   a phi. The client writes such a result to the variable. All others are the client's to name.
//! * An undefined operand needs no copy: the variable keeps its value. A phi that nothing reads,
//!   except perhaps phis of that kind, has no copies.
//! * Selectors are variables of type [`Type::SELECTOR`], and the copies write
//!   [selector constants](trellis_structurizer::ir::ValueKind::SelectorConstant) to them.
//! * A client may evaluate an instruction's operands as late as the instruction itself, but not
//!   later; and a branch's operand as late as the branch. Where a branch tests a selector, this
//!   includes the selector, which the tree compares there
//!   ([`TestOf::Selector`](trellis_structurizer::tree::TestOf::Selector)).
//!
//! # Method and cost
//!
//! Boissinot, Darte, Rastello, Dupont de Dinechin and Guillon, "Revisiting Out-of-SSA Translation
//! for Correctness, Code Quality, and Efficiency" (2009), after Sreedhar, Ju, Gillies and Santhanam,
//! "Translating Out of Static Single Assignment Form" (1999): all copies exist at first, which is
//! correct for any phis; then values whose live ranges do not overlap are joined, and the copies
//! that remain on an edge, which run in parallel, are put in a sequence. A temporary breaks
//! cycles (the swap problem).
//!
//! Near-linear in the function and in the sizes of its live ranges. These sizes are limited to a
//! constant per block and value; beyond it, values are not joined, and more copies remain.
//!
//! # Examples
//!
//! ```
//! use trellis_structurizer::{Options, structurize, text};
//! use trellis_structurizer_analysis::variables::{Source, Variables};
//!
//! // A loop that swaps two values in each iteration.
//! let func = text::parse("
//!     %zero = const 0 : 1
//!     %one = const 1 : 1
//!     start:
//!       br head
//!     head:
//!       %a = phi : 1 [start %zero] [body %b]
//!       %b = phi : 1 [start %one] [body %a]
//!       %more:2 = op 7 side %a %b
//!       if %more body end
//!     body:
//!       br head
//!     end:
//!       ret %a
//! ")?;
//! let [start, head, body]: [_; 3] = std::array::from_fn(|i| func.blocks().nth(i).unwrap());
//! let phis: Vec<_> = func.phis(head).collect();
//! let result = structurize(func, &Options::default())?;
//!
//! let variables = Variables::of(&result);
//! let [a, b] = [0, 1].map(|i| variables.variable(phis[i]).unwrap());
//! let copies = |block| -> Vec<String> {
//!     let text = |source| match source {
//!         Source::Variable(variable) => format!("{variable}"),
//!         Source::Value(value) => format!("{value}"),
//!     };
//!     let copies = variables.at_end(block).iter();
//!     copies.map(|copy| format!("{} = {}", copy.to, text(copy.from))).collect()
//! };
//! assert_eq!(copies(start), [format!("{a} = v0"), format!("{b} = v1")]);
//! assert_eq!(copies(body), [format!("x2 = {a}"), format!("{a} = {b}"), format!("{b} = x2")]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A client prints a block as its instructions and `variables.at_end(block)`.
//! `examples/goto_to_javascript.rs` and its neighbours are whole ones.

mod coalesce;
mod copies;
mod flow;
mod liveness;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use trellis_entity::{PackedOption, PrimaryMap, entity_impl};
use trellis_structurizer::Structured;
use trellis_structurizer::ir::{Block, Type, Value, ValueKind};
use trellis_structurizer::tree::{Kind, Tree};

use coalesce::Classes;
use flow::Flow;
use liveness::Liveness;

/// A variable of the code that a client prints.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(u32);
entity_impl!(Variable, "x");

/// The source of a copy, or an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// A variable.
    Variable(Variable),
    /// A value without a variable: a constant or an instruction's result.
    Value(Value),
}

/// A copy to a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Assignment {
    /// The variable that is written.
    pub to: Variable,
    /// The value that it is set to.
    pub from: Source,
}

/// A range of [`Variables::copies`].
type Range = (u32, u32);

/// The variables of a structured function, and the copies in place of its phis. See the
/// [module](self) for where they are.
#[derive(Clone, Debug)]
pub struct Variables {
    of_value: PrimaryMap<Value, PackedOption<Variable>>,
    types: PrimaryMap<Variable, Type>,
    /// The number of variables that are not temporaries.
    lasting: usize,
    copies: Vec<Assignment>,
    at_end: PrimaryMap<Block, Range>,
    on_edge: BTreeMap<(Block, Block), Range>,
}

/// Copies that run at once: those at the end of a block, or on its edge to another one.
type Place = (Block, Option<Block>);

impl Variables {
    /// Returns the variables of a structured function. The same function gives the same variables.
    ///
    /// There are no errors. A function that [`verify`](trellis_structurizer::verify::verify) refuses has
    /// variables, too, but they may not mean the same as its phis.
    pub fn of(structured: &Structured) -> Self {
        let flow = Flow::of(structured);
        let liveness = Liveness::of(&flow);
        let mut variables = Self {
            of_value: PrimaryMap::with_len(flow.func.num_values()),
            types: PrimaryMap::default(),
            lasting: 0,
            copies: Vec::new(),
            at_end: PrimaryMap::with_len(flow.func.num_blocks()),
            on_edge: BTreeMap::default(),
        };
        variables.name(&flow, &liveness);
        variables.copy(&flow, &liveness);
        variables
    }

    /// Returns the variable of a value: of each phi, and of instructions' results that share one.
    pub fn variable(&self, value: Value) -> Option<Variable> {
        self.of_value.get(value)?.expand()
    }

    /// Returns where a value is read: its variable, if it has one.
    pub fn source(&self, value: Value) -> Source {
        self.variable(value)
            .map_or(Source::Value(value), Source::Variable)
    }

    /// Returns the copies after the instructions of a block, before its terminator.
    pub fn at_end(&self, block: Block) -> &[Assignment] {
        self.list(self.at_end.get(block).copied())
    }

    /// Returns the copies that run if an edge is taken: a conditional branch from one block to
    /// another.
    pub fn on_edge(&self, from: Block, to: Block) -> &[Assignment] {
        self.list(self.on_edge.get(&(from, to)).copied())
    }

    /// Returns the copies at the start of the two arms of a [`Kind::If`], of the second one also if
    /// the tree has no [`Kind::Else`]. None for other nodes.
    pub fn on_arms(&self, tree: &Tree<'_>, kind: Kind) -> (&[Assignment], &[Assignment]) {
        match (kind, tree.arms(kind)) {
            (Kind::If { header, .. }, Some((first, second))) => {
                (self.on_edge(header, first), self.on_edge(header, second))
            }
            _ => (&[], &[]),
        }
    }

    fn list(&self, range: Option<Range>) -> &[Assignment] {
        let (start, end) = range.unwrap_or_default();
        &self.copies[start as usize..end as usize]
    }

    /// Returns all variables; the temporaries are last.
    pub fn all(&self) -> impl ExactSizeIterator<Item = Variable> + use<> {
        self.types.keys()
    }

    /// Returns the type of a variable.
    ///
    /// # Panics
    /// If the variable is not one of these.
    pub fn ty(&self, variable: Variable) -> Type {
        self.types[variable]
    }

    /// Returns whether a variable is a temporary: one that only copies write and read.
    pub fn is_temporary(&self, variable: Variable) -> bool {
        variable.as_u32() as usize >= self.lasting
    }

    /// Returns the number of copies, at the ends of blocks and on edges.
    pub fn num_copies(&self) -> usize {
        self.copies.len()
    }

    /// Gives each class that has a phi, and each phi that is in none, a variable.
    fn name(&mut self, flow: &Flow<'_>, liveness: &Liveness) {
        let mut classes = Classes::of(flow, liveness);
        let mut of_class: BTreeMap<_, Variable> = BTreeMap::default();
        for &block in &flow.order {
            for phi in flow.func.phis(block) {
                let types = &mut self.types;
                let ty = flow.func.value_type(phi);
                let variable = match liveness.candidate(phi) {
                    Some(candidate) => *of_class
                        .entry(classes.find(candidate))
                        .or_insert_with(|| types.push(ty)),
                    None => types.push(ty),
                };
                self.of_value[phi] = variable.into();
            }
        }
        for candidate in liveness.known() {
            let variable = of_class.get(&classes.find(candidate)).copied();
            self.of_value[liveness.value(candidate)] = variable.into();
        }
        self.lasting = self.types.len();
    }

    /// Writes the copies.
    fn copy(&mut self, flow: &Flow<'_>, liveness: &Liveness) {
        let mut parallel: Vec<(Place, Variable, Source)> = Vec::new();
        for operand in flow.operands() {
            let is_copied = liveness.is_used(operand.phi)
                && flow.func.value_kind(operand.value) != ValueKind::Undef;
            let from = self.source(operand.value);
            if let Some(to) = self.variable(operand.phi)
                && is_copied
                && from != Source::Variable(to)
            {
                let at_end = flow.is_at_end(operand.pred, operand.block);
                let place = (operand.pred, (!at_end).then_some(operand.block));
                parallel.push((place, to, from));
            }
        }
        parallel.sort_by_key(|copy| copy.0);
        let mut temporaries: BTreeMap<u32, Variable> = BTreeMap::default();
        let mut list: Vec<(Variable, Source)> = Vec::new();
        for copies in parallel.chunk_by(|a, b| a.0 == b.0) {
            list.clear();
            list.extend(copies.iter().map(|copy| (copy.1, copy.2)));
            let types = &mut self.types;
            let temporary = |of: Variable| {
                let ty = types[of];
                *temporaries.entry(ty.0).or_insert_with(|| types.push(ty))
            };
            let start = self.copies.len() as u32;
            copies::sequentialize(&list, temporary, &mut self.copies);
            let range = (start, self.copies.len() as u32);
            match copies[0].0 {
                (block, None) => self.at_end[block] = range,
                (from, Some(to)) => {
                    self.on_edge.insert((from, to), range);
                }
            }
        }
    }
}
