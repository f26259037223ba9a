//! Compares the results of a module with what a case expects.

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

fn of_draw(draw: &Draw, observed: &Observed, list: &mut Vec<String>) {
    let check = |list: &mut Vec<String>,
                 name: String,
                 expect: Option<&Data>,
                 tolerance: Option<Tolerance>,
                 found: &[u8]| {
        let Some(expect) = expect else { return };
        match expect.bytes(Some(found.len() as u64)) {
            Ok(expected) => {
                if let Some(mismatch) = first_difference(&expected, found, tolerance) {
                    list.push(format!("{name}: {}", describe(&mismatch, tolerance)));
                }
            }
            Err(error) => list.push(format!("{name}: {error}")),
        }
    };
    if !draw.emitted.is_empty() && draw.emitted != observed.emitted {
        list.push(format!(
            "vertices of each stream: expected {:?}, found {:?}",
            draw.emitted, observed.emitted
        ));
    }
    for (index, (target, found)) in draw.targets.iter().zip(&observed.targets).enumerate() {
        check(
            list,
            format!("target {index}"),
            target.expect.as_ref(),
            target.tolerance,
            found,
        );
    }
    if let Some(depth) = &draw.depth {
        check(
            list,
            "depth".to_owned(),
            depth.expect.as_ref(),
            depth.tolerance,
            &observed.depth,
        );
    }
    for (output, found) in draw.outputs.iter().zip(&observed.outputs) {
        check(
            list,
            format!("output {}{}", output.semantic, output.index),
            output.expect.as_ref(),
            output.tolerance,
            found,
        );
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
