//! Runtime data (`RDAT`): resources, functions and subobjects of a library, for a runtime.
//!
//! A version word, a part count, an offset for each part; a part is a type, a size and data. Tables
//! begin with record count and stride; strings, index arrays and raw bytes are separate parts,
//! which records refer to by offset.

use super::reader::{Reader, u32_at};
use super::{ContainerError, Part};
use crate::kinds::{ResourceClass, ResourceKind, ShaderKind};

/// "No entry" in a record.
const NONE: u32 = u32::MAX;

/// A table part.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Table<'a> {
    /// Part type, `RuntimeDataPartType`: 3 resources, 4 functions, 6 subobjects, 7 node ids, 8 node
    /// I/O attributes, 9 node function attributes, 10 I/O nodes, 11 node infos.
    pub ty: u32,
    reader: Reader<'a>,
    count: u32,
    stride: u32,
}

impl<'a> Table<'a> {
    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.count as usize
    }
    /// Returns whether the table is empty.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
    /// Bytes of each record.
    pub fn records(&self) -> impl ExactSizeIterator<Item = &'a [u8]> + use<'a> {
        let (data, stride) = (self.reader.data(), self.stride as usize);
        (0..self.count as usize).map(move |i| {
            data.get(8 + i * stride..8 + (i + 1) * stride)
                .unwrap_or(&[])
        })
    }
    /// Returns a reader of each record, for errors with offsets.
    fn readers(
        &self,
    ) -> impl ExactSizeIterator<Item = Result<Reader<'a>, ContainerError>> + use<'a> {
        let (reader, stride) = (self.reader, self.stride);
        (0..self.count).map(move |i| {
            let at = u32::try_from(8 + u64::from(i) * u64::from(stride)).unwrap_or(u32::MAX);
            reader.at(at, "record")?.sub(stride as usize, "record")
        })
    }
}

/// A resource of a library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RdatResource<'a> {
    /// Class.
    pub class: ResourceClass,
    /// Shape.
    pub kind: ResourceKind,
    /// Number within its class.
    pub id: u32,
    /// Register space.
    pub space: u32,
    /// First register.
    pub lower_bound: u32,
    /// Last register, included; `u32::MAX` without end.
    pub upper_bound: u32,
    /// Name.
    pub name: &'a str,
    /// Flags: 1 globally coherent, 2 counter, 4 rasterizer-ordered, 8 dynamic indexing, 16 64-bit
    /// atomics.
    pub flags: u32,
}

/// A function of a library.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct RdatFunction<'a> {
    /// Name as the linker sees it.
    pub name: &'a str,
    /// Name as written.
    pub unmangled_name: &'a str,
    /// Resources it uses: indices into the resource table.
    pub resources: IndexArray<'a>,
    /// Functions of other libraries it calls: offsets into the string table; see
    /// [`RuntimeData::string`].
    pub dependencies: IndexArray<'a>,
    /// Stage; `None` for a function without one.
    pub kind: Option<ShaderKind>,
    /// Ray payload or parameter size in bytes.
    pub payload_size: u32,
    /// Ray attribute size in bytes.
    pub attribute_size: u32,
    /// Feature bits as in `SFI0`.
    pub features: u64,
    /// Stages that it may be used in, a bit each.
    pub stage_mask: u32,
    /// Lowest shader model: kind << 16 | major << 4 | minor.
    pub min_target: u32,
}

/// A subobject of a library.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct RdatSubobject<'a> {
    /// Name.
    pub name: &'a str,
    /// Kind and contents.
    pub kind: SubobjectKind<'a>,
}

