//! Local arrays that only hold rows of a constant buffer. HLSL copies an array or matrix of a
//! constant buffer before it reads an element by an index that is known at run time; drivers keep
//! the copy in scratch memory. Such reads become reads of the buffer.
//!
//! An array qualifies if each of its elements is stored exactly once, in the first block, from a
//! row with a constant number; if the words that it holds lie in the buffer one after the other, or
//! one in each row; and if it is only loaded otherwise, after the stores. Reads outside of the
//! array are undefined in SPIR-V; now they read another word of the buffer, or 0.

use rustc_hash::FxHashMap;
use trellis_dxil_frontend::debug_info::VariableUses;
use trellis_dxil_frontend::dxop::{DxDeclarations, Op};
use trellis_dxil_frontend::module::{
    BinaryOp, Function, Inst, InstId, InstKind, Module, Ordering, Type, TypeId, ValueId, ValueKind,
};
use trellis_entity::{EntityRange, SecondaryMap};

use super::Context;
use super::rewriter::{FunctionRewriter, NewInst, binary};
use crate::error::Error;

/// Most elements of an array.
const MOST: u64 = 4096;

/// An array, while its uses are looked at.
struct Array {
    alloca: InstId,
    /// Whether it may still qualify.
    fits: bool,
    element: TypeId,
    len: u64,
    /// The store of each element, and the word of the buffer that it stores.
    stores: FxHashMap<u64, u64>,
    last_store: InstId,
    /// The first load of the array in the first block.
    first_load: Option<InstId>,
    /// Some load has an index that is known at run time.
    is_indexed: bool,
    /// A load of a row, and its handle.
    row: Option<(InstId, ValueId)>,
}

/// Where the elements of an array are.
#[derive(Clone, Copy)]
struct Copy {
    /// A load of a row, and its handle.
    row: (InstId, ValueId),
    element: TypeId,
    /// The word of element 0.
    first: u64,
    /// Each element is in a separate row; else they are contiguous.
    by_row: bool,
}

/// The arrays of a function that qualify.
pub(super) struct Copies {
    /// Of each load, the copy and the index.
    loads: FxHashMap<InstId, (Copy, ValueId)>,
    /// Instructions that nothing needs after the rewrite.
    unused: Vec<bool>,
}

/// The target of a pointer.
#[derive(Clone, Copy)]
enum Pointer {
    /// The array.
    Whole(usize),
    /// An element.
    Element(usize, ValueId),
    /// The array, for a marker of its lifetime.
    Marker(usize),
}

impl Pointer {
    fn array(self) -> usize {
        match self {
            Self::Whole(array) | Self::Element(array, _) | Self::Marker(array) => array,
        }
    }
}

struct Search<'a> {
    module: &'a Module,
    ops: &'a DxDeclarations,
    function: &'a Function,
    variables: VariableUses,
    arrays: Vec<Array>,
    /// How many of them may still qualify.
    fitting: usize,
    pointers: SecondaryMap<ValueId, Option<Pointer>>,
    /// The loads and stores of all arrays, with the array and the index.
    accesses: Vec<(InstId, usize, ValueId)>,
    /// Addresses, casts and markers.
    others: Vec<(InstId, usize)>,
}

/// Finds the arrays that qualify; `None` if there are none.
pub(super) fn find(module: &Module, ops: &DxDeclarations, function: &Function) -> Option<Copies> {
    let first_block = function.blocks.values().next()?.insts;
    let is_variable = |inst: &Inst| matches!(inst.kind, InstKind::Alloca { .. });
    // Most functions have no variable there, and need no search.
    if !function.insts[first_block].iter().any(is_variable) {
        return None;
    }
    find_in(module, ops, function, first_block)
}

fn find_in(
    module: &Module,
    ops: &DxDeclarations,
    function: &Function,
    first_block: EntityRange<InstId>,
) -> Option<Copies> {
    let mut search = Search {
        module,
        ops,
        function,
        variables: VariableUses::default(),
        arrays: Vec::new(),
        fitting: 0,
        pointers: SecondaryMap::new(),
        accesses: Vec::new(),
        others: Vec::new(),
    };
    for at in first_block {
        search.declare(at);
    }
    if search.arrays.is_empty() {
        return None;
    }
    search.variables = VariableUses::new(module);
    let last = InstId::from_u32(first_block.end().as_u32());
    for (at, inst) in function.insts.iter() {
        search.look_at(at, inst, at < last);
        if search.fitting == 0 {
            return None;
        }
    }
    search.copies()
}

