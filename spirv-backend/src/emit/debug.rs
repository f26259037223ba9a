//! Debug information of functions: the place of each instruction, and where variables have which
//! value.
//!
//! Calls of `llvm.dbg.*` are not lowered, so that they cannot change the emitted code. Each belongs
//! to the last instruction before it in its block that is emitted, or to the start of the block. A
//! value is given to a variable only where its definition dominates that point in the structured
//! function, as the structurizer repairs the dominance only of uses that it knows.
//!
//! Blocks that the structurizer made have no place except through the instructions in them.

use rspirv::spirv::{NonsemanticShaderDebuginfo100Op as DebugOp, Word};
use rustc_hash::FxHashMap;
use trellis_dxil_frontend::debug_info::{
    VariableLayout, VariableUse, VariableUseKind, VariableUses,
};
use trellis_dxil_frontend::metadata::MdId;
use trellis_dxil_frontend::module::{
    BlockId, Constant, FunctionId, InstId, InstKind, Module, Type, ValueId, ValueKind,
};
use trellis_entity::{EntityRef, SecondaryMap};
use trellis_structurizer::analysis::{DominatorTree, FlowGraph};
use trellis_structurizer::ir::{self, Terminator};

use super::Body;
use crate::debug_info::{DebugInfo, GlobalMemory, VariablePart};
use crate::lower::SYNTHETIC;
use crate::module::PlaceId;
use crate::ops::Emitter;

/// A variable that is in an `alloca`.
struct Home {
    /// The call that declares it.
    call: InstId,
    variable: MdId,
    expression: MdId,
    /// Where the numbers are in the source variable, if DXC took that apart.
    layout: Option<VariableLayout>,
    /// `DebugDeclare` is emitted, or cannot be.
    declared: bool,
    /// `DebugDeclare` cannot describe the memory: each store gets a `DebugValue` for the part that
    /// it changes.
    by_stores: bool,
}

/// Debug information under emission.
pub(super) struct Debug<'a> {
    info: DebugInfo<'a>,
    uses: VariableUses,
    /// The functions that have a `DebugFunctionDefinition`, by its `DebugFunction`.
    defined: FxHashMap<Word, FunctionId>,
    body: BodyDebug,
}

/// The state for one function.
#[derive(Default)]
struct BodyDebug {
    /// Place of each location of the function, from 1 on.
    places: Vec<Option<PlaceId>>,
    /// Block of each instruction.
    blocks: Vec<BlockId>,
    /// The last instruction of each block that is emitted.
    last: Vec<Option<InstId>>,
    /// Calls about variables after an instruction that is emitted, by instruction.
    after: Vec<(InstId, InstId)>,
    /// Such calls at the start of a block, by block.
    at_start: Vec<(BlockId, InstId)>,
    /// Block of each value that is emitted.
    definitions: SecondaryMap<ir::Value, Option<ir::Block>>,
    dominators: Option<DominatorTree>,
    current: Option<ir::Block>,
    homes: FxHashMap<InstId, Home>,
}

/// Returns the entries of a sorted list that have a key.
fn entries_of<K: Copy + Ord>(list: &[(K, InstId)], key: K) -> &[(K, InstId)] {
    let start = list.partition_point(|entry| entry.0 < key);
    let rest = &list[start..];
    &rest[..rest.partition_point(|entry| entry.0 == key)]
}

impl<'a> Debug<'a> {
    /// Returns the debug information of a module, if it has some.
    pub(super) fn new(e: &mut Emitter<'a>) -> Option<Self> {
        let module: &'a Module = e.module;
        Some(Self {
            info: DebugInfo::new(&mut e.b, module)?,
            uses: VariableUses::new(module),
            defined: FxHashMap::default(),
            body: BodyDebug::default(),
        })
    }

