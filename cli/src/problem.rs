//! Errors as shown to the user: the message, its causes, the location and a suggested fix.

use std::fmt;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode,
    SourceSpan,
};
use trellis_corpus::failure::Failure;

/// The class of a problem, which determines the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Category {
    /// The shader could not be converted or read: exit status 1.
    Shader,
    /// Incorrect usage, or a file cannot be read or written: exit status 2.
    Usage,
}

/// A source text with the location of a problem in it.
#[derive(Debug)]
struct Excerpt {
    source: NamedSource<String>,
    span: SourceSpan,
    label: String,
}

/// An error as shown to the user.
#[derive(Debug)]
pub(crate) struct Problem {
    category: Category,
    message: String,
    cause: Option<Box<Cause>>,
    help: Option<String>,
    excerpt: Option<Box<Excerpt>>,
}

/// One cause in a chain of causes.
#[derive(Debug)]
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

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Cause {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source
            .as_deref()
            .map(|cause| cause as &(dyn std::error::Error + 'static))
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
            excerpt: None,
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

    /// Returns the problem of a shader's failure; `what` names the operation and the file.
    pub(crate) fn of_failure(what: impl Into<String>, failure: &Failure) -> Self {
        // The message includes the location.
        Self {
            cause: Cause::chain(std::iter::once(failure.message.clone())),
            ..Self::input_error(what).help(failure.help())
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
        self.excerpt = Some(Box::new(Excerpt {
            source: NamedSource::new(name, text.to_owned()),
            span: (offset, length).into(),
            label: label.into(),
        }));
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
        // If standard error is closed, the message cannot be shown.
        let _ = std::io::stderr().write_all(format!("{}\n", text.trim_end()).as_bytes());
    }

    /// Returns the exit status.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self.category {
            Category::Shader => ExitCode::from(1),
            Category::Usage => ExitCode::from(2),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause
            .as_deref()
            .map(|cause| cause as &(dyn std::error::Error + 'static))
    }
}

impl Diagnostic for Problem {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help
            .as_ref()
            .map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt
            .as_ref()
            .map(|excerpt| &excerpt.source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let excerpt = self.excerpt.as_ref()?;
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(
            Some(excerpt.label.clone()),
            excerpt.span,
        ))))
    }
}
