//! The memory of modules that were given back: emptied for the next module, and counted.
//!
//! Tables of the module keep their memory in place. That of function bodies and of long lists of
//! types is put aside, as the next module has them at other numbers.

use std::mem::{replace, take};

use trellis_entity::{EntityRef, PrimaryMap};

use crate::metadata::Metadata;
use crate::module::{Function, Module, Name, Type, TypeList};

use super::{Builder, NameBuffers};

/// Memory of the parts of modules before, all of them empty.
#[derive(Default)]
pub(super) struct Spare {
    bodies: Vec<Function>,
    pub(super) type_lists: Vec<TypeList>,
}

impl Spare {
    fn bytes(&self) -> usize {
        let lists = self.type_lists.iter().map(list_bytes).sum::<usize>();
        self.bodies.iter().map(body_bytes).sum::<usize>()
            + vec(&self.bodies)
            + vec(&self.type_lists)
            + lists
    }

    /// Gives a function without body the memory of one before.
    pub(super) fn body(&mut self, function: &mut Function) {
        let Some(spare) = self.bodies.pop() else {
            return;
        };
        let Function {
            ref mut name,
            ty,
            value,
            is_declaration,
            linkage,
            cc,
            attributes,
            unnamed_addr,
            ..
        } = *function;
        *function = Function {
            name: take(name),
            ty,
            value,
            is_declaration,
            linkage,
            cc,
            attributes,
            unnamed_addr,
            ..spare
        };
    }
}

impl Builder {
    /// Forgets the module before; its memory is kept if it was given back.
    pub(super) fn clear(&mut self) {
        let Self {
            module,
            empty: _,
            relative_ids,
            types,
            shared_metadata,
            constant_depth,
            initializers,
            bodies,
            defined,
            forward,
            expected,
            phis: _,
            spare: _,
            names: _,
            #[cfg(test)]
                only_any_calls: _,
        } = self;
        // Empty, unless a panic ended the last reading.
        clear(module);
        *relative_ids = false;
        types.clear();
        *shared_metadata = 0;
        constant_depth.clear();
        initializers.clear();
        bodies.clear();
        defined.clear();
        forward.clear();
        expected.clear();
    }

    /// Takes a module back, empty.
    pub(super) fn recycle(&mut self, mut module: Box<Module>) {
        // In reverse order, so that the next module's functions get them in order: a file that is
        // read again has the memory that it needs.
        for function in module.functions.values_mut().rev() {
            if function.insts.capacity() != 0 {
                clear_body(function);
                self.spare.bodies.push(take(function));
            }
        }
        for ty in module.types.values_mut().rev() {
            if let Type::Struct { fields: list, .. } | Type::Function { params: list, .. } = ty
                && list.spilled()
            {
                list.clear();
                self.spare.type_lists.push(take(list));
            }
        }
        clear(&mut module);
        self.empty = Some(replace(&mut self.module, module));
        self.names.keep();
    }

    /// Returns the bytes that it keeps.
    pub(super) fn bytes(&self) -> usize {
        module_bytes(&self.module)
            + self.types.bytes()
            + self.constant_depth.capacity() * size_of::<u32>()
            + vec(&self.initializers)
            + list_bytes(&self.bodies)
            + list_bytes(&self.defined)
            + vec(&self.forward)
            + vec(&self.expected)
            + self.phis.bytes()
            + self.spare.bytes()
            + self.names.bytes()
    }
}

impl NameBuffers {
    /// Returns the bytes that it keeps.
    pub(super) fn bytes(&self) -> usize {
        vec(&self.numbers) + vec(&self.at) + vec(&self.names)
    }
}

/// Returns the bytes of a vector's memory.
fn vec<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

/// Returns the bytes of a map's memory.
fn map<K: EntityRef, V>(map: &PrimaryMap<K, V>) -> usize {
    map.capacity() * size_of::<V>()
}

/// Returns the bytes that a list has outside of itself.
fn list_bytes<A: smallvec::Array>(list: &smallvec::SmallVec<A>) -> usize {
    if list.spilled() {
        list.capacity() * size_of::<A::Item>()
    } else {
        0
    }
}

/// Empties a module.
fn clear(module: &mut Module) {
    let Module {
        triple,
        data_layout,
        types,
        values,
        constants,
        const_operands,
        globals,
        functions,
        attributes,
        attribute_groups,
        sections,
        metadata,
    } = module;
    (*triple, *data_layout) = (Name::default(), Name::default());
    types.clear();
    values.clear();
    constants.clear();
    const_operands.clear();
    globals.clear();
    functions.clear();
    attributes.clear();
    attribute_groups.clear();
    sections.clear();
    let Metadata {
        nodes,
        strings,
        operands,
        records,
        named,
        kinds,
    } = metadata;
    nodes.clear();
    strings.clear();
    operands.clear();
    records.clear();
    named.clear();
    kinds.clear();
}

/// Returns the bytes of an empty module.
fn module_bytes(module: &Module) -> usize {
    let metadata = &module.metadata;
    map(&module.types)
        + vec(&module.values)
        + map(&module.constants)
        + vec(&module.const_operands)
        + map(&module.globals)
        + map(&module.functions)
        + vec(&module.attributes)
        + vec(&module.attribute_groups)
        + vec(&module.sections)
        + map(&metadata.nodes)
        + vec(&metadata.strings)
        + vec(&metadata.operands)
        + vec(&metadata.records)
        + vec(&metadata.named)
        + vec(&metadata.kinds)
}

/// Empties what a function's body consists of.
fn clear_body(function: &mut Function) {
    let Function {
        name: _,
        ty: _,
        value: _,
        is_declaration: _,
        linkage: _,
        cc: _,
        attributes: _,
        unnamed_addr: _,
        values,
        blocks,
        insts,
        pool,
        debug_locs,
        inst_metadata,
        metadata,
        value_names,
        block_names,
        metadata_operands,
    } = function;
    values.clear();
    blocks.clear();
    insts.clear();
    pool.clear();
    debug_locs.clear();
    inst_metadata.clear();
    metadata.clear();
    value_names.clear();
    block_names.clear();
    metadata_operands.clear();
}

/// Returns the bytes of an empty body.
fn body_bytes(function: &Function) -> usize {
    vec(&function.values)
        + map(&function.blocks)
        + map(&function.insts)
        + vec(&function.pool)
        + vec(&function.debug_locs)
        + vec(&function.inst_metadata)
        + vec(&function.metadata)
        + vec(&function.value_names)
        + vec(&function.block_names)
        + vec(&function.metadata_operands)
}
