//! Each family of graphs has results of linear size. (`targets` has their behaviour.)

use structurizer_testkit::generate::Family;
use trellis_structurizer::{Options, structurize};

/// Instructions, phi operands and blocks of the result.
fn size(structured: &trellis_structurizer::Structured) -> (usize, usize) {
    let func = &structured.func;
    let operands: usize = structured
        .order
        .iter()
        .flat_map(|&block| func.phis(block))
        .map(|phi| func.phi_operands(phi).count())
        .sum();
    (structured.order.len(), operands)
}

#[test]
fn every_family_grows_linearly() {
    let mut failed = Vec::new();
    for family in Family::ALL {
        for n in [1 << 6, 1 << 12] {
            let func = family.function(n);
            let input = func.num_blocks();
            let successors = func.blocks().map(|block| func.successors(block).count());
            let edges: usize = successors.sum();
            match structurize(func, &Options::default()) {
                Ok(after) => {
                    let (blocks, operands) = size(&after);
                    println!(
                        "{family:?} of {n}: {input} blocks, {blocks} after, {operands} phi operands"
                    );
                    if blocks > 6 * input.max(edges) || operands > 24 * input.max(edges) {
                        failed.push(format!("{family:?} of {n}: {input} blocks became {blocks} with {operands} phi operands"));
                    }
                }
                Err(error) => failed.push(format!("{family:?} of {n}: {error}")),
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
