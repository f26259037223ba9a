//! Scopes: functions, blocks, namespaces; and places in them, with the calls that were inlined.

use rspirv::spirv::{NonsemanticShaderDebuginfo100Op as DebugOp, Word};
use trellis_dxil_frontend::debug_info::{
    self, CompositeType, DebugNode, LexicalBlock, Location, Namespace, Subprogram, flags,
};
use trellis_dxil_frontend::metadata::MdId;
use trellis_dxil_frontend::module::{DebugLoc, FunctionId, ValueKind};

use super::DebugInfo;
use crate::module::{Builder, MAX_TEXT, OptionalId, Place, PlaceId};

/// Namespaces inside of namespaces, at most.
const MAX_NAMESPACES: usize = 64;

/// A scope that is declared.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    /// `DebugFunction`, `DebugLexicalBlock`, `DebugTypeComposite` or `DebugCompilationUnit`.
    pub(super) id: Word,
    /// The file that places in the scope are in.
    pub(super) source: Word,
    /// It is a `DebugFunction`.
    is_function: bool,
}

/// Flags of the set (its section "Debug Info Flags").
pub(super) mod flag {
    pub(in super::super) const IS_PROTECTED: u32 = 1;
    pub(in super::super) const IS_PRIVATE: u32 = 1 << 1;
    pub(in super::super) const IS_PUBLIC: u32 = 3;
    pub(in super::super) const IS_LOCAL: u32 = 1 << 2;
    pub(in super::super) const IS_DEFINITION: u32 = 1 << 3;
    pub(in super::super) const ARTIFICIAL: u32 = 1 << 5;
    pub(in super::super) const PROTOTYPED: u32 = 1 << 7;
    pub(in super::super) const IS_OPTIMIZED: u32 = 1 << 13;
}

/// Returns the flags of the set for LLVM's.
pub(super) fn converted_flags(llvm: u32) -> u32 {
    let mut converted = match llvm & flags::ACCESS {
        flags::PRIVATE => flag::IS_PRIVATE,
        flags::PROTECTED => flag::IS_PROTECTED,
        flags::ACCESS => flag::IS_PUBLIC,
        _ => 0,
    };
    for (from, to) in [
        (flags::ARTIFICIAL, flag::ARTIFICIAL),
        (flags::PROTOTYPED, flag::PROTOTYPED),
    ] {
        if llvm & from != 0 {
            converted |= to;
        }
    }
    converted
}

impl<'m> DebugInfo<'m> {
    /// Remembers the functions that a compilation unit describes.
    pub(super) fn list_functions(&mut self, list: MdId) {
        for node in self.list(Some(list)).into_iter().flatten() {
            let Some(DebugNode::Subprogram(Subprogram {
                function: Some(function),
                ..
            })) = self.metadata.debug_node(node)
            else {
                continue;
            };
            let value = self.metadata.value(function);
            let data = value.and_then(|(_, value)| self.module.value(None, value));
            if let Some(ValueKind::Function(id)) = data.map(|data| data.kind) {
                self.functions.entry(id).or_insert(node);
            }
        }
    }

    /// Returns the `DebugFunction` that describes a function of the module.
    pub(crate) fn function(&mut self, b: &mut Builder, id: FunctionId) -> Option<Word> {
        let node = *self.functions.get(&id)?;
        let scope = self.scope(b, node);
        scope.is_function.then_some(scope.id)
    }

    /// Appends `DebugEntryPoint` for the function that describes the entry point.
    pub(crate) fn entry_point(&mut self, b: &mut Builder, function: Word) {
        let compiler = debug_info::compiler(self.metadata).unwrap_or_default();
        let mut arguments = String::new();
        for argument in debug_info::arguments(self.metadata) {
            if !arguments.is_empty() {
                arguments.push(' ');
            }
            arguments.push_str(&argument);
            if arguments.len() > MAX_TEXT {
                break;
            }
        }
        let operands = [
            function,
            self.unit,
            b.debug_string(shortened(&compiler)),
            b.debug_string(shortened(&arguments)),
        ];
        b.debug_global(DebugOp::DebugEntryPoint, &operands);
    }

    /// Returns the place of a location.
    pub(crate) fn place(&mut self, b: &mut Builder, location: &DebugLoc) -> PlaceId {
        let scope = self.scope(b, location.scope);
        let inlined_at = location.inlined_at.and_then(|at| self.inlined_at(b, at));
        let at = (location.line, location.column);
        let (source, line, column) = self.sources.position(scope.source, at, "");
        b.debug_place(Place {
            scope: scope.id,
            inlined_at: inlined_at.unwrap_or_default(),
            source,
            line,
            column,
        })
    }

    /// Returns the scope of a node, after those around it.
    pub(super) fn scope(&mut self, b: &mut Builder, node: MdId) -> Scope {
        let mut chain = Vec::new();
        let mut next = Some(node);
        let mut around = Scope {
            id: self.unit,
            source: self.main,
            is_function: false,
        };
        while let Some(id) = next {
            if let Some(&known) = self.scopes.get(&id) {
                around = known;
                break;
            }
            let node = self.metadata.debug_node(id);
            let parent = match &node {
                Some(DebugNode::Subprogram(function)) => function.scope,
                Some(DebugNode::LexicalBlock(block)) => block.scope,
                Some(DebugNode::Namespace(namespace)) => namespace.scope,
                // Of a class, whose own scopes follow with its type.
                _ => None,
            };
            // Until it is declared, in a circle the unit is around it.
            self.scopes.insert(id, around);
            chain.push((id, node));
            next = parent;
        }
        for (id, node) in chain.into_iter().rev() {
            around = self.declare(b, id, node, around);
            self.scopes.insert(id, around);
        }
        around
    }

