//! The plan as text, for debugging: the linear order with the scopes, then the blocks.

use core::fmt;

use super::Plan;
use super::blocks::Ending;
use crate::ir::Block;
use crate::result::Merge;

impl fmt::Display for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = &self.shape;
        for (position, node) in shape.positions.iter() {
            match node {
                None => writeln!(f, "{position}: continue target")?,
                Some(node) => {
                    let name = self.cx.graph.name(node);
                    let role = shape.roles.role(node);
                    write!(f, "{position}: {node} ({name}) {role:?}")?;
                    if let Some(parent) = shape.tree.parent(node) {
                        write!(f, " of {parent}")?;
                    }
                    writeln!(f, " in {}", shape.scopes.sequence_scope(node))?;
                }
            }
        }
        for (scope, data) in shape.scopes.iter().skip(1) {
            let kind = if data.of_loop.is_some() {
                "loop"
            } else {
                "switch"
            };
            writeln!(f, "{scope}: {kind} at {:?}, {}", data.head, data.span)?;
        }
        for &block in &self.blocks.order {
            self.block(f, block)?;
        }
        Ok(())
    }
}

impl Plan<'_> {
    fn block(&self, f: &mut fmt::Formatter<'_>, block: Block) -> fmt::Result {
        let planned = self.blocks.blocks[block];
        write!(f, "{block}:")?;
        match planned.merge {
            Merge::None => {}
            Merge::Selection { merge, .. } => write!(f, " merge {merge};")?,
            Merge::Loop {
                merge,
                continue_target,
                ..
            } => write!(f, " loop {merge} {continue_target};")?,
        }
        match planned.ending {
            Ending::Unchanged => write!(f, " end")?,
            Ending::CopyOf { original, .. } => write!(f, " end as {original}")?,
            Ending::Unreachable => write!(f, " unreachable")?,
            Ending::Branch(_) => write!(f, " branch")?,
            Ending::Conditional { cond, .. } => write!(f, " if {cond}")?,
            Ending::Test => write!(f, " if selector")?,
            Ending::SelectorSwitch => write!(f, " switch selector")?,
            Ending::Switch(_) => write!(f, " switch")?,
            Ending::Breakable(_) => write!(f, " breakable")?,
        }
        for edge in self.blocks.edges_from(block) {
            write!(f, " {}", edge.to)?;
            if let Some(selector) = edge.selector.expand() {
                write!(f, " (to {selector})")?;
            }
        }
        writeln!(f)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use crate::passes::Graph;
    use crate::plan::{Context, Memory, Plan};
    use crate::remark::Remarks;
    use crate::text::parse;
    use crate::{Options, Stage};

    /// Two exits of a loop that lead to different blocks: a selector after the loop.
    const TWO_EXITS: &str = "b0: b1\nb1: b2 b4\nb2: b1 b3\nb3: ret\nb4: b3 b5\nb5: ret\n";

    #[test]
    fn a_plan_prints_its_order_and_its_blocks() {
        let func = parse(TWO_EXITS).unwrap();
        let graph = Graph::of(&func);
        let options = Options::default();
        let cx = Context {
            func: &func,
            graph: &graph,
            options: &options,
        };
        let mut memory = Memory::default();
        let mut remarks = Remarks::new(false);
        let plan = Plan::new(cx, &mut memory, &mut remarks).unwrap();
        plan.check().unwrap();
        let text = plan.to_string();
        assert!(
            text.starts_with("p0: n0 (b0) Following in scope0\n"),
            "{text}"
        );
        assert!(
            text.contains("\nscope1: loop at Some(n1), p1..=p"),
            "{text}"
        );
        assert!(text.contains("\nb1: loop b"), "{text}");
    }

    /// Tests that a plan without optional stages names the edges that force its selectors.
    #[test]
    fn a_selector_names_its_edges() {
        let func = parse(TWO_EXITS).unwrap();
        let options = Options {
            remarks: true,
            stages: crate::Stages::NONE,
            ..Options::default()
        };
        let result = crate::structurize(func, &options).unwrap();
        let remarks = result.report.remarks;
        let selector = remarks
            .iter()
            .find(|r| r.stage == Stage::Construction && !r.edges.is_empty());
        assert!(selector.is_some_and(|r| r.edges.len() > 1), "{remarks:?}");
    }
}
