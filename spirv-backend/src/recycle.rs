//! Memory of lists, for the next shader: emptied, and counted.

/// Returns a list, emptied.
pub(crate) fn emptied<T>(mut list: Vec<T>) -> Vec<T> {
    list.clear();
    list
}

/// Returns the memory of a list for a list of the same type but for its lifetime, without elements.
pub(crate) fn recycled<A, B>(mut list: Vec<A>) -> Vec<B> {
    list.clear();
    // Collecting in place keeps the allocation where the layouts are the same; there is nothing to
    // map.
    list.into_iter().map_while(|_| None).collect()
}

/// Makes a list of `len` equal values, in the memory that it has.
pub(crate) fn refill<T: Clone>(list: &mut Vec<T>, len: usize, value: T) {
    list.clear();
    list.resize(len, value);
}

/// Returns the bytes of a list's memory.
pub(crate) fn list_bytes<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}
