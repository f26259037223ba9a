//! The front door: bytes in, module and shader out.

use crate::bitcode::read_module;
use crate::container::{Container, FourCC, Program, Source};
use crate::error::Error;
use crate::module::Module;
use crate::shader::{Shader, resource_list};

/// A program that was read, with the container it came in.
#[derive(Debug)]
pub struct Input<'a> {
    /// The container; `None` for bitcode by itself.
    pub container: Option<Container<'a>>,
    /// The part that the module was read from; `None` for bitcode by itself.
    pub program: Option<Program<'a>>,
    /// The module.
    pub module: Module,
    /// What it says about itself as a shader.
    pub shader: Shader,
}

/// Reads a DXBC container (its `DXIL` part, else `ILDB`, else `STAT`) or bitcode with or without LLVM's wrapper header.
///
/// ```
/// let bytes = include_bytes!("../tests/data/pixel.dxil");
/// let input = dxil_frontend::read(bytes)?;
/// assert_eq!(&*input.shader.entry_points[0].name, "main");
/// assert_eq!(input.shader.resources.len(), 5);
/// # Ok::<(), dxil_frontend::Error>(())
/// ```
///
/// # Errors
/// Anything malformed, with its place; see [`Error`].
pub fn read(bytes: &[u8]) -> Result<Input<'_>, Error> {
    match Source::open(bytes)? {
        Source::Container(container) => {
            let program = container.main_program()?;
            Input::read_program(container, program)
        }
        Source::Bitcode(bytes) => {
            let module = read_module(bytes, 0)?;
            let shader = Shader::read(&module, None)?;
            Ok(Input { container: None, program: None, module, shader })
        }
    }
}

/// As [`read`], but prefers the `ILDB` program, which has debug information and names, where a container has one.
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
        Ok(Self { container: Some(container), program: Some(program), module, shader })
    }
}

/// Fills the names of resources that the `DXIL` program lost from the container's `STAT` program, which keeps them.
/// Reads that program too, so it costs about as much again as reading the shader. Returns whether there is such a program.
///
/// # Errors
/// The `STAT` program is malformed.
pub fn names_from_stat(container: &Container<'_>, shader: &mut Shader) -> Result<bool, Error> {
    let Some(program) = container.reflection_program()? else { return Ok(false) };
    if shader.resources.iter().all(|r| !r.name.is_empty()) {
        return Ok(true);
    }
    let module = read_module(program.bitcode, program.offset)?;
    for named in resource_list(&module)? {
        if let Some(r) = shader.resources.iter_mut().find(|r| r.name.is_empty() && (r.class, r.id) == (named.class, named.id)) {
            r.name = named.name;
        }
    }
    Ok(true)
}
