//! Types of constant buffers and structured buffers as HLSL declares them, and the member at an
//! offset. Their names and offsets are in the annotations of types that the reflection program keeps, or in
//! the definitions of DXBC.

use trellis_dxil_frontend::module::{Module, Type, TypeId};
use trellis_dxil_frontend::shader::{ComponentType, FieldAnnotation, TypeAnnotations};

use crate::names::{Names, identifier};
use crate::types::{Expr, FLOAT, Scalar, UINT, vector};

/// Deepest nesting of types.
const DEEPEST: u32 = 16;

/// Size of the largest structure in bytes.
const LARGEST: u32 = 1 << 24;

/// Layout rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rules {
    /// Rows of 16 bytes.
    Constant,
    /// As in C.
    Structured,
}

/// A type in memory.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Vector(Scalar, u32),
    Matrix {
        scalar: Scalar,
        rows: u32,
        columns: u32,
        row_major: bool,
    },
    Array(Box<Shape>, u32),
    /// An index into [`Types::structs`].
    Struct(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) offset: u32,
    pub(crate) shape: Shape,
}

#[derive(Clone, Debug)]
pub(crate) struct Struct {
    name: String,
    ty: Option<TypeId>,
    rules: Rules,
    pub(crate) members: Vec<Member>,
    size: u32,
    align: u32,
    /// Not declared: it has the members of a buffer.
    pub(crate) is_hidden: bool,
}

/// An index that is computed, times the bytes of a step.
#[derive(Clone, Debug)]
pub(crate) struct Dynamic {
    pub(crate) text: String,
    pub(crate) stride: u32,
}

/// The component at an offset.
pub(crate) struct Component {
    pub(crate) path: String,
    pub(crate) ty: Scalar,
    /// The component of a vector, and its length; none for a number.
    pub(crate) component: Option<(u32, u32)>,
}

impl Component {
    /// Returns the component.
    pub(crate) fn expr(&self) -> Expr {
        let component = self.component.and_then(|c| COMPONENTS.get(c.0 as usize));
        match component {
            Some(component) => Expr::atom(format!("{}.{component}", self.path), self.ty),
            None => Expr::atom(self.path.clone(), self.ty),
        }
    }

    /// Returns several components: the vector without a swizzle if they are all of it.
    pub(crate) fn join(parts: &[Self]) -> Expr {
        let first = &parts[0];
        let is_whole = (0..).zip(parts).all(|(at, part)| {
            part.path == first.path && part.component == Some((at, parts.len() as u32))
        });
        if is_whole {
            return Expr::atom(first.path.clone(), first.ty).with_count(parts.len() as u32);
        }
        let parts: Vec<Expr> = parts.iter().map(Self::expr).collect();
        vector(&parts, first.ty)
    }
}

/// The structures of a module.
pub(crate) struct Types<'a> {
    pub(crate) module: &'a Module,
    annotations: &'a TypeAnnotations,
    pub(crate) native: bool,
    pub(crate) structs: Vec<Struct>,
}

impl<'a> Types<'a> {
    pub(crate) fn new(module: &'a Module, annotations: &'a TypeAnnotations, native: bool) -> Self {
        Self {
            module,
            annotations,
            native,
            structs: Vec::new(),
        }
    }

    /// Returns the shape of a structured buffer's element: the only member of the buffer's type.
    pub(crate) fn element(&mut self, names: &mut Names, buffer: TypeId) -> Option<Shape> {
        let Type::Struct { fields, .. } = self.module.types.get(buffer)? else {
            return None;
        };
        let &element = fields.first()?;
        let annotation = self.annotations.structure(buffer);
        let field = annotation
            .and_then(|a| a.fields.first())
            .cloned()
            .unwrap_or_default();
        let shape = self.shape(names, element, &field, Rules::Structured, 0);
        shape.filter(|shape| !matches!(shape, Shape::Array(..)))
    }

