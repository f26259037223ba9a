//! The options and the result of [`structurize`](crate::structurize).

use alloc::vec::Vec;

use trellis_entity::SecondaryMap;

use crate::ir::{Block, Function, LoopHint, SelectionHint};
use crate::remark::Remark;
use crate::stage::Stages;
use crate::target::Target;

/// Options of [`structurize`](crate::structurize).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Run the independent verifier on the result. On by default, since it is cheap.
    pub verify: bool,
    /// Compare the result with the function: it does the same ([`equivalence`](crate::equivalence)). On by
    /// default, since it is cheap.
    pub compare: bool,
    /// The most blocks that a function may have.
    pub max_blocks: usize,
    /// How much larger than the input the result may be: it has at most 2^20 + `max_growth` ×
    /// (entries of the input) entries, and less than 2^32 ([`Options::max_entries`];
    /// [`Function::num_entries`] counts them). A run that would need more ends with
    /// [`Error::ResultTooLarge`](crate::Error::ResultTooLarge), before it allocates memory for
    /// them.
    ///
    /// The memory of a run is linear in the entries of the input and the result, so that this bounds
    /// it for any input. It is necessary for hostile functions only: m arguments that pass n levels
    /// of nesting need m × n phis. The families of the tests, and random graphs, stay below 6.
    pub max_growth: usize,
    /// The stages that run. All of them by default; the result is valid and equivalent with any
    /// set.
    pub stages: Stages,
    /// If true, each decision is recorded in [`Report::remarks`].
    pub remarks: bool,
    /// The most instructions that an exit path of a loop may hold to stay inside it
    /// (`if (c) { x; break; }`).
    pub max_break_path: u32,
    /// The most switches (breakable blocks are switches, too) that one `continue` leaves. From
    /// deeper inside, control breaks out of a switch and a selector after it continues.
    ///
    /// SPIR-V has no limit, and neither has the default. Mesa's front end, as of 25.0, ignores a
    /// `continue` that leaves two: control continues after the inner switch. `1` avoids that.
    /// Without effect for targets with [multi-level exits](Target::multi_level).
    pub max_continue_switches: u32,
    /// Jumps that the client's output language can express.
    pub target: Target,
    /// Interleaved breaks are flat where at least this number of branches leads to each of several
    /// nodes: all of them leave one breakable block, and a selector decides between the nodes after it.
    pub many_breaks: u32,
}

impl Options {
    /// Returns the options with another [`verify`](Self::verify).
    #[must_use]
    pub const fn with_verify(mut self, verify: bool) -> Self {
        self.verify = verify;
        self
    }
    /// Returns the options with another [`compare`](Self::compare).
    #[must_use]
    pub const fn with_compare(mut self, compare: bool) -> Self {
        self.compare = compare;
        self
    }
    /// Returns the options with another [`max_blocks`](Self::max_blocks).
    #[must_use]
    pub const fn with_max_blocks(mut self, max_blocks: usize) -> Self {
        self.max_blocks = max_blocks;
        self
    }
    /// Returns the options with another [`max_growth`](Self::max_growth).
    #[must_use]
    pub const fn with_max_growth(mut self, growth: usize) -> Self {
        self.max_growth = growth;
        self
    }
    /// Returns the options with other [`stages`](Self::stages).
    #[must_use]
    pub const fn with_stages(mut self, stages: Stages) -> Self {
        self.stages = stages;
        self
    }
    /// Returns the options with other [`remarks`](Self::remarks).
    #[must_use]
    pub const fn with_remarks(mut self, remarks: bool) -> Self {
        self.remarks = remarks;
        self
    }
    /// Returns the options with another [`max_break_path`](Self::max_break_path).
    #[must_use]
    pub const fn with_max_break_path(mut self, instructions: u32) -> Self {
        self.max_break_path = instructions;
        self
    }
    /// Returns the options with another [`max_continue_switches`](Self::max_continue_switches).
    #[must_use]
    pub const fn with_max_continue_switches(mut self, switches: u32) -> Self {
        self.max_continue_switches = switches;
        self
    }
    /// Returns the options with another [`target`](Self::target).
    #[must_use]
    pub const fn with_target(mut self, target: Target) -> Self {
        self.target = target;
        self
    }
    /// Returns the options with another [`many_breaks`](Self::many_breaks).
    #[must_use]
    pub const fn with_many_breaks(mut self, breaks: u32) -> Self {
        self.many_breaks = breaks;
        self
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            verify: true,
            compare: true,
            max_blocks: 1 << 24,
            max_growth: 16,
            stages: Stages::ALL,
            remarks: false,
            max_break_path: 64,
            max_continue_switches: u32::MAX,
            target: Target::SPIRV,
            // A person would have nested fewer breaks than this.
            many_breaks: 8,
        }
    }
}

