//! Cutting out and putting in.
//!
//! A position is opened by splitting its block: the head keeps the block, so edges into it stay,
//! and the tail gets a fresh one, whose name the phis of its successors take over. It is closed by
//! fusing the tail with the block that is now before it.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use trellis_structurizer::Merge;
use trellis_structurizer::ir::{Block, Inst, Terminator, Value};

use crate::{
    Cursor, EditError, End, Fragment, FragmentData, Item, ItemData, Jump, Kind, List, Program,
};

/// A range that is opened: the block before it, its first and last block, the block after it.
#[derive(Clone, Copy)]
pub(crate) struct Opened {
    before: Item,
    pub(crate) first: Item,
    pub(crate) last: Item,
    after: Item,
}

impl Program {
    /// Cuts out the code between two locations of one list. A value of it that is read elsewhere is
    /// an error that names it. Phis elsewhere lose their operands for jumps of the range.
    ///
    /// Linear in the function.
    pub fn extract(&mut self, start: Cursor, end: Cursor) -> Result<Fragment, EditError> {
        let opened = self.open(start, end)?;
        let saved = (opened.first != opened.last).then(|| self.clone());
        if let Err(mut error) = self.unused_elsewhere(opened) {
            // The tail of the last block gets its old name back.
            let kept = self.block_of(Some(if opened.first == opened.last {
                opened.before
            } else {
                opened.last
            }));
            if let (EditError::UsedOutside { block, .. }, Some(kept)) = (&mut error, kept)
                && self.item_of[*block] == opened.after.into()
            {
                *block = kept;
            }
            self.close(opened);
            return Err(error);
        }
        let fragment = self.detach(opened);
        // Without the range, a position may be reached that was not reached before.
        if let Some(saved) = saved
            && let Err(error) = self.check_uses()
        {
            *self = saved;
            self.close(opened);
            return Err(error);
        }
        self.debug_check();
        Ok(fragment)
    }

    /// Inserts a fragment at a position. Jumps have to lead somewhere from there, and values that
    /// the fragment reads have to be defined there.
    ///
    /// Linear in the function; the fragment is still there after an error.
    pub fn splice(&mut self, fragment: Fragment, at: Cursor) -> Result<(), EditError> {
        let list = self.fragments.get(fragment).and_then(|data| data.list);
        let list = list.ok_or(EditError::NoFragment(fragment))?;
        let place = self.item_at(at)?;
        for (_, jump) in self.jumps_out(list) {
            if !self.may_jump(self.items[place].list, jump) {
                return Err(EditError::IllegalJump(jump));
            }
        }
        let free = self.free_values(fragment, list);
        self.defined_at(at, &free)?;
        // A jump is a new path around definitions. And code from an unreachable position may read
        // any value there, but not here.
        let constructs = self.lists[list].first != self.lists[list].last;
        let saved = constructs.then(|| self.clone());
        let result = self.attach(fragment, list, at);
        let result = result.and_then(|()| match constructs {
            true => self.check_uses(),
            false => Ok(()),
        });
        if let (Err(error), Some(saved)) = (result, saved) {
            *self = saved;
            return Err(error);
        }
        self.debug_check();
        Ok(())
    }

    /// Returns the values that a fragment reads and does not define.
    fn free_values(&self, fragment: Fragment, list: List) -> Vec<Value> {
        let blocks = self.blocks_of(list);
        let own: BTreeSet<Block> = blocks.iter().copied().collect();
        let mut free = BTreeSet::new();
        for &block in &blocks {
            let phis = self.func.phis(block);
            let operands = phis.flat_map(|phi| self.func.phi_operands(phi));
            free.extend(operands.map(|operand| operand.value));
            let insts = self.func.insts(block);
            free.extend(insts.flat_map(|inst| self.func.uses(inst).iter().copied()));
        }
        let operands = self.fragments[fragment].operands.iter();
        free.extend(operands.map(|operand| operand.2));
        let items = self.items_of(list).into_iter();
        free.extend(items.flat_map(|item| self.values_of(item)));
        free.retain(|&value| {
            self.definition(value)
                .is_some_and(|block| !own.contains(&block))
        });
        free.into_iter().collect()
    }

