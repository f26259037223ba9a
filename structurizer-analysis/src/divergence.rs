//! Which values and branches may differ between invocations that run together.
//!
//! A value is divergent if a path of dependences leads to it from a divergent source:
//! - an instruction depends on its operands, unless the client knows better;
//! - a phi depends on its operands, and on the branches whose paths meet in its block (sync
//!   dependence; [`joins`](crate::joins) has how these are found);
//! - a use outside of a loop depends on the branches that decide on leaving the loop: invocations that
//!   left in different iterations have different values (temporal dependence).
//!
//! A backward search from the values of interest finds their dependences and stops at sources; then
//! divergence is propagated forwards, each dependence once. Cost: linear in the dependences that
//! are found, plus the walks of [`joins`](crate::joins).

use alloc::vec;
use alloc::vec::Vec;

use trellis_entity::{Adjacency, EntityRef, EntitySet};
use trellis_structurizer::ir::{Block, Function, InstKind, Terminator, Value, ValueKind};

use crate::joins::{Effect, Joins, LoopIndex, Loops};
use crate::lists::group;
use crate::liveness::definition;

/// How the divergence of a value follows from its operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// All invocations that run the instruction together get the same result: `readfirstlane`, a
    /// reduction of a wave, a group's number, a constant.
    Uniform,
    /// They may get different results: a thread's number, a load from memory that others write.
    Divergent,
    /// They get the same result if they have the same operands: arithmetic, a load from constant
    /// memory.
    Operands,
}

/// A client's values, if they are not the values of the structurizer's function: of a
/// client that adds a sequence as one instruction ([`set_size`](trellis_structurizer::ir::Function::set_size)).
/// [`Instructions`] is for others.
pub trait Dataflow {
    /// The number of a value.
    type Value: EntityRef;

    /// Returns one more than the highest number of a value.
    fn num_values(&self) -> usize;

    /// Returns the value that decides where control continues after a block with several successors;
    /// without one the branch is divergent. It is not called for a `BreakBranch`, which decides
    /// nothing.
    fn condition(&self, block: Block) -> Option<Self::Value>;

    /// Returns the block that computes a value; none if it is the same everywhere.
    fn block(&self, value: Self::Value) -> Option<Block>;

    /// Returns whether a value is a phi of its block.
    fn is_phi(&self, value: Self::Value) -> bool;

    /// Returns how the divergence of a value follows from its operands, and adds these to the
    /// list if it does. For a phi it is [`Rule::Operands`].
    fn rule(&self, value: Self::Value, operands: &mut Vec<Self::Value>) -> Rule;
}

/// The values of a structurizer's function, with a rule for each.
#[derive(Clone, Copy, Debug)]
pub struct Instructions<'a, F> {
    func: &'a Function,
    rule: F,
}

impl<'a, F: Fn(Value) -> Rule> Instructions<'a, F> {
    /// Returns the values of a function. `rule` is called for the results of client instructions,
    /// constants and undefined values.
    pub fn new(func: &'a Function, rule: F) -> Self {
        Self { func, rule }
    }
}

impl<F: Fn(Value) -> Rule> Dataflow for Instructions<'_, F> {
    type Value = Value;

    fn num_values(&self) -> usize {
        self.func.num_values()
    }

    fn condition(&self, block: Block) -> Option<Value> {
        self.func.terminator(block)?.value()
    }

    fn block(&self, value: Value) -> Option<Block> {
        definition(self.func, value)
    }

    fn is_phi(&self, value: Value) -> bool {
        matches!(self.func.value_kind(value), ValueKind::Phi(_))
    }

    fn rule(&self, value: Value, operands: &mut Vec<Value>) -> Rule {
        let rule = match self.func.value_kind(value) {
            ValueKind::Phi(_) => {
                operands.extend(self.func.phi_operands(value).map(|operand| operand.value));
                return Rule::Operands;
            }
            ValueKind::Result { inst, .. } => match self.func.inst_kind(inst) {
                InstKind::Client(_) => (self.rule)(value),
                InstKind::SelectorTest { .. } | InstKind::Select => Rule::Operands,
            },
            ValueKind::Constant { .. } | ValueKind::Undef => (self.rule)(value),
            ValueKind::SelectorConstant(_) | ValueKind::BoolConstant(_) => Rule::Uniform,
        };
        if let (Rule::Operands, ValueKind::Result { inst, .. }) =
            (rule, self.func.value_kind(value))
        {
            operands.extend_from_slice(self.func.uses(inst));
        }
        rule
    }
}