/// The entries that any result may have, however small its input is.
const SPARE_ENTRIES: usize = 1 << 20;

impl Options {
    /// Returns the most entries ([`Function::num_entries`]) that the result for a function may
    /// have. See [`Options::max_growth`].
    pub fn max_entries(&self, func: &Function) -> usize {
        let growth = self.max_growth.saturating_mul(func.num_entries());
        // Entries have indices of 32 bits.
        growth.saturating_add(SPARE_ENTRIES).min(u32::MAX as usize)
    }
}

/// The merge instruction of a block, which makes it a header.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Merge {
    /// None: the block is not a header.
    #[default]
    None,
    /// `OpSelectionMerge`
    Selection {
        /// The merge block.
        merge: Block,
        /// The selection control.
        hint: SelectionHint,
    },
    /// `OpLoopMerge`
    Loop {
        /// The merge block.
        merge: Block,
        /// The continue target.
        continue_target: Block,
        /// The loop control.
        hint: LoopHint,
    },
}

/// A structured function.
#[derive(Clone, Debug)]
pub struct Structured {
    /// The rewritten function. Instructions keep their ids and payloads; blocks that were
    /// unreachable are not in `order`; fresh blocks come after the input's.
    pub func: Function,
    /// The merge instruction of each block.
    pub merges: SecondaryMap<Block, Merge>,
    /// The blocks of the result, in an order that SPIR-V accepts: the entry first, each block
    /// after its immediate dominator, constructs contiguous.
    pub order: Vec<Block>,
    /// Jumps that the output language can express: [`Options::target`].
    pub target: Target,
    /// Statistics and remarks.
    pub report: Report,
}

/// Statistics of a run, and its remarks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Empty merge blocks that were inserted.
    pub ladders: u32,
    /// Merge blocks at which a selector decides where control continues.
    pub selectors: u32,
    /// Dispatch headers made for irreducible cycles.
    pub dispatch_headers: u32,
    /// Breakable blocks: switches with a default case only, which are made to break out of.
    pub breakable_blocks: u32,
    /// Switches of the result: the function's own, breakable blocks, and switches for selectors and
    /// dispatch headers.
    pub switches: u32,
    /// Phis that were inserted.
    pub phis: u32,
    /// Operands of phis that are undefined because no path defines the value there.
    pub undef_operands: u32,
    /// Blocks that were inserted, of all kinds; also those that turned out not to be needed, which are not in
    /// the [order](Structured::order). The blocks before them are of the input.
    pub blocks: u32,
    /// Copies of empty blocks that end the invocation.
    pub copies: u32,
    /// 1 if the result was verified, but not compared with the function: too many paths lead through its
    /// inserted blocks ([`Difference::TooLarge`](crate::equivalence::Difference::TooLarge)).
    pub unchecked: u32,
    /// Every decision in the order of the stages, if [`Options::remarks`] is set.
    pub remarks: Vec<Remark>,
}

/// The reason why a stage has no result.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StageError {
    /// The result would have more entries than this limit.
    ResultTooLarge { limit: usize },
    /// The stage broke the rule that this is: a bug.
    Internal { what: &'static str },
}
