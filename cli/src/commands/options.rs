//! `trellis options`: the translation options with their defaults.

use std::fmt::Write as _;
use std::process::ExitCode;

use trellis_dxil::options::{OptionInfo, list};

use crate::args::OptionsArgs;
use crate::files;
use crate::problem::Problem;

/// Maximum width of a line in columns.
const WIDTH: usize = 96;
/// Indentation of a summary.
const INDENT: &str = "      ";

/// Lists the options.
pub(crate) fn run(args: &OptionsArgs) -> Result<ExitCode, Problem> {
    let failed = |error| Problem::usage_error("cannot list the options").because(&error);
    let options = list().map_err(failed)?;
    let text = if args.json {
        serde_json::to_string_pretty(&options).map_err(failed)? + "\n"
    } else {
        text_of(&options)
    };
    files::write_standard(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the options as text, grouped.
fn text_of(options: &[OptionInfo]) -> String {
    let mut text = String::new();
    let mut group = "";
    for option in options {
        if option.group != group {
            group = option.group;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "\n{group}");
        }
        let default = option.default.to_string().replace(',', ", ");
        let declaration = format!("{}: {} = {default}", option.name, option.ty);
        wrap(&mut text, "  ", &declaration);
        wrap(&mut text, INDENT, &option.summary);
    }
    text
}

/// Appends words in lines of at most [`WIDTH`] columns; further lines have [`INDENT`].
fn wrap(text: &mut String, indent: &str, words: &str) {
    let mut line = String::from(indent);
    for word in words.split_whitespace() {
        if line.len() + 1 + word.len() > WIDTH && !line.trim().is_empty() {
            text.push_str(line.trim_end());
            text.push('\n');
            line = String::from(INDENT);
        }
        line.push_str(word);
        line.push(' ');
    }
    text.push_str(line.trim_end());
    text.push('\n');
}
