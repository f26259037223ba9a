//! Checks a structured function against SPIR-V's rules, from its blocks, terminators, merges and
//! block order alone. It shares no code with the passes.
//!
//! [`verify`] checks the graph ([`verify_cfg`]), then SSA. A client with another representation of
//! blocks (for example an emitted module) fills a [`Cfg`] and calls [`verify_cfg`].
//!
//! ```
//! use trellis_structurizer::verify::{BlockEnd, BlockMerge, Cfg, Position, verify_cfg};
//!
//! // if (…) { } with a merge instruction, and without.
//! let [then, merge] = [1, 2].map(Position::from_u32);
//! for (instruction, valid) in [(BlockMerge::Selection { merge }, true), (BlockMerge::None, false)] {
//!     let mut cfg = Cfg::with_capacity(3);
//!     cfg.add_block(BlockEnd::Conditional, instruction, [then, merge]);
//!     cfg.add_block(BlockEnd::Branch, BlockMerge::None, [merge]);
//!     cfg.add_block(BlockEnd::Exit, BlockMerge::None, []);
//!     assert_eq!(verify_cfg(&cfg).is_ok(), valid);
//! }
//! ```

mod cfg;
mod constructs;
mod dominators;
mod edges;
mod predecessors;
mod roles;
mod rule;
mod ssa;

use alloc::vec::Vec;
use core::fmt;

use thiserror::Error;
use trellis_entity::{EntityRef, PackedOption, PrimaryMap};

use crate::ir::{Block, Function, Terminator, Value};
use crate::result::{Merge, Structured};
use crate::target::Target;

use constructs::Constructs;
use dominators::Dominators;
use roles::Roles;

pub use cfg::{BlockEnd, BlockMerge, Cfg, Position};
pub use predecessors::Predecessors;
pub use rule::{CfgError, Rule};

/// A rule that a structured function breaks, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A rule of structured control flow.
    #[error("{0}")]
    Graph(GraphError),
    /// The block order names a block that does not exist.
    #[error("the block order names {block}, which does not exist")]
    MissingBlock {
        /// The block.
        block: Block,
    },
    /// The block order names a block twice.
    #[error("{block} is in the block order twice")]
    Repeated {
        /// The block.
        block: Block,
    },
    /// A block has no terminator.
    #[error("{block} has no terminator")]
    NoTerminator {
        /// The block.
        block: Block,
    },
    /// A block ends in a `BreakBranch`, which is for inputs only.
    #[error("{block} still ends in a break branch")]
    BreakBranch {
        /// The block.
        block: Block,
    },
    /// A terminator or merge instruction names a block that is not in the order.
    #[error("{block} names {target}, which is not in the block order")]
    NotInOrder {
        /// The block that names it.
        block: Block,
        /// The block that is not in the order.
        target: Block,
    },
    /// A continue target has instructions, and the target has no
    /// [continue parts](Target::continue_parts).
    #[error("the continue target {block} has instructions")]
    ContinuePart {
        /// The continue target.
        block: Block,
    },
    /// A second block returns a value of this type, or no value, and the target has a
    /// [single return](Target::single_return).
    #[error("{block} returns, and so does another block")]
    SecondReturn {
        /// The second block.
        block: Block,
    },
    /// A switch has a literal twice.
    #[error("the switch in {block} has the literal {literal} twice")]
    DuplicateLiteral {
        /// The block of the switch.
        block: Block,
        /// The literal.
        literal: u64,
    },
    /// A phi has no operand for a predecessor.
    #[error("{phi} in {block} has {found} operands for {expected} predecessors")]
    PhiOperandCount {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
        /// Number of operands.
        found: usize,
        /// Number of predecessors.
        expected: usize,
    },
    /// A phi has an operand for a block that is not a predecessor, or two for one predecessor.
    #[error(
        "{phi} in {block} has an operand for {pred}, which is not a predecessor or has another"
    )]
    PhiOperand {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
        /// The block that the operand names.
        pred: Block,
    },
    /// A value does not have the type that its use requires.
    #[error("{block} uses {value} with a wrong type")]
    Type {
        /// The block of the use.
        block: Block,
        /// The value.
        value: Value,
    },
    /// A value is used where its definition does not dominate.
    #[error("{block} uses {value}, whose definition does not dominate the use")]
    NotDominated {
        /// The block of the use; for a phi operand, the predecessor.
        block: Block,
        /// The value.
        value: Value,
    },
    /// A use names a value that does not exist.
    #[error("{block} uses {value}, which does not exist")]
    MissingValue {
        /// The block of the use.
        block: Block,
        /// The value.
        value: Value,
    },
    /// The selector of a phi may be undefined.
    #[error("the selector phi {phi} in {block} has an undefined operand")]
    UndefinedSelector {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
    },
}

