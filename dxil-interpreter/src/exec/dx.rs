//! Operations of `dx.op`, by how they are run.

use trellis_dxil_frontend::dxop::{DerivativeOp, WaveOp};
use trellis_entity::EntityRange;

use super::{Machine, Results, Wave, pure, waves};
use crate::action::{Action, Exchange, ThreadNumber};
use crate::error::Error;
use crate::program::{OperandId, Slot};
use crate::scalar::Scalar;

impl Machine<'_> {
    /// Runs an operation for the lanes that are together here.
    pub(super) fn dx(
        &mut self,
        wave: &mut Wave,
        action: Action,
        ty: Scalar,
        out: EntityRange<Slot>,
        args: EntityRange<OperandId>,
        lanes: &[usize],
    ) -> Result<(), Error> {
        if let Action::Wave(op) = action {
            self.wave_op(wave, op, ty, out, args, lanes);
            return Ok(());
        }
        if let Action::Sample(op) = action {
            return self.sample_op(wave, op, ty, out, args, lanes);
        }
        if let Action::Feedback(op) = action {
            return self.feedback_op(wave, op, args, lanes);
        }
        let operands = &self.program.operands[args];
        let mut args: Vec<u64> = Vec::with_capacity(operands.len());
        for &lane in lanes {
            args.clear();
            args.extend(operands.iter().map(|&operand| wave.get(operand, lane)));
            let mut results: Results = [0; 9];
            let number = wave.first as usize + lane;
            match action {
                // Helper lanes change nothing.
                Action::Resource(op) if op.writes() && self.stage.is_helper(number) => {}
                Action::Stage(op) => self.stage_op(wave, op, lane, &args, &mut results)?,
                Action::Pure(op) => {
                    pure::run(op, ty, &args, self.flushes(), &mut results);
                    if let Some(noise) = &self.noise {
                        results[0] = noise.pure(op, ty, &args, results[0]);
                    }
                }
                Action::Thread(number) => {
                    let thread = self.program.thread(wave.first + lane as u32);
                    let direction = args.first().copied().unwrap_or(0);
                    results[0] = u64::from(self.thread_number(number, thread, direction));
                }
                Action::Resource(op) => self.resource_op(op, ty, &args, &mut results)?,
                Action::Gather(op) => results = self.gather(op, ty, &args)?,
                Action::Node(op) => results[0] = self.node_op(wave, op, lane, &args)?,
                Action::RayQuery(op) => self.ray_query(wave, op, lane, &args, &mut results)?,
                // Run for all lanes at once, above.
                Action::Wave(_) | Action::Sample(_) | Action::Feedback(_) => {}
            }
            if let Some(noise) = &self.noise {
                noise.stored(action, ty, &mut results);
            }
            for (slot, &value) in out.zip(&results) {
                wave.set(slot, lane, value);
            }
        }
        Ok(())
    }

    fn wave_op(
        &self,
        wave: &mut Wave,
        op: Exchange,
        ty: Scalar,
        out: EntityRange<Slot>,
        args: EntityRange<OperandId>,
        lanes: &[usize],
    ) {
        let operands = &self.program.operands[args];
        let columns: Vec<Vec<u64>> = operands
            .iter()
            .map(|&operand| {
                (0..wave.width)
                    .map(|lane| wave.get(operand, lane))
                    .collect()
            })
            .collect();
        // Helper lanes take part in exchanges of quads only.
        let is_active = |lane: &usize| {
            self.program.waves_have_helpers || !self.stage.is_helper(wave.first as usize + lane)
        };
        let active: Vec<usize> = lanes.iter().copied().filter(is_active).collect();
        // A coarse derivative may be of either row or column.
        let op = match (op, &self.noise) {
            (Exchange::Derivative(op), Some(noise)) if noise.flip() => {
                Exchange::Derivative(match op {
                    DerivativeOp::DerivCoarseX => DerivativeOp::DerivFineX,
                    DerivativeOp::DerivCoarseY => DerivativeOp::DerivFineY,
                    fine => fine,
                })
            }
            _ => op,
        };
        let mut results = waves::run(op, ty, wave.width, lanes, &active, &columns);
        if let (Some(noise), Some(column)) = (&self.noise, columns.first()) {
            noise.wave(op, ty, column, &mut results);
            // A lane that is not active has no value.
            if op == Exchange::Wave(WaveOp::WaveReadLaneAt) {
                for (lane, result) in lanes.iter().zip(&mut results) {
                    if !active.contains(&(columns[1][*lane] as u32 as usize)) {
                        result[0] = noise.any(ty);
                    }
                }
            }
        }
        for (&lane, result) in lanes.iter().zip(&results) {
            for (slot, &value) in out.zip(result) {
                wave.set(slot, lane, value);
            }
        }
    }

    /// Returns one of the numbers of a thread; 0 for a direction that does not exist.
    fn thread_number(&self, number: ThreadNumber, thread: u32, direction: u64) -> u32 {
        if number == ThreadNumber::FlatInGroup {
            return thread;
        }
        let Some(at) = usize::try_from(direction).ok().filter(|&at| at < 3) else {
            return 0;
        };
        let size = self.program.threads;
        let in_group = [
            thread % size[0],
            thread / size[0] % size[1],
            thread / (size[0] * size[1]),
        ][at];
        match number {
            ThreadNumber::FlatInGroup => thread,
            ThreadNumber::Group => self.group[at],
            ThreadNumber::InGroup => in_group,
            ThreadNumber::InDispatch => {
                self.group[at].wrapping_mul(size[at]).wrapping_add(in_group)
            }
        }
    }
}
