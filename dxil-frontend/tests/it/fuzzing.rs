//! Bodies of the fuzz targets (`testing/fuzz`) and of `tests/mutate.rs`. They panic only if a guarantee of the
//! crate is violated: the readers return for any bytes.

use trellis_dxil_frontend::bitcode::read_module;
use trellis_dxil_frontend::container::{Container, PipelineValidation, Program, RuntimeData};
use trellis_dxil_frontend::dxop::DxDeclarations;
use trellis_dxil_frontend::metadata::{MdId, MdNode};
use trellis_dxil_frontend::module::{
    CallArg, Function, InstId, InstKind, Module, Type, TypeId, ValueData, ValueId, ValueKind,
};
use trellis_dxil_frontend::shader::{TypeAnnotations, ViewIdState};
use trellis_dxil_frontend::{Error, Input, disasm, names_from_stat};

/// Reads bytes as bitcode; accepted input must keep all promises of the reader.
///
/// # Errors
/// Those of [`read_module`].
pub(crate) fn bitcode(bytes: &[u8]) -> Result<(), Error> {
    check_module(&read_module(bytes, 0)?);
    Ok(())
}

/// Reads bytes as a container: each part, and each program with its listing.
///
/// # Errors
/// The first error of the container or its main program; the rest is read in any case.
pub(crate) fn container(bytes: &[u8]) -> Result<(), Error> {
    let container = Container::open(bytes)?;
    let read = parts(container);
    let programs: Vec<Result<(), Error>> = container
        .programs()
        .map(|program| listed(container, program?))
        .collect();
    [read].into_iter().chain(programs).collect()
}

/// Reads each part of a container that is not a program.
///
/// # Errors
/// The first error; the rest is read in any case.
pub(crate) fn parts(container: Container<'_>) -> Result<(), Error> {
    let _ = container.check_hash();
    let texts = |psv: Option<PipelineValidation<'_>>| {
        if let Some(psv) = psv {
            for element in &psv.elements {
                let _ = (psv.string(element.name), psv.indices(element));
            }
        }
    };
    let records = |rdat: RuntimeData<'_>| {
        let resources = rdat.resources().map(|resource| resource.map(drop));
        let functions = rdat.functions().map(|function| function.map(drop));
        let subobjects = rdat.subobjects().map(|subobject| subobject.map(drop));
        let all: Vec<_> = resources.chain(functions).chain(subobjects).collect();
        all.into_iter().collect()
    };
    let rdat = container.runtime_data();
    let parts = [
        container.feature_flags().map(drop),
        container.input_signature().map(drop),
        container.output_signature().map(drop),
        container.patch_constant_signature().map(drop),
        container.pipeline_validation().map(texts),
        container.root_signature().map(drop),
        rdat.and_then(|rdat| rdat.map_or(Ok(()), records)),
        container.resource_definitions().map(drop),
        container.shader_hash().map(drop),
        container.debug_name().map(drop),
        container.source_info().map(drop),
        container.compiler_version().map(drop),
        container.pdb_info().map(drop),
    ];
    { parts.into_iter() }.try_for_each(|part| part.map_err(Error::from))
}

fn listed<'a>(container: Container<'a>, program: Program<'a>) -> Result<(), Error> {
    bitcode(program.bitcode)?;
    let mut input = Input::read_program(container, program)?;
    let declarations = DxDeclarations::new(&input.module);
    for function in input.module.functions.values() {
        for inst in function.insts.keys() {
            let call = declarations.parse(&input.module, function, inst);
            let _ = call.map(|call| call.map(|call| call.overload(&input.module, function)));
        }
    }
    let _ = TypeAnnotations::read(&input.module);
    let _ = ViewIdState::read(&input.module, input.shader.kind);
    disasm::disassemble(&input.module, Some(&input.shader), input.container.as_ref())?;
    names_from_stat(&container, &mut input.shader).map(|_| ())
}

