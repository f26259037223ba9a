//! Targets: the structured control flow of the language that a client writes.
//!
//! Every language has ifs, switches, and endless loops with `break` and `continue`. They differ in
//! how far one jump may lead: a [`Target`] gives this limit. The plan uses no other jumps, and
//! [`verify`](crate::verify::verify) accepts no other.

/// Capabilities of the language that a client writes: one of the profiles, such as
/// [`Target::WGSL`], or one changed by the setters.
///
/// | profile | name | multi-level exits | breaks out of switches to loops | fall-through | continue parts |
/// |---|---|---|---|---|---|
/// | [`SPIRV`](Self::SPIRV) | `spirv` | no | yes | yes | yes |
/// | [`WGSL`](Self::WGSL) | `wgsl` | no | no | no | yes |
/// | [`HLSL`](Self::HLSL) | `hlsl` | no | no | no | no |
/// | [`GLSL`](Self::GLSL), [`C`](Self::C) | `glsl`, `c` | no | no | yes | no |
/// | [`WASM`](Self::WASM), [`RUST`](Self::RUST), [`JAVA`](Self::JAVA), [`JAVASCRIPT`](Self::JAVASCRIPT) | `wasm`, `rust`, `java`, `javascript` | yes | yes | no | yes |
///
/// The result is valid and equivalent for every combination.
///
/// ```
/// use trellis_structurizer::{Options, Target, Tree, structurize, text};
///
/// // The inner loop, in which convergent instructions run, may leave both loops.
/// let func = text::parse("
///     start: outer
///     outer: inner end
///     inner: {conv} found next
///     next: {conv} inner outer
///     found: exit
///     end: exit
///     exit: ret
/// ")?;
/// let selectors = |target| {
///     let options = Options::default().with_target(target);
///     structurize(func.clone(), &options).map(|result| result.report.selectors)
/// };
/// assert_eq!(selectors(Target::SPIRV)?, 1);
/// assert_eq!(selectors(Target::RUST)?, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields, rename_all = "kebab-case")
)]
#[non_exhaustive]
pub struct Target {
    /// Whether a jump may lead to the merge block of any construct around it, selections included,
    /// and to the continue target of any loop around it: labelled blocks, and `break` and
    /// `continue` with a label. No selectors are needed then, except in irreducible loops.
    pub multi_level: bool,
    /// Whether a `break` of a loop may leave the switches and breakable blocks inside that loop.
    /// True for every target with `multi_level`.
    pub break_leaves_switches: bool,
    /// Whether a case may fall through to the next one. Not used with `multi_level`, where a jump
    /// leads to code after the switch instead.
    pub fall_through: bool,
    /// Whether loops have a part that runs after the body and after each `continue`. If not,
    /// continue targets are blocks without instructions: `continue` starts the next iteration, after
    /// the copies in place of phis at the end of that block.
    pub continue_parts: bool,
    /// Whether at most one block returns; it is outside of all loops.
    pub single_return: bool,
    /// Whether an instruction can choose between two values of any type that phis have: results may
    /// have an [`InstKind::Select`](crate::ir::InstKind::Select) in place of a selection. True for
    /// SPIR-V only: where phis are variables, a branch sets them as well.
    pub selects: bool,
    /// Whether each conditional branch has a merge block, even with a `break` or `continue` as one
    /// of its edges, where SPIR-V needs none; only branches that end a loop's continue part have
    /// none. And no loop header is the merge block of another construct. For readers that find the
    /// end of an `if` by its merge instruction, and recognize a `break` by its target (naga); it
    /// adds empty and unreachable blocks.
    pub branch_merges: bool,
    /// Whether [breakable blocks](crate::Stage::BreakableBlocks) are better than selectors. Compilers of shaders
    /// make loops of them, so the converter only makes them for many
    /// [interleaved breaks](crate::Stage::BreakFlattening).
    pub breakable_blocks: bool,
}

