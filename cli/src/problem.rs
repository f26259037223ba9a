//! Errors as shown to the user: the message, its causes, the location and a suggested fix.

use std::path::Path;
use std::process::ExitCode;

use thiserror::Error;
use trellis_corpus::failure::Failure;

use crate::color::{CYAN, DIM, RED, has_colours, paint};
use crate::files;

/// The class of a problem, which determines the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Category {
    /// The shader could not be converted or read: exit status 1.
    Shader,
    /// Incorrect usage, or a file cannot be read or written: exit status 2.
    Usage,
}

/// An error as shown to the user.
#[derive(Debug, Error)]
#[error("{message}")]
pub(crate) struct Problem {
    category: Category,
    message: String,
    /// The causes, outermost first.
    causes: Vec<String>,
    help: Option<String>,
    location: Option<Box<Location>>,
}

/// Where in a text a problem is.
#[derive(Debug)]
struct Location {
    /// The name of the text.
    name: String,
    text: String,
    /// The number of the line, from 1.
    line: usize,
    /// The number of the character, from 1.
    column: usize,
    /// The problem there.
    label: String,
}

/// Lines before and after the one with the problem.
const CONTEXT: usize = 2;

impl Problem {
    /// Returns a problem with the usage, or with a file that cannot be read or written.
    pub(crate) fn usage_error(message: impl Into<String>) -> Self {
        Self {
            category: Category::Usage,
            message: message.into(),
            causes: Vec::new(),
            help: None,
            location: None,
        }
    }

    /// Returns a problem with the contents of a shader or graph.
    pub(crate) fn input_error(message: impl Into<String>) -> Self {
        Self {
            category: Category::Shader,
            ..Self::usage_error(message)
        }
    }

    /// Reclassifies the problem as incorrect usage, for a file that is not a shader.
    pub(crate) fn into_usage_error(self) -> Self {
        Self {
            category: Category::Usage,
            ..self
        }
    }

    /// Returns the problem of an error, with its causes.
    pub(crate) fn of(error: &dyn std::error::Error) -> Self {
        let problem = Self::usage_error(error.to_string());
        match error.source() {
            Some(source) => problem.because(source),
            None => problem,
        }
    }

    /// Returns a function that makes the problem of a shader's failure; `verb` is the operation
    /// that failed.
    pub(crate) fn failed(verb: &str, input: &Path) -> impl FnOnce(Failure) -> Self {
        let problem = Self::input_error(format!("cannot {verb} {}", files::name_of(input)));
        // The message includes the location.
        |failure| Self {
            causes: vec![failure.message.clone()],
            ..problem.help(failure.help())
        }
    }

    /// Adds the cause, with its own chain of sources.
    pub(crate) fn because(mut self, error: &dyn std::error::Error) -> Self {
        self.causes = std::iter::successors(Some(error), |error| error.source())
            .map(ToString::to_string)
            .collect();
        // The messages of some errors include their source's message.
        self.causes
            .dedup_by(|inner, outer| outer.contains(inner.as_str()));
        self
    }

    /// Adds a suggested fix.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the location of the problem in a text: line and character, both from 1.
    pub(crate) fn at(
        mut self,
        name: &str,
        text: &str,
        line: usize,
        column: usize,
        label: impl Into<String>,
    ) -> Self {
        self.location = Some(Box::new(Location {
            name: name.to_owned(),
            text: text.to_owned(),
            line,
            column,
            label: label.into(),
        }));
        self
    }

    /// Prints the problem on standard error, with colours on a terminal.
    pub(crate) fn print(&self) {
        files::note(self.render(has_colours(&std::io::stderr())).trim_end());
    }

    fn render(&self, colours: bool) -> String {
        let mut text = format!("{}{}\n", paint(colours, RED, "error: "), self.message);
        for (index, cause) in self.causes.iter().enumerate() {
            let (start, next) = match index + 1 == self.causes.len() {
                true => ("`-> ", "\n      "),
                false => ("|-> ", "\n  |   "),
            };
            let cause = cause.replace('\n', next);
            text += &format!("  {}{cause}\n", paint(colours, RED, start));
        }
        if let Some(location) = &self.location {
            text += &location.render(colours);
        }
        if let Some(help) = &self.help {
            text += &format!("  {}{help}\n", paint(colours, CYAN, "help: "));
        }
        text
    }

    /// Returns the exit status.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self.category {
            Category::Shader => ExitCode::from(1),
            Category::Usage => ExitCode::from(2),
        }
    }
}

impl Location {
    /// Returns the line with some before and after it, and the label below.
    fn render(&self, colours: bool) -> String {
        let mut lines: Vec<&str> = self.text.lines().collect();
        // The end of the text may be the start of a line.
        lines.resize(lines.len().max(self.line), "");
        let width = lines.len().min(self.line + CONTEXT).to_string().len();
        let dim = |text: String| paint(colours, DIM, &text);
        let mut text = dim(format!(" {:width$} ,-", ""));
        text += &format!("[{}:{}:{}]\n", self.name, self.line, self.column);
        for (index, line) in lines.into_iter().enumerate() {
            let number = index + 1;
            if number.abs_diff(self.line) > CONTEXT {
                continue;
            }
            let start = dim(format!(" {number:width$} |"));
            text += &format!("{start} {}\n", line.replace('\t', "    "));
            if number == self.line {
                let before: String = line.chars().take(self.column.saturating_sub(1)).collect();
                let before = " ".repeat(before.replace('\t', "    ").chars().count());
                for label in ["|".to_owned(), format!("`-- {}", self.label)] {
                    let start = dim(format!(" {:width$} :", ""));
                    text += &format!("{start} {before}{}\n", paint(colours, RED, &label));
                }
            }
        }
        text + &dim(format!(" {:width$} `----", "")) + "\n"
    }
}
