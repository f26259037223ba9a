//! What the stages do, a sentence each.

use trellis_structurizer::Stage;

/// The heading of a picture: the stage's name, or that it is the input.
pub fn title(stage: Option<Stage>) -> String {
    match stage {
        None => "Input".to_owned(),
        Some(stage) => format!("Stage {}: {}", stage.number(), stage.name()),
    }
}

/// One sentence on what a stage does.
pub fn about(stage: Option<Stage>) -> &'static str {
    let Some(stage) = stage else {
        return "The graph as it comes in.";
    };
    match stage {
        Stage::Canonicalize => {
            "Makes the graph reducible: each loop has one header and one back edge, and all blocks can be reached."
        }
        Stage::BreakPhis => {
            "Blocks that hold only phis on a way out of a loop go; the phis are computed where control comes from."
        }
        Stage::ContinueLadders => {
            "Gives each loop a continue target: its latch, or a fresh block that all that continue lead to."
        }
        Stage::InterleavedBreaks => {
            "Where lanes pass others by, a block construct lets them leave without a selector."
        }
        Stage::MergeScopes => {
            "Of two arms one of which never falls through, the other follows the branch instead of standing beside it."
        }
        Stage::DegenerateBlocks => "Blocks that do nothing go.",
        Stage::Duplication => {
            "Small blocks that only end the lane are copied to where a selector would have to lead."
        }
        Stage::LoopTransposition => {
            "Chooses for each loop what stands inside it and what behind it, so that its ways out meet at one block."
        }
        Stage::FallThrough => {
            "Orders the cases of switches so that one that flows into another is followed by it."
        }
        Stage::Constructs => {
            "Every branch gets its construct: headers, merge blocks, continue targets, and selectors where lanes have several targets."
        }
        Stage::Phis => "Phis go wherever a definition no longer dominates its use.",
    }
}

#[cfg(test)]
mod tests {
    use trellis_structurizer::Stage;

    #[test]
    fn each_stage_has_a_sentence_of_its_own() {
        let mut all: Vec<&str> = Stage::ALL.iter().map(|&s| super::about(Some(s))).collect();
        all.push(super::about(None));
        assert!(
            all.iter()
                .all(|text| text.ends_with('.') && text.len() < 130)
        );
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), Stage::ALL.len() + 1);
        assert_eq!(super::title(Some(Stage::BreakPhis)), "Stage 1: break-phis");
    }
}
