//! SPIR-V in, SPIR-V with valid structured control flow out.
//!
//! [`restructure`] reads a module whose functions may have any control flow: merge instructions
//! that are missing, wrong or valid, irreducible loops, branches that leave several constructs. The
//! result has the same functions, structured for a [`Profile`]. Nothing else in the module changes,
//! but for constants and types that selectors need, and names and decorations of removed ids.
//!
//! # What is kept
//! - Each invocation runs the same instructions. Convergent ones (barriers, group operations,
//!   derivatives, and calls of functions with such) run with the invocations of the input's natural
//!   loops; where the input has `OpLoopMerge`, also with the invocations of blocks in the loop
//!   construct that do not lead back to the header.
//! - Loop and selection controls, `OpLine` and debug scopes. Branch weights are not.
//!
//! # Limits
//! Values that no phi may have (images, samplers, pointers of logical addressing) are computed again
//! where control flow requires it. A value of this kind that cannot be computed again is
//! [`Error::NoPhi`].
//!
//! # Steps
//! 1. `module` finds instructions and functions in the words, and reads types.
//! 2. `body` reads the blocks of a function with rspirv's grammar.
//! 3. `client` describes the function to the structurizer.
//! 4. `rematerialize` copies definitions if the structured function has a phi that is not allowed.
//! 5. `emit` writes the structured function, `assemble` the module.

mod assemble;
mod body;
mod client;
mod convergence;
mod emit;
mod error;
mod module;
mod rematerialize;

pub use error::Error;

use rustc_hash::FxHashSet;
use trellis_structurizer::{Options, Target};
use trellis_structurizer_client::structurize_ssa;

use assemble::Changes;
use body::Body;
use client::Client;
use module::{Module, Section};

/// Reader that the result is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Profile {
    /// Vulkan: all that SPIR-V allows.
    #[default]
    Spirv,
    /// naga and others that translate to languages such as WGSL: no fall-through between cases, no
    /// `break` of a loop inside a switch, and a merge block for each conditional branch.
    Wgsl,
}

impl Profile {
    /// The profiles with their names on the command line.
    pub const ALL: [(&'static str, Self); 2] = [("spirv", Self::Spirv), ("wgsl", Self::Wgsl)];

    /// Returns the profile with a name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|profile| profile.0 == name)
            .map(|profile| profile.1)
    }

    fn options(self) -> Options {
        let target = match self {
            Self::Spirv => Target::SPIRV,
            Self::Wgsl => Target::WGSL.with_branch_merges(true),
        };
        Options::default()
            // Drivers compile them as loops.
            .with_target(target.with_breakable_blocks(false))
            // Mesa ignores a `continue` that leaves two switches.
            .with_max_continue_switches(1)
    }
}

/// Structures the functions of a module of any compiler.
///
/// Total for valid SPIR-V whose merge instructions are ignored, within the limits of memory:
/// unsupported are instructions that rspirv's grammar does not have, and values that no phi may have
/// and that cannot be computed again. The structured functions are verified. The rest of the module
/// is copied, so that a module that is invalid elsewhere stays so: a validator reports that.
///
/// # Errors
/// See [`Error`]. Any words are allowed as input.
///
/// # Examples
/// ```
/// use trellis_restructure::{Profile, restructure};
///
/// // A module without functions.
/// let words = [0x0723_0203, 0x0001_0500, 0, 1, 0, 0x0002_0011, 1];
/// assert_eq!(restructure(&words, Profile::Spirv)?, words);
/// assert!(restructure(&words[1..], Profile::Spirv).is_err());
/// # Ok::<(), trellis_restructure::Error>(())
/// ```
pub fn restructure(words: &[u32], profile: Profile) -> Result<Vec<u32>, Error> {
    let module = Module::read(words)?;
    let mut changes = Changes::new(&module);
    let options = profile.options();
    let convergent = convergence::functions(&module);
    let mut sections = Vec::with_capacity(module.sections.len());
    for section in &module.sections {
        sections.push(match section {
            Section::Function(function) if function.has_branches => {
                structure(&module, function, &convergent, &options, &mut changes)?
            }
            Section::Function(function) => words[function.words.clone()].to_vec(),
            Section::Other(range) => words[range.clone()].to_vec(),
        });
    }
    Ok(assemble::assemble(&module, sections, changes))
}

/// Structures a function and returns its words.
fn structure(
    module: &Module<'_>,
    function: &module::Function,
    convergent: &FxHashSet<u32>,
    options: &Options,
    changes: &mut Changes,
) -> Result<Vec<u32>, Error> {
    let mut body = Body::read(module, function)?;
    let run = |body: &Body, is_first: bool| {
        let client = Client {
            module,
            body,
            convergent,
        };
        if is_first {
            client.check()?;
        }
        let edits = structurize_ssa(&client, options);
        edits.map_err(|error| client.error(function.id, error))
    };
    let mut edits = run(&body, true)?;
    if rematerialize::forbidden_phi(module, &edits).is_some() {
        rematerialize::rematerialize(module, function.id, &mut body, changes)?;
        edits = run(&body, false)?;
    }
    if let Some(phi) = rematerialize::forbidden_phi(module, &edits) {
        let id = rematerialize::source(&edits, phi);
        return Err(Error::NoPhi { id });
    }
    emit::emit(module, &body, &edits, changes)
}

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
