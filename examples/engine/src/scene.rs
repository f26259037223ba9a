//! The scene: a knot of gold and two rings of objects on a floor at sunset.
//!
//! Five passes, each with pipelines of DXIL shaders in `shaders/`:
//!
//! 1. `material.hlsl`, compute: the textures of the materials,
//! 2. `animate.hlsl`, compute: the instances at a point in time,
//! 3. `shadow.hlsl`: the shadow map,
//! 4. `sky.hlsl`, then `scene.hlsl`: the picture, with four samples for each pixel,
//! 5. the picture is copied to the host.

use std::ops::Range;
use std::rc::Rc;
use std::time::{Duration, Instant};

use ash::vk;

use crate::commands::{Attachments, Commands};
use crate::device::Device;
use crate::error::Error;
use crate::math::{self, Camera};
use crate::memory::{Buffer, Image, ImageInfo};
use crate::mesh::Meshes;
use crate::picture::Picture;
use crate::pipeline::{Pipeline, RenderState, View};

/// The subject of a picture.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Width and height of the picture.
    pub size: [u32; 2],
    /// Seconds since the beginning.
    pub time: f32,
    /// Factor of all light.
    pub exposure: f32,
    /// How dark shadows are: 0 to 1.
    pub shadows: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            size: [960, 540],
            time: 0.0,
            exposure: 1.0,
            shadows: 1.0,
        }
    }
}

/// How long the parts of a picture took.
#[derive(Clone, Debug, Default)]
pub struct Timings {
    /// Translation of the shaders, and creation of pipelines.
    pub pipelines: Duration,
    /// The textures of the materials.
    pub materials: Duration,
    /// The picture.
    pub picture: Duration,
}

const MATERIALS: u32 = 4;
const MATERIAL_SIZE: u32 = 512;
const SHADOW_MAP_SIZE: u32 = 2048;
/// Number of spheres, and of tori.
const RING: u32 = 9;
/// Size of `Instance` in `shaders/types.hlsli`.
const INSTANCE_SIZE: usize = 48;
const COLOR_FORMAT: vk::Format = vk::Format::R8G8B8A8_SRGB;
const DEPTH_FORMAT: vk::Format = vk::Format::D32_SFLOAT;
const SAMPLES: u32 = 4;

/// A compiled shader of the folder `shaders/`.
macro_rules! shader {
    ($name:literal) => {
        include_bytes!(concat!("../shaders/", $name, ".dxil"))
    };
}

/// Everything that is translated.
struct Pipelines {
    material: Pipeline,
    animate: Pipeline,
    shadow: Pipeline,
    sky: Pipeline,
    scene: Pipeline,
}

impl Pipelines {
    fn new(device: &Rc<Device>) -> Result<Self, Error> {
        let compute =
            |name, shader: &[u8]| Pipeline::new(device, name, &[shader], RenderState::default());
        let shadow_map = RenderState {
            depth: true,
            depth_bias: true,
            ..RenderState::default()
        };
        let background = RenderState {
            color: Some(COLOR_FORMAT),
            samples: SAMPLES,
            ..RenderState::default()
        };
        let picture = RenderState {
            depth: true,
            ..background
        };
        let scene: [&[u8]; 2] = [shader!("scene.vs"), shader!("scene.ps")];
        let sky: [&[u8]; 2] = [shader!("sky.vs"), shader!("sky.ps")];
        Ok(Self {
            material: compute("material", shader!("material"))?,
            animate: compute("animate", shader!("animate"))?,
            shadow: Pipeline::new(device, "shadow", &[shader!("shadow.vs")], shadow_map)?,
            sky: Pipeline::new(device, "sky", &sky, background)?,
            scene: Pipeline::new(device, "scene", &scene, picture)?,
        })
    }
}

