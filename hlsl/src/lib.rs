//! Prints shaders as HLSL: structured control flow, expressions, and the declarations that reflection
//! has. See `README.md`.

mod access;
mod body;
mod expr;
mod handle;
mod input;
mod layout;
mod lower;
mod memory;
mod names;
mod ops;
mod plan;
mod resource;
mod signature;
mod slots;
mod statements;
mod text;
mod types;
mod write;

use std::collections::{BTreeMap, BTreeSet};

use trellis_dxbc_frontend::Definitions;
use trellis_dxil_frontend::container::Container;
use trellis_dxil_frontend::dxop::DxDeclarations;
use trellis_dxil_frontend::module::{
    Constant, FunctionId, GlobalId, InstKind, Module, RmwOp, Type, TypeId, ValueId, ValueKind,
};
use trellis_dxil_frontend::shader::{
    EntryPoint, Resource, ResourceClass, Shader, ShaderKind, TypeAnnotations,
};
use trellis_dxil_frontend::{Error as ReadError, Input};
use trellis_structurizer::{Options, Target, Tree, structurize};
use trellis_structurizer_analysis::variables::Variables;

use body::Body;
use layout::Types;
use names::Names;
use resource::Declared;
use signature::Field;
use text::Text;
use types::Scalar;

pub use text::Origin;

/// Most numbers of a constant table.
const LARGEST_TABLE: usize = 1 << 16;

/// One level of indentation.
const INDENT: &str = "    ";

/// A shader as HLSL.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printed {
    /// The text.
    pub text: String,
    /// Origins of the lines of the functions' bodies, in order.
    pub origins: Vec<Origin>,
    /// Constructs that the text does not express in HLSL, with their numbers. It compiles only without
    /// any.
    pub unwritten: BTreeMap<String, u32>,
}

/// An error of [`print()`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The input cannot be read.
    #[error(transparent)]
    Read(#[from] trellis_dxbc_frontend::Error),
    /// An operation or a type is malformed.
    #[error(transparent)]
    Module(#[from] ReadError),
    /// There is no entry point, or none of the name.
    #[error("no entry point {name:?}; available: {available:?}")]
    EntryPoint {
        /// The name, if one was given.
        name: Option<String>,
        /// The names of the entry points.
        available: Vec<String>,
    },
    /// The control flow cannot be structured.
    #[error("function {function}: {source}")]
    Structurize {
        /// The function.
        function: String,
        /// The structurizer's error.
        source: trellis_structurizer::Error,
    },
    /// A value is used where no definition of it reaches.
    #[error("a value is used before its definition")]
    UseBeforeDefinition,
    /// An address is computed in more steps than can be printed.
    #[error("an address of too many steps")]
    TooDeep,
}

/// Prints an entry point, and the functions that it calls: the only one, or the named one.
///
/// # Errors
/// See [`Error`].
///
/// # Examples
/// ```
/// let shader = include_bytes!("../tests/data/squares.dxil");
/// let printed = trellis_hlsl::print(shader, None)?;
/// assert!(printed.text.contains("[numthreads(4, 1, 1)]"));
/// assert!(printed.unwritten.is_empty());
/// # Ok::<(), trellis_hlsl::Error>(())
/// ```
pub fn print(bytes: &[u8], entry: Option<&str>) -> Result<Printed, Error> {
    let mut input = trellis_dxbc_frontend::read_with_debug_info(bytes)?;
    if let Some(container) = &input.container {
        // The names are no more than a help.
        let _ = trellis_dxil_frontend::names_from_stat(container, &mut input.shader);
    }
    let (module, shader) = (&*input.module, &input.shader);
    let container = input.container.as_ref();
    let reflected = container.and_then(|container| reflected(container, shader));
    let own = TypeAnnotations::read(module).unwrap_or_default();
    let (types, annotations, resources) = match &reflected {
        Some(d) => (&d.module, &d.annotations, &d.resources[..]),
        None => (module, &own, &shader.resources[..]),
    };
    let entry = choose(shader, entry)?;
    let mut by_rows = BTreeSet::new();
    // A constant buffer whose members do not explain an access is declared as rows, in a second run.
    loop {
        let types = Types::new(types, annotations, shader.native_low_precision);
        let mut printer = Printer::new(module, shader, entry, (types, resources), by_rows.clone());
        let printed = printer.entry_point()?;
        if printer.by_rows == by_rows {
            return Ok(printed);
        }
        by_rows = printer.by_rows;
    }
}

/// Returns the types that the reflection program has, or the definitions that DXBC has.
fn reflected(container: &Container<'_>, shader: &Shader) -> Option<Definitions> {
    let Some(program) = container.reflection_program().ok().flatten() else {
        return trellis_dxbc_frontend::definitions(container, &shader.resources).ok()?;
    };
    let container = Container::open(container.bytes()).ok()?;
    let input = Input::read_program(container, program).ok()?;
    Some(Definitions {
        annotations: TypeAnnotations::read(&input.module).unwrap_or_default(),
        module: *input.module,
        resources: input.shader.resources,
    })
}

fn choose<'a>(shader: &'a Shader, name: Option<&str>) -> Result<&'a EntryPoint, Error> {
    let mut all = shader.shaders();
    let found = match name {
        Some(name) => shader.shader_named(name),
        None => all.next().filter(|_| all.next().is_none()),
    };
    found.ok_or_else(|| Error::EntryPoint {
        name: name.map(str::to_owned),
        available: shader
            .exports()
            .into_iter()
            .map(|(_, name)| name.to_owned())
            .collect(),
    })
}

