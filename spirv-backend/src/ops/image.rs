//! Loads from and stores to textures without a sampler, and queries.

use rspirv::spirv::{Capability, ImageFormat, ImageOperands, Op, Word};
use smallvec::{SmallVec, smallvec};
use trellis_dxil_frontend::dxop::TextureOp;
use trellis_dxil_frontend::module::{InstKind, ValueId};
use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind};

use super::Emitter;
use super::elements::Elements;
use super::texel::{ImageOps, Operands, image_form, scalar_of};
use crate::error::{Error, InterfaceFeature, InvalidKind};
use crate::resources::arg_handle;
use crate::resources::texel_type;
use crate::resources::{Access, Handle, ImageShape, Loaded, Texel};
use crate::values::{Scalar, Shape};

/// Emits one operation of this family.
pub(crate) fn emit(e: &mut Emitter<'_>, op: TextureOp) -> Result<(), Error> {
    match op {
        TextureOp::TextureLoad => load(e),
        TextureOp::TextureStore => store(e, None),
        TextureOp::TextureStoreSample => store(e, Some(9)),
        TextureOp::GetDimensions => dimensions(e),
        TextureOp::Texture2DMSGetSamplePosition => sample_position(e),
        TextureOp::CheckAccessFullyMapped => fully_mapped(e),
    }
}

/// A loaded image with its description.
pub(super) struct Image {
    pub(super) loaded: Loaded,
    pub(super) shape: ImageShape,
    pub(super) texel: Texel,
    pub(super) uav: bool,
}

/// Loads the image of a handle.
pub(super) fn image(e: &mut Emitter<'_>, handle: &Handle) -> Result<Image, Error> {
    let (shape, texel) = image_form(e, handle)?;
    let loaded = e.load_descriptor(handle, Access::Image)?;
    Ok(Image {
        loaded,
        shape,
        texel,
        uav: handle.desc.class == ResourceClass::Uav,
    })
}

/// Reads a texel at `coordinate`, from a storage image or a sampled one.
pub(super) fn read(
    e: &mut Emitter<'_>,
    image: &Image,
    coordinate: Word,
    extra: ImageOps,
) -> Result<(), Error> {
    let mut operands: Operands = smallvec![image.loaded.id, coordinate];
    extra.append_to(&mut operands);
    let ops = if image.uav {
        if image.loaded.format == ImageFormat::Unknown {
            e.b.caps.add(Capability::StorageImageReadWithoutFormat);
        }
        (Op::ImageRead, Op::ImageSparseRead)
    } else {
        (Op::ImageFetch, Op::ImageSparseFetch)
    };
    e.texel_result(ops, image.texel, operands)
}

/// Writes the values in operands `first .. first + 4`.
pub(super) fn write(
    e: &mut Emitter<'_>,
    image: &Image,
    coordinate: Word,
    first: usize,
    extra: ImageOps,
) -> Result<(), Error> {
    if !image.uav {
        return Err(e.invalid_resource("to an SRV"));
    }
    let parts = e.texel_components(first, image.texel)?;
    let plain = e.scalar_type(scalar_of(image.texel));
    let mut texel = e.b.vector(plain, &parts);
    if matches!(image.texel, Texel::Int(_)) {
        let signed = texel_type(e, image.texel);
        let ty = e.b.ty_vec(signed, 4);
        texel = e.b.bitcast(ty, texel);
    }
    if image.loaded.format == ImageFormat::Unknown {
        e.b.caps.add(Capability::StorageImageWriteWithoutFormat);
    }
    let mut operands: Operands = smallvec![image.loaded.id, coordinate, texel];
    extra.append_to(&mut operands);
    e.b.op_void(Op::ImageWrite, &operands);
    Ok(())
}

/// Emits `TextureLoad(srv, mipLevelOrSampleCount, coord0..2, offset0..2)`.
fn load(e: &mut Emitter<'_>) -> Result<(), Error> {
    const COORDS: usize = 2;
    const OFFSETS: usize = 5;
    let handle = arg_handle(e, 0)?;
    let image = image(e, &handle)?;
    if image.shape.coords > 3 || matches!(handle.desc.kind, ResourceKind::TextureCube) {
        return Err(e.invalid_resource(format!("of a {:?}", handle.desc.kind)));
    }
    let mut extra = ImageOps::default();
    let level = e.arg_value(1)?;
    if image.shape.multisampled {
        extra.add(ImageOperands::SAMPLE, e.id(level)?);
    } else if !image.uav && !image.shape.is_buffer() {
        let level = match e.is_undef(level) {
            true => e.b.const_u32(0),
            false => e.id(level)?,
        };
        extra.add(ImageOperands::LOD, level);
    }
    let coordinate = match e.constant_offset(OFFSETS, image.shape.offset) {
        Ok(None) => e.arg_vector(COORDS, image.shape.coords)?,
        Ok(Some(offset)) if !image.uav && offset.iter().all(|o| (-8..8).contains(o)) => {
            let offset = e.signed_constant(&offset);
            extra.add(ImageOperands::CONST_OFFSET, offset);
            e.arg_vector(COORDS, image.shape.coords)?
        }
        // Vulkan has no computed offset here: texels outside read 0 either way, so the offset can
        // be added.
        Ok(Some(_)) | Err(_) => offset_coordinate(e, COORDS, OFFSETS, image.shape)?,
    };
    read(e, &image, coordinate, extra)
}

