//! The one pass over the words of the functions: defines ids, finds the blocks, and checks each
//! instruction as it is read. An operand in the same block or at module level is known to be
//! defined before its use then, and so are types. The pass leaves to [`super::flow`] what it cannot
//! decide: dominance across blocks, phis, and instructions with an operand that no earlier word
//! defines, which the check of uses decides. Calls wait for the end of the module.

use rspirv::spirv::{Op, Word};
use smallvec::SmallVec;
use trellis_structurizer::verify::{BlockEnd, BlockMerge, Cfg, Position};

use super::flow::Graph;
use super::layout::Role;
use super::read::{Head, Inst, malformed_head};
use super::rules::Rule;
use super::types::{Common, Shape};
use super::{Cross, DefinedIn, Failure, Function, Id, Later, Verifier, broken};
use crate::error::VerifyRule;

/// The shapes of the result and the operands of an instruction.
#[derive(Clone, Copy, Default)]
pub(super) struct Shapes {
    pub(super) result: Shape,
    pub(super) operands: Common,
}

/// Results of [`Verifier::scan`].
#[derive(Clone, Copy, Default)]
pub(super) struct Scan {
    /// Result type and result, 0 without them.
    pub(super) ty: Word,
    pub(super) id: Word,
    pub(super) shapes: Shapes,
    /// Whether the definition of an operand is not known to reach the instruction.
    pub(super) is_unknown: bool,
}

impl Shapes {
    #[inline(always)]
    fn add(&mut self, shape: Shape) {
        self.operands.add(shape);
    }
}

