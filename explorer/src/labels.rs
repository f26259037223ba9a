//! The labels in the text form of a graph.

use std::borrow::Cow;

use trellis_dxil::structurizer::ir::Block;
use trellis_dxil::structurizer::tree::Names;

/// The labels in the text form of a graph, by block. As [`Names`] they are the names of its blocks.
#[derive(Debug)]
pub struct Labels(Vec<String>);

impl Labels {
    /// Returns the labels of a text with `blocks` blocks. Blocks are numbered in the order of their
    /// labels. Labels that only repeat that number are omitted.
    pub fn of(text: &str, blocks: usize) -> Self {
        let lines = text
            .lines()
            .filter_map(|line| line.split('#').next()?.split_once(':'));
        let labels: Vec<&str> = lines
            .map(|(label, _)| label.trim())
            .filter(|l| !l.is_empty() && !l.contains(['%', '=', ' ', '\t']))
            .collect();
        let own = |(number, label): (usize, &str)| {
            if label == format!("b{number}") {
                String::new()
            } else {
                label.to_owned()
            }
        };
        Self(if labels.len() == blocks {
            labels.into_iter().enumerate().map(own).collect()
        } else {
            Vec::new()
        })
    }
}

impl Names for Labels {
    fn block(&self, block: Block) -> Option<Cow<'_, str>> {
        self.0
            .get(block.as_u32() as usize)
            .filter(|label| !label.is_empty())
            .map(Into::into)
    }
}

#[cfg(test)]
mod tests {
    use trellis_dxil::structurizer::ir::Block;
    use trellis_dxil::structurizer::tree::Names;

    use super::Labels;

    #[test]
    fn labels_match_the_text() {
        let text = "# a: comment\n%c = const 1 : 1\nstart: b1 | merge b1\nb1:\n  %y = phi:1 [start %c]\n  %x:1 = op 7 %y\n  ret # z: b\n";
        assert_eq!(
            trellis_dxil::structurizer::text::parse_structured(text)
                .unwrap()
                .func
                .num_blocks(),
            2
        );
        let labels = Labels::of(text, 2);
        let names: Vec<_> = (0..3)
            .map(|b| {
                labels
                    .block(Block::from_u32(b))
                    .map(std::borrow::Cow::into_owned)
            })
            .collect();
        assert_eq!(names, [Some("start".to_owned()), None, None]);
        assert!(Labels::of(text, 3).block(Block::from_u32(0)).is_none());
    }
}
