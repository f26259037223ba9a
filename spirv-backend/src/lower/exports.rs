//! The values that may be used outside of the run that computes them.
//!
//! Found before lowering, by one walk from the last use to the first: the structurizer's instructions
//! get all their results when they are made. The set may be too large, never too small; what it has too
//! much is a result without uses. A folded instruction has no value of its own: where its result is used
//! outside, its operands are.

use trellis_dxil_frontend::dxop::Op;
use trellis_dxil_frontend::module::{
    BlockId, Function, Inst, InstId, InstKind, Module, Type, TypeId, ValueId, ValueKind,
};
use trellis_entity::{EntityRange, EntityRef, EntitySet};

use super::values::is_plain;
use super::{Source, local_index};

/// The values of a function that are the structurizer's, too.
#[derive(Default)]
pub(super) struct Exports {
    all: bool,
    set: EntitySet<ValueId>,
}

impl Exports {
    /// Returns true if each instruction is a run of its own, and all values are exported.
    #[inline]
    pub(super) fn has_all(&self) -> bool {
        self.all
    }

    /// Returns true if a value may be used outside of the run that computes it.
    #[inline]
    pub(super) fn has(&self, value: ValueId) -> bool {
        self.all || self.set.contains(value)
    }

    /// Returns the number of values that may be used outside; `None` for all.
    pub(super) fn len(&self) -> Option<usize> {
        (!self.all).then(|| self.set.len())
    }

    /// Finds those of a function whose reached blocks are in reverse post-order.
    pub(super) fn find(&mut self, source: &Source<'_>, function: &Function, order: &[BlockId]) {
        // What is folded to a number, or is a variable, is seen in lowering only.
        self.all =
            source.each_instruction || source.break_global.is_some() || source.has_hit_objects;
        if self.all {
            return;
        }
        let has_discards = declares_discard(source.module);
        let mut finder = Finder {
            source,
            function,
            set: &mut self.set,
        };
        // Uses come after definitions, but for operands of phis, which are no folded instructions
        // except components of aggregates.
        for &block in order.iter().rev() {
            finder.block(block, has_discards);
        }
    }
}

/// Returns true if a module may have discards, each of which begins a new block of the structurizer's:
/// if it declares an operation with their types. The name of the function says nothing: the opcode does.
fn declares_discard(module: &Module) -> bool {
    let mut functions = module.functions.values();
    functions
        .any(|f| f.is_declaration && f.name.starts_with("dx.op.") && fits_discard(module, f.ty))
}

/// Returns true for `void (i32, i1)`, or a function whose calls decide.
fn fits_discard(module: &Module, ty: TypeId) -> bool {
    match module.types.get(ty) {
        Some(Type::Function { vararg: true, .. }) => true,
        Some(Type::Function { params, .. }) => {
            matches!(params[..], [_, ty] if *module.ty(ty) == Type::Int(1))
        }
        _ => false,
    }
}

struct Finder<'a> {
    source: &'a Source<'a>,
    function: &'a Function,
    set: &'a mut EntitySet<ValueId>,
}

impl Finder<'_> {
    /// Adds what a block reads and others compute, and what folded instructions read for others.
    fn block(&mut self, block: BlockId, has_discards: bool) {
        let insts = self.function.blocks[block].insts;
        if !has_discards {
            return self.section(insts);
        }
        let mut end = insts.end();
        for index in (insts.start().index()..end.index()).rev() {
            let id = InstId::new(index);
            if id == insts.start() || self.is_discard(id) {
                // The condition of a discard is read before what follows it.
                self.section(EntityRange::new(id, end));
                end = id;
            }
        }
    }

    /// Does that for a part of a block that is one of the structurizer's blocks.
    fn section(&mut self, section: EntityRange<InstId>) {
        let function = self.function;
        for index in (section.start().index()..section.end().index()).rev() {
            let inst = &function.insts[InstId::new(index)];
            let is_read_elsewhere = match inst.kind {
                InstKind::Phi { .. } => true,
                _ if inst.kind.is_terminator() => true,
                InstKind::Gep { .. } | InstKind::Cast { .. } | InstKind::Call { .. } => {
                    self.is_folded_for_others(inst)
                }
                _ => false,
            };
            let others = (!is_read_elsewhere).then_some(section);
            if let InstKind::Call { args, .. } = inst.kind {
                // An operand that is metadata has a number that no value has.
                let args = function.pool.get(args.range()).unwrap_or_default();
                for &word in args {
                    self.read(ValueId::from_u32(word), others);
                }
            } else {
                for value in function.operands(&inst.kind) {
                    self.read(value, others);
                }
            }
        }
    }

    /// Adds an operand, unless an instruction in `except` computes it.
    #[inline(always)]
    fn read(&mut self, value: ValueId, except: Option<EntityRange<InstId>>) {
        if let Some(computed_by) = self.inst_of(value)
            && except.is_none_or(|except| !except.contains(computed_by))
        {
            self.add(value);
        }
    }

    /// Returns true for a handle or an address that is used outside.
    fn is_folded_for_others(&self, inst: &Inst) -> bool {
        let module = self.source.module;
        inst.result
            .expand()
            .is_some_and(|value| self.set.contains(value))
            && match module.ty(inst.ty) {
                Type::Struct { fields, .. } => !fields.iter().all(|&field| is_plain(module, field)),
                _ => !is_plain(module, inst.ty),
            }
    }

    /// Adds a value, and the aggregate that it is a component of.
    fn add(&mut self, mut value: ValueId) {
        while self.set.insert(value)
            && let Some(inst) = self.inst_of(value)
            && let InstKind::ExtractValue { aggregate, .. } = self.function.insts[inst].kind
        {
            value = aggregate;
        }
    }

    /// Returns the instruction that computes a value, if one does.
    #[inline]
    fn inst_of(&self, value: ValueId) -> Option<InstId> {
        let index = local_index(self.source.module, self.function, value)?;
        match self.function.values[index].kind {
            ValueKind::Inst(inst) => Some(inst),
            _ => None,
        }
    }

    fn is_discard(&self, id: InstId) -> bool {
        let call = self.source.ops.parse(self.source.module, self.function, id);
        matches!(call, Ok(Some(call)) if call.op == Op::Discard)
    }
}
