//! From a structured function to lists.
//!
//! The tree gives the nesting. Blocks in a row are fused, missing blocks are added, a loop header
//! gives its instructions to the first block of the body, and the graph is made again from the
//! lists. Fresh blocks only forward control, so a phi gets the same value from one as from the
//! block before.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;

use trellis_entity::{PackedOption, PrimaryMap, SecondaryMap};
use trellis_structurizer::ir::{Block, SelectionHint, Terminator, Type, Value};
use trellis_structurizer::tree::{Kind as NodeKind, Node, Tree};
use trellis_structurizer::{Merge, Structured};

use crate::{Arm, EditError, End, Item, Jump, Kind, List, Loop, Program};

pub(crate) fn read(structured: Structured) -> Result<Program, EditError> {
    let tree = Tree::of(&structured);
    let mut nodes = tree.nodes().to_vec();
    let mut literals = Vec::new();
    for node in &mut nodes {
        let kind = node.kind;
        if let NodeKind::Case {
            literals: range, ..
        } = &mut node.kind
        {
            let start = literals.len() as u32;
            literals.extend_from_slice(tree.literals(kind));
            *range = (start, literals.len() as u32);
        }
    }
    let Structured {
        func,
        merges,
        target,
        report,
        ..
    } = structured;
    let mut program = Program {
        func,
        merges,
        target,
        report,
        items: PrimaryMap::new(),
        lists: PrimaryMap::new(),
        arms: Vec::new(),
        literals,
        fragments: PrimaryMap::new(),
        item_of: SecondaryMap::new(),
        root: List::from_u32(0),
    };
    program.root = program.push_list(None);
    let mut reader = Reader {
        program,
        open: Vec::new(),
        construct_of: SecondaryMap::new(),
        case_of: SecondaryMap::new(),
        falls: Vec::new(),
        cases: Vec::new(),
        ends: SecondaryMap::new(),
        renamed: BTreeMap::new(),
    };
    reader.lists(&nodes)?;
    reader.graph();
    let mut program = reader.program;
    rename(&mut program, &reader.renamed);
    program.check()?;
    Ok(program)
}

/// Construct that is open while the nodes are read.
#[derive(Clone, Copy)]
enum Open {
    List(List),
    /// With the list that the first child is.
    If(List, List),
    /// With the number of cases that were open before.
    Switch(Item, usize),
    Loop(Item),
}

struct Reader {
    program: Program,
    /// Open constructs with the index at which each ends.
    open: Vec<(u32, Open)>,
    /// The construct of a loop header or of the block of a switch.
    construct_of: SecondaryMap<Block, PackedOption<Item>>,
    /// The list of a case that starts with a block.
    case_of: SecondaryMap<Block, PackedOption<List>>,
    falls: Vec<(List, Block)>,
    /// The cases of the switches that are open.
    cases: Vec<Arm>,
    /// The block whose end a block now has; none for a block that only passes on.
    ends: SecondaryMap<Block, PackedOption<Block>>,
    /// Phis of fused blocks, and the values that replace them.
    renamed: BTreeMap<Value, Value>,
}

impl Reader {
    fn lists(&mut self, nodes: &[Node]) -> Result<(), EditError> {
        let mut index = 0;
        while let Some(node) = nodes.get(index) {
            self.close(index as u32);
            index += 1;
            if let NodeKind::If { header, .. } = node.kind
                && self.back_edge(header)
            {
                index = node.end as usize;
                continue;
            }
            self.node(*node)?;
        }
        self.close(u32::MAX);
        let root = self.program.root;
        self.fill(root);
        if self.program.lists[root].end == End::Jump(Jump::Next) {
            self.program.lists[root].end = End::Jump(Jump::Unreachable);
        }
        for (list, target) in core::mem::take(&mut self.falls) {
            let next = self.case_of[target].expand();
            let next = next.ok_or(EditError::Goto { to: target })?;
            self.program.lists[list].end = End::FallThrough(next);
        }
        Ok(())
    }

    /// Closes the constructs that end before a node.
    fn close(&mut self, index: u32) {
        while let Some(&(end, open)) = self.open.last()
            && end <= index
        {
            self.open.pop();
            match open {
                Open::List(list) => self.fill(list),
                Open::If(one, other) => {
                    self.fill(one);
                    self.fill(other);
                }
                Open::Loop(item) => {
                    let lists = self.program.lists_of(item).into_iter();
                    lists.for_each(|list| self.fill(list));
                }
                Open::Switch(item, start) => self.end_switch(item, start),
            }
        }
    }

    /// Sees that a list ends with a block.
    fn fill(&mut self, list: List) {
        let last = self.program.lists[list].last.expand();
        if !last.is_some_and(|last| matches!(self.program.items[last].kind, Kind::Block(_))) {
            self.program.push_block(list);
        }
    }

