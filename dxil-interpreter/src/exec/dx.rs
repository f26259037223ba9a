//! Operations of `dx.op`, by family.

use std::ops::Range;

use trellis_dxil_frontend::dxop::Op;

use super::{Machine, Wave, pure, waves};
use crate::error::Error;
use crate::scalar::Scalar;

/// How an operation is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Family {
    /// Each lane by itself, from its operands alone.
    Pure,
    /// Who the lane is.
    Identity,
    /// Lanes look at each other.
    Wave,
    /// Resources.
    Resource,
}

fn family(op: Op) -> Option<Family> {
    use Op::*;
    Some(match op {
        FAbs
        | Saturate
        | IsNaN
        | IsInf
        | IsFinite
        | IsNormal
        | Cos
        | Sin
        | Tan
        | Acos
        | Asin
        | Atan
        | Hcos
        | Hsin
        | Htan
        | Exp
        | Frc
        | Log
        | Sqrt
        | Rsqrt
        | RoundNe
        | RoundNi
        | RoundPi
        | RoundZ
        | Bfrev
        | Countbits
        | FirstbitLo
        | FirstbitHi
        | FirstbitSHi
        | FMax
        | FMin
        | IMax
        | IMin
        | UMax
        | UMin
        | IMul
        | UMul
        | UDiv
        | UAddc
        | USubb
        | FMad
        | Fma
        | IMad
        | UMad
        | Msad
        | Ibfe
        | Ubfe
        | Bfi
        | Dot2
        | Dot3
        | Dot4
        | MakeDouble
        | SplitDouble
        | BitcastI16toF16
        | BitcastF16toI16
        | BitcastI32toF32
        | BitcastF32toI32
        | BitcastI64toF64
        | BitcastF64toI64
        | LegacyF32ToF16
        | LegacyF16ToF32
        | LegacyDoubleToFloat
        | LegacyDoubleToSInt32
        | LegacyDoubleToUInt32
        | Dot2AddHalf
        | Dot4AddI8Packed
        | Dot4AddU8Packed
        | Unpack4x8
        | Pack4x8
        | CheckAccessFullyMapped
        | IsHelperLane => Family::Pure,
        ThreadId | GroupId | ThreadIdInGroup | FlattenedThreadIdInGroup => Family::Identity,
        WaveIsFirstLane
        | WaveGetLaneIndex
        | WaveGetLaneCount
        | WaveAnyTrue
        | WaveAllTrue
        | WaveActiveAllEqual
        | WaveActiveBallot
        | WaveReadLaneAt
        | WaveReadLaneFirst
        | WaveActiveOp
        | WaveActiveBit
        | WavePrefixOp
        | WaveAllBitCount
        | WavePrefixBitCount
        | WaveMatch
        | WaveMultiPrefixOp
        | WaveMultiPrefixBitCount
        | QuadReadLaneAt
        | QuadOp
        | QuadVote
        | DerivCoarseX
        | DerivCoarseY
        | DerivFineX
        | DerivFineY => Family::Wave,
        CBufferLoad
        | CBufferLoadLegacy
        | BufferLoad
        | BufferStore
        | RawBufferLoad
        | RawBufferStore
        | BufferUpdateCounter
        | GetDimensions
        | AtomicBinOp
        | AtomicCompareExchange
        | TextureLoad
        | TextureStore
        | TextureStoreSample
        | Texture2DMSGetSamplePosition => Family::Resource,
        _ => return None,
    })
}

/// Whether this model has an operation.
pub(crate) fn is_supported(op: Op) -> bool {
    family(op).is_some()
}

impl Machine<'_> {
    /// Runs an operation for the lanes that are together here.
    pub(super) fn dx(
        &mut self,
        wave: &mut Wave,
        op: Op,
        ty: Scalar,
        out: Range<u32>,
        args: Range<u32>,
        lanes: &[usize],
    ) -> Result<(), Error> {
        let operands = &self.program.operands[args.start as usize..args.end as usize];
        let Some(family) = family(op) else {
            return Err(crate::error::unsupported(op.name()));
        };
        if family == Family::Wave {
            let columns: Vec<Vec<u64>> = operands
                .iter()
                .map(|&operand| {
                    (0..wave.width)
                        .map(|lane| wave.get(operand, lane))
                        .collect()
                })
                .collect();
            let results = waves::run(op, ty, wave.width, lanes, &columns);
            for (&lane, result) in lanes.iter().zip(&results) {
                for (slot, &value) in out.clone().zip(result) {
                    wave.set(slot, lane, value);
                }
            }
            return Ok(());
        }
        let mut args: Vec<u64> = Vec::with_capacity(operands.len());
        for &lane in lanes {
            args.clear();
            args.extend(operands.iter().map(|&operand| wave.get(operand, lane)));
            let mut results = [0; 8];
            match family {
                Family::Pure => pure::run(op, ty, &args, self.program.flush, &mut results),
                Family::Identity => {
                    results[0] = u64::from(self.identity(
                        op,
                        self.program.thread(wave.first + lane as u32),
                        args.first().copied().unwrap_or(0),
                    ));
                }
                _ => self.resource_op(op, ty, &args, &mut results)?,
            }
            for (slot, &value) in out.clone().zip(&results) {
                wave.set(slot, lane, value);
            }
        }
        Ok(())
    }

    /// One of the numbers of a thread; 0 for a direction that there is not.
    fn identity(&self, op: Op, thread: u32, direction: u64) -> u32 {
        if op == Op::FlattenedThreadIdInGroup {
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
        match op {
            Op::GroupId => self.group[at],
            Op::ThreadIdInGroup => in_group,
            _ => self.group[at].wrapping_mul(size[at]).wrapping_add(in_group),
        }
    }
}