    /// Begins a function, whose id is `id`.
    pub(super) fn begin_body(&mut self, e: &mut Emitter<'a>, body: &'a Body<'a>, id: Word) {
        let function = body.function;
        self.body = BodyDebug {
            places: vec![None; function.debug_locs.len()],
            last: vec![None; function.blocks.len()],
            ..BodyDebug::default()
        };
        for (block, data) in function.blocks.iter() {
            let blocks = data.insts.into_iter().map(|_| block);
            self.body.blocks.extend(blocks);
        }
        let mut emitted = vec![false; function.insts.len()];
        let func = &body.structured.func;
        for &block in &body.structured.order {
            for inst in func.insts(block) {
                if let Some(inst) = source_inst(func, inst)
                    && let Some(slot) = emitted.get_mut(inst.index())
                {
                    *slot = true;
                    let last = &mut self.body.last[self.body.blocks[inst.index()].index()];
                    *last = (*last).max(Some(inst));
                }
            }
        }
        if !self.uses.is_empty() {
            self.find_uses(e, &emitted);
            self.body.dominators = Some(FlowGraph::of(func).dominators());
        }
        if let Some(described) = self.info.function(&mut e.b, body.id)
            && !self.defined.contains_key(&described)
        {
            self.defined.insert(described, body.id);
            (e.b).debug_inst(DebugOp::DebugFunctionDefinition, &[described, id]);
        }
    }

    /// Finds the instruction or block that each call about a variable belongs to.
    fn find_uses(&mut self, e: &Emitter<'a>, emitted: &[bool]) {
        let (module, function) = (e.module, e.function);
        for (block, data) in function.blocks.iter() {
            let mut before = None;
            for inst in data.insts {
                if emitted[inst.index()] {
                    before = Some(inst);
                } else if let Some(found) = self.uses.parse(module, function, inst) {
                    match before {
                        _ if self.has_home(e, inst, &found) => {}
                        Some(before) => self.body.after.push((before, inst)),
                        None => self.body.at_start.push((block, inst)),
                    }
                }
            }
        }
    }

    /// Records the `alloca` that a variable is in, if a call declares it.
    fn has_home(&mut self, e: &Emitter<'a>, call: InstId, found: &VariableUse) -> bool {
        let (VariableUseKind::Declare, Some(value)) = (found.kind, found.value) else {
            return false;
        };
        let Some((inst, data)) = e.def(value) else {
            return false;
        };
        if !matches!(data.kind, InstKind::Alloca { .. }) {
            return false;
        }
        let home = Home {
            call,
            variable: found.variable,
            expression: found.expression,
            layout: self.uses.layout(e.module, e.function, call),
            declared: false,
            by_stores: false,
        };
        self.body.homes.entry(inst).or_insert(home);
        true
    }

    /// Returns the place of an instruction.
    fn place(&mut self, e: &mut Emitter<'a>, inst: InstId) -> PlaceId {
        let function = e.function;
        let number = function.insts.get(inst).map_or(0, |inst| inst.debug_loc);
        let Some(index) = number.checked_sub(1).map(|n| n as usize) else {
            return PlaceId::NONE;
        };
        let Some(location) = function.debug_locs.get(index) else {
            return PlaceId::NONE;
        };
        if let Some(known) = self.body.places[index] {
            return known;
        }
        let place = self.info.place(&mut e.b, location);
        self.body.places[index] = Some(place);
        place
    }

    /// Begins a block, whose phis have ids.
    pub(super) fn begin_block(&mut self, e: &mut Emitter<'a>, block: ir::Block) {
        self.body.current = Some(block);
        e.b.set_place(PlaceId::NONE);
        for value in e.structured.phis(block) {
            self.body.definitions[value] = Some(block);
        }
        let source = BlockId::new(block.index());
        for index in 0..entries_of(&self.body.at_start, source).len() {
            let call = entries_of(&self.body.at_start, source)[index].1;
            self.value(e, call, None);
        }
    }

