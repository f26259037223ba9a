//! Modules with one rule of a stage broken each.

use rspirv::dr::{self, Operand};
use rspirv::spirv::{BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, Op};

use crate::verify::tests::{
    Shader, decoration, inst, mode, refused, set_model, without_capability, without_mode,
};

macro_rules! shader {
    ($path:literal) => {
        (
            include_bytes!(concat!("../../../../corpus/shaders/", $path)),
            "",
        )
    };
}
const GEOMETRY: Shader = shader!("geometry/clip_cull.dxil");
const STREAMS: Shader = shader!("geometry/streams_all.dxil");
const BARRIERS: Shader = shader!("barriers/all_kinds.dxil");
const GROUPSHARED: Shader = shader!("groupshared/atomics.dxil");
const MESH: Shader = shader!("mesh/triangle.dxil");
const ATTRIBUTES: Shader = shader!("mesh/primitive_attributes.dxil");
const TASK: Shader = shader!("mesh/payload_shared.as.dxil");
const HULL: Shader = shader!("tessellation/patch_constants.dxil");
const DOMAIN: Shader = shader!("tessellation/patch_constants.ds.dxil");

fn built_in(module: &mut dr::Module, from: BuiltIn, to: BuiltIn) {
    let mut all = module.annotations.iter_mut();
    let found = all.find(|i| i.operands.get(2) == Some(&Operand::BuiltIn(from)));
    found.expect("the built-in").operands[2] = Operand::BuiltIn(to);
}

#[test]
fn execution_modes() {
    for wanted in [
        ExecutionMode::Triangles,
        ExecutionMode::OutputTriangleStrip,
        ExecutionMode::OutputVertices,
        ExecutionMode::Invocations,
    ] {
        refused(GEOMETRY, &format!("{wanted:?}"), |m| {
            without_mode(m, wanted);
        });
    }
    refused(GEOMETRY, "several of", |m| {
        let mut second = mode(m, ExecutionMode::OutputTriangleStrip).clone();
        second.operands[1] = Operand::ExecutionMode(ExecutionMode::OutputPoints);
        m.execution_modes.push(second);
    });
    refused(GEOMETRY, "execution mode OutputVertices is required", |m| {
        mode(m, ExecutionMode::OutputVertices).operands[2] = Operand::LiteralBit32(0);
    });
    refused(DOMAIN, "none of", |m| {
        without_mode(m, ExecutionMode::Triangles);
    });
}

#[test]
fn capabilities() {
    for (shader, capability) in [
        (GEOMETRY, Capability::Geometry),
        (HULL, Capability::Tessellation),
        (DOMAIN, Capability::Tessellation),
        (STREAMS, Capability::GeometryStreams),
        (ATTRIBUTES, Capability::MeshShadingEXT),
        (TASK, Capability::MeshShadingEXT),
    ] {
        let text = format!("capability {capability:?} is required");
        refused(shader, &text, |m| without_capability(m, capability));
    }
}

#[test]
fn arrays_over_vertices() {
    let text = "an array of 3 elements where 2 are required";
    refused(GEOMETRY, text, |m| {
        mode(m, ExecutionMode::Triangles).operands[1] =
            Operand::ExecutionMode(ExecutionMode::InputLines);
    });
    refused(HULL, "4 are required", |m| {
        mode(m, ExecutionMode::OutputVertices).operands[2] = Operand::LiteralBit32(4);
    });
    refused(HULL, "output %", |m| {
        let patch = m.annotations.iter().position(|i| {
            i.operands.get(1) == Some(&Operand::Decoration(Decoration::Patch))
                && m.annotations.iter().all(|j| {
                    j.operands[0] != i.operands[0]
                        || j.operands.get(1) != Some(&Operand::Decoration(Decoration::BuiltIn))
                })
        });
        m.annotations.remove(patch.expect("a patch constant"));
    });
}

#[test]
fn patch_constants_and_built_ins() {
    refused(GEOMETRY, "cannot be a patch constant", |m| {
        let mut added = decoration(m, Decoration::BuiltIn).clone();
        added.operands.truncate(1);
        added.operands.push(Operand::Decoration(Decoration::Patch));
        m.annotations.push(added);
    });
    for (shader, from, to) in [
        (HULL, BuiltIn::TessLevelOuter, BuiltIn::TessLevelInner),
        (DOMAIN, BuiltIn::TessCoord, BuiltIn::InvocationId),
        (HULL, BuiltIn::InvocationId, BuiltIn::TessCoord),
        (GEOMETRY, BuiltIn::ClipDistance, BuiltIn::Position),
    ] {
        refused(shader, "does not have this built-in", |m| {
            built_in(m, from, to);
        });
    }
}

