//! The structurizer's function for a client's graph: the instructions of a block are one instruction,
//! which defines and uses the values that the client lists.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use trellis_entity::{EntityRef, PrimaryMap};
use trellis_structurizer::CheckError;
use trellis_structurizer::ir::{self, Block, Effects, Function, Inst, Type, Value};
use trellis_structurizer::{Error as Refusal, Options, Structured};

use crate::{ControlFlow, Error, Ssa, Terminator, regions};

/// The most entries of a function: indices have 32 bits.
const MAX_ENTRIES: usize = 1 << 31;

/// A function, and the client's numbers.
pub(crate) struct Lowered {
    func: Function,
    /// The number of the client's blocks.
    pub(crate) num_blocks: usize,
    /// The client's number of each of its values.
    pub(crate) ids: PrimaryMap<Value, u32>,
    /// The values that the instruction of each block uses.
    pub(crate) uses: PrimaryMap<Block, Vec<Value>>,
}

impl Lowered {
    /// Makes the function. Blocks that the entry does not reach have no instructions and successors.
    pub(crate) fn of(
        client: &dyn ControlFlow,
        ssa: Option<&dyn Ssa>,
        options: &Options,
    ) -> Result<Self, Error> {
        let num_blocks = client.num_blocks();
        if num_blocks > options.max_blocks {
            return Err(Error::Structurizer(Refusal::TooLarge {
                blocks: num_blocks,
                limit: options.max_blocks,
            }));
        }
        let (order, mut terminators) = walk(client, num_blocks)?;
        let mut func = Function::with_capacity(num_blocks, num_blocks, num_blocks);
        for _ in 0..num_blocks {
            let block = func.add_block();
            func.set_terminator(block, ir::Terminator::Unreachable);
        }
        let mut lowering = Lowering {
            ssa,
            out: Self {
                func,
                num_blocks,
                ids: PrimaryMap::new(),
                uses: PrimaryMap::with_len(num_blocks),
            },
            values: BTreeMap::new(),
            global: BTreeMap::new(),
        };
        let (mut phis, mut loops, mut convergent) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_reached: PrimaryMap<Block, bool> = PrimaryMap::with_len(num_blocks);
        for &block in &order {
            is_reached[block] = true;
            let effects = client.effects(block);
            if effects.contains(Effects::CONVERGENT) {
                convergent.push(block);
            }
            loops.extend(client.loop_merge(block).map(|merge| (block, merge)));
            let terminator = terminators[block].take().unwrap_or(Terminator::Unreachable);
            lowering.block(client, block, effects, terminator, &mut phis)?;
        }
        for (phi, block, operands) in phis {
            lowering.reserve(operands.len())?;
            // Operands for blocks that the entry does not reach are not of predecessors here.
            for (pred, id) in operands {
                if is_reached.get(pred) == Some(&false) {
                    continue;
                }
                let value = lowering.value(block, id);
                lowering.out.func.add_phi_operand(phi, pred, value);
            }
        }
        // A use of a value that was not defined yet, in an order in which dominators come first.
        for (&value, &(_, block)) in &lowering.global {
            if lowering.values.contains_key(&value) {
                return Err(Error::NotDominated { block, value });
            }
        }
        regions::set(&mut lowering.out.func, &loops, &convergent);
        Ok(lowering.out)
    }

    /// Structures the function.
    pub(crate) fn structurize(mut self, options: &Options) -> Result<(Self, Structured), Error> {
        let func = core::mem::take(&mut self.func);
        let options = options
            .clone()
            .with_target(options.target.with_selects(false));
        match trellis_structurizer::structurize(func, &options) {
            Ok(structured) => Ok((self, structured)),
            Err(error) => Err(self.error(error)),
        }
    }

    /// Returns the error with the client's numbers.
    fn error(&self, error: Refusal) -> Error {
        let id = |value: Value| self.ids.get(value).copied().unwrap_or(u32::MAX);
        match error {
            Refusal::Malformed(CheckError::EntryPhi { phi }) => Error::EntryPhi { phi: id(phi) },
            Refusal::Malformed(
                CheckError::MissingOperand { phi, block, pred }
                | CheckError::ExtraOperand { phi, block, pred },
            ) => Error::Operand {
                phi: id(phi),
                block,
                pred,
            },
            Refusal::Malformed(CheckError::OperandType { phi, block, value }) => {
                Error::OperandType {
                    phi: id(phi),
                    block,
                    value: id(value),
                }
            }
            Refusal::Malformed(CheckError::NotDominated { block, value }) => Error::NotDominated {
                block,
                value: id(value),
            },
            other => Error::Structurizer(other),
        }
    }
}