/// Checks the promises in the documentation of `trellis_dxil_frontend::bitcode`, by other means
/// than the reader.
///
/// # Panics
/// If a promise is broken.
pub(crate) fn check_module(module: &Module) {
    let type_exists = |ty: TypeId| {
        assert!(module.types.is_valid(ty), "{ty} does not exist");
    };
    for ty in module.types.values() {
        match ty {
            Type::Pointer { pointee: ty, .. }
            | Type::Vector { element: ty, .. }
            | Type::Array { element: ty, .. } => type_exists(*ty),
            Type::Struct { fields, .. } => fields.iter().for_each(|ty| type_exists(*ty)),
            Type::Function { ret, params, .. } => [ret]
                .into_iter()
                .chain(params)
                .for_each(|ty| type_exists(*ty)),
            _ => {}
        }
    }
    for value in &module.values {
        type_exists(value.ty);
        match value.kind {
            ValueKind::Global(id) => {
                assert_eq!(module.globals[id].ptr_ty, value.ty);
            }
            ValueKind::Function(id) => assert!(
                matches!(module.ty(value.ty), Type::Pointer { pointee, .. } if *pointee == module.function(id).ty)
            ),
            ValueKind::Constant(id) => {
                assert_eq!(module.constants[id].ty, value.ty);
            }
            ValueKind::Argument(_) | ValueKind::Inst(_) => panic!("a local value at module level"),
        }
    }
    for (value, init) in module.globals.values().filter_map(|g| Some((g, g.init?))) {
        assert_eq!(
            module.value(None, init).map(|v| v.ty),
            Some(value.ty),
            "initializer of {}",
            value.name
        );
    }
    for function in module.functions.values().filter(|f| !f.is_declaration) {
        check_function(module, function);
    }
    check_metadata(module);
}

fn check_metadata(module: &Module) {
    let metadata = &module.metadata;
    let exists = |id: MdId| {
        assert!(metadata.nodes.is_valid(id), "{id} does not exist");
    };
    for (id, node) in metadata.nodes.iter() {
        match node {
            MdNode::Node { .. } => metadata
                .tuple(id)
                .into_iter()
                .flatten()
                .flatten()
                .for_each(exists),
            MdNode::String(range) => assert!(range.range().end <= metadata.strings.len()),
            MdNode::Debug { fields, .. } => assert!(fields.range().end <= metadata.records.len()),
            MdNode::Value { .. } => {}
        }
    }
    metadata
        .named
        .iter()
        .flat_map(|(_, nodes)| nodes)
        .for_each(|&id| exists(id));
}

fn check_function(module: &Module, f: &Function) {
    let data = |value: ValueId| -> ValueData {
        module
            .value(Some(f), value)
            .unwrap_or_else(|| panic!("{value} does not exist in {}", f.name))
    };
    let mut next = InstId::from_u32(0);
    for block in f.blocks.values() {
        assert_eq!(block.insts.start(), next, "blocks follow one another");
        assert!(!block.insts.is_empty(), "no block is empty");
        next = block.insts.end();
        for (id, inst) in block.insts.map(|id| (id, &f.insts[id])) {
            assert_eq!(
                inst.kind.is_terminator(),
                Some(id) == block.insts.last(),
                "the terminator comes last"
            );
            check_inst(module, f, &inst.kind, inst.ty, &data);
            match inst.result.expand() {
                Some(result) => assert_eq!(
                    data(result),
                    ValueData {
                        ty: inst.ty,
                        kind: ValueKind::Inst(id)
                    }
                ),
                None => assert_eq!(module.ty(inst.ty), &Type::Void),
            }
            assert!(inst.debug_loc as usize <= f.debug_locs.len());
        }
    }
    assert_eq!(next, f.insts.next_key(), "each instruction is in a block");
    for (_, target) in f.edges() {
        assert!(
            target.as_u32() != 0 && f.blocks.is_valid(target),
            "{target} is not a target"
        );
    }
    for value in &f.values {
        if let ValueKind::Constant(id) = value.kind {
            let operands = module.constants[id].value.operands(&module.const_operands);
            operands.for_each(|operand| type_of_constant(&data(operand)));
        }
    }
    for (inst, _, node) in &f.inst_metadata {
        assert!(f.insts.is_valid(*inst) && module.metadata.nodes.is_valid(*node));
    }
}

