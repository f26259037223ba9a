//! The stages of the structurizer: one table, in the order in which they run.

#[cfg(feature = "serde")]
mod serialized;

use core::fmt;

use crate::target::Target;

/// A stage. Those that are not always on only choose among shapes that are all right, so that each
/// may be switched off ([`Options::stages`](crate::Options::stages)).
///
/// The table of all stages is [`Stage::TABLE`]; stages compare in the order in which they run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[non_exhaustive]
pub enum Stage {
    /// Empty-block elimination.
    EmptyBlocks,
    /// Branches to the same targets, at least one of which is not their merge point, become one
    /// branch on a phi of their conditions.
    Conditions,
    /// A reducible graph with one back edge per loop. Always on.
    Reducibility,
    /// Loop-exit selection: where the exits of a loop meet, and so which blocks are inside it.
    LoopExits,
    /// A loop's latch is its continue target; where several blocks lead to it they merge in a block
    /// before it.
    ContinueTargets,
    /// A switch case that another one flows into comes after it and is fallen into.
    SwitchOrder,
    /// Interleaved breaks to several nodes leave one breakable block, after which a selector decides.
    BreakFlattening,
    /// Branches that bypass other code leave a breakable block (a switch with a default case only).
    BreakableBlocks,
    /// Of two arms one of which never falls through, the other follows the branch.
    ArmFlattening,
    /// Blocks that only end the invocation are copied to where a selector would be needed.
    ExitBlocks,
    /// A block that alone branches to a fresh continue target is the continue target itself.
    LoopEnds,
    /// Constructs, merge blocks and selectors. Always on.
    Construction,
    /// Phis and values. Always on.
    Ssa,
    /// A selection whose arms hold no instructions becomes selects of values, if the language has them
    /// ([`Target::selects`](crate::Target::selects)).
    Selects,
}

/// The part of the state that a stage may change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Changes {
    /// The client's function.
    Function,
    /// The graph that is structured.
    Graph,
    /// The plan of the output.
    Plan,
    /// The output.
    Output,
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Function => "function",
            Self::Graph => "graph",
            Self::Plan => "plan",
            Self::Output => "output",
        })
    }
}

/// A row of [`Stage::TABLE`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct StageInfo {
    /// The stage.
    pub stage: Stage,
    /// The name on the command line and in JSON.
    pub name: &'static str,
    /// One sentence that describes it.
    pub summary: &'static str,
    /// True if it may be disabled.
    pub is_optional: bool,
    /// The part that it may change.
    pub changes: Changes,
    /// Whether it runs for a target. For one with multi-level exits labels take the place of some.
    runs_for: fn(Target) -> bool,
}

impl StageInfo {
    const fn always(
        stage: Stage,
        name: &'static str,
        changes: Changes,
        summary: &'static str,
    ) -> Self {
        Self {
            stage,
            name,
            summary,
            is_optional: false,
            changes,
            runs_for: |_| true,
        }
    }

    const fn optional(
        stage: Stage,
        name: &'static str,
        changes: Changes,
        summary: &'static str,
        runs_for: fn(Target) -> bool,
    ) -> Self {
        Self {
            stage,
            name,
            summary,
            is_optional: true,
            changes,
            runs_for,
        }
    }
}

