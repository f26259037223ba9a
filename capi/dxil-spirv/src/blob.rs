//! Parsed blobs.

use std::ffi::{CStr, CString};
use std::sync::{Arc, OnceLock};

use trellis_c_support::text::c_string;
use trellis_dxil_frontend::container::{Container, Source};
use trellis_dxil_frontend::shader::{EntryPoint, Shader, source_name};
use trellis_dxil_frontend::{Input, disasm};

use crate::abi::{Stage, result, stage};
use crate::failure::{Failure, Result};
use crate::nodes::Node;
use crate::rdat::{self, Subobject};
use crate::stage::stage_number;

/// A program in DXIL. Nothing of it changes.
#[derive(Debug)]
pub(crate) struct OwnBlob {
    pub(crate) program: OwnedProgram,
    /// Names of the shaders, in the order of `Shader::shaders`.
    pub(crate) names: Vec<EntryNames>,
    pub(crate) subobjects: Vec<Subobject>,
    /// The bitcode is the input itself, rather than a part of a container.
    bare: bool,
    /// Those of the shaders that are nodes of a work graph, in the same order.
    nodes: Vec<Option<Node>>,
    listing: OnceLock<Option<CString>>,
}

/// The names of an entry point.
#[derive(Debug)]
pub(crate) struct EntryNames {
    pub(crate) mangled: CString,
    pub(crate) source: CString,
}

/// A program that was read, with its bytes.
#[derive(Debug)]
pub(crate) struct OwnedProgram {
    // Before `bytes`, which it borrows.
    input: Input<'static>,
    bytes: Arc<[u8]>,
}

impl OwnedProgram {
    /// Reads a program from a copy of bytes.
    fn read(
        bytes: &[u8],
        read: impl FnOnce(&'static [u8]) -> Result<Input<'static>>,
    ) -> Result<Self> {
        let bytes: Arc<[u8]> = Arc::from(bytes);
        // SAFETY: the input, which is all that borrows it, is dropped before `bytes`, and only lent
        // with the lifetime of `self`; the bytes of an `Arc` neither move nor change.
        let forever: &'static [u8] = unsafe { &*Arc::as_ptr(&bytes) };
        let input = read(forever)?;
        Ok(Self { input, bytes })
    }

    pub(crate) fn input(&self) -> &Input<'_> {
        &self.input
    }

    /// Reads the same program again, with names of resources from another one.
    pub(crate) fn with_names(&self, names: &Shader) -> Result<Self> {
        let mut copy = Self::read(&self.bytes, |bytes| Ok(trellis_dxbc_frontend::read(bytes)?))?;
        for resource in &mut copy.input.shader.resources {
            if let Some(named) = names.resource(resource.class, resource.id)
                && resource.name.is_empty()
            {
                resource.name = named.name.clone();
            }
        }
        Ok(copy)
    }
}

/// Returns whether a container has a program in DXBC, and none in DXIL.
pub(crate) fn is_dxbc(bytes: &[u8]) -> bool {
    let parts = |names: &[&[u8; 4]]| {
        Container::open(bytes).is_ok_and(|container| {
            container
                .parts()
                .any(|part| names.contains(&&part.fourcc.0))
        })
    };
    parts(&[b"SHDR", b"SHEX"]) && !parts(&[b"DXIL"])
}

impl OwnBlob {
    /// Reads a container.
    pub(crate) fn container(bytes: &[u8]) -> Result<Self> {
        let subobjects = rdat::read(&Container::open(bytes)?)?;
        let program = OwnedProgram::read(bytes, |bytes| Ok(trellis_dxbc_frontend::read(bytes)?))?;
        Ok(Self::new(program, subobjects, false))
    }

    /// Reads the program of a container that is there for its names.
    pub(crate) fn reflection(bytes: &[u8]) -> Result<Self> {
        if Container::open(bytes)?.reflection_program()?.is_none() {
            return Err(Failure::answer(result::ERROR_NO_DATA));
        }
        let program = OwnedProgram::read(bytes, |bytes| {
            let container = Container::open(bytes)?;
            let program = container.reflection_program()?;
            let program = program.ok_or_else(|| Failure::answer(result::ERROR_NO_DATA))?;
            Ok(Input::read_program(container, program)?)
        })?;
        Ok(Self::new(program, Vec::new(), false))
    }

