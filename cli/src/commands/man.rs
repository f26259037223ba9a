//! `trellis man`: manual pages of the command and of its subcommands, from the grammar and the help
//! texts.
//!
//! clap_mangen renders the sections that are made of arguments. What it lacks is made here of a
//! command's help text, whose form `args` has throughout: `Examples:` with indented lines, then
//! paragraphs, and blocks that are indented by two spaces, which are printed as they are.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Command, CommandFactory, ValueHint};
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, italic, roman};

use crate::args::Arguments;
use crate::files;
use crate::problem::Problem;

pub(crate) const MAN_EXAMPLES: &str = "\
Examples:
  trellis man | man -l -                      read the page of the command
  trellis man ~/.local/share/man/man1         install all pages for this user
  trellis man man && man -l man/trellis-batch.1

With a folder, a page is written for the command and one for each subcommand: trellis.1, trellis-convert.1 and so on. \
The folder is created if it does not exist; files of these names are replaced. The pages are those of this version of \
the program: nothing in them depends on the machine or on the time.";

/// Arguments of `trellis man`.
#[derive(Args)]
pub(crate) struct ManArgs {
    /// Folder for the pages of all commands; without it, the page of `trellis` is printed
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folder: Option<PathBuf>,
}

/// Files that are described in the pages of the commands that have this argument, or this name.
const FILES: [(&str, &str, &str); 9] = [
    (
        "options",
        "options.json",
        "Given by --options: a JSON object with any of the options that `trellis options` lists. `trellis help options` has an example.",
    ),
    (
        "bindings",
        "bindings.json",
        "Given by --bindings: a JSON object that maps resources to descriptor sets and bindings. `trellis help convert` has an example.",
    ),
    (
        "stage_io",
        "stage_io.json",
        "Given by --stage-io: a JSON object with the locations of stage inputs and outputs. `trellis help convert` has an example.",
    ),
    (
        "batch",
        "manifest.json",
        "An input that lists shaders with what is expected of them: each entry has a path below the manifest's folder.",
    ),
    (
        "cache",
        "DIR/",
        "Given by --cache: results by the content of the shader, the options and the program. It can be deleted at any time.",
    ),
    (
        "cfg",
        "DIR/index.html",
        "Given by --output: a page with the pictures of all stages, which are next to it as .svg and .dot.",
    ),
    (
        "run",
        "inputs.json",
        "Given by --inputs: the groups of a dispatch and the contents of its resources. `trellis run --template` prints one.",
    ),
    (
        "completions",
        "~/.local/share/bash-completion/completions/trellis",
        "Where bash finds the completions of a user.",
    ),
    (
        "man",
        "~/.local/share/man/man1",
        "Where man finds the pages of a user.",
    ),
];