/// A rule of [`verify_cfg`] with the blocks of the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphError {
    /// The rule.
    pub rule: Rule,
    /// The block that breaks it.
    pub block: Block,
    /// The other block, see [`CfgError::other`].
    pub other: Option<Block>,
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rule.describe(
            f,
            &self.block,
            self.other.as_ref().map(|other| other as &dyn fmt::Display),
        )
    }
}

/// Checks every rule of structured control flow on the blocks of one function. Also requires each
/// block to be structurally reachable, which the specification does not.
///
/// # Errors
/// The first rule that is broken.
pub fn verify_cfg(cfg: &Cfg) -> Result<(), CfgError> {
    verify_cfg_for(cfg, Target::SPIRV)
}

/// Does the same with the exits of a target: every rule of SPIR-V holds for each target but that on
/// exits, which allows more or less ([`Target`]).
///
/// # Errors
/// The first rule that is broken.
pub fn verify_cfg_for(cfg: &Cfg, target: Target) -> Result<(), CfgError> {
    GraphCheck::default().check(cfg, target)
}

/// Results of the check of a graph.
#[derive(Default)]
struct GraphCheck {
    roles: Roles,
    /// The structural dominator tree.
    dominators: Dominators,
    constructs: Constructs,
    /// The dominator tree over branch edges alone, once it is needed.
    plain: Dominators,
    is_plain_known: bool,
}

impl GraphCheck {
    /// Checks the rules of [`verify_cfg_for`].
    fn check(&mut self, cfg: &Cfg, target: Target) -> Result<(), CfgError> {
        self.is_plain_known = false;
        self.roles.read(cfg)?;
        self.dominators.compute(cfg);
        let (roles, dominators) = (&self.roles, &self.dominators);
        self.constructs.build(cfg, roles, dominators)?;
        self.constructs.find_back_edges(cfg, dominators)?;
        self.constructs
            .check_edges(cfg, roles, dominators, target)?;
        self.constructs.check_case_order(cfg, roles)
    }

    /// Returns [`Verifier::dominates`] for the graph that was checked.
    #[inline]
    fn dominates(&mut self, cfg: &Cfg, a: Position, b: Position) -> bool {
        // Structural dominance is stricter, and mostly enough.
        self.dominators.dominates(a, b) || self.dominates_plainly(cfg, a, b)
    }

    fn dominates_plainly(&mut self, cfg: &Cfg, a: Position, b: Position) -> bool {
        let tree = &mut self.plain;
        if !self.is_plain_known {
            tree.compute_plain(cfg, &self.dominators);
            self.is_plain_known = true;
        }
        !tree.reached(b) || (tree.reached(a) && tree.dominates(a, b))
    }
}

/// The verifier with its memory, for many functions: [`verify`] and [`verify_cfg`] are verifiers for
/// one call. Nothing is kept between calls but memory.
#[derive(Default)]
pub struct Verifier {
    cfg: Cfg,
    positions: Positions,
    literals: Vec<u64>,
    graph: GraphCheck,
    ssa: ssa::Memory,
}

impl fmt::Debug for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verifier").finish_non_exhaustive()
    }
}

impl Verifier {
    /// Returns a verifier without memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Checks a structured function, as [`verify`].
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn verify(&mut self, structured: &Structured) -> Result<(), VerifyError> {
        self.read(structured)?;
        let Self {
            cfg,
            positions,
            graph,
            ssa,
            ..
        } = self;
        graph.check(cfg, structured.target).map_err(|error| {
            let block = |position: Position| {
                let block = structured.order.get(position.index());
                block.copied().unwrap_or(Block::new(0))
            };
            VerifyError::Graph(GraphError {
                rule: error.rule,
                block: block(error.block),
                other: error.other.map(block),
            })
        })?;
        check_target(structured)?;
        ssa.check(structured, cfg, positions, graph)
    }

    /// Checks the blocks of a function, as [`verify_cfg`].
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn verify_cfg(&mut self, cfg: &Cfg) -> Result<(), CfgError> {
        self.graph.check(cfg, Target::SPIRV)
    }

    /// Returns whether `a` dominates `b` over branch edges alone, as SPIR-V requires for uses. A
    /// block that no branch reaches is dominated by all. `cfg` is the graph that
    /// [`verify_cfg`](Self::verify_cfg) has accepted last.
    ///
    /// ```
    /// use trellis_structurizer::verify::{BlockEnd, BlockMerge, Cfg, Position, Verifier};
    ///
    /// let [entry, then, merge] = [0, 1, 2].map(Position::from_u32);
    /// let mut cfg = Cfg::default();
    /// cfg.add_block(BlockEnd::Conditional, BlockMerge::Selection { merge }, [then, merge]);
    /// cfg.add_block(BlockEnd::Branch, BlockMerge::None, [merge]);
    /// cfg.add_block(BlockEnd::Exit, BlockMerge::None, []);
    /// let mut verifier = Verifier::new();
    /// verifier.verify_cfg(&cfg).unwrap();
    /// assert!(verifier.dominates(&cfg, entry, merge) && !verifier.dominates(&cfg, then, merge));
    /// ```
    #[inline]
    pub fn dominates(&mut self, cfg: &Cfg, a: Position, b: Position) -> bool {
        self.graph.dominates(cfg, a, b)
    }