impl Target {
    /// SPIR-V: exits to the innermost loop and to the innermost switch. The default.
    pub const SPIRV: Self = Self {
        multi_level: false,
        break_leaves_switches: true,
        fall_through: true,
        continue_parts: true,
        single_return: false,
        selects: true,
        branch_merges: false,
        breakable_blocks: true,
    };
    /// WGSL. A `break` in a switch leaves the switch; `continuing` is the continue part.
    pub const WGSL: Self = Self::SPIRV
        .with_break_leaves_switches(false)
        .with_fall_through(false)
        .with_selects(false);
    /// HLSL: as C, without fall-through.
    pub const HLSL: Self = Self::C.with_fall_through(false);
    /// GLSL: as C.
    pub const GLSL: Self = Self::C;
    /// C. A `break` in a switch leaves the switch. `for (;;)` has no continue part.
    pub const C: Self = Self::SPIRV
        .with_break_leaves_switches(false)
        .with_continue_parts(false)
        .with_selects(false);
    /// WebAssembly: `br` to any `block` or `loop` around.
    pub const WASM: Self = Self::SPIRV
        .with_multi_level(true)
        .with_fall_through(false)
        .with_selects(false);
    /// Rust: labelled blocks and loops.
    pub const RUST: Self = Self::WASM;
    /// Java: labelled statements.
    pub const JAVA: Self = Self::WASM;
    /// JavaScript: labelled statements.
    pub const JAVASCRIPT: Self = Self::WASM;

    /// The profiles with their names on the command line.
    pub const PROFILES: [(&'static str, Self); 9] = [
        ("spirv", Self::SPIRV),
        ("wgsl", Self::WGSL),
        ("hlsl", Self::HLSL),
        ("glsl", Self::GLSL),
        ("c", Self::C),
        ("wasm", Self::WASM),
        ("rust", Self::RUST),
        ("java", Self::JAVA),
        ("javascript", Self::JAVASCRIPT),
    ];

    /// Returns the profile with a name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        let mut profiles = Self::PROFILES.into_iter();
        profiles.find(|p| p.0 == name).map(|p| p.1)
    }

    /// Returns the target with or without [`multi_level`](Self::multi_level).
    #[must_use]
    pub const fn with_multi_level(mut self, has: bool) -> Self {
        self.multi_level = has;
        self
    }
    /// Returns the target with or without [`break_leaves_switches`](Self::break_leaves_switches).
    #[must_use]
    pub const fn with_break_leaves_switches(mut self, has: bool) -> Self {
        self.break_leaves_switches = has;
        self
    }
    /// Returns the target with or without [`fall_through`](Self::fall_through).
    #[must_use]
    pub const fn with_fall_through(mut self, has: bool) -> Self {
        self.fall_through = has;
        self
    }
    /// Returns the target with or without [`continue_parts`](Self::continue_parts).
    #[must_use]
    pub const fn with_continue_parts(mut self, has: bool) -> Self {
        self.continue_parts = has;
        self
    }
    /// Returns the target with or without [`single_return`](Self::single_return).
    #[must_use]
    pub const fn with_single_return(mut self, has: bool) -> Self {
        self.single_return = has;
        self
    }
    /// Returns the target with or without [`selects`](Self::selects).
    #[must_use]
    pub const fn with_selects(mut self, has: bool) -> Self {
        self.selects = has;
        self
    }
    /// Returns the target with or without [`branch_merges`](Self::branch_merges).
    #[must_use]
    pub const fn with_branch_merges(mut self, has: bool) -> Self {
        self.branch_merges = has;
        self
    }

    /// Returns the target with or without [`breakable_blocks`](Self::breakable_blocks).
    #[must_use]
    pub const fn with_breakable_blocks(mut self, has: bool) -> Self {
        self.breakable_blocks = has;
        self
    }

    /// Returns whether a `break` of a loop may leave a switch.
    pub(crate) fn leaves_switches(self) -> bool {
        self.multi_level || self.break_leaves_switches
    }
    /// Returns whether a case may fall through to another one.
    pub(crate) fn falls_through(self) -> bool {
        self.fall_through && !self.multi_level
    }
}

impl Default for Target {
    fn default() -> Self {
        Self::SPIRV
    }
}
