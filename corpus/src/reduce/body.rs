//! The body of a function with operands by value number, so that instructions can be removed.
//!
//! LLVM writes operands relative to the number that the next value gets, and numbers results in order. Here
//! each operand is the number that it had when the body was read; writing numbers the remaining values,
//! and a removed value becomes a zero constant of its type. Debug locations, names of values and metadata of
//! instructions are dropped. Source: LLVM 3.7's bitcode writer, as documented in "LLVM Bitcode File Format".

use std::collections::{BTreeMap, BTreeSet};

use trellis_dxil::frontend::module::{CallArg, Function, InstKind, Module};

use super::bitstream::{Block, Item, Record};

pub(super) const CONSTANTS: u32 = 11;

/// Records of functions.
const DECLARE_BLOCKS: u32 = 1;
const BR: u32 = 11;
const SWITCH: u32 = 12;
const PHI: u32 = 16;
const CALL: u32 = 34;
const DEBUG_LOC_AGAIN: u32 = 33;
const DEBUG_LOC: u32 = 35;

/// Records of constants: the type of the next ones, and zero.
const SET_TYPE: u32 = 1;
const NULL: u32 = 2;
/// The last one without operands: zero, `undef`, integers, floats.
const LAST_SIMPLE: u32 = 6;

/// A field of an instruction's record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    /// Not an operand.
    Raw(u64),
    /// A value, relative to the next one.
    Value(u32),
    /// The same, with its type after it if it is defined later.
    Typed(u32, u64),
    /// A value by its number.
    Absolute(u32),
    /// A value of a phi: relative, with a sign.
    Signed(u32),
    /// A block.
    Target(usize),
}

/// An instruction.
#[derive(Clone, Debug)]
struct Inst {
    code: u32,
    fields: Vec<Field>,
    /// The number that its result had, and its type.
    result: Option<(u32, u64)>,
}

/// The body of a function.
#[derive(Clone)]
pub(super) struct Body {
    /// The number of the first local constant.
    first: u32,
    /// Local constants with their types.
    constants: Vec<(u64, Record)>,
    /// None of them has operands, so that unused ones can be dropped.
    is_simple: bool,
    /// Number of types that the file has.
    types: u64,
    blocks: Vec<Vec<Inst>>,
    /// Removed values, with their types.
    removed: BTreeMap<u32, u64>,
}

/// An instruction by block and place in it.
pub(super) type At = (usize, usize);

impl Body {
    /// Reads the block of a function; `None` if this form cannot represent it, such as calls with
    /// metadata other than debug information.
    pub(super) fn read(
        module: &Module,
        function: &Function,
        block: &Block,
        types: u64,
    ) -> Option<Self> {
        let base = module.values.len() as u32;
        let arguments = function.values.iter().take_while(|value| {
            matches!(
                value.kind,
                trellis_dxil::frontend::module::ValueKind::Argument(_)
            )
        });
        let first = base + arguments.count() as u32;
        let mut constants = Vec::new();
        let mut ty = 0;
        for record in block.blocks(CONSTANTS).flat_map(Block::records) {
            match record.code {
                SET_TYPE => ty = *record.fields.first()?,
                _ => constants.push((ty, record.clone())),
            }
        }
        let mut next = first + constants.len() as u32;
        let records = block
            .records()
            .filter(|record| !matches!(record.code, DECLARE_BLOCKS | DEBUG_LOC | DEBUG_LOC_AGAIN));
        let mut blocks = vec![Vec::new()];
        let mut insts = function.insts.values();
        for record in records {
            let inst = insts.next()?;
            let result = inst
                .result
                .expand()
                .map(|id| (id.as_u32(), u64::from(inst.ty.as_u32())));
            if result.is_some_and(|(id, _)| id != next) {
                return None;
            }
            let is_debug = match inst.kind {
                InstKind::Call { args, .. } => {
                    { function.call_args(args) }.any(|arg| matches!(arg, CallArg::Metadata(_)))
                }
                _ => false,
            };
            if is_debug && result.is_some() {
                return None;
            }
            if !is_debug {
                let fields = Fields {
                    record,
                    next,
                    at: 0,
                    found: Vec::new(),
                };
                blocks.last_mut()?.push(Inst {
                    code: record.code,
                    fields: fields.read()?,
                    result,
                });
            }
            next += u32::from(result.is_some());
            if inst.kind.is_terminator() {
                blocks.push(Vec::new());
            }
        }
        // After the last terminator.
        blocks.pop();
        Some(Self {
            first,
            is_simple: constants.iter().all(|(_, c)| c.code <= LAST_SIMPLE),
            constants,
            types,
            blocks,
            removed: BTreeMap::new(),
        })
    }

