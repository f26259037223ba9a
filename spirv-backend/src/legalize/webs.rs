//! Webs: sets of phis and selects that are connected by their operands.

/// Disjoint sets of numbers below a bound.
pub(super) struct Sets(Vec<usize>);

impl Sets {
    pub(super) fn new(len: usize) -> Self {
        Self((0..len).collect())
    }
    /// Returns the set's representative.
    pub(super) fn find(&mut self, of: usize) -> usize {
        let mut current = of;
        while self.0[current] != current {
            let above = self.0[self.0[current]];
            self.0[current] = above;
            current = above;
        }
        current
    }
    /// Makes two sets one.
    pub(super) fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}