/// Terminators of the blocks that the entry reaches.
type Terminators = PrimaryMap<Block, Option<Terminator<u32>>>;

/// Returns the blocks that the entry reaches in reverse post-order, and their terminators.
fn walk(client: &dyn ControlFlow, num_blocks: usize) -> Result<(Vec<Block>, Terminators), Error> {
    let mut terminators = PrimaryMap::from_fn(num_blocks, |_| None);
    let mut order = Vec::new();
    let mut stack: Vec<(Block, Vec<Block>)> = Vec::new();
    let mut next = (num_blocks > 0).then(|| (Block::new(0), Block::new(0)));
    loop {
        if let Some((from, block)) = next.take() {
            let Some(terminator) = terminators.get_mut(block) else {
                let (block, target) = (from, block);
                return Err(Error::Structurizer(Refusal::Malformed(
                    CheckError::MissingTarget { block, target },
                )));
            };
            if terminator.is_none() {
                let found = terminator.insert(client.terminator(block));
                stack.push((block, found.successors(block)?));
            }
        }
        let Some((block, targets)) = stack.last_mut() else {
            break;
        };
        next = targets.pop().map(|to| (*block, to));
        if next.is_none() {
            order.push(*block);
            stack.pop();
        }
    }
    order.reverse();
    Ok((order, terminators))
}

impl Terminator<u32> {
    /// Returns the successors, the last one first, so that the first one is popped first.
    fn successors(&self, block: Block) -> Result<Vec<Block>, Error> {
        Ok(match self {
            Terminator::Goto(to) => vec![*to],
            Terminator::Branch { then, else_, .. } => vec![*else_, *then],
            Terminator::Switch { default, cases, .. } => {
                let mut literals: Vec<u64> = cases.iter().map(|case| case.0).collect();
                literals.sort_unstable();
                if let Some(two) = literals.windows(2).find(|two| two[0] == two[1]) {
                    let literal = two[0];
                    return Err(Error::RepeatedLiteral { block, literal });
                }
                let targets = cases.iter().rev().map(|case| case.1);
                targets.chain([*default]).collect()
            }
            Terminator::Return(_) | Terminator::Exit(_) | Terminator::Unreachable => Vec::new(),
        })
    }

    /// Returns the value that it reads.
    fn operand(&self) -> Option<u32> {
        match self {
            Terminator::Branch { condition: id, .. }
            | Terminator::Switch { value: id, .. }
            | Terminator::Return(Some(id)) => Some(*id),
            _ => None,
        }
    }
}

struct Lowering<'a> {
    ssa: Option<&'a dyn Ssa>,
    out: Lowered,
    /// The values that blocks define.
    values: BTreeMap<u32, Value>,
    /// The values that no block defined before a use, each with the block of that use. Those that a
    /// terminator or phi reads are constants.
    global: BTreeMap<u32, (Option<Value>, Block)>,
}

/// A phi with its block and operands.
type OpenPhi = (Value, Block, Vec<(Block, u32)>);

