//! Types. HLSL's vectors and matrices are classes in DXIL's metadata, found by their names;
//! qualifiers of a type (`const`, `inout`'s reference) are skipped.

use std::rc::Rc;

use rspirv::spirv::{NonsemanticShaderDebuginfo100Op as DebugOp, Word};
use trellis_dxil_frontend::debug_info::{
    BasicType, CompositeType, DebugNode, DerivedType, flags, tag,
};
use trellis_dxil_frontend::metadata::MdId;

use super::DebugInfo;
use super::scopes::converted_flags;
use crate::module::Builder;

/// A type that is declared.
#[derive(Clone, Debug)]
pub(super) struct TypeInfo {
    pub(super) id: Word,
    /// Size in bits.
    pub(super) size: u64,
    pub(super) shape: Shape,
}

/// The shape of a type: its parts.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A number, with its `DebugTypeBasic`: the type itself may be another name of that.
    Scalar(Word),
    /// Components with this number of bits.
    Vector { component: u64, count: u32 },
    /// Rows of components with this number of bits.
    Matrix {
        component: u64,
        rows: u32,
        columns: u32,
    },
    /// Elements of a type, in dimensions.
    Array {
        element: MdId,
        dimensions: Rc<[u32]>,
    },
    /// Members: offset in bits, type.
    Structure(Rc<[(u64, MdId)]>),
    /// Not known.
    Opaque,
}

/// A step of the conversion.
enum Step {
    /// Converts the types that a type is made of, then the type.
    Enter(MdId),
    /// Those are converted.
    Leave(MdId),
}

/// Returns true for types that only qualify another one.
fn is_qualifier(tag: u32) -> bool {
    matches!(
        tag,
        tag::CONST_TYPE
            | tag::VOLATILE_TYPE
            | tag::RESTRICT_TYPE
            | tag::REFERENCE_TYPE
            | tag::POINTER_TYPE
    )
}

/// Returns the arguments of HLSL's built-in class template `name`, as in `matrix<float, 3, 4>`.
fn template_arguments<'a>(name: &'a str, class: &str) -> Option<impl Iterator<Item = &'a str>> {
    let arguments = name
        .strip_prefix(class)?
        .strip_prefix('<')?
        .strip_suffix('>')?;
    Some(arguments.split(',').map(str::trim))
}

impl<'m> DebugInfo<'m> {
    /// Returns the type of a node; an opaque one if it is not a type.
    pub(super) fn ty(&mut self, b: &mut Builder, node: Option<MdId>) -> TypeInfo {
        let Some(node) = node else {
            return self.unknown(b);
        };
        self.convert_type(b, node);
        match self.types.get(&node) {
            Some(known) => known.clone(),
            None => self.unknown(b),
        }
    }

    /// Returns the `DebugTypeComposite` of a class or structure.
    pub(super) fn composite(&mut self, b: &mut Builder, node: MdId) -> Option<Word> {
        let ty = self.ty(b, Some(node));
        matches!(ty.shape, Shape::Structure(_)).then_some(ty.id)
    }

    /// Returns the `DebugTypeFunction` of a `DISubroutineType`.
    pub(super) fn function_type(&mut self, b: &mut Builder, node: Option<MdId>) -> Word {
        let types = match node.and_then(|node| self.metadata.debug_node(node)) {
            Some(DebugNode::SubroutineType(ty)) => ty.types,
            _ => None,
        };
        let types = self.list(types);
        let mut operands = vec![b.debug_u32(0)];
        for (index, &ty) in types.iter().enumerate() {
            operands.push(match ty {
                None if index == 0 => b.ty_void(),
                ty => self.ty(b, ty).id,
            });
        }
        if types.is_empty() {
            operands.push(b.ty_void());
        }
        b.debug_global(DebugOp::DebugTypeFunction, &operands)
    }

    /// Returns the type that replaces unreadable nodes.
    fn unknown(&mut self, b: &mut Builder) -> TypeInfo {
        let id = match self.opaque.expand() {
            Some(known) => known,
            None => {
                let id = self.opaque_class(b, "@unknown", self.main, 0);
                self.opaque = id.into();
                id
            }
        };
        TypeInfo {
            id,
            size: 0,
            shape: Shape::Opaque,
        }
    }

