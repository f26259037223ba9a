//! Converters.

use std::ffi::CString;
use std::sync::Arc;

use trellis_c_support::text::c_string;
use trellis_dxil_frontend::shader::{
    EntryPoint, Resource, ResourceClass, Shader, ShaderKind, Version, source_name,
};
use trellis_spirv_backend::bindings::HeapLimit;
use trellis_spirv_backend::{Options, convert_entry};

use crate::abi::result;
use crate::blob::{OwnBlob, OwnedProgram, choose};
use crate::facts::{self, Facts};
use crate::failure::{Failure, Result};
use crate::local_root::LocalRoot;
use crate::remap::{InterfaceRemappers, Model, Remappers};
use crate::settings::{HeapLimitSettings, Settings};

/// Shader model from which DXIL has hit objects.
const NATIVE_HIT_OBJECTS: Version = Version { major: 6, minor: 9 };

/// A converter of DXIL.
#[derive(Debug)]
pub(crate) struct OwnConverter {
    blob: Arc<OwnBlob>,
    /// A program with names of resources, which the blob's may lack.
    names: Option<Arc<OwnBlob>>,
    /// The program with those names, once it was needed.
    named: Option<OwnedProgram>,
    pub(crate) entry: Option<String>,
    pub(crate) remappers: Remappers,
    pub(crate) interface: InterfaceRemappers,
    pub(crate) local: LocalRoot,
    pub(crate) settings: Settings,
    pub(crate) patch_location: Option<u32>,
    output: Option<Compiled>,
}

/// The result of a conversion.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) words: Vec<u32>,
    pub(crate) entry: CString,
    pub(crate) facts: Facts,
}

impl OwnConverter {
    pub(crate) fn new(blob: Arc<OwnBlob>, names: Option<Arc<OwnBlob>>) -> Self {
        Self {
            blob,
            names,
            named: None,
            entry: None,
            remappers: Remappers::default(),
            interface: InterfaceRemappers::default(),
            local: LocalRoot::default(),
            settings: Settings::default(),
            patch_location: None,
            output: None,
        }
    }

    /// Returns the result of the last conversion.
    pub(crate) fn output(&self) -> Result<&Compiled> {
        let none = || Failure::new(result::ERROR_GENERIC, "nothing was converted");
        self.output.as_ref().ok_or_else(none)
    }

    /// Returns the facts of the last conversion; before one, the facts that a new converter of the
    /// reference returns.
    pub(crate) fn facts(&self) -> Facts {
        let none = Facts {
            patch_location: self.patch_location.unwrap_or(u32::MAX),
            ..Facts::default()
        };
        self.output.as_ref().map_or(none, |output| output.facts)
    }

    /// Returns the options of a conversion.
    fn options(&self) -> Options {
        let mut options = self.settings.options.clone();
        options.interface.patch_location = self.patch_location;
        options.interface.view_instancing = self.settings.views.instancing();
        options.stage_io = Arc::new(self.interface);
        options.bindings = Arc::new(Model {
            remappers: self.remappers,
            places: self.settings.places,
            local: self.local.clone(),
        });
        options
    }

    /// Returns where the size of the heap of resources is, if indices are kept inside it.
    fn heap_limit(&self, entry: &EntryPoint) -> Result<Option<HeapLimit>> {
        let settings = &self.settings.heap_limit;
        if !settings.enabled {
            return Ok(None);
        }
        let layout = self.settings.options.interface.address_layout;
        if let Some(limit) = settings.limit(layout) {
            return Ok(Some(limit));
        }
        let at = self.remappers.heap_addresses(entry.kind).map_err(|error| {
            let text = format!("the size of the heap of resources: {error}");
            Failure::new(result::ERROR_GENERIC, text)
        })?;
        Ok(Some(HeapLimitSettings::length(at, layout)))
    }

    /// Returns true if hit objects of a shader are NVAPI's, which the reference translates by NVIDIA's
    /// extension: shaders of model 6.9 have DXIL's.
    fn has_nvapi_objects(&self, shader: &Shader) -> bool {
        let is_uav = |r: &Resource| {
            r.class == ResourceClass::Uav
                && self.settings.places.nvapi == Some((r.lower_bound, r.space))
        };
        shader.model < NATIVE_HIT_OBJECTS && shader.resources.iter().any(is_uav)
    }

    /// Converts the entry point.
    pub(crate) fn run(&mut self) -> Result<()> {
        self.output = None;
        if let Some(names) = &self.names
            && self.named.is_none()
        {
            self.named = Some(self.blob.program.with_names(names.shader())?);
        }
        let program = self.named.as_ref().unwrap_or(&self.blob.program);
        let input = program.input();
        let wanted = self.entry.as_deref();
        let entry = choose(&input.shader, wanted).ok_or_else(|| {
            let name = wanted.unwrap_or_default();
            Failure::new(
                result::ERROR_GENERIC,
                format!("there is no entry point `{name}`"),
            )
        })?;
        let mut options = self.options();
        options.interface.heap_limit = self.heap_limit(entry)?;
        options.extensions.nv_invocation_reorder = self.has_nvapi_objects(&input.shader);
        let output = convert_entry(input, entry, &options)?;
        let mut facts = facts::of_words(&output.words);
        facts.wave = match self.settings.forced_wave_size {
            Some(size) => [size, 0, 0],
            None => facts::wave(entry),
        };
        if let Some(hull) = entry.properties.hull {
            facts.patch_vertices = hull.input_control_points;
        }
        facts.multiview_compatible =
            self.settings.views.has_multiview() && !facts::writes_layer(entry);
        let patch_location = match entry.kind {
            ShaderKind::Hull => output.patch_location,
            _ => self.patch_location,
        };
        facts.patch_location = patch_location.unwrap_or(u32::MAX);
        self.output = Some(Compiled {
            words: output.words,
            entry: c_string(source_name(&entry.name)),
            facts,
        });
        Ok(())
    }
}
