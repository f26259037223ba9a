//! The output of a shader.

use trellis_dxil::{Options, convert, disassemble};

use crate::answer::Failure;

/// Returns the SPIR-V of a shader as assembly, and its bytes.
pub(crate) fn assembly(bytes: &[u8], options: &Options) -> Result<(String, usize), Failure> {
    let output = convert(bytes, options).map_err(|error| Failure::from(&error))?;
    let text = disassemble(&output.words)
        .map_err(|error| Failure::new("disassemble", &error.to_string()))?;
    Ok((text, output.words.len() * size_of::<u32>()))
}
