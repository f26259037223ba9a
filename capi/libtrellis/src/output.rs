//! Translations and their results.

use trellis_c_support::handle::Object;
use trellis_dxil::{Options, Output};

use crate::abi::{self, ModuleInfo, Stage};
use crate::failure::Result;
use crate::shader::Shader;
use crate::text::Text;

/// The object of a converter handle.
#[derive(Debug)]
pub(crate) struct Converter {
    options: Options,
    /// Keeps memory between shaders.
    converter: trellis_dxil::Converter,
}

impl Object for Converter {
    const MAGIC: u32 = 0x7E87_0004;
}

impl Converter {
    pub(crate) fn new(options: Options) -> Self {
        let converter = trellis_dxil::Converter::new();
        Self { options, converter }
    }

    pub(crate) fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Translates an entry point: the one that `entry` names, else the one in the options, else the
    /// only one.
    pub(crate) fn convert(&mut self, shader: &Shader, entry: Option<&str>) -> Result<Module> {
        let entry = shader.choose(entry.or(self.options.entry.as_deref()))?;
        let (input, options) = (shader.input(), &self.options);
        let output = self.converter.convert_entry(input, entry, options)?;
        Ok(Module::new(output))
    }
}

/// The object of a module handle.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) words: Vec<u32>,
    entry: Text,
    stage: Stage,
    patch_location: u32,
}

impl Object for Module {
    const MAGIC: u32 = 0x7E87_0005;
}

impl Module {
    fn new(output: Output) -> Self {
        Self {
            words: output.words,
            entry: Text::new(&output.entry),
            stage: output.stage as Stage,
            patch_location: output.patch_location.unwrap_or(abi::TRELLIS_UNKNOWN),
        }
    }

    /// Returns the facts, with a pointer to the name.
    pub(crate) fn info(&self) -> ModuleInfo {
        ModuleInfo {
            entry: self.entry.as_ptr(),
            entry_length: self.entry.len(),
            stage: self.stage,
            patch_location: self.patch_location,
        }
    }
}