impl Lowering<'_> {
    /// Fails if the function cannot hold `entries` more entries.
    fn reserve(&self, entries: usize) -> Result<(), Error> {
        let all = self.out.func.num_entries().saturating_add(entries);
        (all <= MAX_ENTRIES).then_some(()).ok_or(Error::TooLarge)
    }

    fn block(
        &mut self,
        client: &dyn ControlFlow,
        block: Block,
        effects: Effects,
        terminator: Terminator<u32>,
        phis: &mut Vec<OpenPhi>,
    ) -> Result<(), Error> {
        let (mut definitions, mut uses) = (Vec::new(), Vec::new());
        match self.ssa {
            Some(ssa) => {
                let own = ssa.phis(block);
                self.reserve(own.len())?;
                for (id, operands) in own {
                    let phi = self.out.func.add_phi(block, ssa.ty(id));
                    self.define(block, id, phi)?;
                    phis.push((phi, block, operands));
                }
                definitions = ssa.definitions(block);
                uses = ssa.uses(block);
            }
            // The block computes its branch condition.
            None if !matches!(terminator, Terminator::Return(_)) => {
                definitions.extend(terminator.operand());
            }
            None => {}
        }
        self.reserve(definitions.len().saturating_add(uses.len()))?;
        if let Some(inst) = self.inst(block, effects, &definitions, &uses)? {
            self.out.func.set_size(inst, client.size(block));
        }
        self.end(client, block, terminator)
    }

    /// Adds the instruction of a block, unless it has none.
    fn inst(
        &mut self,
        block: Block,
        effects: Effects,
        definitions: &[u32],
        uses: &[u32],
    ) -> Result<Option<Inst>, Error> {
        let first = self.out.func.num_values();
        let mut types = Vec::with_capacity(definitions.len());
        for (index, &id) in definitions.iter().enumerate() {
            let value = Value::new(first + index);
            match self.ssa {
                Some(_) => self.define(block, id, value)?,
                None => _ = self.out.ids.push(id),
            }
            types.push(self.ty(id));
        }
        let mut used: Vec<Value> = Vec::new();
        for &id in uses {
            match self.values.get(&id) {
                Some(&value) if value.index() < first => used.push(value),
                Some(_) => {}
                None => _ = self.global.entry(id).or_insert((None, block)),
            }
        }
        used.sort_unstable();
        used.dedup();
        let is_empty = effects == Effects::NONE && definitions.is_empty() && used.is_empty();
        let inst = (!is_empty).then(|| {
            let func = &mut self.out.func;
            func.append_inst(block, block.as_u32(), effects, &used, &types)
        });
        self.out.uses[block] = used;
        Ok(inst)
    }

    /// Gives a value a number that no other has.
    fn define(&mut self, block: Block, id: u32, value: Value) -> Result<(), Error> {
        self.out.ids.push(id);
        match self.values.insert(id, value) {
            Some(_) => Err(Error::DefinedTwice { block, value: id }),
            None => Ok(()),
        }
    }

    fn ty(&self, id: u32) -> Type {
        self.ssa.map_or(Type(0), |ssa| ssa.ty(id))
    }

    /// Returns the value that a terminator or phi of a block reads.
    fn value(&mut self, block: Block, id: u32) -> Value {
        if let Some(&value) = self.values.get(&id) {
            return value;
        }
        let ty = self.ty(id);
        let (value, _) = self.global.entry(id).or_insert((None, block));
        *value.get_or_insert_with(|| {
            self.out.ids.push(id);
            self.out.func.add_constant(id, ty)
        })
    }

    /// Sets the terminator of a block, and its properties.
    fn end(
        &mut self,
        client: &dyn ControlFlow,
        block: Block,
        terminator: Terminator<u32>,
    ) -> Result<(), Error> {
        let computed = (self.out.func.insts(block).next())
            .filter(|_| self.ssa.is_none())
            .and_then(|inst| self.out.func.results(inst).next());
        let hint = client.selection_hint(block);
        let terminator = match terminator {
            Terminator::Goto(to) => ir::Terminator::Branch(to),
            Terminator::Branch {
                condition,
                then,
                else_,
            } => ir::Terminator::CondBranch {
                cond: computed.unwrap_or_else(|| self.value(block, condition)),
                then,
                else_,
                hint,
            },
            Terminator::Switch {
                value,
                default,
                cases,
            } => {
                self.reserve(cases.len())?;
                ir::Terminator::Switch {
                    value: computed.unwrap_or_else(|| self.value(block, value)),
                    default,
                    cases: self.out.func.add_cases(&cases),
                    hint,
                }
            }
            Terminator::Return(id) => ir::Terminator::Return(id.map(|id| self.value(block, id))),
            Terminator::Exit(payload) => ir::Terminator::Exit(payload),
            Terminator::Unreachable => ir::Terminator::Unreachable,
        };
        let func = &mut self.out.func;
        func.set_terminator(block, terminator);
        func.set_uniform(block, client.is_uniform(block));
        func.set_loop_hint(block, client.loop_hint(block));
        func.set_convergence_region(block, client.convergence_region(block));
        Ok(())
    }
}
