//! Compares the results of a module with a case's expectations.

use trellis_dxil_interpreter::dispatch::{Data, Mismatch, Tolerance, first_difference};

use crate::case::{Case, Draw};
use crate::execute::Observed;

/// Returns everything that is not as expected, one line for each resource.
pub fn differences(case: &Case, observed: &Observed) -> Vec<String> {
    let mut list = Vec::new();
    for (binding, (found, counter)) in case.bindings().iter().zip(&observed.resources) {
        match binding.mismatch(found, *counter) {
            Ok(None) => {}
            Ok(Some(mismatch)) => list.push(format!(
                "{}: {}",
                binding.place,
                describe(&mismatch, binding.tolerance)
            )),
            Err(error) => list.push(format!("{}: {error}", binding.place)),
        }
    }
    if let Some(draw) = &case.draw {
        of_draw(draw, observed, &mut list);
    }
    list
}

/// Name, expectation and tolerance of contents that a draw writes, and the contents after a run.
type Drawn<'d, 'o> = (
    String,
    &'d mut Option<Data>,
    &'d mut Option<Tolerance>,
    &'o [u8],
);

/// Returns the targets, the depth buffer and the outputs of a draw.
pub(crate) fn drawn<'d, 'o>(draw: &'d mut Draw, observed: &'o Observed) -> Vec<Drawn<'d, 'o>> {
    let mut list: Vec<Drawn<'d, 'o>> = Vec::new();
    let targets = draw.targets.iter_mut().zip(&observed.targets);
    for (index, (target, bytes)) in targets.enumerate() {
        let name = format!("target {index}");
        list.push((name, &mut target.expect, &mut target.tolerance, bytes));
    }
    if let Some(depth) = &mut draw.depth {
        let bytes = &observed.depth;
        list.push((
            "depth".to_owned(),
            &mut depth.expect,
            &mut depth.tolerance,
            bytes,
        ));
    }
    for (output, bytes) in draw.outputs.iter_mut().zip(&observed.outputs) {
        let name = format!("output {}{}", output.semantic, output.index);
        list.push((name, &mut output.expect, &mut output.tolerance, bytes));
    }
    list
}

fn of_draw(draw: &Draw, observed: &Observed, list: &mut Vec<String>) {
    if !draw.emitted.is_empty() && draw.emitted != observed.emitted {
        list.push(format!(
            "vertices of each stream: expected {:?}, found {:?}",
            draw.emitted, observed.emitted
        ));
    }
    for (name, expect, &mut tolerance, found) in drawn(&mut draw.clone(), observed) {
        let Some(expect) = expect else { continue };
        match expect.bytes(Some(found.len() as u64)) {
            Ok(expected) => {
                if let Some(mismatch) = first_difference(&expected, found, tolerance) {
                    list.push(format!("{name}: {}", describe(&mismatch, tolerance)));
                }
            }
            Err(error) => list.push(format!("{name}: {error}")),
        }
    }
}

fn describe(mismatch: &Mismatch, tolerance: Option<Tolerance>) -> String {
    let number = |bytes: &[u8]| {
        let hex = bytes
            .iter()
            .rev()
            .fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
        match tolerance.and_then(|t| t.number.read(bytes)) {
            Some(value) => format!("{value} (0x{hex})"),
            None => format!("0x{hex}"),
        }
    };
    let place = mismatch
        .offset
        .map_or("counter".to_owned(), |offset| format!("byte {offset}"));
    format!(
        "{place}: expected {}, found {}",
        number(&mismatch.expected),
        number(&mismatch.found)
    )
}
