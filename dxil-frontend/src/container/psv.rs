//! Pipeline state validation (`PSV0`): data for a runtime that does not read the bitcode.
//!
//! Layout: size and content of the runtime info, whose size determines its version (24, 36, 48, 52,
//! 56 bytes for 0 to 4); resources; from version 1 on the string table, semantic indices, signature
//! elements, and the masks of the outputs that depend on the view id and on which inputs.

use super::reader::{Reader, u16_at, u32_at};
use super::{ContainerError, Part};
use crate::kinds::ShaderKind;

/// Runtime info. Fields beyond the part's version are `None` or 0.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RuntimeInfo {
    /// Version: 0 to 4.
    pub version: u32,
    /// The stage's own 16 bytes; see [`RuntimeInfo::stage_info`].
    pub stage_bytes: [u8; 16],
    /// Smallest wave size that the shader works with.
    pub min_wave_lanes: u32,
    /// Largest wave size that the shader works with.
    pub max_wave_lanes: u32,
    /// Stage (version 1).
    pub stage: Option<ShaderKind>,
    /// Uses `SV_ViewID` (version 1).
    pub uses_view_id: bool,
    /// Geometry: maximum vertex count; hull, domain: patch-constant vectors in the low byte; mesh:
    /// primitive vectors, then topology (version 1).
    pub stage_extra: u16,
    /// Number of signature elements: input, output, patch constant or primitive (version 1).
    pub elements: [u8; 3],
    /// Rows of the input signature (version 1).
    pub input_vectors: u8,
    /// Rows of the output signature for each stream (version 1).
    pub output_vectors: [u8; 4],
    /// Threads of a group (version 2).
    pub num_threads: Option<[u32; 3]>,
    /// Entry function's name, as an offset into the string table (version 3).
    pub entry_name: Option<u32>,
    /// Bytes of groupshared memory (version 4).
    pub groupshared_bytes: Option<u32>,
}

/// Stage-specific part of the runtime info.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "names of the format")]
#[non_exhaustive]
pub enum StageInfo {
    Vertex {
        output_position: bool,
    },
    Hull {
        input_control_points: u32,
        output_control_points: u32,
        domain: u32,
        output_primitive: u32,
    },
    Domain {
        input_control_points: u32,
        output_position: bool,
        domain: u32,
    },
    Geometry {
        input_primitive: u32,
        output_topology: u32,
        stream_mask: u32,
        output_position: bool,
    },
    Pixel {
        depth_output: bool,
        sample_frequency: bool,
    },
    Mesh {
        groupshared_bytes: u32,
        view_dependent_groupshared_bytes: u32,
        payload_bytes: u32,
        max_vertices: u16,
        max_primitives: u16,
    },
    Amplification {
        payload_bytes: u32,
    },
    Other,
}

impl RuntimeInfo {
    /// Decodes [`RuntimeInfo::stage_bytes`].
    pub fn stage_info(&self, stage: ShaderKind) -> StageInfo {
        let b = &self.stage_bytes;
        match stage {
            ShaderKind::Vertex => StageInfo::Vertex {
                output_position: b[0] != 0,
            },
            ShaderKind::Hull => StageInfo::Hull {
                input_control_points: u32_at(b, 0),
                output_control_points: u32_at(b, 4),
                domain: u32_at(b, 8),
                output_primitive: u32_at(b, 12),
            },
            ShaderKind::Domain => StageInfo::Domain {
                input_control_points: u32_at(b, 0),
                output_position: b[4] != 0,
                domain: u32_at(b, 8),
            },
            ShaderKind::Geometry => StageInfo::Geometry {
                input_primitive: u32_at(b, 0),
                output_topology: u32_at(b, 4),
                stream_mask: u32_at(b, 8),
                output_position: b[12] != 0,
            },
            ShaderKind::Pixel => StageInfo::Pixel {
                depth_output: b[0] != 0,
                sample_frequency: b[1] != 0,
            },
            ShaderKind::Mesh => StageInfo::Mesh {
                groupshared_bytes: u32_at(b, 0),
                view_dependent_groupshared_bytes: u32_at(b, 4),
                payload_bytes: u32_at(b, 8),
                max_vertices: u16_at(b, 12),
                max_primitives: u16_at(b, 14),
            },
            ShaderKind::Amplification => StageInfo::Amplification {
                payload_bytes: u32_at(b, 0),
            },
            _ => StageInfo::Other,
        }
    }

    /// Rows of the patch-constant signature, or of a mesh shader's primitives.
    pub fn patch_or_primitive_vectors(&self) -> u8 {
        match self.stage {
            Some(ShaderKind::Hull | ShaderKind::Domain | ShaderKind::Mesh) => {
                self.stage_extra as u8
            }
            _ => 0,
        }
    }
}

