//! Hull and domain shaders around the tessellator.

use trellis_dxil_frontend::shader::{
    DomainProperties, HullProperties, SemanticKind, TessellatorDomain, TessellatorOutputPrimitive,
    TessellatorPartitioning,
};

use super::tessellator::tessellate;
use super::{MAX_VERTICES, MAX_WORDS, Pipeline, Stage, Vertices, links};
use crate::error::{Error, InvalidKind, Quantity, bounded, invalid};
use crate::exec::stage::{Lane, Table};
use crate::signature::{Element, Signature};

/// Patch constants of each patch.
pub(super) struct Patches {
    pub(super) signature: Signature,
    /// A row for each patch.
    pub(super) table: Table,
    pub(super) partitioning: TessellatorPartitioning,
    pub(super) primitive: TessellatorOutputPrimitive,
}

impl Patches {
    /// Returns the factors of a patch; 1 where there are fewer than four.
    fn factors(&self, patch: usize, semantic: SemanticKind) -> [f32; 4] {
        let words = self.signature.with(semantic).flat_map(Element::words);
        let mut factors = [1.0; 4];
        for (factor, (_, word)) in factors.iter_mut().zip(words) {
            *factor = f32::from_bits(self.table.get(patch, word) as u32);
        }
        factors
    }
}

/// Returns the control points that a pass-through hull shader copies.
fn copies(to: &Signature, from: &Vertices, lanes: &[Lane]) -> Result<Table, Error> {
    let all = to.words.max(1).saturating_mul(lanes.len()) as u64;
    bounded(Quantity::StageWords, all, MAX_WORDS)?;
    let links = links(to, &from.signature, &from.given);
    let mut table = Table::new(to.words, lanes.len());
    for (row, lane) in lanes.iter().enumerate() {
        let point = lane.vertex + lane.instance as usize;
        for (word, source) in links.iter().enumerate() {
            let value = source.map_or(0, |source| from.table.get(point, source));
            table.set(row, word, value);
        }
    }
    Ok(table)
}

impl<'p> Pipeline<'p> {
    /// Runs a hull shader: its control points, then its function of patch constants.
    pub(super) fn hull(
        &mut self,
        stage: &'p Stage<'_>,
        from: &Vertices,
    ) -> Result<Vertices, Error> {
        let program = &stage.program;
        let properties: Option<HullProperties> = stage.entry.properties.hull;
        let properties = properties.ok_or_else(|| invalid(InvalidKind::NoStageProperties))?;
        let sizes = [
            properties.input_control_points,
            properties.output_control_points,
        ];
        let [size, points] = sizes.map(|size| size as usize);
        let count = from.table.rows().checked_div(size).unwrap_or(0);
        let all = count.saturating_mul(points) as u64;
        bounded(Quantity::Vertices, all, MAX_VERTICES)?;
        self.link(program, from, size);
        let per_instance = (from.per_instance / size.max(1)).max(1);
        let patch = |number: usize| Lane {
            vertex: number * size,
            primitive: (number % per_instance) as u32,
            ..Lane::default()
        };
        let lanes: Vec<Lane> = (0..count)
            .flat_map(|number| {
                (0..points).map(move |point| Lane {
                    instance: point as u32,
                    ..patch(number)
                })
            })
            .collect();
        let table = match stage.entry.function {
            Some(_) => self.run(&lanes)?,
            // FXC writes no phase of control points if it would only copy them.
            None => copies(&program.signatures.outputs, from, &lanes)?,
        };
        let signature = &program.signatures.patch;
        let mut constants = Table::new(signature.words, 0);
        let function = stage.constants.as_ref();
        let function = function.ok_or_else(|| invalid(InvalidKind::NoStageProperties))?;
        self.enter(function)?;
        for number in 0..count {
            let state = &mut self.machine.stage;
            state.lanes = vec![patch(number)];
            state.outputs = Table::new(table.width(), 0);
            for point in 0..points {
                state.outputs.push(table.row(number * points + point));
            }
            state.patch = Table::new(signature.words, 1);
            self.machine.spend((points * table.width()) as u64)?;
            self.machine.run_group(&mut self.waves, 1)?;
            constants.push(self.machine.stage.patch.row(0));
        }
        let patches = Patches {
            signature: signature.clone(),
            table: constants,
            partitioning: properties.partitioning,
            primitive: properties.output_primitive,
        };
        let outputs = &program.signatures.outputs;
        Ok(Vertices {
            patches: Some(patches),
            size: points,
            ..Vertices::outputs(outputs, table, per_instance * points)
        })
    }

