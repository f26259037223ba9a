//! `dx.typeAnnotations`: names, offsets and types of HLSL fields, and the parameters of functions.
//!
//! The `DXIL` program of a container usually lacks them; the reflection program in `STAT` has them.

use super::InterpolationMode;
use super::cursor::{Tuple, named};
use super::signatures::interpolation;
use crate::error::Error;
use crate::metadata::MdId;
use crate::module::{FunctionId, Module, TypeId};

/// All annotations of a module.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct TypeAnnotations {
    /// Structures.
    pub structs: Vec<StructAnnotation>,
    /// Functions.
    pub functions: Vec<FunctionAnnotation>,
}

/// A structure.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct StructAnnotation {
    /// The structure type.
    pub ty: TypeId,
    /// Size in bytes in a constant buffer.
    pub size: u32,
    /// Fields, as many as the type has.
    pub fields: Vec<FieldAnnotation>,
    /// Template arguments, as the metadata has them.
    pub template_arguments: Option<MdId>,
}

/// A field of a structure, or a parameter's type.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct FieldAnnotation {
    /// Name.
    pub name: Box<str>,
    /// Offset in bytes in a constant buffer or structure.
    pub offset: Option<u32>,
    /// Component type, DXIL's number.
    pub component: Option<u32>,
    /// Matrix: rows, columns, orientation (1 row major, 2 column major).
    pub matrix: Option<[u32; 3]>,
    /// Semantic as written.
    pub semantic: Box<str>,
    /// Interpolation.
    pub interpolation: Option<InterpolationMode>,
    /// `precise`.
    pub precise: bool,
    /// A field of a constant buffer that is used.
    pub used: bool,
    /// `snorm`.
    pub snorm: bool,
    /// `unorm`.
    pub unorm: bool,
    /// Width of a bit field.
    pub bit_width: Option<u32>,
    /// Elements of a long vector.
    pub vector_size: Option<u32>,
    /// Tags without a field of their own: resource properties (10), bit fields (11), and newer
    /// ones.
    pub other: Vec<(u32, MdId)>,
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct FunctionAnnotation {
    /// The function.
    pub function: FunctionId,
    /// The result, then the parameters.
    pub parameters: Vec<ParameterAnnotation>,
}

/// A parameter or the result of a function.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct ParameterAnnotation {
    /// 0 in, 1 out, 2 inout, and further qualifiers of geometry, hull and mesh shaders.
    pub qualifier: u32,
    /// Its type.
    pub field: FieldAnnotation,
    /// Semantic indices.
    pub semantic_indices: Vec<u32>,
}

impl TypeAnnotations {
    /// Reads the annotations; a module without any is not an error.
    ///
    /// # Errors
    /// Malformed metadata, with node and field.
    pub fn read(module: &Module) -> Result<Self, Error> {
        let mut out = Self::default();
        for &id in named(module, "dx.typeAnnotations") {
            let list = Tuple::open(module, id, "dx.typeAnnotations")?;
            let tag = list.u32(0, "tag")?;
            for at in (1..list.len().saturating_sub(1)).step_by(2) {
                match tag {
                    0 => out.structs.push(read_structure(&list, at)?),
                    1 => out.functions.push(read_function(&list, at)?),
                    // Lists of later versions. Payload annotations have a named node of their own,
                    // `dx.dxrPayloadAnnotations`.
                    _ => {}
                }
            }
        }
        Ok(out)
    }

    /// Returns the annotation of a structure type.
    pub fn structure(&self, ty: TypeId) -> Option<&StructAnnotation> {
        self.structs.iter().find(|s| s.ty == ty)
    }
}

