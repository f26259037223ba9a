//! Places, and how to get from one to another.

use trellis_structurizer::ir::{Block, Inst};

use crate::{Cursor, EditError, Item, Kind, List, Program};

impl Cursor {
    /// Returns a position before an instruction of a block, or at the end of the block.
    pub fn new(block: Block, before: Option<Inst>) -> Cursor {
        Cursor { block, before }
    }

    /// Returns the end of a block.
    pub(crate) fn end(block: Block) -> Cursor {
        Cursor::new(block, None)
    }

    /// Returns the instruction that the cursor is before; none at the end of a block.
    pub fn inst(self) -> Option<Inst> {
        self.before
    }
}

impl Program {
    /// Returns the start of the function.
    pub fn start(&self) -> Cursor {
        self.start_of(self.root)
    }

    /// Returns the current block of the cursor: the block of its instruction.
    pub fn block_at(&self, cursor: Cursor) -> Block {
        cursor
            .before
            .filter(|inst| inst.as_u32() < self.func.num_insts() as u32)
            .map_or(cursor.block, |inst| self.func.inst_block(inst))
    }

    /// Returns the location after the phis of the cursor's block.
    pub fn start_of_block(&self, cursor: Cursor) -> Cursor {
        let block = self.block_at(cursor);
        let exists = self.func.has_block(block);
        let first = exists.then(|| self.func.insts(block).next());
        Cursor::new(block, first.flatten())
    }

    /// Returns the end of the cursor's block.
    pub fn end_of_block(&self, cursor: Cursor) -> Cursor {
        Cursor::end(self.block_at(cursor))
    }

    /// Returns the start of the next block of the list, after the construct that the cursor's block
    /// is before.
    pub fn next_block(&self, cursor: Cursor) -> Option<Cursor> {
        let construct = self.items[self.item_at(cursor).ok()?].next.expand()?;
        let block = self.block_after(construct)?;
        Some(self.start_of_block(Cursor::end(block)))
    }

    /// Returns the end of the block of the list that is before the construct before the cursor's
    /// block.
    pub fn previous_block(&self, cursor: Cursor) -> Option<Cursor> {
        let construct = self.items[self.item_at(cursor).ok()?].prev.expand()?;
        self.block_of(self.items[construct].prev.expand())
            .map(Cursor::end)
    }

    /// Moves one step forward in the list: over an instruction, or over a construct. Returns `None`
    /// at the end of the list.
    pub fn next(&self, cursor: Cursor) -> Option<Cursor> {
        let Some(inst) = cursor.before else {
            return self.next_block(cursor);
        };
        let block = self.block_at(cursor);
        let mut rest = self.func.insts(block).skip_while(|&other| other != inst);
        Some(Cursor::new(block, rest.nth(1)))
    }

    /// Moves one step back in the list: over an instruction, or over a construct. Returns `None` at
    /// the start of the list.
    pub fn previous(&self, cursor: Cursor) -> Option<Cursor> {
        let block = self.block_at(cursor);
        if !self.func.has_block(block) {
            return None;
        }
        let insts = self.func.insts(block);
        match insts.take_while(|&inst| Some(inst) != cursor.before).last() {
            None => self.previous_block(cursor),
            before => Some(Cursor::new(block, before)),
        }
    }

    /// Returns the start of list number `arm` of the construct after the cursor's block: of an if
    /// the arm for true, then that for false; of a switch the cases in order; of a loop the body,
    /// then the continue part.
    pub fn into_arm(&self, cursor: Cursor, arm: usize) -> Option<Cursor> {
        let construct = self.construct_after(cursor)?;
        let list = *self.lists_of(construct).get(arm)?;
        Some(self.start_of(list))
    }

    /// Returns the start of the block after the construct that the cursor is in.
    pub fn out(&self, cursor: Cursor) -> Option<Cursor> {
        let block = self.block_after(self.owner(cursor)?)?;
        Some(self.start_of_block(Cursor::end(block)))
    }

    /// Returns the construct after the cursor's block.
    pub fn construct_after(&self, cursor: Cursor) -> Option<Item> {
        self.items[self.item_at(cursor).ok()?].next.expand()
    }

    /// Returns the construct that the cursor is in.
    pub fn owner(&self, cursor: Cursor) -> Option<Item> {
        let list = self.items[self.item_at(cursor).ok()?].list;
        self.lists[list].owner.expand()
    }

    /// Returns the constructs that the cursor is in, the innermost first.
    pub fn owners(&self, cursor: Cursor) -> impl Iterator<Item = Item> + '_ {
        core::iter::successors(self.owner(cursor), |&item| {
            self.lists[self.items[item].list].owner.expand()
        })
    }

    /// Returns whether an item is a loop.
    pub fn is_loop(&self, item: Item) -> bool {
        let data = self.items.get(item);
        data.is_some_and(|data| matches!(data.kind, Kind::Loop(_)))
    }

    /// Returns whether an item is a switch.
    pub fn is_switch(&self, item: Item) -> bool {
        let data = self.items.get(item);
        data.is_some_and(|data| matches!(data.kind, Kind::Switch { .. }))
    }

    pub(crate) fn start_of(&self, list: List) -> Cursor {
        let block = self.first(list).unwrap_or(Block::from_u32(0));
        self.start_of_block(Cursor::end(block))
    }

    /// Returns the item of the cursor's block, if the cursor is in the program (not of a fragment).
    pub(crate) fn item_at(&self, cursor: Cursor) -> Result<Item, EditError> {
        let is_new = |inst: Inst| inst.as_u32() as usize >= self.func.num_insts();
        if cursor.before.is_some_and(is_new) {
            return Err(EditError::NoPlace);
        }
        let item = self.item_of[self.block_at(cursor)].expand();
        let item = item.ok_or(EditError::NoPlace)?;
        let is_block = matches!(self.items[item].kind, Kind::Block(_));
        let mut list = self.items[item].list;
        while let Some(owner) = self.lists[list].owner.expand() {
            list = self.items[owner].list;
        }
        if is_block && list == self.root {
            Ok(item)
        } else {
            Err(EditError::NoPlace)
        }
    }
}
