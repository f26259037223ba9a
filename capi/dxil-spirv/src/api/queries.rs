//! What is known of a shader after its conversion.

use std::ffi::{c_char, c_void};
use std::ptr;

use super::{put, with_converter};
use crate::abi::{Bool, FALSE, ResultCode, ShaderFeature, TRUE, result, shader_feature};
use crate::converter::OwnConverter;
use crate::facts::Facts;
use crate::failure::Failure;

/// Declares functions that return numbers of a converter: the pointers that they write, and what.
macro_rules! queries {
    ($(
        $(#[$meta:meta])*
        $name:ident = $function:ident($($argument:ident: $ty:ty),+) = $own:expr;
    )+) => { $(
        $(#[$meta])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(converter: *mut c_void, $($argument: *mut $ty),+) -> ResultCode {
            let own = |converter: &mut OwnConverter| {
                let own: fn(Facts) -> Result<_, Failure> = $own;
                let ($($argument,)+): ($((*mut $ty, $ty),)+) = {
                    let values: queries!(@tuple $($ty),+) = own(converter.facts())?;
                    queries!(@zip values, $($argument),+)
                };
                // SAFETY: the caller promises that they can be written.
                unsafe { $(put($argument.0, $argument.1)?;)+ }
                Ok(result::SUCCESS)
            };
            // SAFETY: the caller's promises are the same.
            unsafe {
                with_converter(stringify!($function), converter, own, |f, converter| {
                    (f.$function)(converter, $($argument),+)
                })
            }
        }
    )+ };
    (@tuple $a:ty) => { [$a; 1] };
    (@tuple $a:ty, $b:ty, $c:ty) => { [$a; 3] };
    (@zip $values:ident, $a:ident) => {{ let [a] = $values; (($a, a),) }};
    (@zip $values:ident, $a:ident, $b:ident, $c:ident) => {{
        let [a, b, c] = $values;
        (($a, a), ($b, b), ($c, c))
    }};
}

queries! {
    /// Returns the threads of a group.
    dxil_spv_converter_get_compute_workgroup_dimensions =
        converter_get_compute_workgroup_dimensions(x: u32, y: u32, z: u32) =
        |facts| Ok(facts.workgroup);

    /// Returns the size of waves that the shader requires; 0 for none. A range of sizes is an error.
    dxil_spv_converter_get_compute_required_wave_size =
        converter_get_compute_required_wave_size(wave_size: u32) =
        |facts| {
            let [min, max, _] = facts.wave;
            if max != 0 && min != max {
                return Err(Failure::answer(result::ERROR_GENERIC));
            }
            Ok([min])
        };

    /// Returns the sizes of waves that the shader accepts; 0 for what it does not say.
    dxil_spv_converter_get_compute_wave_size_range =
        converter_get_compute_wave_size_range(wave_size_min: u32, wave_size_max: u32, wave_size_preferred: u32) =
        |facts| Ok(facts.wave);

    /// Returns 0: there is no opinion about it.
    dxil_spv_converter_get_compute_heuristic_max_wave_size =
        converter_get_compute_heuristic_max_wave_size(wave_size: u32) =
        |_| Ok([0]);

    /// Returns 0: there is no opinion about it.
    dxil_spv_converter_get_compute_heuristic_min_wave_size =
        converter_get_compute_heuristic_min_wave_size(wave_size: u32) =
        |_| Ok([0]);

    /// Returns the control points of the patches that a hull shader reads.
    dxil_spv_converter_get_patch_vertex_count =
        converter_get_patch_vertex_count(patch_vertices: u32) =
        |facts| Ok([facts.patch_vertices]);

    /// Returns the first location after the control points that a hull shader writes.
    dxil_spv_converter_get_patch_location_offset =
        converter_get_patch_location_offset(patch_location_offset: u32) =
        |facts| Ok([facts.patch_location]);

    /// Returns whether Vulkan's multiview can draw all views at once.
    dxil_spv_converter_is_multiview_compatible =
        converter_is_multiview_compatible(compatible: Bool) =
        |facts| Ok([truth(facts.multiview_compatible)]);
}

fn truth(value: bool) -> Bool {
    if value { TRUE } else { FALSE }
}

/// Returns whether the shader reads the size of waves.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_converter_uses_subgroup_size(converter: *mut c_void) -> Bool {
    let own = |converter: &mut OwnConverter| Ok(truth(converter.facts().uses_subgroup_size));
    // SAFETY: the caller's promises are the same.
    unsafe {
        let name = "converter_uses_subgroup_size";
        with_converter(name, converter, own, |f, converter| {
            (f.converter_uses_subgroup_size)(converter)
        })
    }
}

/// Returns whether the shader uses a feature.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_converter_uses_shader_feature(
    converter: *mut c_void,
    feature: ShaderFeature,
) -> Bool {
    let own = |converter: &mut OwnConverter| {
        Ok(truth(match feature {
            shader_feature::NATIVE_16BIT_OPERATIONS => converter.facts().uses_16bit,
            _ => false,
        }))
    };
    // SAFETY: the caller's promises are the same.
    unsafe {
        let name = "converter_uses_shader_feature";
        with_converter(name, converter, own, |f, converter| {
            (f.converter_uses_shader_feature)(converter, feature)
        })
    }
}

/// Returns null: shaders are not analyzed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_converter_get_analysis_warnings(
    converter: *mut c_void,
) -> *const c_char {
    // SAFETY: the caller's promises are the same.
    unsafe {
        let name = "converter_get_analysis_warnings";
        with_converter(
            name,
            converter,
            |_| Ok(ptr::null()),
            |f, converter| (f.converter_get_analysis_warnings)(converter),
        )
    }
}