/// Kind and contents of a subobject.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum SubobjectKind<'a> {
    /// State object flags.
    StateObjectConfig {
        /// `D3D12_STATE_OBJECT_FLAGS`.
        flags: u32,
    },
    /// Serialized global root signature.
    GlobalRootSignature(&'a [u8]),
    /// Serialized local root signature.
    LocalRootSignature(&'a [u8]),
    /// Association of a subobject with exports.
    ExportsAssociation {
        /// Subobject's name.
        subobject: &'a str,
        /// Exports: offsets into the string table.
        exports: IndexArray<'a>,
    },
    /// Ray payload and attribute limits in bytes.
    ShaderConfig {
        /// Payload.
        max_payload: u32,
        /// Attributes.
        max_attributes: u32,
    },
    /// Pipeline configuration.
    PipelineConfig {
        /// Trace recursion limit.
        max_recursion: u32,
        /// Pipeline flags (the second version of the subobject), else 0.
        flags: u32,
    },
    /// Hit group.
    HitGroup {
        /// 0 triangles, 1 procedural primitives.
        ty: u32,
        /// Any-hit shader.
        any_hit: &'a str,
        /// Closest-hit shader.
        closest_hit: &'a str,
        /// Intersection shader.
        intersection: &'a str,
    },
}

/// Numbers in the index-array part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct IndexArray<'a>(&'a [u8]);

impl IndexArray<'_> {
    /// Returns the numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.0.chunks_exact(4).map(|b| u32_at(b, 0))
    }
}

/// The `RDAT` part.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct RuntimeData<'a> {
    /// Version word: 0x10 is the first.
    pub version: u32,
    strings: Option<Reader<'a>>,
    indices: Option<Reader<'a>>,
    raw: Option<Reader<'a>>,
    /// All tables.
    pub tables: Vec<Table<'a>>,
}

impl<'a> RuntimeData<'a> {
    /// Reads the part's directory; records are read on request.
    ///
    /// # Errors
    /// A part outside of the data, or a table that does not fit its part.
    pub fn read(part: &Part<'a>) -> Result<Self, ContainerError> {
        let mut r = part.reader();
        let mut out = Self {
            version: r.u32("version")?,
            strings: None,
            indices: None,
            raw: None,
            tables: Vec::new(),
        };
        let count = r.u32("part count")?;
        for entry in r.items(count, 4, "part offsets")?.chunks_exact(4) {
            let mut p = r.at(u32_at(entry, 0), "part offset")?;
            let (ty, size) = (p.u32("part type")?, p.u32("part size")?);
            let content = p.sub(size as usize, "part")?;
            match ty {
                1 => out.strings = Some(content),
                2 => out.indices = Some(content),
                5 => out.raw = Some(content),
                _ => {
                    let mut t = content;
                    let (count, stride) = (t.u32("record count")?, t.u32("record stride")?);
                    t.items(count, stride as usize, "records")?;
                    // A stride of zero would let a few bytes declare four billion records.
                    let count = if stride == 0 { 0 } else { count };
                    out.tables.push(Table {
                        ty,
                        reader: content,
                        count,
                        stride,
                    });
                }
            }
        }
        Ok(out)
    }

