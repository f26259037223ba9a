//! Contents of multisampled images. Vulkan copies none, so a compute shader made here moves them
//! between the image and a buffer with texels of the same format, sample by sample. An image is
//! read with `OpImageFetch` and written with `OpImageWrite`, which take different types.

use ash::vk;
use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Operand};
use spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, Dim, ExecutionMode, ExecutionModel,
    FunctionControl, ImageFormat, ImageOperands, MemoryModel, StorageClass, Word,
};

use super::format::{Component, component};
use super::memory::{Resident, Scope, Texture};
use super::run::record_dispatch;
use super::setup::pipeline;
use super::{
    Binding, Element, Error, Image, Job, Object, StageCode, View, Work, missing_capability,
};

/// The direction of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    /// From the buffer into the image.
    Fill,
    /// From the image into the buffer.
    Fetch,
}

/// Records the dispatch that moves all samples of an image. The caller puts barriers around it.
///
/// # Errors
/// [`Error::Unsupported`] if the device lacks a capability for it; Vulkan's errors.
pub(super) fn record(
    scope: &mut Scope<'_>,
    commands: vk::CommandBuffer,
    (image, texture): (&Image, Texture),
    direction: Direction,
) -> Result<(), Error> {
    use vk::DescriptorType as T;
    if let Some(missing) = missing_capability(&scope.device.features, capabilities(direction)) {
        return Err(Error::Unsupported(format!("{missing:?}")));
    }
    if direction == Direction::Fill && !texture.storage {
        return Err(Error::Unsupported(format!(
            "contents of multisampled images of {:?}",
            image.format
        )));
    }
    let [width, height, _] = image.extent;
    let (of_buffer, of_image) = if direction == Direction::Fill {
        (T::UNIFORM_TEXEL_BUFFER, T::STORAGE_IMAGE)
    } else {
        (T::STORAGE_TEXEL_BUFFER, T::SAMPLED_IMAGE)
    };
    let format = if image.format == vk::Format::D32_SFLOAT {
        vk::Format::R32_SFLOAT
    } else {
        image.format
    };
    let view = View {
        shape: vk::ImageViewType::TYPE_2D_ARRAY,
        mips: (0, 1),
    };
    let element = |object, view| {
        vec![Some(Element {
            object,
            ty: None,
            view,
            format,
        })]
    };
    let groups = [width, height, image.layers * image.samples];
    let words = shader(image, direction).map_err(|error| Error::Job(error.to_string()))?;
    let job = Job {
        stages: vec![StageCode {
            stage: vk::ShaderStageFlags::COMPUTE,
            words,
            entry: "main".to_owned(),
        }],
        objects: vec![
            Object::Buffer(image.data.clone()),
            Object::Image(image.clone()),
        ],
        bindings: vec![
            Binding {
                set: 0,
                binding: 0,
                ty: of_buffer,
                elements: element(0, None),
            },
            Binding {
                set: 0,
                binding: 1,
                ty: of_image,
                elements: element(1, Some(view)),
            },
        ],
        work: Work::Dispatch(groups),
        wave_size: None,
    };
    let pipeline = pipeline(
        scope,
        &job,
        &[
            Resident::Buffer(texture.staging),
            Resident::Texture(texture),
        ],
    )?;
    record_dispatch(scope, commands, &pipeline, groups);
    Ok(())
}

fn capabilities(direction: Direction) -> &'static [Capability] {
    use Capability as C;
    match direction {
        Direction::Fill => &[
            C::Shader,
            C::SampledBuffer,
            C::StorageImageMultisample,
            C::ImageMSArray,
            C::StorageImageWriteWithoutFormat,
        ],
        Direction::Fetch => &[C::Shader, C::ImageBuffer, C::StorageImageWriteWithoutFormat],
    }
}

/// Returns the image format with which a shader declares its output, for devices that only write
/// buffers of declared formats.
fn declared(format: vk::Format) -> ImageFormat {
    use vk::Format as F;
    match format {
        F::R32_SFLOAT | F::D32_SFLOAT => ImageFormat::R32f,
        F::R32_UINT => ImageFormat::R32ui,
        F::R32_SINT => ImageFormat::R32i,
        F::R32G32B32A32_SFLOAT => ImageFormat::Rgba32f,
        F::R32G32B32A32_UINT => ImageFormat::Rgba32ui,
        F::R32G32B32A32_SINT => ImageFormat::Rgba32i,
        F::R8G8B8A8_UNORM => ImageFormat::Rgba8,
        _ => ImageFormat::Unknown,
    }
}

/// Types and variables of the shader.
struct Interface {
    place_ty: Word,
    buffer_ty: Word,
    image_ty: Word,
    /// The invocation's id.
    thread: Word,
    /// The buffer.
    texels: Word,
    /// The image.
    samples: Word,
}

