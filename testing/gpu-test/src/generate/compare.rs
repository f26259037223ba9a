//! Compares two runs of a case, and writes the contents after a run into it as expectations.

use trellis_dxil_interpreter::dispatch::{Data, Number, Tolerance, first_difference};

use crate::case::Case;
use crate::compare::drawn;
use crate::execute::Observed;

/// Widens a tolerance as far as floats require it.
fn widen(
    name: &str,
    tolerance: &mut Option<Tolerance>,
    found: &[u8],
    expected: &[u8],
) -> Result<(), String> {
    let steps = [
        (Number::F32, 2e-6, 0.0),
        (Number::F32, 1e-4, 0.0),
        (Number::F32, 1e-4, 1e-5),
        (Number::F32, 5e-3, 5e-3),
        (Number::F64, 1e-9, 0.0),
        (Number::F16, 4e-3, 0.0),
    ];
    let steps = steps.map(|(number, relative, absolute)| {
        Some(Tolerance {
            number,
            relative,
            absolute,
        })
    });
    let Some(first) = first_difference(expected, found, *tolerance) else {
        return Ok(());
    };
    let enough = |wider: &Option<Tolerance>| first_difference(expected, found, *wider).is_none();
    *tolerance = steps.into_iter().find(enough).ok_or_else(|| {
        format!(
            "{name}, byte {}: {:02x?}, Trellis {:02x?}",
            first.offset.unwrap_or(0),
            first.expected,
            first.found
        )
    })?;
    Ok(())
}

/// Compares two runs, and widens the tolerances of the case as far as floats require it.
pub(super) fn agree(case: &mut Case, ours: &Observed, theirs: &Observed) -> Result<(), String> {
    let mut wider = case.clone();
    let resources = ours.resources.iter().zip(&theirs.resources);
    for (binding, ((found, _), (expected, _))) in wider.bindings_mut().iter_mut().zip(resources) {
        let name = binding.place.to_string();
        widen(&name, &mut binding.tolerance, found, expected)?;
    }
    if let Some(draw) = &mut wider.draw {
        let mut copy = draw.clone();
        let expected = drawn(&mut copy, theirs).into_iter();
        for ((name, _, tolerance, found), (.., expected)) in
            drawn(draw, ours).into_iter().zip(expected)
        {
            widen(&name, tolerance, found, expected)?;
        }
    }
    if ours.emitted != theirs.emitted {
        return Err(format!(
            "vertices of each stream {:?}, Trellis {:?}",
            theirs.emitted, ours.emitted
        ));
    }
    let counter = |observed: &Observed| -> Vec<_> {
        let counters = observed.resources.iter().map(|(_, counter)| *counter);
        counters.collect()
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
        for (_, expect, tolerance, bytes) in drawn(draw, observed) {
            changed |= bytes.iter().any(|byte| *byte != 0);
            *expect = Some(data(bytes, *tolerance));
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
