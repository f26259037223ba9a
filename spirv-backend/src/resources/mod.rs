//! Descriptors.

use crate::emitter::Emitter;
use crate::error::Error;

/// Variables of the resources in use.
#[derive(Default)]
pub(crate) struct Resources {}

impl Resources {
    /// Declares what must stand before the bodies; called once for the module.
    pub(crate) fn declare(e: &mut Emitter<'_>) -> Result<(), Error> {
        let _ = e;
        Ok(())
    }
}
