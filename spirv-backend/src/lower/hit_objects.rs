//! Hit objects (shader model 6.9). In DXIL they are values; SPIR-V has variables of them, which
//! cannot be copied. Values that phis and local variables connect share a variable.
//!
//! That is right where each use of a value finds it in the variable still: a forward data-flow
//! analysis computes the set of names (values, and places of local variables) whose content the
//! variable has. An operation that makes an object removes the others of its variable from the set;
//! where paths join, names stay that are in the sets of all of them. A use of another name is an
//! error. The work is bounded by the number of names and blocks.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::{DxCall, HitObjectOp, Op};
use trellis_dxil_frontend::module::{
    BlockId, CastOp, Constant, Function, InstId, InstKind, Module, Type, TypeId, ValueId, ValueKind,
};
use trellis_entity::EntityRef;

use super::Source;
use crate::error::{Error, Feature, Limit, Location};

/// Most names, times the number of blocks and operations.
const MAX_WORK: usize = 1 << 20;
/// Most rounds of the analysis; one more than the nesting of loops is enough for most functions.
const MAX_ROUNDS: u32 = 64;
/// Most casts and offsets between a pointer and its variable.
const MAX_STEPS: usize = 64;

/// The variable of each hit object of a function.
#[derive(Default)]
pub(crate) struct HitObjects {
    variables: FxHashMap<ValueId, u32>,
}

impl HitObjects {
    /// Returns the number of the variable that has a hit object.
    pub(crate) fn variable(&self, value: ValueId) -> Option<u32> {
        self.variables.get(&value).copied()
    }
}

/// Returns true for `%dx.types.HitObject`.
#[inline(always)]
pub(crate) fn is_hit_object(module: &Module, ty: TypeId) -> bool {
    matches!(module.ty(ty), Type::Struct { name: Some(name), .. } if name == "dx.types.HitObject")
}

/// Returns true for a hit object, or an array of them.
pub(super) fn has_hit_object(module: &Module, mut ty: TypeId) -> bool {
    while let Type::Array { element, .. } = *module.ty(ty) {
        if element >= ty {
            return false;
        }
        ty = element;
    }
    is_hit_object(module, ty)
}

/// A value, or a place in a local variable: its constant indices.
type Name = (ValueId, SmallVec<[u64; 2]>);

/// An operation of a block on hit objects.
enum Event {
    /// An object is made.
    Make(usize),
    /// A name is used by an instruction.
    Use(usize, InstId),
    /// The first name is changed, and has the second name then.
    Change(usize, usize, InstId),
    /// The second name gets the object of the first. `None` is undefined.
    Copy(Option<usize>, usize),
}

struct Finder<'a> {
    source: &'a Source<'a>,
    function: &'a Function,
    names: FxHashMap<Name, usize>,
    /// The name that represents those connected with it.
    parent: Vec<usize>,
    events: Vec<Vec<Event>>,
    /// Copies of phis of each block: predecessor, from, to.
    phis: Vec<Vec<(BlockId, Option<usize>, usize)>>,
}

/// Finds the hit objects of a function.
///
/// # Errors
/// An object is used that another one has replaced in its variable, or is chosen by an instruction
/// other than a phi; too many objects.
pub(super) fn find(
    source: &Source<'_>,
    function: &Function,
    order: &[BlockId],
) -> Result<HitObjects, Error> {
    if !source.has_hit_objects {
        return Ok(HitObjects::default());
    }
    let blocks = function.blocks.len();
    let mut finder = Finder {
        source,
        function,
        names: FxHashMap::default(),
        parent: Vec::new(),
        events: (0..blocks).map(|_| Vec::new()).collect(),
        phis: vec![Vec::new(); blocks],
    };
    for (block, data) in function.blocks.iter() {
        for inst in data.insts {
            finder.instruction(block, inst)?;
        }
    }
    finder.check(order)?;
    let mut numbers: FxHashMap<usize, u32> = FxHashMap::default();
    let mut variables = FxHashMap::default();
    let mut names: Vec<(Name, usize)> = std::mem::take(&mut finder.names).into_iter().collect();
    names.sort_unstable();
    for ((value, place), name) in names {
        let next = numbers.len() as u32;
        let number = *numbers.entry(finder.root(name)).or_insert(next);
        if place.is_empty() {
            variables.insert(value, number);
        }
    }
    Ok(HitObjects { variables })
}

