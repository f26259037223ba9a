//! Options by name, and the models that they cannot describe.
//!
//! The options that were set are kept in their serialized form, an object of groups; each change makes
//! [`Options`] of it, which checks names and values. The caller's models replace the object's.

use std::sync::Arc;

use serde_json::{Map, Value};
use trellis_c_support::handle::Object;
use trellis_dxil::bindings::{BindingModel, Place, RootSignatureBindings};
use trellis_dxil::stage_io::StageIoModel;
use trellis_dxil::{MeshOutputs, Options};

use crate::abi::{self, Status};
use crate::failure::{Failure, Result};

/// The most parts of an option's name.
const MAX_PARTS: usize = 4;

/// The object of an options handle.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// The options that were set, in JSON.
    set: Map<String, Value>,
    models: Models,
    /// The options that `set` and `models` result in.
    options: Options,
}

impl Object for Settings {
    const MAGIC: u32 = 0x7E87_0006;
}

/// Models that are not of the serialized form.
#[derive(Clone, Default)]
struct Models {
    bindings: Option<Arc<dyn BindingModel>>,
    /// Number of root descriptors that the bindings have.
    root_descriptors: Option<u32>,
    stage_io: Option<Arc<dyn StageIoModel>>,
    mesh: Option<Arc<MeshOutputs>>,
}

impl std::fmt::Debug for Models {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Models").finish_non_exhaustive()
    }
}

impl Settings {
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// Sets an option by its name: the fields of the serialized form, separated by dots. The value is
    /// JSON, or the text itself.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let parts: Vec<&str> = name.splitn(MAX_PARTS + 1, '.').collect();
        if parts.len() > MAX_PARTS {
            return Err(invalid(name, "there is no such option"));
        }
        let parsed: Option<Value> = serde_json::from_str(value).ok();
        let text = Value::String(value.to_owned());
        let first = match self.replaced(&parts, parsed.clone().unwrap_or_else(|| text.clone())) {
            Ok(done) => {
                self.accept(done, &parts);
                return Ok(());
            }
            Err(error) => error,
        };
        // `12` may be a name, too.
        if parsed.is_some()
            && let Ok(done) = self.replaced(&parts, text)
        {
            self.accept(done, &parts);
            return Ok(());
        }
        Err(invalid(name, first))
    }

    /// Replaces all options by a JSON object.
    pub(crate) fn load(&mut self, json: &str) -> Result<()> {
        let failed = |error: serde_json::Error| invalid("the options", error);
        let set: Map<String, Value> = serde_json::from_str(json).map_err(failed)?;
        let options = serde_json::from_value(Value::Object(set.clone())).map_err(failed)?;
        self.models = Models::default();
        (self.set, self.options) = (set, options);
        Ok(())
    }

    /// Sets the binding model.
    pub(crate) fn set_bindings(&mut self, model: Arc<dyn BindingModel>) -> Result<()> {
        self.models.bindings = Some(model);
        self.models.root_descriptors = None;
        self.remake()
    }

    /// Sets the binding model of a root signature.
    pub(crate) fn set_root_signature(&mut self, bytes: &[u8], flags: u32) -> Result<()> {
        if flags & !abi::TRELLIS_ROOT_ADDRESSES != 0 {
            return Err(Failure::argument(format!(
                "flags {flags:#x} are not defined"
            )));
        }
        let model = RootSignatureBindings::read(bytes).map_err(|error| {
            let text = format!("cannot use the root signature: {error}");
            Failure::new(abi::TRELLIS_NO_ROOT_SIGNATURE, text)
        })?;
        let mut root_descriptors = None;
        let model = if flags & abi::TRELLIS_ROOT_ADDRESSES != 0 {
            let model = model.with_addresses();
            let is_address = |place: Place| matches!(place, Place::DeviceAddress { .. });
            let addresses = model.slots().iter().filter(|slot| is_address(slot.place));
            root_descriptors = u32::try_from(addresses.count()).ok();
            model
        } else {
            model
        };
        self.models.bindings = Some(Arc::new(model));
        self.models.root_descriptors = root_descriptors;
        self.remake()
    }

    /// Sets the model of stage inputs and outputs.
    pub(crate) fn set_stage_io(&mut self, model: Arc<dyn StageIoModel>) -> Result<()> {
        self.models.stage_io = Some(model);
        self.remake()
    }

    /// Sets the outputs of the mesh shader before a pixel shader.
    pub(crate) fn set_mesh(&mut self, mesh: Option<Arc<MeshOutputs>>) -> Result<()> {
        self.models.mesh = mesh;
        self.set.remove("mesh");
        self.remake()
    }

    /// Returns the set options with another value at a path, and the options that they result in.
    fn replaced(
        &self,
        parts: &[&str],
        value: Value,
    ) -> serde_json::Result<(Map<String, Value>, Options)> {
        let mut set = self.set.clone();
        put(&mut set, parts, value);
        let options = serde_json::from_value(Value::Object(set.clone()))?;
        Ok((set, options))
    }

    /// Replaces the set options, and removes the model that the change at `parts` overrides.
    fn accept(&mut self, (set, options): (Map<String, Value>, Options), parts: &[&str]) {
        match parts {
            ["bindings", ..] => {
                self.models.bindings = None;
                self.models.root_descriptors = None;
            }
            ["interface", "root_descriptors", ..] => self.models.root_descriptors = None,
            ["stage_io", ..] => self.models.stage_io = None,
            ["mesh", ..] => self.models.mesh = None,
            _ => {}
        }
        self.set = set;
        self.options = options;
        self.overlay();
    }

    /// Makes the options again.
    fn remake(&mut self) -> Result<()> {
        let made = serde_json::from_value(Value::Object(self.set.clone()));
        self.options = made.map_err(|error| invalid("the options", error))?;
        self.overlay();
        Ok(())
    }

    /// Applies the models, which override options that were set.
    fn overlay(&mut self) {
        let (models, options) = (&self.models, &mut self.options);
        if let Some(bindings) = &models.bindings {
            options.bindings = Arc::clone(bindings);
        }
        if let Some(count) = models.root_descriptors {
            options.interface.root_descriptors = count;
        }
        if let Some(stage_io) = &models.stage_io {
            options.stage_io = Arc::clone(stage_io);
        }
        if let Some(mesh) = &models.mesh {
            options.mesh = Some(Arc::clone(mesh));
        }
    }
}