fn read_structure(list: &Tuple<'_>, at: usize) -> Result<StructAnnotation, Error> {
    let value = list.value(at, "structure")?;
    let (ty, _) = value.ok_or_else(|| list.missing("structure"))?;
    let t = list.required_tuple(at + 1, "structure annotation")?;
    let count = match list.module().types.get(ty) {
        Some(crate::module::Type::Struct { fields, .. }) => fields.len(),
        _ => return Err(list.not("structure", "a value of structure type").into()),
    };
    let mut fields = Vec::new();
    for i in 1..t.len().min(1 + count) {
        fields.push(
            t.tuple(i, "field annotation")?
                .map_or(Ok(FieldAnnotation::default()), field)?,
        );
    }
    Ok(StructAnnotation {
        ty,
        size: t.u32(0, "size")?,
        fields,
        template_arguments: t.get(1 + count),
    })
}

fn field(t: Tuple<'_>) -> Result<FieldAnnotation, Error> {
    let mut f = FieldAnnotation::default();
    for tag in t.tags() {
        let (tag, at) = tag?;
        match tag {
            0 => f.snorm = t.bool(at, "snorm")?,
            1 => f.unorm = t.bool(at, "unorm")?,
            2 => {
                f.matrix = Some(t.ints(at, "matrix", "3: rows, columns, orientation")?);
            }
            3 => f.offset = Some(t.u32(at, "offset")?),
            4 => f.semantic = t.text(at, "semantic")?.into(),
            5 => f.interpolation = Some(interpolation(&t, at)?),
            6 => f.name = t.text(at, "name")?.into(),
            7 => f.component = Some(t.u32(at, "component type")?),
            8 => f.precise = t.bool(at, "precise")?,
            9 => f.used = t.bool(at, "used")?,
            12 => f.bit_width = Some(t.u32(at, "bit field width")?),
            13 => f.vector_size = Some(t.u32(at, "vector size")?),
            _ => {
                if let Some(id) = t.get(at) {
                    f.other.push((tag, id));
                }
            }
        }
    }
    Ok(f)
}

fn read_function(list: &Tuple<'_>, at: usize) -> Result<FunctionAnnotation, Error> {
    let function = list.function(at, "function")?;
    let function = function.ok_or_else(|| list.missing("function"))?;
    let t = list.required_tuple(at + 1, "function annotation")?;
    let mut parameters = Vec::new();
    for i in 0..t.len() {
        let Some(p) = t.tuple(i, "parameter annotation")? else {
            continue;
        };
        let mut semantic_indices = Vec::new();
        if let Some(indices) = p.tuple(2, "semantic indices")? {
            for i in 0..indices.len() {
                semantic_indices.push(indices.u32(i, "semantic index")?);
            }
        }
        let field = p
            .tuple(1, "parameter annotation")?
            .map_or(Ok(FieldAnnotation::default()), field)?;
        parameters.push(ParameterAnnotation {
            qualifier: p.u32(0, "qualifier")?,
            field,
            semantic_indices,
        });
    }
    Ok(FunctionAnnotation {
        function,
        parameters,
    })
}

/// Words of `dx.viewIdState`: input and output counts, then masks; `None` without the node.
///
/// # Errors
/// The node is not a tuple of one `i32` array.
pub fn view_id_state(module: &Module) -> Result<Option<Vec<u32>>, Error> {
    let Some(t) = super::cursor::named_tuple(module, "dx.viewIdState")? else {
        return Ok(None);
    };
    let bad = || t.not("words", "an i32 array");
    let (ty, value) = t.value(0, "words")?.ok_or_else(bad)?;
    match module.constant(None, value).map(|c| &c.value) {
        Some(crate::module::Constant::Data(words)) => {
            Ok(Some(words.iter().map(|&w| w as u32).collect()))
        }
        Some(crate::module::Constant::Null) => match module.types.get(ty) {
            // The metadata's own words bound a real state; an array type alone could claim any
            // length.
            Some(crate::module::Type::Array { len, .. }) if *len <= 1 << 16 => {
                Ok(Some(vec![0; *len as usize]))
            }
            _ => Err(bad().into()),
        },
        _ => Err(bad().into()),
    }
}
