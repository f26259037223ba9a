//! stub
use super::text::Text;
use crate::container::Container;
use crate::error::Error;
use crate::module::Module;
use crate::shader::Shader;
pub(super) fn write(_t: &mut Text, _m: &Module, _s: Option<&Shader>, _c: Option<&Container<'_>>) -> Result<(), Error> {
    Ok(())
}
