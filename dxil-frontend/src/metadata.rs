//! Metadata as LLVM 3.7 writes it: strings, nodes, named metadata, kinds.

use smallvec::SmallVec;
use trellis_entity::PrimaryMap;

pub use crate::ids::MdId;
use crate::ids::{Name, PoolRange, TypeId, ValueId};

/// A metadata entry.
#[derive(Clone, PartialEq, Debug)]
pub enum MdNode {
    /// `!"text"`: byte range of [`Metadata::strings`].
    String(PoolRange),
    /// A tuple `!{…}`: operands in [`Metadata::operands`], 0 is null, else number + 1.
    Node {
        /// `distinct` node.
        distinct: bool,
        /// Operands.
        operands: PoolRange,
    },
    /// A constant or function-local value as metadata.
    Value {
        /// Its type.
        ty: TypeId,
        /// Its number; module-level, or of the function that holds it.
        value: ValueId,
    },
    /// A specialized debug-info node (`DILocation`, `DISubprogram`, …): record code and its raw
    /// fields in [`Metadata::records`].
    Debug {
        /// LLVM 3.7 metadata record code.
        code: u32,
        /// Raw record fields.
        fields: PoolRange,
    },
}

/// All metadata of a module.
#[derive(Clone, Debug, Default)]
pub struct Metadata {
    /// Entries.
    pub nodes: PrimaryMap<MdId, MdNode>,
    /// Bytes of all strings.
    pub strings: Vec<u8>,
    /// Operands of tuples.
    pub operands: Vec<u32>,
    /// Fields of specialized nodes.
    pub records: Vec<u64>,
    /// Named metadata in file order.
    pub named: Vec<(Name, SmallVec<[MdId; 4]>)>,
    /// Metadata kinds: (number, byte range of [`Metadata::strings`] with the name), such as `dbg`,
    /// `dx.controlflow.hints`, `dx.precise`.
    pub kinds: Vec<(u32, PoolRange)>,
}

impl Metadata {
    /// Returns the operand list of a tuple; `None` entries are null operands. `None` if the entry
    /// is not a tuple.
    pub fn tuple(&self, id: MdId) -> Option<impl ExactSizeIterator<Item = Option<MdId>> + '_> {
        match self.nodes.get(id)? {
            MdNode::Node { operands, .. } => Some(
                self.operands[operands.range()]
                    .iter()
                    .map(|&o| o.checked_sub(1).map(MdId::from_u32)),
            ),
            _ => None,
        }
    }
    /// Returns operand `index` of a tuple.
    pub fn operand(&self, id: MdId, index: usize) -> Option<MdId> {
        self.tuple(id)?.nth(index).flatten()
    }
    /// Returns the text of a string entry, if it is UTF-8.
    pub fn string(&self, id: MdId) -> Option<&str> {
        match self.nodes.get(id)? {
            MdNode::String(r) => std::str::from_utf8(&self.strings[r.range()]).ok(),
            _ => None,
        }
    }
    /// Returns the value of a value entry.
    pub fn value(&self, id: MdId) -> Option<(TypeId, ValueId)> {
        match self.nodes.get(id)? {
            MdNode::Value { ty, value } => Some((*ty, *value)),
            _ => None,
        }
    }
    /// Entries of a named node such as `dx.entryPoints`.
    pub fn named(&self, name: &str) -> Option<&[MdId]> {
        self.named
            .iter()
            .find(|(n, _)| &**n == name)
            .map(|(_, v)| &v[..])
    }
    /// Returns the number of a metadata kind.
    pub fn kind(&self, name: &str) -> Option<u32> {
        self.kinds
            .iter()
            .find(|(_, n)| self.strings.get(n.range()) == Some(name.as_bytes()))
            .map(|(k, _)| *k)
    }
    /// Returns the name of a metadata kind, if it is UTF-8.
    pub fn kind_name(&self, kind: u32) -> Option<&str> {
        let (_, range) = self.kinds.iter().find(|(k, _)| *k == kind)?;
        std::str::from_utf8(self.strings.get(range.range())?).ok()
    }
}
