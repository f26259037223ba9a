//! Checks of SPIR-V modules that anybody made: by our own verifier, and by spirv-val where it is built in.
//!
//! Our verifier is written for our own output, which has no lines and no text of the source.
//! Instructions that SPIR-V allows at other places for these (`OpLine`, `OpNoLine`, `OpSource` and
//! its continuations, `OpModuleProcessed`, `OpNop`) have no meaning, so a copy of the module
//! without them is verified, and positions are translated back. It checks the rules of
//! [`crate::error::VerifyRule`]: layout, ids, dominance, structured control flow, phis, common
//! types, Vulkan's addressing models, requirements of shader stages; not each operand of each
//! instruction. One rule is stricter than SPIR-V's: a bound of ids of more than four times the
//! words is refused, as memory is allocated for it.

use rspirv::spirv::{MAGIC_NUMBER, Op};
use thiserror::Error;

use crate::error::{Feature, VerifyError, VerifyRule};
#[cfg(feature = "validate")]
use crate::spirv_val;
use crate::target::Target;
use crate::verify;

/// Words of the header.
const HEADER: usize = 5;

/// Verifies the words of any module of Vulkan's SPIR-V with Trellis's own verifier.
///
/// ```
/// use trellis_spirv_backend::check::verify;
///
/// let dxil = include_bytes!("../tests/data/collatz.dxil");
/// let output = trellis_spirv_backend::convert(dxil, &trellis_spirv_backend::Options::default())?;
/// assert!(verify(&output.words).is_ok());
/// assert!(verify(&output.words[..50]).is_err());
/// # Ok::<(), trellis_spirv_backend::Error>(())
/// ```
///
/// # Errors
/// Returns the first violated rule, and the instruction that breaks it.
pub fn verify(words: &[u32]) -> Result<(), VerifyError> {
    let (copy, kept) = without_lines(words);
    if kept.is_empty() {
        return verify::verify(words);
    }
    verify::verify(&copy).map_err(|error| translated(error, &kept))
}

/// Returns whether spirv-val is in this build (feature `validate`).
pub fn has_spirv_val() -> bool {
    cfg!(feature = "validate")
}

/// Why spirv-val does not accept a module.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SpirvValError {
    /// The module is not valid.
    #[error("{message}")]
    Rejected {
        /// The message.
        message: String,
        /// The position of the instruction, if it is about one.
        word: Option<usize>,
        /// The instruction as text; empty if it is not about one.
        text: String,
    },
    /// The module uses a feature that the built-in spirv-val rejects because it cannot check it.
    #[error("the built-in spirv-val cannot check it: {feature}")]
    TooOld {
        /// The feature.
        feature: Feature,
    },
    /// spirv-val is not in this build.
    #[error("this build has no spirv-val")]
    Missing,
}

/// Validates the words of any module with spirv-val, for Vulkan and with scalar block layout.
///
/// # Errors
/// The module is rejected, or cannot be checked.
#[cfg(feature = "validate")]
pub fn spirv_val(words: &[u32], target: Target) -> Result<(), SpirvValError> {
    let Err(found) = spirv_val::diagnose(words, target) else {
        return Ok(());
    };
    Err(match spirv_val::cannot_validate(words) {
        Some(feature) => SpirvValError::TooOld { feature },
        None => SpirvValError::Rejected {
            word: instruction_at(words, found.instruction),
            message: found.message.trim_end().to_owned(),
            text: found.text.trim().to_owned(),
        },
    })
}

/// This build has no spirv-val.
///
/// # Errors
/// Always.
#[cfg(not(feature = "validate"))]
pub fn spirv_val(_words: &[u32], _target: Target) -> Result<(), SpirvValError> {
    Err(SpirvValError::Missing)
}

/// Returns the position of an instruction by its number, which spirv-val counts from 1.
#[cfg(any(feature = "validate", test))]
fn instruction_at(words: &[u32], number: usize) -> Option<usize> {
    let next = |at: &usize| Some(at + ((words.get(*at)? >> 16) as usize).max(1));
    let mut positions = std::iter::successors(Some(HEADER), next);
    let at = positions.nth(number.checked_sub(1)?)?;
    (at < words.len()).then_some(at)
}

