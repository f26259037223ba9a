//! The result: the functions, with the constants and types that they need, and without names and
//! decorations of removed ids.

use rspirv::spirv::Op;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Error;
use crate::module::{HEADER, Module, Raw, Section, instructions};

/// Changes that structured functions require in the rest of the module.
pub(crate) struct Changes {
    next: u32,
    bool_type: Option<u32>,
    u32_type: Option<u32>,
    bool_constants: [Option<u32>; 2],
    u32_constants: FxHashMap<u32, u32>,
    undefs: FxHashMap<u32, u32>,
    /// Declarations to add.
    declared: Vec<u32>,
    /// Results of removed functions.
    pub(crate) removed: FxHashSet<u32>,
    /// Results, each with one that is a copy of it.
    pub(crate) copies: Vec<(u32, u32)>,
}

/// Appends an instruction.
pub(crate) fn instruction(out: &mut Vec<u32>, op: Op, operands: &[u32]) {
    out.push((operands.len() as u32 + 1) << 16 | op as u32);
    out.extend_from_slice(operands);
}

impl Changes {
    pub(crate) fn new(module: &Module<'_>) -> Self {
        Self {
            next: module.bound,
            bool_type: module.bool_type,
            u32_type: module.u32_type,
            bool_constants: [None; 2],
            u32_constants: FxHashMap::default(),
            undefs: FxHashMap::default(),
            declared: Vec::new(),
            removed: FxHashSet::default(),
            copies: Vec::new(),
        }
    }

    /// Returns a new id.
    pub(crate) fn fresh(&mut self) -> Result<u32, Error> {
        let id = self.next;
        self.next = id.checked_add(1).ok_or(Error::NoFreeId)?;
        Ok(id)
    }

    pub(crate) fn bool_type(&mut self) -> Result<u32, Error> {
        if let Some(id) = self.bool_type {
            return Ok(id);
        }
        let id = self.fresh()?;
        instruction(&mut self.declared, Op::TypeBool, &[id]);
        self.bool_type = Some(id);
        Ok(id)
    }

    pub(crate) fn u32_type(&mut self) -> Result<u32, Error> {
        if let Some(id) = self.u32_type {
            return Ok(id);
        }
        let id = self.fresh()?;
        instruction(&mut self.declared, Op::TypeInt, &[id, 32, 0]);
        self.u32_type = Some(id);
        Ok(id)
    }

    pub(crate) fn bool_constant(&mut self, is_true: bool) -> Result<u32, Error> {
        if let Some(id) = self.bool_constants[usize::from(is_true)] {
            return Ok(id);
        }
        let (ty, id) = (self.bool_type()?, self.fresh()?);
        let op = match is_true {
            true => Op::ConstantTrue,
            false => Op::ConstantFalse,
        };
        instruction(&mut self.declared, op, &[ty, id]);
        self.bool_constants[usize::from(is_true)] = Some(id);
        Ok(id)
    }

    pub(crate) fn u32_constant(&mut self, number: u32) -> Result<u32, Error> {
        if let Some(&id) = self.u32_constants.get(&number) {
            return Ok(id);
        }
        let (ty, id) = (self.u32_type()?, self.fresh()?);
        instruction(&mut self.declared, Op::Constant, &[ty, id, number]);
        self.u32_constants.insert(number, id);
        Ok(id)
    }

    pub(crate) fn undef(&mut self, ty: u32) -> Result<u32, Error> {
        if let Some(&id) = self.undefs.get(&ty) {
            return Ok(id);
        }
        let id = self.fresh()?;
        instruction(&mut self.declared, Op::Undef, &[ty, id]);
        self.undefs.insert(ty, id);
        Ok(id)
    }
}

/// Returns the words of the module with its sections replaced by these.
pub(crate) fn assemble(module: &Module<'_>, sections: Vec<Vec<u32>>, changes: Changes) -> Vec<u32> {
    let mut out = module.words[..HEADER].to_vec();
    out[3] = changes.next;
    for (index, section) in sections.into_iter().enumerate() {
        match &module.sections[index] {
            Section::Other(range) if index == 0 => {
                let all = instructions(module.words, range.clone()).flatten();
                declarations(&mut out, all, &changes);
            }
            _ => out.extend(section),
        }
    }
    out
}

/// Writes the sections before the functions.
fn declarations<'a>(out: &mut Vec<u32>, all: impl Iterator<Item = Raw<'a>>, changes: &Changes) {
    let mut copies: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for &(original, copy) in &changes.copies {
        copies.entry(original).or_default().push(copy);
    }
    let copies = |id: u32| copies.get(&id).map_or(&[][..], Vec::as_slice);
    // The place after the last instruction that is not a line, which applies to the first function.
    let mut end = out.len();
    for inst in all {
        let target = inst.word(1);
        match Op::from_u32(inst.opcode) {
            Some(Op::Name) if changes.removed.contains(&target) => {}
            Some(Op::Decorate | Op::DecorateId | Op::DecorateString) => {
                let is_removed = changes.removed.contains(&target);
                let targets = (!is_removed).then_some(target);
                for target in targets.into_iter().chain(copies(target).iter().copied()) {
                    let start = out.len();
                    out.extend_from_slice(inst.words);
                    out[start + 1] = target;
                }
            }
            Some(Op::GroupDecorate) => {
                let targets = inst.words.iter().skip(2).flat_map(|&id| {
                    let is_removed = changes.removed.contains(&id);
                    let copies = copies(id).iter().copied();
                    (!is_removed).then_some(id).into_iter().chain(copies)
                });
                let operands: Vec<u32> = [target].into_iter().chain(targets).collect();
                for targets in operands[1..].chunks(0xfff0) {
                    let operands: Vec<u32> = [target].iter().chain(targets).copied().collect();
                    instruction(out, Op::GroupDecorate, &operands);
                }
            }
            _ => out.extend_from_slice(inst.words),
        }
        if !inst.is(Op::Line) && !inst.is(Op::NoLine) {
            end = out.len();
        }
    }
    out.splice(end..end, changes.declared.iter().copied());
}
