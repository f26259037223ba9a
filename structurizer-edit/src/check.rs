//! The invariants of a program: tree and graph agree, and values are defined where they are read.

use alloc::collections::BTreeSet;
use alloc::string::ToString;
use alloc::vec::Vec;

use trellis_entity::{EntitySet, SecondaryMap};
use trellis_structurizer::analysis::{DominatorTree, FlowGraph};
use trellis_structurizer::ir::{Block, Terminator, Value, ValueKind};

use crate::{Cursor, EditError, End, Item, Jump, Kind, List, Loop, Program};

/// Dominance of blocks over branch edges.
pub(crate) struct Dominance {
    tree: DominatorTree,
    /// The blocks of the program. Code that was cut out is still in the function.
    blocks: EntitySet<Block>,
}

impl Dominance {
    /// Returns whether each path to `b` leads through `a`. No path leads to a block that is not
    /// reached.
    pub(crate) fn dominates(&self, a: Block, b: Block) -> bool {
        // Code that was cut out defines nothing, not even for blocks that are not reached.
        self.blocks.contains(a) && (!self.tree.dominates(b, b) || self.tree.dominates(a, b))
    }
}

impl Program {
    /// Checks that the lists follow their rules, that the graph agrees with the tree, and that
    /// phis have one operand for each predecessor.
    ///
    /// Holds after each operation; with debug assertions, each operation checks it. Linear.
    pub fn check(&self) -> Result<(), EditError> {
        let entry = Block::from_u32(0);
        for item in self.items_of(self.root) {
            let data = &self.items[item];
            let at = self.block_of(Some(item));
            let at = at.or_else(|| self.block_of(data.prev.expand()));
            let at = at.unwrap_or(entry);
            let wrong = Err(EditError::OutOfStep { block: at });
            let is_block = |item: Option<Item>| {
                item.is_some_and(|item| matches!(self.items[item].kind, Kind::Block(_)))
            };
            let neighbours = (data.prev.expand(), data.next.expand());
            let (prev_fits, next_fits) = match data.kind {
                Kind::Block(_) => (!is_block(neighbours.0), !is_block(neighbours.1)),
                _ => (is_block(neighbours.0), is_block(neighbours.1)),
            };
            let owned = self.lists_of(item).into_iter().all(|list| {
                self.lists[list].owner == item.into() && self.lists[list].first.is_some()
            });
            let first = data.prev.is_some() == (self.lists[data.list].first != item.into());
            let last = data.next.is_some() == (self.lists[data.list].last != item.into());
            if !(prev_fits && next_fits && owned && first && last) {
                return wrong;
            }
            if let Kind::Block(block) | Kind::Loop(Loop { header: block, .. }) = data.kind {
                let ending = self.ending(block);
                let only_phis = is_block(Some(item)) || self.func.insts(block).next().is_none();
                if self.item_of[block] != item.into()
                    || ending.is_none()
                    || ending != self.current(block)
                    || !only_phis
                {
                    return wrong;
                }
            }
        }
        self.check_phis()
    }

    fn check_phis(&self) -> Result<(), EditError> {
        let blocks = self.blocks();
        let preds = self.predecessors(&blocks);
        for &block in &blocks {
            for phi in self.func.phis(block) {
                let operands = self.func.phi_operands(phi);
                let mut operands: Vec<Block> = operands.map(|operand| operand.pred).collect();
                operands.sort_unstable();
                let mut wanted = preds[block].clone();
                wanted.sort_unstable();
                if operands != wanted {
                    return Err(EditError::PhiOperands { phi });
                }
            }
        }
        Ok(())
    }

    /// Returns the distinct predecessors of each block, in the order of the blocks.
    pub(crate) fn predecessors(&self, blocks: &[Block]) -> SecondaryMap<Block, Vec<Block>> {
        let mut preds: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
        for &block in blocks {
            for to in self.func.successors(block) {
                if preds[to].last() != Some(&block) {
                    preds[to].push(block);
                }
            }
        }
        preds
    }

    pub(crate) fn dominance(&self) -> Dominance {
        let entry = self.block_at(self.start());
        Dominance {
            tree: FlowGraph::from_entry(&self.func, entry).dominators(),
            blocks: self.blocks().into_iter().collect(),
        }
    }

    /// Returns the block that defines a value; none for a value that is defined everywhere.
    pub(crate) fn definition(&self, value: Value) -> Option<Block> {
        match self.func.value_kind(value) {
            ValueKind::Phi(block) => Some(block),
            ValueKind::Result { inst, .. } => Some(self.func.inst_block(inst)),
            ValueKind::Constant { .. }
            | ValueKind::SelectorConstant(_)
            | ValueKind::BoolConstant(_)
            | ValueKind::Undef => None,
        }
    }

    /// Checks that values are defined at a position.
    pub(crate) fn defined_at(&self, cursor: Cursor, values: &[Value]) -> Result<(), EditError> {
        let block = self.block_at(cursor);
        if let Some(&value) = values.iter().find(|&&value| !self.func.has_value(value)) {
            return Err(EditError::NotDefined { value, block });
        }
        let mut dominance = None;
        for &value in values {
            let Some(by) = self.definition(value) else {
                continue;
            };
            let is_phi = matches!(self.func.value_kind(value), ValueKind::Phi(_));
            let fine = if is_phi && !self.func.phis(by).any(|phi| phi == value) {
                // A redundant phi that was removed from its block.
                false
            } else if by == block {
                self.is_before(value, cursor)
            } else {
                let dominance = dominance.get_or_insert_with(|| self.dominance());
                dominance.dominates(by, block)
            };
            if !fine {
                return Err(EditError::NotDefined { value, block });
            }
        }
        Ok(())
    }