    /// Sets the place of an instruction that is emitted next.
    pub(super) fn before(&mut self, e: &mut Emitter<'a>, inst: ir::Inst, block: ir::Block) {
        let place = match source_inst(e.structured, inst) {
            Some(inst) => self.place(e, inst),
            None => self.discard_place(e, block),
        };
        e.b.set_place(place);
    }

    /// Emits the debug instructions after an instruction: values of variables, and stores to parts
    /// of them. `copy` is the instruction, and the lowered instruction that it is a copy of, or
    /// itself.
    pub(super) fn after(&mut self, e: &mut Emitter<'a>, inst: InstId, copy: (ir::Inst, ir::Inst)) {
        for value in e.structured.results(copy.0) {
            self.body.definitions[value] = self.body.current;
        }
        self.memory(e, inst);
        for index in 0..entries_of(&self.body.after, inst).len() {
            let call = entries_of(&self.body.after, inst)[index].1;
            self.value(e, call, Some(copy));
        }
    }

    /// Takes note of a value that is defined in the current block.
    pub(super) fn define(&mut self, value: ir::Value) {
        self.body.definitions[value] = self.body.current;
    }

    /// Sets the place of the end of a block.
    pub(super) fn end_block(&mut self, e: &mut Emitter<'a>, block: ir::Block) {
        let place = self.terminator_place(e, block);
        e.b.set_place(place);
    }

    /// Ends a function.
    pub(super) fn end_body(&mut self, e: &mut Emitter<'a>) {
        e.b.set_place(PlaceId::NONE);
        self.body = BodyDebug::default();
    }

    /// Declares entities that need all functions: global variables, and the entry point `id` if
    /// that is the function `main` itself.
    pub(super) fn finish(&mut self, e: &mut Emitter<'a>, main: FunctionId, id: Word) {
        let names = e.resources.by_name(e.shader);
        let memory = |global| {
            let variable = e.memory.declared_global(global)?;
            Some(GlobalMemory {
                id: variable.id,
                shape: (variable.count, variable.width.into()),
            })
        };
        let resource = |name: &str| names.get(name).copied();
        (self.info).global_variables(&mut e.f.b, memory, resource);
        if e.function_ids[main.index()] == id
            && let Some(described) = self.info.function(&mut e.b, main)
            && self.defined.get(&described) == Some(&main)
        {
            self.info.entry_point(&mut e.b, described);
        }
    }

    /// Returns the place of a discard that a block is made for.
    fn discard_place(&mut self, e: &mut Emitter<'a>, block: ir::Block) -> PlaceId {
        let number = block.index().checked_sub(e.function.blocks.len());
        // Each discard has two blocks: for the discard, and for the code after it.
        let discard = number
            .filter(|number| number % 2 == 0)
            .and_then(|number| e.lowered.discards.get(number / 2));
        match discard {
            Some(&discard) => self.place(e, discard),
            None => PlaceId::NONE,
        }
    }

    /// Returns the place of the terminator of a block: its source place, if the block ends where
    /// one in the source ends.
    fn terminator_place(&mut self, e: &mut Emitter<'a>, block: ir::Block) -> PlaceId {
        let (func, function) = (e.structured, e.function);
        let own = self.discard_place(e, block);
        if own != PlaceId::NONE {
            return own;
        }
        if let Some(Terminator::CondBranch { then, .. }) = func.terminator(block) {
            let discard = self.discard_place(e, then);
            if discard != PlaceId::NONE {
                return discard;
            }
        }
        let last = func.insts(block).last();
        let source = match last {
            Some(last) => source_inst(func, last).and_then(|inst| {
                let source = *self.body.blocks.get(inst.index())?;
                (self.body.last[source.index()] == Some(inst)).then_some(source)
            }),
            None => Some(BlockId::new(block.index())).filter(|&source| {
                function.blocks.is_valid(source) && self.body.last[source.index()].is_none()
            }),
        };
        let Some(source) = source else {
            return PlaceId::NONE;
        };
        match function.blocks[source].insts.into_iter().last() {
            Some(terminator) => self.place(e, terminator),
            None => PlaceId::NONE,
        }
    }