    /// Returns a table by its part type.
    pub fn table(&self, ty: u32) -> Option<&Table<'a>> {
        self.tables.iter().find(|t| t.ty == ty)
    }

    /// Returns a string by its offset.
    ///
    /// # Errors
    /// The offset is outside of the string part, or the string does not end.
    pub fn string(&self, offset: u32) -> Result<&'a str, ContainerError> {
        match (offset, self.strings) {
            (NONE, _) | (_, None) => Ok(""),
            (_, Some(s)) => s.string_at(offset, "string"),
        }
    }

    /// Returns an index array by the position of its count.
    fn index_array(&self, at: u32) -> Result<IndexArray<'a>, ContainerError> {
        let (false, Some(indices)) = (at == NONE, self.indices) else {
            return Ok(IndexArray::default());
        };
        let mut r = indices.at(at.saturating_mul(4), "index array")?;
        let count = r.u32("index array length")?;
        Ok(IndexArray(r.items(count, 4, "index array")?))
    }

    fn bytes(&self, offset: u32, size: u32) -> Result<&'a [u8], ContainerError> {
        let Some(raw) = self.raw else { return Ok(&[]) };
        raw.at(offset, "raw bytes")?
            .bytes(size as usize, "raw bytes")
    }

    /// Resources.
    pub fn resources(&self) -> impl Iterator<Item = Result<RdatResource<'a>, ContainerError>> + '_ {
        self.table(3).into_iter().flat_map(Table::readers).map(|r| {
            let mut r = r?;
            let class = r.u32("resource class")?;
            let class = ResourceClass::from_code(class)
                .ok_or_else(|| r.bad_field(0, "resource class", class.into(), "0 to 3"))?;
            let kind = r.u32("resource kind")?;
            let kind = ResourceKind::from_code(kind)
                .ok_or_else(|| r.bad_field(4, "resource kind", kind.into(), "0 to 18"))?;
            Ok(RdatResource {
                class,
                kind,
                id: r.u32("number")?,
                space: r.u32("space")?,
                lower_bound: r.u32("lower bound")?,
                upper_bound: r.u32("upper bound")?,
                name: self.string(r.u32("name")?)?,
                flags: r.u32("flags")?,
            })
        })
    }

    /// Functions.
    pub fn functions(&self) -> impl Iterator<Item = Result<RdatFunction<'a>, ContainerError>> + '_ {
        self.table(4).into_iter().flat_map(Table::readers).map(|r| {
            let mut r = r?;
            Ok(RdatFunction {
                name: self.string(r.u32("name")?)?,
                unmangled_name: self.string(r.u32("unmangled name")?)?,
                resources: self.index_array(r.u32("resources")?)?,
                dependencies: self.index_array(r.u32("dependencies")?)?,
                kind: ShaderKind::from_code(r.u32("shader kind")?)
                    .filter(|&k| k != ShaderKind::Library),
                payload_size: r.u32("payload size")?,
                attribute_size: r.u32("attribute size")?,
                features: r.u64("features")?,
                stage_mask: r.u32("stage mask")?,
                min_target: r.u32("minimum target")?,
            })
        })
    }

    /// Subobjects.
    pub fn subobjects(
        &self,
    ) -> impl Iterator<Item = Result<RdatSubobject<'a>, ContainerError>> + '_ {
        self.table(6).into_iter().flat_map(Table::readers).map(|r| {
            let mut r = r?;
            let (kind, name) = (r.u32("subobject kind")?, self.string(r.u32("name")?)?);
            let kind = match kind {
                0 => SubobjectKind::StateObjectConfig {
                    flags: r.u32("flags")?,
                },
                1 => SubobjectKind::GlobalRootSignature(self.bytes(
                    r.u32("root signature offset")?,
                    r.u32("root signature size")?,
                )?),
                2 => SubobjectKind::LocalRootSignature(self.bytes(
                    r.u32("root signature offset")?,
                    r.u32("root signature size")?,
                )?),
                8 => SubobjectKind::ExportsAssociation {
                    subobject: self.string(r.u32("subobject")?)?,
                    exports: self.index_array(r.u32("exports")?)?,
                },
                9 => SubobjectKind::ShaderConfig {
                    max_payload: r.u32("payload limit")?,
                    max_attributes: r.u32("attribute limit")?,
                },
                10 => SubobjectKind::PipelineConfig {
                    max_recursion: r.u32("recursion limit")?,
                    flags: 0,
                },
                11 => SubobjectKind::HitGroup {
                    ty: r.u32("hit group type")?,
                    any_hit: self.string(r.u32("any-hit")?)?,
                    closest_hit: self.string(r.u32("closest-hit")?)?,
                    intersection: self.string(r.u32("intersection")?)?,
                },
                12 => SubobjectKind::PipelineConfig {
                    max_recursion: r.u32("recursion limit")?,
                    flags: r.u32("flags")?,
                },
                _ => {
                    return Err(r.bad_field(0, "subobject kind", kind.into(), "0 to 2 or 8 to 12"));
                }
            };
            Ok(RdatSubobject { name, kind })
        })
    }
}
