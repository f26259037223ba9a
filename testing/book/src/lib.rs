//! Runs the examples of pages in Markdown, and reports differences from the page.
//!
//! A page is read line by line. Of its fenced blocks, `console` has commands after `$ `, continued
//! after `> `, each followed by its output on both streams. A comment `<!-- $ COMMAND -->` is a
//! command that the page does not show, and `<!-- file: NAME -->` makes a file of the next block.
//! The commands and files of a page share a folder, which is new.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The pages with examples in Rust, as doc tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../docs/using/rust.md")]
    mod rust {}
    #[doc = include_str!("../../../docs/using/bindings.md")]
    mod bindings {}
    #[doc = include_str!("../../../docs/using/structurizer.md")]
    mod structurizer {}
    #[doc = include_str!("../../../docs/using/restructure.md")]
    mod restructure {}
}

/// The languages of fenced blocks. Others are refused, so that a block with a misspelt language is not
/// passed over by the tests.
const LANGUAGES: [&str; 9] = [
    "console", "sh", "rust", "c", "json", "yaml", "text", "toml", "hlsl",
];

/// A fenced block of a page.
#[derive(Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// The language: the text after the fence, up to a comma.
    pub language: &'a str,
    /// The name of the file that a comment before the block gives it.
    pub file: Option<&'a str>,
    /// The lines between the fences.
    pub lines: Vec<&'a str>,
    /// The number of the first line between the fences, from 1.
    pub line: usize,
}

impl Block<'_> {
    /// Returns the text, with a newline at its end.
    pub fn text(&self) -> String {
        let mut text = self.lines.join("\n");
        text.push('\n');
        text
    }
}

/// A part of a page.
#[derive(Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// A line that is not of a block, with its number.
    Line(&'a str, usize),
    /// A block with its opening and its closing fence.
    Block(&'a str, Block<'a>, &'a str),
}

/// Returns the parts of a page in order.
///
/// # Errors
/// A block is not closed, or its language is not known.
pub fn parts(page: &str) -> Result<Vec<Part<'_>>, String> {
    let mut parts = Vec::new();
    let mut lines = (1..).zip(page.lines());
    let mut file = None;
    while let Some((number, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            if let Some(name) = comment(line).and_then(|text| text.strip_prefix("file: ")) {
                file = Some(name);
            } else if !line.trim().is_empty() {
                file = None;
            }
            parts.push(Part::Line(line, number));
            continue;
        };
        let language = info.split(',').next().unwrap_or(info);
        if !LANGUAGES.contains(&language) {
            return Err(format!(
                "line {number}: the language `{language}` is not one of {LANGUAGES:?}"
            ));
        }
        let mut block = Block {
            language,
            file: file.take(),
            lines: Vec::new(),
            line: number + 1,
        };
        let end = loop {
            match lines.next() {
                Some((_, line)) if line.starts_with("```") => break line,
                Some((_, line)) => block.lines.push(line),
                None => return Err(format!("line {number}: the block is not closed")),
            }
        };
        parts.push(Part::Block(line, block, end));
    }
    Ok(parts)
}

/// Returns the blocks of a language.
///
/// # Errors
/// Those of [`parts`].
pub fn blocks<'a>(page: &'a str, language: &str) -> Result<Vec<Block<'a>>, String> {
    let blocks = parts(page)?.into_iter().filter_map(|part| match part {
        Part::Block(_, block, _) if block.language == language => Some(block),
        _ => None,
    });
    Ok(blocks.collect())
}

/// Returns the text of a line that is a comment.
fn comment(line: &str) -> Option<&str> {
    Some(line.strip_prefix("<!-- ")?.strip_suffix(" -->")?.trim())
}

/// Where and how the commands of a page are run.
#[derive(Debug)]
pub struct Shell {
    /// The folder of the page's files.
    pub folder: PathBuf,
    /// A folder of programs that are found before all others.
    pub programs: PathBuf,
    /// A root folder, which the others are in, outside of which commands see nothing.
    pub root: Option<PathBuf>,
}

