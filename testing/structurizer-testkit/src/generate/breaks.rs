//! Chains of breaks to several places, as in unrolled loops with breaks.

use super::Rng;
use super::shape::Shape;

/// Returns a chain of about `blocks` conditional branches, most of which break out of the chain to
/// one of a few places. The places lead to each other, to the end, or branch between both; some
/// breaks have a separate block, and some chains are in a loop.
pub fn random_breaks(rng: &mut Rng, blocks: usize) -> Shape {
    let mut shape = Shape::default();
    let entry = shape.add();
    let chain: Vec<usize> = (0..blocks.max(2)).map(|_| shape.add()).collect();
    let places: Vec<usize> = (0..2 + rng.below(4)).map(|_| shape.add()).collect();
    let end = shape.add();
    shape.to(entry, &[chain[0]]);
    for (i, &block) in chain.iter().enumerate() {
        let next = chain.get(i + 1).copied().unwrap_or(end);
        let mut place = places[rng.below(places.len())];
        if rng.chance(20) {
            let own = shape.add();
            shape.to(own, &[place]);
            place = own;
        }
        let further = chain.get(i + 2).copied().unwrap_or(end);
        let targets = match rng.below(12) {
            0 => [next, further],
            1 => [further, place],
            2 => [place, places[rng.below(places.len())]],
            kind if kind % 2 == 0 => [place, next],
            _ => [next, place],
        };
        shape.to(block, &targets);
    }
    for (i, &block) in places.iter().enumerate() {
        let later = |rng: &mut Rng| match i + 1 + rng.below(places.len() - i) {
            at if at < places.len() => places[at],
            _ => end,
        };
        let (one, other) = (later(rng), later(rng));
        match rng.below(4) {
            0 => shape.to(block, &[one, other]),
            1 => shape.to(block, &[one]),
            _ => shape.to(block, &[end]),
        }
    }
    if rng.chance(30) {
        let (latch, after) = (shape.add(), shape.add());
        shape.to(end, &[latch, after]);
        shape.to(latch, &[if rng.chance(50) { entry } else { chain[0] }]);
        if rng.chance(50) {
            let place = places[rng.below(places.len())];
            shape.to(place, &[latch]);
        }
    }
    shape
}
