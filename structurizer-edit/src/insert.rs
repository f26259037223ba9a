//! New instructions, phis, constructs and jumps.

use alloc::vec::Vec;

use trellis_structurizer::ir::{Block, Effects, Inst, LoopHint, SelectionHint, Type, Value};

use crate::{Cursor, EditError, End, FragmentData, Item, Jump, Kind, List, Loop, Program};

impl Program {
    /// Adds a constant, as [`Function::add_constant`] does.
    ///
    /// [`Function::add_constant`]: trellis_structurizer::ir::Function::add_constant
    pub fn add_constant(&mut self, payload: u32, ty: Type) -> Value {
        self.func.add_constant(payload, ty)
    }

    /// Inserts an instruction at a position, at which its operands have to be defined.
    pub fn insert_inst(
        &mut self,
        at: Cursor,
        payload: u32,
        effects: Effects,
        uses: &[Value],
        types: &[Type],
    ) -> Result<Inst, EditError> {
        self.item_at(at)?;
        self.defined_at(at, uses)?;
        Ok(match at.before {
            Some(before) => self.func.insert_inst(before, payload, effects, uses, types),
            None => {
                let func = &mut self.func;
                func.append_inst(at.block, payload, effects, uses, types)
            }
        })
    }

    /// Adds a phi to the cursor's block, with an operand for each predecessor (for
    /// example a block after a construct). Linear in the function.
    pub fn add_phi(
        &mut self,
        at: Cursor,
        ty: Type,
        operands: &[(Block, Value)],
    ) -> Result<Value, EditError> {
        self.item_at(at)?;
        let block = self.block_at(at);
        let preds = &self.predecessors(&self.blocks())[block];
        let is_given = |pred: &Block| operands.iter().any(|operand| operand.0 == *pred);
        if operands.len() != preds.len() || !preds.iter().all(is_given) {
            let first = operands.first();
            let phi = first.map_or(Value::from_u32(0), |operand| operand.1);
            return Err(EditError::PhiOperands { phi });
        }
        for &(pred, value) in operands {
            self.defined_at(Cursor::end(pred), &[value])?;
            if self.func.value_type(value) != ty {
                return Err(EditError::PhiOperands { phi: value });
            }
        }
        let phi = self.func.add_phi(block, ty);
        self.func.set_phi_operands(phi, operands);
        self.debug_check();
        Ok(phi)
    }

    /// Returns the predecessors of the cursor's block, for which a phi there needs operands. Linear
    /// in the function.
    pub fn predecessors_of(&self, at: Cursor) -> Result<Vec<Block>, EditError> {
        self.item_at(at)?;
        let block = self.block_at(at);
        Ok(self.predecessors(&self.blocks())[block].clone())
    }

    /// Inserts a construct with two empty lists; returns the positions in them.
    fn insert_construct(
        &mut self,
        at: Cursor,
        kind: impl FnOnce(&mut Self, [List; 2]) -> Kind,
    ) -> Result<[Cursor; 2], EditError> {
        let list = self.push_list(None);
        self.push_block(list);
        let lists = [(); 2].map(|()| self.push_list(None));
        let kind = kind(self, lists);
        let item = self.push_item(list, kind);
        let places = lists.map(|inner| {
            self.lists[inner].owner = item.into();
            Cursor::end(self.push_block(inner).1)
        });
        self.push_block(list);
        let fragment = self.fragments.push(FragmentData {
            list: Some(list),
            operands: Vec::new(),
        });
        self.splice(fragment, at)?;
        Ok(places)
    }

    /// Inserts an if with two empty arms; returns the positions in them, that for true first.
    pub fn insert_if(
        &mut self,
        at: Cursor,
        cond: Value,
        hint: SelectionHint,
    ) -> Result<[Cursor; 2], EditError> {
        self.item_at(at)?;
        self.defined_at(at, &[cond])?;
        self.insert_construct(at, |_, arms| Kind::If { cond, arms, hint })
    }

    /// Inserts a loop with an empty body and an empty continue part; returns the position in the
    /// body. It ends after an iteration where the first of `break_if` is the second, or never: then
    /// code in the body has to leave it.
    pub fn insert_loop(
        &mut self,
        at: Cursor,
        break_if: Option<(Value, bool)>,
    ) -> Result<[Cursor; 1], EditError> {
        self.item_at(at)?;
        let conds: Vec<Value> = break_if.iter().map(|cond| cond.0).collect();
        self.defined_at(at, &conds)?;
        let kind = |program: &mut Self, [body, continuing]: [List; 2]| {
            Kind::Loop(Loop {
                header: program.func.add_block(),
                hint: LoopHint::None,
                body,
                continuing,
                break_if,
            })
        };
        let [body, _] = self.insert_construct(at, kind)?;
        Ok([body])
    }

