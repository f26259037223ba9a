//! `trellis options`: the translation options with their defaults.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use trellis_dxil::options::{OptionInfo, list};

use crate::files;
use crate::problem::Problem;

const OPTIONS_EXAMPLES: &str = "\
Examples:
  trellis options
  trellis options --json
  trellis convert shader.dxil -o shader.spv --options options.json

A file given by --options is a JSON object with any subset of these options; each group is a nested object:

  { \"target\": \"vulkan1.2\",
    \"workarounds\": { \"point_size\": false },
    \"bindings\": { \"shifts\": { \"srv\": 100 } },
    \"structurizer\": { \"stages\": { \"arm-flattening\": false } } }

`bindings` has the form of a --bindings file, `stage_io` the form of a --stage-io file. Command-line options override the \
file: --shift changes the shifts that it names, --bindings replaces the rest of `bindings` and the shifts that its \
file names, --stage-io replaces `stage_io`, and --mesh replaces `mesh`.";

/// Arguments of `trellis options`.
#[derive(Args)]
#[command(after_help = OPTIONS_EXAMPLES)]
pub(crate) struct OptionsArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Maximum width of a line in columns.
const WIDTH: usize = 96;
/// Indentation of a summary.
const INDENT: &str = "      ";

/// Lists the options.
pub(crate) fn run(args: &OptionsArgs) -> Result<ExitCode, Problem> {
    let options =
        list().map_err(|error| Problem::usage_error("cannot list the options").because(&error))?;
    let text = if args.json {
        files::json(&options)?
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