    /// Reads the graph by positions in the order, and the position of each block.
    fn read(&mut self, structured: &Structured) -> Result<(), VerifyError> {
        let Self {
            cfg,
            positions,
            literals,
            ..
        } = self;
        let func = &structured.func;
        positions.refill(PackedOption::default(), func.num_blocks());
        for (position, &block) in structured.order.iter().enumerate() {
            match positions.get_mut(block) {
                None => return Err(VerifyError::MissingBlock { block }),
                Some(slot) if slot.is_some() => return Err(VerifyError::Repeated { block }),
                Some(slot) => *slot = Position::new(position).into(),
            }
        }
        cfg.clear();
        for &block in &structured.order {
            let end = read_end(func, block, literals)?;
            let position = |target: Block| {
                let position = positions.get(target).and_then(|position| position.expand());
                position.ok_or(VerifyError::NotInOrder { block, target })
            };
            let merge = match structured.merges[block] {
                Merge::None => BlockMerge::None,
                Merge::Selection { merge, .. } => BlockMerge::Selection {
                    merge: position(merge)?,
                },
                Merge::Loop {
                    merge,
                    continue_target,
                    ..
                } => BlockMerge::Loop {
                    merge: position(merge)?,
                    continue_target: position(continue_target)?,
                },
            };
            if let Some(target) = func.successors(block).find(|&to| position(to).is_err()) {
                return Err(VerifyError::NotInOrder { block, target });
            }
            cfg.add_block(
                end,
                merge,
                func.successors(block)
                    .filter_map(|to| positions[to].expand()),
            );
        }
        Ok(())
    }
}

/// Checks that a structured function obeys every rule of SPIR-V's structured control flow (1.6,
/// section 2.11, with structural dominance), with the exits of its [`Target`], and of SSA; that
/// there is no `BreakBranch`; that selectors are never undefined; and that each block of the order is
/// structurally reachable.
///
/// Costs two dominator trees, near-linear.
///
/// # Errors
/// The first rule that is broken.
pub fn verify(structured: &Structured) -> Result<(), VerifyError> {
    Verifier::new().verify(structured)
}

/// Checks the target's rules for blocks.
fn check_target(structured: &Structured) -> Result<(), VerifyError> {
    let Structured {
        func,
        merges,
        order,
        target,
        ..
    } = structured;
    for &block in order {
        if let Merge::Loop {
            continue_target, ..
        } = merges[block]
            && !target.continue_parts
            && func.insts(continue_target).next().is_some()
        {
            return Err(VerifyError::ContinuePart {
                block: continue_target,
            });
        }
    }
    let mut types = Vec::new();
    for &block in order.iter().filter(|_| target.single_return) {
        if let Some(Terminator::Return(value)) = func.terminator(block) {
            let ty = value.map(|value| func.has_value(value).then(|| func.value_type(value)));
            if types.contains(&ty) {
                return Err(VerifyError::SecondReturn { block });
            }
            types.push(ty);
        }
    }
    Ok(())
}

/// The position of each block in the order.
type Positions = PrimaryMap<Block, PackedOption<Position>>;

fn read_end(
    func: &Function,
    block: Block,
    literals: &mut Vec<u64>,
) -> Result<BlockEnd, VerifyError> {
    Ok(
        match func
            .terminator(block)
            .ok_or(VerifyError::NoTerminator { block })?
        {
            Terminator::Branch(_) => BlockEnd::Branch,
            Terminator::CondBranch { .. } => BlockEnd::Conditional,
            Terminator::BreakBranch { .. } => return Err(VerifyError::BreakBranch { block }),
            Terminator::Switch { cases, .. } => {
                literals.clear();
                literals.extend(func.cases(cases).iter().map(|case| case.literal));
                literals.sort_unstable();
                if let Some(pair) = literals.windows(2).find(|pair| pair[0] == pair[1]) {
                    return Err(VerifyError::DuplicateLiteral {
                        block,
                        literal: pair[0],
                    });
                }
                BlockEnd::Switch
            }
            Terminator::Return(_)
            | Terminator::Unreachable
            | Terminator::Kill
            | Terminator::Exit(_) => BlockEnd::Exit,
        },
    )
}