impl Search<'_> {
    /// Adds the array that an instruction declares.
    fn declare(&mut self, at: InstId) {
        let inst = self.function.insts[at];
        let (InstKind::Alloca { ty, count, .. }, Some(result)) = (inst.kind, inst.result.expand())
        else {
            return;
        };
        let &Type::Array { element, len } = self.module.ty(ty) else {
            return;
        };
        let is_word = matches!(self.module.ty(element), Type::Float | Type::Int(32));
        if !is_word || len > MOST || self.module.const_int(Some(self.function), count) != Some(1) {
            return;
        }
        self.pointers[result] = Some(Pointer::Whole(self.arrays.len()));
        self.fitting += 1;
        self.arrays.push(Array {
            alloca: at,
            fits: true,
            element,
            len,
            stores: FxHashMap::default(),
            last_store: at,
            first_load: None,
            is_indexed: false,
            row: None,
        });
    }

    /// Records an instruction's accesses to the arrays.
    fn look_at(&mut self, at: InstId, inst: &Inst, in_first: bool) {
        let function = self.function;
        for value in function.operands(&inst.kind) {
            let Some(pointer) = self.pointers[value] else {
                continue;
            };
            if !self.is_known_use(at, inst, pointer, in_first) {
                self.refuse(pointer);
            }
        }
        // Debug information shows the array.
        let shown = self.variable(at).and_then(|v| self.pointers[v]);
        if let Some(pointer) = shown {
            self.refuse(pointer);
        }
    }

    /// Records that an array does not qualify.
    fn refuse(&mut self, pointer: Pointer) {
        let fits = &mut self.arrays[pointer.array()].fits;
        self.fitting -= usize::from(std::mem::replace(fits, false));
    }

    /// Returns the value that an instruction assigns to a source variable, if it does so.
    fn variable(&self, at: InstId) -> Option<ValueId> {
        if self.variables.is_empty() {
            return None;
        }
        self.variables.parse(self.module, self.function, at)?.value
    }

    /// Records a use of a pointer; `false` for one that does not fit.
    fn is_known_use(&mut self, at: InstId, inst: &Inst, pointer: Pointer, in_first: bool) -> bool {
        match (inst.kind, pointer, inst.result.expand()) {
            (InstKind::Gep { operands, .. }, Pointer::Whole(array), Some(result)) => {
                let operands = self.function.pool.get(operands.range()).unwrap_or_default();
                let &[_, zero, index] = operands else {
                    return false;
                };
                let (zero, index) = (ValueId::from_u32(zero), ValueId::from_u32(index));
                self.others.push((at, array));
                self.pointers[result] = Some(Pointer::Element(array, index));
                // Row numbers and offsets are computed in 32 bits.
                let index_ty = self.module.value(Some(self.function), index).map(|v| v.ty);
                index_ty.is_some_and(|ty| *self.module.ty(ty) == Type::Int(32))
                    && self.module.const_int(Some(self.function), zero) == Some(0)
            }
            (InstKind::Cast { .. }, Pointer::Whole(array), Some(result)) => {
                self.others.push((at, array));
                self.pointers[result] = Some(Pointer::Marker(array));
                true
            }
            (InstKind::Call { callee, .. }, Pointer::Marker(array), None) => {
                self.others.push((at, array));
                let Some(ValueKind::Function(f)) = self.module.value(None, callee).map(|v| v.kind)
                else {
                    return false;
                };
                self.module.function(f).name.starts_with("llvm.lifetime.")
            }
            (
                InstKind::Load {
                    volatile: false,
                    ordering: Ordering::NotAtomic,
                    ..
                },
                Pointer::Element(array, index),
                _,
            ) => {
                self.accesses.push((at, array, index));
                let is_known = self.module.const_int(Some(self.function), index).is_some();
                let array = &mut self.arrays[array];
                array.is_indexed |= !is_known;
                if in_first {
                    array.first_load.get_or_insert(at);
                }
                inst.ty == array.element
            }
            (
                InstKind::Store {
                    value,
                    volatile: false,
                    ordering: Ordering::NotAtomic,
                    ..
                },
                Pointer::Element(array, index),
                _,
            ) => {
                self.accesses.push((at, array, index));
                in_first && self.pointers[value].is_none() && self.store(at, array, index, value)
            }
            _ => false,
        }
    }

    /// Records a store; `false` if it does not store a word of the buffer.
    fn store(&mut self, at: InstId, array: usize, index: ValueId, value: ValueId) -> bool {
        let Some(index) = self.module.const_int(Some(self.function), index) else {
            return false;
        };
        let Some((row, handle, word)) = self.word(value) else {
            return false;
        };
        let array = &mut self.arrays[array];
        array.last_store = at;
        let (_, known) = *array.row.get_or_insert((row, handle));
        known == handle && index < array.len && array.stores.insert(index, word).is_none()
    }

    /// Returns the word of a constant buffer that a value is: the load of its row, the handle, and
    /// the number of the word.
    fn word(&self, value: ValueId) -> Option<(InstId, ValueId, u64)> {
        let inst_of = |value| match self.module.value(Some(self.function), value)?.kind {
            ValueKind::Inst(at) => Some(at),
            _ => None,
        };
        let InstKind::ExtractValue { aggregate, indices } =
            self.function.insts[inst_of(value)?].kind
        else {
            return None;
        };
        let &[component @ 0..4] = self.function.pool.get(indices.range())? else {
            return None;
        };
        let at = inst_of(aggregate)?;
        let call = self.ops.parse(self.module, self.function, at).ok()??;
        let fields = match self.module.ty(call.ty) {
            Type::Struct { fields, .. } => fields.len(),
            _ => 0,
        };
        if call.op != Op::CBufferLoadLegacy || fields != 4 {
            return None;
        }
        let row = self
            .module
            .const_int(Some(self.function), call.operand(1)?)?;
        // A row number has 32 bits, so a word number has 34.
        Some((
            at,
            call.operand(0)?,
            (row & 0xffff_ffff) * 4 + u64::from(component),
        ))
    }

    /// Returns the arrays that qualify.
    fn copies(self) -> Option<Copies> {
        let found: Vec<Option<Copy>> = self.arrays.iter().map(Array::copy).collect();
        if found.iter().all(Option::is_none) {
            return None;
        }
        let mut unused = vec![false; self.function.insts.len()];
        let mut loads = FxHashMap::default();
        for &(at, array) in &self.others {
            unused[at.as_u32() as usize] |= found[array].is_some();
        }
        for (array, copy) in self.arrays.iter().zip(&found) {
            unused[array.alloca.as_u32() as usize] |= copy.is_some();
        }
        for &(at, array, index) in &self.accesses {
            let Some(copy) = found[array] else {
                continue;
            };
            if let InstKind::Load { .. } = self.function.insts[at].kind {
                loads.insert(at, (copy, index));
            } else {
                unused[at.as_u32() as usize] = true;
            }
        }
        self.drop_rows(&loads, &mut unused);
        self.is_complete(&loads, &unused)
            .then_some(Copies { loads, unused })
    }

    /// Returns true if no remaining instruction uses a removed one. Blocks may come before their
    /// dominators, so that a use may have been visited before the address.
    fn is_complete(&self, loads: &FxHashMap<InstId, (Copy, ValueId)>, unused: &[bool]) -> bool {
        let stays = |value| match self
            .module
            .value(Some(self.function), value)
            .map(|v| v.kind)
        {
            Some(ValueKind::Inst(at)) => !unused.get(at.as_u32() as usize).is_some_and(|u| *u),
            _ => true,
        };
        self.function.insts.iter().all(|(at, inst)| {
            unused[at.as_u32() as usize]
                || match loads.get(&at) {
                    Some(&(_, index)) => stays(index),
                    None => self.function.operands(&inst.kind).all(stays),
                }
        })
    }

    /// Marks the rows, and words of them, that only stores used which are gone.
    fn drop_rows(&self, loads: &FxHashMap<InstId, (Copy, ValueId)>, unused: &mut [bool]) {
        let base = self.module.values.len();
        let mut uses = vec![0u32; self.function.values.len()];
        let slot = |v: ValueId| (v.as_u32() as usize).checked_sub(base);
        for (at, inst) in self.function.insts.iter() {
            if !unused[at.as_u32() as usize] {
                let index = loads.get(&at).map(|&(_, index)| index);
                let used = self.function.operands(&inst.kind).chain(self.variable(at));
                let used = used.chain(index);
                for at in used.filter_map(slot) {
                    if let Some(count) = uses.get_mut(at) {
                        *count += 1;
                    }
                }
            }
        }
        // Words come after their rows.
        for (at, inst) in self.function.insts.iter().rev() {
            let is_row = || match self.ops.parse(self.module, self.function, at) {
                Ok(Some(call)) => call.op == Op::CBufferLoadLegacy,
                _ => false,
            };
            let can_go = match inst.kind {
                InstKind::ExtractValue { .. } => true,
                InstKind::Call { .. } => is_row(),
                _ => false,
            };
            let result = inst
                .result
                .expand()
                .and_then(slot)
                .and_then(|at| uses.get(at));
            if !can_go || result != Some(&0) || unused[at.as_u32() as usize] {
                continue;
            }
            unused[at.as_u32() as usize] = true;
            for at in self.function.operands(&inst.kind).filter_map(slot) {
                if let Some(count) = uses.get_mut(at) {
                    *count -= 1;
                }
            }
        }
    }
}

