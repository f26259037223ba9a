//! Errors as shown to the user: the message, its causes, the location and a suggested fix.

use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource};
use thiserror::Error;
use trellis_corpus::failure::Failure;

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
#[derive(Debug, Error, Diagnostic)]
#[error("{message}")]
pub(crate) struct Problem {
    category: Category,
    message: String,
    #[source]
    cause: Option<Box<Cause>>,
    #[help]
    help: Option<String>,
    /// A text with the location of the problem in it.
    #[source_code]
    text: Option<Arc<NamedSource<String>>>,
    #[label(collection)]
    location: Vec<LabeledSpan>,
}

/// One cause in a chain of causes.
#[derive(Debug, Error)]
#[error("{message}")]
struct Cause {
    message: String,
    source: Option<Box<Cause>>,
}

impl Cause {
    /// Builds the chain from its messages, outermost first.
    fn chain(messages: impl DoubleEndedIterator<Item = String>) -> Option<Box<Self>> {
        messages.rev().fold(None, |source, message| {
            Some(Box::new(Self { message, source }))
        })
    }
}

impl Problem {
    /// Returns a problem with the usage, or with a file that cannot be read or written.
    pub(crate) fn usage_error(message: impl Into<String>) -> Self {
        Self {
            category: Category::Usage,
            message: message.into(),
            cause: None,
            help: None,
            text: None,
            location: Vec::new(),
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

    /// Returns a function that gives the problem of a shader's failure; `verb` is what failed for the file.
    pub(crate) fn failed(verb: &str, input: &Path) -> impl FnOnce(Failure) -> Self {
        let problem = Self::input_error(format!("cannot {verb} {}", files::name_of(input)));
        // The message includes the location.
        |failure| Self {
            cause: Cause::chain(std::iter::once(failure.message.clone())),
            ..problem.help(failure.help())
        }
    }

    /// Adds the cause, with its own chain of sources.
    pub(crate) fn because(mut self, error: &dyn std::error::Error) -> Self {
        let mut chain: Vec<String> = std::iter::successors(Some(error), |error| error.source())
            .map(ToString::to_string)
            .collect();
        // The messages of some errors include their source's message.
        chain.dedup_by(|inner, outer| outer.contains(inner.as_str()));
        self.cause = Cause::chain(chain.into_iter());
        self
    }

    /// Adds a suggested fix.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the location of the problem: byte `offset` of `text`.
    pub(crate) fn at(
        mut self,
        name: &str,
        text: &str,
        offset: usize,
        label: impl Into<String>,
    ) -> Self {
        let offset = (0..=offset.min(text.len()))
            .rev()
            .find(|&at| text.is_char_boundary(at))
            .unwrap_or(0);
        let length = text[offset..]
            .chars()
            .next()
            .filter(|c| *c != '\n')
            .map_or(0, char::len_utf8);
        self.text = Some(Arc::new(NamedSource::new(name, text.to_owned())));
        let label = Some(label.into());
        self.location = vec![LabeledSpan::new(label, offset, length)];
        self
    }

    /// Prints the problem on standard error: with colours and line drawing on a terminal, otherwise
    /// as plain text without wrapping.
    pub(crate) fn print(&self) {
        let terminal = std::io::stderr().is_terminal();
        let colour = terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let theme = match (terminal, colour) {
            (false, _) => GraphicalTheme::none(),
            (true, false) => GraphicalTheme::unicode_nocolor(),
            (true, true) => GraphicalTheme::unicode(),
        };
        let handler = GraphicalReportHandler::new_themed(theme)
            .with_links(false)
            .with_width(100)
            .with_wrap_lines(terminal)
            .with_context_lines(2);
        let mut text = String::new();
        if handler.render_report(&mut text, self).is_err() {
            text.clone_from(&self.message);
        }
        if !terminal {
            // Without colours, the prefix `error:` replaces the symbol.
            text = format!("error: {}", text.trim_start().trim_start_matches("x "));
        }
        files::note(text.trim_end());
    }

    /// Returns the exit status.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self.category {
            Category::Shader => ExitCode::from(1),
            Category::Usage => ExitCode::from(2),
        }
    }
}
