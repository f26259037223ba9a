//! The memory of shaders that were given back, for the next one.

use super::{EntryPoint, Resource, Shader, SignatureElement, Signatures};

/// What reading a shader allocates; all lists are empty.
#[derive(Default)]
pub(crate) struct Buffers {
    pub(super) entry_points: Vec<EntryPoint>,
    pub(super) resources: Vec<Resource>,
    /// Of the signatures.
    pub(super) signatures: Vec<Vec<SignatureElement>>,
}

impl Buffers {
    /// Takes a shader back.
    pub(crate) fn recycle(&mut self, shader: Shader) {
        let Shader {
            mut entry_points,
            mut resources,
            ..
        } = shader;
        // In reverse order, so that the lists of a shader that is read again have the memory that
        // they need.
        for entry in entry_points.drain(..).rev() {
            let Signatures {
                input,
                output,
                patch_constant,
            } = entry.signatures;
            for mut list in [patch_constant, output, input] {
                if list.capacity() != 0 {
                    list.clear();
                    self.signatures.push(list);
                }
            }
        }
        resources.clear();
        self.entry_points = entry_points;
        self.resources = resources;
    }

    /// Returns the bytes that it keeps.
    pub(crate) fn bytes(&self) -> usize {
        let elements: usize = self.signatures.iter().map(Vec::capacity).sum();
        self.entry_points.capacity() * size_of::<EntryPoint>()
            + self.resources.capacity() * size_of::<Resource>()
            + self.signatures.capacity() * size_of::<Vec<SignatureElement>>()
            + elements * size_of::<SignatureElement>()
    }
}
