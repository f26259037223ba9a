//! Shrinks a shader while a condition holds, such as that it fails as before.
//!
//! The shader's file is taken apart: parts of the container, blocks and records of the bitcode, and for
//! function bodies instructions with operands by value number (`body`). Passes remove parts that the
//! condition does not need, until none removes anything:
//!
//! 1. parts of the container, and bodies of functions (which become declarations);
//! 2. debug locations, names of values and metadata of instructions;
//! 3. edges of branches and switches, with the blocks that are not reached then;
//! 4. instructions, whose values become zero constants;
//! 5. named metadata, operands of metadata, and names.
//!
//! Each pass is delta debugging: it tries to remove all, then halves, quarters and so on (Zeller and
//! Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002), so the result is such that
//! nothing can be removed alone. Everything is tried in a fixed order: the result depends on the file and
//! the condition only. Types, declarations, module-level constants and entries of signatures that are
//! needed for the numbering of others stay. Functions with metadata as arguments, other than debug
//! information, keep their instructions.

mod bitstream;
mod body;
mod edits;
mod program;

use std::collections::HashSet;

use thiserror::Error;

use program::Shader;

/// Why a shader cannot be reduced.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ReduceError {
    /// The container or the bitstream cannot be taken apart.
    #[error("cannot take the shader apart: {reason}")]
    Unread {
        /// The error in it.
        reason: String,
    },
    /// The condition does not hold for the input.
    #[error("the condition does not hold for the shader as it is")]
    NotInteresting,
    /// The condition does not hold for the same shader, written again without abbreviations: it depends on
    /// the encoding.
    #[error(
        "the condition does not hold for the same shader written again: it depends on its encoding"
    )]
    Encoding,
}

/// Results of a reduction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// Bytes before.
    pub before: usize,
    /// Bytes after; of the first written form if nothing could be removed.
    pub after: usize,
    /// Files for which the condition was tested.
    pub tests: u64,
    /// Those for which it held.
    pub improvements: u64,
    /// Rounds of all passes; the last one removed nothing.
    pub rounds: u64,
}

/// A step of a reduction that removed something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// The file as it is now, for which the condition holds.
    pub bytes: &'a [u8],
    /// The pass that removed something.
    pub pass: &'static str,
    /// Files for which the condition was tested so far.
    pub tests: u64,
}

/// Reduces a shader while `is_interesting` holds for it. `improved` is called with each smaller file, the
/// last of which is the result.
///
/// # Errors
/// The shader cannot be taken apart, or the condition does not hold for it.
pub fn reduce(
    bytes: &[u8],
    is_interesting: &mut dyn FnMut(&[u8]) -> bool,
    improved: &mut dyn FnMut(&Progress<'_>),
) -> Result<Summary, ReduceError> {
    if !is_interesting(bytes) {
        return Err(ReduceError::NotInteresting);
    }
    let best = Shader::read(bytes)?;
    let written = best.bytes();
    let mut reduction = Reduction {
        weight: best.weight(),
        best,
        after: written.len(),
        is_interesting,
        improved,
        known: HashSet::new(),
        tests: 1,
        improvements: 0,
    };
    if !reduction.is_interesting(&written) {
        return Err(ReduceError::Encoding);
    }
    (reduction.improved)(&Progress {
        bytes: &written,
        pass: "encoding",
        tests: reduction.tests,
    });
    let mut rounds = 0;
    loop {
        rounds += 1;
        let before = reduction.improvements;
        for pass in edits::PASSES {
            pass(&mut reduction);
        }
        if reduction.improvements == before {
            break;
        }
    }
    Ok(Summary {
        before: bytes.len(),
        after: reduction.after,
        tests: reduction.tests,
        improvements: reduction.improvements,
        rounds,
    })
}

/// The state of a reduction.
struct Reduction<'a> {
    /// The smallest shader so far.
    best: Shader,
    /// Its [`Shader::weight`].
    weight: u64,
    /// Its bytes.
    after: usize,
    is_interesting: &'a mut dyn FnMut(&[u8]) -> bool,
    improved: &'a mut dyn FnMut(&Progress<'_>),
    /// Hashes of the files that were tested and are not interesting.
    known: HashSet<[u8; 32]>,
    tests: u64,
    improvements: u64,
}

impl Reduction<'_> {
    fn is_interesting(&mut self, bytes: &[u8]) -> bool {
        let hash = *blake3::hash(bytes).as_bytes();
        if self.known.contains(&hash) {
            return false;
        }
        self.tests += 1;
        let holds = (self.is_interesting)(bytes);
        if !holds {
            self.known.insert(hash);
        }
        holds
    }

    /// Takes a smaller shader if the condition holds for it.
    fn attempt(&mut self, pass: &'static str, shader: Shader) -> bool {
        // Without a smaller weight there is no progress: rounds would not end.
        let weight = shader.weight();
        if weight >= self.weight {
            return false;
        }
        let bytes = shader.bytes();
        if !self.is_interesting(&bytes) {
            return false;
        }
        self.best = shader;
        self.weight = weight;
        self.after = bytes.len();
        self.improvements += 1;
        (self.improved)(&Progress {
            bytes: &bytes,
            pass,
            tests: self.tests,
        });
        true
    }
}

/// Finds which of `items` can be removed together: `attempt` is called with those that are removed already
/// and a chunk of the rest. Chunks are halved, down to single items.
fn remove<T: Clone>(items: &[T], mut attempt: impl FnMut(&[T]) -> bool) {
    let mut rest = items.to_vec();
    let mut removed: Vec<T> = Vec::new();
    let mut size = rest.len();
    while size > 0 {
        let mut at = 0;
        while at < rest.len() {
            let end = (at + size).min(rest.len());
            let count = removed.len();
            removed.extend_from_slice(&rest[at..end]);
            if attempt(&removed) {
                rest.drain(at..end);
            } else {
                removed.truncate(count);
                at = end;
            }
        }
        size /= 2;
    }
}

#[cfg(test)]
mod tests;
