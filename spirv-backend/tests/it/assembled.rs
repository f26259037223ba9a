//! Operations that no available HLSL compiler emits, called by hand-made modules: converters of older
//! shaders and other front ends use them. (`testing/gpu-test/tests/it/operations.rs` reads the table.)

use crate::assembler::{Text, declare_test, replace, shader};
use trellis_dxil_frontend::dxop::Op;
use trellis_spirv_backend::{Options, convert_entry, disassemble};

const COMPUTE: &str = "options/noinline_groupshared.dxil";
const GEOMETRY: &str = "geometry/triangle.dxil";
const LIBRARY: &str = "raytracing/hit_objects.dxil";

/// An operation, the type of its result, its operands, and instructions that it becomes.
const CALLS: [(Op, &str, &str, &[&str]); 21] = [
    (Op::IMul, "{i32,i32}", "%id i32:7", &["OpSMulExtended"]),
    (Op::UMul, "{i32,i32}", "%id i32:7", &["OpUMulExtended"]),
    (Op::UDiv, "{i32,i32}", "%id i32:7", &["OpUDiv", "OpUMod"]),
    (Op::USubb, "{i32,i1}", "%id i32:7", &["OpISubBorrow"]),
    (Op::Ibfe, "i32", "i32:5 i32:3 %id", &["OpBitFieldSExtract"]),
    (Op::Ubfe, "i32", "i32:5 i32:3 %id", &["OpBitFieldUExtract"]),
    (
        Op::EmitThenCutStream,
        "void",
        "i8:0",
        &["OpEmitVertex", "OpEndPrimitive"],
    ),
    (Op::CycleCounterLegacy, "{i32,i32}", "", &["OpReadClockKHR"]),
    (Op::BitcastI16toF16, "half", "i16:15360", &["OpBitcast"]),
    (Op::BitcastF16toI16, "i16", "half:undef", &["OpBitcast"]),
    (Op::BitcastI32toF32, "float", "%id", &["OpBitcast"]),
    (Op::BitcastF32toI32, "i32", "float:undef", &["OpBitcast"]),
    (Op::BitcastI64toF64, "double", "i64:7", &["OpBitcast"]),
    (Op::BitcastF64toI64, "i64", "double:undef", &["OpBitcast"]),
    (
        Op::LegacyDoubleToFloat,
        "float",
        "double:undef",
        &["OpFConvert"],
    ),
    (
        Op::LegacyDoubleToSInt32,
        "i32",
        "double:undef",
        &["OpConvertFToS"],
    ),
    (
        Op::LegacyDoubleToUInt32,
        "i32",
        "double:undef",
        &["OpConvertFToU"],
    ),
    (Op::ClusterID, "i32", "", &["ClusterIDNV"]),
    (
        Op::RayQueryCandidateClusterID,
        "i32",
        "%query",
        &["OpRayQueryGetIntersectionClusterIdNV"],
    ),
    (
        Op::RayQueryCommittedClusterID,
        "i32",
        "%query",
        &["OpRayQueryGetIntersectionClusterIdNV"],
    ),
    (
        Op::HitObjectClusterID,
        "i32",
        "%object",
        &["OpHitObjectGetClusterIdNV"],
    ),
];

fn result_of(ty: &str) -> String {
    format!("%r : {ty} = ")
}

/// Returns lines that store a value in local memory.
fn stored(value: &str, ty: &str) -> String {
    format!("%p{value} : {ty}* = alloca {ty}\nstore {value} %p{value}\n")
}

/// Returns lines that store a number of the result.
fn part(index: u32) -> String {
    let value = format!("%part{index}");
    format!("{value} : i32 = extract %r {index}\n") + &stored(&value, "i32")
}

/// Converts a shader that calls an operation, and returns its assembly.
fn converted(op: Op, result: &str, operands: &str) -> String {
    let base = match op {
        Op::EmitThenCutStream => GEOMETRY,
        Op::ClusterID | Op::HitObjectClusterID => LIBRARY,
        _ => COMPUTE,
    };
    let mut input = shader(base);
    // The minimum precision of other models would make halves of 32 bits.
    input.shader.native_low_precision = true;
    let module = &mut input.module;
    declare_test(module);
    // Definitions of the operands.
    let before = match operands.split(' ').next() {
        Some("%query") => "%query : i32 = call @dx.op.test i32:178 i32:0\n",
        Some("%object") => "%object : %dx.types.HitObject = call @dx.op.test i32:266\n",
        _ if base == COMPUTE => "%id : i32 = call @dx.op.flattenedThreadIdInGroup.i32 i32:96\n",
        _ => "",
    };
    // Unused results are not emitted, so the results, or their parts, are stored.
    let (left, uses) = match result {
        "void" => (String::new(), String::new()),
        "{i32,i32}" => (result_of(result), [part(0), part(1)].concat()),
        "{i32,i1}" => (result_of(result), part(0)),
        ty => (result_of(ty), stored("%r", ty)),
    };
    let code = op.code();
    let body = format!("entry:\n{before}{left}call @dx.op.test i32:{code} {operands}\n{uses}ret");
    let mut entries = input.shader.entry_points.iter();
    let entry = entries
        .find(|e| base != LIBRARY || e.function.is_some() && op.info().stages.has(e.kind))
        .unwrap_or_else(|| panic!("{op}: no shader of its stages"))
        .clone();
    replace(module, &[Text(&entry.name, "void", &[], &body)]);
    let options = Options::default().with_nv_invocation_reorder(true);
    let output =
        convert_entry(&input, &entry, &options).unwrap_or_else(|error| panic!("{op}: {error}"));
    disassemble(&output.words).unwrap()
}

#[test]
fn each_call_becomes_its_instructions() {
    for (op, result, operands, expected) in CALLS {
        let text = converted(op, result, operands);
        for name in expected {
            assert!(
                text.split_whitespace().any(|word| word == *name),
                "{op} has no {name}:\n{text}"
            );
        }
    }
}
