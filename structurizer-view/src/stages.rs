//! Headings and captions of stages.

use trellis_structurizer::Stage;

/// Returns the heading of a picture: the stage's name, or that it is the input.
pub fn title(stage: Option<Stage>) -> String {
    stage.map_or_else(|| "Input".to_owned(), |stage| stage.name().to_owned())
}

/// Returns one sentence that describes a stage.
pub fn about(stage: Option<Stage>) -> &'static str {
    stage.map_or("The graph of the input.", Stage::summary)
}

#[cfg(test)]
mod tests {
    use trellis_structurizer::Stage;

    #[test]
    fn each_stage_has_a_sentence_of_its_own() {
        let mut all: Vec<&str> = Stage::ALL.iter().map(|&s| super::about(Some(s))).collect();
        all.push(super::about(None));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), Stage::ALL.len() + 1);
        assert_eq!(super::title(Some(Stage::LoopExits)), "loop-exits");
    }
}
