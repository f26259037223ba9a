//! The block that a branch to a target leads to.
//!
//! A *target* is the position of a node or of a continue target. A branch to it leads to the code
//! that follows the branch, to the continue target of the innermost loop, to the merge block of the
//! innermost loop or switch that the target is beyond, or, carrying a selector, to the merge block
//! of the enclosing construct.

use crate::entity::PackedOption;
use crate::ir::Block;
use crate::plan::positions::Position;
use crate::plan::route::Router;
use crate::plan::scopes::{Scope, ScopeData};

/// Continuation of the code that is being routed, and the scope that it is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Continuation {
    /// Position of the continuation; none at the end of the function and of a loop's body.
    pub(super) position: PackedOption<Position>,
    /// Block that control falls through to; none as above.
    pub(super) block: PackedOption<Block>,
    /// Innermost scope.
    pub(super) scope: Scope,
}

impl Continuation {
    /// Returns the continuation of a scope in which nothing follows.
    pub(super) fn end_of(scope: Scope) -> Self {
        Self {
            position: None.into(),
            block: None.into(),
            scope,
        }
    }
}

/// The block that a branch leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Destination {
    pub(super) block: Block,
    /// True if the branch is a break or a continue, which is legal from any selection nested
    /// inside.
    pub(super) is_exit: bool,
    /// True if control continues from there to the target without a selector.
    pub(super) arrives: bool,
}

/// Merge block and continue target of a scope that is being routed.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenScope {
    pub(super) merge: PackedOption<Block>,
    pub(super) continue_target: PackedOption<Block>,
    /// Position that the merge block leads to, if any.
    pub(super) merge_position: PackedOption<Position>,
    /// Continuation after the merge block.
    pub(super) outer: Continuation,
}

impl OpenScope {
    /// Returns a scope that is not open yet.
    pub(super) fn closed() -> Self {
        Self {
            merge: None.into(),
            continue_target: None.into(),
            merge_position: None.into(),
            outer: Continuation::end_of(Scope::FUNCTION),
        }
    }
}

impl Router<'_> {
    /// Returns the innermost loop's scope of a scope.
    fn loop_around(&self, scope: &ScopeData) -> Option<(&ScopeData, &OpenScope)> {
        let l = scope.loop_scope.expand()?;
        Some((&self.shape.scopes[l], &self.walk.open[l]))
    }

    /// Returns the destination of a branch to `target`; none if there is none, which the order
    /// excludes.
    pub(super) fn find_destination(
        &self,
        at: Continuation,
        target: Position,
    ) -> Option<Destination> {
        let scope = &self.shape.scopes[at.scope];
        let own = &self.walk.open[at.scope];
        let around = self.loop_around(scope);
        let leaves_switches = self.cx.options.target.leaves_switches();
        let falls_to_exit = scope.is_switch() && own.merge == at.block
            || !scope.is_deep && around.is_some_and(|(_, o)| o.continue_target == at.block);
        let breaks_anyway =
            scope.is_flattened && !falls_to_exit && own.merge_position == target.into();
        if at.position == target.into() && !breaks_anyway {
            return at.block.expand().map(|block| Destination {
                block,
                is_exit: falls_to_exit,
                arrives: true,
            });
        }
        let exit = |block: Option<Block>, arrives: bool| {
            block.map(|block| Destination {
                block,
                is_exit: true,
                arrives,
            })
        };
        if let Some(labels) = &self.labels {
            return exit(labels.innermost(target), true);
        }
        if let Some((l, o)) = around {
            if l.span.last() == Some(target) && !scope.is_deep {
                return exit(o.continue_target.expand(), true);
            }
            if !l.span.contains(target) && (leaves_switches || !scope.is_switch()) {
                return exit(o.merge.expand(), o.merge_position == target.into());
            }
        }
        if scope.is_switch() && !scope.span.contains(target) {
            return exit(own.merge.expand(), own.merge_position == target.into());
        }
        at.block.expand().map(|block| Destination {
            block,
            is_exit: false,
            arrives: false,
        })
    }

    /// Returns the first position above `target` whose destination may be another block, or an exit
    /// although the destination of `target` is not an exit, if there is such a position. Between
    /// two such positions all targets share one destination, though not whether they arrive.
    pub(super) fn next_change(&self, at: Continuation, target: Position) -> Option<Position> {
        let scope = &self.shape.scopes[at.scope];
        let around = self.loop_around(scope).map(|(l, _)| l.span.bounds());
        let followed = at.position.expand().into_iter();
        followed
            .flat_map(|position| [position, position.next()])
            .chain(around.into_iter().flatten())
            .chain(scope.span.bounds())
            .filter(|&change| change > target)
            .min()
    }
}
