//! Modules for tests.

use std::path::PathBuf;

use trellis_spirv_backend::Target;
use trellis_spirv_backend::check::{self, SpirvValError};

/// Returns the SPIR-V that DXC made of shaders of the corpus, in the order of their names.
pub(crate) fn corpus() -> Vec<(PathBuf, Vec<u32>)> {
    let files = shader_testkit::files(&shader_testkit::corpus(), "spv");
    let words = |path: &PathBuf| {
        let bytes = std::fs::read(path).unwrap();
        let words = bytes.chunks_exact(4);
        words
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect()
    };
    files
        .iter()
        .map(|path| (path.clone(), words(path)))
        .collect()
}

const SELECTION_MERGE: u32 = 247;
const LOOP_MERGE: u32 = 246;

/// Returns the instructions of a module.
pub(crate) fn instructions(words: &[u32]) -> impl Iterator<Item = &[u32]> {
    let mut rest = &words[5..];
    std::iter::from_fn(move || {
        let count = (rest.first()? >> 16) as usize;
        let inst;
        (inst, rest) = rest.split_at(count);
        Some(inst)
    })
}

/// Returns the opcode of an instruction.
pub(crate) fn opcode(inst: &[u32]) -> u32 {
    inst[0] & 0xffff
}

/// Returns a module without its merge instructions.
pub(crate) fn without_merges(words: &[u32]) -> Vec<u32> {
    let is_merge = |inst: &[u32]| matches!(opcode(inst), SELECTION_MERGE | LOOP_MERGE);
    let rest = instructions(words).filter(|inst| !is_merge(inst));
    words[..5]
        .iter()
        .copied()
        .chain(rest.flatten().copied())
        .collect()
}

/// Checks blocks, phis and ids of a module with our verifier, and all of it with spirv-val where that is
/// built in. Our verifier's rules of types and stages are for our own output.
pub(crate) fn validate(words: &[u32]) -> Result<(), String> {
    if let Err(error) = check::verify(words)
        && error.rule.is_of_graph()
    {
        return Err(error.to_string());
    }
    match check::spirv_val(words, Target::default()) {
        Ok(()) | Err(SpirvValError::Missing) => Ok(()),
        Err(error) => Err(format!("spirv-val: {error}")),
    }
}
