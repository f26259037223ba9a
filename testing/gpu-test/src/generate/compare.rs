//! Compares two runs of a case, and writes the contents after a run into it as expectations.

use trellis_dxil_interpreter::dispatch::{Data, Number, Tolerance, first_difference};

use crate::case::Case;
use crate::execute::Observed;

/// Returns the compared contents in a fixed order, each with its name and the tolerance of the
/// case.
fn slots<'a>(
    case: &'a mut Case,
    observed: &'a Observed,
) -> Vec<(String, &'a mut Option<Tolerance>, &'a [u8])> {
    let mut list = Vec::new();
    let Case { dispatch, draw, .. } = case;
    let (bindings, draw) = match (dispatch, draw) {
        (Some(dispatch), _) => (&mut dispatch.bindings, None),
        (None, Some(draw)) => (
            &mut draw.bindings,
            Some((&mut draw.targets, &mut draw.depth, &mut draw.outputs)),
        ),
        (None, None) => return list,
    };
    for (binding, (bytes, _)) in bindings.iter_mut().zip(&observed.resources) {
        list.push((
            binding.place.to_string(),
            &mut binding.tolerance,
            bytes.as_slice(),
        ));
    }
    if let Some((targets, depth, outputs)) = draw {
        for (index, (target, bytes)) in targets.iter_mut().zip(&observed.targets).enumerate() {
            list.push((format!("target {index}"), &mut target.tolerance, bytes));
        }
        if let Some(depth) = depth {
            list.push(("depth".to_owned(), &mut depth.tolerance, &observed.depth));
        }
        for (output, bytes) in outputs.iter_mut().zip(&observed.outputs) {
            list.push((
                format!("output {}{}", output.semantic, output.index),
                &mut output.tolerance,
                bytes,
            ));
        }
    }
    list
}

/// Compares two runs, and widens the tolerances of the case as far as floats require it.
pub(super) fn agree(case: &mut Case, ours: &Observed, theirs: &Observed) -> Result<(), String> {
    let others: Vec<Vec<u8>> = slots(&mut case.clone(), theirs)
        .into_iter()
        .map(|(_, _, bytes)| bytes.to_vec())
        .collect();
    let mut wider = case.clone();
    for ((name, tolerance, found), expected) in slots(&mut wider, ours).into_iter().zip(&others) {
        let steps = [
            (Number::F32, 2e-6, 0.0),
            (Number::F32, 1e-4, 0.0),
            (Number::F32, 1e-4, 1e-5),
            (Number::F32, 5e-3, 5e-3),
            (Number::F64, 1e-9, 0.0),
            (Number::F16, 4e-3, 0.0),
        ];
        let mut tried = std::iter::once(*tolerance).chain(steps.into_iter().map(
            |(number, relative, absolute)| {
                Some(Tolerance {
                    number,
                    relative,
                    absolute,
                })
            },
        ));
        match tried.find(|t| first_difference(expected, found, *t).is_none()) {
            Some(enough) => *tolerance = enough,
            None => {
                let at = first_difference(expected, found, *tolerance);
                let text = at
                    .map(|m| {
                        format!(
                            "byte {}: {:02x?}, Trellis {:02x?}",
                            m.offset.unwrap_or(0),
                            m.expected,
                            m.found
                        )
                    })
                    .unwrap_or_default();
                return Err(format!("{name}, {text}"));
            }
        }
    }
    if ours.emitted != theirs.emitted {
        return Err(format!(
            "vertices of each stream {:?}, Trellis {:?}",
            theirs.emitted, ours.emitted
        ));
    }
    let counter = |observed: &Observed| {
        observed
            .resources
            .iter()
            .map(|(_, counter)| *counter)
            .collect::<Vec<_>>()
    };
    if counter(ours) != counter(theirs) {
        return Err(format!(
            "counters {:?}, Trellis {:?}",
            counter(theirs),
            counter(ours)
        ));
    }
    *case = wider;
    Ok(())
}

/// Writes the contents after a run into the case as its expectations.
///
/// # Errors
/// The run changed nothing: the case would test nothing.
pub fn bless(case: &mut Case, observed: &Observed) -> Result<(), String> {
    let mut changed = false;
    for (binding, (bytes, counter)) in case.bindings_mut().iter_mut().zip(&observed.resources) {
        if binding.place.class != trellis_dxil_interpreter::dispatch::Class::Uav {
            continue;
        }
        let before = binding.contents().map_err(|error| error.to_string())?;
        changed |= *bytes != before || *counter != binding.counter;
        // Unchanged contents are written as the input was.
        let unchanged = binding.data.clone().unwrap_or(Data::U8(Vec::new()));
        binding.expect = Some(if *bytes == before {
            unchanged
        } else {
            data(bytes, binding.tolerance)
        });
        binding.expect_counter = *counter;
    }
    if let Some(draw) = &mut case.draw {
        let drawn = observed
            .targets
            .iter()
            .chain(&observed.outputs)
            .chain(std::iter::once(&observed.depth));
        changed |= drawn.flatten().any(|byte| *byte != 0);
        for (target, bytes) in draw.targets.iter_mut().zip(&observed.targets) {
            target.expect = Some(data(bytes, target.tolerance));
        }
        if let Some(depth) = &mut draw.depth {
            depth.expect = Some(data(&observed.depth, depth.tolerance));
        }
        for (output, bytes) in draw.outputs.iter_mut().zip(&observed.outputs) {
            output.expect = Some(data(bytes, output.tolerance));
        }
        draw.emitted.clone_from(&observed.emitted);
    }
    if changed {
        Ok(())
    } else {
        Err("nothing is written".to_owned())
    }
}

/// Contents as a file writes them, without the zeros at the end.
fn data(bytes: &[u8], tolerance: Option<Tolerance>) -> Data {
    let end = bytes
        .iter()
        .rposition(|b| *b != 0)
        .map_or(0, |at| at + 1)
        .next_multiple_of(4)
        .min(bytes.len());
    let bytes = &bytes[..end];
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Data::U8(bytes.to_vec());
    }
    let words: Vec<u32> = words.iter().map(|w| u32::from_le_bytes(*w)).collect();
    let floats: Vec<f32> = words.iter().map(|w| f32::from_bits(*w)).collect();
    // Only words that look like floats are written as floats; small integers would be tiny numbers.
    let plain = |f: &f32| *f == 0.0 || (f.is_finite() && (1e-20..1e20).contains(&f.abs()));
    let float = tolerance.is_none_or(|t| t.number == Number::F32)
        && floats.iter().all(plain)
        && floats.iter().any(|f| *f != 0.0);
    if float && words.iter().all(|w| *w != 1 << 31) {
        Data::F32(floats)
    } else {
        Data::U32(words)
    }
}
