//! LLVM's text form.

/// A module: its text, and the number of its values.
#[derive(Default)]
pub(crate) struct Text(pub(crate) String, u32);

impl Text {
    /// Adds a line that is no instruction.
    pub(crate) fn top(&mut self, line: &str) {
        self.0 += line;
        self.0.push('\n');
    }

    /// Adds an instruction.
    pub(crate) fn line(&mut self, line: &str) {
        self.0 += "  ";
        self.top(line);
    }

    /// Adds an instruction and returns its value.
    pub(crate) fn value(&mut self, inst: &str) -> String {
        self.1 += 1;
        let value = format!("%t{}", self.1);
        self.line(&format!("{value} = {inst}"));
        value
    }
}
