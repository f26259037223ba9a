//! Ray queries (shader model 6.5): their operations, for one lane.
//!
//! A query is a number that its allocation gives, from 1; each lane has a state for each allocation
//! of the shader. `traverse` has the rules for hits.
//!
//! Where D3D leaves a read undefined (a candidate while there is none, a committed hit of another
//! kind), numbers are 0, except for properties that all hits have. Commits that D3D does not permit
//! there have no effect.

mod intersect;
mod traverse;

use trellis_dxil_frontend::dxop::RayQueryOp;

use super::{Machine, Wave};
use crate::error::{Error, InvalidKind, invalid};
use intersect::Ray;
use traverse::{HitKind, Matrix};

pub(super) use traverse::{Query, Structure};

/// Flags that rays may have.
const RAY_FLAGS: u32 = 0x7ff;
/// Bits of an instance's ID and of its contribution to the hit group's index.
const INSTANCE_BITS: u32 = 0xff_ffff;
/// `CLUSTER_ID_INVALID`: no structure of the inputs has clusters.
const NO_CLUSTER: u64 = 0xffff_ffff;

/// A part of a hit.
#[derive(Clone, Copy)]
enum Part {
    Barycentrics,
    Cluster,
    Corners,
    Front,
    Geometry,
    Group,
    Id,
    Instance,
    ObjectDirection,
    ObjectOrigin,
    Primitive,
    ToObject,
    ToWorld,
}

/// Source of a result.
#[derive(Clone, Copy)]
enum Read {
    Candidate(Part),
    Committed(Part),
}

impl Machine<'_> {
    /// Runs an operation on a query.
    pub(super) fn ray_query(
        &mut self,
        wave: &mut Wave,
        op: RayQueryOp,
        lane: usize,
        args: &[u64],
        out: &mut [u64],
    ) -> Result<(), Error> {
        use RayQueryOp as Q;
        let arg = |index: usize| args.get(index).copied().unwrap_or(0);
        let place = (arg(0) as u32 as usize)
            .checked_sub(1)
            .filter(|&number| number < self.program.queries.len())
            .map(|number| number * wave.width + lane);
        let query = place.and_then(|place| wave.queries.get_mut(place));
        let query = query.ok_or_else(|| invalid(InvalidKind::UndefinedQuery))?;
        let result = match op {
            Q::AllocateRayQuery | Q::AllocateRayQuery2 => arg(0),
            Q::RayQueryTraceRayInline => {
                let structure = self.structure(arg(1))?;
                let number = arg(0) as usize - 1;
                *query = begin(structure, self.program.queries[number], args);
                0
            }
            Q::RayQueryProceed => {
                let left = self.limit.saturating_sub(self.steps);
                let visited = match self.structures.get(query.structure) {
                    Some(structure) => query.proceed(structure, left),
                    None => 0,
                };
                let found = query.candidate.kind != HitKind::Nothing;
                self.spend(visited)?;
                u64::from(found)
            }
            Q::RayQueryAbort => {
                query.is_traversing = false;
                0
            }
            Q::RayQueryCommitNonOpaqueTriangleHit => {
                if query.candidate.kind == HitKind::Triangle {
                    query.commit(query.candidate.t);
                }
                0
            }
            Q::RayQueryCommitProceduralPrimitiveHit => {
                if query.candidate.kind == HitKind::Box {
                    query.commit(f32::from_bits(arg(1) as u32));
                }
                0
            }
            Q::RayQueryCommittedStatus => query.committed.kind as u64,
            // A triangle, the first of these numbers, while there is no candidate.
            Q::RayQueryCandidateType => u64::from(query.candidate.kind == HitKind::Box),
            Q::RayQueryCandidateProceduralPrimitiveNonOpaque => {
                let candidate = &query.candidate;
                u64::from(candidate.kind == HitKind::Box && !candidate.opaque)
            }
            Q::RayQueryRayFlags => u64::from(query.flags),
            Q::RayQueryRayTMin => bits(query.t_min),
            Q::RayQueryCandidateTriangleRayT => bits(query.candidate.t),
            Q::RayQueryCommittedRayT => bits(query.t_current),
            Q::RayQueryWorldRayOrigin => component(&query.ray.origin, arg(1)),
            Q::RayQueryWorldRayDirection => component(&query.ray.direction, arg(1)),
            _ => {
                let query = *query;
                if let Some(read) = read(op) {
                    self.read(&query, read, [arg(1), arg(2)], out);
                }
                return Ok(());
            }
        };
        if let Some(first) = out.first_mut() {
            *first = result;
        }
        Ok(())
    }

    /// Reads a part of a hit.
    fn read(&self, query: &Query, read: Read, at: [u64; 2], out: &mut [u64]) {
        let (hit, part) = match read {
            Read::Candidate(part) => (&query.candidate, part),
            Read::Committed(part) => (&query.committed, part),
        };
        let structure = self.structures.get(query.structure);
        let (Some(structure), Some(first)) = (structure, out.first_mut()) else {
            return;
        };
        if hit.kind == HitKind::Nothing {
            return;
        }
        let instance = structure.instance(hit.at.instance);
        *first = match part {
            Part::Barycentrics => component(&hit.barycentrics, at[0]),
            Part::Cluster => NO_CLUSTER,
            Part::Corners => {
                let corners = structure.corners(&hit.at).copied().unwrap_or_default();
                for (out, &number) in out.iter_mut().zip(corners.as_flattened()) {
                    *out = bits(number);
                }
                return;
            }
            Part::Front => u64::from(hit.front),
            Part::Geometry => u64::from(hit.at.geometry),
            Part::Group => instance.map_or(0, |i| u64::from(i.group & INSTANCE_BITS)),
            Part::Id => instance.map_or(0, |i| u64::from(i.id & INSTANCE_BITS)),
            Part::Instance => u64::from(hit.at.instance),
            Part::ObjectDirection => component(&hit.ray.direction, at[0]),
            Part::ObjectOrigin => component(&hit.ray.origin, at[0]),
            Part::Primitive => u64::from(hit.at.primitive),
            Part::ToObject => element(structure.to_object(hit.at.instance), at),
            Part::ToWorld => element(instance.map(|i| &i.transform), at),
        };
    }
}

