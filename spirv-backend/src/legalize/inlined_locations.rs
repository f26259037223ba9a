//! Locations of instructions that are inlined: the callee's locations, inlined at the location of
//! the call.

use rustc_hash::FxHashMap;
use trellis_dxil_frontend::debug_info::DebugNode;
use trellis_dxil_frontend::metadata::{MdId, MdNode, Metadata};
use trellis_dxil_frontend::module::{DebugLoc, PoolRange};

/// Record code of `DILocation`.
const LOCATION: u32 = 7;

/// The locations of one call that is inlined.
pub(super) struct InlinedLocations {
    /// Location of the call.
    call: Option<DebugLoc>,
    /// The entry of that location, once it is needed.
    entry: Option<MdId>,
    /// Calls that were inlined into the callee, by the entries of their locations.
    moved: FxHashMap<MdId, MdId>,
    /// Entries that may still be made: chains of calls are longer than a function in hostile input
    /// only.
    room: usize,
}

impl InlinedLocations {
    /// Returns the `locations` of a callee, inlined at a location; without one they are unchanged.
    pub(super) fn new(call: Option<DebugLoc>, locations: usize) -> Self {
        Self {
            call,
            entry: None,
            moved: FxHashMap::default(),
            room: 2 * locations,
        }
    }

    /// Returns a location of the callee as one of the caller.
    pub(super) fn moved(&mut self, metadata: &mut Metadata, location: &DebugLoc) -> DebugLoc {
        let Some(call) = self.call else {
            return *location;
        };
        let entry = match self.entry {
            Some(entry) => entry,
            None => {
                let entry = push(metadata, &call);
                self.entry = Some(entry);
                entry
            }
        };
        let inlined_at = match location.inlined_at {
            None => entry,
            Some(at) => self.chain(metadata, at, entry),
        };
        DebugLoc {
            inlined_at: Some(inlined_at),
            ..*location
        }
    }

    /// Returns a copy of the chain of calls from `start` on that ends at the call.
    fn chain(&mut self, metadata: &mut Metadata, start: MdId, end: MdId) -> MdId {
        let mut chain = Vec::new();
        let mut next = Some(start);
        let mut around = end;
        while let Some(id) = next {
            if let Some(&known) = self.moved.get(&id) {
                around = known;
                break;
            }
            let Some(DebugNode::Location(location)) = metadata.debug_node(id) else {
                break;
            };
            let Some(scope) = location.scope.filter(|_| chain.len() < self.room) else {
                break;
            };
            // In a circle, the call is around it.
            self.moved.insert(id, end);
            let (line, column) = (location.line, location.column);
            chain.push((id, scope, line, column));
            next = location.inlined_at;
        }
        self.room -= chain.len();
        for (id, scope, line, column) in chain.into_iter().rev() {
            around = push(
                metadata,
                &DebugLoc {
                    line,
                    column,
                    scope,
                    inlined_at: Some(around),
                },
            );
            self.moved.insert(id, around);
        }
        around
    }
}

/// Adds a location to the metadata.
fn push(metadata: &mut Metadata, location: &DebugLoc) -> MdId {
    let start = metadata.records.len() as u32;
    let inlined_at = location
        .inlined_at
        .map_or(0, |at| u64::from(at.as_u32()) + 1);
    metadata.records.extend([
        // Distinct: each inlined call is a separate scope.
        1,
        location.line.into(),
        location.column.into(),
        location.scope.as_u32().into(),
        inlined_at,
    ]);
    let fields = PoolRange {
        start,
        end: metadata.records.len() as u32,
    };
    metadata.nodes.push(MdNode::Debug {
        code: LOCATION,
        fields,
    })
}