    /// Emits `DebugValue` or `DebugDeclare` for a call about a variable, if the value can be named.
    fn value(&mut self, e: &mut Emitter<'a>, call: InstId, copy: Option<(ir::Inst, ir::Inst)>) {
        let Some(found) = self.uses.parse(e.module, e.function, call) else {
            return;
        };
        let Some(value) = found.value else { return };
        match found.kind {
            VariableUseKind::Value => {
                if let Some(id) = self.value_id(e, value, copy)
                    && let Some(part) =
                        (self.info).variable_part(&mut e.b, found.variable, found.expression)
                {
                    self.emit(e, call, DebugOp::DebugValue, id, &part);
                }
            }
            VariableUseKind::Declare => {
                let data = e.module.value(Some(e.function), value);
                if let Some(ValueKind::Global(global)) = data.map(|data| data.kind)
                    && let Some(variable) = e.memory.declared_global(global)
                    && self.info.flat_shape(&mut e.b, found.variable)
                        == Some((variable.count, u64::from(variable.width)))
                    && let Some(part) =
                        (self.info).variable_part(&mut e.b, found.variable, found.expression)
                {
                    self.emit(e, call, DebugOp::DebugDeclare, variable.id, &part);
                }
            }
        }
    }

    /// Emits one of the instructions about variables, in the scope of the call.
    fn emit(
        &mut self,
        e: &mut Emitter<'a>,
        call: InstId,
        op: DebugOp,
        id: Word,
        part: &VariablePart,
    ) {
        let place = self.place(e, call);
        e.b.mark_scope(place);
        let mut operands = vec![part.variable, id, part.expression];
        operands.extend_from_slice(&part.indices);
        e.b.debug_inst(op, &operands);
    }

    /// Emits the debug instructions that an access to memory gives for the variable there.
    fn memory(&mut self, e: &mut Emitter<'a>, inst: InstId) {
        if self.body.homes.is_empty() {
            return;
        }
        let (pointer, stored) = match e.kind(inst) {
            InstKind::Load { ptr, .. } => (ptr, None),
            InstKind::Store { ptr, value, .. } => (ptr, Some(value)),
            InstKind::AtomicRmw { ptr, .. } | InstKind::CmpXchg { ptr, .. } => (ptr, None),
            _ => return,
        };
        let Some((alloca, offset)) = e.memory.accessed_alloca(&e.f.context, pointer) else {
            return;
        };
        let Some(home) = self.body.homes.get_mut(&alloca) else {
            return;
        };
        if !std::mem::replace(&mut home.declared, true)
            && let Some(variable) = e.memory.declared_alloca(alloca)
        {
            let shape = Some((variable.count, u64::from(variable.width)));
            let flat =
                home.layout.is_none() && self.info.flat_shape(&mut e.b, home.variable) == shape;
            home.by_stores = !flat;
            let part = (self.info).variable_part(&mut e.b, home.variable, home.expression);
            let call = home.call;
            if let Some(part) = part.filter(|_| flat) {
                self.emit(e, call, DebugOp::DebugDeclare, variable.id, &part);
            }
        }
        if let (Some(value), Some(offset)) = (stored, offset) {
            self.stored(e, alloca, value, offset);
        }
    }

