//! The options: their equivalents in the translation, and the options that are accepted without
//! effect.

mod table;

use trellis_spirv_backend::Options;
use trellis_spirv_backend::bindings::{AddressLayout, HeapBinding, HeapLimit};
use trellis_spirv_backend::options::{IntrinsicsUav, ViewInstancing};

use crate::abi::{
    MetaDescriptor, MetaDescriptorKind, OptionBase, meta_descriptor, meta_descriptor_kind,
};
use crate::failure::{Failure, Result};
use crate::log;

pub use table::{Effect, OptionRow, TABLE, row};

/// The choices of a client.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Choices that have an equivalent in the translation.
    pub(crate) options: Options,
    pub(crate) places: PlaceSettings,
    /// The number of invocations of a wave that the client sets.
    pub(crate) forced_wave_size: Option<u32>,
    pub(crate) views: ViewSettings,
    pub(crate) heap_limit: HeapLimitSettings,
}

/// Whether indices are kept inside the heap of resources, and where its size is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct HeapLimitSettings {
    pub(crate) enabled: bool,
    /// A uniform block with the size.
    size: Option<HeapBinding>,
    /// A storage buffer with the descriptors' addresses.
    addresses: Option<HeapBinding>,
}

impl HeapLimitSettings {
    /// Returns where the size is; `None` if the remapper of SRVs has to return the location of the
    /// addresses.
    pub(crate) fn limit(&self, layout: AddressLayout) -> Option<HeapLimit> {
        let of_size = self.size.map(HeapLimit::UniformBlock);
        of_size.or_else(|| Some(Self::length(self.addresses?, layout)))
    }

    /// Returns the limit that the length of a buffer of addresses gives.
    pub(crate) fn length(at: HeapBinding, layout: AddressLayout) -> HeapLimit {
        HeapLimit::BufferLength {
            at,
            pairs: layout.stride,
        }
    }
}

/// Choices that change the meaning of the remappers' answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlaceSettings {
    /// Constant buffers in heaps are storage buffers.
    pub(crate) storage_constants: bool,
    /// Counters and acceleration structures in heaps are addresses.
    pub(crate) addresses: bool,
    /// The alignment of storage buffers: those that need less have an offset.
    pub(crate) storage_alignment: u32,
    /// Typed buffers have offsets.
    pub(crate) typed_offsets: bool,
    /// Binary logarithms of the sizes of descriptors in tables of a shader record.
    pub(crate) descriptor_size: u32,
    pub(crate) sampler_size: u32,
    /// Register and space of the UAV that NVAPI's intrinsics are encoded with.
    pub(crate) nvapi: Option<(u32, u32)>,
}

/// How views are instanced.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ViewSettings {
    enabled: bool,
    views: ViewInstancing,
}

impl ViewSettings {
    /// Returns the option of the translation.
    pub(crate) fn instancing(&self) -> Option<ViewInstancing> {
        Some(self.views).filter(|_| self.enabled)
    }

    /// Returns whether views can be mapped to Vulkan's multiview.
    pub(crate) fn has_multiview(&self) -> bool {
        self.enabled && self.views.instances.is_some()
    }
}

impl Default for Settings {
    fn default() -> Self {
        let mut options = Options::default();
        options.interface.entry_point_name = Some("main".to_owned());
        options.interface.multiview = false;
        options.extensions.preserve_nan = false;
        // Devices of clients that have such shaders have the extension.
        options.extensions.dynamic_offsets = true;
        options.extensions.integer_dot_product = false;
        options.extensions.float8 = false;
        // The reference does not convert it.
        options.debug.debug_info = false;
        // Clients have `VK_KHR_maintenance5`, and not the feature that the write needs.
        options.workarounds.point_size = false;
        // The reference knows it by its register and space.
        options.vendor.ags = Some(IntrinsicsUav::AGS);
        Self {
            options,
            places: PlaceSettings {
                storage_constants: false,
                addresses: false,
                storage_alignment: 1,
                typed_offsets: false,
                descriptor_size: 0,
                sampler_size: 0,
                nvapi: None,
            },
            forced_wave_size: None,
            views: ViewSettings::default(),
            heap_limit: HeapLimitSettings::default(),
        }
    }
}

impl Settings {
    /// Sets an option.
    ///
    /// # Errors
    /// Its pointer is null, or it has a value that is not defined.
    ///
    /// # Safety
    /// `at` is null, or points to the struct of the option whose number it begins with; of a number
    /// that is not defined, to an [`OptionBase`].
    pub(crate) unsafe fn add(&mut self, at: *const OptionBase) -> Result<()> {
        if at.is_null() {
            return Err(Failure::argument("the option is null"));
        }
        // SAFETY: it is not null, and the caller promises that it points to an option.
        let OptionBase { ty } = unsafe { at.read_unaligned() };
        let Some(row) = row(ty) else {
            // Newer clients have options that this version does not define, and must be able to
            // continue.
            let note = format_args!("option {ty} is not known, and has no effect");
            log::note_option(ty, note);
            return Ok(());
        };
        if let Effect::None(reason) = row.effect {
            let note = format_args!("option {} has no effect: {reason}", row.name);
            log::note_option(ty, note);
        }
        // SAFETY: the caller promises that it points to the struct of the option.
        unsafe { (row.set)(self, at) }
    }

    /// Sets where a descriptor of the client's own is.
    pub(crate) fn meta_descriptor(
        &mut self,
        meta: MetaDescriptor,
        kind: MetaDescriptorKind,
        at: HeapBinding,
    ) -> Result<()> {
        defined(meta_descriptor::ALL, meta, "the descriptor")?;
        defined(meta_descriptor_kind::ALL, kind, "the kind of descriptor")?;
        let (to, supported) = match meta {
            meta_descriptor::DYNAMIC_VIEW_INSTANCING_OFFSETS => (
                &mut self.views.views.offsets,
                meta_descriptor_kind::UBO_CONTAINING_CONSTANT,
            ),
            meta_descriptor::DYNAMIC_VIEW_INSTANCING_MASK => (
                &mut self.views.views.mask,
                meta_descriptor_kind::UBO_CONTAINING_CONSTANT,
            ),
            meta_descriptor::RESOURCE_DESCRIPTOR_HEAP_SIZE => (
                &mut self.heap_limit.size,
                meta_descriptor_kind::UBO_CONTAINING_CONSTANT,
            ),
            _ => (
                &mut self.heap_limit.addresses,
                meta_descriptor_kind::READONLY_SSBO,
            ),
        };
        *to = match kind {
            meta_descriptor_kind::INVALID => None,
            kind if kind == supported => Some(at),
            // As in the reference, this is an error where it is needed.
            _ => {
                log::warn(format_args!(
                    "meta descriptor {meta} of kind {kind}: not supported"
                ));
                None
            }
        };
        Ok(())
    }
}

/// Returns an error for the number of an enumeration that is not defined.
fn defined(list: &[(&str, u32)], number: u32, what: &str) -> Result<()> {
    if list.iter().any(|(_, n)| *n == number) {
        return Ok(());
    }
    Err(Failure::argument(format!("{what} {number} is not defined")))
}