/// Draws a picture.
///
/// # Errors
/// A shader or root signature cannot be used, Vulkan refuses, or the validation layer reports errors.
pub fn draw(device: &Rc<Device>, settings: &Settings) -> Result<(Picture, Timings), Error> {
    let start = Instant::now();
    let pipelines = Pipelines::new(device)?;
    let mut timings = Timings {
        pipelines: start.elapsed(),
        ..Timings::default()
    };
    let start = Instant::now();
    let materials = make_materials(device, &pipelines.material)?;
    timings.materials = start.elapsed();
    let start = Instant::now();
    let instances = animate(device, &pipelines.animate, settings.time)?;
    let picture = draw_picture(device, &pipelines, settings, &materials, &instances)?;
    timings.picture = start.elapsed();
    device.check_validation()?;
    Ok((picture, timings))
}

/// Lets a compute shader make the textures, then makes their mip levels.
fn make_materials(device: &Rc<Device>, pipeline: &Pipeline) -> Result<Vec<Image>, Error> {
    use vk::ImageUsageFlags as U;
    let usage = U::STORAGE | U::SAMPLED | U::TRANSFER_SRC | U::TRANSFER_DST;
    let info = ImageInfo {
        levels: MATERIAL_SIZE.ilog2() + 1,
        ..ImageInfo::new([MATERIAL_SIZE; 2], vk::Format::R16G16B16A16_SFLOAT, usage)
    };
    let images: Result<Vec<Image>, Error> =
        (0..MATERIALS).map(|_| Image::new(device, info)).collect();
    let images = images?;
    let tables: Result<Vec<_>, Error> = images
        .iter()
        .map(|image| pipeline.table(1, &[&[View::Storage(image)]]))
        .collect();
    let tables = tables?;
    let mut commands = Commands::new(device)?;
    for ((kind, image), table) in (0..).zip(&images).zip(&tables) {
        commands.transition(image, vk::ImageLayout::GENERAL);
        commands
            .bind(pipeline)
            .constants(0, &[kind, MATERIAL_SIZE])?
            .table(1, table)?
            .dispatch([MATERIAL_SIZE / 8, MATERIAL_SIZE / 8, 1])?;
        commands.make_mip_levels(image);
    }
    commands.submit()?;
    drop(tables);
    Ok(images)
}

/// Lets a compute shader place the instances.
fn animate(device: &Rc<Device>, pipeline: &Pipeline, time: f32) -> Result<Buffer, Error> {
    let count = 2 + 2 * RING;
    let instances = Buffer::new(device, INSTANCE_SIZE * count as usize)?;
    let mut commands = Commands::new(device)?;
    commands
        .bind(pipeline)
        .constants(0, &[time.to_bits(), RING])?
        .buffer(1, &instances)?
        .dispatch([count.div_ceil(64), 1, 1])?;
    commands.barrier();
    commands.submit()?;
    Ok(instances)
}

/// A draw call: indices of a mesh, first instance, number of instances.
type Draw = (Range<u32>, u32, u32);

fn meshes(device: &Rc<Device>) -> Result<(Buffer, Buffer, [Draw; 4]), Error> {
    let mut meshes = Meshes::default();
    let draws = [
        (meshes.floor(60.0, 30.0), 0, 1),
        (meshes.knot(0.42, 24), 1, 1),
        (meshes.sphere(32), 2, RING),
        (meshes.torus(0.36, 24), 2 + RING, RING),
    ];
    let vertices = meshes.vertices.iter().flatten();
    let vertices: Vec<u8> = vertices.flat_map(|x| x.to_le_bytes()).collect();
    let indices: Vec<u8> = meshes
        .indices
        .iter()
        .flat_map(|i| i.to_le_bytes())
        .collect();
    Ok((
        Buffer::with_contents(device, &vertices)?,
        Buffer::with_contents(device, &indices)?,
        draws,
    ))
}

