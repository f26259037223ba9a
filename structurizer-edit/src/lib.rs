//! A structured function that a client can change: tree and graph in one, kept in step by each
//! operation.
//!
//! A [`Program`] is made of lists. A list is the body of the function, of a loop, or of an arm; it
//! begins and ends with a block, and has exactly one block between two constructs (ifs, switches,
//! loops). So there is always a block to put code in, the block before a construct is its header,
//! and the block after it its merge block. Before the body of a loop is the loop's header, a block
//! for its phis alone. The end of a list (continue after it, break, continue, return) is a property
//! of the list, not an element of it. (Mesa's NIR has these rules, as its documentation states
//! them.)
//!
//! A [`Cursor`] is a position in a block: before an instruction or at the end. Code between two
//! cursors of one list can be cut out as a [`Fragment`] ([`Program::extract`]) or copied as one
//! ([`Program::copy`]), and put in somewhere else ([`Program::splice`]). A phi after a construct
//! belongs to the construct and moves with it.
//!
//! After every operation [`verify`] accepts the program's
//! result. An operation that would violate this (a jump out of a construct that it may not leave, a
//! value that is read where it is not defined) changes nothing and returns the reason. Only fragments
//! that are never inserted again are lost. Values and instructions keep their numbers, blocks may be
//! split and fused. Costs below leave out the logarithm of look-ups in ordered maps.
//!
//! # Examples
//!
//! ```
//! use trellis_structurizer::ir::Effects;
//! use trellis_structurizer::{Options, Tree, structurize, text};
//! use trellis_structurizer_edit::Program;
//!
//! let func = text::parse("a: b c\nb: d\nc: d\nd: ret")?;
//! let mut program = Program::of(structurize(func, &Options::default())?)?;
//! // The second arm of the if after the first block, twice, in a loop after the if.
//! let branch = program.end_of_block(program.start());
//! let arm = program.into_arm(branch, 1).unwrap();
//! let all = (arm, program.end_of_block(arm));
//! let after = program.next_block(branch).unwrap();
//! let [body] = program.insert_loop(after, None)?;
//! for _ in 0..2 {
//!     let copy = program.copy(all.0, all.1)?;
//!     program.splice(copy, body)?;
//! }
//! program.insert_inst(body, 77, Effects::SIDE_EFFECT, &[], &[])?;
//! let structured = program.finish()?;
//! let text = Tree::of(&structured).with_instructions().to_string();
//! assert_eq!((text.matches("op2()").count(), text.matches("loop {").count(), text.matches("op77()").count()), (3, 1, 1), "{text}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![no_std]

extern crate alloc;

mod change;
mod check;
mod copy;
mod cursor;
mod insert;
mod read;

use alloc::vec;
use alloc::vec::Vec;

use thiserror::Error;
use trellis_entity::{PackedOption, PrimaryMap, SecondaryMap, entity_impl};
use trellis_structurizer::ir::{
    Block, CaseRange, Function, Inst, LoopHint, SelectionHint, Terminator, Value,
};
use trellis_structurizer::verify::{VerifyError, verify};
use trellis_structurizer::{Merge, Report, Structured, Target};

/// An item of a list: a block or a construct.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Item(u32);
entity_impl!(Item, "item");

/// A list of items.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct List(u32);
entity_impl!(List, "list");

/// Code that was cut out or copied, and is not yet put in: see [`Program::splice`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fragment(u32);
entity_impl!(Fragment, "fragment");

/// A position in a block. It stays before its instruction while other code is inserted and removed;
/// a position at the end of a block stays at the end of the rest of the block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cursor {
    block: Block,
    before: Option<Inst>,
}

/// Transfer of control at the end of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Jump {
    /// Control continues: after the construct, or in the loop's continue part or next iteration.
    Next,
    /// Control leaves a loop or switch.
    Break(Item),
    /// Control continues in the continue part of a loop.
    Continue(Item),
    /// The invocation returns from the function.
    Return(Option<Value>),
    /// The invocation is terminated.
    Kill,
    /// The invocation is terminated in the client's way with this payload.
    Exit(u32),
    /// Control never reaches this.
    Unreachable,
}

