//! The options: what each becomes, and which are accepted without effect.

mod set;
mod table;

use trellis_spirv_backend::Options;
use trellis_spirv_backend::bindings::HeapBinding;
use trellis_spirv_backend::options::ViewInstancing;

use crate::abi::{
    MetaDescriptor, MetaDescriptorKind, OptionBase, meta_descriptor, meta_descriptor_kind,
};
use crate::failure::{Failure, Result};
use crate::log;

pub use table::{Effect, OptionRow, TABLE, row};

/// What a client has chosen.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// What has an equivalent in the translation.
    pub(crate) options: Options,
    pub(crate) places: PlaceSettings,
    /// The number of invocations of a wave that the client sets.
    pub(crate) forced_wave_size: Option<u32>,
    pub(crate) views: ViewSettings,
}

/// Choices that change what the remappers' answers mean.
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

    /// Returns whether views can be those of Vulkan's multiview.
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
        // Clients have `VK_KHR_maintenance5`, and not the feature that the write needs.
        options.workarounds.point_size = false;
        Self {
            options,
            places: PlaceSettings {
                storage_constants: false,
                addresses: false,
                storage_alignment: 1,
                typed_offsets: false,
                descriptor_size: 0,
                sampler_size: 0,
            },
            forced_wave_size: None,
            views: ViewSettings::default(),
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
            // Newer clients have options that this version does not define, and must go on.
            let note = format_args!("option {ty} is not known, and has no effect");
            log::note_option(ty, note);
            return Ok(());
        };
        if let Effect::None(reason) = row.effect {
            let note = format_args!("option {} has no effect: {reason}", row.name);
            log::note_option(ty, note);
        }
        // SAFETY: the caller promises that it points to the struct of the option.
        unsafe { set::set(self, ty, at) }
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
        let to = match meta {
            meta_descriptor::DYNAMIC_VIEW_INSTANCING_OFFSETS => &mut self.views.views.offsets,
            meta_descriptor::DYNAMIC_VIEW_INSTANCING_MASK => &mut self.views.views.mask,
            _ => {
                log::debug(format_args!("meta descriptor {meta} has no effect"));
                return Ok(());
            }
        };
        *to = match kind {
            meta_descriptor_kind::INVALID => None,
            meta_descriptor_kind::UBO_CONTAINING_CONSTANT => Some(at),
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