/// Prints the page of the command, or writes the pages of all commands to a folder.
pub(crate) fn run(args: &ManArgs) -> Result<ExitCode, Problem> {
    let pages = pages();
    let Some(folder) = &args.folder else {
        let page = pages.into_iter().next().map(|(_, text)| text);
        files::write_standard(&page.unwrap_or_default())?;
        return Ok(ExitCode::SUCCESS);
    };
    fs::create_dir_all(folder).map_err(|error| {
        Problem::usage_error(format!("cannot write to the folder {}", folder.display()))
            .because(&error)
    })?;
    for (name, text) in pages {
        files::write(Some(&folder.join(Path::new(&name))), &text)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the names and texts of all pages, the command's own first.
fn pages() -> Vec<(String, Vec<u8>)> {
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    let subcommands = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    let all = std::iter::once(&command).chain(subcommands);
    all.map(|command| {
        let name = command.get_display_name().unwrap_or(command.get_name());
        (format!("{name}.1"), page(command, name))
    })
    .collect()
}

/// Returns the page of a command, with the sections in the order that man-pages(7) has.
fn page(command: &Command, name: &str) -> Vec<u8> {
    let man = Man::new(command.clone());
    let help = command.get_after_help().map(ToString::to_string);
    let help = Help::parse(help.as_deref().unwrap_or_default());
    let mut page = Vec::new();
    let title = name.to_uppercase();
    let version = concat!("Trellis ", env!("CARGO_PKG_VERSION"));
    let mut head = Roff::new();
    // An empty argument, the date, needs quotes, which the library does not write.
    head.control("TH", [title.as_str(), "1", "\"\"", version, "Trellis"]);
    add(&mut page, |page| head.to_writer(page));
    add(&mut page, |page| man.render_name_section(page));
    add(&mut page, |page| man.render_synopsis_section(page));
    add(&mut page, |page| man.render_description_section(page));
    add(&mut page, |page| help.details().to_writer(page));
    add(&mut page, |page| man.render_options_section(page));
    if command.has_subcommands() {
        add(&mut page, |page| man.render_subcommands_section(page));
    }
    add(&mut page, |page| exit_status(command).to_writer(page));
    if let Some(files) = files(command) {
        add(&mut page, |page| files.to_writer(page));
    }
    add(&mut page, |page| help.examples().to_writer(page));
    add(&mut page, |page| see_also(command).to_writer(page));
    page
}

/// Adds a section without the definitions that the library writes before each one.
fn add(page: &mut Vec<u8>, section: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) {
    let mut text = Vec::new();
    // Writing to memory does not fail.
    if section(&mut text).is_err() {
        return;
    }
    let definitions = Roff::new().render();
    let rest = text.strip_prefix(definitions.as_bytes());
    match rest {
        Some(rest) if !page.is_empty() => page.extend_from_slice(rest),
        _ => page.extend_from_slice(&text),
    }
}

/// The parts of a help text that follows the options.
#[derive(Debug, Default, PartialEq)]
struct Help<'a> {
    examples: Vec<&'a str>,
    blocks: Vec<Block<'a>>,
}

/// A part of a help text.
#[derive(Debug, PartialEq)]
enum Block<'a> {
    /// Lines of prose.
    Paragraph(Vec<&'a str>),
    /// Lines that are printed as they are.
    Verbatim(Vec<&'a str>),
}

impl<'a> Help<'a> {
    fn parse(text: &'a str) -> Self {
        let mut help = Self::default();
        let mut in_examples = false;
        let mut blocks: Vec<Block<'a>> = Vec::new();
        let mut apart = true;
        for line in text.lines() {
            match line.strip_prefix("  ") {
                _ if line == "Examples:" => in_examples = true,
                _ if line.is_empty() => (in_examples, apart) = (false, true),
                Some(example) if in_examples => help.examples.push(example),
                // The section about it has more.
                None if line.starts_with("Exit status:") => {}
                Some(line) => {
                    match blocks.last_mut() {
                        Some(Block::Verbatim(lines)) if !apart => lines.push(line),
                        _ => blocks.push(Block::Verbatim(vec![line])),
                    }
                    apart = false;
                }
                None => {
                    match blocks.last_mut() {
                        Some(Block::Paragraph(lines)) if !apart => lines.push(line),
                        _ => blocks.push(Block::Paragraph(vec![line])),
                    }
                    apart = false;
                }
            }
        }
        help.blocks = blocks;
        help
    }

    /// Returns the rest of the description.
    fn details(&self) -> Roff {
        let mut roff = Roff::new();
        for block in &self.blocks {
            match block {
                Block::Paragraph(lines) => {
                    roff.control("PP", []);
                    for line in lines {
                        roff.text(inlines(line));
                    }
                }
                Block::Verbatim(lines) => verbatim(&mut roff, lines),
            }
        }
        roff
    }

    fn examples(&self) -> Roff {
        let mut roff = Roff::new();
        roff.control("SH", ["EXAMPLES"]);
        verbatim(&mut roff, &self.examples);
        roff
    }
}

/// Adds lines that are printed as they are, indented.
fn verbatim(roff: &mut Roff, lines: &[&str]) {
    roff.control("PP", []);
    roff.control("RS", ["4"]);
    roff.control("nf", []);
    for line in lines {
        roff.text([roman(*line)]);
    }
    roff.control("fi", []);
    roff.control("RE", []);
}

/// Returns a line of prose, in which what is in backticks is bold.
fn inlines(line: &str) -> Vec<Inline> {
    let parts = line.split('`').enumerate();
    parts
        .filter(|(_, part)| !part.is_empty())
        .map(|(index, part)| match index % 2 {
            0 => roman(part),
            _ => bold(part),
        })
        .collect()
}

/// Returns the section about the exit status.
fn exit_status(command: &Command) -> Roff {
    let failed = match command.get_name() {
        "compare" => "A limit is exceeded: --max-growth, --fail-on-change or --fail-on-failures.",
        "stat" => "A file cannot be read as SPIR-V.",
        "validate" => "A module is invalid or cannot be read.",
        "minimize-corpus" => "An input cannot be read.",
        "reduce" => "The shader does not fail as it must, or cannot be read.",
        "run" => "The shader cannot be run, or a result is not what `expect` has.",
        "structurize" => "The graph cannot be read.",
        "batch" => "A shader failed.",
        "options" | "completions" | "man" => "Not used by this command.",
        _ => "The shader cannot be read or converted.",
    };
    let usage = "Incorrect usage, or a file cannot be read or written.";
    let mut roff = Roff::new();
    roff.control("SH", ["EXIT STATUS"]);
    for (status, text) in [("0", "Success."), ("1", failed), ("2", usage)] {
        roff.control("TP", []);
        roff.text([bold(status)]);
        roff.text(inlines(text));
    }
    roff
}

/// Returns the section about files, if the command has some.
fn files(command: &Command) -> Option<Roff> {
    let has = |name: &str| {
        command.get_name() == name
            || command
                .get_arguments()
                .any(|argument| argument.get_id() == name)
    };
    let mut roff = Roff::new();
    roff.control("SH", ["FILES"]);
    let mut any = false;
    for (_, file, text) in FILES.iter().filter(|(name, ..)| has(name)) {
        roff.control("TP", []);
        roff.text([italic(*file)]);
        roff.text(inlines(text));
        any = true;
    }
    any.then_some(roff)
}

/// Returns the section that names the command's page, or in that page those who say more.
fn see_also(command: &Command) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["SEE ALSO"]);
    let names: &[&str] = match command.get_name() {
        "trellis" => &["spirv-val", "spirv-dis"],
        "convert" | "batch" => &["trellis", "trellis-options", "trellis-reduce"],
        "validate" | "stat" => &["trellis", "spirv-val", "spirv-dis"],
        "tree" | "explain" | "cfg" | "structurize" => {
            &["trellis", "trellis-tree", "trellis-cfg", "trellis-explain"]
        }
        _ => &["trellis"],
    };
    let own = command.get_display_name().unwrap_or_default();
    let mut line = Vec::new();
    for name in names.iter().filter(|name| **name != own) {
        if !line.is_empty() {
            line.push(roman(", "));
        }
        line.push(bold(*name));
        line.push(roman("(1)"));
    }
    roff.text(line);
    roff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_help_text_has_parts() {
        let text =
            "Examples:\n  trellis a\n  trellis b\n\nOne\nline.\n\n  { }\n\nExit status: 0.\nTwo.";
        let expected = Help {
            examples: vec!["trellis a", "trellis b"],
            blocks: vec![
                Block::Paragraph(vec!["One", "line."]),
                Block::Verbatim(vec!["{ }"]),
                Block::Paragraph(vec!["Two."]),
            ],
        };
        assert_eq!(Help::parse(text), expected);
    }

    #[test]
    fn each_command_has_a_page_with_all_sections() {
        let pages = pages();
        let command = Arguments::command();
        let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set());
        assert_eq!(pages.len(), 1 + shown.count());
        for (name, text) in &pages {
            let text = std::str::from_utf8(text).expect("text");
            let mut sections = [
                "NAME",
                "SYNOPSIS",
                "DESCRIPTION",
                "OPTIONS",
                "EXIT STATUS",
                "EXAMPLES",
                "SEE ALSO",
            ]
            .map(|section| {
                text.find(&format!("\n.SH {section}\n"))
                    .or_else(|| text.find(&format!("\n.SH \"{section}\"\n")))
            });
            assert!(sections.iter().all(Option::is_some), "{name}: {sections:?}");
            let order = sections;
            sections.sort_unstable();
            assert_eq!(order, sections, "{name}");
            assert_eq!(text.matches(".ds Aq").count(), 2, "{name}: one preamble");
        }
    }

    #[test]
    fn each_file_is_in_a_page() {
        let mut command = Arguments::command();
        command.build();
        for (name, file, _) in FILES {
            let found = command.get_subcommands().any(|sub| {
                sub.get_name() == name
                    || sub
                        .get_arguments()
                        .any(|argument| argument.get_id() == name)
            });
            assert!(found, "{file}");
        }
    }
}
