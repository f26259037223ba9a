//! Legalization: rewrites DXIL that SPIR-V cannot express into DXIL that it can, and code that
//! drivers compile badly ([`buffer_copies`]). A pass over the module before lowering, only for
//! shaders that need it.
//!
//! | found | becomes | file |
//! |---|---|---|
//! | calls of functions with pointers, handles or structs in their signature | the function's body | [`inline`] |
//! | reads of local arrays that only hold rows of a constant buffer | reads of the buffer | [`buffer_copies`] |
//! | structs and arrays as values: `insertvalue`, phis, loads | their scalars | [`aggregates`] |
//! | vectors of one, or of more than four components | their components | [`long_vectors`], [`vector_calls`] |
//! | integers of other widths than 1, 8, 16, 32, 64 | wider integers | [`integer_widths`] |
//! | handles of a library's objects (`createHandleForLib`) | handles of their ranges | [`library`] |
//! | intrinsics of vendors, if options enable them | operations | [`vendor`] |
//! | phis and selects of handles of one resource | phis and selects of the index | [`handles`] |
//! | phis and selects of pointers into one variable | phis and selects of the index | [`pointers`] |
//! | accesses through pointers into one of several variables | a branch to the access of each | [`pointers`] |
//!
//! In the output of compilers these are rare: `[noinline]` functions, values that LLVM narrowed,
//! and phis of handles from the descriptor heaps.

mod aggregates;
mod buffer_copies;
mod handles;
mod inline;
mod inlined_locations;
mod integer_widths;
mod library;
mod long_vectors;
mod pointers;
mod reachable;
mod rewriter;
mod vector_calls;
mod vendor;
mod webs;

use trellis_dxil_frontend::dxop::{DxDeclarations, Op};
use trellis_dxil_frontend::module::{Function, FunctionId, InstKind, Module, Type, TypeId};
use trellis_dxil_frontend::shader::Shader;

use crate::error::{Error, Feature, Location};
use crate::lower::is_hit_object;
use crate::options::Options;
use rewriter::FunctionRewriter;

/// The legalizations that a function needs.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Needs {
    inlining: bool,
    library: bool,
    vendor: bool,
    buffer_copies: bool,
    integer_widths: bool,
    aggregates: bool,
    handles: bool,
    pointers: bool,
}

/// Whether a function needs a legalization, and the rewrite.
type Legalization = (
    fn(Needs) -> bool,
    fn(&Context<'_>, FunctionRewriter<'_>) -> Result<Function, Error>,
);

/// The legalizations of a function after inlining, in order: each may have others as a consequence, which
/// follow.
const LEGALIZATIONS: [Legalization; 8] = [
    (|needs| needs.library, library::run),
    (|needs| needs.vendor, vendor::run),
    (|needs| needs.buffer_copies, buffer_copies::run),
    (|needs| needs.integer_widths, integer_widths::run),
    (|needs| needs.aggregates, aggregates::run),
    (|needs| needs.handles, handles::run),
    (|needs| needs.pointers, pointers::run),
    // A compare-exchange on one of several variables has a struct as result.
    (|needs| needs.aggregates, aggregates::run),
];

/// The facts that legalizations look up.
struct Context<'a> {
    ops: &'a DxDeclarations,
    shader: &'a Shader,
    roots: &'a [FunctionId],
    /// The module makes handles of a library's objects.
    has_objects: bool,
    uavs: vendor::IntrinsicsUavs,
    /// Reads of local arrays may become reads of the buffer.
    may_read_buffers: bool,
}

/// Rewrites the functions that the entry point reaches; `None` if no rewrite is needed.
///
/// # Errors
/// Recursion, functions that are too large after inlining, and choices between different resources.
pub(crate) fn legalize(
    module: &Module,
    ops: &DxDeclarations,
    shader: &Shader,
    roots: &[FunctionId],
    options: &Options,
) -> Result<Option<Module>, Error> {
    let workarounds = &options.workarounds;
    let context = Context {
        ops,
        shader,
        roots,
        has_objects: ops.calls(Op::CreateHandleForLib),
        uavs: vendor::IntrinsicsUavs::find(shader, &options.vendor),
        may_read_buffers: !workarounds.keep_buffer_copies && !workarounds.robust_local_arrays,
    };
    let odd = OddTypes::of(module);
    let mut ids = module.functions.keys();
    if !ids.any(|id| context.needs(module, odd, id) != Needs::default()) {
        return Ok(None);
    }
    let mut made = module.clone();
    for id in inline::run(&mut made, ops, roots)? {
        let mut needs = context.needs(&made, OddTypes::of(&made), id);
        for (is_needed, run) in LEGALIZATIONS {
            if is_needed(needs) {
                let old = std::mem::take(&mut made.functions[id]);
                let rewriter = FunctionRewriter::new(&mut made, &old, old.blocks.len());
                made.functions[id] = run(&context, rewriter)?;
                needs = context.needs(&made, OddTypes::of(&made), id);
            }
        }
    }
    made.shrink_to_fit();
    Ok(Some(made))
}

/// Which types a module has that few have: without them no instruction has to be looked at for them.
#[derive(Clone, Copy, Default)]
struct OddTypes {
    /// A vector as a whole.
    wide: bool,
    odd: bool,
    long: bool,
}

impl OddTypes {
    fn of(module: &Module) -> Self {
        let mut found = Self::default();
        for ty in module.types.values() {
            match ty {
                Type::WideInt(_) => found.wide = true,
                Type::Vector { len, .. } => found.long |= is_long(*len),
                _ => {}
            }
            found.odd |= integer_widths::is_odd(ty);
        }
        found
    }
}

