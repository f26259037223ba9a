//! Entry points of the crate: bytes in, module and shader out.

use crate::bitcode::{self, NamedResource};
use crate::bitstream::{MAGIC, WRAPPER_MAGIC};
use crate::container::{Container, FourCC, Program, Source};
use crate::error::Error;
use crate::module::Module;
use crate::shader::{self, Resource, Shader};

/// A program that was read, with the container it came in.
#[derive(Debug)]
#[non_exhaustive]
pub struct Input<'a> {
    /// The container; `None` for bitcode by itself.
    pub container: Option<Container<'a>>,
    /// The part that the module was read from; `None` for bitcode by itself.
    pub program: Option<Program<'a>>,
    /// The module; in a box, as an input is moved and a module is large.
    pub module: Box<Module>,
    /// Shader-level description, read from the module's metadata.
    pub shader: Shader,
}

/// Returns true if the first four bytes of a file are those of what [`read`] accepts: a DXBC container,
/// bitcode, or bitcode with LLVM's wrapper header. It looks at nothing else.
///
/// ```
/// assert!(trellis_dxil_frontend::is_dxil(include_bytes!("../tests/data/pixel.dxil")));
/// assert!(!trellis_dxil_frontend::is_dxil(b"DXB"));
/// ```
pub fn is_dxil(start: &[u8]) -> bool {
    let bitcode = [MAGIC, WRAPPER_MAGIC].map(u32::to_le_bytes);
    { bitcode.iter().chain(Some(&FourCC::CONTAINER.0)) }.any(|magic| start.starts_with(magic))
}

/// Reads a DXBC container (its `DXIL` part, else `ILDB`, else `STAT`) or bitcode with or without
/// LLVM's wrapper header.
///
/// ```
/// let bytes = include_bytes!("../tests/data/pixel.dxil");
/// let input = trellis_dxil_frontend::read(bytes)?;
/// assert_eq!(&*input.shader.entry_points[0].name, "main");
/// assert_eq!(input.shader.resources.len(), 5);
/// # Ok::<(), trellis_dxil_frontend::Error>(())
/// ```
///
/// # Errors
/// Malformed input, with its position; see [`Error`].
pub fn read(bytes: &[u8]) -> Result<Input<'_>, Error> {
    Reader::new().read(bytes)
}

/// As [`read`], but prefers the `ILDB` program, which has debug information and names, where a
/// container has one that can be read.
///
/// # Errors
/// As [`read`].
pub fn read_with_debug_info(bytes: &[u8]) -> Result<Input<'_>, Error> {
    Reader::new().read_with_debug_info(bytes)
}

impl<'a> Input<'a> {
    /// Reads one program of a container, such as `ILDB` with its debug information.
    ///
    /// # Errors
    /// Malformed bitcode or metadata.
    pub fn read_program(container: Container<'a>, program: Program<'a>) -> Result<Self, Error> {
        Reader::new().read_program(container, program)
    }
}

/// Reads programs one after another, each in the memory of those before: for a thread that reads
/// many. Results do not depend on what was read before.
///
/// ```
/// use trellis_dxil_frontend::Reader;
///
/// let bytes = include_bytes!("../tests/data/pixel.dxil");
/// let mut reader = Reader::new();
/// for _ in 0..3 {
///     let input = reader.read(bytes)?;
///     assert_eq!(input.shader.resources.len(), 5);
///     reader.recycle(input);
/// }
/// # Ok::<(), trellis_dxil_frontend::Error>(())
/// ```
#[derive(Default)]
pub struct Reader {
    bitcode: bitcode::Buffers,
    shader: shader::Buffers,
}