    /// Returns whether a value of the cursor's own block is defined before the cursor.
    fn is_before(&self, value: Value, cursor: Cursor) -> bool {
        match self.func.value_kind(value) {
            ValueKind::Result { inst, .. } => {
                let insts = self.func.insts(self.block_at(cursor));
                let mut before = insts.take_while(|&other| Some(other) != cursor.before);
                before.any(|other| other == inst)
            }
            _ => true,
        }
    }

    /// Checks that all that is read is defined, everywhere.
    pub(crate) fn check_uses(&self) -> Result<(), EditError> {
        let dominance = self.dominance();
        for block in self.blocks() {
            let defined = |value: Value, at: Block| match self.definition(value) {
                Some(by) if by != at && !dominance.dominates(by, at) => {
                    Err(EditError::NotDefined { value, block: at })
                }
                _ => Ok(()),
            };
            for phi in self.func.phis(block) {
                for operand in self.func.phi_operands(phi) {
                    defined(operand.value, operand.pred)?;
                }
            }
            for inst in self.func.insts(block) {
                for &value in self.func.uses(inst) {
                    defined(value, block)?;
                }
            }
            if let Some(value) = self.func.terminator(block).and_then(Terminator::value) {
                defined(value, block)?;
            }
        }
        Ok(())
    }

    /// Returns the jumps of a list and of the lists in it that lead out of it, or out of the
    /// function, with their blocks.
    pub(crate) fn jumps_out(&self, list: List) -> Vec<(Block, Jump)> {
        let items = self.items_of(list);
        let inside: BTreeSet<Item> = items.iter().copied().collect();
        let mut found = Vec::new();
        for &item in &items {
            for inner in self.lists_of(item) {
                let End::Jump(jump) = self.lists[inner].end else {
                    continue;
                };
                let out = match jump {
                    Jump::Next => false,
                    Jump::Break(target) | Jump::Continue(target) => !inside.contains(&target),
                    Jump::Return(_) | Jump::Kill | Jump::Exit(_) | Jump::Unreachable => true,
                };
                if let (true, Some(block)) = (out, self.last(inner)) {
                    found.push((block, jump));
                }
            }
        }
        found
    }

    /// Returns whether a jump is possible at the end of a list, or in a construct of it that it may
    /// leave.
    pub(crate) fn may_jump(&self, list: List, jump: Jump) -> bool {
        let target = match jump {
            Jump::Next => return true,
            Jump::Break(target) | Jump::Continue(target) => Some(target),
            Jump::Return(_) | Jump::Kill | Jump::Exit(_) | Jump::Unreachable => None,
        };
        let mut list = list;
        let leaves_switches = self.target.break_leaves_switches;
        while let Some(owner) = self.lists[list].owner.expand() {
            match self.items[owner].kind {
                Kind::Loop(inner) if list == inner.continuing => return false,
                Kind::Loop(_) if target.is_some() => return target == Some(owner),
                Kind::Switch { .. } if target == Some(owner) => {
                    return matches!(jump, Jump::Break(_));
                }
                Kind::Switch { .. } if !leaves_switches && matches!(jump, Jump::Break(_)) => {
                    return false;
                }
                // A break may exit a switch to an enclosing loop, but not to an enclosing switch.
                Kind::Switch { .. } if target.is_some_and(|target| !self.is_loop(target)) => {
                    return false;
                }
                _ => {}
            }
            list = self.items[owner].list;
        }
        target.is_none()
    }

    pub(crate) fn debug_check(&self) {
        debug_assert_eq!(self.check().map_err(|error| error.to_string()), Ok(()));
    }
}

#[cfg(test)]
mod tests {
    use trellis_structurizer::Merge;
    use trellis_structurizer::ir::{Block, Terminator};
    use trellis_structurizer::text::parse_structured;

    use crate::{EditError, End, Jump, Kind, Program};

    fn program() -> Program {
        let text = "a: l\nl: b m | loop m k\nb: s e | merge e\ns: e\ne: k\nk: l\nm: switch x y z | merge w\nx: w\ny: z\nz: w\nw: ret";
        Program::of(parse_structured(text).unwrap()).unwrap()
    }

    #[test]
    fn a_graph_or_a_tree_that_changes_alone_is_noticed() {
        let good = program();
        assert_eq!(good.check(), Ok(()));
        let mut noticed = 0;
        for block in good.blocks() {
            let mut bad = good.clone();
            bad.func
                .set_terminator(block, Terminator::Branch(Block::from_u32(0)));
            assert_eq!(bad.check(), Err(EditError::OutOfStep { block }));
            let mut bad = good.clone();
            bad.merges[block] = match bad.merges[block] {
                Merge::None => Merge::Selection {
                    merge: block,
                    hint: Default::default(),
                },
                _ => Merge::None,
            };
            assert_eq!(bad.check(), Err(EditError::OutOfStep { block }));
            noticed += 2;
        }
        for item in good.items.keys() {
            let mut bad = good.clone();
            match &mut bad.items[item].kind {
                Kind::If { arms, .. } => arms.swap(0, 1),
                Kind::Loop(inner) => core::mem::swap(&mut inner.body, &mut inner.continuing),
                Kind::Switch { arms, .. } => arms.1 -= 1,
                Kind::Block(_) => bad.items[item].next = None.into(),
            }
            // The end of a list has nothing to lose.
            let same =
                good.items[item].next.is_none() && matches!(good.items[item].kind, Kind::Block(_));
            assert_eq!(bad.check().is_ok(), same, "{item}");
            noticed += 1;
        }
        for list in good.lists.keys() {
            let mut bad = good.clone();
            bad.lists[list].end = End::Jump(Jump::Kill);
            assert!(bad.check().is_err(), "{list}");
            noticed += 1;
        }
        assert!(noticed > 50, "{noticed}");
    }
}
