//! Ray tracing shaders with one rule broken each.

use rspirv::dr::{self, Operand};
use rspirv::spirv::{BuiltIn, Capability, Decoration, ExecutionModel, Op, StorageClass};

use crate::verify::tests::{
    Shader, bump, decoration, inst, refused, set_model, without_capability,
};

const FIRST_HIT: &[u8] = include_bytes!("../../../../corpus/shaders/raytracing/first_hit.dxil");
const REPORTS: &[u8] = include_bytes!("../../../../corpus/shaders/raytracing/report_hit.dxil");
const GENERATE: Shader = (FIRST_HIT, "Generate");
const HIT: Shader = (FIRST_HIT, "Hit");
const MISSED: Shader = (FIRST_HIT, "Missed");
const ANY: Shader = (REPORTS, "Any");

/// Returns the first variable of a storage class.
fn variable(module: &dr::Module, class: StorageClass) -> &dr::Instruction {
    let class = Operand::StorageClass(class);
    let mut variables = module.types_global_values.iter();
    let found = variables.find(|i| i.class.opcode == Op::Variable && i.operands[0] == class);
    found.expect("a variable")
}

#[test]
fn instructions_have_their_stages() {
    refused(GENERATE, "the stage does not have", |m| {
        set_model(m, ExecutionModel::CallableKHR);
    });
    refused(ANY, "the stage does not have", |m| {
        set_model(m, ExecutionModel::ClosestHitKHR);
    });
    refused(ANY, "OpKill", |m| {
        let old = inst(m, Op::IgnoreIntersectionKHR);
        *old = dr::Instruction::new(Op::Kill, None, None, vec![]);
    });
    refused(ANY, "the stage does not have", |m| {
        set_model(m, ExecutionModel::Fragment);
    });
}

#[test]
fn variables_have_their_stages() {
    refused(MISSED, "of storage class IncomingRayPayloadKHR", |m| {
        set_model(m, ExecutionModel::RayGenerationKHR);
    });
    refused(MISSED, "the second of storage class", |m| {
        let mut copy = variable(m, StorageClass::IncomingRayPayloadKHR).clone();
        let id = bump(m);
        copy.result_id = Some(id);
        m.types_global_values.push(copy);
        m.entry_points[0].operands.push(Operand::IdRef(id));
    });
    refused(HIT, "outside of an intersection shader", |m| {
        let attributes = variable(m, StorageClass::HitAttributeKHR).result_id;
        let attributes = Operand::IdRef(attributes.expect("attributes"));
        let operands = vec![attributes.clone(), attributes];
        let copy = dr::Instruction::new(Op::CopyMemory, None, None, operands);
        m.functions[0].blocks[0].instructions.insert(0, copy);
    });
}

#[test]
fn built_ins_have_their_stages() {
    refused(GENERATE, "does not have built-in HitKindKHR", |m| {
        decoration(m, Decoration::BuiltIn).operands[2] = Operand::BuiltIn(BuiltIn::HitKindKHR);
    });
}

#[test]
fn capability_and_operands() {
    refused(MISSED, "capability RayTracingKHR is required", |m| {
        without_capability(m, Capability::RayTracingKHR);
    });
    refused(MISSED, "require SPIR-V 1.4", |m| {
        m.header.as_mut().expect("a header").set_version(1, 3);
    });
    for (to, from) in [(10, 0), (6, 7)] {
        refused(GENERATE, "operand types are not valid", |m| {
            let trace = inst(m, Op::TraceRayKHR);
            trace.operands[to] = trace.operands[from].clone();
        });
    }
    refused((REPORTS, "Reports"), "operand types are not valid", |m| {
        inst(m, Op::ReportIntersectionKHR).operands.swap(0, 1);
    });
}