    /// Returns the shape of a type; `None` if HLSL cannot declare it so.
    pub(crate) fn shape(
        &mut self,
        names: &mut Names,
        ty: TypeId,
        field: &FieldAnnotation,
        rules: Rules,
        depth: u32,
    ) -> Option<Shape> {
        let is_matrix =
            |[rows, columns, _]: [u32; 3]| (1..=4).contains(&rows) && (1..=4).contains(&columns);
        if depth > DEEPEST || !field.matrix.is_none_or(is_matrix) {
            return None;
        }
        let component = field.component.and_then(ComponentType::from_code);
        let scalar = |ty| {
            let plain = Scalar::of(self.module, ty, self.native)?;
            let declared = component.map_or(plain, Scalar::of_component);
            // Of another width: a minimum precision, a boolean.
            Some(match declared {
                Scalar::Bool => Scalar::Bool,
                _ if plain.is_int() => {
                    plain.with_sign(declared == declared.with_sign(true) && declared.is_int())
                }
                _ => plain,
            })
        };
        match self.module.types.get(ty)? {
            Type::Vector { element, len } => Some(match field.matrix {
                Some([rows, columns, order]) => Shape::Matrix {
                    scalar: scalar(*element)?,
                    rows,
                    columns,
                    row_major: order == 1,
                },
                None => Shape::Vector(
                    scalar(*element)?,
                    Some(*len).filter(|n| (1..=4).contains(n))?,
                ),
            }),
            Type::Array { element, len } => {
                let len = u32::try_from(*len).ok().filter(|&len| len > 0)?;
                // A matrix is an array of its rows or columns.
                if let Some([rows, columns, order]) = field.matrix
                    && let Type::Vector { element, .. } = self.module.types.get(*element)?
                {
                    return Some(Shape::Matrix {
                        scalar: scalar(*element)?,
                        rows,
                        columns,
                        row_major: order == 1,
                    });
                }
                let element = self.shape(names, *element, field, rules, depth + 1)?;
                let shape = Shape::Array(Box::new(element), len);
                (self.size(&shape, rules) <= LARGEST).then_some(shape)
            }
            Type::Struct { name, fields, .. } => {
                let full = name.as_deref().unwrap_or("");
                if full.contains("matrix.") && fields.len() == 1 {
                    return self.shape(names, fields[0], field, rules, depth + 1);
                }
                if let Some(index) = self
                    .structs
                    .iter()
                    .position(|s| s.ty == Some(ty) && s.rules == rules)
                {
                    return Some(Shape::Struct(index));
                }
                let short = full.rsplit('.').next().unwrap_or(full);
                let fields = fields.to_vec();
                self.structure(names, ty, short, &fields, rules, depth)
                    .map(Shape::Struct)
            }
            _ => scalar(ty).map(|scalar| Shape::Vector(scalar, 1)),
        }
    }

    fn structure(
        &mut self,
        names: &mut Names,
        ty: TypeId,
        name: &str,
        fields: &[TypeId],
        rules: Rules,
        depth: u32,
    ) -> Option<usize> {
        let annotation = self.annotations.structure(ty).cloned();
        let (mut members, mut end, mut align): (Vec<Member>, u32, u32) = (Vec::new(), 0, 4);
        for (at, &field) in fields.iter().enumerate() {
            let known = annotation.as_ref().and_then(|a| a.fields.get(at)).cloned();
            let known = known.unwrap_or_default();
            let shape = self.shape(names, field, &known, rules, depth + 1)?;
            let place = self.next(&shape, end, rules);
            if rules == Rules::Constant
                && known.offset.is_some_and(|offset| offset != place)
                && depth > 0
            {
                return None;
            }
            let offset = match rules {
                Rules::Constant => known.offset.unwrap_or(place),
                Rules::Structured => place,
            };
            end = offset
                .checked_add(self.size(&shape, rules))
                .filter(|&end| end <= LARGEST)?;
            align = align.max(self.align(&shape));
            let mut member = identifier(&known.name);
            if known.name.is_empty() || members.iter().any(|m: &Member| m.name == member) {
                member = format!("m{at}");
            }
            members.push(Member {
                name: member,
                offset,
                shape,
            });
        }
        if rules == Rules::Structured {
            end = end.checked_next_multiple_of(align)?;
        }
        self.structs.push(Struct {
            name: names.add(name),
            ty: Some(ty),
            rules,
            members,
            size: end,
            align,
            is_hidden: false,
        });
        Some(self.structs.len() - 1)
    }