fn type_of_constant(value: &ValueData) {
    assert!(
        !matches!(value.kind, ValueKind::Argument(_) | ValueKind::Inst(_)),
        "a constant's operand is constant"
    );
}

fn check_inst(
    module: &Module,
    f: &Function,
    kind: &InstKind,
    ty: TypeId,
    data: &impl Fn(ValueId) -> ValueData,
) {
    let type_of = |value: ValueId| data(value).ty;
    f.operands(kind).for_each(|value| {
        assert!(
            !matches!(module.ty(type_of(value)), Type::Void),
            "operands have values"
        );
    });
    let pointee = |ptr: ValueId| match module.ty(type_of(ptr)) {
        Type::Pointer { pointee, .. } => *pointee,
        other => panic!("{ptr} is {other:?}, not a pointer"),
    };
    match *kind {
        InstKind::Binary { lhs, rhs, .. } => assert_eq!((type_of(lhs), type_of(rhs)), (ty, ty)),
        InstKind::Cmp { lhs, rhs, .. } => assert_eq!(type_of(lhs), type_of(rhs)),
        InstKind::Select { then, else_, .. } => {
            assert_eq!((type_of(then), type_of(else_)), (ty, ty));
        }
        InstKind::CondBr { cond, .. } => assert_eq!(module.ty(type_of(cond)), &Type::Int(1)),
        InstKind::Phi { incoming } => f
            .phi_incoming(incoming)
            .for_each(|(value, _)| assert_eq!(type_of(value), ty)),
        InstKind::Load { ptr, .. } => assert_eq!(pointee(ptr), ty),
        InstKind::Store { ptr, value, .. } => assert_eq!(pointee(ptr), type_of(value)),
        InstKind::AtomicRmw { ptr, value, .. } => {
            assert_eq!((pointee(ptr), type_of(value)), (ty, ty));
        }
        InstKind::CmpXchg {
            ptr, compare, new, ..
        } => assert_eq!(
            (pointee(ptr), type_of(compare)),
            (type_of(new), type_of(new))
        ),
        InstKind::Gep {
            source, operands, ..
        } => {
            assert_eq!(f.values_in(operands).next().map(pointee), Some(source));
            assert!(matches!(module.ty(ty), Type::Pointer { .. }));
        }
        InstKind::Call { callee, args, .. } => {
            let Type::Function {
                ret,
                params,
                vararg,
            } = module.ty(pointee(callee))
            else {
                panic!("the callee is not a function")
            };
            assert_eq!(*ret, ty);
            let args: Vec<CallArg> = f.call_args(args).collect();
            assert!(args.len() == params.len() || (*vararg && args.len() > params.len()));
            for (arg, param) in args.iter().zip(params) {
                match *arg {
                    CallArg::Value(value) => assert!(
                        type_of(value) == *param || is_node_object(module, type_of(value), *param),
                        "{:?} for {:?}",
                        module.ty(type_of(value)),
                        module.ty(*param)
                    ),
                    CallArg::Metadata(id) => {
                        assert!(module.metadata.nodes.is_valid(id));
                    }
                }
            }
        }
        InstKind::Ret { value } => {
            let Type::Function { ret, .. } = module.ty(f.ty) else {
                panic!("{} is not a function", f.name)
            };
            match value {
                Some(value) => assert_eq!(type_of(value), *ret),
                None => assert_eq!(module.ty(*ret), &Type::Void),
            }
        }
        _ => {}
    }
}

/// Returns true for an object of a node where a handle is expected, the one mismatch that the reader
/// accepts.
fn is_node_object(module: &Module, object: TypeId, handle: TypeId) -> bool {
    let name = |ty| match module.ty(ty) {
        Type::Struct {
            name: Some(name), ..
        } => Some(&**name),
        _ => None,
    };
    matches!(
        name(handle),
        Some("dx.types.NodeHandle" | "dx.types.NodeRecordHandle")
    ) && name(object).is_some_and(|name| !name.starts_with("dx.types."))
}
