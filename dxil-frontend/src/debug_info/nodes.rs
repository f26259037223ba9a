//! The kinds of debug-info nodes, decoded from their records.

use super::{Expression, Text};
use crate::limits::MAX_NAME_BYTES;
use crate::metadata::{MdId, MdNode, Metadata};

/// DWARF's tags of types and variables.
#[expect(missing_docs, reason = "the format's own names")]
pub mod tag {
    pub const ARRAY_TYPE: u32 = 0x01;
    pub const CLASS_TYPE: u32 = 0x02;
    pub const ENUMERATION_TYPE: u32 = 0x04;
    pub const MEMBER: u32 = 0x0D;
    pub const POINTER_TYPE: u32 = 0x0F;
    pub const REFERENCE_TYPE: u32 = 0x10;
    pub const TYPEDEF: u32 = 0x16;
    pub const UNION_TYPE: u32 = 0x17;
    pub const INHERITANCE: u32 = 0x1C;
    pub const CONST_TYPE: u32 = 0x26;
    pub const VOLATILE_TYPE: u32 = 0x35;
    pub const RESTRICT_TYPE: u32 = 0x37;
    pub const ARG_VARIABLE: u32 = 0x101;
}

/// LLVM's flags of nodes (`DIFlag…`).
#[expect(missing_docs, reason = "the format's own names")]
pub mod flags {
    pub const ACCESS: u32 = 3;
    pub const PRIVATE: u32 = 1;
    pub const PROTECTED: u32 = 2;
    pub const ARTIFICIAL: u32 = 1 << 6;
    pub const PROTOTYPED: u32 = 1 << 8;
    pub const STATIC_MEMBER: u32 = 1 << 12;
}

/// A debug-info node.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the format's own names")]
pub enum DebugNode<'m> {
    Location(Location),
    Subrange(Subrange),
    BasicType(BasicType<'m>),
    File(File<'m>),
    DerivedType(DerivedType<'m>),
    CompositeType(CompositeType<'m>),
    SubroutineType(SubroutineType),
    CompileUnit(CompileUnit<'m>),
    Subprogram(Subprogram<'m>),
    LexicalBlock(LexicalBlock),
    Namespace(Namespace<'m>),
    TemplateParameter(TemplateParameter<'m>),
    GlobalVariable(GlobalVariable<'m>),
    LocalVariable(LocalVariable<'m>),
    Expression(Expression<'m>),
}

/// `DILocation`: a place in the source, and where the code there was inlined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Location {
    /// Line, from 1 on; 0 unknown.
    pub line: u32,
    /// Column, from 1 on; 0 unknown.
    pub column: u32,
    /// Innermost scope.
    pub scope: Option<MdId>,
    /// Location of the call, if the scope's function was inlined.
    pub inlined_at: Option<MdId>,
}

/// `DISubrange`: a dimension of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Subrange {
    /// Number of elements; negative where it is not known.
    pub count: i64,
}

/// `DIBasicType`.
#[derive(Clone, PartialEq, Debug)]
pub struct BasicType<'m> {
    /// Name in the source.
    pub name: Option<Text<'m>>,
    /// Size in bits.
    pub size: u64,
    /// DWARF's encoding: 2 boolean, 4 float, 5 signed, 7 unsigned, …
    pub encoding: u32,
}

/// `DIFile`.
#[derive(Clone, PartialEq, Debug)]
pub struct File<'m> {
    /// Name, with a path or without.
    pub name: Option<Text<'m>>,
    /// Folder that the name is relative to.
    pub directory: Option<Text<'m>>,
}

/// `DIDerivedType`: a pointer, qualified type, `typedef`, member or base class.
#[derive(Clone, PartialEq, Debug)]
pub struct DerivedType<'m> {
    /// DWARF's [`tag`].
    pub tag: u32,
    /// Name in the source.
    pub name: Option<Text<'m>>,
    /// File of the declaration.
    pub file: Option<MdId>,
    /// Line of the declaration.
    pub line: u32,
    /// Scope of the declaration.
    pub scope: Option<MdId>,
    /// The type that this one is made of.
    pub base: Option<MdId>,
    /// Size in bits; 0 if it is the base's.
    pub size: u64,
    /// Offset in bits, of a member.
    pub offset: u64,
    /// LLVM's [`flags`].
    pub flags: u32,
}

/// `DICompositeType`: a structure, class, array or enumeration.
#[derive(Clone, PartialEq, Debug)]
pub struct CompositeType<'m> {
    /// DWARF's [`tag`].
    pub tag: u32,
    /// Name in the source.
    pub name: Option<Text<'m>>,
    /// File of the declaration.
    pub file: Option<MdId>,
    /// Line of the declaration.
    pub line: u32,
    /// Scope of the declaration.
    pub scope: Option<MdId>,
    /// Type of the elements of an array.
    pub base: Option<MdId>,
    /// Size in bits.
    pub size: u64,
    /// LLVM's [`flags`].
    pub flags: u32,
    /// Tuple of members, or of the dimensions of an array.
    pub elements: Option<MdId>,
    /// Tuple of [`TemplateParameter`]s.
    pub template_parameters: Option<MdId>,
    /// Name that is unique in the program.
    pub identifier: Option<Text<'m>>,
}

/// `DISubroutineType`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SubroutineType {
    /// Tuple of types: of the result (null for `void`), then of the parameters.
    pub types: Option<MdId>,
}

/// `DICompileUnit`.
#[derive(Clone, PartialEq, Debug)]
pub struct CompileUnit<'m> {
    /// The file given to the compiler.
    pub file: Option<MdId>,
    /// The compiler.
    pub producer: Option<Text<'m>>,
    /// Tuple of [`Subprogram`]s.
    pub subprograms: Option<MdId>,
    /// Tuple of [`GlobalVariable`]s.
    pub globals: Option<MdId>,
}

/// `DISubprogram`: a function of the source.
#[derive(Clone, PartialEq, Debug)]
pub struct Subprogram<'m> {
    /// Scope of the declaration.
    pub scope: Option<MdId>,
    /// Name in the source.
    pub name: Option<Text<'m>>,
    /// Mangled name.
    pub linkage_name: Option<Text<'m>>,
    /// File of the definition.
    pub file: Option<MdId>,
    /// Line of the definition.
    pub line: u32,
    /// A [`SubroutineType`].
    pub ty: Option<MdId>,
    /// Not visible outside of its unit.
    pub is_local: bool,
    /// A definition, not a declaration only.
    pub is_definition: bool,
    /// Line at which the function's scope begins.
    pub scope_line: u32,
    /// LLVM's [`flags`].
    pub flags: u32,
    /// Compiled with optimization.
    pub is_optimized: bool,
    /// The function of the module, as a value entry; `None` if all of its calls are inlined.
    pub function: Option<MdId>,
}

/// `DILexicalBlock` or `DILexicalBlockFile`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LexicalBlock {
    /// Scope around it.
    pub scope: Option<MdId>,
    /// File.
    pub file: Option<MdId>,
    /// Line at which it begins; 0 for a `DILexicalBlockFile`.
    pub line: u32,
    /// Column at which it begins.
    pub column: u32,
    /// `DILexicalBlockFile`: only the file differs from the enclosing scope's.
    pub only_file: bool,
}

