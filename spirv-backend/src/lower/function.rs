//! Lowering of one function: a walk over its instructions, which numbers the values and finds the
//! runs with their uses, and a walk over blocks and runs, which adds them to the structurizer's
//! function. The structurizer's instructions get all their results when they are made, and which
//! values are used outside of their run is known after the first walk only.

use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::TABLE;
use trellis_dxil_frontend::module::{
    BlockId, CastOp, ConstId, Function, Inst, InstId, InstKind, Module, PoolRange, Successors,
    Type, ValueId, ValueKind,
};
use trellis_dxil_frontend::shader::ShaderKind;
use trellis_entity::{EntityRange, EntityRef, PackedOption, PrimaryMap, entity_impl};
use trellis_structurizer::ir::{self, Effects, Terminator};

use super::fold::{self, Folded};
use super::runs::{LocalData, OpenRun};
use super::{KnownId, Local, Lowered, Source, SyntheticInst, hit_objects, ir_type};
use crate::error::{Error, Feature, InvalidKind, Limit, Location, TypePosition};

/// Most plain values below one address or handle, and most steps between: the output of compilers
/// has a few.
const MAX_FOLDED_LEAVES: u32 = 64;
const MAX_FOLDED_DEPTH: u8 = 64;

/// A number in [`Scratch::folds`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct FoldId(u32);
entity_impl!(FoldId, "fold");

/// The operands of a folded instruction, folded operands expanded.
#[derive(Clone, Copy, Default)]
pub(super) struct Below {
    /// Range of the leaf pool.
    pub(super) start: u32,
    pub(super) end: u32,
    /// Folded instructions on the longest way down, this one included; 0 for an instruction that is
    /// not folded.
    pub(super) depth: u8,
    /// The number that the result is known to be.
    pub(super) known: PackedOption<KnownId>,
}

pub(super) struct Lowering<'a> {
    pub(super) source: &'a Source<'a>,
    pub(super) function: &'a Function,
    pub(super) func: &'a mut ir::Function,
    pub(super) out: Lowered,
    pub(super) lists: Scratch<'a>,
    /// The run that instructions are added to.
    pub(super) run: OpenRun,
    /// The `DispatchMesh` that ends each block; empty if there is none at all.
    pub(super) dispatches: PrimaryMap<BlockId, Option<InstId>>,
    pub(super) current: Position,
    /// Calls after which the invocation ends: block, instruction, and the synthetic instruction
    /// that they become; in the order of blocks.
    pub(super) ends: Vec<(BlockId, InstId, SyntheticInst)>,
}

/// Current block and instruction, for errors.
#[derive(Clone, Copy, Default)]
pub(super) struct Position {
    pub(super) block: u32,
    pub(super) inst: Option<u32>,
}

/// The lists of [`Lowering`].
#[derive(Default)]
pub(super) struct Scratch<'a> {
    /// Structurizer value of each constant that has one.
    pub(super) constants: PrimaryMap<ConstId, PackedOption<ir::Value>>,
    /// By instruction, if it is folded.
    pub(super) below: Vec<PackedOption<FoldId>>,
    pub(super) folds: PrimaryMap<FoldId, Below>,
    /// Of each operation, by number, the function whose last call of it had the right types.
    pub(super) fitting: Vec<PackedOption<ValueId>>,
    pub(super) leaves: Vec<Local>,
    /// An operand of the current instruction that is not folded and has no number.
    pub(super) unreached: PackedOption<ValueId>,
    /// Values that have a structurizer value before the second walk.
    pub(super) given: Vec<(Local, ir::Value)>,
    /// Runs of the first walk, in order.
    pub(super) runs: Vec<OpenRun>,
    /// Uses of the run that is built.
    pub(super) use_values: Vec<ir::Value>,
    /// Types of the results of the run that is built.
    pub(super) types: Vec<ir::Type>,
    /// Position of each block in reverse post-order; `u32::MAX` for one that control never reaches.
    pub(super) position: Vec<u32>,
    /// Results of the first walk at the end of each block.
    pub(super) block_ends: Vec<BlockEnd>,
    /// Phis: value, block, incoming pairs.
    pub(super) phis: Vec<(Local, BlockId, PoolRange)>,
    /// Discards whose condition is not known: instruction, the block that it ends, the condition, and
    /// the successors.
    pub(super) discards: Vec<(InstId, ir::Block, ValueId, [ir::Block; 2])>,
    /// Blocks that control reaches, in reverse post-order.
    pub(super) order: Vec<BlockId>,
    /// The path of the walk that finds them.
    pub(super) path: Vec<Step<'a>>,
}

