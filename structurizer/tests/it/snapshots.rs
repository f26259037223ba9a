//! The snapshots of [`trace`] show the result of [`structurize`].

use structurizer_testkit::generate::Family;
use trellis_structurizer::text::print_structured;
use trellis_structurizer::{Header, Options, Stage, structurize, trace};

#[test]
fn a_trace_ends_with_the_same_result() {
    for family in Family::ALL {
        let func = family.function(3);
        let trace = trace(func.clone(), &Options::default()).unwrap();
        let plain = structurize(func, &Options::default()).unwrap();
        assert_eq!(
            print_structured(&trace.structured),
            print_structured(&plain),
            "{family:?}"
        );
        assert_eq!(trace.snapshots[0].stage, None);
        let last = trace
            .snapshots
            .iter()
            .rfind(|s| s.stage == Some(Stage::Construction))
            .unwrap();
        assert_eq!(last.nodes.len(), plain.order.len());
        for snapshot in &trace.snapshots {
            let len = snapshot.nodes.len() as u32;
            assert!(
                snapshot
                    .nodes
                    .iter()
                    .all(|n| n.successors.iter().all(|&s| s < len)),
                "{family:?} {:?}",
                snapshot.stage
            );
        }
    }
}

#[test]
fn every_inserted_merge_block_is_shown() {
    let trace = trace(Family::NestedLoopsReturn.function(2), &Options::default()).unwrap();
    let last = trace
        .snapshots
        .iter()
        .rfind(|s| s.stage == Some(Stage::Construction))
        .unwrap();
    let merges = last.nodes.iter().filter_map(|n| match n.header {
        Header::None => None,
        Header::Selection { merge } => Some(merge),
        Header::Loop { merge, .. } => merge,
    });
    assert!(merges.into_iter().any(|m| last.nodes[m as usize].inserted));
}
