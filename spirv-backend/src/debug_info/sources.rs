//! Source files: their names, and the texts that DXC embedded.
//!
//! DXC writes the line of a declaration in a header with the main file as its file. A line must exist
//! in its source, so [`Sources::position`] finds the source that a line is from.

use rspirv::spirv::Word;
use rustc_hash::FxHashMap;
use trellis_dxil_frontend::debug_info::{self, DebugNode, File, Text};
use trellis_dxil_frontend::metadata::{MdId, Metadata};

use crate::module::{Builder, OptionalId};

/// The files of a module.
pub(super) struct Sources<'m> {
    embedded: Vec<Embedded<'m>>,
    /// The embedded files by name.
    by_name: FxHashMap<String, usize>,
    /// `DebugSource` by name.
    ids: FxHashMap<String, Word>,
    /// The embedded file of each `DebugSource` that has a text.
    texts: FxHashMap<Word, usize>,
    /// Bytes of lines that all searches for names may still read.
    steps: usize,
    /// `DebugSource` by `DIFile`.
    files: FxHashMap<MdId, OptionalId>,
}

/// A file whose text is embedded.
struct Embedded<'m> {
    name: String,
    text: Text<'m>,
    /// Where its lines begin in the text.
    lines: Vec<usize>,
    /// Its `DebugSource`; 0 before it is declared.
    id: Word,
}

impl Embedded<'_> {
    /// Returns a line without its end; lines count from 1.
    fn line(&self, line: u32) -> Option<&str> {
        let index = (line as usize).checked_sub(1)?;
        let start = *self.lines.get(index)?;
        let end = self.lines.get(index + 1).copied();
        let line = self.text.get(start..end.unwrap_or(self.text.len()))?;
        Some(line.trim_end_matches(['\r', '\n']))
    }
}

/// Returns true if a line has an identifier, or `word` is empty.
fn has_word(line: &str, word: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    word.is_empty() || words.any(|found| found == word)
}

/// Returns where the lines of a text begin; a line ends with CR, LF or CR LF.
fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends = |&at: &usize| match bytes[at] {
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        byte => byte == b'\n',
    };
    let after = (0..bytes.len()).filter(ends).map(|at| at + 1);
    let starts = std::iter::once(0).chain(after);
    starts.filter(|&at| at < bytes.len()).collect()
}

/// Longest name of a file in bytes.
const MAX_NAME: usize = 4096;

/// Most bytes of lines that all searches for names read.
const MAX_STEPS: usize = 1 << 24;

/// Returns a name in the form in which names are compared: DXC writes `./` or `.\` before the names
/// of files that it found next to the main one.
fn normalized(name: &str) -> String {
    let mut name = name[..name.floor_char_boundary(MAX_NAME)].replace('\\', "/");
    while let Some(rest) = name.strip_prefix("./") {
        name = rest.to_owned();
    }
    name
}

impl<'m> Sources<'m> {
    pub(super) fn new(metadata: &'m Metadata) -> Self {
        let mut this = Self {
            embedded: Vec::new(),
            by_name: FxHashMap::default(),
            ids: FxHashMap::default(),
            texts: FxHashMap::default(),
            steps: MAX_STEPS,
            files: FxHashMap::default(),
        };
        // Names may share a text.
        let mut room = metadata.strings.len().saturating_mul(3);
        for source in debug_info::sources(metadata) {
            let Some(rest) = room.checked_sub(source.text.len() + source.name.len()) else {
                break;
            };
            room = rest;
            let name = normalized(&source.name);
            if !this.by_name.contains_key(&name) {
                this.by_name.insert(name.clone(), this.embedded.len());
                this.embedded.push(Embedded {
                    name,
                    lines: line_starts(&source.text),
                    text: source.text,
                    id: 0,
                });
            }
        }
        this
    }

    /// Returns the source of the compilation unit's file, else of the file given to the compiler.
    pub(super) fn main(
        &mut self,
        b: &mut Builder,
        metadata: &'m Metadata,
        file: Option<MdId>,
    ) -> Word {
        if let Some(id) = file.and_then(|file| self.file(b, metadata, file)) {
            return id;
        }
        let name = debug_info::main_file_name(metadata);
        let first = || self.embedded.first().map(|file| file.name.clone());
        let name = name.map(|name| normalized(&name)).or_else(first);
        self.named(b, name.unwrap_or_default())
    }

    /// Declares the embedded files that have no source yet.
    pub(super) fn embedded(&mut self, b: &mut Builder) {
        for index in 0..self.embedded.len() {
            let name = self.embedded[index].name.clone();
            self.named(b, name);
        }
    }

    /// Returns the source of a `DIFile`; `None` for another node.
    pub(super) fn file(
        &mut self,
        b: &mut Builder,
        metadata: &'m Metadata,
        file: MdId,
    ) -> Option<Word> {
        if let Some(known) = self.files.get(&file) {
            return known.expand();
        }
        let source = match metadata.debug_node(file) {
            Some(DebugNode::File(File {
                name: Some(name),
                directory,
            })) => {
                let mut name = normalized(&name);
                if let Some(directory) = directory.filter(|_| !self.by_name.contains_key(&name)) {
                    let joined = normalized(&format!("{directory}/{name}"));
                    if self.by_name.contains_key(&joined) {
                        name = joined;
                    }
                }
                self.named(b, name).into()
            }
            _ => OptionalId::NONE,
        };
        self.files.insert(file, source);
        source.expand()
    }

    fn named(&mut self, b: &mut Builder, name: String) -> Word {
        if let Some(&known) = self.ids.get(&name) {
            return known;
        }
        let file = self.by_name.get(&name).copied();
        let id = b.debug_source(&name, file.map(|index| &*self.embedded[index].text));
        if let Some(index) = file {
            self.embedded[index].id = id;
            self.texts.insert(id, index);
        }
        self.ids.insert(name, id);
        id
    }
    /// Returns source, line and column of a named entity, or of code without a name. The source is
    /// another embedded file if only that has the name on the line. A line that the source does not
    /// have is 0, and so is a column that the line does not have.
    pub(super) fn position(
        &mut self,
        source: Word,
        (line, column): (u32, u32),
        name: &str,
    ) -> (Word, u32, u32) {
        let own = self.texts.get(&source).map(|&own| &self.embedded[own]);
        let Some(own) = own.filter(|own| !own.lines.is_empty()) else {
            return (source, line, column);
        };
        // Of a template without its arguments.
        let name = name.split('<').next().unwrap_or_default();
        let text = own.line(line);
        let found = match text.filter(|text| has_word(text, name)) {
            None if !name.is_empty() => {
                let steps = &mut self.steps;
                let mut others = self.embedded.iter().filter(|file| file.id != 0);
                others.find_map(|file| {
                    let other = file.line(line)?;
                    *steps = steps.checked_sub(other.len() + 1)?;
                    has_word(other, name).then_some((file.id, other))
                })
            }
            _ => None,
        };
        match found.or(text.map(|text| (source, text))) {
            // The column after the end is one, too.
            Some((id, text)) if column as usize <= text.len() + 1 => (id, line, column),
            Some((id, _)) => (id, line, 0),
            None => (source, 0, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_text_has_the_lines_that_the_validator_counts() {
        assert_eq!(super::line_starts(""), [0; 0]);
        assert_eq!(super::line_starts("a\n"), [0]);
        assert_eq!(super::line_starts("a\r\n\rb\n\nc"), [0, 3, 4, 6, 7]);
    }
}