impl Stage {
    /// All stages, in the order in which they run.
    pub const TABLE: &'static [StageInfo] = &[
        StageInfo::optional(
            Self::EmptyBlocks,
            "empty-blocks",
            Changes::Function,
            "Removes empty blocks with one predecessor.",
            |_| true,
        ),
        StageInfo::optional(
            Self::Conditions,
            "conditions",
            Changes::Function,
            "Joins branches to the same targets in one branch on a phi.",
            |_| true,
        ),
        StageInfo::always(
            Self::Reducibility,
            "reducibility",
            Changes::Graph,
            "Makes the graph reducible: one header and one back edge per loop, no unreachable blocks.",
        ),
        StageInfo::optional(
            Self::LoopExits,
            "loop-exits",
            Changes::Plan,
            "Chooses the merge target of each loop, and which exit paths stay inside the loop.",
            |_| true,
        ),
        StageInfo::optional(
            Self::ContinueTargets,
            "continue-targets",
            Changes::Plan,
            "Chooses each loop's continue target: its latch, or a fresh block.",
            |target| target.continue_parts,
        ),
        StageInfo::optional(
            Self::SwitchOrder,
            "switch-order",
            Changes::Plan,
            "Orders the cases of switches so that a case that flows into another one precedes it.",
            |_| true,
        ),
        StageInfo::optional(
            Self::BreakFlattening,
            "break-flattening",
            Changes::Plan,
            "Collects interleaved breaks to several nodes in one breakable block.",
            |target| !target.multi_level,
        ),
        StageInfo::optional(
            Self::BreakableBlocks,
            "breakable-blocks",
            Changes::Plan,
            "Wraps code that branches bypass in breakable blocks, which they leave without a selector.",
            |target| target.breakable_blocks && !target.multi_level,
        ),
        StageInfo::optional(
            Self::ArmFlattening,
            "arm-flattening",
            Changes::Plan,
            "Where one arm of a branch never falls through, lets the other one follow the branch.",
            |_| true,
        ),
        StageInfo::optional(
            Self::ExitBlocks,
            "exit-block-duplication",
            Changes::Plan,
            "Copies empty blocks that end the invocation to where a selector would be needed.",
            |target| !target.multi_level,
        ),
        StageInfo::optional(
            Self::LoopEnds,
            "loop-ends",
            Changes::Plan,
            "Makes the only block that would branch to a fresh continue target the continue target.",
            |target| target.continue_parts,
        ),
        StageInfo::always(
            Self::Construction,
            "construction",
            Changes::Output,
            "Gives every branch its construct: headers, merge blocks, continue targets, selectors.",
        ),
        StageInfo::always(
            Self::Ssa,
            "ssa",
            Changes::Output,
            "Inserts phis where a definition does not dominate its use any more.",
        ),
        StageInfo::optional(
            Self::Selects,
            "selects",
            Changes::Output,
            "Replaces selections whose arms hold no instructions by selects of values.",
            |target| target.selects,
        ),
    ];
    /// All stages, in the order in which they run.
    pub const ALL: [Self; Self::TABLE.len()] = {
        let mut all = [Self::Ssa; Self::TABLE.len()];
        let mut i = 0;
        while i < all.len() {
            all[i] = Self::TABLE[i].stage;
            i += 1;
        }
        all
    };
    /// Those that may be switched off, in the order in which they run.
    pub const OPTIONAL: [Self; count_optional()] = {
        let mut optional = [Self::EmptyBlocks; count_optional()];
        let (mut i, mut next) = (0, 0);
        while i < Self::TABLE.len() {
            if Self::TABLE[i].is_optional {
                optional[next] = Self::TABLE[i].stage;
                next += 1;
            }
            i += 1;
        }
        optional
    };

    /// Returns the stage's row of the table.
    pub const fn info(self) -> &'static StageInfo {
        &Self::TABLE[self as usize]
    }
    /// Returns the name on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        self.info().name
    }
    /// Returns one sentence that describes the stage.
    pub const fn summary(self) -> &'static str {
        self.info().summary
    }
    /// Returns the stage with a name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }
}

const fn count_optional() -> usize {
    let (mut i, mut count) = (0, 0);
    while i < Stage::TABLE.len() {
        count += Stage::TABLE[i].is_optional as usize;
        i += 1;
    }
    count
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of stages. Those that are always on are in none and in all.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stages(u32);

impl Stages {
    /// Every stage.
    pub const ALL: Self = Self(u32::MAX);
    /// Only those that are always on.
    pub const NONE: Self = Self(0);

    /// Returns this set and one more.
    #[must_use]
    pub const fn with(self, stage: Stage) -> Self {
        Self(self.0 | 1 << stage as u32)
    }
    /// Returns this set without one.
    #[must_use]
    pub const fn without(self, stage: Stage) -> Self {
        Self(self.0 & !(1 << stage as u32))
    }
    /// Returns the stages of this set that run for a target.
    pub(crate) fn for_target(self, target: Target) -> Self {
        let mut runs = self;
        for info in Stage::TABLE {
            if !(info.runs_for)(target) {
                runs = runs.without(info.stage);
            }
        }
        runs
    }
    /// Returns whether a stage runs.
    pub const fn contains(self, stage: Stage) -> bool {
        !stage.info().is_optional || self.0 & 1 << stage as u32 != 0
    }
}

impl Default for Stages {
    fn default() -> Self {
        Self::ALL
    }
}

impl fmt::Debug for Stages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(Stage::ALL.into_iter().filter(|&s| self.contains(s)))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::Stage;

    #[test]
    fn the_table_is_in_running_order() {
        for (i, info) in Stage::TABLE.iter().enumerate() {
            assert_eq!(info.stage as usize, i);
            assert_eq!(info.stage.info().name, info.name);
            assert_eq!(Stage::from_name(info.name), Some(info.stage));
            assert!(info.summary.ends_with('.') && info.summary.len() < 100);
        }
        assert!(Stage::ALL.is_sorted());
    }

    /// The README's table of stages is this one.
    #[test]
    fn the_readme_has_the_table() {
        let readme = include_str!("../README.md");
        let is_row = |line: &&str| line.starts_with("| `") && line.contains("` | ");
        let rows: Vec<&str> = readme.lines().filter(is_row).collect();
        let expected: Vec<String> = Stage::TABLE
            .iter()
            .map(|s| {
                let on = if s.is_optional { "optional" } else { "always" };
                format!("| `{}` | {} | {on} | {} |", s.name, s.changes, s.summary)
            })
            .collect();
        assert_eq!(rows, expected);
    }
}
