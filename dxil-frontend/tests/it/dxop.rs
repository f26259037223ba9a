//! The `dx.op` table and the reader of a call.

use trellis_dxil_frontend::Error;
use trellis_dxil_frontend::dxop::{
    ALL_OPS, CORE_OPS, DxCall, DxDeclarations, DxOpErrorKind, Effects, Op, ParamType, Stages, TABLE,
};
use trellis_dxil_frontend::module::*;
use trellis_dxil_frontend::shader::{ShaderKind, Version};

#[test]
fn table_is_complete_and_consistent() {
    assert_eq!(ALL_OPS.len(), 347);
    for (i, info) in TABLE.iter().enumerate() {
        assert_eq!(info.op as usize, i);
        assert_eq!(Op::from_code(info.code), Some(info.op), "{}", info.name);
        assert_eq!(ALL_OPS[i], info.op);
    }
    assert_eq!(Op::from_code(CORE_OPS), None);
    assert_eq!(Op::from_code(0x7FFF_FFFF), None);
    assert_eq!(
        Op::from_code(0x8000_0000).map(Op::name),
        Some("ExperimentalNop")
    );
    assert_eq!(Op::from_code(u32::MAX), None);
}

#[test]
fn facts_of_a_few_operations() {
    let load = Op::LoadInput.info();
    assert_eq!((load.code, load.class), (4, "LoadInput"));
    assert_eq!(
        load.params.iter().map(|p| p.name).collect::<Vec<_>>(),
        ["inputSigId", "rowIndex", "colIndex", "gsVertexAxis"]
    );
    assert_eq!(load.returns, ParamType::Overload);
    assert_eq!(load.stages, Stages::ALL);
    assert_eq!(load.effects, Effects::READ_NONE);
    assert_eq!(Op::RoundNe.info().name, "Round_ne");
    let vote = Op::QuadVote.info();
    assert_eq!(vote.min_shader_model, Version { major: 6, minor: 7 });
    assert!(vote.stages.has(ShaderKind::Pixel) && !vote.stages.has(ShaderKind::Vertex));
    assert!(Op::Discard.effects().has(Effects::WRITES));
    assert!(Op::IgnoreHit.effects().has(Effects::NO_RETURN));
}

#[test]
fn what_exchanges_data_between_lanes_is_convergent() {
    for op in [
        Op::Sample,
        Op::SampleBias,
        Op::SampleCmp,
        Op::CalculateLOD,
        Op::DerivCoarseX,
        Op::WaveActiveOp,
        Op::QuadOp,
        Op::Barrier,
        Op::BarrierByMemoryType,
    ] {
        assert!(op.effects().has(Effects::CONVERGENT), "{op:?}");
    }
    for op in [
        Op::SampleLevel,
        Op::SampleGrad,
        Op::TextureLoad,
        Op::FAbs,
        Op::BufferStore,
        Op::AtomicBinOp,
    ] {
        assert!(!op.effects().has(Effects::CONVERGENT), "{op:?}");
    }
    assert!(
        Op::Sample.effects().has(Effects::IMPLICIT_LOD)
            && !Op::Sample.effects().has(Effects::DERIVATIVE)
    );
    assert!(
        Op::DerivFineY.effects().has(Effects::DERIVATIVE)
            && !Op::DerivFineY.effects().has(Effects::IMPLICIT_LOD)
    );
}

/// Returns a module with `i32 @dx.op.threadId.i32(i32, i32)` and a caller whose one call has the
/// given arguments (constants of type i32, or an i1).
fn module_calling(args: &[(u32, bool)]) -> Module {
    let mut m = Module {
        types: vec![
            Type::Int(32),
            Type::Int(1),
            Type::Function {
                ret: TypeId::from_u32(0),
                params: Default::default(),
                vararg: false,
            },
        ]
        .into(),
        ..Module::default()
    };
    let i32_ = TypeId::from_u32(0);
    m.values.push(ValueData {
        ty: i32_,
        kind: ValueKind::Function(FunctionId::from_u32(0)),
    });
    m.functions.push(Function {
        name: "dx.op.threadId.i32".into(),
        is_declaration: true,
        ..Function::default()
    });
    let mut pool = Vec::new();
    for &(v, is_bool) in args {
        pool.push(m.values.len() as u32);
        let ty = TypeId::from_u32(u32::from(is_bool));
        m.values.push(ValueData {
            ty,
            kind: ValueKind::Constant(ConstId::from_u32(m.constants.len() as u32)),
        });
        m.constants.push(ConstantData {
            ty,
            value: Constant::Int(u64::from(v)),
        });
    }
    let call = InstKind::Call {
        callee: ValueId::from_u32(0),
        args: PoolRange {
            start: 0,
            end: pool.len() as u32,
        },
        flags: ArithFlags::default(),
        cc: 0,
        tail: 0,
        attributes: 0,
    };
    let result = Some(ValueId::from_u32(m.values.len() as u32));
    let insts = vec![
        Inst {
            kind: call,
            ty: i32_,
            result: result.into(),
            debug_loc: 0,
        },
        Inst {
            kind: InstKind::Unreachable,
            ty: i32_,
            result: None.into(),
            debug_loc: 0,
        },
    ];
    m.functions.push(Function {
        name: "main".into(),
        insts: insts.into(),
        pool,
        ..Function::default()
    });
    m
}

#[test]
fn a_call_has_operands() {
    let m = module_calling(&[(93, false), (2, false)]);
    let f = &m.functions.as_slice()[1];
    let call = DxCall::parse(&m, f, InstId::from_u32(0)).unwrap().unwrap();
    assert_eq!(call.op, Op::ThreadId);
    assert_eq!(m.const_int(Some(f), call.operand(0).unwrap()), Some(2));
    assert_eq!(call.operand(1), None);
    assert_eq!(call.overload_name(), "i32");
    assert_eq!(call.overload(&m, f), Some(TypeId::from_u32(0)));
    assert!(DxCall::parse(&m, f, InstId::from_u32(1)).unwrap().is_none());
    let declarations = DxDeclarations::new(&m);
    assert_eq!(
        declarations
            .parse(&m, f, InstId::from_u32(0))
            .unwrap()
            .unwrap()
            .op,
        Op::ThreadId
    );
}

#[test]
fn bad_calls_are_named() {
    let error = |args: &[(u32, bool)]| {
        let m = module_calling(args);
        let e = DxCall::parse(&m, &m.functions.as_slice()[1], InstId::from_u32(0)).unwrap_err();
        assert_eq!(
            DxDeclarations::new(&m)
                .parse(&m, &m.functions.as_slice()[1], InstId::from_u32(0))
                .unwrap_err(),
            e
        );
        let Error::DxOp(e) = e else {
            panic!("not a dx.op error: {e}")
        };
        *e
    };
    assert_eq!(
        error(&[(9999, false), (2, false)]).to_string(),
        "function main, instruction 0: unknown dx.op opcode 9999 in a call of dx.op.threadId.i32"
    );
    assert_eq!(
        error(&[(226, false)]).to_string(),
        "function main, instruction 0: dx.op opcode 226 (Reserved0) is reserved"
    );
    assert_eq!(
        error(&[(93, false)]).to_string(),
        "function main, instruction 0: ThreadId takes 1 operands after the opcode, the call has 0"
    );
    assert!(matches!(
        error(&[(1, true)]).kind,
        DxOpErrorKind::OpcodeNotConstant { .. }
    ));
    assert!(matches!(
        error(&[]).kind,
        DxOpErrorKind::OpcodeNotConstant { .. }
    ));
}
