//! Types of descriptors: images, and blocks with an explicit layout.

use rspirv::spirv::{Capability, Decoration, Dim, ImageFormat, Op, Word};

use super::Resources;
use crate::handles::{ImageShape, Texel};
use crate::values::FunctionBuilder;

/// Content of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockLayout {
    /// `struct { uint<width> elements[]; }`.
    Elements(u32),
    /// `struct { uint<width><lanes> vectors[]; }`.
    Vectors(u32, u32),
    /// `struct { float elements[]; }`.
    Floats,
    /// `struct { half2 pairs[]; }`.
    HalfPairs,
    /// `struct { uint4 rows[n]; }`.
    Rows(u32),
    /// `struct { uint value; }`.
    Counter,
    /// `struct { uint2 pairs[]; }`: device addresses, or offsets and sizes.
    Pairs,
}

/// Decorations of the member of a block that is not a variable's, which would have them itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Qualifiers {
    pub(super) coherent: bool,
    pub(super) read_only: bool,
}

impl Qualifiers {
    /// No decoration.
    pub(super) const NONE: Self = Self {
        coherent: false,
        read_only: false,
    };
}

/// The layout-decorated types in use: the builder does not share decorated types.
#[derive(Default)]
pub(super) struct LayoutTypes {
    blocks: Vec<((BlockLayout, Qualifiers), Word)>,
}

impl Resources {
    /// Returns the struct type of a block.
    pub(super) fn block_type(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        layout: BlockLayout,
        qualifiers: Qualifiers,
    ) -> Word {
        let key = (layout, qualifiers);
        if let Some(&(_, id)) = self.types.blocks.iter().find(|b| b.0 == key) {
            return id;
        }
        let u32_ty = e.b.ty_u32();
        let member = match layout {
            BlockLayout::Elements(width) => {
                let element = e.b.ty_int(width);
                let array = e.b.ty_fresh(Op::TypeRuntimeArray, &[element]);
                e.b.decorate(array, Decoration::ArrayStride, &[width / 8]);
                array
            }
            BlockLayout::Vectors(width, lanes) => {
                let element = e.b.ty_int(width);
                let vector = e.b.ty_vec(element, lanes);
                let array = e.b.ty_fresh(Op::TypeRuntimeArray, &[vector]);
                e.b.decorate(array, Decoration::ArrayStride, &[width / 8 * lanes]);
                array
            }
            BlockLayout::Floats => {
                let element = e.b.ty_f32();
                let array = e.b.ty_fresh(Op::TypeRuntimeArray, &[element]);
                e.b.decorate(array, Decoration::ArrayStride, &[4]);
                array
            }
            BlockLayout::HalfPairs => {
                e.b.caps.add(Capability::StorageBuffer16BitAccess);
                let half = e.b.ty_float(16);
                let pair = e.b.ty_vec(half, 2);
                let array = e.b.ty_fresh(Op::TypeRuntimeArray, &[pair]);
                e.b.decorate(array, Decoration::ArrayStride, &[4]);
                array
            }
            BlockLayout::Rows(count) => {
                let (row, len) = (e.b.ty_vec(u32_ty, 4), e.b.const_u32(count));
                let array = e.b.ty_fresh(Op::TypeArray, &[row, len]);
                e.b.decorate(array, Decoration::ArrayStride, &[16]);
                array
            }
            BlockLayout::Counter => u32_ty,
            BlockLayout::Pairs => {
                let pair = e.b.ty_vec(u32_ty, 2);
                let array = e.b.ty_fresh(Op::TypeRuntimeArray, &[pair]);
                e.b.decorate(array, Decoration::ArrayStride, &[8]);
                array
            }
        };
        let id = e.b.ty_fresh(Op::TypeStruct, &[member]);
        e.b.decorate(id, Decoration::Block, &[]);
        e.b.decorate_member(id, 0, Decoration::Offset, &[0]);
        if qualifiers.coherent {
            e.b.decorate_member(id, 0, Decoration::Coherent, &[]);
        }
        if qualifiers.read_only {
            e.b.decorate_member(id, 0, Decoration::NonWritable, &[]);
        }
        self.types.blocks.push((key, id));
        id
    }
}

/// Returns the type of acceleration structures, and adds the capability that it needs.
pub(super) fn structure_type(e: &mut FunctionBuilder<'_>) -> Word {
    let pipeline = crate::stage::is_ray_tracing(e.entry.kind);
    e.b.caps.add(if pipeline {
        Capability::RayTracingKHR
    } else {
        Capability::RayQueryKHR
    });
    e.b.ty_other(Op::TypeAccelerationStructureKHR, &[])
}

/// Returns the SPIR-V type of a component of a texel.
pub(crate) fn texel_type(e: &mut FunctionBuilder<'_>, texel: Texel) -> Word {
    match texel {
        Texel::Float => e.b.ty_f32(),
        Texel::Int(width) => e.b.ty_int_signed(width, true),
        Texel::UInt(width) => e.b.ty_int(width),
    }
}

/// Returns an `OpTypeImage`, and adds the capabilities that it needs.
pub(super) fn image_type(
    e: &mut FunctionBuilder<'_>,
    shape: ImageShape,
    texel: Texel,
    storage: bool,
    format: ImageFormat,
) -> Word {
    let capability = match (shape.dim, storage) {
        (Dim::Dim1D, true) => Some(Capability::Image1D),
        (Dim::Dim1D, false) => Some(Capability::Sampled1D),
        (Dim::DimBuffer, true) => Some(Capability::ImageBuffer),
        (Dim::DimBuffer, false) => Some(Capability::SampledBuffer),
        (Dim::DimCube, true) if shape.arrayed => Some(Capability::ImageCubeArray),
        (Dim::DimCube, false) if shape.arrayed => Some(Capability::SampledCubeArray),
        _ => None,
    };
    if let Some(capability) = capability {
        e.b.caps.add(capability);
    }
    if shape.multisampled && storage {
        e.b.caps.add(Capability::StorageImageMultisample);
        if shape.arrayed {
            e.b.caps.add(Capability::ImageMSArray);
        }
    }
    if texel.width() == 64 {
        e.b.caps.add(Capability::Int64ImageEXT);
    }
    let sampled = texel_type(e, texel);
    let operands = [
        sampled,
        shape.dim as Word,
        // Depth or not: Vulkan ignores it, and one D3D resource may be used with and without
        // comparison.
        2,
        Word::from(shape.arrayed),
        Word::from(shape.multisampled),
        if storage { 2 } else { 1 },
        format as Word,
    ];
    e.b.ty_other(Op::TypeImage, &operands)
}