/// Puts a value at a path, and makes the objects on the path. Other values on the path are replaced
/// by objects; where an object is not permitted, reading its fields as options fails.
fn put(object: &mut Map<String, Value>, parts: &[&str], value: Value) {
    match parts {
        [] => {}
        [last] => {
            object.insert((*last).to_owned(), value);
        }
        [first, rest @ ..] => {
            let entry = object.entry(*first);
            let inner = entry.or_insert_with(|| Value::Object(Map::new()));
            if !inner.is_object() {
                *inner = Value::Object(Map::new());
            }
            if let Value::Object(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}

fn invalid(name: &str, reason: impl std::fmt::Display) -> Failure {
    const STATUS: Status = abi::TRELLIS_INVALID_OPTION;
    Failure::new(STATUS, format!("`{name}`: {reason}"))
}

#[cfg(test)]
mod tests {
    use trellis_dxil::Target;

    use super::Settings;

    #[test]
    fn options_by_name() {
        let mut settings = Settings::default();
        settings.set("target", "vulkan1.2").unwrap();
        settings.set("debug.names", "false").unwrap();
        settings.set("interface.sample_count", "4").unwrap();
        settings.set("interface.entry_point_name", "12").unwrap();
        settings
            .set("structurizer.stages.loop-exits", "false")
            .unwrap();
        settings.set("bindings.shifts.uav", "9").unwrap();
        let options = settings.options();
        assert_eq!(options.target, Target::Vulkan1_2);
        assert!(!options.debug.names);
        assert_eq!(options.interface.sample_count, Some(4));
        assert_eq!(options.interface.entry_point_name.as_deref(), Some("12"));
        for (name, value) in [
            ("", "1"),
            (".", "1"),
            ("target", "vulkan9"),
            ("target.x", "1"),
            ("debug.name", "true"),
            ("debug.names", "12"),
            ("debug.names", "{"),
            ("a.b.c.d.e.f", "1"),
            ("interface.sample_count", "-1"),
        ] {
            let error = settings.set(name, value).unwrap_err();
            assert_eq!(error.status, crate::abi::TRELLIS_INVALID_OPTION);
        }
        assert_eq!(
            settings.options().target,
            Target::Vulkan1_2,
            "nothing changed"
        );
        settings.load(r#"{ "debug": { "names": true } }"#).unwrap();
        assert_eq!(settings.options().target, Target::default());
        assert!(settings.load("[]").is_err() && settings.load("").is_err());
    }
}