/// The divergent values and branches of a function.
///
/// Invocations run a block together if they are in the same iteration of each enclosing loop,
/// including loops whose [convergence region](Function::set_convergence_region) has it: a value or
/// branch that is not divergent here is [uniform](Function::set_uniform) in the structurizer's
/// sense. Everything that an irreducible loop computes or decides is divergent.
///
/// ```
/// use trellis_structurizer_analysis::{Divergence, Rule};
/// // Instruction 1 is a thread's number; the others compute with their operands.
/// let func = trellis_structurizer::text::parse(
///     "%k = const 0 : 1\na:\n %thread:1 = op 1\n %same:1 = op 2 %k\n if %thread b c\nb:\n br d\n\
///      c:\n br d\nd:\n %phi = phi : 1 [b %k] [c %same]\n if %same e f\ne:\n br f\nf:\n ret",
/// )?;
/// let [k, thread, same, phi] = std::array::from_fn(|i| func.values().nth(i).unwrap());
/// let [a, _, _, d] = std::array::from_fn(|i| func.blocks().nth(i).unwrap());
/// let divergence = Divergence::of_function(&func, |value| match value == thread {
///     true => Rule::Divergent,
///     false => Rule::Operands,
/// });
/// assert!(!divergence.is_divergent(k) && !divergence.is_divergent(same));
/// assert!(divergence.is_divergent(phi));
/// assert!(divergence.is_divergent_branch(a) && !divergence.is_divergent_branch(d));
/// # Ok::<(), trellis_structurizer::text::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Divergence<V: EntityRef> {
    values: EntitySet<V>,
    branches: EntitySet<Block>,
    loops: Loops,
}

impl Divergence<Value> {
    /// Returns the divergence of all values and branches of a function; `rule` is as in
    /// [`Instructions::new`].
    pub fn of_function(func: &Function, rule: impl Fn(Value) -> Rule) -> Self {
        Self::of(func, &Instructions::new(func, rule), func.values())
    }
}

impl<V: EntityRef> Divergence<V> {
    /// Returns the divergence of all branches of a function, and of these values and all that they and
    /// the branches depend on.
    pub fn of<D: Dataflow<Value = V>>(
        func: &Function,
        data: &D,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        let joins = Joins::new(func);
        let slice = Slice::of(func, data, values, &joins.loops);
        Propagation::new(data.num_values(), slice, joins).run()
    }

    /// Returns whether a value may differ between invocations that compute it together.
    pub fn is_divergent(&self, value: V) -> bool {
        self.values.contains(value)
    }

    /// Returns whether a value that `from` computes may differ between invocations that run `to`
    /// together: if it is divergent, or if they may have left a loop around `from` in different
    /// iterations.
    pub fn is_divergent_at(&self, value: V, from: Block, to: Block) -> bool {
        self.is_divergent(value) || self.loops.leave_apart(from, to)
    }

    /// Returns whether invocations that run a block together may continue in different blocks. False
    /// for a block with one successor, and for one that is not reached.
    pub fn is_divergent_branch(&self, block: Block) -> bool {
        self.branches.contains(block)
    }
}

/// A node that depends on a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum User<V> {
    Value(V),
    Branch(Block),
}

/// The values of interest and all that they depend on.
struct Slice<V> {
    /// Divergent values and branches that need no reason.
    sources: Vec<User<V>>,
    /// The dependences, by operand.
    uses: Adjacency<V, User<V>>,
    /// The phis of each block.
    phis: Adjacency<Block, V>,
    /// For each loop, the values inside of it and outside of inner loops that are used outside of it,
    /// with the block and the user.
    leaving: Vec<Vec<(Block, User<V>)>>,
}