/// `DINamespace`.
#[derive(Clone, PartialEq, Debug)]
pub struct Namespace<'m> {
    /// Scope around it.
    pub scope: Option<MdId>,
    /// Name; empty or `None` for an anonymous one.
    pub name: Option<Text<'m>>,
    /// File.
    pub file: Option<MdId>,
    /// Line.
    pub line: u32,
}

/// `DITemplateTypeParameter` or `DITemplateValueParameter`.
#[derive(Clone, PartialEq, Debug)]
pub struct TemplateParameter<'m> {
    /// Name of the parameter.
    pub name: Option<Text<'m>>,
    /// The type, or the type of the value.
    pub ty: Option<MdId>,
    /// Value entry of a value parameter.
    pub value: Option<MdId>,
}

/// `DIGlobalVariable`.
#[derive(Clone, PartialEq, Debug)]
pub struct GlobalVariable<'m> {
    /// Scope of the declaration.
    pub scope: Option<MdId>,
    /// Name in the source.
    pub name: Option<Text<'m>>,
    /// Mangled name.
    pub linkage_name: Option<Text<'m>>,
    /// File of the declaration.
    pub file: Option<MdId>,
    /// Line of the declaration.
    pub line: u32,
    /// Type.
    pub ty: Option<MdId>,
    /// Not visible outside of its unit.
    pub is_local: bool,
    /// A definition, not a declaration only.
    pub is_definition: bool,
    /// The variable of the module or its constant value, as a value entry.
    pub variable: Option<MdId>,
}

/// `DILocalVariable`.
#[derive(Clone, PartialEq, Debug)]
pub struct LocalVariable<'m> {
    /// Scope of the declaration.
    pub scope: Option<MdId>,
    /// Name in the source.
    pub name: Option<Text<'m>>,
    /// File of the declaration.
    pub file: Option<MdId>,
    /// Line of the declaration.
    pub line: u32,
    /// Type.
    pub ty: Option<MdId>,
    /// Number of the parameter, from 1 on; 0 for a variable that is not one.
    pub argument: u32,
    /// LLVM's [`flags`].
    pub flags: u32,
}

/// Fields of a record; those that it lacks are 0.
struct Fields<'m> {
    metadata: &'m Metadata,
    raw: &'m [u64],
}

