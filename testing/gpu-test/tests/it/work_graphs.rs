//! The dispatcher of work graphs on programs that make no sense; `cargo xtask gpu-test` runs the graphs of
//! the corpus.

use gpu_test::execute::{NotRun, run_graph};
use gpu_test::graph::{Entry, Graph};
use gpu_test::suite::Loaded;

use crate::common;

#[test]
fn programs_that_make_no_sense_are_errors() {
    let Some(device) = common::device() else {
        return;
    };
    let loaded = Loaded::read(&common::corpus().join("work_graphs/output_array")).unwrap();
    let case = &loaded.file.cases[0];
    let failure = |entry: Entry, nodes: usize| {
        let mut case = case.clone();
        let graph = case.graph.as_mut().unwrap();
        graph.entries = vec![entry];
        match run_graph(
            &device,
            &loaded.ours[..nodes],
            &loaded.nodes[..nodes],
            &case,
        ) {
            Err(NotRun::Failed(why)) => why,
            other => panic!("{other:?}"),
        }
    };
    let entry = |node: &str, index| Entry {
        node: node.to_owned(),
        index,
        records: vec![1],
        count: 1,
        ..Entry::default()
    };
    let all = loaded.nodes.len();
    assert!(failure(entry("Nothing", 0), all).contains("no node `Nothing`"));
    assert!(failure(entry("Gap", 2), all).contains("no node `Gap` with index 2"));
    assert!(failure(entry("Gap", 9), all).contains("no node `Gap` with index 9"));
    let graph = Graph {
        entries: vec![Entry {
            count: 3,
            ..entry("Spread", 0)
        }],
        bindings: Vec::new(),
    };
    assert!(graph.check().unwrap_err().contains("1 words for 3 records"));
}