impl Array {
    /// Returns where the elements are, if the array qualifies.
    fn copy(&self) -> Option<Copy> {
        let is_read_after = self.first_load.is_none_or(|load| load > self.last_store);
        if !self.fits || !self.is_indexed || !is_read_after {
            return None;
        }
        if self.len < 2 || self.stores.len() as u64 != self.len {
            return None;
        }
        let first = *self.stores.get(&0)?;
        let step = self.stores.get(&1)?.checked_sub(first)?;
        let is_even = |(index, word): (&u64, &u64)| *word == first + index * step;
        if !matches!(step, 1 | 4) || !self.stores.iter().all(is_even) {
            return None;
        }
        Some(Copy {
            row: self.row?,
            element: self.element,
            first,
            by_row: step == 4,
        })
    }
}

/// Rewrites one function.
///
/// # Errors
/// None are expected: a value that is needed and gone.
pub(super) fn run(context: &Context<'_>, mut w: FunctionRewriter<'_>) -> Result<Function, Error> {
    let Some(copies) = find(w.module, context.ops, w.old) else {
        return Ok(w.unchanged());
    };
    for (block, data) in w.old.blocks.iter() {
        for at in data.insts {
            if copies.unused[at.as_u32() as usize] {
                continue;
            }
            match copies.loads.get(&at) {
                Some(&(copy, index)) => load(&mut w, at, copy, index),
                None => w.keep(at),
            }
        }
        w.end_block(block);
    }
    w.finish()
}

