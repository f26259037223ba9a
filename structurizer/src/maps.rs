//! Hash maps and sets with a fast hash function, with and without std. Nothing iterates over them.

use rustc_hash::FxBuildHasher;

pub(crate) type FxHashMap<K, V> = hashbrown::HashMap<K, V, FxBuildHasher>;
pub(crate) type FxHashSet<T> = hashbrown::HashSet<T, FxBuildHasher>;
