//! Functions that configure a converter.

use std::borrow::Cow;
use std::ffi::{c_char, c_void};

use trellis_c_support::text;
use trellis_spirv_backend::bindings::HeapBinding;

use super::with_converter;
use crate::abi::{
    CbvRemapper, Class, MetaDescriptor, MetaDescriptorKind, ResultCode, SamplerRemapper,
    SrvRemapper, StageIoRemapper, StreamOutputRemapper, UavRemapper, VertexInputRemapper, result,
};
use crate::converter::OwnConverter;
use crate::local_root::TableEntry;
use crate::remap::Callback;

/// Declares functions that set something of a converter: the arguments after the converter, and what
/// is done with those of DXIL. Those of DXBC are passed on.
macro_rules! setters {
    ($(
        $(#[$meta:meta])*
        $name:ident = $function:ident($($argument:ident: $ty:ty),*) $(-> $result:ty)? = $own:expr;
    )+) => { $(
        $(#[$meta])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(converter: *mut c_void, $($argument: $ty),*) $(-> $result)? {
            let own = |converter: &mut OwnConverter| {
                let own: fn(&mut OwnConverter, $($ty),*) -> _ = $own;
                own(converter, $($argument),*)
            };
            // SAFETY: the caller's promises are the same, and those of the other library.
            unsafe {
                with_converter(stringify!($function), converter, own, |f, converter| {
                    (f.$function)(converter, $($argument),*)
                })
            }
        }
    )+ };
}

setters! {
    /// Chooses the entry point: by its mangled name, or its name in the source. Null for the first.
    dxil_spv_converter_set_entry_point = converter_set_entry_point(entry_point: *const c_char) =
        |converter, entry_point| {
            // SAFETY: the caller promises that it is null or a string.
            let name = unsafe { text::read(entry_point) };
            converter.entry = name.map(Cow::into_owned).filter(|name| !name.is_empty());
            Ok(())
        };

    /// Sets the remapper of SRVs.
    dxil_spv_converter_set_srv_remapper =
        converter_set_srv_remapper(remapper: SrvRemapper, userdata: *mut c_void) =
        |converter, call, userdata| {
            converter.remappers.srv = Callback { call, userdata };
            Ok(())
        };

    /// Sets the remapper of samplers.
    dxil_spv_converter_set_sampler_remapper =
        converter_set_sampler_remapper(remapper: SamplerRemapper, userdata: *mut c_void) =
        |converter, call, userdata| {
            converter.remappers.sampler = Callback { call, userdata };
            Ok(())
        };

    /// Sets the remapper of UAVs.
    dxil_spv_converter_set_uav_remapper =
        converter_set_uav_remapper(remapper: UavRemapper, userdata: *mut c_void) =
        |converter, call, userdata| {
            converter.remappers.uav = Callback { call, userdata };
            Ok(())
        };

    /// Sets the remapper of constant buffers.
    dxil_spv_converter_set_cbv_remapper =
        converter_set_cbv_remapper(remapper: CbvRemapper, userdata: *mut c_void) =
        |converter, call, userdata| {
            converter.remappers.cbv = Callback { call, userdata };
            Ok(())
        };

    /// Sets the remapper of vertex inputs.
    dxil_spv_converter_set_vertex_input_remapper =
        converter_set_vertex_input_remapper(remapper: VertexInputRemapper, userdata: *mut c_void) =
        |converter, call, userdata| {
            converter.interface.vertex_input = Callback { call, userdata };
            Ok(())
        };

    /// Sets the remapper of stream outputs.
    dxil_spv_converter_set_stream_output_remapper =
        converter_set_stream_output_remapper(remapper: StreamOutputRemapper, userdata: *mut c_void) =
        |converter, call, userdata| {
            converter.interface.stream_output = Callback { call, userdata };
            Ok(())
        };

    /// Sets the remapper of the stage's inputs.
    dxil_spv_converter_set_stage_input_remapper =
        converter_set_stage_input_remapper(remapper: StageIoRemapper, userdata: *mut c_void) =
        |converter, call, userdata| {
            converter.interface.stage_input = Callback { call, userdata };
            Ok(())
        };

    /// Sets the remapper of the stage's outputs.
    dxil_spv_converter_set_stage_output_remapper =
        converter_set_stage_output_remapper(remapper: StageIoRemapper, userdata: *mut c_void) =
        |converter, call, userdata| {
            converter.interface.stage_output = Callback { call, userdata };
            Ok(())
        };

    /// Sets the number of root constants.
    dxil_spv_converter_set_root_constant_word_count =
        converter_set_root_constant_word_count(num_words: u32) =
        |converter, words| {
            converter.settings.options.interface.root_constants = Some(words);
            Ok(())
        };

    /// Sets the number of root descriptors, which are before the root constants.
    dxil_spv_converter_set_root_descriptor_count =
        converter_set_root_descriptor_count(count: u32) =
        |converter, count| {
            converter.settings.options.interface.root_descriptors = count;
            Ok(())
        };

    /// Adds constants to the local root signature.
    dxil_spv_converter_add_local_root_constants =
        converter_add_local_root_constants(register_space: u32, register_index: u32, num_words: u32) =
        |converter, space, register, words| {
            converter.local.constants(space, register, words);
            Ok(())
        };

    /// Adds a descriptor to the local root signature.
    dxil_spv_converter_add_local_root_descriptor =
        converter_add_local_root_descriptor(resource_class: Class, register_space: u32, register_index: u32) =
        |converter, class, space, register| converter.local.descriptor(class, space, register);

    /// Adds a table of one range to the local root signature, or a range to the table that is open.
    dxil_spv_converter_add_local_root_descriptor_table =
        converter_add_local_root_descriptor_table(resource_class: Class, register_space: u32, register_index: u32, num_descriptors_in_range: u32, offset_in_heap: u32) =
        |converter, class, space, register, count, heap_offset| {
            converter.local.table(TableEntry { class, space, register, count, heap_offset })
        };

    /// Opens a table of the local root signature.
    dxil_spv_converter_begin_local_root_descriptor_table =
        converter_begin_local_root_descriptor_table() -> ResultCode =
        |converter| {
            converter.local.begin_table()?;
            Ok(result::SUCCESS)
        };

    /// Closes the table of the local root signature that is open.
    dxil_spv_converter_end_local_root_descriptor_table =
        converter_end_local_root_descriptor_table() -> ResultCode =
        |converter| {
            converter.local.end_table()?;
            Ok(result::SUCCESS)
        };

    /// Has no effect: for debuggers' text in the output.
    dxil_spv_converter_add_root_parameter_mapping =
        converter_add_root_parameter_mapping(root_parameter_index: u32, offset: u32) =
        |_, _, _| Ok(());

    /// Has no effect: for debuggers' text in the output.
    dxil_spv_converter_add_root_descriptor_mapping =
        converter_add_root_descriptor_mapping(root_parameter_index: u32, desc_set: u32, binding: u32) =
        |_, _, _, _| Ok(());

    /// Has no effect: for debuggers' text in the output.
    dxil_spv_converter_add_non_semantic_debug_info =
        converter_add_non_semantic_debug_info(tag: *const c_char, data: *const c_void, size: usize) =
        |_, _, _, _| Ok(());

    /// Sets the first location of the patch constants of a domain shader.
    dxil_spv_converter_set_patch_location_offset =
        converter_set_patch_location_offset(offset: u32) =
        |converter, offset| {
            converter.patch_location = Some(offset).filter(|&n| n != u32::MAX);
            Ok(())
        };

    /// Sets where a descriptor of the client's own is. Only those of view instances have an effect.
    dxil_spv_converter_set_meta_descriptor =
        converter_set_meta_descriptor(meta: MetaDescriptor, kind: MetaDescriptorKind, desc_set: u32, binding_or_push_index: u32) -> ResultCode =
        |converter, meta, kind, set, binding| {
            converter.settings.meta_descriptor(meta, kind, HeapBinding { set, binding })?;
            Ok(result::SUCCESS)
        };
}