/// Numbers of phis, runs and discards up to the end of a block, in reverse post-order.
#[derive(Clone, Copy)]
pub(super) struct BlockEnd {
    /// Last structurizer block of the block: discards split blocks.
    pub(super) block: ir::Block,
    pub(super) phis: u32,
    pub(super) runs: u32,
    pub(super) discards: u32,
}

impl BlockEnd {
    const START: Self = Self {
        block: ir::Block::from_u32(0),
        phis: 0,
        runs: 0,
        discards: 0,
    };
}

impl Scratch<'_> {
    fn new(module: &Module, function: &Function) -> Self {
        let blocks = function.blocks.len();
        Self {
            constants: PrimaryMap::filled(None.into(), module.constants.len()),
            below: vec![None.into(); function.insts.len()],
            fitting: vec![None.into(); TABLE.len()],
            position: vec![u32::MAX; blocks],
            block_ends: vec![BlockEnd::START; blocks],
            order: Vec::with_capacity(blocks),
            runs: Vec::with_capacity(blocks + 8),
            phis: Vec::with_capacity(blocks),
            // About the number of handles and addresses in shaders.
            folds: PrimaryMap::with_capacity(function.insts.len() / 8),
            ..Self::default()
        }
    }
}

/// A block on the path of a walk, and its successors that are yet to be visited.
pub(super) type Step<'a> = (BlockId, Successors<'a>);

/// Translates a function with a body to the structurizer's form: to `func`, which is empty.
pub(crate) fn lower<'a>(
    source: &'a Source<'a>,
    function: &'a Function,
    func: &'a mut ir::Function,
) -> Result<Lowered, Error> {
    let insts = function.insts.len();
    let out = Lowered {
        module_values: source.module.values.len() as u32,
        values: vec![None.into(); function.values.len()],
        results: vec![EntityRange::default(); insts],
        locals: PrimaryMap::with_capacity(function.values.len() + 16),
        uses: Vec::with_capacity(insts),
        emitted: Vec::with_capacity(insts),
        ..Lowered::default()
    };
    let mut this = Lowering {
        source,
        function,
        func,
        out,
        lists: Scratch::new(source.module, function),
        run: OpenRun::new((ir::Block::from_u32(0), 0), 0, Local::from_u32(0)),
        dispatches: super::dispatch::ends(source, function),
        current: Position::default(),
        // In other stages lowering refuses the calls.
        ends: if source.stage == ShaderKind::AnyHit {
            super::hit::ends(source.module, source.ops, function)?
        } else {
            Vec::new()
        },
    };
    this.run()?;
    // Less memory while the function is structurized and emitted.
    let locals = std::mem::take(&mut this.out.locals);
    let used = locals.iter().filter(|(_, data)| data.last_use != 0);
    this.out.used = used.map(|(local, _)| local).collect();
    this.out.uses.shrink_to_fit();
    this.out.emitted.shrink_to_fit();
    Ok(this.out)
}

impl<'a> Lowering<'a> {
    fn run(&mut self) -> Result<(), Error> {
        self.reverse_post_order();
        let blocks = self.function.blocks.len();
        self.func.reserve(blocks + 8, 0, 0);
        self.arguments()?;
        for _ in 0..blocks {
            self.func.add_block();
        }
        let order = std::mem::take(&mut self.lists.order);
        self.out.dispatches = order.iter().any(|&block| self.dispatch_in(block).is_some());
        self.out.hit_objects = hit_objects::find(self.source, self.function, &order)?;
        for &block in &order {
            self.read_block(block)?;
        }
        // After all blocks: an operand of a branch or discard may be computed by a later block, and
        // has no number before.
        self.export_operands(&order);
        self.reserve();
        let mut built = BlockEnd::START;
        for &block in &order {
            self.build_block(block, &mut built)?;
        }
        // Blocks that only the untaken side of a branch on a literal reaches are left out, but must
        // have a terminator.
        for index in 0..self.function.blocks.len() as u32 {
            if !self.reached(BlockId::from_u32(index)) {
                self.func
                    .set_terminator(ir::Block::from_u32(index), Terminator::Unreachable);
            }
        }
        self.complete_phis()
    }

