//! Copies of code.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use trellis_structurizer::ir::{Block, InstKind, Type, Value};

use crate::{
    Arm, Cursor, EditError, End, Fragment, FragmentData, Item, Jump, Kind, List, Loop, Program,
};

/// The copy of each original entity.
#[derive(Default)]
struct Copies {
    blocks: BTreeMap<Block, Block>,
    values: BTreeMap<Value, Value>,
    items: BTreeMap<Item, Item>,
    lists: BTreeMap<List, List>,
    /// Lists with their copies, in the order in which they were met.
    order: Vec<(List, List)>,
}

impl Copies {
    fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }
}

impl Program {
    /// Copies the code between two locations of one list, with fresh blocks and values. Operands
    /// that are defined in the range are replaced by the copy's, others are unchanged.
    ///
    /// Linear in the range, and in the function where debug assertions are on.
    pub fn copy(&mut self, start: Cursor, end: Cursor) -> Result<Fragment, EditError> {
        let opened = self.open(start, end)?;
        let list = self.push_list(None);
        let mut copies = Copies::default();
        self.copy_items(opened.first, Some(opened.last), list, &mut copies);
        let mut next = 0;
        while let Some(&(from, to)) = copies.order.get(next) {
            next += 1;
            if let Some(first) = self.lists[from].first.expand() {
                self.copy_items(first, None, to, &mut copies);
            }
        }
        let blocks = self.blocks_between(opened.first, opened.last);
        for &block in &blocks {
            self.copy_block(block, &mut copies);
        }
        for &block in &blocks {
            self.copy_phi_operands(block, &copies);
        }
        self.rename_copy(list, &copies);
        let mut operands = Vec::new();
        for &(from, to) in &copies.order {
            let End::Jump(jump @ (Jump::Break(item) | Jump::Continue(item))) = self.lists[from].end
            else {
                continue;
            };
            if let (Some(target), Some(pred), Some(copy)) =
                (self.target(jump), self.last(from), self.last(to))
                && !copies.items.contains_key(&item)
            {
                let old = self.operands_for(target, pred).into_iter();
                operands.extend(old.map(|(phi, _, value)| (phi, copy, copies.value(value))));
            }
        }
        self.close(opened);
        Ok(self.fragments.push(FragmentData {
            list: Some(list),
            operands,
        }))
    }

    /// Copies the items of a list from one on; their lists are copied later.
    fn copy_items(&mut self, first: Item, last: Option<Item>, to: List, copies: &mut Copies) {
        let mut next = Some(first);
        while let Some(item) = next {
            let mut list = |program: &mut Program, from: List| {
                let copy = program.push_list(None);
                copies.lists.insert(from, copy);
                copies.order.push((from, copy));
                copy
            };
            let kind = match self.items[item].kind {
                Kind::Block(_) => Kind::Block(self.func.add_block()),
                Kind::If { cond, arms, hint } => {
                    let arms = arms.map(|arm| list(self, arm));
                    Kind::If { cond, arms, hint }
                }
                Kind::Loop(inner) => Kind::Loop(Loop {
                    header: self.func.add_block(),
                    body: list(self, inner.body),
                    continuing: list(self, inner.continuing),
                    ..inner
                }),
                Kind::Switch { value, hint, arms } => {
                    let start = self.arms.len() as u32;
                    for arm in self.arms_of(arms).to_vec() {
                        let copy = list(self, arm.list);
                        self.arms.push(Arm { list: copy, ..arm });
                    }
                    Kind::Switch {
                        value,
                        hint,
                        arms: (start, self.arms.len() as u32),
                    }
                }
            };
            let copy = self.push_item(to, kind);
            for list in self.lists_of(copy) {
                self.lists[list].owner = copy.into();
            }
            copies.items.insert(item, copy);
            if let (Some(block), Some(fresh)) =
                (self.block_of(Some(item)), self.block_of(Some(copy)))
            {
                copies.blocks.insert(block, fresh);
            }
            let after = self.items[item].next.expand();
            next = after.filter(|_| Some(item) != last);
        }
    }

    fn copy_block(&mut self, block: Block, copies: &mut Copies) {
        let Some(&fresh) = copies.blocks.get(&block) else {
            return;
        };
        let hint = self.func.loop_hint(block);
        self.func.set_loop_hint(fresh, hint);
        let phis: Vec<Value> = self.func.phis(block).collect();
        for phi in phis {
            let copy = self.func.add_phi(fresh, self.func.value_type(phi));
            copies.values.insert(phi, copy);
        }
        let insts: Vec<_> = self.func.insts(block).collect();
        for inst in insts {
            let uses = self.func.uses(inst).iter();
            let uses: Vec<Value> = uses.map(|&value| copies.value(value)).collect();
            let results: Vec<Value> = self.func.results(inst).collect();
            let types = results.iter().map(|&value| self.func.value_type(value));
            let types: Vec<Type> = types.collect();
            match self.func.inst_kind(inst) {
                InstKind::Client(payload) => {
                    let effects = self.func.effects(inst);
                    let func = &mut self.func;
                    let copy = func.append_inst(fresh, payload, effects, &uses, &types);
                    self.func.set_size(copy, self.func.size(inst));
                    let fresh_results = self.func.results(copy);
                    copies.values.extend(results.into_iter().zip(fresh_results));
                }
                // It reads one value and has one result.
                InstKind::SelectorTest { op, constant } => {
                    for (result, &selector) in results.into_iter().zip(&uses) {
                        let func = &mut self.func;
                        let copy = func.append_selector_test(fresh, selector, op, constant);
                        copies.values.insert(result, copy);
                    }
                }
                // It reads three values and has one result.
                InstKind::Select => {
                    if let (&[result], &[cond, then, else_]) = (&*results, &*uses) {
                        let ty = self.func.value_type(result);
                        let copy = self.func.append_select(fresh, [cond, then, else_], ty);
                        copies.values.insert(result, copy);
                    }
                }
            }
        }
    }

    fn copy_phi_operands(&mut self, block: Block, copies: &Copies) {
        let phis: Vec<Value> = self.func.phis(block).collect();
        for phi in phis {
            let operands = self.func.phi_operands(phi).map(|operand| {
                let pred = copies.blocks.get(&operand.pred).copied();
                (pred.unwrap_or(operand.pred), copies.value(operand.value))
            });
            let operands: Vec<(Block, Value)> = operands.collect();
            self.func.set_phi_operands(copies.value(phi), &operands);
        }
    }

    /// Renames the entities of constructs and ends of a copy to the copy's.
    fn rename_copy(&mut self, list: List, copies: &Copies) {
        for item in self.items_of(list) {
            if let Some(value) = self.items[item].kind.value_mut() {
                *value = copies.value(*value);
            }
        }
        let item = |item: Item| copies.items.get(&item).copied().unwrap_or(item);
        for &(from, to) in &copies.order {
            self.lists[to].end = match self.lists[from].end {
                End::Jump(Jump::Break(target)) => End::Jump(Jump::Break(item(target))),
                End::Jump(Jump::Continue(target)) => End::Jump(Jump::Continue(item(target))),
                End::Jump(Jump::Return(Some(value))) => {
                    End::Jump(Jump::Return(Some(copies.value(value))))
                }
                End::FallThrough(next) => {
                    End::FallThrough(copies.lists.get(&next).copied().unwrap_or(next))
                }
                other @ End::Jump(_) => other,
            };
        }
    }
}
