//! The choice of an entry point.

use trellis_dxil_frontend::shader::{EntryPoint, Shader};

use crate::error::{EntryPointError, Error};

/// Returns the entry point named `wanted`, or the only one.
///
/// # Errors
/// The entry point does not exist, or there are several and none is named.
pub(crate) fn choose<'a>(
    shader: &'a Shader,
    wanted: Option<&str>,
) -> Result<&'a EntryPoint, Error> {
    let available = || {
        let exports = shader.exports();
        let names = exports.into_iter().map(|(_, name)| name.to_owned());
        names.collect()
    };
    if let Some(name) = wanted {
        let missing = || EntryPointError::NotFound {
            name: name.to_owned(),
            available: available(),
        };
        return Ok(shader.shader_named(name).ok_or_else(missing)?);
    }
    let mut entries = shader.shaders();
    match (entries.next(), entries.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(EntryPointError::None.into()),
        (Some(_), Some(_)) => Err(EntryPointError::Ambiguous {
            available: available(),
        }
        .into()),
    }
}