/// Returns the state of a query at the start of a ray.
fn begin(structure: usize, flags: u32, args: &[u64]) -> Query {
    let word = |index: usize| args.get(index).map_or(0, |&word| word as u32);
    let numbers = |from: usize| [0, 1, 2].map(|axis| f32::from_bits(word(from + axis)));
    Query {
        structure,
        flags: (flags | word(2)) & RAY_FLAGS,
        mask: word(3) as u8,
        ray: Ray {
            origin: numbers(4),
            direction: numbers(8),
        },
        t_min: f32::from_bits(word(7)),
        t_current: f32::from_bits(word(11)),
        is_traversing: true,
        ..Query::default()
    }
}

/// Returns the part of a hit that an operation reads.
fn read(op: RayQueryOp) -> Option<Read> {
    use Part as P;
    use RayQueryOp as Q;
    use Read::{Candidate, Committed};
    Some(match op {
        Q::RayQueryCandidateObjectToWorld3x4 => Candidate(P::ToWorld),
        Q::RayQueryCandidateWorldToObject3x4 => Candidate(P::ToObject),
        Q::RayQueryCandidateTriangleFrontFace => Candidate(P::Front),
        Q::RayQueryCandidateTriangleBarycentrics => Candidate(P::Barycentrics),
        Q::RayQueryCandidateInstanceIndex => Candidate(P::Instance),
        Q::RayQueryCandidateInstanceID => Candidate(P::Id),
        Q::RayQueryCandidateGeometryIndex => Candidate(P::Geometry),
        Q::RayQueryCandidatePrimitiveIndex => Candidate(P::Primitive),
        Q::RayQueryCandidateObjectRayOrigin => Candidate(P::ObjectOrigin),
        Q::RayQueryCandidateObjectRayDirection => Candidate(P::ObjectDirection),
        Q::RayQueryCandidateInstanceContributionToHitGroupIndex => Candidate(P::Group),
        Q::RayQueryCandidateClusterID => Candidate(P::Cluster),
        Q::RayQueryCandidateTriangleObjectPosition => Candidate(P::Corners),
        Q::RayQueryCommittedObjectToWorld3x4 => Committed(P::ToWorld),
        Q::RayQueryCommittedWorldToObject3x4 => Committed(P::ToObject),
        Q::RayQueryCommittedTriangleFrontFace => Committed(P::Front),
        Q::RayQueryCommittedTriangleBarycentrics => Committed(P::Barycentrics),
        Q::RayQueryCommittedInstanceIndex => Committed(P::Instance),
        Q::RayQueryCommittedInstanceID => Committed(P::Id),
        Q::RayQueryCommittedGeometryIndex => Committed(P::Geometry),
        Q::RayQueryCommittedPrimitiveIndex => Committed(P::Primitive),
        Q::RayQueryCommittedObjectRayOrigin => Committed(P::ObjectOrigin),
        Q::RayQueryCommittedObjectRayDirection => Committed(P::ObjectDirection),
        Q::RayQueryCommittedInstanceContributionToHitGroupIndex => Committed(P::Group),
        Q::RayQueryCommittedClusterID => Committed(P::Cluster),
        Q::RayQueryCommittedTriangleObjectPosition => Committed(P::Corners),
        // Not parts of a hit: run above.
        Q::AllocateRayQuery
        | Q::AllocateRayQuery2
        | Q::RayQueryTraceRayInline
        | Q::RayQueryProceed
        | Q::RayQueryAbort
        | Q::RayQueryCommitNonOpaqueTriangleHit
        | Q::RayQueryCommitProceduralPrimitiveHit
        | Q::RayQueryCommittedStatus
        | Q::RayQueryCandidateType
        | Q::RayQueryCandidateProceduralPrimitiveNonOpaque
        | Q::RayQueryRayFlags
        | Q::RayQueryRayTMin
        | Q::RayQueryCandidateTriangleRayT
        | Q::RayQueryCommittedRayT
        | Q::RayQueryWorldRayOrigin
        | Q::RayQueryWorldRayDirection => return None,
    })
}

fn bits(number: f32) -> u64 {
    u64::from(number.to_bits())
}

/// Returns a component of a vector; 0 for one that does not exist.
fn component(vector: &[f32], index: u64) -> u64 {
    let index = usize::try_from(index).ok();
    index
        .and_then(|index| vector.get(index))
        .map_or(0, |&number| bits(number))
}

/// Returns a number of a matrix by row and column; 0 for one that does not exist.
fn element(matrix: Option<&Matrix>, [row, column]: [u64; 2]) -> u64 {
    let row = usize::try_from(row).ok();
    matrix
        .zip(row)
        .and_then(|(matrix, row)| matrix.get(row))
        .map_or(0, |row| component(row, column))
}