    /// Returns the instructions that can be removed: all but terminators, the last first.
    pub(super) fn instructions(&self) -> Vec<At> {
        let mut all = Vec::new();
        for (block, insts) in self.blocks.iter().enumerate() {
            for (index, inst) in insts.iter().enumerate().take(insts.len().saturating_sub(1)) {
                if inst.result.is_none_or(|(_, ty)| ty < self.types) {
                    all.push((block, index));
                }
            }
        }
        all.reverse();
        all
    }

    /// Removes instructions; their values become zero.
    pub(super) fn without(&self, dropped: &[At]) -> Self {
        let dropped: BTreeSet<At> = dropped.iter().copied().collect();
        let mut body = self.clone();
        for (block, insts) in body.blocks.iter_mut().enumerate() {
            let mut index = 0;
            insts.retain(|inst| {
                let keep = !dropped.contains(&(block, index));
                index += 1;
                if let (false, Some((id, ty))) = (keep, inst.result) {
                    body.removed.insert(id, ty);
                }
                keep
            });
        }
        body
    }

    /// Returns the edges that can be removed, from blocks with several, by block and number.
    pub(super) fn edges(&self) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        for (index, insts) in self.blocks.iter().enumerate() {
            let count = insts.last().map_or(0, |end| targets(end).len());
            if count > 1 {
                all.extend((0..count).map(|number| (index, number)));
            }
        }
        all
    }

    /// Removes edges, and then unreachable code; `None` if a block would have none left. A conditional
    /// branch keeps its other target; a switch without default has its last case as default.
    pub(super) fn without_edges(&self, dropped: &[(usize, usize)]) -> Option<Self> {
        let mut body = self.clone();
        for (index, insts) in body.blocks.iter_mut().enumerate() {
            let of_block = dropped.iter().filter(|(block, _)| *block == index);
            let numbers: BTreeSet<usize> = of_block.map(|(_, number)| *number).collect();
            if numbers.is_empty() {
                continue;
            }
            let end = insts.last_mut()?;
            let kept = targets(end).into_iter().enumerate();
            let kept: Vec<(usize, usize)> = kept.filter(|(n, _)| !numbers.contains(n)).collect();
            let (&(last, target), others) = kept.split_last()?;
            if others.is_empty() || end.code == BR {
                end.code = BR;
                end.fields = vec![Field::Target(target)];
                continue;
            }
            // [type, value, default, (case, block)…]
            let case = |number: usize| end.fields.get(1 + 2 * number..3 + 2 * number);
            let default = if numbers.contains(&0) { last } else { 0 };
            let mut fields = end.fields.get(..2)?.to_vec();
            fields.push(Field::Target(kept.iter().find(|(n, _)| *n == default)?.1));
            for (number, _) in kept.iter().filter(|(number, _)| *number != default) {
                fields.extend(case(*number)?);
            }
            end.fields = fields;
        }
        body.tidy();
        Some(body)
    }

    /// Removes blocks that control does not reach and their edges to phis, and appends a block to its only
    /// predecessor where that has no other successor.
    pub(super) fn tidy(&mut self) {
        let mut reached = vec![false; self.blocks.len()];
        let mut pending = vec![0];
        while let Some(block) = pending.pop() {
            if let Some(seen @ false) = reached.get_mut(block) {
                *seen = true;
                pending.extend(self.blocks[block].last().map(targets).unwrap_or_default());
            }
        }
        // A switch may have several edges to a block, and its phis a value for each.
        let mut edges: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut entered = vec![0_usize; self.blocks.len()];
        for (block, insts) in self.blocks.iter().enumerate() {
            if reached[block] {
                for to in insts.last().map(targets).unwrap_or_default() {
                    *edges.entry((block, to)).or_default() += 1;
                    entered[to] += 1;
                }
            }
        }
        for (block, insts) in self.blocks.iter_mut().enumerate() {
            for inst in insts.iter_mut().filter(|inst| inst.code == PHI) {
                let mut seen: BTreeMap<usize, usize> = BTreeMap::new();
                inst.fields = incoming(&inst.fields, |from| {
                    let count = seen.entry(from).or_default();
                    *count += 1;
                    *count <= edges.get(&(from, block)).copied().unwrap_or_default()
                });
            }
        }
        // For each appended block, the block that contains it now.
        let mut within: Vec<usize> = (0..self.blocks.len()).collect();
        for block in 0..self.blocks.len() {
            if !reached[block] {
                continue;
            }
            while let Some(end) = self.blocks[block].last()
                && let ([target], BR) = (&targets(end)[..], end.code)
                && let target = *target
                && target != 0
                && target != block
                && entered[target] == 1
                && self.blocks[target].iter().all(|inst| inst.code != PHI)
            {
                self.blocks[block].pop();
                let moved = std::mem::take(&mut self.blocks[target]);
                self.blocks[block].extend(moved);
                reached[target] = false;
                within[target] = block;
            }
        }
        let mut number = 0;
        let numbers: Vec<usize> = { reached.iter() }
            .map(|&is_reached| {
                number += usize::from(is_reached);
                number.saturating_sub(1)
            })
            .collect();
        let place = |mut block: usize| {
            while within[block] != block {
                block = within[block];
            }
            numbers[block]
        };
        let mut index = 0;
        let mut gone = Vec::new();
        self.blocks.retain_mut(|insts| {
            index += 1;
            if !reached[index - 1] {
                gone.extend(insts.iter().filter_map(|inst| inst.result));
                return false;
            }
            for field in insts.iter_mut().flat_map(|inst| &mut inst.fields) {
                if let Field::Target(target) = field {
                    *target = place(*target);
                }
            }
            true
        });
        self.removed.extend(gone);
    }

    /// Returns the block with only the remaining contents.
    pub(super) fn write(&self, id: u32) -> Block {
        let used: BTreeSet<u32> = { self.blocks.iter().flatten() }
            .flat_map(|inst| inst.fields.iter().filter_map(value))
            .collect();
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        let mut constants: Vec<(u64, Record)> = Vec::new();
        for (id, constant) in (self.first..).zip(&self.constants) {
            if !self.is_simple || used.contains(&id) {
                numbers.insert(id, self.first + constants.len() as u32);
                constants.push(constant.clone());
            }
        }
        let removed = self.removed.iter().filter(|(id, _)| used.contains(id));
        for (id, &ty) in removed {
            let is_zero = |constant: &(u64, Record)| constant.0 == ty && constant.1.code == NULL;
            let known = constants.iter().position(is_zero);
            let index = known.unwrap_or(constants.len());
            if known.is_none() {
                constants.push((ty, record(NULL, Vec::new())));
            }
            numbers.insert(*id, self.first + index as u32);
        }
        let start = self.first + constants.len() as u32;
        let results = self.blocks.iter().flatten();
        let results = results.filter_map(|inst| inst.result);
        numbers.extend(results.map(|(id, _)| id).zip(start..));
        let number = |id: u32| numbers.get(&id).copied().unwrap_or(id);
        let blocks = vec![self.blocks.len() as u64];
        let mut items = vec![Item::Record(record(DECLARE_BLOCKS, blocks))];
        if !constants.is_empty() {
            items.push(Item::Block(constants_block(constants)));
        }
        let mut next = start;
        for inst in self.blocks.iter().flatten() {
            let mut fields = Vec::with_capacity(inst.fields.len());
            for field in &inst.fields {
                match *field {
                    Field::Raw(raw) => fields.push(raw),
                    Field::Value(id) => fields.push(next.wrapping_sub(number(id)).into()),
                    Field::Typed(id, ty) => {
                        fields.push(next.wrapping_sub(number(id)).into());
                        if number(id) >= next {
                            fields.push(ty);
                        }
                    }
                    Field::Absolute(id) => fields.push(number(id).into()),
                    Field::Signed(id) => {
                        let distance = i64::from(next) - i64::from(number(id));
                        let sign = u64::from(distance < 0);
                        fields.push(distance.unsigned_abs() << 1 | sign);
                    }
                    Field::Target(block) => fields.push(block as u64),
                }
            }
            items.push(Item::Record(record(inst.code, fields)));
            next += u32::from(inst.result.is_some());
        }
        Block { id, items }
    }
}