impl Reader {
    /// Returns a reader that keeps nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// As [`read`].
    ///
    /// # Errors
    /// As [`read`].
    pub fn read<'a>(&mut self, bytes: &'a [u8]) -> Result<Input<'a>, Error> {
        match Source::open(bytes)? {
            Source::Container(container) => {
                let program = container.main_program()?;
                self.read_program(container, program)
            }
            Source::Bitcode(bytes) => {
                let (module, shader) = self.read_parts(bytes, 0, None)?;
                Ok(Input {
                    container: None,
                    program: None,
                    module,
                    shader,
                })
            }
        }
    }

    /// As [`read_with_debug_info`]. Where the `ILDB` program is malformed and the container has
    /// another one, that is read.
    ///
    /// # Errors
    /// As [`read`].
    pub fn read_with_debug_info<'a>(&mut self, bytes: &'a [u8]) -> Result<Input<'a>, Error> {
        if let Source::Container(container) = Source::open(bytes)?
            && let Some(part) = container.part(FourCC::DEBUG_PROGRAM)
            && container.part(FourCC::DXIL).is_some()
            && let Ok(program) = Program::read(&part)
            && let Ok(input) = self.read_program(container, program)
        {
            return Ok(input);
        }
        self.read(bytes)
    }

    /// As [`Input::read_program`].
    ///
    /// # Errors
    /// As [`Input::read_program`].
    pub fn read_program<'a>(
        &mut self,
        container: Container<'a>,
        program: Program<'a>,
    ) -> Result<Input<'a>, Error> {
        let (module, shader) =
            self.read_parts(program.bitcode, program.offset, Some(&container))?;
        Ok(Input {
            container: Some(container),
            program: Some(program),
            module,
            shader,
        })
    }

    /// Reads a module, and the shader from its metadata.
    fn read_parts(
        &mut self,
        bitcode: &[u8],
        offset: usize,
        container: Option<&Container<'_>>,
    ) -> Result<(Box<Module>, Shader), Error> {
        let module = self.bitcode.read_module(bitcode, offset)?;
        match Shader::read_with(&module, container, &mut self.shader) {
            Ok(shader) => Ok((module, shader)),
            Err(error) => {
                self.bitcode.recycle(module);
                Err(error)
            }
        }
    }

    /// As [`names_from_stat`](crate::names_from_stat()).
    ///
    /// # Errors
    /// As [`names_from_stat`](crate::names_from_stat()).
    pub fn names_from_stat(
        &mut self,
        container: &Container<'_>,
        shader: &mut Shader,
    ) -> Result<bool, Error> {
        let Some(program) = container.reflection_program()? else {
            return Ok(false);
        };
        if shader.resources.iter().all(|r| !r.name.is_empty()) {
            return Ok(true);
        }
        if let Ok(Some(names)) = self.bitcode.resource_names(program.bitcode, program.offset) {
            set_names(shader, names);
            return Ok(true);
        }
        // The module reader accepts unusual input, and reports what is wrong.
        let module = self.bitcode.read_module(program.bitcode, program.offset)?;
        let resources = shader::resource_list(&module);
        self.bitcode.recycle(module);
        set_names(
            shader,
            resources?.into_iter().map(|r| (r.class, r.id, r.name)),
        );
        Ok(true)
    }

    /// Takes the memory of an input, for the next one. It may come from another reader.
    pub fn recycle(&mut self, input: Input<'_>) {
        self.bitcode.recycle(input.module);
        self.shader.recycle(input.shader);
    }

    /// Returns the bytes that are kept.
    pub fn kept_bytes(&self) -> usize {
        self.bitcode.bytes() + self.shader.bytes()
    }
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kept_bytes = self.kept_bytes();
        f.debug_struct("Reader")
            .field("kept_bytes", &kept_bytes)
            .finish_non_exhaustive()
    }
}

/// Fills the names of resources that the `DXIL` program lost from the container's `STAT` program,
/// which keeps them. Returns whether the container has a `STAT` program. Of it, only the resources
/// are read and checked.
///
/// # Errors
/// The `STAT` program is malformed.
pub fn names_from_stat(container: &Container<'_>, shader: &mut Shader) -> Result<bool, Error> {
    Reader::new().names_from_stat(container, shader)
}

/// Gives names, by class and number, to the resources that have none.
fn set_names(shader: &mut Shader, names: impl Iterator<Item = NamedResource>) {
    let key = |r: &Resource| (r.class, r.id);
    // By class and number, as the names are.
    shader.resources.sort_by_key(key);
    let mut unnamed = shader
        .resources
        .iter_mut()
        .filter(|r| r.name.is_empty())
        .peekable();
    for (class, id, name) in names {
        while unnamed.next_if(|r| key(r) < (class, id)).is_some() {}
        if let Some(resource) = unnamed.next_if(|r| key(r) == (class, id)) {
            resource.name = name;
        }
    }
}
