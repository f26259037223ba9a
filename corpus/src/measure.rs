//! Measures of inputs and outputs that a table has in addition to the report: hashes, shader
//! models, sizes.

use crate::report::Measured;

/// Words of a module's header.
const HEADER: usize = 5;

/// The opcode of `OpLabel`: each block has one.
const LABEL: u32 = 248;

impl Measured {
    /// Returns the measures of an input that are known before it is converted.
    pub(crate) fn of_input(bytes: &[u8]) -> Self {
        Self {
            input_hash: blake3::hash(bytes).to_string(),
            shader_model: shader_model(bytes),
            ..Self::default()
        }
    }

    /// Adds the measures of the output; `bytes` are its words as bytes.
    pub(crate) fn add_output(&mut self, words: &[u32], bytes: &[u8]) {
        let (instructions, blocks) = sizes(words);
        self.output_hash = Some(blake3::hash(bytes).to_string());
        self.instructions = Some(instructions);
        self.blocks = Some(blocks);
    }
}

/// Returns the shader model in the header of a container's program.
fn shader_model(bytes: &[u8]) -> Option<String> {
    let model = trellis_dxil::dxbc::shader_model(bytes)?;
    Some(format!("{}.{}", model.major, model.minor))
}

/// Returns the number of instructions and of blocks.
fn sizes(words: &[u32]) -> (u64, u64) {
    let (mut instructions, mut blocks) = (0, 0);
    let mut rest = words.get(HEADER..).unwrap_or_default();
    while let Some(first) = rest.first() {
        instructions += 1;
        blocks += u64::from(first & 0xFFFF == LABEL);
        // No instruction of a verified module has 0 words; a module of a cache may have one.
        let count = (first >> 16).max(1) as usize;
        rest = rest.get(count..).unwrap_or_default();
    }
    (instructions, blocks)
}

#[cfg(test)]
mod tests {
    use trellis_dxil::{Options, convert, reflect, statistics};

    use super::{shader_model, sizes};

    #[test]
    fn sizes_are_those_of_the_statistics() {
        let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/control_flow");
        let mut compared = 0;
        for entry in std::fs::read_dir(corpus).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "dxil") {
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let reflected = reflect(&bytes, &Options::default()).unwrap();
            assert_eq!(shader_model(&bytes), Some(reflected.shader_model));
            let words = convert(&bytes, &Options::default()).unwrap().words;
            let total = statistics::statistics(&words).unwrap().total;
            assert_eq!(
                sizes(&words),
                (total.instructions, total.blocks),
                "{path:?}"
            );
            compared += 1;
        }
        assert!(compared > 100, "{compared}");
    }

    #[test]
    fn words_that_are_no_module_have_sizes_too() {
        assert_eq!(sizes(&[]), (0, 0));
        assert_eq!(sizes(&[0; 9]), (4, 0));
        assert_eq!(sizes(&[0, 0, 0, 0, 0, u32::MAX, 248]), (1, 0));
        assert_eq!(shader_model(b"BC\xC0\xDE"), None);
        assert_eq!(shader_model(b"DXBC"), None);
    }
}
