//! Serialized root signatures (`RTS0`), versions 1.0, 1.1 and 1.2.
//!
//! The data begins with six words: version (1, 2, 3), parameter count and offset, static sampler
//! count and offset, flags. Offsets count from the start of the data.

use super::reader::Reader;
use super::{ContainerError, FourCC, Part};

/// A root signature.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct RootSignature {
    /// Minor version: 0, 1 or 2 for 1.0, 1.1, 1.2.
    pub minor_version: u32,
    /// `D3D12_ROOT_SIGNATURE_FLAGS`.
    pub flags: u32,
    /// Parameters.
    pub parameters: Vec<RootParameter>,
    /// Static samplers.
    pub static_samplers: Vec<StaticSampler>,
}

/// A parameter with the stages that see it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RootParameter {
    /// `D3D12_SHADER_VISIBILITY`: 0 all, 1 vertex, 2 hull, 3 domain, 4 geometry, 5 pixel, 6
    /// amplification, 7 mesh.
    pub visibility: u32,
    /// Kind and contents.
    pub kind: RootParameterKind,
}

/// Kind and contents of a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RootParameterKind {
    /// Descriptor table.
    Table(Vec<DescriptorRange>),
    /// 32-bit constants.
    Constants {
        /// Register `b#`.
        register: u32,
        /// Register space.
        space: u32,
        /// Number of 32-bit values.
        count: u32,
    },
    /// Root constant buffer view.
    Cbv(RootDescriptor),
    /// Root shader resource view.
    Srv(RootDescriptor),
    /// Root unordered access view.
    Uav(RootDescriptor),
}

/// A descriptor in the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootDescriptor {
    /// Register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// `D3D12_ROOT_DESCRIPTOR_FLAGS`; 0 in version 1.0.
    pub flags: u32,
}

/// A range of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DescriptorRange {
    /// Class: SRV, UAV, CBV or sampler, `D3D12_DESCRIPTOR_RANGE_TYPE` 0 to 3.
    pub kind: crate::kinds::ResourceClass,
    /// Number of descriptors; `u32::MAX` is unbounded.
    pub count: u32,
    /// First register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// `D3D12_DESCRIPTOR_RANGE_FLAGS`; 0 in version 1.0.
    pub flags: u32,
    /// Offset from the start of the table in descriptors; `u32::MAX` appends.
    pub offset: u32,
}

/// A static sampler; fields as in `D3D12_STATIC_SAMPLER_DESC1`.
#[derive(Clone, Copy, PartialEq, Debug)]
#[expect(missing_docs, reason = "D3D's own names")]
#[non_exhaustive]
pub struct StaticSampler {
    pub filter: u32,
    pub address: [u32; 3],
    pub mip_lod_bias: f32,
    pub max_anisotropy: u32,
    pub comparison: u32,
    pub border_color: u32,
    pub min_lod: f32,
    pub max_lod: f32,
    pub register: u32,
    pub space: u32,
    pub visibility: u32,
    /// `D3D12_SAMPLER_FLAGS`; 0 before version 1.2.
    pub flags: u32,
}

impl RootSignature {
    /// Reads the `RTS0` part.
    ///
    /// # Errors
    /// As [`RootSignature::read_bytes`].
    pub fn read(part: &Part<'_>) -> Result<Self, ContainerError> {
        read(part.reader())
    }
    /// Reads a serialized root signature that is not in a part: from metadata or a library's
    /// subobject. Errors count offsets from its start.
    ///
    /// # Errors
    /// Unknown version or parameter type; anything outside of the data.
    pub fn read_bytes(data: &[u8]) -> Result<Self, ContainerError> {
        read(Reader::new(FourCC::ROOT_SIGNATURE, 0, data))
    }
}

fn read(mut r: Reader<'_>) -> Result<RootSignature, ContainerError> {
    let version = r.u32("version")?;
    if !(1..=3).contains(&version) {
        return Err(r.bad_field(0, "version", version.into(), "1 (1.0), 2 (1.1) or 3 (1.2)"));
    }
    let (parameter_count, parameter_offset) =
        (r.u32("parameter count")?, r.u32("parameter offset")?);
    let (sampler_count, sampler_offset) = (
        r.u32("static sampler count")?,
        r.u32("static sampler offset")?,
    );
    let flags = r.u32("flags")?;
    let mut list = r.at(parameter_offset, "parameter offset")?;
    { list }.items(parameter_count, 12, "parameters")?;
    let mut parameters = Vec::with_capacity(parameter_count as usize);
    // Ranges of different tables do not overlap in a real signature: all together fit the data.
    let mut ranges_left = r.data().len() / range_size(version);
    for _ in 0..parameter_count {
        parameters.push(parameter(version, &mut list, &mut ranges_left)?);
    }
    let mut list = r.at(sampler_offset, "static sampler offset")?;
    let size = if version >= 3 { 56 } else { 52 };
    { list }.items(sampler_count, size, "static samplers")?;
    let mut static_samplers = Vec::with_capacity(sampler_count as usize);
    for _ in 0..sampler_count {
        static_samplers.push(sampler(version, &mut list)?);
    }
    Ok(RootSignature {
        minor_version: version - 1,
        flags,
        parameters,
        static_samplers,
    })
}

