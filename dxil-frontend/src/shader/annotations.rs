//! `dx.typeAnnotations`: names, offsets and types of HLSL fields, and the parameters of functions.
//!
//! The `DXIL` program of a container usually lacks them; the reflection program in `STAT` has them.

use super::cursor::{Tuple, named};
use super::signatures::interpolation;
use crate::error::Error;
use crate::module::{Module, TypeId};

/// The annotations of a module: names, offsets and types of fields. The rest is checked.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct TypeAnnotations {
    /// Structures.
    pub structs: Vec<StructAnnotation>,
}

/// A structure.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct StructAnnotation {
    /// The structure type.
    pub ty: TypeId,
    /// Size in bytes in a constant buffer.
    pub size: u32,
    /// Annotations, one per field of the type.
    pub fields: Vec<FieldAnnotation>,
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
                    1 => check_function(&list, at)?,
                    // Lists of later versions. Payload annotations have a separate named node,
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
    })
}

fn field(t: Tuple<'_>) -> Result<FieldAnnotation, Error> {
    let mut f = FieldAnnotation::default();
    for tag in t.tags() {
        let (tag, at) = tag?;
        let check = |number| t.int(at, number).map(drop);
        match tag {
            0 => check("snorm")?,
            1 => check("unorm")?,
            2 => f.matrix = Some(t.ints(at, "matrix", "3: rows, columns, orientation")?),
            3 => f.offset = Some(t.u32(at, "offset")?),
            4 => t.text(at, "semantic").map(drop)?,
            5 => interpolation(&t, at).map(drop)?,
            6 => f.name = t.text(at, "name")?.into(),
            7 => f.component = Some(t.u32(at, "component type")?),
            8 => check("precise")?,
            9 => check("used")?,
            12 => check("bit field width")?,
            13 => check("vector size")?,
            // Resource properties (10), bit fields (11), and newer ones.
            _ => {}
        }
    }
    Ok(f)
}

/// Checks the annotation of a function: its result, then its parameters.
fn check_function(list: &Tuple<'_>, at: usize) -> Result<(), Error> {
    let function = list.function(at, "function")?;
    function.ok_or_else(|| list.missing("function"))?;
    let t = list.required_tuple(at + 1, "function annotation")?;
    for i in 0..t.len() {
        let Some(p) = t.tuple(i, "parameter annotation")? else {
            continue;
        };
        if let Some(indices) = p.tuple(2, "semantic indices")? {
            for i in 0..indices.len() {
                indices.u32(i, "semantic index")?;
            }
        }
        p.tuple(1, "parameter annotation")?.map(field).transpose()?;
        p.u32(0, "qualifier")?;
    }
    Ok(())
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
        // Mesa's array.
        Some(array @ crate::module::Constant::Aggregate(_)) => {
            let mut words = array.operands(&module.const_operands);
            let word = |word| module.const_int(None, word).map(|word| word as u32);
            Ok(Some(words.try_fold(Vec::new(), |mut words, id| {
                words.push(word(id).ok_or_else(bad)?);
                Ok::<_, Error>(words)
            })?))
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
