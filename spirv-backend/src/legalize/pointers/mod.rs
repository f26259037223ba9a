//! Phis and selects of pointers.
//!
//! Phis and selects of pointers into one variable become phis and selects of the offset in it. With
//! several variables, the number of the variable is selected, too, and each access becomes a branch
//! with an access to each variable, so that no invocation accesses memory that it did not select.

mod write;

use rustc_hash::FxHashMap;
use trellis_dxil_frontend::module::{
    BlockId, Constant, Function, GlobalId, InstId, InstKind, Type, TypeId, ValueId, ValueKind,
};
use trellis_entity::PrimaryMap;

use crate::error::{Error, Limit, MemoryFeature, PointerFeature};
use crate::legalize::rewriter::{FunctionRewriter, NewInst};
use crate::legalize::webs::Sets;
use crate::legalize::{Context, type_id, unsupported};
use crate::memory::address::{Address, Base, resolve};
use crate::memory::layout::Layouts;

/// Most accesses that all expansions of a function make together.
const MAX_ACCESSES: usize = 1 << 16;

/// A phi or select of pointers.
struct Node {
    inst: InstId,
    /// The pointers that it selects from; `None` is undefined or null.
    operands: Vec<Option<Address>>,
    /// The selected offset, counted in units of the web.
    place: ValueId,
    /// The selected variable's number, if there are several.
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
    w: FunctionRewriter<'a>,
    layouts: Layouts,
    bool_ty: TypeId,
    /// Integers of all widths.
    integers: [TypeId; 4],
    /// Address of each global variable.
    globals: PrimaryMap<GlobalId, Option<ValueId>>,
    nodes: Vec<Node>,
    by_inst: FxHashMap<InstId, usize>,
    /// Web of each node.
    web_of: Vec<usize>,
    webs: Vec<Web>,
    /// For each block, the instructions to insert before its terminator.
    at_end: PrimaryMap<BlockId, Vec<NewInst>>,
}

/// Rewrites one function.
///
/// # Errors
/// Pointers to anything but a variable of the shader, and uses other than accesses.
pub(super) fn run(_: &Context<'_>, w: FunctionRewriter<'_>) -> Result<Function, Error> {
    // All types exist before the first is measured.
    let bool_ty = type_id(w.module, &Type::Int(1));
    let integers = [8, 16, 32, 64].map(|width| type_id(w.module, &Type::Int(width)));
    let mut globals = PrimaryMap::from(vec![None; w.module.globals.len()]);
    for (at, data) in w.module.values.iter().enumerate() {
        if let ValueKind::Global(g) = data.kind
            && let Some(slot) = globals.get_mut(g)
        {
            *slot = Some(ValueId::from_u32(at as u32));
        }
    }
    let mut this = Pointers {
        at_end: vec![Vec::new(); w.old.blocks.len()].into(),
        w,
        layouts: Layouts::default(),
        bool_ty,
        integers,
        globals,
        nodes: Vec::new(),
        by_inst: FxHashMap::default(),
        web_of: Vec::new(),
        webs: Vec::new(),
    };
    this.find()?;
    this.join()?;
    this.write()?;
    this.w.finish()
}

