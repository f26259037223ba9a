//! A text whose lines have their origins.

use trellis_dxil_frontend::module::{BlockId, FunctionId, InstId};

/// The origin of a line of [`Printed::text`](crate::Printed::text).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Origin {
    /// Number of the line, from 0.
    pub line: usize,
    /// The function.
    pub function: FunctionId,
    /// Its block; one that the structurizer inserted has a number that the function does not have.
    pub block: BlockId,
    /// Its instructions that are in the line.
    pub insts: Vec<InstId>,
}

/// The text so far.
#[derive(Default)]
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) origins: Vec<Origin>,
    lines: usize,
}

impl Text {
    /// Appends whole lines without an origin.
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.lines += text.matches('\n').count();
    }

    /// Appends a line, and its end, of this block and these instructions.
    pub(crate) fn line(
        &mut self,
        text: &str,
        (function, block): (FunctionId, BlockId),
        insts: &[InstId],
    ) {
        self.origins.push(Origin {
            line: self.lines,
            function,
            block,
            insts: insts.to_vec(),
        });
        self.push(text);
        self.push("\n");
    }

    /// Appends whole lines.
    pub(crate) fn append(&mut self, other: Self) {
        let start = self.lines;
        self.push(&other.text);
        self.origins
            .extend(other.origins.into_iter().map(|origin| Origin {
                line: start + origin.line,
                ..origin
            }));
    }
}
