//! Counters of structurization, which can be added up and listed.

use core::ops::AddAssign;

use crate::Report;

/// Declares [`Counters`] from one table, so that no place that adds, lists or stores the counters
/// can lose one.
macro_rules! counters {
    ($( $field:ident => $name:literal: $doc:literal, )+) => {
        /// The numbers of a [`Report`], for one function or the sum of several.
        ///
        /// # Examples
        ///
        /// ```
        /// use trellis_structurizer::Counters;
        ///
        /// let mut total = Counters::default();
        /// total += Counters::from_fn(|_| 2);
        /// total += Counters::from_fn(|_| 3);
        /// assert!(total.named().iter().all(|&(_, count)| count == 5));
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        #[cfg_attr(
            feature = "serde",
            derive(serde::Serialize, serde::Deserialize),
            serde(default, deny_unknown_fields)
        )]
        #[non_exhaustive]
        pub struct Counters {
            $( #[doc = $doc] pub $field: u64, )+
        }

        impl Counters {
            /// The names, in the order of the fields.
            pub const NAMES: [&'static str; [$($name),+].len()] = [$($name),+];

            /// Returns the counters that `count` gives for each name.
            pub fn from_fn(mut count: impl FnMut(&'static str) -> u64) -> Self {
                Self { $( $field: count($name), )+ }
            }

            /// Returns the counters with their names, in the order of the fields.
            pub fn named(&self) -> [(&'static str, u64); Self::NAMES.len()] {
                [$( ($name, self.$field), )+]
            }
        }

        impl AddAssign for Counters {
            fn add_assign(&mut self, other: Self) {
                $( self.$field += other.$field; )+
            }
        }

        impl From<&Report> for Counters {
            fn from(report: &Report) -> Self {
                // Without `..`: a number that is added to the report must be added here.
                let Report { $( $field, )+ remarks: _ } = report;
                Self { $( $field: u64::from(*$field), )+ }
            }
        }
    };
}

counters! {
    ladders => "ladders": "Empty merge blocks that were inserted.",
    selectors => "selectors": "Merge blocks at which a selector decides where control continues.",
    dispatch_headers => "dispatch headers": "Dispatch headers made for irreducible cycles.",
    breakable_blocks => "breakable blocks": "Switches with only a default case that were made to break out of.",
    switches => "switches": "Switches of the result: the function's, breakable blocks, and switches on selectors.",
    phis => "phis": "Phis that were inserted.",
    undef_operands => "undefined operands": "Operands of phis that are undefined because no path defines the value there.",
    blocks => "blocks": "Blocks that were inserted, of all kinds.",
    copies => "copies": "Copies of empty blocks that end the invocation.",
    unchecked => "unchecked": "Functions whose results were verified, but not compared with their inputs: too many paths lead through inserted blocks.",
}