/// Coordinates plus offsets; the layer has no offset.
fn offset_coordinate(
    e: &mut Emitter<'_>,
    coords: usize,
    offsets: usize,
    shape: ImageShape,
) -> Result<Word, Error> {
    let u32_ty = e.b.ty_u32();
    let mut parts = SmallVec::<[Word; 4]>::new();
    for i in 0..shape.coords {
        let mut id = e.arg_id(coords + i)?;
        if i < shape.offset {
            let offset = e.arg_value(offsets + i)?;
            if e.is_given(offset) {
                let offset = e.id(offset)?;
                id = e.b.op(Op::IAdd, u32_ty, &[id, offset]);
            }
        }
        parts.push(id);
    }
    Ok(e.b.vector(u32_ty, &parts))
}

/// Emits `TextureStore(uav, coord0..2, value0..3, mask)` and, with a sample in operand `sample`,
/// `TextureStoreSample`. D3D requires that all components of the format are written, so the mask
/// has no further information.
fn store(e: &mut Emitter<'_>, sample: Option<usize>) -> Result<(), Error> {
    let handle = arg_handle(e, 0)?;
    let image = image(e, &handle)?;
    if image.shape.multisampled != sample.is_some() || image.shape.coords > 3 {
        return Err(e.invalid_resource(format!("to a {:?}", handle.desc.kind)));
    }
    let coordinate = e.arg_vector(1, image.shape.coords)?;
    let mut extra = ImageOps::default();
    if let Some(sample) = sample {
        extra.add(ImageOperands::SAMPLE, e.arg_id(sample)?);
    }
    write(e, &image, coordinate, 4, extra)
}

/// Emits `GetDimensions`: width, height, depth or layers in order in fields 0 to 2; levels or
/// samples in field 3.
fn dimensions(e: &mut Emitter<'_>) -> Result<(), Error> {
    let handle = arg_handle(e, 0)?;
    if handle.desc.is_untyped_buffer() {
        return buffer_dimensions(e, &handle);
    }
    let image = image(e, &handle)?;
    e.b.caps.add(Capability::ImageQuery);
    let u32_ty = e.b.ty_u32();
    let wants_size = (0..image.shape.size).any(|i| e.is_result_used(i));
    let mut levels = None;
    if wants_size {
        let ty = e.b.ty_vec(u32_ty, image.shape.size);
        let level = e.arg_value(1)?;
        let size = if let Some(window) = e.resources.window(&mut e.f, &handle)? {
            window.size(e)
        } else if image.uav || image.shape.multisampled || image.shape.is_buffer() {
            e.b.op(Op::ImageQuerySize, ty, &[image.loaded.id])
        } else {
            let is_first = e.const_or_absent(level) == Some(0);
            let level = match is_first {
                true => e.b.const_u32(0),
                false => e.id(level)?,
            };
            let size = e.b.op(Op::ImageQuerySizeLod, ty, &[image.loaded.id, level]);
            if is_first {
                size
            } else {
                let count = e.b.op(Op::ImageQueryLevels, u32_ty, &[image.loaded.id]);
                levels = Some(count);
                // D3D defines the size of a level beyond the last one as 0; Vulkan leaves it
                // undefined.
                size_of_level(e, image.shape.size, size, level, count)
            }
        };
        for i in 0..image.shape.size {
            if e.is_result_used(i) {
                let part = match image.shape.size {
                    1 => size,
                    _ => e.b.extract(u32_ty, size, i),
                };
                e.set_result(i, part);
            }
        }
    }
    if e.is_result_used(3) {
        let id = if image.shape.multisampled {
            e.b.op(Op::ImageQuerySamples, u32_ty, &[image.loaded.id])
        } else if image.uav || image.shape.is_buffer() {
            e.b.const_u32(1)
        } else if let Some(levels) = levels {
            levels
        } else {
            e.b.op(Op::ImageQueryLevels, u32_ty, &[image.loaded.id])
        };
        e.set_result(3, id);
    }
    unset_fields(e, image.shape.size..3);
    Ok(())
}

