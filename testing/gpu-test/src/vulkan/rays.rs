//! Acceleration structures, pipelines that trace rays, and their shader tables.
#![allow(
    unsafe_code,
    reason = "Vulkan's structures are built by calls that the compiler cannot check"
)]

use ash::{khr, vk};

use super::memory::{Buffer, Handle, Scope};
use super::run::{barrier, begin, submit};
use super::setup::Pipeline;
use super::{Device, Error, Named, Rays, Record, Table};
use trellis_dxil_interpreter::dispatch::{Geometry, Instance, Scene};

/// The extensions' functions, and the device's properties of shader tables.
pub(super) struct RayFunctions {
    pub(super) structures: khr::acceleration_structure::Device,
    pipelines: khr::ray_tracing_pipeline::Device,
    handle: u32,
    handle_alignment: u32,
    base_alignment: u32,
    recursion: u32,
    scratch_alignment: u32,
}

impl RayFunctions {
    pub(super) fn new(
        instance: &ash::Instance,
        device: &ash::Device,
        physical: vk::PhysicalDevice,
    ) -> Self {
        let mut pipelines = vk::PhysicalDeviceRayTracingPipelinePropertiesKHR::default();
        let mut structures = vk::PhysicalDeviceAccelerationStructurePropertiesKHR::default();
        let mut all = vk::PhysicalDeviceProperties2::default()
            .push_next(&mut pipelines)
            .push_next(&mut structures);
        // SAFETY: `physical` is of this instance; the chain lives until the call returns.
        unsafe { instance.get_physical_device_properties2(physical, &mut all) };
        Self {
            structures: khr::acceleration_structure::Device::new(instance, device),
            pipelines: khr::ray_tracing_pipeline::Device::new(instance, device),
            handle: pipelines.shader_group_handle_size,
            handle_alignment: pipelines.shader_group_handle_alignment.max(1),
            base_alignment: pipelines.shader_group_base_alignment.max(1),
            recursion: pipelines.max_ray_recursion_depth,
            scratch_alignment: structures
                .min_acceleration_structure_scratch_offset_alignment
                .max(1),
        }
    }
}

fn functions(device: &Device) -> Result<&RayFunctions, Error> {
    device
        .rays
        .as_ref()
        .ok_or_else(|| Error::Unsupported("VK_KHR_ray_tracing_pipeline".to_owned()))
}

/// Returns the address of a buffer.
pub(super) fn address(device: &Device, buffer: Buffer) -> Result<u64, Error> {
    functions(device)?;
    // SAFETY: the buffer is of this device, and was made for device addresses, as all are where the
    // device traces rays.
    let address = unsafe {
        device.device.get_buffer_device_address(
            &vk::BufferDeviceAddressInfo::default().buffer(buffer.buffer),
        )
    };
    Ok(address)
}

/// Returns the address of an acceleration structure.
pub(super) fn reference(
    device: &Device,
    structure: vk::AccelerationStructureKHR,
) -> Result<u64, Error> {
    let info =
        vk::AccelerationStructureDeviceAddressInfoKHR::default().acceleration_structure(structure);
    let structures = &functions(device)?.structures;
    // SAFETY: the structure is of this device and is kept until the end of the run.
    Ok(unsafe { structures.get_acceleration_structure_device_address(&info) })
}

