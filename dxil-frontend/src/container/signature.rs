//! Signature parts: `ISG1`, `OSG1`, `PSG1`, and their forms in DXBC before those: `ISGN`, `OSGN`,
//! `PCSG`, and `OSG5` of geometry shaders with several streams.

use super::reader::Names;
use super::{ContainerError, FourCC, Part};

/// An element: one row of a semantic in one register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PartSignatureElement<'a> {
    /// Geometry stream.
    pub stream: u32,
    /// Semantic name.
    pub name: &'a str,
    /// Semantic index.
    pub index: u32,
    /// System value, `D3D_NAME` numbering (`DxilProgramSigSemantic`); 0 none.
    pub system_value: u32,
    /// Component type: 1 `u32`, 2 `i32`, 3 `f32`, 4 `u16`, 5 `i16`, 6 `f16`, 7 `u64`, 8 `i64`, 9
    /// `f64`.
    pub component_type: u32,
    /// Register; `u32::MAX` when it has none.
    pub register: u32,
    /// Components present.
    pub mask: u8,
    /// Inputs: components always read; outputs: components never written.
    pub usage_mask: u8,
    /// Minimum precision: 0 default, 1 `f16`, 2 `f2.8`, 4 `i16`, 5 `u16`, 0xF0 any 16-bit, 0xF1 any
    /// 10-bit.
    pub min_precision: u32,
}

/// The three signatures, each with the names of its parts: the newest first.
pub(super) const INPUT: &[FourCC] = &[FourCC::INPUT_SIGNATURE, FourCC(*b"ISGN")];
pub(super) const OUTPUT: &[FourCC] =
    &[FourCC::OUTPUT_SIGNATURE, FourCC(*b"OSG5"), FourCC(*b"OSGN")];
pub(super) const PATCH_CONSTANT: &[FourCC] = &[FourCC::PATCH_CONSTANT_SIGNATURE, FourCC(*b"PCSG")];

/// Reads a signature part.
///
/// # Errors
/// Elements or names outside of the part.
pub fn read_signature<'a>(
    part: &Part<'a>,
) -> Result<Vec<PartSignatureElement<'a>>, ContainerError> {
    // Streams came with `OSG5`, minimum precisions with `OSG1`.
    let (has_stream, has_precision) = match &part.fourcc.0 {
        b"ISGN" | b"OSGN" | b"PCSG" => (false, false),
        b"OSG5" => (true, false),
        _ => (true, true),
    };
    let size = 24 + 4 * (usize::from(has_stream) + usize::from(has_precision));
    let mut r = part.reader();
    let (count, offset) = (r.u32("element count")?, r.u32("element offset")?);
    let mut body = r.at(offset, "element offset")?;
    let mut names = Names::new(r);
    { body }.items(count, size, "signature elements")?;
    let mut out = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let stream = if has_stream { body.u32("stream")? } else { 0 };
        let name = names.at(body.u32("semantic name offset")?, "semantic name")?;
        let e = PartSignatureElement {
            stream,
            name,
            index: body.u32("semantic index")?,
            system_value: body.u32("system value")?,
            component_type: body.u32("component type")?,
            register: body.u32("register")?,
            mask: body.u8("mask")?,
            usage_mask: body.u8("usage mask")?,
            min_precision: {
                body.u16("padding")?;
                if has_precision {
                    body.u32("minimum precision")?
                } else {
                    0
                }
            },
        };
        out.push(e);
    }
    Ok(out)
}
