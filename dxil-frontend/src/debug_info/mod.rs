//! Debug information of a module, typed: the specialized metadata nodes of LLVM 3.7, the uses of
//! source variables (`llvm.dbg.declare`, `llvm.dbg.value`), and the sources that DXC embeds.
//!
//! [`Metadata`] keeps the nodes as raw records, since most consumers ignore them; here each is
//! decoded on request, without allocations. Nothing is checked beforehand: a reference may be to a
//! node of another kind, or cyclic, so a consumer has to bound its walks. Missing fields of a node
//! are `None` or 0.
//!
//! ```
//! use trellis_dxil_frontend::debug_info::{DebugNode, sources};
//!
//! let bytes = include_bytes!("../../tests/data/pixel_debug.dxil");
//! let input = trellis_dxil_frontend::read_with_debug_info(bytes)?;
//! let metadata = &input.module.metadata;
//! let main = metadata.nodes.keys().find_map(|id| match metadata.debug_node(id)? {
//!     DebugNode::Subprogram(function) => Some(function),
//!     _ => None,
//! });
//! let main = main.expect("the compiler describes each function");
//! assert_eq!(main.name.as_deref(), Some("main"));
//! let source = sources(metadata).next().unwrap();
//! assert!(source.text.lines().nth(main.line as usize - 1).unwrap().contains("main"));
//! # Ok::<(), trellis_dxil_frontend::Error>(())
//! ```
//!
//! Source: LLVM 3.7's `BitcodeWriter.cpp` (positions of fields), its "Source Level Debugging", and
//! DXC's `DxilMetadataHelper.h` (names that begin with `dx.`).

mod nodes;
mod sources;
mod variables;

use std::borrow::Cow;

use crate::metadata::{MdId, MdNode, Metadata};

pub use nodes::{
    BasicType, CompileUnit, CompositeType, DebugNode, DerivedType, File, GlobalVariable,
    LexicalBlock, LocalVariable, Location, Namespace, Subprogram, Subrange, SubroutineType,
    TemplateParameter, flags, tag,
};
pub use sources::{Source, arguments, compiler, main_file_name, sources};
pub use variables::{
    Expression, Operation, VariableLayout, VariableUse, VariableUseKind, VariableUses,
};

/// Text of a module: names that are not UTF-8 have replacement characters.
pub type Text<'m> = Cow<'m, str>;

impl Metadata {
    /// Returns a debug-info node; `None` for other entries, and kinds that are not used in HLSL.
    pub fn debug_node(&self, id: MdId) -> Option<DebugNode<'_>> {
        match self.nodes.get(id)? {
            MdNode::Debug { code, fields } => {
                DebugNode::decode(self, *code, self.records.get(fields.range())?)
            }
            _ => None,
        }
    }

    /// Returns the text of a string entry, whatever its encoding.
    pub fn text(&self, id: MdId) -> Option<Text<'_>> {
        match self.nodes.get(id)? {
            MdNode::String(range) => self.strings.get(range.range()).map(String::from_utf8_lossy),
            _ => None,
        }
    }
}
