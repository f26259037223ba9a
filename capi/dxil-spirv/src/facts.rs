//! Facts about a shader that clients query after its conversion.

use trellis_dxil_frontend::shader::{EntryPoint, SemanticKind, ShaderKind};

/// Answers about a converted shader.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Facts {
    pub(crate) uses_subgroup_size: bool,
    pub(crate) uses_16bit: bool,
    pub(crate) multiview_compatible: bool,
    pub(crate) workgroup: [u32; 3],
    /// The smallest, largest and preferred number of invocations of a wave.
    pub(crate) wave: [u32; 3],
    pub(crate) patch_vertices: u32,
    /// First location after the control points that a hull shader writes; `u32::MAX` elsewhere.
    pub(crate) patch_location: u32,
}

mod spirv {
    pub(super) const CAPABILITY: u32 = 17;
    pub(super) const EXECUTION_MODE: u32 = 16;
    pub(super) const FUNCTION: u32 = 54;
    pub(super) const DECORATE: u32 = 71;
    pub(super) const FLOAT16: u32 = 9;
    pub(super) const INT16: u32 = 22;
    pub(super) const LOCAL_SIZE: u32 = 17;
    pub(super) const BUILT_IN: u32 = 11;
    pub(super) const SUBGROUP_SIZE: u32 = 36;
}

/// Returns the facts that the words of a module have.
pub(crate) fn of_words(words: &[u32]) -> Facts {
    let mut facts = Facts {
        patch_location: u32::MAX,
        ..Facts::default()
    };
    let mut rest = words.get(5..).unwrap_or_default();
    while let Some((first, tail)) = rest.split_first() {
        let length = (first >> 16) as usize;
        let Some(operands) = tail.get(..length.wrapping_sub(1)) else {
            break;
        };
        match (first & 0xFFFF, operands) {
            (spirv::FUNCTION, _) => break,
            (spirv::CAPABILITY, [spirv::FLOAT16 | spirv::INT16]) => facts.uses_16bit = true,
            (spirv::EXECUTION_MODE, &[_, spirv::LOCAL_SIZE, x, y, z]) => {
                facts.workgroup = [x, y, z];
            }
            (spirv::DECORATE, [_, spirv::BUILT_IN, spirv::SUBGROUP_SIZE]) => {
                facts.uses_subgroup_size = true;
            }
            _ => {}
        }
        rest = tail.get(operands.len()..).unwrap_or_default();
    }
    facts
}

/// Returns the wave sizes that a shader declares. A single size has neither the largest nor the
/// preferred one, as in the shader model that has single sizes only.
pub(crate) fn wave(entry: &EntryPoint) -> [u32; 3] {
    match entry.properties.wave_size {
        None => [0; 3],
        Some(size) if size.minimum == size.maximum && size.minimum == size.preferred => {
            [size.minimum, 0, 0]
        }
        Some(size) => [size.minimum, size.maximum, size.preferred],
    }
}

/// Returns whether a shader writes the layer that it renders to.
pub(crate) fn writes_layer(entry: &EntryPoint) -> bool {
    let signatures = &entry.signatures;
    let primitives = signatures.patch_constant.iter();
    let primitives = primitives.filter(|_| entry.kind == ShaderKind::Mesh);
    let mut outputs = signatures.output.iter().chain(primitives);
    outputs.any(|output| output.semantic == SemanticKind::RenderTargetArrayIndex)
}

#[cfg(test)]
mod tests {
    use super::of_words;

    #[test]
    fn words_that_are_no_module_have_no_facts() {
        for words in [&[][..], &[1, 2, 3, 4, 5], &[0; 12], &[u32::MAX; 12]] {
            assert_eq!(of_words(words).workgroup, [0; 3]);
        }
        let header = [0x0723_0203, 0, 0, 0, 0];
        let mut words = header.to_vec();
        words.extend([6 << 16 | 16, 1, 17, 8, 4, 2, 2 << 16 | 17, 9]);
        let facts = of_words(&words);
        assert_eq!(facts.workgroup, [8, 4, 2]);
        assert!(facts.uses_16bit && !facts.uses_subgroup_size);
    }
}