    /// Returns the values that a construct itself reads.
    fn values_of(&self, item: Item) -> Vec<Value> {
        let mut kind = self.items[item].kind;
        let own = kind.value_mut().copied();
        let lists = self.lists_of(item).into_iter();
        let returned = lists.filter_map(|list| match self.lists[list].end {
            End::Jump(Jump::Return(value)) => value,
            _ => None,
        });
        own.into_iter().chain(returned).collect()
    }

    /// Checks that no value of a range is read elsewhere.
    fn unused_elsewhere(&self, opened: Opened) -> Result<(), EditError> {
        let inside = self.blocks_between(opened.first, opened.last);
        let inside: BTreeSet<Block> = inside.into_iter().collect();
        let used = |value: Value, block: Block| match self.definition(value) {
            Some(by) if inside.contains(&by) && !inside.contains(&block) => {
                Err(EditError::UsedOutside { value, block })
            }
            _ => Ok(()),
        };
        for block in self.blocks() {
            for phi in self.func.phis(block) {
                for operand in self.func.phi_operands(phi) {
                    // A jump's operand is removed with the jump; one for the end of the range
                    // cannot be, since a block without phis follows.
                    used(operand.value, operand.pred)?;
                }
            }
            for inst in self.func.insts(block) {
                let mut uses = self.func.uses(inst).iter();
                uses.try_for_each(|&value| used(value, block))?;
            }
            let value = self.func.terminator(block).and_then(Terminator::value);
            value.map_or(Ok(()), |value| used(value, block))?;
        }
        Ok(())
    }

    /// Returns the blocks of a part of a list.
    pub(crate) fn blocks_between(&self, first: Item, last: Item) -> Vec<Block> {
        let mut found = Vec::new();
        let mut next = Some(first);
        while let Some(item) = next {
            found.extend(self.block_of(Some(item)));
            let lists = self.lists_of(item).into_iter();
            found.extend(lists.flat_map(|list| self.blocks_of(list)));
            next = self.items[item].next.expand().filter(|_| item != last);
        }
        found
    }

    /// Splits the blocks at both ends of a range.
    pub(crate) fn open(&mut self, start: Cursor, end: Cursor) -> Result<Opened, EditError> {
        let (before, last) = (self.item_at(start)?, self.item_at(end)?);
        let in_order = if before == last {
            let insts = self.func.insts(self.block_at(start));
            let mut rest = insts.skip_while(|&inst| Some(inst) != start.before);
            end.before.is_none_or(|end| rest.any(|inst| inst == end))
        } else {
            core::iter::successors(Some(before), |&item| self.items[item].next.expand())
                .any(|item| item == last)
        };
        if !in_order {
            return Err(EditError::NotARange);
        }
        let first = self.split(before, start.before);
        let last = if last == before { first } else { last };
        let after = self.split(last, end.before);
        Ok(Opened {
            before,
            first,
            last,
            after,
        })
    }

    /// Undoes [`open`](Self::open).
    pub(crate) fn close(&mut self, opened: Opened) {
        self.fuse(opened.last, opened.after);
        self.fuse(opened.before, opened.first);
        self.debug_check();
    }

    /// Splits a block before an instruction, or at the end; gives the item of the tail.
    fn split(&mut self, item: Item, before: Option<Inst>) -> Item {
        let Kind::Block(head) = self.items[item].kind else {
            return item;
        };
        let tail = self.func.add_block();
        if let Some(first) = before {
            self.func.move_insts(first, tail);
        }
        self.rename_predecessor(head, tail);
        let ItemData { list, next, .. } = self.items[item];
        let new = self.items.push(ItemData {
            kind: Kind::Block(tail),
            list,
            prev: item.into(),
            next,
        });
        self.items[item].next = new.into();
        match next.expand() {
            Some(next) => self.items[next].prev = new.into(),
            None => self.lists[list].last = new.into(),
        }
        self.item_of[tail] = new.into();
        self.sync(tail);
        self.sync(head);
        new
    }

    /// Appends a block to the block before it in the list. It has no phis.
    fn fuse(&mut self, item: Item, next: Item) {
        let (Kind::Block(head), Kind::Block(tail)) = (self.items[item].kind, self.items[next].kind)
        else {
            return;
        };
        self.append_insts(tail, head);
        self.rename_predecessor(tail, head);
        let after = self.items[next].next;
        self.items[item].next = after;
        let list = self.items[item].list;
        match after.expand() {
            Some(after) => self.items[after].prev = item.into(),
            None => self.lists[list].last = item.into(),
        }
        self.item_of[tail] = None.into();
        self.merges[tail] = Merge::None;
        self.sync(head);
    }

