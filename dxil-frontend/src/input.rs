//! Entry points of the crate: bytes in, module and shader out.

use crate::bitcode::{self, NamedResource};
use crate::bitstream::{MAGIC, WRAPPER_MAGIC};
use crate::container::{Container, FourCC, PDB_MAGIC, Part, Program, Source, WrongSize};
use crate::error::{ContainerError, ContainerErrorKind, Error};
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

/// Returns true if a file starts as one that [`read`] accepts: a DXBC container, also in a PDB,
/// bitcode, or bitcode with LLVM's wrapper header or a program header. It reads 32 bytes.
///
/// ```
/// assert!(trellis_dxil_frontend::is_dxil(include_bytes!("../tests/data/pixel.dxil")));
/// assert!(!trellis_dxil_frontend::is_dxil(b"DXB"));
/// ```
pub fn is_dxil(start: &[u8]) -> bool {
    let bitcode = [MAGIC, WRAPPER_MAGIC].map(u32::to_le_bytes);
    let part = Part {
        fourcc: FourCC::DXIL,
        offset: 0,
        data: start,
    };
    { bitcode.iter().chain(Some(&FourCC::CONTAINER.0)) }.any(|magic| start.starts_with(magic))
        || start.starts_with(PDB_MAGIC)
        || Program::is_program(&part)
}

/// Returns the sizes in headers of a file that differ from the contents, for warnings: [`read`]
/// uses the contents. Empty if it is not a container.
pub fn wrong_sizes(bytes: &[u8]) -> Vec<WrongSize> {
    match Source::open(bytes) {
        Ok(Source::Container(container)) => container.wrong_sizes(),
        _ => Vec::new(),
    }
}

/// Reads a DXBC container (its `DXIL` part, else `ILDB`, else `STAT`), by itself or in a PDB of `dxc -Fd`,
/// or bitcode with or without LLVM's wrapper header or a program header.
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
    match Source::open(bytes)? {
        Source::Container(container) => {
            let program = container.main_program()?;
            Input::read_program(container, program)
        }
        Source::Bitcode(bytes) => {
            let module = bitcode::read_boxed(bytes, 0)?;
            Ok(Input {
                container: None,
                program: None,
                shader: Shader::read(&module, None)?,
                module,
            })
        }
    }
}

/// As [`read`], but prefers the `ILDB` program, which has debug information and names, where a
/// container has one. Where that is malformed and the container has another one, that is read.
///
/// # Errors
/// As [`read`].
pub fn read_with_debug_info(bytes: &[u8]) -> Result<Input<'_>, Error> {
    if let Source::Container(container) = Source::open(bytes)?
        && let Some(part) = container.part(FourCC::DEBUG_PROGRAM)
        && container.part(FourCC::DXIL).is_some()
        && let Ok(program) = Program::read(&part)
        && let Ok(input) = Input::read_program(container, program)
    {
        return Ok(input);
    }
    read(bytes)
}

impl<'a> Input<'a> {
    /// Returns a program that another front end translated, with the container it came in.
    pub fn translated(container: Container<'a>, module: Module, shader: Shader) -> Self {
        Self {
            container: Some(container),
            program: None,
            module: Box::new(module),
            shader,
        }
    }

    /// Reads one program of a container, such as `ILDB` with its debug information.
    ///
    /// # Errors
    /// Malformed bitcode or metadata.
    pub fn read_program(container: Container<'a>, program: Program<'a>) -> Result<Self, Error> {
        let module = bitcode::read_boxed(program.bitcode, program.offset)?;
        let shader = Shader::read(&module, Some(&container))?;
        if shader.kind != program.kind {
            let part = program.part;
            let error = ContainerError {
                part,
                offset: container.part(part).map_or(0, |part| part.offset),
                kind: ContainerErrorKind::Field {
                    field: "shader kind",
                    found: program.kind as u64,
                    expected: "the stage of dx.shaderModel",
                },
            };
            return Err(error.into());
        }
        Ok(Self {
            shader,
            container: Some(container),
            program: Some(program),
            module,
        })
    }
}

/// Fills the names of resources that the `DXIL` program lost from the container's `STAT` program,
/// which keeps them. Returns whether the container has a `STAT` program. Of it, only the resources
/// are read and checked.
///
/// # Errors
/// The `STAT` program is malformed.
pub fn names_from_stat(container: &Container<'_>, shader: &mut Shader) -> Result<bool, Error> {
    let Some(program) = container.reflection_program()? else {
        return Ok(false);
    };
    if shader.resources.iter().all(|r| !r.name.is_empty()) {
        return Ok(true);
    }
    if let Ok(Some(names)) = bitcode::resource_names(program.bitcode, program.offset) {
        set_names(shader, names);
        return Ok(true);
    }
    // The module reader accepts unusual input, and reports errors.
    let module = bitcode::read_boxed(program.bitcode, program.offset)?;
    let resources = shader::resource_list(&module)?;
    let names = resources.into_iter().map(|r| (r.class, r.id, r.name));
    set_names(shader, names.collect());
    Ok(true)
}

/// Gives names, by class and number, to the resources that have none.
fn set_names(shader: &mut Shader, names: Vec<NamedResource>) {
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
