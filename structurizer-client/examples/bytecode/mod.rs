//! A bytecode with `goto` and `switch`, on registers, which the examples translate.

/// The number of registers. All are 0 at the start.
pub(crate) const REGISTERS: usize = 4;

/// An operation, on registers. Targets are indices of operations; the end of the code halts.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    /// Sets a register.
    Set(usize, i32),
    /// Sets the first register to the sum of the others, which wraps.
    Add(usize, usize, usize),
    /// Prints a register.
    Print(usize),
    /// Continues elsewhere.
    Goto(usize),
    /// Continues elsewhere if the first register is less than the second.
    IfLess(usize, usize, usize),
    /// Continues at the target with the number in the register, if there is one.
    Switch(usize, Vec<usize>),
}

/// Returns the program of the examples: powers of two below 100. The loop of operations 4 to 6 has
/// two entries, 4 and 6.
pub(crate) fn powers_of_two() -> Vec<Op> {
    vec![
        Op::Set(0, 1),
        Op::Set(1, 100),
        Op::Switch(2, vec![6, 4]),
        Op::Goto(7),
        Op::Print(0),
        Op::Add(0, 0, 0),
        Op::IfLess(0, 1, 4),
    ]
}