    /// Tessellates patches and runs a domain shader for the points.
    pub(super) fn domain(
        &mut self,
        stage: &'p Stage<'_>,
        from: &Vertices,
    ) -> Result<Vertices, Error> {
        let program = &stage.program;
        let properties: Option<DomainProperties> = stage.entry.properties.domain;
        let properties = properties.ok_or_else(|| invalid(InvalidKind::NoStageProperties))?;
        let size = properties.input_control_points as usize;
        self.link(program, from, size);
        let given;
        let patches = match &from.patches {
            Some(patches) => patches,
            None => {
                let count = from.table.rows().checked_div(size).unwrap_or(0);
                let signature = &program.signatures.patch;
                let (table, given_words) = self.values(signature, count)?;
                let mut words = signature.elements.iter().flat_map(Element::words);
                if let Some((element, word)) = words.find(|(_, word)| !given_words[*word]) {
                    return Err(element.missing(word));
                }
                let primitive = match properties.domain {
                    // Only the hull shader has these; a domain shader alone runs with defaults.
                    TessellatorDomain::IsoLine => TessellatorOutputPrimitive::Line,
                    _ => TessellatorOutputPrimitive::TriangleCw,
                };
                given = Patches {
                    signature: signature.clone(),
                    table,
                    partitioning: TessellatorPartitioning::Integer,
                    primitive,
                };
                &given
            }
        };
        let words = links(&program.signatures.patch, &patches.signature, &[]);
        let outputs = &program.signatures.outputs;
        let mut table = Table::new(outputs.words, 0);
        let per_instance = from.per_instance.checked_div(size).unwrap_or(0).max(1);
        for number in 0..patches.table.rows() {
            let constants = patches.table.row(number);
            let mut row = Table::new(words.len(), 1);
            for (word, from) in words.iter().enumerate() {
                let value = from.and_then(|from| constants.get(from));
                row.set(0, word, value.copied().unwrap_or(0));
            }
            let [u, v, ..] = patches.factors(number, SemanticKind::InsideTessFactor);
            let outer = patches.factors(number, SemanticKind::TessFactor);
            let (partitioning, primitive) = (patches.partitioning, patches.primitive);
            let made = tessellate(properties.domain, partitioning, primitive, outer, [u, v]);
            let lanes: Vec<Lane> = made
                .points
                .iter()
                .map(|&location| Lane {
                    vertex: number * size,
                    primitive: (number % per_instance) as u32,
                    location,
                    ..Lane::default()
                })
                .collect();
            self.machine.stage.patch = row;
            let points = self.run(&lanes)?;
            self.machine.spend(made.indices.len() as u64)?;
            let all = (table.rows() + made.indices.len()) * outputs.words.max(1);
            bounded(Quantity::StageWords, all as u64, MAX_WORDS)?;
            for point in made.indices {
                table.push(points.row(point));
            }
        }
        let size = match (patches.primitive, properties.domain) {
            (TessellatorOutputPrimitive::Point, _) => 1,
            (TessellatorOutputPrimitive::Line, _) | (_, TessellatorDomain::IsoLine) => 2,
            _ => 3,
        };
        let per_instance = table.rows();
        Ok(Vertices {
            size,
            ..Vertices::outputs(outputs, table, per_instance)
        })
    }
}
