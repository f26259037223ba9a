//! The blocks of a function: constructs, their nesting, the edges that leave them, selectors.
//!
//! Each block that control reaches gets its innermost construct. The walk starts at the entry; at a header
//! it gives the merge block the construct around the header and the continue target the new one, before
//! the blocks after the header get it. As a header dominates its merge block and continue target (SPIR-V
//! 1.6, section 2.11), these are known before an edge leads there. Linear in blocks and edges.

use rspirv::spirv::{Op, StorageClass};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::verify::is_terminator;

use super::{Counts, Inst, Result, StatisticsError, Values};

/// The terminator of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Branch,
    /// With the condition.
    Conditional(u32),
    /// With the selector.
    Switch(u32),
    Other,
}

/// A merge instruction, by labels.
#[derive(Clone, Copy)]
struct Merge {
    at: usize,
    block: u32,
    /// Of a loop.
    target: Option<u32>,
}

struct Block {
    merge: Option<Merge>,
    end: End,
    /// Position of the terminator.
    end_at: usize,
    /// The targets, as labels: a range of [`Body::targets`].
    targets: (usize, usize),
    /// Instructions but label, merge instruction, terminator and lines.
    others: usize,
}

/// A function that is read.
pub(super) struct Body {
    /// Position of its first instruction.
    pub(super) at: usize,
    id: u32,
    pub(super) counts: Counts,
    labels: FxHashMap<u32, usize>,
    blocks: Vec<Block>,
    targets: Vec<u32>,
    /// The current block has no terminator yet.
    open: bool,
    selectors: Selectors,
}

/// Returns whether an instruction is only allowed in a block, or begins one.
pub(super) fn is_of_block(op: Op) -> bool {
    is_terminator(op) || matches!(op, Op::Label | Op::Phi | Op::SelectionMerge | Op::LoopMerge)
}

impl Body {
    pub(super) fn new(at: usize, id: u32) -> Self {
        Self {
            at,
            id,
            counts: Counts::default(),
            labels: FxHashMap::default(),
            blocks: Vec::new(),
            targets: Vec::new(),
            open: false,
            selectors: Selectors::default(),
        }
    }

    /// Reads an instruction of the function, after its first and before its end.
    pub(super) fn instruction(&mut self, inst: &Inst<'_>, values: &Values) -> Result<()> {
        let op = inst.op();
        if op == Some(Op::Label) {
            return self.label(inst);
        }
        if !self.open {
            return match op {
                Some(op) if is_of_block(op) => Err(inst.misplaced("a block begins with OpLabel")),
                _ => Ok(()),
            };
        }
        match op {
            Some(Op::SelectionMerge) => self.merge(inst, false)?,
            Some(Op::LoopMerge) => self.merge(inst, true)?,
            Some(op) if is_terminator(op) => self.terminator(inst, op, values)?,
            Some(Op::Line | Op::NoLine) => {}
            op => {
                if let Some(block) = self.blocks.last_mut() {
                    block.others += 1;
                }
                match op {
                    Some(Op::Phi) => self.counts.phis += 1,
                    Some(Op::Variable) => self.counts.variables += 1,
                    Some(Op::Load) => self.counts.loads += 1,
                    Some(Op::Store) => self.counts.stores += 1,
                    _ => {}
                }
                if let Some(op) = op {
                    self.selectors.note(inst, op, values)?;
                }
            }
        }
        Ok(())
    }

    fn label(&mut self, inst: &Inst<'_>) -> Result<()> {
        if self.open {
            return Err(inst.misplaced("the block before has no terminator"));
        }
        let label = inst.word(1)?;
        if self.labels.insert(label, self.blocks.len()).is_some() {
            let word = inst.at;
            return Err(StatisticsError::LabelTwice { word, label });
        }
        self.open = true;
        let end = self.targets.len();
        self.blocks.push(Block {
            merge: None,
            end: End::Other,
            end_at: inst.at,
            targets: (end, end),
            others: 0,
        });
        Ok(())
    }

    fn merge(&mut self, inst: &Inst<'_>, is_loop: bool) -> Result<()> {
        let merge = Merge {
            at: inst.at,
            block: inst.word(1)?,
            target: is_loop.then(|| inst.word(2)).transpose()?,
        };
        if let Some(block) = self.blocks.last_mut() {
            block.merge = Some(merge);
        }
        Ok(())
    }

