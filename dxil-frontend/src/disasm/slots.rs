//! The numbers of a listing: LLVM numbers metadata, attribute groups and unnamed values in the
//! order of their first use.

use rustc_hash::FxHashMap;
use trellis_entity::PrimaryMap;

use crate::metadata::{MdId, MdNode};
use crate::module::{
    Attribute, BlockId, CallArg, DebugLoc, Function, InstKind, Module, ValueId, ValueKind,
};

/// No number.
const NONE: u32 = u32::MAX;

/// Attribute index of the function itself.
pub(super) const FUNCTION_INDEX: u32 = u32::MAX;

/// A numbered metadata node: an entry, or the location of an instruction, which has no entry.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Node {
    Entry(MdId),
    Location(DebugLoc),
}

/// Numbers of metadata nodes and attribute groups.
pub(super) struct Slots<'m> {
    module: &'m Module,
    entry: PrimaryMap<MdId, u32>,
    location: FxHashMap<(u32, u32, u32, u32), u32>,
    /// Numbered nodes in order.
    pub(super) nodes: Vec<Node>,
    /// Attribute groups in order, by index into the module's groups.
    pub(super) attributes: Vec<u32>,
    /// Number of each of the module's groups; groups with the same attributes share one.
    group_slots: Vec<u32>,
    /// Numbers by attributes.
    by_attributes: FxHashMap<String, u32>,
}

/// Fields of a specialized node that are metadata operands, in LLVM's operand order. Each holds 0
/// for null, else entry + 1.
fn operand_fields(code: u32) -> &'static [usize] {
    match code {
        LOCATION => &[4],
        14 | 15 | 19 => &[2],
        16 | 25 => &[1, 2],
        17 => &[3, 5, 2, 6, 11],
        18 => &[3, 5, 2, 6, 11, 13, 14, 15],
        20 => &[2, 3, 5, 7, 9, 10, 11, 12, 13],
        21 => &[4, 1, 2, 3, 6, 10, 15, 16, 17, 18],
        22 | 23 => &[2, 1],
        24 => &[2, 1, 3],
        26 => &[2, 3, 4],
        27 => &[1, 2, 4, 6, 3, 9, 10],
        28 => &[2, 3, 4, 6],
        31 => &[2, 3, 5],
        _ => &[],
    }
}

/// Returns the entry of a field that holds 0 for null, else entry + 1.
pub(super) fn nullable_id(field: u64) -> Option<MdId> {
    // The largest number is not a valid index.
    field
        .checked_sub(1)
        .and_then(|v| u32::try_from(v).ok())
        .filter(|&v| v != u32::MAX)
        .map(MdId::from_u32)
}

/// Record code of `DILocation`, whose scope is the entry itself, not `entry + 1`.
pub(super) const LOCATION: u32 = 7;

impl<'m> Slots<'m> {
    pub(super) fn new(module: &'m Module) -> Self {
        let mut location = FxHashMap::default();
        // A location that instructions share with an entry is one node.
        for (id, node) in module.metadata.nodes.iter() {
            if let MdNode::Debug {
                code: LOCATION,
                fields,
            } = node
                && let Some(&[0, line, column, scope, inlined]) =
                    module.metadata.records.get(fields.range())
            {
                location.insert(
                    (line as u32, column as u32, scope as u32, inlined as u32),
                    id.as_u32() | ENTRY,
                );
            }
        }
        let mut slots = Self {
            module,
            entry: vec![NONE; module.metadata.nodes.len()].into(),
            location,
            nodes: Vec::new(),
            attributes: Vec::new(),
            group_slots: vec![NONE; module.attribute_groups.len()],
            by_attributes: FxHashMap::default(),
        };
        for (_, operands) in &module.metadata.named {
            for &id in operands {
                slots.add(id);
            }
        }
        for f in module.functions.values() {
            slots.add_attributes(f.attributes);
        }
        slots
    }

    /// Visits the metadata operands of an entry, in LLVM's order.
    pub(super) fn children(&self, id: MdId, mut each: impl FnMut(MdId)) {
        let md = &self.module.metadata;
        let mut nullable = |v: u64| {
            if let Some(id) = nullable_id(v) {
                each(id);
            }
        };
        match md.nodes.get(id) {
            Some(MdNode::Node { .. }) => {
                md.tuple(id).into_iter().flatten().flatten().for_each(each);
            }
            Some(MdNode::Debug { code, fields }) => {
                let fields = md.records.get(fields.range()).unwrap_or(&[]);
                if *code == LOCATION {
                    nullable(fields.get(3).map_or(0, |s| s.saturating_add(1)));
                }
                operand_fields(*code)
                    .iter()
                    .filter_map(|&f| fields.get(f))
                    .for_each(|&o| nullable(o));
            }
            _ => {}
        }
    }

    fn is_node(&self, id: MdId) -> bool {
        matches!(
            self.module.metadata.nodes.get(id),
            Some(MdNode::Node { .. } | MdNode::Debug { .. })
        )
    }

