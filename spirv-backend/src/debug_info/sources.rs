//! Source files: their names, and the texts that DXC embedded.

use rspirv::spirv::Word;
use rustc_hash::FxHashMap;
use trellis_dxil_frontend::debug_info::{self, DebugNode, File, Text};
use trellis_dxil_frontend::metadata::{MdId, Metadata};

use crate::module::{Builder, OptionalId};

/// The files of a module.
pub(super) struct Sources<'m> {
    /// Name and text of the embedded files.
    embedded: Vec<(String, Text<'m>)>,
    /// The embedded files by name.
    by_name: FxHashMap<String, usize>,
    /// `DebugSource` by name.
    ids: FxHashMap<String, Word>,
    /// `DebugSource` by `DIFile`.
    files: FxHashMap<MdId, OptionalId>,
}

/// Longest name of a file in bytes.
const MAX_NAME: usize = 4096;

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
                this.embedded.push((name, source.text));
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
        let first = || self.embedded.first().map(|(name, _)| name.clone());
        let name = name.map(|name| normalized(&name)).or_else(first);
        self.named(b, name.unwrap_or_default())
    }

    /// Declares the embedded files that have no source yet.
    pub(super) fn embedded(&mut self, b: &mut Builder) {
        for index in 0..self.embedded.len() {
            let name = self.embedded[index].0.clone();
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
        let text = self
            .by_name
            .get(&name)
            .map(|&index| &*self.embedded[index].1);
        let id = b.debug_source(&name, text);
        self.ids.insert(name, id);
        id
    }
}