    /// Reserves memory for the entries that the second walk adds.
    fn reserve(&mut self) {
        let runs = self.lists.runs.len();
        let is_exported = |local: &&LocalData| local.is_exported;
        let exported = self.out.locals.values().filter(is_exported).count();
        self.func.reserve(0, runs + 8, exported + exported / 8 + 16);
        self.out.runs.reserve(runs);
        self.out.exported.reserve(exported);
        self.lists.types.reserve(exported);
        self.lists.use_values.reserve(self.out.uses.len());
        self.out.structured = PrimaryMap::filled(None.into(), self.out.locals.len());
        for &(local, value) in &self.lists.given {
            self.out.structured[local] = value.into();
        }
    }

    /// Exports the operands of phis, discards and terminators, when all values have numbers: an
    /// operand may be used before its definition is lowered.
    fn export_operands(&mut self, order: &[BlockId]) {
        for index in 0..self.lists.phis.len() {
            let (.., incoming) = self.lists.phis[index];
            for (value, _) in self.function.phi_incoming(incoming) {
                self.export(value);
            }
        }
        for index in 0..self.lists.discards.len() {
            self.export(self.lists.discards[index].2);
        }
        for &block in order {
            for operand in { self.function }.operands(&self.function.terminator(block).kind) {
                self.export(operand);
            }
        }
    }

    pub(super) fn at(&self) -> Location {
        Location {
            function: self.function.name.to_string(),
            block: Some(self.current.block),
            inst: self.current.inst,
        }
    }
    #[cold]
    pub(super) fn unsupported(&self, feature: impl Into<Feature>) -> Error {
        Error::unsupported(feature, self.at())
    }
    #[cold]
    pub(super) fn invalid(&self, kind: InvalidKind, detail: impl Into<String>) -> Error {
        Error::invalid(kind, detail, self.at())
    }

    /// Returns true if the function is a ray tracing shader's entry point.
    pub(super) fn is_ray_entry(&self) -> bool {
        self.source
            .ray_entry
            .is_some_and(|id| self.source.module.function(id).value == self.function.value)
    }