    /// Returns where a member starts after one that ends at `end`.
    pub(crate) fn next(&self, shape: &Shape, end: u32, rules: Rules) -> u32 {
        let align = self.align(shape);
        let at = end.next_multiple_of(align);
        let row = at.next_multiple_of(16);
        match (rules, shape) {
            (Rules::Structured, _) => at,
            (_, Shape::Vector(..)) if at / 16 == (at + self.size(shape, rules) - 1) / 16 => at,
            _ => row,
        }
    }

    fn align(&self, shape: &Shape) -> u32 {
        match shape {
            Shape::Vector(scalar, _) | Shape::Matrix { scalar, .. } => scalar.bytes(),
            Shape::Array(element, _) => self.align(element),
            &Shape::Struct(index) => self.structs[index].align,
        }
    }

    pub(crate) fn size(&self, shape: &Shape, rules: Rules) -> u32 {
        match shape {
            Shape::Vector(scalar, n) => scalar.bytes() * n,
            &Shape::Matrix {
                scalar,
                rows,
                columns,
                row_major,
            } => {
                let (lines, length) = if row_major {
                    (rows, columns)
                } else {
                    (columns, rows)
                };
                match rules {
                    Rules::Constant => (lines.max(1) - 1) * 16 + length * scalar.bytes(),
                    Rules::Structured => lines * length * scalar.bytes(),
                }
            }
            Shape::Array(element, len) => {
                let last = self.size(element, rules);
                self.stride(element, rules)
                    .saturating_mul(len - 1)
                    .saturating_add(last)
            }
            &Shape::Struct(index) => self.structs[index].size,
        }
    }

    fn stride(&self, element: &Shape, rules: Rules) -> u32 {
        let size = self.size(element, rules);
        match rules {
            Rules::Constant => size.next_multiple_of(16),
            Rules::Structured => size,
        }
    }

    /// Returns the component at a byte offset, and perhaps a computed one, in a value of this shape.
    pub(crate) fn find(
        &self,
        shape: &Shape,
        path: String,
        offset: u32,
        dynamic: Option<&Dynamic>,
        rules: Rules,
    ) -> Option<Component> {
        let (mut shape, mut path, mut offset, mut dynamic) = (shape, path, offset, dynamic);
        loop {
            match shape {
                &Shape::Struct(index) => {
                    let inside = |m: &&Member| {
                        m.offset <= offset && offset - m.offset < self.size(&m.shape, rules)
                    };
                    let member = self.structs[index].members.iter().find(inside)?;
                    path = match path.is_empty() {
                        true => member.name.clone(),
                        false => format!("{path}.{}", member.name),
                    };
                    offset -= member.offset;
                    shape = &member.shape;
                }
                Shape::Array(element, len) => {
                    let stride = self.stride(element, rules);
                    let index = offset / stride;
                    offset %= stride;
                    match dynamic {
                        Some(d) if d.stride % stride == 0 && d.stride > 0 => {
                            let steps = d.stride / stride;
                            let text = match steps {
                                1 => d.text.clone(),
                                _ => format!("({}) * {steps}", d.text),
                            };
                            path = match index {
                                0 => format!("{path}[{text}]"),
                                _ => format!("{path}[{text} + {index}]"),
                            };
                            dynamic = None;
                        }
                        _ if index < *len => path = format!("{path}[{index}]"),
                        _ => return None,
                    }
                    shape = element;
                }
                &Shape::Matrix {
                    scalar,
                    rows,
                    columns,
                    row_major,
                } => {
                    let length = if row_major { columns } else { rows };
                    let line = match rules {
                        Rules::Constant => 16,
                        Rules::Structured => length * scalar.bytes(),
                    };
                    let (major, minor) = (offset / line, offset % line / scalar.bytes());
                    if dynamic.is_some() || minor >= length || offset % scalar.bytes() != 0 {
                        return None;
                    }
                    let (row, column) = if row_major {
                        (major, minor)
                    } else {
                        (minor, major)
                    };
                    let is_inside = row < rows && column < columns;
                    let component = (columns > 1).then_some((column, columns));
                    let path = format!("{path}[{row}]");
                    return is_inside.then_some(Component {
                        path,
                        ty: scalar,
                        component,
                    });
                }
                &Shape::Vector(scalar, n) => {
                    let component = offset / scalar.bytes();
                    if dynamic.is_some() || offset % scalar.bytes() != 0 || component >= n {
                        return None;
                    }
                    let component = (n > 1).then_some((component, n));
                    return Some(Component {
                        path,
                        ty: scalar,
                        component,
                    });
                }
            }
        }
    }