/// Appends an instruction in the place of a load.
fn write(w: &mut FunctionRewriter<'_>, at: InstId, kind: InstKind, ty: TypeId) -> ValueId {
    let result = w.result(ty);
    let mut inst = w.old.insts[at];
    (inst.kind, inst.ty, inst.result) = (kind, ty, result.into());
    let metadata = None;
    w.push(NewInst { inst, metadata });
    result
}

/// Replaces a load by one of the buffer.
fn load(w: &mut FunctionRewriter<'_>, at: InstId, copy: Copy, index: ValueId) {
    let (row_load, handle) = copy.row;
    let (model, int) = (w.old.insts[row_load], w.int);
    let plus = |w: &mut FunctionRewriter<'_>, more: u64| match more {
        0 => index,
        _ => {
            let more = w.number(more as u32);
            write(w, at, binary(BinaryOp::Add, index, more), int)
        }
    };
    let value = if copy.by_row {
        let row = plus(w, copy.first / 4);
        let load = w.call_like(model.kind, Op::CBufferLoadLegacy, [handle, row]);
        let aggregate = write(w, at, load, model.ty);
        let indices = w.list([(copy.first % 4) as u32]);
        let kind = InstKind::ExtractValue { aggregate, indices };
        write(w, at, kind, copy.element)
    } else {
        let word = plus(w, copy.first);
        let two = w.number(2);
        let offset = write(w, at, binary(BinaryOp::Shl, word, two), int);
        let align = w.number(4);
        let load = w.call_like(model.kind, Op::CBufferLoad, [handle, offset, align]);
        write(w, at, load, copy.element)
    };
    if let Some(result) = w.old.insts[at].result.expand() {
        w.replace(result, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::legalize::type_id;

    fn is_found(module: &Module) -> bool {
        let ops = DxDeclarations::new(module);
        let mut bodies = module.functions.values().filter(|f| !f.is_declaration);
        bodies.any(|f| find(module, &ops, f).is_some())
    }

    #[test]
    fn wide_indices_stay() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../corpus/shaders/local_arrays/buffer_copies.dxil"
        );
        let bytes = std::fs::read(path).expect("the corpus");
        let mut module = trellis_dxil_frontend::read(&bytes)
            .expect("a shader")
            .module;
        assert!(is_found(&module));
        let long = type_id(&mut module, &Type::Int(64));
        let base = module.values.len();
        for function in module.functions.values_mut() {
            for inst in function.insts.values() {
                let InstKind::Gep { operands, .. } = inst.kind else {
                    continue;
                };
                let index = function.pool[operands.range()].last().copied();
                let local = index.and_then(|v| (v as usize).checked_sub(base));
                if let Some(value) = local.and_then(|at| function.values.get_mut(at)) {
                    value.ty = long;
                }
            }
        }
        assert!(!is_found(&module));
    }
}
