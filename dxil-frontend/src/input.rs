//! Entry points of the crate: bytes in, module and shader out.

use crate::bitcode::{NamedResource, read_module, resource_names};
use crate::container::{Container, FourCC, Program, Source};
use crate::error::Error;
use crate::module::Module;
use crate::shader::{Resource, Shader, resource_list};

/// A program that was read, with the container it came in.
#[derive(Debug)]
#[non_exhaustive]
pub struct Input<'a> {
    /// The container; `None` for bitcode by itself.
    pub container: Option<Container<'a>>,
    /// The part that the module was read from; `None` for bitcode by itself.
    pub program: Option<Program<'a>>,
    /// The module.
    pub module: Module,
    /// Shader-level description, read from the module's metadata.
    pub shader: Shader,
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
    match Source::open(bytes)? {
        Source::Container(container) => {
            let program = container.main_program()?;
            Input::read_program(container, program)
        }
        Source::Bitcode(bytes) => {
            let module = read_module(bytes, 0)?;
            let shader = Shader::read(&module, None)?;
            Ok(Input {
                container: None,
                program: None,
                module,
                shader,
            })
        }
    }
}

/// As [`read`], but prefers the `ILDB` program, which has debug information and names, where a
/// container has one.
///
/// # Errors
/// As [`read`].
pub fn read_with_debug_info(bytes: &[u8]) -> Result<Input<'_>, Error> {
    if let Source::Container(container) = Source::open(bytes)?
        && let Some(part) = container.part(FourCC::DEBUG_PROGRAM)
    {
        return Input::read_program(container, Program::read(&part)?);
    }
    read(bytes)
}

impl<'a> Input<'a> {
    /// Reads one program of a container, such as `ILDB` with its debug information.
    ///
    /// # Errors
    /// Malformed bitcode or metadata.
    pub fn read_program(container: Container<'a>, program: Program<'a>) -> Result<Self, Error> {
        let module = read_module(program.bitcode, program.offset)?;
        let shader = Shader::read(&module, Some(&container))?;
        Ok(Self {
            container: Some(container),
            program: Some(program),
            module,
            shader,
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
    let names = match resource_names(program.bitcode, program.offset) {
        Ok(Some(names)) => names,
        // The module reader accepts unusual input, and reports what is wrong.
        Ok(None) | Err(_) => all_names(&read_module(program.bitcode, program.offset)?)?,
    };
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
    Ok(true)
}

/// Returns the names that the resources of a module have.
fn all_names(module: &Module) -> Result<Vec<NamedResource>, Error> {
    Ok(resource_list(module)?
        .into_iter()
        .map(|r| (r.class, r.id, r.name))
        .collect())
}