    /// Returns the declaration of a member or variable.
    pub(crate) fn declare(&self, shape: &Shape, name: &str) -> String {
        let (mut shape, mut name) = (shape, name.to_owned());
        while let Shape::Array(element, len) = shape {
            name = format!("{name}[{len}]");
            shape = element;
        }
        format!("{} {name}", self.type_name(shape))
    }

    /// Returns the name of a type that is not an array.
    pub(crate) fn type_name(&self, shape: &Shape) -> String {
        match shape {
            Shape::Vector(scalar, n) => scalar.vector_name(*n),
            Shape::Matrix {
                scalar,
                rows,
                columns,
                row_major,
            } => {
                let order = if *row_major {
                    "row_major"
                } else {
                    "column_major"
                };
                format!("{order} {}{rows}x{columns}", scalar.name())
            }
            Shape::Array(element, _) => self.type_name(element),
            &Shape::Struct(index) => self.structs[index].name.clone(),
        }
    }

    /// Returns the declaration of a structure.
    pub(crate) fn declare_struct(&self, index: usize) -> String {
        let mut text = format!("struct {} {{\n", self.structs[index].name);
        for member in &self.structs[index].members {
            text.push_str(&format!(
                "    {};\n",
                self.declare(&member.shape, &member.name)
            ));
        }
        text + "};\n"
    }

    /// Returns a structure of words, for a buffer whose element is not known.
    pub(crate) fn words(&mut self, names: &mut Names, name: &str, bytes: u32) -> Shape {
        let words = Shape::Array(Box::new(Shape::Vector(UINT, 1)), (bytes / 4).max(1));
        self.array(names, name, ("word", words), Rules::Structured)
    }

    /// Returns a structure of rows, for a constant buffer whose members are not known.
    pub(crate) fn rows(&mut self, names: &mut Names, name: &str, bytes: u32) -> Shape {
        let rows = Shape::Array(Box::new(Shape::Vector(FLOAT, 4)), bytes.div_ceil(16).max(1));
        self.array(names, name, ("row", rows), Rules::Constant)
    }

    /// Returns true for a structure of words.
    pub(crate) fn is_words(&self, shape: &Shape) -> bool {
        matches!(shape, &Shape::Struct(index) if self.structs[index].ty.is_none())
    }

    fn array(
        &mut self,
        names: &mut Names,
        name: &str,
        member: (&str, Shape),
        rules: Rules,
    ) -> Shape {
        let size = self.size(&member.1, rules);
        self.structs.push(Struct {
            name: names.add(name),
            ty: None,
            rules,
            members: vec![Member {
                name: member.0.to_owned(),
                offset: 0,
                shape: member.1,
            }],
            size,
            align: 4,
            is_hidden: false,
        });
        Shape::Struct(self.structs.len() - 1)
    }
}

/// Names of the components of a vector.
pub(crate) const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];
