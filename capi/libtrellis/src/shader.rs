//! Shaders that were read.

use std::sync::Arc;

use trellis_c_support::handle::Object;
use trellis_dxil::frontend::shader::EntryPoint;
use trellis_dxil::frontend::{self, Input};
use trellis_dxil::{EntryPointError, Error, dxbc};

use crate::abi::{Entry, Stage};
use crate::failure::Result;
use crate::text::Text;

/// The object of a shader handle.
#[derive(Debug)]
pub(crate) struct Shader {
    // Before `bytes`, which it borrows.
    input: Input<'static>,
    #[expect(dead_code, reason = "`input` borrows them")]
    bytes: Arc<[u8]>,
    entries: Vec<NamedEntry>,
}

impl Object for Shader {
    const MAGIC: u32 = 0x7E87_0003;
}

/// An entry point with the name that C reads.
#[derive(Debug)]
struct NamedEntry {
    name: Text,
    /// All but the name.
    facts: Entry,
}

// SAFETY: the only pointer is in `facts`, where it is null.
unsafe impl Send for NamedEntry {}
// SAFETY: as above.
unsafe impl Sync for NamedEntry {}

impl Shader {
    /// Reads a shader from a copy of bytes.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self> {
        let bytes: Arc<[u8]> = Arc::from(bytes);
        // SAFETY: the input, which is all that borrows it, is dropped before `bytes`, and only lent
        // with the lifetime of `self`; the bytes of an `Arc` neither move nor change.
        let forever: &'static [u8] = unsafe { &*Arc::as_ptr(&bytes) };
        let mut input = dxbc::read_with_debug_info(forever)?;
        if let Some(container) = &input.container
            && input.shader.resources.iter().any(|r| r.name.is_empty())
        {
            frontend::names_from_stat(container, &mut input.shader)?;
        }
        Ok(Self::new(input, bytes))
    }

    /// Links libraries.
    pub(crate) fn link(libraries: &[&Self]) -> Result<Self> {
        let libraries = libraries.iter().map(|shader| (&shader.input).into());
        let input = frontend::link(&libraries.collect::<Vec<_>>());
        let input = input
            .map_err(frontend::Error::from)
            .map_err(dxbc::Error::from)?;
        Ok(Self::new(input, Arc::default()))
    }

    fn new(input: Input<'static>, bytes: Arc<[u8]>) -> Self {
        let entries = input.shader.exports();
        let entries = entries
            .into_iter()
            .map(|(entry, name)| NamedEntry {
                name: Text::new(name),
                facts: facts(entry),
            })
            .collect();
        Self {
            input,
            bytes,
            entries,
        }
    }

    pub(crate) fn input(&self) -> &Input<'_> {
        &self.input
    }

    /// Returns the number of entry points.
    pub(crate) fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// Returns an entry point.
    pub(crate) fn entry(&self, index: usize) -> Result<Entry> {
        let missing = || {
            Error::from(EntryPointError::Index {
                index,
                count: self.entries.len(),
            })
        };
        let entry = self.entries.get(index).ok_or_else(missing)?;
        Ok(Entry {
            name: entry.name.as_ptr(),
            name_length: entry.name.len(),
            ..entry.facts
        })
    }

    /// Returns the entry point with a name, or the only one.
    pub(crate) fn choose(&self, wanted: Option<&str>) -> Result<&EntryPoint> {
        let shader = &self.input.shader;
        let available = || {
            let exports = shader.exports().into_iter();
            exports.map(|(_, name)| name.to_owned()).collect()
        };
        if let Some(name) = wanted {
            let missing = || EntryPointError::NotFound {
                name: name.to_owned(),
                available: available(),
            };
            return Ok(shader
                .shader_named(name)
                .ok_or_else(missing)
                .map_err(Error::from)?);
        }
        let mut shaders = shader.shaders();
        match (shaders.next(), shaders.next()) {
            (Some(only), None) => Ok(only),
            (None, _) => Err(Error::from(EntryPointError::None).into()),
            (Some(_), Some(_)) => {
                let available = available();
                Err(Error::from(EntryPointError::Ambiguous { available }).into())
            }
        }
    }
}

fn facts(entry: &EntryPoint) -> Entry {
    let wave = entry.properties.wave_size;
    Entry {
        name: std::ptr::null(),
        name_length: 0,
        stage: entry.kind as Stage,
        workgroup_size: entry.properties.num_threads.unwrap_or_default(),
        wave_size_min: wave.map_or(0, |wave| wave.minimum),
        wave_size_max: wave.map_or(0, |wave| wave.maximum),
        wave_size_preferred: wave.map_or(0, |wave| wave.preferred),
    }
}
