//! Entry points for files of either kind: bytes in, module and shader out.

use trellis_dxil_frontend::Input;
use trellis_dxil_frontend::container::{Container, FourCC, Part, Source};
use trellis_dxil_frontend::disasm;
use trellis_dxil_frontend::module::{BlockId, FunctionId};
use trellis_dxil_frontend::shader::Version;

use crate::error::Error;
use crate::tokens::Program;
use crate::translate::translate;

/// Reads a shader: a DXBC container with a token stream, which is translated to DXIL, or all that
/// [`trellis_dxil_frontend::read`] takes. A container with both programs is read as DXIL.
///
/// # Errors
/// Malformed input, with its position; unsupported features of a token stream.
pub fn read(bytes: &[u8]) -> Result<Input<'_>, Error> {
    match tokens_container(bytes) {
        Some(container) => {
            let (module, shader, _) = translate(&container, &Program::read(&container)?)?;
            Ok(Input::translated(container, module, shader))
        }
        None => Ok(trellis_dxil_frontend::read(bytes)?),
    }
}

/// As [`read`], but prefers the DXIL program with debug information, where a container has one.
///
/// # Errors
/// As [`read`].
pub fn read_with_debug_info(bytes: &[u8]) -> Result<Input<'_>, Error> {
    match tokens_container(bytes) {
        Some(_) => read(bytes),
        None => Ok(trellis_dxil_frontend::read_with_debug_info(bytes)?),
    }
}

/// Returns a listing of a shader: the assembly of a token stream as FXC prints it, or the listing of a
/// DXIL module as DXC prints it.
///
/// # Errors
/// As [`read`]; a listing that is too long.
pub fn disassemble(bytes: &[u8]) -> Result<String, Error> {
    if let Some(container) = tokens_container(bytes) {
        let program = Program::read(&container)?;
        return Ok(crate::disasm::disassemble(&program, &container)?.0);
    }
    let input = trellis_dxil_frontend::read(bytes)?;
    let container = input.container.as_ref();
    Ok(disasm::disassemble(
        &input.module,
        Some(&input.shader),
        container,
    )?)
}

/// A line of the assembly of a token stream, and the block that it was translated to.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Place {
    /// Number of the line, from 0.
    pub line: usize,
    /// Offset of the instruction in the program, in bytes.
    pub offset: usize,
    /// Name of the function.
    pub function: Box<str>,
    /// Number of the block in the function.
    pub block: BlockId,
}

/// Returns the assembly of a token stream as [`disassemble`], with the blocks of its lines, which are as
/// in the module of [`read`]. `None` for a shader of another kind.
///
/// # Errors
/// As [`read`].
pub fn disassemble_with_places(bytes: &[u8]) -> Result<Option<(String, Vec<Place>)>, Error> {
    let Some(container) = tokens_container(bytes) else {
        return Ok(None);
    };
    let program = Program::read(&container)?;
    let (text, lines) = crate::disasm::disassemble(&program, &container)?;
    let (module, _, steps) = translate(&container, &program)?;
    let start = program_part(&container).map_or(0, |part| part.offset);
    let place = |(item, function, block): (usize, FunctionId, BlockId)| Place {
        line: lines[item],
        offset: program.items[item].offset.saturating_sub(start),
        function: module.function(function).name.as_str().into(),
        block,
    };
    let mut places: Vec<Place> = steps.into_iter().map(place).collect();
    // Code that is called, or is in a loop of phases, is translated several times.
    places.sort_by_key(|place| place.line);
    Ok(Some((text, places)))
}

/// Returns the shader model in the header of a container's program, which is there without reading the
/// program. `None` for other files.
pub fn shader_model(bytes: &[u8]) -> Option<Version> {
    let Ok(Source::Container(container)) = Source::open(bytes) else {
        return None;
    };
    let Some(container) = tokens_container(bytes) else {
        return Some(container.main_program().ok()?.model);
    };
    let part = program_part(&container)?;
    let version = u32::from(*part.data.first()?);
    Some(Version {
        major: version >> 4,
        minor: version & 15,
    })
}

fn program_part<'a>(container: &Container<'a>) -> Option<Part<'a>> {
    let mut parts = [FourCC::SHADER_EX, FourCC::SHADER].into_iter();
    parts.find_map(|part| container.part(part))
}

/// Returns the container of a file that has no DXIL program, but one of an earlier shader model.
fn tokens_container(bytes: &[u8]) -> Option<Container<'_>> {
    let Ok(Source::Container(container)) = Source::open(bytes) else {
        return None;
    };
    let has = |parts: &[FourCC]| parts.iter().any(|&part| container.part(part).is_some());
    let is_dxil = has(&[FourCC::DXIL, FourCC::DEBUG_PROGRAM]);
    let is_earlier = has(&[FourCC::SHADER_EX, FourCC::SHADER, FourCC::LEVEL_9]);
    (is_earlier && !is_dxil).then_some(container)
}