impl Shell {
    /// Runs a command; returns its output on both streams, and whether it succeeded.
    ///
    /// # Errors
    /// The shell cannot be run.
    pub fn run(&self, command: &str) -> io::Result<(String, bool)> {
        let path = std::env::var("PATH").unwrap_or_default();
        let (mut shell, path) = match &self.root {
            None => (
                Command::new("sh"),
                format!("{}:{path}", self.programs.display()),
            ),
            Some(root) => {
                let inside =
                    |path: &Path| Path::new("/").join(path.strip_prefix(root).unwrap_or(path));
                let mut shell = Command::new("unshare");
                shell.args([
                    "--map-root-user",
                    "--pid",
                    "--fork",
                    "--mount-proc",
                    "--root",
                ]);
                shell.arg(root).arg("--wd").arg(inside(&self.folder));
                shell.arg("sh").env_clear();
                (shell, inside(&self.programs).display().to_string())
            }
        };
        let output = shell
            .arg("-c")
            // On a separate line, as the command may end in a comment.
            .arg(format!("exec 2>&1\n{command}\n"))
            .current_dir(&self.folder)
            .env("PATH", path)
            .env("NO_COLOR", "1")
            .env("COLUMNS", "100")
            .env("LC_ALL", "C")
            .env_remove("CLICOLOR_FORCE")
            .stdin(Stdio::null())
            .output()?;
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        Ok((text, output.status.success()))
    }

    /// Runs the commands of a page and makes its files. Returns the page with the commands' output.
    ///
    /// # Errors
    /// The page has not the form that the module describes; a command fails; or its output cannot
    /// be in a block.
    pub fn replay(&self, page: &str) -> Result<String, String> {
        let mut result = String::with_capacity(page.len());
        for part in parts(page)? {
            match part {
                Part::Line(line, number) => {
                    push(&mut result, line);
                    if let Some(command) = comment(line).and_then(|text| text.strip_prefix("$ ")) {
                        let printed = self.succeed(command, number)?;
                        if !printed.is_empty() {
                            return Err(format!("line {number}: {command}: prints {printed}"));
                        }
                    }
                }
                Part::Block(start, block, end) => {
                    if let Some(name) = block.file {
                        write(&self.folder.join(name), &block.text())
                            .map_err(|error| format!("line {}: {name}: {error}", block.line))?;
                    }
                    push(&mut result, start);
                    if block.language == "console" {
                        self.replay_block(&block, &mut result)?;
                    } else {
                        block.lines.iter().for_each(|line| push(&mut result, line));
                    }
                    push(&mut result, end);
                }
            }
        }
        Ok(result)
    }

    /// Runs the commands of a block and appends them with their output.
    fn replay_block(&self, block: &Block<'_>, result: &mut String) -> Result<(), String> {
        let mut lines = (block.line..).zip(block.lines.iter().copied()).peekable();
        if !block
            .lines
            .first()
            .is_some_and(|line| line.starts_with("$ "))
        {
            return Err(format!("line {}: expected `$ ` and a command", block.line));
        }
        while let Some((number, line)) = lines.next() {
            let Some(command) = line.strip_prefix("$ ") else {
                // Output of an earlier version.
                continue;
            };
            push(result, line);
            let mut command = command.to_owned();
            while let Some((_, more)) = lines.next_if(|(_, line)| line.starts_with("> ")) {
                push(result, more);
                let _ = write!(command, "\n{}", &more[2..]);
            }
            let printed = self.succeed(&command, number)?;
            let bad = |line: &str| {
                ["$ ", "> ", "```"]
                    .iter()
                    .any(|start| line.starts_with(start))
            };
            if printed.lines().any(bad) {
                return Err(format!(
                    "line {number}: the output cannot be in a block: {printed}"
                ));
            }
            result.push_str(&printed);
        }
        Ok(())
    }

