//! Makes a syntax tree smaller while something about it stays: greedily, one edit of its JSON form after
//! the other. Edits that make no tree of the type are skipped.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Returns the smallest tree found with at most `tests` calls of `keeps`, which is called with valid
/// trees. Elements of lists are removed, or replaced by the elements of a list inside of them; a node
/// is replaced by a part of it or by one of `leaves`; numbers become smaller.
///
/// Each edit lowers a measure, so that shrinking ends.
///
/// ```
/// use structurizer_testkit::shrink::shrink_tree;
///
/// let tree = vec![vec![1, 2], vec![30, 4], vec![5]];
/// let has_large = |tree: &Vec<Vec<u32>>| tree.iter().flatten().any(|&number| number > 9);
/// assert_eq!(shrink_tree(tree, &[], 100, &|_| true, &mut { has_large }), [[10]]);
/// ```
pub fn shrink_tree<T: Serialize + DeserializeOwned>(
    tree: T,
    leaves: &[Value],
    tests: usize,
    is_valid: &dyn Fn(&T) -> bool,
    keeps: &mut dyn FnMut(&T) -> bool,
) -> T {
    let (mut best, mut tested) = (tree, 0);
    // Types whose JSON form fails have none that can be edited.
    let Ok(mut value) = serde_json::to_value(&best) else {
        return best;
    };
    loop {
        let (mut index, mut smaller_found) = (0, false);
        loop {
            let mut editor = Editor {
                left: index,
                done: false,
                leaves,
            };
            let mut smaller = value.clone();
            editor.edit(&mut smaller);
            if !editor.done {
                break;
            }
            index += 1;
            let Some(tree) = T::deserialize(&smaller).ok().filter(is_valid) else {
                continue;
            };
            if tested == tests {
                return best;
            }
            tested += 1;
            if keeps(&tree) {
                (best, value, smaller_found) = (tree, smaller, true);
                index -= 1;
            }
        }
        if !smaller_found {
            return best;
        }
    }
}

/// Returns a measure that each edit lowers.
fn size(value: &Value) -> u64 {
    1 + match value {
        Value::Null => 0,
        Value::Bool(is_true) => u64::from(*is_true),
        Value::Number(number) => number.as_u64().unwrap_or(0) >> 16,
        Value::String(text) => text.len() as u64,
        Value::Array(list) => list.iter().map(size).sum::<u64>(),
        Value::Object(fields) => fields.values().map(size).sum::<u64>(),
    }
}

/// Returns all parts of a node.
fn parts(value: &Value) -> Vec<&Value> {
    let children: Vec<&Value> = match value {
        Value::Array(list) => list.iter().collect(),
        Value::Object(fields) => fields.values().collect(),
        _ => Vec::new(),
    };
    let with_parts = |child| [&[child], &parts(child)[..]].concat();
    children.into_iter().flat_map(with_parts).collect()
}

/// Counts possible edits while it walks, and makes one.
struct Editor<'a> {
    left: usize,
    done: bool,
    leaves: &'a [Value],
}

impl Editor<'_> {
    /// Returns whether this edit is the one to make.
    fn now(&mut self) -> bool {
        self.done = self.left == 0;
        self.left = self.left.saturating_sub(1);
        self.done
    }

    fn edit(&mut self, value: &mut Value) {
        if self.done {
            return;
        }
        let (before, leaves) = (size(value), self.leaves);
        let smaller = |n: u64| [0, 1, n / 2, n.saturating_sub(1)].map(Value::from);
        let numbers = value.as_u64().map(smaller);
        let parts = if value.is_array() {
            Vec::new()
        } else {
            parts(value)
        };
        let simpler = { parts.into_iter() }
            .chain(leaves)
            .chain(numbers.iter().flatten());
        let is_less = |other: &&Value| size(other) < before || other.as_u64() < value.as_u64();
        if let Some(simpler) = simpler.filter(is_less).find(|_| self.now()).cloned() {
            *value = simpler;
            return;
        }
        match value {
            Value::Array(list) => self.edit_list(list),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.edit(field)),
            _ => {}
        }
    }

    fn edit_list(&mut self, list: &mut Vec<Value>) {
        let sizes = std::iter::successors(Some(list.len()), |size| Some(size / 2));
        for size in sizes.take_while(|&size| size > 0) {
            for start in (0..list.len()).step_by(size) {
                if self.now() {
                    list.drain(start..(start + size).min(list.len()));
                    return;
                }
            }
        }
        for index in 0..list.len() {
            let inner = parts(&list[index]).into_iter().filter_map(Value::as_array);
            if let Some(inner) = { inner }.find(|_| self.now()).cloned() {
                list.splice(index..=index, inner);
                return;
            }
        }
        for value in list {
            self.edit(value);
        }
    }
}