    fn arguments(&mut self) -> Result<(), Error> {
        for (index, data) in self.function.values.iter().enumerate() {
            // Arguments come first.
            if !matches!(data.kind, ValueKind::Argument(_)) {
                break;
            }
            if self.is_ray_entry() {
                match self.source.module.ty(data.ty) {
                    Type::Pointer { .. } => continue,
                    _ => {
                        return Err(self.invalid(
                            InvalidKind::Function,
                            "a ray tracing shader with a parameter that is not a pointer",
                        ));
                    }
                }
            }
            if !self.is_plain(data.ty) {
                let ty = self.type_name(data.ty);
                return Err(self.unsupported(Feature::ty(
                    ty,
                    TypePosition::Parameter {
                        function: self.function.name.to_string(),
                    },
                )));
            }
            let payload = self.out.module_values + index as u32;
            let value = self.func.add_constant(payload, ir_type(data.ty));
            let local = self.push_given(value);
            self.out.values[index] = local.into();
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn instruction(
        &mut self,
        block: BlockId,
        to: &mut ir::Block,
        id: InstId,
        inst: &'a Inst,
    ) -> Result<(), Error> {
        if self.source.has_hit_objects && self.moves_hit_object(inst) {
            return Ok(());
        }
        let effects = match inst.kind {
            InstKind::Phi { incoming } => {
                if !self.is_plain(inst.ty) {
                    let ty = self.type_name(inst.ty);
                    return Err(self.unsupported(Feature::ty(ty, TypePosition::Phi)));
                }
                // Phis are first in their block: no run is open.
                let local = self.push_local(ir_type(inst.ty));
                self.lists.phis.push((local, block, incoming));
                self.set_results(id, local);
                self.alias(inst, local);
                return Ok(());
            }
            InstKind::ExtractValue { aggregate, indices } => {
                return self.extract_value(inst, aggregate, indices);
            }
            InstKind::Gep { .. }
            | InstKind::Cast {
                op: CastOp::BitCast | CastOp::AddrSpaceCast,
                ..
            } if !self.is_plain(inst.ty) => {
                let operands = self.function.operands(&inst.kind);
                return self.folded(id, operands);
            }
            InstKind::InsertValue { .. } => {
                return Err(self.unsupported(Feature::instruction("insertvalue")));
            }
            InstKind::Call { callee, args, .. } => return self.call(to, id, inst, callee, args),
            InstKind::Load { ptr, .. } => {
                if let Some(global) = self.source.break_global
                    && self.is_plain(inst.ty)
                    && fold::points_to(self.source.module, self.function, global, ptr)
                {
                    self.set_known(id, inst, 0);
                    return Ok(());
                }
                Effects::READS_MEMORY
            }
            InstKind::Store { .. } | InstKind::Alloca { .. } | InstKind::Fence { .. } => {
                Effects::SIDE_EFFECT
            }
            InstKind::AtomicRmw { .. } | InstKind::CmpXchg { .. } => {
                Effects::SIDE_EFFECT | Effects::READS_MEMORY
            }
            _ => {
                if !self.out.known.is_empty() && self.fold_known(id, inst)? {
                    return Ok(());
                }
                // Most instructions have one or two operands.
                match inst.kind {
                    InstKind::Binary { lhs, rhs, .. } | InstKind::Cmp { lhs, rhs, .. } => {
                        return self.append(*to, (id, inst), [lhs, rhs], Effects::NONE);
                    }
                    InstKind::Cast { value, .. } => {
                        return self.append(*to, (id, inst), [value], Effects::NONE);
                    }
                    _ => Effects::NONE,
                }
            }
        };
        let operands = self.function.operands(&inst.kind);
        self.append(*to, (id, inst), operands, effects)
    }

    /// Returns true for an instruction on hit objects that the variables of these take the place of.
    fn moves_hit_object(&self, inst: &Inst) -> bool {
        let module = self.source.module;
        match inst.kind {
            InstKind::Phi { .. } | InstKind::Load { .. } => {
                hit_objects::is_hit_object(module, inst.ty)
            }
            InstKind::Store { value, .. } => self.is_hit_object(value),
            InstKind::Alloca { ty, .. } => hit_objects::has_hit_object(module, ty),
            _ => false,
        }
    }

    #[inline]
    pub(super) fn is_hit_object(&self, value: ValueId) -> bool {
        let module = self.source.module;
        let data = module.value(Some(self.function), value);
        self.source.has_hit_objects
            && data.is_some_and(|data| hit_objects::is_hit_object(module, data.ty))
    }

    fn fold_known(&mut self, id: InstId, inst: &Inst) -> Result<bool, Error> {
        if !self
            .function
            .operands(&inst.kind)
            .any(|o| self.known_number(o).is_some())
        {
            return Ok(false);
        }
        let number = |v| self.known_number(v).or_else(|| self.literal(v));
        let width = |v| self.int_width(v);
        match fold::fold(
            &inst.kind,
            number,
            width,
            self.type_width(inst.ty).unwrap_or(64),
        ) {
            Some(Folded::Number(n)) => {
                self.set_known(id, inst, n);
                Ok(true)
            }
            Some(Folded::Same(value)) => {
                let local = match self.out.local_of(value) {
                    Some(local) => local,
                    None => {
                        let value = self.operand_value(value)?;
                        self.push_given(value)
                    }
                };
                self.alias(inst, local);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    fn extract_value(
        &mut self,
        inst: &Inst,
        aggregate: ValueId,
        indices: PoolRange,
    ) -> Result<(), Error> {
        let Some(&[index]) = self.function.pool.get(indices.range()) else {
            return Err(self.unsupported(Feature::instruction_on(
                "extractvalue",
                "a nested aggregate",
            )));
        };
        let Some(local) = super::local_index(self.source.module, self.function, aggregate) else {
            return Err(self.unsupported(Feature::instruction_on("extractvalue", "a constant")));
        };
        let ValueKind::Inst(source) = self.function.values[local].kind else {
            return Err(self.unsupported(Feature::instruction_on(
                "extractvalue",
                "a constant or argument",
            )));
        };
        match self.out.result_of(source, index) {
            Some(value) => {
                self.alias(inst, value);
                Ok(())
            }
            None => Err(self.invalid(
                InvalidKind::Value,
                format!("value {aggregate} has no component {index} here"),
            )),
        }
    }

    /// Folds an address or handle: records its leaf operands.
    #[inline(always)]
    pub(super) fn folded(
        &mut self,
        id: InstId,
        operands: impl IntoIterator<Item = ValueId> + Clone,
    ) -> Result<(), Error> {
        let start = self.lists.leaves.len() as u32;
        self.collect_operands(operands.clone(), |this, leaf| this.lists.leaves.push(leaf))?;
        let end = self.lists.leaves.len() as u32;
        let mut depth = 0;
        for operand in operands {
            if let Some(d) = self.depth_of(operand) {
                depth = depth.max(d);
            }
        }
        if end - start > MAX_FOLDED_LEAVES || depth >= MAX_FOLDED_DEPTH {
            return Err(self.unsupported(Limit::AddressSteps));
        }
        *self.below_mut(id) = Below {
            start,
            end,
            depth: depth + 1,
            known: PackedOption::default(),
        };
        Ok(())
    }

    /// Appends an instruction whose result is a number of another type than in DXIL: an address, or
    /// the offset that represents a handle.
    pub(super) fn append_as(
        &mut self,
        to: ir::Block,
        (id, inst): (InstId, &Inst),
        operands: impl IntoIterator<Item = ValueId>,
        effects: Effects,
        result: ir::Type,
    ) -> Result<(), Error> {
        self.begin_inst(to, id);
        self.collect_operands(operands, Self::use_local)?;
        let local = self.push_local(result);
        self.alias(inst, local);
        self.end_inst(id, local, effects);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn append(
        &mut self,
        to: ir::Block,
        (id, inst): (InstId, &Inst),
        operands: impl IntoIterator<Item = ValueId>,
        effects: Effects,
    ) -> Result<(), Error> {
        self.begin_inst(to, id);
        self.collect_operands(operands, Self::use_local)?;
        let first = self.out.locals.next_key();
        match self.source.module.ty(inst.ty) {
            Type::Void => {}
            _ if hit_objects::is_hit_object(self.source.module, inst.ty) => {}
            Type::Struct { fields, .. } => {
                for &field in fields {
                    if !self.is_plain(field) {
                        let (whole, part) = (self.type_name(inst.ty), self.type_name(field));
                        return Err(self.unsupported(Feature::ty(
                            format!("{whole}, which contains {part},"),
                            TypePosition::Result,
                        )));
                    }
                    self.push_local(ir_type(field));
                }
            }
            Type::Pointer { .. } if matches!(inst.kind, InstKind::Alloca { .. }) => {}
            _ if self.is_plain(inst.ty) => {
                self.push_local(ir_type(inst.ty));
                self.alias(inst, first);
            }
            _ => {
                let ty = self.type_name(inst.ty);
                return Err(self.unsupported(Feature::ty(ty, TypePosition::Result)));
            }
        }
        self.end_inst(id, first, effects);
        Ok(())
    }

    fn complete_phis(&mut self) -> Result<(), Error> {
        // The phi that last took an operand from a predecessor: LLVM repeats the pair for each of
        // several edges.
        let mut last: SmallVec<[u32; 64]> =
            SmallVec::from_elem(u32::MAX, self.function.blocks.len());
        let operands = self
            .lists
            .phis
            .iter()
            .map(|(.., incoming)| incoming.len() / 2);
        self.func.reserve_phi_operands(operands.sum());
        for index in 0..self.lists.phis.len() {
            let (phi, block, incoming) = self.lists.phis[index];
            let phi = self.structured(phi)?;
            self.current = Position {
                block: block.as_u32(),
                inst: None,
            };
            for (value, pred) in self.function.phi_incoming(incoming) {
                let stamp = &mut last[pred.index()];
                if *stamp == index as u32 || self.lists.position[pred.index()] == u32::MAX {
                    continue;
                }
                *stamp = index as u32;
                if !self.has_edge(pred, block) {
                    continue;
                }
                let value = self.operand_value(value)?;
                self.func
                    .add_phi_operand(phi, self.lists.block_ends[pred.index()].block, value);
            }
        }
        Ok(())
    }

    /// Returns true if the edge was kept: a switch on a literal keeps one, a branch on a literal
    /// those to blocks that are reached.
    fn has_edge(&self, pred: BlockId, block: BlockId) -> bool {
        if self.end_in(pred).is_some() || self.dispatch_in(pred).is_some() {
            return false;
        }
        match self.function.terminator(pred).kind {
            InstKind::CondBr { cond, .. } if self.literal(cond).is_some() => self.reached(block),
            InstKind::Switch { value, .. } if self.literal(value).is_some() => {
                self.reached(block) && self.successors(pred).any(|target| target == block)
            }
            _ => true,
        }
    }
}
