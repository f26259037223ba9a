//! The memory that one conversion has allocated at a time, and the bound that it is compared with.

use trellis_spirv_backend::{Error, Options, convert, entry_points};

use crate::Shader;
use crate::allocations::peak_during;

/// The most memory that the conversion of a shader had allocated at a time.
#[derive(Clone, Debug)]
pub struct Peak {
    /// The shader's name.
    pub name: String,
    /// Bytes of the container.
    pub input: u64,
    /// Bytes in use at once, above those before; the input is not among them, the result is.
    pub peak: u64,
}

impl Peak {
    /// Bytes of the bound per byte of the input.
    pub const BOUND_PER_BYTE: u64 = 12;

    /// Bytes of the bound for an empty input.
    pub const BOUND_AT_LEAST: u64 = 256 << 10;

    /// Converts a shader, in memory that nothing used before; of several entry points the largest
    /// peak counts.
    ///
    /// # Errors
    /// The shader does not convert.
    pub fn of(shader: &Shader, options: &Options) -> Result<Self, Error> {
        let mut most = 0;
        for entry in entry_points(&shader.bytes)? {
            let options = options.clone().with_entry(Some(entry.name));
            let mut result = Ok(());
            let peak = peak_during(|| result = convert(&shader.bytes, &options).map(drop));
            result?;
            most = most.max(peak);
        }
        Ok(Self {
            name: shader.name.clone(),
            input: shader.bytes.len() as u64,
            peak: most,
        })
    }

    /// Returns the most bytes that a conversion of this input may have allocated at a time.
    pub fn bound(&self) -> u64 {
        Self::BOUND_PER_BYTE * self.input + Self::BOUND_AT_LEAST
    }

    /// Returns the part of the bound that was allocated.
    pub fn of_bound(&self) -> f64 {
        self.peak as f64 / self.bound() as f64
    }
}