impl Finder<'_> {
    fn module(&self) -> &Module {
        self.source.module
    }

    fn error(&self, inst: InstId, feature: Feature) -> Error {
        let at = Location {
            function: self.function.name.to_string(),
            block: None,
            inst: Some(inst.as_u32()),
        };
        Error::unsupported(feature, at)
    }

    fn is_object(&self, value: ValueId) -> bool {
        let data = self.module().value(Some(self.function), value);
        data.is_some_and(|data| is_hit_object(self.module(), data.ty))
    }

    fn name(&mut self, name: Name) -> usize {
        let next = self.parent.len();
        let known = *self.names.entry(name).or_insert(next);
        if known == next {
            self.parent.push(next);
        }
        known
    }

    /// Returns the name of a value; `None` if it is undefined.
    fn value(&mut self, value: ValueId) -> Option<usize> {
        let constant = self.module().constant(Some(self.function), value);
        if matches!(
            constant.map(|c| &c.value),
            Some(Constant::Undef | Constant::Null)
        ) {
            return None;
        }
        Some(self.name((value, SmallVec::new())))
    }

    /// Returns the name of the place that a pointer leads to.
    fn place(&mut self, inst: InstId, mut pointer: ValueId) -> Result<usize, Error> {
        let mut path: SmallVec<[u64; 2]> = SmallVec::new();
        for _ in 0..MAX_STEPS {
            let Some(ValueKind::Inst(at)) = self
                .module()
                .value(Some(self.function), pointer)
                .map(|v| v.kind)
            else {
                break;
            };
            match self.function.insts[at].kind {
                InstKind::Alloca { .. } => {
                    // An empty path would be the pointer itself as a value.
                    path.push(0);
                    return Ok(self.name((pointer, path)));
                }
                InstKind::Cast {
                    op: CastOp::BitCast,
                    value,
                } => pointer = value,
                InstKind::Gep { operands, .. } => {
                    let operands: SmallVec<[ValueId; 4]> =
                        self.function.values_in(operands).collect();
                    let Some((&base, indices)) = operands.split_first() else {
                        break;
                    };
                    let known =
                        |&index: &ValueId| (self.module()).const_int(Some(self.function), index);
                    let Some(indices) = indices.iter().map(known).collect::<Option<Vec<u64>>>()
                    else {
                        break;
                    };
                    // Trailing zeros lead to the same place.
                    path.insert_many(0, indices);
                    while path.last() == Some(&0) {
                        path.pop();
                    }
                    pointer = base;
                }
                _ => break,
            }
        }
        let detail = "a hit object in memory whose place is not known";
        Err(self.error(inst, Feature::instruction_on("access", detail)))
    }

    fn instruction(&mut self, block: BlockId, id: InstId) -> Result<(), Error> {
        let inst = self.function.insts[id];
        let is_object = is_hit_object(self.module(), inst.ty);
        let event = match inst.kind {
            InstKind::Phi { incoming } if is_object => {
                let Some(to) = inst
                    .result
                    .expand()
                    .map(|result| self.name((result, SmallVec::new())))
                else {
                    return Ok(());
                };
                let incoming: Vec<_> = self.function.phi_incoming(incoming).collect();
                for (value, pred) in incoming {
                    let from = self.value(value);
                    self.connect(from, to);
                    self.phis[block.index()].push((pred, from, to));
                }
                return Ok(());
            }
            InstKind::Load { ptr, .. } if is_object => {
                let (from, Some(result)) = (self.place(id, ptr)?, inst.result.expand()) else {
                    return Ok(());
                };
                let to = self.name((result, SmallVec::new()));
                self.connect(Some(from), to);
                Event::Copy(Some(from), to)
            }
            InstKind::Store { ptr, value, .. } if self.is_object(value) => {
                let (to, from) = (self.place(id, ptr)?, self.value(value));
                self.connect(from, to);
                Event::Copy(from, to)
            }
            InstKind::Call { .. } => return self.call(block, id),
            _ if is_object => {
                let detail = "hit objects";
                return Err(self.error(id, Feature::instruction_on("select", detail)));
            }
            _ => return Ok(()),
        };
        self.events[block.index()].push(event);
        Ok(())
    }

    fn call(&mut self, block: BlockId, id: InstId) -> Result<(), Error> {
        let (module, function) = (self.source.module, self.function);
        let Some(call) = self.source.ops.parse(module, function, id)? else {
            return Ok(());
        };
        let used = object_operand(&call).and_then(|value| self.value(value));
        let made = match (call.result, is_hit_object(module, call.ty)) {
            (Some(result), true) => Some(self.name((result, SmallVec::new()))),
            _ => None,
        };
        let event = match (used, made) {
            (Some(from), Some(to)) => {
                self.connect(Some(from), to);
                Event::Change(from, to, id)
            }
            (Some(from), None) => Event::Use(from, id),
            (None, Some(to)) => Event::Make(to),
            (None, None) => return Ok(()),
        };
        self.events[block.index()].push(event);
        Ok(())
    }

    fn root(&mut self, mut name: usize) -> usize {
        while self.parent[name] != name {
            self.parent[name] = self.parent[self.parent[name]];
            name = self.parent[name];
        }
        name
    }

    fn connect(&mut self, from: Option<usize>, to: usize) {
        if let Some(from) = from {
            let (a, b) = (self.root(from), self.root(to));
            self.parent[a] = b;
        }
    }

    /// Checks that each use finds its object.
    fn check(&mut self, order: &[BlockId]) -> Result<(), Error> {
        let (names, blocks) = (self.parent.len(), self.function.blocks.len());
        let too_many = || {
            let at = Location::function(&self.function.name);
            Error::unsupported(Limit::HitObjects, at)
        };
        let steps = blocks + self.events.iter().map(Vec::len).sum::<usize>();
        if names.saturating_mul(steps) > MAX_WORK {
            return Err(too_many());
        }
        let roots: Vec<usize> = (0..names).map(|name| self.root(name)).collect();
        // At the end of each block; `None` before it is reached.
        let mut ends: Vec<Option<Vec<bool>>> = vec![None; blocks];
        let preds = predecessors(self.function, order);
        let (mut changed, mut rounds) = (true, 0);
        while changed {
            (changed, rounds) = (false, rounds + 1);
            if rounds > MAX_ROUNDS {
                return Err(too_many());
            }
            for &block in order {
                let mut state = self.at_start(block, &preds, &ends, names);
                for event in &self.events[block.index()] {
                    step(event, &mut state, &roots);
                }
                let end = &mut ends[block.index()];
                if end.as_ref() != Some(&state) {
                    *end = Some(state);
                    changed = true;
                }
            }
        }
        for &block in order {
            let mut state = self.at_start(block, &preds, &ends, names);
            for event in &self.events[block.index()] {
                if let Event::Use(name, inst) | Event::Change(name, _, inst) = *event
                    && !state[name]
                {
                    let detail = "a hit object that another one has replaced";
                    return Err(self.error(inst, Feature::instruction_on("call", detail)));
                }
                step(event, &mut state, &roots);
            }
        }
        Ok(())
    }

    fn at_start(
        &self,
        block: BlockId,
        preds: &[Vec<BlockId>],
        ends: &[Option<Vec<bool>>],
        names: usize,
    ) -> Vec<bool> {
        let mut state: Option<Vec<bool>> = None;
        for &pred in &preds[block.index()] {
            let Some(end) = &ends[pred.index()] else {
                continue;
            };
            let mut edge = end.clone();
            for &(from_block, from, to) in &self.phis[block.index()] {
                if from_block == pred {
                    edge[to] = from.is_none_or(|from| end[from]);
                }
            }
            state = Some(match state {
                Some(state) => state.iter().zip(&edge).map(|(&a, &b)| a && b).collect(),
                None => edge,
            });
        }
        state.unwrap_or_else(|| vec![false; names])
    }
}

