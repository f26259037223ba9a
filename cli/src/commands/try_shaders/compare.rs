//! Comparison of the results of two runs, word by word.

use std::fmt;

use trellis_dxil_interpreter::dispatch::{Binding, Class, Dispatch, Draw, Place};
use trellis_dxil_interpreter::half;

/// The NaN that operations give.
const QUIET_NAN: u32 = 0x7fc0_0000;

/// Everything that a run writes, with names.
#[derive(Default)]
pub(super) struct Values(Vec<(String, Vec<u8>)>);

impl Values {
    /// Returns the results in a dispatch's or draw's file.
    pub(super) fn read(text: &str, is_draw: bool) -> Result<Self, String> {
        if is_draw {
            let draw = Draw::from_json(text).map_err(|error| error.to_string())?;
            return Self::of_draw(&draw);
        }
        let dispatch = Dispatch::from_json(text).map_err(|error| error.to_string())?;
        Self::of_dispatch(&dispatch)
    }

    /// Returns the contents of the UAVs of a dispatch that ran.
    pub(super) fn of_dispatch(dispatch: &Dispatch) -> Result<Self, String> {
        let mut values = Self::default();
        values.add_bindings(&dispatch.bindings)?;
        Ok(values)
    }

    /// Returns the contents of the UAVs, targets and outputs of a draw that ran.
    pub(super) fn of_draw(draw: &Draw) -> Result<Self, String> {
        let mut values = Self::default();
        values.add_bindings(&draw.bindings)?;
        let targets = draw.targets.iter().enumerate();
        let targets = targets.map(|(number, target)| (format!("target {number}"), &target.expect));
        let depth = draw
            .depth
            .iter()
            .map(|depth| ("depth".to_owned(), &depth.expect));
        let outputs = draw.outputs.iter().map(|output| {
            let name = format!("output {}{}", output.semantic, output.index);
            (name, &output.expect)
        });
        for (name, data) in targets.chain(depth).chain(outputs) {
            let bytes = data
                .as_ref()
                .map_or(Ok(Vec::new()), |data| data.bytes(None));
            values
                .0
                .push((name, bytes.map_err(|error| error.to_string())?));
        }
        let emitted = draw.emitted.iter().flat_map(|count| count.to_le_bytes());
        values
            .0
            .push(("emitted vertices".to_owned(), emitted.collect()));
        Ok(values)
    }

    /// Returns the words of a binding.
    pub(super) fn words_at(&self, place: Place) -> Vec<u32> {
        let name = place.to_string();
        let found = self.0.iter().find(|(other, _)| *other == name);
        found.map_or(Vec::new(), |(_, bytes)| words(bytes))
    }

    fn add_bindings(&mut self, bindings: &[Binding]) -> Result<(), String> {
        for binding in bindings.iter().filter(|b| b.place.class == Class::Uav) {
            let bytes = binding.contents().map_err(|error| error.to_string())?;
            self.0.push((binding.place.to_string(), bytes));
            let counter = binding.counter.into_iter().flat_map(u32::to_le_bytes);
            self.0
                .push((format!("counter of {}", binding.place), counter.collect()));
        }
        Ok(())
    }
}

/// Result of a comparison.
#[derive(Default)]
pub(super) struct Comparison {
    /// Words that were compared.
    pub(super) words: usize,
    /// Words that depend on rounding or the order of accesses.
    open: usize,
    /// The first word that differs.
    pub(super) first: Option<String>,
}

impl Comparison {
    /// Adds the comparison of another run.
    pub(super) fn add(&mut self, other: Self) {
        self.words += other.words;
        self.open += other.open;
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} words", self.words)?;
        if self.open > 0 {
            write!(
                f,
                ", {} not compared: they depend on rounding or order",
                self.open
            )?;
        }
        Ok(())
    }
}

/// Compares results with the interpreter's, where `varied` are its runs with other last digits.
pub(super) fn compare(
    expected: &Values,
    varied: &[Values],
    found: &Values,
) -> Result<Comparison, String> {
    let mut comparison = Comparison::default();
    for (number, (name, bytes)) in expected.0.iter().enumerate() {
        let of = |values: &Values| values.0.get(number).map(|(_, bytes)| words(bytes));
        let varied: Vec<_> = varied.iter().filter_map(of).collect();
        let found = of(found).ok_or_else(|| format!("the device has no result for {name}"))?;
        let bytes = words(bytes);
        let is_size_open = varied.iter().any(|values| values.len() != bytes.len());
        if is_size_open {
            comparison.open += bytes.len();
            continue;
        }
        if bytes.len() != found.len() {
            let sizes = format!(
                "{name}: expected {} words, found {}",
                bytes.len(),
                found.len()
            );
            comparison.first.get_or_insert(sizes);
            continue;
        }
        for (at, (&word, &other)) in bytes.iter().zip(&found).enumerate() {
            let values = varied.iter().filter_map(|values| values.get(at).copied());
            match agree(word, values, other) {
                Some(true) => comparison.words += 1,
                None => comparison.open += 1,
                Some(false) => {
                    let (x, y) = (f32::from_bits(word), f32::from_bits(other));
                    let text = format!(
                        "{name}, byte {}: expected {word:#x} ({x}), found {other:#x} ({y})",
                        at * 4
                    );
                    comparison.first.get_or_insert(text);
                }
            }
        }
    }
    Ok(comparison)
}