/// Emits `GetDimensions` of a buffer: the bytes of a raw buffer, the structs (and the stride) of a structured
/// one.
fn buffer_dimensions(e: &mut Emitter<'_>, handle: &Handle) -> Result<(), Error> {
    if e.is_result_used(0) {
        let buffer = Elements::of(e, handle, Access::Elements(32))?;
        let id = buffer.size(e)?;
        e.set_result(0, id);
    }
    if e.is_result_used(1) {
        let stride = e.b.const_u32(handle.desc.stride);
        e.set_result(1, stride);
    }
    unset_fields(e, 2..4);
    Ok(())
}

/// Returns the size of a mip level, 0 if the texture does not have it. Vulkan leaves that undefined.
fn size_of_level(
    e: &mut Emitter<'_>,
    components: u32,
    size: Word,
    level: Word,
    levels: Word,
) -> Word {
    let boolean = e.b.ty_bool();
    let (ty, condition) = (e.b.ty_words(components), Shape::of(Scalar::Bool));
    let condition = condition.of_lanes(components);
    e.shape_type(condition);
    let exists = e.b.op(Op::ULessThan, boolean, &[level, levels]);
    let exists = e.splat(condition, exists);
    let zero = e.b.const_null(ty);
    e.b.op(Op::Select, ty, &[exists, size, zero])
}

/// Fields that the shape does not have are 0.
pub(super) fn unset_fields(e: &mut Emitter<'_>, fields: std::ops::Range<u32>) {
    for i in fields {
        if e.is_result_used(i) {
            let zero = e.b.const_u32(0);
            e.set_result(i, zero);
        }
    }
}

/// D3D's standard sample positions in sixteenths of a pixel, for 1, 2, 4, 8 and 16 samples one
/// after the other: the positions for n samples start at n - 1.
const POSITIONS: [(i8, i8); 31] = [
    (0, 0),
    (4, 4),
    (-4, -4),
    (-2, -6),
    (6, -2),
    (-6, 2),
    (2, 6),
    (1, -3),
    (-1, 3),
    (5, 1),
    (-3, -5),
    (-5, 5),
    (-7, -1),
    (3, 7),
    (7, -7),
    (1, 1),
    (-1, -3),
    (-3, 2),
    (4, -1),
    (-5, -2),
    (2, 5),
    (5, 3),
    (3, -5),
    (-2, 6),
    (0, -7),
    (-4, -6),
    (-6, 4),
    (-8, 0),
    (7, -4),
    (6, 7),
    (-7, -8),
];

/// Emits `GetSamplePosition` of a texture: from the table of standard positions, (0, 0) for a
/// sample that the texture does not have.
fn sample_position(e: &mut Emitter<'_>) -> Result<(), Error> {
    let handle = arg_handle(e, 0)?;
    let image = image(e, &handle)?;
    if !image.shape.multisampled {
        return Err(e.invalid(
            InvalidKind::Resource,
            "a sample position of a texture that is not multisampled",
        ));
    }
    e.b.caps.add(Capability::ImageQuery);
    let index = e.arg_id(1)?;
    let samples = e.b.word(Op::ImageQuerySamples, &[image.loaded.id]);
    let position = standard_position(e, samples, index);
    let f32_ty = e.b.ty_f32();
    for i in 0..2 {
        let part = e.b.extract(f32_ty, position, i);
        e.set_result(i, part);
    }
    Ok(())
}

/// Returns the standard position (a vector of two floats, -0.5 to 0.4375) of sample `index` of
/// `samples`.
pub(crate) fn standard_position(e: &mut Emitter<'_>, samples: Word, index: Word) -> Word {
    let bool_ty = e.b.ty_bool();
    let vec2 = e.b.ty_floats(2);
    let table = position_table(e, vec2);
    let base = e.b.word_with(Op::ISub, samples, 1);
    let (exists, limit) = (
        e.b.op(Op::ULessThan, bool_ty, &[index, samples]),
        e.b.const_u32(16),
    );
    let standard = e.b.op(Op::ULessThanEqual, bool_ty, &[samples, limit]);
    let valid = e.b.op(Op::LogicalAnd, bool_ty, &[exists, standard]);
    let sum = e.b.word(Op::IAdd, &[base, index]);
    // Entry 0 is (0, 0).
    let zero = e.b.const_u32(0);
    let at = e.b.word(Op::Select, &[valid, sum, zero]);
    let pointer = e.b.access(spirv::StorageClass::Private, vec2, table, &[at]);
    e.load(vec2, pointer)
}

