//! Modules with one rule of a stage broken each.

use rspirv::binary::Assemble;
use rspirv::dr::{self, Operand};
use rspirv::spirv::{BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, Op};

use crate::options::Options;
use crate::verify::verify;

const GEOMETRY: &[u8] = include_bytes!("../../../../corpus/shaders/geometry/clip_cull.dxil");
const STREAMS: &[u8] = include_bytes!("../../../../corpus/shaders/geometry/streams_all.dxil");
const BARRIERS: &[u8] = include_bytes!("../../../../corpus/shaders/barriers/all_kinds.dxil");
const GROUPSHARED: &[u8] = include_bytes!("../../../../corpus/shaders/groupshared/atomics.dxil");
const MESH: &[u8] = include_bytes!("../../../../corpus/shaders/mesh/triangle.dxil");
const HULL: &[u8] = include_bytes!("../../../../corpus/shaders/tessellation/patch_constants.dxil");
const DOMAIN: &[u8] =
    include_bytes!("../../../../corpus/shaders/tessellation/patch_constants.ds.dxil");

/// Changes a converted shader, and gives the verifier's answer.
fn after(shader: &[u8], change: impl FnOnce(&mut dr::Module)) -> String {
    let words = crate::convert(shader, &Options::default())
        .expect("it converts")
        .words;
    let mut module = dr::load_words(words).expect("SPIR-V");
    assert_eq!(verify(&module.assemble()), Ok(()));
    change(&mut module);
    verify(&module.assemble())
        .expect_err("the change must be found")
        .to_string()
}

fn mode(module: &mut dr::Module, mode: ExecutionMode) -> &mut dr::Instruction {
    let found = module
        .execution_modes
        .iter_mut()
        .find(|i| i.operands[1] == Operand::ExecutionMode(mode));
    found.unwrap_or_else(|| panic!("the shader has no {mode:?}"))
}

fn decoration(module: &mut dr::Module, wanted: Decoration) -> &mut dr::Instruction {
    let found = module
        .annotations
        .iter_mut()
        .find(|i| i.operands.get(1) == Some(&Operand::Decoration(wanted)));
    found.unwrap_or_else(|| panic!("the shader has no {wanted:?}"))
}

fn built_in(module: &mut dr::Module, from: BuiltIn, to: BuiltIn) {
    let found = module
        .annotations
        .iter_mut()
        .find(|i| i.operands.get(2) == Some(&Operand::BuiltIn(from)));
    found
        .unwrap_or_else(|| panic!("the shader has no {from:?}"))
        .operands[2] = Operand::BuiltIn(to);
}

#[test]
fn execution_modes() {
    for wanted in [
        ExecutionMode::Triangles,
        ExecutionMode::OutputTriangleStrip,
        ExecutionMode::OutputVertices,
        ExecutionMode::Invocations,
    ] {
        let text = after(GEOMETRY, |m| {
            m.execution_modes
                .retain(|i| i.operands[1] != Operand::ExecutionMode(wanted));
        });
        assert!(text.contains(&format!("{wanted:?}")), "{text}");
    }
    let two = after(GEOMETRY, |m| {
        let mut second = mode(m, ExecutionMode::OutputTriangleStrip).clone();
        second.operands[1] = Operand::ExecutionMode(ExecutionMode::OutputPoints);
        m.execution_modes.push(second);
    });
    assert!(two.contains("several of"), "{two}");
    let none = after(GEOMETRY, |m| {
        mode(m, ExecutionMode::OutputVertices).operands[2] = Operand::LiteralBit32(0);
    });
    assert!(
        none.contains("execution mode OutputVertices is required"),
        "{none}"
    );
    let domain = after(DOMAIN, |m| {
        m.execution_modes
            .retain(|i| i.operands[1] != Operand::ExecutionMode(ExecutionMode::Triangles));
    });
    assert!(domain.contains("none of"), "{domain}");
}

#[test]
fn capabilities() {
    for (shader, capability) in [
        (GEOMETRY, Capability::Geometry),
        (HULL, Capability::Tessellation),
        (DOMAIN, Capability::Tessellation),
    ] {
        let text = after(shader, |m| {
            m.capabilities
                .retain(|c| c.operands[0] != Operand::Capability(capability));
        });
        assert!(
            text.contains(&format!("capability {capability:?} is required")),
            "{text}"
        );
    }
    let streams = after(STREAMS, |m| {
        m.capabilities
            .retain(|c| c.operands[0] != Operand::Capability(Capability::GeometryStreams));
    });
    assert!(
        streams.contains("capability GeometryStreams is required"),
        "{streams}"
    );
}