/// Returns whether an instruction only describes the source, and may be where our verifier expects none.
fn is_line(opcode: u32) -> bool {
    matches!(
        Op::from_u32(opcode),
        Some(
            Op::Nop
                | Op::Line
                | Op::NoLine
                | Op::Source
                | Op::SourceContinued
                | Op::SourceExtension
                | Op::ModuleProcessed
        )
    )
}

/// Returns the words without lines, and for each run of words that is kept its start in the copy and in the
/// module. Both are empty if there is nothing to leave out.
fn without_lines(words: &[u32]) -> (Vec<u32>, Vec<(usize, usize)>) {
    let (mut copy, mut kept) = (Vec::new(), Vec::new());
    if words.first() != Some(&MAGIC_NUMBER) || words.len() < HEADER {
        return (copy, kept);
    }
    let (mut at, mut start) = (HEADER, 0);
    // Malformed instructions are left to the verifier.
    while let Some(&first) = words.get(at) {
        let count = ((first >> 16) as usize).max(1);
        let next = at.saturating_add(count).min(words.len());
        if is_line(first & 0xFFFF) && first >> 16 != 0 {
            kept.push((copy.len(), start));
            copy.extend_from_slice(&words[start..at]);
            start = next;
        }
        at = next;
    }
    if !kept.is_empty() {
        kept.push((copy.len(), start));
        copy.extend_from_slice(&words[start..]);
    }
    (copy, kept)
}

/// Returns an error of the copy with positions in the module.
fn translated(mut error: VerifyError, kept: &[(usize, usize)]) -> VerifyError {
    let original = |word: u32| -> u32 {
        let run = kept.partition_point(|(start, _)| *start <= word as usize);
        let (start, from) = kept[run.saturating_sub(1)];
        (from + (word as usize - start)) as u32
    };
    match &mut error.rule {
        VerifyRule::Truncated { word } | VerifyRule::WordCount { word, .. } => {
            *word = original(*word);
        }
        _ => {}
    }
    if let Some(at) = &mut error.at {
        at.word = original(at.word);
    }
    error
}

#[cfg(test)]
mod tests {
    use rspirv::spirv::Op;

    use super::{instruction_at, verify};

    /// Returns the module of a shader with lines everywhere and a source before its names.
    fn with_lines(words: &[u32]) -> Vec<u32> {
        let line = [4 << 16 | Op::Line as u32, 1, 2, 3];
        let mut result = words[..5].to_vec();
        let (mut at, mut has_source) = (5, false);
        while at < words.len() {
            let (op, count) = (words[at] & 0xFFFF, (words[at] >> 16) as usize);
            if op == Op::Name as u32 && !has_source {
                result.extend([3 << 16 | Op::Source as u32, 5, 600]);
                has_source = true;
            }
            if op >= Op::Function as u32 && has_source && op != Op::Decorate as u32 {
                result.extend(line);
            }
            result.extend(&words[at..at + count]);
            at += count;
        }
        result
    }

    #[test]
    fn instructions_are_counted_from_one() {
        let words = [0, 0, 0, 0, 0, 2 << 16, 7, 1 << 16, 3 << 16, 7, 7];
        let found = [0, 1, 2, 3, 4].map(|number| instruction_at(&words, number));
        assert_eq!(found, [None, Some(5), Some(7), Some(8), None]);
    }

    #[test]
    fn lines_are_no_error_and_positions_are_those_of_the_module() {
        let shader = include_bytes!("../tests/data/collatz.dxil");
        let words = crate::convert(shader, &crate::Options::default())
            .expect("it converts")
            .words;
        let mut lines = with_lines(&words);
        assert!(lines.len() > words.len() + 20);
        assert_eq!(verify(&lines), Ok(()));
        // The last load of the module has an operand that is not defined.
        let mut load = 5;
        let mut at = 5;
        while at < lines.len() {
            if lines[at] & 0xFFFF == Op::Store as u32 {
                load = at;
            }
            at += (lines[at] >> 16) as usize;
        }
        lines[load + 1] = lines[3];
        lines[3] += 1;
        let error = verify(&lines).expect_err("an id without definition");
        assert_eq!(error.at.expect("an instruction").word as usize, load);
    }
}
