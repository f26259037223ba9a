//! The memory of one conversion: at most [`Peak::bound`] for all shaders but those that are named here.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use benches::allocations::Counting;
use benches::memory::Peak;
use benches::{load_corpus, load_large};
use trellis_spirv_backend::Options;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The shaders that need more than the bound, with the most KB that they may need. Shaders that
/// need less than the bound must not be in the list.
const ABOVE: &[(&str, u64)] = &[
    // Vectors of 1,024 components become their components.
    ("vectors/longest.dxil", 1_700),
    // The comparison of results keeps a copy of the function, and its states.
    ("texture_encoder.opaque.dxil", 965),
    ("texture_encoder.dxil", 1_185),
];

/// The most that the median may be of the bound, in thousandths.
const MEDIAN: u64 = 152;

#[test]
fn conversions_stay_below_the_bound() {
    let mut wrong = Vec::new();
    let mut of_bound = Vec::new();
    let mut seen = Vec::new();
    for shader in load_corpus()
        .unwrap()
        .into_iter()
        .chain(load_large().unwrap())
    {
        let peak = Peak::of(&shader, &Options::default())
            .unwrap_or_else(|error| panic!("{}: {error}", shader.name));
        of_bound.push(peak.peak * 1000 / peak.bound());
        let above = ABOVE.iter().find(|(name, _)| *name == shader.name);
        let (low, high) = match above {
            Some(&(name, limit)) => {
                seen.push(name);
                (peak.bound() + 1, limit << 10)
            }
            None => (0, peak.bound()),
        };
        if !(low..=high).contains(&peak.peak) {
            let (kilobytes, high) = (peak.peak >> 10, high >> 10);
            let name = &shader.name;
            wrong.push(format!(
                "{name}: {kilobytes} KB, {} to {high} KB expected",
                low >> 10
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(
        seen.len(),
        ABOVE.len(),
        "shaders that do not exist are named"
    );
    of_bound.sort_unstable();
    let median = of_bound[of_bound.len() / 2];
    assert!(median <= MEDIAN, "median {median} of 1000");
}