    fn terminator(&mut self, inst: &Inst<'_>, op: Op, values: &Values) -> Result<()> {
        let start = self.targets.len();
        let end = match op {
            Op::Branch => {
                self.targets.push(inst.word(1)?);
                End::Branch
            }
            Op::BranchConditional => {
                self.targets.extend([inst.word(2)?, inst.word(3)?]);
                End::Conditional(inst.word(1)?)
            }
            Op::Switch => {
                let selector = inst.word(1)?;
                self.targets.push(inst.word(2)?);
                let step = if values.wide.contains(&selector) {
                    3
                } else {
                    2
                };
                let cases = inst.words.get(3..).unwrap_or_default();
                for case in cases.chunks(step) {
                    let target = case.get(step - 1).ok_or(StatisticsError::Operands {
                        word: inst.at,
                        opcode: inst.opcode,
                    })?;
                    self.targets.push(*target);
                }
                End::Switch(selector)
            }
            _ => End::Other,
        };
        let targets = (start, self.targets.len());
        self.open = false;
        if let Some(block) = self.blocks.last_mut() {
            (block.end, block.end_at, block.targets) = (end, inst.at, targets);
        }
        Ok(())
    }

    /// Returns the id and the numbers.
    ///
    /// # Errors
    /// A block has no terminator, or a branch has no block.
    pub(super) fn finish(mut self, values: &Values) -> Result<(u32, Counts)> {
        if let (true, Some(block)) = (self.open, self.blocks.last()) {
            return Err(StatisticsError::Misplaced {
                word: block.end_at,
                opcode: Op::Label as u16,
                expected: "the block has no terminator",
            });
        }
        let mut counts = std::mem::take(&mut self.counts);
        counts.blocks = self.blocks.len() as u64;
        let mut walk = Walk::new(&self)?;
        walk.run();
        walk.count(&mut counts, values);
        Ok((self.id, counts))
    }
}

/// A construct, which a merge instruction declares.
#[derive(Clone, Copy)]
struct Construct {
    is_loop: bool,
    is_switch: bool,
    depth: u64,
}

/// No construct.
const NONE: usize = usize::MAX;

/// The walk over the blocks of a function.
struct Walk<'b> {
    body: &'b Body,
    /// Targets of branches, by block.
    targets: Vec<usize>,
    /// Merge blocks and continue targets, by header.
    merges: Vec<(usize, Option<usize>)>,
    constructs: Vec<Construct>,
    /// The innermost construct of each block.
    around: Vec<Option<usize>>,
    /// The construct that a block's edges start in: the one of its merge instruction, if it has
    /// one.
    inside: Vec<usize>,
    reached: Vec<bool>,
    /// The construct whose merge block, or continue target, a block is.
    merge_of: Vec<usize>,
    target_of: Vec<usize>,
}

impl<'b> Walk<'b> {
    fn new(body: &'b Body) -> Result<Self> {
        let block = |label: u32, word: usize| {
            let block = body.labels.get(&label).copied();
            block.ok_or(StatisticsError::NoBlock { word, label })
        };
        let mut targets = Vec::with_capacity(body.targets.len());
        let mut merges = Vec::with_capacity(body.blocks.len());
        for data in &body.blocks {
            for &label in body
                .targets
                .get(data.targets.0..data.targets.1)
                .unwrap_or_default()
            {
                targets.push(block(label, data.end_at)?);
            }
            merges.push(match data.merge {
                None => (NONE, None),
                Some(merge) => {
                    let target = merge.target.map(|label| block(label, merge.at));
                    (block(merge.block, merge.at)?, target.transpose()?)
                }
            });
        }
        let count = body.blocks.len();
        Ok(Self {
            body,
            targets,
            merges,
            constructs: Vec::new(),
            around: vec![None; count],
            inside: vec![NONE; count],
            reached: vec![false; count],
            merge_of: vec![NONE; count],
            target_of: vec![NONE; count],
        })
    }

    fn targets(&self, block: usize) -> &[usize] {
        let (start, end) = self.body.blocks[block].targets;
        self.targets.get(start..end).unwrap_or_default()
    }

