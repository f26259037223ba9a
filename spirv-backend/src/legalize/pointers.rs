//! Pointers that control flow chooses.
//!
//! Those into one variable become a choice of the place in it. Where several variables are chosen
//! from, the number of the variable is chosen too, and each access becomes a branch to the access
//! of every one: no lane touches memory that it did not choose.

use rustc_hash::FxHashMap;
use trellis_dxil_frontend::module::{
    ArithFlags, BinaryOp, BlockId, CastOp, Constant, Function, FunctionId, Inst, InstId, InstKind,
    Module, Predicate, Type, TypeId, ValueId, ValueKind,
};

use super::rewriter::{FunctionRewriter, NewInst, copy_kind, metadata_of, new_inst};
use super::webs::Sets;
use super::{type_id, unfinished, unsupported};
use crate::error::{Error, HandleFeature, Limit, MemoryFeature, PointerFeature};
use crate::memory::address::{Address, Base, resolve};
use crate::memory::layout::Layouts;

/// Most accesses that all expansions of a function make together.
const MAX_ACCESSES: usize = 1 << 16;

/// A phi or select of pointers.
struct Node {
    inst: InstId,
    /// What it chooses from; `None` is undefined or null.
    operands: Vec<Option<Address>>,
    /// The chosen place, counted in units of the web.
    place: ValueId,
    /// The chosen variable's number, if there are several.
    number: ValueId,
}

/// Nodes that feed each other.
#[derive(Default)]
struct Web {
    variables: Vec<Base>,
    /// Size of the unit in bytes, and a type of that size.
    unit: u64,
    unit_type: TypeId,
}

struct Pointers<'a> {
    module: &'a mut Module,
    old: &'a Function,
    rewriter: FunctionRewriter,
    layouts: Layouts,
    int: TypeId,
    bool_ty: TypeId,
    /// Integers of all widths.
    integers: [TypeId; 4],
    /// Address of each global variable.
    globals: Vec<Option<ValueId>>,
    nodes: Vec<Node>,
    by_inst: FxHashMap<InstId, usize>,
    /// Web of each node.
    web_of: Vec<usize>,
    webs: Vec<Web>,
    /// For each block, the instructions to insert before its terminator.
    at_end: Vec<Vec<NewInst>>,
}

/// Rewrites one function.
///
/// # Errors
/// Pointers to what is no variable of the shader, and uses other than accesses.
pub(super) fn run(module: &mut Module, id: FunctionId) -> Result<(), Error> {
    let old = std::mem::take(&mut module.functions[id.as_u32() as usize]);
    // All types are there before the first is measured.
    let (int, bool_ty) = (
        type_id(module, &Type::Int(32)),
        type_id(module, &Type::Int(1)),
    );
    let integers = [8, 16, 32, 64].map(|width| type_id(module, &Type::Int(width)));
    let mut globals = vec![None; module.globals.len()];
    for (at, data) in module.values.iter().enumerate() {
        if let ValueKind::Global(g) = data.kind
            && let Some(slot) = globals.get_mut(g.as_u32() as usize)
        {
            *slot = Some(ValueId::from_u32(at as u32));
        }
    }
    let mut this = Pointers {
        rewriter: FunctionRewriter::new(module, &old, 0),
        module,
        old: &old,
        layouts: Layouts::default(),
        int,
        bool_ty,
        integers,
        globals,
        nodes: Vec::new(),
        by_inst: FxHashMap::default(),
        web_of: Vec::new(),
        webs: Vec::new(),
        at_end: vec![Vec::new(); old.blocks.len()],
    };
    this.find()?;
    this.join()?;
    this.write()?;
    let (rewriter, module) = (this.rewriter, this.module);
    module.functions[id.as_u32() as usize] =
        rewriter.finish().map_err(|why| unfinished(&old, why))?;
    Ok(())
}

