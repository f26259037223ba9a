//! SPIR-V: the output of a shader, or the input.

use trellis_dxil::{Options, convert, disassemble};

use crate::answer::{Answer, Failure, TextView};

/// Returns the SPIR-V of a shader as assembly, and its bytes.
pub(crate) fn assembly(bytes: &[u8], options: &Options) -> Result<(String, usize), Failure> {
    let output = convert(bytes, options).map_err(|error| Failure::from(&error))?;
    let text = disassemble(&output.words)
        .map_err(|error| Failure::new("disassemble", &error.to_string()))?;
    Ok((text, output.words.len() * size_of::<u32>()))
}

/// The first word of a module.
const MAGIC: u32 = 0x0723_0203;

/// Returns the words of a file of SPIR-V; `None` for other files.
pub(crate) fn words(bytes: &[u8]) -> Option<Vec<u32>> {
    let (words, []) = bytes.as_chunks() else {
        return None;
    };
    let is_swapped = match u32::from_le_bytes(*words.first()?) {
        MAGIC => false,
        first if first.swap_bytes() == MAGIC => true,
        _ => return None,
    };
    let word = |&word| match is_swapped {
        true => u32::from_be_bytes(word),
        false => u32::from_le_bytes(word),
    };
    Some(words.iter().map(word).collect())
}

/// Returns the page's contents for a module of any compiler.
pub(crate) fn explore(words: &[u32]) -> Answer {
    let text = match disassemble(words) {
        Ok(text) => text,
        Err(error) => return Answer::of_error(Failure::new("read", &error.to_string())),
    };
    Answer {
        no_functions: Some("the structurizer was not used: the input is SPIR-V".to_owned()),
        output: TextView {
            text,
            ..TextView::default()
        },
        output_bytes: size_of_val(words),
        ..Answer::default()
    }
}