fn position_table(e: &mut Emitter<'_>, vec2: Word) -> Word {
    if let Some(id) = e.memory.sample_positions {
        return id;
    }
    let class = spirv::StorageClass::Private;
    let entries: Vec<Word> = POSITIONS
        .iter()
        .map(|&(x, y)| {
            let parts = [
                e.b.const_f32(f32::from(x) / 16.0),
                e.b.const_f32(f32::from(y) / 16.0),
            ];
            e.b.const_composite(vec2, &parts)
        })
        .collect();
    let array = e.b.ty_array(vec2, entries.len() as u32);
    let init = e.b.const_composite(array, &entries);
    let id = e.b.variable(class, array, Some(init));
    e.b.name(id, "sample_positions");
    e.memory.sample_positions = Some(id);
    id
}

/// Source of a residency status.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    /// An image instruction, or one of a raw or structured texel buffer: SPIR-V's residency code.
    Image,
    /// A raw or structured storage buffer, whose status is always "mapped".
    Buffer,
}

/// Emits `CheckAccessFullyMapped`: SPIR-V has a residency code for images only; storage buffers
/// yield "mapped" without a code, so the sources of the status must be known.
fn fully_mapped(e: &mut Emitter<'_>) -> Result<(), Error> {
    let status = e.arg_value(0)?;
    let id = match status_source(e, status)? {
        Some(Status::Image) => {
            e.b.caps.add(Capability::SparseResidency);
            let (bool_ty, code) = (e.b.ty_bool(), e.id(status)?);
            e.b.op(Op::ImageSparseTexelsResident, bool_ty, &[code])
        }
        Some(Status::Buffer) => e.b.const_bool(true),
        None => return Err(e.unsupported(InterfaceFeature::AccessStatus)),
    };
    e.set_result(0, id);
    Ok(())
}

/// Follows a status through phis and selects; `None` when its sources differ or are not loads.
fn status_source(e: &mut Emitter<'_>, status: ValueId) -> Result<Option<Status>, Error> {
    let mut found = None;
    let mut seen: SmallVec<[ValueId; 8]> = SmallVec::new();
    let mut work: SmallVec<[ValueId; 8]> = SmallVec::from_slice(&[status]);
    while let Some(value) = work.pop() {
        if seen.contains(&value) {
            continue;
        }
        seen.push(value);
        let Some((_, inst)) = e.def(value) else {
            return Ok(None);
        };
        let source = match inst.kind {
            InstKind::Phi { incoming } => {
                work.extend(e.function.phi_incoming(incoming).map(|(v, _)| v));
                continue;
            }
            InstKind::Select { then, else_, .. } => {
                work.extend([then, else_]);
                continue;
            }
            InstKind::ExtractValue { aggregate, indices }
                if let Some(&[field]) = e.function.pool.get(indices.range()) =>
            {
                load_status(e, aggregate, field)?
            }
            _ => None,
        };
        if source.is_none() || (found.is_some() && found != source) {
            return Ok(None);
        }
        found = source;
    }
    Ok(found)
}

/// Returns the kind of status that is a field of a load; it is the last one.
fn load_status(e: &mut Emitter<'_>, value: ValueId, field: u32) -> Result<Option<Status>, Error> {
    let Some((inst, _)) = e
        .def(value)
        .filter(|load| field + 1 == e.field_count(load.0))
    else {
        return Ok(None);
    };
    let Some(call) = e.parse(inst)? else {
        return Ok(None);
    };
    let handle = crate::resources::handle(e, e.operand_of(&call, 0)?)?;
    let has_code = handle.desc.is_image() || e.resources.is_texels(&e.f, &handle, false)?;
    Ok(Some(match has_code {
        true => Status::Image,
        false => Status::Buffer,
    }))
}

#[cfg(test)]
mod tests {
    use super::POSITIONS;

    /// The positions for n samples start at n - 1, and no two samples of a pixel have the same
    /// position.
    #[test]
    fn sample_positions() {
        for n in [1, 2, 4, 8, 16] {
            let part = &POSITIONS[n - 1..2 * n - 1];
            assert!(
                part.iter()
                    .all(|&(x, y)| (-8..8).contains(&x) && (-8..8).contains(&y))
            );
            for (i, a) in part.iter().enumerate() {
                assert!(!part[..i].contains(a), "{n} samples: {a:?} twice");
            }
        }
        assert_eq!(POSITIONS[3], (-2, -6), "first of four");
        assert_eq!(POSITIONS[30], (-7, -8), "last of sixteen");
    }
}