#[test]
fn arrays_over_vertices() {
    let lines = after(GEOMETRY, |m| {
        mode(m, ExecutionMode::Triangles).operands[1] =
            Operand::ExecutionMode(ExecutionMode::InputLines);
    });
    assert!(
        lines.contains("an array of 3 elements where 2 are required"),
        "{lines}"
    );
    let points = after(HULL, |m| {
        mode(m, ExecutionMode::OutputVertices).operands[2] = Operand::LiteralBit32(4);
    });
    assert!(points.contains("4 are required"), "{points}");
    let plain = after(HULL, |m| {
        let patch = m.annotations.iter().position(|i| {
            i.operands.get(1) == Some(&Operand::Decoration(Decoration::Patch))
                && m.annotations.iter().all(|j| {
                    j.operands[0] != i.operands[0]
                        || j.operands.get(1) != Some(&Operand::Decoration(Decoration::BuiltIn))
                })
        });
        m.annotations.remove(patch.expect("a patch constant"));
    });
    assert!(plain.contains("output %"), "{plain}");
}

#[test]
fn patch_constants_and_built_ins() {
    let patch = after(GEOMETRY, |m| {
        let mut added = decoration(m, Decoration::BuiltIn).clone();
        added.operands.truncate(1);
        added.operands.push(Operand::Decoration(Decoration::Patch));
        m.annotations.push(added);
    });
    assert!(patch.contains("cannot be a patch constant"), "{patch}");
    for (shader, from, to) in [
        (HULL, BuiltIn::TessLevelOuter, BuiltIn::TessLevelInner),
        (DOMAIN, BuiltIn::TessCoord, BuiltIn::InvocationId),
        (HULL, BuiltIn::InvocationId, BuiltIn::TessCoord),
        (GEOMETRY, BuiltIn::ClipDistance, BuiltIn::Position),
    ] {
        let text = after(shader, |m| built_in(m, from, to));
        assert!(text.contains("does not have this built-in"), "{text}");
    }
}

#[test]
fn locations_are_taken_once() {
    let shared = after(HULL, |m| {
        for i in m
            .annotations
            .iter_mut()
            .filter(|i| i.operands.get(1) == Some(&Operand::Decoration(Decoration::Location)))
        {
            i.operands[2] = Operand::LiteralBit32(1);
        }
    });
    assert!(shared.contains("share component"), "{shared}");
    let moved = after(DOMAIN, |m| {
        decoration(m, Decoration::Component).operands[2] = Operand::LiteralBit32(0);
    });
    assert!(moved.contains("share component 0"), "{moved}");
    let beyond = after(DOMAIN, |m| {
        decoration(m, Decoration::Component).operands[2] = Operand::LiteralBit32(4);
    });
    assert!(beyond.contains("beyond the fourth"), "{beyond}");
}

#[test]
fn streams_and_vertices() {
    let lines = after(STREAMS, |m| {
        mode(m, ExecutionMode::OutputPoints).operands[1] =
            Operand::ExecutionMode(ExecutionMode::OutputLineStrip);
    });
    assert!(lines.contains("that are not points"), "{lines}");
    let fifth = after(STREAMS, |m| {
        decoration(m, Decoration::Stream).operands[2] = Operand::LiteralBit32(4);
    });
    assert!(fifth.contains("stream 4"), "{fifth}");
    let elsewhere = after(GEOMETRY, |m| {
        m.entry_points[0].operands[0] = Operand::ExecutionModel(ExecutionModel::Vertex);
    });
    assert!(
        elsewhere.contains("does not have this instruction"),
        "{elsewhere}"
    );
    let computed = after(STREAMS, |m| {
        let (mut emitted, mut float) = (None, None);
        for i in m.functions[0]
            .blocks
            .iter_mut()
            .flat_map(|b| &mut b.instructions)
        {
            float = float.or(if i.class.opcode == Op::Load {
                i.result_id
            } else {
                None
            });
            if i.class.opcode == Op::EmitStreamVertex {
                emitted = emitted.or(Some(i));
            }
        }
        let (Some(emitted), Some(value)) = (emitted, float) else {
            panic!("no vertex")
        };
        emitted.operands[0] = Operand::IdRef(value);
    });
    assert!(
        computed.contains("operand types are not valid"),
        "{computed}"
    );
}

#[test]
fn barriers_of_a_group_are_in_stages_with_groups() {
    let pixel = after(BARRIERS, |m| {
        m.entry_points[0].operands[0] = Operand::ExecutionModel(ExecutionModel::Fragment);
    });
    assert!(pixel.contains("the stage has no groups"), "{pixel}");
}

#[test]
fn groupshared_memory_is_in_stages_with_groups() {
    let pixel = after(GROUPSHARED, |m| {
        for block in m.functions.iter_mut().flat_map(|f| &mut f.blocks) {
            block
                .instructions
                .retain(|i| i.class.opcode != Op::ControlBarrier);
        }
        m.entry_points[0].operands[0] = Operand::ExecutionModel(ExecutionModel::Fragment);
    });
    assert!(
        pixel.contains("the stage does not have variable"),
        "{pixel}"
    );
}

#[test]
fn mesh_shaders_have_no_more_primitives_than_they_declare() {
    let more = after(MESH, |m| {
        let mode = mode(m, ExecutionMode::OutputPrimitivesEXT);
        mode.operands[2] = Operand::LiteralBit32(0);
    });
    assert!(more.contains("than the mesh shader declares"), "{more}");
}