fn range_size(version: u32) -> usize {
    if version >= 2 { 24 } else { 20 }
}

fn parameter(
    version: u32,
    list: &mut Reader<'_>,
    ranges_left: &mut usize,
) -> Result<RootParameter, ContainerError> {
    let at = list.pos();
    let (ty, visibility, offset) = (
        list.u32("parameter type")?,
        list.u32("shader visibility")?,
        list.u32("parameter payload offset")?,
    );
    if visibility > 7 {
        return Err(list.bad_field(at + 4, "shader visibility", visibility.into(), "0 to 7"));
    }
    let mut r = list.at(offset, "parameter payload offset")?;
    let kind = match ty {
        0 => RootParameterKind::Table(table(version, &mut r, ranges_left)?),
        1 => RootParameterKind::Constants {
            register: r.u32("register")?,
            space: r.u32("register space")?,
            count: r.u32("constant count")?,
        },
        2..=4 => {
            let d = RootDescriptor {
                register: r.u32("register")?,
                space: r.u32("register space")?,
                flags: flags(&mut r, version >= 2, "descriptor flags")?,
            };
            match ty {
                2 => RootParameterKind::Cbv(d),
                3 => RootParameterKind::Srv(d),
                _ => RootParameterKind::Uav(d),
            }
        }
        _ => return Err(list.bad_field(at, "parameter type", ty.into(), "0 to 4")),
    };
    Ok(RootParameter { visibility, kind })
}

fn table(
    version: u32,
    r: &mut Reader<'_>,
    ranges_left: &mut usize,
) -> Result<Vec<DescriptorRange>, ContainerError> {
    let at = r.pos();
    let (count, offset) = (r.u32("range count")?, r.u32("range offset")?);
    let mut list = r.at(offset, "range offset")?;
    { list }.items(count, range_size(version), "descriptor ranges")?;
    *ranges_left = ranges_left.checked_sub(count as usize).ok_or_else(|| {
        r.bad_field(
            at,
            "range count",
            count.into(),
            "no more ranges in all tables than the data holds",
        )
    })?;
    let mut out = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let at = list.pos();
        let kind = list.u32("range type")?;
        let kind = match kind {
            0 => crate::kinds::ResourceClass::Srv,
            1 => crate::kinds::ResourceClass::Uav,
            2 => crate::kinds::ResourceClass::CBuffer,
            3 => crate::kinds::ResourceClass::Sampler,
            _ => return Err(list.bad_field(at, "range type", kind.into(), "0 to 3")),
        };
        out.push(DescriptorRange {
            kind,
            count: list.u32("descriptor count")?,
            register: list.u32("base register")?,
            space: list.u32("register space")?,
            flags: flags(&mut list, version >= 2, "range flags")?,
            offset: list.u32("table offset")?,
        });
    }
    Ok(out)
}

/// Returns flags if the version has them; 0 otherwise.
fn flags(r: &mut Reader<'_>, exist: bool, what: &'static str) -> Result<u32, ContainerError> {
    if exist { r.u32(what) } else { Ok(0) }
}

fn sampler(version: u32, r: &mut Reader<'_>) -> Result<StaticSampler, ContainerError> {
    Ok(StaticSampler {
        filter: r.u32("filter")?,
        address: [
            r.u32("address U")?,
            r.u32("address V")?,
            r.u32("address W")?,
        ],
        mip_lod_bias: r.f32("mip LOD bias")?,
        max_anisotropy: r.u32("maximum anisotropy")?,
        comparison: r.u32("comparison function")?,
        border_color: r.u32("border color")?,
        min_lod: r.f32("minimum LOD")?,
        max_lod: r.f32("maximum LOD")?,
        register: r.u32("register")?,
        space: r.u32("register space")?,
        visibility: r.u32("shader visibility")?,
        flags: flags(r, version >= 3, "sampler flags")?,
    })
}