/// A resource range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PsvResource {
    /// `PSVResourceType`: 1 sampler, 2 CBV, 3 typed SRV, 4 raw SRV, 5 structured SRV, 6 typed UAV,
    /// 7 raw UAV, 8 structured UAV, 9 structured UAV with counter.
    pub ty: u32,
    /// Register space.
    pub space: u32,
    /// First register.
    pub lower_bound: u32,
    /// Last register, included.
    pub upper_bound: u32,
    /// Resource kind and flags (bit 0: 64-bit atomics), where the part's entries have them.
    pub kind_and_flags: Option<[u32; 2]>,
}

/// A signature element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PsvElement {
    /// Name: offset into the string table.
    pub name: u32,
    /// First of `rows` entries of the semantic index table.
    pub indices: u32,
    /// Rows.
    pub rows: u8,
    /// First row.
    pub start_row: u8,
    /// Columns.
    pub cols: u8,
    /// First column.
    pub start_col: u8,
    /// Is assigned to a register.
    pub allocated: bool,
    /// `SemanticKind`.
    pub semantic: u8,
    /// `DxilProgramSigCompType`.
    pub component_type: u8,
    /// `InterpolationMode`.
    pub interpolation: u8,
    /// Dynamically indexed components.
    pub dynamic_mask: u8,
    /// Geometry stream.
    pub stream: u8,
}

/// Words of bits, one bit for each component.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mask<'a>(&'a [u8]);

impl Mask<'_> {
    /// Words.
    pub fn words(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.0.chunks_exact(4).map(|b| u32_at(b, 0))
    }
    /// Returns whether bit `index` is set.
    pub fn has(&self, index: usize) -> bool {
        u32_at(self.0, index / 32 * 4) >> (index % 32) & 1 != 0
    }
    /// Returns whether the mask has no words.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Dependences of outputs on inputs. A table has, for each input component, a mask over the output
/// components.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Dependencies<'a> {
    /// Outputs of each stream that depend on the view id.
    pub view_id_outputs: [Mask<'a>; 4],
    /// Patch constants or primitive outputs that depend on the view id.
    pub view_id_patch_outputs: Mask<'a>,
    /// Inputs to outputs of each stream.
    pub input_to_output: [Mask<'a>; 4],
    /// Hull: inputs to patch constants.
    pub input_to_patch: Mask<'a>,
    /// Domain: patch constants to outputs.
    pub patch_to_output: Mask<'a>,
}

/// The `PSV0` part.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct PipelineValidation<'a> {
    /// Runtime info.
    pub info: RuntimeInfo,
    /// Resources.
    pub resources: Vec<PsvResource>,
    /// String table.
    strings: Option<Reader<'a>>,
    /// Semantic index table.
    pub semantic_indices: Vec<u32>,
    /// Elements: inputs, then outputs, then patch constants or primitives, as
    /// [`RuntimeInfo::elements`] counts them.
    pub elements: Vec<PsvElement>,
    /// Dependencies.
    pub dependencies: Dependencies<'a>,
}

impl<'a> PipelineValidation<'a> {
    /// Reads the part.
    ///
    /// # Errors
    /// Truncated, or a table with entries smaller than its first version.
    pub fn read(part: &Part<'a>) -> Result<Self, ContainerError> {
        let mut r = part.reader();
        let size = sized(&mut r, "runtime info size", 24, "24 or more")?;
        let info = runtime_info(r.sub(size as usize, "runtime info")?)?;
        let resources = resources(&mut r)?;
        let mut out = Self {
            info,
            resources,
            strings: None,
            semantic_indices: Vec::new(),
            elements: Vec::new(),
            dependencies: Dependencies::default(),
        };
        if out.info.version == 0 {
            return Ok(out);
        }
        let size = r.u32("string table size")?;
        out.strings = Some(r.sub(size as usize, "string table")?);
        r.align4();
        let count = r.u32("semantic index count")?;
        out.semantic_indices = r
            .items(count, 4, "semantic indices")?
            .chunks_exact(4)
            .map(|b| u32_at(b, 0))
            .collect();
        let count: u32 = out.info.elements.iter().map(|&n| u32::from(n)).sum();
        if count > 0 {
            let size = sized(&mut r, "signature element size", 16, "16 or more")? as usize;
            let data = r.items(count, size, "signature elements")?;
            out.elements = data.chunks_exact(size).map(element).collect();
        }
        out.dependencies = dependencies(&mut r, &out.info)?;
        Ok(out)
    }

    /// Returns a name by its offset into the string table.
    ///
    /// # Errors
    /// The offset is outside of the table, or the string does not end.
    pub fn string(&self, offset: u32) -> Result<&'a str, ContainerError> {
        self.strings
            .map_or(Ok(""), |s| s.string_at(offset, "string"))
    }

    /// Returns the semantic indices of an element, one for each row.
    pub fn indices(&self, element: &PsvElement) -> Option<&[u32]> {
        let start = element.indices as usize;
        self.semantic_indices
            .get(start..start.checked_add(element.rows as usize)?)
    }
}

fn sized(
    r: &mut Reader<'_>,
    field: &'static str,
    least: u32,
    expected: &'static str,
) -> Result<u32, ContainerError> {
    let at = r.pos();
    let size = r.u32(field)?;
    if size < least {
        Err(r.bad_field(at, field, size.into(), expected))
    } else {
        Ok(size)
    }
}