/// State of a text.
struct Printer<'a> {
    module: &'a Module,
    shader: &'a Shader,
    entry: &'a EntryPoint,
    ops: DxDeclarations,
    types: Types<'a>,
    names: Names,
    resources: Vec<Declared>,
    resource_text: String,
    notes: BTreeMap<String, u32>,
    helpers: BTreeSet<&'static str>,
    /// Constant and structured buffers that are declared as rows or words.
    by_rows: BTreeSet<(ResourceClass, u32)>,
    /// Parameters with system values: name, type and semantic.
    systems: BTreeMap<&'static str, (String, String)>,
    inputs: Vec<Field>,
    outputs: Vec<Field>,
    has_vertices: bool,
    /// Groupshared variables of signed integers: those with signed atomic operations.
    signed: BTreeSet<GlobalId>,
    structs: BTreeMap<TypeId, String>,
    struct_text: String,
    globals: BTreeMap<GlobalId, String>,
    global_text: String,
    functions: BTreeMap<FunctionId, String>,
    pending: Vec<FunctionId>,
}

impl<'a> Printer<'a> {
    fn new(
        module: &'a Module,
        shader: &'a Shader,
        entry: &'a EntryPoint,
        (mut types, resources): (Types<'a>, &[Resource]),
        by_rows: BTreeSet<(ResourceClass, u32)>,
    ) -> Self {
        let mut names = Names::new();
        for name in ["input", "output", "Input", "Output"] {
            names.add(name);
        }
        let is_by_rows = |r: &Resource| by_rows.contains(&(r.class, r.id));
        let (resource_text, declared) =
            resource::declare(shader, resources, &mut types, &mut names, &is_by_rows);
        Self {
            module,
            shader,
            entry,
            ops: DxDeclarations::new(module),
            types,
            names,
            resources: declared,
            resource_text,
            notes: BTreeMap::new(),
            helpers: BTreeSet::new(),
            by_rows,
            systems: BTreeMap::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            has_vertices: false,
            signed: signed_globals(module),
            structs: BTreeMap::new(),
            struct_text: String::new(),
            globals: BTreeMap::new(),
            global_text: String::new(),
            functions: BTreeMap::new(),
            pending: Vec::new(),
        }
    }

    /// Counts a construct that the text does not express.
    fn note(&mut self, reason: &str) {
        *self.notes.entry(reason.to_owned()).or_insert(0) += 1;
    }

    /// Returns the name of a parameter with a system value.
    fn system(&mut self, name: &'static str, semantic: &'static str, ty: &str) -> String {
        let names = &mut self.names;
        let new = || (names.add(name), ty.to_owned());
        self.systems.entry(semantic).or_insert_with(new).0.clone()
    }

    fn function_name(&mut self, id: FunctionId) -> String {
        if let Some(name) = self.functions.get(&id) {
            return name.clone();
        }
        let source =
            trellis_dxil_frontend::shader::source_name(&self.module.function(id).name).to_owned();
        let name = self.names.add(&source);
        self.functions.insert(id, name.clone());
        self.pending.push(id);
        name
    }

    fn global_name(&mut self, id: GlobalId) -> String {
        if let Some(name) = self.globals.get(&id) {
            return name.clone();
        }
        let global = &self.module.globals[id];
        let source = global
            .name
            .trim_start_matches('\u{1}')
            .trim_start_matches('?');
        let source = source.split('@').next().unwrap_or(source);
        let name = self
            .names
            .add(if source.is_empty() { "global" } else { source });
        self.globals.insert(id, name.clone());
        let declared = self.declare_variable(global.ty, &name);
        let declared = match self.signed.contains(&id) {
            true => declared.trim_start_matches('u').to_owned(),
            false => declared,
        };
        let line = match (global.address_space, global.init) {
            (3, _) => format!("groupshared {declared};\n"),
            (_, Some(init)) if global.is_const => {
                let mut values = Vec::new();
                self.flatten(init, &mut values);
                format!("static const {declared} = {{ {} }};\n", values.join(", "))
            }
            _ => format!("static {declared};\n"),
        };
        self.global_text.push_str(&line);
        name
    }

    /// Appends the numbers of an initializer.
    fn flatten(&mut self, init: ValueId, out: &mut Vec<String>) {
        let mut stack = vec![init];
        while let Some(value) = stack.pop() {
            if out.len() > LARGEST_TABLE {
                return self.note("a large table");
            }
            let Some(constant) = self.module.constant(None, value) else {
                continue;
            };
            let number = |ty: TypeId, bits: u64| match Scalar::of(
                self.module,
                ty,
                self.shader.native_low_precision,
            ) {
                Some(Scalar::Float(width)) => expr::float(bits, width).text,
                Some(Scalar::Bool) => (bits != 0).to_string(),
                Some(Scalar::Int { bits: 64, .. }) => format!("{bits}ull"),
                _ => format!("{bits}u"),
            };
            match &constant.value {
                Constant::Int(bits) | Constant::Float(bits) => out.push(number(constant.ty, *bits)),
                Constant::Data(words) => {
                    let element = match self.module.ty(constant.ty) {
                        Type::Array { element, .. } | Type::Vector { element, .. } => *element,
                        _ => constant.ty,
                    };
                    out.extend(words.iter().map(|&bits| number(element, bits)));
                }
                Constant::Null | Constant::Undef => {
                    let (mut ty, mut count) = (constant.ty, 1u64);
                    while let Type::Array { element, len } = self.module.ty(ty) {
                        (ty, count) = (*element, count.saturating_mul(*len));
                    }
                    if count > LARGEST_TABLE as u64 {
                        return self.note("a large table");
                    }
                    let zero = number(ty, 0);
                    out.extend((0..count).map(|_| zero.clone()));
                }
                other => {
                    let start = stack.len();
                    stack.extend(other.operands(&self.module.const_operands));
                    stack[start..].reverse();
                }
            }
        }
    }

    /// Returns the declaration of a variable in memory.
    fn declare_variable(&mut self, ty: TypeId, name: &str) -> String {
        self.declare_nested(ty, name, 0)
    }

    fn declare_nested(&mut self, ty: TypeId, name: &str, depth: u32) -> String {
        let (mut ty, mut text) = (ty, name.to_owned());
        for _ in 0..16 {
            match self.module.ty(ty) {
                Type::Array { element, len } => {
                    text.push_str(&format!("[{len}]"));
                    ty = *element;
                }
                Type::Vector { element, len } => {
                    let scalar =
                        Scalar::of(self.module, *element, self.shader.native_low_precision);
                    return format!("{} {text}", scalar.unwrap_or(types::UINT).vector_name(*len));
                }
                _ => break,
            }
        }
        match Scalar::of(self.module, ty, self.shader.native_low_precision) {
            Some(scalar) => format!("{} {text}", scalar.name()),
            None => format!("{} {text}", self.struct_name(ty, depth)),
        }
    }

    /// Returns the name of a structure of variables, and declares it.
    fn struct_name(&mut self, ty: TypeId, depth: u32) -> String {
        if let Some(name) = self.structs.get(&ty) {
            return name.clone();
        }
        let (Type::Struct { name, fields, .. }, 0..8) = (self.module.ty(ty), depth) else {
            self.note("a variable of another type");
            return "unwritten".to_owned();
        };
        let short = name
            .as_deref()
            .and_then(|n| n.rsplit('.').next())
            .unwrap_or("Struct");
        let (name, fields) = (self.names.add(short), fields.clone());
        self.structs.insert(ty, name.clone());
        let mut text = format!("struct {name} {{\n");
        for (at, &field) in fields.iter().enumerate() {
            let field = self.declare_nested(field, &format!("m{at}"), depth + 1);
            text.push_str(&format!("{INDENT}{field};\n"));
        }
        self.struct_text.push_str(&format!("{text}}};\n"));
        name
    }

    fn entry_point(&mut self) -> Result<Printed, Error> {
        let entry = self.entry;
        let signature_text = self.signatures();
        let Some(id) = entry.function else {
            return Err(Error::EntryPoint {
                name: None,
                available: Vec::new(),
            });
        };
        self.functions.insert(id, "main".to_owned());
        let body = self.function_body(id, BTreeMap::new())?;
        let mut functions = Vec::new();
        while let Some(id) = self.pending.pop() {
            functions.push(self.function(id)?);
        }
        let mut text = Text::default();
        text.push(&self.header());
        for index in 0..self.types.structs.len() {
            if !self.types.structs[index].is_hidden {
                text.push(&self.types.declare_struct(index));
            }
        }
        text.push(&self.resource_text);
        text.push(&self.struct_text);
        text.push(&self.global_text);
        for name in &self.helpers {
            text.push(ops::helper(name));
        }
        text.push(&signature_text);
        for function in functions.into_iter().rev() {
            text.push("\n");
            text.append(function);
        }
        text.push("\n");
        text.push(&self.attributes());
        let mut parameters = Vec::new();
        if !self.inputs.is_empty() {
            parameters.push("Input input".to_owned());
        }
        for (semantic, (name, ty)) in &self.systems {
            parameters.push(format!("{ty} {name} : {semantic}"));
        }
        if !self.outputs.is_empty() {
            parameters.push("out Output output".to_owned());
        }
        text.push(&format!("void main({})\n{{\n", parameters.join(", ")));
        text.append(body);
        text.push("}\n");
        Ok(Printed {
            text: text.text,
            origins: text.origins,
            unwritten: std::mem::take(&mut self.notes),
        })
    }

    fn header(&self) -> String {
        let stage = match self.entry.kind {
            ShaderKind::Pixel => "ps",
            ShaderKind::Vertex => "vs",
            ShaderKind::Geometry => "gs",
            ShaderKind::Hull => "hs",
            ShaderKind::Domain => "ds",
            ShaderKind::Compute => "cs",
            ShaderKind::Mesh => "ms",
            ShaderKind::Amplification => "as",
            _ => "lib",
        };
        let model = self.shader.model;
        // Older models are compiled for the first that DXC has.
        let minor = if model.major < 6 { 0 } else { model.minor };
        let native = if self.shader.native_low_precision {
            " -enable-16bit-types"
        } else {
            ""
        };
        let denormals =
            ["", " -denorm preserve", " -denorm ftz"].get(self.shader.denorm_mode as usize);
        let denormals = denormals.unwrap_or(&"");
        let mut text = format!("// dxc -T {stage}_6_{minor} -E main{native}{denormals}\n");
        for (reason, count) in &self.notes {
            text.push_str(&format!("// not HLSL: {reason} ({count})\n"));
        }
        text
    }

    fn attributes(&self) -> String {
        let mut text = String::new();
        if let Some([x, y, z]) = self.entry.properties.num_threads {
            text.push_str(&format!("[numthreads({x}, {y}, {z})]\n"));
        }
        if let Some(size) = &self.entry.properties.wave_size {
            text.push_str(&signature::wave_size(size));
        }
        text
    }

    fn function_body(
        &mut self,
        id: FunctionId,
        arguments: BTreeMap<ValueId, (String, Scalar)>,
    ) -> Result<Text, Error> {
        let module = self.module;
        let function = module.function(id);
        let plan = plan::Plan::of(module, function, &self.ops)?;
        let mut lowered = lower::lower(module, function, &self.ops, &plan)?;
        let func = std::mem::take(&mut lowered.func);
        let options = Options::default().with_target(Target::HLSL);
        let structured = structurize(func, &options).map_err(|source| Error::Structurize {
            function: function.name.to_string(),
            source,
        })?;
        let tree = Tree::of(&structured);
        let variables = Variables::of(&structured);
        let parts = (&structured, &tree, &variables);
        Ok(Body::new(self, (id, function), &plan, &lowered, parts, arguments).print())
    }

    /// Returns a function that the entry point calls.
    fn function(&mut self, id: FunctionId) -> Result<Text, Error> {
        let mut text = Text::default();
        let function = self.module.function(id);
        let name = self.functions.get(&id).cloned().unwrap_or_default();
        if function.is_declaration {
            self.note("a function without a body");
            text.push(&format!("// {name}: no body\n"));
            return Ok(text);
        }
        let (mut parameters, mut arguments) = (Vec::new(), BTreeMap::new());
        for (at, data) in function.values.iter().enumerate() {
            let ValueKind::Argument(number) = data.kind else {
                break;
            };
            let value = ValueId::from_u32((self.module.values.len() + at) as u32);
            let name = self.names.add(&format!("p{number}"));
            let (text, ty) = match *self.module.ty(data.ty) {
                Type::Pointer { pointee, .. } => (
                    format!("inout {}", self.declare_variable(pointee, &name)),
                    types::UINT,
                ),
                _ => {
                    let ty = Scalar::of(self.module, data.ty, self.shader.native_low_precision);
                    (
                        self.declare_variable(data.ty, &name),
                        ty.unwrap_or(types::UINT),
                    )
                }
            };
            parameters.push(text);
            arguments.insert(value, (name, ty));
        }
        let result = match self.module.ty(function.ty) {
            Type::Function { ret, .. } => *ret,
            _ => function.ty,
        };
        let result = match self.module.ty(result) {
            Type::Void => format!("void {name}"),
            _ => self.declare_variable(result, &name),
        };
        let body = self.function_body(id, arguments)?;
        text.push(&format!("{result}({})\n{{\n", parameters.join(", ")));
        text.append(body);
        text.push("}\n");
        Ok(text)
    }
}

/// Returns the variables with signed atomic operations.
fn signed_globals(module: &Module) -> BTreeSet<GlobalId> {
    let mut all = BTreeSet::new();
    for function in module.functions.values() {
        for inst in function.insts.values() {
            if let InstKind::AtomicRmw {
                op: RmwOp::Max | RmwOp::Min,
                ptr,
                ..
            } = inst.kind
            {
                all.extend(memory::root(module, function, ptr));
            }
        }
    }
    all
}
