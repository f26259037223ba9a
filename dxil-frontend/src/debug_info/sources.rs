//! Data that DXC embeds: sources, the main file's name, its arguments.

use super::Text;
use crate::metadata::{MdId, Metadata};

/// A source file that the compiler embedded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source<'m> {
    /// Name, as in the `#include` or on the command line.
    pub name: Text<'m>,
    /// Its contents.
    pub text: Text<'m>,
}

/// Returns the embedded sources (`dx.source.contents`), the main file first as a rule; none if the
/// module has no debug information.
pub fn sources(metadata: &Metadata) -> impl Iterator<Item = Source<'_>> {
    let entries = metadata.named("dx.source.contents").unwrap_or_default();
    entries.iter().filter_map(|&entry| {
        let mut parts = metadata.tuple(entry)?;
        let mut text = || metadata.text(parts.next()??);
        Some(Source {
            name: text()?,
            text: text()?,
        })
    })
}

/// Returns the name of the file given to the compiler (`dx.source.mainFileName`).
pub fn main_file_name(metadata: &Metadata) -> Option<Text<'_>> {
    let &entry = metadata.named("dx.source.mainFileName")?.first()?;
    metadata.text(metadata.operand(entry, 0)?)
}

/// Returns the arguments given to the compiler (`dx.source.args`).
pub fn arguments(metadata: &Metadata) -> impl Iterator<Item = Text<'_>> {
    let entry = metadata.named("dx.source.args").and_then(<[MdId]>::first);
    let operands = entry.and_then(|&entry| metadata.tuple(entry));
    let texts = operands.into_iter().flatten().flatten();
    texts.filter_map(|id| metadata.text(id))
}

/// Returns the compiler's name and version (`llvm.ident`).
pub fn compiler(metadata: &Metadata) -> Option<Text<'_>> {
    let &entry = metadata.named("llvm.ident")?.first()?;
    metadata.text(metadata.operand(entry, 0)?)
}