/// Returns the block of constants: a type is before the first of those that have it.
fn constants_block(constants: Vec<(u64, Record)>) -> Block {
    let mut items = Vec::with_capacity(constants.len() * 2);
    let mut last = None;
    for (ty, constant) in constants {
        if last != Some(ty) {
            items.push(Item::Record(record(SET_TYPE, vec![ty])));
            last = Some(ty);
        }
        items.push(Item::Record(constant));
    }
    let id = CONSTANTS;
    Block { id, items }
}

fn record(code: u32, fields: Vec<u64>) -> Record {
    Record { code, fields }
}

/// Returns the value that a field is.
fn value(field: &Field) -> Option<u32> {
    match *field {
        Field::Value(id) | Field::Typed(id, _) | Field::Absolute(id) | Field::Signed(id) => {
            Some(id)
        }
        Field::Raw(_) | Field::Target(_) => None,
    }
}

/// Returns the targets of a terminator.
fn targets(end: &Inst) -> Vec<usize> {
    if !matches!(end.code, BR | SWITCH) {
        return Vec::new();
    }
    let targets = end.fields.iter().filter_map(|field| match field {
        Field::Target(block) => Some(*block),
        _ => None,
    });
    targets.collect()
}

/// Returns the fields of a phi with the blocks that `keep` takes.
fn incoming(fields: &[Field], mut keep: impl FnMut(usize) -> bool) -> Vec<Field> {
    let (ty, pairs) = fields.split_at(fields.len().min(1));
    let pairs = pairs.chunks(2).filter(|pair| match pair {
        [_, Field::Target(from)] => keep(*from),
        _ => true,
    });
    ty.iter().chain(pairs.flatten()).copied().collect()
}

