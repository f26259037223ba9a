//! View instancing: which view an invocation renders, and the layer and viewport of the view.
//!
//! Views are rendered by Vulkan's multiview, with a map from its view index to D3D's view instance,
//! or by a draw per view, with the view and its layer in a uniform block. A shader that writes the
//! layer itself is drawn per view, since Vulkan's view index would be the layer.

use rspirv::spirv::{BuiltIn, Op, StorageClass, Word};
use trellis_dxil_frontend::shader::{SemanticKind, ShaderKind};

use super::Interface;
use super::builtin::{builtin_variable, load_builtin};
use super::mesh;
use crate::error::{Error, InterfaceFeature};
use crate::module::OptionalId;
use crate::options::ViewInstancing;
use crate::values::{FunctionBuilder, Shape, uniform_word};

/// Declarations of view instancing, made on first use.
#[derive(Default)]
pub(super) struct Views {
    /// The map from view indices to view instances.
    instances: OptionalId,
    /// The map from view instances to viewports.
    viewports: OptionalId,
    /// The uniform block with view and layer.
    block: OptionalId,
    /// The uniform block with the mask.
    mask: OptionalId,
}

/// Bits of a view instance in the map from view indices, and of a viewport in its map.
const INSTANCE_BITS: u32 = 2;
const VIEWPORT_BITS: u32 = 8;

/// Returns true if the shader writes a system value.
fn writes(e: &FunctionBuilder<'_>, semantic: SemanticKind) -> bool {
    let signatures = &e.entry.signatures;
    let primitives = signatures.patch_constant.iter();
    let primitives = primitives.filter(|_| e.entry.kind == ShaderKind::Mesh);
    let mut outputs = signatures.output.iter().chain(primitives);
    outputs.any(|output| output.semantic == semantic && output.stream == 0)
}

/// Returns `bits` bits of a word from bit `first` on.
fn bits(e: &mut FunctionBuilder<'_>, word: Word, first: Word, bits: u32) -> Word {
    let bits = e.b.const_u32(bits);
    e.b.word(Op::BitFieldUExtract, &[word, first, bits])
}

/// Returns the entry of a map, a specialization constant with that `SpecId`.
fn entry(
    e: &mut FunctionBuilder<'_>,
    map: &mut OptionalId,
    (spec_id, name): (u32, &str),
    index: Word,
    width: u32,
) -> Word {
    let id = map.expand().unwrap_or_else(|| {
        let id = e.b.spec_const_u32(spec_id, 0);
        e.b.name(id, name);
        id
    });
    *map = id.into();
    let first = e.b.word_with(Op::IMul, index, width);
    bits(e, id, first, width)
}

/// Loads the word with view and layer; `None` without a uniform block.
fn block(e: &mut FunctionBuilder<'_>, io: &mut Interface, views: ViewInstancing) -> Option<Word> {
    let names = ("ViewInstance", "view_and_layer");
    Some(uniform_word(e, &mut io.views.block, views.offsets?, names))
}

/// Returns whether the view is one that is not drawn; `None` if all are.
///
/// # Errors
/// That of [`view_id`].
pub(crate) fn is_masked(
    e: &mut FunctionBuilder<'_>,
    io: &mut Interface,
) -> Result<Option<Word>, Error> {
    let views = e.options.interface.view_instancing;
    let Some((views, at)) = views.and_then(|views| Some((views, views.mask?))) else {
        return Ok(None);
    };
    if !views.last_stage {
        return Ok(None);
    }
    let view = view_id(e, io)?;
    let word = uniform_word(e, &mut io.views.mask, at, ("ViewMask", "mask"));
    let bit = bits(e, word, view, 1);
    Ok(Some(e.b.flag_with(Op::IEqual, bit, 0)))
}

/// Writes a position outside of all that is drawn.
pub(crate) fn hide(e: &mut FunctionBuilder<'_>, io: &mut Interface) {
    let shape = Shape::F32.of_lanes(4);
    let (ty, outside) = (e.shape_type(shape), e.splat_float(shape, -1.0));
    let variable = builtin_variable(e, io, BuiltIn::Position, StorageClass::Output, ty, false);
    e.b.op_void(Op::Store, &[variable, outside]);
}

/// Returns `SV_ViewID`.
///
/// # Errors
/// The options do not give its source.
pub(crate) fn view_id(e: &mut FunctionBuilder<'_>, io: &mut Interface) -> Result<Word, Error> {
    let Some(views) = e.options.interface.view_instancing else {
        return Ok(if e.options.interface.multiview {
            load_builtin(e, io, BuiltIn::ViewIndex, Shape::U32)
        } else {
            e.b.const_u32(0)
        });
    };
    if let Some(spec_id) = views.instances
        && !writes(e, SemanticKind::RenderTargetArrayIndex)
    {
        let index = load_builtin(e, io, BuiltIn::ViewIndex, Shape::U32);
        let mut map = io.views.instances;
        let id = entry(
            e,
            &mut map,
            (spec_id, "ViewInstances"),
            index,
            INSTANCE_BITS,
        );
        io.views.instances = map;
        return Ok(id);
    }
    match block(e, io, views) {
        Some(word) => {
            let first = e.b.const_u32(0);
            Ok(bits(e, word, first, 16))
        }
        None => Err(e.unsupported(InterfaceFeature::ViewInstancing)),
    }
}

/// Returns the offset to add to the layer (or viewport index) that the last stage before the
/// rasterizer writes; `None` for nothing.
pub(super) fn offset(
    e: &mut FunctionBuilder<'_>,
    io: &mut Interface,
    semantic: SemanticKind,
) -> Result<Option<Word>, Error> {
    let views = e.options.interface.view_instancing;
    let Some(views) = views.filter(|views| views.last_stage) else {
        return Ok(None);
    };
    Ok(match (semantic, views.viewports) {
        (SemanticKind::RenderTargetArrayIndex, _) => {
            let word = block(e, io, views);
            word.map(|word| {
                let first = e.b.const_u32(16);
                bits(e, word, first, 16)
            })
        }
        (SemanticKind::ViewPortArrayIndex, Some(spec_id)) => {
            let view = view_id(e, io)?;
            let mut map = io.views.viewports;
            let id = entry(e, &mut map, (spec_id, "Viewports"), view, VIEWPORT_BITS);
            io.views.viewports = map;
            Some(id)
        }
        _ => None,
    })
}

/// Writes the layer and viewport index of the view where the shader does not, for a vertex or, in a
/// mesh shader, for a primitive.
///
/// # Errors
/// That of [`view_id`].
pub(super) fn write_fixed(
    e: &mut FunctionBuilder<'_>,
    io: &mut Interface,
    primitive: Option<Word>,
) -> Result<(), Error> {
    let Some(views) = e.options.interface.view_instancing else {
        return Ok(());
    };
    for (semantic, builtin, is_of_view) in [
        (
            SemanticKind::RenderTargetArrayIndex,
            BuiltIn::Layer,
            // Multiview has the layers itself.
            views.instances.is_none(),
        ),
        (
            SemanticKind::ViewPortArrayIndex,
            BuiltIn::ViewportIndex,
            true,
        ),
    ] {
        if !is_of_view || writes(e, semantic) {
            continue;
        }
        let Some(value) = offset(e, io, semantic)? else {
            continue;
        };
        if let Some(primitive) = primitive {
            mesh::store_number(e, io, builtin, primitive, value)?;
            continue;
        }
        let ty = e.b.ty_u32();
        let variable = builtin_variable(e, io, builtin, StorageClass::Output, ty, true);
        e.b.op_void(Op::Store, &[variable, value]);
    }
    Ok(())
}