    /// Reads bitcode.
    pub(crate) fn bitcode(bytes: &[u8]) -> Result<Self> {
        if let Source::Container(_) = Source::open(bytes)? {
            let text = "the bytes are a container, not bitcode";
            return Err(Failure::new(result::ERROR_PARSER, text));
        }
        let program = OwnedProgram::read(bytes, |bytes| Ok(trellis_dxbc_frontend::read(bytes)?))?;
        Ok(Self::new(program, Vec::new(), true))
    }

    fn new(program: OwnedProgram, subobjects: Vec<Subobject>, bare: bool) -> Self {
        let names = program.input.shader.shaders().map(|entry| EntryNames {
            mangled: c_string(&entry.name),
            source: c_string(source_name(&entry.name)),
        });
        let names = names.collect();
        let nodes = program.input.shader.shaders().map(Node::of).collect();
        Self {
            program,
            nodes,
            names,
            subobjects,
            bare,
            listing: OnceLock::new(),
        }
    }

    pub(crate) fn shader(&self) -> &Shader {
        &self.program.input.shader
    }

    /// Returns the names of the entry point with a number.
    pub(crate) fn entry(&self, index: u32) -> Result<&EntryNames> {
        let none = || Failure::argument(format!("there is no entry point {index}"));
        self.names.get(index as usize).ok_or_else(none)
    }

    /// Returns the number of the entry point with a mangled name, or a name in the source.
    pub(crate) fn index(&self, name: &CStr) -> Option<u32> {
        let is = |names: &EntryNames| *names.mangled == *name || *names.source == *name;
        u32::try_from(self.names.iter().position(is)?).ok()
    }

    /// Returns the stage of the entry point with a name, or of the first one.
    pub(crate) fn stage(&self, name: Option<&str>) -> Stage {
        choose(self.shader(), name).map_or(stage::UNKNOWN, |entry| stage_number(entry.kind))
    }

    /// Returns the node that the entry point with a number is.
    pub(crate) fn node(&self, index: u32) -> Result<Option<&Node>> {
        self.entry(index)?;
        Ok(self.nodes.get(index as usize).and_then(Option::as_ref))
    }

    /// Returns the listing of the module.
    ///
    /// # Errors
    /// It is too long.
    pub(crate) fn listing(&self) -> Result<&CString> {
        let make = || {
            let Input {
                module,
                shader,
                container,
                ..
            } = &self.program.input;
            let text = disasm::disassemble(module, Some(shader), container.as_ref());
            text.ok().map(|text| c_string(&text))
        };
        self.listing.get_or_init(make).as_ref().ok_or_else(|| {
            let text = "the module has no listing: it would be too long";
            Failure::new(result::ERROR_GENERIC, text)
        })
    }

    /// Returns the bitcode of a container.
    pub(crate) fn raw(&self) -> Option<&[u8]> {
        let program = self.program.input.program.as_ref()?;
        (!self.bare).then_some(program.bitcode)
    }
}

/// Returns a mangled name without LLVM's mark that it is not to be mangled again.
fn readable(name: &str) -> &str {
    name.strip_prefix('\u{1}').unwrap_or(name)
}

/// Returns the number of the shader with a name: the mangled one, or the first with this name in
/// the source.
pub(crate) fn find(shader: &Shader, name: &str) -> Option<usize> {
    let mut mangled = shader.shaders();
    mangled
        .position(|e| readable(&e.name) == readable(name))
        .or_else(|| shader.shaders().position(|e| source_name(&e.name) == name))
}

/// Returns the shader with a name, or the first one.
pub(crate) fn choose<'a>(shader: &'a Shader, name: Option<&str>) -> Option<&'a EntryPoint> {
    let number = match name {
        Some(name) => find(shader, name)?,
        None => 0,
    };
    shader.shaders().nth(number)
}
