//! Which inputs of folders, archives and manifests are taken, by patterns of their paths.

use std::path::Path;

use fast_glob::{glob_match, validate};

use super::has_extension;

/// Patterns of paths: a path is taken if a pattern of the first kind matches it and none of the
/// second kind does.
///
/// `*` and `?` do not match `/`, `**` does; a pattern without `/` matches the last part of a path.
///
/// ```
/// use trellis_corpus::inputs::Filter;
///
/// let filter = Filter::new(&["*.dxil", "post/**"], &["**/old/**"])?;
/// assert!(filter.takes("lighting/sky.dxil") && filter.takes("post/bloom.cso"));
/// assert!(!filter.takes("lighting/sky.cso") && !filter.takes("lighting/old/sky.dxil"));
/// assert!(Filter::default().takes("anything"));
/// # Ok::<(), trellis_corpus::inputs::PatternError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// All, if there are none.
    include: Vec<String>,
    exclude: Vec<String>,
    /// [`Filter::and_files_named`].
    extension: Option<String>,
    /// [`Filter::without_links`].
    pub(super) skips_links: bool,
}

/// A pattern that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{pattern}` is not a pattern: {reason}")]
pub struct PatternError {
    /// The pattern.
    pub pattern: String,
    /// The error in it.
    pub reason: String,
}

impl Filter {
    /// Returns a filter; without patterns of the first kind, all paths are taken.
    ///
    /// # Errors
    /// A pattern cannot be read.
    pub fn new<S: AsRef<str>>(include: &[S], exclude: &[S]) -> Result<Self, PatternError> {
        Ok(Self {
            include: checked(include)?,
            exclude: checked(exclude)?,
            ..Self::default()
        })
    }

    /// Returns the filter, which takes nothing of folders that only a symbolic link leads to: a link in an
    /// untrusted folder may lead to any file.
    #[must_use]
    pub fn without_links(mut self) -> Self {
        self.skips_links = true;
        self
    }

    /// Returns the filter, which also takes the files of folders with this extension, whatever they begin with.
    #[must_use]
    pub fn and_files_named(mut self, extension: &str) -> Self {
        self.extension = Some(extension.to_owned());
        self
    }

    /// Returns true for a file that need not be a shader.
    pub(super) fn takes_also(&self, path: &Path) -> bool {
        let extension = self.extension.as_deref();
        extension.is_some_and(|extension| has_extension(path, extension))
    }

    /// Returns true if a path, with `/` between its parts, is taken.
    pub fn takes(&self, path: &str) -> bool {
        let is_in = |patterns: &[String]| patterns.iter().any(|pattern| glob_match(pattern, path));
        (self.include.is_empty() || is_in(&self.include)) && !is_in(&self.exclude)
    }
}

/// Returns patterns of whole paths.
fn checked<S: AsRef<str>>(patterns: &[S]) -> Result<Vec<String>, PatternError> {
    let whole = |pattern: &S| {
        let pattern = pattern.as_ref();
        validate(pattern).map_err(|error| PatternError {
            pattern: pattern.to_owned(),
            reason: error.to_string(),
        })?;
        Ok(match pattern.contains('/') {
            // `!` would mean all other paths.
            true if pattern.starts_with('!') => format!("\\{pattern}"),
            true => pattern.to_owned(),
            false => format!("**/{pattern}"),
        })
    };
    patterns.iter().map(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::Filter;

    #[test]
    fn stars_stay_in_a_part() {
        let takes = |pattern: &str, path: &str| Filter::new(&[pattern], &[]).unwrap().takes(path);
        assert!(takes("a/*.dxil", "a/b.dxil"));
        assert!(!takes("a/*.dxil", "a/b/c.dxil"));
        assert!(takes("a/**/*.dxil", "a/b/c.dxil"));
        assert!(takes("?.dxil", "deep/down/x.dxil"));
        assert!(takes("{x,y}.*", "y.cso"));
        assert!(takes("[a-c]?.*", "a/b1.cso") && !takes("[!b]?.*", "a/b1.cso"));
        assert!(takes("!a/b", "!a/b") && takes("!b", "a/!b"));
        assert!(!takes("!a/b", "a/c") && !takes("!b", "a/c"));
    }

    #[test]
    fn a_broken_pattern_is_named() {
        let error = Filter::new(&["a", "[b"], &[]).unwrap_err();
        assert_eq!(error.pattern, "[b");
    }
}