fn floats<'a>(numbers: impl IntoIterator<Item = &'a f32>) -> Vec<u8> {
    numbers
        .into_iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

/// Builds an acceleration structure with all that it is made of.
pub(super) fn scene(
    scope: &mut Scope<'_>,
    scene: &Scene,
) -> Result<vk::AccelerationStructureKHR, Error> {
    let bottom = scene
        .meshes
        .iter()
        .map(|mesh| bottom_level(scope, mesh))
        .collect::<Result<Vec<_>, _>>()?;
    let mut instances = Vec::new();
    for instance in &scene.instances {
        let mesh = *bottom
            .get(instance.mesh)
            .ok_or_else(|| Error::Job(format!("no mesh {}", instance.mesh)))?;
        instances.extend(instance_bytes(instance, reference(scope.device, mesh)?));
    }
    let buffer = scope.buffer(&instances)?;
    let data = vk::AccelerationStructureGeometryInstancesDataKHR::default().data(
        vk::DeviceOrHostAddressConstKHR {
            device_address: address(scope.device, buffer)?,
        },
    );
    let geometry = vk::AccelerationStructureGeometryKHR::default()
        .geometry_type(vk::GeometryTypeKHR::INSTANCES)
        .geometry(vk::AccelerationStructureGeometryDataKHR { instances: data });
    build(
        scope,
        vk::AccelerationStructureTypeKHR::TOP_LEVEL,
        &[geometry],
        &[scene.instances.len() as u32],
    )
}

/// `VkAccelerationStructureInstanceKHR`.
fn instance_bytes(instance: &Instance, reference: u64) -> Vec<u8> {
    let mut bytes = floats(instance.transform.as_flattened());
    bytes.extend((instance.id & 0xFF_FFFF | u32::from(instance.mask) << 24).to_le_bytes());
    bytes.extend((instance.group & 0xFF_FFFF | u32::from(instance.flags) << 24).to_le_bytes());
    bytes.extend(reference.to_le_bytes());
    bytes
}

fn bottom_level(
    scope: &mut Scope<'_>,
    mesh: &[Geometry],
) -> Result<vk::AccelerationStructureKHR, Error> {
    let (mut geometries, mut counts) = (Vec::new(), Vec::new());
    for geometry in mesh {
        let flags = if geometry.opaque {
            vk::GeometryFlagsKHR::OPAQUE
        } else {
            vk::GeometryFlagsKHR::NO_DUPLICATE_ANY_HIT_INVOCATION
        };
        let made = vk::AccelerationStructureGeometryKHR::default().flags(flags);
        if geometry.boxes.is_empty() {
            let vertices =
                scope.buffer(&floats(geometry.triangles.as_flattened().as_flattened()))?;
            let count = geometry.triangles.len() as u32;
            let triangles = vk::AccelerationStructureGeometryTrianglesDataKHR::default()
                .vertex_format(vk::Format::R32G32B32_SFLOAT)
                .vertex_data(vk::DeviceOrHostAddressConstKHR {
                    device_address: address(scope.device, vertices)?,
                })
                .vertex_stride(12)
                .max_vertex((count * 3).saturating_sub(1))
                .index_type(vk::IndexType::NONE_KHR);
            geometries.push(
                made.geometry_type(vk::GeometryTypeKHR::TRIANGLES)
                    .geometry(vk::AccelerationStructureGeometryDataKHR { triangles }),
            );
            counts.push(count);
        } else {
            let corners = scope.buffer(&floats(geometry.boxes.as_flattened().as_flattened()))?;
            let aabbs = vk::AccelerationStructureGeometryAabbsDataKHR::default()
                .data(vk::DeviceOrHostAddressConstKHR {
                    device_address: address(scope.device, corners)?,
                })
                .stride(24);
            geometries.push(
                made.geometry_type(vk::GeometryTypeKHR::AABBS)
                    .geometry(vk::AccelerationStructureGeometryDataKHR { aabbs }),
            );
            counts.push(geometry.boxes.len() as u32);
        }
    }
    build(
        scope,
        vk::AccelerationStructureTypeKHR::BOTTOM_LEVEL,
        &geometries,
        &counts,
    )
}

/// Makes a structure, and builds it at once.
fn build(
    scope: &mut Scope<'_>,
    ty: vk::AccelerationStructureTypeKHR,
    geometries: &[vk::AccelerationStructureGeometryKHR<'_>],
    counts: &[u32],
) -> Result<vk::AccelerationStructureKHR, Error> {
    let functions = functions(scope.device)?;
    let mut info = vk::AccelerationStructureBuildGeometryInfoKHR::default()
        .ty(ty)
        .flags(vk::BuildAccelerationStructureFlagsKHR::PREFER_FAST_TRACE)
        .mode(vk::BuildAccelerationStructureModeKHR::BUILD)
        .geometries(geometries);
    let mut sizes = vk::AccelerationStructureBuildSizesInfoKHR::default();
    // SAFETY: `counts` has one number per geometry, and the pointees of the structures live until
    // the call returns.
    unsafe {
        functions.structures.get_acceleration_structure_build_sizes(
            vk::AccelerationStructureBuildTypeKHR::DEVICE,
            &info,
            counts,
            &mut sizes,
        );
    }
    let storage = scope.buffer(&vec![0; sizes.acceleration_structure_size as usize])?;
    let scratch = scope.buffer(&vec![
        0;
        sizes.build_scratch_size as usize
            + functions.scratch_alignment as usize
    ])?;
    let create = vk::AccelerationStructureCreateInfoKHR::default()
        .buffer(storage.buffer)
        .size(sizes.acceleration_structure_size)
        .ty(ty);
    // SAFETY: the buffer is of this device, was made for such structures, and has the size.
    let made = unsafe {
        functions
            .structures
            .create_acceleration_structure(&create, None)
    }
    .named("vkCreateAccelerationStructureKHR")?;
    scope.keep(made, Handle::Structure);
    let start =
        address(scope.device, scratch)?.next_multiple_of(functions.scratch_alignment.into());
    info = info
        .dst_acceleration_structure(made)
        .scratch_data(vk::DeviceOrHostAddressKHR {
            device_address: start,
        });
    let ranges: Vec<_> = counts
        .iter()
        .map(|count| vk::AccelerationStructureBuildRangeInfoKHR::default().primitive_count(*count))
        .collect();
    let commands = begin(scope)?;
    barrier(scope, commands);
    // SAFETY: the commands are being recorded; storage, scratch memory and inputs have the sizes
    // that the device requires and are kept until the end of the run.
    unsafe {
        functions
            .structures
            .cmd_build_acceleration_structures(commands, &[info], &[&ranges]);
    };
    barrier(scope, commands);
    submit(scope, commands)?;
    Ok(made)
}

/// Returns the records of a table in the order of the pipeline's groups.
fn records(table: &Table) -> impl Iterator<Item = &Record> {
    std::iter::once(&table.raygen)
        .chain(&table.miss)
        .chain(&table.hit)
        .chain(&table.callable)
}

pub(super) fn pipeline(
    scope: &Scope<'_>,
    layout: vk::PipelineLayout,
    stages: &[vk::PipelineShaderStageCreateInfo<'_>],
    rays: &Rays,
) -> Result<vk::Pipeline, Error> {
    let functions = functions(scope.device)?;
    if rays.recursion > functions.recursion {
        return Err(Error::Unsupported(format!(
            "a recursion of {} rays",
            rays.recursion
        )));
    }
    let shader = |stage: Option<usize>| stage.map_or(vk::SHADER_UNUSED_KHR, |stage| stage as u32);
    let group = |record: &Record| {
        let ty = match (record.general, record.intersection) {
            (Some(_), _) => vk::RayTracingShaderGroupTypeKHR::GENERAL,
            (None, Some(_)) => vk::RayTracingShaderGroupTypeKHR::PROCEDURAL_HIT_GROUP,
            (None, None) => vk::RayTracingShaderGroupTypeKHR::TRIANGLES_HIT_GROUP,
        };
        vk::RayTracingShaderGroupCreateInfoKHR::default()
            .ty(ty)
            .general_shader(shader(record.general))
            .closest_hit_shader(shader(record.closest))
            .any_hit_shader(shader(record.any))
            .intersection_shader(shader(record.intersection))
    };
    let groups: Vec<_> = records(&rays.table).map(group).collect();
    let info = vk::RayTracingPipelineCreateInfoKHR::default()
        .stages(stages)
        .groups(&groups)
        .max_pipeline_ray_recursion_depth(rays.recursion)
        .layout(layout);
    // SAFETY: modules and layout are of this device, the pointees of the structures live until the
    // call returns, and the depth of recursion is within the device's limit.
    unsafe {
        functions.pipelines.create_ray_tracing_pipelines(
            vk::DeferredOperationKHR::null(),
            vk::PipelineCache::null(),
            &[info],
            None,
        )
    }
    .named("vkCreateRayTracingPipelinesKHR")
}

/// The shader table on the device: ray generation, miss, hit, callable.
pub(super) struct Regions([vk::StridedDeviceAddressRegionKHR; 4]);

/// Makes the shader table of a pipeline.
pub(super) fn table(
    scope: &mut Scope<'_>,
    pipeline: &Pipeline,
    table: &Table,
) -> Result<Regions, Error> {
    let functions = functions(scope.device)?;
    let size = functions.handle as usize;
    let count = records(table).count();
    // SAFETY: the pipeline is of this device and has one group per record of the table.
    let handles = unsafe {
        functions.pipelines.get_ray_tracing_shader_group_handles(
            pipeline.pipeline,
            0,
            count as u32,
            count * size,
        )
    }
    .named("vkGetRayTracingShaderGroupHandlesKHR")?;
    let longest = records(table)
        .map(|record| record.data.len())
        .max()
        .unwrap_or(0);
    let stride = (size + longest).next_multiple_of(functions.handle_alignment as usize);
    let base = functions.base_alignment as usize;
    let lists: [&[Record]; 4] = [
        std::slice::from_ref(&table.raygen),
        &table.miss,
        &table.hit,
        &table.callable,
    ];
    let (mut bytes, mut starts, mut group) = (Vec::new(), [0; 4], 0);
    for (list, start) in lists.iter().zip(&mut starts) {
        bytes.resize(bytes.len().next_multiple_of(base), 0);
        *start = bytes.len();
        for record in *list {
            let at = bytes.len();
            bytes.extend_from_slice(&handles[group * size..(group + 1) * size]);
            bytes.extend_from_slice(&record.data);
            bytes.resize(at + stride, 0);
            group += 1;
        }
    }
    // The buffer's first aligned address is known once the buffer exists.
    let buffer = scope.buffer(&vec![0; bytes.len() + base])?;
    let start = address(scope.device, buffer)?;
    let origin = start.next_multiple_of(base as u64);
    scope.write(buffer, (origin - start) as usize, &bytes)?;
    let region = |(list, start): (&&[Record], &usize)| {
        if list.is_empty() {
            return vk::StridedDeviceAddressRegionKHR::default();
        }
        vk::StridedDeviceAddressRegionKHR::default()
            .device_address(origin + *start as u64)
            .stride(stride as u64)
            .size((stride * list.len()) as u64)
    };
    let mut made = [vk::StridedDeviceAddressRegionKHR::default(); 4];
    for (slot, pair) in made.iter_mut().zip(lists.iter().zip(&starts)) {
        *slot = region(pair);
    }
    Ok(Regions(made))
}

pub(super) fn record(
    scope: &Scope<'_>,
    commands: vk::CommandBuffer,
    table: Option<&Regions>,
    [width, height, depth]: [u32; 3],
) {
    if let (Some(functions), Some(Regions([raygen, miss, hit, callable]))) =
        (&scope.device.rays, table)
    {
        // SAFETY: the commands are being recorded, the pipeline of the table is bound, and the
        // table's buffer is kept until the end of the run.
        unsafe {
            functions
                .pipelines
                .cmd_trace_rays(commands, raygen, miss, hit, callable, width, height, depth);
        };
    }
}