    /// Numbers an entry and all that it refers to, depth first, an entry before its operands.
    pub(super) fn add(&mut self, id: MdId) {
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            if !self.is_node(id) || self.entry.get(id).is_none_or(|&slot| slot != NONE) {
                continue;
            }
            self.entry[id] = self.nodes.len() as u32;
            self.nodes.push(Node::Entry(id));
            let first = stack.len();
            self.children(id, |child| stack.push(child));
            stack[first..].reverse();
        }
    }

    fn key(loc: &DebugLoc) -> (u32, u32, u32, u32) {
        (
            loc.line,
            loc.column,
            loc.scope.as_u32(),
            loc.inlined_at.map_or(0, |i| i.as_u32().saturating_add(1)),
        )
    }

    fn add_location(&mut self, loc: &DebugLoc) {
        match self.location.get(&Self::key(loc)) {
            Some(&entry) if entry & ENTRY != 0 => return self.add(MdId::from_u32(entry & !ENTRY)),
            Some(_) => return,
            None => {}
        }
        self.location
            .insert(Self::key(loc), self.nodes.len() as u32);
        self.nodes.push(Node::Location(*loc));
        self.add(loc.scope);
        if let Some(inlined) = loc.inlined_at {
            self.add(inlined);
        }
    }

    /// Returns the number of an entry.
    pub(super) fn of(&self, id: MdId) -> Option<u32> {
        self.entry.get(id).copied().filter(|&s| s != NONE)
    }

    /// Returns the number of an instruction's location.
    pub(super) fn of_location(&self, loc: &DebugLoc) -> Option<u32> {
        match self.location.get(&Self::key(loc)) {
            Some(&entry) if entry & ENTRY != 0 => self.of(MdId::from_u32(entry & !ENTRY)),
            slot => slot.copied(),
        }
    }

    /// Returns the group with a list's attributes for `index` (0 the result, 1 and on the
    /// parameters).
    pub(super) fn attributes_of(&self, list: u32, index: u32) -> Option<(u32, &'m [Attribute])> {
        let groups = self.module.attributes.get(list.checked_sub(1)? as usize)?;
        groups
            .iter()
            .filter_map(|&g| Some((g, self.module.attribute_groups.get(g as usize)?)))
            .find(|(_, g)| g.index == index)
            .map(|(i, g)| (i, &g.attributes[..]))
    }

    fn add_attributes(&mut self, list: u32) {
        let Some((group, attributes)) = self.attributes_of(list, FUNCTION_INDEX) else {
            return;
        };
        if attributes.is_empty()
            || self
                .group_slots
                .get(group as usize)
                .is_none_or(|&s| s != NONE)
        {
            return;
        }
        let next = self.attributes.len() as u32;
        let slot = *self
            .by_attributes
            .entry(format!("{attributes:?}"))
            .or_insert(next);
        if slot == next {
            self.attributes.push(group);
        }
        self.group_slots[group as usize] = slot;
    }

    /// Returns the number of a list's function attributes.
    pub(super) fn attribute_slot(&self, list: u32) -> Option<u32> {
        let (group, _) = self.attributes_of(list, FUNCTION_INDEX)?;
        self.group_slots
            .get(group as usize)
            .copied()
            .filter(|&s| s != NONE)
    }

    /// Numbers the slots that a function's body adds: attached metadata, locations, attributes of
    /// calls.
    pub(super) fn add_function(&mut self, f: &Function) {
        for &(_, id) in &f.metadata {
            self.add(id);
        }
        let mut attached = f.inst_metadata.iter().peekable();
        for (id, inst) in f.insts.iter() {
            if let InstKind::Call { callee, args, .. } = inst.kind
                && is_intrinsic(self.module, callee)
            {
                for arg in f.call_args(args) {
                    if let CallArg::Metadata(id) = arg {
                        self.add(id);
                    }
                }
            }
            if let Some(loc) = inst
                .debug_loc
                .checked_sub(1)
                .and_then(|l| f.debug_locs.get(l as usize))
            {
                self.add_location(loc);
            }
            while let Some((_, _, node)) = attached.next_if(|(at, _, _)| *at == id) {
                self.add(*node);
            }
        }
        for inst in f.insts.values() {
            if let InstKind::Call { attributes, .. } = inst.kind {
                self.add_attributes(attributes.into());
            }
        }
    }
}

/// Marks a value of `Slots::location` as an entry's index rather than a number.
const ENTRY: u32 = 1 << 31;

/// Returns whether a called value is one of LLVM's own functions.
pub(super) fn is_intrinsic(module: &Module, callee: ValueId) -> bool {
    match module.value(None, callee).map(|v| v.kind) {
        Some(ValueKind::Function(f)) => module
            .functions
            .get(f)
            .is_some_and(|f| f.name.starts_with("llvm.")),
        _ => false,
    }
}

/// Numbers of a function's unnamed values and blocks: arguments, then each block and its results in
/// order.
pub(super) struct Locals {
    /// By local value index.
    values: Vec<u32>,
    blocks: PrimaryMap<BlockId, u32>,
}

impl Locals {
    pub(super) fn new(module: &Module, f: &Function) -> Self {
        let base = module.values.len();
        let mut out = Self {
            values: vec![NONE; f.values.len()],
            blocks: vec![NONE; f.blocks.len()].into(),
        };
        let mut next = 0;
        let mut take = || {
            next += 1;
            next - 1
        };
        let named = |value: usize| {
            let value = ValueId::from_u32((base + value) as u32);
            f.value_name(value).is_some()
        };
        for (i, v) in f.values.iter().enumerate() {
            if matches!(v.kind, ValueKind::Argument(_)) && !named(i) {
                out.values[i] = take();
            }
        }
        for block in f.blocks.keys() {
            if f.block_name(block).is_none() {
                out.blocks[block] = take();
            }
            for inst in f.block_insts(block) {
                let result = inst.result.expand();
                let local = result.and_then(|r| (r.as_u32() as usize).checked_sub(base));
                if let Some(local) = local.filter(|&l| l < out.values.len() && !named(l)) {
                    out.values[local] = take();
                }
            }
        }
        out
    }
    pub(super) fn value(&self, local: usize) -> Option<u32> {
        self.values.get(local).copied().filter(|&v| v != NONE)
    }
    pub(super) fn block(&self, block: BlockId) -> Option<u32> {
        self.blocks.get(block).copied().filter(|&v| v != NONE)
    }
}