fn runtime_info(mut r: Reader<'_>) -> Result<RuntimeInfo, ContainerError> {
    let version = match r.remaining() {
        ..36 => 0,
        36..48 => 1,
        48..52 => 2,
        52..56 => 3,
        _ => 4,
    };
    let mut stage_bytes = [0; 16];
    stage_bytes.copy_from_slice(r.bytes(16, "stage info")?);
    let mut info = RuntimeInfo {
        version,
        stage_bytes,
        min_wave_lanes: r.u32("minimum wave lane count")?,
        max_wave_lanes: r.u32("maximum wave lane count")?,
        stage: None,
        uses_view_id: false,
        stage_extra: 0,
        elements: [0; 3],
        input_vectors: 0,
        output_vectors: [0; 4],
        num_threads: None,
        entry_name: None,
        groupshared_bytes: None,
    };
    if version >= 1 {
        let at = r.pos();
        let stage = r.u8("shader stage")?;
        info.stage = Some(
            ShaderKind::from_code(stage.into())
                .ok_or_else(|| r.bad_field(at, "shader stage", stage.into(), "0 to 15"))?,
        );
        info.uses_view_id = r.u8("uses view id")? != 0;
        info.stage_extra = r.u16("stage extra")?;
        for e in &mut info.elements {
            *e = r.u8("element count")?;
        }
        info.input_vectors = r.u8("input vectors")?;
        for v in &mut info.output_vectors {
            *v = r.u8("output vectors")?;
        }
    }
    if version >= 2 {
        info.num_threads = Some([
            r.u32("threads X")?,
            r.u32("threads Y")?,
            r.u32("threads Z")?,
        ]);
    }
    if version >= 3 {
        info.entry_name = Some(r.u32("entry name")?);
    }
    if version >= 4 {
        info.groupshared_bytes = Some(r.u32("groupshared bytes")?);
    }
    Ok(info)
}

fn resources(r: &mut Reader<'_>) -> Result<Vec<PsvResource>, ContainerError> {
    let count = r.u32("resource count")?;
    if count == 0 {
        return Ok(Vec::new());
    }
    let size = sized(r, "resource entry size", 16, "16 or more")? as usize;
    let data = r.items(count, size, "resources")?;
    let one = |b: &[u8]| PsvResource {
        ty: u32_at(b, 0),
        space: u32_at(b, 4),
        lower_bound: u32_at(b, 8),
        upper_bound: u32_at(b, 12),
        kind_and_flags: (size >= 24).then(|| [u32_at(b, 16), u32_at(b, 20)]),
    };
    Ok(data.chunks_exact(size).map(one).collect())
}

fn element(b: &[u8]) -> PsvElement {
    let byte = |i: usize| b.get(i).copied().unwrap_or(0);
    PsvElement {
        name: u32_at(b, 0),
        indices: u32_at(b, 4),
        rows: byte(8),
        start_row: byte(9),
        cols: byte(10) & 15,
        start_col: byte(10) >> 4 & 3,
        allocated: byte(10) >> 6 & 1 != 0,
        semantic: byte(11),
        component_type: byte(12),
        interpolation: byte(13),
        dynamic_mask: byte(14) & 15,
        stream: byte(14) >> 4 & 3,
    }
}

/// Masks and tables in the order in which the format has them; masks and tables that a stage lacks
/// take no space.
fn dependencies<'a>(
    r: &mut Reader<'a>,
    info: &RuntimeInfo,
) -> Result<Dependencies<'a>, ContainerError> {
    let mut d = Dependencies::default();
    // Four components a row, in words of 32.
    let words = |vectors: u8| u32::from(vectors).div_ceil(8);
    let mut mask = |rows: u32, vectors: u8| {
        Ok::<_, ContainerError>(Mask(r.items(
            rows * words(vectors),
            4,
            "dependency masks",
        )?))
    };
    let inputs = 4 * u32::from(info.input_vectors);
    let patch = info.patch_or_primitive_vectors();
    let (hull, domain, mesh) = (
        info.stage == Some(ShaderKind::Hull),
        info.stage == Some(ShaderKind::Domain),
        info.stage == Some(ShaderKind::Mesh),
    );
    if info.uses_view_id {
        for (m, &vectors) in d.view_id_outputs.iter_mut().zip(&info.output_vectors) {
            *m = mask(1, vectors)?;
        }
        if hull || mesh {
            d.view_id_patch_outputs = mask(1, patch)?;
        }
    }
    if !mesh {
        for (m, &vectors) in d.input_to_output.iter_mut().zip(&info.output_vectors) {
            *m = mask(inputs, vectors)?;
        }
    }
    if hull {
        d.input_to_patch = mask(inputs, patch)?;
    }
    if domain {
        d.patch_to_output = mask(4 * u32::from(patch), info.output_vectors[0])?;
    }
    Ok(d)
}
