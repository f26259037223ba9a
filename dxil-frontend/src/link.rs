//! Links libraries (`lib_6_x`): several modules become one, and each declaration is resolved to a
//! definition in another library.
//!
//! Types are equal if their structure is; a suffix `.N` of a structure's name, which LLVM appends to
//! a repeated name, does not count. External symbols are matched by name, and the resources of one
//! global variable become one. The module-level values of all libraries come first, so the local
//! values of a library move by a constant. Linear in the size of the libraries.
//!
//! Debug information is dropped. A function that no library defines stays a declaration.

use std::collections::HashMap;

use smallvec::SmallVec;
use trellis_entity::EntityRef;

use crate::error::LinkError;
use crate::input::Input;
use crate::metadata::{MdId, MdNode, Metadata};
use crate::module::{
    ConstId, ConstantData, Function, FunctionId, GlobalId, InstKind, Linkage, Module, Name,
    PoolRange, Type, TypeId, ValueData, ValueId, ValueKind, copy_constant, copy_kind, moved,
};
use crate::shader::{Resource, Shader, ShaderKind, Version, is_named, readable};

/// A library to link.
#[derive(Clone, Copy, Debug)]
pub struct Library<'a> {
    /// The library.
    pub input: &'a Input<'a>,
    /// The functions that other libraries and callers see; `None` for all, under their own names.
    pub exports: Option<&'a [Export<'a>]>,
}

impl<'a> From<&'a Input<'a>> for Library<'a> {
    fn from(input: &'a Input<'a>) -> Self {
        let exports = None;
        Self { input, exports }
    }
}

/// An exported function of a library, as in a state object of Direct3D.
#[derive(Clone, Copy, Debug)]
pub struct Export<'a> {
    /// The function: its mangled name, or the name in the source.
    pub symbol: &'a str,
    /// Its new name, if it gets one.
    pub name: Option<&'a str>,
}

