//! Lines into tokens.

use alloc::borrow::ToOwned;
use alloc::format;

use super::ParseError;

/// A word, a `%value` or a sign, with its column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) column: u32,
}

/// The rest of one line.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    rest: &'a str,
    pub(super) number: u32,
    column: u32,
}

fn is_sign(c: char) -> bool {
    matches!(c, ':' | '=' | '[' | ']' | '{' | '}' | '|')
}

impl<'a> Line<'a> {
    pub(super) fn new(text: &'a str, number: u32) -> Self {
        let text = text.split('#').next().unwrap_or("");
        Line {
            rest: text,
            number,
            column: 1,
        }
    }

    /// Takes the next token.
    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        let trimmed = self.rest.trim_start();
        self.column += self.rest[..self.rest.len() - trimmed.len()].chars().count() as u32;
        let first = trimmed.chars().next()?;
        let end = if is_sign(first) {
            first.len_utf8()
        } else {
            trimmed
                .find(|c: char| c.is_whitespace() || is_sign(c))
                .unwrap_or(trimmed.len())
        };
        let (text, rest) = trimmed.split_at(end);
        let token = Token {
            text,
            column: self.column,
        };
        self.column += text.chars().count() as u32;
        self.rest = rest;
        Some(token)
    }

    pub(super) fn peek(&self) -> Option<Token<'a>> {
        self.clone().next()
    }

    /// Takes the next token if it is this one.
    pub(super) fn accept(&mut self, text: &str) -> bool {
        let mut ahead = self.clone();
        let found = ahead.next().is_some_and(|token| token.text == text);
        if found {
            *self = ahead;
        }
        found
    }

    pub(super) fn expect(&mut self, text: &str) -> Result<(), ParseError> {
        if self.accept(text) {
            Ok(())
        } else {
            Err(self.error(&format!("`{text}`")))
        }
    }

    /// Returns the error for an unexpected next token.
    pub(super) fn error(&self, expected: &str) -> ParseError {
        let mut ahead = self.clone();
        let next = ahead.next();
        ParseError {
            line: self.number,
            column: next.map_or(ahead.column, |token| token.column),
            expected: expected.to_owned(),
            found: next.map_or("the end of the line".to_owned(), |token| {
                format!("`{}`", token.text)
            }),
        }
    }

    pub(super) fn end(&self) -> Result<(), ParseError> {
        if self.peek().is_none() {
            Ok(())
        } else {
            Err(self.error("the end of the line"))
        }
    }

    /// Returns a block's name.
    pub(super) fn name(&mut self, what: &str) -> Result<Token<'a>, ParseError> {
        match self.peek() {
            Some(token) if is_name(token.text) => {
                self.next();
                Ok(token)
            }
            _ => Err(self.error(what)),
        }
    }

    /// Returns a value's name with its `%`.
    pub(super) fn value(&mut self) -> Result<Token<'a>, ParseError> {
        match self.peek() {
            Some(token) if token.text.len() > 1 && token.text.starts_with('%') => {
                self.next();
                Ok(token)
            }
            _ => Err(self.error("a value like `%x`")),
        }
    }

    pub(super) fn number<T: core::str::FromStr>(&mut self, what: &str) -> Result<T, ParseError> {
        let token = self.peek();
        match token.and_then(|token| token.text.parse().ok()) {
            Some(number) => {
                self.next();
                Ok(number)
            }
            None => Err(self.error(what)),
        }
    }
}

fn is_name(text: &str) -> bool {
    text.chars().next().is_some_and(|c| !is_sign(c) && c != '%')
}
