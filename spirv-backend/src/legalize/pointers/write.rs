//! The new instructions of phis, selects and accesses.

use rustc_hash::FxHashMap;
use trellis_dxil_frontend::module::{
    BlockId, CastOp, Inst, InstId, InstKind, Predicate, Type, ValueId, ValueKind, copy_kind,
};
use trellis_entity::{EntityRange, EntityRef, PrimaryMap};

use super::{MAX_ACCESSES, Pointers};
use crate::error::{Error, Limit};
use crate::legalize::rewriter::{NewInst, compare};
use crate::legalize::unsupported;
use crate::memory::address::Address;

impl Pointers<'_> {
    pub(super) fn write(&mut self) -> Result<(), Error> {
        let mut choices: FxHashMap<InstId, Choice> = FxHashMap::default();
        for node in 0..self.nodes.len() {
            let mut before = Vec::new();
            let (places, numbers) = self.operands(node, &mut before)?;
            choices.insert(
                self.nodes[node].inst,
                Choice {
                    before,
                    places,
                    numbers,
                },
            );
        }
        // Accesses that branch split their block.
        let (mut begin, mut end) = (PrimaryMap::new(), PrimaryMap::<BlockId, _>::new());
        let (mut next, mut accesses) = (0u32, 0usize);
        let mut branching: FxHashMap<InstId, (usize, Address)> = FxHashMap::default();
        for block in self.w.old.blocks.values() {
            begin.push(BlockId::from_u32(next));
            for at in block.insts {
                if let Some(pointer) = pointer_of(&self.w.old.insts[at].kind)
                    && let Some((node, address)) = self.among_several(pointer)
                {
                    let variables = self.webs[self.web_of[node]].variables.len();
                    next += variables as u32 + 1;
                    accesses += variables;
                    branching.insert(at, (node, address));
                }
            }
            end.push(BlockId::from_u32(next));
            next += 1;
        }
        if accesses > MAX_ACCESSES {
            return Err(unsupported(self.w.old, Limit::PointerAccesses));
        }
        self.w.set_blocks(next as usize);
        for (id, data) in self.w.old.blocks.iter() {
            let mut to = begin[id];
            for at in data.insts {
                let mut inst = self.w.old.insts[at];
                let old = self.w.old;
                let block = |b: BlockId, pred| if pred { end[b] } else { begin[b] };
                inst.kind = copy_kind(&inst.kind, &old.pool, &mut self.w.out.pool, 0, |v| v, block);
                if inst.kind.is_terminator() {
                    self.w.extend(std::mem::take(&mut self.at_end[id]));
                }
                if let Some(choice) = choices.remove(&at) {
                    self.choice(at, &inst, choice)?;
                } else if let Some((node, address)) = branching.remove(&at) {
                    to = self.branch(to, node, &address, &inst, at)?;
                } else if !self.is_dropped(&inst) {
                    self.w.push(self.w.in_place_of(at, inst));
                }
            }
            self.w.end_block(to);
        }
        Ok(())
    }

    /// Returns true if an instruction is removed: addresses in one of several variables are removed
    /// with their accesses, and markers have no effect.
    fn is_dropped(&mut self, inst: &Inst) -> bool {
        match inst.kind {
            InstKind::Gep { .. }
            | InstKind::Cast {
                op: CastOp::BitCast | CastOp::AddrSpaceCast,
                ..
            } => {
                matches!(self.w.module.ty(inst.ty), Type::Pointer { .. })
                    && inst
                        .result
                        .expand()
                        .is_some_and(|r| self.among_several(r).is_some())
            }
            InstKind::Call { callee, .. } => {
                match self.w.module.value(None, callee).map(|v| v.kind) {
                    Some(ValueKind::Function(f)) => {
                        let f = self.w.module.function(f);
                        f.is_declaration
                            && (f.name.starts_with("llvm.dbg.")
                                || f.name.starts_with("llvm.lifetime."))
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Appends the phi or select of the offset, of the variable number where there are several, and
    /// the pointer itself.
    fn choice(&mut self, id: InstId, inst: &Inst, choice: Choice) -> Result<(), Error> {
        let node = self.by_inst[&id];
        let web = self.web_of[node];
        self.w.extend(choice.before);
        let several = self.webs[web].variables.len() > 1;
        let (place, number) = (self.nodes[node].place, self.nodes[node].number);
        for (operands, result) in [
            (choice.places, Some(place)),
            (choice.numbers, several.then_some(number)),
        ] {
            let Some(result) = result else { continue };
            let kind = self.w.choice_of(inst.kind, &operands)?;
            self.w.append(kind, self.w.int, Some(result));
        }
        match (
            self.webs[web].variables.first().copied(),
            inst.result.expand(),
        ) {
            (Some(base), Some(result)) if !several => {
                let address = self.address(base, web, place, inst.ty)?;
                self.w.replace(result, address);
            }
            (None, Some(result)) => {
                let undef = self.w.undef(inst.ty);
                self.w.replace(result, undef);
            }
            _ => {}
        }
        Ok(())
    }

    /// Writes an access to one of several variables: a branch, the access in each arm, and a phi of
    /// the loaded values. Returns the block after the branch.
    fn branch(
        &mut self,
        to: BlockId,
        node: usize,
        address: &Address,
        inst: &Inst,
        at: InstId,
    ) -> Result<BlockId, Error> {
        let web = self.web_of[node];
        let variables = self.webs[web].variables.clone();
        let place = self.place(address, web)?;
        let first = BlockId::new(to.index() + 1);
        let after = BlockId::new(first.index() + variables.len());
        let arms: Vec<BlockId> = EntityRange::new(first, after).collect();
        let void = self.w.old.terminator(BlockId::from_u32(0)).ty;
        let number = self.nodes[node].number;
        if let [first, second] = arms[..] {
            let zero = self.w.number(0);
            let is_first = compare(Predicate::IEq, number, zero);
            let branch = InstKind::CondBr {
                cond: self.w.value(is_first, self.bool_ty),
                then: first,
                else_: second,
            };
            self.w.append(branch, void, None);
        } else {
            let cases = self.w.list(
                arms.iter()
                    .enumerate()
                    .skip(1)
                    .flat_map(|(k, &arm)| [k as u32, 0, arm.as_u32()]),
            );
            let switch = InstKind::Switch {
                value: number,
                default: arms[0],
                cases,
            };
            self.w.append(switch, void, None);
        }
        self.w.end_block(to);
        let pointer_type = pointer_of(&inst.kind)
            .and_then(|p| self.w.data(p))
            .map_or(self.w.int, |v| v.ty);
        let mut read = Vec::new();
        for (&base, &arm) in variables.iter().zip(&arms) {
            let pointer = self.address(base, web, place, pointer_type)?;
            let result = inst.result.expand().map(|_| self.w.result(inst.ty));
            let mut access = *inst;
            access.result = result.into();
            match &mut access.kind {
                InstKind::Load { ptr, .. }
                | InstKind::Store { ptr, .. }
                | InstKind::AtomicRmw { ptr, .. }
                | InstKind::CmpXchg { ptr, .. } => *ptr = pointer,
                _ => {}
            }
            self.w.push(self.w.in_place_of(at, access));
            self.w.append(InstKind::Br { target: after }, void, None);
            self.w.end_block(arm);
            read.extend(result.map(|r| (r, arm)));
        }
        if let Some(result) = inst.result.expand() {
            self.w.phi(&read, inst.ty, result);
        }
        Ok(after)
    }
}

/// Operands of a node, computed.
struct Choice {
    before: Vec<NewInst>,
    places: Vec<ValueId>,
    numbers: Vec<ValueId>,
}

/// Returns the pointer of an access.
fn pointer_of(kind: &InstKind) -> Option<ValueId> {
    match *kind {
        InstKind::Load { ptr, .. }
        | InstKind::Store { ptr, .. }
        | InstKind::AtomicRmw { ptr, .. }
        | InstKind::CmpXchg { ptr, .. } => Some(ptr),
        _ => None,
    }
}