/// Links libraries, in this order. Each is as [`read`](crate::read) returns it.
///
/// # Errors
/// See [`LinkError`].
pub fn link(libraries: &[Library<'_>]) -> Result<Input<'static>, LinkError> {
    let mut linker = Linker {
        module: Module::default(),
        shader: Shader::new(ShaderKind::Library, Version::default()),
        types: HashMap::new(),
        symbols: HashMap::new(),
        resources: HashMap::new(),
        counts: [0; 4],
        constants: 0,
        named: HashMap::new(),
        kinds: HashMap::new(),
    };
    let mut low_precision = None;
    let mut maps = Vec::with_capacity(libraries.len());
    for (index, library) in libraries.iter().enumerate() {
        let (module, shader) = (&library.input.module, &library.input.shader);
        if shader.kind != ShaderKind::Library {
            return Err(LinkError::NotLibrary(index));
        }
        let is_low = |ty: &Type| matches!(ty, Type::Half | Type::Int(16));
        let has_low = module.types.values().any(is_low);
        if index == 0 || has_low {
            (linker.module.triple).clone_from(&module.triple);
            // It has the size of minimum precision.
            (linker.module.data_layout).clone_from(&module.data_layout);
        }
        if has_low {
            let native = shader.native_low_precision;
            if *low_precision.get_or_insert(native) != native {
                return Err(LinkError::LowPrecision(index));
            }
        }
        maps.push(linker.add_symbols(library)?);
    }
    linker.shader.native_low_precision = low_precision.unwrap_or_default();
    for (library, mut map) in libraries.iter().zip(maps) {
        map.module_values = linker.module.values.len();
        linker.add_contents(&library.input.module, &mut map);
        linker.add_shader(library, &map)?;
    }
    linker.shader.resources.sort_by_key(|r| (r.class, r.id));
    Ok(Input {
        container: None,
        program: None,
        module: Box::new(linker.module),
        shader: linker.shader,
    })
}

struct Linker {
    module: Module,
    shader: Shader,
    /// By structure, with names without suffix.
    types: HashMap<Type, TypeId>,
    symbols: HashMap<Name, ValueId>,
    /// Index of the resource of a global variable.
    resources: HashMap<GlobalId, usize>,
    /// Number of resources of each class.
    counts: [u32; 4],
    /// Number of constants of the libraries so far.
    constants: usize,
    /// Index of each named metadata node, and the number of each metadata kind.
    named: HashMap<Name, usize>,
    kinds: HashMap<Box<[u8]>, u32>,
}

/// The new numbers of a library's entities.
struct Map {
    types: Vec<TypeId>,
    /// Of module-level values.
    values: Vec<ValueId>,
    /// Number of module-level values of the result.
    module_values: usize,
    first_constant: usize,
    first_metadata: usize,
    all_globals: HashMap<GlobalId, GlobalId>,
    /// Globals that are taken from this library: old and new numbers.
    globals: Vec<(GlobalId, GlobalId)>,
    functions: Vec<(FunctionId, FunctionId)>,
}

impl Map {
    fn ty(&self, ty: TypeId) -> TypeId {
        self.types[ty.index()]
    }
    fn value(&self, value: ValueId) -> ValueId {
        let index = value.index();
        // Values of a function are numbered after the module's.
        let local = || ValueId::new(index - self.values.len() + self.module_values);
        self.values.get(index).copied().unwrap_or_else(local)
    }
    fn data(&self, data: ValueData) -> ValueData {
        let kind = match data.kind {
            ValueKind::Constant(c) => {
                ValueKind::Constant(ConstId::new(self.first_constant + c.index()))
            }
            other => other,
        };
        let ty = self.ty(data.ty);
        ValueData { ty, kind }
    }
    fn metadata(&self, id: MdId) -> MdId {
        MdId::new(self.first_metadata + id.index())
    }
}

/// Returns the names under which others see a function of a library.
fn names(library: &Library<'_>, function: &Function) -> Vec<Name> {
    let own = &function.name;
    match library.exports {
        None => vec![own.clone()],
        Some(_) if function.is_declaration => vec![own.clone()],
        Some(exports) => exports
            .iter()
            .filter(|export| is_named(own, export.symbol))
            .map(|export| export.name.map_or_else(|| own.clone(), Name::from))
            .collect(),
    }
}

/// Calls `f` for each type that a type is made of.
fn each_part(ty: &mut Type, mut f: impl FnMut(&mut TypeId)) {
    match ty {
        Type::Pointer { pointee: part, .. }
        | Type::Vector { element: part, .. }
        | Type::Array { element: part, .. } => f(part),
        Type::Struct { fields, .. } => fields.iter_mut().for_each(f),
        Type::Function { ret, params, .. } => {
            f(ret);
            params.iter_mut().for_each(f);
        }
        _ => {}
    }
}

/// Removes the suffix that LLVM appends to a repeated name.
fn without_suffix(name: &mut Name) {
    if let Some((stem, suffix)) = name.rsplit_once('.')
        && suffix.bytes().all(|b| b.is_ascii_digit())
    {
        *name = stem.into();
    }
}

fn is_local(linkage: Linkage, name: &str) -> bool {
    matches!(linkage, Linkage::Internal | Linkage::Private) || name.is_empty()
}

impl Linker {
    /// Adds types and module-level values, without the contents of functions and constants.
    fn add_symbols(&mut self, library: &Library<'_>) -> Result<Map, LinkError> {
        let module = &*library.input.module;
        let mut map = Map {
            types: self.add_types(module),
            values: Vec::with_capacity(module.values.len()),
            module_values: 0,
            first_constant: self.constants,
            first_metadata: 0,
            all_globals: HashMap::new(),
            globals: Vec::new(),
            functions: Vec::new(),
        };
        self.constants += module.constants.len();
        for &data in &module.values {
            let value = match data.kind {
                ValueKind::Global(id) => self.add_global(module, id, &mut map)?,
                ValueKind::Function(id) => self.add_function(library, id, &mut map)?,
                _ => self.add_value(map.data(data)),
            };
            map.values.push(value);
        }
        let defined = |symbol: &str| {
            let mut functions = module.functions.values();
            functions.any(|f| !f.is_declaration && is_named(&f.name, symbol))
        };
        let mut exports = library.exports.into_iter().flatten();
        match exports.find(|export| !defined(export.symbol)) {
            Some(export) => Err(LinkError::Export(export.symbol.into())),
            None => Ok(map),
        }
    }

    fn add_types(&mut self, module: &Module) -> Vec<TypeId> {
        let mut map: Vec<TypeId> = Vec::with_capacity(module.types.len());
        // Types that refer to later ones, which only recursive structures do in LLVM's output.
        let mut forward = Vec::new();
        for ty in module.types.values() {
            let (mut new, mut is_forward) = (ty.clone(), false);
            each_part(&mut new, |part| match map.get(part.index()) {
                Some(&known) => *part = known,
                None => is_forward = true,
            });
            map.push(if is_forward {
                let id = self.module.types.push(ty.clone());
                forward.push(id);
                id
            } else {
                let mut key = new.clone();
                if let Type::Struct {
                    name: Some(name), ..
                } = &mut key
                {
                    // LLVM numbers repeated names per module, so equal types may have different
                    // suffixes.
                    without_suffix(name);
                }
                let types = &mut self.module.types;
                *self.types.entry(key).or_insert_with(|| types.push(new))
            });
        }
        for id in forward {
            each_part(&mut self.module.types[id], |part| *part = map[part.index()]);
        }
        map
    }

    fn add_value(&mut self, data: ValueData) -> ValueId {
        let id = ValueId::new(self.module.values.len());
        self.module.values.push(data);
        id
    }

    fn add_global(
        &mut self,
        module: &Module,
        id: GlobalId,
        map: &mut Map,
    ) -> Result<ValueId, LinkError> {
        let global = &module.globals[id];
        let ty = map.ty(global.ptr_ty);
        let is_local = is_local(global.linkage, &global.name);
        if !is_local && let Some(&known) = self.symbols.get(&global.name) {
            let known_data = self.module.values[known.index()];
            let ValueKind::Global(new) = known_data.kind else {
                return Err(LinkError::Type(readable(&global.name).into()));
            };
            if known_data.ty != ty {
                return Err(LinkError::Type(readable(&global.name).into()));
            }
            map.all_globals.insert(id, new);
            let other = &mut self.module.globals[new];
            match (other.init, global.init) {
                (None, Some(_)) => {
                    other.init = global.init;
                    map.globals.push((id, new));
                }
                // Definitions with other linkage may be repeated, such as `linkonce_odr`.
                (Some(_), Some(_)) if !matches!(global.linkage, Linkage::Other(_)) => {
                    return Err(LinkError::Duplicate(readable(&global.name).into()));
                }
                _ => {}
            }
            return Ok(known);
        }
        let mut new = global.clone();
        (new.ty, new.ptr_ty, new.section) = (map.ty(global.ty), ty, 0);
        let new = self.module.globals.push(new);
        map.globals.push((id, new));
        map.all_globals.insert(id, new);
        let kind = ValueKind::Global(new);
        let value = self.add_value(ValueData { ty, kind });
        if !is_local {
            self.symbols.insert(global.name.clone(), value);
        }
        Ok(value)
    }

    fn add_function(
        &mut self,
        library: &Library<'_>,
        id: FunctionId,
        map: &mut Map,
    ) -> Result<ValueId, LinkError> {
        let (old_module, function) = (&library.input.module, library.input.module.function(id));
        let ty = map.ty(old_module.values[function.value.index()].ty);
        let names = match is_local(function.linkage, &function.name) {
            true => Vec::new(),
            false => names(library, function),
        };
        let mut declarations = Vec::new();
        for name in &names {
            let Some(&value) = self.symbols.get(name) else {
                continue;
            };
            let other = self.module.values[value.index()];
            let is_intrinsic = name.starts_with("dx.") || name.starts_with("llvm.");
            match other.kind {
                ValueKind::Function(_) if other.ty == ty && function.is_declaration => {
                    return Ok(value);
                }
                ValueKind::Function(new) if other.ty == ty => {
                    if self.module.function(new).is_declaration {
                        declarations.push(value);
                    } else if matches!(function.linkage, Linkage::Other(_)) {
                        return Ok(value);
                    } else {
                        return Err(LinkError::Duplicate(readable(name).into()));
                    }
                }
                // Shader models differ in the types of some operations.
                _ if function.is_declaration && is_intrinsic => {}
                _ => return Err(LinkError::Type(readable(name).into())),
            }
        }
        let kind = ValueKind::Function(self.module.functions.next_key());
        let value = self.add_value(ValueData { ty, kind });
        let new = self.module.functions.push(Function {
            name: names.first().unwrap_or(&function.name).clone(),
            ty: map.ty(function.ty),
            value,
            is_declaration: function.is_declaration,
            linkage: match names.is_empty() {
                true => Linkage::Internal,
                false => function.linkage,
            },
            cc: function.cc,
            unnamed_addr: function.unnamed_addr,
            ..Function::default()
        });
        map.functions.push((id, new));
        // Uses of earlier declarations refer to this definition from now on.
        for declaration in declarations {
            self.module.values[declaration.index()].kind = kind;
        }
        for name in names {
            self.symbols.insert(name, value);
        }
        Ok(value)
    }

    /// Adds constants, metadata, initializers and the bodies of functions.
    fn add_contents(&mut self, module: &Module, map: &mut Map) {
        map.first_metadata = self.module.metadata.nodes.len();
        let pool = self.module.const_operands.len();
        for constant in module.constants.values() {
            self.module.constants.push(ConstantData {
                ty: map.ty(constant.ty),
                value: copy_constant(&constant.value, pool, |v| map.value(v), |ty| map.ty(ty)),
            });
        }
        let value = |&v: &u32| map.value(ValueId::from_u32(v)).as_u32();
        let operands = module.const_operands.iter().map(value);
        self.module.const_operands.extend(operands);
        for &(old, new) in &map.globals {
            self.module.globals[new].init = module.globals[old].init.map(|v| map.value(v));
        }
        let kinds = self.add_metadata(&module.metadata, map);
        let kind = |old| kinds.get(&old).copied().unwrap_or(old);

        let (first_list, first_group) = (
            self.module.attributes.len() as u32,
            self.module.attribute_groups.len() as u32,
        );
        let lists = module.attributes.iter();
        let lists = lists.map(|list| list.iter().map(|group| first_group + group).collect());
        self.module.attributes.extend(lists);
        (self.module.attribute_groups).extend(module.attribute_groups.iter().cloned());

        for &(old, new) in &map.functions {
            let old = module.function(old);
            let attributes = |list: u32| match list {
                0 => 0,
                _ => first_list + list,
            };
            let attached = |&(k, id): &(u32, MdId)| (kind(k), map.metadata(id));
            let function = &mut self.module.functions[new];
            function.attributes = attributes(old.attributes);
            function.values = old.values.iter().map(|&data| map.data(data)).collect();
            function.blocks.clone_from(&old.blocks);
            for inst in old.insts.values() {
                let mut new = *inst;
                let pool = &mut function.pool;
                new.kind = copy_kind(&inst.kind, &old.pool, pool, 0, |v| map.value(v), |b, _| b);
                match &mut new.kind {
                    InstKind::Alloca { ty, .. } | InstKind::Gep { source: ty, .. } => {
                        *ty = map.ty(*ty);
                    }
                    InstKind::Call {
                        callee,
                        attributes: a,
                        ..
                    } => {
                        // `copy_kind` keeps it.
                        *callee = map.value(*callee);
                        *a = attributes(u32::from(*a)).try_into().unwrap_or_default();
                    }
                    _ => {}
                }
                new.ty = map.ty(new.ty);
                new.result = new.result.expand().map(|v| map.value(v)).into();
                new.debug_loc = 0;
                function.insts.push(new);
            }
            let of_insts = old.inst_metadata.iter();
            function.inst_metadata = of_insts
                .map(|&(inst, k, id)| (inst, kind(k), map.metadata(id)))
                .collect();
            function.metadata = old.metadata.iter().map(attached).collect();
            let names = old.value_names.iter();
            function.value_names = names
                .map(|(v, name)| (map.value(*v), name.clone()))
                .collect();
            function.block_names.clone_from(&old.block_names);
            let operands = old.metadata_operands.iter();
            function.metadata_operands = operands.map(|&id| map.metadata(id)).collect();
        }
    }

    /// Adds metadata; returns the new numbers of its kinds.
    fn add_metadata(&mut self, old: &Metadata, map: &Map) -> HashMap<u32, u32> {
        let all = &mut self.module.metadata;
        let (strings, operands) = (all.strings.len(), all.operands.len());
        all.strings.extend_from_slice(&old.strings);
        let first = map.first_metadata as u32;
        let number = |&operand: &u32| match operand {
            0 => 0,
            _ => operand + first,
        };
        all.operands.extend(old.operands.iter().map(number));
        for node in old.nodes.values() {
            all.nodes.push(match *node {
                MdNode::String(range) => MdNode::String(moved(range, strings)),
                MdNode::Node {
                    distinct,
                    operands: range,
                } => MdNode::Node {
                    distinct,
                    operands: moved(range, operands),
                },
                MdNode::Value { ty, value } => MdNode::Value {
                    ty: map.ty(ty),
                    value: map.value(value),
                },
                MdNode::Debug { .. } => MdNode::Node {
                    distinct: false,
                    operands: PoolRange::default(),
                },
            });
        }
        for (name, nodes) in &old.named {
            if name.starts_with("llvm.dbg.") {
                continue;
            }
            let nodes = nodes.iter().map(|&id| map.metadata(id));
            let at = *self.named.entry(name.clone()).or_insert_with(|| {
                all.named.push((name.clone(), SmallVec::new()));
                all.named.len() - 1
            });
            all.named[at].1.extend(nodes);
        }
        let kinds = old.kinds.iter().map(|&(kind, range)| {
            let next = self.kinds.len() as u32;
            let new = *(self.kinds)
                .entry(old.strings[range.range()].into())
                .or_insert_with(|| {
                    all.kinds.push((next, moved(range, strings)));
                    next
                });
            (kind, new)
        });
        kinds.collect()
    }

    /// Adds entry points and resources.
    fn add_shader(&mut self, library: &Library<'_>, map: &Map) -> Result<(), LinkError> {
        let (module, old) = (&library.input.module, &library.input.shader);
        let shader = &mut self.shader;
        shader.model = shader.model.max(old.model);
        shader.dxil_version = shader.dxil_version.max(old.dxil_version);
        shader.validator_version = shader.validator_version.max(old.validator_version);
        shader.feature_flags |= old.feature_flags;
        if shader.denorm_mode == 0 {
            shader.denorm_mode = old.denorm_mode;
        }
        let new_function = |id: FunctionId| {
            let value = map.values[module.function(id).value.index()];
            match self.module.values[value.index()].kind {
                ValueKind::Function(new) => Some(new),
                _ => None,
            }
        };
        for entry in &old.entry_points {
            let mut new = entry.clone();
            for (_, id) in &mut new.properties.other {
                *id = map.metadata(*id);
            }
            if let Some(hull) = &mut new.properties.hull {
                hull.patch_constant_function = hull.patch_constant_function.and_then(new_function);
            }
            let Some(function) = entry.function else {
                // The flags of the whole library.
                let mut all = shader.entry_points.iter_mut();
                match all.find(|e| e.function.is_none()) {
                    Some(known) => known.properties.flags |= new.properties.flags,
                    None => shader.entry_points.push(new),
                }
                continue;
            };
            new.function = new_function(function);
            for name in names(library, module.function(function)) {
                let is_own = name == module.function(function).name;
                new.name = if is_own { entry.name.clone() } else { name };
                shader.entry_points.push(new.clone());
            }
        }
        for resource in &old.resources {
            let mut new = resource.clone();
            new.symbol_type = resource.symbol_type.map(|ty| map.ty(ty));
            new.global = resource
                .global
                .and_then(|id| map.all_globals.get(&id).copied());
            self.add_resource(new)?;
        }
        Ok(())
    }

    fn add_resource(&mut self, mut new: Resource) -> Result<(), LinkError> {
        let all = &mut self.shader.resources;
        let known = new.global.and_then(|global| self.resources.get(&global));
        let Some(&known) = known else {
            let count = &mut self.counts[new.class as usize];
            new.id = *count;
            *count += 1;
            if let Some(global) = new.global {
                self.resources.insert(global, all.len());
            }
            all.push(new);
            return Ok(());
        };
        let known = &mut all[known];
        // These depend on the library's uses of the resource, or may be stripped, so the libraries
        // may differ in them.
        known.has_counter |= new.has_counter;
        known.atomic64 |= new.atomic64;
        let expected = Resource {
            id: known.id,
            name: known.name.clone(),
            has_counter: known.has_counter,
            atomic64: known.atomic64,
            ..new
        };
        if *known == expected {
            return Ok(());
        }
        let global = known.global.map(|global| &self.module.globals[global].name);
        Err(LinkError::Resource(
            global.map_or("", |name| readable(name)).into(),
        ))
    }
}