fn words(bytes: &[u8]) -> Vec<u32> {
    let word = |bytes: &[u8]| {
        let mut word = [0; 4];
        word[..bytes.len()].copy_from_slice(bytes);
        u32::from_le_bytes(word)
    };
    bytes.chunks(4).map(word).collect()
}

/// Returns whether a word agrees with the expected one; `None` if variations of the run have nothing
/// in common.
pub(super) fn agree(
    expected: u32,
    varied: impl Iterator<Item = u32> + Clone,
    found: u32,
) -> Option<bool> {
    let is_nan = |word| f32::from_bits(word).is_nan();
    // Of two halves.
    let is_same_half = |shift: u32| {
        let [a, b] = [expected, found].map(|word| (word >> shift) as u16);
        a == b || (half::to_f64(a).is_nan() && half::to_f64(b).is_nan())
    };
    let is_zero = |word: u32| word << 1 == 0;
    if expected == found
        || (is_nan(expected) && is_nan(found))
        || (is_zero(expected) && is_zero(found))
        || (is_same_half(0) && is_same_half(16))
        || varied.clone().any(|word| word == found)
    {
        return Some(true);
    }
    // A device may have any number where an operation gives NaN; constants and data keep theirs.
    if expected << 1 == QUIET_NAN << 1 {
        return None;
    }
    if varied.clone().all(|word| word == expected) {
        return Some(false);
    }
    let number = |word: u32| f64::from(f32::from_bits(word));
    let as_float = near(expected, varied.clone(), found, number);
    if as_float.is_some() {
        return as_float;
    }
    let low = |word: u32| half::to_f64(word as u16);
    let high = |word: u32| half::to_f64((word >> 16) as u16);
    let low = near(expected, varied.clone(), found, low)?;
    // Parts of one number differ more than variations of the number do.
    (low && near(expected, varied, found, high)?).then_some(true)
}

/// Returns whether a number is as near to the expected one as variations are, or four times as far
/// away; `None` if these differ by a tenth.
fn near(
    expected: u32,
    varied: impl Iterator<Item = u32>,
    found: u32,
    number: impl Fn(u32) -> f64,
) -> Option<bool> {
    let center = number(expected);
    let spread = varied.map(|word| (number(word) - center).abs());
    let spread = spread.fold(
        0.0,
        |a: f64, b| if b.is_nan() { f64::NAN } else { a.max(b) },
    );
    // Denormals are integers more often than numbers.
    let is_number = center.is_normal() && center.abs() > f64::from(f32::MIN_POSITIVE);
    if !is_number || spread.is_nan() || spread > center.abs() / 10.0 {
        return None;
    }
    Some((number(found) - center).abs() <= 4.0 * spread)
}

#[cfg(test)]
mod tests {
    use super::agree;

    #[test]
    fn words_agree_as_far_as_variations_do() {
        let of = |expected: f32, varied: &[f32], found: f32| {
            let varied = varied.iter().map(|n| n.to_bits());
            agree(expected.to_bits(), varied, found.to_bits())
        };
        assert_eq!(of(1.0, &[1.0, 1.0], 1.0), Some(true));
        assert_eq!(of(1.0, &[1.0, 1.0], 1.000_000_1), Some(false));
        assert_eq!(of(1.0, &[1.001, 1.0], 0.997), Some(true));
        assert_eq!(of(1.0, &[1.001, 1.0], 1.005), Some(false));
        assert_eq!(of(1.0, &[2.0, 1.0], 7.0), None);
        assert_eq!(of(f32::NAN, &[f32::NAN], -f32::NAN), Some(true));
        assert_eq!(of(0.0, &[0.0], -0.0), Some(true));
        assert_eq!(agree(0x7e00_3c00, [].into_iter(), 0xfe01_3c00), Some(true));
        assert_eq!(agree(3, [4, 3].into_iter(), 9), None);
        // Two halves.
        let halves = [0x3c01_4000, 0x3c00_4001].into_iter();
        assert_eq!(agree(0x3c00_4000, halves.clone(), 0x3c02_4002), Some(true));
        assert_eq!(agree(0x3c00_4000, halves, 0x4000_4000), Some(false));
    }
}