impl Context<'_> {
    /// Returns the legalizations that a function needs; none for a declaration.
    fn needs(&self, module: &Module, odd: OddTypes, id: FunctionId) -> Needs {
        let function = module.function(id);
        if function.is_declaration {
            return Needs::default();
        }
        let instructions = needs_of_instructions(module, odd, function);
        Needs {
            inlining: !self.roots.contains(&id)
                && (inline::has_strange_signature(module, function)
                    || inline::works_on_foreign_query(module, self.ops, function)),
            library: self.has_objects,
            vendor: self.uavs.any(),
            buffer_copies: self.may_read_buffers
                && buffer_copies::find(module, self.ops, function).is_some(),
            ..instructions
        }
    }
}

fn needs_of_instructions(module: &Module, odd: OddTypes, function: &Function) -> Needs {
    let mut needs = Needs::default();
    if odd.wide || odd.odd || odd.long {
        for inst in function.insts.values() {
            needs.aggregates |= matches!(module.ty(inst.ty), Type::WideInt(_));
            needs.integer_widths |= odd.odd && integer_widths::is_odd(module.ty(inst.ty));
            if odd.long && !needs.aggregates {
                let is_long = |v| {
                    let data = module.value(Some(function), v);
                    data.is_some_and(|d| is_long_vector(module, d.ty))
                };
                needs.aggregates |= is_long_vector(module, inst.ty)
                    || has_long_field(module, inst.ty)
                    || function.operands(&inst.kind).any(is_long);
            }
        }
    }
    for inst in function.insts.values() {
        match inst.kind {
            InstKind::Phi { .. } | InstKind::Select { .. } => match module.ty(inst.ty) {
                Type::Pointer { .. } => needs.pointers = true,
                _ if is_handle(module, inst.ty) => needs.handles = true,
                // Lowering refuses these.
                _ if is_node_handle(module, inst.ty) => {}
                _ if is_hit_object(module, inst.ty) => {}
                Type::Struct { .. } | Type::Array { .. } => needs.aggregates = true,
                _ => {}
            },
            InstKind::InsertValue { .. } => needs.aggregates = true,
            InstKind::ExtractValue { aggregate, indices } => {
                let from_call = || match module.value(Some(function), aggregate).map(|v| v.kind) {
                    Some(trellis_dxil_frontend::module::ValueKind::Inst(i)) => {
                        matches!(
                            function.insts[i].kind,
                            InstKind::Call { .. } | InstKind::CmpXchg { .. }
                        )
                    }
                    _ => false,
                };
                needs.aggregates |= indices.len() != 1 || !from_call();
            }
            InstKind::Load { .. } => needs.aggregates |= is_aggregate(module, inst.ty),
            InstKind::Store { value, .. } => {
                needs.aggregates |= module
                    .value(Some(function), value)
                    .is_some_and(|v| is_aggregate(module, v.ty));
            }
            _ => {}
        }
    }
    needs
}

/// Returns true for a number or a vector of numbers.
fn is_plain(module: &Module, ty: TypeId) -> bool {
    let number = |ty: &Type| matches!(ty, Type::Int(_) | Type::Half | Type::Float | Type::Double);
    match module.ty(ty) {
        Type::Vector {
            element,
            len: 2..=MOST_COMPONENTS,
        } => number(module.ty(*element)),
        other => number(other),
    }
}

/// Returns true for `%dx.types.Handle`.
fn is_handle(module: &Module, ty: TypeId) -> bool {
    matches!(module.ty(ty), Type::Struct { name: Some(name), .. } if name == "dx.types.Handle")
}

/// Returns true for a handle of a node of a work graph, or of its records.
fn is_node_handle(module: &Module, ty: TypeId) -> bool {
    matches!(module.ty(ty), Type::Struct { name: Some(name), .. }
        if matches!(&**name, "dx.types.NodeHandle" | "dx.types.NodeRecordHandle"))
}

/// Components that a vector has in SPIR-V at most.
const MOST_COMPONENTS: u32 = 4;

/// Returns true for a vector of a length that SPIR-V does not permit.
fn is_long_vector(module: &Module, ty: TypeId) -> bool {
    matches!(module.ty(ty), Type::Vector { len, .. } if is_long(*len))
}

fn is_long(len: u32) -> bool {
    !(2..=MOST_COMPONENTS).contains(&len)
}

/// Returns true for a struct with such a vector.
fn has_long_field(module: &Module, ty: TypeId) -> bool {
    matches!(module.ty(ty), Type::Struct { fields, .. } if fields.iter().any(|&f| is_long_vector(module, f)))
}

/// Returns true for a struct, array or long vector that is split into its parts; handles and hit
/// objects are not.
fn is_aggregate(module: &Module, ty: TypeId) -> bool {
    matches!(module.ty(ty), Type::Struct { .. } | Type::Array { .. })
        && !is_handle(module, ty)
        && !is_node_handle(module, ty)
        && !is_hit_object(module, ty)
        || is_long_vector(module, ty)
}

/// Returns the id of a type, which is added to the module if it is missing.
fn type_id(module: &mut Module, wanted: &Type) -> TypeId {
    let known = module.types.position(|t| t == wanted);
    known.unwrap_or_else(|| module.types.push(wanted.clone()))
}

fn at(function: &Function) -> Location {
    Location::function(&function.name)
}

fn unsupported(function: &Function, feature: impl Into<Feature>) -> Error {
    Error::unsupported(feature, at(function))
}
