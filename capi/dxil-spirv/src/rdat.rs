//! Subobjects of a library (`RDAT`).
//!
//! Their strings and payloads are in the bytes that the caller parsed, not in a copy: callers use them
//! after they freed the blob.

use std::ffi::{c_char, c_void};
use std::ptr;

use trellis_dxil_frontend::container::{Container, RuntimeData, SubobjectKind};

use crate::abi::{RdatSubobject, hit_group_type, subobject_kind};
use crate::failure::Result;

/// A subobject, with pointers into the caller's bytes.
#[derive(Debug)]
pub(crate) struct Subobject {
    /// The answer without `exports`.
    fixed: RdatSubobject,
    exports: Vec<*const c_char>,
}

// SAFETY: the pointers are not used here; callers get them back.
unsafe impl Send for Subobject {}
// SAFETY: as above.
unsafe impl Sync for Subobject {}

impl Subobject {
    /// Returns the struct for the caller, which refers to this.
    pub(crate) fn answer(&self) -> RdatSubobject {
        RdatSubobject {
            exports: if self.exports.is_empty() {
                ptr::null()
            } else {
                self.exports.as_ptr()
            },
            num_exports: u32::try_from(self.exports.len()).unwrap_or(u32::MAX),
            ..self.fixed
        }
    }
}

/// Returns a pointer to the characters of a string, which a zero follows, with access to all `bytes`.
fn string(bytes: &[u8], text: &str) -> *const c_char {
    if text.is_empty() {
        // The reader returns such a string for a missing one, too.
        return c"".as_ptr();
    }
    bytes.as_ptr().with_addr(text.as_ptr().addr()).cast()
}

/// Reads the subobjects of a container.
///
/// # Errors
/// The part is malformed.
pub(crate) fn read(container: &Container<'_>) -> Result<Vec<Subobject>> {
    let Some(data) = container.runtime_data()? else {
        return Ok(Vec::new());
    };
    let bytes = container.bytes();
    data.subobjects()
        .map(|subobject| {
            let subobject = subobject?;
            one(bytes, &data, string(bytes, subobject.name), subobject.kind)
        })
        .collect()
}

fn one(
    bytes: &[u8],
    data: &RuntimeData<'_>,
    name: *const c_char,
    kind: SubobjectKind<'_>,
) -> Result<Subobject> {
    let mut fixed = RdatSubobject {
        kind: 0,
        subobject_name: name,
        hit_group_type: hit_group_type::TRIANGLE,
        exports: ptr::null(),
        num_exports: 0,
        args: [0; 2],
        payload: ptr::null(),
        payload_size: 0,
    };
    let mut exports = Vec::new();
    let mut payload = |data: &[u8]| {
        fixed.payload_size = data.len();
        if !data.is_empty() {
            let at = bytes.as_ptr().with_addr(data.as_ptr().addr());
            fixed.payload = at.cast::<c_void>();
        }
    };
    match kind {
        SubobjectKind::GlobalRootSignature(data) => {
            payload(data);
            fixed.kind = subobject_kind::GLOBAL_ROOT_SIGNATURE;
        }
        SubobjectKind::LocalRootSignature(data) => {
            payload(data);
            fixed.kind = subobject_kind::LOCAL_ROOT_SIGNATURE;
        }
        SubobjectKind::StateObjectConfig { flags } => {
            fixed.kind = subobject_kind::STATE_OBJECT_CONFIG;
            fixed.args[0] = flags;
        }
        SubobjectKind::ExportsAssociation {
            subobject,
            exports: names,
        } => {
            fixed.kind = subobject_kind::SUBOBJECT_TO_EXPORTS_ASSOCIATION;
            exports.push(string(bytes, subobject));
            for name in names.iter() {
                exports.push(string(bytes, data.string(name)?));
            }
        }
        SubobjectKind::ShaderConfig {
            max_payload,
            max_attributes,
        } => {
            fixed.kind = subobject_kind::RAYTRACING_SHADER_CONFIG;
            fixed.args = [max_payload, max_attributes];
        }
        SubobjectKind::PipelineConfig {
            max_recursion,
            flags,
        } => {
            // The reader has one kind for both versions of the subobject; the first has no flags.
            fixed.kind = if flags == 0 {
                subobject_kind::RAYTRACING_PIPELINE_CONFIG
            } else {
                subobject_kind::RAYTRACING_PIPELINE_CONFIG1
            };
            fixed.args = [max_recursion, flags];
        }
        SubobjectKind::HitGroup {
            ty,
            any_hit,
            closest_hit,
            intersection,
        } => {
            fixed.kind = subobject_kind::HIT_GROUP;
            fixed.hit_group_type = ty;
            exports = [any_hit, closest_hit, intersection]
                .map(|name| string(bytes, name))
                .to_vec();
        }
        _ => {}
    }
    Ok(Subobject { fixed, exports })
}
