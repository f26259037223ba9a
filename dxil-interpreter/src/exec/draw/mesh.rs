//! Amplification and mesh shaders: groups of threads that dispatch others, and that write vertices and
//! primitives.

use trellis_dxil_frontend::shader::MeshTopology;

use super::{MAX_PAYLOAD, MAX_VERTICES, MAX_WORDS, Pipeline, Stage, Vertices};
use crate::error::{Error, InvalidKind, Quantity, bounded, invalid};
use crate::exec::groups;
use crate::exec::stage::{Mesh, Table};
use crate::signature::Signature;

/// Most bytes of all payloads.
const MAX_PAYLOADS: u64 = 1 << 26;

/// Groups of mesh shaders with their payload.
pub(super) type Dispatches = Vec<([u32; 3], Vec<u8>)>;

impl<'p> Pipeline<'p> {
    /// Runs an amplification shader.
    pub(super) fn amplification(&mut self, stage: &'p Stage<'_>) -> Result<Dispatches, Error> {
        let size = stage.entry.properties.amplification.map(|p| p.payload_size);
        let size = size.unwrap_or(0).min(MAX_PAYLOAD) as usize;
        self.machine.stage.mesh.payload_size = size;
        let mut dispatches = Dispatches::new();
        let mut bytes = 0;
        for group in groups(self.draw.groups.unwrap_or([1; 3])) {
            self.machine.group = group;
            self.machine.stage.mesh.dispatch = None;
            let threads = stage.program.group_size();
            self.machine.run_group(&mut self.waves, threads)?;
            let dispatch = self.machine.stage.mesh.dispatch.take();
            let (grid, payload) = dispatch.ok_or_else(|| invalid(InvalidKind::NoDispatch))?;
            bytes += payload.len() as u64;
            bounded(Quantity::PayloadBytes, bytes, MAX_PAYLOADS)?;
            dispatches.push((grid, payload));
        }
        Ok(dispatches)
    }

    /// Runs a mesh shader.
    pub(super) fn mesh(
        &mut self,
        stage: &'p Stage<'_>,
        dispatches: &[([u32; 3], Vec<u8>)],
    ) -> Result<Vertices, Error> {
        let properties = stage.entry.properties.mesh;
        let properties = properties.ok_or_else(|| invalid(InvalidKind::NoStageProperties))?;
        let size = match properties.topology {
            MeshTopology::Line => 2,
            MeshTopology::Triangle => 3,
            MeshTopology::Unknown(_) => return Err(invalid(InvalidKind::NoStageProperties)),
        };
        let signatures = &stage.program.signatures;
        let (vertex, primitive) = (&signatures.outputs, &signatures.patch);
        let most = [properties.max_vertices, properties.max_primitives];
        for count in most {
            bounded(Quantity::Vertices, count.into(), MAX_VERTICES)?;
        }
        let words = vertex.words + primitive.words;
        let cleared = most[0] as usize * vertex.words + most[1] as usize * primitive.words;
        bounded(Quantity::StageWords, cleared as u64, MAX_WORDS)?;
        let mut table = Table::new(words, 0);
        for (grid, payload) in dispatches {
            for group in groups(*grid) {
                self.machine.group = group;
                self.machine.spend(cleared as u64)?;
                self.machine.graph.set_record(payload.clone());
                let state = &mut self.machine.stage;
                state.outputs = Table::new(vertex.words, most[0] as usize);
                state.patch = Table::new(primitive.words, most[1] as usize);
                state.mesh = Mesh {
                    indices: vec![[0; 3]; most[1] as usize],
                    ..Mesh::default()
                };
                let threads = stage.program.group_size();
                self.machine.run_group(&mut self.waves, threads)?;
                let state = &self.machine.stage;
                let [vertices, primitives] = state.mesh.counts.unwrap_or_default();
                for number in 0..primitives.min(most[1]) as usize {
                    for &index in &state.mesh.indices[number][..size] {
                        // An index out of range is the last vertex.
                        let index = index.min(vertices.saturating_sub(1)) as usize;
                        let row = [state.outputs.row(index), state.patch.row(number)];
                        table.push(&row.concat());
                    }
                }
                let all = (table.rows() * words.max(1)) as u64;
                bounded(Quantity::StageWords, all, MAX_WORDS)?;
            }
        }
        let per_instance = table.rows();
        let signature = Signature::both(vertex, primitive);
        Ok(Vertices {
            size,
            ..Vertices::outputs(&signature, table, per_instance)
        })
    }
}