    /// Returns the scope that a type is declared in: a namespace, or the unit. A type in a function is
    /// in the unit, since the function's own type may need it.
    pub(super) fn namespace(&mut self, b: &mut Builder, scope: Option<MdId>) -> Word {
        let mut chain = Vec::new();
        let mut next = scope;
        let mut around = Scope {
            id: self.unit,
            source: self.main,
            is_function: false,
        };
        while let Some(id) = next
            && chain.len() < MAX_NAMESPACES
            && let Some(DebugNode::Namespace(namespace)) = self.metadata.debug_node(id)
        {
            if let Some(&known) = self.scopes.get(&id) {
                around = known;
                break;
            }
            next = namespace.scope;
            chain.push((id, namespace));
        }
        for (id, namespace) in chain.into_iter().rev() {
            around = self.declare(b, id, Some(DebugNode::Namespace(namespace)), around);
            self.scopes.insert(id, around);
        }
        around.id
    }

    /// Declares a scope in its parent.
    fn declare(
        &mut self,
        b: &mut Builder,
        id: MdId,
        node: Option<DebugNode<'m>>,
        around: Scope,
    ) -> Scope {
        let scope = |id, source| Scope {
            id,
            source,
            is_function: false,
        };
        match node {
            Some(DebugNode::Subprogram(function)) => self.declare_function(b, &function, around),
            Some(DebugNode::LexicalBlock(LexicalBlock {
                file,
                line,
                column,
                only_file,
                ..
            })) => {
                let source = self.source(b, file, around.source);
                if only_file {
                    return Scope { source, ..around };
                }
                let [_, line, column] = self.position(b, source, (line, column), "");
                let operands = [source, line, column, around.id];
                scope(
                    b.debug_global(DebugOp::DebugLexicalBlock, &operands),
                    source,
                )
            }
            Some(DebugNode::Namespace(Namespace {
                name, file, line, ..
            })) => {
                let source = self.source(b, file, around.source);
                let name = name.unwrap_or_default();
                let [at, line, column] = self.position(b, source, (line, 0), &name);
                let operands = [at, line, column, around.id, b.debug_string(&name)];
                scope(
                    b.debug_global(DebugOp::DebugLexicalBlock, &operands),
                    source,
                )
            }
            Some(DebugNode::CompositeType(CompositeType { file, .. })) => {
                let source = self.source(b, file, around.source);
                match self.composite(b, id) {
                    Some(id) => scope(id, source),
                    None => around,
                }
            }
            Some(DebugNode::File(_)) => scope(around.id, self.source(b, Some(id), around.source)),
            _ => around,
        }
    }

    fn declare_function(
        &mut self,
        b: &mut Builder,
        function: &Subprogram<'m>,
        around: Scope,
    ) -> Scope {
        let ty = self.function_type(b, function.ty);
        let source = self.source(b, function.file, around.source);
        let name = function.name.as_deref().unwrap_or_default();
        let [source, line, column] = self.position(b, source, (function.line, 0), name);
        let mut flags = converted_flags(function.flags);
        for (holds, flag) in [
            (function.is_local, flag::IS_LOCAL),
            (function.is_definition, flag::IS_DEFINITION),
            (function.is_optimized, flag::IS_OPTIMIZED),
        ] {
            if holds {
                flags |= flag;
            }
        }
        let linkage_name = function.linkage_name.as_deref().unwrap_or_default();
        let operands = [
            b.debug_string(name),
            ty,
            source,
            line,
            column,
            around.id,
            b.debug_string(linkage_name),
            b.debug_u32(flags),
            b.debug_u32(function.scope_line),
        ];
        Scope {
            id: b.debug_global(DebugOp::DebugFunction, &operands),
            source,
            is_function: true,
        }
    }

    /// Returns the source of a file, or else another one.
    pub(super) fn source(&mut self, b: &mut Builder, file: Option<MdId>, otherwise: Word) -> Word {
        let known = file.and_then(|file| self.sources.file(b, self.metadata, file));
        known.unwrap_or(otherwise)
    }

    /// Returns the operands for a place: source, line, column; see [`Sources::position`].
    ///
    /// [`Sources::position`]: super::sources::Sources::position
    pub(super) fn position(
        &mut self,
        b: &mut Builder,
        source: Word,
        at: (u32, u32),
        name: &str,
    ) -> [Word; 3] {
        let (source, line, column) = self.sources.position(source, at, name);
        [source, b.debug_u32(line), b.debug_u32(column)]
    }

    /// Returns the `DebugInlinedAt` of a call, after those that the call itself was inlined at.
    fn inlined_at(&mut self, b: &mut Builder, call: MdId) -> Option<Word> {
        let mut chain: Vec<(MdId, Location)> = Vec::new();
        let mut next = Some(call);
        let mut around = OptionalId::NONE;
        while let Some(id) = next {
            if let Some(&known) = self.inlined.get(&id) {
                around = known;
                break;
            }
            let Some(DebugNode::Location(location)) = self.metadata.debug_node(id) else {
                break;
            };
            // In a circle, nothing is around it.
            self.inlined.insert(id, OptionalId::NONE);
            chain.push((id, location));
            next = location.inlined_at;
        }
        for (id, location) in chain.into_iter().rev() {
            let scope = location
                .scope
                .map_or(self.unit, |scope| self.scope(b, scope).id);
            let mut operands = vec![b.debug_u32(location.line), scope];
            operands.extend(around.expand());
            around = b.debug_global(DebugOp::DebugInlinedAt, &operands).into();
            self.inlined.insert(id, around);
        }
        around.expand()
    }
}

/// Returns a text that fits in one string.
fn shortened(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_TEXT)]
}
