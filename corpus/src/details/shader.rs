//! The details of one shader.

use trellis_explorer::{Answer, Failure, explore_with};

use crate::backend::Backend;
use crate::guard::guarded;

/// Most blocks of a graph that is drawn: larger ones cannot be read on a page.
const MAX_BLOCKS: usize = 400;

/// Most bytes of one text; the rest is cut off, with a message on the page.
const MAX_TEXT: usize = 4 << 20;

/// Returns the explorer's answer about an entry point.
pub(super) fn details(bytes: &[u8], backend: &Backend, entry: Option<&str>) -> Answer {
    let mut options = backend
        .options()
        .clone()
        .with_entry(entry.map(str::to_owned));
    // The batch has validated the output.
    options.debug.validate = false;
    let answer = guarded(|| Ok(explore_with(bytes, options, MAX_BLOCKS)));
    let mut answer = answer.unwrap_or_else(|failure| {
        Answer::of_error(Failure::new(failure.kind.name(), &failure.message))
    });
    answer.shorten(MAX_TEXT);
    answer
}