/// Returns the contents of `Frame` in `shaders/scene.hlsli`.
fn frame(settings: &Settings) -> Vec<u8> {
    let aspect = settings.size[0] as f32 / settings.size[1] as f32;
    let tan_half_fov = 0.36;
    let angle = 0.1 * settings.time - 1.15;
    let eye = [11.2 * angle.cos(), 3.5, 11.2 * angle.sin()];
    let camera = Camera::new(eye, [0.0, 1.55, 0.0]);
    let projection = math::perspective(tan_half_fov, aspect, 0.1, 200.0);
    let to_clip = math::multiply(projection, camera.view());
    let to_sun = math::normalize([-0.85, 0.46, 0.16]);
    let sun = Camera::new(math::add([0.0; 3], 20.0, to_sun), [0.0; 3]);
    let to_light = math::multiply(math::parallel(7.5, 5.0, 35.0), sun.view());
    let mut numbers: Vec<f32> = Vec::new();
    numbers.extend(to_clip.iter().chain(&to_light).flatten());
    // In constant buffers, a vector does not cross a boundary of 16 bytes.
    let rows = [
        (eye, aspect),
        (to_sun, tan_half_fov),
        (camera.right, 0.0),
        (camera.up, 0.0),
        (camera.forward, 0.0),
    ];
    for (vector, number) in rows {
        numbers.extend(vector);
        numbers.push(number);
    }
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn draw_picture(
    device: &Rc<Device>,
    pipelines: &Pipelines,
    settings: &Settings,
    materials: &[Image],
    instances: &Buffer,
) -> Result<Picture, Error> {
    use vk::ImageUsageFlags as U;
    let (vertices, indices, draws) = meshes(device)?;
    let frame = Buffer::with_contents(device, &frame(settings))?;
    let image = |size, format, usage, samples| {
        let info = ImageInfo {
            samples,
            ..ImageInfo::new(size, format, usage)
        };
        Image::new(device, info)
    };
    let map_size = [SHADOW_MAP_SIZE; 2];
    let depth_usage = U::DEPTH_STENCIL_ATTACHMENT;
    let shadow_map = image(map_size, DEPTH_FORMAT, depth_usage | U::SAMPLED, 1)?;
    let depth = image(settings.size, DEPTH_FORMAT, depth_usage, SAMPLES)?;
    let color = image(settings.size, COLOR_FORMAT, U::COLOR_ATTACHMENT, SAMPLES)?;
    let target_usage = U::COLOR_ATTACHMENT | U::TRANSFER_SRC;
    let target = image(settings.size, COLOR_FORMAT, target_usage, 1)?;
    let [width, height] = settings.size.map(|side| side as usize);
    let pixels = Buffer::new(device, 4 * width * height)?;

    let views: Vec<View<'_>> = materials.iter().map(View::Sampled).collect();
    let material_table = pipelines.scene.table(4, &[&views])?;
    let shadow_table = pipelines.scene.table(5, &[&[View::Sampled(&shadow_map)]])?;
    let constants = |first_instance: u32| {
        let numbers = [settings.exposure, settings.shadows].map(f32::to_bits);
        [first_instance, numbers[0], numbers[1]]
    };

    let mut commands = Commands::new(device)?;
    commands.bind_indices(&indices);
    let shadow = Attachments {
        color: None,
        resolve: None,
        depth: &shadow_map,
    };
    commands.render(shadow, |commands| {
        let mut bound = commands.bind(&pipelines.shadow);
        bound
            .buffer(1, &frame)?
            .buffer(2, &vertices)?
            .buffer(3, instances)?;
        for (range, first, count) in draws.clone() {
            bound
                .constants(0, &constants(first))?
                .draw_indexed(range, count)?;
        }
        Ok(())
    })?;
    commands.transition(&shadow_map, vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL);
    let picture = Attachments {
        color: Some(&color),
        resolve: Some(&target),
        depth: &depth,
    };
    commands.render(picture, |commands| {
        let mut bound = commands.bind(&pipelines.sky);
        bound.constants(0, &constants(0))?.buffer(1, &frame)?;
        bound.buffer(2, &vertices)?.buffer(3, instances)?.draw(3)?;
        let mut bound = commands.bind(&pipelines.scene);
        bound
            .buffer(1, &frame)?
            .buffer(2, &vertices)?
            .buffer(3, instances)?;
        bound.table(4, &material_table)?.table(5, &shadow_table)?;
        for (range, first, count) in draws {
            bound
                .constants(0, &constants(first))?
                .draw_indexed(range, count)?;
        }
        Ok(())
    })?;
    commands.read_back(&target, &pixels)?;
    commands.submit()?;
    Ok(Picture {
        size: settings.size,
        pixels: pixels.contents()?,
    })
}