impl Verifier<'_> {
    /// Checks the functions.
    pub(super) fn functions(&mut self) -> Result<(), Failure> {
        let mut graph = Graph::default();
        let mut at = self.functions;
        while (at as usize) < self.words.len() {
            let def = self.read(at)?;
            if def.op() != Op::Function {
                return Err(broken(&def, VerifyRule::BetweenFunctions));
            }
            def.check()?;
            self.define(&def, DefinedIn::MODULE)?;
            self.function = Function {
                start: def.at,
                returned: def.result_type,
                first_block: self.function.first_block + graph.cfg.len() as u32,
            };
            graph.cfg.clear();
            self.later.clear();
            self.crosses.clear();
            at = def.next;
            let mut inst = self.read(at)?;
            while inst.op() == Op::FunctionParameter {
                inst.check()?;
                self.define(&inst, DefinedIn::FUNCTION)?;
                at = inst.next;
                inst = self.read(at)?;
            }
            while inst.op() != Op::FunctionEnd {
                at = self.block(&inst, &mut graph.cfg)?;
                inst = self.read(at)?;
            }
            at = inst.next;
            self.function_body(&def, &mut graph)?;
        }
        for &at in &self.calls {
            self.call(&self.read(at)?)?;
        }
        Ok(())
    }

    /// Reads a block from its label to its terminator; returns the position of the word after it.
    fn block(&mut self, label: &Inst<'_>, cfg: &mut Cfg) -> Result<u32, Failure> {
        if label.op() != Op::Label {
            return Err(broken(label, VerifyRule::OutsideBlock));
        }
        self.define(label, DefinedIn::FUNCTION)?;
        let number = cfg.len() as u32;
        // A label has no type, so this field holds the number of its block.
        if let Some(id) = self.ids.get_mut(label.result as usize) {
            id.ty = number;
        }
        self.insts_of_block(label, number, cfg)
    }

    /// Reads the instructions of a block.
    fn insts_of_block(
        &mut self,
        label: &Inst<'_>,
        block: u32,
        cfg: &mut Cfg,
    ) -> Result<u32, Failure> {
        let (reader, words) = (self.reader, self.words);
        let place = DefinedIn::block(self.function.first_block + block);
        let mut merge = BlockMerge::None;
        let mut at = label.next;
        // The word after the phis.
        let mut phis = at;
        let mut rest = words.get(at as usize..).unwrap_or_default();
        loop {
            let head = reader.next(&mut rest, at)?;
            let role = head.layout.role;
            let next = at + head.words.len() as u32;
            match role {
                Role::Plain | Role::Call | Role::End => {
                    if !self.instruction(head, at, place)? {
                        self.later.push(Later { at, block });
                    }
                    if role == Role::Call {
                        self.calls.push(at);
                    } else if role == Role::End {
                        cfg.add_block(BlockEnd::Exit, merge, []);
                        return Ok(next);
                    }
                }
                Role::Phi if phis == at => {
                    phis = next;
                    self.later.push(Later { at, block });
                    let inst = head.parts(at).ok_or_else(|| malformed_head(head, at))?;
                    self.define(&inst, place)?;
                }
                Role::Phi => return Err(self.broken_at(at, VerifyRule::PhiOrder)),
                Role::Merge => {
                    merge = self.merge(head, at)?;
                    let after = reader.head(words, next)?.layout.role;
                    if matches!(after, Role::Plain | Role::Call | Role::Phi | Role::Merge) {
                        return Err(self.broken_at(next, VerifyRule::AfterMerge));
                    }
                }
                Role::Branch => {
                    if !self.branch(head, at, (place, merge), cfg)? {
                        self.later.push(Later { at, block });
                    }
                    return Ok(next);
                }
                Role::Boundary => {
                    let label = label.result;
                    return Err(VerifyRule::NoTerminator { label }.into());
                }
            }
            at = next;
        }
    }

    /// Returns a label as the position of a block until [`Cfg::retarget`] replaces it.
    fn label(&self, at: u32, id: Word) -> Result<Position, Failure> {
        match self.ids.get(id as usize) {
            Some(_) => Ok(Position::from_u32(id)),
            None => Err(self.broken_at(at, VerifyRule::NotALabel { id })),
        }
    }

    fn merge(&self, head: Head<'_>, at: u32) -> Result<BlockMerge, Failure> {
        Ok(match (head.layout.op, head.words) {
            (Op::LoopMerge, &[_, merge, continue_target, ..]) => BlockMerge::Loop {
                merge: self.label(at, merge)?,
                continue_target: self.label(at, continue_target)?,
            },
            (_, &[_, merge, ..]) => BlockMerge::Selection {
                merge: self.label(at, merge)?,
            },
            _ => return Err(malformed_head(head, at)),
        })
    }

    /// Reads a branch, as [`Self::instruction`].
    fn branch(
        &mut self,
        head: Head<'_>,
        at: u32,
        (place, merge): (DefinedIn, BlockMerge),
        cfg: &mut Cfg,
    ) -> Result<bool, Failure> {
        let end = match (head.layout.op, head.words) {
            (Op::Branch, &[_, to]) => {
                cfg.add_block(BlockEnd::Branch, merge, [self.label(at, to)?]);
                return Ok(true);
            }
            (Op::BranchConditional, &[_, _, yes, no, ..]) => {
                let targets = [self.label(at, yes)?, self.label(at, no)?];
                cfg.add_block(BlockEnd::Conditional, merge, targets);
                BlockEnd::Conditional
            }
            _ => {
                let inst = self.read(at)?;
                inst.check()?;
                // How wide the literals are depends on the selector.
                let id = Self::operand(&inst, 0)?;
                if self.id(id).is_none() {
                    return Err(broken(&inst, VerifyRule::Undefined { id }));
                }
                let labels = inst.ids().skip(1).map(|id| self.label(at, id));
                let targets = labels.collect::<Result<SmallVec<[_; 8]>, _>>()?;
                cfg.add_block(BlockEnd::Switch, merge, targets);
                BlockEnd::Switch
            }
        };
        let value = head.words.get(1).copied().unwrap_or_default();
        let shape = self.reached(value, (at, place)).unwrap_or_default();
        let fits = match end {
            BlockEnd::Conditional => shape.is_bool(),
            _ => shape.is_int(),
        };
        Ok(fits && shape.len() == 1)
    }

    /// Checks an instruction; `false` if the check has to wait for all definitions.
    #[inline(always)]
    fn instruction(&mut self, head: Head<'_>, at: u32, place: DefinedIn) -> Result<bool, Failure> {
        let Scan {
            ty,
            id,
            shapes,
            is_unknown: false,
        } = self.scan(head, at, place)?
        else {
            return Ok(false);
        };
        // An instruction that breaks a rule waits, too: its operand may be an invalid phi, which is
        // then the error to report.
        Ok(match head.layout.rule {
            Rule::Own => {
                let inst = head.inst(at, ty, id);
                // Valid operands of debug information are known at the end of the function.
                let is_debug =
                    inst.op() == Op::ExtInst && inst.operands.first() == Some(&self.debug_set);
                !is_debug && self.own_rule(&inst)?
            }
            rule => Self::shaped(rule, shapes),
        })
    }

    /// Looks up the result type and the operands of an instruction, and defines its result.
    #[inline(always)]
    pub(super) fn scan(
        &mut self,
        head: Head<'_>,
        at: u32,
        place: DefinedIn,
    ) -> Result<Scan, Failure> {
        let layout = head.layout;
        let to = (at, place);
        let mut scan = Scan::default();
        if layout.result_type {
            scan.ty = head.words.get(1).copied().unwrap_or_default();
            match self.ids.get(scan.ty as usize) {
                Some(ty) if ty.place == DefinedIn::MODULE => {
                    scan.shapes.result = ty.shape.of_value();
                }
                _ => scan.is_unknown = true,
            }
        }
        match head.simple_ids() {
            Some(ids) => {
                let mut are_near = true;
                for &id in ids {
                    let Some(def) = self.ids.get(id as usize) else {
                        are_near = false;
                        continue;
                    };
                    scan.shapes.add(def.shape);
                    are_near &= def.place == place || def.place == DefinedIn::MODULE;
                }
                if !are_near && !self.all_reached(ids, to) {
                    scan.is_unknown = true;
                }
            }
            None => match self.other_operands(head, to)? {
                Some(shapes) => scan.shapes.operands = shapes,
                None => scan.is_unknown = true,
            },
        }
        if layout.result {
            let index = usize::from(layout.skipped) - 1;
            scan.id = head.words.get(index).copied().unwrap_or_default();
            if scan.id == 0 {
                return Err(malformed_head(head, at));
            }
            let data = Id {
                at,
                place,
                ty: scan.ty,
                opcode: layout.op as u16,
                shape: scan.shapes.result,
            };
            self.enter(scan.id, data)?;
        }
        Ok(scan)
    }

    /// Returns true if the definitions of all operands are known to reach the instruction, or will be
    /// when it is known that a block dominates another.
    #[inline(never)]
    fn all_reached(&mut self, ids: &[Word], (at, place): (u32, DefinedIn)) -> bool {
        let Some(to) = self.position(place) else {
            return false;
        };
        for &id in ids {
            let Some(def) = self.ids.get(id as usize) else {
                return false;
            };
            if def.place == place || def.place == DefinedIn::MODULE {
                continue;
            }
            let Some(from) = self.position(def.place) else {
                if def.place == DefinedIn::FUNCTION && self.is_local(def) {
                    continue;
                }
                return false;
            };
            // Neighbors often use values of one block.
            let known = self.crosses.last();
            if known.is_none_or(|known| (known.from, known.to) != (from, to)) {
                self.crosses.push(Cross { from, to, at });
            }
        }
        true
    }

    /// Looks up operands that are not just the first ones; `None` if one is not known to reach.
    #[inline(never)]
    fn other_operands(
        &mut self,
        head: Head<'_>,
        to: (u32, DefinedIn),
    ) -> Result<Option<Common>, Failure> {
        let ids = head.ids().ok_or_else(|| malformed_head(head, to.0))?;
        let mut shapes = Common::default();
        let mut known = true;
        for id in ids {
            match self.reached(id, to) {
                Some(shape) => shapes.add(shape),
                None => known = false,
            }
        }
        Ok(known.then_some(shapes))
    }

    /// Returns the shape of an operand, as [`Self::all_reached`].
    fn reached(&mut self, id: Word, to: (u32, DefinedIn)) -> Option<Shape> {
        let def = self.ids.get(id as usize)?;
        let shape = def.shape;
        let is_near = def.place == to.1 || def.place == DefinedIn::MODULE;
        (is_near || self.all_reached(&[id], to)).then_some(shape)
    }

    /// Returns the shape of a value or type.
    pub(super) fn shape_of(&self, id: Word) -> Shape {
        self.id(id).map_or(Shape::NONE, |def| def.shape)
    }

    /// Returns the shapes of an instruction's result and operands.
    pub(super) fn shapes(&self, inst: &Inst<'_>) -> Shapes {
        let mut shapes = Shapes {
            result: self.shape_of(inst.result_type).of_value(),
            operands: Common::default(),
        };
        inst.ids().for_each(|id| shapes.add(self.shape_of(id)));
        shapes
    }

    /// Returns the instructions of all functions.
    pub(super) fn insts(&self) -> impl Iterator<Item = Inst<'_>> {
        self.insts_from(self.functions)
    }

    /// Returns the instructions from a word on.
    pub(super) fn insts_from(&self, mut at: u32) -> impl Iterator<Item = Inst<'_>> {
        std::iter::from_fn(move || {
            let inst = self.read(at).ok()?;
            at = inst.next;
            Some(inst)
        })
    }

    /// Returns the block with a label, in the current function.
    pub(super) fn block_of(&self, label: Word) -> Option<Position> {
        self.id(label)
            .filter(|def| def.is(Op::Label) && self.is_local(def))
            .map(|def| Position::from_u32(def.ty))
    }
}
