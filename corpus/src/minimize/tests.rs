//! Tests of the choice, with features by hand.

use super::{Collected, Features, choose};
use crate::inputs::Input;

fn features(names: &[&str]) -> Features {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// The choice does not depend on the order in which threads are finished.
#[test]
fn the_smallest_of_equal_shaders_is_chosen_in_any_order() {
    let inputs = ["big", "small", "other", "same"].map(|name| Input::file(name, name));
    let shaders: [(&[&str], u64, u8, usize); 4] = [
        (&["a", "b"], 20, 1, 0),
        (&["b", "a"], 10, 2, 1),
        (&["a", "c"], 30, 3, 2),
        (&["a", "b"], 10, 2, 3),
    ];
    let choice = |order: [usize; 4]| {
        let mut found = Collected::default();
        for index in order {
            let (names, bytes, hash, index) = shaders[index];
            found.add(features(names), (bytes, [hash; 32], index));
        }
        choose(&inputs, found)
    };
    let result = choice([0, 1, 2, 3]);
    assert_eq!(result, choice([3, 2, 1, 0]));
    assert_eq!(result, choice([2, 0, 3, 1]));
    assert_eq!(
        (result.shaders, result.distinct, result.features),
        (4, 2, 3)
    );
    let chosen: Vec<_> = { result.chosen.iter() }
        .map(|shader| {
            (
                shader.input.as_str(),
                shader.brings.join(" "),
                shader.alone.join(" "),
            )
        })
        .collect();
    let expected = [("small", "a b", "b"), ("other", "c", "c")];
    let expected =
        expected.map(|(name, brings, alone)| (name, brings.to_owned(), alone.to_owned()));
    assert_eq!(chosen, expected);
    assert_eq!((result.bytes, result.chosen_bytes), (70, 40));
}