    /// Sets when a loop ends after its continue part. The value has to be defined there, and the
    /// phis after the loop that get an operand for it are given by `operands`: phi and value.
    pub fn set_break_if(
        &mut self,
        item: Item,
        break_if: Option<(Value, bool)>,
        operands: &[(Value, Value)],
    ) -> Result<(), EditError> {
        let kind = self.items.get(item).map(|data| data.kind);
        let Some(Kind::Loop(old)) = kind else {
            return Err(EditError::NoConstruct);
        };
        let (Some(last), Some(after)) = (self.last(old.continuing), self.block_after(item)) else {
            return Err(EditError::NoConstruct);
        };
        let end = Cursor::end(last);
        self.item_at(end)?;
        let conds: Vec<Value> = break_if.iter().map(|cond| cond.0).collect();
        self.defined_at(end, &conds)?;
        let saved = self.clone();
        self.items[item].kind = Kind::Loop(Loop { break_if, ..old });
        self.sync(last);
        let result = match (old.break_if, break_if) {
            (Some(_), None) => {
                self.drop_operands(after, last);
                Ok(())
            }
            (None, Some(_)) => self.give_operands(after, last, operands),
            _ => Ok(()),
        };
        self.keep_or_restore(result, saved)
    }

    /// Sets the jump at the end of the cursor's list. If the jump leads to a block with phis,
    /// `operands` has a value for each: phi and value. The end of a continue part is unchanged.
    ///
    /// Linear in the function.
    pub fn set_jump(
        &mut self,
        at: Cursor,
        jump: Jump,
        operands: &[(Value, Value)],
    ) -> Result<(), EditError> {
        let item = self.item_at(at)?;
        let list = self.items[item].list;
        let owner = self.lists[list].owner.expand();
        let fixed = match owner.map(|owner| self.items[owner].kind) {
            Some(Kind::Loop(inner)) => list == inner.continuing,
            None => jump == Jump::Next,
            Some(_) => false,
        };
        let exists = match jump {
            Jump::Break(item) | Jump::Continue(item) => {
                self.items.is_valid(item)
                    && (self.is_loop(item) || (self.is_switch(item) && jump == Jump::Break(item)))
            }
            _ => true,
        };
        let Some(last) = self.last(list) else {
            return Err(EditError::NoPlace);
        };
        if fixed || !exists || !self.may_jump(list, jump) {
            return Err(EditError::IllegalJump(jump));
        }
        if let Jump::Return(Some(value)) = jump {
            self.defined_at(Cursor::end(last), &[value])?;
        }
        let saved = self.clone();
        for to in self.func.successors(last).collect::<Vec<_>>() {
            self.drop_operands(to, last);
        }
        self.lists[list].end = End::Jump(jump);
        self.sync(last);
        let target = self.func.successors(last).next();
        let result = target.map_or(Ok(()), |target| self.give_operands(target, last, operands));
        self.keep_or_restore(result, saved)
    }

    /// Gives the phis of a block operands for a new predecessor.
    fn give_operands(
        &mut self,
        block: Block,
        pred: Block,
        operands: &[(Value, Value)],
    ) -> Result<(), EditError> {
        let phis: Vec<Value> = self.func.phis(block).collect();
        for phi in phis {
            let ty = self.func.value_type(phi);
            let fits = |&&(_, value): &&(Value, Value)| {
                self.func.has_value(value) && self.func.value_type(value) == ty
            };
            let given = operands.iter().find(|operand| operand.0 == phi);
            let &(_, value) = given.filter(fits).ok_or(EditError::PhiOperands { phi })?;
            self.defined_at(Cursor::end(pred), &[value])?;
            self.func.add_phi_operand(phi, pred, value);
        }
        Ok(())
    }

    fn keep_or_restore(
        &mut self,
        result: Result<(), EditError>,
        saved: Program,
    ) -> Result<(), EditError> {
        let result = result.and_then(|()| self.check_uses());
        if result.is_err() {
            *self = saved;
        }
        self.debug_check();
        result
    }
}
