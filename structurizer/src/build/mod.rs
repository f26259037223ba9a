//! Construction: writes the blocks of a plan.
//!
//! Nothing is decided here: every fresh block, merge and edge is one of the plan's, and the
//! terminators follow from the edges. The plan does not have conditions on selectors, phis, and
//! repairs of values that no longer dominate their uses: [`ssa`](crate::ssa) makes them.

use alloc::vec::Vec;

use trellis_entity::SecondaryMap;

use crate::entity::{PackedOption, PrimaryMap};
use crate::ir::{Block, Function, SelectionHint, Terminator, Value, ValueKind};
use crate::plan::blocks::{Blocks, Ending, OutSwitchData};
use crate::result::{Merge, StageError};

/// The function as built, before phis and selectors are inserted.
pub(crate) struct Built {
    pub(crate) func: Function,
    pub(crate) merges: SecondaryMap<Block, Merge>,
    /// The blocks, as planned.
    pub(crate) plan: Blocks,
    /// Number of values of the input.
    pub(crate) input_values: usize,
    /// Number of blocks of the input.
    pub(crate) input_blocks: usize,
    /// The most entries that the function may have.
    pub(crate) max_entries: usize,
}

/// The memory of construction.
#[derive(Default)]
pub(crate) struct Memory {
    /// The copies of blocks that end the invocation: the original, the block before it, and the copy.
    copies: Vec<(Block, Block, Block)>,
    /// The operands of a phi, by predecessor.
    operands: PrimaryMap<Block, PackedOption<Value>>,
    /// The cases of a switch.
    /// The rank of the target, the index in the input, the literal, and the block.
    ranked: Vec<(usize, usize, u64, Block)>,
    cases: Vec<(u64, Block)>,
}

impl Built {
    /// Returns an error if the function cannot hold `entries` more entries.
    pub(crate) fn reserve(&self, entries: usize) -> Result<(), StageError> {
        let limit = self.max_entries;
        if self.func.num_entries().saturating_add(entries) > limit {
            return Err(StageError::ResultTooLarge { limit });
        }
        Ok(())
    }
}

/// Builds the function that a plan describes. Linear in the plan.
///
/// # Errors
/// [`StageError::ResultTooLarge`] for a plan with too many blocks; [`StageError::Internal`] for one that breaks
/// its rules, which would be a bug.
pub(crate) fn build(
    mut func: Function,
    plan: Blocks,
    memory: &mut Memory,
    max_entries: usize,
) -> Result<Built, StageError> {
    let input_blocks = func.num_blocks();
    if func.num_entries() + plan.len() - input_blocks > max_entries {
        return Err(StageError::ResultTooLarge { limit: max_entries });
    }
    let input_values = func.num_values();
    func.reserve_blocks(plan.len() - input_blocks);
    for _ in input_blocks..plan.len() {
        func.add_block();
    }
    if plan.any_breakable {
        // The selector of switches with only a default case. It is made even if all of these
        // switches are removed, so that the numbers of later values do not depend on that.
        func.selector_constant(0);
    }
    let mut merges = SecondaryMap::with_capacity(plan.len());
    merges.resize(plan.len());
    memory.copies.clear();
    for &block in &plan.order {
        let planned = plan.blocks[block];
        if planned.merge != Merge::None {
            merges[block] = planned.merge;
        }
        if let Some(terminator) = terminator(&mut func, &plan, planned.ending, memory)? {
            func.set_terminator(block, terminator);
        }
        if let Ending::CopyOf { original, from } = planned.ending {
            memory.copies.push((original, from, block));
        }
    }
    return_operands(&mut func, memory);
    Ok(Built {
        func,
        merges,
        plan,
        input_values,
        input_blocks,
        max_entries,
    })
}

/// Lets the copies of blocks that return a phi of theirs return its operand. Linear in the operands.
fn return_operands(func: &mut Function, memory: &mut Memory) {
    let Memory {
        copies, operands, ..
    } = memory;
    copies.sort_unstable();
    for of_one in copies.chunk_by(|a, b| a.0 == b.0) {
        let original = of_one[0].0;
        let is_own = |&value: &Value| func.value_kind(value) == ValueKind::Phi(original);
        let Some(phi) = func.term(original).value().filter(is_own) else {
            continue;
        };
        operands.reset(func.num_blocks());
        for operand in func.phi_operands(phi) {
            operands[operand.pred] = operand.value.into();
        }
        for &(_, from, copy) in of_one {
            let mut terminator = func.term(copy);
            if let (Some(value), Some(operand)) = (terminator.value_mut(), operands[from].expand())
            {
                *value = operand;
            }
            func.set_terminator(copy, terminator);
        }
    }
}

/// Returns the terminator of a planned block; none for one that keeps its own, or that is not known
/// before there are selectors.
fn terminator(
    func: &mut Function,
    plan: &Blocks,
    ending: Ending,
    memory: &mut Memory,
) -> Result<Option<Terminator>, StageError> {
    Ok(Some(match ending {
        Ending::Unchanged | Ending::Test | Ending::SelectorSwitch => return Ok(None),
        Ending::CopyOf { original, .. } => func.term(original),
        Ending::Unreachable => Terminator::Unreachable,
        Ending::Branch(edge) => Terminator::Branch(plan.target(edge)),
        Ending::Conditional {
            cond,
            then,
            otherwise,
        } => Terminator::CondBranch {
            cond,
            then: plan.target(then),
            else_: plan.target(otherwise),
            hint: SelectionHint::None,
        },
        Ending::Breakable(edge) => Terminator::Switch {
            value: func.selector_constant(0),
            default: plan.target(edge),
            cases: func.add_cases(&[]),
            hint: SelectionHint::None,
        },
        Ending::Switch(switch) => self::switch(func, plan, &plan.switches[switch], memory)?,
    }))
}

/// Returns the terminator of a switch: its cases in the order of their targets' ranks.
fn switch(
    func: &mut Function,
    plan: &Blocks,
    switch: &OutSwitchData,
    memory: &mut Memory,
) -> Result<Terminator, StageError> {
    let targets = plan.targets_of(switch);
    let find = |target: Block| {
        let at = targets.binary_search_by_key(&target, |t| t.original);
        let at = at.map_err(|_| StageError::Internal {
            what: "a case without a target",
        })?;
        Ok::<_, StageError>(targets[at])
    };
    let Memory { ranked, cases, .. } = memory;
    ranked.clear();
    for (i, case) in func.cases(switch.cases).iter().enumerate() {
        let target = find(case.target)?;
        ranked.push((target.rank, i, case.literal, plan.target(target.edge)));
    }
    ranked.sort_unstable_by_key(|c| (c.0, c.1));
    let default = plan.target(find(switch.default)?.edge);
    cases.clear();
    cases.extend(ranked.iter().map(|c| (c.2, c.3)));
    Ok(Terminator::Switch {
        value: switch.value,
        default,
        cases: func.add_cases(cases),
        hint: switch.hint,
    })
}