    /// Moves all instructions of a block to the end of another one.
    pub(crate) fn append_insts(&mut self, from: Block, to: Block) {
        if let Some(first) = self.func.insts(from).next() {
            self.func.move_insts(first, to);
        }
    }

    /// Gives the operands for a block, in the phis of its successors, to another block.
    fn rename_predecessor(&mut self, from: Block, to: Block) {
        for block in self.func.successors(from).collect::<Vec<_>>() {
            self.func
                .rename_predecessors(block, |pred| if pred == from { to } else { pred });
        }
    }

    /// Takes an opened range out of its list, and the operands of its jumps out of phis.
    fn detach(&mut self, opened: Opened) -> Fragment {
        let list = self.push_list(None);
        self.items[opened.before].next = opened.after.into();
        self.items[opened.after].prev = opened.before.into();
        self.items[opened.first].prev = None.into();
        self.items[opened.last].next = None.into();
        self.lists[list].first = opened.first.into();
        self.lists[list].last = opened.last.into();
        let mut next = Some(opened.first);
        while let Some(item) = next {
            self.items[item].list = list;
            next = self.items[item].next.expand();
        }
        let mut operands = Vec::new();
        for (pred, jump) in self.jumps_out(list) {
            let Some(target) = self.target(jump) else {
                continue;
            };
            operands.extend(self.operands_for(target, pred));
            self.drop_operands(target, pred);
        }
        self.fuse(opened.before, opened.after);
        self.fragments.push(FragmentData {
            list: Some(list),
            operands,
        })
    }

    /// Returns the target of a jump.
    pub(crate) fn target(&self, jump: Jump) -> Option<Block> {
        match jump {
            Jump::Break(item) => self.block_after(item),
            Jump::Continue(item) => match self.items[item].kind {
                Kind::Loop(inner) => self.first(inner.continuing),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the operands of a block's phis for a predecessor.
    pub(crate) fn operands_for(&self, block: Block, pred: Block) -> Vec<(Value, Block, Value)> {
        let of = |phi: Value| {
            let operands = self.func.phi_operands(phi);
            let operands = operands.filter(move |operand| operand.pred == pred);
            operands.map(move |operand| (phi, pred, operand.value))
        };
        self.func.phis(block).flat_map(of).collect()
    }

    pub(crate) fn drop_operands(&mut self, block: Block, pred: Block) {
        let phis: Vec<Value> = self.func.phis(block).collect();
        for phi in phis {
            let operands = self.func.phi_operands(phi);
            let kept = operands.filter(|operand| operand.pred != pred);
            let kept: Vec<_> = kept.map(|kept| (kept.pred, kept.value)).collect();
            self.func.set_phi_operands(phi, &kept);
        }
    }

    /// Inserts a fragment's items at a position.
    fn attach(&mut self, fragment: Fragment, from: List, at: Cursor) -> Result<(), EditError> {
        let before = self.item_at(at)?;
        let (Some(first), Some(last)) = (
            self.lists[from].first.expand(),
            self.lists[from].last.expand(),
        ) else {
            return Err(EditError::NoFragment(fragment));
        };
        let blocks = self.blocks_of(from);
        let after = self.split(before, at.before);
        let list = self.items[before].list;
        let mut next = Some(first);
        while let Some(item) = next {
            self.items[item].list = list;
            next = self.items[item].next.expand();
        }
        self.items[before].next = first.into();
        self.items[first].prev = before.into();
        self.items[last].next = after.into();
        self.items[after].prev = last.into();
        self.lists[from].first = None.into();
        self.lists[from].last = None.into();
        for block in blocks {
            self.sync(block);
        }
        for (phi, pred, value) in core::mem::take(&mut self.fragments[fragment].operands) {
            self.func.add_phi_operand(phi, pred, value);
        }
        self.fragments[fragment].list = None;
        self.fuse(last, after);
        self.fuse(before, first);
        Ok(())
    }
}
