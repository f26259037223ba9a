//! The numbers of a function or of a module.

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::Class;

/// Numbers of instructions by class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClassCounts([u64; Class::ALL.len()]);

impl ClassCounts {
    /// Returns the number of instructions of a class.
    pub fn of(&self, class: Class) -> u64 {
        self.0.get(class as usize).copied().unwrap_or_default()
    }

    /// Counts an instruction.
    pub(super) fn add(&mut self, class: Class) {
        if let Some(count) = self.0.get_mut(class as usize) {
            *count += 1;
        }
    }

    fn sum(&mut self, other: &Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

impl Serialize for ClassCounts {
    /// Writes the classes that have instructions, by name.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for class in Class::ALL {
            if self.of(class) > 0 {
                map.serialize_entry(class.name(), &self.of(class))?;
            }
        }
        map.end()
    }
}

macro_rules! counts {
    ($( $(#[doc = $doc:literal])+ $field:ident, )+) => {
        /// Numbers of a function or of a module. Blocks that control never reaches count for `blocks`,
        /// `unreachable_blocks` and the sizes only, not for the structure.
        #[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
        #[non_exhaustive]
        pub struct Counts {
            $( $(#[doc = $doc])+ pub $field: u64, )+
            /// Instructions by class.
            pub classes: ClassCounts,
        }

        impl Counts {
            /// Returns the numbers with their names, in the order of the fields, without the classes.
            pub fn named(&self) -> [(&'static str, u64); [$(stringify!($field)),+].len()] {
                [$( (stringify!($field), self.$field), )+]
            }

            /// Adds all numbers; `nesting` becomes the maximum.
            pub fn add(&mut self, other: &Self) {
                let nesting = self.nesting.max(other.nesting);
                $( self.$field += other.$field; )+
                self.nesting = nesting;
                self.classes.sum(&other.classes);
            }
        }
    };
}

counts! {
    /// Words.
    words,
    /// Instructions.
    instructions,
    /// Blocks.
    blocks,
    /// Blocks that control never reaches.
    unreachable_blocks,
    /// Selections: a merge instruction before a conditional branch.
    selections,
    /// Switches, with breakable blocks.
    switches,
    /// Loops.
    loops,
    /// Maximal nesting of selections, switches and loops.
    nesting,
    /// Edges to the merge block of a loop or switch, except edges of a loop's header, of the block
    /// with its back edge, and of the unconditional branch at the end of a case.
    breaks,
    /// Edges to the continue target of a loop, without the unconditional branch at the end of its body.
    continues,
    /// Edges to the merge blocks of loops, from anywhere.
    loop_exits,
    /// Phis.
    phis,
    /// Variables of functions; the sums include module-level variables.
    variables,
    /// Loads.
    loads,
    /// Stores.
    stores,
    /// Blocks with only an unconditional branch.
    branch_only_blocks,
    /// Switches on a selector: a phi of constants, or a variable that only constants are stored to.
    selector_switches,
    /// Conditional branches on a selector, its negation, or its comparison with a constant.
    selector_branches,
    /// Breakable blocks: switches with a default only.
    breakable_blocks,
    /// Loops of one iteration: their back edge is not reachable, or never taken.
    one_trip_loops,
}

impl Counts {
    /// Adds a function's counts to the counts of a module, which include its sizes already.
    pub(super) fn add_structure(&mut self, function: &Self) {
        let structure = Self {
            words: 0,
            instructions: 0,
            classes: ClassCounts::default(),
            ..function.clone()
        };
        self.add(&structure);
    }
}