/// Applies an event to the set of names whose content the variables have.
fn step(event: &Event, state: &mut [bool], roots: &[usize]) {
    let mut replace = |name: usize| {
        for (other, root) in roots.iter().enumerate() {
            if *root == roots[name] {
                state[other] = other == name;
            }
        }
    };
    match *event {
        Event::Make(to) | Event::Change(_, to, _) => replace(to),
        Event::Copy(from, to) => state[to] = from.is_none_or(|from| state[from]),
        Event::Use(..) => {}
    }
}

/// Returns the operand of a call that is a hit object.
fn object_operand(call: &DxCall<'_>) -> Option<ValueId> {
    match call.op {
        Op::HitObjectTraceRay
        | Op::HitObjectFromRayQuery
        | Op::HitObjectFromRayQueryWithAttrs
        | Op::HitObjectMakeMiss
        | Op::HitObjectMakeNop => None,
        op => match op.classify() {
            trellis_dxil_frontend::dxop::FamilyOp::HitObject(_) => call.operand(0),
            _ => None,
        },
    }
}

/// Returns true for an operation that reads a hit object, and changes nothing.
pub(super) fn only_reads(op: HitObjectOp) -> bool {
    !matches!(
        op,
        HitObjectOp::HitObjectTraceRay
            | HitObjectOp::HitObjectFromRayQuery
            | HitObjectOp::HitObjectFromRayQueryWithAttrs
            | HitObjectOp::HitObjectMakeMiss
            | HitObjectOp::HitObjectMakeNop
            | HitObjectOp::HitObjectInvoke
            | HitObjectOp::HitObjectAttributes
            | HitObjectOp::HitObjectSetShaderTableIndex
            | HitObjectOp::MaybeReorderThread
    )
}

fn predecessors(function: &Function, order: &[BlockId]) -> Vec<Vec<BlockId>> {
    let mut preds = vec![Vec::new(); function.blocks.len()];
    for &block in order {
        for next in function.successors(&function.terminator(block).kind) {
            preds[next.index()].push(block);
        }
    }
    preds
}
