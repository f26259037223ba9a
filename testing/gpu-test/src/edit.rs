//! Small changes to finished SPIR-V: moved bindings, captured outputs.

use std::collections::BTreeMap;

use rspirv::binary::Assemble;
use rspirv::dr::{Instruction, Module, Operand, load_words};
use spirv::{Capability, Decoration, ExecutionMode, Op};

fn load(words: &[u32]) -> Result<Module, String> {
    load_words(words).map_err(|error| error.to_string())
}

/// Moves named variables: `place` returns set and binding, or `None` to keep a
/// variable where it is.
///
/// # Errors
/// The words are not a module.
pub fn move_bindings(
    words: &[u32],
    place: impl Fn(&str) -> Option<(u32, u32)>,
) -> Result<Vec<u32>, String> {
    let mut module = load(words)?;
    let mut places = BTreeMap::new();
    for name in &module.debug_names {
        if let [Operand::IdRef(id), Operand::LiteralString(name)] = &name.operands[..] {
            places.extend(place(name).map(|place| (*id, place)));
        }
    }
    for annotation in &mut module.annotations {
        if let [
            Operand::IdRef(id),
            Operand::Decoration(decoration),
            Operand::LiteralBit32(number),
        ] = &mut annotation.operands[..]
            && let Some((set, binding)) = places.get(id)
        {
            match decoration {
                Decoration::DescriptorSet => *number = *set,
                Decoration::Binding => *number = *binding,
                _ => {}
            }
        }
    }
    Ok(module.assemble())
}

/// A variable that transform feedback captures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capture {
    /// Its id.
    pub id: u32,
    /// Number of the buffer.
    pub buffer: u32,
    /// Offset of its values in a vertex, in bytes.
    pub offset: u32,
    /// Bytes of a vertex in that buffer.
    pub stride: u32,
}

/// Lets transform feedback capture variables.
///
/// # Errors
/// The words are not a module.
pub fn capture(words: &[u32], variables: &[Capture]) -> Result<Vec<u32>, String> {
    let mut module = load(words)?;
    let new = |op, operands| Instruction::new(op, None, None, operands);
    let capability = vec![Operand::Capability(Capability::TransformFeedback)];
    module.capabilities.push(new(Op::Capability, capability));
    if let Some(entry) = module.entry_points.first() {
        let mode = Operand::ExecutionMode(ExecutionMode::Xfb);
        let mode = new(Op::ExecutionMode, vec![entry.operands[1].clone(), mode]);
        module.execution_modes.push(mode);
    }
    for v in variables {
        for (decoration, number) in [
            (Decoration::XfbBuffer, v.buffer),
            (Decoration::XfbStride, v.stride),
            (Decoration::Offset, v.offset),
        ] {
            let number = Operand::LiteralBit32(number);
            let operands = vec![
                Operand::IdRef(v.id),
                Operand::Decoration(decoration),
                number,
            ];
            module.annotations.push(new(Op::Decorate, operands));
        }
    }
    Ok(module.assemble())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passthrough::vertex_shader;
    use crate::spirv_module::read;

    fn converted(shader: &str) -> Vec<u32> {
        let dxil = shader_testkit::shader(&format!("{shader}.dxil"));
        trellis_spirv_backend::convert(&dxil, &trellis_spirv_backend::Options::default())
            .unwrap()
            .words
    }

    #[test]
    fn a_named_variable_moves_and_others_stay() {
        let moved = move_bindings(&converted("control_flow/collatz"), |name| {
            (name == "Out").then_some((3, 77))
        })
        .unwrap();
        let places: Vec<_> = read(&moved)
            .unwrap()
            .resources
            .iter()
            .map(|r| (r.name.clone(), r.set, r.binding))
            .collect();
        assert_eq!(
            places,
            [("In".to_owned(), 0, 1000), ("Out".to_owned(), 3, 77)]
        );
    }

    #[test]
    fn captured_outputs_are_decorated_in_the_decorations_section() {
        let words = converted("vertex_io/packed");
        let module = read(&words).unwrap();
        let id = module.outputs[0].id;
        let captured = capture(
            &words,
            &[Capture {
                id,
                buffer: 0,
                offset: 16,
                stride: 64,
            }],
        )
        .unwrap();
        let loaded = load_words(&captured).unwrap();
        assert!(
            read(&captured)
                .unwrap()
                .capabilities
                .contains(&Capability::TransformFeedback)
        );
        let decorated = loaded
            .annotations
            .iter()
            .filter(|i| i.operands[0] == Operand::IdRef(id))
            .count();
        assert_eq!(
            decorated,
            load_words(&words)
                .unwrap()
                .annotations
                .iter()
                .filter(|i| i.operands[0] == Operand::IdRef(id))
                .count()
                + 3
        );
        assert_eq!(loaded.execution_modes.len(), 1);
    }

    #[test]
    fn the_pass_through_vertex_shader_writes_the_pixel_shader_s_inputs() {
        let pixel = read(&converted("pixel_io/packed_inputs")).unwrap();
        let inputs: Vec<_> = pixel
            .inputs
            .iter()
            .filter(|v| v.location.is_some())
            .collect();
        let vertex = read(&vertex_shader(&inputs).unwrap()).unwrap();
        for input in inputs {
            let same = |v: &&crate::spirv_module::Variable| {
                (v.location, v.component) == (input.location, input.component)
            };
            let output = vertex.outputs.iter().find(same).unwrap();
            assert_eq!(
                (output.scalar, output.columns, output.rows),
                (input.scalar, input.columns, input.rows)
            );
        }
    }
}