    /// Emits `DebugValue` for a store to a known part of a variable.
    fn stored(&mut self, e: &mut Emitter<'a>, alloca: InstId, value: ValueId, offset: u64) {
        let Some(home) = self.body.homes.get(&alloca).filter(|home| home.by_stores) else {
            return;
        };
        let Some(data) = e.module.value(Some(e.function), value) else {
            return;
        };
        let size = match e.module.ty(data.ty) {
            Type::Float | Type::Int(32) => 32,
            Type::Half | Type::Int(16) => 16,
            Type::Double | Type::Int(64) => 64,
            _ => return,
        };
        let Some(variable) = e.memory.declared_alloca(alloca) else {
            return;
        };
        let piece = match &home.layout {
            None => Some((offset.saturating_mul(8), size)),
            // An array of the numbers of one member or component.
            Some(layout) => element_offset(layout, offset.saturating_mul(8) / size)
                .filter(|_| u64::from(variable.width) == size)
                .map(|offset| (offset, size)),
        };
        let (call, variable) = (home.call, home.variable);
        if let Some(piece) = piece
            && let Some(part) = self.info.piece_of(&mut e.b, variable, Some(piece))
            && let Some(id) = self.value_id(e, value, None)
        {
            self.emit(e, call, DebugOp::DebugValue, id, &part);
        }
    }

    /// Returns the id of a value, if it is defined at the end of the code emitted so far.
    fn value_id(
        &mut self,
        e: &mut Emitter<'a>,
        value: ValueId,
        copy: Option<(ir::Inst, ir::Inst)>,
    ) -> Option<Word> {
        let data = e.module.value(Some(e.function), value)?;
        let local = match data.kind {
            ValueKind::Constant(constant) => {
                let constant = &e.module.constants.get(constant)?.value;
                let bits = match *constant {
                    Constant::Int(bits) | Constant::Float(bits) => u32::try_from(bits).ok()?,
                    Constant::Null => 0,
                    _ => return None,
                };
                return Some(match e.module.ty(data.ty) {
                    Type::Int(1) => e.b.debug_bool(bits != 0),
                    Type::Int(32) => e.b.debug_u32(bits),
                    Type::Float => {
                        let float = e.b.ty_f32();
                        e.b.debug_constant(float, bits)
                    }
                    _ => return None,
                });
            }
            ValueKind::Inst(inst) => {
                // Legalization may have replaced the value by another one of that instruction.
                let result = || e.function.insts.get(inst)?.result.expand();
                let known = e.lowered.local_of(value);
                known.or_else(|| e.lowered.local_of(result()?))?
            }
            ValueKind::Argument(_) => e.lowered.local_of(value)?,
            ValueKind::Global(_) | ValueKind::Function(_) => return None,
        };
        // With debug information each instruction is a run, and all values are the structurizer's.
        let renamed = e.renames.iter().find(|(old, _)| *old == local);
        let structured = renamed.map(|&(_, new)| new);
        let mut structured = structured.or_else(|| e.lowered.structured[local].expand())?;
        if let Some((own, original)) = copy
            && own != original
        {
            let results = (e.structured.results(original)).zip(e.structured.results(own));
            let copied = results.into_iter().find(|(value, _)| *value == structured);
            structured = copied.map_or(structured, |(_, own)| own);
        }
        let id = e.ids[structured].expand()?;
        match e.structured.value_kind(structured) {
            ir::ValueKind::Phi(_) | ir::ValueKind::Result { .. } => {
                let definition = self.body.definitions[structured]?;
                let current = self.body.current?;
                let dominators = self.body.dominators.as_ref()?;
                dominators.dominates(definition, current).then_some(id)
            }
            ir::ValueKind::Undef => None,
            _ => Some(id),
        }
    }
}

/// Returns the DXIL instruction of a structurizer's instruction.
fn source_inst(func: &ir::Function, inst: ir::Inst) -> Option<InstId> {
    let payload = func.payload(inst)?;
    (payload & SYNTHETIC == 0).then(|| InstId::from_u32(payload))
}

/// Returns the first bit, in the source variable, of an element of an array that DXC split off.
fn element_offset(layout: &VariableLayout, element: u64) -> Option<u64> {
    let mut rest = element;
    let mut offset = layout.offset;
    for &(stride, count) in layout.dimensions.iter().rev() {
        if count == 0 {
            return None;
        }
        offset = offset.checked_add(stride.checked_mul(rest % count)?)?;
        rest /= count;
    }
    (rest == 0).then_some(offset)
}
