//! Where a branch physically goes, and the record of it.
//!
//! A *transfer* carries control from a position to a logical target: the position of a node, or of
//! a continue target. Its physical destination is the follow of the position, the continue target
//! of the innermost loop, the merge block of the innermost loop or switch that the target lies
//! beyond, or, for an *escape*, the merge block of the enclosing construct.

use crate::construct::layout::{Frame, FrameId};
use crate::graph::NONE;
use crate::ir::Block;

/// Where emission stands: what follows, and inside which frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    /// Position of what follows; [`NONE`] at the end of the function.
    pub(crate) follow_position: u32,
    /// Block that control falls through to; `None` at the end of the function.
    pub(crate) follow: Option<Block>,
    /// Innermost frame.
    pub(crate) frame: FrameId,
}

/// A physical destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Destination {
    /// The block to branch to.
    pub(crate) block: Block,
    /// A break or continue, which is legal from any selection nested inside.
    pub(crate) direct: bool,
    /// Control goes on to the target without anybody deciding.
    pub(crate) natural: bool,
}

/// Merge block and continue target of a frame in emission, and where control goes from the merge
/// block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenFrame {
    pub(crate) merge: Option<Block>,
    pub(crate) continue_target: Option<Block>,
    pub(crate) follow_position: u32,
    /// Where the merge block goes on.
    pub(crate) outer: Context,
}

impl OpenFrame {
    /// A frame that is not open yet.
    pub(crate) const CLOSED: Self = Self {
        merge: None,
        continue_target: None,
        follow_position: NONE,
        outer: Context {
            follow_position: NONE,
            follow: None,
            frame: 0,
        },
    };
}

/// A branch in the output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Branch {
    pub(crate) from: Block,
    pub(crate) to: Block,
    /// The original block whose terminator it comes from, and the block whose phis it assigns.
    pub(crate) assigns: Option<(Block, Block)>,
    /// Dispatch selector set on it, [`NONE`] for none.
    pub(crate) code: u32,
    /// Escape selector set on it: the position of its target; [`NONE`] if it passes on what it got.
    pub(crate) selector: u32,
}

/// The destination of a transfer to `target`; `None` if there is nowhere to go, which the order
/// excludes.
pub(crate) fn destination(
    frames: &[Frame],
    open: &[OpenFrame],
    context: Context,
    target: u32,
) -> Option<Destination> {
    let frame = frames[context.frame as usize];
    let loop_frame = (frame.loop_frame != NONE).then(|| {
        (
            frames[frame.loop_frame as usize],
            open[frame.loop_frame as usize],
        )
    });
    let follow_is_direct = open[context.frame as usize].merge == context.follow
        && frame.loop_ == NONE
        || !frame.is_deep && loop_frame.is_some_and(|(_, o)| o.continue_target == context.follow);
    let follow_is_direct = follow_is_direct && context.frame != 0;
    let breaks_anyway = frame.is_flat
        && !follow_is_direct
        && open[context.frame as usize].follow_position == target;
    if target == context.follow_position && !breaks_anyway {
        return context.follow.map(|block| Destination {
            block,
            direct: follow_is_direct,
            natural: true,
        });
    }
    if let Some((l, o)) = loop_frame {
        if target == l.end && !frame.is_deep {
            return o.continue_target.map(|block| Destination {
                block,
                direct: true,
                natural: true,
            });
        }
        if target > l.end || target < l.start {
            return o.merge.map(|block| Destination {
                block,
                direct: true,
                natural: target == o.follow_position,
            });
        }
    }
    if frame.loop_ == NONE && context.frame != 0 && (target > frame.end || target < frame.start) {
        let o = open[context.frame as usize];
        return o.merge.map(|block| Destination {
            block,
            direct: true,
            natural: target == o.follow_position,
        });
    }
    context.follow.map(|block| Destination {
        block,
        direct: false,
        natural: false,
    })
}

/// The first position above `target` whose destination may have another block or be direct
/// otherwise; [`NONE`] if there is none. Between two such positions all targets share one
/// destination, though not whether it is natural.
pub(crate) fn next_change(frames: &[Frame], context: Context, target: u32) -> u32 {
    let frame = frames[context.frame as usize];
    let mut next = NONE;
    let mut add = |position: u32| {
        for change in [position, position.saturating_add(1)] {
            if change > target {
                next = next.min(change);
            }
        }
    };
    add(context.follow_position);
    for f in [frames.get(frame.loop_frame as usize), Some(&frame)]
        .into_iter()
        .flatten()
    {
        add(f.start);
        add(f.end);
    }
    next
}
