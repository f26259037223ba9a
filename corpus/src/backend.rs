//! The real converter: the backend with the same options for every shader.

use trellis_dxil_frontend::Input;
use trellis_spirv_backend::{EntryPointError, Options, Output};

use crate::converter::{Converted, Converter, Entry, Opened, stage_name};
use crate::failure::Failure;
use crate::report::Counts;

/// Converts with [`spirv_backend`].
#[derive(Clone, Debug)]
pub struct Backend {
    options: Options,
}

impl Backend {
    /// Converts with these options; their `entry` does not count.
    pub fn new(options: Options) -> Self {
        Self { options }
    }

    /// Converts one entry point of a file: the named one, or the only one.
    pub fn convert(&self, bytes: &[u8], entry: Option<&str>) -> Result<Converted, Failure> {
        let options = Options {
            entry: entry.map(str::to_owned),
            ..self.options.clone()
        };
        trellis_spirv_backend::convert(bytes, &options)
            .map(converted)
            .map_err(|error| Failure::from(&error))
    }
}

impl Converter for Backend {
    fn open<'a>(&'a self, bytes: &'a [u8]) -> Result<Box<dyn Opened + 'a>, Failure> {
        let mut input =
            trellis_dxil_frontend::read(bytes).map_err(|error| Failure::from(&error))?;
        if let Some(container) = input.container.filter(|_| self.options.names) {
            trellis_dxil_frontend::names_from_stat(&container, &mut input.shader)
                .map_err(|error| Failure::from(&error))?;
        }
        Ok(Box::new(Module {
            input,
            options: &self.options,
        }))
    }
}

/// A module that was read.
struct Module<'a> {
    input: Input<'a>,
    options: &'a Options,
}

impl Opened for Module<'_> {
    fn entries(&self) -> Vec<Entry> {
        entries_of(&self.input)
    }

    fn convert(&self, entry: usize) -> Result<Converted, Failure> {
        let output = match self.input.shader.shaders().nth(entry) {
            Some(entry) => trellis_spirv_backend::convert_entry(&self.input, entry, self.options),
            None => Err(EntryPointError::Index {
                index: entry,
                count: self.input.shader.shaders().count(),
            }
            .into()),
        };
        output.map(converted).map_err(|error| Failure::from(&error))
    }
}

/// Lists the entry points of a container's program or of bitcode, in the module's order.
pub fn entries(bytes: &[u8]) -> Result<Vec<Entry>, Failure> {
    trellis_dxil_frontend::read(bytes)
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
            stage: stage_name(entry.kind),
        })
        .collect()
}

fn converted(output: Output) -> Converted {
    let done = &output.report;
    let structurizer = Counts {
        ladders: done.ladders.into(),
        selectors: done.selectors.into(),
        dispatch_headers: done.dispatch_headers.into(),
        breakable_blocks: done.breakable_blocks.into(),
        phis: done.phis.into(),
        undef_operands: done.undef_operands.into(),
        blocks: done.blocks.into(),
    };
    Converted {
        entry: output.entry,
        stage: stage_name(output.stage),
        words: output.words,
        structurizer,
    }
}