    fn run(&mut self) {
        if self.body.blocks.is_empty() {
            return;
        }
        let mut pending = vec![0];
        self.around[0] = Some(NONE);
        self.reached[0] = true;
        while let Some(block) = pending.pop() {
            let outer = self.around[block].unwrap_or(NONE);
            let mut inner = outer;
            if let (merge @ 0..NONE, target) = self.merges[block] {
                inner = self.constructs.len();
                let depth = self.constructs.get(outer).map_or(0, |outer| outer.depth);
                self.constructs.push(Construct {
                    is_loop: target.is_some(),
                    is_switch: matches!(self.body.blocks[block].end, End::Switch(_)),
                    depth: depth + 1,
                });
                self.around[merge].get_or_insert(outer);
                self.merge_of[merge] = inner;
                if let Some(target) = target {
                    self.around[target].get_or_insert(inner);
                    self.target_of[target] = inner;
                }
            }
            self.inside[block] = inner;
            let (start, end) = self.body.blocks[block].targets;
            for index in start..end {
                let to = self.targets[index];
                self.around[to].get_or_insert(inner);
                if !self.reached[to] {
                    self.reached[to] = true;
                    pending.push(to);
                }
            }
        }
    }

    fn count(&self, counts: &mut Counts, values: &Values) {
        let selectors = self.body.selectors.find(values);
        let is_selector = |value: u32| selectors.contains(&value);
        let nesting = self.constructs.iter().map(|construct| construct.depth);
        counts.nesting = nesting.max().unwrap_or_default();
        let mut repeats = vec![false; self.body.blocks.len()];
        for (index, block) in self.body.blocks.iter().enumerate() {
            if !self.reached[index] {
                counts.unreachable_blocks += 1;
                continue;
            }
            match (block.end, block.merge) {
                (End::Switch(selector), _) => {
                    counts.switches += 1;
                    let is_breakable = block.targets.1 - block.targets.0 == 1;
                    counts.breakable_blocks += u64::from(is_breakable);
                    counts.selector_switches += u64::from(!is_breakable && is_selector(selector));
                }
                (End::Conditional(condition), merge) => {
                    counts.selections += u64::from(merge.is_some_and(|m| m.target.is_none()));
                    counts.selector_branches +=
                        u64::from(self.body.selectors.is_test(condition, &selectors));
                }
                (End::Branch, None) => {
                    counts.branch_only_blocks += u64::from(block.others == 0);
                }
                _ => {}
            }
            counts.loops += u64::from(block.merge.is_some_and(|merge| merge.target.is_some()));
            self.count_edges(index, counts);
            for (number, &to) in self.targets(index).iter().enumerate() {
                // In the order of blocks only back edges lead back.
                if to <= index && is_taken(block.end, number, values) {
                    repeats[to] = true;
                }
            }
        }
        let blocks = self.body.blocks.iter().enumerate();
        let one_trip = blocks.filter(|(index, block)| {
            let is_loop = block.merge.is_some_and(|merge| merge.target.is_some());
            is_loop && self.reached[*index] && !repeats[*index]
        });
        counts.one_trip_loops = one_trip.count() as u64;
    }

    /// Counts breaks and continues among the edges of a block, each target once. An unconditional branch
    /// in the construct itself is its end, and a loop's header and last block have its usual exits.
    fn count_edges(&self, block: usize, counts: &mut Counts) {
        let from = self.inside[block];
        let has_merge = self.merges[block].0 != NONE;
        let mut targets = self.targets(block).to_vec();
        targets.sort_unstable();
        targets.dedup();
        // A conditional branch without a merge instruction chooses whether to leave.
        let chooses = targets.len() > 1 && !has_merge;
        let is_last = targets.iter().any(|&to| to <= block);
        // A choice between both is a break, and the end of the body.
        let stays = |to: &usize| self.merge_of[*to] == NONE && self.target_of[*to] == NONE;
        let skips = chooses && targets.iter().any(stays);
        for &to in &targets {
            let (merge_of, target_of) = (self.merge_of[to], self.target_of[to]);
            if let Some(left) = self.constructs.get(merge_of) {
                let nested = merge_of != from;
                counts.loop_exits += u64::from(left.is_loop);
                counts.breaks += u64::from(match (left.is_loop, left.is_switch) {
                    (true, _) => nested || !has_merge && !is_last,
                    (false, true) => nested || chooses,
                    (false, false) => false,
                });
            } else if target_of != NONE && to > block {
                counts.continues += u64::from(target_of != from || skips);
            }
        }
    }
}

