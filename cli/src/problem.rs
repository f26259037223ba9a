//! What goes wrong, as a user reads it: what failed, why, where, and what to do.

use std::fmt;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode,
    SourceSpan,
};
use trellis_corpus::failure::Failure;

/// Whose fault it is, hence the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blame {
    /// The shader could not be converted or read: exit status 1.
    Shader,
    /// The command line is wrong, or a file cannot be read or written: exit status 2.
    Use,
}

/// Text with a place in it that a problem is about.
#[derive(Debug)]
struct Excerpt {
    source: NamedSource<String>,
    span: SourceSpan,
    label: String,
}

/// What went wrong.
#[derive(Debug)]
pub(crate) struct Problem {
    blame: Blame,
    message: String,
    cause: Option<Box<Cause>>,
    help: Option<String>,
    excerpt: Option<Box<Excerpt>>,
}

/// One reason in a chain of reasons.
#[derive(Debug)]
struct Cause {
    message: String,
    source: Option<Box<Cause>>,
}

impl Cause {
    /// Links the messages, outermost first.
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
    /// Wrong use, or a file that cannot be read or written.
    pub(crate) fn wrong_use(message: impl Into<String>) -> Self {
        Self {
            blame: Blame::Use,
            message: message.into(),
            cause: None,
            help: None,
            excerpt: None,
        }
    }

    /// A shader, or a graph, that is not what it should be.
    pub(crate) fn bad_input(message: impl Into<String>) -> Self {
        Self {
            blame: Blame::Shader,
            ..Self::wrong_use(message)
        }
    }

    /// The same as a matter of wrong use: for a file that is no shader.
    pub(crate) fn into_wrong_use(self) -> Self {
        Self {
            blame: Blame::Use,
            ..self
        }
    }

    /// A shader's failure: `what` says what was being done to which file.
    pub(crate) fn of_failure(what: impl Into<String>, failure: &Failure) -> Self {
        // The message has the place in it.
        Self {
            cause: Cause::chain(std::iter::once(failure.message.clone())),
            ..Self::bad_input(what).help(failure.kind.help())
        }
    }

    /// Adds why it happened, with the reasons behind it.
    pub(crate) fn because(mut self, error: &dyn std::error::Error) -> Self {
        let mut chain: Vec<String> = std::iter::successors(Some(error), |error| error.source())
            .map(ToString::to_string)
            .collect();
        // Some errors repeat their source in their own text.
        chain.dedup_by(|inner, outer| outer.contains(inner.as_str()));
        self.cause = Cause::chain(chain.into_iter());
        self
    }

    /// Adds what the user can do.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Shows the place in a text that the problem is about: byte `offset` of `text`.
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

    /// Prints it on standard error: with colours and lines on a terminal, as plain text that is not
    /// wrapped elsewhere.
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
            // Without colours the sign of an error is the word.
            text = format!("error: {}", text.trim_start().trim_start_matches("x "));
        }
        // If standard error is closed there is nobody to tell.
        let _ = std::io::stderr().write_all(format!("{}\n", text.trim_end()).as_bytes());
    }

    /// The exit status.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self.blame {
            Blame::Shader => ExitCode::from(1),
            Blame::Use => ExitCode::from(2),
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