#[test]
fn locations_are_taken_once() {
    refused(HULL, "share component", |m| {
        let location = Operand::Decoration(Decoration::Location);
        let all = m.annotations.iter_mut();
        for i in all.filter(|i| i.operands.get(1) == Some(&location)) {
            i.operands[2] = Operand::LiteralBit32(1);
        }
    });
    refused(DOMAIN, "share component 0", |m| {
        decoration(m, Decoration::Component).operands[2] = Operand::LiteralBit32(0);
    });
    refused(DOMAIN, "beyond the fourth", |m| {
        decoration(m, Decoration::Component).operands[2] = Operand::LiteralBit32(4);
    });
}

#[test]
fn streams_and_vertices() {
    refused(STREAMS, "that are not points", |m| {
        mode(m, ExecutionMode::OutputPoints).operands[1] =
            Operand::ExecutionMode(ExecutionMode::OutputLineStrip);
    });
    refused(STREAMS, "stream 4", |m| {
        decoration(m, Decoration::Stream).operands[2] = Operand::LiteralBit32(4);
    });
    refused(STREAMS, "operand types are not valid", |m| {
        let value = inst(m, Op::Load).result_id.expect("a value");
        inst(m, Op::EmitStreamVertex).operands[0] = Operand::IdRef(value);
    });
}

#[test]
fn barriers_of_a_group_are_in_stages_with_groups() {
    refused(BARRIERS, "the stage has no groups", |m| {
        set_model(m, ExecutionModel::Fragment);
    });
}

#[test]
fn groupshared_memory_is_in_stages_with_groups() {
    refused(GROUPSHARED, "the stage does not have variable", |m| {
        for block in m.functions.iter_mut().flat_map(|f| &mut f.blocks) {
            let is_barrier = |i: &dr::Instruction| i.class.opcode == Op::ControlBarrier;
            block.instructions.retain(|i| !is_barrier(i));
        }
        set_model(m, ExecutionModel::Fragment);
    });
}

#[test]
fn mesh_shaders_have_no_more_primitives_than_they_declare() {
    refused(MESH, "than the mesh shader declares", |m| {
        let mode = mode(m, ExecutionMode::OutputPrimitivesEXT);
        mode.operands[2] = Operand::LiteralBit32(0);
    });
}

#[test]
fn modes_of_mesh_shaders() {
    for (shader, mode) in [
        (ATTRIBUTES, ExecutionMode::LocalSize),
        (ATTRIBUTES, ExecutionMode::OutputVertices),
        (ATTRIBUTES, ExecutionMode::OutputPrimitivesEXT),
        (TASK, ExecutionMode::LocalSize),
    ] {
        let text = format!("execution mode {mode:?} is required");
        refused(shader, &text, |m| without_mode(m, mode));
    }
    refused(ATTRIBUTES, "none of the execution modes", |m| {
        without_mode(m, ExecutionMode::OutputTrianglesEXT);
    });
}

#[test]
fn instructions_belong_to_their_stage() {
    for (shader, model) in [
        (ATTRIBUTES, ExecutionModel::TaskEXT),
        (TASK, ExecutionModel::MeshEXT),
        (GEOMETRY, ExecutionModel::Vertex),
    ] {
        let text = "the stage does not have this instruction";
        refused(shader, text, |m| set_model(m, model));
    }
    refused(TASK, "without OpEmitMeshTasksEXT", |m| {
        *inst(m, Op::EmitMeshTasksEXT) = dr::Instruction::new(Op::Return, None, None, vec![]);
    });
    refused(TASK, "operand types are not valid", |m| {
        let mut declarations = m.types_global_values.iter();
        let group = declarations.find(|i| i.class.opcode == Op::Variable);
        let group = group.and_then(|i| i.result_id).expect("a variable");
        inst(m, Op::EmitMeshTasksEXT).operands[3] = Operand::IdRef(group);
    });
}

#[test]
fn outputs_are_arrays_of_the_declared_length() {
    refused(ATTRIBUTES, "99 are required", |m| {
        mode(m, ExecutionMode::OutputVertices).operands[2] = Operand::LiteralBit32(99);
    });
    refused(ATTRIBUTES, "output %", |m| {
        let once = Operand::Decoration(Decoration::PerPrimitiveEXT);
        m.annotations.retain(|i| i.operands.get(1) != Some(&once));
    });
}