    /// Declares a class without members and size, as the specification requires of opaque types.
    fn opaque_class(&mut self, b: &mut Builder, name: &str, source: Word, line: u32) -> Word {
        let plain = name.trim_start_matches('@');
        let [source, line, column] = self.position(b, source, (line, 0), plain);
        let (name, linkage_name) = (b.debug_string(name), b.debug_string(""));
        let (zero, size) = (b.debug_u32(0), self.none(b));
        let operands = [
            name,
            zero,
            source,
            line,
            column,
            self.unit,
            linkage_name,
            size,
            zero,
        ];
        b.debug_global(DebugOp::DebugTypeComposite, &operands)
    }

    /// Converts a type, and before it those that it is made of. A type that is a part of itself is
    /// not known there.
    fn convert_type(&mut self, b: &mut Builder, node: MdId) {
        let mut work = vec![Step::Enter(node)];
        let mut entered = rustc_hash::FxHashSet::default();
        while let Some(step) = work.pop() {
            match step {
                Step::Enter(node) => {
                    if self.types.contains_key(&node) || !entered.insert(node) {
                        continue;
                    }
                    work.push(Step::Leave(node));
                    let parts = self.parts(node);
                    work.extend(parts.into_iter().map(Step::Enter));
                }
                Step::Leave(node) => {
                    let made = self.make(b, node);
                    let made = made.unwrap_or_else(|| self.unknown(b));
                    self.types.insert(node, made);
                }
            }
        }
    }

    /// Returns the types that a type is made of.
    fn parts(&mut self, node: MdId) -> Vec<MdId> {
        match self.metadata.debug_node(node) {
            Some(DebugNode::DerivedType(ty)) => ty.base.into_iter().collect(),
            Some(DebugNode::CompositeType(ty)) => match ty.tag {
                tag::ARRAY_TYPE | tag::ENUMERATION_TYPE => ty.base.into_iter().collect(),
                _ => {
                    let members = self.members(&ty);
                    members
                        .into_iter()
                        .filter_map(|member| member.base)
                        .collect()
                }
            },
            _ => Vec::new(),
        }
    }

    /// Returns the data members and base classes of a class or structure.
    fn members(&mut self, ty: &CompositeType<'m>) -> Vec<DerivedType<'m>> {
        let elements = self.list(ty.elements).into_iter().flatten();
        let members = elements.filter_map(|id| match self.metadata.debug_node(id)? {
            DebugNode::DerivedType(member) => Some(member),
            _ => None,
        });
        let is_data = |member: &DerivedType<'_>| {
            matches!(member.tag, tag::MEMBER | tag::INHERITANCE)
                && member.flags & flags::STATIC_MEMBER == 0
        };
        members.filter(is_data).collect()
    }

    /// Declares a type whose parts are declared.
    fn make(&mut self, b: &mut Builder, node: MdId) -> Option<TypeInfo> {
        match self.metadata.debug_node(node)? {
            DebugNode::BasicType(ty) => Some(basic(b, &ty)),
            DebugNode::DerivedType(ty) => self.derived(b, &ty),
            DebugNode::CompositeType(ty) => match ty.tag {
                tag::ARRAY_TYPE => self.array(b, &ty),
                tag::ENUMERATION_TYPE => {
                    let base = ty.base.and_then(|base| self.types.get(&base));
                    Some(base.cloned().unwrap_or_else(|| basic(b, &enumeration(&ty))))
                }
                _ => Some(self.class(b, &ty)),
            },
            _ => None,
        }
    }