impl Pointers<'_> {
    fn resolve(&mut self, pointer: ValueId) -> Result<Address, Error> {
        resolve(self.module, &mut self.layouts, self.old, pointer)
            .map_err(|cause| cause.at(super::at(self.old)))
    }

    fn find(&mut self) -> Result<(), Error> {
        for (at, inst) in self.old.insts.iter().enumerate() {
            if matches!(inst.kind, InstKind::Phi { .. } | InstKind::Select { .. })
                && matches!(self.module.ty(inst.ty), Type::Pointer { .. })
            {
                let inst = InstId::from_u32(at as u32);
                self.by_inst.insert(inst, self.nodes.len());
                let (place, number) = (
                    self.rewriter.result(self.int),
                    self.rewriter.result(self.int),
                );
                self.nodes.push(Node {
                    inst,
                    operands: Vec::new(),
                    place,
                    number,
                });
            }
        }
        for node in 0..self.nodes.len() {
            let chosen: Vec<ValueId> =
                match self.old.insts[self.nodes[node].inst.as_u32() as usize].kind {
                    InstKind::Phi { incoming } => {
                        self.old.phi_incoming(incoming).map(|p| p.0).collect()
                    }
                    InstKind::Select { then, else_, .. } => vec![then, else_],
                    _ => Vec::new(),
                };
            for value in chosen {
                let nothing = matches!(self.module.constant(Some(self.old), value), Some(c) if matches!(c.value, Constant::Undef | Constant::Null));
                let address = if nothing {
                    None
                } else {
                    Some(self.resolve(value)?)
                };
                self.nodes[node].operands.push(address);
            }
        }
        Ok(())
    }

    /// Joins the nodes to webs and looks at their variables.
    fn join(&mut self) -> Result<(), Error> {
        let mut sets = Sets::new(self.nodes.len());
        for (at, node) in self.nodes.iter().enumerate() {
            for address in node.operands.iter().flatten() {
                if let Base::Chosen(inst) = address.base {
                    sets.unite(at, self.by_inst[&inst]);
                }
            }
        }
        self.web_of = (0..self.nodes.len()).map(|node| sets.find(node)).collect();
        self.webs.resize_with(self.nodes.len(), Web::default);
        for (at, node) in self.nodes.iter().enumerate() {
            let web = &mut self.webs[self.web_of[at]];
            for address in node.operands.iter().flatten() {
                if !matches!(address.base, Base::Chosen(_))
                    && !web.variables.contains(&address.base)
                {
                    if web.variables.len() >= 64 {
                        return Err(unsupported(self.old, Limit::PointerVariables));
                    }
                    web.variables.push(address.base);
                }
            }
        }
        for at in 0..self.webs.len() {
            let (mut unit, mut unit_type) = (u64::MAX, self.int);
            for base in self.webs[at].variables.clone() {
                let content = match base {
                    Base::Global(g) => self.module.globals.get(g.as_u32() as usize).map(|g| g.ty),
                    Base::Argument(index) => {
                        self.argument(index).and_then(|value| self.pointee(value))
                    }
                    Base::Alloca(i) | Base::Chosen(i) | Base::Payload(i) => {
                        let inst = &self.old.insts[i.as_u32() as usize];
                        match (inst.kind, self.module.ty(inst.ty)) {
                            (InstKind::Alloca { ty, .. }, _) => Some(ty),
                            (InstKind::Call { .. }, Type::Pointer { pointee, .. }) => {
                                Some(*pointee)
                            }
                            _ => None,
                        }
                    }
                };
                let layout = content.and_then(|ty| self.layouts.of(self.module, ty).ok());
                let layout = layout.ok_or_else(|| unsupported(self.old, MemoryFeature::Layout))?;
                if layout.slot < unit {
                    unit = layout.slot;
                    unit_type = self.type_of_size(unit, layout.scalar)?;
                }
            }
            (self.webs[at].unit, self.webs[at].unit_type) = (unit, unit_type);
        }
        Ok(())
    }

    fn type_of_size(&mut self, size: u64, scalar: Option<TypeId>) -> Result<TypeId, Error> {
        let candidates: Vec<TypeId> = scalar.into_iter().chain(self.integers).collect();
        let found = candidates.into_iter().find(|&t| {
            self.layouts
                .of(self.module, t)
                .is_ok_and(|l| l.size == size)
        });
        found.ok_or_else(|| unsupported(self.old, PointerFeature::SelectedWidth { bytes: size }))
    }

    /// Lines that compute the place of an address in units of a web.
    fn place(
        &mut self,
        address: &Address,
        web: usize,
        out: &mut Vec<NewInst>,
    ) -> Result<ValueId, Error> {
        let unit = self.webs[web].unit;
        let constant = address.constant as i64;
        let apart = || unsupported(self.old, PointerFeature::BetweenScalars);
        if unit == u64::MAX {
            // Only undefined pointers.
            return Ok(self
                .rewriter
                .constant(self.module, self.int, Constant::Null));
        }
        if constant.rem_euclid(unit as i64) != 0 || address.terms.iter().any(|t| t.1 % unit != 0) {
            return Err(apart());
        }
        let mut sum = match address.base {
            Base::Chosen(inst) => Some(self.nodes[self.by_inst[&inst]].place),
            Base::Global(_) | Base::Alloca(_) | Base::Argument(_) | Base::Payload(_) => None,
        };
        for &(index, scale) in &address.terms {
            let index = self.as_int(index, out)?;
            let term = match (scale / unit) as u32 {
                1 => index,
                factor => {
                    let factor = self.number(factor);
                    self.binary(BinaryOp::Mul, index, factor, out)
                }
            };
            sum = Some(match sum {
                None => term,
                Some(before) => self.binary(BinaryOp::Add, before, term, out),
            });
        }
        let constant = constant.div_euclid(unit as i64) as u32;
        Ok(match sum {
            None => self.number(constant),
            Some(sum) if constant == 0 => sum,
            Some(sum) => {
                let constant = self.number(constant);
                self.binary(BinaryOp::Add, sum, constant, out)
            }
        })
    }

    /// An index as `i32`: what `getelementptr` takes is signed.
    fn as_int(&mut self, index: ValueId, out: &mut Vec<NewInst>) -> Result<ValueId, Error> {
        let ty = self
            .module
            .value(Some(self.old), index)
            .map(|v| self.module.ty(v.ty));
        let op = match ty {
            Some(Type::Int(32)) => return Ok(index),
            Some(Type::Int(64)) => CastOp::Trunc,
            Some(Type::Int(_)) => CastOp::SExt,
            _ => return Err(unsupported(self.old, PointerFeature::UnknownIndex)),
        };
        let result = self.rewriter.result(self.int);
        out.push(new_inst(
            InstKind::Cast { op, value: index },
            self.int,
            Some(result),
        ));
        Ok(result)
    }

    fn number(&mut self, number: u32) -> ValueId {
        self.rewriter
            .constant(self.module, self.int, Constant::Int(number.into()))
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        lhs: ValueId,
        rhs: ValueId,
        out: &mut Vec<NewInst>,
    ) -> ValueId {
        let result = self.rewriter.result(self.int);
        out.push(new_inst(
            InstKind::Binary {
                op,
                lhs,
                rhs,
                flags: ArithFlags(0),
            },
            self.int,
            Some(result),
        ));
        result
    }

    /// Returns the offsets and variable numbers of a node's operands. The instructions that compute
    /// them are inserted into the predecessors of a phi, else appended to `before`.
    fn operands(
        &mut self,
        node: usize,
        before: &mut Vec<NewInst>,
    ) -> Result<(Vec<ValueId>, Vec<ValueId>), Error> {
        let web = self.web_of[node];
        let preds: Option<Vec<BlockId>> =
            match self.old.insts[self.nodes[node].inst.as_u32() as usize].kind {
                InstKind::Phi { incoming } => {
                    Some(self.old.phi_incoming(incoming).map(|p| p.1).collect())
                }
                _ => None,
            };
        let (mut places, mut numbers) = (Vec::new(), Vec::new());
        for (at, address) in self.nodes[node].operands.clone().into_iter().enumerate() {
            let Some(address) = address else {
                let undef = self
                    .rewriter
                    .constant(self.module, self.int, Constant::Undef);
                places.push(undef);
                numbers.push(self.number(0));
                continue;
            };
            let mut insts = Vec::new();
            places.push(self.place(&address, web, &mut insts)?);
            numbers.push(match address.base {
                Base::Chosen(inst) => self.nodes[self.by_inst[&inst]].number,
                base => {
                    let number = self.webs[web]
                        .variables
                        .iter()
                        .position(|v| *v == base)
                        .unwrap_or(0);
                    self.number(number as u32)
                }
            });
            match &preds {
                Some(preds) => self.at_end[preds[at].as_u32() as usize].extend(insts),
                None => before.extend(insts),
            }
        }
        Ok((places, numbers))
    }

    /// Value of a parameter.
    fn argument(&self, index: u32) -> Option<ValueId> {
        let at = self
            .old
            .values
            .iter()
            .position(|v| v.kind == ValueKind::Argument(index))?;
        Some(ValueId::from_u32((self.module.values.len() + at) as u32))
    }

    /// What a pointer points to.
    fn pointee(&self, pointer: ValueId) -> Option<TypeId> {
        match self
            .module
            .ty(self.module.value(Some(self.old), pointer)?.ty)
        {
            Type::Pointer { pointee, .. } => Some(*pointee),
            _ => None,
        }
    }

    /// The variable's address as a value.
    fn base_value(&self, base: Base) -> Result<ValueId, Error> {
        let found = match base {
            Base::Global(g) => self.globals.get(g.as_u32() as usize).copied().flatten(),
            Base::Argument(index) => self.argument(index),
            Base::Alloca(i) | Base::Chosen(i) | Base::Payload(i) => {
                self.old.insts[i.as_u32() as usize].result
            }
        };
        found.ok_or_else(|| unsupported(self.old, PointerFeature::NoAddress))
    }

    /// The address of a place of a variable.
    fn address(
        &mut self,
        base: Base,
        web: usize,
        place: ValueId,
        ty: TypeId,
    ) -> Result<(NewInst, ValueId), Error> {
        let base = self.base_value(base)?;
        let operands = self.rewriter.list([base.as_u32(), place.as_u32()]);
        let result = self.rewriter.result(ty);
        Ok((
            new_inst(
                InstKind::Gep {
                    inbounds: false,
                    source: self.webs[web].unit_type,
                    operands,
                },
                ty,
                Some(result),
            ),
            result,
        ))
    }

    /// The web with several variables that a pointer leads to, and its address.
    fn among_several(&mut self, pointer: ValueId) -> Option<(usize, Address)> {
        // What cannot be resolved is reported where it is emitted.
        let address = resolve(self.module, &mut self.layouts, self.old, pointer).ok()?;
        let Base::Chosen(inst) = address.base else {
            return None;
        };
        let node = *self.by_inst.get(&inst)?;
        (self.webs[self.web_of[node]].variables.len() > 1).then_some((node, address))
    }

    // ---- writing
    // -------------------------------------------------------------------------------------------------------------------------

    fn write(&mut self) -> Result<(), Error> {
        let mut choices: FxHashMap<u32, Choice> = FxHashMap::default();
        for node in 0..self.nodes.len() {
            let mut before = Vec::new();
            let (places, numbers) = self.operands(node, &mut before)?;
            choices.insert(
                self.nodes[node].inst.as_u32(),
                Choice {
                    before,
                    places,
                    numbers,
                },
            );
        }
        // Accesses that branch split their block.
        let (mut begin, mut end, mut next, mut accesses) = (Vec::new(), Vec::new(), 0u32, 0usize);
        let mut branching: FxHashMap<u32, (usize, Address)> = FxHashMap::default();
        for block in &self.old.blocks {
            begin.push(next);
            for at in block.start..block.end {
                if let Some(pointer) = pointer_of(&self.old.insts[at as usize].kind)
                    && let Some((node, address)) = self.among_several(pointer)
                {
                    let variables = self.webs[self.web_of[node]].variables.len();
                    next += variables as u32 + 1;
                    accesses += variables;
                    branching.insert(at, (node, address));
                }
            }
            end.push(next);
            next += 1;
        }
        if accesses > MAX_ACCESSES {
            return Err(unsupported(self.old, Limit::PointerAccesses));
        }
        self.rewriter.add_blocks(next as usize);
        for index in 0..self.old.blocks.len() {
            let data = self.old.blocks[index];
            let mut to = begin[index];
            let mut after_phis = Vec::new();
            for at in data.start..data.end {
                let mut inst = self.old.insts[at as usize];
                let old = self.old;
                let block = |b: BlockId, pred| {
                    BlockId::from_u32(if pred {
                        end[b.as_u32() as usize]
                    } else {
                        begin[b.as_u32() as usize]
                    })
                };
                inst.kind = copy_kind(
                    &inst.kind,
                    old,
                    &mut self.rewriter.out.pool,
                    0,
                    |v| v,
                    block,
                );
                let phi = matches!(inst.kind, InstKind::Phi { .. });
                if !phi {
                    self.rewriter.extend(to, std::mem::take(&mut after_phis));
                }
                if inst.kind.is_terminator() {
                    let insts = std::mem::take(&mut self.at_end[index]);
                    self.rewriter.extend(to, insts);
                }
                if let Some(choice) = choices.remove(&at) {
                    let insts = self.choice(to, InstId::from_u32(at), &inst, choice)?;
                    if phi {
                        after_phis.extend(insts);
                    } else {
                        self.rewriter.extend(to, insts);
                    }
                } else if let Some((node, address)) = branching.remove(&at) {
                    to = self.branch(to, node, &address, &inst, at)?;
                } else if !self.is_dropped(&inst) {
                    self.rewriter.push(
                        to,
                        NewInst {
                            inst,
                            metadata: metadata_of(self.old, at),
                        },
                    );
                }
            }
        }
        Ok(())
    }

    /// Addresses in one of several variables go with the accesses that they were for; markers say
    /// nothing about what is computed.
    fn is_dropped(&mut self, inst: &Inst) -> bool {
        match inst.kind {
            InstKind::Gep { .. }
            | InstKind::Cast {
                op: CastOp::BitCast | CastOp::AddrSpaceCast,
                ..
            } => {
                matches!(self.module.ty(inst.ty), Type::Pointer { .. })
                    && inst.result.is_some_and(|r| self.among_several(r).is_some())
            }
            InstKind::Call { callee, .. } => {
                match self.module.value(None, callee).map(|v| v.kind) {
                    Some(ValueKind::Function(f)) => {
                        let f = self.module.function(f);
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

    /// The choice of a place, and of a variable where there are several; returns the insts for the
    /// pointer itself.
    fn choice(
        &mut self,
        to: u32,
        id: InstId,
        inst: &Inst,
        choice: Choice,
    ) -> Result<Vec<NewInst>, Error> {
        let node = self.by_inst[&id];
        let web = self.web_of[node];
        self.rewriter.extend(to, choice.before);
        let several = self.webs[web].variables.len() > 1;
        let (place, number) = (self.nodes[node].place, self.nodes[node].number);
        for (operands, result) in [
            (choice.places, Some(place)),
            (choice.numbers, several.then_some(number)),
        ] {
            let Some(result) = result else { continue };
            let kind = match (inst.kind, &operands[..]) {
                (InstKind::Select { cond, .. }, &[then, else_]) => {
                    InstKind::Select { cond, then, else_ }
                }
                (InstKind::Phi { incoming }, _) => {
                    let preds: Vec<u32> = self.rewriter.out.pool[incoming.range()]
                        .chunks_exact(2)
                        .map(|pair| pair[1])
                        .collect();
                    InstKind::Phi {
                        incoming: self.rewriter.list(
                            operands
                                .iter()
                                .zip(preds)
                                .flat_map(|(v, pred)| [v.as_u32(), pred]),
                        ),
                    }
                }
                _ => {
                    return Err(unsupported(self.old, HandleFeature::UnknownSelection));
                }
            };
            self.rewriter.append(to, kind, self.int, Some(result));
        }
        match (self.webs[web].variables.first().copied(), inst.result) {
            (Some(base), Some(result)) if !several => {
                let (gep, address) = self.address(base, web, place, inst.ty)?;
                self.rewriter.replace(result, address);
                Ok(vec![gep])
            }
            (None, Some(result)) => {
                let undef = self
                    .rewriter
                    .constant(self.module, inst.ty, Constant::Undef);
                self.rewriter.replace(result, undef);
                Ok(Vec::new())
            }
            _ => Ok(Vec::new()),
        }
    }

    /// An access to one of several variables: a branch, the access in each arm, and a phi of what
    /// they read. Returns the block that goes on.
    fn branch(
        &mut self,
        to: u32,
        node: usize,
        address: &Address,
        inst: &Inst,
        at: u32,
    ) -> Result<u32, Error> {
        let web = self.web_of[node];
        let variables = self.webs[web].variables.clone();
        let mut insts = Vec::new();
        let place = self.place(address, web, &mut insts)?;
        self.rewriter.extend(to, insts);
        let arms: Vec<u32> = (0..variables.len() as u32).map(|k| to + 1 + k).collect();
        let after = to + 1 + variables.len() as u32;
        let void = self.old.terminator(BlockId::from_u32(0)).ty;
        let number = self.nodes[node].number;
        if let [first, second] = arms[..] {
            let zero = self.number(0);
            let cond = self.rewriter.result(self.bool_ty);
            let is_first = InstKind::Cmp {
                predicate: Predicate::IEq,
                lhs: number,
                rhs: zero,
                flags: ArithFlags(0),
            };
            self.rewriter.append(to, is_first, self.bool_ty, Some(cond));
            self.rewriter.append(
                to,
                InstKind::CondBr {
                    cond,
                    then: BlockId::from_u32(first),
                    else_: BlockId::from_u32(second),
                },
                void,
                None,
            );
        } else {
            let cases = self.rewriter.list(
                arms.iter()
                    .enumerate()
                    .skip(1)
                    .flat_map(|(k, &arm)| [k as u32, 0, arm]),
            );
            self.rewriter.append(
                to,
                InstKind::Switch {
                    value: number,
                    default: BlockId::from_u32(arms[0]),
                    cases,
                },
                void,
                None,
            );
        }
        let pointer_type = pointer_of(&inst.kind)
            .and_then(|p| self.module.value(Some(self.old), p))
            .map_or(self.int, |v| v.ty);
        let mut read = Vec::new();
        for (&base, &arm) in variables.iter().zip(&arms) {
            let (address, pointer) = self.address(base, web, place, pointer_type)?;
            self.rewriter.push(arm, address);
            let result = inst.result.map(|_| self.rewriter.result(inst.ty));
            let mut access = *inst;
            access.result = result;
            match &mut access.kind {
                InstKind::Load { ptr, .. }
                | InstKind::Store { ptr, .. }
                | InstKind::AtomicRmw { ptr, .. }
                | InstKind::CmpXchg { ptr, .. } => *ptr = pointer,
                _ => {}
            }
            self.rewriter.push(
                arm,
                NewInst {
                    inst: access,
                    metadata: metadata_of(self.old, at),
                },
            );
            self.rewriter.append(
                arm,
                InstKind::Br {
                    target: BlockId::from_u32(after),
                },
                void,
                None,
            );
            read.extend(result.map(|r| (r, arm)));
        }
        if let Some(result) = inst.result {
            self.joined(after, inst, result, &read);
        }
        Ok(after)
    }

    /// What the arms read, in the block after them.
    fn joined(&mut self, after: u32, inst: &Inst, result: ValueId, read: &[(ValueId, u32)]) {
        let incoming = self
            .rewriter
            .list(read.iter().flat_map(|(v, arm)| [v.as_u32(), *arm]));
        self.rewriter
            .append(after, InstKind::Phi { incoming }, inst.ty, Some(result));
    }
}

/// Operands of a node, computed.
struct Choice {
    before: Vec<NewInst>,
    places: Vec<ValueId>,
    numbers: Vec<ValueId>,
}

/// The pointer of an access.
fn pointer_of(kind: &InstKind) -> Option<ValueId> {
    match *kind {
        InstKind::Load { ptr, .. }
        | InstKind::Store { ptr, .. }
        | InstKind::AtomicRmw { ptr, .. }
        | InstKind::CmpXchg { ptr, .. } => Some(ptr),
        _ => None,
    }
}