impl Pointers<'_> {
    fn resolve(&mut self, pointer: ValueId) -> Result<Address, Error> {
        resolve(self.w.module, &mut self.layouts, self.w.old, pointer)
            .map_err(|cause| cause.at(crate::legalize::at(self.w.old)))
    }

    fn find(&mut self) -> Result<(), Error> {
        for (id, inst) in self.w.old.insts.iter() {
            if matches!(inst.kind, InstKind::Phi { .. } | InstKind::Select { .. })
                && matches!(self.w.module.ty(inst.ty), Type::Pointer { .. })
            {
                self.by_inst.insert(id, self.nodes.len());
                let (place, number) = (self.w.result(self.w.int), self.w.result(self.w.int));
                self.nodes.push(Node {
                    inst: id,
                    operands: Vec::new(),
                    place,
                    number,
                });
            }
        }
        for node in 0..self.nodes.len() {
            let kind = self.w.old.insts[self.nodes[node].inst].kind;
            for value in self.w.choices(kind) {
                let address = match self.w.constant_of(value) {
                    Some(Constant::Undef | Constant::Null) => None,
                    _ => Some(self.resolve(value)?),
                };
                self.nodes[node].operands.push(address);
            }
        }
        Ok(())
    }

    /// Joins the nodes to webs and finds their variables.
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
                // The address of a record is a value, which is not known everywhere.
                if matches!(address.base, Base::Record(_)) {
                    return Err(unsupported(self.w.old, PointerFeature::Selected));
                }
                if !matches!(address.base, Base::Chosen(_))
                    && !web.variables.contains(&address.base)
                {
                    if web.variables.len() >= 64 {
                        return Err(unsupported(self.w.old, Limit::PointerVariables));
                    }
                    web.variables.push(address.base);
                }
            }
        }
        for at in 0..self.webs.len() {
            let (mut unit, mut unit_type) = (u64::MAX, self.w.int);
            for base in self.webs[at].variables.clone() {
                let content = match base {
                    Base::Global(g) => self.w.module.globals.get(g).map(|g| g.ty),
                    Base::Argument(index) => {
                        self.argument(index).and_then(|value| self.pointee(value))
                    }
                    Base::Alloca(i) | Base::Chosen(i) | Base::Payload(i) | Base::Record(i) => {
                        let inst = &self.w.old.insts[i];
                        match (inst.kind, self.w.module.ty(inst.ty)) {
                            (InstKind::Alloca { ty, .. }, _) => Some(ty),
                            (InstKind::Call { .. }, Type::Pointer { pointee, .. }) => {
                                Some(*pointee)
                            }
                            _ => None,
                        }
                    }
                };
                let layout = content.and_then(|ty| self.layouts.of(self.w.module, ty).ok());
                let layout =
                    layout.ok_or_else(|| unsupported(self.w.old, MemoryFeature::Layout))?;
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
                .of(self.w.module, t)
                .is_ok_and(|l| l.size == size)
        });
        found.ok_or_else(|| unsupported(self.w.old, PointerFeature::SelectedWidth { bytes: size }))
    }

    /// Appends the computation of the offset of an address in units of a web.
    fn place(&mut self, address: &Address, web: usize) -> Result<ValueId, Error> {
        let unit = self.webs[web].unit;
        let constant = address.constant as i64;
        if unit == u64::MAX {
            // Only undefined pointers.
            return Ok(self.w.constant(self.w.int, Constant::Null));
        }
        if constant.rem_euclid(unit as i64) != 0 || address.terms.iter().any(|t| t.1 % unit != 0) {
            return Err(unsupported(self.w.old, PointerFeature::BetweenScalars));
        }
        let start = match address.base {
            Base::Chosen(inst) => Some(self.nodes[self.by_inst[&inst]].place),
            Base::Global(_)
            | Base::Alloca(_)
            | Base::Argument(_)
            | Base::Payload(_)
            | Base::Record(_) => None,
        };
        let terms = address.terms.iter();
        let terms = terms.map(|&(index, scale)| (index, (scale / unit) as u32));
        let constant = constant.div_euclid(unit as i64) as u32;
        Ok(self.w.sum(start, terms, constant))
    }

    /// Returns the offsets and variable numbers of a node's operands. The instructions that compute
    /// them are inserted into the predecessors of a phi, else appended to `before`.
    fn operands(
        &mut self,
        node: usize,
        before: &mut Vec<NewInst>,
    ) -> Result<(Vec<ValueId>, Vec<ValueId>), Error> {
        let web = self.web_of[node];
        let preds: Option<Vec<BlockId>> = match self.w.old.insts[self.nodes[node].inst].kind {
            InstKind::Phi { incoming } => {
                Some(self.w.old.phi_incoming(incoming).map(|p| p.1).collect())
            }
            _ => None,
        };
        let (mut places, mut numbers) = (Vec::new(), Vec::new());
        for (at, address) in self.nodes[node].operands.clone().into_iter().enumerate() {
            let Some(address) = address else {
                let undef = self.w.undef(self.w.int);
                places.push(undef);
                numbers.push(self.w.number(0));
                continue;
            };
            places.push(self.place(&address, web)?);
            let insts = self.w.take();
            numbers.push(match address.base {
                Base::Chosen(inst) => self.nodes[self.by_inst[&inst]].number,
                base => {
                    let number = self.webs[web]
                        .variables
                        .iter()
                        .position(|v| *v == base)
                        .unwrap_or(0);
                    self.w.number(number as u32)
                }
            });
            match &preds {
                Some(preds) => self.at_end[preds[at]].extend(insts),
                None => before.extend(insts),
            }
        }
        Ok((places, numbers))
    }

    /// Returns the value of a parameter.
    fn argument(&self, index: u32) -> Option<ValueId> {
        let at = self
            .w
            .old
            .values
            .iter()
            .position(|v| v.kind == ValueKind::Argument(index))?;
        Some(ValueId::from_u32((self.w.module.values.len() + at) as u32))
    }

    /// Returns the pointee type of a pointer.
    fn pointee(&self, pointer: ValueId) -> Option<TypeId> {
        match self.w.module.ty(self.w.data(pointer)?.ty) {
            Type::Pointer { pointee, .. } => Some(*pointee),
            _ => None,
        }
    }

    /// Returns the variable's address as a value.
    fn base_value(&self, base: Base) -> Result<ValueId, Error> {
        let found = match base {
            Base::Global(g) => self.globals.get(g).copied().flatten(),
            Base::Argument(index) => self.argument(index),
            Base::Alloca(i) | Base::Chosen(i) | Base::Payload(i) | Base::Record(i) => {
                self.w.old.insts[i].result.expand()
            }
        };
        found.ok_or_else(|| unsupported(self.w.old, PointerFeature::NoAddress))
    }

    /// Appends the address of an element of a variable.
    fn address(
        &mut self,
        base: Base,
        web: usize,
        place: ValueId,
        ty: TypeId,
    ) -> Result<ValueId, Error> {
        let base = self.base_value(base)?;
        let operands = self.w.list([base.as_u32(), place.as_u32()]);
        let kind = InstKind::Gep {
            inbounds: false,
            source: self.webs[web].unit_type,
            operands,
        };
        Ok(self.w.value(kind, ty))
    }

    /// Returns the web with several variables that a pointer leads to, and its address.
    fn among_several(&mut self, pointer: ValueId) -> Option<(usize, Address)> {
        // An address that cannot be resolved is reported where it is emitted.
        let address = resolve(self.w.module, &mut self.layouts, self.w.old, pointer).ok()?;
        let Base::Chosen(inst) = address.base else {
            return None;
        };
        let node = *self.by_inst.get(&inst)?;
        (self.webs[self.web_of[node]].variables.len() > 1).then_some((node, address))
    }
}