/// The fields of a record, read in order.
struct Fields<'r> {
    record: &'r Record,
    /// The number that the next value gets.
    next: u32,
    at: usize,
    found: Vec<Field>,
}

impl Fields<'_> {
    /// Returns the fields; `None` for an instruction that this form does not have.
    fn read(mut self) -> Option<Vec<Field>> {
        match self.record.code {
            // Arithmetic, casts, comparisons, aggregates, selects.
            2 | 9 | 28 => self.values(&[true, false])?,
            3 | 20 | 26 | 41 => self.values(&[true])?,
            5 => self.values(&[true, false, false])?,
            29 | 7 | 8 => self.values(&[true, false, true])?,
            6 | 27 | 44 | 45 => self.values(&[true, true])?,
            10 if self.record.fields.is_empty() => {}
            10 => self.values(&[true])?,
            15 | 36 => {}
            46 => self.values(&[true, true, false])?,
            38 => self.values(&[true, false])?,
            19 => {
                self.raw(2)?;
                let size = u32::try_from(self.take()?).ok()?;
                self.found.push(Field::Absolute(size));
            }
            43 => {
                self.raw(2)?;
                while self.at < self.record.fields.len() {
                    self.value(true)?;
                }
            }
            BR => {
                self.target()?;
                if self.record.fields.len() > 1 {
                    self.target()?;
                    self.value(false)?;
                }
            }
            SWITCH => self.switch()?,
            PHI => self.phi()?,
            CALL => self.call()?,
            _ => return None,
        }
        self.raw(self.record.fields.len() - self.at)?;
        Some(self.found)
    }

    fn take(&mut self) -> Option<u64> {
        let field = self.record.fields.get(self.at).copied();
        self.at += 1;
        field
    }

    fn raw(&mut self, count: usize) -> Option<()> {
        for _ in 0..count {
            let field = self.take()?;
            self.found.push(Field::Raw(field));
        }
        Some(())
    }

    /// Reads values; of one that is defined later the type follows if the flag is set.
    fn values(&mut self, typed: &[bool]) -> Option<()> {
        typed.iter().try_for_each(|&typed| self.value(typed))
    }

    fn value(&mut self, typed: bool) -> Option<()> {
        let id = self.next.wrapping_sub(u32::try_from(self.take()?).ok()?);
        let field = match typed {
            false => Field::Value(id),
            true if id >= self.next => Field::Typed(id, self.take()?),
            true => Field::Typed(id, 0),
        };
        self.found.push(field);
        Some(())
    }

    fn target(&mut self) -> Option<()> {
        let block = usize::try_from(self.take()?).ok()?;
        self.found.push(Field::Target(block));
        Some(())
    }

    fn switch(&mut self) -> Option<()> {
        // A form of LLVM 3.3 has more in its first field.
        if self.record.fields.first()? >> 16 != 0 {
            return None;
        }
        self.raw(1)?;
        self.value(false)?;
        self.target()?;
        while self.at < self.record.fields.len() {
            let case = u32::try_from(self.take()?).ok()?;
            self.found.push(Field::Absolute(case));
            self.target()?;
        }
        Some(())
    }

    fn phi(&mut self) -> Option<()> {
        self.raw(1)?;
        while self.at < self.record.fields.len() {
            let field = self.take()?;
            let distance = i64::try_from(field >> 1).ok()?;
            let distance = if field & 1 == 0 { distance } else { -distance };
            let id = u32::try_from(i64::from(self.next) - distance).ok()?;
            self.found.push(Field::Signed(id));
            self.target()?;
        }
        Some(())
    }

    /// `[attributes, flags, fast-math flags?, function type?, callee, argument…]`
    fn call(&mut self) -> Option<()> {
        let flags = *self.record.fields.get(1)?;
        let optional = (flags >> 17 & 1) + (flags >> 15 & 1);
        self.raw(2 + optional as usize)?;
        self.value(true)?;
        while self.at < self.record.fields.len() {
            self.value(false)?;
        }
        Some(())
    }
}