    fn derived(&mut self, b: &mut Builder, ty: &DerivedType<'m>) -> Option<TypeInfo> {
        let base = self.types.get(&ty.base?)?.clone();
        // SPIRV-Tools' validator knows other names of numbers only.
        let is_basic = matches!(base.shape, Shape::Scalar(basic) if basic == base.id);
        match ty.tag {
            // `float3` is only a name of a vector, and `uint` one of `unsigned int`.
            tag::TYPEDEF if is_basic && ty.line != 0 && !is_builtin(ty) => {
                let source = self.source(b, ty.file, self.main);
                let name = ty.name.as_deref().unwrap_or_default();
                let [source, line, column] = self.position(b, source, (ty.line, 0), name);
                let operands = [
                    b.debug_string(name),
                    base.id,
                    source,
                    line,
                    column,
                    self.namespace(b, ty.scope),
                ];
                let id = b.debug_global(DebugOp::DebugTypedef, &operands);
                Some(TypeInfo { id, ..base })
            }
            tag::TYPEDEF => Some(base),
            qualifier if is_qualifier(qualifier) => Some(base),
            _ => None,
        }
    }

    fn array(&mut self, b: &mut Builder, ty: &CompositeType<'m>) -> Option<TypeInfo> {
        let element = ty.base?;
        let base = self.types.get(&element)?.clone();
        let mut dimensions = Vec::new();
        for id in self.list(ty.elements).into_iter().flatten() {
            let Some(DebugNode::Subrange(range)) = self.metadata.debug_node(id) else {
                return None;
            };
            // 0 is an array of unknown size.
            dimensions.push(u32::try_from(range.count.max(0)).unwrap_or(u32::MAX));
        }
        if dimensions.is_empty() {
            dimensions.push(0);
        }
        let mut operands = vec![base.id];
        operands.extend(dimensions.iter().map(|&count| b.debug_u32(count)));
        Some(TypeInfo {
            id: b.debug_global(DebugOp::DebugTypeArray, &operands),
            size: ty.size,
            shape: Shape::Array {
                element,
                dimensions: dimensions.into(),
            },
        })
    }

    fn class(&mut self, b: &mut Builder, ty: &CompositeType<'m>) -> TypeInfo {
        let members = self.members(ty);
        if let Some(made) = self.vector_or_matrix(b, ty, &members) {
            return made;
        }
        let name = ty.name.as_deref().unwrap_or_default();
        let source = self.source(b, ty.file, self.main);
        if members.is_empty() && ty.tag == tag::CLASS_TYPE && ty.size != 0 {
            // A texture, buffer or other object.
            return TypeInfo {
                id: self.opaque_class(b, &format!("@{name}"), source, ty.line),
                size: ty.size,
                shape: Shape::Opaque,
            };
        }
        let mut shape = Vec::new();
        let mut ids = Vec::new();
        for member in &members {
            let Some(base) = member.base else { continue };
            let part = self.ty_or_unknown(b, base);
            ids.push(self.member(b, member, &part));
            shape.push((member.offset, base));
        }
        let tag = match ty.tag {
            tag::CLASS_TYPE => 0,
            tag::UNION_TYPE => 2,
            _ => 1,
        };
        let [source, line, column] = self.position(b, source, (ty.line, 0), name);
        let mut operands = vec![
            b.debug_string(name),
            b.debug_u32(tag),
            source,
            line,
            column,
            self.namespace(b, ty.scope),
            b.debug_string(ty.identifier.as_deref().unwrap_or(name)),
            b.debug_u32(bits(ty.size)),
            b.debug_u32(converted_flags(ty.flags)),
        ];
        operands.extend(ids);
        TypeInfo {
            id: b.debug_global(DebugOp::DebugTypeComposite, &operands),
            size: ty.size,
            shape: Shape::Structure(shape.into()),
        }
    }

    fn ty_or_unknown(&mut self, b: &mut Builder, node: MdId) -> TypeInfo {
        match self.types.get(&node) {
            Some(known) => known.clone(),
            None => self.unknown(b),
        }
    }

    /// Declares a member. A base class is a member with its own name: SPIRV-Tools' validator, as of
    /// 2025.3, reads `DebugTypeInheritance` as another set has it.
    fn member(&mut self, b: &mut Builder, member: &DerivedType<'m>, ty: &TypeInfo) -> Word {
        let source = self.source(b, member.file, self.main);
        let size = match member.size {
            0 => ty.size,
            size => size,
        };
        let name = match (&member.name, member.tag) {
            (None, tag::INHERITANCE) => "base",
            (name, _) => name.as_deref().unwrap_or_default(),
        };
        let plain = member.name.as_deref().unwrap_or_default();
        let [source, line, column] = self.position(b, source, (member.line, 0), plain);
        let operands = [
            b.debug_string(name),
            ty.id,
            source,
            line,
            column,
            b.debug_u32(bits(member.offset)),
            b.debug_u32(bits(size)),
            b.debug_u32(converted_flags(member.flags)),
        ];
        b.debug_global(DebugOp::DebugTypeMember, &operands)
    }

