//! Small changes to finished SPIR-V: moved bindings, captured outputs.

use std::collections::BTreeMap;

use spirv::{Capability, Decoration, ExecutionMode, Op};

/// Words of the header.
const HEADER: usize = 5;

/// Each instruction: opcode and words, its first word included.
fn instructions(words: &[u32]) -> impl Iterator<Item = (usize, u32, &[u32])> {
    let mut at = HEADER;
    std::iter::from_fn(move || {
        let first = *words.get(at)?;
        let length = (first >> 16) as usize;
        let slice = words.get(at..at + length).filter(|s| !s.is_empty())?;
        let start = at;
        at += length;
        Some((start, first & 0xffff, slice))
    })
}

/// Returns the text of a literal string, up to its zero.
fn text(words: &[u32]) -> String {
    let bytes: Vec<u8> = words
        .iter()
        .flat_map(|w| w.to_le_bytes())
        .take_while(|b| *b != 0)
        .collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Moves named variables: `place` returns set and binding, or `None` to keep a
/// variable where it is.
pub fn move_bindings(words: &[u32], place: impl Fn(&str) -> Option<(u32, u32)>) -> Vec<u32> {
    let mut names = BTreeMap::new();
    for (_, op, slice) in instructions(words) {
        if op == Op::Name as u32 && slice.len() > 2 {
            names.insert(slice[1], text(&slice[2..]));
        }
    }
    let mut out = words.to_vec();
    for (at, op, slice) in instructions(words) {
        let &[_, id, decoration, _] = slice else {
            continue;
        };
        if op != Op::Decorate as u32 {
            continue;
        }
        let Some((set, binding)) = names.get(&id).and_then(|name| place(name)) else {
            continue;
        };
        if decoration == Decoration::DescriptorSet as u32 {
            out[at + 3] = set;
        } else if decoration == Decoration::Binding as u32 {
            out[at + 3] = binding;
        }
    }
    out
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
pub fn capture(words: &[u32], variables: &[Capture]) -> Vec<u32> {
    let mut out = words[..HEADER.min(words.len())].to_vec();
    push(
        &mut out,
        Op::Capability,
        &[Capability::TransformFeedback as u32],
    );
    let (mut moded, mut decorated) = (false, false);
    for (_, op, slice) in instructions(words) {
        // Execution modes follow the entry points; decorations come before the first type.
        if op == Op::EntryPoint as u32 && !moded {
            moded = true;
            out.extend_from_slice(slice);
            push(
                &mut out,
                Op::ExecutionMode,
                &[slice[2], ExecutionMode::Xfb as u32],
            );
            continue;
        }
        let annotation = [Op::Decorate, Op::MemberDecorate]
            .iter()
            .any(|wanted| op == *wanted as u32);
        let ty = (Op::TypeVoid as u32..=Op::TypeForwardPointer as u32).contains(&op);
        if (annotation || ty) && !decorated {
            decorated = true;
            for v in variables {
                push(
                    &mut out,
                    Op::Decorate,
                    &[v.id, Decoration::XfbBuffer as u32, v.buffer],
                );
                push(
                    &mut out,
                    Op::Decorate,
                    &[v.id, Decoration::XfbStride as u32, v.stride],
                );
                push(
                    &mut out,
                    Op::Decorate,
                    &[v.id, Decoration::Offset as u32, v.offset],
                );
            }
        }
        out.extend_from_slice(slice);
    }
    out
}

fn push(out: &mut Vec<u32>, op: Op, operands: &[u32]) {
    out.push((operands.len() as u32 + 1) << 16 | op as u32);
    out.extend_from_slice(operands);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passthrough::vertex_shader;
    use crate::spirv_module::read;

    fn converted(shader: &str) -> Vec<u32> {
        let path = format!(
            "{}/../../corpus/shaders/{shader}.dxil",
            env!("CARGO_MANIFEST_DIR")
        );
        let dxil = std::fs::read(path).unwrap();
        trellis_spirv_backend::convert(&dxil, &trellis_spirv_backend::Options::default())
            .unwrap()
            .words
    }

    #[test]
    fn a_named_variable_moves_and_others_stay() {
        let moved = move_bindings(&converted("control_flow/collatz"), |name| {
            (name == "Out").then_some((3, 77))
        });
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
        );
        let loaded = rspirv::dr::load_words(&captured).unwrap();
        assert!(
            read(&captured)
                .unwrap()
                .capabilities
                .contains(&Capability::TransformFeedback)
        );
        let decorated = loaded
            .annotations
            .iter()
            .filter(|i| i.operands[0] == rspirv::dr::Operand::IdRef(id))
            .count();
        assert_eq!(
            decorated,
            rspirv::dr::load_words(&words)
                .unwrap()
                .annotations
                .iter()
                .filter(|i| i.operands[0] == rspirv::dr::Operand::IdRef(id))
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
