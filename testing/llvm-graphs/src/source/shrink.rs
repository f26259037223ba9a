//! Smaller programs that keep a property.

use serde_json::json;
use structurizer_testkit::shrink::shrink_tree;

use super::lower::Graph;
use super::{Source, Statement};

/// Returns the smallest program found with a property that the given one has. It tries at most
/// `tries` programs.
pub fn shrink(source: Source, tries: usize, keeps: &mut dyn FnMut(&Source) -> bool) -> Source {
    let leaves = [json!("Constant"), json!("Nothing")];
    let is_valid =
        |source: &Source| is_valid(&source.body, 0, 0) && Graph::of(source).has_distinct_tests();
    shrink_tree(source, &leaves, tries, &is_valid, keeps)
}

/// Returns whether jumps have targets, nothing follows a jump, no switch has two defaults, and its last
/// case does not fall through.
fn is_valid(list: &[Statement], breakable: usize, loops: usize) -> bool {
    list.iter().enumerate().all(|(index, statement)| {
        (!statement.jumps() || index + 1 == list.len())
            && match statement {
                Statement::Call(..) | Statement::Return => true,
                Statement::If(_, a, b) => {
                    is_valid(a, breakable, loops) && is_valid(b, breakable, loops)
                }
                Statement::While(_, body) | Statement::DoWhile(body, _) | Statement::Loop(body) => {
                    is_valid(body, breakable + 1, loops + 1)
                }
                Statement::Switch(_, cases) => {
                    let defaults = cases.iter().filter(|case| case.literals.is_empty());
                    defaults.count() < 2
                        && cases.last().is_none_or(|case| !case.falls)
                        && (cases.iter()).all(|case| is_valid(&case.body, breakable + 1, loops))
                }
                Statement::Break(level) => (1..=breakable).contains(level),
                Statement::Continue(level) => (1..=loops).contains(level),
            }
    })
}
