//! `trellis man`: manual pages of the command and of its subcommands, by clap_mangen from the grammar and the
//! help texts. `Examples:` begins each help text; the rest is a part of the description.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Command, ValueHint};
use clap_mangen::Man;

use crate::files;
use crate::problem::Problem;

const MAN_EXAMPLES: &str = "\
Examples:
  trellis man | man -l -                      read the page of the command
  trellis man ~/.local/share/man/man1         install all pages for this user
  trellis man man && man -l man/trellis-batch.1

With a folder, a page is written for the command and one for each subcommand: trellis.1, trellis-convert.1 and so on. \
The folder is created if it does not exist; files of these names are replaced. The pages describe this version of \
the program: nothing in them depends on the machine or on the time.";

/// Arguments of `trellis man`.
#[derive(Args)]
#[command(after_help = MAN_EXAMPLES)]
pub(crate) struct ManArgs {
    /// Folder for the pages of all commands; without it, the page of `trellis` is printed
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folder: Option<PathBuf>,
}

/// Prints the page of the command, or writes the pages of all commands to a folder.
pub(crate) fn run(args: &ManArgs, command: Command) -> Result<ExitCode, Problem> {
    let pages = pages(command);
    let Some(folder) = &args.folder else {
        let page = pages.into_iter().next().map(|(_, text)| text);
        files::write_standard(page.unwrap_or_default().as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    };
    fs::create_dir_all(folder).map_err(|error| {
        Problem::usage_error(format!("cannot write to the folder {}", folder.display()))
            .because(&error)
    })?;
    for (name, text) in pages {
        files::write(Some(&folder.join(Path::new(&name))), text.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the names and texts of all pages, the command's own first.
fn pages(command: Command) -> Vec<(String, String)> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let subcommands = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    let all = std::iter::once(&command).chain(subcommands);
    all.map(|command| {
        let name = command.get_display_name().unwrap_or(command.get_name());
        (format!("{name}.1"), page(command, name))
    })
    .collect()
}

/// Returns the page of a command.
fn page(command: &Command, name: &str) -> String {
    let text = |text: Option<&clap::builder::StyledStr>| text.map(ToString::to_string);
    let about = text(command.get_about()).unwrap_or_default();
    let help = text(command.get_after_help()).unwrap_or_default();
    let (examples, details) = help.split_once("\n\n").unwrap_or((&help, ""));
    let examples = examples.trim_start_matches("Examples:\n").to_owned();
    let described = { command.clone() }
        .long_about(format!("{about}\n\n{details}"))
        .after_help(examples)
        .long_version(None::<&str>);
    let man = Man::new(described)
        .title(name.to_uppercase())
        // An empty argument needs quotes, which the library does not write.
        .date("\"\"")
        .source(concat!("Trellis ", env!("CARGO_PKG_VERSION")))
        .manual("Trellis");
    let mut page = Vec::new();
    // Writing to memory does not fail.
    let _ = man.render(&mut page);
    let head = format!("\n{}.SH EXAMPLES\n", exit_status(command));
    let others = match command.has_subcommands() {
        true => "spirv\\-val(1), spirv\\-dis(1)",
        false => "trellis(1)",
    };
    let page = String::from_utf8_lossy(&page).replacen("\n.SH EXTRA\n", &head, 1);
    // Lines that are indented are printed as they are.
    let all: Vec<&str> = page.lines().collect();
    let mut text = String::new();
    for group in all.chunk_by(|a, b| a.starts_with("  ") == b.starts_with("  ")) {
        let lines = group.join("\n");
        text += &match lines.starts_with("  ") {
            true => format!(".nf\n{lines}\n.fi\n"),
            false => lines + "\n",
        };
    }
    text + &format!(".SH \"SEE ALSO\"\n{others}\n")
}

/// Returns the section about the exit status.
fn exit_status(command: &Command) -> String {
    let failed = match command.get_name() {
        "compare" => "A limit is exceeded: --max-growth, --fail-on-change or --fail-on-failures.",
        "stat" => "A file cannot be read as SPIR-V.",
        "validate" => "A module is invalid or cannot be read.",
        "minimize-corpus" => "An input cannot be read.",
        "reduce" => "The shader does not fail as it must, or cannot be read.",
        "run" => "The shader cannot be run, or a result differs from `expect`.",
        "structurize" => "The graph cannot be read.",
        "batch" => "A shader failed.",
        "options" | "completions" | "man" => "Not used by this command.",
        _ => "The shader cannot be read or converted.",
    };
    let failed = failed.replace('-', "\\-");
    let usage = "Incorrect usage, or a file cannot be read or written.";
    let mut section = ".SH \"EXIT STATUS\"\n".to_owned();
    for (status, text) in [("0", "Success."), ("1", failed.as_str()), ("2", usage)] {
        section += &format!(".TP\n\\fB{status}\\fR\n{text}\n");
    }
    section
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::pages;
    use crate::args::Arguments;

    #[test]
    fn each_command_has_a_page_with_all_sections() {
        let command = Arguments::command();
        let pages = pages(command.clone());
        let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set());
        assert_eq!(pages.len(), 1 + shown.count());
        for (name, text) in &pages {
            let start = format!(
                ".TH {} 1 \"\" \"Trellis ",
                name.trim_end_matches(".1").to_uppercase()
            );
            assert!(text.contains(&start), "{text}");
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
            assert!(
                !text.contains("Examples:") && !text.contains("EXTRA"),
                "{name}"
            );
        }
    }
}
