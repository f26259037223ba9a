//! The real converter: the backend with the same options for every shader.

use trellis_dxil::frontend::Input;
use trellis_dxil::{Entry, EntryPointError, Options, Output};

use crate::converter::{Converter, Opened};
use crate::failure::Failure;

/// Converts with [`trellis_dxil`].
#[derive(Clone, Debug)]
pub struct Backend {
    options: Options,
}

impl Backend {
    /// Creates a converter with these options; their `entry` is ignored.
    pub fn new(options: Options) -> Self {
        Self { options }
    }

    /// Converts one entry point of a file: `entry`, or the only one if `entry` is `None`.
    pub fn convert(&self, bytes: &[u8], entry: Option<&str>) -> Result<Output, Failure> {
        let options = self.options.clone().with_entry(entry.map(str::to_owned));
        trellis_dxil::convert(bytes, &options).map_err(|error| Failure::from(&error))
    }
}

impl Converter for Backend {
    fn open<'a>(&'a self, bytes: &'a [u8]) -> Result<Box<dyn Opened + 'a>, Failure> {
        let mut input =
            trellis_dxil::frontend::read(bytes).map_err(|error| Failure::from(&error))?;
        if let Some(container) = input.container.filter(|_| self.options.debug.names) {
            trellis_dxil::frontend::names_from_stat(&container, &mut input.shader)
                .map_err(|error| Failure::from(&error))?;
        }
        Ok(Box::new(Module {
            input,
            options: &self.options,
        }))
    }
}

/// A parsed module.
struct Module<'a> {
    input: Input<'a>,
    options: &'a Options,
}

impl Opened for Module<'_> {
    fn entries(&self) -> Vec<Entry> {
        entries_of(&self.input)
    }

    fn convert(&self, entry: usize) -> Result<Output, Failure> {
        let output = match self.input.shader.shaders().nth(entry) {
            Some(entry) => trellis_dxil::convert_entry(&self.input, entry, self.options),
            None => Err(EntryPointError::Index {
                index: entry,
                count: self.input.shader.shaders().count(),
            }
            .into()),
        };
        output.map_err(|error| Failure::from(&error))
    }
}

/// Lists the entry points of a container's program or of bitcode, in the module's order.
pub fn entries(bytes: &[u8]) -> Result<Vec<Entry>, Failure> {
    trellis_dxil::frontend::read(bytes)
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
