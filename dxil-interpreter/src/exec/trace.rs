//! Records the values that a chosen invocation computes.

use trellis_dxil_frontend::shader::ShaderKind;

use super::{Machine, Wave};
use crate::decode::has_threads;
use crate::error::{Error, Quantity, bounded};
use crate::program::Line;
use crate::{Step, Value};

/// Most instructions of a trace.
const MAX_STEPS: u64 = 1 << 20;

impl Machine<'_> {
    /// Records the instructions of a block that ran, if the traced invocation is among its lanes. A value keeps its
    /// slot until its block runs again.
    pub(super) fn trace(
        &mut self,
        wave: &Wave,
        lines: &[Line],
        lanes: &[usize],
    ) -> Result<(), Error> {
        let Some(traced) = self.traced else {
            return Ok(());
        };
        for &lane in lanes {
            if self.invocation(wave, lane) != Some(traced.id) {
                continue;
            }
            let steps = (self.trace.len() + lines.len()) as u64;
            bounded(Quantity::TraceSteps, steps, MAX_STEPS)?;
            self.trace.extend(lines.iter().map(|line| {
                Step {
                    function: line.function,
                    inst: line.inst,
                    values: { line.values.iter() }
                        .map(|&(ty, operand)| Value {
                            ty,
                            bits: wave.get(operand, lane),
                        })
                        .collect(),
                }
            }));
        }
        Ok(())
    }

    /// Returns the number of a lane, as [`Invocation::id`](crate::Invocation::id); `None` for a helper.
    fn invocation(&self, wave: &Wave, lane: usize) -> Option<[u32; 3]> {
        let program = self.program;
        if program.kind.is_some_and(has_threads) {
            let [x, y, z] = program.threads;
            let thread = program.thread(wave.first + lane as u32);
            let inside = [thread % x, thread / x % y, thread / x / y];
            let at = |axis: usize| {
                self.group[axis]
                    .wrapping_mul([x, y, z][axis])
                    .wrapping_add(inside[axis])
            };
            return Some([at(0), at(1), at(2)]);
        }
        let of = self.stage.lanes.get(lane).filter(|of| !of.is_helper)?;
        Some(match program.kind {
            Some(ShaderKind::Vertex) => [of.number, of.instance, 0],
            Some(ShaderKind::Pixel) => [of.pixel[0] as u32, of.pixel[1] as u32, of.sample],
            Some(ShaderKind::Domain) => [of.primitive, (self.stage.first_lane + lane) as u32, 0],
            _ => [of.primitive, of.instance, 0],
        })
    }
}
