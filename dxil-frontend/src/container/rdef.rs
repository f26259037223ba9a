//! Resource definitions (`RDEF`): the names that FXC keeps of resources, constant buffers and their
//! variables. Types of variables are read one by one, on demand ([`VariableTypes`]).
//!
//! Layout: counts and offsets of constant buffers and bindings, version, flags, offset of the
//! compiler's name; models 5.0 and later continue with `RD11` and the sizes of all records.

use super::reader::{Names, Reader, u32_at};
use super::{ContainerError, Part};

/// Names and registers of a program's resources.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ResourceDefinitions<'a> {
    /// Name and version of the compiler.
    pub creator: &'a str,
    /// Whether bindings have spaces, as in model 5.1.
    pub has_spaces: bool,
    /// Resources, in the order of the part.
    pub bindings: Vec<ResourceBinding<'a>>,
    /// Constant buffers, and element layouts of structured buffers.
    pub buffers: Vec<BufferDefinition<'a>>,
}

/// A resource of [`ResourceDefinitions`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ResourceBinding<'a> {
    /// Name in the source.
    pub name: &'a str,
    /// Kind, `D3D_SHADER_INPUT_TYPE` numbering: 0 constant buffer, 1 texture buffer, 2 texture, 3
    /// sampler, 4 typed UAV, 5 structured buffer, 6 structured UAV, 7 raw buffer, 8 raw UAV, 9
    /// append buffer, 10 consume buffer, 11 structured UAV with a counter.
    pub kind: u32,
    /// Type of a texture's components, `D3D_RESOURCE_RETURN_TYPE` numbering; 0 none.
    pub return_type: u32,
    /// Dimension, `D3D_SRV_DIMENSION` numbering; 0 none.
    pub dimension: u32,
    /// Samples per texel; stride of a structured buffer in bytes.
    pub samples: u32,
    /// First register.
    pub register: u32,
    /// Number of registers; 0 if it is unbounded.
    pub count: u32,
    /// Flags, `D3D_SHADER_INPUT_FLAGS`; bits 2 and 3 are the number of components less one.
    pub flags: u32,
    /// Register space; 0 before model 5.1.
    pub space: u32,
    /// Number by which model 5.1 refers to it; `register` before.
    pub id: u32,
}

/// A constant buffer of [`ResourceDefinitions`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct BufferDefinition<'a> {
    /// Name in the source.
    pub name: &'a str,
    /// Size in bytes.
    pub size: u32,
    /// Kind, `D3D_CBUFFER_TYPE` numbering: 0 constant buffer, 1 texture buffer, 2 interface pointers, 3
    /// element of a structured buffer.
    pub kind: u32,
    /// Variables, in the order of the part.
    pub variables: Vec<BufferVariable<'a>>,
}

/// A variable of a constant buffer, or a member of a structure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct BufferVariable<'a> {
    /// Name in the source.
    pub name: &'a str,
    /// Offset in bytes.
    pub offset: u32,
    /// Size in bytes; 0 for a member.
    pub size: u32,
    /// Whether the shader reads it.
    pub is_used: bool,
    /// Place of the type, for [`VariableTypes::at`].
    pub ty: u32,
    /// Initial value, `size` bytes; empty without one.
    pub value: &'a [u8],
}

/// A type of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct VariableType<'a> {
    /// Class, `D3D_SHADER_VARIABLE_CLASS` numbering: 0 number, 1 vector, 2 matrix in rows, 3 matrix in
    /// columns, 5 structure, 6 class, 7 interface.
    pub class: u16,
    /// Type of the components, `D3D_SHADER_VARIABLE_TYPE` numbering.
    pub scalar: u16,
    /// Rows of a matrix.
    pub rows: u16,
    /// Columns of a matrix, components of a vector.
    pub columns: u16,
    /// Number of elements; 0 if it is not an array.
    pub elements: u16,
    /// Name of a structure; empty before model 5.0.
    pub name: &'a str,
    /// Members of a structure.
    pub members: Vec<BufferVariable<'a>>,
}

impl VariableType<'_> {
    /// Returns the name of the components' type in HLSL; empty for others than numbers.
    pub fn scalar_name(&self) -> &'static str {
        match self.scalar {
            1 => "bool",
            2 => "int",
            3 => "float",
            19 => "uint",
            39 => "double",
            52 => "min8float",
            53 => "min10float",
            54 => "min16float",
            55 => "min12int",
            56 => "min16int",
            57 => "min16uint",
            _ => "",
        }
    }
}

/// Types of the variables of [`ResourceDefinitions`].
pub struct VariableTypes<'a> {
    start: Reader<'a>,
    names: Names<'a>,
    has_names: bool,
}

impl<'a> VariableTypes<'a> {
    pub(super) fn open(part: &Part<'a>) -> Result<Self, ContainerError> {
        let start = part.reader();
        Ok(Self {
            start,
            names: Names::new(start),
            has_names: u32_at(start.data(), 16) >> 8 & 0xff >= 5,
        })
    }