    /// Declares HLSL's `vector<T, n>` and `matrix<T, rows, columns>`, whose members are all alike.
    fn vector_or_matrix(
        &mut self,
        b: &mut Builder,
        ty: &CompositeType<'m>,
        members: &[DerivedType<'m>],
    ) -> Option<TypeInfo> {
        let name = ty.name.as_deref()?;
        let component = members.first()?.base?;
        if members.iter().any(|member| member.base != Some(component)) {
            return None;
        }
        let base = self.types.get(&component)?.clone();
        let Shape::Scalar(basic) = base.shape else {
            return None;
        };
        if base.size == 0 {
            return None;
        }
        let number = |text: Option<&str>| text?.parse::<u32>().ok();
        let count = members.len() as u64;
        if let Some(arguments) = template_arguments(name, "vector") {
            let length = number(arguments.last())?;
            let is_vector = (1..=4).contains(&length) && u64::from(length) == count;
            return is_vector.then(|| TypeInfo {
                id: vector(b, basic, length),
                size: base.size.saturating_mul(count),
                shape: Shape::Vector {
                    component: base.size,
                    count: length,
                },
            });
        }
        let mut arguments = template_arguments(name, "matrix")?.skip(1);
        let (rows, columns) = (number(arguments.next())?, number(arguments.next())?);
        let range = 1..=4;
        let is_matrix =
            range.contains(&rows) && range.contains(&columns) && u64::from(rows * columns) == count;
        is_matrix.then(|| {
            // The rows, in whatever order the bits are.
            let row = vector(b, basic, columns);
            let operands = [row, b.debug_u32(rows), b.debug_bool(false)];
            TypeInfo {
                id: b.debug_global(DebugOp::DebugTypeMatrix, &operands),
                size: base.size.saturating_mul(count),
                shape: Shape::Matrix {
                    component: base.size,
                    rows,
                    columns,
                },
            }
        })
    }
}

/// Returns true for the names of built-in types, which the compiler declares.
fn is_builtin(ty: &DerivedType<'_>) -> bool {
    const NAMES: [&str; 9] = [
        "uint",
        "dword",
        "half",
        "min16float",
        "min10float",
        "min16int",
        "min12int",
        "min16uint",
        "uint64_t",
    ];
    let name = ty.name.as_deref().unwrap_or_default();
    NAMES.contains(&name) || name.ends_with("_t")
}

fn vector(b: &mut Builder, component: Word, count: u32) -> Word {
    let operands = [component, b.debug_u32(count)];
    b.debug_global(DebugOp::DebugTypeVector, &operands)
}

/// Returns a number of bits that fits in 32 bits.
fn bits(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Returns the underlying type of an enumeration; `int` if it has none.
fn enumeration<'m>(ty: &CompositeType<'m>) -> BasicType<'m> {
    /// DWARF's number of signed integers.
    const SIGNED: u32 = 5;
    BasicType {
        name: ty.name.clone(),
        size: ty.size,
        encoding: SIGNED,
    }
}

fn basic(b: &mut Builder, ty: &BasicType<'_>) -> TypeInfo {
    // DWARF's encodings, and the set's.
    let encoding = match ty.encoding {
        1 => 1,
        2 => 2,
        4 => 3,
        5 => 4,
        6 => 5,
        7 => 6,
        8 => 7,
        _ => 0,
    };
    let operands = [
        b.debug_string(ty.name.as_deref().unwrap_or_default()),
        b.debug_u32(bits(ty.size)),
        b.debug_u32(encoding),
        b.debug_u32(0),
    ];
    let id = b.debug_global(DebugOp::DebugTypeBasic, &operands);
    TypeInfo {
        id,
        size: ty.size,
        shape: Shape::Scalar(id),
    }
}