    /// Adds the cases to the pool as one range; nested switches have added theirs already.
    fn end_switch(&mut self, item: Item, start: usize) {
        let Kind::Switch { value, hint, .. } = self.program.items[item].kind else {
            return;
        };
        let mut own = self.cases.split_off(start);
        if !own.iter().any(|arm| arm.default) {
            let list = self.program.push_list(Some(item));
            self.fill(list);
            own.push(Arm {
                list,
                default: true,
                literals: (0, 0),
            });
        }
        let start = self.program.arms.len() as u32;
        self.program.arms.extend(own);
        self.program.items[item].kind = Kind::Switch {
            value,
            hint,
            arms: (start, self.program.arms.len() as u32),
        };
    }

    fn list(&self) -> List {
        match self.open.last() {
            Some(&(_, Open::List(list))) => list,
            _ => self.program.root,
        }
    }

    fn node(&mut self, node: Node) -> Result<(), EditError> {
        let list = self.list();
        let construct = |reader: &Self, header: Block| {
            let item = reader.construct_of[header].expand();
            item.ok_or(EditError::Goto { to: header })
        };
        let jump = match node.kind {
            NodeKind::Block(block) => {
                self.block(list, block);
                return Ok(());
            }
            NodeKind::If { header, condition } => {
                self.begin_if(list, header, condition.negated, node.end);
                return Ok(());
            }
            NodeKind::Switch { header, value } => {
                self.fill(list);
                let hint = self.selection_hint(header);
                let arms = (0, 0);
                let item = self
                    .program
                    .push_item(list, Kind::Switch { value, hint, arms });
                self.construct_of[header] = item.into();
                let open = Open::Switch(item, self.cases.len());
                self.open.push((node.end, open));
                return Ok(());
            }
            NodeKind::Loop { header, hint } => {
                self.fill(list);
                let kind = |[body, continuing]: [List; 2]| {
                    Kind::Loop(Loop {
                        header,
                        hint,
                        body,
                        continuing,
                        break_if: None,
                    })
                };
                let item = self.construct(list, kind);
                self.construct_of[header] = item.into();
                self.open.push((node.end, Open::Loop(item)));
                return Ok(());
            }
            NodeKind::Then
            | NodeKind::Else
            | NodeKind::Body
            | NodeKind::ContinuePart
            | NodeKind::Case { .. } => {
                self.begin_list(node);
                return Ok(());
            }
            NodeKind::FallThrough(target) => {
                self.falls.push((list, target));
                return Ok(());
            }
            NodeKind::Break(header) => Jump::Break(construct(self, header)?),
            NodeKind::Continue(header) => Jump::Continue(construct(self, header)?),
            NodeKind::Return(value) => Jump::Return(value),
            NodeKind::Kill => Jump::Kill,
            NodeKind::Exit(payload) => Jump::Exit(payload),
            NodeKind::Unreachable => Jump::Unreachable,
            NodeKind::Goto(to) => return Err(EditError::Goto { to }),
        };
        self.program.lists[list].end = End::Jump(jump);
        Ok(())
    }

    /// Adds a construct with two lists.
    fn construct(&mut self, list: List, kind: impl FnOnce([List; 2]) -> Kind) -> Item {
        let lists = [(); 2].map(|()| self.program.push_list(None));
        let item = self.program.push_item(list, kind(lists));
        for list in lists {
            self.program.lists[list].owner = item.into();
        }
        item
    }

    fn begin_list(&mut self, node: Node) {
        let Some(&(_, open)) = self.open.last() else {
            return;
        };
        let list = match (open, node.kind) {
            (Open::If(_, other), NodeKind::Else) => other,
            (Open::If(first, _), _) => first,
            (Open::Loop(item), kind) => match self.program.items[item].kind {
                Kind::Loop(inner) if kind == NodeKind::ContinuePart => inner.continuing,
                Kind::Loop(inner) => inner.body,
                _ => return,
            },
            (
                Open::Switch(item, _),
                NodeKind::Case {
                    target,
                    default,
                    literals,
                },
            ) => {
                let list = self.program.push_list(Some(item));
                self.cases.push(Arm {
                    list,
                    default,
                    literals,
                });
                self.case_of[target] = list.into();
                list
            }
            _ => return,
        };
        self.open.push((node.end, Open::List(list)));
    }

    fn block(&mut self, list: List, block: Block) {
        let last = self.program.lists[list].last.expand();
        if self.program.item_of[block].is_some() {
            // The header of the loop that the list is the body of.
            let (_, first) = self.program.push_block(list);
            self.program.append_insts(block, first);
            self.ends[first] = block.into();
        } else if let Some(Kind::Block(before)) = last.map(|last| self.program.items[last].kind) {
            self.program.append_insts(block, before);
            let phis: Vec<Value> = self.program.func.phis(block).collect();
            for phi in phis {
                if let Some(operand) = self.program.func.phi_operands(phi).next() {
                    self.renamed.insert(phi, operand.value);
                }
            }
            self.ends[before] = block.into();
        } else {
            self.program.push_item(list, Kind::Block(block));
            self.ends[block] = block.into();
        }
    }