    fn succeed(&self, command: &str, line: usize) -> Result<String, String> {
        match self.run(command) {
            Ok((printed, true)) => Ok(printed),
            Ok((printed, false)) => Err(format!(
                "line {line}: `{command}` fails; if it should, add `; echo \"exit status $?\"`. It prints:\n{printed}"
            )),
            Err(error) => Err(format!("line {line}: sh: {error}")),
        }
    }
}

/// Appends a line.
fn push(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text)
}

/// Returns a message with the first line that differs and its number; `None` if the texts are equal.
pub fn first_difference(expected: &str, actual: &str) -> Option<String> {
    if expected == actual {
        return None;
    }
    let (mut old, mut new) = (expected.lines(), actual.lines());
    for number in 1.. {
        match (old.next(), new.next()) {
            (None, None) => break,
            (a, b) if a == b => {}
            (a, b) => {
                let end = "(the end)";
                let (a, b) = (a.unwrap_or(end), b.unwrap_or(end));
                return Some(format!(
                    "line {number}:\n  in the page: {a}\n  printed:     {b}"
                ));
            }
        }
    }
    Some("they differ only in the final newline".to_owned())
}

/// Compares pages with their expected text. With `TRELLIS_BLESS` in the environment it writes them
/// instead.
///
/// # Errors
/// The pages that differ, with the first line of each, or that cannot be written.
pub fn compare(path: &Path, page: &str, actual: &str) -> Result<(), String> {
    let Some(difference) = first_difference(page, actual) else {
        return Ok(());
    };
    let name = path.display();
    if std::env::var_os("TRELLIS_BLESS").is_some() {
        return std::fs::write(path, actual).map_err(|error| format!("{name}: {error}"));
    }
    Err(format!("{name}, {difference}\nTRELLIS_BLESS=1 writes it"))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn shell(folder: &str) -> Shell {
        let folder = std::env::temp_dir().join(format!("{folder}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Shell {
            programs: folder.clone(),
            folder,
            root: None,
        }
    }

    #[test]
    fn commands_print_into_the_page() {
        let shell = shell("book-replay");
        let page = |first: &str, second: &str| {
            format!(
                "Text\n<!-- $ mkdir -p a -->\n<!-- file: a/b.json -->\n\n```json\n{{}}\n```\n\n```console\n$ cat a/b.json\n{first}\n\
                $ printf 'x\\n\\n%s' \\\n> y; echo oops >&2\n{second}\n```\nend\n"
            )
        };
        let (page, expected) = (page("old", "old"), page("{}", "x\n\nyoops"));
        assert_eq!(shell.replay(&page).expect("it runs"), expected);
        assert_eq!(first_difference(&expected, &expected), None);
        let difference = first_difference(&page, &expected).expect("they differ");
        assert!(difference.starts_with("line 11:"), "{difference}");
        std::fs::remove_dir_all(&shell.folder).expect("it can be removed");
    }

    #[test]
    fn what_is_wrong_with_a_page_is_said() {
        let shell = shell("book-wrong");
        let wrong = [
            ("```console\n$ false\n```\n", "line 2: `false` fails"),
            ("<!-- $ echo a -->\n", "line 1: echo a: prints a"),
            ("```console\ntext\n```\n", "line 2: expected `$ `"),
            (
                "```console\n$ echo '$ a'\n```\n",
                "line 2: the output cannot",
            ),
            ("```console\n$ true\n", "line 1: the block is not closed"),
            ("a\n```consol\n```\n", "line 2: the language `consol`"),
        ];
        for (page, message) in wrong {
            let error = shell.replay(page).expect_err(page);
            assert!(error.starts_with(message), "{error}");
        }
        std::fs::remove_dir_all(&shell.folder).expect("it can be removed");
    }

    #[test]
    fn blocks_have_their_language_and_file() {
        let page = "<!-- file: a.c -->\n```c\nint x;\n```\n```rust,ignore\n```\n";
        let found = blocks(page, "c").expect("blocks");
        assert_eq!((found[0].file, found[0].line), (Some("a.c"), 3));
        assert_eq!(found[0].text(), "int x;\n");
        assert_eq!(blocks(page, "rust").expect("blocks").len(), 1);
    }
}