/// Returns whether the edge of this number can be taken: a constant condition has only one.
fn is_taken(end: End, number: usize, values: &Values) -> bool {
    let End::Conditional(condition) = end else {
        return true;
    };
    let constant = values.booleans.get(&condition);
    constant.is_none_or(|&is_true| is_true == (number == 0))
}

/// Facts about selectors, values that structurizers make to choose where control continues.
#[derive(Default)]
struct Selectors {
    /// Phis, with the range of their incoming values.
    phis: Vec<(u32, (usize, usize))>,
    incoming: Vec<u32>,
    /// Variables of the function, and whether all that is stored there is constant.
    variables: FxHashMap<u32, bool>,
    /// Loads of them.
    loads: Vec<(u32, u32)>,
    /// Tests: a negation, or a comparison with a constant.
    tests: FxHashMap<u32, u32>,
}

impl Selectors {
    fn note(&mut self, inst: &Inst<'_>, op: Op, values: &Values) -> Result<()> {
        let is_constant = |id: u32| values.constants.contains(&id);
        match op {
            Op::Phi => {
                let id = inst.word(2)?;
                let start = self.incoming.len();
                let pairs = inst.words.get(3..).unwrap_or_default();
                self.incoming.extend(pairs.chunks(2).map(|pair| pair[0]));
                self.phis.push((id, (start, self.incoming.len())));
            }
            Op::Variable if inst.word(3)? == StorageClass::Function as u32 => {
                let initial = inst.words.get(4);
                let constant = initial.is_none_or(|&id| is_constant(id));
                self.variables.insert(inst.word(2)?, constant);
            }
            Op::Load => {
                let (id, variable) = (inst.word(2)?, inst.word(3)?);
                if self.variables.contains_key(&variable) {
                    self.loads.push((id, variable));
                }
            }
            Op::Store => {
                let value = inst.word(2)?;
                if let Some(constant) = self.variables.get_mut(&inst.word(1)?) {
                    *constant &= is_constant(value);
                }
            }
            Op::LogicalNot => {
                self.tests.insert(inst.word(2)?, inst.word(3)?);
            }
            Op::IEqual | Op::INotEqual => {
                let (id, a, b) = (inst.word(2)?, inst.word(3)?, inst.word(4)?);
                if is_constant(a) != is_constant(b) {
                    let tested = if is_constant(a) { b } else { a };
                    self.tests.insert(id, tested);
                }
            }
            // Others may write through a pointer.
            Op::AccessChain | Op::InBoundsAccessChain | Op::FunctionCall | Op::CopyMemory => {
                for id in inst.words.get(1..).unwrap_or_default() {
                    if let Some(constant) = self.variables.get_mut(id) {
                        *constant = false;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the selectors: phis all of whose values are constants or such phis, and loads of variables
    /// that only constants are stored to. Phis are taken out until the rest are selectors.
    fn find(&self, values: &Values) -> FxHashSet<u32> {
        let mut found: FxHashSet<u32> = self.phis.iter().map(|(id, _)| *id).collect();
        let loads = self.loads.iter().filter(|(_, variable)| {
            let constant = self.variables.get(variable);
            constant.copied().unwrap_or(false)
        });
        found.extend(loads.map(|(id, _)| *id));
        let mut users: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let mut removed = Vec::new();
        for (phi, (start, end)) in &self.phis {
            for value in self.incoming.get(*start..*end).unwrap_or_default() {
                if found.contains(value) {
                    users.entry(*value).or_default().push(*phi);
                } else if !values.constants.contains(value) {
                    removed.push(*phi);
                }
            }
        }
        while let Some(phi) = removed.pop() {
            if found.remove(&phi) {
                removed.extend(users.get(&phi).into_iter().flatten());
            }
        }
        found
    }

    fn is_test(&self, condition: u32, selectors: &FxHashSet<u32>) -> bool {
        let tested = self.tests.get(&condition);
        selectors.contains(&condition) || tested.is_some_and(|tested| selectors.contains(tested))
    }
}
