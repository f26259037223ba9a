//! Webs: sets of phis and selects that are connected by their operands.

/// Disjoint sets of numbers below a bound.
pub(super) struct Sets(Vec<u32>);

impl Sets {
    pub(super) fn new(len: usize) -> Self {
        Self((0..len as u32).collect())
    }
    /// Returns the set's representative.
    pub(super) fn find(&mut self, of: usize) -> usize {
        let mut current = of as u32;
        while self.0[current as usize] != current {
            let above = self.0[self.0[current as usize] as usize];
            self.0[current as usize] = above;
            current = above;
        }
        current as usize
    }
    /// Makes two sets one.
    pub(super) fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b) as u32;
    }
}