    fn selection_hint(&self, header: Block) -> SelectionHint {
        let terminator = self.program.func.terminator(header);
        match (self.program.merges[header], terminator) {
            (Merge::Selection { hint, .. }, _)
            | (_, Some(Terminator::CondBranch { hint, .. } | Terminator::Switch { hint, .. })) => {
                hint
            }
            _ => Default::default(),
        }
    }

    fn begin_if(&mut self, list: List, header: Block, negated: bool, end: u32) {
        let Some(Terminator::CondBranch { cond, .. }) = self.program.func.terminator(header) else {
            return;
        };
        self.fill(list);
        let hint = self.selection_hint(header);
        let item = self.construct(list, |arms| Kind::If { cond, arms, hint });
        let lists = self.program.lists_of(item);
        let (first, other) = if negated { (1, 0) } else { (0, 1) };
        self.open.push((end, Open::If(lists[first], lists[other])));
    }

    /// Returns whether a conditional branch at the end of a continue part decides between another
    /// iteration and the end of the loop; that is not an if.
    fn back_edge(&mut self, block: Block) -> bool {
        let list = self.list();
        let Some(owner) = self.program.lists[list].owner.expand() else {
            return false;
        };
        let Some(Terminator::CondBranch {
            cond, then, else_, ..
        }) = self.program.func.terminator(block)
        else {
            return false;
        };
        match &mut self.program.items[owner].kind {
            Kind::Loop(inner)
                if inner.continuing == list && [then, else_].contains(&inner.header) =>
            {
                inner.break_if = Some((cond, inner.header == else_));
                true
            }
            _ => false,
        }
    }

    /// Makes the graph from the lists, and gives phis the operands that fit.
    fn graph(&mut self) {
        let blocks = self.program.blocks();
        for &block in &blocks {
            self.program.merges[block] = Merge::None;
            self.program.sync(block);
        }
        let preds = self.program.predecessors(&blocks);
        // Blocks with phis that need operands, each with the input's phi to look them up from.
        let mut work: VecDeque<(Block, Value, Value)> = VecDeque::new();
        let mut merged: BTreeMap<(Block, Value), Value> = BTreeMap::new();
        for &block in &blocks {
            work.extend(self.program.func.phis(block).map(|phi| (block, phi, phi)));
        }
        let mut found: Vec<(Value, Vec<(Block, Value)>)> = Vec::new();
        while let Some((block, phi, source)) = work.pop_front() {
            let mut operands = Vec::with_capacity(preds[block].len());
            for &pred in &preds[block] {
                let value = match self.value_from(pred, source, &preds) {
                    Ok(value) => value,
                    Err(join) => *merged.entry((join, source)).or_insert_with(|| {
                        let func = &mut self.program.func;
                        let fresh = func.add_phi(join, func.value_type(source));
                        work.push_back((join, fresh, source));
                        fresh
                    }),
                };
                operands.push((pred, value));
            }
            found.push((phi, operands));
        }
        for (phi, operands) in found {
            self.program.func.set_phi_operands(phi, &operands);
        }
    }

    /// Returns the value that a phi gets from a predecessor, or the fresh block in which several
    /// values meet.
    fn value_from(
        &mut self,
        mut pred: Block,
        phi: Value,
        preds: &SecondaryMap<Block, Vec<Block>>,
    ) -> Result<Value, Block> {
        while self.ends[pred].is_none() {
            match preds[pred][..] {
                [] => break,
                [before] => pred = before,
                _ => return Err(pred),
            }
        }
        let origin = self.ends[pred].expand();
        let mut operands = self.program.func.phi_operands(phi);
        let operand = operands.find(|operand| Some(operand.pred) == origin);
        let value = operand.map(|operand| operand.value);
        Ok(value.unwrap_or_else(|| undefined(&mut self.program, phi)))
    }
}

/// Returns a value for a path that nothing takes. Selectors are never undefined.
fn undefined(program: &mut Program, like: Value) -> Value {
    match program.func.value_type(like) {
        Type::SELECTOR => program.func.selector_constant(0),
        ty => program.func.undef(ty),
    }
}

/// Lets all uses in a program read other values, in the tree and in the graph.
fn rename(program: &mut Program, renamed: &BTreeMap<Value, Value>) {
    if renamed.is_empty() {
        return;
    }
    let name = |mut value: Value| {
        while let Some(&next) = renamed.get(&value) {
            value = next;
        }
        value
    };
    for block in program.blocks() {
        program.func.replace_uses(block, name);
    }
    for item in program.items.values_mut() {
        if let Some(value) = item.kind.value_mut() {
            *value = name(*value);
        }
    }
    for list in program.lists.values_mut() {
        if let End::Jump(Jump::Return(Some(value))) = &mut list.end {
            *value = name(*value);
        }
    }
}