    /// Reads the type at a place. Types may share members, or be members of themselves.
    ///
    /// # Errors
    /// A type or name outside of the part; more names than a part may have, of all types together.
    pub fn at(&mut self, place: u32) -> Result<VariableType<'a>, ContainerError> {
        let mut r = self.start.at(place, "type offset")?;
        let mut field = || r.u16("type");
        let (class, scalar, rows) = (field()?, field()?, field()?);
        let (columns, elements, count) = (field()?, field()?, field()?);
        let at = r.u32("member offset")?;
        let mut name = "";
        if self.has_names {
            r.bytes(16, "interfaces of a type")?;
            name = self.names.at(r.u32("type name")?, "type name")?;
        }
        let mut members = Vec::new();
        if count > 0 {
            let mut r = self.start.at(at, "member offset")?;
            { r }.items(count.into(), 12, "members")?;
            for _ in 0..count {
                members.push(BufferVariable {
                    name: self.names.at(r.u32("member name")?, "member name")?,
                    ty: r.u32("member type")?,
                    offset: r.u32("member offset")?,
                    size: 0,
                    is_used: true,
                    value: &[],
                });
            }
        }
        Ok(VariableType {
            class,
            scalar,
            rows,
            columns,
            elements,
            name,
            members,
        })
    }
}

/// Sizes in bytes of the records before model 5.0.
const BUFFER_SIZE: usize = 24;
const BINDING_SIZE: usize = 32;
const VARIABLE_SIZE: usize = 24;

impl<'a> ResourceDefinitions<'a> {
    /// Reads an `RDEF` part.
    ///
    /// # Errors
    /// Records or names outside of the part.
    pub(super) fn read(part: &Part<'a>) -> Result<Self, ContainerError> {
        let start = part.reader();
        let (mut r, mut names) = (start, Names::new(start));
        let (buffer_count, buffers_at) = (r.u32("buffer count")?, r.u32("buffer offset")?);
        let (binding_count, bindings_at) = (r.u32("binding count")?, r.u32("binding offset")?);
        let version = r.u32("version")?;
        r.u32("flags")?;
        let creator = names.at(r.u32("creator offset")?, "creator")?;
        let (mut binding_size, mut variable_size) = (BINDING_SIZE, VARIABLE_SIZE);
        if version >> 8 & 0xff >= 5 {
            r.bytes(12, "record sizes")?;
            binding_size = r.u32("binding size")? as usize;
            variable_size = r.u32("variable size")? as usize;
            let sizes = [(binding_size, BINDING_SIZE), (variable_size, VARIABLE_SIZE)];
            for (size, least) in sizes {
                if !(least..=256).contains(&size) {
                    let expected = "at least the size before model 5.0, at most 256";
                    return Err(r.bad_field(r.pos(), "record size", size as u64, expected));
                }
            }
        }
        let mut records = start.at(bindings_at, "binding offset")?;
        { records }.items(binding_count, binding_size, "bindings")?;
        let mut bindings = Vec::with_capacity(binding_count as usize);
        for _ in 0..binding_count {
            let r = records.sub(binding_size, "binding")?;
            bindings.push(binding(r, &mut names, binding_size > BINDING_SIZE)?);
        }
        let mut records = start.at(buffers_at, "buffer offset")?;
        { records }.items(buffer_count, BUFFER_SIZE, "buffers")?;
        let mut buffers = Vec::with_capacity(buffer_count as usize);
        // Buffers that share variables could hold more than memory has.
        let mut available = start.data().len() / variable_size;
        for _ in 0..buffer_count {
            let mut r = records.sub(BUFFER_SIZE, "buffer")?;
            let name = names.at(r.u32("buffer name")?, "buffer name")?;
            let (count, at) = (r.u32("variable count")?, r.u32("variable offset")?);
            if count as usize > available {
                return Err(r.beyond(r.pos(), "variable count", count, available as u64 + 1));
            }
            available -= count as usize;
            let size = r.u32("buffer size")?;
            r.u32("buffer flags")?;
            let kind = r.u32("buffer kind")?;
            let mut r = start.at(at, "variable offset")?;
            let mut variables = Vec::with_capacity(count as usize);
            for _ in 0..count {
                let mut r = r.sub(variable_size, "variable")?;
                let name = names.at(r.u32("variable name")?, "variable name")?;
                let (offset, size) = (r.u32("variable offset")?, r.u32("variable size")?);
                let is_used = r.u32("variable flags")? & 2 != 0;
                let ty = r.u32("variable type")?;
                let value = match r.u32("initial value")? as usize {
                    0 => None,
                    at => start.data().get(at..at.saturating_add(size as usize)),
                };
                variables.push(BufferVariable {
                    name,
                    offset,
                    size,
                    is_used,
                    ty,
                    value: value.unwrap_or_default(),
                });
            }
            buffers.push(BufferDefinition {
                name,
                size,
                kind,
                variables,
            });
        }
        Ok(Self {
            creator,
            has_spaces: binding_size > BINDING_SIZE,
            bindings,
            buffers,
        })
    }
}

/// Reads a resource.
fn binding<'a>(
    mut r: Reader<'a>,
    names: &mut Names<'a>,
    has_space: bool,
) -> Result<ResourceBinding<'a>, ContainerError> {
    let name = names.at(r.u32("binding name")?, "binding name")?;
    let kind = r.u32("binding kind")?;
    let return_type = r.u32("return type")?;
    let dimension = r.u32("dimension")?;
    let samples = r.u32("samples")?;
    let register = r.u32("register")?;
    let count = r.u32("register count")?;
    let flags = r.u32("flags")?;
    let (space, id) = match has_space {
        true => (r.u32("space")?, r.u32("id")?),
        false => (0, register),
    };
    Ok(ResourceBinding {
        name,
        kind,
        return_type,
        dimension,
        samples,
        register,
        count,
        flags,
        space,
        id,
    })
}