fn interface(
    b: &mut Builder,
    image: &Image,
    direction: Direction,
    (scalar, uint): (Word, Word),
) -> Interface {
    let place_ty = b.type_vector(uint, 3);
    // 1: read with `OpImageFetch`; 2: written with `OpImageWrite`.
    let (of_buffer, of_image) = if direction == Direction::Fill {
        (1, 2)
    } else {
        (2, 1)
    };
    let buffer_format = if direction == Direction::Fill {
        ImageFormat::Unknown
    } else {
        declared(image.format)
    };
    let buffer_ty = b.type_image(
        scalar,
        Dim::DimBuffer,
        0,
        0,
        0,
        of_buffer,
        buffer_format,
        None,
    );
    let image_ty = b.type_image(
        scalar,
        Dim::Dim2D,
        0,
        1,
        1,
        of_image,
        ImageFormat::Unknown,
        None,
    );
    let mut variable = |ty, class| {
        let pointer = b.type_pointer(None, class, ty);
        b.variable(pointer, None, class, None)
    };
    let thread = variable(place_ty, StorageClass::Input);
    let (texels, samples) = (
        variable(buffer_ty, StorageClass::UniformConstant),
        variable(image_ty, StorageClass::UniformConstant),
    );
    b.decorate(
        thread,
        Decoration::BuiltIn,
        vec![Operand::BuiltIn(BuiltIn::GlobalInvocationId)],
    );
    for (binding, id) in [texels, samples].into_iter().enumerate() {
        b.decorate(
            id,
            Decoration::DescriptorSet,
            vec![Operand::LiteralBit32(0)],
        );
        b.decorate(
            id,
            Decoration::Binding,
            vec![Operand::LiteralBit32(binding as u32)],
        );
    }
    Interface {
        place_ty,
        buffer_ty,
        image_ty,
        thread,
        texels,
        samples,
    }
}

/// Makes a compute shader with one thread per sample: x and y are the texel's, z is layer * samples
/// + sample.
fn shader(image: &Image, direction: Direction) -> Result<Vec<u32>, rspirv::dr::Error> {
    let [width, height, _] = image.extent;
    let mut b = Builder::new();
    b.set_version(1, 5);
    for capability in capabilities(direction) {
        b.capability(*capability);
    }
    b.memory_model(AddressingModel::Logical, MemoryModel::GLSL450);
    let (void, uint) = (b.type_void(), b.type_int(32, 0));
    let scalar = match component(image.format) {
        Component::Float => b.type_float(32, None),
        Component::Sint => b.type_int(32, 1),
        Component::Uint => uint,
    };
    let texel_ty = b.type_vector(scalar, 4);
    let Interface {
        place_ty,
        buffer_ty,
        image_ty,
        thread,
        texels,
        samples,
    } = interface(&mut b, image, direction, (scalar, uint));
    let [width, height, count] =
        [width, height, image.samples].map(|number| b.constant_bit32(uint, number));
    let ty = b.type_function(void, vec![]);
    let main = b.begin_function(void, None, FunctionControl::NONE, ty)?;
    b.begin_block(None)?;
    let at = b.load(place_ty, None, thread, None, vec![])?;
    let [x, y, z] = [0, 1, 2].map(|part| b.composite_extract(uint, None, at, vec![part]));
    let (x, y, z) = (x?, y?, z?);
    let (layer, sample) = (
        b.u_div(uint, None, z, count)?,
        b.u_mod(uint, None, z, count)?,
    );
    // ((layer * height + y) * width + x) * samples + sample
    let mut number = layer;
    for (factor, summand) in [(height, y), (width, x), (count, sample)] {
        let product = b.i_mul(uint, None, number, factor)?;
        number = b.i_add(uint, None, product, summand)?;
    }
    let place = b.composite_construct(place_ty, None, vec![x, y, layer])?;
    let (buffer, image) = (
        b.load(buffer_ty, None, texels, None, vec![])?,
        b.load(image_ty, None, samples, None, vec![])?,
    );
    let (operands, extra) = (Some(ImageOperands::SAMPLE), vec![Operand::IdRef(sample)]);
    if direction == Direction::Fill {
        let texel = b.image_fetch(texel_ty, None, buffer, number, None, vec![])?;
        b.image_write(image, place, texel, operands, extra)?;
    } else {
        let texel = b.image_fetch(texel_ty, None, image, place, operands, extra)?;
        b.image_write(buffer, number, texel, None, vec![])?;
    }
    b.ret()?;
    b.end_function()?;
    b.entry_point(
        ExecutionModel::GLCompute,
        main,
        "main",
        vec![thread, texels, samples],
    );
    b.execution_mode(main, ExecutionMode::LocalSize, vec![1, 1, 1]);
    Ok(b.module().assemble())
}
