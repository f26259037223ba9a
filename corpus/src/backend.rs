//! The real converter: the backend with the same options for every shader.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use trellis_dxil::bindings::{BindingModel, RootSignatureBindings, RootSignatureError};
use trellis_dxil::error::Feature;
use trellis_dxil::frontend::Input;
use trellis_dxil::frontend::shader::ShaderKind;
use trellis_dxil::{Entry, EntryPointError, Error, Options, Output};

use crate::converter::{Converted, Converter, Opened, Worker};
use crate::failure::Failure;

/// Converts with [`trellis_dxil`].
#[derive(Clone, Debug)]
pub struct Backend {
    options: Options,
    /// Identifies a model of bindings that has no file.
    bindings: Option<String>,
}

/// What [a worker process](crate::isolate) makes its backend of.
#[derive(Serialize, Deserialize)]
pub struct Setup {
    /// The options, without bindings of a root signature.
    pub options: Options,
    /// The bytes of the file with the root signature.
    pub root_signature: Option<Vec<u8>>,
    /// True if its root descriptors are addresses.
    pub root_addresses: bool,
}

impl Setup {
    /// Returns the backend of a setup in JSON.
    ///
    /// # Errors
    /// Returns the reason if that is not a setup, or has no root signature that can be used.
    pub fn backend(json: &[u8]) -> Result<Backend, String> {
        let setup: Self = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        let mut options = setup.options;
        if let Some(bytes) = &setup.root_signature {
            let model = root_signature(bytes, setup.root_addresses);
            options.bindings = model.map_err(|error| error.to_string())?;
        }
        Ok(Backend::new(options))
    }
}

/// Returns the binding model of a root signature in a file with these bytes.
///
/// # Errors
/// There is none that can be used.
pub fn root_signature(
    bytes: &[u8],
    addresses: bool,
) -> Result<Arc<dyn BindingModel>, RootSignatureError> {
    let model = RootSignatureBindings::read(bytes)?;
    Ok(Arc::new(match addresses {
        true => model.with_addresses(),
        false => model,
    }))
}

impl Backend {
    /// Creates a converter with these options; their `entry` is ignored.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            bindings: None,
        }
    }

    /// Names the options' model of bindings if it cannot be written as a file, so that
    /// [results can be cached](crate::cache): models that differ need names that differ.
    #[must_use]
    pub fn with_bindings_name(mut self, name: impl Into<Option<String>>) -> Self {
        self.bindings = name.into();
        self
    }

    /// Returns the options.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// Converts one entry point of a file: `entry`, or the only one if `entry` is `None`.
    pub fn convert(&self, bytes: &[u8], entry: Option<&str>) -> Result<Output, Failure> {
        let options = self.options.clone().with_entry(entry.map(str::to_owned));
        trellis_dxil::convert(bytes, &options).map_err(|error| Failure::from(&error))
    }
}

impl Converter for Backend {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Thread {
            options: &self.options,
            converter: trellis_dxil::Converter::new(),
        })
    }

    /// Returns the options as JSON, in the order of declaration; the entry point is ignored, as
    /// conversions do.
    fn identity(&self) -> Option<String> {
        // The JSON omits a model without a file.
        let has_bindings = self.bindings.is_some() || self.options.bindings.to_file().is_some();
        if !has_bindings || self.options.stage_io.to_file().is_none() {
            return None;
        }
        let options = self.options.clone().with_entry(None);
        serde_json::to_string(&(&self.bindings, options)).ok()
    }
}

/// The backend on one thread.
struct Thread<'a> {
    options: &'a Options,
    converter: trellis_dxil::Converter,
}

impl Worker for Thread<'_> {
    fn open<'a>(&'a mut self, bytes: &'a [u8]) -> Result<Box<dyn Opened + 'a>, Failure> {
        let input = trellis_dxil::read(bytes, self.options);
        Ok(Box::new(Module {
            input: input.map_err(|error| Failure::from(&error))?,
            options: self.options,
            converter: &mut self.converter,
        }))
    }
}

/// A parsed module.
struct Module<'a> {
    input: Input<'a>,
    options: &'a Options,
    converter: &'a mut trellis_dxil::Converter,
}

impl Module<'_> {
    fn convert_with(&mut self, entry: usize, options: &Options) -> Result<Output, Error> {
        let shaders = &self.input.shader;
        let Some(entry) = shaders.shaders().nth(entry) else {
            let count = shaders.shaders().count();
            return Err(EntryPointError::Index {
                index: entry,
                count,
            }
            .into());
        };
        self.converter.convert_entry(&self.input, entry, options)
    }
}

/// Returns true for a feature that only spirv-val lacks, not the conversion.
fn is_validation(feature: &Feature) -> bool {
    matches!(
        feature,
        Feature::ValidateComputedOffsets
            | Feature::ValidatePayloadType
            | Feature::ValidateExtension { .. }
    )
}

impl Opened for Module<'_> {
    fn entries(&self) -> Vec<Entry> {
        entries_of(&self.input)
    }

    fn is_library(&self) -> bool {
        self.input.shader.kind == ShaderKind::Library
    }

    fn convert(&mut self, entry: usize) -> Result<Converted, Failure> {
        let not_validated = match self.convert_with(entry, self.options) {
            Ok(output) => return Ok(output.into()),
            Err(Error::Unsupported { feature, .. }) if is_validation(&feature) => feature,
            Err(error) => return Err(Failure::from(&error)),
        };
        let mut options = self.options.clone();
        options.debug.validate = false;
        let output = self.convert_with(entry, &options);
        Ok(Converted {
            output: output.map_err(|error| Failure::from(&error))?,
            not_validated: Some(not_validated.to_string()),
        })
    }
}

/// Lists the entry points of a container's program or of bitcode, in the module's order.
pub fn entries(bytes: &[u8]) -> Result<Vec<Entry>, Failure> {
    trellis_dxil::dxbc::read(bytes)
        .map(|input| entries_of(&input))
        .map_err(|error| Failure::from(&error))
}

fn entries_of(input: &Input<'_>) -> Vec<Entry> {
    input
        .shader
        .exports()
        .into_iter()
        .map(|(entry, name)| Entry {
            name: name.to_owned(),
            stage: entry.kind,
        })
        .collect()
}