/// Why an operation is not possible. The program is unchanged then.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum EditError {
    /// The function that the program was to be made of, or the result, breaks a rule.
    #[error("not a valid structured function: {0}")]
    Verify(#[from] VerifyError),
    /// A branch does not follow from the merge instructions.
    #[error("a branch to {to} is not structured")]
    Goto {
        /// Target of the branch.
        to: Block,
    },
    /// The cursor's block or instruction no longer exists, or is not in this program.
    #[error("the cursor's position no longer exists")]
    NoPlace,
    /// The fragment is already put in, or not of this program.
    #[error("{0} no longer exists")]
    NoFragment(Fragment),
    /// Two cursors do not enclose a part of one list, the first one first.
    #[error("the cursors are not two locations in one list, in order")]
    NotARange,
    /// A value of the range is read outside it.
    #[error("{block} reads {value}, which is defined in the range")]
    UsedOutside {
        /// The value.
        value: Value,
        /// The block that reads it.
        block: Block,
    },
    /// A value would be read where it is not always defined.
    #[error("{value} would be read in {block}, where it is not always defined")]
    NotDefined {
        /// The value.
        value: Value,
        /// The block that would read it.
        block: Block,
    },
    /// A jump would leave a construct that it may not leave, or a continue part.
    #[error("a jump ({0:?}) is not possible at this location")]
    IllegalJump(Jump),
    /// The phi where a jump leads has no operand for it, or a phi's operands do not fit the
    /// predecessors.
    #[error("{phi} has no operand for a new predecessor, or one too many")]
    PhiOperands {
        /// The phi.
        phi: Value,
    },
    /// There is no construct of the requested kind at the location.
    #[error("there is no construct of this kind at the location")]
    NoConstruct,
    /// The function's target has multi-level exits, which programs do not have.
    #[error("a program has no multi-level exits")]
    MultiLevel,
    /// Tree and graph differ: a bug in this crate, reported instead of wrong output.
    #[error("internal error: tree and graph differ at {block}")]
    OutOfStep {
        /// The block.
        block: Block,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Block(Block),
    If {
        cond: Value,
        /// The arm for true, and the arm for false.
        arms: [List; 2],
        hint: SelectionHint,
    },
    Switch {
        value: Value,
        hint: SelectionHint,
        /// A range of the pool of arms.
        arms: (u32, u32),
    },
    Loop(Loop),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Loop {
    header: Block,
    hint: LoopHint,
    body: List,
    continuing: List,
    /// The loop ends after the continue part if this value is this.
    break_if: Option<(Value, bool)>,
}

impl Kind {
    /// Returns the value that a construct reads.
    fn value_mut(&mut self) -> Option<&mut Value> {
        match self {
            Kind::Block(_) => None,
            Kind::If { cond: value, .. } | Kind::Switch { value, .. } => Some(value),
            Kind::Loop(inner) => inner.break_if.as_mut().map(|(value, _)| value),
        }
    }
}

/// A case of a switch; one of them is the default.
#[derive(Clone, Copy, Debug)]
struct Arm {
    list: List,
    default: bool,
    /// A range of the pool of literals.
    literals: (u32, u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Jump(Jump),
    /// To another case of the switch that the list is a case of.
    FallThrough(List),
}

#[derive(Clone, Debug)]
struct ItemData {
    kind: Kind,
    list: List,
    prev: PackedOption<Item>,
    next: PackedOption<Item>,
}

#[derive(Clone, Debug)]
struct ListData {
    owner: PackedOption<Item>,
    first: PackedOption<Item>,
    last: PackedOption<Item>,
    end: End,
}

/// The data of a fragment in addition to its list.
#[derive(Clone, Debug)]
struct FragmentData {
    /// `None` once it is put in.
    list: Option<List>,
    /// Operands that phis elsewhere get for jumps of the fragment: phi, predecessor, value.
    operands: Vec<(Value, Block, Value)>,
}

/// A structured function that can be changed. See the [module](self).
#[derive(Clone, Debug)]
pub struct Program {
    func: Function,
    merges: SecondaryMap<Block, Merge>,
    target: Target,
    report: Report,
    items: PrimaryMap<Item, ItemData>,
    lists: PrimaryMap<List, ListData>,
    arms: Vec<Arm>,
    literals: Vec<u64>,
    fragments: PrimaryMap<Fragment, FragmentData>,
    /// The item of each block; of a loop header the loop.
    item_of: SecondaryMap<Block, PackedOption<Item>>,
    root: List,
}

/// Terminator of a block, with the cases of a switch in full.
#[derive(PartialEq, Debug)]
struct Ending {
    /// With an empty range of cases.
    terminator: Terminator,
    cases: Vec<(u64, Block)>,
    merge: Merge,
}

impl Ending {
    fn plain(terminator: Terminator) -> Self {
        Self {
            terminator,
            cases: Vec::new(),
            merge: Merge::None,
        }
    }
}

impl Program {
    /// Returns a program of a structured function. Each list gets the blocks that it lacks, and
    /// blocks in a row are fused, so block numbers change; value and instruction numbers do not. A
    /// phi with one operand whose block is fused is replaced by the operand.
    ///
    /// # Errors
    /// [`EditError::Verify`] for a function that is not valid, [`EditError::MultiLevel`] for a target
    /// with [multi-level exits](Target::multi_level).
    pub fn of(structured: Structured) -> Result<Program, EditError> {
        if structured.target.multi_level {
            return Err(EditError::MultiLevel);
        }
        verify(&structured)?;
        read::read(structured)
    }

    /// Returns the structured function, verified. Fragments that were not inserted are dropped.
    /// Blocks that are not in its order belong to nothing.
    pub fn finish(self) -> Result<Structured, EditError> {
        self.check()?;
        let order = self.blocks();
        let structured = Structured {
            func: self.func,
            merges: self.merges,
            order,
            target: self.target,
            report: self.report,
        };
        verify(&structured)?;
        Ok(structured)
    }

    /// Returns the current graph: the terminators of [`blocks`](Self::blocks) match the tree, and
    /// other blocks are unused.
    pub fn func(&self) -> &Function {
        &self.func
    }

    /// Returns the merge instruction of a block.
    pub fn merge(&self, block: Block) -> Merge {
        self.merges[block]
    }

    /// Returns the blocks in the order of the tree, which SPIR-V accepts as the order of the
    /// function.
    pub fn blocks(&self) -> Vec<Block> {
        self.blocks_of(self.root)
    }

    // ---- the tree -------------------------------------------------------------------------------

    fn push_list(&mut self, owner: Option<Item>) -> List {
        self.lists.push(ListData {
            owner: owner.into(),
            first: None.into(),
            last: None.into(),
            end: End::Jump(Jump::Next),
        })
    }

    /// Adds an item to the end of a list.
    fn push_item(&mut self, list: List, kind: Kind) -> Item {
        let last = self.lists[list].last;
        let item = self.items.push(ItemData {
            kind,
            list,
            prev: last,
            next: None.into(),
        });
        match last.expand() {
            Some(last) => self.items[last].next = item.into(),
            None => self.lists[list].first = item.into(),
        }
        self.lists[list].last = item.into();
        if let Kind::Block(block) | Kind::Loop(Loop { header: block, .. }) = kind {
            self.item_of[block] = item.into();
        }
        item
    }

    fn push_block(&mut self, list: List) -> (Item, Block) {
        let block = self.func.add_block();
        (self.push_item(list, Kind::Block(block)), block)
    }

    /// Returns the lists of a construct.
    fn lists_of(&self, item: Item) -> Vec<List> {
        match self.items[item].kind {
            Kind::Block(_) => Vec::new(),
            Kind::If { arms, .. } => arms.to_vec(),
            Kind::Switch { arms, .. } => self.arms_of(arms).iter().map(|arm| arm.list).collect(),
            Kind::Loop(inner) => vec![inner.body, inner.continuing],
        }
    }

    fn arms_of(&self, (start, end): (u32, u32)) -> &[Arm] {
        &self.arms[start as usize..end as usize]
    }

    /// Returns the block of an item; of a loop its header.
    fn block_of(&self, item: Option<Item>) -> Option<Block> {
        match self.items[item?].kind {
            Kind::Block(block) | Kind::Loop(Loop { header: block, .. }) => Some(block),
            Kind::If { .. } | Kind::Switch { .. } => None,
        }
    }

    fn first(&self, list: List) -> Option<Block> {
        self.block_of(self.lists[list].first.expand())
    }

    fn last(&self, list: List) -> Option<Block> {
        self.block_of(self.lists[list].last.expand())
    }

    fn block_after(&self, item: Item) -> Option<Block> {
        self.block_of(self.items[item].next.expand())
    }

    /// Returns the items of a list and of all lists in it, in order.
    fn items_of(&self, list: List) -> Vec<Item> {
        let mut found = Vec::new();
        let mut stack: Vec<Item> = self.lists[list].first.expand().into_iter().collect();
        while let Some(item) = stack.pop() {
            found.push(item);
            stack.extend(self.items[item].next.expand());
            let lists = self.lists_of(item).into_iter().rev();
            stack.extend(lists.filter_map(|list| self.lists[list].first.expand()));
        }
        found
    }

    /// Returns the blocks of a list and of all lists in it, in order.
    fn blocks_of(&self, list: List) -> Vec<Block> {
        self.items_of(list)
            .into_iter()
            .filter_map(|item| self.block_of(Some(item)))
            .collect()
    }

    // ---- the graph that the tree means ----------------------------------------------------------

    /// Returns how a block has to end; `None` where the tree breaks its rules.
    fn ending(&self, block: Block) -> Option<Ending> {
        let item = self.item_of[block].expand()?;
        let data = &self.items[item];
        if let Kind::Loop(inner) = data.kind {
            let merge = Merge::Loop {
                merge: self.block_after(item)?,
                continue_target: self.first(inner.continuing)?,
                hint: inner.hint,
            };
            let plain = Ending::plain(Terminator::Branch(self.first(inner.body)?));
            return Some(Ending { merge, ..plain });
        }
        let Some(next) = data.next.expand() else {
            return self.end_of_list(data.list).map(Ending::plain);
        };
        let mut cases = Vec::new();
        let (terminator, hint) = match self.items[next].kind {
            Kind::Block(to) | Kind::Loop(Loop { header: to, .. }) => {
                return Some(Ending::plain(Terminator::Branch(to)));
            }
            Kind::If { cond, arms, hint } => {
                let terminator = Terminator::CondBranch {
                    cond,
                    then: self.first(arms[0])?,
                    else_: self.first(arms[1])?,
                    hint,
                };
                (terminator, hint)
            }
            Kind::Switch { value, arms, hint } => {
                let mut default = None;
                for arm in self.arms_of(arms) {
                    let to = self.first(arm.list)?;
                    let literals = &self.literals[arm.literals.0 as usize..arm.literals.1 as usize];
                    cases.extend(literals.iter().map(|&literal| (literal, to)));
                    default = if arm.default { Some(to) } else { default };
                }
                let terminator = Terminator::Switch {
                    value,
                    default: default?,
                    cases: CaseRange::EMPTY,
                    hint,
                };
                (terminator, hint)
            }
        };
        let merge = self.block_after(next)?;
        let merge = Merge::Selection { merge, hint };
        Some(Ending {
            terminator,
            cases,
            merge,
        })
    }

    fn end_of_list(&self, list: List) -> Option<Terminator> {
        let to = match self.lists[list].end {
            End::FallThrough(next) => self.first(next)?,
            End::Jump(Jump::Return(value)) => return Some(Terminator::Return(value)),
            End::Jump(Jump::Kill) => return Some(Terminator::Kill),
            End::Jump(Jump::Exit(payload)) => return Some(Terminator::Exit(payload)),
            End::Jump(Jump::Unreachable) => return Some(Terminator::Unreachable),
            End::Jump(jump @ (Jump::Break(_) | Jump::Continue(_))) => self.target(jump)?,
            End::Jump(Jump::Next) => {
                let owner = self.lists[list].owner.expand()?;
                match self.items[owner].kind {
                    Kind::Loop(inner) if list == inner.body => self.first(inner.continuing)?,
                    Kind::Loop(inner) => {
                        let Some((cond, value)) = inner.break_if else {
                            return Some(Terminator::Branch(inner.header));
                        };
                        let merge = self.block_after(owner)?;
                        let (then, else_) = if value {
                            (merge, inner.header)
                        } else {
                            (inner.header, merge)
                        };
                        return Some(Terminator::CondBranch {
                            cond,
                            then,
                            else_,
                            hint: SelectionHint::None,
                        });
                    }
                    _ => self.block_after(owner)?,
                }
            }
        };
        Some(Terminator::Branch(to))
    }

    /// Returns how a block ends in the graph.
    fn current(&self, block: Block) -> Option<Ending> {
        let mut terminator = self.func.terminator(block)?;
        let mut cases = Vec::new();
        if let Terminator::Switch { cases: range, .. } = &mut terminator {
            let all = self.func.cases(*range).iter();
            cases.extend(all.map(|case| (case.literal, case.target)));
            *range = CaseRange::EMPTY;
        }
        Some(Ending {
            terminator,
            cases,
            merge: self.merges[block],
        })
    }

    /// Writes to the graph how the block ends in the tree.
    fn sync(&mut self, block: Block) {
        let Some(wanted) = self.ending(block) else {
            return;
        };
        if self.current(block).is_some_and(|current| current == wanted) {
            return;
        }
        self.merges[block] = wanted.merge;
        let mut terminator = wanted.terminator;
        if let Terminator::Switch { cases, .. } = &mut terminator {
            *cases = self.func.add_cases(&wanted.cases);
        }
        self.func.set_terminator(block, terminator);
    }
}

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
