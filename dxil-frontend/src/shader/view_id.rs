//! `dx.viewIdState`: which outputs depend on the view id and on which inputs.
//!
//! The metadata is a list of words: the number of input components; for each output stream (four in
//! a geometry shader, else one) the number of output components, a mask over them when the shader
//! uses the view id, and a mask over them for each input; then, in a hull shader, the same for
//! patch constants, in a domain shader the number of patch constants and a mask over the outputs
//! for each, in a mesh shader the same for primitive outputs.

use super::{ShaderKind, view_id_state};
use crate::error::Error;
use crate::module::Module;

/// Outputs that depend on the inputs and on the view id.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dependence {
    /// Number of output components.
    pub outputs: u32,
    /// Outputs that depend on the view id: words of bits; empty when the shader does not use it.
    pub view_id: Vec<u32>,
    /// For each input component, the outputs that depend on it: words of bits.
    pub inputs: Vec<Vec<u32>>,
}

/// The decoded state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct ViewIdState {
    /// Number of input components.
    pub inputs: u32,
    /// Outputs of each stream: four for a geometry shader, else one.
    pub streams: Vec<Dependence>,
    /// Hull: patch constants by inputs. Domain: outputs by patch constants (its `outputs` is the
    /// number of patch constants). Mesh: primitive outputs.
    pub patch: Option<Dependence>,
}

/// Most components that a state may count: more is malformed.
const MAX_COMPONENTS: u32 = 1 << 12;

struct Words<'a>(std::slice::Iter<'a, u32>);

impl Words<'_> {
    fn count(&mut self) -> Option<u32> {
        self.0.next().copied().filter(|&n| n <= MAX_COMPONENTS)
    }
    fn mask(&mut self, bits: u32) -> Option<Vec<u32>> {
        let words: Vec<u32> = self
            .0
            .by_ref()
            .take(bits.div_ceil(32) as usize)
            .copied()
            .collect();
        (words.len() == bits.div_ceil(32) as usize).then_some(words)
    }
    fn table(&mut self, rows: u32, bits: u32) -> Option<Vec<Vec<u32>>> {
        if rows as usize * bits.div_ceil(32) as usize > self.0.len() {
            return None;
        }
        (0..rows).map(|_| self.mask(bits)).collect()
    }
    fn dependence(&mut self, rows: u32, view_id: bool) -> Option<Dependence> {
        let outputs = self.count()?;
        let view_id = if view_id {
            self.mask(outputs)?
        } else {
            Vec::new()
        };
        Some(Dependence {
            outputs,
            view_id,
            inputs: self.table(rows, outputs)?,
        })
    }
}

impl ViewIdState {
    /// Reads the state; `None` without one, or when its words fit no known layout.
    ///
    /// # Errors
    /// The node is not a tuple of one `i32` array.
    pub fn read(module: &Module, kind: ShaderKind) -> Result<Option<Self>, Error> {
        let Some(words) = view_id_state(module)? else {
            return Ok(None);
        };
        // The words do not show whether the view id is used: only one of the two layouts fits their
        // number.
        Ok(Self::decode(&words, kind, false).or_else(|| Self::decode(&words, kind, true)))
    }

    /// Decodes the words of a stage; `None` when they are too many or too few.
    pub fn decode(words: &[u32], kind: ShaderKind, view_id: bool) -> Option<Self> {
        let mut w = Words(words.iter());
        let inputs = w.count()?;
        let streams = if kind == ShaderKind::Geometry { 4 } else { 1 };
        let streams: Vec<Dependence> = (0..streams)
            .map(|_| w.dependence(inputs, view_id))
            .collect::<Option<_>>()?;
        let patch = match kind {
            ShaderKind::Hull | ShaderKind::Mesh => Some(w.dependence(inputs, view_id)?),
            ShaderKind::Domain => {
                let outputs = w.count()?;
                Some(Dependence {
                    outputs,
                    view_id: Vec::new(),
                    inputs: w.table(outputs, streams.first()?.outputs)?,
                })
            }
            _ => None,
        };
        (w.0.len() == 0).then_some(Self {
            inputs,
            streams,
            patch,
        })
    }
}