impl<'m> Fields<'m> {
    fn get(&self, index: usize) -> u64 {
        self.raw.get(index).copied().unwrap_or(0)
    }
    fn number(&self, index: usize) -> u32 {
        u32::try_from(self.get(index)).unwrap_or(0)
    }
    fn flag(&self, index: usize) -> bool {
        self.get(index) != 0
    }
    /// Returns the reference of a field that holds 0 for null, else entry + 1.
    fn id(&self, index: usize) -> Option<MdId> {
        let entry = self.get(index).checked_sub(1)?;
        self.entry(entry)
    }
    fn entry(&self, entry: u64) -> Option<MdId> {
        let id = MdId::from_u32(u32::try_from(entry).ok().filter(|&e| e != u32::MAX)?);
        self.metadata.nodes.is_valid(id).then_some(id)
    }
    /// Returns a name; of a longer one its beginning, since many nodes may share it.
    fn text(&self, index: usize) -> Option<Text<'m>> {
        let MdNode::String(range) = self.metadata.nodes.get(self.id(index)?)? else {
            return None;
        };
        let bytes = self.metadata.strings.get(range.range())?;
        let text = String::from_utf8_lossy(bytes.get(..MAX_NAME_BYTES).unwrap_or(bytes));
        (!text.is_empty()).then_some(text)
    }
}

impl<'m> DebugNode<'m> {
    /// Decodes a record. Field 0 marks distinct nodes.
    pub(super) fn decode(metadata: &'m Metadata, code: u32, raw: &'m [u64]) -> Option<Self> {
        let f = Fields { metadata, raw };
        Some(match code {
            7 => Self::Location(Location {
                line: f.number(1),
                column: f.number(2),
                scope: f.raw.get(3).and_then(|&entry| f.entry(entry)),
                inlined_at: f.id(4),
            }),
            13 => Self::Subrange(Subrange {
                count: f.get(1) as i64,
            }),
            15 => Self::BasicType(BasicType {
                name: f.text(2),
                size: f.get(3),
                encoding: f.number(5),
            }),
            16 => Self::File(File {
                name: f.text(1),
                directory: f.text(2),
            }),
            17 => Self::DerivedType(DerivedType {
                tag: f.number(1),
                name: f.text(2),
                file: f.id(3),
                line: f.number(4),
                scope: f.id(5),
                base: f.id(6),
                size: f.get(7),
                offset: f.get(9),
                flags: f.number(10),
            }),
            18 => Self::CompositeType(CompositeType {
                tag: f.number(1),
                name: f.text(2),
                file: f.id(3),
                line: f.number(4),
                scope: f.id(5),
                base: f.id(6),
                size: f.get(7),
                flags: f.number(10),
                elements: f.id(11),
                template_parameters: f.id(14),
                identifier: f.text(15),
            }),
            19 => Self::SubroutineType(SubroutineType { types: f.id(2) }),
            20 => Self::CompileUnit(CompileUnit {
                file: f.id(2),
                producer: f.text(3),
                subprograms: f.id(11),
                globals: f.id(12),
            }),
            21 => Self::Subprogram(Subprogram {
                scope: f.id(1),
                name: f.text(2),
                linkage_name: f.text(3),
                file: f.id(4),
                line: f.number(5),
                ty: f.id(6),
                is_local: f.flag(7),
                is_definition: f.flag(8),
                scope_line: f.number(9),
                flags: f.number(13),
                is_optimized: f.flag(14),
                function: f.id(15),
            }),
            22 | 23 => Self::LexicalBlock(LexicalBlock {
                scope: f.id(1),
                file: f.id(2),
                line: if code == 22 { f.number(3) } else { 0 },
                column: if code == 22 { f.number(4) } else { 0 },
                only_file: code == 23,
            }),
            24 => Self::Namespace(Namespace {
                scope: f.id(1),
                file: f.id(2),
                name: f.text(3),
                line: f.number(4),
            }),
            25 => Self::TemplateParameter(TemplateParameter {
                name: f.text(1),
                ty: f.id(2),
                value: None,
            }),
            26 => Self::TemplateParameter(TemplateParameter {
                name: f.text(2),
                ty: f.id(3),
                value: f.id(4),
            }),
            27 => Self::GlobalVariable(GlobalVariable {
                scope: f.id(1),
                name: f.text(2),
                linkage_name: f.text(3),
                file: f.id(4),
                line: f.number(5),
                ty: f.id(6),
                is_local: f.flag(7),
                is_definition: f.flag(8),
                variable: f.id(9),
            }),
            28 => Self::LocalVariable(LocalVariable {
                scope: f.id(2),
                name: f.text(3),
                file: f.id(4),
                line: f.number(5),
                ty: f.id(6),
                argument: f.number(7),
                flags: f.number(8),
            }),
            29 => Self::Expression(Expression::new(raw.get(1..).unwrap_or_default())),
            _ => return None,
        })
    }
}
