//! Geometry shaders: strips of vertices in streams, taken apart into primitives.

use trellis_dxil_frontend::shader::PrimitiveTopology;

use super::{MAX_VERTICES, Pipeline, Stage, Vertices};
use crate::error::{Error, InvalidKind, Quantity, bounded, invalid};
use crate::exec::stage::{Emission, Lane, Table};

/// Streams of a geometry shader.
const STREAMS: usize = 4;

impl<'p> Pipeline<'p> {
    /// Runs a geometry shader.
    pub(super) fn geometry(
        &mut self,
        stage: &'p Stage<'_>,
        from: &Vertices,
    ) -> Result<Vertices, Error> {
        let program = &stage.program;
        let properties = stage.entry.properties.geometry;
        let properties = properties.ok_or_else(|| invalid(InvalidKind::NoStageProperties))?;
        let size = properties.input.vertices() as usize;
        let count = from.table.rows().checked_div(size);
        let count = count.ok_or_else(|| invalid(InvalidKind::NoStageProperties))?;
        let all = (count as u64).saturating_mul(properties.instances.into());
        bounded(Quantity::Vertices, all, MAX_VERTICES)?;
        self.link(program, from, size);
        let per_instance = (from.per_instance / size).max(1);
        let primitives = (0..count).flat_map(|primitive| {
            (0..properties.instances.max(1)).map(move |instance| Lane {
                vertex: primitive * size,
                instance,
                primitive: (primitive % per_instance) as u32,
                ..Lane::default()
            })
        });
        let lanes: Vec<Lane> = primitives.collect();
        self.run(&lanes)?;
        let words = program.signatures.outputs.words;
        let mut streams = vec![Table::new(words, 0); STREAMS];
        for emitted in std::mem::take(&mut self.machine.stage.emitted) {
            let mut strips = vec![Vec::new(); STREAMS];
            // Vertices beyond the declared number have no effect.
            let mut left = properties.max_vertices;
            for emission in emitted {
                match emission {
                    Emission::Cut(stream) => strips[stream & 3].clear(),
                    Emission::Vertex(stream, row) if left > 0 => {
                        left -= 1;
                        let strip = &mut strips[stream & 3];
                        strip.push(row);
                        add_last(properties.output, strip, &mut streams[stream & 3])?;
                    }
                    Emission::Vertex(..) => {}
                }
            }
        }
        let others = streams.split_off(1);
        let table = streams.remove(0);
        let per_instance = table.rows();
        Ok(Vertices {
            others,
            size: corners(properties.output)?,
            ..Vertices::outputs(&program.signatures.outputs, table, per_instance)
        })
    }
}

/// Returns the vertices of a primitive.
fn corners(topology: PrimitiveTopology) -> Result<usize, Error> {
    Ok(match topology {
        PrimitiveTopology::PointList => 1,
        PrimitiveTopology::LineList | PrimitiveTopology::LineStrip => 2,
        PrimitiveTopology::TriangleList | PrimitiveTopology::TriangleStrip => 3,
        PrimitiveTopology::Unknown(_) => return Err(invalid(InvalidKind::NoStageProperties)),
    })
}

/// Appends the primitive that the last vertex of a strip ends, if there is one.
fn add_last(
    topology: PrimitiveTopology,
    strip: &[Vec<u64>],
    table: &mut Table,
) -> Result<(), Error> {
    let size = corners(topology)?;
    let Some(first) = strip.len().checked_sub(size) else {
        return Ok(());
    };
    let is_list = matches!(
        topology,
        PrimitiveTopology::LineList | PrimitiveTopology::TriangleList
    );
    if is_list && !first.is_multiple_of(size) {
        return Ok(());
    }
    let mut last: Vec<usize> = (first..strip.len()).collect();
    // Every other triangle of a strip has the other winding.
    if topology == PrimitiveTopology::TriangleStrip && first % 2 == 1 {
        last.swap(1, 2);
    }
    for vertex in last {
        table.push(&strip[vertex]);
    }
    Ok(())
}