impl<V: EntityRef> Slice<V> {
    fn of<D: Dataflow<Value = V>>(
        func: &Function,
        data: &D,
        values: impl IntoIterator<Item = V>,
        loops: &Loops,
    ) -> Self {
        let mut sources = Vec::new();
        let mut uses: Vec<(V, User<V>)> = Vec::new();
        let mut phis: Vec<(Block, V)> = Vec::new();
        let mut leaving = vec![Vec::new(); loops.len()];
        let mut seen: EntitySet<V> = EntitySet::with_capacity(data.num_values());
        let mut work: Vec<V> = values.into_iter().filter(|&v| seen.insert(v)).collect();
        let mut depend = |operand: V, user: User<V>, block: Option<Block>, work: &mut Vec<V>| {
            uses.push((operand, user));
            if seen.insert(operand) {
                work.push(operand);
            }
            if let (Some(from), Some(to)) = (data.block(operand), block)
                && let Some(l) = loops.innermost(from)
                && !loops.contains(l, to)
            {
                leaving[l].push((to, user));
            }
        };
        for block in (func.blocks()).filter(|&b| loops.is_reached(b) && decides(func, b)) {
            match data.condition(block) {
                Some(condition)
                    if loops.irreducible(block).is_none()
                        && func.convergence_region(block).is_none() =>
                {
                    depend(condition, User::Branch(block), Some(block), &mut work);
                }
                // Control continues outside of the loop that a region belongs to.
                _ => sources.push(User::Branch(block)),
            }
        }
        let mut operands: Vec<V> = Vec::new();
        while let Some(value) = work.pop() {
            operands.clear();
            let block = data.block(value);
            let rule = match block.and_then(|block| loops.irreducible(block)) {
                Some(_) => Rule::Divergent,
                None => data.rule(value, &mut operands),
            };
            match rule {
                Rule::Uniform => {}
                Rule::Divergent => sources.push(User::Value(value)),
                Rule::Operands => {
                    if let Some(block) = block.filter(|_| data.is_phi(value)) {
                        phis.push((block, value));
                    }
                    for &operand in &operands {
                        depend(operand, User::Value(value), block, &mut work);
                    }
                }
            }
        }
        Self {
            sources,
            uses: group(data.num_values(), &uses),
            phis: group(func.num_blocks(), &phis),
            leaving,
        }
    }
}

/// Returns whether control may continue in several blocks after a block.
fn decides(func: &Function, block: Block) -> bool {
    if let Some(Terminator::CondBranch { .. } | Terminator::Switch { .. }) = func.terminator(block)
    {
        let mut targets = func.successors(block);
        let first = targets.next();
        return targets.any(|to| Some(to) != first);
    }
    false
}

/// Divergence on its way from the sources.
struct Propagation<'a, V: EntityRef> {
    slice: Slice<V>,
    joins: Joins<'a>,
    values: EntitySet<V>,
    branches: EntitySet<Block>,
    work: Vec<User<V>>,
}

impl<'a, V: EntityRef> Propagation<'a, V> {
    fn new(values: usize, slice: Slice<V>, joins: Joins<'a>) -> Self {
        Self {
            values: EntitySet::with_capacity(values),
            branches: EntitySet::new(),
            work: Vec::new(),
            slice,
            joins,
        }
    }

    fn run(mut self) -> Divergence<V> {
        for source in core::mem::take(&mut self.slice.sources) {
            self.diverge(source);
        }
        self.joins.leave_irreducible_loops();
        self.apply_effects();
        while let Some(node) = self.work.pop() {
            match node {
                User::Value(value) => {
                    for index in 0..self.slice.uses.get(value).len() {
                        self.diverge(self.slice.uses.get(value)[index]);
                    }
                }
                User::Branch(block) => {
                    self.joins.divide(block);
                    self.apply_effects();
                }
            }
        }
        Divergence {
            values: self.values,
            branches: self.branches,
            loops: self.joins.loops,
        }
    }

    fn diverge(&mut self, node: User<V>) {
        let is_new = match node {
            User::Value(value) => self.values.insert(value),
            User::Branch(block) => self.branches.insert(block),
        };
        if is_new {
            self.work.push(node);
        }
    }

    fn apply_effects(&mut self) {
        while let Some(effect) = self.joins.next_effect() {
            match effect {
                Effect::Join(block) => {
                    for index in 0..self.slice.phis.get(block).len() {
                        self.diverge(User::Value(self.slice.phis.get(block)[index]));
                    }
                }
                Effect::Exits(l) => self.leave(l),
                Effect::Everything => {
                    for (_, user) in core::mem::take(&mut self.slice.leaving)
                        .into_iter()
                        .flatten()
                    {
                        self.diverge(user);
                    }
                    for phi in self.slice.phis.items().to_vec() {
                        self.diverge(User::Value(phi));
                    }
                }
            }
        }
    }

    /// Makes the uses of a loop's values outside of the loop divergent.
    fn leave(&mut self, l: LoopIndex) {
        for inner in self.joins.loops.with_inner(l) {
            let Some(uses) = self.slice.leaving.get_mut(inner).map(core::mem::take) else {
                return;
            };
            if !self.joins.take_steps(uses.len() + 1) {
                self.slice.leaving[inner] = uses;
                return;
            }
            for (to, user) in uses {
                if self.joins.loops.contains(l, to) {
                    self.slice.leaving[inner].push((to, user));
                } else {
                    self.diverge(user);
                }
            }
        }
    }
}
